"""The window: a board beside a panel of text. The only module with pygame, imported when it is needed."""

import contextlib
import os
import sys
import textwrap
import warnings
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from griddsl.render.colors import Rgb

if TYPE_CHECKING:
    from pygame import Event, Rect, Surface
    from pygame.font import Font

Frame = NDArray[np.uint8]

_BACKDROP: Rgb = (30, 32, 40)
_PANEL: Rgb = (38, 41, 51)
_RULE: Rgb = (58, 62, 76)
_TEXT: Rgb = (232, 233, 238)
_FAINT: Rgb = (150, 155, 170)
_NOTE: Rgb = (250, 205, 120)
_NOTE_BACK: Rgb = (56, 53, 50)
_ERROR: Rgb = (255, 142, 136)
_ERROR_BACK: Rgb = (50, 28, 34)
_KEYCAP: Rgb = (62, 66, 82)

_PANEL_WIDTH = 300
_KEY_HEIGHT = 27
_MARGIN = 18
_BOARD = 640  # pixels; the height that a window gives a board at least, where the screen has it
_SMALLEST = (320, 240)
_UNSEEN_DRIVERS = frozenset({"dummy", "offscreen", "evdev", "kmsdrm"})
_MONOSPACE = "dejavusansmono,menlo,consolas,liberationmono,ubuntumono,notosansmono,couriernew,freemono"
_SANS = "inter,segoeui,helveticaneue,ubuntu,notosans,dejavusans,liberationsans,arial,freesans"
_KEPT_EVENTS = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """What stands beside the board."""

    title: str = ""
    rows: Sequence[tuple[str, str]] = ()  # label and value
    keys: Sequence[tuple[str, str]] = ()  # a key and what it does
    message: str = ""  # such as the rule that fired
    error: str = ""  # diagnostics, shown across the window with their columns kept


def display_available() -> bool:
    """Whether a window can be opened where a person sees it. Quiet, and leaves an open window alone."""
    if os.environ.get("SDL_VIDEODRIVER", os.environ.get("SDL_VIDEO_DRIVER", "")).lower() in _UNSEEN_DRIVERS:
        return False
    on_unix = sys.platform not in ("win32", "darwin", "cygwin")
    if on_unix and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    try:
        pygame = _pygame()
        if pygame.display.get_init():
            return pygame.display.get_driver().lower() not in _UNSEEN_DRIVERS
        with _quiet_stderr():
            pygame.display.init()
            seen = pygame.display.get_driver().lower() not in _UNSEEN_DRIVERS
            pygame.display.quit()
        return bool(seen)
    except Exception:  # whatever a broken display does, the answer is no
        return False


class Window:
    """One window, opened by the first frame it shows."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._surface: Surface | None = None
        self._events: deque[str] = deque(maxlen=_KEPT_EVENTS)
        self._clicks: deque[tuple[int, int, int]] = deque(maxlen=_KEPT_EVENTS)
        self._board: tuple[int, int, float] = (0, 0, 1.0)
        self._last: tuple[Frame, Panel | None] | None = None
        self._next_tick = 0
        self._closed = False

    @property
    def is_open(self) -> bool:
        """Whether the window is on the screen."""
        return self._surface is not None

    def show(self, frame: Frame, panel: Panel | None = None) -> None:
        """Show the frame, uint8 (height, width, 3), and beside it the panel, if there is one.

        The board keeps its proportions: it grows by whole factors, so its pixels stay sharp, and shrinks
        smoothly. Does nothing once the window was closed.
        """
        if self._closed:
            return
        # Another library that uses pygame may have shut it down meanwhile.
        if self._surface is None or not _pygame().display.get_init():
            self._surface = self._open(frame, panel)
        self._last = (frame, panel)
        self._paint(self._surface, frame, panel)

    def room(self, panel: Panel | None = None) -> tuple[int, int]:
        """How many pixels there are for a frame beside the panel: in the window, or in the one that would be opened."""
        self._start()
        if self._surface is not None:
            width, height = self._surface.get_size()
        else:
            width, height = self._screen()
            height = min(height, max(_natural_height(panel), _BOARD + 2 * _MARGIN))
            width = min(width, 2 * height + _PANEL_WIDTH)
        if panel is None:
            return width, height
        width -= min(_PANEL_WIDTH, width // 2)
        return max(1, width - 2 * _MARGIN), max(1, height - 2 * _MARGIN)

    def show_frame(self, frame: Frame, fps: float) -> None:
        """Show the frame alone, and wait so long that at most `fps` frames are shown in a second."""
        self.show(frame)
        if self._closed:
            return
        pygame = _pygame()
        self._collect()
        now = pygame.time.get_ticks()
        if now < self._next_tick:
            pygame.time.wait(self._next_tick - now)
        self._next_tick = max(now, self._next_tick) + round(1000 / fps) if fps > 0 else 0

    def events(self) -> list[str]:
        """What happened since the last call, in order: keys ("up", "left shift", "ctrl+z") and "quit"."""
        if self._surface is not None:
            self._collect()
        found = list(self._events)
        self._events.clear()
        return found

    def clicks(self) -> list[tuple[int, int, int]]:
        """Where the mouse was pressed since the last call, in order: the button (1 left, 3 right), x and y.

        The place is a pixel of the frame that is shown; presses beside it are not told.
        """
        found = list(self._clicks)
        self._clicks.clear()
        return found

    def wait(self, milliseconds: int) -> None:
        """Sleep until something happens, at most so long."""
        if self._surface is None:
            return
        pygame = _pygame()
        event = pygame.event.wait(milliseconds)
        if event.type != pygame.NOEVENT:
            self._handle(event)

    def close(self) -> None:
        """Close the window for good. Closing it again does nothing."""
        self._closed = True
        if self._surface is not None:
            self._surface = None
            pygame = _pygame()
            pygame.display.quit()

    # --- events ---

    def _collect(self) -> None:
        for event in _pygame().event.get():
            self._handle(event)

    def _handle(self, event: "Event") -> None:
        pygame = _pygame()
        if event.type == pygame.QUIT:
            self._events.append("quit")
        elif event.type == pygame.KEYDOWN:
            self._events.append(_key_name(event))
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button <= 3 and self._last is not None:
            left, top, share = self._board
            x, y = int((event.pos[0] - left) / share), int((event.pos[1] - top) / share)
            height, width = self._last[0].shape[:2]
            if 0 <= x < width and 0 <= y < height and event.pos[0] >= left and event.pos[1] >= top:
                self._clicks.append((event.button, x, y))
        elif event.type in (pygame.VIDEORESIZE, pygame.VIDEOEXPOSE) and self._last is not None:
            self._surface = pygame.display.get_surface()
            if self._surface is not None:
                self._paint(self._surface, *self._last)

    # --- drawing ---

    def _start(self) -> None:
        """Let pygame be ready, which another library may have shut down meanwhile."""
        pygame = _pygame()
        if not pygame.display.get_init():
            self._surface = None
        with _quiet_stderr():
            pygame.display.init()
            if not pygame.font.get_init():
                _font.cache_clear()
                pygame.font.init()

    def _screen(self) -> tuple[int, int]:
        """Return how large a window may be: most of the first screen."""
        width, height = _pygame().display.get_desktop_sizes()[0]
        return round(0.9 * width), round(0.9 * height)

    def _open(self, frame: Frame, panel: Panel | None) -> "Surface":
        pygame = _pygame()
        self._start()
        screen_width, screen_height = self._screen()
        height, width = frame.shape[:2]
        beside = 0 if panel is None else _PANEL_WIDTH + 2 * _MARGIN
        # A small board starts larger, so that it does not look lost beside the panel.
        factor = max(
            1, min(480 // max(width, height), (screen_width - beside) // width, screen_height // height)
        )
        around = 0 if panel is None else 2 * _MARGIN
        wanted = (width * factor + beside, max(height * factor + around, _natural_height(panel)))
        size = (
            max(min(wanted[0], screen_width), _SMALLEST[0]),
            max(min(wanted[1], screen_height), _SMALLEST[1]),
        )
        if panel is None:
            size = (min(wanted[0], screen_width), min(wanted[1], screen_height))
        surface: Surface = pygame.display.set_mode(size, pygame.RESIZABLE)
        pygame.display.set_caption(self._title)
        pygame.key.set_repeat(320, 75)
        return surface

    def _paint(self, surface: "Surface", frame: Frame, panel: Panel | None) -> None:
        pygame = _pygame()
        surface.fill(_BACKDROP)
        whole = surface.get_rect()
        board = whole.copy()
        if panel is not None:
            if panel.error:
                board.height -= _paint_error(surface, whole, panel.error)
            side = min(_PANEL_WIDTH, whole.width // 2)
            board.width -= side
            _paint_panel(surface, pygame.Rect(board.right, 0, side, board.height), panel)
            board.inflate_ip(-2 * _MARGIN, -2 * _MARGIN)
        self._board = _paint_board(surface, board, frame)
        pygame.display.flip()


def _paint_board(surface: "Surface", area: "Rect", frame: Frame) -> tuple[int, int, float]:
    """Paint a frame into the middle of an area; return its left and upper end there, and how much it was scaled."""
    pygame = _pygame()
    if area.width < 1 or area.height < 1:
        return area.left, area.top, 1.0
    # The transposed view of a frame is what pygame calls an array of pixels: columns first.
    picture = pygame.surfarray.make_surface(frame.swapaxes(0, 1))
    width, height = picture.get_size()
    share = min(area.width / width, area.height / height)
    # By whole factors, so that pixels stay sharp, unless that leaves much of the area empty.
    if share >= 2:
        picture = pygame.transform.scale_by(picture, int(share))
    if share < 1 or share > 1.25 * int(share):
        size = (max(1, int(width * share)), max(1, int(height * share)))
        picture = pygame.transform.smoothscale(picture, size)
    place = picture.get_rect(center=area.center)
    surface.blit(picture, place)
    return place.left, place.top, picture.get_size()[0] / width


def _paint_panel(surface: "Surface", area: "Rect", panel: Panel) -> None:
    pygame = _pygame()
    before = surface.get_clip()
    surface.set_clip(area)
    surface.fill(_PANEL, area)
    pen = _Pen(surface, area.inflate(-2 * _MARGIN, -2 * _MARGIN))
    if panel.title:
        pen.paragraph(panel.title, _font(21, bold=True), _TEXT)
        pen.gap(8)
        pen.rule()
    for label, value in panel.rows:
        pen.row(label, value)
    if panel.message:
        pen.gap(10)
        pen.card(panel.message)
    if panel.keys:
        pen.gap(14)
        pen.rule()
        _paint_keys(pen, panel.keys)
    pygame.draw.line(surface, _RULE, area.topleft, area.bottomleft)
    surface.set_clip(before)


def _paint_keys(pen: "_Pen", keys: Sequence[tuple[str, str]]) -> None:
    """Write the keys below each other; in two columns, with a word on those left out, where they do not fit."""
    if len(keys) <= pen.room // _KEY_HEIGHT:
        for key, meaning in keys:
            pen.key(key, meaning)
        return
    rows = max(1, pen.room // _KEY_HEIGHT)
    shown = keys if len(keys) <= 2 * rows else keys[: 2 * rows - 1]
    rows = min(rows, (len(shown) + 1) // 2)
    for column, part in zip(pen.halves(), (shown[:rows], shown[rows:]), strict=True):
        for key, meaning in part:
            column.key(key, meaning, least=0)
        if part and part[-1] is shown[-1] and len(shown) < len(keys):
            column.paragraph(f"and {len(keys) - len(shown)} more", _font(13), _FAINT)


class _Pen:
    """Writes downwards in a column."""

    def __init__(self, surface: "Surface", area: "Rect") -> None:
        self._surface = surface
        self._area = area
        self._y = area.top

    @property
    def room(self) -> int:
        """How many pixels are left below."""
        return self._area.bottom - self._y

    def halves(self) -> tuple["_Pen", "_Pen"]:
        """Return pens for two columns, side by side below what is written."""
        width = self._area.width // 2
        left, right = (
            _pygame().Rect(x, self._y, width - 6, self.room)
            for x in (self._area.left, self._area.left + width)
        )
        return _Pen(self._surface, left), _Pen(self._surface, right)

    def gap(self, pixels: int) -> None:
        self._y += pixels

    def rule(self) -> None:
        _pygame().draw.line(self._surface, _RULE, (self._area.left, self._y), (self._area.right, self._y))
        self._y += 12

    def paragraph(self, text: str, font: "Font", color: Rgb, indent: int = 0) -> None:
        for line in _wrapped(text, font, self._area.width - indent):
            self._surface.blit(font.render(line, True, color), (self._area.left + indent, self._y))
            self._y += font.get_linesize()

    def row(self, label: str, value: str) -> None:
        """A label at the left and its value at the right, or below where both are long."""
        faint, strong = _font(15), _font(15, bold=True)
        name = faint.render(_clean(label), True, _FAINT)
        room = self._area.width - name.get_width() - 12
        self._surface.blit(name, (self._area.left, self._y))
        if strong.size(_clean(value))[0] <= room:
            drawn = strong.render(_clean(value), True, _TEXT)
            self._surface.blit(drawn, (self._area.right - drawn.get_width(), self._y))
            self._y += strong.get_linesize()
        else:
            self._y += faint.get_linesize()
            self.paragraph(value, strong, _TEXT, indent=12)
        self._y += 4

    def card(self, text: str) -> None:
        """A paragraph on a ground of its own."""
        font = _font(14)
        lines = _wrapped(text, font, self._area.width - 24)
        height = len(lines) * font.get_linesize() + 16
        pygame = _pygame()
        ground = pygame.Rect(self._area.left, self._y, self._area.width, height)
        pygame.draw.rect(self._surface, _NOTE_BACK, ground, border_radius=6)
        pygame.draw.rect(self._surface, _NOTE, (ground.left, ground.top + 6, 3, height - 12), border_radius=2)
        self._y += 8
        for line in lines:
            self._surface.blit(font.render(line, True, _NOTE), (self._area.left + 12, self._y))
            self._y += font.get_linesize()
        self._y += 8

    def key(self, key: str, meaning: str, least: int = 96) -> None:
        """A key cap and what the key does, ``least`` pixels to its right."""
        font = _font(13)
        drawn = font.render(_clean(key), True, _TEXT)
        pygame = _pygame()
        cap = pygame.Rect(self._area.left, self._y, drawn.get_width() + 14, font.get_linesize() + 6)
        pygame.draw.rect(self._surface, _KEYCAP, cap, border_radius=5)
        self._surface.blit(drawn, drawn.get_rect(center=cap.center))
        indent = max(least, cap.width + 10)
        self._y += 3
        self.paragraph(meaning, font, _FAINT, indent)
        self._y += 7


def _natural_height(panel: Panel | None) -> int:
    """About how high a panel becomes, with rows and a message that come later."""
    if panel is None:
        return 0
    lines = 26 * len(panel.rows) + 28 * len(panel.keys)
    return 320 + lines + (80 if panel.error else 0)


def _paint_error(surface: "Surface", whole: "Rect", text: str) -> int:
    """Draw diagnostics across the bottom, as large as fits, cutting what is too long; the height taken."""
    pygame = _pygame()
    lines = [_clean(line) for line in text.rstrip().split("\n")]
    most = whole.height // 2
    longest = max(map(len, lines))
    size = 15
    while size > 11 and _font(size, mono=True).size("M")[0] * longest > whole.width - 2 * _MARGIN:
        size -= 1
    font = _font(size, mono=True)
    columns = max(1, (whole.width - 2 * _MARGIN) // font.size("M")[0])
    shown = max(1, (most - 2 * _MARGIN) // font.get_linesize())
    if len(lines) > shown:
        left_out = len(lines) - shown + 1
        lines = [*lines[: shown - 1], f"... {left_out} more lines"]
    height = len(lines) * font.get_linesize() + 2 * _MARGIN
    area = pygame.Rect(0, whole.bottom - height, whole.width, height)
    surface.fill(_ERROR_BACK, area)
    pygame.draw.line(surface, _ERROR, area.topleft, area.topright, 2)
    for number, line in enumerate(lines):
        cut = line if len(line) <= columns else line[: columns - 1] + "…"
        drawn = font.render(cut, True, _ERROR)
        surface.blit(drawn, (_MARGIN, area.top + _MARGIN + number * font.get_linesize()))
    return int(height)


def _wrapped(text: str, font: "Font", width: int) -> list[str]:
    """The text in lines that are at most `width` pixels wide; a longer word is broken."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in _clean(paragraph).split(" "):
            longer = f"{line} {word}" if line else word
            if font.size(longer)[0] <= width:
                line = longer
                continue
            if line:
                lines.append(line)
            pieces = _broken(word, font, width)
            lines += pieces[:-1]
            line = pieces[-1]
        lines.append(line)
    return lines


def _broken(word: str, font: "Font", width: int) -> list[str]:
    if font.size(word)[0] <= width:
        return [word]
    letters = max(1, width // max(1, font.size("W")[0]))
    return textwrap.wrap(word, letters) or [""]


def _clean(text: str) -> str:
    """One line that a font can draw: tabs as blanks, no control characters, and not endless."""
    return "".join(letter if letter.isprintable() else " " for letter in text.expandtabs(4)[:2000])


def _key_name(event: "Event") -> str:
    pygame = _pygame()
    name: str = pygame.key.name(event.key) or f"key {event.key}"
    if event.key in (
        pygame.K_LCTRL,
        pygame.K_RCTRL,
        pygame.K_LALT,
        pygame.K_RALT,
        pygame.K_LMETA,
        pygame.K_RMETA,
    ):
        return name
    if event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
        return f"ctrl+{name}"
    return f"alt+{name}" if event.mod & pygame.KMOD_LALT else name


@lru_cache(maxsize=32)
def _font(size: int, *, bold: bool = False, mono: bool = False) -> "Font":
    pygame = _pygame()
    path = _font_path(_MONOSPACE if mono else _SANS, bold)
    font: Font = pygame.font.Font(path, size)
    if bold and path is None:
        font.set_bold(True)
    return font


@lru_cache(maxsize=8)
def _font_path(names: str, bold: bool) -> str | None:
    """A font of the system, None where there is none of these (pygame brings one of its own)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path: str | None = _pygame().font.match_font(names, bold=bold)
    return path


@lru_cache(maxsize=1)
def _pygame() -> ModuleType:
    """pygame, imported at the first call, without its greeting."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    if sys.platform == "win32":
        os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pygame
    return pygame


@contextlib.contextmanager
def _quiet_stderr() -> Iterator[None]:
    """Silence what SDL and its drivers write to the process's standard error."""
    try:
        sys.stderr.flush()
        kept = os.dup(2)
    except (OSError, AttributeError, ValueError):
        yield
        return
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
