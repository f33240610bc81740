"""`JaxParallelEnv`: a spec for several agents as pure functions with JaxMARL's interface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from griddsl.backends.jax import axes
from griddsl.backends.jax.arrays import in_dtype
from griddsl.backends.jax.axes import varying
from griddsl.backends.jax.machine import Work
from griddsl.compiler import AnySpec
from griddsl.diagnostics import Refused
from griddsl.envs.joint.by_agent import ByAgent
from griddsl.jax.env import Functions
from griddsl.jax.given import checked_state, numbers_of, stream_of
from griddsl.jax.spaces import Makers
from griddsl.jax.state import State
from griddsl.program import keys
from griddsl.program.observing import draws

JointlyStepped: TypeAlias = tuple[dict[str, Any], State, dict[str, Any], dict[str, Any], dict[str, Any]]


class JaxParallelEnv(Functions):
    """A spec for several agents as pure functions of arrays, with JaxMARL's interface: dicts by agent.

    An agent whose part has ended gets rewards of 0 and stays done until all are; its actions count for nothing.
    Keys and streams are as in `JaxEnv`. Raises `SpecError` where the spec has errors, and `ValueError` where a single
    agent plays it or it cannot be a function of arrays.
    """

    def __init__(self, source: AnySpec, **params: Any) -> None:
        super().__init__(source, **params)
        players = self.program.players
        if len(players) == 1:
            raise Refused(f"{self.program.id} is played by one agent: use griddsl.jax.make(source)")
        self.agents = [player.name for player in players]
        self.num_agents = len(players)
        self._places = dict(zip(self.agents, range(self.num_agents), strict=True))
        self._rows = np.full(len(self.program.agents), -1, np.int32)  # of those that play by themselves
        self._rows[[player.agent for player in self.program.players]] = np.arange(self.num_agents)
        length = self.machine.slots[keys.CHOICE].length
        self._width = length // len(self.program.agents)
        self._noisy = [
            any(leaf.function and draws(self.program, leaf.function) for leaf in player.observation.leaves)
            for player in players
        ]
        self._stepping = jax.jit(self._step, static_argnames=("wide", "resets"))
        self._masking = jax.jit(self._masks)
        self._looking = jax.jit(self._looked)

    # JaxMARL's interface

    @property
    def observation_spaces(self) -> dict[str, Any]:
        """The space of what each agent observes."""
        makers = Makers("jaxmarl")
        return ByAgent(
            {player.name: makers.observation(player.observation) for player in self.program.players}
        )

    @property
    def action_spaces(self) -> dict[str, Any]:
        """The space of each agent's actions."""
        makers = Makers("jaxmarl")
        return ByAgent({player.name: makers.actions(player) for player in self.program.players})

    def observation_space(self, agent: str) -> Any:
        """Return the space of what an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    @property
    def agent_classes(self) -> dict[str, list[str]]:
        """The agents of each kind."""
        found: dict[str, list[str]] = {}
        for player in self.program.players:
            found.setdefault(self.program.agents[player.agent], []).append(player.name)
        return found

    def reset(self, key: jax.Array, *, level: Any = None) -> tuple[dict[str, Any], State]:
        """Start an episode with the key as its stream; return ``(observations, state)``. ``level`` as in `JaxEnv`."""
        observations, state = self._started(stream_of(key), level)
        return observations, state

    def step(
        self,
        key: jax.Array | None,
        state: State,
        actions: Mapping[str, Any],
        reset_state: State | None = None,
    ) -> JointlyStepped:
        """Carry out a joint step, and start the next episode where this one is over for all.

        Returns ``observations, state, rewards, dones, infos``: rewards float32 (float64 with x64) and dones bool by
        agent, ``dones["__all__"]`` for all. ``infos`` has an array with an entry for each agent under each of its
        names, and ``final_observation`` by agent. Where an episode is over, the next one begins with
        ``reset_state`` if that is given.
        """
        found: JointlyStepped = self._stepped(key, state, actions, True, reset_state)
        return found

    def step_env(self, key: jax.Array | None, state: State, actions: Mapping[str, Any]) -> JointlyStepped:
        """Carry out a joint step, as `step` does, and stay in the last state of an episode that is over."""
        found: JointlyStepped = self._stepped(key, state, actions, False, None)
        return found

    def get_obs(self, state: State) -> dict[str, Any]:
        """Return what all observe in a state; noise is drawn from its stream, which the state keeps."""
        found: dict[str, Any] = self._looking(checked_state(self.program, self._like, state))
        return found

    def get_avail_actions(self, state: State) -> dict[str, Any]:
        """Return which actions each agent may take, ``(actions,)`` bool by agent."""
        found: dict[str, Any] = self._masking(checked_state(self.program, self._like, state))
        return found

    # What is traced

    def _stepped(
        self, key: jax.Array | None, state: State, actions: Any, resets: bool, reset_state: State | None
    ) -> Any:
        state = checked_state(self.program, self._like, state)
        if reset_state is not None:
            reset_state = checked_state(self.program, self._like, reset_state)
        if not isinstance(actions, Mapping):
            raise TypeError(
                f"a joint action is a dict with one action an agent, not {type(actions).__name__}"
            )
        wrong = sorted(set(actions) ^ set(self.agents))
        if wrong:
            raise Refused(f"a joint action has one action for each of {self.agents}; look at {wrong}")
        choices = jnp.full((len(self.program.agents), self._width), -1, np.int32)
        for player in self.program.players:
            row = numbers_of(player, actions[player.name])
            choices = choices.at[player.agent, : len(player.groups)].set(row)
        stream = state.stream if key is None else stream_of(key)
        wide = bool(jax.config.read("jax_enable_x64"))
        return self._stepping(stream, state, choices, reset_state, wide=wide, resets=resets)

    def _step(
        self,
        stream: jax.Array,
        state: State,
        choices: Any,
        reset_state: State | None,
        wide: bool,
        resets: bool,
    ) -> Any:
        with jax.enable_x64(True):
            machine, real = self.machine, np.float64 if wide else np.float32
            work = machine.work(state.values, stream)
            work.walk.failed = state.failed
            count = self.num_agents
            numbers = np.array([player.agent for player in self.program.players])
            taking = jnp.zeros(len(self.program.agents), np.bool_).at[numbers].set(state.alive)
            machine.joint_step(work, jnp.where(taking[:, None], choices, -1))
            nothing = (jnp.zeros(count, np.float64), jnp.zeros(count, np.bool_), jnp.zeros(count, np.bool_))
            gathered = self._gathered(work, nothing, state.alive)
            rewards, ended, cut, alive = self._played_on(work, *gathered)
            over = jnp.logical_not(alive.any())
            final = self._observed(work, state.alive)
            done = jnp.logical_not(alive)
            infos = self._told(work, jnp.logical_and(state.alive, done), ended, wide)
            infos["terminated"], infos["truncated"] = ended, cut
            infos["final_observation"] = final
            after, observations = self._state(work, alive), final
            if resets and reset_state is None:
                observations, after = self._begun(over, after, final)
            elif resets:
                after = jax.tree.map(lambda new, old: jnp.where(over, new, old), reset_state, after)
                observations = self._observed(self._work(after), after.alive)
            if self.program.turns == "alternate":
                turn = after.values[machine.slots[keys.TURN].name][0]
                infos["turn"] = jnp.broadcast_to(jnp.asarray(self._rows)[turn], (count,))
            infos["failed"] = jnp.broadcast_to(after.failed, (count,))
            given = {name: in_dtype(rewards[k], real) for name, k in self._places.items()}
            dones = {name: done[k] for name, k in self._places.items()}
            return varying((observations, after, given, {**dones, "__all__": over}, infos))

    def _gathered(self, work: Work, before: Any, alive: jax.Array) -> Any:
        """Return rewards, ends, cuts and who takes part after a step, on top of those before it."""
        rewards, ended, cut = before
        numbers = np.array([player.agent for player in self.program.players])

        def of(key: str) -> Any:
            slot = self.machine.slots[key]
            return jnp.reshape(work.walk.whole_array(slot.name), -1)[numbers]

        rewards = jnp.where(alive, rewards + of(keys.REWARD), rewards)
        ended = jnp.where(alive, of(keys.TERMINATED) == 1, ended)
        cut = jnp.where(alive, of(keys.CUT_SHORT) == 1, cut)
        return rewards, ended, cut, alive & ~(ended | cut)

    def _played_on(self, work: Work, rewards: Any, ended: jax.Array, cut: Any, alive: jax.Array) -> Any:
        """Let those take their turns that play by themselves, until it is that of another or all is over."""
        if self.program.turns != "alternate":
            return rewards, ended, cut, alive
        learners = np.zeros(len(self.program.agents), np.bool_)
        learners[[player.agent for player in self.program.players]] = True
        if learners.all():
            return rewards, ended, cut, alive
        machine, walk = self.machine, work.walk
        nobody = jnp.full((len(self.program.agents), self._width), -1, np.int32)

        def waits(kept: Any) -> Any:
            values, _, failed, (_, _, _, alive), _ = kept
            turn = values[machine.slots[keys.TURN].name][0]
            return alive.any() & ~failed & ~jnp.asarray(learners)[turn]

        def once(kept: Any) -> Any:
            values, pair, failed, (rewards, ended, cut, alive), told = kept
            inner = machine.work(values, pair)
            inner.walk.arrays.update(told)
            inner.walk.failed = failed
            machine.joint_step(inner, nobody)
            return kept_of(inner, self._gathered(inner, (rewards, ended, cut), alive))

        def kept_of(work: Work, found: Any) -> Any:
            told = {name: work.walk.whole_array(name) for name in names}
            return machine.values(work), machine.counter(work), work.failed, found, told

        names = self._names_told()
        start = kept_of(work, (rewards, ended, cut, alive))
        values, pair, failed, found, told = axes.while_loop(waits, once, start)
        later = machine.work(values, pair)
        walk.arrays.update(later.walk.arrays)
        walk.arrays.update(told)
        walk.counter, walk.failed = later.walk.counter, failed
        return found

    def _names_told(self) -> list[str]:
        """Return the slots that infos are read from and no state keeps: they go from turn to turn of a step."""
        entries = [entry for player in self.program.players for entry in player.info]
        asked = [
            keys.OUTCOME,
            keys.HIDDEN_REWARD,
            *(key for entry in entries for key in (entry.slot, entry.flag)),
        ]
        found = [self.machine.slots[key] for key in dict.fromkeys(asked) if key in self.machine.slots]
        return [slot.name for slot in found if not slot.saved]

    def _awaited(self, work: Work, alive: jax.Array) -> Any:
        count = self.num_agents
        none = (jnp.zeros(count, np.float64), jnp.zeros(count, np.bool_), jnp.zeros(count, np.bool_))
        return self._played_on(work, *none, alive)[3]

    def _observed(self, work: Work, alive: jax.Array) -> dict[str, Any]:
        """Return what each observes; noise is drawn for those that take part, one after the other."""
        seen: dict[str, Any] = {}
        for k, (player, sight) in enumerate(zip(self.program.players, self.sights, strict=True)):
            before = work.walk.counter
            seen[player.name] = sight.observe(work)
            if self._noisy[k]:
                work.walk.counter = jnp.where(alive[k], work.walk.counter, before)
        return seen

    def _told(self, work: Work, over: jax.Array, ended: jax.Array, wide: bool) -> dict[str, Any]:
        """Return infos: an array with an entry for each agent under each name."""
        each = [sight.told(work, wide) for sight in self.sights]
        names = dict.fromkeys(name for told in each for name in told)
        infos = {
            name: jnp.stack(
                [told.get(name, jnp.zeros_like(next(t[name] for t in each if name in t))) for told in each]
            )
            for name in names
        }
        code = self._outcome(work)
        # Who leaves while the others go on has no outcome: its part is over, which is told as -1, or cut short.
        last = jnp.where(code > 1, code, jnp.where(ended, np.int32(-1), np.int32(1)))
        infos["outcome"] = jnp.where(over, last, np.int32(0))
        success = self.outcomes.index("success") if "success" in self.outcomes else -2
        infos["is_success"] = infos["outcome"] == np.int32(success)
        return infos

    def _masks(self, state: State) -> dict[str, Any]:
        with jax.enable_x64(True):
            work = self._work(state)
            return {name: self.sights[k].mask(work) for name, k in self._places.items()}

    def _looked(self, state: State) -> dict[str, Any]:
        with jax.enable_x64(True):
            return self._observed(self._work(state), state.alive)


def make_parallel(source: AnySpec, **params: Any) -> JaxParallelEnv:
    """Return the environment of a spec for several agents; sources, ``params`` and errors are those of `make`."""
    return JaxParallelEnv(source, **params)
