"""Belts: what stands on ground that carries is moved on after the moves, rows and full rings as one (section 4)."""

from __future__ import annotations

from tests.reference.creatures import come
from tests.reference.moves import arrive, leave_and_enter
from tests.reference.world import Agent, Cell, Thing, World

Rider = Agent | Thing


def ride_belts(world: World) -> None:
    """Let each thing ride once, as soon as nothing is in its way: agents, then objects; what is on full rings last."""
    rode: set[Rider] = set()
    before = [thing for thing in world.objects if thing is not None]  # what comes to be meanwhile rides later
    while any([*_ride_in_turn(world, before, rode)]):
        pass
    _go_round(world, rode, before)


def _ride_in_turn(world: World, before: list[Thing], rode: set[Rider]) -> list[bool]:
    """Let those that wait ride, in their order; return who did."""
    moved = [_ride(world, agent, rode) for agent in world.agents]
    return [*moved, *(thing in world.objects and _ride(world, thing, rode) for thing in before)]


def _ride(world: World, rider: Rider, rode: set[Rider]) -> bool:
    target = _target(world, rider)
    if rider in rode or target is None or _blockers(world, rider, target):
        return False
    rode.add(rider)
    world.begin_act()
    if isinstance(rider, Agent):
        arrive(world, rider, target)
    else:
        assert rider.cell is not None
        old, rider.cell = rider.cell, target
        come(world, rider, old, target)
    return True


def _target(world: World, rider: Rider) -> Cell | None:
    """Return where the belt under a rider leads, if the ground there lets it in; nothing rides once agents stop."""
    if rider.cell is None or (isinstance(rider, Agent) and (rider.is_out or world.ended)):
        return None
    return _leads(world, rider.cell)


def _leads(world: World, cell: Cell) -> Cell | None:
    way = cell.ground.kind.carry
    target = None if way is None else world.beside(cell, way)
    if not isinstance(target, Cell) or world.is_so(target.ground, "solid"):
        return None
    return target if way is not None and world.lets_in(target, way) else None


def _blockers(world: World, rider: Rider, target: Cell) -> list[Rider]:
    """Return who is in a rider's way."""
    things, agents = world.things_at(target), world.agents_at(target)
    if isinstance(rider, Agent):
        found: list[Rider] = [thing for thing in things if _keeps_agents_out(world, thing)]
        return [*found, *(agents if world.game.agents_block else [])]
    layer = rider.kind.layer
    found = [thing for thing in things if thing.kind.layer == layer or world.is_so(thing, "solid")]
    return [*found, *(agents if _keeps_agents_out(world, rider) else [])]


def _keeps_agents_out(world: World, thing: Thing) -> bool:
    """Whether an object shares no cell with an agent."""
    return bool(thing.kind.pushable) or world.is_so(thing, "solid")


# Rings


def _go_round(world: World, rode: set[Rider], before: list[Thing]) -> None:
    """Let those go round that wait on rings for none but each other: all at once, then their events in order."""
    rings = _ring_cells(world)
    riders: list[Rider] = [*world.playing(), *(thing for thing in world.things() if thing in before)]
    waiting = [
        rider
        for rider in riders
        if rider.cell in rings and rider not in rode and _target(world, rider) is not None
    ]
    while True:
        going = [
            rider
            for rider in waiting
            if all(other in waiting for other in _blockers(world, rider, _next(world, rider)))
        ]
        if len(going) == len(waiting):
            break
        waiting = going
    came = {rider: rider.cell for rider in going}
    targets = {rider: _next(world, rider) for rider in going}
    for rider in going:
        rider.cell = targets[rider]
    for rider in going:
        old = came[rider]
        if rider.cell is not targets[rider] or old is None:
            continue
        if isinstance(rider, Agent) and not rider.is_out and not world.ended:
            world.begin_act()
            leave_and_enter(world, rider, old, targets[rider])
        elif isinstance(rider, Thing) and rider in world.objects:
            world.begin_act()
            come(world, rider, old, targets[rider])


def _next(world: World, rider: Rider) -> Cell:
    target = _target(world, rider)
    assert target is not None
    return target


def _ring_cells(world: World) -> set[Cell]:
    """Return the cells whose belts lead back to them; two that face each other are no ring."""
    found: set[Cell] = set()
    for start in world.cells:
        path, cell = [start], _leads(world, start)
        while cell is not None and cell not in path:
            path.append(cell)
            cell = _leads(world, cell)
        ways = {each.ground.kind.carry for each in path}
        if cell is start and len(path) > 1 and not (len(path) == 2 and len(ways) == 2):
            found.update(path)
    return found
