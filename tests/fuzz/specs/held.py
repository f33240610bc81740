"""What is put into others: `place K in agent`, and things that come to be with what they carry."""

from __future__ import annotations

import re

from tests.fuzz.specs.dice import Dice
from tests.fuzz.specs.world import Scope, World


def into_hands(world: World, scope: Scope) -> str | None:
    """Return the effect that gives an agent a thing; None where none is meant, or nothing can be held."""
    agents = [kind.name for kind in world.agents if kind.count == 1] if world.several else ["agent"]
    agent = scope.agent if scope.agent and scope.agent != "other" else None
    inside = [kind for kind in world.objects if not kind.is_unique and not kind.moves]
    own = Dice(f"hands {world.statements[-1:]} {len(inside)}")
    if not inside or (agent is None and not agents):
        return None
    holder = agent if agent is not None and own.chance(60) else own.pick(agents) if agents else agent
    return f"place {own.pick(inside).pattern(own)} in {holder}"


def filled(world: World, line: str) -> str:
    """Return a line that places something, or lets something become it, now and then with what that carries."""
    own = Dice(f"filled {line} {len(world.statements)}")
    inside = [kind for kind in world.objects if not kind.is_unique and not kind.carries]
    holders = "|".join(kind.name for kind in world.objects if kind.carries and not kind.is_unique)
    if not holders or not inside or not own.chance(50):
        return line
    found = re.fullmatch(rf"((?:place (?:\d+ |\(.*?\) )?|\w+ becomes ))({holders})(\([^()]*\))?( .*)?", line)
    if found is None:
        return line
    values = f"{found[3][1:-1]}, " if found[3] else ""
    return f"{found[1]}{found[2]}({values}carries={own.pick(inside).pattern(own)}){found[4] or ''}"
