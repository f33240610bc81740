"""A program walked statement by statement while JAX traces: what is left behind is one expression of arrays.

Both branches of an ``if`` are walked. Writes to slots of many entries, draws and failures are masked with the tests
around them; locals and slots of one entry are chosen between where the branches come together.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from griddsl.backends.jax import output, stream
from griddsl.backends.jax.arrays import Collected, DType, Mask, Traced, Value, entries, written
from griddsl.backends.jax.kinds import dtype_of
from griddsl.backends.jax.known.told import Told
from griddsl.backends.jax.loops import rounds, serial
from griddsl.backends.jax.loops.owing import Owed, owed_of_either
from griddsl.backends.jax.maps import GENERATORS
from griddsl.backends.jax.origins import Origins
from griddsl.backends.jax.pending import Pending, may_wait, noted
from griddsl.backends.jax.settling import before_rounds, settled
from griddsl.backends.jax.sharing import Shared
from griddsl.backends.jax.values import as_type, both, either, inverted, kind_of_both, row_of, traced
from griddsl.backends.jax.walking import Locals
from griddsl.program import ir
from griddsl.program.passes.effects import EVERYTHING, NOTES, STREAM
from griddsl.program.passes.independent import unset_reads
from griddsl.program.program import Program


class Walk:
    """One run of functions of a program on a state: slots by name, the counter of the stream, whether setup failed."""

    def __init__(self, program: Program, told: Told, whole: DType, shared: Shared | None = None) -> None:
        self.program, self.functions, self.whole = program, told.functions, whole
        self.shared = shared or Shared(told.functions)
        self.told, self.known, self.written, self.passing = told, told.known, told.written, told.passing
        self.slots: Mapping[str, ir.Slot] = {slot.name: slot for slot in program.slots}
        self.dtypes = {name: dtype_of(slot, whole) for name, slot in self.slots.items()}
        self.arrays: dict[str, Any] = {}
        self.before: Mapping[str, Any] = {}  # slots as they were at first
        self.origins = Origins()
        self.counter: Traced = None
        self.failed: Any = False
        self.out: Traced = None
        self.shape: tuple[int, ...] = ()  # of the loops around, the innermost first
        self.joins = False  # whether tests are found where they are asked, and not before
        self.waiting: dict[str, Any] = {}  # slots that are counted down later, and whether they are
        self.owed: dict[str, Owed] = {}  # counts that are not found before somebody asks
        # A loop that is not run where it stands, and with what it would have been.
        self.drawing: tuple[ir.ForEach, list[Any]] | None = None
        self.marks: list[tuple[Any, Any, Any]] | None = (
            None  # what a loop marks that only marks, and in which plane
        )

    # Slots

    def fresh(self, name: str) -> Traced:
        """Return what a slot starts as."""
        slot = self.slots[name]
        values = np.zeros(slot.length) if slot.initial is None else np.asarray(slot.initial)
        array = jnp.asarray(values.astype(self.dtypes[name]))
        return array[0] if slot.length == 1 else array

    def whole_array(self, name: str) -> Traced:
        """Return a slot as an array, a number where its length is 1."""
        self.count((name,))
        if name not in self.arrays:
            self.arrays[name] = self.fresh(name)
        found = self.arrays[name]
        if isinstance(found, Collected | Pending):
            found = self.arrays[name] = found.whole(self.slots[name].length, self.dtypes[name])
        return found

    def count(self, names: Collection[str]) -> None:
        """Find the counts that are owed and among these slots."""
        for name, owed in list(self.owed.items()):
            if EVERYTHING in names or name in names:
                del self.owed[name]
                serial.found_below(self, owed.loop, owed.slot, {}, owed.flag)

    def put_in(self, names: Collection[str]) -> None:
        """Let what has been written to slots one by one be in their rows, and all counts be found."""
        self.count({EVERYTHING})
        for name, held in list(self.arrays.items()):
            if isinstance(held, Pending) and (name in names or EVERYTHING in names):
                self.whole_array(name)

    def know(self, name: str, value: int) -> None:
        """Let it be known while the program is traced what a slot of one entry holds, which it does."""
        self.arrays[name] = self.dtypes[name](value)
        self.before = {**self.before, name: self.arrays[name]}

    def settle(self) -> None:
        """Let all slots that changed, and are asked for, be found before anything else is made of them."""
        self.count({EVERYTHING})
        names = [
            name
            for name, array in self.arrays.items()
            if name in self.told.asked - self.passing and array is not self.before.get(name)
        ]
        rows = settled([self.whole_array(name) for name in names])
        self.arrays.update(zip(names, rows, strict=True))

    def settle_locals(self, body: Sequence[ir.Stmt], given: Locals) -> None:
        """Let the locals that the rounds of a loop read be found before the loop, and not again in each round."""
        self.origins.settle(sorted(unset_reads(list(body), ()) & given.keys()), given)

    def _held(self, name: str) -> Any:
        """Return a slot as it is held."""
        self.count((name,))
        return self.arrays[name] if name in self.arrays else self.whole_array(name)

    def store(self, slot: ir.Slot, index: Value, value: Value, kind: str, mask: Mask) -> None:
        """Write an entry of a slot, or one in each round of the loops around."""
        name = slot.name
        self.count([each for each, owed in self.owed.items() if owed.ends_with(name, value)])
        value = traced(value, kind, self.whole)
        if slot.length == 1:
            value = lax.convert_element_type(value, self.dtypes[name])
            if value.ndim:  # a loop of one round
                value = value.reshape(-1)[0]
                mask = mask if mask is True else jnp.reshape(mask, -1)[0]
                value = value if mask is True else jnp.where(mask, value, self.whole_array(name))
            self.arrays[name] = value
            return
        waits = may_wait(slot.length, index, value, mask) and not self.shape
        held = self.arrays.get(name)
        held = held if waits and isinstance(held, Pending) else self.whole_array(name)
        self.arrays[name] = (noted if waits else written)(held, index, value, mask)

    # Functions and blocks

    def call(self, name: str, values: Sequence[Value], mask: Mask = True) -> tuple[Any, ...]:
        """Run a function where the mask holds; return its results."""
        if name in self.shared.names and not self.shape and self.drawing is None:
            return self._shared(name, values, mask)
        return self._inlined(name, values, mask)

    def _shared(self, name: str, values: Sequence[Value], mask: Mask) -> tuple[Any, ...]:
        """Run a function that stands once in what is compiled, however often it is called."""
        function = self.functions[name]
        effects = self.known.of(name)
        touched = effects.reads | effects.writes
        slots = [slot for slot in self.slots if slot in touched or EVERYTHING in touched]
        slots = [slot for slot in slots if slot not in self.passing]
        written = [slot for slot in slots if slot in effects.writes or EVERYTHING in effects.writes]

        def run(given: list[Any], arrays: dict[str, Any], counter: Any, flags: Any) -> Any:
            walk = Walk(self.program, self.told, self.whole, self.shared)
            walk.arrays.update(arrays)
            walk.counter, (walk.failed, walk.waiting, mask) = counter, flags
            found = walk._inlined(name, given, mask)
            kinds = [result.type for result in function.results]
            results = [traced(value, kind, self.whole) for value, kind in zip(found, kinds, strict=True)]
            arrays = {slot: walk.whole_array(slot) for slot in written}
            return results, arrays, walk.counter, walk.failed, walk.waiting

        given = [
            traced(value, parameter.type, self.whole)
            for value, parameter in zip(values, function.parameters, strict=True)
        ]
        arrays = {slot: self.whole_array(slot) for slot in slots}
        flags = jax.tree.map(lambda flag: jnp.asarray(flag, np.bool_), (self.failed, self.waiting, mask))
        found = self.shared.function(name, run)(given, arrays, self.counter, flags)
        results, arrays, counter, failed, waiting = found
        # A slot of one entry is written without a mask: where branches come together, one is chosen.
        self.arrays.update(arrays)
        if effects.writes & {STREAM, EVERYTHING}:
            self.counter = counter
        if effects.writes & {NOTES, EVERYTHING}:
            self.failed = failed
        if effects.writes:
            self.waiting = waiting
        return tuple(results)

    def _inlined(self, name: str, values: Sequence[Value], mask: Mask) -> tuple[Any, ...]:
        """Run a function as a part of what is traced now."""
        function = self.functions[name]
        given: Locals = {each.name: value for each, value in zip(function.parameters, values, strict=True)}
        found = self.block(function.body, given, mask)
        return () if found is None else found

    def block(self, block: Sequence[ir.Stmt], given: Locals, mask: Mask) -> tuple[Any, ...] | None:
        """Run statements; return the results where they end with a `Return`."""
        for statement in block:
            if isinstance(statement, ir.Return):
                return tuple(self.value(value, given, mask) for value in statement.values)
            self.statement(statement, given, mask)
        return None

    def statement(self, statement: ir.Stmt, given: Locals, mask: Mask) -> None:
        """Run a statement."""
        match statement:
            case ir.Let(name, value):
                given[name] = self.value(value, given, mask)
            case ir.Bind(name, source):
                given[name] = self._bound(source, given, mask)
            case ir.Do(call):
                self.call(call.function, [self.value(value, given, mask) for value in call.values], mask)
            case ir.Store(slot, index, value):
                self.store(
                    slot,
                    self.value(index, given, mask),
                    self.value(value, given, mask),
                    value.type,
                    mask,
                )
            case ir.Out(index, value):
                if self.marks is not None:
                    plane = self.value(value, given, mask)
                    self.marks.append((plane, self.value(index, given, mask), mask))
                    return
                found = traced(self.value(value, given, mask), value.type, self.whole)
                planes = output.in_planes(index)[1]
                self.out = output.put(self.out, self.value(index, given, mask), found, mask, planes)
            case ir.If(test, then, otherwise):
                self._if(test, then, otherwise, given, mask)
            case ir.For() | ir.ForEach() | ir.Reduce() | ir.While():
                rounds.run(self, statement, given, mask)
            case ir.Note() | ir.Fired():
                pass
            case _:
                self._whole(statement, given, mask)

    def _whole(self, statement: ir.Stmt, given: Locals, mask: Mask) -> None:
        """Run a statement that is about whole slots, or all of them."""
        self.count({EVERYTHING})
        match statement:
            case ir.Copy(slot, table, start):
                self._put(slot.name, row_of(table, self.value(start, given, mask), slot.length), mask)
            case ir.Fill(slot, value):
                filled = traced(self.value(value, given, mask), value.type, self.whole)
                self._put(slot.name, jnp.broadcast_to(filled, (slot.length,)), mask)
            case ir.Restart():
                for name, slot in self.slots.items():
                    if slot.saved or name in self.arrays or slot.initial is not None:
                        self._put(name, jnp.reshape(self.fresh(name), -1), mask)
            case ir.Keep(name):
                self.put_in({EVERYTHING})
                given[name] = {
                    each: array
                    for each, array in self.arrays.items()
                    if each not in self.passing and self.slots[each].type != "real"
                }
            case ir.Restore(name):
                for each, array in given[name].items():
                    if self.arrays.get(each) is not array:
                        slot = self.slots[each]
                        if isinstance(array, Collected):
                            array = array.whole(slot.length, self.dtypes[each])
                        self._put(each, jnp.reshape(array, -1), mask)
            case ir.Generate(generator, slot, values):
                numbers = [int(self.value(value, given, mask)) for value in values]
                tiles, self.counter = GENERATORS[generator](self.counter, mask, *numbers)
                self._put(slot.name, tiles, mask)
            case ir.Blank(count, value):
                shown = traced(self.value(value, given, mask), "int", self.whole)
                shown = lax.convert_element_type(shown, output.as_row(self.out).dtype)
                self.out = output.blank(self.out, self.value(count, given, mask), shown, mask)
            case ir.Fail():
                self.failed = either(self.failed, mask)
            case _:
                raise AssertionError(statement)

    def _put(self, name: str, row: Traced, mask: Mask) -> None:
        """Write a whole slot."""
        row = lax.convert_element_type(row, self.dtypes[name])
        if self.slots[name].length == 1:
            # Where branches come together one of their values is chosen: no mask is needed.
            self.arrays[name] = row[0]
        else:
            self.arrays[name] = row if mask is True else jnp.where(mask, row, self.whole_array(name))

    def _if(self, test: ir.Expr, then: ir.Block, otherwise: ir.Block, given: Locals, mask: Mask) -> None:
        found = as_type(self.value(test, given, mask), "bool", self.whole)
        if isinstance(found, bool | np.bool_):
            self.block(then if found else otherwise, given, mask)
            return
        if not self.joins:
            found = before_rounds(self, found) if self.shape else settled(found)
        # A side that does nothing has no mask: one that is found is found even where nobody asks for it.
        masks = [both(mask, found) if then else False, both(mask, inverted(found)) if otherwise else False]
        if self.shape and self.marks is None:
            # What is written in many rounds is masked many times, with one mask; what is marked is so once.
            masks = settled(masks)
        first_mask, second_mask = masks
        before, singles, owed = dict(given), self.singles(), dict(self.owed)
        self.block(then, given, first_mask)
        first, first_singles, first_owed = dict(given), self.singles(), self.owed
        self.owed = owed
        given.clear()
        given.update(before)
        self.arrays.update(singles)
        for name in first_singles.keys() - singles.keys():
            self.arrays[name] = self.fresh(name)
        self.block(otherwise, given, second_mask)
        self.owed = owed_of_either(found, first_owed, self.owed)
        self.merge(found, first, given)
        for name in self.singles().keys() - first_singles.keys():
            first_singles[name] = self.fresh(name)
        for name, value in first_singles.items():
            if value is not self.arrays[name]:
                self.arrays[name] = jnp.where(found, value, self.arrays[name])

    def singles(self) -> dict[str, Any]:
        """Return the slots of one entry as they are now."""
        return {name: value for name, value in self.arrays.items() if self.slots[name].length == 1}

    def merge(self, test: Value, first: Locals, given: Locals) -> None:
        """Let each local be that of ``first`` where a test holds; nobody asks for one that only one side set."""
        for name in [*given]:
            if name not in first:
                del given[name]
            elif first[name] is not given[name] and not isinstance(given[name], dict):
                kind = kind_of_both(first[name], given[name])
                given[name] = self.origins.chosen(test, first[name], given[name], kind, self.whole)

    def _bound(self, source: ir.Expr, given: Locals, mask: Mask) -> Any:
        """Return what a draw or a function with effects gives."""
        match source:
            case ir.Call(function, values):
                (found,) = self.call(function, [self.value(value, given, mask) for value in values], mask)
                return found
            case ir.Draw(values=values):
                before, parts = self.counter, [self.value(part, given, mask) for part in values]
                found, after = stream.drawn(before, source, parts, mask, self.whole)
                self.counter = after if mask is True else jnp.where(mask, after, before)
                return found
        raise AssertionError(source)

    # Expressions

    def value(self, value: ir.Expr, given: Locals, mask: Mask) -> Any:
        """Return the value of an expression; it has no effects."""
        match value:
            case ir.Const(type="real"):
                return float(value.value)
            case ir.Const(type="bool"):
                return bool(value.value)
            case ir.Const():
                return int(value.value)
            case ir.Local(name):
                return given[name]
            case ir.Claim(inner):
                return self.value(inner, given, mask)
            case ir.Load(slot, index):
                place = 0 if slot.length == 1 else self.value(index, given, mask)
                return self._loaded(slot, place)
            case ir.Lookup():
                return self.origins.looked_up(value, lambda part: self.value(part, given, mask), self.whole)
            case ir.Select(test, then, otherwise):
                found = before_rounds(self, self.value(test, given, mask))
                if isinstance(found, bool | np.bool_):
                    return self.value(then if found else otherwise, given, mask)
                first, second = self.value(then, given, mask), self.value(otherwise, given, mask)
                return self.origins.chosen(found, first, second, value.type, self.whole)
            case ir.Op(sign, values):
                return self._operator(value, sign, values, given, mask)
            case ir.Call(function, values):
                (found,) = self.call(function, [self.value(part, given, mask) for part in values], mask)
                return found
        raise AssertionError(value)

    def _loaded(self, slot: ir.Slot, place: Value) -> Any:
        held, length, kind = self._held(slot.name), slot.length, self.dtypes[slot.name]
        if isinstance(held, Pending):
            if not np.ndim(place):
                return as_type(held.pick(place, length, kind), slot.type, self.whole)
            held = self.whole_array(slot.name)

        def find(row: Any, at: Value) -> Any:
            size = length if row is held else row.shape[0]
            return as_type(entries(row, at, size, kind), slot.type, self.whole)

        is_plain = isinstance(held, Collected) or length == 1
        return find(held, place) if is_plain else self.origins.loaded(held, place, slot.type, find)

    def _operator(
        self, value: ir.Op, sign: str, values: tuple[ir.Expr, ...], given: Locals, mask: Mask
    ) -> Any:
        found: list[Any] = []
        for part in values:
            found.append(before_rounds(self, self.value(part, given, mask)))
            if sign in {"and", "or"} and isinstance(found[-1], bool) and found[-1] == (sign == "or"):
                return found[-1]
        kinds, lows = [part.type for part in values], [part.low for part in values]
        return self.origins.operated(sign, found, kinds, lows, value.type, self.whole)
