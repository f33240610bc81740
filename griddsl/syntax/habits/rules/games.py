"""Board games in other words: a full board, several in a row, whose turn it is, what happens at a tick."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
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


_TOUCHING = re.compile(
    r"on\s+(?:collisions?|collide|contact|crash|touch|hit)\s+(?:of\s+|between\s+|with\s+)?(?:the\s+)?"
    r"(?:agent|player|avatar|self)\s+(?:and\s+|with\s+)?(?:the\s+|an?\s+)?(\w+)"
)


def touching(mistake: Mistake) -> Meant | None:
    """`on collision agent ghost:`: an event of the agent names what it meets."""
    said = _TOUCHING.match(mistake.text)
    if mistake.start != "rule" or said is None or mistake.begin > said.end():
        return None
    barred = mistake.barred_events(said[1])
    event = "meet" if mistake.moves_by_itself(said[1]) else barred[0] if barred else "enter"
    return Meant(write(f"on {event} {said[1]}"), 0, said.end(), expected="an event", start=0, stop=said.end())


def stands_over(mistake: Mistake) -> Meant | None:
    """`when agent over coin`: `on`."""
    said = re.match(r"(?:over|upon|atop|inside)\s+(?:the\s+|an?\s+)?(?=\w)", mistake.rest)
    who = mistake.last_word()
    if mistake.start not in CONDITIONS or said is None or who is None:
        return None
    return Meant(Help("write `on`", ("on ",)), expected="a relation", stop=mistake.begin + said.end())


_NEAR = re.compile(
    r"\bwithin\s+(\w+)(?:\s+(?:cells?|steps?|tiles?))?(?=\s*(?:\Z|:|,|\belse\b|\band\b|\bor\b))"
)


def near_whom(mistake: Mistake) -> Meant | None:
    """`moves toward agent if agent within 3 else random`: of whom is said."""
    here = (each for each in _NEAR.finditer(mistake.text) if each.start() <= mistake.begin <= each.end() + 1)
    said = next(here, None)
    if said is None or mistake.start not in {*CONDITIONS, "properties", "effects"}:
        return None
    if mistake.start == "properties" and not re.search(r"\bif\b", mistake.text[: said.start()]):
        return None
    if mistake.start == "rule" and re.match(r"on\s", mistake.text) and re.search(r"steps?\b", said[0]):
        return None  # `on enter goal within 10 steps`: of a time
    who = "self" if mistake.start == "properties" else "agent"
    help = write(f"within {said[1]} of {who}")
    return Meant(help, *said.span(), expected="of whom", start=said.start(), stop=said.end())


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (full, in_a_row, tick, timer, over, touching, stands_over, near_whom)
