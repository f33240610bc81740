"""Nearby: a loop over cells looks only at those around a place, where no cell farther away can count.

``count(plot where chebyshev(plot, this) == 1)`` asks eight cells then, and not each of the map. What was measured
between two cells is noted where it is written; what has to hold in a round that counts is read from its statements.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from griddsl.lowering.state.writer import Writer
from griddsl.program import ir
from griddsl.program.proof.tests import TURNED, Asking

FEWER = 2  # how many times as many cells a loop over all has to look at, for each of which less is reckoned


@dataclass(frozen=True, slots=True)
class Around:
    """The cells that are at most ``reach`` columns and rows away from a cell."""

    center: ir.Expr
    reach: int

    @property
    def count(self) -> int:
        """How many there are, on a map that has them all."""
        return (2 * self.reach + 1) ** 2


def around(places: Asking, loop: ir.Loop, cell: ir.Local, block: ir.Block, many: int) -> Around | None:
    """Return the cells that alone can count in a loop over ``many``; None where to go through all takes less."""
    if not isinstance(loop(cell.name, ir.const(0), ir.const(1), block), ir.Reduce):
        return None
    found = [each for each in _Round(cell, places).bounds(block) if FEWER * each.count <= many]
    return min(found, key=lambda each: each.reach, default=None)


def over_near(
    writer: Writer, names: ir.Names, loop: ir.Loop, cell: ir.Local, block: ir.Block, near: Around
) -> Iterator[ir.Stmt]:
    """Yield a loop over the cells around one, row by row, which runs a block for each that is on the map."""
    world = writer.world
    center = ir.Local(names.fresh("center"), "int", near.center.low, near.center.high)
    yield ir.Let(center.name, near.center)
    offsets = range(-near.reach, near.reach + 1)
    turn = ir.Local(names.fresh("i"), "int", 0, near.count - 1)
    beside: list[ir.Local] = []
    round_: ir.Block = []
    for axis, size, ways in (
        ("x", world.width, [dx for _ in offsets for dx in offsets]),
        ("y", world.height, [dy for dy in offsets for _ in offsets]),
    ):
        middle = ir.Local(names.fresh(f"center_{axis}"), "int", -1, size - 1)
        yield ir.Let(middle.name, _coordinate(center, axis, world.width))
        step = ir.lookup(writer.table(("AROUND", near.reach, axis), ways), turn)
        beside.append(ir.Local(names.fresh(axis), "int", -1 - near.reach, size - 1 + near.reach))
        round_.append(ir.Let(beside[-1].name, ir.add(middle, step)))
    x, y = (
        ir.within(each, 0, size - 1) for each, size in zip(beside, (world.width, world.height), strict=True)
    )
    on_map = [
        test
        for each, size in zip(beside, (world.width, world.height), strict=True)
        for test in (ir.ge(each, 0), ir.lt(each, size))
    ]
    found = ir.Let(cell.name, ir.add(ir.mul(y, ir.const(world.width)), x))
    then = ir.when(ir.both(*on_map), [found, *block])
    yield loop(turn.name, ir.const(0), ir.const(near.count), [*round_, *then])


def _coordinate(cell: ir.Local, axis: str, width: int) -> ir.Expr:
    """Return the column or the row of a cell; -1 of none, from where distances to it are measured too."""
    part = ir.mod if axis == "x" else ir.div
    known = part(replace(cell, low=max(0, cell.low)), ir.const(width))
    return known if cell.low >= 0 else ir.select(ir.ge(cell, 0), known, ir.const(-1))


_Tests: TypeAlias = tuple[ir.Expr, ...]


@dataclass(slots=True)
class _Round:
    """A round of a loop over cells: what surely holds where it hits, as far as its statements tell.

    ``given`` are the values of each name, with the tests under which it has each; ``hits`` those under which it hits.
    """

    cell: ir.Local
    places: Asking
    given: dict[str, list[tuple[ir.Expr, _Tests]]] = field(default_factory=dict)
    hits: list[_Tests] = field(default_factory=list)

    def bounds(self, block: ir.Block) -> Iterator[Around]:
        """Yield the surroundings outside of which no round hits."""
        self._read(block, (), counts=True)
        if len(self.hits) == 1:
            yield from self._told(self.hits[0], self.hits[0])

    def _read(self, block: ir.Block, under: _Tests, counts: bool) -> None:
        for statement in block:
            match statement:
                case ir.Let(name, value):
                    self.given.setdefault(name, []).append((value, under))
                case ir.Hit() if counts:
                    self.hits.append(under)
                case ir.If(test, then, otherwise):
                    self._read(then, (*under, test), counts)
                    self._read(otherwise, (*under, ir.invert(test)), counts)
                case _:
                    for name in ir.sets(statement):
                        self.given.setdefault(name, []).extend([(ir.Local(name), under)] * 2)  # many values
                    for inner in ir.blocks_of(statement):
                        self._read(inner, under, counts and not isinstance(statement, ir.Reduce))

    def _told(self, tests: Iterable[ir.Expr], under: _Tests) -> Iterator[Around]:
        """Yield what follows of where the cell lies from tests that hold, which are asked under others."""
        for test in tests:
            match test:
                case ir.Op("and", values):
                    yield from self._told(values, under)
                case ir.Op("not", (ir.Op("or", values),)):
                    yield from self._told(map(ir.invert, values), under)
                case ir.Op("<=" | "<" | "==" | ">=" | ">" as operator, (left, right)):
                    yield from self._near(left, operator, right, under)
                    yield from self._near(right, TURNED[operator], left, under)
                case ir.Local(name):
                    ways = [each for each in self.given.get(name, ()) if each[0] != ir.FALSE]
                    for value, asked_under in ways if len(ways) == 1 else ():
                        yield from self._told((value, *asked_under), asked_under)

    def _near(self, measure: ir.Expr, operator: str, most: ir.Expr, under: _Tests) -> Iterator[Around]:
        """Yield the surroundings of the cell to which a distance is measured, where that is bounded so."""
        place = self.places.of(self._meant(measure, under))
        pair = None if place is None else self.places.measured.get(place)
        if pair is None or operator in {">", ">="} or not math.isfinite(most.high):
            return
        reach = math.ceil(most.high) - 1 if operator == "<" else math.floor(most.high)
        for one, other in (pair, (pair[1], pair[0])):
            center = self._outside(other, under) if one == self.cell and reach >= 0 else None
            if center is not None:
                yield Around(center, reach)

    def _meant(self, value: ir.Expr, under: _Tests) -> ir.Expr:
        """Return what a name was given in the round, in place of the name, if it was given nothing else there."""
        while isinstance(value, ir.Local) and value.name in self.given:
            # A name that is asked for under a test has a zero first, for where nothing else is known of it.
            given = self.given[value.name]
            ways = given[1:] if len(given) > 1 and isinstance(given[0][0], ir.Const) else given
            if len(ways) > 1 or ways[0][1] != under[: len(ways[0][1])]:
                break
            value = ways[0][0]
        return value

    def _outside(self, value: ir.Expr, under: _Tests) -> ir.Expr | None:
        """Return a cell as it can be asked for before the loop; None where rounds differ in it.

        The tests that stand before it in a round are not asked first: where they fail no round hits, wherever it is.
        """
        value = self._meant(value, under)
        match value:
            case ir.Const():
                return value
            case ir.Local(name):
                return None if name in self.given or name == self.cell.name else value
            case ir.Claim(inner):
                return self._outside(inner, under)
            case ir.Load(index=index):
                of = self._outside(index, under)
                return (
                    replace(value, index=of) if isinstance(of, ir.Const | ir.Local) and of.low >= 0 else None
                )
            case ir.Select(ir.Op(operator, (left, right)), then, otherwise) if operator in TURNED:
                parts = [self._outside(each, under) for each in (left, right, then, otherwise)]
                known = [each for each in parts if each is not None]
                if len(known) == len(parts):
                    return ir.select(ir.compare(operator, *known[:2]), *known[2:])
        return None
