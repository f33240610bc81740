"""What is none for tables is said before the time of an enumeration is spent."""

from __future__ import annotations

from unittest.mock import patch

import pytest

import griddsl
from griddsl.backends.table.enumeration import Table

MINES = """env: a/Mines-v0
object mine:
map:
    @.......
    ........
    ........
    ........
actions: left, right
setup:
    place 8 mine at random free
observe: cell
limit: 9 steps
"""
ONE_SIDE = """env: a/Side-v0
var n: 0 in 0..9
map:
    @....
actions: left, right
setup:
    choose q in often 9/10 | seldom 1/10
    if q is seldom: choose a in 0..9, choose b in 0..9, n = a
observe: cell
limit: 9 steps
"""


def test_reset_of_many_ways__is_refused_at_once() -> None:
    """Eight mines among thirty-one cells lie in more ways than are ever tried; not one of them is."""
    with patch.object(Table, "_tree", side_effect=AssertionError("tried")):
        with pytest.raises(ValueError, match=r"its reset draws some .* ways, more than 4,000,000"):
            griddsl.make(MINES, backend="table")
        assert griddsl.make(MINES).backend != "table"


def test_tree_with_one_bushy_side__is_enumerated() -> None:
    """A guess that is too high on one way refuses nothing."""
    assert griddsl.make(ONE_SIDE, backend="table").backend == "table"
