"""Effects that are nearly said: with a word too many, or one for another."""

from __future__ import annotations

import re
from collections.abc import Callable

from griddsl.compass import MEANT_BY
from griddsl.diagnostics import write
from griddsl.syntax.habits.mistake import Meant, Mistake
from griddsl.syntax.keywords import ONE_LEVEL

Said = re.Match[str]


def _drawn(said: Said, mistake: Mistake) -> str:
    name, values = said[1], said[2].strip()
    is_variable = re.search(rf"^var\s+{name}\b", mistake.whole, re.MULTILINE) is not None
    return f"{name} = random {values}" if is_variable else f"choose {name} in {values}"


def _in_half(said: Said, _: Mistake) -> str:
    left, right = ("0", "width div 2 - 1"), ("(width + 1) div 2", "width - 1")
    top, bottom = ("0", "height div 2 - 1"), ("(height + 1) div 2", "height - 1")
    columns = {"left": left, "west": left, "right": right, "east": right}.get(said[2], ("0", "width - 1"))
    rows = {"top": top, "upper": top, "north": top, "bottom": bottom, "lower": bottom, "south": bottom}
    from_row, to_row = rows.get(said[2], ("0", "height - 1"))
    return f"place {said[1]} in ({columns[0]}..{columns[1]}, {from_row}..{to_row}){said[3] or ''}"


_WHAT = r"(?:\d+\s+)?\w+(?:\([^()]*\))?"
_BESIDE = {
    **dict.fromkeys(("above", "over", "north"), ("", " - 1")),
    **dict.fromkeys(("below", "under", "beneath", "south"), ("", " + 1")),
    **dict.fromkeys(("left", "west"), (" - 1", "")),
    **dict.fromkeys(("right", "east"), (" + 1", "")),
}


def _beside(said: Said, _: Mistake) -> str:
    across, down = _BESIDE[said[2]]
    return f"place {said[1]} at ({said[3]}.x{across}, {said[3]}.y{down})"


# How an effect reads that is said so, the first that fits.
_FORMS: tuple[tuple[str, Callable[[Said, Mistake], str]], ...] = (
    (r"go\s+back\s+(?:to\s+)?start", lambda said, _: "go to start"),
    (r"end\s+(?:with|in|as)\s+(\w+)", lambda said, _: f"end {said[1]}"),
    (r"place\s+(.+?)\s+at\s+((?:row|column)\s+\S+)", lambda said, _: f"place {said[1]} in {said[2]}"),
    (
        r"place\s+([A-Za-z_]\w*)\s+(?:with\s+)?([A-Za-z_]\w*)\s*=\s*(\w+)\s+((?:at|in)\s.+)",
        lambda said, _: f"place {said[1]}({said[2]}={said[3]}) {said[4]}",
    ),
    (
        r"place\s+([A-Za-z_]\w*)\s+with\s+([A-Za-z_]\w*)\s+(\w+)\s+((?:at|in)\s.+)",
        lambda said, _: f"place {said[1]}({said[2]}={said[3]}) {said[4]}",
    ),
    (
        rf"place\s+({_WHAT})\s+({'|'.join(_BESIDE)})(?:\s+(?:of|from))?\s+(?:the\s+)?([A-Za-z_]\w*)",
        _beside,
    ),
    (
        r"place\s+(.+?)\s+(?:at|in|on)\s+(?:any|an?|some)\s+(?:(?:free|empty)(?:\s+(?:cell|square|place|tile))?|cell)",
        lambda said, _: f"place {said[1]} at random free",
    ),
    (
        r"place\s+(.+?)\s+(?:at|in|on)\s+(?:any|some)\s+([A-Za-z_]\w*)",
        lambda said, _: f"place {said[1]} at random {said[2]}",
    ),
    (
        r"place\s+([A-Za-z_]\w*)\s+(?:x|times)\s*(\d+)\s+((?:at|in)\s.+)",
        lambda said, _: f"place {said[2]} {said[1]} {said[3]}",
    ),
    (
        r"place\s+([A-Za-z_]\w*)\s+(?:randomly|everywhere|anywhere)\s+(?:with\s+)?(?:chance\s+)?([\d.]+%?)",
        lambda said, _: f"place {said[1]} at every floor with chance {said[2]}",
    ),
    (
        r"place\s+(.+?)\s+in\s+(?:the\s+)?(left|right|top|bottom|upper|lower|north|south|east|west)(?:ern)?\s+half(\s+if\s+free)?",
        _in_half,
    ),
    (
        r"place\s+(.+?)\s+at\s+(?:the\s+)?(?:previous|last|old)\s+(?:position|cell|place|location)(?:\s+of\s+(?:the\s+)?(\w+))?",
        lambda said, _: f"place {said[1]} at (prev({said[2] or 'agent'}.x), prev({said[2] or 'agent'}.y))",
    ),
    (
        r"fill\s+(\([^()]*\.\.[^()]*\)|row\s+\S+|column\s+\S+|border)\s+with\s+(.+)",
        lambda said, _: f"place {said[2]} in {said[1]}",
    ),
    (
        r"fill\s+(?:all\s+|every\s+|the\s+)?([A-Za-z_]\w*)\s+with\s+(.+)",
        lambda said, _: f"place {said[2]} at every {said[1]}",
    ),
    (r"(\d+)\s+times\s*:\s*place\s+(\D.*)", lambda said, _: f"place {said[1]} {said[2]}"),
    (r"choose\s+([A-Za-z_]\w*)\s*:\s*(.+)", lambda said, _: f"choose {said[1]} in {said[2]}"),
    (r"(place\s.+?=\s*random)\s+in\s+(.+)", lambda said, _: f"{said[1]} {said[2]}"),
    (r"([A-Za-z_]\w*)\s*~\s*([^~]+)", _drawn),
    (r"let\s+([A-Za-z_]\w*)\s+in\s+(.+)", lambda said, _: f"choose {said[1]} in {said[2]}"),
    (
        r"reward\s+(max|min|sum)\s+([A-Za-z_]\w*)\.(\w+)",
        lambda said, _: f"reward {said[1]}({said[2]}.{said[3]} for {said[2]})",
    ),
)


_OF_EACH = re.compile(
    r"(?:all|every|each|any)\s+([A-Za-z_]\w*)\s+(?:moves?|goes|go|steps?)\s+(?:to\s+(?:the\s+)?)?(\w+)"
)
_UNTIL = re.compile(r"move\s+([A-Za-z_]\w*)\s+(\w+)\s+until\s+.+")
_TO_ALL = re.compile(r"(reward\s+.+?)\s+to\s+(?:all|each|every|both)(?:\s+of)?(?:\s+the)?\s+([A-Za-z_]\w*)")


_LINES = (
    (
        r"(?:skip|next|pass|end\s+(?:the|my|this)|switch|change|finish)\s+(?:the\s+)?(?:turns?|round|players?)",
        "whose turn it is passes after each action of itself: an action without a rule, `stay`, passes it on",
    ),
    (
        r"set\s+(?:the\s+)?(\w+)\s+at\s+(\w+|\([^()]*\))\s+to\s+(\S+)",
        "what is set is an attribute of the one that is there: `(the {0} at {1}).NAME = {2}`",
    ),
    (
        r"(\d+)\s+times\s*:\s*(.+)",
        "a block does it again: `repeat {0}:` on a line of its own, and below it `{1}`",
    ),
    (
        r"(?:lose|loses|take|takes|costs?)\s+(?:an?\s+|one\s+|1\s+)?(?:life|lives)",
        "lives are a variable: `var lives: 3 in 0..3`, `lives -= 1`, and `when lives == 0: end failure`",
    ),
    (
        r"(?:ensure|make\s+sure|require|assert|guarantee)\s+[^()]*\b(?:reach\w*|connected|a\s+path)\b[^()]*",
        "setup draws again until it holds: `retry 100 until path_distance(agent, goal) < width * height:`, "
        "and what it draws below",
    ),
    (
        r"(?:next|load|advance|change|go\s+to)\s+(?:the\s+)?(?:next\s+)?(?:level|map)\b.*",
        ONE_LEVEL,
    ),
    (
        r"place\s+random\s+(\S+\.\.\S+)\s+(\w+).*",
        "how many is chosen in a line before: `choose n in {0}`, `place n {1} at random free`",
    ),
    (
        r"place\s+(\w+)\s+at\s+\(\s*random\s+(\S+\.\.[^\s,]+)\s*,.*",
        "a number is chosen in a line before: `choose c in {1}`, `place {0} at (c, 0)`",
    ),
)


def at_length(mistake: Mistake) -> Meant | None:
    """`skip turn`, `all box move south`, `move box south until blocked`, `reward 1 to all hunters`, `lose life`."""
    if mistake.start != "effects":
        return None
    start, stop = mistake.item_start(), mistake.item_end()
    item = mistake.text[start:stop].rstrip()
    for form, line in _LINES:
        if (said := re.fullmatch(form, item)) is not None:
            return Meant(line.format(*said.groups()), start, start + len(item), expected="an effect")
    if (said := _OF_EACH.fullmatch(item)) is not None:
        kind, way = mistake.singular(said[1]) or said[1], MEANT_BY.get(said[2].lower(), said[2])
        line = f"a loop goes through them, on a line of its own: `each {kind}: move {kind} {way}`"
        return Meant(line, start, start + len(item), expected="an effect")
    if (said := _UNTIL.fullmatch(item)) is not None:
        line = f"a loop moves it again, and what is barred stays: `repeat height:`, then `move {said[1]} {said[2]}`"
        return Meant(line, start, start + len(item), expected="`,` or the end")
    if (said := _TO_ALL.fullmatch(item)) is not None:
        agent = re.search(
            rf"^agents\s*:.*\b({said[2]}|{said[2].removesuffix('s')})\b", mistake.whole, re.MULTILINE
        )
        if agent is not None:
            return Meant(
                write(f"{said[1]} to {agent[1]}", ": each of them gets it"),
                start=start,
                stop=start + len(item),
            )
    return None


def nearly(mistake: Mistake) -> Meant | None:
    """`go back to start`, `end with success`, `place box at row 1`, `n ~ 0..5`, `reward max box.weight`."""
    if mistake.start != "effects":
        return None
    start, stop = mistake.item_start(), mistake.item_end()
    item = mistake.text[start:stop].rstrip()
    for form, rewrite in _FORMS:
        said = re.fullmatch(form, item)
        if said is not None:
            return Meant(write(rewrite(said, mistake)), start=start, stop=start + len(item))
    return None
