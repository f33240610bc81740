"""Actions that take something: how their values are numbered, what is allowed, and what their names mean in rules."""

from __future__ import annotations

from textwrap import dedent

import numpy as np
import pytest
from gymnasium.spaces import Discrete, MultiDiscrete

import griddsl
from griddsl.compiler import compiled

BOARD = """
env: test/Board-v0
object mark:
region board: (1..2, 0..1)
var said: quiet in quiet | yes | maybe
var total: 0 in 0..99
map:
    ....
    ....
    @###
{head}
    up
    put(spot in board where no mark at spot)
    throw(way in directions, far in 1..3)
    say(word in yes | maybe)
{rules}
observe tuple: grid as planes (mark), said, total, mask
limit: 50 steps
"""
RULES = """
on do put: place mark at spot
on do throw: total = far
on do throw if way is west: total += 10
on do say: said = word
"""


def _env(head: str = "actions:", rules: str = RULES) -> griddsl.GridEnv:
    env = griddsl.make(BOARD.format(head=head, rules=rules))
    env.reset(seed=0)
    return env


def test_values__stand_one_after_the_other() -> None:
    """Each value has a number, cells in the order of their numbers, the last of several arguments counting fastest."""
    names = [action.name for action in _env().program.groups[0].actions]
    assert names[:6] == ["up", "put(1, 0)", "put(2, 0)", "put(1, 1)", "put(2, 1)", "throw(east, 1)"]
    assert names[-2:] == ["say(yes)", "say(maybe)"]
    assert names[5:17] == [
        f"throw({way}, {far})" for way in ("east", "south", "west", "north") for far in (1, 2, 3)
    ]


def test_names__mean_the_values_in_rules() -> None:
    """A cell is placed at, a number reckoned with, a word compared and kept."""
    env = _env()
    (planes, *_), *_ = env.step(3)
    assert planes[1, 1] == 1
    assert planes.sum() == 1
    assert env.step(12)[0][2] == 12  # throw(west, 2)
    assert env.step(18)[0][1] == 2  # say(maybe)


def test_where__goes_into_the_mask_and_makes_illegal() -> None:
    """A value for which `where` does not hold is masked, and does nothing when it is chosen all the same."""
    env = _env()
    env.step(1)
    expected = np.ones(19, bool)
    expected[1] = False
    assert env.action_masks().tolist() == expected.tolist()
    before = env.get_state()
    (planes, *_), *_ = env.step(1)
    assert planes.sum() == 1
    assert before != env.get_state() or planes[0, 1] == 1


def test_allow__speaks_of_the_arguments() -> None:
    """`allow` can ask for what an action takes."""
    env = _env(rules=RULES + "\nallow throw: far < 3 or way is north")
    allowed = env.action_masks()[5:17]
    assert allowed.tolist() == [True, True, False] * 3 + [True] * 3


def test_axes__are_one_for_each_argument() -> None:
    """`as multidiscrete` gives the action's place, then a number for each argument; those that it takes not are idle."""
    env = _env("actions as multidiscrete:")
    assert env.action_space == MultiDiscrete([4, 4, 4, 3, 2])
    (planes, _, total, mask), *_ = env.step(np.array([1, 2, 3, 2, 1]))
    assert (planes[1, 1], total) == (1, 0)
    assert mask.tolist() == [1] * 4 + [1, 1, 0, 1] + [1] * 9
    assert env.step(np.array([2, 0, 2, 1, 0]))[0][2] == 12
    assert env.step(np.array([1, 2, 0, 0, 0]))[0][0].sum() == 1


def test_axes__are_shared_by_name_and_domain() -> None:
    """Two actions that take the same under the same name have one axis; an action is allowed where some value of it is."""
    head = "actions as multidiscrete:\n    take(spot in board where mark at spot)"
    env = _env(head, RULES + "\non do take: remove mark")
    assert env.action_space == MultiDiscrete([5, 4, 4, 3, 2])
    assert env.action_masks()[:5].tolist() == [False, True, True, True, True]
    env.step(np.array([2, 0, 0, 0, 0]))
    assert env.action_masks()[:9].tolist() == [True] * 9
    assert env.step(np.array([0, 0, 0, 0, 0]))[0][0].sum() == 0


def test_can__asks_for_any_value() -> None:
    """`can put` holds while some value is allowed."""
    env = _env(rules=RULES + "\nwhen not can put: end success")
    ended = [env.step(number)[2] for number in (1, 2, 3, 4)]
    assert ended == [False, False, False, True]


def test_agents__have_arguments_of_their_own() -> None:
    """Each kind of agent gives an action of one name its own values, and a rule reads those of who acts."""
    game = griddsl.make_parallel(
        dedent("""
        env: test/Two-v0
        agents: red, blue
        var total: 0 in 0..99
        map:
            ab
        legend: a = red, b = blue
        actions red: bet(amount in 1..3)
        actions blue: bet(amount in 5 | 7), pass
        on do bet: total += amount
        observe: total
        limit: 9 steps
        """)
    )
    game.reset(seed=0)
    assert all(game.action_space(name) == Discrete(3) for name in ("red", "blue"))
    observations, *_ = game.step({"red": 2, "blue": 1})
    assert observations["red"] == 10
    observations, *_ = game.step({"red": 0, "blue": 2})
    assert observations["red"] == 11


def test_several__take_turns_with_masks() -> None:
    """Under `turns: alternate` each places where nothing is, and masks say where."""
    game = griddsl.make_parallel(
        dedent("""
        env: test/Turns-v0
        agents: red, blue
        object stone:
        region board: (0..1, 0)
        map:
            ..ab
        legend: a = red, b = blue
        actions: put(spot in board where no stone at spot)
        turns: alternate
        on do put: place stone at spot
        observe: grid as planes (stone)
        limit: 9 steps
        """)
    )
    _, infos = game.reset(seed=0)
    assert infos["red"]["action_mask"].tolist() == [1, 1]
    *_, infos = game.step({"red": 1, "blue": 0})
    assert infos["blue"]["action_mask"].tolist() == [1, 0]


def test_program__tells_the_arguments() -> None:
    """The program names what each number of an action gives, for players and pictures."""
    action = compiled(BOARD.format(head="actions:", rules=RULES)).program.groups[0].actions[12]
    assert (action.verb, action.takes, action.values) == ("throw", ("way", "far"), ("west", "2"))


@pytest.mark.parametrize("backend", ["python", "table"])
def test_batches__play_as_one_does(backend: str) -> None:
    """A batch gives the observations and masks of single environments, on each backend."""
    spec = BOARD.format(head="actions:", rules=RULES).replace(", total", "").replace("total = far", "cancel")
    spec = spec.replace("var total: 0 in 0..99\n", "").replace("total += 10", "cancel")
    batch = griddsl.make_vec(spec, 3, backend=backend)
    single = griddsl.make(spec)
    batch.reset(seed=4)
    single.reset(seed=4)
    for action in (1, 4, 1, 17, 3):
        seen, _, _, _, info = batch.step(np.full(3, action))
        alone, *_, told = single.step(action)
        for part, whole in zip(alone, seen, strict=True):
            assert np.array_equal(part, whole[0])
        assert info["action_mask"][0].tolist() == told["action_mask"].tolist()
