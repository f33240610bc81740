"""Functions: what ``min``, ``count``, ``distance`` and the others compute."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from griddsl.compass import CARDINALS, STEPS
from griddsl.diagnostics import listing
from griddsl.lowering.clauses.attributes import matches
from griddsl.lowering.clauses.constants import as_decided, is_exact
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.expressions import one_of_two, place_of
from griddsl.lowering.clauses.meaning import condition, converted, evaluate, evaluate_number, reads
from griddsl.lowering.clauses.things import alone, for_each
from griddsl.lowering.clauses.unknown.functions import arguments_meant, function_meant
from griddsl.lowering.clauses.unknown.names import kind_called
from griddsl.lowering.clauses.whereabouts import column, row
from griddsl.lowering.state.pairs import Between, are_tabled, looked_up
from griddsl.lowering.world.values import DIRECTION, NUMBER, TRUTH, Ref, Value, ValueType, Words
from griddsl.program import ir, keys
from griddsl.program.exponential import between, exponential
from griddsl.spec.desugar.legend import DRAWN_AS
from griddsl.spec.imports.libraries import brought_by
from griddsl.syntax import nodes as n

_OF_PAIRS: dict[str, Between] = {
    "distance": lambda right, down: np.abs(right) + np.abs(down),
    "chebyshev": lambda right, down: np.maximum(np.abs(right), np.abs(down)),
}
FUNCTIONS = {
    "min": "two numbers or more, or one of each of several: `min(coin.value for coin)`",
    "max": "two numbers or more, or one of each of several: `max(coin.value for coin)`",
    "nth": "a number from 0 on, and what is meant by each: `nth(level, 3, 5, 9)`",
    "abs": "one number",
    "exp": "one number",
    "sqrt": "one number that is not negative",
    "count": "a kind: `count(box where box on target)`",
    "sum": "a number for a kind: `sum(coin.value for coin)`",
    "inside": "a column and a row: `inside(agent.x + 1, agent.y)`",
    "dx": "a direction: `dx(agent.facing)`",
    "dy": "a direction: `dy(agent.facing)`",
    "left_of": "a direction: `left_of(agent.facing)`",
    "right_of": "a direction: `right_of(agent.facing)`",
    "opposite": "a direction: `opposite(agent.facing)`",
    "distance": "two places: `distance(agent, goal)`",
    "chebyshev": "two places",
    "euclid": "two places",
    "path_distance": "two places: `path_distance(agent, goal avoiding lava)`",
    "noise": "a column, a row, a scale in cells and a seed: `noise(x, y, 4, 7)`",
    "prev": "one number or condition",
    "lowest": "one number",
}
_QUARTERS = {"right_of": 1, "opposite": 2, "left_of": 3}  # clockwise
Computation = Callable[[Context, n.Call], Value | None]
_COMPUTATIONS: dict[str, Computation] = {}


def computes(*names: str) -> Callable[[Computation], Computation]:
    """Let a function compute the calls of these names."""

    def register(computation: Computation) -> Computation:
        _COMPUTATIONS.update(dict.fromkeys(names, computation))
        return computation

    return register


@reads(n.Call)
def _call(ctx: Context, node: n.Call, expected: ValueType | None) -> Value | None:
    name = node.name
    if name == "nth":
        return _nth(ctx, node, expected)
    if name not in _COMPUTATIONS:
        known = [*FUNCTIONS, *ctx.world.spec.defined]
        help = brought_by(name) or function_meant(node, known, ctx.world)
        help = help or f"functions: {listing(FUNCTIONS, 'and', 20)}"
        ctx.error("unknown-function", node.span.word(name), what="function", name=name, help=help)
        return None
    goes_through = node.each if name != "sum" else None
    if goes_through is not None or (node.avoiding is not None and name != "path_distance"):
        return wrong_arguments(ctx, node)
    return _COMPUTATIONS[name](ctx, node)


def wrong_arguments(ctx: Context, node: n.Call) -> Value | None:
    """Report arguments that a function does not take; return None, the value of such a call."""
    expected = FUNCTIONS[node.name]
    help = arguments_meant(ctx, node)
    ctx.error("wrong-arguments", node.span, name=node.name, expected=expected, help=help)
    return None


def _nth(ctx: Context, node: n.Call, expected: ValueType | None) -> Value | None:
    """``nth(i, A, B, C)``: A where i is 0, B where it is 1; below 0 the first, beyond the last of them the last."""
    if len(node.arguments) < 3 or node.each is not None or node.avoiding is not None:
        return wrong_arguments(ctx, node)
    given, *arguments = node.arguments
    index = evaluate_number(ctx, given)
    values = [evaluate(ctx, argument, expected) for argument in arguments]
    if index is None or None in values:
        return None
    index, decided = ctx.let("nth", index), is_exact(ctx, given)
    known = [value for value in values if value is not None]
    if _is_listed(index, known):
        codes = [int(value.expr.value) for value in known if isinstance(value.expr, ir.Const)]
        place = ir.greatest((ir.const(0), ir.least((index, ir.const(len(codes) - 1)))))
        return Value(known[0].type, ir.lookup(ctx.writer.new_table("NTH", codes), place))

    def among(first: int, last: int) -> Value | None:
        if first == last:
            return known[first]
        middle = (first + last + 1) // 2
        lower, upper = among(first, middle - 1), among(middle, last)
        if lower is None or upper is None:
            return None
        test = ir.compare("<", index, ir.const(middle))
        return one_of_two(ctx, test, decided, lower, upper, arguments[middle].span)

    return among(0, len(known) - 1)


def _is_listed(index: ir.Expr, values: list[Value]) -> bool:
    """Whether a table can hold all of some values: whole numbers, or codes of one type, that are known."""
    alike = all(value.type == values[0].type and isinstance(value.expr, ir.Const) for value in values)
    whole = all(value.expr.type == "int" for value in values)
    return alike and whole and index.type == "int" and not isinstance(index, ir.Const)


@computes("min", "max")
def _extreme(ctx: Context, node: n.Call) -> Value | None:
    values = [evaluate_number(ctx, argument) for argument in node.arguments]
    if len(values) < 2:
        return wrong_arguments(ctx, node)
    if any(value is None for value in values):
        return None
    known = as_decided(ctx, node, [value for value in values if value is not None])
    return Value(NUMBER, ir.least(known) if node.name == "min" else ir.greatest(known))


@computes("abs", "exp", "sqrt")
def _one_number(ctx: Context, node: n.Call) -> Value | None:
    if len(node.arguments) != 1:
        return wrong_arguments(ctx, node)
    value = evaluate_number(ctx, node.arguments[0])
    if value is None:
        return None
    if node.name == "abs":
        return Value(NUMBER, ir.absolute(value))
    if node.name == "sqrt" and value.low < 0:
        ctx.error(
            "type", node.arguments[0].span, found="a number that can be negative", expected="one that is not"
        )
        return None
    if isinstance(value, ir.Const):
        function = exponential if node.name == "exp" else math.sqrt
        return Value(NUMBER, ir.Const(function(float(value.value)), "real"))
    if node.name == "exp":
        low_end, high_end = between(value.low, value.high)
    else:
        low_end, high_end = (math.sqrt(min(float(end), 1e300)) for end in (value.low, value.high))
    return Value(NUMBER, ir.Op(node.name, (value,), "real", low_end, high_end))


@computes("inside")
def _inside(ctx: Context, node: n.Call) -> Value | None:
    if len(node.arguments) != 2:
        return wrong_arguments(ctx, node)
    column_, row_ = (evaluate_number(ctx, argument) for argument in node.arguments)
    if column_ is None or row_ is None:
        return None
    tests = [
        ir.compare(sign, value, ir.const(end))
        for value, size in ((column_, ctx.world.width), (row_, ctx.world.height))
        for sign, end in ((">=", 0), ("<", size))
    ]
    return Value(TRUTH, ir.both(*tests))


def _direction(ctx: Context, node: n.Call) -> ir.Expr | None:
    """Return the code of the direction that a function is of; None where it is of none, which is reported."""
    way = evaluate(ctx, node.arguments[0], DIRECTION) if len(node.arguments) == 1 else None
    if way is None or not isinstance(way.type, Words):
        if way is not None or len(node.arguments) != 1:
            wrong_arguments(ctx, node)
        return None
    return converted(ctx, way, DIRECTION, node.arguments[0].span)


@computes("dx", "dy")
def _step(ctx: Context, node: n.Call) -> Value | None:
    """The columns, or rows, that one step in a direction goes."""
    code = _direction(ctx, node)
    if code is None:
        return None
    steps = [step[0 if node.name == "dx" else 1] for step in STEPS]
    if isinstance(code, ir.Const):
        return Value(NUMBER, ir.const(steps[int(code.value)]))
    return Value(NUMBER, ir.lookup(ctx.writer.table((node.name.upper(),), steps), code))


@computes("left_of", "right_of", "opposite")
def _turned(ctx: Context, node: n.Call) -> Value | None:
    """A direction turned by quarters; a diagonal stays a diagonal."""
    code = _direction(ctx, node)
    if code is None:
        return None
    type = Words(CARDINALS) if code.high < 4 else DIRECTION
    return Value(type, ctx.writer.turned(ctx.let("way", code), ir.const(_QUARTERS[node.name])))


@computes("distance", "chebyshev", "euclid")
def _distance(ctx: Context, node: n.Call) -> Value | None:
    if len(node.arguments) != 2:
        return wrong_arguments(ctx, node)
    places = [place_of(ctx, argument) for argument in node.arguments]
    if places[0] is None or places[1] is None:
        return None
    return Value(NUMBER, distance(ctx, places[0], places[1], node.name))


def distance(ctx: Context, first: ir.Expr, second: ir.Expr, metric: str) -> ir.Expr:
    """Return the distance of two cells, in cells."""
    first, second = ctx.let("cell", first), ctx.let("cell", second)
    found = _measured(ctx, first, second, metric)
    ctx.places.let_measure(found, first, second)
    return found


def _measured(ctx: Context, first: ir.Expr, second: ir.Expr, metric: str) -> ir.Expr:
    if metric in _OF_PAIRS and are_tabled(ctx.world):
        found = looked_up(ctx.writer, metric.upper(), first, second, _OF_PAIRS[metric])
        if first.low < 0 or second.low < 0 or not isinstance(found, ir.Lookup):
            return found
        width, height = ctx.world.width - 1, ctx.world.height - 1
        most = width + height if metric == "distance" else max(width, height)
        return ir.claim(found, 0, most, "two cells are no farther apart")
    dx = ir.absolute(ir.sub(column(ctx, first), column(ctx, second)))
    dy = ir.absolute(ir.sub(row(ctx, first), row(ctx, second)))
    if metric == "distance":
        return ir.add(dx, dy)
    dx, dy = ctx.let("dx", dx), ctx.let("dy", dy)
    if metric == "chebyshev":
        return ir.greatest((dx, dy))
    square = ir.add(ir.mul(dx, dx), ir.mul(dy, dy))
    if isinstance(square, ir.Const):
        return ir.Const(float(square.value) ** 0.5, "real")
    return ir.Op("sqrt", (square,), "real", 0.0, float(square.high) ** 0.5)


def summing(total: ir.Local, found: list[ir.Expr], is_count: bool) -> ir.Loop:
    """Return what makes a loop that adds what its body has found to a total of that type."""

    def loop(name: str, low: ir.Expr, high: ir.Expr, block: ir.Block) -> ir.Stmt:
        result = ir.Local(total.name, found[0].type if found else "int")
        return (ir.count_of(result) if is_count else ir.sum_of(result))(name, low, high, block)

    return loop


@computes("count", "sum")
def _count(ctx: Context, node: n.Call) -> Value | None:
    over = node.each if node.name == "sum" else node.arguments[0] if node.arguments else None
    if over is None:
        return wrong_arguments(ctx, node)
    kind_node, called = alone(over)
    if len(node.arguments) != 1 or not isinstance(kind_node, n.KindName):
        return wrong_arguments(ctx, node)
    if kind_node.name == "cell" and "cell" not in {*ctx.world.kinds, *ctx.scope}:
        return _COMPUTATIONS["count of cells"](ctx, node)
    kind = kind_called(ctx, kind_node)
    if kind is None:
        return None
    world, writer = ctx.world, ctx.writer
    most = max(1, writer.facts.capacity)
    if kind.category != "object":
        most = world.cells if kind.category == "tile" else len(world.agents)
    attributes = dict(kind_node.arguments) if isinstance(kind_node, n.Pattern) else {}
    found: list[ir.Expr] = []
    total = ctx.variable("total", ir.const(0))

    def body(inner: Context, ref: Ref) -> None:
        inner.bind(called or kind.name, ref)
        test = matches(inner, ref, attributes)
        if node.where is not None:
            test = ir.both(test, condition(inner, node.where))
        counted = inner.inner()
        value = ir.const(1) if node.name == "count" else evaluate_number(counted, node.arguments[0])
        if value is None:
            return
        found.append(value)
        counted.emit(ir.Hit(value))
        inner.block.extend(ir.when(test, counted.block))

    for_each(ctx, kind, body, loop=summing(total, found, is_count=node.name == "count"))
    if not found:
        return Value(NUMBER, ir.const(0))
    low, high = min(0, found[0].low * most), max(0, found[0].high * most)
    return Value(NUMBER, ir.Local(total.name, found[0].type, low, high))


@computes(DRAWN_AS)
def _drawn_as(ctx: Context, node: n.Call) -> Value | None:
    """Whether the map draws a cell with a glyph: asked where an attribute of the legend is chosen by setup."""
    glyph, place = node.arguments
    assert isinstance(glyph, n.Text)
    cell = place_of(ctx, place)
    assert cell is not None
    levels = ctx.world.levels
    cells = ctx.world.cells
    flags = [
        int(glyph.value in drawn)
        for level in levels
        for drawn in zip(*(layer.ljust(cells) for layer in (level.glyphs, *level.over)), strict=True)
    ]
    if len(levels) > 1:
        cell = ir.add(ir.mul(ir.load(ctx.writer.slots[keys.LEVEL]), ir.const(ctx.world.cells)), cell)
    return Value(TRUTH, ir.eq(ir.lookup(ctx.writer.table(("DRAWN_AS", ord(glyph.value)), flags), cell), 1))
