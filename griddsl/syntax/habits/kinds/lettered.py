"""Habits in an item of the legend as a whole: attributes, numbers, articles, places and chances beside a kind."""

from __future__ import annotations

import re
from collections.abc import Callable

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import Meant, Mistake, of_item

_LETTER = r"(?P<letter>\"[^\"]\"|\w)"
_HEAD = rf"{_LETTER}\s*=\s*"
_CHANCE = r"(?:with\s+chance\s+)?(?P<chance>\d[\d.]*%|(?:0?\.\d+))"


def _with_attribute(said: re.Match[str]) -> Help:
    return write(f"{said['letter']} = {said['kind']}({said['name']}={said['value']})")


def _bare(said: re.Match[str]) -> Help:
    return write(f"{said['letter']} = {said['kind']}")


def _for_each(said: re.Match[str]) -> Help:
    letters = re.findall(r"\w", said["letters"])
    return write(", ".join(f"{letter} = {said['kind']}" for letter in letters), ": each letter has an item")


def _one_kind(said: re.Match[str]) -> str:
    values = " | ".join(re.findall(r"\b(?!or\b|random\b)\w+", said["kinds"]))
    return f"a letter stands for one kind; `setup:` draws: `choose what in {values}, place what at (1, 1)`"


def _by_chance(said: re.Match[str]) -> str:
    kind = said["kind"]
    return f"a map shows what is there; `setup:` draws: `if true with chance {said['chance']}: place {kind} at (1, 1)`"


def _where(said: re.Match[str]) -> str:
    return "the map shows where each stands: draw its letter there"


def _how_many(said: re.Match[str]) -> str:
    return "the map shows how many there are: draw a letter for each"


def _asked(said: re.Match[str]) -> str:
    return f"a map shows what is there at first; `setup:` asks: `if {said['asked']}: place {said['kind']} at (1, 1)`"


def _described(said: re.Match[str]) -> str:
    kind, word = said.group("kind", "word")
    how = f"`{kind}(color={word})` where `object {kind}: color in {word} | other` declares it"
    return f"what a thing is like stands in brackets, by the attribute's name: {how}"


def _named(said: re.Match[str]) -> str:
    return (
        f"a name is given where a thing is placed: `setup: place {said['kind']} as {said['name']} at (1, 1)`"
    )


def _third(said: re.Match[str]) -> str:
    drawn, placed = (
        f"{said['letter']} = {said['kind']} on {said['tile']}",
        f"setup: place {said['third']} at (1, 1)",
    )
    return f"a letter draws a tile and one thing on it, as in `{drawn}`; what else is there is placed: `{placed}`"


# What an item of the legend is as a whole, and what to write in its place, or why not.
_ROWS: tuple[tuple[str, Callable[[re.Match[str]], Help | str]], ...] = (
    (rf"{_LETTER}\s+(?P<kind>[a-z_]\w*)", _bare),
    (rf"{_HEAD}(?P<kind>\w+)\s*\[\s*(?P<name>\w+)\s*[=:]\s*(?P<value>\w+)\s*\]", _with_attribute),
    (rf"{_HEAD}(?P<kind>\w+)\s+(?:with\s+|where\s+)?(?P<name>(?!as\b|at\b|on\b|or\b|if\b|with\b)\w{{2,}})\s*(?:=|is|:)?\s+(?P<value>\w+)",
     _with_attribute),
    (rf"{_HEAD}(?P<kind>\w+)\s+(?:with\s+|where\s+)?(?P<name>\w{{2,}})\s*=\s*(?P<value>\w+)", _with_attribute),
    (rf"{_HEAD}(?:an?|the|object|tile)\s+(?P<kind>\w+)", _bare),
    (r"(?P<letters>\w(?:\s*/\s*\w)+)\s*=\s*(?P<kind>\w+)", _for_each),
    (rf"{_HEAD}(?P<kinds>(?:random\s+)?\w+(?:\s*(?:\||\bor\b|/)\s*\w+)+)", _one_kind),
    (rf"{_HEAD}(?:{_CHANCE}\s+(?P<kind>\w+))", _by_chance),
    (rf"{_HEAD}(?P<kind>\w+)\s+{_CHANCE}", _by_chance),
    (rf"{_HEAD}(?P<kind>\w+)\s+on\s+(?P<tile>\w+)\s*(?:and|with|\+|&)\s*(?:on\s+)?(?:an?\s+)?(?P<third>\w+)", _third),
    (rf"{_HEAD}\w+\s+at\s+\(.*\)", _where),
    (rf"{_HEAD}\d+\s+\w+", _how_many),
    (rf"{_HEAD}(?P<kind>\w+)\s+as\s+(?P<name>\w+)", _named),
    (rf"{_HEAD}(?P<kind>\w+)\s+(?:if|when|where)\s+(?P<asked>.+)", _asked),
    (rf"{_HEAD}(?P<kind>\w+)\s+(?P<word>\w+)", _described),
)  # fmt: skip
_MEANT = tuple((re.compile(pattern), answer) for pattern, answer in _ROWS)


def lettered(mistake: Mistake) -> Meant | None:
    """`c = coin with value 2`, `A = agent facing east`, `c coin`, `c = coin or key`, `c = a coin`, `c/d = coin`."""
    if mistake.start != "legend":
        return None
    start = mistake.item_start()
    several = re.compile(r"(?P<letters>\w(?:\s*,\s*\w)+)\s*=\s*(?P<kind>\w+)").match(mistake.text, start)
    if several is not None:
        help = _for_each(several)
        return Meant(
            help, start, several.end(), expected="a letter and its kind", start=start, stop=several.end()
        )
    return of_item(mistake, _MEANT, "a letter and its kind")
