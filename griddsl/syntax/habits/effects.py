"""Habits in effects: words and forms that are no effect of the language, and what is most likely meant by them."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, did_you_mean, near, write
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
        ),
        "remove {}",
    ),
    **dict.fromkeys(("spawn", "respawn", "create", "put", "add", "make"), "place {}"),
    **dict.fromkeys(
        (
            "terminate",
            "terminated",
            "finish",
            "done",
            "stop",
            "reset",
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
    "swap": "write `K becomes K2`",
    "print": "write `info NAME = VALUE`: it stands in the info of the step",
    "log": "write `info NAME = VALUE`: it stands in the info of the step",
    "say": "write `info NAME = VALUE`: it stands in the info of the step",
    "message": "write `info NAME = VALUE`: it stands in the info of the step",
    "random": "write `choose NAME in ...`",
    "pass": "leave the line out",
    "return": "nothing is returned: `reward 1` and `end` are effects",
    "wait": "nothing waits: `stay` is an action, and `every 3 steps` a trigger",
    "play": "there are no sounds",
    "sound": "there are no sounds",
    "block": "what cannot be entered is `solid`: `tile rock: solid`",
}
_SHAPES = "an effect starts with its word, as in `reward 1`, `end success`, `remove K`, or sets a value: `NAME = VALUE`"
_GIVEN = re.compile(
    r"(?:give|get|add|gain|earn|receive)s?\s+(?:an?\s+)?(?:reward\s+(?:of\s+)?)?"
    r"([+-]?\d[\d.]*)(?:\s+points?)?"
)
_BEHIND_IF = "; a condition stands behind `if`"
_ELSE_IF = ("elif", "elseif", "elsif")


def effect_help(name: str, rest: str = "") -> str | None:
    """Return what a word that is no effect most likely means, with what stands behind it."""
    word = name.lower()
    if word in _ELSE_IF:
        return write("else if")
    if word in _EFFECTS:
        return _written(word, rest.strip())
    return _WORDS.get(word)


def _written(word: str, rest: str) -> str:
    form = _EFFECTS[word]
    rest = re.sub(r"\A\((.*)\)\Z", r"\1", rest)
    if form == "go to {}":
        rest = re.sub(r"\A(agent\s+)?(to\s+)?", "", rest)
    if form == "place {}" and rest and not re.search(r"\b(at|in)\b", rest):
        rest = f"{rest} at random free"
    if form == "{}":
        rest = re.sub(r"\s+to\s+", " = ", rest, count=1)
        form = "{}" if "=" in rest else "NAME = VALUE"
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
    rest = mistake.text[word.end() : stop].strip()
    given = re.fullmatch(r"-?[\w.]+(?:\s*,\s*-?[\w.]+)*", rest)
    if given is not None and re.search(rf"^define\s+{name}\s*\(", mistake.whole, re.MULTILINE):
        return Meant(write(f"{name}({rest})"), start, stop, unknown_effect=name, start=start, stop=stop)
    if re.match(r"\+\+|--|[*/%]=", rest):
        return None
    known = name.lower() in {*_EFFECTS, *_WORDS, *_ELSE_IF}
    if known and not re.match(r"[.=+-]", rest):
        help = effect_help(name, rest)
        whole = isinstance(help, Help) and name.lower() not in _ELSE_IF
        return Meant(help, *word.span(), unknown_effect=name, start=start, stop=stop if whole else word.end())
    item = mistake.text[start:stop]
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
                    _BEHIND_IF if said[0] in {"is", "=="} else " to set a variable",
                ),
                *word.span(),
                unknown_effect=name,
                start=start,
                stop=stop,
            )
    if re.match(r"[^\w\s\"(:-]", mistake.found) or near(mistake.found, ("becomes", "distinct")):
        return None
    return Meant(_SHAPES, *word.span(), unknown_effect=name)


def drawn_cell(mistake: Mistake) -> Meant | None:
    """`spot = random floor`: a cell is chosen, not set."""
    start, stop = mistake.item_start(), mistake.item_end()
    drawn = re.fullmatch(r"(\w+)\s*=\s*(random\s+[a-z_]\w*.*)", mistake.text[start:stop])
    if mistake.start != "effects" or drawn is None:
        return None
    return Meant(write(f"choose {drawn[1]} in {drawn[2]}", ": a cell is chosen"), start=start, stop=stop)


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
    if re.match(r"reward\s*==", item) and mistake.found == "=":
        line = Help("leave `==` out: `reward 1` adds, `reward = 1` replaces what the step has given", (" ",))
        sign = re.compile(r"\s*==\s*").match(mistake.text, start + len("reward"))
        assert sign is not None
        return Meant(line, *sign.span(), start=sign.start(), stop=sign.end())
    if re.match(r"reward\b", item) and re.match(r"(points?|of)\b", mistake.found):
        help = Help(f"leave `{mistake.found}` out", ("",))
        return Meant(help, start=len(mistake.before), stop=mistake.end)
    return None


def joined_effects(mistake: Mistake) -> Meant | None:
    """`reward 1 end`, `reward 1 and end success`: effects without their comma."""
    if mistake.start != "effects":
        return None
    joined = re.search(r"\s*\b(and|then)\s+(\w+)\Z", mistake.before)
    if joined is not None and joined.group(2) in EFFECT_WORDS:
        help = Help("separate effects with `,`", (",",))
        return Meant(help, *joined.span(1), expected="`,`", start=joined.start(), stop=joined.end(1))
    if re.match(rf"(and|then)\s+({'|'.join(EFFECT_WORDS)})\b", mistake.rest):
        help = Help("separate effects with `,`", (",",))
        return Meant(help, expected="`,`", start=len(mistake.before), stop=mistake.end)
    if mistake.found in EFFECT_WORDS and mistake.before:
        help = Help(
            f"separate effects with `,`: is one missing before `{mistake.found}`?", (f", {mistake.found}",)
        )
        return Meant(help, start=len(mistake.before), stop=mistake.end)
    return None


def placing(mistake: Mistake) -> Meant | None:
    """`place box on target`, `place key at column 3`, `place key in column 3 row 2`."""
    item = mistake.text[mistake.item_start() :]
    if mistake.start != "effects" or not re.match(r"place\b", mistake.text[mistake.text.rfind("place") :]):
        return None
    word = mistake.last_word()
    if word is not None and word.group() in {"column", "row"} and re.search(r"\bat\s+\w+\Z", mistake.before):
        at = mistake.before.rindex("at", 0, word.start())
        help = Help("an area follows `in`, a cell follows `at`", ("in",))
        return Meant(help, at, at + 2, expected="`in`")
    on_cell = re.match(
        r"place\s+\w+(?:\([^()]*\))?\s+(?:as\s+\w+\s+)?(on|to|in|by)\s*\(\s*\w+\s*,\s*\w+\s*\)", item
    )
    if on_cell is not None and on_cell[1] != "in":
        begin = mistake.item_start() + on_cell.start(1)
        return Meant(Help("a cell follows `at`", ("at",)), begin, begin + len(on_cell[1]), expected="`at`")
    named = re.match(r"(place\s+\w+(?:\([^()]*\))?)\s+((?:at|in)\s+[^,]*?)\s+as\s+(\w+)", item)
    if named is not None and mistake.found == "as":
        start = mistake.item_start()
        help = write(f"{named[1]} as {named[3]} {named[2]}", ": the name stands before the place")
        return Meant(help, expected="`,` or the end", start=start, stop=start + named.end())
    start = mistake.item_start()
    drawn = re.match(
        r"(place\s+(?:\d+\s+)?\w+(?:\([^()]*\))?)\s+(?:in\s+(\w+)\s+at\s+random|at\s+random\s+in\s+(\w+))",
        item,
    )
    if drawn is not None and mistake.begin <= start + drawn.end():
        region = drawn[2] or drawn[3]
        return Meant(write(f"{drawn[1]} at random free in {region}"), start=start, stop=start + drawn.end())
    relation = re.match(r"place\s+\w+(?:\([^()]*\))?\s+(?:\w+\s+)?(on|to|near|by|inside|into|upon)\b", item)
    if relation is not None and "AT" in mistake.expected:
        begin = mistake.item_start() + relation.start(1)
        said = "a cell follows `at`, an area follows `in`: `place box at random target`"
        return Meant(said, begin, begin + len(relation.group(1)))
    first = re.match(r"place\s+((?:at|in)\s*(?:\([^()]*\)|random\s+\w+|\w+))\s+(\w+(?:\([^()]*\))?)", item)
    if first is not None:
        start = mistake.item_start()
        return Meant(write(f"place {first[2]} {first[1]}"), start, start + first.end())
    cell = re.search(r"(\bplace\s[^,]*\bat\s+)(\w+\s*,\s*\w+)\s*\Z", mistake.text)
    if cell is not None and not mistake.found:
        return Meant(write(f"({cell[2]})"), *cell.span(2), expected="a cell, `(x, y)`")
    loose = re.match(
        r"(place\s+(?:\d+\s+)?\w+(?:\([^()]*\))?)\s+(?:(?:at\s+)?(randomly|anywhere)|(?=where\b))", item
    )
    if loose is not None and mistake.begin <= mistake.item_start() + loose.end() + len("where "):
        start, stop = mistake.item_start(), len(item[: loose.end()].rstrip())
        return Meant(write(f"{loose[1]} at random free"), start=start, stop=start + stop)
    there = re.fullmatch(r"place\s+(\w+(?:\([^()]*\))?)\s+(\w+)", item.strip())
    if there is not None and not mistake.found:
        start = mistake.item_start()
        return Meant(write(f"place {there[1]} at {there[2]}"), start=start, stop=start + len(item.rstrip()))
    alone = re.fullmatch(r"place\s+(\w+(?:\([^()]*\))?)", item.strip())
    if alone is not None and not mistake.found:
        return Meant(
            write(f"place {alone[1]} at random free", ", or say at which cell"), start=mistake.item_start()
        )
    return None


def chance(mistake: Mistake) -> Meant | None:
    """`reward 1 with chance 0.5`: a chance behind an effect."""
    if mistake.start != "effects" or mistake.found != "with":
        return None
    start, stop = mistake.item_start(), mistake.item_end()
    given = re.match(
        r"with\s+(?:an?\s+)?(?:reward\s+(?:of\s+)?)?([+-]\d[\d.]*|\d[\d.]*(?=\s+(?:points?|reward)))",
        mistake.rest,
    )
    given = given or re.match(r"with\s+(?:an?\s+)?reward\s+(?:of\s+)?(\d[\d.]*)", mistake.rest)
    if given is not None:
        item = mistake.text[start : mistake.begin].rstrip()
        return Meant(write(f"reward {given[1]}, {item}"), start=start, stop=stop)
    return Meant("a chance stands in the rule's head: `on enter K with chance 0.5: ...`")


def chance_line(mistake: Mistake) -> Meant | None:
    """`chance 0.2: reward 1`: a chance as a line of a block, where one stands in the rule's head only."""
    at = mistake.item_start()
    said = re.match(
        r"(?:with\s+)?(?:an?\s+)?(?:chance|probability|prob)\s+(?:of\s+)?([\d./]+%?)\s*:", mistake.text[at:]
    )
    if mistake.start != "effects" or said is None:
        return None
    help = f"a chance stands in a rule's head, behind its trigger and its `if`: `each K with chance {said[1]}: ...`"
    return Meant(help, at, at + said.end() - 1, expected="an effect")


def aimed(mistake: Mistake) -> Meant | None:
    """`tree ahead becomes stump`: an effect is done to what a condition has found."""
    start, stop = mistake.item_start(), mistake.item_end()
    item = re.match(r"(\w+)\s+ahead\s+becomes\b", mistake.text[start:stop])
    if mistake.start != "effects" or item is None:
        return None
    begin = start + item.end(1)
    help = Help(f"leave `ahead` out: after `if {item[1]} ahead`, `{item[1]}` is that one", ("",))
    word = begin + mistake.text[begin:].index("ahead")
    return Meant(help, word, word + 5, expected="`becomes`", start=begin, stop=word + 5)


def outcome(mistake: Mistake) -> Meant | None:
    """`end red wins`: an outcome of several words."""
    start, stop = mistake.item_start(), mistake.item_end()
    words = re.fullmatch(r"end\s+(\w+(?:\s+\w+)+)", mistake.text[start:stop])
    if mistake.start != "effects" or words is None or re.search(r"\b(if|with|and|then)\b", words[1]):
        return None
    if any(word in EFFECT_WORDS for word in words[1].split()):
        return None
    if set(words[1].split()) <= {"the", "this", "episode", "game", "level", "round"}:
        return Meant(write("end"), start=start, stop=stop)
    rewrite = f"end {'_'.join(words[1].split())}"
    return Meant(write(rewrite, ": an outcome is one word"), start=start, stop=stop)


def lonely_if(mistake: Mistake) -> Meant | None:
    """`reward 1 if C`: a condition behind an effect."""
    if mistake.start not in {"effects", "infos", "observations"}:
        return None
    at, start = mistake.begin, mistake.item_start()
    ifs = [match.start() for match in re.finditer(r"\bif\b", mistake.text[: mistake.begin])]
    if mistake.found != "if":
        if "ELSE" not in mistake.expected or not ifs or mistake.found not in {"", ",", ")"}:
            return None
        at = ifs[-1]
    if not mistake.text[start:at].strip():
        line = "`if C:` opens a line of its own in the rule's block: write its effects after the colon"
        return Meant(line, at, at + 2)
    otherwise = re.match(r",\s*(else)\b(\s+reward\b)?", mistake.text[mistake.begin :])
    if otherwise is not None:
        return Meant(
            Help("write `A if C else B`, without a comma", (" else",)),
            mistake.begin,
            mistake.begin + 1,
            expected="`else`",
            stop=mistake.begin + otherwise.end(),
        )
    help: str = "a condition stands in the rule's head (`on enter K if C: ...`) or opens a line (`if C: ...`)"
    if mistake.start != "effects":
        help = "write `A if C else B`"
    elif mistake.found != "if" and re.match(r"(hidden\s+)?reward\s+[^=\s]", mistake.text[start:]):
        item = mistake.text[start : mistake.begin].rstrip()
        help = write(f"{item} else 0", ", or put the condition into the rule's head")
        return Meant(
            help, at, at + 2, "`if` without `else`", "`,` or the end", start=start, stop=start + len(item)
        )
    return Meant(help, at, at + 2, "`if` without `else`", "`,` or the end")


def block_line(mistake: Mistake) -> Meant | None:
    """`on enter goal: if x: end`, `reward 1, if x: end`, `if C: reward 1 else: end`: a block's line among effects."""
    if mistake.start != "effects":
        return None
    at = mistake.item_start()
    word = re.match(r"(if|else|retry|repeat|each)\b" if at == 0 else r"(if|else)\b", mistake.text[at:])
    help: str
    if word is not None:
        help = f"`{word.group()}` starts a line of its own, indented below"
        if at == 0 and ":" in mistake.text:
            lines = re.sub(r",?\s*\b(else(\s+if\b[^:]*)?):", r"\n    \1:", mistake.text.rstrip())
            help = Help(help, (f"\n    {lines}",))
        return Meant(
            help, at, at + word.end(), expected="an effect", start=0, stop=len(mistake.text.rstrip())
        )
    if mistake.found == "else" and "ELSE" not in mistake.expected:
        rest = re.match(r"else\b:?\s*(.*)", mistake.rest)
        assert rest is not None
        help = Help(
            "`else:` starts a line of its own, below its `if`",
            (f"\nelse: {rest[1]}",) if not rest[1].startswith("if") else (),
        )
        stop = mistake.begin + rest.end()
        return Meant(help, expected="the end of the line", start=len(mistake.before), stop=stop)
    return None
