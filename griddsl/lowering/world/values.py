"""What expressions are worth while a spec is lowered: typed values, and references to things."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from griddsl.compass import COMPASS
from griddsl.lowering.world.kinds import Category, Kind
from griddsl.program import ir
from griddsl.syntax import nodes as n


@dataclass(frozen=True, slots=True)
class Numbers:
    """Whole or real numbers; the range is that of the expression."""

    def __str__(self) -> str:
        return "a number"


@dataclass(frozen=True, slots=True)
class Truths:
    """True or false."""

    def __str__(self) -> str:
        return "a condition"


@dataclass(frozen=True, slots=True)
class Words:
    """Words of a domain, counted from 0 in its order; of a facing, `random` draws one of the first four."""

    words: tuple[str, ...]
    is_facing: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return f"a word ({' | '.join(self.words[:8])}{' | ...' if len(self.words) > 8 else ''})"


@dataclass(frozen=True, slots=True)
class Cells:
    """Cell numbers, ``y * width + x``; -1 is no cell."""

    def __str__(self) -> str:
        return "a cell"


@dataclass(frozen=True, slots=True)
class Kinds:
    """Kinds, each with attributes or none: an index into ``kinds``."""

    kinds: tuple[str, ...]

    def __str__(self) -> str:
        return "a kind"


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts: an index into ``texts``."""

    texts: tuple[str, ...]

    def __str__(self) -> str:
        return "a text"


ValueType: TypeAlias = Numbers | Truths | Words | Cells | Kinds | Texts
NUMBER, TRUTH, CELL = Numbers(), Truths(), Cells()
DIRECTION = Words(COMPASS, is_facing=True)


@dataclass(frozen=True, slots=True)
class Value:
    """An expression of the program with what it means.

    ``asked`` is the cell that a condition asks about by a name for a pair: -1 where it lies off the grid.
    """

    type: ValueType
    expr: ir.Expr
    asked: ir.Expr | None = None


@dataclass(frozen=True, slots=True)
class Ref:
    """A thing that a name stands for: a tile by its cell, an object or an agent by its index.

    ``several`` is how many things the name could mean where it is not known which; else 0. ``on_map`` says that an
    object stands in a cell for as long as the reference is used. ``may_be_gone`` says that effects may have removed
    the thing since it was named, or have turned it into another kind. ``by_its_kind`` says that an agent is named by
    a kind that no other has, so that it may be the very one that the clause speaks of. ``others`` are the other kinds
    that the thing may be of, where setup gives the name to things of several; ``any_of`` says that it is one of all
    of these kinds, so that what is asked of it is asked of each of them. ``named_twice`` says that two conditions have
    found one, each its own.
    """

    kind: Kind
    index: ir.Expr
    several: int = 0
    on_map: bool = False
    may_be_gone: bool = field(default=False, compare=False)
    by_its_kind: bool = field(default=False, compare=False)
    others: tuple[Kind, ...] = field(default=(), compare=False)
    any_of: bool = field(default=False, compare=False)
    named_twice: bool = field(default=False, compare=False)

    @property
    def category(self) -> Category:
        """``tile``, ``object`` or ``agent``."""
        return self.kind.category


Meaning: TypeAlias = Value | Ref


def number(expr: ir.Expr) -> Value:
    """Return a number."""
    return Value(NUMBER, expr)


def size_of(node: n.Expression, value: Value) -> int:
    """Return how many values are counted, from 0; for numbers, up to the top of their range.

    A facing counts the directions that an agent of the game can face, as the word `facing` does.
    """
    type, high = value.type, int(value.expr.high)
    if type == DIRECTION and isinstance(node, n.Attribute):
        return 4 if high < 4 else 8
    if isinstance(type, Words):
        return len(type.words)
    if isinstance(type, Kinds):
        return len(type.kinds)
    if isinstance(type, Texts):
        return len(type.texts)
    return 2 if isinstance(type, Truths) else high + 1
