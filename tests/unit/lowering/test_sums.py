"""The sums of an episode: `total reward`, `count of ...`, and `score`."""

from __future__ import annotations

import pytest

import griddsl
from griddsl.playing.session import Session
from tests.reference.beside import assert_plays_as_defined

HARVEST = """\
env: test/Harvest-v0
object apple: portable
map:
    @.a#
legend: a = apple
actions: left, right, pickup
observe: grid
rewards: scale 1/2
each step: reward -1
on pickup apple: reward 5
info: gained = total reward, bumps = count of on bump wall
score late: count of on bump wall if step > 4
score edges: count of on bump edge
when step == 7: end
limit: none
"""


def test_sums__are_told_at_every_step() -> None:
    """The total is that of the rewards as they are given; each count has its trigger and its condition."""
    env = griddsl.make(HARVEST, backend="python")
    for _ in range(2):
        _, info = env.reset(seed=1)
        assert (info["gained"], info["bumps"], info["late"], info["edges"]) == (0.0, 0, 0, 0)
        told = []
        for action in (0, 1, 1, 2, 1, 1, 1):
            info = env.step(action)[4]
            told.append((info["gained"], info["bumps"], info["late"], info["edges"]))
        assert [each[0] for each in told] == [-0.5, -1.0, -1.5, 0.5, 0.0, -0.5, -1.0]
        assert told[-1][1:] == (3, 3, 1)
        assert told[3][1:] == (0, 0, 1)


def test_sums__count_the_steps_in_which_something_holds() -> None:
    """`count of when C` is what a rule `when C: n += 1` at the end of the file counts."""
    text = """\
env: test/Still-v0
var own: 0 in 0..100
map:
    @...
actions: left, right, stay
observe: grid
score away: count of when agent.x > 0 and step > 1
info: edges = total reward, even = count of when step mod 2 == 0, own = own
when agent.x > 0 and step > 1: own += 1
on bump edge: reward 1
limit: 20 steps
"""
    assert_plays_as_defined(text, steps=40)
    env = griddsl.make(text, backend="python")
    env.reset(seed=0)
    infos = [env.step(action)[4] for action in (1, 1, 0, 0, 1, 2)]
    assert [each["away"] for each in infos] == [each["own"] for each in infos] == [0, 1, 2, 2, 3, 4]
    assert [each["even"] for each in infos] == [0, 1, 1, 2, 2, 3]


def test_sums__make_no_more_states() -> None:
    """What is only told is no part of a state, so the process is as small as without it."""
    plain = "\n".join(line for line in HARVEST.splitlines() if not line.startswith(("info", "score")))
    told, bare = griddsl.to_mdp(HARVEST), griddsl.to_mdp(plain)
    assert told.n_states == bare.n_states
    assert told.solve(discount=0.9).optimal_return == pytest.approx(bare.solve(discount=0.9).optimal_return)


def test_sums__are_each_agents_own() -> None:
    """A total is that of the agent it is told to; a count is of all together."""
    text = """\
env: test/Two-v0
agents: red, blue
map:
    RB
legend: R = red, B = blue
actions: left, stay
observe: grid
on red bump edge: reward 1
on blue bump red: reward -1
info: gained = total reward
score bumps: count of on bump edge
limit: 3 steps
"""
    env = griddsl.make_parallel(text, backend="python")
    env.reset(seed=0)
    for _ in range(2):
        infos = env.step({"red": 0, "blue": 1})[4]
    assert infos["red"]["gained"] == 2.0 and infos["blue"]["gained"] == 0.0
    assert infos["red"]["bumps"] == infos["blue"]["bumps"] == 2


def test_scores__stand_in_the_panel() -> None:
    """The panel beside the board has the scores, and not the entries of info, nor what is counted within."""
    session = Session(HARVEST)
    session.act(0)
    facts = dict(session.facts())
    assert facts["edges"] == "1" and "bumps" not in facts
    assert not [name for name in facts if name.startswith("count")]


@pytest.mark.parametrize(("item", "help"), [("sum reward", "total"), ("number of on bump wall", "count of")])
def test_sums__are_said_rightly(item: str, help: str) -> None:
    """Other words in their place are answered with those that mean it."""
    with pytest.raises(griddsl.SpecError, match=f"write `{help}`"):
        griddsl.make(HARVEST.replace("total reward", item))
