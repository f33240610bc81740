"""Text games: what is said, how answers are read, and which levels there are."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

import griddsl
from griddsl.text import Level, answer_in, levels_between, make_text, play_text

NAMES = ["up", "turn_left", "left", "pick_up"]
WALK = """
env: tests/Words-v0
    "Walk to the flag."
param size: 4 in 2..9
generate: empty(size, 1)
setup:
    place goal at (size - 1, 0)
    place agent at random floor
actions: left, right, forward
allow left: agent.x > 0
mission: "go to the flag"
observe:
    cell = cell
    board = grid
each step: reward -1
on enter goal: end success
limit: 6 steps
"""


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("up", "up"),
        (" UP.\n", "up"),
        ("2", "left"),
        ("#3", "pick_up"),
        ("Turn left", "turn_left"),
        ("turn-left!", "turn_left"),
        ("I could go up, but <action>left</action> is better", "left"),
        ("<ANSWER> pick up </ANSWER>", "pick_up"),
        (r"So \boxed{turn_left}", "turn_left"),
        ('{"thought": "left or up", "action": "up"}', "up"),
        ("[up] no, [left]", "left"),
        ("<action>left</action><action>up</action>", "up"),
        ("<action>left and up</action>", None),
        ("-1", None),
        ("<action>-1</action>", None),
        ('{"action": -2}', None),
        ("\N{MINUS SIGN}1", None),
        ("- up", "up"),
        ("Action: turn left", "turn_left"),
        ("First up.\nThen I will turn left", "turn_left"),
        ("<think>left left left</think>\nup", "up"),
        ("<think>left, but I never stop", None),
        ("up or left", None),
        ("upwards", None),
        ("7", None),
        ("", None),
        ("<action>jump</action> up", "up"),
    ],
)
def test_an_answer__is_read_forgivingly_and_never_guessed(said: str, meant: str | None) -> None:
    """Names, numbers, tags, brackets, JSON and plain sentences say an action; two at once, or none, say nothing."""
    found = answer_in(said, NAMES)
    assert (None if found is None else NAMES[found]) == meant


@pytest.mark.parametrize(
    "said", ["<action>", "</action>", "<think>", "[", "\\boxed{", '"action":', "action: ", "\n"]
)
def test_a_long_answer__is_read_in_its_length(said: str) -> None:
    """What a model repeats without end is read once, not once for each time."""
    start = time.process_time()
    answer_in(said * 100_000, NAMES)
    assert time.process_time() - start < 10


def test_an_answer__is_a_text() -> None:
    """A model that gives nothing, or bytes, is told so."""
    wrong: Any
    for wrong in (None, b"up", 1):
        with pytest.raises(TypeError, match="an answer is a text, not"):
            make_text(WALK, seed=2).answer(wrong)


def test_a_text_game__is_the_environment_turn_by_turn() -> None:
    """Rewards and ends are those of `GridEnv` with the same seed and actions."""
    game, env = make_text(WALK, seed=2), griddsl.make(WALK)
    env.reset(seed=2)
    assert "Walk to the flag." in game.text and "Task: go to the flag" in game.text
    assert env.text() in game.text
    for _ in range(6):
        turn = game.answer("<action>right</action>")
        _, reward, ended, cut, info = env.step(1)
        assert (turn.action, turn.reward, turn.over) == ("right", reward, ended or cut)
        assert env.text() in turn.text
        if turn.over:
            break
    assert game.outcome == info["outcome"] == "success" and "success" in turn.text
    with pytest.raises(ValueError, match="is over"):
        game.answer("right")


def test_no_answer__costs_a_turn_and_changes_nothing() -> None:
    """Nonsense and what is not allowed leave the board as it is; so many of them end the episode."""
    seed = next(seed for seed in range(50) if make_text(WALK, seed=seed).allowed == ["right", "forward"])
    game = make_text(WALK, seed=seed)
    board = game.text.splitlines()[-3]
    for said in ("nonsense", "left", "", "up and down", "?", "nothing"):
        turn = game.answer(said)
        assert turn.action is None and turn.reward == 0.0
        assert "That was no answer. Say one of: right, forward." in turn.text
    assert board and turn.over and game.outcome == "out of turns" and game.wrong_answers == {"agent": 6}


def test_an_observation__is_told_instead_of_the_board() -> None:
    """With ``shows="observation"`` nothing is said but what the spec observes."""
    text = make_text(WALK, seed=1, shows="observation").text
    assert re.search(r"^cell: [0-2]$", text, re.MULTILINE) and "board:\n[" in text and "Signs" not in text
    with pytest.raises(ValueError, match="shows the board or the observation"):
        make_text(WALK, shows="everything")


def test_several_players__answer_in_turn_and_the_step_comes_with_the_last() -> None:
    """Each is told their part; rewards come when all have chosen; who says nothing stays where they are."""
    game = make_text("griddsl/HurdleRace-v0", seed=0)
    assert game.player == "red" and "You are red" in game.text
    first = game.answer("run")
    assert first.rewards == {} and game.player == "blue" and "You are blue" in first.text
    second = game.answer("what?")
    assert set(second.rewards) == {"red", "blue"} and game.turns == 1
    rows = [line for line in second.text.splitlines() if re.fullmatch(r"[.h12@]{11}", line)]
    assert rows[0][1] == "1" and rows[1][0] == "2"
    game = play_text(game, lambda text: "<action>jump</action>")
    assert (
        game.over
        and set(game.returns) == {"red", "blue"}
        and game.outcome in {"red_wins", "blue_wins", "draw", "truncated"}
    )


def test_a_person_or_a_model__plays_through_one_function() -> None:
    """`play_text` asks with each text, and stops at the end."""
    asked: list[str] = []

    def say(text: str) -> str:
        asked.append(text)
        return "right"

    game = play_text(make_text(WALK, seed=3), say)
    assert game.outcome == "success" and len(asked) == game.turns and asked[0].startswith("Walk to the flag.")


@pytest.mark.parametrize("asked", [(1, 3, -1), (1, 3, 1.5), ("a", 3, 1), (1, None, 1)])
def test_levels__are_asked_for_in_whole_numbers(asked: Any) -> None:
    """What is no number of levels or steps is told."""
    with pytest.raises(ValueError, match=r"(a length|the number of levels) is a whole number from"):
        levels_between(WALK, *asked)


def test_levels__lie_between_the_lengths_that_are_asked_for() -> None:
    """A level's length is that of the optimal policy from its start; held-out seeds are others."""
    levels = levels_between(WALK, 2, 3, 4, size=6)
    held_out = levels_between(WALK, 2, 3, 4, first_seed=1_000_000, size=6)
    assert all(isinstance(level, Level) and 2 <= level.optimal_length <= 3 for level in levels + held_out)
    assert not {level.seed for level in levels} & {level.seed for level in held_out}
    for level in levels:
        game = make_text(WALK, seed=level.seed, size=6)
        play_text(game, lambda text: "right")
        assert game.turns == level.optimal_length
    with pytest.raises(ValueError, match="hold 0 levels of 50 to 60 steps"):
        levels_between("env: tests/Short-v0" + WALK[len("\nenv: tests/Words-v0") :], 50, 60, 1)
