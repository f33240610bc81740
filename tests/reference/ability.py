"""Ability: ``can ACTION``, whether an action is legal and would do something now (section 10)."""

from __future__ import annotations

from tests.reference.actions import can_be_toggled, every_way, is_legal, last_held, topmost, way_and_cells
from tests.reference.expressions import chance_of
from tests.reference.game import Action
from tests.reference.moves import gives_way, keeps_out, pushable_at, row_from
from tests.reference.moving import handled_cell, has_room
from tests.reference.scope import Scope, find_in
from tests.reference.world import Agent, World


def can(name: str, agent: Agent | None, scope: Scope) -> bool:
    """Whether an agent could do an action now; ``allow X: can X`` asks only what the primitive would do."""
    world = scope.here
    if agent is None or agent.is_out:
        return False
    actions = [each for group in world.game.groups_of(agent.kind) for each in group.actions]
    ways = [way for each in actions if each.name == name for way in every_way(world, agent, each)]
    action = ways[0] if ways else None
    if action is None or (scope.deciding != name and not any(is_legal(world, agent, way) for way in ways)):
        return False
    cell = handled_cell(world, agent)
    match action.verb:
        case "move":
            return could_move(world, agent, action)
        case "pickup":
            thing = topmost(world, cell)
            return thing is not None and thing.kind.portable and None in agent.held
        case "drop":
            held = last_held(agent)
            return held is not None and has_room(world, cell, held)
        case "toggle":
            return can_be_toggled(world, cell)
    return True


def could_move(world: World, agent: Agent, action: Action) -> bool:
    """Whether a move would go at least one cell, pushing what is in its way: without slips, wind and luck."""
    direction, cells = way_and_cells(world, agent, action)
    assert agent.cell is not None
    target = world.beside(agent.cell, direction)
    if cells == 0 or isinstance(target, str):
        return False
    for thing in pushable_at(world, target):
        row, end = row_from(world, agent, target, direction, thing.kind.layer)
        if not row or not gives_way(world, end, direction, thing.kind.layer):
            return False
    blocked = world.blocks(target) or not world.lets_in(target, direction)
    if any(thing.kind.solid is not None for thing in world.things_at(target) if thing.kind.pushable):
        blocked = keeps_out(world, target, direction)
    if world.game.agents_block and world.agents_at(target):
        blocked = True
    scope = Scope(world, {}, agent)
    if action.through is not None and find_in(target, action.through, scope) is not None:
        return action.chance is None or chance_of(action.chance, scope) >= 1
    return not blocked
