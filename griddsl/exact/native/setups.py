"""Setups natively: every way in which a setup can go, with the states, the order and the chances of `Script.setups`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

from griddsl.backends.native.emit import source
from griddsl.backends.native.library import numba_module
from griddsl.exact.draws import Key, sums, too_many_setups
from griddsl.exact.native.search import Unsuitable, chances_of, digest
from griddsl.exact.states.step_need import StepNeed, reached
from griddsl.program import ir, keys
from griddsl.program.program import Layout, Program
from griddsl.program.verify import doubt_of

AT_ONCE = 4_096  # setups
ROOM = 1 << 14  # for the nodes of chances, at first
REFUSED = (ir.Keep, ir.Restore, ir.Generate)
FEW_AT_ONCE = 64  # rows that are lists before they are tuples: memory that was in use just now is fastest
FAILED = b""  # in place of a state

_TEXT = '''
from griddsl.backends.native.library import kept_by_numba as kernel
from griddsl.exact.native import draws as script
from griddsl.exact.native.draws import chance, draw, odds, weighted

@kernel
def setups_run(counts, integers, reals, failed, chance_of, nodes, names, s, f, r):
    """Run setup in the next ways; write what each leads to, whether it fails, and the node of its chance."""
    runs, known = 0, counts[1]
    status = script.PAUSED
    while runs < len(integers):
        script.begin(r)
        fails = False
        try:
            reset(s, f, r, -1)
        except Exception:
            fails = True
        if r[script.TOO_LONG] != 0:
            status = script.LONG
            break
        if known + r[script.FACTORS] + 1 >= len(nodes) // 4:
            status = script.MORE_NODES
            break
        chance_of[runs], known = script.chance_of_run(r, nodes, names, known)
        failed[runs] = fails
        for k in range({saved}):
            integers[runs, k] = s[k]
        for k in range({reals}):
            reals[runs, k] = f[k]
        runs += 1
        if not script.advance(r):
            status = script.ENDED
            break
    counts[0], counts[1] = runs, known
    return status


@kernel
def nodes_enrol(nodes, count, after, names):
    """Write the nodes of chances that there are already into larger room."""
    for number in range(1, count):
        script.node_of(
            after, names, number, nodes[4 * number], nodes[4 * number + 1], nodes[4 * number + 2], nodes[4 * number + 3]
        )
'''


def setups(
    program: Program,
    need: StepNeed,
    idle: list[tuple[int, int]],
    most: int,
    words: Callable[[list[Key]], list[str]],
) -> tuple[dict[Key, Fraction], Fraction]:
    """Return the states that setup can lead to with their chances, and the chance that it fails.

    Raises `Unsuitable` for a setup that tries again or is drawn by a generator, and `TooManyStatesError` beyond
    ``most`` ways to run it; ``words`` says of the states found by then what there is many of.
    """
    functions = {function.name: function for function in reached(program, ["reset"])}
    statements = [each for function in functions.values() for each in ir.statements(function.body)]
    if program.plug_ins or any(isinstance(each, REFUSED) for each in statements):
        raise Unsuitable("its setup is one that only Python can run in every way")
    if (doubt := doubt_of(program)) is not None:
        raise Unsuitable(doubt)
    layout = program.layout
    runs = _runs(replace(program, functions=functions), need, idle)
    chances = sums(_at_most(most, runs, lambda rows: words(_keys(rows, layout))))
    failed = chances.pop(FAILED, Fraction(0))
    return dict(zip(_keys(list(chances), layout), chances.values(), strict=True)), failed


def _at_most(
    most: int, runs: Iterator[tuple[bytes, tuple[int, int]]], words: Callable[[list[bytes]], list[str]]
) -> Iterator[tuple[bytes, tuple[int, int]]]:
    """Yield what runs lead to; raise `TooManyStatesError` beyond a number of them."""
    met: list[bytes] = []
    for row, chance in runs:
        if len(met) == most:
            done = [each for each in met if each != FAILED]
            raise too_many_setups(most, done, words(done))
        met.append(row)
        yield row, chance


def _keys(rows: list[bytes], layout: Layout) -> list[Key]:
    """Return states of their rows."""
    found: list[Key] = []
    for first in range(0, len(rows), FEW_AT_ONCE):
        part = rows[first : first + FEW_AT_ONCE]
        words = np.frombuffer(b"".join(part), np.int64).reshape(len(part), -1)
        integers = words[:, : layout.saved].tolist()
        reals = words[:, layout.saved :].copy().view(np.float64).tolist()
        found += (
            map(tuple, map(list.__add__, integers, reals)) if layout.saved_reals else map(tuple, integers)
        )
    return found


def _runs(
    program: Program, need: StepNeed, idle: list[tuple[int, int]]
) -> Iterator[tuple[bytes, tuple[int, int]]]:
    """Yield the state of each run as the bytes of its row, `FAILED` where it fails, and its chance as over and under.

    Bytes are hashed and compared many times as fast as tuples of as many numbers.
    """
    from griddsl.exact.native import draws as script

    layout = program.layout
    text = digest() + _TEXT.format(saved=layout.saved, reals=layout.saved_reals)
    module = numba_module(source(program, [text], by_address=False))
    integers, reals = np.zeros((AT_ONCE, layout.saved), np.int64), np.zeros((AT_ONCE, layout.saved_reals))
    failed, chance_of = np.zeros(AT_ONCE, np.bool_), np.zeros(AT_ONCE, np.int64)
    nodes, names = np.zeros(4 * ROOM, np.int64), np.zeros(2 * ROOM, np.int32)
    initial, initial_reals = program.initial()
    s, f = np.array(initial, np.int64), np.array(initial_reals, np.float64)
    r, counts = np.zeros(script.DRAWS, np.int64), np.array([0, 1], np.int64)
    status = script.PAUSED
    while status != script.ENDED:
        status = module.setups_run(counts, integers, reals, failed, chance_of, nodes, names, s, f, r)
        if status == script.LONG:
            raise Unsuitable("one setup draws too often")
        count = int(counts[0])
        rows = np.empty((count, layout.saved + layout.saved_reals), np.int64)
        rows[:, : layout.saved] = integers[:count]
        rows[:, layout.saved :] = (reals[:count] + 0.0).view(np.int64)  # of two zeros there is one
        for at, value in idle:
            rows[:, at] = value
        step_at = layout.offsets.get(keys.STEP, -1)
        if step_at >= 0 and need.kind != "whole":
            rows[:, step_at] %= need.period
        chances = chances_of(nodes[: 4 * int(counts[1])])
        data, width = rows.tobytes(), rows.shape[1] * rows.itemsize
        ways = zip(failed[:count].tolist(), chance_of[:count].tolist(), strict=True)
        for number, (fails, node) in enumerate(ways):
            yield FAILED if fails else data[number * width : (number + 1) * width], chances[node]
        if status == script.MORE_NODES:
            fewer, nodes = nodes, np.zeros(2 * len(nodes), np.int64)
            names = np.zeros(len(fewer), np.int32)
            module.nodes_enrol(fewer, counts[1], nodes, names)
