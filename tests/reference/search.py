"""Search: the least number of steps to success, with luck: ``solvable`` and ``optimal_length`` (section 6)."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from itertools import product
from typing import Any

from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from tests.reference.game import Game
from tests.reference.phases import carry_out
from tests.reference.randomness import Stream
from tests.reference.world import World


class Script(Stream):
    """A stream whose draws are told: it goes through all that can be drawn, one way after the other."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[int] = []
        self.asked: list[int] = []

    def below(self, count: int) -> int:
        """Return what the script says; the first where it says nothing."""
        place = len(self.asked)
        self.asked.append(count)
        return self.told[place] if place < len(self.told) else 0

    def happens(self, chance: Any) -> bool:
        """A chance that is neither 0 nor 1 can go either way."""
        return bool(chance >= 1) if not 0 < chance < 1 else self.below(2) == 1

    def by_weight(self, weights: list[Fraction]) -> int:
        """Whatever has a weight can be drawn."""
        possible = [index for index, weight in enumerate(weights) if weight]
        return possible[self.below(len(possible))]

    def advance(self) -> bool:
        """Go to the next way in which draws can fall; return whether there is one."""
        told = [self.told[i] if i < len(self.told) else 0 for i in range(len(self.asked))]
        while told and told[-1] == self.asked[len(told) - 1] - 1:
            told.pop()
        if not told:
            return False
        told[-1] += 1
        self.told, self.asked = told, []
        return True


def shortest(world: World) -> int | None:
    """Return the least number of steps to ``end success`` (to any end, where no rule says so); None if none leads there."""
    game = world.game
    ends = {
        node.outcome for rule in game.spec.rules for node in walk(rule.effects) if isinstance(node, n.End)
    }
    groups = game.groups_of(game.agents[game.learners[0]])
    actions = list(product(*(range(len(group.actions)) for group in groups)))
    counts_steps = _counts_steps(game)
    start = _copy(world)
    seen, border = {_key(start, counts_steps)}, [start]
    length = 0
    while border and (game.limit is None or length < game.limit):
        length += 1
        beyond = []
        for here in border:
            for chosen in actions:
                for there in _outcomes(here, list(chosen)):
                    if there.ended:
                        if "success" not in ends or there.outcome == "success":
                            return length
                    elif (key := _key(there, counts_steps)) not in seen:
                        seen.add(key)
                        beyond.append(there)
        border = beyond
    return None


def _counts_steps(game: Game) -> bool:
    """Whether what happens depends on the number of the step."""
    spec = game.spec
    parts = [(rule.trigger, rule.condition, rule.effects) for rule in spec.rules]
    nodes = list(
        walk([parts, spec.slip, [kind.items for kind in spec.kinds], [a.condition for a in spec.allow]])
    )
    return any(
        (isinstance(node, n.Name) and node.name == "step")
        or (isinstance(node, n.Trigger) and node.event == "every")
        or (isinstance(node, n.Mover) and node.every is not None)
        for node in nodes
    )


def _copy(world: World) -> World:
    copied = deepcopy(world)
    copied.stream = Script()
    return copied


def _outcomes(world: World, chosen: list[int | None]) -> Iterator[World]:
    """Yield every world that a step can lead to."""
    script = Script()
    while True:
        there = _copy(world)
        there.stream = script
        carry_out(there, {world.game.learners[0]: list(chosen)})
        yield there
        if not script.advance():
            return


def _key(world: World, counts_steps: bool) -> Any:
    """Return the state of a world as plain data."""
    numbers = {id(thing): i for i, thing in enumerate(world.objects) if thing}

    def held(being: Any) -> tuple[int | None, ...]:
        return tuple(None if each is None else numbers[id(each)] for each in being.held)

    def spot(being: Any) -> int | None:
        return None if being.cell is None else being.cell.number

    def told(value: Any) -> Any:
        if hasattr(value, "number"):
            return value.number
        return numbers.get(id(value), value) if hasattr(value, "kind") else value

    def row(values: dict[str, Any]) -> tuple[Any, ...]:
        return tuple((name, told(value)) for name, value in sorted(values.items()))

    return (
        tuple((cell.ground.kind.name, row(cell.ground.attributes)) for cell in world.cells),
        tuple(
            None if each is None else (each.kind.name, spot(each), row(each.attributes), held(each))
            for each in world.objects
        ),
        tuple(
            (spot(a), a.facing, row(a.attributes), held(a), a.is_out, a.action, tuple(a.previous or ()))
            for a in world.agents
        ),
        (row(world.variables), row(world.chosen), world.turn, world.step if counts_steps else 0),
        tuple(sorted(map(str, world.lowest.items()))),
    )
