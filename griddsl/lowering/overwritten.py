"""Overwritten: rewards, values and ends that never count, because something of the same step always replaces them.

Only what is certain is said: the other one stands in the same list of effects, or in a rule with the same trigger
that has neither condition nor chance, or, for rewards, in such an ``each step`` rule. So the idiom of ``each step:
reward -1`` beside ``on enter cliff: reward = -100`` is not spoken of: in most steps the first one counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from griddsl.diagnostics import Label
from griddsl.lowering.kinds import walk
from griddsl.lowering.world import World
from griddsl.spec.models import Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text


def overwritten(world: World) -> None:
    """Warn of each reward, assignment and end that is certain never to count."""
    rules = [rule for rule in world.spec.rules if rule.span.source is world.spec.source]
    for rule in rules:
        for effects in _lists(rule.effects):
            _in_list(world, effects)
    for at, rule in enumerate(rules):
        if rule.condition is not None or rule.chance is not None:
            continue
        for other_at, other in enumerate(rules):
            if other is not rule and _comes_along(rule, other):
                _in_rule(world, other.effects, rule.effects, earlier=other_at < at)


def _comes_along(rule: Rule, other: Rule) -> bool:
    """Whether a rule without a condition fires in every step in which another one does."""
    if rule.trigger.event == "step":
        return other.trigger.event != "every" or other.trigger.subject is None
    same: bool = rule.trigger == other.trigger
    return same and rule.trigger.event != "each"


def _lists(effects: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Yield a list of effects, and those of the blocks in it."""
    yield effects
    for effect in effects:
        if isinstance(effect, n.If):
            for _, branch in effect.branches:
                yield from _lists(branch)


def _in_list(world: World, effects: tuple[Any, ...]) -> None:
    for at, effect in enumerate(effects):
        if _sets_reward(effect):
            for lost in _rewards(effects, effect.to):
                if not lost.assigns or lost in effects[:at]:
                    _report_reward(world, lost, effect)
        if isinstance(effect, n.Assign) and effect.operator == "=":
            _assignments_before(world, effects[:at], effect)


def _in_rule(world: World, effects: tuple[Any, ...], replacing: tuple[Any, ...], earlier: bool) -> None:
    """Warn of what the effects of another rule always replace."""
    for effect in replacing:
        if _sets_reward(effect):
            for lost in _rewards(effects, effect.to):
                if not lost.assigns or earlier:
                    _report_reward(world, lost, effect)


def _sets_reward(effect: Any) -> bool:
    return isinstance(effect, n.Reward) and effect.assigns and not effect.hidden


def _rewards(effects: tuple[Any, ...], to: str | None) -> Iterator[n.Reward]:
    for node in walk(effects):
        if isinstance(node, n.Reward) and not node.hidden and node.to == to:
            yield node


def _report_reward(world: World, lost: n.Reward, by: n.Reward) -> None:
    if lost is by:
        return
    help = "the last `reward =` of a step is its reward; without one, the others are added up"
    world.report.add("reward-overwritten", lost.span, labels=[Label(by.span, "this replaces it")], help=help)


def _assignments_before(world: World, effects: tuple[Any, ...], last: n.Assign) -> None:
    """Warn of assignments to the same variable in the same list, if nothing between them reads it."""
    name = to_text(last.target)

    def is_it(node: Any) -> bool:
        return isinstance(node, n.Name | n.Attribute) and to_text(node) == name

    if any(is_it(node) for node in walk(last.value)):
        return
    for at in range(len(effects) - 1, -1, -1):
        effect = effects[at]
        if isinstance(effect, n.Assign) and to_text(effect.target) == name:
            labels = [Label(last.span, "this replaces it")]
            world.report.add(
                "overwritten", effect.span, name=name, labels=labels, help="leave one of them out"
            )
            return
        if not isinstance(effect, n.Reward | n.Assign | n.End) or any(is_it(node) for node in walk(effect)):
            return
