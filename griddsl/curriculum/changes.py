"""Changes: levels that come of another by a small change of its ground, or of where the agent begins.

A level is what `get_state` gives as an episode begins. What setup reckoned from the map, as a variable that counts
cells, is not reckoned anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from griddsl.diagnostics import Refused
from griddsl.envs.states import State
from griddsl.program import keys
from griddsl.program.program import Program
from griddsl.refused import whole_number


def flipped(
    program: Program,
    rng: np.random.Generator,
    level: State,
    count: int = 1,
    kinds: tuple[str, str] = ("floor", "wall"),
) -> State:
    """Return a level in which ``count`` cells drawn at random have become the other one of two kinds of ground.

    Cells in which something stands, those of other kinds and those of the border stay as they are. Raises `ValueError`
    for a kind that there is not, and for a spec whose ground never changes.
    """
    count = whole_number("the count of cells that are flipped", count, 0, program.cells)
    integers = list(level[0])
    cells = program.grounds
    if cells.start == cells.stop:
        raise Refused(
            f"the ground of {program.id} never changes, so it is no part of a level; a generated map "
            "(`generate: maze(...)`, `rooms`, `caves`) or a rule that changes tiles makes it one"
        )
    first, second = _codes(program, kinds)
    able = np.flatnonzero(_free(program, level, (first, second)) & _inside(program))
    for cell in rng.permutation(able)[:count].tolist():
        at = cells.start + cell
        integers[at] = second if integers[at] == first else first
    return tuple(integers), level[1], level[2]


def moved(
    program: Program,
    rng: np.random.Generator,
    level: State,
    kinds: Sequence[str] = ("floor",),
    agent: int = 0,
) -> State:
    """Return a level in which an agent begins in a free cell drawn at random; where there is none, in its own.

    Raises `ValueError` where agents stand nowhere.
    """
    if keys.AGENT_CELL not in program.layout.offsets:
        raise Refused(f"the agents of {program.id} stand nowhere, and begin in no cell")
    agent = whole_number("an agent", agent, 0, len(program.agents) - 1)
    able = np.flatnonzero(_free(program, level, _codes(program, kinds)))
    if not len(able):
        return level
    integers = list(level[0])
    integers[program.layout.offsets[keys.AGENT_CELL] + agent] = int(rng.choice(able))
    return tuple(integers), level[1], level[2]


def _inside(program: Program) -> NDArray[np.bool_]:
    """Return which cells are not of the border."""
    x, y = np.arange(program.cells) % program.width, np.arange(program.cells) // program.width
    found: NDArray[np.bool_] = (x > 0) & (x < program.width - 1) & (y > 0) & (y < program.height - 1)
    return found


def _free(program: Program, level: State, codes: Sequence[int]) -> NDArray[np.bool_]:
    """Return in which cells nothing stands and the ground is of these kinds."""
    integers, cells = np.array(level[0]), program.grounds
    ground = integers[cells] if cells.start != cells.stop else np.asarray(program.ground[0])
    able: NDArray[np.bool_] = np.isin(ground, codes)
    for slot in program.slots:
        if slot.key in (keys.AGENT_CELL, keys.OBJECT_CELL) and slot.saved:
            at = program.layout.offsets[slot.key]
            standing = integers[at : at + slot.length]
            able[standing[standing >= 0]] = False
    return able


def _codes(program: Program, kinds: Sequence[str]) -> list[int]:
    codes: dict[str, Any] = {kind.name: kind.code for kind in program.kinds if kind.category == "tile"}
    unknown = [kind for kind in kinds if kind not in codes]
    if unknown:
        raise Refused(f"{program.id} has no ground `{unknown[0]}`; it has {', '.join(codes)}")
    return [codes[kind] for kind in kinds]
