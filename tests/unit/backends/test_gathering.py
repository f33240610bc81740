"""Gathering: loops in Python that find the cells they are about at once do what they did one by one."""

from __future__ import annotations

import itertools
import linecache
import random
from typing import Any

import numpy as np
import pytest

import griddsl
from griddsl.backends.python import emit, remembering
from griddsl.backends.python.gathering import gathered_lines, matching
from griddsl.backends.python.printing import Quick
from griddsl.backends.python.remembering import Remembered
from griddsl.program import ir
from griddsl.program.passes.effects import Known
from griddsl.program.printer import Dialect, Printer, print_function
from tests.playing import completed

DIGGING = """
var seen: 0 in 0..999
generate: empty(9, 7)
setup:
    place agent at (4, 3)
    place pit at every floor where (x + y) mod 3 == 0 and distance(here, agent) > 1
    place wall at every pit with chance 0.3
    each pit where pit.x > 2:
        place floor at (pit.x, pit.y)
        if pit.x < 7: place pit at (pit.x + 1, pit.y)
    repeat 3: place stone at random floor where distance(here, agent) > 1 and path_distance(here, agent) < 30
object stone: solid
tile floor: worn in 0..9
actions: up, right, down, left
each step:
    seen = count(pit where pit.y == agent.y) + count(floor where path_distance(agent, floor) == 3)
    each floor where floor.worn > 1: floor.worn = 0
    each floor where floor.x == 8: place pit at (8, floor.y)
    place floor at every pit where x == 0 and y == step mod 7
on enter pit: reward -1
on enter floor: floor.worn += 1
observe:
    board = grid
    seen = seen
    way = path_distance(agent, the stone with least stone.x)
limit: 30 steps
"""


def test_matching__is_where_all_numbers_compare_as_asked() -> None:
    """Few and many are found in two ways, both in order."""
    dice = random.Random(0)
    for many in (2, 3, 40, 256):
        values, others = ([dice.randrange(many) for _ in range(500)] for _ in range(2))
        for wanted in (0, 1, 39, 255):
            expected = [place for place, value in enumerate(values) if value == wanted]
            assert matching((values, "==", wanted)) == expected
            both = [place for place, value in enumerate(values) if value != wanted and others[place] > 1]
            assert matching((values, "!=", wanted), (others, ">", 1)) == both
    assert matching(([], "<=", 0)) == []


SHOWING = """
var energy: 9 in 0..9
var heat: 0 in 0..5
generate: empty(12, 6)
setup:
    place agent at (4, 3)
    place stone at every floor where y == 5 and x > 3
object stone: layer stones
actions: up, right, down, left
each step:
    choose tired in true 0.6 | false 0.4
    if tired: energy -= 1
    heat = (heat + 1) mod 6
    if energy == 0: energy = 9
    if any stone where stone.x == agent.x: remove stone
observe:
    grid as planes (agent, stone, y == 0 and x < energy, y == 1 and x >= heat and x < energy, x == 2, y == 2 and energy > 3)
limit: 40 steps
"""
MARCHING = "specs/minatar_space_invaders.grid"


@pytest.mark.parametrize("spec", [completed(DIGGING), completed(SHOWING), MARCHING])
def test_gathering__leaves_every_episode_as_it_was(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What later rounds of a loop find changed, what is drawn in rounds and what is counted stay what they are."""
    found = []
    for gathered in (True, False):
        with monkeypatch.context() as patch:
            if not gathered:
                patch.setattr(
                    emit, "gathered_lines", lambda f, taken, *_: print_function(f, taken, Dialect())
                )
            env = griddsl.make(spec, backend="python")
            env.action_space.seed(3)
            trail: list[Any] = []
            for seed in range(4):
                trail.append(env.reset(seed=seed))
                trail += [env.step(env.action_space.sample()) for _ in range(60)]
            found.append(trail)
    np.testing.assert_equal(found[0], found[1])


def source_of(env: Any) -> str:
    """Return the text that an environment runs."""
    return "".join(linecache.getlines(f"<griddsl {env.program.id}>"))


def test_gathering__is_done_where_no_round_changes_another() -> None:
    """Cells of a kind are found at once, and neighbours are those that there are."""
    env = griddsl.make(completed(DIGGING), backend="python")
    text = source_of(env)
    assert 'in matching((s[TILE : TILE + 63], "==", ' in text
    assert "in NEXT_4__known[here]" in text
    assert " for cell in range(63)]" in text


def test_remembering__is_done_for_what_follows_few_values() -> None:
    """A bar is looked up by the value that it shows, what never changes is known, and what is forgotten found again."""
    env = griddsl.make(completed(SHOWING), backend="python")
    text = source_of(env)
    assert "in SHOWN__observe__0_1[s[VAR__energy], s[VAR__heat]]:" in text
    assert "in SHOWN__observe__0_2:" in text
    assert "in SHOWN__observe__0_3[s[VAR__energy] > 3]:" in text
    env = griddsl.make(completed(SHOWING).replace("0..9", "0..99999"), backend="python")
    assert "[s[VAR__energy], s[VAR__heat]]" not in source_of(env)
    asked: list[int] = []

    def find(key: int) -> list[int]:
        asked.append(key)
        return [key, key + 1]

    remembered = Remembered(find, False)
    assert [remembered[key] for key in (3, 3, 5)] == [(3, 4), (3, 4), (5, 6)]
    assert asked == [3, 5]
    for key in range(2 * remembering.MOST):
        assert remembered[key] == (key, key + 1)
        assert len(remembered) <= remembering.MOST


def test_forms__are_those_of_marches_and_of_what_is_counted_again() -> None:
    """Rows are copied, filled and searched at once."""
    env = griddsl.make(MARCHING, backend="python")
    text = source_of(env)
    assert "s[DID__1 : DID__1 + 100] = s[DOES__1 : DOES__1 + 100]\n" in text
    assert ' in matching((s[DOES__1 : DOES__1 + 100], "==", 2)):' in text
    assert "s[OBJECT_AT__aliens : OBJECT_AT__aliens + 100] = s[AFTER__1 : AFTER__1 + 100]\n" in text
    env = griddsl.make("specs/minatar_seaquest.grid", backend="python")
    text = source_of(env)
    assert "s[DUE__1 : DUE__1 + objects_3] = [0] * objects_3\n" in text
    env = griddsl.make("specs/minatar_breakout.grid", backend="python")
    assert "if 4 in s[TILE : TILE + 100]:" in source_of(env)


def test_quick__is_the_lesser_and_the_greater_as_python_has_them() -> None:
    """Of equal ones the first is given, zeros with a sign and what is no number among them, and each is found once."""
    reals = [-0.0, 0.0, 1.5, -2.0, float("inf"), float("nan")]
    names = [ir.Local(name, "real", -ir.UNBOUNDED, ir.UNBOUNDED) for name in "ab"]
    sums = [ir.Op("+", (name, ir.Const(0.0, "real")), "real", -ir.UNBOUNDED, ir.UNBOUNDED) for name in names]
    for own, operator in ((min, "min"), (max, "max")):
        for given in (tuple(names), tuple(sums), (names[0], sums[1]), (sums[0], ir.Const(0.0, "real"))):
            value = ir.Op(operator, given, "real", -ir.UNBOUNDED, ir.UNBOUNDED)
            twice = ir.Op("-", (value, value), "real", -ir.UNBOUNDED, ir.UNBOUNDED)
            text, whole = (Quick({}, Dialect(), ir.Names()).expression(each) for each in (value, twice))
            plain, plain_whole = (Printer({}, Dialect()).expression(each) for each in (value, twice))
            assert own.__name__ not in text
            for a, b in itertools.product(reals, reals):
                for one, other in ((text, plain), (whole, plain_whole)):
                    assert repr(eval(one, {"a": a, "b": b})) == repr(eval(other, {"a": a, "b": b}))
    loop = ir.For("i", ir.const(0), ir.const(3), [ir.Let("j", ir.Local("i", "int", 0, 2))])
    assert next(Quick({}, Dialect(), ir.Names()).block([loop], 0)) == "for i in (0, 1, 2):"


def test_loop_to_a_reckoned_end__fills_as_it_did() -> None:
    """The lesser of two numbers is kept where it is found, which Python allows nowhere in the rounds of a list."""
    one, other, row = (
        ir.Slot((name,), length, 0, 9, name=str(place))
        for name, length, place in (("ONE", 1, 0), ("OTHER", 1, 1), ("ROW", 6, 2))
    )
    end = ir.least([ir.load(one), ir.load(other)])
    store = ir.Store(row, ir.Local("i", "int", 0, 5), ir.add(ir.Local("i", "int", 0, 5), ir.const(1)))
    for low in (ir.const(0), ir.const(1)):
        function = ir.function("fill", [], [ir.For("i", low, end, [store])])
        lines = gathered_lines(function, set(), Dialect(), Known({"fill": function}), {})
        names: dict[str, Any] = {}
        exec("\n".join(lines), names)
        state = [4, 3, *[0] * 6]
        names["fill"](state, [], None)
        assert state[2:] == [*([1] if low == ir.const(0) else [0]), 2, 3, 0, 0, 0]
