"""A recording: the boards of a game, kept as scenes and drawn when they are saved."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from griddsl.files.places import check_path
from griddsl.render.files import save_gif, save_png
from griddsl.render.raster import Rasteriser, default_cell_pixels
from griddsl.render.scene import Scene

ENDINGS = (".gif", ".png")
MOST_SCENES = 2_000
MOST_PIXELS = 100_000_000  # of all pictures together
LARGEST_CELL = 48
LAST_SECONDS = 1.5


class Recording:
    """Boards in their order; where there are too many, the oldest are forgotten."""

    def __init__(self, scenes: Iterable[Scene] = ()) -> None:
        self._scenes: list[Scene] = list(scenes)

    def add(self, scene: Scene) -> None:
        """Add a board. One of another size, as after an edit, starts the recording anew."""
        if self._scenes and (scene.width, scene.height) != (self._scenes[-1].width, self._scenes[-1].height):
            self._scenes.clear()
        self._scenes.append(scene)
        del self._scenes[:-MOST_SCENES]

    def save(self, path: str | os.PathLike[str], fps: float) -> int:
        """Write all boards as a GIF that rests on the last one, or the last as a PNG; return how many were drawn."""
        target = check_path(Path(path), *ENDINGS)
        last = self._scenes[-1]
        if target.suffix.lower() == ".png":
            save_png(target, Rasteriser(default_cell_pixels(last.width, last.height)).draw(last))
            return 1
        cell = _cell_pixels(last, len(self._scenes))
        scenes = self._scenes[-max(1, MOST_PIXELS // (last.width * last.height * cell * cell)) :]
        rasteriser = Rasteriser(cell)
        frames = [rasteriser.draw(scene).copy() for scene in scenes]
        save_gif(target, [*frames, *[frames[-1]] * round(LAST_SECONDS * fps)], fps)
        return len(frames)


def _cell_pixels(scene: Scene, count: int) -> int:
    """Return a size of cells that keeps a recording small enough to hold."""
    most = min(LARGEST_CELL, default_cell_pixels(scene.width, scene.height))
    fitting = int((MOST_PIXELS / (scene.width * scene.height * count)) ** 0.5)
    return max(8 if most >= 8 else most, min(most, fitting))
