"""Several: a bare name of a kind that could be any of them, and how one of them is named there."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.facts.taken import which_is_taken
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.naming import of_candidate, which_one, which_there
from griddsl.source import Span
from griddsl.syntax.habits.mistake import CELL

_ASKED = re.compile(
    r"\.(\w+)(?:\s*(?:==|\bis\b)\s*(\w+(?:\.\w+)?)(?![\w.]|\s*[-+*/(]))?|\s+is\s+(?:(not)\s+)?(\w+)"
)

_COMPARED = re.compile(r"(?:\.\w+\s*(?:[<>]=?|[!=]=|\bis\b(?:\s+not\b)?)|\s+is(?:\s+not)?)\s*[\w.]*\w")


def report_several(ctx: Context, kind: Kind, count: int, span: Span, help: str | None = None) -> None:
    """Report that a kind could be any of several, with what names the one that is meant."""
    words = {each for each, attribute in kind.attributes.items() if attribute.domain.form == "words"}
    help = (
        help
        or _asked_there(kind.name, span)
        or which_there(kind.name, span)
        or which_is_taken(ctx.world, kind.name, span)
    )
    help = help or in_its_cell(kind, span) or which_one(kind.name, span, words)
    ctx.error("ambiguous", span, name=kind.name, count=count, help=help)


def _asked_there(name: str, span: Span) -> Help | None:
    """Return how `if (the torch at self) is torch: torch.lit = true` names the torch that it asks for."""
    line = span.source.text[: span.start].rpartition("\n")[2]
    asked = re.search(rf"\(the {name} at ({CELL})\) is {name}\b", line)
    if asked is None or span.through:
        return None
    start = span.start - len(line) + asked.start()
    place = Span(span.source, start, start + len(asked[0]))
    return write(f"{name} at {asked[1]}", ": it asks whether there is one, and names it", place)


def in_its_cell(kind: Kind, span: Span) -> str | None:
    """Return how the `where` of `random K` asks each cell for its K; None where the place is in no such condition."""
    name, text = kind.name, span.source.text
    line = text[: span.start].rpartition("\n")[2]
    drawn = re.search(rf"\b((?:random|every) {name}\b(?:\([^()]*\))?)[^:]*?\bwhere\b([^:]*)$", line)
    if drawn is None:
        return None
    behind = text[span.end : span.end + 80]
    if re.match(r"\.[xy]\b", behind):
        return of_candidate(span)
    asked = _ASKED.match(behind)
    pattern = None if asked is None else _pattern(kind, asked, bool(re.search(r"\bnot\s+$", line)))
    if asked is None:
        return write("here", ": it is the cell that is asked about", span)
    if pattern is None and asked[1] is not None:
        return write(f"(the {name} at here)", ": the one in the cell that is asked about", span)
    if pattern is None:
        compared = _COMPARED.match(behind)
        test = f"any {name} where {name} at here and {name}{compared[0] if compared else ' ...'}"
        if compared is None:
            return f"`{test}` asks the one in the cell"
        whole = Span(span.source, span.start, span.end + compared.end(), span.through)
        return write(f"({test})", ": it asks the one in the cell", whole)
    start = span.start - len(line) + drawn.start(1)
    end = span.end + asked.end()
    is_whole = drawn[2].strip() in {"", "not"} and drawn[1].endswith(name)
    if is_whole and re.match(r"\s*(?:[\n,#]|$)", text[end:]):
        how = f"{drawn[1]}{pattern}"
        return write(how, ": in brackets it is asked of each", Span(span.source, start, end, span.through))
    so = f"`{drawn[1].split()[0]} {name}{pattern}`"
    return f"`{name}{pattern} at here` asks it of the `{name}` in the cell, as {so} does"


def _pattern(kind: Kind, asked: re.Match[str], negated: bool) -> str | None:
    """Return the attribute in brackets that `K.attr`, `K.attr is word` and `K is word` ask for."""
    attribute = kind.attributes.get(asked[1] or "")
    if attribute is not None and asked[2] is None and attribute.domain.form == "bool":
        return f"({asked[1]}={'false' if negated else 'true'})"
    if attribute is not None and asked[2] is not None and not negated:
        return f"({asked[1]}={asked[2]})"
    negated = negated or asked[3] is not None
    for name, each in kind.attributes.items():
        if asked[4] == name and each.domain.form == "bool":
            return f"({name}={'false' if negated else 'true'})"
        if asked[4] in each.domain.words and not negated:
            return f"({name}={asked[4]})"
    return None
