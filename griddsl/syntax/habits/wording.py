"""Habits in the forms that speak of several things: counts, loops, planes and creatures in other words."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import Habits, Meant, Mistake

_CHASING = {"follows", "follow", "chases", "chase", "hunts", "hunt", "seeks", "seek", "tracks", "approaches"}
_FLEEING = {"flees", "flee", "avoids", "evades", "escapes"}


def there_are(mistake: Mistake) -> Meant | None:
    """`there are no coins left`, `there is a coin`: what there is, is asked of a kind alone."""
    said = re.compile(
        r"\bthere\s+(?:is|are|exists?)\s+(?:(no|not|an?|any|some|\d+)\s+)?(?:more\s+)?(\w+)(?:\s+left)?"
    )
    for match in mistake.around(said):
        kind = mistake.singular(match[2])
        if kind is not None:
            counted = f"== {match[1]}" if (match[1] or "").isdigit() else "> 0"
            asked = f"no {kind} left" if match[1] in {"no", "not"} else f"count({kind}) {counted}"
            return Meant(write(asked), start=match.start(), stop=match.end())
    return None


def all_are(mistake: Mistake) -> Meant | None:
    """`all boxes are on goals`, `every box is on a goal`: kinds are named in the singular, and `are` is left out."""
    said = re.compile(
        r"\b(?:all|every|each)\s+(?:the\s+)?(\w+)\s+(?:are|is)\s+(on|at|in)\s+(?:the\s+|an?\s+)?(\w+)"
    )
    for match in mistake.around(said):
        kind = mistake.singular(match[1])
        if kind is not None:
            where = mistake.singular(match[3]) or match[3]
            return Meant(write(f"all {kind} {match[2]} {where}"), start=match.start(), stop=match.end())
    return None


_NOT_MOVED = r"(?:did|does|has)\s+not\s+moved?|(?:did|does|has)n't\s+moved?|not\s+moved"
_STAYS = rf"(?:{_NOT_MOVED}|stays|stayed|stands\s+still)"


def moved_or_not(mistake: Mistake) -> Meant | None:
    """`when agent moved`, `when agent did not move`: where it was before the step is asked by `prev`."""
    said = re.compile(rf"\b(agent|\w+)\s+(?:({_STAYS})|(?:has\s+)?moved)\b")
    for match in mistake.around(said):
        who = match[1]
        if who == "agent" or mistake.is_kind(who):
            sign, join = ("==", "and") if match[2] else ("!=", "or")
            line = write(f"prev({who}.x) {sign} {who}.x {join} prev({who}.y) {sign} {who}.y")
            return Meant(line, start=match.start(), stop=match.end())
    return None


def distance_without_brackets(mistake: Mistake) -> Meant | None:
    """`distance agent coin < 2`: what a function is given stands in brackets."""
    said = re.compile(
        r"\b(distance|path_distance)\s+(?:(?:between|of|from)\s+)?(\w+)\s+(?:and\s+|to\s+)?(\w+)"
    )
    for match in mistake.around(said):
        known = all(
            each == "agent" or mistake.is_kind(each) or mistake.is_thing(each) for each in match.group(2, 3)
        )
        if known:
            line = write(f"{match[1]}({match[2]}, {match[3]})")
            return Meant(line, start=match.start(), stop=match.end())
    return None


def counted(mistake: Mistake) -> Meant | None:
    """`count coin`, `sum coin.value`: what is counted stands in brackets."""
    said = re.search(r"\b(count|sum)\Z", mistake.before)
    asked = re.match(r"(?:all\s+|the\s+)?(\w+)(?:\.(\w+))?", mistake.rest)
    if said is None or asked is None or asked[1] in {"of", "on", "if", "when", "for", "in"}:
        return None
    if re.match(r"\s+(?:on|at|in|has|within|sees|ahead)\b", mistake.rest[asked.end() :]):
        return None
    kind, number = asked[1], asked[2]
    if said[1] == "count" and re.match(r"\s+where\b", mistake.rest[asked.end() :]):
        return Meant(f"brackets hold all that is counted: `count({kind} where C)`", said.start(), mistake.end)
    if said[1] == "sum" and number is None:
        return None
    inner = kind if said[1] == "count" else f"{kind}.{number} for {kind}"
    end = mistake.begin + asked.end()
    return Meant(write(f"{said[1]}({inner})"), said.start(), end, start=said.start(), stop=end)


def count_behind(mistake: Mistake) -> Meant | None:
    """`coin count == 0`, `number of coin`: what is counted stands in brackets behind `count`."""
    for said in mistake.around(re.compile(r"\b(\w+)\s+(?:count|amount|number)\b(?!\s*\()")):
        kind = mistake.singular(said[1])
        if kind is not None:
            help = write(f"count({kind})")
            return Meant(help, *said.span(), f"`{said[0]}`", "a number", start=said.start(), stop=said.end())
    return None


def summed_over_each(mistake: Mistake) -> Meant | None:
    """`sum(coin.value for each coin)`."""
    said = re.search(r"\bfor\s+((?:each|every|all|any)\s+)\Z", mistake.text[: mistake.begin])
    if said is None or not re.match(r"[A-Za-z_]", mistake.found):
        return None
    word = said[1].strip()
    help = Help(f"`for` goes through all of them: leave `{word}` out", ("",))
    return Meant(help, said.start(1), mistake.begin, found=f"`{word}`", expected="a kind", start=said.start(1),
                 stop=mistake.begin)  # fmt: skip


def asked_of_several(mistake: Mistake) -> Meant | None:
    """`any coin with value > 2`, `any coin has value > 2`, `any coin whose value > 2`: a condition behind `where`."""
    said = re.search(r"\b(any|all|no)\s+(\w+)\s+(?:with|has|whose|having)(?:\s+(\w+))?\Z", mistake.before)
    if said is None:
        return None
    name = said[3] or mistake.found
    if not mistake.is_word_of(name, said[2]):
        return None
    end = len(mistake.before) if said[3] else mistake.end
    line = write(f"{said[1]} {said[2]} where {said[2]}.{name}")
    return Meant(line, said.start(), end, found=f"`{mistake.text[said.start() : end][:40]}`",
                 expected="a condition behind `where`", start=said.start(), stop=end)  # fmt: skip


def bare_planes(mistake: Mistake) -> Meant | None:
    """`grid as planes agent, coin`: the planes stand in brackets."""
    said = re.search(r"\bas\s+(planes|codes)\Z", mistake.before)
    if said is None or not re.match(r"[A-Za-z_]", mistake.found):
        return None
    numbers = " 1, ..." if said[1] == "codes" else ", ..."
    return Meant(f"what is shown stands in brackets: `{said[1]} ({mistake.found}{numbers})`")


def chasing(mistake: Mistake) -> Meant | None:
    """`object dog: follows agent`, `flees from agent`."""
    if mistake.start != "properties":
        return None
    start = mistake.item_start()
    said = re.compile(r"(\w+)\s+(?:(?:after|from|the)\s+)*(\w+)").match(mistake.text, start)
    if said is None or said[1] not in _CHASING | _FLEEING:
        return None
    way = "toward" if said[1] in _CHASING else "away from"
    line = write(f"moves {way} {said[2]}")
    return Meant(
        line, start, said.end(), found=f"`{said[0]}`", expected="a property", start=start, stop=said.end()
    )


def range_in_words(mistake: Mistake) -> Meant | None:
    """`choose n in 1 to 5`, `each i from 1 to 3`."""
    behind = re.search(r"(?:\b(?:in|random)\s+)(-?\w+)\Z", mistake.before)
    end = re.match(r"(?:to|until|through|-|,)\s*(-?\w+)", mistake.rest)
    if behind is not None and end is not None and mistake.found in {"to", "until", "through"}:
        stop = mistake.begin + end.end()
        line = write(f"{behind[1]}..{end[1]}", ": both ends count", None)
        return Meant(line, behind.start(1), stop, expected="a range", start=behind.start(1), stop=stop)
    said = re.match(r"from\s+(-?\w+)\s+(?:to|until|through)\s+(-?\w+)", mistake.rest)
    if mistake.start == "each_head" and said is not None:
        stop = mistake.begin + said.end()
        return Meant(
            write(f"in {said[1]}..{said[2]}", ": both ends count", None), mistake.begin, stop, stop=stop
        )
    return None


def clipped(mistake: Mistake) -> Meant | None:
    """`rewards: clip 0, 1`, `rewards: clip(-1, 1)`, `clip 0 1`: a range."""
    said = re.search(r"\bclip\s*\(?\s*(-?[\d.]+)\s*(?:,|to|and|\s)\s*([+-]?[\d.]+)\s*\)?", mistake.text)
    one = re.search(r"\bclip\s*\(?\s*([\d.]+)\s*\)?\s*\Z", mistake.text)
    if mistake.start == "rewards" and said is None and one is not None:
        return Meant(write(f"clip -{one[1]}..{one[1]}"), one.start(), one.end(), found=f"`{one[0].strip()}`",
                     expected="a range behind `clip`", start=one.start(), stop=one.end())  # fmt: skip
    if mistake.start != "rewards" or said is None:
        return None
    line = write(f"clip {said[1]}..{said[2]}")
    return Meant(line, said.start(), said.end(), found=f"`{said[0].strip()}`", expected="a range behind `clip`",
                 start=said.start(), stop=said.end())  # fmt: skip


def scaled(mistake: Mistake) -> Meant | None:
    """`rewards: scale by 0.1`, `scale(0.1)`, `scale = 0.1`, `scale * 0.1`: what they are multiplied by."""
    said = re.search(r"\bscale\s*(?:by|to|=|\*|\()\s*([\d./]+)\s*\)?", mistake.text)
    if mistake.start != "rewards" or said is None:
        return None
    return Meant(write(f"scale {said[1]}"), start=said.start(), stop=said.end())


def compared_comparisons(mistake: Mistake) -> Meant | None:
    """`a > 1 == b > 1`: whether two comparisons come out alike asks for brackets."""
    sides = r"[\w.]+(?:\([^()]*\))?\s*(?:<=?|>=?)\s*[\w.]+(?:\([^()]*\))?"
    left, right = re.search(rf"{sides}\Z", mistake.before), re.match(rf"(==|!=)\s*({sides})", mistake.rest)
    if left is None or right is None:
        return None
    line = f"({left[0]}) {right[1]} ({right[2]})"
    return Meant(write(line), start=left.start(), stop=mistake.begin + right.end())


def compared_conditions(mistake: Mistake) -> Meant | None:
    """`agent has key != agent has ball`: two conditions are compared in brackets."""
    if mistake.found not in {"==", "!=", "is"} or not re.search(
        r"\b(has|on|at|of|ahead|left)\b", mistake.before
    ):
        return None
    return Meant(f"conditions are compared in brackets, as in `(agent has key) {mistake.found} (step > 3)`")


def repeated_until(mistake: Mistake) -> Meant | None:
    """`repeat until C:`, `retry unless C:`, `retry 9 if C`: it is said how often at most, and until when."""
    asked = re.match(r"(repeat|retry)\s+(\d+\s+)?(unless|if|while|when)\s+(not\s+)?(.+)", mistake.text)
    is_counted_while = (
        asked is not None and asked[2] is not None and asked[3] == "while"
    )  # another habit tells of it
    if asked is not None and asked[1] == "repeat" and asked[3] == "if" and " else " in asked[5]:
        start, stop = asked.start(2), len(mistake.text.rstrip())
        help = write(f"({mistake.text[start:stop]})", ": a number that is chosen stands in brackets")
        return Meant(help, *asked.span(3), expected="`until`", start=start, stop=stop)
    if asked is not None and mistake.start in {"retry_head", "repeat_head"} and not is_counted_while:
        until = f"{asked[4] or ''}{asked[5].strip()}"
        if asked[3] != "unless":
            is_undone = asked[4] is not None and not re.search(r"\b(?:and|or)\b", until)
            until = asked[5].strip() if is_undone else f"not ({until})"
        head = f"{asked[1]} {(asked[2] or '100').strip()} until {until}"
        return Meant(
            write(head), *asked.span(3), expected="`until`", start=0, stop=len(mistake.text.rstrip())
        )
    said = re.match(r"(repeat|retry)\s+until\b", mistake.text)
    if said is None or mistake.begin < said.end():
        return None
    line = Help(f"it has a bound: `{said[1]} 100 until ...`", (f"{said[1]} 100 until",))
    return Meant(
        line, 0, said.end(), found=f"`{said[0]}`", expected="how often at most", start=0, stop=said.end()
    )


def handled_nothing(mistake: Mistake) -> Meant | None:
    """`each coin: remove`: what is removed is named."""
    said = re.search(r"\b(remove|pickup|drop)\Z", mistake.before)
    if mistake.start != "effects" or said is None or mistake.found not in {"", ","}:
        return None
    return Meant(
        f"say what: `{said[1]} K`", said.start(), said.end(), found=f"`{said[1]}` alone", expected="a thing"
    )


def least_by(mistake: Mistake) -> Meant | None:
    """`the least coin by value`, `the coin with the least value`: which number, behind `with least`."""
    for said in re.finditer(r"\bthe\s+(least|most)\s+(\w+)\s+by\s+(?:\w+\.)?(\w+)", mistake.text):
        if said.start() <= mistake.end and mistake.begin <= said.end():
            line = write(f"the {said[2]} with {said[1]} {said[2]}.{said[3]}")
            return Meant(line, said.start(), said.end(), start=said.start(), stop=said.end())
    said_twice = re.search(r"\bthe\s+(\w+)\s+with\s+(the\s+)\Z", mistake.text[: mistake.end] + " ")
    if said_twice is not None and re.match(
        r"the\s+(least|most|highest|lowest|largest|smallest)\b", mistake.rest
    ):
        help = Help("leave the second `the` out", ("",))
        stop = mistake.begin + len("the ")
        return Meant(help, mistake.begin, mistake.end, start=mistake.begin, stop=stop)
    return None


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (
    there_are,
    all_are,
    moved_or_not,
    distance_without_brackets,
    counted,
    count_behind,
    summed_over_each,
    asked_of_several,
    bare_planes,
    chasing,
    range_in_words,
    clipped,
    scaled,
    repeated_until,
    handled_nothing,
    least_by,
)
