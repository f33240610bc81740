"""Print a program's functions as plain Python over integers and lists: the one generated source of all backends."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from fractions import Fraction

from griddsl.program import ir

STATE = "s, f, r"
RESERVED = frozenset(
    {
        *(*keyword.kwlist, "__debug__"),  # what Python lets nobody assign
        *("abs", "bool", "exp", "float", "int", "len", "max", "min", "range", "sqrt"),
        *(
            "claimed",
            "fired",
            "held",
            "matching",
            "raw",
            "scratch",
            "u",
            "native",
            "np",
            "table_at",
            "view_of",
        ),
        *("blank", "chance", "draw", "next64", "odds", "restore", "snapshot", "spread_light", "weighted"),
    }
)
_BINARY = {
    "or": 0,
    "and": 1,
    "==": 3,
    "!=": 3,
    "<": 3,
    "<=": 3,
    ">": 3,
    ">=": 3,
    "|": 4,
    "&": 5,
    "<<": 6,
    ">>": 6,
}
_BINARY |= {"+": 7, "-": 7, "*": 8, "/": 8, "//": 8, "%": 8}
_NOT, _SUM, _PRODUCT, _UNARY, _ATOM, _TERNARY = 2, 7, 8, 9, 10, -1


@dataclass(frozen=True, slots=True)
class Dialect:
    """How Python is written for those who run it.

    ``traced`` lets functions note the rules that fire, ``checked`` asks of each claim whether it holds. The others are
    for native code. ``unsigned`` wraps in ``u`` each index that is never negative, so that none counts from the end,
    and appends without branches, which processors cannot foresee. ``decorator`` stands above each function. ``size``
    is that of a state whose copies lie behind it, in order; where ``apart`` is given, so many of its whole numbers are
    kept, and the others are in a vector of their own, ``scratch``. ``tables`` are the texts of tables that are not
    found by their names.
    """

    traced: bool = False
    checked: bool = False
    unsigned: bool = False
    decorator: str = ""
    size: int | None = None
    apart: int | None = None
    tables: Mapping[str, str] = field(default_factory=dict)


PLAIN = Dialect()


def print_function(function: ir.Function, taken: Set[str], dialect: Dialect) -> list[str]:
    """Return the lines of a function definition; its locals are printed so that none has a ``taken`` name."""
    return printed(function, printer_of(function, taken, dialect))


def printed(function: ir.Function, printer: Printer) -> list[str]:
    """Return the lines of a function definition, as a printer of its own writes them."""
    own = [printer.locals.get(given.name, given.name) for given in function.parameters]
    parameters = ", ".join([printer.state, *own, *(["out"] if function.writes_out else [])])
    lines = [*filter(None, [printer.dialect.decorator]), f"def {function.name}({parameters}):"]
    if function.doc:
        lines.append(f'    """{function.doc}"""')
    body = list(printer.block(function.body, 1))
    return lines + (body if _has_code(body) else [*body, "    pass"])


def printer_of(function: ir.Function, taken: Set[str], dialect: Dialect = PLAIN) -> Printer:
    """Return what prints parts of a function, with its locals called as `print_function` calls them."""
    return Printer(locals_of(function, taken), dialect)


def print_expression(value: ir.Expr) -> str:
    """Return the text of an expression, with all names as they are called."""
    return Printer({}, PLAIN).expression(value)


def locals_of(function: ir.Function, taken: Set[str]) -> dict[str, str]:
    """Return the texts of the locals that cannot be printed as they are called."""
    bound = {parameter.name for parameter in function.parameters}
    for statement in ir.statements(function.body):
        bound.update(ir.sets(statement))
    texts: dict[str, str] = {}
    for name in sorted(bound & taken):
        text = f"the_{name}"
        while text in bound or text in taken:
            text = f"the_{text}"
        texts[name] = text
        bound.add(text)
    return texts


@dataclass(frozen=True, slots=True)
class Printer:
    """Prints statements and expressions; ``locals`` are the texts of those that are not printed as they are called."""

    locals: Mapping[str, str]
    dialect: Dialect

    @property
    def state(self) -> str:
        """The vectors of a state, as functions take them."""
        return STATE if self.dialect.apart is None else "s, scratch, f, r"

    def block(self, block: ir.Block, depth: int) -> Iterator[str]:
        """Yield the lines of statements, indented."""
        pad = "    " * depth
        for statement in block:
            match statement:
                case ir.If(test, [ir.Store() as store, ir.Let() as count], []) if self._appends(
                    test, store, count
                ):
                    yield pad + next(self._simple(store))
                    name = self._local(count.name)
                    yield f"{pad}{name} = {name} + ({self._eager(test)})"
                case ir.If():
                    yield from self._if(statement, depth, "if")
                case ir.For(name, low, high, body):
                    yield f"{pad}for {self._local(name)} in {self.rounds(low, high)}:"
                    yield from self._body(body, depth + 1)
                case ir.While(test, body):
                    yield f"{pad}while {self.expression(test)}:"
                    yield from self._body(body, depth + 1)
                case ir.Fired(rule):
                    if self.dialect.traced:
                        yield f"{pad}fired.append({rule})"
                case _:
                    yield from (pad + line for line in self._simple(statement))

    def rounds(self, low: ir.Expr, high: ir.Expr) -> str:
        """Return the text of what a loop goes through."""
        first = "" if low == ir.const(0) else f"{self.expression(low)}, "
        return f"range({first}{self.expression(high)})"

    def _appends(self, test: ir.Expr, store: ir.Store, count: ir.Let) -> bool:
        """Whether a conditional appends to scratch that has room for one more, by a test that can be taken whole."""
        place = store.index
        return (
            self.dialect.unsigned
            and isinstance(place, ir.Local)
            and place.high < store.slot.length
            and not store.slot.saved
            and isinstance(count.value, ir.Op)
            and count.value.operator == "+"
            and count.value.values == (place, ir.const(1))
            and count.name == place.name
            and is_whole(test)
            and is_whole(store.value)
        )

    def _eager(self, test: ir.Expr) -> str:
        """Return the text of a test whose parts are all taken; where claims are checked they hold behind others."""
        if self.dialect.checked:
            return f"bool({self.expression(test)})"
        if isinstance(test, ir.Op) and test.operator in {"and", "or"}:
            sign = " & " if test.operator == "and" else " | "
            return sign.join(f"({self._eager(part)})" for part in test.values)
        if isinstance(test, ir.Op) and test.operator == "not":
            return f"({self._eager(test.values[0])}) == False"
        return self.expression(test)

    def _local(self, name: str) -> str:
        return self.locals.get(name, name)

    def _body(self, block: ir.Block, depth: int) -> Iterator[str]:
        lines = list(self.block(block, depth))
        yield from lines
        if not _has_code(lines):
            yield "    " * depth + "pass"

    def _if(self, statement: ir.If, depth: int, word: str) -> Iterator[str]:
        pad = "    " * depth
        yield f"{pad}{word} {self.expression(statement.test)}:"
        yield from self._body(statement.then, depth + 1)
        if len(statement.otherwise) == 1 and isinstance(statement.otherwise[0], ir.If):
            yield from self._if(statement.otherwise[0], depth, "elif")
        elif statement.otherwise:
            yield f"{pad}else:"
            yield from self._body(statement.otherwise, depth + 1)

    def _simple(self, statement: ir.Stmt) -> Iterator[str]:
        match statement:
            case ir.Let(name, value) | ir.Bind(name, value):
                yield f"{self._local(name)} = {self.expression(value)}"
            case ir.Store(slot, index, value):
                yield self._assignment(self._place(slot, index), value, ir.load(slot, index))
            case ir.Out(index, value):
                yield f"out{self._at(index)} = {self.expression(value)}"
            case ir.Break():
                yield "break"
            case ir.Do(call):
                yield self.expression(call)
            case ir.Return(values):
                yield f"return {', '.join(self.expression(value) for value in values)}".rstrip()
            case ir.Note(text, span):
                where = f"  (line {span.line})" if span is not None else ""
                yield f"# {text}{where}"
            case ir.Copy(slot, table, start):
                size = len(table.values)
                if size == slot.length and start == ir.const(0):
                    yield f"{self._slice(slot)} = {self._table(table)}"
                else:
                    begin = self.expression(start)
                    yield f"{self._slice(slot)} = {self._table(table)}[{begin} : {begin} + {slot.length}]"
            case ir.Fill(slot, value) if self.dialect.size is None:
                yield f"{self._slice(slot)} = [{self.expression(_stored(value))}] * {slot.length}"
            case ir.Fill(slot, value):
                yield f"for k in range({slot.length}):"
                yield f"    {self._vector(slot)}[{slot.name} + k] = {self.expression(_stored(value))}"
            case ir.Restart() if self.dialect.size is None:
                yield "s[:] = INITIAL"
                yield "f[:] = INITIAL_REALS"
            case ir.Restart() if self.dialect.apart is not None:
                yield from self._restart(self.dialect.apart)
            case ir.Restart():
                for vector, name in (("s", "INITIAL"), ("f", "INITIAL_REALS")):
                    yield f"restore({vector}, {self.dialect.tables.get(name, name)})"
            case ir.Keep(name, place):
                more = "" if self.dialect.size is None else f", {self.dialect.size}, {place}"
                yield f"{self._local(name)} = snapshot(s{more})"
            case ir.Restore(name):
                yield f"restore(s, {self._local(name)})"
            case ir.Generate(generator, slot, values):
                given = ", ".join(self.expression(value) for value in values)
                yield f"{generator}(s, r, {slot.name}, {given})"
            case ir.Blank(count, value):
                yield f"blank(out, {self.expression(count)}, {self.expression(value)})"
            case ir.Fail(code, span, message):
                yield f"raise SetupFailure({code!r}, {span.start}, {span.end}, {message!r})"
            case _:
                raise AssertionError(f"{type(statement).__name__} is no plain statement")

    def _restart(self, kept: int) -> Iterator[str]:
        """Yield what puts the initial values into the vectors of a state of which so much is kept."""
        initial, reals = (self.dialect.tables.get(name, name) for name in ("INITIAL", "INITIAL_REALS"))
        for vector, first in (("s", 0), ("scratch", kept)):
            yield f"for k in range(len({vector})):"
            yield f"    {vector}[k] = {initial}[k + {first}]"
        yield f"restore(f, {reals})"

    def _vector(self, slot: ir.Slot) -> str:
        if slot.type == "real":
            return "f"
        return "s" if slot.saved or self.dialect.apart is None else "scratch"

    def _slice(self, slot: ir.Slot) -> str:
        return f"{self._vector(slot)}[{slot.name} : {slot.name} + {slot.length}]"

    def _assignment(self, place: str, value: ir.Expr, old: ir.Load) -> str:
        value = value if self.dialect.checked else ir.bare(value)
        if isinstance(value, ir.Op) and value.operator in {"+", "-"} and value.values[0] == old:
            return f"{place} {value.operator}= {self.expression(value.values[1], _PRODUCT)}"
        return f"{place} = {self.expression(_stored(value))}"

    def _place(self, slot: ir.Slot, index: ir.Expr) -> str:
        return f"{self._vector(slot)}{self._at(index, slot.name)}"

    def _at(self, index: ir.Expr, first: str = "") -> str:
        if first and index == ir.const(0):
            return f"[{first}]"
        text = f"{first} + {self.expression(index, _SUM)}" if first else self.expression(index)
        is_known = isinstance(index, ir.Const) or index.low < 0
        return f"[u({text})]" if self.dialect.unsigned and not is_known else f"[{text}]"

    def expression(self, value: ir.Expr, least: int = _TERNARY) -> str:
        """Return the text of an expression, in parentheses if it binds weaker than ``least``."""
        text, strength = self._expression(value)
        return f"({text})" if strength < least else text

    def _expression(self, value: ir.Expr) -> tuple[str, int]:
        match value:
            case ir.Const():
                text = _constant(value)
                return text, _UNARY if text.startswith("-") else _ATOM
            case ir.Local(name):
                return self._local(name), _ATOM
            case ir.Load(slot, index):
                if slot.type == "bool":
                    return f"{self._place(slot, index)} != 0", 3
                return self._place(slot, index), _ATOM
            case ir.Lookup(table, index):
                return f"{self._table(table)}{self._at(index)}", _ATOM
            case ir.Select(test, then, otherwise):
                return (
                    f"{self.expression(then, 0)} if {self.expression(test, 0)} else {self.expression(otherwise)}",
                    _TERNARY,
                )
            case ir.Call(function, values) | ir.Ask(function, values):
                return f"{function}({self._arguments(self.state, values)})", _ATOM
            case ir.Claim(inner, low=low, high=high, because=because) if self.dialect.checked:
                return f"claimed({self.expression(inner)}, {low}, {high}, {because!r})", _ATOM
            case ir.Claim(inner):
                return self._expression(inner)
            case ir.Draw(how, values, totals=None):
                return f"{how}({self._arguments('r', values)})", _ATOM
            case ir.Draw(how, totals=ir.Table() as totals):
                return f"{how}(r, {self._table(totals)})", _ATOM
            case ir.Op(operator, values):
                return self._operator(operator, values)
        raise AssertionError(value)

    def _arguments(self, first: str, values: Iterable[ir.Expr]) -> str:
        return ", ".join([first, *(self.expression(value) for value in values)])

    def _table(self, table: ir.Table) -> str:
        return self.dialect.tables.get(table.name, table.name)

    def _operator(self, operator: str, values: tuple[ir.Expr, ...]) -> tuple[str, int]:
        if operator == "not":
            return f"not {self.expression(values[0], _NOT + 1)}", _NOT
        if operator == "neg":
            return f"-{self.expression(values[0], _UNARY)}", _UNARY
        if operator in {"min", "max", "abs", "exp", "sqrt"}:
            return f"{operator}({', '.join(self.expression(value) for value in values)})", _ATOM
        strength = _BINARY[operator]
        if operator in {"and", "or"}:
            return f" {operator} ".join(self.expression(value, strength + 1) for value in values), strength
        left = self.expression(values[0], strength + (strength == 3))
        return f"{left} {operator} {self.expression(values[1], strength + 1)}", strength


def is_whole(value: ir.Expr) -> bool:
    """Whether an expression can be taken whatever holds: nothing is called, and all it looks up is there."""
    for part in ir.parts(value):
        match part:
            case ir.Call() | ir.Draw() | ir.Ask() | ir.Select():
                return False
            case ir.Load(slot, index) if not 0 <= index.low <= index.high < slot.length:
                return False
            case ir.Lookup(table, index) if not 0 <= index.low <= index.high < len(table.values):
                return False
    return True


def _has_code(lines: Iterable[str]) -> bool:
    return any(not line.lstrip().startswith("#") for line in lines)


def _stored(value: ir.Expr) -> ir.Expr:
    return ir.as_number(value)


def _constant(value: ir.Const) -> str:
    if value.type == "bool":
        return str(bool(value.value))
    if value.type == "int":
        return str(int(value.value))
    if isinstance(value.value, Fraction):
        return repr(float(value.value))
    return (
        repr(float(value.value))
        if value.value == value.value and abs(value.value) != float("inf")
        else "INFINITY"
    )
