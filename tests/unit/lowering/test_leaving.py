"""Agents that go out: what they leave behind, and what rewards mean once they are gone, on every backend."""

from __future__ import annotations

import random

import numpy as np
import pytest

import griddsl
from tests.playing import ENDINGS, NATIVE, completed
from tests.reference.beside import assert_plays_as_defined
from tests.unit.lowering.test_several import Several, with_legend

BACKENDS = ("python", NATIVE)
CARRIERS = """
agents: red, blue
tile hole:
object key: portable
object coin: portable, layer ground
agent: carries 2
map:
    1ko.2
    .c...
legend: 1 = red, 2 = blue, k = key, c = coin, o = hole
actions: up, right, down, left, stay, pickup
contested: share
on enter hole: out
observe: carrying
info: keys = count(key), coins = count(coin), lies = count(key where key at (2, 0))
"""


def told(game: Several, agent: str) -> dict[str, object]:
    """Return what the spec's own entries of info say to an agent."""
    return {name: value for name, value in game.infos[agent].items() if name not in ENDINGS}


@pytest.mark.parametrize("backend", BACKENDS)
def test_out__leaves_behind_what_was_carried(backend: str) -> None:
    """What an agent carried lies where it went out, for others to take."""
    game = Several(CARRIERS, backend=backend)
    game.do("down+stay right+stay pickup+stay up+stay pickup+stay")
    assert told(game, "blue") == {"keys": 0, "coins": 0, "lies": 0}
    game.do("right+left")
    assert game.env.agents == ["blue"]
    assert told(game, "blue") == {"keys": 1, "coins": 1, "lies": 1}
    assert game.do("left").env.agents == []
    assert game.infos["blue"]["keys"] == 1


def test_out__what_finds_no_room_is_gone() -> None:
    """A cell holds one object of a layer: the second of two keys is gone."""
    text = CARRIERS.replace("layer ground", "color in red | blue").replace("1ko", "1kc").replace(".c.", ".ko")
    text = text.replace(
        "info: keys = count(key), coins = count(coin)", "info: left = count(key) + count(coin)"
    )
    game = Several(text)
    game.do("right+stay pickup+stay right+stay pickup+stay down+stay")
    assert game.env.agents == ["blue"] and game.infos["blue"]["left"] == 2
    # Of the three one lies in its place still, one was put down, and one found no room.


def test_out__by_a_limit_of_its_own_leaves_behind_too() -> None:
    """An agent that is truncated by its own limit puts down what it carries."""
    game = Several(
        CARRIERS.replace("on enter hole: out", "limit: 9 steps\nlimit red: 2 steps\non enter hole: reward 1")
    )
    assert game.do("right+stay pickup+stay").infos["blue"]["keys"] == 1
    assert game.cut["red"] and game.env.agents == ["blue"]


ZERO_SUM = """
agents: red, blue, green
tile hole:
tile goal:
map:
    1.x2
    3..G
legend: 1 = red, 2 = blue, 3 = green, x = hole, G = goal
actions: up, right, down, left, stay
contested: share
rewards: zero_sum
on enter hole: out
on enter goal: reward 4
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_zero_sum__is_dealt_among_those_that_take_part(backend: str) -> None:
    """The share of an agent that is out is borne by the others; alone one gets nothing; who goes out still pays."""
    game = Several(ZERO_SUM, backend=backend)
    assert game.do("stay+down+stay").paid == [-2, 4, -2]
    game.reset(0).do("right+up+right")
    assert game.do("right+down+stay").paid == [-2, 4, -2], "red went out in this very step"
    assert game.env.agents == ["blue", "green"]
    assert game.do("up+stay down+stay").paid == [4, -4]
    game.do("up+stay left+stay")
    assert game.env.agents == ["green"]
    assert game.do("right right").paid == [0], "there is nobody left to pay"


@pytest.mark.parametrize(
    "rule",
    [
        "on enter goal: reward 3",
        "on enter goal: reward 3 to red",
        "on enter goal: reward = 2",
        "on blue bump edge: reward 3, reward -1 to green, reward -2 to red",
        "on enter goal if step mod 2 == 0: reward 5 to green",
        "on enter goal: out, reward 1",
    ],
)
def test_zero_sum__rewards_of_every_step_add_up_to_zero(rule: str) -> None:
    """Whatever a rule pays, and whoever is out: what all agents get in a step is nothing."""
    text = ZERO_SUM.replace("on enter goal: reward 4", f"{rule}\non bump edge: reward 1/3\nlimit: 40 steps")
    game, rng = Several(text), random.Random(1)
    paid = 0
    for seed in range(20):
        game.reset(seed)
        while game.env.agents:
            game.do("+".join(rng.choice(["up", "right", "down", "left"]) for _ in game.env.agents))
            assert sum(game.paid) == pytest.approx(0, abs=1e-6)
            paid += any(game.paid)
    assert paid > 20


def test_zero_sum__of_effects_that_speak_of_all_deals_the_part_of_one_that_is_out() -> None:
    """What such effects say of an agent that is out is dealt among all that take part."""
    text = ZERO_SUM.replace(
        "on enter goal: reward 4", "on blue bump edge: reward 4, reward -2 to red, reward -2 to green"
    )
    game = Several(text)
    assert game.do("right+up+stay").paid == [-2, 4, -2]
    game.do("right+stay+stay")
    assert game.do("up+stay").paid == [3, -3]


def test_zero_sum__of_effects_that_set_for_all_does_not_cancel_once_one_is_out() -> None:
    """A part that is dealt sets what the others get: `check` says so where an agent can be out, and only there."""
    rule = "on blue bump edge: reward = 4 to blue, reward = -2 to red, reward = -2 to green"
    text = ZERO_SUM.replace("on enter goal: reward 4", rule)
    source = completed(with_legend(text))
    assert [found.code for found in griddsl.check(source)] == ["rewards-do-not-cancel"]
    assert_plays_as_defined(source, steps=60, seeds=(0, 1))
    assert (
        griddsl.check(completed(with_legend(text.replace("on enter hole: out", "on enter hole: end")))) == []
    )


def test_shared__counts_no_reward_of_one_that_is_out() -> None:
    """Who is out gets no rewards, and so the others have no part in them."""
    text = ZERO_SUM.replace("zero_sum", "shared") + "each step: reward 5 to red"
    game = Several(text)
    assert game.do("right+stay+stay").paid == [5, 5, 5]
    assert game.do("right+stay+stay").paid == [5, 5, 5]
    assert game.do("stay+stay").paid == [0, 0]


def test_zero_sum__batches_pay_as_single_games_do() -> None:
    """A batch of games pays what each of its games would."""
    text = completed(with_legend(ZERO_SUM))
    batch = griddsl.make_parallel_vec(text, num_envs=3)
    batch.reset(seed=0)
    singles = [Several(ZERO_SUM) for _ in range(3)]
    rng = np.random.default_rng(0)
    for _ in range(12):
        actions = rng.integers(0, 5, (3, 3))
        _, rewards, *_ = batch.step(actions)
        for index, single in enumerate(singles):
            env = single.env
            if not env.agents:
                return
            playing = list(env.agents)
            _, expected, *_ = env.step(
                {name: int(actions[index][env.possible_agents.index(name)]) for name in playing}
            )
            for name in playing:
                assert rewards[index][env.possible_agents.index(name)] == pytest.approx(expected[name])


@pytest.mark.parametrize("backend", BACKENDS)
def test_carries__is_each_kinds_own(backend: str) -> None:
    """Who can carry three picks up three; the other, of whom nothing is said, one."""
    text = """
agents: red, blue
agent red: carries 3
object key: portable
map:
    1kkk
    2kkk
legend: 1 = red, 2 = blue, k = key
actions: right, pickup
info: left = count(key)
"""
    game = Several(text, backend=backend)
    game.do("right+right pickup+pickup right+right pickup+pickup right+right pickup+pickup")
    assert game.infos["red"]["left"] == 6 - 3 - 1


@pytest.mark.parametrize(
    ("rules", "paid"),
    [
        ("on blue enter goal: reward 1, reward = 2 to red", [2, -1, -1]),
        ("on blue enter goal: reward = 4, reward 1 to red, reward 2 to green", [-2, 4, -2]),
    ],
)
def test_zero_sum__holds_where_rewards_are_set_and_added(rules: str, paid: list[float]) -> None:
    """A `reward =` sets what all get; mixed with `reward E` each is paid by the others, and the step cancels."""
    text = ZERO_SUM.replace("on enter goal: reward 4", rules)
    assert Several(text).do("stay+down+stay").paid == paid
    assert_plays_as_defined(completed(with_legend(text)))


@pytest.mark.parametrize("turns", ["simultaneous", "in_order", "alternate"])
def test_own_limit__in_the_step_in_which_the_last_other_goes_out(turns: str) -> None:
    """Who is cut short by a limit of its own is truncated alone, whoever else goes out in that step."""
    text = completed(f"""
agents: red, blue
map:
    1....
    2....
legend: 1 = red, 2 = blue
actions: right, stay
turns: {turns}
limit: 9 steps
limit red: {6 if turns == "alternate" else 3} steps
each blue if self.x == 3: out
""")
    env = griddsl.make_parallel(text)
    env.reset(seed=0)
    while len(env.agents) > 1:
        _, _, terminated, truncated, infos = env.step({"red": 0, "blue": 0})
    assert (terminated["red"], truncated["red"], infos["red"]["outcome"]) == (False, True, "truncated")
    assert (terminated["blue"], truncated["blue"], infos["blue"]["outcome"]) == (True, False, "out")
    assert_plays_as_defined(text, steps=60)


@pytest.mark.parametrize("turns", ["simultaneous", "in_order", "random_order", "alternate"])
@pytest.mark.parametrize("illegal", ["stay", "end"])
def test_allow__is_asked_of_all_before_the_rules_of_any(turns: str, illegal: str) -> None:
    """What the mask allows is allowed, whatever another's `on do` has changed since: both grab."""
    text = completed(f"""
agents: red, blue
var open: true
map:
    1....
    2....
legend: 1 = red, 2 = blue
actions: grab, wait
actions red: grab, wait
actions red hand: knock, rest
allow grab: open
allow knock: open
illegal: {illegal}
turns: {turns}
on do grab: open = false, reward 1
on do knock: open = false, reward 2
limit: 9 steps
""")
    env = griddsl.make_parallel(text)
    env.reset(seed=0)
    rewards = env.step({"red": np.array([0, 0]), "blue": 0})[1]
    assert rewards == ({"red": 3, "blue": 0} if turns == "alternate" else {"red": 3, "blue": 1})
    assert_plays_as_defined(text, steps=60)
