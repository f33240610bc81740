"""What each of several agents sees, as pictures beside the whole board."""

from __future__ import annotations

from typing import Any

import numpy as np

from griddsl.playing.session import Session
from griddsl.program.program import Player
from griddsl.program.spaces import Leaf, ViewInfo
from griddsl.render.raster import Rasteriser
from griddsl.render.scene import Scene, Stack

NORTH = 3
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))
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
        leaf = next((leaf for leaf in player.observation.leaves if leaf.view is not None), None)
        if leaf is not None and leaf.view is not None:
            found.append((player.name, _view(session, player, leaf, leaf.view)))
    return found


def _view(session: Session, player: Player, leaf: Leaf, view: ViewInfo) -> Scene:
    """Cut a view out of the board, ahead up; what is off it or not seen is dimmed."""
    board = session.scene
    cell = session.value("AGENT_CELL", -1, player.agent)
    facing = session.value("FACING", NORTH, player.agent) % 4 if view.turns else NORTH
    up_x, up_y = STEPS[facing]
    unseen = _unseen(session, player, leaf, view)
    cells: list[Stack] = []
    dimmed = np.zeros((view.rows, view.columns), dtype=np.bool_)
    y, x = divmod(max(cell, 0), board.width)
    for place in range(view.rows * view.columns):
        row, column = divmod(place, view.columns)
        up, right = view.agent_row - row, column - view.agent_column
        here_x, here_y = x + up * up_x - right * up_y, y + up * up_y + right * up_x
        inside = 0 <= here_x < board.width and 0 <= here_y < board.height
        cells.append(board.cells[here_y * board.width + here_x] if inside else ())
        dimmed[row, column] = not inside or unseen[row, column]
    return Scene(view.columns, view.rows, tuple(cells), dimmed=dimmed)


def _unseen(
    session: Session, player: Player, leaf: Leaf, view: ViewInfo
) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return which places the light does not reach, where the form of the observation tells."""
    seen: Any = session.env.observe(player.name)
    if player.observation.form == "dict":
        seen = seen[leaf.name]
    elif player.observation.form == "tuple":
        seen = seen[player.observation.leaves.index(leaf)]
    array = np.asarray(seen)
    if player.observation.form == "flat" or array.size < view.rows * view.columns:
        return np.zeros((view.rows, view.columns), dtype=np.bool_)
    if view.form == "minigrid":
        return np.asarray(array[:, :, 0].T == 0)
    if view.form == "kinds":
        return np.asarray(array == len(session.program.kinds))
    if view.form == "planes" and array.ndim == 3:
        return np.asarray(~array.any(axis=2))
    return np.zeros((view.rows, view.columns), dtype=np.bool_)


def with_views(
    session: Session, board: np.ndarray[Any, np.dtype[np.uint8]]
) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return a picture of the board, ``(height, width, 3)`` uint8, with the views in a row below it.

    Each is framed in the colour of its agent.
    """
    views = views_of(session)
    if not views:
        return board
    most = max(max(scene.width, scene.height) for _, scene in views)
    room = max(board.shape[1] // len(views) - 2 * (GAP + LINE), 40)
    pixels = max(4, min(32, room // most))
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
