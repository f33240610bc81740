"""Print a program's functions as plain Python over integers and lists: the one generated source of all backends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from griddsl.program import ir

STATE = "s, f, r"
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


def print_function(function: ir.Function, traced: bool = False) -> list[str]:
    """Return the lines of a function definition."""
    parameters = ", ".join([STATE, *function.parameters, *(["out"] if function.writes_out else [])])
    lines = [f"def {function.name}({parameters}):"]
    if function.doc:
        lines.append(f'    """{function.doc}"""')
    body = list(_block(function.body, 1, traced))
    return lines + (body if _has_code(body) else [*body, "    pass"])


def _has_code(lines: Iterable[str]) -> bool:
    return any(not line.lstrip().startswith("#") for line in lines)


def _block(block: ir.Block, depth: int, traced: bool) -> Iterator[str]:
    pad = "    " * depth
    for statement in block:
        match statement:
            case ir.If():
                yield from _if(statement, depth, traced, "if")
            case ir.For(name, low, high, body):
                span = expression(high) if low == ir.const(0) else f"{expression(low)}, {expression(high)}"
                yield f"{pad}for {name} in range({span}):"
                yield from _body(body, depth + 1, traced)
            case ir.While(test, body):
                yield f"{pad}while {expression(test)}:"
                yield from _body(body, depth + 1, traced)
            case ir.Fired(rule):
                if traced:
                    yield f"{pad}fired.append({rule})"
            case _:
                yield from (pad + line for line in _simple(statement))


def _body(block: ir.Block, depth: int, traced: bool) -> Iterator[str]:
    lines = list(_block(block, depth, traced))
    yield from lines
    if not _has_code(lines):
        yield "    " * depth + "pass"


def _if(statement: ir.If, depth: int, traced: bool, word: str) -> Iterator[str]:
    pad = "    " * depth
    yield f"{pad}{word} {expression(statement.test)}:"
    yield from _body(statement.then, depth + 1, traced)
    if len(statement.otherwise) == 1 and isinstance(statement.otherwise[0], ir.If):
        yield from _if(statement.otherwise[0], depth, traced, "elif")
    elif statement.otherwise:
        yield f"{pad}else:"
        yield from _body(statement.otherwise, depth + 1, traced)


def _simple(statement: ir.Stmt) -> Iterator[str]:
    match statement:
        case ir.Let(name, value):
            yield f"{name} = {expression(value)}"
        case ir.Store(slot, index, value):
            yield _assignment(_place(slot, index), value, ir.load(slot, index))
        case ir.Out(index, value):
            yield f"out[{expression(index)}] = {expression(value)}"
        case ir.Break():
            yield "break"
        case ir.Do(call):
            yield expression(call)
        case ir.Return(values):
            yield f"return {', '.join(expression(value) for value in values)}".rstrip()
        case ir.Note(text, span):
            where = f"  (line {span.line})" if span is not None else ""
            yield f"# {text}{where}"
        case ir.Copy(slot, table, start):
            size = len(table.values)
            if size == slot.length and start == ir.const(0):
                yield f"{_slice(slot)} = {table.name}"
            else:
                begin = expression(start)
                yield f"{_slice(slot)} = {table.name}[{begin} : {begin} + {slot.length}]"
        case ir.Fill(slot, value):
            yield f"for k in range({slot.length}):"
            yield f"    {_vector(slot)}[{slot.name} + k] = {expression(_stored(value))}"
        case ir.Restart():
            yield "s[:] = INITIAL"
            yield "f[:] = INITIAL_REALS"
        case ir.Fail(code, span, message):
            yield f"raise SetupFailure({code!r}, {span.start}, {span.end}, {message!r})"


def _assignment(place: str, value: ir.Expr, old: ir.Load) -> str:
    if isinstance(value, ir.Op) and value.operator in {"+", "-"} and value.values[0] == old:
        return f"{place} {value.operator}= {expression(value.values[1], _PRODUCT)}"
    return f"{place} = {expression(_stored(value))}"


def _stored(value: ir.Expr) -> ir.Expr:
    return ir.as_number(value)


def _vector(slot: ir.Slot) -> str:
    return "f" if slot.type == "real" else "s"


def _slice(slot: ir.Slot) -> str:
    return f"{_vector(slot)}[{slot.name} : {slot.name} + {slot.length}]"


def _place(slot: ir.Slot, index: ir.Expr) -> str:
    if index == ir.const(0):
        return f"{_vector(slot)}[{slot.name}]"
    return f"{_vector(slot)}[{slot.name} + {expression(index, _SUM)}]"


def expression(value: ir.Expr, least: int = _TERNARY) -> str:
    """Return the text of an expression, in parentheses if it binds weaker than ``least``."""
    text, strength = _expression(value)
    return f"({text})" if strength < least else text


def _expression(value: ir.Expr) -> tuple[str, int]:
    match value:
        case ir.Const():
            text = _constant(value)
            return text, _UNARY if text.startswith("-") else _ATOM
        case ir.Local(name):
            return name, _ATOM
        case ir.Load(slot, index):
            if slot.type == "bool":
                return f"{_place(slot, index)} != 0", 3
            return _place(slot, index), _ATOM
        case ir.Lookup(table, index):
            return f"{table.name}[{expression(index)}]", _ATOM
        case ir.Select(test, then, otherwise):
            return f"{expression(then, 0)} if {expression(test, 0)} else {expression(otherwise)}", _TERNARY
        case ir.Call(function, values, state):
            arguments = [*([STATE] if state else []), *(expression(argument) for argument in values)]
            return f"{function}({', '.join(arguments)})", _ATOM
        case ir.Op(operator, values):
            return _operator(operator, values)
    raise AssertionError(value)


def _operator(operator: str, values: tuple[ir.Expr, ...]) -> tuple[str, int]:
    if operator == "not":
        return f"not {expression(values[0], _NOT + 1)}", _NOT
    if operator == "neg":
        return f"-{expression(values[0], _UNARY)}", _UNARY
    if operator in {"min", "max", "abs", "exp", "sqrt"}:
        return f"{operator}({', '.join(expression(value) for value in values)})", _ATOM
    strength = _BINARY[operator]
    if operator in {"and", "or"}:
        return f" {operator} ".join(expression(value, strength + 1) for value in values), strength
    left = expression(values[0], strength + (strength == 3))
    return f"{left} {operator} {expression(values[1], strength + 1)}", strength


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
