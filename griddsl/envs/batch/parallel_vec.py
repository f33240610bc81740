"""`GridParallelVectorEnv`: many games of several at once, with arrays of games and agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np

from griddsl.backends.interface import Array, Interface
from griddsl.compiler import AnySpec
from griddsl.diagnostics import Refused, with_keywords
from griddsl.envs.batch.episodes import Episodes, Flags, Mode, Stepped, autoreset_mode_of, check_counts
from griddsl.envs.batch.lazy_infos import LazyInfos
from griddsl.envs.joint.game import Game
from griddsl.envs.reading import assembled
from griddsl.envs.seeding import seeded
from griddsl.envs.states import unpickled


class GridParallelVectorEnv(Episodes):
    """A batch of games: game ``i`` of a batch seeded ``s`` is the `GridParallelEnv` seeded ``s + i``, bit for bit.

    What agents observe, do and get comes as arrays: ``(num_envs, agents, ...)``, the agents in the order of
    ``possible_agents``. Where kinds of agent observe or act differently, observations and actions are dicts of such
    arrays by the name of the kind; kinds that do both alike share one, under the name of the first of them.

    ``autoreset_mode`` says when a game starts anew that is over, as Gymnasium's batches do: with ``NEXT_STEP`` in the
    next step, whose actions it ignores (rewards 0, no flags); with ``SAME_STEP`` at once, and what was seen and told
    last is in the infos; with ``DISABLED`` when it is reset. ``backend`` is ``auto``, ``python``, ``native`` or
    ``table``, and ``num_threads`` divides a native batch among threads, with the same results for any number of them.
    """

    metadata: Mapping[str, Any] = {"autoreset_mode": Mode.NEXT_STEP}
    _games = "games"

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
        self.autoreset_mode = autoreset_mode_of(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode}
        check_counts(num_envs, num_threads)
        viewer = Game(source, **params)
        program = viewer.program
        if len(program.players) < 2:
            raise Refused(f"{program.id} is played by one agent: use griddsl.make_vec(source, num_envs)")
        reason = Interface(program).refusal()
        if reason is not None:
            raise Refused(f"{program.id} cannot be played in batches: {reason}")
        super().__init__(viewer, num_envs, backend, self.autoreset_mode, num_threads, keeps_buffers=True)
        self._settings = {
            "backend": backend,
            "autoreset_mode": self.autoreset_mode,
            "num_threads": num_threads,
        }
        self.possible_agents = list(viewer.players)
        self.observation_spaces = viewer.observation_spaces
        self.action_spaces = viewer.action_spaces
        counts = self._interface.counts
        # What is beyond an agent's own groups is no action.
        self._chosen: Array = np.zeros((num_envs, *counts.shape), np.int64)
        self._most = np.tile(np.maximum(counts, 1).astype(np.uint64), (num_envs, 1, 1))
        self._fewest = int(self._most.min())
        self._numbers = self._chosen.view(np.uint64).reshape(-1)
        rows = {player.name: row for row, player in enumerate(program.players)}
        self._rows = [[rows[player.name] for player in party.players] for party in self._interface.parties]
        self._told_names = self._names_told()
        self._row_of = np.full(len(program.agents), -1)  # of those that play by themselves
        self._row_of[[player.agent for player in program.players]] = np.arange(len(program.players))
        self._outcomes = np.array(["", "truncated", *program.outcomes, "out"], dtype=object)
        self._np_random = None

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
        leaves, _ = self._begin(seed, options)
        return self._observation(leaves), self._infos(self._batch.told, None, None)

    @property
    def np_random(self) -> np.random.Generator:
        """The generator that seeds the games which no seed is given for."""
        if self._np_random is None:
            self._np_random = seeded(None)
        return self._np_random

    @np_random.setter
    def np_random(self, generator: np.random.Generator) -> None:
        self._np_random = generator

    def step(self, actions: Any) -> Stepped:
        """Carry out a joint step of all games.

        ``actions`` is ``(num_envs, agents)``, or ``(num_envs, agents, groups)`` where an action has several numbers;
        by kind, a dict of such arrays. Those of agents that are out, and of games that start anew, are ignored.
        Returns observations, rewards float64 and both flags bool ``(num_envs, agents)``, and infos: ``alive``
        ``(num_envs, agents)``, ``outcome`` and ``is_success`` ``(num_envs,)``, empty and False where no game ended,
        ``action_mask`` where the spec allows not all, under ``turns: alternate`` ``turn`` ``(num_envs,)``, the number
        in ``possible_agents`` of who is next, and the spec's own entries, each with its mask ``_NAME``.
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
        observation, reward, ended, cut, infos = self._advance(self._chosen)
        return observation, reward.copy(), ended.copy(), cut.copy(), infos

    def sampled_actions(self, seed: int | None = None) -> Any:
        """Return random actions of all agents of all games, as `step` takes them; legal or not."""
        rng, interface = np.random.default_rng(seed), self._interface
        found = {}
        for name, party in zip(self._party_names(), interface.parties, strict=True):
            sizes = [len(group.actions) for group in party.players[0].groups]
            drawn = rng.integers(0, sizes, (self.num_envs, len(party.players), len(sizes)))
            found[name] = drawn if len(sizes) > 1 else drawn[:, :, 0]
        return found if len(found) > 1 else next(iter(found.values()))

    def _choose(self, actions: Any) -> None:
        """Write the actions into the batch; raise for what is none, of agents that take part."""
        chosen = self._chosen
        if len(self._interface.parties) == 1:
            self._fill(0, actions)
        else:
            names = self._party_names()
            if not isinstance(actions, Mapping):
                raise Refused(f"actions are a dict of arrays by kind: {', '.join(names)}")
            for index, name in enumerate(names):
                if name not in actions:
                    raise Refused(f"there are no actions for {name!r}; kinds: {', '.join(names)}")
                self._fill(index, actions[name])
        # Without their sign, negative numbers are too large as well.
        if np.maximum.reduce(self._numbers) < self._fewest:
            return
        wrong = chosen.view(np.uint64) >= self._most
        if not np.count_nonzero(wrong):
            return
        wrong &= (self._batch.alive & ~self._batch.done[:, None])[:, :, None]
        for game, row, _ in np.argwhere(wrong)[:1].tolist():
            name, found = self.possible_agents[row], self._as_given(actions, row, chosen[game, row]).tolist()
            raise Refused(f"{found} of game {game} is no action of {name!r}: {self.action_spaces[name]}")
        chosen[chosen.view(np.uint64) >= self._most] = -1

    def _as_given(self, actions: Any, row: int, numbers: Array) -> Array:
        """Return the numbers of an agent without a sign, where they were given without one."""
        if isinstance(actions, Mapping):
            party = next(index for index, rows in enumerate(self._rows) if row in rows)
            actions = actions[self._party_names()[party]]
        return numbers.view(np.uint64) if np.asarray(actions).dtype.kind == "u" else numbers

    def _fill(self, index: int, given: Any) -> None:
        """Write the actions of a party into the batch."""
        rows, groups = self._rows[index], len(self._interface.parties[index].players[0].groups)
        array, chosen = np.asarray(given), self._chosen
        shape = (self.num_envs, len(rows)) + ((groups,) if groups > 1 else ())
        if array.shape != shape or array.dtype.kind not in "biu":
            whose = ""
            if len(self._interface.parties) > 1:
                agents = ", ".join(self.possible_agents[row] for row in rows)
                whose = f" of {self._party_names()[index]!r}, for {agents},"
            raise Refused(f"actions{whose} are whole numbers {shape}, not {array.dtype} {array.shape}")
        if array.size == chosen.size:
            chosen[:] = array.reshape(chosen.shape)
        else:
            chosen[:, rows, :groups] = array.reshape(self.num_envs, len(rows), groups)

    # What is seen

    def _party_names(self) -> list[str]:
        return [self.program.agents[party.players[0].agent] for party in self._interface.parties]

    def _observation(self, leaves: list[Array], rows: Flags | None = None) -> Any:
        """Return what agents observe, as copies: an array, or what its parts make; by kind where there are several."""
        seen = [self._seen(index, leaves) for index in range(len(self._interface.parties))]
        return seen[0] if len(seen) == 1 else dict(zip(self._party_names(), seen, strict=True))

    def _seen(self, index: int, leaves: list[Array]) -> Any:
        observation = self._interface.parties[index].players[0].observation
        parts = [
            leaf.reshape(self.num_envs, len(writer.rows), *writer.shape).copy()
            for writer, leaf in zip(self._interface.observed, leaves, strict=True)
            if writer.party == index
        ]
        return assembled(observation, parts, 2)

    def _names_told(self) -> list[str]:
        """Return what each array of infos is called, by kind where there are several; that of a mask is ``_NAME``."""
        names = self._party_names()
        prefix = [f"{name}." if len(names) > 1 else "" for name in names]
        told = self._interface.told
        return [
            w.name if w.role == "turn" else f"{'_' * (w.role == 'is_set')}{prefix[w.party]}{w.name}"
            for w in told
        ]

    def _infos(self, told: list[Array], which: Flags | None, outcome: Array | None) -> dict[str, Any]:
        """Return the infos of a step, of copies; they are put together when they are looked at."""
        shapes = [(self.num_envs, len(writer.rows), *writer.shape) for writer in self._interface.told]
        arrays = [array.copy().reshape(shape) for array, shape in zip(told, shapes, strict=True)]
        entries = dict(zip(self._told_names, arrays, strict=True))
        if outcome is None:
            return LazyInfos(partial(self._entries, self._batch.alive.copy(), None, None, entries))
        assert self._buffers is not None
        _, _, ended, cut = self._buffers
        # Who went out by a rule in the very step in which the time was up did go out.
        return LazyInfos(partial(self._entries, self._batch.alive.copy(), outcome, cut & ~ended, entries))

    def _entries(
        self, alive: Array, outcome: Array | None, cut: Flags | None, told: dict[str, Array]
    ) -> dict[str, Any]:
        for name, array in told.items():
            if f"_{name}" in told:
                array[~told[f"_{name}"]] = 0  # not what a step before left there
        ends = np.zeros(self.num_envs, np.int16) if outcome is None else outcome
        if cut is not None:
            ends[(ends == 1) & ~cut.any(axis=1)] = len(self._outcomes) - 1
        words = self._outcomes[ends]
        turn = {"turn": self._row_of[told["turn"][:, 0]]} if "turn" in told else {}
        return {"alive": alive, "outcome": words, "is_success": words == "success", **told, **turn}

    # Copies

    def __getstate__(self) -> dict[str, Any]:
        """Pickle what was given and where each game is."""
        return {
            "compiled": self._viewer.compiled,
            "num_envs": self.num_envs,
            "settings": self._settings,
            "random": self._np_random,
            **self._kept(),
        }

    def __setstate__(self, kept: dict[str, Any]) -> None:
        unpickled(kept, type(self), "num_envs", "settings", "states", "stream", "done", "last")
        self.__init__(kept["compiled"], kept["num_envs"], **kept["settings"])  # type: ignore[misc]
        self._np_random = kept["random"]
        self._restore(kept)


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
