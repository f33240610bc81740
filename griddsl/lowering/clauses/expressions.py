"""Expressions: from nodes to typed values of the program."""

from __future__ import annotations

from griddsl.compass import CARDINALS
from griddsl.diagnostics import did_you_mean, listing, write
from griddsl.lowering.clauses.attributes import attribute
from griddsl.lowering.clauses.constants import as_decided, is_exact
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import (
    condition,
    converted,
    end_of_range,
    evaluate,
    evaluate_as,
    evaluate_number,
    joint_type,
    names_of,
    reads,
)
from griddsl.lowering.clauses.things import is_other, is_superlative, only_one, resolve_thing
from griddsl.lowering.clauses.unknown.names import report_unknown
from griddsl.lowering.clauses.unknown.values import asks_how_many
from griddsl.lowering.clauses.unknown.ways import direction_meant
from griddsl.lowering.clauses.whereabouts import cell_of, column, if_there, row, the_agent
from griddsl.lowering.world.values import (
    CELL,
    DIRECTION,
    NUMBER,
    TRUTH,
    Cells,
    Kinds,
    Ref,
    Texts,
    Truths,
    Value,
    ValueType,
    Words,
)
from griddsl.program import ir, keys
from griddsl.source import Span
from griddsl.spec.reckoned import Scalar
from griddsl.syntax import nodes as n


@reads(n.Number, n.Truth, n.Text)
def _literal(_: Context, node: n.Number | n.Truth | n.Text, __: ValueType | None) -> Value:
    if isinstance(node, n.Text):
        return Value(Texts((node.value,)), ir.const(0))
    return Value(TRUTH if isinstance(node, n.Truth) else NUMBER, ir.const(node.value))


@reads(n.TotalReward)
def _total(ctx: Context, node: n.TotalReward, _: ValueType | None) -> Value | None:
    """Return the sum of an agent's rewards so far: a part of the state, which each step adds to."""
    agents = len(ctx.world.agents)
    slot = ctx.writer.slot(keys.TOTAL, agents, -ir.UNBOUNDED, ir.UNBOUNDED, type="real")
    me = ctx.self_ref.index if ctx.self_ref is not None and agents > 1 else ir.const(0)
    return Value(NUMBER, ir.load(slot, me))


@reads(n.Attribute)
def _attribute(ctx: Context, node: n.Attribute, expected: ValueType | None) -> Value | None:
    if isinstance(node.owner, n.Position) and node.name in {"x", "y"}:
        return evaluate(ctx, node.owner.x if node.name == "x" else node.owner.y, expected)
    spot = _chosen_cell(ctx, node.owner) if node.name in {"x", "y"} else None
    if spot is not None:
        return Value(NUMBER, column(ctx, spot) if node.name == "x" else row(ctx, spot))
    if asks_how_many(ctx, node):
        return None
    ref = resolve_thing(ctx, node.owner)
    return None if ref is None else attribute(ctx, ref, node.name, node.span)


@reads(n.Pattern, n.Other)
def _thing(ctx: Context, node: n.Pattern | n.Other, _: ValueType | None) -> Value | None:
    ref = resolve_thing(ctx, node)
    return None if ref is None else Value(CELL, cell_of(ctx, ref))


# Names


@reads(n.Name)
def _name(ctx: Context, node: n.Name, expected: ValueType | None) -> Value | None:
    name = node.name
    world, writer = ctx.world, ctx.writer
    bound = ctx.scope.get(name)
    if isinstance(bound, Value):
        return bound
    if isinstance(bound, Ref):
        return _thing_value(ctx, bound, expected, node)
    if name in writer.variables:
        variable = writer.variables[name]
        return variable.value()
    if name in world.params:
        return constant_value(world.params[name])
    if isinstance(expected, Words) and name in expected.words:
        return Value(expected, ir.const(expected.words.index(name)))
    built_in = _built_in(ctx, node)
    if built_in is not None:
        return built_in
    kind = ctx.world.kinds.get(name)
    if kind is not None:
        if isinstance(expected, Cells):
            ref = only_one(ctx, kind, node)
            return None if ref is None else Value(CELL, cell_of(ctx, ref))
        return Value(Kinds((name,)), ir.const(0))
    if isinstance(expected, Words):
        if name in ctx.writer.notes.reported:
            return None  # that it means nothing was said where it was given
        help = direction_meant(ctx, name, node.span) if expected == DIRECTION else None
        help = help or did_you_mean(name, expected.words)
        ctx.error("unknown-word", node.span, word=name, of=listing(expected.words, "and"), help=help)
        return None
    if expected is None and name.isidentifier() and _is_any_word(ctx, name):
        return Value(Words((name,)), ir.const(0))
    report_unknown(ctx, name, node.span, expected)
    return None


def _thing_value(ctx: Context, ref: Ref, expected: ValueType | None, node: n.Expression) -> Value:
    if isinstance(expected, Kinds):
        return Value(Kinds((ref.kind.name,)), ir.const(0))
    if isinstance(expected, Words) and isinstance(node, n.Name) and node.name in expected.words:
        return Value(expected, ir.const(expected.words.index(node.name)))
    return Value(CELL, cell_of(ctx, ref))


def _is_any_word(ctx: Context, name: str) -> bool:
    world, writer = ctx.world, ctx.writer
    domains = [a.domain for kind in world.kinds.values() for a in kind.attributes.values()]
    domains += [v.domain for v in writer.variables.values() if v.domain is not None]
    return name in DIRECTION.words or any(name in domain.words for domain in domains)


def constant_value(value: Scalar) -> Value:
    """Return the value of a parameter."""
    if isinstance(value, bool):
        return Value(TRUTH, ir.const(value))
    if isinstance(value, str):
        return Value(Words((value,)), ir.const(0))
    return Value(NUMBER, ir.const(value))


def _built_in(ctx: Context, node: n.Name) -> Value | None:
    world, writer = ctx.world, ctx.writer
    match node.name:
        case "step":
            return Value(NUMBER, ir.load(writer.step))
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
            if ctx.stage == "setup" or (
                ref is not None and ref.category == "object" and not writer.facts.objects_return
            ):
                return None
            if ref is None or ref.category == "tile":
                ref = the_agent(ctx, node.span)
            return Value(CELL, start_cell(ctx, ref))
        case "other" if is_other(ctx, node):
            other = resolve_thing(ctx, node)
            return Value(CELL, ir.const(0) if other is None else cell_of(ctx, other))
        case "self":
            ref = ctx.self_ref
            return None if ref is None else Value(CELL, cell_of(ctx, ref))
    return None


def start_cell(ctx: Context, ref: Ref) -> ir.Expr:
    """Return the cell where an agent or an object stood after setup; -1 where an object was on none, or is gone."""
    if ref.category == "object":
        start: ir.Expr = ir.load(ctx.writer.object_start, ref.index)
        if ctx.after_changes:
            is_there = ir.ge(ir.load(ctx.writer.object_kind, ref.index), 0)
            start = ir.select(is_there, start, ir.const(-1))
        return if_there(ref, start, -1)
    ctx.writer.notes.asks_where |= ctx.world.nowhere
    level = ctx.world.levels[0]
    if _start_is_fixed(ctx):
        return ir.const(level.starts[0].cell)
    return ir.load(ctx.writer.slot(keys.START, len(ctx.world.agents), 0, ctx.world.cells - 1), ref.index)


def _start_is_fixed(ctx: Context) -> bool:
    world = ctx.world
    return (
        not world.nowhere
        and len(world.levels) == 1
        and len(world.levels[0].starts) == 1
        and not world.spec.preparing
        and len(world.agents) == 1
    )


_CHANCES = (
    "a chance stands behind a condition: `if C with chance 0.1`; a number is chosen: `choose n in 1..6`"
)


@reads(n.Random)
def _random(ctx: Context, node: n.Random, expected: ValueType | None) -> Value | None:
    if isinstance(expected, Words):
        count = len(CARDINALS) if expected.is_facing else len(expected.words)
        return Value(expected, ctx.let("drawn", ir.drawn(ir.const(count), count - 1)))
    if isinstance(expected, Truths):
        return Value(TRUTH, ir.eq(ctx.let("drawn", ir.drawn(ir.const(2), 1)), 1))
    ctx.error(
        "wrong-place",
        node.span,
        what="`random`",
        where="here: it draws a word of a domain, or stands before a kind",
        help=write("random free", ", or `random floor`: which cells") if expected == CELL else _CHANCES,
    )
    return None


def _chosen_cell(ctx: Context, node: n.Expression) -> ir.Expr | None:
    """Return the cell that a chosen name (or ``here``) stands for; None for all else."""
    if isinstance(node, n.Superlative) and not is_superlative(ctx, node):
        found = evaluate_as(ctx, node, CELL)
        return None if found is None else ctx.let("cell", found)
    if not isinstance(node, n.Name):
        return None
    bound = ctx.scope.get(node.name)
    if bound is None and node.name in ctx.writer.variables:
        bound = ctx.writer.variables[node.name].value()
    return bound.expr if isinstance(bound, Value) and bound.type == CELL else None


# Arithmetic


@reads(n.Negate)
def _negate(ctx: Context, node: n.Negate, _: ValueType | None) -> Value | None:
    value = evaluate_number(ctx, node.value)
    return None if value is None else Value(NUMBER, ir.neg(value))


@reads(n.Arithmetic)
def _arithmetic(ctx: Context, node: n.Arithmetic, _: ValueType | None) -> Value | None:
    left, right = evaluate_number(ctx, node.left), evaluate_number(ctx, node.right)
    if left is None or right is None:
        return None
    if node.operator in {"/", "div", "mod"} and right.low <= 0 <= right.high:
        if isinstance(right, ir.Const):
            help = None
        else:
            ends = f"{end_of_range(right.low)}..{end_of_range(right.high)}"
            help = f"the divisor lies in {ends}; write `max(1, ...)` around it"
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
    return Value(NUMBER, operation(*as_decided(ctx, node, [left, right])))


@reads(n.IfElse)
def _if_else(ctx: Context, node: n.IfElse, expected: ValueType | None) -> Value | None:
    test = condition(ctx, node.test)
    taken = (node.then if test.value else node.otherwise) if isinstance(test, ir.Const) else None
    if isinstance(taken, n.Position):  # the other one may be off the map
        return evaluate(ctx, taken, expected)
    then = evaluate(ctx.beside(test, True, node.test), node.then, expected)
    otherwise = evaluate(ctx.beside(test, False, node.test), node.otherwise, expected)
    if then is None or otherwise is None:
        return None
    return one_of_two(ctx, test, is_exact(ctx, node.test), then, otherwise, node.otherwise.span)


def one_of_two(
    ctx: Context, test: ir.Expr, decided: bool, then: Value, otherwise: Value, span: Span
) -> Value | None:
    """Return the one value where a test holds, and the other where it fails; None, where they are of two types.

    ``decided`` says that constants alone decide the test; ``span`` is where the other one stands.
    """
    if isinstance(then.type, Words | Kinds | Texts) and type(then.type) is type(otherwise.type):
        return _joined(ctx, test, then, otherwise)
    second = converted(ctx, otherwise, then.type, span)
    if second is None:
        return None
    taken = ir.select(test, then.expr, second)
    if "real" in (then.expr.type, second.type) and not decided:
        known = isinstance(taken, ir.Const)
        taken = ir.rounded(taken) if known else ir.as_float(taken) if taken.type == "int" else taken
    return Value(then.type, taken)


def _joined(ctx: Context, test: ir.Expr, then: Value, otherwise: Value) -> Value:
    """Join two words (kinds, texts) of different domains into one domain."""
    names = tuple(dict.fromkeys((*names_of(then.type), *names_of(otherwise.type))))
    joint = joint_type(then.type, names)
    span = ctx.world.spec.place("env")
    first, second = converted(ctx, then, joint, span), converted(ctx, otherwise, joint, span)
    assert first is not None and second is not None
    return Value(joint, ir.select(test, first, second))


# Places


@reads(n.Position)
def _position(ctx: Context, node: n.Position, _: ValueType | None) -> Value | None:
    column_, row_ = evaluate_number(ctx, node.x), evaluate_number(ctx, node.y)
    if column_ is None or row_ is None:
        return None
    width, height = ctx.world.width, ctx.world.height
    for value, size, name, part in ((column_, width, "x", node.x), (row_, height, "y", node.y)):
        if value.type == "real":
            ctx.error("type", part.span, found="a fraction", expected="a whole number", help="use `div`")
            return None
        if (value.high < 0 or value.low >= size) and is_exact(ctx, part):
            ctx.error(
                "bad-offset",
                part.span,
                reason=f"{name} is outside of the {width} x {height} grid",
                help=f"{name} goes from 0 to {size - 1}",
            )
            return None
    column_, row_ = ir.clamp(column_, 0, width - 1), ir.clamp(row_, 0, height - 1)
    return Value(CELL, ir.add(ir.mul(row_, ir.const(width)), column_))


def pair_asked(ctx: Context, node: n.Position, place: ir.Expr) -> ir.Expr | None:
    """Return the cell that a pair names, whose nearest is ``place``: -1 where it lies off the grid."""
    x, y = evaluate_number(ctx, node.x), evaluate_number(ctx, node.y)
    if x is None or y is None:
        return None
    sides = ((x, ctx.world.width), (y, ctx.world.height))
    inside = ir.both(*(test for value, size in sides for test in (ir.ge(value, 0), ir.lt(value, size))))
    if inside == ir.TRUE:
        return place
    return ctx.let("cell", ir.select(inside, place, ir.const(-1)))


def place_of(ctx: Context, node: n.Expression) -> ir.Expr | None:
    """Return the cell that an expression speaks of: a cell, or a thing's."""
    if isinstance(node, n.ThingName):
        if isinstance(node, n.Name):
            bound = ctx.scope.get(node.name)
            if isinstance(bound, Value):
                return converted(ctx, bound, CELL, node.span)
            if node.name in ctx.writer.variables or node.name == "start":
                return evaluate_as(ctx, node, CELL)
        ref = resolve_thing(ctx, node)
        return None if ref is None else cell_of(ctx, ref)
    return evaluate_as(ctx, node, CELL)
