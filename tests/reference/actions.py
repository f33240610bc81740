"""Actions: how an action is settled, turning, and handling what is ahead (sections 7 and 11)."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

from griddsl.syntax import nodes as n
from tests.reference.compass import turned
from tests.reference.conditions import holds
from tests.reference.effects import end
from tests.reference.expressions import chance_of, number
from tests.reference.game import Action, Group
from tests.reference.groups import heard
from tests.reference.moving import handled_cell, put_down, take
from tests.reference.named import KindName, named
from tests.reference.rules import happen, rules_before
from tests.reference.scope import Scope, find_in
from tests.reference.world import Agent, Cell, Thing, World

Chosen = list[int | None]  # the number of the action of each group; None for one that is not done


def with_axes(world: World, agent: Agent, action: Action, chosen: Chosen) -> Action:
    """Return an action whose arguments are axes with what is chosen there."""
    if not action.axes:
        return action
    groups = world.game.groups_of(agent.kind)
    given = {name: (groups[place].axis or [])[chosen[place] or 0] for name, place in action.axes.items()}
    return replace(action, given=given)


def given_to(world: World, action: Action) -> dict[str, Any]:
    """Return what the names of an action's arguments mean."""
    return {
        name: world.cell(*value) if isinstance(value, tuple) else value
        for name, value in action.given.items()
    }


def is_legal(world: World, agent: Agent, action: Action) -> bool:
    """Whether ``allow``, and the ``where`` of what it takes, let an agent take an action now, or in the step that comes."""
    number_of_step = {} if world.in_step else {"step": world.step + 1}
    names = {**number_of_step, **given_to(world, action)}
    scope = Scope(world, names, agent, deciding=action.name)
    return all(holds(each, scope.inner()) for each in (*action.wheres, action.allow) if each is not None)


def every_way(world: World, agent: Agent, action: Action) -> list[Action]:
    """Return an action once for each way to give it its arguments, where those are axes."""
    groups = world.game.groups_of(agent.kind)
    values = [groups[place].axis or [] for place in action.axes.values()]
    return [
        replace(action, given={**action.given, **dict(zip(action.axes, together, strict=True))})
        for together in product(*values)
    ]


def mask(world: World, agent: Agent) -> list[int]:
    """Return which actions are allowed, groups one after the other; a group that is forbidden whole forbids none."""
    found: list[int] = []
    groups = world.game.groups_of(agent.kind)
    for number_, group in enumerate(groups):
        if group.axis is None:
            allowed = [
                int(any(is_legal(world, agent, way) for way in every_way(world, agent, action)))
                for action in group.actions
            ]
        else:
            takers = [
                (way, name)
                for other in groups
                for action in other.actions
                for name, place in action.axes.items()
                if place == number_
                for way in every_way(world, agent, action)
            ]
            legal = [way.given[name] for way, name in takers if is_legal(world, agent, way)]
            allowed = [int(value in legal) for value in group.axis]
        found += allowed if any(allowed) else [1] * len(allowed)
    return found


def has_mask(world: World, agent: Agent) -> bool:
    """Whether any action of an agent has an ``allow``, or a ``where``."""
    actions = [a for group in world.game.groups_of(agent.kind) for a in group.actions]
    return any(a.allow is not None or a.wheres for a in actions)


def judge(world: World, agent: Agent, chosen: Chosen) -> list[bool]:
    """Return for each group whether what an agent chose in it is allowed."""
    return [
        _is_allowed(world, agent, group, number_, chosen)
        for group, number_ in zip(world.game.groups_of(agent.kind), chosen, strict=True)
    ]


def settle_actions(world: World, agent: Agent, chosen: Chosen, allowed: list[bool]) -> Chosen:
    """Settle what an agent does: legality, then ``sticky``, then the rules before the action, which may cancel it."""
    groups = world.game.groups_of(agent.kind)
    if chosen[0] is not None:
        agent.action = groups[0].actions[chosen[0]].name
    if world.game.spec.illegal == "end" and not all(allowed):
        end(Scope(world, {}, agent), "illegal")
    chosen = [number_ if is_so else None for number_, is_so in zip(chosen, allowed, strict=True)]
    chosen = _sticky(world, agent, chosen)
    if chosen[0] is not None:
        agent.action = groups[0].actions[chosen[0]].name
    doing = [
        with_axes(world, agent, group.actions[i], chosen)
        for group, i in zip(groups, chosen, strict=True)
        if i is not None and group.axis is None
    ]
    world.cancelled = False
    rules_before(world, agent, {action.name: given_to(world, action) for action in doing})
    return [None] * len(chosen) if world.cancelled else chosen


def _is_allowed(world: World, agent: Agent, group: Group, chosen: int | None, asked: Chosen) -> bool:
    if chosen is None or world.game.spec.illegal == "act" or group.axis is not None:
        return True
    return is_legal(world, agent, with_axes(world, agent, group.actions[chosen], asked))


def _sticky(world: World, agent: Agent, chosen: Chosen) -> Chosen:
    """With a chance the previous actions are repeated instead; where there was none, nothing is drawn."""
    if world.game.spec.sticky is None:
        return chosen
    chance = chance_of(world.game.spec.sticky, Scope(world, {}, agent))
    if chance == 0:
        return chosen
    if agent.previous is not None and agent.previous[0] is not None and world.stream.happens(chance):
        chosen = list(agent.previous)
    agent.previous = list(chosen)
    return chosen


# Turning and handling


def handle_all(world: World, agent: Agent, chosen: Chosen) -> None:
    """Turn, pick up, drop and toggle, group by group."""
    for group, number_ in zip(world.game.groups_of(agent.kind), chosen, strict=True):
        if number_ is None:
            continue
        action = group.actions[number_]
        if action.verb == "turn":
            agent.facing = turned(agent.facing, action.relative or 0)
        elif action.verb in HANDLE:
            world.begin_act()
            if not HANDLE[action.verb](world, agent):
                happen(world, "fail", agent, action.name)


def topmost(world: World, cell: Cell | None) -> Thing | None:
    """Return the topmost object in a cell."""
    found = [] if cell is None else world.things_at(cell)
    return found[-1] if found else None


def _pickup(world: World, agent: Agent) -> bool:
    thing = topmost(world, handled_cell(world, agent))
    if thing is None or not thing.kind.portable or not take(world, agent, thing):
        return False
    happen(world, "pickup", agent, thing)
    return True


def last_held(agent: Agent) -> Thing | None:
    """Return what an agent took last: what is in the last of its hands that holds something."""
    held = [thing for thing in agent.held if thing]
    return held[-1] if held else None


def _drop(world: World, agent: Agent) -> bool:
    thing = last_held(agent)
    if thing is None or not put_down(world, agent, thing):
        return False
    happen(world, "drop", agent, thing)
    return True


def can_be_toggled(world: World, cell: Cell | None) -> bool:
    """Whether something that a rule lets be toggled is in a cell."""
    scope = Scope(world, {})
    asked = [
        said.trigger.object
        for rule in world.game.spec.rules
        if rule.trigger.event == "toggle"
        for said in heard(rule, scope)
    ]
    return cell is not None and any(
        find_in(cell, _without_attributes(named(node)), scope) is not None for node in asked
    )


def _without_attributes(node: KindName) -> n.Name:
    return n.Name(node.name, node.span)


def _toggle(world: World, agent: Agent) -> bool:
    cell = handled_cell(world, agent)
    if cell is None or not can_be_toggled(world, cell):
        return False
    happen(world, "toggle", agent, cell)
    return True


HANDLE = {"pickup": _pickup, "drop": _drop, "toggle": _toggle}


# Where a move leads


def way_and_cells(world: World, agent: Agent, action: Action) -> tuple[int, int]:
    """Return the direction of a move and how many cells it goes; a number below 0 goes the other way."""
    if action.verb == "stay":
        return 0, 0
    scope = Scope(world, {}, agent)
    direction = (
        turned(agent.facing, action.relative) if action.relative is not None else action.direction or 0
    )
    cells = 1 if isinstance(action.cells, int) else number(action.cells, scope)
    return (turned(direction, 2), -cells) if cells < 0 else (direction, cells)


def aimed(world: World, agent: Agent, action: Action) -> tuple[int, int]:
    """Return where a move goes after slips; a move by the compass turns the agent that way."""
    direction, cells = way_and_cells(world, agent, action)
    if action.verb == "move":
        direction = slipped(world, agent, direction)
        if action.direction is not None:
            agent.facing = direction
    return direction, cells


QUARTERS_OF = {"right": 1, "back": 2, "left": 3}


def slipped(world: World, agent: Agent, direction: int) -> int:
    """Return the direction of a move after the slips whose conditions hold, one after the other."""
    for slip in world.game.spec.slip:
        scope = Scope(world, {}, agent)
        if slip.condition is None or holds(slip.condition, scope):
            chances = [chance_of(item.chance, scope) for item in slip.items]
            quarters = [QUARTERS_OF[item.direction] for item in slip.items]
            direction = turned(direction, _slip(world, chances, quarters))
    return direction


def _slip(world: World, chances: list[Any], quarters: list[int]) -> int:
    """Draw by how many quarters a move slips: exactly where the chances are constants, else one after the other."""
    from fractions import Fraction

    if all(isinstance(chance, Fraction) for chance in chances):
        weights = [*chances, 1 - sum(chances)]
        kept = [(weight, turn) for weight, turn in zip(weights, [*quarters, 0], strict=True) if weight]
        return kept[world.stream.by_weight([weight for weight, _ in kept])][1]
    left: Any = 1
    for chance, turn in zip(chances, quarters, strict=True):
        chance = float(chance)
        if world.stream.happens(chance / max(left, 1e-12)):
            return turn
        left = left - chance
    return 0
