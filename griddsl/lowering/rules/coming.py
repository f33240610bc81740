"""Coming: whether effects can bring more of a kind onto the map, while a loop goes through those that are there."""

from __future__ import annotations

from griddsl.lowering.clauses.carrying import carried_kinds, containers
from griddsl.lowering.facts.made import may_make
from griddsl.lowering.facts.sent import settles
from griddsl.lowering.traits import effects_in
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.world import World
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import AT_MOVES


def may_come(world: World, clauses: object, kind: Kind) -> bool:
    """Whether a thing of a kind may be on the map after some clauses that was not there before.

    It is made, put down or spilled by what held it; a floor is also what is left of another tile.
    """
    if kind.category == "agent":
        return False
    is_held = kind.category == "object" and (bool(containers(world)) or kind in carried_kinds(world))
    for effect, can in effects_in(clauses):
        if may_make(world, effect, kind):
            return True
        if kind.name == "floor" and can.grounds(effect, world.spec, world.kinds):
            return True
        brings_only_what_it_makes = can.puts
        if (
            is_held
            and (can.sends or can.changes)
            and not brings_only_what_it_makes
            and not _takes_away(world, effect)
        ):
            return True
    return False


def with_what_hears(world: World, effects: tuple[n.Effect, ...]) -> list[tuple[n.Effect, ...]]:
    """Return effects, and those of the rules that hear of what a round of a loop among them sends, before the next."""
    rounds = [effect for effect, can in effects_in(effects) if can.repeats]
    heard = [rule.effects for rule in world.spec.rules if rule.trigger.event in AT_MOVES]
    return [effects, *(heard if settles(world, rounds) else ())]


def _takes_away(world: World, effect: n.Effect) -> bool:
    """Whether an effect only takes things off the map, which hold nothing that would take their place."""
    if not isinstance(effect, n.Handle) or effect.verb == "drop":
        return False
    if effect.verb == "pickup":
        return True
    kind = world.kinds.get(getattr(effect.kind, "name", ""))
    return kind is not None and not kind.carries
