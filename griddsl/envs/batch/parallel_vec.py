"""`GridParallelVectorEnv`: many games of several at once, with arrays of games and agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import gymnasium as gym
import numpy as np

from griddsl.backends.choice import choose_joint
from griddsl.backends.joint import Array, JointProgram
from griddsl.compiler import AnySpec
from griddsl.diagnostics import with_keywords
from griddsl.envs.batch.autoreset import Mode, reset_mask
from griddsl.envs.batch.lazy_infos import LazyInfos
from griddsl.envs.joint.game import Game, new_stream, seeded, seeds_of
from griddsl.envs.states import unpickled
from griddsl.program.runtime import SetupFailure

if TYPE_CHECKING:
    from griddsl.spec.models import GridSpec


class GridParallelVectorEnv:
    """A batch of games: game ``i`` of a batch seeded ``s`` is the `GridParallelEnv` seeded ``s + i``, bit for bit.

    What agents observe, do and get comes as arrays: ``(num_envs, agents, ...)``, the agents in the order of
    ``possible_agents``. Where kinds of agent observe or act differently, observations and actions are dicts of such
    arrays by the name of the kind.

    ``autoreset_mode`` says when a game starts anew that is over, as Gymnasium's batches do: with ``NEXT_STEP`` in the
    next step, whose actions it ignores (rewards 0, no flags); with ``SAME_STEP`` at once, and what was seen and told
    last is in the infos; with ``DISABLED`` when it is reset. ``backend`` is ``auto``, ``python`` or ``native``, and
    ``num_threads`` divides a native batch among threads, with the same results for any number of them.
    """

    metadata: Mapping[str, Any] = {"autoreset_mode": Mode.NEXT_STEP}

    @with_keywords
    def __init__(
        self,
        source: AnySpec,
        num_envs: int = 1,
        *,
        backend: str = "auto",
        autoreset_mode: str | gym.vector.AutoresetMode = Mode.NEXT_STEP,
        num_threads: int = 1,
        **params: Any,
    ) -> None:
        self.autoreset_mode = Mode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode}
        if num_envs < 1 or num_threads < 1:
            raise ValueError("a batch has at least one game, and at least one thread")
        self._viewer = Game(source, **params)
        self.program = self._viewer.program
        if len(self.program.players) < 2:
            raise ValueError(
                f"{self.program.id} is played by one agent: use griddsl.make_vec(source, num_envs)"
            )
        joint = JointProgram(self.program)
        reason = joint.refusal()
        if reason is not None:
            raise ValueError(f"{self.program.id} cannot be played in batches: {reason}")
        self.num_envs = num_envs
        self._settings = {
            "backend": backend,
            "autoreset_mode": self.autoreset_mode,
            "num_threads": num_threads,
        }
        self.possible_agents = list(self._viewer.players)
        self.observation_spaces = self._viewer.observation_spaces
        self.action_spaces = self._viewer.action_spaces
        self._joint = joint
        self._batch, self.backend = choose_joint(joint, num_envs, backend, num_threads)
        self._batch.actions[:] = 0  # what is beyond an agent's own groups is no action
        self._most = np.tile(np.maximum(joint.counts, 1).astype(np.uint64), (num_envs, 1, 1))
        self._fewest = int(self._most.min())
        self._numbers = self._batch.actions.view(np.uint64).reshape(-1)
        rows = {player.name: row for row, player in enumerate(joint.players)}
        self._rows = [[rows[player.name] for player in party.players] for party in joint.parties]
        self._shown, self._told = self._written()
        self._outcomes = np.array(["", *self.program.outcomes], dtype=object)
        self._ready = False
        self._np_random: np.random.Generator | None = None

    @property
    def spec_model(self) -> GridSpec:
        """The validated model of the spec, with its parameters bound."""
        return self._viewer.spec_model

    @property
    def num_agents(self) -> int:
        """The number of agents of each game."""
        return len(self.possible_agents)

    # Playing

    def reset(
        self,
        seed: int | Sequence[int | None] | Array | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Start games: seeded ``seed + i``, or by a list; without a seed the streams go on.

        ``options`` may hold ``level``, a name, and ``reset_mask``, ``(num_envs,)`` bool: the other games go on, and
        what is seen of them is returned as it is. Raises `SpecError` where setup finds no place for what it puts.
        """
        which = reset_mask(options, self.num_envs, self._ready)
        level = self._viewer.level_number(options)
        if seed is not None or not self._ready:
            self._seed(seed, which)
        try:
            self._batch.begin(which, level)
        except SetupFailure as failure:
            raise self._viewer.setup_error(failure) from None
        self._ready = True
        return self._observation(), self._infos()

    def _seed(self, seed: int | Sequence[int | None] | Array | None, which: Array) -> None:
        seeds = seeds_of(seed, self.num_envs, "games")
        if seed is not None and not np.iterable(seed):
            self._np_random = seeded(seeds[0])
        for i in np.flatnonzero(which).tolist():
            generator = self.np_random if seeds[i] is None else seeded(seeds[i])
            self._batch.stream[i] = new_stream(generator)

    @property
    def np_random(self) -> np.random.Generator:
        """The generator that seeds the games which no seed is given for."""
        if self._np_random is None:
            self._np_random = seeded(None)
        return self._np_random

    @np_random.setter
    def np_random(self, generator: np.random.Generator) -> None:
        self._np_random = generator

    def step(
        self, actions: Any
    ) -> tuple[
        Any,
        np.ndarray[Any, np.dtype[np.float64]],
        np.ndarray[Any, np.dtype[np.bool_]],
        np.ndarray[Any, np.dtype[np.bool_]],
        dict[str, Any],
    ]:
        """Carry out a joint step of all games.

        ``actions`` is ``(num_envs, agents)``, or ``(num_envs, agents, groups)`` where an action has several numbers;
        by kind, a dict of such arrays. Those of agents that are out, and of games that start anew, are ignored.
        Returns observations, rewards float64 and both flags bool ``(num_envs, agents)``, and infos: ``alive``
        ``(num_envs, agents)``, ``outcome`` and ``is_success`` ``(num_envs,)``, empty and False where no game ended,
        ``action_mask`` where the spec allows not all, and the spec's own entries, each with its mask ``_NAME``.
        With SAME_STEP, where games ended, ``final_obs`` and ``final_info`` are what was seen and told before they
        started anew, in the same arrays, and ``_final_obs`` and ``_final_info`` ``(num_envs,)`` say of which games.
        Raises `ValueError` for what is no action, before anything is done.
        """
        batch = self._batch
        if not self._ready:
            raise gym.error.ResetNeeded("call reset() before step()")
        if self.autoreset_mode is Mode.DISABLED and batch.done.any():
            first = ", ".join(map(str, np.flatnonzero(batch.done)[:5].tolist()))
            raise gym.error.ResetNeeded(
                f"games that are over (the first: {first}) are reset first: reset(options={{'reset_mask': mask}})"
            )
        self._choose(actions)
        try:
            batch.step()
            seen, paid = self._observation(), (batch.rewards.copy(), batch.ended.copy(), batch.cut.copy())
            infos = self._infos()
            if self.autoreset_mode is Mode.SAME_STEP and batch.done.any():
                over = batch.done.copy()
                finals = {
                    "final_obs": seen,
                    "_final_obs": over,
                    "final_info": infos,
                    "_final_info": over.copy(),
                }
                batch.begin(over)
                seen, infos = self._observation(), self._infos(finals)
        except SetupFailure as failure:
            raise self._viewer.setup_error(failure) from None
        return seen, *paid, infos

    def sampled_actions(self, seed: int | None = None) -> Any:
        """Return random actions of all agents of all games, as `step` takes them; legal or not."""
        rng, joint = np.random.default_rng(seed), self._joint
        found = {}
        for name, party in zip(self._party_names(), joint.parties, strict=True):
            sizes = [len(group.actions) for group in party.players[0].groups]
            drawn = rng.integers(0, sizes, (self.num_envs, len(party.players), len(sizes)))
            found[name] = drawn if len(sizes) > 1 else drawn[:, :, 0]
        return found if len(found) > 1 else next(iter(found.values()))

    def _choose(self, actions: Any) -> None:
        """Write the actions into the batch; raise for what is none, of agents that take part."""
        joint, chosen = self._joint, self._batch.actions
        if len(joint.parties) == 1:
            self._fill(0, actions)
        else:
            names = self._party_names()
            if not isinstance(actions, Mapping):
                raise ValueError(f"actions are a dict of arrays by kind: {', '.join(names)}")
            for index, name in enumerate(names):
                if name not in actions:
                    raise ValueError(f"there are no actions for {name!r}; kinds: {', '.join(names)}")
                self._fill(index, actions[name])
        # Without their sign, negative numbers are too large as well.
        if np.maximum.reduce(self._numbers) < self._fewest:
            return
        wrong = chosen.view(np.uint64) >= self._most
        if not np.count_nonzero(wrong):
            return
        wrong &= (self._batch.alive & ~self._batch.done[:, None])[:, :, None]
        for game, row, _ in np.argwhere(wrong)[:1].tolist():
            name, found = self.possible_agents[row], chosen[game, row].tolist()
            raise ValueError(f"{found} of game {game} is no action of {name!r}: {self.action_spaces[name]}")
        chosen[chosen.view(np.uint64) >= self._most] = -1

    def _fill(self, index: int, given: Any) -> None:
        """Write the actions of a party into the batch."""
        rows, groups = self._rows[index], len(self._joint.parties[index].players[0].groups)
        array, chosen = np.asarray(given), self._batch.actions
        shape = (self.num_envs, len(rows)) + ((groups,) if groups > 1 else ())
        if array.shape != shape or array.dtype.kind not in "iu":
            raise ValueError(f"actions are whole numbers {shape}, not {array.dtype} {array.shape}")
        if array.size == chosen.size:
            chosen[:] = array.reshape(chosen.shape)
        else:
            chosen[:, rows, :groups] = array.reshape(self.num_envs, len(rows), groups)

    # What is seen

    def _party_names(self) -> list[str]:
        return [self.program.agents[party.players[0].agent] for party in self._joint.parties]

    def _observation(self) -> Any:
        seen = [self._seen(index) for index in range(len(self._joint.parties))]
        return seen[0] if len(seen) == 1 else dict(zip(self._party_names(), seen, strict=True))

    def _written(self) -> tuple[list[list[tuple[str, Array]]], dict[str, Array]]:
        """Return the arrays that hold each party's observation, in order, and those of infos, by what they are called.

        An info's mask is called ``_NAME``; where there are several parties, theirs are told apart by the kind.
        """
        shown: list[list[tuple[str, Array]]] = [[] for _ in self._joint.parties]  # entries may have no name
        told: dict[str, Array] = {}
        names = self._party_names() if len(shown) > 1 else [""]
        for writer, array in zip(self._joint.writers, self._batch.written, strict=True):
            kind = f"{names[writer.party]}." if len(names) > 1 else ""
            what, _, name = writer.name.rpartition(":")
            if what:
                told[f"_{kind}{name}" if what == "set" else f"{kind}{name}"] = array
            elif writer.source == self._joint.parties[writer.party].players[0].mask:
                told[f"{kind}action_mask"] = array
            else:
                shown[writer.party].append((writer.name, array))
        return shown, told

    def _seen(self, index: int) -> Any:
        observation = self._joint.parties[index].players[0].observation
        arrays = [array.copy() for _, array in self._shown[index]]
        if observation.form == "dict":
            return {name: array for (name, _), array in zip(self._shown[index], arrays, strict=True)}
        if observation.form == "tuple":
            return tuple(arrays)
        if observation.form == "flat":
            parts = [array.reshape(*array.shape[:2], -1).astype(np.float32) for array in arrays]
            return np.concatenate(parts, axis=2)
        return arrays[0]

    def _infos(self, finals: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return the infos of a step, of copies; they are put together when they are looked at."""
        told = {name: array.copy() for name, array in self._told.items()}
        batch = self._batch
        # Who went out by a rule in the very step in which the time was up did go out.
        ends = (batch.outcome.copy(), batch.done.copy(), batch.cut & ~batch.ended)
        return LazyInfos(partial(self._entries, batch.alive.copy(), ends, told, finals or {}))

    def _entries(
        self,
        alive: Array,
        ends: tuple[Array, Array, Array],
        told: dict[str, Array],
        finals: Mapping[str, Any],
    ) -> dict[str, Any]:
        for name, array in told.items():
            if f"_{name}" in told:
                array[~told[f"_{name}"]] = 0  # not what a step before left there
        outcome, over, cut = ends
        words = self._outcomes[outcome]
        nameless = over & (outcome == 0)  # ends that no rule gave a name
        words[nameless] = np.where(cut[nameless].any(axis=1), "truncated", "out")
        return {"alive": alive, "outcome": words, "is_success": words == "success", **told, **finals}

    # Copies

    def __getstate__(self) -> dict[str, Any]:
        """Pickle what was given and where each game is: where arrays lie is nothing to take along."""
        return {
            "compiled": self._viewer.compiled,
            "num_envs": self.num_envs,
            "settings": self._settings,
            "batch": self._batch.kept() if self._ready else None,
            "random": self._np_random,
        }

    def __setstate__(self, kept: dict[str, Any]) -> None:
        unpickled(kept, type(self), "num_envs", "settings", "batch")
        self.__init__(kept["compiled"], kept["num_envs"], **kept["settings"])  # type: ignore[misc]
        self._np_random = kept["random"]
        if kept["batch"] is not None:
            self._batch.restore(kept["batch"])
            self._ready = True


def make_parallel_vec(
    source: AnySpec,
    num_envs: int,
    *,
    backend: str = "auto",
    autoreset_mode: str | gym.vector.AutoresetMode = Mode.NEXT_STEP,
    num_threads: int = 1,
    **params: Any,
) -> GridParallelVectorEnv:
    """Return ``num_envs`` games of a spec with several agents, as one batch with arrays of games and agents."""
    return GridParallelVectorEnv(
        source,
        num_envs,
        backend=backend,
        autoreset_mode=autoreset_mode,
        num_threads=num_threads,
        **params,
    )
