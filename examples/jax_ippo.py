"""Independent PPO of several agents that lives on the device, as JaxMARL's baselines do: one policy that all share.

`pip install 'griddsl[jax]' optax`, then `python examples/jax_ippo.py griddsl/PredatorPrey-v0`. Each agent learns from
what it sees and gains by itself; the others are part of its world. All must have the same actions and observations.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import jax
import jax.numpy as jnp
import optax

import griddsl.jax

GAMMA, LAMBDA, CLIP, ENTROPY = 0.97, 0.95, 0.2, 0.01
EPOCHS, MINIBATCHES = 4, 4
CODES = 11  # numbers that a byte of a board may be


def layers(key: Any, sizes: list[int], last: float) -> list[Any]:
    """Return the weights of a perceptron; those of its last layer are scaled."""
    scales = [2**0.5] * (len(sizes) - 2) + [last]
    make = jax.nn.initializers.orthogonal
    keys = jax.random.split(key, len(scales))
    return [
        (make(scale)(k, (wide, out)), jnp.zeros(out))
        for k, scale, wide, out in zip(keys, scales, sizes, sizes[1:], strict=False)
    ]


def forward(weights: list[Any], x: Any) -> Any:
    """Return what a perceptron makes of its input."""
    for weight, bias in weights[:-1]:
        x = jnp.tanh(x @ weight + bias)
    return x @ weights[-1][0] + weights[-1][1]


def encoded(space: Any, seen: Any) -> Any:
    """Return an observation as one row of numbers: codes as a 1 in a row of zeros."""
    if isinstance(seen, dict):
        return jnp.concatenate([encoded(space.spaces[name], seen[name]) for name in sorted(seen)])
    if hasattr(space, "n"):
        return jax.nn.one_hot(seen, space.n)
    if seen.dtype == jnp.uint8:
        return jax.nn.one_hot(seen.reshape(-1), CODES).reshape(-1)
    return seen.astype(jnp.float32).reshape(-1)


def trainer(game: Any, games: int, length: int, updates: int, rate: float) -> Any:
    """Return a function of a key that trains, and returns the weights and the mean return of each update."""
    agents = game.agents
    space, actions = game.observation_space(agents[0]), game.action_space(agents[0]).n
    optimiser = optax.chain(
        optax.clip_by_global_norm(0.5),
        optax.adam(optax.linear_schedule(rate, 0.0, updates * EPOCHS * MINIBATCHES), eps=1e-5),
    )

    def rows_of(observations: Any) -> Any:
        """Return what all see, ``(games, agents, numbers)``."""
        return jnp.stack(
            [jax.vmap(lambda seen: encoded(space, seen))(observations[name]) for name in agents], 1
        )

    def policy(weights: Any, x: Any) -> tuple[Any, Any]:
        return jax.nn.log_softmax(forward(weights[0], x)), forward(weights[1], x)[..., 0]

    def act(carry: Any, key: Any) -> tuple[Any, Any]:
        weights, states, x, gained = carry
        logits, value = policy(weights, x)
        action = jax.random.categorical(key, logits)
        chosen = jnp.take_along_axis(logits, action[..., None], -1)[..., 0]
        taken = {name: action[:, k] for k, name in enumerate(agents)}
        observations, states, rewards, dones, infos = jax.vmap(game.step, (None, 0, 0))(None, states, taken)
        reward = jnp.stack([rewards[name] for name in agents], 1)
        done = jnp.stack([dones[name] for name in agents], 1)
        over, total = dones["__all__"], gained + reward.mean(1)
        # Who was cut short would have gone on from the last state.
        later = policy(weights, rows_of(infos["final_observation"]))[1]
        worth = reward + GAMMA * later * (infos["truncated"] & ~infos["terminated"])
        row = (x, action, chosen, value, worth, done, over, total)
        return (weights, states, rows_of(observations), jnp.where(over, 0.0, total)), row

    def loss(weights: Any, batch: Any) -> Any:
        x, action, old, advantage, target = batch
        logits, value = policy(weights, x)
        ratio = jnp.exp(jnp.take_along_axis(logits, action[:, None], -1)[:, 0] - old)
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        gain = jnp.minimum(ratio * advantage, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * advantage).mean()
        entropy = -(jnp.exp(logits) * logits).sum(-1).mean()
        return -gain + 0.5 * jnp.square(value - target).mean() - ENTROPY * entropy

    def update(carry: Any, key: Any) -> tuple[Any, Any]:
        weights, opt, states, x, gained = carry
        first, second = jax.random.split(key)
        (_, states, x, gained), rows = jax.lax.scan(
            act, (weights, states, x, gained), jax.random.split(first, length)
        )
        seen, action, chosen, value, worth, done, over, total = rows

        def credit(after: Any, row: Any) -> tuple[Any, Any]:
            advantage, following = after
            value, worth, done = row
            delta = worth + GAMMA * following * (1 - done) - value
            advantage = delta + GAMMA * LAMBDA * (1 - done) * advantage
            return (advantage, value), advantage

        last = policy(weights, x)[1]
        _, advantage = jax.lax.scan(credit, (jnp.zeros_like(last), last), (value, worth, done), reverse=True)
        data = (seen, action, chosen, advantage, advantage + value)
        data = jax.tree.map(lambda array: array.reshape(-1, *array.shape[3:]), data)

        def fit(carry: Any, rows: Any) -> tuple[Any, Any]:
            weights, opt = carry
            slope = jax.grad(loss)(weights, jax.tree.map(lambda array: array[rows], data))
            change, opt = optimiser.update(slope, opt, weights)
            return (optax.apply_updates(weights, change), opt), None

        size = len(data[1])
        orders = [
            jax.random.permutation(k, size).reshape(MINIBATCHES, -1) for k in jax.random.split(second, EPOCHS)
        ]
        (weights, opt), _ = jax.lax.scan(fit, (weights, opt), jnp.concatenate(orders))
        finished = jnp.where(over, total, 0.0).sum() / jnp.maximum(over.sum(), 1)
        return (weights, opt, states, x, gained), jnp.where(over.any(), finished, jnp.nan)

    def train(key: Any) -> tuple[Any, Any]:
        first, second, third, key = jax.random.split(key, 4)
        observations, states = jax.vmap(game.reset)(jax.random.split(third, games))
        x = rows_of(observations)
        size = x.shape[-1]
        weights = (layers(first, [size, 64, 64, actions], 0.01), layers(second, [size, 64, 64, 1], 1.0))
        carry = (weights, optimiser.init(weights), states, x, jnp.zeros(games))
        (weights, *_), returns = jax.lax.scan(update, carry, jax.random.split(key, updates))
        return weights, returns

    return jax.jit(train)


def main() -> None:
    """Train, and print returns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("spec", nargs="?", default="griddsl/PredatorPrey-v0")
    parser.add_argument("--games", type=int, default=32)
    parser.add_argument("--length", type=int, default=50, help="steps of each game between two updates")
    parser.add_argument("--steps", type=int, default=600_000, help="of all games together")
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    game = griddsl.jax.make_parallel(given.spec, observation="network")
    updates = max(1, given.steps // (given.games * given.length))
    start = time.perf_counter()
    train = trainer(game, given.games, given.length, updates, given.rate)
    _, returns = jax.block_until_ready(train(jax.random.key(given.seed)))
    seconds = time.perf_counter() - start
    for number, part in enumerate(jnp.array_split(returns, 10)):
        print(f"{(number + 1) * 10:3d} %: mean return of an agent {float(jnp.nanmean(part)):6.3f}")
    print(f"{updates * given.games * given.length:,} steps in {seconds:.0f} s")


if __name__ == "__main__":
    main()
