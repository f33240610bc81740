"""Setup: how an episode starts, top to bottom (section 6 of the reference), and in which order it draws."""

from __future__ import annotations

from typing import Any

from griddsl.syntax import nodes as n
from tests.reference.compass import COMPASS
from tests.reference.conditions import holds
from tests.reference.effects import choose_nothing, perform
from tests.reference.expressions import evaluate, number
from tests.reference.game import Memory
from tests.reference.kinds import Kind
from tests.reference.legend import give_chosen
from tests.reference.making import give, set_attribute, value_for
from tests.reference.maps import GENERATORS, Drawn, pattern_of
from tests.reference.numbers import plain
from tests.reference.places import NoPlace
from tests.reference.scope import Scope
from tests.reference.world import Agent, Cell, Ground, Thing, World


def start(world: World, level: int | None, follows: bool = False) -> None:
    """Start an episode: the map as drawn, what is drawn anew and the lines of ``once``; then those of ``setup``.

    Where it ``follows`` another without a seed, all before ``setup`` is as ``once`` left it.
    """
    game = world.game
    kept = world.drawn
    if follows and kept is not None:
        world.restore(kept)
        world.drawn = kept
        world.begin_step()
        scope = Scope(world, {}, None if game.several else world.agents[0], in_setup=True)
    else:
        world.drawn = world.before = None
        scope = _draw(world, level)
    for line, effect in enumerate(game.spec.setup, len(game.spec.once) + 1):
        perform((effect,), scope)
        give_chosen(world, line, scope)
    for agent in world.agents:
        if agent.cell is None and not agent.kind.nowhere:
            raise NoPlace("no-place", agent.name)
    begin(world)


def _draw(world: World, level: int | None) -> Scope:
    game = world.game
    world.step, world.turn, world.chosen, world.totals = 0, 0, {}, {}
    world.variables = {name: default for name, (_, default) in game.variables.items()}
    world.agents = [
        Agent(kind, name, index, held=[None] * (kind.carries or 1))
        for index, (kind, name) in enumerate(zip(game.agents, game.agent_names, strict=True))
    ]
    for agent in world.agents:
        agent.action = game.groups[0].actions[0].name
    world.begin_step()
    _choose_level(world, level)
    _lay_out(world)
    scope = Scope(world, {}, None if game.several else world.agents[0], in_setup=True)
    _put_things(world, scope)
    _deal_starts(world, scope)
    _draw_map(world)
    give_chosen(world, 0, scope)
    for line, effect in enumerate(game.spec.once, 1):
        perform((effect,), scope)
        give_chosen(world, line, scope)
    for effect in game.spec.once:
        if isinstance(effect, n.Let):
            scope.names.pop(effect.name, None)
    if game.spec.once:
        world.drawn = world.snapshot()
    return scope


def begin(world: World) -> None:
    """Keep what is remembered of the start: where all stood, and what ``prev`` and ``lowest`` ask for."""
    beings: list[Agent | Thing] = [*world.agents, *world.things(on_map=False)]
    for being in beings:
        being.start = being.cell
    remember(world, first=True)


# The map


def _choose_level(world: World, asked: int | None) -> None:
    game = world.game
    if len(game.levels) > 1:
        wanted = game.spec.arguments.get("level", game.spec.level)
        drawn = 0
        if wanted == "random" and asked is None:
            drawn = world.stream.below(len(game.levels))
        world.level = game.levels[drawn if asked is None else asked]


def _lay_out(world: World) -> None:
    game = world.game
    world.cells = []
    for y in range(game.height):
        for x in range(game.width):
            cell = Cell(x, y, y * game.width + x)
            kind, given = world.level.ground[x, y]
            cell.ground = Ground(kind, cell, _defaults(kind))
            for name, node in given.items():
                cell.ground.attributes[name] = _given(kind, name, node, Scope(world, {}))
            world.cells.append(cell)


def _defaults(kind: Kind) -> dict[str, Any]:
    return {name: attribute.default for name, attribute in kind.attributes.items()}


def _given(kind: Kind, name: str, node: n.Expression, scope: Scope) -> Any:
    return plain(value_for(kind, name, node, scope))


def _put_things(world: World, scope: Scope) -> None:
    """Put the objects of the map; what they carry comes to be after all of them. Then draw what is left open."""
    drawn = [
        _thing(world, each.kind, world.cell(*each.place), each.attributes) for each in world.level.things
    ]
    world.objects = list(drawn)
    given = [each.attributes for each in world.level.things]
    for holder, attributes in zip(drawn, list(given), strict=True):
        node = attributes.get("carries")
        if node is not None:
            content = _thing(world, world.game.kinds[node.name], None, pattern_of(node))
            holder.held[0] = content
            world.objects.append(content)
            given.append(pattern_of(node))
    for kind in world.game.kinds.values():
        for name, attribute in kind.attributes.items() if kind.category == "object" else ():
            for thing, attributes in zip(list(world.objects), given, strict=True):
                assert thing is not None
                if thing.kind is kind and isinstance(attributes.get(name), n.Random):
                    value = evaluate(attributes[name], scope, attribute.domain)
                    set_attribute(thing, name, value)


def _thing(world: World, kind: Kind, cell: Cell | None, given: dict[str, n.Expression]) -> Thing:
    thing = Thing(kind, cell, _defaults(kind), held=[None] * (kind.carries or 0))
    for name, node in given.items():
        if name != "carries" and not isinstance(node, n.Random):
            thing.attributes[name] = _given(kind, name, node, Scope(world, {}))
    return thing


# The agents


def _deal_starts(world: World, scope: Scope) -> None:
    """Deal each kind of agent the glyphs of its own; those that have none the ``@``."""
    game = world.game
    waiting: list[Agent] = []
    for kind in dict.fromkeys(game.agents):
        members = [agent for agent in world.agents if agent.kind is kind]
        if not any(start.kind is kind for level in game.levels for start in level.starts):
            waiting += members
        elif all(sum(s.kind is kind for s in level.starts) >= len(members) for level in game.levels):
            _deal(world, members, kind, scope)
        else:
            _leave_to_setup(members)
    common = game.kinds["agent"]
    counts = [sum(start.kind is common for start in level.starts) for level in game.levels]
    if waiting and common not in game.agents and any(counts) and min(counts) >= len(waiting):
        _deal(world, waiting, common, scope)
    else:
        _leave_to_setup(waiting)


def _leave_to_setup(agents: list[Agent]) -> None:
    for agent in agents:
        agent.cell = None
        agent.attributes = _defaults(agent.kind)
        if "facing" in agent.kind.attributes:
            agent.facing = COMPASS.index(agent.kind.attributes["facing"].default)


def _deal(world: World, members: list[Agent], kind: Kind, scope: Scope) -> None:
    """Deal the starts of a kind, each to one agent; then give each what the legend says of its start.

    Where all levels have one number of starts, nothing is drawn for the last of as many agents.
    """
    lists = [[start for start in level.starts if start.kind is kind] for level in world.game.levels]
    left = [start for start in world.level.starts if start.kind is kind]
    fixed = len({len(each) for each in lists}) == 1
    dealt: list[Drawn] = []
    for index in range(len(members)):
        count = len(left) - index
        place = index if count == 1 and fixed else index + world.stream.below(count)
        dealt.append(left[place])
        left[place] = left[index]
    for agent, drawn in zip(members, dealt, strict=True):
        agent.cell = world.cell(*drawn.place)
    for agent, drawn in zip(members, dealt, strict=True):
        _give_start(agent, drawn, lists, scope)


def _give_start(agent: Agent, drawn: Drawn, lists: list[list[Drawn]], scope: Scope) -> None:
    agent.attributes = _defaults(agent.kind)
    given = drawn.attributes
    if "facing" in agent.kind.attributes:
        agent.facing = COMPASS.index(agent.kind.attributes["facing"].default)
    if "facing" in given:
        from tests.reference.expressions import DIRECTIONS

        agent.facing = COMPASS.index(evaluate(given["facing"], scope, DIRECTIONS, as_word=True))
    for name in agent.kind.attributes:
        if name in given and name != "facing":
            agent.attributes[name] = _given(agent.kind, name, given[name], scope)
    if "carries" in given:
        give(agent, given["carries"], scope)


def _draw_map(world: World) -> None:
    call = world.game.spec.generate
    if call is None or call.name not in GENERATORS:
        return
    floor = GENERATORS[call.name](world.stream, world.game.width, world.game.height)
    for cell in world.cells:
        cell.ground.kind = world.game.kinds["floor" if cell.place in floor else "wall"]


# retry


def retry(effect: n.Retry, scope: Scope) -> None:
    """``retry N until C``: carry the block out again, from the state as it was, until the condition holds."""
    world = scope.here
    kept = world.snapshot()
    for tried in range(number(effect.count, scope)):
        if tried:
            world.restore(kept)
        perform(effect.body, scope.inner())
        if _held(effect.until, scope):
            return
    raise NoPlace("retries", effect)


def _held(until: n.Expression, scope: Scope) -> bool:
    from griddsl.syntax.nodes import walk

    asked = {node.name for node in walk(until) if isinstance(node, n.Name)} & {"solvable", "optimal_length"}
    if not asked:
        return holds(until, scope.inner())
    from tests.reference.search import shortest

    kept = scope.here.snapshot()
    for effect in scope.here.game.spec.preparing:
        choose_nothing(effect, scope)  # what is chosen later in setup is nothing yet
    begin(scope.here)
    length = shortest(scope.here)
    scope.here.restore(kept)
    if length is None and "optimal_length" in asked:
        return False
    return holds(until, scope.inner(solvable=length is not None, optimal_length=length))


# Memory


def remember(world: World, first: bool = False) -> None:
    """Keep the lowest value of what ``lowest`` asks for, for each agent."""
    memory = Memory.of(world.game.spec)
    if first:
        world.lowest = {}
        world.before = None
        if memory.previous:
            keep_before(world)
    for node in memory.lowest:
        for me in (None, *world.agents):
            value = _value_for(node, me, world)
            if value is not None:
                key = node, None if me is None else me.index
                world.lowest[key] = value if first else min(world.lowest[key], value)


def _value_for(node: n.Expression, me: Agent | None, world: World) -> Any:
    """Return a value as an agent sees it; None where the expression is not about such an agent."""
    if me is None and world.game.several and _speaks_of_subject(node):
        return None
    try:
        return number(node, Scope(world, {}, me))
    except KeyError:
        return None


def _speaks_of_subject(node: n.Expression) -> bool:
    from griddsl.syntax.nodes import walk

    return any(isinstance(part, n.Name) and part.name in {"self", "other"} for part in walk(node))


def keep_before(world: World) -> None:
    """Keep the world as it is now, for ``prev``, and as many before it as ``prev`` of ``prev`` may ask for."""
    from copy import deepcopy

    earlier, world.before = world.before, None
    older, world.was = world.was, {}
    copies: dict[int, Any] = {}
    world.before = oldest = deepcopy(world, copies)
    beings = [*world.cells, *(cell.ground for cell in world.cells), *world.things(on_map=False)]
    world.was = {each: copies[id(each)] for each in beings}
    world.before.was = {copies[id(each)]: then for each, then in older.items() if id(each) in copies}
    oldest.before = earlier
    for _ in Memory.of(world.game.spec).previous[1:]:
        oldest = oldest.before or oldest
    oldest.before = None
