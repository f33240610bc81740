"""Patterns: what a kind is given in brackets, and what was meant by those that give no attributes."""

from __future__ import annotations

from collections.abc import Mapping

from griddsl.diagnostics import Help, write
from griddsl.lowering.world.kinds import Kind
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text


def values_given(node: n.Node | None) -> dict[str, n.Expression]:
    """Return what a kind is given in brackets, by name: nothing where it stands alone."""
    return dict(node.arguments) if isinstance(node, n.Pattern) else {}


def pattern_meant(node: n.Node, kinds: Mapping[str, Kind]) -> Help | None:
    """Return the pattern that was meant by `key(color is red)`, `key(color == red)` or `key(red)`; None for others."""
    if not isinstance(node, n.Call) or node.name not in kinds or node.each or node.where or node.avoiding:
        return None
    given = []
    for argument in node.arguments:
        match argument:
            case n.Is(left=n.Name(name), right=right, negated=False) | n.Compare("==", n.Name(name), right):
                given.append(f"{name}={to_text(right)}")
            case n.Name(word):
                of = [each.name for each in kinds[node.name].attributes.values() if word in each.domain.words]
                if len(of) != 1:
                    return None
                given.append(f"{of[0]}={word}")
            case _:
                return None
    if not given:
        return Help("leave the brackets out", (node.name,), place=node.span)
    return write(f"{node.name}({', '.join(given)})", place=node.span)
