"""Lines that are one statement for sure, in another wording: `step: reward -1`, `wall pond`, `lives: 3`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from griddsl.diagnostics import Help, domain_around, write
from griddsl.source import Fragment
from griddsl.syntax.keywords import EFFECT_WORDS
from griddsl.syntax.stray.near import near_statement

Said = Mapping[str, str]
_WAYS = "up|down|left|right|north|south|east|west|forward|backward|turn_left|turn_right|stay"
_STEPS = r"(?:each|every|per|for each)\s+(?:step|turn|move|tick)|(?:step|tick|turn|always|update)"
_PROPERTIES = "solid|pushable|portable|opaque|moves"
_DONE = (
    "win|won|success|lose|lost|failure|fail|done|terminate|terminated|terminal|termination"
    "|game_?over|finish|ends?|over"
)
_ASKED = r"(?:no|all|any)\s+\w+\s+\w[^:]*|[\w.]+\s*(?:==|<=?|>=?|\b(?:on|at|is|has|within)\b)[^:]*"
_OUTCOMES = {"w": " success", "s": " success", "l": " failure", "f": " failure"}


def _means(word: str, statement: str) -> bool:
    """Whether a word is near no statement, or near this one."""
    meant = near_statement(word)
    return meant is None or meant.rewrites[0] == statement


def _paid(said: Said) -> str:
    sign = said["sign"] if said["what"] == "reward" else "-"
    return f"each step: reward {sign}{said['amount']}"


def _turned(said: Said) -> str:
    return f"{said['category']} {said['name']}: {said['more'] or ''}".rstrip()


def _like(said: Said) -> str | None:
    return f"object {said['name']}: {said['is']}" if near_statement(said["name"]) is None else None


def _creature(said: Said) -> str | None:
    category = "tile" if said["word"] in {"floor", "ground", "terrain"} else "object"
    return f"{category} {said['name']}: {said['is']}" if _means(said["word"], "look") else None


def _number(said: Said) -> str | None:
    declared = f"var {said['name']}: {said['number']} in {domain_around(said['number'])}"
    return declared if _means(said["word"], "var") else None


def _constant(said: Said) -> str:
    return f"param {said['name']}: {said['number']} in {domain_around(said['number'])}"


def _counted(said: Said) -> str | None:
    if near_statement(said["name"]) is not None or said["name"] in EFFECT_WORDS:
        return None
    return f"var {said['name']}: {said['number']} in {domain_around(said['number'])}"


def _ended(said: Said) -> str:
    return f"when {said['asked']}: end{_OUTCOMES.get(said['word'][0], '')}"


def _reached(said: Said) -> str:
    outcome = {"w": " success", "l": " failure"}.get(said["word"][0], "")
    return f"on enter {said['place']}: end{outcome}"


# What a line is as a whole, and what to write in its place; the first that is not None.
_ROWS: tuple[tuple[str, str | Callable[[Said], str | None]], ...] = (
    (rf"(?P<what>reward|penalty|cost)\s*:?\s*(?P<sign>-?)(?P<amount>[\d.]+)\s+(?:{_STEPS})", _paid),
    (rf"(?:{_STEPS})\s*:?\s*(?P<effect>reward\b.*)", "each step: {effect}"),
    (r"(?:wall|block|blocker|obstacle)\s+(?P<name>\w+)\s*:?", "tile {name}: solid"),
    (r"(?:include|load|level|levels)\s*:?\s*(?P<file>\"[^\"]*\.(?:tmx|ldtk|txt)\")", "maps: {file}"),
    (rf"(?:moves|movement|directions|keys)\s*:\s*(?P<ways>(?:{_WAYS})(?:\s*,\s*(?:{_WAYS}))+)", "actions: {ways}"),
    (r"(?P<name>\w+)\s*:\s*(?P<category>object|tile)\b(?:\s*,\s*(?P<more>.*))?", _turned),
    (rf"(?P<name>[a-z_]\w*)\s*:\s*(?P<is>(?:{_PROPERTIES}|carries)\b.*)", _like),
    (rf"(?P<word>\w+)\s+(?P<name>[a-z_]\w*)\s*:\s*(?P<is>(?:{_PROPERTIES})\b.*)", _creature),
    (r"(?:num_)?(?:players|n_agents|num_agents|agent_count)\s*[:=]\s*(?P<number>\d+)", "agents: player * {number}"),
    (r"players\s*[:=]\s*(?P<names>[a-z_]\w*(?:\s*,\s*[a-z_]\w*)+)", "agents: {names}"),
    (r"players\s*[:=]\s*(?P<items>[a-z_]\w*\s*\*\s*\d+.*)", "agents: {items}"),
    (r"(?:let|int|integer|float|number|state)\s+(?P<name>[a-z_]\w*)\s*[:=]\s*(?P<items>\S+\s+in\s+\S.*)",
     "var {name}: {items}"),
    (r"do\s+(?P<name>\w+)\s*:\s*(?P<effects>\S.*)", "on do {name}: {effects}"),
    (r"action\s+(?P<name>\w+)\s*:\s*(?P<effects>(?:reward|end|place|remove|go|move|turn|pickup|drop)\b.*)",
     "on do {name}: {effects}"),
    (r"all\s+(?P<kind>\w+)\s*:\s*(?P<effects>\S.*)", "each {kind}: {effects}"),
    (r"(?:agent_)?(?:start|spawn)\w*\s*[:=]\s*random", "setup: place agent at random free"),
    (r"(?:const|constant|final)\s+(?:int\s+)?(?P<name>\w+)\s*[:=]\s*(?P<number>\d+)", _constant),
    (r"(?P<word>\w+)\s+(?P<name>[a-z_]\w*)\s*[:=]\s*(?P<number>\d+)", _number),
    (r"(?:(?:max(?:imum)?|time|step|episode|turn|move|game)[ _])+(?:steps?|limit|length|time)"
     r"\s*[:=]?\s*(?P<number>\d+)(?:\s*steps?)?",
     "limit: {number} steps"),
    (r"(?P<who>[a-z_]\w*)(?:'s)?\s+(?P<what>actions|observe|limit)\s*:\s*(?P<items>.*)", "{what} {who}: {items}"),
    (r"place\s+(?P<what>.*?)\s+(?:randomly|at\s+random|anywhere|somewhere)", "setup: place {what} at random free"),
    (r"for\s+(?P<kind>\w+)\s+in\s+(?:all\s+)?(?P=kind)e?s?\s*:\s*(?P<effects>\S.*)", "each {kind}: {effects}"),
    (r"(?:with\s+)?chance\s+(?P<chance>[\d./]+%?)\s*:?\s*(?P<head>(?:on|when|each|every)\s[^:]+?)\s*:\s*(?P<effects>\S.*)",
     "{head} with chance {chance}: {effects}"),
    (r"reward\s+(?P<head>(?:each|every|on|when)\s[^:]+?)\s*:\s*(?P<amount>[-+]?\d[\d.]*)", "{head}: reward {amount}"),
    (r"(?P<effect>end\s+(?:success|failure)|truncate)\s+(?:when|if)\s+(?P<asked>[^:]+)", "when {asked}: {effect}"),
    (r"(?:objective|task|instructions?)\s*:\s*(?P<text>[^\":=]+)", 'mission: "{text}"'),
    (rf"(?:(?:the\s+)?(?:episode|game)\s+(?:is\s+)?)?(?P<word>{_DONE})(?:\s+(?:if|when)|\s*:(?:\s*(?:if|when)\b)?)\s*(?P<asked>{_ASKED})",
     _ended),
    (r"(?P<word>win|lose|end|ends|terminate|finish|done)(?:\s*:\s*|\s+)(?:on|at|in)\s+(?:(?:enter(?:ing)?|reaching)\s+)?"
     r"(?:the\s+)?(?P<place>\w+)", _reached),
    (r"(?P<name>\w+)\s*[:=]\s*(?P<number>\d+)", _counted),
)  # fmt: skip
# These are asked for when the line has been found to be no effect and no other statement.
_LATE: tuple[tuple[str, str | Callable[[Said], str | None]], ...] = (
    (r"(?:wraps?|wrap_around|wraparound|torus|toroidal|periodic)\s*(?:[:=]\s*(?:true|yes|on|1)?)?", "edge: wrap"),
    (r"(?:with\s+)?(?:chance|prob(?:ability)?)\s*[:=]?\s*(?P<chance>[\d.%/]+)\s*:\s*(?P<effect>\S.*)",
     "each step with chance {chance}: {effect}"),
    (r"turn[ _]?orders?\s*[:=].*", "turns: alternate"),
    (r"reward\w*\s*[:=]\s*(?P<form>own|shared|zero_sum)\b.*", "rewards: {form}"),
    (r"reward\s*[:=]?\s*(?P<amount>[+-]?\d[\d.]*)\s+(?:on|at|for|in)\s+(?:enter(?:ing)?\s+|reaching\s+)?(?:the\s+|an?\s+)?(?P<kind>\w+)",
     "on enter {kind}: reward {amount}"),
)  # fmt: skip
_EARLIER, _LATER = (tuple((re.compile(form), rewrite) for form, rewrite in rows) for rows in (_ROWS, _LATE))


def rewritten_line(line: Fragment, late: bool = False) -> Help | None:
    """Return the statement that a whole line is in another wording; None where it may be anything."""
    text = line.text.rstrip()
    for form, rewrite in _LATER if late else _EARLIER:
        said = form.fullmatch(text)
        if said is not None:
            groups = said.groupdict()
            meant = rewrite.format_map(groups).rstrip() if isinstance(rewrite, str) else rewrite(groups)
            if meant is not None:
                return write(meant, place=line.span())
    return None
