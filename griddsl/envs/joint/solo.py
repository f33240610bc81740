"""`SoloEnv`: one learner in a game of several, the others played by policies that Python gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import gymnasium as gym
import numpy as np

from griddsl.diagnostics import Refused, with_keywords
from griddsl.diagnostics.suggest import near
from griddsl.envs.asking import asked, chosen
from griddsl.envs.base_env import RENDERING
from griddsl.envs.joint.game import Game
from griddsl.envs.joint.told import Told
from griddsl.envs.keyboard import Key, keys_to_action
from griddsl.envs.recreation import Recreatable
from griddsl.envs.seeding import new_stream
from griddsl.envs.states import State

if TYPE_CHECKING:
    from griddsl.spec.models import GridSpec

# A policy is given what its agent observes, and returns an action; "random" draws among those that are allowed.
Policy = Callable[[Any], Any]

# A state of the game, the generator that draws for the policies as whole numbers, and the reward and the hidden reward
# that turns before the learner's first one brought.
SoloState: TypeAlias = tuple[State, tuple[int, ...], tuple[float, float]]


class SoloEnv(Recreatable, gym.Env[Any, Any]):
    """A game of several as an environment for the one agent that no policy plays.

    Under ``turns: alternate`` a step is its turn and those of the others up to its next one: rewards and hidden rewards
    are added up over them, those of turns before its first one too, and infos tell what a rule told in any of them.

    ``policies`` gives the others: by name (``hunter_0``) or by kind (``hunter``), a function of the observation, or of
    it and the mask, an object with Stable-Baselines3's ``predict``, or ``"random"``. Raises
    `ValueError` where not exactly one is left, and `TypeError` for what is no policy.
    """

    metadata: dict[str, Any] = RENDERING

    @with_keywords
    def __init__(
        self,
        source: Any,
        policies: Mapping[str, Policy | str],
        *,
        render_mode: str | None = None,
        **params: Any,
    ) -> None:
        if not isinstance(policies, Mapping):
            raise TypeError(f"policies is a dict of policies by agent, not {type(policies).__name__}")
        self.game = Game(source, **params)
        self.game.check_render_mode(render_mode)
        self.render_mode = self.game.render_mode = render_mode
        kinds = {player.name: self.program.agents[player.agent] for player in self.program.players}
        unknown = [name for name in policies if name not in {*kinds, *kinds.values()}]
        if unknown:
            raise Refused(f"there is no agent {unknown[0]!r} to give a policy to; agents: {', '.join(kinds)}")
        for name, policy in policies.items():
            _check_policy(name, policy)
        self.policies = {
            name: policies.get(name, policies.get(kind))
            for name, kind in kinds.items()
            if {name, kind} & {*policies}
        }
        self._answers = {
            name: asked(policy, partial(self.game.mask, name))
            for name, policy in self.policies.items()
            if policy != "random"
        }
        left = [name for name in kinds if name not in self.policies]
        if len(left) != 1:
            names = ", ".join(left) or "none"
            raise Refused(f"an environment for one has one agent without a policy; here are left: {names}")
        self.agent = left[0]
        self.observation_space = self.game.observation_spaces[self.agent]
        self.action_space = self.game.action_spaces[self.agent]
        self._told = Told(self.game, self.agent)
        self._info: dict[str, Any] = {}
        self._owed = 0.0, 0.0
        self._seeded = False
        self._over = True

    @property
    def spec_model(self) -> GridSpec:
        """The model of the spec."""
        return self.game.spec_model

    @property
    def program(self) -> Any:
        """The program that is played."""
        return self.game.program

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode; where others have the first turns, they take them."""
        super().reset(seed=seed)
        if seed is not None or not self._seeded:
            self.game.seed(new_stream(self.np_random))
            self._seeded = True
        self.game.start(options)
        self._over = False
        self._look(list(self.game.players))
        self._told.clear()
        self._info = self.game.info(self.agent)
        # No reward goes with a reset: what the first turns of others bring is a part of the first step's.
        self._owed = self._until_my_turn(), self._info.get("hidden_reward", 0.0)
        return self._seen(), {
            name: 0.0 if name == "hidden_reward" else value for name, value in self._info.items()
        }

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry out a joint step: this action, and what the policies choose."""
        if self._over:
            raise gym.error.ResetNeeded("call reset() before step()")
        self.game.numbers(self.agent, action)
        owed, hidden = self._owed
        self._owed = 0.0, 0.0
        self._told.clear(hidden)
        reward = owed + self._joint(action)
        if not self._over:
            reward += self._until_my_turn()
        ended, cut = self.game.has_ended(self.agent), self.game.is_cut_short(self.agent)
        if self.render_mode == "human":
            self.render()
        return self._seen(), reward, ended, cut, self._info

    def _joint(self, action: Any) -> float:
        game = self.game
        turn = game.turn
        actions = {
            name: self._chosen(name, policy)
            for name, policy in self.policies.items()
            if game.is_in(name) and turn in {None, name}
        }
        if action is not None:
            actions[self.agent] = action
        playing = [name for name in game.players if game.is_in(name)]
        game.act(actions)
        self._look(playing)
        ended, cut = game.has_ended(self.agent), game.is_cut_short(self.agent)
        self._over = ended or cut
        self._info = self._told.gathered(game.info(self.agent, ended, cut))
        return game.reward(self.agent)

    def _look(self, agents: list[str]) -> None:
        """Draw the noise of what agents see, where there is any, as an environment for all of them does."""
        if self.game._is_noisy:
            self.game.see(agents)

    def _until_my_turn(self) -> float:
        """Let the others take their turns until it is the learner's; return the reward of these steps."""
        reward = 0.0
        while self.game.turn not in {None, self.agent} and not self._over:
            reward += self._joint(None)
        return reward

    def _chosen(self, name: str, policy: Any) -> Any:
        if policy == "random":
            return self._random(name)
        answer = self._answers[name](self.game.observe(name))
        return chosen(answer, self.game.action_spaces[name], self.np_random, f"the policy of {name!r}")

    def _random(self, name: str) -> Any:
        """Draw an action for each group with equal chances among those that are allowed."""
        mask, numbers = self.game.mask(name), []
        for group in self.game.players[name].groups:
            allowed = np.flatnonzero(mask[: len(group.actions)])
            mask = mask[len(group.actions) :]
            numbers.append(int(self.np_random.choice(allowed)) if len(allowed) else 0)
        if self.game.players[name].groups[0].joystick:
            return self.game.action_spaces[name].sample()
        return numbers if len(numbers) > 1 else numbers[0]

    def _seen(self) -> Any:
        seen = self.game.observe(self.agent)
        return int(seen) if isinstance(seen, np.integer) else seen

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return which actions the learner may take now, ``(actions,)`` bool."""
        return self.game.mask(self.agent)

    def get_keys_to_action(self) -> dict[tuple[Key, ...], Any]:
        """Return which keys play which action of the learner, as ``gymnasium.utils.play`` takes them."""
        return keys_to_action(self.game.players[self.agent].groups)

    def get_state(self) -> SoloState:
        """Return the whole state, of the game and of what draws for the policies: hashable, picklable, comparable."""
        return self.game.get_state(), _stream_of(self.np_random), self._owed

    def set_state(self, state: SoloState) -> None:
        """Go into a state that `get_state` gave; the same future follows, where the policies answer the same.

        Raises `ValueError` for a state of another spec or with impossible values, `TypeError` for what is no state.
        """
        if not isinstance(state, tuple) or len(state) != 3 or not _are_rewards(state[2]):
            raise TypeError(
                f"a state here is what `get_state` gives, (the game's, the policies', rewards owed), not {state!r:.60}"
            )
        stream = _of_stream(self.np_random, state[1])
        self.game.set_state(state[0])
        self.np_random.bit_generator.state = stream
        self._seeded, self._over, self._owed = True, not self.game.is_in(self.agent), state[2]

    def mission(self) -> str:
        """Return the task of this episode in words; empty where the spec has no ``mission``."""
        return self.game.mission()

    def scene(self) -> Any:
        """Return the present state as a `griddsl.render.scene.Scene`."""
        return self.game.scene()

    def render(self) -> Any:
        """Return what the render mode says."""
        return self.game.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self.game.close()


def _are_rewards(given: Any) -> bool:
    return isinstance(given, tuple) and [type(each) for each in given] == [float, float]


def _stream_of(generator: np.random.Generator) -> tuple[int, ...]:
    """Return the state of a generator as whole numbers."""
    kept: Any = generator.bit_generator.state
    return (*map(int, kept["state"].values()), int(kept["has_uint32"]), int(kept["uinteger"]))


def _of_stream(generator: np.random.Generator, stream: Any) -> dict[str, Any]:
    """Return the state of such a generator that `_stream_of` told; raise `TypeError` where it is none."""
    kept: Any = generator.bit_generator.state
    names = list(kept["state"])
    if (
        not isinstance(stream, tuple)
        or len(stream) != len(names) + 2
        or {type(word) for word in stream} != {int}
    ):
        raise TypeError(f"the second part of a state are {len(names) + 2} whole numbers, not {stream!r:.60}")
    *words, has_half, half = stream
    return {**kept, "state": dict(zip(names, words, strict=True)), "has_uint32": has_half, "uinteger": half}


def _check_policy(name: str, policy: Any) -> None:
    """Raise `TypeError` where an agent is given what cannot choose for it, before an episode starts."""
    if isinstance(policy, str) and policy != "random":
        known = (
            "Did you mean 'random'?" if near(policy, ["random"]) else "The only one with a name is 'random'."
        )
        raise TypeError(f"there is no policy {policy!r}, for {name!r}. {known}")
    if not isinstance(policy, str) and not callable(policy) and not hasattr(policy, "predict"):
        raise TypeError(
            f"{policy!r} is no policy for {name!r}: 'random', a function of the observation, or an object with predict"
        )
