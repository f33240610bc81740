"""Overcooked beside its own code: cramped room and asymmetric advantages, joint step by joint step."""

from __future__ import annotations

import warnings
from collections.abc import Generator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("overcooked_ai_py")

from tests.conformance.joint import Ours, draws

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # A backslash in one of its texts.
    from overcooked_ai_py.mdp.actions import Action
    from overcooked_ai_py.mdp.overcooked_mdp import OvercookedGridworld

HORIZON = 400
EPISODES = 6
# Our actions, in the order of the spec, as theirs.
ACTIONS = [(0, -1), (0, 1), (1, 0), (-1, 0), Action.STAY, Action.INTERACT]


@pytest.mark.parametrize("layout", ["cramped_room", "asymmetric_advantages"])
def test_overcooked__agrees(layout: str) -> None:
    """The lossless encoding of either cook, the shared reward and the end agree in every joint step."""
    ours = Ours("overcooked", level=layout)
    theirs = OvercookedGridworld.from_layout_name(layout)
    rng = draws(5)
    served, other = 0, 0
    for episode in range(EPISODES):
        state = theirs.get_standard_start_state()
        check(theirs, state, ours.reset(episode))
        plans = [cook(theirs, rng, who, poor=episode % 2 == 1) for who in range(2)]
        for step in range(1, HORIZON + 1):
            wishes = [plan.send(None if step == 1 else state) for plan in plans]
            actions = [int(rng.integers(6)) if rng.random() < 0.15 else wish for wish in wishes]
            state, info = theirs.get_state_transition(state, [ACTIONS[action] for action in actions])
            seen, rewards, ended, cut, _ = ours.step(actions)
            reward = sum(info["sparse_reward_by_agent"])
            assert rewards == [reward, reward], (layout, episode, step)
            assert not any(ended) and cut == [step == HORIZON] * 2
            check(theirs, state, seen)
            served += reward > 0
            other += any(info["event_infos"]["soup_delivery"]) and reward == 0
    assert served > 10 and other > 0, (served, other)


def check(theirs: Any, state: Any, seen: Any) -> None:
    """Compare what either cook sees with the 26 layers of their encoding."""
    for mine, layers in zip(
        seen.values(), theirs.lossless_state_encoding(state, horizon=HORIZON), strict=True
    ):
        assert np.array_equal(encoded(mine), np.moveaxis(layers, 0, 1))


def encoded(seen: Any) -> Any:
    """Return the 26 layers of their encoding, made of our planes."""
    kitchen, counters, hands = seen["kitchen"], seen["counters"], seen["hands"]
    filled, tick = seen["pots"][..., 0], seen["pots"][..., 1]
    pot = kitchen[..., 0]
    cooking = pot * (tick >= 0)
    nothing = np.zeros_like(pot)
    layers = [
        seen["me"][..., 0],
        seen["partner"][..., 0],
        *np.moveaxis(seen["me"][..., 1:], 2, 0),
        *np.moveaxis(seen["partner"][..., 1:], 2, 0),
        pot,
        kitchen[..., 1],
        kitchen[..., 2],
        nothing,
        kitchen[..., 3],
        kitchen[..., 4],
        filled * (1 - cooking),
        nothing,
        filled * cooking + portions(counters) + portions(hands),
        nothing,
        cooking * (20 - tick),
        pot * (tick == 20) + counters[..., 2] + hands[..., 2],
        counters[..., 1] + hands[..., 1],
        counters[..., 0] + hands[..., 0],
        nothing,
        nothing + seen["urgent"],
    ]
    return np.stack(layers, axis=2).astype(int)


def portions(planes: Any) -> Any:
    """Return the onions in the soups that lie or are held."""
    return planes[..., 2] * planes[..., 3]


# Cooks that get soup done, so that there is something to compare


def cook(theirs: Any, rng: np.random.Generator, who: int, poor: bool) -> Generator[int, Any]:
    """Yield actions of a cook that fills pots, starts them and brings the soup out; a poor one cooks too little."""
    state = theirs.get_standard_start_state()
    while True:
        target = aim(theirs, state, who, poor)
        given = yield go(theirs, state.players[who], target, rng)
        state = state if given is None else given


def aim(theirs: Any, state: Any, who: int, poor: bool) -> list[tuple[int, int]]:
    """Return the places, one of which a cook should face and use."""
    held = state.players[who].held_object
    pots = theirs.get_pot_states(state)
    full = theirs.get_ready_pots(pots) + theirs.get_cooking_pots(pots)
    waiting = theirs.get_full_but_not_cooking_pots(pots)
    partly = theirs.get_partially_full_pots(pots)
    if held is None:
        if waiting or (poor and partly):
            return list(waiting or partly)
        return list(
            theirs.get_dish_dispenser_locations() if full and who else theirs.get_onion_dispenser_locations()
        )
    if held.name == "onion":
        return list(partly + theirs.get_empty_pots(pots)) or list(theirs.get_counter_locations())
    if held.name == "dish":
        return list(full) or list(theirs.get_counter_locations())
    return list(theirs.get_serving_locations())


def go(theirs: Any, player: Any, targets: list[tuple[int, int]], rng: np.random.Generator) -> int:
    """Return the first action of a shortest way to face one of the places, or to use what is faced."""
    facing = Action.move_in_direction(player.position, player.orientation)
    if facing in targets:
        return 5
    ways: dict[tuple[int, int], int] = {}
    queue = [(player.position, -1)]
    seen = {player.position}
    for spot, first in queue:
        for number in rng.permutation(4).tolist():
            there = Action.move_in_direction(spot, ACTIONS[number])
            begun = number if first < 0 else first
            if there in targets:
                return int(begun)
            if there in theirs.terrain_pos_dict[" "] and there not in seen:
                seen.add(there)
                ways[there] = begun
                queue.append((there, begun))
    return int(rng.integers(6))
