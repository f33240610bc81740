"""Printer: from nodes to their canonical text, with no bracket that can be left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from griddsl.syntax import nodes as n

INDENT = "    "
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BARE_GLYPH = re.compile(r"[A-Za-z0-9]|[A-Za-z_][A-Za-z0-9_]+|[0-9]{2,}")
_BARE_KEY = re.compile(r"(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+)(?: (?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+))*")

# How tightly an expression binds, loosest first.
_ANY, _OR, _XOR, _AND, _NOT, _COMPARISON, _SUM, _PRODUCT, _FACTOR, _POSTFIX, _ATOM = range(11)


def to_text(node: object) -> str:
    """Return the text of a node; parsing it gives an equal node."""
    printer = _PRINTERS.get(type(node))
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


# Expressions


def _level(node: object) -> int:
    if isinstance(node, n.Given):
        return _level(node.value)
    if isinstance(node, n.Logic):
        return {"or": _OR, "xor": _XOR, "and": _AND}[node.operator]
    if isinstance(node, n.Arithmetic):
        return _SUM if node.operator in "+-" else _PRODUCT
    if isinstance(node, n.Number) and node.text.startswith("+"):
        return _FACTOR
    return _LEVELS.get(type(node), _ATOM)


_LEVELS: dict[type, int] = {
    n.IfElse: _ANY,
    n.Superlative: _ANY,
    n.TotalReward: _ANY,
    n.CountOf: _ANY,
    n.Not: _NOT,
    n.Compare: _COMPARISON,
    n.Is: _COMPARISON,
    n.Relation: _COMPARISON,
    n.Can: _COMPARISON,
    n.Some: _NOT,
    n.Negate: _FACTOR,
    n.Attribute: _POSTFIX,
}


def _ends_open(node: object) -> bool:
    """Whether an expression ends with a condition that would take in what follows it."""
    if isinstance(node, n.Logic):
        return _ends_open(node.values[-1])
    if isinstance(node, n.Not | n.Given):
        return _ends_open(node.value)
    return isinstance(node, n.Some)


def _last(node: object, level: int) -> str:
    """Return the text of an expression that nothing of the same one follows."""
    text = to_text(node)
    return text if _level(node) >= level else f"({text})"


def _at(node: object, level: int) -> str:
    """Return the text of an expression, in brackets where it binds less tightly than ``level``."""
    text = to_text(node)
    if level > _ANY and _ends_open(node):
        return f"({text})"
    return text if _level(node) >= level else f"({text})"


def _tight(node: object) -> str:
    """Return a bound of a range or a coordinate: sums and products of names and numbers without blanks."""
    text = _at(node, _SUM)
    return text.replace(" ", "") if _is_simple(node) else text


def _is_simple(node: object) -> bool:
    if isinstance(node, n.Arithmetic):
        return node.operator in "+-*/" and _is_simple(node.left) and _is_simple(node.right)
    return isinstance(node, n.Number | n.Name) or (isinstance(node, n.Attribute) and _is_simple(node.owner))


def _number(node: n.Number) -> str:
    return node.text or _decimal(node.value)


def _decimal(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    digits = 0
    while (value * 10**digits).denominator != 1 and digits < 100:
        digits += 1
    shown = str(int(value * 10**digits)).rjust(digits + 1, "0")
    return f"{shown[:-digits]}.{shown[-digits:]}"


def _name(node: n.Name) -> str:
    if node.name.endswith("__") and node.span.text.startswith("("):
        return node.span.text  # an area in place, which has a name in the compiler alone
    return node.name if _WORD.fullmatch(node.name) else quoted(node.name)


def _attribute(node: n.Attribute) -> str:
    return f"{_at(node.owner, _POSTFIX)}.{node.name}"


def _pattern(node: n.Pattern) -> str:
    arguments = ", ".join(f"{name}={_given(value)}" for name, value in node.arguments)
    return f"{node.name}({arguments})"


def _call(node: n.Call) -> str:
    arguments = ", ".join(
        f"({text})" if node.where is not None and " where " in text else text
        for text in map(to_text, node.arguments)
    )
    each = f" for {_at(node.each, _ATOM)}" if node.each is not None else ""
    where = f" where {to_text(node.where)}" if node.where is not None else ""
    avoiding = f" avoiding {to_text(node.avoiding)}" if node.avoiding is not None else ""
    return f"{node.name}({arguments}{each}{where}{avoiding})"


def _negate(node: n.Negate) -> str:
    return f"-{_at(node.value, _FACTOR)}"


def _arithmetic(node: n.Arithmetic) -> str:
    if node.operator == "/" and isinstance(node.left, n.Number) and isinstance(node.right, n.Number):
        return f"{to_text(node.left)}/{to_text(node.right)}"
    level = _level(node)
    return f"{_at(node.left, level)} {node.operator} {_at(node.right, level + 1)}"


def _compare(node: n.Compare) -> str:
    return f"{_at(node.left, _SUM)} {node.operator} {_at(node.right, _SUM)}"


def _not(node: n.Not) -> str:
    return f"not {_last(node.value, _NOT)}"


def _logic(node: n.Logic) -> str:
    level = _level(node) + 1
    *first, last = node.values
    return f" {node.operator} ".join([*(_at(value, level) for value in first), _last(last, level)])


def _some(node: n.Some) -> str:
    over = to_text(node.over) if isinstance(node.over, n.Ranging) else _at(node.over, _ATOM)
    return f"{node.quantifier} {over}{_where(node.where)}"


def _tally(node: n.Tally) -> str:
    over = f"{to_text(node.over)}{_where(node.where)}"
    return f"count({over})" if node.value is None else f"sum({to_text(node.value)} for {over})"


def _superlative(node: n.Superlative) -> str:
    word = "most" if node.most else "least"
    return f"the {to_text(node.over)} with {word} {_at(node.value, _SUM)}{_where(node.where)}"


def _count_of(node: n.CountOf) -> str:
    return f"{node.words} {to_text(node.trigger)}{_if(node.condition)}"


def _if_else(node: n.IfElse) -> str:
    return f"{_at(node.then, _OR)} if {_at(node.test, _OR)} else {to_text(node.otherwise)}"


def _is(node: n.Is) -> str:
    word = "is not" if node.negated else "is"
    return f"{_at(node.left, _SUM)} {word} {_at(node.right, _SUM)}"


def _relation(node: n.Relation) -> str:
    left = _at(node.left, _SUM)
    if node.right is None:
        return f"{left} {node.name}"
    if node.name == "sees":
        within = f" within {_at(node.distance, _SUM)}" if node.distance is not None else ""
        return f"{left} sees {_at(node.right, _SUM)}{within}"
    if node.distance is not None:
        return f"{left} {node.name} {_at(node.distance, _SUM)} of {_at(node.right, _SUM)}"
    return f"{left} {node.name} {_at(node.right, _SUM)}"


def _position(node: n.Position) -> str:
    return f"({_coordinate(node.x)}, {_coordinate(node.y)})"


def _coordinate(node: n.Expression) -> str:
    return _tight(node) if _is_simple(node) else to_text(node)


# Cells and domains


def _area(node: n.Area) -> str:
    if node.form == "border":
        return "border"
    if node.form in {"region", "rectangle"}:
        return to_text(node.value)
    return f"{node.form} {_at(node.value, _SUM)}"


def _random_cell(node: n.RandomCell) -> str:
    text = f"random {to_text(node.kind)}"
    text += f" in {to_text(node.area)}" if node.area is not None else ""
    text += _where(node.where)
    return text + (
        f" reachable from {to_text(node.reachable_from)}" if node.reachable_from is not None else ""
    )


def _where(condition: n.Expression | None) -> str:
    return f" where {to_text(condition)}" if condition is not None else ""


def _if(condition: n.Expression | None) -> str:
    return f" if {to_text(condition)}" if condition is not None else ""


def _chance(chance: n.Expression | None) -> str:
    return f" with chance {_at(chance, _SUM)}" if chance is not None else ""


def _every_cell(node: n.EveryCell) -> str:
    return f"every {to_text(node.kind)}{_where(node.where)}{_chance(node.chance)}"


def _range(node: n.RangeDomain) -> str:
    return f"{_tight(node.low)}..{_tight(node.high)}"


def _choice(node: n.ChoiceDomain) -> str:
    pairs = zip(node.values, node.weights, strict=True)
    return " | ".join(_at(value, _SUM) + (f" {to_text(weight)}" if weight else "") for value, weight in pairs)


# Effects


def _reward(node: n.Reward) -> str:
    hidden = "hidden " if node.hidden else ""
    sign = "= " if node.assigns else ""
    return f"{hidden}reward {sign}{to_text(node.value)}" + (f" to {node.to}" if node.to else "")


def _end(node: n.End) -> str:
    return f"end {node.outcome}" if node.outcome else "end"


def _go(node: n.Go) -> str:
    return f"go to {to_text(node.destination)}"


def _move(node: n.Move) -> str:
    if node.destination is not None:
        return f"move {to_text(node.subject)} to {to_text(node.destination)}"
    way = to_text(node.direction)
    return f"move {to_text(node.subject)} {way if isinstance(node.direction, n.Name) else f'({way})'}"


def _turn(node: n.Turn) -> str:
    return f"turn to {_at(node.direction, _SUM)}"


def _handle(node: n.Handle) -> str:
    return f"{node.verb} {to_text(node.kind)}"


def _place(node: n.Place) -> str:
    text = f"place {_count(node.count)}{to_text(node.kind)}"
    free = " if free" if node.if_free else ""
    if node.area is not None:
        return f"{text} in {to_text(node.area)}{_where(node.where)}{free}"
    text += f" as {node.alias}" if node.alias else ""
    return f"{text} at {to_text(node.at)}{free}"


def _count(count: n.Expression | None) -> str:
    if count is None:
        return ""
    plain = isinstance(count, n.Name) or (
        isinstance(count, n.Number) and not re.search("[+%]", _number(count))
    )
    return f"{to_text(count)} " if plain else f"({to_text(count)}) "


def _becomes(node: n.Becomes) -> str:
    return f"{_at(node.target, _POSTFIX)} becomes {_given(node.value)}"


def _assign(node: n.Assign) -> str:
    return f"{_at(node.target, _POSTFIX)} {node.operator} {_given(node.value)}"


def _given(node: n.Expression) -> str:
    """Return a value where ``random`` may be followed by a domain: one that only begins so stands in brackets."""
    text = to_text(node)
    return f"({text})" if text.startswith("random ") and not isinstance(node, n.Random) else text


def _choose(node: n.Choose) -> str:
    distinct = " distinct" if node.distinct else ""
    return f"choose {', '.join(node.names)}{distinct} in {to_text(node.domain)}{_where(node.where)}"


def _info(node: n.Info) -> str:
    return f"info {node.name} = {to_text(node.value)}"


def _carry_out(node: n.CarryOut) -> str:
    return f"{node.name}({', '.join(to_text(argument) for argument in node.arguments)})"


def _if_block(node: n.If) -> str:
    lines = []
    for index, (test, effects) in enumerate(node.branches):
        head = "else" if test is None else f"if {to_text(test)}"
        lines.append(_block(head if index == 0 or test is None else f"else {head}", effects))
    return "\n".join(lines)


def _retry(node: n.Retry) -> str:
    return _block(f"retry {_at(node.count, _SUM)} until {to_text(node.until)}", node.body)


def _repeat(node: n.Repeat) -> str:
    until = f" until {to_text(node.until)}" if node.until is not None else ""
    return _block(f"repeat {_at(node.count, _SUM)}{until}", node.body)


def _each(node: n.Each) -> str:
    by = "" if node.by is None else f" by {to_text(node.by)}{' down' if node.down else ''}"
    return _block(f"each {to_text(node.over)}{_where(node.where)}{by}", node.body)


def _block(head: str, effects: Sequence[n.Effect]) -> str:
    """Return a block on one line, or indented below its head where it holds blocks itself."""
    if not any(isinstance(effect, n.If | n.Retry | n.Repeat | n.Each) for effect in effects):
        return f"{head}: {effects_to_text(effects)}".rstrip()
    lines = [f"{head}:"]
    for effect in effects:
        lines.extend(INDENT + line for line in to_text(effect).split("\n"))
    return "\n".join(lines)


# Rules


_TRIGGERS: dict[str, Callable[[n.Trigger], str]] = {
    "step": lambda node: "each step",
    "every": lambda node: f"every {_at(node.object, _SUM)} steps",
    "each": lambda node: f"each {to_text(node.object)}",
    "when": lambda node: f"when {to_text(node.object)}",
    "act": lambda node: "on act",
}


def _trigger(node: n.Trigger) -> str:
    if node.event in _TRIGGERS:
        return _TRIGGERS[node.event](node)
    subject = f"{to_text(node.subject)} " if node.subject is not None else ""
    return f"on {subject}{node.event} {to_text(node.object)}"


def _rule_head(node: n.RuleHead) -> str:
    return f"{to_text(node.trigger)}{_if(node.condition)}{_chance(node.chance)}"


# Items of declarations


def _guarded(node: n.Guarded) -> str:
    return node.name if node.condition is None else f"{node.name} {node.word} {to_text(node.condition)}"


def _property(node: n.Property) -> str:
    values = " | ".join(_at(value, _SUM) for value in node.values)
    return " ".join(part for part in (node.name, node.word, values) if part)


def _attribute_item(node: n.AttributeItem) -> str:
    default = _at(node.default, _SUM) if node.default is not None else ""
    domain = f"in {to_text(node.domain)}" if node.domain is not None else ""
    return " ".join(part for part in (node.name, default, domain) if part)


def _mover(node: n.Mover) -> str:
    return f"moves {_policy(node)}"


def _policy(node: n.Mover) -> str:
    text = node.policy
    if node.target is not None:
        text += f" {to_text(node.target)}" + (f" by {node.by}" if node.by is not None else "")
    elif node.cells is not None:
        is_plain = isinstance(node.cells, n.Number) and not re.search("[+%]", _number(node.cells))
        text += f" {to_text(node.cells)}" if is_plain else f" ({to_text(node.cells)})"
    elif node.policy == "random" and node.neighbours != 4:
        text += f" {node.neighbours}"
    text += f" avoiding {to_text(node.avoiding)}" if node.avoiding is not None else ""
    if node.test is not None and node.otherwise is not None:
        return f"{text} if {_at(node.test, _OR)} else {_policy(node.otherwise)}"
    text += f" every {_at(node.every, _SUM)} steps" if node.every is not None else ""
    return text + _chance(node.chance)


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
    cells = f" {_count(node.cells).rstrip()}" if node.through is not None or not is_one else ""
    through = f" through {to_text(node.through)}" if node.through is not None else ""
    return f"move {node.name}{cells}{through}{_chance(node.chance)}"


def _joystick(node: n.Joystick) -> str:
    return f"joystick {to_text(node.directions)}"


def _slip_item(node: n.SlipItem) -> str:
    return f"{_at(node.chance, _SUM)} {node.direction}"


def _rectangle(node: n.Rectangle) -> str:
    return f"({_bounds(node.left, node.right)}, {_bounds(node.top, node.bottom)})"


def _bounds(low: n.Expression, high: n.Expression) -> str:
    return _tight(low) if low == high else f"{_tight(low)}..{_tight(high)}"


def _agents_item(node: n.AgentsItem) -> str:
    return node.name if node.count is None else f"{node.name} * {_at(node.count, _SUM)}"


def _look_item(node: n.LookItem) -> str:
    bare = node.name == "shape" or (node.name == "color" and _WORD.fullmatch(node.value))
    return f"{node.name} {node.value if bare else quoted(node.value)}"


def _named_value(node: n.NamedValue) -> str:
    return f"{node.name} = {to_text(node.value)}"


# Observations


def _code(node: n.Code) -> str:
    return f"{_at(node.kind, _POSTFIX)} {to_text(node.number)}"


def _cells_for(node: n.CellsFor) -> str:
    others = f" | {to_text(node.others)}" if node.others is not None else ""
    return f"{to_text(node.cell)} for {to_text(node.over)}{_where(node.where)}{others}"


def _form(node: n.Form) -> str:
    entries = ", ".join(to_text(entry) for entry in node.entries)
    return f"as {node.name} ({entries})" if entries else f"as {node.name}"


def _view(node: n.ViewShape) -> str:
    cone = "" if node.cone is None else " cone" if node.cone.value == 1 else f" cone {node.cone.text}"
    occluded = cone + (" occluded" if node.occluded else "")
    if node.reach is not None:
        ahead, behind, aside = (_at(part, _SUM) for part in node.reach)
        return f"ahead {ahead} behind {behind} aside {aside}{occluded}"
    anchor = f" {node.anchor}" if node.anchor != "ahead" else ""
    return f"{node.width}x{node.height}{anchor}{occluded}"


def _rays(node: n.Rays) -> str:
    reach = f" within {_at(node.reach, _SUM)}" if node.reach is not None else ""
    kinds = ", ".join(to_text(kind) for kind in node.hits)
    hits = f" of {f'({kinds})' if len(node.hits) > 1 else kinds}" if node.hits else ""
    return f"rays {_at(node.count, _SUM)}{reach}{hits}"


def _observe_item(node: n.ObserveItem) -> str:
    name = f"{node.name} = " if node.name else ""
    noise = f"{_chance(node.chance)} else {to_text(node.noise)}" if node.noise is not None else ""
    return f"{name}{_sight(node)}{noise}"


def _sight(node: n.ObserveItem) -> str:
    form = f" {to_text(node.form)}" if node.form is not None else ""
    if node.what == "value":
        return f"{to_text(node.value)}{form}"
    if node.rays is not None:
        return to_text(node.rays)
    if node.what == "position":
        return f"position of {to_text(node.value)}{form}"
    what = f"view {to_text(node.view)}" if node.view is not None else node.what
    return what + (f" {to_text(node.value)}" if node.value is not None else form)


def _seen_as(node: n.SeenAs) -> str:
    return f"{_at(node.kind, _POSTFIX)} seen as {to_text(node.appearance)}{_if(node.condition)}"


_PRINTERS: dict[type, Callable[[Any], str]] = {
    n.Number: _number,
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
    n.Quantified: lambda node: f"{node.quantifier} {_at(node.kind, _ATOM)}",
    n.Can: lambda node: f"can {node.action}",
    n.Position: _position,
    n.Random: lambda node: "random" if node.domain is None else f"random {to_text(node.domain)}",
    n.Other: lambda node: f"other {to_text(node.kind)}",
    n.Given: lambda node: to_text(node.value),
    n.Ranging: lambda node: f"{node.name} in {to_text(node.domain)}",
    n.Some: _some,
    n.Tally: _tally,
    n.Superlative: _superlative,
    n.Each: _each,
    n.Area: _area,
    n.RandomCell: _random_cell,
    n.EveryCell: _every_cell,
    n.RangeDomain: _range,
    n.ChoiceDomain: _choice,
    n.Reward: _reward,
    n.End: _end,
    n.Truncate: lambda node: "truncate",
    n.Out: lambda node: "out",
    n.Cancel: lambda node: "cancel",
    n.Go: _go,
    n.Move: _move,
    n.Turn: _turn,
    n.Handle: _handle,
    n.Place: _place,
    n.Becomes: _becomes,
    n.Assign: _assign,
    n.Choose: _choose,
    n.Info: _info,
    n.Let: lambda node: f"let {node.name} = {to_text(node.value)}",
    n.CarryOut: _carry_out,
    n.If: _if_block,
    n.Retry: _retry,
    n.Repeat: _repeat,
    n.RewardChange: lambda node: f"{node.name} {'..'.join(_tight(value) for value in node.values)}",
    n.Trigger: _trigger,
    n.RuleHead: _rule_head,
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
    n.TotalReward: lambda node: f"{node.word} reward",
    n.CountOf: _count_of,
    n.Code: _code,
    n.CellsFor: _cells_for,
    n.Form: _form,
    n.ViewShape: _view,
    n.Rays: _rays,
    n.ObserveItem: _observe_item,
    n.SeenAs: _seen_as,
}
