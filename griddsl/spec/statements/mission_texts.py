"""Missions in other words: texts with a letter before them, and alternatives as statements or with `?`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from griddsl.diagnostics import Help, Report, write
from griddsl.source import Fragment, Span
from griddsl.syntax.document import Line, Statement

_TEXT = r'("(?:\\.|[^"\\])*")'
_PREFIX = re.compile(r'([fFrRbBuU]{1,2})"')
_CASE = re.compile(rf'(?:else\s+|els?)?if\b\s*([^:"?]+?)\s*(?::|\bthen\b)?\s*{_TEXT}\s*[,;]?\s*')
_OTHERWISE = re.compile(rf"else\b\s*:?\s*{_TEXT}\s*")
_QUESTION = re.compile(rf'([^?:"]+?)\s*\?\s*{_TEXT}\s*:\s*{_TEXT}\s*')


def without_prefix(text: Fragment, report: Report) -> Fragment:
    """Return a text without the letter of Python's before it, `f"..."`, which is reported."""
    prefix = None if text.source.is_toml else _PREFIX.match(text.text)
    if prefix is None:
        return text
    letter, place = prefix[1], text.span(*prefix.span(1))
    anyway = ": the braces of a text are filled in anyway" if letter in "fF" else ""
    help = Help(f"leave `{letter}` out{anyway}", ("",), place=place)
    report.add("syntax", place, found=f"`{letter}`", expected="a quoted text", help=help)
    return text.slice(prefix.end(1), len(text.text))


def report_cases(statement: Statement, report: Report) -> bool:
    """Report `if C: "A" else: "B"` and `C ? "A" : "B"`, in a line or in a block; return whether that is written."""
    first = statement.texts()[0]
    whole = first.span() if first.source.is_toml else first.span().to(_last(first.span(), statement.block))
    said = first.text if first.source.is_toml else whole.text
    meant = _as_alternatives(said)
    if meant is None:
        return False
    sign = "if" if said.startswith("if") else "?"
    at = said.index(sign)
    place = first.span(at, at + len(sign))
    help = write(meant, place=whole)
    report.add("syntax", place, found=f"`{sign}`", expected="a text before its condition", help=help)
    return True


def _last(place: Span, block: Iterable[Line]) -> Span:
    """Return where the last line of a block ends."""
    for line in block:
        texts = [line.text, *([line.tail] if line.tail is not None and line.tail.text else [])]
        place = _last(texts[-1].span(), line.block)
    return place


def _as_alternatives(said: str) -> str | None:
    """Return the alternatives `"A" if C else "B"` that are written otherwise; None where none are."""
    if (asked := _QUESTION.fullmatch(said)) is not None:
        return f"{asked[2]} if {asked[1].strip()} else {asked[3]}"
    if not re.match(r"if\b", said):
        return None
    at, written = 0, ""
    while (case := _CASE.match(said, at)) is not None:
        written += f"{case[2]} if {case[1]} else "
        at = case.end()
    otherwise = _OTHERWISE.match(said, at)
    end = otherwise.end() if otherwise is not None else at
    if not written or end != len(said):
        return None
    return written + (otherwise[1] if otherwise is not None else '""')


_JOINED = re.compile(r'"((?:\\.|[^"\\])*)"\s*(?:([+%])\s*|\.\s*format\s*\(\s*)(.*?)\)?', re.DOTALL)
_PART = re.compile(r'\s*(?:"((?:\\.|[^"\\])*)"|str\(\s*([\w.]+)\s*\)|([\w.]+))\s*')


def report_joined(text: Fragment, report: Report) -> bool:
    """Report `"take " + colour`, `"take %s" % colour` and `"take {}".format(colour)`; return whether it was."""
    said = _JOINED.fullmatch(text.text)
    if said is None:
        return False
    help: str = 'names stand in the text, in braces: `"take the {colour} key"`'
    if (written := _in_braces(said[1], said[2] or "format", said[3])) is not None and not text.source.is_toml:
        help = write(f'"{written}"', place=text.span())
    sign = {"+": "`+`", "%": "`%`"}.get(said[2], "`.format`")
    at = said.end(1) + 1
    place = text.span(at, len(text.text))
    report.add("syntax", place, found=f"{sign} behind a text", expected="names in its braces", help=help)
    return True


def _in_braces(first: str, sign: str, rest: str) -> str | None:
    """Return a text with names in its braces for one that other languages put together; None where more is done."""
    parts = [_PART.fullmatch(each) for each in re.split(r"\+" if sign == "+" else ",", rest.strip("()"))]
    told = [f"{{{each[2] or each[3]}}}" if each[1] is None else each[1] for each in parts if each is not None]
    if len(told) != len(parts):
        return None
    if sign == "+":
        return first + "".join(told)
    gaps = re.split(r"%[sdi]" if sign == "%" else r"\{\}", first)
    if len(gaps) != len(told) + 1:
        return None
    return gaps[0] + "".join(name + gap for name, gap in zip(told, gaps[1:], strict=True))
