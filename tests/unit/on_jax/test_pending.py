"""Writes of single entries that wait, parts of rows that are laid in, planes that are drawn in part, owed counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from griddsl.program import ir
from tests.unit.on_jax.test_deferring import COUNT, DOWN, KIND
from tests.unit.on_jax.test_lanes import operations

jax = pytest.importorskip("jax")

REMOVED = """
env: test/Removed-v0
object leaf: layer leaves
object twig: layer twigs
object nut: layer nuts
generate: empty(6, 6)
setup:
    place leaf at every floor with chance 0.5
    place twig at every floor with chance 0.5
    place nut at every floor with chance 0.5
    place agent at (0, 0)
actions: right, left, up, down, add
on do add:
    place twig at (0, 0)
on meet leaf: remove leaf
on meet twig: remove twig
on meet nut: remove nut
each step if step mod 7 == 0: remove the leaf with most leaf.x + leaf.y
each step if step mod 5 == 0: place nut at (1, 1)
observe: grid as planes (leaf, twig, nut)
limit: 40 steps
"""


@pytest.mark.parametrize("length", [5, 100, 300])
@pytest.mark.parametrize("seed", range(6))
def test_pending__is_a_row_that_is_written_at_once(length: int, seed: int) -> None:
    """Known and unknown places, the same one again, masks, more writes than may wait, and each entry between them."""
    from griddsl.backends.jax.pending import MOST_WRITES, Pending, noted

    draw = np.random.default_rng(seed)
    games, count = 7, 2 * MOST_WRITES + 3
    row = draw.integers(-9, 9, (games, length)).astype(np.int16)
    few = min(length, 4)  # places, so that writes meet
    places = draw.integers(length - few, length, (games, 5)).astype(np.int32)
    asked = [int(at) for at in draw.integers(0, 7, count)]  # a place that is known from 5 on
    values = draw.integers(-99, 99, (games, count)).astype(np.int32)
    masks = draw.random((games, count)) < 0.6
    always = draw.random(count) < 0.3
    fixed = {5: length - 1, 6: 0}

    @jax.jit
    @jax.vmap
    def found(row: Any, places: Any, values: Any, masks: Any) -> Any:
        ways = [fixed.get(way, places[min(way, 4)]) for way in range(7)]
        ways[:5] = list(places)  # each is one value, whenever it is asked for
        held, seen = row, []
        for number, way in enumerate(asked):
            mask = True if always[number] else masks[number]
            held = noted(held, ways[way], values[number], mask)
            seen.append(jax.numpy.stack([held.pick(at, length, np.int16) for at in ways]))
        assert isinstance(held, Pending) and len(held.writes) <= MOST_WRITES
        return jax.numpy.stack(seen), held.whole()

    seen, whole = map(np.asarray, found(row, places, values, masks))
    for game in range(games):
        ways = [*places[game].tolist(), fixed[5], fixed[6]]
        for number, way in enumerate(asked):
            if always[number] or masks[game, number]:
                row[game, ways[way]] = values[game, number]
            assert seen[game, number].tolist() == row[game, ways].tolist()
    assert whole.tolist() == row.tolist()


def test_owed__ends_where_something_comes() -> None:
    """What goes leaves the count to be found later; a thing that comes, and another count, do not."""
    from griddsl.backends.jax.loops.owing import owed_by

    owed = owed_by(DOWN, True)
    assert owed is not None and (owed.slot, owed.things) == (COUNT, KIND)
    assert not owed.ends_with(KIND.name, -1) and not owed.ends_with("ANOTHER", 1)
    assert owed.ends_with(KIND.name, 0) and owed.ends_with(COUNT.name, -1)
    assert owed.ends_with(KIND.name, jax.numpy.int32(-1))


def test_laid__is_no_scatter() -> None:
    """Under `jax.vmap`, also twice, with one row for all games or one part, and in no pass over all entries."""
    from griddsl.backends.jax.arrays import laid

    rows, parts = np.arange(2400).reshape(2, 3, 400), -np.arange(1, 31).reshape(2, 3, 5)
    expected = rows.copy()
    expected[..., 7:12] = parts
    twice = jax.vmap(jax.vmap(lambda row, part: laid(row, part, 7)))
    assert np.asarray(twice(rows, parts)).tolist() == expected.tolist()
    made = jax.make_jaxpr(twice)(rows, parts)
    text = str(jax.jit(twice).lower(rows, parts).as_text())
    assert not list(operations(made.jaxpr, "scatter"))
    assert "dynamic_update_slice" in text and "scatter" not in text
    one_row = jax.vmap(lambda part: laid(rows[0, 0], part, 7))(parts[0])
    assert np.asarray(one_row)[:, 7:12].tolist() == parts[0].tolist()
    assert np.asarray(one_row)[2, 12:].tolist() == rows[0, 0, 12:].tolist()
    one_part = jax.vmap(lambda row: laid(row, parts[0, 0], 7))(rows[0])
    assert np.asarray(one_part)[1].tolist() == [*rows[0, 1, :7], *parts[0, 0], *rows[0, 1, 12:]]


def test_put__draws_a_part_of_a_plane_in_its_column() -> None:
    """A row of a plane is written to this plane alone; without planes it is written where it is."""
    from griddsl.backends.jax.output import Columns, as_row, in_planes, put

    cell = ir.Local("cell", "int", 0, 11)
    assert in_planes(ir.add(ir.mul(cell, ir.const(5)), ir.const(3))) == (cell, 5, 3)
    places = np.arange(4, 8) * 5 + 3
    row, mask = np.arange(60), np.array([True, False, True, True])
    expected = row.copy()
    expected[places[mask]] = -1
    for planes in (1, 5):
        out = put(jax.numpy.asarray(row), places, jax.numpy.int32(-1), mask, planes)
        assert isinstance(out, Columns) == (planes == 5)
        assert np.asarray(as_row(out)).tolist() == expected.tolist()


def test_owed__counts_are_found_once() -> None:
    """What is removed in several places of a step is counted when somebody asks; states are those of the reference."""
    from tests.agreement.in_jax import batch_beside

    env, games, batch = batch_beside(REMOVED, range(5))
    step = jax.jit(jax.vmap(lambda state, action: env.step_env(None, state, action)))
    draw = np.random.default_rng(3)
    for _ in range(38):
        actions = draw.integers(0, 5, len(games)).astype(np.int32)
        seen, batch, *_ = step(batch, actions)
        for i, game in enumerate(games):
            assert np.asarray(seen[i]).tolist() == game.step(int(actions[i]))[0].tolist()
            after = jax.tree.map(lambda row, i=i: row[i], batch)
            assert env.to_state(after) == game.unwrapped.get_state()
    made = jax.make_jaxpr(lambda state: env.step_env(None, state, 0)[:3])(after)
    assert len(list(operations(made.jaxpr, "reduce_max"))) <= 9  # one for each removal would be 20
