"""Which parts are drawn: of a shape in its state and direction, of a sprite in its share of a cell, of a policy."""

import math
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from griddsl.render.colors import INK, Rgb, tone
from griddsl.render.primitives import Part, Parts, Rect, disc, outline, scaled, stroke, turned
from griddsl.render.scene import Sprite, Stack
from griddsl.render.shapes.figures import FIGURES
from griddsl.render.shapes.grounds import GROUNDS
from griddsl.render.shapes.living import LIVING
from griddsl.render.shapes.objects import OBJECTS
from griddsl.render.shapes.shape import THIN_ARROWS, Shape

SHAPES: Mapping[str, Shape] = MappingProxyType(GROUNDS | FIGURES | OBJECTS | LIVING)


@cache
def parts_of(shape: str, direction: int | None, state: str | None) -> Parts:
    """The parts of a shape as it is turned and in its state, bottom first. KeyError for an unknown shape."""
    found = SHAPES[shape]
    if state is not None and state in found.states:
        return found.under + found.states[state].parts
    if direction is not None and found.directed is not None:
        return found.under + tuple(turned(part, direction) for part in found.directed)
    pointer = found.pointer if direction is not None else ()
    return found.under + found.parts + tuple(turned(part, direction or 0) for part in pointer)


def sprite_parts(sprite: Sprite) -> Parts:
    """The parts of a sprite as it stands in its cell, smaller and to one side where several share it."""
    parts = parts_of(sprite.shape, sprite.direction, sprite.state)
    if sprite.place[1] == 1:
        return parts
    factor, center = share_of_cell(*sprite.place)
    return tuple(scaled(part, factor, center) for part in parts)


@cache
def share_of_cell(number: int, count: int) -> tuple[float, tuple[float, float]]:
    """How large the one with a number among ``count`` that share a cell is drawn, and about which point."""
    if count == 1:
        return 1.0, (0.5, 0.5)
    across = math.ceil(math.sqrt(count))
    down = math.ceil(count / across)
    row, column = divmod(number, across)
    in_row = across if row + 1 < down else count - row * across
    return 1.16 / across, ((column + 0.5 + (across - in_row) / 2) / across, (row + 0.5) / down)


def covers_cell(parts: Parts) -> bool:
    """Whether the first part hides all below it."""
    first = parts[0] if parts else None
    return isinstance(first, Rect) and (first.at, first.size, first.opacity) == ((0, 0), (1, 1), 1.0)


def ground_color(stack: Stack) -> Rgb:
    """The colour that most of a cell's ground has."""
    if not stack:
        return INK
    under = SHAPES[stack[0].shape].under
    return tone(under[-1].fill, stack[0].color) if under else stack[0].color


def glyph_of(sprite: Sprite) -> str:
    """The two terminal columns that stand for a sprite."""
    found = SHAPES[sprite.shape]
    if sprite.state is not None and sprite.state in found.states:
        return found.states[sprite.state].glyph
    if sprite.direction is not None and found.arrows:
        return found.arrows[sprite.direction] + " "
    if sprite.direction is not None and found.pointer:
        return found.glyph[0] + THIN_ARROWS[sprite.direction]
    return found.glyph


@cache
def policy_parts(directions: tuple[int, ...], size: float, center: tuple[float, float]) -> Parts:
    """Arrows for the best directions of a cell (-1 a dot): one through the middle, several outwards from it.

    In ink with a pale rim, so that they show on any ground.
    """
    if len(directions) == 1:
        tail, neck, tip, breadth = 0.2, 0.66, 0.86, 0.14
    else:
        tail, neck, tip, breadth = 0.6, 0.76, 0.91, 0.1
    layers: list[Part] = []
    for rim, fill, opacity in ((0.03, "white", 0.6), (0.0, "ink", 1.0)):
        for direction in directions:
            if direction < 0:
                layers.append(disc(0.5, 0.5, 0.09 + rim, fill, opacity))
                continue
            head = ((neck, 0.5 - breadth), (tip, 0.5), (neck, 0.5 + breadth))
            arrow: Parts = (
                stroke((tail, 0.5), (neck, 0.5), width=0.08 + 2 * rim, fill=fill, opacity=opacity),
                outline(*head, radius=0.025 + rim, fill=fill, opacity=opacity),
            )
            layers += [turned(part, direction) for part in arrow]
    return tuple(scaled(part, size, center) for part in layers)
