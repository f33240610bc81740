"""The canonical text of the items of declarations."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from griddsl.syntax import nodes as n
from griddsl.syntax.printer.binding import (
    WORD,
    Level,
    chance_text,
    count_text,
    number_text,
    quoted,
    text_at,
    tight_text,
    to_text,
)

_BARE_GLYPH = re.compile(r"[A-Za-z0-9]|[A-Za-z_][A-Za-z0-9_]+|[0-9]{2,}")
_BARE_KEY = re.compile(r"(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+)(?: (?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+))*")


def _guarded(node: n.Guarded) -> str:
    if node.condition is None:
        return node.name
    most = f" {text_at(node.most, Level.SUM)}" if node.most is not None else ""
    return f"{node.name}{most} {node.word} {to_text(node.condition)}"


def _property(node: n.Property) -> str:
    values = " | ".join(text_at(value, Level.SUM) for value in node.values)
    return " ".join(part for part in (node.name, node.word, values) if part)


def _attribute_item(node: n.AttributeItem) -> str:
    default = text_at(node.default, Level.SUM) if node.default is not None else ""
    domain = f"in {to_text(node.domain)}" if node.domain is not None else ""
    return " ".join(part for part in (node.name, default, domain) if part)


def _mover(node: n.Mover) -> str:
    return f"moves {_policy(node)}"


def _policy(node: n.Mover) -> str:
    text = node.policy
    if node.target is not None:
        target, by = to_text(node.target), f" by {node.by}" if node.by is not None else ""
        is_open = isinstance(node.target, n.Superlative) and node.target.where is not None
        text += f" ({target}){by}" if is_open else f" {target}{by}"
    elif node.cells is not None:
        is_plain = isinstance(node.cells, n.Number) and not re.search("[+%]", number_text(node.cells))
        text += f" {to_text(node.cells)}" if is_plain else f" ({to_text(node.cells)})"
    elif node.policy == "random" and node.neighbours != 4:
        text += f" {node.neighbours}"
    text += f" avoiding {text_at(node.avoiding, Level.ATOM)}" if node.avoiding is not None else ""
    if node.test is not None and node.otherwise is not None:
        return f"{text} if {text_at(node.test, Level.OR)} else {_policy(node.otherwise)}"
    text += f" every {text_at(node.every, Level.SUM)} steps" if node.every is not None else ""
    return text + chance_text(node.chance)


def _legend_item(node: n.LegendItem) -> str:
    tile = f" on {to_text(node.tile)}" if node.tile is not None else ""
    kind = f"{to_text(node.kind)}{tile}"
    if not node.glyph:
        return kind
    return f"{node.glyph if _BARE_GLYPH.fullmatch(node.glyph) else quoted(node.glyph)} = {kind}"


def _action_item(node: n.ActionItem) -> str:
    keys = f" [{' | '.join(_key(key) for key in node.keys)}]" if node.keys else ""
    primitive = f" = {to_text(node.primitive)}" if node.primitive is not None else ""
    takes = f"({', '.join(map(to_text, node.arguments))})" if node.arguments else ""
    return f"{node.name}{takes}{keys}{primitive}"


def _taken(node: n.Taken) -> str:
    return f"{to_text(node.over)}{f' where {to_text(node.where)}' if node.where is not None else ''}"


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else quoted(key)


def _primitive(node: n.Primitive) -> str:
    if node.cells is None:
        return node.name
    is_one = isinstance(node.cells, n.Number) and node.cells.value == 1
    cells = f" {count_text(node.cells).rstrip()}" if node.through is not None or not is_one else ""
    through = f" through {to_text(node.through)}" if node.through is not None else ""
    return f"move {node.name}{cells}{through}{chance_text(node.chance)}"


def _joystick(node: n.Joystick) -> str:
    return f"joystick {to_text(node.directions)}"


def _slip_item(node: n.SlipItem) -> str:
    return f"{text_at(node.chance, Level.SUM)} {node.direction}"


def _rectangle(node: n.Rectangle) -> str:
    """Return an area as it stands among other expressions: one of a single cell keeps its `..`, which no place has."""
    if node.left == node.right and node.top == node.bottom:
        return f"({tight_text(node.left)}..{tight_text(node.right)}, {tight_text(node.top)})"
    return cells_text(node)


def cells_text(node: n.Rectangle) -> str:
    """Return the cells of a region, as they stand where nothing else can."""
    return f"({_bounds(node.left, node.right)}, {_bounds(node.top, node.bottom)})"


def _bounds(low: n.Expression, high: n.Expression) -> str:
    return tight_text(low) if low == high else f"{tight_text(low)}..{tight_text(high)}"


def _agents_item(node: n.AgentsItem) -> str:
    return node.name if node.count is None else f"{node.name} * {text_at(node.count, Level.SUM)}"


def _look_item(node: n.LookItem) -> str:
    bare = node.name == "shape" or (node.name == "color" and WORD.fullmatch(node.value))
    return f"{node.name} {node.value if bare else quoted(node.value)}"


def _named_value(node: n.NamedValue) -> str:
    return f"{node.name} = {to_text(node.value)}"


TEXTS: dict[type, Callable[[Any], str]] = {
    n.RewardChange: lambda node: f"{node.name} {'..'.join(tight_text(value) for value in node.values)}",
    n.Guarded: _guarded,
    n.Property: _property,
    n.AttributeItem: _attribute_item,
    n.Mover: _mover,
    n.LegendItem: _legend_item,
    n.ActionItem: _action_item,
    n.Taken: _taken,
    n.Primitive: _primitive,
    n.Joystick: _joystick,
    n.SlipItem: _slip_item,
    n.Rectangle: _rectangle,
    n.AgentsItem: _agents_item,
    n.LookItem: _look_item,
    n.NamedValue: _named_value,
}
