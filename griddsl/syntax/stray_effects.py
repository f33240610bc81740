"""Effects that stand alone, outside of every rule: `go coin to (1, 0)`, `teleport to start`, `agent goes to (1, 0)`."""

from __future__ import annotations

import re

from griddsl.diagnostics import Report
from griddsl.source import Fragment, Source
from griddsl.syntax.clauses import parse_effects
from griddsl.syntax.keywords import EFFECT_WORDS, STATEMENTS

_MOST_MENDED = 3


def effects_alone(line: Fragment, word: str) -> str | None:
    """Return the effects that a line surely is, mended where its words are others; None where it may be anything."""
    if word in STATEMENTS or re.search(r'[:"]', line.text):
        return None
    text = line.text.rstrip()
    for _ in range(_MOST_MENDED):
        report = Report()
        parse_effects(Source("", text).whole(), report)
        if not report.has_errors:
            return text if text.split(" ")[0] in EFFECT_WORDS else None
        fixes = next(iter(report)).fixes
        if len(fixes) != 1:
            return None
        text = fixes[0].applied()
    return None
