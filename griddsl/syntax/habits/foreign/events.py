"""Events in other words: `on pick up coin`, `on pickup(coin)`, `on bob eats food`, `on do mark spot`."""

from __future__ import annotations

import re

from griddsl.diagnostics import listing, write
from griddsl.syntax.habits.mistake import CONDITIONS, Habits, Meant, Mistake
from griddsl.syntax.keywords import EVENTS

_IN_TWO = {
    "pick up": "pickup",
    "bump into": "bump",
    "put down": "drop",
}
_OF_ANOTHER = {
    **dict.fromkeys(
        ("eats", "eat", "touch", "reach", "hit", "hits", "step", "steps", "walks", "visits", "lands"), "enter"
    ),
    **dict.fromkeys(("crash", "crashes"), "bump"),
    **dict.fromkeys(("attacks", "attack", "catch", "catches", "captures", "tags", "kills", "kill"), "meet"),
}


def in_two_words(mistake: Mistake) -> Meant | None:
    """`on pick up coin`, `on bump into wall`: an event is one word."""
    words = "|".join(phrase.replace(" ", r"\s+") for phrase in _IN_TWO)
    said = re.match(rf"on\s+(?:(\w+)\s+)?({words})\s+(?:the\s+|an?\s+)?(?=\w)", mistake.text)
    if mistake.start != "rule" or said is None or mistake.begin > said.end():
        return None
    event = _IN_TWO[" ".join(said[2].split())]
    subject = "" if said[1] in {None, "agent", "player"} else f"{said[1]} "
    return Meant(write(f"on {subject}{event}"), *said.span(2), start=0, stop=len(said[0].rstrip()))


def in_brackets(mistake: Mistake) -> Meant | None:
    """`on pickup(coin)`, `on enter(goal)`: what an event is about has no brackets."""
    said = re.match(rf"on\s+({'|'.join(EVENTS)})\s*\(\s*(\w+)\s*\)", mistake.text)
    if mistake.start != "rule" or said is None or not said.start(2) <= mistake.begin < said.end():
        return None
    help = write(f"on {said[1]} {said[2]}", ": several kinds stand in brackets, `(a or b)`")
    return Meant(help, said.end(1), said.end(), expected="a kind", start=0, stop=said.end())


def of_two_subjects(mistake: Mistake) -> Meant | None:
    """`on red, blue enter coin`, `on (red or blue) enter coin`: a rule is about one kind, or about all agents."""
    names = r"\(?\s*(?P<one>\w+)\s*(?:,|or\b|and\b|\|)\s*(?P<other>\w+)\s*\)?"
    said = re.match(rf"on\s+(?P<who>{names})\s+(?P<event>{'|'.join(EVENTS)})\s+(?P<what>\w+)", mistake.text)
    if mistake.start != "rule" or said is None or mistake.begin >= said.start("event"):
        return None
    if said["one"] in EVENTS:
        return None
    declared = re.search(r"^agents\s*:(.*(?:\n[ \t]+.*)*)", mistake.whole, re.MULTILINE)
    agents = set() if declared is None else set(re.findall(r"[A-Za-z_]\w*(?=\s*(?:[,*]|\Z|\n))", declared[1]))
    if agents == {said["one"], said["other"]}:
        help = write(
            f"on {said['event']} {said['what']}", ": it fires for every agent, and `self` is who it was"
        )
        return Meant(help, *said.span("who"), expected="one kind", start=0, stop=said.end())
    rules = [f"on {said[each]} {said['event']} {said['what']}: ..." for each in ("one", "other")]
    return Meant(f"a rule for each: {listing(rules, 'and')}", *said.span("who"), expected="one kind")


def of_another_word(mistake: Mistake) -> Meant | None:
    """`on bob eats food`: what happens between two has one of the words of the events."""
    said = re.match(
        r"on\s+(\w+)\s+([a-z_]+)\s+(?:the\s+|an?\s+)?([A-Za-z_]\w*)(?=\s*\Z|\s+(?:if|with)\b)", mistake.text
    )
    if mistake.start != "rule" or said is None or mistake.begin > said.end(2) or said[2] in EVENTS:
        return None
    if said[1] in {*EVENTS, "do", "fail", "act"} or said[2] in {
        "if",
        "with",
        "do",
        "fail",
        "act",
        "onto",
        "into",
        "to",
    }:
        return None
    agents = re.search(rf"^agents\b.*\b{said[1]}\b", mistake.whole, re.MULTILINE) is not None
    if not (mistake.is_kind(said[1]) or agents or said[1] == "agent"):
        return None
    events = [each for each in (said[2], re.sub(r"(?:e?s)\Z", "", said[2])) if each in EVENTS]
    event = events[0] if events else _OF_ANOTHER.get(said[2])
    if event is None:
        return None
    if event == "enter" and mistake.barred_events(said[3]):
        event = "bump"
    elif event == "enter" and mistake.moves_by_itself(said[3]):
        event = "meet"
    subject = "" if said[1] == "agent" else f"{said[1]} "
    return Meant(
        write(f"on {subject}{event} {said[3]}"),
        *said.span(2),
        expected=listing(EVENTS),
        start=0,
        stop=said.end(),
    )


def with_the_other(mistake: Mistake) -> Meant | None:
    """`on collide other`, `on hit other agent`: agents meet, and each is an agent to the other."""
    said = re.match(
        r"on\s+(collides?|hits?|touch|touches|catch|catches|encounters?)\s+(?:with\s+)?(?:the\s+)?other(?:\s+agent)?\b",
        mistake.text,
    )
    if mistake.start != "rule" or said is None or mistake.begin > said.end():
        return None
    return Meant(write("on meet agent"), *said.span(1), expected=listing(EVENTS), start=0, stop=said.end())


def every_few_steps(mistake: Mistake) -> Meant | None:
    """`on do pickup every 3 steps`: how often is the trigger of a rule of its own, or a number that is asked."""
    said = re.match(r"every\s+(\w+)(?:\s+(?:steps?|turns?))?(?=\s*\Z|\s+if\b)", mistake.rest)
    if mistake.start != "rule" or said is None or not re.match(r"(?:on|each|when)\b", mistake.text):
        return None
    behind = re.match(r"\s+if\b", mistake.rest[said.end() :])
    joint = "and" if re.search(r"\bif\b|\Awhen\b", mistake.before) else "if"
    if (behind is not None and joint == "and") or re.search(r"\bor\b", mistake.text):
        return Meant(f"ask the number of the step: `step mod {said[1]} == 0`")
    stop = mistake.begin + said.end() + (0 if behind is None else behind.end())
    help = write(
        f"{joint} step mod {said[1]} == 0{'' if behind is None else ' and'}", ": so in these steps alone"
    )
    return Meant(help, start=mistake.begin, stop=stop)


def in_front(mistake: Mistake) -> Meant | None:
    """`wall in front`, `box in front of agent`: what is in the cell that the agent faces is ahead."""
    said = re.search(
        r"\b(\w+)\s+(?:is\s+)?in\s+front\b(?:\s+of\s+(?:the\s+)?(?:agent|self|player))?", mistake.text
    )
    if mistake.start not in CONDITIONS or said is None or not said.start() <= mistake.begin <= said.end():
        return None
    return Meant(write(f"{said[1]} ahead"), start=said.start(), stop=said.end())


def in_the_hand(mistake: Mistake) -> Meant | None:
    """`key in agent`, `key in inventory`, `key in chest`: who has something stands before it."""
    holders = re.findall(r"^object\s+(\w+)\b.*\bcarries\b", mistake.whole, re.MULTILINE)
    said = re.search(
        rf"\b(\w+)\s+(?:is\s+)?in\s+(?:the\s+)?({'|'.join(['agent|self|inventory|hands?|bag|backpack', *holders])})\b",
        mistake.text,
    )
    if mistake.start not in CONDITIONS or said is None or not said.start() <= mistake.begin <= said.end():
        return None
    carried = rf"^object\s+{re.escape(said[1])}\b.*\bportable\b"
    if said[2] in {"agent", "self"} and re.search(carried, mistake.whole, re.MULTILINE) is None:
        return None
    return Meant(
        write(f"{said[2] if said[2] in {'self', *holders} else 'agent'} has {said[1]}"),
        start=said.start(),
        stop=said.end(),
    )


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (in_two_words, in_brackets, with_the_other, of_two_subjects)
