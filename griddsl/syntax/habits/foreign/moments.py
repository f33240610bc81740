"""Moments in other words: `when first step`, `every 2nd step`, `every 5 steps after 20`, `end in 10 steps`."""

from __future__ import annotations

import re

from griddsl.diagnostics import write
from griddsl.syntax.habits.mistake import Habits, Meant, Mistake

_ORDINALS = {"second": 2, "other": 2, "third": 3, "fourth": 4, "fifth": 5, "tenth": 10}


def ordinal(mistake: Mistake) -> Meant | None:
    """`every 2nd step`, `every other step`, `every third step`: so many steps."""
    said = re.match(r"(?:each|every)\s+(?:(\d+)(?:st|nd|rd|th)|(\w+))\s+(?:steps?|turns?)\b", mistake.text)
    if mistake.start != "rule" or said is None or mistake.begin > said.end():
        return None
    count = said[1] or _ORDINALS.get(said[2])
    if count is None:
        return None
    return Meant(
        write(f"every {count} steps"),
        0,
        said.end(),
        expected="`every` and a number",
        start=0,
        stop=said.end(),
    )


def counted_from(mistake: Mistake) -> Meant | None:
    """`every 5 steps after 20`, `every 5 steps from 10`, `every 5 steps until 30`: a condition on the step."""
    said = re.match(
        r"(?:each\s+step|every\s+\w+\s+steps?)\s+((after|from|starting(?:\s+(?:at|from))?|until|before)\s+(?:step\s+)?(\w+)"
        r"(?:\s+steps?)?)(?=\s*\Z)",
        mistake.text,
    )
    if mistake.start != "rule" or said is None or not said.start(1) <= mistake.begin <= said.end():
        return None
    sign = {"after": ">", "from": ">=", "starting": ">="}.get(said[2].split()[0], "<")
    return Meant(write(f"if step {sign} {said[3]}"), *said.span(1), start=said.start(1), stop=said.end(1))


def named_step(mistake: Mistake) -> Meant | None:
    """`when first step`, `on last step`: the number of the step is asked."""
    said = re.match(
        r"(?:when|on|at|each|if)\s+(?:the\s+)?(?:(first|last|final|1st)\s+(?:step|turn)|step\s+(\d+))(?=\s*\Z|\s+(?:if|with)\b)",
        mistake.text,
    )
    if mistake.start != "rule" or said is None or mistake.begin > said.end():
        return None
    number = said[2] or ("1" if said[1] in {"first", "1st"} else "limit")
    return Meant(
        write(f"when step == {number}"), 0, said.end(), expected="a condition", start=0, stop=said.end()
    )


def once_only(mistake: Mistake) -> Meant | None:
    """`when step > 10 once`: what has happened is remembered in a variable."""
    said = re.match(r"(?:only\s+)?once\b", mistake.rest)
    if mistake.start != "rule" or said is None:
        return None
    joint = "and" if re.search(r"\bif\b|\Awhen\b", mistake.before) else "if"
    line = f"a variable remembers it: `var done: false`, `{mistake.before[:40]} {joint} not done: done = true, ...`"
    return Meant(line, stop=mistake.begin + said.end())


def out_heard(mistake: Mistake) -> Meant | None:
    """`on red out`, `when red out`: that somebody went out is asked."""
    said = re.match(r"(on|when)\s+(\w+)\s+(?:is\s+|goes\s+)?out(?=\s*\Z|\s+(?:if|with|and)\b)", mistake.text)
    if mistake.start != "rule" or said is None or mistake.begin > said.end():
        return None
    line = f"what `out` is worth stands beside it, `out, reward -1`; `no {said[2]} left` asks whether all are out"
    return Meant(line, said.start(2), said.end(), expected="an event" if said[1] == "on" else "a condition")


def end_later(mistake: Mistake) -> Meant | None:
    """`end in 10 steps`, `end after 5`: a variable counts."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(
        r"(\w+)\b.*?\s+((?:in|after)\s+(\d+)(?:\s+(?:more\s+)?(?:steps?|turns?))?)", mistake.text[start:stop]
    )
    if (
        mistake.start != "effects"
        or said is None
        or said[1] not in {"end", "reward", "remove", "out", "truncate"}
    ):
        return None
    if mistake.begin < start + said.start(2) and mistake.found not in {"in", "after"} | {said[3]}:
        return None
    counts = f"`timer = {int(said[3][:9]) + 1}` here, `when timer == 1: {said[1]} ...`"
    line = f"a variable counts: {counts}, and below it `each step: timer -= 1`"
    return Meant(line, start + said.start(2), stop, expected="`,` or the end")


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (ordinal, counted_from, named_step, once_only, out_heard, end_later)
