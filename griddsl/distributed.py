"""Work for many processors: sweeps and datasets as tasks of Ray, which go on where they stopped.

Ray is started here, or joined at an ``address``; its own scheduler, retries and shuffles do the rest.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np

from griddsl.compiler import AnySpec, compiled
from griddsl.diagnostics import with_keywords
from griddsl.envs.batch.vector_env import make_vec
from griddsl.files.writing import write
from griddsl.loading import resolve
from griddsl.program.identity import digest_of
from griddsl.training.algorithms.cluster import connect
from griddsl.training.failures import TrainingError
from griddsl.training.scoring import score
from griddsl.training.train import train

Job = Mapping[str, Any]
RETRIES = 3  # of a task whose worker dies
GAMES = 64  # that are played together


# Sweeps


def trained_and_scored(
    spec: str,
    *,
    learner: str = "auto",
    steps: int = 50_000,
    seed: int = 0,
    episodes: int = 100,
    **params: Any,
) -> dict[str, Any]:
    """Train in a spec and return what came out, as numbers for a table: a job of a sweep."""
    trained = train(spec, learner=learner, steps=steps, seed=seed, **params)
    played = {**params, "observation": trained.about.observation}
    found = score(trained.policy, spec, episodes=episodes, seed=seed + 1_000_000, **played)
    return {
        "learner": trained.about.learner,
        "return": found.evaluation.simulated_returns.mean,
        "success": found.evaluation.simulated_success.mean,
        "optimum": found.optimum,
        "regret": found.regret,
    }


def sweep(
    jobs: Sequence[Job],
    folder: str | os.PathLike[str],
    *,
    job: Callable[..., Mapping[str, Any]] = trained_and_scored,
    address: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[dict[str, Any]]:
    """Return a row for each job: its arguments, and ``result``, or ``error`` where it failed.

    A job is the keyword arguments of ``job``, which JSON can hold, and returns what JSON can hold. Each result is a
    file in ``folder``, written when it is there; a sweep that is begun again does only what has no result yet, what
    failed among it. A task whose worker dies is done again by Ray. ``progress`` is told how many are done, of how many.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    files = [place / f"{_digest(each)}.json" for each in jobs]
    waits = {file: each for file, each in zip(files, jobs, strict=True) if not file.exists()}
    errors: dict[Path, str] = {}
    if waits:
        ray = connect(address)
        task = ray.remote(_carried_out).options(max_retries=RETRIES)
        running = {task.remote(job, dict(each)): file for file, each in waits.items()}
        while running:
            (done, *_), _ = ray.wait(list(running), num_returns=1)
            file = running.pop(done)
            try:
                write(file, json.dumps({"job": dict(waits[file]), "result": ray.get(done)}, indent=1))
            except (ray.exceptions.RayError, TypeError) as error:
                errors[file] = str(error).strip().splitlines()[-1]
            if progress is not None:
                progress(len(files) - len(running), len(files))
    return [
        {**each, "error": errors[file]} if file in errors else {**each, "result": _result_of(file)}
        for file, each in zip(files, jobs, strict=True)
    ]


def _carried_out(job: Callable[..., Mapping[str, Any]], given: dict[str, Any]) -> dict[str, Any]:
    return dict(job(**given))


def _digest(job: Job) -> str:
    try:
        return sha256(json.dumps(dict(job), sort_keys=True).encode()).hexdigest()[:24]
    except TypeError as error:
        raise TrainingError(f"a job has what JSON cannot hold: {error}") from None


def _result_of(file: Path) -> Any:
    try:
        return json.loads(file.read_text())["result"]
    except (ValueError, KeyError, TypeError):
        raise TrainingError(f"`{file}` holds no result", "take it away, and its job is done again") from None


# Datasets


@with_keywords
def write_steps(
    source: AnySpec,
    folder: str | os.PathLike[str],
    *,
    steps: int,
    policy: Any = "random",
    seed: int = 0,
    steps_per_part: int = 1_000_000,
    address: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    **params: Any,
) -> int:
    """Write at least so many steps of play as Parquet, by Ray Data; return how many there are.

    A row is a step: ``game``, ``step`` (of the game since the start), ``observation``, ``action``, ``reward``,
    ``terminated``, ``truncated`` and ``next_observation``, the last of an episode where one ends. Observations are one
    float32 vector, unless ``observation`` says otherwise. ``policy`` is ``random`` or an object whose
    ``predict`` takes a batch. Parts that are there already are not played again; one is put in its place when it is
    whole.
    """
    settings = {"observation": "flat", **params}
    spec = compiled(resolve(source), **settings)
    if steps < 1 or steps_per_part < GAMES:
        raise TrainingError(f"a dataset has 1 step or more, and a part {GAMES} or more")
    if not isinstance(spec_space := make_vec(spec, 1).single_observation_space, gym.spaces.Box):
        raise TrainingError(
            f"rows of a table hold vectors, not {spec_space}", "`observation='flat'` gives one"
        )
    place, blocks = Path(folder), -(-steps // steps_per_part)
    place.mkdir(parents=True, exist_ok=True)
    about = {
        "spec": spec.program.id,
        "game": digest_of(spec.program),
        "seed": seed,
        "steps_per_part": steps_per_part,
    }
    kept = place / "_about.json"
    if kept.exists() and json.loads(kept.read_text()) != about:
        raise TrainingError(f"`{place}` holds other steps: {kept.read_text()}", "give another folder")
    write(kept, json.dumps(about))
    for number in range(blocks):
        part, draft = place / f"part-{number:06}", place / f".part-{number:06}.draft"
        if not part.is_dir():
            shutil.rmtree(draft, ignore_errors=True)
            ray = connect(address)
            data = import_module("ray.data")
            tasks = max(1, int(ray.cluster_resources().get("CPU", 1)))
            length = -(-steps_per_part // (tasks * GAMES))
            given = data.from_items([{"task": number * tasks + task} for task in range(tasks)])
            given.flat_map(_Playing(spec, policy, seed, length)).write_parquet(str(draft))
            draft.replace(part)
        if progress is not None:
            progress(number + 1, blocks)
    import pyarrow.parquet as pq

    return sum(int(pq.read_metadata(file).num_rows) for file in place.glob("part-*/*.parquet"))


class _Playing:
    """What a task does: games of a batch, of a seed of their own."""

    def __init__(self, spec: Any, policy: Any, seed: int, length: int) -> None:
        self.spec, self.policy, self.seed, self.length = spec, policy, seed, length

    def __call__(self, row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        task = int(row["task"])
        seed = int(np.random.SeedSequence([self.seed, task]).generate_state(1)[0])
        batch = make_vec(self.spec, GAMES, autoreset_mode="SameStep")
        rng = np.random.default_rng(seed)
        space: Any = batch.single_action_space
        observation, _ = batch.reset(seed=seed)
        for step in range(self.length):
            if isinstance(self.policy, str):
                high = space.n if isinstance(space, gym.spaces.Discrete) else space.nvec
                shape = (GAMES,) if isinstance(space, gym.spaces.Discrete) else (GAMES, len(space.nvec))
                action = rng.integers(high, size=shape)
            else:
                action = np.asarray(self.policy.predict(observation)[0])
            after, reward, ended, cut, infos = batch.step(action)
            following = np.array(after)
            for game in np.flatnonzero(ended | cut).tolist():
                following[game] = infos["final_obs"][game]
            for game in range(GAMES):
                yield {
                    "game": task * GAMES + game,
                    "step": step,
                    "observation": observation[game].copy(),
                    "action": action[game],
                    "reward": float(reward[game]),
                    "terminated": bool(ended[game]),
                    "truncated": bool(cut[game]),
                    "next_observation": following[game],
                }
            observation = np.array(after)
