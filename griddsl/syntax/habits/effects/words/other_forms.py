"""Effects in other forms: as a call, as a number alone, as the name of a variable."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.source import Span
from griddsl.syntax.habits.mistake import Meant, Mistake
from griddsl.syntax.keywords import EFFECT_WORDS

_LINES = re.MULTILINE | re.DOTALL
_GIVEN = re.compile(
    r"(?:give|get|add|gain|earn|receive)s?\s+(?:an?\s+)?(?:reward\s+(?:of\s+)?)?"
    r"([+-]?\d[\d.]*)(?:\s+points?)?"
)


def named_alone(name: str, whole: str) -> str | None:
    """`when pressed: lit`: a variable that the file declares does nothing by its name alone: it is set."""
    declared = re.search(rf"^var\s+{re.escape(name)}\s*:\s*(\S+)(?:\s+in\s+(\S+))?", whole, re.MULTILINE)
    if declared is None:
        return None
    if declared[1] in {"true", "false"} or declared[2] in {"true", "false"}:
        return write(f"{name} = true", ": a variable is set; what is asked stands behind `if`")
    value = f"{name} += 1" if re.match(r"[-\d(]", declared[1]) else f"{name} becomes {declared[1]}"
    return f"a variable is set, as in `{value}`; what is asked stands behind `if`"


def gone(name: str, place: Span) -> Help | None:
    """`die` in a block about things: the thing is gone, or the episode is over."""
    if name.lower() not in {"die", "dies", "dead", "death"}:
        return None
    around = re.search(
        r"^[ \t]*each[ \t]+(\w+)(?:(?!\n\S|\beach\b).)*\Z", place.source.text[: place.start], _LINES
    )
    if around is None:
        return None
    kind = around[1]
    line = f"write `remove {kind}` to take the {kind} away, `end failure` to end the episode"
    return Help(line, (f"remove {kind}", "end failure"))


def placed_by_call(name: str, given: list[str], place: Span) -> Help | None:
    """Return what `place_agent()` and `put_obj(goal, 4, 4)` say: `place`, a kind, and where it comes to be."""
    said = re.fullmatch(r"(?:place|put|add|spawn|set)_?([a-z_]*)", name.lower())
    if said is None:
        return None
    called = {"obj": "", "object": "", "thing": "", "tile": "", "item": "", "player": "agent"}
    kind = called.get(said[1], said[1])
    if not kind and given and re.fullmatch(r"[A-Za-z_]\w*(?:\([^()]*\))?", given[0]):
        kind, given = given[0], given[1:]
    if not kind or not re.fullmatch(r"\d+|\([^()]*\)|", given[0] if given else ""):
        return None
    cell = {0: "random free", 1: given[0] if given else "", 2: f"({', '.join(given)})"}.get(len(given), "")
    return write(f"place {kind} at {cell}", place=place) if cell and not cell.isdigit() else None


def called_effect(mistake: Mistake) -> Meant | None:
    """`remove(coin)`, `end("success")`: an effect written as a call."""
    if mistake.start != "effects":
        return None
    start, stop = mistake.item_start(), mistake.item_end()
    called = re.fullmatch(r"(\w+)\(\s*\"?([\w .=]*)\"?\s*\)", mistake.text[start:stop])
    if called is None or called[1] not in EFFECT_WORDS or mistake.begin < start + called.end(1):
        return None
    return Meant(
        write(f"{called[1]} {called[2]}".strip()),
        start + called.end(1),
        stop,
        found="brackets",
        expected="what the effect is about, without them",
        start=start,
        stop=stop,
    )


def bare_number(mistake: Mistake) -> Meant | None:
    """`on enter goal: +10`, `reward 10 points`, `give reward 10`: a reward in other words."""
    if mistake.start != "effects":
        return None
    start, stop = mistake.item_start(), mistake.item_end()
    item = mistake.text[start:stop]
    thousands = re.search(r"\d,\Z", mistake.text[:start])
    if re.fullmatch(r"[+-]?\d+(\.\d+)?(\s+(points?|rewards?))?", item) and thousands is None:
        number = re.match(r"\S+", item)
        assert number is not None
        return Meant(write(f"reward {number.group()}"), start, stop, expected="an effect")
    given = _GIVEN.fullmatch(item)
    if given is not None:
        word = re.match(r"\w+", item)
        assert word is not None
        help = write(f"reward {given[1]}")
        return Meant(help, start, start + word.end(), unknown_effect=word.group(), start=start, stop=stop)
    given_to = re.fullmatch(r"(reward\s+[^,]+?)\s+(for|of|by)\s+(\w+)", item)
    if given_to is not None and mistake.found == given_to[2]:
        return Meant(write("to"))
    paid = re.fullmatch(r"reward\s+([A-Za-z_]\w*)\s*(?::|\+=|=)?\s*([+-]?\d[\d.]*)", item)
    if paid is not None and mistake.is_kind(paid[1]):
        return Meant(write(f"reward {paid[2]} to {paid[1]}"), start=start, stop=stop)
    if paid is not None and re.search(rf"^agents?\b.*\b{paid[1]}\b", mistake.whole, re.MULTILINE):
        return Meant(write(f"reward {paid[2]} to {paid[1]}"), start=start, stop=stop)
    if re.match(r"reward\s*==", item) and mistake.found == "=":
        line = Help("leave `==` out: `reward 1` adds, `reward = 1` replaces what the step has given", (" ",))
        sign = re.compile(r"\s*==\s*").match(mistake.text, start + len("reward"))
        assert sign is not None
        return Meant(line, *sign.span(), start=sign.start(), stop=sign.end())
    if re.match(r"reward\b", item) and re.match(r"(points?|of)\b", mistake.found):
        help = Help(f"leave `{mistake.found}` out", ("",))
        return Meant(help, start=len(mistake.before), stop=mistake.end)
    return None
