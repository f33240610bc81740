"""The normal form: values have no effects. What draws, asks a plug-in or calls what writes has a statement of its own.

The order of all that is done stays what it is, draw by draw: where a value stands behind ``and``, ``or`` or in a branch
of a `Select`, what it does becomes an `If`. A `Reduce` whose rounds have effects becomes the loop that it stands for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from griddsl.program import ir
from griddsl.program.passes.effects import EVERYTHING, Known, acts, of_block, of_value
from griddsl.program.passes.loops import loop_of

S = TypeVar("S", bound="ir.Draw | ir.Ask | ir.Call")
TAKEN = ("s", "f", "r", "out", "k")  # what nobody calls a local


def normalize(functions: Mapping[str, ir.Function], known: Known) -> None:
    """Bring all functions of a program into the normal form, in place."""
    for function in functions.values():
        names = ir.names_in(function)
        names.taken.update(TAKEN)
        function.body[:] = _Normal(known, names).block(function.body)


@dataclass(frozen=True, slots=True)
class _Normal:
    known: Known
    names: ir.Names

    def block(self, block: ir.Block) -> ir.Block:
        made: ir.Block = []
        for statement in block:
            made.extend(self._statement(statement))
        return made

    def _statement(self, statement: ir.Stmt) -> ir.Block:
        """Return what does the same as a statement: what its values do, and then the statement."""
        before: ir.Block = []
        match statement:
            case ir.If(test, then, otherwise):
                return self._if(test, then, otherwise)
            case ir.While(test, body):
                if not self._acts(test):
                    return [ir.While(test, self.block(body))]
                leave = ir.If(ir.invert(self._value(test, before)), [ir.Break()], [])
                return [ir.While(ir.TRUE, [*before, leave, *self.block(body)])]
            case ir.Reduce(body=body) if of_block(body, self.known).writes:
                return self._statement(loop_of(statement))
            case ir.For() | ir.Reduce():
                low, high = self._values((statement.low, statement.high), before)
                return [*before, replace(statement, low=low, high=high, body=self.block(statement.body))]
        done = self._plain(statement, before)
        return [*before, done]

    def _plain(self, statement: ir.Stmt, before: ir.Block) -> ir.Stmt:
        match statement:
            case ir.Let(name, value) if not ir.reads_local(value, name):
                return self._set(ir.Local(name, value.type, value.low, value.high), value, before)
            case ir.Let() | ir.Fill() | ir.Hit():
                return replace(statement, value=self._value(statement.value, before))
            case ir.Do(call):
                return ir.Do(self._source(call, before))
            case ir.Store() | ir.Out():
                value, index = self._values((statement.value, statement.index), before)
                return replace(statement, index=index, value=value)
            case ir.Return() | ir.Generate():
                return replace(statement, values=self._values(statement.values, before))
            case ir.Copy():
                return replace(statement, start=self._value(statement.start, before))
            case ir.Blank():
                count, value = self._values((statement.count, statement.value), before)
                return ir.Blank(count, value)
        return statement

    def _acts(self, value: ir.Expr) -> bool:
        return acts(value, self.known)

    def _if(self, test: ir.Expr, then: ir.Block, otherwise: ir.Block) -> ir.Block:
        if not self._acts(test):
            return [ir.If(test, self.block(then), self.block(otherwise))]
        before: ir.Block = []
        if isinstance(test, ir.Op) and test.operator == "and" and not otherwise:
            count = self._pure(test.values)
            held = self._value(test.values[count], before)
            before.extend(self._if(ir.both(held, *test.values[count + 1 :]), then, []))
            return ir.when(ir.both(*test.values[:count]), before)
        held = self._value(test, before)
        return [*before, ir.If(held, self.block(then), self.block(otherwise))]

    def _pure(self, values: Sequence[ir.Expr]) -> int:
        """Return how many values come before the first that has effects."""
        return next((place for place, value in enumerate(values) if self._acts(value)), len(values))

    # Values: what they do is appended to ``before``

    def _value(self, value: ir.Expr, before: ir.Block) -> ir.Expr:
        if not self._acts(value):
            return value
        match value:
            case ir.Draw() | ir.Ask() | ir.Call():
                source = self._source(value, before)
                if not self._acts(source):
                    return source
                result = ir.Local(self.names.fresh(_STEMS[type(value)]), value.type, value.low, value.high)
                before.append(ir.Bind(result.name, source))
                return result
            case ir.Op("and" | "or") | ir.Select():
                stem = "chosen" if isinstance(value, ir.Select) else "holds"
                result = ir.Local(self.names.fresh(stem), value.type, value.low, value.high)
                before.append(self._set(result, value, before))
                return result
        return of_parts(value, self._values(ir.inner(value), before))

    def _set(self, result: ir.Local, value: ir.Expr, before: ir.Block) -> ir.Stmt:
        """Return what sets a local to a value, after all that this does before."""
        if self._acts(value):
            match value:
                case ir.Draw() | ir.Ask() | ir.Call():
                    return ir.Bind(result.name, self._source(value, before))
                case ir.Op("and" | "or" as operator, values):
                    *first, last = self._one_by_one(result, values, operator)
                    before.extend(first)
                    return last
                case ir.Select(test, then, otherwise):
                    test = self._value(test, before)
                    ways: list[ir.Block] = [[], []]
                    for way, found in zip(ways, (then, otherwise), strict=True):
                        way.append(self._set(result, found, way))
                    return ir.If(test, *ways)
        return ir.Let(result.name, self._value(value, before))

    def _source(self, source: S, before: ir.Block) -> S:
        """Return a draw, a question or a call of values without effects."""
        return replace(source, values=self._values(source.values, before))

    def _values(self, values: Sequence[ir.Expr], before: ir.Block) -> tuple[ir.Expr, ...]:
        """Return values that are found one after the other: what a later one writes to, an earlier one keeps."""
        found: list[ir.Expr] = []
        for value in values:
            written = of_value(value, self.known).writes if self._acts(value) else set()
            for place, earlier in enumerate(found if written else ()):
                if EVERYTHING in written or of_value(earlier, self.known).reads & written:
                    kept = self.names.fresh("kept")
                    before.append(ir.Let(kept, earlier))
                    found[place] = ir.Local(kept, earlier.type, earlier.low, earlier.high)
            found.append(self._value(value, before))
        return tuple(found)

    def _one_by_one(self, held: ir.Local, values: Sequence[ir.Expr], operator: str) -> ir.Block:
        """Return what finds whether all values hold, or one of them, and looks at no further one once it is known."""
        join, go_on = (ir.both, held) if operator == "and" else (ir.either, ir.invert(held))
        count = self._pure(values)
        if count == len(values):
            return [ir.Let(held.name, join(*values))]
        inner: ir.Block = []
        inner.append(self._set(held, values[count], inner))
        if values[count + 1 :]:
            inner.append(ir.If(go_on, self._one_by_one(held, values[count + 1 :], operator), []))
        return [ir.Let(held.name, join(*values[:count])), ir.If(go_on, inner, [])] if count else inner


_STEMS: dict[type, str] = {ir.Draw: "drawn", ir.Ask: "said", ir.Call: "came"}


def of_parts(value: ir.Expr, values: tuple[ir.Expr, ...]) -> ir.Expr:
    """Return a value of other parts."""
    match value:
        case ir.Op() | ir.Call() | ir.Draw() | ir.Ask():
            return replace(value, values=values)
        case ir.Load() | ir.Lookup():
            return replace(value, index=values[0])
        case ir.Claim():
            return replace(value, value=values[0])
        case ir.Select():
            return replace(value, test=values[0], then=values[1], otherwise=values[2])
    raise AssertionError(value)


def with_names(value: ir.Expr, names: Mapping[str, str]) -> ir.Expr:
    """Return a value with locals called otherwise."""
    if isinstance(value, ir.Local):
        return replace(value, name=names.get(value.name, value.name))
    inner = ir.inner(value)
    return of_parts(value, tuple(with_names(part, names) for part in inner)) if inner else value


def renamed(block: ir.Block, names: Mapping[str, str]) -> ir.Block:
    """Return statements, without their comments, with locals called otherwise."""
    made: ir.Block = []
    for statement in block:
        if isinstance(statement, ir.Note):
            continue
        changed = ir.with_values(statement, lambda value: with_names(value, names))
        changed = ir.with_blocks(changed, lambda inner: renamed(inner, names))
        match changed:
            case ir.Let(name) | ir.Bind(name) | ir.For(name) | ir.ForEach(name):
                changed = replace(changed, name=names.get(name, name))
            case ir.Reduce(result=result, name=name):
                own = replace(result, name=names.get(result.name, result.name))
                changed = replace(changed, name=names.get(name, name), result=own)
        made.append(changed)
    return made
