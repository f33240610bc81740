"""Indexes and calls of other languages: `agent[0]`, `dx[way]`, `random(red, blue)`, `position(agent)`."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import CONDITIONS, Habits, Meant, Mistake

_COORDINATES = {"0": "x", "1": "y"}


def indexed(mistake: Mistake) -> Meant | None:
    """`agent[0]`, `agent["x"]`, `dx[way]`: a coordinate has its name, a function its brackets."""
    if mistake.found != "[":
        return None
    owner = re.search(r"\b([A-Za-z_]\w*)\s*\Z", mistake.text[: mistake.begin])
    given = re.match(r"\[\s*(\w+\s*=[^\[\]]*?)\s*\]", mistake.rest)
    if owner is not None and given is not None and mistake.start != "legend" and mistake.is_kind(owner[1]):
        return Meant(write(f"({given[1]})"), stop=mistake.begin + given.end())
    numbered = re.match(r"\[\s*\d+\s*\]", mistake.rest)
    if owner is not None and numbered is not None and mistake.is_kind(owner[1]):
        return Meant(
            f"things have no numbers: one is named by what it is like, `(the {owner[1]} with least {owner[1]}.x)`"
        )
    inside = re.match(r"\[\s*[\"']?(\w+)[\"']?\s*\]", mistake.rest)
    if owner is None or inside is None or mistake.start in {"actions", "agents", "legend"}:
        return None
    start, stop = owner.start(1), mistake.begin + inside.end()
    if owner[1] in {"dx", "dy", "count", "sum", "abs", "min", "max"}:
        return Meant(write(f"{owner[1]}({inside[1]})"), start=start, stop=stop)
    if mistake.is_kind(owner[1]) and (
        mistake.is_cell(inside[1]) or inside[1] in {"here", "c", "cell", "pos"}
    ):
        return Meant(write(f"(the {owner[1]} at {inside[1]})"), start=start, stop=stop)
    name = _COORDINATES.get(inside[1], inside[1])
    if name.isdigit() or owner[1] in {"in", "if", "and", "or", "not", "as", "planes", "codes"}:
        return None
    return Meant(write(f"{owner[1]}.{name}"), start=start, stop=stop)


def random_among(mistake: Mistake) -> Meant | None:
    """`let hue = random(red, blue)`, `n = random(1, 6)`, `randint(1, 6)`: what is drawn has a name, and values."""
    if mistake.start != "effects" or mistake.found != "(":
        return None
    start = mistake.item_start()
    said = re.match(r"(let\s+)?([A-Za-z_]\w*)\s*(?:=|becomes)\s*random\s*\(([^()]*)\)", mistake.text[start:])
    if said is None or mistake.begin > start + said.end():
        return None
    values = [each.strip() for each in said[3].split(",") if each.strip()]
    if len(values) < 2:
        return None
    numbers = all(re.fullmatch(r"-?\d+", each) for each in values)
    drawn = "..".join(values) if numbers and len(values) == 2 else " | ".join(values)
    is_set = said[1] is None and re.search(rf"^(?:var|param)\s+{said[2]}\b", mistake.whole, re.MULTILINE)
    line = f"{said[2]} = random {drawn}" if is_set else f"choose {said[2]} in {drawn}"
    return Meant(write(line), start=start, stop=start + said.end())


def truth_of_a_relation(mistake: Mistake) -> Meant | None:
    """`agent has key == true`: a relation is a condition already."""
    truth = re.match(r"==\s*(true|True)\b", mistake.rest)
    relation = re.search(r"\b(?:has|on|at|sees|ahead|left|within\s+\S+\s+of)\b[\w\s]*\Z", mistake.before)
    if mistake.start not in CONDITIONS or truth is None or relation is None:
        return None
    help = Help("leave `== true` out: it is a condition already", ("",))
    return Meant(help, start=len(mistake.before), stop=mistake.begin + truth.end())


def place_called(mistake: Mistake) -> Meant | None:
    """`observe: position(agent)`, `grid(7, 7)`, `grid 7x7`: a part of the board around the agent is a view."""
    if mistake.start != "observations":
        return None
    said = re.search(r"\b(position|grid)\s*\Z", mistake.text[: mistake.begin])
    if said is None:
        return None
    one = re.match(r"\(\s*([A-Za-z_]\w*)\s*\)", mistake.rest)
    if said[1] == "position" and one is not None:
        return Meant(write(f"position of {one[1]}"), start=said.start(), stop=mistake.begin + one.end())
    size = re.match(r"\(\s*(\d+)\s*(?:[,x]\s*(\d+)\s*)?\)|(\d+)\s*x\s*(\d+)", mistake.rest)
    if said[1] == "grid" and size is not None:
        width, height = size[1] or size[3], size[2] or size[4] or size[1]
        line = write(f"view {width}x{height}", ": `grid` is the whole board")
        return Meant(line, start=said.start(), stop=mistake.begin + size.end())
    return None


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (indexed, random_among, truth_of_a_relation, place_called)
