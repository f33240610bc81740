"""Habits in giving names: `const bird = ...`, `var bird = ...`, `set bird = ...` inside a block."""

from __future__ import annotations

import re

from griddsl.diagnostics import write
from griddsl.syntax.habits.mistake import Meant, Mistake

# `set` and `def` also change what is there, or say something for the whole spec; the others only give a name.
_WORDS = r"const|constant|var|val|local|auto|final|mut|int|float|define|def|set|name|assign"
_GIVEN = re.compile(rf"({_WORDS})\s+(?:mut\s+)?([A-Za-z_]\w*)\s*(?:=|:=|\bto\b|\bas\b|\bbe\b)\s*(?!=)(.+)")
_LET = re.compile(r"let\s+\w+\s*(be|to|is|as|becomes|:=)(?=\s)")
_CONSTANT = re.compile(r"-?\d[\d.]*|true|false")


def named(mistake: Mistake) -> Meant | None:
    """`const bird = E`, `let bird be E`: what a value is called, to the end of its block."""
    if mistake.start != "effects":
        return None
    start, stop = mistake.item_start(), mistake.item_end()
    let = _LET.match(mistake.text, start)
    if let is not None and mistake.begin == let.start(1):
        return Meant(write("="), *let.span(1), expected="`=`", start=let.start(1), stop=let.end(1))
    said = _GIVEN.fullmatch(mistake.text[start:stop])
    if said is None or mistake.gives(said[2]):
        return None
    word, name, value = said.groups()
    if word in {"set", "assign"} and re.fullmatch(r"-?\w+", value):
        return None  # a number or a word is what a variable is set to
    rest = ": it has its name to the end of the block"
    if _CONSTANT.fullmatch(value):
        rest += f"; what changes is declared, `var {name}: {value} in ...`"
    help = write(f"let {name} = {value}", rest)
    return Meant(help, start, start + len(word), unknown_effect=word, start=start, stop=stop)
