"""Layout: a ``.grid`` text as statements, blocks and drawings, before any clause is parsed.

A statement starts at column 0 and reads ``keyword [head]: items``; its block is indented below it. Comments
and blank lines are kept beside the lines they stand with, so that the formatter loses nothing: ``above`` and
``below`` list comments with their ``#``, and ``""`` for blank lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from griddsl.diagnostics import Help, Report, write
from griddsl.source import Fragment, Source, Span
from griddsl.syntax.document import Document, Line, Statement
from griddsl.syntax.keywords import EFFECT_WORDS, STATEMENTS, leading_word
from griddsl.syntax.missing_colons import explain_no_colon
from griddsl.syntax.stray.effects import is_effect_of
from griddsl.syntax.stray.lines import deeper_statement, explain_deeper, explain_stray
from griddsl.syntax.stray.words import is_a_condition

BLOCK_WORDS = ("if", "else", "retry", "repeat")
_EACH = re.compile(r"each\s+(?!step\b)[\w(]")
_ELSE_IF = re.compile(r"(elif|elseif|elsif)\b")
TAB_WIDTH = 4
DEEPEST_BLOCK = 32
MOST_LINES = 20_000
BLANK = ""

_QUOTED = r'"(?:\\.|[^"\\\n])*(?:"|\\?$)'
_COMMENT = re.compile(_QUOTED + "|(#)")
_COLON = re.compile(_QUOTED + r"|([\[(])|([\])])|(:)")
_TAB = re.compile(_QUOTED + "|(\t)")


@dataclass(frozen=True, slots=True)
class _Physical:
    """A line of the file without its comment."""

    indent: int
    text: Fragment
    comment: str
    raw: Fragment


class _Lines:
    """The lines of a text, read once, downwards; ``above`` gathers what stands before the next one."""

    def __init__(self, lines: list[_Physical]) -> None:
        self._lines = lines
        self._next_indents = _next_indents(lines)
        self._at = 0
        self.above: list[str] = []

    def peek(self) -> _Physical | None:
        """Return the next line without taking it."""
        return self._lines[self._at] if self._at < len(self._lines) else None

    def take(self) -> None:
        """Go on to the line after the next one."""
        self._at += 1

    def give_back(self) -> None:
        """Go back by one line."""
        self._at -= 1

    def taken(self) -> _Physical:
        """Return the line that was taken last."""
        return self._lines[self._at - 1]

    def next_indent(self) -> int:
        """Return the indentation of the next line that holds text; -1 where there is none."""
        return self._next_indents[self._at]

    def skip_deeper(self, indent: int) -> None:
        """Pass over the lines that are indented deeper than ``indent``, and what stands between them."""
        while self.next_indent() > indent:
            self.take()


def _next_indents(lines: list[_Physical]) -> list[int]:
    indents = [-1] * (len(lines) + 1)
    for at in range(len(lines) - 1, -1, -1):
        indents[at] = lines[at].indent if lines[at].text.text else indents[at + 1]
    return indents


def read_layout(source: Source, report: Report) -> Document:
    """Split a ``.grid`` text into statements; lines that are no statement are reported and passed over."""
    lines = _Lines(_physical_lines(source.whole(), report))
    statements: list[Statement] = []
    while (line := lines.peek()) is not None and not report.is_full:
        lines.take()
        if not line.text.text:
            _note(lines.above, line)
        elif line.indent:
            help = "a statement starts at the beginning of its line"
            if statements and (statements[-1].block or statements[-1].rows):
                help = "indent it like the other lines of its block, or not at all"
            if leading_word(line.text.text) == "else":
                help = "indent it like its `if`"
            report.add("unexpected-indent", line.text.span(), help=help)
            lines.skip_deeper(0)
        elif (statement := _statement(line, lines, report)) is not None:
            statements.append(statement)
    return Document(source, tuple(statements), tuple(lines.above))


def read_block(fragment: Fragment, report: Report) -> tuple[Line, ...]:
    """Read a text of its own (a string of a TOML file) as the lines of a block."""
    lines = _Lines(_physical_lines(fragment, report))
    block, _ = _block(lines, max(0, lines.next_indent()), report, 0)
    if (line := lines.peek()) is not None:
        report.add("unexpected-indent", line.text.span(), help="indent it like the first line of its block")
    return block


def opens_block(text: str) -> bool:
    """Whether a line of a block opens another: ``if``, ``else``, ``retry``, ``repeat``, ``each`` of all but steps."""
    return leading_word(text) in BLOCK_WORDS or _EACH.match(text) is not None


def split_colon(fragment: Fragment) -> tuple[Fragment, Fragment] | None:
    """Split at the first colon outside quotes and brackets; None where there is none."""
    depth = 0
    for match in _COLON.finditer(fragment.text):
        opens, closes, colon = match.groups()
        if opens:
            depth += 1
        elif closes:
            depth -= 1
        elif colon and depth <= 0:
            at = match.start()
            return fragment.slice(0, at).strip(), fragment.slice(at + 1, len(fragment.text)).strip()
    return None


def _physical_lines(whole: Fragment, report: Report) -> list[_Physical]:
    lines: list[_Physical] = []
    start = 0
    text = whole.text
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if len(lines) >= MOST_LINES:
            report.add("too-many-lines", whole.span(start, start + 1), most=MOST_LINES)
            break
        raw = whole.slice(start, end)
        body, comment = _without_comment(raw)
        blank = body.text[: len(body.text) - len(body.text.lstrip())]
        lines.append(_Physical(len(blank.expandtabs(TAB_WIDTH)), body.strip(), comment, raw))
        start = end + 1
    return lines


def _without_comment(line: Fragment) -> tuple[Fragment, str]:
    if "#" in line.text:
        for match in _COMMENT.finditer(line.text):
            if match.group(1):
                return line.slice(0, match.start()), _canonical_comment(line.text[match.end() :])
    return line, ""


def _canonical_comment(text: str) -> str:
    text = text.rstrip()
    return f"# {text.lstrip()}" if text and text[0] not in "#!" else f"#{text}"


def _note(notes: list[str], line: _Physical) -> None:
    """Remember a line without text: its comment, or one blank for any number of blank lines."""
    if line.comment:
        notes.append(line.comment)
    elif not notes or notes[-1] != BLANK:
        notes.append(BLANK)


def _refuse_tabs(line: Fragment, report: Report) -> None:
    if "\t" not in line.text:
        return
    for match in _TAB.finditer(_without_comment(line)[0].text):
        if match.group(1):
            place = line.span(match.start(), match.end())
            if not any(found.code == "tab" for found in report.diagnostics):
                help = Help("use blanks, four for each level", *_without_tabs(place.source))
                report.add("tab", place, help=help)
            return


def _without_tabs(source: Source) -> tuple[tuple[str], str, Span]:
    """Return what a text is with blanks for its tabs, from the first to the last of them: one mistake, made often."""
    first, last = source.text.index("\t"), source.text.rindex("\t")
    place = Span(
        source, source.text.rindex("\n", 0, first) + 1 if "\n" in source.text[:first] else 0, last + 1
    )
    return (place.text.expandtabs(TAB_WIDTH),), "", place


def _statement(line: _Physical, lines: _Lines, report: Report) -> Statement | None:
    above = tuple(lines.above)
    lines.above.clear()
    halves = split_colon(line.text) or _import(line.text)
    head = halves[0] if halves else line.text
    keyword = leading_word(head.text)
    form = STATEMENTS.get(keyword)
    if form is None or form.items != "rows":
        _refuse_tabs(line.raw, report)
    if form is None or (halves is None and is_effect_of(line.text)) or is_a_condition(line.text):
        explain_stray(line.text, keyword, report)
        lines.skip_deeper(0)
        return None
    if halves is None:
        halves = explain_no_colon(line.text, keyword, report)
        head = halves[0]
    rest = head.slice(len(keyword), len(head.text)).strip()
    block: tuple[Line, ...] = ()
    below: tuple[str, ...] = ()
    rows: tuple[Fragment, ...] = ()
    if form.items == "rows":
        rows = _rows(lines, report) or _rows_at_start(lines, halves[1], report)
    else:
        block, below = _indented_block(lines, 0, report, 0)
        if not block and not halves[1].text:
            block = _block_at_start(lines, form.items, report)
    keyword_span = head.span(0, len(keyword))
    return Statement(keyword, keyword_span, rest, halves[1], block, rows, line.comment, above, below)


def _import(text: Fragment) -> tuple[Fragment, Fragment] | None:
    """Split ``import "level.tmx"``, the one statement that is known without its colon, as in other languages."""
    found = re.fullmatch(r'(import)\s+("(?:\\.|[^"\\])*")', text.text)
    return None if found is None else (text.slice(0, found.end(1)), text.slice(found.start(2), found.end(2)))


def _rows(lines: _Lines, report: Report) -> tuple[Fragment, ...]:
    """Take the indented lines of a drawing as they stand, without the indentation that all of them share."""
    rows: list[Fragment] = []
    while (line := lines.peek()) is not None and (not line.raw.text.strip() or line.raw.text[0] in " \t"):
        rows.append(line.raw)
        lines.take()
    while rows and not rows[-1].text.strip():
        rows.pop()
        lines.give_back()
    for row in rows:
        if "\t" in row.text:
            at = row.text.index("\t")
            if not row.text[:at].strip():
                _refuse_tabs(row, report)
                continue
            report.add("tab", row.span(at, at + 1), help="draw with blanks, one for each cell")
    return dedent_rows(rows)


def _rows_at_start(lines: _Lines, items: Fragment, report: Report) -> tuple[Fragment, ...]:
    """Take the lines below a map without rows as its rows, where they are no statements: they are not indented."""
    rows: list[Fragment] = []
    while (line := lines.peek()) is not None and not items.text and line.raw.text.strip():
        word = leading_word(line.text.text)
        if word in STATEMENTS or split_colon(line.text) is not None or " " in line.raw.text.strip():
            break
        rows.append(line.raw)
        lines.take()
    if rows:
        place = rows[0].span().to(rows[-1].span())
        indented = "\n".join(f"    {row.text}" for row in rows)
        help = Help("the rows of a map are indented", (indented,), place=place)
        report.add("unexpected-indent", rows[0].span(), help=help)
    return tuple(rows)


_AN_EFFECT = re.compile(rf"(?:{'|'.join(EFFECT_WORDS)}|if|else)\b|\w+(?:\.\w+)?\s*(?:[-+]?=(?!=)|becomes\b)")
_AN_ITEM = re.compile(r"\w+\s*=\s*[A-Za-z_]\w*(?:\([^()]*\))?(?:\s+on\s+\w+)?,?|\"[^\"]\"\s*=.*")
_PARSED = frozenset(
    {"actions", "agents", "infos", "observations", "regions", "looks", "slip", "meaning", "rewards"}
)


def _can_stand_in(items: str, text: Fragment) -> bool:
    """Whether a line at the start of its line can be one of the items of a head above that has none."""
    if items in {"block", "meaning"} and _AN_EFFECT.match(text.text):
        return True
    if items == "legend":
        return _AN_ITEM.match(text.text) is not None
    if items not in _PARSED or not text.text or split_colon(text) is not None:
        return False
    from griddsl.syntax.clauses import tree_of

    return tree_of("expression" if items == "meaning" else items, text.text) is not None


def _block_at_start(lines: _Lines, items: str, report: Report) -> tuple[Line, ...]:
    """Take the lines below a head without items that can only be what it holds as its block: they are not indented."""
    first, found = lines.peek(), list[Line]()
    last = first
    while (line := lines.peek()) is not None and _can_stand_in(items, line.text):
        if leading_word(line.text.text) in STATEMENTS and split_colon(line.text) is not None:
            break
        lines.take()
        found.append(_line(line, (), lines, report, 0))
        last = lines.taken()
    if found and first is not None and last is not None:
        place = first.raw.span().to(last.raw.span())
        indented = "\n".join(f"    {line}" if line.strip() else line for line in place.text.split("\n"))
        count = sum(1 for line in place.text.split("\n") if line.strip())
        all_of_them = f": all {count} lines of it" if count > 1 else ""
        said = f"what belongs to a statement is indented below it{all_of_them}"
        help = Help(said, (indented,), place=place)
        report.add("unexpected-indent", first.raw.span(), help=help)
    return tuple(found)


def dedent_rows(rows: list[Fragment]) -> tuple[Fragment, ...]:
    """Take from rows the indentation that all of them share, and the blanks at their ends."""
    while rows and not rows[0].text.strip():
        rows = rows[1:]
    while rows and not rows[-1].text.strip():
        rows = rows[:-1]
    filled = [row for row in rows if row.text.strip()]
    shared = min((len(row.text) - len(row.text.lstrip(" \t")) for row in filled), default=0)
    return tuple(row.slice(min(shared, len(row.text)), max(shared, len(row.text.rstrip()))) for row in rows)


def _indented_block(
    lines: _Lines, indent: int, report: Report, depth: int
) -> tuple[tuple[Line, ...], tuple[str, ...]]:
    """Read the lines that are indented deeper than ``indent``, and the comments below the last of them."""
    if lines.next_indent() <= indent:
        return (), ()
    return _block(lines, lines.next_indent(), report, depth)


def _block(
    lines: _Lines, indent: int, report: Report, depth: int
) -> tuple[tuple[Line, ...], tuple[str, ...]]:
    found: list[Line] = []
    notes: list[str] = []
    while (line := lines.peek()) is not None:
        if not line.text.text:
            if not _note_belongs(line, lines, indent):
                break
            lines.take()
            _note(notes, line)
        elif line.indent < indent:
            break
        elif line.indent > indent:
            explain_deeper(line.text, found[-1].text if found else None, report)
            lines.skip_deeper(indent)
        elif _is_statement(line.text):
            help = deeper_statement(line.text)
            report.add("unexpected-indent", line.text.span(0, len(leading_word(line.text.text))), help=help)
            lines.take()
            lines.skip_deeper(indent)
        else:
            lines.take()
            found.append(_line(line, tuple(notes), lines, report, depth))
            notes = []
    below, blank = (notes[:-1], notes[-1:]) if notes and notes[-1] == BLANK else (notes, [])
    lines.above.extend(blank)
    return tuple(found), tuple(below)


def _is_statement(text: Fragment) -> bool:
    """Whether a line of a block reads like a statement: a keyword, and a colon behind it."""
    word = leading_word(text.text)
    if word not in STATEMENTS or opens_block(text.text) or word == "when":
        return False
    return split_colon(text) is not None


def _note_belongs(line: _Physical, lines: _Lines, indent: int) -> bool:
    """Whether a line without text stands in the block: more follows, or it is indented like the block."""
    if lines.next_indent() >= indent or not line.comment:
        return True
    return len(line.raw.text) - len(line.raw.text.lstrip()) >= indent


def _as_else_if(text: Fragment, word: str, report: Report) -> Fragment:
    """Report `elif`, and read it as `else if`."""
    report.add("unknown-effect", text.span(0, len(word)), name=word, help=write("else if"))
    origin = [text.offset(0)] * len("else if")
    origin += [text.offset(at) for at in range(len(word), len(text.text) + 1)]
    return Fragment(text.source, f"else if{text.text[len(word) :]}", origin)


def _line(line: _Physical, above: tuple[str, ...], lines: _Lines, report: Report, depth: int) -> Line:
    _refuse_tabs(line.raw, report)
    word = leading_word(line.text.text)
    if _ELSE_IF.match(word) and split_colon(line.text) is not None:
        line = replace(line, text=_as_else_if(line.text, word, report))
        word = "else"
    if not opens_block(line.text.text):
        return Line(line.text, None, (), line.comment, above)
    halves = split_colon(line.text)
    if halves is None:
        halves = explain_no_colon(line.text, word, report)
    if depth >= DEEPEST_BLOCK:
        report.add("too-deep", line.text.span(), most=DEEPEST_BLOCK)
        lines.skip_deeper(line.indent)
        return Line(halves[0], halves[1], (), line.comment, above)
    block, below = _indented_block(lines, line.indent, report, depth + 1)
    return Line(halves[0], halves[1], block, line.comment, above, below)
