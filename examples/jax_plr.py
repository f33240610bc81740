"""Environment design on the device: which mazes to learn in, by prioritised level replay (PLR) or by evolution (ACCEL).

`pip install 'griddsl[jax]' optax`, then `python examples/jax_plr.py --method plr` (or `accel`, or `uniform`, which
draws a new maze each time). A level is data: an array of walls, a start and a goal. Levels at which the student gained
more than it had thought are kept and played again (Jiang et al. 2021; with `accel` also changed a little, Parker-Holder
et al. 2022). At the end the student plays mazes that it has never seen.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import optax

import griddsl.jax
from griddsl.jax import levels

GAMMA, LAMBDA, CLIP, ENTROPY, EPOCHS, MINIBATCHES = 0.98, 0.95, 0.2, 0.01, 4, 4
KEPT, REPLAYED, STALE, SHARP = (
    256,
    0.5,
    0.1,
    0.3,
)  # levels, share of replays, weight of age, temperature of ranks


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


def policy(weights: Any, x: Any) -> tuple[Any, Any]:
    """Return the logarithms of the chances of actions, and what is to be expected."""
    return jax.nn.log_softmax(forward(weights[0], x)), forward(weights[1], x)[..., 0]


def rollout(env: Any, length: int, weights: Any, key: Any, batch: Any) -> tuple[Any, Any]:
    """Play each level of a batch again and again; return what to learn from, and how much was gained unforeseen."""
    count = jax.tree.leaves(batch)[0].shape[0]
    start, key = jax.random.split(key)
    seen, first = jax.vmap(lambda key, level: env.reset(key, level=level))(
        jax.random.split(start, count), batch
    )

    def act(carry: Any, key: Any) -> tuple[Any, Any]:
        states, x = carry
        logits, value = policy(weights, x)
        action = jax.random.categorical(key, logits)
        chosen = jnp.take_along_axis(logits, action[:, None], -1)[:, 0]
        later, states, reward, ended, cut, _ = jax.vmap(env.step_env, (None, 0, 0))(None, states, action)
        # Who was cut short would have gone on from the last state.
        worth = reward + GAMMA * policy(weights, later)[1] * (cut & ~ended)
        over = ended | cut

        def again(new: Any, old: Any) -> Any:
            return jnp.where(over.reshape(-1, *[1] * (old.ndim - 1)), new, old)

        states = jax.tree.map(again, first, states)
        return (states, again(seen, later)), (x, action, chosen, value, worth, over)

    (_, x), rows = jax.lax.scan(act, (first, seen), jax.random.split(key, length))
    value, worth, over = rows[3:]

    def credit(after: Any, row: Any) -> tuple[Any, Any]:
        advantage, following = after
        value, reward, over = row
        delta = reward + GAMMA * following * (1 - over) - value
        advantage = delta + GAMMA * LAMBDA * (1 - over) * advantage
        return (advantage, value), advantage

    last = policy(weights, x)[1]
    _, advantage = jax.lax.scan(credit, (jnp.zeros_like(last), last), (value, worth, over), reverse=True)
    return (*rows[:3], advantage, advantage + value), jnp.maximum(advantage, 0.0).mean(0)


def learned(optimiser: Any, key: Any, weights: Any, opt: Any, data: Any) -> tuple[Any, Any]:
    """Return weights and the optimiser's state after some epochs of PPO."""
    data = jax.tree.map(lambda array: array.reshape(-1, *array.shape[2:]), data)

    def loss(weights: Any, batch: Any) -> Any:
        x, action, old, advantage, target = batch
        logits, value = policy(weights, x)
        ratio = jnp.exp(jnp.take_along_axis(logits, action[:, None], -1)[:, 0] - old)
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        gain = jnp.minimum(ratio * advantage, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * advantage).mean()
        entropy = -(jnp.exp(logits) * logits).sum(-1).mean()
        return -gain + 0.5 * jnp.square(value - target).mean() - ENTROPY * entropy

    def fit(carry: Any, rows: Any) -> tuple[Any, Any]:
        weights, opt = carry
        slope = jax.grad(loss)(weights, jax.tree.map(lambda array: array[rows], data))
        change, opt = optimiser.update(slope, opt, weights)
        return (optax.apply_updates(weights, change), opt), None

    size = len(data[1])
    orders = [jax.random.permutation(k, size).reshape(MINIBATCHES, -1) for k in jax.random.split(key, EPOCHS)]
    found: tuple[Any, Any] = jax.lax.scan(fit, (weights, opt), jnp.concatenate(orders))[0]
    return found


def chances(scores: Any, ages: Any) -> Any:
    """Return how likely each level is played again: by the rank of its score, and by how long ago it was played."""
    ranks = jnp.argsort(jnp.argsort(-scores)) + 1.0
    by_score = jnp.where(scores >= 0, ranks ** (-1 / SHARP), 0.0)
    by_age = jnp.where(scores >= 0, ages, 0.0)
    by_score = by_score / jnp.maximum(by_score.sum(), 1e-9)
    return (1 - STALE) * by_score + STALE * by_age / jnp.maximum(by_age.sum(), 1e-9)


def trainer(env: Any, method: str, batch: int, length: int, updates: int, rate: float) -> Any:
    """Return a function of a key that trains; it returns the weights and the mean score of the levels kept."""
    size, actions = env.observation_space().shape[0], env.num_actions
    optimiser = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(rate, eps=1e-5))
    play = partial(rollout, env, length)

    def drawn(key: Any) -> Any:
        return jax.vmap(lambda key: levels.generated(env, key))(jax.random.split(key, batch))

    def changed(key: Any, level: Any) -> Any:
        first, second = jax.random.split(key)
        return levels.moved(env, first, levels.flipped(env, second, level, count=2))

    def kept(memory: Any, batch: Any, scores: Any) -> Any:
        """Return the memory with levels in the place of those with lower scores."""
        stored, old, ages = memory
        best, places = jax.lax.top_k(jnp.concatenate([old, scores]), KEPT)
        stored = jax.tree.map(lambda a, b: jnp.concatenate([a, b])[places], stored, batch)
        return stored, best, jnp.concatenate([ages, jnp.zeros_like(scores)])[places]

    def learn(carry: Any, key: Any, batch: Any) -> tuple[Any, Any, Any]:
        weights, opt = carry
        first, second = jax.random.split(key)
        data, scores = play(weights, first, batch)
        return (*learned(optimiser, second, weights, opt, data), scores)

    def explore(carry: Any, key: Any) -> Any:
        """Play new levels, and keep those that promise something; who draws uniformly learns from them."""
        weights, opt, memory = carry
        first, second = jax.random.split(key)
        new = drawn(first)
        if method == "uniform":
            weights, opt, _ = learn((weights, opt), second, new)
            return weights, opt, memory
        return weights, opt, kept(memory, new, play(weights, second, new)[1])

    def replay(carry: Any, key: Any) -> Any:
        """Learn from levels that were kept; evolution also tries their neighbours."""
        weights, opt, (stored, scores, ages) = carry
        keys = jax.random.split(key, 4)
        picked = jax.random.choice(keys[0], KEPT, (batch,), False, chances(scores, ages))
        again = jax.tree.map(lambda array: array[picked], stored)
        weights, opt, found = learn((weights, opt), keys[1], again)
        memory = (stored, scores.at[picked].set(found), (ages + 1).at[picked].set(0))
        if method == "accel":
            children = jax.vmap(changed)(jax.random.split(keys[2], batch), again)
            memory = kept(memory, children, play(weights, keys[3], children)[1])
        return weights, opt, memory

    def update(carry: Any, key: Any) -> tuple[Any, Any]:
        first, second = jax.random.split(key)
        scores = carry[2][1]
        able = (scores >= 0).sum() >= batch
        is_replay = able & (jax.random.uniform(first) < REPLAYED)
        carry = (
            explore(carry, second)
            if method == "uniform"
            else jax.lax.cond(is_replay, replay, explore, carry, second)
        )
        return carry, jnp.where(carry[2][1] >= 0, carry[2][1], jnp.nan)

    def train(key: Any) -> tuple[Any, Any]:
        first, second, third, key = jax.random.split(key, 4)
        weights = (layers(first, [size, 64, 64, actions], 0.01), layers(second, [size, 64, 64, 1], 1.0))
        stored = jax.vmap(lambda key: levels.generated(env, key))(jax.random.split(third, KEPT))
        memory = (stored, jnp.full(KEPT, -1.0), jnp.zeros(KEPT))
        carry = (weights, optimiser.init(weights), memory)
        (weights, _, _), scores = jax.lax.scan(update, carry, jax.random.split(key, updates))
        return weights, jnp.nanmean(scores, 1)

    return jax.jit(train)


def solved(env: Any, weights: Any, key: Any, games: int, steps: int) -> Any:
    """Return the share of new mazes whose goal is reached within some steps."""

    def once(carry: Any, key: Any) -> tuple[Any, None]:
        states, x, done, alive = carry
        action = jax.random.categorical(key, policy(weights, x)[0])
        x, states, _, ended, cut, info = jax.vmap(env.step_env, (None, 0, 0))(None, states, action)
        return (states, x, done | (alive & info["is_success"]), alive & ~(ended | cut)), None

    first, key = jax.random.split(key)
    x, states = jax.vmap(env.reset)(jax.random.split(first, games))
    start = (states, x, jnp.zeros(games, bool), jnp.ones(games, bool))
    return jax.lax.scan(once, start, jax.random.split(key, steps))[0][2].mean()


def main() -> None:
    """Train, and print which share of new mazes is solved."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--method", choices=["plr", "accel", "uniform"], default="plr")
    parser.add_argument("--size", type=int, default=9, help="of the mazes")
    parser.add_argument("--levels", type=int, default=32, help="played at once")
    parser.add_argument("--length", type=int, default=128, help="steps of each level between two updates")
    parser.add_argument("--updates", type=int, default=300)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    env = griddsl.jax.make("griddsl/RandomMaze-v0", size=given.size, observation="flat")
    start = time.perf_counter()
    train = trainer(env, given.method, given.levels, given.length, given.updates, given.rate)
    weights, scores = jax.block_until_ready(train(jax.random.key(given.seed)))
    seconds = time.perf_counter() - start
    if given.method != "uniform":
        shown = ", ".join(f"{float(score):.4f}" for score in scores[:: max(1, given.updates // 8)])
        print(f"unforeseen gain in the levels that are kept: {shown}")
    share = jax.jit(solved, static_argnums=(0, 3, 4))(env, weights, jax.random.key(1), 256, 100)
    print(
        f"{given.method}: {100 * float(share):.0f} % of 256 new mazes solved in 100 steps; "
        f"{given.updates} updates in {seconds:.0f} s"
    )


if __name__ == "__main__":
    main()
