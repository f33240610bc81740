"""Habits in `look`: colours by numbers, shapes in quotes, pictures without them, and other words for all of these."""

from __future__ import annotations

import re
from collections.abc import Callable

from griddsl.diagnostics import Help, did_you_mean, listing, write
from griddsl.syntax.habits.kinds.described import COLOURS
from griddsl.syntax.habits.mistake import QUOTED, Meant, Mistake, of_item


def _of_parts(said: re.Match[str]) -> Help:
    red, green, blue = (min(int(part), 255) for part in said.group(1, 2, 3))
    return write(f'color "#{red:02x}{green:02x}{blue:02x}"')


def _shape_and_colour(said: re.Match[str]) -> Help:
    return write(f"shape {said[1]}, color {said[2]}", ": items are separated by commas")


# What an item of a look is as a whole, and what to write in its place, or why not.
_ROWS: tuple[tuple[str, Callable[[re.Match[str]], Help | str]], ...] = (
    (r"colour\s*[:=]?\s*(\w+)", lambda said: write(f"color {said[1]}")),
    (rf"colour\s*[:=]?\s*({QUOTED})", lambda said: write(f"color {said[1]}")),
    (r"(?:colou?r\s*[:=]?\s*)?(?:rgb\s*)?\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)", _of_parts),
    (r"colou?r\s*[:=]?\s*0x([0-9a-fA-F]{6})", lambda said: write(f'color "#{said[1]}"')),
    (
        r"colou?r\s+(light|dark|bright|pale)\s*-?\s*(\w+)",
        lambda said: f'a color is a name of the gallery or a number: `color {said[2]}`, `color "#aabbcc"`',
    ),
    (COLOURS, lambda said: write(f"color {said[0]}")),
    (r"\"([A-Za-z]+)\"", lambda said: write(f"color {said[1]}")),
    (r"shape\s*[:=]?\s*\"([A-Za-z_]+)\"", lambda said: write(f"shape {said[1]}")),
    (r"shape\s+(\w+)\s+(?:and\s+)?(?:in\s+)?(?:colou?r\s+)?(\w+)", _shape_and_colour),
    (
        r"(?:sprite|image|icon|picture|texture|file)\s*[:=]?\s*([\w/-]+\.(?:png|jpe?g|gif|webp))",
        lambda said: f'a picture of the folder stands in quotes: `sprite "{said[1]}"`',
    ),
    (
        r"(?:icon|like|as|looks\s+like|symbol|form|sprite)\s*[:=]?\s+(?:an?\s+)?([a-z_]+)",
        lambda said: Help(f"write `shape {said[1]}`: the gallery lists the shapes", (f"shape {said[1]}",)),
    ),
    (
        r"(?:invisible|hidden|transparent|none|nothing|no\s+look)",
        lambda said: "a picture shows all kinds; what an agent is shown is said by `observe`",
    ),
    (
        r"(?:background|border|size|scale|opacity|alpha|outline)\b.*",
        lambda said: "a look has a `color`, a `shape` or a `sprite`, and nothing else",
    ),
)
_MEANT = tuple((re.compile(pattern), answer) for pattern, answer in _ROWS)


_VALUE = r"(-?\w+)"
# How those of a kind are told that have a certain attribute: the kind, the attribute, the value.
_ASKED = (
    rf"(\w+)\s*\.\s*(\w+)\s*(?:==?|is)\s*{_VALUE}",
    rf"(\w+)\s+(?:where|if|when|with|while|whose|that\s+(?:is|has))\s+(?:\w+\s*\.\s*)?(\w+)\s*(?:==?|is|\s)\s*{_VALUE}",
    rf"(\w+)\s*\(?\s*(\w+)\s*(?:==?|\bis\b)\s*{_VALUE}\s*\)?",
)
_TRUTHS = r"(\w+)\s+(?:where|if|when|while|that\s+is)\s+(?:(?:it|\w+)\s*\.\s*)?(not\s+)?(\w+)"
_SEVERAL = r"\(?\s*(\w+(?:\s*(?:,|\bor\b|\band\b)\s*\w+)+)\s*\)?"


def of_some(mistake: Mistake) -> Meant | None:
    """`look door.state == open:`, `look door if open:`, `look coin(value > 3):`, `look bat, spider:`."""
    if mistake.start != "look_head":
        return None
    text = mistake.text.strip()
    expected = "a kind, perhaps with values of its attributes"
    start = len(mistake.text) - len(mistake.text.lstrip())
    truth = re.fullmatch(_TRUTHS, text)
    asked = next((found for found in (re.fullmatch(form, text) for form in _ASKED) if found), None)
    if truth is not None:
        said: Help | str = write(f"{truth[1]}({truth[3]}={'false' if truth[2] else 'true'})")
    elif asked is not None:
        said = write(f"{asked[1]}({asked[2]}={asked[3]})")
    elif (compared := re.match(r"(\w+)\s*\(?.*?(\w+)\s*(?:[<>]=?|!=|\bin\b)", text)) is not None:
        said = f"a look is of one value, as in `look {compared[1]}({compared[2]}=1): ...`, and each value has a line"
    elif (all_of := re.fullmatch(r"((?:all|each|every|any|the|an?)\s+)(\w.*)", text)) is not None:
        help = Help(f"leave `{all_of[1].strip()}` out: a look is of all of a kind", ("",))
        return Meant(
            help,
            start,
            start + len(all_of[1].strip()),
            expected=expected,
            start=start,
            stop=start + len(all_of[1]),
        )
    elif (several := re.fullmatch(_SEVERAL, text)) is not None:
        names = re.split(r"\s*(?:,|\bor\b|\band\b)\s*", several[1])
        said = (
            f"each kind has a line of its own: {listing([f'look {name}: ...' for name in names[:4]], 'and')}"
        )
    else:
        return None
    return Meant(said, start, start + len(text), expected=expected, start=start, stop=start + len(text))


def under_a_condition(mistake: Mistake) -> Meant | None:
    """`look door: color green if open`: the condition stands in the head, as a value of an attribute."""
    said = re.match(
        r"(?:if|when|where|while)\s+(not\s+)?(?:\w+\s*\.\s*)?(\w+)(?:\s*(?:==?|is)\s*(-?\w+))?\s*(?:else\b.*)?",
        mistake.rest,
    )
    if mistake.start != "looks" or said is None:
        return None
    value = said[3] or ("false" if said[1] else "true")
    head = re.search(rf"^look\s+(\w+)\s*:\s*{re.escape(mistake.text)}", mistake.whole, re.MULTILINE)
    item = mistake.text[mistake.item_start() : mistake.begin].strip()[:40]
    line = f"look {head[1] if head else 'K'}({said[2]}={value}): {item}"
    help = (
        f"those of a kind that look otherwise have a line of their own, with the value in its head: `{line}`"
    )
    return Meant(help, mistake.begin, mistake.begin + said.end(), expected="`,` or the end")


def pictured(mistake: Mistake) -> Meant | None:
    """`colour blue`, `color (0, 0, 255)`, `shape "circle"`, `sprite box.png`, `like lake`."""
    if mistake.start != "looks":
        return None
    word = re.compile(r"(?!colour\b)\w+(?=\s+\S)").match(mistake.text, mistake.item_start())
    meant = None if word is None else did_you_mean(word[0], ("color", "shape", "sprite"))
    if word is not None and meant is not None and word[0] not in {"color", "shape", "sprite"}:
        return Meant(meant, *word.span(), expected="`color`, `shape` or `sprite`")
    return of_item(mistake, _MEANT, "`color`, `shape` or `sprite`")
