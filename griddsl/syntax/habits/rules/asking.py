"""Conditions of other languages: who meets whom, `no` before a definition, a filter by `if`, what is drawn in a sum."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import CONDITIONS, Habits, Meant, Mistake


def met(mistake: Mistake) -> Meant | None:
    """`if wolf meets sheep:`: what holds for a while is asked by where they are."""
    said = re.match(r"(?:meets?|catch(?:es)?|reach(?:es)?|hits?)\s+(?:the\s+|an?\s+)?(\w+)", mistake.rest)
    who = re.search(r"\b(\w+)\s*\Z", mistake.before)
    if mistake.start not in CONDITIONS - {"rule"} or said is None or who is None:
        return None
    help = write(f"{who[1]} on {said[1]}", ": they are in one cell")
    return Meant(help, start=who.start(1), stop=mistake.begin + said.end())


def no_definition(mistake: Mistake) -> Meant | None:
    """`if no track(self.facing)`: `no` stands before a kind, `not` before a condition that has a name."""
    for said in re.finditer(r"\b(no)\s+([A-Za-z_]\w*)\s*\(", mistake.text[: mistake.begin]):
        if re.search(rf"^define\s+{said[2]}\b", mistake.whole, re.MULTILINE):
            return Meant(write("not"), *said.span(1), expected="`not`", start=said.start(1), stop=said.end(1))
    return None


def filtered(mistake: Mistake) -> Meant | None:
    """`count(chip if C)`: which of them count is said behind `where`."""
    until = mistake.end if mistake.found == "if" else mistake.begin
    said = re.search(r"\bcount\s*\(\s*\w+\s+(if)\b[^()]*\Z", mistake.text[:until])
    if said is None:
        return None
    return Meant(write("where"), *said.span(1), expected="`where`", start=said.start(1), stop=said.end(1))


def drawn_in_a_sum(mistake: Mistake) -> Meant | None:
    """`n = m + random 1..2`: what is drawn has a name first."""
    said = re.search(r"([-+*/])\s*random\s*\Z", mistake.before)
    drawn = re.match(r"[\w.()+*-]+?\.\.[\w.()]+", mistake.rest)
    if mistake.start != "effects" or said is None or drawn is None:
        return None
    name = next((each for each in ("n", "drawn") if not mistake.gives(each)), "NAME")
    line = f"what is drawn is chosen first, in a line before, `choose {name} in {drawn[0]}`"
    return Meant(f"{line}, and reckoned with: `{said[1]} {name}`")


def random_below(mistake: Mistake) -> Meant | None:
    """`if random 100 < 30`, `if random-float 1 < 0.3`: a chance stands behind the condition."""
    rolled = re.search(r"\brandom\s*\(\s*1\s*(?:\.\.|,)\s*(\d+)\s*\)\s*==\s*\d+", mistake.text)
    if mistake.start in CONDITIONS and rolled is not None and rolled.start() <= mistake.begin <= rolled.end():
        return Meant(
            f"a chance stands behind the conditions: `if C with chance 1/{rolled[1]}`", *rolled.span()
        )
    said = re.search(r"\brandom(?:-float)?\s+([\d.]+)\s*<=?\s*([\d.]+)", mistake.text)
    if mistake.start not in CONDITIONS or said is None or not said.start() <= mistake.begin <= said.end():
        return None
    whole, part = said[1].rstrip("."), said[2].rstrip(".")
    chance = part if whole == "1" else f"{part}/{whole}"
    return Meant(f"a chance stands behind the conditions: `if C with chance {chance}`", *said.span())


def near(mistake: Mistake) -> Meant | None:
    """`any wolf in-radius 2`: how near something is."""
    said = re.compile(r"in-radius\s+([\w.]+)").search(mistake.text)
    if said is None or mistake.start not in CONDITIONS:
        return None
    return Meant(
        f"how near they are is asked by `within {said[1]} of K`", *said.span(), expected="a relation"
    )


def chance_in_the_middle(mistake: Mistake) -> Meant | None:
    """`if C chance 0.1`, `if C and with chance 0.1`: `with chance` stands behind, joined by nothing."""
    if mistake.found != "chance" or mistake.start not in CONDITIONS:
        return None
    joined = re.search(r"\s(and\s+with|and|with)\s*\Z", mistake.before)
    start = mistake.begin if joined is None else joined.start(1)
    return Meant(
        write("with chance"), expected="`with chance`", start=start, stop=mistake.begin + len("chance")
    )


def chance_of(mistake: Mistake) -> Meant | None:
    """`with chance of 50%`, `with a chance of 1/3`, `with 50% chance`: the chance stands behind its word."""
    at = re.compile(
        r"\b(?:an?\s+)?(?:chance\s+of\s+(?P<of>[\w.]+(?:%|/\w+)?)|(?P<first>[\d.]+(?:%|/\d+)?)\s+chance\b)"
    )
    said = next(mistake.around(at), None)
    if said is None or not re.search(r"\bwith\s*\Z", mistake.text[: said.start()]):
        return None
    begin, end = said.span()
    help = write(f"chance {said['of'] or said['first']}")
    return Meant(help, begin, end, expected="`chance` and how often", start=begin, stop=end)


def comma_before_if(mistake: Mistake) -> Meant | None:
    """`each sheep, if C: ...`: no comma stands in a head."""
    if mistake.start != "rule" or mistake.found != "," or not re.match(r",\s*(if|with)\b", mistake.rest):
        return None
    return Meant(Help("leave `,` out", ("",)), start=len(mistake.before), stop=mistake.begin + 1)


def on_a_condition(mistake: Mistake) -> Meant | None:
    """`on agent at goal`, `on no sheep left`: what holds for a while stands behind `when`."""
    said = re.match(r"(on)\s+(?:\w+\s+(?:at|within|has)\b|no\s+\w+\s+left\b)", mistake.text)
    if mistake.start != "rule" or said is None or mistake.begin > said.end():
        return None
    return Meant(write("when"), *said.span(1), expected="a condition", start=said.start(1), stop=said.end(1))


_ABLE = re.compile(
    r"(?P<who>\b(?:(?:all|any|no|other)\s+)?(?!(?:when|if|and|or|not|where|until|xor|is|are)\b)[A-Za-z_]\w*[ \t.]+)??"
    r"\b(?P<no>cannot|can't|can\s*not|(?:could|may|might)\s*not|couldn't|(?:is|are)\s+(?:not\s+able|unable)\s+to|"
    r"can|could|may|(?:is|are)?\s*able\s+to)"
    r"(?:\s+(?:still|ever|now|do|go|move|take|choose|perform|act))?\s*(?:\(\s*)?(?P<action>[A-Za-z_]\w*)\b(?:\s*\))?"
)


def able(mistake: Mistake) -> Meant | None:
    """`ann cannot right`, `can go right`, `is able to jump`, `can(right)`: whose it is stands before `can ACTION`."""
    if mistake.start not in CONDITIONS:
        return None
    for said in mistake.around(_ABLE):
        if not mistake.is_action(said["action"]):
            continue
        negated = re.search(r"n.?t\b|\bunable\b", said["no"]) is not None
        who = (said["who"] or "").strip(" \t.")
        can = f"{'not ' if negated else ''}{who + ' ' if who else ''}can {said['action']}"
        if can != said[0]:
            return Meant(write(can), start=said.start(), stop=said.end())
    return None


HABITS: Habits = (
    *(able, met, no_definition, filtered, drawn_in_a_sum, random_below, near),
    *(chance_in_the_middle, chance_of, comma_before_if, on_a_condition),
)
