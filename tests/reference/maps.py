"""Maps: what a drawing says of each cell, and the maps that are drawn at reset (section 3 of the reference)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from griddsl.spec.models import Drawing, GridSpec
from griddsl.syntax import nodes as n
from tests.reference.kinds import Constant, Kind
from tests.reference.randomness import Stream

Place = tuple[int, int]
BUILT_IN = {".": "floor", " ": "floor", "#": "wall", "@": "agent"}
ROOM = 6  # cells from a wall of `rooms` to the next


@dataclass
class Drawn:
    """A thing or an agent on a drawing: its kind, its place, the attributes that the legend gives."""

    kind: Kind
    place: Place
    attributes: dict[str, Any]


@dataclass
class Level:
    """One map: the ground of each cell, things and starts in the order in which they are read, walls between cells."""

    name: str | None
    width: int
    height: int
    ground: dict[Place, tuple[Kind, dict[str, Any]]]
    things: list[Drawn] = field(default_factory=list)
    starts: list[Drawn] = field(default_factory=list)
    walls: frozenset[frozenset[Place]] = frozenset()
    glyphs: dict[Place, str] = field(
        default_factory=dict
    )  # of the ground and of what lies on it, where these are two maps


def pattern_of(node: n.Expression | None) -> dict[str, n.Expression]:
    """Return the attributes that a pattern gives; none for a bare name."""
    return dict(node.arguments) if isinstance(node, n.Pattern) else {}


def read_levels(spec: GridSpec, kinds: dict[str, Kind]) -> list[Level]:
    """Return the levels that are drawn and can be reset to: those of one size, the wanted one first."""
    wanted = spec.arguments.get("level", spec.level)
    drawings = list(spec.maps)
    if wanted not in {None, "random"}:
        first = next(drawing for drawing in drawings if drawing.name == wanted)
        drawings = [first, *(drawing for drawing in drawings if drawing is not first)]
    levels = [_read(drawing, spec, kinds) for drawing in drawings]
    return [level for level in levels if (level.width, level.height) == (levels[0].width, levels[0].height)]


def _read(drawing: Drawing, spec: GridSpec, kinds: dict[str, Kind]) -> Level:
    """Return a map; of layers the ground is that of the highest that has one, and all things lie on it."""
    level, layer = _read_layer(drawing, spec, kinds), drawing
    while layer.over is not None:
        layer = layer.over
        above = _read_layer(layer, spec, kinds)
        covered = {place for place, (kind, _) in above.ground.items() if kind.name != "floor"}
        level.ground |= {place: above.ground[place] for place in covered}
        level.things = sorted([*level.things, *above.things], key=lambda drawn: drawn.place[::-1])
        level.starts = sorted([*level.starts, *above.starts], key=lambda drawn: drawn.place[::-1])
        level.glyphs = {place: glyph + above.glyphs[place] for place, glyph in level.glyphs.items()}
    return level


def _read_layer(drawing: Drawing, spec: GridSpec, kinds: dict[str, Kind]) -> Level:
    rows, walls = (drawing.rows, frozenset()) if not drawing.walled else _unwalled(drawing)
    width = max(len(row) for row in rows)
    level = Level(drawing.name, width, len(rows), {}, walls=walls)
    legend = {item.glyph: item for item in spec.legend}
    for y, row in enumerate(rows):
        for x, glyph in enumerate(row.ljust(width)):
            level.glyphs[x, y] = glyph
            item = legend.get(glyph)
            node = item.kind if item else n.Name(BUILT_IN[glyph], drawing.span)
            below = item.tile if item else None
            kind = kinds[node.name]
            ground = node if kind.category == "tile" else below
            name = ground.name if ground else "floor"
            level.ground[x, y] = kinds[name], pattern_of(ground)
            if kind.category != "tile":
                listed = level.starts if kind.category == "agent" else level.things
                listed.append(Drawn(kind, (x, y), pattern_of(node)))
    return level


def _unwalled(drawing: Drawing) -> tuple[tuple[str, ...], frozenset[frozenset[Place]]]:
    """Split ``map walled:`` into the rows of cells and the walls between them."""
    wide = max(len(row) for row in drawing.rows)
    rows = [row.ljust(wide) for row in drawing.rows]
    cells: list[str] = []
    walls: set[frozenset[Place]] = set()
    for number, row in enumerate(rows):
        if not row.startswith("+"):
            y = len(cells)
            marks = enumerate(row[2:-1:2])
            walls |= {frozenset({(x, y), (x + 1, y)}) for x, mark in marks if mark == "|"}
            cells.append(row[1::2])
        elif cells and number < len(rows) - 1:
            y = len(cells)
            walls |= {frozenset({(x, y - 1), (x, y)}) for x, mark in enumerate(row[1::2]) if mark == "-"}
    return tuple(cells), frozenset(walls)


def generated(spec: GridSpec, kinds: dict[str, Kind], constant: Constant) -> Level:
    """Return the level of ``generate``, as it is before anything is drawn."""
    call = spec.generate
    assert isinstance(call, n.Call)
    width, height = (int(constant(size)) for size in call.arguments)
    if call.name == "rooms":
        width, height = ROOM * width + 1, ROOM * height + 1
    places = [(x, y) for y in range(height) for x in range(width)]
    walled = call.name != "empty"

    def kind(x: int, y: int) -> Kind:
        border = x in {0, width - 1} or y in {0, height - 1}
        return kinds["wall" if walled and border else "floor"]

    return Level(None, width, height, {place: (kind(*place), {}) for place in places})


# Maps drawn at reset: each returns the floor, all else is wall


def maze(stream: Stream, width: int, height: int) -> set[Place]:
    """A depth-first walk over the odd cells that takes unvisited neighbours at random, and goes back from dead ends."""
    across, down = (width - 1) // 2, (height - 1) // 2
    first = stream.below(across * down)
    trail = [(first % across, first // across)]
    visited, floor = set(trail), {(2 * x + 1, 2 * y + 1) for x, y in trail}
    while trail:
        x, y = trail[-1]
        beside = [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)]
        fresh = [(i, j) for i, j in beside if 0 <= i < across and 0 <= j < down and (i, j) not in visited]
        if not fresh:
            trail.pop()
            continue
        i, j = fresh[stream.below(len(fresh))]
        trail.append((i, j))
        visited.add((i, j))
        floor |= {(x + i + 1, y + j + 1), (2 * i + 1, 2 * j + 1)}
    return floor


def rooms(stream: Stream, width: int, height: int) -> set[Place]:
    """Rooms of 5 x 5, row by row; each draws its gap to the right, then its gap down."""
    floor = {(x, y) for x in range(width) for y in range(height) if x % ROOM and y % ROOM}
    for y in range(0, height - 1, ROOM):
        for x in range(0, width - 1, ROOM):
            if x + ROOM < width - 1:
                floor.add((x + ROOM, y + 1 + stream.below(ROOM - 1)))
            if y + ROOM < height - 1:
                floor.add((x + 1 + stream.below(ROOM - 1), y + ROOM))
    return floor


def caves(stream: Stream, width: int, height: int) -> set[Place]:
    """The largest cave of smoothed ground, drawn again up to 100 times while it is below a third of the inside."""
    cave: set[Place] = set()
    for _ in range(100):
        cave = max(_connected(_smoothed(stream, width, height)), key=len, default=set())
        if 3 * len(cave) >= (width - 2) * (height - 2):
            break
    return cave or {(width // 2, height // 2)}


def _smoothed(stream: Stream, width: int, height: int) -> list[Place]:
    """Floor with a chance of 55 % in each inner cell, then four times what the majority of nine cells is."""
    inner = [(x, y) for y in range(1, height - 1) for x in range(1, width - 1)]
    floor = {place for place in inner if stream.below(100) >= 45}
    for _ in range(4):
        around = {
            (x, y): sum((x + i, y + j) in floor for i in (-1, 0, 1) for j in (-1, 0, 1)) for x, y in inner
        }
        floor = {place for place in inner if around[place] > 4}
    return [place for place in inner if place in floor]


def _connected(floor: list[Place]) -> list[set[Place]]:
    """Return the caves of a ground, in the order of their first cells; neighbours are those of four directions."""
    left, found = set(floor), []
    for start in floor:
        if start in left:
            cave, waiting = {start}, [start]
            while waiting:
                x, y = waiting.pop()
                fresh = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & left - cave
                cave |= fresh
                waiting.extend(fresh)
            left -= cave
            found.append(cave)
    return found


GENERATORS: dict[str, Callable[[Stream, int, int], set[Place]]] = {
    "maze": maze,
    "rooms": rooms,
    "caves": caves,
}
