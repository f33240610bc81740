"""Habits in the values and areas that are listed, in chances that stand as conditions, and in what is observed."""

from __future__ import annotations

import re

from griddsl.diagnostics import write
from griddsl.syntax.habits.mistake import CONDITIONS, Habits, Meant, Mistake

_CHANCE = r"(?:with\s+)?(?:an?\s+)?(?:chance|probability|prob)\s+(?:of\s+)?(\d[\d.]*(?:/\d+)?%?|\.\d+)"
_FORMS = {
    "onehot": "onehot",
    "one_hot": "onehot",
    "xy": "xy",
    "unit": "unit",
    "multidiscrete": "multidiscrete",
}


def values_in_brackets(mistake: Mistake) -> Meant | None:
    """`each i in [1, 2, 3]: ...`, `any c in (red, blue) where C`: values are joined by `|`."""
    said = re.search(r"(?:\b(?:each|any|all|no|for)|\bcount\()\s*\w+\s+in\Z", mistake.before)
    listed = re.match(r"\[\s*(-?\w+(?:\s*,\s*-?\w+)+)\s*\]", mistake.rest)
    if said is None or listed is None or mistake.found[:1] != "[":
        return None
    values = " | ".join(each.strip() for each in listed[1].split(","))
    stop = mistake.begin + listed.end()
    return Meant(write(values, ": values are joined by `|`"), start=mistake.begin, stop=stop)


def looked_up(mistake: Mistake) -> Meant | None:
    """`[3, 5, 9][step]`, `nth([3, 5, 9], i)`, `nth(i, 3 | 5 | 9)`, `prices[i]`, `define prices: 3, 5, 9`."""
    for wording in _LOOKED_UP:
        for said in mistake.around(wording):
            items = re.sub(r"\s*[,|]\s*", ", ", said["items"])
            return Meant(
                write(f"nth({said['i'].strip()}, {items})"), *said.span(), start=said.start(), stop=said.end()
            )
    for said in mistake.around(re.compile(r"\b([A-Za-z_]\w*)\[\s*([^\[\]]+?)\s*\]")):
        if re.search(
            rf"^(?:define|var|param|list|table|array|const)\s+{said[1]}\s*[:=].*,", mistake.whole, re.M
        ):
            help = write(f"{said[1]}({said[2]})", f": with `define {said[1]}(i): nth(i, 3, 5, 9)`")
            return Meant(help, *said.span(), start=said.start(), stop=said.end())
    listed = re.fullmatch(rf"\s*\[?\s*({_ITEM}\s*,\s*{_ITEM}(?:\s*,\s*{_ITEM})+)\s*\]?\s*", mistake.text)
    head = rf"^(?:define|param)[ \t]+(\w+)[ \t]*:[ \t]*{re.escape(mistake.text.strip())}[ \t]*$"
    called = re.search(head, mistake.whole, re.M) if listed is not None else None
    if listed is None or called is None:
        return None
    name = called[1]
    return Meant(
        f"a list is looked up: `define {name}(i): nth(i, {listed[1][:40]})`, then `{name}(0)` is its first"
    )


_ITEM = r"-?\w+(?:\.\d+)?(?:/\d+)?"
_LISTED = rf"(?P<items>{_ITEM}(?:\s*,\s*{_ITEM})+)"
_LOOKED_UP = tuple(
    re.compile(pattern)
    for pattern in (
        rf"[\[(]\s*{_LISTED}\s*[\])]\s*\[\s*(?P<i>[^\[\]]+?)\s*\]",
        rf"\bnth\(\s*[\[(]\s*{_LISTED}\s*[\])]\s*,\s*(?P<i>[^,()]+)\)",
        rf"\bnth\((?P<i>[^,()]+),\s*[\[(]\s*{_LISTED}\s*[\])]\s*\)",
        rf"\bnth\((?P<i>[^,()|]+),\s*(?P<items>{_ITEM}(?:\s*\|\s*{_ITEM})+)\s*\)",
    )
)


def counted_if(mistake: Mistake) -> Meant | None:
    """`count(i in 1..3 if C)`, `sum(i for i in 1..3 if C)`: which of them, is said behind `where`."""
    said = re.search(r"\b(?:count\(\s*|for\s+)\w+(?:\s+in\s+[^()]*)?\Z", mistake.before)
    if said is None or mistake.found not in {"if", "when", "with"} or "WHERE" not in mistake.expected:
        return None
    return Meant(write("where"))


def thing_in_area(mistake: Mistake) -> Meant | None:
    """`agent in (1..2, 0)`: a thing is on an area."""
    at = mistake.begin if mistake.found == "in" else mistake.text[: mistake.begin].rfind("in")
    if mistake.start not in CONDITIONS or at < 0:
        return None
    said = re.search(r"(?<![\w.])([A-Za-z_]\w*)\s+\Z", mistake.text[:at])
    area = re.compile(r"in\s*\((?=[^()]*\.\.)[^(),]+,[^(),]+\)").match(mistake.text, at)
    if said is None or area is None or not at <= mistake.begin <= area.end():
        return None
    return Meant(write("on", ": an area is what a thing is on"), at, at + 2, start=at, stop=at + 2)


def chance_as_condition(mistake: Mistake) -> Meant | None:
    """`when chance 0.5: ...`, `on enter pit if chance 0.5: ...`, `if chance 0.5:` in a block."""
    said = re.search(rf"\A\s*(when|if|else\s+if)\s+{_CHANCE}\s*\Z", mistake.text)
    behind = re.search(rf"\s(if)\s+{_CHANCE}\s*\Z", mistake.text)
    if mistake.start == "rule" and said is not None and said[1] == "when":
        line, start = f"each step with chance {said[2]}", 0
    elif mistake.start in {"if_head", "else_if_head"} and said is not None:
        line, start = f"{said[1]} true with chance {said[2]}", 0
    elif mistake.start == "rule" and behind is not None and not re.match(r"\s*when\b", mistake.text):
        line, start = f"with chance {behind[2]}", behind.start(1)
    else:
        return None
    found = said or behind
    assert found is not None
    place = (found.end(1) + 1, len(mistake.text.rstrip()))
    help = write(line, ": a chance is no condition, and stands behind one")
    return Meant(help, *place, expected="a condition", start=start, stop=place[1])


def chance_in_noise(mistake: Mistake) -> Meant | None:
    """`heard = word if chance 0.9 else none`: what is shown with a chance has no `if`."""
    said = re.search(rf"\b(if\s+)(?:with\s+)?{_CHANCE}\s+else\b", mistake.text)
    if mistake.start != "observations" or said is None or not said.start() <= mistake.begin <= said.end():
        return None
    start, stop = said.start(), said.end() - len("else")
    help = write(f"with chance {said[2]}", ": a chance is no condition")
    stop = len(mistake.text[:stop].rstrip())
    return Meant(help, start, stop, expected="`with chance`", start=start, stop=stop)


def form_without_as(mistake: Mistake) -> Meant | None:
    """`observe: mode onehot`: a form stands behind `as`."""
    if mistake.start != "observations" or "AS" not in mistake.expected or mistake.found not in _FORMS:
        return None
    return Meant(write(f"as {_FORMS[mistake.found]}"), expected="`as` before a form")


def noise_in_words(mistake: Mistake) -> Meant | None:
    """`observe: energy with noise 0.1`: noise is another entry, which is seen with a chance."""
    said = re.search(r"\bwith\Z", mistake.before)
    if mistake.start != "observations" or said is None or mistake.found not in {"noise", "gaussian", "error"}:
        return None
    item = mistake.text[mistake.item_start() : said.start()].strip()
    line = f"noise is another entry, seen instead of it with a chance: `{item[:40]} with chance 0.9 else ...`"
    return Meant(line, expected="`chance`")


def seen_otherwise(mistake: Mistake) -> Meant | None:
    """`bat seen as key if C else floor`: the first line that holds counts, so another line says the rest."""
    item = mistake.text[mistake.item_start() : mistake.begin]
    said = re.match(r"(.+?)\s+seen\s+as\s+", item, re.DOTALL)
    other = re.match(r"else\s+(\w+)", mistake.rest)
    if mistake.start != "observations" or said is None or other is None:
        return None
    start, stop = len(mistake.before), mistake.begin + other.end()
    rewrite = f", {said[1]} seen as {other[1]}"
    line = f"another line says the rest: write `{said[1]} seen as {other[1]}` behind it"
    help = write(rewrite)
    help = type(help)(line, (rewrite,))
    return Meant(help, mistake.begin, mistake.end, start=start, stop=stop)


def all_of_nothing(mistake: Mistake) -> Meant | None:
    """`when all on goal`, `any at (1, 2)`: all of what is said."""
    said = re.search(r"\b(all|any|no|both)\s+(on|at|has|within|ahead|left|sees)\b", mistake.text)
    if mistake.start not in CONDITIONS or said is None or not said.start() <= mistake.begin <= said.end() + 1:
        return None
    quantifier = "all" if said[1] == "both" else said[1]
    if re.search(r"^agents\b", mistake.whole, re.MULTILINE) and said[2] != "left":
        help = write(f"{quantifier} agent {said[2]}", ": it says of whom")
        return Meant(help, *said.span(1), expected="a kind behind it", start=said.start(), stop=said.end(2))
    return Meant(f"say of what: `{quantifier} K {said[2]} ...`", *said.span(1), expected="a kind behind it")


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (
    values_in_brackets,
    counted_if,
    all_of_nothing,
    thing_in_area,
    chance_as_condition,
    chance_in_noise,
    form_without_as,
    noise_in_words,
    seen_otherwise,
)
