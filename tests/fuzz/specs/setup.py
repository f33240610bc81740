"""Setup: what is drawn and placed at every reset, in every way the language has."""

from __future__ import annotations

from tests.fuzz.specs.defined import named_by_call
from tests.fuzz.specs.dice import Dice
from tests.fuzz.specs.effects import MARGIN, Effects
from tests.fuzz.specs.world import Kind, Scope, World


def say_setup(world: World) -> None:
    """Add a setup; what it draws is known to the rest of the spec."""
    dice = world.dice
    if not world.is_generated and not dice.chance(40):
        return
    scope = Scope(agent=None, in_setup=True, has_memory=False, acts=False, subject="none")
    lines: list[str] = []
    for _ in range(dice.between(0, 2)):
        line, scope = Effects(world, scope).choose()
        lines.append(named_by_call(world, line))
    if world.is_generated:
        lines += _furnish(world)
    for _ in range(dice.between(0, 2)):
        lines += _line(world, scope)
    if not lines:
        return
    world.chosen += list(scope.values)
    world.chosen_cells += list(scope.cells)
    starts = [number for number, line in enumerate(lines) if not line.startswith(" ")]
    own = Dice(sum(map(len, lines)))
    first = own.pick([*starts[1:], len(lines)]) if own.chance(25) else 0
    for word, part in (("once", lines[:first]), ("setup", lines[first:])):
        if part:
            world.say("\n".join([f"{word}:", *(MARGIN + line for line in part)]))


def _furnish(world: World) -> list[str]:
    """Place the agents and things on a generated map."""
    dice = world.dice
    lines = []
    for kind in world.agents:
        name = kind.name if world.several else "agent"
        facing = "(facing=random)" if world.has_facing and dice.chance(40) else ""
        lines += [f"place {name}{facing} at random floor" for _ in range(max(1, kind.count))]
    for kind in world.kinds:
        count = "" if kind.is_unique or dice.chance(60) else f"{dice.between(1, 2)} "
        alias = ""
        if not count and dice.chance(15):
            alias = world.names.fresh()
            world.named_things.append((alias, kind if kind.category == "object" else Kind(alias, "tile")))
        at = dice.weighted({"random floor": 4, "random free": 2})
        what = kind.pattern(dice, 40, random=kind.category == "object")
        lines.append(f"place {count}{what}{f' as {alias}' if alias else ''} at {at}")
    return lines


def _line(world: World, scope: Scope) -> list[str]:
    dice = world.dice
    effects = Effects(world, scope)
    match dice.weighted({"effect": 5, "block": 1.5, "retry": 1.5, "repeat": 1.5, "named": 1}):
        case "effect":
            return [effects.effect()]
        case "block":
            return effects.block(1, 2)
        case "retry":
            return _retry(world, effects)
        case "repeat":
            until = f" until {effects.says.condition(1).text}" if dice.chance(50) else ""
            times, own = str(dice.between(1, 3)), Dice(f"times {len(world.statements)} {until}")
            if own.chance(30):
                times = f"({times} if {effects.says.condition(1).text} else {own.between(1, 5)})"
            return [
                f"repeat {times}{until}:",
                *(MARGIN + line for line in effects.block(1, 2, 1)),
            ]
        case _:
            return _named(world, effects)


def _retry(world: World, effects: Effects) -> list[str]:
    dice = world.dice
    small = world.width * world.height <= 20 and not world.several and len(world.objects) < 3
    until = dice.pick(("width > 1", "true", "count(wall) < 9", effects.says.condition(1).text))
    if small and dice.chance(85):
        until = dice.pick(("solvable or true", "optimal_length >= 1 or true", "not solvable or true"))
    body = (
        [f"place {dice.between(1, 2)} wall at {effects.random_cell()}"]
        if dice.chance(50)
        else effects.block(1, 2, 1)
    )
    return [f"retry {dice.between(20, 60)} until {until}:", *(MARGIN + line for line in body)]


def _named(world: World, effects: Effects) -> list[str]:
    kinds: list[Kind] = [kind for kind in effects.placeable() if kind.category == "object"]
    if not kinds:
        return [effects.effect()]
    kind, alias = world.dice.pick(kinds), world.names.fresh()
    world.named_things.append((alias, kind))
    return [f"place {kind.pattern(world.dice)} as {alias} at {effects.random_cell()}"]
