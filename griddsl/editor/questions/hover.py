"""Hover: what the word at a place means, and what the compiler knows of it."""

from __future__ import annotations

from lsprotocol import types as lsp

from griddsl.diagnostics import Report
from griddsl.editor.facts import Facts
from griddsl.editor.names import Declaration, Scope, plain
from griddsl.editor.text import SpecText
from griddsl.syntax.document import Document, Statement
from griddsl.syntax.keywords import RULE_WORDS
from griddsl.syntax.vocabulary.glossary import NAMES, meaning_of
from griddsl.syntax.vocabulary.words import Word

MOST_SHOWN = 6


def hover(spec: SpecText, scope: Scope, facts: Facts | None, offset: int) -> lsp.Hover | None:
    """Return what is known of the place; None for a place of which nothing is."""
    glyph = _glyph(spec, scope, offset)
    if glyph is not None:
        return glyph
    word = spec.word_at(offset)
    if word is None:
        return None
    text = _text(spec, scope, facts, word)
    if not text:
        return None
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), spec.range_of(word.span))


def _text(spec: SpecText, scope: Scope, facts: Facts | None, word: Word) -> str | None:
    statement = spec.statement_at(word.span.start)
    if word.part == "id" or (
        word.text == "env" and statement is not None and word.span == statement.keyword_span
    ):
        return facts.summary if facts is not None and facts.summary else meaning_of("env")
    if word.part == "glyph":
        return f"`{word.text}`: {meaning_of_glyph(spec.document, plain(word))}"
    declared = scope.of(word)
    if declared:
        return "\n\n---\n\n".join(_declaration(each, spec, facts) for each in declared[:MOST_SHOWN])
    if word.part == "keyword":
        meaning = meaning_of(word.text)
        if (
            statement is not None
            and word.text in RULE_WORDS
            and word.span.start == statement.keyword_span.start
        ):
            meaning = rule_words(statement, spec) or meaning
        return None if meaning is None else f"**{word.text}**: {meaning}"
    meaning = NAMES.get(word.text) if word.part == "name" else meaning_of(word.text, as_name=True)
    if meaning is not None:
        return f"**{word.text}**: {meaning}"
    if word.part == "name" and not word.beside:
        return f"**{word.text}**: a plain tile: the spec names it, and declares no properties of it"
    return None


def _declaration(declared: Declaration, spec: SpecText, facts: Facts | None) -> str:
    """Return a declaration as it is written, what it is, and what is known of it."""
    source = declared.spec.source
    line = source.line(declared.word.span.line).strip()
    where = "" if declared.spec is spec else f" of `{declared.spec.name.rpartition('/')[2]}`"
    parts = [f"```grid\n{line}\n```", f"{declared.category}{where}"]
    notes = [note.lstrip("# ") for note in declared.statement.above if note]
    if notes and declared.sort == "name":
        parts.append(" ".join(notes))
    if facts is not None:
        key = f"{declared.owner}.{declared.name}" if declared.sort == "attribute" else declared.name
        found = facts.ranges.get(key)
        if found:
            parts.append(f"{'reached' if facts.are_all else 'seen in random play'}: {found}")
        if declared.is_kind and declared.name in facts.counts:
            parts.append(f"on the map at the start: {facts.counts[declared.name]}")
    return "\n\n".join(parts)


def rule_words(statement: Statement, spec: SpecText) -> str | None:
    """Return a rule in plain words, its blocks as lists in lists; None where it cannot be read."""
    from griddsl.spec.plain_words import rule_lines
    from griddsl.spec.statements.rules import rule_of

    rule = rule_of(statement, Report())
    if rule is None:
        return None
    first, *rest = rule_lines(rule)
    points = [line.replace(line.lstrip(), f"- {line.lstrip()}").removeprefix("  ") for line in rest]
    return "\n".join([first, "", *points]) if points else first


def _glyph(spec: SpecText, scope: Scope, offset: int) -> lsp.Hover | None:
    """Return what a character of a map stands for, and its cell."""
    for statement in spec.document.statements:
        for y, row in enumerate(statement.rows):
            span = row.span()
            if not span.start <= offset < span.end:
                continue
            x = offset - span.start
            glyph = row.text[x]
            walled = statement.head.text.startswith("walled")
            place = "" if walled else f" at ({x}, {y})"
            meaning = meaning_of_glyph(spec.document, glyph)
            text = f"`{glyph}`{place}: {meaning}"
            return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), spec.range(offset, offset + 1))
    return None


def meaning_of_glyph(document: Document, glyph: str) -> str:
    """Return what the legend says of a character; what it means by itself where it says nothing."""
    for shown, kind in legend_of(document):
        if shown == glyph:
            return f"`{kind}`"
    builtin = {".": "floor", " ": "floor", "#": "wall", "@": "an agent on floor"}
    return builtin.get(glyph, "the legend does not name it")


def legend_of(document: Document) -> list[tuple[str, str]]:
    """Return the characters that the legends name, each with the text that it stands for."""
    from griddsl.syntax.clauses import parse_clause
    from griddsl.syntax.printer import to_text

    found = []
    for statement in document.statements:
        if statement.keyword == "legend":
            for text in statement.texts():
                for item in parse_clause("legend", text, Report()) or ():
                    tile = f" on {to_text(item.tile)}" if item.tile is not None else ""
                    found.append((item.glyph, f"{to_text(item.kind)}{tile}"))
    return found
