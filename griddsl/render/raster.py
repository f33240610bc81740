"""Scenes to pixels: each distinct stack of sprites is drawn once, and frames are gathered from the tiles."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from griddsl.refused import whole_number
from griddsl.render import overlay
from griddsl.render.colors import INK, Rgb, readable_on
from griddsl.render.coverage import Canvas
from griddsl.render.looks import look_of
from griddsl.render.pictures import picture, text_alpha
from griddsl.render.scene import Scene, Sprite, Stack, check_scene
from griddsl.render.shapes import ground_color, policy_parts, share_of_cell, sprite_parts

Frame = NDArray[np.uint8]

_FLAT_BELOW = 8  # pixels; smaller cells show colours only
_FINE = 64  # pixels; smaller cells are drawn at about this size and averaged
_LARGEST_FRAME = 960  # pixels; the side that `default_cell_pixels` aims at
_WINDOW = 640  # pixels; the side that a window with a small map is to have
_MOST_CELL = 1_024  # pixels; a sheet of sixteen such tiles takes 100 MB
_ATLAS_BYTES = 64 << 20  # drawn tiles that are kept at most
_FLOOR = look_of("floor", category="tile")


def default_cell_pixels(width: int, height: int) -> int:
    """A good size for the cells of a map: 64 for a small one, less for a large one, at least 4."""
    fitting = _LARGEST_FRAME // max(width, height, 1)
    if fitting >= 16:
        fitting -= fitting % 4
    return max(4, min(64, fitting))


def window_cell_pixels(width: int, height: int) -> int:
    """A good size for the cells of a map in a window of its own, which a small map shall fill too."""
    return max(default_cell_pixels(width, height), min(160, _WINDOW // max(width, height, 1)))


class Cutout(NamedTuple):
    """What is laid over a part of a cell: its colours, premultiplied, and the share of what is below that shows."""

    rows: slice
    columns: slice
    color: NDArray[np.float64]
    ground: NDArray[np.float64]


class Rasteriser:
    """Draws scenes with cells of `cell_pixels` x `cell_pixels`, keeping the tiles it has drawn before.

    A tile's code is its place in the atlas: even as it is, odd dimmed. The frame before is kept too, so that
    only the cells that changed are written.
    """

    def __init__(self, cell_pixels: int) -> None:
        self.cell_pixels = whole_number("the width of a cell in pixels", cell_pixels, 1, _MOST_CELL)
        self._code_of: dict[Stack, int] = {}
        self._atlas = self._new_atlas(16)
        self._board: Frame = np.zeros((0, 0, 3), np.uint8)
        self._codes: NDArray[np.intp] = np.zeros((0, 0), np.intp)
        self._barriers: tuple[frozenset[tuple[int, int]], int, NDArray[np.intp]] | None = None

    def draw(self, scene: Scene) -> Frame:
        """A fresh picture of the scene, uint8 (height * cell_pixels, width * cell_pixels, 3)."""
        check_scene(scene)
        self._refresh(self._codes_in(scene))
        frame = self._board.copy()
        if scene.values is not None:
            self._draw_heat(frame, scene, scene.values)
        if scene.barriers:
            frame.reshape(-1, 3)[self._barrier_pixels(scene)] = overlay.BARRIER_COLOR
        if scene.policy is not None:
            self._draw_policy(frame, scene, scene.policy)
        if scene.values is not None:
            self._draw_numbers(frame, scene, scene.values)
        return frame

    # --- tiles ---

    def _new_atlas(self, tiles: int) -> Frame:
        return np.zeros((2 * tiles, self.cell_pixels, self.cell_pixels * 3), np.uint8)

    def _codes_in(self, scene: Scene) -> NDArray[np.intp]:
        """The code of every cell, (height, width)."""
        try:
            codes = np.array([self._code_of[stack] for stack in scene.cells], np.intp)
        except KeyError:
            self._add(scene.cells)
            codes = np.array([self._code_of[stack] for stack in scene.cells], np.intp)
        codes = codes.reshape(scene.height, scene.width)
        return codes if scene.dimmed is None else codes + scene.dimmed

    def _add(self, stacks: Iterable[Stack]) -> None:
        """Draw the stacks that are new. A full atlas is emptied first, so it never grows without bound."""
        new = {stack for stack in stacks if stack not in self._code_of}
        if (len(self._code_of) + len(new)) * self._atlas[:2].nbytes > _ATLAS_BYTES and self._code_of:
            self._code_of.clear()
            self._codes = np.zeros((0, 0), np.intp)
            new = set(stacks)
        needed = 2 * (len(self._code_of) + len(new))
        if needed > len(self._atlas):
            grown = self._new_atlas(needed)
            grown[: len(self._atlas)] = self._atlas
            self._atlas = grown
        for stack in new:
            code = 2 * len(self._code_of)
            tile = draw_stack(stack, self.cell_pixels)
            dim = tile + (np.array(overlay.DIM_COLOR) - tile.astype(float)) * overlay.DIM_OPACITY
            self._atlas[code] = tile.reshape(self.cell_pixels, -1)
            self._atlas[code + 1] = np.rint(dim).astype(np.uint8).reshape(self.cell_pixels, -1)
            self._code_of[stack] = code

    def _refresh(self, codes: NDArray[np.intp]) -> None:
        """Bring the kept board up to date: row by row, or cell by cell where few changed."""
        pixels, (height, width) = self.cell_pixels, codes.shape
        same_size = codes.shape == self._codes.shape
        if not same_size:
            self._board = np.empty((height * pixels, width * pixels, 3), np.uint8)
        cells = self._board.reshape(height, pixels, width, pixels * 3)
        changed = np.flatnonzero(codes != self._codes) if same_size else None
        self._codes = codes
        if changed is None or changed.size > 2 * height:
            for row in range(height):
                cells[row] = self._atlas[codes[row]].transpose(1, 0, 2)
            return
        for cell in changed.tolist():
            row, column = divmod(cell, width)
            cells[row, :, column] = self._atlas[codes[row, column]]

    # --- overlays ---

    def _cell(self, frame: Frame, row: int, column: int) -> Frame:
        pixels = self.cell_pixels
        return frame[row * pixels : (row + 1) * pixels, column * pixels : (column + 1) * pixels]

    def _draw_heat(self, frame: Frame, scene: Scene, values: NDArray[np.floating]) -> None:
        """Tint each cell's ground; what stands on it is drawn again on top."""
        pixels = self.cell_pixels
        share = np.where(np.isnan(values), 0, round(256 * overlay.HEAT_OPACITY)).astype(np.uint16)[:, :, None]
        tint = overlay.heat_colors(values) * share + 128
        cells = frame.reshape(scene.height, pixels, scene.width, pixels, 3)
        for row in range(scene.height):
            mixed = cells[row] * (256 - share[row])[None, :, None] + tint[row][None, :, None]
            cells[row] = mixed >> 8
        for cell, stack in enumerate(scene.cells):
            row, column = divmod(cell, scene.width)
            if len(stack) > 1 and not np.isnan(values[row, column]):
                self._lay(frame, row, column, _things_in_front(stack[1:], pixels))

    def _draw_policy(self, frame: Frame, scene: Scene, policy: tuple[tuple[int, ...], ...]) -> None:
        if self.cell_pixels < _FLAT_BELOW:
            return
        for cell, directions in enumerate(policy):
            if directions:
                row, column = divmod(cell, scene.width)
                numbered = self._has_numbers(scene) and not np.isnan(_at(scene.values, row, column))
                self._lay(frame, row, column, _policy_cutout(directions, numbered, self.cell_pixels))

    def _draw_numbers(self, frame: Frame, scene: Scene, values: NDArray[np.floating]) -> None:
        if not self._has_numbers(scene):
            return
        pixels = self.cell_pixels
        colors = overlay.heat_colors(values)
        for (row, column), text in overlay.number_texts(values).items():
            cell = row * scene.width + column
            down = overlay.number_middle(scene, cell)
            heat: Rgb = tuple(colors[row, column].tolist())
            ink = overlay.ink_on_heat(ground_color(scene.cells[cell]), heat)
            self._lay(frame, row, column, _number_cutout(text, ink, down, pixels))

    def _has_numbers(self, scene: Scene) -> bool:
        return scene.values is not None and self.cell_pixels >= 30

    def _lay(self, frame: Frame, row: int, column: int, cutout: Cutout) -> None:
        """Lay a cut-out over one cell, of which it covers a part."""
        part = self._cell(frame, row, column)[cutout.rows, cutout.columns]
        part[...] = np.rint(cutout.color + part * cutout.ground)

    def _barrier_pixels(self, scene: Scene) -> NDArray[np.intp]:
        """The numbers of the pixels that thin walls cover, at least one pixel across."""
        kept = self._barriers
        if kept is not None and kept[0] == scene.barriers and kept[1] == scene.width:
            return kept[2]
        pixels = self.cell_pixels
        height, width = scene.height * pixels, scene.width * pixels
        covered = np.zeros((height, width), bool)
        for left, top, right, bottom in overlay.barrier_boxes(scene.barriers, scene.width, scene.height):
            x, y = min(round(left * pixels), width - 1), min(round(top * pixels), height - 1)
            covered[y : max(round(bottom * pixels), y + 1), x : max(round(right * pixels), x + 1)] = True
        found = np.flatnonzero(covered)
        self._barriers = (scene.barriers, scene.width, found)
        return found


def _at(values: NDArray[np.floating] | None, row: int, column: int) -> float:
    return float("nan") if values is None else float(values[row, column])


# --- one cell ---


def draw_stack(stack: Stack, pixels: int) -> Frame:
    """One cell with all that is in it, uint8 (pixels, pixels, 3)."""
    if pixels < _FLAT_BELOW:
        return _flat(stack, pixels)
    color, _ = _compose((_FLOOR, *stack), pixels)
    return np.rint(color).astype(np.uint8)


def _flat(stack: Stack, pixels: int) -> Frame:
    """A cell too small for shapes: the ground's colour, and inside it that of the topmost thing."""
    ground = stack[0] if stack else _FLOOR
    tile = np.empty((pixels, pixels, 3), np.uint8)
    tile[...] = ground.color
    if len(stack) > 1:
        margin = 1 if pixels >= 4 else 0
        tile[margin : pixels - margin, margin : pixels - margin] = stack[-1].color
    return tile


def _compose(stack: Stack, pixels: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    fine = max(1, -(-_FINE // pixels))
    canvas = Canvas(pixels * fine)
    for sprite in stack:
        if sprite.image is None:
            canvas.paint(sprite_parts(sprite), sprite.color)
        else:
            drawn = _placed(sprite.image, sprite.place, pixels * fine)
            canvas.blend(drawn[..., :3], drawn[..., 3] / 255)
    return canvas.shrunk(fine)


def _placed(image: str, place: tuple[int, int], pixels: int) -> NDArray[np.float64]:
    """A picture in its part of a cell, RGBA (pixels, pixels, 4)."""
    factor, (x, y) = share_of_cell(*place)
    size = max(1, round(factor * pixels))
    cell = np.zeros((pixels, pixels, 4))
    left, top = (min(max(round(at * pixels - size / 2), 0), pixels - size) for at in (x, y))
    cell[top : top + size, left : left + size] = picture(image, size)
    return cell


@lru_cache(maxsize=512)
def _things_cutout(
    things: tuple[Sprite, ...], pixels: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if pixels < _FLAT_BELOW:
        tile = _flat(things[-1:], pixels).astype(float)
        margin = 1 if pixels >= 4 else 0
        alpha = np.zeros((pixels, pixels))
        alpha[margin : pixels - margin, margin : pixels - margin] = 1.0
        return tile * alpha[..., None], alpha
    return _compose(things, pixels)


@lru_cache(maxsize=512)
def _things_in_front(things: tuple[Sprite, ...], pixels: int) -> Cutout:
    return _cutout(*_things_cutout(things, pixels))


@lru_cache(maxsize=512)
def _policy_cutout(directions: tuple[int, ...], numbered: bool, pixels: int) -> Cutout:
    """Arrows in ink with a pale rim, so that they show on any ground."""
    parts = policy_parts(directions, *overlay.policy_place(numbered))
    fine = max(1, -(-_FINE // pixels))
    canvas = Canvas(pixels * fine)
    canvas.paint(parts, INK)
    return _cutout(*canvas.shrunk(fine))


@lru_cache(maxsize=4096)
def _number_cutout(text: str, ink: Rgb, down: float, pixels: int) -> Cutout:
    """A number with a rim, so that it shows on any thing."""
    glyphs, rim = text_alpha(text, pixels, down)
    rim = rim * 0.5 * (1 - glyphs)
    colors = np.array(ink, float) * glyphs[..., None] + np.array(readable_on(ink), float) * rim[..., None]
    return _cutout(colors, glyphs + rim)


def _cutout(color: NDArray[np.float64], alpha: NDArray[np.float64]) -> Cutout:
    """Return a premultiplied picture of a cell as the part of it that is not all clear."""
    is_seen = (alpha != 0) | color.any(axis=2)
    rows, columns = (_extent(is_seen.any(axis=axis)) for axis in (1, 0))
    return Cutout(rows, columns, color[rows, columns], 1 - alpha[rows, columns, None])


def _extent(is_seen: NDArray[np.bool_]) -> slice:
    """Return from the first to the last that is seen."""
    seen = np.flatnonzero(is_seen)
    return slice(int(seen[0]), int(seen[-1]) + 1) if seen.size else slice(0)
