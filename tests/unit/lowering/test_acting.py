"""Actions: what they are built from, and what happens to them before they are carried out."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pytest

import griddsl
from griddsl.envs.keyboard import key_of
from tests.playing import NATIVE, Game, completed
from tests.reference.play import Reference


def at(game: Game) -> tuple[int, int]:
    """Return the agent's position."""
    width = game.env.program.width
    cell = game.env._s[game.env.program.layout.offsets["AGENT_CELL"]]
    return cell % width, cell // width


ROW = "map:\n    @.....#\n"


def test_turning__moves_ahead() -> None:
    """Turns change the facing, which `forward` and `backward` follow; it starts east."""
    game = Game(
        "map:\n    ...\n    .@.\n    ...\n"
        "actions: turn_left, turn_right, forward, backward\nobserve: facing\n"
    )
    assert game.observation == 0
    assert at(game.do("forward")) == (2, 1)
    assert at(game.do("turn_right forward")) == (2, 2)
    assert game.observation == 1
    assert at(game.do("backward")) == (2, 1)
    assert game.do("turn_left turn_left").observation == 3


def test_facing__of_absolute_moves_turns_even_when_blocked() -> None:
    """An absolute move turns the agent, also where a wall stops it."""
    game = Game("map:\n    #@#\nagent: facing\nactions: up, right, down, left\nobserve: facing\n")
    assert [game.do(way).observation for way in ("left", "up", "right", "down")] == [2, 3, 0, 1]


def test_facing__can_be_drawn() -> None:
    """The legend gives the facing that the agent starts with."""
    game = Game(
        "map:\n    .A.\nlegend: A = agent(facing=west)\nactions: turn_left, forward\nobserve: facing\n"
    )
    assert game.observation == 2
    assert at(game.do("forward")) == (0, 0)


def test_move__goes_several_cells() -> None:
    """``move east 2`` goes up to two cells, stopping before what is solid, entering each."""
    game = Game(ROW + "actions: run = move east 2, left\n")
    assert [at(game.do("run"))[0] for _ in range(4)] == [2, 4, 5, 5]


def test_jump__passes_what_it_names() -> None:
    """``through`` lets a move pass a solid kind, with its chance; missed, it stops before."""
    text = (
        "map:\n    @h.\nlegend: h = hurdle\ntile hurdle: solid\n"
        "actions: right, jump = move east 1 through hurdle with chance {}\n"
    )
    assert at(Game(text.format(1)).do("right jump")) == (1, 0)
    assert at(Game(text.format(0)).do("jump")) == (0, 0)
    passed = [at(Game(text.format("0.5"), seed=seed).do("jump"))[0] for seed in range(60)]
    assert 15 < sum(passed) < 45


def test_groups__make_a_multidiscrete() -> None:
    """A second, named group is acted on in the same step."""
    text = completed(
        "map:\n    @..\nvar said: 0 in 0..3\nactions: left, right\n"
        "actions say: quiet, ping\non do ping: said += 1\n"
        "observe: here = cell, said = said\n"
    )
    env = griddsl.make(text)
    assert env.action_space == gym.spaces.MultiDiscrete([2, 2])
    env.reset(seed=0)
    observation, *_ = env.step(np.array([1, 1]))
    assert observation == {"here": 1, "said": 1}
    observation, *_ = env.step([1, 0])
    assert observation == {"here": 2, "said": 1}
    with pytest.raises(ValueError, match="not in MultiDiscrete"):
        env.step([1, 2])


@pytest.mark.parametrize(
    ("directions", "stick", "end"),
    [
        (4, (0.9, 0.1), (2, 1)),
        (4, (0, -1), (1, 0)),
        (8, (0.7, 0.7), (2, 2)),
        (8, (-1, -1), (0, 0)),
        (8, (0.1, 0), (1, 1)),
    ],
)
def test_joystick__snaps_to_its_directions(
    directions: int, stick: tuple[float, float], end: tuple[int, int]
) -> None:
    """A joystick is a ``Box``; what it points at is the nearest of its directions, its middle is staying."""
    game = Game(f"map:\n    ...\n    .@.\n    ...\nactions: joystick {directions}\n")
    assert game.env.action_space == gym.spaces.Box(-1, 1, (2,), np.float32)
    game.env.step(np.array(stick, np.float32))
    assert at(game) == end


def test_slip__is_relative_to_the_intended_way() -> None:
    """A slip of chance 1 to the left of right is up."""
    game = Game("map:\n    ...\n    .@.\n    ...\nactions: right, up\nslip: 1 left\n")
    assert at(game.do("right")) == (1, 0)
    game.reset()
    assert at(game.do("up")) == (0, 1)


def test_slip__can_depend_on_where_the_agent_is() -> None:
    """``slip if C`` slips only where the condition holds."""
    game = Game(
        "map:\n    @i..\n    ....\nlegend: i = ice\ntile ice:\nactions: right\n"
        "slip if agent on ice: 1 right\n"
    )
    assert at(game.do("right")) == (1, 0)
    assert at(game.do("right")) == (1, 1)


def test_slip__lets_who_stays_stay() -> None:
    """Only moves slip."""
    game = Game("map:\n    ...\n    .@.\n    ...\nactions: stay, right\nslip: 1/2 back, 1/2 left\n")
    assert at(game.do("stay stay stay")) == (1, 1)


def test_sticky__repeats_the_previous_action() -> None:
    """With chance 1 the first action of an episode is played for ever."""
    game = Game(ROW + "actions: left, right\nsticky: 1\n")
    assert at(game.do("right left left")) == (3, 0)
    game.reset()
    assert at(game.do("left right right")) == (0, 0)


def test_sticky__has_its_chance() -> None:
    """A quarter of the actions are the ones before."""
    game = Game("map:\n    " + "." * 30 + "@" + "." * 30 + "\nactions: left, right\nsticky: 0.25\n")
    stuck = 0
    for _ in range(400):
        game.reset()
        stuck += at(game.do("left right"))[0] == 28
    assert 65 < stuck < 135


ALLOW = (
    "map:\n    @s.\nlegend: s = stop\ntile stop:\nvar calls: 0 in 0..9\n"
    "actions: left, right, call\nallow call: agent on stop\non do call: calls += 1\n"
    "observe: calls\n"
)


@pytest.mark.parametrize(
    ("illegal", "ended", "calls"), [("stay", False, 0), ("end", True, 0), ("act", False, 1)]
)
def test_illegal__decides_what_a_forbidden_action_does(illegal: str, ended: bool, calls: int) -> None:
    """A forbidden action does nothing, ends the episode, or is done all the same."""
    game = Game(ALLOW + f"illegal: {illegal}\n")
    assert game.env.action_masks().tolist() == [True, True, False]
    assert game.info["action_mask"].tolist() == [1, 1, 0]
    game.do("call")
    assert (game.terminated, game.observation) == (ended, calls)


STUCK = """
map:
    @..x
legend: x = pit
actions: left, right
actions say: quiet, ping
allow left: agent.x == 1
allow right: agent.x < 2
observe tuple: mask, cell
on enter pit: end failure
on do ping: reward 1
"""


@pytest.mark.parametrize("backend", ["python", "table", NATIVE])
@pytest.mark.parametrize(
    ("illegal", "cell", "outcome"), [("stay", 2, ""), ("end", 2, "illegal"), ("act", 3, "failure")]
)
def test_mask__forbids_nothing_where_everything_is_forbidden(
    backend: str, illegal: str, cell: int, outcome: str
) -> None:
    """Where no action of a group is allowed its mask is all ones, and `illegal` says what becomes of the choice."""
    env = griddsl.make(completed(f"{STUCK}illegal: {illegal}"), backend=backend)
    (mask, _), info = env.reset(seed=0)
    assert mask.tolist() == info["action_mask"].tolist() == [0, 1, 1, 1]
    env.step([1, 0])
    (mask, at), *_, info = env.step([1, 0])
    assert at == 2
    assert mask.tolist() == info["action_mask"].tolist() == env.action_masks().tolist() == [1, 1, 1, 1]
    (_, at), reward, ended, _, info = env.step([1, 1])
    assert (at, reward, ended, info["outcome"]) == (
        cell,
        1 if illegal == "stay" else reward,
        bool(outcome),
        outcome,
    )


def test_mask__of_a_batch_never_forbids_everything() -> None:
    """In a batch as well nobody is left without a choice."""
    batch = griddsl.make_vec(completed(STUCK), num_envs=2)
    batch.reset(seed=0)
    for _ in range(2):
        *_, infos = batch.step(np.array([[1, 0], [1, 0]]))
    assert infos["action_mask"].tolist() == [[1, 1, 1, 1]] * 2


def test_allow__follows_the_state() -> None:
    """The mask is that of the state which an observation shows."""
    game = Game(ALLOW)
    assert game.do("right").env.action_masks().tolist() == [True, True, True]
    assert game.do("call").observation == 1


def test_cancel__stops_the_action_and_not_the_rules() -> None:
    """``cancel`` keeps the action from being carried out; later rules of the event still run."""
    game = Game(
        "map:\n    @..\nactions: left, right\non do right if agent.x == 1: cancel\non act: reward 1\n"
    )
    assert game.rewards("right right") == [1, 1]
    assert at(game) == (1, 0)


def test_self_action__is_what_was_chosen() -> None:
    """``self.action`` is the action after sticky, in words."""
    game = Game(ROW + "actions: left, right\non act if self.action is right: reward 2\n")
    assert game.rewards("left right") == [0, 2]


def test_can__tells_what_would_be_done() -> None:
    """``can ACTION`` is false where a move is blocked."""
    game = Game("map:\n    @.\nactions: left, right\nobserve: flags(can left, can right)\n")
    assert game.observation.tolist() == [0, 1]
    assert game.do("right").observation.tolist() == [1, 0]


def test_keys__are_named_or_given() -> None:
    """An action's key is the known one, or the one in brackets."""
    game = Game(ROW + "actions: left, run [r] = move east 2\n")
    keys = game.env.get_keys_to_action()
    named = key_of("left")
    assert named is not None and keys["r",] == 1 and keys[named,] == 0


@pytest.mark.parametrize("action", [-1, 2, 10])
def test_action__outside_the_space_is_refused(action: int) -> None:
    """A number that is no action is answered with those that are."""
    with pytest.raises(ValueError, match="actions: 0 left, 1 right"):
        Game(ROW + "actions: left, right\n").env.step(action)


def test_end_before_a_move__lets_it_go_one_cell() -> None:
    """What ends the episode before the action leaves the move its first cell, whichever rules there are besides."""
    text = "env: a/B-v0\nmap:\n    @.....\nactions: run = move east 3\nlimit: 9 steps\nobserve: cell\n"
    for rules in ("", "on enter floor: reward 1\n", "on bump edge: reward 1\n"):
        env = griddsl.make(f"{text}{rules}on do run: end lost\n")
        env.reset(seed=0)
        assert env.step(0)[0] == 1


def test_clipped_move__goes_on_where_the_episode_was_over_before() -> None:
    """Only an end that the bump into the border itself brings stops a diagonal move that is clipped there."""
    text = "env: a/B-v0\nmap:\n    @.....\nactions: down_right\nedge: clip\nlimit: 9 steps\nobserve: cell\n"
    ends = {
        "on do down_right: end": 1,
        "on do down_right: end\non bump edge: reward 1": 1,
        "on bump edge: end": 0,
    }
    for rules, cell in ends.items():
        env = griddsl.make(f"{text}{rules}\n")
        env.reset(seed=0)
        assert env.step(0)[0] == cell, rules


OF_A_STEP = """env: test/Case-v0
map:
    @....
    .....
actions:
    left
    right
    mark(spot in cells where spot.x < step)
illegal: end
observe tuple: cell, mask, can left
allow left: step mod 2 == 0
allow right: limit - step > 5 and not (can left and step > 20)
each step: reward 1
limit: 30 steps
"""


def test_mask__tells_of_the_step_that_comes() -> None:
    """What the mask allows is allowed in the step that follows, also where the number of the step decides it."""
    env, play = griddsl.make(OF_A_STEP), Reference(griddsl.load(OF_A_STEP))
    seen = 0
    for seed in range(60):
        env.reset(seed=seed)
        play.reset(seed=seed)
        env.action_space.seed(seed)
        ended = False
        while not ended:
            allowed, action = env.action_masks(), env.action_space.sample()
            observation, _, terminated, truncated, info = env.step(action)
            told = play.step(action)
            assert (info["outcome"] == "illegal") == (not allowed[action])
            assert [list(map(int, np.ravel(part))) for part in observation] == [
                list(map(int, np.ravel(part))) for part in told[0]
            ]
            assert told[2:4] == (terminated, truncated)
            seen += not allowed[action]
            ended = terminated or truncated
    assert seen > 0
