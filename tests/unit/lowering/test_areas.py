"""Areas that stand in place, and planes and codes of the one that looks."""

from __future__ import annotations

import numpy as np
import pytest

import griddsl
from griddsl.compiler import compiled
from griddsl.diagnostics import SpecError
from tests.playing import Game, completed
from tests.reference.beside import assert_plays_as_defined

HEAD = """
param wide: 4 in 2..9
object egg:
map:
    @.e..
    ...e.
    e....
legend: e = egg
actions: right, down
observe: grid
info: width_asked = wide
"""


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 if agent on (0..2, 0) else 0", 1),
        ("1 if agent on (2..wide, 0..2) else 0", 0),
        ("1 if any egg on (3, 0..1) else 0", 1),
        ("count(c in (0..1, 1..2) where egg at c)", 1),
        ("count(cell where here on (wide - 3..wide, 2))", 4),
        ("1 if no q in (4, 0..2) where egg at q else 0", 1),
    ],
)
def test_area__stands_where_a_region_can(expression: str, value: int) -> None:
    """An area in place is asked and gone through as a region of a name."""
    rest = f"each step: reward {expression}\n"
    assert_plays_as_defined(completed(HEAD + rest), steps=10)
    assert Game(HEAD + rest).rewards("right") == [value]


def test_area__keeps_its_spelling() -> None:
    """The formatter and the other spelling keep an area as it is written."""
    spec = griddsl.load(completed(HEAD + "when agent on (0..wide, 1): reward 1\n"))
    assert "when agent on (0..wide, 1)" in str(spec.rules[-1].head)


@pytest.mark.parametrize("line", ["choose q in (0..1, 0)", "place egg at (0..1, 0)", "let q = (0, 0..1)"])
def test_area__is_refused_elsewhere(line: str) -> None:
    """Where a cell or a value stands, an area is told to be one."""
    with pytest.raises(SpecError, match="an area stands where"):
        griddsl.make(completed(HEAD + f"each step:\n    {line}\n    reward 1\n"))


TWO = """
env: test/Two-v0
agents: red, blue
object coin:
map:
    @c@
legend: c = coin
actions: left, right, stay
contested: share
observe: {observe}
on enter coin: reward 1
limit: 9 steps
"""


@pytest.mark.parametrize("backend", ["python", "auto"])
def test_planes__show_self_and_others(backend: str) -> None:
    """Each agent sees itself in one plane and the others in the next, also where they share a cell."""
    text = TWO.format(observe="grid as planes (self, other, coin)")
    assert_plays_as_defined(text, steps=20)
    env = griddsl.make_parallel(text, backend=backend)
    seen, _ = env.reset(seed=1)
    for name, other in (("red", "blue"), ("blue", "red")):
        assert np.array_equal(seen[name][..., 0], seen[other][..., 1])
        assert seen[name][..., 0].sum() == 1
    seen, *_ = env.step({"red": 1, "blue": 0} if seen["red"][0, 0, 0] else {"red": 0, "blue": 1})
    assert seen["red"][0, 1].tolist() == [1, 1, 1]


def test_codes__show_self_and_others() -> None:
    """With a number, `self` and `other` are codes; in batches too."""
    text = TWO.format(observe="view 3x3 as codes (coin 3, other 2, self 1)")
    assert_plays_as_defined(text, steps=20)
    games = griddsl.make_parallel_vec(text, 2)
    games.reset(seed=1)


def test_other__needs_another_agent() -> None:
    """Where there is one agent, `other` among planes is an error."""
    with pytest.raises(SpecError, match="no other"):
        griddsl.make(completed(HEAD.replace("observe: grid", "observe: grid as planes (self, other)")))


@pytest.mark.parametrize(
    ("area", "room"),
    [
        ("(0, 1..2)", 2),
        ("(wide - 3..4, 0..1)", 8),
        ("column 2", 3),
        ("row 1", 5),
        ("border", 12),
        ("corner", 4),
        ("(spot..4, 0)", 15),
    ],
)
def test_area__has_room_for_as_many_things_as_cells(area: str, room: int) -> None:
    """Setup that puts a thing into each cell of an area makes room for those, not for one in every cell of the map."""
    spec = f"""
env: griddsl/Nests-v0
param wide: 4 in 2..9
object egg: layer eggs
region corner: (0..1, 0..1)
generate: empty(5, 3)
setup:
    choose spot in 0..2
    place agent at (4, 2)
    place egg in {area}
actions: right, down
observe: grid
each step: reward count(egg)
"""
    program = compiled(spec).program
    assert [slot.length for slot in program.slots if slot.key == "OBJECT_KIND"] == [room]
    assert_plays_as_defined(spec, 2)
