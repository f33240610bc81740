"""Forms: loops that all backends write out, and for which Python has something quicker."""

from __future__ import annotations

from dataclasses import dataclass

from griddsl.program import ir
from griddsl.program.passes.effects import EVERYTHING, Known, of_value


def asks_any(loop: ir.For) -> tuple[ir.Slot, int, ir.Stmt] | None:
    """Return a slot, the number that a loop looks for in it, and what it does where it has found it, and ends."""
    match loop.low, loop.body:
        case ir.Const(0), [
            ir.If(
                ir.Op("==", (ir.Load(ir.Slot(type="int")) as load, ir.Const(number, "int"))),
                [ir.Let(_, ir.Const()) as then, ir.Break()],
                [],
            )
        ] if getattr(ir.bare(load.index), "name", "") == loop.name:
            return load.slot, int(number), then
    return None


def fills(loop: ir.For, known: Known) -> ir.Store | None:
    """Return what a loop stores in each of the first entries of a slot, where it does nothing else."""
    match loop:
        case ir.For(name, ir.Const(0), _, [ir.Store(slot, ir.Local(own)) as store]) if own == name:
            effects = of_value(store.value, known)
            is_free = (
                not effects.writes and slot.name not in effects.reads and EVERYTHING not in effects.reads
            )
            return store if is_free and slot.type == "int" else None
    return None


@dataclass(frozen=True, slots=True)
class Copies:
    """A loop that copies a slot to another one, but for those that are a ``number``: they become a ``value``."""

    source: ir.Slot
    target: ir.Slot
    number: int
    value: ir.Expr


def copies_most(loop: ir.For, known: Known) -> Copies | None:
    """Return what a loop copies, where all that it reads is what was there before, in bytes."""
    match loop.low, loop.body:
        case ir.Const(0), [
            ir.Let(local, ir.Load(ir.Slot(type="int") as source, ir.Local(own))),
            ir.Store(
                ir.Slot(type="int") as target,
                ir.Local(to),
                ir.Select(ir.Op("==", (ir.Local(asked), ir.Const(number))), value, ir.Local(kept)),
            ),
        ] if own == to == loop.name and local == asked == kept and source.name != target.name:
            effects = of_value(value, known)
            is_byte = not source.unset and source.low >= 0 and source.high < 256
            is_free = not effects.writes and target.name not in effects.reads
            if is_byte and is_free and EVERYTHING not in effects.reads and not ir.reads_local(value, local):
                return Copies(source, target, int(number), value)
    return None


@dataclass(frozen=True, slots=True)
class Down:
    """A loop down a column of a table: a ``local`` is each of its values; only those that ``is_known``, 0 and more."""

    table: ir.Table
    width: int
    column: ir.Local
    local: str
    body: ir.Block
    is_known: bool


def goes_down(loop: ir.For) -> Down | None:
    """Return what a loop looks up first in each round, where that is a column of a table, and no other round counts."""
    match loop:
        case ir.For(
            name,
            ir.Const(0),
            ir.Const(count),
            [
                ir.Let(
                    local,
                    ir.Lookup(
                        table,
                        ir.Op("+", (ir.Op("*", (ir.Local(row), ir.Const(width))), ir.Local() as column)),
                    ),
                ),
                *rest,
            ],
        ) if row == name and len(table.values) == count * width and 0 <= column.low <= column.high < width:
            sets = {each for statement in ir.statements(rest) for each in ir.sets(statement)}
            if name in ir.locals_read(rest) or sets & {name, local, column.name}:
                return None
            match rest:
                case [ir.If(ir.Op("and", (first, *others)), then, [])] if _is_not_negative(first, local):
                    known = [ir.If(ir.both(*others), then, [])]
                    return Down(table, int(width), column, local, list(known), True)
            return Down(table, int(width), column, local, rest, False)
    return None


def _is_not_negative(test: ir.Expr, local: str) -> bool:
    match test:
        case ir.Op(">=", (ir.Local(name), ir.Const(0))):
            return name == local
    return False
