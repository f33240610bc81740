"""The canonical text of expressions, cells and domains."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from griddsl.syntax import nodes as n
from griddsl.syntax.printer.binding import (
    WORD,
    Level,
    chance_text,
    given_text,
    if_text,
    is_simple,
    last_at,
    level_of,
    number_text,
    quoted,
    text_at,
    tight_text,
    to_text,
    where_text,
)
from griddsl.syntax.printer.items import cells_text


def _name(node: n.Name) -> str:
    if node.name.endswith("__") and node.span.text.startswith("("):
        return node.span.text  # an area in place, which has a name in the compiler alone
    return node.name if WORD.fullmatch(node.name) else quoted(node.name)


def _attribute(node: n.Attribute) -> str:
    return f"{text_at(node.owner, Level.POSTFIX)}.{node.name}"


def _pattern(node: n.Pattern) -> str:
    arguments = ", ".join(f"{name}={given_text(value)}" for name, value in node.arguments)
    return f"{node.name}({arguments})"


def _call(node: n.Call) -> str:
    arguments = ", ".join(
        f"({text})" if node.where is not None and " where " in text else text
        for text in map(to_text, node.arguments)
    )
    each = f" for {text_at(node.each, Level.ATOM)}" if node.each is not None else ""
    where = f" where {to_text(node.where)}" if node.where is not None else ""
    avoiding = f" avoiding {text_at(node.avoiding, Level.ATOM)}" if node.avoiding is not None else ""
    return f"{node.name}({arguments}{each}{where}{avoiding})"


def _negate(node: n.Negate) -> str:
    return f"-{text_at(node.value, Level.FACTOR)}"


def _arithmetic(node: n.Arithmetic) -> str:
    if node.operator == "/" and isinstance(node.left, n.Number) and isinstance(node.right, n.Number):
        return f"{to_text(node.left)}/{to_text(node.right)}"
    level = level_of(node)
    return f"{text_at(node.left, level)} {node.operator} {text_at(node.right, level + 1)}"


def _compare(node: n.Compare) -> str:
    return f"{text_at(node.left, Level.SUM)} {node.operator} {text_at(node.right, Level.SUM)}"


def _not(node: n.Not) -> str:
    return f"not {last_at(node.value, Level.NOT)}"


def _logic(node: n.Logic) -> str:
    level = level_of(node) + 1
    *first, last = node.values
    return f" {node.operator} ".join([*(text_at(value, level) for value in first), last_at(last, level)])


def _by_chance(node: n.ByChance) -> str:
    return f"{'' if node.test is None else to_text(node.test)}{chance_text(node.chance)}".strip()


def _some(node: n.Some) -> str:
    over = to_text(node.over) if isinstance(node.over, n.Ranging) else text_at(node.over, Level.ATOM)
    return f"{node.quantifier} {over}{where_text(node.where)}"


def _tally(node: n.Tally) -> str:
    over = f"{to_text(node.over)}{where_text(node.where)}"
    return f"{node.how}({over})" if node.value is None else f"{node.how}({to_text(node.value)} for {over})"


def _best(node: n.Best) -> str:
    over = f"{text_at(node.of.over, Level.ATOM)}{where_text(node.of.where)}"
    return f"{'max' if node.of.most else 'min'}({to_text(node.of.value)} for {over})"


def _extreme(node: n.Extreme) -> str:
    parts = ", ".join(f"{to_text(value)}{where_text(where)}" for where, value in node.parts)
    return f"{'max' if node.most else 'min'}({parts})"


def _superlative(node: n.Superlative) -> str:
    if node.value is None:
        return f"the {to_text(node.over)}{where_text(node.where)}"
    word = "most" if node.most else "least"
    return f"the {to_text(node.over)} with {word} {text_at(node.value, Level.SUM)}{where_text(node.where)}"


def _there(node: n.There) -> str:
    return f"the {text_at(node.over, Level.ATOM)} at {text_at(node.at, Level.SUM)}"


def _count_of(node: n.CountOf) -> str:
    return f"{node.words} {to_text(node.trigger)}{if_text(node.condition)}"


def _if_else(node: n.IfElse) -> str:
    return f"{text_at(node.then, Level.OR)} if {text_at(node.test, Level.OR)} else {to_text(node.otherwise)}"


def _is(node: n.Is) -> str:
    word = "is not" if node.negated else "is"
    return f"{text_at(node.left, Level.SUM)} {word} {text_at(node.right, Level.SUM)}"


def _relation(node: n.Relation) -> str:
    left = text_at(node.left, Level.SUM)
    if node.right is None:
        return f"{left} {node.name}"
    if node.name == "sees":
        within = f" within {text_at(node.distance, Level.SUM)}" if node.distance is not None else ""
        return f"{left} sees {text_at(node.right, Level.SUM)}{within}"
    if node.distance is not None:
        return f"{left} {node.name} {text_at(node.distance, Level.SUM)} of {text_at(node.right, Level.SUM)}"
    return f"{left} {node.name} {text_at(node.right, Level.SUM)}"


def _position(node: n.Position) -> str:
    return f"({_coordinate(node.x)}, {_coordinate(node.y)})"


def _coordinate(node: n.Expression) -> str:
    return tight_text(node) if is_simple(node) else to_text(node)


def _area(node: n.Area) -> str:
    if node.form == "border":
        return "border"
    if isinstance(node.value, n.Rectangle):
        return cells_text(node.value)
    if node.form == "region":
        return to_text(node.value)
    return f"{node.form} {text_at(node.value, Level.SUM)}"


def _can(node: n.Can) -> str:
    return f"can {node.action}" if node.left is None else f"{text_at(node.left, Level.SUM)} can {node.action}"


def _random_cell(node: n.RandomCell) -> str:
    text = f"random {to_text(node.kind)}"
    text += f" in {to_text(node.area)}" if node.area is not None else ""
    text += where_text(node.where)
    return text + (
        f" reachable from {to_text(node.reachable_from)}" if node.reachable_from is not None else ""
    )


def _every_cell(node: n.EveryCell) -> str:
    return f"every {to_text(node.kind)}{where_text(node.where)}{chance_text(node.chance)}"


def _range(node: n.RangeDomain) -> str:
    return f"{tight_text(node.low)}..{tight_text(node.high)}"


def _choice(node: n.ChoiceDomain) -> str:
    pairs = zip(node.values, node.weights, strict=True)
    return " | ".join(
        text_at(value, Level.SUM) + (f" {to_text(weight)}" if weight else "") for value, weight in pairs
    )


TEXTS: dict[type, Callable[[Any], str]] = {
    n.Number: number_text,
    n.Text: lambda node: quoted(node.value),
    n.Truth: lambda node: "true" if node.value else "false",
    n.Name: _name,
    n.Attribute: _attribute,
    n.Pattern: _pattern,
    n.Call: _call,
    n.Negate: _negate,
    n.Arithmetic: _arithmetic,
    n.Compare: _compare,
    n.Not: _not,
    n.Logic: _logic,
    n.IfElse: _if_else,
    n.Is: _is,
    n.Relation: _relation,
    n.Quantified: lambda node: f"{node.quantifier} {text_at(node.kind, Level.ATOM)}",
    n.Can: _can,
    n.Position: _position,
    n.Random: lambda node: "random" if node.domain is None else f"random {to_text(node.domain)}",
    n.Other: lambda node: f"other {to_text(node.kind)}",
    n.Given: lambda node: to_text(node.value),
    n.OneOf: lambda node: node.called,
    n.Held: lambda node: f"{to_text(node.kind)} in {to_text(node.holder)}",
    n.Ranging: lambda node: f"{node.name} in {to_text(node.domain)}",
    n.Some: _some,
    n.ByChance: _by_chance,
    n.Tally: _tally,
    n.Superlative: _superlative,
    n.There: _there,
    n.Best: _best,
    n.Extreme: _extreme,
    n.Area: _area,
    n.RandomCell: _random_cell,
    n.EveryCell: _every_cell,
    n.RangeDomain: _range,
    n.ChoiceDomain: _choice,
    n.TotalReward: lambda node: f"{node.word} reward",
    n.CountOf: _count_of,
}
