"""Values that are found once however often they are asked for, short tables in words, and rounds that write turned."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")


@pytest.mark.parametrize("length", [2, 8, 9, 10, 16, 17, 32])
@pytest.mark.parametrize("most", [1, 3, 15, 40])
def test_packed_entries__are_those_of_the_table(length: int, most: int) -> None:
    """Of tables that one or two words hold, at every index, those outside being the ends; of others it is None."""
    from griddsl.backends.jax.arrays import packed_entries

    values = np.random.default_rng(length * most).integers(-2, most - 1, length)
    values[:2] = -2, most - 2
    index = np.arange(-3, length + 3, dtype=np.int32)
    found = packed_entries(values, index)
    bits = int(most).bit_length()
    assert (found is None) == (-(-length // (32 // bits)) > 2)
    if found is not None:
        np.testing.assert_array_equal(np.asarray(found), values[np.clip(index, 0, length - 1)])


@pytest.mark.parametrize("axes", list(permutations(range(3))))
def test_turn__is_undone(axes: tuple[int, ...]) -> None:
    """Rounds that are put in order and back are what they were, and known ones are turned as others are."""
    from griddsl.backends.jax.output import Turn

    rounds = np.arange(24)
    for flips in product((False, True), repeat=3):
        turn = Turn((2, 3, 4), axes, tuple(axis for axis, flip in enumerate(flips) if flip))
        row = np.asarray(turn.applied(jax.numpy.asarray(rounds)))
        np.testing.assert_array_equal(row, turn.applied(rounds))
        np.testing.assert_array_equal(np.asarray(turn.undone(jax.numpy.asarray(row))), rounds)


@pytest.mark.parametrize("planes", [2, 3, 5])
@pytest.mark.parametrize("seed", range(8))
def test_columns__hold_what_is_written_in_any_order(planes: int, seed: int) -> None:
    """Rounds in several orders, single entries, parts of planes and marks between them, masked and not."""
    from griddsl.backends.jax.output import as_row, blank, mark, put

    draw = np.random.default_rng(seed)
    cells = np.arange(20).reshape(4, 5)
    ways: list[Any] = [cells, cells[::-1], cells[:, ::-1], cells.T, cells[::-1, ::-1].T, cells[1:3]]
    expected = np.full(20 * planes, 7, np.uint8)
    out: Any = blank(jax.numpy.zeros(20 * planes, np.uint8), 20 * planes, np.uint8(7), True)
    for _ in range(12):
        plane, how = int(draw.integers(planes)), int(draw.integers(len(ways) + 2))
        if how == len(ways):
            at, value = int(draw.integers(20 * planes)), np.uint8(draw.integers(99))
            out = put(out, at, jax.numpy.asarray(value), True, planes)
            expected[at] = value
            continue
        if how > len(ways):
            marks, value = draw.random(20) < 0.3, np.uint8(draw.integers(99))
            out = mark(out, jax.numpy.asarray(marks), jax.numpy.asarray(value), planes, plane)
            expected.reshape(20, planes)[marks, plane] = value
            continue
        places = ways[how] * planes + plane
        values = draw.integers(0, 99, places.shape).astype(np.uint8)
        shown: Any = True if draw.random() < 0.3 else draw.random(places.shape) < 0.6
        traced = shown if shown is True else jax.numpy.asarray(shown)
        out = put(out, places, jax.numpy.asarray(values), traced, planes)
        there = np.broadcast_to(shown, places.shape)
        expected[places[there]] = values[there]
    np.testing.assert_array_equal(np.asarray(as_row(out)), expected)


def test_view__looks_for_each_cell_once() -> None:
    """Which cells are seen is asked for what they let through, and again for what is shown: it is found for both."""
    import griddsl.jax

    env = griddsl.jax.make("griddsl/DoorKey-v0", size=8)
    _, state = jax.eval_shape(env.reset, jax.random.PRNGKey(0))
    text = jax.jit(lambda state: env.step(None, state, 2)[:3]).lower(state).as_text()
    cells = [line for line in text.splitlines() if "stablehlo.gather" in line and "tensor<400x" in line]
    assert len(cells) == 2, cells  # after the step, and where the next episode starts


def test_again__tells_apart_what_is_equal() -> None:
    """0.0 and -0.0, 1 and 1.0 and True are not the same, nor are values of two loops."""
    from griddsl.backends.jax.known.again import Again

    again, asked = Again(), 0

    def made() -> int:
        nonlocal asked
        asked += 1
        return asked

    value = jax.numpy.ones(3)
    for part in (0.0, -0.0, 1, 1.0, True, np.int8(1), np.int16(1), np.ones(2), np.ones(2, np.int8)):
        assert again.found("+", [value, part], made) == again.found("+", [value, part], made)
    assert asked == 9 and again.found("-", [value, 0.0], made) == 10
    settled = again.each("settled", [value, value + 1], lambda values: [each + 0 for each in values])
    assert (
        again.each("settled", [settled[0], value], lambda values: pytest.fail(str(values)))
        == [settled[0]] * 2
    )
