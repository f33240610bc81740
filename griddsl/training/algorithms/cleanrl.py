"""PPO in one file, in the manner of CleanRL (Huang et al. 2022), on `make_vec` with same-step resets and flat rows.

It is a script's loop with nothing hidden, to be copied and changed. Playing what it learned takes numpy alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import gymnasium as gym
import numpy as np

from griddsl.compiling.cache import Compiled
from griddsl.envs.batch.vector_env import make_vec
from griddsl.envs.making import make
from griddsl.training.algorithms.moments import moments_of, put_moments
from griddsl.training.failures import TrainingError
from griddsl.training.learners import Task, Watch
from griddsl.training.policy_file import About, Arrays

SETTINGS: dict[str, Any] = {
    "num_envs": 16,
    "num_steps": 64,
    "learning_rate": 1e-3,
    "gamma": 0.99,
    "gae_lambda": 0.95,
    "num_minibatches": 4,
    "update_epochs": 4,
    "clip_coef": 0.2,
    "ent_coef": 0.01,
    "vf_coef": 0.5,
    "max_grad_norm": 0.5,
    "hidden": 64,
    "masks": True,  # actions that are forbidden are not tried
}
FORBIDDEN = -1e8  # the logarithm of the chance of a forbidden action


class LayersPolicy:
    """Layers with tanh between them: the weights of the actor, which numpy alone plays."""

    def __init__(
        self, layers: list[tuple[Any, Any]], learning: Callable[[], Arrays] = dict[str, Any]
    ) -> None:
        self.layers, self.learning = layers, learning

    def predict(
        self, observation: Any, deterministic: bool = True, action_masks: Any = None
    ) -> tuple[Any, None]:
        """Return the likeliest action, of those allowed."""
        found = np.asarray(observation, np.float32)
        for index, (weight, bias) in enumerate(self.layers):
            found = found @ weight.T + bias
            if index < len(self.layers) - 1:
                found = np.tanh(found)
        if action_masks is not None:
            found = np.where(action_masks, found, found + FORBIDDEN)
        best = found.argmax(axis=-1)
        return (int(best) if best.ndim == 0 else best), None

    def arrays(self) -> Arrays:
        """Return the weights and biases, layer by layer."""
        return named(self.layers)


def discrete_actions(space: gym.Space[Any]) -> int:
    """Return how many actions a space has; raise `TrainingError` where an action is not one number."""
    if not isinstance(space, gym.spaces.Discrete):
        raise TrainingError(
            f"this learner takes one number as action, and this spec has {space}", "`--with sb3` takes it"
        )
    return int(space.n)


def width_of(space: gym.Space[Any]) -> int:
    """Return how many numbers a vector has; raise `TrainingError` where an observation is none."""
    if not isinstance(space, gym.spaces.Box) or len(space.shape) != 1:
        shown = f"a Box of shape {space.shape}" if isinstance(space, gym.spaces.Box) else str(space)
        raise TrainingError(f"this learner observes one vector, not {shown}", "`observation=flat` is one")
    return space.shape[0]


def learn(task: Task, watch: Watch) -> LayersPolicy:
    """Return the policy that PPO finds in so many steps (a whole number of batches); the same for the same seed."""
    import torch
    from torch import nn
    from torch.distributions import Categorical

    args = task.settings
    torch.manual_seed(task.seed_here)
    torch.set_num_threads(1)
    count, length = args["num_envs"], args["num_steps"]
    envs = make_vec(task.spec, count, autoreset_mode="SameStep")
    actions, width = discrete_actions(envs.single_action_space), width_of(envs.single_observation_space)

    hidden = args["hidden"]
    actor = perceptron([width, hidden, hidden, actions], 0.01)
    critic = perceptron([width, hidden, hidden, 1], 1.0)
    weights = [*actor.parameters(), *critic.parameters()]
    optimizer = torch.optim.Adam(weights, lr=args["learning_rate"], eps=1e-5)
    if task.done:
        put(actor, "", task.arrays)
        put(critic, "critic_", task.learning)
        put_moments(optimizer, task.learning)

    def played() -> LayersPolicy:
        return LayersPolicy(
            layers_of(actor), lambda: {**named(layers_of(critic), "critic_"), **moments_of(optimizer)}
        )

    observations = torch.zeros(length, count, width)
    chosen = torch.zeros(length, count, dtype=torch.int64)
    logprobs, rewards, dones, values = (torch.zeros(length, count) for _ in range(4))
    has_masks = args["masks"] and envs.program.has_mask
    penalties = torch.zeros(length, count, actions)  # added to what the actor says

    first, _ = envs.reset(seed=task.seed_here)
    observation, totals, returns = torch.as_tensor(first), np.zeros(count), list[float]()
    updates = max(1, task.steps // (count * length))
    for update in range(task.done // (count * length), updates):
        optimizer.param_groups[0]["lr"] = args["learning_rate"] * (1 - update / updates)
        for step in range(length):
            observations[step] = observation
            if has_masks:
                penalties[step] = torch.where(torch.as_tensor(envs.action_masks()), 0.0, FORBIDDEN)
            with torch.no_grad():
                distribution = Categorical(logits=actor(observation) + penalties[step])
                values[step] = critic(observation).flatten()
            chosen[step] = distribution.sample()
            logprobs[step] = distribution.log_prob(chosen[step])
            after, reward, terminated, truncated, infos = envs.step(chosen[step].numpy())
            totals += reward
            done = terminated | truncated
            paid = torch.as_tensor(reward, dtype=torch.float32)
            if truncated.any():  # the value of what would have followed
                cut = np.flatnonzero(truncated & ~terminated)
                if len(cut):
                    last = torch.as_tensor(np.stack([infos["final_obs"][i] for i in cut]))
                    with torch.no_grad():
                        paid[cut] += args["gamma"] * critic(last).flatten()
            rewards[step], dones[step] = paid, torch.as_tensor(done, dtype=torch.float32)
            returns += totals[done].tolist()
            totals[done] = 0.0
            observation = torch.as_tensor(after)
        with torch.no_grad():
            following, gained = critic(observation).flatten(), torch.zeros(count)
            advantages = torch.zeros(length, count)
            for step in reversed(range(length)):
                goes_on = 1.0 - dones[step]
                ahead = following if step == length - 1 else values[step + 1]
                error = rewards[step] + args["gamma"] * ahead * goes_on - values[step]
                gained = error + args["gamma"] * args["gae_lambda"] * goes_on * gained
                advantages[step] = gained
            targets = advantages + values
        batch = (
            observations.reshape(-1, width),
            penalties.reshape(-1, actions),
            chosen.reshape(-1),
            logprobs.reshape(-1),
            advantages.reshape(-1),
            targets.reshape(-1),
        )
        size = count * length
        for _ in range(args["update_epochs"]):
            for rows in torch.randperm(size).split(max(1, size // args["num_minibatches"])):
                seen, penalty, action, before, advantage, target = (part[rows] for part in batch)
                distribution = Categorical(logits=actor(seen) + penalty)
                ratio = (distribution.log_prob(action) - before).exp()
                advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
                clipped = ratio.clamp(1 - args["clip_coef"], 1 + args["clip_coef"])
                actor_loss = torch.max(-advantage * ratio, -advantage * clipped).mean()
                critic_loss = 0.5 * (critic(seen).flatten() - target).pow(2).mean()
                loss = actor_loss + args["vf_coef"] * critic_loss
                loss = loss - args["ent_coef"] * distribution.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(weights, args["max_grad_norm"])
                optimizer.step()
        watch((update + 1) * size, returns, played())
        returns = []
    return played()


def perceptron(sizes: list[int], last: float) -> Any:
    """Return layers with tanh between them; the weights of the last one are scaled."""
    from torch import nn

    layers: list[Any] = []
    for inputs, outputs in itertools.pairwise(sizes):
        layer = nn.Linear(inputs, outputs)
        nn.init.orthogonal_(layer.weight, last if len(layers) == 2 * len(sizes) - 4 else 2**0.5)
        nn.init.zeros_(layer.bias)
        layers += [layer, nn.Tanh()]
    return nn.Sequential(*layers[:-1])


def layers_of(network: Any) -> list[tuple[Any, Any]]:
    """Return the weight and the bias of each layer."""
    parts = [part.numpy(force=True).copy() for part in network.parameters()]
    return list(zip(parts[::2], parts[1::2], strict=True))


def named(layers: list[tuple[Any, Any]], before: str = "") -> Arrays:
    """Return layers as arrays with names."""
    return {
        f"{before}{name}{index}": part
        for index, layer in enumerate(layers)
        for name, part in zip(("weight", "bias"), layer, strict=True)
    }


def put(network: Any, before: str, arrays: Mapping[str, Any]) -> None:
    """Give a network the weights of a file; raise `RuntimeError` where they have other shapes."""
    import torch

    names = list(network.state_dict())  # a weight and a bias a layer
    given = [f"{before}{part}{index}" for index in range(len(names) // 2) for part in ("weight", "bias")]
    network.load_state_dict(
        {name: torch.from_numpy(np.array(arrays[key])) for name, key in zip(names, given, strict=True)}
    )


def restored(spec: Compiled, about: About, arrays: Arrays) -> LayersPolicy:
    """Return the policy of a file; raise `ValueError` where its layers do not fit the spec."""
    return restored_layers(make(spec), arrays)


def restored_layers(env: gym.Env[Any, Any], arrays: Arrays) -> LayersPolicy:
    """Return the policy with these weights; raise `ValueError` where its layers do not fit an environment."""
    layers = [(arrays[f"weight{i}"], arrays[f"bias{i}"]) for i in range(max(1, len(arrays) // 2))]
    for number, (weight, bias) in enumerate(layers):
        before = weight.shape[1:] if number == 0 else layers[number - 1][1].shape
        if weight.ndim != 2 or weight.shape != (*bias.shape, *before):
            raise ValueError(
                f"its layer {number} has weights of the shape {weight.shape} and biases {bias.shape}"
            )
    wanted = width_of(env.observation_space), discrete_actions(env.action_space)
    given = layers[0][0].shape[1], layers[-1][0].shape[0]
    if wanted != given:
        raise ValueError(
            f"it takes {given[0]} numbers and knows {given[1]} actions; here are {wanted[0]} and {wanted[1]}"
        )
    return LayersPolicy(layers)
