"""What a document says: its statements as nodes, without any position, comment or layout."""

from __future__ import annotations

from typing import Any

from griddsl.diagnostics import Report, to_text
from griddsl.source import Source
from griddsl.syntax.clauses import parse_clause, parse_effects
from griddsl.syntax.document import Document, Line, Statement
from griddsl.syntax.formatting.items import opening
from griddsl.syntax.keywords import STATEMENTS
from griddsl.syntax.meanings import parse_meaning
from griddsl.syntax.reader import read_document

Meaning = tuple[Any, ...]


def document(text: str, name: str = "case.grid") -> Document:
    """Read a text that has no mistake."""
    report = Report()
    read = read_document(Source(name, text), report)
    assert not report.has_errors, f"{text}\n{to_text(report)}"
    return read


def meaning(read: Document) -> list[Meaning]:
    """Return the statements as nodes; a clause that does not parse fails the test."""
    report = Report()
    found = [_statement(statement, report) for statement in read.statements]
    assert not report.has_errors, to_text(report)
    return found


def _statement(statement: Statement, report: Report) -> Meaning:
    form = STATEMENTS[statement.keyword]
    head: Any = statement.head.text
    if form.head == "rule":
        head = parse_clause("rule", opening(statement), report)
    elif form.head == "define":
        head = parse_clause("define_head", statement.head, report)
    elif form.head == "slip" and head:
        head = parse_clause("slip_head", statement.head, report)
    elif head.startswith('"'):
        head = head.strip('"')
    rows = tuple(row.text for row in statement.rows)
    return (
        statement.keyword,
        head,
        rows,
        *_items(statement.items.text, statement, statement.block, form.items, report),
    )


def _items(first: str, statement: Any, block: tuple[Line, ...], kind: str, report: Report) -> Meaning:
    items = list(_parsed(statement.items, kind, report)) if first else []
    return (*items, *_block(block, kind, report))


def _block(block: tuple[Line, ...], kind: str, report: Report) -> list[Any]:
    items: list[Any] = []
    for line in block:
        if line.tail is None:
            items.extend(_parsed(line.text, kind, report))
            continue
        word = line.text.text.split()[0]
        if line.text.text.split() == ["else"]:
            test = "else"
        else:
            start = {"if": "if_head", "else": "else_if_head", "retry": "retry_head", "each": "each_head"}[
                word
            ]
            test = parse_clause(start, line.text, report)
        tail = list(_parsed(line.tail, kind, report)) if line.tail.text else []
        items.append((word, test, *tail, *_block(line.block, kind, report)))
    return items


def _parsed(text: Any, kind: str, report: Report) -> tuple[Any, ...]:
    if kind in {"raw", "rows"}:
        return (text.text,)
    if kind == "block":
        return parse_effects(text, report)
    if kind == "meaning":
        meant = parse_meaning(text, report)
        return meant if isinstance(meant, tuple) else (meant,)
    parsed = parse_clause(kind, text, report)
    return parsed if isinstance(parsed, tuple) else (parsed,)
