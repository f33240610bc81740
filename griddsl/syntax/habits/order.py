"""Habits in the order of a line: each of its parts is right, and they stand in another order."""

from __future__ import annotations

import re
from dataclasses import dataclass

from griddsl.diagnostics import write
from griddsl.syntax.habits.mistake import Habits, Meant, Mistake, blanks, hidden

_NAMED = r"\w+(?:\(_*\))?"
_SOUGHT = rf"(?:the\s+{_NAMED}\s+with\s+(?:least|most)\s+.+?|{_NAMED}|\(_*\))"
_CHANCE = (
    r"(?:with\s+)?(?:an?\s+)?(?:chance|probability|prob)\s+(?:of\s+)?(?P<p>.+?)",
    r"(?:with\s+)?(?:an?\s+)?(?P<p>\d[\d./]*%?)\s+(?:chance|probability|prob)",
    r"(?:with\s+)?(?P<p>\d[\d.]*%)",
)
# The parts of a line in their order: how they are called and how they are written, with what brackets hold hidden.
_OF_MOVES = (
    (
        "the movement",
        (
            rf"(?:toward|towards|to|away\s+from)\s+{_SOUGHT}",
            r"random(?:\s+8)?|(?:forward|patrol)(?:\s+(?:\d+|\(_*\)))?|still",
        ),
    ),
    ("`by`", (r"by\s+\w+",)),
    ("`avoiding`", (rf"avoiding\s+{_NAMED}",)),
    ("`every`", (r"every\s+(?!other\b|second\b|third\b)[\w.]+(?:\s+steps?)?", r"every\s+\(_*\)\s+steps?")),
    ("`with chance`", _CHANCE),
)
_OF_EACH = (
    ("what it goes through", (rf"each\s+(?:\w+\s+in\s+.+?|{_NAMED})",)),
    ("`where`", (r"(?:where|if|when)\s+.+?",)),
    ("`by`", (r"by\s+.+?",)),
    ("`with chance`", _CHANCE),
)
_OF_A_RULE = (
    ("the trigger", (r"(?:each|every|on)\s+.+?",)),
    ("`if`", (r"if\s+.+?",)),
    ("`with chance`", _CHANCE),
)
_CHANCE_BEGINS = r"(?:with\s+)?(?:an?\s+)?(?:(?:chance|probability|prob)\b|\d[\d./]*%)"
_MOVES_BEGIN = r"(?:by|avoiding|every|toward|towards|to|away\s+from|random|forward|patrol|still)\b"
_EACH_BEGIN = r"(?:where|by|if|when)\b"

_Order = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class _Part:
    rank: int
    start: int
    stop: int
    written: str
    meant: str


def of_moves(mistake: Mistake) -> Meant | None:
    """`moves every 2 steps toward agent`, `moves toward agent with chance 0.5 every 2 steps`, `moves random 50%`."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.match(r"moves\s+", mistake.text[start:stop])
    if mistake.start != "properties" or said is None:
        return None
    parts = _parts(mistake.text[:stop], start + said.end(), _OF_MOVES, _MOVES_BEGIN)
    named = [name for name, _ in _OF_MOVES]
    return _reordered(parts, "moves ", named) or _plain_chance(parts)


def of_each(mistake: Mistake) -> Meant | None:
    """`each coin by y where C`, `each coin with chance 0.5 where C`, in a block."""
    if mistake.start != "each_head":
        return None
    parts = _parts(mistake.text.rstrip(), 0, _OF_EACH, _EACH_BEGIN)
    if parts and re.match(r"each\s+\w+\s+in\b", parts[0].written):
        # Values are gone through as they are listed.
        if any(_OF_EACH[part.rank][0] == "`by`" for part in parts):
            return None
        return _reordered(parts, "", ["what it goes through", "`where`", "`with chance`"])
    return _reordered(parts, "", [name for name, _ in _OF_EACH]) or _plain_chance(parts)


def of_a_rule(mistake: Mistake) -> Meant | None:
    """`on enter coin with chance 0.5 if C`: the condition stands before the chance."""
    if mistake.start != "rule":
        return None
    parts = _parts(mistake.text.rstrip(), 0, _OF_A_RULE, r"if\b")
    return _reordered(parts, "", [name for name, _ in _OF_A_RULE])


def of_a_chance(mistake: Mistake) -> Meant | None:
    """`each step with chance 0.5 if C else 0.1`: a chance that depends on something stands in brackets."""
    said = re.search(r"\bwith\s+chance\s+([^,:]+?)\s*\Z", mistake.text[: mistake.begin])
    shown = hidden(mistake.rest)
    either = re.match(r"if\b[^,:]+?\belse\s+([^,:]+?)\s*(?=\Z|[,:])", shown)
    if mistake.found != "if" or said is None or either is None or re.search(r"\bif\b", said[1]):
        return None
    last = shown[: either.end(1)].rpartition("else")[2]
    if re.match(rf"\s*(?:{_MOVES_BEGIN})", last):
        return None
    stop = mistake.begin + either.end(1)
    line = f"with chance ({said[1]} {mistake.text[mistake.begin : stop]})"
    return Meant(write(line, ": what decides the chance stands in brackets"), start=said.start(), stop=stop)


def _parts(text: str, start: int, order: _Order, begins: str) -> list[_Part]:
    """Return the parts that a text consists of from a place on; none where something else stands among them."""
    shown, parts, at = hidden(text), list[_Part](), start
    ends = rf"(?=\s+(?:{begins}|{_CHANCE_BEGINS})|\s*\Z)"
    while at < len(text):
        found = _part(shown, at, order, ends)
        if found is None or len(parts) == len(order):
            return []
        rank, match = found
        written = text[at : match.end()]
        parts.append(_Part(rank, at, match.end(), written, _meant(order[rank][0], written, text, match)))
        at = match.end() + blanks(text, match.end())
    return parts


def _part(shown: str, at: int, order: _Order, ends: str) -> tuple[int, re.Match[str]] | None:
    for rank, (_, forms) in enumerate(order):
        for form in forms:
            match = re.compile(f"(?:{form}){ends}").match(shown, at)
            if match is not None:
                return rank, match
    return None


def _meant(name: str, written: str, text: str, match: re.Match[str]) -> str:
    """Return a part as it is written in the language."""
    if name == "`with chance`":
        return f"with chance {text[match.start('p') : match.end('p')]}"
    if name == "`every`" and not re.search(r"\bsteps?\Z", written):
        return f"{written} steps"
    if name == "`where`":
        return re.sub(r"\A(?:if|when)\b", "where", written)
    return re.sub(r"\A(?:to|towards)\b", "toward", written) if name == "the movement" else written


def _reordered(parts: list[_Part], opening: str, order: list[str]) -> Meant | None:
    """Return the line in its order, where it stands in another; the first part that stands wrong is pointed at."""
    ranks = [part.rank for part in parts]
    if len(set(ranks)) < len(ranks) or 0 not in ranks or ranks == sorted(ranks):
        return None
    late = next(index for index in range(1, len(ranks)) if ranks[index] < ranks[index - 1])
    ahead = next(index for index in range(late) if ranks[index] > ranks[late])
    told = " ".join(part.meant for part in sorted(parts, key=lambda part: part.rank))
    help = write(f"{opening}{told}", f": the order is {', '.join(order)}")
    start, stop = parts[0].start - len(opening), parts[-1].stop
    if ranks[0] != 0:
        first, opens = parts[0], next(part for part in parts if part.rank == 0)
        found, expected = f"`{_short(first)}` in front", f"`{_short(opens)}` before it"
        return Meant(help, first.start, first.stop, found, expected, start=start, stop=stop)
    wrong, found = parts[late], f"`{_short(parts[late])}` behind `{_short(parts[ahead])}`"
    return Meant(help, wrong.start, wrong.stop, found, "it before", start=start, stop=stop)


def _short(part: _Part) -> str:
    return " ".join(part.written.split())[:40]


def _plain_chance(parts: list[_Part]) -> Meant | None:
    """`moves random 50%`, `moves random every 2 steps chance 0.5`: a chance without its `with chance`."""
    other = [part for part in parts if part.written != part.meant]
    if len(other) != 1 or not other[0].meant.startswith("with chance"):
        return None
    start, stop = other[0].start, other[0].stop
    return Meant(write(other[0].meant), start, stop, expected="`with chance`", start=start, stop=stop)


def when_and_if(mistake: Mistake) -> Meant | None:
    """`when C if C2`: a condition that has another one behind it."""
    found = re.fullmatch(r"when\s+(.+?)\s+if\s+(.+?)\s*", mistake.text)
    if mistake.start != "rule" or found is None or re.search(r"\belse\b", mistake.text):
        return None
    first, second = (f"({each})" if re.search(r"\b(or|xor)\b", each) else each for each in found.groups())
    at = mistake.text.rindex("if", 0, found.start(2))
    help = write(f"when {first} and {second}")
    return Meant(help, at, at + 2, "`if` behind `when C`", "the end", start=0, stop=found.end(2))


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (of_a_chance, of_moves, of_each, of_a_rule)
