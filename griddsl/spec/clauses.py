"""Clauses: all that a spec says in nodes, field by field, so that no list of its fields is kept elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import fields, is_dataclass

from griddsl.source import Span
from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk


def clauses_of(spec: GridSpec, without: Collection[str] = ()) -> Iterator[n.Node]:
    """Yield the nodes of all clauses of a spec, but of the fields named in ``without``."""
    for name in type(spec).model_fields:
        if name not in without:
            yield from parts_of(getattr(spec, name))


def parts_of(value: object) -> Iterator[n.Node]:
    """Yield the nodes in a field of a spec, in its declarations too."""
    if isinstance(value, tuple):
        for each in value:
            yield from parts_of(each)
    elif isinstance(value, n.Node):
        yield from walk(value)
    elif is_dataclass(value) and not isinstance(value, type | Span):
        for each in fields(value):
            yield from parts_of(getattr(value, each.name))
