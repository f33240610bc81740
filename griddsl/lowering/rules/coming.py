"""Coming: whether effects can bring more of a kind onto the map, while a loop goes through those that are there."""

from __future__ import annotations

from typing import Any

from griddsl.lowering.clauses.carrying import carried_kinds, containers
from griddsl.lowering.traits import effects_in
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.naming import kinds_named
from griddsl.lowering.world.world import World
from griddsl.spec.desugar.ranging import local_names
from griddsl.syntax import nodes as n


def may_come(world: World, clauses: Any, kind: Kind) -> bool:
    """Whether a thing of a kind may be on the map after some clauses that was not there before.

    It is made, put down or spilled by what held it; a floor is also what is left of another tile.
    """
    if kind.category == "agent":
        return False
    is_held = kind.category == "object" and (bool(containers(world)) or kind in carried_kinds(world))
    for effect, can in effects_in(clauses):
        if (
            can.makes is not None
            and not _sets_a_value(world, effect)
            and _may_be(world, can.makes(effect), kind)
        ):
            return True
        if kind.name == "floor" and can.grounds(effect, world.spec, world.kinds):
            return True
        if is_held and (can.sends or can.changes) and not _takes_away(world, effect):
            return True
    return False


def _sets_a_value(world: World, effect: n.Effect) -> bool:
    """Whether it is an attribute or a variable that becomes something."""
    if not isinstance(effect, n.Becomes):
        return False
    variables = {each.name for each in world.spec.variables}
    return isinstance(effect.target, n.Attribute) or getattr(effect.target, "name", "") in variables


def _may_be(world: World, value: Any, kind: Kind) -> bool:
    """Whether what comes to be can be of a kind; a word of an attribute is none."""
    named = kinds_named(world.spec, world.kinds, value, made=True) if isinstance(value, n.KindName) else None
    return kind.name in named if named is not None else not _is_word(world, value)


def _is_word(world: World, value: Any) -> bool:
    if not isinstance(value, n.Name):
        return False
    attributes = [
        (name, each.domain) for own in world.kinds.values() for name, each in own.attributes.items()
    ]
    words = {word for _, domain in attributes for word in domain.words}
    words |= {name for name, domain in attributes if domain.form == "bool"}
    effects = [world.spec.preparing, [rule.effects for rule in world.spec.rules]]
    return value.name in words and value.name not in set(local_names(effects))


def _takes_away(world: World, effect: n.Effect) -> bool:
    """Whether an effect only takes things off the map, which hold nothing that would take their place."""
    if not isinstance(effect, n.Handle) or effect.verb == "drop":
        return False
    if effect.verb == "pickup":
        return True
    kind = world.kinds.get(getattr(effect.kind, "name", ""))
    return kind is not None and not kind.carries
