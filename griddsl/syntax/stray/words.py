"""Lines at column 0 whose first word means what a statement does, although it is a word for something else."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, domain_around, write
from griddsl.source import Fragment
from griddsl.syntax.keywords import STATEMENTS

_DIRECTIONS = r"(?:to|north|south|east|west|left|right|up|down|around|back)\b"


_SIZE = re.compile(
    r"(?:size|grid|board|world|shape|dimensions|width|height)\s*:?\s*[\[(]?\s*(\d+)(?:\s*[x,*]\s*(\d+))?\s*[\])]?"
)


def help_of_size(line: Fragment, word: str) -> str | Help | None:
    """`size: 8x8`, `width: 7`: a grid is as large as its map is drawn, or as `generate` is told."""
    said = _SIZE.fullmatch(line.text.rstrip())
    if said is None or (word in {"width", "height"} and said[2]):
        return None
    if re.search(r"^map\b", line.source.text, re.MULTILINE):
        return Help("the grid is as large as the map is drawn: leave it out", ("",), place=line.span())
    if word in {"width", "height"}:
        return (
            "a grid is as large as its `map:` is drawn; without one, `generate: empty(8, 8)` says how large"
        )
    return write(f"generate: empty({said[1]}, {said[2] or said[1]})", place=line.span())


def is_named(line: Fragment) -> bool:
    """Whether a statement that may have a name has one: a map, or a kind of agent that the file names elsewhere."""
    said = re.fullmatch(r"map\s+\S.*|agent\s+(\w+)", line.text)
    if said is None or said[1] is None:
        return said is not None
    return said[1] != "facing" and len(re.findall(rf"\b{said[1]}\b", line.source.text)) > 1


def help_of_loop(word: str) -> str | None:
    """`retry 3 until C:`, `repeat 5:`: what opens a block in a block, and is no statement."""
    if word not in {"retry", "repeat"}:
        return None
    where = "in `setup:`" if word == "retry" else "in `setup:`, or in a rule such as `each step:`"
    return f"`{word}` opens a block {where}: it stands there, indented, and its own lines deeper"


_A_CONDITION = re.compile(
    r"(?P<agent>agent)(?:\.\w+\s*(?:[<>]|[=!]=|is\b)|\s+(?:on|at|has|sees|within|ahead)\s+[\w(])[^:]*:|"
    r"(?!(?:on|when|each|every|if|allow)\b)[A-Za-z_]\w*\s+(?:on|at|has|sees|within)\s+[A-Za-z_(][^:]*:"
)


def is_a_condition(line: Fragment) -> bool:
    """Whether a line starts with a relation, which holds for a while: `agent on pit: end failure`."""
    said = _A_CONDITION.match(line.text)
    return said is not None and (said["agent"] is not None or line.text.split()[0] not in STATEMENTS)


def _condition(line: Fragment) -> Help | None:
    """`agent on pit: end failure`: what holds for a while stands behind `when`."""
    if not is_a_condition(line):
        return None
    head = line.text.partition(":")[0]
    return Help(f"write `when {head}: ...`", ("when ",), place=line.span(0, 0))


def other_statement(line: Fragment, word: str) -> str | None:
    """Return what a line says in the words of the statement that is meant; None where it is none of these."""
    return (
        _rule_of_if(line)
        or _turns(line)
        or _forbidden(line)
        or _masked(line)
        or _for_all(line)
        or _for_in(line)
        or _typed(line)
        or _after(line)
        or _while(line)
        or _timer(line)
        or _condition(line)
    )


_IF = re.compile(r"(?:if|whenever)\s+(?P<test>[^:\n]+?)\s*(?::|\bthen\b:?)\s*(?P<effects>\S.*)?")
_EVENT = re.compile(
    r"(?:agent\s+)?(enter|leave|bump|push|pickup|drop|toggle|meet)s?\s+(?:the\s+|an?\s+)?(\w+)"
)


def _rule_of_if(line: Fragment) -> str | None:
    """`if agent at (1, 0): reward 1`, `if enter goal then end`: a rule starts with its trigger."""
    said = _IF.fullmatch(line.text.rstrip())
    if said is None:
        test = re.fullmatch(r"(?:if|whenever)\s+([^:]+)", line.text.rstrip())
        return None if test is None else f"a rule starts with its trigger: `when {test[1][:40]}: ...`"
    happens = _EVENT.fullmatch(said["test"])
    head = f"on {happens[1]} {happens[2]}" if happens is not None else f"when {said['test']}"
    whole = write(f"{head}: {said['effects'] or ''}".rstrip(), place=line.span())
    return Help(f"a rule starts with its trigger: {whole}", whole.rewrites, place=line.span())


def _turns(line: Fragment) -> Help | None:
    """`turn: alternate`: whose turn it is, and no effect of turning."""
    said = re.fullmatch(rf"turn\s*([:=]?)\s*(?!{_DIRECTIONS})([a-z_]+)", line.text.rstrip())
    if said is None:
        return None
    if said[1] == ":":
        return Help("did you mean `turns`?", ("turns",), "turn")
    return write(f"turns: {said[2]}", place=line.span())


def _forbidden(line: Fragment) -> Help | None:
    """`forbid pickup where C`, `legal drop: C`: what is allowed is said, by a condition."""
    legal = re.match(
        r"(?:legal|allowed|permit|enable|available|can)\s+(?=\w+\s*(?:\([^()]*\))?\s*:)", line.text
    )
    if legal is not None:
        return Help("write `allow`", ("allow ",), place=line.span(0, legal.end()))
    said = re.fullmatch(
        r"(?:forbid|disallow|deny|prevent|prohibit|ban)\s+(\w+)\s*:?\s*(?:(?:if|when|where|while)\s+)?(\S.*)",
        line.text.rstrip(),
    )
    return write(f"allow {said[1]}: not ({said[2]})", place=line.span()) if said is not None else None


def _masked(line: Fragment) -> Help | None:
    """`mask sow: C`: what makes the mask is what is allowed."""
    asked = re.fullmatch(
        r"(?:action_)?mask\s*:\s*(\w+)\s*(?:if|when|where|while|:)\s*(\S.*)", line.text.rstrip()
    )
    if asked is not None:
        return write(f"allow {asked[1]}: {asked[2]}", ": what is allowed makes the mask", line.span())
    said = re.match(r"(?:action_)?mask\s+(?=\w+\s*:)", line.text)
    if said is None:
        return None
    return Help(
        "did you mean `allow`? what it says makes the mask", ("allow ",), place=line.span(0, said.end())
    )


def _for_all(line: Fragment) -> Help | None:
    """`forall truck: reward -1`, `foreach coin: ...`: a rule for each."""
    said = re.match(r"(?:forall|foreach|every_one|for_each|for)\b\s*\(?\s*\??", line.text)
    if said is None or not re.match(r"\w+\s*\)?\s*:", line.text[said.end() :]):
        return None
    return Help("did you mean `each`?", ("each ",), place=line.span(0, said.end()))


def _for_in(line: Fragment) -> str | None:
    """`for s in sheep:`, `for wolf in wolves:`, `for i in 1..3:`: a rule for each, or a loop in a rule."""
    said = re.match(r"for\s+(\w+)\s+in\s+([\w.|() ]+?)\s*(?=:)", line.text)
    if said is None:
        return None
    among = re.sub(r"s\Z", "", said[2])
    for kind in (said[1], said[2], among, re.sub(r"e\Z", "", among)):
        if re.search(rf"^(?:tile|object)\s+{re.escape(kind)}\b", line.span().source.text, re.MULTILINE):
            if kind == said[1]:
                return write(f"each {kind}", place=line.span(0, said.end()))
            return f"a rule goes through things by their kind: `each {kind}: ...`, and calls each of them `{kind}`"
    return f"a loop stands in a rule, such as `each step:`; there, indented, it reads `each {said[1]} in 1..3: ...`"


def _typed(line: Fragment) -> Help | None:
    """`int lives = 3`, `bool open = false;`, `float heat: 2`: a variable of the state has a domain."""
    said = re.fullmatch(
        r"(?:int|integer|bool|boolean|float|double|number|auto|string|str)\s+(\w+)\s*[:=]\s*(\d+|true|false|True|False)\s*;?",
        line.text.rstrip(),
    )
    if said is None:
        return None
    domain = f" in {domain_around(said[2])}" if said[2].isdigit() else ""
    return write(f"var {said[1]}: {said[2].lower()}{domain}", place=line.span())


def _after(line: Fragment) -> Help | None:
    """`after 10 steps: end`, `at step 10: ...`: a moment is a condition on `step`."""
    said = re.match(
        r"(after|at|until|before)\s+(?:step\s+)?(\d+)(?:\s+(?:steps?|turns?|ticks?))?\s*(?=:)", line.text
    )
    if said is None:
        return None
    sign = "<" if said[1] in {"until", "before"} else "=="
    return write(f"when step {sign} {said[2]}", place=line.span(0, said.end()))


def _while(line: Fragment) -> Help | None:
    """`while energy > 3: reward 1`, `until lit: reward -1`: what holds in a step is asked by `when`."""
    said = re.match(r"(while|until|unless)\s+([^:]+?)\s*(?=:)", line.text)
    if said is None:
        return None
    asked = said[2] if said[1] == "while" else f"not ({said[2]})"
    return write(f"when {asked}", ": in each step in which it holds", line.span(0, said.end()))


def _timer(line: Fragment) -> Help | None:
    """`timer bomb: 10 steps`: a timer is a variable that rules count down."""
    said = re.fullmatch(
        r"(?:timer|counter|clock|countdown)\s+(\w+)\s*[:=]\s*(\d+)(?:\s+steps?)?", line.text.rstrip()
    )
    if said is None:
        return None
    declared = f"var {said[1]}: {said[2]} in {domain_around(said[2])}"
    return write(
        declared, f": a timer is a variable, and `each step: {said[1]} -= 1` counts it down", line.span()
    )
