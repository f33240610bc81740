"""Statements of maps: what is drawn, what generates it, which level is played, what the glyphs mean."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.spec.models import (
    Drawing,
)
from griddsl.spec.statements.builder import NAME, Builder, items_of, only_item
from griddsl.syntax import nodes as n
from griddsl.syntax.document import Statement, unquote


def read_map(statement: Statement, builder: Builder) -> None:
    """``map:``, with a name or walls around it, and its rows below."""
    words = statement.head.text.split()
    walled = bool(words) and words[0] == "walled"
    name = " ".join(words[1:] if walled else words)
    if name.startswith('"'):
        name = unquote(name)
    elif name and not NAME.fullmatch(name):
        help = f'write `map "{name}":`'
        if {"ground", "objects"} & set(words):
            help = (
                "`map ground:` and `map objects:` are the layers of one level alone; where there are several, the "
                'legend says what stands on what: `"*" = box on target`'
            )
        builder.report.add(
            "syntax", statement.head.span(), found=f"`{name[:20]}`", expected="a name", help=help
        )
        return
    if statement.items.text:
        row = statement.items.span()
        said = "the rows of a map stand below it, indented"
        drawn = re.fullmatch(r"(?:empty|room|maze|rooms|caves)\s*\(.*\)", statement.items.text)
        sized = re.fullmatch(r"(\d+)\s*(?:x|by|,)\s*(\d+)", statement.items.text)
        mended = Help(said, (f"\n    {row.text}",), place=row)
        made = (
            drawn[0] if drawn is not None else f"empty({sized[1]}, {sized[2]})" if sized is not None else None
        )
        if made is not None and not statement.rows and not statement.head.text:
            place = statement.keyword_span.to(row)
            mended = write(f"generate: {made}", ": such maps are generated", place)
        builder.report.add(
            "syntax",
            row,
            found=f"`{statement.items.text[:20]}`",
            expected="the end of the line",
            help=said if row.source.is_toml else mended,
        )
        return
    if not statement.rows:
        builder.report.add("empty-map", statement.span, help="draw the rows below `map:`, indented")
        return
    drawing: Drawing | None = None
    height = len(statement.rows) // statement.layers
    for layer in range(statement.layers, 0, -1):
        fragments = statement.rows[(layer - 1) * height : layer * height]
        rows, spans = tuple(row.text for row in fragments), tuple(row.span() for row in fragments)
        drawing = Drawing(name or None, walled, rows, spans, statement.span, drawing)
    builder.append("maps", drawing)


def read_generate(statement: Statement, builder: Builder) -> None:
    """``generate: room(8, 8)``."""
    call = only_item(statement, "expression", builder)
    if call is None:
        return
    if not isinstance(call, n.Call | n.Name):
        help = None
        if isinstance(call, n.Pattern):
            values = ", ".join(value.span.text for _, value in call.arguments)
            help = write(f"{call.name}({values})", ": its arguments have no names", place=call.span)
        found, expected = f"`{call.span.text[:40]}`", "a generator such as `room(8, 8)`"
        builder.report.add("syntax", call.span, found=found, expected=expected, help=help)
        return
    builder.fields["generate"] = call


def read_level(statement: Statement, builder: Builder) -> None:
    """``level: random``, or the name of a map."""
    texts = statement.texts()
    if len(texts) != 1:
        builder.report.add(
            "missing-items", statement.span, what="level", help="write `level: random` or a map's name"
        )
        return
    builder.fields["level"] = unquote(texts[0].text)
    builder.places["level"] = texts[0].span()


def read_legend(statement: Statement, builder: Builder) -> None:
    """``legend: G = goal``."""
    for item in items_of(statement, "legend", builder):
        kind = getattr(item.kind, "name", "")
        if len(item.glyph) > 1 and len(kind) == 1 and NAME.fullmatch(item.glyph) and item.tile is None:
            turned = f"{kind} = {item.glyph}"
            help = write(turned, ": the glyph stands first")
            if item.span.source.is_toml:
                help = Help(f'write `{kind} = "{item.glyph}"`: the glyph stands first', ())
            builder.report.add("bad-glyph", item.span, glyph=f"`{item.glyph[:20]}`", help=help)
            continue
        builder.append("legend", item)
