"""The game: a program that several play, one joint step at a time; what every multi-agent interface is made of."""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np

from griddsl.backends.python import Machine, build
from griddsl.compiler import AnySpec, compiled
from griddsl.diagnostics import Refused
from griddsl.envs.base_env import NOTHING_TO_SEE, BaseEnv
from griddsl.envs.infos import ending, entry_value, unset_value
from griddsl.envs.joint.by_agent import ByAgent
from griddsl.envs.reading import function_reader, observer, shown_reader
from griddsl.envs.seeding import new_stream, seeded
from griddsl.envs.spaces import observation_space, player_actions, player_observations, snapped
from griddsl.envs.states import State, checked_stream, unpickled
from griddsl.loading import resolve
from griddsl.program import keys
from griddsl.program.program import InfoEntry, Player, Program
from griddsl.program.runtime import SetupFailure
from griddsl.program.spaces import Leaf


class JointStep(NamedTuple):
    """What a joint step gave: one value for each agent that took part, and the agents whose part goes on."""

    rewards: dict[str, float]
    terminated: dict[str, bool]
    truncated: dict[str, bool]
    agents: tuple[str, ...]


class Game(BaseEnv):
    """The state of one episode that several agents share, and what each of them may do and see.

    ``players`` are the agents that are given actions, in order of declaration; those that play by themselves are not
    among them. Raises `SpecError` where the spec has errors.
    """

    def __init__(self, source: AnySpec, **params: Any) -> None:
        self.compiled = compiled(resolve(source), **params)
        self.program = self.compiled.program
        self._prepare()

    def _build(self) -> Machine:
        return build(self.program)

    def _prepare(self) -> None:
        program = self.program
        self._rasterisers = {}
        self.players = ByAgent({player.name: player for player in program.players})
        self.action_spaces = ByAgent({name: player_actions(each) for name, each in self.players.items()})
        self.observation_spaces = ByAgent(
            {name: player_observations(each) for name, each in self.players.items()}
        )
        if len(self.players) == 1:  # what one plays can be goal-conditioned
            self.observation_spaces = ByAgent(dict.fromkeys(self.players, observation_space(program)))
        self._machine = self._build()
        self._s, self._f, self._r = self._machine.new_state()
        offsets = program.layout.offsets
        self._offsets = offsets
        lengths = {slot.key: slot.length for slot in program.slots}
        self._is_joint = len(program.players) > 1
        if self._is_joint:
            self._choices = offsets[keys.CHOICE]
            self._width = lengths[keys.CHOICE] // len(program.agents)
        self._step = self._machine.functions["step"]
        self._follows = False  # whether an episode was started since the stream was seeded
        self._is_set_up = False  # whether there is anything to be seen
        self._noted: dict[str, Any] = {}  # what agents saw, where looking again would show something else
        self._observers = ByAgent({name: self._observer(each) for name, each in self.players.items()})
        # An action that is a plain number of one group is taken without a closer look.
        self._plain = {
            name: len(player.groups[0].actions)
            for name, player in self.players.items()
            if len(player.groups) == 1 and not player.groups[0].joystick
        }

    def _observer(self, player: Player) -> Callable[[], Any]:
        def reader(leaf: Leaf) -> Callable[[], Any]:
            shown = shown_reader(self, leaf)
            if shown is not None:
                return shown
            function = self._machine.functions[leaf.function]
            read = function_reader(leaf, function, self._s, self._f, self._r, *player.arguments)
            # PettingZoo's checks want what the space samples: a numpy number where Gymnasium's want an ``int``.
            return (lambda: np.int64(read())) if leaf.form == "value" else read

        goal = self.program.goal if len(self.players) == 1 else {}
        return observer(player.observation, goal, reader)

    # Playing

    def start(self, options: Mapping[str, Any] | None = None) -> None:
        """Start an episode with the stream as it is; raises `SpecError` where setup finds no place.

        Where it was not seeded since the last one, what was drawn once stays.
        """
        self._noted = {}
        try:
            self._machine.functions["reset"](self._s, self._f, self._r, self._level(options))
        except SetupFailure as failure:
            raise self.setup_error(failure) from None
        self._follows = self._is_set_up = True

    def _level(self, options: Mapping[str, Any] | None) -> int:
        """Return what a reset is given for a level."""
        level = self.level_number(options)
        return self.program.next_level if level == -1 and self._follows else level

    def act(self, actions: Mapping[str, Any]) -> None:
        """Carry out one joint step; agents that are not named do nothing."""
        s, first, width = self._s, self._choices, self._width
        for name, player in self.players.items():
            at = first + player.agent * width
            action = actions.get(name)
            if action is None:
                for place in range(at, at + width):
                    s[place] = -1
            elif action.__class__ is int and 0 <= action < self._plain.get(name, 0):
                s[at] = action
            else:
                numbers = self.numbers(name, action)
                s[at : at + len(numbers)] = numbers
        self._noted = {}
        self._step(s, self._f, self._r)

    def begin(self, seed: int, options: Mapping[str, Any] | None = None) -> None:
        """Start an episode with the stream of a seed."""
        self.seed(new_stream(seeded(seed)))
        self.start(options)

    @property
    def waits(self) -> bool:
        """Whether it is the turn of an agent that plays by itself, so that a step needs no action."""
        turn = self.turn
        return turn is not None and turn not in self.players

    def play_on(self, actions: Mapping[str, Any], agents: Sequence[str]) -> JointStep:
        """Carry out a joint step of the agents whose part goes on, and the turns of those that play by themselves."""
        self.act(actions)
        s, f, players, offsets = self._s, self._f, self.players, self._offsets
        reward_at, ended_at, cut_at = offsets[keys.REWARD], offsets[keys.TERMINATED], offsets[keys.CUT_SHORT]
        rewards = {name: f[reward_at + players[name].agent] for name in agents}
        ended = {name: s[ended_at + players[name].agent] == 1 for name in agents}
        cut = {name: s[cut_at + players[name].agent] == 1 for name in agents}
        left = tuple(name for name in agents if not (ended[name] or cut[name]))
        while left and self.waits:
            self.act({})
            for name in left:
                rewards[name] += self.reward(name)
                ended[name], cut[name] = self.has_ended(name), self.is_cut_short(name)
            left = tuple(name for name in left if not (ended[name] or cut[name]))
        return JointStep(rewards, ended, cut, left)

    def await_turn(self) -> None:
        """Let agents that play by themselves take the turns before the first of one that does not."""
        while self.waits:
            self.act({})

    def see(self, agents: Sequence[str]) -> dict[str, Any]:
        """Return what agents observe now that a step is over, drawing their noise: once for each step.

        `observe` shows the same until the next.
        """
        self._pull()
        seen = {name: self._observers[name]() for name in agents}
        if self._is_noisy:
            self._noted = copy.deepcopy(seen)
        return seen

    def observe(self, name: str) -> Any:
        """Return what an agent observes now, however often it is asked, without a change of the random stream."""
        self._pull()
        if not self._is_noisy:
            return self._observers[name]()
        if name not in self._noted:
            self._noted[name] = self._aside(self._observers[name])
        return copy.deepcopy(self._noted[name])

    def _seen_by(self, name: str) -> Any:
        return self.observe(name)

    def reward(self, name: str) -> float:
        """Return the reward of an agent in the last step."""
        self._pull()
        return self._f[self._offsets[keys.REWARD] + self.players[name].agent]

    def has_ended(self, name: str) -> bool:
        """Whether an agent's part ended in the last step: the episode's end, or its leaving."""
        self._pull()
        return self._s[self._offsets[keys.TERMINATED] + self.players[name].agent] == 1

    def is_cut_short(self, name: str) -> bool:
        """Whether a limit of steps ended an agent's part in the last step."""
        self._pull()
        return self._s[self._offsets[keys.CUT_SHORT] + self.players[name].agent] == 1

    def is_in(self, name: str) -> bool:
        """Whether an agent has not left the game: it takes part, or is away for some steps."""
        self._pull()
        at = self.players[name].agent
        return keys.OUT not in self._offsets or self._s[self._offsets[keys.OUT] + at] != 1

    @property
    def turn(self) -> str | None:
        """The agent whose turn it is under ``turns: alternate``; None where all act at once."""
        if self.program.turns != "alternate":
            return None
        self._pull()
        return self.program.agent_names[self._s[self._offsets[keys.TURN]]]

    @property
    def outcome(self) -> str | None:
        """The outcome of the episode, where it has ended with one."""
        self._pull()
        code = self._s[self._offsets[keys.OUTCOME]] if keys.OUTCOME in self._offsets else 0
        return self.program.outcomes[code - 1] if code else None

    def info(self, name: str, ended: bool = False, cut_short: bool = False) -> dict[str, Any]:
        """Return what the spec tells an agent beside its observation.

        Of the end of the agent's part: ``outcome``, ``is_success``, and ``result``, which is ``win``, ``loss`` or
        ``draw`` where the outcome is ``draw`` or ``AGENT_wins``; all of them empty, or False, before.
        """
        player = self.players[name]
        info: dict[str, Any] = {}
        for entry in player.info:
            value = self._entry(player, entry)
            info[entry.name] = unset_value(entry) if value is None else entry_value(entry, value)
        if keys.HIDDEN_REWARD in self._offsets:
            self._pull()
            info["hidden_reward"] = float(self._f[self._offsets[keys.HIDDEN_REWARD] + player.agent])
        if player.mask:
            info["action_mask"] = self.mask(name).astype(np.int8)
        over = ended or cut_short
        last = "truncated" if cut_short and not ended else "out"
        info.update(ending((self.outcome or last) if over else ""))
        info["result"] = self.result(name) if over else ""
        return info

    def _entry(self, player: Player, entry: InfoEntry) -> Any:
        """Return the value of an entry of an agent's info; None where it is not set."""
        self._pull()
        if entry.function:
            function = self._machine.functions[entry.function]
            return function(self._s, self._f, self._r, *player.arguments)
        if not self._s[self._offsets[entry.flag] + player.agent]:
            return None
        vector: list[Any] = self._f if entry.form == "real" else self._s
        return vector[self._offsets[entry.slot] + player.agent]

    def result(self, name: str) -> str:
        """Return ``win``, ``loss`` or ``draw``, where the outcome says who wins; empty where it does not."""
        return result_of(self.program, self.players[name], self.outcome or "")

    def mask(self, name: str) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return which actions an agent may take, ``(actions,)`` bool, groups one after the other."""
        player = self.players[name]
        size = sum(len(group.actions) for group in player.groups)
        if not player.mask:
            return np.ones(size, dtype=np.bool_)
        self._pull()
        out = [0] * size
        self._machine.functions[player.mask](self._s, self._f, self._r, *player.arguments, out)
        return np.array(out, dtype=np.bool_)

    def seed(self, stream: int) -> None:
        """Let the random stream go on from here; 64 bits. The next episode draws anew what is drawn once."""
        self._follows = False
        self._r[0] = stream

    def set_state(self, state: State) -> None:
        """Put the game into a state that `get_state` gave; the same future follows.

        Raises `ValueError` for a state of another spec or with impossible values, `TypeError` for what is no state.
        """
        super().set_state(state)
        self._noted, self._follows, self._is_set_up = {}, True, True

    # Pictures

    def render(self, values: Any = None, policy: Any = None) -> Any:
        """Return what the render mode says, as `BaseEnv.render` does; raise `ResetNeeded` before the first reset."""
        if not self._is_set_up:
            raise gym.error.ResetNeeded(NOTHING_TO_SEE)
        return super().render(values, policy)

    # Bad input

    def numbers(self, name: str, action: Any) -> list[int]:
        """Return the number of the action of each group; raises `ValueError` where it is no action of the agent."""
        groups = self.players[name].groups
        try:
            if groups[0].joystick and len(groups) == 1:
                stick = np.asarray(action, dtype=float)
                if stick.shape == (2,) and np.isfinite(stick).all():
                    return [snapped(groups[0], stick)]
                raise self._action_error(name, action)
            numbers = [operator.index(part) for part in np.atleast_1d(action).tolist()]
        except (TypeError, ValueError, OverflowError):
            raise self._action_error(name, action) from None
        if len(numbers) != len(groups) or any(
            not 0 <= number < len(group.actions) for number, group in zip(numbers, groups, strict=True)
        ):
            raise self._action_error(name, action)
        return numbers

    def _action_error(self, name: str, action: Any) -> ValueError:
        group = self.players[name].groups[0]
        names = ", ".join(f"{i} {a.name}" for i, a in enumerate(group.actions[:20]))
        return ValueError(
            f"{action!r} is no action of {name!r}: {self.action_spaces[name]}; actions: {names}"
        )

    def check_actions(self, actions: Any, agents: Sequence[str]) -> None:
        """Raise `ValueError` where a joint action lacks an agent that takes part, or names one that does not."""
        if not isinstance(actions, Mapping):
            raise Refused(f"a joint action is a dict with one action an agent, not {type(actions).__name__}")
        missing = [name for name in agents if name not in actions]
        if missing:
            raise Refused(
                f"the joint action has no action for {_named(missing)}; agents now: {_named(agents)}"
            )
        idle = [name for name in agents if actions[name] is None and self.turn in {None, name}]
        if idle:
            raise Refused(f"the joint action gives {_named(idle)} no action, but None")
        extra = [name for name in actions if name not in agents]
        if extra:
            gone = [name for name in extra if name in self.players]
            reason = "whose part has ended" if gone else "which is no agent here"
            raise Refused(
                f"the joint action names {_named(gone or extra)}, {reason}; agents now: {_named(agents)}"
            )

    # Copies

    def __getstate__(self) -> dict[str, Any]:
        seen = {name: self.observe(name) for name in self.players} if self._is_noisy else {}
        kept = {"compiled": self.compiled, "state": self.get_state(), "seen": seen}
        return kept | {"is_set_up": self._is_set_up}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        unpickled(kept, type(self), "state", "seen", "is_set_up")
        self.compiled, self.program = kept["compiled"], kept["compiled"].program
        self._prepare()
        state = kept["state"]
        if isinstance(state, tuple) and state[:2] == self.get_state()[:2]:
            self.seed(checked_stream(state[2]))  # before the first start, names are not chosen yet
        else:
            self.set_state(state)
        self._noted, self._is_set_up = kept["seen"], kept["is_set_up"]


def result_of(program: Program, player: Player, outcome: str) -> str:
    """Return ``win``, ``loss`` or ``draw``, where an outcome says who wins; empty where it does not."""
    if outcome == "draw":
        return "draw"
    winners = {name for name in (*program.agents, *program.agent_names) if outcome == f"{name}_wins"}
    if not winners:
        return ""
    return "win" if winners & {program.agents[player.agent], player.name} else "loss"


def _named(names: Sequence[Any]) -> str:
    return ", ".join(repr(name) for name in names) or "none"
