"""Proves what a program claims: names, types, definite assignment, and the ranges of values by interval analysis.

Each function is proved by itself from its signature: arguments lie in the ranges of its parameters, which every call
shows, and results in the ranges that it claims, which every return shows. Slots hold what their ranges say: every
store shows it, so every load may rely on it. What a test has found is known where it holds: ``if s[X] > 0`` leaves the
positive values in its first branch, until something writes to ``X``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from griddsl.program import ir
from griddsl.program.program import Program

Number: TypeAlias = float
Range: TypeAlias = tuple[Number, Number]
Place: TypeAlias = tuple[object, ...]  # what a pure value is, whatever range it was claimed to have
EVERYTHING: Range = (-math.inf, math.inf)
DEEPEST = 6  # levels of an expression of which facts are kept
ROUNDS = 3  # of a loop, before what still grows is taken to grow without end
MOST_WAYS = 6  # of a condition to fail, each followed by itself


@dataclass(frozen=True, slots=True)
class Fault:
    """A claim that does not follow: in which function, of what kind, and what was found."""

    function: str
    kind: str
    message: str

    def __str__(self) -> str:
        return f"{self.function}: {self.kind}: {self.message}"


class VerificationError(AssertionError):
    """A program claims what does not hold; this is a fault of the compiler and never of a spec."""


def verify(program: Program) -> None:
    """Prove a program.

    Raises:
        VerificationError: Something that it claims cannot be proved; the message lists all such claims.
    """
    faults = faults_of(program)
    if faults:
        raise VerificationError("\n".join(map(str, faults)))


def faults_of(program: Program) -> list[Fault]:
    """Return the claims of a program that cannot be proved."""
    faults: list[Fault] = []
    slots = {id(slot) for slot in program.slots}
    tables = {id(table) for table in program.tables}
    faults.extend(_doubles(program))
    writes = _writes_of(program.functions)
    for function in program.functions.values():
        prover = _Prover(program, function, slots, tables, writes)
        prover.prove()
        faults.extend(dict.fromkeys(prover.faults))
    return faults


def _doubles(program: Program) -> Iterator[Fault]:
    """Yield what has the key or the text of something else."""
    for what, things in (("slots", program.slots), ("tables", program.tables)):
        for of in ("key", "name"):
            seen: set[object] = set()
            for thing in things:
                found = getattr(thing, of)
                if found in seen:
                    yield Fault(what, "name", f"two of them are {found!r}")
                seen.add(found)


def _writes_of(functions: Mapping[str, ir.Function]) -> dict[str, frozenset[int]]:
    """Return the slots, by identity, that each function writes, with all that it calls; -1 stands for all of them."""
    found: dict[str, frozenset[int]] = {}

    def writes(name: str) -> frozenset[int]:
        if name not in found:
            found[name] = frozenset()
            if name in functions:
                found[name] = frozenset(_written(functions[name].body, writes))
        return found[name]

    for name in functions:
        writes(name)
    return found


def _written(block: ir.Block, called: object) -> Iterator[int]:
    for statement in ir.statements(block):
        match statement:
            case ir.Store(slot) | ir.Fill(slot) | ir.Copy(slot) | ir.Generate(_, slot):
                yield id(slot)
            case ir.Restart() | ir.Restore():
                yield -1
        for value in ir.values_of(statement):
            for part in ir.parts(value):
                if isinstance(part, ir.Call):
                    yield from called(part.function)  # type: ignore[operator]


@dataclass(slots=True)
class _Known:
    """What holds at a place of a function.

    Types and ranges of the locals that are set, what they stand for, what tests have found, and what follows where a
    local is not zero: ``flag = x > 0 and y == 2`` tells of ``x`` and ``y`` wherever ``flag`` is found to hold.
    """

    types: dict[str, ir.Type] = field(default_factory=dict)
    ranges: dict[str, Range] = field(default_factory=dict)
    meant: dict[str, ir.Expr] = field(default_factory=dict)
    unless_zero: dict[str, dict[Place, Range]] = field(default_factory=dict)
    facts: dict[Place, Range] = field(default_factory=dict)
    is_dead: bool = False

    def copy(self) -> _Known:
        return _Known(
            dict(self.types),
            dict(self.ranges),
            dict(self.meant),
            dict(self.unless_zero),
            dict(self.facts),
            self.is_dead,
        )

    def become(self, other: _Known) -> None:
        self.types, self.ranges, self.meant = other.types, other.ranges, other.meant
        self.unless_zero, self.facts, self.is_dead = other.unless_zero, other.facts, other.is_dead

    def forget_local(self, name: str) -> None:
        self.meant.pop(name, None)
        self.unless_zero.pop(name, None)
        self._forget(
            lambda part: part == ("local", name),
            lambda part: isinstance(part, ir.Local) and part.name == name,
        )

    def forget_slots(self, slots: frozenset[int]) -> None:
        everything = -1 in slots
        if slots:
            self._forget(
                lambda part: part[0] == "slot" and (everything or part[1] in slots),
                lambda part: isinstance(part, ir.Load) and (everything or id(part.slot) in slots),
            )

    def _forget(self, is_place: Callable[[Place], bool], is_part: Callable[[ir.Expr], bool]) -> None:
        def kept(facts: dict[Place, Range]) -> dict[Place, Range]:
            return {place: found for place, found in facts.items() if not any(map(is_place, _in(place)))}

        self.facts = kept(self.facts)
        self.unless_zero = {name: kept(facts) for name, facts in self.unless_zero.items()}
        self.meant = {
            name: value for name, value in self.meant.items() if not any(map(is_part, ir.parts(value)))
        }

    def beyond(self, other: _Known) -> dict[Place, Range]:
        """Return what is known here and less exactly there."""
        return {
            **{place: found for place, found in self.facts.items() if other.facts.get(place) != found},
            **{
                ("local", name): found
                for name, found in self.ranges.items()
                if other.ranges.get(name, found) != found
            },
        }


def _in(place: Place) -> Iterator[Place]:
    yield place
    for part in place:
        if isinstance(part, tuple):
            yield from _in(part)


def _joined(first: _Known, second: _Known) -> _Known:
    """Return what holds whichever of two ways was taken."""
    if first.is_dead:
        return second
    if second.is_dead:
        return first
    both = first.ranges.keys() & second.ranges.keys()
    joined = _Known(
        {name: first.types[name] for name in both},
        {name: _hull(first.ranges[name], second.ranges[name]) for name in both},
        {name: value for name, value in first.meant.items() if second.meant.get(name) == value},
        {
            name: _joined_facts(facts, second.unless_zero[name])
            for name, facts in first.unless_zero.items()
            if name in second.unless_zero
        },
        _joined_facts(first.facts, second.facts),
    )
    for one, other in ((first, second), (second, first)):
        more: dict[Place, Range] | None = None
        for name in both:
            if other.ranges[name] == (0, 0) != one.ranges[name]:
                more = one.beyond(joined) if more is None else more
                joined.unless_zero[name] = {
                    place: found
                    for place, found in {**one.unless_zero.get(name, {}), **more}.items()
                    if place != ("local", name)
                }
    return joined


def _joined_facts(first: dict[Place, Range], second: dict[Place, Range]) -> dict[Place, Range]:
    return {place: _hull(found, second[place]) for place, found in first.items() if place in second}


def _hull(first: Range, second: Range) -> Range:
    return min(first[0], second[0]), max(first[1], second[1])


def _place(value: ir.Expr, depth: int = DEEPEST) -> Place | None:
    """Return what a pure value is; None where it draws, calls or is too deep."""
    if depth == 0:
        return None
    match value:
        case ir.Const():
            return ("const", value.value)
        case ir.Local(name):
            return ("local", name)
        case ir.Load(slot, index):
            inner = _place(index, depth - 1)
            return None if inner is None else ("slot", id(slot), inner)
        case ir.Lookup(table, index):
            inner = _place(index, depth - 1)
            return None if inner is None else ("table", id(table), inner)
        case ir.Claim(inner):
            return _place(inner, depth)
        case ir.Op(operator, values):
            parts = [_place(part, depth - 1) for part in values]
            return None if None in parts else (operator, *parts)
    return None


@dataclass(slots=True)
class _Prover:
    program: Program
    function: ir.Function
    slots: set[int]
    tables: set[int]
    writes: Mapping[str, frozenset[int]]
    faults: list[Fault] = field(default_factory=list)
    breaks: list[list[_Known]] = field(default_factory=list)
    is_quiet: int = 0

    def prove(self) -> None:
        known = _Known()
        for parameter in self.function.parameters:
            known.types[parameter.name] = parameter.type
            known.ranges[parameter.name] = (parameter.low, parameter.high)
        self.block(self.function.body, known)
        if self.function.results and not known.is_dead:
            self.fault("return", "the end is reached without a result")

    def fault(self, kind: str, message: str) -> None:
        if not self.is_quiet:
            self.faults.append(Fault(self.function.name, kind, message))

    # Statements

    def block(self, block: ir.Block, known: _Known) -> None:
        """Follow statements; ``known`` becomes what holds after them."""
        for statement in block:
            if known.is_dead:
                return
            self.statement(statement, known)

    def statement(self, statement: ir.Stmt, known: _Known) -> None:
        match statement:
            case ir.Let(name, value):
                found = self.value(value, known)
                self.set(name, value, found, known)
            case ir.Store(slot, index, value):
                self.of_program(slot)
                self.index(index, slot.length, known, f"a store to {slot.name}", "store")
                found = self.value(value, known)
                low = -1 if slot.unset and value == ir.const(-1) else slot.low
                self.fits(found, (low, slot.high), slot.type, f"what is stored in {slot.name}")
                known.forget_slots(frozenset({id(slot)}))
                at = _place(ir.Load(slot, index, slot.type, slot.low, slot.high))
                if at is not None and slot.type != "real":
                    known.facts[at] = _met(found, (slot.low, slot.high)) or found
            case ir.Out(index, value):
                self.value(index, known)
                self.value(value, known)
            case ir.If(test, then, otherwise):
                self.value(test, known)
                other = known.copy()
                self.learn(test, True, known)
                self.block(then, known)
                self.learn(test, False, other)
                self.block(otherwise, other)
                known.become(_joined(known, other))
            case ir.For():
                self.loop(statement, known)
            case ir.While():
                self.round(statement.body, known, statement.test)
            case ir.Break():
                if not self.breaks:
                    self.fault("break", "no loop is around it")
                else:
                    self.breaks[-1].append(known.copy())
                known.is_dead = True
            case ir.Do(call):
                self.value(call, known)
            case ir.Return(values):
                self.returns(values, known)
                known.is_dead = True
            case ir.Copy(slot, table, start):
                self.of_program(slot, table)
                self.index(
                    start, len(table.values) - slot.length + 1, known, f"a copy from {table.name}", "copy"
                )
                self.fits(
                    (table.low, table.high), (slot.low, slot.high), slot.type, f"{table.name} in {slot.name}"
                )
                known.forget_slots(frozenset({id(slot)}))
            case ir.Fill(slot, value):
                self.of_program(slot)
                found = self.value(value, known)
                self.fits(found, (slot.low, slot.high), slot.type, f"what fills {slot.name}")
                known.forget_slots(frozenset({id(slot)}))
            case ir.Restart():
                known.forget_slots(frozenset({-1}))
            case ir.Keep(name):
                known.types[name], known.ranges[name] = "int", EVERYTHING
            case ir.Restore(name):
                if name not in known.ranges:
                    self.fault("assignment", f"{name} is put back and may not have been kept")
                known.forget_slots(frozenset({-1}))
            case ir.Generate(_, slot, values):
                self.of_program(slot)
                for value in values:
                    self.value(value, known)
                known.forget_slots(frozenset({id(slot)}))
            case ir.Blank(count, value):
                self.value(count, known)
                self.fits(self.value(value, known), (0, 255), "int", "what blanks an observation")
            case ir.Fail():
                known.is_dead = True

    def set(self, name: str, value: ir.Expr, found: Range, known: _Known) -> None:
        before = known.types.get(name, value.type)
        if before != value.type and not {before, value.type} <= {"int", "real"}:
            self.fault("type", f"{name} is {before} and is set to {value.type}")
        follows = self.follows(value, known)
        known.forget_local(name)
        known.types[name] = "real" if "real" in (before, value.type) and name in known.types else value.type
        known.ranges[name] = found
        pure = _place(value) is not None or isinstance(value, ir.Select)
        if pure and not any(
            isinstance(part, ir.Call | ir.Draw | ir.Ask) or (isinstance(part, ir.Local) and part.name == name)
            for part in ir.parts(value)
        ):
            known.meant[name] = value
        known.unless_zero[name] = {
            place: facts for place, facts in follows.items() if ("local", name) not in _in(place)
        }

    def follows(self, value: ir.Expr, known: _Known) -> dict[Place, Range]:
        """Return what is known where a condition holds."""
        if value.type != "bool" or any(isinstance(part, ir.Call | ir.Ask) for part in ir.parts(value)):
            return {}
        inside = known.copy()
        self.learn(value, True, inside)
        return {} if inside.is_dead else inside.beyond(known)

    def returns(self, values: tuple[ir.Expr, ...], known: _Known) -> None:
        results = self.function.results
        if len(values) != len(results):
            self.fault("return", f"{len(values)} results where {len(results)} are promised")
        for value, result in zip(values, results, strict=False):
            self.fits(self.value(value, known), (result.low, result.high), result.type, "a result")

    def loop(self, loop: ir.For, known: _Known) -> None:
        low, high = self.value(loop.low, known), self.value(loop.high, known)
        if high[1] <= low[0]:
            return
        least = _difference(loop.high, loop.low, lambda part: self.quietly(part, known))
        trips = min(high[1] - low[0], least[1])
        number = (low[0], high[1] - 1)
        self.round(loop.body, known, None, loop.name, number, trips)

    def round(
        self,
        body: ir.Block,
        known: _Known,
        test: ir.Expr | None,
        name: str = "",
        number: Range = EVERYTHING,
        trips: float = math.inf,
    ) -> None:
        """Follow a loop: what holds before each round is found first, then its body is proved from that."""
        entry = known.copy()
        start = entry.copy()
        sets = {s.name for s in ir.statements(body) if isinstance(s, ir.Let | ir.For | ir.Keep)}
        written = frozenset(_written(body, lambda called: self.writes.get(called, frozenset({-1}))))
        for local in sets:
            start.forget_local(local)
        start.forget_slots(written)

        def begin() -> _Known:
            inside = start.copy()
            if name:
                inside.forget_local(name)
                inside.types[name], inside.ranges[name] = "int", number
            if test is not None:
                self.value(test, inside)
                self.learn(test, True, inside)
            return inside

        def followed() -> tuple[_Known, list[_Known]]:
            inside = begin()
            self.breaks.append([])
            self.block(body, inside)
            return inside, self.breaks.pop()

        self.is_quiet += 1
        counted: set[str] = set()
        for local in sets & start.ranges.keys():
            grown = self.grown(local, body, start) if local != name and trips != math.inf else None
            if grown is not None:
                low, high = entry.ranges[local]
                before = max(0, trips - 1)
                start.ranges[local] = low + before * min(0, grown[0]), high + before * max(0, grown[1])
                counted.add(local)
        for count in range(ROUNDS + 2):
            after, _ = followed()
            if after.is_dead:
                break
            changed = False
            for local in list(start.ranges):
                if local not in sets or local == name or local in counted:
                    continue
                if local not in after.ranges:
                    continue
                found = _hull(start.ranges[local], after.ranges[local])
                if found != start.ranges[local]:
                    changed = True
                    if count >= ROUNDS - 1:
                        found = _widened(entry.ranges[local], found)
                    start.ranges[local] = found
            if not changed:
                break
        else:
            for local in sets & start.ranges.keys():
                if local != name:
                    start.ranges[local] = EVERYTHING
        if count >= ROUNDS - 1 and not after.is_dead:  # what was taken for endless may end at a test
            after, _ = followed()
            if not after.is_dead:
                for local in sets & start.ranges.keys() & after.ranges.keys():
                    if local != name and math.inf in map(abs, start.ranges[local]):
                        start.ranges[local] = _hull(entry.ranges[local], after.ranges[local])
        self.is_quiet -= 1
        after, left = followed()
        end = start.copy()
        if test is not None:
            self.learn(test, False, end)
        elif trips == math.inf or not after.is_dead or left:
            end = _joined(entry, after)
        for other in left:
            end = _joined(end, other)
        known.become(end)

    def grown(self, local: str, body: ir.Block, known: _Known) -> Range | None:
        """Return what a round adds to a local at most, both ways; None where it does more than add."""
        low = high = 0.0
        for statement in body:
            inner: Range | None = (0.0, 0.0)
            match statement:
                case ir.Let(name, value) if name == local:
                    inner = self.added(local, value, known)
                case ir.If(_, then, otherwise):
                    first, second = self.grown(local, then, known), self.grown(local, otherwise, known)
                    inner = None if first is None or second is None else _hull(first, second)
                case ir.For(_, first_, last, block):
                    once = self.grown(local, block, known)
                    if once is None:
                        return None
                    if once != (0, 0):
                        spread = _difference(last, first_, lambda part: self.quietly(part, known))
                        times = max(0.0, spread[1])
                        inner = (once[0] * times, once[1] * times)
                case ir.While(_, block):
                    inner = self.grown(local, block, known)
                    if inner is not None and inner != (0, 0):
                        return None
            if inner is None:
                return None
            low, high = low + min(0, inner[0]), high + max(0, inner[1])
        return low, high

    def added(self, local: str, value: ir.Expr, known: _Known) -> Range | None:
        match value:
            case ir.Op("+", (ir.Local(name), more)) if name == local:
                return self.quietly(more, known)
            case ir.Op("-", (ir.Local(name), less)) if name == local:
                low, high = self.quietly(less, known)
                return -high, -low
        return None

    # Values

    def quietly(self, value: ir.Expr, known: _Known) -> Range:
        self.is_quiet += 1
        found = self.value(value, known.copy())
        self.is_quiet -= 1
        return found

    def value(self, value: ir.Expr, known: _Known) -> Range:
        """Return the range of a value, and prove what it claims."""
        found = self.found(value, known)
        place = _place(value)
        if place is not None and place in known.facts:
            found = _met(found, known.facts[place]) or found
        if value.type != "real" and not _lies_in(found, (value.low, value.high)):
            self.fault(
                "range", f"{_text(value)} is from {found[0]} to {found[1]}, not {value.low} to {value.high}"
            )
            return _met(found, (value.low, value.high)) or (value.low, value.high)
        return found

    def found(self, value: ir.Expr, known: _Known) -> Range:
        match value:
            case ir.Const():
                return value.low, value.high
            case ir.Local(name, type):
                if name not in known.ranges:
                    self.fault("assignment", f"{name} may not have been set")
                    return value.low, value.high
                if known.types[name] != type and not (known.types[name] == "int" and type == "real"):
                    self.fault("type", f"{name} is {known.types[name]} and read as {type}")
                return known.ranges[name]
            case ir.Load(slot, index):
                self.of_program(slot)
                self.index(index, slot.length, known, f"a load of {slot.name}", "load")
                return slot.low, slot.high
            case ir.Lookup(table, index):
                self.of_program(table)
                low, high = self.index(
                    index, len(table.values), known, f"a look-up in {table.name}", "lookup"
                )
                return _slice(table, low, high)
            case ir.Select(test, then, otherwise):
                self.value(test, known)
                first, second = known.copy(), known.copy()
                self.learn(test, True, first)
                self.learn(test, False, second)
                if first.is_dead:
                    return self.value(otherwise, second)
                if second.is_dead:
                    return self.value(then, first)
                return _hull(self.value(then, first), self.value(otherwise, second))
            case ir.Op("and" | "or" as operator, values):
                inside = known.copy()
                for part in values:
                    self.value(part, inside)
                    self.learn(part, operator == "and", inside)
                    if inside.is_dead:
                        break
                return 0, 1
            case ir.Op(operator, values):
                ranges = [self.value(part, known) for part in values]
                return self.operated(operator, values, ranges, value, known)
            case ir.Call(name, values):
                return self.called(value, known)
            case ir.Draw(how, values):
                given = [self.value(part, known) for part in values]
                if how == "draw":
                    if given[0][0] < 1:
                        self.fault("draw", f"a number below {_text(values[0])}, which may be {given[0][0]}")
                    return 0, max(0, given[0][1] - 1)
                if how == "weighted" and value.totals is not None:
                    return 0, len(value.totals.values) - 1
                return 0, 1
            case ir.Ask(_, values):
                for part in values:
                    self.value(part, known)
                return value.low, value.high
            case ir.Claim(inner):
                found = self.value(inner, known)
                both = _met(found, (value.low, value.high))
                if both is None:
                    self.fault("claim", f"{_text(value)} is from {found[0]} to {found[1]}: {value.because}")
                return both or (value.low, value.high)
        raise AssertionError(value)

    def operated(
        self, operator: str, values: tuple[ir.Expr, ...], ranges: list[Range], value: ir.Expr, known: _Known
    ) -> Range:
        if operator in _RECKONING and any(part.type == "bool" for part in values):
            self.fault("type", f"{_text(value)} reckons with a condition")
        if operator in {"==", "!="} and len({part.type == "bool" for part in values}) > 1:
            self.fault("type", f"{_text(value)} compares a condition with a number")
        if operator == "not" and values[0].type != "bool":
            self.fault("type", f"{_text(value)} denies a number")
        first = ranges[0]
        second = ranges[1] if len(ranges) > 1 else first
        match operator:
            case "+":
                return first[0] + second[0], first[1] + second[1]
            case "-":
                low, high = first[0] - second[1], first[1] - second[0]
                return low, high
            case "*":
                return _corners(first, second, lambda a, b: 0 if a == 0 or b == 0 else a * b)
            case "//" | "%" | "/":
                if second[0] <= 0 <= second[1]:
                    if operator != "%" or value.type != "real":
                        self.fault("division", f"{_text(value)} may divide by zero")
                    return value.low, value.high
                if operator == "/":
                    return _corners(first, second, lambda a, b: a / b)
                if operator == "//":
                    return _corners(
                        first, second, lambda a, b: a // b if math.isfinite(a) else a * (1 if b > 0 else -1)
                    )
                if first[0] >= 0 and second[0] > 0:
                    return (
                        first
                        if first[1] < second[0]
                        else (0, min(first[1], second[1] - (value.type != "real")))
                    )
                return (0, second[1] - 1) if second[0] > 0 else (second[0] + 1, 0)
            case "neg":
                return -first[1], -first[0]
            case "abs":
                low = 0 if first[0] <= 0 <= first[1] else min(map(abs, first))
                return low, max(map(abs, first))
            case "min":
                return min(r[0] for r in ranges), min(r[1] for r in ranges)
            case "max":
                return max(r[0] for r in ranges), max(r[1] for r in ranges)
            case "&":
                most = [r[1] for r in ranges if r[0] >= 0]
                return (0, min(most)) if most else (value.low, value.high)
            case "|":
                if all(r[0] >= 0 and math.isfinite(r[1]) for r in ranges):
                    return 0, 2 ** int(max(r[1] for r in ranges)).bit_length() - 1
                return value.low, value.high
            case "<<":
                if first[0] >= 0 and second[0] >= 0 and second[1] < 128:
                    return int(first[0]) << int(second[0]), int(first[1]) << int(second[1])
                return value.low, value.high
            case ">>":
                if first[0] >= 0 and second[0] >= 0:
                    return 0, int(first[1]) >> int(min(second[0], 200)) if math.isfinite(first[1]) else first[
                        1
                    ]
                return value.low, value.high
            case "==" | "!=" | "<" | "<=" | ">" | ">=" | "not":
                return 0, 1
        return value.low, value.high

    def called(self, call: ir.Call, known: _Known) -> Range:
        given = [self.value(part, known) for part in call.values]
        function = self.program.functions.get(call.function)
        if function is None:
            self.fault("name", f"no function is called {call.function}")
            return call.low, call.high
        if len(given) != len(function.parameters):
            self.fault("call", f"{call.function} takes {len(function.parameters)} values, not {len(given)}")
        for found, value, parameter in zip(given, call.values, function.parameters, strict=False):
            what = f"{parameter.name} of {call.function}"
            self.fits(found, (parameter.low, parameter.high), parameter.type, what, value.type)
        known.forget_slots(self.writes[call.function])
        if len(function.results) != 1:
            return call.low, call.high
        result = function.results[0]
        if result.type != call.type:
            self.fault("type", f"{call.function} returns {result.type}, which is read as {call.type}")
        return result.low, result.high

    def index(self, index: ir.Expr, length: int, known: _Known, what: str, kind: str) -> Range:
        if index.type != "int":
            self.fault("type", f"{what} at {_text(index)}, which is {index.type}")
        found = self.value(index, known)
        least = -1 if kind == "lookup" else 0
        if found[0] < least or found[1] >= length:
            self.fault(kind, f"{what} at {_text(index)}, from {found[0]} to {found[1]}, of {length}")
        return found

    def fits(
        self, found: Range, wanted: Range, type: ir.Type, what: str, given: ir.Type | None = None
    ) -> None:
        if type != "real" and not _lies_in(found, wanted):
            self.fault("fit", f"{what} is from {found[0]} to {found[1]}, not {wanted[0]} to {wanted[1]}")
        if given is not None and given != type and not (given == "int" and type == "real"):
            self.fault("type", f"{what} is {given}, not {type}")

    def of_program(self, *things: ir.Slot | ir.Table) -> None:
        for thing in things:
            if id(thing) not in (self.slots if isinstance(thing, ir.Slot) else self.tables):
                self.fault("name", f"{thing.name} is none of the program's")

    # What tests find

    def learn(self, test: ir.Expr, truth: bool, known: _Known) -> None:
        """Take in that a test holds, or does not."""
        match test:
            case ir.Const():
                if bool(test.value) != truth:
                    known.is_dead = True
            case ir.Op("not", (inner,)):
                self.learn(inner, not truth, known)
            case ir.Op("and" | "or" as operator, values):
                if (operator == "and") == truth:
                    for part in values:
                        self.learn(part, truth, known)
                elif len(values) <= MOST_WAYS:
                    ways, before = None, known.copy()
                    for part in values:
                        way = before.copy()
                        self.learn(part, truth, way)
                        ways = way if ways is None else _joined(ways, way)
                        self.learn(part, not truth, before)
                    assert ways is not None
                    known.become(ways)
            case ir.Op("==" | "!=" | "<" | "<=" | ">" | ">=" as operator, (left, right)):
                self.compare(operator if truth else _OPPOSITE[operator], left, right, known)
            case ir.Local() | ir.Load() | ir.Lookup() if test.type == "bool":
                self.narrow(test, (int(truth), int(truth)), known)
            case ir.Select(inner, then, otherwise) if test.type == "bool":
                first, second = known.copy(), known.copy()
                self.learn(inner, True, first)
                self.learn(then, truth, first)
                self.learn(inner, False, second)
                self.learn(otherwise, truth, second)
                known.become(_joined(first, second))

    def compare(self, operator: str, left: ir.Expr, right: ir.Expr, known: _Known) -> None:
        if "real" in (left.type, right.type):
            return
        a, b = self.quietly(left, known), self.quietly(right, known)
        match operator:
            case "==":
                self.narrow(left, b, known)
                self.narrow(right, a, known)
            case "!=":
                for value, own, other in ((left, a, b), (right, b, a)):
                    if other[0] == other[1]:
                        if own == other:
                            known.is_dead = True
                        elif own[0] == other[0]:
                            self.narrow(value, (own[0] + 1, own[1]), known)
                        elif own[1] == other[0]:
                            self.narrow(value, (own[0], own[1] - 1), known)
            case "<":
                self.narrow(left, (-math.inf, b[1] - 1), known)
                self.narrow(right, (a[0] + 1, math.inf), known)
            case "<=":
                self.narrow(left, (-math.inf, b[1]), known)
                self.narrow(right, (a[0], math.inf), known)
            case ">" | ">=":
                self.compare({">": "<", ">=": "<="}[operator], right, left, known)

    def narrow(self, value: ir.Expr, found: Range, known: _Known) -> None:
        """Take in that a value lies in a range."""
        own = self.quietly(value, known)
        both = _met(own, found)
        if both is None:
            known.is_dead = True
            return
        place = _place(value)
        match value:
            case ir.Local(name):
                if name in known.ranges:
                    known.ranges[name] = both
                if name in known.meant:
                    meant = known.meant[name]
                    if meant.type == "bool" and both[0] == both[1]:
                        self.learn(meant, bool(both[0]), known)
                    elif meant.type != "bool":
                        self.narrow(meant, both, known)
                if not both[0] <= 0 <= both[1]:
                    self.take_in(known.unless_zero.get(name, {}), known)
                return
            case ir.Claim(inner):
                self.narrow(inner, both, known)
                return
            case ir.Select(test, then, otherwise):
                if _met(self.under(test, True, then, known), both) is None:
                    self.learn(test, False, known)
                    self.narrow(otherwise, both, known)
                elif _met(self.under(test, False, otherwise, known), both) is None:
                    self.learn(test, True, known)
                    self.narrow(then, both, known)
                return
            case ir.Op("+", (left, right)):
                a, b = self.quietly(left, known), self.quietly(right, known)
                if b[0] == b[1] and math.isfinite(b[0]):
                    self.narrow(left, (both[0] - b[0], both[1] - b[0]), known)
                elif a[0] == a[1] and math.isfinite(a[0]):
                    self.narrow(right, (both[0] - a[0], both[1] - a[0]), known)
            case ir.Op("-", (left, right)):
                b = self.quietly(right, known)
                if b[0] == b[1] and math.isfinite(b[0]):
                    self.narrow(left, (both[0] + b[0], both[1] + b[0]), known)
        if place is not None and not isinstance(value, ir.Const):
            known.facts[place] = both

    def take_in(self, facts: Mapping[Place, Range], known: _Known) -> None:
        for place, found in facts.items():
            if place[0] == "local":
                name = str(place[1])
                if name in known.ranges:
                    known.ranges[name] = _met(known.ranges[name], found) or known.ranges[name]
            else:
                known.facts[place] = _met(known.facts.get(place, EVERYTHING), found) or found

    def under(self, test: ir.Expr, truth: bool, value: ir.Expr, known: _Known) -> Range:
        inside = known.copy()
        self.learn(test, truth, inside)
        return (math.inf, -math.inf) if inside.is_dead else self.quietly(value, inside)


_RECKONING = frozenset({"+", "-", "*", "//", "%", "neg", "abs", "min", "max", "|", "&", "<<", ">>"})
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def _widened(entry: Range, found: Range) -> Range:
    """Return a range that is without end where it has grown."""
    return -math.inf if found[0] < entry[0] else found[0], math.inf if found[1] > entry[1] else found[1]


def _lies_in(found: Range, wanted: Range) -> bool:
    """Whether a range lies in another one; what is as large as a number can be has no end."""
    return (wanted[0] <= found[0] or wanted[0] <= -ir.UNBOUNDED) and (
        found[1] <= wanted[1] or wanted[1] >= ir.UNBOUNDED
    )


def _met(first: Range, second: Range) -> Range | None:
    low, high = max(first[0], second[0]), min(first[1], second[1])
    return (low, high) if low <= high else None


def _corners(first: Range, second: Range, operator: object) -> Range:
    found = [operator(a, b) for a in first for b in second]  # type: ignore[operator]
    return min(found), max(found)


def _whole_quotient(first: float, second: float) -> float:
    return first // second if math.isfinite(first) else first * (1 if second > 0 else -1)


def _slice(table: ir.Table, low: float, high: float) -> Range:
    """Return the range of the entries of a table from one place to another, as far as they are there."""
    size = len(table.values)
    if not size or table.type == "real":
        return table.low, table.high
    first, last = max(0, int(max(low, 0))), int(min(high, size - 1))
    values = np.asarray(table.values)[first : last + 1]
    if not len(values):
        return table.low, table.high
    found = int(values.min()), int(values.max())
    return _hull(found, (int(table.values[-1]),) * 2) if low < 0 else found


def _difference(first: ir.Expr, second: ir.Expr, of: object) -> Range:
    """Return the range of a difference, without what both values have in common."""
    more, less = list(_terms(first)), list(_terms(second))
    for term in list(less):
        if term in more:
            more.remove(term)
            less.remove(term)
    low = high = 0.0
    for term in more:
        found = of(term)  # type: ignore[operator]
        low, high = low + found[0], high + found[1]
    for term in less:
        found = of(term)  # type: ignore[operator]
        low, high = low - found[1], high - found[0]
    return low, high


def _terms(value: ir.Expr) -> Iterator[ir.Expr]:
    if isinstance(value, ir.Op) and value.operator == "+":
        for part in value.values:
            yield from _terms(part)
    else:
        yield value


def _text(value: ir.Expr) -> str:
    from griddsl.program.printer import PLAIN, _Printer

    return _Printer({}, PLAIN).expression(value)
