"""Habits in `moves`: how far, how often, and by which distance a creature goes, in other words."""

from __future__ import annotations

import re

from griddsl.compass import ARROWS
from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import Habits, Meant, Mistake, blanks
from griddsl.syntax.keywords import METRICS, POLICIES

_BY = {"using", "via", "along", "with", "on", "through", "in", "following"}
_MOVERS = {
    **dict.fromkeys(("towards", "chase", "chases", "follow", "follows", "hunt", "hunts", "to"), "toward"),
    **dict.fromkeys(("flee", "flees", "away", "avoid", "avoids", "evade", "evades", "from"), "away from"),
}
_PATH = {"path", "shortest", "the", "bfs", "walking", "paths", "astar"}


def moving(mistake: Mistake) -> Meant | None:
    """`moves forward 2 cells`, `moves toward nearest agent`, `moves toward agent via path`, `every 2`."""
    if mistake.start != "properties" or not re.search(r"\bmoves\b", mistake.text[: mistake.begin]):
        return None
    return (
        _set(mistake)
        or _paced(mistake)
        or _ahead(mistake)
        or _cells(mistake)
        or _nearest(mistake)
        or _metric(mistake)
        or _often(mistake)
        or _otherwise(mistake)
    )


def in_brackets(mistake: Mistake) -> Meant | None:
    """`moves (away from agent) if C else (random)`: a way to move stands without brackets."""
    begin = mistake.begin
    if mistake.start != "properties" or mistake.found != "(":
        return None
    if not re.search(r"\bmoves\s[^,\n]*\Z", mistake.before + " "):
        return None
    said = re.match(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)", mistake.text[begin:])
    if said is None or not re.match(rf"\s*(?:{'|'.join(POLICIES)})\b", said[1]):
        return None
    stop = begin + said.end()
    return Meant(write(said[1].strip()), begin, stop, expected="a mover", start=begin, stop=stop)


def apart(mistake: Mistake) -> Meant | None:
    """`moves random, avoiding wall`: how one moves is one property, without commas in it."""
    if mistake.start != "properties":
        return None
    said = re.search(
        r"\b(moves\s[^,\n]+?)(\s*,\s*)((?:avoiding|every|with\s+chance|by)\b[^,\n]*)", mistake.text
    )
    if said is None or not said.start(3) <= mistake.begin <= said.end(3):
        return None
    return Meant(
        write(f"{said[1]} {said[3].rstrip()}", ": how one moves is one property, without a comma"),
        *said.span(3),
        expected="a property",
        start=said.start(1),
        stop=said.start(1) + len(said[0].rstrip()),
    )


def going(mistake: Mistake) -> Meant | None:
    """`moves to agent`, `moves chase the coin with most coin.value`, `moves from agent`: other words for both ways."""
    said = re.search(r"\bmoves?\s+(\w+)\Z", mistake.before)
    if mistake.start != "properties" or said is None or said[1] not in _MOVERS:
        return None
    if not re.match(r"\w|\(", mistake.found):
        return None
    stop = len(mistake.before)
    if said[1] == "away" and mistake.found == "from":
        return None
    return Meant(
        write(f"moves {_MOVERS[said[1]]}"), *said.span(1), expected="a mover", start=said.start(), stop=stop
    )


def of_several(mistake: Mistake) -> Meant | None:
    """`moves toward (ball or shelf)`, `position of (ball or shelf)`: one kind is named."""
    listed = r"\b(toward|away\s+from|position\s+of)\s+(\(\s*\w+(?:\s+or\s+\w+)+\s*\))"
    said = re.search(listed, mistake.text)
    if said is None or mistake.start not in {"properties", "observations"}:
        return None
    if not said.start(2) <= mistake.begin <= said.end():
        return None
    kinds, word = re.findall(r"\w+", said[2])[::2], " ".join(said[1].split())
    help = f"an entry for each: `position of {kinds[0]}` and `position of {kinds[1]}`"
    if word != "position of":
        help = f"a condition chooses among several: `{word} {kinds[0]} if count({kinds[0]}) > 0 else {word} {kinds[1]}`"
    return Meant(help, *said.span(2), found=f"`{said[2]}`", expected="one kind")


_TO_A_CELL = re.compile(r"\b(toward|away\s+from|to)\s+(?:(\w+)\s+at\s+)?(\([^()]+,[^()]+\))")


def toward_a_cell(mistake: Mistake) -> Meant | None:
    """`moves toward (3, 1)`, `moves toward goal at (3, 1)`: what is sought is a thing, the one that lies there."""
    said = next(mistake.around(_TO_A_CELL), None)
    if mistake.start != "properties" or said is None:
        return None
    way = "toward" if said[1] == "to" else said[1]
    help = write(f"{way} (the {said[2] or 'floor'} at {said[3]})", ": what is sought is a thing")
    return Meant(
        help,
        said.start(2) if said[2] else said.start(3),
        said.end(),
        expected="a thing",
        start=said.start(),
        stop=said.end(),
    )


_OFTEN = re.compile(
    r"\bevery\s+(?:(other|second|third|fourth)|(\d+)(?:nd|rd|th|st))\s+(?:step|turn|tick)s?\b"
)
_COUNTED = {"other": 2, "second": 2, "third": 3, "fourth": 4}


def nth_step(mistake: Mistake) -> Meant | None:
    """`moves random every other step`, `every 2nd step`: so many steps."""
    said = next(mistake.around(_OFTEN), None)
    if mistake.start != "properties" or said is None:
        return None
    help = write(f"every {said[2] or _COUNTED[said[1]]} steps")
    return Meant(help, *said.span(), expected="how often it moves", start=said.start(), stop=said.end())


_LATER = re.compile(
    r"\b(?:explodes?|dies|disappears?|expires?|vanishes|lives|lasts|burns|grows)\s+(?:after|for|in)\s+(\d+)(?:\s+(?:steps?|turns?))?"
)


def later(mistake: Mistake) -> Meant | None:
    """`object bomb: explodes after 5 steps`: an attribute counts, and a rule says what happens."""
    said = next(mistake.around(_LATER), None)
    if mistake.start != "properties" or said is None:
        return None
    kind = kind_described(mistake)
    count = f"`timer {said[1]} in 0..{said[1]}`, `each {kind}: {kind}.timer -= 1`"
    line = f"an attribute counts, and a rule says what comes then: {count}, `each {kind} if {kind}.timer == 0: ...`"
    return Meant(line, *said.span(), expected="a property")


def _set(mistake: Mistake) -> Meant | None:
    """`moves = random`, `moves: random`: how one moves stands right behind the word."""
    said = re.match(r"(?:[=:]|in\b|is\b)\s*(?=\w)", mistake.rest)
    if said is None or re.search(r"\bmoves\Z", mistake.before) is None:
        return None
    sign = said[0].strip()
    help = Help(f"leave `{sign}` out", (" ",))
    stop = mistake.begin + said.end()
    return Meant(help, mistake.begin, mistake.begin + len(sign), start=len(mistake.before), stop=stop)


_PACE = re.compile(r"\b(cooldown|delay|period|interval|speed|rate|pace)\s*[=:]?\s*(\d*\.?\d+)")


def _paced(mistake: Mistake) -> Meant | None:
    """`moves random cooldown 2`, `moves forward speed 0.5`: in how many steps it moves once."""
    said = next(iter(mistake.around(_PACE)), None)
    if said is None or mistake.text[: said.start()].rstrip().endswith(","):
        return None
    number = float(said[2])
    is_speed = said[1] in {"speed", "rate", "pace"}
    steps = round(1 / number) if is_speed and 0 < number < 1 else int(number)
    far = re.search(r"\bmoves\s+(forward|patrol)\s*\Z", mistake.text[: said.start()])
    written = f"every {steps} steps"
    if is_speed and number > 1 and far is not None:
        written = f"{steps}"
    elif is_speed and number >= 1:
        help = Help(f"it moves one cell a step anyway: leave `{said[0]}` out", ("",))
        return Meant(help, *said.span(), start=said.start() - 1, stop=said.end())
    return Meant(
        write(written), *said.span(), expected="how often it moves", start=said.start(), stop=said.end()
    )


def _ahead(mistake: Mistake) -> Meant | None:
    """`moves forward by 2`, `moves patrol east 1`, `moves patrol 1 east`: its facing says which way."""
    policy = re.search(r"\bmoves\s+(forward|patrol)(?:\s+(?:\d+|\([^()]*\)))?\Z", mistake.before)
    if policy is None:
        return None
    stop = mistake.end + blanks(mistake.text, mistake.end)
    if mistake.found == "by" and re.match(r"by\s+(?:\d|\()", mistake.rest):
        return Meant(Help("leave `by` out", ("",)), expected="how many cells", start=mistake.begin, stop=stop)
    toward = re.match(r"(?:to\s+the\s+|to\s+)?(east|west|north|south|left|right|up|down)\b", mistake.rest)
    if toward is None:
        return None
    way = ARROWS.get(toward[1], toward[1])
    begins = f"; `{kind_described(mistake)}(facing={way})` says which way one looks at first"
    help = f"`{policy[1]}` goes the way its facing says: leave `{toward[0]}` out{begins}"
    end = mistake.begin + toward.end()
    stop = end + blanks(mistake.text, end)
    at = mistake.begin if re.match(r"\d|\(", mistake.text[stop:]) else len(mistake.before)
    stop = stop if at == mistake.begin else end
    return Meant(
        Help(help, ("",)), mistake.begin, end, expected="how many cells, or the end", start=at, stop=stop
    )


def kind_described(mistake: Mistake) -> str:
    """Return the name of the kind whose properties are read."""
    said = r"^(tile|object|agent)(?:\s+(\w+)[^:\n]*)?:(.*(?:\n[ \t]+.*)*)"
    heads = re.finditer(said, mistake.whole, re.MULTILINE)
    return next((head[2] or head[1] for head in heads if mistake.text.strip() in head[3]), "K")


def _cells(mistake: Mistake) -> Meant | None:
    """`moves forward 2 cells`, `moves forward self.speed`, `moves 2 forward`."""
    if re.search(r"\b(forward|patrol)\s+(\d+|\w+|\([^()]*\))\Z", mistake.before):
        if mistake.found in {"cells", "cell", "squares", "tiles", "times"}:
            return Meant(
                Help(f"leave `{mistake.found}` out", ("",)), start=len(mistake.before), stop=mistake.end
            )
        owner = mistake.last_word()
        rest = re.match(r"\.\w+", mistake.rest)
        if owner is not None and rest is not None:
            name = f"{owner.group()}{rest.group()}"
            end = mistake.begin + rest.end()
            return Meant(write(f"({name})"), owner.start(), end, start=owner.start(), stop=end)
    if re.search(r"\bmoves\s+(forward|patrol)\Z", mistake.before) and re.match(r"[A-Za-z_]", mistake.found):
        said = re.match(r"\w+(\.\w+)?", mistake.rest)
        if said is not None and mistake.found not in {"until", "when", "toward", "and", "then", "unless"}:
            return Meant(write(f"({said.group()})"), stop=mistake.begin + said.end())
    sought = re.search(r"\bmoves\s+(?:toward|away\s+from)\s+(\w+)\Z", mistake.before)
    near = re.match(r"within\s+(\d+)(?:\s+(?:cells?|steps?))?", mistake.rest)
    if sought is not None and near is not None:
        asked = write(f"if {sought[1]} within {near[1]} of self else still")
        return Meant(asked, stop=mistake.begin + near.end())
    turned = re.match(r"(\d+)\s+(forward|patrol)\b", mistake.rest)
    if turned is not None and re.search(r"\bmoves\Z", mistake.before):
        end = mistake.begin + turned.end()
        return Meant(write(f"{turned[2]} {turned[1]}"), mistake.begin, end, stop=end)
    return None


def _nearest(mistake: Mistake) -> Meant | None:
    """`moves toward nearest agent`, `moves toward the agent`: it is the nearest anyway."""
    said = re.search(r"\b(?:toward|from)\s+((?:the\s+)?(?:nearest|closest)(?:\s+of)?|the)\Z", mistake.before)
    if said is not None and mistake.found == "of":
        help = Help(f"of several it is the nearest anyway: leave `{said[1]} of` out", ("",))
        stop = mistake.end + len(mistake.text[mistake.end :]) - len(mistake.text[mistake.end :].lstrip())
        return Meant(help, said.start(1), mistake.end, expected="a kind", start=said.start(1), stop=stop)
    if said is None or not re.match(r"\w", mistake.found):
        return None
    help = Help(f"of several it is the nearest anyway: leave `{said[1]}` out", ("",))
    return Meant(
        help, said.start(1), len(mistake.before), expected="a kind", start=said.start(1), stop=mistake.begin
    )


def _metric(mistake: Mistake) -> Meant | None:
    """`moves toward agent via path`, `by shortest path`, `by path distance`, `by path_distance(agent)`."""
    if re.search(r"\b(?:toward|from)\s+\w+\Z", mistake.before) and mistake.found in _BY:
        said = re.match(r"\w+(\s+(?:the\s+)?\w*(?:path|bfs|route|way)\w*)?", mistake.rest)
        stop = mistake.begin + (said.end() if said is not None else 0)
        return Meant(write("by path_distance"), mistake.begin, mistake.end, stop=stop)
    said = re.search(r"\bby\s+(\w+)\Z", mistake.before)
    if said is not None and said[1] in _PATH and re.match(r"\w", mistake.found):
        return Meant(
            write("path_distance"), said.start(1), mistake.end, start=said.start(1), stop=mistake.end
        )
    if said is not None and said[1] in METRICS:
        called = re.match(r"\([^()]*\)", mistake.rest)
        if called is not None:
            end = mistake.begin + called.end()
            line = Help(f"it is asked for what `toward` names: leave `{called.group()}` out", ("",))
            return Meant(line, mistake.begin, end, start=mistake.begin, stop=end)
    return None


def _often(mistake: Mistake) -> Meant | None:
    """`moves random every 2`."""
    if not {"STEPS", "STEP"} & mistake.expected or mistake.found not in {"", ",", "with", "avoiding"}:
        return None
    at = len(mistake.before)
    alone = re.search(r"\s*\bevery\s+step\Z", mistake.before)
    if alone is not None:
        help = "it moves in each step unless it says otherwise: leave `every step` out"
        return Meant(Help(help, ("",)), start=alone.start(), stop=at)
    return Meant(Help("how often is said in steps: write `steps`", (" steps",)), start=at, stop=at)


def _otherwise(mistake: Mistake) -> Meant | None:
    """`moves toward agent else random`, `moves toward agent with chance 0.5 if C else random`."""
    item = mistake.text[mistake.item_start() : mistake.begin]
    if mistake.found == "if" and (said := re.search(r"\b(every|with\s+chance)\s+[^,]*\Z", item)) is not None:
        word = " ".join(said[1].split())
        line = f"`{word}` stands at the end and belongs to the last movement: `A if C else B {word} ...`"
        begin = mistake.item_start() + said.start()
        return Meant(line, begin, len(mistake.before), expected="it behind the last movement")
    if mistake.found != "else" or re.search(r"\bif\b", mistake.text[mistake.item_start() : mistake.begin]):
        return None
    return Meant("a condition stands between two ways to move: `A if C else B`")


def wrapping(mistake: Mistake) -> Meant | None:
    """`moves forward wrap`, `moves east wrapping around`: what is beyond the edge is a property of its own."""
    said = re.compile(r"\s*\bwrap(?:s|ping|around)?(?:\s+around)?\b").search(
        mistake.text, len(mistake.before)
    )
    if (
        mistake.start != "properties"
        or said is None
        or said.end() < mistake.end
        or said.start() > mistake.begin
    ):
        return None
    if not re.search(r"\bmoves\b[^,]*\Z", mistake.before):
        return None
    return Meant(write(", edge wrap", ": it is a property of its own"), start=said.start(), stop=said.end())


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (wrapping, nth_step, later, in_brackets, apart, toward_a_cell, going, moving)
