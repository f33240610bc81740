"""Specs whose agents are away for some steps: those of a seed, with rules that send them there."""

from __future__ import annotations

import re

from tests.fuzz.specs.dice import Dice

BACK = (
    "",
    "",
    ", back at start",
    ", back at random floor",
    ", back at (1, 0)",
    ", back at random floor where x > 0",
)
STEPS = ("1", "2", "3", "4 - step mod 3", "step", "(2 if step mod 2 == 0 else 5)")


def goes_away(seed: int) -> bool:
    """Whether the agents of a seed's spec are to be away at times, if there are several."""
    return Dice(f"away {seed}").chance(20)


def with_leaving(seed: int, statements: list[str]) -> list[str]:
    """Return the statements of a spec with rules behind them that send agents away, and that ask for it."""
    agents = next((text for text in statements if text.startswith("agents: ")), None)
    if agents is None or not goes_away(seed):
        return statements
    dice = Dice(f"leaving {seed}")
    listed = re.findall(r"(\w+)(?: \* (\w+))?", agents.removeprefix("agents: "))
    kinds, single = [name for name, _ in listed], [name for name, count in listed if not count]
    tiles = [found[1] for text in statements for found in re.finditer(r"^tile (\w+)", text)]
    reward = "" if "rewards: zero_sum" in statements else "reward 1, "
    rules = []
    for _ in range(3):
        who, other = dice.pick([*kinds, "agent"]), dice.pick(kinds)
        rules += [
            f"each {who} if {_when(dice)}: {_out(dice)}",
            f"on {who} meet {other}: {other} {_out(dice)}",
        ]
        rules += [f"on {who} enter {tile}: {reward}{_out(dice)}" for tile in tiles]
        rules += [f"each {who} if {who}.y == 0 with chance 50%: {who} {_out(dice)}"]
        rules += [f"when step mod 5 == 2: {name} {_out(dice)}" for name in single]
    said = [dice.pick(rules) for _ in range(dice.between(2, 3))]
    said += [
        f"when {name}.away > 1: {reward or 'reward 0, '}info told = step"
        for name in single
        if dice.chance(40)
    ]
    said += [f"each step: info gone = {name}.away" for name in single[:1] if dice.chance(40)]
    return [*(_leaving(text, dice) for text in statements), *said]


def _leaving(text: str, dice: Dice) -> str:
    """Return a statement in which agents that are out come back at times."""
    return re.sub(r"((?<=[:,] )|(?<=    ))out(?=,|$)", lambda _: _out(dice), text, flags=re.MULTILINE)


def _when(dice: Dice) -> str:
    return dice.pick(
        ("self.x == 0", "self.y == 1 and self.away == 0", "step mod 4 == 1", "any agent within 1 of self")
    )


def _out(dice: Dice) -> str:
    return f"out for {dice.pick(STEPS)} steps{dice.pick(BACK)}" if dice.chance(85) else "out"
