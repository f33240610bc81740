"""What statements, values and functions read, write and set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from griddsl.program import ir

EVERYTHING = "*"  # the slot that is touched where nothing is known
STREAM = "r"  # what a draw writes to
OUT = "out"  # what an observation is written to
NOTES = "!"  # where rules that fire and failures are noted


@dataclass(frozen=True, slots=True)
class Effects:
    """What is read and written, slots by their names, and the locals that are set."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    sets: set[str] = field(default_factory=set)

    def leaves(self, value: ir.Expr) -> bool:
        """Whether a value is the same before and after."""
        for part in ir.parts(value):
            if isinstance(part, ir.Local) and part.name in self.sets:
                return False
            if isinstance(part, ir.Load) and {part.slot.name, EVERYTHING} & self.writes:
                return False
            if isinstance(part, ir.Call | ir.Draw | ir.Ask):
                return False
        return True


TOUCHING_EVERYTHING = Effects({EVERYTHING}, {EVERYTHING})


@dataclass(frozen=True, slots=True)
class Known:
    """The effects of functions, with all that they call; each is found when it is asked for, and once.

    So are those of statements with blocks in them, by identity: a pass that goes through blocks in blocks asks at each
    of them. The statements are held, so that no other comes to have the identity of one.
    """

    functions: Mapping[str, ir.Function]
    found: dict[str, Effects] = field(default_factory=dict)
    nested: dict[int, tuple[ir.Stmt, Effects]] = field(default_factory=dict)

    def of(self, name: str) -> Effects:
        """Return the effects of a function; one that is not there, or calls itself, counts as touching everything."""
        if name not in self.functions:
            return TOUCHING_EVERYTHING
        if name not in self.found:
            self.found[name] = TOUCHING_EVERYTHING
            self.found[name] = of_block(self.functions[name].body, self)
        return self.found[name]


def of_block(block: ir.Block, known: Known) -> Effects:
    """Return the effects of statements, with those of the functions that they call."""
    found = Effects()
    for statement in block:
        _add_statement(found, statement, known)
    return found


def of_value(value: ir.Expr, known: Known) -> Effects:
    """Return the effects of finding a value."""
    found = Effects()
    _add_value(found, value, known)
    return found


def _add(found: Effects, more: Effects) -> None:
    """Add what a call reads and writes."""
    found.reads.update(more.reads)
    found.writes.update(more.writes)


def _add_statement(found: Effects, statement: ir.Stmt, known: Known) -> None:
    blocks = ir.blocks_of(statement)
    if not blocks:
        _add_own(found, statement, known)
        return
    if id(statement) not in known.nested:
        own = Effects()
        _add_own(own, statement, known)
        for block in blocks:
            for inner in block:
                _add_statement(own, inner, known)
        known.nested[id(statement)] = statement, own
    (_, all_of_it) = known.nested[id(statement)]
    _add(found, all_of_it)
    found.sets.update(all_of_it.sets)


def _add_own(found: Effects, statement: ir.Stmt, known: Known) -> None:
    """Add what a statement does itself, without the blocks in it."""
    found.sets.update(ir.sets(statement))
    match statement:
        case ir.Store(slot) | ir.Fill(slot) | ir.Copy(slot) | ir.Reduce(slot=ir.Slot() as slot):
            found.writes.add(slot.name)
        case ir.Restart() | ir.Restore() | ir.Generate():
            found.writes.add(EVERYTHING)
        case ir.Out() | ir.Blank():
            found.writes.add(OUT)
        case ir.Fired() | ir.Fail():
            found.writes.add(NOTES)
    for value in ir.values_of(statement):
        _add_value(found, value, known)


def _add_value(found: Effects, value: ir.Expr, known: Known) -> None:
    for part in ir.parts(value):
        match part:
            case ir.Load(slot):
                found.reads.add(slot.name)
            case ir.Call(name):
                _add(found, known.of(name))
            case ir.Draw():
                found.writes.add(STREAM)
            case ir.Ask():
                found.reads.add(EVERYTHING)
                found.writes.add(STREAM)


def acts(value: ir.Expr, known: Known) -> bool:
    """Whether finding a value has effects: it draws, asks a plug-in, or calls what writes."""
    return any(
        isinstance(part, ir.Draw | ir.Ask)
        or (isinstance(part, ir.Call) and bool(known.of(part.function).writes))
        for part in ir.parts(value)
    )
