"""A spec on JAX beside the reference backend: two games in one compiled loop, as far as their setups find places."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.agreement.in_jax import Beside, GameBeside, drawn_action, pair, streams
from tests.fuzz.specs.traces import Case

GAMES = 2
# What is compiled is played once: to compile it well takes longer.
QUICKLY = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}


def check_jax(case: Case) -> None:
    """Observations, rewards, flags, infos, states and streams are those of the reference, resets included."""
    import jax

    import griddsl.jax

    try:
        env: Any = (griddsl.jax.make_parallel if case.is_joint else griddsl.jax.make)(case.compiled)
    except ValueError:  # it cannot be a function of arrays, which other tests ask
        return
    wide = case.seed % 2 == 1  # rewards are doubles then, not rounded
    with jax.enable_x64(wide):
        (_several if case.is_joint else _alone)(case, env, wide)


def _alone(case: Case, env: Any, wide: bool) -> None:
    counters, draw = streams(GAMES), random.Random(case.seed)
    actions = np.array([[drawn_action(env.player, draw) for _ in counters] for _ in range(case.steps)])
    first, found = _played(env, counters, actions, lambda _: ())
    for i, counter in enumerate(counters):
        observation, state = _at(first, i)
        if state.failed:
            continue
        beside = Beside(case.compiled, counter, env, wide)
        beside.begins(observation, state)
        for t in range(case.steps):
            told, _ = _at(found, t, i)
            if told[-1]["failed"]:  # the next episode finds no place
                break
            action = actions[t, i]
            beside.steps(action if action.ndim else int(action), told, f"{i} {t}")
            case.compared.append(1)


def _several(case: Case, env: Any, wide: bool) -> None:
    counters, draw = streams(GAMES), random.Random(case.seed)
    actions = {
        player.name: np.array([[drawn_action(player, draw) for _ in counters] for _ in range(case.steps)])
        for player in env.program.players
    }
    first, found = _played(env, counters, actions, env.get_avail_actions)
    for i, counter in enumerate(counters):
        observations, state = _at(first, i)
        if state.failed:
            continue
        beside = GameBeside(case.compiled, counter, env, wide)
        beside.begins(observations, state)
        for t in range(case.steps):
            told, masks = _at(found, t, i)
            if told[-1]["failed"].any():
                break
            beside.steps({name: row[t, i] for name, row in actions.items()}, told, masks, f"{i} {t}")
            case.compared.append(1)


def _played(env: Any, counters: list[int], actions: Any, masks: Callable[[Any], Any]) -> Any:
    """Return what resets give, and what each step gives with the masks that follow, for a batch of games."""
    import jax

    step = jax.vmap(env.step, in_axes=(None, 0, 0))

    def once(state: Any, row: Any) -> Any:
        found = step(None, state, row)
        return found[1], (found, jax.vmap(masks)(found[1]))

    def played(keys: Any, actions: Any) -> Any:
        first = jax.vmap(env.reset)(keys)
        return first, jax.lax.scan(once, first[1], actions)[1]

    keys = np.array([pair(counter) for counter in counters])
    compiled = jax.jit(played).lower(keys, actions).compile(compiler_options=QUICKLY)
    found = jax.device_get(compiled(keys, actions))
    jax.clear_caches()
    return found


def _at(tree: Any, *at: int) -> Any:
    import jax

    return jax.tree.map(lambda array: array[at], tree)
