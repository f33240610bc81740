"""How the things of a program look, as plain data for `player/game/looks.js`: kinds, shapes in parts, colours."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from typing import Any

from griddsl.compass import COMPASS
from griddsl.program.program import KindInfo, LookInfo, Program
from griddsl.render.apart import told_apart
from griddsl.render.colors import COLORS, INK, WHITE, hex_of, rgb_of
from griddsl.render.looks import NUMBERED, SERIES, ground_below, look_of
from griddsl.render.pictures import form_of, picture_bytes
from griddsl.render.primitives import Circle, Line, Part, Parts, Polygon, Rect
from griddsl.render.shapes import SHAPES, Shape

FLOOR = "floor"  # what is drawn below ground that does not cover its cell
_FIXED = {"ink": INK, "white": WHITE}


def looks_of(program: Program) -> dict[str, Any]:
    """Return all that a page needs to draw the states of a program.

    ``kinds`` are in the order of their codes, ``shapes`` those that they have. Raises `ValueError` where a picture
    that the spec names cannot be read.
    """
    kinds = sorted(told_apart(program.kinds), key=lambda kind: kind.code)
    paths = [path for kind in kinds for path in (kind.image, *(look.image for look in kind.looks))]
    images = {path: _image(path) for path in paths if path is not None}
    described = [_kind(kind, list(images)) for kind in kinds]
    floor = look_of(FLOOR, category="tile")
    shown = dict.fromkeys(
        shape
        for found in described
        for shape in (found["shape"], *(look["shape"] for look in found["looks"]))
        if shape
    )
    below = {shape: ground for shape in shown for ground in ground_below(shape)}
    names = dict.fromkeys([floor.shape, *shown, *(ground.shape for ground in below.values())])
    words = [word for kind in kinds for attribute in kind.attributes for word in attribute.words]
    return {
        "kinds": described,
        "floor": {"shape": floor.shape, "color": hex_of(floor.color)},
        "below": {shape: {"shape": each.shape, "color": hex_of(each.color)} for shape, each in below.items()},
        "shapes": {name: _shape(SHAPES[name]) for name in names},
        "images": list(images.values()),
        "colors": {word: hex_of(COLORS[word]) for word in dict.fromkeys(words) if word in COLORS},
        "series": [hex_of(color) for color in SERIES],
        "numbered": sorted(NUMBERED),
        "directions": list(COMPASS),
    }


def _kind(kind: KindInfo, images: list[str]) -> dict[str, Any]:
    plain = look_of(
        kind.name,
        category=kind.category,  # type: ignore[arg-type]
        properties=kind.properties,
        shape=kind.shape,
        color=kind.color,
    )
    return {
        "shape": plain.shape,
        "color": hex_of(plain.color),
        "said": kind.color is not None,
        "direction": kind.direction,
        "image": None if kind.image is None else images.index(kind.image),
        "looks": [_look(kind, look, images) for look in kind.looks],
    }


def _look(kind: KindInfo, look: LookInfo, images: list[str]) -> dict[str, Any]:
    """Return how some of a kind look; the values of attributes as they are shown, the facing of agents as a number."""
    words = {attribute.name: attribute.words for attribute in kind.attributes}
    if kind.category == "agent":
        words["facing"] = ()
    rgb = None if look.color is None else rgb_of(look.color)
    return {
        "attributes": [
            [name, words[name][code] if words.get(name) else code] for name, code in look.attributes
        ],
        "shape": look.shape,
        "color": None if rgb is None else hex_of(rgb),
        "image": None if look.image is None else images.index(look.image),
    }


def _image(path: str) -> str:
    content = picture_bytes(path)
    return f"data:image/{form_of(content).lower()};base64,{base64.b64encode(content).decode()}"


def _shape(shape: Shape) -> dict[str, Any]:
    states: Mapping[str, Any] = {word: _parts(found.parts) for word, found in shape.states.items()}
    return {
        "under": _parts(shape.under),
        "parts": _parts(shape.parts),
        "directed": None if shape.directed is None else _parts(shape.directed),
        "pointer": _parts(shape.pointer),
        "states": states,
    }


def _parts(parts: Parts) -> list[list[Any]]:
    return [_part(part) for part in parts]


def _part(part: Part) -> list[Any]:
    """Return a part as its form, its numbers, its tone or colour, and its opacity."""
    match part:
        case Circle():
            found: list[Any] = ["circle", *part.at, part.radius]
        case Rect():
            found = ["rect", *part.at, *part.size, part.radius]
        case Polygon():
            found = ["polygon", _flat(part.points), part.radius]
        case Line():
            found = ["line", _flat(part.points), part.width]
    return [*found, _fill(part.fill), part.opacity]


def _flat(points: Iterable[tuple[float, float]]) -> list[float]:
    return [number for point in points for number in point]


def _fill(fill: str) -> str:
    """Return a tone by its name, and every other colour as ``#rrggbb``."""
    color = _FIXED.get(fill) or rgb_of(fill)
    return fill if color is None else hex_of(color)
