"""What is sent elsewhere: agents that rules place, and cells that several rules send to, so that one leads to another."""

from __future__ import annotations

from collections.abc import Callable

from tests.fuzz.specs.dice import Dice
from tests.fuzz.specs.world import COMPASS, World

BUSY = ("(1, 0)", "(0, 1)")


def busy_or(world: World, other: str) -> str:
    """Return a cell that rules often send to, or another one."""
    own = Dice(f"busy {other} {world.statements[-1:]}")
    return own.pick(BUSY) if own.chance(75 if world.is_busy else 35) else other


def place_agent(world: World, cell: Callable[[], str]) -> str:
    """Return the effect that puts an agent into a cell."""
    dice = world.dice
    agents = [kind for kind in world.agents if kind.count == 1] if world.several else []
    name = dice.pick(agents).name if agents else "agent" if not world.several else ""
    if not name:
        return "reward 0"
    if world.has_facing and dice.chance(20):
        name += f"(facing={dice.pick((*COMPASS, 'random'))})"
    free = " if free" if dice.chance(20) else ""
    return f"place {name} at {busy_or(world, cell())}{free}"
