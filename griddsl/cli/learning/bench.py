"""``griddsl bench``: how fast a spec runs, on every backend that can run it, beside Gymnasium's own batch."""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

import typer

from griddsl.cli.failures import Refusal
from griddsl.cli.options import Level, Params, Spec
from griddsl.cli.progress import Progress, show_compiling
from griddsl.cli.sources import find_spec, parse_params
from griddsl.compiler import compiled
from griddsl.compiling.cache import Compiled
from griddsl.diagnostics import Refused
from griddsl.source import visible

SECONDS = 0.1  # a timed run takes about this long
BACKENDS = ("python", "table", "native")
Timed: TypeAlias = tuple[Callable[[], Any], int]  # a run, and the steps that it makes
COMPARED = 64  # the environments of Gymnasium's own batch: its cost grows with their number and nothing else


@dataclass(frozen=True, slots=True)
class Timing:
    """Nanoseconds an environment step: the median of interleaved runs, the lowest and the highest quarter."""

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{_short(self.median)} ({_short(self.low)} to {_short(self.high)})"


def _short(nanoseconds: float) -> str:
    return f"{nanoseconds / 1000:,.2f} us" if nanoseconds >= 1000 else f"{nanoseconds:.1f} ns"


def measure(runs: Mapping[str, Timed], repeats: int, progress: Progress) -> dict[str, Timing]:
    """Time each run, in turn, ``repeats`` times; a run comes with the environment steps that it makes."""
    loops: dict[str, int] = {}
    turns = itertools.count()
    for name, (run, _) in runs.items():
        progress.measuring(next(turns), len(runs) * (repeats + 1), name)
        run()
        start = time.perf_counter()
        run()
        loops[name] = max(1, int(SECONDS / max(1e-7, time.perf_counter() - start)))
    found: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(repeats):
        for name, (run, steps) in runs.items():
            progress.measuring(next(turns), len(runs) * (repeats + 1), name)
            start = time.perf_counter()
            for _ in range(loops[name]):
                run()
            found[name].append((time.perf_counter() - start) / (loops[name] * steps) * 1e9)
    return {name: summary(values) for name, values in found.items()}


def summary(values: Sequence[float]) -> Timing:
    """Return the median and quartiles of values."""
    if len(values) < 2:
        return Timing(values[0], values[0], values[0])
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    return Timing(median, low, high)


def single_run(env: Any, actions: Sequence[Any]) -> Timed:
    """Return a run of one environment: these actions, and a reset after each episode."""
    env.reset(seed=0)

    def run() -> None:
        step, reset = env.step, env.reset
        for action in actions:
            _, _, terminated, truncated, _ = step(action)
            if terminated or truncated:
                reset()

    return run, len(actions)


def batch_run(envs: Any, actions: Sequence[Any]) -> Timed:
    """Return a run of a batch: these rows of actions."""
    envs.reset(seed=0)

    def run() -> None:
        step = envs.step
        for row in actions:
            step(row)

    return run, len(actions) * envs.num_envs


def sampled(space: Any, count: int) -> list[Any]:
    """Return actions of a space, as plain integers where they are numbers."""
    import numpy as np

    space.seed(0)
    found = [space.sample() for _ in range(count)]
    return [int(action) if isinstance(action, np.integer) else action for action in found]


def joint_run(env: Any) -> Timed:
    """Return a run of a game of several: joint steps of random actions, and a reset after each episode."""
    columns = {name: sampled(env.action_space(name), 500) for name in env.possible_agents}
    joints = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    env.reset(seed=0)

    def run() -> None:
        for joint in joints:
            agents = env.agents
            env.step(joint if len(agents) == len(joint) else {name: joint[name] for name in agents})
            if not env.agents:
                env.reset()

    return run, len(joints)


def command(
    spec: Spec,
    num_envs: Annotated[int, typer.Option(min=1, max=1_000_000, help="The size of the batch.")] = 1024,
    repeats: Annotated[int, typer.Option(min=1, max=1000, help="How often each is timed, in turn.")] = 7,
    param: Params = None,
    level: Level = None,
) -> None:
    """Measure how fast a spec runs."""
    path = find_spec(spec)
    params = parse_params(param or (), level)
    show_compiling()
    bound = compiled(path, **params)
    several = len(bound.program.players) > 1
    runs, refused = (_joint_runs if several else _runs)(bound, num_envs)
    if not runs:
        raise Refusal("no backend runs this spec")
    progress = Progress()
    found = measure(runs, repeats, progress)
    progress.clear()
    width = max(len(name) for name in found)
    step = "a joint step" if several else "one environment step"
    print(f"{visible(str(path))}: time of {step}, median of {repeats} (middle half)")
    for name, timing in found.items():
        print(f"  {name:<{width}}  {timing}")
    for reason in refused:
        print(f"  {reason}")


def _joint_runs(spec: Compiled, num_envs: int) -> tuple[dict[str, Timed], list[str]]:
    from griddsl.envs.batch.parallel_vec import GridParallelVectorEnv
    from griddsl.envs.joint.parallel import GridParallelEnv

    runs: dict[str, Timed] = {}
    refused: list[str] = []
    for backend in ("python", "table", "native"):
        try:
            if backend != "table":  # which steps batches only
                runs[f"make_parallel, {backend}"] = joint_run(GridParallelEnv(spec, backend=backend))
            batch = GridParallelVectorEnv(spec, num_envs, backend=backend)
            runs[f"a batch of {num_envs}, {backend}"] = batch_run(
                batch, [batch.sampled_actions(seed) for seed in range(8)]
            )
        except Refused as error:
            refused.append(str(error))
    return runs, refused


def _runs(spec: Compiled, num_envs: int) -> tuple[dict[str, Timed], list[str]]:
    import gymnasium as gym

    from griddsl.envs.batch.vector_env import GridVectorEnv
    from griddsl.envs.single.grid_env import GridEnv

    runs: dict[str, Timed] = {}
    refused: list[str] = []
    for backend in BACKENDS:
        try:
            env = GridEnv(spec, backend=backend)
        except Refused as error:
            refused.append(str(error))
            continue
        runs[f"one environment, {backend}"] = single_run(env, sampled(env.action_space, 500))
        batch = GridVectorEnv(spec, num_envs, backend=backend)
        runs[f"a batch of {num_envs}, {backend}"] = batch_run(batch, sampled(batch.action_space, 8))
    compared = gym.vector.SyncVectorEnv([lambda: GridEnv(spec, backend="python") for _ in range(COMPARED)])
    runs[f"SyncVectorEnv of {COMPARED}, python"] = batch_run(compared, sampled(compared.action_space, 8))
    return runs, refused
