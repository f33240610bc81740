"""Environment design on the device: which levels to learn in, by prioritised level replay (PLR) or evolution (ACCEL).

`pip install 'griddsl[jax]' optax`, then `python examples/jax_plr.py` compares, over five seeds,

    uniform   new levels each time
    plr       in half of the updates levels that were kept (Jiang et al. 2021, "Prioritized Level Replay")
    robust    learns in levels that were kept only; at new ones it looks (Jiang et al. 2021, "Replay-Guided ...")
    accel     the same, and looks at small changes of what it learned in (Parker-Holder et al. 2022)

All learn from as many steps. A level is data: an array of walls, a start and a goal. The levels that are drawn have
walls anywhere: in 29 of 100 the goal cannot be reached, and half of the others take four steps or fewer. Kept are those
of greatest regret, what the best play gets, which is known exactly as the shortest way is, less what the student gets;
with `accel`, whose changes soon lead beyond what the student can learn, those that it solves about every second time.
At the end each student plays mazes, of which it has never seen one, and rooms whose shortest way is long.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from scipy import stats

import griddsl.jax
from griddsl import curriculum
from griddsl.jax import levels

GAMMA, LAMBDA, CLIP, ENTROPY, EPOCHS, MINIBATCHES = 0.98, 0.95, 0.2, 0.01, 4, 4
KEPT, STALENESS, STEPS, GAMES = (
    256,
    0.3,
    100,
    512,
)  # levels; and steps and levels in which a student is judged
# Methods, and by which score they keep levels: --score gives all of them another.
SCORES = {"uniform": "learnability", "plr": "regret", "robust": "regret", "accel": "learnability"}
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


def lengths(env: Any, level: Any) -> Any:
    """Return in how few steps the goal of a level is reached; infinity where it cannot be."""
    codes, ground = levels.tile_codes(env), levels.tiles(env, level)
    start = jnp.where(ground == codes["goal"], 0.0, jnp.inf)

    def wider(found: Any, _: Any) -> tuple[Any, None]:
        rim = jnp.pad(found, 1, constant_values=jnp.inf)
        beside = jnp.stack([rim[:-2, 1:-1], rim[2:, 1:-1], rim[1:-1, :-2], rim[1:-1, 2:]])
        return jnp.where(ground == codes["wall"], jnp.inf, jnp.minimum(found, beside.min(0) + 1)), None

    found = jax.lax.scan(wider, start, None, length=ground.size // 2)[0]
    return found.reshape(-1)[level.values[env.machine.slots["AGENT_CELL"].name][0]]


def regret(env: Any, batch: Any, gained: Any) -> Any:
    """Return how much more than was gained, discounted, the best play gets in each level; 0 where it gets nothing."""
    way = jax.vmap(lambda level: lengths(env, level))(batch)
    best = GAMMA ** (way - 1) - (1 - GAMMA**way) / (1 - GAMMA) / env.program.limit
    return jnp.where(jnp.isfinite(way), jnp.maximum(best - gained, 0.0), 0.0)


def rollout(env: Any, length: int, score: str, weights: Any, key: Any, batch: Any) -> tuple[Any, Any]:
    """Play each level of a batch again and again; return what to learn from, and what each promises."""
    count = jax.tree.leaves(batch)[0].shape[0]
    start, key = jax.random.split(key)
    seen, first = jax.vmap(lambda key, level: env.reset(key, level=level))(
        jax.random.split(start, count), batch
    )

    def act(carry: Any, key: Any) -> tuple[Any, Any]:
        states, x, successes, ends, gained, discount = carry
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
        gained, discount = gained + discount * reward, again(jnp.ones_like(discount), GAMMA * discount)
        noted = (successes + (over & info["is_success"]), ends + over, gained, discount)
        return (states, again(seen, later), *noted), (x, action, chosen, value, worth, over)

    none, nothing = jnp.zeros(count, jnp.int32), jnp.zeros(count)
    (_, x, successes, ends, gained, _), rows = jax.lax.scan(
        act, (first, seen, none, none, nothing, nothing + 1), jax.random.split(key, length)
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
    episodes = ends + ~over[-1]
    scores = {
        "regret": lambda: regret(env, batch, gained / episodes),
        "learnability": lambda: curriculum.learnability(successes, episodes),
        "promise": lambda: curriculum.promise(advantage),
    }[score]()
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


def trainer(env: Any, method: str, score: str, given: argparse.Namespace) -> Any:
    """Return a function of a key that trains; it returns the weights and the mean score of the levels kept.

    Each update learns from so many steps of so many levels. `robust` and `accel` play as much and twice as much again
    to see what levels promise, as the papers do: what they learn in comes of the memory only.
    """
    size, actions = env.observation_space().shape[0], env.num_actions
    optimiser = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(given.rate, eps=1e-5))

    def new(key: Any) -> Any:
        return jax.vmap(lambda key: levels.generated(env, key))(jax.random.split(key, given.levels))

    def changed(key: Any, parents: Any) -> Any:
        def one(key: Any, level: Any) -> Any:
            first, second = jax.random.split(key)
            return levels.moved(env, first, levels.flipped(env, second, level, count=2))

        return jax.vmap(one)(jax.random.split(key, given.levels), parents)

    def play(weights: Any, key: Any, chosen: Any) -> Any:
        return rollout(env, given.length, score, weights, key, chosen)

    def update(carry: Any, key: Any) -> tuple[Any, Any]:
        weights, opt, memory = carry
        keys = jax.random.split(key, 8)
        fresh = new(keys[0])
        places, again = curriculum.drawn(memory, keys[1], given.levels, staleness=STALENESS)
        if method == "uniform":
            chosen = fresh
        elif method == "plr":
            half_full = (memory.scores >= 0).sum() >= KEPT // 2
            is_again = half_full & jax.random.bernoulli(keys[2])
            chosen = jax.tree.map(lambda old, new: jnp.where(is_again, old, new), again, fresh)
        else:
            memory = curriculum.kept(memory, fresh, play(weights, keys[3], fresh)[1])
            places, chosen = curriculum.drawn(memory, keys[1], given.levels, staleness=STALENESS)
        data, scores = play(weights, keys[4], chosen)
        weights, opt = learned(optimiser, keys[5], weights, opt, data)
        if method == "plr":
            ways = curriculum.scored(memory, places, scores), curriculum.kept(memory, fresh, scores)
            memory = jax.tree.map(lambda old, new: jnp.where(is_again, old, new), *ways)
        elif method != "uniform":
            memory = curriculum.scored(memory, places, scores)
        if method == "accel":
            children = changed(keys[6], chosen)
            memory = curriculum.kept(memory, children, play(weights, keys[7], children)[1])
        return (weights, opt, memory), jnp.nanmean(jnp.where(memory.scores >= 0, memory.scores, jnp.nan))

    def train(key: Any) -> tuple[Any, Any]:
        first, second, third, key = jax.random.split(key, 4)
        weights = (layers(first, [size, 64, 64, actions], 0.01), layers(second, [size, 64, 64, 1], 1.0))
        carry = (weights, optimiser.init(weights), curriculum.emptied(levels.generated(env, third), KEPT))
        (weights, _, _), scores = jax.lax.scan(update, carry, jax.random.split(key, given.updates))
        return weights, scores

    return jax.jit(train)


def solved(env: Any, weights: Any, batch: Any) -> Any:
    """Return the share of levels whose goal is reached within `STEPS` steps."""

    def once(carry: Any, key: Any) -> tuple[Any, None]:
        states, x, done, alive = carry
        action = jax.random.categorical(key, policy(weights, x)[0])
        x, states, _, ended, cut, info = jax.vmap(env.step_env, (None, 0, 0))(None, states, action)
        return (states, x, done | (alive & info["is_success"]), alive & ~(ended | cut)), None

    first, key = jax.random.split(jax.random.key(1))
    games = jax.tree.leaves(batch)[0].shape[0]
    x, states = jax.vmap(lambda key, level: env.reset(key, level=level))(
        jax.random.split(first, games), batch
    )
    start = (states, x, jnp.zeros(games, bool), jnp.ones(games, bool))
    return jax.lax.scan(once, start, jax.random.split(key, STEPS))[0][2].mean()


def held_out(env: Any, seed: int, least: int = 0) -> Any:
    """Return levels that no student learns in, each solvable in ``least`` steps or more."""
    draw = jax.jit(jax.vmap(lambda key: levels.generated(env, key)))
    found, count = [], 0
    for key in jax.random.split(jax.random.key(seed), 16):
        batch = draw(jax.random.split(key, 2048))
        way = np.asarray(jax.jit(jax.vmap(lambda level: lengths(env, level)))(batch))
        places = np.flatnonzero(np.isfinite(way) & (way >= least))
        found.append(jax.tree.map(lambda array, places=places: array[places], batch))
        count += len(places)
        if count >= GAMES:
            return jax.tree.map(lambda *arrays: jnp.concatenate(arrays)[:GAMES], *found)
    raise SystemExit(f"{count} of 32,768 levels take {least} steps or more: ask for fewer (--hard)")


def with_interval(shares: list[float]) -> str:
    """Return the mean of some shares, and Student's 95% interval where there are several."""
    mean = np.mean(shares)
    if len(shares) == 1:
        return f"{100 * mean:.1f} %"
    wide = stats.t.ppf(0.975, len(shares) - 1) * np.std(shares, ddof=1) / len(shares) ** 0.5
    return f"{100 * mean:.1f} % (95% in {100 * (mean - wide):.1f} to {100 * (mean + wide):.1f})"


def main() -> None:
    """Train by each method and seed, and print which share of levels never seen before is solved."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--methods", nargs="+", choices=SCORES, default=list(SCORES))
    parser.add_argument("--score", choices=["regret", "learnability", "promise"])
    parser.add_argument("--size", type=int, default=9, help="of rooms and mazes")
    parser.add_argument("--levels", type=int, default=32, help="played at once")
    parser.add_argument("--length", type=int, default=128, help="steps of each level between two updates")
    parser.add_argument("--updates", type=int, default=300)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--hard", type=int, default=10, help="steps to the goal of a hard room, at least")
    parser.add_argument("--seeds", type=int, default=5)
    given = parser.parse_args()
    env = griddsl.jax.make(ROOM, size=given.size, most=30 * (given.size - 2) ** 2 // 49, observation="flat")
    mazes = griddsl.jax.make("griddsl/RandomMaze-v0", size=given.size, observation="flat")
    judged = ((mazes, held_out(mazes, 1_000_001)), (env, held_out(env, 1_000_002, given.hard)))
    play = jax.jit(solved, static_argnums=0)
    for method in given.methods:
        score = given.score or SCORES[method]
        train, shares, start = trainer(env, method, score, given), [], time.perf_counter()
        for seed in range(given.seeds):
            weights, scores = jax.block_until_ready(train(jax.random.key(seed)))
            shares.append([float(play(each, weights, batch)) for each, batch in judged])
        own, hard = (with_interval(list(column)) for column in zip(*shares, strict=True))
        kept = "" if method == "uniform" else f", {score} of the levels kept {float(scores[-1]):.3f}"
        print(
            f"{method}: solves {own} of {GAMES} mazes and {hard} of {GAMES} hard rooms; "
            f"{given.seeds} seeds, {given.updates} updates in {time.perf_counter() - start:.0f} s{kept}",
            flush=True,
        )


if __name__ == "__main__":
    main()
