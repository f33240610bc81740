"""Marches on JAX: cells ask cells that are known but for the direction, and of many places the first few are walked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from griddsl.program import ir

jax = pytest.importorskip("jax")

MARCH = """
env: test/March-v0
object rock: layer rocks, edge wrap
object post: layer posts
var way: east in east | south | west | north
generate: empty(12, 12)
setup:
    place rock at every floor with chance {chance}
    place post at (3, 3)
    place agent at (0, 0)
actions: stay, turn, drop
on do turn:
    choose next in east | south | west | north
    way becomes next
on do drop: place rock at agent
each step:
    each rock by {order}: move rock way
    if any rock where rock.x == 3: reward 1
    if post on rock: reward 2
    each rock where rock.x + rock.y == step mod 23: remove rock
observe: grid as planes (rock, post)
limit: 30 steps
"""


def outside_branches(jaxpr: Any) -> Iterator[Any]:
    """Yield the operations that are carried out in any case: not those of a loop, which may have no round."""
    from jax.extend.core import jaxprs_in_params

    for equation in jaxpr.eqns:
        yield equation
        if equation.primitive.name not in {"cond", "while"}:
            for inner in jaxprs_in_params(equation.params):
                yield from outside_branches(inner)


@pytest.mark.parametrize("chance", ["0.1", "0.6"], ids=["few", "many"])
@pytest.mark.parametrize("order", ["x", "y down", "3 * rock.y - rock.x"])
def test_march__is_that_of_the_reference(order: str, chance: str) -> None:
    """Whoever is ahead goes first or not, over borders that lead to the other side, few of them or many."""
    import griddsl
    import griddsl.jax

    text = MARCH.format(order=order, chance=chance)
    game: Any = griddsl.make(text, backend="python")
    env = griddsl.jax.make(text)
    game.reset(seed=1)
    state = env.from_state(game.unwrapped.get_state())
    step = jax.jit(lambda state, action: env.step_env(None, state, action)[:3])
    draw = np.random.default_rng(2)
    for _ in range(29):
        action = int(draw.integers(0, 3))
        expected, reward, *_ = game.step(action)
        seen, state, paid = step(state, action)
        assert np.asarray(seen).tolist() == expected.tolist()
        assert float(paid) == reward
        assert env.to_state(state) == game.unwrapped.get_state()


def test_march__fetches_nothing_for_each_cell() -> None:
    """What is fetched is fetched for the first few things, and for all places only where there are more."""
    import griddsl.jax

    env = griddsl.jax.make(MARCH.format(order="rock.x", chance="0.2"))
    _, state = env.reset(jax.random.key(0))
    made = jax.make_jaxpr(lambda state: env.step_env(None, state, 0)[:3])(state)
    found = [each.outvars[0].aval for each in outside_branches(made.jaxpr) if each.primitive.name == "gather"]
    assert all(each.size <= 32 for each in found)


@pytest.mark.parametrize("steps", [(1,), (5, -7), (0, 3, -9, 11)])
def test_entries__a_few_steps_away_are_taken_as_whole_rows(steps: tuple[int, ...]) -> None:
    """Also beyond the ends, where anything may be; of many steps each entry is fetched."""
    from griddsl.backends.jax.arrays import entries

    row = jax.numpy.arange(100, 140, dtype=np.int16)
    draw = np.random.default_rng(len(steps))
    places = np.arange(40) + np.asarray(steps)[draw.integers(0, len(steps), 40)]
    inside = (places >= 0) & (places < 40)
    found = np.asarray(entries(row, places, 40, np.int16))
    assert found[inside].tolist() == np.asarray(row)[places[inside]].tolist()
    made = jax.make_jaxpr(lambda row: entries(row, places, 40, np.int16))(row)
    assert "gather" not in {each.primitive.name for each in outside_branches(made.jaxpr)}
    mixed = draw.permutation(40)
    assert entries(row, mixed, 40, np.int16).tolist() == np.asarray(row)[mixed].tolist()


def test_written__a_stretch_of_a_row_stays_in_its_place() -> None:
    """The first few entries are put over the row, under a mask or all of them."""
    from griddsl.backends.jax.arrays import written

    row, values = np.arange(40, dtype=np.int8), np.arange(50, 58, dtype=np.int32)
    mask = np.arange(8) % 3 == 0
    places = np.arange(4, 12)
    for meant in (True, mask):
        expected = row.copy()
        expected[places] = np.where(meant, values, row[places])
        found = jax.jit(lambda row, values, m=meant: written(row, places, values, m))(row, values)
        assert found.dtype == np.int8 and found.tolist() == expected.tolist()


@pytest.mark.parametrize("meant", [True, False])
def test_written__one_value_at_known_places_is_chosen_for_each_entry(meant: bool) -> None:
    """What is the same in all rounds is not fetched for each entry of the row."""
    from griddsl.backends.jax.arrays import written

    def filled(row: Any, value: Any, mask: Any) -> Any:
        return written(row, np.array([3, -1, 11, 7, 12]), value, mask)

    row, value, mask = np.arange(12, dtype=np.int8), np.int32(50), np.bool_(meant)
    expected = np.where(np.isin(row, [3, 7, 11]) & meant, 50, row)
    assert jax.jit(filled)(row, value, mask).tolist() == expected.tolist()
    made = jax.make_jaxpr(filled)(row, value, mask)
    assert "gather" not in {each.primitive.name for each in outside_branches(made.jaxpr)}


@pytest.mark.parametrize("count", [2, 3, 4, 7])
def test_columns__lie_side_by_side(count: int) -> None:
    """Few are put there entry by entry; many are put one behind the other, and turned."""
    from griddsl.backends.jax.output import FEWEST_TURNED, Columns

    columns = np.random.default_rng(count).integers(0, 9, (count, 10)).astype(np.uint8)
    found = jax.jit(lambda rows: Columns(tuple(rows)).row)(columns)
    assert found.tolist() == columns.T.ravel().tolist()
    made = jax.make_jaxpr(lambda rows: Columns(tuple(rows)).row)(columns)
    turned = "transpose" in {each.primitive.name for each in outside_branches(made.jaxpr)}
    assert turned == (count >= FEWEST_TURNED)


def test_ways__are_few_known_rows() -> None:
    """A number with a range of its own, or one from a table; not one that may be much, nor a single place."""
    from griddsl.backends.jax.origins import Origins

    table = ir.table("ROWS", list(range(60)))
    cell = ir.Local("cell", "int", 0, 9)

    def looked_up(most: int, row: Any) -> Any:
        number = ir.Local("number", "int", 0, most)
        given = {"cell": row, "number": jax.numpy.int32(2)}
        value = ir.lookup(table, ir.add(ir.mul(number, ir.const(10)), cell))
        assert isinstance(value, ir.Lookup)
        origins = Origins()

        def find(part: ir.Expr) -> Any:
            assert isinstance(part, ir.Local)
            return given[part.name]

        found = origins.row_of_rows(value, find, np.int32)
        return None if found is None else (found, origins.ways_of(found))

    found, ways = looked_up(3, np.arange(10))
    assert found.tolist() == list(range(20, 30))
    assert list(ways.rows) == [0, 1, 2, 3]
    held = jax.numpy.arange(60) * 2
    assert ways.each(lambda row: held[row]).tolist() == list(range(40, 60, 2))
    assert looked_up(5, np.arange(10)) is None
    assert looked_up(3, 4) is None
