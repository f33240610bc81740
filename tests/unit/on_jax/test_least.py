"""Loops in an order: who comes first is found among all at once, and what is found of many rounds is put together."""

from __future__ import annotations

import numpy as np
import pytest

from griddsl.compiler import compiled
from griddsl.program import ir

jax = pytest.importorskip("jax")

SPEC = """
env: test/Bees-v0
object bee: layer bees, edge wrap, weight in 0..3
var told: 0 in 0..9999
generate: empty(9, 9)
setup:
    place bee(weight=random) at every floor where y < 7 with chance 0.4
    place agent at (4, 8)
actions: stay, right
each step:
    each bee by {order}:
        told = (told * 7 + bee.x + 3 * bee.y) mod 10000
        if bee.weight == 2 and told mod 5 == 0: remove bee
        else: move bee (east if bee.weight mod 2 == 0 else south)
observe flat:
    told
    grid as planes (bee)
limit: 30 steps
"""
ORDERS = ["bee.x", "bee.x down", "bee.weight * 9 - bee.y", "bee.y / 2 + bee.x down", "0"]


@pytest.mark.parametrize("order", ORDERS)
def test_order__is_that_of_the_reference(order: str) -> None:
    """A batch of games, each with its own things, walks as the Python backend does one by one."""
    from tests.agreement.in_jax import first_numbers_of_batch

    assert len(first_numbers_of_batch(SPEC.format(order=order), 8)) > 8


@pytest.mark.parametrize("order", ORDERS[:-1])  # where all are equal, nothing is compared
def test_first_by_number__knows_who_comes_first(order: str) -> None:
    """Each loop in an order has one loop that looks for the next, and that goes on while any is found."""
    from griddsl.backends.jax.loops.least import first_by_number
    from griddsl.backends.jax.loops.serial import _gate

    functions = compiled(SPEC.format(order=order)).program.structured.functions
    loops = [each for each in ir.statements(functions["step"].body) if isinstance(each, ir.For)]
    names = {local.name for local in ir.locals_in(functions["step"].body)}
    assert len([loop for loop in loops if first_by_number(loop, dict.fromkeys(names, -1)) is not None]) == 1
    assert [loop for loop in loops if first_by_number(loop, dict.fromkeys(names, 0)) is not None] == []
    assert any(_gate(loop) is not None for loop in loops)


@pytest.mark.parametrize("count", [1, 8, 31, 32, 33, 64, 97, 100, 600, 601])
def test_folding__is_what_one_reduction_gives(count: int) -> None:
    """Parts that come out even and numbers that have none, alone and in a batch, with loops around."""
    from griddsl.backends.jax.loops import folding

    values = np.random.default_rng(count).integers(-999, 999, (3, count, 2)).astype(np.int32)
    for mine, theirs in (
        (folding.least_of, np.min),
        (folding.greatest_of, np.max),
        (lambda rows: folding.total_of(rows, np.int32), np.sum),
        (lambda rows: folding.any_of(rows > 900), lambda rows, axis: (rows > 900).any(axis)),
    ):
        found = jax.jit(jax.vmap(mine))(values)
        assert np.asarray(found).tolist() == theirs(values, axis=1).tolist()
