"""Train all agents of a spec with one network: PPO with shared parameters, in one file, in the manner of CleanRL.

    python examples/shared_ppo.py                                   # gather.grid beside this file
    python examples/shared_ppo.py my_game.grid --steps 500000 --envs 64

Needs `pip install 'griddsl[multi-agent]' torch`. All agents must have the same spaces and discrete actions. What one
agent gets in a step is a sample of its own; an agent whose part has ended waits, masked, until its episode is over.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np
import torch
from torch import nn

import griddsl

GATHER = Path(__file__).parent / "gather.grid"


class Step(NamedTuple):
    """What a step of the batch gives; the first two axes of every array are environments and agents."""

    observations: np.ndarray  # (envs, agents, features): the next ones, of a new episode where one has ended
    rewards: np.ndarray  # (envs, agents)
    terminated: np.ndarray  # (envs, agents): nothing comes after
    last: np.ndarray  # (envs, agents, features): what a truncated agent saw last, else zeros
    truncated: np.ndarray  # (envs, agents)
    alive: np.ndarray  # (envs, agents): who takes part in the next step
    returns: list[float]  # of the episodes that ended, the mean of their agents


class Batch:
    """Several parallel environments as one, with `(envs, agents, ...)` arrays; an episode that ends starts anew."""

    def __init__(self, spec: str, count: int) -> None:
        self.envs = [griddsl.make_parallel(spec) for _ in range(count)]
        self.agents = self.envs[0].possible_agents
        first = self.agents[0]
        self.space = self.envs[0].observation_space(first)
        action_space = self.envs[0].action_space(first)
        if not isinstance(action_space, gym.spaces.Discrete):
            raise SystemExit(f"this example takes discrete actions, not {action_space}")
        if any(self.envs[0].observation_space(name) != self.space for name in self.agents):
            raise SystemExit("agents that share a network must see the same kind of thing")
        self.actions = int(action_space.n)
        self.features = gym.spaces.flatdim(self.space)
        self.totals = np.zeros((count, len(self.agents)))

    def reset(self, seed: int) -> np.ndarray:
        """Start every environment; return the observations, `(envs, agents, features)`."""
        self.totals[:] = 0
        return np.stack([self._seen(env.reset(seed=seed + i)[0]) for i, env in enumerate(self.envs)])

    def step(self, actions: np.ndarray) -> Step:
        """Carry out one joint action in each environment, `(envs, agents)`."""
        shape = actions.shape
        following, last = (np.zeros((*shape, self.features), np.float32) for _ in range(2))
        rewards = np.zeros(shape, np.float32)
        terminated, truncated, alive = (np.zeros(shape, bool) for _ in range(3))
        returns: list[float] = []
        for i, env in enumerate(self.envs):
            chosen = {name: int(actions[i, k]) for k, name in enumerate(self.agents) if name in env.agents}
            observations, *results = env.step(chosen)
            for array, result in zip((rewards, terminated, truncated), results[:3], strict=True):
                array[i] = [result.get(name, 0) for name in self.agents]
            following[i] = self._seen(observations)
            last[i] = following[i] * (truncated[i] & ~terminated[i])[:, None]
            self.totals[i] += rewards[i]
            if not env.agents:
                returns.append(float(self.totals[i].mean()))
                self.totals[i] = 0
                following[i] = self._seen(env.reset()[0])
            alive[i] = [name in env.agents for name in self.agents]
        return Step(following, rewards, terminated, last, truncated & ~terminated, alive, returns)

    def _seen(self, observations: dict[str, Any]) -> np.ndarray:
        rows = np.zeros((len(self.agents), self.features), np.float32)
        for k, name in enumerate(self.agents):
            if name in observations:
                rows[k] = gym.spaces.flatten(self.space, observations[name])
        return rows


class Network(nn.Module):
    """One trunk, a head for the policy and one for the value: every agent's."""

    def __init__(self, features: int, actions: int, width: int = 128) -> None:
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(features, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)
        nn.init.orthogonal_(self.policy.weight, 0.01)

    def forward(self, seen: torch.Tensor) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        """Return the distribution over actions and the value, for any leading axes."""
        inner = self.trunk(seen)
        return torch.distributions.Categorical(logits=self.policy(inner)), self.value(inner).squeeze(-1)


def main() -> None:
    """Train, and say what the agents get before and after."""
    options = _options()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)  # small networks are fastest on one core
    batch = Batch(options.spec, options.envs)
    network = Network(batch.features, batch.actions)
    optimiser = torch.optim.Adam(network.parameters(), lr=options.rate, eps=1e-5)
    print(f"{len(batch.agents)} agents, {batch.features} features, {batch.actions} actions")
    seen = torch.as_tensor(batch.reset(options.seed))
    alive = torch.ones(options.envs, len(batch.agents), dtype=torch.bool)
    per_update = options.envs * options.horizon
    first: list[float] = []
    began = time.perf_counter()
    for update in range(max(1, options.steps // per_update)):
        rollout, seen, alive, returns = collect(batch, network, seen, alive, options)
        learn(network, optimiser, rollout, options)
        first = first or returns
        if returns and (update % 10 == 0 or update + 1 == options.steps // per_update):
            steps = (update + 1) * per_update
            speed = steps / (time.perf_counter() - began)
            print(
                f"{steps:>8} joint steps: return {np.mean(returns):.2f} an agent ({speed:.0f} joint steps/s)"
            )
    trained = evaluate(batch, network, options)
    print(f"return of an agent: {np.mean(first):.2f} in the first update, {trained:.2f} after training")


def collect(
    batch: Batch, network: Network, seen: torch.Tensor, alive: torch.Tensor, options: argparse.Namespace
) -> tuple[dict[str, torch.Tensor], torch.Tensor, torch.Tensor, list[float]]:
    """Play `horizon` steps; return what there is to learn from, with advantages (Schulman et al. 2016)."""
    kept: dict[str, list[torch.Tensor]] = {name: [] for name in ("seen", "action", "logp", "value", "alive")}
    rewards, ends, returns = [], [], []
    for _ in range(options.horizon):
        with torch.no_grad():
            policy, value = network(seen)
            action = policy.sample()
            kept_now = (seen, action, policy.log_prob(action), value, alive)
            step = batch.step(action.numpy())
            # A truncated episode would have gone on: what was to come is what the network expects of its end.
            _, beyond = network(torch.as_tensor(step.last))
        for name, tensor in zip(kept, kept_now, strict=True):
            kept[name].append(tensor)
        cut = torch.as_tensor(step.truncated)
        rewards.append(torch.as_tensor(step.rewards) + options.discount * beyond * cut)
        ends.append(torch.as_tensor(step.terminated) | cut)
        seen, alive = torch.as_tensor(step.observations), torch.as_tensor(step.alive)
        returns += step.returns
    rollout = {name: torch.stack(tensors) for name, tensors in kept.items()}
    with torch.no_grad():
        _, following = network(seen)
    advantage = torch.zeros_like(following)
    advantages = torch.zeros_like(rollout["value"])
    for t in reversed(range(options.horizon)):
        goes_on = (~ends[t]).float()
        error = rewards[t] + options.discount * following * goes_on - rollout["value"][t]
        advantage = error + options.discount * options.smoothing * goes_on * advantage
        advantages[t], following = advantage, rollout["value"][t]
    rollout["advantage"], rollout["target"] = advantages, advantages + rollout["value"]
    # Agents are samples: the axes of time, environments and agents become one, without those that wait.
    taking_part = rollout.pop("alive").flatten()
    return {name: t.flatten(0, 2)[taking_part] for name, t in rollout.items()}, seen, alive, returns


def learn(
    network: Network,
    optimiser: torch.optim.Optimizer,
    rollout: dict[str, torch.Tensor],
    options: argparse.Namespace,
) -> None:
    """Take clipped steps towards what did better than expected (Schulman et al. 2017)."""
    count = len(rollout["seen"])
    for _ in range(options.epochs):
        for part in torch.randperm(count).split(max(1, count // options.minibatches)):
            policy, value = network(rollout["seen"][part])
            ratio = (policy.log_prob(rollout["action"][part]) - rollout["logp"][part]).exp()
            advantage = rollout["advantage"][part]
            advantage = (advantage - advantage.mean()) / (advantage.std(correction=0) + 1e-8)
            clipped = ratio.clamp(1 - options.clip, 1 + options.clip)
            loss = -torch.min(ratio * advantage, clipped * advantage).mean()
            loss = loss + 0.5 * (value - rollout["target"][part]).pow(2).mean()
            loss = loss - options.entropy * policy.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimiser.step()


def evaluate(batch: Batch, network: Network, options: argparse.Namespace) -> float:
    """Return what an agent gets in an episode, the mean over one from each environment at least."""
    seen, returns = torch.as_tensor(batch.reset(options.seed + 10_000)), []
    while len(returns) < options.envs:
        with torch.no_grad():
            step = batch.step(network(seen)[0].sample().numpy())
        seen = torch.as_tensor(step.observations)
        returns += step.returns
    return float(np.mean(returns))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("spec", nargs="?", default=str(GATHER), help="a file or an id, with several agents")
    parser.add_argument(
        "--steps", type=int, default=200_000, help="joint steps, of all environments together"
    )
    parser.add_argument("--envs", type=int, default=32)
    parser.add_argument(
        "--horizon", type=int, default=64, help="steps of each environment between two updates"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rate", type=float, default=1e-3, help="the learning rate")
    parser.add_argument("--discount", type=float, default=0.97)
    parser.add_argument("--smoothing", type=float, default=0.95, help="lambda of the advantages")
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, default=0.01)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--minibatches", type=int, default=4)
    return parser.parse_args()


if __name__ == "__main__":
    main()
