"""What it takes to observe: which functions do it, whether they draw, and whether the state tells all that is seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from griddsl.program import ir
from griddsl.program.program import Program


def observers(program: Program) -> list[str]:
    """Return the functions that write what is observed, of all players, and the achieved and desired goals."""
    leaves = [leaf for player in program.players for leaf in player.observation.leaves]
    return [leaf.function for leaf in [*leaves, *program.goal.values()] if leaf.function]


def reached(program: Program, names: Iterable[str]) -> Iterator[ir.Function]:
    """Yield the functions of these names, and all that they can call."""
    pending, seen = list(names), set[str]()
    while pending:
        name = pending.pop()
        if name in seen or name not in program.functions:
            continue
        seen.add(name)
        function = program.functions[name]
        yield function
        pending.extend(part.function for part in ir.parts_of(function) if isinstance(part, ir.Call))


def draws(program: Program, name: str) -> bool:
    """Whether a function draws, itself or in what it calls."""
    return any(isinstance(part, ir.Draw) for found in reached(program, [name]) for part in ir.parts_of(found))


def is_noisy(program: Program) -> bool:
    """Whether to observe is to draw, so that who looks twice sees two things."""
    return any(draws(program, name) for name in observers(program))


def forgotten(program: Program) -> ir.Slot | None:
    """Return the slot that observations read of the last step and that no state keeps; None where there is none."""
    return _unsaved(program, observers(program))


def tells_of_step(program: Program) -> bool:
    """Whether what is observed, told or allowed stands in slots that the last step left and no state keeps."""
    told = [entry for player in program.players for entry in player.info]
    masks = [player.mask for player in program.players if player.mask]
    functions = [*observers(program), *masks, *(entry.function for entry in told if entry.function)]
    return any(entry.flag for entry in told) or _unsaved(program, functions) is not None


def _unsaved(program: Program, names: list[str]) -> ir.Slot | None:
    """Return a slot that these functions read, that they do not write themselves and no state keeps."""
    functions = list(reached(program, names))
    statements = [statement for function in functions for statement in ir.statements(function.body)]
    written = {
        statement.slot.key
        for statement in statements
        if isinstance(statement, ir.Store | ir.Fill | ir.Reduce) and statement.slot is not None
    }
    for statement in statements:
        for value in ir.values_of(statement):
            for part in ir.parts(value):
                if isinstance(part, ir.Load) and not part.slot.saved and part.slot.key not in written:
                    return part.slot
    return None


def is_seen_once(program: Program) -> bool:
    """Whether what was observed cannot be observed again from the state that is kept."""
    return is_noisy(program) or forgotten(program) is not None
