"""Painted: planes of what the cells are, for compilers, which write them without branches, and few planes at once.

A plane is written where a cell is of a kind, into a picture that was blank. No processor can foresee which cells of a
changing map are, and each that it takes for another costs more than all the writing; and what writes only every fourth
byte writes one at a time. Where all planes of a cell are written, zeros too, many cells are written at once.

And what things are in planes, which each kind of them has a loop for, is written in one loop over all things.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from griddsl.program import ir
from griddsl.program.passes.normal import renamed
from griddsl.program.printer import is_whole

MOST_AT_ONCE = 4  # planes: of more, compilers write one byte at a time again

Planes = dict[int, ir.Expr]
_ZERO = ir.const(0)


def painted(functions: Mapping[str, ir.Function]) -> dict[str, ir.Function]:
    """Return functions that do the same, with planes as compilers write them fast."""
    return {
        name: replace(function, body=_painted(function.body)) if function.writes_out else function
        for name, function in functions.items()
    }


def shown_together(functions: Mapping[str, ir.Function]) -> dict[str, ir.Function]:
    """Return functions that do the same, where neighbouring loops that show things in planes are one."""
    return {
        name: replace(function, body=_together(function.body)) if function.writes_out else function
        for name, function in functions.items()
    }


def _together(block: ir.Block) -> ir.Block:
    made: ir.Block = []
    first: tuple[int, ir.Expr, ir.Expr] | None = None  # where the loop is, what it writes, and where it ends
    lets: dict[str, ir.Expr] = {}
    since = set[str]()  # what was set behind that loop, which knows nothing of it
    for statement in block:
        shown = _shown(statement)
        if isinstance(statement, ir.For) and shown is not None:
            end = lets.get(getattr(statement.high, "name", ""), statement.high)
            loop = made[first[0]] if first is not None and first[1:] == (shown, end) else None
            if first is not None and isinstance(loop, ir.For) and not ir.locals_read(statement.body) & since:
                body = renamed(statement.body, {statement.name: loop.name})
                made[first[0]] = replace(loop, body=[*loop.body, *body])
                continue
            first, since = (len(made), shown, end), set[str]()
        elif isinstance(statement, ir.Let):
            lets[statement.name] = statement.value
            since.add(statement.name)
        elif not isinstance(statement, ir.Note):
            first, lets = None, {}
        made.append(statement)
    return made


def _shown(statement: ir.Stmt) -> ir.Expr | None:
    """Return what a loop over things writes into planes, if it is the same everywhere and the loop does nothing else.

    Which of two such loops writes first, nobody can see then.
    """
    if not isinstance(statement, ir.For) or statement.low != _ZERO:
        return None
    written: set[ir.Expr] = set()
    for each in ir.statements(statement.body):
        if isinstance(each, ir.Out):
            if plane_of(each.index, statement.name) is not None:
                return None  # it goes through cells
            written.add(each.value)
        elif not isinstance(each, ir.If | ir.Let | ir.Note):
            return None
        if any(isinstance(part, ir.Call) for value in ir.values_of(each) for part in ir.parts(value)):
            return None  # it may note what it finds
    value = written.pop() if len(written) == 1 else None
    return value if isinstance(value, ir.Const) else None


def plane_of(index: ir.Expr, name: str) -> tuple[int, int] | None:
    """Return how many planes there are, and which of them an entry is in, by where a cell's is."""
    match index:
        case ir.Local(own) if own == name:
            return 1, 0
        case ir.Op("*", (ir.Local(own), ir.Const(depth))) if own == name:
            return int(depth), 0
        case ir.Op("+", (ir.Op("*", (ir.Local(own), ir.Const(depth))), ir.Const(plane))) if own == name:
            return (int(depth), int(plane)) if 0 <= plane < depth else None
    return None


def _painted(block: ir.Block) -> ir.Block:
    made: ir.Block = []
    count, shown = 0, set[int]()  # the entries that were blank, and the planes that are no longer
    for statement in block:
        planes = _planes(statement, count) if count and isinstance(statement, ir.For) else None
        if isinstance(statement, ir.For) and planes is not None and shown.isdisjoint(planes):
            depth = count // int(statement.high.high)
            shown |= planes.keys()
            if isinstance(made[-1], ir.Blank) and depth <= MOST_AT_ONCE:
                made.pop()
                planes = dict.fromkeys(range(depth), _ZERO) | planes
            made.append(_written(statement, depth, planes))
            continue
        count, shown = 0, set()
        match statement:
            case ir.Blank(ir.Const(entries), ir.Const(0)):
                count = int(entries)
        made.append(statement)
    return made


def _planes(loop: ir.For, count: int) -> Planes | None:
    """Return what a loop over all cells writes in each plane, zeros left as they are; None where it does more."""
    if loop.low != _ZERO or not isinstance(loop.high, ir.Const) or count % loop.high.value:
        return None
    depth = count // int(loop.high.value)

    def written(block: ir.Block, planes: Planes, is_first: bool) -> Planes | None:
        planes = dict(planes)
        for statement in block:
            match statement:
                case ir.Note():
                    pass
                case ir.Let(_, value) if is_first and is_whole(value) and not planes:
                    pass
                case ir.Out(index, ir.Const(int(), "int") as value) if (
                    place := plane_of(index, loop.name)
                ) is not None and place[0] == depth:
                    planes[place[1]] = value
                case ir.If(test, then, otherwise) if is_whole(test):
                    one, other = written(then, planes, False), written(otherwise, planes, False)
                    if one is None or other is None:
                        return None
                    planes = {
                        plane: ir.select(test, one.get(plane, _ZERO), other.get(plane, _ZERO))
                        for plane in one | other
                    }
                case _:
                    return None
        return planes

    return written(loop.body, {}, True) or None


def _written(loop: ir.For, depth: int, planes: Planes) -> ir.For:
    """Return a loop that writes to planes whatever a cell is."""
    own = ir.Local(loop.name, "int", 0, int(loop.high.high) - 1)
    first = [each for each in loop.body if isinstance(each, ir.Let)]
    return replace(
        loop,
        body=[
            *first,
            *(
                ir.Out(ir.add(ir.mul(own, ir.const(depth)), ir.const(plane)), value)
                for plane, value in sorted(planes.items())
            ),
        ],
    )
