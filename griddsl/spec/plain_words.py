"""Rules in plain words: a sentence for each, or a few lines, made from its nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from griddsl.spec.models import Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text
from griddsl.syntax.printer.effects import block_head

INDENT = "  "
_Effects: TypeAlias = tuple[n.Effect, ...]
_EVENTS = {
    "enter": "enters",
    "leave": "leaves",
    "bump": "bumps into",
    "push": "pushes",
    "pickup": "picks up",
    "drop": "drops",
    "toggle": "toggles",
    "meet": "meets",
}
_HANDLED = {"pickup": "is picked up", "drop": "is dropped", "remove": "is removed"}
_ASSIGNED = {"=": "becomes", "+=": "grows by", "-=": "shrinks by"}


def rule_lines(rule: Rule, agents: int = 1) -> list[str]:
    """Return a rule as a sentence; what stands in a block of it is indented below the head of that block."""
    parts = [_when(rule.trigger, "the agent" if agents == 1 else "an agent")]
    if rule.condition is not None:
        parts.append(f"if {to_text(rule.condition)}")
    if rule.chance is not None:
        parts.append(f"with the chance {to_text(rule.chance)}")
    lines = block_lines(", ".join(parts), rule.effects)
    return lines if len(lines) > 1 else [f"{lines[0]}."]


def block_lines(head: str, effects: Sequence[n.Effect]) -> list[str]:
    """Return a head and its effects in words: on one line where there is no block among them."""
    told = [line for effect in effects for line in _effect(effect)]
    if any(isinstance(effect, n.If | n.Each | n.Repeat | n.Retry) for effect in effects):
        return [f"{head}:", *(INDENT + line for line in told)]
    return [f"{head}: {'; '.join(told)}"]


def _when(trigger: n.Trigger, agent: str) -> str:
    target = _words(trigger.object)
    match trigger.event:
        case "step":
            return "In every step"
        case "every":
            return f"Every {target} steps"
        case "each":
            return f"In every step, for each {target}"
        case "when":
            return f"In every step after which {target}"
        case "act":
            return "Before any action"
        case "do":
            return f"Before the action {target}"
        case "fail":
            return f"When the action {target} finds nothing that it can do"
    subject = agent if trigger.subject is None else _words(trigger.subject)
    target = "the border" if target == "edge" else target
    return f"When {subject} {_EVENTS.get(trigger.event, trigger.event)} {target}"


def _words(node: object) -> str:
    return node if isinstance(node, str) else "" if node is None else to_text(node)


def _effect(effect: n.Effect) -> list[str]:
    match effect:
        case n.If(branches):
            return [line for head, effects in _branches(branches) for line in block_lines(head, effects)]
        case n.Each() | n.Repeat() | n.Retry():
            return block_lines(block_head(effect), effect.body)
        case _:
            return [_plain(effect)]


def _plain(effect: n.Effect) -> str:
    match effect:
        case n.Reward():
            return _reward(effect)
        case n.End(outcome):
            return f"the episode ends ({outcome})" if outcome else "the episode ends"
        case n.Truncate():
            return "the episode is cut short"
        case n.Out(who, steps, back):
            name = "the agent" if who is None else to_text(who)
            where = f", and comes back at {_destination(back)}" if back is not None else ""
            return f"{name} is out" if steps is None else f"{name} is away for {to_text(steps)} steps{where}"
        case n.Cancel():
            return "the action is not carried out"
        case n.Again():
            return "the one that acts has the next turn, too"
        case _:
            return _change(effect)


def _change(effect: n.Effect) -> str:
    """Return an effect on the world in words; as it is written where that reads well."""
    match effect:
        case n.Go(destination):
            return f"it goes to {_destination(destination)}"
        case n.Move(subject, direction, destination):
            way = to_text(direction) if direction is not None else f"to {_destination(destination)}"
            return f"{to_text(subject)} moves {way}"
        case n.Turn(direction):
            return f"it turns {effect.side or f'to {to_text(direction)}'}"
        case n.Handle(verb, kind):
            return f"{to_text(kind)} {_HANDLED[verb]}"
        case n.Assign(target, operator, value):
            return f"{to_text(target)} {_ASSIGNED[operator]} {to_text(value)}"
        case n.Info(name, value):
            return f'info["{name}"] is {to_text(value)}'
        case _:
            return to_text(effect)


def _reward(effect: n.Reward) -> str:
    name = "hidden reward" if effect.hidden else "reward"
    receiver = f" of {effect.to}" if effect.to else ""
    if effect.assigns:
        return f"the {name}{receiver} of this step is {to_text(effect.value)}, whatever else adds to it"
    return f"{to_text(effect.value).removeprefix('+')} is added to the {name}{receiver}"


def _destination(destination: object) -> str:
    text = _words(destination)
    return "where it started" if text == "start" else text


def _branches(branches: Sequence[tuple[n.Expression | None, _Effects]]) -> Iterator[tuple[str, _Effects]]:
    for index, (test, effects) in enumerate(branches):
        yield "otherwise" if test is None else f"{'else ' if index else ''}if {to_text(test)}", effects
