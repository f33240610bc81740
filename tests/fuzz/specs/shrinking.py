"""Making a failing spec small: what can be left out of it, is, while it fails in the same way."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence

Fails = Callable[[str], bool]
# What may be left out of a line: a condition, a chance, an item, a part of an expression.
_TAILS = (
    r" if [^:]*(?=:)", r" with chance [^:,\n]*", r" where [^:,\n]*", r" unless [^:,\n]*", r" avoiding (?:\w+|\([^()]*\))", r" every \d+ steps",
    r" in (?:column|row) \d+", r" reachable from \w+", r" as \w+(?= at)", r" else [^:,\n]*", r"\([^()]*=[^()]*\)",
)  # fmt: skip
_REPLACED = (
    (r"\([^()]*\)", "1"), (r"\b\w+\([^()]*\)", "1"), (r"\d+", "1"), (r"(?:[\w.]+|\([^()]*\)) (?:and|or|\+|-|\*|div|mod) ", ""),
    (r" (?:and|or|\+|-|\*|/|div|mod|==|!=|<=?|>=?|is|is not|on|at) (?:[\w.]+|\([^()]*\))", ""), (r"not ", ""),
)  # fmt: skip


def shrunk(text: str, fails: Fails, seconds: float = 30.0) -> str:
    """Return a smaller text that fails as well; the text itself where nothing can be left out."""
    end = time.monotonic() + seconds
    before = ""
    while before != text and time.monotonic() < end:
        before = text
        for smaller in (_without_statements, _without_lines, _without_items, _without_parts):
            text = _greedy(text, smaller, fails, end)
    return text


def _greedy(text: str, smaller: Callable[[str], Iterator[str]], fails: Fails, end: float) -> str:
    """Take the first smaller text that fails, again and again."""
    tried: set[str] = {text}
    progress = True
    while progress:
        progress = False
        for candidate in smaller(text):
            if time.monotonic() > end:
                return text
            if candidate in tried:
                continue
            tried.add(candidate)
            if fails(candidate):
                text, progress = candidate, True
                break
    return text


def statements_of(text: str) -> list[str]:
    """Return the statements of a spec, each with the lines below it."""
    return re.findall(r"^\S.*\n(?:[ \t]+.*\n)*", text, re.MULTILINE)


def _without(parts: Sequence[str], joined: Callable[[Sequence[str]], str]) -> Iterator[str]:
    size = len(parts) // 2
    while size:
        for at in range(0, len(parts), size):
            yield joined([*parts[:at], *parts[at + size :]])
        size //= 2


def _without_statements(text: str) -> Iterator[str]:
    return _without(statements_of(text), "".join)


def _without_lines(text: str) -> Iterator[str]:
    lines = text.splitlines(keepends=True)
    for at, line in enumerate(lines):
        depth = len(line) - len(line.lstrip())
        if not depth:
            continue
        below = at + 1
        while below < len(lines) and len(lines[below]) - len(lines[below].lstrip()) > depth:
            below += 1
        yield "".join([*lines[:at], *lines[below:]])
        if below > at + 1:  # the block without its head
            yield "".join([*lines[:at], *(each[4:] for each in lines[at + 1 : below]), *lines[below:]])


def items_of(line: str) -> list[str]:
    """Return a line cut at its commas, those in brackets and quotes left alone."""
    parts, depth, quoted = [""], 0, False
    for sign in line:
        quoted ^= sign == '"'
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and not depth and not quoted:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def _without_items(text: str) -> Iterator[str]:
    lines = text.splitlines(keepends=True)
    for at, line in enumerate(lines):
        head, colon, rest = line.rstrip("\n").partition(": ")
        prefix, items = (f"{head}: ", items_of(rest)) if colon else ("", items_of(line.rstrip("\n")))
        if len(items) > 1:
            for index in range(len(items)):
                kept = ",".join([*items[:index], *items[index + 1 :]]).strip() if colon else ""
                kept = kept or ",".join([*items[:index], *items[index + 1 :]])
                yield "".join([*lines[:at], f"{prefix}{kept}\n", *lines[at + 1 :]])


def _without_parts(text: str) -> Iterator[str]:
    for pattern in _TAILS:
        for match in re.finditer(pattern, text):
            yield text[: match.start()] + text[match.end() :]
    for pattern, instead in _REPLACED:
        for match in re.finditer(pattern, text):
            if match.group() != instead:
                yield text[: match.start()] + instead + text[match.end() :]
