"""Lower: a spec becomes a program, part by part; the table of contents of this room."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product

from griddsl.diagnostics import Report
from griddsl.lowering.checks.checks import check_spec, check_spelling, check_world
from griddsl.lowering.checks.cost import costly_clauses
from griddsl.lowering.checks.names import hidden_words
from griddsl.lowering.clauses.memory import keep_what_is_remembered
from griddsl.lowering.facts.facts import Facts
from griddsl.lowering.rules.events import check_subjects
from griddsl.lowering.rules.goals import define_goal_reward
from griddsl.lowering.rules.legality import allows, define_mask
from griddsl.lowering.sight.information import read_info
from griddsl.lowering.sight.missions import define_told
from griddsl.lowering.sight.observations import read_observations
from griddsl.lowering.sight.portrait import kind_infos, name_infos
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.step.drawing_once import keep_draw
from griddsl.lowering.step.reset import define_reset, finish_reset
from griddsl.lowering.step.step import define_step, hold_steps
from griddsl.lowering.world.actions import Group
from griddsl.lowering.world.resolve import resolve
from griddsl.lowering.world.world import World
from griddsl.program.ir import Function
from griddsl.program.passes.alternatives import join_alternatives
from griddsl.program.passes.effects import Known
from griddsl.program.passes.independent import mark_independent
from griddsl.program.passes.kindred import join_reductions
from griddsl.program.passes.listing import list_places
from griddsl.program.passes.normal import normalize
from griddsl.program.passes.repeating import search_once
from griddsl.program.passes.unset import drop_unset
from griddsl.program.program import ActionGroup, ActionInfo, Player, Program, RuleInfo
from griddsl.program.signatures import calls_from_outside, sign
from griddsl.program.spaces import Leaf
from griddsl.spec.models import GridSpec

MOST_STATE = 5_000_000


def lower(spec: GridSpec, report: Report) -> Program | None:
    """Return the program of a spec; None where errors were reported."""
    spec = spec.plain
    report.called = spec.called
    world = resolve(spec, report)
    if world is None:
        return None
    writer = Writer(Facts(world), report)
    check_subjects(writer)
    hidden_words(writer)
    costly_clauses(writer)
    _check_size(
        writer,
        sum(writer.facts.attribute_changes(name, "tile") for name in world.tile_attributes()) * world.cells,
    )
    if report.is_stuck:
        return None
    define_reset(writer)
    define_told(writer)
    players = _players(writer)
    goal: Mapping[str, Leaf] = {}
    if players and len(players) == 1:
        goal = define_goal_reward(writer, players[0][1])
    define_step(writer)
    finish_reset(writer)
    keep_what_is_remembered(writer)
    check_spec(writer)
    check_spelling(writer)
    if report.has_errors or players is None:
        return None
    check_world(writer)
    keep_draw(writer)
    hold_steps(writer)
    drop_unset(writer.functions, writer.slots.values())
    known = Known(writer.functions)
    search_once(writer.functions, known)
    list_places(writer.functions, known, world.cells, writer.new_table)
    normalize(writer.functions, known)
    join_reductions(writer.functions)
    join_alternatives(writer.functions, known, writer.new_table)
    mark_independent(writer.functions, known)
    # Before the tables are gathered: pictures may need some that no rule looks up.
    kinds, names = kind_infos(writer), name_infos(writer)
    program = Program(
        id=spec.id,
        description=spec.description,
        width=world.width,
        height=world.height,
        slots=tuple(writer.slots.values()),
        tables=tuple(writer.tables.values()),
        functions=_in_order(writer),
        players=tuple(replace(player, info=(*player.info, *writer.infos.values())) for player, _ in players),
        goal=goal,
        outcomes=tuple(writer.outcomes),
        kinds=kinds,
        layers=tuple(writer.layer_slot(layer).key for layer in world.layers) if world.object_kinds() else (),
        agents=tuple(kind.name for kind in world.agents),
        agent_names=tuple(world.agent_names),
        levels=tuple(level.name for level in world.levels),
        ground=tuple(array("i", level.tiles.tobytes()) for level in world.levels),
        barriers=tuple(level.barriers for level in world.levels),
        rules=tuple(RuleInfo(rule.head, rule.span) for rule in spec.rules),
        names=names,
        mission=writer.mission,
        limit=None if world.limit is None else world.limit * world.episodes,
        plug_ins=dict(writer.plug_ins),
        metadata={"params": dict(world.params), "directions": _directions(world)},
        turns=world.turns if world.several else "",
        rewards=world.spec.rewards,
        scores=tuple(score.name for score in spec.scores),
        keeps_draw=bool(world.spec.once) and world.episodes == 1,
    )
    sign(program.functions, calls_from_outside(program))
    return program if _check_size(writer, program.layout.size) else None


def _players(writer: Writer) -> list[tuple[Player, dict[str, Leaf]]] | None:
    """Return who is given actions from outside, each with its spaces and functions; None after errors."""
    world = writer.world
    found: dict[int, tuple[Player, dict[str, Leaf]]] = {}
    for role in world.roles:
        if role.moves is not None:
            continue
        observed = read_observations(writer, role)
        infos = tuple(read_info(writer, role))
        mask = define_mask(writer, role)
        if observed is None:
            return None
        groups = tuple(
            ActionGroup(group.name, tuple(_actions(writer, group)), group.joystick, group.axis is not None)
            for group in role.groups
        )
        for index in role.members:
            arguments = (index,) if writer.observing(role) else ()
            player = Player(
                world.agent_names[index], index, arguments, groups, observed[0], infos, mask or ""
            )
            found[index] = player, observed[1]
    return [found[index] for index in sorted(found)]


def _actions(writer: Writer, group: Group) -> Iterator[ActionInfo]:
    """Yield the entry of each number of a group."""
    if group.axis is not None:
        yield from (ActionInfo(word, ()) for word in group.axis.words)
    for action in group.actions:
        function = writer.function_name(allows(writer.world, action)) if action.is_limited else ""
        takes = tuple(argument.name for argument in action.arguments)
        if action.axes:  # Whether it is allowed depends on what is chosen there.
            yield ActionInfo(action.name, action.keys, takes=takes, axes=action.axes)
        elif not takes:
            yield ActionInfo(action.name, action.keys, function)
        else:
            places = product(*(range(argument.size) for argument in action.arguments))
            for given, values, name in zip(places, action.values(), action.names(), strict=True):
                given = given if function else ()
                yield ActionInfo(name, action.keys, function, given, action.name, takes, values)


def _check_size(writer: Writer, size: int) -> bool:
    """Refuse a state that no machine should hold; asked before the tables are made, and again of the whole."""
    if size <= MOST_STATE:
        return True
    spec = writer.world.spec
    reason = f"the state has {size:,} values; at most {MOST_STATE:,} are allowed"
    help = "a smaller map, or fewer attributes of tiles that rules change"
    place = spec.place("generate" if spec.generate is not None else "map")
    writer.report.add("state-too-large", place, reason=reason, help=help)
    return False


def _directions(world: World) -> tuple[int, ...]:
    """Return the direction that an arrow for each action points in; -1 for an action with none."""
    return tuple(-1 if action.direction is None else action.direction for action in world.groups[0].numbered)


def _in_order(writer: Writer) -> dict[str, Function]:
    """Return the functions as they are read best: reset, step, what they call, then observations."""
    first = [name for name in ("reset", "step") if name in writer.functions]
    rest = [name for name in writer.functions if name not in first]
    return {name: writer.functions[name] for name in (*first, *rest)}
