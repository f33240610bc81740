"""What must hold for a round of a loop to do anything."""

from __future__ import annotations

from collections.abc import Iterator

from griddsl.program import ir
from griddsl.program.passes.effects import Known, of_value


def conditions(block: ir.Block, known: Known) -> Iterator[ir.Expr]:
    """Yield what must hold for a block to do anything but set locals, as far as nothing is drawn before."""
    *first, last = block or [ir.Break()]
    if not isinstance(last, ir.If) or last.otherwise:
        return
    if any(not isinstance(made, ir.Let) or of_value(made.value, known).writes for made in first):
        return
    for test in ir.tests_of(last):
        if of_value(test, known).writes:
            return
        yield test
    yield from conditions(last.then, known)


def stripped(block: ir.Block, settled: list[ir.Expr]) -> ir.Block:
    """Return the body of a loop without the tests that its range settles."""
    if not settled or not block or not isinstance(block[-1], ir.If):
        return block
    last = block[-1]
    left = [test for test in ir.tests_of(last) if not any(test is known for known in settled)]
    return [*block[:-1], *ir.when(ir.both(*left), stripped(last.then, settled), last.otherwise)]
