"""Playing in a window: a loop around the player."""

from __future__ import annotations

from functools import lru_cache

from griddsl.playing.player import Player
from griddsl.playing.views import with_views
from griddsl.render.raster import Rasteriser, default_cell_pixels
from griddsl.render.window import Panel, Window


def play_in_window(player: Player) -> None:
    """Show the game in a window until it is closed."""
    window = Window(f"griddsl: {player.session.program.id}")
    try:
        _show(window, player)
        while _go_on(window, player):
            pass
    finally:
        window.close()


def _go_on(window: Window, player: Player) -> bool:
    """Wait, do what was asked, show it; False when the window is to be closed."""
    window.wait(round(player.seconds_to_wait() * 1000))
    keys, clicks = window.events(), window.clicks()
    for key in keys:
        if not player.press(key):
            return False
    for button, x, y in clicks:
        cell = _cell_at(player, x, y)
        if cell is not None:
            player.click(cell, button)
    if player.tick() or keys or clicks:
        _show(window, player)
    return window.is_open


def _cell_at(player: Player, x: int, y: int) -> tuple[int, int] | None:
    """Return the cell at a pixel of what is shown; None beside the board, where the views of agents are."""
    scene = player.session.scene
    pixels = default_cell_pixels(scene.width, scene.height)
    wide = with_views(player.session, _rasteriser(pixels).draw(scene)).shape[1]
    column, row = (x - (wide - scene.width * pixels) // 2) // pixels, y // pixels
    return (column, row) if 0 <= column < scene.width and row < scene.height else None


def _show(window: Window, player: Player) -> None:
    scene = player.scene()
    frame = _rasteriser(default_cell_pixels(scene.width, scene.height)).draw(scene)
    window.show(with_views(player.session, frame), panel_of(player))


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
