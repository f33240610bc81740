"""The tree of a TOML text: values that know their places, and the keys that lead to them."""

from __future__ import annotations

from dataclasses import dataclass

from griddsl.source import Fragment, Span


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a path: its text, and the place of it with its quotes."""

    text: str
    fragment: Fragment
    span: Span


@dataclass(frozen=True, slots=True)
class String:
    """A string: the fragment holds what it says, the span covers its quotes too."""

    fragment: Fragment
    span: Span


@dataclass(frozen=True, slots=True)
class Literal:
    """A number, a truth value or a date, as written."""

    fragment: Fragment
    sort: str

    @property
    def span(self) -> Span:
        """The place of the literal."""
        return self.fragment.span()


@dataclass(frozen=True, slots=True)
class Item:
    """A value of an array with the comments above and behind it."""

    value: Value
    above: tuple[str, ...]
    comment: str


@dataclass(frozen=True, slots=True)
class Array:
    """An array; ``below`` are the comments after its last value."""

    items: tuple[Item, ...]
    span: Span
    below: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """An inline table inside an array, or one element of an array of tables, its entries flattened."""

    entries: tuple[Entry, ...]
    span: Span
    is_whole: bool = True  # each of its lines was read


Value = String | Literal | Array | Table


@dataclass(frozen=True, slots=True)
class Entry:
    """A value and the keys that lead to it; ``above`` are the comments and blank lines before it.

    ``is_inline`` says that the last keys stand in an inline table, whose comment the entries share.
    """

    path: tuple[Key, ...]
    value: Value
    above: tuple[str, ...] = ()
    comment: str = ""
    is_inline: bool = False


@dataclass(frozen=True, slots=True)
class Tree:
    """A whole text: its entries in their order, the comments after the last, and where lines begin that are no TOML."""

    entries: tuple[Entry, ...]
    below: tuple[str, ...]
    unread: tuple[int, ...] = ()
