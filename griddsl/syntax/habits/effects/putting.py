"""Habits in putting things somewhere: cells without brackets, numbers behind, words for `at` and for chance."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import Habits, Meant, Mistake
from griddsl.syntax.keywords import EFFECT_WORDS

_WHAT = r"(?:\d+\s+|[a-z_]\w*\s+(?=\w+\s*\(?))?[A-Za-z_]\w*(?:\([^()]*\))?"


def bare_pair(mistake: Mistake) -> Meant | None:
    """`place mud at agent.x + 1, agent.y`: a cell stands in brackets."""
    if mistake.start != "effects":
        return None
    said = re.search(
        r"\b(?:place\s+[^,]*?\bat|(?:move|go)\b[^,]*?\bto)\s+((?:[^,()]|\([^()]*\))+?)\s*,\s*((?:[^,()]|\([^()]*\))+?)\s*\Z",
        mistake.text,
    )
    if said is None or mistake.begin < said.start(2):
        return None
    first = re.match(r"\w+", said[2])
    if first is None or first[0] in EFFECT_WORDS or re.match(r"random\b|every\b", said[1]):
        return None
    if re.fullmatch(r"\([^()]*,[^()]*\)", said[1]) or re.search(r"\w\s+(?!mod\b|if\b|else\b)[a-z_]", said[2]):
        return None  # another effect, misspelt
    if not (re.search(r"[.\d+*-]", said[1]) and re.search(r"[.\d+*-]", said[2])) or re.search(
        r"[^<>=!]=", said[2]
    ):
        return None
    start, stop = said.start(1), said.end(2)
    pair = f"({said[1]}, {said[2]})"
    return Meant(
        write(pair),
        start,
        stop,
        found=f"`{said[1]}, {said[2]}`"[:60],
        expected="a cell, `(x, y)`",
        start=start,
        stop=stop,
    )


def on_a_cell(mistake: Mistake) -> Meant | None:
    """`place mud on spot`, `place mud to spot`: a cell follows `at`; on a kind of ground it is drawn."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(
        rf"(place\s+{_WHAT})\s+(on|to|onto|over)\s+(?:the\s+|an?\s+)?([A-Za-z_]\w*)",
        mistake.text[start:stop],
    )
    if mistake.start != "effects" or said is None:
        return None
    where = said[3] if mistake.gives(said[3]) and not mistake.is_kind(said[3]) else f"random {said[3]}"
    where = said[3] if re.search(rf"\b{said[3]}\s+in\s+cells\b", mistake.whole) else where
    at = start + said.start(2)
    return Meant(
        write(f"{said[1]} at {where}"), at, at + len(said[2]), f"`{said[2]}`", "`at`", start=start, stop=stop
    )


def by_chance(mistake: Mistake) -> Meant | None:
    """`place hole randomly where C`, `place hole somewhere`: a place is drawn among cells of a kind."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.match(
        rf"(place\s+{_WHAT})\s+(?:at\s+)?(?:randomly|somewhere|anywhere)\b", mistake.text[start:stop]
    )
    if mistake.start != "effects" or said is None:
        return None
    return Meant(write(f"{said[1]} at random floor"), start=start, stop=start + said.end())


def number_behind(mistake: Mistake) -> Meant | None:
    """`place hole at random floor x 3`, `... 3 times`: how many stands before the kind."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.match(
        r"place\s+([A-Za-z_]\w*(?:\([^()]*\))?)(\s+at\s+random\s+\w+(?:\s+where\s+.*?)?)\s+(?:(?:x|times|\*)\s*(\w+)|(\w+)\s+times)(?=\s*\Z|\s+where\b)",
        mistake.text[start:stop],
    )
    alone = re.fullmatch(
        r"place\s+([A-Za-z_]\w*(?:\([^()]*\))?)\s+(?:(?:x|\*)\s*(\d+)|(\d+)\s+times)",
        mistake.text[start:stop],
    )
    if mistake.start == "effects" and alone is not None:
        help = write(
            f"place {alone[2] or alone[3]} {alone[1]} at random free", ": how many stands before the kind"
        )
        return Meant(help, start=start, stop=stop)
    if mistake.start != "effects" or said is None:
        return None
    help = write(f"place {said[3] or said[4]} {said[1]}{said[2]}", ": how many stands before the kind")
    return Meant(help, start=start, stop=start + said.end())


def where_of_a_kind(mistake: Mistake) -> Meant | None:
    """`place hole at floor where C`: a cell that is drawn is `random`."""
    start = mistake.item_start()
    said = re.match(
        rf"place\s+{_WHAT}\s+(at)\s+(?!random\b|every\b)([A-Za-z_]\w*)\s+(?=where\b|reachable\b)",
        mistake.text[start:],
    )
    if mistake.start != "effects" or mistake.found not in {"where", "reachable"} or said is None:
        return None
    at = start + said.start(1)
    stop = start + said.end(2)
    return Meant(write(f"at random {said[2]}"), at, stop, expected="`random`", start=at, stop=stop)


def coloured(mistake: Mistake) -> Meant | None:
    """`place red key at ...`: what a thing is like stands in brackets behind it."""
    start = mistake.item_start()
    said = re.match(
        r"(?:place|remove|pickup|drop|move)\s+(?:\d+\s+)?(([a-z_]\w*)\s+([a-z_]\w*))\b(?!\()",
        mistake.text[start:],
    )
    attribute = said and mistake.attribute_with(said[2], said[3])
    if mistake.start != "effects" or said is None or not attribute:
        return None
    begin, stop = start + said.start(1), start + said.end(1)
    return Meant(write(f"{said[3]}({attribute}={said[2]})"), begin, stop, start=begin, stop=stop)


def paid_by_colon(mistake: Mistake) -> Meant | None:
    """`ann: reward -1`: whose it is stands behind `to`."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(r"([A-Za-z_]\w*)\s*:\s*(reward\s*=?\s*[^,]+?)", mistake.text[start:stop])
    if mistake.start != "effects" or mistake.found != ":" or said is None:
        return None
    return Meant(write(f"{said[2]} to {said[1]}"), start=start, stop=stop)


def taken_from(mistake: Mistake) -> Meant | None:
    """`remove key from the map`: what is removed is on no map any more."""
    said = re.match(r"from\s+(?:the\s+)?(?:map|board|grid|game|world|level)\b\s*", mistake.rest)
    if mistake.start != "effects" or said is None or not re.search(r"\bremove\s[^,]*\Z", mistake.before):
        return None
    start, stop = len(mistake.before), mistake.begin + len(said[0].rstrip())
    return Meant(Help(f"leave `{said[0].rstrip()}` out", ("",)), start=start, stop=stop)


def taken_out_of(mistake: Mistake) -> Meant | None:
    """`remove fish from the boat`: what a condition finds in a holder is what is removed."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(
        r"(remove|take|pickup|drop)\s+(?:an?\s+|the\s+)?(\w+(?:\([^()]*\))?)\s+(?:out\s+of|from|off)\s+(?:the\s+|an?\s+)?(\w+)",
        mistake.text[start:stop],
    )
    if mistake.start != "effects" or said is None:
        return None
    thing = re.match(r"\w+", said[2])
    assert thing is not None
    verb = "remove" if said[1] == "take" else said[1]
    holds = rf"^object\s+{said[3]}\b(?:.*\n[ \t]+)*.*\bcarries\b"
    relation = "has" if re.search(holds, mistake.whole, re.MULTILINE) or said[3] == "agent" else "on"
    left, right = (said[3], said[2]) if relation == "has" else (said[2], said[3])
    line = f"... if {left} {relation} {right}: {verb} {thing[0]}"
    return Meant(f"a condition finds it first: `{line}`")


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (
    bare_pair,
    taken_from,
    taken_out_of,
    number_behind,
    where_of_a_kind,
    coloured,
    paid_by_colon,
)
