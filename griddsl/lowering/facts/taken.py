"""Taken: which things the conditions of an action find, and how a rule about it finds them itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from griddsl.diagnostics import Help, write
from griddsl.lowering.facts.joined import joined
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text

if TYPE_CHECKING:
    from griddsl.lowering.world.world import World
    from griddsl.source import Span
    from griddsl.spec.models import GridSpec, Rule


def found_by_action(world: World, action: str) -> Iterator[tuple[str, n.Relation]]:
    """Yield the objects and tiles that the conditions of an action find, each with what finds it."""
    tests: list[object] = [each.condition for each in world.spec.allow if each.action == action]
    for group in world.spec.actions:
        for item in group.items:
            if isinstance(item, n.ActionItem) and item.name == action:
                tests += [taken.where for taken in item.arguments]
    for part in (found for test in tests for found in joined(test)):
        if not isinstance(part, n.Relation):
            continue
        for side in (part.left, part.right):
            kind = world.kinds.get(getattr(side, "name", ""))
            if isinstance(side, n.Name | n.Pattern) and kind is not None and kind.category != "agent":
                yield side.name, part


def found_by_rule(rule: Rule, test: n.Relation) -> Help:
    """Return the rule's head with the condition of the action in it."""
    asked, because = to_text(test), ": the rule finds it itself"
    if rule.condition is None:
        action = rule.trigger.object
        assert action is not None
        return write(f"{to_text(action)} if {asked}", because, action.span)
    said = to_text(rule.condition)
    is_bare = not isinstance(rule.condition, n.Logic) or rule.condition.operator == "and"
    return write(f"{asked} and {said if is_bare else f'({said})'}", because, rule.condition.span)


def which_is_taken(world: World, name: str, span: Span) -> Help | None:
    """Return how a rule `on do lift` finds what `lift(spot in cells where block at spot)` asks for.

    Where the action asks for nothing, it is what lies in the cell that it takes.
    """
    rule = _around(world.spec, span)
    if rule is None or span.through or rule.trigger.object is None:
        return None
    action = getattr(rule.trigger.object, "name", "")
    test = next((test for found, test in found_by_action(world, action) if found == name), None)
    cell = next(_cells_taken(world, action), None)
    if test is None and cell is not None:
        test = n.Relation("at", n.Name(name, span), n.Name(cell, span), None, span)
    return None if test is None else found_by_rule(rule, test)


def _cells_taken(world: World, action: str) -> Iterator[str]:
    """Yield the names by which an action takes cells."""
    for group in world.spec.actions:
        for item in group.items:
            for taken in item.arguments if isinstance(item, n.ActionItem) and item.name == action else ():
                domain = to_text(taken.over.domain)
                if domain in world.regions or domain.startswith("("):
                    yield taken.over.name


def _around(spec: GridSpec, span: Span) -> Rule | None:
    """Return the rule `on do ACTION` in which a place stands."""
    for rule in spec.rules:
        if rule.trigger.event == "do" and rule.span.source is span.source and rule.span.start <= span.start:
            parts = [part.span.end for part in n.walk((rule.condition, rule.effects))]
            if span.end <= max(parts, default=rule.span.end):
                return rule
    return None
