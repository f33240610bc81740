"""Episodes as animations: one page that stands alone, with a slider, in which each distinct drawing is written once."""

from __future__ import annotations

import html
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from numbers import Real
from typing import Any

from griddsl.diagnostics import Refused
from griddsl.files.writing import write
from griddsl.render.pages.sealed import sealed_page
from griddsl.render.raster import default_cell_pixels
from griddsl.render.scene import Scene, Stack, check_scene
from griddsl.render.svg import CLIP, CRISP, grounded_stack, laid_over, stack_drawing

BELOW = 92  # pixels of the slider and the caption below a board
LEAST_WIDTH, MOST_CELL = 300, 48
FASTEST = 60.0


@dataclass(frozen=True)
class Animation:
    """Scenes one after the other, each with a caption; a notebook shows it, `save` writes it as a page.

    ``fps`` is how many are shown in a second while it plays.
    """

    scenes: tuple[Scene, ...]
    captions: tuple[str, ...]
    title: str
    fps: float

    def html(self) -> str:
        """Return a page that shows the animation offline; texts are shown and never run."""
        drawings, frames = _frames(self.scenes)
        pixels = self._pixels()
        wide, high = self.scenes[0].width, self.scenes[0].height
        shapes = "".join(f'<g id="d{number}">{text}</g>' for number, text in enumerate(drawings))
        uses = "".join(f'<use x="{cell % wide}" y="{cell // wide}"/>' for cell in range(wide * high))
        clip = f'<clipPath id="{CLIP}"><rect width="1" height="1"{CRISP}/></clipPath>'
        body = (
            f'<svg id="board" role="img" aria-label="The board" width="{wide * pixels}" height="{high * pixels}" '
            f'viewBox="0 0 {wide} {high}"><defs>{clip}{shapes}'
            f"</defs>{uses}<use/></svg>"
            '<div id="controls"><button id="play" type="button" aria-label="Play">▶</button>'
            '<input id="slider" type="range" min="0" value="0" aria-label="Step"><span id="label"></span></div>'
            '<p id="caption" role="status"></p>'
        )
        data = {
            "first": frames[0],
            "changes": [_changes(*pair) for pair in pairwise(frames)],
            "captions": self.captions,
            "fps": self.fps,
        }
        return sealed_page(
            self.title, _file("animation.css"), body, data, [_file("animation.js")], generator="griddsl"
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file. Raises `OSError` where it cannot be written."""
        write(path, self.html())

    def _pixels(self) -> int:
        first = self.scenes[0]
        return min(MOST_CELL, default_cell_pixels(first.width, first.height))

    def _repr_html_(self) -> str:
        first, pixels = self.scenes[0], self._pixels()
        wide = max(LEAST_WIDTH, first.width * pixels) + 16
        return (
            f'<iframe sandbox="allow-scripts" title="{html.escape(self.title)}" style="border:0;max-width:100%" '
            f'width="{wide}" height="{first.height * pixels + BELOW}" srcdoc="{html.escape(self.html())}"></iframe>'
        )


def animate(
    scenes: Iterable[Scene], captions: Sequence[str] = (), *, title: str = "episode", fps: float = 6.0
) -> Animation:
    """Return scenes (as `env.unwrapped.scene()` gives them) as an animation, with a caption for each or none.

    Raises `ValueError` for no scenes, scenes of several sizes, captions that do not match, or a speed beyond 60, and
    `TypeError` for what are no scenes.
    """
    if not isinstance(scenes, Iterable):
        raise TypeError(f"an animation is made of a list of scenes, not of {type(scenes).__name__}")
    kept = tuple(scenes)
    for scene in kept:
        check_scene(scene)
    if len({(scene.width, scene.height) for scene in kept}) != 1:
        raise Refused(
            "an animation needs scenes of one size" if kept else "an animation needs at least one scene"
        )
    if captions and len(captions) != len(kept):
        raise Refused(f"there are {len(captions)} captions for {len(kept)} scenes")
    if not isinstance(fps, Real) or not 0 < fps <= FASTEST:
        raise Refused(f"an animation shows up to {FASTEST:g} scenes a second, not {fps!r}")
    return Animation(kept, tuple(captions), title, float(fps))


def _frames(scenes: Sequence[Scene]) -> tuple[list[str], list[list[int]]]:
    """Return the drawings, and each scene as the numbers of its drawings: of cells, and of what lies over all."""
    numbers: dict[str, int] = {}
    of_stacks: dict[Stack, int] = {}
    frames = []
    for scene in scenes:
        for stack in scene.cells:
            if stack not in of_stacks:
                drawing = stack_drawing(grounded_stack(stack))
                of_stacks[stack] = numbers.setdefault(drawing, len(numbers))
        over = numbers.setdefault("".join(laid_over(scene)), len(numbers))
        frames.append([*(of_stacks[stack] for stack in scene.cells), over])
    return list(numbers), frames


def _changes(before: list[int], after: list[int]) -> list[int]:
    """Return the places that differ, each with what stands there then."""
    found: list[int] = []
    for place, (old, new) in enumerate(zip(before, after, strict=True)):
        if old != new:
            found += [place, new]
    return found


@cache
def _file(name: str) -> Any:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
