"""Reset: the map as drawn or drawn now, the agent on a start, then setup, top to bottom."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from griddsl.lowering.clauses.carrying import containers, contents_slot
from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.memory import remember
from griddsl.lowering.clauses.things import agent_ref
from griddsl.lowering.effects.drawing import value_in
from griddsl.lowering.effects.making import put_in
from griddsl.lowering.effects.placing import lift_agent
from griddsl.lowering.rules.performing import perform
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.step.drawing_once import draw_once
from griddsl.lowering.world.compass import COMPASS
from griddsl.lowering.world.domains import constant
from griddsl.lowering.world.generators import GENERATORS, is_random
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.levels import Level, Thing, attribute_code
from griddsl.lowering.world.plug_ins import GENERATORS_GROUP
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import World, domain_range
from griddsl.program import ir
from griddsl.program.program import AGAIN, PlugIn
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

SIDE_BY_SIDE = "the starts of a level lie side by side"


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
    _start(ctx)
    _draw_map(ctx)
    if not world.several:
        ctx.self_ref = agent_ref(ctx, ir.const(0))
    ctx = draw_once(ctx)
    perform(ctx, world.spec.setup)
    _check_start(ctx)
    # Setup lifts an agent before it draws a place for it; from here on it stands somewhere.
    object.__setattr__(writer.agent_cell, "low", 0)


def finish_reset(writer: Writer) -> None:
    """Complete ``reset`` once it is known what the rest of the program keeps: starts, memories, initial values."""
    world = writer.world
    ctx = new_function(writer, "rule", "setup", "level")
    setup = writer.functions["reset"].body
    ctx.names.taken.update(*(ir.sets(statement) for statement in ir.statements(setup)))
    if not world.several:
        ctx.self_ref = agent_ref(ctx, ir.const(0))
    if "START" in writer.slots:
        agent = writer.acting.index
        keep: ir.Block = [ir.Store(writer.slots["START"], agent, ir.load(writer.agent_cell, agent))]
        ctx.block.extend(
            [ir.For("agent", ir.const(0), ir.const(len(world.agents)), keep)] if world.several else keep
        )
    if writer.facts.objects_return:
        thing = ir.Local("thing", "int", 0, writer.facts.capacity - 1)
        stand: ir.Block = [ir.Store(writer.object_start, thing, ir.load(writer.object_slot("CELL"), thing))]
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
        writer.plug_ins[function] = PlugIn(GENERATORS_GROUP, call.name, "draws the map")
    walls, floor = world.kinds["wall"].code, world.kinds["floor"].code
    values = tuple(map(ir.const, (world.width, world.height, floor, walls)))
    ctx.emit(ir.Generate(function, writer.tile_slot, values))


def _draw_attributes(ctx: Context) -> None:
    """Emit the draws of the attributes that the legend leaves open: ``rock(quality=random)``."""
    world, writer = ctx.world, ctx.writer
    for kind in world.object_kinds():
        for name, attribute in kind.attributes.items():
            things = [thing for level in world.levels for thing in _places(writer, level)]
            open_ones = [thing.attributes[name] for thing in things if _is_random(thing, kind, name)]  # type: ignore[union-attr]
            if not open_ones:
                continue
            ways = list(dict.fromkeys(node.domain for node in open_ones))  # type: ignore[union-attr]  # each is `random`
            flags = [
                1 + ways.index(thing.attributes[name].domain) if _is_random(thing, kind, name) else 0  # type: ignore[union-attr]
                for thing in things
            ]
            index = ctx.names.fresh("i")
            here = ir.Local(index, "int", 0, writer.facts.capacity - 1)
            listed = writer.table(("RANDOM", kind.name, name), flags)
            at: ir.Expr = here
            if len(world.levels) > 1:
                at = ir.add(ir.mul(ir.load(writer.slots["LEVEL"]), ir.const(writer.facts.capacity)), here)
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


def _is_random(thing: Thing | None, kind: Kind, name: str) -> bool:
    return thing is not None and thing.kind is kind and isinstance(thing.attributes.get(name), n.Random)


def _load_level(ctx: Context) -> None:
    """Emit the choice of a level and the copies of what is drawn on it."""
    world, writer = ctx.world, ctx.writer
    slot = writer.slot("LEVEL", 1, 0, len(world.levels) - 1)
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
        (writer.object_slot("KIND"), kinds),
        (writer.object_slot("CELL"), cells),
        *((writer.layer_slot(layer), values) for layer, values in layers.items()),
        *((writer.object_slot(name), values) for name, values in attributes.items()),
        *([(contents_slot(writer)[0], held)] if most else []),
    ]


def _initial_level(writer: Writer, level: Level) -> None:
    """Let the slots start with what is drawn on the only level."""
    for slot, values in _drawn(writer, level):
        object.__setattr__(slot, "initial", tuple(values))


def _start(ctx: Context) -> None:
    """Emit where the agents start: on what is drawn for them, dealt uniformly; or nowhere yet, where setup places them.

    A kind of agent starts on its own glyphs where the map has them, else on ``@``.
    """
    world, writer = ctx.world, ctx.writer
    waiting: list[int] = []
    for kind in dict.fromkeys(world.agents):
        members = [index for index, each in enumerate(world.agents) if each is kind]
        lists = _starts_of(world, kind)
        if not any(lists):
            waiting.extend(members)
        elif _suffices(ctx, lists, members, kind.name):
            _deal(ctx, members, lists, kind.name)
        else:
            _lift(ctx, members)
    if not waiting:
        return
    lists = _starts_of(world, world.kinds["agent"])
    if any(lists) and world.kinds["agent"] not in world.agents and _suffices(ctx, lists, waiting, "agent"):
        _deal(ctx, waiting, lists, "agent")
        return
    for kind in dict.fromkeys(world.agents[index] for index in waiting):
        if not _is_placed(world, kind):
            name = kind.name
            glyph = "`@`" if not world.several else f"a glyph for it (legend: 1 = {name})"
            help = f"draw {glyph} in the map, or write `place {name} at random floor` in setup"
            code = "agent-not-placed" if world.several else "no-agent"
            writer.report.add(code, world.levels[0].span, name=name, help=help)
    _lift(ctx, waiting)


def _lift(ctx: Context, members: list[int]) -> None:
    """Emit that agents stand nowhere yet, and have what they have by default."""
    world, writer = ctx.world, ctx.writer
    for index in members:
        lift_agent(ctx, ir.const(index))
        for name, attribute in world.agents[index].attributes.items():
            if name != "facing" and int(attribute.default) != 0:
                default = ir.const(int(attribute.default))
                ctx.emit(ir.Store(writer.agent_attribute_slot(name), ir.const(index), default))


def _starts_of(world: World, kind: Kind) -> list[list[int]]:
    """Return the cells where each level shows an agent of a kind."""
    return [[thing.cell for thing in level.starts if thing.kind is kind] for level in world.levels]


def _suffices(ctx: Context, lists: list[list[int]], members: list[int], name: str) -> bool:
    """Whether every level shows enough places to start; where one shows fewer, setup has to place the agents."""
    world, writer = ctx.world, ctx.writer
    for level, cells in zip(world.levels, lists, strict=True):
        if len(cells) >= len(members):
            continue
        if not _is_placed(world, world.kinds[name]):
            if world.several and cells:
                reason = f"the map shows {len(cells)} `{name}`, and there are {len(members)}"
                writer.report.add(
                    "bad-value", level.span, reason=reason, help="draw one for each, or place them in setup"
                )
            else:
                help = f"draw it in every map, or write `place {name} at random floor` in setup"
                code = "agent-not-placed" if world.several else "no-agent"
                writer.report.add(code, level.span, name=name, help=help)
        return False
    return True


def _deal(ctx: Context, members: list[int], lists: list[list[int]], name: str) -> None:
    """Emit the dealing of places to start, each to one agent."""
    writer = ctx.writer
    if len(members) == 1:
        cell = _drawn_start(ctx, lists, name)
        ctx.emit(ir.Store(writer.agent_cell, ir.const(members[0]), cell))
    else:
        _deal_several(ctx, members, lists, name)
    for index in members:
        _start_attributes(ctx, index)


def _deal_several(ctx: Context, members: list[int], lists: list[list[int]], name: str) -> None:
    world, writer = ctx.world, ctx.writer
    pool = writer.scratch("POOL", max(len(cells) for each in [lists] for cells in each), 0, world.cells - 1)
    if pool.length < max(len(cells) for cells in lists):
        object.__setattr__(pool, "length", max(len(cells) for cells in lists))
    every = [cell for cells in lists for cell in cells]
    starts = writer.table(("STARTS", name), every)
    if len(lists) == 1:
        first: ir.Expr = ir.const(0)
        count: ir.Expr = ir.const(len(every))
    else:
        level = ir.load(writer.slots["LEVEL"])
        firsts = list(accumulate((len(cells) for cells in lists[:-1]), initial=0))
        first = ctx.let("first", ir.lookup(writer.table(("FIRST_START", name), firsts), level))
        count = ctx.let(
            "count", ir.lookup(writer.table(("STARTS_OF_LEVEL", name), [len(c) for c in lists]), level)
        )
    index = ir.Local(ctx.names.fresh("i"), "int", 0, pool.length - 1)
    place = ir.claim(ir.add(first, index), 0, len(every) - 1, SIDE_BY_SIDE)
    copy: ir.Block = [ir.Store(pool, index, ir.lookup(starts, place))]
    ctx.emit(ir.For(index.name, ir.const(0), count, copy))
    for dealt, member in enumerate(members):
        left = ir.sub(count, ir.const(dealt))
        place = ir.add(ir.drawn(left, pool.length - 1), ir.const(dealt))
        if isinstance(left, ir.Const) and left.value == 1:
            place = ir.const(dealt)
        place = ctx.let("place", place)
        ctx.emit(ir.Store(writer.agent_cell, ir.const(member), ir.load(pool, place)))
        ctx.emit(ir.Store(pool, place, ir.load(pool, dealt)))


def _check_start(ctx: Context) -> None:
    """Emit a failure where setup left an agent without a place: only an `if` can skip it, or too small a number."""
    world, writer = ctx.world, ctx.writer
    for index, kind in enumerate(world.agents):
        drawn = all(_starts_of(world, kind)) or all(_starts_of(world, world.kinds["agent"]))
        surely = not world.several and any(_surely_places(effect, kind) for effect in world.spec.preparing)
        if drawn or surely:
            continue
        failure = ir.Fail(
            "no-place",
            world.spec.place("setup"),
            f"`{world.agent_names[index]}`\x00setup ended without placing it",
        )
        ctx.block.extend(ir.when(ir.lt(ir.load(writer.agent_cell, index), 0), [failure]))


def _places_agent(effect: Any, kind: Kind) -> bool:
    return isinstance(effect, n.Place) and getattr(effect.kind, "name", "") in {"agent", kind.name}


def _surely_places(effect: Any, kind: Kind) -> bool:
    return _places_agent(effect, kind) and not effect.if_free


def _is_placed(world: World, kind: Kind) -> bool:
    return any(_places_agent(node, kind) for node in walk(world.spec.preparing))


def _drawn_start(ctx: Context, lists: list[list[int]], name: str) -> ir.Expr:
    writer = ctx.writer
    if len(lists) == 1:
        cells = lists[0]
        if len(cells) == 1:
            return ir.const(cells[0])
        which = ctx.let("start", ir.drawn(ir.const(len(cells)), len(cells) - 1))
        return ir.lookup(writer.table(("STARTS", name), cells), which)
    level = ir.load(writer.slots["LEVEL"])
    firsts = list(accumulate((len(cells) for cells in lists[:-1]), initial=0))
    first = ir.lookup(writer.table(("FIRST_START", name), firsts), level)
    counts = ir.lookup(writer.table(("STARTS_OF_LEVEL", name), [len(cells) for cells in lists]), level)
    which = ir.const(0) if counts == ir.const(1) else ctx.let("start", ir.drawn(counts, counts.high - 1))
    every = [cell for cells in lists for cell in cells]
    place = ir.claim(ir.add(first, which), 0, len(every) - 1, SIDE_BY_SIDE)
    return ir.lookup(writer.table(("STARTS", name), every), place)


def _start_attributes(ctx: Context, index: int) -> None:
    """Emit the facing and the attributes that the legend gives an agent, each start its own."""
    world, writer = ctx.world, ctx.writer
    agent, me = world.agents[index], ir.const(index)
    drawn: list[Thing] = [thing for level in world.levels for thing in level.starts]
    kind = agent if any(thing.kind is agent for thing in drawn) else world.kinds["agent"]
    starts = [thing for thing in drawn if thing.kind is kind]
    if any("facing" in thing.attributes for thing in starts):
        codes = [_facing_code(writer, agent, thing.attributes.get("facing")) for thing in starts]
        ctx.emit(ir.Store(writer.facing, me, _at_start(ctx, index, kind, "facing", codes, (0, 3))))
    for name, attribute in agent.attributes.items():
        default = int(attribute.default)
        if name == "facing":
            if not any("facing" in thing.attributes for thing in starts):
                ctx.emit(ir.Store(writer.facing, me, ir.const(_facing_code(writer, agent, None) or 0)))
            continue
        codes = [_start_code(writer, agent, name, thing.attributes.get(name), default) for thing in starts]
        value = _at_start(ctx, index, kind, name, codes, domain_range(attribute.domain))
        ctx.emit(ir.Store(writer.agent_attribute_slot(name), me, value))
    content = starts[0].attributes.get("carries")
    if content is not None:
        put_in(ctx, Ref(agent, me), content)


def _start_code(writer: Writer, agent: Kind, name: str, given: Any, default: int) -> int | None:
    """Return the value that a start gives an attribute; None where it is drawn."""
    if given is None:
        return default
    if isinstance(given, n.Random):
        if given.domain is not None:
            help = f"place it in setup: `place agent({name}=random ...) at ...`"
            what, where = "a part of a domain", "at the start that a map draws"
            writer.report.add("wrong-place", given.domain.span, what=what, where=where, help=help)
        return None
    return attribute_code(given, agent, name, writer.world.params, writer.report)


def _facing_code(writer: Writer, agent: Kind, given: Any) -> int | None:
    """Return the way an agent faces at its start; None where it is drawn."""
    if given is None:
        declared = agent.attributes.get("facing")
        if declared is None:
            return 0
        code, words = int(declared.default), declared.domain.words
        return COMPASS.index(words[code]) if words else code
    if isinstance(given, n.Random):
        return None
    word = constant(given, writer.world.params, writer.report, "a facing")
    if word in COMPASS:
        return COMPASS.index(word)
    writer.report.add(
        "unknown-word",
        given.span,
        word=word,
        of="the directions",
        help="directions are `east`, `south`, `west` and `north`",
    )
    return 0


def _at_start(
    ctx: Context, index: int, kind: Kind, name: str, codes: list[int | None], ends: tuple[int, int]
) -> ir.Expr:
    """Return the value of an attribute by where an agent starts; ``codes`` are those of the starts, in order."""
    world, writer = ctx.world, ctx.writer
    low, high = ends
    random = ir.add(ir.drawn(ir.const(high - low + 1), high - low), ir.const(low))
    if len(set(codes)) == 1:
        return random if codes[0] is None else ir.const(codes[0])
    missing = low - 1
    listed = [missing] * (world.cells * len(world.levels))
    given = iter(codes)
    for number, level in enumerate(world.levels):
        for thing in level.starts:
            if thing.kind is kind:
                code = next(given)
                listed[number * world.cells + thing.cell] = missing if code is None else code
    at: ir.Expr = ir.load(writer.agent_cell, index)
    if len(world.levels) > 1:
        at = ir.add(ir.mul(ir.load(writer.slots["LEVEL"]), ir.const(world.cells)), at)
    found = ir.lookup(writer.table(("START", kind.name, name, index), listed), at)
    if None not in codes:
        return ctx.let(name, ir.claim(found, low, high, "an agent stands on one of its starts"))
    value = ctx.let(name, found)
    return ir.select(ir.eq(value, missing), random, value)
