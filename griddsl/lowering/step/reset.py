"""Reset: the map as drawn or drawn now, the agent on a start, then setup, top to bottom."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from griddsl.lowering.clauses.carrying import containers, contents_slot
from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.memory import remember
from griddsl.lowering.clauses.things import agent_ref
from griddsl.lowering.rules.making import put_in
from griddsl.lowering.rules.performing import perform
from griddsl.lowering.rules.placing import lift_agents
from griddsl.lowering.world.compass import COMPASS
from griddsl.lowering.world.domains import constant
from griddsl.lowering.world.generators import GENERATORS, is_random
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.levels import Level, Thing, attribute_code
from griddsl.lowering.world.values import in_capitals
from griddsl.lowering.world.world import World, domain_range
from griddsl.program import ir
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk


def define_reset(world: World) -> None:
    """Define ``reset``: the map as drawn (or drawn now), the agent on a start, then setup, top to bottom."""
    ctx = new_function(world, "setup", "setup", "level")
    world.functions["reset"] = ir.Function(
        "reset", ("level",), ctx.block, "Start an episode on a level; -1 leaves the choice to the spec."
    )
    ctx.emit(ir.Restart())
    if len(world.levels) > 1:
        _load_level(ctx)
    _draw_attributes(ctx)
    _start(ctx)
    _draw_map(ctx)
    ctx.self_ref = agent_ref(ctx, ir.const(0))
    perform(ctx, world.spec.setup)
    _check_start(ctx)
    if len(world.agents) == 1:
        # Setup lifts the agent before it draws a place for it; from here on it stands somewhere.
        object.__setattr__(world.agent_cell, "low", 0)


def finish_reset(world: World) -> None:
    """Complete ``reset`` once it is known what the rest of the program keeps: starts, memories, initial values."""
    ctx = new_function(world, "rule", "setup", "level")
    ctx.self_ref = agent_ref(ctx, ir.const(0))
    if "START" in world.slots:
        for index in range(len(world.agents)):
            ctx.emit(ir.Store(world.slots["START"], ir.const(index), ir.load(world.agent_cell, index)))
    remember(ctx, "reset")
    world.functions["reset"].body.extend(ctx.block)
    if len(world.levels) == 1:
        _initial_level(world, world.levels[0])


def _draw_map(ctx: Context) -> None:
    """Emit, at the start of a reset, the drawing of a random map."""
    world = ctx.world
    call = world.spec.generate
    if call is None or not is_random(call):
        return
    if call.name in GENERATORS:
        function = GENERATORS[call.name].function
        assert function is not None
    else:
        function = f"plug_in_{call.name}"
        world.plug_ins[function] = call.name
    walls, floor = world.kinds["wall"].code, world.kinds["floor"].code
    values = (
        ir.Local("s"),
        ir.Local("r"),
        ir.Local(world.tile_slot.name),
        ir.const(world.width),
        ir.const(world.height),
        ir.const(floor),
        ir.const(walls),
    )
    ctx.emit(ir.Do(ir.Call(function, values, False, "int")))


def _draw_attributes(ctx: Context) -> None:
    """Emit the draws of the attributes that the legend leaves open: ``rock(quality=random)``."""
    world = ctx.world
    for kind in world.object_kinds():
        for name, attribute in kind.attributes.items():
            things = [thing for level in world.levels for thing in _places(world, level)]
            flags = [int(_is_random(thing, kind, name)) for thing in things]
            if not any(flags):
                continue
            index = ctx.names.fresh("i")
            here = ir.Local(index, "int", 0, world.capacity - 1)
            listed = world.table(f"RANDOM_{in_capitals(kind.name)}_{in_capitals(name)}", flags)
            at: ir.Expr = here
            if len(world.levels) > 1:
                at = ir.add(ir.mul(ir.load(world.slots["LEVEL"]), ir.const(world.capacity)), here)
            low, high = domain_range(attribute.domain)
            drawn = ir.add(ctx.runtime("draw", ir.const(high - low + 1), high=high - low), ir.const(low))
            body = ir.when(ir.eq(ir.lookup(listed, at), 1), [ir.Store(world.object_slot(name), here, drawn)])
            ctx.emit(ir.For(index, ir.const(0), ir.const(world.capacity), body))


def _places(world: World, level: Level) -> list[Thing | None]:
    """Return the objects of a level by their index, with the indices that are still free."""
    return [*level.objects, *[None] * (world.capacity - len(level.objects))]


def _is_random(thing: Thing | None, kind: Kind, name: str) -> bool:
    return thing is not None and thing.kind is kind and isinstance(thing.attributes.get(name), n.Random)


def _load_level(ctx: Context) -> None:
    """Emit the choice of a level and the copies of what is drawn on it."""
    world = ctx.world
    slot = world.slot("LEVEL", 1, 0, len(world.levels) - 1)
    asked = ir.Local("level", "int", -1, len(world.levels) - 1)
    wanted = world.params.get("level", world.spec.level)
    default: ir.Expr = ir.const(0)
    if wanted == "random":
        default = ctx.runtime("draw", ir.const(len(world.levels)), high=len(world.levels) - 1)
    ctx.emit(
        ir.If(ir.ge(asked, 0), [ir.Store(slot, ir.const(0), asked)], [ir.Store(slot, ir.const(0), default)])
    )
    level = ctx.let("which", ir.load(slot))
    for target, values in _level_values(world):
        table = world.table(f"LEVELS_{target.name}", [v for part in values for v in part])
        ctx.emit(ir.Copy(target, table, ir.mul(level, ir.const(target.length))))


def _level_values(world: World) -> list[tuple[ir.Slot, list[list[int]]]]:
    """Return what is drawn on each level, slot by slot."""
    per_level = [_drawn(world, level) for level in world.levels]
    slots = [slot for slot, _ in per_level[0]]
    return [(slot, [values[index][1] for values in per_level]) for index, slot in enumerate(slots)]


def _drawn(world: World, level: Level) -> list[tuple[ir.Slot, list[int]]]:
    found: list[tuple[ir.Slot, list[int]]] = []
    if world.dynamic_tiles:
        found.append((world.tile_slot, level.tiles.tolist()))
    for name in world.tile_attributes():
        if world.dynamic_tiles or world.attribute_changes(name, "tile"):
            found.append((world.tile_attribute_slot(name), world.level_attribute(level, name)))
    if world.object_kinds():
        found.extend(_drawn_objects(world, level))
    return found


def _drawn_objects(world: World, level: Level) -> list[tuple[ir.Slot, list[int]]]:
    capacity = world.capacity
    kinds, cells = [-1] * capacity, [-1] * capacity
    layers = {layer: [-1] * world.cells for layer in world.layers}
    names = list(dict.fromkeys(name for kind in world.object_kinds() for name in kind.attributes))
    attributes = {name: [0] * capacity for name in names}
    most = contents_slot(world)[1] if containers(world) else 0
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
                code = attribute_code(given, thing.kind, name, world.params, world.report)
            attributes[name][index] = code
    return [
        (world.object_slot("KIND"), kinds),
        (world.object_slot("CELL"), cells),
        *((world.layer_slot(layer), values) for layer, values in layers.items()),
        *((world.object_slot(name), values) for name, values in attributes.items()),
        *([(contents_slot(world)[0], held)] if most else []),
    ]


def _initial_level(world: World, level: Level) -> None:
    """Let the slots start with what is drawn on the only level."""
    for slot, values in _drawn(world, level):
        object.__setattr__(slot, "initial", tuple(values))


def _start(ctx: Context) -> None:
    """Emit where the agent starts: its ``@``, or one of several drawn uniformly."""
    world = ctx.world
    if not any(level.starts for level in world.levels):
        if not _is_placed(world):
            help = "draw `@` in the map, or write `place agent at random floor` in setup"
            world.report.add("no-agent", world.levels[0].span, help=help)
        lift_agents(ctx)
        return
    lists = [[thing.cell for thing in level.starts] for level in world.levels]
    if any(not cells for cells in lists):
        bare = next(level for level in world.levels if not level.starts)
        if not _is_placed(world):
            world.report.add("no-agent", bare.span, help="draw `@` in every map, or place the agent in setup")
        lift_agents(ctx)
        return
    cell = _drawn_start(ctx, lists)
    ctx.emit(ir.Store(world.agent_cell, ir.const(0), cell))
    _start_attributes(ctx)


def _check_start(ctx: Context) -> None:
    """Emit a failure where setup placed no agent on a map that shows none: only an `if` can skip it."""
    world = ctx.world
    drawn = all(level.starts for level in world.levels)
    if drawn or any(_is_agent(effect) for effect in world.spec.setup) or len(world.agents) > 1:
        return
    failure = ir.Fail("no-place", world.spec.place("setup"), "`agent`\x00setup ended without placing it")
    ctx.block.extend(ir.when(ir.lt(ir.load(world.agent_cell), 0), [failure]))


def _is_agent(effect: Any) -> bool:
    return isinstance(effect, n.Place) and getattr(effect.kind, "name", "") == "agent"


def _is_placed(world: World) -> bool:
    return any(_is_agent(node) for node in walk(world.spec.setup))


def _drawn_start(ctx: Context, lists: list[list[int]]) -> ir.Expr:
    world = ctx.world
    if len(lists) == 1:
        cells = lists[0]
        if len(cells) == 1:
            return ir.const(cells[0])
        which = ctx.let("start", ctx.runtime("draw", ir.const(len(cells)), high=len(cells) - 1))
        return ir.lookup(world.table("STARTS", cells), which)
    level = ir.load(world.slots["LEVEL"])
    firsts = list(accumulate((len(cells) for cells in lists[:-1]), initial=0))
    first = ir.lookup(world.table("FIRST_START", firsts), level)
    counts = ir.lookup(world.table("STARTS_OF_LEVEL", [len(cells) for cells in lists]), level)
    which = (
        ir.const(0)
        if counts == ir.const(1)
        else ctx.let("start", ctx.runtime("draw", counts, high=counts.high - 1))
    )
    return ir.lookup(world.table("STARTS", [cell for cells in lists for cell in cells]), ir.add(first, which))


def _start_attributes(ctx: Context) -> None:
    """Emit the facing and the attributes that the legend gives the agent."""
    world = ctx.world
    starts: list[Thing] = [thing for level in world.levels for thing in level.starts]
    agent = world.agents[0]
    facing = starts[0].attributes.get("facing")
    if facing is not None:
        if isinstance(facing, n.Random):
            ctx.emit(ir.Store(world.facing, ir.const(0), ctx.runtime("draw", ir.const(4), high=3)))
        else:
            word = constant(facing, world.params, world.report, "a facing")
            if word in COMPASS:
                ctx.emit(ir.Store(world.facing, ir.const(0), ir.const(COMPASS.index(word))))
            else:
                world.report.add(
                    "unknown-word",
                    facing.span,
                    word=word,
                    of="the directions",
                    help="directions are `east`, `south`, `west` and `north`",
                )
    for name, attribute in agent.attributes.items():
        given = starts[0].attributes.get(name)
        code = int(attribute.default)
        if given is not None and name != "facing":
            code = attribute_code(given, agent, name, world.params, world.report)
        if name == "facing":
            if facing is None:
                words = attribute.domain.words
                ctx.emit(
                    ir.Store(
                        world.facing, ir.const(0), ir.const(COMPASS.index(words[code]) if words else code)
                    )
                )
        else:
            ctx.emit(ir.Store(world.agent_attribute_slot(name), ir.const(0), ir.const(code)))
    content = starts[0].attributes.get("carries")
    if content is not None:
        put_in(ctx, agent_ref(ctx, ir.const(0)), content)
