"""Ways: how far and in which directions things of a spec can go at all."""

from __future__ import annotations

from griddsl.lowering.plug_ins import plug_ins
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.world import World
from griddsl.program.view import MOVERS_GROUP
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk


def goes_on(world: World) -> bool:
    """Whether a move can go on after its first cell, so that it matters what happened there."""
    return counts_cells(world) or any(kind.slide for kind in world.tile_kinds())


def most_direction(writer: Writer) -> int:
    """Return the highest direction of a move: 3, or 7 where diagonals are among them."""
    world = writer.world
    directions = [a.direction for a in world.actions if a.direction is not None]
    movers = [role.moves for role in world.roles if role.moves is not None]
    is_diagonal = any(direction > 3 for direction in directions) or any(reach(mover) > 4 for mover in movers)
    if any(action.relative is not None for action in world.actions):
        is_diagonal = is_diagonal or writer.facts.faces_diagonally
    return 7 if is_diagonal else 3


def drifts(world: World) -> list[Kind]:
    """Return the kinds of ground that drift."""
    return [kind for kind in world.tile_kinds() if kind.drift is not None]


def counts_cells(world: World) -> bool:
    """Whether moves differ in their number of cells; staying on drifting ground is a move of none."""
    stays = any(action.verb == "stay" for action in world.actions)
    return any(action.cells > 1 for action in world.actions) or (stays and bool(drifts(world)))


def most_cells(world: World) -> int:
    """Return over how many cells a move goes at the most."""
    return max((action.cells for action in world.actions), default=1)


def reach(mover: n.Mover) -> int:
    """Return to how many neighbours a mover may go: 4, or 8 where it says so or an installed package moves it."""
    parts = [node for node in walk(mover) if isinstance(node, n.Mover)]
    return 8 if any(part.neighbours == 8 or part.policy in plug_ins(MOVERS_GROUP) for part in parts) else 4
