"""What makes no difference is left out: values that nobody reads, and loops of one round."""

from __future__ import annotations

from collections import Counter

from griddsl.program import ir
from griddsl.program.passes.independent import leaves


def straightened(block: ir.Block) -> ir.Block:
    """Return statements with loops of one round as what this round does."""
    made: ir.Block = []
    for statement in block:
        statement = ir.with_blocks(statement, straightened)
        match statement:
            case ir.For(name, ir.Const(low), ir.Const(high), body) if high == low + 1 and not leaves(body):
                made.extend([ir.Let(name, ir.const(low)), *body])
            case _:
                made.append(statement)
    return made


def without_unread(body: ir.Block) -> ir.Block:
    """Return the body of a function without locals that nothing reads, but for those of which something is claimed."""
    count = -1
    while count != (count := sum(1 for _ in ir.statements(body))):
        reads = Counter(local.name for local in ir.locals_in(body))
        body = _read(body, reads)
    return body


def _read(block: ir.Block, reads: Counter[str]) -> ir.Block:
    return [
        ir.with_blocks(statement, lambda inner: _read(inner, reads))
        for statement in block
        if not isinstance(statement, ir.Let) or reads[statement.name] or _claims(statement.value)
    ]


def _claims(value: ir.Expr) -> bool:
    return any(isinstance(part, ir.Claim) for part in ir.parts(value))
