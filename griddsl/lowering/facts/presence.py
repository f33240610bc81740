"""Presence: which kinds of ground are on the map in every step, so that their positions have no room for absence."""

from __future__ import annotations

from collections.abc import Iterator

from griddsl.lowering.traits import effects_in, of_rules
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.world import World
from griddsl.syntax import nodes as n


def always_there(world: World, kind: Kind) -> bool:
    """Whether a kind of tile is on the map from the end of setup on: drawn or placed, and never replaced."""
    if kind.category != "tile" or any(can.changes for _, can in of_rules(world.spec)):
        return False
    drawn = all(bool((level.tiles == kind.code).any()) for level in world.levels)
    there = drawn and world.spec.generate is None
    for effect in _unconditional(world.spec.preparing):
        if _places(effect, kind):
            there = True
        elif any(can.changes and _could_cover(world, each, kind) for each, can in effects_in(effect)):
            there = False
    return there


def _unconditional(effects: tuple[n.Effect, ...]) -> Iterator[n.Effect]:
    """Yield the effects of setup in order, those of ``retry`` among them; ``repeat`` may run no time."""
    for effect in effects:
        if isinstance(effect, n.Retry):
            yield from _unconditional(effect.body)
        else:
            yield effect


def _places(effect: n.Effect, kind: Kind) -> bool:
    return (
        isinstance(effect, n.Place)
        and getattr(effect.kind, "name", None) == kind.name
        and effect.count is None
        and not effect.if_free
        and isinstance(effect.at, n.RandomCell | n.Position)
    )


def _could_cover(world: World, node: n.Node, kind: Kind) -> bool:
    """Whether a node of setup can put something else where the kind stands."""
    if not isinstance(node, n.Place):
        return True
    placed = world.kinds.get(getattr(node.kind, "name", ""))
    if placed is not None and placed.category != "tile":
        return False
    ground = getattr(node.at, "kind", None)
    return getattr(ground, "name", kind.name) in {kind.name, "free"}
