"""Gone: attributes that are read after their thing was removed, where they say nothing about it any more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
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
            for node in _of_the_removed(effect, name):
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


def _of_the_removed(node: Any, name: str) -> Iterator[Any]:
    """Yield the nodes in which a name still means what was removed, and not another that is looked for there."""
    if isinstance(node, n.If):
        for test, block in node.branches:
            if not any(_seeks(part, name) for part in walk(test)):
                yield from _of_the_removed((test, block), name)
    elif isinstance(node, tuple):
        for part in node:
            yield from _of_the_removed(part, name)
    elif isinstance(node, n.Node) and not _goes_through(node, name):
        yield node
        for field in fields(node):  # type: ignore[arg-type]  # every node is a dataclass
            yield from _of_the_removed(getattr(node, field.name), name)


def _goes_through(node: Any, name: str) -> bool:
    """Whether a clause is about each thing of a kind in turn, whatever it says of it."""
    over = getattr(node, "over", None) or getattr(node, "each", None)
    if isinstance(node, n.Call) and node.name == "count":
        over = node.arguments[0] if node.arguments else None
    named = over.values if isinstance(over, n.Logic) else (over,)
    return any(isinstance(kind, n.KindName) and kind.name == name for kind in named)


def _seeks(node: Any, name: str) -> bool:
    """Whether a condition asks where a thing of a kind is: behind it, its name is that of what was found."""
    asked = (node.left, node.right) if isinstance(node, n.Relation) else (getattr(node, "kind", None),)
    return any(isinstance(kind, n.KindName) and kind.name == name for kind in asked)


def _reads(node: Any, name: str) -> bool:
    return (
        isinstance(node, n.Attribute)
        and isinstance(node.owner, n.Name)
        and node.owner.name == name
        and node.name not in PLACES
    )
