"""Actions of every kind, and what becomes of them: slips, repeats, edges, what is allowed."""

from __future__ import annotations

import re

from tests.fuzz.specs.dice import Dice
from tests.fuzz.specs.expressions import Expressions
from tests.fuzz.specs.world import Scope, Value, World

MOVES = ("up", "right", "down", "left")
DIAGONALS = ("up_right", "up_left", "down_right", "down_left")
OTHERS = ("stay", "done", "forward", "backward", "turn_left", "turn_right")
HANDLING = ("pickup", "drop", "toggle")


def say_actions(world: World) -> None:
    """Add the actions, one group or more, and how they may go wrong."""
    dice = world.dice
    if not world.several and not world.is_minigrid and dice.chance(5):
        eight = dice.chance(50)
        world.say(f"actions: joystick {8 if eight else 4}")
        world.actions = [*MOVES, *(DIAGONALS if eight else ()), "stay"]
        world.verbs = {"move"}
    elif not world.is_minigrid:
        world.say(_group(world, "actions" if dice.chance(80) else "actions as multidiscrete"))
        if dice.chance(15):
            names = [world.names.fresh() for _ in range(dice.between(1, 2))]
            world.say(f"actions {dice.pick(('say', 'signal', 'second'))}: {', '.join(names)}")
            world.actions += names
    _say_slips(world)
    if dice.chance(12):
        world.say(f"sticky: {dice.pick(('0.25', '10%', '1/3'))}")
    if dice.chance(35):
        world.say(f"edge: {dice.pick(('stay', 'clip', 'wrap', 'wrap'))}")
    if world.objects and dice.chance(20):
        world.say(f"order: {dice.pick(('objects, agents', 'agents, objects'))}")


def say_allowed(world: World) -> None:
    """Add what is allowed when; a condition may speak of everything, so this comes late."""
    dice = world.dice
    if not dice.chance(25):
        return
    world.has_mask = True
    for action in dice.some(world.actions[:-1], 1, 2):
        scope = world.taken.get(
            action,
            Scope(agent="self" if world.several else "agent", acts=False, has_memory=False, has_past=False),
        )
        world.say(f"allow {action}: {Expressions(world, scope).condition(1).text}")
    if dice.chance(60):
        world.say(f"illegal: {dice.pick(('stay', 'end', 'act'))}")


def _group(world: World, head: str) -> str:
    dice = world.dice
    names = dice.some(MOVES, 2, 4) if dice.chance(75) else ["turn_left", "turn_right", "forward"]
    if dice.chance(25):
        names += dice.some([*DIAGONALS, *OTHERS], 1, 2)
    handling = [kind for kind in world.objects if kind.is_portable]
    if handling or dice.chance(20):
        names += dice.some(HANDLING, 1, 3)
    if {"turn_left", "turn_right", "forward", "backward"} & set(names):
        world.has_facing = True
    own = Dice(f"strafe {names} {len(world.statements)}")
    if world.has_facing and own.chance(30):
        names.append(own.pick(("strafe_left", "strafe_right")))
    names = list(dict.fromkeys(names))
    items = [name if dice.chance(85) else _renamed(world, name) for name in names]
    world.verbs |= {name for name in items if name in HANDLING} | {"move"}
    for _ in range(dice.weighted({0: 5, 1: 2, 2: 1})):
        items.append(_made(world))
    if dice.chance(30):
        items += [_taking(world) for _ in range(dice.between(1, 2))]
    world.actions += [re.split(r"[ (]", item)[0] for item in items]
    if dice.chance(15):
        return f"{head}:" + "".join(f"\n    {item}" for item in items)
    return f"{head}: {', '.join(items)}"


def _taking(world: World) -> str:
    """Return an action that takes something: cells, directions, words, numbers, kinds; rules say what it does."""
    dice, name = world.dice, world.names.fresh()
    values: list[Value] = []
    cells: list[str] = []
    items: list[str] = []
    agent = "self" if world.several else "agent"
    for _ in range(dice.weighted({1: 5, 2: 2})):
        called = world.names.fresh()
        match dice.between(0, 4):
            case 0:
                values.append(Value(called, "number", dice.between(-1, 1), dice.between(1, 3)))
                domain = values[-1].domain()
            case 1:
                words = tuple(world.names.fresh() for _ in range(dice.between(2, 3)))
                values.append(Value(called, "word", words=words))
                domain = values[-1].domain()
            case 2:
                words = ("east", "south", "west", "north")
                values.append(Value(called, "word", words=words))
                domain = dice.pick(("directions", "directions | diagonals"))
            case 3:
                values.append(Value(called, "truth"))
                domain = "false | true"
            case _:
                cells.append(called)
                domain = dice.pick(["cells", *world.regions])
        items.append(f"{called} in {domain}")
    kinds: tuple[str, ...] = ()
    objects = sorted({kind.name for kind in world.objects})
    if len(objects) > 1 and Dice(f"kinds {name}").chance(30):
        kinds = (world.names.fresh(),)
        items.append(f"{kinds[0]} in {' | '.join(objects[:3])}")
    scope = Scope(
        agent=agent,
        acts=False,
        values=tuple(values),
        cells=tuple(cells),
        kinds=kinds,
        has_memory=False,
        has_past=False,
    )
    if dice.chance(40):
        world.has_mask = True
        items[-1] += f" where {Expressions(world, scope).condition(1).text}"
    world.taken[name] = scope
    return f"{name}({', '.join(items)}){dice.pick(('', ' [t]'))}"


def _renamed(world: World, name: str) -> str:
    return f"{world.names.fresh()} = {name}"


def _made(world: World) -> str:
    """Return an action that is built from moves, or that rules alone decide."""
    dice, name = world.dice, world.names.fresh()
    key = dice.pick(("", "", " [u]", " [v | y]"))
    if dice.chance(35):
        return f"{name}{key}"
    directions = [
        "east",
        "south",
        "west",
        "north",
        *MOVES,
        *world.ways,
        *(("forward", "backward") if world.has_facing else ()),
    ]
    text = f"{name}{key} = move {dice.pick(directions)}"
    text += dice.pick(("", f" {dice.between(1, 3)}"))
    numbers = [value for value in world.variables if value.form == "number" and value.high < 6]
    if text[-1].isdigit() is False and numbers and dice.chance(40):
        text += f" ({dice.pick(numbers).name})"
    solid = [kind.name for kind in world.kinds if kind.is_solid] + ["wall"]
    if dice.chance(30):
        text += f"{'' if text[-1].isdigit() or text[-1] == ')' else ' 1'} through {dice.pick(solid)} with chance {dice.pick(('0.5', '90%'))}"
    return text


def _say_slips(world: World) -> None:
    dice = world.dice
    if not dice.chance(15):
        return
    chances = dice.pick(("0.1 left, 0.1 right", "1/3 left, 1/3 right", "20% back", "0.25 right"))
    if dice.chance(40):
        scope = Scope(agent=None, acts=False, subject="none") if world.several else Scope(acts=False)
        world.say(f"slip if {Expressions(world, scope).condition(1).text}: {chances}")
        if dice.chance(50):
            return
    world.say(f"slip: {dice.pick(('1/3 left', '0.1 left, 0.2 right'))}")
