"""Values that say a way or a kind: parameters where a direction stands, and whatever is placed or becomes one of several."""

from __future__ import annotations

import re

from tests.fuzz.specs.dice import Dice
from tests.fuzz.specs.world import COMPASS, COMPASS_8, Value, World


def say_valued(world: World) -> None:
    """Declare, now and then, a parameter that is a direction, and a parameter or a variable that is a kind."""
    own = Dice(f"valued {world.statements}")
    if own.chance(9):
        ways = own.some(COMPASS_8 if own.chance(30) else COMPASS, 2, 3)
        value = Value(world.names.spare(), "word", words=tuple(ways))
        world.params.append(value)
        world.ways.append(value.name)
        world.say(f"param {value.name}: {own.pick(ways)} in {value.domain()}")
    kinds = [kind.name for kind in world.kinds if not kind.is_unique and not kind.moves]
    if len(kinds) > 1 and own.chance(12):
        words = own.some(kinds, 2, 3)
        value = Value(world.names.spare(), "word", words=tuple(words))
        is_fixed = own.chance(40)
        (world.params if is_fixed else world.variables).append(value)
        world.kind_values.append(value.name)
        world.say(f"{'param' if is_fixed else 'var'} {value.name}: {own.pick(words)} in {value.domain()}")


def way(world: World) -> str:
    """Return a direction, by its word or by a parameter."""
    word = world.dice.pick(COMPASS)
    return Dice(f"way {word} {world.statements}").pick([word, *world.ways])


def with_values(world: World, line: str) -> str:
    """Return a line that places a kind, or lets something become one, sometimes with a value for the kind."""
    own = Dice(f"kind {line} {len(world.statements)}")
    if not world.kind_values or not own.chance(40):
        return line
    kinds = "|".join(kind.name for kind in world.kinds)
    found = re.fullmatch(rf"(place (?:\d+ |\(.*?\) )?|\w+ becomes )({kinds})(\([^()]*\))?( .*)?", line)
    return line if found is None else f"{found[1]}{own.pick(world.kind_values)}{found[4] or ''}"
