"""Expressions: values with a type and a range."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from griddsl.program.ir.slots import UNBOUNDED, Constant, Slot, Table, Type

COMPARED: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""What an operator of `Op` says of two numbers or arrays."""


@dataclass(frozen=True)
class Const:
    """A value known before the first step."""

    value: Constant
    type: Type

    @property
    def low(self) -> float:
        """The value itself."""
        return float(self.value) if self.type == "real" else int(self.value)

    high = low


@dataclass(frozen=True)
class Local:
    """A local variable of a function, or one of its parameters."""

    name: str
    type: Type = "int"
    low: float = -UNBOUNDED
    high: float = UNBOUNDED


@dataclass(frozen=True)
class Load:
    """``slot[index]`` of the state."""

    slot: Slot
    index: Expr
    type: Type
    low: float
    high: float


@dataclass(frozen=True)
class Lookup:
    """``table[index]``."""

    table: Table
    index: Expr
    type: Type
    low: float
    high: float


@dataclass(frozen=True)
class Op:
    """An operator on values: ``+ - * / // % | & << >> == != < <= > >= and or not neg min max abs exp sqrt``."""

    operator: str
    values: tuple[Expr, ...]
    type: Type
    low: float
    high: float


@dataclass(frozen=True)
class Select:
    """``then if test else otherwise``."""

    test: Expr
    then: Expr
    otherwise: Expr
    type: Type
    low: float
    high: float


@dataclass(frozen=True)
class Call:
    """A call of a function of the program, which works on the same state."""

    function: str
    values: tuple[Expr, ...]
    type: Type
    low: float = -UNBOUNDED
    high: float = UNBOUNDED


@dataclass(frozen=True)
class Draw:
    """A value from the random stream.

    ``draw``: a whole number below ``n``, all alike. ``odds``: true with the chance ``wins / of``. ``chance``: true with
    the chance ``p``. ``weighted``: a place in ``totals``, which holds the running sums of whole weights.
    """

    how: Literal["draw", "odds", "chance", "weighted"]
    values: tuple[Expr, ...]
    type: Type
    low: float = 0
    high: float = 1
    totals: Table | None = None


@dataclass(frozen=True)
class Ask:
    """The answer of a plug-in in Python, which looks at the whole state and may draw from the stream."""

    plug_in: str
    values: tuple[Expr, ...]
    type: Type
    low: float
    high: float


@dataclass(frozen=True)
class Claim:
    """A value in a range that does not follow from the ranges of its parts, but from what ``because`` says."""

    value: Expr
    type: Type
    low: float
    high: float
    because: str


Expr: TypeAlias = Const | Local | Load | Lookup | Op | Select | Call | Draw | Ask | Claim

TRUE = Const(True, "bool")
FALSE = Const(False, "bool")


# By the type, and not by a `match`, which tries one type after the other: all passes ask this of every expression.
_INNER: dict[type, Callable[[Any], tuple[Expr, ...]]] = {
    **dict.fromkeys((Op, Call, Draw, Ask), lambda value: value.values),
    **dict.fromkeys((Load, Lookup), lambda value: (value.index,)),
    **dict.fromkeys((Const, Local), lambda value: ()),
    Select: lambda value: (value.test, value.then, value.otherwise),
    Claim: lambda value: (value.value,),
}


def inner(value: Expr) -> tuple[Expr, ...]:
    """Return the expressions that an expression is made of, without those in them."""
    return _INNER[type(value)](value)


def parts(value: Expr) -> Iterator[Expr]:
    """Yield an expression and everything in it."""
    pending = [value]
    while pending:
        part = pending.pop()
        yield part
        if within := _INNER[type(part)](part):
            pending.extend(reversed(within))


def reads_local(value: Expr, name: str) -> bool:
    """Whether an expression speaks of a local."""
    return any(isinstance(part, Local) and part.name == name for part in parts(value))


def hull(name: str, values: Sequence[Expr]) -> Local:
    """Return a local that can hold each of some values; one of no value holds anything."""
    if not values:
        return Local(name)
    types = {value.type for value in values}
    kind: Type = values[0].type if len(types) == 1 else "real"
    return Local(name, kind, min(value.low for value in values), max(value.high for value in values))
