"""A spec on JAX beside the reference backend: two games in one compiled loop, as far as their setups find places."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from tests.agreement.in_jax import Beside, drawn_action, pair, streams
from tests.fuzz.specs.traces import Case

GAMES = 2
# What is compiled is played once: to compile it well takes longer.
QUICKLY = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}


def check_jax(case: Case) -> None:
    """Observations, rewards, flags, infos, states and streams are those of the reference, resets included."""
    import jax

    import griddsl.jax

    if case.is_joint:
        return
    try:
        env = griddsl.jax.make(case.compiled)
    except ValueError:  # it cannot be a function of arrays, which other tests ask
        return
    counters, draw = streams(GAMES), random.Random(case.seed)
    actions = np.array([[drawn_action(env.player, draw) for _ in counters] for _ in range(case.steps)])
    step = jax.vmap(env.step, in_axes=(None, 0, 0))

    def once(state: Any, row: Any) -> Any:
        found = step(None, state, row)
        return found[1], found

    def played(keys: Any, actions: Any) -> Any:
        first = jax.vmap(env.reset)(keys)
        return first, jax.lax.scan(once, first[1], actions)[1]

    keys = np.array([pair(counter) for counter in counters])
    compiled = jax.jit(played).lower(keys, actions).compile(compiler_options=QUICKLY)
    first, found = jax.device_get(compiled(keys, actions))
    jax.clear_caches()
    for i, counter in enumerate(counters):
        observation, state = _at(first, i)
        if state.failed:
            continue
        beside = Beside(case.compiled, counter, env, wide=False)
        beside.begins(observation, state)
        for t in range(case.steps):
            told = _at(found, t, i)
            if told[-1]["failed"]:  # the next episode finds no place
                break
            action = actions[t, i]
            beside.steps(action if action.ndim else int(action), told, f"{i} {t}")
            case.compared.append(1)


def _at(tree: Any, *at: int) -> Any:
    import jax

    return jax.tree.map(lambda array: array[at], tree)
