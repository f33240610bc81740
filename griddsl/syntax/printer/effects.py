"""The canonical text of effects, their blocks, and the heads of rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from griddsl.syntax import nodes as n
from griddsl.syntax.printer.binding import (
    INDENT,
    Level,
    chance_text,
    count_text,
    effects_to_text,
    given_text,
    if_text,
    text_at,
    to_text,
    where_text,
)


def _reward(node: n.Reward) -> str:
    hidden = "hidden " if node.hidden else ""
    sign = "= " if node.assigns else ""
    return f"{hidden}reward {sign}{to_text(node.value)}" + (f" to {node.to}" if node.to else "")


def _end(node: n.End) -> str:
    return f"end {node.outcome}" if node.outcome else "end"


def _go(node: n.Go) -> str:
    return f"go to {to_text(node.destination)}"


def _move(node: n.Move) -> str:
    subject = to_text(node.subject)
    subject = f"({subject})" if isinstance(node.subject, n.Superlative | n.There) else subject
    if node.destination is not None:
        return f"move {subject} to {to_text(node.destination)}"
    way = to_text(node.direction)
    return f"move {subject} {way if isinstance(node.direction, n.Name) else f'({way})'}"


def _turn(node: n.Turn) -> str:
    return f"turn {node.side or f'to {text_at(node.direction, Level.SUM)}'}"


def _handle(node: n.Handle) -> str:
    return f"{node.verb} {to_text(node.kind)}"


def _place(node: n.Place) -> str:
    text = f"place {count_text(node.count)}{to_text(node.kind)}"
    free = " if free" if node.if_free else ""
    if node.area is not None:
        return f"{text} in {to_text(node.area)}{where_text(node.where)}{free}"
    text += f" as {node.alias}" if node.alias else ""
    return f"{text} at {to_text(node.at)}{free}"


def _becomes(node: n.Becomes) -> str:
    return f"{text_at(node.target, Level.POSTFIX)} becomes {given_text(node.value)}"


def _assign(node: n.Assign) -> str:
    return f"{text_at(node.target, Level.POSTFIX)} {node.operator} {given_text(node.value)}"


def _choose(node: n.Choose) -> str:
    distinct = " distinct" if node.distinct else ""
    return f"choose {', '.join(node.names)}{distinct} in {to_text(node.domain)}{where_text(node.where)}"


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


def block_head(node: n.Each | n.Repeat | n.Retry) -> str:
    """Return what stands before the colon of a loop."""
    match node:
        case n.Retry():
            return f"retry {text_at(node.count, Level.SUM)} until {to_text(node.until)}"
        case n.Repeat():
            until = f" until {to_text(node.until)}" if node.until is not None else ""
            return f"repeat {text_at(node.count, Level.SUM)}{until}"
        case n.Each():
            chanced = node.where if isinstance(node.where, n.ByChance) else None
            where, chance = (node.where, None) if chanced is None else (chanced.test, chanced.chance)
            by = "" if node.by is None else f" by {to_text(node.by)}{' down' if node.down else ''}"
            return f"each {to_text(node.over)}{where_text(where)}{by}{chance_text(chance)}"


def _loop(node: n.Each | n.Repeat | n.Retry) -> str:
    return _block(block_head(node), node.body)


def _block(head: str, effects: Sequence[n.Effect]) -> str:
    """Return a block on one line, or indented below its head where it holds blocks itself."""
    if not any(isinstance(effect, n.If | n.Retry | n.Repeat | n.Each) for effect in effects):
        return f"{head}: {effects_to_text(effects)}".rstrip()
    lines = [f"{head}:"]
    for effect in effects:
        lines.extend(INDENT + line for line in to_text(effect).split("\n"))
    return "\n".join(lines)


_TRIGGERS: dict[str, Callable[[n.Trigger], str]] = {
    "step": lambda node: "each step",
    "every": lambda node: f"every {text_at(node.object, Level.SUM)} steps",
    "each": lambda node: f"each {_kinds(node.object)}",
    "when": lambda node: f"when {to_text(node.object)}",
    "act": lambda node: "on act",
}


def _trigger(node: n.Trigger) -> str:
    if node.event in _TRIGGERS:
        return _TRIGGERS[node.event](node)
    subject = f"{to_text(node.subject)} " if node.subject is not None else ""
    return f"on {subject}{node.event} {_kinds(node.object)}"


def _kinds(node: Any) -> str:
    """Write a kind, or several in brackets."""
    return f"({to_text(node)})" if isinstance(node, n.Logic) else to_text(node)


def _out(node: n.Out) -> str:
    who = "" if node.who is None else f"{text_at(node.who, Level.POSTFIX)} "
    if node.steps is None:
        return f"{who}out"
    back = f", back at {to_text(node.back)}" if node.back is not None else ""
    return f"{who}out for {text_at(node.steps, Level.SUM)} steps{back}"


def _rule_head(node: n.RuleHead) -> str:
    return f"{to_text(node.trigger)}{if_text(node.condition)}{chance_text(node.chance)}"


TEXTS: dict[type, Callable[[Any], str]] = {
    n.Each: _loop,
    n.Reward: _reward,
    n.End: _end,
    n.Truncate: lambda node: "truncate",
    n.Out: _out,
    n.Cancel: lambda node: "cancel",
    n.Again: lambda node: "again",
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
    n.Retry: _loop,
    n.Repeat: _loop,
    n.Trigger: _trigger,
    n.RuleHead: _rule_head,
}
