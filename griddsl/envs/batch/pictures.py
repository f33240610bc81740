"""Pictures of many environments at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from griddsl.backends.interface import Array
from griddsl.render.files import png_bytes
from griddsl.render.raster import Rasteriser
from griddsl.render.scene import Scene

MOST_SHOWN = 64
PICTURE_PIXELS, LEAST_CELL, MOST_CELL = 960, 4, 32
GAP, GAP_GREY = 3, 160  # between boards whose borders look alike


def picture_of(scenes: Sequence[Scene]) -> bytes:
    """Return scenes of one size as one PNG, each cell as large as leaves the whole about a page wide."""
    longest = max(scenes[0].width, scenes[0].height)
    cell = PICTURE_PIXELS // (_across(len(scenes)) * longest)
    rasteriser = Rasteriser(max(LEAST_CELL, min(MOST_CELL, cell)))
    edges = ((0, GAP), (0, GAP), (0, 0))
    frames = [np.pad(rasteriser.draw(scene), edges, constant_values=GAP_GREY) for scene in scenes]
    return png_bytes(tiled(frames)[:-GAP, :-GAP])


def tiled(frames: list[Array]) -> Array:
    """Return frames side by side, in rows as long as there are rows."""
    across = _across(len(frames))
    height, width, _ = frames[0].shape
    picture = np.zeros((-(-len(frames) // across) * height, across * width, 3), np.uint8)
    for i, frame in enumerate(frames):
        y, x = divmod(i, across)
        picture[y * height : (y + 1) * height, x * width : (x + 1) * width] = frame
    return picture


def _across(count: int) -> int:
    return int(np.ceil(np.sqrt(count)))
