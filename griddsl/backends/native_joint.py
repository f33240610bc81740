"""Games of several as machine code: joint steps of one game or of many, in one call."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from griddsl.backends.joint import Array, JointBatch, JointProgram, Writer
from griddsl.backends.native_library import Kernel, library
from griddsl.backends.native_source import (
    at_work,
    loaded,
    made_work_reals,
    padded,
    saved_type,
    shares,
    source,
    stored,
    work_size,
    work_type,
)
from griddsl.program.runtime import SetupFailure

_KEPT = 12  # the addresses that come before those of what is written


class NativeJointBatch(JointBatch):
    """A batch as machine code: states as rows of one compact array, a step one call, or one for each thread."""

    def __init__(self, joint: JointProgram, count: int, threads: int = 1) -> None:
        super().__init__(joint, count)
        program = joint.program
        layout = program.layout
        found = library(source(program, _text(joint)), (Kernel("run_joint", "aiiiii", "i"),))
        self.kernel = found.kernels["run_joint"]
        self.integers: Array = np.zeros((count, layout.saved), saved_type(program))
        self.integers[:] = program.initial()[0][: layout.saved]
        self.reals: Array = np.zeros((count, layout.saved_reals), np.float64)
        threads = max(1, min(threads, count))
        # The whole state of the game that each thread stepped last, with what lasts no longer than a step.
        self._kind = np.dtype(work_type(program))
        self._work: Array = np.zeros((threads, padded(8 * work_size(program))), np.uint8)
        self._work_reals = made_work_reals(program, threads, found)
        kept = [self.integers, self.reals, self.stream, self._work, self._work_reals, self.done, self.outcome]
        kept += [self.actions, self.rewards, self.ended, self.cut, self.alive]
        assert len(kept) == _KEPT
        self.addresses: Array = np.array([array.ctypes.data for array in [*kept, *self.written]], np.int64)
        self._parts = shares(count, threads)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def step(self, level: int = -1) -> None:
        """Carry out one step of all games, in which those that are done start anew, on a level or one of the spec's."""
        if self._pool is None:
            self._run(level, *self._parts[0])
            return
        for job in [self._pool.submit(self._run, level, *part) for part in self._parts]:
            job.result()

    def _run(self, level: int, low: int, high: int, worker: int) -> None:
        try:
            self.kernel(self.addresses, self.count, level, low, high, worker)
        except SetupFailure as failure:
            failure.state = self.at_work(worker)[0]
            raise

    def kept(self) -> dict[str, Any]:
        """Return all that the next step goes on from, as copies."""
        return {**super().kept(), "integers": self.integers.copy(), "reals": self.reals.copy()}

    def at_work(self, worker: int = 0) -> tuple[list[int], list[float]]:
        """Return the whole state of the game that a thread stepped last."""
        layout, kind = self.joint.program.layout, self._kind
        integers = self._work[worker, : layout.size * kind.itemsize].view(kind)
        return integers.tolist(), self._work_reals[worker, : 8 * layout.reals].view(np.float64).tolist()


def _text(joint: JointProgram) -> list[str]:
    """Return the kernel of a joint batch, which says how many agents' parts ended.

    Each function of the program is called at one place only, and all arrays are addresses in one, as in the kernel of
    a batch for one agent (`griddsl.backends.native`).
    """
    program = joint.program
    layout, players, width = program.layout, joint.players, joint.width
    count, total = len(players), len(program.agents) * width
    is_ours = " or ".join(f"s[TURN] == {player.agent}" for player in players)
    over = "True" if program.turns != "alternate" else f"over or {is_ours}"
    lines = [
        f"PLAYERS = np.array({[player.agent for player in players]}, dtype=np.int64)",
        *(f"ROWS{k} = np.array({list(w.rows)}, dtype=np.int64)" for k, w in enumerate(joint.writers)),
        "",
        "def run_joint(p, n, level, lo, hi, worker, out):",
        f"    P = view_of(p, {_KEPT + len(joint.writers)}, np.int64)",
        "    R = view_of(P[2], n, np.uint64)",
        *at_work(program, "P[3]", "P[4]"),
        "    done = view_of(P[5], n, np.bool_)",
        "    outcome = view_of(P[6], n, np.int16)",
        f"    actions = view_of(P[7], n * {count * width}, np.int64)",
        f"    rewards = view_of(P[8], n * {count}, np.float64)",
        *(
            f"    {name} = view_of(P[{9 + k}], n * {count}, np.bool_)"
            for k, name in enumerate(["ended", "cut", "alive"])
        ),
        *(
            f"    o{k} = view_of(P[{_KEPT + k}], n * {len(w.rows) * w.size}, np.{w.dtype})"
            for k, w in enumerate(joint.writers)
        ),
        "    ends = 0",
        "    for i in range(lo, hi):",
        *loaded(program),
        "        r = R[i : i + 1]",
        "        outcome[i] = 0",
        f"        for p in range(i * {count}, (i + 1) * {count}):",
        "            rewards[p] = 0.0",
        "            ended[p] = False",
        "            cut[p] = False",
        "        begins = done[i]",
        "        over = False",
        "        acts = not begins",
        "        if begins:",
        "            reset(s, f, r, level)",
        f"            for p in range(i * {count}, (i + 1) * {count}):",
        "                alive[p] = True",
        f"            acts = not ({over})",
        "        first = not begins",
        "        while acts:",
        f"            for k in range({total}):",
        "                s[CHOICE + k] = -1",
        "            if first:",
        f"                for p in range({count}):",
        f"                    for g in range({width}):",
        f"                        s[CHOICE + PLAYERS[p] * {width} + g] = actions[(i * {count} + p) * {width} + g]",
        "            first = False",
        "            step(s, f, r)",
        "            over = True",
        f"            for p in range({count}):",
        f"                q = i * {count} + p",
        "                if alive[q]:",
        "                    rewards[q] += f[REWARD + PLAYERS[p]]",
        "                    ended[q] = s[TERMINATED + PLAYERS[p]] == 1",
        "                    cut[q] = s[CUT_SHORT + PLAYERS[p]] == 1",
        "                    alive[q] = not (ended[q] or cut[q])",
        "                    if alive[q]:",
        "                        over = False",
        "                    else:",
        "                        ends += 1",
        f"            acts = not ({over})",
        "        done[i] = over",
    ]
    if "OUTCOME" in layout.offsets:
        lines += ["        if over:", "            outcome[i] = s[OUTCOME]"]
    for k, writer in enumerate(joint.writers):
        lines += _written(k, writer)
    return [*lines, *stored(program), "    view_of(out, 1, np.int64)[0] = ends"]


def _written(k: int, writer: Writer) -> list[str]:
    """Return what writes something for each agent that it is for."""
    count = len(writer.rows)
    lines = [f"        for m in range({count}):", f"            agent, q = ROWS{k}[m], i * {count} + m"]
    match writer.form:
        case "array":
            place = f"o{k}[q * {writer.size} : (q + 1) * {writer.size}]"
            return [*lines, f"            {writer.source}(s, f, r, agent, {place})"]
        case "value":
            return [*lines, f"            o{k}[q] = {writer.source}(s, f, r, agent)"]
        case "real slot":
            return [*lines, f"            o{k}[q] = f[{writer.source} + agent]"]
        case "flag":
            return [*lines, f"            o{k}[q] = s[{writer.source} + agent] != 0"]
    return [*lines, f"            o{k}[q] = s[{writer.source} + agent]"]
