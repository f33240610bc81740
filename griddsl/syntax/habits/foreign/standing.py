"""Habits in where things stand and how many do so: sides, rows and edges in words, and numbers before a kind."""

from __future__ import annotations

import re

from griddsl.diagnostics import write
from griddsl.syntax.habits.mistake import CONDITIONS, Habits, Meant, Mistake

# Rows are counted from the top: what is above has the smaller `y`.
_SIDES = {
    **dict.fromkeys(("left", "west"), ("x", "<")),
    **dict.fromkeys(("right", "east"), ("x", ">")),
    **dict.fromkeys(("above", "north"), ("y", "<")),
    **dict.fromkeys(("below", "under", "underneath", "south"), ("y", ">")),
}
_ENDS = {
    **dict.fromkeys(("top", "bottom"), "row"),
    **dict.fromkeys(("left", "leftmost", "right", "rightmost"), "column"),
}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")
_AMOUNTS = {
    **dict.fromkeys(("at least",), ">="),
    **dict.fromkeys(("at most",), "<="),
    **dict.fromkeys(("more than", "over"), ">"),
    **dict.fromkeys(("fewer than", "less than"), "<"),
    **dict.fromkeys(("exactly", "only", "just"), "=="),
}
_RELATION = r"(?:\s+(?:is\s+|are\s+)?((?:on|at|within|ahead|in)\b(?:(?!\b(?:and|or|if|with)\b)[^,:])*))?"
_COUNTED = re.compile(
    rf"\b(?:({'|'.join(_AMOUNTS)})\s+)?(\d+|{'|'.join(_NUMBERS[1:])})\s+(\w+)(\s+left)?{_RELATION}"
)
_ASKED = re.compile(r"\b(?:if|when|until|where|and|or|not|unless|xor)\s+\Z")
_HEADS = {"if_head", "else_if_head", "expression"}
_AREA = re.compile(
    r"\b(\w+)\s+(?:is\s+)?(?:in|on|at)\s+(?:the\s+)?(?:(row|column|col)\s+(\d+)"
    r"|(top|bottom|leftmost|left|rightmost|right|first|last)\s+(row|column|col))\b"
)
_SIDE = re.compile(
    r"\b(\w+)\s+(?:is\s+)?(?:(?:to|on)\s+the\s+)?"
    r"(?:(left|right|north|south|west|east)\s+of|(above|below|under|underneath))\s+(?:the\s+|an?\s+)?(\w+)"
)
_ASIDE = re.compile(
    r"\b(\w+)\s+(?:is\s+)?(?:(?:(?:to|on|at)\s+)(?:the\s+|its\s+)?(left|right)(?:\s+of\s+(?:the\s+)?(agent|self))?"
    r"|(left|right)\s+of\s+(?:the\s+)?(agent|self)|(behind)(?:\s+(?:the\s+)?(agent|self))?)\b"
)
_TURNED = {"left": "left_of", "right": "right_of", "behind": "opposite"}
_SAME = re.compile(
    r"\b(\w+)\s+(?:is\s+)?(?:(?:in|on)\s+)?(?:the\s+)?same\s+(row|column|col)\s+(?:as|with)\s+(?:the\s+|an?\s+)?(\w+)"
)
_BETWEEN = re.compile(r"\b([A-Za-z_][\w.]*)\s+(?:is\s+)?between\s+(-?\w+)\s+and\s+(-?\w+)")
_VISIBLE = re.compile(r"\b(\w+)\s+(?:is\s+)?(?:visible|in\s+(?:sight|view))\b")
_REACHABLE = re.compile(
    r"\b(not\s+|no\s+)?(?:any\s+)?(\w+)\s+(?:is\s+)?(not\s+)?(?:reachable(?!\s*\()|can\s+be\s+reached)(?:\s+(?:from|by|to)\s+(?:the\s+)?(\w+))?"
)
_REACHES = re.compile(r"\b(\w+)\s+(can|cannot|can\s+not|can't)\s+reach\s+(?:the\s+|an?\s+)?(\w+)")
_PATH = re.compile(
    r"\b(?:(no|not)\s+)?(?:an?\s+|any\s+)?(?:path|way|route)\s+(?:exists\s+)?from\s+(?:the\s+)?(\w+)\s+to\s+(?:the\s+)?(\w+)(?:\s+exists)?"
)
_SOME = re.compile(r"\bsome\s+(?=(\w+)\s+(?:on|at|within|in|has|ahead)\b)")


def _is_one(mistake: Mistake, name: str) -> bool:
    """Whether a name stands for something that has a place."""
    return name in {"agent", "self"} or mistake.is_kind(name) or mistake.is_thing(name)


def side_in_words(mistake: Mistake) -> Meant | None:
    """`agent left of coin`, `agent above coin`: columns grow to the east, rows to the south."""
    for said in mistake.around(_SIDE):
        if _is_one(mistake, said[1]) and _is_one(mistake, said[4]):
            axis, sign = _SIDES[said[2] or said[3]]
            return Meant(
                write(f"{said[1]}.{axis} {sign} {said[4]}.{axis}"), start=said.start(), stop=said.end()
            )
    return None


def aside(mistake: Mistake) -> Meant | None:
    """`wall to the left`, `wall behind agent`: the cell a step to a side of where the agent faces."""
    if mistake.start not in CONDITIONS or not re.search(r"\b(?:forward|turn_left|facing)\b", mistake.whole):
        return None
    for said in mistake.around(_ASIDE):
        if said[1] in {"wall", "floor"} or mistake.is_kind(said[1]):
            side, who = said[2] or said[4] or said[6], said[3] or said[5] or said[7] or "agent"
            way = f"{_TURNED[side]}({who}.facing)"
            cell = f"({who}.x + dx({way}), {who}.y + dy({way}))"
            return Meant(write(f"{said[1]} at {cell}"), start=said.start(), stop=said.end())
    return None


def same_line(mistake: Mistake) -> Meant | None:
    """`agent in the same row as coin`: rows and columns are numbers."""
    for said in mistake.around(_SAME):
        if _is_one(mistake, said[1]) and _is_one(mistake, said[3]):
            axis = "y" if said[2] == "row" else "x"
            return Meant(write(f"{said[1]}.{axis} == {said[3]}.{axis}"), start=said.start(), stop=said.end())
    return None


def row_in_words(mistake: Mistake) -> Meant | None:
    """`agent in row 1`, `agent in the top row`: a row is a number, counted from the top."""
    for said in mistake.around(_AREA):
        if not _is_one(mistake, said[1]):
            continue
        line = "row" if "row" in {said[2], said[5]} else "column"
        if _ENDS.get(said[4] or "", line) != line:
            continue
        axis, last = ("y", "height - 1") if line == "row" else ("x", "width - 1")
        number = said[3] or ("0" if said[4] in {"top", "left", "leftmost", "first"} else last)
        if mistake.start == "rule" and not re.search(r"\b(?:if|when)\b", mistake.text[: said.start()]):
            start = said.end(1)
            return Meant(write(f" if {said[1]}.{axis} == {number}"), start=start, stop=said.end())
        return Meant(write(f"{said[1]}.{axis} == {number}"), start=said.start(), stop=said.end())
    return None


def between_in_words(mistake: Mistake) -> Meant | None:
    """`n between 1 and 3`: two comparisons."""
    for said in mistake.around(_BETWEEN):
        line = write(f"{said[1]} >= {said[2]} and {said[1]} <= {said[3]}")
        return Meant(line, start=said.start(), stop=said.end())
    return None


def visible(mistake: Mistake) -> Meant | None:
    """`coin visible`: somebody sees it."""
    for said in mistake.around(_VISIBLE):
        if mistake.is_kind(said[1]):
            return Meant(write(f"agent sees {said[1]}"), start=said.start(), stop=said.end())
    return None


def reachable(mistake: Mistake) -> Meant | None:
    """`goal reachable`, `agent can reach goal`, `path from agent to goal`: it is shorter than the grid has cells."""
    if mistake.start not in {*CONDITIONS, "effects"}:
        return None
    for said in mistake.around(_REACHABLE):
        if not re.search(r"\bplace\b[^,]*\Z", mistake.text[: said.start()]):
            return _way(said, said[4] or "agent", said[2], bool(said[1]) != bool(said[3]))
    for said in mistake.around(_REACHES):
        return _way(said, said[1], said[3], said[2] != "can")
    for said in mistake.around(_PATH):
        return _way(said, said[2], said[3], said[1] is not None)
    return None


def _way(said: re.Match[str], start: str, end: str, is_negated: bool) -> Meant:
    sign = ">=" if is_negated else "<"
    line = write(f"path_distance({start}, {end}) {sign} width * height")
    return Meant(line, start=said.start(), stop=said.end())


def some_of_a_kind(mistake: Mistake) -> Meant | None:
    """`some coin within 2 of agent`: `any` asks for one of them."""
    said = _SOME.search(mistake.text[: mistake.end + 40])
    if (
        said is None
        or not mistake.is_kind(said[1])
        or not said.start() <= mistake.begin <= said.end() + len(said[1])
    ):
        return None
    return Meant(write("any"), start=said.start(), stop=said.start() + len("some"))


def number_of_a_kind(mistake: Mistake) -> Meant | None:
    """`at least 2 coins within 2 of agent`, `only one coin left`: how many there are is a count."""
    for said in mistake.around(_COUNTED):
        kind = mistake.singular(said[3])
        before = mistake.text[: said.start()]
        if kind is None or not (_ASKED.search(before) or (not before.strip() and mistake.start in _HEADS)):
            continue
        number = said[2] if said[2].isdigit() else str(_NUMBERS.index(said[2]))
        asked = kind if said[5] is None else f"{kind} where {kind} {said[5].strip()}"
        sign = _AMOUNTS[said[1]] if said[1] else "==" if said[4] else ">="
        line = write(f"count({asked}) {sign} {number}")
        return Meant(line, start=said.start(), stop=said.start() + len(said[0].rstrip()))
    return None


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (
    side_in_words,
    aside,
    same_line,
    row_in_words,
    between_in_words,
    visible,
    reachable,
    some_of_a_kind,
    number_of_a_kind,
)
