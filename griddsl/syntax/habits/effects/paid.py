"""Habits in rewards: one that is drawn, and one that is added as other languages add to a variable."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import Habits, Meant, Mistake

_ALONE = re.compile(r"[\w.]+(?:\([^()]*\))?")
_DRAWN = re.compile(
    r"(?P<paid>(?:hidden\s+)?reward\s*(?:=\s*)?|hidden\s+)(?:\+=\s*)?random(?:int)?\b(?P<of>.*?)(?P<to>\s+to\s+(?!-?\d)\w+)?"
)
_NAMES = ("n", "luck", "drawn", "amount")


def added(mistake: Mistake) -> Meant | None:
    """`reward += 3`, `reward -= n`, `hidden += 1`: what `reward` gives adds to the step's reward by itself."""
    scaled = re.compile(r"reward\s*[*/]\s*=").match(mistake.text, mistake.item_start())
    if mistake.start == "effects" and scaled is not None and mistake.begin <= scaled.end():
        line = "what a step has paid so far cannot be read; `rewards: scale 2` changes all that is paid"
        return Meant(line, *scaled.span(), expected="`reward` and a number")
    said = re.compile(r"(?:(hidden\s+reward|reward)|hidden)\s*([+-])\s*=\s*").match(
        mistake.text, mistake.item_start()
    )
    if mistake.start != "effects" or said is None or not said.start() <= mistake.begin <= said.end():
        return None
    stop = mistake.item_end()
    value = re.fullmatch(r"(.*?)(\s+to\s+\w+)?", mistake.text[said.end() : stop], re.DOTALL)
    assert value is not None
    amount = value[1]
    if said[2] == "-" and amount:
        amount = f"-{amount}" if _ALONE.fullmatch(amount) else f"-({amount})"
    word = said[1] or "hidden reward"
    if not amount:
        return Meant(f"write `{word} {said[2].strip('+')}1`: it adds to the step's reward")
    help = write(f"{word} {amount}{value[2] or ''}", ": it adds to the step's reward")
    end = len(said[0].rstrip()) + said.start()
    return Meant(help, said.start(), end, start=said.start(), stop=stop)


def drawn(mistake: Mistake) -> Meant | None:
    """`reward random 1..3`, `reward random(1, 3)`: what is drawn gets a name, which the reward is."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = _DRAWN.fullmatch(mistake.text[start:stop])
    if mistake.start != "effects" or said is None:
        return None
    domain = _domain(said["of"].strip())
    if domain is None:
        return None
    name = next(each for each in (*_NAMES, "drawn_amount") if not re.search(rf"\b{each}\b", mistake.whole))
    paid = " ".join(said["paid"].split())
    paid = "hidden reward" if paid == "hidden" else paid
    help = write(f"choose {name} in {domain}, {paid} {name}{said['to'] or ''}", ": what is drawn has a name")
    word = mistake.text.index("random", start)
    return Meant(help, word, word + len("random"), expected="an amount", start=start, stop=stop)


def _domain(said: str) -> str | None:
    """Return the range or the alternatives that something is drawn from, in the words of `choose`."""
    inner = re.sub(r"\A\((.*)\)\Z|\A\[(.*)\]\Z", lambda found: found[1] or found[2], said)
    ends = re.fullmatch(r"(?:from\s+|between\s+|in\s+)?(-?\w+)\s*(?:\.\.|\bto\b|\band\b|,)\s*(-?\w+)", inner)
    if ends is not None:
        return f"{ends[1]}..{ends[2]}"
    return inner if re.fullmatch(r"-?\w+(?:\s*\|\s*-?\w+)+", inner) else None


def paid_again(mistake: Mistake) -> Meant | None:
    """`reward 1 to red, -1 to blue`: each says `reward`."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(r"([+-]?\d[\d.]*|[+-]\w+)\s+(?:to|for)\s+(\w+)", mistake.text[start:stop])
    before = re.search(r"\breward\b[^,]*,\s*\Z", mistake.text[:start])
    if mistake.start != "effects" or said is None or before is None:
        return None
    return Meant(
        write(f"reward {said[1]} to {said[2]}"), start, stop, expected="an effect", start=start, stop=stop
    )


def paid_when(mistake: Mistake) -> Meant | None:
    """`each step: reward -1 each step`: when it is paid is said by the rule."""
    said = re.compile(r"\s+(?:(?:each|every|per)\s+(?:step|turn|move|time)|once)\Z").match(
        mistake.text[: mistake.item_end()], len(mistake.before)
    )
    if mistake.start != "effects" or said is None or not re.search(r"\breward\b[^,]*\Z", mistake.before):
        return None
    word = said[0].strip()
    help = Help(f"when it is paid, the head of its rule says: leave `{word}` out", ("",))
    return Meant(help, mistake.begin, said.end(), f"`{word}`", "the end", start=said.start(), stop=said.end())


_PRICED = re.compile(
    r"(?:an?\s+|the\s+|each\s+|every\s+|per\s+)?(?P<what>\w+)\s*(?:=|->|gives\s+)?\s*(?P<amount>[+-]?\d[\d.]*)"
)


def priced(mistake: Mistake) -> Meant | None:
    """`rewards: step -1, goal 10`, `rewards: goal = 10`: what pays how much is said by rules."""
    said = _PRICED.fullmatch(mistake.text, mistake.item_start(), mistake.item_end())
    if mistake.start != "rewards" or said is None or said["what"] in {"scale", "clip"}:
        return None
    what = mistake.singular(said["what"]) or said["what"]
    head = "each step" if what in {"step", "move", "time"} else f"on enter {what}"
    line = f"what a reward is for is said by a rule: `{head}: reward {said['amount'].lstrip('+')}`"
    return Meant(line, *said.span(), expected="`own`, `shared`, `zero_sum`, `scale` or `clip`")


# In the order in which they are asked: what is surest stands first.
_TO_ONE = re.compile(
    r"(?:hidden\s+)?reward\s+(.+?)\s+to\s+(\(?\s*the\s+\w+\s+(?:with|where|at)\b.+|other\s+\w+)"
)


def paid_to_one(mistake: Mistake) -> Meant | None:
    """`reward 1 to (the blue with least blue.x)`, `reward 1 to other red`: who is paid has a name."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = _TO_ONE.fullmatch(mistake.text[start:stop].rstrip())
    if mistake.start != "effects" or said is None:
        return None
    if said[2].startswith("other"):
        kind = said[2].split()[1]
        line = f"a loop pays each of them: `each {kind} where {kind} is not self: reward {said[1]} to {kind}`"
    else:
        one = re.sub(r"\A\((.*)\)\Z", r"\1", said[2])
        line = f"it gets a name in a line before: `let paid = {one}`, `reward {said[1]} to paid`"
    return Meant(line, expected="a name")


HABITS: Habits = (drawn, added, paid_again, paid_when, priced, paid_to_one)
