"""Gone: attributes that are read after their thing was removed, where they say nothing about it any more."""

from __future__ import annotations

from typing import Any

from griddsl.diagnostics import Label
from griddsl.lowering.state.writer import Writer
from griddsl.spec.models import Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text

PLACES = frozenset({"x", "y", "cell"})


def read_when_gone(writer: Writer) -> None:
    """Warn where a rule removes the thing of its trigger, and asks for an attribute of it afterwards."""
    world = writer.world
    for rule in world.spec.rules:
        if rule.span.source is world.spec.source:
            for name in _heard(rule):
                _in_list(writer, rule.effects, name)


def _heard(rule: Rule) -> list[str]:
    """Return the kinds that a trigger names."""
    things = (rule.trigger.subject, rule.trigger.object)
    return [node.name for node in things if isinstance(node, n.KindName)]


def _in_list(writer: Writer, effects: tuple[Any, ...], name: str) -> None:
    removal = None
    for effect in effects:
        if removal is not None:
            for node in walk(effect):
                if _reads(node, name):
                    help = f"write it before `{to_text(removal)}`"
                    labels = [Label(removal.span, "it is gone from here on")]
                    text = to_text(node)
                    writer.report.add("read-when-gone", node.span, name=text, labels=labels, help=help)
                    return
        elif isinstance(effect, n.Handle) and effect.verb == "remove":
            if isinstance(effect.kind, n.Name) and effect.kind.name == name:
                removal = effect
        elif isinstance(effect, n.If):
            for _, branch in effect.branches:
                _in_list(writer, branch, name)


def _reads(node: Any, name: str) -> bool:
    return (
        isinstance(node, n.Attribute)
        and isinstance(node.owner, n.Name)
        and node.owner.name == name
        and node.name not in PLACES
    )
