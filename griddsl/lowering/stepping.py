"""The step: the functions ``step`` and ``reset`` of the program, phase by phase, in the order of the language."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from typing import Any

from griddsl.lowering.actions import Action, legal
from griddsl.lowering.carrying import containers, contents_slot
from griddsl.lowering.choosing import weighted
from griddsl.lowering.context import Context, new_function
from griddsl.lowering.creatures import move_creatures
from griddsl.lowering.domains import constant
from griddsl.lowering.effects import perform
from griddsl.lowering.expressions import drawn, evaluate_chance
from griddsl.lowering.generators import draw_map
from griddsl.lowering.handling import handle
from griddsl.lowering.kinds import Kind, walk
from griddsl.lowering.levels import Level, Thing, attribute_code
from griddsl.lowering.memory import remember
from griddsl.lowering.motion import call_move, carry_agent, carry_things, drifts, settle_if_needed
from griddsl.lowering.placing import lift_agents
from griddsl.lowering.relations import condition
from griddsl.lowering.relocation import define_settle
from griddsl.lowering.rules import begin_act, rules_after, rules_before
from griddsl.lowering.things import agent_ref
from griddsl.lowering.values import COMPASS, Ref, in_capitals
from griddsl.lowering.world import World, domain_range
from griddsl.program import ir
from griddsl.spec.models import Slip
from griddsl.syntax import nodes as n

RELATIVE_TURNS = {"right": 1, "back": 2, "left": 3}
EACH_STEP = ("REWARD", "REWARD_IS_SET", "HIDDEN_REWARD", "ENDED", "TRUNCATED", "OUTCOME")


# Reset


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
    draw_map(ctx)
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
        from griddsl.lowering.placing import put_in

        put_in(ctx, agent_ref(ctx, ir.const(0)), content)


# Step


def define_step(world: World) -> None:
    """Define ``step``: the phases of section 7 of the language, in order."""
    parameters = tuple(
        "action" if index == 0 else f"action_{index + 1}" for index in range(len(world.groups))
    )
    ctx = new_function(world, "rule", "step", *parameters)
    actions = [
        ir.Local(name, "int", -1, len(group.actions) - 1)
        for name, group in zip(parameters, world.groups, strict=True)
    ]
    agent = agent_ref(ctx, ir.const(0))
    ctx.emit(ir.Note("2. the action is settled"))
    settled = _settle_actions(ctx, actions, agent)
    if world.spec.order == "objects, agents":
        _objects_move(ctx, 3)
    ctx.emit(ir.Note("4. the agent acts"))
    _act(ctx, settled, agent)
    if world.spec.order == "agents, objects":
        _objects_move(ctx, 5)
    ctx.emit(ir.Note("6. each, every and when"))
    rules_after(ctx)
    remember(ctx, "end")
    define_settle(world)
    ctx.emit(ir.Note("7. reward, terminated, truncated"))
    _finish(ctx)
    begin = _begin(world)
    world.functions["step"] = ir.Function(
        "step", parameters, begin + ctx.block, "Carry out one step; return reward, terminated, truncated."
    )


def _begin(world: World) -> ir.Block:
    """Return phase 1: memories are frozen, the step is counted, what lasts one step is cleared."""
    ctx = new_function(world, "rule", "step")
    ctx.emit(ir.Note("1. the step is counted"))
    remember(ctx, "start")
    if world.limit is not None or "STEP" in world.slots:
        step = world.step
        ctx.emit(
            ir.Store(step, ir.const(0), ir.Op("+", (ir.load(step), ir.const(1)), "int", 0, ir.UNBOUNDED))
        )
    cleared = [world.slots[name] for name in EACH_STEP if name in world.slots]
    cleared += [
        slot for name, slot in world.slots.items() if name.startswith("INFO_") and name.endswith("_IS_SET")
    ]
    for slot in cleared:
        zero = ir.Const(0.0, "real") if slot.type == "real" else ir.const(0)
        ctx.block.extend(ir.Store(slot, ir.const(index), zero) for index in range(slot.length))
    return ctx.block


def _objects_move(ctx: Context, phase: int) -> None:
    world = ctx.world
    if world.object_kinds():
        ctx.emit(ir.Note(f"{phase}. objects move"))
        move_creatures(ctx)


def _settle_actions(ctx: Context, actions: list[ir.Local], agent: Ref) -> list[ir.Local]:
    """Emit legality, sticky, and the rules before the action; an action that is not done becomes -1."""
    world = ctx.world
    _legality(ctx, actions, agent)
    if world.spec.sticky is not None:
        _sticky(ctx, actions)
    if _reads_action(world):
        # `self.action` counts the actions of the first group.
        slot = world.scratch("ACTION", len(world.agents), 0, max(0, len(world.actions) - 1))
        ctx.emit(ir.Store(slot, agent.index, actions[0]))
    before = [rule for rule in world.spec.rules if rule.trigger.event in {"act", "do"}]
    cancels = any(isinstance(node, n.Cancel) for rule in before for node in walk(rule.effects))
    if cancels:
        ctx.emit(ir.Store(world.scratch("CANCELLED"), ir.const(0), ir.const(0)))
    rules_before(ctx, actions, agent)
    if cancels:
        stop: ir.Block = [ir.Let(action.name, ir.const(-1)) for action in actions]
        ctx.emit(ir.If(ir.eq(ir.load(world.scratch("CANCELLED")), 1), stop, []))
    return actions


def _reads_action(world: World) -> bool:
    return (
        "ACTION" in world.slots
        or any(action.through is not None for action in world.actions)
        or any(
            isinstance(node, n.Attribute) and node.name == "action"
            for root in (
                [(rule.trigger, rule.condition, rule.chance, rule.effects) for rule in world.spec.rules],
                [observe.items for observe in world.spec.observe],
                world.spec.info,
            )
            for node in walk(root)
        )
    )


def _legality(ctx: Context, actions: list[ir.Local], agent: Ref) -> None:
    world = ctx.world
    if world.spec.illegal == "act":
        return
    for action in world.actions:
        if action.allow is None:
            continue
        chosen = actions[action.group]
        inner = ctx.inner()
        if world.spec.illegal == "end":
            perform(inner, (n.End("illegal", world.spec.place("illegal")),))
        inner.emit(ir.Let(chosen.name, ir.const(-1)))
        test = ir.both(ir.eq(chosen, action.number), ir.invert(legal(ctx, action, agent.index)))
        ctx.block.extend(ir.when(test, inner.block))


def _sticky(ctx: Context, actions: list[ir.Local]) -> None:
    """Emit that the previous action is repeated with a chance; the first step of an episode has none."""
    world = ctx.world
    chance = evaluate_chance(ctx, world.spec.sticky)
    if chance is None or chance == ir.const(0):
        return
    slot = world.slot(
        "PREVIOUS_ACTION", len(actions), -1, int(max(a.high for a in actions)), initial=(-1,) * len(actions)
    )
    again: ir.Block = [ir.Let(action.name, ir.load(slot, index)) for index, action in enumerate(actions)]
    test = ir.both(ir.ge(ir.load(slot, 0), 0), drawn(ctx, chance))
    ctx.block.extend(ir.when(test, again))
    for index, action in enumerate(actions):
        ctx.emit(ir.Store(slot, ir.const(index), action))


def _act(ctx: Context, actions: list[ir.Local], agent: Ref) -> None:
    """Emit phase 4: turning and handling, then moves, then belts."""
    world = ctx.world
    for group, chosen in zip(world.groups, actions, strict=True):
        _handle_group(ctx, group.actions, chosen, agent)
    for group, chosen in zip(world.groups, actions, strict=True):
        _move_group(ctx, group.actions, chosen, agent)
    if any(kind.carry is not None for kind in world.tile_kinds()):
        inner = ctx.inner()
        begin_act(inner)
        carry_agent(inner, agent)
        ended = ir.eq(ir.load(world.scratch("ENDED")), 0) if _moves_can_end(world) else ir.TRUE
        ctx.block.extend(ir.when(ended, inner.block))
        carry_things(ctx)


def _moves_can_end(world: World) -> bool:
    return any(isinstance(node, n.End) for rule in world.spec.rules for node in walk(rule.effects))


def _handle_group(ctx: Context, actions: list[Action], chosen: ir.Local, agent: Ref) -> None:
    world = ctx.world
    if any(action.turn for action in actions):
        turns = world.table("TURN", [action.turn % 4 for action in actions] + [0])
        turned = ir.mod(ir.add(ir.load(world.facing, agent.index), ir.lookup(turns, chosen)), ir.const(4))
        ctx.emit(ir.Store(world.facing, agent.index, turned))
    for action in actions:
        if action.verb in {"pickup", "drop", "toggle"}:
            inner = ctx.inner()
            begin_act(inner)
            handle(inner, action.verb, agent)
            settle_if_needed(inner, action.verb, "fail")
            ctx.block.extend(ir.when(ir.eq(chosen, action.number), inner.block))


def _move_group(ctx: Context, actions: list[Action], chosen: ir.Local, agent: Ref) -> None:
    """Emit the moves of a group: the direction by table, slip, facing, then the move itself."""
    world = ctx.world
    moves = [action for action in actions if action.verb == "move"]
    stays = [action for action in actions if action.verb == "stay"] if drifts(world) else []
    if not moves and not stays:
        return
    inner = ctx.inner()
    begin_act(inner)
    cells = world.table("MOVE_CELLS", [a.cells if a.verb == "move" else 0 for a in actions] + [0])
    if moves:
        direction = _direction(inner, actions, chosen, agent)
        direction = _slipped(inner, direction, stays, chosen)
        if world.has_facing:
            facing = ir.Store(world.facing, agent.index, direction)
            absolute = [a for a in moves if a.direction is not None]
            if absolute:
                turning = (
                    ir.either(*(ir.eq(chosen, a.number) for a in absolute))
                    if len(absolute) < len(moves)
                    else ir.TRUE
                )
                inner.block.extend(ir.when(turning, [facing]))
    else:
        direction = ir.const(0)
    call_move(inner, agent, direction, ir.lookup(cells, chosen))
    doers = [*moves, *stays]
    test = _is_one_of(world, actions, doers, chosen)
    ctx.block.extend(ir.when(test, inner.block))


def _is_one_of(world: World, actions: list[Action], doers: list[Action], chosen: ir.Local) -> ir.Expr:
    if len(doers) == len(actions):
        return ir.ge(chosen, 0) if _can_be_undone(world) else ir.TRUE
    if len(doers) == 1:
        return ir.eq(chosen, doers[0].number)
    flags = world.table(f"MOVES_{doers[0].group}", [int(action in doers) for action in actions] + [0])
    return ir.eq(ir.lookup(flags, chosen), 1)


def _can_be_undone(world: World) -> bool:
    """Whether an action can have become -1: illegal, cancelled, or no previous one."""
    cancels = any(isinstance(node, n.Cancel) for rule in world.spec.rules for node in walk(rule.effects))
    return cancels or any(action.allow is not None for action in world.actions)


def _direction(ctx: Context, actions: list[Action], chosen: ir.Local, agent: Ref) -> ir.Expr:
    world = ctx.world
    relative = [action for action in actions if action.relative is not None]
    absolute = [action for action in actions if action.direction is not None]
    high = 7 if any((a.direction or 0) > 3 for a in absolute) else 3
    listed = world.table(f"DIRECTION_{actions[0].group}", [a.direction or 0 for a in actions] + [0])
    fixed = ir.lookup(listed, chosen)
    if not relative:
        return ctx.let("direction", fixed)
    turns = world.table("RELATIVE", [a.relative or 0 for a in actions] + [0])
    facing = ir.load(world.facing, agent.index)
    turn = ir.lookup(turns, chosen)
    turned = facing if turn == ir.const(0) else ir.mod(ir.add(facing, turn), ir.const(4))
    if not absolute:
        value = ctx.let("direction", turned)
        return ir.Local(value.name, "int", 0, high) if isinstance(value, ir.Local) else value
    flags = world.table("IS_RELATIVE", [int(a.relative is not None) for a in actions] + [0])
    return ctx.let("direction", ir.select(ir.eq(ir.lookup(flags, chosen), 1), turned, fixed))


def _slipped(ctx: Context, direction: ir.Expr, stays: list[Action], chosen: ir.Local) -> ir.Expr:
    """Emit the slips: a move goes another way with the chances given, relative to the intended direction."""
    for slip in ctx.world.spec.slip:
        test = ir.TRUE if slip.condition is None else condition(ctx, slip.condition)
        for stay in stays:
            test = ir.both(test, ir.ne(chosen, stay.number))
        if test == ir.FALSE:
            continue
        inner = ctx.inner()
        turn = _slip_turn(inner, slip)
        if turn is None:
            continue
        if not isinstance(direction, ir.Local):
            direction = ctx.variable("direction", direction)
        group = ir.sub(direction, ir.mod(direction, ir.const(4))) if direction.high > 3 else ir.const(0)
        turned = ir.add(group, ir.mod(ir.add(direction, turn), ir.const(4)))
        inner.emit(ir.Let(direction.name, turned))
        ctx.block.extend(ir.when(test, inner.block))
    return direction


def _slip_turn(ctx: Context, slip: Slip) -> ir.Expr | None:
    """Return the quarter turns clockwise that a slip draws."""
    chances: list[ir.Expr] = []
    turns: list[int] = []
    for item in slip.items:
        if item.direction not in RELATIVE_TURNS:
            from griddsl.diagnostics import did_you_mean

            help = (
                did_you_mean(item.direction, RELATIVE_TURNS) or "directions are relative: left, right, back"
            )
            ctx.error(
                "unknown-word", item.span, word=item.direction, of="the directions of a slip", help=help
            )
            return None
        value = evaluate_chance(ctx, item.chance)
        if value is None:
            return None
        chances.append(value)
        turns.append(RELATIVE_TURNS[item.direction])
    constants = [_exact(value) for value in chances]
    known = [value for value in constants if value is not None]
    if sum(known) > 1:
        span = slip.items[0].span.to(slip.items[-1].span)
        total = f"{float(sum(known)):g}"
        ctx.error(
            "bad-chances", span, total=total, wrong="more than 1", help="what is left of 1 goes as intended"
        )
        return None
    if len(known) == len(chances):
        return _constant_turn(ctx, known, turns)
    return _sequential_turn(ctx, chances, turns)


def _exact(value: ir.Expr) -> Fraction | None:
    if not isinstance(value, ir.Const):
        return None
    return (
        Fraction(value.value).limit_denominator(10**6)
        if isinstance(value.value, float)
        else Fraction(value.value)
    )


def _constant_turn(ctx: Context, chances: list[Fraction], turns: list[int]) -> ir.Expr | None:
    weights = [*chances, Fraction(1) - sum(chances)]
    kept = [(weight, turn) for weight, turn in zip(weights, [*turns, 0], strict=True) if weight]
    if len(kept) == 1:
        return None if kept[0][1] == 0 else ir.const(kept[0][1])
    which = weighted(ctx, [weight for weight, _ in kept])
    name = f"SLIP_{'_'.join(str(turn) for _, turn in kept)}"
    return ir.lookup(ctx.world.table(name, [turn for _, turn in kept]), which)


def _sequential_turn(ctx: Context, chances: list[ir.Expr], turns: list[int]) -> ir.Expr:
    """Draw among chances that are not known before: each given that those before it did not happen."""
    turn = ctx.variable("turn", ir.const(0), 0, 3)
    left: ir.Expr = ir.const(1)
    block: ir.Block = []
    parts: list[tuple[ir.Expr, int]] = []
    for chance, quarter in zip(chances, turns, strict=True):
        share = ir.Op("/", (chance, ir.greatest((left, ir.Const(Fraction(1, 10**12), "real")))), "real", 0, 1)
        parts.append((ctx.runtime("chance", share, type="bool"), quarter))
        left = ir.sub(left, chance)
    for test, quarter in reversed(parts):
        block = [ir.If(test, [ir.Let(turn.name, ir.const(quarter))], block)]
    ctx.block.extend(block)
    return turn


def _finish(ctx: Context) -> None:
    """Emit phase 7: the reward, then terminated, then truncated."""
    world = ctx.world
    slots = world.slots
    reward: ir.Expr = ir.Const(Fraction(0), "real")
    if "REWARD" in slots:
        reward = ir.load(slots["REWARD"])
    if "REWARD_SET" in slots:
        reward = ir.select(ir.eq(ir.load(slots["REWARD_IS_SET"]), 1), ir.load(slots["REWARD_SET"]), reward)
    terminated = ir.eq(ir.load(slots["ENDED"]), 1) if "ENDED" in slots else ir.FALSE
    tests: list[ir.Expr] = []
    if "TRUNCATED" in slots:
        tests.append(ir.eq(ir.load(slots["TRUNCATED"]), 1))
    if world.limit is not None:
        tests.append(ir.Op(">=", (ir.load(world.step), ir.const(world.limit)), "bool", 0, 1))
    ctx.emit(ir.Return((reward, terminated, ir.either(*tests))))
