"""What is none for tables is said before the time of an enumeration is spent."""

from __future__ import annotations

from unittest.mock import patch

import pytest

import griddsl
from griddsl.backends.table.enumeration import Table, affordable
from griddsl.compiler import compiled
from griddsl.loading import resolve

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


CROWD = """env: a/Crowd-v0
agents: hunter * 6
map:
    @@@
    @@@
    ...
actions: up, right, call(number in 0..2, spot in cells)
observe: cell
on do call: reward number + spot.x
limit: 9 steps
"""


def test_joint_actions_of_a_crowd__are_counted_before_they_are_listed() -> None:
    """Twenty-nine actions of each of six agents would be a list of 594 million, for a batch as well."""
    with pytest.raises(ValueError, match="it has 594,823,321 joint actions"):
        griddsl.make_parallel_vec(CROWD, 2, backend="table")
    assert griddsl.make_parallel_vec(CROWD, 2).backend != "table"


def test_trees_of_all_states__are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each state holds a place for every joint action, however few of them need a run."""
    monkeypatch.setattr("griddsl.backends.table.enumeration.MOST_TREES", 20)
    monkeypatch.setattr("griddsl.backends.table.enumeration._tables", {})
    with pytest.raises(ValueError, match="its states have more than 20 actions together"):
        griddsl.make(ONE_SIDE, backend="table")


@pytest.mark.parametrize("spec", ["CliffWalking", "FrozenLake", "FourRooms", "GridWorld", "Catch", "Taxi"])
def test_specs_of_few_states__are_tables_of_themselves(spec: str) -> None:
    """One environment takes its table unasked where that is made in a moment, also where a large board is drawn."""
    assert griddsl.make(f"griddsl/{spec}-v0").backend == "table"


def test_specs_of_many_states__are_soon_given_up() -> None:
    """Of a spec that keeps thousands of numbers few runs are made before another backend takes it."""
    assert affordable(compiled(resolve("griddsl/Pocman-v0")).program, 10_000) < 2_500
    assert griddsl.make("griddsl/Pocman-v0").backend != "table"
