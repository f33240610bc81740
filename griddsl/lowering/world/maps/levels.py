"""Levels: the drawings of a spec as arrays of tiles, objects and agents."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from griddsl.diagnostics import Help, Label, Report, did_you_mean, listing, write
from griddsl.lowering.world.kinds import BUILT_IN, Kind
from griddsl.lowering.world.maps.letters import Letter, quoted_sign, read_legend
from griddsl.lowering.world.maps.rows import comment_in, is_even
from griddsl.source import Span
from griddsl.spec.layered import OBJECTS
from griddsl.spec.models import Drawing, GridSpec, Scalar
from griddsl.syntax import nodes as n

MOST_CELLS = 1_000_000


@dataclass(frozen=True, slots=True)
class Thing:
    """An object or an agent as drawn: its cell, and its attributes where the legend gives them.

    What another object carries is on no cell (-1); ``holder`` is that one's place among the objects.
    """

    kind: Kind
    cell: int
    attributes: Mapping[str, n.Expression]
    holder: int | None = None


@dataclass(frozen=True, slots=True)
class Level:
    """One map: ``tiles`` holds a kind's code a cell, ``barriers`` the walls on edges (cell, direction).

    ``glyphs`` is the drawing, one character a cell; empty where nothing was drawn. ``over`` are those of what lies on
    it, layer by layer, where that is drawn apart.
    """

    name: str | None
    width: int
    height: int
    tiles: NDArray[np.int32]
    span: Span
    objects: tuple[Thing, ...] = ()
    starts: tuple[Thing, ...] = ()
    tile_patterns: tuple[tuple[int, Kind, dict[str, n.Expression]], ...] = ()
    barriers: frozenset[tuple[int, int]] = frozenset()
    glyphs: str = ""
    over: tuple[str, ...] = ()

    @property
    def size(self) -> tuple[int, int]:
        """The number of columns and of rows."""
        return self.width, self.height


def read_levels(
    spec: GridSpec, kinds: dict[str, Kind], params: Mapping[str, Scalar], report: Report
) -> list[Level]:
    """Return the levels that are drawn; those of one environment have one size."""
    glyphs = read_legend(spec, kinds, report)
    used: set[str] = set()
    chosen = _chosen_drawings(spec, params, report)
    missing = _no_agent(spec)
    levels = [
        level for drawing in chosen if (level := _read(drawing, glyphs, used, missing, report)) is not None
    ]
    # Where an error was reported of a map, it may be read in another size than it was taken for.
    levels = [_with_contents(each, kinds) for each in levels if each.size == levels[0].size]
    for drawing in spec.maps:
        used.update(char for row in drawing.all_rows for char in row)
    if spec.maps and not report.is_stuck:
        for item in spec.legend:
            if item.glyph not in used and not _is_one_of_several(item, spec):
                report.add("unused-glyph", item.span, glyph=item.glyph)
    return levels


def _no_agent(spec: GridSpec) -> bool:
    """Whether nothing draws or places the agent, so that a letter of the map may be meant for it."""
    drawn = any("@" in row for drawing in spec.maps for row in drawing.all_rows)
    legend = any(item.kind.name == "agent" for item in spec.legend)
    placed = any(
        isinstance(node, n.Place) and getattr(node.kind, "name", "") == "agent"
        for node in n.walk(spec.preparing)
    )
    return not (spec.agents or drawn or legend or placed)


AGENT_LETTERS = "AaPpSRr"


def _is_one_of_several(item: n.LegendItem, spec: GridSpec) -> bool:
    """Whether a glyph that stands in no map says how some things of a kind are shown later: `"*" = box on target`."""
    narrow = isinstance(item.kind, n.Pattern) or item.tile is not None
    return narrow and glyph_count(spec, item.kind.name) > 1


def glyph_count(spec: GridSpec, kind: str) -> int:
    """Return by how many glyphs a kind can be drawn, built-in ones that mean nothing else included."""
    built_in = [glyph for glyph, name in BUILT_IN.items() if name == kind and glyph != " "]
    others = {item.glyph for item in spec.legend}
    listed = [item.glyph for item in spec.legend if item.kind.name == kind]
    return len(listed) + sum(glyph not in others for glyph in built_in)


def _with_contents(level: Level, kinds: dict[str, Kind]) -> Level:
    """Return a level with what its objects carry, and what that carries, behind those that are drawn."""
    objects = list(level.objects)
    for holder, thing in enumerate(objects):
        node = thing.attributes.get("carries")
        if node is not None:
            assert isinstance(node, n.KindName)
            attributes = dict(node.arguments) if isinstance(node, n.Pattern) else {}
            objects.append(Thing(kinds[node.name], -1, attributes, holder))
    return replace(level, objects=tuple(objects))


def _several_meant(wanted: str, named: list[str]) -> Help | None:
    """`level: easy, hard`: several are drawn among, and those are all."""
    said = set(re.findall(r"\w+", wanted)) - {"random", "of", "or", "and"}
    return write("random", ": it draws among all maps") if said == set(named) and len(said) > 1 else None


def _chosen_drawings(spec: GridSpec, params: Mapping[str, Scalar], report: Report) -> list[Drawing]:
    """Return the maps that the environment can be reset to: those of the default level's size, that one first."""
    names = [drawing.name for drawing in spec.maps]
    wanted = params.get("level", spec.level)
    if wanted == "random" or wanted is None or not spec.maps:
        drawings = list(spec.maps)
        if wanted == "random":
            _check_sizes(drawings, report)
            return drawings
    elif wanted not in names:
        named = [name for name in names if name]
        help = _several_meant(str(wanted), named) or did_you_mean(str(wanted), [*named, "random"])
        report.add(
            "unknown-level",
            spec.place("level"),
            name=wanted,
            help=help or (f"maps: {listing(named, 'and')}" if named else "its maps have no names"),
        )
        return list(spec.maps[:1]) if report.lenient else []
    else:
        drawings = sorted(spec.maps, key=lambda drawing: drawing.name != wanted)  # stable: that one first
    size = _size(drawings[0]) if drawings else (0, 0)
    return [drawing for drawing in drawings if _size(drawing) == size]


def _size(drawing: Drawing) -> tuple[int, int]:
    """Return how many columns and rows of cells a map has; where edges are drawn too, they stand between the cells."""
    width, height = max(len(row) for row in drawing.rows), len(drawing.rows)
    return ((width - 1) // 2, (height - 1) // 2) if drawing.walled else (width, height)


def _called(drawing: Drawing) -> str:
    return f"the map `{drawing.name}`" if drawing.name else "the map without a name"


def _check_sizes(drawings: list[Drawing], report: Report) -> None:
    for drawing in drawings[1:]:
        if _size(drawing) != _size(drawings[0]):
            found, expected = ("{} x {}".format(*_size(d)) for d in (drawing, drawings[0]))
            report.add(
                "map-sizes",
                drawing.span,
                name=_called(drawing),
                found=found,
                first=_called(drawings[0]),
                expected=expected,
                labels=[Label(drawings[0].span, f"{expected} here")],
                help="name one with `level:`, or give all maps one size",
            )


def _read(
    drawing: Drawing, glyphs: dict[str, Letter], used: set[str], agent_missing: bool, report: Report
) -> Level | None:
    rows, spans, barriers = drawing.rows, drawing.spans, frozenset[tuple[int, int]]()
    if drawing.walled:
        unwalled = _unwall(drawing, report)
        if unwalled is None:
            return None
        rows, spans, barriers = unwalled
    blank = any(" " in row for row in rows) or any(not row for row in rows)
    if not blank and not is_even(rows, spans, report) and report.is_stuck:
        return None
    width, height = max(len(row) for row in rows), len(rows)
    if width == 0:
        report.add("empty-map", drawing.span, help="draw the rows below `map:`, indented")
        return None
    if width * height > MOST_CELLS:
        report.add(
            "too-many-cells", drawing.span, width=width, height=height, cells=width * height, most=MOST_CELLS
        )
        return None
    rows = tuple(row.ljust(width) for row in rows)
    level = _fill(drawing, rows, spans, barriers, glyphs, used, agent_missing, report)
    if level is None or drawing.over is None:
        return level
    return _covered(level, drawing, glyphs, used, agent_missing, report)


def _covered(
    level: Level,
    drawing: Drawing,
    glyphs: dict[str, Letter],
    used: set[str],
    agent_missing: bool,
    report: Report,
) -> Level | None:
    """Return a level with what another drawing lays on its ground: `.` and a blank there are nothing."""
    over = drawing.over
    assert over is not None
    above = _read(over, glyphs, used, agent_missing, report)
    if above is None:
        return None
    if above.size != level.size:
        found, expected = f"{above.width} x {above.height}", f"{level.width} x {level.height}"
        named, labels = (
            {"name": "`map objects`", "first": "`map ground`"},
            [Label(drawing.span, "the ground")],
        )
        help = "both are drawn cell by cell: what lies nowhere is `.` among the objects"
        report.add("map-sizes", over.span, found=found, expected=expected, labels=labels, help=help, **named)
        return None
    if over.name != OBJECTS:
        return _stacked(level, above, report)
    for layer, text, word in ((drawing, level.glyphs, "ground"), (over, above.glyphs, "objects")):
        for char in sorted(set(text)):
            thing, tile = glyphs[char].thing, glyphs[char].tile
            what = f"`{char}`, " + (f"the ground `{tile.name}`," if thing is None else f"`{thing.name}`,")
            help = f"draw it in `map {'objects' if word == 'ground' else 'ground'}:`"
            if word == "objects" and thing is not None and tile.name != "floor":
                what, help = (
                    f"`{char}`, `{thing.name} on {tile.name}`,",
                    f"`{tile.name}` is drawn in `map ground:`",
                )
            elif (thing is None) == (word == "ground") or (word == "objects" and char in ". "):
                continue
            row, column = divmod(text.index(char), level.width)
            unwalled = _unwall(layer, report) if layer.walled else None
            first = (unwalled[1] if unwalled is not None else layer.spans)[row]
            at = first.start + (2 * column + 1 if layer.walled else column)
            span = Span(first.source, at, at + 1)
            report.add("wrong-place", span, what=what, where=f"in `map {word}`", help=help)
    return replace(level, objects=above.objects, starts=above.starts, over=(above.glyphs,))


def _stacked(level: Level, above: Level, report: Report) -> Level | None:
    """Return a level with a layer of a level file on it: its ground covers, and its things come beside the others."""
    covered = above.tiles != 0  # floor
    patterns = [each for each in level.tile_patterns if not covered[each[0]]]
    objects = sorted(
        (*level.objects, *above.objects), key=lambda thing: thing.cell
    )  # stable: the lower first
    there: dict[tuple[int, str | None], Thing] = {}
    for other in objects:
        one = there.setdefault((other.cell, other.kind.layer), other)
        if one is not other:
            y, x = divmod(one.cell, level.width)
            names = (
                f"`{one.kind.name}` and `{other.kind.name}`"
                if one.kind is not other.kind
                else f"two `{one.kind.name}`"
            )
            reason = f"{names} lie in one cell, at ({x}, {y}) of `{level.name}`, and on one layer"
            help = f"let one lie on a layer of its own, `object {other.kind.name}: layer above`, or draw it elsewhere"
            report.add("unreadable", level.span, reason=reason, help=help)
            return None
    return replace(
        level,
        tiles=np.where(covered, above.tiles, level.tiles).astype(np.int32),
        objects=tuple(objects),
        starts=tuple(sorted((*level.starts, *above.starts), key=lambda thing: thing.cell)),
        tile_patterns=(*patterns, *above.tile_patterns),
        over=(above.glyphs, *above.over),
    )


def _fill(
    drawing: Drawing,
    rows: tuple[str, ...],
    spans: tuple[Span, ...],
    barriers: frozenset[tuple[int, int]],
    glyphs: dict[str, Letter],
    used: set[str],
    agent_missing: bool,
    report: Report,
) -> Level | None:
    width, height = len(rows[0]), len(rows)
    text = "".join(rows)
    chars = set(text)
    used.update(chars)
    told = unknown = chars - set(glyphs)
    if len(unknown) > 1 and (found := comment_in(rows)) is not None and not drawing.walled:
        y, x = found
        span = Span(spans[y].source, spans[y].start + x, spans[y].end)
        help = "`#` is wall in a map, and starts no comment: write it above `map:`"
        report.add("unknown-glyph", span, glyph=rows[y][x + 1 :].strip()[:20], help=help)
        told = set()
    for char in sorted(told):
        y, x = divmod(text.index(char), width)
        at = 2 * x + 1 if drawing.walled else x
        span = Span(spans[y].source, spans[y].start + at, spans[y].start + at + 1)
        help = (
            "a tab? draw with blanks"
            if char == "\t"
            else f"add it to the legend: `{quoted_sign(char)} = ...`"
        )
        if (other := char.swapcase()) != char and other in glyphs and other not in chars:
            help = f"the legend names `{other}`: write the same letter in both"
        elif agent_missing and char in AGENT_LETTERS and text.count(char) == 1:
            help = f"add it to the legend: `{char} = agent`, as nothing places the agent; `@` is one without a legend"
        elif other != char and other in glyphs:
            help += f"; `{other}` is another glyph"
        if char in "'\"" and all(row.strip()[:1] == char for row in rows):
            help = "the rows of a map stand without quotes and commas"
        report.add("unknown-glyph", span, glyph=char, help=help)
    if unknown and report.is_stuck:
        return None
    text = text.translate({ord(char): "." for char in unknown})
    chars = set(text)
    points = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    tiles = np.zeros(len(text), dtype=np.int32)
    patterns: list[tuple[int, Kind, dict[str, n.Expression]]] = []
    things: list[tuple[int, Letter]] = []
    for char in sorted(chars):
        glyph = glyphs[char]
        where = np.flatnonzero(points == ord(char))
        tiles[where] = glyph.tile.code
        if glyph.tile_attributes:
            patterns.extend((int(cell), glyph.tile, glyph.tile_attributes) for cell in where)
        if glyph.thing is not None:
            things.extend((int(cell), glyph) for cell in where)
    objects: list[Thing] = []
    starts: list[Thing] = []
    for cell, glyph in sorted(things, key=lambda item: item[0]):
        assert glyph.thing is not None
        thing = Thing(glyph.thing, cell, glyph.attributes)
        (starts if glyph.thing.category == "agent" else objects).append(thing)
    return Level(
        drawing.name,
        width,
        height,
        tiles,
        drawing.span,
        tuple(objects),
        tuple(starts),
        tuple(patterns),
        barriers,
        text,
    )


def _unwall(
    drawing: Drawing, report: Report
) -> tuple[tuple[str, ...], tuple[Span, ...], frozenset[tuple[int, int]]] | None:
    """Split a drawing with its border into rows of cells (with their places) and walls on edges.

    A row that starts with `+` holds the edges between the rows of cells around it; two rows of cells without one
    between them are open to each other.
    """
    wide = max(len(row) for row in drawing.rows)
    rows = [row.ljust(wide) for row in drawing.rows]
    border = rows[0].startswith("+") and rows[-1].startswith("+")
    if not border or wide % 2 == 0 or wide < 3 or all(row.startswith("+") for row in rows):
        reason = "the drawing needs its whole border: rows of edges, starting with `+`, around an odd number of columns"
        report.add("bad-walls", drawing.span, reason=reason)
        return None
    width = wide // 2
    barriers: set[tuple[int, int]] = set()
    cells, spans = list[str](), list[Span]()
    for index, row in enumerate(rows):
        span = drawing.spans[index]
        if row.startswith("+"):
            if index and rows[index - 1].startswith("+"):
                report.add("bad-walls", span, reason="between two rows of edges stands a row of cells")
                return None
            if cells and index < len(rows) - 1:
                first = (len(cells) - 1) * width
                barriers.update((first + x, 1) for x in range(width) if row[2 * x + 1] == "-")
            continue
        for column in range(0, wide, 2):
            if row[column] not in "|: ":
                here, head = (Span(span.source, span.start + at, span.start + at + 1) for at in (column, 0))
                help = write("+", ": a row of edges starts with it", head) if row[column] in "+-" else None
                report.add("bad-walls", here, reason="an edge between cells is `|`, `:` or blank", help=help)
                return None
            if row[column] == "|" and 0 < column < wide - 1:
                barriers.add((len(cells) * width + column // 2 - 1, 0))
        cells.append(row[1::2])
        spans.append(span)
    return tuple(cells), tuple(spans), frozenset(barriers)
