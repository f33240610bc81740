"""Effects that stand alone, outside of every rule: `go coin to (1, 0)`, `teleport to start`, `agent goes to (1, 0)`."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, Report
from griddsl.source import Fragment, Source
from griddsl.syntax.keywords import EFFECT_WORDS, STATEMENTS

_MOST_MENDED = 3
_AGENT_GOES = re.compile(r"agent\s+(?:(?:goes|go|moves?|jumps?|teleports?|returns?)\s+to|to|at)\s")


def is_effect_of(line: Fragment) -> bool:
    """Whether a line says of the agent where it goes, which no statement does: `agent goes to start`."""
    return _AGENT_GOES.match(line.text) is not None


def effects_alone(line: Fragment, word: str) -> str | None:
    """Return the effects that a line surely is, mended where its words are others; None where it may be anything."""
    if (word in STATEMENTS and not is_effect_of(line)) or re.search(r'[:"]', line.text):
        return None
    # With lark, which nobody needs who only looks for the heads of specs.
    from griddsl.syntax.clauses import parse_effects

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


def help_in_a_rule(line: Fragment, effect: str) -> str:
    """Return the help line of an effect that stands alone: where it belongs."""
    if effect.startswith("end"):
        return f"an end is a rule's effect, as in `on enter goal: {effect}`"
    where = "setup" if effect.startswith("place") else "each step"
    help = f"an effect stands in a rule, as in `{where}: {effect}`"
    if where == "setup":
        help = f"an effect stands in `setup:`, or in a rule: `setup: {effect}`"
    return Help(help, (f"{where}: {effect}",), place=line.span())


def shown_effect(text: str, word: str, meant: str) -> str:
    """Return a line as the effect that its first word means, in part where it is long."""
    rest = text[len(word) :].strip().removeprefix(":").strip()
    return f"{meant} {rest}".strip() if len(rest) <= 30 else f"{meant} ..."
