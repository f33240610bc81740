"""Habits in effects that send something elsewhere: `move east`, `move ball, east`, `agent at start`."""

from __future__ import annotations

import re

from griddsl.compass import ARROWS, CARDINALS, DIRECTION_OF, MEANT_BY, STEPS
from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import Habits, Meant, Mistake
from griddsl.syntax.keywords import EFFECT_WORDS

_EXPECTED = "what moves, and where to"
_WHERE = r"\w+(?:\.\w+)?|\([^()]*\)"

_WAYS = {tuple(map(str, step)): word for step, word in DIRECTION_OF.items()}


def stood(mistake: Mistake) -> Meant | None:
    """`agent at start`, `agent on goal` as an effect."""
    start, stop = mistake.item_start(), mistake.item_end()
    drawn = re.fullmatch(
        r"(\w+(?:\([^()]*\))?)\s+((?:at|in)\s+random\s+.+|at\s+\([^()]*\))", mistake.text[start:stop]
    )
    if mistake.start == "effects" and drawn is not None and drawn[1] not in {*EFFECT_WORDS, "self"}:
        word = re.match(r"\w+", drawn[1])
        assert word is not None
        help = write(f"place {drawn[1]} {drawn[2]}")
        return Meant(help, start, start + word.end(), unknown_effect=word[0], start=start, stop=stop)
    said = re.fullmatch(
        r"(?:agent|self|player)\s+(?:at|on|to)\s+(\w+|\([^()]*\))",
        mistake.text[start:stop],
    )
    if mistake.start != "effects" or said is None:
        return None
    word = re.match(r"\w+", mistake.text[start:])
    assert word is not None
    return Meant(
        write(f"go to {said[1]}"), start, start + word.end(), unknown_effect=word[0], start=start, stop=stop
    )


_SENT = r"(?:go|goto|send|teleport|warp|jump|return|bring|put\s+back|transport|relocate)"


def _without_article(place: str) -> str:
    return re.sub(r"\A(the|an?)\s+", "", place)


def sent(mistake: Mistake) -> Meant | None:
    """`go coin to (1, 0)`, `send coin to start`, `go (1, 0)`, `agent go to start`: who goes stands behind `move`."""
    start, stop = mistake.item_start(), mistake.item_end()
    item = mistake.text[start:stop]
    if mistake.start != "effects":
        return None
    verb = re.match(r"\w+", item)
    alone = re.fullmatch(r"go\s*(\([^()]*\)|random\s+\w+|start|back|home)", item)
    if alone is not None and verb is not None:
        place = "start" if alone[1] in {"back", "home"} and not mistake.is_kind(alone[1]) else alone[1]
        return Meant(write(f"go to {place}"), start=start, stop=stop)
    returned = re.fullmatch(r"(?:return|come\s+back)\s+to\s+(.+)", item)
    if returned is not None and verb is not None:
        help = write(f"go to {_without_article(returned[1])}")
        return Meant(help, start, start + verb.end(), unknown_effect=verb[0], start=start, stop=stop)
    said = re.fullmatch(rf"{_SENT}\s+(\w+)\s+(?:back\s+)?(?:in)?to\s+(.+)", item)
    said = said or re.fullmatch(
        r"(\w+)\s+(?:goes|go|moves?|jumps?|teleports?|returns?)\s+(?:back\s+)?to\s+(.+)", item
    )
    if said is None or verb is None or said[1] in {*EFFECT_WORDS, "back"}:
        return None
    who = "agent" if said[1] == "player" else said[1]
    place = _without_article(said[2])
    help = write(f"go to {place}" if who == "self" else f"move {who} to {place}")
    if verb[0] in EFFECT_WORDS:
        return Meant(help, start=start, stop=stop)
    return Meant(help, start, start + verb.end(), unknown_effect=verb[0], start=start, stop=stop)


def by_numbers(mistake: Mistake) -> Meant | None:
    """`move bird (0, -1)`, `move bird by (0, -1)`, `move bird 0, -1`: a way as numbers; `move bird (3, 2)`: a cell."""
    start = mistake.item_start()
    item = re.compile(r"move\s+(\w+)\s+(?:by\s+)?(\(\s*([^(),]+?)\s*,\s*([^(),]+?)\s*\))").match(
        mistake.text, start
    )
    if mistake.start != "effects" or item is None or mistake.begin > item.end():
        return None
    who, cell, across, down = item[1], item[2], item[3].lstrip("+"), item[4].lstrip("+")
    way = _WAYS.get((across, down))
    to_cell = f"move {who} to ({across}, {down})"
    help = write(to_cell, ": a cell follows `to`")
    if way is not None and "-" in across + down:
        help = write(f"move {who} {way}", ": a way is a word, and a cell follows `to`")
    elif way is not None:
        line = f"write `move {who} {way}` for the way, `{to_cell}` for the cell"
        help = Help(line, (f"move {who} {way}", to_cell))
    return Meant(
        help,
        *item.span(2),
        found=f"`{cell}`",
        expected="a direction, or `to` and a cell",
        start=start,
        stop=item.end(),
    )


def far(mistake: Mistake) -> Meant | None:
    """`move agent east 3`, `move agent east agent.speed`: an effect moves one cell, or to a place."""
    item = mistake.text[mistake.item_start() : mistake.item_end()]
    said = re.fullmatch(
        r"move\s+(\w+)\s+(east|west|north|south|right|left|up|down)\s+([\w.]+|\([^()]*\))", item
    )
    if mistake.start != "effects" or said is None:
        return None
    across, down = STEPS[CARDINALS.index(ARROWS.get(said[2], said[2]))]
    x, y = (
        f"{said[1]}.{axis}" + (f" {'+' if way > 0 else '-'} {said[3]}" if way else "")
        for axis, way in (("x", across), ("y", down))
    )
    help = write(f"move {said[1]} to ({x}, {y})", ": in a direction it goes one cell")
    return Meant(help, start=mistake.item_start(), stop=mistake.item_end())


def moved(mistake: Mistake) -> Meant | None:
    """`move east`, `move ball`: who is moved is named, and where to."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(r"move\s+(\w+)", mistake.text[start:stop])
    if mistake.start != "effects" or said is None or mistake.found.strip(","):
        return None
    if mistake.is_kind(said[1]) or mistake.is_thing(said[1]):
        return Meant(f"say where to: `move {said[1]} east`, `move {said[1]} to start`")
    way = "random" if said[1] in {"randomly", "anywhere"} else said[1]
    help = write(f"move {mistake.gone_through() or 'agent'} {way}")
    return Meant(help, start, stop, expected=_EXPECTED, start=start, stop=stop)


def moved_with_comma(mistake: Mistake) -> Meant | None:
    """`move ball, east`, `move(ball, east)`, `move ball, (1, 2)`: nothing stands between who moves and where to."""
    start = mistake.item_start()
    for opening, closing in ((r"move\s+", r""), (r"move\s*\(\s*", r"\s*\)")):
        form = rf"{opening}(\w+)\s*,\s*(to\s+)?({_WHERE}){closing}(?=\s*(?:,|\Z))"
        said = re.compile(form).match(mistake.text, start)
        if (
            mistake.start != "effects"
            or said is None
            or mistake.begin > said.end()
            or said[3] in EFFECT_WORDS
        ):
            continue
        who, way = (
            (said[3], said[1]) if said[1] in CARDINALS and said[3].isidentifier() else (said[1], said[3])
        )
        help = write(f"move {who} {'to ' if said[2] or way.startswith('(') else ''}{way}")
        if closing:
            begin = mistake.text.index("(", start)
            return Meant(
                help,
                begin,
                said.end(),
                "brackets",
                f"{_EXPECTED}, without them",
                start=start,
                stop=said.end(),
            )
        comma = mistake.text.index(",", start)
        return Meant(
            help, comma, comma + 1, expected="where to, without a comma", start=start, stop=said.end()
        )
    return None


_UNIT = r"(?:\s+(?:cells?|steps?|tiles?|squares?))?"
_MANY = rf"(?P<many>\d+|an?|one){_UNIT}"
_WAY = rf"(?P<way>(?i:{'|'.join(sorted(MEANT_BY, key=len, reverse=True))}))(?:wards?)?\b"
_LEADS = r"(?:(?:in\s+)?(?:the\s+)?direction\s+|in\s+|by\s+|towards?\s+|to\s+)?(?:the\s+)?"
_AFTER = r"(?:towards?|away\s+from|near(?:er)?(?:\s+to)?|closer(?:\s+to)?|after)"


def moved_otherwise(mistake: Mistake) -> Meant | None:
    """`move bird by north`, `move bird to the left`, `move bird north by 2`, `move bird 2 cells north`: a way alone."""
    start = mistake.item_start()
    if mistake.start != "effects":
        return None
    gone = re.compile(rf"(?:go|walk|step|run)\s+{_LEADS}{_WAY}(?=\s*(?:,|\Z))").match(mistake.text, start)
    if gone is not None and mistake.begin <= gone.end():
        help = write(f"move agent {MEANT_BY[gone['way'].lower()]}", ": `go to` leads to a place")
        return Meant(help, *gone.span(), expected=_EXPECTED, start=start, stop=gone.end())
    who = r"(?:move\s+(?P<who>\w+)\s+)"
    subject = re.compile(rf"(?P<who>\w+)\s+(?:moves?|goes|steps?|walks?)\s+{_LEADS}{_WAY}(?=\s*(?:,|\Z))")
    moved = subject.match(mistake.text, start)
    if moved is not None and mistake.begin <= moved.end() and moved["who"] != "move":
        help = write(f"move {moved['who']} {MEANT_BY[moved['way'].lower()]}")
        return Meant(help, *moved.span("who"), unknown_effect=moved["who"], start=start, stop=moved.end())
    for form in (
        rf"{who}{_LEADS}{_WAY}(?:\s+(?:by\s+)?{_MANY})?",
        rf"{who}(?:by\s+)?{_MANY}\s+(?:to\s+)?(?:the\s+)?{_WAY}",
    ):
        said = re.compile(rf"{form}(?=\s*(?:,|\Z))").match(mistake.text, start)
        if said is not None and mistake.begin <= said.end() and said["who"] not in MEANT_BY:
            way, many = MEANT_BY[said["way"].lower()], said["many"]
            one = f"move {said['who']} {way}"
            help = write(one, ": it goes one cell")
            if many is not None and many.isdigit() and many != "1":
                there = f"move {said['who']} to {_away(said['who'], way, many)}"
                help = Help(f"`{one}` goes one cell; farther off is a place: `{there}`", (there,))
            begin = start + said.start("who") - said.start() + len(said["who"])
            begin += len(mistake.text[begin:]) - len(mistake.text[begin:].lstrip())
            return Meant(help, begin, said.end(), expected="a direction", start=start, stop=said.end())
    after = re.compile(rf"{who}(?P<word>{_AFTER})\s+(?:the\s+)?(?P<what>\w+)").match(mistake.text, start)
    if after is None or not after.start("word") <= mistake.begin <= after.end():
        return None
    flees = after["word"].startswith("away")
    policy = f"{'away from' if flees else 'toward'} {after['what']}"
    own = f"`object {after['who']}: moves {policy}`"
    said_by = f"an effect moves one cell in a direction; what goes so by itself says it: {own}"
    if after["who"] in {"agent", "self"}:
        ways = "`move agent east`, or to a place, `move agent to start`"
        said_by = f"an effect moves one cell in a direction, {ways}"
    return Meant(said_by, *after.span("word"), expected="a direction, or `to` and a place")


def _away(who: str, way: str, many: str) -> str:
    """Return the cell that lies so many cells in a direction from something."""
    across, down = next(step for step, word in _WAYS.items() if word == way)
    parts = [
        f"{who}.{axis}" + {"1": f" + {many}", "-1": f" - {many}", "0": ""}[step]
        for axis, step in (("x", across), ("y", down))
    ]
    return f"({', '.join(parts)})"


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (sent, far, moved_with_comma, moved_otherwise)
