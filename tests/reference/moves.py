"""Moves: cell by cell, pushing, drift and sliding, and the events they raise (section 11, phase 4)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from tests.reference.actions import Chosen, aimed
from tests.reference.compass import STEPS
from tests.reference.conditions import guard_holds
from tests.reference.creatures import come
from tests.reference.expressions import chance_of, number
from tests.reference.game import Action
from tests.reference.rules import happen, meet
from tests.reference.scope import Scope, find_in
from tests.reference.world import Agent, Cell, Thing, World


def move_all(world: World, agent: Agent, chosen: Chosen) -> None:
    """Carry out the moves of an agent, group by group."""
    for order, (group, number_) in enumerate(zip(world.game.groups_of(agent.kind), chosen, strict=True)):
        if order and (world.ended or agent.is_out):
            return
        if number_ is not None and is_move(world, group.actions[number_]):
            world.begin_act()
            agent.moving = group.actions[number_]
            move(world, agent, *aimed(world, agent, agent.moving))


def is_move(world: World, action: Action) -> bool:
    """Whether an action is a move; to stay on drifting ground is a move of no cells."""
    has_drift = any(kind.drift is not None for kind in world.game.kinds.values())
    return action.verb == "move" or (action.verb == "stay" and has_drift)


def move(world: World, agent: Agent, direction: int, cells: int) -> None:
    """Carry out a whole move: its cells, or where the wind takes it; then sliding."""
    assert agent.cell is not None
    if agent.cell.ground.kind.drift is not None:
        goes_on = drift(world, agent, direction, cells)
    else:
        goes_on = False
        for _ in range(cells):
            goes_on = advance(world, agent, direction)
            if not goes_on:
                break
    for _ in range(4 * len(world.cells)):
        if not goes_on or not agent.cell.ground.kind.slide:
            break
        goes_on = advance(world, agent, direction)


def advance(world: World, agent: Agent, direction: int) -> bool:
    """Move an agent one cell, with the events of that; return whether the move can go on from there."""
    here = agent.cell
    assert here is not None
    target = world.beside(here, direction)
    if isinstance(target, str):
        happen(world, "bump", agent, target)
        return False
    is_clipped = (
        world.game.spec.edge == "clip" and direction > 3 and (target.x == here.x or target.y == here.y)
    )
    if is_clipped and not bump_into_border(world, agent):
        return False
    for thing in each_pushable(world, target) if pushes_in(world, agent, target, direction) else ():
        count = push(world, agent, target, direction, thing.kind.layer)
        if not count:
            happen(world, "bump", agent, target)
            return False
        pushed(world, agent, thing, target, direction, count)
        if agent.cell is not here or agent.is_out:
            return False
    if is_blocked(world, agent, target, direction):
        happen(world, "bump", agent, target)
        return False
    return arrive(world, agent, target)


def bump_into_border(world: World, agent: Agent) -> bool:
    """Bump into the border; return whether a move that is clipped there goes on: no rule sent it off or ended all."""
    here, was_over = agent.cell, world.ended
    happen(world, "bump", agent, "edge")
    return agent.cell is here and not agent.is_out and (was_over or not world.ended)


def is_blocked(world: World, agent: Agent, target: Cell, direction: int, agents: bool = True) -> bool:
    """Whether something keeps an agent from entering a cell that a move ``through`` does not pass."""
    blocked = world.blocks(target) or not world.lets_in(target, direction)
    if agents and world.game.agents_block and world.agents_at(target):
        blocked = True
    return passes(world, agent, target, blocked)


def passes(world: World, agent: Agent, target: Cell, blocked: bool) -> bool:
    """Let a move ``through K`` pass what it names, with its chance; return whether it is blocked."""
    action = agent.moving
    if action is None or action.through is None:
        return blocked
    scope = Scope(world, {}, agent)
    if find_in(target, action.through, scope) is None:
        return blocked
    return not (action.chance is None or world.stream.happens(chance_of(action.chance, scope)))


# Arriving


def arrive(world: World, agent: Agent, target: Cell) -> bool:
    """Put an agent into a cell: it leaves, enters and meets; return whether its move can go on."""
    here, agent.cell = agent.cell, target
    leave_and_enter(world, agent, here, target)
    return agent.cell is target and not agent.is_out and not world.ended


def leave_and_enter(world: World, agent: Agent, here: Any, target: Cell, agents: bool = True) -> None:
    """Raise the events of an agent that came to a cell; one that is sent away or out has no further ones there."""
    happen(world, "leave", agent, here)
    if agent.cell is target and not agent.is_out:
        happen(world, "enter", agent, target)
    for thing in world.things_at(target):
        if agent.cell is target and not agent.is_out and thing in world.objects and thing.cell is target:
            meet(world, agent, thing)
    there = [each for each in world.agents if each.cell is target] if agents and world.game.several else []
    for other in there:
        both_here = agent.cell is target and other.cell is target
        if other is not agent and both_here and not other.is_out and not agent.is_out:
            meet(world, agent, other)


# Pushing


def pushable_at(world: World, cell: Cell) -> list[Thing]:
    """Return what can be pushed out of a cell, one on each layer."""
    return [thing for thing in world.things_at(cell) if thing.kind.pushable]


def each_pushable(world: World, cell: Cell) -> Iterator[Thing]:
    """Yield what can be pushed out of a cell, layer by layer, each as things are when its turn comes."""
    for layer in world.game.layers:
        thing = world.on_layer(cell, layer)
        if thing is not None and thing.kind.pushable:
            yield thing


def keeps_out(world: World, cell: Cell, direction: int) -> bool:
    """Whether something that nobody pushes keeps agents out of a cell: its ground, or an object that is solid."""
    fixed = [thing for thing in world.things_at(cell) if not thing.kind.pushable]
    solid = world.is_so(cell.ground, "solid") or any(world.is_so(thing, "solid") for thing in fixed)
    return solid or not world.lets_in(cell, direction)


def pushes_in(world: World, agent: Agent, cell: Cell, direction: int) -> bool:
    """Whether an agent that moves into a cell pushes what is there: not where something else keeps it out."""
    action = agent.moving
    through = None if action is None else action.through
    passes_it = through is not None and find_in(cell, through, Scope(world, {}, agent)) is not None
    return passes_it or not keeps_out(world, cell, direction)


def can_be_pushed(world: World, agent: Agent, thing: Thing) -> bool:
    """Whether a thing would give way to an agent: it can be pushed, and now, where a condition says when."""
    guard = thing.kind.gives_way
    if guard is None or guard.condition is None:
        return bool(thing.kind.pushable)
    scope = Scope(world, {thing.kind.name: thing, "self": thing}, agent)
    return guard_holds(guard.condition, thing, scope) == (guard.word == "if")


def row_from(world: World, agent: Agent, cell: Cell, direction: int, layer: str) -> tuple[list[Thing], Any]:
    """Return the row of objects from a cell on, and what is behind it: a cell, ``edge``, ``wall``, or what blocks.

    What does not give way now blocks; where that is the first, the row is empty.
    """
    row: list[Thing] = []
    first = world.on_layer(cell, layer)
    assert first is not None
    left, place = first.kind.pushable, cell
    while (thing := world.on_layer(place, layer)) is not None:
        if left == 0 or not can_be_pushed(world, agent, thing):
            return row, place
        row.append(thing)
        left -= 1
        beyond = world.beside(place, direction)
        if isinstance(beyond, str):
            return row, beyond
        place = beyond
    return row, place


def push(
    world: World, agent: Agent, cell: Cell, direction: int, layer: str, wishes: Collection[Cell] = ()
) -> int:
    """Push a row of objects on by a cell; return how many went. Where it does not give way, its last object bumps.

    ``wishes`` are the cells that agents get in this round, where all move at once.
    """
    row, end = row_from(world, agent, cell, direction, layer)
    if not row or end in wishes or not gives_way(world, end, direction, layer):
        if row:
            happen(world, "bump", row[-1], end)
        return 0
    for thing in reversed(row):
        place = world.beside(thing.cell, direction)  # type: ignore[arg-type]  # it is on the map
        assert isinstance(place, Cell)
        thing.cell = place
    return len(row)


def gives_way(world: World, end: Any, direction: int, layer: str) -> bool:
    """Whether a row of objects can be pushed on: behind it is a cell that is free."""
    if isinstance(end, str) or world.on_layer(end, layer) is not None:
        return False
    return not (world.blocks(end) or world.agents_at(end)) and world.lets_in(end, direction)


def pushed(world: World, agent: Agent, thing: Thing, target: Cell, direction: int, count: int) -> None:
    """Raise ``push``, then ``leave``, ``enter`` and ``meet`` of each object of the row, the nearest first."""
    came: list[tuple[Thing, Cell, Cell]] = []
    old, new = target, world.beside(target, direction)
    while len(came) < count and isinstance(new, Cell):
        moved = world.on_layer(new, thing.kind.layer)
        assert moved is not None
        came.append((moved, old, new))
        old, new = new, world.beside(new, direction)
    happen(world, "push", agent, thing)
    for moved, old, new in came:
        come(world, moved, old, new)


# Drift


def drift(world: World, agent: Agent, direction: int, cells: int) -> bool:
    """A move from drifting ground: move and wind add up, and only the last cell is entered."""
    game, here = world.game, agent.cell
    assert here is not None
    kind = here.ground.kind
    assert kind.drift is not None
    scope = Scope(world, {kind.name: here.ground}, agent)
    wind, amounts = kind.drift
    values = [number(amount, scope) for amount in amounts]
    amount = values[0] if len(values) == 1 else values[world.stream.below(len(values))]
    dx = STEPS[direction][0] * cells + STEPS[wind][0] * amount
    dy = STEPS[direction][1] * cells + STEPS[wind][1] * amount
    x, y = here.x + dx, here.y + dy
    if not world.is_inside(x, y) and game.spec.edge == "wrap":
        x, y = x % game.width, y % game.height
    elif not world.is_inside(x, y):
        if not bump_into_border(world, agent) or game.spec.edge == "stay":
            return False
        x, y = min(max(x, 0), game.width - 1), min(max(y, 0), game.height - 1)
    target = world.cell(x, y)
    if target is here:
        return False
    if world.blocks(target) or not _lets_in_straight(target, dx, dy):
        happen(world, "bump", agent, target)
        return False
    return arrive(world, agent, target)


def _lets_in_straight(target: Cell, dx: int, dy: int) -> bool:
    """Whether ground that is ``one_way`` lets in a whole move: where all of it leads that way."""
    way = target.ground.kind.one_way
    length = max(abs(dx), abs(dy))
    return way is None or (dx, dy) == (STEPS[way][0] * length, STEPS[way][1] * length)
