"""Trying: what a try of ``retry`` does that may find no place, and ends there."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from griddsl.lowering.clauses.context import Context
from griddsl.program import ir
from griddsl.program.passes.independent import unset_reads


def may_fail(block: ir.Block) -> bool:
    """Whether setup may fail in a block: something in it may find no place."""
    return any(isinstance(part, ir.Fail) for part in ir.statements(block))


def tried_once(
    ctx: Context, block: ir.Block, test: ir.Expr, last: ir.Expr, number: int
) -> tuple[ir.Block, ir.Expr]:
    """Return a block that does nothing more where setup would fail in it, and whether it ends and ``test`` holds.

    Setup fails there where this is the ``last`` try; ``number`` is that of the ``retry`` among all. Nothing leaves the
    block before its end, so that parts of it can be functions.
    """
    flag = ctx.writer.scratch(f"FAILED_{number}", 1, 0, 1)
    fits = ir.Local(ctx.names.fresh("fits"), "bool", 0, 1)
    trying = _Trying(flag, last)
    whole: ir.Block = [*block, ir.Let(fits.name, test)]
    ended: ir.Block = [
        ir.Store(flag, ir.const(0), ir.const(0)),
        ir.Let(fits.name, ir.FALSE),
        *trying.block(whole),
    ]
    given = unset_reads([*whole, ir.Let(fits.name, last)], ())
    return [*_set_before(ended, given), *ended], fits


@dataclass(frozen=True, slots=True)
class _Trying:
    """Writes the statements of a try anew; ``flag`` holds 1 once it has failed."""

    flag: ir.Slot
    last: ir.Expr

    def block(self, block: ir.Block) -> ir.Block:
        """Return a block of which nothing more is done behind what fails."""
        made: ir.Block = []
        for part in self._parts(block):
            made.extend(ir.when(self._goes_on, part) if may_fail(made) else part)
        return made

    @property
    def _goes_on(self) -> ir.Expr:
        return ir.eq(ir.load(self.flag), 0)

    def _parts(self, block: ir.Block) -> Iterator[ir.Block]:
        """Yield what may fail with all that follows up to the next that may: it is done or left out together."""
        places = [place for place, statement in enumerate(block) if may_fail([statement])]
        starts = [_start(block, place) for place in places]
        ends = [*starts, len(block)]
        yield block[: ends[0]]
        for start, place, end in zip(starts, places, ends[1:], strict=True):
            yield [*block[start:place], *self._ended(block[place], block[place + 1 : end])]

    def _ended(self, statement: ir.Stmt, rest: ir.Block) -> ir.Block:
        match statement:
            case ir.Fail():
                return [ir.If(self.last, [statement], []), ir.Store(self.flag, ir.const(0), ir.const(1))]
            case ir.If(test, [*_, ir.Fail()] as then, []):
                return [ir.If(test, self.block(then), rest)]
            case ir.If(test, then, [*_, ir.Fail()] as otherwise) if not may_fail(then):
                return [ir.If(test, [*then, *rest], self.block(otherwise))]
            case ir.For():
                made = ir.with_blocks(statement, lambda body: ir.when(self._goes_on, self.block(body)))
            case ir.While(test, body):
                made = ir.While(ir.both(self._goes_on, test), self.block(body))
            case _:
                made = ir.with_blocks(statement, self.block)
        return [made, *ir.when(self._goes_on, rest)]


def _start(block: ir.Block, place: int) -> int:
    """Return where a part begins that may fail: a ``retry`` in it with the state that is kept for it."""
    kept = [at for at in range(place) if isinstance(block[at], ir.Keep)]
    return kept[-1] if isinstance(block[place], ir.While) and kept else place


def _set_before(block: ir.Block, known: set[str]) -> ir.Block:
    """Return what sets the locals that a block may now read before it sets them; what they are set to is not used."""
    wanted = unset_reads(block, ()) - known
    found = {local.name: local for local in ir.locals_in(block) if local.name in wanted}
    for local in ir.locals_in(block):
        if local.name in wanted:
            found[local.name] = ir.hull(local.name, (found[local.name], local))
    return [ir.Let(name, _some_value(local)) for name, local in sorted(found.items())]


def _some_value(local: ir.Local) -> ir.Expr:
    if local.type == "bool":
        return ir.FALSE
    value = next((bound for bound in (local.low, local.high) if not math.isinf(bound)), 0)
    return ir.real(ir.const(value)) if local.type == "real" else ir.const(value)
