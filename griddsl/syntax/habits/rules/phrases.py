"""Habits of whole phrases: what reads well in English, and how it is said here."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import CONDITIONS, Meant, Mistake

_EFFECTS, _RULES, _PROPERTIES = frozenset({"effects"}), frozenset({"rule"}), frozenset({"properties"})
_SAID = frozenset({*CONDITIONS, "effects", "infos", "observations"})


@dataclass(frozen=True, slots=True)
class Phrase:
    """A wording, where it is looked for, what is written in its place, and what is expected there."""

    starts: Collection[str]
    wording: re.Pattern[str]
    answer: Callable[[re.Match[str], Mistake], Help | str | None]
    expected: str


def _by_offset(said: re.Match[str], _: Mistake) -> str:
    name, across, down = said[1], int(said[2]), int(said[3])
    x, y = (f"{name}.{axis}" + (f" {'-' if by < 0 else '+'} {abs(by)}" if by else "")
            for axis, by in (("x", across), ("y", down)))  # fmt: skip
    return write(f"move {name} to ({x}, {y})")


def _until(said: re.Match[str], _: Mistake) -> Help:
    condition = "C"
    if re.search(r"reach|path|connected", said[2]):
        condition = "path_distance(agent, goal) < width * height"
    shown = f"what is drawn until it fits stands in a block: `retry 100 until {condition}:`, and below it `{said[1]}`"
    return Help(shown, ())


def _for_each(said: re.Match[str], _: Mistake) -> str:
    value, kind, asked = said[1], said[2], (said[3] or "").removeprefix("where ").strip()
    where = f" where {asked if asked.startswith(kind) else f'{kind} {asked}'}" if asked else ""
    return write(f"reward sum({value} for {kind}{where})")


def _all_held(said: re.Match[str], mistake: Mistake) -> str | None:
    if not (mistake.is_kind(said[1]) and mistake.is_kind(said[2])):
        return None
    return write(f"no {said[1]} left", f": what a {said[2]} holds is on no map")


def _into_one(said: re.Match[str], _: Mistake) -> Help:
    name, value = (part.strip() for part in f"{said[3]}=".split("=")[:2])
    asked = f"each {said[2]} where {said[2]}.{name} {'==' if value.isdigit() else 'is'} {value}:"
    return Help(f"one of several is gone through: `{asked}`, and below it `{said[1]}`", ())


def _in_state(said: re.Match[str], mistake: Mistake) -> str | None:
    return write(f"{said[1]} is {said[2]}") if mistake.is_word_of(said[2], said[1]) else None


def _along_the_way(said: re.Match[str], mistake: Mistake) -> Help:
    me = "self" if re.search(r"^agents\b", mistake.whole, re.MULTILINE) else "agent"
    cell = f"({me}.x + i * dx({me}.facing), {me}.y + i * dy({me}.facing))"
    return Help(
        f"the cells ahead are asked one by one: `any i in 1..{said[2]} where {said[1]} at {cell}`", ()
    )


def _has_moved(said: re.Match[str], mistake: Mistake) -> str | None:
    kind = said[1]
    if not mistake.is_kind(kind):
        return None
    return write(f"each {kind} if prev({kind}.x) != {kind}.x or prev({kind}.y) != {kind}.y")


def _each_cell(said: re.Match[str], _: Mistake) -> str:
    asked, order, rest = (
        re.sub(rf"\b{said[1]}\.([xy])\b", r"\1", part or "") for part in said.group(2, 3, 4)
    )
    where = f" where {asked or rest}" if asked or rest else ""
    return write(f"each cell{where} by {order}", ", in whose block the cell is `here`")


_WAY = r"(toward|away from)"
_ROWS: tuple[tuple[Collection[str], str, Callable[[re.Match[str], Mistake], Help | str | None], str], ...] = (
    (
        _EFFECTS,
        r"let\s+(\w+)\s*=\s*random\s+(-?\d[\w +*()-]*\.\.[\w +*()-]+)",
        lambda said, _: write(f"choose {said[1]} in {said[2].strip()}"),
        "an effect",
    ),
    (
        _EFFECTS,
        r"([\w.]+)\s*=\s*random\s*\(\s*(-?\d+)\s*(?:\.\.|,)\s*(-?\w+)\s*\)",
        lambda said, _: write(f"{said[1]} = random {said[2]}..{said[3]}"),
        "an effect",
    ),
    (
        _RULES,
        r"on\s+do\s+(\w+)\s+by\s+(\w+)",
        lambda said, _: write(f"on do {said[1]} if self is {said[2]}"),
        "`if`, `with` or the end",
    ),
    (_RULES, r"each\s+(?:tile|object|thing)\s+(\w+)", lambda said, _: write(f"each {said[1]}"), "a kind"),
    (
        {"each_head"},
        r"each\s+(\w+)\s+in\s+cells(?:\s+where\s+(\S.*?))?\s+by\s+(\S.*?)(?:\s+where\s+(\S.*))?\s*\Z",
        _each_cell,
        "`with` or the end",
    ),
    (
        _PROPERTIES,
        rf"moves\s+{_WAY}\s+\(\s*(\w+)\s*\)",
        lambda said, _: write(f"moves {said[1]} {said[2]}"),
        "a kind",
    ),
    (
        _PROPERTIES,
        rf"moves\s+{_WAY}\s+(\w+)\s+if\s+sees\s+(\w+)",
        lambda said, _: write(f"moves {said[1]} {said[2]} if self sees {said[3]}"),
        "a condition",
    ),
    (
        _PROPERTIES,
        rf"moves\s+{_WAY}\s+(\w+)\s+(?:by\s+)?\d+(?:\s+cells?)?(?=\s*(?:,|\Z))",
        lambda said, _: "it goes one cell at a time, in every step or, with `every 2 steps`, more seldom",
        "`by`, `every`, `if` or the end",
    ),
    (
        _PROPERTIES,
        r"moves\s+(?:forward\s+(?:and\s+)?back(?:ward)?|patrol\s+(?:from|between)\b[^,:]*(?:\([^)]*\)[^,:]*)*)",
        lambda said, _: "`moves patrol` goes ahead, and turns around at what it cannot enter",
        "a way to move",
    ),
    (
        _EFFECTS,
        r"move\s+(\w+)\s+([+-]?\d+)\s*,\s*([+-]?\d+)(?=\s*(?:,|\Z))",
        _by_offset,
        "a direction, or `to`",
    ),
    (
        _EFFECTS,
        r"place\s+([\w(=,) ]+?)\s+as\s+\w+\s+in\s+(\w+)(?=\s*(?:,|\Z))",
        lambda said, _: write(f"place {said[1]} in {said[2]}", ": what is put into a thing has no name"),
        "`at`",
    ),
    (
        _EFFECTS,
        r"place\s+(\d+)\s*%\s+(?:of\s+)?(\w+)\s+(?:at|in|on)\s+(?:random\s+)?(\w+)",
        lambda said, _: write(f"place {said[2]} at every {said[3]} with chance {said[1]}%"),
        "a kind",
    ),
    (_EFFECTS, r"(place\s+.+?)\s+until\s+(\S.*)", _until, "`where`, `,` or the end"),
    (_EFFECTS, r"reward\s*\+\s*([A-Za-z(].*)", lambda said, _: write(f"reward {said[1]}"), "a number"),
    (
        _EFFECTS,
        r"place\s+(\w+)\s+at\s+(\w+(?:\.\w+)?|\([^()]*\))\s+facing\s+(\w+\.\w+)",
        lambda said, _: write(f"place {said[1]}(facing={said[3]}) at {said[2]}"),
        "`,`, `if free` or the end",
    ),
    (
        _EFFECTS,
        r"reward\s+([\w.]+)\s+for\s+(?:each|every)\s+(\w+)(?:\s+([^,]+))?",
        _for_each,
        "`,`, `to` or the end",
    ),
    (
        _SAID,
        r"\b(sum|min|max)\(\s*([^()]+?)\s+for\s+(\w+)\s+(on|at|within|near)\s+([^()]+)\)",
        lambda said, _: write(f"{said[1]}({said[2]} for {said[3]} where {said[3]} {said[4]} {said[5]})"),
        "`where` or `)`",
    ),
    (
        _SAID,
        r"\b(min|max)\s+((?:distance|chebyshev|euclid|path_distance)\(\s*(\w+)\s*,[^()]*\))",
        lambda said, _: write(f"{said[1]}({said[2]} for {said[3]})"),
        "an expression",
    ),
    (
        CONDITIONS,
        r"\ball\s+(?:the\s+)?(\w+?)s?\s+(?:are\s+|is\s+)?in(?:side)?\s+(?:the\s+)?([a-z]\w*)",
        _all_held,
        "a condition",
    ),
    (
        CONDITIONS,
        r"\bno\s+(\w+)\s+where\s+(.+?)\s+(?:left|remains?)\b",
        lambda said, _: write(f"no {said[1]} where {said[2]}"),
        "an operator, `if` or the end",
    ),
    (
        CONDITIONS,
        r"\b(\w+)\s+ahead\s+within\s+(\w+)",
        _along_the_way,
        "a condition",
    ),
    (
        CONDITIONS,
        r"(?:\A|(?<=when )|(?<=if )|(?<=and )|(?<=or )|(?<=not ))(\w+)\s+(?!and\b|or\b|is\b|has\b|on\b|at\b)(\w+)\Z",
        _in_state,
        "`is`",
    ),
    (
        _SAID,
        r"\b(?:the\s+)?(?:last|latest|current)\s+action\b",
        lambda said, _: write("self.action", ": the action of this step"),
        "a number or a word",
    ),
    (
        _RULES,
        r"on\s+(?:the\s+|an?\s+|any\s+)?(\w+)\s+(?:moved|moves|was\s+moved|has\s+moved)(?=\s*(?:\Z|if\b|with\b))",
        _has_moved,
        "an event",
    ),
    (
        _RULES,
        r"on\s+(?:the\s+|an?\s+|any\s+)?(\w+)\s+(?:is\s+|was\s+)?(?:removed|gone|destroyed)(?=\s*(?:\Z|if\b|with\b))",
        lambda said, mistake: (
            write(f"when count({said[1]}) < prev(count({said[1]}))") if mistake.is_kind(said[1]) else None
        ),
        "an event",
    ),
    (
        _RULES,
        r"\b(on\s+(?:\w+\s+)?(?:enter|leave|meet|pickup|bump)\s+\w+)\s+(?:within|in|before|by)\s+(?:step\s+)?(\d+)(?:\s+steps?)?",
        lambda said, _: write(f"{said[1]} if step <= {said[2]}"),
        "`if`, `with` or the end",
    ),
    (
        _RULES,
        r"on\s+(?:any|an?|the|every)\s+(?!agent\b)(\w+)\s+(enter|leave|meet|bump|push)\s+(\w+)",
        lambda said, _: write(f"on {said[1]} {said[2]} {said[3]}"),
        "an event",
    ),
    (
        _RULES,
        r"\b(on\s+(?:\w+\s+)?(?:enter|leave|meet|pickup|bump))\s+(\w+)\s*[/|&]\s*(\w+)",
        lambda said, _: write(f"{said[1]} ({said[2]} or {said[3]})"),
        "`if`, `with` or the end",
    ),
    (
        _RULES,
        r"on\s+(?:being\s+)?(?:blocked|stopped)(?=\s*(?:\Z|if\b|with\b))",
        lambda said, _: write("on bump wall"),
        "an event",
    ),
    (
        CONDITIONS,
        r"(?:\A|(?<=when )|(?<=if )|(?<=and )|(?<=or )|(?<=not ))"
        r"facing\s+(?:a\s+|the\s+)?([a-z]\w*)(?=\s*(?:\Z|:|and\b|or\b))",
        lambda said, mistake: (
            write(f"{said[1]} ahead") if said[1] in {"wall", "edge"} or mistake.is_kind(said[1]) else None
        ),
        "a condition",
    ),
    (
        _SAID,
        r"\bcount\(\s*(\w+(?:\([^()]*\))?)\s*\)\s+in\s+(\w+)",
        lambda said, _: write(f"count({said[1]} in {said[2]})"),
        "an operator",
    ),
    (
        _EFFECTS,
        r"add\s+(?:an?\s+|the\s+)?(\w+)\s+(?:to|into|in)\s+(?:the\s+)?(\w+)(?=\s*(?:,|\Z))",
        lambda said, mistake: write(f"place {said[1]} in {said[2]}") if mistake.is_kind(said[1]) else None,
        "an effect",
    ),
    (
        _EFFECTS,
        r"place\s+(\w+)\s+([a-z]\w*)\s+(at|in)\b",
        lambda said, mistake: (
            write(f"place {said[1]}({name}={said[2]}) {said[3]}")
            if (name := mistake.attribute_with(said[2], said[1])) is not None
            else None
        ),
        "`at`",
    ),
    (
        _PROPERTIES,
        r"\bmoves\s+every\s+(\w+)\s+(?:steps?|turns?)(?=\s*(?:,|\Z))",
        lambda said, _: write(f"moves random every {said[1]} steps", ": how it moves comes first"),
        "a way to move",
    ),
    (
        _PROPERTIES,
        r"\bavoiding\s+\(?(\w+)\s*(?:and|&)\s*(\w+)\)?",
        lambda said, _: write(f"avoiding ({said[1]} or {said[2]})"),
        "a kind",
    ),
    (_EFFECTS, r"\b(place\s+.+?\s+in\s+(\w+))\(([^()]*)\)", _into_one, "`,`, `where` or the end"),
    (
        frozenset({"names"}),
        r"(wrap|clip|stay)\s+(?:on\s+|in\s+|along\s+)?(?:x|y|horizontal\w*|vertical\w*|rows|columns)\b",
        lambda said, _: "the edge is one on all sides: walls along two of them leave the others open",
        "`stay`, `clip` or `wrap`",
    ),
)
_PHRASES = tuple(
    Phrase(starts, re.compile(wording), answer, expected) for starts, wording, answer, expected in _ROWS
)


def phrased(mistake: Mistake) -> Meant | None:
    """`let n = random 1..3`, `place 10% wall at random floor`, `min distance(coin, agent)`."""
    for phrase in _PHRASES:
        if mistake.start not in phrase.starts:
            continue
        for said in phrase.wording.finditer(mistake.text):
            start, stop = said.start(), said.end()
            if start <= mistake.begin <= stop:
                help = phrase.answer(said, mistake)
                if help is not None:
                    return Meant(help, start, stop, expected=phrase.expected, start=start, stop=stop)
    return None
