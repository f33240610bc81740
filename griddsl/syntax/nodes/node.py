"""What all nodes have in common, and the walk through a tree of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import Field, dataclass, field, fields
from functools import cached_property
from itertools import chain
from typing import ClassVar, dataclass_transform

from griddsl.source import Span


def place() -> Span:
    """Return the field that a node ends with."""
    return field(compare=False, repr=False)  # type: ignore[no-any-return]


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field, place))
class Node:
    """What all nodes have in common: how they are compared and shown.

    They are made without slots and with these for all of them, because what `dataclass` writes for sixty classes is a
    good part of the time that a command takes to start.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[object]]]
    span: Span

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, repr=False, eq=False)(cls)

    @cached_property
    def within(self) -> tuple[Node, ...]:
        """The node and every node in it, outermost first: listed once, because lowering asks for it again and again."""
        return tuple(_walked(self))

    def __getstate__(self) -> dict[str, object]:
        return {name: part for name, part in self.__dict__.items() if name != "within"}

    def _compared(self) -> tuple[object, ...]:
        return tuple(getattr(self, each.name) for each in fields(self) if each.compare)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash((type(self), self._compared()))

    def __repr__(self) -> str:
        mine = [each for each in fields(self) if each.repr]
        shown = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in mine)
        return f"{type(self).__name__}({shown})"


def walk(value: object) -> Iterator[Node]:
    """Yield every node in a tree of nodes, tuples and lists, outermost first."""
    if isinstance(value, (tuple, list)):
        return chain.from_iterable(map(walk, value))
    return iter(value.within if isinstance(value, Node) else ())


def _walked(value: Node) -> Iterator[Node]:
    pending: list[object] = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, (tuple, list)):
            pending.extend(reversed(node))
        elif isinstance(node, Node):
            yield node
            pending.extend([getattr(node, name) for name in PARTS[type(node)]])


class _Parts(dict[type[Node], tuple[str, ...]]):
    """What nodes of each class consist of beside their place, the last first."""

    def __missing__(self, kind: type[Node]) -> tuple[str, ...]:
        self[kind] = tuple(each.name for each in reversed(fields(kind)) if each.name != "span")
        return self[kind]


PARTS = _Parts()
