"""Moving things by effects: what is sent elsewhere, taken into a hand and put down (sections 7 and 9)."""

from __future__ import annotations

from typing import Any

from griddsl.syntax import nodes as n
from tests.reference.compass import COMPASS, turned
from tests.reference.expressions import DIRECTIONS, evaluate, place_of
from tests.reference.places import random_cell
from tests.reference.scope import Scope
from tests.reference.world import Agent, Cell, Thing, World


def way_of(node: n.Expression, being: Any, scope: Scope) -> int:
    """Return the direction of ``move K DIRECTION``; ``forward`` and ``backward`` are an agent's."""
    if isinstance(node, n.Name) and node.name in {"forward", "backward"} and isinstance(being, Agent):
        return being.facing if node.name == "forward" else turned(being.facing, 2)
    return COMPASS.index(evaluate(node, scope, DIRECTIONS, as_word=True))


def send(being: Agent | Thing, cell: Cell | None, scope: Scope, marks: bool = True) -> None:
    """Send an agent or a thing to a cell: in setup at once, else after the rules of the running event.

    A rule that sends its subject somewhere counts as run there (``marks``): who comes out of a portal does not go in.
    """
    world = scope.here
    if cell is None or (isinstance(being, Thing) and being not in world.objects):
        return
    if isinstance(being, Agent) and being.is_out:
        return
    if scope.in_setup:
        if isinstance(being, Agent):
            being.cell = cell
        else:
            world.put(being, cell)
        return
    if isinstance(being, Agent):
        world.sent_agents[being] = cell
        if scope.meets and being.cell is cell:  # it meets nobody there anew
            world.met.add(world.told_apart(being))
    else:
        world.sent_things[being] = cell
    if marks and being is scope.me and scope.rule is not None:
        world.fired.add((*scope.rule, cell))


# Hands


def handled_cell(world: World, agent: Agent) -> Cell | None:
    """Return the cell that handling acts on: the one ahead, or the agent's own where it has no facing."""
    if not world.game.has_facing or agent.cell is None:
        return agent.cell
    cell = world.beside(agent.cell, agent.facing)
    return None if isinstance(cell, str) else cell


def has_room(world: World, cell: Cell | None, thing: Thing) -> bool:
    """Whether an object can be put down in a cell: nothing solid there, its layer empty, and no agent ahead."""
    if cell is None or not world.is_free_for(cell, thing.kind.layer):
        return False
    return not (world.game.has_facing and world.agents_at(cell))


def take(world: World, agent: Agent, thing: Thing) -> bool:
    """Let an agent take an object, if a hand is free."""
    if None not in agent.held:
        return False
    hand = agent.held.index(None)
    world.lift(thing)
    agent.held[hand] = thing
    return True


def put_down(world: World, agent: Agent, thing: Thing) -> bool:
    """Let an agent put down an object that it holds, if there is room."""
    cell = handled_cell(world, agent)
    if not any(each is thing for each in agent.held) or not has_room(world, cell, thing):
        return False
    assert cell is not None
    world.put(thing, cell)
    return True


def destination(node: n.Destination, being: Any, scope: Scope) -> Any:
    """Return the cell that ``to`` or ``at`` speaks of; None where no cell will do."""
    if isinstance(node, n.RandomCell):
        return random_cell(node, scope, being.kind)
    if isinstance(node, n.Name) and node.name == "start":
        return being.start
    return place_of(node, scope)
