"""Rules of what is done, in other words: `on bid(amount)`, `on do say yes`, `on act go`."""

from __future__ import annotations

import re

from griddsl.diagnostics import write
from griddsl.syntax.habits.mistake import Meant, Mistake
from griddsl.syntax.keywords import EVENTS

_BRACKETS = r"[^()]*(?:\([^()]*\)[^()]*)*"
_HEAD = re.compile(
    rf"on\s+(?:(do|act|action|fail)\s+)?(\w+)\s*(?:\(({_BRACKETS})\)|((?:\s+(?!if\b|with\b)[\w.=]+)*))\s*(?=\Z|if\b|with\b)"
)
_GIVEN = re.compile(rf"(?:[^,()]|\({_BRACKETS}\))+")


def rule_of_an_action(mistake: Mistake) -> Meant | None:
    """`on bid(amount)`, `on red bid(3)`, `on do say yes`: what an action takes has its name, and `if` asks for it."""
    who, text = _subject(mistake)
    said = _HEAD.match(text) if mistake.start == "rule" else None
    if said is None or mistake.begin > said.end() or said[1] == "fail":
        return None
    name = said[2]
    if not mistake.is_action(name) or (name in EVENTS and said[1] is None):
        return None
    given = _GIVEN.findall(said[3] or "") if said[3] is not None else _words(said[4])
    if not given and said[3] is None and said[1] == "do":
        return None
    taken = _taken(mistake, name)
    if len(taken) == 1 and len(given) == 2 and all(part.strip().isdigit() for part in given):
        given = [f"({given[0].strip()}, {given[1].strip()})"]  # a cell
    if said[3] is None and len(given) > len(taken):
        return None  # a kind, or another action
    asked = [f"self is {who}"] if who else []
    asked += [each for at, part in enumerate(given) if (each := _asked(part.strip(), at, taken))]
    stop = said.end()
    while mistake.text[stop - 1].isspace():
        stop -= 1
    head = f"on do {name}"
    if asked:
        head += f" if {' and '.join(asked)}"
        more = re.compile(r"\s*if\b\s*").match(mistake.text, stop)
        if more is not None:
            rest = mistake.text[more.end() :].strip()
            head += f" and ({rest})" if " or " in rest else f" and {rest}"
            stop = len(mistake.text.rstrip())
    rest = f": what it takes is {_count(taken)} there" if given and not asked else ""
    help = write(head, rest if len(given) <= len(taken) else f": it takes {_count(taken)}")
    if said[1] is not None:
        expected = "`if` or the end" if said[3] is not None else "`if`, `with` or the end"
        return Meant(help, expected=expected, start=0, stop=stop)
    return Meant(help, *said.span(2), expected="an event", start=0, stop=stop)


def _subject(mistake: Mistake) -> tuple[str, str]:
    """Return the agent that a head names before an action with brackets, if it does, and the text without it."""
    named = re.match(r"on\s+(\w+)\s+(?=\w+\s*\()", mistake.text)
    agents = re.search(r"^agents\s*:(.*)", mistake.whole, re.MULTILINE)
    if named is None or agents is None or not re.search(rf"\b{named[1]}\b", agents[1]):
        return "", mistake.text
    return named[1], "on".ljust(named.end()) + mistake.text[named.end() :]


def _words(behind: str) -> list[str]:
    """Return what is given without brackets: `mark spot far`, `bid amount 3`, `bid amount=3`."""
    named = re.fullmatch(r"([A-Za-z_]\w*)\s*(?:=|\s)\s*(\d+)", behind.strip())
    return [f"{named[1]}={named[2]}"] if named else behind.split()


def _taken(mistake: Mistake, name: str) -> list[str]:
    """Return the names of what an action takes, as the file declares them."""
    declared = re.search(rf"\b{name}\s*\(({_BRACKETS})\)", mistake.whole.replace(mistake.text, ""))
    return re.findall(r"(?:^|,)\s*(\w+)\s+in\b", declared[1]) if declared else []


def _asked(part: str, at: int, taken: list[str]) -> str | None:
    """Return the condition that what is given asks for; None for a name, which asks nothing."""
    named = re.fullmatch(r"(\w+)\s*(?:==?|:|\bis\b)\s*(.+)", part)
    if named is not None:
        name, value = named[1], named[2]
    elif part in taken or at >= len(taken):
        return None
    else:
        name, value = taken[at], part
        if re.fullmatch(r"[a-z]{1,2}", value):  # another name for it: no word that it can be is as short
            return None
    sign = "==" if re.fullmatch(r"-?\d+", value) else "is"
    return f"{name} {sign} {value}"


def _count(taken: list[str]) -> str:
    return " and ".join(f"`{each}`" for each in taken) if taken else "nothing"
