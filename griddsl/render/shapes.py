"""Every shape, drawn once as a few parts in the unit square, for the rasteriser and the SVG writer alike."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType

from griddsl.render.colors import INK, Rgb, tone
from griddsl.render.digits import number_parts
from griddsl.render.primitives import (
    Part,
    Parts,
    Rect,
    arc,
    arc_points,
    box,
    disc,
    ellipse,
    outline,
    scaled,
    star_points,
    stroke,
    turned,
    wave,
)
from griddsl.render.scene import Sprite, Stack

SOLID_ARROWS = "►▼◄▲◢◣◤◥"
THIN_ARROWS = "→↓←↑↘↙↖↗"


@dataclass(frozen=True, slots=True)
class Variant:
    """How a shape looks in one state."""

    parts: Parts
    glyph: str


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape in parts. Parts of tone `base`, `light`, `dark`, ... take the colour of the thing drawn."""

    parts: Parts
    glyph: str  # two terminal columns; the first must say enough by itself
    under: Parts = ()  # drawn first and never turned: the ground of a tile
    directed: Parts | None = None  # in place of `parts` where there is a direction; drawn for east
    arrows: str = ""  # the glyph by direction
    states: Mapping[str, Variant] = field(default_factory=dict)


@cache
def parts_of(shape: str, direction: int | None, state: str | None) -> Parts:
    """The parts of a shape as it is turned and in its state, bottom first. KeyError for an unknown shape."""
    found = SHAPES[shape]
    if state is not None and state in found.states:
        return found.under + found.states[state].parts
    if direction is not None and found.directed is not None:
        return found.under + tuple(turned(part, direction) for part in found.directed)
    return found.under + found.parts


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


def _ground(fill: str = "base", seam: str = "seam") -> Parts:
    return box(0, 0, 1, 1, fill=seam), box(0.012, 0.012, 0.976, 0.976, fill=fill)


def _shadow(width: float = 0.3, y: float = 0.84) -> Parts:
    return (ellipse(0.5, y, width, 0.07, "ink", 0.13),)


def _eyes(y: float = 0.46, gap: float = 0.12, size: float = 0.085) -> Parts:
    return (
        disc(0.5 - gap, y, size, "white"),
        disc(0.5 + gap, y, size, "white"),
        disc(0.5 - gap + 0.02, y + 0.01, size * 0.52, "ink"),
        disc(0.5 + gap + 0.02, y + 0.01, size * 0.52, "ink"),
    )


def _chevron(x: float, fill: str, width: float = 0.09, reach: float = 0.16, opacity: float = 1.0) -> Parts:
    points = ((x - 0.08, 0.5 - reach), (x + 0.08, 0.5), (x - 0.08, 0.5 + reach))
    return (stroke(*points, width=width, fill=fill, opacity=opacity),)


# --- ground ---

_GRASS_BLADES = tuple(
    stroke((x - 0.03, y - 0.07), (x, y), (x + 0.04, y - 0.09), width=0.028, fill="dark", opacity=0.55)
    for x, y in ((0.24, 0.32), (0.68, 0.26), (0.46, 0.58), (0.2, 0.82), (0.78, 0.76))
)

_COVER: Parts = (
    *_ground("shade", "dark"),
    box(0.05, 0.04, 0.9, 0.88, 0.07, "dark"),
    box(0.05, 0.04, 0.88, 0.84, 0.07, "light"),
    box(0.08, 0.08, 0.85, 0.8, 0.06),
)
_UNCOVERED = _ground("pale", "light")
# What is told of how many, from 1 to 8: ever more of a warning.
_COUNT_COLORS = ("#2d62c4", "#2f7d4b", "#c8382f", "#33356e", "#8a2f2f", "#1e7f86", "#3a3d47", "#6d7480")

_GROUNDS: dict[str, Shape] = {
    "floor": Shape(_ground(), "  "),
    "ground": Shape(_ground(), "  "),
    "wall": Shape(
        (
            box(0, 0, 1, 1, fill="dark"),
            box(0.012, 0.012, 0.976, 0.976, 0.05, "base"),
            box(0.012, 0.012, 0.976, 0.15, 0.05, "soft"),
            box(0.012, 0.86, 0.976, 0.128, 0.05, "shade"),
        ),
        "██",
    ),
    "bricks": Shape(
        (
            box(0, 0, 1, 1, fill="dark"),
            *(box(x, 0.025, 0.455, 0.285, 0.035, "base") for x in (0.02, 0.52)),
            *(box(x, 0.357, w, 0.285, 0.035, "soft") for x, w in ((-0.1, 0.335), (0.27, 0.455), (0.77, 0.4))),
            *(box(x, 0.69, 0.455, 0.285, 0.035, "base") for x in (0.02, 0.52)),
        ),
        "██",
    ),
    "cliff": Shape(
        (
            box(0, 0, 1, 1, fill="base"),
            outline(
                (0, 0.5),
                (0.14, 0.62),
                (0.3, 0.52),
                (0.52, 0.68),
                (0.7, 0.55),
                (0.86, 0.66),
                (1, 0.5),
                (1, 1),
                (0, 1),
                fill="dark",
            ),
            outline(
                (0, 0),
                (1, 0),
                (1, 0.3),
                (0.88, 0.43),
                (0.72, 0.3),
                (0.56, 0.46),
                (0.36, 0.3),
                (0.16, 0.44),
                (0, 0.3),
                fill="light",
            ),
            outline(
                (0, 0),
                (1, 0),
                (1, 0.16),
                (0.88, 0.28),
                (0.72, 0.16),
                (0.56, 0.3),
                (0.36, 0.15),
                (0.16, 0.28),
                (0, 0.16),
                fill="pale",
            ),
        ),
        "▓▓",
    ),
    "hole": Shape(
        (ellipse(0.5, 0.52, 0.38, 0.34, "dark"), ellipse(0.5, 0.56, 0.34, 0.28, "deep")),
        "● ",
        under=_ground("pale", "light"),
    ),
    "pit": Shape(
        (
            box(0.1, 0.1, 0.8, 0.8, 0.08, "base"),
            box(0.1, 0.22, 0.8, 0.68, 0.08, "dark"),
            box(0.1, 0.36, 0.8, 0.54, 0.08, "deep"),
        ),
        "▣ ",
        under=_ground("pale", "light"),
    ),
    "trap": Shape(
        tuple(
            outline((x - 0.11, y + 0.1), (x, y - 0.14), (x + 0.11, y + 0.1), radius=0.012, fill=fill)
            for x, y, fill in (
                (0.3, 0.34, "base"),
                (0.7, 0.34, "base"),
                (0.5, 0.56, "dark"),
                (0.3, 0.78, "base"),
                (0.7, 0.78, "base"),
            )
        ),
        "▲ ",
        under=_ground("pale", "light"),
    ),
    "lava": Shape(
        (
            wave(0.26, 0.05, 0.11, "light"),
            wave(0.55, 0.05, 0.11, "dark"),
            wave(0.82, 0.05, 0.11, "light"),
            disc(0.3, 0.42, 0.045, "amber"),
            disc(0.74, 0.68, 0.06, "amber"),
        ),
        "≈≈",
        under=_ground(),
    ),
    "fire": Shape(
        (
            outline(
                (0.5, 0.16),
                (0.68, 0.42),
                (0.74, 0.62),
                (0.64, 0.8),
                (0.5, 0.84),
                (0.36, 0.8),
                (0.26, 0.62),
                (0.36, 0.46),
                (0.42, 0.5),
                radius=0.03,
            ),
            outline(
                (0.52, 0.46),
                (0.62, 0.62),
                (0.6, 0.76),
                (0.5, 0.8),
                (0.4, 0.76),
                (0.4, 0.62),
                radius=0.02,
                fill="amber",
            ),
            ellipse(0.5, 0.73, 0.06, 0.08, "cream"),
        ),
        "▲ ",
    ),
    "water": Shape(
        (
            wave(0.3, 0.045, 0.055, "light"),
            wave(0.55, 0.045, 0.055, "pale", 0.1, 0.75),
            wave(0.8, 0.045, 0.055, "light"),
        ),
        "≈≈",
        under=_ground(),
    ),
    "ice": Shape(
        (
            stroke((0.16, 0.42), (0.42, 0.16), width=0.055, fill="white", opacity=0.9),
            stroke((0.2, 0.62), (0.3, 0.52), width=0.055, fill="white", opacity=0.9),
            stroke((0.6, 0.84), (0.84, 0.6), width=0.055, fill="white", opacity=0.9),
            stroke((0.62, 0.56), (0.72, 0.46), width=0.04, fill="white", opacity=0.75),
        ),
        "╱ ",
        under=_ground(seam="shade"),
    ),
    "mud": Shape(
        (
            ellipse(0.34, 0.34, 0.2, 0.13, "shade"),
            ellipse(0.66, 0.66, 0.24, 0.15, "shade"),
            disc(0.74, 0.3, 0.05, "shade"),
        ),
        "▒▒",
        under=_ground(),
    ),
    "sand": Shape(
        tuple(
            disc(x, y, 0.026, "dark", 0.5)
            for x, y in (
                (0.2, 0.2),
                (0.5, 0.3),
                (0.8, 0.18),
                (0.32, 0.54),
                (0.68, 0.56),
                (0.18, 0.8),
                (0.52, 0.8),
                (0.84, 0.84),
            )
        ),
        "░░",
        under=_ground(),
    ),
    "grass": Shape(_GRASS_BLADES, "\"'", under=_ground()),
    "road": Shape(
        (box(0.42, 0.06, 0.16, 0.28, 0.03, "pale", 0.5), box(0.42, 0.62, 0.16, 0.28, 0.03, "pale", 0.5)),
        "▒▒",
        under=_ground(),
        directed=(
            box(0.06, 0.46, 0.3, 0.08, 0.03, "pale", 0.5),
            box(0.62, 0.46, 0.3, 0.08, 0.03, "pale", 0.5),
        ),
        arrows=THIN_ARROWS,
    ),
    "cover": Shape(
        _COVER,
        "▒▒",
        states={
            "opened": Variant(_UNCOVERED, "  "),
            **{
                f"opened {n}": Variant((*_UNCOVERED, *number_parts(n, fill=color)), f"{n:<2}")
                for n, color in enumerate(_COUNT_COLORS, 1)
            },
        },
    ),
    "counter": Shape(
        (
            box(0.012, 0.012, 0.976, 0.976, 0.05, "light"),
            box(0.012, 0.8, 0.976, 0.188, 0.05, "dark"),
            stroke((0.1, 0.26), (0.62, 0.26), width=0.02, fill="base", opacity=0.6),
            stroke((0.4, 0.54), (0.9, 0.54), width=0.02, fill="base", opacity=0.6),
        ),
        "▒▒",
        under=_ground("light", "dark"),
    ),
    "hatch": Shape(
        (
            box(0.1, 0.1, 0.8, 0.66, 0.06, "dark"),
            box(0.16, 0.16, 0.68, 0.54, 0.04, "pale"),
            outline((0.34, 0.52), (0.5, 0.24), (0.66, 0.52), radius=0.02, fill="base"),
            box(0.44, 0.48, 0.12, 0.16, fill="base"),
        ),
        "▲ ",
        under=_ground("light", "dark"),
    ),
    "pad": Shape(
        (box(0.12, 0.12, 0.76, 0.76, 0.16, "light"), box(0.2, 0.2, 0.6, 0.6, 0.11, "base", 0.75)),
        "▢ ",
        under=_ground("pale", "light"),
    ),
    "start": Shape(
        (arc(0.5, 0.5, 0.27, 0, 360, 0.06, "base"), disc(0.5, 0.5, 0.1, "base")),
        "◌ ",
        under=_ground("pale", "light"),
    ),
    "goal": Shape(
        (
            ellipse(0.36, 0.85, 0.2, 0.05, "deep", 0.25),
            outline((0.37, 0.2), (0.8, 0.36), (0.37, 0.54), radius=0.025, fill="base"),
            outline((0.37, 0.38), (0.78, 0.38), (0.37, 0.54), radius=0.012, fill="shade"),
            stroke((0.34, 0.17), (0.34, 0.84), width=0.065, fill="deep"),
        ),
        "⚑ ",
        under=_ground("pale", "light"),
    ),
    "target": Shape(
        (disc(0.5, 0.5, 0.33), disc(0.5, 0.5, 0.25, "pale"), disc(0.5, 0.5, 0.15)),
        "◎ ",
        under=_ground("pale", "light"),
    ),
    "exit": Shape(
        (
            box(0.42, 0.16, 0.42, 0.68, 0.05, "dark"),
            box(0.5, 0.24, 0.26, 0.52, 0.02, "pale"),
            stroke((0.14, 0.5), (0.56, 0.5), width=0.085, fill="deep"),
            stroke((0.44, 0.36), (0.58, 0.5), (0.44, 0.64), width=0.085, fill="deep"),
        ),
        "⇥ ",
        under=_ground("pale", "light"),
    ),
    "home": Shape(
        (
            box(0.25, 0.44, 0.5, 0.4, 0.03, "light"),
            outline((0.17, 0.48), (0.5, 0.2), (0.83, 0.48), radius=0.03, fill="dark"),
            box(0.43, 0.58, 0.14, 0.26, 0.02, "deep"),
        ),
        "⌂ ",
        under=_ground("pale", "light"),
    ),
    "stairs": Shape(
        tuple(
            box(0.14 + 0.18 * i, 0.68 - 0.16 * i, 0.18, 0.18 + 0.16 * i, 0.01, fill)
            for i, fill in enumerate(("light", "base", "shade", "dark"))
        ),
        "▟ ",
        under=_ground("pale", "light"),
    ),
    "plate": Shape(
        (
            box(0.16, 0.16, 0.68, 0.68, 0.1, "dark"),
            box(0.16, 0.13, 0.68, 0.66, 0.1, "base"),
            box(0.28, 0.25, 0.44, 0.42, 0.06, "light"),
        ),
        "▭ ",
        under=_ground("pale", "light"),
    ),
    "belt": Shape(
        (box(0, 0.1, 1, 0.8, fill="base"), *_chevron(0.28, "light"), *_chevron(0.74, "light")),
        "» ",
        under=_ground("dark", "dark"),
        directed=(
            box(0, 0.09, 1, 0.82, fill="base"),
            box(0, 0.09, 1, 0.05, fill="soft"),
            box(0, 0.86, 1, 0.05, fill="soft"),
            *_chevron(0.26, "amber"),
            *_chevron(0.74, "amber"),
        ),
        arrows=THIN_ARROWS,
    ),
    "wind": Shape(
        (
            wave(0.3, 0.06, 0.05, "base", 0.14, 0.86),
            wave(0.52, 0.06, 0.05, "base", 0.24, 0.92),
            wave(0.74, 0.06, 0.05, "base", 0.08, 0.76),
        ),
        "~ ",
        under=_ground("pale", "light"),
        directed=(
            stroke((0.12, 0.38), (0.6, 0.38), *arc_points(0.6, 0.28, 0.1, 0.1, 90, -150), width=0.055),
            stroke((0.24, 0.53), (0.76, 0.53), width=0.055, fill="light"),
            stroke((0.12, 0.67), (0.68, 0.67), *arc_points(0.68, 0.76, 0.09, 0.09, -90, 150), width=0.055),
        ),
        arrows=THIN_ARROWS,
    ),
    "one_way": Shape(
        (disc(0.5, 0.5, 0.35), box(0.28, 0.44, 0.44, 0.12, 0.03, "white")),
        "⊖ ",
        under=_ground("pale", "light"),
        directed=(
            box(0.1, 0.12, 0.8, 0.76, 0.12, "base"),
            stroke((0.26, 0.5), (0.68, 0.5), width=0.1, fill="white"),
            stroke((0.52, 0.31), (0.72, 0.5), (0.52, 0.69), width=0.1, fill="white"),
        ),
        arrows=THIN_ARROWS,
    ),
    "portal": Shape(
        (
            disc(0.5, 0.5, 0.4, "base"),
            disc(0.5, 0.5, 0.32, "dark"),
            arc(0.5, 0.5, 0.23, 150, 330, 0.075, "light"),
            arc(0.5, 0.5, 0.23, -10, 110, 0.075, "base"),
            disc(0.5, 0.5, 0.1, "pale"),
        ),
        "◍ ",
        under=_ground("pale", "light"),
    ),
}

# --- things ---

_DOOR_PANEL: Parts = (
    box(0.04, 0.02, 0.92, 0.96, 0.08, "deep"),
    box(0.1, 0.08, 0.8, 0.84, 0.05, "base"),
    box(0.2, 0.17, 0.6, 0.28, 0.04, "shade"),
    box(0.2, 0.55, 0.6, 0.28, 0.04, "shade"),
)
_LEAF: Parts = (
    outline(
        (0.5, 0.8),
        (0.34, 0.66),
        (0.24, 0.44),
        (0.3, 0.22),
        (0.5, 0.3),
        (0.7, 0.22),
        (0.76, 0.44),
        (0.66, 0.66),
        radius=0.04,
    ),
    stroke((0.5, 0.86), (0.5, 0.42), width=0.035, fill="dark"),
)
_TOMATO_TOP: Parts = (
    outline(*star_points(0.5, 0.33, 0.17, 0.06, 5), radius=0.012, fill="darkgreen"),
    stroke((0.5, 0.33), (0.53, 0.2), width=0.05, fill="darkgreen"),
)
_LEVER_FOOT: Parts = (box(0.22, 0.6, 0.56, 0.24, 0.07, "slate"),)

_PIECE: Parts = (
    box(0.04, 0.05, 0.92, 0.92, 0.12, "dark"),
    box(0.04, 0.03, 0.92, 0.9, 0.12),
    box(0.09, 0.08, 0.82, 0.8, 0.09, "soft"),
)
_CROSS: Parts = (
    stroke((0.25, 0.25), (0.75, 0.75), width=0.14),
    stroke((0.75, 0.25), (0.25, 0.75), width=0.14),
)

_THINGS: dict[str, Shape] = {
    "circle": Shape((*_shadow(), disc(0.5, 0.5, 0.31, "dark"), disc(0.5, 0.5, 0.275)), "● "),
    "square": Shape(
        (*_shadow(), box(0.2, 0.2, 0.6, 0.6, 0.1, "dark"), box(0.235, 0.235, 0.53, 0.53, 0.07)), "■ "
    ),
    "diamond": Shape(
        (
            *_shadow(0.2),
            outline((0.5, 0.18), (0.8, 0.5), (0.5, 0.82), (0.2, 0.5), radius=0.04, fill="dark"),
            outline((0.5, 0.22), (0.76, 0.5), (0.5, 0.78), (0.24, 0.5), radius=0.03),
        ),
        "◆ ",
    ),
    "hexagon": Shape(
        (
            *_shadow(),
            outline(*arc_points(0.5, 0.5, 0.31, 0.31, 0, 360, 6)[:-1], radius=0.04, fill="dark"),
            outline(*arc_points(0.5, 0.5, 0.275, 0.275, 0, 360, 6)[:-1], radius=0.03),
        ),
        "◈ ",
    ),
    "triangle": Shape(
        (
            outline((0.5, 0.22), (0.8, 0.76), (0.2, 0.76), radius=0.06, fill="dark"),
            outline((0.5, 0.24), (0.78, 0.75), (0.22, 0.75), radius=0.035),
        ),
        "▲ ",
        directed=(
            outline((0.8, 0.5), (0.24, 0.2), (0.24, 0.8), radius=0.06, fill="dark"),
            outline((0.79, 0.5), (0.25, 0.21), (0.25, 0.79), radius=0.035),
        ),
        arrows=SOLID_ARROWS,
    ),
    "cross": Shape(
        (stroke((0.28, 0.28), (0.72, 0.72), width=0.17), stroke((0.72, 0.28), (0.28, 0.72), width=0.17)),
        "✕ ",
    ),
    "star": Shape(
        (
            outline(*star_points(0.5, 0.53, 0.36, 0.16, 5), radius=0.035, fill="dark"),
            outline(*star_points(0.5, 0.53, 0.345, 0.155, 5), radius=0.012),
        ),
        "★ ",
    ),
    "heart": Shape(
        (
            disc(0.37, 0.41, 0.17),
            disc(0.63, 0.41, 0.17),
            outline((0.24, 0.5), (0.5, 0.42), (0.76, 0.5), (0.5, 0.79), radius=0.02),
            disc(0.35, 0.37, 0.055, "light"),
        ),
        "♥ ",
    ),
    "flag": Shape(
        (
            ellipse(0.36, 0.85, 0.2, 0.05, "ink", 0.18),
            outline((0.37, 0.2), (0.8, 0.36), (0.37, 0.54), radius=0.025),
            stroke((0.34, 0.17), (0.34, 0.84), width=0.065, fill="ink"),
        ),
        "⚑ ",
    ),
    "key": Shape(
        (
            stroke((0.44, 0.5), (0.84, 0.5), width=0.115, fill="dark"),
            stroke((0.66, 0.5), (0.66, 0.66), width=0.1, fill="dark"),
            stroke((0.81, 0.5), (0.81, 0.69), width=0.1, fill="dark"),
            arc(0.31, 0.5, 0.145, 0, 360, 0.135, "dark"),
            stroke((0.44, 0.5), (0.84, 0.5), width=0.07),
            stroke((0.66, 0.5), (0.66, 0.66), width=0.055),
            stroke((0.81, 0.5), (0.81, 0.69), width=0.055),
            arc(0.31, 0.5, 0.145, 0, 360, 0.09),
        ),
        "o¬",
    ),
    "door": Shape(
        (*_DOOR_PANEL, disc(0.8, 0.5, 0.06, "pale")),
        "▐▌",
        states={
            "open": Variant(
                (
                    box(0.04, 0.02, 0.92, 0.96, 0.08, "deep"),
                    box(0.1, 0.08, 0.8, 0.84, 0.05, "#e9e4d8"),
                    outline((0.1, 0.08), (0.34, 0.2), (0.34, 0.98), (0.1, 0.9), radius=0.012),
                    disc(0.28, 0.58, 0.035, "pale"),
                ),
                "▕ ",
            ),
            "locked": Variant(
                (
                    *_DOOR_PANEL,
                    box(0.34, 0.44, 0.32, 0.28, 0.06, "deep"),
                    arc(0.5, 0.44, 0.1, 180, 360, 0.06, "deep"),
                    disc(0.5, 0.55, 0.045, "pale"),
                    stroke((0.5, 0.56), (0.5, 0.64), width=0.04, fill="pale"),
                ),
                "▐#",
            ),
        },
    ),
    "ball": Shape(
        (*_shadow(), disc(0.5, 0.5, 0.32, "dark"), disc(0.5, 0.5, 0.285), disc(0.4, 0.39, 0.085, "light")),
        "● ",
    ),
    "box": Shape(
        (
            *_shadow(0.36, 0.87),
            box(0.13, 0.13, 0.74, 0.74, 0.08, "dark"),
            box(0.18, 0.18, 0.64, 0.64, 0.045, "base"),
            stroke((0.24, 0.76), (0.76, 0.24), width=0.11, fill="light"),
            box(0.18, 0.18, 0.64, 0.12, 0.03, "soft"),
            box(0.18, 0.7, 0.64, 0.12, 0.03, "shade"),
        ),
        "▣ ",
    ),
    "chest": Shape(
        (
            *_shadow(0.36, 0.84),
            box(0.14, 0.24, 0.72, 0.58, 0.1, "dark"),
            box(0.18, 0.28, 0.64, 0.2, 0.07, "light"),
            box(0.18, 0.5, 0.64, 0.28, 0.05, "base"),
            box(0.43, 0.42, 0.14, 0.18, 0.03, "gold"),
        ),
        "▤ ",
        states={
            "open": Variant(
                (
                    *_shadow(0.36, 0.84),
                    box(0.14, 0.14, 0.72, 0.26, 0.08, "dark"),
                    box(0.18, 0.34, 0.64, 0.2, 0.02, "deep"),
                    box(0.14, 0.48, 0.72, 0.34, 0.06, "dark"),
                    box(0.18, 0.52, 0.64, 0.26, 0.04, "base"),
                ),
                "▽ ",
            )
        },
    ),
    "coin": Shape(
        (
            *_shadow(0.24),
            disc(0.5, 0.5, 0.27, "dark"),
            disc(0.5, 0.5, 0.235),
            arc(0.5, 0.5, 0.15, 0, 360, 0.045, "light"),
            stroke((0.5, 0.44), (0.5, 0.56), width=0.06, fill="dark"),
        ),
        "¢ ",
    ),
    "gem": Shape(
        (
            *_shadow(0.18),
            outline(
                (0.3, 0.26), (0.7, 0.26), (0.84, 0.44), (0.5, 0.82), (0.16, 0.44), radius=0.02, fill="base"
            ),
            outline((0.3, 0.26), (0.16, 0.44), (0.36, 0.44), radius=0.012, fill="soft"),
            outline((0.3, 0.26), (0.7, 0.26), (0.64, 0.44), (0.36, 0.44), radius=0.012, fill="light"),
            outline((0.64, 0.44), (0.84, 0.44), (0.5, 0.82), radius=0.012, fill="dark"),
        ),
        "◆ ",
    ),
    "apple": Shape(
        (
            *_shadow(0.22),
            disc(0.4, 0.55, 0.21),
            disc(0.6, 0.55, 0.21),
            ellipse(0.5, 0.64, 0.22, 0.2),
            stroke((0.5, 0.38), (0.54, 0.22), width=0.05, fill="brown"),
            ellipse(0.65, 0.26, 0.11, 0.055, "green"),
            disc(0.33, 0.49, 0.055, "light"),
        ),
        "● ",
    ),
    "fruit": Shape(
        (
            *_shadow(0.26),
            stroke((0.34, 0.6), (0.46, 0.34), (0.62, 0.2), width=0.045, fill="darkgreen"),
            stroke((0.66, 0.64), (0.62, 0.2), width=0.045, fill="darkgreen"),
            disc(0.33, 0.65, 0.17),
            disc(0.66, 0.7, 0.17, "shade"),
            disc(0.28, 0.6, 0.045, "light"),
            disc(0.61, 0.65, 0.045, "light"),
        ),
        "● ",
    ),
    "pellet": Shape((disc(0.5, 0.5, 0.11, "dark"), disc(0.5, 0.5, 0.09)), "· "),
    "pill": Shape((disc(0.5, 0.5, 0.24, "dark"), disc(0.5, 0.5, 0.2), disc(0.44, 0.43, 0.055, "pale")), "o "),
    "mushroom": Shape(
        (
            *_shadow(0.2),
            box(0.4, 0.5, 0.2, 0.33, 0.08, "cream"),
            outline(*arc_points(0.5, 0.54, 0.32, 0.32, 180, 360), radius=0.02),
            disc(0.38, 0.4, 0.055, "white"),
            disc(0.58, 0.33, 0.06, "white"),
            disc(0.68, 0.47, 0.045, "white"),
        ),
        "♠ ",
    ),
    "ghost": Shape(
        (
            *_shadow(0.28, 0.86),
            outline(
                *arc_points(0.5, 0.46, 0.3, 0.3, 180, 360),
                (0.8, 0.82),
                (0.7, 0.74),
                (0.6, 0.82),
                (0.5, 0.74),
                (0.4, 0.82),
                (0.3, 0.74),
                (0.2, 0.82),
                radius=0.015,
            ),
            *_eyes(0.45, 0.125, 0.09),
        ),
        "Ω ",
    ),
    "creature": Shape(
        (
            *_shadow(0.28, 0.83),
            outline((0.28, 0.3), (0.24, 0.14), (0.42, 0.24), radius=0.02, fill="dark"),
            outline((0.72, 0.3), (0.76, 0.14), (0.58, 0.24), radius=0.02, fill="dark"),
            disc(0.5, 0.51, 0.31, "dark"),
            disc(0.5, 0.51, 0.275),
            *_eyes(0.46),
            arc(0.5, 0.55, 0.1, 25, 155, 0.04, "deep"),
        ),
        "& ",
    ),
    "robot": Shape(
        (
            *_shadow(0.3, 0.86),
            stroke((0.5, 0.3), (0.5, 0.15), width=0.045, fill="dark"),
            disc(0.5, 0.14, 0.06, "amber"),
            box(0.14, 0.44, 0.72, 0.2, 0.08, "dark"),
            box(0.2, 0.27, 0.6, 0.56, 0.12, "base"),
            box(0.27, 0.36, 0.46, 0.22, 0.1, "ink"),
            disc(0.39, 0.47, 0.055, "#8fe6ff"),
            disc(0.61, 0.47, 0.055, "#8fe6ff"),
            stroke((0.4, 0.7), (0.6, 0.7), width=0.04, fill="deep"),
        ),
        "♜ ",
    ),
    "taxi": Shape(
        (
            *_shadow(0.4, 0.8),
            outline((0.28, 0.46), (0.38, 0.28), (0.64, 0.28), (0.74, 0.46), radius=0.03, fill="base"),
            box(0.1, 0.44, 0.8, 0.28, 0.09, "base"),
            outline((0.36, 0.44), (0.42, 0.33), (0.49, 0.33), (0.49, 0.44), radius=0.012, fill="#cfe8f3"),
            outline((0.54, 0.44), (0.54, 0.33), (0.61, 0.33), (0.67, 0.44), radius=0.012, fill="#cfe8f3"),
            box(0.43, 0.18, 0.16, 0.09, 0.025, "ink"),
            *(box(0.14 + 0.09 * i, 0.53 + 0.045 * (i % 2), 0.09, 0.045, fill="ink") for i in range(8)),
            disc(0.29, 0.73, 0.095, "ink"),
            disc(0.71, 0.73, 0.095, "ink"),
            disc(0.29, 0.73, 0.04, "silver"),
            disc(0.71, 0.73, 0.04, "silver"),
        ),
        "▰ ",
        directed=(
            *(box(x, y, 0.16, 0.07, 0.02, "ink") for x in (0.2, 0.64) for y in (0.2, 0.73)),
            box(0.1, 0.24, 0.8, 0.52, 0.15, "dark"),
            box(0.125, 0.265, 0.75, 0.47, 0.125, "base"),
            outline((0.58, 0.34), (0.68, 0.3), (0.68, 0.7), (0.58, 0.66), radius=0.02, fill="#3d4f63"),
            outline((0.28, 0.35), (0.22, 0.32), (0.22, 0.68), (0.28, 0.65), radius=0.02, fill="#3d4f63"),
            box(0.4, 0.4, 0.09, 0.2, 0.02, "ink"),
            disc(0.85, 0.34, 0.035, "cream"),
            disc(0.85, 0.66, 0.035, "cream"),
        ),
        arrows=SOLID_ARROWS,
    ),
    "person": Shape(
        (
            *_shadow(0.26, 0.85),
            outline((0.28, 0.8), *arc_points(0.5, 0.72, 0.22, 0.2, 180, 360), (0.72, 0.8), radius=0.035),
            disc(0.5, 0.33, 0.165, "#f1c9a5"),
            outline(*arc_points(0.5, 0.31, 0.165, 0.165, 180, 360), radius=0.012, fill="dark"),
        ),
        "☺ ",
    ),
    "agent": Shape(
        (
            *_shadow(0.28, 0.84),
            disc(0.5, 0.5, 0.33, "dark"),
            disc(0.5, 0.49, 0.295),
            disc(0.39, 0.43, 0.075, "white"),
            disc(0.61, 0.43, 0.075, "white"),
            disc(0.4, 0.44, 0.042, "ink"),
            disc(0.62, 0.44, 0.042, "ink"),
            arc(0.5, 0.53, 0.12, 20, 160, 0.045, "white"),
        ),
        "☻ ",
        directed=(
            outline((0.83, 0.5), (0.22, 0.79), (0.36, 0.5), (0.22, 0.21), radius=0.075, fill="dark"),
            outline((0.83, 0.5), (0.22, 0.79), (0.36, 0.5), (0.22, 0.21), radius=0.04),
            outline((0.83, 0.5), (0.22, 0.21), (0.36, 0.5), radius=0.012, fill="light", opacity=0.55),
        ),
        arrows=SOLID_ARROWS,
    ),
    "hurdle": Shape(
        (
            ellipse(0.5, 0.85, 0.38, 0.05, "ink", 0.13),
            stroke((0.22, 0.4), (0.22, 0.84), width=0.07, fill="slate"),
            stroke((0.78, 0.4), (0.78, 0.84), width=0.07, fill="slate"),
            box(0.1, 0.28, 0.8, 0.2, 0.04, "white"),
            *(
                outline((x, 0.48), (x + 0.1, 0.28), (x + 0.22, 0.28), (x + 0.12, 0.48))
                for x in (0.12, 0.4, 0.67)
            ),
        ),
        "╫ ",
    ),
    "rock": Shape(
        (
            *_shadow(0.36, 0.82),
            outline(
                (0.22, 0.76),
                (0.16, 0.56),
                (0.32, 0.3),
                (0.56, 0.24),
                (0.8, 0.46),
                (0.84, 0.7),
                (0.74, 0.78),
                radius=0.03,
                fill="base",
            ),
            outline(
                (0.32, 0.32), (0.56, 0.26), (0.62, 0.42), (0.42, 0.5), (0.24, 0.48), radius=0.02, fill="light"
            ),
            outline(
                (0.8, 0.48), (0.84, 0.7), (0.74, 0.78), (0.5, 0.78), (0.66, 0.6), radius=0.02, fill="dark"
            ),
        ),
        "▲ ",
    ),
    "tree": Shape(
        (
            *_shadow(0.3, 0.88),
            box(0.44, 0.6, 0.12, 0.28, 0.03, "brown"),
            disc(0.33, 0.52, 0.19, "dark"),
            disc(0.67, 0.52, 0.19, "dark"),
            disc(0.5, 0.52, 0.2, "dark"),
            disc(0.5, 0.34, 0.22),
            disc(0.37, 0.47, 0.17),
            disc(0.63, 0.47, 0.17),
            disc(0.43, 0.3, 0.08, "light"),
        ),
        "♣ ",
    ),
    "plant": Shape((*_shadow(0.16, 0.87), *_LEAF), "♣ "),
    "flower": Shape(
        (
            stroke((0.5, 0.5), (0.5, 0.86), width=0.05, fill="green"),
            ellipse(0.6, 0.74, 0.1, 0.045, "green"),
            *(
                disc(x, y, 0.115)
                for x, y in ((0.5, 0.23), (0.64, 0.34), (0.59, 0.51), (0.41, 0.51), (0.36, 0.34))
            ),
            disc(0.5, 0.39, 0.1, "amber"),
        ),
        "✿ ",
    ),
    "tomato": Shape(
        (*_shadow(0.28, 0.83), ellipse(0.5, 0.56, 0.31, 0.27), disc(0.37, 0.5, 0.06, "light"), *_TOMATO_TOP),
        "● ",
        states={
            "dry": Variant(
                (
                    *_shadow(0.26, 0.83),
                    ellipse(0.5, 0.6, 0.28, 0.22, "tan"),
                    stroke((0.34, 0.52), (0.38, 0.7), width=0.03, fill="brown"),
                    stroke((0.52, 0.5), (0.52, 0.74), width=0.03, fill="brown"),
                    stroke((0.67, 0.53), (0.63, 0.7), width=0.03, fill="brown"),
                    outline(*star_points(0.5, 0.39, 0.14, 0.05, 5), radius=0.012, fill="olive"),
                ),
                "○ ",
            )
        },
    ),
    "body": Shape(
        (
            box(0.1, 0.1, 0.8, 0.8, 0.24, "dark"),
            box(0.15, 0.15, 0.7, 0.7, 0.2),
            disc(0.5, 0.5, 0.12, "light"),
        ),
        "■ ",
    ),
    "snake": Shape(
        (box(0.08, 0.08, 0.84, 0.84, 0.28, "dark"), box(0.13, 0.13, 0.74, 0.74, 0.24), *_eyes(0.4, 0.16)),
        "■ ",
        directed=(
            box(0.06, 0.1, 0.84, 0.8, 0.28, "dark"),
            box(0.11, 0.15, 0.74, 0.7, 0.24),
            disc(0.64, 0.32, 0.1, "white"),
            disc(0.64, 0.68, 0.1, "white"),
            disc(0.67, 0.32, 0.055, "ink"),
            disc(0.67, 0.68, 0.055, "ink"),
        ),
        arrows=SOLID_ARROWS,
    ),
    "button": Shape(
        (
            box(0.2, 0.5, 0.6, 0.32, 0.1, "slate"),
            ellipse(0.5, 0.5, 0.24, 0.15, "dark"),
            ellipse(0.5, 0.43, 0.24, 0.15),
        ),
        "⊙ ",
        states={
            state: Variant(
                (box(0.2, 0.5, 0.6, 0.32, 0.1, "slate"), ellipse(0.5, 0.53, 0.24, 0.13, "dark")), "• "
            )
            for state in ("pressed", "down", "on")
        },
    ),
    "lever": Shape(
        (
            stroke((0.5, 0.64), (0.28, 0.26), width=0.075, fill="charcoal"),
            disc(0.28, 0.25, 0.095),
            *_LEVER_FOOT,
        ),
        "╲ ",
        states={
            state: Variant(
                (
                    stroke((0.5, 0.64), (0.72, 0.26), width=0.075, fill="charcoal"),
                    disc(0.72, 0.25, 0.095, "lime"),
                    *_LEVER_FOOT,
                ),
                "╱ ",
            )
            for state in ("on", "pulled", "active")
        },
    ),
    "lamp": Shape(
        (disc(0.5, 0.42, 0.24, "shade"), box(0.4, 0.64, 0.2, 0.18, 0.04, "slate")),
        "○ ",
        states={
            state: Variant(
                (
                    disc(0.5, 0.42, 0.36, "amber", 0.3),
                    disc(0.5, 0.42, 0.24, "amber"),
                    disc(0.44, 0.36, 0.07, "cream"),
                    box(0.4, 0.64, 0.2, 0.18, 0.04, "slate"),
                ),
                "☼ ",
            )
            for state in ("on", "lit", "bright")
        },
    ),
    "bomb": Shape(
        (
            *_shadow(0.28),
            stroke((0.6, 0.34), (0.68, 0.22), (0.78, 0.22), width=0.045, fill="brown"),
            disc(0.8, 0.21, 0.06, "amber"),
            disc(0.48, 0.56, 0.28),
            disc(0.39, 0.47, 0.065, "light"),
        ),
        "✹ ",
    ),
    "skull": Shape(
        (
            *_shadow(0.24, 0.86),
            disc(0.5, 0.44, 0.28),
            box(0.36, 0.56, 0.28, 0.24, 0.05),
            disc(0.39, 0.46, 0.08, "ink"),
            disc(0.61, 0.46, 0.08, "ink"),
            *(stroke((x, 0.7), (x, 0.78), width=0.03, fill="dark") for x in (0.44, 0.5, 0.56)),
        ),
        "☠ ",
    ),
    "sword": Shape(
        (
            stroke((0.32, 0.68), (0.78, 0.22), width=0.1, fill="silver"),
            stroke((0.24, 0.54), (0.46, 0.76), width=0.09),
            stroke((0.34, 0.66), (0.2, 0.8), width=0.08, fill="brown"),
        ),
        "† ",
    ),
    "potion": Shape(
        (
            *_shadow(0.24, 0.86),
            box(0.42, 0.16, 0.16, 0.26, 0.03, "silver"),
            disc(0.5, 0.58, 0.26, "silver"),
            outline(*arc_points(0.5, 0.58, 0.2, 0.2, -10, 190), radius=0.01),
            disc(0.43, 0.68, 0.035, "light"),
            box(0.4, 0.12, 0.2, 0.1, 0.03, "brown"),
        ),
        "δ ",
    ),
    "bucket": Shape(
        (
            *_shadow(0.28, 0.86),
            arc(0.5, 0.38, 0.25, 180, 360, 0.045, "dark"),
            outline((0.24, 0.38), (0.76, 0.38), (0.68, 0.82), (0.32, 0.82), radius=0.025),
            ellipse(0.5, 0.38, 0.27, 0.085, "dark"),
            ellipse(0.5, 0.39, 0.21, 0.055, "skyblue"),
        ),
        "∪ ",
    ),
    "onion": Shape(
        (
            *_shadow(0.24),
            stroke((0.46, 0.34), (0.4, 0.14), width=0.05, fill="green"),
            stroke((0.5, 0.34), (0.52, 0.1), width=0.05, fill="green"),
            stroke((0.54, 0.34), (0.64, 0.16), width=0.05, fill="green"),
            ellipse(0.5, 0.58, 0.28, 0.25),
            arc(0.6, 0.58, 0.22, 120, 240, 0.025, "dark"),
            arc(0.4, 0.58, 0.22, -60, 60, 0.025, "dark"),
            disc(0.4, 0.48, 0.05, "light"),
        ),
        "● ",
    ),
    "pot": Shape(
        (
            *_shadow(0.32, 0.86),
            stroke((0.1, 0.48), (0.9, 0.48), width=0.08, fill="dark"),
            box(0.2, 0.4, 0.6, 0.44, 0.12, "base"),
            ellipse(0.5, 0.4, 0.3, 0.11, "dark"),
            ellipse(0.5, 0.41, 0.24, 0.07, "deep"),
            box(0.27, 0.52, 0.07, 0.22, 0.03, "light"),
        ),
        "∪ ",
    ),
    "dish": Shape(
        (
            *_shadow(0.32, 0.8),
            ellipse(0.5, 0.6, 0.36, 0.2, "shade"),
            ellipse(0.5, 0.54, 0.36, 0.2, "light"),
            ellipse(0.5, 0.53, 0.24, 0.12, "base"),
            ellipse(0.5, 0.52, 0.2, 0.09, "white"),
        ),
        "○ ",
    ),
    "fish": Shape(
        (
            outline((0.3, 0.5), (0.08, 0.28), (0.14, 0.5), (0.08, 0.72), radius=0.02, fill="dark"),
            ellipse(0.54, 0.5, 0.33, 0.2),
            outline((0.46, 0.32), (0.58, 0.18), (0.64, 0.33), radius=0.02, fill="dark"),
            disc(0.72, 0.45, 0.055, "white"),
            disc(0.735, 0.455, 0.03, "ink"),
            arc(0.56, 0.5, 0.14, -60, 60, 0.025, "dark"),
        ),
        "► ",
        directed=(
            outline((0.3, 0.5), (0.08, 0.28), (0.14, 0.5), (0.08, 0.72), radius=0.02, fill="dark"),
            ellipse(0.54, 0.5, 0.33, 0.2),
            disc(0.74, 0.44, 0.05, "white"),
            disc(0.755, 0.445, 0.028, "ink"),
            arc(0.56, 0.5, 0.14, -60, 60, 0.025, "dark"),
        ),
        arrows=SOLID_ARROWS,
    ),
    "submarine": Shape(
        (
            box(0.44, 0.2, 0.18, 0.2, 0.05, "dark"),
            ellipse(0.52, 0.54, 0.4, 0.21),
            box(0.06, 0.4, 0.08, 0.28, 0.03, "dark"),
            *(disc(x, 0.52, 0.055, "pale") for x in (0.38, 0.55, 0.72)),
        ),
        "◗ ",
        directed=(
            box(0.4, 0.24, 0.2, 0.16, 0.05, "dark"),
            ellipse(0.52, 0.54, 0.4, 0.21),
            box(0.06, 0.4, 0.08, 0.28, 0.03, "dark"),
            *(disc(x, 0.52, 0.055, "pale") for x in (0.38, 0.55, 0.72)),
        ),
        arrows=SOLID_ARROWS,
    ),
    "cannon": Shape(
        (
            box(0.43, 0.14, 0.14, 0.4, 0.03, "dark"),
            outline((0.2, 0.62), (0.32, 0.46), (0.68, 0.46), (0.8, 0.62), radius=0.03, fill="base"),
            box(0.1, 0.6, 0.8, 0.24, 0.06, "base"),
            box(0.1, 0.78, 0.8, 0.08, 0.03, "dark"),
        ),
        "▲ ",
    ),
    "bullet": Shape(
        (box(0.43, 0.26, 0.14, 0.48, 0.07),),
        "• ",
        directed=(box(0.26, 0.43, 0.48, 0.14, 0.07),),
        arrows=THIN_ARROWS,
    ),
    "paddle": Shape((box(0.04, 0.36, 0.92, 0.28, 0.14, "dark"), box(0.06, 0.37, 0.88, 0.2, 0.1)), "▬▬"),
    "chicken": Shape(
        (
            *_shadow(0.24, 0.88),
            *(stroke((x, 0.74), (x, 0.86), width=0.04, fill="amber") for x in (0.44, 0.56)),
            disc(0.5, 0.16, 0.06, "red"),
            disc(0.56, 0.18, 0.05, "red"),
            ellipse(0.5, 0.58, 0.26, 0.22),
            disc(0.52, 0.32, 0.15),
            outline((0.64, 0.3), (0.78, 0.35), (0.64, 0.4), radius=0.01, fill="amber"),
            disc(0.56, 0.29, 0.03, "ink"),
            ellipse(0.44, 0.6, 0.12, 0.09, "shade"),
        ),
        "¤ ",
    ),
    "battery": Shape(
        (
            *_shadow(0.22, 0.87),
            box(0.42, 0.13, 0.16, 0.12, 0.03, "charcoal"),
            box(0.28, 0.2, 0.44, 0.64, 0.08, "charcoal"),
            box(0.33, 0.38, 0.34, 0.41, 0.04),
            outline(
                (0.54, 0.42), (0.42, 0.6), (0.5, 0.6), (0.46, 0.74), (0.58, 0.56), (0.5, 0.56), fill="cream"
            ),
        ),
        "▮ ",
    ),
    "number": Shape(
        _PIECE, "■ ", states={str(n): Variant((*_PIECE, *number_parts(n)), f"{n:<2}") for n in range(100)}
    ),
    "mark": Shape(
        _CROSS,
        "x ",
        states={
            "1": Variant(_CROSS, "x "),
            "2": Variant((disc(0.5, 0.5, 0.32), disc(0.5, 0.5, 0.2, "white", 0.94)), "o "),
            "3": Variant((outline((0.5, 0.2), (0.82, 0.76), (0.18, 0.76), radius=0.03),), "▲ "),
            "4": Variant((box(0.22, 0.22, 0.56, 0.56, 0.06),), "■ "),
        },
    ),
    "tool": Shape(
        (
            stroke((0.28, 0.76), (0.58, 0.44), width=0.11, fill="brown"),
            outline((0.44, 0.34), (0.58, 0.2), (0.8, 0.42), (0.66, 0.56), radius=0.03),
        ),
        "⚒ ",
    ),
}

SHAPES: Mapping[str, Shape] = MappingProxyType(_GROUNDS | _THINGS)
