"""Habits in where something is placed, and in outcomes and names behind their conditions."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import Habits, Meant, Mistake

_CELLS = {"cell", "tile", "square", "spot", "place", "position", "floor"}


def placed_here(mistake: Mistake) -> Meant | None:
    """`place pit here`, `place pit ahead`: a cell follows `at`."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.match(
        r"(place\s+(?:\d+\s+)?\w+(?:\([^()]*\))?)\s+(at\s+)?(here|ahead)\b", mistake.text[start:stop]
    )
    if mistake.start != "effects" or said is None:
        return None
    stop = start + said.end()
    me = "self" if re.search(r"^agents\b", mistake.whole, re.MULTILINE) else "agent"
    if said[3] == "here":
        if re.search(r"\beach\s+cell\b", mistake.whole):
            return Meant(write(f"{said[1]} at here"), start=start, stop=stop)
        return Meant(write(f"{said[1]} at {me}", ": in its own cell"), start=start, stop=stop)
    column, row = f"{me}.x + dx({me}.facing)", f"{me}.y + dy({me}.facing)"
    ahead = f"{said[1]} at ({column}, {row})"
    faces = r"^agent\b[^\n]*:[^\n]*\bfacing\b|^actions\b[^\n]*(?:\n[ \t]+[^\n]*)*\b(?:turn_left|turn_right|forward)\b"
    if re.search(faces, mistake.whole, re.MULTILINE) is None and "minigrid" not in mistake.whole:
        line = f"what is ahead is a cell for an agent with a facing: `agent: facing`, and `{ahead}`"
        return Meant(line, expected="`at` and a cell")
    return Meant(write(ahead, ": the next cell that way"), start=start, stop=stop)


def free_cell(mistake: Mistake) -> Meant | None:
    """`at random free cell`, `at random empty tile`: what is free is a cell by itself."""
    said = re.search(r"\brandom\s+(free|empty|vacant|unoccupied|available|open)\Z", mistake.before)
    if said is None or mistake.found not in _CELLS:
        return None
    return Meant(
        Help("what is free is a cell by itself: `at random free`", ("free",)),
        start=said.start(1),
        stop=mistake.end,
    )


def random_of_the_border(mistake: Mistake) -> Meant | None:
    """`at random free border cell`, `at random border cell`: where it is to lie stands behind `in`."""
    for said in mistake.around(
        re.compile(r"\brandom\s+(?:(\w+)\s+)?(border|edge|boundary)\b(?:\s+(?:cells?|tiles?))?")
    ):
        if re.match(r"\s+in\b", mistake.text[said.end() :]) is None and said[1] != "in":
            return Meant(write(f"random {said[1] or 'free'} in border"), start=said.start(), stop=said.end())
    return None


def where_behind_reachable(mistake: Mistake) -> Meant | None:
    """`at random floor reachable from agent where C`: the condition stands before it."""
    said = re.search(r"\s*(reachable\s+from\s+\w+(?:\([^()]*\))?)\s*\Z", mistake.before)
    if said is None or mistake.found != "where" or re.search(r"\bwhere\b[^,]*\Z", mistake.before):
        return None
    asked = re.match(r"(where\s+(?:[^,()]|\([^()]*\))+?)\s*(?=,|\bif\s+free\b|\Z)", mistake.rest)
    if asked is None:
        return None
    return Meant(
        write(f" {asked[1]} {said[1]}"),
        start=said.start(),
        stop=mistake.begin + asked.end(1),
        expected="it before `reachable`",
    )


def placed_beside(mistake: Mistake) -> Meant | None:
    """`place coin next to agent`, `place coin where agent is`: a cell beside another thing, or its own."""
    start, stop = mistake.item_start(), mistake.item_end()
    item = mistake.text[start:stop]
    said = re.fullmatch(
        r"(place\s+(?:\d+\s+)?\w+(?:\([^()]*\))?)\s+(?:at\s+)?"
        r"(?:(next\s+to|beside|adjacent\s+to|near|close\s+to|around)\s+(?:the\s+)?(?P<near>\w+)"
        r"|where\s+(?:the\s+)?(?P<there>\w+)\s+(?:is|stands))",
        item,
    )
    if mistake.start != "effects" or said is None:
        return None
    if said["there"] is not None:
        return Meant(write(f"{said[1]} at {said['there']}"), start=start, stop=stop)
    how = "<= 2" if said[2].split()[0] in {"near", "close", "around"} else "== 1"
    line = write(f"{said[1]} at random free where distance(here, {said['near']}) {how}")
    return Meant(line, start=start, stop=stop)


def outcome_by_condition(mistake: Mistake) -> Meant | None:
    """`end success if C else failure`: two lines of a block, each with its end."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(r"end\s+(\w+)\s+if\s+(.+?)\s+else\s+(?:end\s+)?(\w+)", mistake.text[start:stop])
    if mistake.start != "effects" or said is None:
        return None
    at = mistake.text.index("if", start)
    lines = f"`if {said[2][:40]}: end {said[1]}` and `else: end {said[3]}`"
    line = f"an outcome is one word: {lines}, each on a line of its own"
    return Meant(line, at, at + 2, expected="`,` or the end")


def named_late(mistake: Mistake) -> Meant | None:
    """`place pit at random floor if free as hole`: what may be left out has no name."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.search(r"\bif\s+free\s+(as\s+\w+)\Z", mistake.text[start:stop])
    if mistake.start != "effects" or said is None or not mistake.text[start:].startswith("place"):
        return None
    line = "no name stands beside `if free`: it might mean nothing. Leave one of the two out"
    return Meant(line, start + said.start(1), start + said.end(1), expected="the end")


def placed_twice(mistake: Mistake) -> Meant | None:
    """`place coin at (1, 1), (2, 2)`: each cell has its own `place`."""
    start, stop = mistake.item_start(), mistake.item_end()
    before = re.search(
        r"(?:^|,)\s*(place\s+[^,]*?\bat)\s*\([^()]*\)\s*(?:,\s*\([^()]*\)\s*)*,\s*\Z", mistake.text[:start]
    )
    cell = mistake.text[start:stop]
    if mistake.start != "effects" or before is None or not re.fullmatch(r"\([^()]*,[^()]*\)", cell):
        return None
    line = write(f"{before[1]} {cell}", ": each cell has its own `place`")
    return Meant(line, start, stop, expected="an effect", start=start, stop=stop)


def tile_of_a_tile(mistake: Mistake) -> Meant | None:
    """`legend: q = key on pit on pit`: a thing stands on one tile."""
    item = mistake.text[mistake.item_start() : mistake.begin]
    if mistake.start != "legend" or mistake.found != "on" or not re.search(r"=.*\bon\b", item):
        return None
    return Meant(f"a thing stands on one tile: `{item.strip()[:60]}`", expected="`,` or the end")


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (
    placed_here,
    random_of_the_border,
    where_behind_reachable,
    free_cell,
    placed_beside,
    placed_twice,
    outcome_by_condition,
    named_late,
    tile_of_a_tile,
)
