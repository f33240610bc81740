"""Habits in loops and in what is said of several: how other languages write them, and what is most likely meant."""

from __future__ import annotations

import re

from griddsl.diagnostics import write
from griddsl.syntax.habits.mistake import CONDITIONS, Habits, Meant, Mistake


def condition_of_each(mistake: Mistake) -> Meant | None:
    """`each crate if C:`, `each crate when C:`, `each crate with weight > 2:` in a block."""
    if mistake.start != "each_head":
        return None
    said = re.search(r"\bwith\Z", mistake.before)
    if said is not None and "CHANCE" in mistake.expected and mistake.found:
        return Meant(write("where"), *said.span(), expected="`where`", start=said.start(), stop=said.end())
    return (
        Meant(write("where")) if mistake.found in {"if", "when", "while", "with", "which", "that"} else None
    )


def second_where(mistake: Mistake) -> Meant | None:
    """`each tree where C where C2:`: one `where` says all, joined by `and`."""
    said = re.match(r"[^()]*\bwhere\b[^()]*\b(if)\b[^()]*\Z", mistake.text)
    if mistake.start == "each_head" and not mistake.found and "ELSE" in mistake.expected and said is not None:
        start, stop = said.span(1)
        return Meant(
            write("and", ": one `where` says it all"), start, stop, expected="`and`", start=start, stop=stop
        )
    if mistake.start != "each_head" or mistake.found not in {"where", "if", "when"}:
        return None
    if re.search(r"\bwhere\b", mistake.before) is None or re.search(r"\b(?:by|with)\b", mistake.before):
        return None
    return Meant(write("and", ": one `where` says it all"))


def condition_in_brackets(mistake: Mistake) -> Meant | None:
    """`each (coin where C):`, `count((coin where C))`: brackets hold several kinds, and no condition."""
    said = re.match(
        r"each\s+(\()\s*(\w+(?:\([^()]*\))?)\s+(?:where|if|with)\s+((?:[^()]|\([^()]*\))+)\)", mistake.text
    )
    if mistake.start not in {"rule", "each_head"} or said is None or mistake.begin >= said.end(3):
        return None
    word = "if" if mistake.start == "rule" else "where"
    help = write(f"each {said[2]} {word} {said[3].strip()}", ": the condition stands in no brackets")
    return Meant(help, start=0, stop=said.end())


def relation_of_each(mistake: Mistake) -> Meant | None:
    """`each coin within 2 of agent:`: which of them are gone through is a condition."""
    said = re.match(r"(?:each\s+)?(\w+)(?:\([^()]*\))?\Z", mistake.before)
    if said is None or mistake.found not in {"within", "on", "at", "has", "ahead", "sees", "is"}:
        return None
    if mistake.start == "each_head":
        return Meant(write(f"where {said[1]} {mistake.found}"))
    if mistake.start == "rule" and mistake.before.startswith("each"):
        return Meant(write(f"if {said[1]} {mistake.found}"))
    return None


def relation_behind_where(mistake: Mistake) -> Meant | None:
    """`any dog where sees agent`, `each coin where at agent:`: who does so is named, or there is no `where`."""
    at = re.compile(
        r"(?:\b(any|all|no)\s+)?\b(\w+)\s+(where)\s+(not\s+)?(sees|at|on|has|within|is)\b(?!\s*[.(=<>])"
    )
    near = (found for found in at.finditer(mistake.text) if found.end() >= mistake.begin - 1)
    said = next(near, None)
    if said is None or mistake.start not in CONDITIONS | {"each_head"} or not said.start(5) <= mistake.begin:
        return None
    if mistake.text[said.end() : mistake.begin].strip():
        return None
    quantifier, kind, _, negated, relation = said.groups()
    if not mistake.is_kind(kind):
        return None
    behind = re.search(r"\b(and|or|xor)\b", mistake.text[said.end() :])
    if quantifier and not negated and behind is None:
        whole = re.fullmatch(r"(?:\s+[\w.]+)+\s*", mistake.text[said.end() :])  # shown as it is to be written
        rest = whole[0].rstrip() if whole is not None else ""
        help = write(f"{quantifier} {kind} {relation}{rest}", "" if rest else " ...: no `where` stands there")
        return Meant(
            help, *said.span(3), expected=f"`{relation}`", start=said.start(), stop=said.end() + len(rest)
        )
    help = write(f"{negated or ''}{kind} {relation}", f" ...: behind `where` it is said which {kind}")
    begin = said.start(4) if negated else said.start(5)
    return Meant(help, *said.span(5), expected="a condition", start=begin, stop=said.end())


def endless_range(mistake: Mistake) -> Meant | None:
    """`mark(spot in 0..)`, `choose n in ..3`: a range has both ends."""
    help = "a range has both ends, which both count: `0..3`"
    if mistake.before.endswith("..") and mistake.found in {"", ")", ",", ":", "where"}:
        return Meant(help, expected="the end of the range")
    if mistake.found == ".." and re.search(r"\b(in|random)\Z|[(,|]\Z", mistake.before):
        return Meant(help, expected="the beginning of the range")
    return None


def listed_values(mistake: Mistake) -> Meant | None:
    """`each i in 0, 5:`: values are joined by `|`, and a range has two points."""
    said = re.fullmatch(r"(?:each\s+)?\w+\s+in\s+(-?\d+(?:\s*,\s*-?\d+)+)\s*", mistake.text)
    if mistake.start != "each_head" or mistake.found != "," or said is None:
        return None
    values = re.findall(r"-?\d+", said[1])
    between = f"; `{values[0]}..{values[1]}` is all between, both ends too" if len(values) == 2 else ""
    help = write(" | ".join(values), f": values are joined by `|`{between}")
    return Meant(help, expected="`|`", start=said.start(1), stop=said.end(1))


def retry_without_end(mistake: Mistake) -> Meant | None:
    """`retry 10:`: it is tried again until a condition holds."""
    if mistake.start != "retry_head" or mistake.found or "UNTIL" not in mistake.expected:
        return None
    return Meant(
        "say what has to hold, so that it is not tried again: `retry 10 until solvable`", expected="`until`"
    )


def cells_of_each(mistake: Mistake) -> Meant | None:
    """`each cell where C: ...`, `each coin where C: ...` as a rule: cells are gone through in a block."""
    said = re.match(r"each\s+(\w+)\s+where\b", mistake.text)
    if mistake.start != "rule" or mistake.found != "where" or said is None:
        return None
    if said[1] == "cell":
        return Meant(
            "a rule goes through things; cells are gone through in a block: `each step:`, and below it this line"
        )
    return Meant(write("if"))


def values_of_each(mistake: Mistake) -> Meant | None:
    """`each d in directions: ...`, `each i in 1..3 if C: ...` as a rule: values are gone through in a block."""
    if mistake.start != "rule" or mistake.found != "in" or not re.fullmatch(r"each\s+\w+", mistake.before):
        return None
    asked = ", with `where` for its `if`" if re.search(r"\bif\b", mistake.rest) else ""
    line = (
        "a rule goes through things; values are gone through in a block: `each step:`, and below it this line"
    )
    return Meant(f"{line}{asked}")


def rule_in_an_order(mistake: Mistake) -> Meant | None:
    """`each alien by x: ...` as a rule: an order stands in a block."""
    if mistake.start != "rule" or re.match(r"each\s+\w+", mistake.text) is None:
        return None
    if mistake.found not in {"by", "where"} or re.search(r"\bby\b", mistake.rest) is None:
        return None
    return Meant(f"an order stands in a block: `each step:`, and below it `{mistake.text.rstrip(' :')}: ...`")


def order_of_each(mistake: Mistake) -> Meant | None:
    """`each crate by y descending`, `each crate sorted by y`."""
    if mistake.start != "each_head":
        return None
    if mistake.found in {"descending", "desc", "backwards", "reversed", "decreasing"}:
        return Meant(write("down"))
    if mistake.found in {"sorted", "ordered"}:
        by = re.match(r"\w+\s+by\b", mistake.rest)
        stop = mistake.begin + by.end() if by is not None else None
        return Meant(write("by"), start=mistake.begin, stop=stop) if stop is not None else None
    return None


def listed_of_each(mistake: Mistake) -> Meant | None:
    """`each box, gem: ...`, `each k in key, ball: ...`: several kinds or values of one loop."""
    said = re.fullmatch(r"(?:each\s+)?(\w+\s+in\s+)?(\w+(?:\s*,\s*\w+)*)\s*", mistake.before)
    rest = re.match(r"(?:\s*,\s*\w+)+(?=\s*(?:\Z|\b(?:if|where|by|with)\b))", mistake.rest)
    is_loop = mistake.start == "each_head" or (mistake.start == "rule" and mistake.text.startswith("each"))
    if not is_loop or mistake.found != "," or said is None or rest is None:
        return None
    names = re.findall(r"\w+", said[2] + rest[0])
    listed = " | ".join(names) if said[1] else f"({' or '.join(names)})"
    return Meant(write(listed), start=said.start(2), stop=mistake.begin + rest.end())


def nothing_asked(mistake: Mistake) -> Meant | None:
    """`any i in 0..3`, `no d in directions`: nothing is said of the values."""
    if mistake.start not in CONDITIONS or "WHERE" not in mistake.expected:
        return None
    said = re.search(r"\b(all|any|no)\s+(\w+)\s+in\s+[^,()]*\Z", mistake.before)
    if said is None:
        return None
    line = f"what has to hold follows: `{said[0].strip()} where {said[2]} ...`"
    return Meant(line, said.start(), len(mistake.before), expected="a condition behind `where`")


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (
    second_where,
    condition_of_each,
    relation_of_each,
    values_of_each,
    rule_in_an_order,
    cells_of_each,
    order_of_each,
    nothing_asked,
    listed_of_each,
)
