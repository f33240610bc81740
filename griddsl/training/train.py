"""Train: a policy from a spec in one call, and its file as it grows."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from griddsl.compiler import AnySpec
from griddsl.envs.making import make
from griddsl.training.failures import TrainingError
from griddsl.training.identity import game_hash
from griddsl.training.learners import Task, default_learner, default_observation, learner_of
from griddsl.training.policy_file import About, save

CHECKPOINTS = 10
ROWS = 100  # of a history, at most

# Called with the steps so far, and the mean return of the episodes that ended last; None where none did yet.
Progress = Callable[[int, float | None], None]


@dataclass(frozen=True)
class Trained:
    """What came out: the policy (``predict(observation)``), and what its file says of it."""

    policy: Any
    about: About


def train(
    source: AnySpec,
    *,
    learner: str = "auto",
    steps: int = 100_000,
    seed: int = 0,
    output: str | os.PathLike[str] | None = None,
    settings: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    **params: Any,
) -> Trained:
    """Return the policy that a learner finds in ``steps`` steps of a spec for one; the same for the same ``seed``.

    ``learner`` is ``tabular``, ``sb3``, ``cleanrl``, or ``auto``: a table where one number is observed, else
    Stable-Baselines3 where it is installed. ``settings`` are the learner's own (``SETTINGS`` in its module);
    ``observation`` is its own form by default. ``output`` is a policy file, written ten times on the way, whole each
    time. Raises `SpecError` for the spec, `ValueError` for anything else that does not fit, and `ImportError` where the
    learner is not installed.
    """
    from griddsl import __version__

    program = make(source, **params).program
    if steps < 1:
        raise TrainingError(f"training takes 1 step or more, not {steps}")
    name = default_learner(program) if learner == "auto" else learner
    module = learner_of(name)
    unknown = [key for key in settings or {} if key not in module.SETTINGS]
    if unknown:
        raise TrainingError(
            f"`{name}` has no setting `{unknown[0]}`", f"settings: {', '.join(module.SETTINGS)}"
        )
    form = params.get("observation") or default_observation(name)
    given = {key: value for key, value in params.items() if key != "observation"}
    history: list[tuple[int, float, int]] = []
    game = game_hash(source, **given)

    def about(done: int) -> About:
        chosen = module.SETTINGS | dict(settings or {})
        rows = _thinned(history)
        return About(name, program.id, game, given, str(form), seed, done, __version__, chosen, rows)

    saved = 0

    def watch(done: int, returns: list[float], policy: Any) -> None:
        nonlocal saved
        if returns:
            history.append((done, sum(returns) / len(returns), len(returns)))
        if progress is not None:
            progress(done, history[-1][1] if history else None)
        if output is not None and done * CHECKPOINTS // steps > saved:
            saved = done * CHECKPOINTS // steps
            save(output, about(done), policy)

    policy = module.learn(Task(source, {**given, "observation": form}, steps, seed, settings or {}), watch)
    whole = about(steps)
    if output is not None:
        save(output, whole, policy)
    return Trained(policy, whole)


def _thinned(history: list[tuple[int, float, int]]) -> list[tuple[int, float, int]]:
    """Return a history with so many rows that it is quickly read: neighbours become one."""
    size = -(-len(history) // ROWS) or 1
    rows: list[tuple[int, float, int]] = []
    for start in range(0, len(history), size):
        part = history[start : start + size]
        count = sum(ended for _, _, ended in part)
        rows.append((part[-1][0], sum(mean * ended for _, mean, ended in part) / count, count))
    return rows
