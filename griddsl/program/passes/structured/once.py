"""Loops that go on for one round at most are conditions.

Whoever is sent goes as long as somebody was sent on by what that set off. Where nothing sends on, the round takes back
what let it begin, and a machine that does much at a time need not ask again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from griddsl.program import ir
from griddsl.program.passes.effects import EVERYTHING, Known, of_block


def run_once(functions: Mapping[str, ir.Function]) -> dict[str, ir.Function]:
    """Return functions in the structured form that do the same, without such loops."""
    known = Known(functions)
    return {
        name: replace(function, body=_block(function.body, known)) for name, function in functions.items()
    }


def _block(block: ir.Block, known: Known) -> ir.Block:
    return [_statement(statement, known) for statement in block]


def _statement(statement: ir.Stmt, known: Known) -> ir.Stmt:
    statement = ir.with_blocks(statement, lambda inner: _block(inner, known))
    match statement:
        case ir.While(test, body):
            match body:
                case [ir.If(asked, inner, [])] if asked == test:
                    body = inner
            if any(_ends(part, body, known) for part in _parts(test)):
                return ir.If(test, body, [])
            return ir.While(test, body)
    return statement


def _parts(test: ir.Expr) -> tuple[ir.Expr, ...]:
    """Return what has to hold for a test to hold."""
    match test:
        case ir.Op("and", values):
            return values
    return (test,)


def _ends(test: ir.Expr, body: ir.Block, known: Known) -> bool:
    """Whether a test of a slot of one entry never holds behind a body."""
    match test:
        case ir.Op(sign, (ir.Load(slot), ir.Const(limit))) if sign in ir.COMPARED and slot.length == 1:
            pass
        case _:
            return False
    for place in reversed(range(len(body))):
        match body[place]:
            case ir.Store(stored, _, ir.Const(value)) if stored == slot:
                return not ir.COMPARED[sign](value, limit)
        if {slot.name, EVERYTHING} & of_block([body[place]], known).writes:
            return False
    return False
