"""Actions that take something, as a person plays them: with keys, with the mouse, in the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from griddsl.playing.player import Player
from griddsl.playing.session import Session
from griddsl.playing.terminal import screen

GAME = """
env: test/Asked-v0
object mark:
object flag: layer top
region board: (0..2, 0..1)
var said: quiet in quiet | yes | maybe
map:
    ...
    ...
    @##
HEAD
    put(spot in board where no mark at spot)
    raise_flag(spot in board)
    swap(one in board where mark at one, other_one in board)
    say(word in yes | maybe)
on do put: place mark at spot
on do raise_flag: place flag at spot
on do swap if mark at one: move mark to other_one
on do say: said = word
observe tuple: grid as planes (mark, flag), said
limit: 50 steps
"""


def _player(tmp_path: Path, head: str = "actions:") -> Player:
    path = tmp_path / "asked.grid"
    path.write_text(GAME.replace("HEAD", head).strip() + "\n", encoding="utf-8")
    return Player(Session(path, seed=1), None)


def _press(player: Player, *keys: str) -> str:
    for key in keys:
        player.press(key)
    moment = player.session.moment
    return player.session.names_of(moment) if moment.move else ""


@pytest.mark.parametrize(
    ("head", "joined"), [("actions:", "put(1, 1)"), ("actions as multidiscrete:", "put")]
)
def test_key__asks_for_a_cell(tmp_path: Path, head: str, joined: str) -> None:
    """The key of an action asks; arrows go to cells that are allowed, return picks, and then the step is made."""
    player = _player(tmp_path, head)
    assert _press(player, "p") == ""
    assert player.asking is not None
    assert ("asked for", "put(spot)") in player.rows()
    assert _press(player, "right", "down", "return").startswith(joined)
    assert player.session.scene.cells[4][-1].kind == "mark"
    assert player.asking is None


def test_digits__pick_values(tmp_path: Path) -> None:
    """What is no cell is picked by its digit, and escape asks no more."""
    player = _player(tmp_path)
    key = next(key for key, (_, number) in player.keys.actions.items() if number == 48)
    assert _press(player, key, "escape") == ""
    assert player.asking is None
    assert _press(player, key, "2") == "say(maybe)"


def test_click__plays_actions_on_cells(tmp_path: Path) -> None:
    """The left button plays the first action on cells, the right one the second; a taken cell is no answer."""
    player = _player(tmp_path)
    player.click((2, 0))
    player.click((1, 1), 3)
    assert [player.session.names_of(each) for each in player.session.moments[1:]] == [
        "put(2, 0)",
        "raise_flag(1, 1)",
    ]
    player.click((0, 2))
    assert player.session.moment.step == 2


def test_two_cells__are_asked_one_after_the_other(tmp_path: Path) -> None:
    """The second cell is asked for when the first is picked, and only cells that may be picked count."""
    player = _player(tmp_path)
    player.click((2, 0))
    player.press("s")
    player.click((2, 0))
    assert player.asking is not None
    assert player.asking.said() == "swap((2, 0), other_one)"
    player.click((0, 1))
    assert player.session.names_of(player.session.moment) == "swap((2, 0), (0, 1))"


def test_screen__marks_the_cell_that_is_picked_next(tmp_path: Path) -> None:
    """While a cell is asked for, the board shows where the cursor is."""
    player = _player(tmp_path)
    player.press("p")
    marked = [place for place, stack in enumerate(player.scene().cells) if stack[-1].kind == "cursor"]
    assert marked == [0]
    assert any("spot" in line for line in screen(player, 100, 30, color=False))


def test_window__tells_the_cell_of_a_click(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A click in the window is a click on the cell under it."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    import pygame

    from griddsl.playing.window import Board
    from griddsl.render.window import Window

    player, window = _player(tmp_path), Window("test")
    board = Board(window, player)
    board.show()
    left, top, share = window._board
    pixels = window._last[0].shape[1] / 3 if window._last else 1
    place = (round(left + 1.5 * pixels * share), round(top + 0.5 * pixels * share))
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=place))
    board.go_on()
    window.close()
    assert player.session.names_of(player.session.moment) == "put(1, 0)"
