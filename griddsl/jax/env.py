"""`JaxEnv`: a spec for one agent as pure functions with Gymnax's interface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from griddsl.backends.jax.arrays import in_dtype
from griddsl.backends.jax.axes import varying
from griddsl.backends.jax.machine import Machine, Work
from griddsl.backends.jax.suitable import Unsuitable
from griddsl.compiler import AnySpec, compiled
from griddsl.compiling.cache import Compiled
from griddsl.diagnostics import Refused
from griddsl.envs.states import State as HostState
from griddsl.envs.states import checked
from griddsl.jax.checkpoints import tell_flax
from griddsl.jax.given import checked_level, checked_state, numbers_of, stream_of
from griddsl.jax.places import placed
from griddsl.jax.resets import begun
from griddsl.jax.seeing import Sight
from griddsl.jax.spaces import Makers
from griddsl.jax.state import Level, State
from griddsl.loading import resolve
from griddsl.program import keys
from griddsl.program.program import AGAIN, Program

Stepped: TypeAlias = tuple[Any, State, Any, Any, Any, dict[str, Any]]


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Params:
    """Parameters of an environment, as Gymnax has them: those of a spec are given when it is made."""

    max_steps_in_episode: int = 0


class Functions:
    """What environments of one and of several share: states from outside and back, levels, and how a reset is run."""

    compiled: Compiled
    program: Program

    def __init__(self, source: AnySpec, **params: Any) -> None:
        self.compiled = compiled(resolve(source), **params)
        self.program = self.compiled.program
        tell_flax()
        try:
            self.machine = Machine(self.program)
            self.sights = [Sight(self.machine, player) for player in self.program.players]
        except Unsuitable as error:
            raise placed(error, self.compiled.model) from None
        self._setup = jax.jit(self._reset, static_argnames=("level", "awaits"))
        self._size = (self.program.width, self.program.height)
        self._like = {slot.name: self.machine.like(slot) for slot in self.machine.saved}

    def __deepcopy__(self, memo: Any) -> Any:
        """Return the environment itself, of which nothing ever changes."""
        return self

    def __reduce__(self) -> tuple[type[Functions], tuple[Compiled]]:
        """Pickle the spec with its parameters, of which all else is made."""
        return type(self), (self.compiled,)

    @property
    def name(self) -> str:
        """The id of the environment."""
        return self.program.id

    @property
    def outcomes(self) -> tuple[str, ...]:
        """What the numbers in ``info["outcome"]`` mean: 0 while an episode goes on."""
        return ("", "truncated", *self.program.outcomes)

    def words(self, entry: str) -> tuple[str, ...]:
        """Return what the numbers of an entry of info mean, from 0 on; empty where they mean themselves."""
        found = {each.name: each.words if each.form == "words" else () for each in self.program.info}
        if entry not in found:
            raise Refused(
                f"{entry!r} is no entry of info of {self.name}; it has {', '.join(found) or 'none'}"
            )
        return found[entry]

    # States

    def from_state(self, state: HostState) -> State:
        """Return a state that ``get_state()`` of `griddsl.make` or of a parallel environment gave.

        All agents take part in it that are not out.
        Raises `ValueError` for a state of another spec or with impossible values, `TypeError` for what is no state.
        """
        integers, reals, counter = checked(self.program, state)
        if self.program.keeps_draw and not integers[self.program.layout.offsets[keys.DRAWN]]:
            raise Refused(
                f"nothing of {self.program.id} is drawn in this state: `reset` comes before `get_state`"
            )
        layout, values = self.program.layout, {}
        for slot in self.machine.saved:
            at = layout.offsets[slot.key]
            if slot.type == "real":
                bits = np.array(reals[at : at + slot.length], np.float64).view(np.uint32)
                values[slot.name] = jnp.asarray(bits.reshape(slot.length, 2))
            else:
                row = np.array(integers[at : at + slot.length], np.int64)
                values[slot.name] = jnp.asarray(row.astype(self.machine.dtype(slot)))
        pair = np.array([counter >> 32, counter & 0xFFFFFFFF], np.uint32)
        alive, out = self._all_in(), layout.offsets.get(keys.OUT)
        if out is not None:
            alive = np.array([integers[out + player.agent] != 1 for player in self.program.players])
        return State(values, jnp.asarray(pair), jnp.asarray(False), jnp.asarray(alive), self._size)

    def to_state(self, state: State) -> HostState:
        """Return a state as ``set_state()`` of `griddsl.make` and of parallel environments takes it.

        Raises `ValueError` for a batch, for a state of another environment and for one whose setup has failed,
        `TypeError` for what is no state and inside of `jit`.
        """
        if isinstance(state, State) and np.ndim(state.failed):
            raise Refused("this is a batch of states: take one of it, jax.tree.map(lambda x: x[i], state)")
        state = checked_state(self.program, self._like, state)
        if isinstance(state.stream, jax.core.Tracer):
            raise TypeError(
                "what this state holds is not known while it is traced: use `to_state` outside of `jit`"
            )
        if state.failed:
            raise Refused(
                "the setup of this episode found no place for something, so this is no state of the spec"
            )
        integers: list[int] = []
        reals: list[float] = []
        for slot in self.machine.saved:
            row = np.asarray(state.values[slot.name])
            if slot.type == "real":
                reals.extend(np.ascontiguousarray(row).view(np.float64).ravel().tolist())
            else:
                integers.extend(map(int, row.tolist()))
        high, low = np.asarray(state.stream).tolist()
        return tuple(integers), tuple(reals), high << 32 | low

    def level(self, name: str | None = None, key: jax.Array | None = None) -> Level:
        """Return an episode as it begins, as data: on the map of this name, or on one that the spec chooses.

        ``key`` draws what setup draws, `jax.random.key(0)` if there is none. Raises `ValueError` for a map that there
        is not.
        """
        if isinstance(name, jax.Array):
            raise TypeError("a key is given to `level` by its name: env.level(key=key)")
        key = jax.random.key(0) if key is None else key
        _, state = self._started(stream_of(key), level=name)
        return state.level

    def checked_level(self, level: Any, beside: str = "") -> Level:
        """Return a level of this environment; raise `ValueError` or `TypeError` for anything else.

        ``beside`` says in the error what would do too.
        """
        return checked_level(self.program, self._like, level, beside)

    def _all_in(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        return np.ones(len(self.program.players), np.bool_)

    def _level_number(self, name: str | None) -> int:
        levels = self.program.levels
        if name is None:
            return -1
        if isinstance(name, str) and name in levels:
            return levels.index(name)
        known = ", ".join(repr(level) for level in levels if level)
        if not known:
            raise Refused(f"there is no level {name!r}: the map of {self.program.id} has no name")
        raise Refused(
            f"there is no level {name!r} of this size here; levels: {known}. A level of another size is chosen when "
            f"the environment is made: griddsl.jax.make({self.program.id!r}, level={name!r})"
        )

    def _started(self, stream: jax.Array, level: Any = None) -> tuple[Any, State]:
        """Start an episode; ``level`` is a name, or data."""
        given, number = None, -1
        if level is None or isinstance(level, str):
            number = self._level_number(level)
        else:
            given = self.checked_level(level, " or its name,")
        observation, state = self._resetting(stream, given, level=number, awaits=given is None)
        if not isinstance(state.failed, jax.core.Tracer) and bool(state.failed):
            if given is not None:
                raise Refused(
                    "the setup that made this level found no place for something: its `failed` is True"
                )
            raise Refused(
                f"the setup of {self.program.id} finds no place for something with this key; "
                "`griddsl.make(...).reset()` shows where, and under `jit` the state says so in `failed`"
            )
        return observation, state

    def _resetting(
        self, stream: jax.Array, given: Level | None, level: int, awaits: bool
    ) -> tuple[Any, State]:
        """Start an episode; in a reset, in a step and in a batch of steps JAX is asked alike, and so traces it once."""
        with jax.enable_x64(True):
            found: tuple[Any, State] = self._setup(stream, given, level=level, awaits=awaits)
            return found

    def _reset(self, stream: jax.Array, given: Level | None, level: int, awaits: bool) -> tuple[Any, State]:
        work = self.machine.work(None if given is None else given.values, stream)
        if given is None or level == AGAIN:
            self.machine.reset(work, level)
        elif given.failed is not None:
            work.walk.failed = given.failed
        alive = jnp.asarray(self._all_in())
        if awaits:
            alive = self._awaited(work, alive)
        observation = self._observed(work, alive)
        return varying((observation, self._state(work, alive)))

    def _awaited(self, work: Work, alive: jax.Array) -> Any:
        """Let those play first that play by themselves; return who takes part."""
        return alive

    def _observed(self, work: Work, alive: jax.Array) -> Any:
        raise NotImplementedError

    def _state(self, work: Work, alive: jax.Array) -> State:
        return State(self.machine.values(work), self.machine.counter(work), work.failed, alive, self._size)

    def _work(self, state: State) -> Work:
        work = self.machine.work(state.values, state.stream)
        work.walk.failed = state.failed
        return work

    def _begun(self, over: jax.Array, after: State, observed: Any) -> tuple[Any, State]:
        """Return what is seen and the state once an episode that is over has made room for the next.

        ``observed`` is what was seen in ``after``.
        """

        def begin(given: Any) -> Any:
            stream, kept = given
            return self._resetting(stream, kept, level=self.program.next_level, awaits=True)

        given = (after.stream, after.level if self.program.keeps_draw else None)
        found: tuple[Any, State] = begun(over, given, (observed, after), begin)
        return found

    def _outcome(self, work: Work) -> jax.Array:
        """Return the number of the outcome that an end has."""
        if not self.machine.has(keys.OUTCOME):
            return jnp.asarray(1, np.int32)
        return lax.convert_element_type(self.machine.slot(work, keys.OUTCOME), np.int32) + np.int32(1)


class JaxEnv(Functions):
    """A spec for one agent as pure functions of arrays, with Gymnax's interface; no state is kept in it.

    `reset`, `step`, `reset_env` and `step_env` may be given to `jax.jit`, `jax.vmap` and `jax.lax.scan`. A ``key``
    is the random stream from there on; without one, the stream of the state goes on, and the episode is that of
    `griddsl.make`, bit for bit. Raises `SpecError` where the spec has errors, and `ValueError` where it has several
    agents or cannot be a function of arrays, with the reason.
    """

    def __init__(self, source: AnySpec, **params: Any) -> None:
        super().__init__(source, **params)
        if len(self.program.players) > 1:
            raise Refused(f"{self.program.id} is played by several: use griddsl.jax.make_parallel(source)")
        self.player = self.program.players[0]
        self._stepping = jax.jit(self._step, static_argnames=("wide", "resets"))
        self._masking = jax.jit(self._mask)

    # Gymnax's interface

    @property
    def default_params(self) -> Params:
        """What Gymnax's wrappers pass on: the limit of steps, 0 for none. It changes nothing."""
        return Params(self.program.limit or 0)

    @property
    def num_actions(self) -> int:
        """How many actions there are, in all groups."""
        return self.sights[0].actions

    def observation_space(self, params: Any = None) -> Any:
        """Return the space of observations: Gymnax's where Gymnax is imported, else one of `griddsl.jax.spaces`."""
        makers, program = Makers("gymnax"), self.program
        whole = makers.observation(self.player.observation)
        if not program.goal:
            return whole
        goals = {f"{name}_goal": makers.leaf(program.goal[name]) for name in ("achieved", "desired")}
        return makers.dict({"observation": whole, **goals})

    def action_space(self, params: Any = None) -> Any:
        """Return the space of actions, of the same kinds."""
        return Makers("gymnax").actions(self.player)

    def reset(self, key: jax.Array, params: Any = None, *, level: Any = None) -> tuple[Any, State]:
        """Start an episode with the key as its stream; return ``(observation, state)``.

        ``level`` is the name of a map, or a `Level`: then nothing is drawn and the episode begins with that.
        Raises `TypeError` for what is no key, and `ValueError` for a level that is not one of this environment, or
        where setup finds no place for something; under `jit` ``state.failed`` is True then.
        """
        return self._started(stream_of(key), level)

    reset_env = reset

    def step(self, key: jax.Array | None, state: State, action: Any, params: Any = None) -> Stepped:
        """Carry out a step, and start the next episode where this one is over.

        Returns ``observation, state, reward, terminated, truncated, info``: the reward is float32 (float64 with x64),
        both ends are bool. Where an episode is over, observation, state and ``info["action_mask"]`` are those of the
        next one, everything else is of the one that ended, with its last observation as ``info["final_observation"]``.
        """
        found: Stepped = self._stepped(key, state, action, True)
        return found

    def step_env(self, key: jax.Array | None, state: State, action: Any, params: Any = None) -> Stepped:
        """Carry out a step, as `step` does, and stay in the last state of an episode that is over."""
        found: Stepped = self._stepped(key, state, action, False)
        return found

    def action_mask(self, state: State) -> jax.Array:
        """Return which actions are allowed in a state, ``(actions,)`` bool, groups one after the other."""
        return self._masking(checked_state(self.program, self._like, state))

    # What is traced

    def _stepped(self, key: jax.Array | None, state: State, action: Any, resets: bool) -> Any:
        state = checked_state(self.program, self._like, state)
        stream = state.stream if key is None else stream_of(key)
        numbers = numbers_of(self.player, action)
        wide = bool(jax.config.read("jax_enable_x64"))
        return self._stepping(stream, state, numbers, wide=wide, resets=resets)

    def _step(self, stream: jax.Array, state: State, numbers: Any, wide: bool, resets: bool) -> Any:
        with jax.enable_x64(True):
            machine, sight = self.machine, self.sights[0]
            work = machine.work(state.values, stream)
            work.walk.failed = state.failed
            row = [numbers[k] for k in range(len(self.player.groups))]
            gained, terminated, truncated = machine.step(work, row)
            reward = in_dtype(gained, np.float64 if wide else np.float32)
            over = jnp.logical_or(terminated, truncated)
            final = self._observed(work, state.alive)
            info = sight.told(work, wide)
            info["outcome"] = jnp.where(over, self._outcome(work), np.int32(0))
            success = self.outcomes.index("success") if "success" in self.outcomes else -1
            info["is_success"] = info["outcome"] == np.int32(success)
            info["terminated"], info["truncated"] = terminated, truncated
            info["final_observation"] = final
            after = self._state(work, state.alive)
            observation = final
            if resets:
                observation, after = self._begun(over, after, final)
            if self.player.mask:
                info["action_mask"] = sight.mask(self._work(after))
            info["failed"] = after.failed
            return varying((observation, after, reward, terminated, truncated, info))

    def _observed(self, work: Work, alive: jax.Array) -> Any:
        return self.sights[0].observe(work)

    def _mask(self, state: State) -> jax.Array:
        with jax.enable_x64(True):
            return self.sights[0].mask(self._work(state))


def make(source: AnySpec, **params: Any) -> JaxEnv:
    """Return the environment of a spec for one agent: a path, a text, a registered id, or a `GridSpec`.

    ``params`` are the spec's parameters, and ``level``. Raises `SpecError` where the spec has errors, and `ValueError`
    where it cannot be a function of arrays.
    """
    return JaxEnv(source, **params)
