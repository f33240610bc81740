"""The native game: a game of several whose joint steps native code carries out, where it is installed and can."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from griddsl.backends.batch import DISABLED
from griddsl.backends.choice import choose_game, faster
from griddsl.backends.interface import Writer
from griddsl.backends.native.batch import NativeBatch
from griddsl.envs.joint.by_agent import ByAgent
from griddsl.envs.joint.game import Game, JointStep
from griddsl.envs.joint.written_step import joint_step
from griddsl.envs.reading import observer, shown_reader
from griddsl.envs.states import State
from griddsl.program import keys
from griddsl.program.program import InfoEntry, Player
from griddsl.program.runtime import SetupFailure
from griddsl.program.spaces import Leaf

_LOG = logging.getLogger("griddsl")


class NativeGame(Game):
    """A game on the backend that is asked for: ``auto``, ``python`` or ``native``.

    Native code keeps the state in arrays of its own. The lists that all other questions are answered from are brought
    up to date when one is asked, and the arrays when the lists were written to.
    """

    backend: str = "python"
    _wanted_backend: str = "python"
    _native: NativeBatch | None = None

    def _prepare(self) -> None:
        super()._prepare()
        is_plain = not self._is_joint or (self.render_mode == "human" and self._wanted_backend == "auto")
        self._native, self.backend = choose_game(self.program, "python" if is_plain else self._wanted_backend)
        _LOG.info("%s: the %s backend%s", self.program.id, self.backend, faster(self.program, self.backend))
        if self._native is None:
            return
        self._row = ByAgent({name: row for row, name in enumerate(self.players)})
        players = len(self.players)
        self._chosen: np.ndarray[Any, Any] = np.zeros((players, self._native.interface.width), np.int64)
        self._leaves = self._native.made_leaves()
        flags = np.zeros(players, np.bool_), np.zeros(players, np.bool_)
        self._flags: list[np.ndarray[Any, Any]] = [np.zeros(players), *flags]
        self._is_ahead, self._is_behind = False, True  # of the lists
        self._is_shown = False  # whether what was written is of the present state
        self._views = {name: self._views_of(player) for name, player in self.players.items()}
        self._seen = ByAgent(
            {
                name: observer(player.observation, {}, partial(self._native_reader, player))
                for name, player in self.players.items()
            }
        )

    # What native code wrote

    def _views_of(self, player: Player) -> dict[str, np.ndarray[Any, Any]]:
        """Return what is written for an agent, by the names of what it is made of: views of the arrays."""
        assert self._native is not None

        def key(writer: Writer) -> str:
            return writer.source or f"{writer.role}:{writer.name}"

        return {
            key(writer): array.reshape(len(writer.rows), *writer.shape)[writer.rows.index(player.agent), ...]
            for writer, array in zip(
                self._native.interface.writers, [*self._leaves, *self._native.told], strict=True
            )
            if player.agent in writer.rows
        }

    def _native_reader(self, player: Player, leaf: Leaf) -> Callable[[], Any]:
        shown = shown_reader(self, leaf)
        if shown is not None:
            return shown
        view = self._views[player.name][leaf.function]
        return (lambda: view[()]) if leaf.form == "value" else view.copy

    def see(self, agents: Sequence[str]) -> dict[str, Any]:
        """Return what agents observe now that a step is over; native code has drawn their noise already."""
        if self._native is None or not self._is_shown:
            return super().see(agents)
        return {name: self._seen[name]() for name in agents}

    def observe(self, name: str) -> Any:
        """Return what an agent observes now, however often it is asked, without a change of the random stream."""
        if self._native is not None and self._is_shown and (not self._is_noisy or self._took_part(name)):
            return self._seen[name]()
        return super().observe(name)

    def _took_part(self, name: str) -> bool:
        """Whether an agent took part in the last step: native code draws for nobody else."""
        native, row = self._native, self._row[name]
        assert native is not None
        return bool(native.alive[0, row] or self._flags[1][row] or self._flags[2][row])

    def mask(self, name: str) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return which actions an agent may take, ``(actions,)`` bool, groups one after the other."""
        player = self.players[name]
        if self._native is None or not self._is_shown or not player.mask:
            return super().mask(name)
        return self._views[name][player.mask].astype(np.bool_)

    def _entry(self, player: Player, entry: InfoEntry) -> Any:
        if self._native is None or not self._is_shown:
            return super()._entry(player, entry)
        views = self._views[player.name]
        if entry.function:
            return views[entry.function].item()
        return views[f"info:{entry.name}"].item() if views[f"is_set:{entry.name}"] else None

    # Playing

    def start(self, options: Mapping[str, Any] | None = None) -> None:
        """Start an episode, and let agents that play by themselves take the first turns."""
        if self._native is None:
            super().start(options)
            self.await_turn()
            return
        for flag in self._flags:
            flag.fill(0)
        if self._is_behind:  # a state was put in, or a step was carried out in the lists
            self._native.stream[0] = self._r[0]
        try:
            self._native.reset(np.ones(1, np.bool_), self._level(options), self._leaves)
        except SetupFailure as failure:
            raise self.setup_error(failure) from None
        self._is_ahead, self._is_behind, self._is_shown = True, False, True
        self._follows = self._is_set_up = True

    def act(self, actions: Mapping[str, Any]) -> None:
        """Carry out one joint step without the turns of those that play by themselves, in the lists."""
        self._pull()
        super().act(actions)
        self._is_behind, self._is_shown = True, False

    def play_on(self, actions: Mapping[str, Any], agents: Sequence[str]) -> JointStep:
        """Carry out a joint step of the agents whose part goes on, and the turns of those that play by themselves."""
        native = self._native
        if native is None:
            return super().play_on(actions, agents)
        self._choose(actions)
        if self._is_behind:
            self._push()
        native.alive[0] = [name in agents for name in self.players]
        native.step(self._chosen, DISABLED, self._leaves, *self._flags)
        self._is_ahead, self._is_behind, self._is_shown = True, False, True
        return self._played(agents)

    def _played(self, agents: Sequence[str]) -> JointStep:
        """Return what the step that was carried out gave."""
        rows = [self._row[name] for name in agents]
        rewards, ended, cut = (
            {name: flag[row] for name, row in zip(agents, rows, strict=True)}
            for flag in [array.tolist() for array in self._flags]
        )
        return JointStep(
            rewards, ended, cut, tuple(name for name in agents if not (ended[name] or cut[name]))
        )

    def _choose(self, actions: Mapping[str, Any]) -> None:
        chosen, plain = self._chosen, self._plain
        for name, row in self._row.items():
            action = actions.get(name)
            if action.__class__ is int and 0 <= action < plain.get(name, 0):
                chosen[row, 0] = action
            elif action is None:
                chosen[row] = -1
            else:
                numbers = self.numbers(name, action)
                chosen[row, : len(numbers)] = numbers

    def _written_step(self, **names: Any) -> Callable[[Any], Any] | None:
        """Return a step for joint actions of all, given as plain numbers; ``names`` as in `joint_step`.

        None where infos say something in every step, or an action or an observation is more than a look-up.
        """
        native, players = self._native, self.players
        informs = any(player.info or player.mask for player in players.values())
        if (
            native is None
            or informs
            or keys.HIDDEN_REWARD in self._offsets
            or len(self._plain) < len(players)
        ):
            return None
        if self.program.turns == "alternate" or any(p.observation.form == "flat" for p in players.values()):
            return None
        given = [self._chosen, *self._flags, *self._leaves]
        names |= {"game": self, "reader": self._native_reader}
        return joint_step(players, native, given, self._views, self._plain, **names)

    # Two places for one state

    def _pull(self) -> None:
        """Bring the lists up to date."""
        if self._native is not None and self._is_ahead:
            self._s[:], self._f[:] = self._native.at_work()
            self._r[0] = int(self._native.stream[0])
            self._is_ahead = False

    def _push(self) -> None:
        """Bring the arrays up to date."""
        native, layout = self._native, self.program.layout
        assert native is not None
        native.integers[0] = self._s[: layout.saved]
        native.reals[0] = self._f[: layout.saved_reals]
        native.stream[0] = self._r[0]
        native.done[0] = False
        self._is_behind = False

    def set_state(self, state: State) -> None:
        """Put the game into a state that `get_state` gave; the same future follows."""
        super().set_state(state)
        self._is_ahead, self._is_behind, self._is_shown = False, True, False

    def seed(self, stream: int) -> None:
        """Let the random stream go on from here; 64 bits."""
        super().seed(stream)
        if self._native is not None:
            self._native.stream[0] = stream
