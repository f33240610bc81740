"""A batch as machine code: a step of all in one call, or one for each thread."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from griddsl.backends.batch import RESET, SAME_STEP, SHOW, Batch, Vectors
from griddsl.backends.interface import Array, Interface, Writer
from griddsl.backends.native.emit import (
    at_work,
    initial,
    is_stepped_in_place,
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
from griddsl.program import ir, keys
from griddsl.program.program import Program
from griddsl.program.runtime import SetupFailure

_APART = 16  # entries between those of two workers, so that they do not write to one line of the cache
_KEPT = 10  # the addresses that come before those of what is told


class NativeBatch(Batch):
    """A batch as machine code: states as rows of one compact array, a step one call, or one for each thread."""

    def __init__(self, program: Program, count: int, threads: int = 1) -> None:
        super().__init__(program, count)
        layout, interface = program.layout, self.interface
        kernel = Kernel("run_batch", "aiiiiii" + "a" * (4 + len(interface.observed)), "i")
        text = source(program, _text(interface), apart=is_stepped_in_place(program))
        found = library(text, (kernel,))
        self.kernel = found.kernels["run_batch"]
        self.integers: Array = np.zeros((count, layout.saved), saved_type(program))
        self.integers[:] = program.initial()[0][: layout.saved]
        self.reals: Array = np.zeros((count, layout.saved_reals), np.float64)
        self._which: Array = np.zeros(count, np.bool_)
        threads = max(1, min(threads, count))
        # The whole state of the game that each thread stepped last, with what lasts no longer than a step.
        self._kind = np.dtype(work_type(program))
        self._work: Array = np.zeros((threads, padded(8 * work_size(program))), np.uint8)
        self._work_reals = made_work_reals(program, threads, found)
        kept = [self.integers, self.reals, self.stream, self.done, self._work, self._work_reals]
        # Which game each thread stepped last: where that is kept, and not a copy, it is looked for there.
        self._last: Array = np.zeros(threads * _APART, np.int64)
        self._in_place = is_stepped_in_place(program)
        kept += [self._which, self.outcome, self.alive, self._last]
        assert len(kept) == _KEPT
        kept += [*self.told, *self.final_told, *self.final_leaves]
        self.addresses: Array = np.array([array.ctypes.data for array in kept], np.int64)
        self._parts = shares(count, threads)
        self._pool = Workers(threads) if threads > 1 else None
        players = count * len(program.players)
        # What is given for a step where there is none.
        self._nothing = [np.zeros(players * interface.width, np.int64), np.zeros(players)]
        self._nothing += [np.zeros(players, np.bool_), np.zeros(players, np.bool_)]

    def step(
        self, actions: Array, mode: int, leaves: list[Array], reward: Array, ended: Array, cut: Array
    ) -> int:
        """Carry out one step of all; return how many episodes, or agents' parts in them, ended in it."""
        if not self.interface.is_joint:
            self.check_actions(actions)
        given = (actions, reward, ended, cut, *leaves)
        if self._pool is None:
            return self._run(mode, self.program.next_level, 0, self.count, 0, *given)
        return sum(
            self._pool.run(
                self._run, [(mode, self.program.next_level, *part, *given) for part in self._parts]
            )
        )

    def reset(self, which: Array, level: int, leaves: list[Array]) -> None:
        """Start the games ``which`` anew, on a level or one of the spec's; write what is seen and told of them."""
        self._which[:] = which
        for part in self._parts:
            self._run(RESET, level, *part, *self._nothing, *leaves)

    def show(self, which: Array, leaves: list[Array]) -> None:
        """Write what is seen and told of the games ``which`` as they stand."""
        self._which[:] = which
        for array in self._nothing:
            array.fill(0)
        for part in self._parts:
            self._run(SHOW, -1, *part, *self._nothing, *leaves)

    def _run(self, mode: int, level: int, low: int, high: int, worker: int, *given: Array) -> int:
        """Run the kernel for one worker's part; a failure takes along the state that it left there."""
        try:
            ends: int = self.kernel(self.addresses, self.count, mode, level, low, high, worker, *given)
        except SetupFailure as failure:
            failure.state = self.at_work(worker)[0]
            raise
        return ends

    def at_work(self, worker: int = 0) -> tuple[list[int], list[float]]:
        """Return the whole state of the game that a worker stepped last."""
        layout, kind = self.program.layout, self._kind
        kept = self.integers[self._last[worker * _APART]].tolist() if self._in_place else []
        integers = self._work[worker, : (layout.size - len(kept)) * kind.itemsize].view(kind)
        return kept + integers.tolist(), self._work_reals[worker, : 8 * layout.reals].view(
            np.float64
        ).tolist()

    def vectors(self, index: int) -> Vectors:
        """Return the saved state of one game."""
        return self.integers[index].tolist(), self.reals[index].tolist(), int(self.stream[index])

    def read(self, places: Sequence[int]) -> Array:
        """Return the numbers at some places of the saved state of every game, (games, places)."""
        return self.integers[:, list(places)]

    def put(self, index: int, state: Vectors) -> None:
        """Put one game into a state, in which all take part."""
        self.integers[index], self.reals[index], self.stream[index] = state
        self.done[index], self.alive[index] = False, True

    def state_bytes(self) -> int:
        """Return the bytes that the states take."""
        return self.integers.nbytes + self.reals.nbytes + self.stream.nbytes


def _text(interface: Interface) -> list[str]:
    """Return the kernel of a batch: a step, or in the modes RESET and SHOW that of those that ``which`` names.

    It calls each function of the program once, because all are inlined and what is called twice compiles twice as
    long: where an episode ends and is reset in the same step, the loop goes round again to show the new one.
    What stays from step to step comes as addresses in one array.
    """
    program, layout, players = interface.program, interface.program.layout, len(interface.players)
    observed, told = len(interface.observed), len(interface.told)
    in_place = is_stepped_in_place(program)
    scratch = "scratch[k]" if in_place else f"s[k + {layout.saved}]"
    given = ["p", "n", "mode", "level", "lo", "hi", "worker", "given", "reward", "ended", "cut"]
    given += [f"o{k}" for k in range(observed)]
    return [
        *(_rows(interface) if interface.is_joint else []),
        "",
        f"def run_batch({', '.join(given)}, out):",
        f"    P = view_of(p, {_KEPT + 2 * told + observed}, np.int64)",
        "    R = view_of(P[2], n, np.uint64)",
        "    done = view_of(P[3], n, np.bool_)",
        *at_work(program, "P[4]", "P[5]", in_place),
        f"    last = view_of(P[9], (worker + 1) * {_APART}, np.int64)",
        "    which = view_of(P[6], n, np.bool_)",
        "    outcome = view_of(P[7], n, np.int16)",
        f"    alive = view_of(P[8], n * {players}, np.bool_)",
        f"    actions = view_of(given, n * {players * interface.width}, np.int64)",
        f"    rewards = view_of(reward, n * {players}, np.float64)",
        f"    ends = view_of(ended, n * {players}, np.bool_)",
        f"    cuts = view_of(cut, n * {players}, np.bool_)",
        *([f"    {line}" for line in _arrays(interface)] if interface.is_joint else []),
        "    over = 0",
        "    for i in range(lo, hi):",
        f"        if mode >= {RESET} and not which[i]:",
        "            continue",
        *loaded(program, in_place),
        f"        last[worker * {_APART}] = i",
        "        r = R[i : i + 1]",
        f"        begins = mode == {RESET} or mode <= {SAME_STEP} and done[i]",
        f"        if mode == {SHOW}:",
        f"            for k in range({layout.size - layout.saved}):",
        f"                {scratch} = {initial(program)}[k + {layout.saved}]",
        *_in(8, _joint_turn(interface) if interface.is_joint else _turn(interface)),
        *stored(program, in_place),
        "    view_of(out, 1, np.int64)[0] = over",
    ]


def _in(indent: int, lines: Sequence[str]) -> list[str]:
    return [" " * indent + line for line in lines]


def _turn(interface: Interface) -> list[str]:
    """Return what lets one agent act, and shows what it sees; of an episode that ended twice, where it starts anew."""
    program, groups = interface.program, len(interface.program.groups)
    acts = ", ".join(f"actions[i * {groups} + {g}]" for g in range(groups))
    return [
        "is_final = False",
        f"if mode < {SHOW}:",
        "    gain, ends_now, is_cut, finished = 0.0, False, False, False",
        "    if not begins:",
        f"        a, b, c = step({_state(program)}, {acts})",
        "        gain, ends_now, is_cut = float(a), bool(b), bool(c)",
        "        finished = ends_now or is_cut",
        "    rewards[i] = gain",
        "    ends[i] = ends_now",
        "    cuts[i] = is_cut",
        f"    is_final = finished and mode == {SAME_STEP}",
        f"    done[i] = finished and mode != {SAME_STEP}",
        "    over += finished",
        f"    outcome[i] = {_outcome(program)} + 1 if finished else 0",
        "while True:",
        "    if begins:",
        f"        reset({_state(program)}, level)",
        f"    shift = {len(interface.told)} if is_final else 0",
        *_in(4, _arrays(interface)),
        *_in(4, _shown(interface)),
        "    if not is_final:",
        "        break",
        "    begins, is_final = True, False",
    ]


def _outcome(program: Program) -> str:
    """Return the number of an episode's outcome, 0 where none is told."""
    return f"{_entry(program, keys.OUTCOME)}]" if keys.OUTCOME in program.layout.offsets else "0"


def _state(program: Program) -> str:
    """Return the vectors of a state, as the functions of the program take them."""
    return "s, scratch, f, r" if is_stepped_in_place(program) else "s, f, r"


def _entry(program: Program, key: ir.Key) -> str:
    """Return where a whole number lies, without the bracket that closes."""
    at, saved = program.layout.offsets[key], program.layout.saved
    return f"scratch[{at - saved}" if at >= saved and is_stepped_in_place(program) else f"s[{at}"


def _joint_turn(interface: Interface) -> list[str]:
    """Return what lets several act, and then those that play by themselves, until it is the turn of another."""
    program, width = interface.program, interface.width
    at, count, total = program.layout.offsets, len(interface.players), len(program.agents) * width
    choices, waits = at[keys.CHOICE], "True"
    if program.turns == "alternate":
        waits = " or ".join(
            ["finished", *(f"s[{at[keys.TURN]}] == {each.agent}" for each in interface.players)]
        )
    return [
        "if begins:",
        "    reset(s, f, r, level)",
        f"if mode < {SHOW}:",
        f"    for q in range(i * {count}, (i + 1) * {count}):",
        "        rewards[q], ends[q], cuts[q] = 0.0, False, False",
        "        alive[q] = begins or alive[q]",
        "    finished, first = False, not begins",
        f"    acts = first or not ({waits})",
        "    while acts:",
        f"        for k in range({total}):",
        f"            s[{choices} + k] = -1",
        "        if first:",
        f"            for p in range({count}):",
        f"                for g in range({width}):",
        f"                    s[{choices} + PLAYERS[p] * {width} + g] = actions[(i * {count} + p) * {width} + g]",
        "        first = False",
        "        step(s, f, r)",
        "        finished = True",
        f"        for p in range({count}):",
        f"            q = i * {count} + p",
        "            if alive[q]:",
        f"                rewards[q] += f[{at[keys.REWARD]} + PLAYERS[p]]",
        f"                ends[q] = s[{at[keys.TERMINATED]} + PLAYERS[p]] == 1",
        f"                cuts[q] = s[{at[keys.CUT_SHORT]} + PLAYERS[p]] == 1",
        "                alive[q] = not (ends[q] or cuts[q])",
        "                if alive[q]:",
        "                    finished = False",
        "                else:",
        "                    over += 1",
        f"        acts = not ({waits})",
        "    done[i] = finished",
        f"    outcome[i] = {_outcome(program)} + 1 if finished else 0",
        *_drawn(interface),
        *_shown(interface),
    ]


def _rows(interface: Interface) -> list[str]:
    """Return the numbers of the players, of those that each array has rows for, and each player's row in it."""
    lines = [f"PLAYERS = np.array({[player.agent for player in interface.players]}, dtype=np.int64)"]
    for k, writer in enumerate(interface.writers):
        lines.append(f"ROWS{k} = np.array({list(writer.rows)}, dtype=np.int64)")
        if writer.draws:
            places = [
                writer.rows.index(player.agent) if player.agent in writer.rows else -1
                for player in interface.players
            ]
            lines.append(f"PLACE{k} = np.array({places}, dtype=np.int64)")
    return lines


def _arrays(interface: Interface) -> list[str]:
    """Return what finds the array of each writer; for one agent that of final things where ``is_final``."""
    lines, observed = [], len(interface.observed)
    for k, writer in enumerate(interface.writers):
        if k < observed:
            final = f"P[{_KEPT + 2 * len(interface.told) + k}] if is_final else "
            address = f"{'' if interface.is_joint else final}o{k}"
        else:
            address = f"P[{_KEPT + k - observed}{'' if interface.is_joint else ' + shift'}]"
        lines.append(f"w{k} = view_of({address}, n * {len(writer.rows) * writer.size}, np.{writer.dtype})")
    return lines


def _shown(interface: Interface) -> list[str]:
    """Return what writes all that no noise is drawn for."""
    return [line for k, writer in enumerate(interface.writers) for line in _written(interface, k, writer)]


def _drawn(interface: Interface) -> list[str]:
    """Return what writes the entries that noise is drawn for: an agent's after another's, of those that take part."""
    drawing = [(k, writer) for k, writer in enumerate(interface.writers) if writer.draws]
    if not drawing:
        return []
    count = len(interface.players)
    lines = [
        f"for p in range({count}):",
        f"    q = i * {count} + p",
        "    if alive[q] or ends[q] or cuts[q]:",
        "        agent = PLAYERS[p]",
    ]
    for k, writer in drawing:
        call = _call(interface, k, writer, f"i * {len(writer.rows)} + PLACE{k}[p]", ", agent")
        lines += [f"        if PLACE{k}[p] >= 0:", f"            {call}"]
    return lines


def _written(interface: Interface, k: int, writer: Writer) -> list[str]:
    """Return what writes something for each agent that it is for."""
    if writer.draws:
        return []
    lines, indent, place, agent = [], "", "i", ""
    if interface.is_joint:
        count = len(writer.rows)
        lines = [f"for m in range({count}):", f"    agent, q = ROWS{k}[m], i * {count} + m"]
        indent, place, agent = "    ", "q", ", agent"
    if writer.form in {"array", "value"}:
        return [*lines, indent + _call(interface, k, writer, place, agent)]
    program = interface.program
    is_real = writer.form == "real slot"
    entry = f"f[{program.layout.offsets[writer.slot]}" if is_real else _entry(program, writer.slot)
    number = f"{entry}{' + agent' if agent else ''}]"
    return [*lines, f"{indent}w{k}[{place}] = {number}{' != 0' if writer.form == 'flag' else ''}"]


def _call(interface: Interface, k: int, writer: Writer, place: str, agent: str) -> str:
    """Return what calls the function of a writer for a row of its array."""
    state = _state(interface.program)
    if writer.form == "value":
        return f"w{k}[{place}] = {writer.source}({state}{agent})"
    start = place if " " not in place else f"({place})"
    size = writer.size
    return f"{writer.source}({state}{agent}, w{k}[{start} * {size} : ({start} + 1) * {size}])"
