"""What is played: an environment for one, or a game of several, that tells which rules fired.

Both take a move, the number of an action for every seat: an agent's group of actions.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from griddsl.backends.python import Machine, build
from griddsl.compiler import compiled
from griddsl.envs.joint.game import Game
from griddsl.envs.single.grid_env import GridEnv
from griddsl.envs.spaces import action_of
from griddsl.envs.states import State
from griddsl.program.program import ActionGroup, Program
from griddsl.render.scene import Scene

if TYPE_CHECKING:
    from griddsl.spec.models import GridSpec

Move: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Seat:
    """An agent's group of actions: what one number of a move chooses."""

    agent: str
    group: ActionGroup


@dataclass(frozen=True, slots=True)
class Result:
    """What a move did: the reward of every player, and how the episode ended, if it did."""

    rewards: tuple[float, ...]
    terminated: bool
    truncated: bool
    outcome: str


class Played(Protocol):
    """What a session plays."""

    program: Program

    @property
    def spec_model(self) -> GridSpec:
        """The validated model of the spec."""

    def begin(self, seed: int) -> None:
        """Start an episode."""

    def play(self, move: Move) -> Result:
        """Carry out a move."""

    def masks(self) -> list[list[bool]]:
        """Return for every seat which actions are allowed."""

    def seats_to_move(self) -> list[int]:
        """Return the seats whose numbers count in the next move."""

    def take_fired(self) -> list[int]:
        """Return the numbers of the rules that fired since the last call, in order, and forget them."""

    def get_state(self) -> State:
        """Return the whole state."""

    def set_state(self, state: State) -> None:
        """Go back to a state."""

    def scene(self, values: Any = None, policy: Any = None) -> Scene:
        """Return the board as it is."""

    def observe(self, agent: str) -> Any:
        """Return what an agent observes now."""

    def mission(self) -> str:
        """Return the task in words."""

    def value_of(self, name: str) -> str:
        """Return a variable or a chosen name in words."""

    def told(self, name: str) -> dict[str, Any]:
        """Return the info of a player."""


def seats_of(program: Program) -> list[Seat]:
    """Return the seats of a program: each player's groups of actions, in order."""
    return [Seat(player.name, group) for player in program.players for group in player.groups]


def open_traced(source: str | os.PathLike[str], /, **params: Any) -> TracedEnv | TracedGame:
    """Return what can be played of a spec. Raises `SpecError` where it has errors."""
    spec = compiled(source, **params)
    return TracedGame(spec) if len(spec.program.players) > 1 else TracedEnv(spec)


def _taken(machine: Machine) -> list[int]:
    fired = machine.fired.copy()
    machine.fired.clear()
    return fired


class TracedEnv(GridEnv):
    """A `GridEnv` whose program notes the number of every rule that fires; a little slower."""

    def _build(self) -> Machine:
        return build(self.program, traced=True)

    def begin(self, seed: int) -> None:
        """Start an episode."""
        self.reset(seed=seed)

    def told(self, name: str) -> dict[str, Any]:
        """Return the info of the player."""
        return self._info(False)

    def play(self, move: Move) -> Result:
        """Carry out a move."""
        _, reward, terminated, truncated, info = self.step(action_of(self.program.groups, move))
        return Result((float(reward),), terminated, truncated, str(info.get("outcome", "")))

    def masks(self) -> list[list[bool]]:
        """Return for every group which actions are allowed."""
        return _split(self.action_masks().tolist(), self.program.groups)

    def seats_to_move(self) -> list[int]:
        """Return all seats."""
        return list(range(len(self.program.groups)))

    def observe(self, agent: str) -> Any:
        """Return what the agent observes now, without a change of the random stream."""
        return self._aside(self._observe)

    def take_fired(self) -> list[int]:
        """Return the numbers of the rules that fired since the last call, in order, and forget them."""
        return _taken(self._machine)


class TracedGame(Game):
    """A `Game` whose program notes the number of every rule that fires."""

    def _prepare(self) -> None:
        super()._prepare()
        self.seats = seats_of(self.program)

    def _build(self) -> Machine:
        return build(self.program, traced=True)

    def play(self, move: Move) -> Result:
        """Carry out a move, and the turns of agents that play by themselves after it."""
        chosen: dict[str, list[int]] = {}
        for seat, number in zip(self.seats, move, strict=True):
            chosen.setdefault(seat.agent, []).append(number)
        live = [name for name in self.players if self.is_in(name)]
        actions = {name: action_of(self.players[name].groups, chosen[name]) for name in live}
        step = self.play_on(actions, live)
        self.see(live)
        over = not step.agents
        terminated, truncated = over and any(step.terminated.values()), over and any(step.truncated.values())
        outcome = (self.outcome or ("out" if terminated else "truncated")) if over else ""
        return Result(
            tuple(step.rewards.get(name, 0.0) for name in self.players), terminated, truncated, outcome
        )

    def told(self, name: str) -> dict[str, Any]:
        """Return the info of a player."""
        return self.info(name)

    def begin(self, seed: int, options: Any = None) -> None:
        """Start an episode, and let agents that play by themselves have the turns before the first move."""
        super().begin(seed, options)
        self.await_turn()
        self.see(list(self.players))

    def masks(self) -> list[list[bool]]:
        """Return for every seat which actions are allowed."""
        found: list[list[bool]] = []
        for name, player in self.players.items():
            found.extend(_split(self.mask(name).tolist(), player.groups))
        return found

    def seats_to_move(self) -> list[int]:
        """Return the seats of the agents that take part, or of the one whose turn it is."""
        turn = self.turn
        return [
            index
            for index, seat in enumerate(self.seats)
            if self.is_in(seat.agent) and turn in {None, seat.agent}
        ]

    def take_fired(self) -> list[int]:
        """Return the numbers of the rules that fired since the last call, in order, and forget them."""
        return _taken(self._machine)


def _split(flags: list[bool], groups: Sequence[ActionGroup]) -> list[list[bool]]:
    found: list[list[bool]] = []
    for group in groups:
        found.append(flags[: len(group.actions)])
        flags = flags[len(group.actions) :]
    return found
