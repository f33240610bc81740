"""Playing with several: two at one keyboard, against policies, in turns; their views and their transcripts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from griddsl.playing.keys import keys_of
from griddsl.playing.player import Player
from griddsl.playing.policies import as_policy, load_policy
from griddsl.playing.session import Session
from griddsl.playing.transcript import transcript
from griddsl.playing.views import views_of, with_views

DUEL = """
env: test/Duel-v0
agents: red, blue
map:
    1....#
    ......
    2.....
legend: 1 = red, 2 = blue
actions: up, right, down, left
observe: view 3x3 centered
when red.x == 5 and red.y > 0: reward +1 to red, end red_wins
limit: 30 steps
"""


@pytest.fixture
def duel(tmp_path: Path) -> Path:
    """A small game of two, saved."""
    path = tmp_path / "duel.grid"
    path.write_text(DUEL.lstrip(), encoding="utf-8")
    return path


def test_keys__of_two_players_do_not_meet(duel: Path) -> None:
    """The first has the arrows, the second letters, and every action of both has a key."""
    keys = keys_of(Session(duel, seed=1).program)
    seats = {seat for seat, _ in keys.actions.values()}
    assert seats == {0, 1}
    assert len(set(keys.actions.values())) == 8
    assert keys.actions["up"] == (0, 0) and keys.actions["w"] == (1, 0)


def test_a_step__waits_for_both(duel: Path) -> None:
    """Nothing moves until both have chosen; the last choice of each counts."""
    session = Session(duel, seed=1)
    player = Player(session, None)
    player.press("right")
    assert session.moment.step == 0
    assert ("waiting for", "blue") in player.rows()
    player.press("down")
    player.press("d")
    assert session.moment.step == 1
    assert session.names_of(session.moment) == "red down, blue right"
    player.press("u")
    assert session.moment.step == 0


def test_one_person__plays_against_the_others(duel: Path) -> None:
    """A key makes the step at once where the other is drawn or has a policy, and the other's keys do nothing."""
    asked = []

    def up(observation: np.ndarray) -> int:
        asked.append(observation.shape)
        return 0

    session = Session(duel, seed=1, policies={"blue": as_policy(up)})
    player = Player(session, None)
    player.press("right")
    assert session.moment.step == 1 and asked == [(3, 3)]
    assert session.names_of(session.moment) == "red right, blue up"
    player.press("w")
    assert session.moment.step == 1 and "plays by itself" in session.notice
    alone = Player(Session(duel, seed=2), None, humans=["red"])
    alone.press("right")
    assert alone.session.moment.step == 1


def test_turns__ask_one_at_a_time(tmp_path: Path) -> None:
    """Under `alternate` the one whose turn it is moves, and the panel says who that is."""
    path = tmp_path / "turns.grid"
    path.write_text(DUEL.lstrip().replace("limit:", "turns: alternate\nlimit:"), encoding="utf-8")
    session = Session(path, seed=1)
    player = Player(session, None)
    assert ("turn", "red") in player.rows()
    player.press("w")
    assert session.moment.step == 0
    player.press("right")
    assert session.names_of(session.moment) == "red right"
    assert ("turn", "blue") in player.rows()


def test_transcript__tells_whose_reward_it_is(duel: Path) -> None:
    """Every step names what each did and got."""
    session = Session(duel, seed=1)
    lines = list(transcript(session, [(2, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1)]))
    assert "step 1: red down, blue right; reward red 0, blue 0; score red 0, blue 0" in lines
    assert lines[-1] == "ended after 6 steps: red_wins, score red 1, blue 0"


def test_views__are_what_each_sees(duel: Path) -> None:
    """Each view is cut out around its agent, with what lies off the board dimmed, framed below the board."""
    session = Session(duel, seed=1)
    views = dict(views_of(session))
    assert set(views) == {"red", "blue"}
    red = views["red"]
    assert (red.width, red.height) == (3, 3)
    assert red.cells[4] == session.scene.cells[0] and red.cells[5] == session.scene.cells[1]
    assert red.dimmed is not None and red.dimmed.tolist() == [
        [True] * 3,
        [True, False, False],
        [True, False, False],
    ]
    board = np.zeros((90, 180, 3), dtype=np.uint8)
    picture = with_views(session, board)
    assert picture.shape[0] > 90 and (picture[:90, :180] == board).all()


def test_views__are_shown_only_with_several(tmp_path: Path) -> None:
    """The board of one stays as it is."""
    path = tmp_path / "one.grid"
    one = DUEL.lstrip().replace("agents: red, blue\n", "").replace("1 = red, 2 = blue", "1 = agent, 2 = rock")
    path.write_text(
        one.replace("red.", "agent.").replace(" to red", "").replace("rock", "rock\nobject rock:"),
        encoding="utf-8",
    )
    board = np.zeros((9, 9, 3), dtype=np.uint8)
    assert with_views(Session(path, seed=1), board) is board


def test_policies__come_from_files_and_modules(tmp_path: Path) -> None:
    """A function, one that takes the mask, a class and a learner's `predict` all choose; what is none says why."""
    file = tmp_path / "mine.py"
    file.write_text(
        "def up(observation):\n    return 0\n"
        "def allowed(observation, mask):\n    return mask.argmax()\n"
        "class Learner:\n    def predict(self, observation, deterministic):\n        return [3], None\n"
        "number = 4\n",
        encoding="utf-8",
    )
    broken = tmp_path / "broken.py"
    broken.write_text("def up(:\n", encoding="utf-8")
    masks = [[False, True, True, False]]
    assert list(load_policy(f"{file}:up")(None, masks)) == [0]
    assert list(load_policy(f"{file}:allowed")(None, masks)) == [1]
    assert list(load_policy(f"{file}:Learner")(None, masks)) == [3]
    for name, words in (
        (f"{file}:none", "there is no policy"),
        (f"{tmp_path}/gone.py:up", "there is no policy"),
        ("no_such_module:up", "there is no policy"),
        ("up", "names no policy"),
        ("none.policy", "there is no file `none.policy`"),
        ("/dev/null", "`/dev/null` is no policy, which is"),
        (str(file), "holds many names: write `.*:NAME`"),
        (f"{broken}:up", "broken.py, line 1 is no Python"),
        (f"{file}:number", "is no policy"),
    ):
        with pytest.raises(ValueError, match=words):
            load_policy(name)
