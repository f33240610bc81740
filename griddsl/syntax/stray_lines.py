"""Lines that are no statement, or lack their colon: what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from griddsl.diagnostics import Help, Report, did_you_mean, domain_around, near, write
from griddsl.source import Fragment
from griddsl.syntax.keywords import EFFECT_WORDS, RULE_WORDS, STATEMENTS, VARIANT_SETS
from griddsl.syntax.stray_effects import effects_alone, help_in_a_rule, is_effect_of, shown_effect
from griddsl.syntax.stray_words import help_of_loop, help_of_size, is_a_condition, other_statement

SHAPE = "a statement reads `keyword [name]: items`"
_CHOICE = re.compile(r"\b(elif|elseif|elsif|elsewhen|otherwise)\b")
_LOOP = re.compile(r"(for|while|repeat|foreach)\b")
_MEANT = {
    **dict.fromkeys(("reset", "start", "init"), "setup"),
    **dict.fromkeys(("grid", "world", "board", "layout", "drawing"), "map"),
    **dict.fromkeys(("name", "id", "environment", "game"), "env"),
    **dict.fromkeys(("include", "library"), "use"),
    **dict.fromkeys(("mask", "action_mask"), "allow"),
    **dict.fromkeys(("observation", "observations", "obs", "see"), "observe"),
    **dict.fromkeys(("variable", "let", "state", "counter"), "var"),
    **dict.fromkeys(("parameter", "option"), "param"),
    **dict.fromkeys(("macro", "function", "func", "fn", "alias", "predicate"), "define"),
    **dict.fromkeys(("kind", "item", "entity", "thing"), "object"),
    **dict.fromkeys(("terrain", "ground", "cell"), "tile"),
    **dict.fromkeys(("max_steps", "timeout", "horizon", "time_limit", "steps"), "limit"),
    **dict.fromkeys(("glyphs", "symbols", "key"), "legend"),
    **dict.fromkeys(("controls", "inputs", "commands", "moveset"), "actions"),
    **dict.fromkeys(("always", "step", "tick", "update"), "each step"),
    **dict.fromkeys(("task", "text", "instruction"), "mission"),
    **dict.fromkeys(("color", "colour", "sprite", "draw"), "look"),
    **dict.fromkeys(("zone", "room", "area"), "region"),
    **dict.fromkeys(("noise", "stochastic", "slippery"), "slip"),
}
_A_RULE = "a rule starts with its trigger: `each step: ...`, `on enter K: ...`, `when C: ...`"
_SECTION = "there are no sections: each statement starts with its keyword, as in `object crate: pushable`"
OTHER_HELP = {
    **dict.fromkeys(
        ("OBJECTS", "LEGEND", "SOUNDS", "COLLISIONLAYERS", "RULES", "WINCONDITIONS", "LEVELS"), _SECTION
    ),
    **dict.fromkeys(("late", "startloop", "endloop", "message"), _A_RULE),
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
    "layer": "a layer is named by the kinds that lie on it: `object rug: layer carpet`",
    "moves": "how something moves is said of its kind: `object ghost: moves random`",
    **{
        word: f"`{word}` is said of a kind: `object box: {word}`"
        for word in ("solid", "opaque", "pushable", "portable")
    },
    "description": "the description stands in quotes on a line below `env`, indented",
}


def leading_word(text: str) -> str:
    """Return the word at the start of a text, or an empty one."""
    match = re.match(r"\w*", text)
    return match.group() if match else ""


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
        elif text.text.startswith("["):
            help = _A_RULE
        elif re.match(r"[^\w\s]{3}", text.text):
            help = "the lines of a map are indented below `map:`"
        sign = re.match(r"//|/\*|--|;", text.text)
        if sign is not None:
            help = Help("a comment starts with `#`", ("#",), place=text.span(0, sign.end()))
        report.add("not-a-statement", text.span(0, _length_of_sign(text.text)), help=help)
        return
    said = " ".join(text.text.split()[:2]) if is_effect_of(text) or is_a_condition(text) else word
    report.add(
        "unknown-statement", text.span(0, len(said)), keyword=said[:40], help=_meant_statement(text, word)
    )


def _length_of_sign(text: str) -> int:
    match = re.match(r"[^\w\s]+", text)
    return min(len(match.group()), 20) if match else 1


_UNNAMED = re.compile(rf"({'|'.join(STATEMENTS)})[ \t]*:")
_PAID_AT = re.compile(
    r"reward\s*[:=]?\s*([+-]?\d[\d.]*)\s+(?:on|at|for|in)\s+"
    r"(?:enter(?:ing)?\s+|reaching\s+)?(?:the\s+|an?\s+)?(\w+)"
)


# `time limit: 50`, `max_episode_steps = 50`: how long an episode is. `done: agent on goal`: when one ends.
_LIMIT = re.compile(
    r"(?:(?:max(?:imum)?|time|step|episode)[ _])+(?:steps?|limit|length|time)\s*[:=]?\s*(\d+)(?:\s*steps?)?"
)
_ENDED = re.compile(
    r"(?:(?:the\s+)?(?:episode|game)\s+(?:is\s+)?)?(win|won|success|lose|lost|failure|fail|done|terminate|terminated|terminal|termination|game_?over|finish|ends?|over)"
    r"(?:\s+(?:if|when)|\s*:)\s*((?:no|all|any)\s+\w+\s+\w[^:]*|[\w.]+\s*(?:==|<=?|>=?|\b(?:on|at|is|has|within)\b)[^:]*)"
)
_WAYS = "up|down|left|right|north|south|east|west|forward|backward|turn_left|turn_right|stay"
_STEPS = r"(?:each|every|per|for each)\s+(?:step|turn|move|tick)|(?:step|tick|turn|always|update)"


def _rewritten_line(line: Fragment, word: str) -> Help | None:
    """`step: reward -1`, `wall pond`, `coin: object, solid`, `lives: 3`: lines that are one statement for sure."""
    text = line.text.rstrip()
    effect = re.fullmatch(rf"(?:{_STEPS})\s*:?\s*(reward\b.*)", text)
    paid = re.fullmatch(rf"(reward|penalty|cost)\s*:?\s*(-?)([\d.]+)\s+(?:{_STEPS})", text)
    if paid is not None:
        sign = paid[2] if paid[1] == "reward" else "-"
        return write(f"each step: reward {sign}{paid[3]}", place=line.span())
    if effect is not None:
        return write(f"each step: {effect[1]}", place=line.span())
    solid = re.fullmatch(r"(?:wall|block|blocker|obstacle)\s+(\w+)\s*:?", text)
    if solid is not None:
        return write(f"tile {solid[1]}: solid", place=line.span())
    levels = re.fullmatch(r"(?:include|load|level|levels)\s*:?\s*(\"[^\"]*\.(?:tmx|ldtk|txt)\")", text)
    if levels is not None:
        return write(f"maps: {levels[1]}", place=line.span())
    steered = re.fullmatch(
        rf"(?:moves|movement|directions|keys)\s*:\s*((?:{_WAYS})(?:\s*,\s*(?:{_WAYS}))+)", text
    )
    if steered is not None:
        return write(f"actions: {steered[1]}", place=line.span())
    turned = re.fullmatch(r"(\w+)\s*:\s*(object|tile)\b(?:\s*,\s*(.*))?", text)
    if turned is not None:
        return write(f"{turned[2]} {turned[1]}: {turned[3] or ''}".rstrip(), place=line.span())
    like = re.fullmatch(r"([a-z_]\w*)\s*:\s*((?:solid|pushable|portable|opaque|moves|carries)\b.*)", text)
    if like is not None and near_statement(word) is None:
        return write(f"object {like[1]}: {like[2]}", place=line.span())
    # `creature bat: moves random`, `class gem: portable`: whatever a kind of object is called elsewhere.
    other = re.fullmatch(r"\w+\s+([a-z_]\w*)\s*:\s*((?:solid|pushable|portable|opaque|moves)\b.*)", text)
    if other is not None and ((meant := near_statement(word)) is None or meant.rewrites[0] == "look"):
        meant_kind = "tile" if word in {"floor", "ground", "terrain"} else "object"
        return write(f"{meant_kind} {other[1]}: {other[2]}", place=line.span())
    players = re.fullmatch(r"(?:num_)?(?:players|n_agents|num_agents|agent_count)\s*[:=]\s*(\d+)", text)
    if players is not None:
        return write(f"agents: player * {players[1]}", place=line.span())
    number = re.fullmatch(r"\w+\s+([a-z_]\w*)\s*[:=]\s*(\d+)", text)
    if number is not None and ((meant := near_statement(word)) is None or meant.rewrites[0] == "var"):
        return write(f"var {number[1]}: {number[2]} in {domain_around(number[2])}", place=line.span())
    limit = _LIMIT.fullmatch(text)
    if limit is not None:
        return write(f"limit: {limit[1]} steps", place=line.span())
    whose = re.fullmatch(r"([a-z_]\w*)(?:'s)?\s+(actions|observe|limit)\s*:\s*(.*)", text)
    if whose is not None:
        return write(f"{whose[2]} {whose[1]}: {whose[3]}".rstrip(), place=line.span())
    drawn = re.fullmatch(r"place\s+(.*?)\s+(?:randomly|at\s+random|anywhere|somewhere)", text)
    if drawn is not None:
        return write(f"setup: place {drawn[1]} at random free", place=line.span())
    looped = re.fullmatch(r"for\s+(\w+)\s+in\s+(?:all\s+)?\1e?s?\s*:\s*(\S.*)", text)
    if looped is not None:
        return write(f"each {looped[1]}: {looped[2]}", place=line.span())
    constant = re.fullmatch(r"(?:const|constant|final)\s+(?:int\s+)?(\w+)\s*[:=]\s*(\d+)\s*", text)
    if constant is not None:
        return write(f"param {constant[1]}: {constant[2]} in {domain_around(constant[2])}", place=line.span())
    lucky = re.fullmatch(
        r"(?:with\s+)?chance\s+([\d./]+%?)\s*:?\s*((?:on|when|each|every)\s[^:]+?)\s*:\s*(\S.*)", text
    )
    if lucky is not None:
        return write(f"{lucky[2]} with chance {lucky[1]}: {lucky[3]}", place=line.span())
    ended = _ENDED.fullmatch(text)
    if ended is not None:
        outcome = {"w": " success", "s": " success", "l": " failure", "f": " failure"}.get(ended[1][0], "")
        return write(f"when {ended[2]}: end{outcome}", place=line.span())
    reached = re.fullmatch(
        r"(?:win|lose|end|ends|terminate|finish|done)\s+(?:on|at|in)\s+(?:the\s+)?(\w+)", text
    )
    if reached is not None:
        outcome = {"w": " success", "l": " failure"}.get(text[0], "")
        return write(f"on enter {reached[1]}: end{outcome}", place=line.span())
    counted = re.fullmatch(r"(\w+)\s*[:=]\s*(\d+)", text)
    if counted is not None and near_statement(word) is None and word not in EFFECT_WORDS:
        return write(f"var {word}: {counted[2]} in {domain_around(counted[2])}", place=line.span())
    return None


def _meant_statement(line: Fragment, word: str) -> str:
    text = line.text
    if (sized := help_of_size(line, word)) is not None:
        return sized
    if (opening := help_of_loop(word)) is not None:
        return opening
    rewritten = _rewritten_line(line, word)
    if rewritten is not None:
        return rewritten
    if word in {"preset", "register", "config", "configuration", "alternative"} and re.match(
        r"\w+ +\S+-v[0-9]", text
    ):
        return Help("did you mean `variant`?", ("variant",), word)
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
    if re.match(
        r"(?:wrap|wraps|wrap_around|wraparound|torus|toroidal|periodic)\s*(?:[:=]\s*(?:true|yes|on|1)?\s*)?$",
        text,
    ):
        return write("edge: wrap", place=line.span())
    if re.match(r"turn[ _]?orders?\s*[:=]", text):
        return write("turns: alternate", ": one after the other, as `agents` lists them", line.span())
    if word in {"team", "teams"}:
        return "a team is agents of one name: `agents: red * 2, blue * 2`; `reward 1 to red` goes to each of them"
    shares = re.match(r"reward\w*\s*[:=]\s*(own|shared|zero_sum)\b", text)
    if shares is not None:
        return write(f"rewards: {shares[1]}", place=line.span())
    where_paid = _PAID_AT.fullmatch(text.rstrip())
    if where_paid is not None:
        return write(f"on enter {where_paid[2]}: reward {where_paid[1]}", place=line.span())
    meant = word if word in EFFECT_WORDS else next(iter(near(word, (*STATEMENTS, *EFFECT_WORDS))), word)
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
        return f"a rule sets values: `each step: {_short(text)}`; `var {word}: ...` declares a variable"
    return SHAPE


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


def near_statement(word: str, known: Iterable[str] = tuple(STATEMENTS)) -> Help | None:
    """Return a help line with the statements that a word may stand for: near ones, or the one it means."""
    found = did_you_mean(word, known) if word not in _MEANT else None
    if found is not None and len(word) > 2:
        return found
    meaning = _MEANT.get(word) or next((_MEANT[near_one] for near_one in near(word, _MEANT)[:1]), None)
    return Help(f"did you mean `{meaning}`?", (meaning,), word) if meaning else None


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


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
