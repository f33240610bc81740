"""Habits in `place` as a whole: limits in other words, chances, repetitions, and drawings of numbers beside it."""

from __future__ import annotations

import re
from collections.abc import Callable

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import Meant, Mistake
from griddsl.syntax.keywords import EFFECT_WORDS

_NUMBERS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_WHAT = r"(?P<what>place\s+(?:\d+\s+)?\w+(?:\([^()]*\))?)"
_RANDOM = r"(?:\s+(?:at\s+)?random(?:ly)?(?:\s+(?P<tile>floor|free|\w+))?)"
_CHANCE = r"(?:an?\s+)?(?:chance|probability|prob)\s+(?:of\s+)?(?P<chance>[\d./]+%?)"
_NOT = r"(?:not|excluding|except|but\s+not|other\s+than)"


def _drawn(said: re.Match[str], where: str) -> Help:
    tile = said.groupdict().get("tile")
    return write(
        f"{said['what']} at random {tile if tile not in {None, 'where', 'not'} else 'free'} where {where}"
    )


def _by_pair(said: re.Match[str], _: Mistake) -> Help:
    return write(f"{said['what']} at ({said['x']}, {said['y']})")


def _far(said: re.Match[str], _: Mistake) -> Help:
    return _drawn(said, f"distance(here, {said['who']}) >= {said.groupdict().get('far') or 3}")


def _compared(said: re.Match[str], _: Mistake) -> Help:
    return _drawn(said, f"distance(here, {said['who'] or 'agent'}) {said['sign']} {said['far']}")


def _but(said: re.Match[str], _: Mistake) -> Help:
    return _drawn(said, f"here is not {said['cell']}")


def _at_distance(said: re.Match[str], _: Mistake) -> Help:
    return _drawn(said, f"distance(here, {said['who']}) == {said['far']}")


def _not_beside(said: re.Match[str], _: Mistake) -> Help:
    return _drawn(said, f"distance(here, {said['who']}) > {said['far'] or 1}")


def _free(said: re.Match[str], _: Mistake) -> Help:
    return write(f"{said['what']} at random free", ": free is where nothing solid is")


def _some(said: re.Match[str], mistake: Mistake) -> Help:
    chosen, kind = f"choose number in {said['low']}..{said['high']}", mistake.singular(said["kind"])
    put = f"place number {kind or said['kind']} at random free"
    return Help(f"how many is chosen on a line before: `{chosen}`, then `{put}`", ())


def _counted(said: re.Match[str], _: Mistake) -> Help:
    return write(f"place {_NUMBERS.index(said['number'])} {said['rest']}")


def _repeated(said: re.Match[str], _: Mistake) -> Help:
    return write(f"place {said['number']} {said['rest']}", ": how many stands before the kind")


def _filled(said: re.Match[str], _: Mistake) -> Help:
    return write(f"place {said['kind']} at every floor with chance {said['chance']}")


def _chance_last(said: re.Match[str], _: Mistake) -> Help:
    return write(f"{said['what']} {said['where']} with chance {said['chance']}", ": the chance stands last")


def _by_chance(said: re.Match[str], _: Mistake) -> Help:
    what = said.groupdict().get("all") or f"{said['what']} at random free"
    return Help(
        f"a line of the block holds with a chance: `if true with chance {said['chance']}: {what}`", ()
    )  # fmt: skip


# What an effect is as a whole, and what to write in its place.
_ROWS: tuple[tuple[str, Callable[[re.Match[str], Mistake], Help]], ...] = (
    (rf"{_WHAT}\s+(?:at\s+)?\(?\s*x\s*[=:]\s*(?P<x>\d+)\s*,?\s*y\s*[=:]\s*(?P<y>\d+)\s*\)?", _by_pair),
    (
        rf"{_WHAT}{_RANDOM}?\s+(?:(?:far\s+)?away\s+from|far\s+from|at\s+least\s+(?P<far>\d+)\s+(?:cells?\s+|steps?\s+)?(?:away\s+)?from)"
        r"\s+(?:the\s+)?(?P<who>\w+)",
        _far,
    ),
    (
        rf"{_WHAT}\s+(?:at\s+)?random\s+where\s+distance(?:\s+(?:to|from)\s+(?:the\s+)?(?P<who>\w+))?\s*"
        r"(?P<sign>[<>]=?|==)\s*(?P<far>\d+)",
        _compared,
    ),
    (
        rf"{_WHAT}{_RANDOM}?\s+(?:at\s+)?(?:a\s+)?distance\s+(?:of\s+)?(?P<far>\d+)\s+(?:from|to)\s+(?:the\s+)?(?P<who>\w+)",
        _at_distance,
    ),
    (
        rf"{_WHAT}{_RANDOM}?\s+{_NOT}\s+(?:next\s+to|beside|near(?:\s+to)?|adjacent\s+to|within\s+(?P<far>\d+)\s+of)"
        r"\s+(?:the\s+)?(?P<who>\w+)",
        _not_beside,
    ),
    (rf"{_WHAT}{_RANDOM}\s+{_NOT}\s+(?:in\s+|on\s+|an?\s+|the\s+)*(?:wall|solid|occupied|taken)s?", _free),
    (
        r"place\s+(?:between\s+)?(?P<low>\d+)\s*(?:to|-|\.\.|and|or)\s*(?P<high>\d+)\s+(?P<kind>\w+)(?:\s+.*)?",
        _some,
    ),
    (rf"{_WHAT}{_RANDOM}\s+{_NOT}\s+(?:at\s+)?(?P<cell>\(\s*\w+\s*,\s*\w+\s*\))", _but),
    (rf"place\s+(?P<number>{'|'.join(_NUMBERS[1:])})\s+(?P<rest>.+)", _counted),
    (r"(?:repeat|loop|do)\s+(?P<number>\d+)(?:\s+times)?\s*:?\s*place\s+(?:an?\s+)?(?P<rest>.+)", _repeated),
    (r"fill\s+(?:with\s+)?(?P<kind>\w+)\s+(?:with\s+chance\s+|by\s+)?(?P<chance>[\d.]+%?)", _filled),
    (rf"{_WHAT}\s+with\s+{_CHANCE}\s+(?P<where>(?:at|in)\s+.+)", _chance_last),
    (rf"{_WHAT}{_RANDOM}?\s+with\s+{_CHANCE}", _by_chance),
    (
        rf"with\s+{_CHANCE}\s*,?\s+(?P<all>(?:reward|end|remove|move|go|choose)\s.+|\w+\s*[-+*]?=(?!=).+)",
        _by_chance,
    ),
    (rf"(?:with\s+)?{_CHANCE}\s*[:,]?\s*(?P<all>place\s.+)", _by_chance),
)
_MEANT = tuple((re.compile(pattern), answer) for pattern, answer in _ROWS)


def placed(mistake: Mistake) -> Meant | None:
    """`place coin far from agent`, `place coin at x=2, y=1`, `repeat 3: place coin ...`, `fill wall 20%`."""
    if mistake.start != "effects":
        return None
    start, stop = mistake.item_start(), mistake.item_end()
    whole = mistake.text[start:].rstrip()
    for text, end in ((mistake.text[start:stop], stop), (whole, start + len(whole))):
        for pattern, answer in _MEANT:
            said = pattern.fullmatch(text)
            if said is not None:
                return as_effect(answer(said, mistake), mistake, start, end)
    return None


def as_effect(help: Help | str, mistake: Mistake, start: int, stop: int) -> Meant:
    """Return what to write for an effect: its first word is none, or the whole is not one."""
    word = re.compile(r"\w+").match(mistake.text, start)
    if (
        word is None
        or word[0].isdigit()
        or word[0] in EFFECT_WORDS
        or word[0] in {"repeat", "every", "all", "each"}
    ):
        return Meant(help, start, stop, expected="an effect", start=start, stop=stop)
    return Meant(help, *word.span(), unknown_effect=word[0], start=start, stop=stop)
