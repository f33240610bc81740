"""Distributions: every way in which the draws of a step or setup fall out, on a simulator that follows a script."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction
from typing import TypeVar

from griddsl.exact.draws import ExactError, Script, TooManyStatesError
from griddsl.exact.states.step_need import reached
from griddsl.program import ir, keys, observing
from griddsl.program.program import Program

MOST_WAYS = 100_000  # in which one step, or one setup, can go
WIDE_HELP = "let fewer things be drawn at once, or sample with `step` and `sample_initial_state`"
WORDS: dict[ir.Key, str] = {keys.ACTION: "self.action"}  # slots by what they are in a spec
Value = TypeVar("Value")
Key = TypeVar("Key", bound=Hashable)


def runs(script: Script, go: Callable[[], Value]) -> Iterator[tuple[Value, Fraction]]:
    """Yield what ``go`` gives in each way that its draws can fall out, with the chance of that way."""
    for number, value in enumerate(script.runs(go)):
        if number == MOST_WAYS:
            raise _too_many_ways()
        yield value, script.chance


def sums(pairs: Iterable[tuple[Key, Fraction]]) -> dict[Key, Fraction]:
    """Return the sum of the chances of each key."""
    found: dict[Key, Fraction] = {}
    for key, chance in pairs:
        found[key] = found.get(key, Fraction(0)) + chance
    return found


def step_distribution(go: Callable[[], Key], script: Script, begins_anew: bool) -> dict[Key, Fraction]:
    """Return the chances of all that a step comes to; ``begins_anew`` says that setup may run in it."""
    if not begins_anew:
        return sums(runs(script, go))
    return script.steps_that_begin_anew(go, MOST_WAYS, lambda found: _too_many_ways())


def _too_many_ways() -> TooManyStatesError:
    return TooManyStatesError(f"the draws of one step fall out in more than {MOST_WAYS:,} ways", WIDE_HELP)


def initial_distribution(
    start: Callable[[], Key], script: Script, most: int = MOST_WAYS
) -> dict[Key, Fraction]:
    """Return the chances of all states that setup leads to, given that it finds a place for everything."""
    chances, failed = script.setups(start, most, lambda found: ())
    if not chances:
        raise ExactError("setup never finds a place for everything, or a layout")
    whole = sum(chances.values(), Fraction(0)) if failed else Fraction(1)
    return {state: chance / whole for state, chance in chances.items()}


# What states keep


def forgotten(program: Program) -> str | None:
    """Return what the observations read of the last step that no state keeps; None where there is nothing."""
    slot = observing.forgotten(program)
    return None if slot is None else WORDS.get(slot.key, slot.name.lower())


def counts_for_limit_only(program: Program) -> bool:
    """Return whether nothing but the limit depends on ``step``: no rule, no observation and no mask."""
    names = ["step"]
    for player in program.players:
        names += [player.mask, *(leaf.function for leaf in player.observation.leaves)]
    for function in reached(program, [name for name in names if name]):
        for statement in ir.statements(function.body):
            is_count = isinstance(statement, ir.Store) and statement.slot.key in {keys.STEP, keys.CUT_SHORT}
            # What a step of one learner returns last is whether the limit is reached.
            values = ir.values_of(statement)
            if function.name == "step" and isinstance(statement, ir.Return):
                values = values[:2]
            if not is_count and any(
                _is_load_of(part, keys.STEP) for value in values for part in ir.parts(value)
            ):
                return False
    return True


def _is_load_of(part: ir.Expr, name: str) -> bool:
    return isinstance(part, ir.Load) and part.slot.key == name
