"""Train: a policy from a spec in one call, and its file as it grows."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from numbers import Integral
from pathlib import Path
from typing import Any

from griddsl.compiler import AnySpec, compiled
from griddsl.diagnostics import with_keywords
from griddsl.envs.making import make
from griddsl.loading import resolve
from griddsl.training.failures import TrainingError
from griddsl.training.identity import game_hash
from griddsl.training.learners import Task, default_learner, default_observation, learner_of
from griddsl.training.policy_file import About, check_output, load, read, save

CHECKPOINTS = 10
ROWS = 100  # of a history, at most

_TYPES = {int: "a whole number", float: "a number", bool: "true or false", str: "a word"}

# Called with the steps so far, and the mean return of the episodes that ended last; None where none did yet.
Progress = Callable[[int, float | None], None]


@dataclass(frozen=True)
class Trained:
    """What came out: the policy (``predict(observation)``), and what its file says of it."""

    policy: Any
    about: About


@dataclass(frozen=True, slots=True)
class Wishes:
    """How a policy is to be trained, as `train` takes it."""

    learner: str = "auto"
    steps: int = 100_000
    seed: int = 0
    output: str | os.PathLike[str] | None = None
    resume: bool = False
    settings: Mapping[str, Any] | None = None
    address: str | None = None


@with_keywords
def train(
    source: AnySpec,
    /,
    *,
    learner: str = "auto",
    steps: int = 100_000,
    seed: int = 0,
    output: str | os.PathLike[str] | None = None,
    resume: bool = False,
    settings: Mapping[str, Any] | None = None,
    address: str | None = None,
    progress: Progress | None = None,
    **params: Any,
) -> Trained:
    """Return the policy that a learner finds in ``steps`` steps of a spec for one; the same for the same ``seed``.

    ``learner`` is ``tabular``, ``sb3``, ``cleanrl``, ``rllib``, or ``auto``: a table where one number is observed, else
    Stable-Baselines3 where it is installed. ``settings`` are the learner's own (``SETTINGS`` in its module);
    ``observation`` is its own form by default. ``output`` is a policy file, written ten times on the way, whole each
    time; with ``resume`` the training goes on from what it holds, if it is there, with new episodes. ``address`` is
    that of a Ray cluster, for ``rllib``. Raises `SpecError` for the spec, `ValueError` for anything else that does not
    fit, and `ImportError` where the learner is not installed.
    """
    wishes = Wishes(learner, steps, seed, output, resume, settings, address)
    return train_as_wished(source, params, wishes, progress)


def train_as_wished(
    source: AnySpec, params: Mapping[str, Any], wishes: Wishes, progress: Progress | None = None
) -> Trained:
    """Return what `train` returns; here parameters may be called as its arguments are."""
    from griddsl import __version__

    name, chosen, before = checked(source, params, wishes)
    steps, seed, output = wishes.steps, wishes.seed, wishes.output
    module, program = learner_of(name), compiled(resolve(source), **params).program
    form = params.get("observation") or default_observation(name)
    given = {key: value for key, value in params.items() if key != "observation"}
    game = game_hash(source, **given)
    history: list[tuple[int, float, int]] = []

    def about(done: int) -> About:
        rows = _thinned(history)
        return About(
            learner=name,
            spec=program.id,
            game=game,
            params=given,
            observation=str(form),
            seed=seed,
            steps=done,
            griddsl=__version__,
            settings=chosen,
            history=rows,
        )

    task = Task(source, {**given, "observation": form}, steps, seed, chosen, address=wishes.address)
    if before is not None:
        assert output is not None
        earlier, arrays = before
        _check_same(Path(output).name, earlier, about(0))
        history += earlier.history
        if earlier.steps >= steps:
            return Trained(load(output, source, given)[1], earlier)
        task = replace(task, done=earlier.steps, arrays=arrays, learning=read(output, "learning.npz")[1])

    saved = task.done * CHECKPOINTS // steps

    def watch(done: int, returns: list[float], policy: Any) -> None:
        nonlocal saved
        if returns:
            history.append((done, sum(returns) / len(returns), len(returns)))
        if progress is not None:
            progress(done, history[-1][1] if history else None)
        if output is not None and done * CHECKPOINTS // steps > saved:
            saved = done * CHECKPOINTS // steps
            save(output, about(done), policy)

    policy = module.learn(task, watch)
    whole = about(steps)
    if output is not None:
        save(output, whole, policy)
    return Trained(policy, whole)


def checked(
    source: AnySpec, params: Mapping[str, Any], wishes: Wishes
) -> tuple[str, dict[str, Any], tuple[About, dict[str, Any]] | None]:
    """Return the learner of a training, all of its settings, and what its file holds already; raise as `train` does.

    Nothing of it takes long: what cannot be trained is to be told before anything that does.
    """
    spec = compiled(resolve(source), **params)
    program = make(spec).program
    output = wishes.output
    if any(each.name == "observation" for each in spec.model.params):
        said = (
            "a parameter of the spec is called `observation`, so that no form of observation can be asked for"
        )
        raise TrainingError(said, "call the parameter otherwise, such as `game_observation`")
    if not isinstance(wishes.steps, Integral) or wishes.steps < 1:
        raise TrainingError(f"training takes 1 step or more, not {wishes.steps!r}")
    if not isinstance(wishes.seed, Integral) or wishes.seed < 0:
        raise TrainingError(f"a seed is a whole number from 0 on, not {wishes.seed!r}")
    if wishes.resume and output is None:
        raise TrainingError("what is to go on has a file", "`output` names it")
    before = read(output) if wishes.resume and output is not None and Path(output).exists() else None
    if before is None and output is not None:
        check_output(output)
    name = wishes.learner
    if name == "auto":
        name = default_learner(program) if before is None else before[0].learner
    module = learner_of(name)
    if wishes.address is not None and name != "rllib":
        raise TrainingError("an address is that of a Ray cluster", "`--with rllib` joins it")
    return name, _chosen(name, module.SETTINGS, wishes.settings or {}), before


def _chosen(name: str, known: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return all settings; raise `TrainingError` for one that there is not, or that has another type."""
    for key, value in given.items():
        if key not in known:
            raise TrainingError(f"`{name}` has no setting `{key}`", f"settings: {', '.join(known)}")
        wanted = type(known[key])
        if type(value) is not wanted and not (wanted is float and type(value) is int):
            raise TrainingError(
                f"`{key}` of `{name}` is {_TYPES[wanted]}, such as {known[key]}, not `{value}`"
            )
        least = 1 if wanted is int else 0
        if wanted in {int, float} and not least <= value < math.inf:
            raise TrainingError(f"`{key}` of `{name}` is {least} or more, not {value}")
    return {**known, **given}


def _check_same(file: str, before: About, now: About) -> None:
    """Raise `TrainingError` where a training would go on as another one."""
    for field in ("game", "learner", "observation", "seed", "settings"):
        old, new = getattr(before, field), getattr(now, field)
        if old != new:
            if isinstance(old, dict):
                field = next(name for name in new if old.get(name) != new[name])
                old, new = old.get(field), new[field]
            raise TrainingError(
                f"`{file}` was begun with another {field}: {old}, and here it is {new}",
                "without `--resume` a new training begins",
            )


def _thinned(history: list[tuple[int, float, int]]) -> list[tuple[int, float, int]]:
    """Return a history with so many rows that it is quickly read: neighbours become one."""
    size = -(-len(history) // ROWS) or 1
    rows: list[tuple[int, float, int]] = []
    for start in range(0, len(history), size):
        part = history[start : start + size]
        count = sum(ended for _, _, ended in part)
        rows.append((part[-1][0], sum(mean * ended for _, mean, ended in part) / count, count))
    return rows
