"""Lines about things that are removed and made again, and about what is named by a cell, a way or a text of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fuzz.specs.dice import Dice
from tests.fuzz.specs.world import COMPASS, Kind

if TYPE_CHECKING:
    from tests.fuzz.specs.effects import Effects


def remade(of: Effects, lines: list[str]) -> list[str]:
    """Return lines that remove a thing which has a name, make another of its kind, and go on about the first."""
    world = of.world
    own = Dice(f"remade {len(world.statements)} {lines}")
    bound = [
        (name, kind)
        for name, kind in of.scope.bound
        if kind.category == "object" and kind in world.objects and not kind.is_unique
    ]
    if of.event == "setup" or not bound or not own.chance(14):
        return []
    name, kind = own.pick(bound)
    gone = own.pick((f"remove {name}", f"remove {name}", f"remove the {kind.name} with most {kind.name}.x"))
    numbers = [value for value in kind.values if value.form == "number"]
    value = own.pick(numbers) if numbers else None
    given = f"({value.name}={own.pick((str(value.high), f'{name}.{value.name}'))})" if value else ""
    made = f"place {kind.name}{given} at random {own.pick(('free', 'floor'))}"
    return [gone, made, *own.some(_more(of, name, kind, own), 1, 3)]


def _more(of: Effects, name: str, kind: Kind, own: Dice) -> list[str]:
    """Return effects on, and questions about, what has a name."""
    found = [f"move {name} {own.pick(COMPASS)}", f"remove {name}", f"move {name} to random free"]
    for value in kind.values:
        if value.form == "number":
            found += [
                f"{name}.{value.name} {own.pick(('+=', '-='))} 1",
                f"info gone_{value.name} = {name}.{value.name}",
            ]
        elif value.form == "word":
            found.append(f"{name}.{value.name} becomes {own.pick(value.words)}")
    others = [each.name for each in of.world.objects if not each.is_unique and not each.moves]
    if others and not kind.moves:
        found.append(f"{name} becomes {own.pick(others)}")
    if of.world.shares != "zero_sum":
        found += [f"reward {name}.x", f"if {name} on floor: reward 7"]
    return found


def told(of: Effects, lines: list[str]) -> list[str]:
    """Return a line that tells a word, a condition or a way, now and then."""
    own = Dice(f"told {len(of.world.statements)} {lines}")
    words = [value for value in of.world.variables if value.form in {"word", "truth"}]
    if of.event == "setup" or not words or not own.chance(5):
        return []
    value = own.pick(words)
    return [f"info said_{value.name} = {value.name}"]
