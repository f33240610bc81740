"""Environment design on the device: which levels to learn in, by prioritised level replay (PLR) or evolution (ACCEL).

`pip install 'griddsl[jax]' optax`, then `python examples/jax_plr.py --method plr` (or `accel`, or `uniform`, which
draws new levels each time). A level is data: an array of walls, a start and a goal. The levels that are drawn have
walls anywhere, so that many are easy and some cannot be solved; those that are solved now and then are kept and played
again (Jiang et al. 2021; with `accel` also changed a little, Parker-Holder et al. 2022). All methods play and learn as
much. At the end the student plays mazes, which it has never seen.
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
from griddsl import curriculum
from griddsl.jax import levels

GAMMA, LAMBDA, CLIP, ENTROPY, EPOCHS, MINIBATCHES = 0.98, 0.95, 0.2, 0.01, 4, 4
KEPT = 256  # levels
SHARES = {"uniform": (1.0, 0.0, 0.0), "plr": (0.5, 0.5, 0.0), "accel": (0.3, 0.4, 0.3)}  # new, kept, changed
ROOM = """
env: examples/Room-v0
    "Find the goal in a room with walls anywhere, up to so many."
param size: 9 in 5..30
param most: 30 in 0..200
generate: room(size, size)
setup:
    choose walls in 0..most
    place walls wall at random floor
    place agent at random floor
    place goal at random floor
actions: up, right, down, left
observe flat:
    view 9x9 centered as codes (floor 0, wall 1, goal 2)
    position of agent as unit
    position of goal as unit
each step: reward -1 / limit
on enter goal: reward 1, end success
limit: 4 * size * size steps
"""


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
    """Play each level of a batch again and again; return what to learn from, and what each promises."""
    count = jax.tree.leaves(batch)[0].shape[0]
    start, key = jax.random.split(key)
    seen, first = jax.vmap(lambda key, level: env.reset(key, level=level))(
        jax.random.split(start, count), batch
    )

    def act(carry: Any, key: Any) -> tuple[Any, Any]:
        states, x, successes, ends = carry
        logits, value = policy(weights, x)
        action = jax.random.categorical(key, logits)
        chosen = jnp.take_along_axis(logits, action[:, None], -1)[:, 0]
        later, states, reward, ended, cut, info = jax.vmap(env.step_env, (None, 0, 0))(None, states, action)
        # Who was cut short would have gone on from the last state.
        worth = reward + GAMMA * policy(weights, later)[1] * (cut & ~ended)
        over = ended | cut

        def again(new: Any, old: Any) -> Any:
            return jnp.where(over.reshape(-1, *[1] * (old.ndim - 1)), new, old)

        states = jax.tree.map(again, first, states)
        carry = states, again(seen, later), successes + (over & info["is_success"]), ends + over
        return carry, (x, action, chosen, value, worth, over)

    none = jnp.zeros(count, jnp.int32)
    (_, x, successes, ends), rows = jax.lax.scan(
        act, (first, seen, none, none), jax.random.split(key, length)
    )
    value, worth, over = rows[3:]

    def credit(after: Any, row: Any) -> tuple[Any, Any]:
        advantage, following = after
        value, reward, over = row
        delta = reward + GAMMA * following * (1 - over) - value
        advantage = delta + GAMMA * LAMBDA * (1 - over) * advantage
        return (advantage, value), advantage

    last = policy(weights, x)[1]
    _, advantage = jax.lax.scan(credit, (jnp.zeros_like(last), last), (value, worth, over), reverse=True)
    # An episode that has not ended yet was begun, and not solved.
    scores = curriculum.learnability(successes, ends + ~over[-1])
    return (*rows[:3], advantage, advantage + value), scores


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


def trainer(env: Any, method: str, batch: int, length: int, updates: int, rate: float) -> Any:
    """Return a function of a key that trains; it returns the weights and the mean score of the levels kept.

    Each update learns from so many steps of so many levels: new ones, and with a method also levels that were kept
    (`plr`), or that come of these by a small change (`accel`), so that all methods play and learn as much.
    """
    size, actions = env.observation_space().shape[0], env.num_actions
    optimiser = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(rate, eps=1e-5))

    def new(key: Any, memory: Any) -> Any:
        return jax.vmap(lambda key: levels.generated(env, key))(jax.random.split(key, batch))

    def changed(key: Any, memory: Any) -> Any:
        def one(key: Any, level: Any) -> Any:
            first, second = jax.random.split(key)
            return levels.moved(env, first, levels.flipped(env, second, level, count=2))

        first, second = jax.random.split(key)
        _, parents = curriculum.drawn(memory, first, batch)
        return jax.vmap(one)(jax.random.split(second, batch), parents)

    def learn(weights: Any, opt: Any, key: Any, chosen: Any) -> Any:
        first, second = jax.random.split(key)
        data, scores = rollout(env, length, weights, first, chosen)
        return *learned(optimiser, second, weights, opt, data), scores

    def explore(carry: Any, key: Any, draw: Any) -> Any:
        weights, opt, memory = carry
        first, second = jax.random.split(key)
        chosen = draw(first, memory)
        weights, opt, scores = learn(weights, opt, second, chosen)
        return weights, opt, curriculum.kept(memory, chosen, scores)

    def replay(carry: Any, key: Any) -> Any:
        weights, opt, memory = carry
        first, second = jax.random.split(key)
        places, chosen = curriculum.drawn(memory, first, batch)
        weights, opt, scores = learn(weights, opt, second, chosen)
        return weights, opt, curriculum.scored(memory, places, scores)

    ways: list[Any] = [partial(explore, draw=new), replay, partial(explore, draw=changed)]
    shares = jnp.array(SHARES[method])

    def update(carry: Any, key: Any) -> tuple[Any, Any]:
        first, second = jax.random.split(key)
        able = (carry[2].scores >= 0).sum() >= KEPT // 2
        way = jnp.where(able, jax.random.choice(first, 3, p=shares), 0)
        carry = jax.lax.switch(way, ways, carry, second) if method != "uniform" else ways[0](carry, second)
        scores = carry[2].scores
        return carry, jnp.where(scores >= 0, scores, jnp.nan)

    def train(key: Any) -> tuple[Any, Any]:
        first, second, third, key = jax.random.split(key, 4)
        weights = (layers(first, [size, 64, 64, actions], 0.01), layers(second, [size, 64, 64, 1], 1.0))
        carry = (weights, optimiser.init(weights), curriculum.emptied(levels.generated(env, third), KEPT))
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
    parser.add_argument("--size", type=int, default=9, help="of rooms and mazes")
    parser.add_argument("--levels", type=int, default=32, help="played at once")
    parser.add_argument("--length", type=int, default=128, help="steps of each level between two updates")
    parser.add_argument("--updates", type=int, default=300)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    walls = 30 * (given.size - 2) ** 2 // 49
    env = griddsl.jax.make(ROOM, size=given.size, most=walls, observation="flat")
    mazes = griddsl.jax.make("griddsl/RandomMaze-v0", size=given.size, observation="flat")
    start = time.perf_counter()
    train = trainer(env, given.method, given.levels, given.length, given.updates, given.rate)
    weights, scores = jax.block_until_ready(train(jax.random.key(given.seed)))
    seconds = time.perf_counter() - start
    if given.method != "uniform":
        shown = ", ".join(f"{float(score):.3f}" for score in scores[:: max(1, given.updates // 8)])
        print(f"p (1 - p) of the levels that are kept: {shown}")
    play = jax.jit(solved, static_argnums=(0, 3, 4))
    share, own = (float(play(each, weights, jax.random.key(1), 512, 100)) for each in (mazes, env))
    print(
        f"{given.method}: {100 * share:.1f} % of 512 mazes and {100 * own:.1f} % of 512 new rooms solved in 100 steps; "
        f"{given.updates} updates in {seconds:.0f} s"
    )


if __name__ == "__main__":
    main()
