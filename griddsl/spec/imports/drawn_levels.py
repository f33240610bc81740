"""Levels drawn in Tiled or LDtk: what stands in each cell, by name, and the glyphs of the legend for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from griddsl.diagnostics import Report
from griddsl.source import Fragment, Source, Span, visible
from griddsl.spec.imports.level_files import MOST_LAYERS, BadLevelFile, DrawnLevel, drawn_in
from griddsl.syntax.document import Statement, unquote

MOST_SHOWN = 60  # letters of a name that is told
FLOOR = "floor"
EMPTY = "."
_ENTRY = re.compile(r'("(?:\\.|[^"\\])*"|[^\s,=])\s*=\s*((?:\([^()]*\)|[^,()])+)')
_PATTERN = re.compile(r"(\w+)\s*(?:\(([^()]*)\))?\Z")


def drawn_maps(
    file: Source,
    legends: Iterable[Statement],
    place: Span,
    stem: str,
    report: Report,
    others: Mapping[str, Source],
) -> Iterator[Statement]:
    """Yield a ``map`` statement for each level of a file; ``others`` are the files that it may name, by their paths.

    What cannot be read, and a thing that no glyph of the legend stands for, is in the report.
    """
    glyphs = _glyphs(legends)
    try:
        levels = drawn_in(file, others)
    except BadLevelFile as error:
        report.add("unreadable", _line(file, error.line), reason=visible(error.reason), help=error.help)
        return
    for number, level in enumerate(levels):
        layers = _layers(level, glyphs, file, report)
        if layers is None:
            continue
        rows = [row for layer in layers for row in layer]
        text = Source(f"{file.name} as a map", "\n".join(rows))
        whole, start, fragments = text.whole(), 0, []
        for row in rows:
            fragments.append(whole.slice(start, start + len(row)))
            start += len(row) + 1
        title = re.sub(r"[^\w -]", "_", level.title)[:MOST_SHOWN] or str(number)
        name = f'"{stem} {title}"' if len(levels) > 1 else f'"{stem}"'
        head = Fragment(text, name, 0)
        yield Statement("map", place, head, whole.slice(0, 0), (), tuple(fragments), layers=len(layers))


def _line(file: Source, number: int) -> Span:
    """Return the place of a line of a file; its start where none is known."""
    if not number:
        return file.whole().span(0, 0)
    start = 0
    for _ in range(number - 1):
        end = file.text.find("\n", start)
        if end < 0:
            break
        start = end + 1
    line = file.line(file.position(start)[0])
    return file.whole().span(start, start + min(len(line), 200))


def _layers(
    level: DrawnLevel, glyphs: Mapping[tuple[str, ...], str], file: Source, report: Report
) -> list[list[str]] | None:
    """Return a level as layers of rows of glyphs, the lowest first; None, with a diagnostic, where one is missing.

    What a glyph stands for together, as `box on target`, is one glyph; else each thing of a cell has a layer more.
    """
    cells: list[str] = []
    for at, stack in enumerate(level.cells):
        names = tuple(name for name in stack if _plain(name) != FLOOR)
        together = _glyph(names, glyphs)
        each = [_glyph((name,), glyphs) for name in names] if together is None else [together]
        missing = [name for name, glyph in zip(names, each, strict=False) if glyph is None]
        if missing or len(each) > MOST_LAYERS:
            y, x = divmod(at, level.width)
            where = f"which `{visible(level.title[:MOST_SHOWN])}` has at ({x}, {y})"
            what = visible(missing[0][:MOST_SHOWN]) if missing else ""
            reason = f"no glyph of the legend stands for `{what}`, {where}"
            help = f"write `legend: X = {what}` with a free letter, or name the tile by a kind of the legend"
            if not missing:
                reason, help = (
                    f"{len(each)} things in one cell, at ({x}, {y})",
                    f"put at most {MOST_LAYERS} there",
                )
            report.add("unreadable", _line(file, level.line), reason=reason, help=help)
            return None
        cells.append("".join(glyph for glyph in each if glyph))
    depth = max((len(stack) for stack in cells), default=1)
    return [
        ["".join(stack[layer : layer + 1] or EMPTY for stack in cells[start : start + level.width])
         for start in range(0, len(cells), level.width)]
        for layer in range(depth)
    ]  # fmt: skip


def _glyph(names: tuple[str, ...], glyphs: Mapping[tuple[str, ...], str]) -> str | None:
    if not names:
        return EMPTY
    if len(names) == 1 and len(names[0]) == 1 and names[0].isprintable() and names[0] != " ":
        return names[0]  # a tile that is named by its glyph
    return glyphs.get(tuple(_plain(name) for name in names))


def _plain(name: str) -> str:
    """Return a name as it is compared: letters of one case, without blanks and quotes."""
    return re.sub(r"[\s\"']+", "", name).casefold()


def _glyphs(legends: Iterable[Statement]) -> dict[tuple[str, ...], str]:
    """Return the glyph for each name of the legend, ``(lower, upper)`` for ``upper on lower``."""
    found: dict[tuple[str, ...], str] = {(FLOOR,): ".", ("empty",): ".", ("wall",): "#", ("agent",): "@"}
    kinds: dict[str, set[str]] = {}
    for statement in legends:
        for text in statement.texts():
            for glyph, meant in _ENTRY.findall(text.text):
                sign = unquote(glyph) if glyph.startswith('"') else glyph
                upper, _, lower = meant.strip().partition(" on ")
                for name in _names(upper):
                    for below in _names(lower) if lower else ("",):
                        found.setdefault((below, name) if below else (name,), sign)
                pattern = _PATTERN.match(upper.strip())
                if pattern and not lower:
                    kinds.setdefault(_plain(pattern[1]), set()).add(sign)
    for kind, signs in kinds.items():
        if len(signs) == 1:
            found.setdefault((kind,), next(iter(signs)))
    return found


def _names(text: str) -> list[str]:
    """Return how a tile may name what an entry means: ``key(color=red)`` as it stands, and as ``red_key``."""
    names = [_plain(text)]
    pattern = _PATTERN.match(text.strip())
    if pattern and pattern[2]:
        values = [_plain(part.rpartition("=")[2]) for part in pattern[2].split(",")]
        names.append("_".join([*values, _plain(pattern[1])]))
    return names
