"""`Process`: all states of a spec, and where every action leads, as arrays."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from griddsl.exact.draws import ExactError
from griddsl.exact.enumerate import Enumeration
from griddsl.exact.states.words import slot_words
from griddsl.exact.steps import RUNNING, TRUNCATED

if TYPE_CHECKING:
    from griddsl.exact.observation_function import Observing

State: TypeAlias = tuple[tuple[int, ...], tuple[float, ...]]
GymTable: TypeAlias = dict[int, dict[int, list[tuple[float, int, float, bool]]]]
Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]


def scipy_sparse() -> Any:
    """Return ``scipy.sparse``; raise `ImportError` in words where it is not installed."""
    try:
        import scipy.sparse
        import scipy.sparse.csgraph
        import scipy.sparse.linalg
    except ImportError:
        raise ImportError("scipy is not installed: pip install 'griddsl[exact]'") from None
    return scipy.sparse


class Process:
    """A Markov decision process as arrays; states are numbered from 0 in the order of their distance from the start.

    A state is a state of the environment; one in which an episode has ended is a state of its own, by how it ended.
    """

    initial: Floats  # (states,) the chance to start there
    terminal: Flags  # (states,) whether the episode has ended there
    success: Flags  # (states,) whether it has ended with `end success`
    legal: Flags  # (states, actions) whether `allow` allows it; all True without `allow`
    rewards: Floats  # (states, actions) the expected reward; of step t it is rewards + t * rewards_of_step
    rewards_of_step: (
        Floats | None
    )  # (states, actions), where `reward_of_step` was asked for and rewards speak of it
    limit: int | None  # the spec's limit, where the states do not count the step; else None

    def __init__(self, enumeration: Enumeration) -> None:
        self.enumeration = enumeration
        self.program = enumeration.program
        counts = len(enumeration.states), len(enumeration.actions)
        self.outcomes_of_states: NDArray[np.int64] = np.array(enumeration.outcome, dtype=np.int64)
        self.terminal = self.outcomes_of_states != RUNNING
        names = self.program.outcomes
        wins = [code + 1 for code, name in enumerate(names) if name == "success"]
        self.success = np.isin(self.outcomes_of_states, wins)
        self.initial = np.zeros(counts[0])
        for number, chance in enumeration.initial.items():
            self.initial[number] = float(chance)
        legal = enumeration.legal
        self.legal = (
            np.ones(counts, dtype=np.bool_)
            if legal is None
            else np.frombuffer(bytes(legal), dtype=np.bool_).reshape(counts)
        )
        # One row for each state and action: row = state * actions + action.
        self.row: NDArray[np.int64] = np.asarray(enumeration.source, dtype=np.int64) * counts[1]
        self.row += np.asarray(enumeration.action, dtype=np.int64)
        self.target: NDArray[np.int64] = np.asarray(enumeration.target, dtype=np.int64)
        self.chance: Floats = np.array([float(c) for c in enumeration.chances])[
            np.asarray(enumeration.chance)
        ]
        self.rewards = self._expected(np.asarray(enumeration.reward), counts)
        slope = enumeration.slope
        self.rewards_of_step = (
            self._expected(np.asarray(slope), counts) if slope is not None and any(slope) else None
        )
        self.limit = None if enumeration.step_need.kind == "whole" else self.program.limit

    def _expected(self, reward: Floats, counts: tuple[int, int]) -> Floats:
        sums = np.bincount(self.row, self.chance * reward, counts[0] * counts[1])
        return np.asarray(sums, dtype=np.float64).reshape(counts)

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__} of {self.program.id}: {self.n_states:,} states "
            f"({int(self.terminal.sum()):,} of them ends), "
            f"{self.n_actions} actions, {self.n_transitions:,} transitions>"
        )

    # Sizes and names

    @property
    def n_states(self) -> int:
        """The number of states, those at an end included."""
        return len(self.enumeration.states)

    @property
    def n_actions(self) -> int:
        """The number of actions; of several groups, of their combinations."""
        return len(self.enumeration.actions)

    @property
    def n_transitions(self) -> int:
        """The number of transitions, each a state, an action, the state it leads to and a reward."""
        return len(self.target)

    @cached_property
    def action_names(self) -> tuple[str, ...]:
        """The names of the actions; of several groups, joined by ``+``."""
        groups = self.program.groups
        names = [
            [action.name for action in group.actions] or [str(number) for number in range(group.joystick + 1)]
            for group in groups
        ]
        return tuple(
            "+".join(names[group][part] for group, part in enumerate(action))
            for action in self.enumeration.actions
        )

    @property
    def has_stationary_rewards(self) -> bool:
        """Whether the reward of an action in a state is the same at every step."""
        return self.rewards_of_step is None

    @property
    def signs(self) -> Floats | None:
        """Of two agents that take turns, what one gets the other loses: 1 where the first moves, else -1, (states,)."""
        return None

    # Arrays

    @cached_property
    def transitions(self) -> Any:
        """The chances as one ``scipy.sparse`` array, (states * actions, states); rows of ended states are empty."""
        sparse = scipy_sparse()
        shape = self.n_states * self.n_actions, self.n_states
        return sparse.csr_array((self.chance, (self.row, self.target)), shape=shape)

    @cached_property
    def P(self) -> list[Any]:
        """``P[a]`` is the ``(states, states)`` sparse array of chances; a state at an end stays where it is."""
        sparse = scipy_sparse()
        stay = sparse.diags_array(self.terminal.astype(np.float64)).tocsr()
        return [self.transitions[action :: self.n_actions] + stay for action in range(self.n_actions)]

    @cached_property
    def R(self) -> list[Floats]:
        """``R[a]`` is ``(states,)``, the expected reward of an action; 0 at an end."""
        return [np.ascontiguousarray(self.rewards[:, action]) for action in range(self.n_actions)]

    @property
    def R_step(self) -> list[Floats] | None:
        """What each further step adds to ``R[a]``, where ``reward_of_step`` was asked for; else None."""
        slopes = self.rewards_of_step
        return None if slopes is None else [slopes[:, action].copy() for action in range(self.n_actions)]

    # States

    @cached_property
    def states(self) -> list[State]:
        """The states, as ``env.get_state()[:2]`` gives them, with as much of the step as matters."""
        saved = self.program.layout.saved
        return [
            (key[:saved], key[saved:])  # type: ignore[misc]
            for key in self.enumeration.states
        ]

    def outcome(self, state: int) -> str | None:
        """Return how the episode has ended in a state: `success`, ..., `truncated`, `ended`; None where it goes on."""
        code = int(self.outcomes_of_states[state])
        if code == RUNNING:
            return None
        if code == TRUNCATED:
            return "truncated"
        return self.program.outcomes[code - 1] if code else "ended"

    def index(self, state: Sequence[Any], outcome: str | None = None) -> int:
        """Return the number of a state of the environment (of ``get_state()``), or of the end it has come to.

        Raises `KeyError` for a state that cannot be reached.
        """
        step_need = self.enumeration.step_need
        at = self.program.layout.offsets.get("STEP", -1)
        integers = list(state[0])
        if at >= 0 and step_need.kind != "whole":
            integers[at] = integers[at] % step_need.period if step_need.kind == "phase" else 0
        for place, value in self.enumeration.idle:
            integers[place] = value
        return self._numbers[outcome, (*integers, *state[1])]

    @cached_property
    def _numbers(self) -> dict[tuple[str | None, Hashable], int]:
        return {(self.outcome(number), key): number for number, key in enumerate(self.enumeration.states)}

    def outcomes(self, state: int, action: int) -> list[tuple[Fraction, int, float, bool]]:
        """Return where an action leads: exact chance, state, reward, and whether the episode ends there."""
        found = self.enumeration
        first, last = np.searchsorted(
            self.row, [state * self.n_actions + action, state * self.n_actions + action + 1]
        )
        return [
            (
                found.chances[found.chance[k]],
                found.target[k],
                found.reward[k],
                bool(self.terminal[found.target[k]]),
            )
            for k in range(int(first), int(last))
        ]

    @cached_property
    def agent_cells(self) -> NDArray[np.int64]:
        """The agent's cell in each state, (states,)."""
        at = self.program.layout.offsets["AGENT_CELL"]
        return np.array([key[at] for key in self.enumeration.states], dtype=np.int64)

    def describe(self, state: int) -> str:
        """Return a state in words: the agent's cell and what varies beside it."""
        layout, key = self.program.layout, self.enumeration.states[state]
        parts = []
        for slot in self.program.slots:
            if not slot.saved or slot.length > 1 or slot.type == "real" or slot.key == "AGENT_CELL":
                continue
            parts.append(
                f"{slot_words(self.program).get(slot.key, slot.name)} {key[layout.offsets[slot.key]]:g}"
            )
        cell = int(key[layout.offsets["AGENT_CELL"]])
        place = f"({cell % self.program.width}, {cell // self.program.width})"
        end = self.outcome(state)
        return ", ".join([f"agent at {place}", *parts, *([f"ended: {end}"] if end else [])])

    # Other forms

    def to_gym_P(self) -> GymTable:
        """Return ``P[state][action] = [(chance, next state, reward, ended), ...]``, as toy-text has it."""
        table: GymTable = {
            state: {action: [] for action in range(self.n_actions)} for state in range(self.n_states)
        }
        for row, chance, target, reward in zip(
            self.row.tolist(),
            self.chance.tolist(),
            self.target.tolist(),
            self.enumeration.reward,
            strict=True,
        ):
            table[row // self.n_actions][row % self.n_actions].append(
                (chance, target, reward, bool(self.terminal[target]))
            )
        for state in np.flatnonzero(self.terminal).tolist():
            for action in range(self.n_actions):
                table[state][action].append((1.0, state, 0.0, True))
        return table

    @cached_property
    def observing(self) -> Observing:
        """What is seen in each state: the observation function."""
        from griddsl.exact.observation_function import observing_of

        return observing_of(self.enumeration)

    def need_stationary_rewards(self) -> None:
        """Raise `ExactError` where rewards depend on the step."""
        if not self.has_stationary_rewards:
            raise ExactError(
                "rewards depend on `step`, so there is no reward of a state and action alone",
                'ask for a horizon (`horizon="limit"`), or for states that count the step (`with_step=True`)',
            )
