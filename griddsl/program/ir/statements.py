"""Statements and functions: what is done with values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from griddsl.program.ir.expressions import TRUE, Ask, Call, Draw, Expr, Local, parts
from griddsl.program.ir.slots import Slot, Table
from griddsl.source import Span


@dataclass(frozen=True)
class Let:
    """``local = value``."""

    name: str
    value: Expr


@dataclass(frozen=True)
class Bind:
    """``name = source``: what a draw, a plug-in or a function with effects gives has a statement of its own."""

    name: str
    source: Draw | Ask | Call


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
class ForEach:
    """A loop whose rounds may run in any order, or at once: none sees what another one writes."""

    name: str
    low: Expr
    high: Expr
    body: Block


@dataclass(frozen=True)
class Reduce:
    """One result of many rounds, of which each ends with a `Hit` or with none; the rounds have no effects.

    ``any``: the result becomes true where a round hits. ``all``: it becomes false. ``first``: it becomes the value of
    the first hit, ``last``: of the last one. ``count``: one is added for each hit, ``sum``: its value, in the order of
    the rounds. ``collect``: the value goes into ``slot`` at the result, to which one is added. Where nothing hits it
    stays what it was.
    """

    how: Literal["any", "all", "first", "last", "count", "sum", "collect"]
    result: Local
    name: str
    low: Expr
    high: Expr
    body: Block
    slot: Slot | None = None


@dataclass(frozen=True)
class Hit:
    """The round of a `Reduce` counts, with this value; it ends here."""

    value: Expr = TRUE


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
    | Bind
    | Store
    | Out
    | If
    | For
    | ForEach
    | Reduce
    | Hit
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
    _last: dict[str, int] = field(
        default_factory=dict
    )  # the highest number of a stem, as all below it are taken

    def fresh(self, stem: str) -> str:
        """Return a name that this function has not used yet; a number is added where it has."""
        name = stem = stem.lower()
        count = self._last.get(stem, 1)
        while name in self.taken:
            count += 1
            name = f"{stem}_{count}"
        self._last[stem] = count
        self.taken.add(name)
        return name


def blocks_of(statement: Stmt) -> tuple[Block, ...]:
    """Return the blocks in a statement, without those in them."""
    if isinstance(statement, If):
        return statement.then, statement.otherwise
    return (statement.body,) if isinstance(statement, For | ForEach | Reduce | While) else ()


def statements(block: Block) -> Iterator[Stmt]:
    """Yield the statements of a block and of the blocks in it, in order."""
    pending = [iter(block)]
    while pending:
        for statement in pending[-1]:
            yield statement
            if within := blocks_of(statement):
                pending += [iter(inner) for inner in reversed(within)]
                break
        else:
            pending.pop()


def with_blocks(statement: Stmt, change: Callable[[Block], Block]) -> Stmt:
    """Return a statement with the blocks in it changed; itself where there are none."""
    match statement:
        case If(test, then, otherwise):
            return If(test, change(then), change(otherwise))
        case For() | ForEach() | Reduce() | While():
            return replace(statement, body=change(statement.body))
    return statement


# By the type, as those of expressions are.
_VALUES: dict[type, Callable[[Any], tuple[Expr, ...]]] = {
    **dict.fromkeys((Let, Fill, Hit), lambda statement: (statement.value,)),
    Bind: lambda statement: (statement.source,),
    **dict.fromkeys((Store, Out), lambda statement: (statement.index, statement.value)),
    **dict.fromkeys((If, While), lambda statement: (statement.test,)),
    **dict.fromkeys((For, ForEach, Reduce), lambda statement: (statement.low, statement.high)),
    **dict.fromkeys((Return, Generate), lambda statement: statement.values),
    Do: lambda statement: (statement.call,),
    Copy: lambda statement: (statement.start,),
    Blank: lambda statement: (statement.count, statement.value),
}


def values_of(statement: Stmt) -> tuple[Expr, ...]:
    """Return the expressions of a statement, without those of the blocks in it."""
    found = _VALUES.get(type(statement))
    return () if found is None else found(statement)


def with_values(statement: Stmt, change: Callable[[Any], Any]) -> Stmt:
    """Return a statement with its expressions changed, those of the blocks in it left as they are."""
    match statement:
        case Let() | Fill() | Hit():
            return replace(statement, value=change(statement.value))
        case Bind():
            return replace(statement, source=change(statement.source))
        case Store() | Out():
            return replace(statement, index=change(statement.index), value=change(statement.value))
        case If() | While():
            return replace(statement, test=change(statement.test))
        case For() | ForEach() | Reduce():
            return replace(statement, low=change(statement.low), high=change(statement.high))
        case Return() | Generate():
            return replace(statement, values=tuple(map(change, statement.values)))
        case Do():
            return Do(change(statement.call))
        case Copy():
            return replace(statement, start=change(statement.start))
        case Blank():
            return Blank(change(statement.count), change(statement.value))
    return statement


def locals_in(block: Block) -> Iterator[Local]:
    """Yield the locals that statements and those in their blocks speak of, as often as they do."""
    for statement in statements(block):
        for value in values_of(statement):
            yield from (part for part in parts(value) if isinstance(part, Local))


def locals_read(block: Block) -> set[str]:
    """Return the locals that statements and those in their blocks speak of."""
    return {local.name for local in locals_in(block)}


def times_read(block: Block) -> Counter[str]:
    """Return how often each local is read, by a `Reduce` that goes on from it too."""
    found = Counter(local.name for local in locals_in(block))
    found.update(each.name for each in statements(block) if isinstance(each, Restore))
    found.update(each.result.name for each in statements(block) if isinstance(each, Reduce))
    return found


def assigned(statement: Stmt) -> tuple[str, ...]:
    """Return the locals that a statement gives a value, without those that a loop goes through."""
    match statement:
        case Let(name) | Bind(name) | Keep(name):
            return (name,)
        case Reduce(result=result):
            return (result.name,)
    return ()


def sets(statement: Stmt) -> tuple[str, ...]:
    """Return the locals that a statement sets, without those of the blocks in it."""
    through = (statement.name,) if isinstance(statement, For | ForEach | Reduce) else ()
    return (*assigned(statement), *through)


def names_in(function: Function) -> Names:
    """Return the names that a function has used."""
    taken = {parameter.name for parameter in function.parameters}
    return Names(taken.union(*(sets(statement) for statement in statements(function.body))))
