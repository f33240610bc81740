"""Values where something is known: their ranges and types, what they claim, and what tests tell."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from griddsl.program import ir
from griddsl.program.printer import print_expression
from griddsl.program.proof.claims import Claims
from griddsl.program.proof.joining import joined
from griddsl.program.proof.known import NOTHING, Facts, Knowledge, Known, Place, Places
from griddsl.program.proof.ranges import (
    Range,
    hull,
    lies_in,
    met,
    of_entries,
    of_operator,
    places_of,
    rest_of_sum,
    rounded_down,
)
from griddsl.program.proof.written import ALL_SLOTS, Writes, written_by

MANY_PARTS = 24  # of a value: to look for what is known of it costs less than to prove it
MOST_WAYS = 6  # of a condition to fail, each followed by itself
_RECKONING = frozenset({"+", "-", "*", "//", "%", "neg", "abs", "min", "max", "|", "&", "<<", ">>"})
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_REVERSED = {">": "<", ">=": "<="}


@dataclass(slots=True)
class Values(Claims):
    """Proves the values of one function; ``writes`` are the slots, by identity, that functions write to."""

    writes: Writes
    places: Places
    is_parted: bool = False  # into ways; those within ways, each twice as many, are not followed
    called: dict[int, frozenset[int]] = field(default_factory=dict)
    before: dict[int, list[tuple[Knowledge, Range]]] = field(default_factory=dict)  # see `_found_once`

    def range_of(self, value: ir.Expr, known: Known) -> Range:
        """Return the range of a value, and prove what it claims."""
        if isinstance(value, ir.Const):
            return value.low, value.high
        place = self.places.of(value)
        if place is None:
            found = self._found(value, known)
        else:
            remembered = (known.read if self.is_quiet else known.proved).get(id(value))
            if remembered is not None:
                return remembered
            found = self._found_once(value, place, known)
            fact = known.facts.get(place)
            found = found if fact is None else met(found, fact) or found
        if value.type != "real" and not lies_in(found, (value.low, value.high)):
            text = print_expression(value)
            self.fault("range", f"{text} is from {found[0]} to {found[1]}, not {value.low} to {value.high}")
            found = met(found, (value.low, value.high)) or (value.low, value.high)
        if place is not None:
            known.read[id(value)] = found
            if not self.is_quiet:
                known.proved[id(value)] = found
        return found

    def quietly(self, value: ir.Expr, known: Known) -> Range:
        """Return the range of a value, which is proved elsewhere."""
        if isinstance(value, ir.Const):
            return value.low, value.high
        self.is_quiet += 1
        found = self.range_of(value, known if self.places.of(value) is not None else known.copy())
        self.is_quiet -= 1
        return found

    def test(self, value: ir.Expr, known: Known) -> None:
        """Prove a condition."""
        if value.type != "bool":
            self.fault("type", f"{print_expression(value)} is {value.type} and no condition")
        self.range_of(value, known)

    def number(self, value: ir.Expr, known: Known) -> Range:
        """Return the range of a whole number, and prove it."""
        if value.type != "int":
            self.fault("type", f"{print_expression(value)} is {value.type} and no whole number")
        return self.range_of(value, known)

    def index(self, value: ir.Expr, length: int, known: Known, what: str, kind: str) -> Range:
        """Return the range of an index, and prove that it lies below a length."""
        found = self.number(value, known)
        least = -1 if kind == "lookup" else 0
        if found[0] < least or found[1] >= length:
            text = print_expression(value)
            self.fault(kind, f"{what} at {text}, from {found[0]} to {found[1]}, of {length}")
        return found

    def _found_once(self, value: ir.Expr, place: Place, known: Known) -> Range:
        """Return the range of a pure value, which is proved once where the same is known of all that it reads.

        A loop in loops is followed in each of their rounds, of which few know more of a long condition in it.
        """
        if place.parts < MANY_PARTS:
            return self._found(value, known)
        about, earlier = known.about(place, self.is_parted), self.before.setdefault(id(value), [])
        for same, found in earlier:
            if same == about:
                return found
        noted = len(self.faults)
        found = self._found(value, known)
        if not self.is_quiet and len(self.faults) == noted:
            earlier.append((about, found))
        return found

    def _found(self, value: ir.Expr, known: Known) -> Range:
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
                self.is_of(value, slot.type)
                self.index(index, slot.length, known, f"a load of {slot.name}", "load")
                return slot.low, slot.high
            case ir.Lookup(table, index):
                self.of_program(table)
                self.is_of(value, table.type)
                what = f"a look-up in {table.name}"
                return of_entries(table, self.index(index, len(table.values), known, what, "lookup"))
            case ir.Select(test, then, otherwise):
                self.test(test, known)
                first, second = known.copy(), known.copy()
                self.learn(test, True, first)
                self.learn(test, False, second)
                if first.is_dead:
                    return self.range_of(otherwise, second)
                if second.is_dead:
                    return self.range_of(then, first)
                found = hull(self.range_of(then, first), self.range_of(otherwise, second))
                self._forget_calls(value, known)
                return found
            case ir.Op("and" | "or" as operator, values):
                inside = known.copy()
                for part in values:
                    self.test(part, inside)
                    self.learn(part, operator == "and", inside)
                    if inside.is_dead:
                        break
                self._forget_calls(value, known)
                return 0, 1
            case ir.Op():
                return self._operated(value, known)
            case ir.Call():
                return self._called(value, known)
            case ir.Draw():
                return self._drawn(value, known)
            case ir.Ask(_, values):
                for part in values:
                    self.range_of(part, known)
                return value.low, value.high
            case ir.Claim(inner):
                found = self.range_of(inner, known)
                both = met(found, (value.low, value.high))
                if both is None:
                    text = print_expression(value)
                    self.fault("claim", f"{text} is from {found[0]} to {found[1]}: {value.because}")
                return both or (value.low, value.high)
        raise AssertionError(value)

    def _forget_calls(self, value: ir.Expr, known: Known) -> None:
        """Forget what calls may write to that are made only sometimes."""
        if self.places.of(value) is None:
            known.forget_slots(self._written(value))

    def _written(self, value: ir.Expr) -> frozenset[int]:
        """Return what the calls in a value of the program may write to, which is found once."""
        if id(value) not in self.called:
            self.called[id(value)] = written_by(value, self.writes)
        return self.called[id(value)]

    def _operated(self, value: ir.Op, known: Known) -> Range:
        operator, values = value.operator, value.values
        ranges = [self.range_of(part, known) for part in values]
        types = {part.type for part in values}
        if operator in _RECKONING and "bool" in types:
            self.fault("type", f"{print_expression(value)} reckons with a condition")
        if operator in _OPPOSITE and "bool" in types and len(types) > 1:
            self.fault("type", f"{print_expression(value)} compares a condition with a number")
        if operator == "not" and values[0].type != "bool":
            self.fault("type", f"{print_expression(value)} denies a number")
        if operator in _RECKONING and value.type != "real" and "real" in types:
            self.fault("type", f"{print_expression(value)} is real and read as {value.type}")
        found = self._rounded_down(value, ranges) or of_operator(value, ranges)
        if found is None:
            self.fault("division", f"{print_expression(value)} may divide by zero")
        return found or (value.low, value.high)

    def _rounded_down(self, value: ir.Op, ranges: list[Range]) -> Range | None:
        """Return the range of ``x - x % n``, the multiple of ``n`` below ``x``."""
        if value.operator != "-" or value.type == "real":
            return None
        match value.values:
            case (whole, ir.Op("%", (same, ir.Const(int(number))))) if number > 0:
                place = self.places.of(whole)
                if place is not None and place is self.places.of(same):
                    return rounded_down(ranges[0], number)
        return None

    def _drawn(self, draw: ir.Draw, known: Known) -> Range:
        given = [self.range_of(part, known) for part in draw.values]
        if draw.how == "draw":
            if given[0][0] < 1:
                text = print_expression(draw.values[0])
                self.fault("draw", f"a number below {text}, which may be {given[0][0]}")
            return 0, max(0, given[0][1] - 1)
        if draw.how == "weighted" and draw.totals is not None:
            self.of_program(draw.totals)
            return 0, len(draw.totals.values) - 1
        return 0, 1

    def _called(self, call: ir.Call, known: Known) -> Range:
        given = [self.range_of(part, known) for part in call.values]
        function = self.program.functions.get(call.function)
        if function is None:
            self.fault("name", f"no function is called {call.function}")
            known.forget_slots(ALL_SLOTS)
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
        self.is_of(call, result.type)
        return result.low, result.high

    # What tests find

    def learn(self, test: ir.Expr, truth: bool, known: Known) -> None:
        """Take in that a test holds, or does not; what its own calls write to may be another thing by then."""
        if self.places.of(test) is None:
            written = self._written(test)
            known.forget_slots(written)
            self._learn(test, truth, known)
            known.forget_slots(written)
        else:
            self._learn(test, truth, known)

    def _learn(self, test: ir.Expr, truth: bool, known: Known) -> None:
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
                elif len(values) <= MOST_WAYS and not self.is_parted:
                    self.is_parted = True
                    ways, before = None, known.copy()
                    for part in values:
                        way = before.copy()
                        self.learn(part, truth, way)
                        ways = way if ways is None else joined(ways, way, self.places)
                        self.learn(part, not truth, before)
                    self.is_parted = False
                    assert ways is not None
                    known.become(ways)
            case ir.Op("==" | "!=" | "<" | "<=" | ">" | ">=" as operator, (left, right)):
                self._compare(operator if truth else _OPPOSITE[operator], left, right, known)
            case ir.Local() | ir.Load() | ir.Lookup() if test.type == "bool":
                self.narrow(test, (int(truth), int(truth)), known)
            case ir.Select(inner, then, otherwise) if test.type == "bool":
                first, second = known.copy(), known.copy()
                self.learn(inner, True, first)
                self.learn(then, truth, first)
                self.learn(inner, False, second)
                self.learn(otherwise, truth, second)
                known.become(joined(first, second, self.places))

    def follows(self, value: ir.Expr, known: Known) -> Facts | None:
        """Return what is known where a condition holds; None where it never does."""
        if value.type != "bool":
            return NOTHING
        if self.places.of(value) is None and self._written(value):
            return NOTHING
        inside = known.copy()
        self.learn(value, True, inside)
        return None if inside.is_dead else inside.beyond(known, self.places)

    def narrow(self, value: ir.Expr, found: Range, known: Known, own: Range | None = None) -> None:
        """Take in that a value lies in a range; ``own`` is the one that is known."""
        if isinstance(value, ir.Const):
            known.is_dead = known.is_dead or met((value.low, value.high), found) is None
            return
        own = own or self.quietly(value, known)
        both = met(own, found)
        if both is None:
            known.is_dead = True
            return
        place = self.places.of(value)
        if both == own and not isinstance(value, ir.Local):
            return
        match value:
            case ir.Local(name):
                self._narrow_local(name, both, known)
                return
            case ir.Claim(inner):
                self.narrow(inner, both, known)
                return
            case ir.Select():
                self._narrow_ways(value, both, known)
            case ir.Lookup(table, index):
                places = places_of(table, self.quietly(index, known), both)
                if places is None:
                    known.is_dead = True
                    return
                self.narrow(index, places, known)
            case ir.Op("+", (left, right)):
                a, b = self.quietly(left, known), self.quietly(right, known)
                self.narrow(left, rest_of_sum(both, b), known)
                self.narrow(right, rest_of_sum(both, a), known)
            case ir.Op("-", (left, right)):
                a, b = self.quietly(left, known), self.quietly(right, known)
                self.narrow(left, (both[0] + b[0], both[1] + b[1]), known)
                self.narrow(right, rest_of_sum(a, both), known)
        if place is not None:
            known.set_fact(place, both)

    def _narrow_ways(self, value: ir.Select, found: Range, known: Known) -> None:
        """Take in that one of two values lies in a range: each way is followed, unless it is shut."""
        first, second = known.copy(), known.copy()
        self.learn(value.test, True, first)
        if not first.is_dead:
            self.narrow(value.then, found, first)
        self.learn(value.test, False, second)
        if not second.is_dead:
            self.narrow(value.otherwise, found, second)
        known.become(joined(first, second, self.places))

    def _narrow_local(self, name: str, found: Range, known: Known) -> None:
        if name in known.ranges:
            known.set_range(name, found)
        if name in known.meant:
            meant, _ = known.meant[name]
            if meant.type != "bool":
                self.narrow(meant, found, known)
            elif found[0] == found[1]:
                self.learn(meant, bool(found[0]), known)
        if not found[0] <= 0 <= found[1]:
            known.take_in(known.unless_zero.get(name, NOTHING))

    def _compare(self, operator: str, left: ir.Expr, right: ir.Expr, known: Known) -> None:
        if "real" in (left.type, right.type):
            return
        a, b = self.quietly(left, known), self.quietly(right, known)
        match operator:
            case "==":
                self.narrow(left, b, known, a)
                self.narrow(right, a, known, b)
            case "!=":
                for value, own, other in ((left, a, b), (right, b, a)):
                    if other[0] != other[1]:
                        continue
                    if own == other:
                        known.is_dead = True
                    elif own[0] == other[0]:
                        self.narrow(value, (own[0] + 1, own[1]), known, own)
                    elif own[1] == other[0]:
                        self.narrow(value, (own[0], own[1] - 1), known, own)
            case "<":
                self.narrow(left, (-math.inf, b[1] - 1), known, a)
                self.narrow(right, (a[0] + 1, math.inf), known, b)
            case "<=":
                self.narrow(left, (-math.inf, b[1]), known, a)
                self.narrow(right, (a[0], math.inf), known, b)
            case _:
                self._compare(_REVERSED[operator], right, left, known)
