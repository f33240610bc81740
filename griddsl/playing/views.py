"""What each of several agents sees, as pictures beside the whole board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from griddsl.envs.sight import NORTH, facing_of, unseen_places, view_cells, view_leaf
from griddsl.playing.session import Session
from griddsl.program.program import Player
from griddsl.program.spaces import Leaf, ViewInfo
from griddsl.render.raster import Rasteriser
from griddsl.render.scene import Scene, Sprite

MOST_VIEWS = 8
GAP = 8  # pixels around a view
LINE = 3
BACKDROP = (30, 33, 41)


def views_of(session: Session, alone: bool = False) -> list[tuple[str, Scene]]:
    """Return what each player that has a view sees, by name; nothing where only one plays, unless ``alone`` counts."""
    players = session.program.players
    if len(players) < 2 and not alone:
        return []
    found = []
    for player in players[:MOST_VIEWS]:
        seen = view_leaf(player)
        if seen is not None:
            found.append((player.name, _view(session, player, *seen)))
    return found


def _view(session: Session, player: Player, leaf: Leaf, view: ViewInfo) -> Scene:
    """Cut a view out of the board, ahead up; what is off it or not seen is dimmed."""
    board, program = session.scene, session.program
    places = view_cells(program, player, view, session.integers)
    unseen = unseen_places(program, player, leaf, view, session.env.observe(player.name))
    facing = facing_of(program, player, view, session.integers)
    cells = tuple(
        tuple(_turned(sprite, facing) for sprite in board.cells[cell]) if cell >= 0 else ()
        for cell in places.reshape(-1).tolist()
    )
    return Scene(view.columns, view.rows, cells, dimmed=(places < 0) | unseen)


def _turned(sprite: Sprite, facing: int) -> Sprite:
    """Return a sprite as it looks where ``facing`` is up."""
    direction = sprite.direction
    if direction is None or direction > 3 or facing == NORTH:
        return sprite
    return replace(sprite, direction=(direction - facing + NORTH) % 4)


def with_views(
    session: Session, board: np.ndarray[Any, np.dtype[np.uint8]]
) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return a picture of the board, ``(height, width, 3)`` uint8, with the views in a row below it.

    Each is framed in the colour of its agent.
    """
    views = views_of(session)
    if not views:
        return board
    pixels = _view_pixels(views, board.shape[1])
    frames = [_framed(_raster(pixels).draw(scene), _color(session, name)) for name, scene in views]
    high = max(frame.shape[0] for frame in frames)
    wide = max(board.shape[1], sum(frame.shape[1] for frame in frames))
    picture = np.full((board.shape[0] + high, wide, 3), BACKDROP, dtype=np.uint8)
    left = (wide - board.shape[1]) // 2
    picture[: board.shape[0], left : left + board.shape[1]] = board
    left = (wide - sum(frame.shape[1] for frame in frames)) // 2
    for frame in frames:
        picture[board.shape[0] : board.shape[0] + frame.shape[0], left : left + frame.shape[1]] = frame
        left += frame.shape[1]
    return picture


def views_height(session: Session, width: int) -> int:
    """Return at most how many pixels high the row of views below a board of a width is."""
    views = views_of(session)
    if not views:
        return 0
    return max(scene.height for _, scene in views) * _view_pixels(views, width) + 2 * (GAP + LINE)


def _view_pixels(views: Sequence[tuple[str, Scene]], width: int) -> int:
    """Return how large a cell of the views is drawn, so that they fit side by side."""
    most = max(max(scene.width, scene.height) for _, scene in views)
    room = max(width // len(views) - 2 * (GAP + LINE), 40)
    return max(4, min(32, room // most))


def _framed(
    frame: np.ndarray[Any, np.dtype[np.uint8]], color: tuple[int, int, int]
) -> np.ndarray[Any, np.dtype[np.uint8]]:
    edge = GAP + LINE
    framed = np.full((frame.shape[0] + 2 * edge, frame.shape[1] + 2 * edge, 3), BACKDROP, dtype=np.uint8)
    framed[GAP:-GAP, GAP:-GAP] = color
    framed[edge:-edge, edge:-edge] = frame
    return framed


def _color(session: Session, name: str) -> tuple[int, int, int]:
    """Return the colour of an agent on the board; white for one that is not there."""
    kind = session.program.agents[session.program.agent_names.index(name)]
    for stack in session.scene.cells:
        for sprite in stack:
            if sprite.kind == kind:
                return sprite.color
    return (255, 255, 255)


_RASTERS: dict[int, Rasteriser] = {}


def _raster(pixels: int) -> Rasteriser:
    """Return the one that keeps what it drew at this size."""
    if pixels not in _RASTERS:
        _RASTERS[pixels] = Rasteriser(pixels)
    return _RASTERS[pixels]
