"""Names: the nodes that stand for a kind or for a thing, as they are found on a side of a clause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from griddsl.syntax import nodes as n

KindName: TypeAlias = n.Name | n.Pattern


def there(side: n.Expression | None) -> n.Expression:
    """Return a part that this form of a clause always has."""
    assert side is not None
    return side


def named(node: n.Expression | None) -> KindName:
    """Return what stands where only a kind or a name can: a name, or a kind with attributes."""
    assert isinstance(node, n.Name | n.Pattern)
    return node


def alternatives(node: n.Expression | None) -> Iterator[n.Expression]:
    """Yield the kinds of `(a or b)`, or the only one."""
    if isinstance(node, n.Logic):
        for each in node.values:
            yield from alternatives(each)
    elif node is not None:
        yield node


def asked_for(node: n.Expression | None) -> KindName:
    """Return which kind a side of a relation asks for, where it may also be ``all K``, ``any K`` or ``no K``."""
    return named(node.kind if isinstance(node, n.Quantified) else node)
