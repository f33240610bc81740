"""Completion: what may stand at a place, by the grammar and by what the spec declares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lsprotocol import types as lsp

from griddsl.compass import ARROWS, COMPASS, DIAGONAL_ARROWS
from griddsl.editor.names import BUILT_IN, Scope
from griddsl.editor.questions.hover import legend_of
from griddsl.editor.text import SpecText
from griddsl.source import Fragment, Source
from griddsl.spec.imports.libraries import BUNDLED
from griddsl.spec.statements.choices import CHOICES, ORDERS
from griddsl.syntax.clauses import LONGEST_CLAUSE
from griddsl.syntax.keywords import (
    GRID_FORMS,
    POLICIES,
    POSITION_FORMS,
    STATEMENTS,
    VALUE_FORMS,
    leading_word,
)
from griddsl.syntax.layout import opens_block, split_colon
from griddsl.syntax.vocabulary.glossary import FUNCTIONS, NAMES, SEEN, SNIPPETS, meaning_of
from griddsl.syntax.vocabulary.lexicon import grammar_words
from griddsl.syntax.vocabulary.words import expected, head_rule, rule_of_items

_PREFIX = re.compile(r"[A-Za-z_]\w*$")
_STRING = re.compile(r'"(?:\\.|[^"\\])*"|(")')
_TABLE = re.compile(r"^\s*\[\[?\s*([\w]+)", re.MULTILINE)
_KEY = re.compile(r"""^\s*("[^"]*"|[\w.]+)\s*=\s*(.*)$""", re.DOTALL)
ACTIONS = (
    *ARROWS,
    *DIAGONAL_ARROWS,
    *("forward", "backward", "strafe_left", "strafe_right", "turn_left", "turn_right"),
    *("pickup", "drop", "toggle", "stay", "done"),
)
_FORMS = {
    "see_grid": GRID_FORMS,
    "see_view": GRID_FORMS,
    "see_position": POSITION_FORMS,
    "see_value": VALUE_FORMS,
}
VALUES = ("agent", "self", "step", "limit", "width", "height", "here", "start", *FUNCTIONS)

_HEAD_WORDS = {
    "observe": ("flat", "tuple", "goal"),
    "map": ("walled",),
    "actions": ("as multidiscrete",),
}

LONGEST_NAME = 200

Found = tuple[str, lsp.CompletionItemKind, str]


def complete(spec: SpecText, scope: Scope, offset: int) -> list[lsp.CompletionItem]:
    """Return what may stand at a place; each item replaces the beginning of the word that stands there."""
    text = spec.source.text
    start = text.rfind("\n", 0, offset) + 1
    before = text[start:offset]
    if spec.is_large or len(before) > LONGEST_CLAUSE:
        return []
    row = _row_of_map(spec, start, before)
    if row is not None:
        return [_glyph(spec, offset, glyph, kind) for glyph, kind in row]
    prefix = _PREFIX.search(before[-LONGEST_NAME:])
    word = prefix.group() if prefix else ""
    place = spec.range(offset - len(word), offset)
    found: list[lsp.CompletionItem] = []
    if spec.source.is_toml:
        found = list(_in_toml(spec, scope, start, before[: len(before) - len(word)], place))
    elif _is_quiet(before):
        return []
    elif before == word:
        found = list(_statements(place, text[offset : offset + 1] in {"", "\n"}))
    else:
        found = list(_in_line(spec, scope, start, before[: len(before) - len(word)], place))
    unique = {each.label: each for each in reversed(found) if _fits(each, word)}
    return list(reversed(unique.values()))


def _fits(item: lsp.CompletionItem, word: str) -> bool:
    """Whether an item holds the letters of the word in their order, its first one first."""
    if not word:
        return True
    label = item.label.lower()
    at = 0
    for letter in word.lower():
        at = label.find(letter, at) + 1
        if not at:
            return False
    return label[0] == word[0].lower()


def _is_quiet(before: str) -> bool:
    """Whether the place is in a comment, or in a quoted text that is still open."""
    if any(match.group(1) for match in _STRING.finditer(before)):
        return True
    return "#" in _STRING.sub("", before)


# Statements and lines


def _statements(place: lsp.Range, alone: bool) -> Iterator[lsp.CompletionItem]:
    """Yield the statements, as snippets where nothing follows on the line."""
    for keyword, form in STATEMENTS.items():
        snippet = SNIPPETS.get(keyword, f"{keyword}: $1") if alone else keyword
        yield lsp.CompletionItem(
            keyword,
            kind=lsp.CompletionItemKind.Keyword,
            detail=meaning_of(keyword) or form.meaning,
            insert_text_format=lsp.InsertTextFormat.Snippet if alone else lsp.InsertTextFormat.PlainText,
            text_edit=lsp.TextEdit(place, snippet),
        )


def _in_line(
    spec: SpecText, scope: Scope, start: int, before: str, place: lsp.Range
) -> Iterator[lsp.CompletionItem]:
    """Yield what may stand in a line: in the head of a statement, or among its items."""
    keyword = _keyword_above(spec.source.text, start, before)
    form = STATEMENTS.get(keyword)
    if form is None:
        return
    first = not before[:1].isspace()
    line = Fragment(Source("<line>", before), before, 0)
    halves = split_colon(line)
    if first and halves is None:
        yield from _in_head(spec, scope, keyword, before, place)
        return
    after = halves[1].text if first and halves is not None else before.strip()
    if not first and opens_block(before.strip()) and form.items in {"block", "meaning"}:
        if halves is None:
            yield from _in_clause(scope, head_rule(before.strip()), before.strip(), place)
            return
        after = halves[1].text
    yield from _in_items(spec, scope, keyword, f"{after} " if after else "", place)
    if form.items in {"block", "meaning"} and not after:
        yield from (
            _item(place, (each, lsp.CompletionItemKind.Keyword, meaning_of(each) or ""))
            for each in ("if", "else", "each")
        )


def _keyword_above(text: str, start: int, before: str) -> str:
    """Return the keyword of the statement in which a line stands."""
    line = before
    while line[:1].isspace() or not line.strip() or line.startswith("#"):
        if start <= 0:
            return ""
        end = start - 1
        start = text.rfind("\n", 0, end) + 1
        line = text[start:end]
    return leading_word(line)


def _in_head(
    spec: SpecText, scope: Scope, keyword: str, before: str, place: lsp.Range
) -> Iterator[lsp.CompletionItem]:
    form = STATEMENTS[keyword]
    if form.head == "rule":
        yield from _in_clause(scope, "rule", before.strip(), place)
    elif form.head == "slip":
        yield from _in_clause(scope, "slip_head", before.strip().removeprefix("slip").strip(), place)
    elif keyword == "allow":
        yield from _items(place, _actions(scope))
    elif form.head == "look":
        given = before.strip().removeprefix("look").strip()
        yield from _in_clause(scope, "look_head", given, place) if given else _items(place, _kinds(scope))
    elif form.head == "maybe" or keyword in {"tile", "object"}:
        words = _HEAD_WORDS.get(keyword, ())
        yield from _items(
            place, ((each, lsp.CompletionItemKind.Keyword, meaning_of(each) or "") for each in words)
        )
        if keyword != "map":
            agents = [each for each in _kinds(scope) if keyword in {"tile", "object"} or "agent" in each[2]]
            yield from _items(place, agents)


def _in_items(
    spec: SpecText, scope: Scope, keyword: str, before: str, place: lsp.Range
) -> Iterator[lsp.CompletionItem]:
    """Yield what may stand among the items of a statement."""
    form = STATEMENTS[keyword]
    choices = (*CHOICES.get(keyword, ()), *(ORDERS if keyword == "order" else ()))
    if choices:
        yield from _items(place, ((each, lsp.CompletionItemKind.EnumMember, "") for each in choices))
    elif keyword == "use":
        names = sorted(path.stem for path in BUNDLED.glob("*.grid"))
        yield from _items(place, ((each, lsp.CompletionItemKind.Module, "bundled library") for each in names))
    elif keyword == "level":
        levels = [(each.name, lsp.CompletionItemKind.Value, "a map") for each in scope.names("level")]
        yield from _items(
            place, [*levels, ("random", lsp.CompletionItemKind.Keyword, "one for each episode")]
        )
    elif keyword == "generate" and not before:
        names = ["empty", "room", "maze", "rooms", "caves"]
        yield from _items(place, ((each, lsp.CompletionItemKind.Function, NAMES[each]) for each in names))
    elif form.items not in {"raw", "rows"}:
        rules = ("expression", "effects") if form.items == "meaning" else (rule_of_items(form.items, before),)
        for rule in rules:
            yield from _in_clause(scope, rule, before, place)


# Clauses


def _in_clause(scope: Scope, start: str, before: str, place: lsp.Range) -> Iterator[lsp.CompletionItem]:
    """Yield what may follow the beginning of a clause."""
    found = expected(start, before) if start else None
    if found is None:
        return
    yield from _items(place, _names(scope, found.part, found.beside, found.path))
    for word in found.keywords:
        yield _item(place, (word, lsp.CompletionItemKind.Keyword, meaning_of(word) or ""))


def _names(scope: Scope, part: str, beside: str, path: tuple[str, ...]) -> Iterator[Found]:
    """Yield the names of a part of speech: those that the spec declares, and those that the language has."""
    kind = lsp.CompletionItemKind
    match part:
        case "attribute":
            for each in scope.attributes_of(beside):
                yield each.name, kind.Field, each.category
            if "keyword" not in path:
                yield from ((each, kind.Field, meaning_of(each, True) or "") for each in ("x", "y", "facing"))
        case "action":
            yield from _actions(scope)
        case "outcome":
            yield from ((each, kind.EnumMember, "an outcome") for each in ("success", "failure"))
        case "direction":
            yield from ((each, kind.EnumMember, "") for each in COMPASS)
        case "policy":
            yield from (
                (each, kind.EnumMember, meaning_of(each, True) or "")
                for each in POLICIES
                if leading_word(each) not in grammar_words()
            )
        case "form":
            forms = next((_FORMS[each] for each in reversed(path) if each in _FORMS), _FORMS["see_value"])
            yield from ((each, kind.EnumMember, "") for each in forms)
        case "new action":
            yield from ((each, kind.Method, meaning_of(each, True) or "a known action") for each in ACTIONS)
        case "name" | "new name":
            yield from _values(scope, beside, path)


def _values(scope: Scope, beside: str, path: tuple[str, ...]) -> Iterator[Found]:
    kind = lsp.CompletionItemKind
    if beside:
        yield from ((each, kind.EnumMember, f"word of `{beside}`") for each in scope.words_of(beside))
        if "keyword" in path:
            return
    if "kind" in path:
        yield from _kinds(scope)
        if path and path[-2:-1] and path[-2] in {"on_event", "on_subject_event"}:
            yield "edge", kind.Class, "the border of the grid"
        return
    for each in scope.names():
        sort = kind.Class if each.is_kind else kind.Variable
        yield each.name, sort, each.category
    if "choose_more_name" in path:
        return
    yield from ((each, kind.Class, meaning_of(each, True) or "") for each in BUILT_IN)
    if "observations" in path:
        yield from ((each, kind.Keyword, meaning_of(each, True) or "") for each in SEEN)
    for value in VALUES:
        sort = kind.Function if value in {"count", "sum", "min", "max"} else kind.Variable
        yield value, sort, meaning_of(value, True) or ""


def _kinds(scope: Scope) -> Iterator[Found]:
    kind = lsp.CompletionItemKind.Class
    for each in scope.names():
        if each.is_kind or each.statement.keyword == "region":
            yield each.name, kind, each.category
    declared = {each.name for each in scope.names()}
    grounds = {
        word.text
        for text in scope.texts
        for word in text.words
        if word.part == "name" and "kind" in word.path and word.text not in declared
    }
    yield from ((each, kind, "a plain tile") for each in sorted(grounds - set(BUILT_IN)))
    yield from ((each, kind, meaning_of(each, True) or "") for each in BUILT_IN)


def _actions(scope: Scope) -> Iterator[Found]:
    declared = list(scope.names("action"))
    for each in declared:
        yield each.name, lsp.CompletionItemKind.Method, "an action of the spec"
    if not declared:
        yield from ((each, lsp.CompletionItemKind.Method, meaning_of(each, True) or "") for each in ACTIONS)


# Maps


def _row_of_map(spec: SpecText, start: int, before: str) -> list[tuple[str, str]] | None:
    """Return the characters that may stand in a map, where the place is in the rows of one; else None."""
    rows = any(
        row.span().start <= start + len(before) <= row.span().end
        for statement in spec.document.statements
        for row in statement.rows
    )
    is_row = before[:1].isspace() and STATEMENTS.get(_keyword_above(spec.source.text, start, before), None)
    if not rows and not (is_row and is_row.items == "rows" and not spec.source.is_toml):
        return None
    return [(".", "floor"), ("#", "wall"), ("@", "an agent"), *legend_of(spec.document)]


def _glyph(spec: SpecText, offset: int, glyph: str, kind: str) -> lsp.CompletionItem:
    edit = lsp.TextEdit(spec.range(offset, offset), glyph)
    return lsp.CompletionItem(glyph, kind=lsp.CompletionItemKind.Value, detail=kind, text_edit=edit)


# TOML


def _in_toml(
    spec: SpecText, scope: Scope, start: int, before: str, place: lsp.Range
) -> Iterator[lsp.CompletionItem]:
    """Yield what may stand at a place of a TOML text: a key, or what its strings hold."""
    tables = _TABLE.findall(spec.source.text, 0, start)
    table = tables[-1] if tables else ""
    found = _KEY.match(before)
    if found is None:
        if not before.strip() and not table:
            keys = [
                *(word for word, form in STATEMENTS.items() if form.head != "rule"),
                "description",
                "rules",
            ]
            yield from _items(
                place, ((each, lsp.CompletionItemKind.Property, meaning_of(each) or "") for each in keys)
            )
        elif not before.strip() and table == "rules":
            yield from _items(place, ((each, lsp.CompletionItemKind.Property, "") for each in ("when", "do")))
        return
    key, value = found.groups()
    opening = max(value.rfind('"'), value.rfind("'"))
    if opening < 0:
        return
    text = value[opening + 1 :]
    if table == "rules":
        if key == "do":
            yield from _in_clause(scope, "effects", text, place)
        elif key == "when" and not text.strip():
            rules = [word for word, form in STATEMENTS.items() if form.head == "rule"]
            yield from _items(
                place, ((each, lsp.CompletionItemKind.Keyword, meaning_of(each) or "") for each in rules)
            )
        elif key == "when":
            yield from _in_clause(scope, "rule", text, place)
        return
    keyword = table if table in STATEMENTS else key.partition(".")[0]
    if keyword in STATEMENTS:
        yield from _in_items(spec, scope, keyword, text, place)


def _items(place: lsp.Range, found: Iterable[Found]) -> Iterator[lsp.CompletionItem]:
    return (_item(place, each) for each in found)


def _item(place: lsp.Range, found: Found) -> lsp.CompletionItem:
    label, kind, detail = found
    return lsp.CompletionItem(label, kind=kind, detail=detail or None, text_edit=lsp.TextEdit(place, label))
