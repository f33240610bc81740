"""Habits in effects and conditions of variables, and in what becomes of things, as one would say them."""

from __future__ import annotations

import re
from collections.abc import Callable

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.effects.placed import as_effect
from griddsl.syntax.habits.mistake import CONDITIONS, Meant, Mistake

_LESS = r"(?:decreases|drops|falls|shrinks|sinks|goes\s+down)"
_MORE = r"(?:increases|grows|rises|climbs|goes\s+up)"
_ONE = r"(?:the\s+)?\w+"
_WAYS = "north|south|east|west"


def _per_thing(said: re.Match[str], mistake: Mistake) -> Help:
    if said["kind"] in {"step", "move", "turn", "time"}:
        return write(f"reward {said['amount']}", ": when it is paid, the head of its rule says")
    return write(f"reward {said['amount']} * count({_kind(said['kind'], mistake)})")


def _kind(word: str, mistake: Mistake) -> str:
    return mistake.singular(word) or word


def _each_becomes(said: re.Match[str], mistake: Mistake) -> str:
    kind, other = _kind(said["kind"], mistake), _kind(said["other"], mistake)
    return f"a line of a block goes through them: `each {kind}: {kind} becomes {other}`"


def _first_again(said: re.Match[str], mistake: Mistake) -> Help | None:
    first = re.search(rf"^var\s+{said['var']}\s*:\s*(-?\w+)", mistake.whole, re.MULTILINE)
    return write(f"{said['var']} = {first[1]}") if first is not None and first[1] != "in" else None


def _frozen(said: re.Match[str], mistake: Mistake) -> str:
    creature = "; a creature `moves random if frozen == 0 else still`"
    return f"a variable says how long, and `allow` asks it: `allow up: frozen == 0`{creature}"


_BY = r"(?:\s+by\s+(?P<by>\w+))?"
_WHO = r"(?:the\s+)?(?:agent|player)"
_A = r"(?:the\s+|an?\s+)?"

# What an effect is as a whole, and what to write: `var` has to be a variable of the spec, `thing` a kind or a thing.
_Answer = Callable[[re.Match[str], Mistake], Help | str | None]
_EFFECTS: tuple[tuple[str, str | _Answer], ...] = (
    (rf"(?P<var>\w+)\s+{_LESS}{_BY}", "{var} -= {by}"),
    (rf"(?P<var>\w+)\s+{_MORE}{_BY}", "{var} += {by}"),
    (r"(?:lower|reduce|drain|use|spend|lose)\s+(?:(?P<by>\d+)\s+)?(?P<var>[a-z_]\w*)", "{var} -= {by}"),
    (rf"{_WHO}\s+(?:loses|uses|spends)\s+(?:(?P<by>\d+)\s+)?(?P<var>[a-z_]\w*)", "{var} -= {by}"),
    (r"(?:raise|gain|earn)\s+(?:(?P<by>\d+)\s+)?(?P<var>[a-z_]\w*)", "{var} += {by}"),
    (rf"{_WHO}\s+(?:gains|gets|earns)\s+(?:(?P<by>\d+)\s+)?(?P<var>[a-z_]\w*)", "{var} += {by}"),
    (r"double\s+(?P<var>\w+)", "{var} = {var} * 2"),
    (r"halve\s+(?P<var>\w+)", "{var} = {var} div 2"),
    (r"reset\s+(?P<var>\w+)", _first_again),
    (r"(?P<thing>\w+)\s+(?:dies|is\s+killed|is\s+destroyed|explodes|breaks)", "remove {thing}"),
    (
        rf"(?P<thing>\w+)\s*(?:(?:turns?|changes?|transforms)\s+(?:in)?to|->|=>)\s*{_A}(?P<other>\w+)",
        "{thing} becomes {other}",
    ),
    (rf"(?:all|every|each)\s+(?P<kind>\w+)\s+(?:becomes?|turns?\s+into)\s+{_A}(?P<other>\w+)", _each_becomes),
    (rf"{_WHO}\s+drops?\s+{_A}(?P<thing>\w+)", "drop {thing}"),
    (r"reward\s+(?P<amount>[+-]?[\d.]+)\s+(?:per|for\s+(?:each|every))\s+(?P<kind>\w+)", _per_thing),
    (rf"send\s+{_A}(?P<thing>\w+)\s+(?:back\s+)?(?:home|to\s+(?:its\s+|the\s+)?start)", "move {thing} to start"),
    (rf"teleport\s+{_WHO}(?:\s+(?:randomly|somewhere|away))?", "go to random free"),
    (r"game\s*_?over", "end failure"),
    (rf"agent\s+(?P<way>{_WAYS})", "move agent {way}"),
    (r"cancel\s+(?:the\s+|this\s+)?(?:move|action|step)", "cancel"),
    (rf"(?:{_ONE}\s+)?(?:(?:gets?|has|have|takes?)\s+)?(?:an\s+)?(?:extra|another|second)\s+(?:turn|move|go)", "again"),
    (rf"(?:{_ONE}\s+)?(?:turns?|plays?|moves?|go(?:es)?|acts?|repeats?)\s+(?:once\s+)?again", "again"),
    (rf"(?:{_ONE}\s+)?(?:keeps?|repeats?)\s+(?:(?:the|its|his|her)\s+)?turn", "again"),
    (rf"(?:freeze|stun|paralyze|immobilize)\s+{_A}\w+.*|{_WHO}\s+(?:cannot|can\s+not)\s+move.*", _frozen),
)  # fmt: skip
_ASKED: tuple[tuple[str, str], ...] = (
    (r"(?P<var>\w+)\s+(?:reaches|hits|becomes|equals|gets\s+to|is\s+at)\s+(?P<value>-?\w+)", "=="),
    (r"(?P<var>\w+)\s+(?:drops|falls|goes|gets|is)\s+(?:below|under)\s+(?P<value>-?\w+)", "<"),
    (r"(?P<var>\w+)\s+(?:(?:rises|goes|gets|is)\s+(?:above|over)|exceeds)\s+(?P<value>-?\w+)", ">"),
    (
        r"(?P<var>\w+)\s+(?:runs\s+out|is\s+used\s+up|ran\s+out)|(?:out\s+of|no\s+more)\s+(?P<other>\w+)",
        "== 0",
    ),
    (r"(?P<var>\w+)\s+(?:changes|changed|has\s+changed)", "!="),
)
_MEANT = tuple((re.compile(pattern), answer) for pattern, answer in _EFFECTS)
_CONDITIONS = tuple((re.compile(rf"\b(?:{pattern})\b"), sign) for pattern, sign in _ASKED)


def _is_variable(word: str, mistake: Mistake) -> bool:
    return re.search(rf"^var\s+{word}\b", mistake.whole, re.MULTILINE) is not None


def _is_thing(word: str, mistake: Mistake) -> bool:
    return mistake.is_kind(word) or mistake.is_thing(word)


def said_of_variables(mistake: Mistake) -> Meant | None:
    """`when energy runs out`, `if n reaches 5`, `when no more coins`: a number is compared, or nothing is left."""
    if mistake.start not in CONDITIONS:
        return None
    for found in mistake.around(re.compile(r"\bno\s+more\s+(\w+)(?:\s+left)?")):
        if (kind := mistake.singular(found[1])) is not None:
            return Meant(write(f"no {kind} left"), start=found.start(), stop=found.end())
    for pattern, sign in _CONDITIONS:
        for said in mistake.around(pattern):
            name = said["var"] or said["other"]
            if not _is_variable(name, mistake):
                continue
            compared = f"{name} {sign}" if sign == "== 0" else f"{name} {sign} prev({name})"
            if "value" in said.groupdict():
                compared = f"{name} {sign} {said['value']}"
            return Meant(write(compared), start=said.start(), stop=said.end())
    return None


_ACTS = (
    r"acts|plays|moves|has\s+(?:the\s+|a\s+)?turn|is\s+(?:to\s+(?:move|play|act)|next)|to\s+(?:move|play|act)"
)
_TURN = re.compile(rf"(?:\b(?P<who>\w+)\s+(?:{_ACTS})|(?:\bthe\s+)?\bturn\s+of\s+(?P<of>\w+))\b")


def turn_asked(mistake: Mistake) -> Meant | None:
    """`if red acts`, `if red to move`, `if turn of red`: whose turn it is, where each acts in its own."""
    if mistake.start not in CONDITIONS or not re.search(
        r"^turns\s*:\s*alternate", mistake.whole, re.MULTILINE
    ):
        return None
    for found in mistake.around(_TURN):
        who = found["who"] or found["of"]
        if who == "self" or re.search(rf"^agents\s*:.*\b{who}\b", mistake.whole, re.MULTILINE):
            return Meant(write(f"{who}.turn"), start=found.start(), stop=found.end())
    return None


def said(mistake: Mistake) -> Meant | None:
    """`n decreases by 2`, `dog dies`, `coin turns into key`, `reward 1 per coin`, `game over`."""
    if mistake.start != "effects":
        return None
    start, stop = mistake.item_start(), mistake.item_end()
    for pattern, answer in _MEANT:
        found = pattern.fullmatch(mistake.text[start:stop])
        if found is None:
            continue
        groups = found.groupdict()
        if groups.get("var") is not None and not _is_variable(groups["var"], mistake):
            continue
        if groups.get("thing") is not None and not _is_thing(groups["thing"], mistake):
            continue
        if isinstance(answer, str):
            help: Help | str | None = write(answer.format(**{**groups, "by": groups.get("by") or "1"}))
        else:
            help = answer(found, mistake)
        if help is not None:
            return as_effect(help, mistake, start, stop)
    return None
