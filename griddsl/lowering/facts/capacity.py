"""Capacity: how many objects there can be at once, by what the map shows and what setup and rules can make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np

from griddsl.diagnostics import Report
from griddsl.lowering.facts.made import may_make, takes_a_place
from griddsl.lowering.traits import effects_in
from griddsl.lowering.world.constants import constant_number
from griddsl.lowering.world.maps.generators import GENERATORS
from griddsl.lowering.world.maps.patterns import values_given
from griddsl.lowering.world.world import World
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

MOST_OBJECTS = 100_000
_Ends = tuple[Fraction, Fraction]  # the least and the greatest that a number can be


def most_objects(world: World) -> tuple[int, bool]:
    """Return how many objects there can be at most, and whether there may well be far fewer."""
    drawn = max(len(level.objects) for level in world.levels)
    if not world.object_kinds():
        return 0, False
    varies = False
    room, held = world.cells * len(world.layers), _hands(world)
    anywhere = _anywhere(world)
    starts = [thing for level in world.levels for thing in level.starts]
    extra = len(world.agents) * max((_held_by(thing.attributes) for thing in starts), default=0)
    object_names = {kind.name for kind in world.object_kinds()}
    variable = {kind.name for kind in world.kinds.values()}
    counts = _Counts(world)
    inside: set[int] = set()  # patterns of what setup places: what these hold is counted with them
    for root, repeats in ((world.spec.preparing, False), ([rule.effects for rule in world.spec.rules], True)):
        for node in walk(root):
            if isinstance(node, n.Place) and isinstance(node.kind, n.Pattern) and not repeats:
                inside |= {id(part) for part in walk(node.kind)}
                extra += counts.placed(node)[0] * _held_by(dict(node.kind.arguments))
            if isinstance(node, n.Pattern) and "carries" in dict(node.arguments) and id(node) not in inside:
                extra += room * held
            if isinstance(node, n.Becomes) and takes_a_place(world, node):
                extra += anywhere
                varies = True
            if not isinstance(node, n.Place) or not isinstance(node.kind, n.KindName):
                continue
            if node.kind.name not in object_names and node.kind.name in variable:
                continue
            if repeats:
                extra += anywhere
                varies = True
            else:
                most, surely = counts.placed(node)
                extra += most
                varies |= not surely
    most = anywhere + drawn if held else room
    return max(1, min(drawn + extra, most, MOST_OBJECTS)), varies


def _hands(world: World) -> int:
    """Return how many objects one thing or agent can hold at most."""
    return max([1, *(kind.carries or 0 for kind in world.kinds.values())]) if _can_hold(world) else 0


def _anywhere(world: World) -> int:
    """Return how many objects there can be on the map, in things that lie there, and in hands."""
    held = _hands(world)
    return world.cells * len(world.layers) * (1 + held) + len(world.agents) * held


@dataclass(frozen=True)
class _Counts:
    """How many things the effects of setup place at most, and whether always so many."""

    world: World
    seen: set[str] = field(default_factory=set)  # kinds of ground that are being counted

    def placed(self, node: n.Place) -> tuple[int, bool]:
        """Return how many things an effect places, in all of its rounds."""
        times, surely = self._rounds(node)
        if isinstance(node.at, n.EveryCell):
            return min(self.world.cells, times * self._tiles(node.at.kind)), False
        area = node.area
        if area is not None and (
            area.form != "region" or getattr(area.value, "name", "") in self.world.regions
        ):
            cells, all_of_them = _cells_in(area, self.world)
            return times * cells, all_of_them and node.where is None and surely
        if node.count is None:
            return times, surely
        ends = self._ends(node.count)
        return times * (self.world.cells if ends is None else max(0, int(ends[1]))), surely

    def _is_ground(self, node: n.Expression | n.Ranging) -> bool:
        kind = self.world.kinds.get(getattr(node, "name", ""))
        return kind is not None and kind.category == "tile"

    def _tiles(self, node: n.Expression | n.Ranging) -> int:
        """Return how many cells can have a kind of ground, while setup runs."""
        world, name = self.world, getattr(node, "name", "")
        kind = world.kinds.get(name)
        generator = world.spec.generate
        if kind is None or kind.category != "tile" or name in {"floor", "wall", *self.seen}:
            return world.cells
        if generator is not None and generator.name not in GENERATORS:
            return world.cells
        self.seen.add(name)
        found = max(int(np.count_nonzero(level.tiles == kind.code)) for level in world.levels)
        for effect, _ in effects_in(world.spec.preparing):
            if may_make(world, effect, kind):
                if isinstance(effect, n.Place) and getattr(effect.kind, "name", "") == name:
                    found += self.placed(effect)[0]
                else:
                    found += world.cells
        self.seen.remove(name)
        return min(found, world.cells)

    @cached_property
    def _loops(self) -> dict[int, list[n.Effect]]:
        """The loops around each `place`, by its identity."""
        around: dict[int, list[n.Effect]] = {}
        for effect, can in effects_in(self.world.spec.preparing):
            for inner in walk(effect) if can.repeats else ():
                if isinstance(inner, n.Place):
                    around.setdefault(id(inner), []).append(effect)
        return around

    def _rounds(self, node: n.Place) -> tuple[int, bool]:
        """Return how often a `place` in loops is carried out at most, and whether just so often.

        A loop whose rounds no number bounds may well end soon, and so may one that something else ends.
        """
        world, area = self.world, node.area
        # A holder takes more than the map does.
        is_held = (
            area is not None
            and area.form == "region"
            and getattr(area.value, "name", "") not in world.regions
        )
        most = _anywhere(world) if is_held else world.cells * max(1, len(world.layers))
        all_times, surely = 1, True
        for loop in self._loops.get(id(node), ()):
            times, is_sure = self._times(loop, most)
            all_times, surely = all_times * times, surely and is_sure
        return all_times, surely

    def _times(self, loop: n.Effect, most: int) -> tuple[int, bool]:
        """Return how many rounds of a loop can place something, ``most`` where none bounds them; whether always so."""
        ends, ended = None, getattr(loop, "until", None) or getattr(loop, "where", None)
        if isinstance(loop, n.Each) and isinstance(loop.over, n.Ranging):
            ends = self._sizes(loop.over.domain)
        elif isinstance(loop, n.Repeat):
            ends = self._ends(loop.count)
        elif isinstance(loop, n.Each) and self._is_ground(loop.over):
            ends = Fraction(0), Fraction(self._tiles(loop.over))
        if ends is None:
            return most, False
        return max(0, int(ends[1])), ends[0] == ends[1] and ended is None

    def _sizes(self, domain: n.Domain) -> _Ends | None:
        """Return how many values a domain has, at the least and at the most."""
        regions = self.world.regions
        match domain:
            case n.ChoiceDomain((n.Name(name),)) if name in regions:
                return Fraction(int(regions[name].sum())), Fraction(int(regions[name].sum()))
            case n.ChoiceDomain(values):
                return Fraction(len(values)), Fraction(len(values))
            case n.RangeDomain(low, high):
                least, most = self._ends(low), self._ends(high)
                if least is not None and most is not None:
                    return most[0] - least[1] + 1, most[1] - least[0] + 1
        return None

    def _ends(self, node: n.Expression, depth: int = 8) -> _Ends | None:
        """Return the least and the greatest that a number can be; None where it is not known."""
        number = constant_number(node, self.world.params, Report(), "")
        if number is not None or depth == 0:
            return None if number is None else (number, number)
        match node:
            case n.Name("width" | "height" as name):
                size = Fraction(getattr(self.world, name))
                return size, size
            case n.Name(name):
                return self._of_name(name, depth - 1)
            case n.Call("count", (kind,)) if self._is_ground(kind):
                return Fraction(0), Fraction(self._tiles(kind))
            case n.Arithmetic("div", left, right):
                one, two = self._ends(left, depth - 1), self._ends(right, depth - 1)
                if one is None or two is None or two[0] <= 0:
                    return None
                quotients = [Fraction(number // end) for number in one for end in two]
                return min(quotients), max(quotients)
            case n.IfElse(then=then, otherwise=otherwise):
                return _hull([self._ends(then, depth - 1), self._ends(otherwise, depth - 1)])
            case n.Arithmetic(operator, left, right) if operator in {"+", "-", "*"}:
                one, two = self._ends(left, depth - 1), self._ends(right, depth - 1)
                if one is None or two is None:
                    return None
                if operator == "+":
                    return one[0] + two[0], one[1] + two[1]
                if operator == "-":
                    return one[0] - two[1], one[1] - two[0]
                products = [a * b for a in one for b in two]
                return min(products), max(products)
        return None

    def _of_name(self, name: str, depth: int) -> _Ends | None:
        """Return the ends of all that a name can stand for: a variable, what is drawn, named or gone through."""
        variable = self.world.variables.get(name)
        if variable is not None:
            return (variable.domain.low, variable.domain.high) if variable.domain.form == "int" else None
        found: list[_Ends | None] = []
        for part in walk(self.world.spec.preparing):
            match part:
                case n.Choose(names=names, domain=domain) if name in names:
                    found.append(self._in_domain(domain, depth))
                case n.Ranging(name=given, domain=domain) if given == name:
                    found.append(self._in_domain(domain, depth))
                case n.Let(name=given, value=value) if given == name:
                    found.append(self._ends(value, depth))
                case n.Place(alias=str(given)) if given == name:
                    found.append(None)
        return _hull(found)

    def _in_domain(self, domain: n.Domain | n.RandomCell, depth: int) -> _Ends | None:
        match domain:
            case n.ChoiceDomain(values):
                return _hull([self._ends(value, depth) for value in values])
            case n.RangeDomain(low, high):
                return _hull([self._ends(low, depth), self._ends(high, depth)])
        return None


def _hull(all_ends: list[_Ends | None]) -> _Ends | None:
    """Return the ends of what may lie between any of these; None where one of them is not known, or there is none."""
    known = [ends for ends in all_ends if ends is not None]
    if not known or len(known) < len(all_ends):
        return None
    return min(low for low, _ in known), max(high for _, high in known)


def _cells_in(area: n.Area, world: World) -> tuple[int, bool]:
    """Return how many cells an area has at most, and whether it always has so many."""
    match area.form, area.value:
        case "column", _:
            return world.height, True
        case "row", _:
            return world.width, True
        case "border", _:
            return world.cells - max(0, world.width - 2) * max(0, world.height - 2), True
        case "rectangle", n.Rectangle(left, right, top, bottom):
            ends = [constant_number(end, world.params, Report(), "") for end in (left, right, top, bottom)]
            if None not in ends:
                x0, x1, y0, y1 = (int(end) for end in ends if end is not None)
                across = min(x1, world.width - 1) - max(x0, 0) + 1
                down = min(y1, world.height - 1) - max(y0, 0) + 1
                return max(0, across) * max(0, down), True
        case "region", n.Name(name) if name in world.regions:
            return int(world.regions[name].sum()), True
    return world.cells, False


def _can_hold(world: World) -> bool:
    """Whether anything can be where no cell is: in a hand or in a thing."""
    return any(kind.portable or kind.carries for kind in world.kinds.values()) or any(
        (isinstance(node, n.Handle) and node.verb == "pickup")
        or (isinstance(node, n.Pattern) and any(name == "carries" for name, _ in node.arguments))
        or (
            isinstance(node, n.Place)
            and getattr(getattr(node.area, "value", None), "name", "") in world.kinds
        )
        for node in walk(
            (
                world.spec.blocks,
                [thing.attributes for level in world.levels for thing in level.starts],
            )
        )
    )


def _held_by(attributes: Mapping[str, n.Expression]) -> int:
    """Return how many objects something has from the start: what it carries, and what that carries."""
    content = attributes.get("carries")
    return 0 if content is None else 1 + _held_by(values_given(content))
