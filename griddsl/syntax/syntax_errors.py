"""Syntax errors in the user's words: what was found, what could stand there, and what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from lark import Lark, UnexpectedInput, UnexpectedToken

from griddsl.diagnostics import Help, Report, write
from griddsl.source import Fragment, Source
from griddsl.syntax.habits.mistake import QUOTED, Meant, Mistake
from griddsl.syntax.keywords import NEVER_DEFINED

_SHOWN = 40
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
    "IF_FREE": "`if free`",
    "_BACK_AT": "`, back at`",
    "SIZE": "a size such as 7x7",
    "ASSIGN": "`=`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "STAR": "`*`",
    "SLASH": "`/`",
}
_RUN = re.compile(r"\w+(?:\.\w+)*|\"(?:\\.|[^\"\\])*\"?|&&|\|\||//|.", re.DOTALL)
_END = "$END"
_AN_EXPRESSION = {"NAME", "NUMBER", "LPAR", "STRING"}
_STARTS_EXPRESSION = _AN_EXPRESSION | {"PERCENT", "MINUS", "PLUS", "TRUE", "FALSE", "RANDOM"}
_STARTS_EXPRESSION |= {"ALL", "ANY", "NO", "NO_WORD", "NOT", "CAN", "OTHER", "THE"}
_OPERATORS = {"PLUS", "MINUS", "STAR", "SLASH", "DIV", "MOD", "COMPARE", "DOT", "IS", "ON", "AT", "HAS"}
_OPERATORS |= {"AHEAD", "LEFT", "WITHIN", "SEES", "CAN", "AND", "XOR", "OR", "LPAR"}
_FEWEST_OPERATORS = 4
_MOST_LISTED = 8


def explain(start: str, fragment: Fragment, error: UnexpectedInput, parser: Lark, report: Report) -> None:
    """Add the diagnostic for a clause that lark could not parse."""
    mistake = replace(_mistake(start, fragment.text, error, parser), whole=whole_of(fragment.source))
    if mistake.found.startswith('"') and not re.fullmatch(QUOTED, mistake.found):
        closed: str = 'close it with `"`'
        if mistake.start == "legend" and mistake.found.startswith('"\\"'):
            text = fragment.span(mistake.begin, mistake.begin + 3)
            closed = write('"\\\\"', ": a backslash stands before another one", text)
        report.add("open-text", fragment.span(mistake.begin, len(fragment.text)), help=closed)
        return
    if _calls_no_name(mistake):
        return
    from griddsl.syntax.habits.answers import meant  # most files are right, and need none of these

    fix = meant(mistake) or Meant(None)
    begin = mistake.begin if fix.begin is None else fix.begin
    end = mistake.end if fix.end is None else fix.end
    span = fragment.span(begin, end)
    line: str | None = fix.help
    if isinstance(line, Help):
        place = begin if fix.start is None else fix.start, end if fix.stop is None else fix.stop
        if fix.guess and not any(_leads_on(mistake, *place, rewrite, parser) for rewrite in line.rewrites):
            fix, line = Meant(None), None
        else:
            line = _placed(line, fragment, *place)
    if fix.unknown_effect:
        report.add("unknown-effect", span, name=fix.unknown_effect[:_SHOWN], help=line)
        return
    found = fix.found or _shown(fragment.text[begin:end])
    report.add("syntax", span, found=found, expected=fix.expected or _summary(mistake.expected), help=line)


def _leads_on(mistake: Mistake, start: int, stop: int, rewrite: str, parser: Lark) -> bool:
    """Whether a clause with a rewrite in the place of a part of it is right, or goes wrong farther behind."""
    text = mistake.text[:start] + rewrite + mistake.text[stop:]
    try:
        parser.parse(text, start=mistake.start)
    except UnexpectedInput as error:
        left = len(text) - _mistake(mistake.start, text, error, parser).begin
        return left < len(mistake.text) - mistake.begin
    return True


def _calls_no_name(mistake: Mistake) -> bool:
    """Whether a word of the language is called that a `define` of the file gives a meaning: of that it is said."""
    called = re.search(r"\b(\w+)\s*\(?[^()]*\Z", mistake.text[: mistake.end])
    if (
        called is None
        or called[1] not in NEVER_DEFINED
        or "(" not in mistake.text[called.start() : mistake.end]
    ):
        return False
    return re.search(rf"^define\s+{called[1]}\s*\(", mistake.whole, re.MULTILINE) is not None


def whole_of(source: Source) -> str:
    """Return the text that a clause stands in, TOML roughly as it reads in a ``.grid`` file: what declares a name."""
    if not source.is_toml:
        return source.text + _of_libraries(source.text)
    table, lines = "", list[str]()
    for line in source.text.split("\n"):
        opened = re.match(r"\[+\s*\"?(\w+)", line)
        given = re.match(r"\s*\"?([^\"=\[\]]+?)\"?\s*=\s*(.*)", line)
        if opened is not None:
            table = f"{opened[1]} "
        elif given is not None and table != "rules ":
            bare = re.sub(r'["\[\]{}]', "", given[2])
            lines.append(f"{table}{given[1]}: {bare}")
    return "\n".join(lines)


def _of_libraries(text: str) -> str:
    """Return the kinds that the bundled libraries of a spec declare, behind a blank line."""
    named = set(re.findall(r"^use\s*:?[ \t]*(\w+)", text, re.MULTILINE))
    files = sorted((Path(__file__).parents[1] / "libraries").glob("*.grid")) if named else []
    texts = [each.read_text(encoding="utf-8") for each in files if each.stem in named]
    kinds = re.findall(r"^(?:object|tile)\b.*(?:\n[ \t]+.*)*", "\n".join(texts), re.MULTILINE)
    return "\n".join(["", *kinds]) if kinds else ""


def _placed(help: Help, fragment: Fragment, start: int, stop: int) -> Help:
    """Return a help line whose rewrites take the place of a part of the clause, in lines as the clause's is indented.

    In a string of a TOML file, where lines and quotes are written otherwise, those that have any are left out.
    """

    place = fragment.span(start, stop)
    line = place.source.line(place.line)
    indent = line[: len(line) - len(line.lstrip())]
    rewrites = [rewrite.replace("\n", f"\n{indent}") for rewrite in help.rewrites]
    if place.source.is_toml:
        rewrites = [rewrite for rewrite in rewrites if not re.search(r'["\n]', rewrite)]
    return Help(help, rewrites, place=place)


def _mistake(start: str, text: str, error: UnexpectedInput, parser: Lark) -> Mistake:
    """Find where the clause goes wrong: a word, a run of signs, a text that is not closed, or the end."""
    if isinstance(error, UnexpectedToken):
        expected = frozenset(error.accepts or error.expected)
        if error.token.type == _END:
            end = len(text.rstrip())
            return Mistake(start, text, end, end, expected)
        return Mistake(start, text, error.token.start_pos or 0, error.token.end_pos or 0, expected)
    begin = min(error.pos_in_stream or 0, max(0, len(text) - 1))
    run = _RUN.match(text, begin)
    return Mistake(start, text, begin, run.end() if run else begin, _accepted(start, text[:begin], parser))


def _accepted(start: str, text: str, parser: Lark) -> frozenset[str]:
    """Return the terminals that fit behind a text that is right so far."""
    try:
        state = parser.parse_interactive(text, start=start)
        state.exhaust_lexer()
        return frozenset(state.accepts())  # type: ignore[no-untyped-call]
    except UnexpectedInput:
        return frozenset()


def _summary(expected: Iterable[str]) -> str:
    """Say what could stand there: an expression, an operator, or the few words that fit."""
    left = set(expected) - {"NORTH_UP"}  # `centered` stands for it
    if "BECOMES" in left:
        left -= {"OUT"}  # of agents alone
    parts: list[str] = []
    if left >= _AN_EXPRESSION:
        parts.append("an expression")
        left -= _STARTS_EXPRESSION
    if len(left & _OPERATORS) >= _FEWEST_OPERATORS:
        parts.append("an operator")
        left -= _OPERATORS
    names = sorted(left - {_END}, key=lambda name: (name not in _WORDS, name))
    parts.extend(_WORDS.get(name, f"`{name.lower()}`") for name in names)
    if len(parts) > _MOST_LISTED:
        parts = [*parts[:_MOST_LISTED], "something else"]
    if _END in left or not parts:
        parts.append("the end")
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"


def _shown(text: str) -> str:
    if not text:
        return "the end"
    if len(text) == 1 and (not text.isprintable() or text.isspace()):
        return f"the character U+{ord(text):04X}"
    return f"`{text[:_SHOWN]}`"
