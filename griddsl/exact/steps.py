"""Steps: where each action leads from a state, in every way that its draws can fall out, for one agent and several.

A state is a key: what the program saves of it, with as much of the step as matters. An action is what the agent does;
of several that act at once, what each of them does; under ``turns: alternate`` what the agent does whose turn it is. A
step gives a reward: a number, or of several agents a tuple with one for each.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, TypeAlias

from griddsl.backends.python import Machine
from griddsl.exact.draws import ExactError, Key, Script, TryAgain, scripted
from griddsl.exact.states.relevance import idle_slots
from griddsl.exact.states.step_need import Affine, StepNeed, begins_anew, step_need_of
from griddsl.program import keys
from griddsl.program.program import Program
from griddsl.program.runtime import SetupFailure

RUNNING, TRUNCATED = (
    -1,
    1_000_000,
)  # beside the codes of outcomes: 0 for an end without one, then the program's
BEFORE = -(10**9)  # a step from which no limit is near
MOST_ACTIONS = 100_000

Action: TypeAlias = tuple[
    int, ...
]  # a number for each group of actions; of several agents, all that they choose
Part: TypeAlias = tuple[Action, ...]  # what each agent does


def sums_of(program: Program) -> range:
    """Return where the sums of rewards stand among the reals, which are only told: no state differs by them."""
    at = program.layout.offsets.get(keys.TOTAL)
    return range(0) if at is None else range(at, at + len(program.agents))


class Steps:
    """What a program can do, with draws that follow a script.

    ``need`` is how much of the step a state keeps: without it, as much as matters where nobody asks for rewards.
    ``awaits`` says that a step goes on, as in play, until the turn is with an agent that does not play by itself.
    ``level`` is the one that is reset to; -1 leaves the choice to the spec.
    """

    level = -1

    def __init__(
        self,
        program: Program,
        script: Script,
        need: StepNeed | None = None,
        *,
        traced: bool = False,
        awaits: bool = True,
    ) -> None:
        self.program, self.script, self.traced = program, script, traced
        if need is not None:
            self.need = need
        self.layout, self.players = program.layout, program.players
        self.several = len(program.players) > 1
        self.alternates = self.several and program.turns == "alternate"
        self.s: list[Any]
        self.f: list[Any]
        self._initial = program.initial()
        self.s, self.f = list(self._initial[0]), list(self._initial[1])
        self.r = [0]
        offsets, lengths = self.layout.offsets, {slot.key: slot.length for slot in program.slots}
        self.step_at, self.turn_at = offsets.get(keys.STEP, -1), offsets.get(keys.TURN, -1)
        self.outcome_at, self.out_at = offsets.get(keys.OUTCOME, -1), offsets.get(keys.OUT, -1)
        self.learners = [player.agent for player in self.players]
        if self.several:
            first = offsets[keys.CHOICE]
            self.choices = slice(first, first + lengths[keys.CHOICE])
            self.width = lengths[keys.CHOICE] // len(program.agents)
            awaits = awaits and self.alternates and len(self.learners) < len(program.agents)
        self.awaits = awaits and self.several
        self._same: dict[tuple[bool, ...], list[int]] = {}

    # What is run is made ready when it is asked for: of some programs little is.

    @cached_property
    def begin_anew(self) -> bool:
        """Whether a step may begin the next episode of a trial: its setup can fail, or try again."""
        return begins_anew(self.program)

    @cached_property
    def need(self) -> StepNeed:
        """How much of the step a state keeps."""
        return step_need_of(self.program).of_states

    @cached_property
    def _resetting(self) -> Machine:
        return scripted(self.program, self.script, only=["reset"])

    @cached_property
    def stepping(self) -> Machine:
        """What steps; ``fired`` holds the rules that did, where it is traced."""
        return scripted(self.program, self.script, self.traced, only=["step"])

    @cached_property
    def _deciding(self) -> Machine:
        return scripted(
            self.program, self.script, only=[player.mask for player in self.players if player.mask]
        )

    @cached_property
    def idle(self) -> list[tuple[int, int]]:
        """The numbers of the state on which nothing depends: where they are, and what stands for them."""
        initial, _ = self._initial
        starts = [
            (self.layout.offsets[slot.key], slot.length) for slot in idle_slots(self.program, self.traced)
        ]
        return [(at, initial[at]) for first, length in starts for at in range(first, first + length)]

    @cached_property
    def _sums(self) -> range:
        return sums_of(self.program)

    # Actions

    @cached_property
    def own(self) -> list[list[Action]]:
        """The actions of each agent: a number for each of its groups."""
        counts = [[len(group.actions) for group in player.groups] for player in self.players]
        return [list(itertools.product(*map(range, own))) for own in counts]

    @cached_property
    def parts(self) -> list[Part]:
        """What each agent does in every action. One that lacks an action which others have does its first instead."""
        own = self.own
        if self.alternates:
            longest = max(map(len, own))
            return [tuple(mine[k if k < len(mine) else 0] for mine in own) for k in range(longest)]
        if self.several and math.prod(map(len, own)) > MOST_ACTIONS:
            raise ExactError(f"there are more than {MOST_ACTIONS:,} joint actions")
        return list(itertools.product(*own))

    @cached_property
    def actions(self) -> list[Action]:
        """What the program is given for every action."""
        return [self.given(part) for part in self.parts]

    def given(self, part: Part) -> Action:
        """Return what the program is given for what each agent does."""
        if not self.several:
            return part[0]
        numbers = [-1] * (self.choices.stop - self.choices.start)
        for agent, own in zip(self.learners, part, strict=True):
            numbers[agent * self.width : agent * self.width + len(own)] = own
        return tuple(numbers)

    def acting(self, state: Key) -> tuple[bool, ...]:
        """Return which agents have a say in a state: who takes part, and whose turn it is."""
        inside = zip(self.learners, self.taking_part(state), strict=True)
        return tuple(
            is_in and not (self.alternates and state[self.turn_at] != agent) for agent, is_in in inside
        )

    def taking_part(self, state: Key) -> tuple[bool, ...]:
        """Return which agents take part in a state."""
        return tuple(self.out_at < 0 or not state[self.out_at + agent] for agent in self.learners)

    def same(self, state: Key) -> list[int]:
        """Return, for each action, the first that does the same: what those do who have no say makes no difference."""
        acting = self.acting(state)
        if acting not in self._same:
            seen: dict[Any, int] = {}
            said = (tuple(itertools.compress(part, acting)) for part in self.parts)
            self._same[acting] = [seen.setdefault(part, number) for number, part in enumerate(said)]
        return self._same[acting]

    def legal(self, state: Key) -> bytes:
        """Return which actions are allowed in a state, one byte each; of several parts, where all of these are."""
        s, f = self.enter(state)
        allowed: list[Callable[[Action], bool]] = []
        acting = self.acting(state)
        for player, has_a_say in zip(self.players, acting, strict=True):
            counts = [len(group.actions) for group in player.groups]
            out = [1] * sum(counts)
            if player.mask and has_a_say:
                self._deciding.functions[player.mask](s, f, self.r, *player.arguments, out)
            firsts = list(itertools.accumulate(counts, initial=0))
            allowed.append(
                lambda own, out=out, firsts=firsts: all(  # type: ignore[misc]
                    out[first + number] for first, number in zip(firsts, own, strict=False)
                )
            )
        return bytes(all(may(own) for may, own in zip(allowed, part, strict=True)) for part in self.parts)

    # Running

    def enter(self, state: Key) -> tuple[list[Any], list[Any]]:
        """Put a state into the vectors, all else as it is before the first reset, and return these."""
        saved, reals = self.layout.saved, self.layout.saved_reals
        initial, initial_reals = self._initial
        self.s[:] = [*state[:saved], *initial[saved:]]
        self.f[:] = [*state[saved:], *initial_reals[reals:]]
        return self.s, self.f

    def key_of(self, s: list[Any], f: list[Any]) -> Key:
        """Return the state that is in some vectors of the program."""
        self.enter((*s[: self.layout.saved], *f[: self.layout.saved_reals]))
        return self._key()

    def reset(self) -> None:
        """Run setup once; raise `SetupFailure` where it fails, and `TryAgain` where a try of it does."""
        self._resetting.functions["reset"](self.s, self.f, self.r, self.level)

    def start(self) -> Key:
        """Run setup as `reset` does, and return the state."""
        self.reset()
        while self.awaits and self.s[self.turn_at] not in self.learners:
            self.s[self.choices] = [-1] * (self.choices.stop - self.choices.start)
            self.stepping.functions["step"](self.s, self.f, self.r)
        return self._key()

    def starts(self, most: int) -> Iterator[Key]:
        """Yield the states that setup can lead to; `TooManyStatesError` for more than so many ways to run it."""
        return (state for state in self.script.ways(self._start_or_none, most) if state is not None)

    def surely_more_starts(self, most: int) -> list[Key] | None:
        """Return some states that setup can lead to where it is sure to have more ways than ``most``; else None."""
        return self.script.surely_more(self._start_or_none, most)

    def _start_or_none(self) -> Key | None:
        try:
            return self.start()
        except (TryAgain, SetupFailure):
            return None

    def after(self, state: Key, action: Action) -> Iterator[tuple[Key, int, Any]]:
        """Yield the states that an action can lead to, each with how the episode stands then, and the reward.

        Meanwhile the script knows the chance of the way, and the vectors hold what the step has left.
        """
        run = self.run
        return self.script.runs(lambda: run(state, action))

    @cached_property
    def run(self) -> Callable[[Key, Action], tuple[Key, int, Any]]:
        """What carries out an action in a state once, by the script: the state after it, the outcome, the reward."""
        s, f, r, step, key_of = self.s, self.f, self.r, self._step, self._key
        saved, reals, step_at = self.layout.saved, self.layout.saved_reals, self.step_at
        outcome_at = self.outcome_at
        need = self.need.kind if step_at >= 0 else ""
        counter: Any = {"none": BEFORE, "reward": Affine(-1.0, 1.0)}.get(need)
        earlier = BEFORE * self.need.period if need == "phase" else 0
        is_plain = need in {"", "none"} and not reals and not self.idle

        def run(state: Key, action: Action) -> tuple[Key, int, Any]:
            if reals:
                s[:saved] = state[:saved]
                f[:reals] = state[saved:]
            else:
                s[:saved] = state
            if counter is not None:
                s[step_at] = counter
            elif earlier:
                s[step_at] += earlier
            reward, ended, cut = step(s, f, r, *action)
            outcome = RUNNING
            if ended:
                outcome = s[outcome_at] if outcome_at >= 0 else 0
            elif cut:
                outcome = TRUNCATED
            if not is_plain:
                return key_of(), outcome, reward
            if counter is not None:
                s[step_at] = 0
            return tuple(s[:saved]), outcome, reward

        return run

    def _key(self) -> Key:
        """Return the saved part of the vectors, with as much of the step as matters."""
        s, saved = self.s, self.layout.saved
        if self.step_at >= 0 and self.need.kind != "whole":
            s[self.step_at] = s[self.step_at] % self.need.period if self.need.kind == "phase" else 0
        for at, value in self.idle:
            s[at] = value
        for at in self._sums:
            self.f[at] = 0.0
        reals = self.layout.saved_reals
        return (*s[:saved], *self.f[:reals]) if reals else tuple(s[:saved])

    @cached_property
    def _step(self) -> Callable[..., tuple[Any, Any, Any]]:
        """The step, as programs for one agent have it: reward, terminated, truncated."""
        once = self.stepping.functions["step"]
        if not self.several:
            return once
        offsets, learners = self.layout.offsets, self.learners
        reward_at, ended_at, cut_at = (
            offsets[name] for name in (keys.REWARD, keys.TERMINATED, keys.CUT_SHORT)
        )
        out_at, turn_at, choices, awaits = self.out_at, self.turn_at, self.choices, self.awaits
        nothing = [-1] * (choices.stop - choices.start)

        def step(s: list[Any], f: list[Any], r: list[int], *numbers: int) -> tuple[Any, bool, bool]:
            left = [agent for agent in learners if out_at < 0 or not s[out_at + agent]]
            rewards = dict.fromkeys(learners, 0.0)
            s[choices] = numbers
            while True:
                once(s, f, r)
                for agent in left:
                    rewards[agent] += f[reward_at + agent]
                has_ended = any(s[ended_at + agent] for agent in left)
                left = [agent for agent in left if not (s[ended_at + agent] or s[cut_at + agent])]
                if not (left and awaits and s[turn_at] not in learners):
                    break
                s[choices] = nothing
            return tuple(rewards.values()), not left and has_ended, not left and not has_ended

        return step
