"""Words that are no effect of the language, and what is most likely meant by them."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, did_you_mean, near, write
from griddsl.source import Span
from griddsl.syntax.habits.effects.blocks import BEHIND_IF, ELSE_IF
from griddsl.syntax.habits.mistake import Meant, Mistake
from griddsl.syntax.keywords import EFFECT_WORDS

# What is written instead of an effect; `{}` is what stands behind the word.
_EFFECTS = {
    **dict.fromkeys(("goto", "go_to", "teleport", "jump", "warp"), "go to {}"),
    **dict.fromkeys(
        (
            "destroy",
            "delete",
            "kill",
            "eat",
            "consume",
            "erase",
            "despawn",
            "hide",
            "collect",
            "take",
            "grab",
            "get",
            "clear",
        ),
        "remove {}",
    ),
    **dict.fromkeys(("spawn", "create", "put", "add", "make"), "place {}"),
    **dict.fromkeys(
        (
            "terminate",
            "terminated",
            "finish",
            "done",
            "stop",
            "restart",
            "quit",
            "exit",
            "gameover",
            "game_over",
        ),
        "end",
    ),
    **dict.fromkeys(("win", "wins", "won", "victory", "success", "succeed"), "end success"),
    **dict.fromkeys(
        ("lose", "loses", "lost", "die", "dies", "dead", "death", "fail", "failure"), "end failure"
    ),
    **dict.fromkeys(("timeout", "truncated"), "truncate"),
    **dict.fromkeys(("score", "points", "gain", "earn", "rewards", "give_reward"), "reward {}"),
    **dict.fromkeys(("penalty", "penalize", "cost", "punish"), "reward -{}"),
    **dict.fromkeys(("release", "put_down"), "drop {}"),
    **dict.fromkeys(("pick_up", "pick"), "pickup {}"),
    **dict.fromkeys(("face", "rotate"), "turn to {}"),
    **dict.fromkeys(("open", "unlock"), "{} becomes open"),
    **dict.fromkeys(("close", "shut"), "{} becomes closed"),
    **dict.fromkeys(("set", "let"), "{}"),
    **dict.fromkeys(("increase", "increment", "inc"), "{} += 1"),
    **dict.fromkeys(("decrease", "decrement", "dec", "reduce"), "{} -= 1"),
}
_BACK = {"reset", "respawn"}
_TAKING = {"collect", "take", "grab", "get"}
_WORDS = {
    "for": "a loop goes through things, `each K: ...`, or through values, `each i in 0..3: ...`",
    "foreach": "a loop goes through things, `each K: ...`, or through values, `each i in 0..3: ...`",
    "while": "a loop has a bound, `repeat 10 until C: ...`; a rule fires in every step, as in `when C: ...`",
    "when": "inside a block a condition starts with `if`",
    "change": "values are changed as in `K becomes WORD`, `NAME = VALUE`",
    "give": "`reward 1` gives a reward, `pickup K` an object",
    "transform": "write `K becomes K2`",
    "replace": "write `K becomes K2`",
    "swap": "nothing changes places in one effect: each is moved, as in `move K to CELL`",
    "print": "write `info NAME = VALUE`: it stands in the info of the step",
    "log": "write `info NAME = VALUE`: it stands in the info of the step",
    "say": "write `info NAME = VALUE`: it stands in the info of the step",
    "message": "write `info NAME = VALUE`: it stands in the info of the step",
    "random": "write `choose NAME in ...`",
    "break": "there is no `break`: a loop ends by its `until`, as in `repeat 9 until C:`, and `each` by its `where`",
    "continue": "there is no `continue`: what is done for some only, stands below an `if`",
    **dict.fromkeys(("pass", "nothing", "noop"), "leave the line out"),
    "return": "nothing is returned: `reward 1` and `end` are effects; "
    "a value is an expression, as in `define f(n): 1 if n > 2 else 0`",
    "wait": "nothing waits: `stay` is an action, and `every 3 steps` a trigger",
    **{
        word: f"a map is drawn by a statement, before `setup`: `generate: {word}(15, 15)`"
        for word in ("maze", "cave")
    },
    **dict.fromkeys(
        ("require", "assert", "ensure"),
        "setup draws again until it holds: `retry 100 until C:`, and what it draws below",
    ),
    "shuffle": "what is drawn is placed, `place K at random free`, or chosen, `choose NAME in ...`",
    "play": "there are no sounds",
    "sound": "there are no sounds",
    "push": "what is pushed goes as the agent moves against it: `object box: pushable`",
    "block": "what cannot be entered is `solid`: `tile rock: solid`",
}
_SHAPES = "an effect starts with its word, as in `reward 1`, `end success`, `remove K`, or sets a value: `NAME = VALUE`"
_TAKEN = re.compile(
    r"(?:the\s+)?(?:agent|player)\s+(?:gets|takes|receives|collects|grabs|picks\s+up)\s+(?:the\s+|an?\s+)?(?P<got>\w+)"
    r"|(?:give|hand)s?\s+(?:the\s+|an?\s+)?(?P<given>\w+)\s+to\s+(?:the\s+)?(?:agent|player)"
)
_GONE = re.compile(
    r"(?:the\s+)?(\w+)\s+(?:disappears?|vanish(?:es)?|is\s+(?:removed|gone|destroyed|eaten|taken|collected))"
)
_DRAWN = re.compile(
    r"(?:random|randomi[sz]e)\s+(?:the\s+)?(agent|player)(?:\s+(?:start|position|cell))?|(agent|player)\s+random(?:ly)?"
)
_GIVEN = re.compile(
    r"(?:give|get|add|gain|earn|receive)s?\s+(?:an?\s+)?(?:reward\s+(?:of\s+)?)?"
    r"([+-]?\d[\d.]*)(?:\s+points?)?"
)


def effect_help(name: str, rest: str = "") -> str | None:
    """Return what a word that is no effect most likely means, with what stands behind it."""
    word = name.lower()
    if word in ELSE_IF:
        return write("else if")
    if word in _BACK:
        return _put_back(word, rest.strip())
    is_called = rest.lstrip().startswith("(") and "{}" not in _EFFECTS.get(word, "{}")
    if word in _EFFECTS and not is_called:
        return _written(word, rest.strip())
    return _WORDS.get(word)


def named_alone(name: str, whole: str) -> str | None:
    """`when pressed: lit`: a variable that the file declares does nothing by its name alone: it is set."""
    declared = re.search(rf"^var\s+{re.escape(name)}\s*:\s*(\S+)(?:\s+in\s+(\S+))?", whole, re.MULTILINE)
    if declared is None:
        return None
    if declared[1] in {"true", "false"} or declared[2] in {"true", "false"}:
        return write(f"{name} = true", ": a variable is set; what is asked stands behind `if`")
    value = f"{name} += 1" if re.match(r"[-\d(]", declared[1]) else f"{name} becomes {declared[1]}"
    return f"a variable is set, as in `{value}`; what is asked stands behind `if`"


def placed_by_call(name: str, given: list[str], place: Span) -> Help | None:
    """Return what `place_agent()` and `put_obj(goal, 4, 4)` say: `place`, a kind, and where it comes to be."""
    said = re.fullmatch(r"(?:place|put|add|spawn|set)_?([a-z_]*)", name.lower())
    if said is None:
        return None
    called = {"obj": "", "object": "", "thing": "", "tile": "", "item": "", "player": "agent"}
    kind = called.get(said[1], said[1])
    if not kind and given and re.fullmatch(r"[A-Za-z_]\w*(?:\([^()]*\))?", given[0]):
        kind, given = given[0], given[1:]
    if not kind or not re.fullmatch(r"\d+|\([^()]*\)|", given[0] if given else ""):
        return None
    cell = {0: "random free", 1: given[0] if given else "", 2: f"({', '.join(given)})"}.get(len(given), "")
    return write(f"place {kind} at {cell}", place=place) if cell and not cell.isdigit() else None


def _put_back(word: str, rest: str) -> str | None:
    """Return what `reset`, `reset agent`, `respawn coin` mean: alone, `reset` may be of the episode."""
    said = re.fullmatch(r"\(?\s*(?:the\s+)?(\w*)(?:\.?\s*position|\s+at\s+start|\s+to\s+start)?\s*\)?", rest)
    if said is None:
        return None
    who = said[1]
    if who not in {"", "agent", "player", "self", "position", "me"}:
        return write(f"move {who} to start")
    if who or word == "respawn":
        return write("go to start")
    line = "write `go to start` to put the agent back, `end` to end the episode"
    return Help(line, ("go to start", "end"))


def _written(word: str, rest: str) -> str:
    form = _EFFECTS[word]
    if word in {"kill", "destroy"} and re.fullmatch(r"\(?\s*(?:the\s+)?(?:agent|player|self)\s*\)?", rest):
        return write("end failure")
    rest = re.sub(r"\A\((.*)\)\Z", r"\1", rest)
    if form == "turn to {}" and re.fullmatch(r"(?:the\s+)?(?:agent|player|self|)", rest):
        return "a turn names a direction, `turn to north`; `turn_left` and `turn_right` are actions"
    if form == "go to {}":
        rest = re.sub(r"\A(agent\s+)?(to\s+)?((the|an?)\s+)?", "", rest)
    if form == "place {}" and rest and not re.search(r"\b(at|in)\b", rest):
        rest = f"{rest} at random free"
    if form == "{}":
        rest = re.sub(r"\s+to\s+", " = ", rest.removeprefix("the "), count=1)
        rest = re.sub(r"\A(\w+)\s+([a-z]\w*)\Z", r"\1 becomes \2", rest)
        form = "{}" if "=" in rest or " becomes " in rest else "NAME = VALUE"
    by = re.fullmatch(r"(.+?)\s+by\s+(.+)", rest)
    if by is not None and form.endswith("1"):
        rest, form = by[1], f"{form[:-1]}{by[2]}"
    if "{}" in form and not rest:
        return f"write `{form.format('1' if form.startswith('reward') else 'K')}`"
    if "{}" in form and not re.fullmatch(r"[\w .()=,+*/-]+", rest):
        return f"write `{form.format('K')}`"
    more = f"; `pickup {rest}` lets the agent carry it" if word in _TAKING else ""
    return write(form.format(rest), more)


def unknown_effect(mistake: Mistake) -> Meant | None:
    """`rewrd 3`, `collect coin`, `energy is 5`: the first word of the item is no effect."""
    if mistake.start != "effects":
        return None
    start, stop = mistake.item_start(), mistake.item_end()
    word = re.compile(r"[A-Za-z_]\w*").match(mistake.text, start)
    if word is None or word.group() in {*EFFECT_WORDS, "if", "else", "retry", "repeat"}:
        return None
    name = word.group()
    if mistake.found in {"from", "of"} and {"IN", "DISTINCT"} <= mistake.expected:
        return None  # one more name behind `choose`, whose domain lacks its `in`
    rest = mistake.text[word.end() : stop].strip()
    given = re.fullmatch(r"-?[\w.]+(?:\s*,\s*-?[\w.]+)*", rest)
    if given is not None and re.search(rf"^define\s+{name}\s*\(", mistake.whole, re.MULTILINE):
        return Meant(write(f"{name}({rest})"), start, stop, unknown_effect=name, start=start, stop=stop)
    called = re.fullmatch(r"(\w+)\s*\(.*\)", rest)
    is_defined = called is not None and re.search(rf"^define\s+{called[1]}\b", mistake.whole, re.MULTILINE)
    if is_defined and name.lower() in {"call", "do", "run", "invoke", "perform", "execute", "apply", "use"}:
        line = write(rest, ": a definition is carried out by its name")
        return Meant(line, *word.span(), unknown_effect=name, start=start, stop=stop)
    if re.match(r"\+\+|--|[*/%]=", rest):
        return None
    item = mistake.text[start:stop]
    taken = _TAKEN.fullmatch(item)
    if taken is not None and mistake.is_kind(kind := taken["got"] or taken["given"]):
        return Meant(write(f"pickup {kind}"), *word.span(), unknown_effect=name, start=start, stop=stop)
    is_own = re.search(rf"^var\s+{name}\b", mistake.whole, re.MULTILINE) is not None
    drawn = _DRAWN.fullmatch(item)
    if drawn is not None:
        placed = write("place agent at random free")
        return Meant(placed, *word.span(), unknown_effect=name, start=start, stop=stop)
    known = name.lower() in {*_EFFECTS, *_WORDS, *_BACK, *ELSE_IF} and not is_own
    state = re.fullmatch(r"(?:the\s+)?(\w+)\s+(?:to\s+)?([a-z]\w*)", rest) if name.lower() == "set" else None
    if state is not None and mistake.is_kind(state[1]):
        rest = f"{state[1]} {state[2]}"
    if known and (name == "return" or not re.match(r"[.=+-]", rest)):
        help = effect_help(name, rest)
        whole = isinstance(help, Help) and name.lower() not in ELSE_IF
        return Meant(help, *word.span(), unknown_effect=name, start=start, stop=stop if whole else word.end())
    over = re.fullmatch(r"(?:agent|player|game)\s+(?:is\s+)?(\w+)", item)
    if over is not None and _EFFECTS.get(over[1], "").startswith("end"):
        help = write(_EFFECTS[over[1]])
        return Meant(help, *word.span(), unknown_effect=name, start=start, stop=stop)
    gone = _GONE.fullmatch(item)
    if gone is not None and (mistake.is_kind(gone[1]) or mistake.is_thing(gone[1])):
        return Meant(write(f"remove {gone[1]}"), *word.span(), unknown_effect=name, start=start, stop=stop)
    won = re.fullmatch(r"(\w+)\s+(wins?|won|loses|lost)", item)
    if won is not None and won[1] not in _EFFECTS:
        help = write(f"end {won[1]}_{'wins' if won[2][0] == 'w' else 'loses'}")
        return Meant(help, *word.span(), unknown_effect=name, start=start, stop=stop)
    changed = re.fullmatch(r"([A-Za-z_]\w*(?:\.\w+)?)\s*([+-])\s*([\w.]+)", item)
    if changed is not None and did_you_mean(name, EFFECT_WORDS) is None:
        help = write(f"{changed[1]} {changed[2]}= {changed[3]}", " to change it")
        return Meant(help, start, stop, unknown_effect=changed[1], start=start, stop=stop)
    if mistake.text[word.end() : mistake.begin].strip() or mistake.found in {"=", "+=", "-=", "(", "."}:
        return None
    if (misspelt := did_you_mean(name, EFFECT_WORDS)) is not None:
        return Meant(misspelt, *word.span(), unknown_effect=name)
    value = re.fullmatch(r"(?:is|==|to|:=)?\s*(-?[\w.]+(?:\s*[-+*/]\s*[\w.]+)*)", rest)
    if value is not None and not re.search(r"\b(not|and|or|on|at|has)\b", value[1]):
        said = re.match(r"is\b|==|to\b|:=|-?\d", rest)
        if said is not None:
            sign = (
                "="
                if re.match(r"-?\d|(true|false)\b", value[1]) or not value[1].isidentifier()
                else "becomes"
            )
            return Meant(
                write(
                    f"{name} {sign} {value[1]}",
                    BEHIND_IF if said[0] in {"is", "=="} else " to set a variable",
                ),
                *word.span(),
                unknown_effect=name,
                start=start,
                stop=stop,
            )
    if re.match(r"[^\w\s\"(:-]", mistake.found) or near(mistake.found, ("becomes", "distinct")):
        return None
    return Meant(_SHAPES, *word.span(), unknown_effect=name)


def called_effect(mistake: Mistake) -> Meant | None:
    """`remove(coin)`, `end("success")`: an effect written as a call."""
    if mistake.start != "effects":
        return None
    start, stop = mistake.item_start(), mistake.item_end()
    called = re.fullmatch(r"(\w+)\(\s*\"?([\w .=]*)\"?\s*\)", mistake.text[start:stop])
    if called is None or called[1] not in EFFECT_WORDS or mistake.begin < start + called.end(1):
        return None
    return Meant(
        write(f"{called[1]} {called[2]}".strip()),
        start + called.end(1),
        stop,
        found="brackets",
        expected="what the effect is about, without them",
        start=start,
        stop=stop,
    )


def bare_number(mistake: Mistake) -> Meant | None:
    """`on enter goal: +10`, `reward 10 points`, `give reward 10`: a reward in other words."""
    if mistake.start != "effects":
        return None
    start, stop = mistake.item_start(), mistake.item_end()
    item = mistake.text[start:stop]
    thousands = re.search(r"\d,\Z", mistake.text[:start])
    if re.fullmatch(r"[+-]?\d+(\.\d+)?(\s+(points?|rewards?))?", item) and thousands is None:
        number = re.match(r"\S+", item)
        assert number is not None
        return Meant(write(f"reward {number.group()}"), start, stop, expected="an effect")
    given = _GIVEN.fullmatch(item)
    if given is not None:
        word = re.match(r"\w+", item)
        assert word is not None
        help = write(f"reward {given[1]}")
        return Meant(help, start, start + word.end(), unknown_effect=word.group(), start=start, stop=stop)
    given_to = re.fullmatch(r"(reward\s+[^,]+?)\s+(for|of|by)\s+(\w+)", item)
    if given_to is not None and mistake.found == given_to[2]:
        return Meant(write("to"))
    paid = re.fullmatch(r"reward\s+([A-Za-z_]\w*)\s*(?::|\+=|=)?\s*([+-]?\d[\d.]*)", item)
    if paid is not None and mistake.is_kind(paid[1]):
        return Meant(write(f"reward {paid[2]} to {paid[1]}"), start=start, stop=stop)
    if paid is not None and re.search(rf"^agents?\b.*\b{paid[1]}\b", mistake.whole, re.MULTILINE):
        return Meant(write(f"reward {paid[2]} to {paid[1]}"), start=start, stop=stop)
    if re.match(r"reward\s*==", item) and mistake.found == "=":
        line = Help("leave `==` out: `reward 1` adds, `reward = 1` replaces what the step has given", (" ",))
        sign = re.compile(r"\s*==\s*").match(mistake.text, start + len("reward"))
        assert sign is not None
        return Meant(line, *sign.span(), start=sign.start(), stop=sign.end())
    if re.match(r"reward\b", item) and re.match(r"(points?|of)\b", mistake.found):
        help = Help(f"leave `{mistake.found}` out", ("",))
        return Meant(help, start=len(mistake.before), stop=mistake.end)
    return None
