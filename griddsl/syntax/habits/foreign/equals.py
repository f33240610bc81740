"""One `=` where two are meant, and two where one is: other languages compare and set with other signs."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help
from griddsl.syntax.habits.mistake import CONDITIONS, Meant, Mistake

_ENTRIES = {"infos", "told", "observations"}
_BEHIND = re.compile(r"\b(?:if|unless|where|until)\b[^:]*\Z")
_NUMBERS = re.compile(r"(?:\b(?:step|limit|width|height|[xy])|\))\Z")
_A_NUMBER = re.compile(r"=\s*-?(?:\d|\w+\s*[-+*/]\s*\w|\w+\.[xy]\b|\w+\()")


def one_of_two(mistake: Mistake) -> Meant | None:
    """`when step = 10`, `object cat: solid if n = 0`, `info: z = n = 0`: what compares is `==`, or `is`."""
    if mistake.found != "=" or mistake.rest[1:2] in {"<", ">", "!"} or not _is_asked(mistake):
        return None
    help = "compare numbers with `==`, words with `is`"
    sign = _comparing(mistake)
    return Meant(Help(help, (sign,)) if sign is not None else help)


def _is_asked(mistake: Mistake) -> bool:
    """Whether a condition stands where the `=` does: nothing is set there."""
    item = mistake.text[mistake.item_start() : mistake.begin]
    if mistake.start in CONDITIONS or _BEHIND.search(item):
        return mistake.start != "legend"
    if mistake.start in _ENTRIES:
        return mistake.start == "told" or re.match(r"\s*\w+\s*=", item) is not None
    return mistake.start == "effects" and re.match(r"\s*(?:let|info)\s+\w+\s*=", item) is not None


def _comparing(mistake: Mistake) -> str | None:
    """Return the sign that compares both sides; None where it is not known whether they are numbers or words."""
    if _A_NUMBER.match(mistake.rest) or _NUMBERS.search(mistake.before):
        return "=="
    word = re.match(r"=\s*([A-Za-z_]\w*)", mistake.rest)
    if word is None:
        return None
    listed = rf"\bin\s+(?:[^,\n]*\|\s*)?{word[1]}\b\s*[\d.%]*\s*(?:\||,|$)"
    if word[1] in {"true", "false"} or re.search(r"\bfacing\Z", mistake.before):
        return "is"
    if re.search(listed, mistake.whole, re.MULTILINE):
        return "is"
    counted = rf"^(?:var|param)\s+{word[1]}\s*:.*\.\."
    return "==" if re.search(counted, mistake.whole, re.MULTILINE) else None


def two_of_one(mistake: Mistake) -> Meant | None:
    """`variant mine/X-v0: size == 4`, `power == 15` as an effect: what gives a value has one sign."""
    if mistake.start not in {*_ENTRIES, "effects", "actions", "legend"} or mistake.found != "=":
        return None
    given = r"(?:let\s+|info\s+)?(?!reward\b)(?:[A-Za-z_]\w*|\d|\"[^\"]\")(?:\([^()]*\))?(?:\.\w+)?\s*="
    item = mistake.text[mistake.item_start() : mistake.begin]
    if re.fullmatch(given, item) is None or mistake.rest.startswith("=="):
        return None
    asked = "; what is asked stands behind `if`" if mistake.start == "effects" else ""
    help = Help(f"write `=`: `==` compares{asked}", ("=",))
    place = (mistake.begin - 1, mistake.end)
    return Meant(help, *place, found="`==`", expected="`=`", start=place[0], stop=place[1])
