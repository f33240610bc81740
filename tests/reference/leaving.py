"""Leaving: agents that are out for good, or away for some steps, and how these come back (section 14)."""

from __future__ import annotations

from typing import Any

from tests.reference.moving import destination
from tests.reference.scope import Scope
from tests.reference.world import Agent, World


def go_out(world: World, agent: Agent) -> None:
    """Let an agent leave the board; what it carried takes its place there, and what finds no room is gone."""
    agent.is_out = True
    for thing in [each for each in agent.held if each]:
        if agent.cell is not None and world.on_layer(agent.cell, thing.kind.layer) is None:
            world.put(thing, agent.cell)
        else:
            world.forget(thing)
    agent.held = [None] * len(agent.held)


def go_away(world: World, agent: Agent, steps: Any, back: Any) -> None:
    """Let an agent leave the board for some steps, at most as many as an episode has; for none it stays."""
    if steps < 1:
        return
    go_out(world, agent)
    agent.away, agent.back = int(min(steps, world.game.longest_away)), back
    world.went_away.add(agent.index)


def come_back(world: World) -> None:
    """Behind all moves of a step those whose time away is over are back; who finds no random place waits for another step."""
    for agent in world.agents:
        if not agent.away or agent.index in world.went_away:
            continue
        if agent.away > 1:
            agent.away -= 1
            continue
        cell = agent.start if agent.back is None else destination(agent.back, agent, Scope(world, {}, agent))
        if cell is not None or agent.kind.nowhere:
            agent.cell, agent.is_out, agent.away = cell, False, 0
