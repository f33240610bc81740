"""Tabular Q-learning (Watkins 1989; Sutton & Barto 2018, section 6.5), over whatever is observed.

What is observed stands in the table as a number, or by a digest of its bytes, so that any observation will do whose
values come again.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

import gymnasium as gym
import numpy as np

from griddsl.envs.making import make
from griddsl.training.failures import TrainingError
from griddsl.training.learners import Task, Watch
from griddsl.training.policy_file import About, Arrays

SETTINGS: dict[str, float] = {
    "discount": 0.99,
    "explore_first": 1.0,  # the chance of a random action at the start
    "explore_last": 0.05,
    "explore_share": 0.6,  # of the steps, in which it falls from the first to the last
    "rate_power": 0.6,  # the learning rate is 1 / visits ** this
}
_DIGEST = 16  # bytes
_FIRST_ROWS = 1024


class TabularPolicy:
    """The best known action for each observation; the first one where it was never seen."""

    def __init__(self, actions: int, keys: dict[Any, int], q: np.ndarray[Any, Any]) -> None:
        self.actions, self.keys, self.q = actions, keys, q

    def predict(self, observation: Any, deterministic: bool = True) -> tuple[Any, None]:
        """Return the best known action."""
        row = self.keys.get(key_of(observation))
        return (0 if row is None else int(self.q[row].argmax())), None

    def arrays(self) -> Arrays:
        """Return the table, and the observations of its rows."""
        q = self.q[: len(self.keys)].copy()
        if all(isinstance(key, int) for key in self.keys):
            return {"q": q, "numbers": np.array(list(self.keys), np.int64)}
        return {"q": q, "digests": np.frombuffer(b"".join(self.keys), np.uint8).reshape(-1, _DIGEST)}


def key_of(observation: Any) -> Any:
    """Return an observation as what a table is looked up by: a number itself, else a digest."""
    if isinstance(observation, int | np.integer):
        return int(observation)
    digest = blake2b(digest_size=_DIGEST)
    _feed(digest, observation)
    return digest.digest()


def _feed(digest: Any, part: Any) -> None:
    if isinstance(part, dict):
        for name in part:
            _feed(digest, part[name])
    elif isinstance(part, tuple):
        for one in part:
            _feed(digest, one)
    elif isinstance(part, str):
        digest.update(part.encode() + b"\0")
    else:
        digest.update(np.ascontiguousarray(part).tobytes())


def learn(task: Task, watch: Watch) -> TabularPolicy:
    """Return the policy that Q-learning finds in so many steps; the same for the same seed."""
    env = make(task.source, **task.params)
    actions = _actions_of(env)
    settings = SETTINGS | dict(task.settings)
    discount, power = settings["discount"], settings["rate_power"]
    rng = np.random.default_rng(task.seed)
    keys: dict[Any, int] = {}
    q, visits = np.zeros((_FIRST_ROWS, actions)), np.zeros((_FIRST_ROWS, actions))
    policy = TabularPolicy(actions, keys, q)
    total, returns = 0.0, list[float]()
    row = keys.setdefault(key_of(env.reset(seed=task.seed)[0]), len(keys))
    falling = max(1.0, settings["explore_share"] * task.steps)
    for step in range(task.steps):
        share = min(1.0, step / falling)
        explores = settings["explore_first"] + share * (settings["explore_last"] - settings["explore_first"])
        action = int(rng.integers(actions)) if rng.random() < explores else _best(q[row], rng)
        observation, reward, terminated, truncated, _ = env.step(action)
        after = keys.setdefault(key_of(observation), len(keys))
        if after == len(q):
            q, visits = np.vstack([q, np.zeros_like(q)]), np.vstack([visits, np.zeros_like(visits)])
            policy.q = q
        visits[row, action] += 1
        target = float(reward) + (0.0 if terminated else discount * q[after].max())
        q[row, action] += (target - q[row, action]) / visits[row, action] ** power
        total += float(reward)
        row = after
        if terminated or truncated:
            returns.append(total)
            total = 0.0
            row = keys.setdefault(key_of(env.reset()[0]), len(keys))
            if row == len(q):
                q, visits = np.vstack([q, np.zeros_like(q)]), np.vstack([visits, np.zeros_like(visits)])
                policy.q = q
        if (step + 1) % 2048 == 0 or step + 1 == task.steps:
            watch(step + 1, returns, policy)
            returns = []
    return policy


def _actions_of(env: Any) -> int:
    space = env.action_space
    if not isinstance(space, gym.spaces.Discrete):
        raise TrainingError(
            f"a table takes one number as action, and this spec has {space}", "`--with sb3` takes it"
        )
    return int(space.n)


def _best(row: np.ndarray[Any, Any], rng: np.random.Generator) -> int:
    """Return one of the best actions, drawn among equals."""
    best = np.flatnonzero(row == row.max())
    return int(best[0]) if len(best) == 1 else int(rng.choice(best))


def restored(source: Any, params: Mapping[str, Any], about: About, arrays: Arrays) -> TabularPolicy:
    """Return the policy of a file; raise `ValueError` where it has other actions than the spec."""
    actions = _actions_of(make(source, **params))
    q = arrays["q"]
    if q.ndim != 2 or q.shape[1] != actions:
        raise ValueError(f"it knows {q.shape[-1]} actions, and this spec has {actions}")
    names = (
        arrays["numbers"].tolist() if "numbers" in arrays else [row.tobytes() for row in arrays["digests"]]
    )
    if len(names) != len(q):
        raise ValueError("its table and its observations differ in length")
    return TabularPolicy(actions, {name: row for row, name in enumerate(names)}, q)
