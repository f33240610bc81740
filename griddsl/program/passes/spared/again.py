"""What is known already is not found again, and what is known to hold is not asked again.

Lowering writes each clause for itself: where one asks which thing is meant, or whether it is there, the clauses
around it have often asked the same. What is found is a value as long as nothing writes to what it was found from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from griddsl.program import ir
from griddsl.program.passes.effects import EVERYTHING, Effects, Known, of_block, of_value
from griddsl.program.passes.normal import of_parts


def asked_once(function: ir.Function, known: Known) -> ir.Block:
    """Return the body of a function of plain loops that finds each value once, and asks each condition once."""
    times = Counter(given.name for given in function.parameters)
    for statement in ir.statements(function.body):
        times.update(ir.sets(statement))
    once = frozenset(name for name, count in times.items() if count == 1)
    return _Asking(known, once).block(function.body, _Found())


@dataclass(slots=True)
class _Found:
    """What is known at a place: ``names`` of values, the ``values`` of names, and which conditions hold or do not.

    With each goes what it was found from.
    """

    names: dict[ir.Expr, tuple[str, Effects]] = field(default_factory=dict)
    values: dict[str, ir.Expr] = field(default_factory=dict)
    holds: dict[ir.Expr, tuple[bool, Effects]] = field(default_factory=dict)

    def copy(self) -> _Found:
        return _Found(dict(self.names), dict(self.values), dict(self.holds))

    def name_of(self, value: ir.Expr) -> str | None:
        """Return the local that holds a value already."""
        found = self.names.get(value)
        return None if found is None else found[0]

    def forget(self, effects: Effects) -> None:
        """Forget what some effects may have changed."""
        if not effects.writes and not effects.sets:
            return
        for value, (name, source) in list(self.names.items()):
            if name in effects.sets or _is_touched(source, effects):
                del self.names[value]
                if self.values.get(name) == value:
                    del self.values[name]
        for test in [test for test, (_, source) in self.holds.items() if _is_touched(source, effects)]:
            del self.holds[test]


def _is_touched(source: Effects, effects: Effects) -> bool:
    """Whether effects change what something was found from."""
    if not effects.sets.isdisjoint(source.sets) or not effects.writes.isdisjoint(source.reads):
        return True
    everything = EVERYTHING in effects.writes or (EVERYTHING in source.reads and bool(effects.writes))
    return everything and bool(source.reads)


@dataclass(frozen=True, slots=True)
class _Asking:
    """Writes statements anew; ``once`` are the locals that are set in one place, ``same`` those that stand for others.

    A local is set on each way to where it is read: so one of ``once`` that is another one's value stays that.
    """

    known: Known
    once: frozenset[str]
    same: dict[str, str] = field(default_factory=dict)

    def block(self, block: ir.Block, found: _Found) -> ir.Block:
        """Return what a block does, where some things are known; ``found`` becomes what is known after it."""
        made: ir.Block = []
        for statement in block:
            made.extend(self._statement(statement, found))
        return made

    def _statement(self, statement: ir.Stmt, found: _Found) -> Iterator[ir.Stmt]:
        match statement:
            case ir.If():
                yield from self._if(statement, found)
                return
            case ir.For(_, low, high):
                low, high = self._value(low, found), self._value(high, found)
                yield replace(statement, low=low, high=high, body=self._rounds(statement, found))
                return
            case ir.While(test):
                found.forget(of_block([statement], self.known))
                inner = found.copy()
                test = self._value(test, inner)
                self._know(inner, test, True)
                yield ir.While(test, self.block(statement.body, inner))
                return
            case ir.Let(name, value) | ir.Bind(name, ir.Call() as value):
                new = self._value(value, found)
                effects = of_value(new, self.known)
                if not effects.writes and self._names(name, new, found):
                    return
                made = self._set(statement, new)
                found.forget(of_block([made], self.known))
                if not effects.writes and name in self.once and _is_kept(new):
                    found.values[name] = new
                    if not isinstance(new, ir.Const):
                        found.names[new] = name, self._source(new)
                yield made
                return
        made = ir.with_values(statement, lambda value: self._value(value, found))
        found.forget(of_block([made], self.known))
        yield made

    def _names(self, name: str, value: ir.Expr, found: _Found) -> bool:
        """Whether a local is only another name of one that is there already."""
        if name not in self.once:
            return False
        other = (
            value.name if isinstance(value, ir.Local) and value.name in self.once else found.name_of(value)
        )
        if other is None or other == name:
            return False
        self.same[name] = other
        return True

    def _set(self, statement: ir.Let | ir.Bind, value: ir.Expr) -> ir.Stmt:
        if isinstance(statement, ir.Bind) and isinstance(value, ir.Call):
            return ir.Bind(statement.name, value)
        return ir.Let(statement.name, value)

    def _if(self, statement: ir.If, found: _Found) -> Iterator[ir.Stmt]:
        test = self._value(statement.test, found)
        if isinstance(test, ir.Const):
            yield from self.block(statement.then if test.value else statement.otherwise, found)
            return
        ways = []
        for block, holds in ((statement.then, True), (statement.otherwise, False)):
            way = found.copy()
            self._know(way, test, holds)
            ways.append((self.block(block, way), way))
        (then, after), (otherwise, after_other) = ways
        found.forget(of_block([statement], self.known))
        if _goes_on(then) and not _goes_on(otherwise):
            found.names, found.values, found.holds = after.names, after.values, after.holds
        elif _goes_on(otherwise) and not _goes_on(then):
            found.names, found.values, found.holds = after_other.names, after_other.values, after_other.holds
        yield ir.If(test, then, otherwise)

    def _rounds(self, loop: ir.For, found: _Found) -> ir.Block:
        found.forget(of_block([loop], self.known))
        return self.block(loop.body, found.copy())

    def _source(self, value: ir.Expr) -> Effects:
        """Return what a value is found from: the slots that it reads, and the locals that it speaks of."""
        source = of_value(value, self.known)
        source.sets.update(part.name for part in ir.parts(value) if isinstance(part, ir.Local))
        return source

    def _know(self, found: _Found, test: ir.Expr, holds: bool) -> None:
        """Take in that a condition holds, or that it does not."""
        match test:
            case ir.Op("not", (inner,)):
                self._know(found, inner, not holds)
            case ir.Op("and" | "or" as operator, values):
                if holds == (operator == "and"):
                    for value in values:
                        self._know(found, value, holds)
            case _:
                source = self._source(test)
                found.holds[test] = holds, source
                found.holds[ir.invert(test)] = not holds, source

    # Values

    def _value(self, value: ir.Expr, found: _Found) -> ir.Expr:
        """Return a value with what is known in it."""
        new: ir.Expr
        match value:
            case ir.Local(name):
                told = found.values.get(name)
                if isinstance(told, ir.Const):
                    return told
                return replace(value, name=self.same[name]) if name in self.same else value
            case ir.Const():
                return value
            case ir.Op("and" | "or" as operator, values):
                return self._joined(operator, values, found)
            case ir.Select(test, then, otherwise):
                test = self._value(test, found)
                if isinstance(test, ir.Const):
                    return self._value(then if test.value else otherwise, found)
                ways = []
                for way, holds in ((then, True), (otherwise, False)):
                    there = found.copy()
                    self._know(there, test, holds)
                    ways.append(self._value(way, there))
                new = of_parts(value, (test, *ways))
            case ir.Op("not", (inner,)):
                new = ir.invert(self._value(inner, found))
            case _:
                new = self._parts(value, found)
        if isinstance(new, ir.Const):
            return new
        if (same := found.name_of(new)) is not None:
            return ir.Local(same, new.type, new.low, new.high)
        decided = self._decided(new, found) if new.type == "bool" else None
        return new if decided is None else ir.const(decided)

    def _joined(self, operator: str, values: tuple[ir.Expr, ...], found: _Found) -> ir.Expr:
        """Return ``and`` or ``or`` of values, each of which is looked at where those before it do not settle it."""
        there, made = found.copy(), []
        for value in values:
            made.append(self._value(value, there))
            self._know(there, made[-1], operator == "and")
        return ir.both(*made) if operator == "and" else ir.either(*made)

    def _parts(self, value: ir.Expr, found: _Found) -> ir.Expr:
        inner = ir.inner(value)
        values = tuple(self._value(part, found) for part in inner)
        if all(new is old for new, old in zip(values, inner, strict=True)):
            return value
        return of_parts(value, values)

    def _decided(self, test: ir.Expr, found: _Found) -> bool | None:
        """Return whether a condition is known to hold, or not to."""
        if test in found.holds:
            return found.holds[test][0]
        match test:
            case ir.Op(sign, (left, right)) if sign in ir.COMPARED:
                told = ir.compare(sign, _meant(left, found), _meant(right, found))
                if isinstance(told, ir.Const):
                    return bool(told.value)
                return found.holds[told][0] if told in found.holds else None
        return None


def _meant(value: ir.Expr, found: _Found) -> ir.Expr:
    """Return the value that a local was given, as far as it still is that."""
    return found.values.get(value.name, value) if isinstance(value, ir.Local) else value


def _is_kept(value: ir.Expr) -> bool:
    """Whether to look at a value tells as much as to look at its local: what is unset lies outside of its range."""
    return not any(isinstance(part, ir.Load) and part.slot.unset for part in ir.parts(value))


def _goes_on(block: ir.Block) -> bool:
    """Whether what follows a block may be reached through it."""
    return not (block and isinstance(block[-1], ir.Return | ir.Break | ir.Fail))
