"""What statements, values and functions read, write and set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

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


Known: TypeAlias = Mapping[str, Effects]


def effects_of(functions: Mapping[str, ir.Function]) -> Known:
    """Return the effects of each function, with all that it calls; a circle counts as touching everything."""
    known: dict[str, Effects] = {}

    def find(name: str) -> Effects:
        if name not in known:
            known[name] = Effects({EVERYTHING}, {EVERYTHING})
            for called in _called(functions[name].body):
                if called in functions:
                    find(called)
            known[name] = of_block(functions[name].body, known)
        return known[name]

    for name in functions:
        find(name)
    return known


def _called(block: ir.Block) -> list[str]:
    return [
        part.function
        for statement in ir.statements(block)
        for value in ir.values_of(statement)
        for part in ir.parts(value)
        if isinstance(part, ir.Call)
    ]


def of_block(block: ir.Block, known: Known) -> Effects:
    """Return the effects of statements, with those of the functions that they call."""
    found = Effects()
    for statement in ir.statements(block):
        found.sets.update(ir.sets(statement))
        match statement:
            case ir.Store(slot) | ir.Fill(slot) | ir.Copy(slot):
                found.writes.add(slot.name)
            case ir.Reduce(slot=ir.Slot() as slot):
                found.writes.add(slot.name)
            case ir.Restart() | ir.Restore() | ir.Generate():
                found.writes.add(EVERYTHING)
            case ir.Out() | ir.Blank():
                found.writes.add(OUT)
            case ir.Fired() | ir.Fail():
                found.writes.add(NOTES)
        for value in ir.values_of(statement):
            own = of_value(value, known)
            found.reads.update(own.reads)
            found.writes.update(own.writes)
    return found


def of_value(value: ir.Expr, known: Known) -> Effects:
    """Return the effects of finding a value."""
    found = Effects()
    for part in ir.parts(value):
        match part:
            case ir.Load(slot):
                found.reads.add(slot.name)
            case ir.Call(name):
                called = known.get(name) or Effects({EVERYTHING}, {EVERYTHING})
                found.reads.update(called.reads)
                found.writes.update(called.writes)
            case ir.Draw():
                found.writes.add(STREAM)
            case ir.Ask():
                found.reads.add(EVERYTHING)
                found.writes.add(STREAM)
    return found


def acts(value: ir.Expr, known: Known) -> bool:
    """Whether finding a value has effects: it draws, asks a plug-in, or calls what writes."""
    return any(
        isinstance(part, ir.Draw | ir.Ask)
        or (isinstance(part, ir.Call) and (part.function not in known or bool(known[part.function].writes)))
        for part in ir.parts(value)
    )
