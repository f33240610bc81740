"""Window, terminal and transcript."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

import pytest

from griddsl.playing import window as window_module
from griddsl.playing.crop import around
from griddsl.playing.player import Player
from griddsl.playing.session import Session
from griddsl.playing.terminal import keys_in, screen
from griddsl.playing.transcript import transcript
from griddsl.playing.window import panel_of, play_in_window
from griddsl.refused import Refused
from griddsl.render.window import Window

SPECS = Path(__file__).parents[3] / "specs"


def _player(path: Path, seed: int = 1) -> Player:
    return Player(Session(path, seed=seed), path)


# The window


def test_window__plays_follows_the_file_and_quits(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys reach the game, a save with an error is shown beside the old game, and quitting closes the window."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    shown: list[Any] = []
    script: list[list[str]] = [["right"], ["right"], ["edit"], [], ["u"], ["quit"]]

    class Scripted(Window):
        def wait(self, milliseconds: int) -> None:
            """Let no time pass, but for looking at the file."""

        def show(self, frame: Any, panel: Any = None) -> None:
            shown.append((frame.shape, panel))
            super().show(frame, panel)

        def events(self) -> list[str]:
            super().events()
            keys = script.pop(0)
            if keys == ["edit"]:
                game.write_text(game.read_text().replace("end success", "endd success"))
                time.sleep(0.3)
            return keys

    monkeypatch.setattr(window_module, "Window", Scripted)
    player = _player(game)
    play_in_window(player)
    assert player.session.moment.step == 1 and not script
    assert any("endd" in panel.error for _, panel in shown)
    height, width, _ = shown[0][0]
    assert height > 250 and width == 2 * height  # a board of 4 x 2 fills the room that it has


def test_window__a_display_that_goes_away_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the display is lost in the middle of a game a sentence says so."""
    import pygame

    def lost(*_: Any) -> None:
        raise pygame.error("x11 not available")

    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(window_module.Board, "go_on", lost)
    with pytest.raises(Refused, match=r"its display is gone \(x11 not available\)"):
        play_in_window(_player(SPECS / "frozen_lake.grid"))


def test_window__a_board_fills_what_the_window_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """A 4 x 4 lake takes all of the height beside the panel, and again after the window is made larger."""
    import pygame

    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    window = Window("test")
    board = window_module.Board(window, _player(SPECS / "frozen_lake.grid"))
    board.show()
    try:
        for size in (None, (1000, 560)):
            if size is not None:
                pygame.display.set_mode(size, pygame.RESIZABLE)
                pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, size=size, w=size[0], h=size[1]))
                assert board.go_on()
            left, top, share = window._board
            surface = pygame.display.get_surface()
            assert surface is not None and window._last is not None and share == 1
            assert min(left, top) < 24  # a margin of 18 pixels, and less than a cell's rest
            assert window._last[0].shape[0] > 0.85 * (surface.get_height() - 40)
    finally:
        window.close()


def test_facts__tell_what_agents_have_and_carry(tmp_path: Path) -> None:
    """Attributes of agents, and those of what they carry, stand in the panel, the terminal and the transcript."""
    path = tmp_path / "wood.grid"
    path.write_text(
        "env: t/Wood-v0\nagent: wood 3 in 0..9\nobject key: portable, color red in red | blue\n"
        "map:\n    @k\nlegend: k = key(color=blue)\nactions: left, right, pickup\nobserve: cell\nlimit: 5\n"
    )
    player = _player(path)
    player.press("right")
    player.session.act(2)
    assert {("wood", "3"), ("carrying", "key(color=blue)")} <= set(player.rows())
    assert any("key(color=blue)" in line for line in screen(player, 100, 30, color=False))
    told = list(transcript(Session(path, seed=1), [(1,), (2,)]))
    assert "  wood: 3, carrying: key(color=blue)" in told


def test_highlight__darkens_what_no_agent_sees() -> None:
    """What a view does not show is darker on the board; where all is seen, or it is not wanted, nothing is."""
    player = _player(SPECS / "door_key.grid")
    dimmed = player.scene().dimmed
    assert dimmed is not None and dimmed.any() and not dimmed.all()
    x, y = player.session.agent_cell % dimmed.shape[1], player.session.agent_cell // dimmed.shape[1]
    assert not dimmed[y, x]
    assert Player(Session(SPECS / "door_key.grid", seed=1), None, highlight=False).scene().dimmed is None
    assert _player(SPECS / "frozen_lake.grid").scene().dimmed is None


def test_panel__has_all_a_player_needs(game: Path) -> None:
    """The panel has title, facts, keys, the rule that fired with its line, and errors."""
    player = _player(game)
    player.press("right")
    panel = panel_of(player)
    assert panel.title == "Game-v0" and ("last reward", "-1") in panel.rows
    assert panel.message == "each step (line 10)" and ("u", "undo") in panel.keys and panel.error == ""


# The terminal


@pytest.mark.parametrize(("columns", "rows"), [(100, 30), (50, 16), (20, 8), (10, 4)])
def test_screen__fits_the_terminal(columns: int, rows: int) -> None:
    """Whatever the size of the terminal, the board is there and no line of it is too wide."""
    player = _player(SPECS / "random_maze.grid")
    lines = screen(player, columns, rows, color=False)
    assert any("█" in line for line in lines)
    board = [line for line in lines if line.startswith("█")]
    assert all(len(line.split("   ")[0]) <= max(columns, 8) for line in board)
    assert len(lines) <= max(rows, 8)


def test_screen__shows_errors_below(game: Path) -> None:
    """Errors stand below the old game, with their carets."""
    player = _player(game)
    game.write_text(game.read_text().replace("end success", "endd success"))
    player.session.reload()
    text = "\n".join(screen(player, 90, 40, color=False))
    assert "error[" in text and "^^^^" in text and "energy" in text


def test_keys__are_read_from_what_terminals_send() -> None:
    """Sequences become the names of keys, several in one read too."""
    assert keys_in("\x1b[A\x1b[5~ u\r\x7f\x1b") == [
        "up",
        "page up",
        "space",
        "u",
        "return",
        "backspace",
        "escape",
    ]


def test_terminal__plays_in_a_pseudo_terminal(game: Path) -> None:
    """In a terminal keys move the agent, the screen is redrawn, and quitting leaves the terminal as it was."""
    code = "import sys; sys.argv = ['griddsl', 'run', sys.argv[1], '--view', 'terminal']; "
    code += "from griddsl.cli import main; main()"
    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "90", "LINES": "30"}
    command = [sys.executable, "-c", code, str(game)]
    running = subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=environment, close_fds=True
    )
    try:
        assert "score" in _read_until(master, "quit")
        os.write(master, b"\x1b[C")
        assert "each step (line 10)" in _read_until(master, "each step (line 10)")
        game.write_text(game.read_text().replace("end success", "endd success"))
        assert "endd" in _read_until(master, "help:")
        os.write(master, b"q")
        text = _read_until(master, "1 steps")
        assert "\x1b[?1049l" in text and "Traceback" not in text
        assert running.wait(30) == 0
        assert termios.tcgetattr(slave) == before
    finally:
        running.kill()
        running.wait()
        os.close(slave)
        os.close(master)


def _read_until(descriptor: int, wanted: str, seconds: float = 40.0) -> str:
    text = ""
    end = time.monotonic() + seconds
    while wanted not in text and time.monotonic() < end:
        if select.select([descriptor], [], [], 0.2)[0]:
            try:
                text += os.read(descriptor, 65536).decode("utf-8", "replace")
            except OSError:
                break
    assert wanted in text, text
    return text


# On paper


def test_transcript__stops_at_the_end_of_the_episode(game: Path) -> None:
    """Moves after the end are not played, and the last line tells the outcome."""
    lines = list(transcript(Session(game, seed=1), [(1,)] * 9))
    assert lines[-1] == "ended after 3 steps: failure, score -12"
    assert "step 3: right, reward -10, score -12, terminated" in lines


def test_transcript__is_written_while_it_is_played(game: Path) -> None:
    """Lines come as the moves do, so a long game can be followed."""
    session = Session(game, seed=1)
    lines = transcript(session, iter([(1,), (1,)]))
    while not next(lines).startswith("step 1"):
        pass
    assert session.moment.step == 1


@pytest.mark.parametrize(
    ("illegal", "said"),
    [
        ("stay", "and does nothing"),
        ("act", "and is carried out all the same"),
        ("end", "and ends the episode"),
    ],
)
def test_transcript__tells_what_was_not_allowed(tmp_path: Path, illegal: str, said: str) -> None:
    """An action that is forbidden is told as such, with what becomes of it; the same one is not where it is allowed."""
    path = tmp_path / "walk.grid"
    path.write_text(
        "env: t/Walk-v0\nmap:\n    @..\nactions: left, right\nallow left: agent.x > 0\n"
        f"illegal: {illegal}\nobserve: cell\nlimit: 9\n"
    )
    told = list(transcript(Session(path, seed=1), [(0,), (1,), (0,)]))
    assert told.count(f"  left is not allowed here, {said}") == 1
    assert told.index(f"  left is not allowed here, {said}") == 1 + next(
        number for number, line in enumerate(told) if line.startswith("step 1")
    )


def test_transcript__tells_what_the_board_does_not(tmp_path: Path) -> None:
    """Numbers of the ground and of things that a step changed, where they are; what a glyph tells is not said twice."""
    path = tmp_path / "ground.grid"
    path.write_text(
        "env: test/Ground-v0\ntile plot: alive in false | true, seeds 3 in 0..9\nobject sheep: energy 5 in 0..9\n"
        'map:\n    @~s\nlegend: "~" = plot, "#" = plot(alive=true), s = sheep\nactions: stay\nobserve: cell\n'
        "limit: 5\neach plot: plot.alive = not plot.alive, plot.seeds -= 1\neach sheep: sheep.energy -= 1\n",
        encoding="utf-8",
    )
    told = list(transcript(Session(path, seed=1), [(0,), (0,)]))
    assert [line for line in told if " at (" in line] == [
        "  plot at (1, 0): seeds 2; sheep at (2, 0): energy 4",
        "  plot at (1, 0): seeds 1; sheep at (2, 0): energy 3",
    ]


def test_transcript__tells_a_number_whose_glyph_is_another_by_now(tmp_path: Path) -> None:
    """A glyph of the legend is for one number: once a thing has another, its own glyph does not say which."""
    path = tmp_path / "houses.grid"
    path.write_text(
        "env: test/Houses-v0\nagent: nowhere\ntile house: stones in 0..9\nmap:\n    ab\nlegend: a = house(stones=4), b = house(stones=5)\n"
        "actions: take, give\nobserve: grid as planes (house.stones)\nlimit: 5\n"
        "on do take: (the house at (0, 0)).stones -= 1\non do give: (the house at (0, 0)).stones += 1\n",
        encoding="utf-8",
    )
    told = list(transcript(Session(path, seed=1), [(0,), (0,), (1,), (1,)]))
    assert [line.strip() for line in told if line.startswith("  house") or line.strip() in {"ab", "hb"}] == [
        *("ab", "house at (0, 0): stones 3", "hb", "house at (0, 0): stones 2", "hb"),
        *("house at (0, 0): stones 3", "hb", "ab"),
    ]


# Parts of boards


def test_crop__is_around_the_agent_and_inside_the_board() -> None:
    """A part has the wanted size, holds the agent, and keeps its walls; a board that fits is left whole."""
    session = Session(SPECS / "random_maze.grid", seed=2)
    scene = session.scene
    part = around(scene, session.agent_cell, 7, 5)
    assert (part.width, part.height) == (7, 5)
    assert sum(any(sprite.kind == "agent" for sprite in stack) for stack in part.cells) == 1
    assert around(scene, 0, 100, 100) is scene
