"""The items of a statement as canonical texts, each with the comments that stand with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from griddsl.diagnostics import Report
from griddsl.source import Fragment
from griddsl.syntax import nodes as n
from griddsl.syntax.clauses import parse_clause, parse_effects
from griddsl.syntax.document import Line, Statement
from griddsl.syntax.keywords import STATEMENTS, leading_word
from griddsl.syntax.meanings import parse_meaning
from griddsl.syntax.printer import effects_to_text, to_text
from griddsl.syntax.printer.items import cells_text

# Statements with one item; the others have a list of them.
_SINGLE = ("expression", "variable", "limit", "told")
_HEADS = {"if": "if_head", "else": "else_if_head"}


@dataclass(frozen=True, slots=True)
class Row:
    """An item, or the head of a nested block with the rows of it; ``is_written`` where they were lines of their own."""

    text: str
    comment: str = ""
    above: tuple[str, ...] = ()
    is_head: bool = False
    rows: tuple[Row, ...] = ()
    below: tuple[str, ...] = ()
    effects: tuple[n.Effect, ...] = ()
    is_written: bool = False


def head_text(statement: Statement, report: Report) -> str:
    """Return keyword and head in canonical spelling."""
    form = STATEMENTS[statement.keyword]
    if form.head == "rule":
        head = parse_clause("rule", opening(statement), report)
        return to_text(head) if head is not None else opening(statement).text
    if form.head == "define" and statement.head.text:
        names = parse_clause("define_head", statement.head, report)
        if names is None:
            return opening(statement).text
        parameters = f"({', '.join(name.name for name in names[1:])})" if names[1:] else ""
        return f"define {names[0].name}{parameters}"
    if form.head == "slip" and statement.head.text:
        condition = parse_clause("slip_head", statement.head, report)
        return f"slip if {to_text(condition)}" if condition is not None else opening(statement).text
    if form.head == "look" and statement.head.text:
        kind = parse_clause("look_head", statement.head, report)
        return f"look {to_text(kind)}" if kind is not None else opening(statement).text
    return opening(statement).text


def opening(statement: Statement) -> Fragment:
    """Return keyword and head, joined by one blank, as one fragment."""
    keyword, head = statement.keyword_span, statement.head
    if not head.text:
        return Fragment(keyword.source, statement.keyword, keyword.start)
    origin = [*range(keyword.start, keyword.start + len(statement.keyword) + 1)]
    origin.extend(head.offset(index) for index in range(len(head.text) + 1))
    return Fragment(head.source, f"{statement.keyword} {head.text}", origin)


def rows_of(statement: Statement, report: Report) -> tuple[Row, ...]:
    """Return the items of a statement, those of its first line before those of its block."""
    kind = STATEMENTS[statement.keyword].items
    if kind == "meaning" and (statement.items.text or len(statement.block) > 1):
        kind = "block" if statement.block else kind
    first = _rows_of_text(statement.items, kind, report) if statement.items.text else ()
    return (*first, *_rows_of_block(statement.block, kind, report))


def one_line(rows: Sequence[Row]) -> str:
    """Return rows without blocks as one comma list."""
    texts: list[str] = []
    effects: list[n.Effect] = []
    for row in rows:
        if row.effects:
            effects.extend(row.effects)
            continue
        if effects:
            texts.append(effects_to_text(effects))
            effects = []
        texts.append(row.text)
    if effects:
        texts.append(effects_to_text(effects))
    return ", ".join(texts)


def is_plain(rows: Iterable[Row], below: Iterable[str]) -> bool:
    """Whether rows can stand on one line: no block, and no comment that would lose its place."""
    bare = all(not row.is_head and not row.comment and not any(row.above) for row in rows)
    return bare and not any(below)


def _rows_of_block(block: Iterable[Line], kind: str, report: Report) -> tuple[Row, ...]:
    rows: list[Row] = []
    for line in block:
        if line.is_head:
            rows.append(_head_row(line, kind, report))
            continue
        texts = _rows_of_text(line.text, kind, report)
        for index, row in enumerate(texts):
            rows.append(replace(row, above=line.above, comment=line.comment) if index == 0 else row)
    return tuple(rows)


def _head_row(line: Line, kind: str, report: Report) -> Row:
    inside = _rows_of_text(line.tail, kind, report) if line.tail is not None and line.tail.text else ()
    rows = (*inside, *_rows_of_block(line.block, kind, report))
    head = _block_head(line.text, report)
    written = not inside and len(line.block) > 1
    return Row(head, line.comment, line.above, True, rows, line.below, is_written=written)


def _block_head(text: Fragment, report: Report) -> str:
    word = leading_word(text.text)
    if text.text == "else":
        return "else"
    if word in {"retry", "repeat"}:
        head = parse_clause(f"{word}_head", text, report)
        node = n.Retry if word == "retry" else n.Repeat
        return (
            to_text(node(head[0], head[1], (), text.span())).removesuffix(":")
            if head is not None
            else text.text
        )
    if word == "each":
        head = parse_clause("each_head", text, report)
        if head is None:
            return text.text
        over, where, by, down = head
        return to_text(n.Each(over, where, by, down, (), text.span())).removesuffix(":")
    condition = parse_clause(_HEADS[word], text, report)
    if condition is None:
        return text.text
    return f"{'else if' if word == 'else' else 'if'} {to_text(condition)}"


def _rows_of_text(text: Fragment, kind: str, report: Report) -> tuple[Row, ...]:
    if kind in {"raw", "rows"}:
        return (Row(text.text),)
    if kind == "meaning":
        meaning = parse_meaning(text, report)
        if isinstance(meaning, tuple):
            return tuple(_effect_rows(text, report))
        return (Row(text.text if meaning is None else to_text(meaning)),)
    if kind == "block":
        return tuple(_effect_rows(text, report))
    parsed: Any = parse_clause(kind, text, report)
    if parsed is None:
        return (Row(text.text),)
    if kind == "limit":
        limit = to_text(parsed)
        return (Row(limit if limit == "none" else f"{limit} steps"),)
    if kind == "regions":
        return tuple(Row(cells_text(item)) for item in parsed)
    return (Row(to_text(parsed)),) if kind in _SINGLE else tuple(Row(to_text(item)) for item in parsed)


def _effect_rows(text: Fragment, report: Report) -> Iterable[Row]:
    """Return a row for each effect; the `choose` effects that stand together share one."""
    before = len(report.diagnostics)
    effects = parse_effects(text, report)
    if not effects or len(report.diagnostics) > before:
        return [Row(text.text)]
    groups: list[list[n.Effect]] = []
    for effect in effects:
        if groups and isinstance(effect, n.Choose) and isinstance(groups[-1][-1], n.Choose):
            groups[-1].append(effect)
        else:
            groups.append([effect])
    return [Row(effects_to_text(group), effects=tuple(group)) for group in groups]
