"""Pictures of many environments at once."""

from __future__ import annotations

import numpy as np

from griddsl.backends.interface import Array


def tiled(frames: list[Array]) -> Array:
    """Return frames side by side, in rows as long as there are rows."""
    across = int(np.ceil(np.sqrt(len(frames))))
    height, width, _ = frames[0].shape
    picture = np.zeros((-(-len(frames) // across) * height, across * width, 3), np.uint8)
    for i, frame in enumerate(frames):
        y, x = divmod(i, across)
        picture[y * height : (y + 1) * height, x * width : (x + 1) * width] = frame
    return picture
