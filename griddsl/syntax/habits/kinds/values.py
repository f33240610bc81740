"""Domains without their `in`, and domains in other words: of variables, attributes and choices."""

from __future__ import annotations

import re
from collections.abc import Callable

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import Meant, Mistake
from griddsl.syntax.keywords import RESERVED

ONE_VALUE = (
    "a variable holds one value, and no list: declare one for each, as in `var first: 0 in 0..9`; "
    "a list that never changes is looked up: `nth(i, 3, 5, 9)`"
)
_JOINED = ": values are joined by `|`"


def missing_in(mistake: Mistake) -> Meant | None:
    """`var n: 0..5`, `state open | closed`: a domain without its `in`."""
    if (choosing := _behind_choose(mistake)) is not None:
        return choosing
    if mistake.start not in {"variable", "properties"}:
        return None
    return next(filter(None, (meant(mistake) for meant in _MEANT)), None)


def _behind_choose(mistake: Mistake) -> Meant | None:
    """`choose n = 1..6`, `choose n 1..6`."""
    if not {"IN", "DISTINCT"} <= mistake.expected or not re.search(r"\bchoose\b", mistake.before):
        return None
    sign = re.match(r"(?:=|from\b|of\b|:)(\s+random\b(?=\s+\d))?", mistake.rest)
    if sign is None:
        return Meant("a domain follows `in`: `choose n in 1..6`")
    help = Help(f"write `in` for `{sign[0]}`: a domain follows `in`", ("in",))
    return Meant(help, stop=mistake.begin + sign.end())


def _parts(mistake: Mistake) -> Meant | None:
    """`var lives: 3 of 5`, `var lives: 3 / 5`."""
    parts = re.match(r"(?:out\s+of|of|/)\s*(\d+)(?=\s*(?:,|\Z))", mistake.rest)
    if parts is None or not re.search(r"\d\Z", mistake.before):
        return None
    return Meant(write(f"in 0..{parts[1]}"), stop=mistake.begin + parts.end())


def _commas(mistake: Mistake) -> Meant | None:
    """`var door: in open, shut`, `var door: open, shut`."""
    if mistake.start != "variable" or mistake.found != ",":
        return None
    text = mistake.text.strip()
    listed = re.fullmatch(r"(?:([A-Za-z_]\w*\s+)?in\s+)?([A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)+)", text)
    if listed is None:
        return None
    words = re.split(r"\s*,\s*", listed[2])
    if len({*words}) < len(words):
        return Meant(ONE_VALUE)
    first = (listed[1] or "") if re.search(r"\bin\s", text) else f"{words[0]} "
    help = write(f"{first}in {' | '.join(words)}", _JOINED)
    return Meant(help, start=0, stop=len(mistake.text.rstrip()))


def _preposition(mistake: Mistake) -> Meant | None:
    """`var n: 3 from 0..5`, `charge within 0..5`."""
    word = re.match(r"(?:out\s+of|of|from|within|between|out)\b", mistake.rest)
    if word is None or "IN" not in mistake.expected:
        return None
    help = Help("a domain follows `in`: write `in`", ("in",))
    return Meant(help, stop=mistake.begin + word.end())


def _or(mistake: Mistake) -> Meant | None:
    """`var door: in open or shut`."""
    if mistake.found != "or":
        return None
    start, stop = mistake.item_start(), mistake.item_end()
    named = r"((?:\w+\s+){1,2}(?=in\b)|\w+\s+)?" if mistake.start == "properties" else r"(\w+\s+(?=in\b))?"
    listed = re.fullmatch(rf"{named}(?:in\s+)?(\w+(?:\s+or\s+\w+)+)", mistake.text[start:stop])
    help = "the values of a domain are joined by `|`"
    if listed is None:
        return Meant(help)
    values = " | ".join(re.split(r"\s+or\s+", listed[2]))
    return Meant(Help(help, (f"{listed[1] or ''}in {values}",)), start=start, stop=stop)


def _bare(mistake: Mistake) -> Meant | None:
    """`var n: 0..5`, `state open | closed`, `charge (0..3)`."""
    start = mistake.item_start()
    if mistake.found not in {"..", "|", "to", "("} or re.match(r"drift\b", mistake.text[start:]):
        return None
    name = re.compile(r"\w+\s+").match(mistake.text, start)
    if mistake.found == "(":
        start = mistake.begin
    elif mistake.start == "properties" and name is not None:
        start = name.end()
    written = mistake.text[start:].split(",")[0].rstrip()
    if re.match(r"up\s+to\b", written):
        return None
    if written.startswith("in "):
        return _word_of_the_language(written, start)
    layered = re.fullmatch(r"(\w+)\s+(\w+\s+(?:\w+\s+)?in\s.*)", written)
    if layered is not None and re.fullmatch(r"layer\s*", mistake.text[mistake.item_start() : start]):
        return Meant(write(f"{layered[1]}, {layered[2]}"), start=start, stop=start + len(written))
    if re.match(r"carry\s", mistake.text[mistake.item_start() :]):
        line = "a belt goes one way, `carry east`; one that turns is a rule: `each box if box on gate: move box south`"
        return Meant(line, start, start + len(written), expected="a direction")
    domain = re.sub(r"\s*\bto\b\s*", "..", written.strip("()"))
    stop = start + len(written)
    first = re.fullmatch(r"(.*?)\s*=\s*([\w.-]+)", domain)
    if mistake.start == "variable" and first is not None:
        line = write(f"{first[2]} in {first[1]}", ": its first value, then its domain")
        return Meant(line, start, stop, expected="its first value", start=start, stop=stop)
    help = Help(f"a domain follows `in`: write `in {domain[:30]}`", (f"in {domain}",))
    return Meant(help, start, stop, expected="`in`", start=start, stop=stop)


def _word_of_the_language(written: str, start: int) -> Meant | None:
    """`var lamp: in on | off`."""
    word = next((word for word in re.finditer(r"\w+", written[2:]) if word.group() in RESERVED), None)
    if word is None:
        return None
    help = f"`{word.group()}` is a word of the language and cannot be a value here"
    return Meant(help, start + 2 + word.start(), start + 2 + word.end(), expected="a value")


# What was meant: the first that answers.
_MEANT: tuple[Callable[[Mistake], Meant | None], ...] = (_parts, _commas, _preposition, _or, _bare)
