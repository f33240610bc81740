"""Scenes as SVG: the parts of each distinct stack written once, and used wherever it stands."""

import base64
import zlib

import numpy as np

from griddsl.render import overlay
from griddsl.render.colors import INK, Rgb, hex_of, readable_on, tone
from griddsl.render.looks import look_of
from griddsl.render.pictures import form_of, picture_bytes
from griddsl.render.primitives import Circle, Line, Part, Parts, Point, Polygon, Rect
from griddsl.render.raster import default_cell_pixels
from griddsl.render.scene import Scene, Sprite, Stack, check_scene
from griddsl.render.shapes import (
    covers_cell,
    ground_color,
    parts_of,
    policy_parts,
    share_of_cell,
    sprite_parts,
)

_FLOOR = look_of("floor", category="tile")
# Cells meet without a seam, whatever size the drawing is shown in.
CRISP = ' shape-rendering="crispEdges"'
CLIP = "one-cell"


def to_svg(scene: Scene, cell_pixels: int | None = None) -> str:
    """The scene as one SVG document, `cell_pixels` a cell (a size that suits the map where it is None).

    Pictures named by sprites are written into it, so it stands alone.
    """
    check_scene(scene)
    pixels = cell_pixels or default_cell_pixels(scene.width, scene.height)
    definitions = _Definitions()
    board = _board(scene, definitions)
    numbers = _numbers(scene, pixels)
    # Several drawings on one page share their ids, so each has a prefix of its own.
    prefix = f"g{zlib.crc32(''.join(definitions.texts).encode()):08x}"
    width, height = scene.width * pixels, scene.height * pixels
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}">',
            "<defs>",
            f'<clipPath id="{prefix}-cell"><rect width="1" height="1"{CRISP}/></clipPath>',
            *(
                f'<g id="{prefix}-{number}">{text.replace(CLIP, f"{prefix}-cell")}</g>'
                for number, text in enumerate(definitions.texts)
            ),
            "</defs>",
            f'<g transform="scale({pixels})">',
            *(line.replace('href="#', f'href="#{prefix}-') for line in board),
            "</g>",
            *numbers,
            "</svg>",
            "",
        ]
    )


class _Definitions:
    """The drawings that are used, each once, by number."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._numbers: dict[str, int] = {}

    def use(self, text: str, x: int, y: int) -> str:
        """A reference to a drawing, put down in cell (x, y)."""
        number = self._numbers.setdefault(text, len(self.texts))
        if number == len(self.texts):
            self.texts.append(text)
        return f'<use href="#{number}" x="{x}" y="{y}"/>'


def _board(scene: Scene, definitions: _Definitions) -> list[str]:
    """The lines of the board in units of a cell; `href="#N"` refers to definition N."""
    lines: list[str] = []
    drawn: dict[Stack, str] = {}

    def put(stack: Stack, cell: int) -> None:
        if stack not in drawn:
            drawn[stack] = stack_drawing(stack)
        lines.append(definitions.use(drawn[stack], cell % scene.width, cell // scene.width))

    for cell, stack in enumerate(scene.cells):
        grounded = grounded_stack(stack)
        split = len(grounded) if scene.values is None else len(grounded) - max(0, len(stack) - 1)
        put(grounded[:split], cell)
    if scene.values is not None:
        heats = overlay.heat_colors(scene.values).reshape(-1, 3).tolist()
        for cell in np.flatnonzero(~np.isnan(scene.values)).tolist():
            red, green, blue = heats[cell]
            lines.append(_tint(cell, scene.width, hex_of((red, green, blue)), overlay.HEAT_OPACITY))
        for cell, stack in enumerate(scene.cells):
            if len(stack) > 1:
                put(stack[1:], cell)
    lines.extend(laid_over(scene))
    for cell, directions in enumerate(scene.policy or ()):
        if directions:
            numbered = scene.values is not None and not np.isnan(scene.values.flat[cell])
            parts = policy_parts(directions, *overlay.policy_place(numbered))
            arrows = _clipped(_parts(parts, INK))
            lines.append(definitions.use(arrows, cell % scene.width, cell // scene.width))
    return lines


def grounded_stack(stack: Stack) -> Stack:
    """A stack with the floor below it, where its lowest sprite does not hide that."""
    return stack if stack and _covers(stack[0]) else (_FLOOR, *stack)


def stack_drawing(stack: Stack) -> str:
    """A stack of sprites in the unit square, cut off at its sides by the clip path `CLIP`.

    Ground that fills the square is not cut, as what is cut has soft edges, through which one would see between cells.
    """
    if not stack or not _covers(stack[0]):
        return _clipped("".join(map(_sprite, stack)))
    ground, *rest = sprite_parts(stack[0])
    above = _parts(tuple(rest), stack[0].color) + "".join(map(_sprite, stack[1:]))
    return _part(ground, stack[0].color) + _clipped(above)


def _clipped(text: str) -> str:
    return f'<g clip-path="url(#{CLIP})">{text}</g>' if text else ""


def laid_over(scene: Scene) -> list[str]:
    """What lies over the things of a board, in units of a cell: cells out of sight, and thin walls."""
    lines: list[str] = []
    if scene.dimmed is not None:
        for cell in np.flatnonzero(scene.dimmed).tolist():
            lines.append(_tint(cell, scene.width, hex_of(overlay.DIM_COLOR), overlay.DIM_OPACITY))
    wall = hex_of(overlay.BARRIER_COLOR)
    for left, top, right, bottom in overlay.barrier_boxes(scene.barriers, scene.width, scene.height):
        part = Rect(at=(left, top), size=(right - left, bottom - top), fill=wall)
        lines.append(_part(part, INK))
    return lines


def _numbers(scene: Scene, pixels: int) -> list[str]:
    if scene.values is None:
        return []
    size = overlay.NUMBER_HEIGHT * pixels
    heats = overlay.heat_colors(scene.values)
    rims, texts = [], []
    for (row, column), text in overlay.number_texts(scene.values).items():
        cell = row * scene.width + column
        red, green, blue = heats[row, column].tolist()
        ink = overlay.ink_on_heat(ground_color(scene.cells[cell]), (red, green, blue))
        x, y = (column + 0.5) * pixels, (row + overlay.number_middle(scene, cell)) * pixels + 0.35 * size
        place = f'x="{_short(x)}" y="{_short(y)}"'
        rims.append(f'<text {place} stroke="{hex_of(readable_on(ink))}">{text}</text>')
        texts.append(f'<text {place} fill="{hex_of(ink)}">{text}</text>')
    return [
        f'<g font-family="Helvetica, Arial, sans-serif" font-size="{_short(size)}" text-anchor="middle">',
        f'<g fill="none" stroke-width="{_short(size / 4)}" stroke-linejoin="round" opacity="0.5">',
        *rims,
        "</g>",
        *texts,
        "</g>",
    ]


def _tint(cell: int, width: int, color: str, opacity: float) -> str:
    part = Rect(at=(cell % width, cell // width), size=(1, 1), fill=color, opacity=opacity)
    return _part(part, INK)


def _covers(sprite: Sprite) -> bool:
    return sprite.image is None and covers_cell(parts_of(sprite.shape, sprite.direction, sprite.state))


def _sprite(sprite: Sprite) -> str:
    if sprite.image is None:
        return _parts(sprite_parts(sprite), sprite.color)
    size, (x, y) = share_of_cell(*sprite.place)
    box = f'x="{_short(x - size / 2)}" y="{_short(y - size / 2)}" width="{_short(size)}" height="{_short(size)}"'
    where = 'width="1" height="1"' if size == 1 else box
    content = picture_bytes(sprite.image)
    data = base64.b64encode(content).decode()
    return f'<image {where} href="data:image/{form_of(content).lower()};base64,{data}"/>'


def _parts(parts: Parts, base: Rgb) -> str:
    return "".join(_part(part, base) for part in parts)


def _part(part: Part, base: Rgb) -> str:
    color = hex_of(tone(part.fill, base))
    faint = "" if part.opacity == 1 else f' opacity="{_short(part.opacity)}"'
    match part:
        case Circle():
            x, y = map(_short, part.at)
            return f'<circle cx="{x}" cy="{y}" r="{_short(part.radius)}" fill="{color}"{faint}/>'
        case Rect():
            (x, y), (width, height) = map(_short, part.at), map(_short, part.size)
            edges = f' rx="{_short(part.radius)}"' if part.radius else CRISP if _fills_side(part) else ""
            return f'<rect x="{x}" y="{y}" width="{width}" height="{height}"{edges} fill="{color}"{faint}/>'
        case Polygon():
            grown = _stroke(color, 2 * part.radius) if part.radius else ""
            return f'<polygon points="{_points(part.points)}" fill="{color}"{grown}{faint}/>'
        case Line():
            ends = f'{_stroke(color, part.width)} stroke-linecap="round"'
            return f'<polyline points="{_points(part.points)}" fill="none"{ends}{faint}/>'


def _fills_side(part: Rect) -> bool:
    return any(at == 0 and size == 1 for at, size in zip(part.at, part.size, strict=True))


def _stroke(color: str, width: float) -> str:
    return f' stroke="{color}" stroke-width="{_short(width)}" stroke-linejoin="round"'


def _points(points: tuple[Point, ...]) -> str:
    return " ".join(f"{_short(x)},{_short(y)}" for x, y in points)


def _short(number: float) -> str:
    return f"{number:.3f}".rstrip("0").rstrip(".")
