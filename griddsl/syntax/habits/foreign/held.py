"""How many things something holds, as a sentence would say it: `agent has 2 coins`, `number of coins in chest`."""

from __future__ import annotations

import re

from griddsl.diagnostics import write
from griddsl.syntax.habits.mistake import CONDITIONS, Habits, Meant, Mistake
from griddsl.syntax.keywords import NUMBER_WORDS

_NUMBERS = {"no": "0"} | {word: str(number) for number, word in enumerate(NUMBER_WORDS)}
_SIGNS = {
    **dict.fromkeys(("at least", "minimum"), ">="),
    **dict.fromkeys(("more than", "over"), ">"),
    **dict.fromkeys(("at most", "up to"), "<="),
    **dict.fromkeys(("less than", "fewer than"), "<"),
    **dict.fromkeys(("exactly", "only"), "=="),
}
_SIGN = "|".join(said.replace(" ", r"\s+") for said in _SIGNS)
_HOLDS = r"(?:has|have|holds|carries|contains|(?:is\s+)?(?:holding|carrying))"
_SO_MANY = re.compile(
    rf"\b(\w+)\s+{_HOLDS}\s+(?:({_SIGN})\s+)?(\d+|{'|'.join(NUMBER_WORDS)})(?:\s+or\s+(more|less|fewer))?\s+([A-Za-z]\w*)"
)
_COMPARED = re.compile(
    rf"\b(\w+)\s+{_HOLDS}\s+([A-Za-z]\w*)\s*(>=|<=|==|!=|>|<)\s*(\d+|{'|'.join(_NUMBERS)})\b"
)
_INSIDE = re.compile(
    r"\b(?:number|count|amount)\s+of\s+(?:the\s+)?([A-Za-z]\w*)\s+(?:in|inside|held\s+by|carried\s+by|of)\s+(?:the\s+)?(\w+)"
)
_OWNED = re.compile(
    r"\b(?:(agent|self|\w+)\.)?(?:carrying|holding|inventory|carried|held)"
    r"(?:\s+(?:has|contains|includes|==|is)|\s*\()?\s*(?:an?\s+|the\s+)?([A-Za-z]\w*)\s*\)?"
)


def owned(mistake: Mistake) -> Meant | None:
    """`if carrying coin`, `agent.carrying(coin)`, `agent.inventory contains coin`."""
    if mistake.start not in CONDITIONS:
        return None
    for said in mistake.around(_OWNED):
        kind, holder = mistake.singular(said[2]), said[1] or "agent"
        before = re.search(r"(\w+)\s+\Z", mistake.text[: said.start()])
        if before is not None and before[1] not in {"if", "when", "until", "and", "or", "not"}:
            continue  # it is who holds
        if kind is not None and _holds(mistake, holder):
            line = write(f"{holder} has {kind}")
            return Meant(line, *said.span(), expected="a condition", start=said.start(), stop=said.end())
    return None


def so_many(mistake: Mistake) -> Meant | None:
    """`agent has 2 coins`, `chest holds at least 3 coins`, `agent carries 2 or more coins`."""
    for said in mistake.around(_SO_MANY):
        holder, how, number, more, word = said.groups()
        kind = mistake.singular(word)
        is_one = number in {"1", "one"} and how is None and more is None  # which `has` asks for
        if kind is None or is_one or not _holds(mistake, holder):
            continue
        sign = {None: ">=", "more": ">=", "less": "<=", "fewer": "<="}[more]
        sign = sign if how is None else _SIGNS[re.sub(r"\s+", " ", how)]
        return _count(mistake, said, kind, holder, f" {sign} {_NUMBERS.get(number, number)}")
    return None


def compared(mistake: Mistake) -> Meant | None:
    """`agent has coins >= 2`, `chest has coin > n`."""
    for said in mistake.around(_COMPARED):
        holder, word, sign, number = said.groups()
        kind = mistake.singular(word)
        if kind is not None and _holds(mistake, holder):
            return _count(mistake, said, kind, holder, f" {sign} {_NUMBERS.get(number, number)}")
    return None


def inside(mistake: Mistake) -> Meant | None:
    """`number of coins in chest`, `count of keys held by agent`."""
    for said in mistake.around(_INSIDE):
        kind = mistake.singular(said[1])
        if kind is not None and _holds(mistake, said[2]):
            return _count(mistake, said, kind, said[2], "")
    return None


def _holds(mistake: Mistake, word: str) -> bool:
    """Whether a word is the agent, or a kind that the file says to carry something."""
    carries = rf"^(?:object|agent)\s+{word}\b[^\n]*(?:\n[ \t][^\n]*)*?\bcarries\b"
    return word in {"agent", "self"} or bool(re.search(carries, mistake.whole, re.MULTILINE))


def _count(mistake: Mistake, said: re.Match[str], kind: str, holder: str, compared: str) -> Meant:
    line = write(f"count({kind} in {holder}){compared}")
    return Meant(line, *said.span(), start=said.start(), stop=said.end())


HABITS: Habits = (owned, so_many, compared, inside)
