"""Abundance: how many things of a kind there surely are when an episode begins, and which cannot be told apart."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from griddsl.diagnostics import Report
from griddsl.lowering.facts.facts import Facts
from griddsl.lowering.facts.made import may_bring
from griddsl.lowering.facts.placed import Attributes, surely_placed
from griddsl.lowering.traits import of_spec
from griddsl.lowering.world.constants import constant
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.maps.level import Level
from griddsl.source import Span
from griddsl.syntax import nodes as n


def abundance(facts: Facts, kind: Kind, asked: Span | None = None) -> int:
    """Return how many things of a kind the map shows, at the most, and setup surely adds: before it asks for one."""
    drawn = max((len(_drawn(level, kind)) for level in facts.world.levels), default=0)
    return drawn + len(_placed(facts, kind, asked))


def may_be_several(facts: Facts, kind: Kind) -> bool:
    """Whether there can be more than one thing of a kind: several are drawn or placed, or a rule may make more."""
    spec = facts.world.spec
    if kind.category == "tile" and (kind.name == "floor" or spec.generate is not None):
        return True
    makers = [effect for effect, _ in of_spec(spec) if may_bring(facts.world, effect, kind)]
    single = [effect for effect in makers if effect in spec.preparing and _places_one(effect)]
    drawn = max((len(_drawn(level, kind)) for level in facts.world.levels), default=0)
    return len(makers) > len(single) or drawn + len(single) > 1


def _places_one(effect: n.Effect) -> bool:
    if not isinstance(effect, n.Place) or isinstance(effect.at, n.EveryCell):
        return False
    return effect.count is None and effect.area is None


def stays(facts: Facts, kind: Kind) -> bool:
    """Whether nothing in setup or rules puts other ground where a kind of tile is drawn or placed."""
    return not facts.dynamic_tiles or not any(
        can.changes and _covers(facts, effect, kind) for effect, can in of_spec(facts.world.spec)
    )


def _drawn(level: Level, kind: Kind) -> list[Attributes]:
    """Return what the legend says of each thing of a kind that a level shows."""
    if kind.category == "object":
        return [thing.attributes for thing in level.objects if thing.kind is kind]
    given = {cell: attributes for cell, of, attributes in level.tile_patterns if of is kind}
    return [given.get(int(cell), {}) for cell in np.flatnonzero(level.tiles == kind.code)]


def _placed(facts: Facts, kind: Kind, asked: Span | None = None) -> list[Attributes]:
    """Return what setup says of each thing of a kind that it surely places in a cell of its own."""
    if kind.category == "tile" and not stays(facts, kind):
        return []
    return surely_placed(facts.world, kind, asked)


def _covers(facts: Facts, node: n.Effect, kind: Kind) -> bool:
    """Whether an effect can put other ground in the place of a kind of tile."""
    if not isinstance(node, n.Place):
        if isinstance(node, n.Becomes) and _is_state(kind, node.value):
            return False
        name = getattr(getattr(node, "target", getattr(node, "kind", None)), "name", kind.name)
        return name == kind.name or name not in {*facts.world.kinds, *facts.world.variables}
    placed = facts.world.kinds.get(getattr(node.kind, "name", ""))
    if placed is not None and placed.category != "tile":
        return False
    ground = getattr(getattr(node.at, "kind", None), "name", kind.name)
    return ground in {kind.name, "free"} and placed is not kind


def _may_renew(facts: Facts, kind: Kind) -> bool:
    """Whether a tile of a kind may be placed where one is, so that the new one's attributes are there."""
    return any(
        isinstance(effect, n.Place)
        and getattr(effect.kind, "name", "") == kind.name
        and not isinstance(effect.at, n.RandomCell)
        for effect, can in of_spec(facts.world.spec)
        if can.changes
    )


def _is_state(kind: Kind, value: n.Expression) -> bool:
    """Whether what a tile becomes is a word of its own attributes, so that it stays the same ground."""
    word = value.name if isinstance(value, n.Name) else ""
    return any(word in each.domain.words or word == each.name for each in kind.attributes.values())


# Others


def others(facts: Facts, kind: Kind, wanted: Attributes, bound: Attributes | None) -> int:
    """Return how many others fit ``other K``; 0 or 1 where it cannot be told that there are more.

    ``wanted`` is the pattern asked for; ``bound`` what is known of the K that the others are other than, None where
    there is no such K.
    """
    if any(facts.attribute_changes(name, "tile") for name in wanted):
        return 0
    if kind.category == "tile" and (not stays(facts, kind) or _may_renew(facts, kind)):
        return 0
    least = [_least_others(facts, kind, level, wanted, bound) for level in facts.world.levels]
    return max(least, default=0)


def _least_others(
    facts: Facts, kind: Kind, level: Level, wanted: Attributes, bound: Attributes | None
) -> int:
    things = [*_drawn(level, kind), *_placed(facts, kind)]
    if bound is None:
        return _fitting(facts, kind, things, wanted, {})
    counts = [
        _fitting(facts, kind, things[:place] + things[place + 1 :], wanted, this)
        for place, this in enumerate(things)
        if _can_be(facts, kind, this, bound)
    ]
    # What is wanted by the attributes of the one that is meant has to be clear for each that it can be.
    follows = any(_is_own(kind, node) for node in wanted.values())
    return (max if follows else min)(counts, default=0)


def _is_own(kind: Kind, node: n.Expression) -> bool:
    """Whether a value is an attribute of the K itself that the others are other than."""
    return isinstance(node, n.Attribute) and getattr(node.owner, "name", None) == kind.name


def _can_be(facts: Facts, kind: Kind, thing: Attributes, pattern: Attributes) -> bool:
    """Whether a thing can be one that a trigger's pattern fits."""
    for name, node in pattern.items():
        want, have = _code(facts, kind, name, node), _value(facts, kind, name, thing)
        if want is not None and have is not None and want != have:
            return False
    return True


def _fitting(facts: Facts, kind: Kind, things: list[Attributes], wanted: Attributes, this: Attributes) -> int:
    """Return how many things surely have the attributes that are wanted."""
    codes: dict[str, int | Fraction] = {}
    for name, node in wanted.items():
        own = node.name if isinstance(node, n.Attribute) and _is_own(kind, node) else None
        code = _code(facts, kind, name, node) if own is None else _value(facts, kind, own, this)
        if code is None:
            return 0
        codes[name] = code
    return sum(
        all(_value(facts, kind, name, thing) == code for name, code in codes.items()) for thing in things
    )


def _value(facts: Facts, kind: Kind, name: str, thing: Attributes) -> int | Fraction | None:
    """Return the code of an attribute of a thing as drawn; None where it is drawn at random or unknown."""
    if name not in kind.attributes:
        return None
    if name in thing:
        return _code(facts, kind, name, thing[name])
    return int(kind.attributes[name].default)


def _code(facts: Facts, kind: Kind, name: str, node: n.Expression) -> int | Fraction | None:
    """Return the code that a constant stands for; None for what is none."""
    if name not in kind.attributes or not isinstance(node, n.Number | n.Truth | n.Name):
        return None
    return kind.attributes[name].domain.code(constant(node, facts.world.params, Report()))
