"""The past: what was in the step before, of a thing or a cell around a clause; of things that no rule makes."""

from __future__ import annotations

import re

from tests.fuzz.specs.dice import Dice
from tests.fuzz.specs.world import Scope, World

_MARKED = re.compile(r"prev~(\w*)~")
_MADE = re.compile(r"\bplace (?:\d+ |\(.*?\) )?(\w+)|\bbecomes (\w+)|\bcarries=(\w+)")
RULES = ("each", "every", "on", "when")


def past(world: World, scope: Scope, text: str) -> str:
    """Return, now and then, what was in the step before, where a text speaks of one thing or cell around it."""
    words, own = set(re.findall(r"\w+", text)), Dice(f"past {text} {len(world.statements)}")
    if not scope.has_past or scope.in_setup or "~" in text or not own.chance(25):
        return text
    spoken = {name: kind.name for name, kind in scope.bound if name in words and kind.category != "agent"}
    spoken |= {"here": ""} if scope.here and "here" in words else {}
    agents = {"self", "other", "agent", "start", scope.agent, *(kind.name for kind in world.agents)}
    given = {"x", "y", *(value.name for value in scope.values), *scope.cells, *scope.kinds, *agents}
    if len(spoken) != 1 or words & given - {*spoken}:
        return text
    return f"prev~{next(iter(spoken.values()))}~({text})"


def without_what_is_made(world: World) -> list[str]:
    """Return the statements, with the past of what no rule makes, and of all else what is now."""
    made: set[str] = set()
    for text in world.statements:
        if text.split(" ")[0] in RULES:
            made |= {name for found in _MADE.findall(text) for name in found}
    by_value = bool(made & {*world.kind_values})
    return [
        _MARKED.sub(lambda found: "" if by_value or found[1] in made else "prev", text)
        for text in world.statements
    ]
