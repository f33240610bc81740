"""Habits from elsewhere: what other tools call an event, an effect or a list, where the language has another way."""

from __future__ import annotations

import re

from griddsl.compass import ARROWS, DIAGONALS
from griddsl.diagnostics import domain_around, write
from griddsl.syntax.habits.mistake import CELL, CONDITIONS, Habits, Meant, Mistake

_ENDED = "what an end is worth stands in the rule that ends: `on enter lava: reward -1, end failure`"
_BEFORE = "what happens before an episode stands in `setup:`, as in `setup: place coin at random floor`"
_OF_A_KEY = "a key belongs to an action, `actions: jump [space]`, and `on do jump` hears that it was chosen"
_OF_A_CLICK = (
    "what is clicked is what an action takes, `actions: mark(spot in cells)`, and `on do mark` hears of it"
)
_NO_EVENTS = {
    **dict.fromkeys(("reset", "start", "init", "begin", "load", "setup", "spawn"), _BEFORE),
    **dict.fromkeys(
        ("death", "die", "dead", "win", "lose", "won", "lost", "success", "failure", "end", "done"), _ENDED
    ),
    **dict.fromkeys(("gameover", "game_over", "finish", "terminate", "terminated"), _ENDED),
    **dict.fromkeys(("key", "keypress", "keydown", "press"), _OF_A_KEY),
    **dict.fromkeys(("click", "mouse", "tap"), _OF_A_CLICK),
}
_TIMES = frozenset(
    {"timeout", "time_up", "timelimit", "time_limit", "truncate", "truncation", "limit", "max_steps"}
)
_WINDOWS = frozenset({"partial", "window", "fov", "local", "egocentric", "crop", "area", "around", "vision"})
_RELATIONS = "on|at|has|within|ahead|left|sees"

_GENERATED = re.compile(
    r"(empty|room|maze|rooms|caves)(?:\s+\(?|\s*[\[(])(\d+|\w+?)\s*(?:,|x|X|×|by|\s)\s*(\d+|\w+)[\])]?\s*\Z"
)


def generator(mistake: Mistake) -> Meant | None:
    """`generate: room 10 10`, `maze 9x9`."""
    bare = re.fullmatch(r"(\d+)\s*(?:x|X|×|,|by)\s*(\d+)\s*", mistake.text)
    if (
        mistake.start == "expression"
        and bare is not None
        and re.search(r"^generate\b", mistake.whole, re.MULTILINE)
    ):
        return Meant(write(f"empty({bare[1]}, {bare[2]})"), start=0, stop=len(mistake.text.rstrip()))
    size = _GENERATED.match(mistake.text)
    if mistake.start != "expression" or size is None:
        return None
    return Meant(write(f"{size[1]}({size[2]}, {size[3]})"), start=0, stop=len(mistake.text.rstrip()))


def no_event(mistake: Mistake) -> Meant | None:
    """`on reset`, `on timeout`, `on death`, `on key space`: what no rule hears of under that name."""
    said = re.match(r"on\s+(\w+)\b(?:\s+(\w+))?", mistake.text)
    if mistake.start != "rule" or said is None or mistake.is_action(said[1]) or mistake.is_kind(said[1]):
        return None
    word = said[1].lower()
    if word in _TIMES and said[2] is None:
        line = write("when step == limit", ": it fires in the last step")
        return Meant(line, *said.span(1), expected="an event", start=0, stop=said.end(1))
    help = _NO_EVENTS.get(word)
    if help is None or (said[2] is not None and mistake.is_kind(said[2]) and word == "press"):
        return None
    return Meant(help, *said.span(1), expected="an event")


def existing(mistake: Mistake) -> Meant | None:
    """`when exists coin`, `when there is a coin`: that there is one."""
    said = re.search(r"\b(?:exists|there\s+(?:is|are))\s+(?:an?\s+|any\s+)?\Z", mistake.text[: mistake.begin])
    if mistake.start not in CONDITIONS or said is None or not mistake.is_kind(mistake.found):
        return None
    return Meant(write(f"count({mistake.found}) > 0"), start=said.start(), stop=mistake.end)


def not_before_relation(mistake: Mistake) -> Meant | None:
    """`agent not on goal`: `not` stands before the whole, behind a `where` too."""
    is_asked = mistake.start in CONDITIONS or re.search(r"\b(?:where|if)\b", mistake.text[: mistake.begin])
    if not is_asked or mistake.found != "not":
        return None
    subject = re.search(rf"(?<![\w.])({CELL})\s+\Z", mistake.text[: mistake.begin])
    said = re.match(rf"not\s+({_RELATIONS}|in)\b", mistake.rest)
    if subject is None or said is None:
        return None
    relation = "on" if said[1] == "in" else said[1]
    help = write(f"not {subject[1]} {relation}", " ...: `not` turns the whole around")
    return Meant(help, start=subject.start(1), stop=mistake.begin + said.end())


def way_drawn(mistake: Mistake) -> Meant | None:
    """`move ball (random east | west)`: a way is drawn by a line of its own."""
    if mistake.start != "effects":
        return None
    said = re.compile(r"\bmove\s+(\w+)\s+\(?\s*random\s+(\w+(?:\s*\|\s*\w+)+)\s*\)?")
    for drawn in mistake.around(said):
        help = write(f"choose way in {drawn[2]}, move {drawn[1]} (way)", ": a way is drawn before it is gone")
        return Meant(help, start=drawn.start(), stop=drawn.end())
    return None


def added(mistake: Mistake) -> Meant | None:
    """`add 1 to n`, `subtract 2 from n`: a number is changed."""
    item = mistake.text[mistake.item_start() : mistake.item_end()]
    said = re.fullmatch(r"(add|subtract|take)\s+(-?[\w.]+)\s+(?:to|from)\s+([A-Za-z_][\w.]*)", item)
    if mistake.start != "effects" or said is None or mistake.is_kind(said[3]) or mistake.is_kind(said[2]):
        return None
    start = mistake.item_start()
    help = write(f"{said[3]} {'+' if said[1] == 'add' else '-'}= {said[2]}")
    return Meant(
        help, start, start + len(said[1]), unknown_effect=said[1], start=start, stop=mistake.item_end()
    )


def kind_set(mistake: Mistake) -> Meant | None:
    """`set door to wall`, `change coin into goal`: one thing becomes another."""
    item = mistake.text[mistake.item_start() : mistake.item_end()]
    said = re.fullmatch(
        r"(set|change|turn|make|transform|convert|replace)\s+(\w+)\s+(?:to|into|with|by)\s+(\w+)", item
    )
    if (
        mistake.start != "effects"
        or said is None
        or not (mistake.is_kind(said[2]) and mistake.is_kind(said[3]))
    ):
        return None
    start = mistake.item_start()
    help = write(f"{said[2]} becomes {said[3]}")
    return Meant(
        help, start, start + len(said[1]), unknown_effect=said[1], start=start, stop=mistake.item_end()
    )


def assigned_with_colon(mistake: Mistake) -> Meant | None:
    """`n := 1`."""
    if mistake.start != "effects" or not mistake.rest.startswith(":="):
        return None
    return Meant(write("="), stop=mistake.begin + 2)


def placed_backwards(mistake: Mistake) -> Meant | None:
    """`place (1, 2) at coin`: the thing stands first, then its place."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(r"place\s+(\([^()]*\))\s+(?:at|in|on)\s+([A-Za-z_]\w*)", mistake.text[start:stop])
    if mistake.start != "effects" or said is None:
        return None
    return Meant(write(f"place {said[2]} at {said[1]}"), start=start, stop=stop)


def window(mistake: Mistake) -> Meant | None:
    """`observe: partial 5x5`: a view by another name."""
    size = re.match(r"\d+\s*x\s*\d+", mistake.rest)
    word = mistake.last_word()
    if mistake.start != "observations" or size is None or word is None or word.group() not in _WINDOWS:
        return None
    return Meant(write(f"view {size.group()}"), start=word.start(), stop=mistake.begin + size.end())


def legend_of_a_dict(mistake: Mistake) -> Meant | None:
    """`legend: {"c": "coin", "G": "goal"}`: entries without braces, and `=` between glyph and kind."""
    braces = re.fullmatch(r"\{(.*)\}\s*", mistake.text)
    if mistake.start != "legend" or braces is None:
        return None
    entries = re.findall(r"""["']?(\S)["']?\s*[:=]\s*["']?(\w+(?:\([^()]*\))?)["']?""", braces[1])
    written = ", ".join(
        f"{sign if sign.isalnum() else chr(34) + sign + chr(34)} = {kind}" for sign, kind in entries
    )
    if not entries:
        return None
    return Meant(write(written, ": there are no braces"), 0, 1, start=0, stop=len(mistake.text.rstrip()))


def steps_first(mistake: Mistake) -> Meant | None:
    """`limit: steps 50`, `limit: max_steps = 50`."""
    said = re.fullmatch(
        r"(?:(?:max|num|n|total)_?)?(?:steps?|timesteps?|limit|turns?|max|time)\s*[:=]?\s*(\d+)(?:\s+steps?)?\s*",
        mistake.text,
    )
    if mistake.start != "limit" or said is None:
        return None
    return Meant(write(f"{said[1]} steps"), start=0, stop=len(mistake.text.rstrip()))


def priced_attribute(mistake: Mistake) -> Meant | None:
    """`object coin: value: 5`, `value int`: an attribute has a domain."""
    if mistake.start != "properties":
        return None
    start, stop = mistake.item_start(), mistake.item_end()
    valued = re.fullmatch(r"(\w+)\s*(?::=?|=)\s*(\d+|(?i:true|false))", mistake.text[start:stop])
    if valued is not None and "IN" in mistake.expected:
        name, value = valued[1], valued[2].lower()
        written = (
            f"{name} {value} in {domain_around(value)}"
            if value.isdigit()
            else f"{name} {value} in false | true"
        )
        return Meant(write(written, ": an attribute has a domain"), start=start, stop=stop)
    typed = re.fullmatch(r"(\w+)\s*:?\s*(int|integer|number|num|bool|boolean)", mistake.text[start:stop])
    if typed is None:
        return None
    domain = "false | true" if typed[2].startswith("bool") else "0..9"
    help = write(f"{typed[1]} in {domain}", ": an attribute has a domain")
    return Meant(help, start, stop, expected="a property", start=start, stop=stop)


def listed_domain(mistake: Mistake) -> Meant | None:
    """`color in [red, blue]`: values are joined by `|`."""
    range_in = re.match(r"[\[{]\s*(-?\w+\s*\.\.\s*-?\w+)\s*[\]}]", mistake.rest)
    if (
        mistake.start in {"properties", "variable"}
        and range_in is not None
        and re.search(r"\bin\Z", mistake.before)
    ):
        return Meant(write(range_in[1], ": a range has no brackets"), stop=mistake.begin + range_in.end())
    ends_only = re.search(r"\bin\s+(-?\d+)\Z", mistake.before)
    upper = re.match(r",\s*(-?\d+)\s*\Z", mistake.rest)
    if mistake.start == "variable" and ends_only is not None and upper is not None:
        help = write(f"{ends_only[1]}..{upper[1]}", ": both ends count")
        return Meant(help, start=ends_only.start(1), stop=len(mistake.text.rstrip()))
    listed = re.match(r"[\[{(]([\w\s,\"']*)[\]})]", mistake.rest)
    if (
        mistake.start not in {"properties", "variable"}
        or listed is None
        or not re.search(r"\bin\Z", mistake.before)
    ):
        return None
    values = [value.strip(" \"'") for value in listed[1].split(",")]
    if not all(values):
        return None
    if re.search(r"\A\s*-?\d*\.\d+\s+in\Z", mistake.before) and all(each.isdigit() for each in values):
        help = write("..".join(values[:2]), ": both ends count")
        return Meant(help, stop=mistake.begin + listed.end())
    ends = [int(value) for value in values if re.fullmatch(r"\d{1,6}", value)]
    if len(ends) == len(values) == 2 and ends[0] + 1 < ends[1]:
        help = write(f"{ends[0]}..{ends[1]}", f" for all from {ends[0]} to {ends[1]}")
        return Meant(help, start=mistake.begin, stop=mistake.begin + listed.end())
    help = write(" | ".join(values), ": values are joined by `|`")
    return Meant(help, start=mistake.begin, stop=mistake.begin + listed.end())


def infos_of_a_dict(mistake: Mistake) -> Meant | None:
    """`info: {"energy": energy}`: entries without braces."""
    braces = re.fullmatch(r"\{(.*)\}\s*", mistake.text)
    entries = re.findall(r"""["']?(\w+)["']?\s*[:=]\s*([^,{}"']+)""", braces[1]) if braces is not None else []
    if mistake.start != "infos" or not entries:
        return None
    written = ", ".join(f"{name} = {value.strip()}" for name, value in entries)
    return Meant(write(written, ": there are no braces"), 0, 1, start=0, stop=len(mistake.text.rstrip()))


def each_of_its_plural(mistake: Mistake) -> Meant | None:
    """`each coin in coins`: the kind alone."""
    said = re.match(r"each\s+(\w+)\s+in\s+(?:all\s+|the\s+)*\1e?s\b", mistake.text)
    if mistake.start != "rule" or said is None:
        return None
    return Meant(write(f"each {said[1]}"), start=0, stop=said.end())


def hyphenated_action(mistake: Mistake) -> Meant | None:
    """`up-left`, `turn-right`: a name has `_`."""
    before = mistake.last_word()
    after = re.match(r"-(\w+)", mistake.rest)
    if mistake.start not in {"actions", "names"} or before is None or after is None:
        return None
    if (
        not mistake.before.endswith(before.group())
        or mistake.text[mistake.begin - 1 : mistake.begin].isspace()
    ):
        return None
    joined = f"{before.group()}{after[1]}"
    joined = joined if joined in DIAGONALS else f"{before.group()}_{after[1]}"
    return Meant(write(joined), start=before.start(), stop=mistake.begin + after.end())


def two_ways(mistake: Mistake) -> Meant | None:
    """`fly = move up and right`: a diagonal is one word."""
    form = r"\bmove\s+(?P<ways>(\w+)\s+(?:and\s+|\+\s*)?(\w+))"
    moves = re.finditer(form, mistake.text) if mistake.start == "actions" else ()
    said = next((each for each in moves if each.start() <= mistake.begin <= each.end()), None)
    if said is None:
        return None
    ways = [ARROWS.get(said[number], said[number]) for number in (2, 3)]
    diagonal = next((way for way in ("".join(ways), "".join(reversed(ways))) if way in DIAGONALS), None)
    if diagonal is None:
        return None
    return Meant(write(diagonal), *said.span("ways"), expected="one direction")


def whole_view(mistake: Mistake) -> Meant | None:
    """`view full`, `view all`: the whole board is the grid."""
    said = re.search(r"\bview\Z", mistake.before)
    if (
        mistake.start != "observations"
        or said is None
        or mistake.found not in {"full", "all", "whole", "everything"}
    ):
        return None
    return Meant(write("grid", ": the whole board"), start=said.start(), stop=mistake.end)


def random_chance(mistake: Mistake) -> Meant | None:
    """`on enter coin with random 0.5`."""
    if mistake.expected != {"CHANCE"} or mistake.found not in {"random", "p", "prob"}:
        return None
    return Meant(write("chance"))


def drawn_number(mistake: Mistake) -> Meant | None:
    """`if random() < 0.1`, `when rand() > 0.9`: a chance stands behind a condition."""
    number = r"(?P<p>[\w./]+%?)"
    call = r"(?:np\.)?(?:random|rand|uniform)(?:\.\w+)?\s*\(\s*(?:0\s*,\s*1\s*)?\)"
    form = rf"(?P<joint>\s*\band\s+)?{call}\s*(?P<sign><=?|>=?)\s*{number}(?P<more>\s+and\s+)?"
    said = re.search(form, mistake.text)
    if mistake.start not in CONDITIONS or said is None or not said.start() <= mistake.begin <= said.end():
        return None
    chance = said["p"] if said["sign"][0] == "<" else f"1 - {said['p']}"
    rest = mistake.text[: said.start()].rstrip()
    if said["more"] or re.search(r"\bor\b", mistake.text) or mistake.text[said.end() :].strip():
        return Meant(f"a chance stands behind the condition: `if C with chance {chance}`", *said.span("p"))
    if said["joint"] is None:
        rest = re.sub(r"\s*\bif\Z", "", rest) if mistake.start == "rule" else f"{rest} true"
        rest = "each step" if rest == "when" else rest
    help = write(f"{rest} with chance {chance}", ": what is drawn is no number but whether it happens")
    return Meant(
        help, found="a random number", expected="a condition", start=0, stop=len(mistake.text.rstrip())
    )


def typed_variable(mistake: Mistake) -> Meant | None:
    """`var lives: int = 3`, `param wet: bool = false`: a domain says of which sort a value is."""
    said = re.fullmatch(
        r"(int|integer|number|float|bool|boolean)\s*(?:=|,)?\s*(\d+|(?i:true|false))?\s*", mistake.text
    )
    if mistake.start != "variable" or said is None or (said[2] is None and mistake.found == ""):
        return None
    value = said[2].lower()
    written = f"{value} in {domain_around(value)}" if value.isdigit() else value
    return Meant(
        write(written, ": its domain says what it can be"),
        0,
        said.end(1),
        expected="its first value",
        start=0,
        stop=len(mistake.text.rstrip()),
    )


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (
    legend_of_a_dict,
    infos_of_a_dict,
    each_of_its_plural,
    hyphenated_action,
    two_ways,
    whole_view,
    random_chance,
    drawn_number,
    typed_variable,
    listed_domain,
    priced_attribute,
    steps_first,
    window,
    no_event,
    existing,
    not_before_relation,
    way_drawn,
)
