"""Habits in a property as a whole: truths behind it, verbs before it, first values, letters, places and ways."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.kinds.movers import kind_described
from griddsl.syntax.habits.mistake import QUOTED, Meant, Mistake, of_item

_FLAGS = "solid|opaque|pushable|portable|slide|facing|nowhere"
COLOURS = "red|green|blue|yellow|purple|orange|brown|gr[ea]y|black|white|pink|gold"
_WAYS = {
    **dict.fromkeys(("up", "north", "upwards"), "north"),
    **dict.fromkeys(("down", "south", "downwards"), "south"),
    **dict.fromkeys(("left", "west"), "west"),
    **dict.fromkeys(("right", "east"), "east"),
}
_WAY = "|".join(_WAYS)
_OPEN_WORDS = "passable|walkable|enterable|traversable|open|free"
_PUSHED = r"(?:pushed|moved|shoved)"
_TAKEN = r"(?:picked\s+up|picked|carried|taken|collected|held|grabbed)"
_ENTERED = r"(?:walked\s+(?:on|over|through)|entered|crossed|passed|stepped\s+on)"


_HOLDS = r"contains|stores|keeps|can\s+(?:carry|hold|contain|store|keep)"
_AT_MOST = r"(?:up\s+to|at\s+most|max(?:imum)?|no\s+more\s+than)"


def _holding(said: re.Match[str], kind: str) -> Help:
    return write("carries 1", ": how many things it can hold; which, is said by what puts them there")


def _stands_alone(said: re.Match[str], kind: str) -> Help:
    return Help(f"a property stands by itself: write `{said[1]}`", (said[1],))


def _left_out(said: re.Match[str], kind: str) -> Help:
    return Help(f"a kind is not `{said[1]}` unless it says so: leave it out", ("",))


def _open(said: re.Match[str], kind: str) -> Help:
    return Help("leave it out: what is not `solid` can be entered", ("",))


def _with_domain(said: re.Match[str], kind: str) -> Help:
    name, first, domain = said.group("name", "first", "domain")
    return write(f"{name} {first} in {domain}", ": its first value, then its domain")


def _from_to(said: re.Match[str], kind: str) -> Help:
    return write(f"{said[1]} in {said[2]}..{said[3]}", ": an attribute has a domain")


def _typed(said: re.Match[str], kind: str) -> Help:
    domain = "false | true" if said[1].startswith("bool") or said[1] == "flag" else "0..9"
    return write(f"{said[2]} in {domain}", ": an attribute has a domain")


def _two_values(said: re.Match[str], kind: str) -> Help:
    line = f"state in {said[1]} | {said[2]}"
    return Help(f"an attribute has a name and a domain, as in `{line}`", (line,))


def _drawn_by(said: re.Match[str], kind: str) -> str:
    letter = said[1].strip('"')
    shown = letter if re.fullmatch(r"\w", letter) else f'"{letter}"'
    return f"the letter that draws a kind stands in the legend: `legend: {shown} = {kind}`"


def _coloured(said: re.Match[str], kind: str) -> str:
    return f"how a kind looks is said by a statement: `look {kind}: color {said[1]}`"


def _counted(said: re.Match[str], kind: str) -> str:
    if kind == "agent":
        return f"several agents are listed by `agents: player * {said[1] or said[2]}`"
    placed = f"place {said[1] or said[2]} {kind} at random free"
    return f"how many there are is drawn in the map, or said in `setup:`, as in `{placed}`"


def _placed(said: re.Match[str], kind: str) -> str:
    where = f"at {said[1]}" if said[1].startswith("(") else "at random free"
    return f"where one stands is drawn in the map, or said in `setup:`, as in `place {kind} {where}`"


def _paid(said: re.Match[str], kind: str) -> str:
    amount = said[2] if said[1] == "reward" or said[2].startswith("-") else f"-{said[2].lstrip('+')}"
    return f"what it is worth to come there is a rule: `on enter {kind}: reward {amount}`"


def _happens(said: re.Match[str], kind: str) -> str:
    return f"what happens there is a rule: `on enter {kind}: {said[1] if said[1] else 'end failure'}`"


def _sent(said: re.Match[str], kind: str) -> str:
    return f"a rule sends the agent on: `on enter {kind}: go to {said[1]}`"


def _slippery(said: re.Match[str], kind: str) -> str:
    return f"slips are a statement: `slip if agent on {kind}: 1/3 left, 1/3 right`"


def _drift(said: re.Match[str], kind: str) -> Help:
    way, amount = said.group("way", "amount")
    return write(f"drift {_WAYS[way]} {amount or 1}")


def _carried(said: re.Match[str], kind: str) -> Help:
    return write(f"carry {_WAYS[said['way']]}", ": it moves on what stands on it")


def _solid_while(said: re.Match[str], kind: str) -> Help:
    open_word = said[1] in _OPEN_WORDS.split("|")
    return write(f"solid {'unless' if open_word == (said[2] != 'unless') else 'if'} {said[3]}")


def _under_condition(said: re.Match[str], kind: str) -> Help:
    is_not = re.match(r"not|except|until", said[2]) is not None
    return write(f"{said[1]} {'unless' if is_not else 'if'} {said[3]}")


def _by_whom(said: re.Match[str], kind: str) -> Help | str:
    if said[1] in {"agent", "agents", "player", "players"}:
        return write("pushable")
    tests = " or ".join(f"`pushable if agent {verb} {said[1]}`" for verb in ("is", "has"))
    return f"agents push, and a condition says which and when: {tests}"


def _with_chance(said: re.Match[str], kind: str) -> str:
    drawn = f"`each {kind}: {kind}.loose = random`"
    return f"a rule draws, and a condition asks: `{said[1]} if loose, loose in false | true` with {drawn}"


def _forward(said: re.Match[str], kind: str) -> Help:
    begins = f", the way it faces: `{kind}(facing={_WAYS[said[1]]})` in the legend or where it is placed"
    return Help(f"write `moves forward`{begins}", ("moves forward",))


def _to_and_fro(said: re.Match[str], kind: str) -> Help:
    way = _WAYS.get(said.groupdict().get("way") or "", "east")
    begins = f": to and fro, first the way it faces, as in `{kind}(facing={way})` in the legend"
    return Help(f"write `moves patrol`{begins}", ("moves patrol",))


def _if_ahead(said: re.Match[str], kind: str) -> Help:
    near = " of self" if re.search(r"\bwithin\s+\S+\Z", said[1]) else ""
    return write(f"moves {said[2]} if {said[1]}{near} else still")


def _often(said: re.Match[str], kind: str) -> Help:
    return write(f"{said[2].rstrip()} every {said[1]} steps")


_BOARD = r"(?:the\s+)?(?:map|board|grid)"
_NO_CELL = (
    r"(?:(?:is|stands?|has|acts?|plays?|lives?)\s+)?(?:(?:no|without)\s+(?:an?\s+)?(?:cell|place|position|location|body|avatar)"
    rf"|(?:no[tn]?\s+on|not\s+in|off|outside(?:\s+of)?|beside|out\s+of|from\s+outside)\s+{_BOARD}|nowhere)"
)


# What an item of properties looks like as a whole, and what to write in its place, or why not.
_ROWS: tuple[tuple[str, Callable[..., Help | str]], ...] = (
    (rf"({_FLAGS})\s*[:=]?\s*(?:true|True|yes|1|on)", _stands_alone),
    (rf"({_FLAGS})\s*[:=]?\s*(?:false|False|no|0|off|none|never)", _left_out),
    (rf"(?:non|not|un)-({_FLAGS})", _left_out),
    (_NO_CELL, lambda said, kind: write("nowhere", ": it has no cell, and rules say what its actions do")),
    (rf"(?:is|be|are|being|gets|has)\s+({_FLAGS})", _stands_alone),
    (rf"(?:can\s+be|is|gets)\s+{_PUSHED}(?:\s+by\s.*)?", lambda said, kind: write("pushable")),
    (rf"(?:can\s+be|is|gets)\s+{_TAKEN}(?:\s+by\s.*)?", lambda said, kind: write("portable")),
    (rf"(?:can\s+be|is)\s+{_ENTERED}(?:\s+by\s.*)?", _open),
    (
        r"blocks?\s+(?:the\s+)?(?:sight|view|vision|light|line\s+of\s+sight)",
        lambda said, kind: write("opaque"),
    ),
    (
        r"blocks?\s+(?:the\s+|all\s+)?(?:movements?|moves|agents?|player|way|path|everything)",
        lambda said, kind: write("solid"),
    ),
    (
        rf"({_FLAGS})\s*(?:\band\b|\bor\b|[&|+/]|\s)\s*({_FLAGS})",
        lambda said, kind: write(f"{said[1]}, {said[2]}", ": items are separated by commas"),
    ),
    (
        r"(?P<name>\w+)\s+in\s+(?P<domain>[^=]+?)\s*(?:=|,?\s*\b(?:default|defaults\s+to|initially|starting\s+(?:at|with)|init)\b)"
        r"\s*(?P<first>-?\w+)",
        _with_domain,
    ),
    (r"(?P<name>\w+)\s*[=:]\s*(?P<first>-?\w+)\s+in\s+(?P<domain>.+)", _with_domain),
    (r"(?:attribute|attr|property|has|with)\s+(\w+\s+-?\w+\s+in\s+.+)", lambda said, kind: write(said[1])),
    (r"(\w+)\s+(?:from|between)\s+(-?\w+)\s+(?:to|and)\s+(-?\w+)", _from_to),
    (r"(int|integer|number|num|float|bool|boolean|flag)\s+(?!in\b)(\w+)", _typed),
    (rf"(?:symbol|glyph|char|character|letter|emoji)\s*[=:]?\s*(\w|[^\w\s\"]|{QUOTED})", _drawn_by),
    (rf"(?:looks?(?:\s+like)?\s*[:=]?\s*)(?:{QUOTED}\s*)?({COLOURS})(?:\s*{QUOTED})?", _coloured),
    (
        r"every\s+(\d+)\s+(?:steps?|turns?|ticks?)\s*,?\s*(moves\s.+)",
        _often,
    ),
    (
        rf"moves?\s+(?:(?P<way>{_WAY})\s+(?:and|or|then)\s+(?:{_WAY})|back\s+and\s+forth|to\s+and\s+fro|sideways)",
        _to_and_fro,
    ),
    (rf"patrols?(?:\s+(?:(?P<way>{_WAY})\b.*|back\s+and\s+forth))?", _to_and_fro),
    (
        rf"moves?\s+(?:\d+|one|a)?\s*(?:cells?\s+|steps?\s+)?(?:to\s+the\s+)?({_WAY})(?:\s+(?:every|each)\s+(?:step|turn))?",
        _forward,
    ),
    (
        r"(?:moves?|wanders?|walks?|roams?)\s+(?:around\s+)?(?:in\s+)?(?:an?\s+)?(?:random|any)(?:ly)?\s+(?:way|direction|cell|step)s?",
        lambda said, kind: write("moves random"),
    ),
    (r"moves\s+if\s+(.+?)\s*[:,]?\s+((?:toward|away\s+from)\s+\w+|random|forward|patrol)",
     _if_ahead),
    (r"(reward|costs?|penalty|movement\s+cost)\s*[:=]?\s*([+-]?\d[\d.]*)", _paid),
    (r"on\s+enter\s*[:,]?\s*(.*)", _happens),
    (r"(?:kills?|ends?|terminates?)\s+(?:the\s+)?(?:agent|player|game|episode|on\s+enter)()", _happens),
    (r"teleports?\s+(?:the\s+)?(?:agent\s+)?to\s+(\(.*\)|\w+)", _sent),
    (r"(?:slip|slips|slippery|icy)\s+[\d.]+\s*%?", _slippery),
    (rf"drift\s+(?P<amount>\d+)\s+(?P<way>{_WAY})", _drift),
    (
        rf"(?:wind|current|pushes|blows|flows|drifts)\s+(?:the\s+)?(?:agents?\s+)?(?:to\s+the\s+)?(?P<way>{_WAY})"
        r"(?:\s+(?:by\s+)?(?P<amount>\d+))?",
        _drift,
    ),
    (rf"(?:conveyor|conveys|conveyer|belt|transports|escalator)\s+(?P<way>{_WAY})", _carried),
    (rf"(?:one[ -]?way)\s+({_WAY})", lambda said, kind: write(f"one_way {_WAYS[said[1]]}")),
    (rf"(?:{_OPEN_WORDS})\s*[:=]?\s*(?:false|no|0)", lambda said, kind: write("solid")),
    (rf"(?:{_OPEN_WORDS})\s*[:=]?\s*(?:true|yes|1)", _open),
    (rf"({_OPEN_WORDS}|blocks|blocked|blocking|impassable|closed)\s+(if|when|while|unless)\s+(.+)", _solid_while),
    (
        r"(solid|opaque|pushable(?:\s+\d+)?)\s+"
        r"(only\s+(?:if|when|while)|when(?:ever)?|while|as\s+long\s+as|not\s+(?:if|when|while)|except\s+(?:if|when|while)|until)"
        r"\s+(.+)",
        _under_condition,
    ),
    (r"pushable\s+by\s+(?:the\s+)?(\w+)", _by_whom),
    (r"(solid|opaque|pushable)\s+with\s+(?:a\s+)?(?:chance|probability)\b.*", _with_chance),
    (
        r"solid\s+(?:for|to|against)\s+.+",
        lambda said, kind: "what is `solid` keeps out all that moves; a condition says when, as in `solid if n == 3`",
    ),
    (rf"({QUOTED}|[^\w\s])", _drawn_by),
    (r"carries\s*[:=]?\s*(\d+)\s+\w+", lambda said, kind: write(f"carries {said[1]}")),
    (
        rf"(?:inventory|capacity|slots|bag|holds|carries|{_HOLDS})\s*[:=]?\s*(?:{_AT_MOST}\s+)?(\d+)(?:\s+\w+)?",
        lambda said, kind: write(f"carries {said[1]}", ": how many things it can hold"),
    ),
    (rf"(?:{_HOLDS}|holds|carries)\s+(?:an?\s+|any\s+|one\s+)?[A-Za-z]\w*", _holding),
    (
        r"(?:view|sees|vision|sight|fov)\s*[:=]?\s*(\d+)(?:\s*x\s*\d+)?",
        lambda said, kind: f"what an agent sees is said by `observe: view {said[1]}x{said[1]}`",
    ),
    (r"(?:count|number|amount|times|x|\*)\s*[:=]?\s*(\d+)|(?<!\S)(?=\d)(\d+)", _counted),
    (r"(?:starts?\s+(?:at\s+)?|(?:placed\s+|stands\s+|is\s+)?at\s+)(\(.*\)|random.*)", _placed),
    (r"(?!not\b|in\b)([A-Za-z_]\w*)\s*(?:\bor\b|/)\s*([A-Za-z_]\w*)", _two_values),
)  # fmt: skip
_MEANT = tuple((re.compile(pattern), answer) for pattern, answer in _ROWS)


def described(mistake: Mistake) -> Meant | None:
    """`solid: false`, `is pushable`, `weight in 1..5 = 2`, `symbol "B"`, `moves back and forth`, `at random`."""
    if mistake.start != "properties":
        return None
    kind = kind_described(mistake)
    start, stop = mistake.item_start(), mistake.item_end()
    state = re.fullmatch(r"open\s*[:=]?\s*(true|false)", mistake.text[start:stop])
    if state is not None and len(re.findall(r"\bopen\b", mistake.whole)) > 1:  # rules speak of it
        help = write(f"open {state[1]} in false | true", ": an attribute has a domain")
        return Meant(help, start, stop, expected="a property", start=start, stop=stop)
    meant = of_item(mistake, [(said, partial(answer, kind=kind)) for said, answer in _MEANT], "a property")
    if meant is None or not isinstance(meant.help, Help) or meant.help.rewrites != ("",):
        return meant
    start, stop = _with_its_comma(mistake.text, mistake.item_start(), mistake.item_end())
    return replace(meant, start=start, stop=stop)


def _with_its_comma(text: str, start: int, stop: int) -> tuple[int, int]:
    """Return the place of an item and of the comma that separates it from another."""
    before = re.search(r",\s*\Z", text[:start])
    behind = re.match(r"\s*,\s*", text[stop:])
    if before is not None:
        return before.start(), stop
    return start, stop + (behind.end() if behind is not None else 0)
