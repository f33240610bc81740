"""Joined: the parts of a condition that `and` joins, and the kinds of which they find one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from griddsl.syntax import nodes as n

Given: TypeAlias = Mapping[str, n.Expression]  # what calls are given, by the names that it has there


def joined(test: object) -> Iterator[object]:
    """Yield the parts of a condition that `and` joins, in whatever brackets and calls."""
    return (part for part, _ in joined_with(test, {}))


def joined_with(test: object, given: Given) -> Iterator[tuple[object, Given]]:
    """Yield the same, each with what the calls around it are given, beside what is given already."""
    match test:
        case n.Logic("and", values) | (tuple() as values):
            for each in values:
                yield from joined_with(each, given)
        case n.Given(names, value):
            yield from joined_with(value, {**given, **dict(names)})
        case n.ByChance(inner) if inner is not None:
            yield from joined_with(inner, given)
        case _:
            yield test, given


def found_by(test: object) -> set[str]:
    """Return the kinds of which a condition finds one: behind it each is that one."""
    parts = [part for part in joined(test) if isinstance(part, n.Relation)]
    sides = [side for part in parts for side in (part.left, part.right)]
    return {side.name for side in sides if isinstance(side, n.KindName)}
