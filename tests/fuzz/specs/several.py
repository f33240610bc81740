"""Several agents: who plays, in what order, and whose a reward is."""

from __future__ import annotations

from tests.fuzz.specs.actions import _group
from tests.fuzz.specs.dice import Dice
from tests.fuzz.specs.kinds import attribute_item, make_value, policy
from tests.fuzz.specs.world import Kind, World

AGENTS = (
    "red",
    "blue",
    "hunter",
    "runner",
    "agent_1",
    "team",
    "thief",
    "guard",
    "robot_0",
    "of_level_red",
    "left_one",
)


def declare_agents(world: World) -> None:
    """Declare the agents' names."""
    dice = world.dice
    names = [name for name in dice.shuffled(AGENTS) if name not in world.names.taken][: dice.between(1, 3)]
    world.names.taken |= set(names)
    world.agents = [Kind(name, "agent", count=dice.weighted({1: 5, 2: 2, 3: 0.5})) for name in names]
    if sum(kind.count for kind in world.agents) < 2:
        world.agents[0].count = 2
    items = [kind.name if kind.count == 1 else f"{kind.name} * {kind.count}" for kind in world.agents]
    world.say(f"agents: {', '.join(items)}")
    for word, options in (
        ("turns", ("simultaneous", "simultaneous", "in_order", "random_order", "alternate")),
        ("contested", ("block", "first", "random", "freeze_all", "share", "share")),
        ("swap", ("allow", "block")),
        ("rewards", ("own", "shared", "zero_sum")),
    ):
        if dice.chance(60):
            chosen = dice.pick(options)
            world.alternates |= chosen == "alternate"
            world.shares = chosen if word == "rewards" else world.shares
            if word == "rewards" and chosen != "zero_sum" and dice.chance(30):
                chosen += f", {reward_changes(world)}"
            world.say(f"{word}: {chosen}")


def say_agents(world: World) -> None:
    """Say what the agents have, and which of them play by themselves."""
    dice = world.dice
    if dice.chance(25):
        value = make_value(world, dice.pick(("age", "color", "speed", "a_b", "x_is_set")))
        for kind in world.agents:
            kind.values.append(value)
        world.say(f"agent: {attribute_item(world, value)}")
    if dice.chance(12):
        world.has_facing = True
        world.say("agent: facing") if not any(s.startswith("agent:") for s in world.statements) else None
    for kind in world.agents[1:]:
        if dice.chance(20):
            kind.learns = False
            world.say(f"agent {kind.name}: moves {policy(world, kind)}")
    for kind in world.agents:
        if kind.learns and dice.chance(15):
            value = make_value(world, f"own_{len(kind.values)}")
            kind.values.append(value)
            carries = ", carries 2" if dice.chance(30) else ""
            world.say(f"agent {kind.name}: {attribute_item(world, value)}{carries}")


def say_own(world: World) -> None:
    """Give one kind of agent actions, or a limit, of its own."""
    dice = world.dice
    learning = [kind for kind in world.agents if kind.learns]
    if len(learning) > 1 and dice.chance(15):
        before = list(world.actions)
        world.say(_group(world, f"actions {learning[0].name}"))
        second = Dice(f"second {learning[0].name} {len(world.statements)}")
        if second.chance(40):
            names = second.some(("ping", "pong", "quiet_2", "loud_2"), 1, 3)
            world.say(f"actions {learning[0].name} {second.pick(('hand', 'second_2'))}: {', '.join(names)}")
        world.actions = [name for name in before if name in world.actions[len(before) :]] or before[:1]
    if learning and dice.chance(15):
        world.say(f"limit {dice.pick(learning).name}: {dice.between(3, 12)} steps")


def reward_changes(world: World) -> str:
    """Return what becomes of the reward of every step."""
    dice = world.dice
    scale = f"scale {dice.pick(('1/10', '2', '0.5', '-1'))}"
    clip = f"clip {dice.pick(('-1..1', '0..5', '-0.5..2'))}"
    return dice.pick((scale, clip, f"{scale}, {clip}", f"{clip}, {scale}"))
