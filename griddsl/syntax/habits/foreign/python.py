"""Habits of Python: values that an `if` chooses, indices, draws from a list, loops with `all` and `while`."""

from __future__ import annotations

import re
from fractions import Fraction

from griddsl.diagnostics import write
from griddsl.syntax.habits.mistake import QUOTED, Habits, Meant, Mistake

_CHOSEN = re.compile(
    r"(?P<set>(?:[\w.]+\s*[-+]?=(?!=)|(?:hidden\s+)?reward)\s*)(?P<then>[^,:\n]+?)\s+else\s*:?\s*(?P<other>-?[\w.]+)"
)
_INDEXED = re.compile(r"\b(?P<kind>\w+)\[\s*(?P<y>[^\[\],]+?)\s*(?:\]\s*\[|,)\s*(?P<x>[^\[\],]+?)\s*\]")
_PAID = re.compile(
    r"rewards?\[\s*[\"']?(?P<who>\w+)[\"']?\s*\]\s*(?P<sign>[-+]?=)?\s*(?P<amount>[-+]?[\w.]+(?:\s*[-+*/]\s*[\w.]+)*)"
)
_CHOICE = re.compile(r"\b(?:np\.|numpy\.)?random\.choice\(\s*[\[(]?\s*(?P<values>[^()\[\]]+?)\s*[\])]?\s*\)")
_ALL = re.compile(r"(?:all|every)\s+(?P<kind>\w+)(?P<where>\s+where\s+[^:\n]+)?\s*:\s*")
_SHARED = re.compile(
    r"\b(?P<value>\w+)\s+with\s+(?:chance|probability|prob)\s+(?P<share>[\w.%/]+)\s*(?=\||\Z)"
)


def chosen_value(mistake: Mistake) -> Meant | None:
    """`if asleep: hp -= 7 else 2`: one of two values is chosen by `A if C else B`."""
    said = _CHOSEN.fullmatch(mistake.text.rstrip())
    if mistake.start != "effects" or mistake.found != "else" or said is None:
        return None
    line = f"{said['set']}{said['then']} if C else {said['other']}"
    return Meant(f"one of two values is chosen so, without a line of `if`: `{line}`")


def indexed(mistake: Mistake) -> Meant | None:
    """`patch[0][2].wet = true`, `if patch[y][x].wet`: the K at a cell; rows come first there, columns here."""
    for said in mistake.around(_INDEXED):
        if mistake.is_kind(said["kind"]):
            there = f"(the {said['kind']} at ({said['x']}, {said['y']}))"
            return Meant(
                write(there, ": the column comes first, then the row"), start=said.start(), stop=said.end()
            )
    return None


def paid_by_index(mistake: Mistake) -> Meant | None:
    """`reward[self] = 1`, `rewards["red"] += 1`: `to` says who is paid."""
    if mistake.start != "effects":
        return None
    start, stop = mistake.item_start(), mistake.item_end()
    said = _PAID.fullmatch(mistake.text[start:stop])
    if said is None:
        return None
    amount = f"-{said['amount']}" if said["sign"] == "-=" else said["amount"]
    several = re.search(r"^agents\s*:", mistake.whole, re.MULTILINE) is not None
    return Meant(
        write(f"reward {amount} to {said['who']}" if several else f"reward {amount}"), start=start, stop=stop
    )


def choice_of_a_list(mistake: Mistake) -> Meant | None:
    """`choose o in random.choice(a, b)`: one of several values stands between bars."""
    for said in mistake.around(_CHOICE):
        values = [value.strip().strip("'\"") for value in said["values"].split(",")]
        if len(values) > 1 and all(re.fullmatch(r"-?[\w.]+", value) for value in values):
            return Meant(write(" | ".join(values)), start=said.start(), stop=said.end())
    return None


def loop_over_all(mistake: Mistake) -> Meant | None:
    """`all card where C: card.state = down`: `each` goes through them, `all` asks."""
    said = _ALL.match(mistake.text)
    if mistake.start != "effects" or said is None or not mistake.is_kind(said["kind"]):
        return None
    if mistake.begin > said.end() or re.search(QUOTED, said[0]):
        return None
    head = f"each {said['kind']}{said['where'] or ''}:"
    return Meant(write(head), start=0, stop=len(said[0].rstrip()))


def share_with_chance(mistake: Mistake) -> Meant | None:
    """`choose o in left with chance 0.3 | right`: what is drawn has its share right behind it."""
    if not re.search(r"\bchoose\b|\bin\b|=", mistake.text[: mistake.begin]) or "|" not in mistake.text:
        return None
    for said in mistake.around(_SHARED):
        start = mistake.text.rfind(" in ", 0, said.start()) + len(" in ")
        parts = [part.strip() for part in mistake.text[start : mistake.item_end()].split("|")]
        if (
            len(parts) == 2
            and re.fullmatch(r"0?\.\d+", said["share"])
            and sum(" " in part for part in parts) == 1
        ):
            other = next(part for part in parts if " " not in part)
            left = Fraction(1) - Fraction(said["share"])
            both = " | ".join(
                f"{other} {float(left):g}" if part == other else f"{said['value']} {said['share']}"
                for part in parts
            )
            return Meant(write(both), start=start, stop=mistake.item_end())
        line = ": its share of them all stands right behind a value"
        return Meant(write(f"{said['value']} {said['share']} ", line), start=said.start(), stop=said.end())
    return None


def chance_in_brackets(mistake: Mistake) -> Meant | None:
    """`if a and (b or c with chance 0.5):` a chance belongs to the whole, behind all that is asked."""
    if mistake.found != "with" or not {"RPAR"} <= mistake.expected:
        return None
    if re.match(r"with\s+chance\b", mistake.rest) is None:
        return None
    return Meant(
        "a chance stands once, at the end of what is asked, and holds for all of it: `if C with chance 0.5:`"
    )


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (
    chosen_value,
    paid_by_index,
    indexed,
    choice_of_a_list,
    loop_over_all,
    share_with_chance,
    chance_in_brackets,
)
