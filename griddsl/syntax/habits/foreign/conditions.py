"""Conditions and values in the shapes of other languages, and two statements on one line."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import CONDITIONS, Habits, Meant, Mistake, hidden

_KIND = r"[A-Za-z_]\w*(?:\([^()]*\))?"
_PLACE = r"(?:\([^()]*\)|\w+)"


def where_behind_relation(mistake: Mistake) -> Meant | None:
    """`any gem at (1, 1) where gem.color is red`: all that is asked of it stands behind `where`."""
    if mistake.found != "where":
        return None
    said = re.search(
        rf"\b((?:any|all|no)\s+({_KIND}))\s+((?:at|on|within\s+\w+\s+of)\s+{_PLACE}|ahead)\s*\Z",
        mistake.text[: mistake.begin],
    )
    asked = re.match(r"where\s+([^:,]+?)\s*(?=\Z|[:,]|\bwith\s+chance\b|\bor\b)", hidden(mistake.rest))
    if said is None or asked is None:
        return None
    name = said[2].partition("(")[0]
    line = f"{said[1]} where {name} {said[3]} and {mistake.rest[asked.start(1) : asked.end(1)]}"
    return Meant(write(line), start=said.start(), stop=mistake.begin + asked.end(1))


def standing_here(mistake: Mistake) -> Meant | None:
    """`no object here`, `if wall here`: a cell follows `at`."""
    said = re.search(rf"\b((?:(?:any|all|no)\s+)?({_KIND}))\s+\Z", mistake.text[: mistake.begin])
    if mistake.found != "here" or said is None:
        return None
    name = said[2].partition("(")[0]
    if name not in {"agent", "object", "portable", "pushable", "wall", "floor"} and not mistake.is_kind(name):
        return None
    return Meant(write(f"{said[1]} at here"), expected="`at`", start=said.start(), stop=mistake.end)


def two_values(mistake: Mistake) -> Meant | None:
    """`var a: 0 in 0..3, b: 1 in 0..3`: each has a line of its own."""
    said = re.match(r",\s*(?:var\s+|param\s+)?(\w+\s*:\s*\S.*)", mistake.rest)
    if mistake.start != "variable" or said is None:
        return None
    line = rf"^(var|param)\s+\w+\s*:\s*{re.escape(mistake.text.strip())}\s*(?:#.*)?$"
    declared = re.search(line, mistake.whole, re.MULTILINE)
    if declared is None:
        return None
    own = f"{declared[1]} {said[1].rstrip()}"
    help = Help(f"each has a line of its own: write `{own}` below", (f"\n{own}",))
    return Meant(help, start=len(mistake.before), stop=len(mistake.text.rstrip()))


def value_returned(mistake: Mistake) -> Meant | None:
    """`define f(n): if n > 2: return 1`: a definition of a value is an expression, and has one either way."""
    said = re.fullmatch(
        r"if\s+([^:]+?)\s*:\s*return\s+(.+?)(?:\s*,?\s*else\s*:?\s*(?:return\s+)?(.+?))?\s*", mistake.text
    )
    if mistake.start not in {"expression", "effects"} or said is None:
        return None
    either = said[3] or ("false" if said[2] == "true" else "true" if said[2] == "false" else "0")
    line = write(f"{said[2]} if {said[1]} else {either}", ": a definition is what stands behind its colon")
    return Meant(line, 0, len("if"), expected="an expression", start=0, stop=len(mistake.text.rstrip()))


def mover_in_a_rule(mistake: Mistake) -> Meant | None:
    """`each wumpus: moves random`: how a kind moves by itself is said where it is declared."""
    start, stop = mistake.item_start(), mistake.item_end()
    item = mistake.text[start:stop]
    said = re.match(r"moves\s+(?:random|toward|away|forward|patrol|still)\b", item)
    if mistake.start != "effects" or said is None:
        return None
    rule = re.search(rf"^each\s+(\w+)\b[^:\n]*:\s*{re.escape(item)}", mistake.whole, re.MULTILINE)
    kind = rule[1] if rule is not None and mistake.is_kind(rule[1]) else "K"
    help = f"how a kind moves by itself is said with it, `object {kind}: {item}`"
    return Meant(help, start, start + len("moves"), unknown_effect="moves")


_QUANTIFIED = re.compile(
    r"\b(?P<word>forall|exists|sum|prod|min|max|count)\s*_?\s*\{\s*\?\w+\s*:\s*(?P<kind>\w+)\s*\}\s*"
    r"(?P<open>[\[(])(?P<said>[^\[\]]*)[\])]"
)
_ASKED_OF = re.compile(r"\b(?P<fluent>[A-Za-z][\w-]*)\s*\(\s*\?\w+\s*\)")
_PART = r"((?:[^(),:]|\([^()]*\))+?)"
_BEFORE = re.compile(rf"(?:\A|[(,]\s*)(?:.*\b(?:if|when|where|until|and|or)\s+)?{_PART}\s*\Z")
_BEHIND = re.compile(rf"\s*{_PART}\s*(?=\Z|[),:]|\bwith\s+chance\b)")
_JOINING = {"=>": "{not_left} or {right}", "<=>": "({left}) == ({right})", "^": "{left} and {right}"}
_RELATION = re.compile(r"[<>=!]=?|\b(?:is|has|on|at|ahead|sees|within|left|any|no|all|not)\b")


def planned(mistake: Mistake) -> Meant | None:
    """`A => B`, `A ^ B`, `~A`, `forall_{?c : cell} [up(?c)]`: logic as planners write it."""
    return _quantified(mistake) or _joined(mistake) or _negated(mistake)


def _quantified(mistake: Mistake) -> Meant | None:
    """`forall_{?c : computer} [up(?c)]`: `all computer where computer.up`; `sum_{?c : computer} [...]`: a sum."""
    lines = [
        line for line in mistake.whole.splitlines() if mistake.text.strip() in line and "{" in mistake.text
    ]
    cut = next((said for line in lines for said in _QUANTIFIED.finditer(line)), None)
    if cut is not None and not any(mistake.around(_QUANTIFIED)):  # at the colon in the braces
        return Meant(f"here it is said `{_of_all(mistake, cut)}`")
    for said in mistake.around(_QUANTIFIED):
        return Meant(write(_of_all(mistake, said)), *said.span(), start=said.start(), stop=said.end())
    return None


def _of_all(mistake: Mistake, said: re.Match[str]) -> str:
    """Return what `forall_{?c : computer} [up(?c)]` is here."""
    kind = mistake.singular(said["kind"]) or said["kind"]
    asked = _ASKED_OF.sub(lambda each: f"{kind}.{each['fluent']}", said["said"].strip())
    asked = re.sub(r"~\s*", "not ", asked).replace("^", "and")
    quantified = {
        "forall": f"all {kind} where {asked}",
        "exists": f"any {kind} where {asked}",
        "count": f"count({kind} where {asked})",
    }
    truth = re.search(
        rf"\b{asked.rpartition('.')[2]}\s+(?:(?:true|false)\s+)?in\s+(?:true|false)\b", mistake.whole
    )
    if said["word"] == "sum" and (truth is not None or _RELATION.search(asked)):
        return quantified["count"]
    return quantified.get(said["word"], f"{said['word']}({asked} for {kind})")


def _joined(mistake: Mistake) -> Meant | None:
    """`agent on goal => step > 3`, `agent on goal ^ step > 3`: of conditions; a power is one of numbers."""
    if mistake.start not in CONDITIONS | {"effects"}:
        return None
    for sign in re.finditer(r"<=>|=>|\^", mistake.text):
        if not sign.start() <= mistake.begin <= sign.end():
            continue
        left = _BEFORE.search(mistake.text[: sign.start()])
        right = _BEHIND.match(mistake.text, sign.end())
        if left is None or right is None:
            return None
        one, other = left[1].strip(), right[1].strip()
        if re.match(r"on\s", one):  # what happens, under a condition
            return Meant(write("if"), *sign.span(), expected="`if`", start=sign.start(), stop=sign.end())
        if sign[0] == "=>" and re.fullmatch(r"[-+]?[\d.]+", other):
            return None  # the sign of a comparison, turned round
        if sign[0] == "^" and not (_RELATION.search(one) and _RELATION.search(other)):
            return None
        whole = re.fullmatch(r"[\w.]+|\([^()]*\)", one)
        parts = {"left": one, "right": other, "not_left": f"not {one}" if whole else f"not ({one})"}
        line = write(_JOINING[sign[0]].format(**parts))
        return Meant(line, *sign.span(), expected="`and` or `or`", start=left.start(1), stop=right.end(1))
    return None


def _negated(mistake: Mistake) -> Meant | None:
    """`~(agent on goal)`, `¬open`: `not`."""
    sign = re.compile(r"[~¬]\s*(?=[\w(])").match(mistake.text, mistake.begin)
    if sign is None or mistake.start not in CONDITIONS | {"effects"}:
        return None
    return Meant(Help("write `not`", ("not ",)), *sign.span(), start=sign.start(), stop=sign.end())


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (where_behind_relation, standing_here, two_values, value_returned, mover_in_a_rule)
