"""Loops as a machine runs them that does one thing after the other: each `Reduce` and `ForEach` written out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from griddsl.program import ir
from griddsl.program.passes.boxes import narrowed
from griddsl.program.passes.effects import Known


def in_loops(functions: Mapping[str, ir.Function], width: int, height: int) -> dict[str, ir.Function]:
    """Return functions that do all in loops: one round after the other, over as few cells as conditions leave."""
    made = {name: replace(function, body=written_out(function.body)) for name, function in functions.items()}
    known = Known(made)
    for function in made.values():
        function.body[:] = narrowed(function, known, width, height)
    return made


def written_out(block: ir.Block) -> ir.Block:
    """Return statements whose loops are all `For` and `While`."""
    made: ir.Block = []
    for statement in block:
        match statement:
            case ir.Reduce():
                loop = loop_of(statement)
                made.append(replace(loop, body=written_out(loop.body)))
            case ir.ForEach(name, low, high, body):
                made.append(ir.For(name, low, high, written_out(body)))
            case _:
                made.append(ir.with_blocks(statement, written_out))
    return made


def loop_of(reduce: ir.Reduce) -> ir.For:
    """Return the loop that a `Reduce` stands for."""
    return ir.For(reduce.name, reduce.low, reduce.high, _with_hits(reduce.body, reduce))


def _with_hits(block: ir.Block, reduce: ir.Reduce) -> ir.Block:
    """Return the body of a `Reduce` that does itself what its hits stand for."""
    made: ir.Block = []
    for statement in block:
        match statement:
            case ir.Hit(value):
                made.extend(_done(reduce, value))
            case ir.If(test, then, otherwise):
                made.append(ir.If(test, _with_hits(then, reduce), _with_hits(otherwise, reduce)))
            case _:
                made.append(statement)
    return made


def _done(reduce: ir.Reduce, value: ir.Expr) -> ir.Block:
    """Return what a hit does."""
    result = reduce.result
    match reduce.how:
        case "any" | "all":
            return [ir.Let(result.name, ir.const(reduce.how == "any")), ir.Break()]
        case "first":
            return [ir.Let(result.name, value), ir.Break()]
        case "last":
            return [ir.Let(result.name, value)]
        case "count":
            return [_added(result, ir.const(1))]
        case "sum":
            return [_added(result, value)]
        case "collect":
            assert reduce.slot is not None
            return [ir.Store(reduce.slot, result, value), _added(result, ir.const(1))]


def _added(result: ir.Local, value: ir.Expr) -> ir.Let:
    return ir.Let(result.name, ir.Op("+", (result, value), result.type, result.low, result.high))
