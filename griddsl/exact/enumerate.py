"""Enumerate: all states that a program can reach, breadth first, over every outcome of every draw."""

from __future__ import annotations

import itertools
import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from griddsl.backends.native.emit import refusal
from griddsl.backends.python import Machine
from griddsl.exact.draws import ExactError, Key, Script, TooManyStatesError, scripted
from griddsl.exact.relevance import idle_slots
from griddsl.exact.step_need import STEP, Affine, StepNeed, step_need_of
from griddsl.program import ir
from griddsl.program.program import Program

Progress: TypeAlias = Callable[[int, int, int], None]  # states found, states done, transitions

MOST_STATES = 200_000
MOST_VALUES = 100_000_000  # numbers held in all states together: under a gigabyte
MOST_SETUPS = 200_000
MOST_OUTCOMES = 100_000  # of one step
MOST_RUNS = 1_000_000  # of one step, which can come to fewer outcomes
BACKENDS = ("auto", "python", "native")
HAND_OVER = 200_000  # transitions after which native code is worth its making
RUNNING, TRUNCATED = (
    -1,
    1_000_000,
)  # beside the codes of outcomes: 0 for an end without one, then the program's
REPORT_EVERY = 500
WIDE_HELP = "let fewer things be drawn in one step, or choose a smaller map"


@dataclass(slots=True)
class Enumeration:
    """The states that were found, numbered in the order of finding, and the transitions between them.

    ``outcome[i]`` is `RUNNING`, or how the episode ended when it came to state i. Transition k leads from
    ``source[k]`` by action ``action[k]`` to ``target[k]`` with the chance ``chances[chance[k]]`` and the reward
    ``reward[k]`` (plus ``slope[k]`` times the number of the step, where ``slope`` is not None).
    """

    program: Program
    step_need: StepNeed
    actions: list[tuple[int, ...]]
    idle: list[
        tuple[int, int]
    ]  # the values of the state that nothing depends on: where, and what stands for them
    states: Sequence[Key] = field(default_factory=list)
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
    backend: str = "python"  # what ran the program, at the end


def enumerate_states(
    program: Program,
    *,
    most_states: int = MOST_STATES,
    with_step: bool = False,
    reward_of_step: bool = False,
    traced: bool = False,
    backend: str = "auto",
    progress: Progress | None = None,
) -> Enumeration:
    """Return all states that can be reached from all starts, with every transition.

    The step is kept in the states only where something but the limit depends on it; ``with_step`` keeps it always,
    and ``reward_of_step`` lets rewards be ``a + b * step`` instead where that is enough. ``traced`` notes which
    rules fired. ``backend`` is ``python``, ``native`` (numba), or ``auto``: Python, and native code for what is
    large where numba is installed; both find the same, bit for bit. Raises `TooManyStatesError` beyond
    ``most_states``, and `ExactError` for what cannot be enumerated.
    """
    if backend not in BACKENDS:
        raise ValueError(
            f"there is no backend {backend!r} to enumerate with; choose one of {', '.join(BACKENDS)}"
        )
    if len(program.players) > 1:
        raise ExactError(
            f"{program.id} is played by {len(program.players)} agents",
            "only what one agent plays is a Markov decision process",
        )
    step_need = step_need_of(program)
    if with_step or (step_need.kind == "reward" and not reward_of_step):
        step_need = StepNeed("whole") if "STEP" in program.layout.offsets else StepNeed("none")
    return _Search(program, step_need, most_states, traced, progress).run(_hand_over(program, backend))


def _hand_over(program: Program, backend: str) -> float:
    """Return after how many transitions the native search goes on; `ValueError` where it is asked for and cannot."""
    reason = None if backend == "python" else refusal(program)
    if backend == "native" and reason is not None:
        raise ValueError(f"the native backend cannot enumerate {program.id}: {reason}")
    if backend == "python" or reason is not None:
        return math.inf
    return -1 if backend == "native" else HAND_OVER


class _Search:
    """The breadth-first search; its loop is what enumeration costs."""

    def __init__(
        self, program: Program, step_need: StepNeed, most_states: int, traced: bool, progress: Progress | None
    ) -> None:
        self.script = Script()
        self.machine: Machine = scripted(program, self.script, traced)
        self.program, self.step_need, self.progress = program, step_need, progress
        self.s: list[Any]
        self.s, self.f, self.r = self.machine.new_state()
        layout = program.layout
        self.saved, self.saved_reals = layout.saved, layout.saved_reals
        self.step_at = layout.offsets.get(STEP, -1)
        self.outcome_at = layout.offsets.get("OUTCOME", -1)
        self.truncated_at = layout.offsets.get("TRUNCATED", -1)
        numbers = max(1, self.saved + self.saved_reals)
        self.most_states = min(most_states, max(1, MOST_VALUES // numbers))
        self.is_bound_by_memory = self.most_states < most_states
        actions = list(itertools.product(*(range(len(group.actions)) for group in program.groups)))
        initial = self.machine.initial
        places = [
            layout.offsets[slot.key] + k for slot in idle_slots(program, traced) for k in range(slot.length)
        ]
        self.idle = [(at, initial[at]) for at in places]
        self.states: list[Key] = []
        self.traced = traced
        self.found = Enumeration(program, step_need, actions, self.idle, self.states)
        if step_need.kind == "reward":
            self.found.slope = array("d")
        if traced:
            self.found.fired = set()
        self.running: dict[Key, int] = {}
        self.ended: dict[tuple[int, Key], int] = {}
        self.chance_numbers: dict[tuple[int, int], int] = {}

    def run(self, hand_over: float) -> Enumeration:
        """Search from the setups on; after so many transitions natively, where that can be."""
        found = self.found
        self._start()
        states, outcome = self.states, found.outcome
        if self.program.has_mask:
            found.legal = bytearray()
        done = 0
        while done < len(states):
            if len(found.source) > hand_over:
                if self._go_on_natively(done):
                    return found
                hand_over = math.inf
            if outcome[done] == RUNNING:
                self._expand(done, states[done])
            if found.legal is not None:
                found.legal.extend(self._legal(states[done]))
            done += 1
            if found.fired is not None and self.machine.fired:
                found.fired.update(self.machine.fired)
                self.machine.fired.clear()
            if done % REPORT_EVERY == 0:
                self._report(len(states), done, 0)
        self._report(len(states), done, 0)
        return found

    def _start(self) -> None:
        reset = self.machine.functions["reset"]

        def begin() -> Key:
            reset(self.s, self.f, self.r, -1)
            return self._key()

        chances, self.found.setup_failure = self.script.setups(
            begin, max(MOST_SETUPS, self.most_states), lambda keys: multipliers(self.program, keys)
        )
        whole = sum(chances.values(), Fraction(0)) if self.found.setup_failure else Fraction(bool(chances))
        if not whole:
            raise ExactError(
                "setup never finds a place for everything, or a layout", "`griddsl run` shows where"
            )
        for key, chance in chances.items():
            self.found.initial[self._number(RUNNING, key)] = chance / whole if whole != 1 else chance

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
        is_plain = self.step_need.kind == "none" and not reals and self.truncated_at < 0 and not self.idle
        certain = self._chance_number(1, 1)
        counter = Affine(-1.0, 1.0) if self.step_need.kind == "reward" else None
        for index, action in enumerate(found.actions):
            outcomes: dict[tuple[int, Any], tuple[int, int]] | None = None
            script.position = 0
            runs = 0
            while True:
                s[:saved] = state if not reals else state[:saved]
                if reals:
                    f[:reals] = state[saved:]
                if counter is not None:
                    s[step_at] = counter
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
                runs += 1
                if len(outcomes) > MOST_OUTCOMES:
                    raise self._too_wide()
                if runs > MOST_RUNS:
                    raise self._too_many_draws()
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
        elif (truncated and self.step_need.kind == "whole") or (
            self.truncated_at >= 0 and s[self.truncated_at]
        ):
            outcome = TRUNCATED
        return self._number(outcome, self._key())

    def _key(self) -> Key:
        """Return the saved part of the present state, with as much of the step as matters."""
        s, need = self.s, self.step_need.kind
        if self.step_at >= 0 and need != "whole":
            s[self.step_at] = s[self.step_at] % self.step_need.period if need == "phase" else 0
        for at, value in self.idle:
            s[at] = value
        if self.saved_reals:
            return (*s[: self.saved], *self.f[: self.saved_reals])
        return tuple(s[: self.saved])

    def _number(self, outcome: int, key: Key) -> int:
        states = self.states
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

    def _go_on_natively(self, done: int) -> bool:
        """Find the rest natively, after ``done`` states; return False, with nothing changed, where that cannot be."""
        from griddsl.exact import native_search

        found = self.found
        try:
            search = native_search.NativeSearch(
                self.program,
                self.step_need,
                self.idle,
                found.actions,
                traced=self.traced,
                most_states=self.most_states,
                bounds=(MOST_OUTCOMES, MOST_RUNS),
                codes=(RUNNING, TRUNCATED),
            )
            more = search.run(self.states, found.outcome, done, self._report)
        except native_search.Unsuitable:
            return False
        found.states, found.outcome, found.backend = more.states, more.outcome, "native"
        if more.refusal is not None:
            refusals = {"states": self._too_many, "outcomes": self._too_wide, "runs": self._too_many_draws}
            raise refusals[more.refusal]()
        found.source += more.source
        found.action += more.action
        found.target += more.target
        found.reward += more.reward
        found.chance.frombytes(self._numbers_of(more.chance, more.chances).tobytes())
        if found.slope is not None:
            found.slope += more.slope
        if found.legal is not None:
            found.legal += more.legal
        if found.fired is not None:
            found.fired |= more.fired
        return True

    def _report(self, states: int, done: int, transitions: int) -> None:
        if self.progress is not None:
            self.progress(states, done, transitions + len(self.found.source))

    def _numbers_of(self, nodes: array[int], chances: list[tuple[int, int]]) -> NDArray[np.int32]:
        """Return the numbers of the chances that nodes stand for, new ones in the order in which they appear."""
        self._chance_number(1, 1)
        column = np.asarray(nodes)
        first = np.full(len(chances), len(column), np.int64)
        np.minimum.at(first, column, np.arange(len(column)))
        numbers: NDArray[np.int32] = np.zeros(len(chances), np.int32)
        for node in np.argsort(first, kind="stable")[: np.count_nonzero(first < len(column))].tolist():
            numbers[node] = self._chance_number(*chances[node])
        return np.asarray(numbers[column])

    def _too_wide(self) -> TooManyStatesError:
        return TooManyStatesError(f"one step has more than {MOST_OUTCOMES:,} outcomes", WIDE_HELP)

    def _too_many_draws(self) -> TooManyStatesError:
        return TooManyStatesError(
            f"the draws of one step fall out in more than {MOST_RUNS:,} ways", WIDE_HELP
        )

    def _too_many(self) -> TooManyStatesError:
        parts = ", ".join(multipliers(self.program, self.found.states))
        bound = f"there are more than {self.most_states:,} states"
        help = "choose a smaller map or narrower ranges"
        if self.is_bound_by_memory:
            bound += f", each of {self.saved + self.saved_reals:,} numbers, and no more fit in memory"
        else:
            help += ", or raise the bound (`max_states`; `--max-states` in the terminal)"
        if self.step_need.kind == "whole" and self.step_need != step_need_of(self.program):
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
            counts[words.get(slot.key, slot.name)] = max(distinct, counts[words.get(slot.key, slot.name)])
    return [f"{name} ({count:,})" for name, count in counts.most_common(most)]


def slot_words(program: Program) -> dict[ir.Key, str]:
    """Return what each saved slot is, in the words of the spec."""
    words: dict[ir.Key, str] = {
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
        match slot.key:
            case "OBJECT_AT" | ("OBJECT_AT", _) | "OBJECT_CELL" | "OBJECT_KIND":
                words[slot.key] = "where objects are"
            case "OBJECT_CARRIED":
                words[slot.key] = "what objects carry"
            case "OBJECT_START":
                words[slot.key] = "where objects started"
            case ("OBJECT", name):
                words[slot.key] = f"the objects' {name}"
            case ("TILE", name):
                words[slot.key] = f"the tiles' {name}"
            case ("AGENT", name):
                words[slot.key] = f"the agent's {name}"
            case ("LOWEST", _):
                words[slot.key] = "what `lowest` remembers"
            case ("PREVIOUS", _):
                words[slot.key] = "what `prev` remembers"
    words.update({info.slot: f"`{info.name}`" for info in program.names})
    return words


def _saved_slots(program: Program) -> Iterable[tuple[ir.Slot, int]]:
    layout = program.layout
    for slot in program.slots:
        if slot.saved:
            offset = layout.offsets[slot.key]
            yield slot, layout.saved + offset if slot.type == "real" else offset
