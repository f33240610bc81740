"""A TOML text as a tree that keeps positions: each character of a key or value knows its place.

It reads TOML 1.0. The tables of a text come flattened: an `Entry` has the whole path of keys that leads
to its value, however the text spells it (``[a]`` and ``b = 1``, ``a.b = 1`` or ``a = { b = 1 }``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from griddsl.diagnostics import Report, write
from griddsl.source import Source, Span
from griddsl.syntax.toml.cursor import WrongToml
from griddsl.syntax.toml.habits import meant
from griddsl.syntax.toml.strings import LINE, Strings
from griddsl.syntax.toml.tree import Array, Entry, Item, Key, Literal, String, Table, Tree, Value

RULES = "rules"
DEEPEST_VALUE = 16
LONGEST_PATH = 8
LONGEST_NUMBER = 400
MOST_ENTRIES = 20_000
MOST_ITEMS = 10_000
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_BARE_VALUE = re.compile(r"[A-Za-z0-9_+.:-]+(?:(?<=\d{4}-\d\d-\d\d) \d[0-9:.+Z-]*)?")
_NUMBER = re.compile(
    r"""[+-]?(?:0|[1-9](?:_?[0-9])*)(?:\.[0-9](?:_?[0-9])*)?(?:[eE][+-]?[0-9](?:_?[0-9])*)?
    | 0x[0-9A-Fa-f](?:_?[0-9A-Fa-f])* | 0o[0-7](?:_?[0-7])* | 0b[01](?:_?[01])* | [+-]?(?:inf|nan)""",
    re.VERBOSE,
)
_DATE = re.compile(
    r"\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)?)?|\d\d:\d\d:\d\d(?:\.\d+)?"
)
_ONE_RULE = re.compile(r"\[[ \t]*(?:rules|\"rules\"|'rules')[ \t]*\]")
_HEADER = re.compile(r"(?<=\n)(?=\[)")


def read_tree(source: Source, report: Report) -> Tree | None:
    """Return the tree of a TOML text, without the lines that are none, of which each has a diagnostic.

    None where it is too large to be read.
    """
    reader = _Reader(source)
    while True:
        try:
            tree = reader.read()
            for span in reader.single:
                line = write(f"[[{RULES}]]", ": each rule has such a line above it")
                report.add("toml-shape", span, reason="rules are an array of tables", help=line)
            return tree
        except WrongToml as wrong:
            open_text = reader.open_text()
            if open_text is not None and wrong.code == "toml-syntax":
                wrong = open_text
            span = source.whole().span(wrong.start, max(wrong.start, min(wrong.end, len(source.text))))
            if wrong.code != "toml-syntax":
                report.add(wrong.code, span, most=wrong.fields["most"])
                return None
            help = wrong.help or meant(source, wrong.start)
            report.add(wrong.code, span, reason=wrong.reason, help=help)
            reader.go_on_behind(wrong.start)


@dataclass(slots=True)
class _Node:
    """What a path is so far, as ``made``: header, dotted, value, array (of tables) or implied."""

    made: str
    children: dict[str, _Node] = field(default_factory=dict)


class _Reader(Strings):
    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.entries: list[Entry] = []
        self.notes: list[str] = []
        self.elements: dict[int, list[Entry]] = {}
        self.root = _Node("header")
        self.unread: list[int] = []
        self.single: list[Span] = []  # where an element of `rules` is opened by one bracket, as a table is
        self.cut: set[int] = set()  # elements of which a line was not read
        self.prefix: tuple[Key, ...] = ()
        self.table, self.target = self.root, self.entries

    # Lines

    def go_on_behind(self, wrong: int) -> None:
        """Go to the next line that may be read where the one with a wrong place was not.

        Behind a line that opens a table that is the next such line: what stands between belongs to nothing.
        """
        begin = self.text.rfind("\n", 0, wrong) + 1
        self.unread.append(begin)
        if self.target is not self.entries:
            self.cut.add(len(self.entries) - 1)
        self.notes.clear()
        opens = _HEADER if self.text.startswith("[", begin) else LINE
        following = opens.search(self.text, wrong + 1)
        self.at = following.start() if following is not None else len(self.text)

    def open_text(self) -> WrongToml | None:
        """Take back the last value where it is a text that holds lines as statements have them: it is closed too late.

        Returns what is wrong, at its opening.
        """
        value = self.target[-1].value if self.target else None
        if not isinstance(value, String) or value.span.text[:3] not in {"'''", '"""'}:
            return None
        if LINE.search(value.span.text) is None:
            return None
        self.target.pop()
        return self.not_closed(value.span.start, "this text is not closed before the next statement")

    def read(self) -> Tree:
        """Read the text to its end, from where the reader is."""
        prefix, table, target = self.prefix, self.table, self.target
        while self.skip_to_line():
            start, above = self.at, self.take_notes()
            if self.text.startswith("[[", start) or _ONE_RULE.match(self.text, start):
                path = self.element_header()
                prefix, table, target = (), _Node("header"), []
                self.elements[len(self.entries)] = target
                span = Span(self.source, start, self.at)
                self.entries.append(Entry(path, Table((), span), above, self.end_line()))
            elif self.text[start] == "[":
                prefix, table = self.table_header()
                target = self.entries
                comment = self.end_line()
                self.notes.extend(note for note in (*above, comment) if note)
            else:
                self.pair(prefix, table, target, above)
                self.comment_last(target, self.end_line())
            if len(self.entries) + len(target) > MOST_ENTRIES:
                raise WrongToml(start, start + 1, "", "too-many-lines", most=MOST_ENTRIES)
            self.prefix, self.table, self.target = prefix, table, target
        entries = tuple(self.filled(at, entry) for at, entry in enumerate(self.entries))
        return Tree(entries, self.take_notes(), tuple(self.unread))

    def filled(self, at: int, entry: Entry) -> Entry:
        """Return an element of an array of tables with the entries that followed its header."""
        if at not in self.elements:
            return entry
        return replace(entry, value=Table(tuple(self.elements[at]), entry.value.span, at not in self.cut))

    @staticmethod
    def comment_last(entries: list[Entry], comment: str) -> None:
        """Give a comment to the entry on whose line it stands."""
        if comment and entries:
            entries[-1] = replace(entries[-1], comment=comment)

    def take_notes(self) -> tuple[str, ...]:
        notes = tuple(self.notes)
        self.notes.clear()
        return notes

    def skip_to_line(self) -> bool:
        """Go to the next line that is neither blank nor a comment; whether there is one."""
        while self.at < len(self.text):
            self.skip_blanks()
            if self.at >= len(self.text):
                return False
            char = self.text[self.at]
            if char == "\n":
                self.at += 1
                if not self.notes or self.notes[-1]:
                    self.notes.append("")
            elif char == "#":
                self.notes.append(self.comment())
                self.at += 1
            else:
                return True
        return False

    # Tables

    def element_header(self) -> tuple[Key, ...]:
        start = self.at
        brackets = 2 if self.text.startswith("[[", start) else 1
        self.at += brackets
        path = self.path()
        self.expect("]" * brackets)
        if brackets == 1:
            self.single.append(Span(self.source, start, self.at))
        parent = self.descend(path[:-1], self.root, "implied")
        node = parent.children.setdefault(path[-1].text, _Node("array"))
        if node.made != "array":
            raise WrongToml(
                start, self.at, f"`{path[-1].text}` is already something else than an array of tables"
            )
        return path

    def table_header(self) -> tuple[tuple[Key, ...], _Node]:
        start = self.at
        self.at += 1
        path = self.path()
        self.expect("]")
        parent = self.descend(path[:-1], self.root, "implied")
        node = parent.children.setdefault(path[-1].text, _Node("implied"))
        if node.made == "array":
            raise WrongToml(
                start, self.at, f"`{path[-1].text}` is an array of tables: write `[[{path[-1].text}]]`"
            )
        if node.made != "implied":
            raise WrongToml(start, self.at, f"the table `{_dotted(path)}` stands twice")
        node.made = "header"
        return path, node

    def descend(self, path: Sequence[Key], node: _Node, made: str) -> _Node:
        for key in path:
            node = node.children.setdefault(key.text, _Node(made))
            open_to_keys = node.made == made or (made == "implied" and node.made in {"header", "dotted"})
            if not open_to_keys:
                raise WrongToml(
                    key.span.start,
                    key.span.end,
                    f"`{key.text}` is already given, and cannot be added to here",
                )
        return node

    def pair(
        self, prefix: tuple[Key, ...], table: _Node, target: list[Entry], above: tuple[str, ...]
    ) -> None:
        path = self.path()
        self.expect("=")
        self.skip_blanks()
        node = self.claim(path, table)
        full = prefix + path
        if self.text.startswith("{", self.at):
            self.inline_table(full, node, target, above, 0)
        else:
            target.append(Entry(full, self.value(0), above))

    def claim(self, path: tuple[Key, ...], table: _Node) -> _Node:
        """Take a path for one value; it is not taken yet."""
        parent = self.descend(path[:-1], table, "dotted")
        last = path[-1]
        if last.text in parent.children:
            raise WrongToml(last.span.start, last.span.end, f"the key `{last.text[:40]}` stands twice")
        node = parent.children[last.text] = _Node("value")
        return node

    def path(self) -> tuple[Key, ...]:
        keys = [self.key()]
        while self.text.startswith(".", self.at):
            self.at += 1
            keys.append(self.key())
            if len(keys) > LONGEST_PATH:
                raise WrongToml(keys[0].span.start, self.at, "", "too-deep", most=LONGEST_PATH)
        return tuple(keys)

    def key(self) -> Key:
        self.skip_blanks()
        start = self.at
        match = _BARE_KEY.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
            fragment = self.whole.slice(start, self.at)
        elif self.text[start : start + 1] in {'"', "'"} and self.text[start : start + 3] not in {
            '"""',
            "'''",
        }:
            fragment = self.string().fragment
        else:
            raise WrongToml(start, start + 1, f"found {self.shown()}, expected a key")
        key = Key(fragment.text, fragment, Span(self.source, start, self.at))
        self.skip_blanks()
        return key

    # Values

    def value(self, depth: int) -> Value:
        if depth > DEEPEST_VALUE:
            raise WrongToml(self.at, self.at + 1, "", "too-deep", most=DEEPEST_VALUE)
        char = self.text[self.at : self.at + 1]
        if char in {'"', "'"}:
            return self.string()
        if char == "[":
            return self.array(depth)
        if char == "{":
            start = self.at
            entries: list[Entry] = []
            self.inline_table((), _Node("value"), entries, (), depth)
            return Table(tuple(entries), Span(self.source, start, self.at))
        return self.literal()

    def literal(self) -> Literal:
        match = _BARE_VALUE.match(self.text, self.at)
        if match is None:
            raise WrongToml(self.at, self.at + 1, f"found {self.shown()}, expected a value")
        start, word = self.at, match.group()
        if len(word) > LONGEST_NUMBER:
            raise WrongToml(
                start,
                start + LONGEST_NUMBER,
                f"a value has at most {LONGEST_NUMBER} characters outside of quotes",
            )
        self.at = match.end()
        fragment = self.whole.slice(start, self.at)
        if word in {"true", "false"}:
            return Literal(fragment, "truth")
        if _NUMBER.fullmatch(word):
            return Literal(fragment, "number")
        if _DATE.fullmatch(word):
            return Literal(fragment, "date")
        raise WrongToml(start, self.at, f"`{word[:40]}` is no value; a text stands in quotes")

    def array(self, depth: int) -> Array:
        start = self.at
        self.at += 1
        items: list[Item] = []
        above = self.array_notes(items)
        while not self.text.startswith("]", self.at):
            if self.at >= len(self.text):
                raise WrongToml(start, start + 1, "this `[` is never closed")
            items.append(Item(self.value(depth + 1), above, ""))
            if len(items) > MOST_ITEMS:
                raise WrongToml(start, start + 1, f"an array has at most {MOST_ITEMS:,} values")
            above = self.array_notes(items)
            if self.text.startswith(",", self.at):
                self.at += 1
                above += self.array_notes(items, not above)
            elif not self.text.startswith("]", self.at):
                if self.at >= len(self.text) or LINE.match(self.text, self.at):
                    raise WrongToml(start, start + 1, "this `[` is never closed")
                raise WrongToml(self.at, self.at + 1, f"found {self.shown()}, expected `,` or `]`")
        self.at += 1
        return Array(tuple(items), Span(self.source, start, self.at), above)

    def array_notes(self, items: list[Item], may_follow: bool = True) -> tuple[str, ...]:
        """Pass over blanks, line ends and comments; one on the line of the last item becomes that item's."""
        notes: list[str] = []
        same_line = may_follow and bool(items)
        while True:
            self.skip_blanks()
            if self.text.startswith("\n", self.at):
                self.at += 1
                same_line = False
            elif self.text.startswith("#", self.at):
                comment = self.comment()
                if same_line:
                    items[-1] = replace(items[-1], comment=comment)
                else:
                    notes.append(comment)
            else:
                return tuple(notes)

    def inline_table(
        self, prefix: tuple[Key, ...], node: _Node, target: list[Entry], above: tuple[str, ...], depth: int
    ) -> None:
        """Read ``{ a = 1, b.c = 2 }``, its entries flattened into ``target``."""
        if depth > DEEPEST_VALUE or len(prefix) > LONGEST_PATH:
            raise WrongToml(self.at, self.at + 1, "", "too-deep", most=DEEPEST_VALUE)
        start = self.at
        self.at += 1
        self.skip_blanks()
        if self.text.startswith("}", self.at):
            self.at += 1
            if prefix:
                target.append(Entry(prefix, Table((), Span(self.source, start, self.at)), above))
            return
        while True:
            path = self.path()
            self.expect("=")
            self.skip_blanks()
            inner = self.claim(path, node)
            if self.text.startswith("{", self.at):
                self.inline_table(prefix + path, inner, target, above, depth + 1)
            else:
                target.append(Entry(prefix + path, self.value(depth + 1), above, is_inline=True))
            above = ()
            self.skip_blanks()
            if self.text.startswith("}", self.at):
                self.at += 1
                _close(node)
                return
            if not self.text.startswith(",", self.at):
                if self.at >= len(self.text):
                    raise WrongToml(start, start + 1, "this `{` is never closed")
                raise WrongToml(self.at, self.at + 1, f"found {self.shown()}, expected `,` or `}}`")
            self.at += 1


def _close(node: _Node) -> None:
    """Make an inline table final: nothing is added to it later."""
    for child in node.children.values():
        _close(child)
    node.made = "value"


def _dotted(path: Sequence[Key]) -> str:
    return ".".join(key.text[:40] for key in path)
