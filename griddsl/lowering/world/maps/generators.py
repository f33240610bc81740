"""Generators: ``generate: room(8, 8)`` and the like, and those that plug-ins bring."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from griddsl.diagnostics import Report, did_you_mean, listing
from griddsl.lowering.plug_ins import GENERATORS_GROUP, plug_ins
from griddsl.lowering.world.constants import constant_number
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.maps.level import MOST_CELLS, Level
from griddsl.spec.reckoned import Scalar
from griddsl.syntax import nodes as n


@dataclass(frozen=True, slots=True)
class Generator:
    """A generator: what its arguments are, the smallest grid, and the runtime function that draws the tiles."""

    arguments: str
    smallest: int
    function: str | None
    in_rooms: bool = False


GENERATORS = {
    "empty": Generator("a width and a height: `empty(8, 8)`", 1, None),
    "room": Generator("a width and a height: `room(8, 8)`", 3, None),
    "maze": Generator("a width and a height: `maze(11, 11)`", 3, "draw_maze"),
    "rooms": Generator("rooms across and down: `rooms(3, 3)`", 1, "draw_rooms", in_rooms=True),
    "caves": Generator("a width and a height: `caves(20, 20)`", 5, "draw_caves"),
}
ROOM_SIZE = 6


def is_random(call: n.Call | n.Name) -> bool:
    """Whether a generator draws a new map at every reset."""
    known = GENERATORS.get(call.name)
    return known is None or known.function is not None


def _arguments(call: n.Call | n.Name, params: Mapping[str, Scalar], report: Report) -> list[int] | None:
    given = call.arguments if isinstance(call, n.Call) else ()
    sizes: list[Fraction] = []
    for argument in given:
        value = constant_number(argument, params, report, "the size of the grid")
        if value is None:
            return None
        sizes.append(value)
    for argument, size in zip(given, sizes, strict=True):
        if size.denominator != 1 or not 1 <= size <= MOST_CELLS * 1000:
            report.add("bad-value", argument.span, reason="a size is a whole number, 1 or more")
            return None
    return [int(size) for size in sizes]


def generated_level(
    call: n.Expression, kinds: Mapping[str, Kind], params: Mapping[str, Scalar], report: Report
) -> Level | None:
    """Return the grid of a generator: final for ``empty`` and ``room``, the ground to draw on for the others."""
    if not isinstance(call, n.Call | n.Name):  # what a definition of the name says
        expected = "a generator such as `room(8, 8)`"
        report.add("type", call.span, found="a value", expected=expected, help=None)
        return None
    names = [*GENERATORS, *plug_ins(GENERATORS_GROUP)]
    if call.name not in names:
        help = did_you_mean(call.name, names) or f"generators: {listing(names, 'and')}"
        report.add("unknown-function", call.span.word(call.name), what="generator", name=call.name, help=help)
        return None
    sizes = _arguments(call, params, report)
    if sizes is None:
        return None
    generator = GENERATORS.get(call.name, Generator("a width and a height", 1, None))
    if len(sizes) != 2:
        report.add("wrong-arguments", call.span, name=call.name, expected=generator.arguments)
        return None
    width, height = sizes
    if generator.in_rooms:
        width, height = (ROOM_SIZE * width + 1, ROOM_SIZE * height + 1)
    if width < generator.smallest or height < generator.smallest:
        report.add(
            "bad-value",
            call.span,
            reason=f"`{call.name}` needs at least {generator.smallest} x {generator.smallest} cells",
        )
        return None
    if width * height > MOST_CELLS:
        report.add(
            "too-many-cells", call.span, width=width, height=height, cells=width * height, most=MOST_CELLS
        )
        return None
    tiles = np.zeros((height, width), dtype=np.int32)
    if call.name != "empty":
        tiles[[0, -1], :] = kinds["wall"].code
        tiles[:, [0, -1]] = kinds["wall"].code
    return Level(None, width, height, tiles.reshape(-1), call.span)
