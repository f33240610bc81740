"""What an agent sees of the board: which cell each place of its view shows, and where the light does not reach."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from griddsl.compass import STEPS
from griddsl.program import keys
from griddsl.program.program import Player, Program
from griddsl.program.spaces import Leaf, ViewInfo

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NORTH = 3


def view_leaf(player: Player) -> tuple[Leaf, ViewInfo] | None:
    """Return the entry of a player's observation that is a view of the board; None where it has none."""
    for leaf in player.observation.leaves:
        if leaf.view is not None:
            return leaf, leaf.view
    return None


def facing_of(program: Program, player: Player, view: ViewInfo, s: Sequence[int]) -> int:
    """Return which way is up in a view: the facing of who looks where it turns with them, else north."""
    at = program.layout.offsets.get(keys.FACING)
    return s[at + player.agent] % 4 if view.turns and at is not None else NORTH


def view_cells(program: Program, player: Player, view: ViewInfo, s: Sequence[int]) -> NDArray[np.intp]:
    """Return the cell of the board at each place of a view, ``(rows, columns)``; -1 off the board."""
    found = np.full((view.rows, view.columns), -1, dtype=np.intp)
    at = program.layout.offsets.get(keys.AGENT_CELL)
    if at is None:
        return found
    up_x, up_y = STEPS[facing_of(program, player, view, s)]
    y, x = divmod(max(s[at + player.agent], 0), program.width)
    rows, columns = np.indices(found.shape)
    up, right = view.agent_row - rows, columns - view.agent_column
    here_x, here_y = x + up * up_x - right * up_y, y + up * up_y + right * up_x
    inside = (here_x >= 0) & (here_x < program.width) & (here_y >= 0) & (here_y < program.height)
    found[inside] = (here_y * program.width + here_x)[inside]
    return found


def unseen_places(
    program: Program, player: Player, leaf: Leaf, view: ViewInfo, seen: Any
) -> NDArray[np.bool_]:
    """Return which places of a view are outside its cone, or where its form tells that the light does not reach them.

    ``seen`` is what the player observed; the array has the shape ``(rows, columns)``.
    """
    form = player.observation.form
    if isinstance(seen, dict) and "achieved_goal" in seen:
        seen = seen["observation"]
    if form == "dict":
        seen = seen[leaf.name]
    elif form == "tuple":
        seen = seen[player.observation.leaves.index(leaf)]
    rows, columns = np.indices((view.rows, view.columns))
    none = abs(columns - view.agent_column) * view.cone > view.agent_row - rows
    none &= view.cone > 0
    array = np.asarray(seen)
    if form == "flat" or array.size < none.size:
        return none
    if view.form == "minigrid":
        return np.asarray(array[:, :, 0].T == 0)
    if view.form == "kinds":
        return np.asarray(array == len(program.kinds))
    if view.form == "planes" and array.ndim == 3:
        return np.asarray(~array.any(axis=2))
    return none


def out_of_sight(
    program: Program, s: Sequence[int], observe: Callable[[str], Any]
) -> NDArray[np.bool_] | None:
    """Return which cells none of the agents sees, ``(height, width)``; None where any of them is shown all.

    An agent whose observation is no view is shown all, and one that is out sees nothing. ``observe`` returns what an
    agent observes now.
    """
    hidden = np.ones(program.cells, dtype=np.bool_)
    offsets = program.layout.offsets
    for player in program.players:
        found = view_leaf(player)
        if found is None:
            return None
        if keys.OUT in offsets and s[offsets[keys.OUT] + player.agent] != 0:
            continue
        leaf, view = found
        cells = view_cells(program, player, view, s)
        lit = ~unseen_places(program, player, leaf, view, observe(player.name)) & (cells >= 0)
        hidden[cells[lit]] = False
    return hidden.reshape(program.height, program.width)
