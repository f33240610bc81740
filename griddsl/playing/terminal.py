"""Playing in a terminal: raw keys, and the board redrawn in place."""

from __future__ import annotations

import contextlib
import os
import re
import select
import shutil
import sys
import textwrap
from collections.abc import Iterator

from griddsl.playing.crop import around
from griddsl.playing.player import Player
from griddsl.render.ansi import to_ansi

# What terminals send for keys that are no characters.
_ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end"}
_NUMBERED = {
    2: "insert",
    3: "delete",
    5: "page up",
    6: "page down",
    15: "f5",
    17: "f6",
    18: "f7",
    19: "f8",
    20: "f9",
}
SEQUENCES = {
    **{f"\x1b[{letter}": name for letter, name in _ARROWS.items()},
    **{f"\x1bO{letter}": name for letter, name in _ARROWS.items()},
    **{f"\x1b[{number}~": name for number, name in (_NUMBERED | {21: "f10"}).items()},
    "\x1bOS": "f4",
    "\x1b": "escape",
    "\x7f": "backspace",
    "\x08": "backspace",
    "\r": "return",
    "\n": "return",
    "\t": "tab",
    " ": "space",
}
ENTER = "\x1b[?1049h\x1b[?25l"  # another screen, no cursor
LEAVE = "\x1b[?25h\x1b[?1049l"
HOME, END_OF_LINE, BELOW = "\x1b[H", "\x1b[K", "\x1b[J"
BOLD, FAINT, RED, YELLOW, RESET = "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[33m", "\x1b[0m"
ESCAPE_SECONDS = 0.03
BESIDE = 3
MESSAGE_LINES = 4
_EXCERPT = re.compile(r" *[0-9]* \|| *-->")


def play_in_terminal(player: Player) -> None:
    """Show the game in the terminal of standard input until it is quit; the terminal is left as it was."""
    with _raw_keys() as descriptor:
        shown = _show(player, "")
        while True:
            keys = _keys(descriptor, player.seconds_to_wait())
            if not all(player.press(key) for key in keys):
                return
            player.tick()
            shown = _show(player, shown)


@contextlib.contextmanager
def _raw_keys() -> Iterator[int]:
    """Read keys one by one, unechoed, on a screen of its own."""
    import termios
    import tty

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        _write(ENTER)
        yield descriptor
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
        _write(LEAVE)


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


# Keys


def _keys(descriptor: int, seconds: float) -> list[str]:
    """Return the keys that were pressed, waiting at most so long for the first."""
    if not select.select([descriptor], [], [], seconds)[0]:
        return []
    text = _read(descriptor)
    if text.endswith("\x1b") and select.select([descriptor], [], [], ESCAPE_SECONDS)[0]:
        text += _read(descriptor)
    return keys_in(text)


def _read(descriptor: int) -> str:
    data = os.read(descriptor, 4096)
    if not data:
        raise EOFError("the terminal is gone")
    return data.decode("utf-8", "replace")


def keys_in(text: str) -> list[str]:
    """Return the names of the keys that a terminal's input stands for."""
    keys: list[str] = []
    while text:
        size = next((size for size in range(min(6, len(text)), 0, -1) if text[:size] in SEQUENCES), 1)
        keys.append(SEQUENCES.get(text[:size], text[:size]))
        text = text[size:]
    return keys


# The screen


def _show(player: Player, shown: str) -> str:
    """Draw the screen if it differs from what is shown; return what is shown now."""
    size = shutil.get_terminal_size()
    lines = screen(player, size.columns, size.lines, "NO_COLOR" not in os.environ)
    text = "\n".join(f"{line}{END_OF_LINE}" for line in lines)
    if text != shown:
        _write(f"{HOME}{text}{BELOW}")
    return text


def screen(player: Player, columns: int, rows: int, color: bool = True) -> list[str]:
    """Return the lines of a screen of a size: the board, and beside it (or below) the facts and the keys."""
    session = player.session
    error = _error_lines(session.error, columns, max(4, rows // 2))
    room = rows - 2 - len(error)
    facts, message, keys = _fact_lines(player), _message_lines(player), _key_lines(player)
    beside = [*facts, "", *message, *[""] * (MESSAGE_LINES - len(message)), *keys]
    wide = max(_width(line) for line in beside) + BESIDE
    fits_beside = columns - wide >= 2 * min(session.program.width, 12)
    board_columns = (columns - wide) // 2 if fits_beside else columns // 2
    board_rows = room if fits_beside else max(3, room - min(len(facts) + MESSAGE_LINES, room // 2))
    scene = around(player.scene(), session.agent_cell, board_columns, board_rows)
    board = to_ansi(scene, color=color).splitlines()
    below = [*message, *facts, "", *keys]
    lines = _beside(board, beside, 2 * scene.width) if fits_beside else [*board, "", *below]
    title = f"{BOLD}{session.program.id}{RESET}  {FAINT}{session.program.description}{RESET}"
    whole = [_cut(title, columns), "", *lines[:room], *error]
    return whole if color else [_plain(line) for line in whole]


def _beside(board: list[str], facts: list[str], width: int) -> list[str]:
    height = max(len(board), len(facts))
    left = [*board, *[" " * width] * (height - len(board))]
    return [f"{row}{' ' * BESIDE}{fact}" for row, fact in zip(left, [*facts, *[""] * height], strict=False)]


def _fact_lines(player: Player) -> list[str]:
    rows = player.rows()
    wide = max(len(label) for label, _ in rows)
    return [f"{FAINT}{label:<{wide}}{RESET}  {BOLD}{value[:60]}{RESET}" for label, value in rows]


def _message_lines(player: Player) -> list[str]:
    return [f"{YELLOW}{line[:70]}{RESET}" for line in player.message().splitlines()[-MESSAGE_LINES:]]


def _key_lines(player: Player) -> list[str]:
    captions = player.keys.captions(player.session.program, typed=True)
    wide = max(len(keys) for keys, _ in captions)
    return [f"{keys:<{wide}}  {FAINT}{meaning}{RESET}" for keys, meaning in captions]


def _error_lines(error: str, columns: int, most: int) -> list[str]:
    if not error:
        return []
    lines = [part for line in error.splitlines() for part in _wrapped(line, columns - 1)]
    shown = lines if len(lines) < most else [*lines[: most - 2], f"... {len(lines) - most + 2} more lines"]
    return ["", *(f"{RED}{line}{RESET}" for line in shown)]


def _wrapped(line: str, columns: int) -> list[str]:
    """Return a line of a diagnostic in lines that fit; excerpts are cut, as carets point into them."""
    if _EXCERPT.match(line) or not line:
        return [line[:columns]]
    return textwrap.wrap(line, columns)


def _width(line: str) -> int:
    return len(_plain(line))


def _plain(line: str) -> str:
    for code in (BOLD, FAINT, RED, YELLOW, RESET):
        line = line.replace(code, "")
    return line


def _cut(title: str, columns: int) -> str:
    return title if _width(title) <= columns else f"{BOLD}{_plain(title)[: columns - 1]}{RESET}"
