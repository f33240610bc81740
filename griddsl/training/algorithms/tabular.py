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

from griddsl.compiling.cache import Compiled
from griddsl.envs.making import make
from griddsl.training.failures import TrainingError
from griddsl.training.learners import Task, Watch
from griddsl.training.policy_file import About, Arrays

SETTINGS: dict[str, Any] = {
    "discount": 0.99,
    "explore_first": 1.0,  # the chance of a random action at the start
    "explore_last": 0.05,
    "explore_share": 0.6,  # of the steps, in which it falls from the first to the last
    "rate_power": 0.6,  # the learning rate is 1 / visits ** this
    "masks": True,  # actions that are forbidden are not tried
}
_DIGEST = 16  # bytes
_FIRST_ROWS = 1024


class TabularPolicy:
    """The best known action for each observation, of those allowed; the first one where it was never seen."""

    def __init__(
        self, actions: int, keys: dict[Any, int], q: np.ndarray[Any, Any], visits: np.ndarray[Any, Any]
    ) -> None:
        self.actions, self.keys, self.q, self.visits = actions, keys, q, visits

    def predict(
        self, observation: Any, deterministic: bool = True, action_masks: Any = None
    ) -> tuple[Any, None]:
        """Return the best known action."""
        row = self.keys.get(key_of(observation))
        known = np.zeros(self.actions) if row is None else self.q[row]
        return int((known if action_masks is None else _masked(known, action_masks)).argmax()), None

    def learning(self) -> Arrays:
        """Return how often each action was taken."""
        return {"visits": self.visits[: len(self.keys)].copy()}

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
    env = make(task.spec)
    actions, settings = _actions_of(env), task.settings
    discount, power = settings["discount"], settings["rate_power"]
    masks = env.action_masks if settings["masks"] and env.program.has_mask else None
    rng = np.random.default_rng(task.seed_here)
    policy = _begun(task, actions)

    def row_of(observation: Any) -> int:
        row = policy.keys.setdefault(key_of(observation), len(policy.keys))
        if row == len(policy.q):
            policy.q, policy.visits = (np.vstack([a, np.zeros_like(a)]) for a in (policy.q, policy.visits))
        return row

    total, returns = 0.0, list[float]()
    row = row_of(env.reset(seed=task.seed_here)[0])
    mask = masks() if masks else None
    falling = max(1.0, settings["explore_share"] * task.steps)
    for step in range(task.done, task.steps):
        share = min(1.0, step / falling)
        explores = settings["explore_first"] + share * (settings["explore_last"] - settings["explore_first"])
        if rng.random() < explores:
            action = _drawn(actions, mask, rng)
        else:
            action = _best(policy.q[row] if mask is None else _masked(policy.q[row], mask), rng)
        observation, reward, terminated, truncated, _ = env.step(action)
        after = row_of(observation)
        mask = masks() if masks else None
        q, visits = policy.q, policy.visits
        visits[row, action] += 1
        ahead = 0.0 if terminated else (q[after] if mask is None else _masked(q[after], mask)).max()
        q[row, action] += (float(reward) + discount * ahead - q[row, action]) / visits[row, action] ** power
        total += float(reward)
        row = after
        if terminated or truncated:
            returns.append(total)
            total = 0.0
            row = row_of(env.reset()[0])
            mask = masks() if masks else None
        if (step + 1) % 2048 == 0 or step + 1 == task.steps:
            watch(step + 1, returns, policy)
            returns = []
    return policy


def _begun(task: Task, actions: int) -> TabularPolicy:
    """Return an empty table, or the one that is learned on."""
    if not task.done:
        return TabularPolicy(actions, {}, *(np.zeros((_FIRST_ROWS, actions)) for _ in range(2)))
    policy = _table_of(task.arrays, actions)
    policy.visits = np.array(task.learning["visits"])
    if policy.visits.shape != policy.q.shape:
        raise ValueError("its table and its visits differ in size")
    return policy


def _drawn(actions: int, mask: Any, rng: np.random.Generator) -> int:
    """Return one of the actions that are allowed; a mask always allows one."""
    return int(rng.integers(actions) if mask is None else rng.choice(np.flatnonzero(mask)))


def _masked(row: np.ndarray[Any, Any], mask: Any) -> np.ndarray[Any, Any]:
    """Return a row in which no forbidden action is the best."""
    return np.where(mask, row, -np.inf)


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


def restored(spec: Compiled, about: About, arrays: Arrays) -> TabularPolicy:
    """Return the policy of a file; raise `ValueError` where it has other actions than the spec."""
    return _table_of(arrays, _actions_of(make(spec)))


def _table_of(arrays: Mapping[str, Any], actions: int) -> TabularPolicy:
    q = np.array(arrays["q"])
    if q.ndim != 2:
        raise ValueError(f"its table has the shape {q.shape}, and is one of observations and actions")
    if q.shape[1] != actions:
        raise ValueError(f"it knows {q.shape[1]} actions, and this spec has {actions}")
    seen = np.array(arrays["numbers" if "numbers" in arrays else "digests"])
    names = [row.tobytes() for row in seen] if seen.ndim == 2 else seen.ravel().tolist()
    if seen.ndim not in {1, 2} or len(names) != len(q):
        raise ValueError("its table and its observations differ in length")
    return TabularPolicy(actions, {name: row for row, name in enumerate(names)}, q, np.zeros_like(q))
