"""The player: keys, playing by itself, following the file; and keys of specs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from griddsl.playing.keys import COMMANDS, keys_of
from griddsl.playing.player import LOOK_SECONDS, Player
from griddsl.playing.session import Session
from griddsl.playing.watch import Watch


class Clock:
    """A clock that is moved by hand."""

    now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock at zero."""
    return Clock()


@pytest.fixture
def player(game: Path, clock: Clock) -> Player:
    """A player of the small game."""
    return Player(Session(game, seed=1), game, 4.0, clock)


def _save(path: Path, text: str) -> None:
    path.write_text(text)
    os.utime(path, ns=(1, path.stat().st_mtime_ns + 1_000_000))


def test_keys__play_actions_and_commands(player: Player) -> None:
    """Keys of actions move, `u` undoes, `r` restarts, `q` quits."""
    assert player.press("right") and player.press("d")
    assert player.session.moment.step == 2
    assert player.press("u") and player.session.moment.step == 1
    assert player.press("r") and player.session.moment.step == 0
    assert player.press("f12") and player.press("é")
    assert not player.press("q")


@pytest.mark.parametrize("key", ["quit", "escape", "ctrl+c"])
def test_keys__quit(player: Player, key: str) -> None:
    """Closing the window, escape and ctrl+c always quit."""
    assert not player.press(key)


def test_new_seed__starts_another_episode(player: Player) -> None:
    """The command for another seed restarts with it, and says which."""
    player.press("right")
    player.press("e")
    assert player.session.moment.step == 0 and player.session.notice.startswith("seed ")


def test_playing_by_itself__follows_the_clock(player: Player, clock: Clock) -> None:
    """At four moves a second a move is due every quarter second, until it is stopped."""
    player.press("space")
    assert player.tick() and player.session.moment.step == 1
    assert not player.tick()
    clock.now = 0.26
    assert player.tick() and player.session.moment.step == 2
    player.press("space")
    clock.now = 5.0
    player.tick()
    assert player.session.moment.step == 2


def test_playing_by_itself__goes_on_with_the_next_seed(player: Player, clock: Clock) -> None:
    """After the end of an episode, and a rest, the next seed's begins."""
    player.press("space")
    for _ in range(1000):
        player.tick()
        if player.session.moment.is_over:
            break
        clock.now += 0.3
    clock.now += 2.0
    player.tick()
    assert (player.session.seed, player.session.moment.step) == (2, 0)


def test_one_move__is_played_while_stopped(player: Player) -> None:
    """`n` plays one random move and stops playing by itself."""
    player.press("space")
    player.press("n")
    assert player.session.moment.step == 1 and not player.is_auto


def test_speed__goes_up_and_down(player: Player) -> None:
    """`+` and `-` change the speed within its limits."""
    player.press("+")
    assert player.speed == 8.0
    for _ in range(20):
        player.press("-")
    assert player.speed == 0.5 and "0.5 moves a second" in player.message()


def test_message__names_the_rules_and_the_end(player: Player) -> None:
    """The message has the rules of the last step, and at the end how to go on."""
    for _ in range(3):
        player.press("right")
    assert player.message().splitlines() == [
        "on enter lava (line 11)",
        "each step (line 10)",
        "The episode is over: failure. Press r to play again.",
    ]


def test_file__is_followed(player: Player, clock: Clock, game: Path) -> None:
    """A save is seen within a quarter second: errors are shown and the game stays, until it is corrected."""
    text = game.read_text()
    player.press("right")
    _save(game, text.replace("end success", "endd success"))
    assert not player.tick()
    clock.now += LOOK_SECONDS
    assert player.tick() and "error[" in player.session.error
    player.press("right")
    assert player.session.moment.step == 2
    _save(game, text.replace("actions: up, right", "actions: right, up"))
    clock.now += LOOK_SECONDS
    assert player.tick() and player.session.error == ""
    player.press("right")
    assert player.session.moment.move == (0,)


def test_watch__sees_files_of_the_folder_and_waits_for_half_saved_ones(game: Path) -> None:
    """A library beside the spec counts; a spec that is gone for a moment does not."""
    watch = Watch(game)
    assert not watch.changed()
    (game.parent / "kinds.grid").write_text("object coin: portable\n")
    assert watch.changed() and not watch.changed()
    text = game.read_text()
    game.unlink()
    assert not watch.changed()
    game.write_text(text + "\n")
    assert watch.changed() and not Watch(None).changed()


def test_commands__keep_a_key_whatever_the_actions_take(game: Path) -> None:
    """Actions come first; a command whose letter is taken has another key."""
    named = ", ".join(f"a{number} [{letter}]" for number, letter in enumerate("urenq"))
    text = game.read_text().replace("actions: up, right, down, left", f"actions: right, {named}, hop [space]")
    game.write_text(text)
    keys = keys_of(Session(game).program)
    assert keys.actions["u"] == (0, 1) and keys.commands["backspace"] == "undo"
    assert {command for command, _, _ in COMMANDS} <= set(keys.commands.values())


def test_captions__are_those_a_terminal_can_type(player: Player) -> None:
    """Every caption has keys, and the speed's are together."""
    captions = dict(player.keys.captions(player.session.program, typed=True))
    assert captions["up, w"] == "up" and captions["u"] == "undo" and captions["+, -"] == "faster, slower"


def test_second_group__is_held_until_a_move(game: Path) -> None:
    """Actions of a second group wait for a move of the first, and are shown."""
    said = "actions say: quiet, ping\non do ping: energy = 9\nobserve: cell"
    game.write_text(game.read_text().replace("observe: cell", said))
    player = Player(Session(game, seed=1), game)
    ping = next(key for key, action in player.keys.actions.items() if action == (1, 1))
    player.press(ping)
    assert player.session.moment.step == 0 and ("say", "ping") in player.rows()
    player.press("right")
    assert player.session.moment.move == (1, 1)
