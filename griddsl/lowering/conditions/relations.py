"""Relations: `on`, `at`, `ahead`, `has`, `within` and `sees`; and the instances that they find and name.

A kind found by an un-negated ``on``, ``at``, ``ahead``, ``has`` or ``within`` that is joined only by ``and`` is
bound: the rest of the condition and the effects mean that very instance.
"""

from __future__ import annotations

from griddsl.diagnostics import write
from griddsl.lowering.clauses.attributes import matches
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.expressions import place_of
from griddsl.lowering.clauses.functions import distance
from griddsl.lowering.clauses.meaning import (
    decides,
    evaluate_number,
)
from griddsl.lowering.clauses.things import asks_for_any, for_each, is_superlative, resolve_thing
from griddsl.lowering.clauses.whereabouts import cell_of, the_agent
from griddsl.lowering.conditions.asked import cell_asked
from griddsl.lowering.conditions.finding import (
    bind_found,
    find_held,
    found_in_cell,
    held_by,
    in_region,
    may_hold,
    name_given,
    name_of,
    pattern_kind,
    quantified_over,
)
from griddsl.lowering.conditions.logic import nested_test
from griddsl.lowering.conditions.sightlines import in_sight
from griddsl.lowering.facts.abundance import abundance
from griddsl.lowering.state.neighbours import THIN_WALL
from griddsl.lowering.state.writer import Asked, Holding
from griddsl.lowering.world.values import (
    CELL,
    Ref,
    Value,
)
from griddsl.lowering.world.world import World
from griddsl.program import ir
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text

ITSELF = True  # why a relation never holds that asks a thing about itself
NEARNESS = frozenset({"within", "sees"})


@decides(n.Relation)
def _relation(ctx: Context, node: n.Relation, binds: bool) -> ir.Expr:
    if isinstance(node.left, n.Quantified):
        quantified = node.left
        if node.name == "at" and lies_in_cell(ctx.world, quantified, node.right):
            return _lies_in_cell(ctx, quantified, node)
        return quantified_over(
            ctx, quantified, lambda inner, ref: _each_holds(ctx, inner, quantified, node, ref), node
        )
    match node.name:
        case "left":
            ctx.error(
                "syntax", node.span, found="`left` alone", expected="`no K left`", help="or `count(K) > 0`"
            )
            return ir.FALSE
        case "ahead":
            return _ahead(ctx, node, binds)
        case "at":
            return _at(ctx, node, binds)
    if node.name in NEARNESS and _finds_left(ctx, node):
        place = place_of(ctx, _beside(node))
        center = _thing_named(ctx, _beside(node))
        return ir.FALSE if place is None else _within_of_place(ctx, node, node.left, place, center, binds)
    left = _left_thing(ctx, node.left)
    return ir.FALSE if left is None else _holds(ctx, node, left, binds)


def _beside(node: n.Relation) -> n.Expression:
    """Return the right side of a relation: all have one but `ahead` and `left`."""
    assert node.right is not None
    return node.right


def lies_in_cell(world: World, quantified: n.Quantified, place: n.Expression | None) -> bool:
    """Whether ``any K at CELL``, or ``no K``, asks a cell what lies there, and need not go through the Ks."""
    if quantified.quantifier == "all" or not isinstance(quantified.kind, n.KindName):
        return False
    kind = world.kinds.get(quantified.kind.name)
    if kind is None or kind.category == "agent":
        return False
    # A name in it means the one that is looked at; an attribute that is called as the kind is does not.
    given = quantified.kind.arguments if isinstance(quantified.kind, n.Pattern) else ()
    parts = n.walk((place, given))
    return all(isinstance(part, n.Attribute) or getattr(part, "name", "") != kind.name for part in parts)


def _lies_in_cell(ctx: Context, quantified: n.Quantified, node: n.Relation) -> ir.Expr:
    kind, attributes = pattern_kind(ctx, quantified.kind)
    place = cell_asked(ctx, _beside(node))
    if kind is None or place is None:
        return ir.FALSE
    found = found_in_cell(ctx, ctx.let("place", place), kind, attributes, None)
    return ir.invert(found) if quantified.quantifier == "no" else found


def _each_holds(
    ctx: Context, inner: Context, quantified: n.Quantified, node: n.Relation, ref: Ref
) -> ir.Expr:
    """Return whether a relation holds for one of ``all K``, ``any K``, ``no K``; near a K only the others count."""
    if node.name not in NEARNESS:
        return _holds(inner, node, ref, False)
    around = name_of(quantified.kind)
    if getattr(node.right, "name", None) == around:
        # `any box within 1 of box`: the box that the clause is about, or else another one.
        scope = {name: value for name, value in inner.scope.items() if name != around}
        if around in ctx.scope:
            scope[around] = ctx.scope[around]
        inner = inner.inner(block=inner.block, scope=scope)
    near = _holds(inner, node, ref, False)
    return ir.either(near, _is_itself(inner, ref, _beside(node))) if quantified.quantifier == "all" else near


def _is_itself(ctx: Context, left: Ref, right: n.Expression) -> ir.Expr:
    """Return whether a name or ``other K`` stands for this very thing."""
    there = _thing_named(ctx, right)
    return ir.eq(left.index, there.index) if there and there.category == left.category else ir.FALSE


def _thing_named(ctx: Context, node: n.Expression) -> Ref | None:
    """Return the thing that a name or ``other K`` stands for; a cell that is chosen is none."""
    if not isinstance(node, n.Name | n.Other):
        return None
    if isinstance(node, n.Name) and not isinstance(ctx.scope.get(node.name), Ref) and node.name != "self":
        return None
    return resolve_thing(ctx, node)


def _finds_left(ctx: Context, node: n.Relation) -> bool:
    """Whether ``K within N of PLACE`` looks for a K: a kind that names no instance yet, near a place that is known."""
    left, right = node.left, node.right
    if not isinstance(left, n.KindName) or left.name == "self":
        return False
    if left.name in ctx.scope and not asks_for_any(ctx, left):
        return False
    kind = ctx.world.kinds.get(left.name)
    if kind is None or kind.category == "agent":
        return False
    other = ctx.world.kinds.get(getattr(right, "name", "")) if isinstance(right, n.KindName) else None
    bound = isinstance(right, n.Name) and right.name in ctx.scope
    return other is None or bound or other.category == "agent"


def _left_thing(ctx: Context, node: n.Expression) -> Ref | None:
    if isinstance(node, n.ThingName):
        bound = ctx.scope.get(node.name) if isinstance(node, n.Name) else None
        if isinstance(bound, Value):
            if bound.type != CELL:
                ctx.error("type", node.span, found=str(bound.type), expected="a thing or a cell")
                return None
            return Ref(ctx.world.kinds["floor"], bound.expr if bound.asked is None else bound.asked)
        if isinstance(node, n.Name) and _is_chosen_cell(ctx, node):
            return Ref(ctx.world.kinds["floor"], ctx.writer.variables[node.name].value().expr)
        return resolve_thing(ctx, node)
    if is_superlative(ctx, node):
        return resolve_thing(ctx, node)
    cell = cell_asked(ctx, node)
    return None if cell is None else Ref(ctx.world.kinds["floor"], ctx.let("cell", cell))


def _is_chosen_cell(ctx: Context, node: n.Expression) -> bool:
    """Whether a name is a cell that setup drew."""
    if not isinstance(node, n.Name) or node.name in ctx.scope:
        return False
    stored = ctx.writer.variables.get(node.name)
    return stored is not None and stored.type == CELL


def _holds(ctx: Context, node: n.Relation, left: Ref, binds: bool) -> ir.Expr:
    """Return whether the relation holds for this left thing."""
    match node.name:
        case "on" if _is_chosen_cell(ctx, _beside(node)):
            asked = f"{to_text(node.left)} at {to_text(_beside(node))}"
            ctx.error(
                "type",
                _beside(node).span,
                found="a cell",
                expected="a kind or a region",
                help=write(asked, place=node.span),
            )
            return ir.FALSE
        case "on":
            return _found_at(ctx, cell_of(ctx, left), _beside(node), binds)
        case "at":
            place = cell_asked(ctx, _beside(node))
            return ir.FALSE if place is None else _is_in(ctx, left, ctx.let("place", place))
        case "ahead":
            return ir.eq(ahead_cell(ctx, node), cell_of(ctx, left))
        case "left":
            return ir.TRUE
        case "has":
            return _has(ctx, left, node, binds)
        case "within" | "sees":
            return _within(ctx, left, node, binds)
    raise AssertionError(node.name)


def _found_at(ctx: Context, cell: ir.Expr, node: n.Expression, binds: bool) -> ir.Expr:
    """Return whether a thing of a kind stands at a cell; the thing is bound."""
    bound = ctx.scope.get(node.name) if isinstance(node, n.Name) else None
    if isinstance(bound, Ref):
        return _is_in(ctx, bound, cell)
    if isinstance(node, n.Name) and node.name in ctx.world.regions:
        return ir.both(ir.ge(cell, 0), in_region(ctx, node.name, cell))
    kind, attributes = pattern_kind(ctx, node)
    if kind is None:
        return ir.FALSE
    cell = ctx.let("cell", cell)
    return found_in_cell(ctx, cell, kind, attributes, name_given(node, binds))


def ahead_cell(ctx: Context, node: n.Relation) -> ir.Expr:
    """Return the cell ahead of the subject, or -1 at the border."""
    world, writer = ctx.world, ctx.writer
    ref = the_agent(ctx, node.span)
    if not writer.facts.has_facing:
        ways = {action.direction or 0 for action in world.actions if action.verb == "move"}
        if len(ways) == 1:  # All moves go one way, so that way is ahead.
            return ctx.let("ahead", writer.next_cell(cell_of(ctx, ref), ir.const(ways.pop())))
        ctx.error(
            "no-facing",
            node.span,
            help="the actions `turn_left`, `turn_right` and `forward` bring one, or `agent: facing`",
        )
        return ir.const(-1)
    return ctx.let("ahead", writer.next_cell(cell_of(ctx, ref), ir.load(writer.facing, ref.index)))


def _ahead(ctx: Context, node: n.Relation, binds: bool) -> ir.Expr:
    cell = ahead_cell(ctx, node)
    if isinstance(node.left, n.Name) and node.left.name == "edge":
        return ir.eq(cell, -1) if _has_thin_walls(ctx) else ir.lt(cell, 0)
    found = _found_at(ctx, cell, node.left, binds)
    if isinstance(node.left, n.Name) and node.left.name == "wall" and _has_thin_walls(ctx):
        return ir.either(ir.eq(cell, THIN_WALL), found)
    return found


def _has_thin_walls(ctx: Context) -> bool:
    return any(level.barriers for level in ctx.world.levels)


def _at(ctx: Context, node: n.Relation, binds: bool) -> ir.Expr:
    """``K at CELL``: the thing of that kind in the cell; a bound thing or an agent is compared by its place."""
    place = cell_asked(ctx, _beside(node))
    left = node.left
    if place is None:
        if isinstance(left, n.KindName) and left.name in ctx.world.kinds and left.name not in ctx.scope:
            # What is wrong with the cell is said: what is found there has its name all the same.
            _found_at(ctx, ir.const(0), left, binds)
        return ir.FALSE
    if isinstance(left, n.KindName):
        is_bound = isinstance(ctx.scope.get(left.name), Ref) and not asks_for_any(ctx, left)
        if left.name != "self" and not is_bound and left.name in ctx.world.kinds:
            return _found_at(ctx, place, left, binds)
    ref = _left_thing(ctx, left)
    return ir.FALSE if ref is None else _is_in(ctx, ref, place)


def _is_in(ctx: Context, ref: Ref, cell: ir.Expr) -> ir.Expr:
    """Return whether a thing is in a cell; in none it is not, nor is one that is nowhere."""
    same = ir.eq(cell_of(ctx, ref), cell)
    return ir.both(ir.ge(cell, 0), same) if cell.low < 0 else same


def _has(ctx: Context, left: Ref, node: n.Relation, binds: bool) -> ir.Expr:
    """Return whether an agent, or an object that carries things, holds a thing; the thing is bound."""
    right = _beside(node)
    bound = ctx.scope.get(right.name) if isinstance(right, n.Name) else None
    kind, attributes = pattern_kind(ctx, right)
    if kind is None:
        return ir.FALSE
    if not may_hold(ctx, left, kind, node, f"{to_text(node.left)} has {kind.name}"):
        return ir.FALSE
    if isinstance(bound, Ref) and bound.category == "object":
        ctx.writer.notes.ask(node, Asked(ir.TRUE, ctx.known, ctx.places))
        return held_by(ctx, left, bound.index)
    found, test = find_held(ctx, left, kind, attributes)
    holding = Holding(kind.name, None if left.category == "agent" else left.kind.name)
    ctx.writer.notes.ask(node, Asked(test, ctx.known, ctx.places, holding))
    bind_found(ctx, name_given(right, binds), found)
    return test


def _within(ctx: Context, left: Ref, node: n.Relation, binds: bool) -> ir.Expr:
    here = ctx.let("here", cell_of(ctx, left))
    here_is = ir.ge(here, 0)
    right = _beside(node)
    bound = ctx.scope.get(right.name) if isinstance(right, n.Name) else None
    is_kind = isinstance(right, n.KindName | n.Quantified) and name_of(right) in ctx.world.kinds
    if bound is not None or not is_kind:
        place = place_of(ctx, right)
        if place is None:
            return ir.FALSE
        place = ctx.let("place", place)
        inner = ctx.inner(scope=ctx.scope)
        near = _near(inner, node, here, place)
        is_itself = _is_itself(ctx, left, right)
        if _is_surely(is_itself) and not isinstance(node.left, n.Quantified):
            ctx.writer.notes.settle(node, ir.FALSE, nothing_is(node))
            return ir.FALSE
        there = ir.both(ir.invert(is_itself), here_is, ir.ge(place, 0))
        if inner.block:
            return nested_test(ctx, inner.block, there, near)
        return ir.both(there, near)
    return _within_of_place(ctx, node, right, here, left, binds)


def _is_surely(test: ir.Expr) -> bool:
    """Whether a test holds whatever happens: it is true, or compares a thing with itself."""
    match test:
        case ir.Op("==", (left, right)):
            return left == right
    return test == ir.TRUE


def nothing_is(node: n.Relation) -> str:
    """Say that a relation never holds between a thing and itself."""
    does = "sees" if node.name == "sees" else "is near"
    return f"nothing {does} itself: `any K` on the left side asks it of the others"


def _near(ctx: Context, node: n.Relation, here: ir.Expr, there: ir.Expr) -> ir.Expr:
    """Return whether two cells are as near as ``within`` says, and for ``sees`` nothing opaque is between them."""
    tests: list[ir.Expr] = []
    if node.distance is not None:
        most = evaluate_number(ctx, node.distance)
        if most is None:
            return ir.FALSE
        tests.append(ir.compare("<=", distance(ctx, here, there, "chebyshev"), most))
    if node.name == "sees":
        tests.append(in_sight(ctx, here, there))
    return ir.both(*tests)


def _within_of_place(
    ctx: Context, node: n.Relation, wanted: n.Expression, here: ir.Expr, center: Ref | None, binds: bool
) -> ir.Expr:
    """Return whether a thing of the wanted kind, other than the one at the center, is near a place; it is bound."""
    world, writer = ctx.world, ctx.writer
    kind, attributes = pattern_kind(ctx, wanted)
    if kind is None:
        return ir.FALSE
    here = ctx.let("here", here)
    found = ctx.variable(
        kind.name, ir.const(-1), -1, max(world.cells, writer.facts.capacity, len(world.agents))
    )

    def body(inner: Context, ref: Ref) -> None:
        there = inner.let("there", cell_of(inner, ref))
        test = matches(inner, ref, attributes)
        if center is not None and kind.category == center.category:
            test = ir.both(ir.ne(ref.index, center.index), test)
        if node.name == "sees":
            test = ir.both(ir.ge(here, 0), ir.ge(there, 0), test)
        asked = inner.inner(scope=inner.scope)
        near = _near(asked, node, here, there)
        test = (
            nested_test(inner, asked.block, test, near)
            if asked.block
            else ir.both(near, test)
            if node.name == "within"
            else ir.both(test, near)
        )
        inner.block.extend(ir.when(test, [ir.Hit(ref.index)]))

    for_each(ctx, kind, body, loop=ir.first_of(found))
    several = abundance(writer.facts, kind) if binds and not attributes else 0
    bind_found(ctx, name_given(wanted, binds), Ref(kind, found), several)
    test: ir.Expr = ir.ge(found, 0)
    alike = len(world.agents) if kind.name == "agent" else world.agents.count(kind)
    is_it = center is not None and kind == center.kind and kind.category == "agent" and alike == 1
    ctx.writer.notes.ask(node, Asked(test, ctx.known, ctx.places, ITSELF if is_it else None))
    return ir.both(ir.ge(here, 0), test) if here.low < 0 else test
