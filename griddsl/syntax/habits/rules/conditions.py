"""Conditions in the heads of rules in other words, and what is most likely meant by them."""

from __future__ import annotations

import re

from griddsl.compass import CARDINALS
from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import CONDITIONS, Meant, Mistake

_UNITS = frozenset({"cell", "cells", "tile", "tiles", "square", "squares", "steps", "points", "times"})


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
    state = re.match(r"(?:are\s+)?(not\s+)?(\w+)", mistake.rest)
    if beside is not None and state is not None:
        kind = mistake.singular(beside[2]) or beside[2]
        if mistake.is_word_of(state[2], kind):
            described = f"{beside[1]} {kind} is {state[1] or ''}{state[2]}"
            return Meant(write(described), start=beside.start(), stop=mistake.begin + state.end())
    facing = re.search(r"(?<!any )(?<!all )(?<!no )\bagent\s+(?:is\s+facing\s+)?\Z", before)
    faced = None
    if facing is not None:
        looks = re.compile(
            r"agent\s+(?:is\s+)?(?:facing|faces)\s+(?:is\s+)?(?:towards?\s+)?(?:the\s+|an?\s+)?(\w+)"
        )
        faced = looks.match(mistake.text, facing.start())
    if facing is not None and faced is not None and faced[1] not in {"not", "in", "at", "and", "or"}:
        described = f"agent.facing is {faced[1]}" if faced[1] in CARDINALS else f"{faced[1]} ahead"
        return Meant(write(described), start=facing.start(), stop=faced.end())
    return None


def other_condition(mistake: Mistake) -> Meant | None:
    """`every crate on target`, `crate on target == 2`, `if has gem`, `has 1 gem`, `< 2 cells`, `guard sees agent`."""
    if mistake.start not in CONDITIONS:
        return None
    before = mistake.text[: mistake.begin]
    first = r"\A|" if mistake.start == "expression" else ""
    alone = re.search(rf"(?:{first}\A\s*when\s+|\b(?:if|and|or)\s+)(on)\s+\Z", before)
    if alone is not None:
        return Meant(write("agent on"), *alone.span(1), start=alone.start(1), stop=alone.end(1))
    truth = re.match(r"==\s*(true|True)\b", mistake.rest)
    if truth is not None and re.search(r"\bis\s+(?:not\s+)?\w+\s*\Z", before):
        help = Help("leave `== true` out: `is` is a condition already", ("",))
        return Meant(help, start=len(mistake.before), stop=mistake.begin + truth.end())
    word = re.search(r"(\w+)\s+\Z", before)
    name = mistake.attribute_with(word[1], mistake.found) if word is not None else None
    if word is not None and name is not None:
        help = write(f"{mistake.found}({name}={word[1]})")
        return Meant(help, *word.span(1), start=word.start(1), stop=mistake.end)
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
    sighted = re.fullmatch(r"on\s+(\w+)\s+sees?\s+(\w+)(.*)", mistake.text, re.DOTALL)
    if mistake.start == "rule" and sighted is not None:
        line = f"when {sighted[1]} sees {sighted[2]}"
        return Meant(write(line), start=0, stop=sighted.end(2))
    sees = re.search(r"\b(\w+)\s+\Z", before)
    seen = re.match(r"sees?\s+(\w+)", mistake.rest)
    if sees is not None and seen is not None:
        return Meant(f"how near they are is asked by `{sees[1]} within 3 of {seen[1]}`")
    return None


def chance_in_words(mistake: Mistake) -> Meant | None:
    """`with 50% chance`, `with a chance of 0.5`, `with probability 0.5`."""
    said = re.match(r"(?:an?\s+)?([\d./]+%?)\s+(?:chance|probability|prob)\b", mistake.rest) or re.match(
        r"(?:an?\s+)?(?:chance|probability|prob)\s+(?:of\s+)?([\d./]+%?)", mistake.rest
    )
    bare = re.match(r"(?:with\s+)?([\d./]+%|0?\.\d+)(?=\s*\Z|\s*,)", mistake.rest)
    behind = re.search(r"\bwith\Z", mistake.before) is not None
    if bare is not None and mistake.start == "rule" and (behind or "WITH" in mistake.expected):
        return Meant(write(f"{'' if behind else 'with '}chance {bare[1]}"), stop=mistake.begin + bare.end())
    if said is None or mistake.expected != {"CHANCE"}:
        return None
    return Meant(write(f"chance {said[1]}"), stop=mistake.begin + said.end())


def comparison_chain(mistake: Mistake) -> Meant | None:
    """`1 < n < 3`: two comparisons in one."""
    halved = re.search(r"([\w.]+(?:\([^()]*\))?)\s*(?:<=?|>=?|==|!=)\s*[\w.]+\s+(?:and|or)\Z", mistake.before)
    if halved is not None and re.fullmatch(r"<=?|>=?|==|!=", mistake.found):
        return Meant(write(f"{halved[1]} {mistake.found}", ": each comparison names both of its sides"))
    chain = re.search(r"(\S+)\s*(<=?|>=?|==)\s*(\S+)\Z", mistake.before)
    if chain is None or not re.fullmatch(r"<=?|>=?|==", mistake.found):
        return None
    left, sign, middle = (part[:20] for part in chain.groups())
    help = Help(
        f"write `{left} {sign} {middle} and {middle} {mistake.found} ...`",
        (f"and {chain.group(3)} {mistake.found}",),
    )
    return Meant(help)
