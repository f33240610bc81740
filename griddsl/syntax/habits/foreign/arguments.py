"""Habits in what actions take: how other languages write arguments, and what is most likely meant."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import Habits, Meant, Mistake

_LISTS = {"cells": "spot", "directions": "way", "diagonals": "way"}
_FOR_IN = frozenset({":", "=", "of", "from", "is", "on", "at"})


def argument_without_domain(mistake: Mistake) -> Meant | None:
    """`mark(spot)`, `mark(cells)`, `mark(spot: cells)`: an argument has a name, `in`, and what it can be."""
    if mistake.start != "actions" or "IN" not in mistake.expected:
        return None
    item = mistake.text[mistake.item_start() : mistake.begin]
    said = re.fullmatch(r"(\w+)\s*\((?:.*,)?\s*(\w+)\s*", item, re.DOTALL)
    if said is None:
        return None
    if mistake.found in _FOR_IN:
        values = re.match(r"[:=]\s*[\[{]\s*([^\[\]{}]*?)\s*[\]}]", mistake.rest)
        if values is not None and values[1]:
            begin = mistake.item_start() + said.start(2)
            line = write(f"{said[2]} in {_joined(values[1])}", ": values are joined by `|`")
            return Meant(line, expected="`in`", start=begin, stop=mistake.begin + values.end())
        before = "" if item[-1:].isspace() else " "
        after = "" if mistake.text[mistake.end : mistake.end + 1].isspace() else " "
        return Meant(Help("write `in`", (f"{before}in{after}",)), expected="`in`")
    if mistake.found not in {")", ","}:
        return None
    listing = re.search(r"(\w+)\s+in\s+([\w\s|]+),\s*\w+\s*\Z", item)
    if listing is not None and said[2] not in _LISTS:
        listed = f"{listing[2].strip()} | {said[2]}"
        return Meant(
            f"values are joined by `|`, as in `{listing[1]} in {listed}`; behind a comma stands another name"
        )
    if said[2] in _LISTS:
        help: str = write(f"{_LISTS[said[2]]} in {said[2]}")
    else:
        help = f"say what it can be, as in `{said[1]}({said[2]} in cells)` or `{said[1]}({said[2]} in 0..3)`"
    begin = mistake.item_start() + said.start(2)
    return Meant(
        help,
        begin,
        begin + len(said[2]),
        expected="a name and its values",
        start=begin,
        stop=begin + len(said[2]),
    )


def argument_of_values(mistake: Mistake) -> Meant | None:
    """`say(yes | no)`, `bid(1..5)`: the values have no name; `throw(way in directions) with chance 0.5`: of a rule."""
    if mistake.start != "actions":
        return None
    begin, stop = mistake.item_start(), mistake.item_end()
    item = mistake.text[begin:stop]
    values = re.fullmatch(r"(\w+)\s*\(\s*(\w+(?:\s*\|\s*\w+)+|(-?\d+\.\.\d+))\s*\)", item)
    if values is not None:
        name = "choice" if values[3] is None else "number"
        line = write(f"{values[1]}({name} in {values[2]})", ": what an action takes has a name")
        return Meant(line, expected="a name and its values", start=begin, stop=stop)
    chance = re.fullmatch(r"(\w+)\s*(?:\(.*\))?\s+(with\s+chance\s+\S+)", item, re.DOTALL)
    if chance is not None and mistake.found == "with":
        return Meant(f"what it does, and how often, is said by a rule: `on do {chance[1]} {chance[2]}: ...`")
    return None


def action_done(mistake: Mistake) -> Meant | None:
    """`when agent does put`: an action is an event."""
    said = re.match(r"when\s+\w+\s+(?:does|do|performs|takes|plays|chooses|uses)\s+(\w+)", mistake.text)
    if mistake.start != "rule" or said is None or not mistake.is_action(said[1]):
        return None
    return Meant(write(f"on do {said[1]}", ": an action is an event"), start=0, stop=said.end())


def argument_without_brackets(mistake: Mistake) -> Meant | None:
    """`mark spot in cells`, `mark()`."""
    if mistake.start != "actions":
        return None
    item = mistake.text[mistake.item_start() : mistake.item_end()]
    bare = re.fullmatch(r"(\w+)\s+(\w+\s+in\s+[^()]*)", item, re.DOTALL)
    if bare is not None:
        help = write(f"{bare[1]}({bare[2].strip()})")
        return Meant(help, start=mistake.item_start(), stop=mistake.item_end())
    empty = re.fullmatch(r"(\w+)\s*\(\s*\)", item)
    if empty is not None:
        help = write(empty[1], ": an action that takes nothing has no brackets")
        return Meant(help, start=mistake.item_start(), stop=mistake.item_end())
    return None


def condition_of_an_argument(mistake: Mistake) -> Meant | None:
    """`mark(spot in cells if C)`, `mark(spot in cells when C)`: which of them it can be is said behind `where`."""
    if mistake.start != "actions":
        return None
    for said in re.finditer(r"\b\w+\s+in\b[^(),]{1,80}?\s(if|when)\s+(\w+)?", mistake.text):
        if said.start(1) <= mistake.begin <= said.end():
            return Meant(
                write("where"), *said.span(1), expected="`where`", start=said.start(1), stop=said.end(1)
            )
    return None


def unclosed_arguments(mistake: Mistake) -> Meant | None:
    """`throw(far in 1..2, mark(spot in cells)`: the bracket of the action before is not closed."""
    if mistake.start != "actions" or mistake.found != "(":
        return None
    said = re.search(r"(\w+)(\()[^()]*?(\s*),\s*\w+\s*\Z", mistake.text[: mistake.begin])
    if said is None:
        return None
    at = said.start(3)
    help = Help("close it with `)`", (")",))
    return Meant(help, *said.span(2), "`(` that is never closed", "its `)`", start=at, stop=at)


def values_of_an_argument(mistake: Mistake) -> Meant | None:
    """`throw(far in [1, 2])`, `throw(far in {1, 2})`, `buy(item in tea or milk)`: values are joined by `|`."""
    listed = re.compile(r"\bin\s+(\w+(?:\s+or\s+\w+)+)(?=\s*[,)])")
    for said in mistake.around(listed) if mistake.start == "actions" else ():
        help = write(re.sub(r"\s+or\s+", " | ", said[1]), ": values are joined by `|`")
        return Meant(help, *said.span(1), expected="values", start=said.start(1), stop=said.end(1))
    if mistake.start != "actions" or mistake.found not in {"[", "{"}:
        return None
    inside = re.match(r"[\[{]\s*([^\[\]{}]*?)\s*[\]}]", mistake.rest)
    if inside is None or re.search(r"\bin\s*\Z", mistake.before) is None or not inside[1]:
        return None
    help = write(_joined(inside[1]), ": values are joined by `|`")
    return Meant(help, expected="values", stop=mistake.begin + inside.end())


def _joined(listed: str) -> str:
    """Return the values of a list as a domain has them: `1, 2` is `1 | 2`."""
    return " | ".join(value.strip(" \"'") for value in listed.split(",") if value.strip())


def arguments_without_comma(mistake: Mistake) -> Meant | None:
    """`throw(way in directions far in 1..2)`: arguments are separated by commas."""
    said = re.search(r"\bin\s+[\w.|\s()]*?(\s+)(\w+)\s*\Z", mistake.text[: mistake.begin])
    if mistake.start != "actions" or mistake.found != "in" or said is None:
        return None
    help = Help(f"is a `,` missing before `{said[2]}`?", (", ",))
    return Meant(help, *said.span(2), expected="`,`", start=said.start(1), stop=said.end(1))


def allowed_behind(mistake: Mistake) -> Meant | None:
    """`throw(far in 1..2) if energy > 0`: when an action is legal is said by `allow`."""
    said = re.search(r"(?:\A|,\s*)(\w+)\s*(?:\([^()]*\)\s*)?\Z", mistake.text[: mistake.begin])
    if mistake.start != "actions" or mistake.found not in {"if", "when", "where", "unless"} or said is None:
        return None
    asked = mistake.text[mistake.end : mistake.item_end()].strip()
    asked = f"not ({asked})" if mistake.found == "unless" else asked
    help = f"when it is legal is a statement of its own: `allow {said[1]}: {asked[:60] or 'C'}`"
    return Meant(help, expected="`,` or the end")


def square_arguments(mistake: Mistake) -> Meant | None:
    """`buy[n in 1..3]`: what an action takes stands in round brackets."""
    said = re.search(r"\b(\w+)\s*(\[\s*(\w+\s+in\s+[^\[\]]+)\])", mistake.text)
    if mistake.start != "actions" or said is None or not said.start(2) <= mistake.begin <= said.end():
        return None
    help = write(f"({said[3]})", ": what it takes stands in round brackets, keys in square ones")
    return Meant(help, *said.span(2), expected="`(`", start=said.end(1), stop=said.end())


def given_without_comma(mistake: Mistake) -> Meant | None:
    """`add(1 2)`: what is given is separated by commas."""
    called = re.search(r"\b(\w+)\(([^()]*)\Z", mistake.text[: mistake.begin])
    is_head = mistake.start == "define_head"
    if is_head or called is None or not called[2].strip() or not {"COMMA", "RPAR"} <= mistake.expected:
        return None
    defined = re.search(rf"^define\s+{called[1]}\s*\(", mistake.whole, re.MULTILINE)
    if defined is None or not re.match(r"[\w\"(]", mistake.found):
        return None
    help = Help(f"is a `,` missing before `{mistake.found[:20]}`?", (f", {mistake.found}",))
    return Meant(help, start=len(mistake.before), stop=mistake.end)


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (
    values_of_an_argument,
    arguments_without_comma,
    allowed_behind,
    argument_of_values,
    action_done,
    argument_without_domain,
    argument_without_brackets,
    condition_of_an_argument,
)
