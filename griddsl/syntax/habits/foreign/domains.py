"""Habits in what a parameter or a variable can be, and in how many steps there are."""

from __future__ import annotations

import re

from griddsl.diagnostics import write
from griddsl.syntax.habits.mistake import Meant, Mistake
from griddsl.syntax.keywords import RESERVED

_NUMBER = r"-?\d+(?:\.\d+)?"
_FIRST = rf"(?P<first>{_NUMBER})"
_LOW, _HIGH = rf"(?P<low>{_NUMBER})", rf"(?P<high>{_NUMBER})"
_DOMAINS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_FIRST}\s*,?\s*min(?:imum)?\s*[=:]?\s*{_LOW}\s*,?\s*(?:and\s+)?max(?:imum)?\s*[=:]?\s*{_HIGH}",
        rf"{_FIRST}\s*,\s*{_LOW}\s*(?:\.\.|-|to)\s*{_HIGH}",
        rf"{_FIRST}\s*,?\s*(?:from|between|range)\s+{_LOW}\s*(?:\.\.|-|to|and)\s*{_HIGH}",
        rf"(?:from|between|range)\s+{_LOW}\s*(?:\.\.|-|to|and)\s*{_HIGH}",
    )
)
_THEN = re.compile(
    r"(?P<steps>\d+)\s*(?:steps?)?\s*(?:,|:|then|with|->|=>)\s*(?:(?P<end>(?:end\s+)?(?:failure|success|lose|win|fail))|(?:reward\s+)?(?P<reward>[+-]?[\d.]+))"
    r"|reward\s+(?P<paid>[+-]?[\d.]+)\s+(?:after|at)\s+(?P<after>\d+)\s+steps?"
)


def domain_in_words(mistake: Mistake) -> Meant | None:
    """`param size: 5 min 3 max 10`, `var n: 5, 3..10`, `param size: between 3 and 10`."""
    if mistake.start != "variable":
        return None
    text = mistake.text.strip()
    for pattern in _DOMAINS:
        if (said := pattern.fullmatch(text)) is not None:
            first = said.groupdict().get("first") or said["low"]
            help = write(f"{first} in {said['low']}..{said['high']}", ": its first value, and what it can be")
            stop = len(mistake.text.rstrip())
            return Meant(help, expected="a first value and a domain", begin=0, end=stop, start=0, stop=stop)
    return None


_IN_BRACKETS = re.compile(r"\bin\s*([({\[])([^(){}\[\]]*)[)}\]]")


def domain_in_brackets(mistake: Mistake) -> Meant | None:
    """`color in (red | blue)`, `var n: 1 in {1, 2}`, `level in [1..3]`: a domain stands without brackets."""
    if mistake.start not in {"variable", "properties"}:
        return None
    said = next(mistake.around(_IN_BRACKETS), None)
    if said is None or (said[1] == "[" and not re.search(r"\||\w[^,]*,[^,]*,|[A-Za-z]", said[2])):
        return None
    if not re.search(r"[|,]|\.\.|\bor\b", said[2]):
        return None
    values = " | ".join(re.split(r"\s*(?:[|,]|\bor\b)\s*", said[2].strip()))
    if next((value for value in re.findall(r"\w+", values) if value in RESERVED - {"true", "false"}), None):
        return None
    help = write(f"in {values}", ": a domain has no brackets")
    begin = said.start(1)
    return Meant(
        help, begin, begin + 1, expected="a domain without brackets", start=said.start(), stop=said.end()
    )


def paid_at_the_limit(mistake: Mistake) -> Meant | None:
    """`limit: 100 steps, reward -1`, `limit: 100 steps then failure`: a rule of the last step says what happens."""
    said = _THEN.fullmatch(mistake.text.strip())
    if mistake.start != "limit" or said is None:
        return None
    reward, ends = said["reward"] or said["paid"], said["end"]
    steps, does = said["steps"] or said["after"], f"reward {reward}" if reward else "end failure"
    if ends and re.search("success|win", ends):
        does = "end success"
    stop = len(mistake.text.rstrip())
    return Meant(
        write(f"{steps} steps", f", and a rule of the last step: `when step == limit: {does}`"),
        *(0, stop),
        expected="how many steps there are",
        start=0,
        stop=stop,
    )
