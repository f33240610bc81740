"""Starts: the cells where agents begin, drawn among those of their map, and the attributes that they begin with."""

from __future__ import annotations

from itertools import accumulate
from typing import TypeGuard

from griddsl.compass import COMPASS
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.effects.making import put_in
from griddsl.lowering.effects.placing import lift_agent
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.constants import constant
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.maps.letters import attribute_code
from griddsl.lowering.world.maps.level import Thing
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import World, domain_range
from griddsl.program import ir, keys
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

SIDE_BY_SIDE = "the starts of a level lie side by side"


def start(ctx: Context) -> None:
    """Emit where the agents start: on what is drawn for them, dealt uniformly; or nowhere yet, where setup places them.

    A kind of agent starts on its own glyphs where the map has them, else on ``@``.
    """
    world, writer = ctx.world, ctx.writer
    if world.nowhere:
        for index in range(len(world.agents)):
            _begin_anew(ctx, index)
        return
    drawn, waiting = _drawn(world), list[int]()
    for kind in dict.fromkeys(world.agents):
        members = [index for index, each in enumerate(world.agents) if each is kind]
        lists = _starts_of(world, kind)
        if not any(lists):
            waiting.extend(members)
        elif drawn.issuperset(members):
            _deal(ctx, members, lists, kind.name)
        else:
            _report_too_few(ctx, lists, members, kind.name)
            _lift(ctx, members)
    if not waiting:
        return
    lists = _starts_of(world, world.kinds["agent"])
    if any(lists) and world.kinds["agent"] not in world.agents:
        if drawn.issuperset(waiting):
            _deal(ctx, waiting, lists, "agent")
            return
        _report_too_few(ctx, lists, waiting, "agent")
        if not _is_placed(
            world, world.kinds["agent"]
        ):  # that the map shows too few, says it for each of them
            _lift(ctx, waiting)
            return
    missing = [
        kind
        for kind in dict.fromkeys(world.agents[index] for index in waiting)
        if not _is_placed(world, kind)
    ]
    is_of_a_board = any(action.arguments for action in world.actions)
    for kind in missing[:1] if is_of_a_board and len(missing) > 1 else missing:
        name = kind.name
        glyph = "`@`" if not world.several else f"a glyph for it (legend: 1 = {name})"
        help = f"draw {glyph} in the map, or write `place {name} at random free` in setup"
        if is_of_a_board:
            help = f"draw {glyph}, or place it in setup; where nobody walks, write `agent: nowhere`"
        code = "agent-not-placed" if world.several else "no-agent"
        writer.report.add(code, world.levels[0].span, name=name, help=help)
    _lift(ctx, waiting)


def _lift(ctx: Context, members: list[int]) -> None:
    """Emit that agents stand nowhere yet, and have what they have by default."""
    for index in members:
        lift_agent(ctx, ir.const(index))
        _begin_anew(ctx, index)


def _begin_anew(ctx: Context, index: int) -> None:
    """Emit that an agent has what it has by default."""
    for name, attribute in ctx.world.agents[index].attributes.items():
        if name != "facing" and int(attribute.default) != 0:
            default = ir.const(int(attribute.default))
            ctx.emit(ir.Store(ctx.writer.agent_attribute_slot(name), ir.const(index), default))


def _starts_of(world: World, kind: Kind) -> list[list[int]]:
    """Return the cells where each level shows an agent of a kind."""
    return [[thing.cell for thing in level.starts if thing.kind is kind] for level in world.levels]


def _report_too_few(ctx: Context, lists: list[list[int]], members: list[int], name: str) -> None:
    """Report the first level that shows too few places to start, unless setup places the agents."""
    world, writer = ctx.world, ctx.writer
    if _is_placed(world, world.kinds[name]):
        return
    level, cells = next(each for each in zip(world.levels, lists, strict=True) if len(each[1]) < len(members))
    if world.several and cells:
        reason = f"the map shows {len(cells)} `{name}`, and there are {len(members)}"
        help = "draw one for each, or place them in setup"
        writer.report.add("bad-value", level.span, reason=reason, help=help)
    else:
        help = f"draw it in every map, or write `place {name} at random free` in setup"
        code = "agent-not-placed" if world.several else "no-agent"
        writer.report.add(code, level.span, name=name, help=help)


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
        writer.revise(pool, length=max(len(cells) for cells in lists))
    every = [cell for cells in lists for cell in cells]
    starts = writer.table(("STARTS", name), every)
    if len(lists) == 1:
        first: ir.Expr = ir.const(0)
        count: ir.Expr = ir.const(len(every))
    else:
        level = ir.load(writer.slots[keys.LEVEL])
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


def check_start(ctx: Context) -> None:
    """Emit a failure where setup left an agent without a place: only an `if` can skip it, or too small a number."""
    world, writer = ctx.world, ctx.writer
    if world.nowhere:
        return
    drawn = _drawn(world)
    for index, kind in enumerate(world.agents):
        surely = not world.several and any(_surely_places(effect, kind) for effect in world.spec.preparing)
        if index in drawn or surely:
            continue
        said = f"`{world.agent_names[index]}`\x00setup ended without placing it"
        if sum(each is kind for each in world.agents) > 1 and _is_placed(world, kind):
            name, count = kind.name, sum(each is kind for each in world.agents)
            said += f"\x00each `place {name}` places one more of them: `repeat {count}: place {name} at ...` places all"
        failure = ir.Fail("no-place", world.spec.place("setup"), said)
        ctx.block.extend(ir.when(ir.lt(ir.load(writer.agent_cell, index), 0), [failure]))


def _drawn(world: World) -> set[int]:
    """Return the agents that begin where maps show them: every map shows enough of their kind, or enough `@`."""
    found, waiting = set[int](), list[int]()
    for kind in dict.fromkeys(world.agents):
        members = [index for index, each in enumerate(world.agents) if each is kind]
        lists = _starts_of(world, kind)
        if not any(lists):
            waiting += members
        elif all(len(cells) >= len(members) for cells in lists):
            found.update(members)
    lists = _starts_of(world, world.kinds["agent"])
    if world.kinds["agent"] not in world.agents and all(len(cells) >= len(waiting) for cells in lists):
        found.update(waiting)
    return found


def _places_agent(effect: object, kind: Kind) -> TypeGuard[n.Place]:
    return isinstance(effect, n.Place) and getattr(effect.kind, "name", "") in {"agent", kind.name}


def _surely_places(effect: object, kind: Kind) -> bool:
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
    level = ir.load(writer.slots[keys.LEVEL])
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


def _start_code(
    writer: Writer, agent: Kind, name: str, given: n.Expression | None, default: int
) -> int | None:
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


def _facing_code(writer: Writer, agent: Kind, given: n.Expression | None) -> int | None:
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
    if isinstance(word, str) and word in COMPASS:
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
        at = ir.add(ir.mul(ir.load(writer.slots[keys.LEVEL]), ir.const(world.cells)), at)
    found = ir.lookup(writer.table(("START", kind.name, name, index), listed), at)
    if None not in codes:
        return ctx.let(name, ir.claim(found, low, high, "an agent stands on one of its starts"))
    value = ctx.let(name, found)
    return ir.select(ir.eq(value, missing), random, value)
