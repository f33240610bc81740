"""Fixes: the rewrites that help lines state as actions of an editor, all of them at once, and maps made square."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lsprotocol import types as lsp

from griddsl.diagnostics import Diagnostic, Fix
from griddsl.editor.questions.layout import squared
from griddsl.editor.questions.problems import as_problem, mine
from griddsl.editor.text import SpecText

FIX_ALL = "source.fixAll.griddsl"


def actions(
    spec: SpecText, found: Sequence[Diagnostic], wanted: lsp.Range, only: Sequence[str] | None = None
) -> list[lsp.CodeAction]:
    """Return what can be done about what is wrong in a range, and the whole text."""
    kinds = tuple(only or ("",))
    given: list[lsp.CodeAction] = []
    if _asked("quickfix", kinds):
        for diagnostic in mine(spec, found):
            if _touches(spec.range_of(diagnostic.span), wanted):
                given.extend(_quick_fixes(spec, diagnostic))
    everything = all_fixes(spec, found)
    if everything and _asked(FIX_ALL, kinds):
        given.append(_action(spec, "Fix all that have one fix", FIX_ALL, everything))
    if _asked("refactor.rewrite", kinds):
        given.extend(_squaring(spec, wanted))
    return given


def all_fixes(spec: SpecText, found: Iterable[Diagnostic]) -> list[lsp.TextEdit]:
    """Return the rewrites of all that have a single one, where they do not overlap."""
    edits: list[Fix] = []
    for diagnostic in mine(spec, found):
        if len(diagnostic.fixes) == 1:
            fix = diagnostic.fixes[0]
            if fix.span.source.name == spec.name and not any(_overlap(fix, each) for each in edits):
                edits.append(fix)
    return [_edit(spec, fix) for fix in sorted(edits, key=lambda each: each.span.start)]


def _overlap(one: Fix, other: Fix) -> bool:
    if one.span.start == other.span.start:
        return True
    return one.span.start < other.span.end and other.span.start < one.span.end


def _quick_fixes(spec: SpecText, diagnostic: Diagnostic) -> Iterable[lsp.CodeAction]:
    for fix in diagnostic.fixes:
        if fix.span.source.name != spec.name:
            continue
        shown = " ".join(fix.replacement.split())
        title = f"Write `{shown[:60]}{'...' if len(shown) > 60 else ''}`" if shown else "Take it away"
        action = _action(spec, title, lsp.CodeActionKind.QuickFix, [_edit(spec, fix)])
        action.diagnostics = [as_problem(spec, diagnostic)]
        action.is_preferred = len(diagnostic.fixes) == 1
        yield action
    if diagnostic.code == "ragged-map":
        offset = diagnostic.span.start
        for statement in spec.document.statements:
            if any(row.span().start <= offset <= row.span().end for row in statement.rows):
                yield _action(
                    spec, "Fill up the rows of the map", lsp.CodeActionKind.QuickFix, squared(spec, statement)
                )


def _squaring(spec: SpecText, wanted: lsp.Range) -> Iterable[lsp.CodeAction]:
    """Yield the action that squares the map that a range touches, where its rows differ."""
    for statement in spec.document.statements:
        if statement.rows:
            place = spec.range(statement.keyword_span.start, statement.rows[-1].span().end)
            edits = squared(spec, statement) if _touches(place, wanted) else []
            if edits:
                yield _action(spec, "Fill up the rows of the map", lsp.CodeActionKind.RefactorRewrite, edits)


def _action(spec: SpecText, title: str, kind: str, edits: list[lsp.TextEdit]) -> lsp.CodeAction:
    document = lsp.OptionalVersionedTextDocumentIdentifier(spec.uri, spec.version)
    edit = lsp.WorkspaceEdit(document_changes=[lsp.TextDocumentEdit(document, list(edits))])
    return lsp.CodeAction(title, kind=kind, edit=edit)


def _edit(spec: SpecText, fix: Fix) -> lsp.TextEdit:
    return lsp.TextEdit(spec.range_of(fix.span), fix.replacement)


def _asked(kind: str, kinds: tuple[str, ...]) -> bool:
    return any(not each or kind == each or kind.startswith(f"{each}.") for each in kinds)


def _touches(one: lsp.Range, other: lsp.Range) -> bool:
    return (one.start.line, one.start.character) <= (other.end.line, other.end.character) and (
        other.start.line,
        other.start.character,
    ) <= (one.end.line, one.end.character)
