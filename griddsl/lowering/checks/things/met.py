"""Met: what two are asked for, or become, whose rule runs when they stand in one cell."""

from __future__ import annotations

from griddsl.diagnostics import write
from griddsl.lowering.checks.things.placed import kinds_freed
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.kinds import Kind
from griddsl.spec.models import GridSpec, Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

_TOGETHER = {"enter", "meet"}
_APART = {"<", ">", "!="}


def met_in_one_cell(writer: Writer) -> None:
    """`on meet walker if agent.y < walker.y`: they meet in one cell, so that neither stands above the other."""
    spec = writer.world.spec
    for rule in spec.rules:
        if (
            rule.trigger.event not in _TOGETHER
            or rule.span.source is not spec.source
            or _may_cross(spec, rule)
        ):
            continue
        asked = rule.condition
        for node in asked.values if isinstance(asked, n.Logic) and asked.operator == "and" else (asked,):
            if not isinstance(node, n.Compare) or node.operator not in _APART or node.span.through:
                continue
            if _of_both(rule, node.left, node.right):
                came = next(side for side in (node.left, node.right) if _owner(side) == _comes(rule))
                help = write(
                    f"prev({came.span.text})",
                    ": the two are in one cell then, and that is where it stood before this step",
                    came.span,
                )
                writer.report.add("never-true", node.span, help=help)


def _may_cross(spec: GridSpec, rule: Rule) -> bool:
    """Whether the two may meet in changing places, as agents do: each is then in the cell of the other."""
    return spec.swap == "allow" and rule.trigger.event == "meet"


def _comes(rule: Rule) -> str:
    """Return the name of whose rule it is."""
    return "agent" if rule.trigger.subject is None else rule.trigger.subject.name


def _of_both(rule: Rule, left: n.Expression, right: n.Expression) -> bool:
    """Whether one side is a coordinate of the subject, and the other the same of what it comes to."""
    both = {_comes(rule), getattr(rule.trigger.object, "name", "")}
    return (
        isinstance(left, n.Attribute)
        and isinstance(right, n.Attribute)
        and len(both) == 2
        and {_owner(left), _owner(right)} == both
        and left.name == right.name
        and left.name in {"x", "y"}
    )


def _owner(side: n.Expression) -> str | None:
    return getattr(side.owner, "name", None) if isinstance(side, n.Attribute) else None


def becomes_in_vain(writer: Writer) -> None:
    """`on zombie meet human: human becomes zombie`: the layer of the one is taken in that cell, by the other.

    Where anything may take the other out of the cell before that, nothing is said.
    """
    spec = writer.world.spec
    found = [
        (effect, other)
        for rule in spec.rules
        if rule.trigger.event in _TOGETHER and rule.span.source is spec.source
        for effect in walk(rule.effects)
        if isinstance(effect, n.Becomes) and not effect.span.through
        for other in [_layer_taken_by(writer, rule, effect)]
        if other is not None
    ]
    freed = kinds_freed(writer, [effect for effect, _ in found]) if found else None
    for effect, other in found:
        if freed is None or other in freed:
            continue
        who = getattr(effect.target, "name", "")
        reason = f"where the `{other}` is there is no room for another object of its layer"
        help = (
            f"`remove {other}` before it makes room; else let `{who}` become a kind of its own layer, "
            f"`object NAME: layer {writer.world.kinds[who].layer}`, or give it an attribute that tells what it is now"
        )
        writer.report.add("idle", effect.span, reason=reason, help=help)


def _layer_taken_by(writer: Writer, rule: Rule, effect: n.Becomes) -> str | None:
    """Return who of the two in a cell stands on the layer of what the other of them is to become."""
    kinds, both = writer.world.kinds, [_comes(rule), getattr(rule.trigger.object, "name", "")]
    who, value = getattr(effect.target, "name", ""), getattr(effect.value, "name", "")
    if who not in both or not {*both, value} <= set(kinds) or both[0] == both[1]:
        return None
    other = both[1 - both.index(who)]
    if any(kinds[name].category != "object" for name in (who, other, value)):
        return None
    if kinds[who].layer != kinds[value].layer == kinds[other].layer:
        return other
    return None


def comes_by_itself(writer: Writer) -> None:
    """`on enter ghost: end failure` of a ghost that moves: it does not fire when the ghost walks into the agent."""
    world, spec = writer.world, writer.world.spec
    heard = {name for rule in spec.rules if (name := _meets_agents(writer, rule)) is not None}
    for rule in spec.rules:
        kind = world.kinds.get(getattr(rule.trigger.object, "name", ""))
        if rule.trigger.event != "enter" or rule.span.source is not spec.source or kind is None:
            continue
        if not _is_agent(writer, rule.trigger.subject) or kind.name in heard or not _may_come(kind):
            continue
        head = rule.trigger.span
        help = write(head.text.replace("enter", "meet", 1), ": it fires whoever comes to the other", head)
        writer.report.add("comes-by-itself", head, name=kind.name, help=help)


def _is_agent(writer: Writer, subject: n.Expression | None) -> bool:
    kind = writer.world.kinds.get(getattr(subject, "name", "agent"))
    return kind is not None and kind.category == "agent"


def _meets_agents(writer: Writer, rule: Rule) -> str | None:
    """Return the kind of which a rule hears that it meets, or comes to, an agent."""
    trigger = rule.trigger
    sides = (getattr(trigger.subject, "name", "agent"), getattr(trigger.object, "name", ""))
    if trigger.event == "meet":
        return sides[1] if _is_agent(writer, trigger.subject) else sides[0]
    return sides[0] if trigger.event == "enter" and not _is_agent(writer, trigger.subject) else None


def _may_come(kind: Kind) -> bool:
    """Whether a creature may go where an agent is: it does not only flee, stand, or keep out of its way."""
    movers = [part for part in walk(kind.moves) if isinstance(part, n.Mover)]
    barred = kind.category != "object" or kind.solid is not None
    return not barred and any(
        each.policy not in {"away", "still"} and each.avoiding is None for each in movers
    )
