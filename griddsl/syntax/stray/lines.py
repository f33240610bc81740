"""Lines that are no statement, or lack their colon: what was probably meant."""

from __future__ import annotations

import re
from functools import lru_cache

from griddsl.diagnostics import Help, Report, near, shortened, write
from griddsl.source import Fragment
from griddsl.syntax.keywords import EFFECT_WORDS, RULE_WORDS, STATEMENTS, VARIANT_SETS, leading_word
from griddsl.syntax.stray.effects import effects_alone, help_in_a_rule, is_effect_of, shown_effect
from griddsl.syntax.stray.near import near_statement
from griddsl.syntax.stray.rewritten import rewritten_line
from griddsl.syntax.stray.words import help_of_loop, help_of_size, is_a_condition, other_statement

SHAPE = "a statement reads `keyword [name]: items`"
_CHOICE = re.compile(r"\b(elif|elseif|elsif|elsewhen|otherwise)\b")
_LOOP = re.compile(r"(for|while|repeat|foreach)\b")
_A_RULE = "a rule starts with its trigger: `each step: ...`, `on enter K: ...`, `when C: ...`"
_SECTION = "there are no sections: each statement starts with its keyword, as in `object crate: pushable`"
OTHER_HELP = {
    **dict.fromkeys(
        ("OBJECTS", "LEGEND", "SOUNDS", "COLLISIONLAYERS", "RULES", "WINCONDITIONS", "LEVELS"), _SECTION
    ),
    **dict.fromkeys(("late", "startloop", "endloop", "message"), _A_RULE),
    **dict.fromkeys(
        ("team", "teams"),
        "a team is agents of one name: `agents: red * 2, blue * 2`; `reward 1 to red` goes to each of them",
    ),
    **dict.fromkeys(
        ("wind", "current", "breeze", "gravity"),
        "what blows is ground: `tile gust: drift east 1`; what falls, a rule moves: `each rock: move rock south`",
    ),
    "ask": "a rule says what is done for each: `each sheep: ...`, `each sheep if C: ...`",
    "to": "a block with a name is a definition, `define feed(k): ...`; what each step does is `each step: ...`",
    **dict.fromkeys(
        ("breed", "turtles", "patches"),
        "kinds are declared with what they own: `object sheep: energy 5 in 0..9`, `tile patch: grass in false | true`",
    ),
    **dict.fromkeys(
        ("list", "table", "array", "lookup", "const", "constant", "constants"),
        "a constant is a parameter, `param price: 3 in 0..9`; a list is looked up: `define prices(i): nth(i, 3, 5, 9)`",
    ),
    **dict.fromkeys(("win", "lose"), "an end is a rule's effect: `on enter goal: end success`"),
    **dict.fromkeys(
        ("title", "author", "homepage"), "the name is the id, `env: mine/MyWorld-v0`, and a text below it"
    ),
    "version": "the version is the end of the id: `env: mine/MyWorld-v1`",
    **dict.fromkeys(
        ("def", "class", "from", "return", "self"), "a spec is no Python: a rule reads `on enter goal: end`"
    ),
    **dict.fromkeys(("background", "Background"), "the ground is `floor`, drawn as `.`"),
    **dict.fromkeys(
        ("player", "Player", "avatar"), "the agent is drawn as `@`; `agent: carries 2` says what it can"
    ),
    **dict.fromkeys(
        ("gamma", "discount"),
        "a spec has no discount: `griddsl solve SPEC --discount 0.9` and learners take one",
    ),
    **dict.fromkeys(("seed", "random_seed", "rng"), "a seed is given to each reset: `env.reset(seed=5)`"),
    **dict.fromkeys(
        ("render", "render_mode", "fps", "tile_size"),
        "a spec is drawn as it is asked for, as by `griddsl run SPEC`; `look K: color red` says how a kind looks",
    ),
    **dict.fromkeys(
        ("walls", "border", "borders", "boundary"),
        "what is outside of the map blocks; `edge: wrap` joins the sides",
    ),
    "import": "a spec is no Python, and imports nothing: chance is `with chance 0.1`, `random` draws a value or a cell",
    "else": "`else` follows an `if` line inside a rule's block, and is indented like it",
    "goal": "a goal is a tile and a rule: `legend: G = goal` and `on enter goal: end success`",
    "rule": "a rule starts with its trigger: `each step: ...`, `on enter K: ...`, `when C: ...`",
    "rules": "a rule starts with its trigger: `each step: ...`, `on enter K: ...`, `when C: ...`",
    **dict.fromkeys(
        ("simultaneous", "parallel", "alternate", "sequential"),
        "in what order agents act is said by "
        "`turns: simultaneous`, `in_order`, `random_order` or `alternate`",
    ),
    **dict.fromkeys(
        ("levels", "stages"),
        "each map has a name, `map easy:`, and `level: easy`, or `level: random`, says which is played",
    ),
    "curriculum": "what is learned next is said where one trains, by `griddsl.curriculum`; a spec has `level: random`",
    "layers": "a layer is named by the kinds that lie on it: `object rug: layer carpet`",
    **dict.fromkeys(
        ("world", "topology", "torus", "toroidal"),
        "what lies behind the border is said by `edge: wrap`, `clip` or `stay`",
    ),
    "episode": "`limit: 100 steps` cuts an episode off",
    **dict.fromkeys(
        ("collision", "collisions"),
        "what happens when two come together is a rule, `on meet K: ...`; "
        "of several agents that want one cell, `contested: share` lets all in",
    ),
    "layer": "a layer is named by the kinds that lie on it: `object rug: layer carpet`",
    "moves": "how something moves is said of its kind: `object ghost: moves random`",
    **{
        word: f"`{word}` is said of a kind: `object box: {word}`"
        for word in ("solid", "opaque", "pushable", "portable")
    },
    "description": "the description stands in quotes on a line below `env`, indented",
    **dict.fromkeys(
        ("wincondition", "winconditions", "victory", "objective"),
        "an end is a rule's effect: `when all crate on target: end success`",
    ),
    **dict.fromkeys(
        ("cpfs", "cdfs", "transition", "transitions", "dynamics"),
        "what changes, rules say: `each step: ...`, `each computer with chance 0.3: computer.up = false`",
    ),
    **dict.fromkeys(
        ("pvariables", "fluents", "predicates"),
        "what changes is `var energy: 0 in 0..9`, or an attribute of a kind: `tile computer: up in false | true`",
    ),
    **dict.fromkeys(
        ("instance", "problem", "init"), "what a play begins with is drawn in `map:` or placed in `setup:`"
    ),
    "non-fluents": "what stays as it is, is a parameter: `param p: 0.3 in 0..1`",
    "state-action-constraints": "what must not be done, a mask says: `allow go: not wall ahead`",
    "action-preconditions": "what must not be done, a mask says: `allow go: not wall ahead`",
    "state-invariants": "what must hold, a test says: `griddsl test`",
    "max-nondef-actions": "one action is taken a step, and one of each further list: `actions two: none, push`",
    "action-fluents": "what can be done is listed: `actions: up, right, down, left`",
    "state-fluents": "what changes is `var energy: 0 in 0..9`, or an attribute of a kind",
}


def explain_stray(text: Fragment, word: str, report: Report) -> None:
    """Report a line at column 0 whose first word is not a statement's."""
    if not word:
        help: str = SHAPE
        if re.fullmatch(r"([=*~_-])\1{2,}", text.text):
            help = Help("a comment starts with `#`", ("# ---",))
        elif text.text.startswith("```"):
            help = Help("a spec stands without fences: leave the line out", ("",), place=text.span())
        elif re.fullmatch(r"[\]})]+[,;]?|\"\"\"|\'\'\'", text.text):
            help = Help("nothing is closed here: leave the line out", ("",), place=text.span())
        elif text.text.startswith("{"):
            help = "a spec is no JSON: a statement reads `env: mine/MyWorld-v0`, one a line"
        elif re.match(r"\(\s*(?:define\b|:\w)", text.text):
            help = "a spec is no PDDL: `actions: up, pick` lists actions, and rules say what they do: `on do pick: ...`"
        elif text.text.startswith("["):
            help = _A_RULE
        elif re.match(r"[^\w\s]{3}", text.text):
            help = "the lines of a map are indented below `map:`"
        sign = re.match(r"//|/\*|--|;", text.text)
        if sign is not None:
            help = Help("a comment starts with `#`", ("#",), place=text.span(0, sign.end()))
        report.add("not-a-statement", text.span(0, _length_of_sign(text.text)), help=help)
        return
    hyphened = re.match(_HYPHENED, text.text)
    word = word if hyphened is None else hyphened[0]
    said = " ".join(text.text.split()[:2]) if is_effect_of(text) or is_a_condition(text) else word
    report.add(
        "unknown-statement", text.span(0, len(said)), keyword=said[:40], help=_meant_statement(text, word)
    )


def _length_of_sign(text: str) -> int:
    match = re.match(r"[^\w\s]+", text)
    return min(len(match.group()), 20) if match else 1


_HYPHENED = r"[A-Za-z]\w*(?:-\w+)+"
_UNNAMED = re.compile(rf"({'|'.join(STATEMENTS)})[ \t]*:")


def _meant_statement(line: Fragment, word: str) -> str:
    text = line.text
    if re.fullmatch(_HYPHENED, word):
        if re.search(r"steps?\b|limit|horizon|length", word):
            return "`limit: 100 steps` ends an episode"
        return (
            OTHER_HELP.get(word.lower()) or f"a name has no hyphen: `{word.replace('-', '_')}`; and {SHAPE}"
        )
    if (sized := help_of_size(line, word)) is not None:
        return sized
    if (opening := help_of_loop(word)) is not None:
        return opening
    if (rewritten := rewritten_line(line)) is not None:
        return rewritten
    if (interaction := _of_two_sprites(text)) is not None:
        return interaction
    if word in {"preset", "register", "config", "configuration", "alternative"} and re.match(
        r"\w+ +\S+-v[0-9]", text
    ):
        return Help("did you mean `variant`?", ("variant",), word)
    moment = re.match(
        r"(?:(?:at|after|before)\s+)?(?:the\s+)?(?:end|start|beginning)\s+(?:of\s+)?(?:the\s+|each\s+|every\s+|a\s+)?(?:step|turn|tick)"
        r"\s*(?=:)",
        text,
    )
    if moment is not None:
        return Help(
            "write `each step`: its lines follow all moves", ("each step",), place=line.span(0, moment.end())
        )
    looped = re.match(r"for\s+(each|every|all)\b\s*(?=\w+\s*:)", text)
    if looped is not None:
        return Help("write `each`, without `for`", ("each ",), place=line.span(0, looped.end()))
    if re.match(r"(def|function|func|fun|fn|macro|let|procedure) +\w+ *(\(|:)", text):
        return Help("did you mean `define`?", ("define",), word)
    if (other := other_statement(line, word)) is not None:
        return other
    if (mended := effects_alone(line, word)) is not None and word not in EFFECT_WORDS:
        return help_in_a_rule(line, mended)
    if word in OTHER_HELP:
        return OTHER_HELP[word]
    if _CHOICE.match(word):
        return OTHER_HELP["else"]
    if (rewritten := rewritten_line(line, late=True)) is not None:
        return rewritten
    meant = word if word in EFFECT_WORDS else next(iter(near(word, (*STATEMENTS, *EFFECT_WORDS))), word)
    if meant == "reward" and re.match(r"\w+\s*:\s*[A-Za-z_]\w*\s*[:=]?\s*[-+]?\d", text):
        return "each reward is an effect of its rule: `on enter coin: reward 1`, `on bump wall: reward -0.1`"
    if meant in EFFECT_WORDS and meant not in STATEMENTS:
        where = "setup" if meant in {"place", "choose"} else "each step"
        effect = effects_alone(line, word) or shown_effect(text, word, meant)
        help = f"`{meant}` is an effect: it stands in a rule, as in `{where}: {effect}`"
        if where == "setup":
            help = f"`{meant}` is an effect: it stands in `setup:`, or in a rule: `setup: {effect}`"
        whole = meant in {"reward", "hidden"} and not effect.endswith("...")
        return Help(help, (f"{where}: {effect}",), place=line.span()) if whole else help
    named = re.match(r"\w+[ \t]+[A-Za-z_]\w*[ \t]*:", text) is not None  # a statement with a name in its head
    headed = (
        each for each in STATEMENTS if (STATEMENTS[each].head != "none" if named else _may_come(each, line))
    )
    near_one = near_statement(word, tuple(headed))
    if near_one is not None:
        return _named_apart(text, word, near_one)
    stands, there = _lines_of_statements(line.span().source.text), near_statement(word)
    if not named and there is not None and there.rewrites[0] in stands:
        meant = there.rewrites[0]
        return f"is it `{meant}`? That stands in line {stands[meant]} already, and once in a spec"
    if re.fullmatch(r"\w+\s*:\s*([^,:]+\s)?in\s+(\d+\.\.\d+|\w+(\s*\|\s*\w+)+)", text.rstrip()):
        return write(f"var {text.rstrip()}", place=line.span())
    if re.match(r"[^\s:]{3,}$", text):
        return "the lines of a map are indented below `map:`"
    kind = re.fullmatch(r"(\w+)\s*(?:=|is\s+an?)\s*(object|tile)\b[\s:,(]*(.*?)\)?\s*", text)
    if kind is not None:
        return write(f"{kind[2]} {kind[1]}: {kind[3]}".rstrip(), place=line.span())
    if len(text.split()) >= 4 and not re.search(r":\s*\S|=", text):
        return Help("a comment starts with `#`", ("# ",), place=line.span(0, 0))
    if re.match(r"\w+\s*[+-]?=", text):
        return f"a rule sets values: `each step: {shortened(text)}`; `var {word}: ...` declares a variable"
    return SHAPE


def _of_two_sprites(text: str) -> str | None:
    """`alien bullet > killSprite`, `alien EOS > turnAround`, `missile > Missile speed=0.3`, as VGDL writes them."""
    pattern = (
        r"(?!(?:if|elif|while|when|until|unless)\b)(\w+)(?:[ \t]+(\w+))?[ \t]*>[ \t]*[A-Za-z]\w*(?![^#]*:)"
    )
    said = re.match(pattern, text)
    if said is not None and said[2] == "EOS":
        return f"what happens at the border is a rule: `on {said[1]} bump edge: ...`"
    if said is not None and said[2]:
        who = "" if said[1] in {"avatar", "agent", "player"} else f"{said[1]} "
        return f"what happens when two come together is a rule: `on {who}meet {said[2]}: ...`"
    if said is not None:
        return f"each kind is declared: `object {said[1]}: moves random`, `tile {said[1]}: solid`"
    if re.match(r"(?:Multi)?SpriteCounter\b|Timeout\b", text):
        return "an end is a rule: `when no coin left: end success`; `limit: 500 steps` cuts an episode off"
    return None


def _may_come(keyword: str, line: Fragment) -> bool:
    """Whether a statement may stand once more: most stand once in a spec."""
    form = STATEMENTS[keyword]
    once = not form.many and form.head in {"none", "maybe"}
    return not once or keyword not in _lines_of_statements(line.span().source.text)


@lru_cache(maxsize=1)
def _lines_of_statements(text: str) -> dict[str, int]:
    """Return the line in which each statement without a name stands first."""
    found: dict[str, int] = {}
    for number, row in enumerate(text.split("\n"), 1):
        stands = _UNNAMED.match(row)
        if stands is not None:
            found.setdefault(stands[1], number)
    return found


def _named_apart(text: str, word: str, help: Help) -> str:
    """`tiles: ice, mud`: where each needs a statement of its own, say so."""
    meant = help.rewrites[0]
    if meant == "variant" and re.fullmatch(r"\w+\s*:", text.rstrip()):
        return "each has a statement of its own: `variant mine/Small-v0: size = 5`"
    alone = re.match(r"\w+\s*[:=]\s*(\w+)", text)
    if len(help.rewrites) > 1 or alone is None or STATEMENTS.get(meant, STATEMENTS["env"]).head != "name":
        return help
    return f"each has a statement of its own: `{meant} {alone[1]}:`"


def deeper_statement(text: Fragment) -> str:
    """Say where a statement belongs that stands in the block of another one."""
    word = leading_word(text.text)
    heads = re.findall(r"^\w.*$", text.source.text[: text.span().start], re.MULTILINE)
    param = re.fullmatch(r"param\s+(\w+)\s*:\s*([^\s,]+).*", text.text)
    if heads and heads[-1].startswith("variant") and param is not None and not text.source.is_toml:
        return write(f"{param[1]} = {param[2]}", ": a variant gives parameters other values", text.span())
    if heads and heads[-1].startswith("variant"):
        limit = re.fullmatch(r"limit\s*:\s*(\d+)(?:\s+steps?)?", text.text)
        return VARIANT_SETS if limit is None else write(f"limit = {limit[1]}", place=text.span())
    return f"`{word}` is a statement: it starts at the beginning of its line"


def explain_deeper(text: Fragment, line_above: Fragment | None, report: Report) -> None:
    """Report a line that is indented deeper than its block allows; the line above may say why."""
    above = line_above.text if line_above is not None else ""
    if _LOOP.match(above) or _CHOICE.match(above) or leading_word(above) in RULE_WORDS:
        return
    help = "only `if`, `else`, `each`, `retry` and `repeat` open a block inside a block"
    if leading_word(text.text) == "else":
        help = "indent it like its `if`"
    report.add("unexpected-indent", text.span(), help=help)
