"""Lines that are no statement, or lack their colon: what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Iterable

from griddsl.diagnostics import Help, Report, did_you_mean, near, write
from griddsl.source import Fragment
from griddsl.syntax.keywords import EFFECT_WORDS, RULE_WORDS, STATEMENTS
from griddsl.syntax.stray_effects import effects_alone, help_in_a_rule, is_effect_of, shown_effect
from griddsl.syntax.stray_words import help_of_loop, help_of_size, is_a_condition, is_named, other_statement

SHAPE = "a statement reads `keyword [name]: items`"
_INSTEAD_OF_COLON = re.compile(r"\s(then|->|=>)(?=\s|$)")
_EQUALS_AFTER_HEAD = re.compile(r"\w+( +\w+(?:\([\w ,]*\))?)? *(=)(?!=)")
_EFFECT = re.compile(r"\b(reward|hidden|end|truncate|out|cancel|go|place|choose|remove|pickup|drop)\b")
_TRIGGER = re.compile(
    r"(on(\s+(?!reward|end)\w+)?\s+(enter|leave|bump|push|pickup|drop|toggle|meet|do|fail)|\w+)\s+"
)
_CHOICE = re.compile(r"\b(elif|elseif|elsif|elsewhen|otherwise)\b")
_LOOP = re.compile(r"(for|while|repeat|foreach)\b")
_MEANT = {
    **dict.fromkeys(("reset", "start", "init"), "setup"),
    **dict.fromkeys(("grid", "world", "board", "layout", "drawing"), "map"),
    **dict.fromkeys(("name", "id", "environment", "game"), "env"),
    **dict.fromkeys(("include", "library"), "use"),
    **dict.fromkeys(("observation", "observations", "obs", "see"), "observe"),
    **dict.fromkeys(("variable", "let", "state", "counter"), "var"),
    **dict.fromkeys(("parameter", "option"), "param"),
    **dict.fromkeys(("macro", "function", "func", "fn", "alias", "predicate"), "define"),
    **dict.fromkeys(("kind", "item", "entity", "thing"), "object"),
    **dict.fromkeys(("terrain", "ground", "cell"), "tile"),
    **dict.fromkeys(("max_steps", "timeout", "horizon", "time_limit", "steps"), "limit"),
    **dict.fromkeys(("glyphs", "symbols", "key"), "legend"),
    **dict.fromkeys(("always", "step", "tick", "update"), "each step"),
    **dict.fromkeys(("task", "text", "instruction"), "mission"),
    **dict.fromkeys(("color", "colour", "sprite", "draw"), "look"),
    **dict.fromkeys(("zone", "room", "area"), "region"),
    **dict.fromkeys(("noise", "stochastic", "slippery"), "slip"),
}
_A_RULE = "a rule starts with its trigger: `each step: ...`, `on enter K: ...`, `when C: ...`"
_SECTION = "there are no sections: each statement starts with its keyword, as in `object crate: pushable`"
_OTHER_HELP = {
    **dict.fromkeys(
        ("OBJECTS", "LEGEND", "SOUNDS", "COLLISIONLAYERS", "RULES", "WINCONDITIONS", "LEVELS"), _SECTION
    ),
    **dict.fromkeys(("late", "startloop", "endloop", "message"), _A_RULE),
    **dict.fromkeys(("win", "lose"), "an end is a rule's effect: `on enter goal: end success`"),
    **dict.fromkeys(
        ("title", "author", "homepage"), "the name is the id, `env: mine/MyWorld-v0`, and a text below it"
    ),
    **dict.fromkeys(
        ("def", "class", "from", "return", "self"), "a spec is no Python: a rule reads `on enter goal: end`"
    ),
    **dict.fromkeys(("background", "Background"), "the ground is `floor`, drawn as `.`"),
    **dict.fromkeys(
        ("player", "Player", "avatar"), "the agent is drawn as `@`; `agent: carries 2` says what it can"
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


_PAID_AT = re.compile(
    r"reward\s*[:=]?\s*([+-]?\d[\d.]*)\s+(?:on|at|for|in)\s+"
    r"(?:enter(?:ing)?\s+|reaching\s+)?(?:the\s+|an?\s+)?(\w+)"
)


_STEPS = r"(?:each|every|per|for each)\s+(?:step|turn|move|tick)|(?:step|tick|turn|always|update)"


def _rewritten_line(line: Fragment, word: str) -> Help | None:
    """`step: reward -1`, `wall pond`, `coin: object, solid`, `lives: 3`: lines that are one statement for sure."""
    text = line.text.rstrip()
    effect = re.fullmatch(rf"(?:{_STEPS})\s*:?\s*(reward\b.*)", text)
    paid = re.fullmatch(rf"(reward)\s*:?\s*(-?[\d.]+)\s+(?:{_STEPS})", text)
    if paid is not None:
        return write(f"each step: reward {paid[2]}", place=line.span())
    if effect is not None:
        return write(f"each step: {effect[1]}", place=line.span())
    solid = re.fullmatch(r"(?:wall|block|blocker|obstacle)\s+(\w+)\s*:?", text)
    if solid is not None:
        return write(f"tile {solid[1]}: solid", place=line.span())
    levels = re.fullmatch(r"(?:include|load|level|levels)\s*:?\s*(\"[^\"]*\.(?:tmx|ldtk|txt)\")", text)
    if levels is not None:
        return write(f"maps: {levels[1]}", place=line.span())
    turned = re.fullmatch(r"(\w+)\s*:\s*(object|tile)\b(?:\s*,\s*(.*))?", text)
    if turned is not None:
        return write(f"{turned[2]} {turned[1]}: {turned[3] or ''}".rstrip(), place=line.span())
    drawn = re.fullmatch(r"place\s+(.*?)\s+(?:randomly|at\s+random|anywhere|somewhere)", text)
    if drawn is not None:
        return write(f"setup: place {drawn[1]} at random free", place=line.span())
    looped = re.fullmatch(r"for\s+(\w+)\s+in\s+(?:all\s+)?\1e?s?\s*:\s*(\S.*)", text)
    if looped is not None:
        return write(f"each {looped[1]}: {looped[2]}", place=line.span())
    constant = re.fullmatch(r"(?:const|constant|final)\s+(?:int\s+)?(\w+)\s*[:=]\s*(\d+)\s*", text)
    if constant is not None:
        most = max(9, 2 * int(constant[2]))
        return write(f"param {constant[1]}: {constant[2]} in 0..{most}", place=line.span())
    lucky = re.fullmatch(
        r"(?:with\s+)?chance\s+([\d./]+%?)\s*:?\s*((?:on|when|each|every)\s[^:]+?)\s*:\s*(\S.*)", text
    )
    if lucky is not None:
        return write(f"{lucky[2]} with chance {lucky[1]}: {lucky[3]}", place=line.span())
    counted = re.fullmatch(r"(\w+)\s*[:=]\s*(\d+)", text)
    if counted is not None and near_statement(word) is None and word not in EFFECT_WORDS:
        return write(f"var {word}: {counted[2]} in 0..{max(9, 2 * int(counted[2]))}", place=line.span())
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
    if word in _OTHER_HELP:
        return _OTHER_HELP[word]
    if _CHOICE.match(word):
        return _OTHER_HELP["else"]
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
    headed = (each for each in STATEMENTS if not named or STATEMENTS[each].head != "none")
    near_one = near_statement(word, tuple(headed))
    if near_one is not None:
        return _named_apart(text, word, near_one)
    if re.fullmatch(r"\w+\s*:\s*([^,:]+\s)?in\s+(\d+\.\.\d+|\w+(\s*\|\s*\w+)+)", text.rstrip()):
        return write(f"var {text.rstrip()}", place=line.span())
    if re.match(r"[^\s:]{3,}$", text):
        return "the lines of a map are indented below `map:`"
    if len(text.split()) >= 4 and not re.search(r":\s*\S|=", text):
        return Help("a comment starts with `#`", ("# ",), place=line.span(0, 0))
    if re.match(r"\w+\s*[+-]?=", text):
        return f"a rule sets values: `each step: {_short(text)}`; `var {word}: ...` declares a variable"
    return SHAPE


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


def _open_bracket(text: str) -> tuple[int, int] | None:
    """Return where a bracket is opened and not closed, and the colon that stands in it; None where there is none."""
    opened: list[int] = []
    for sign in re.finditer(r'"(?:\\.|[^"\\])*"|[(\[]|[)\]]|:', text):
        if sign.group() in {"(", "["}:
            opened.append(sign.start())
        elif sign.group() in {")", "]"} and opened:
            opened.pop()
        elif sign.group() == ":" and opened:
            return opened[-1], sign.start()
    return None


def explain_no_colon(text: Fragment, keyword: str, report: Report) -> tuple[Fragment, Fragment]:
    """Report a statement, or a line that opens a block, without its ``:``; split it where that belongs."""
    opens_block = keyword in {"if", "else", "retry", "repeat", "each"}
    is_rule = keyword in RULE_WORDS or opens_block
    wide = text.text.find("：")
    if wide >= 0:
        help = Help("write `:`, as it is on the keyboard", (":",), place=text.span(wide, wide + 1))
        report.add("missing-colon", text.span(wide, wide + 1), keyword=text.text[:wide], help=help)
        return _split(text, wide, wide + 1)
    imported = keyword == "import" and re.fullmatch(r"import\s+[\w.]+(\s+as\s+\w+)?", text.text)
    if imported:
        report.add("missing-colon", text.span(0, len(keyword)), keyword=keyword, help=_OTHER_HELP["import"])
        return _split(text, len(text.text), len(text.text))
    called = re.fullmatch(r"((?:object|tile|agent)\s+\w+)\s*\(([^()]*)\)\s*", text.text)
    if called is not None:
        help = write(f"{called[1]}: {called[2]}".rstrip(), place=text.span())
        report.add("missing-colon", text.span(called.end(1), called.end(1) + 1), keyword=called[1], help=help)
        return _split(text, called.end(1), called.end(1))
    bracket = _open_bracket(text.text)
    if bracket is not None:
        at, colon = bracket
        sign, closing = text.text[at], ")" if text.text[at] == "(" else "]"
        found, expected = f"`{sign}` that is never closed", f"its `{closing}`"
        report.add(
            "syntax", text.span(at, at + 1), found=found, expected=expected, help=f"close it with `{closing}`"
        )
        return _split(text, colon, colon + 1)
    braces = re.fullmatch(r"([^{}]*?)\s*(\{)\s*([^{}]*?)\s*\}?", text.text)
    if braces is not None:
        start, end = braces.span(2)
        help = Help(
            "there are no braces: effects follow `:`",
            (
                f"{braces[1]}: {', '.join(each.strip() for each in braces[3].split(';') if each.strip())}".strip(),
            ),
            place=text.span(),
        )
        report.add("missing-colon", text.span(start, end), keyword=braces[1], help=help)
        return _split(text, start, end)
    number = re.fullmatch(r"(var|param)\s+(\w+)\s*=\s*(\d+)(\.\d+)?", text.text)
    if number is not None:
        domain = "0..1" if number[4] and not int(number[3]) else f"0..{max(9, 2 * int(number[3]))}"
        start = text.text.index("=")
        whole = f"{number[1]} {number[2]}: {number[3]}{number[4] or ''} in {domain}"
        report.add(
            "missing-colon",
            text.span(start, start + 1),
            keyword=keyword,
            help=write(whole, place=text.span()),
        )
        return _split(text, start, start + 1)
    said = re.fullmatch(r"(var|param)\s+(\w+)\s+in\s+([^=:]+?)(?:\s*=\s*([\w.-]+))?\s*", text.text)
    if said is not None:
        start = said.end(2)
        whole = f"{said[1]} {said[2]}: {said[4] + ' ' if said[4] else ''}in {said[3]}"
        report.add(
            "missing-colon",
            text.span(0, start),
            keyword=text.text[:start],
            help=write(whole, place=text.span()),
        )
        return _split(text, start, len(text.text))
    instead = _INSTEAD_OF_COLON.search(text.text) if is_rule else _instead_of_colon(text.text, keyword)
    if instead is not None:
        start, end = instead.span(instead.lastindex or 0)
        before = len(text.text[:start].rstrip())
        help = Help(f"write `:` in place of `{text.text[start:end]}`", (":",), place=text.span(before, end))
        report.add("missing-colon", text.span(start, end), keyword=keyword, help=help)
        return _split(text, start, end)
    effect = _EFFECT.search(text.text, _after_trigger(text.text)) if is_rule else None
    if effect is not None:
        start, end = effect.span()
        head = _short(text.text[:start].rstrip(" ,"))
        before = len(text.text[:start].rstrip(" ,"))
        help = Help(f"write `{head}: {_short(text.text[start:])}`", (": ",), place=text.span(before, start))
        report.add("missing-colon", text.span(start, end), keyword=head, help=help)
        return _split(text, start, start)
    loop = re.fullmatch(
        r"(each\s+\w+(?:\([^()]*\))?(?:\s+in\s+\S+)?)\s+(?!where\b|by\b|in\b)(\S.*)", text.text
    )
    if opens_block and loop is not None and keyword == "each":
        help = write(f"{loop[1]}: {loop[2]}", place=text.span())
        report.add("missing-colon", text.span(0, len(keyword)), keyword=loop[1], help=help)
        return _split(text, loop.end(1), loop.end(1))
    allowed = re.fullmatch(
        r"(allow\s+\w+)\s+(?:if|when|while|where|provided|only\s+(?:if|when|where))\s+(\S.*)", text.text
    )
    if allowed is not None:
        help = write(f"{allowed[1]}: {allowed[2]}", place=text.span())
        report.add("missing-colon", text.span(0, len(keyword)), keyword=allowed[1], help=help)
        return _split(text, allowed.end(1), allowed.start(2))
    variant = re.fullmatch(r"(variant\s+\S+-v[0-9]+)\s*(?:\(|with\b|\s)\s*(\w+\s*=[^()]*)\)?", text.text)
    if variant is not None:
        help = write(f"{variant[1]}: {variant[2]}", place=text.span())
        report.add("missing-colon", text.span(0, len(keyword)), keyword=keyword, help=help)
        return text.slice(0, variant.end(1)), text.slice(*variant.span(2)).strip()
    ended = re.fullmatch(r"((?:object|tile|agent)\s+\w+)\s*;", text.text)
    if ended is not None:
        help = write(f"{ended[1]}:", ": nothing ends a line but its end", text.span())
        report.add("missing-colon", text.span(0, len(keyword)), keyword=ended[1], help=help)
        return _split(text, ended.end(1), len(text.text))
    takes_head = is_rule or STATEMENTS[keyword].head not in {"none", "maybe"} or is_named(text)
    split = len(text.text) if takes_head else len(keyword)
    items = text.text[split:].strip()
    line: str = f"write `{_short(text.text)}:`, and {'the effects' if opens_block else 'its items'} after it"
    named = re.match(r"map\s.*|\w+\s+\w+", text.text)
    if items:
        line = write(f"{keyword}: {items}", place=text.span())
    elif takes_head and not is_rule and named is not None:
        split = named.end()
        line = write(f"{named.group()}: {text.text[split:].strip()}".strip(), place=text.span())
    elif not is_rule:
        line = write(f"{text.text}:", ", and its items below", text.span())
    report.add("missing-colon", text.span(0, len(keyword)), keyword=keyword, help=line)
    return _split(text, split, split)


def _split(text: Fragment, start: int, end: int) -> tuple[Fragment, Fragment]:
    return text.slice(0, start).strip(), text.slice(end, len(text.text)).strip()


def _instead_of_colon(text: str, keyword: str) -> re.Match[str] | None:
    equals = _EQUALS_AFTER_HEAD.match(text)
    heads = {"name", "maybe", "define", "id"}
    if equals is not None and (equals.group(1) is None or STATEMENTS[keyword].head in heads):
        return equals
    return _INSTEAD_OF_COLON.search(text)


def _after_trigger(text: str) -> int:
    """Return where an effect can start: after the first words, for `on pickup` and `on do` name no effect."""
    match = _TRIGGER.match(text)
    return match.end() if match else 0


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


def explain_deeper(text: Fragment, line_above: Fragment | None, report: Report) -> None:
    """Report a line that is indented deeper than its block allows; the line above may say why."""
    above = line_above.text if line_above is not None else ""
    if _LOOP.match(above) or _CHOICE.match(above) or leading_word(above) in RULE_WORDS:
        return
    help = "only `if`, `else`, `each`, `retry` and `repeat` open a block inside a block"
    if leading_word(text.text) == "else":
        help = "indent it like its `if`"
    report.add("unexpected-indent", text.span(), help=help)
