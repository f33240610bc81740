"""Contest: several agents move at once, cell by cell; who gets a cell that several want, and who may swap.

In each round every agent that is still going wants the next cell of its way. ``contested`` and ``swap`` settle who
gets what; then all go at once, and the events of each follow in order of declaration. An agent that stays in its cell
keeps it; one that follows another goes where that one leaves.
"""

from __future__ import annotations

from collections.abc import Callable

from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.physics import blocks, kept_out, may_be_kept_out, one_way_allows
from griddsl.lowering.clauses.whereabouts import agent_ref
from griddsl.lowering.facts.sent import RAISED
from griddsl.lowering.moving.arriving import happen, leave_and_enter, raise_meeting, stays_there
from griddsl.lowering.moving.motion import passing
from griddsl.lowering.moving.pushing import push, push_layers, pushables
from griddsl.lowering.moving.ways import most_direction
from griddsl.lowering.rules.acts import begin_act
from griddsl.lowering.rules.hearing import event, settles_after
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import World
from griddsl.program import ir

MOVES_DOC = "Move the agents at once, cell by cell."


def way_slot(writer: Writer) -> ir.Slot:
    """Return the slot of the direction in which each agent goes."""
    return writer.scratch("WAY", len(writer.world.agents), 0, 7)


def way_of(writer: Writer, agent: ir.Expr) -> ir.Expr:
    """Return the direction in which an agent goes."""
    way = ir.load(way_slot(writer), agent)
    return ir.claim(way, 0, most_direction(writer), "nobody goes another way")


def left_slot(writer: Writer) -> ir.Slot:
    """Return the slot of how many cells each agent has yet to go."""
    return writer.scratch("TO_GO", len(writer.world.agents), 0, 1000)


def _wish(writer: Writer) -> ir.Slot:
    """Where each agent wants to be after this round."""
    world = writer.world
    return writer.scratch("WISH", len(world.agents), 0, world.cells - 1)


def _lost(writer: Writer) -> ir.Slot:
    """Which agents do not get the cell that they want."""
    return writer.scratch("LOST", len(writer.world.agents))


def _came_from(writer: Writer) -> ir.Slot:
    """The cell that each agent left in this round; -1 for one that stayed."""
    world = writer.world
    return writer.scratch("CAME_FROM", len(world.agents), -1, world.cells - 1)


def _stood(writer: Writer) -> ir.Slot:
    """The cell in which each agent stood when it chose where to go in this round."""
    world = writer.world
    return writer.scratch("STOOD", len(world.agents), -1, world.cells - 1)


def define_moves(writer: Writer) -> str:
    """Define the function that carries out all moves of a step; return its name."""
    world = writer.world
    ctx = new_function(writer, "rule", "move_agents")
    writer.functions["move_agents"] = ir.function("move_agents", (), ctx.block, MOVES_DOC)
    going = ctx.variable("going", ir.const(1), 0, 1)
    most = world.cells * 4
    rounds = ctx.variable("rounds", ir.const(most), 0, most)
    body = ctx.inner()
    body.emit(
        ir.Let(going.name, ir.const(0)),
        ir.Let(rounds.name, ir.Op("-", (rounds, ir.const(1)), "int", 0, most)),
    )
    _each(body, _want)
    _note_sent(body)
    resolves = world.agents_block or world.spec.swap == "block"
    if resolves:
        body.emit(ir.Do(ir.call(_define_resolve(writer))))
    if pushables(world):
        _each(body, _push_on)
        _note_sent(body)
        if resolves:
            body.emit(ir.Do(ir.call("resolve")))
    _each(body, _go)
    _each(body, lambda inner, agent: _arrive(inner, agent, going))
    if event(world, "meet") is not None:
        begin_act(body)
        _meet(body)
    if any(kind.slide for kind in world.tile_kinds()) or _goes_far(world):
        _each(body, lambda inner, agent: _goes_on(inner, agent, going))
    ctx.emit(ir.While(ir.both(ir.eq(going, 1), ir.compare(">", rounds, ir.const(0))), body.block))
    return "move_agents"


def _goes_far(world: World) -> bool:
    return any(action.cells > 1 for action in world.actions)


def _each(ctx: Context, emit: Callable[[Context, Ref], None]) -> None:
    """Emit a loop over the agents that take part, in order of declaration."""
    world, writer = ctx.world, ctx.writer
    inner = ctx.inner()
    emit(inner, writer.acting)
    body = ir.when(writer.is_in(writer.acting.index), inner.block)
    if inner.block:
        ctx.emit(ir.For("agent", ir.const(0), ir.const(len(world.agents)), body))


def _cell(writer: Writer, agent: ir.Expr) -> ir.Expr:
    return ir.load(writer.agent_cell, agent)


def _moving(writer: Writer, agent: ir.Expr) -> ir.Expr:
    return ir.ne(ir.load(_wish(writer), agent), _cell(writer, agent))


def _want(ctx: Context, ref: Ref) -> None:
    """Emit what an agent wants: the next cell of its way, or its own, with a bump where something is in the way."""
    world, writer = ctx.world, ctx.writer
    here = ctx.let("cell", _cell(writer, ref.index))
    way = way_of(writer, ref.index)
    ctx.emit(ir.Store(_wish(writer), ref.index, here), ir.Store(_lost(writer), ref.index, ir.const(0)))
    if settles_after(world, RAISED):
        ctx.emit(ir.Store(_stood(writer), ref.index, here))
    going = ctx.inner()
    begin_act(going)
    target = going.let("target", writer.next_cell(here, way))
    stopped = going.inner()
    thin_walls = any(level.barriers for level in world.levels)
    off = going.inner()
    happen(off, "bump", ref, target if thin_walls else ir.const(-1))
    off.emit(ir.Store(left_slot(writer), ref.index, ir.const(0)))
    known = ir.Local(getattr(target, "name", "target"), "int", 0, world.cells - 1)
    inside = going.inner()
    blocked = ir.either(blocks(inside, known, "solid"), ir.invert(one_way_allows(inside, known, way)))
    blocked = passing(inside, ref, known, blocked)
    if pushables(world):
        fixed = kept_out(inside, known, way) if may_be_kept_out(writer) else None
        for layer in push_layers(world):
            thing = inside.let("thing", ir.load(writer.layer_slot(layer), known))
            listed = writer.kind_table("PUSHABLE", {kind: kind.pushable for kind in world.object_kinds()})
            kind = ir.load(writer.object_kind, thing)
            pushable = ir.both(ir.ge(thing, 0), ir.compare(">", ir.lookup(listed, kind), ir.const(0)))
            gives_way = ir.invert(pushable) if fixed is None else ir.either(ir.invert(pushable), fixed)
            blocked = ir.both(blocked, gives_way)
    happen(stopped, "bump", ref, known)
    stopped.emit(ir.Store(left_slot(writer), ref.index, ir.const(0)))
    wanted: ir.Block = [ir.Store(_wish(writer), ref.index, known)]
    inside.block.extend(ir.when(blocked, stopped.block, wanted))
    going.block.extend(ir.when(ir.lt(target, 0), off.block, inside.block) if target.low < 0 else inside.block)
    to_go = ir.compare(">", ir.load(left_slot(writer), ref.index), ir.const(0))
    ctx.block.extend(ir.when(to_go, going.block))


def _note_sent(ctx: Context) -> None:
    """Emit that who was sent elsewhere by what it or another bumped into or pushed stays there: its move is over."""
    if settles_after(ctx.world, RAISED):
        ctx.emit(ir.Do(ir.call(_define_note_sent(ctx.writer))))


def _define_note_sent(writer: Writer) -> str:
    if "note_sent" not in writer.functions:
        ctx = new_function(writer, "rule", "note_sent")
        doc = "Let who was sent elsewhere in this round stay there."
        writer.functions["note_sent"] = ir.function("note_sent", (), ctx.block, doc)
        _each(ctx, _stay_where_sent)
    return "note_sent"


def _stay_where_sent(ctx: Context, ref: Ref) -> None:
    writer = ctx.writer
    here = _cell(writer, ref.index)
    over: ir.Block = [
        ir.Store(_wish(writer), ref.index, here),
        ir.Store(_stood(writer), ref.index, here),
        ir.Store(left_slot(writer), ref.index, ir.const(0)),
        ir.Store(_lost(writer), ref.index, ir.const(0)),
    ]
    ctx.block.extend(ir.when(ir.ne(here, ir.load(_stood(writer), ref.index)), over))


def _push_on(ctx: Context, ref: Ref) -> None:
    """Emit the push of what is in the cell that an agent gets; where it does not give way, the agent stays."""
    writer = ctx.writer
    _note_sent(ctx)
    target = ctx.let("target", ir.load(_wish(writer), ref.index))
    way = way_of(writer, ref.index)
    inner = ctx.inner()
    begin_act(inner)
    stays: ir.Block = [
        ir.Store(_wish(writer), ref.index, _cell(writer, ref.index)),
        ir.Store(left_slot(writer), ref.index, ir.const(0)),
    ]
    push(inner, ref, target, way, stays, in_round=True)
    ctx.block.extend(ir.when(_moving(writer, ref.index), inner.block))


def _go(ctx: Context, ref: Ref) -> None:
    writer = ctx.writer
    came, wish = _came_from(writer), _wish(writer)
    gone: ir.Block = [
        ir.Store(came, ref.index, _cell(writer, ref.index)),
        ir.Store(writer.agent_cell, ref.index, ir.load(wish, ref.index)),
    ]
    ctx.block.extend(ir.when(_moving(writer, ref.index), gone, [ir.Store(came, ref.index, ir.const(-1))]))


def _arrive(ctx: Context, ref: Ref, going: ir.Local) -> None:
    """Emit the events of an agent that went, or the bump of one that did not get the cell it wanted."""
    world, writer = ctx.world, ctx.writer
    came = ctx.let("came", ir.load(_came_from(writer), ref.index))
    known = ir.Local(getattr(came, "name", "came"), "int", 0, world.cells - 1)
    arriving = ctx.inner()
    target = ir.load(_wish(writer), ref.index)
    begin_act(arriving)
    leave_and_enter(arriving, ref, known, target, agents=False)
    lost = ctx.inner()
    if event(world, "bump") is not None:
        begin_act(lost)
        way = way_of(writer, ref.index)
        ahead = lost.let("ahead", writer.next_cell(_cell(writer, ref.index), way))
        happen(lost, "bump", ref, ahead)
    lost.emit(ir.Store(left_slot(writer), ref.index, ir.const(0)))
    has_lost = ir.eq(ir.load(_lost(writer), ref.index), 1)
    if settles_after(world, RAISED):
        has_lost = ir.both(has_lost, ir.eq(_cell(writer, ref.index), ir.load(_stood(writer), ref.index)))
    stayed = ir.when(has_lost, lost.block)
    ctx.block.extend(ir.when(ir.ge(came, 0), arriving.block, stayed))


def _goes_on(ctx: Context, ref: Ref, going: ir.Local) -> None:
    """Emit whether an agent that went goes on: over its next cell, or on sliding ground."""
    world, writer = ctx.world, ctx.writer
    left = left_slot(writer)
    to_go = ctx.variable("to_go", ir.sub(ir.load(left, ref.index), ir.const(1)), -1, 1000)
    slides = {kind: int(kind.slide) for kind in world.tile_kinds()}
    if any(slides.values()):
        on_ice = ir.eq(
            ir.lookup(writer.kind_table("SLIDE", slides), writer.tile_at(_cell(writer, ref.index))), 1
        )
        ctx.block.extend(ir.when(ir.both(ir.lt(to_go, 1), on_ice), [ir.Let(to_go.name, ir.const(1))]))
    went = ir.ge(ir.load(_came_from(writer), ref.index), 0)
    goes = ir.both(
        went, stays_there(ctx, ref, ir.load(_wish(writer), ref.index)), ir.compare(">", to_go, ir.const(0))
    )
    on: ir.Block = [ir.Store(left, ref.index, to_go), ir.Let(going.name, ir.const(1))]
    ctx.emit(ir.If(goes, on, [ir.Store(left, ref.index, ir.const(0))]))


def _meet(ctx: Context) -> None:
    """Emit ``meet`` of two agents that ended in one cell, or changed places."""
    world, writer = ctx.world, ctx.writer
    count, came = len(world.agents), _came_from(writer)
    first = ir.Local(ctx.names.fresh("agent"), "int", 0, count - 1)
    second = ir.Local(ctx.names.fresh("other"), "int", 0, count - 1)
    body, met = ctx.inner(), ctx.inner()
    went = [ir.load(came, each) for each in (first, second)]
    together = ir.both(
        ir.eq(_cell(writer, first), _cell(writer, second)), ir.either(*(ir.ge(cell, 0) for cell in went))
    )
    swapped = ir.both(ir.eq(_cell(writer, first), went[1]), ir.eq(_cell(writer, second), went[0]))
    both_in = ir.both(writer.is_in(first), writer.is_in(second))
    raise_meeting(met, agent_ref(met, first), agent_ref(met, second))
    test = ir.either(together, swapped) if world.spec.swap == "allow" else together
    body.block.extend(ir.when(ir.both(both_in, test), met.block))
    inner = ir.For(second.name, ir.add(first, ir.const(1)), ir.const(count), body.block)
    ctx.emit(ir.For(first.name, ir.const(0), ir.const(count), [inner]))


# Who gets a cell


def _define_resolve(writer: Writer) -> str:
    """Define ``resolve``: those that do not get their cell stay, until nobody stands in another's way."""
    world = writer.world
    ctx = new_function(writer, "rule", "resolve")
    doc = f"Settle who gets a cell: contested: {world.spec.contested}, swap: {world.spec.swap}."
    writer.functions["resolve"] = ir.function("resolve", (), ctx.block, doc)
    again = ctx.variable("again", ir.const(1), 0, 1)
    body = ctx.inner()
    body.emit(ir.Let(again.name, ir.const(0)))
    _each(body, lambda inner, agent: _judge(inner, agent, again))
    stays: ir.Block = [ir.Store(_wish(writer), writer.acting.index, _cell(writer, writer.acting.index))]
    if world.spec.contested == "freeze_all":
        freeze: ir.Block = [
            ir.If(
                _moving(writer, writer.acting.index),
                [ir.Store(_lost(writer), writer.acting.index, ir.const(1))],
                [],
            ),
            *stays,
        ]
        everyone = ir.For("agent", ir.const(0), ir.const(len(world.agents)), freeze)
        body.emit(ir.If(ir.eq(again, 1), [everyone, ir.Break()], []))
    else:
        lost = ir.both(
            ir.eq(ir.load(_lost(writer), writer.acting.index), 1), _moving(writer, writer.acting.index)
        )
        body.emit(ir.For("agent", ir.const(0), ir.const(len(world.agents)), ir.when(lost, stays)))
    ctx.emit(ir.While(ir.eq(again, 1), body.block))
    return "resolve"


def _judge(ctx: Context, ref: Ref, again: ir.Local) -> None:
    """Emit whether an agent loses the cell that it wants, as all wishes are now."""
    world, writer = ctx.world, ctx.writer
    wish, lost, count = _wish(writer), _lost(writer), len(world.agents)
    other = ir.Local(ctx.names.fresh("other"), "int", 0, count - 1)
    body = ctx.inner()
    same = ir.eq(ir.load(wish, other), ir.load(wish, ref.index))
    stays = ir.invert(_moving(writer, other))
    tests: list[ir.Expr] = []
    inner = ctx.inner()
    rank: ir.Local | None = None
    rivals: ir.Local | None = None
    match world.spec.contested:
        case "block" | "freeze_all":
            tests.append(same)
        case "first":
            tests.append(ir.both(same, ir.either(stays, ir.lt(other, ref.index))))
        case "random":
            tests.append(ir.both(same, stays))
            rank = inner.variable("rank", ir.const(0), 0, count)
            rivals = inner.variable("rivals", ir.const(1), 1, count)
            one: ir.Block = [
                ir.Let(
                    rivals.name, ir.claim(ir.add(rivals, ir.const(1)), 1, count, "no agent is its own rival")
                ),
                ir.If(
                    ir.lt(other, ref.index),
                    [ir.Let(rank.name, ir.Op("+", (rank, ir.const(1)), "int", 0, count))],
                    [],
                ),
            ]
            body.block.extend(
                ir.when(ir.both(ir.ne(other, ref.index), writer.is_in(other), same, ir.invert(stays)), one)
            )
    if world.spec.swap == "block":
        tests.append(
            ir.both(
                ir.eq(ir.load(wish, other), _cell(writer, ref.index)),
                ir.eq(ir.load(wish, ref.index), _cell(writer, other)),
            )
        )
    loses: ir.Block = [ir.Store(lost, ref.index, ir.const(1)), ir.Let(again.name, ir.const(1))]
    rival = ir.both(ir.ne(other, ref.index), writer.is_in(other), ir.either(*tests))
    body.block.extend(ir.when(rival, loses))
    inner.emit(ir.For(other.name, ir.const(0), ir.const(count), body.block))
    if rank is not None and rivals is not None:
        _draw_winner(inner, ref, rank, rivals, loses)
    ctx.block.extend(ir.when(_moving(writer, ref.index), inner.block))


def _draw_winner(ctx: Context, ref: Ref, rank: ir.Local, rivals: ir.Local, loses: ir.Block) -> None:
    """Emit the draw of who gets a cell: the first of the rivals draws for all of them."""
    world, writer = ctx.world, ctx.writer
    winner = writer.scratch("WINNER", world.cells, 0, len(world.agents))
    target = ir.load(_wish(writer), ref.index)
    draw = ir.drawn(rivals, len(world.agents) - 1)
    contest: ir.Block = [
        ir.If(ir.eq(rank, 0), [ir.Store(winner, target, draw)], []),
        ir.If(ir.ne(ir.load(winner, target), rank), list(loses), []),
    ]
    ctx.block.extend(ir.when(ir.compare(">", rivals, ir.const(1)), contest))
