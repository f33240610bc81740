"""Habits where one of several is meant, the nearest, the lowest, the one that is drawn; and in who has what."""

from __future__ import annotations

import re

from griddsl.compass import MEANT_BY, STEP_OF
from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import CELL, CONDITIONS, Habits, Meant, Mistake

LEAST = {
    "lowest",
    "min",
    "minimum",
    "minimal",
    "smallest",
    "fewest",
    "smaller",
    "less",
    "shortest",
    "weakest",
}
MOST = {"highest", "max", "maximum", "maximal", "largest", "greatest", "biggest", "larger", "more", "longest"}
NEAR = {"nearest", "closest"}
FAR = {"farthest", "furthest"}


def superlative(mistake: Mistake) -> Meant | None:
    """`the alien with lowest alien.y`, `nearest alien`, `the alien closest to agent`, `alien with least E`."""
    return (
        _of_several_kinds(mistake)
        or _other_word(mistake)
        or _nearest(mistake)
        or _no_article(mistake)
        or _no_place_for_one(mistake)
    )


_THERE = re.compile(rf"(?<!\()\bthe\s+(?:\w+(?:\([^()]*\))?|\([^()]*\))\s+at\s+{CELL}(?P<of>\.\w+)?")
_OTHER_PLACES = re.compile(
    r"\bthe\s+(?P<kind>\w+)\s+(?:(?:on|under|below|beneath)\s+(?:the\s+)?(?P<who>agent|self)\b"
    r"|in\s+(?P<cell>\([^()]*,[^()]*\))|(?P<here>here)\b|(?P<ahead>ahead)\b"
    r"|(?:(?P<way>north|south|east|west|above|left|right)(?:\s+of)?)\s+(?P<from>agent|self)\b)"
)


_ASKING = {"is", "has", "on", "within", "sees", "==", "!=", "<", ">", "<=", ">=", "*", "/"}


def there(mistake: Mistake) -> Meant | None:
    """`if the gem at c.hue > 2`, `move the gem at c east`, `the gem on agent`, `the gem east of agent`."""
    for said in _THERE.finditer(mistake.text):
        if not said.start() <= mistake.begin <= said.end() + 1:
            continue
        one, of = said[0].removesuffix(said["of"] or ""), said["of"] or ""
        is_moved = re.search(r"\bmove\s+\Z", mistake.text[: said.start()]) is not None
        if not of and mistake.found in {"and", "or", "xor"}:
            bare = write(one.removeprefix("the "))
            return Meant(bare, *said.span(), start=said.start(), stop=said.end())
        if not of and not is_moved and mistake.found not in _ASKING:
            continue
        return Meant(write(f"({one}){of}"), *said.span(), start=said.start(), stop=said.end())
    for said in mistake.around(_OTHER_PLACES):
        if not mistake.is_kind(said["kind"]):
            continue
        cell = said["who"] or said["cell"] or said["here"]
        if said["ahead"]:
            cell = "(agent.x + dx(agent.facing), agent.y + dy(agent.facing))"
        elif said["from"]:
            dx, dy = STEP_OF[
                MEANT_BY.get(said["way"], "north")
            ]  # `above` is no word for a direction elsewhere
            across, down = (f" {'+' if step > 0 else '-'} 1" if step else "" for step in (dx, dy))
            cell = f"({said['from']}.x{across}, {said['from']}.y{down})"
        line = f"the {said['kind']} at {cell}"
        inside = mistake.text[: said.start()].rstrip().endswith("(")
        help = write(line if inside else f"({line})")
        return Meant(help, *said.span(), start=said.start(), stop=said.end())
    return None


def cell_without_brackets(mistake: Mistake) -> Meant | None:
    """`when agent at 5, 1`: a cell stands in brackets."""
    x = re.search(r"\bat\s+(-?[\w.]+)\Z", mistake.before)
    y = re.match(r",\s*(-?[\w.]+)", mistake.rest)
    if mistake.start not in CONDITIONS or mistake.found != "," or x is None or y is None:
        return None
    stop = mistake.begin + y.end()
    return Meant(write(f"({x[1]}, {y[1]})"), x.start(1), stop, expected="a cell", start=x.start(1), stop=stop)


def _of_several_kinds(mistake: Mistake) -> Meant | None:
    """`each (ball or key): ...` in a block, `the (ball or key) with least E`: the thing would have no name."""
    kinds_named = r"\(\s*(\w+(?:\s+or\s+\w+)+)\s*\)"
    one = re.search(rf"\bthe\s*{kinds_named}\s*\Z", mistake.before)
    if one is not None and mistake.found == "with":
        name = one[1].split()[0]
        line = (
            f"`the {name} with ...` is one of a kind, `the portable with ...` one of all that can be carried"
        )
        return Meant(f"the thing needs a name to be asked by: {line}", *one.span())
    said = re.search(r"\b(each)\s*\Z", mistake.before)
    kinds = re.match(kinds_named, mistake.rest)
    if said is None or kinds is None:
        return None
    names = re.split(r"\s+or\s+", kinds[1])
    stop = mistake.begin + kinds.end()
    line = f"`each k in {' | '.join(names)}:` and in it `each k:` goes through them kind by kind"
    return Meant(
        f"each of them needs a name: {line}, `each portable:` through all that can be carried", stop=stop
    )


def _other_word(mistake: Mistake) -> Meant | None:
    """`the alien with lowest alien.y`, `the alien having least alien.y`."""
    if "LEAST" in mistake.expected:
        word = "least" if mistake.found in LEAST else "most" if mistake.found in MOST else None
        if word is not None:
            stop = re.match(r"\w+(\s+of\b)?", mistake.rest)
            return Meant(write(word), stop=mistake.begin + (stop.end() if stop else 0))
        return Meant("write `with least E` or `with most E`: of which number it is")
    said = re.search(r"\bthe\s+(\w+)\Z", mistake.before)
    if said is not None and re.match(r"(having|of|by|that\s+has)\s+(the\s+)?(least|most)\b", mistake.rest):
        end = re.match(r"(having|of|by|that\s+has)(\s+the)?", mistake.rest)
        return Meant(write("with"), stop=mistake.begin + (end.end() if end else 0))
    return None


def _nearest(mistake: Mistake) -> Meant | None:
    """`the alien nearest to agent`, `the closest alien to agent`, `nearest alien`."""
    text = mistake.text
    pattern = (
        r"(?P<the>the\s+)?(?:(?P<word>nearest|closest|farthest|furthest)\s+(?P<kind>\w+)|"
        r"(?P<kind2>\w+)\s+(?P<word2>nearest|closest|farthest|furthest)(?!\s+(?!to\b|from\b|of\b)\w))(?P<to>\s+(?:to|from|of)\s+(?P<place>\w+))?"
    )
    for said in re.finditer(pattern, text):
        if not said.start() <= mistake.begin <= said.end():
            continue
        kind, word = said["kind"] or said["kind2"], said["word"] or said["word2"]
        most = "most" if word in FAR else "least"
        line = f"the {kind} with {most} distance({kind}, {said['place'] or 'agent'})"
        behind = text[said.end() :].lstrip()[:1]
        before = text[: said.start()].rstrip()
        stands_alone = before[-1:] in {"", "(", ",", "="} or before.split()[-1] in {
            "to",
            "remove",
            "reward",
            "at",
        }
        line = f"({line})" if behind == "." or not stands_alone else line
        return Meant(write(line), said.start(), said.end(), start=said.start(), stop=said.end())
    return None


def _no_article(mistake: Mistake) -> Meant | None:
    """`let t = alien with least alien.y`."""
    said = re.search(r"(?<!the )\b(\w+)\Z", mistake.before)
    if said is None or mistake.found != "with" or not re.match(r"with\s+(least|most)\b", mistake.rest):
        return None
    return Meant(write(f"the {said[1]}"), said.start(), said.end(), start=said.start(), stop=said.end())


def _no_place_for_one(mistake: Mistake) -> Meant | None:
    """`move the alien with least alien.y west`, `on meet the alien with least alien.y`."""
    one = re.search(r"\bthe\s+(\w+)\s+with\s+(?:least|most)\b", mistake.text)
    if one is None or not one.start() <= mistake.begin <= one.end():
        return None
    verb = mistake.text[: one.start()].split()[-1:] or [""]
    if verb[0] not in {
        "in",
        "enter",
        "leave",
        "meet",
        "bump",
        "push",
        "on",
        "all",
        "any",
    }:
        line = f"put brackets around it: `(the {one[1]} with ...)`"
        return Meant(line, one.start(), one.end(), found="one of several", expected="a value, or brackets")
    line = (
        f"give it a name on a line before: `let t = the {one[1]} with ...`, then `{verb[0]} t` speaks of it"
    )
    return Meant(line, one.start(), one.end(), found="one of several", expected="a kind or a name")


_TWICE = re.compile(r"\b(?:no|any|all|each)\s+((?:any|every|each|an?|the|single)\s+)(?=\w)")
_NUMBERED = re.compile(r"\bchoose\s+(\d)\s+(?:distinct\s+)?(?:in\s+(\w+)|(?!in\b)(\w+))")


def counted_twice(mistake: Mistake) -> Meant | None:
    """`no any box at agent`: one of the two words says it; `choose 2 distinct in shelf`: each is named."""
    for said in _TWICE.finditer(mistake.text):
        if said.start() <= mistake.begin <= said.end():
            help = Help(f"leave `{said[1].strip()}` out", ("",))
            return Meant(help, said.start(1), said.end(1) - 1, start=said.start(1), stop=said.end(1))
    for said in mistake.around(_NUMBERED):
        names = "abcdefghi"[: int(said[1])]
        if len(names) > 1:
            line = f"choose {', '.join(names)} distinct in {said[2] or said[3]}"
            return Meant(write(line, ": each has a name"), *said.span(), start=said.start(), stop=said.end())
    return None


def drawn_thing(mistake: Mistake) -> Meant | None:
    """`remove random alien`, `let t = random alien`, `choose t in alien if C`."""
    if mistake.start == "effects" and re.search(r"\bchoose\s+\w+\s+in\s+\w+\Z", mistake.before):
        if mistake.found in {"if", "when", "with"} and not re.match(r"if\b.*\belse\b", mistake.rest):
            return Meant(write("where"))
        return None
    said = re.search(r"(remove|pickup|drop|move|let\s+(\w+)\s*=)\s*(a\s+)?random\Z", mistake.before)
    if said is None or not re.match(r"\w", mistake.found):
        return None
    name, kind = said[2] or "t", mistake.found
    then = "" if said[2] else f", then `{said[1]} {name}`"
    return Meant(f"a thing is drawn by `choose {name} in {kind}`{then}", said.start(), mistake.end)


_WHICH = re.compile(
    r"(?:(?P<of>whose\s+(?:own\s+)?)|(?P<being>(?:that|which|who)\s+is\s+)|if\s+(?!.*\belse\b)|such\s+that\s+|having\s+)"
    r"(?P<rest>[^,:]+)"
)


def lonely_article(mistake: Mistake) -> Meant | None:
    """`agent on the goal`: `the` stands before what is chosen by a number alone."""
    said = re.search(r"\bthe\s+\w+\Z", mistake.before)
    if said is None or "WITH" not in mistake.expected or mistake.found == "with":
        return None
    kind = said[0].split()[-1]
    which = _WHICH.match(mistake.rest)
    if which is not None and mistake.is_kind(kind):
        of = f"{kind}." if which["of"] else f"{kind} is " if which["being"] else ""
        stop = mistake.begin + which.end()
        line = write(f"{said[0]} where {of}{which['rest'].rstrip()}")
        return Meant(line, said.start(), stop, expected="`where`", start=said.start(), stop=stop)
    there = re.match(r"(?:at|on)\s+(?:\([^()]*\)|\w+)", mistake.rest)
    if mistake.start == "effects" and there is not None and mistake.is_kind(kind):
        line = write(f"(the {kind} where {kind} {there[0]})")
        stop = mistake.begin + there.end()
        return Meant(line, said.start(), stop, expected="a thing", start=said.start(), stop=stop)
    return Meant(Help("leave `the` out", ("",)), said.start(), said.start() + 3, expected="a name",
                 start=said.start(), stop=said.start() + 4)  # fmt: skip


_HAVING = r"(?:ha(?:ve|s)|hold(?:s|ing)?|carr(?:y|ies|ying)|owns?|got|possess(?:es)?)"
_NOT = r"\s*(?:n't|n’t|\s+not)"
_NOT_HAVING = (
    rf"(?:do(?:es)?{_NOT}\s+{_HAVING}|ha(?:s|ve){_NOT}(?:\s+got)?|lacks?|without|is{_NOT}\s+{_HAVING})"
)


def holding(mistake: Mistake) -> Meant | None:
    """`agent does not have key`, `agent is holding key`, `agent without key`, `agent isn't on ice`."""
    if mistake.start not in CONDITIONS:
        return None
    article = r"(?:an?\s+|any\s+|the\s+)?"
    for form, written in (
        (rf"(\w+)\s+{_NOT_HAVING}\s+{article}(\w+(?:\([^()]*\))?)", "not {0} has {1}"),
        (rf"(\w+)\s+(?:is\s+|are\s+)?(?!has\b){_HAVING}\s+{article}(\w+(?:\([^()]*\))?)", "{0} has {1}"),
        (r"(\w+)\s+isn['’]t\s+(on|at)\b", "not {0} {1}"),
    ):
        for said in re.finditer(form, mistake.text):
            if said.end(1) < mistake.begin <= said.end() and said[1] not in {
                "if",
                "when",
                "and",
                "or",
                "not",
                "where",
            }:
                return Meant(write(written.format(*said.groups())), start=said.start(), stop=said.end())
    return None


_LOOKED_AT = (
    r"\bthe\s+(\w+)\s+with\s+(?:least|most)\s+(?:[^()]*\s)?\Z",
    r"\b(?:any|all|no)\s+(\w+)\s+where\s+(?:[^()]*\s)?\Z",
    r"\bcount\(\s*(\w+)\s+where\s+(?:[^()]*\s)?\Z",
    r"\Aeach\s+(\w+)\s+(?:if|where|by)\s+(?:[^()]*\s)?\Z",
)


def distance(mistake: Mistake) -> Meant | None:
    """`distance to guard`, `distance from agent to guard`, `the key with least distance to agent`."""
    form = r"\bdistance\s+(?:(?:from|between)\s+(?:the\s+)?(\w+)\s+)?(?:to|and)\s+(?:the\s+)?(\w+)"
    said = next(
        (found for found in re.finditer(form, mistake.text) if found.start() <= mistake.begin <= found.end()),
        None,
    )
    if said is None:
        return None
    one, other = said[1] or _looked_at(mistake, mistake.text[: said.start()]) or "agent", said[2]
    if one == other:  # which of all things is meant, nobody knows
        return Meant(f"a distance is asked between two: `distance(K, {other})`")
    return Meant(write(f"distance({one}, {other})"), start=said.start(), stop=said.end())


def _looked_at(mistake: Mistake, before: str) -> str | None:
    """Return the kind that is gone through where a distance is asked of it; None where there is none."""
    for form in _LOOKED_AT:
        said = re.search(form, before)
        if said is not None and (said[1] == "cell" or mistake.is_kind(said[1])):
            return "here" if said[1] == "cell" and not mistake.is_kind("cell") else said[1]
    return None


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (superlative, counted_twice, drawn_thing, lonely_article)


_WITH_VALUES = re.compile(
    r"the\s+([A-Za-z_]\w*)\s*\(((?:\s*[A-Za-z_]\w*\s*={1,2}\s*-?\w+\s*,?)+)\)(?!\s*(?:at|where|with)\b)"
)


def with_values(mistake: Mistake) -> Meant | None:
    """`the bomb(timer=0)`: which one is meant stands behind `where`."""
    for said in mistake.around(_WITH_VALUES):
        kind = said[1]
        tests = [
            f"{kind}.{name} {'==' if re.fullmatch('-?[0-9]+', value) else 'is'} {value}"
            for name, value in re.findall(r"(\w+)\s*={1,2}\s*(-?\w+)", said[2])
        ]
        line = write(f"the {kind} where {' and '.join(tests)}")
        return Meant(
            line, said.start(), said.end(), expected="one of them", start=said.start(), stop=said.end()
        )
    return None
