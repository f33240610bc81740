"""The window: a board, beside a panel if there is one, and what was pressed in it."""

from collections import deque
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from griddsl.render.colors import Rgb
from griddsl.render.window.display import load_pygame, quiet_stderr
from griddsl.render.window.letters import font_of
from griddsl.render.window.panel import MARGIN, PANEL_WIDTH, Panel, natural_height, paint_error, paint_panel

if TYPE_CHECKING:
    from pygame import Event, Rect, Surface

Frame = NDArray[np.uint8]

_BACKDROP: Rgb = (30, 32, 40)
_BOARD = 640  # pixels; the height that a window gives a board at least, where the screen has it
_SMALLEST = (320, 240)
_KEPT_EVENTS = 256


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
        if self._surface is None or not load_pygame().display.get_init():
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
            height = min(height, max(natural_height(panel), _BOARD + 2 * MARGIN))
            width = min(width, 2 * height + PANEL_WIDTH)
        if panel is None:
            return width, height
        width -= min(PANEL_WIDTH, width // 2)
        return max(1, width - 2 * MARGIN), max(1, height - 2 * MARGIN)

    def show_frame(self, frame: Frame, fps: float) -> None:
        """Show the frame alone, and wait so long that at most `fps` frames are shown in a second."""
        self.show(frame)
        if self._closed:
            return
        pygame = load_pygame()
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
        pygame = load_pygame()
        event = pygame.event.wait(milliseconds)
        if event.type != pygame.NOEVENT:
            self._handle(event)

    def close(self) -> None:
        """Close the window for good. Closing it again does nothing."""
        self._closed = True
        if self._surface is not None:
            self._surface = None
            pygame = load_pygame()
            pygame.display.quit()

    # --- events ---

    def _collect(self) -> None:
        for event in load_pygame().event.get():
            self._handle(event)

    def _handle(self, event: "Event") -> None:
        pygame = load_pygame()
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
        pygame = load_pygame()
        if not pygame.display.get_init():
            self._surface = None
        with quiet_stderr():
            pygame.display.init()
            if not pygame.font.get_init():
                font_of.cache_clear()
                pygame.font.init()

    def _screen(self) -> tuple[int, int]:
        """Return how large a window may be: most of the first screen."""
        width, height = load_pygame().display.get_desktop_sizes()[0]
        return round(0.9 * width), round(0.9 * height)

    def _open(self, frame: Frame, panel: Panel | None) -> "Surface":
        pygame = load_pygame()
        self._start()
        screen_width, screen_height = self._screen()
        height, width = frame.shape[:2]
        beside = 0 if panel is None else PANEL_WIDTH + 2 * MARGIN
        # A small board starts larger, so that it does not look lost beside the panel.
        factor = max(
            1, min(480 // max(width, height), (screen_width - beside) // width, screen_height // height)
        )
        around = 0 if panel is None else 2 * MARGIN
        wanted = (width * factor + beside, max(height * factor + around, natural_height(panel)))
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
        pygame = load_pygame()
        surface.fill(_BACKDROP)
        whole = surface.get_rect()
        board = whole.copy()
        if panel is not None:
            if panel.error:
                board.height -= paint_error(surface, whole, panel.error)
            side = min(PANEL_WIDTH, whole.width // 2)
            board.width -= side
            paint_panel(surface, pygame.Rect(board.right, 0, side, board.height), panel)
            board.inflate_ip(-2 * MARGIN, -2 * MARGIN)
        self._board = _paint_board(surface, board, frame)
        pygame.display.flip()


def _paint_board(surface: "Surface", area: "Rect", frame: Frame) -> tuple[int, int, float]:
    """Paint a frame into the middle of an area; return its left and upper end there, and how much it was scaled."""
    pygame = load_pygame()
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


def _key_name(event: "Event") -> str:
    pygame = load_pygame()
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
