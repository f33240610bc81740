"""Handling: picking up, dropping and toggling what is ahead of the agent, or under it where it has no facing."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from griddsl.diagnostics import write
from griddsl.lowering.clauses.attributes import forgotten_attributes
from griddsl.lowering.clauses.carrying import carried_slot
from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.physics import agent_at, blocks
from griddsl.lowering.clauses.things import resolve_thing
from griddsl.lowering.clauses.whereabouts import cell_of, is_of_layer, the_agent
from griddsl.lowering.conditions.finding import find_held, found_in_cell, pattern_kind
from griddsl.lowering.effects.relocation import lift_thing, put_thing, remove_thing
from griddsl.lowering.rules.events import raise_event
from griddsl.lowering.rules.hearing import event
from griddsl.lowering.rules.performing import by_sort, performs, when_there
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import Traits
from griddsl.lowering.world.actions import Action
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.naming import kinds_named
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import World
from griddsl.program import ir
from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text


def _target(ctx: Context, agent: Ref) -> ir.Expr:
    """Return the cell that handling acts on; -1 where the agent faces the border."""
    writer = ctx.writer
    cell = cell_of(ctx, agent)
    if not writer.facts.has_facing:
        return ctx.let("cell", cell)
    return ctx.let("ahead", writer.next_cell(cell, ir.load(writer.facing, agent.index)))


def handle(ctx: Context, action: Action, agent: Ref) -> None:
    """Emit a call of ``pickup``, ``drop`` or ``toggle`` for an agent."""
    verb = action.verb
    name = f"do_{verb}"
    if name not in ctx.writer.functions:
        define = {"pickup": _define_pickup, "drop": _define_drop, "toggle": _define_toggle}[verb]
        define(ctx.writer)
    number = [ir.const(ctx.world.actions.index(action))] if len(_actions_of(ctx.world, verb)) > 1 else []
    ctx.emit(ir.Do(ir.call(name, agent.index, *number)))


def _actions_of(world: World, verb: str) -> list[int]:
    """Return the actions that do a verb: those of several kinds of agent, and those with other names for it."""
    return [number for number, action in enumerate(world.actions) if action.verb == verb]


def _begin(writer: Writer, verb: str, doc: str) -> tuple[Context, Ref]:
    name = f"do_{verb}"
    parameters = ("agent", "action") if len(_actions_of(writer.world, verb)) > 1 else ("agent",)
    ctx = new_function(writer, "rule", name, *parameters)
    writer.functions[name] = ir.function(name, parameters, ctx.block, doc)
    return ctx, writer.acting


def _fail(ctx: Context, verb: str, agent: Ref) -> None:
    actions = _actions_of(ctx.world, verb)
    if len(actions) > 1:
        raise_event(ctx, "fail", agent, ir.Local("action", "int", 0, len(ctx.world.actions) - 1))
    elif actions:
        raise_event(ctx, "fail", agent, ir.const(actions[0]))


def _portable(writer: Writer) -> ir.Table:
    return writer.kind_table("PORTABLE", {kind: int(kind.portable) for kind in writer.world.object_kinds()})


def could_handle(ctx: Context, verb: str, agent: Ref) -> ir.Expr:
    """Return whether the primitive would find something that it could do."""
    world, writer = ctx.world, ctx.writer
    if not world.object_kinds() and verb != "toggle":
        return ir.FALSE
    cell = _target(ctx, agent)
    if verb == "pickup":
        thing = _thing_there(ctx, cell)
        kind = ir.load(writer.object_kind, thing)
        return ir.both(
            ir.ge(thing, 0), ir.eq(ir.lookup(_portable(writer), kind), 1), ir.ge(_free_hand(ctx, agent), 0)
        )
    if verb == "drop":
        hand = _in_hand(ctx, agent)
        carried, _ = carried_slot(ctx)
        return ir.both(ir.ge(hand, 0), _room(ctx, cell, _held(writer, carried, hand)))
    return _toggles(ctx, cell)


def _thing_there(ctx: Context, cell: ir.Expr) -> ir.Expr:
    """Return the topmost object in a cell, or -1."""
    world, writer = ctx.world, ctx.writer
    found: ir.Expr = ir.const(-1)
    for layer in world.layers:
        load = ir.load(writer.layer_slot(layer), ir.within(cell, 0, world.cells - 1))
        here = ctx.let("thing", ir.select(ir.ge(cell, 0), load, ir.const(-1)))
        found = here if found == ir.const(-1) else ir.select(ir.ge(here, 0), here, found)
    return ctx.let("thing", found)


def _free_hand(ctx: Context, agent: Ref) -> ir.Expr:
    """Return the first free place among what the agent carries, or -1."""
    carried, most = carried_slot(ctx)
    if most == 1:
        return ctx.let("hand", ir.select(ir.lt(ir.load(carried, agent.index), 0), agent.index, ir.const(-1)))
    own = [kind.carries or 1 for kind in ctx.world.agents]
    count: ir.Expr = ir.const(most)
    if min(own) < most:
        count = ctx.let("hands", ir.lookup(ctx.writer.table("AGENT_HANDS", own), agent.index))
    return _hand(ctx, agent, carried, most, lambda held: ir.lt(held, 0), count=count)


def _in_hand(ctx: Context, agent: Ref) -> ir.Expr:
    """Return the last place that holds something, or -1."""
    carried, most = carried_slot(ctx)
    if most == 1:
        return ctx.let("hand", ir.select(ir.ge(ir.load(carried, agent.index), 0), agent.index, ir.const(-1)))
    return _hand(ctx, agent, carried, most, lambda held: ir.ge(held, 0), last=True)


def _held(writer: Writer, carried: ir.Slot, hand: ir.Expr) -> ir.Expr:
    """Return what a hand holds that is not empty."""
    return ir.claim(ir.load(carried, hand), 0, writer.facts.capacity - 1, "the hand is full")


def _hand(
    ctx: Context,
    agent: Ref,
    carried: ir.Slot,
    most: int,
    fits: Callable[[ir.Expr], ir.Expr],
    last: bool = False,
    count: ir.Expr | None = None,
) -> ir.Expr:
    hand = ctx.variable("hand", ir.const(-1), -1, carried.length - 1)
    index = ctx.names.fresh("i")
    place = ir.add(ir.mul(agent.index, ir.const(most)), ir.Local(index, "int", 0, most - 1))
    high = ir.const(most) if count is None else count
    loop = ir.last_of(hand) if last else ir.first_of(hand)
    ctx.emit(loop(index, ir.const(0), high, ir.when(fits(ir.load(carried, place)), [ir.Hit(place)])))
    return hand


def _room(ctx: Context, cell: ir.Expr, thing: ir.Expr) -> ir.Expr:
    """Return whether an object can be dropped into a cell: its own layer is empty there, and nothing is solid."""
    world, writer = ctx.world, ctx.writer
    if not world.object_kinds():
        return ir.FALSE
    empty: list[ir.Expr] = []
    code = ir.load(writer.object_kind, thing)
    for layer in world.layers:
        empty.append(
            ir.both(is_of_layer(world, code, layer), ir.lt(ir.load(writer.layer_slot(layer), cell), 0))
        )
    tests = [ir.either(*empty), ir.invert(blocks(ctx, cell, "solid"))]
    if writer.facts.has_facing:
        tests.append(ir.invert(agent_at(ctx, cell)))
    if cell.low < 0:
        tests.insert(0, ir.ge(cell, 0))
    return ir.both(*tests)


def take(ctx: Context, agent: Ref, thing: Ref) -> None:
    """Emit that an agent takes an object, if a hand is free."""
    carried, _ = carried_slot(ctx)
    hand = _free_hand(ctx, agent)
    inner = ctx.inner()
    lift_thing(inner, thing)
    inner.emit(ir.Store(carried, hand, thing.index))
    ctx.block.extend(ir.when(ir.ge(hand, 0), inner.block))


def put_down(ctx: Context, agent: Ref, thing: Ref) -> None:
    """Emit that an agent puts an object down where handling acts, if there is room."""
    carried, most = carried_slot(ctx)
    cell = _target(ctx, agent)
    index = ctx.names.fresh("i")
    place = ir.add(ir.mul(agent.index, ir.const(most)), ir.Local(index, "int", 0, most - 1))
    inner = ctx.inner()
    inner.emit(ir.Store(carried, place, ir.const(-1)))
    put_thing(inner, thing, cell)
    held = ir.eq(ir.load(carried, place), thing.index)
    loop = ir.For(index, ir.const(0), ir.const(most), ir.when(held, inner.block))
    ctx.block.extend(ir.when(_room(ctx, cell, thing.index), [loop]))


def _define_pickup(writer: Writer) -> None:
    world = writer.world
    ctx, agent = _begin(writer, "pickup", "Take the portable object there, if a hand is free.")
    if not world.object_kinds():
        _fail(ctx, "pickup", agent)
        return
    carried, _ = carried_slot(ctx)
    cell = _target(ctx, agent)
    thing = _thing_there(ctx, cell)
    hand = _free_hand(ctx, agent)
    kind = ir.load(writer.object_kind, thing)
    portable = ir.both(ir.ge(thing, 0), ir.ge(hand, 0), ir.eq(ir.lookup(_portable(writer), kind), 1))
    done = ctx.inner()
    for layer in world.layers:
        store = ir.Store(writer.layer_slot(layer), cell, ir.const(-1))
        test = ir.eq(ir.load(writer.layer_slot(layer), cell), thing) if len(world.layers) > 1 else ir.TRUE
        done.block.extend(ir.when(test, [store]))
    done.emit(ir.Store(writer.object_cell, thing, ir.const(-1)), ir.Store(carried, hand, thing))
    raise_event(done, "pickup", agent, thing)
    failed = ctx.inner()
    _fail(failed, "pickup", agent)
    ctx.block.extend(ir.when(portable, done.block, failed.block))


def _define_drop(writer: Writer) -> None:
    world = writer.world
    ctx, agent = _begin(writer, "drop", "Put down what was taken last, if there is room.")
    if not world.object_kinds():
        _fail(ctx, "drop", agent)
        return
    carried, _ = carried_slot(ctx)
    cell = _target(ctx, agent)
    hand = _in_hand(ctx, agent)
    done = ctx.inner()
    held = _held(writer, carried, hand)
    thing = done.let("thing", held)
    for layer in world.layers:
        mine = is_of_layer(world, ir.load(writer.object_kind, thing), layer)
        done.block.extend(ir.when(mine, [ir.Store(writer.layer_slot(layer), cell, thing)]))
    done.emit(ir.Store(writer.object_cell, thing, cell), ir.Store(carried, hand, ir.const(-1)))
    raise_event(done, "drop", agent, thing)
    failed = ctx.inner()
    _fail(failed, "drop", agent)
    ctx.block.extend(ir.when(ir.both(ir.ge(hand, 0), _room(ctx, cell, held)), done.block, failed.block))


def _toggled_kinds(world: World) -> list[str]:
    found = event(world, "toggle")
    return [] if found is None else [rule.trigger.named.name for _, rule in found.rules]


def _toggles(ctx: Context, cell: ir.Expr) -> ir.Expr:
    """Return whether something that listens to ``toggle`` is in a cell."""
    world = ctx.world
    kinds = [world.kinds[name] for name in dict.fromkeys(_toggled_kinds(world)) if name in world.kinds]
    test = ir.either(*(found_in_cell(ctx, cell, kind, {}, None) for kind in kinds))
    return ir.both(ir.ge(cell, 0), test) if cell.low < 0 else test


def _define_toggle(writer: Writer) -> None:
    ctx, agent = _begin(writer, "toggle", "Raise `toggle` for what is there.")
    cell = _target(ctx, agent)
    failed = ctx.inner()
    _fail(failed, "toggle", agent)
    done = ctx.inner()
    raise_event(done, "toggle", agent, cell)
    if failed.block:
        ctx.block.extend(ir.when(_toggles(ctx, cell), done.block, failed.block))
    else:
        ctx.block.extend(ir.when(ir.ge(cell, 0) if cell.low < 0 else ir.TRUE, done.block))


def _removes_ground(effect: n.Handle, spec: GridSpec, kinds: Mapping[str, Kind]) -> bool:
    named = kinds_named(spec, kinds, effect.kind)
    return _removes(effect) and (named is None or any(kinds[name].category == "tile" for name in named))


def _removes(effect: n.Handle) -> bool:
    return effect.verb == "remove"


@performs(n.Handle, Traits(changes=True, loses=_removes, grounds=_removes_ground))
def _handle(ctx: Context, effect: n.Handle) -> None:
    if effect.verb == "drop" and _names_a_kind(ctx, effect.kind):
        _drop_one_of(ctx, effect)
        return
    ref = resolve_thing(ctx, effect.kind)
    if ref is not None:
        when_there(ctx, ref, lambda inner, there: _each_handled(inner, there, effect))


def _names_a_kind(ctx: Context, node: n.Expression) -> bool:
    """Whether a node names a kind of object, of which no thing has been named before."""
    kind = ctx.world.kinds.get(node.name) if isinstance(node, n.KindName) else None
    return kind is not None and kind.category == "object" and kind.name not in ctx.scope


def _drop_one_of(ctx: Context, effect: n.Handle) -> None:
    """Emit that the agent puts down the first of a kind that it carries, and not the first there is."""
    kind, attributes = pattern_kind(ctx, effect.kind)
    if kind is not None:
        agent = the_agent(ctx, effect.span)
        found, test = find_held(ctx, agent, kind, attributes)
        inner = ctx.inner(scope=ctx.scope)
        put_down(inner, agent, found)
        ctx.block.extend(ir.when(test, inner.block))


def _each_handled(ctx: Context, ref: Ref, effect: n.Handle) -> None:
    by_sort(ctx, ref, lambda inner, there: _handle_thing(inner, there, effect))


def _handle_thing(ctx: Context, ref: Ref, effect: n.Handle) -> None:
    if effect.verb == "remove" and ref.category == "tile":
        floor = ctx.world.kinds["floor"]
        ctx.emit(ir.Store(ctx.writer.tile_slot, ref.index, ir.const(floor.code)))
        ctx.emit(*forgotten_attributes(ctx.writer, "tile", ref.index))
        return
    if ref.category != "object":
        help = None
        if ref.kind.category == "agent" and effect.verb == "remove":
            who = to_text(effect.kind)
            line = f"{who} out" if ctx.world.several and who != "self" else "out"
            help = write(line, ": an agent is no thing, and leaves the game", effect.span)
        found = f"`{ref.kind.name}`, no object,"
        ctx.error("type", effect.kind.span, found=found, expected="an object", help=help)
        return
    if effect.verb == "remove":
        remove_thing(ctx, ref)
        return
    # What is gone is in nobody's hand, and comes into none.
    left = ir.ge(ir.load(ctx.writer.object_kind, ref.index), 0) if ctx.after_changes else ir.TRUE
    inner = ctx.inner(scope=ctx.scope)
    (take if effect.verb == "pickup" else put_down)(inner, the_agent(inner, effect.span), ref)
    ctx.block.extend(ir.when(left, inner.block))
