"""Outline: the statements of a spec as symbols, and the blocks that can be folded."""

from __future__ import annotations

from lsprotocol import types as lsp

from griddsl.editor.text import SpecText
from griddsl.syntax.document import Statement
from griddsl.syntax.keywords import STATEMENTS

_SYMBOLS = {
    "env": lsp.SymbolKind.Module,
    "use": lsp.SymbolKind.Package,
    "param": lsp.SymbolKind.Constant,
    "map": lsp.SymbolKind.Array,
    "maps": lsp.SymbolKind.Array,
    "import": lsp.SymbolKind.Array,
    "generate": lsp.SymbolKind.Array,
    "legend": lsp.SymbolKind.Enum,
    "tile": lsp.SymbolKind.Class,
    "object": lsp.SymbolKind.Class,
    "agent": lsp.SymbolKind.Class,
    "agents": lsp.SymbolKind.Class,
    "var": lsp.SymbolKind.Variable,
    "region": lsp.SymbolKind.Namespace,
    "once": lsp.SymbolKind.Constructor,
    "setup": lsp.SymbolKind.Constructor,
    "actions": lsp.SymbolKind.Enum,
    "observe": lsp.SymbolKind.Interface,
    "info": lsp.SymbolKind.Interface,
    **dict.fromkeys((word for word, form in STATEMENTS.items() if form.head == "rule"), lsp.SymbolKind.Event),
}
_INSIDE = {
    "new attribute": lsp.SymbolKind.Field,
    "new action": lsp.SymbolKind.Method,
    "entry": lsp.SymbolKind.Property,
    "glyph": lsp.SymbolKind.EnumMember,
}


def symbols(spec: SpecText) -> list[lsp.DocumentSymbol]:
    """Return a symbol a statement, with what it declares inside."""
    found = [
        _symbol(spec, each) for each in spec.document.statements if each.keyword_span.source is spec.source
    ]
    return sorted(found, key=lambda each: (each.range.start.line, each.range.start.character))


def _symbol(spec: SpecText, statement: Statement) -> lsp.DocumentSymbol:
    start, end = statement.keyword_span.start, spec.last_offset(statement)
    head = " ".join(statement.head.text.split())
    is_rule = STATEMENTS[statement.keyword].head == "rule"
    name = head if head and not is_rule else f"{statement.keyword} {head}".strip()
    if statement.keyword == "env" and statement.items.text:
        name = statement.items.text
    inside = [
        lsp.DocumentSymbol(word.text, kind, spec.range_of(word.span), spec.range_of(word.span))
        for word in spec.words
        if start <= word.span.start < end and (kind := _INSIDE.get(word.part)) is not None
    ]
    selection = statement.head.span() if head and not is_rule else statement.keyword_span
    if not (start <= selection.start and selection.end <= end):  # in TOML a name may stand before its keyword
        start, end = min(start, selection.start), max(end, selection.end)
    kind = _SYMBOLS.get(statement.keyword, lsp.SymbolKind.Property)
    return lsp.DocumentSymbol(
        name, kind, spec.range(start, end), spec.range_of(selection), statement.keyword, children=inside
    )


def folds(spec: SpecText) -> list[lsp.FoldingRange]:
    """Return the blocks below statements and heads, and runs of comments, as lines from 0."""
    rows = spec.source.text.split("\n")
    found = []
    open_blocks: list[tuple[int, int]] = []
    last = -1  # the last line with text
    comment = None
    for number, row in enumerate([*rows, "end"]):
        text = row.strip()
        if text.startswith("#") and row[:1] == "#":
            comment = number if comment is None else comment
            continue
        if comment is not None and number - 1 > comment:
            found.append(lsp.FoldingRange(comment, number - 1, kind=lsp.FoldingRangeKind.Comment))
        comment = None
        if not text:
            continue
        indent = len(row) - len(row.lstrip())
        while open_blocks and open_blocks[-1][0] >= indent:
            start = open_blocks.pop()[1]
            if last > start:
                found.append(lsp.FoldingRange(start, last, kind=lsp.FoldingRangeKind.Region))
        open_blocks.append((indent, number))
        last = number
    return sorted(found, key=lambda each: (each.start_line, each.end_line))
