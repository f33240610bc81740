"""Semantic tokens: what each word of a spec is, which a grammar of colours cannot tell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from griddsl.editor.names import Scope
from griddsl.editor.text import SpecText
from griddsl.syntax.vocabulary.words import Word

TYPES = (
    "keyword",
    "class",
    "variable",
    "parameter",
    "property",
    "enumMember",
    "function",
    "method",
    "number",
    "string",
    "comment",
    "operator",
    "namespace",
    "event",
)
MODIFIERS = ("declaration", "readonly", "defaultLibrary")
_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*(?:"|$)|(#.*)')
_PARTS = {
    "keyword": "keyword",
    "choice": "keyword",
    "form": "keyword",
    "direction": "keyword",
    "policy": "keyword",
    "look": "enumMember",
    "number": "number",
    "text": "string",
    "library": "namespace",
    "id": "namespace",
    "function": "function",
    "outcome": "event",
    "entry": "property",
    "group": "namespace",
    "glyph": "string",
}
_SORTS = {"attribute": "property", "action": "method", "level": "namespace", "word": "enumMember"}


def tokens(spec: SpecText, scope: Scope, start: int = 0, end: int | None = None) -> list[int]:
    """Return the words and comments of a text, or of a part of it, in the numbers of the protocol."""
    data: list[int] = []
    line = column = 0
    for begin, finish, kind, modifiers in sorted(_found(spec, scope)):
        if finish <= start or (end is not None and begin >= end):
            continue
        place = spec.position(begin)
        length = spec.position(finish).character - place.character
        if length <= 0:
            continue
        first = place.line != line
        data += [
            place.line - line,
            place.character - (0 if first else column),
            length,
            TYPES.index(kind),
            modifiers,
        ]
        line, column = place.line, place.character
    return data


def _found(spec: SpecText, scope: Scope) -> Iterator[tuple[int, int, str, int]]:
    seen: set[int] = set()
    for word in spec.words:
        kind = _kind(word, scope)
        if kind is not None and word.span.start not in seen:
            seen.add(word.span.start)
            yield word.span.start, word.span.end, kind, _modifiers(word, scope)
    rows = {row.span().start for statement in spec.document.statements for row in statement.rows}
    start = 0
    for text in spec.source.text.split("\n"):
        indent = len(text) - len(text.lstrip())
        if "#" in text and not any(start <= each <= start + indent for each in rows):
            for match in _COMMENT.finditer(text):
                if match.group(1) is not None:
                    yield start + match.start(), start + match.end(), "comment", 0
        start += len(text) + 1


def _kind(word: Word, scope: Scope) -> str | None:
    found = _PARTS.get(word.part)
    if found is not None and scope.sort_of(word) is None:
        return found
    sort = scope.sort_of(word)
    if sort is None:
        return None
    if sort != "name":
        return _SORTS[sort]
    declared = scope.of(word)
    if not declared:
        return "class" if "kind" in word.path else "variable"
    keyword = declared[0].statement.keyword
    if declared[0].is_kind:
        return "class"
    return {"param": "parameter", "region": "namespace"}.get(keyword, "variable")


def _modifiers(word: Word, scope: Scope) -> int:
    bits = 1 if word.is_new else 0
    if word.part == "name" and any(each.statement.keyword == "param" for each in scope.of(word)):
        bits |= 2
    if word.part == "function":
        bits |= 4
    return bits
