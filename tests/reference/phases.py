"""The step, in order: the phases of section 11 of the reference."""

from __future__ import annotations

from tests.reference.actions import Chosen, handle_all, judge, settle_actions
from tests.reference.belts import ride_belts
from tests.reference.creatures import move_creatures
from tests.reference.game import Memory
from tests.reference.leaving import come_back, go_out
from tests.reference.moves import move_all
from tests.reference.rules import rules_after
from tests.reference.setup import keep_before, remember
from tests.reference.together import act_together
from tests.reference.world import World


def carry_out(world: World, chosen: dict[int, Chosen]) -> None:
    """Carry out a step; ``chosen`` has the actions of the agents that learn, one a group."""
    if Memory.of(world.game.spec).previous:
        keep_before(world)
    world.step += 1
    world.in_step = True
    told, hidden = world.told, world.hidden
    world.begin_step()
    if world.game.turns == "alternate" and world.turn not in world.game.learners:
        world.told, world.hidden = told, hidden  # the turn belongs to the step of the learner before it
    if world.game.several:
        act_together(world, chosen)
    else:
        _act_alone(world, chosen[0])
    come_back(world)
    rules_after(world)
    remember(world)
    _finish(world)
    world.in_step = False


def _act_alone(world: World, chosen: Chosen) -> None:
    agent = world.agents[0]
    chosen = settle_actions(world, agent, chosen, judge(world, agent, chosen))
    if world.game.spec.order == "objects, agents":
        move_creatures(world)
    handle_all(world, agent, chosen)
    move_all(world, agent, chosen)
    ride_belts(world)
    if world.game.spec.order == "agents, objects":
        move_creatures(world)


def _pass_turn(world: World) -> None:
    """The turn goes to the next that takes part; who takes part and was given another turn keeps it."""
    if world.again and not world.agents[world.turn].is_out:
        return
    for _ in world.agents:
        world.turn = (world.turn + 1) % len(world.agents)
        if not world.agents[world.turn].is_out:
            return


def _changed(reward: float, world: World) -> float:
    """Return a reward as ``rewards: scale`` and ``clip`` leave it, in their order."""
    for change in world.game.spec.reward_changes:
        values = [float(world.game.constant(value)) for value in change.values]
        reward = reward * values[0] if change.name == "scale" else min(max(reward, values[0]), values[1])
    return reward


def _finish(world: World) -> None:
    """Phase 7: the reward of each, those whose own limit is reached, whose turn is next, and whether anybody is left."""
    game = world.game
    world.given = [
        total if assigned is None else assigned
        for total, assigned in zip(world.rewards, world.set_rewards, strict=True)
    ]
    if game.several and game.spec.rewards == "shared":
        world.given = [sum(world.given, 0.0)] * len(world.given)
    world.given = [_changed(reward, world) for reward in world.given]
    for index, reward in enumerate(world.given):
        world.totals[index] = world.totals.get(index, 0.0) + float(reward)
    for agent in world.agents:
        limit = game.own_limits.get(agent.kind.name)
        if limit is not None and world.step >= limit and (agent.away or not agent.is_out):
            go_out(world, agent)
            agent.away = 0
            world.timed_out.add(agent.index)
    if game.several and game.turns == "alternate":
        _pass_turn(world)
