"""Lines that are no statement, or lack their colon: what was probably meant."""

from __future__ import annotations

import re

from griddsl.diagnostics import Report, did_you_mean, near
from griddsl.source import Fragment
from griddsl.syntax.keywords import EFFECT_WORDS, RULE_WORDS, STATEMENTS

SHAPE = "a statement reads `keyword [name]: items`"
_INSTEAD_OF_COLON = re.compile(r"\s(then|->|=>)(?=\s|$)")
_EQUALS_AFTER_HEAD = re.compile(r"\w+( +\w+)? *(=)(?!=)")
_EFFECT = re.compile(r"\b(reward|hidden|end|truncate|out|cancel|go|place|choose|remove|pickup|drop)\b")
_CHOICE = re.compile(r"\b(elif|elseif|elsif|elsewhen|otherwise)\b")
_LOOP = re.compile(r"(for|while|repeat|foreach)\b")
_PLACE_OF_OTHERS = {
    "reset": "setup",
    "start": "setup",
    "init": "setup",
    "grid": "map",
    "level": "map",
    "name": "env",
    "id": "env",
    "import": "use",
    "include": "use",
    "observation": "observe",
    "observations": "observe",
    "obs": "observe",
    "action": "actions",
    "variable": "var",
    "let": "var",
    "parameter": "param",
    "kind": "object",
    "item": "object",
    "entity": "object",
    "max_steps": "limit",
    "timeout": "limit",
    "horizon": "limit",
    "goal": "on",
    "always": "each",
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
    report.add("unknown-statement", text.span(0, len(word)), keyword=word[:40], help=_meant_statement(text.text, word))


def _length_of_sign(text: str) -> int:
    match = re.match(r"[^\w\s]+", text)
    return min(len(match.group()), 20) if match else 1


def _meant_statement(text: str, word: str) -> str:
    if word == "if":
        return "a rule starts with its trigger: `when C: ...`, or `on enter K if C: ...`"
    if word == "else" or _CHOICE.match(word):
        return "`else` follows an `if` line inside a rule's block, and is indented like it"
    if word == "description":
        return "the description stands in quotes on a line below `env`, indented"
    meant = next(iter(near(word, (*STATEMENTS, *EFFECT_WORDS))), word)
    if meant in EFFECT_WORDS and meant not in STATEMENTS:
        return f"`{meant}` is an effect: it stands in a rule, as in `each step: {_as_effect(text, word, meant)}`"
    if (help := did_you_mean(word, STATEMENTS)) is not None:
        return help
    if word in _PLACE_OF_OTHERS:
        return f"did you mean `{_PLACE_OF_OTHERS[word]}`?"
    if re.match(r"[^\s:]{3,}$", text):
        return "the lines of a map are indented below `map:`"
    if re.match(r"\w+\s*(\+|-)?=", text):
        return f"a value is set in a rule, as in `each step: {text[:40]}`; a variable is declared by `var {word}: ...`"
    return SHAPE


def _as_effect(text: str, word: str, meant: str) -> str:
    rest = text[len(word) :].strip().removeprefix(":").strip()
    return f"{meant} {rest}".strip() if len(rest) <= 30 else f"{meant} ..."


def explain_no_colon(text: Fragment, keyword: str, report: Report) -> None:
    """Report a statement, or a line that opens a block, in which no ``:`` stands; point at where it belongs."""
    opens_block = keyword in {"if", "else", "retry"}
    is_rule = keyword in RULE_WORDS or opens_block
    instead = _instead_of_colon(text.text, keyword) if not is_rule else _INSTEAD_OF_COLON.search(text.text)
    if instead is not None:
        sign = instead.group(instead.lastindex or 0)
        span = text.span(instead.start(instead.lastindex or 0), instead.end(instead.lastindex or 0))
        report.add("missing-colon", span, keyword=keyword, help=f"write `:` in place of `{sign}`")
        return
    effect = _EFFECT.search(text.text, _after_trigger(text.text)) if is_rule else None
    if effect is not None:
        head = text.text[: effect.start()].rstrip(" ,")
        tail = text.text[effect.start() :]
        help = f"write `{_short(head)}: {_short(tail)}`"
        report.add("missing-colon", text.span(effect.start(), effect.end()), keyword=_short(head), help=help)
        return
    help = f"write `{_short(text.text)}:`, and the items after it"
    if opens_block:
        help = f"write `{_short(text.text)}:`, and the effects after it or indented below"
    elif not is_rule and (items := _items_of(text.text, keyword)):
        help = f"write `{keyword}: {_short(items)}`"
    report.add("missing-colon", text.span(0, len(keyword)), keyword=keyword, help=help)


def _instead_of_colon(text: str, keyword: str) -> re.Match[str] | None:
    equals = _EQUALS_AFTER_HEAD.match(text)
    if equals is not None and (equals.group(1) is None or STATEMENTS[keyword].head in {"name", "maybe"}):
        return equals
    return _INSTEAD_OF_COLON.search(text)


def _after_trigger(text: str) -> int:
    """Return where an effect can start: after the first words, for `on pickup` and `on do` name no effect."""
    match = re.match(r"(on(\s+(?!reward|end)\w+)?\s+(enter|leave|bump|push|pickup|drop|toggle|meet|do|fail)|\w+)\s+", text)
    return match.end() if match else 0


def _items_of(text: str, keyword: str) -> str:
    return text[len(keyword) :].strip() if STATEMENTS[keyword].head == "none" else ""


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


def explain_deeper(text: Fragment, line_above: Fragment | None, report: Report) -> None:
    """Report a line that is indented deeper than its block allows; the line above may say why."""
    above = line_above.text if line_above is not None else ""
    if _LOOP.match(above) or _CHOICE.match(above):
        return
    help = "only `if`, `else` and `retry` open a block inside a block"
    if leading_word(above) == "when":
        help = "inside a block a condition starts with `if`"
    report.add("unexpected-indent", text.span(), help=help)
