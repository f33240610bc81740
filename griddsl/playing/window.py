"""Playing in a window: a loop around the player."""

from __future__ import annotations

from functools import lru_cache

from griddsl.playing.player import Player
from griddsl.playing.views import views_height, with_views
from griddsl.refused import Refused
from griddsl.render.raster import Rasteriser
from griddsl.render.window import Panel, Window
from griddsl.render.window.display import load_pygame

LARGEST_CELL = 200  # pixels
SMALLEST_CELL = 4


def play_in_window(player: Player) -> None:
    """Show the game in a window until it is closed. Raises `Refused` where the display is lost meanwhile."""
    window = Window(f"griddsl: {player.session.program.id}")
    board = Board(window, player)
    try:
        board.show()
        while board.go_on():
            pass
    except load_pygame().error as error:
        raise Refused(f"the window was lost, because its display is gone ({error})") from None
    finally:
        window.close()


class Board:
    """A game in a window, its cells as large as the room beside the panel allows."""

    def __init__(self, window: Window, player: Player) -> None:
        self._window = window
        self._player = player
        self._room = (0, 0)
        self._cell_pixels = SMALLEST_CELL
        self._left = 0

    def go_on(self) -> bool:
        """Wait, do what was asked, show it; False when the window is to be closed."""
        window, player = self._window, self._player
        window.wait(round(player.seconds_to_wait() * 1000))
        keys, clicks = window.events(), window.clicks()
        for key in keys:
            if not player.press(key):
                return False
        for button, x, y in clicks:
            cell = self._cell_at(x, y)
            if cell is not None:
                player.click(cell, button)
        if window.is_open and (player.tick() or keys or clicks or self._is_resized()):
            self.show()
        return window.is_open

    def show(self) -> None:
        """Show the game as it is."""
        scene, panel = self._player.scene(), panel_of(self._player)
        self._room = width, height = self._window.room(panel)
        below = views_height(self._player.session, width)
        fitting = min(width // scene.width, max(1, height - below) // scene.height)
        self._cell_pixels = max(SMALLEST_CELL, min(LARGEST_CELL, fitting))
        frame = with_views(self._player.session, _rasteriser(self._cell_pixels).draw(scene))
        self._left = (frame.shape[1] - scene.width * self._cell_pixels) // 2
        self._window.show(frame, panel)

    def _is_resized(self) -> bool:
        return self._window.room(panel_of(self._player)) != self._room

    def _cell_at(self, x: int, y: int) -> tuple[int, int] | None:
        """Return the cell at a pixel of what is shown; None beside the board, where the views of agents are."""
        program = self._player.session.program
        column, row = (x - self._left) // self._cell_pixels, y // self._cell_pixels
        return (column, row) if 0 <= column < program.width and row < program.height else None


@lru_cache(maxsize=4)
def _rasteriser(cell_pixels: int) -> Rasteriser:
    """Return the one that keeps what it drew at this size."""
    return Rasteriser(cell_pixels)


def panel_of(player: Player) -> Panel:
    """Return what stands beside the board."""
    session = player.session
    return Panel(
        title=session.program.id.rpartition("/")[2],
        rows=player.rows(),
        keys=player.keys.captions(session.program),
        message=player.message(),
        error=session.error,
    )
