"""Enumerate: all states that a program can reach, breadth first, over every outcome of every draw."""

from __future__ import annotations

import itertools
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from griddsl.backends.python import Machine
from griddsl.exact.clock import STEP, Affine, Clock, clock_of
from griddsl.exact.draws import ExactError, Script, TooManyStatesError, scripted
from griddsl.exact.relevance import idle_slots
from griddsl.program.ir import Slot
from griddsl.program.program import Program

Key: TypeAlias = tuple[float, ...]  # the saved integers, then the saved reals
Progress: TypeAlias = Callable[[int, int, int], None]  # states found, states done, transitions

MOST_STATES = 200_000
MOST_VALUES = 100_000_000  # numbers held in all states together: under a gigabyte
MOST_SETUPS = 200_000
MOST_OUTCOMES = 100_000  # of one step
RUNNING, TRUNCATED = (
    -1,
    1_000_000,
)  # beside the codes of outcomes: 0 for an end without one, then the program's
REPORT_EVERY = 500


@dataclass(slots=True)
class Enumeration:
    """The states that were found, numbered in the order of finding, and the transitions between them.

    ``outcome[i]`` is `RUNNING`, or how the episode ended when it came to state i. Transition k leads from
    ``source[k]`` by action ``action[k]`` to ``target[k]`` with the chance ``chances[chance[k]]`` and the reward
    ``reward[k]`` (plus ``slope[k]`` times the number of the step, where ``slope`` is not None).
    """

    program: Program
    clock: Clock
    actions: list[tuple[int, ...]]
    idle: list[
        tuple[int, int]
    ]  # the values of the state that nothing depends on: where, and what stands for them
    states: list[Key] = field(default_factory=list)
    outcome: array[int] = field(default_factory=lambda: array("q"))
    initial: dict[int, Fraction] = field(default_factory=dict)
    setup_failure: Fraction = Fraction(0)
    source: array[int] = field(default_factory=lambda: array("i"))
    action: array[int] = field(default_factory=lambda: array("i"))
    target: array[int] = field(default_factory=lambda: array("i"))
    chance: array[int] = field(default_factory=lambda: array("i"))
    reward: array[float] = field(default_factory=lambda: array("d"))
    slope: array[float] | None = None
    chances: list[Fraction] = field(default_factory=list)
    legal: bytearray | None = None  # (states, actions), where the program has a mask
    fired: set[int] | None = None  # the rules that fired, where it was asked for


def enumerate_states(
    program: Program,
    *,
    most_states: int = MOST_STATES,
    with_step: bool = False,
    reward_of_step: bool = False,
    traced: bool = False,
    progress: Progress | None = None,
) -> Enumeration:
    """Return all states that can be reached from all starts, with every transition.

    The step is kept in the states only where something but the limit depends on it; ``with_step`` keeps it always,
    and ``reward_of_step`` lets rewards be ``a + b * step`` instead where that is enough. ``traced`` notes which
    rules fired. Raises `TooManyStatesError` beyond ``most_states``, and `ExactError` for what cannot be
    enumerated.
    """
    if len(program.agents) > 1:
        raise ExactError(
            f"{program.id} has {len(program.agents)} agents",
            "only what one agent plays is a Markov decision process",
        )
    clock = clock_of(program)
    if with_step or (clock.need == "reward" and not reward_of_step):
        clock = Clock("whole") if "STEP" in program.layout.offsets else Clock("none")
    return _Search(program, clock, most_states, traced, progress).run()


class _Search:
    """The breadth-first search; its loop is what enumeration costs."""

    def __init__(
        self, program: Program, clock: Clock, most_states: int, traced: bool, progress: Progress | None
    ) -> None:
        self.script = Script()
        self.machine: Machine = scripted(program, self.script, traced)
        self.program, self.clock, self.progress = program, clock, progress
        self.s: list[Any]
        self.s, self.f, self.r = self.machine.new_state()
        layout = program.layout
        self.saved, self.saved_reals = layout.saved, layout.saved_reals
        self.step_at = layout.offsets.get(STEP, -1)
        self.outcome_at = layout.offsets.get("OUTCOME", -1)
        self.truncated_at = layout.offsets.get("TRUNCATED", -1)
        self.most_states = min(most_states, max(1, MOST_VALUES // max(1, self.saved + self.saved_reals)))
        actions = list(itertools.product(*(range(len(group.actions)) for group in program.groups)))
        initial = self.machine.initial
        places = [layout.offsets[slot.name] + k for slot in idle_slots(program) for k in range(slot.length)]
        self.idle = [(at, initial[at]) for at in places]
        self.found = Enumeration(program, clock, actions, self.idle)
        if clock.need == "reward":
            self.found.slope = array("d")
        if traced:
            self.found.fired = set()
        self.running: dict[Key, int] = {}
        self.ended: dict[tuple[int, Key], int] = {}
        self.chance_numbers: dict[tuple[int, int], int] = {}

    def run(self) -> Enumeration:
        found = self.found
        self._start()
        states, outcome = found.states, found.outcome
        if self.program.has_mask:
            found.legal = bytearray()
        done = 0
        while done < len(states):
            if outcome[done] == RUNNING:
                self._expand(done, states[done])
            if found.legal is not None:
                found.legal.extend(self._legal(states[done]))
            done += 1
            if found.fired is not None and self.machine.fired:
                found.fired.update(self.machine.fired)
                self.machine.fired.clear()
            if self.progress is not None and done % REPORT_EVERY == 0:
                self.progress(len(states), done, len(found.source))
        if self.progress is not None:
            self.progress(len(states), done, len(found.source))
        return found

    def _start(self) -> None:
        reset = self.machine.functions["reset"]

        def begin() -> Key:
            reset(self.s, self.f, self.r, -1)
            return self._key()

        setups, self.found.setup_failure = self.script.setups(begin, max(MOST_SETUPS, self.most_states))
        chances: dict[Key, Fraction] = {}
        for chance, key in setups:
            chances[key] = chances.get(key, Fraction(0)) + chance
        whole = sum(chances.values(), Fraction(0))
        if not whole:
            raise ExactError(
                "setup never finds a place for everything, or a layout", "`griddsl run` shows where"
            )
        for key, chance in chances.items():
            self.found.initial[self._number(RUNNING, key)] = chance / whole

    def _expand(self, number: int, state: Key) -> None:
        """Carry out every action in a state, with all outcomes of its draws."""
        s, f, r, script, step_at = self.s, self.f, self.r, self.script, self.step_at
        saved, reals = self.saved, self.saved_reals
        step = self.machine.functions["step"]
        found, running = self.found, self.running
        source, took, target, chance, rewards = (
            found.source,
            found.action,
            found.target,
            found.chance,
            found.reward,
        )
        is_plain = self.clock.need == "none" and not reals and self.truncated_at < 0 and not self.idle
        certain = self._chance_number(1, 1)
        clock = Affine(-1.0, 1.0) if self.clock.need == "reward" else None
        for index, action in enumerate(found.actions):
            outcomes: dict[tuple[int, Any], tuple[int, int]] | None = None
            script.position = 0
            while True:
                s[:saved] = state if not reals else state[:saved]
                if reals:
                    f[:reals] = state[saved:]
                if clock is not None:
                    s[step_at] = clock
                script.over = script.under = 1
                reward, terminated, truncated = step(s, f, r, *action)
                if is_plain and not terminated:
                    if step_at >= 0:
                        s[step_at] = 0
                    key: Key = tuple(s[:saved])
                    after = running.get(key, -1)
                    if after < 0:
                        after = self._number(RUNNING, key)
                else:
                    after = self._after(terminated, truncated)
                if outcomes is None and not script.position:
                    source.append(number)
                    took.append(index)
                    target.append(after)
                    chance.append(certain)
                    self._add_reward(reward, rewards)
                    break
                if outcomes is None:
                    outcomes = {}
                over, under = outcomes.get((after, reward), (0, 1))
                outcomes[after, reward] = (
                    (over + script.over, under)
                    if under == script.under
                    else (over * script.under + script.over * under, under * script.under)
                )
                if len(outcomes) > MOST_OUTCOMES:
                    raise TooManyStatesError(f"one step has more than {MOST_OUTCOMES:,} outcomes")
                if not script.advance():
                    break
                script.position = 0
            if outcomes is not None:
                for (after, reward), (over, under) in outcomes.items():
                    source.append(number)
                    took.append(index)
                    target.append(after)
                    chance.append(self._chance_number(over, under))
                    self._add_reward(reward, rewards)

    def _add_reward(self, reward: Any, rewards: array[float]) -> None:
        slope = self.found.slope
        if slope is None:
            rewards.append(reward)
        elif isinstance(reward, Affine):
            rewards.append(reward.base)
            slope.append(reward.slope)
        else:
            rewards.append(reward)
            slope.append(0.0)

    def _after(self, terminated: bool, truncated: bool) -> int:
        """Return the number of the state that a step led to, and that it ended the episode if it did."""
        s = self.s
        outcome = RUNNING
        if terminated:
            outcome = s[self.outcome_at] if self.outcome_at >= 0 else 0
        elif (truncated and self.clock.need == "whole") or (self.truncated_at >= 0 and s[self.truncated_at]):
            outcome = TRUNCATED
        return self._number(outcome, self._key())

    def _key(self) -> Key:
        """Return the saved part of the present state, with as much of the step as matters."""
        s, need = self.s, self.clock.need
        if self.step_at >= 0 and need != "whole":
            s[self.step_at] = s[self.step_at] % self.clock.period if need == "phase" else 0
        for at, value in self.idle:
            s[at] = value
        if self.saved_reals:
            return (*s[: self.saved], *self.f[: self.saved_reals])
        return tuple(s[: self.saved])

    def _number(self, outcome: int, key: Key) -> int:
        states = self.found.states
        if outcome == RUNNING:
            number = self.running.setdefault(key, len(states))
        else:
            number = self.ended.setdefault((outcome, key), len(states))
        if number == len(states):
            if number == self.most_states:
                raise self._too_many()
            states.append(key)
            self.found.outcome.append(outcome)
        return number

    def _chance_number(self, over: int, under: int) -> int:
        number = self.chance_numbers.get((over, under), -1)
        if number < 0:
            number = self.chance_numbers[over, under] = len(self.found.chances)
            self.found.chances.append(Fraction(over, under))
        return number

    def _legal(self, state: Key) -> bytes:
        """Return which actions are allowed, one byte each; those of several groups where all of their parts are."""
        counts = [len(group.actions) for group in self.program.groups]
        out = [0] * sum(counts)
        self.s[: self.saved] = state[: self.saved]
        self.f[: self.saved_reals] = state[self.saved :]
        self.machine.functions["mask"](self.s, self.f, self.r, out)
        firsts = list(itertools.accumulate(counts, initial=0))
        return bytes(
            int(all(out[first + part] for first, part in zip(firsts, action, strict=False)))
            for action in self.found.actions
        )

    def _too_many(self) -> TooManyStatesError:
        parts = ", ".join(multipliers(self.program, self.found.states))
        bound = f"there are more than {self.most_states:,} states"
        help = "choose a smaller map or narrower ranges, or raise the bound (`max_states`)"
        if self.clock.need == "whole" and self.clock != clock_of(self.program):
            help = (
                "`griddsl solve` handles rewards that speak of `step` without counting it in the state; or "
                + help
            )
        return TooManyStatesError(f"{bound}; what multiplies them, by values found so far: {parts}", help)


def multipliers(program: Program, states: Sequence[Key], most: int = 6) -> list[str]:
    """Return which parts of the state take how many values, most first, in the words of the spec."""
    words = slot_words(program)
    counts: Counter[str] = Counter()
    for slot, start in _saved_slots(program):
        distinct = len({state[start : start + slot.length] for state in states})
        if distinct > 1:
            counts[words.get(slot.name, slot.name)] = max(distinct, counts[words.get(slot.name, slot.name)])
    return [f"{name} ({count:,})" for name, count in counts.most_common(most)]


def slot_words(program: Program) -> dict[str, str]:
    """Return what each saved slot is, in the words of the spec."""
    words = {
        "AGENT_CELL": "the agent's cell",
        "FACING": "the agent's facing",
        "TILE": "the tiles of the map",
        "LEVEL": "the level",
        "START": "where the agent started",
        "CARRIED": "what the agent carries",
        "PREVIOUS_ACTION": "the previous action",
        STEP: "`step`",
    }
    for slot in program.slots:
        if slot.name.startswith("OBJECT_AT") or slot.name in {"OBJECT_CELL", "OBJECT_KIND"}:
            words[slot.name] = "where objects are"
        elif slot.name.startswith("OBJECT_"):
            words[slot.name] = f"the objects' {slot.name.removeprefix('OBJECT_').lower()}"
        elif slot.name.startswith("LOWEST"):
            words[slot.name] = "what `lowest` remembers"
        elif slot.name.startswith("PREVIOUS_") and slot.name != "PREVIOUS_ACTION":
            words[slot.name] = "what `prev` remembers"
    words.update({info.slot: f"`{info.name}`" for info in program.names})
    return words


def _saved_slots(program: Program) -> Iterable[tuple[Slot, int]]:
    layout = program.layout
    for slot in program.slots:
        if slot.saved:
            offset = layout.offsets[slot.name]
            yield slot, layout.saved + offset if slot.type == "real" else offset
