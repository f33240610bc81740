"""Answers: the action that a text means, read forgivingly."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

# Where an answer stands by itself, from what is said most plainly to what is said in passing.
_OPENED = re.compile(r"<(?:action|answer|move)>", re.IGNORECASE)
_CLOSED = re.compile(r"</(?:action|answer|move)>", re.IGNORECASE)
_MARKED = (
    r"\\boxed\{([^{}]*)\}",
    r"[\"'](?:action|answer|move)[\"']\s*:\s*[\"']?([^\"',}\n]+)",
    r"\[([^\[\]\n]+)\]",
    r"\b(?:action|answer|move)\s*(?:is|:|=|->)\s*([^\n.;]+)",
)
_MARKS = tuple(re.compile(pattern, re.IGNORECASE | re.DOTALL) for pattern in _MARKED)
_THOUGHTS = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile(r"#?([0-9]{1,4})")
_MINUS = re.compile(r"[-\N{MINUS SIGN}\N{EN DASH}][0-9]")


def answer_in(text: str, names: Sequence[str]) -> int | None:
    """Return the number of the action that a text means; None where it means none, or several at once.

    A name counts in any case, and with spaces or hyphens for its underscores; so does the action's number. An answer
    may stand in tags (``<action>up</action>``), brackets, ``\\boxed{}``, JSON, behind ``action:``, or alone; of
    several of a sort, the last one counts. Else the text's last line that names exactly one action says it. What
    stands between ``<think>`` and ``</think>`` is no answer. Raises `TypeError` for what is no text.
    """
    if not isinstance(text, str):
        raise TypeError(f"an answer is a text, not {type(text).__name__}")
    said = _THOUGHTS.sub(" ", text)
    if (found := _exactly(said, names)) is not None:
        return found
    for marked in (_tagged(said), *(mark.findall(said) for mark in _MARKS)):
        for given in reversed(marked):
            found = _exactly(given, names)
            if found is None:
                found = _only(given, names)
            if found is not None:
                return found
    for line in reversed(said.splitlines()):
        mentioned = set(_mentioned(line, names))
        if len(mentioned) == 1:
            return mentioned.pop()
        if mentioned:
            return None
    return None


def _tagged(text: str) -> list[str]:
    """Return what stands in tags, each from the first that opens to the next that closes; read once from end to end."""
    found: list[str] = []
    at = 0
    while (opened := _OPENED.search(text, at)) and (closed := _CLOSED.search(text, opened.end())):
        found.append(text[opened.end() : closed.start()])
        at = closed.end()
    return found


def _plain(text: str) -> str:
    return re.sub(r"[\s_-]+", " ", re.sub(r"[^\w\s#-]", " ", text)).strip().lower()


def _exactly(text: str, names: Sequence[str]) -> int | None:
    """Return the action that a text is the name or the number of."""
    plain = _plain(text)
    known = [_plain(name) for name in names]
    if plain in known:
        return known.index(plain)
    number = _NUMBER.fullmatch(plain)
    if number is not None and not _MINUS.search(text) and int(number[1]) < len(names):
        return int(number[1])
    return None


def _only(text: str, names: Sequence[str]) -> int | None:
    mentioned = set(_mentioned(text, names))
    return mentioned.pop() if len(mentioned) == 1 else None


def _mentioned(text: str, names: Sequence[str]) -> Iterator[int]:
    """Yield the actions whose names stand in a text; a name inside of a longer one that is meant does not count."""
    plain = f" {_plain(text)} "
    for name in sorted(names, key=lambda each: -len(_plain(each))):
        wanted = f" {_plain(name)} "
        if wanted in plain:
            plain = plain.replace(wanted, "  ")
            yield list(names).index(name)
