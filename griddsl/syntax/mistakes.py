"""Syntax errors in the user's words: what was found, what could stand there, and what was probably meant."""

from __future__ import annotations

from collections.abc import Iterable

from lark import Lark, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from griddsl.diagnostics import Report, listing
from griddsl.source import Fragment

_WORDS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "PERCENT": "a percentage",
    "STRING": "a quoted text",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "COMMA": "`,`",
    "EQUAL": "`=`",
    "VBAR": "`|`",
    "DOT": "`.`",
    "__ANON_0": "`..`",
    "COMPARE": "a comparison",
    "SIZE": "a size such as 7x7",
    "$END": "the end of the clause",
    "ASSIGN": "`=`",
}
_EXPRESSION = {"NAME", "NUMBER", "LPAR", "STRING"}
_OPERATORS = {"PLUS", "MINUS", "STAR", "SLASH", "DIV", "MOD", "COMPARE", "DOT", "IS", "ON", "AT", "HAS", "AHEAD"}
_OPERATORS |= {"LEFT", "WITHIN", "AND", "OR"}

# What people write instead, as (start rules, the word found, the word before or None): the fix.
_HABITS: tuple[tuple[str, str, str], ...] = (
    ("==", "EQUAL", "compare numbers with `==`, words with `is`"),
    ("&&", "AND", "write `and`"),
    ("||", "OR", "write `or`"),
    ("!", "NOT", "write `not`"),
    ("%", "MOD", "write `mod` for the remainder"),
    ("//", "DIV", "write `div` for whole division"),
    ("'", "STRING", 'texts stand in double quotes: "..."'),
    (";", "COMMA", "separate items with `,`"),
)


def explain(start: str, fragment: Fragment, error: UnexpectedInput, parser: Lark, report: Report) -> None:
    """Add the diagnostic for a clause that lark could not parse."""
    text = fragment.text
    expected = _expected(error)
    if isinstance(error, UnexpectedToken) and error.token.type != "$END":
        begin, end = error.token.start_pos or 0, error.token.end_pos or 0
        found = f"`{text[begin:end]}`"
    elif isinstance(error, UnexpectedCharacters):
        begin = min(error.pos_in_stream or 0, max(0, len(text) - 1))
        end = begin + 1
        if text[begin : begin + 1] == '"':
            report.add("open-text", fragment.span(begin, len(text)), help='close it with `"`')
            return
        found = _shown(text[begin:end])
    else:
        begin = end = len(text.rstrip())
        found = "the end"
    help = _habit(text, begin) or _keyword_as_name(text[begin:end], expected)
    report.add("syntax", fragment.span(begin, end), found=found, expected=_summary(expected), help=help)


def _expected(error: UnexpectedInput) -> set[str]:
    if isinstance(error, UnexpectedToken):
        return set(error.accepts or error.expected)
    if isinstance(error, UnexpectedCharacters):
        return set(error.allowed or ())
    return set()


def _summary(expected: Iterable[str]) -> str:
    """Say what could stand there: an expression, an operator, or the few words that fit."""
    left = set(expected)
    parts: list[str] = []
    if left >= _EXPRESSION:
        parts.append("an expression")
        left -= {*_EXPRESSION, "PERCENT", "MINUS", "PLUS", "TRUE", "FALSE", "RANDOM", "ALL", "ANY", "NO", "NOT"}
        left -= {"CAN", "OTHER", "EQUAL"} if "EQUAL" not in left else {"CAN", "OTHER"}
    if len(left & _OPERATORS) >= 5:
        left -= _OPERATORS
        left -= {"LPAR"}
        parts.append("an operator")
    names = sorted(left, key=lambda name: (name not in _WORDS, name))
    parts.extend(_WORDS.get(name, f"`{name.lower()}`") for name in names if not name.startswith("__"))
    if "$END" in left and len(parts) > 1:
        parts.remove(_WORDS["$END"])
        parts.append(_WORDS["$END"])
    if not parts:
        return "the end of the clause"
    if len(parts) > 8:
        parts = [*parts[:8], "..."]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"


def _shown(char: str) -> str:
    return f"`{char}`" if char.isprintable() else f"the character U+{ord(char):04X}"


def _habit(text: str, at: int) -> str | None:
    rest = text[at : at + 3]
    before = text[max(0, at - 1) : at]
    for sign, _, fix in _HABITS:
        if rest.startswith(sign):
            return fix
    if rest.startswith("=") and not before.strip("<>!="):
        return "compare numbers with `==`, words with `is`"
    if rest.startswith("/") and before == "/":
        return "write `div` for whole division"
    return None


def _keyword_as_name(word: str, expected: set[str]) -> str | None:
    from griddsl.syntax.keywords import RESERVED

    if "NAME" in expected and word in RESERVED:
        return f"`{word}` is a word of the language and cannot be a name here"
    if word in {"if", "else"}:
        return "a condition stands in a rule's head (`on enter goal if C: ...`) or on a line of its own (`if C: ...`)"
    return None


__all__ = ["explain", "listing"]
