"""The observation function: what is seen in each state, with the chances of sensor noise. With it, it is a POMDP."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any

from griddsl.exact.draws import ExactError, Script, scripted
from griddsl.exact.enumerate import Enumeration
from griddsl.exact.states.step_need import reads_step
from griddsl.exact.steps import RUNNING
from griddsl.program import spaces
from griddsl.program.program import Program
from griddsl.program.spaces import Leaf

MOST_OBSERVATIONS = 100_000  # of one state


@dataclass(frozen=True)
class Observing:
    """The observation function: ``seen[i]`` is what state i looks like, as pairs of an observation and its chance.

    ``observations`` are the different ones, each a tuple with one entry a leaf of the observation; entries are
    numbers, or tuples of an array's numbers in a row.
    """

    observations: list[Hashable]
    seen: list[list[tuple[int, Fraction]]]
    terminal: list[bool]

    @cached_property
    def is_noisy(self) -> bool:
        """Whether some state does not always look the same."""
        return any(len(row) > 1 for row in self.seen)

    @cached_property
    def hides(self) -> bool:
        """Whether what is seen does not tell the state: noise, or two states that go on look the same."""
        looks = [row[0][0] for row, end in zip(self.seen, self.terminal, strict=True) if not end]
        return self.is_noisy or len(set(looks)) < len(looks)


def observing_of(found: Enumeration) -> Observing:
    """Return the observation function of all states that were found; `ExactError` where it cannot be enumerated."""
    program = found.program
    if len(program.players) > 1:
        raise ExactError(
            "each of several agents sees its own", "`griddsl.make_model` tells what each observes"
        )
    leaves = [*program.observation.leaves, *program.goal.values()]
    for leaf in leaves:
        if leaf.form in {"pixels", "text"}:
            raise ExactError(
                f"an observation of `{leaf.form}` cannot be enumerated", "observe the grid instead"
            )
    names = [leaf.function for leaf in leaves if leaf.function]
    if found.step_need.kind != "whole" and reads_step(program, names):
        raise ExactError(
            "the observation shows `step`, which the states do not count", "ask for `with_step=True`"
        )
    script = Script()
    machine = scripted(program, script)
    s, f, r = machine.new_state()
    scratch, saved, reals = (
        machine.initial[program.layout.saved :],
        program.layout.saved,
        program.layout.saved_reals,
    )
    readers = [_reader(leaf, program, machine.functions, (s, f, r)) for leaf in leaves]
    numbers: dict[Hashable, int] = {}
    seen: list[list[tuple[int, Fraction]]] = []
    for key in found.states:
        row: dict[int, Fraction] = {}
        script.rewind()
        for _ in range(MOST_OBSERVATIONS):
            s[:saved] = [int(value) for value in key[:saved]]
            s[saved:] = scratch
            f[:reals] = key[saved:]
            look: Hashable = tuple(read() for read in readers)
            number = numbers.setdefault(look, len(numbers))
            row[number] = row.get(number, Fraction(0)) + script.chance
            if not script.advance():
                break
        else:
            raise ExactError(f"one state can look more than {MOST_OBSERVATIONS:,} ways")
        seen.append(list(row.items()))
    return Observing(list(numbers), seen, [outcome != RUNNING for outcome in found.outcome])


def _reader(leaf: Leaf, program: Program, functions: Any, state: tuple[Any, Any, Any]) -> Any:
    s, f, r = state
    if leaf.form == "mission":
        slots = [program.layout.offsets[info.slot] for info in program.names]
        mission = program.mission or ""
        named = [
            at for at, info in zip(slots, program.names, strict=True) if "{" + info.name + "}" in mission
        ]
        return lambda: tuple(s[at] for at in named)
    function = functions[leaf.function]
    if leaf.form == "value":
        return lambda: function(s, f, r)
    assert isinstance(leaf.space, spaces.Box | spaces.MultiDiscrete | spaces.MultiBinary)
    out: list[float] = [0] * _size(leaf.space)

    def read() -> tuple[float, ...]:
        function(s, f, r, out)
        return tuple(out)

    return read


def _size(space: spaces.Box | spaces.MultiDiscrete | spaces.MultiBinary) -> int:
    match space:
        case spaces.Box():
            return prod(space.shape)
        case spaces.MultiDiscrete(sizes):
            return len(sizes)
        case spaces.MultiBinary(size):
            return size
