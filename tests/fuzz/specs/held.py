"""What is put into others: `place K in agent`, and things that come to be with what they carry."""

from __future__ import annotations

import re
from typing import NamedTuple

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


class Held(NamedTuple):
    """What is said of things that something holds: `coin in chest`, a condition and a number of one of them."""

    over: str
    test: str
    number: str


def gone_through(world: World, scope: Scope, said: str) -> Held | None:
    """Return what goes through the things that something holds, now and then, where else something is ``said``."""
    own = Dice(f"gone through {said} {len(world.statements)}")
    kinds = [kind for kind in world.objects if not kind.is_unique and kind.name not in dict(scope.bound)]
    holders = [kind.name for kind in world.objects if kind.carries and kind.is_unique]
    holders += [scope.agent] if scope.agent and scope.agent != "other" else []
    if not kinds or not holders or not own.chance(20):
        return None
    kind, holder = own.pick(kinds), own.pick(holders)
    numbers = [f"{kind.name}.{value.name}" for value in kind.values if value.form == "number"]
    number = own.pick([*numbers, "1", f"{kind.name}.x"])
    return Held(f"{kind.name} in {holder}", f"{number} > {own.between(-1, 3)}", number)


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
