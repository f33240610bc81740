"""Games of several as machine code: joint steps of one game or of many, in one call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from griddsl.backends.joint import Array, JointBatch, JointProgram, Writer
from griddsl.backends.native.emit import (
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
from griddsl.backends.native.library import library
from griddsl.backends.native.module import Kernel
from griddsl.backends.workers import Workers
from griddsl.program.ir import Key
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
        self._pool = Workers(threads) if threads > 1 else None

    def step(self, level: int = -1) -> None:
        """Carry out one step of all games, in which those that are done start anew, on a level or one of the spec's."""
        if self._pool is None:
            self._run(level, *self._parts[0])
            return
        self._pool.run(self._run, [(level, *part) for part in self._parts])

    def begin(self, which: Array, level: int = -1) -> None:
        """Start the games that are marked anew, on a level or on one of the spec's; the others stay as they are."""
        self.done[which] = True
        edges = np.flatnonzero(np.diff(which, prepend=False, append=False))
        for low, high in edges.reshape(-1, 2).tolist():
            self._run(level, low, high, 0)

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
    at = layout.offsets
    places = f"(i * {count} + p) * {width} + g"
    over = "True"
    if program.turns == "alternate":
        over = " or ".join(["over", *(f"s[{at['TURN']}] == {player.agent}" for player in players)])
    lines = [
        f"PLAYERS = np.array({[player.agent for player in players]}, dtype=np.int64)",
        *(f"ROWS{k} = np.array({list(w.rows)}, dtype=np.int64)" for k, w in enumerate(joint.writers)),
        *(
            f"PLACE{k} = np.array({_places(joint, w)}, dtype=np.int64)"
            for k, w in enumerate(joint.writers)
            if w.draws
        ),
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
        f"                s[{at['CHOICE']} + k] = -1",
        "            if first:",
        f"                for p in range({count}):",
        f"                    for g in range({width}):",
        f"                        s[{at['CHOICE']} + PLAYERS[p] * {width} + g] = actions[{places}]",
        "            first = False",
        "            step(s, f, r)",
        "            over = True",
        f"            for p in range({count}):",
        f"                q = i * {count} + p",
        "                if alive[q]:",
        f"                    rewards[q] += f[{at['REWARD']} + PLAYERS[p]]",
        f"                    ended[q] = s[{at['TERMINATED']} + PLAYERS[p]] == 1",
        f"                    cut[q] = s[{at['CUT_SHORT']} + PLAYERS[p]] == 1",
        "                    alive[q] = not (ended[q] or cut[q])",
        "                    if alive[q]:",
        "                        over = False",
        "                    else:",
        "                        ends += 1",
        f"            acts = not ({over})",
        "        done[i] = over",
    ]
    if "OUTCOME" in layout.offsets:
        lines += ["        if over:", f"            outcome[i] = s[{at['OUTCOME']}]"]
    lines += _drawn(joint)
    for k, writer in enumerate(joint.writers):
        if not writer.draws:
            lines += _written(k, writer, at)
    return [*lines, *stored(program), "    view_of(out, 1, np.int64)[0] = ends"]


def _drawn(joint: JointProgram) -> list[str]:
    """Return what writes the entries that noise is drawn for: an agent's after another's, of those that take part."""
    drawing = [(k, writer) for k, writer in enumerate(joint.writers) if writer.draws]
    if not drawing:
        return []
    lines = [
        f"        for p in range({len(joint.players)}):",
        f"            q = i * {len(joint.players)} + p",
        "            if alive[q] or ended[q] or cut[q]:",
        "                agent = PLAYERS[p]",
    ]
    for k, writer in drawing:
        place = f"o{k}[w * {writer.size} : (w + 1) * {writer.size}]"
        lines += [
            f"                if PLACE{k}[p] >= 0:",
            f"                    w = i * {len(writer.rows)} + PLACE{k}[p]",
            f"                    o{k}[w] = {writer.source}(s, f, r, agent)"
            if writer.form == "value"
            else f"                    {writer.source}(s, f, r, agent, {place})",
        ]
    return lines


def _places(joint: JointProgram, writer: Writer) -> list[int]:
    """Return each player's row in what is written, -1 for those it is not written for."""
    return [writer.rows.index(p.agent) if p.agent in writer.rows else -1 for p in joint.players]


def _written(k: int, writer: Writer, at: Mapping[Key, int]) -> list[str]:
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
            return [*lines, f"            o{k}[q] = f[{at[writer.slot]} + agent]"]
        case "flag":
            return [*lines, f"            o{k}[q] = s[{at[writer.slot]} + agent] != 0"]
    return [*lines, f"            o{k}[q] = s[{at[writer.slot]} + agent]"]
