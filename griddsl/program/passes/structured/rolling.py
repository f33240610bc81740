"""Rolling: what is done several times in a row, each time for other names, is a loop over them.

A setup carries out a definition for the first task, the second and the third; each has slots of its own, and numbers of
its own in its conditions. Who compiles a long program slowly would compile all of them. Here the values of these slots
lie side by side while the loop runs, each time in the slots of the first, and are put back behind it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from griddsl.program import ir
from griddsl.program.passes.alike import Alike, Own, is_alone, without_notes
from griddsl.program.passes.effects import EVERYTHING, Known

LEAST = 60  # statements of what is done each time: less is compiled as it stands

# What ends what is done, or touches slots otherwise than one by one, and what is written in a row.
_REFUSED = (ir.Restart, ir.Return, ir.Break, ir.Hit, ir.Out, ir.Blank)


@dataclass(slots=True)
class Rolled:
    """The functions, and the slots and tables that their loops need beside those of the program."""

    functions: dict[str, ir.Function]
    slots: list[ir.Slot] = field(default_factory=list)
    tables: list[ir.Table] = field(default_factory=list)


def rolled(functions: Mapping[str, ir.Function]) -> Rolled:
    """Return functions without `Break` that do the same, in which such repetitions are loops."""
    made = Rolled(dict(functions))
    known = Known(functions)
    for name, function in functions.items():
        rolling = _Rolling(made, known, ir.names_in(function), ir.times_read(function.body))
        made.functions[name] = replace(function, body=rolling.block(function.body))
    return made


def _size(block: Sequence[ir.Stmt]) -> int:
    """Return the number of statements, without comments."""
    return sum(not isinstance(statement, ir.Note) for statement in ir.statements([*block]))


@dataclass(frozen=True, slots=True)
class _Turn:
    """What is done one of the times: statements, where a test holds; ``length`` is how many it stands for."""

    test: ir.Expr
    body: ir.Block
    length: int

    @property
    def sizes(self) -> list[int]:
        """The sizes of its statements: what is alike is as long."""
        return [_size([statement]) for statement in self.body]


def _turns(block: Sequence[ir.Stmt], sizes: Sequence[int]) -> Iterator[_Turn]:
    """Yield the first of what may be done in turns: some statements, under a condition or without one."""
    match block[0]:
        case ir.If(test, then, []) if sizes[0] > LEAST:
            yield _Turn(test, without_notes(then), 1)
    for length in range(1, len(block)):
        if sum(sizes[:length]) >= LEAST:
            yield _Turn(ir.TRUE, [*block[:length]], length)


def _next(block: Sequence[ir.Stmt], sizes: Sequence[int], last: list[int]) -> _Turn | None:
    """Return a turn at the beginning of a block that is as long as the last one, statement by statement."""
    if [*sizes[: len(last)]] == last:
        return _Turn(ir.TRUE, [*block[: len(last)]], len(last))
    match block:
        case [ir.If(test, then, []), *_] if sizes[0] > LEAST:
            turn = _Turn(test, without_notes(then), 1)
            return turn if turn.sizes == last else None
    return None


@dataclass(slots=True)
class _Rolling:
    """Writes the loops of one function; ``reads`` says how often it reads each of its locals."""

    made: Rolled
    known: Known
    names: ir.Names
    reads: Counter[str]

    def block(self, block: ir.Block) -> ir.Block:
        """Return a block whose repetitions are loops; in rounds that run at once nothing is done in a row."""
        if _size(block) < 2 * LEAST:
            return block
        places = [place for place, statement in enumerate(block) if not isinstance(statement, ir.Note)]
        left = without_notes(block)
        sizes = [_size([statement]) for statement in left]
        made: ir.Block = []
        at = 0  # the first statement that is not made yet
        while left:
            loop, length = self._loop(left, sizes)
            made.extend(block[at : places[0]])  # comments
            made.extend(loop)
            at = places[length - 1] + 1
            left, sizes, places = left[length:], sizes[length:], places[length:]
        at_once = (ir.ForEach, ir.Reduce)
        return [each if isinstance(each, at_once) else ir.with_blocks(each, self.block) for each in made]

    def _loop(self, block: ir.Block, sizes: Sequence[int]) -> tuple[ir.Block, int]:
        """Return the first statements of a block, those of several turns as a loop, and how many they stand for."""
        for turn in _turns(block, sizes):
            turns, end, last = [turn], turn.length, turn.sizes
            while (found := _next(block[end:], sizes[end:], last)) is not None:
                turns.append(found)
                end += found.length
            while len(turns) > 1:
                loop = self._of(turns)
                if loop is not None:
                    return loop, end
                end -= turns.pop().length
        return block[:1], 1

    def _of(self, turns: Sequence[_Turn]) -> ir.Block | None:
        """Return the loop that does what several turns do; None where they are not alike."""
        bodies = [turn.body for turn in turns]
        if any(isinstance(each, _REFUSED) for body in bodies for each in _outside_of_rounds(body)):
            return None
        alike = Alike(bodies)
        body = alike.merged(tuple(bodies))
        if (
            body is None
            or not self._are_apart(alike)
            or not all(is_alone(each, self.reads) for each in bodies)
        ):
            return None
        moved = {slot for slots in alike.slots for slot in slots}
        if not all(self._leaves(turn.test, moved, set[str]().union(*alike.own)) for turn in turns):
            return None
        turn = ir.Local(self.names.fresh("turn"), "int", 0, len(turns) - 1)
        tests = [ir.eq(turn, place) for place in range(len(turns))]
        asked = turns[-1].test
        for test, each in reversed([*zip(tests, turns[:-1], strict=False)]):
            asked = ir.select(test, each.test, asked)
        numbers = [self._number(values) for values in alike.numbers]
        rows = [(self._row(slots), slots) for slots in alike.slots]
        pairs = [(slot, row, place) for row, slots in rows for place, slot in enumerate(slots)]
        own = Own([slots[0] for _, slots in rows], [local for local, _ in numbers], tests)
        body = [
            *(ir.Let(local.name, ir.lookup(table, turn)) for local, table in numbers),
            *(ir.Store(slots[0], ir.const(0), ir.load(row, turn)) for row, slots in rows),
            *own.of(body),
            *(ir.Store(row, turn, ir.load(slots[0])) for row, slots in rows),
        ]
        return [
            *(ir.Store(row, ir.const(place), ir.load(slot)) for slot, row, place in pairs),
            ir.For(turn.name, ir.const(0), ir.const(len(turns)), ir.when(asked, body)),
            *(ir.Store(slot, ir.const(0), ir.load(row, place)) for slot, row, place in pairs),
        ]

    def _are_apart(self, alike: Alike) -> bool:
        """Whether each slot that differs is spoken of as such alone, and by no function that is called."""
        names = [slot.name for slots in alike.slots for slot in slots]
        if len(set(names)) < len(names) or {*names} & {slot.name for slot in alike.fixed}:
            return False
        touched = set[str]()
        for name in alike.called:
            effects = self.known.of(name)
            touched |= effects.reads | effects.writes
        return not (names and touched & {*names, EVERYTHING})

    def _leaves(self, test: ir.Expr, moved: set[ir.Slot], own: set[str]) -> bool:
        """Whether a test says the same while the loop runs: it asks for nothing that lies elsewhere then."""
        return not any(
            isinstance(part, ir.Call)
            or (isinstance(part, ir.Load) and part.slot in moved)
            or (isinstance(part, ir.Local) and part.name in own)
            for part in ir.parts(test)
        )

    def _row(self, slots: Sequence[ir.Slot]) -> ir.Slot:
        """Return a slot in which the values of several lie side by side."""
        first, unset = slots[0], any(slot.unset for slot in slots)
        key = ("ROLLED", len(self.made.slots))
        made = ir.Slot(key, len(slots), first.low, first.high, first.type, saved=False, unset=unset)
        self.made.slots.append(made)
        return made

    def _number(self, values: Sequence[int]) -> tuple[ir.Local, ir.Table]:
        """Return a local for a number that differs, and the table of what it is each time."""
        table = next((known for known in self.made.tables if known.values == values), None)
        if table is None:
            table = ir.table(("ROLLED_NUMBERS", len(self.made.tables)), values)
            self.made.tables.append(table)
        return ir.Local(self.names.fresh("number"), "int", table.low, table.high), table


def _outside_of_rounds(block: ir.Block) -> Iterator[ir.Stmt]:
    """Yield the statements of a block, without those in the rounds of reductions, which end by a `Hit`."""
    for statement in block:
        yield statement
        if not isinstance(statement, ir.Reduce):
            for inner in ir.blocks_of(statement):
                yield from _outside_of_rounds(inner)
