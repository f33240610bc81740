"""Follows the statements of a function, with what is known at each of them, and notes what it claims without reason."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import partial
from typing import assert_never

from griddsl.program import ir
from griddsl.program.proof import ranges
from griddsl.program.proof.joining import joined
from griddsl.program.proof.known import Known
from griddsl.program.proof.ranges import EVERYTHING, Range, hull, met, of_difference
from griddsl.program.proof.rounds import Round, Rounds, Settled
from griddsl.program.proof.values import Values
from griddsl.program.proof.written import ALL_SLOTS, Writes, written, written_by


@dataclass(slots=True)
class Following:
    """Follows the statements of a function, with what is known at each of them."""

    function: ir.Function
    values: Values
    writes: Writes
    breaks: list[list[Known]] = field(default_factory=list)
    hits: list[list[tuple[ir.Expr, Range, Known]]] = field(default_factory=list)
    # Of loops: see `touched`.
    bodies: dict[int, tuple[set[str], frozenset[int]]] = field(default_factory=dict)
    settled: dict[int, Settled] = field(default_factory=dict)

    def prove(self) -> None:
        """Follow the whole function."""
        known = Known()
        for parameter in self.function.parameters:
            known.set_local(parameter.name, parameter.type, (parameter.low, parameter.high))
        self.block(self.function.body, known)
        if self.function.results and not known.is_dead:
            self.values.fault("return", "the end is reached without a result")

    def block(self, block: ir.Block, known: Known) -> None:
        """Follow statements; ``known`` becomes what holds after them."""
        for statement in block:
            if known.is_dead:
                return
            self.statement(statement, known)

    def statement(self, statement: ir.Stmt, known: Known) -> None:
        """Follow one statement."""
        values = self.values
        match statement:
            case ir.Let(name, value) | ir.Bind(name, value):
                self.assign(name, value, known)
            case ir.Store():
                self.store(statement, known)
            case ir.Out(index, value):
                if not self.function.writes_out:
                    values.fault("out", "the function writes to an observation that it does not take")
                values.number(index, known)
                values.range_of(value, known)
            case ir.If(test, then, otherwise):
                values.test(test, known)
                other = known.copy()
                values.learn(test, True, known)
                self.block(then, known)
                values.learn(test, False, other)
                self.block(otherwise, other)
                known.become(joined(known, other, values.places))
            case ir.For():
                self.loop(statement, known)
            case ir.ForEach(name, least, most, body):
                own = self.touched(body)[0]
                known.drop(own)
                self.loop(ir.For(name, least, most, body), known)
                known.drop(own)
            case ir.Reduce():
                self.reduce(statement, known)
            case ir.Hit(value):
                if self.hits:
                    self.hits[-1].append((value, values.range_of(value, known), known.copy()))
                known.is_dead = True
            case ir.While(test, body):
                self.round(body, known, test)
            case ir.Break():
                if self.breaks:
                    self.breaks[-1].append(known.copy())
                else:
                    values.fault("break", "no loop is around it")
                known.is_dead = True
            case ir.Do(call):
                values.range_of(call, known)
            case ir.Return(results):
                self.returns(results, known)
                known.is_dead = True
            case ir.Copy():
                self.copy(statement, known)
            case ir.Fill(slot, value):
                values.of_program(slot)
                found = values.range_of(value, known)
                self.fits_in(found, slot, value, f"what fills {slot.name}")
                known.forget_slots(frozenset({id(slot)}))
            case ir.Restart():
                known.forget_slots(ALL_SLOTS)
            case ir.Keep(name):
                known.set_local(name, "int", EVERYTHING)
            case ir.Restore(name):
                if name not in known.ranges:
                    values.fault("assignment", f"{name} is put back and may not have been kept")
                known.forget_slots(ALL_SLOTS)
            case ir.Generate(_, slot, given):
                values.of_program(slot)
                for value in given:
                    values.range_of(value, known)
                known.forget_slots(frozenset({id(slot)}))
            case ir.Blank(count, value):
                values.number(count, known)
                found = values.number(value, known)
                values.fits(found, (0, 255), "int", "what blanks an observation", value.type)
            case ir.Fail():
                known.is_dead = True
            case ir.Note() | ir.Fired():
                pass
            case _:
                assert_never(statement)

    def assign(self, name: str, value: ir.Expr, known: Known) -> None:
        """Know a local by what it is given."""
        values = self.values
        found = values.range_of(value, known)
        before = known.types.get(name, value.type)
        if before != value.type and not {before, value.type} <= {"int", "real"}:
            values.fault("type", f"{name} is {before} and is set to {value.type}")
        place = values.places.of(value)
        follows = values.follows(value, known)
        known.set_local(
            name, "real" if before == "real" else value.type, (0, 0) if follows is None else found
        )
        if place is not None and name not in place.locals:
            known.meant = {**known.meant, name: (value, place)}
        if follows:
            known.unless_zero = known.unless_zero.with_one(name, follows.without_locals(frozenset((name,))))

    def store(self, store: ir.Store, known: Known) -> None:
        """Show that what is stored lies in the range of its slot."""
        values, slot = self.values, store.slot
        values.of_program(slot)
        values.index(store.index, slot.length, known, f"a store to {slot.name}", "store")
        found = values.range_of(store.value, known)
        self.fits_in(found, slot, store.value, f"what is stored in {slot.name}")
        known.forget_slots(frozenset({id(slot)}))
        at = values.places.of(ir.Load(slot, store.index, slot.type, slot.low, slot.high))
        if at is not None and id(slot) not in self.slots_of(store.index) and slot.type != "real":
            known.set_fact(at, met(found, (slot.low, slot.high)) or (slot.low, slot.high))

    def slots_of(self, value: ir.Expr) -> frozenset[int]:
        """Return the slots that a value reads."""
        place = self.values.places.of(value)
        return ALL_SLOTS if place is None else place.slots

    def fits_in(self, found: Range, slot: ir.Slot, value: ir.Expr, what: str) -> None:
        """Prove that a value may be stored in a slot; conditions are kept as 0 and 1."""
        low = -1 if slot.unset and value == ir.const(-1) else slot.low
        type = slot.type if {value.type, slot.type} == {"int", "bool"} else value.type
        self.values.fits(found, (low, slot.high), slot.type, what, type)

    def copy(self, copy: ir.Copy, known: Known) -> None:
        """Show that what is copied lies in the range of its slot."""
        slot, table = copy.slot, copy.table
        self.values.of_program(slot, table)
        count = len(table.values) - slot.length + 1
        self.values.index(copy.start, count, known, f"a copy from {table.name}", "copy")
        what = f"{table.name} in {slot.name}"
        self.values.fits((table.low, table.high), (slot.low, slot.high), slot.type, what, table.type)
        known.forget_slots(frozenset({id(slot)}))

    def returns(self, values: tuple[ir.Expr, ...], known: Known) -> None:
        """Show that results lie in the ranges that the signature claims."""
        results = self.function.results
        if len(values) != len(results):
            self.values.fault("return", f"{len(values)} results where {len(results)} are promised")
        for value, result in zip(values, results, strict=False):
            found = self.values.range_of(value, known)
            self.values.fits(found, (result.low, result.high), result.type, "a result", value.type)

    # Loops

    def loop(self, loop: ir.For, known: Known) -> None:
        """Follow a loop that counts."""
        values = self.values
        low, high = values.number(loop.low, known), values.number(loop.high, known)
        if high[1] <= low[0]:
            return
        spread = of_difference(loop.high, loop.low, lambda part: values.quietly(part, known))
        trips = min(high[1] - low[0], spread[1])
        self.round(loop.body, known, None, loop.name, (low[0], high[1] - 1), trips)

    def reduce(self, reduce: ir.Reduce, known: Known) -> None:
        """Follow one round by itself, for all places: no round sees what another one has set."""
        values, result = self.values, reduce.result
        low, high = values.number(reduce.low, known), values.number(reduce.high, known)
        if high[1] <= low[0]:
            return
        spread = of_difference(reduce.high, reduce.low, lambda part: values.quietly(part, known))
        trips = max(0, min(high[1] - low[0], spread[1]))
        own = self.touched(reduce.body)[0] | {reduce.name}
        before = values.quietly(result, known) if result.name in known.ranges else EVERYTHING
        values.range_of(replace(result, low=-math.inf, high=math.inf), known)  # it is set, and of its type
        inside = known.copy()
        inside.drop({*own, result.name})
        inside.set_local(reduce.name, "int", (low[0], high[1] - 1))
        self.hits.append([])
        self.block(reduce.body, inside)
        hits = self.hits.pop()
        known.drop(own)
        for value, one, _ in hits:
            if reduce.how not in {"any", "all", "count"}:
                values.fits(one, EVERYTHING, result.type, "a hit", value.type)
        found = ranges.hull_of([found for _, found, _ in hits])
        match reduce.how:
            case "count":
                known.set_local(result.name, result.type, ranges.after_rounds(before, (0, 1), trips))
            case "sum":
                known.set_local(result.name, result.type, ranges.after_rounds(before, found or (0, 0), trips))
            case "collect":
                self.collects(reduce, found, before, trips, known)
            case _:
                truth = int(reduce.how == "any"), int(reduce.how == "any")
                for _, one, way in hits:
                    way.drop(own)
                    way.set_local(result.name, result.type, one if reduce.how in {"first", "last"} else truth)
                    known.become(joined(known, way, values.places))

    def collects(
        self, reduce: ir.Reduce, found: Range | None, before: Range, trips: float, known: Known
    ) -> None:
        """Follow what is collected."""
        slot = reduce.slot
        if slot is None or found is None:
            return
        if before[0] < 0 or before[1] + trips > slot.length:
            text = f"{slot.name} at {before[0]} to {before[1] + trips - 1}, of {slot.length}"
            self.values.fault("store", f"a collection into {text}")
        self.values.of_program(slot)
        self.fits_in(found, slot, reduce.result, f"what is collected in {slot.name}")
        known.forget_slots(frozenset({id(slot)}))
        known.set_local(reduce.result.name, "int", ranges.after_rounds(before, (0, 1), trips))

    def round(
        self,
        body: ir.Block,
        known: Known,
        test: ir.Expr | None,
        name: str = "",
        number: Range = EVERYTHING,
        trips: float = math.inf,
    ) -> None:
        """Follow a loop: its body, from what holds before a round; faults count in the last that is followed alone."""
        entry = known.copy()
        start = entry.copy()
        sets, slots = self.touched(body)
        start.forget_locals(sets)
        start.forget_slots(slots)
        if test is not None:
            start.forget_slots(written_by(test, self.writes))
        own = [local for local in sets if local in start.ranges and local != name]
        noted = len(self.values.faults)

        def follow(start: Known) -> Round:
            del self.values.faults[noted:]
            start.forget_what_is_proved()
            return self.followed(body, start, entry, test, name, number)

        counted = set[str]() if math.isinf(trips) else set(own)
        rounds = Rounds(body, entry, start, own, counted, trips, follow, partial(self.added, body))
        if id(body) in self.settled:
            rounds.go_on_from(self.settled[id(body)])
        _, end, left = rounds.last()
        self.settled[id(body)] = rounds.settled()
        for other in left:
            end = joined(end, other, self.values.places)
        known.become(end)

    def touched(self, body: ir.Block) -> tuple[set[str], frozenset[int]]:
        """Return the locals that the body of a loop sets, and the slots, by identity, that it writes to."""
        if id(body) not in self.bodies:
            sets = {name for statement in ir.statements(body) for name in ir.sets(statement)}
            self.bodies[id(body)] = sets, written(body, self.writes)
        return self.bodies[id(body)]

    def followed(
        self, body: ir.Block, start: Known, entry: Known, test: ir.Expr | None, name: str, number: Range
    ) -> Round:
        """Follow one round."""
        inside, values = start.copy(), self.values
        end = entry
        if name:
            inside.set_local(name, "int", number)
        if test is not None:
            values.test(test, inside)
            end = inside.copy()
            values.learn(test, False, end)
            values.learn(test, True, inside)
        self.breaks.append([])
        self.block(body, inside)
        left = self.breaks.pop()
        return Round(inside, joined(end, inside, values.places) if test is None else end, left)

    def added(self, body: ir.Block, local: str, known: Known) -> Range | None:
        """Return what a round adds to a local at most, both ways; None where it does more than add."""
        low: float = 0
        high: float = 0
        for statement in body:
            more: Range | None = (0, 0)
            match statement:
                case ir.Let(name, value) if name == local:
                    more = (0, 0) if isinstance(value, ir.Const) else self.added_by(local, value, known)
                case ir.Keep(name) if name == local:
                    return None
                case ir.If(_, then, otherwise):
                    first, second = self.added(then, local, known), self.added(otherwise, local, known)
                    more = None if first is None or second is None else hull(first, second)
                case ir.For(name=name, body=block) | ir.ForEach(name=name, body=block):
                    once = None if name == local else self.added(block, local, known)
                    if once is None:
                        return None
                    if once != (0, 0):
                        times = self.trips(statement, known)
                        more = (ranges.scaled(once[0], times), ranges.scaled(once[1], times))
                case ir.Reduce(how="count" | "collect", result=result) if result.name == local:
                    more = (0, self.trips(statement, known))
                case ir.Reduce(how="sum", result=result) if result.name == local:
                    hits = [part.value for part in ir.statements(statement.body) if isinstance(part, ir.Hit)]
                    found = ranges.hull_of([self.values.quietly(value, known) for value in hits]) or (0, 0)
                    times = self.trips(statement, known)
                    more = (ranges.scaled(found[0], times), ranges.scaled(found[1], times))
                case ir.Reduce(result=result) | ir.Bind(name=result) if local in ir.sets(statement):
                    return None
                case ir.While(_, block) if self.added(block, local, known) != (0, 0):
                    return None
            if more is None:
                return None
            low, high = low + min(0, more[0]), high + max(0, more[1])
        return low, high

    def trips(self, loop: ir.For | ir.ForEach | ir.Reduce, known: Known) -> float:
        """Return how many rounds a loop has at most."""
        spread = of_difference(loop.high, loop.low, lambda part: self.values.quietly(part, known))
        return max(0, spread[1])

    def added_by(self, local: str, value: ir.Expr, known: Known) -> Range | None:
        """Return what a value adds to a local; None where it gives it another."""
        match value:
            case ir.Op("+", (ir.Local(name), more)) if name == local:
                return self.values.quietly(more, known)
            case ir.Op("-", (ir.Local(name), less)) if name == local:
                low, high = self.values.quietly(less, known)
                return -high, -low
        return None
