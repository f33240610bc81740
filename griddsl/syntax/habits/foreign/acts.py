"""Habits in an item of `actions` as a whole: numbers and pairs for moves, kinds behind an action, and other orders."""

from __future__ import annotations

import re
from collections.abc import Callable

from griddsl.compass import ARROWS, DIRECTION_OF
from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import Meant, Mistake, of_item

_WAYS = "north|south|east|west|up|down|left|right|forward|backward"
_MOVE = r"(?P<name>\w+)\s*[:=]\s*(?:move\s+)?"


def _joined(said: re.Match[str]) -> Help:
    return write(", ".join(re.findall(r"\w+", said[0])), ": each action is an item")


def _alone(said: re.Match[str]) -> Help:
    return write(said["name"], ": actions are numbered in their order")


def _handled(said: re.Match[str]) -> Help:
    verb, kind = said["verb"], said["kind"]
    help = f"write `{verb}`: it is of what is there, and a rule `on {verb} {kind}: ...` says what happens"
    return Help(help, (verb,))


def _turned(said: re.Match[str]) -> Help:
    return write(f"turn_{said['side']}")


def _by_pair(said: re.Match[str]) -> Help:
    way = DIRECTION_OF.get((int(said["x"]), int(said["y"])))
    if way is None:
        return write(f"{said['name']} = move north 1", ": a way has a name")
    return write(said["name"] if ARROWS.get(said["name"]) == way else f"{said['name']} = move {way}")


def _arrow(said: re.Match[str]) -> Help:
    return write(f"{said['name']} = move {said['way']}")


def _far(said: re.Match[str]) -> Help:
    return write(f"{said['name']} = move {said['way']} {said['far']}")


def _direction(said: re.Match[str]) -> Help:
    name, taken = said["name"], said["taken"]
    does = f": `on do {name}: move agent {taken}` says what it does"
    return write(f"{name}({taken} in directions)", does)


def _paid(said: re.Match[str]) -> Help:
    name, amount = said["name"], said["amount"].lstrip("+")
    paid = f"-{amount.lstrip('-')}" if said["what"].startswith("cost") else amount
    return write(name, f", and a rule says what it brings: `on do {name}: reward {paid}`")


# What an item of the actions is as a whole, and what to write in its place.
_ROWS: tuple[tuple[str, Callable[[re.Match[str]], Help]], ...] = (
    (r"\w+(?:\s*[|/]\s*\w+)+", _joined),
    (r"(?P<name>[A-Za-z_]\w*)\s*[:=]\s*\d+", _alone),
    (r"\d+\s*[:=]\s*(?P<name>[A-Za-z_]\w*)", _alone),
    (r"(?:turn|rotate)\s+(?:to\s+the\s+)?(?P<side>left|right)", _turned),
    (r"(?P<verb>pickup|drop|toggle)\s*\(?\s*(?P<kind>\w+)\s*\)?", _handled),
    (r"(?P<name>\w+)\s*[:=]\s*[(\[]\s*(?P<x>[+-]?\d+)\s*,\s*(?P<y>[+-]?\d+)\s*[)\]]", _by_pair),
    (rf"(?P<name>\w+)\s*(?:->|=>|:)\s*(?:move\s+)?(?P<way>{_WAYS})", _arrow),
    (rf"{_MOVE}(?P<way>{_WAYS})\s+(?:by\s+)?(?P<far>\d+)\s+(?:cells?|steps?|tiles?|squares?)", _far),
    (rf"{_MOVE}(?P<far>\d+)\s+(?:cells?\s+|steps?\s+)?(?:to\s+the\s+)?(?P<way>{_WAYS})", _far),
    (
        r"(?P<name>[a-z_]\w*)\s*(?:[:=(]|with)?\s*(?:(?:an?\s+)?(?P<what>reward|costs?)\s*[:=]?\s*)(?P<amount>[+-]?[\d.]+)\s*\)?",
        _paid,
    ),
    (r"(?P<name>\w+)\(\s*(?P<taken>dir|direction|way|heading)\s*\)", _direction),
)  # fmt: skip
_MEANT = tuple((re.compile(pattern), answer) for pattern, answer in _ROWS)


def acting(mistake: Mistake) -> Meant | None:
    """`up | down`, `up = 0`, `turn left`, `pickup key`, `up = (0, -1)`, `jump = move 2 north`, `move(direction)`."""
    return of_item(mistake, _MEANT, "an action") if mistake.start == "actions" else None
