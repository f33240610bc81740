"""Convert: a document as ``.grid`` or as TOML text, whichever of the two it came from, and its canonical layout."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from griddsl.diagnostics import Report
from griddsl.syntax.document import Document, Statement, unquote
from griddsl.syntax.formatting.formatter import WIDTH, block_text, format_document, grid_text
from griddsl.syntax.formatting.items import Row, head_text, rows_of
from griddsl.syntax.keywords import RULE_WORDS, STATEMENTS
from griddsl.syntax.toml.values import ALTERNATIVES, QUOTED, is_text

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_LITERAL = re.compile(r"true|false|-?(0|[1-9][0-9]{0,15})(\.[0-9]{1,16})?")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}


def to_grid(document: Document) -> str:
    """Return the canonical ``.grid`` text of a document; clauses with errors stay as they are."""
    return grid_text(document, Report())


def laid_out(document: Document, report: Report) -> str:
    """Return the canonical text of a document in the format that it has; its own text where clauses have errors."""
    if not document.source.is_toml:
        return format_document(document, report)
    grid_text(document, report)  # for the errors in its clauses
    return document.source.text if report.has_errors else to_toml(document)


def to_toml(document: Document) -> str:
    """Return the TOML text of a document: its statements in their order, then its rules."""
    report = Report()
    plain = [statement for statement in document.statements if statement.keyword not in RULE_WORDS]
    rules = [statement for statement in document.statements if statement.keyword in RULE_WORDS]
    entries = _merged(_entries(plain, report))
    first_table = _first_table(entries)
    lines: list[str] = []
    for entry in entries[:first_table]:
        lines.extend(_entry(entry, entry.path))
    table = None
    for entry in entries[first_table:]:
        if entry.path[0] != table:
            table = entry.path[0]
            lines.extend(["", f"[{_key(table)}]"])
        lines.extend(
            _entry(replace(entry, above=tuple(note for note in entry.above if note)), entry.path[1:])
        )
    for rule in rules:
        lines.extend(_rule(rule, report))
    lines.extend(document.below)
    return "".join(f"{line}\n" for line in _single_blanks(lines))


@dataclass(frozen=True, slots=True)
class _Entry:
    """A key and the rows of its value; ``drawing`` where it is a map, ``is_legend`` where it is a table."""

    path: tuple[str, ...]
    rows: tuple[Row, ...]
    comment: str = ""
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    drawing: tuple[str, ...] | None = None


# Entries


def _entries(statements: Sequence[Statement], report: Report) -> Iterator[_Entry]:
    named = {statement.keyword for statement in statements if statement.head.text}
    for statement in statements:
        path = _path(statement, named, report)
        rows = tuple(_as_toml_text(row, statement.keyword) for row in rows_of(statement, report))
        if statement.keyword == "env":
            yield from _env(statement, rows)
        elif STATEMENTS[statement.keyword].items == "rows":
            drawing = tuple(row.text for row in statement.rows)
            yield _Entry(path, (), statement.comment, statement.above, (), drawing)
        else:
            yield _Entry(path, rows, statement.comment, statement.above, statement.below)


def _path(statement: Statement, named: set[str], report: Report) -> tuple[str, ...]:
    head = head_text(statement, report)[len(statement.keyword) :].strip()
    if not head:
        return (statement.keyword, "") if statement.keyword in named else (statement.keyword,)
    if QUOTED.fullmatch(head) and unquote(head).split(None, 1)[:1] != ["walled"]:
        head = unquote(head)
    return (statement.keyword, head)


def _as_toml_text(row: Row, keyword: str) -> Row:
    """Return a row without the quotes that a TOML string makes superfluous."""
    if not QUOTED.fullmatch(row.text):
        is_call = keyword == "mission" and not ALTERNATIVES.fullmatch(row.text)
        return replace(row, text=f"{{{row.text}}}") if is_call else row
    bare = unquote(row.text)
    return replace(row, text=bare) if is_text(keyword, bare) else row


def _env(statement: Statement, rows: Sequence[Row]) -> Iterator[_Entry]:
    ids = tuple(row for row in rows if not row.text.startswith('"'))
    descriptions = [row for row in rows if row.text.startswith('"')]
    yield _Entry(("env",), ids, statement.comment, statement.above)
    if descriptions:
        above = tuple(note for row in descriptions for note in row.above if note)
        text = " ".join(unquote(row.text) for row in descriptions)
        comments = [row.comment for row in descriptions if row.comment]
        notes = (*above, *comments[1:], *(note for note in statement.below if note))
        yield _Entry(("description",), (Row(text),), comments[0] if comments else "", notes)


def _merged(entries: Iterable[_Entry]) -> list[_Entry]:
    """Join the entries of one key, as several `use`, `legend`, `info` or `slip` statements give them."""
    found: dict[tuple[str, ...], _Entry] = {}
    for entry in entries:
        first = found.get(entry.path)
        if first is None:
            found[entry.path] = entry
        elif STATEMENTS.get(entry.path[0]) is not None and STATEMENTS[entry.path[0]].many:
            found[entry.path] = _with_more(first, entry)
    return list(found.values())


def _with_more(first: _Entry, more: _Entry) -> _Entry:
    added = list(more.rows)
    notes = tuple(note for note in (*first.below, *more.above) if note)
    if added:
        comment = added[0].comment or more.comment
        added[0] = replace(added[0], above=(*notes, *added[0].above), comment=comment)
    return replace(first, rows=(*first.rows, *added), below=more.below)


def _first_table(entries: Sequence[_Entry]) -> int:
    """Return from where on all entries have names and each keyword's stand together: these become tables."""
    first_of: dict[str, int] = {}
    for index, entry in enumerate(entries):
        first_of.setdefault(entry.path[0], index)
    at = len(entries)
    while at:
        start = at - 1
        while start and entries[start - 1].path[0] == entries[at - 1].path[0]:
            start -= 1
        run = entries[start:at]
        if first_of[run[0].path[0]] != start or any(len(entry.path) < 2 for entry in run):
            return at
        at = start
    return at


# Lines


def _entry(entry: _Entry, path: Sequence[str]) -> Iterator[str]:
    yield from entry.above
    key = ".".join(_key(part) for part in path)
    if entry.drawing is not None:
        yield from _drawing(key, entry)
    elif entry.path == ("legend",):
        yield from _legend(entry)
    else:
        texts = entry.path[0] == "description"
        yield from _commented(_value(key, entry.rows, entry.below, as_text=texts), entry.comment)


def _commented(lines: list[str], comment: str) -> Iterator[str]:
    """Put a statement's comment behind its value, or above it where the value has several lines."""
    if comment and len(lines) > 1:
        yield comment
        yield from lines
    else:
        yield from (f"{line}  {comment}" if comment else line for line in lines)


def _drawing(key: str, entry: _Entry) -> Iterator[str]:
    rows = "\n".join(entry.drawing or ())
    if entry.comment:
        yield entry.comment
    if "'''" in rows:
        rows = rows.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
        yield f'{key} = """\n{rows}\n"""'
    else:
        yield f"{key} = '''\n{rows}\n'''"


def _legend(entry: _Entry) -> Iterator[str]:
    pairs = [_pair(row.text) for row in entry.rows]
    notes = any(row.comment or any(row.above) for row in entry.rows) or any(entry.below)
    line = f"legend = {{ {', '.join(f'{key} = {value}' for key, value in pairs)} }}"
    if not notes and len(line) <= WIDTH and len({key for key, _ in pairs}) == len(pairs):
        yield f"{line}  {entry.comment}" if entry.comment else line
        return
    if entry.comment:
        yield entry.comment
    given: set[str] = set()
    for row, (key, value) in zip(entry.rows, pairs, strict=True):
        yield from (note for note in row.above if note)
        if key not in given:
            yield f"legend.{key} = {value}" + (f"  {row.comment}" if row.comment else "")
        given.add(key)
    yield from (note for note in entry.below if note)


def _pair(text: str) -> tuple[str, str]:
    """Split ``C = cliff`` into key and value, the glyph out of its quotes."""
    match = re.match(r'("(?:\\.|[^"\\])*"|[^=]*?)\s*=\s*(.*)', text, re.DOTALL)
    glyph, kind = match.groups() if match else (text, "")
    return _key(unquote(glyph)), _string(kind)


def _rule(statement: Statement, report: Report) -> Iterator[str]:
    yield ""
    yield from (note for note in statement.above if note)
    yield "[[rules]]"
    when = f"when = {_string(head_text(statement, report))}"
    yield f"{when}  {statement.comment}" if statement.comment else when
    yield from _value("do", rows_of(statement, report), statement.below)


def _value(key: str, rows: Sequence[Row], below: Sequence[str], as_text: bool = False) -> list[str]:
    """Return the lines of ``key = value``: a literal or string, an array, or a string of several lines."""
    if any(row.is_head for row in rows):
        return _lines_value(key, block_text(rows, below))
    notes = any(row.comment or any(row.above) for row in rows) or any(below)
    if len(rows) == 1 and not notes:
        text = rows[0].text
        return [f"{key} = {text if _LITERAL.fullmatch(text) and not as_text else _string(text)}"]
    strings = [_string(row.text) for row in rows]
    line = f"{key} = [{', '.join(strings)}]"
    if not notes and len(line) <= WIDTH:
        return [line]
    lines = [f"{key} = ["]
    for row, string in zip(rows, strings, strict=True):
        lines.extend(f"    {note}" for note in row.above if note)
        lines.append(f"    {string}," + (f"  {row.comment}" if row.comment else ""))
    lines.extend(f"    {note}" for note in below if note)
    return [*lines, "]"]


def _lines_value(key: str, lines: Sequence[str]) -> list[str]:
    if any("'''" in line for line in lines):
        escaped = [line.replace("\\", "\\\\").replace('"', '\\"') for line in lines]
        return ["\n".join([f'{key} = """', *escaped, '"""'])]
    return ["\n".join([f"{key} = '''", *lines, "'''"])]


def _string(text: str) -> str:
    """Return a TOML string of one line, with escapes only where it needs them."""
    if not any(char in _ESCAPES for char in text):
        return f'"{text}"'
    if not re.search(r"['\n\t]", text):
        return f"'{text}'"
    return '"' + "".join(_ESCAPES.get(char, char) for char in text) + '"'


def _key(text: str) -> str:
    return text if _BARE_KEY.fullmatch(text) else _string(text)


def _single_blanks(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines with no two blank ones in a row, and none at the ends."""
    started = blank = False
    for line in lines:
        if line:
            if started and blank:
                yield ""
            yield line
            started = True
        blank = not line
