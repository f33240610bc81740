"""Creatures: objects that move by themselves, and agents that play by the same policies (section 4, "Creatures")."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from tests.reference.compass import COMPASS, turned
from tests.reference.conditions import holds
from tests.reference.expressions import chance_of, distance, number, place_of
from tests.reference.groups import lies_there
from tests.reference.kinds import Kind
from tests.reference.maps import pattern_of
from tests.reference.named import named, there
from tests.reference.places import path_length
from tests.reference.rules import happen, meet
from tests.reference.scope import NOTHING, Scope, kind_named, matches
from tests.reference.world import Agent, Cell, Thing, World


def reach(mover: n.Mover | None) -> int:
    """Return to how many neighbours a mover may go: 4, or 8 where it says so."""
    return 8 if any(isinstance(node, n.Mover) and node.neighbours == 8 for node in walk(mover)) else 4


def move_creatures(world: World) -> None:
    """Let every object that moves by itself move, in the order in which they came to be; what comes now waits."""
    for thing in [each for each in world.things(on_map=False) if each.kind.moves is not None]:
        if thing in world.objects and thing.cell is not None and thing.kind.moves is not None:
            world.begin_act()
            _move_creature(world, thing)


def _move_creature(world: World, thing: Thing) -> None:
    scope = Scope(world, {thing.kind.name: thing}, thing)
    assert thing.kind.moves is not None
    kind, farther = thing.kind, list[tuple[n.Mover, int]]()
    assert kind.moves is not None
    target = wanted(kind.moves, thing, scope, farther)
    if target is None:
        return
    old, thing.cell = thing.cell, target
    assert old is not None
    come(world, thing, old, target)
    for mover, more in farther:
        _go_on(mover, thing, kind, target, more, scope)


def _go_on(mover: n.Mover, thing: Thing, kind: Kind, last: Cell, more: int, scope: Scope) -> None:
    """Enter further cells ahead, until one is not free, or a rule has sent the creature elsewhere or made it another."""
    world = scope.here
    for _ in range(more):
        if thing not in world.objects or thing.cell is not last or thing.kind is not kind:
            return
        way = COMPASS.index(thing.attributes["facing"])
        cell = world.beside(last, way, kind.edge)
        if not isinstance(cell, Cell) or not is_free(mover, thing, cell, way, scope):
            happen(world, "bump", thing, cell)
            return
        came_from, thing.cell, last = last, cell, cell
        come(world, thing, came_from, cell)


def come(world: World, thing: Thing, old: Cell, new: Cell) -> None:
    """Raise the events of an object that came to a cell; one that is sent on or gone has no further ones there."""
    if thing in world.objects:
        happen(world, "leave", thing, old)
    if thing in world.objects and thing.cell is new:
        happen(world, "enter", thing, new)
    if thing in world.objects and thing.cell is new:
        meet_all(world, thing, new)


def meet_all(world: World, thing: Thing, cell: Cell) -> None:
    """Let an object that came to a cell meet the agents there, and the objects of other layers."""
    for agent in world.agents_at(cell):
        stands = agent.cell is cell and not agent.is_out
        if stands and thing.cell is cell and thing in world.objects:
            meet(world, agent, thing)
    for other in world.things_at(cell):
        if other is not thing and thing.cell is cell and thing in world.objects and other.cell is cell:
            meet(world, thing, other)


def guide(world: World, agent: Agent) -> tuple[int, int] | None:
    """Return the direction in which an agent that plays by itself goes, and how many cells; None where it stays."""
    assert agent.kind.moves is not None and agent.cell is not None
    target = wanted(agent.kind.moves, agent, Scope(world, {}, agent))
    for way in range(reach(agent.kind.moves)):
        if target is not None and world.beside(agent.cell, way) is target:
            if world.game.has_facing:
                agent.facing = way
            return way, 1
    return None


# Policies


def wanted(
    mover: n.Mover, being: Agent | Thing, scope: Scope, farther: list[tuple[n.Mover, int]] | None = None
) -> Cell | None:
    """Return the cell that a policy chooses; None where it stays. ``A if C else B``: the rest belongs to B.

    ``farther`` is given the mover that goes more than one cell ahead, and over how many more.
    """
    world = scope.here
    if mover.otherwise is not None:
        if holds(there(mover.test), scope.inner()):
            return _so_far(mover, being, scope, farther)
        return wanted(mover.otherwise, being, scope, farther)
    if mover.policy == "still":
        return None
    if mover.every is not None and world.step % number(mover.every, scope) != 0:
        return None
    if mover.chance is not None and not world.stream.happens(chance_of(mover.chance, scope)):
        return None
    return _so_far(mover, being, scope, farther)


def _so_far(
    mover: n.Mover, being: Agent | Thing, scope: Scope, farther: list[tuple[n.Mover, int]] | None
) -> Cell | None:
    if mover.cells is None or farther is None:
        return _wanted(mover, being, scope)
    cells = number(mover.cells, scope)
    if cells < 1:
        return None
    farther.append((mover, min(cells, len(scope.here.cells)) - 1))
    return _wanted(mover, being, scope)


def _wanted(mover: n.Mover, being: Agent | Thing, scope: Scope) -> Cell | None:
    match mover.policy:
        case "still":
            return None
        case "random":
            return _one_of(free_neighbours(mover, being, mover.neighbours, scope), scope)
        case "toward" | "away from":
            return _nearer(mover, being, scope)
        case "forward" | "patrol":
            return _ahead(mover, being, scope)
    raise NotImplementedError(f"the plug-in {mover.policy}")


def _one_of(cells: list[Cell], scope: Scope) -> Cell | None:
    return cells[scope.here.stream.below(len(cells))] if cells else None


def free_neighbours(mover: n.Mover, being: Agent | Thing, count: int, scope: Scope) -> list[Cell]:
    """Return the neighbours that are free, in the order of the directions."""
    assert being.cell is not None
    found = []
    for direction in range(count):
        cell = scope.here.beside(being.cell, direction, being.kind.edge)
        if isinstance(cell, Cell) and is_free(mover, being, cell, direction, scope):
            found.append(cell)
    return found


def is_free(mover: n.Mover, being: Agent | Thing, cell: Cell, direction: int, scope: Scope) -> bool:
    """Whether a creature may go into a neighbouring cell."""
    world = scope.here
    if isinstance(being, Agent):
        free, keeps_off = not world.blocks(cell), world.game.agents_block
    else:
        free, keeps_off = world.is_free_for(cell, being.kind.layer), being.kind.solid is not None
    if not free or not world.lets_in(cell, direction) or (keeps_off and world.agents_at(cell)):
        return False
    return mover.avoiding is None or not lies_there(cell, mover.avoiding, scope)


def _nearer(mover: n.Mover, being: Agent | Thing, scope: Scope) -> Cell | None:
    """Choose among the free neighbours that are nearest to the goal (or farthest from it), if nearer than now."""
    goal = _goal(mover, being, scope)
    if goal is None or being.cell is None:
        return None
    sign = 1 if mover.policy == "toward" else -1
    cells = free_neighbours(mover, being, 4, scope)
    how_far = _measure(mover, goal, scope)
    far = {cell: sign * how_far(cell) for cell in cells}
    best = min(far.values(), default=0)
    if not cells or best >= sign * how_far(being.cell):
        return None
    return _one_of([cell for cell in cells if far[cell] == best], scope)


def _measure(mover: n.Mover, start: Cell, scope: Scope) -> Callable[[Cell], Any]:
    """Return what tells how far a cell is from a place, as a mover reckons."""
    if mover.by != "path_distance":
        return lambda cell: distance(cell, start, mover.by or "distance")
    return path_length(start, mover.avoiding, scope)


def _goal(mover: n.Mover, being: Agent | Thing, scope: Scope) -> Cell | None:
    """Return the place that a mover has in mind: of several of a kind the nearest, the first of a tie."""
    node = mover.target
    kind = kind_named(node, scope)
    if kind is None or (scope.find(named(node).name) is not NOTHING and kind is not being.kind):
        place: Cell | None = place_of(there(node), scope)
        return place
    found = [
        each
        for each in scope.here.of_kind(kind)
        if each is not being and matches(each, pattern_of(node), scope)
    ]
    assert being.cell is not None
    how_far = _measure(mover, being.cell, scope)
    nearest = min((each for each in found if each.cell), key=lambda each: how_far(each.cell), default=None)
    return None if nearest is None else nearest.cell


def _ahead(mover: n.Mover, being: Agent | Thing, scope: Scope) -> Cell | None:
    """Go ahead until blocked, which is a bump; a patrol turns round there and goes back at once, if it can."""
    world = scope.here
    assert being.cell is not None
    way = being.facing if isinstance(being, Agent) else COMPASS.index(being.attributes["facing"])
    cell = world.beside(being.cell, way, being.kind.edge)
    if isinstance(cell, Cell) and is_free(mover, being, cell, way, scope):
        return cell
    here = being.cell
    happen(world, "bump", being, cell)
    if mover.policy == "forward" or being.cell is not here:
        return None
    back = turned(way, 2)
    if isinstance(being, Agent):
        being.facing = back
    else:
        being.attributes["facing"] = COMPASS[back]
    behind = world.beside(here, back, being.kind.edge)
    return behind if isinstance(behind, Cell) and is_free(mover, being, behind, back, scope) else None
