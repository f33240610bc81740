"""What the readers of statements share: where they put what they find, and how the items of a statement are read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from griddsl.diagnostics import Help, Report
from griddsl.source import Fragment, Span
from griddsl.spec.statements.mission_texts import without_prefix
from griddsl.syntax.clauses import LONGEST_CLAUSE, parse_clause
from griddsl.syntax.document import Line, Statement, unquote
from griddsl.syntax.keywords import STATEMENTS

ID = re.compile(r"([A-Za-z0-9_-]+/)?[A-Za-z0-9_-]+-v[0-9]+")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TEXT = r'"(?:\\.|[^"\\\n])*"'
_QUOTES = "['\"\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb]"
EXAMPLES = {
    "limit": "100 steps",
    "observe": "cell",
    "actions": "up, right, down, left",
    "legend": "G = goal",
    "agents": "red, blue",
    "var": "0 in 0..9",
    "param": "0.5 in 0..1",
    "region": "(0..3, 0..3)",
    "variant": "size = 8",
    "sticky": "0.25",
    "slip": "0.1 left, 0.1 right",
    "allow": "agent on goal",
    "generate": "room(8, 8)",
    "info": "d = distance(agent, goal)",
    "score": "count(coin)",
    "look": "color red",
}


@dataclass(slots=True)
class Builder:
    """What was read so far: fields and lists of the model to come, and where each statement stands."""

    report: Report
    folder: Path | None
    fields: dict[str, Any] = field(default_factory=dict)
    lists: dict[str, list[Any]] = field(default_factory=dict)
    places: dict[str, Span] = field(default_factory=dict)
    seen: dict[tuple[str, str], Span] = field(default_factory=dict)

    def append(self, name: str, value: object) -> None:
        """Add to a field that several statements give."""
        self.lists.setdefault(name, []).append(value)


def id_like(text: str) -> str:
    """Return an id that is nearly what was written."""
    namespace, _, name = text.rpartition("/")
    clean = re.sub(r"[^A-Za-z0-9_-]", "", name) or "MyWorld"
    clean = f"MyWorld{clean}" if re.match(r"-v[0-9]+$", clean) else clean
    prefix = re.sub(r"[^A-Za-z0-9_-]", "", namespace) or "mine"
    return f"{prefix}/{clean}" if re.search(r"-v[0-9]+$", clean) else f"{prefix}/{clean}-v0"


def text_of(fragment: Fragment, report: Report) -> str:
    """Read a quoted text, or several joined by commas."""
    if len(fragment.text) > LONGEST_CLAUSE:
        report.add("too-long", fragment.span(0, 1), length=len(fragment.text), most=LONGEST_CLAUSE)
        return ""
    fragment = without_prefix(fragment, report)
    if not re.fullmatch(r'"(\\.|[^"\\\n])*"', fragment.text):
        if fragment.text.startswith('"') and fragment.text.count('"') == 1:
            report.add("open-text", fragment.span(), help='close it with `"`')
        else:
            help: str = 'texts stand in double quotes: "..."'
            inside = re.fullmatch(rf"[fFrRbBuU]?{_QUOTES}([^\"\\\\]*){_QUOTES}", fragment.text)
            if inside is not None and not fragment.source.is_toml:
                help = Help(help, (f'"{inside[1]}"',))
            elif fragment.text.startswith('"""'):
                help = "a text has one quote at each end, and ends on its line; those of lines below are joined to it"
            elif '"' not in fragment.text and not fragment.source.is_toml:
                help = Help(help, (f'"{fragment.text}"',))
            elif re.fullmatch(rf"{_TEXT}(\s*,\s*{_TEXT})+", fragment.text):
                help = "one text stands in a line: others on lines of their own below, which are joined"
            elif re.fullmatch(rf"{_TEXT}(\s*\|\s*{_TEXT})+", fragment.text):
                chosen = f'`choose words in {fragment.text[:60]}` in `setup:`, and `"{{words}}"` here'
                help = f'one of several is drawn: {chosen}; `"a" if C else "b"` says it by what holds'
            found = f"`{fragment.text[:20]}`"
            report.add("syntax", fragment.span(), found=found, expected="a quoted text", help=help)
        return ""
    return unquote(fragment.text)


def items_of(statement: Statement, start: str, builder: Builder) -> tuple[Any, ...]:
    """Parse the items of a statement, in its line and below it."""
    found: list[Any] = []
    for text in (statement.items, *(line.text for line in statement.block if not line.is_head)):
        if text.text:
            found.extend(parse_clause(start, text, builder.report) or ())
    if not statement.texts() and STATEMENTS[statement.keyword].items not in {"properties", "block", "rows"}:
        _report_empty(statement, builder)
    help = "an entry has a value in every step: `A if C else B`" if start == "observations" else None
    _refuse_nested(statement.block, builder, help)
    return tuple(found)


def _refuse_nested(block: Iterable[Line], builder: Builder, help: str | None = None) -> None:
    for line in block:
        if line.is_head:
            builder.report.add(
                "wrong-place",
                line.text.span(),
                what="an `if`",
                where="here: blocks belong to rules and setup",
                help=help,
            )


def _report_empty(statement: Statement, builder: Builder) -> None:
    title = title_of(statement)
    example = EXAMPLES.get(statement.keyword)
    help = f"for example `{title}: {example}`" if example else None
    if statement.keyword == "legend" and statement.comment.lstrip("# ").startswith("="):
        help = "`#` begins a comment; in a map it is a wall by itself, so that no legend names it"
    builder.report.add("missing-items", statement.span, what=title, help=help)


def title_of(statement: Statement) -> str:
    """Return a statement as a message names it: its keyword and its head."""
    return f"{statement.keyword} {statement.head.text}".strip()


def only_item(statement: Statement, start: str, builder: Builder) -> Any:
    """Parse the only item of a statement."""
    texts = statement.texts()
    if not texts:
        _report_empty(statement, builder)
        return None
    for extra in texts[1:]:
        builder.report.add("syntax", extra.span(), found="a second item", expected="one item")
    _refuse_nested(statement.block, builder)
    return parse_clause(start, texts[0], builder.report)
