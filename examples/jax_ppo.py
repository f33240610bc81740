"""PPO that lives on the device: environments, network and optimiser in one compiled function, as in PureJaxRL.

`pip install 'griddsl[jax]' optax`, then

    python examples/jax_ppo.py griddsl/CliffWalking-v0 --scale 0.05
    python examples/jax_ppo.py griddsl/DoorKey-v0 --param size=5

The network is a perceptron of two layers over `observation="network"`, in which every code of a board is one 1 in a row
of zeros: a wall is not "more" than a key. Where an episode is cut short, what its last state is worth counts as gained.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import jax
import jax.numpy as jnp
import optax

import griddsl.jax

GAMMA, LAMBDA, CLIP, ENTROPY = 0.99, 0.95, 0.2, 0.01
EPOCHS, MINIBATCHES = 4, 8
CODES = 11  # numbers that a byte of a board may be: MiniGrid's objects are 0 to 10


def layers(key: Any, sizes: list[int], last: float) -> list[Any]:
    """Return the weights of a perceptron; those of its last layer are scaled."""
    keys = jax.random.split(key, len(sizes) - 1)
    scales = [2**0.5] * (len(sizes) - 2) + [last]
    make = jax.nn.initializers.orthogonal
    return [
        (make(scale)(k, (wide, out)), jnp.zeros(out))
        for k, scale, wide, out in zip(keys, scales, sizes, sizes[1:], strict=False)
    ]


def forward(weights: list[Any], x: Any) -> Any:
    """Return what a perceptron makes of its input."""
    for weight, bias in weights[:-1]:
        x = jnp.tanh(x @ weight + bias)
    weight, bias = weights[-1]
    return x @ weight + bias


def encoded(space: Any, seen: Any) -> Any:
    """Return an observation as one row of numbers for a network."""
    if isinstance(seen, dict):
        spaces = space.spaces
        return jnp.concatenate([encoded(spaces[name], seen[name]) for name in sorted(seen)])
    if hasattr(space, "n"):
        return jax.nn.one_hot(seen, space.n)
    if seen.dtype == jnp.uint8:
        return jax.nn.one_hot(seen.reshape(-1), CODES).reshape(-1)
    return seen.astype(jnp.float32).reshape(-1)


def trainer(env: Any, games: int, length: int, updates: int, rate: float, scale: float) -> Any:
    """Return a function of a key that trains, and returns the weights and the mean return of each update."""

    def encode(seen: Any) -> Any:
        return encoded(space, seen)

    space, actions = env.observation_space(), env.num_actions
    size = jax.eval_shape(lambda key: encode(env.reset(key)[0]), jax.random.key(0)).size
    optimiser = optax.chain(
        optax.clip_by_global_norm(0.5),
        optax.adam(optax.linear_schedule(rate, 0.0, updates * EPOCHS * MINIBATCHES), eps=1e-5),
    )

    def policy(weights: Any, x: Any) -> tuple[Any, Any]:
        return jax.nn.log_softmax(forward(weights[0], x)), forward(weights[1], x)[..., 0]

    def act(carry: Any, key: Any) -> tuple[Any, Any]:
        weights, states, x, gained = carry
        logits, value = policy(weights, x)
        action = jax.random.categorical(key, logits)
        chosen = jnp.take_along_axis(logits, action[:, None], -1)[:, 0]
        # The stream lives in the state: no key is needed to step.
        observation, states, reward, ended, cut, info = jax.vmap(env.step, (None, 0, 0))(None, states, action)
        over, total = ended | cut, gained + reward
        # Who was cut short would have gone on from the last state.
        later = policy(weights, jax.vmap(encode)(info["final_observation"]))[1]
        worth = scale * reward + GAMMA * later * (cut & ~ended)
        row = (x, action, chosen, value, worth, over, total)
        return (weights, states, jax.vmap(encode)(observation), jnp.where(over, 0.0, total)), row

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
        act_key, key = jax.random.split(key)
        (_, states, x, gained), rows = jax.lax.scan(
            act, (weights, states, x, gained), jax.random.split(act_key, length)
        )
        seen, action, chosen, value, reward, over, total = rows

        def credit(after: Any, row: Any) -> tuple[Any, Any]:
            advantage, following = after
            value, reward, over = row
            goes_on = 1.0 - over
            delta = reward + GAMMA * following * goes_on - value
            advantage = delta + GAMMA * LAMBDA * goes_on * advantage
            return (advantage, value), advantage

        last = policy(weights, x)[1]
        start = (jnp.zeros_like(last), last)
        _, advantage = jax.lax.scan(credit, start, (value, reward, over), reverse=True)
        data = (seen, action, chosen, advantage, advantage + value)
        data = jax.tree.map(lambda array: array.reshape(games * length, *array.shape[2:]), data)

        def epoch(carry: Any, key: Any) -> tuple[Any, Any]:
            order = jax.random.permutation(key, games * length).reshape(MINIBATCHES, -1)

            def fit(carry: Any, rows: Any) -> tuple[Any, Any]:
                weights, opt = carry
                slope = jax.grad(loss)(weights, jax.tree.map(lambda array: array[rows], data))
                change, opt = optimiser.update(slope, opt, weights)
                return (optax.apply_updates(weights, change), opt), None

            following, _ = jax.lax.scan(fit, carry, order)
            return following, None

        (weights, opt), _ = jax.lax.scan(epoch, (weights, opt), jax.random.split(key, EPOCHS))
        finished = jnp.sum(jnp.where(over, total, 0.0)) / jnp.maximum(over.sum(), 1)
        return (weights, opt, states, x, gained), jnp.where(over.any(), finished, jnp.nan)

    def train(key: Any) -> tuple[Any, Any]:
        first, second, start, key = jax.random.split(key, 4)
        weights = (layers(first, [size, 64, 64, actions], 0.01), layers(second, [size, 64, 64, 1], 1.0))
        observation, states = jax.vmap(env.reset)(jax.random.split(start, games))
        carry = (weights, optimiser.init(weights), states, jax.vmap(encode)(observation), jnp.zeros(games))
        (weights, *_), returns = jax.lax.scan(update, carry, jax.random.split(key, updates))
        return weights, returns

    return jax.jit(train)


def main() -> None:
    """Train, print returns, and draw them beside the optimum where that can be found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("spec", nargs="?", default="griddsl/CliffWalking-v0")
    parser.add_argument("--games", type=int, default=32)
    parser.add_argument("--length", type=int, default=64, help="steps of each game between two updates")
    parser.add_argument("--steps", type=int, default=400_000, help="of all games together")
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--scale", type=float, default=1.0, help="what rewards are multiplied with to learn")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--param", action="append", default=[], help="NAME=NUMBER, a parameter of the spec")
    parser.add_argument("--plot", help="a PNG to draw the returns into (needs matplotlib)")
    given = parser.parse_args()
    params = {name: int(value) for name, value in (each.split("=") for each in given.param)}
    env = griddsl.jax.make(given.spec, observation="network", **params)
    updates = max(1, given.steps // (given.games * given.length))
    start = time.perf_counter()
    _, returns = jax.block_until_ready(
        trainer(env, given.games, given.length, updates, given.rate, given.scale)(jax.random.key(given.seed))
    )
    seconds = time.perf_counter() - start
    shown = [float(x) for x in returns]
    for number in range(0, updates, max(1, updates // 10)):
        print(f"update {number:4d}: mean return {shown[number]:8.2f}")
    print(
        f"last update: mean return {shown[-1]:.2f}, {updates * given.games * given.length:,} steps in {seconds:.0f} s"
    )
    if given.plot:
        plot(given.plot, given.spec, params, shown)


def plot(path: str, spec: str, params: dict[str, int], returns: list[float]) -> None:
    """Draw the returns, and the best there are where the states can be enumerated."""
    import matplotlib.pyplot as plt

    import griddsl

    plt.plot(returns, label="PPO")
    try:
        process = griddsl.to_mdp(griddsl.load(spec).with_arguments(params))
        best = float(process.initial @ process.solve().values)
        plt.axhline(best, linestyle="--", color="gray", label="exact optimum")
    except Exception as error:  # a spec of too many states has no line
        print(f"no optimum is drawn: {error}")
    plt.xlabel("update")
    plt.ylabel("mean return of episodes that ended")
    plt.legend()
    plt.savefig(path)


if __name__ == "__main__":
    main()
