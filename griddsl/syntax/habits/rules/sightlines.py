"""Habits in `K sees K2` and in rays: how else it is said what is in sight of another."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import Habits, Meant, Mistake

_CAN_SEE = re.compile(r"\b(\w+)\s+(can\s*(not|'t)?\s+see)\s+((?:any\s+)?\w+)")


def sees(mistake: Mistake) -> Meant | None:
    """`agent can see alien`, `agent does not see alien`, `agent seen by alien`, `agent sees alien at 3`."""
    for able in mistake.around(_CAN_SEE):
        start, stop = able.span(2)
        if able[3] is None:
            return Meant(write("sees"), start, stop, expected="`sees`", start=start, stop=stop)
        start, stop = able.span()
        return Meant(write(f"not {able[1]} sees {able[4]}"), start, stop, start=start, stop=stop)
    said = re.match(r"(can\s+see|see|looks\s+at|watches|spots)\b", mistake.rest)
    behind = mistake.last_word()
    if "SEES" in mistake.expected and said is not None and behind is not None:
        end = mistake.begin + said.end()
        return Meant(write("sees"), mistake.begin, end, stop=end)
    denied = re.match(r"(does\s+not|doesn|cannot|can\s+not)\s+see\s+(\w+)", mistake.rest)
    if denied is not None and behind is not None:
        end = mistake.begin + denied.end()
        line = f"not {behind.group()} sees {denied[2]}"
        return Meant(write(line), behind.start(), end, start=behind.start(), stop=end)
    passive = re.match(r"(?:is\s+)?(?:seen|visible)\s+(?:by|from|to)\s+(\w+)", mistake.rest)
    if passive is not None and behind is not None:
        end = mistake.begin + passive.end()
        line = f"{passive[1]} sees {behind.group()}"
        return Meant(write(line), behind.start(), end, start=behind.start(), stop=end)
    far = re.match(r"(in|at|up\s+to|from)(?=\s+\d)", mistake.rest)
    if far is not None and re.search(r"\bsees\s+(any\s+)?\w+(\([^()]*\))?\Z", mistake.before):
        return Meant(write("within"), stop=mistake.begin + far.end())
    if re.search(r"\bsees\s+.*\bwithin\s+\S+\Z", mistake.before) and mistake.found in {"cells", "cell"}:
        return Meant(Help(f"leave `{mistake.found}` out", ("",)), start=len(mistake.before), stop=mistake.end)
    return None


def shown_kinds(mistake: Mistake) -> Meant | None:
    """`rays 8 of [wall, coin]`, `grid as planes [agent, coin]`: what is shown stands in round brackets."""
    listing = re.match(r"[\[{]([\w\s,=()]+)[\]}]", mistake.rest)
    behind = re.search(r"\brays\b.*\bof\Z|\bas\s+(?:planes|codes)\Z", mistake.before, re.DOTALL)
    if mistake.start == "observations" and mistake.found == "or":
        return _joined_by_or(mistake)
    if mistake.start != "observations" or listing is None or behind is None:
        return None
    help = write(f"({listing[1].strip().rstrip(',')})")
    return Meant(help, expected="`(`", stop=mistake.begin + listing.end())


def _joined_by_or(mistake: Mistake) -> Meant | None:
    """`rays 8 of (wall or coin)`."""
    form = r"\b(?:of|planes|codes)\s+(\(\s*\w+(?:\s+or\s+\w+)+\s*\))"
    said = next(
        (said for said in re.finditer(form, mistake.text) if said.start() <= mistake.begin < said.end()), None
    )
    if said is None:
        return None
    start, stop = said.span(1)
    return Meant(write(re.sub(r"\s+or\s+", ", ", said[1])), expected="`,`", start=start, stop=stop)


def counted_before(mistake: Mistake) -> Meant | None:
    """`8 rays of wall`: their number stands behind the word."""
    said = re.search(r"\b(\d+)\s+rays\b", mistake.text)
    if mistake.start != "observations" or said is None or not said.start() <= mistake.begin <= said.end():
        return None
    return Meant(write(f"rays {said[1]}"), start=said.start(), stop=said.end())


def reach_of_rays(mistake: Mistake) -> Meant | None:
    """`rays 8 of wall within 4`: how far they go is said before what they hit."""
    if mistake.start != "observations" or mistake.found != "within":
        return None
    rays = r"\brays\s+(?P<count>[^,]+?)\s+(?P<hits>of\s+(?:\w+(?:\([^()]*\))?|\((?:[^()]|\([^()]*\))*\)))\s+"
    for said in re.finditer(rf"{rays}(?P<reach>within\s+(?:[\w.]+|\([^()]*\)))", mistake.text):
        if mistake.begin == said.start("reach"):
            line = write(f"rays {said['count']} {said['reach']} {said['hits']}")
            found, expected = f"`{said['reach']}` behind `of`", "it before"
            return Meant(line, *said.span("reach"), found, expected, start=said.start(), stop=said.end())
    return None


def hit_with_attribute(mistake: Mistake) -> Meant | None:
    """`rays 8 of (wall, lamp.lit)`, `rays 8 of (wall, lit lamp)`: a kind gives its attributes in brackets."""
    if mistake.start != "observations" or re.search(r"\brays\b.*\bof\b", mistake.before, re.DOTALL) is None:
        return None
    dotted = re.search(
        r"\b(?P<kind>\w+)\s*\.(?P<word>\w+)\Z", mistake.text[: mistake.begin] + _dotted(mistake.rest)
    )
    plain = re.search(r"\b(?P<word>\w+)\s+(?P<kind>\w+)\Z", mistake.text[: mistake.end])
    behind = re.compile(r"\b(?P<kind>\w+)\s+(?:with|is|where)\s+(?P<word>\w+)\Z")
    asked = re.match(r"\w+\s+\w+", mistake.rest)
    said = dotted or (behind.search(mistake.before + " " + asked[0]) if asked is not None else None) or plain
    if said is None or not mistake.is_word_of(said["word"], said["kind"]):
        return None
    kind, word = said["kind"], said["word"]
    name = mistake.attribute_with(word, kind)
    values = mistake.values_of(word, kind) if name is None else [word]
    true = next((each for each in values or () if each in {"yes", "true", word}), None)
    start, stop = said.span()
    found = f"`{said[0]}`"
    if true is None:
        form = f"{kind}({word}={values[0]})" if values else f"{kind}({word}=...)"
        return Meant(
            f"a kind gives an attribute a value in brackets, as in `{form}`", start, stop, found, "a kind"
        )
    return Meant(
        write(f"{kind}({name or word}={true})"), start, stop, found, "a kind", start=start, stop=stop
    )


def _dotted(rest: str) -> str:
    said = re.match(r"\.\w+", rest)
    return said[0] if said is not None else " "


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (shown_kinds, counted_before, reach_of_rays, hit_with_attribute)
