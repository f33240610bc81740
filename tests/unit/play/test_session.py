"""A game in progress: moves, the way back, edits of its spec."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from griddsl.diagnostics import SpecError
from griddsl.playing.moments import Fired, number_text
from griddsl.playing.session import Session

UP, RIGHT, DOWN, LEFT = range(4)


def _edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_act__tells_what_a_step_did(game: Path) -> None:
    """A moment holds the move, reward, score, flags, outcome and the rules that fired, by words and line."""
    session = Session(game, seed=1)
    for move in (RIGHT, RIGHT):
        session.act(move)
    moment = session.act(RIGHT)
    assert (moment.step, moment.move, moment.reward, moment.score) == (3, (RIGHT,), -10.0, -12.0)
    assert (moment.terminated, moment.truncated, moment.outcome) == (True, False, "failure")
    assert moment.fired == (Fired("on enter lava", "line 11"), Fired("each step", "line 10"))
    assert str(moment.fired[0]) == "on enter lava (line 11)"


def test_act__does_nothing_after_the_end(game: Path) -> None:
    """After the end of an episode moves change nothing."""
    session = Session(game)
    for _ in range(5):
        session.act(RIGHT)
    assert session.moment.step == 3 and session.notice == "the episode is over"


def test_undo__goes_back_to_the_start(game: Path) -> None:
    """Undo restores state, score and rules step by step, also from the end of an episode, and stops at the start."""
    session = Session(game, seed=1)
    before = [(session.env.get_state(), session.moment)]
    for move in (RIGHT, RIGHT, RIGHT):
        session.act(move)
        before.append((session.env.get_state(), session.moment))
    for state, moment in reversed(before[:-1]):
        assert session.undo()
        assert (session.env.get_state(), session.moment) == (state, moment)
    assert not session.undo() and session.notice == "nothing to undo"


def test_undo__restores_the_random_stream() -> None:
    """A move that is played again after undo slips the same way."""
    session = Session(Path(__file__).parents[3] / "specs" / "frozen_lake.grid", seed=4)
    session.act(2)
    state = session.env.get_state()
    session.undo()
    session.act(2)
    assert session.env.get_state() == state


def test_restart__is_the_same_episode_and_another_seed_another() -> None:
    """Restarting repeats the first state; a seed given there is kept."""
    session = Session(Path(__file__).parents[3] / "specs" / "grid_world.grid", seed=4)
    start = session.env.get_state()
    session.act(0)
    session.restart()
    assert session.env.get_state() == start and session.moment.step == 0
    session.restart(5)
    assert session.seed == 5 and session.env.get_state() != start


def test_random_moves__are_given_by_the_seed(game: Path) -> None:
    """Two sessions of one seed draw the same moves."""
    first, second = Session(game, seed=3), Session(game, seed=3)
    assert [first.act_by_itself().move for _ in range(4)] == [second.act_by_itself().move for _ in range(4)]


def test_random_moves__are_allowed(game: Path) -> None:
    """Only allowed actions are drawn."""
    _edit(game, "observe: cell", "observe: cell\nallow up: false\nallow left: false\nallow down: false")
    session = Session(game, seed=1)
    assert {session.random_move() for _ in range(20)} == {(RIGHT,)}


def test_reload__plays_the_same_moves_in_the_new_spec(game: Path) -> None:
    """After an edit the game stands where the same moves lead, with the new rules' score; undo still works."""
    session = Session(game, seed=1)
    session.act(RIGHT)
    session.act(RIGHT)
    _edit(game, "reward -1", "reward -3")
    assert session.reload()
    assert (session.moment.step, session.moment.score) == (2, -6.0)
    assert session.notice == "the spec changed: reloaded"
    assert session.undo() and session.moment.score == -3.0


def test_reload__keeps_the_old_game_while_the_spec_has_errors(game: Path) -> None:
    """Errors are kept as text beside the old game, which goes on; the corrected spec takes over."""
    session = Session(game, seed=1)
    session.act(RIGHT)
    _edit(game, "on enter lava", "on enter lavva")
    assert not session.reload()
    assert "game.grid:11" in session.error and "did you mean `lava`?" in session.error
    assert session.moment.step == 1
    session.act(RIGHT)
    assert session.moment.step == 2
    _edit(game, "on enter lavva", "on enter lava")
    assert session.reload()
    assert session.error == "" and session.moment.step == 2


def test_reload__stops_where_the_episode_now_ends(game: Path) -> None:
    """Moves behind a new end are not played again, and the notice says so."""
    session = Session(game, seed=1)
    for move in (RIGHT, RIGHT, DOWN):
        session.act(move)
    _edit(game, "@..~", "@.~~")
    session.reload()
    assert session.moment.step == 2 and session.moment.outcome == "failure"
    assert session.notice == "the spec changed: reloaded, with 2 of 3 moves played again"


def test_reload__starts_anew_where_the_actions_changed(game: Path) -> None:
    """With other actions the old moves mean nothing."""
    session = Session(game, seed=1)
    session.act(RIGHT)
    _edit(game, "actions: up, right", "actions: right, up")
    session.reload()
    assert session.moment.step == 0


def test_reload__without_a_change_says_nothing(game: Path) -> None:
    """A file that was saved as it was changes nothing visible."""
    session = Session(game, seed=1)
    session.act(RIGHT)
    assert session.reload() and session.notice == "" and session.moment.step == 1


def test_facts__have_what_a_player_wants_to_know(game: Path) -> None:
    """The facts name score, step, last action and reward, outcome, variables and the seed."""
    session = Session(game, seed=1)
    for _ in range(3):
        session.act(RIGHT)
    assert dict(session.facts()) == {
        "score": "-12",
        "step": "3",
        "last action": "right",
        "last reward": "-10",
        "outcome": "failure",
        "energy": "6",
        "seed": "1",
    }


def test_facts__tell_what_is_carried_and_faced() -> None:
    """Facing, carried things and chosen names are told where there are any."""
    path = Path(__file__).parents[2] / "cases" / "language" / "door_key.grid"
    facts = dict(Session(path, seed=1).facts())
    assert facts["carrying"] == "nothing" and facts["facing"] in {"east", "south", "west", "north"}
    assert facts["mission"].startswith("use the key")


def test_things__have_numbers_below_zero(tmp_path: Path) -> None:
    """An attribute that is negative is told as the number that it is."""
    path = tmp_path / "debt.grid"
    text = "env: mine/Debt-v0\nagent: debt -2 in -3..5\nmap:\n    @.\nactions: right\nobserve: agent.debt\nlimit: 3\n"
    path.write_text(text)
    assert list(Session(path).things()) == [("debt", "-2")]


def test_params_and_level__choose_the_game() -> None:
    """Parameters and the level are those of the environment."""
    path = Path(__file__).parents[3] / "specs" / "frozen_lake.grid"
    session = Session(path, params={"level": "8x8", "slippery": False}, seed=0)
    assert session.program.width == 8


def test_groups_and_joysticks__take_moves(game: Path) -> None:
    """A move is a number a group; a joystick's direction becomes a vector."""
    _edit(game, "observe: cell", "actions say: quiet, ping\non do ping: energy = 9\nobserve: cell")
    session = Session(game, seed=1)
    session.act((RIGHT, 1))
    assert session.names_of(session.moment) == "right + ping"
    _edit(game, "actions say: quiet, ping\non do ping: energy = 9\n", "")
    _edit(game, "actions: up, right, down, left", "actions: joystick 4")
    stick = Session(game, seed=1)
    stick.act(0)
    assert stick.agent_cell == 1
    stick.act(4)
    assert stick.agent_cell == 1


def test_session__refuses_a_broken_spec(game: Path) -> None:
    """A spec that cannot be used raises its diagnostics."""
    _edit(game, "on enter lava", "on entr lava")
    with pytest.raises(SpecError, match="expected"):
        Session(game)


def test_recording__keeps_every_board(game: Path, tmp_path: Path) -> None:
    """A recorded session writes a picture a move, and the last board as PNG."""
    from PIL import Image

    session = Session(game, seed=1, records=True)
    for _ in range(3):
        session.act(RIGHT)
    assert session.save_recording(tmp_path / "game.gif", 4) == 4
    with Image.open(tmp_path / "game.gif") as picture:
        assert getattr(picture, "n_frames", 1) == 4
    assert session.save_recording(tmp_path / "game.png", 4) == 1


def test_recording__starts_anew_on_a_board_of_another_size(game: Path, tmp_path: Path) -> None:
    """Pictures of one file have one size."""
    session = Session(game, seed=1, records=True)
    session.act(RIGHT)
    _edit(game, ".#.G", ".#.G\n    ....")
    session.reload()
    session.act(LEFT)
    assert session.save_recording(tmp_path / "game.gif", 4) == 2


@pytest.mark.parametrize(("value", "text"), [(-1.0, "-1"), (0.1 + 0.2, "0.3"), (-0.0, "0"), (1e6, "1e+06")])
def test_numbers__are_short(value: float, text: str) -> None:
    """Rewards are written in at most six digits."""
    assert number_text(value) == text


def test_tracing__changes_no_trajectory(game: Path) -> None:
    """A traced environment steps as an untraced one."""
    import griddsl

    session, env = Session(game, seed=5), griddsl.make(game)
    env.reset(seed=5)
    for move in np.random.default_rng(0).integers(0, 4, 6).tolist():
        if session.moment.is_over:
            break
        _, reward, *_ = env.step(move)
        assert session.act(move).reward == reward
        assert session.env.get_state() == env.get_state()
