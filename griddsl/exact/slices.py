"""Slices: the states that a picture of the map shows, chosen by a condition in the spec's own language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from griddsl.backends.python import build
from griddsl.diagnostics import Report
from griddsl.exact.draws import ExactError
from griddsl.exact.process import Process
from griddsl.program import keys
from griddsl.source import Source
from griddsl.syntax import nodes as n
from griddsl.syntax.clauses import parse_clause

if TYPE_CHECKING:
    from griddsl.spec.models import GridSpec

ENTRY = "shown_by_where"
Flags = NDArray[np.bool_]


def with_condition(spec: GridSpec, condition: str) -> GridSpec:
    """Return the spec with one entry more in its info: whether a condition holds. Raises `SpecError` for a bad one."""
    report = Report()
    fragment = Source("<where>", condition).whole()
    value = parse_clause("expression", fragment, report)
    report.raise_errors()
    assert value is not None, "what was not read is reported"
    item = n.NamedValue(ENTRY, value, fragment.span(0, len(condition)))
    plain = (
        spec.plain
    )  # definitions and loops over lists are written out by now, and nobody looks at the spec again
    return plain.model_copy(update={"info": (*plain.info, item)})


def states_where(mdp: Process) -> Flags:
    """Return in which states the condition of `with_condition` holds, (states,)."""
    entry = next(info for info in mdp.program.info if info.name == ENTRY)
    if entry.form != "bool":
        raise ExactError("what `--where` says is no condition", 'write one, as in --where "agent has key"')
    machine = build(mdp.program)
    holds = machine.functions[entry.function]
    s: list[Any]
    s, f, r = machine.new_state()
    found = np.zeros(mdp.n_states, np.bool_)
    for number, (integers, reals) in enumerate(mdp.states):
        s[:] = [*integers, *machine.initial[len(integers) :]]
        f[: len(reals)] = reals
        found[number] = bool(holds(s, f, r))
    return found


def like_the_start(mdp: Process) -> Flags:
    """Return the states that differ from the likeliest first state in nothing but the agent's place and facing."""
    layout = mdp.program.layout
    free = [
        layout.offsets[name] for name in (keys.AGENT_CELL, keys.FACING, keys.START) if name in layout.offsets
    ]
    rows = np.array(mdp.enumeration.states, dtype=np.float64)
    first = int(np.argmax(mdp.initial))
    fixed = np.delete(rows, free, axis=1)
    return np.asarray((fixed == fixed[first]).all(axis=1), dtype=np.bool_)


def shown_state(mdp: Process, members: Flags) -> int:
    """Return a state to draw the map from: a start of the slice, or its first state."""
    numbers = np.flatnonzero(members & ~mdp.terminal)
    if not len(numbers):
        raise ExactError(
            "no state that goes on is like that", "states are counted by `griddsl solve` without it"
        )
    return int(numbers[np.argmax(mdp.initial[numbers])])


def on_the_map(
    mdp: Process, best: NDArray[np.float64], soonest: Flags, members: Flags
) -> tuple[NDArray[np.float64], tuple[tuple[int, ...], ...]]:
    """Return the value, (height, width), and the optimal directions of each cell, from the states of a slice.

    ``best`` is (states,), the values of a `Solution`, and ``soonest`` (states, actions), those of its actions.
    Where a cell has several states (facings, say), the best counts. Cells without a state are NaN and empty.
    """
    program = mdp.program
    values = np.full(program.cells, np.nan)
    arrows: list[tuple[int, ...]] = [()] * program.cells
    directions = _directions(mdp)
    facing_at = program.layout.offsets.get(keys.FACING, -1)
    cells = mdp.agent_cells
    for number in np.flatnonzero(members & ~mdp.terminal).tolist():
        cell, value = int(cells[number]), float(best[number])
        if cell < 0 or value <= values[cell]:
            continue
        values[cell] = value
        facing = int(mdp.enumeration.states[number][facing_at]) if facing_at >= 0 else -1
        arrows[cell] = _arrows(np.flatnonzero(soonest[number]).tolist(), directions, facing, mdp)
    return values.reshape(program.height, program.width), tuple(arrows)


def _directions(mdp: Process) -> tuple[int, ...]:
    listed = mdp.program.metadata.get("directions")
    return listed if isinstance(listed, tuple) else (-1,) * mdp.n_actions


def _arrows(
    actions: Iterable[int], directions: tuple[int, ...], facing: int, mdp: Process
) -> tuple[int, ...]:
    found = set()
    for number in actions:
        first = mdp.enumeration.actions[number][0]
        if directions[first] >= 0:
            found.add(directions[first])
        elif mdp.program.groups[0].joystick == 0 and mdp.program.groups[0].actions[first].name == "forward":
            found.add(facing)
        else:
            found.add(-1)
    return tuple(sorted(found))
