"""Measure griddsl beside what a user would take instead, and write the table of `docs/performance.md`.

Each comparison runs in this one process, in turn, several times; ratios are those of the same turn. Run it with
`python benchmarks/compare.py`, on a machine that does nothing else; peers that are not installed are left out.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

os.environ.setdefault("NUMBA_NUM_THREADS", "1")

import gymnasium as gym
import numpy as np

import griddsl
from griddsl.cli.bench import batch_run, sampled, single_run
from griddsl.envs.grid_env import GridEnv
from griddsl.envs.vector_env import GridVectorEnv
from griddsl.registration import spec_path

Run = tuple[Callable[[], Any], int]
PAGE = Path(__file__).parent.parent / "docs" / "performance.md"
START, END = "<!-- measured -->", "<!-- end -->"
BATCH = 1024


def timed(run: Run, seconds: float) -> float:
    """Return the nanoseconds of one environment step."""
    call, steps = run
    loops, start = 0, time.perf_counter()
    while True:
        call()
        loops += 1
        spent = time.perf_counter() - start
        if spent > seconds:
            return spent / (loops * steps) * 1e9


def compared(ours: Run, peer: Run, repeats: int, seconds: float) -> tuple[float, float, list[float]]:
    """Return the medians of both, and the quartiles of the ratios of equal turns."""
    ours[0]()
    peer[0]()
    pairs = [(timed(ours, seconds), timed(peer, seconds)) for _ in range(repeats)]
    ratios = [theirs / our for our, theirs in pairs]
    return (
        statistics.median(our for our, _ in pairs),
        statistics.median(theirs for _, theirs in pairs),
        statistics.quantiles(ratios, n=4, method="inclusive"),
    )


def single(make: Callable[[], Any], count: int = 2000) -> Run:
    """Return a run of one environment."""
    env = make()
    return single_run(env, sampled(env.action_space, count))


def batch(make: Callable[[], Any], rows: int = 32) -> Run:
    """Return a run of a batch."""
    envs = make()
    return batch_run(envs, sampled(envs.action_space, rows))


def peers(peer_id: str, count: int = 16) -> Callable[[], Any]:
    """Return a maker of Gymnasium's own batch; a small one, because each environment costs the same."""
    return lambda: gym.make_vec(peer_id, num_envs=count, vectorization_mode="sync")


def resetting(make: Callable[[], Any]) -> Run:
    """Return a run of resets."""
    env = make()
    env.reset(seed=0)
    return lambda: _reset(env), 20 * getattr(env, "num_envs", 1)


def _reset(env: Any) -> None:
    for _ in range(20):
        env.reset()


def comparisons(with_minigrid: bool) -> Iterator[tuple[str, str, Callable[[], Run], Callable[[], Run]]]:
    """Yield what is measured, against what, and both runs."""
    ids = {"CliffWalking": "CliffWalking-v1", "FrozenLake": "FrozenLake-v1", "Taxi": "Taxi-v4"}
    for name, peer_id in ids.items():
        if peer_id not in gym.registry:
            continue
        path = spec_path(name)
        yield (
            f"{name}, `gym.make`",
            f"Gymnasium's {peer_id}",
            lambda name=name: single(lambda: gym.make(f"griddsl/{name}-v0")),
            lambda peer_id=peer_id: single(lambda: gym.make(peer_id)),
        )
        yield (
            f"{name}, no wrappers",
            f"Gymnasium's {peer_id}, no wrappers",
            lambda path=path: single(lambda: GridEnv(path)),
            lambda peer_id=peer_id: single(lambda: gym.make(peer_id).unwrapped),
        )
        yield (
            f"{name}, batch of {BATCH:,}",
            "SyncVectorEnv",
            lambda path=path: batch(lambda: GridVectorEnv(path, BATCH)),
            lambda peer_id=peer_id: batch(peers(peer_id)),
        )
        yield (
            f"{name}, batch of {BATCH:,}, `copy=False`",
            "SyncVectorEnv",
            lambda path=path: batch(lambda: GridVectorEnv(path, BATCH, copy=False)),
            lambda peer_id=peer_id: batch(peers(peer_id)),
        )
        yield (
            f"{name}, batch of {BATCH:,}, no numba",
            "SyncVectorEnv",
            lambda path=path: batch(lambda: without_numba(path)),
            lambda peer_id=peer_id: batch(peers(peer_id)),
        )
    if with_minigrid:
        import minigrid  # noqa: F401

        path, peer_id = spec_path("DoorKey"), "MiniGrid-DoorKey-8x8-v0"
        for backend in ("python", "native"):
            yield (
                f"DoorKey-8x8, {backend}, `gym.make`",
                "MiniGrid",
                lambda backend=backend: single(lambda: gym.make("griddsl/DoorKey-v0", backend=backend), 500),
                lambda: single(lambda: gym.make(peer_id), 500),
            )
        yield (
            f"DoorKey-8x8, batch of {BATCH:,}",
            "SyncVectorEnv",
            lambda: batch(lambda: GridVectorEnv(path, BATCH)),
            lambda: batch(peers(peer_id, 4)),
        )
        yield (
            f"reset of DoorKey-8x8, batch of {BATCH:,}",
            "MiniGrid's reset",
            lambda: resetting(lambda: GridVectorEnv(path, BATCH)),
            lambda: resetting(lambda: gym.make(peer_id)),
        )


def without_numba(path: Any) -> GridVectorEnv:
    """Return a batch whose tables are gathered by numpy."""
    from griddsl.backends.table import TableBatch

    envs = GridVectorEnv(path, BATCH, backend="table")
    assert isinstance(envs._batch, TableBatch)
    envs._batch._kernel = None
    return envs


def versions() -> str:
    """Return what was measured with."""
    found = [f"Python {platform.python_version()}"]
    for name in ("griddsl", "gymnasium", "minigrid", "numpy", "numba"):
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)


def short(nanoseconds: float) -> str:
    """Return a time with a fitting unit."""
    return f"{nanoseconds / 1000:,.2f} us" if nanoseconds >= 1000 else f"{nanoseconds:.1f} ns"


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.2, help="of one timed run")
    parser.add_argument("--only", default="", help="measure what has this in its name, and write nothing")
    given = parser.parse_args()
    try:
        version("minigrid")
        with_minigrid = True
    except PackageNotFoundError:
        with_minigrid = False
    lines = ["| work | time | against | its time | ratio (middle half) |", "|---|---|---|---|---|"]
    for work, against, ours, peer in comparisons(with_minigrid):
        if given.only not in work:
            continue
        our, theirs, (low, median, high) = compared(ours(), peer(), given.repeats, given.seconds)
        lines.append(
            f"| {work} | {short(our)} | {against} | {short(theirs)} | **{median:,.1f}x** ({low:,.1f} to {high:,.1f}) |"
        )
        print(lines[-1], flush=True)
        gc.collect()
    if given.only or not PAGE.is_file():
        return
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(START)
    _, _, after = rest.partition(END)
    turns = f"{given.repeats} interleaved turns of {given.seconds:g} s each"
    setting = f"{versions()}; {turns}, random actions drawn before."
    text = "\n".join([START, "", *lines, "", setting, "", END])
    PAGE.write_text(before + text + after, encoding="utf-8")


if __name__ == "__main__":
    assert griddsl.__version__
    np.seterr(all="ignore")
    main()
