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
from griddsl.exact.states.described import Describer
from griddsl.exact.steps import RUNNING, TRUNCATED, sums_of
from griddsl.program import keys
from griddsl.refused import whole_number

if TYPE_CHECKING:
    from griddsl.exact.observation_function import Observing
    from griddsl.program.program import Program

State: TypeAlias = tuple[tuple[int, ...], tuple[float, ...]]
GymTable: TypeAlias = dict[int, dict[int, list[tuple[float, int, float, bool]]]]
Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]

AGREED = '`rewards: shared` gives all the same; `objective="success"` asks for the chance of `end success`'
AT_ONCE = "{} act at once and one gets what the other loses: the best of each is drawn among actions"
TAKING_TURNS = "with `turns: alternate` there is a best action in each state"


def scipy_sparse() -> Any:
    """Return ``scipy.sparse``; raise `ImportError` in words where it is not installed."""
    try:
        import scipy.sparse
        import scipy.sparse.csgraph
        import scipy.sparse.linalg
    except ImportError:
        raise ImportError("scipy is not installed: pip install 'griddsl[exact]'") from None
    return scipy.sparse


def need_an_optimum(program: Program) -> None:
    """Raise `ExactError` where no policy can be best by what the spec says of rewards and turns alone."""
    names = " and ".join(player.name for player in program.players)
    if program.rewards != "zero_sum" or len(program.players) < 2:
        return
    if len(program.players) > 2:
        raise ExactError(
            f"{names} get what the others lose, by `rewards: zero_sum`, so no policy is best for all", AGREED
        )
    if keys.TURN not in program.layout.offsets:
        raise ExactError(AT_ONCE.format(names), TAKING_TURNS)


class Process:
    """A Markov decision process as arrays; states are numbered from 0 in the order of their distance from the start.

    A state is a state of the environment; one in which an episode has ended is a state of its own, by how it ended.

    What several agents play is a Markov game. Its actions are joint ones: what each agent does, or, under ``turns:
    alternate``, what the agent does whose turn it is. Rewards, and all that follows from them, are the first agent's.
    """

    initial: Floats  # (states,) the chance to start there
    terminal: Flags  # (states,) whether the episode has ended there
    success: Flags  # (states,) whether it has ended with `end success`
    legal: Flags  # (states, actions) whether `allow` allows it; all True without `allow`
    rewards: Floats  # (states, actions) the expected reward; of step t it is rewards + t * rewards_of_step
    rewards_of_step: (
        Floats | None
    )  # (states, actions), where `reward_of_step` was asked for and rewards speak of it
    rewards_of_agents: Floats  # (agents, states, actions)
    limit: int | None  # the spec's limit, where the states do not count the step; else None

    def __init__(self, enumeration: Enumeration) -> None:
        self.enumeration = enumeration
        self.program = enumeration.program
        counts = len(enumeration.states), len(enumeration.parts)
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
        self.rewards_of_agents = np.stack(
            [self._expected(np.asarray(column), counts) for column in enumeration.rewards]
        )
        self.rewards = self.rewards_of_agents[0]
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

    def facts(self) -> dict[str, str]:
        """Return what a report says of the process, in order, each with its name."""
        ends, starts = int(self.terminal.sum()), int((self.initial > 0).sum())
        actions = "actions" if len(self.agents) == 1 or self.turn is not None else "joint actions"
        return {
            "spec": self.program.id,
            "states": f"{self.n_states:,}, of them {ends:,} ends; {starts:,} to start in",
            "transitions": f"{self.n_transitions:,}, by {self.n_actions} {actions}",
        }

    # Sizes and names

    @property
    def n_states(self) -> int:
        """The number of states, those at an end included."""
        return len(self.enumeration.states)

    @property
    def n_actions(self) -> int:
        """The number of actions; of several groups, of their combinations."""
        return len(self.enumeration.parts)

    @property
    def n_transitions(self) -> int:
        """The number of transitions, each a state, an action, the state it leads to and a reward."""
        return len(self.target)

    @cached_property
    def action_names(self) -> tuple[str, ...]:
        """The names of the actions; of several groups, joined by ``+``."""
        players = self.program.players
        names = [
            [[action.name for action in group.actions] for group in player.groups]
            if any(group.actions for group in player.groups)
            else [[str(number) for number in range(group.joystick + 1)] for group in player.groups]
            for player in players
        ]
        said = [
            [
                "+".join(own[group][part] for group, part in enumerate(does))
                for own, does in zip(names, part, strict=True)
            ]
            for part in self.enumeration.parts
        ]
        if self.turn is None:
            return tuple("+".join(each) for each in said)
        return tuple("|".join(dict.fromkeys(each)) for each in said)

    # Several agents

    @property
    def agents(self) -> tuple[str, ...]:
        """The names of the agents that play, in the order of `rewards_of_agents`."""
        return tuple(player.name for player in self.program.players)

    @cached_property
    def turn(self) -> NDArray[np.int64] | None:
        """Under ``turns: alternate`` the place among `agents` of the one that acts, (states,); else None."""
        if len(self.agents) == 1 or self.program.turns != "alternate":
            return None
        places = {player.agent: place for place, player in enumerate(self.program.players)}
        at = self.program.layout.offsets[keys.TURN]
        return np.array([places.get(int(key[at]), 0) for key in self.enumeration.states], dtype=np.int64)

    @cached_property
    def interests(self) -> str:
        """Whose reward counts: ``common`` where all get the same in every step, one agent among them; ``opposed``
        where of two one gets what the other loses; else ``mixed``.
        """
        columns = np.array([np.asarray(column) for column in self.enumeration.rewards])
        if not np.any(columns - columns[0]):
            return "common"
        return "opposed" if len(columns) == 2 and not np.any(np.abs(columns.sum(axis=0)) > 1e-9) else "mixed"

    @cached_property
    def signs(self) -> Floats | None:
        """Of two agents with opposed interests: 1 where the first moves, -1 where the second does, (states,)."""
        if self.interests != "opposed" or self.turn is None:
            return None
        return np.where(self.turn == 0, 1.0, -1.0)

    def need_one_reward(self) -> None:
        """Raise `ExactError` where not all agents get the same."""
        if self.interests != "common":
            raise ExactError(
                f"{' and '.join(self.agents)} get different rewards, and there is room for one",
                "`.npz` holds those of all",
            )

    def need_one_optimum(self) -> None:
        """Raise `ExactError` where what is best for one agent depends on what others do."""
        names = " and ".join(self.agents)
        if self.interests == "mixed":
            raise ExactError(
                f"{names} get different rewards, so no policy is best for all",
                AGREED,
            )
        if self.interests == "opposed" and self.turn is None:
            raise ExactError(AT_ONCE.format(names), TAKING_TURNS)

    @property
    def has_stationary_rewards(self) -> bool:
        """Whether the reward of an action in a state is the same at every step."""
        return self.rewards_of_step is None

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
        return self.program.outcomes[code - 1] if code else "ended" if len(self.agents) == 1 else "out"

    def index(self, state: Sequence[Any], outcome: str | None = None) -> int:
        """Return the number of a state of the environment (of ``get_state()``), or of the end it has come to.

        Raises `KeyError` for a state that cannot be reached, `TypeError` for what is no state.
        """
        if (
            isinstance(state, str)
            or not isinstance(state, Sequence)
            or len(state) < 2
            or isinstance(state[0], int)
        ):
            said = "a state is what `get_state` gives, (whole numbers, reals, random stream)"
            raise TypeError(f"{said}, not {state!r:.60}")
        step_need = self.enumeration.step_need
        at = self.program.layout.offsets.get(keys.STEP, -1)
        integers = list(state[0])
        if at >= 0 and step_need.kind != "whole":
            integers[at] = integers[at] % step_need.period if step_need.kind == "phase" else 0
        for place, value in self.enumeration.idle:
            integers[place] = value
        reals = list(state[1])
        for place in sums_of(self.program):
            reals[place] = 0.0
        number = self._numbers.get((outcome, (*integers, *reals)))
        if number is None:
            ended = f" at the end {outcome!r}" if outcome is not None else ""
            raise KeyError(f"{self.program.id} does not come to this state{ended}")
        return number

    @cached_property
    def _numbers(self) -> dict[tuple[str | None, Hashable], int]:
        return {(self.outcome(number), key): number for number, key in enumerate(self.enumeration.states)}

    def outcomes(self, state: int, action: int) -> list[tuple[Fraction, int, float, bool]]:
        """Return where an action leads: exact chance, state, reward, and whether the episode ends there."""
        state = whole_number("a state", state, 0, self.n_states - 1)
        action = whole_number("an action", action, 0, self.n_actions - 1)
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
        """The agent's cell in each state, (states,); of several agents the first one's."""
        return np.ascontiguousarray(self.cells_of_agents[:, 0])

    @cached_property
    def cells_of_agents(self) -> NDArray[np.int64]:
        """The cells of all agents in each state, those that play by themselves too, (states, agents); -1 for none."""
        at, count = self.program.layout.offsets.get(keys.AGENT_CELL), len(self.program.agents)
        if at is None:  # they stand nowhere
            return np.full((self.n_states, count), -1, dtype=np.int64)
        return np.array([key[at : at + count] for key in self.enumeration.states], dtype=np.int64)

    def describe(self, state: int) -> str:
        """Return a state in words: where the agents are, and what else differs between the states of the process.

        ``agent at (3, 0) facing east with key, box at (1, 2), (4, 2), door(is_open=true) at (5, 1), fuel 7``.
        """
        state = whole_number("a state", state, 0, self.n_states - 1)
        parts = self._describer.words(self.enumeration.states[state])
        end = self.outcome(state)
        if self.turn is not None and end is None:
            parts.append(f"{self.agents[self.turn[state]]}'s turn")
        return ", ".join([*parts, *([f"ended: {end}"] if end else [])])

    @cached_property
    def _describer(self) -> Describer:
        return Describer.of(self.program, self.enumeration.states)

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
