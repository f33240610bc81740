"""Proves what a program claims: names, types, definite assignment, and the ranges of values by interval analysis.

Each function is proved by itself from its signature: arguments lie in the ranges of its parameters, which every call
shows, and results in the ranges that it claims, which every return shows. Slots hold what their ranges say: every
store shows it, so every load may rely on it. What a test has found is known where it holds: ``if s[X] > 0`` leaves the
positive values in its first branch, until something writes to ``X``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from griddsl.program import ir
from griddsl.program.program import Program
from griddsl.program.proof.claims import Fault
from griddsl.program.proof.following import Following
from griddsl.program.proof.known import Places
from griddsl.program.proof.shape import misshapen
from griddsl.program.proof.values import Values
from griddsl.program.proof.wholeness import unwhole
from griddsl.program.proof.written import writes_of


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


def doubt_of(program: Program) -> str | None:
    """Return why a program is not to be run as code that checks none of its places; None where all is proved."""
    faults = faults_of(program)
    if not faults:
        return None
    why = "this is a fault of griddsl, please report it"
    return f"it could not be proved that it keeps to its bounds ({faults[0]}); {why}"


def faults_of(program: Program) -> list[Fault]:
    """Return the claims of a program that cannot be proved; where parts of it are missing, these alone."""
    if missing := [Fault(*found) for found in unwhole(program)]:
        return missing
    faults = [*_doubles("slots", program.slots), *_doubles("tables", program.tables), *_constants(program)]
    faults.extend(Fault(*found) for found in misshapen(program.functions))
    writes = writes_of(program.functions)
    places = Places()
    for function in program.functions.values():
        values = Values(program=program, function=function.name, writes=writes, places=places)
        Following(function, values, writes).prove()
        faults.extend(dict.fromkeys(values.faults))
    return faults


def _doubles(what: str, things: Iterable[ir.Slot | ir.Table]) -> Iterator[Fault]:
    """Yield what has the key or the text of something else."""
    keys: set[ir.Key] = set()
    for thing in things:
        for found in {thing.key, thing.name}:
            if found in keys:
                yield Fault(what, "name", f"two of them are {found!r}")
            keys.add(found)


def _constants(program: Program) -> Iterator[Fault]:
    """Yield tables, and slots as they start, with values out of their ranges."""
    for table in program.tables:
        if table.type != "real" and len(table.values):
            values = np.asarray(table.values)
            if values.min() < table.low or values.max() > table.high:
                text = f"{table.name} is from {values.min()} to {values.max()}"
                yield Fault("tables", "fit", f"{text}, not {table.low} to {table.high}")
    for slot in program.slots:
        if slot.initial is not None and len(slot.initial) != slot.length:
            yield Fault(
                "slots", "fit", f"{slot.name} starts as {len(slot.initial)} values, not {slot.length}"
            )
