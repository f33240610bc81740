"""Habits in TOML: lines that are none, and what is most likely meant by them."""

from __future__ import annotations

import re

from griddsl.diagnostics import write
from griddsl.source import Source, Span
from griddsl.syntax.keywords import RULE_WORDS, STATEMENTS


def meant(source: Source, wrong: int) -> str | None:
    """Return what to write in place of a line, or of a part of it, that goes wrong at an offset."""
    return _quoted(source, wrong) or _as_grid(source.line(source.whole().span(wrong, wrong).line))


def _quoted(source: Source, wrong: int) -> str | None:
    """`limit = 50 steps`, `key: "portable"`: say how a line is written that lacks its quotes, or its sign."""
    begin = source.text.rfind("\n", 0, wrong) + 1
    line = source.line(source.whole().span(wrong, wrong).line)
    said = re.match(r"([\w-]+|\"[^\"]*\")(\s*=\s*)([^\s\"'\[\]{}#][^\"'\[\]{}#]*?)\s*(?:#|\Z)", line)
    if said is not None and wrong >= begin + said.start(3):
        place = Span(source, begin + said.start(3), begin + said.end(3))
        return write(f'"{said[3]}"', ": a text stands in quotes", place)
    sign = re.match(r"(?:[\w-]+|\"[^\"]*\")\s*(:)\s*[\"'\[{]", line)
    inside = re.search(r"[{,]\s*(?:[\w-]+|\"[^\"]*\")\s*\Z", line[: wrong - begin]) is not None
    if (sign is not None and begin + sign.start(1) == wrong) or (
        inside and source.text[wrong : wrong + 1] == ":"
    ):
        return write("=")
    return None


def _as_grid(line: str) -> str | None:
    """Say how a line that reads as in a ``.grid`` file is written in TOML."""
    said = re.match(r"([a-z]+)(?:\s+([^:=\"]+?))?\s*:\s*(.*)", line)
    if said is None or (said[1] not in STATEMENTS and said[1] not in RULE_WORDS):
        return None
    head, items = f"{said[1]} {said[2]}" if said[2] else said[1], said[3].partition("#")[0].strip() or "..."
    if said[1] in RULE_WORDS:
        written = f'`[[rules]]`, and below it `when = "{head}"` and `do = "{items}"`'
    elif said[2]:
        written = f'`[{said[1]}]`, and below it `{said[2]} = "{items}"`'
    else:
        written = f'`{said[1]} = "{items}"`'
    return f"a `.grid` file says it so, and its `env:` too; in TOML it is {written}"
