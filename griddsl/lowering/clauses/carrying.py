"""Carrying: what agents and objects hold, how a thing comes out of what holds it, and what a holder leaves behind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping

from griddsl.lowering.clauses.attributes import forgotten_attributes
from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.whereabouts import is_of_layer
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import of_rules
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import World
from griddsl.program import ir, keys
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk


def carried_kinds(world: World) -> list[Kind]:
    """Return the kinds that an agent can come to carry, in the order of their codes.

    They are those that are portable or given to it, what these become, and what is in one: it takes the place of a
    holder that goes.
    """
    chosen = _chosen(world)
    given = {name for node in _given(world) for name in _kinds_meant(world, chosen, node)}
    found = {kind.name for kind in world.object_kinds() if kind.portable or kind.name in given}
    return _with_what_follows(world, chosen, found)


def kinds_in_objects(world: World) -> list[Kind]:
    """Return the kinds that an object can come to hold, in the order of their codes: what any of them is given."""
    chosen = _chosen(world)
    found: set[str] = set()
    for node in walk((world.spec.legend, world.spec.preparing, [rule.effects for rule in world.spec.rules])):
        match node:
            case n.Pattern(arguments=arguments) if "carries" in dict(arguments):
                found |= _kinds_meant(world, chosen, dict(arguments)["carries"])
            case n.Place(kind=kind, area=n.Area(form="region", value=place)) if (
                _name(place) not in world.regions
            ):
                found |= _kinds_meant(world, chosen, kind)
    return _with_what_follows(world, chosen, found)


def _with_what_follows(world: World, chosen: Mapping[str, set[str]], found: set[str]) -> list[Kind]:
    """Return kinds that are held, with what these become and hold."""
    links, size = list(_links(world, chosen)), -1
    while found and len(found) != size:
        size = len(found)
        found.update(*(made for before, made in links if before is None or not before.isdisjoint(found)))
    return [kind for kind in world.object_kinds() if kind.name in found]


def _links(world: World, chosen: Mapping[str, set[str]]) -> Iterator[tuple[set[str] | None, set[str]]]:
    """Yield kinds, and those that can come after them in a hand: what they become, and what they hold.

    None stands for any kind: a name that is no kind's may mean a thing that has become another.
    """
    spec, made = world.spec, dict[str, set[str]]()
    rules = [(rule.condition, rule.effects) for rule in spec.rules]
    for node in walk((spec.legend, spec.preparing, rules)):
        match node:
            case n.Becomes(target=n.Name() | n.Pattern() | n.Other() as target, value=value):
                name = str(_name(target.kind if isinstance(target, n.Other) else target))
                made.setdefault(name, set()).update(_kinds_meant(world, chosen, value))
            case n.Pattern(name=name, arguments=arguments) if "carries" in dict(arguments):
                yield {name}, _kinds_meant(world, chosen, dict(arguments)["carries"])
            case n.Place(kind=kind, area=n.Area(form="region", value=holder)):
                name = str(_name(holder))
                yield ({name} if name in world.kinds else None), _kinds_meant(world, chosen, kind)
    for name, kinds in made.items():
        yield ({name, *kinds} if name in world.kinds else None), kinds


def _chosen(world: World) -> Mapping[str, set[str]]:
    """Return what the names that setup and rules give to things may stand for: names of kinds, or other such names."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for declared in (*world.spec.variables, *world.spec.params):
        found[declared.name] |= _named(declared.domain)
    for part in walk(world.spec.blocks):
        match part:
            case n.Place(alias=str(alias)):
                found[alias].add(str(_name(part.kind)))
            case n.Choose(names=names):
                for name in names:
                    found[name] |= _named(part.domain)
            case n.Let(name=name):
                found[name] |= _named(part.value)
    return found


def _named(node: object) -> set[str]:
    return {part.name for part in walk(node) if isinstance(part, n.KindName)}


def _kinds_meant(world: World, chosen: Mapping[str, set[str]], node: object) -> set[str]:
    """Return the kinds that a clause can mean: by their names, by those of `as`, and by those that are chosen."""
    found, seen, pending = set[str](), set[str](), _named(node)
    while pending:
        name = pending.pop()
        seen.add(name)
        if name in world.kinds:
            found.add(name)
        else:
            pending |= chosen.get(name, set()) - seen
    return found


def _given(world: World) -> Iterator[n.Expression | None]:
    """Yield what rules let agents pick up, and what setup, rules and the legend put into their hands."""
    spec = world.spec
    agents = {"agent", *(kind.name for kind in world.agents)}
    rules = [(rule.condition, rule.effects) for rule in spec.rules]
    for node in walk((spec.legend, spec.preparing, rules)):
        match node:
            case n.Handle(verb="pickup", kind=kind):
                yield kind
            case n.Pattern(name=name, arguments=arguments) if name in agents:
                yield dict(arguments).get("carries")
            case n.Place(kind=kind, area=n.Area(form="region", value=holder)) if _name(holder) in agents:
                yield kind


def _name(node: object) -> str | None:
    return getattr(node, "name", None)


def carried_slot(ctx: Context) -> tuple[ir.Slot, int]:
    """Return the slot of what the agents carry (an object's index or -1), and how many each can carry."""
    return _carried(ctx.writer)


def first_carried(ctx: Context, agent: ir.Expr) -> ir.Expr:
    """Return the object in the first place of an agent's hands that holds one; -1 where none does."""
    slot, most = _carried(ctx.writer)
    first = ir.mul(agent, ir.const(most))
    thing = ctx.let("thing", ir.load(slot, first))
    for place in range(1, most):
        after = ir.load(slot, ir.add(first, ir.const(place)))
        thing = ctx.let("thing", ir.select(ir.ge(thing, 0), thing, after))
    return thing


def _carried(writer: Writer) -> tuple[ir.Slot, int]:
    world = writer.world
    most = max([kind.carries or 1 for kind in world.kinds.values() if kind.category == "agent"])
    return _hands(writer, keys.CARRIED, len(world.agents) * most), most


def contents_slot(writer: Writer) -> tuple[ir.Slot, int]:
    """Return the slot of what the objects carry, and how many each can."""
    most = max([kind.carries or 0 for kind in writer.world.object_kinds()])
    return _hands(writer, keys.OBJECT_CARRIED, writer.facts.capacity * most), most


def _hands(writer: Writer, name: str, length: int) -> ir.Slot:
    return writer.slot(name, length, -1, max(0, writer.facts.capacity - 1), initial=(-1,) * length)


def hands_of(ctx: Context, holder: Ref) -> tuple[ir.Slot, int]:
    """Return the slot that holds what a thing carries, and how many each of its category can."""
    return carried_slot(ctx) if holder.category == "agent" else contents_slot(ctx.writer)


def containers(world: World) -> list[Kind]:
    """Return the kinds of object that carry something."""
    return [kind for kind in world.object_kinds() if kind.carries]


def can_be_carried(writer: Writer) -> bool:
    """Whether anything can ever be held: picked up, or put into something."""
    world = writer.world
    if not writer.facts.capacity:
        return False
    if containers(world) or any(action.verb == "pickup" for action in world.actions):
        return True
    if any(thing.attributes.get("carries") for level in world.levels for thing in level.starts):
        return True
    roots = world.spec.blocks
    return any(
        (isinstance(node, n.Handle) and node.verb == "pickup")
        or (isinstance(node, n.Pattern) and any(name == "carries" for name, _ in node.arguments))
        or (isinstance(node, n.Place) and node.area is not None and node.area.form == "region")
        for node in walk(roots)
    )


def each_hand(
    ctx: Context, holder: Ref, body: Callable[[Context, ir.Slot, ir.Expr], None], loop: ir.Loop = ir.For
) -> None:
    """Emit a loop over the places of what a thing carries, if it is there; ``body(context, slot, place)`` fills it."""
    slot, most = hands_of(ctx, holder)
    there = ir.ge(holder.index, 0)
    if most == 1 and loop is ir.For:
        inner = ctx.inner(scope=ctx.scope)
        body(inner, slot, holder.index)
        ctx.block.extend(ir.when(there, inner.block))
        return
    index = ctx.names.fresh("i")
    inner = ctx.inner()
    body(inner, slot, ir.add(ir.mul(holder.index, ir.const(most)), ir.Local(index, "int", 0, most - 1)))
    own = min(most, holder.kind.carries or 1)
    ctx.block.extend(ir.when(there, [loop(index, ir.const(0), ir.const(own), inner.block)]))


def has_room(ctx: Context, holder: Ref) -> ir.Expr:
    """Return whether a holder can take one thing more."""
    room = ctx.variable("room", ir.const(0), 0, 1)

    def body(inner: Context, slot: ir.Slot, place: ir.Expr) -> None:
        inner.block.extend(ir.when(ir.lt(ir.load(slot, place), 0), [ir.Let(room.name, ir.const(1))]))

    each_hand(ctx, holder, body)
    return ir.Op("==", (room, ir.const(1)), "bool", 0, 1)


def put_into(ctx: Context, thing: ir.Expr, holder: Ref) -> None:
    """Emit that an object that is nowhere is put into a holder, where that has room; else it is gone."""
    done = ctx.variable("done", ir.const(0), 0, 1)

    def body(inner: Context, slot: ir.Slot, place: ir.Expr) -> None:
        take: ir.Block = [ir.Store(slot, place, thing), ir.Let(done.name, ir.const(1))]
        free = ir.both(ir.lt(ir.load(slot, place), 0), ir.Op("==", (done, ir.const(0)), "bool", 0, 1))
        inner.block.extend(ir.when(free, take))

    each_hand(ctx, holder, body)
    gone = forgotten(ctx.writer, thing)
    ctx.emit(ir.If(ir.Op("==", (done, ir.const(0)), "bool", 0, 1), gone, []))


def goto_slot(writer: Writer) -> ir.Slot:
    """Return the slot of where rules sent each object, plus one; 0 for nowhere."""
    return writer.scratch("THING_GOTO", writer.facts.capacity, 0, writer.world.cells)


def forgotten(writer: Writer, thing: ir.Expr) -> ir.Block:
    """Return what takes an object out of the world.

    Where it was sent, what takes its place does not go, and names that setup gave it mean nothing from here on: these
    are cleared last, because it may be by one of them that it is spoken of.
    """
    gone: ir.Block = [ir.Store(writer.object_kind, thing, ir.const(-1))]
    gone += forgotten_attributes(writer, "object", thing)
    if writer.facts.objects_vary:
        last = ir.sub(ir.load(writer.objects), ir.const(1))
        fewer = ir.Store(writer.objects, ir.const(0), last)
        at_end = ir.both(
            ir.compare(">", ir.load(writer.objects), ir.const(0)),
            ir.lt(ir.load(writer.object_kind, ir.within(last, 0, writer.facts.capacity - 1)), 0),
        )
        gone.append(ir.While(at_end, [fewer]))
    if any(can.sends for _, can in of_rules(writer.world.spec)):
        gone.append(ir.Store(goto_slot(writer), thing, ir.const(0)))
    for named in writer.named_things.values():
        if named.category == "object" and isinstance(named.index, ir.Load):
            cleared = ir.Store(named.index.slot, ir.const(0), ir.const(-1))
            gone.extend(ir.when(ir.eq(named.index, thing), [cleared]))
    return gone


def empty_hands(ctx: Context, holder: Ref) -> None:
    """Emit that a new object carries nothing yet."""
    each_hand(ctx, holder, lambda inner, slot, place: inner.emit(ir.Store(slot, place, ir.const(-1))))


def release(ctx: Context, thing: ir.Expr) -> None:
    """Emit that an object comes out of whatever holds it, where anything can."""
    if can_be_carried(ctx.writer):
        ctx.emit(ir.Do(released(ctx.writer, thing)))


def released(writer: Writer, thing: ir.Expr) -> ir.Call:
    """Return the call that takes an object out of what holds it: the hand that it was in, or -1."""
    if "release" not in writer.functions:
        _define_release(writer)
    return ir.call("release", thing, low=-1, high=sum(slot.length for slot in _slots(writer)) - 1)


def _slots(writer: Writer) -> list[ir.Slot]:
    slots = [_carried(writer)[0]]
    return [*slots, contents_slot(writer)[0]] if containers(writer.world) else slots


def _define_release(writer: Writer) -> None:
    ctx = new_function(writer, "rule", "release", "thing")
    doc = "Take an object out of what holds it; return which hand it was in, or -1."
    writer.functions["release"] = ir.function("release", ("thing",), ctx.block, doc)
    thing = ir.Local("thing", "int", 0, writer.facts.capacity - 1)
    first = 0
    for slot in _slots(writer):
        place = ir.Local(ctx.names.fresh("i"), "int", 0, slot.length - 1)
        found: ir.Block = [
            ir.Store(slot, place, ir.const(-1)),
            ir.Return((ir.add(place, ir.const(first)),)),
        ]
        body = ir.when(ir.eq(ir.load(slot, place), thing), found)
        ctx.emit(ir.For(place.name, ir.const(0), ir.const(slot.length), body))
        first += slot.length
    ctx.emit(ir.Return((ir.const(-1),)))


def spill(ctx: Context, holder: Ref, cell: ir.Expr, hand: ir.Expr) -> None:
    """Emit that what a thing carried takes its place: its cell, or the hand it was in. What finds no room is gone."""
    if "spill" not in ctx.writer.functions:
        _define_spill(ctx.writer)
    ctx.emit(ir.Do(ir.call("spill", holder.index, cell, hand)))


def _define_spill(writer: Writer) -> None:
    world = writer.world
    ctx = new_function(writer, "rule", "spill", "thing", "cell", "hand")
    writer.functions["spill"] = ir.function(
        "spill", ("thing", "cell", "hand"), ctx.block, "Let what a thing carried take its place."
    )
    slot, most = contents_slot(writer)
    thing = ir.Local("thing", "int", 0, writer.facts.capacity - 1)
    cell = ir.Local("cell", "int", -1, world.cells - 1)
    hands = _slots(writer)
    last = sum(each.length for each in hands) - 1
    hand = ctx.variable("hand", ir.Local("hand", "int", -1, last), -1, last)
    place = ir.Local(ctx.names.fresh("i"), "int", 0, most - 1)
    at = ir.add(ir.mul(thing, ir.const(most)), place) if most > 1 else thing
    body = ctx.inner()
    content = body.let("content", ir.load(slot, at))
    inner = body.inner()
    inner.emit(ir.Store(slot, at, ir.const(-1)))
    settled = inner.variable("settled", ir.const(0), 0, 1)
    on_map = _lay_down(inner, content, ir.within(cell, 0, world.cells - 1), settled)
    inner.block.extend(ir.when(ir.ge(cell, 0), on_map))
    in_hand = inner.inner()
    first = 0
    for each in hands:
        index = ir.sub(ir.Local(hand.name, "int", first, first + each.length - 1), ir.const(first))
        mine = ir.both(ir.ge(hand, first), ir.lt(hand, first + each.length))
        in_hand.block.extend(ir.when(mine, [ir.Store(each, index, content)]))
        first += each.length
    in_hand.emit(ir.Let(settled.name, ir.const(1)), ir.Let(hand.name, ir.const(-1)))
    inner.block.extend(ir.when(ir.ge(hand, 0), in_hand.block))
    inner.block.extend(_gone_unless(writer, content, settled))
    body.block.extend(ir.when(ir.ge(content, 0), inner.block))
    ctx.emit(ir.For(place.name, ir.const(0), ir.const(most), body.block))


def _lay_down(ctx: Context, content: ir.Expr, cell: ir.Expr, settled: ir.Local) -> ir.Block:
    """Return what lays an object that was held into a cell, where its layer is free there; ``settled`` says so."""
    world, writer = ctx.world, ctx.writer
    laid: ir.Block = []
    for layer in world.layers:
        mine = is_of_layer(world, ir.load(writer.object_kind, content), layer)
        empty = ir.lt(ir.load(writer.layer_slot(layer), cell), 0)
        put: ir.Block = [
            ir.Store(writer.layer_slot(layer), cell, content),
            ir.Store(writer.object_cell, content, cell),
            ir.Let(settled.name, ir.const(1)),
        ]
        laid.extend(ir.when(ir.both(mine, empty), put))
    return laid


def _gone_unless(writer: Writer, content: ir.Expr, settled: ir.Local) -> ir.Block:
    """Return what takes an object out of the world that found no room."""
    gone = forgotten(writer, content)
    return ir.when(ir.Op("==", (settled, ir.const(0)), "bool", 0, 1), gone)


def leave_behind(ctx: Context, agent: ir.Expr) -> None:
    """Emit that an agent which goes out leaves what it carries in its cell. What finds no room is gone."""
    writer = ctx.writer
    if not can_be_carried(writer):
        return
    if "leave_behind" not in writer.functions:
        _define_leave_behind(writer)
    ctx.emit(ir.Do(ir.call("leave_behind", agent)))


def _define_leave_behind(writer: Writer) -> None:
    ctx = new_function(writer, "rule", "leave_behind", "agent")
    doc = "Lay down what an agent carries that goes out."
    writer.functions["leave_behind"] = ir.function("leave_behind", ("agent",), ctx.block, doc)
    slot, most = carried_slot(ctx)
    index = ir.Local(ctx.names.fresh("i"), "int", 0, most - 1)
    place = ir.add(ir.mul(writer.acting.index, ir.const(most)), index)
    body = ctx.inner()
    content = body.let("content", ir.load(slot, place))
    held = body.inner()
    held.emit(ir.Store(slot, place, ir.const(-1)))
    settled = held.variable("settled", ir.const(0), 0, 1)
    if not writer.world.nowhere:
        cell = held.let("cell", ir.load(writer.agent_cell, writer.acting.index))
        held.block.extend(_lay_down(held, content, cell, settled))
    held.block.extend(_gone_unless(writer, content, settled))
    body.block.extend(ir.when(ir.ge(content, 0), held.block))
    ctx.emit(ir.For(index.name, ir.const(0), ir.const(most), body.block))
