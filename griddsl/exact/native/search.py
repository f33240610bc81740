"""The native search: the rest of an enumeration under numba, with the numbers, the order and the chances of Python's.

The same generated source runs, its draws replaced by those of `native_draws`. States are rows of one array with a
table of their hashes beside it. numba has no place for the `Affine` step of the Python search, so where rewards are
``a + b * step`` the program is rewritten to keep a and b in slots of their own.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from griddsl.backends.native.emit import source
from griddsl.backends.native.library import numba_module
from griddsl.exact.native.text import FIRED, RETURNED, SLOPE_OF, kernels, row_of, state_type
from griddsl.exact.states.step_need import REWARDS, StepNeed, begins_anew, is_step, reached
from griddsl.program import ir, keys
from griddsl.program.program import Program
from griddsl.program.verify import doubt_of

if TYPE_CHECKING:
    from griddsl.exact.draws import Key

AT_ONCE = 1 << 16  # transitions between two reports
ROOM = 1 << 17  # for the transitions between two reports, and at first for the nodes of chances

Ints = NDArray[np.int64]


class Unsuitable(Exception):
    """The native search cannot go through with a program; nothing was changed."""


class States(Sequence["Key"]):
    """States as rows of arrays, made into tuples when they are asked for."""

    def __init__(self, integers: NDArray[Any], reals: NDArray[np.float64]) -> None:
        self.integers, self.reals = integers, reals

    def __len__(self) -> int:
        return len(self.integers)

    @overload
    def __getitem__(self, index: int) -> Key: ...

    @overload
    def __getitem__(self, index: slice) -> list[Key]: ...

    def __getitem__(self, index: int | slice) -> Key | list[Key]:
        if isinstance(index, slice):
            return list(States(self.integers[index], self.reals[index]))
        return (*self.integers[index].tolist(), *self.reals[index].tolist())

    def __iter__(self) -> Iterator[Key]:
        for first in range(0, len(self), 10_000):
            rows = self.integers[first : first + 10_000].tolist()
            if not self.reals.shape[1]:
                yield from map(tuple, rows)
                continue
            for row, more in zip(rows, self.reals[first : first + 10_000].tolist(), strict=True):
                yield (*row, *more)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        whole = self.integers if not self.reals.shape[1] else np.hstack([self.integers, self.reals])
        return np.array(whole, dtype=dtype or (np.int64 if whole is self.integers else np.float64))


@dataclass(slots=True)
class Found:
    """What a search has found; ``chance`` holds numbers of nodes, and ``chances`` what they are, over and under."""

    states: Sequence[Key] = ()
    outcome: array[int] = field(default_factory=lambda: array("q"))
    source: array[int] = field(default_factory=lambda: array("i"))
    action: array[int] = field(default_factory=lambda: array("i"))
    target: array[int] = field(default_factory=lambda: array("i"))
    chance: array[int] = field(default_factory=lambda: array("i"))
    reward: array[float] = field(default_factory=lambda: array("d"))
    slope: array[float] = field(default_factory=lambda: array("d"))
    chances: list[tuple[int, int]] = field(default_factory=list)
    legal: bytes = b""  # of the states that were not done
    fired: set[int] = field(default_factory=set)
    refusal: str | None = None  # what there was too much of: states, outcomes or runs

    def take(self, columns: list[NDArray[Any]], count: int) -> None:
        """Append the first so many transitions of the kernel's columns."""
        source, action, target, _, chance, reward, slope = (column[:count].tobytes() for column in columns)
        for mine, more in (
            (self.source, source),
            (self.action, action),
            (self.target, target),
            (self.chance, chance),
            (self.reward, reward),
            (self.slope, slope),
        ):
            mine.frombytes(more)


# The program


def _most_fired(program: Program) -> int:
    """Return how many numbers of rules, and of branches behind them, may be noted."""
    statements = (each for function in program.functions.values() for each in ir.statements(function.body))
    return 1 + max((each.rule for each in statements if isinstance(each, ir.Fired)), default=0)


def _rewritten(program: Program, step_need: StepNeed, traced: bool) -> Program:
    """Return what a step and the mask call, with fired rules and the slopes of rewards kept in slots."""
    slots: dict[ir.Key, ir.Slot] = {
        name: ir.Slot(SLOPE_OF + name, type="real", saved=False) for name in (*REWARDS, RETURNED)
    }
    slots[FIRED] = ir.Slot(FIRED, _most_fired(program), saved=False)
    for slot in program.slots:
        if slot.key in REWARDS:
            slots[slot.key] = replace(slots[slot.key], length=slot.length)

    def block(function: ir.Function, statements: ir.Block) -> ir.Block:
        return [made for statement in statements for made in one(function, statement)]

    def one(function: ir.Function, statement: ir.Stmt) -> Iterator[ir.Stmt]:
        match statement:
            case ir.Fired(rule):
                if traced:
                    yield ir.Store(slots[FIRED], ir.const(rule), ir.const(1))
                return
            case ir.If(test, then, otherwise):
                yield ir.If(test, block(function, then), block(function, otherwise))
            case ir.For(name, low, high, body):
                yield ir.For(name, low, high, block(function, body))
            case ir.While(test, body):
                yield ir.While(test, block(function, body))
            case ir.Store(slot, index, value) if affine and slot.key in REWARDS:
                yield ir.Store(slots[slot.key], index, _slope(value, slots))
                yield ir.Store(slot, index, _base(value))
                return
            case ir.Return(values) if affine and function.name == "step":
                yield ir.Store(slots[RETURNED], ir.const(0), _slope(values[0], slots))
                yield ir.Return((_base(values[0]), *values[1:]))
                return
            case _:
                yield statement
        if affine and any(_is_reward(part) for value in ir.values_of(statement) for part in ir.parts(value)):
            raise Unsuitable("a reward that depends on the step is read where it cannot be followed")

    affine = step_need.kind == "reward"
    functions = {
        function.name: replace(function, body=block(function, function.body)) for function in reached(program)
    }
    return replace(program, slots=(*program.slots, *slots.values()), functions=functions)


def _is_reward(value: ir.Expr) -> bool:
    return isinstance(value, ir.Load) and value.slot.key in REWARDS


def _moves(value: ir.Expr) -> bool:
    """Whether a value can depend on the step."""
    return any(is_step(part) or _is_reward(part) for part in ir.parts(value))


def _base(value: ir.Expr) -> ir.Expr:
    """Return a reward as it is in step 0, by the operations that `Affine` has."""
    if is_step(value):
        return ir.Const(0.0, "real")
    if not _moves(value) or _is_reward(value):
        return value
    if isinstance(value, ir.Select) and not _moves(value.test):
        return replace(value, then=_base(value.then), otherwise=_base(value.otherwise))
    if isinstance(value, ir.Op) and value.operator in {"+", "-", "*", "/", "neg"}:
        return replace(value, values=tuple(map(_base, value.values)), type="real")
    raise Unsuitable("a reward that depends on the step is computed in a way that cannot be followed")


def _slope(value: ir.Expr, slots: dict[ir.Key, ir.Slot]) -> ir.Expr:
    """Return what each step adds to a reward, by the operations that `Affine` has."""
    if is_step(value):
        return ir.Const(1.0, "real")
    if not _moves(value):
        return ir.Const(0.0, "real")
    if isinstance(value, ir.Load):
        return ir.load(slots[value.slot.key], value.index)
    if isinstance(value, ir.Select) and not _moves(value.test):
        then, otherwise = _slope(value.then, slots), _slope(value.otherwise, slots)
        return ir.Select(value.test, then, otherwise, "real", value.low, value.high)
    if isinstance(value, ir.Op):
        return _slope_of_operator(value, slots)
    raise Unsuitable("a reward that depends on the step is computed in a way that cannot be followed")


def _slope_of_operator(value: ir.Op, slots: dict[ir.Key, ir.Slot]) -> ir.Expr:
    moving = [_moves(part) for part in value.values]
    if value.operator in {"+", "-", "neg"}:
        if len(moving) == 2 and not moving[1]:
            return _slope(value.values[0], slots)
        if len(moving) == 2 and not moving[0] and value.operator == "+":
            return _slope(value.values[1], slots)
        if len(moving) == 2 and not moving[0]:
            return ir.Op("neg", (_slope(value.values[1], slots),), "real", -ir.UNBOUNDED, ir.UNBOUNDED)
        return replace(value, values=tuple(_slope(part, slots) for part in value.values), type="real")
    if value.operator in {"*", "/"} and sum(moving) == 1 and (value.operator == "*" or moving[0]):
        parts = (
            _slope(part, slots) if moves else part for part, moves in zip(value.values, moving, strict=True)
        )
        return replace(value, values=tuple(parts), type="real")
    raise Unsuitable("a reward that depends on the step is computed in a way that cannot be followed")


# The search


class NativeSearch:
    """A search that goes on where another stands."""

    def __init__(
        self,
        program: Program,
        step_need: StepNeed,
        idle: list[tuple[int, int]],
        actions: list[tuple[int, ...]],
        *,
        traced: bool,
        most_states: int,
    ) -> None:
        if keys.TOTAL in program.layout.offsets:
            raise Unsuitable("sums of rewards are told, which no state differs by")
        if begins_anew(program):
            raise Unsuitable("a step may begin an episode whose setup fails or tries again")
        if (doubt := doubt_of(program)) is not None:
            raise Unsuitable(doubt)
        self.program = _rewritten(program, step_need, traced)
        text = digest() + kernels(self.program, step_need, idle)
        self.module = numba_module(source(self.program, [text], by_address=False))
        self.actions: Ints = np.array(actions, np.int64).reshape(-1)
        self.n_actions = len(actions)
        self.most_states = most_states
        self.row = row_of(self.program, step_need)
        self.dtype = state_type(self.program, step_need)

    def run(
        self, states: Sequence[Key], ends: Sequence[int], done: int, report: Callable[[int, int, int], None]
    ) -> Found:
        """Go on from these states, the first ``done`` of which are done."""
        from griddsl.exact.native import draws as script

        layout, module, most = self.program.layout, self.module, self.most_states
        row, n_reals = self.row, layout.saved_reals
        # Memory that is never written to is never taken, so there is room for all states from the start.
        words = np.zeros((most + 1) * row, np.uint64)
        narrow = words.view(self.dtype)
        reals = np.zeros((most + 1) * n_reals, np.float64)
        outcome = np.zeros(most + 1, np.int64)
        table = np.zeros(1 << (2 * most + 1).bit_length(), np.uint64)
        head = np.zeros(most + 1, np.int32)
        integers = narrow.reshape(most + 1, -1)[:, : layout.saved]
        given = np.array(states, np.float64 if n_reals else np.int64).reshape(len(states), -1)
        integers[: len(states)] = given[:, : layout.saved]
        reals.reshape(most + 1, n_reals)[: len(states)] = given[:, layout.saved :] + 0.0
        outcome[: len(states)] = ends
        counts = np.array([len(states), 0, 1, done, most + 1], np.int64)
        module.states_enrol(counts, outcome, words, narrow, reals, table)
        found = Found()
        columns = _columns(ROOM)
        nodes, names = np.zeros(4 * ROOM, np.int64), np.zeros(2 * ROOM, np.int32)
        initial, initial_reals = self.program.initial()
        s, f = np.array(initial, np.int64), np.array(initial_reals, np.float64)
        r = np.zeros(script.DRAWS, np.int64)
        status = script.PAUSED
        while status == script.PAUSED and counts[script.DONE] < counts[script.STATES]:
            status = module.states_search(
                counts, AT_ONCE, self.actions, outcome, words, narrow, reals, table, head,
                *columns, nodes, names, s, f, r,
            )  # fmt: skip
            if status == script.MORE_TRANSITIONS and not counts[script.TRANSITIONS]:
                columns = _columns(2 * len(columns[0]))
            elif status == script.MORE_NODES:
                fewer, nodes = nodes, np.zeros(2 * len(nodes), np.int64)
                names = np.zeros(len(fewer), np.int32)
                module.nodes_enrol(fewer, counts[script.NODES], nodes, names)
            found.take(columns, int(counts[script.TRANSITIONS]))
            counts[script.TRANSITIONS] = 0
            report(int(counts[script.STATES]), int(counts[script.DONE]), len(found.source))
            if status in {script.MORE_TRANSITIONS, script.MORE_NODES}:
                status = script.PAUSED
        if status == script.LONG:
            raise Unsuitable("one step draws too often")
        found.refusal = {script.FULL: "states", script.WIDE: "outcomes", script.MANY: "runs"}.get(status)
        count = int(counts[script.STATES])
        found.states = States(integers[:count], reals.reshape(most + 1, n_reals)[:count])
        found.outcome.frombytes(outcome[:count].tobytes())
        found.chances = chances_of(nodes[: 4 * int(counts[script.NODES])])
        if self.program.has_mask and found.refusal is None:
            legal = np.zeros(count * self.n_actions, np.uint8)
            out = np.zeros(sum(len(group.actions) for group in self.program.groups), np.int64)
            module.states_legal(done, count, self.actions, narrow, reals, s, f, r, out, legal)
            found.legal = legal[done * self.n_actions :].tobytes()
        fired_at = layout.offsets[FIRED]
        noted = next(slot.length for slot in self.program.slots if slot.key == FIRED)
        found.fired = set(np.flatnonzero(s[fired_at : fired_at + noted]).tolist())
        return found


def digest() -> str:
    """Return a line that names the draws, so that what is kept on disk is compiled anew when they change."""
    draws = Path(__file__).with_name("draws.py").read_bytes()
    return f"# Draws {hashlib.sha256(draws).hexdigest()[:16]}.\n"


def _columns(room: int) -> list[NDArray[Any]]:
    """Return room for transitions: source, action, target, the one before, chance, reward, slope."""
    integers = [np.zeros(room, np.int32) for _ in range(5)]
    return [*integers, np.zeros(room, np.float64), np.zeros(room, np.float64)]


def chances_of(nodes: Ints) -> list[tuple[int, int]]:
    """Return the chance of each node, over and under, by the arithmetic of `Script`."""
    from griddsl.exact.native.draws import LOST, RATIO, WON

    found = [(1, 1)]
    listed = nodes.tolist()
    for kind, parent, x, y in islice(
        zip(listed[1::4], listed[::4], listed[2::4], listed[3::4], strict=True), 1, None
    ):
        over, under = found[parent]
        if kind == RATIO:
            found.append((over * x, under * y))
        elif kind in {WON, LOST}:
            wins, of = float(np.int64(x).view(np.float64)).as_integer_ratio()
            found.append((over * (wins if kind == WON else of - wins), under * of))
        else:
            more, of = found[x]
            found.append((over + more, under) if under == of else (over * of + more * under, under * of))
    return found
