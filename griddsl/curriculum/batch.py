"""`CurriculumVectorEnv`: a batch whose episodes begin in the levels that a curriculum chooses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from griddsl.backends.interface import Array
from griddsl.backends.native.emit import refusal
from griddsl.compiler import AnySpec, compiled
from griddsl.curriculum.replay import LevelReplay, by_successes
from griddsl.diagnostics import Refused, with_keywords
from griddsl.envs.base_env import HALF
from griddsl.envs.batch.episodes import Buffers, Flags, Mode, Stepped
from griddsl.envs.batch.vector_env import GridVectorEnv
from griddsl.envs.states import State, checked
from griddsl.loading import resolve


class CurriculumVectorEnv(GridVectorEnv):
    """A batch that resets in the same step, and in which ``curriculum`` chooses the levels of the episodes.

    Each environment plays a level ``curriculum.games`` times and asks for another then; from what came out the
    curriculum learns by itself, so that any loop of training will do. Everything else is as in `GridVectorEnv`.
    """

    @with_keywords
    def __init__(
        self,
        source: AnySpec | None = None,
        num_envs: int = 1,
        *,
        curriculum: LevelReplay,
        backend: str = "auto",
        **settings: Any,
    ) -> None:
        if "autoreset_mode" in settings:
            raise TypeError("a curriculum chooses as an episode ends: autoreset_mode is not to be chosen")
        if not isinstance(curriculum, LevelReplay):
            raise TypeError(f"a curriculum is a LevelReplay, not {type(curriculum).__name__}")
        if curriculum.change is not None and backend == "auto" and source is not None:
            backend = self._for_changes(source, settings)
        super().__init__(source, num_envs, backend=backend, autoreset_mode=Mode.SAME_STEP, **settings)
        if self._success < 0 and curriculum.score is by_successes:
            raise Refused(
                f"{self.program.id} has no `end success`, so how often a level is solved says nothing: "
                "LevelReplay(score=lambda returns, successes: returns.std()) goes by the returns"
            )
        self.curriculum = curriculum
        self._settings = {
            **{name: value for name, value in self._settings.items() if name != "autoreset_mode"},
            "curriculum": curriculum,
        }
        self._is_careful = True  # episodes that are over are started here, and not by the backend
        self._playing: list[State | None] = [None] * num_envs
        self._past: list[list[tuple[float, bool]]] = [[] for _ in range(num_envs)]
        self._gained = np.zeros(num_envs)
        self._paid: Array | None = None

    @staticmethod
    def _for_changes(source: AnySpec, settings: Mapping[str, Any]) -> str:
        """Return a backend that plays states which the spec's own setup does not draw: no table holds them."""
        own = {"num_threads", "copy", "render_mode", "max_episode_steps", "spec"}
        params = {name: value for name, value in settings.items() if name not in own}
        return "python" if refusal(compiled(resolve(source), **params).program) else "native"

    def _be_ready(self) -> None:
        self._ready = True  # no step is written for this batch that would start episodes by itself

    def _careful_step(self, given: Array, buffers: Buffers) -> Stepped:
        self._paid = buffers[1]
        try:
            found = super()._careful_step(given, buffers)
        finally:
            self._paid = None
        self._gained += buffers[1]
        self._gained[buffers[2] | buffers[3]] = 0.0
        return found

    def _start(self, which: Flags, level: int, leaves: list[Array]) -> None:
        rows = np.flatnonzero(which).tolist()
        chosen: dict[int, State | None] = {}
        for row in rows:
            chosen[row] = self._next(row)
            self._playing[row] = chosen[row]  # which no other is given now
        if self._paid is None:
            self._gained[which] = 0.0
        super()._start(which, level, leaves)
        batch, replayed = self._batch, np.zeros(self.num_envs, np.bool_)
        for row in rows:
            integers, reals, stream = batch.vectors(row)
            state = chosen[row]
            if state is None or level >= 0:
                self._playing[row] = (tuple(integers), tuple(reals), stream)
                self._past[row] = []
            else:
                self._playing[row] = checked(self.program, state)
                batch.put(row, (list(state[0]), list(state[1]), stream))
                replayed[row] = True
        if replayed.any():  # what is drawn to show it is drawn aside, as in `set_state`
            streams = batch.stream.copy()
            batch.stream[:] = streams ^ np.uint64(HALF)
            batch.show(replayed, leaves)
            batch.stream[:] = streams

    def _next(self, row: int) -> State | None:
        """Return the level in which an environment goes on, as its episode is over; None for a new one."""
        level, past = self._playing[row], self._past[row]
        if self._paid is None or level is None:  # begun from outside: what was played so far is no whole
            past.clear()
            return self.curriculum.next_level(self._others(row))
        success = bool(self._batch.outcome[row] == self._success)
        past.append((float(self._gained[row] + self._paid[row]), success))
        if len(past) < self.curriculum.games:
            return level
        self.curriculum.judge(level, *zip(*past, strict=True))
        past.clear()
        return self.curriculum.next_level(self._others(row))

    def _others(self, row: int) -> list[State | None]:
        return [*self._playing[:row], *self._playing[row + 1 :]]

    def _kept(self) -> dict[str, Any]:
        return {**super()._kept(), "playing": self._playing, "past": self._past, "gained": self._gained}

    def _restore(self, kept: Mapping[str, Any]) -> None:
        super()._restore(kept)
        self._playing, self._past, self._gained = (kept[name] for name in ("playing", "past", "gained"))
