"""Statements and functions: what is done with values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from griddsl.program.ir.expressions import Call, Expr, Local
from griddsl.program.ir.slots import Slot, Table
from griddsl.source import Span


@dataclass(frozen=True)
class Let:
    """``local = value``."""

    name: str
    value: Expr


@dataclass(frozen=True)
class Store:
    """``slot[index] = value``; booleans are kept as 0 and 1."""

    slot: Slot
    index: Expr
    value: Expr


@dataclass(frozen=True)
class Out:
    """``out[index] = value``: an entry of an observation or of a mask."""

    index: Expr
    value: Expr


@dataclass(frozen=True)
class If:
    """``if test: then; else: otherwise``."""

    test: Expr
    then: Block
    otherwise: Block


@dataclass(frozen=True)
class For:
    """``for name in range(low, high)``."""

    name: str
    low: Expr
    high: Expr
    body: Block


@dataclass(frozen=True)
class While:
    """``while test``."""

    test: Expr
    body: Block


@dataclass(frozen=True)
class Break:
    """``break``."""


@dataclass(frozen=True)
class Do:
    """A call for what it does."""

    call: Call


@dataclass(frozen=True)
class Return:
    """``return values``."""

    values: tuple[Expr, ...]


@dataclass(frozen=True)
class Note:
    """A comment: the line of the spec that the statements below it come from."""

    text: str
    span: Span | None = None


@dataclass(frozen=True)
class Fired:
    """The rule with this number has fired; traced programs keep it, others pass it over."""

    rule: int


@dataclass(frozen=True)
class Copy:
    """``slot[:] = table[start : start + length]``."""

    slot: Slot
    table: Table
    start: Expr


@dataclass(frozen=True)
class Fill:
    """``slot[:] = value``."""

    slot: Slot
    value: Expr


@dataclass(frozen=True)
class Restart:
    """Put the initial values into the whole state."""


@dataclass(frozen=True)
class Keep:
    """Keep a copy of all whole numbers of the state under a local name; ``place`` counts such statements from 0."""

    name: str
    place: int


@dataclass(frozen=True)
class Restore:
    """Put back a copy that was kept under a name."""

    name: str


@dataclass(frozen=True)
class Generate:
    """Let a generator draw a map into a slot of tiles, from the random stream; ``values`` are its other arguments."""

    generator: str
    slot: Slot
    values: tuple[Expr, ...]


@dataclass(frozen=True)
class Blank:
    """``out[0 : count] = value`` everywhere; ``value`` is from 0 to 255."""

    count: Expr
    value: Expr


@dataclass(frozen=True)
class Fail:
    """Give up at runtime with a diagnostic: the setup found no place, or no layout."""

    code: str
    span: Span
    message: str


Stmt: TypeAlias = (
    Let
    | Store
    | Out
    | If
    | For
    | While
    | Break
    | Do
    | Return
    | Note
    | Fired
    | Copy
    | Fill
    | Restart
    | Keep
    | Restore
    | Generate
    | Blank
    | Fail
)
Block: TypeAlias = list[Stmt]


@dataclass(slots=True)
class Function:
    """A function of the program, which works on the state; its parameters and results have types and ranges.

    A ``repeatable`` one leaves the same behind when it is called again on what it found: a search.
    """

    name: str
    parameters: tuple[Local, ...]
    body: Block
    doc: str = ""
    writes_out: bool = False
    repeatable: bool = False
    results: tuple[Local, ...] = ()


def function(
    name: str,
    parameters: Sequence[str],
    body: Block,
    doc: str = "",
    writes_out: bool = False,
    repeatable: bool = False,
) -> Function:
    """Return a function of which only the names of the parameters are known, until it is signed."""
    return Function(name, tuple(map(Local, parameters)), body, doc, writes_out, repeatable)


@dataclass(slots=True)
class Names:
    """Fresh names for locals of one function."""

    taken: set[str] = field(default_factory=set)

    def fresh(self, stem: str) -> str:
        """Return a name that this function has not used yet; a number is added where it has."""
        name = stem = stem.lower()
        count = 1
        while name in self.taken:
            count += 1
            name = f"{stem}_{count}"
        self.taken.add(name)
        return name


def statements(block: Block) -> Iterator[Stmt]:
    """Yield the statements of a block and of the blocks in it, in order."""
    for statement in block:
        yield statement
        if isinstance(statement, If):
            yield from statements(statement.then)
            yield from statements(statement.otherwise)
        elif isinstance(statement, For | While):
            yield from statements(statement.body)


def values_of(statement: Stmt) -> tuple[Expr, ...]:
    """Return the expressions of a statement, without those of the blocks in it."""
    match statement:
        case Let(_, value):
            return (value,)
        case Store(_, index, value) | Out(index, value):
            return (index, value)
        case If(test, _, _) | While(test, _):
            return (test,)
        case For(_, low, high, _):
            return (low, high)
        case Do(call):
            return (call,)
        case Return(values):
            return values
        case Copy(_, _, start):
            return (start,)
        case Fill(_, value):
            return (value,)
        case Generate(_, _, values):
            return values
        case Blank(count, value):
            return (count, value)
    return ()
