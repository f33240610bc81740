"""Levels: the drawings of a spec as arrays of tiles, objects and agents."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from griddsl.diagnostics import Help, Label, Report, did_you_mean, listing, write
from griddsl.lowering.world.kinds import BUILT_IN, Kind
from griddsl.lowering.world.maps.edges import rows_of
from griddsl.lowering.world.maps.filling import Legend, filled
from griddsl.lowering.world.maps.letters import read_legend
from griddsl.lowering.world.maps.level import MOST_CELLS, Level, Thing
from griddsl.lowering.world.maps.rows import is_even
from griddsl.source import Span
from griddsl.spec.layered import OBJECTS
from griddsl.spec.models import Drawing, GridSpec
from griddsl.spec.reckoned import Scalar
from griddsl.syntax import nodes as n


def read_levels(
    spec: GridSpec, kinds: dict[str, Kind], params: Mapping[str, Scalar], report: Report
) -> list[Level]:
    """Return the levels that are drawn; those of one environment have one size."""
    drawn = {item.kind.name for item in spec.legend} | {item.tile.name for item in spec.legend if item.tile}
    undrawn = [kind.name for kind in spec.kinds if kind.category != "agent" and kind.name not in drawn]
    legend = Legend(read_legend(spec, kinds, report), _no_agent(spec), report, undrawn=tuple(undrawn))
    chosen = _chosen_drawings(spec, params, report)
    levels = [level for drawing in chosen if (level := _read(drawing, legend)) is not None]
    # Where an error was reported of a map, it may be read in another size than it was taken for.
    levels = [_with_contents(each, kinds) for each in levels if each.size == levels[0].size]
    for drawing in spec.maps:
        legend.used.update(char for row in drawing.all_rows for char in row)
    if spec.maps and not report.is_stuck:
        for item in spec.legend:
            if item.glyph not in legend.used and not _is_one_of_several(item, spec):
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


def _read(drawing: Drawing, legend: Legend) -> Level | None:
    report, rows = legend.report, rows_of(drawing, legend.report)
    if rows is None:
        return None
    is_blank = any(" " in row or not row for row in rows.texts)
    if not is_blank and not is_even(rows.texts, rows.spans, report) and report.is_stuck:
        return None
    width, height = max(len(row) for row in rows.texts), len(rows.texts)
    if width == 0:
        report.add("empty-map", drawing.span, help="draw the rows below `map:`, indented")
        return None
    if width * height > MOST_CELLS:
        report.add(
            "too-many-cells", drawing.span, width=width, height=height, cells=width * height, most=MOST_CELLS
        )
        return None
    level = filled(drawing, rows._replace(texts=tuple(row.ljust(width) for row in rows.texts)), legend)
    if level is None or drawing.over is None:
        return level
    return _covered(level, drawing, drawing.over, legend)


def _covered(level: Level, drawing: Drawing, over: Drawing, legend: Legend) -> Level | None:
    """Return a level with what another drawing lays on its ground: `.` and a blank there are nothing."""
    above = _read(over, legend)
    if above is None:
        return None
    if above.size != level.size:
        legend.report.add(
            "map-sizes",
            over.span,
            name="`map objects`",
            first="`map ground`",
            found=f"{above.width} x {above.height}",
            expected=f"{level.width} x {level.height}",
            labels=[Label(drawing.span, "the ground")],
            help="both are drawn cell by cell: what lies nowhere is `.` among the objects",
        )
        return None
    if over.name != OBJECTS:
        return _stacked(level, above, legend.report)
    _check_layer(drawing, level, "ground", legend)
    _check_layer(over, above, "objects", legend)
    return replace(level, objects=above.objects, starts=above.starts, over=(above.glyphs,))


def _check_layer(layer: Drawing, level: Level, word: str, legend: Legend) -> None:
    """Report what is drawn in `map ground:` and is no ground, and ground that is drawn in `map objects:`."""
    for char in sorted(set(level.glyphs)):
        thing, tile = legend.letters[char].thing, legend.letters[char].tile
        what = f"`{char}`, " + (f"the ground `{tile.name}`," if thing is None else f"`{thing.name}`,")
        help = f"draw it in `map {'objects' if word == 'ground' else 'ground'}:`"
        if word == "objects" and thing is not None and tile.name != "floor":
            what = f"`{char}`, `{thing.name} on {tile.name}`,"
            help = f"`{tile.name}` is drawn in `map ground:`"
        elif (thing is None) == (word == "ground") or (word == "objects" and char in ". "):
            continue
        row, column = divmod(level.glyphs.index(char), level.width)
        rows = rows_of(layer, legend.report)
        first = (layer.spans if rows is None else rows.spans)[row]
        at = first.start + (2 * column + 1 if layer.walled else column)
        span = Span(first.source, at, at + 1)
        legend.report.add("wrong-place", span, what=what, where=f"in `map {word}`", help=help)


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
