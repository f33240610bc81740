"""What a value of TOML is for a statement: a text, lines of a block, rows of a drawing; and how it should look."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from griddsl.diagnostics import Report
from griddsl.source import Fragment, Span
from griddsl.syntax.document import Line
from griddsl.syntax.keywords import LEVEL_FILES, StatementForm
from griddsl.syntax.layout import dedent_rows, opens_block, read_block
from griddsl.syntax.toml.tree import Array, Entry, Item, Key, Literal, String, Table, Value

TEXTS = ("mission", *LEVEL_FILES)
_CALLED = r"[A-Za-z_]\w*\((?:[^()]|\([^()]*\))*\)"
ALTERNATIVES = re.compile(  # of texts, or of what definitions say: a clause, no text
    rf'"(\\.|[^"\\])*"\s*if\b.*|{_CALLED}\s*if\b.*\belse\b.*', re.DOTALL
)
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
QUOTED = re.compile(r'"(?:\\.|[^"\\\n])*"')
_PLAIN_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_SHAPES = {
    "none": '{keyword} = "..."',
    "name": '[{keyword}]` and below it `NAME = "..."',
    "define": '[{keyword}]` and below it `"near(k)" = "any k within 1 of agent"',
    "id": '[{keyword}]` and below it `"griddsl/Small-v0" = "size = 5"',
    "maybe": '{keyword} = "..."',
    "slip": 'slip = ["1/3 left", "1/3 right"]',
}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the items of a statement come from: its entry, form and the key to blame."""

    entry: Entry
    form: StatementForm
    report: Report

    @property
    def keyword(self) -> Key:
        """The key that names the statement."""
        return self.entry.path[0]


def quoted_fragment(fragment: Fragment, span: Span) -> Fragment:
    """Return a text as it is quoted in a ``.grid`` file, each character still knowing its place."""
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
    if isinstance(fragment.origin, int) and not escapes.keys() & set(fragment.text):
        return Fragment(fragment.source, f'"{fragment.text}"', fragment.origin - 1)
    chars = ['"']
    origin = [span.start]
    for index, char in enumerate(fragment.text):
        shown = escapes.get(char, char)
        chars.append(shown)
        origin.extend([fragment.offset(index)] * len(shown))
    last = max(span.start, span.end - 1)
    return Fragment(fragment.source, "".join([*chars, '"']), [*origin, last, last + 1])


def quoted_where_text(text: Fragment, value: Value, form: StatementForm) -> Fragment:
    """Quote a string that is a text of its own: a mission, a pattern of level files, a file to use."""
    if isinstance(value, String) and is_text(form.keyword, text.text):
        return quoted_fragment(text, value.span)
    return text


# A file has an ending or stands in a folder; `my_grids.garden` is one of an installed package.
_FILE = re.compile(r"[/\\]|\.(grid|toml)$")


def is_text(keyword: str, text: str) -> bool:
    """Whether a string of a statement is a text, which stands in quotes in a ``.grid`` file."""
    if not text or QUOTED.fullmatch(text) or (keyword == "mission" and ALTERNATIVES.fullmatch(text)):
        return False
    if keyword == "use":
        return _FILE.search(text) is not None
    return keyword in TEXTS or (keyword == "level" and not WORD.fullmatch(text))


def text_of(value: Value, place: Origin) -> Fragment | None:
    """Return a string, or a number or truth value as its text; None, with a diagnostic, for anything else."""
    if isinstance(value, String):
        return value.fragment
    if isinstance(value, Literal) and (value.sort == "truth" or _PLAIN_NUMBER.fullmatch(value.fragment.text)):
        return value.fragment
    found = "a date" if isinstance(value, Literal) and value.sort == "date" else "an array"
    help = shape_of(place.form)
    if isinstance(value, Literal) and value.sort == "number":
        found, help = "such a number", "write it with the digits 0 to 9"
    elif isinstance(value, Table):
        found = "a table"
    place.report.add("toml-shape", value.span, reason=f"{found} stands where a string is needed", help=help)
    return None


def array_lines(value: Array, place: Origin) -> Iterator[Line]:
    """Yield the lines of a block, of which an array holds the texts."""
    for item in value.items:
        yield from _item_lines(item, place)


def _item_lines(item: Item, place: Origin) -> Iterator[Line]:
    text = text_of(item.value, place)
    if text is None:
        return
    text = quoted_where_text(text, item.value, place.form)
    is_block = "\n" in text.text or opens_block(text.text)
    lines = read_block(text, place.report) if is_block else (Line(text.strip()),)
    for index, line in enumerate(lines):
        above = (*item.above, *line.above) if index == 0 else line.above
        comment = item.comment if index == 0 and item.comment else line.comment
        yield replace(line, above=above, comment=comment)


def rows_of(value: Value, place: Origin) -> tuple[Fragment, ...] | None:
    """Return the rows of a drawing: the lines of a string, or the strings of an array."""
    rows: list[Fragment] = []
    for part in [item.value for item in value.items] if isinstance(value, Array) else [value]:
        if not isinstance(part, String):
            help = f"for example `{place.keyword.text} = '''`, the rows below it, and `'''`"
            place.report.add("toml-shape", part.span, reason="a map is drawn in a string", help=help)
            return None
        rows.extend(_lines_of(part.fragment))
    for row in rows:
        if "\t" in row.text:
            at = row.text.index("\t")
            place.report.add("tab", row.span(at, at + 1), help="draw with blanks, one for each cell")
    return dedent_rows(rows)


def _lines_of(fragment: Fragment) -> Iterator[Fragment]:
    start = 0
    for line in fragment.text.split("\n"):
        yield fragment.slice(start, start + len(line))
        start += len(line) + 1


def concatenated(parts: list[Fragment]) -> Fragment:
    """Return fragments as one, each character still knowing its place."""
    origin = [part.offset(index) for part in parts for index in range(len(part.text))]
    last = parts[-1]
    return Fragment(last.source, "".join(part.text for part in parts), [*origin, last.offset(len(last.text))])


def wanted_shape(form: StatementForm) -> str:
    """Return what should stand in place of a wrong shape."""
    return "a drawing" if form.items == "rows" else "a string or an array of strings"


def shape_of(form: StatementForm) -> str:
    """Return a help line that shows how the statement is written."""
    examples = {
        "actions": 'actions = ["up", "right", "run = move east 2"]',
        "info": 'info = ["distance = distance(agent, goal)"]',
        "observe": 'observe = ["board = grid", "me = position of agent"]',
        "legend": 'legend = { C = "cliff", G = "goal" }',
        "limit": 'limit = "200 steps"',
        "map": "map = '''...'''",
    }
    template = examples.get(
        form.keyword, _SHAPES.get(form.head, _SHAPES["none"]).replace("{keyword}", form.keyword)
    )
    return f"for example `{template}`"
