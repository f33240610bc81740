"""The shape of a program: where effects, hits and leaps may stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from griddsl.program import ir
from griddsl.program.passes.effects import Known, acts, of_block
from griddsl.program.passes.independent import Reads, dependences, leaves
from griddsl.program.printer import print_expression


def misshapen(functions: Mapping[str, ir.Function]) -> Iterator[tuple[str, str, str]]:
    """Yield what stands where it may not: the function, the kind of fault, and what it is."""
    known = Known(functions)
    for function in functions.values():
        reads = Reads(function)
        for statement in ir.statements(function.body):
            for kind, message in _of_statement(statement, reads, known):
                yield function.name, kind, message
        for message in _hits(function.body, is_round=False):
            yield function.name, "hit", message


def _of_statement(statement: ir.Stmt, reads: Reads, known: Known) -> Iterator[tuple[str, str]]:
    for value in ir.values_of(statement):
        inner = ir.inner(value) if isinstance(statement, ir.Bind | ir.Do) else (value,)
        for part in inner:
            if acts(part, known):
                yield "effect", f"{print_expression(part)} has effects and no statement of its own"
    match statement:
        case ir.Reduce(body=body):
            if of_block(body, known).writes:
                yield "effect", "the rounds of a reduction have effects"
            if leaves(body) or any(isinstance(part, ir.Return) for part in ir.statements(body)):
                yield "hit", "a round leaves a reduction"
            if (statement.slot is not None) != (statement.how == "collect"):
                yield "hit", f"`{statement.how}` and a slot"
        case ir.ForEach():
            for reason in dependences(statement, reads, known):
                yield "independence", reason


def _hits(block: ir.Block, is_round: bool) -> Iterator[str]:
    """Yield hits that are not the last that a round of a reduction does."""
    for place, statement in enumerate(block):
        is_last = is_round and place == len(block) - 1
        match statement:
            case ir.Hit() if not is_last:
                yield "a hit is not the last of a round"
            case ir.If(_, then, otherwise):
                yield from _hits(then, is_last)
                yield from _hits(otherwise, is_last)
            case ir.Reduce(body=body):
                yield from _hits(body, is_round=True)
            case ir.For(body=body) | ir.ForEach(body=body) | ir.While(body=body):
                yield from _hits(body, is_round=False)
