"""Habits in the sums of an episode and in what a mission says: how else they are asked for."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import Meant, Mistake

_EVENTS = r"enter|leave|bump|push|pickup|drop|toggle|meet"


def of_rewards(mistake: Mistake) -> Meant | None:
    """`total rewards`, `sum of rewards`, `cumulative reward`, `episode return`; and `total reward` in a rule."""
    words = r"\b(total|sum|cumulative|accumulated|episode)\s+(of\s+)?(the\s+|all\s+)?(rewards?|returns?)\b"
    said = re.search(words, mistake.text)
    if said is None or not mistake.item_start() <= said.start() < mistake.item_end():
        return None  # what stands beside the mistake is as it should be
    if mistake.start in {"infos", "told"}:
        return Meant(
            write("total reward"), *said.span(), expected="a value", start=said.start(), stop=said.end()
        )
    if mistake.start not in {"effects", "expression", "rule", "if_head", "observations"}:
        return None
    line = "no rule asks for it, it is told: `info: gained = total reward`; a rule can count in a variable of its own"
    return Meant(line, *said.span(), found=f"`{said[0]}`", expected="a value of the game")


def of_events(mistake: Mistake) -> Meant | None:
    """`count of pickup coin`, `count on pickup coin`, `number of pickup coin`, `count of coin`."""
    if mistake.start not in {"infos", "told"}:
        return None
    said = re.search(rf"\b(count|number|times)\s+(of\s+|on\s+)+(({_EVENTS})\s+\w+)", mistake.text)
    if said is not None:
        line = write(f"count of on {said[3]}")
        return Meant(line, *said.span(), expected="a value", start=said.start(), stop=said.end())
    things = re.search(r"\b(count|number)\s+of\s+(\w+)\s*\Z", mistake.text[: mistake.item_end()])
    if things is None or not mistake.is_kind(things[2]):
        return None
    return Meant(
        write(f"count({things[2]})"),
        *things.span(),
        expected="a value",
        start=things.start(),
        stop=things.end(),
    )


def of_moments(mistake: Mistake) -> Meant | None:
    """`count when C`, `count of on when C`, `number of times when C`; and `count of when C if D`."""
    if mistake.start not in {"infos", "told"}:
        return None
    start, stop = mistake.item_start(), mistake.item_end()
    counted = re.compile(r"\b(count|number|times|how\s+often)(\s+(of|on|times|steps))*\s+when\b")
    said = counted.search(mistake.text, start, stop)
    if said is None:
        return None
    if not re.fullmatch(r"count\s+of\s+when", said[0]):
        return Meant(
            write("count of when"), *said.span(), expected="a value", start=said.start(), stop=said.end()
        )
    if mistake.found == "if" or "ELSE" in mistake.expected:
        at = mistake.begin if mistake.found == "if" else mistake.text.rindex(" if ", start, stop) + 1
        help = write("and", ": what is counted is one condition")
        return Meant(help, at, at + 2, found="`if`", expected="`,` or the end")
    return None


def one_text(mistake: Mistake) -> Meant | None:
    """`mission: "go" if C`: nothing is said of the other case."""
    alone = re.match(r'"(?:\\.|[^"\\])*"\s*if\b', mistake.text) is not None
    if mistake.start != "expression" or not alone or mistake.found or "ELSE" not in mistake.expected:
        return None
    end = len(mistake.text)
    line = Help('what it says otherwise follows, be it nothing: `else ""`', (' else ""',))
    return Meant(line, expected="`else` and another text", start=end, stop=end)
