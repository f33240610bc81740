"""Reset: the map as drawn or drawn now, the agent on a start, then setup, top to bottom."""

from __future__ import annotations

from griddsl.lowering.clauses.carrying import containers, contents_slot
from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.memory import remember
from griddsl.lowering.clauses.whereabouts import agent_ref
from griddsl.lowering.effects.drawn.drawing import value_in
from griddsl.lowering.plug_ins import GENERATORS_GROUP
from griddsl.lowering.rules.performing import perform
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.step.drawing_once import draw_once
from griddsl.lowering.step.starts import check_start, start
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.maps.generators import GENERATORS, is_random
from griddsl.lowering.world.maps.letters import attribute_code
from griddsl.lowering.world.maps.level import Level, Thing
from griddsl.lowering.world.world import domain_range
from griddsl.program import ir, keys
from griddsl.program.program import AGAIN, PlugIn
from griddsl.syntax import nodes as n


def define_reset(writer: Writer) -> None:
    """Define ``reset``: the map as drawn (or drawn now), the agent on a start, then setup, top to bottom."""
    world = writer.world
    ctx = new_function(writer, "setup", "setup", "level")
    writer.functions["reset"] = ir.function(
        "reset",
        ("level",),
        ctx.block,
        "Start an episode on a level; -1 leaves the choice to the spec, -2 keeps what was drawn once.",
    )
    ctx.emit(ir.Restart())
    if len(world.levels) > 1:
        _load_level(ctx)
    _draw_attributes(ctx)
    start(ctx)
    _draw_map(ctx)
    if not world.several:
        ctx.self_ref = agent_ref(ctx, ir.const(0))
    ctx = draw_once(ctx)
    perform(ctx, world.spec.setup)
    check_start(ctx)
    # Setup lifts an agent before it draws a place for it; from here on it stands somewhere.
    if not world.nowhere:
        writer.revise(writer.agent_cell, low=0)


def finish_reset(writer: Writer) -> None:
    """Complete ``reset`` once it is known what the rest of the program keeps: starts, memories, initial values."""
    world = writer.world
    ctx = new_function(writer, "rule", "setup", "level")
    setup = writer.functions["reset"].body
    ctx.names.taken.update(*(ir.sets(statement) for statement in ir.statements(setup)))
    if not world.several:
        ctx.self_ref = agent_ref(ctx, ir.const(0))
    if keys.START in writer.slots:
        agent = writer.acting.index
        keep: ir.Block = [ir.Store(writer.slots[keys.START], agent, ir.load(writer.agent_cell, agent))]
        ctx.block.extend(
            [ir.For("agent", ir.const(0), ir.const(len(world.agents)), keep)] if world.several else keep
        )
    if writer.facts.objects_return:
        thing = ir.Local("thing", "int", 0, writer.facts.capacity - 1)
        stand: ir.Block = [ir.Store(writer.object_start, thing, ir.load(writer.object_cell, thing))]
        ctx.emit(ir.For(thing.name, ir.const(0), ir.const(writer.facts.capacity), stand))
    remember(ctx, "reset")
    if "shortest" in writer.plug_ins:
        # Setup itself begins episodes, to find out whether they can be won.
        doc = "Begin an episode where everything stands now."
        writer.functions["begin"] = ir.function("begin", (), ctx.block or [ir.Return(())], doc)
        setup.append(ir.Do(ir.call("begin")))
    else:
        setup.extend(ctx.block)
    setup.extend(writer.tell())
    if len(world.levels) == 1:
        _initial_level(writer, world.levels[0])


def _draw_map(ctx: Context) -> None:
    """Emit, at the start of a reset, the drawing of a random map."""
    world, writer = ctx.world, ctx.writer
    call = world.spec.generate
    if call is None or not is_random(call):
        return
    if call.name in GENERATORS:
        function = GENERATORS[call.name].function
        assert function is not None
    else:
        function = writer.function_name(("plug_in", call.name))
        writer.plug_ins[function] = PlugIn(GENERATORS_GROUP, call.name, "draws the map", call.span)
    walls, floor = world.kinds["wall"].code, world.kinds["floor"].code
    values = tuple(map(ir.const, (world.width, world.height, floor, walls)))
    ctx.emit(ir.Generate(function, writer.tile_slot, values))


def _draw_attributes(ctx: Context) -> None:
    """Emit the draws of the attributes that the legend leaves open: ``rock(quality=random)``."""
    world, writer = ctx.world, ctx.writer
    for kind in world.object_kinds():
        for name, attribute in kind.attributes.items():
            things = [thing for level in world.levels for thing in _places(writer, level)]
            open_ones = [_left_open(thing, kind, name) for thing in things]
            ways = list(dict.fromkeys(node.domain for node in open_ones if node is not None))
            if not ways:
                continue
            flags = [0 if node is None else 1 + ways.index(node.domain) for node in open_ones]
            index = ctx.names.fresh("i")
            here = ir.Local(index, "int", 0, writer.facts.capacity - 1)
            listed = writer.table(("RANDOM", kind.name, name), flags)
            at: ir.Expr = here
            if len(world.levels) > 1:
                at = ir.add(ir.mul(ir.load(writer.slots[keys.LEVEL]), ir.const(writer.facts.capacity)), here)
            low, high = domain_range(attribute.domain)
            body: ir.Block = []
            for way, part in enumerate(ways, 1):
                inner = ctx.inner()
                drawn: ir.Expr | None = ir.add(ir.drawn(ir.const(high - low + 1), high - low), ir.const(low))
                if part is not None:
                    drawn = value_in(inner, n.Random(part, part.span), attribute.domain)
                if drawn is not None:
                    inner.emit(
                        ir.Store(writer.object_slot(name), here, ir.clamp(ir.as_number(drawn), low, high))
                    )
                body += ir.when(ir.eq(ir.lookup(listed, at), way), inner.block)
            ctx.emit(ir.For(index, ir.const(0), ir.const(writer.facts.capacity), body))


def _places(writer: Writer, level: Level) -> list[Thing | None]:
    """Return the objects of a level by their index, with the indices that are still free."""
    return [*level.objects, *[None] * (writer.facts.capacity - len(level.objects))]


def _left_open(thing: Thing | None, kind: Kind, name: str) -> n.Random | None:
    """Return what is to be drawn as an attribute of a thing of a kind; None where nothing is."""
    given = thing.attributes.get(name) if thing is not None and thing.kind is kind else None
    return given if isinstance(given, n.Random) else None


def _load_level(ctx: Context) -> None:
    """Emit the choice of a level and the copies of what is drawn on it."""
    world, writer = ctx.world, ctx.writer
    slot = writer.slot(keys.LEVEL, 1, 0, len(world.levels) - 1)
    asked = ir.Local("level", "int", AGAIN if world.spec.once else -1, len(world.levels) - 1)
    wanted = world.params.get("level", world.spec.level)
    default: ir.Expr = ir.const(0)
    if wanted == "random":
        default = ir.drawn(ir.const(len(world.levels)), len(world.levels) - 1)
    ctx.emit(
        ir.If(ir.ge(asked, 0), [ir.Store(slot, ir.const(0), asked)], [ir.Store(slot, ir.const(0), default)])
    )
    level = ctx.let("which", ir.load(slot))
    for target, values in _level_values(writer):
        table = writer.table(("LEVELS", target.name), [v for part in values for v in part])
        ctx.emit(ir.Copy(target, table, ir.mul(level, ir.const(target.length))))


def _level_values(writer: Writer) -> list[tuple[ir.Slot, list[list[int]]]]:
    """Return what is drawn on each level, slot by slot."""
    per_level = [_drawn(writer, level) for level in writer.world.levels]
    slots = [slot for slot, _ in per_level[0]]
    return [(slot, [values[index][1] for values in per_level]) for index, slot in enumerate(slots)]


def _drawn(writer: Writer, level: Level) -> list[tuple[ir.Slot, list[int]]]:
    world = writer.world
    found: list[tuple[ir.Slot, list[int]]] = []
    if writer.facts.dynamic_tiles:
        found.append((writer.tile_slot, level.tiles.tolist()))
    for name in world.tile_attributes():
        if writer.facts.dynamic_tiles or writer.facts.attribute_changes(name, "tile"):
            found.append((writer.tile_attribute_slot(name), writer.level_attribute(level, name)))
    if world.object_kinds():
        found.extend(_drawn_objects(writer, level))
    return found


def _drawn_objects(writer: Writer, level: Level) -> list[tuple[ir.Slot, list[int]]]:
    world = writer.world
    capacity = writer.facts.capacity
    kinds, cells = [-1] * capacity, [-1] * capacity
    layers = {layer: [-1] * world.cells for layer in world.layers}
    names = list(dict.fromkeys(name for kind in world.object_kinds() for name in kind.attributes))
    attributes = {name: [0] * capacity for name in names}
    most = contents_slot(writer)[1] if containers(world) else 0
    held = [-1] * (capacity * most)
    for index, thing in enumerate(level.objects):
        kinds[index], cells[index] = thing.kind.code, thing.cell
        if thing.holder is None:
            layers[thing.kind.layer][thing.cell] = index
        else:
            held[thing.holder * most] = index
        for name, attribute in thing.kind.attributes.items():
            given = thing.attributes.get(name)
            code = int(attribute.default)
            if given is not None and not isinstance(given, n.Random):
                code = attribute_code(given, thing.kind, name, world.params, writer.report)
            attributes[name][index] = code
    return [
        *([(writer.objects, [len(level.objects)])] if writer.facts.objects_vary else []),
        (writer.object_kind, kinds),
        (writer.object_cell, cells),
        *((writer.layer_slot(layer), values) for layer, values in layers.items()),
        *((writer.object_slot(name), values) for name, values in attributes.items()),
        *([(contents_slot(writer)[0], held)] if most else []),
    ]


def _initial_level(writer: Writer, level: Level) -> None:
    """Let the slots start with what is drawn on the only level."""
    for slot, values in _drawn(writer, level):
        writer.revise(slot, initial=tuple(values))
