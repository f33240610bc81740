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
    """The effects of functions, with all that they call; each is found when it is asked for, and once."""

    functions: Mapping[str, ir.Function]
    found: dict[str, Effects] = field(default_factory=dict)

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
    called: set[str] = set()
    found = _collected(block, called)
    for name in called:
        _add(found, known.of(name))
    return found


def of_value(value: ir.Expr, known: Known) -> Effects:
    """Return the effects of finding a value."""
    found, called = Effects(), set[str]()
    _collect(value, found, called)
    for name in called:
        _add(found, known.of(name))
    return found


def _add(found: Effects, called: Effects) -> None:
    """Add what a call reads and writes."""
    found.reads.update(called.reads)
    found.writes.update(called.writes)


def _collected(block: ir.Block, called: set[str]) -> Effects:
    """Return the effects of statements without those of calls, whose functions are added to ``called``."""
    found = Effects()
    for statement in ir.statements(block):
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
            _collect(value, found, called)
    return found


def _collect(value: ir.Expr, found: Effects, called: set[str]) -> None:
    for part in ir.parts(value):
        match part:
            case ir.Load(slot):
                found.reads.add(slot.name)
            case ir.Call(name):
                called.add(name)
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
