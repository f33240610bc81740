"""Apart: colours for what a spec gives no look, so that two kinds look different, and things with different words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from griddsl.compass import COMPASS
from griddsl.program.program import AttributeInfo, KindInfo, LookInfo
from griddsl.render.colors import COLORS, Rgb, hex_of
from griddsl.render.looks import NUMBERED, SERIES, look_of, look_word
from griddsl.render.shapes import SHAPES

TRUTHS = {"false", "true"}
NEAR = 90  # as two purples are, of red, green and blue in 0..255


def told_apart(kinds: Sequence[KindInfo]) -> tuple[KindInfo, ...]:
    """Return kinds with a colour more where they would look alike.

    An object whose name has the picture of another one, as a dog has that of a monster, gets the next colour of the
    series; a `red_key` and a `blue_key` have their own, and a `diver_west` is to look as a `diver_east`. Things that
    differ in a word, `side in dark | light`, have a colour for each: the first word keeps that of the kind. So have
    tiles in what is true of them, `alive in false | true`, of which an object is not another one.
    """
    found: list[KindInfo] = []
    words: dict[tuple[str, Rgb], set[str]] = {}
    for kind in kinds:
        if not _is_plain(kind):
            found.append(kind)
            continue
        is_tile = kind.category == "tile"
        look = look_of(kind.name, category="tile" if is_tile else "object", properties=kind.properties)
        if is_tile:
            found.append(replace(kind, looks=tuple(_looks(kind, look.shape, look.color))))
            continue
        met = words.setdefault((look.shape, look.color), set())
        word = look_word(kind.name)
        if word is not None and met and word not in met:
            others = _unlike(look.color)
            kind = replace(kind, color=hex_of(others[(len(met) - 1) % len(others)]))
        met.add(word or kind.name)
        found.append(replace(kind, looks=tuple(_looks(kind, look.shape, look.color))))
    return tuple(found)


def _is_plain(kind: KindInfo) -> bool:
    """Whether a kind is one of objects or tiles, whose looks nothing of the spec decides."""
    if kind.category == "agent" or kind.shape or kind.color or kind.image or kind.looks:
        return False
    return not any(
        attribute.name in NUMBERED or any(word in COLORS for word in attribute.words)
        for attribute in kind.attributes
    )


def _looks(kind: KindInfo, shape: str, plain: Rgb) -> Iterator[LookInfo]:
    """Yield a colour for each word but the first of the first attribute that has words."""
    colors = _unlike(plain)
    attribute = next((each for each in kind.attributes if _tells(each, shape, kind.category)), None)
    if attribute is None or len(attribute.words) - 1 > len(colors):
        return
    for code, color in enumerate(colors[: len(attribute.words) - 1], 1):
        yield LookInfo(((attribute.name, code),), color=hex_of(color))


def _unlike(plain: Rgb) -> list[Rgb]:
    """Return the colours of the series that nobody takes for another one."""
    return [color for color in SERIES if math.dist(color, plain) > NEAR]


def _tells(attribute: AttributeInfo, shape: str, category: str) -> bool:
    """Whether the words of an attribute are shown by nothing else: no direction, no state that the shape pictures."""
    words = {*attribute.words}
    if len(words) < 2 or (words == TRUTHS and category == "object"):
        return False
    return not words & {*COMPASS} and not (words | {attribute.name}) & {*SHAPES[shape].states}
