"""The table backend: a program whose states can be enumerated becomes look-ups.

It runs programs that draw whole numbers below a few thousand (`draw`, `odds`, `weighted`), whose observations and
infos depend on the saved state alone, and that read the count of steps for their limit only. Each state and action
has the tree of its draws, so that the stream and the trajectories are those of the reference backend, bit for bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from griddsl.backends.batch import (
    DISABLED,
    NEXT_STEP,
    SAME_STEP,
    Array,
    Extras,
    Vectors,
    action_counts,
    check_actions,
    info_dtype,
    leaf_ports,
    make_leaves,
)
from griddsl.backends.python import Machine, build
from griddsl.program import drawing, ir, runtime
from griddsl.program.observing import is_noisy
from griddsl.program.program import Program
from griddsl.program.stream import next_words

BOUND = 4_000_000  # runs of the program, which are at least one a state and action
AUTO_BOUND = 20_000  # for a batch, which is used long
SINGLE_BOUND = 10_000  # for one environment, whose first step should not wait: a tenth of a second
MOST_STATES = 200_000
MOST_DRAWN = 4_096
MOST_DRAWS = 64  # in one step or reset
BEFORE = -(10**9)

Key: TypeAlias = tuple[tuple[int, ...], tuple[float, ...]]
Tree: TypeAlias = "tuple[int, float, bool, bool, int] | list[Any]"


class Unsuitable(ValueError):
    """The program, or a state that it is put into, is not one for tables; the message says why."""


class _Branch(Exception):
    """A draw that the script has no number for: the branches by what is drawn."""

    def __init__(self, branches: Sequence[int]) -> None:
        self.branches = branches


def refusal(program: Program) -> str | None:
    """Return why a program is none for tables, where that can be seen without running it."""
    if program.plug_ins:
        return f"{next(iter(program.plug_ins.values()))}, as Python"
    if any(not entry.function for entry in program.info) or "HIDDEN_REWARD" in program.layout.offsets:
        return "its rules write infos, which are no part of the state"
    if any(leaf.form in {"pixels", "text", "mission"} for leaf in program.observation.leaves):
        return "it observes pixels or texts"
    if is_noisy(program):
        return "it observes with noise, which is drawn anew each time"
    if "STEP" in program.layout.offsets and _reads_steps(program):
        return "it uses the count of steps for more than its limit"
    return None


def _reads_steps(program: Program) -> bool:
    for name, function in program.functions.items():
        for statement in ir.statements(function.body):
            if isinstance(statement, ir.Store) and statement.slot.key == "STEP" and name == "step":
                continue
            for value in ir.values_of(statement):
                if name == "step" and isinstance(statement, ir.Return) and _is_limit(value):
                    continue
                if any(isinstance(part, ir.Load) and part.slot.key == "STEP" for part in ir.parts(value)):
                    return True
    return False


def _is_limit(value: ir.Expr) -> bool:
    """Whether a value is the test of the limit, alone or beside `truncate`."""
    if isinstance(value, ir.Op) and value.operator == "or":
        return any(_is_limit(part) for part in value.values)
    return (
        isinstance(value, ir.Op)
        and value.operator == ">="
        and isinstance(value.values[0], ir.Load)
        and value.values[0].slot.key == "STEP"
        and isinstance(value.values[1], ir.Const)
    )


class Table:
    """The states of a program that were met, what each shows, and the tree of draws of each step and reset.

    A tree is the list of its branches by the number drawn, or a leaf: the next state, the reward, whether the
    episode ended or was cut by a rule, and the outcome. States that an episode ends in are expanded when they are
    stepped from.
    """

    def __init__(self, program: Program, bound: int) -> None:
        self.program = program
        self._bound, self._runs = bound, 0
        self._script: list[int] = []
        self._position = 0
        self._machine = self._scripted()
        self._s, self._f, self._r = self._machine.new_state()
        self._ports = [port for _, port in leaf_ports(program)]
        self._at_step = program.layout.offsets.get("STEP", -1)
        self._at_outcome = program.layout.offsets.get("OUTCOME", -1)
        self.actions = list(product(*(range(len(group.actions)) for group in program.groups)))
        self.states: list[Key] = []
        self.numbers: dict[Key, int] = {}
        self.trees: list[Tree | None] = []  # a state's trees, one an action, state after state
        self.resets: dict[int, Tree] = {}
        self.seen: list[tuple[Any, ...]] = []  # what the ports show in a state: a number or a list each
        self.columns: list[list[Any]] = [[] for _ in self._ports]  # the same by port, as numbers and arrays
        self.masks: list[list[int]] = []
        self.mask_arrays: list[Array] = []
        self.infos: list[tuple[Any, ...]] = []
        self._is_end: list[bool] = []
        self._flat: Flat | None = None

    def _scripted(self) -> Machine:
        def choose(branches: Sequence[int]) -> int:
            if self._position == len(self._script):
                raise _Branch(branches)
            self._position += 1
            return self._script[self._position - 1]

        def draw(r: Any, n: int) -> int:
            if n > MOST_DRAWN:
                raise Unsuitable(f"it draws among {n:,} numbers at once")
            return choose(range(n))

        def odds(r: Any, wins: int, of: int) -> bool:
            if of > MOST_DRAWN:
                raise Unsuitable(f"a chance has the denominator {of:,}")
            return bool(choose([int(drawn < wins) for drawn in range(of)]))

        def weighted(r: Any, totals: Sequence[int]) -> int:
            if totals[len(totals) - 1] > MOST_DRAWN:
                raise Unsuitable(f"weights sum to {totals[len(totals) - 1]:,}")
            bounds = np.asarray(totals)
            return choose(np.searchsorted(bounds, np.arange(bounds[-1]), side="right").tolist())

        def chance(r: Any, p: float) -> bool:
            raise Unsuitable("a chance is computed as it runs")

        return build(self.program, draw=draw, odds=odds, weighted=weighted, chance=chance, **self._carved())

    @staticmethod
    def _carved() -> dict[str, Any]:
        def carve(*_: Any) -> None:
            raise Unsuitable("its map is drawn at random")

        return dict.fromkeys(drawing.LOOPS, carve)

    def reset_tree(self, level: int) -> Tree:
        """Return the tree of a reset on a level."""
        if level not in self.resets:
            self._flat = None
            self.resets[level] = self._tree(None, (level,), [])
            self.expand()
        return self.resets[level]

    def number(self, integers: Sequence[int], reals: Sequence[float]) -> int:
        """Return the number of a state, expanded; a state that was never met joins the table."""
        number = self._met(self.key(integers, reals), False)
        self.expand(number)
        return number

    def key(self, integers: Sequence[int], reals: Sequence[float]) -> Key:
        """Return a saved state without its count of steps."""
        kept = list(integers)
        if self._at_step >= 0:
            kept[self._at_step] = 0
        return tuple(kept), tuple(reals)

    def expand(self, number: int | None = None) -> None:
        """Find the trees of all states that episodes go on in, and of one more state."""
        if number is not None and self._is_end[number]:
            self._is_end[number] = False
            self._expand_one(number)
        while (todo := self._next_todo()) is not None:
            self._expand_one(todo)

    def allow_more(self) -> None:
        """Lift the bound for what is expanded later: states after the end of an episode, and states put in."""
        self._bound = self._runs + BOUND

    _cursor = 0

    def _next_todo(self) -> int | None:
        while self._cursor < len(self.states):
            at = self._cursor
            self._cursor += 1
            if not self._is_end[at] and self.trees[at * len(self.actions)] is None:
                return at
        return None

    def _expand_one(self, at: int) -> None:
        self._flat = None
        count = len(self.actions)
        for index, action in enumerate(self.actions):
            if self.trees[at * count + index] is None:
                self.trees[at * count + index] = self._tree(self.states[at], action, [])

    def _tree(self, state: Key | None, arguments: tuple[int, ...], script: list[int]) -> Tree:
        """Run a step from a state, or a reset, for all that can be drawn."""
        if len(script) > MOST_DRAWS:
            raise Unsuitable(f"it draws more than {MOST_DRAWS} times in a row")
        self._runs += 1
        if self._runs > self._bound:
            raise Unsuitable(f"its states were not enumerated by {self._bound:,} steps")
        self._script, self._position = script, 0
        s, f, layout = self._s, self._f, self.program.layout
        functions = self._machine.functions
        s[:], f[:] = self._machine.initial, self._machine.initial_reals
        try:
            if state is None:
                functions["reset"](s, f, self._r, *arguments)
                result: tuple[float, bool, bool] = (0.0, False, False)
            else:
                s[: layout.saved], f[: layout.saved_reals] = state
                if self._at_step >= 0:
                    s[self._at_step] = BEFORE
                result = functions["step"](s, f, self._r, *arguments)
        except _Branch as branch:
            known: dict[int, Tree] = {}
            for drawn in branch.branches:
                if drawn not in known:
                    known[drawn] = self._tree(state, arguments, [*script, drawn])
            return [known[drawn] for drawn in branch.branches]
        reward, ended, cut = result
        if self._at_step >= 0:
            s[self._at_step] = 0
        outcome = s[self._at_outcome] if self._at_outcome >= 0 else 0
        seen = self._shown()
        key = (tuple(s[: layout.saved]), tuple(f[: layout.saved_reals]))
        at = self._met(key, bool(ended or cut))
        if seen != (self.seen[at], self.masks[at], self.infos[at]):
            raise Unsuitable("what it shows depends on more than the saved state")
        return at, float(reward), bool(ended), bool(cut), outcome

    def _met(self, key: Key, is_end: bool) -> int:
        number = self.numbers.get(key)
        if number is None:
            number = len(self.states)
            if number >= MOST_STATES:
                raise Unsuitable(f"it has more than {MOST_STATES:,} states")
            self.states.append(key)
            self.numbers[key] = number
            self._is_end.append(is_end)
            self.trees.extend([None] * len(self.actions))
            self._show(key)
        elif self._is_end[number] and not is_end:
            self._is_end[number] = False
            self._cursor = min(self._cursor, number)
        return number

    def _show(self, key: Key) -> None:
        layout = self.program.layout
        self._s[: layout.saved], self._f[: layout.saved_reals] = key
        self._s[layout.saved :] = self._machine.initial[layout.saved :]
        seen, mask, info = self._shown()
        self.seen.append(seen)
        for column, value, port in zip(self.columns, seen, self._ports, strict=True):
            column.append(value if port.is_value else np.array(value, port.dtype).reshape(port.shape))
        self.masks.append(mask)
        self.mask_arrays.append(np.array(mask, np.int8))
        self.infos.append(info)

    def _shown(self) -> tuple[tuple[Any, ...], list[int], tuple[Any, ...]]:
        s, f, r, functions = self._s, self._f, self._r, self._machine.functions
        seen: list[Any] = []
        for port in self._ports:
            if port.is_value:
                seen.append(functions[port.function](s, f, r))
            else:
                out: list[float] = [0] * port.size
                functions[port.function](s, f, r, out)
                seen.append(out)
        mask = [1] * sum(len(group.actions) for group in self.program.groups)
        if self.program.has_mask:
            functions["mask"](s, f, r, mask)
        info = tuple(functions[entry.function](s, f, r) for entry in self.program.info)
        return tuple(seen), mask, info

    def flat(self) -> Flat:
        """Return the trees as arrays."""
        if self._flat is None:
            self._flat = Flat(self)
        return self._flat


class Flat:
    """Trees as arrays of nodes; those of a state and an action come first, state after state.

    A node is one word. A leaf is ``next << 16 | outcome << 2 | cut << 1 | ended``, its outcome one more than the
    program's number, and its reward in ``gain``. Where something is drawn it is ``~(first << 13 | size)``: its
    branches are the nodes ``branches[first : first + size]``.
    """

    def __init__(self, table: Table) -> None:
        words, gain, branches = [0] * len(table.trees), [0.0] * len(table.trees), [0]
        known: dict[Any, int] = {}

        def write(tree: Tree, at: int) -> None:
            if tree.__class__ is tuple:
                state, gain[at], ended, cut, outcome = tree
                words[at] = state << 16 | outcome + 1 << 2 | cut << 1 | ended
            else:
                inner = [node(part) for part in tree]
                words[at] = ~(len(branches) << 13 | len(inner))
                branches.extend(inner)

        def node(tree: Any) -> int:
            name = tree if tree.__class__ is tuple else id(tree)
            if name not in known:
                known[name] = len(words)
                words.append(0)
                gain.append(0.0)
                write(tree, known[name])
            return known[name]

        for at, tree in enumerate(table.trees):
            if tree is not None:
                write(tree, at)
        self.resets = {level: node(tree) for level, tree in table.resets.items()}
        self.words: Array = np.array(words, np.int64)
        self.gain: Array = np.array(gain, np.float64)
        self.branches: Array = np.array(branches, np.int32)
        self.is_sure = min(words[: len(table.trees)]) >= 0
        self.leaves: list[Array] = [
            np.array([seen[k] for seen in table.seen], port.dtype)
            for k, (_, port) in enumerate(leaf_ports(table.program))
        ]
        self.masks: Array = np.array(table.masks, np.int8)
        self.infos: list[Array] = [
            np.array([info[k] for info in table.infos], info_dtype(entry.form))
            for k, entry in enumerate(table.program.info)
        ]
        # The same in columns, for steps by numpy; a branching node has a size.
        is_leaf = self.words >= 0
        self.size: Array = np.where(is_leaf, 0, ~self.words & 0x1FFF)
        self.first: Array = np.where(is_leaf, 0, ~self.words >> 13)
        self.next: Array = np.where(is_leaf, self.words >> 16, 0)
        self.outcome: Array = np.where(is_leaf, self.words >> 2 & 0x3FFF, 0).astype(np.int16)
        self.ended: Array = is_leaf & (self.words & 1 != 0)
        self.cut: Array = is_leaf & (self.words & 2 != 0)


_tables: dict[str, Table | str] = {}


def affordable(program: Program, bound: int) -> int:
    """Return how many runs take the time of ``bound`` runs of a small program: each copies and shows the state."""
    observed = sum(port.size for _, port in leaf_ports(program))
    return bound // (1 + (program.layout.size + observed) // 50)


def tabled(program: Program, bound: int) -> Table | str:
    """Return the table of a program, made once for equal programs; or why there is none."""
    key = f"{_identity(program)}:{bound}"
    if key not in _tables:
        if len(_tables) >= 64:
            _tables.clear()
        try:
            table = Table(program, bound)
            for level in range(-1, len(program.levels) if len(program.levels) > 1 else 0):
                table.reset_tree(level)
            table.allow_more()
            _tables[key] = table
        except (Unsuitable, RecursionError) as reason:
            _tables[key] = str(reason)
        except runtime.SetupFailure:
            _tables[key] = "its setup can fail"
    return _tables[key]


def _identity(program: Program) -> str:
    import hashlib

    digest = hashlib.sha256(program.source().encode())
    for table in program.tables:
        digest.update(f"{table.name}:{table.type}".encode() + np.asarray(table.values, dtype=float).tobytes())
    digest.update(
        repr(program.initial()).encode()
        + repr((program.limit, program.outcomes, program.info, program.groups, program.observation)).encode()
    )
    return digest.hexdigest()


# Batches


_LOW, _ONE, _32 = np.uint64(runtime.LOW), np.uint64(1), np.uint64(32)


def draw_many(stream: Array, n: Array) -> Array:
    """Return `draw(r, n)` of each stream, which moves on: ``stream`` uint64, ``n`` whole numbers above 0."""
    size = n.view(np.uint64)
    m = next_words(stream) >> _32
    m *= size
    # Few are that low, and the exact bound, a remainder, is the costliest operation of all.
    again = np.flatnonzero((m & _LOW) < size)
    again = again[(m[again] & _LOW) < (_LOW + _ONE - size[again]) % size[again]]
    while len(again):
        part = stream[again]
        m[again] = (next_words(part) >> _32) * size[again]
        stream[again] = part
        again = again[(m[again] & _LOW) < (_LOW + _ONE - size[again]) % size[again]]
    m >>= _32
    return m.view(np.int64)


@lru_cache(maxsize=1)
def _kernel() -> Any:
    """Return the kernel of a step under numba; None where numba is not installed."""
    from griddsl.backends.native_library import is_installed, library
    from griddsl.backends.native_module import Kernel, Text

    if not is_installed():
        return None
    text = Path(__file__).with_name("table_kernel.py").read_text(encoding="utf-8")
    return library(Text("the step on tables", text), (Kernel("step", "aiaiaaaa", "i"),)).kernels["step"]


class TableBatch:
    """A batch whose states are numbers: a step is a few gathers, by numba where it is installed, else by numpy."""

    def __init__(self, program: Program, table: Table, count: int, with_numba: bool = True) -> None:
        self.program, self.count, self.table = program, count, table
        self._kernel: Any = _kernel() if with_numba else None
        self._ports = [port for _, port in leaf_ports(program)]
        # Numpy gathers by words of the machine and would convert anything else first.
        self.at: Array = np.zeros(count, np.intp if self._kernel is None else np.int32)
        self.steps: Array = np.zeros(count, np.int64)
        self.stream: Array = np.zeros(count, np.uint64)
        self.done: Array = np.zeros(count, np.bool_)
        self._final_at = np.zeros_like(self.at)
        self._nodes: Array = np.zeros(count, np.int64)
        self._met: Array = np.zeros(count, np.int64)
        self._over: Array = np.zeros(count, np.bool_)
        self.now, self.final = Extras(program, count), Extras(program, count)
        self.final_leaves = make_leaves(program, count)
        self._counts = action_counts(program, count)
        self._radix = [len(group.actions) for group in program.groups]
        self._actions = len(table.actions)
        self._limit = program.limit if program.limit is not None else 2**62
        self._before_limit = 0  # for so many steps no environment comes to its limit
        self._counts_steps = "STEP" in program.layout.offsets
        # A single number that is observed, the usual case, is written by the kernel itself.
        self._is_number = bool(self._ports) and self._ports[0].is_value
        is_alone = len(self._ports) == 1 and not program.has_mask and not program.info
        self._is_written = self._kernel is not None and self._is_number and is_alone
        self._point()

    def _point(self) -> None:
        """Let the kernel know where the arrays lie."""
        flat = self._flat = self.table.flat()
        kept = [flat.words, flat.gain, flat.branches, flat.leaves[0] if self._is_number else self.at]
        kept += [self.at, self.steps, self.stream, self.done, self.now.outcome, self._final_at]
        self._kept = kept
        numbers = [array.ctypes.data for array in kept]
        numbers += [flat.resets.get(-1, 0), self._limit, self._actions, len(flat.words)]
        numbers += [len(self.table.states), int(self._is_number), len(flat.branches)]
        numbers += [self._nodes.ctypes.data, self._met.ctypes.data, int(flat.is_sure)]
        self._addresses: Array = np.array(numbers, np.int64)

    def reset(self, which: Array, level: int, leaves: list[Array]) -> None:
        """Reset the environments ``which``; write the observations and extras of all."""
        if which.any():
            self.table.reset_tree(level)
            if self._flat is not self.table.flat():
                self._point()
            rows = np.flatnonzero(which)
            nodes = np.full(len(rows), self._flat.resets[level], np.intp)
            self.at[rows] = self._flat.next[self._walked(nodes, rows)]
            self.steps[rows] = 0
            self.done[rows] = False
        self._write(leaves, self.at, self.now)

    def _walked(self, nodes: Array, rows: Array | None) -> Array:
        """Return the leaves that draws lead to from nodes; ``rows`` are the environments, None for all."""
        flat = self._flat
        sizes = flat.size.take(nodes)
        if rows is None and sizes.all():
            nodes = flat.branches.take(flat.first.take(nodes) + draw_many(self.stream, sizes))
            sizes = flat.size.take(nodes)
        while sizes.any():
            inner = np.flatnonzero(sizes)
            where = inner if rows is None else rows[inner]
            stream = self.stream[where]
            drawn = draw_many(stream, sizes[inner])
            self.stream[where] = stream
            nodes = nodes.astype(np.intp)
            nodes[inner] = flat.branches[flat.first[nodes[inner]] + drawn]
            sizes = flat.size.take(nodes)
        return nodes

    def step(
        self, actions: Array, mode: int, leaves: list[Array], reward: Array, ended: Array, cut: Array
    ) -> int:
        """Carry out one step of all; return how many episodes ended."""
        if len(self._radix) > 1:
            check_actions(self.program, self._counts, actions)
            rows = actions.reshape(self.count, -1)
            chosen = np.ascontiguousarray(np.ravel_multi_index(tuple(rows.T), tuple(self._radix)))
        else:
            chosen = actions
        if mode == DISABLED:
            self._expand_ends()
        if self._flat is not self.table.flat():
            self._point()
        if self._kernel is not None:
            first = leaves[0] if self._is_number else chosen
            over: int = self._kernel(self._addresses, self.count, chosen, mode, first, reward, ended, cut)
            if over < 0:
                check_actions(self.program, self._counts, actions)
        else:
            if np.maximum.reduce(chosen.view(np.uint64)) >= self._actions:
                check_actions(self.program, self._counts, actions)
            over = self._gathered(chosen, mode, reward, ended, cut)
        if over and mode == SAME_STEP:
            self._write(self.final_leaves, self._final_at, self.final)
        if not self._is_written:
            self._write(leaves, self.at, self.now)
        return over

    def _expand_ends(self) -> None:
        """Expand the states that episodes ended in and that are stepped from all the same."""
        if self.done.any():
            for number in np.unique(self.at[self.done]).tolist():
                self.table.expand(number)

    def _gathered(self, chosen: Array, mode: int, reward: Array, ended: Array, cut: Array) -> int:
        """Carry out one step by numpy: as few gathers as there are things to know."""
        flat, at, nodes = self._flat, self.at, self._nodes
        np.multiply(at, self._actions, out=nodes)
        nodes += chosen
        resets = self.done.nonzero()[0] if mode == NEXT_STEP and np.count_nonzero(self.done) else ()
        if len(resets):
            nodes[resets] = flat.resets[-1]
        if len(resets) or not flat.is_sure:
            nodes = self._walked(nodes, None)
        flat.next.take(nodes, out=at, mode="clip")
        flat.gain.take(nodes, out=reward, mode="clip")
        flat.ended.take(nodes, out=ended, mode="clip")
        flat.cut.take(nodes, out=cut, mode="clip")
        if self._counts_steps:
            self._count(resets, cut)
        over = np.logical_or(ended, cut, out=self._over if mode == SAME_STEP else self.done)
        count = int(np.count_nonzero(over))
        if count:
            rows = over.nonzero()[0]
            self.now.outcome.fill(0)
            self.now.outcome[rows] = flat.outcome[nodes[rows]]
            if mode == SAME_STEP:
                self._final_at[rows] = at[rows]
                starts = np.full(len(rows), flat.resets[-1], np.intp)
                at[rows] = flat.next[self._walked(starts, rows)]
                self.steps[rows] = 0
        return count

    def _count(self, resets: Any, cut: Array) -> None:
        """Count the steps; cut the episodes that come to their limit."""
        self.steps += 1
        if len(resets):
            self.steps[resets] = 0
        if self._before_limit:
            self._before_limit -= 1
        else:
            cut |= self.steps >= self._limit
            self._before_limit = max(0, self._limit - int(self.steps.max()) - 1)

    def _write(self, leaves: list[Array], at: Array, extras: Extras) -> None:
        flat = self._flat
        for leaf, values in zip(leaves, flat.leaves, strict=True):
            np.take(values, at, axis=0, out=leaf, mode="clip")
        if self.program.has_mask:
            np.take(flat.masks, at, axis=0, out=extras.mask, mode="clip")
        for kept, values in zip(extras.values, flat.infos, strict=True):
            np.take(values, at, out=kept, mode="clip")

    def vectors(self, index: int) -> Vectors:
        """Return the saved state of one environment."""
        integers, reals = self.table.states[self.at[index]]
        kept = list(integers)
        if self._counts_steps:
            kept[self.program.layout.offsets["STEP"]] = int(self.steps[index])
        return kept, list(reals), int(self.stream[index])

    def put(self, index: int, state: Vectors) -> None:
        """Put one environment into a state."""
        integers, reals, self.stream[index] = state
        self.at[index] = self.table.number(integers, reals)
        if self._counts_steps:
            self.steps[index] = integers[self.program.layout.offsets["STEP"]]
        self.done[index] = False
        self._before_limit = 0
        if self._flat is not self.table.flat():
            self._point()

    def state_bytes(self) -> int:
        """Return the bytes that the states take."""
        return self.at.nbytes + self.steps.nbytes + self.stream.nbytes
