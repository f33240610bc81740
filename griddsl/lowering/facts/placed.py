"""Placed: how many things of a kind setup surely places, each in a cell of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from griddsl.diagnostics import Report
from griddsl.lowering.traits import effects_in
from griddsl.lowering.world.constants import constant_number
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.world import World
from griddsl.source import Span
from griddsl.syntax import nodes as n

Attributes = Mapping[str, n.Expression]


def surely_placed(world: World, kind: Kind, asked: Span | None = None) -> list[Attributes]:
    """Return the attributes that setup gives to each thing of a kind that it surely places.

    ``asked`` is where setup itself asks for one: only what it places before counts.
    """
    found: list[Attributes] = []
    places: set[n.Node] = set()  # a second tile in one place is no other
    effects = world.spec.preparing if asked is None else _before(world.spec.preparing, asked)
    for effect, times in _always_done(world, effects, 1):
        if effect.if_free or effect.where is not None or getattr(effect.kind, "name", "") != kind.name:
            continue
        if not isinstance(effect.at, n.RandomCell):
            if kind.category == "tile" and (effect.at or effect.area) in places:
                continue
            places.add(effect.at or effect.area or effect)
        given = dict(effect.kind.arguments) if isinstance(effect.kind, n.Pattern) else {}
        count = 1 if effect.count is None else _number(world, effect.count) or 0
        found += [given] * min(times * count * _cells(world, effect), world.cells)
    return found


def _before(effects: tuple[n.Effect, ...], asked: Span) -> tuple[n.Effect, ...]:
    """Return the effects that are over where something is asked; none where that is in none of them."""
    for index, effect in enumerate(effects):
        if _holds(effect.span, asked):
            is_over = isinstance(effect, n.Retry) and _holds(effect.until.span, asked)
            return effects[: index + is_over]
    return ()


def _holds(whole: Span, part: Span) -> bool:
    return whole.source is part.source and whole.start <= part.start < whole.end


def _always_done(
    world: World, effects: tuple[n.Effect, ...], times: int, name: str = ""
) -> Iterator[tuple[n.Place, int]]:
    """Yield what setup places under no condition, each with how often; each try of a ``retry`` does the same.

    In a loop of numbers or cells called ``name`` it is more than once where its place says that name.
    """
    for effect in effects:
        if isinstance(effect, n.Place):
            at = effect.at
            ends = (at.x, at.y) if isinstance(at, n.Position) else (at,)
            goes_along = any(isinstance(each, n.Name) and each.name == name for each in ends)
            yield effect, times if isinstance(at, n.RandomCell) or not name or goes_along else 1
        if isinstance(effect, n.Retry):
            yield from _always_done(world, effect.body, times, name)
        if isinstance(effect, n.Repeat) and effect.until is None and not name:
            count = _number(world, effect.count) or 0
            if count:
                yield from _drawn_alone(_always_done(world, effect.body, times * count))
        if isinstance(effect, n.Each) and isinstance(effect.over, n.Ranging) and not (effect.where or name):
            rounds = _rounds(world, effect.over.domain)
            yield from _always_done(world, effect.body, times * rounds, effect.over.name)


def _drawn_alone(placed: Iterator[tuple[n.Place, int]]) -> Iterator[tuple[n.Place, int]]:
    """Yield what is placed again and again: more than once where the cell is drawn anew."""
    for effect, times in placed:
        yield effect, times if isinstance(effect.at, n.RandomCell) else 1


def _rounds(world: World, domain: n.Domain) -> int:
    """Return how many numbers or cells a loop surely goes through."""
    if isinstance(domain, n.RangeDomain):
        return _length(world, domain.low, domain.high)
    (first, *others) = domain.values
    if others:
        return 0
    if isinstance(first, n.Rectangle):
        return _size(world, n.Area("rectangle", first, first.span))
    name = getattr(first, "name", "")
    if name in world.regions:
        return int(np.count_nonzero(world.regions[name]))
    return 0


def _cells(world: World, effect: n.Place) -> int:
    """Return in how many cells an effect surely places what it does, each time."""
    if effect.area is not None:
        return _size(world, effect.area)
    if isinstance(effect.at, n.EveryCell):
        return 0 if effect.at.where or effect.at.chance else _showing(world, effect, effect.at)
    return 1 if isinstance(effect.at, n.RandomCell | n.Position | n.Name) else 0


def _showing(world: World, effect: n.Place, at: n.EveryCell) -> int:
    """Return how many cells surely have the ground that is asked for, where nothing else in setup covers it."""
    ground = world.kinds.get(getattr(at.kind, "name", ""))
    if ground is None or ground.category != "tile" or isinstance(at.kind, n.Pattern):
        return 0
    others = [each for each in world.spec.preparing if each is not effect]
    if any(can.grounds(each, world.spec, world.kinds) for each, can in effects_in(others)):
        return 0
    if world.spec.generate is not None:
        return 2 if ground.name == "floor" else 0  # more than one is all that is asked for
    return min(int(np.count_nonzero(level.tiles == ground.code)) for level in world.levels)


def _size(world: World, area: n.Area) -> int:
    """Return how many cells an area has; 0 where its ends are drawn."""
    match area.form:
        case "column":
            return world.height
        case "row":
            return world.width
        case "border":
            return world.cells - max(0, world.width - 2) * max(0, world.height - 2)
        case "region":
            region = world.regions.get(getattr(area.value, "name", ""))
            return 0 if region is None else int(np.count_nonzero(region))
    value = area.value
    return _length(world, value.left, value.right) * _length(world, value.top, value.bottom)


def _length(world: World, low: n.Expression, high: n.Expression) -> int:
    first, last = _number(world, low), _number(world, high)
    return 0 if first is None or last is None else max(0, last - first + 1)


def _number(world: World, node: n.Expression) -> int | None:
    found = constant_number(node, world.params, Report(), "")
    return None if found is None else int(found)
