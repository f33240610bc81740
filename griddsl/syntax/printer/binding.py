"""What all printers share: how tightly parts bind, and the table of what prints a node."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import IntEnum
from fractions import Fraction
from typing import Any

from griddsl.syntax import nodes as n

INDENT = "    "
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Level(IntEnum):
    """How tightly an expression binds, loosest first."""

    ANY = 0
    OR = 1
    XOR = 2
    AND = 3
    NOT = 4
    COMPARISON = 5
    SUM = 6
    PRODUCT = 7
    FACTOR = 8
    POSTFIX = 9
    ATOM = 10


PRINTERS: dict[type, Callable[[Any], str]] = {}


def to_text(node: object) -> str:
    """Return the text of a node; parsing it gives an equal node."""
    printer = PRINTERS.get(type(node))
    if printer is None:
        raise TypeError(f"{type(node).__name__} is no node")
    return printer(node)


def effects_to_text(effects: Sequence[n.Effect]) -> str:
    """Return effects as one comma list; a second `choose` in a row leaves its word out."""
    parts = []
    for index, effect in enumerate(effects):
        text = to_text(effect)
        if isinstance(effect, n.Choose) and index and isinstance(effects[index - 1], n.Choose):
            text = text.removeprefix("choose ")
        parts.append(text)
    return ", ".join(parts)


def quoted(text: str) -> str:
    """Return a text in quotes, as a clause holds it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def level_of(node: object) -> int:
    """Return how tightly a node binds."""
    if isinstance(node, n.Given):
        return level_of(node.value)
    if isinstance(node, n.Logic):
        return {"or": Level.OR, "xor": Level.XOR, "and": Level.AND}[node.operator]
    if isinstance(node, n.Arithmetic):
        return Level.SUM if node.operator in "+-" else Level.PRODUCT
    if isinstance(node, n.Number) and node.text.startswith("+"):
        return Level.FACTOR
    return _LEVELS.get(type(node), Level.ATOM)


_LEVELS: dict[type, int] = {
    n.IfElse: Level.ANY,
    n.Superlative: Level.ANY,
    n.There: Level.ANY,
    n.ByChance: Level.ANY,
    n.TotalReward: Level.ANY,
    n.CountOf: Level.ANY,
    n.Not: Level.NOT,
    n.Compare: Level.COMPARISON,
    n.Is: Level.COMPARISON,
    n.Relation: Level.COMPARISON,
    n.Can: Level.COMPARISON,
    n.Some: Level.NOT,
    n.Negate: Level.FACTOR,
    n.Attribute: Level.POSTFIX,
}


def _ends_open(node: object) -> bool:
    """Whether an expression ends with a condition that would take in what follows it."""
    if isinstance(node, n.Logic):
        return _ends_open(node.values[-1])
    if isinstance(node, n.Not | n.Given):
        return _ends_open(node.value)
    return isinstance(node, n.Some)


def last_at(node: object, level: int) -> str:
    """Return the text of an expression that nothing of the same one follows."""
    text = to_text(node)
    return text if level_of(node) >= level else f"({text})"


def text_at(node: object, level: int) -> str:
    """Return the text of an expression, in brackets where it binds less tightly than ``level``."""
    text = to_text(node)
    if level > Level.ANY and _ends_open(node):
        return f"({text})"
    return text if level_of(node) >= level else f"({text})"


def tight_text(node: object) -> str:
    """Return a bound of a range or a coordinate: sums and products of names and numbers without blanks."""
    text = text_at(node, Level.SUM)
    return text.replace(" ", "") if is_simple(node) else text


def is_simple(node: object) -> bool:
    """Whether a node is a sum or product of names and numbers."""
    if isinstance(node, n.Arithmetic):
        return node.operator in "+-*/" and is_simple(node.left) and is_simple(node.right)
    return isinstance(node, n.Number | n.Name) or (isinstance(node, n.Attribute) and is_simple(node.owner))


def number_text(node: n.Number) -> str:
    """Return a number as it was written, or its digits."""
    return node.text or _decimal(node.value)


def _decimal(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    digits = 0
    while (value * 10**digits).denominator != 1 and digits < 100:
        digits += 1
    shown = str(int(value * 10**digits)).rjust(digits + 1, "0")
    return f"{shown[:-digits]}.{shown[-digits:]}"


def where_text(condition: n.Expression | None) -> str:
    """Return `` where C``, or nothing."""
    return f" where {to_text(condition)}" if condition is not None else ""


def if_text(condition: n.Expression | None) -> str:
    """Return `` if C``, or nothing."""
    return f" if {to_text(condition)}" if condition is not None else ""


def chance_text(chance: n.Expression | None) -> str:
    """Return `` with chance C``, or nothing."""
    return f" with chance {text_at(chance, Level.SUM)}" if chance is not None else ""


def count_text(count: n.Expression | None) -> str:
    """Return a count before what is counted, in brackets where it is no name or number."""
    if count is None:
        return ""
    plain = isinstance(count, n.Name) or (
        isinstance(count, n.Number) and not re.search("[+%]", number_text(count))
    )
    return f"{to_text(count)} " if plain else f"({to_text(count)}) "


def given_text(node: n.Expression) -> str:
    """Return a value where ``random`` may be followed by a domain: one that only begins so stands in brackets."""
    text = to_text(node)
    return f"({text})" if text.startswith("random ") and not isinstance(node, n.Random) else text
