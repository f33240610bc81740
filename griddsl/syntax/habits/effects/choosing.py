"""Habits in domains and in what is drawn: lists and weights as other languages write them."""

from __future__ import annotations

import re

from griddsl.diagnostics import write
from griddsl.syntax.habits.mistake import QUOTED, Habits, Meant, Mistake
from griddsl.syntax.keywords import EFFECT_WORDS

_NUMBER = r"\d[\d./]*%?"
_ENTRY = rf"[\"']?(\w+)[\"']?\s*[:=]\s*({_NUMBER})"
_WORD = r"\"\w+\"|'\w+'|[A-Za-z_]\w*|-?\d+"
_PLACES = ("effects", "properties", "variable")


_CHOSEN = r"\bchoose\s+\w+(?:\s*,\s*\w+)*(?:\s+distinct)?"
# What is written for `in`, and what can stand before the list.
_SIGN = r"(?P<sign>(?:from|of|out\s+of|among|between|as|=|:|in)(?=\W))"
_FROM = rf"\s*{_SIGN}\s*(?:(?P<one>(?:(?:any|one)\s+)?of|one(?=\s*\())\b\s*)?"


def joined_by_a_comma(mistake: Mistake) -> Meant | None:
    """`choose a, b distinct in tree where C, b.y != a.y`: conditions are joined by `and`."""
    before = mistake.text[: mistake.begin]
    said = re.search(r"\bwhere\b[^\n]*?(,\s*)(?=[^,\n]*\Z)", before)
    if (
        mistake.start != "effects"
        or said is None
        or not re.match(r"[!=<>]=|[<>]", mistake.text[mistake.begin :])
    ):
        return None
    return Meant(
        write(" and ", " for the comma: conditions are joined so"), said.start(1), said.end(1), "`,`", "`and`"
    )


def chosen_otherwise(mistake: Mistake) -> Meant | None:
    """`pick n from 1..5`, `let n in 1..5`, `choose n in (1, 2, 3)`: `choose` draws from what `|` joins."""
    start, stop = mistake.item_start(), mistake.item_end()
    if mistake.start != "effects":
        return None
    said = re.fullmatch(
        r"(?:pick|let|select|sample|draw|choose)\s+(\w+)\s+(?:in|from|of|among)\s+"
        r"(?:(\w+\.\.\w+)|[(\[]\s*(\w+(?:\s*,\s*\w+){2,})\s*[)\]])",
        mistake.text[start:stop],
    )
    if said is None or mistake.is_kind(said[1]) or (said[2] and mistake.text[start:].startswith("choose")):
        return None
    values = said[2] or " | ".join(re.split(r"\s*,\s*", said[3]))
    line = write(f"choose {said[1]} in {values}", ": a value is drawn from a domain")
    return Meant(line, start, stop, expected="an effect", start=start, stop=stop)


def weighted(mistake: Mistake) -> Meant | None:
    """`choose mood in calm: 3 | wild: 1`, `choose mood in {calm: 3, wild: 1}`: a weight stands behind its value."""
    if mistake.start not in _PLACES:
        return None
    each = rf"(?:{_ENTRY}|\w+(?!\s*[\w:=(]))"
    form = rf"\bin\s+(?P<all>[{{\[]\s*{_ENTRY}(?:\s*,\s*{_ENTRY})*\s*[}}\]]|{each}(?:\s*[|,]\s*{each})*)"
    for said in re.finditer(form, mistake.text):
        if not said.start() <= mistake.begin <= said.end() or mistake.found not in {":", "=", "{", "["}:
            continue
        ends = re.fullmatch(r"(\d+)\s*:\s*(\d+)", said["all"].strip())
        if ends is not None and int(ends[1]) < int(ends[2]):
            help = write(f"{ends[1]}..{ends[2]}", ": both ends count")
            return Meant(help, expected="`..`", start=said.start("all"), stop=said.end("all"))
        entries = re.findall(rf"{_ENTRY}|(\w+)", said["all"])
        values = " | ".join(f"{value} {weight}" if weight else word for value, weight, word in entries)
        help = write(values, ": a weight stands behind its value")
        if mistake.start != "effects":
            values = re.sub(r"(\w+) [\d./]+%?", r"\1", values)
            help = write(values, ": a declaration has no weights; `choose NAME in a 3 | b 1` draws by them")
        start, stop = said.span("all")
        expected = "a value and its weight" if mistake.found in {":", "="} else "values, joined by `|`"
        return Meant(help, expected=expected, start=start, stop=stop)
    return None


def reckoned_weight(mistake: Mistake) -> Meant | None:
    """`choose k in 1 (9 - n) | 2 n`, also of texts: a weight has no bracket first, and one that depends has a name."""
    value = rf"{QUOTED}|(?<=[|n]) -?\d+|true|false"
    text = re.search(rf"{_CHOSEN}\s+in\b.*?({value})\s*\Z", mistake.before)
    weight = re.match(r"\(((?:[^()]|\([^()]*\))*)\)", mistake.rest)
    if mistake.start != "effects" or text is None or weight is None:
        return None
    if re.search(r"\bif\b", weight[1]):
        line = f"a weight that depends has a name: `define share: {weight[1]}`, and `{text[1].strip()} share`"
        return Meant(line, expected="a weight")
    return Meant(
        write(weight[1], ": with no bracket first"), expected="a weight", stop=mistake.begin + weight.end()
    )


def listed(mistake: Mistake) -> Meant | None:
    """`choose mood in [calm, wild]`, `choose mood in calm or wild`, `choose n in 1, 2`: they are joined by `|`."""
    drawn = rf"{_CHOSEN}\s+in|\bbecomes\s+random|=\s*random"
    brackets = rf"[\[{{]\s*(?P<in>(?:{_WORD})(?:\s*,\s*(?:{_WORD}))+)\s*,?\s*[\]}}]"
    bare = rf"(?P<bare>(?:{_WORD})(?:\s*(?:,|\bor\b)\s*(?:{_WORD}))+(?=\s*\Z))"
    if mistake.start != "effects":
        return None
    for said in re.finditer(rf"(?:{drawn})\s+(?P<all>{brackets}|{bare})", mistake.text):
        if not said.start("all") <= mistake.begin <= said.end("all"):
            continue
        words = re.findall(_WORD, said["in"] or re.sub(r"\bor\b", ",", said["bare"]))
        if set(words) & {*EFFECT_WORDS}:
            continue
        start, stop = said.span("all")
        help = write(" | ".join(word.strip("\"'") for word in words), ": alternatives are joined by `|`")
        if said["bare"] is None:
            return Meant(help, expected="values, joined by `|`", start=start, stop=stop)
        sign = re.compile(r",|\bor\b").search(mistake.text, start)
        assert sign is not None
        return Meant(help, *sign.span(), expected="`|`", start=start, stop=stop)
    return None


def chosen_from(mistake: Mistake) -> Meant | None:
    """`choose mood of [a, b]`, `choose mood from a, b`, `choose mood in one of a, b`, `choose mood between a and b`."""
    listed = rf"(?P<bare>(?:{_WORD})(?:\s*(?:,|\||\bor\b|\band\b)\s*(?:{_WORD}))+)(?=\s*\Z)"
    bracketed = rf"(?P<open>[\[({{])\s*(?P<in>(?:{_WORD})(?:\s*[,|]\s*(?:{_WORD}))+)\s*,?\s*[\])}}]"
    if mistake.start != "effects":
        return None
    said = re.search(rf"(?P<names>{_CHOSEN}){_FROM}(?:{bracketed}|{listed})", mistake.text)
    if said is None or not said.start("sign") <= mistake.begin <= said.end():
        return None
    words = re.findall(_WORD, said["in"] or re.sub(r"\b(?:or|and)\b", ",", said["bare"]))
    if set(words) & {*EFFECT_WORDS} or (said["sign"] == "in" and said["one"] is None):
        return None
    values = " | ".join(word.strip("\"'") for word in words)
    help = write(f"{said['names']} in {values}", ": it is drawn from values, joined by `|`")
    start, stop = said.start("names"), said.end()
    if said["sign"] == "in":
        return Meant(help, *said.span("one"), expected="the values", start=start, stop=stop)
    return Meant(help, *said.span("sign"), expected="`in`", start=start, stop=stop)


def assigned_choice(mistake: Mistake) -> Meant | None:
    """`wanted = choose red | blue`: a variable takes what is `random`, and a new name is chosen."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(
        r"(?:let\s+)?(?P<name>[A-Za-z_]\w*(?:\.\w+)?)\s*(?:=|becomes\b)\s*(?P<verb>choose|choice|pick|draw|sample|one)\b"
        r"\s*(?:(?:from|of|in|among|between)\b\s*)?(?P<values>.+)",
        mistake.text[start:stop],
    )
    if mistake.start != "effects" or said is None or mistake.begin < start + said.start("verb"):
        return None
    values = said["values"].strip().strip("()[]{}")
    values = re.sub(r"\s*(?:,|\bor\b)\s*", " | ", values).replace("'", "").replace('"', "")
    declared = re.search(rf"^var\s+{re.escape(said['name'])}\b", mistake.whole, re.MULTILINE) is not None
    if declared or "." in said["name"]:
        help = write(f"{said['name']} = random {values}")
    else:
        help = write(f"choose {said['name']} in {values}")
    begin = start + said.start("verb")
    return Meant(help, begin, begin + len(said["verb"]), expected="a value", start=start, stop=stop)


def chosen_without_name(mistake: Mistake) -> Meant | None:
    """`choose 1 of [a, b]`, `choose one of a, b`, `choose random(a, b)`: what is drawn has a name."""
    form = (
        r"\bchoose\s+((?:\d+|one|any|random|randomly)\s*(?:of|from|among|between|out\s+of)?\b)(?=\s*[\[({\w])"
    )
    said = re.search(form, mistake.text)
    if mistake.start != "effects" or said is None or not said.start() <= mistake.begin <= said.end() + 1:
        return None
    if re.match(r"\s*(?:,|in\b|distinct\b)", mistake.text[said.end() :]):
        return None
    return Meant(
        "what is drawn has a name: `choose NAME in a | b | c`", *said.span(1), expected="a name and `in`"
    )


def distinct_elsewhere(mistake: Mistake) -> Meant | None:
    """`choose a, b in 1..3 distinct`, `choose unique a, b in 1..3`: it stands behind the names."""
    word = r"(?P<word>distinct|unique|different|distinctly)"
    names = r"(?P<names>\w+(?:\s*,\s*\w+)+)"
    forms = (
        rf"\bchoose\s+{names}\s+in\s+(?P<in>[^,]+?)\s+{word}\b",
        rf"\bchoose\s+{word}\s+{names}\s+in\s+(?P<in>[^,]+)",
    )
    for form in forms if mistake.start == "effects" else ():
        said = re.search(form, mistake.text)
        if said is None or not said.start() <= mistake.begin <= said.end():
            continue
        domain = said.groupdict().get("in")
        whole = f"choose {said['names']} distinct in" + (f" {domain}" if domain else "")
        place = said.span("word")
        return Meant(
            write(whole), *place, expected="it behind the names", start=said.start(), stop=said.end()
        )
    return None


def chosen_apart(mistake: Mistake) -> Meant | None:
    """`choose a != b in red | blue`, `choose 2 distinct coin`: names of their own, drawn `distinct`."""
    if mistake.start != "effects":
        return None
    apart = re.search(r"\bchoose\s+(\w+)\s*(?:!=|<>|\bis\s+not\b)\s*(\w+)(?=\s+in\b)", mistake.text)
    if apart is not None and apart.start() <= mistake.begin <= apart.end():
        help = write(f"choose {apart[1]}, {apart[2]} distinct", ": so they are not the same")
        return Meant(help, expected="`,` or `in`", start=apart.start(), stop=apart.end())
    many = re.search(
        r"\bchoose\s+(\d+|two|three)\s+(?:distinct\s+|different\s+|random\s+|unique\s+)*([A-Za-z_]\w*)\s*\Z",
        mistake.text,
    )
    if many is None or not many.start() <= mistake.begin <= many.end():
        return None
    kind = mistake.singular(many[2]) or many[2]
    return Meant(f"what is drawn has names: `choose a, b distinct in {kind}`", expected="a name")


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (
    weighted,
    reckoned_weight,
    assigned_choice,
    chosen_apart,
    listed,
    chosen_from,
    chosen_without_name,
    distinct_elsewhere,
)
