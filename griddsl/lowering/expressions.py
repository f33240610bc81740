"""Expressions: from nodes to typed values of the program."""

from __future__ import annotations

from typing import Any

from griddsl.diagnostics import did_you_mean, listing
from griddsl.lowering.context import Context
from griddsl.lowering.things import (
    attribute,
    cell_of,
    column,
    find_kind,
    for_each,
    matches,
    only_one,
    report_unknown,
    resolve_thing,
    row,
)
from griddsl.lowering.values import (
    CELL,
    NUMBER,
    TRUTH,
    Cells,
    Kinds,
    Numbers,
    Ref,
    Texts,
    Truths,
    Value,
    ValueType,
    Words,
)
from griddsl.program import ir
from griddsl.source import Span
from griddsl.syntax import nodes as n

FUNCTIONS = {
    "min": "two numbers or more",
    "max": "two numbers or more",
    "abs": "one number",
    "exp": "one number",
    "sqrt": "one number that is not negative",
    "count": "a kind: `count(box where box on target)`",
    "sum": "a number for a kind: `sum(coin.value for coin)`",
    "distance": "two places: `distance(agent, goal)`",
    "chebyshev": "two places",
    "euclid": "two places",
    "path_distance": "two places: `path_distance(agent, goal avoiding lava)`",
    "prev": "one number or condition",
    "lowest": "one number",
}
CONDITIONS = (n.Compare, n.Not, n.Logic, n.Is, n.Relation, n.Can, n.Quantified)


def evaluate(ctx: Context, node: Any, expected: ValueType | None = None) -> Value | None:
    """Return the value of an expression; None, with a diagnostic, where it has none.

    ``expected`` says which words a bare word may be; `evaluate_as` also insists on it.
    """
    match node:
        case n.Number(value):
            return Value(NUMBER, ir.const(value))
        case n.Truth(value):
            return Value(TRUTH, ir.const(value))
        case n.Text(value):
            return Value(Texts((value,)), ir.const(0))
        case n.Name():
            return _name(ctx, node, expected)
        case n.Pattern():
            return _pattern(ctx, node)
        case n.Attribute(owner, name):
            spot = _chosen_cell(ctx, owner) if name in {"x", "y"} else None
            if spot is not None:
                return Value(NUMBER, column(ctx, spot) if name == "x" else row(ctx, spot))
            ref = resolve_thing(ctx, owner)
            return None if ref is None else attribute(ctx, ref, name, node.span)
        case n.Negate(value):
            inner = evaluate_number(ctx, value)
            return None if inner is None else Value(NUMBER, ir.neg(inner))
        case n.Arithmetic():
            return _arithmetic(ctx, node)
        case n.IfElse():
            return _if_else(ctx, node, expected)
        case n.Position(x, y):
            return _position(ctx, node, x, y)
        case n.Call():
            return _call(ctx, node)
        case n.Random():
            return _random(ctx, node, expected)
        case n.Other():
            ref = resolve_thing(ctx, node)
            return None if ref is None else Value(CELL, cell_of(ctx, ref))
    if isinstance(node, CONDITIONS):
        from griddsl.lowering.relations import condition

        return Value(TRUTH, condition(ctx, node))
    if isinstance(node, n.RandomCell):
        from griddsl.lowering.cells import random_cell

        return Value(CELL, random_cell(ctx, node, None, "a cell"))
    ctx.error("type", node.span, found="this", expected="a value")
    return None


def evaluate_as(ctx: Context, node: Any, expected: ValueType) -> ir.Expr | None:
    """Return the value of an expression as one of the expected type; words become codes of its domain."""
    value = evaluate(ctx, node, expected)
    return None if value is None else converted(ctx, value, expected, node.span)


def evaluate_number(ctx: Context, node: Any) -> ir.Expr | None:
    """Return the value of an expression that must be a number."""
    return evaluate_as(ctx, node, NUMBER)


def evaluate_whole(ctx: Context, node: Any) -> ir.Expr | None:
    """Return the value of an expression that must be a whole number."""
    value = evaluate_number(ctx, node)
    if value is None or value.type == "int":
        return value
    ctx.error(
        "type",
        node.span,
        found="a fraction",
        expected="a whole number",
        help="use `div`, or a whole parameter",
    )
    return None


def evaluate_chance(ctx: Context, node: Any) -> ir.Expr | None:
    """Return a chance, checked to lie between 0 and 1 where it is constant."""
    value = evaluate_number(ctx, node)
    if isinstance(value, ir.Const) and not 0 <= value.value <= 1:
        shown = node.text if isinstance(node, n.Number) else float(value.value)
        ctx.error(
            "bad-chance",
            node.span,
            value=shown,
            help="a chance is a number from 0 to 1: `0.2`, `1/3` or `20%`",
        )
        return ir.const(0)
    if value is not None and value.type == "int" and (value.high > 1 or value.low < 0):
        shown = f"{_bound(value.low)}..{_bound(value.high)}"
        from griddsl.syntax.printer import to_text

        help = f"divide it by its largest value: `{to_text(node)} / {_bound(value.high)}`"
        ctx.error("bad-chance", node.span, value=shown, help=help)
        return None
    return value


def drawn(ctx: Context, chance: ir.Expr) -> ir.Expr:
    """Return a condition that holds with a chance; a constant one is drawn by whole numbers, exactly."""
    if isinstance(chance, ir.Const):
        from fractions import Fraction

        exact = (
            Fraction(chance.value)
            if not isinstance(chance.value, float)
            else Fraction(chance.value).limit_denominator(10**9)
        )
        if exact <= 0:
            return ir.FALSE
        if exact >= 1:
            return ir.TRUE
        exact = exact.limit_denominator(2**31 - 1)
        return ctx.runtime("odds", ir.const(exact.numerator), ir.const(exact.denominator), type="bool")
    return ctx.runtime("chance", chance, type="bool")


def converted(ctx: Context, value: Value, expected: ValueType, span: Span) -> ir.Expr | None:
    """Return a value as one of another type, or report that it is not one."""
    match value.type, expected:
        case (Numbers(), Numbers()) | (Truths(), Truths()) | (Cells(), Cells()):
            return value.expr
        case (Truths(), Numbers()):
            ctx.error("type", span, found="a condition", expected="a number", help="write `1 if C else 0`")
            return None
        case (Words(words), Words(wanted)):
            return _converted_words(ctx, value, words, wanted, span)
        case (Kinds(kinds), Words(wanted)) if set(kinds) <= set(wanted):
            return _converted_words(ctx, value, kinds, wanted, span)
        case (Kinds(kinds), Kinds(wanted)):
            return _converted_words(ctx, value, kinds, wanted, span)
        case (Texts(texts), Texts(wanted)):
            return _converted_words(ctx, value, texts, wanted, span)
    if value.type == expected:
        return value.expr
    ctx.error("type", span, found=str(value.type), expected=str(expected))
    return None


def _converted_words(
    ctx: Context, value: Value, words: tuple[str, ...], wanted: tuple[str, ...], span: Span
) -> ir.Expr | None:
    if words == wanted:
        return value.expr
    missing = [word for word in words if word not in wanted]
    if missing:
        ctx.error(
            "unknown-word",
            span,
            word=missing[0],
            of=listing(wanted, "and"),
            help=did_you_mean(missing[0], wanted),
        )
        return None
    codes = [wanted.index(word) for word in words]
    if codes == list(range(len(codes))):
        return value.expr
    name = f"RECODE_{'_'.join(map(str, codes))}"
    return ir.lookup(ctx.world.table(name, codes), value.expr)


# Names


def _name(ctx: Context, node: n.Name, expected: ValueType | None) -> Value | None:
    name = node.name
    world = ctx.world
    bound = ctx.scope.get(name)
    if isinstance(bound, Value):
        return bound
    if isinstance(bound, Ref):
        return _thing_value(ctx, bound, expected, node)
    if name in world.variables:
        variable = world.variables[name]
        variable.used = True
        return variable.value()
    if name in world.params:
        world.used_names.add(name)
        return constant_value(world.params[name])
    if isinstance(expected, Words) and name in expected.words:
        return Value(expected, ir.const(expected.words.index(name)))
    built_in = _built_in(ctx, node)
    if built_in is not None:
        return built_in
    kind = find_kind(ctx, name)
    if kind is not None:
        if isinstance(expected, Cells):
            ref = only_one(ctx, kind, node)
            return None if ref is None else Value(CELL, cell_of(ctx, ref))
        return Value(Kinds((name,)), ir.const(0))
    if isinstance(expected, Words):
        help = did_you_mean(name, expected.words)
        ctx.error("unknown-word", node.span, word=name, of=listing(expected.words, "and"), help=help)
        return None
    if expected is None and name.isidentifier() and _is_any_word(ctx, name):
        return Value(Words((name,)), ir.const(0))
    report_unknown(ctx, name, node.span)
    return None


def _thing_value(ctx: Context, ref: Ref, expected: ValueType | None, node: Any) -> Value:
    if isinstance(expected, Kinds):
        return Value(Kinds((ref.kind.name,)), ir.const(0))
    if isinstance(expected, Words) and isinstance(node, n.Name) and node.name in expected.words:
        return Value(expected, ir.const(expected.words.index(node.name)))
    return Value(CELL, cell_of(ctx, ref))


def _is_any_word(ctx: Context, name: str) -> bool:
    world = ctx.world
    domains = [a.domain for kind in world.kinds.values() for a in kind.attributes.values()]
    domains += [v.domain for v in world.variables.values() if v.domain is not None]
    return any(name in domain.words for domain in domains)


def constant_value(value: Any) -> Value:
    """Return the value of a parameter."""
    if isinstance(value, bool):
        return Value(TRUTH, ir.const(value))
    if isinstance(value, str):
        return Value(Words((value,)), ir.const(0))
    return Value(NUMBER, ir.const(value))


def _built_in(ctx: Context, node: n.Name) -> Value | None:
    world = ctx.world
    match node.name:
        case "step":
            return Value(NUMBER, ir.load(world.step))
        case "limit":
            if world.limit is None:
                help = "say how long an episode lasts: `limit: 100 steps`"
                ctx.error(
                    "wrong-place", node.span, what="`limit`", where="in a spec without `limit:`", help=help
                )
                return Value(NUMBER, ir.const(1))
            return Value(NUMBER, ir.const(world.limit))
        case "width":
            return Value(NUMBER, ir.const(world.width))
        case "height":
            return Value(NUMBER, ir.const(world.height))
        case "start":
            ref = ctx.self_ref
            if ref is None or ref.category != "agent":
                return None
            return Value(CELL, start_cell(ctx, ref))
        case "self":
            ref = ctx.self_ref
            return None if ref is None else Value(CELL, cell_of(ctx, ref))
    return None


def start_cell(ctx: Context, ref: Ref) -> ir.Expr:
    """Return the cell where an agent stood after setup."""
    level = ctx.world.levels[0]
    if _start_is_fixed(ctx):
        return ir.const(level.starts[0].cell)
    return ir.load(ctx.world.slot("START", len(ctx.world.agents), 0, ctx.world.cells - 1), ref.index)


def _start_is_fixed(ctx: Context) -> bool:
    world = ctx.world
    return (
        len(world.levels) == 1
        and len(world.levels[0].starts) == 1
        and not world.spec.setup
        and len(world.agents) == 1
    )


def _pattern(ctx: Context, node: n.Pattern) -> Value | None:
    ref = resolve_thing(ctx, node)
    return None if ref is None else Value(CELL, cell_of(ctx, ref))


def _random(ctx: Context, node: n.Random, expected: ValueType | None) -> Value | None:
    if isinstance(expected, Words):
        count = 4 if expected.words[:1] == ("east",) else len(expected.words)
        return Value(expected, ctx.let("drawn", ctx.runtime("draw", ir.const(count), high=count - 1)))
    if isinstance(expected, Truths):
        return Value(TRUTH, ctx.let("drawn", ctx.runtime("odds", ir.const(1), ir.const(2), type="bool")))
    ctx.error(
        "wrong-place",
        node.span,
        what="`random`",
        where="here: it draws a word of a domain, or stands before a kind",
    )
    return None


def _chosen_cell(ctx: Context, node: Any) -> ir.Expr | None:
    """Return the cell that a chosen name (or ``here``) stands for; None for all else."""
    if not isinstance(node, n.Name):
        return None
    bound = ctx.scope.get(node.name)
    if bound is None and node.name in ctx.world.variables:
        ctx.world.variables[node.name].used = True
        bound = ctx.world.variables[node.name].value()
    return ctx.let("cell", bound.expr) if isinstance(bound, Value) and bound.type == CELL else None


# Arithmetic


def _arithmetic(ctx: Context, node: n.Arithmetic) -> Value | None:
    left, right = evaluate_number(ctx, node.left), evaluate_number(ctx, node.right)
    if left is None or right is None:
        return None
    if node.operator in {"/", "div", "mod"} and right.low <= 0 <= right.high:
        if isinstance(right, ir.Const):
            help = None
        else:
            help = f"the divisor lies in {_bound(right.low)}..{_bound(right.high)}; write `max(1, ...)` around it"
        ctx.error("division-by-zero", node.right.span, help=help)
        return None
    if node.operator in {"div", "mod"} and "real" in (left.type, right.type):
        ctx.error(
            "type", node.span, found="a fraction", expected="whole numbers on both sides of `div` and `mod`"
        )
        return None
    operation = {
        "+": ir.add,
        "-": ir.sub,
        "*": ir.mul,
        "/": ir.quotient,
        "div": ir.div,
        "mod": ir.mod,
    }[node.operator]
    return Value(NUMBER, operation(left, right))


def _bound(value: float) -> str:
    return f"{value:g}" if abs(value) < ir.UNBOUNDED else ("-" if value < 0 else "") + "any"


def _if_else(ctx: Context, node: n.IfElse, expected: ValueType | None) -> Value | None:
    from griddsl.lowering.relations import condition

    test = condition(ctx, node.test)
    then, otherwise = evaluate(ctx, node.then, expected), evaluate(ctx, node.otherwise, expected)
    if then is None or otherwise is None:
        return None
    if isinstance(then.type, Words | Kinds | Texts) and type(then.type) is type(otherwise.type):
        return _joined(ctx, test, then, otherwise)
    second = converted(ctx, otherwise, then.type, node.otherwise.span)
    return None if second is None else Value(then.type, ir.select(test, then.expr, second))


def names_of(type: ValueType) -> tuple[str, ...]:
    """Return the words, kinds or texts that a type counts."""
    match type:
        case Words(names) | Kinds(names) | Texts(names):
            return names
    return ()


def joint_type(type: ValueType, names: tuple[str, ...]) -> ValueType:
    """Return the type of the same sort that counts these names."""
    if isinstance(type, Words):
        return Words(names)
    return Kinds(names) if isinstance(type, Kinds) else Texts(names)


def _joined(ctx: Context, test: ir.Expr, then: Value, otherwise: Value) -> Value:
    """Join two words (kinds, texts) of different domains into one domain."""
    names = tuple(dict.fromkeys((*names_of(then.type), *names_of(otherwise.type))))
    joint = joint_type(then.type, names)
    span = ctx.world.spec.place("env")
    first, second = converted(ctx, then, joint, span), converted(ctx, otherwise, joint, span)
    assert first is not None and second is not None
    return Value(joint, ir.select(test, first, second))


# Places


def _position(ctx: Context, node: n.Position, x: Any, y: Any) -> Value | None:
    column_, row_ = evaluate_number(ctx, x), evaluate_number(ctx, y)
    if column_ is None or row_ is None:
        return None
    width, height = ctx.world.width, ctx.world.height
    for value, size, name, part in ((column_, width, "x", x), (row_, height, "y", y)):
        if value.type == "real":
            ctx.error("type", part.span, found="a fraction", expected="a whole number", help="use `div`")
            return None
        if value.high < 0 or value.low >= size:
            ctx.error(
                "bad-offset",
                part.span,
                reason=f"{name} is outside of the {width} x {height} grid",
                help=f"{name} goes from 0 to {size - 1}",
            )
            return None
    column_, row_ = ir.clamp(column_, 0, width - 1), ir.clamp(row_, 0, height - 1)
    return Value(CELL, ir.add(ir.mul(row_, ir.const(width)), column_))


def place_of(ctx: Context, node: Any) -> ir.Expr | None:
    """Return the cell that an expression speaks of: a cell, or a thing's."""
    if isinstance(node, n.Name | n.Pattern | n.Other):
        if isinstance(node, n.Name):
            bound = ctx.scope.get(node.name)
            if isinstance(bound, Value):
                return converted(ctx, bound, CELL, node.span)
            if node.name in ctx.world.variables or node.name == "start":
                return evaluate_as(ctx, node, CELL)
        ref = resolve_thing(ctx, node)
        return None if ref is None else cell_of(ctx, ref)
    return evaluate_as(ctx, node, CELL)


# Functions


def _call(ctx: Context, node: n.Call) -> Value | None:
    name = node.name
    if name not in FUNCTIONS:
        help = did_you_mean(name, FUNCTIONS) or f"functions: {listing(FUNCTIONS, 'and', 20)}"
        ctx.error("unknown-function", node.span.word(name), what="function", name=name, help=help)
        return None
    if name in {"min", "max"}:
        return _extreme(ctx, node)
    if name in {"abs", "exp", "sqrt"}:
        return _one_number(ctx, node)
    if name in {"distance", "chebyshev", "euclid"}:
        return _distance(ctx, node)
    if name == "path_distance":
        from griddsl.lowering.paths import path_distance

        return path_distance(ctx, node)
    if name in {"count", "sum"}:
        return _count(ctx, node)
    from griddsl.lowering.memory import lowest, previous

    if len(node.arguments) != 1:
        return _wrong_arguments(ctx, node)
    return previous(ctx, node) if name == "prev" else lowest(ctx, node)


def _wrong_arguments(ctx: Context, node: n.Call) -> Value | None:
    ctx.error("wrong-arguments", node.span, name=node.name, expected=FUNCTIONS[node.name])
    return None


def _extreme(ctx: Context, node: n.Call) -> Value | None:
    values = [evaluate_number(ctx, argument) for argument in node.arguments]
    if len(values) < 2:
        return _wrong_arguments(ctx, node)
    if any(value is None for value in values):
        return None
    known = [value for value in values if value is not None]
    return Value(NUMBER, ir.least(known) if node.name == "min" else ir.greatest(known))


def _one_number(ctx: Context, node: n.Call) -> Value | None:
    if len(node.arguments) != 1:
        return _wrong_arguments(ctx, node)
    value = evaluate_number(ctx, node.arguments[0])
    if value is None:
        return None
    if node.name == "abs":
        return Value(NUMBER, ir.absolute(value))
    import math

    if node.name == "sqrt" and value.low < 0:
        ctx.error(
            "type", node.arguments[0].span, found="a number that can be negative", expected="one that is not"
        )
        return None
    high = 700.0 if node.name == "exp" else math.inf
    function = math.exp if node.name == "exp" else math.sqrt
    if isinstance(value, ir.Const):
        return Value(NUMBER, ir.Const(function(min(float(value.value), high)), "real"))
    low_end, high_end = (
        function(max(-700.0, min(float(end), 700.0 if node.name == "exp" else 1e300)))
        for end in (value.low, value.high)
    )
    return Value(NUMBER, ir.Op(node.name, (value,), "real", low_end, high_end))


def _distance(ctx: Context, node: n.Call) -> Value | None:
    if len(node.arguments) != 2:
        return _wrong_arguments(ctx, node)
    places = [place_of(ctx, argument) for argument in node.arguments]
    if places[0] is None or places[1] is None:
        return None
    return Value(NUMBER, distance(ctx, places[0], places[1], node.name))


def distance(ctx: Context, first: ir.Expr, second: ir.Expr, metric: str) -> ir.Expr:
    """Return the distance of two cells, in cells."""
    first, second = ctx.let("cell", first), ctx.let("cell", second)
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


def _count(ctx: Context, node: n.Call) -> Value | None:
    kind_node = node.each if node.name == "sum" else node.arguments[0] if node.arguments else None
    if kind_node is None or len(node.arguments) != 1 or not isinstance(kind_node, n.Name | n.Pattern):
        return _wrong_arguments(ctx, node)
    kind = find_kind(ctx, kind_node.name)
    if kind is None:
        report_unknown(ctx, kind_node.name, kind_node.span)
        return None
    from griddsl.lowering.relations import condition

    world = ctx.world
    most = world.cells if kind.category == "tile" else max(1, world.capacity, len(world.agents))
    attributes = dict(kind_node.arguments) if isinstance(kind_node, n.Pattern) else {}
    found: list[ir.Expr] = []
    total = ctx.variable("total", ir.const(0))

    def body(inner: Context, ref: Ref) -> None:
        inner.bind(kind.name, ref)
        test = matches(inner, ref, attributes)
        if node.where is not None:
            test = ir.both(test, condition(inner, node.where))
        counted = inner.inner()
        value = ir.const(1) if node.name == "count" else evaluate_number(counted, node.arguments[0])
        if value is None:
            return
        found.append(value)
        local = ir.Local(total.name, value.type)
        counted.emit(ir.Let(total.name, ir.Op("+", (local, value), value.type, -ir.UNBOUNDED, ir.UNBOUNDED)))
        inner.block.extend(ir.when(test, counted.block))

    for_each(ctx, kind, body)
    if not found:
        return Value(NUMBER, ir.const(0))
    low, high = min(0, found[0].low * most), max(0, found[0].high * most)
    return Value(NUMBER, ir.Local(total.name, found[0].type, low, high))
