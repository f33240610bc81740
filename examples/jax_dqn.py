"""Deep Q-learning that lives on the device: games, memory, network and optimiser in one compiled function.

`pip install 'griddsl[jax]' optax`, then `python examples/jax_dqn.py griddsl/CliffWalking-v0`. Double Q-learning with a
memory of the last transitions, a network that is copied now and then, and less and less chance in what is played.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import jax
import jax.numpy as jnp
import optax

import griddsl.jax

GAMMA, MEMORY, BATCH, COPIED = 0.99, 20_000, 256, 200
FIRST, LAST, EXPLORED = 1.0, 0.05, 0.5  # chance of a random action, until this share of the training


def layers(key: Any, sizes: list[int]) -> list[Any]:
    """Return the weights of a perceptron."""
    make = jax.nn.initializers.he_normal()
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        (make(k, (wide, out)), jnp.zeros(out)) for k, wide, out in zip(keys, sizes, sizes[1:], strict=False)
    ]


def values(weights: list[Any], x: Any) -> Any:
    """Return what each action is worth."""
    for weight, bias in weights[:-1]:
        x = jax.nn.relu(x @ weight + bias)
    weight, bias = weights[-1]
    return x @ weight + bias


def trainer(env: Any, games: int, updates: int, rate: float, scale: float) -> Any:
    """Return a function of a key that trains; it returns the weights and the mean return of each update, or nan."""
    size, actions = env.observation_space().shape[0], env.num_actions
    optimiser = optax.adam(rate)

    def loss(weights: Any, old: Any, batch: Any) -> Any:
        seen, action, reward, later, goes_on = batch
        best = values(weights, later).argmax(-1)
        worth = jnp.take_along_axis(values(old, later), best[:, None], -1)[:, 0]
        target = reward + GAMMA * goes_on * worth
        told = jnp.take_along_axis(values(weights, seen), action[:, None], -1)[:, 0]
        return optax.huber_loss(told, jax.lax.stop_gradient(target)).mean()

    def update(carry: Any, given: Any) -> tuple[Any, Any]:
        number, key = given
        weights, old, opt, memory, states, seen, gained = carry
        first, second, third = jax.random.split(key, 3)
        chance = jnp.maximum(LAST, FIRST - (FIRST - LAST) * number / (EXPLORED * updates))
        drawn = jax.random.randint(first, (games,), 0, actions)
        action = jnp.where(
            jax.random.uniform(second, (games,)) < chance, drawn, values(weights, seen).argmax(-1)
        )
        following, states, reward, ended, cut, info = jax.vmap(env.step, (None, 0, 0))(None, states, action)
        total = gained + reward
        # Only an end takes away what comes later: who is cut short would have gone on.
        row = (seen, action, scale * reward, info["final_observation"], 1.0 - ended)
        places = (number * games + jnp.arange(games)) % MEMORY
        memory = jax.tree.map(lambda kept, new: kept.at[places].set(new.astype(kept.dtype)), memory, row)
        known = jnp.minimum((number + 1) * games, MEMORY)
        picked = jax.random.randint(third, (BATCH,), 0, known)
        slope = jax.grad(loss)(weights, old, jax.tree.map(lambda kept: kept[picked], memory))
        change, opt = optimiser.update(slope, opt, weights)
        weights = optax.apply_updates(weights, change)
        old = jax.tree.map(lambda new, kept: jnp.where(number % COPIED == 0, new, kept), weights, old)
        over = ended | cut
        mean = jnp.where(over, total, 0.0).sum() / jnp.maximum(over.sum(), 1)
        shown = jnp.where(over.any(), mean, jnp.nan)
        return (weights, old, opt, memory, states, following, jnp.where(over, 0.0, total)), shown

    def train(key: Any) -> tuple[Any, Any]:
        first, second, key = jax.random.split(key, 3)
        weights = layers(first, [size, 64, 64, actions])
        seen, states = jax.vmap(env.reset)(jax.random.split(second, games))
        memory = (
            jnp.zeros((MEMORY, size)),
            jnp.zeros(MEMORY, jnp.int32),
            jnp.zeros(MEMORY),
            jnp.zeros((MEMORY, size)),
            jnp.zeros(MEMORY),
        )
        carry = (weights, weights, optimiser.init(weights), memory, states, seen, jnp.zeros(games))
        numbers = jnp.arange(updates)
        (weights, *_), returns = jax.lax.scan(update, carry, (numbers, jax.random.split(key, updates)))
        return weights, returns

    return jax.jit(train)


def played(env: Any, weights: Any, key: Any, games: int, steps: int) -> Any:
    """Return the mean return of first episodes in which the best action is always taken."""

    def once(carry: Any, _: Any) -> tuple[Any, None]:
        states, seen, total, alive = carry
        action = values(weights, seen).argmax(-1)
        seen, states, reward, ended, cut, _ = jax.vmap(env.step, (None, 0, 0))(None, states, action)
        return (states, seen, total + alive * reward, alive & ~(ended | cut)), None

    seen, states = jax.vmap(env.reset)(jax.random.split(key, games))
    start = (states, seen, jnp.zeros(games), jnp.ones(games, bool))
    return jax.lax.scan(once, start, None, steps)[0][2].mean()


def main() -> None:
    """Train, and print returns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("spec", nargs="?", default="griddsl/CliffWalking-v0")
    parser.add_argument("--games", type=int, default=16)
    parser.add_argument("--steps", type=int, default=200_000, help="of all games together")
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--scale", type=float, default=0.05, help="what rewards are multiplied with to learn")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    env = griddsl.jax.make(given.spec, observation="flat")
    updates = max(1, given.steps // given.games)
    start = time.perf_counter()
    weights, returns = trainer(env, given.games, updates, given.rate, given.scale)(jax.random.key(given.seed))
    parts = [part[~jnp.isnan(part)] for part in jnp.array_split(returns, 10)]
    for number, part in enumerate(parts):
        shown = f"{float(part.mean()):8.2f}" if part.size else "no episode ended"
        print(f"{(number + 1) * 10:3d} %: mean return {shown}")
    seconds = time.perf_counter() - start
    best = float(jax.jit(played, static_argnums=(0, 3, 4))(env, weights, jax.random.key(1), 64, 200))
    print(
        f"always the best action: mean return {best:.2f}; {updates * given.games:,} steps in {seconds:.0f} s"
    )


if __name__ == "__main__":
    main()
