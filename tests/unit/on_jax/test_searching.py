"""Loops over things of which few are meant: only those have a round, in the order in which they are meant."""

from __future__ import annotations

import pytest

from griddsl.program import ir

jax = pytest.importorskip("jax")

SPEC = """
env: test/Boxes-v0
object box: layer boxes, edge wrap, weight in 0..3
var moved: 0 in 0..999
generate: empty(8, 8)
setup:
    place box(weight=1) in (0..3, 3..5)
    place box(weight=2) at every floor where y == 7 with chance 0.5
    place agent at (0, 0)
actions: stay, right
each box if box.weight == 1 and box.x < 3:
    if box.y == 3 + step mod 3:
        moved = (moved * 3 + box.x + 1) mod 1000
        move box east
each box if box.x == 5: remove box
observe flat:
    moved
    grid as planes (box)
limit: 30 steps
"""


def test_may_search__asks_for_tests_that_nothing_stands_beside() -> None:
    """Tests in tests, with locals between them; nothing drawn or called for a test, and no other branch."""
    from griddsl.backends.jax.loops.searching import may_search

    row, count = ir.Slot("ROW", 40, 0, 9), ir.Slot("COUNT", 1, 0, 40)
    number = ir.Local("i", "int", 0, 39)
    work = ir.Store(row, number, ir.const(1))
    is_meant = ir.eq(ir.load(row, number), 3)

    def loop(*body: ir.Stmt) -> ir.For:
        return ir.For("i", ir.const(0), ir.load(count), [*body])

    inner: ir.Block = [ir.Let("x", ir.load(row, 0)), ir.If(is_meant, [work, work], [])]
    assert may_search(loop(ir.If(is_meant, [work], [])))
    assert may_search(loop(ir.Let("x", ir.load(row, 0)), ir.If(is_meant, inner, [])))
    assert not may_search(loop(ir.If(is_meant, [work], [work])))
    assert not may_search(loop(ir.If(is_meant, [work], []), work))
    assert not may_search(loop(work, ir.If(is_meant, [work], [])))
    assert not may_search(loop(ir.If(ir.eq(ir.call("find"), 3), [work], [])))
    assert not may_search(ir.For("i", ir.const(0), ir.const(20), [ir.If(is_meant, [work], [])]))


def test_search__goes_through_the_same_things_in_the_same_order() -> None:
    """A batch of games, each with its own things, walks as the reference does one by one."""
    from tests.agreement.in_jax import first_numbers_of_batch

    assert len(first_numbers_of_batch(SPEC, 12)) > 3
