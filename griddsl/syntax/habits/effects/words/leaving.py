"""Leaving that is nearly said: `blue is out 5 turns`, `out blue`, `respawn blue after 5 steps`."""

from __future__ import annotations

import re

from griddsl.diagnostics import write
from griddsl.syntax.habits.mistake import Meant, Mistake

_STEPS = r"(?:steps?|turns?|rounds?|ticks?|frames?|moves?|timesteps?|seconds?)"
_LONG = rf"(?:for\s+)?(?:the\s+)?(?:next\s+)?(\w+|\([^()]*\))(?:\s+{_STEPS})?"
_BACK = r"(?:re-?spawns?|returns?|re-?appears?|(?:comes?\s+)?back)"
_AT = r"(?:at|in|on|to)"
_LOST = r"(?:eliminated|dead|killed|caught|captured|tagged|eaten|destroyed)"
_GONE = r"(?:out|away|gone|absent|eliminated|dead)"

# How an effect reads that is said so, with `self` where nobody is named.
_FORMS: tuple[tuple[str, str], ...] = (
    (r"([A-Za-z_]\w*)\s*\.\s*out", "{0} out"),
    (r"out\s+(?!for\b|until\b)([A-Za-z_]\w*)", "{0} out"),
    (
        rf"([A-Za-z_]\w*)\s+(?:(?:is|goes|leaves)\s+(?:out|away|gone)|(?:(?:is|gets)\s+)?{_LOST}|dies|leaves)",
        "{0} out",
    ),
    (rf"out\s+(?!for\b|until\b)([A-Za-z_]\w*)\s+for\s+{_LONG}", "{0} out for {1} steps"),
    (rf"(?!out\b)([A-Za-z_]\w*)\s+(?:(?:is|goes|stays)\s+)?{_GONE}\s+{_LONG}", "{0} out for {1} steps"),
    (
        rf"(?:send|sends|take|takes|put|puts|knock|kick)\s+([A-Za-z_]\w*)\s+(?:out|away|off)\s+{_LONG}",
        "{0} out for {1} steps",
    ),
    (r"(?:send|take|knock|kick)\s+([A-Za-z_]\w*)\s+(?:out|off)", "{0} out"),
    (
        rf"(?:remove|ban|eliminate|kill|retire|disable|suspend)\s+([A-Za-z_]\w*)\s+for\s+{_LONG}",
        "{0} out for {1} steps",
    ),
    (
        rf"([A-Za-z_]\w*)\s+(?:skips?|misses|loses|sits\s+out|waits)\s+{_LONG}",
        "{0} out for {1} steps",
    ),
    (rf"{_BACK}\s+([A-Za-z_]\w*)\s+(?:after|in)\s+{_LONG}", "{0} out for {1} steps"),
)
_OWN: tuple[tuple[str, str], ...] = (
    (r"out\s*\(\s*(\w+)\s*\)", "out for {0} steps"),
    (rf"(?:out|away|gone)\s+{_LONG}", "out for {0} steps"),
    (r"out\s+until\s+(?:step\s+)?(\w+)", "out for {0} - step steps"),
)
_THEN = re.compile(
    rf"((?:[A-Za-z_]\w*\s+)?out\s+for\s+.+?\s+steps?)\s+(?:and\s+)?(?:then\s+)?{_BACK}\s+{_AT}\s+(.+)"
)
_PLACE = re.compile(rf"{_BACK}\s+(?:{_AT}\s+(.+)|where\s+it\s+(?:started|was|began))")
_DRAWN = re.compile(rf"((?:[A-Za-z_]\w*\s+)?out)\s+for\s+(?:random\s+)?(\w+\.\.\w+)(?:\s+{_STEPS})?")
_ALL = re.compile(r"(?:all|every)\s+([A-Za-z_]\w*?)s?\s+(out\b.*)")
_LEAVES = re.compile(r"\bout\s+for\s+[^,:\n]*\bsteps?\s*,\s*\Z")


_COMES_BACK = re.compile(rf"on\s+(?:([A-Za-z_]\w*)\s+)?{_BACK}\b\s*(?=:|if\b|with\b|\Z)")


def comes_back(mistake: Mistake) -> Meant | None:
    """`on blue back: ...`, `on respawn`: no event is raised, and a rule of every step asks."""
    said = _COMES_BACK.match(mistake.text)
    who = "agent" if said is None or said[1] is None else said[1]
    if mistake.start != "rule" or said is None or who not in _agents(mistake.whole):
        return None
    asked = write(f"each {who} if prev(self.away) > 0 and self.away == 0", ": no event is raised")
    return Meant(asked, expected="an event", start=0, stop=len(said[0].rstrip()))


def left(mistake: Mistake) -> Meant | None:
    """`blue is out 5 turns`, `out blue`, `out 5`, `out for 5 steps then back at spawn`, `respawn at start`."""
    if mistake.start != "effects":
        return None
    start, stop = mistake.item_start(), mistake.item_end()
    item = mistake.text[start:stop].rstrip()
    line = _line(item, _agents(mistake.whole), mistake.text[:start])
    return (
        None
        if line is None
        else Meant(line, found=f"`{item}`", expected="an effect", start=start, stop=start + len(item))
    )


def _line(item: str, agents: frozenset[str], before: str) -> str | None:
    if (said := _THEN.fullmatch(item)) is not None:
        return write(f"{said[1]}, back at {said[2]}")
    if (said := _PLACE.fullmatch(item)) is not None and _LEAVES.search(before):
        place = f"back at {said[1] or 'start'}"
        return None if item == place else write(place)
    if re.match(r"back\s+at\b", item):
        return f"it stands behind the steps, on their line: `out for 5 steps, {item}`"
    if (said := _DRAWN.fullmatch(item)) is not None:
        return f"how long is drawn in a line before: `choose n in {said[2]}`, `{said[1]} for n steps`"
    if (said := _ALL.fullmatch(item)) is not None and said[1] in agents:
        return f"a loop goes through them, on a line of its own: `each {said[1]}: {said[1]} {said[2]}`"
    for form, text in _OWN:
        if (said := re.fullmatch(form, item)) is not None and said[1] not in agents:
            return write(text.format(said[1]))
    for form, text in _FORMS:
        if (said := re.fullmatch(form, item)) is not None and said[1] in agents:
            return write(text.format(*said.groups()))
    return None


def _agents(whole: str) -> frozenset[str]:
    """Return the names that agents have in a file of several."""
    listed = re.search(r"^agents\s*:(.*)$", whole, re.MULTILINE)
    names = re.findall(r"(?:^|,)\s*([A-Za-z_]\w*)", listed[1]) if listed is not None else []
    return frozenset({*names, "self", "other", "agent"} if names else ())
