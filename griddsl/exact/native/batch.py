"""A batch of states natively: where all actions lead from them, one step far."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from griddsl.exact.draws import Script
from griddsl.exact.explorer import too_many_draws, too_wide
from griddsl.exact.native.search import NativeSearch, Unsuitable, chances_of
from griddsl.exact.states.step_need import StepNeed
from griddsl.exact.steps import Steps
from griddsl.program.program import Program

ROOM = 1 << 17  # for transitions, and at first for the nodes of chances
FOLLOWING = 4  # states that follow on each, at first

__all__ = ["BatchSearch", "Unsuitable"]


class BatchSearch:
    """The native search, which goes no farther than one step."""

    def __init__(self, program: Program, step_need: StepNeed) -> None:
        steps = Steps(program, Script(), step_need)
        actions = [sum(part, ()) for part in steps.parts]
        self.search = NativeSearch(program, step_need, steps.idle, actions, traced=False, most_states=0)
        self.following = FOLLOWING

    def expand(
        self,
        words: NDArray[np.uint64],
        reals: NDArray[np.float64],
        joined: Callable[[NDArray[np.uint64], NDArray[np.float64]], NDArray[np.uint8]],
    ) -> tuple[Any, ...]:
        """Return the columns of `Successors`, of states in which episodes go on; ``joined`` makes keys of states."""
        while (found := self._expanded(words, reals, joined)) is None:
            self.following *= 2
        return found

    def _expanded(self, given: Any, given_reals: Any, joined: Any) -> tuple[Any, ...] | None:
        """Return the same; None where more states follow than there is room for."""
        from griddsl.exact.native import draws as script

        search, count = self.search, len(given)
        most, row = count * (1 + self.following), search.row
        words: NDArray[np.uint64] = np.zeros((most + 1, row), np.uint64)
        reals: NDArray[np.float64] = np.zeros((most + 1, given_reals.shape[1]))
        words[:count], reals[:count] = given, given_reals
        outcome = np.zeros(most + 1, np.int64)
        outcome[:count] = given[:, -1].view(np.int64)
        flat, narrow, flat_reals = words.reshape(-1), words.reshape(-1).view(search.dtype), reals.reshape(-1)
        table, head = np.zeros(1 << (2 * most + 1).bit_length(), np.uint64), np.zeros(most + 1, np.int32)
        counts = np.array([count, 0, 1, 0, count], np.int64)
        search.module.states_enrol(counts, outcome, flat, narrow, flat_reals, table)
        room = ROOM
        nodes, names = np.zeros(4 * ROOM, np.int64), np.zeros(2 * ROOM, np.int32)
        initial, initial_reals = search.program.initial()
        s, f = np.array(initial, np.int64), np.array(initial_reals, np.float64)
        r = np.zeros(script.DRAWS, np.int64)
        parts: list[list[NDArray[Any]]] = []
        while counts[script.DONE] < count:
            columns: list[NDArray[Any]] = [
                *(np.zeros(room, np.int32) for _ in range(5)),
                np.zeros(room),
                np.zeros(room),
            ]
            status = search.module.states_search(
                counts, room // 2, search.actions, outcome, flat, narrow, flat_reals, table, head,
                *columns, nodes, names, s, f, r,
            )  # fmt: skip
            made = int(counts[script.TRANSITIONS])
            parts.append([column[:made] for column in columns])
            counts[script.TRANSITIONS] = 0
            if status == script.FULL:
                return None
            if status == script.LONG:
                raise Unsuitable("one step draws too often")
            if status in {script.WIDE, script.MANY}:
                raise too_wide() if status == script.WIDE else too_many_draws()
            if status == script.MORE_TRANSITIONS and not made:
                room *= 2
            elif status == script.MORE_NODES:
                fewer, nodes = nodes, np.zeros(2 * len(nodes), np.int64)
                names = np.zeros(len(fewer), np.int32)
                search.module.nodes_enrol(fewer, counts[script.NODES], nodes, names)
        source, action, target, _, chance, reward, slope = (
            np.concatenate(column) for column in zip(*parts, strict=True)
        )
        chances: NDArray[np.float64] = np.array(
            [over / under for over, under in chances_of(nodes[: 4 * int(counts[script.NODES])])]
        )
        return (
            source.astype(np.int64),
            action,
            joined(words[target], reals[target]),
            outcome[target],
            chances[chance],
            reward,
            slope,
        )
