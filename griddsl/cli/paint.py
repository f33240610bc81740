"""Colour for terminals, and none where there is no terminal or ``NO_COLOR`` is set."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import TextIO

from griddsl.diagnostics import Diagnostic, to_text

CODES = {
    "bold": "1",
    "faint": "2",
    "red": "1;31",
    "green": "1;32",
    "yellow": "1;33",
    "blue": "34",
    "cyan": "36",
}
_HEAD = re.compile(r"^(error|warning)(\[[a-z0-9-]+\]: )(.*)$")
_MARGIN = re.compile(r"^( *[0-9]* \||\s*-->|\s*:::)(.*)$")
_CARETS = re.compile(r"^( *)(\^+|-+)( .*)?$")


def is_colored(stream: TextIO) -> bool:
    """Whether a stream takes colours."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def paint(text: str, style: str, color: bool = True) -> str:
    """Return a text in a style of `CODES`, or as it is."""
    return f"\x1b[{CODES[style]}m{text}\x1b[0m" if color and text else text


def diagnostics_text(diagnostics: Iterable[Diagnostic], color: bool) -> str:
    """Return diagnostics as text, coloured or not."""
    text = to_text(diagnostics)
    if not color:
        return text
    return "\n\n".join(_block(block) for block in text.split("\n\n"))


def _block(block: str) -> str:
    lines = block.split("\n")
    style = "red" if lines[0].startswith("error") else "yellow"
    return "\n".join(_line(line, style) for line in lines)


def _line(line: str, style: str) -> str:
    head = _HEAD.match(line)
    if head:
        severity, code, message = head.groups()
        return paint(severity + code.rstrip(": "), style) + ": " + paint(message, "bold")
    if line.startswith("help: "):
        return paint("help:", "cyan") + line[5:]
    margin = _MARGIN.match(line)
    if margin is None:
        return line
    rest = _CARETS.sub(lambda match: paint(match.group(), style), margin.group(2))
    return paint(margin.group(1), "blue") + rest
