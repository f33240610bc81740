"""Habits in the heads of rules: triggers and conditions in other words, and what is most likely meant by them."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.mistake import CONDITIONS, Meant, Mistake

_EVENTS = "enter|leave|bump|push|pickup|drop|toggle|meet"
_COMPASS = frozenset({"north", "east", "south", "west"})
_UNITS = frozenset({"cell", "cells", "tile", "tiles", "square", "squares", "steps", "points", "times"})


def other_trigger(mistake: Mistake) -> Meant | None:
    """`on push crate onto target`, `on crate on target`, `on drop rider at depot`, `on enter exit with gem`."""
    if mistake.start != "rule":
        return None
    for pattern, rewrite in (
        (r"on\s+(?:push\s+)?(\w+)\s+(?:onto|into|on|to)\s+(\w+)", "on {0} enter {1}"),
        (rf"(on\s+(?:{_EVENTS})\s+\w+)\s+(?:at|on|in)\s+(\w+)", "{0} if agent on {1}"),
        (rf"(on\s+(?:{_EVENTS})\s+\w+)\s+with\s+(?:an?\s+|the\s+)?([a-z_]\w*)", "{0} if agent has {1}"),
    ):
        found = re.match(rf"{pattern}(?=\s*\Z|\s+(?:if|with)\b)", mistake.text)
        if found is not None and found.start(1) <= mistake.begin < found.end():
            if found[2] in {"chance", "probability", "prob", "start"}:
                continue
            return Meant(write(rewrite.format(found[1], found[2])), start=0, stop=found.end())
    nothing = re.match(rf"on\s+({_EVENTS})\s+(?=if\b|with\b)", mistake.text)
    if nothing is not None:
        line = f"an event names what it is about: `on {nothing[1]} K`"
        return Meant(line, *nothing.span(1), expected="a kind after the event")
    if re.fullmatch(r"on\s+move(d|s)?\s*", mistake.text):
        help = write("each step", "; `on do up` is one action")
        return Meant(help, 3, len(mistake.text.rstrip()), start=0, stop=len(mistake.text.rstrip()))
    return None


def action_as_event(mistake: Mistake) -> Meant | None:
    """`on spray`, `on spray if C`: the name of an action without `do`."""
    named = re.match(r"on\s+(\w+)\s*(?=\Z|\bif\b|\bwith\b)", mistake.text)
    if mistake.start != "rule" or named is None or mistake.begin < named.end(1):
        return None
    if re.fullmatch(rf"{_EVENTS}|act|do|fail", named[1]) or not mistake.is_action(named[1]):
        return None
    return Meant(write(f"on do {named[1]}"), *named.span(1), expected="an event", start=0, stop=named.end(1))


def described_thing(mistake: Mistake) -> Meant | None:
    """`tree ahead is burning`, `no tree burning`, `each burning tree`: a word of a kind beside it."""
    if mistake.start not in CONDITIONS:
        return None
    before = mistake.text[: mistake.begin]
    each = re.match(r"each\s+(\w+)\s+\Z", before)
    if each is not None and mistake.is_word_of(each[1], mistake.found):
        more = re.match(r"\s+if\b(?!.*\bor\b)", mistake.text[mistake.end :])
        if more is None and re.match(r"\s+if\b", mistake.text[mistake.end :]):
            return None
        head = f"each {mistake.found} if {mistake.found} is {each[1]}{' and' if more else ''}"
        return Meant(write(head), start=0, stop=mistake.end + (more.end() if more else 0))
    ahead = re.search(r"(\bnot\s+|\b(?:no|any|all)\s+)?\b(\w+)\s+ahead\s+\Z", before)
    said = re.match(r"(?:is\s+)?(not\s+)?(\w+)", mistake.rest)
    if ahead is not None and said is not None and mistake.is_word_of(said[2], ahead[2]):
        if ahead[1]:
            return None
        described = f"{ahead[2]} ahead and {ahead[2]} is {said[1] or ''}{said[2]}"
        return Meant(write(described), start=ahead.start(2), stop=mistake.begin + said.end())
    beside = re.search(r"\b(no|any|all)\s+(\w+)\s+\Z", before)
    if beside is not None and mistake.is_word_of(mistake.found, beside[2]):
        described = f"{beside[1]} {beside[2]} is {mistake.found}"
        return Meant(write(described), start=beside.start(), stop=mistake.end)
    facing = re.search(r"(?<!any )(?<!all )(?<!no )\bagent\s+(?:is\s+facing\s+)?\Z", before)
    faced = None
    if facing is not None:
        looks = re.compile(
            r"agent\s+(?:is\s+)?(?:facing|faces)\s+(?:is\s+)?(?:towards?\s+)?(?:the\s+|an?\s+)?(\w+)"
        )
        faced = looks.match(mistake.text, facing.start())
    if facing is not None and faced is not None and faced[1] not in {"not", "in", "at", "and", "or"}:
        described = f"agent.facing is {faced[1]}" if faced[1] in _COMPASS else f"{faced[1]} ahead"
        return Meant(write(described), start=facing.start(), stop=faced.end())
    return None


def other_condition(mistake: Mistake) -> Meant | None:
    """`every crate on target`, `crate on target == 2`, `if has gem`, `has 1 gem`, `< 2 cells`, `guard sees agent`."""
    if mistake.start not in CONDITIONS:
        return None
    before = mistake.text[: mistake.begin]
    every = re.search(r"\b(?:when|if|and|or|not)\s+(every|each)\s+\Z", before)
    if every is not None:
        return Meant(write("all"), *every.span(1), start=every.start(1), stop=every.end(1))
    counted = re.search(r"\b(\w+)\s+on\s+(\w+)\s*\Z", before)
    if counted is not None and re.match(r"[=!<>]=|[<>]", mistake.found):
        help = write(f"count({counted[1]} where {counted[1]} on {counted[2]}) {mistake.found}")
        return Meant(help, start=counted.start(1), stop=mistake.end)
    whose = re.search(r"(?:\b(?:if|and|or|when|not)\s+|\A\s*)(has)\s+\Z", before)
    if whose is not None:
        return Meant(write("agent has"), *whose.span(1), start=whose.start(1), stop=whose.end(1))
    how_many = re.search(r"\bhas\s+(\d+)\s+\Z", before)
    if how_many is not None and how_many[1] == "1":
        return Meant(
            Help("leave `1` out", ("",)), *how_many.span(1), start=how_many.start(1), stop=mistake.begin
        )
    if re.search(r"\d\s*\Z", before) and mistake.found in _UNITS:
        return Meant(Help(f"leave `{mistake.found}` out", ("",)), start=len(mistake.before), stop=mistake.end)
    sees = re.search(r"\b(\w+)\s+\Z", before)
    seen = re.match(r"sees?\s+(\w+)", mistake.rest)
    if sees is not None and seen is not None:
        return Meant(f"how near they are is asked by `{sees[1]} within 3 of {seen[1]}`")
    return None
