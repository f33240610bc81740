"""Checks: what is legal and surely unmeant. Each is a function of the world that adds to the report."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from griddsl.lowering.domains import read_domain
from griddsl.lowering.kinds import walk
from griddsl.lowering.world import World
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text


def check_spec(world: World) -> None:
    """Run the checks that find errors."""
    for check in (_mission_names, _domains_of_arguments):
        check(world)


def check_world(world: World) -> None:
    """Run the checks that warn."""
    for check in (
        _unused_names,
        _actions_without_effect,
        _overwritten_rewards,
        _enter_for_staying,
        _each_step_if,
        _no_end,
    ):
        check(world)


def _mission_names(world: World) -> None:
    """The names in a mission's braces are chosen names, variables or parameters."""
    if world.spec.mission is None:
        return
    known = {*world.variables, *world.params, *world.named_things}
    for name in re.findall(r"\{([^{}]*)\}", world.spec.mission):
        if name not in known:
            from griddsl.diagnostics import did_you_mean

            place = world.spec.place("mission").word("{" + name + "}")
            world.report.add(
                "unknown-name", place, where="`mission`", name=name, help=did_you_mean(name, known)
            )
        elif name in world.variables:
            world.variables[name].used = True
        else:
            world.used_names.add(name)


def _domains_of_arguments(world: World) -> None:
    """Parameters have a domain that could be read; a second look costs nothing."""
    for declaration in world.spec.params:
        if declaration.name not in world.param_domains:
            read_domain(
                declaration.default, declaration.domain, world.params, world.report, declaration.name, True
            )


def _clauses(world: World) -> list[Any]:
    spec = world.spec
    return [
        spec.setup,
        spec.generate,
        spec.sticky,
        spec.limit,
        spec.info,
        spec.legend,
        [(rule.trigger, rule.condition, rule.chance, rule.effects) for rule in spec.rules],
        [group.items for group in spec.actions],
        [allow.condition for allow in spec.allow],
        [(slip.condition, slip.items) for slip in spec.slip],
        [observe.items for observe in spec.observe],
        [declaration.items for declaration in spec.kinds],
        [(declaration.default, declaration.domain) for declaration in (*spec.params, *spec.variables)],
        [region.rectangles for region in spec.regions],
    ]


def _mentioned(world: World) -> set[str]:
    names: set[str] = set()
    for node in walk(_clauses(world)):
        if isinstance(node, n.Name | n.Pattern):
            names.add(node.name)
        elif isinstance(node, n.Reward) and node.to:
            names.add(node.to)
    if world.spec.level:
        names.add(world.spec.level)
    return names


def _unused_names(world: World) -> None:
    names = _mentioned(world) | set(re.findall(r"\{([^{}]*)\}", world.spec.mission or ""))
    spec = world.spec
    for declaration in spec.params:
        if declaration.name not in names:
            world.report.add("unused-name", declaration.span, what="the parameter", name=declaration.name)
    for declaration in spec.variables:
        if declaration.name not in names:
            world.report.add("unused-name", declaration.span, what="the variable", name=declaration.name)
    for region in spec.regions:
        if region.name not in names:
            world.report.add("unused-name", region.span, what="the region", name=region.name)
    for kind in spec.kinds:
        is_library = kind.span.source is not spec.source
        if (
            kind.category != "agent"
            and kind.name not in names
            and kind.name not in {"floor", "wall"}
            and not is_library
        ):
            world.report.add("unused-name", kind.span, what=f"the {kind.category}", name=kind.name)


def _actions_without_effect(world: World) -> None:
    """An action that is built from nothing, and that no rule speaks of."""
    spoken = {
        rule.trigger.object.name
        for rule in world.spec.rules
        if rule.trigger.event in {"do", "fail"} and rule.trigger.object
    }
    roots = [(rule.condition, rule.effects, rule.trigger) for rule in world.spec.rules]
    spoken |= {node.name for node in walk(roots) if isinstance(node, n.Name)}
    listened = {rule.trigger.event for rule in world.spec.rules}
    for action in world.actions:
        silent = (
            action.verb == "none"
            and action.name not in {"done"}
            and action.name not in spoken
            and "act" not in listened
        )
        idle = action.verb == "toggle" and "toggle" not in listened and "fail" not in listened
        empty = action.verb in {"pickup", "drop"} and not any(kind.portable for kind in world.object_kinds())
        reads = any(isinstance(node, n.Attribute) and node.name == "action" for node in walk(roots))
        used_library = (
            bool(world.spec.place("use") is not world.spec.place("env"))
            and action.span.source is not world.spec.source
        )
        if (silent or idle or empty) and not reads and not used_library and action.name not in spoken:
            world.report.add("no-effect", action.span, name=action.name)


def _rewards(world: World, events: set[str]) -> Iterator[n.Reward]:
    for rule in world.spec.rules:
        if rule.trigger.event in events:
            for node in walk(rule.effects):
                if isinstance(node, n.Reward) and not node.hidden:
                    yield node


def _overwritten_rewards(world: World) -> None:
    """Two ``reward =`` in one rule's own list: the first is lost."""
    for rule in world.spec.rules:
        sets = [effect for effect in rule.effects if isinstance(effect, n.Reward) and effect.assigns]
        for lost in sets[:-1]:
            world.report.add("reward-overwritten", lost.span, help="the last `reward =` of a step counts")
        adds = [e for e in rule.effects if isinstance(e, n.Reward) and not e.assigns and not e.hidden]
        if sets and adds:
            world.report.add(
                "reward-overwritten", sets[-1].span, help="`reward =` replaces the sum of the step"
            )


def _enter_for_staying(world: World) -> None:
    """``on enter K if agent on K``-like conditions that speak of staying."""
    for rule in world.spec.rules:
        if rule.trigger.event == "enter" and rule.trigger.subject is None and rule.condition is not None:
            for node in walk(rule.condition):
                if isinstance(node, n.Relation) and node.name == "on" and node.right == rule.trigger.object:
                    kind = to_text(rule.trigger.object)
                    world.report.add(
                        "enter-is-not-stay", rule.span, help=f"for staying write `when agent on {kind}`"
                    )


def _each_step_if(world: World) -> None:
    for rule in world.spec.rules:
        if rule.trigger.event == "step" and rule.condition is not None:
            world.report.add("each-step-if", rule.span, help=f"write `when {to_text(rule.condition)}:`")


def _no_end(world: World) -> None:
    ends = any(
        isinstance(node, n.End | n.Truncate | n.Out)
        for rule in world.spec.rules
        for node in walk(rule.effects)
    )
    if not ends and world.limit is None and world.spec.illegal != "end":
        world.report.add(
            "no-end", world.spec.place("env"), help="add `limit: 100 steps`, or a rule with `end`"
        )
