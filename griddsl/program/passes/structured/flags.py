"""No `Break`, and one `Return` a function, at its end: what leaves early clears a flag instead.

A flag is set as long as the function, or the loop, goes on: what is known of that way follows from it, which a proof
of ranges makes use of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from griddsl.program import ir
from griddsl.program.passes.independent import unset_reads


def without_leaps(functions: Mapping[str, ir.Function]) -> dict[str, ir.Function]:
    """Return functions that do the same, and leave nothing before its end."""
    return {name: _in_order(function) for name, function in functions.items()}


def _in_order(function: ir.Function) -> ir.Function:
    names = ir.names_in(function)
    results = [replace(result, name=names.fresh("result")) for result in function.results]
    made = _Structuring(names, results, names.fresh("going"))
    body = made.block(function.body, "")
    if results:
        body.append(ir.Return(tuple(results)))
    body = _without_unread(body, {*made.flags, made.going})
    given = [parameter.name for parameter in function.parameters]
    unset = sorted(unset_reads(body, given))
    return replace(
        function,
        body=[
            *(ir.Let(name, ir.TRUE if name == made.going else _default(name, body)) for name in unset),
            *body,
        ],
    )


@dataclass(slots=True)
class _Structuring:
    """Writes statements anew; ``going`` is the flag that the function is not at its end, ``flags`` those of loops."""

    names: ir.Names
    results: Sequence[ir.Local]
    going: str
    flags: list[str] = field(default_factory=list)

    def block(self, block: Sequence[ir.Stmt], inside: str) -> ir.Block:
        """Return what a block does; ``inside`` is the flag that says that the loop around it goes on."""
        made: ir.Block = []
        for place, statement in enumerate(block):
            rest = block[place + 1 :]
            match statement:
                case ir.Return(values):
                    made.extend(
                        ir.Let(result.name, value) for result, value in zip(self.results, values, strict=True)
                    )
                    return [*made, ir.Let(self.going, ir.FALSE)]
                case ir.Break():
                    return [*made, ir.Let(inside, ir.FALSE)]
                case ir.Fail():
                    return [*made, statement]
                case ir.If(test, then, otherwise) if _ends(then):
                    return [
                        *made,
                        ir.If(test, self.block(then, inside), self.block([*otherwise, *rest], inside)),
                    ]
                case ir.If(test, then, otherwise) if _ends(otherwise):
                    return [
                        *made,
                        ir.If(test, self.block([*then, *rest], inside), self.block(otherwise, inside)),
                    ]
                case ir.If(test, then, otherwise):
                    made.append(ir.If(test, self.block(then, inside), self.block(otherwise, inside)))
                case ir.For() | ir.While():
                    made.extend(self._loop(statement))
                case ir.ForEach() | ir.Reduce():
                    made.append(replace(statement, body=self.block(statement.body, "")))
                case _:
                    made.append(statement)
            stops = [
                flag for flag, kind in ((inside, ir.Break), (self.going, ir.Return)) if _has(statement, kind)
            ]
            if stops and rest:
                return [*made, *ir.when(_all_of(stops), self.block(rest, inside))]
        return made

    def _loop(self, loop: ir.For | ir.While) -> ir.Block:
        """Return a loop whose rounds do nothing once it is left."""
        breaks = any(_has(statement, ir.Break) for statement in loop.body)
        inside = self.names.fresh("inside") if breaks else ""
        before: ir.Block = [ir.Let(inside, ir.TRUE)] if breaks else []
        stops = [inside] if breaks else []
        if any(_has(statement, ir.Return) for statement in loop.body):
            stops.append(self.going)
        self.flags.extend(stops)
        body = self.block(loop.body, inside)
        if isinstance(loop, ir.While):
            return [*before, ir.While(ir.both(_all_of(stops), loop.test), body)]
        return [*before, replace(loop, body=ir.when(_all_of(stops), body))]


def _all_of(flags: Sequence[str]) -> ir.Expr:
    return ir.both(*(ir.Local(flag, "bool", 0, 1) for flag in flags))


def _ends(block: ir.Block) -> bool:
    """Whether nothing after a block is done: whatever happens, it leaves the loop or the function."""
    return any(
        isinstance(statement, ir.Return | ir.Break | ir.Fail)
        or (isinstance(statement, ir.If) and _ends(statement.then) and _ends(statement.otherwise))
        for statement in block
    )


def _has(statement: ir.Stmt, kind: type[ir.Break | ir.Return]) -> bool:
    """Whether a statement may leave the loop around it, or the function."""
    match statement:
        case ir.If(_, then, otherwise):
            return any(_has(part, kind) for part in (*then, *otherwise))
        case ir.For(body=body) | ir.While(body=body):
            return kind is ir.Return and any(_has(part, kind) for part in body)
    return isinstance(statement, kind)


def _without_unread(block: ir.Block, flags: set[str]) -> ir.Block:
    """Return a block without the flags that nobody asks for."""
    unread = flags - ir.locals_read(block)

    def kept(block: ir.Block) -> ir.Block:
        made: ir.Block = []
        for statement in block:
            match statement:
                case ir.Let(name) if name in unread:
                    continue
                case ir.If(test, then, otherwise):
                    made.extend(ir.when(test, kept(then), kept(otherwise)))
                case ir.For() | ir.ForEach() | ir.Reduce() | ir.While():
                    made.append(replace(statement, body=kept(statement.body)))
                case _:
                    made.append(statement)
        return made

    return kept(block)


def _default(name: str, block: ir.Block) -> ir.Const:
    """Return a value that a local has until it is set, which nobody looks at: one of its type, in its range."""
    found = [
        part
        for statement in ir.statements(block)
        for value in ir.values_of(statement)
        for part in ir.parts(value)
        if isinstance(part, ir.Local) and part.name == name
    ]
    type = found[0].type
    if type == "bool":
        return ir.FALSE
    low, high = max(local.low for local in found), min(local.high for local in found)
    return ir.Const(0.0, "real") if type == "real" else ir.const(int(min(max(0, low), high)))
