"""Policies: the cell to which a creature goes: at random, toward or away from something, on patrol."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from griddsl.compass import ARROWS, CARDINALS, COMPASS
from griddsl.diagnostics import did_you_mean, listing, write
from griddsl.lowering.clauses.attributes import attribute_expr, matches, set_attribute
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.expressions import place_of
from griddsl.lowering.clauses.functions import distance
from griddsl.lowering.clauses.meaning import condition, drawn, evaluate_chance, evaluate_whole
from griddsl.lowering.clauses.physics import agent_at, blocks, free_for_object, one_way_allows
from griddsl.lowering.clauses.things import for_each
from griddsl.lowering.clauses.whereabouts import cell_of
from griddsl.lowering.conditions.paths import is_avoided, path_to, search_from
from griddsl.lowering.facts.abundance import may_be_several
from griddsl.lowering.moving.arriving import happen
from griddsl.lowering.plug_ins import plug_ins
from griddsl.lowering.rules.events import guarded_condition
from griddsl.lowering.state.writer import ON_MAP, Writer
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import World
from griddsl.program import ir
from griddsl.program.program import PlugIn
from griddsl.program.view import MOVERS_GROUP
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import METRICS, POLICIES
from griddsl.syntax.printer import to_text

TARGETED = frozenset({"toward", "away from"})


@dataclass(frozen=True, slots=True)
class Leap:
    """Movers that go several cells in a step: over how many more than one, and by which of them."""

    movers: tuple[n.Mover, ...]
    more: ir.Local
    which: ir.Local


def choose_cell(ctx: Context, mover: n.Mover, ref: Ref, target: ir.Local, leap: Leap | None = None) -> None:
    """Emit what sets ``target`` to the cell a creature moves to, or leaves it at -1."""
    if mover.otherwise is not None and mover.test is not None:
        probe = ctx.inner()
        test = condition(probe, mover.test)
        ctx.block.extend(probe.block)
        first, second = ctx.inner(), ctx.inner()
        with ctx.clause(mover.span):
            _plain_policy(first, mover, ref, target, leap)
        choose_cell(second, mover.otherwise, ref, target, leap)
        ctx.block.extend(ir.when(test, first.block, second.block))
        return
    inner = ctx.inner()
    with ctx.clause(mover.span):
        _plain_policy(inner, mover, ref, target, leap)
    tests: list[ir.Expr] = []
    if mover.every is not None:
        count = evaluate_whole(ctx, mover.every)
        if count is not None and count.low >= 1:
            tests.append(ir.eq(ir.mod(ir.load(ctx.writer.step), count), 0))
        elif count is not None:
            least = write(f"max(1, {to_text(mover.every)})") if not isinstance(count, ir.Const) else None
            reason = "`every N steps` needs a whole number, 1 or more"
            ctx.error("bad-value", mover.every.span, reason=reason, help=least)
    if mover.chance is not None:
        chance = evaluate_chance(ctx, mover.chance)
        if chance is not None:
            tests.append(drawn(ctx, chance))
    ctx.block.extend(ir.when(ir.both(*tests), inner.block))


def _plain_policy(ctx: Context, mover: n.Mover, ref: Ref, target: ir.Local, leap: Leap | None) -> None:
    if mover.cells is not None and mover.policy not in {"forward", "patrol"}:
        help = f"only `forward` and `patrol` go several cells: write `moves {mover.policy}`"
        ctx.error(
            "wrong-place",
            mover.cells.span,
            what="a number of cells",
            where=f"beside `{mover.policy}`",
            help=help,
        )
        return
    match mover.policy:
        case "still":
            return
        case "random":
            if mover.neighbours not in {4, 8}:
                chance = re.search(r"\brandom\s+(0?\.\d+)\Z", mover.span.text)
                meant = write(f"random with chance {chance[1]}", place=mover.span) if chance else None
                reason = "`random` goes to one of 4 neighbours, or of 8"
                ctx.error("bad-value", mover.span, reason=reason, help=meant)
            _draw_neighbour(ctx, mover, ref, target, mover.neighbours, None, False)
        case "toward" | "away from":
            if mover.by is not None and mover.by not in METRICS:
                help = did_you_mean(mover.by, METRICS) or f"distances: {listing(METRICS, 'and')}"
                ctx.error(
                    "unknown-word", mover.span.word(mover.by), word=mover.by, of="the distances", help=help
                )
                return
            goal = _nearest(ctx, mover, ref)
            if goal is not None:
                goal = ctx.let("goal", goal)
                inner, there = ctx.inner(), ir.within(goal, 0, ctx.world.cells - 1)
                _draw_neighbour(inner, mover, ref, target, 4, there, mover.policy == "toward")
                ctx.block.extend(ir.when(ir.ge(goal, 0), inner.block))
        case "forward" | "patrol":
            _so_far(ctx, mover, ref, target, leap)
        case name if name in plug_ins(MOVERS_GROUP):
            _ask(ctx, mover, ref, target)
        case _:
            found = plug_ins(MOVERS_GROUP)
            listed = [*(f"{name} K" if name in TARGETED else name for name in POLICIES), *found]
            help = did_you_mean(mover.policy, [*POLICIES, *found]) or f"movers: {listing(listed, 'and')}"
            way = ARROWS.get(mover.policy, mover.policy)
            if way in COMPASS:
                given = f"`{ref.kind.name}(facing={way})`"
                help = f"`facing, moves forward` goes where it faces: {given} in the legend or where it is placed"
            ctx.error("unknown-word", mover.span, word=mover.policy, of="the movers", help=help)


def _so_far(ctx: Context, mover: n.Mover, ref: Ref, target: ir.Local, leap: Leap | None) -> None:
    """Emit that a creature goes ahead, and over how many cells more than one; over none where the number is below 1."""
    if mover.cells is None:
        _ahead(ctx, mover, ref, target, mover.policy == "patrol")
        return
    if leap is None:
        help = "an agent that plays by itself goes one cell a step"
        what = f"`{to_text(mover.cells)}` cells a step"
        ctx.error("wrong-place", mover.cells.span, what=what, where="in what an agent does", help=help)
        return
    count = evaluate_whole(ctx, mover.cells)
    if count is None:
        return
    if count.high < 1:
        reason = f"`{mover.policy} {to_text(mover.cells)}` goes nowhere: write `still`"
        ctx.error("bad-value", mover.cells.span, reason=reason)
        return
    count = ctx.let("count", ir.least((count, ir.const(ctx.world.cells))))
    inner = ctx.inner()
    inner.emit(
        ir.Let(leap.more.name, ir.greatest((ir.sub(count, ir.const(1)), ir.const(0)))),
        ir.Let(leap.which.name, ir.const(leap.movers.index(mover))),
    )
    _ahead(inner, mover, ref, target, mover.policy == "patrol")
    ctx.block.extend(ir.when(ir.ge(count, 1), inner.block))


def _far(ctx: Context, mover: n.Mover, first: ir.Expr, second: ir.Expr) -> ir.Expr:
    """Return how far two cells are apart, as a mover reckons; `_search` was made from the second for paths."""
    if mover.by == "path_distance":
        return path_to(ctx, first, second)
    return distance(ctx, first, second, mover.by or "distance")


def _nearest(ctx: Context, mover: n.Mover, ref: Ref) -> ir.Expr | None:
    """Return the place that a mover has in mind: of several of a kind the nearest, the first of a tie."""
    node = mover.target
    kind = ctx.world.kinds.get(node.name) if isinstance(node, n.KindName) else None
    is_itself = kind is not None and kind is ref.kind
    known = isinstance(node, n.KindName) and node.name in ctx.scope and not is_itself
    if kind is None or known or not _can_be_several(ctx.writer, kind):
        return None if node is None else place_of(ctx, node)
    cells = ctx.world.cells
    here = here_of(ctx, ref)
    goal = ctx.variable("goal", ir.const(-1), -1, cells - 1)
    attributes = dict(node.arguments) if isinstance(node, n.Pattern) else {}
    if mover.by == "path_distance":
        search_from(ctx, here, mover.avoiding)
    zero: ir.Expr = ir.Const(0.0, "real") if mover.by == "euclid" else ir.const(0)
    least = ctx.variable("least", zero, 0, cells * 2)

    def consider(inner: Context, other: Ref) -> None:
        cell = inner.let("there", cell_of(inner, other))
        far = inner.let("far", _far(inner, mover, cell, here))
        nearer = ir.either(ir.lt(goal, 0), ir.Op("<", (far, least), "bool", 0, 1))
        nearer = ir.both(nearer, matches(inner, other, attributes), ir.ge(cell, 0))
        if other.category == ref.category:
            nearer = ir.both(ir.ne(other.index, ref.index), nearer)
        inner.block.extend(ir.when(nearer, [ir.Let(least.name, far), ir.Let(goal.name, cell)]))

    for_each(ctx, kind, consider)
    return goal


def _can_be_several(writer: Writer, kind: Kind) -> bool:
    """Whether there can be more than one of a kind, so that its name alone names none."""
    world = writer.world
    if kind.category == "agent":
        return sum(kind.name == "agent" or each is kind for each in world.agents) > 1
    return may_be_several(writer.facts, kind)


def here_of(ctx: Context, ref: Ref) -> ir.Expr:
    """Return the cell of what moves, which is on the map."""
    world, writer = ctx.world, ctx.writer
    slot = writer.agent_cell if ref.category == "agent" else writer.object_cell
    return ctx.let("here", ir.claim(ir.load(slot, ref.index), 0, world.cells - 1, ON_MAP))


def is_open(ctx: Context, mover: n.Mover, ref: Ref, cell: ir.Expr, direction: ir.Expr) -> ir.Expr:
    """Return whether a creature can go to a cell in this direction."""
    if ref.category == "agent":
        free = ir.both(ir.invert(blocks(ctx, cell, "solid")), one_way_allows(ctx, cell, direction))
        blocked_by_agents = ctx.world.agents_block
    else:
        free = ir.both(free_for_object(ctx, cell, ref.kind.layer), one_way_allows(ctx, cell, direction))
        blocked_by_agents = ref.kind.solid is not None
    if blocked_by_agents:
        free = ir.both(free, ir.invert(agent_at(ctx, cell)))
    if mover.avoiding is not None:
        free = ir.both(free, ir.invert(is_avoided(ctx, cell, mover.avoiding)))
    return free


def _draw_neighbour(
    ctx: Context,
    mover: n.Mover,
    ref: Ref,
    target: ir.Local,
    count: int,
    goal: ir.Expr | None,
    nearer: bool,
) -> None:
    """Set ``target`` to a free neighbour: any, or the one whose distance to a goal is best; ties are drawn."""
    world, writer = ctx.world, ctx.writer
    here = here_of(ctx, ref)
    candidates = writer.scratch("NEIGHBOUR", 9, 0, world.cells - 1)  # room for one more, see `print_function`
    found = ctx.variable("found", ir.const(0), 0, 8)
    if goal is not None and mover.by == "path_distance":
        search_from(ctx, goal, mover.avoiding)
    now = None if goal is None else ctx.let("now", _far(ctx, mover, here, goal))
    # A step changes the Manhattan distance by one, so that all that are better are equally good; not across a border.
    is_unit = (ref.kind.edge or world.spec.edge) != "wrap" and mover.by in {None, "distance"}
    best = None if now is None or is_unit else ctx.variable("best", now, -1, world.cells * 2)
    direction = ir.Local(ctx.names.fresh("d"), "int", 0, count - 1)
    body = ctx.inner()
    cell = body.let("cell", writer.next_cell(here, direction, ref.kind.edge))
    known = body.let("beside", ir.greatest((cell, ir.const(0))))
    inner = body.inner()
    loop = ir.collected(candidates, found) if best is None else ir.For
    take: ir.Block = [
        ir.Store(candidates, found, known),
        ir.Let(found.name, ir.Op("+", (found, ir.const(1)), "int", 0, 8)),
    ]
    tests = [ir.ge(cell, 0), is_open(body, mover, ref, known, direction)]
    if goal is not None and now is not None:
        within = body if best is None else inner
        far = within.let("far", _far(within, mover, known, goal))
        least = now if best is None else best
        better: ir.Expr = ir.Op("<" if nearer else ">", (far, least), "bool", 0, 1)
        if best is None:
            tests.append(better)
            inner.emit(ir.Hit(known))
        else:
            inner.block.extend(ir.when(better, [ir.Let(best.name, far), ir.Let(found.name, ir.const(0))]))
            better = ir.both(ir.Op("==", (far, best), "bool", 0, 1), ir.ne(far, now))
            inner.block.extend(ir.when(better, take))
    else:
        inner.emit(ir.Hit(known))
    body.block.extend(ir.when(ir.both(*tests), inner.block))
    ctx.emit(loop(direction.name, ir.const(0), ir.const(count), body.block))
    pick = ir.load(candidates, ir.drawn(found, 7))
    ctx.emit(ir.If(ir.compare(">", found, ir.const(0)), [ir.Let(target.name, pick)], []))


def _ask(ctx: Context, mover: n.Mover, ref: Ref, target: ir.Local) -> None:
    """Ask a plug-in for a direction; what is not free there is bumped into."""
    world, writer = ctx.world, ctx.writer
    function = writer.function_name(("plug_in", "mover", mover.policy))
    plug_in = PlugIn(MOVERS_GROUP, mover.policy, "moves creatures", mover.span)
    writer.plug_ins.setdefault(function, plug_in)
    here = ctx.let("here", ir.claim(ir.load(writer.object_cell, ref.index), 0, world.cells - 1, ON_MAP))
    direction = ir.Local(ctx.names.fresh("d"), "int", 0, 7)
    ways = ctx.variable("ways", ir.const(0), 0, 255)
    body = ctx.inner()
    cell = body.let("cell", writer.next_cell(here, direction, ref.kind.edge))
    known = ir.within(cell, 0, world.cells - 1)
    bits = writer.table("BITS", [1 << code for code in range(8)])
    with_it = ir.claim(
        ir.add(ways, ir.lookup(bits, direction)), 0, 255, "each direction has a bit of its own"
    )
    take = ir.Let(ways.name, with_it)
    free = guarded_condition(body, ir.ge(cell, 0), lambda inner: is_open(inner, mover, ref, known, direction))
    body.block.extend(ir.when(free, [take]))
    ctx.emit(ir.For(direction.name, ir.const(0), ir.const(8), body.block))
    asked = ir.Ask(function, (ref.index, ways), "int", -1, 7)
    way = ctx.let("way", asked)
    going = ctx.inner()
    known_way = ir.within(way, 0, 7)
    ahead = going.let("ahead", writer.next_cell(here, known_way, ref.kind.edge))
    is_free = ir.eq(ir.mod(ir.div(ways, ir.lookup(bits, known_way)), ir.const(2)), 1)
    bump = going.inner()
    happen(bump, "bump", ref, ahead)
    going.block.extend(ir.when(is_free, [ir.Let(target.name, ahead)], bump.block))
    ctx.block.extend(ir.when(ir.ge(way, 0), going.block))


def _ahead(ctx: Context, mover: n.Mover, ref: Ref, target: ir.Local, patrols: bool) -> None:
    """Go ahead until blocked; a patrol turns back there, and goes back in the next step."""
    world, writer = ctx.world, ctx.writer
    words = CARDINALS if ref.category == "agent" else ref.kind.attributes["facing"].domain.words
    codes = [COMPASS.index(word) for word in words if word in CARDINALS]
    if len(codes) < len(words) or len(codes) < 4:
        reason = f"`{mover.policy}` needs a facing in east | south | west | north"
        ctx.error("bad-domain", ref.kind.attributes["facing"].span, reason=reason)
        return
    here = here_of(ctx, ref)
    facing = (
        ir.load(writer.facing, ref.index) if ref.category == "agent" else attribute_expr(ctx, ref, "facing")
    )
    turned = codes != [0, 1, 2, 3]
    way = ctx.let("way", ir.lookup(writer.table(("FACES", *codes), codes), facing) if turned else facing)
    cell = ctx.let("cell", writer.next_cell(here, way, ref.kind.edge))
    known = ir.within(cell, 0, world.cells - 1)
    free = guarded_condition(ctx, ir.ge(cell, 0), lambda inner: is_open(inner, mover, ref, known, way))
    bump = ctx.inner()
    happen(bump, "bump", ref, cell)
    if patrols:
        two = ir.const(2)
        back = writer.turned(way, two) if ref.category == "agent" else ir.mod(ir.add(way, two), ir.const(4))
        turning = ctx.inner()
        backs = [codes.index((code + 2) % 4) for code in codes]
        around = ir.lookup(writer.table(("BACK_OF", *codes), backs), facing) if turned else back
        if ref.category == "agent":
            turning.emit(ir.Store(writer.facing, ref.index, around))
        else:
            set_attribute(turning, ref, "facing", around)
        behind = turning.let("behind", writer.next_cell(here, back, ref.kind.edge))
        known_behind = ir.within(behind, 0, world.cells - 1)
        fits = guarded_condition(
            turning, ir.ge(behind, 0), lambda inner: is_open(inner, mover, ref, known_behind, back)
        )
        turning.block.extend(ir.when(fits, [ir.Let(target.name, behind)]))
        now = cell_of(ctx, replace(ref, on_map=False))  # a rule may have taken it away
        stays = ir.eq(now, here) if bump.block else ir.TRUE
        bump.block.extend(ir.when(stays, turning.block))
    ctx.block.extend(ir.when(free, [ir.Let(target.name, cell)], bump.block))


def movers(world: World) -> list[Kind]:
    """Return the kinds of object that move by themselves."""
    return [kind for kind in world.object_kinds() if kind.moves is not None]
