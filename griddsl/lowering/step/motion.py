"""Motion: moves cell by cell, pushing, drifting, sliding, and the events they raise (step order, phase 4)."""

from __future__ import annotations

from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.meaning import drawn, evaluate_chance, evaluate_number
from griddsl.lowering.clauses.physics import agent_at, blocks, drift_amount, one_way_allows
from griddsl.lowering.clauses.things import cell_of, column, row
from griddsl.lowering.clauses.unknown import report_unknown
from griddsl.lowering.conditions.finding import found_in_cell
from griddsl.lowering.effects.relocation import settle
from griddsl.lowering.rules import meeting
from griddsl.lowering.rules.events import event, raise_event, settles_after
from griddsl.lowering.rules.meeting import can_meet
from griddsl.lowering.rules.performing import settles
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import of_rules
from griddsl.lowering.world.actions import Action, Group
from griddsl.lowering.world.compass import STEPS
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.plug_ins import plug_ins
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import World
from griddsl.program import ir
from griddsl.program.view import MOVERS_GROUP
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

ROW = "a row that was pushed lies on the map"


def pushables(world: World) -> bool:
    """Whether any object can be pushed."""
    return any(kind.pushable for kind in world.object_kinds())


def could_move(ctx: Context, action: Action, agent: Ref) -> ir.Expr:
    """Return whether a move would go at least one cell, pushing what is in its way, without any luck."""
    world, writer = ctx.world, ctx.writer
    direction: ir.Expr
    if action.direction is not None:
        direction = ir.const(action.direction)
    else:
        direction = writer.turned(ir.load(writer.facing, agent.index), ir.const(action.relative or 0))
    goes: ir.Expr = ir.TRUE
    if action.reach is not None and (cells := evaluate_number(ctx, action.reach)) is not None:
        cells = ctx.let("cells", cells)
        opposite = ir.lookup(writer.table("OPPOSITE", [2, 3, 0, 1, 6, 7, 4, 5]), direction)
        direction, goes = ctx.let("way", ir.select(ir.lt(cells, 0), opposite, direction)), ir.ne(cells, 0)
    target = ctx.let("target", writer.next_cell(cell_of(ctx, agent), direction))
    known = ir.within(target, 0, world.cells - 1)
    inner = ctx.inner()
    blocked = ir.either(blocks(inner, known, "solid"), ir.invert(one_way_allows(inner, known, direction)))
    gives_way = [
        ir.call(_could_push(writer, layer), known, direction, low=-1, high=1) for layer in push_layers(world)
    ]
    if any(kind.pushable and kind.solid is not None for kind in world.object_kinds()):
        pushed = ir.either(*(ir.eq(each, 1) for each in gives_way))
        blocked = ir.both(blocked, ir.invert(pushed))
    if world.agents_block:
        blocked = ir.either(blocked, agent_at(inner, known))
    blocked = _passing_surely(inner, action, known, blocked)
    test = ir.both(*(ir.ge(each, 0) for each in gives_way), ir.invert(blocked))
    free = ctx.variable("free", ir.FALSE, 0, 1)
    inner.emit(ir.Let(free.name, test))
    ctx.block.extend(ir.when(ir.both(goes, ir.ge(target, 0)), inner.block))
    return ir.Local(free.name, "bool", 0, 1)


def _passing_surely(ctx: Context, action: Action, cell: ir.Expr, blocked: ir.Expr) -> ir.Expr:
    """Return whether a move is stopped, where it goes ``through`` K: it surely passes only where it needs no luck."""
    kind = ctx.world.kinds.get(getattr(action.through, "name", ""))
    if kind is None:
        return blocked
    there = found_in_cell(ctx, cell, kind, dict(getattr(action.through, "arguments", ())), None)
    chance = evaluate_chance(ctx, action.chance) if action.chance is not None else ir.const(1)
    sure = ir.TRUE if chance is None else ir.compare(">=", chance, ir.const(1))
    return ir.select(there, ir.invert(sure), blocked)


def _could_push(writer: Writer, layer: str) -> str:
    """Return the name of the function that says whether what lies in a cell gives way: 1, 0 for nothing, -1 if not."""
    world = writer.world
    name = writer.function_name(("could_push", layer))
    if name in writer.functions:
        return name
    ctx = new_function(writer, "rule", name, "cell", "direction")
    doc = "Whether a row of objects gives way: 1, 0 where nothing has to, -1 where it does not."
    writer.functions[name] = ir.function(name, ("cell", "direction"), ctx.block, doc)
    at, kinds = writer.layer_slot(layer), writer.object_slot("KIND")
    listed = writer.kind_table("PUSHABLE", {kind: kind.pushable for kind in world.object_kinds()})
    direction = ir.Local("direction", "int", 0, most_direction(writer))
    first = ir.Local("cell", "int", 0, world.cells - 1)
    most = _longest_row(world)
    nothing: ir.Block = [ir.Return((ir.const(0),))]
    stuck: ir.Block = [ir.Return((ir.const(-1),))]
    nearest = ctx.let("nearest", ir.load(at, first))
    ctx.block.extend(ir.when(ir.lt(nearest, 0), nothing))
    nearest = ir.claim(nearest, 0, writer.facts.capacity - 1, "something lies there")
    left = ctx.variable("left", ir.lookup(listed, ir.load(kinds, nearest)), -1, most)
    ctx.block.extend(ir.when(ir.eq(left, 0), nothing))
    end = ctx.variable("end", first, 0, world.cells - 1)
    body = ctx.inner()
    in_row = body.let(
        "in_row", ir.claim(ir.load(at, end), 0, writer.facts.capacity - 1, "something lies there")
    )
    limit = ir.either(ir.eq(ir.lookup(listed, ir.load(kinds, in_row)), 0), ir.eq(left, 0))
    body.block.extend(ir.when(limit, stuck))
    body.emit(ir.Let(left.name, ir.claim(ir.sub(left, ir.const(1)), -1, most, "at 0 the row is too long")))
    beyond = body.let("beyond", writer.next_cell(end, direction))
    body.block.extend(ir.when(ir.lt(beyond, 0), stuck))
    body.emit(ir.Let(end.name, ir.claim(beyond, 0, world.cells - 1, "it is on the grid")))
    ctx.emit(ir.While(ir.ge(ir.load(at, end), 0), body.block))
    stopped = ir.either(
        blocks(ctx, end, "solid"), agent_at(ctx, end), ir.invert(one_way_allows(ctx, end, direction))
    )
    ctx.block.extend(ir.when(stopped, stuck))
    ctx.emit(ir.Return((ir.const(1),)))
    return name


def stands(writer: Writer, ref: Ref) -> ir.Expr:
    """Return the cell of an agent that moves, and so takes part."""
    return ir.load(writer.agent_cell, ref.index)


def call_move(ctx: Context, agent: Ref, direction: ir.Expr, cells: ir.Expr) -> None:
    """Emit a whole move: its cells, drift and slide."""
    world, writer = ctx.world, ctx.writer
    if not goes_on(world) and not drifts(world):
        ctx.emit(ir.Do(_advance_call(writer, direction, agent)))
        return
    if "move" not in writer.functions:
        _define_move(writer)
    ctx.emit(ir.Do(ir.call("move", agent.index, direction, *([cells] if _counts_cells(world) else []))))


def drifts(world: World) -> list[Kind]:
    """Return the kinds of ground that drift."""
    return [kind for kind in world.tile_kinds() if kind.drift is not None]


def _counts_cells(world: World) -> bool:
    """Whether moves differ in their number of cells; staying on drifting ground is a move of none."""
    stays = any(action.verb == "stay" for action in world.actions)
    return any(action.cells > 1 for action in world.actions) or (stays and bool(drifts(world)))


def most_cells(world: World) -> int:
    """Return over how many cells a move goes at the most."""
    return max((action.cells for action in world.actions), default=1)


def goes_on(world: World) -> bool:
    """Whether a move can go on after its first cell, so that it matters what happened there."""
    return _counts_cells(world) or any(kind.slide for kind in world.tile_kinds())


def _stop(world: World) -> ir.Return:
    """The end of an ``advance`` that was stopped."""
    return ir.Return((ir.const(0),) if goes_on(world) else ())


def _define_move(writer: Writer) -> None:
    """Define ``move``: the cells of the move (drift joined to them), then sliding."""
    world = writer.world
    several = _counts_cells(world)
    parameters = ("agent", "direction", *(("cells",) if several else ()))
    ctx = new_function(writer, "rule", "move", *parameters)
    writer.functions["move"] = ir.function(
        "move", parameters, ctx.block, "Move an agent: its cells, then sliding."
    )
    ref = writer.acting
    direction = ir.Local("direction", "int", 0, most_direction(writer))
    cells: ir.Expr = ir.Local("cells", "int", 0, most_cells(world)) if several else ir.const(1)
    slides = any(kind.slide for kind in world.tile_kinds())
    going = ctx.variable("going", ir.const(0), 0, 1) if goes_on(world) else None
    plain = ctx.inner()
    _walk(plain, ref, direction, cells, several, going)
    if drifts(world):
        drift = ctx.inner()
        _drift(drift, ref, direction, cells, going)
        here = ctx.let("tile", writer.tile_at(stands(ctx.writer, ref)))
        blown = ir.either(*(ir.eq(here, kind.code) for kind in drifts(world)))
        ctx.block.extend(ir.when(blown, drift.block, plain.block))
    else:
        ctx.block.extend(plain.block)
    if slides and going is not None:
        _slide(ctx, ref, direction, going)


def most_direction(writer: Writer) -> int:
    """Return the highest direction of a move: 3, or 7 where diagonals are among them."""
    world = writer.world
    directions = [a.direction for a in world.actions if a.direction is not None]
    movers = [role.moves for role in world.roles if role.moves is not None]
    is_diagonal = any(direction > 3 for direction in directions) or any(reach(mover) > 4 for mover in movers)
    if any(action.relative is not None for action in world.actions):
        is_diagonal = is_diagonal or writer.facts.faces_diagonally
    return 7 if is_diagonal else 3


def reach(mover: n.Mover) -> int:
    """Return to how many neighbours a mover may go: 4, or 8 where it says so or an installed package moves it."""
    parts = [node for node in walk(mover) if isinstance(node, n.Mover)]
    return 8 if any(part.neighbours == 8 or part.policy in plug_ins(MOVERS_GROUP) for part in parts) else 4


def _walk(
    ctx: Context, ref: Ref, direction: ir.Expr, cells: ir.Expr, several: bool, going: ir.Local | None
) -> None:
    """Emit the cells of a plain move; ``going`` is 1 where nothing stopped it."""
    advance = _advance_call(ctx.writer, direction, ref)
    if going is None:
        ctx.emit(ir.Do(advance))
    elif not several:
        ctx.emit(ir.Let(going.name, advance))
    else:
        body: ir.Block = [ir.Let(going.name, advance), ir.If(ir.eq(going, 0), [ir.Break()], [])]
        ctx.emit(ir.For(ctx.names.fresh("i"), ir.const(0), cells, body))


def _advance_call(writer: Writer, direction: ir.Expr, ref: Ref) -> ir.Call:
    if "advance" not in writer.functions:
        _define_advance(writer)
    return ir.call("advance", ref.index, direction, low=0, high=1)


_ADVANCE_DOC = {
    False: "Move an agent one cell.",
    True: "Move an agent one cell; 1 if the move can go on from there.",
}


def _define_advance(writer: Writer) -> None:
    """Define ``advance``: one cell in a direction, with its events."""
    world = writer.world
    ctx = new_function(writer, "rule", "advance", "agent", "direction")
    writer.functions["advance"] = ir.function(
        "advance", ("agent", "direction"), ctx.block, _ADVANCE_DOC[goes_on(world)]
    )
    ref = writer.acting
    direction = ir.Local("direction", "int", 0, most_direction(writer))
    here = ctx.let("cell", stands(ctx.writer, ref))
    target = ctx.let("target", writer.next_cell(here, direction))
    if target.low < 0:
        off = ctx.inner()
        thin_walls = any(level.barriers for level in world.levels)
        happen(off, "bump", ref, target if thin_walls else ir.const(-1))
        off.emit(_stop(world))
        ctx.block.extend(ir.when(ir.lt(target, 0), off.block))
    if world.spec.edge == "clip" and most_direction(writer) == 7 and event(world, "bump") is not None:
        _clipped_bump(ctx, ref, here, target, direction)
    known = ir.within(target, 0, world.cells - 1)
    if pushables(world):
        push(ctx, ref, known, direction, [_stop(world)])
    blocked = ir.either(blocks(ctx, known, "solid"), ir.invert(one_way_allows(ctx, known, direction)))
    if world.agents_block:
        blocked = ir.either(blocked, agent_at(ctx, known))
    bump = ctx.inner()
    happen(bump, "bump", ref, known)
    bump.emit(_stop(world))
    ctx.block.extend(ir.when(passing(ctx, ref, known, blocked), bump.block))
    arrive(ctx, ref, here, known)


def _clipped_bump(ctx: Context, ref: Ref, here: ir.Expr, target: ir.Expr, direction: ir.Expr) -> None:
    """A diagonal move that was clipped at one border goes on along it, and bumps."""
    straight = ir.either(
        ir.eq(column(ctx, here), column(ctx, target)), ir.eq(row(ctx, here), row(ctx, target))
    )
    inner = ctx.inner()
    _bump_into_border(inner, ref, here, _stop(ctx.world))
    ctx.block.extend(ir.when(ir.both(ir.compare(">", direction, ir.const(3)), straight), inner.block))


def _bump_into_border(ctx: Context, ref: Ref, here: ir.Expr, stop: ir.Stmt) -> None:
    """Emit a bump at which a move goes on along the border: not one that is sent away, or at an end that it brings."""
    writer = ctx.writer
    going = ctx.let("going", writer.goes_on())
    happen(ctx, "bump", ref, ir.const(-1))
    stays = ir.eq(ir.load(writer.agent_cell, ref.index), here)
    may_go = ir.either(ir.invert(going), writer.goes_on())
    ctx.block.extend(ir.when(ir.invert(ir.both(stays, writer.is_in(ref.index), may_go)), [stop]))


def happen(ctx: Context, name: str, subject: Ref, *values: ir.Expr) -> None:
    """Emit an event, and the relocations that its rules can have asked for."""
    raise_event(ctx, name, subject, *values)
    found = event(ctx.world, name, subject.category == "object")
    if found is not None and any(settles(ctx.world, rule.effects) for _, rule in found.rules):
        settle(ctx)


def settle_if_needed(ctx: Context, *events: str) -> None:
    """Emit the relocations that the rules of these events can have asked for."""
    if settles_after(ctx.world, events):
        settle(ctx)


def arrive(ctx: Context, ref: Ref, here: ir.Expr, target: ir.Expr) -> None:
    """Emit that the agent stands in a new cell: leave, enter, meet; return 1 if it is still there, the game on."""
    ctx.emit(ir.Store(ctx.writer.agent_cell, ref.index, target))
    leave_and_enter(ctx, ref, here, target)
    if goes_on(ctx.world):
        ctx.emit(ir.Return((ir.as_number(stays_there(ctx, ref, target)),)))


def leave_and_enter(ctx: Context, ref: Ref, here: ir.Expr, target: ir.Expr, agents: bool = True) -> None:
    """Emit the events of an agent that has come to a cell: leave, enter, meet (with ``agents``, of those too)."""
    world, writer = ctx.world, ctx.writer
    raise_event(ctx, "leave", ref, here)
    if event(world, "leave") is not None:
        settle_if_needed(ctx, "leave")
        still = ir.both(ir.eq(ir.load(writer.agent_cell, ref.index), target), writer.is_in(ref.index))
        entering = ctx.inner()
        _enter_and_meet(entering, ref, target, agents)
        ctx.block.extend(ir.when(still, entering.block))
    else:
        _enter_and_meet(ctx, ref, target, agents)


def stays_there(ctx: Context, ref: Ref, target: ir.Expr) -> ir.Expr:
    """Return whether an agent is still in the cell that it came to, and the game on, so that its move can go on."""
    world, writer = ctx.world, ctx.writer
    tests = [ir.eq(ir.load(writer.agent_cell, ref.index), target)] if _sends_away(world) else []
    tests.append(writer.is_in(ref.index))
    tests.append(writer.goes_on())
    return ir.both(*tests)


def _sends_away(world: World) -> bool:
    return any(can.moves for _, can in of_rules(world.spec))


def _enter_and_meet(ctx: Context, ref: Ref, target: ir.Expr, agents: bool = True) -> None:
    writer = ctx.writer
    raise_event(ctx, "enter", ref, target)
    settle_if_needed(ctx, "enter")
    met = ctx.inner()
    meeting.agent_meets(met, ref, target, agents, _settle_meeting)
    ctx.block.extend(ir.when(meeting.is_still_at(writer, ref, target, "enter"), met.block))


def raise_meeting(ctx: Context, first: Ref, second: Ref) -> None:
    """Emit ``meet`` of two agents, for both of them, and what that asks for."""
    meeting.raise_meeting(ctx, first, second)
    _settle_meeting(ctx)


def _settle_meeting(ctx: Context) -> None:
    settle_if_needed(ctx, "meet")


def thing_meets(ctx: Context, ref: Ref, cell: ir.Expr) -> None:
    """Emit that an object which came to a cell meets who is there, and what that asks for."""
    meeting.thing_meets(ctx, ref, cell, _settle_meeting)


def moving_slot(writer: Writer) -> ir.Slot:
    """Return the slot of the action by which each agent moves, by its place among all, plus one; 0 for none."""
    world = writer.world
    return writer.scratch("MOVING", len(world.agents), 0, len(world.actions))


def note_moving(ctx: Context, group: Group | None, chosen: ir.Expr, agent: Ref) -> None:
    """Emit by which action an agent moves, where one goes ``through`` something; one that plays by itself by none."""
    world, writer = ctx.world, ctx.writer
    if all(action.through is None for action in world.actions):
        return
    number = chosen
    if group is not None:
        numbers = [world.actions.index(action) + 1 for action in group.numbered]
        number = ir.lookup(writer.table(("MOVING", group.order), [*numbers, 0]), chosen)
    ctx.emit(ir.Store(moving_slot(writer), agent.index, number))


def passing(ctx: Context, ref: Ref, target: ir.Expr, blocked: ir.Expr) -> ir.Expr:
    """Let a move ``through K`` pass what it names, with its chance."""
    world, writer = ctx.world, ctx.writer
    passing = [action for action in world.actions if action.through is not None]
    if not passing:
        return blocked
    result = ctx.variable("blocked", blocked, 0, 1)
    doing = ir.load(moving_slot(writer), ref.index)
    for action in passing:
        node = action.through
        kind = world.kinds.get(node.name)
        if kind is None:
            report_unknown(ctx, node.name, node.span, is_kind=True)
            continue
        attributes = dict(getattr(node, "arguments", ()))
        inner = ctx.inner()
        there = found_in_cell(inner, target, kind, attributes, None)
        chance = evaluate_chance(inner, action.chance) if action.chance is not None else ir.const(1)
        missed = ir.invert(drawn(inner, chance)) if chance is not None else ir.FALSE
        inner.block.extend(ir.when(there, [ir.Let(result.name, missed)]))
        by_this = ir.eq(doing, world.actions.index(action) + 1)
        ctx.block.extend(ir.when(by_this, inner.block))
    return ir.Local(result.name, "bool", 0, 1)


# Pushing


def push(ctx: Context, ref: Ref, target: ir.Expr, direction: ir.Expr, stop: ir.Block) -> None:
    """Push what is pushable out of the way; where it does not give way, it blocks, and ``stop`` follows."""
    world, writer = ctx.world, ctx.writer
    if "push" not in writer.functions:
        _define_push(writer)
    layers = [
        layer for layer in world.layers if any(k.pushable for k in world.object_kinds() if k.layer == layer)
    ]
    listed = writer.kind_table("PUSHABLE", {kind: kind.pushable for kind in world.object_kinds()})
    here = ctx.let("stood", ir.load(writer.agent_cell, ref.index))
    for layer in layers:
        thing = ctx.let("thing", ir.load(writer.layer_slot(layer), target))
        kind = ir.load(writer.object_slot("KIND"), thing)
        inner = ctx.inner()
        stuck = inner.inner()
        happen(stuck, "bump", ref, target)
        stuck.emit(*stop)
        most = _longest_row(world)
        pushed = inner.let("row", ir.call(_push_on(writer, layer), target, direction, low=0, high=most))
        gave_way = inner.inner()
        row = _noted_row(gave_way, layer, target, direction, pushed)
        happen(gave_way, "push", ref, thing)
        _pushed_events(gave_way, layer, row, target, direction, pushed)
        if settles_after(world, ("push", "enter", "leave", "meet")) or writer.facts.can_leave:
            # Sent elsewhere by a rule, or out: its move ends there.
            went = ir.either(
                ir.ne(ir.load(writer.agent_cell, ref.index), here), ir.invert(writer.is_in(ref.index))
            )
            gave_way.block.extend(ir.when(went, list(stop)))
        if isinstance(stop[-1], ir.Return):
            inner.block.extend(ir.when(ir.eq(pushed, 0), stuck.block))
            inner.block.extend(gave_way.block)
        else:
            inner.block.extend(ir.when(ir.eq(pushed, 0), stuck.block, gave_way.block))
        pushable = ir.both(ir.ge(thing, 0), ir.compare(">", ir.lookup(listed, kind), ir.const(0)))
        ctx.block.extend(ir.when(pushable, inner.block))


def _push_on(writer: Writer, layer: str) -> str:
    """Return the name of the function that pushes what lies on a layer."""
    return writer.function_name("push" if layer == push_layers(writer.world)[0] else ("push", layer))


def push_layers(world: World) -> list[str]:
    """Return the layers on which something can be pushed."""
    return [
        layer for layer in world.layers if any(k.pushable for k in world.object_kinds() if k.layer == layer)
    ]


def _define_push(writer: Writer) -> None:
    for layer in push_layers(writer.world):
        _define_push_on(writer, layer)


def _define_push_on(writer: Writer, layer: str) -> None:
    """Define ``push``: shift a row of objects one cell; how many they were, 0 if it did not give way."""
    world = writer.world
    name = _push_on(writer, layer)
    ctx = new_function(writer, "rule", name, "cell", "direction")
    writer.functions[name] = ir.function(
        name, ("cell", "direction"), ctx.block, "Push a row of objects one cell; return how many gave way."
    )
    at = writer.layer_slot(layer)
    cells, kinds = writer.object_slot("CELL"), writer.object_slot("KIND")
    listed = writer.kind_table("PUSHABLE", {kind: kind.pushable for kind in world.object_kinds()})
    direction = ir.Local("direction", "int", 0, most_direction(writer))
    first = ir.Local("cell", "int", 0, world.cells - 1)
    end = ctx.variable("end", first, 0, world.cells - 1)
    most = _longest_row(world)
    nearest = ir.claim(ir.load(at, first), 0, writer.facts.capacity - 1, "what is pushed lies there")
    last = ctx.variable("last", nearest)
    left = ctx.variable("left", ir.lookup(listed, ir.load(kinds, last)), -1, most)
    member = next(kind for kind in world.object_kinds() if kind.layer == layer)

    def stuck(where: Context, against: ir.Expr) -> ir.Block:
        """The row does not give way: its last object bumps against what is there."""
        inner = where.inner()
        happen(inner, "bump", Ref(member, last), against)
        return [*inner.block, ir.Return((ir.const(0),))]

    body = ctx.inner()
    in_row = body.let("in_row", ir.load(at, end))
    limit = ir.either(ir.eq(ir.lookup(listed, ir.load(kinds, in_row)), 0), ir.eq(left, 0))
    body.block.extend(ir.when(limit, stuck(body, end)))
    body.emit(ir.Let(last.name, in_row))
    fewer = ir.claim(ir.sub(left, ir.const(1)), -1, most, "at 0 the row is too long")
    body.emit(ir.Let(left.name, fewer))
    beyond = body.let("beyond", writer.next_cell(end, direction))
    body.block.extend(ir.when(ir.Op("<", (beyond, ir.const(0)), "bool", 0, 1), stuck(body, beyond)))
    body.emit(ir.Let(end.name, beyond))
    ctx.emit(ir.While(ir.ge(ir.load(at, end), 0), body.block))
    stopped = ir.either(
        blocks(ctx, end, "solid"), agent_at(ctx, end), ir.invert(one_way_allows(ctx, end, direction))
    )
    ctx.block.extend(ir.when(stopped, stuck(ctx, end)))
    _leave_to_agents(ctx, end, stuck(ctx, end))
    thing = ctx.variable("thing", ir.load(at, first), -1, writer.facts.capacity - 1)
    place = ctx.variable("place", first, 0, world.cells - 1)
    pushed = ctx.names.fresh("pushed")
    ctx.emit(ir.Store(at, first, ir.const(-1)))
    count = ctx.variable("count", ir.const(0), 0, most)
    moved = ir.Local(pushed, "int", 0, writer.facts.capacity - 1)
    shift: ir.Block = [
        ir.Let(count.name, ir.claim(ir.add(count, ir.const(1)), 0, most, "no row that gives way is longer")),
        ir.Let(
            place.name,
            ir.claim(writer.next_cell(place, direction), 0, world.cells - 1, "the row ends on the map"),
        ),
        ir.Let(pushed, thing),
        ir.Let(thing.name, ir.load(at, place)),
        ir.Store(at, place, moved),
        ir.Store(cells, moved, place),
    ]
    ctx.emit(ir.While(ir.ge(thing, 0), shift), ir.Return((count,)))


def _leave_to_agents(ctx: Context, cell: ir.Expr, stuck: ir.Block) -> None:
    """Emit that nothing is pushed into a cell that an agent gets in the same round, where all move at once."""
    world, writer = ctx.world, ctx.writer
    if not world.several or world.spec.turns != "simultaneous":
        return
    wish = writer.scratch("WISH", len(world.agents), 0, world.cells - 1)
    index = ir.Local(ctx.names.fresh("i"), "int", 0, len(world.agents) - 1)
    wanted = ir.both(ir.eq(ir.load(wish, index), cell), writer.is_in(index))
    ctx.emit(ir.For(index.name, ir.const(0), ir.const(len(world.agents)), ir.when(wanted, stuck)))


def _longest_row(world: World) -> int:
    """Return how many objects can be pushed at once."""
    return max(kind.pushable for kind in world.object_kinds())


def _noted_row(
    ctx: Context, layer: str, target: ir.Expr, direction: ir.Expr, count: ir.Expr
) -> ir.Slot | None:
    """Emit that the row which was pushed is kept, nearest first, before a rule changes it; None if nobody asks."""
    world, writer = ctx.world, ctx.writer
    if not can_meet(world) and all(event(world, name, True) is None for name in ("enter", "leave")):
        return None
    most = _longest_row(world)
    row = writer.scratch("ROW", most, 0, writer.facts.capacity - 1)
    place = ctx.variable("place", target, 0, world.cells - 1)
    number = ir.Local(ctx.names.fresh("i"), "int", 0, most - 1)
    moved = ir.claim(ir.load(writer.layer_slot(layer), place), 0, writer.facts.capacity - 1, ROW)
    body: ir.Block = [
        ir.Let(place.name, ir.claim(writer.next_cell(place, direction), 0, world.cells - 1, ROW)),
        ir.Store(row, number, moved),
    ]
    ctx.emit(ir.For(number.name, ir.const(0), count, body))
    return row


def _pushed_events(
    ctx: Context, layer: str, row: ir.Slot | None, target: ir.Expr, direction: ir.Expr, count: ir.Expr
) -> None:
    """Emit leave, enter and meet of each object that was pushed, nearest first."""
    world, writer = ctx.world, ctx.writer
    if row is None:
        return
    member = next(kind for kind in world.object_kinds() if kind.layer == layer)
    new = ctx.variable("new", target, 0, world.cells - 1)
    number = ir.Local(ctx.names.fresh("i"), "int", 0, _longest_row(world) - 1)
    body = ctx.inner()
    old = body.variable("old", new, 0, world.cells - 1)
    body.emit(ir.Let(new.name, ir.claim(writer.next_cell(new, direction), 0, world.cells - 1, ROW)))
    moved = Ref(member, body.let("moved", ir.load(row, number)))
    thing_comes(body, moved, old, new)
    ctx.emit(ir.For(number.name, ir.const(0), count, body.block))


def thing_comes(ctx: Context, ref: Ref, old: ir.Expr, cell: ir.Expr) -> None:
    """Emit leave, enter and meet of an object that came to a cell; one that is sent on has no further ones there."""
    happen(ctx, "leave", ref, old)
    entering = ctx.inner()
    happen(entering, "enter", ref, cell)
    thing_meets(entering, ref, cell)
    still = ir.eq(ir.load(ctx.writer.object_slot("CELL"), ref.index), cell)
    ctx.block.extend(ir.when(still, entering.block))


# Drift and slide


def _drift(ctx: Context, ref: Ref, direction: ir.Expr, cells: ir.Expr, going: ir.Local | None) -> None:
    """A move from drifting ground: the displacements add up, and only the last cell is entered."""
    world, writer = ctx.world, ctx.writer
    here = ctx.let("cell", stands(ctx.writer, ref))
    steps_x = writer.table("STEP_X", [step[0] for step in STEPS] + [0])
    steps_y = writer.table("STEP_Y", [step[1] for step in STEPS] + [0])
    size = max(world.width, world.height) + 2000  # a move and what drifts are 1000 each at the most
    x = ctx.variable(
        "x", ir.add(column(ctx, here), ir.mul(ir.lookup(steps_x, direction), cells)), -size, size
    )
    y = ctx.variable("y", ir.add(row(ctx, here), ir.mul(ir.lookup(steps_y, direction), cells)), -size, size)
    tile = ctx.let("tile", writer.tile_at(here))
    for kind in drifts(world):
        assert kind.drift is not None
        inner = ctx.inner(scope={**ctx.scope, kind.name: Ref(kind, here)}, self_ref=ref)
        amount = inner.let("amount", drift_amount(world, kind, inner))
        dx, dy = STEPS[kind.drift[0]]
        if dx:
            inner.emit(ir.Let(x.name, ir.Op("+", (x, ir.mul(amount, ir.const(dx))), "int", -size, size)))
        if dy:
            inner.emit(ir.Let(y.name, ir.Op("+", (y, ir.mul(amount, ir.const(dy))), "int", -size, size)))
        ctx.block.extend(ir.when(ir.eq(tile, kind.code), inner.block))
    one_way = any(kind.one_way is not None for kind in world.tile_kinds())
    dx_made = ctx.let("dx", ir.sub(x, column(ctx, here))) if one_way else ir.const(0)
    dy_made = ctx.let("dy", ir.sub(y, row(ctx, here))) if one_way else ir.const(0)
    inside = ir.both(ir.ge(x, 0), ir.lt(x, world.width), ir.ge(y, 0), ir.lt(y, world.height))
    outside = ctx.inner()
    if world.spec.edge == "wrap":
        outside.emit(
            ir.Let(x.name, ir.mod(x, ir.const(world.width))),
            ir.Let(y.name, ir.mod(y, ir.const(world.height))),
        )
    else:
        if world.spec.edge == "clip":
            if event(world, "bump") is not None:
                _bump_into_border(outside, ref, here, ir.Return(()))
            outside.emit(
                ir.Let(x.name, ir.clamp(x, 0, world.width - 1)),
                ir.Let(y.name, ir.clamp(y, 0, world.height - 1)),
            )
        else:
            happen(outside, "bump", ref, ir.const(-1))
            outside.emit(ir.Return(()))
    ctx.block.extend(ir.when(ir.invert(inside), outside.block))
    target_value = ir.Op("+", (ir.mul(y, ir.const(world.width)), x), "int", 0, world.cells - 1)
    target = ctx.let("target", target_value)
    inner = ctx.inner()
    solid = ir.either(blocks(inner, target, "solid"), ir.invert(_way_allows(inner, dx_made, dy_made, target)))
    bump = inner.inner()
    happen(bump, "bump", ref, target)
    landing = call_land(writer, ref.index, here, target)
    land: ir.Block = [ir.Do(landing) if going is None else ir.Let(going.name, landing)]
    inner.block.extend(ir.when(solid, bump.block, land))
    ctx.block.extend(ir.when(ir.ne(target, here), inner.block))


def _way_allows(ctx: Context, dx: ir.Expr, dy: ir.Expr, target: ir.Expr) -> ir.Expr:
    """Return whether the ground of a drifting move's last cell may be entered the way the whole move leads."""
    world, writer = ctx.world, ctx.writer
    ways = {kind: kind.one_way for kind in world.tile_kinds() if kind.one_way is not None}
    if not ways:
        return ir.TRUE
    way = ctx.let("one_way", ir.lookup(writer.kind_table("ONE_WAY", ways, -1), writer.tile_at(target)))
    length = ctx.let("length", ir.greatest((ir.absolute(dx), ir.absolute(dy))))
    steps_x = writer.table("STEP_X", [step[0] for step in STEPS] + [0])
    steps_y = writer.table("STEP_Y", [step[1] for step in STEPS] + [0])
    straight = ir.both(
        ir.eq(dx, ir.mul(ir.lookup(steps_x, way), length)), ir.eq(dy, ir.mul(ir.lookup(steps_y, way), length))
    )
    return ir.either(ir.lt(way, 0), straight)


def call_land(writer: Writer, agent: ir.Expr, here: ir.Expr, target: ir.Expr) -> ir.Call:
    """Return the call that puts an agent into the last cell of a drifting move or a belt, with its events."""
    if "land" not in writer.functions:
        _define_land(writer)
    return ir.call("land", agent, here, target, low=0, high=1)


def _define_land(writer: Writer) -> None:
    """Define ``land``: the events of an agent that a drifting move or a belt put into a cell."""
    ctx = new_function(writer, "rule", "land", "agent", "here", "target")
    writer.functions["land"] = ir.function(
        "land",
        ("agent", "here", "target"),
        ctx.block,
        "Put an agent into the last cell of a drifting move or a belt.",
    )
    high = writer.world.cells - 1
    arrive(
        ctx,
        writer.acting,
        ir.Local("here", "int", 0, high),
        ir.Local("target", "int", 0, high),
    )


def _slide(ctx: Context, ref: Ref, direction: ir.Expr, going: ir.Local) -> None:
    """Keep going while on sliding ground; each cell is entered. A loop of ice ends after four times its cells."""
    world, writer = ctx.world, ctx.writer
    slides = writer.kind_table("SLIDE", {kind: int(kind.slide) for kind in world.tile_kinds()})
    on_ice = ir.eq(ir.lookup(slides, writer.tile_at(stands(ctx.writer, ref))), 1)
    left = ctx.variable("left", ir.const(world.cells * 4), 0, world.cells * 4)
    body: ir.Block = [
        ir.Let(going.name, _advance_call(writer, direction, ref)),
        ir.Let(left.name, ir.Op("-", (left, ir.const(1)), "int", 0, world.cells * 4)),
    ]
    ctx.emit(ir.While(ir.both(ir.eq(going, 1), on_ice, ir.compare(">", left, ir.const(0))), body))
