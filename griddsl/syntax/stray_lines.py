"""Lines that are no statement, or lack their colon: what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Iterable

from griddsl.diagnostics import Report, did_you_mean, near
from griddsl.source import Fragment
from griddsl.syntax.keywords import EFFECT_WORDS, RULE_WORDS, STATEMENTS

SHAPE = "a statement reads `keyword [name]: items`"
_INSTEAD_OF_COLON = re.compile(r"\s(then|->|=>)(?=\s|$)")
_EQUALS_AFTER_HEAD = re.compile(r"\w+( +\w+)? *(=)(?!=)")
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
    **dict.fromkeys(("import", "include", "library"), "use"),
    **dict.fromkeys(("observation", "observations", "obs", "see"), "observe"),
    **dict.fromkeys(("variable", "let", "state", "counter"), "var"),
    **dict.fromkeys(("parameter", "option"), "param"),
    **dict.fromkeys(("kind", "item", "entity", "thing"), "object"),
    **dict.fromkeys(("terrain", "ground", "cell"), "tile"),
    **dict.fromkeys(("max_steps", "timeout", "horizon", "time_limit", "steps"), "limit"),
    **dict.fromkeys(("glyphs", "symbols", "key"), "legend"),
    **dict.fromkeys(("always", "step", "tick"), "each"),
    **dict.fromkeys(("task", "text", "instruction"), "mission"),
    **dict.fromkeys(("color", "colour", "sprite", "draw"), "look"),
    **dict.fromkeys(("zone", "room", "area"), "region"),
    **dict.fromkeys(("noise", "stochastic", "slippery"), "slip"),
}
_OTHER_HELP = {
    "if": "a rule starts with its trigger: `when C: ...`, or `on enter K if C: ...`",
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
        help = SHAPE
        if re.match(r"[^\w\s]{3}", text.text):
            help = "the lines of a map are indented below `map:`"
        elif text.text.startswith("//"):
            help = "a comment starts with `#`"
        report.add("not-a-statement", text.span(0, _length_of_sign(text.text)), help=help)
        return
    help = _meant_statement(text.text, word)
    report.add("unknown-statement", text.span(0, len(word)), keyword=word[:40], help=help)


def _length_of_sign(text: str) -> int:
    match = re.match(r"[^\w\s]+", text)
    return min(len(match.group()), 20) if match else 1


def _meant_statement(text: str, word: str) -> str:
    if word in _OTHER_HELP:
        return _OTHER_HELP[word]
    if _CHOICE.match(word):
        return _OTHER_HELP["else"]
    meant = word if word in EFFECT_WORDS else next(iter(near(word, (*STATEMENTS, *EFFECT_WORDS))), word)
    if meant in EFFECT_WORDS and meant not in STATEMENTS:
        return (
            f"`{meant}` is an effect: it stands in a rule, as in `each step: {_as_effect(text, word, meant)}`"
        )
    if (help := near_statement(word)) is not None:
        return help
    if re.match(r"[^\s:]{3,}$", text):
        return "the lines of a map are indented below `map:`"
    if re.match(r"\w+\s*[+-]?=", text):
        return f"a rule sets values: `each step: {_short(text)}`; `var {word}: ...` declares a variable"
    return SHAPE


def near_statement(word: str, known: Iterable[str] = tuple(STATEMENTS)) -> str | None:
    """Return a help line with the statements that a word may stand for: near ones, or the one it means."""
    return did_you_mean(word, known) or (
        f"did you mean `{_MEANT[word]}`?" if word in _MEANT else _near_meaning(word)
    )


def _near_meaning(word: str) -> str | None:
    found = near(word, _MEANT)
    return f"did you mean `{_MEANT[found[0]]}`?" if found else None


def _as_effect(text: str, word: str, meant: str) -> str:
    rest = text[len(word) :].strip().removeprefix(":").strip()
    return f"{meant} {rest}".strip() if len(rest) <= 30 else f"{meant} ..."


def explain_no_colon(text: Fragment, keyword: str, report: Report) -> tuple[Fragment, Fragment]:
    """Report a statement, or a line that opens a block, without its ``:``; split it where that belongs."""
    opens_block = keyword in {"if", "else", "retry", "repeat"}
    is_rule = keyword in RULE_WORDS or opens_block
    instead = _INSTEAD_OF_COLON.search(text.text) if is_rule else _instead_of_colon(text.text, keyword)
    if instead is not None:
        start, end = instead.span(instead.lastindex or 0)
        help = f"write `:` in place of `{text.text[start:end]}`"
        report.add("missing-colon", text.span(start, end), keyword=keyword, help=help)
        return _split(text, start, end)
    effect = _EFFECT.search(text.text, _after_trigger(text.text)) if is_rule else None
    if effect is not None:
        start, end = effect.span()
        head = _short(text.text[:start].rstrip(" ,"))
        help = f"write `{head}: {_short(text.text[start:])}`"
        report.add("missing-colon", text.span(start, end), keyword=head, help=help)
        return _split(text, start, start)
    takes_head = is_rule or STATEMENTS[keyword].head not in {"none", "maybe"}
    split = len(text.text) if takes_head else len(keyword)
    items = text.text[split:].strip()
    help = f"write `{_short(text.text)}:`, and {'the effects' if opens_block else 'its items'} after it"
    if items:
        help = f"write `{keyword}: {_short(items)}`"
    report.add("missing-colon", text.span(0, len(keyword)), keyword=keyword, help=help)
    return _split(text, split, split)


def _split(text: Fragment, start: int, end: int) -> tuple[Fragment, Fragment]:
    return text.slice(0, start).strip(), text.slice(end, len(text.text)).strip()


def _instead_of_colon(text: str, keyword: str) -> re.Match[str] | None:
    equals = _EQUALS_AFTER_HEAD.match(text)
    if equals is not None and (equals.group(1) is None or STATEMENTS[keyword].head in {"name", "maybe"}):
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
    help = "only `if`, `else`, `retry` and `repeat` open a block inside a block"
    report.add("unexpected-indent", text.span(), help=help)
