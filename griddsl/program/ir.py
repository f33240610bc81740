"""The intermediate form: expressions with types and ranges, statements, functions. The waist of the pipeline.

Everything above makes it, everything below runs it. The constructors fold what is constant, so that a parameter
that switches a rule off leaves nothing of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np

from griddsl.source import Span

Type: TypeAlias = Literal["int", "bool", "real"]
Constant: TypeAlias = int | bool | Fraction | float
Key: TypeAlias = str | tuple[str | int, ...]
UNBOUNDED = 2**62


def text_of(key: Key) -> str:
    """Return the text that a key is printed as where that is free.

    A word of the compiler stays as it is and holds no two underscores in a row, which join it to names that the spec
    gives: so no such name is ever printed as a word of the compiler.
    """
    return key if isinstance(key, str) else "__".join(map(str, key))


@dataclass(slots=True)
class Texts:
    """The texts that keys are printed as: what is told apart by its key has a text of its own."""

    taken: set[str] = field(default_factory=set)

    def fresh(self, key: Key) -> str:
        """Return a text that was not given before."""
        stem = text = text_of(key)
        count = 1
        while text in self.taken:
            count += 1
            text = f"{stem}_{count}"
        self.taken.add(text)
        return text


@dataclass(frozen=True, eq=False)
class Slot:
    """A part of the state: ``length`` values from ``low`` to ``high``, side by side.

    ``key`` says what it is for: a word of the compiler, or such a word and names of the spec; ``name`` is only what it
    is printed as. ``saved`` slots are the state; the others are scratch, meaningless between two steps. Real slots
    lie in a vector of their own. What an ``unset`` slot holds may be -1 while an episode is set up: no value as yet.
    """

    key: Key
    length: int = 1
    low: int = 0
    high: int = UNBOUNDED
    type: Type = "int"
    saved: bool = True
    initial: tuple[float, ...] | None = None
    name: str = ""
    unset: bool = False

    def __post_init__(self) -> None:
        """Print as the key where no other text is given."""
        object.__setattr__(self, "name", self.name or text_of(self.key))


@dataclass(frozen=True, eq=False)
class Table:
    """A constant sequence that the program looks up; ``values`` may be long. ``key`` and ``name`` as for slots."""

    key: Key
    values: Sequence[float] | np.ndarray[Any, Any]
    type: Type = "int"
    low: int = 0
    high: int = 0
    name: str = ""

    def __post_init__(self) -> None:
        """Print as the key where no other text is given."""
        object.__setattr__(self, "name", self.name or text_of(self.key))


def table(key: Key, values: Sequence[int] | np.ndarray[Any, Any], name: str = "") -> Table:
    """Return a table of integers with its range."""
    if isinstance(values, np.ndarray):
        return Table(key, values, "int", int(values.min()), int(values.max()), name)
    return Table(key, values, "int", int(min(values, default=0)), int(max(values, default=0)), name)


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


def const(value: Constant) -> Const:
    """Return a constant of the type of its value; a whole fraction is an integer."""
    if isinstance(value, bool):
        return Const(value, "bool")
    if isinstance(value, int):
        return Const(value, "int")
    if isinstance(value, Fraction) and value.denominator == 1:
        return Const(int(value), "int")
    return Const(value, "real")


def load(slot: Slot, index: Expr | int = 0) -> Load:
    """Return ``slot[index]``."""
    place = const(index) if isinstance(index, int) else index
    return Load(slot, place, slot.type, slot.low, slot.high)


def lookup(source: Table, index: Expr | int) -> Expr:
    """Return ``table[index]``, folded where both are known and where all values are one."""
    place = const(index) if isinstance(index, int) else index
    if isinstance(place, Const):
        return _typed(source.values[int(place.value)], source.type)
    if source.low == source.high and source.type != "real":
        return _typed(source.low, source.type)
    return Lookup(source, place, source.type, source.low, source.high)


def _typed(value: float, type: Type) -> Const:
    if type == "bool":
        return Const(bool(value), "bool")
    return Const(int(value), "int") if type == "int" else Const(value, "real")


def add(left: Expr, right: Expr) -> Expr:
    """Return ``left + right``."""
    if _is(left, 0):
        return right
    if _is(right, 0):
        return left
    if isinstance(right, Const) and right.value < 0 and not isinstance(left, Const):
        return sub(left, neg(right))
    return _arithmetic("+", left, right, left.low + right.low, left.high + right.high)


def sub(left: Expr, right: Expr) -> Expr:
    """Return ``left - right``."""
    if _is(right, 0):
        return left
    return _arithmetic("-", left, right, left.low - right.high, left.high - right.low)


def mul(left: Expr, right: Expr) -> Expr:
    """Return ``left * right``."""
    if _is(left, 1):
        return right
    if _is(right, 1):
        return left
    corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
    return _arithmetic("*", left, right, min(corners), max(corners))


def quotient(left: Expr, right: Expr) -> Expr:
    """Return the real quotient of two values; the right one is never zero."""
    corners = [a / b for a in (left.low, left.high) for b in (right.low, right.high) if b]
    if isinstance(left, Const) and isinstance(right, Const):
        return const(_exact(left.value) / _exact(right.value))
    return Op("/", (left, right), "real", min(corners, default=-math.inf), max(corners, default=math.inf))


def div(left: Expr, right: Expr) -> Expr:
    """Return the whole quotient, rounded down."""
    corners = [a // b for a in (left.low, left.high) for b in (right.low, right.high) if b]
    return _arithmetic("//", left, right, min(corners, default=-UNBOUNDED), max(corners, default=UNBOUNDED))


def mod(left: Expr, right: Expr) -> Expr:
    """Return the remainder of whole division; it has the sign of the right value."""
    low, high = (0, right.high - 1) if right.low > 0 else (min(0, right.low + 1), max(0, right.high - 1))
    if left.low >= 0 and right.low > 0:
        high = min(high, left.high)
        if left.high < right.low:
            return left
    return _arithmetic("%", left, right, low, high)


def neg(value: Expr) -> Expr:
    """Return ``-value``."""
    if isinstance(value, Const):
        return const(-_exact(value.value))
    return Op("neg", (value,), value.type, -value.high, -value.low)


def least(values: Sequence[Expr]) -> Expr:
    """Return the smallest of the values."""
    if all(isinstance(value, Const) for value in values):
        return const(min(_exact(value.value) for value in values if isinstance(value, Const)))
    type: Type = "real" if any(value.type == "real" for value in values) else "int"
    return Op("min", tuple(values), type, min(v.low for v in values), min(v.high for v in values))


def greatest(values: Sequence[Expr]) -> Expr:
    """Return the largest of the values."""
    if all(isinstance(value, Const) for value in values):
        return const(max(_exact(value.value) for value in values if isinstance(value, Const)))
    type: Type = "real" if any(value.type == "real" for value in values) else "int"
    return Op("max", tuple(values), type, max(v.low for v in values), max(v.high for v in values))


def absolute(value: Expr) -> Expr:
    """Return the absolute value."""
    if isinstance(value, Const):
        return neg(value) if value.value < 0 else value
    low = 0 if value.low <= 0 <= value.high else min(abs(value.low), abs(value.high))
    return Op("abs", (value,), value.type, low, max(abs(value.low), abs(value.high)))


def clamp(value: Expr, low: int, high: int) -> Expr:
    """Return the value, or the end of the range that it lies beyond."""
    if value.low < low:
        value = greatest((value, const(low)))
    if value.high > high:
        value = least((value, const(high)))
    return value


def within(value: Expr, low: float, high: float) -> Expr:
    """Return a value that a test has found to lie in low..high: a local with that range, a constant as it is."""
    return Local(value.name, value.type, low, high) if isinstance(value, Local) else value


def claim(value: Expr, low: float, high: float, because: str) -> Expr:
    """Return a value that lies in low..high for a reason that no ranges tell; checked programs ask whether it does."""
    if isinstance(value, Const) or (low <= value.low and value.high <= high):
        return value
    return Claim(value, value.type, max(low, value.low), min(high, value.high), because)


def bare(value: Expr) -> Expr:
    """Return a value without what is claimed of it."""
    return value.value if isinstance(value, Claim) else value


def bits(operator: str, left: Expr, right: Expr, high: int) -> Expr:
    """Return ``left | right``, ``left & right``, ``left << right`` or ``left >> right`` of bits, up to ``high``."""
    return Op(operator, (left, right), "int", 0, high)


def compare(operator: str, left: Expr, right: Expr) -> Expr:
    """Return a comparison, decided where the ranges decide it."""
    if isinstance(left, Const) and isinstance(right, Const):
        return const(bool(_COMPARE[operator](_exact(left.value), _exact(right.value))))
    if operator in {"==", "!="}:
        if left.high < right.low or right.high < left.low:
            return const(operator == "!=")
        if left is right or (left == right and not _draws(left)):
            return const(operator == "==")
    elif _decided(operator, left, right) is not None:
        return const(bool(_decided(operator, left, right)))
    return Op(operator, (left, right), "bool", 0, 1)


def eq(left: Expr, right: Expr | int) -> Expr:
    """Return ``left == right``."""
    return compare("==", left, const(right) if isinstance(right, int) else right)


def ne(left: Expr, right: Expr | int) -> Expr:
    """Return ``left != right``."""
    return compare("!=", left, const(right) if isinstance(right, int) else right)


def ge(left: Expr, right: Expr | int) -> Expr:
    """Return ``left >= right``."""
    return compare(">=", left, const(right) if isinstance(right, int) else right)


def lt(left: Expr, right: Expr | int) -> Expr:
    """Return ``left < right``."""
    return compare("<", left, const(right) if isinstance(right, int) else right)


def both(*values: Expr) -> Expr:
    """Return whether all conditions hold; the empty conjunction holds."""
    left: list[Expr] = []
    for value in values:
        if value == FALSE:
            return FALSE
        if isinstance(value, Op) and value.operator == "and":
            left.extend(value.values)
        elif value != TRUE:
            left.append(value)
    if not left:
        return TRUE
    return left[0] if len(left) == 1 else Op("and", tuple(left), "bool", 0, 1)


def either(*values: Expr) -> Expr:
    """Return whether one condition holds; the empty disjunction does not."""
    left: list[Expr] = []
    for value in values:
        if value == TRUE:
            return TRUE
        if isinstance(value, Op) and value.operator == "or":
            left.extend(value.values)
        elif value != FALSE:
            left.append(value)
    if not left:
        return FALSE
    return left[0] if len(left) == 1 else Op("or", tuple(left), "bool", 0, 1)


def invert(value: Expr) -> Expr:
    """Return whether the condition does not hold."""
    if isinstance(value, Const):
        return const(not value.value)
    if isinstance(value, Op) and value.operator == "not":
        return value.values[0]
    if isinstance(value, Op) and value.operator in _INVERSE:
        return Op(_INVERSE[value.operator], value.values, "bool", 0, 1)
    return Op("not", (value,), "bool", 0, 1)


def select(test: Expr, then: Expr, otherwise: Expr) -> Expr:
    """Return one of two values by a condition."""
    if isinstance(test, Const):
        return then if test.value else otherwise
    if then == otherwise:
        return then
    type: Type = then.type if then.type == otherwise.type else "real"
    return Select(test, then, otherwise, type, min(then.low, otherwise.low), max(then.high, otherwise.high))


def call(
    function: str,
    *values: Expr,
    type: Type = "int",
    low: float = -UNBOUNDED,
    high: float = UNBOUNDED,
) -> Call:
    """Return a call of a function of the program."""
    return Call(function, values, type, low, high)


def drawn(count: Expr, high: float) -> Draw:
    """Return a whole number below ``count`` from the random stream; it is ``high`` at the most."""
    return Draw("draw", (count,), "int", 0, high)


def real(value: Expr) -> Expr:
    """Return the value as a real one."""
    return Const(Fraction(value.value), "real") if isinstance(value, Const) and value.type == "int" else value


def as_float(value: Expr) -> Expr:
    """Return the value as one that is a float when it runs, not only when it is typed."""
    if isinstance(value, Const):
        return real(value)
    return (
        value
        if isinstance(value, Load) and value.type == "real"
        else Op("+", (value, Const(0.0, "real")), "real", value.low, value.high)
    )


def as_number(value: Expr) -> Expr:
    """Return 1 or 0 for a condition, and a number as it is."""
    return select(value, const(1), const(0)) if value.type == "bool" else value


def _exact(value: Constant) -> Fraction | float:
    if isinstance(value, float):
        return value if not math.isfinite(value) else Fraction(value)
    return Fraction(value)


def _is(value: Expr, number: int) -> bool:
    return isinstance(value, Const) and value.type != "bool" and value.value == number


def _arithmetic(operator: str, left: Expr, right: Expr, low: float, high: float) -> Expr:
    if isinstance(left, Const) and isinstance(right, Const):
        return const(_ARITHMETIC[operator](_exact(left.value), _exact(right.value)))
    type: Type = "real" if "real" in (left.type, right.type) else "int"
    return Op(operator, (left, right), type, low, high)


def _decided(operator: str, left: Expr, right: Expr) -> bool | None:
    low, high = left.low - right.high, left.high - right.low
    if operator == "<":
        return True if high < 0 else False if low >= 0 else None
    if operator == "<=":
        return True if high <= 0 else False if low > 0 else None
    if operator == ">":
        return True if low > 0 else False if high <= 0 else None
    return True if low >= 0 else False if high < 0 else None


def _draws(value: Expr) -> bool:
    return any(isinstance(part, Call | Draw | Ask) for part in parts(value))


def inner(value: Expr) -> tuple[Expr, ...]:
    """Return the expressions that an expression is made of, without those in them."""
    match value:
        case Op(values=values) | Call(values=values) | Draw(values=values) | Ask(values=values):
            return values
        case Load(index=index) | Lookup(index=index):
            return (index,)
        case Select(test, then, otherwise):
            return (test, then, otherwise)
        case Claim(whole):
            return (whole,)
    return ()


def parts(value: Expr) -> Iterator[Expr]:
    """Yield an expression and everything in it."""
    pending = [value]
    while pending:
        part = pending.pop()
        yield part
        pending.extend(reversed(inner(part)))


_ARITHMETIC: dict[str, Callable[[Fraction | float, Fraction | float], Fraction | float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
}
_COMPARE: dict[str, Callable[[Fraction | float, Fraction | float], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
_INVERSE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


# Statements


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


def when(test: Expr, then: Block, otherwise: Block | None = None) -> Block:
    """Return the statements of a conditional, without the branches that are never taken."""
    otherwise = otherwise or []
    if isinstance(test, Const):
        return then if test.value else otherwise
    if not then and not otherwise:
        return []
    if not then:
        return [If(invert(test), otherwise, [])]
    return [If(test, then, otherwise)]


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
