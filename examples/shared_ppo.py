"""Train all agents of a spec with one network: PPO with shared parameters, in one file, in the manner of CleanRL.

    python examples/shared_ppo.py                                   # gather.grid beside this file
    python examples/shared_ppo.py my_game.grid --steps 500000 --envs 64

Needs `pip install 'griddsl[multi-agent]' torch`. All agents must have the same spaces and discrete actions. What one
agent gets in a step is a sample of its own; an agent whose part has ended waits, masked, until its episode is over.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import torch
from torch import nn

import griddsl

GATHER = Path(__file__).parent / "gather.grid"


class Batch:
    """Many games as arrays, `(envs, agents, ...)`: what `griddsl.make_parallel_vec` gives, made ready for a network.

    A game that is over starts anew in the next step, whose actions count for nothing: nobody is `alive` in it.
    """

    def __init__(self, spec: str, count: int) -> None:
        self.games = griddsl.make_parallel_vec(spec, count)
        self.agents = self.games.possible_agents
        spaces, action_spaces = self.games.observation_spaces, self.games.action_spaces
        self.space, action_space = spaces[self.agents[0]], action_spaces[self.agents[0]]
        if any(spaces[name] != self.space or action_spaces[name] != action_space for name in self.agents):
            raise SystemExit("agents that share a network must see the same kind of thing, and act alike")
        if not isinstance(action_space, gym.spaces.Discrete):
            raise SystemExit(f"this example takes discrete actions, not {action_space}")
        self.actions, self.features = int(action_space.n), gym.spaces.flatdim(self.space)

    def reset(self, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Start all games; return what is seen, `(envs, agents, features)`, and who is alive, `(envs, agents)`."""
        seen, infos = self.games.reset(seed=seed)
        self.alive, self.totals = infos["alive"], np.zeros(infos["alive"].shape)
        return self._ready(seen), torch.as_tensor(self.alive)

    def step(self, actions: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Carry out a joint step of all games; return what is seen, rewards, both flags, and who is alive after it."""
        seen, rewards, terminated, truncated, infos = self.games.step(actions.numpy())
        self.totals += rewards
        was, self.alive = self.alive, infos["alive"]
        over = was.any(axis=1) & ~self.alive.any(axis=1)
        self.returns = self.totals[over].mean(axis=1).tolist()
        self.totals[over] = 0
        arrays = (rewards.astype(np.float32), terminated, truncated, self.alive)
        return self._ready(seen), *(torch.as_tensor(array) for array in arrays)

    def _ready(self, seen: Any) -> torch.Tensor:
        return torch.as_tensor(np.concatenate(list(flat(self.space, seen)), axis=2))


def flat(space: gym.Space[Any], seen: Any) -> Iterator[np.ndarray]:
    """Yield the entries of what is seen as `(envs, agents, features)` float32; words and numbers become one-hot."""
    if isinstance(space, gym.spaces.Dict):
        for name, inner in space.items():
            yield from flat(inner, seen[name])
    elif isinstance(space, gym.spaces.Discrete):
        yield np.eye(space.n, dtype=np.float32)[seen - space.start]
    else:
        yield np.asarray(seen, np.float32).reshape(*seen.shape[:2], -1)


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
    print(
        f"{len(batch.agents)} agents, {batch.features} features, {batch.actions} actions; {batch.games.backend}"
    )
    untrained = evaluate(batch, network, options.seed + 10_000)
    seen, alive = batch.reset(options.seed)
    per_update = options.envs * options.horizon
    updates = max(1, options.steps // per_update)
    began = time.perf_counter()
    for update in range(1, updates + 1):
        rollout, seen, alive, returns = collect(batch, network, seen, alive, options)
        learn(network, optimiser, rollout, options)
        if returns and (update % 10 == 0 or update == updates):
            speed = update * per_update / (time.perf_counter() - began)
            steps = f"{update * per_update:>8} joint steps ({speed:.0f}/s)"
            print(f"{steps}: return of an agent {np.mean(returns):.2f}")
    trained = evaluate(batch, network, options.seed + 10_000)
    print(f"return of an agent: {untrained:.2f} before training, {trained:.2f} after it")


def collect(
    batch: Batch, network: Network, seen: torch.Tensor, alive: torch.Tensor, options: argparse.Namespace
) -> tuple[dict[str, torch.Tensor], torch.Tensor, torch.Tensor, list[float]]:
    """Play `horizon` steps; return what there is to learn from, with advantages (Schulman et al. 2016)."""
    names = ("seen", "action", "logp", "value", "alive", "reward", "terminated", "ended")
    kept: dict[str, list[torch.Tensor]] = {name: [] for name in names}
    returns: list[float] = []
    for _ in range(options.horizon):
        with torch.no_grad():
            policy, value = network(seen)
            action = policy.sample()
        following, reward, terminated, truncated, still_alive = batch.step(action)
        now = (
            seen,
            action,
            policy.log_prob(action),
            value,
            alive,
            reward,
            terminated,
            terminated | truncated,
        )
        for name, tensor in zip(names, now, strict=True):
            kept[name].append(tensor)
        seen, alive = following, still_alive
        returns += batch.returns
    rollout = {name: torch.stack(tensors) for name, tensors in kept.items()}
    with torch.no_grad():
        _, beyond = network(seen)
    advantages = torch.zeros_like(rollout["value"])
    advantage = torch.zeros_like(beyond)
    for t in reversed(range(options.horizon)):
        # A truncated game would have gone on: what was to come is the value of what was seen last.
        to_come = options.discount * beyond * ~rollout["terminated"][t]
        error = rollout["reward"][t] + to_come - rollout["value"][t]
        advantage = error + options.discount * options.smoothing * advantage * ~rollout["ended"][t]
        advantages[t], beyond = advantage, rollout["value"][t]
    rollout["advantage"], rollout["target"] = advantages, advantages + rollout["value"]
    # Agents are samples: time, games and agents become one axis, without those that wait for the next game.
    taking_part = rollout["alive"].flatten()
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


def evaluate(batch: Batch, network: Network, seed: int) -> float:
    """Return what an agent gets in an episode, the mean over as many as there are environments."""
    seen, _ = batch.reset(seed)
    returns: list[float] = []
    while len(returns) < len(seen):
        with torch.no_grad():
            seen, *_ = batch.step(network(seen)[0].sample())
        returns += batch.returns
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
