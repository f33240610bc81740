"""What is written to: the slots that statements, functions and calls may change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from griddsl.program import ir
from griddsl.program.proof.ranges import Range, hull

EVERY_SLOT = -1  # among the slots, by identity, that something writes to
ALL_SLOTS = frozenset({EVERY_SLOT})
Writes: TypeAlias = Mapping[str, frozenset[int]]


def writes_of(functions: Mapping[str, ir.Function]) -> Writes:
    """Return the slots, by identity, that each function writes to, with all that it calls."""
    found: dict[str, frozenset[int]] = {}
    calls: dict[str, set[str]] = {}
    for name, function in functions.items():
        found[name] = written(function.body, {})
        calls[name] = {
            part.function
            for statement in ir.statements(function.body)
            for value in ir.values_of(statement)
            for part in ir.parts(value)
            if isinstance(part, ir.Call)
        }
    while True:
        more = {
            name: frozenset().union(own, *(found.get(called, ALL_SLOTS) for called in calls[name]))
            for name, own in found.items()
        }
        if more == found:
            return found
        found = more


def written(block: ir.Block, writes: Writes | None) -> frozenset[int]:
    """Return the slots, by identity, that statements write to; those of calls where ``writes`` is not empty."""
    found: set[int] = set()
    for statement in ir.statements(block):
        match statement:
            case ir.Store(slot) | ir.Fill(slot) | ir.Copy(slot) | ir.Generate(_, slot):
                found.add(id(slot))
            case ir.Reduce(slot=ir.Slot() as slot):
                found.add(id(slot))
            case ir.Restart() | ir.Restore():
                found.add(EVERY_SLOT)
        if writes:
            for value in ir.values_of(statement):
                found |= written_by(value, writes)
    return frozenset(found)


def written_by(value: ir.Expr, writes: Writes) -> frozenset[int]:
    """Return the slots, by identity, that the calls in a value may write to."""
    found: frozenset[int] = frozenset()
    for part in ir.parts(value):
        if isinstance(part, ir.Call):
            found |= writes.get(part.function, ALL_SLOTS)
    return found


def claimed_range(local: str, body: ir.Block, entry: Range) -> Range:
    """Return the range that what is claimed of a local leaves it in."""
    for statement in ir.statements(body):
        match statement:
            case ir.Let(name, ir.Claim(low=low, high=high)) if name == local:
                entry = hull(entry, (low, high))
    return entry
