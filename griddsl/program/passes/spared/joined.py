"""Loops that go through the same and show something of each are one loop, which asks each thing once.

A picture of many layers is written layer by layer, each by a loop over all things. Where all that they write is one
number into places that were blank, no order of writing makes a difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from griddsl.program import ir
from griddsl.program.passes.effects import OUT, Known, of_block
from griddsl.program.passes.independent import leaves
from griddsl.program.passes.normal import of_parts


def joined_loops(function: ir.Function, known: Known) -> ir.Block | None:
    """Return the body of a function with such loops as one; None where there are none."""
    joining = _Joining(known, ir.names_in(function))
    made = joining.block(function.body)
    return made if joining.counted else None


@dataclass(slots=True)
class _Joining:
    known: Known
    names: ir.Names
    counted: int = 0

    def block(self, block: ir.Block) -> ir.Block:
        """Return a block in which loops that may be are one."""
        made: ir.Block = []
        run: list[ir.For] = []
        for statement in block:
            if isinstance(statement, ir.For) and self._shows(statement):
                if run and not _are_alike(run[0], statement):
                    made.extend(self._one(run))
                    run = []
                run.append(statement)
                continue
            made.extend(self._one(run))
            run = []
            made.append(ir.with_blocks(statement, self.block))
        return [*made, *self._one(run)]

    def _shows(self, loop: ir.For) -> bool:
        """Whether all that a loop does is to write one number to what is observed."""
        effects = of_block(loop.body, self.known)
        return effects.writes == {OUT} and not leaves(loop.body) and _written(loop) is not None

    def _one(self, run: list[ir.For]) -> ir.Block:
        if len(run) < 2:
            return list(run)
        self.counted += 1
        first = run[0]
        body: ir.Block = list(first.body)
        for loop in run[1:]:
            body.extend(_called(loop.body, loop.name, first.name))
        ways = [_way(each) for each in body if isinstance(each, ir.If) and not each.otherwise]
        sets = of_block(body, self.known).sets
        if len(ways) < len(body) or any(
            sets & ir.locals_read([ir.Let("", test)]) for way in ways for test in way.tests
        ):
            return [replace(first, body=body)]
        return [replace(first, body=self._parted(ways, first.name))]

    def _parted(self, ways: Sequence[_Way], name: str) -> ir.Block:
        """Return what asks what all ways ask first, and then goes the ways that are left, those of one test at once."""
        shared = [
            test
            for test in ways[0].tests
            if _asks_of(test, name) and all(test in way.tests for way in ways[1:])
        ]
        left = [_Way([test for test in way.tests if test not in shared], way.then) for way in ways]
        made: ir.Block = [statement for way in left if not way.tests for statement in way.then]
        by_test: dict[ir.Expr, list[_Way]] = {}
        for way in left:
            if way.tests:
                by_test.setdefault(way.tests[0], []).append(_Way(way.tests[1:], way.then))
        made.extend(self._one_of([(test, self._parted(group, name)) for test, group in by_test.items()]))
        if len(ways) == 1:
            return ir.when(ir.both(*shared), made)
        asked = (part for test in shared for part in ir.inner(test))
        loads = dict.fromkeys(part for part in asked if isinstance(part, ir.Load))
        kept: dict[ir.Expr, ir.Local] = {value: self._local(value) for value in loads}
        tests = [of_parts(test, tuple(kept.get(part, part) for part in ir.inner(test))) for test in shared]
        first: ir.Block = [ir.Let(local.name, value) for value, local in kept.items()]
        return [*first, *ir.when(ir.both(*tests), made)]

    def _local(self, value: ir.Expr) -> ir.Local:
        return ir.Local(self.names.fresh("asked"), value.type, value.low, value.high)

    def _one_of(self, ways: list[tuple[ir.Expr, ir.Block]]) -> ir.Block:
        """Return what goes some ways, of which only one is open where all compare one value to numbers."""
        asked = [_compared(test) for test, _ in ways]
        values = {value for value, _ in filter(None, asked)}
        if len(ways) < 2 or None in asked or len(values) > 1:
            return [ir.If(test, then, []) for test, then in ways]
        (value,) = values
        kept = self._local(value)
        otherwise: ir.Block = []
        for test, then in reversed(ways):
            otherwise = [ir.If(of_parts(test, (kept, ir.inner(test)[1])), then, otherwise)]
        return [ir.Let(kept.name, value), *otherwise]


@dataclass(frozen=True, slots=True)
class _Way:
    """What is done where some tests hold."""

    tests: Sequence[ir.Expr]
    then: ir.Block


def _way(statement: ir.If) -> _Way:
    """Return what a condition does, with all that it asks before it does anything."""
    tests, then = [*_tests(statement.test)], statement.then
    while len(then) == 1 and isinstance(then[0], ir.If) and not then[0].otherwise:
        tests += _tests(then[0].test)
        then = then[0].then
    return _Way(tests, then)


_Compared: TypeAlias = "tuple[ir.Expr, ir.Const] | None"


def _compared(test: ir.Expr) -> _Compared:
    match test:
        case ir.Op("==", (value, ir.Const(_, "int") as number)) if value.type == "int":
            return value, number
    return None


def _asks_of(test: ir.Expr, name: str) -> bool:
    """Whether a test looks at nothing but entries of a round's own number, which are there whatever else holds."""
    looked = (part for part in ir.parts(test) if isinstance(part, ir.Load | ir.Lookup | ir.Call))
    return all(isinstance(part, ir.Load) and getattr(part.index, "name", "") == name for part in looked)


def _tests(test: ir.Expr) -> Sequence[ir.Expr]:
    return test.values if isinstance(test, ir.Op) and test.operator == "and" else (test,)


def _written(loop: ir.For) -> ir.Const | None:
    """Return the one number that a loop writes to what is observed; None where it is not one."""
    if any(isinstance(each, ir.Blank) for each in ir.statements(loop.body)):
        return None
    values = {each.value for each in ir.statements(loop.body) if isinstance(each, ir.Out)}
    match [*values]:
        case [ir.Const() as number]:
            return number
    return None


def _are_alike(one: ir.For, other: ir.For) -> bool:
    """Whether two loops go through the same, write the same, and hand nothing on from one to the other."""
    apart = not (_sets(one) & ir.locals_read(other.body) or _sets(other) & ir.locals_read(one.body))
    same = (one.low, one.high) == (other.low, other.high) and _written(one) == _written(other)
    return apart and same


def _sets(loop: ir.For) -> set[str]:
    return {loop.name, *(name for each in ir.statements(loop.body) for name in ir.sets(each))} - {""}


def _called(block: ir.Block, name: str, other: str) -> ir.Block:
    """Return a block in which a local has another name."""

    def value(given: ir.Expr) -> ir.Expr:
        if isinstance(given, ir.Local):
            return replace(given, name=other) if given.name == name else given
        inner = ir.inner(given)
        return of_parts(given, tuple(value(part) for part in inner)) if inner else given

    return [
        ir.with_values(ir.with_blocks(statement, lambda inner: _called(inner, name, other)), value)
        for statement in block
    ]
