"""Board games in other words: a full board, several in a row, whose turn it is, what happens at a tick."""

from __future__ import annotations

import re

from griddsl.diagnostics import write
from griddsl.syntax.habits.mistake import CONDITIONS, Habits, Meant, Mistake

_FULL = re.compile(
    r"\b(?:(?:the\s+)?(?:board|map|grid|field)\s+(?:is\s+)?full|(?:all|every)\s+(?:cells?|squares?|tiles?)\s+(?:is\s+|are\s+)?"
    r"(?:full|filled|taken|occupied)|no\s+(?:empty|free)\s+(?:cells?|squares?|tiles?|places?)(?:\s+left)?|no\s+\w+\s+(?:is\s+)?"
    r"(?:empty|free)(?:\s+left)?)(?=\s*(?:\Z|:|\band\b|\bor\b))"
)
_ROW = re.compile(r"\b(\d+)\s+(\w+)\s+in\s+(?:a|one)\s+(?:row|line|column)\b")
_TICK = re.compile(
    r"(?:on|each|every|at)\s+(?:each\s+|every\s+)?(?:tick|turn|frame|update|time\s*step|timestep|round)s?\b"
)
_TIMER = re.compile(
    r"(?:on|when)\s+(?:timer|time|timeout|countdown|clock)\s+(?:is\s+|==?\s+)?(\d+)(?:\s+steps?)?(?=\s*\Z)"
)


def full(mistake: Mistake) -> Meant | None:
    """`when board is full`, `when no empty cell`: the cells of the ground on which nothing stands are counted."""
    said = next(mistake.around(_FULL), None)
    if mistake.start not in CONDITIONS or said is None:
        return None
    line = "what is left is counted, by its ground and what stands there: `count(floor where no stone at floor) == 0`"
    return Meant(line, *said.span(), found=f"`{said[0]}`", expected="a condition")


def in_a_row(mistake: Mistake) -> Meant | None:
    """`when 3 stone in a row`: a condition asks the cells beside each other."""
    said = next(mistake.around(_ROW), None)
    if mistake.start not in CONDITIONS or said is None:
        return None
    kind = mistake.singular(said[2]) or said[2]
    line = f"a row is asked for cell by cell: `any cell where (any {kind} at here) and (any {kind} at (x + 1, y))`"
    return Meant(line, *said.span(), found=f"`{said[0]}`", expected="a condition")


def tick(mistake: Mistake) -> Meant | None:
    """`every turn:`, `on tick:`, `each frame:`: what is done in each step."""
    said = _TICK.match(mistake.text)
    if mistake.start != "rule" or said is None or mistake.begin > said.end():
        return None
    if not re.match(r"\s*\Z|\s+(?:if|with)\b", mistake.text[said.end() :]):
        return None
    return Meant(write("each step"), 0, said.end(), expected="`each step`", start=0, stop=said.end())


def timer(mistake: Mistake) -> Meant | None:
    """`on timer 10:`: the number of the step is asked."""
    said = _TIMER.match(mistake.text)
    if mistake.start != "rule" or said is None or mistake.begin > said.end():
        return None
    help = write(f"when step == {said[1]}", f", or `every {said[1]} steps`")
    return Meant(help, 0, said.end(), expected="a condition", start=0, stop=said.end())


def over(mistake: Mistake) -> Meant | None:
    """`on game over:`, `on end:`: what an end is worth is paid by the rule that ends."""
    said = re.match(
        r"on\s+((?:the\s+)?(?:game|episode)(?:\s+(?:over|ends?))?|end|win|lose|failure|success)\s*\Z",
        mistake.text,
    )
    if mistake.start != "rule" or said is None:
        return None
    line = "what an end is worth stands beside it, in the rule that ends: `when C: reward 10, end success`"
    return Meant(line, *said.span(1), expected="an event")


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (full, in_a_row, tick, timer, over)
