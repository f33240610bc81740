"""Measure griddsl beside what a user would take instead, and write the table of `docs/performance.md`.

Each comparison runs in this one process, in turn, several times; ratios are those of the same turn. Run it with
`python benchmarks/compare.py`, on a machine that does nothing else; peers that are not installed are left out.
"""

from __future__ import annotations

import argparse
import gc
import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from typing import Any, NamedTuple

os.environ.setdefault("NUMBA_NUM_THREADS", "1")
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import by_hand
import gymnasium as gym
import numpy as np
import tutorial
from timing import HEAD, Run, batch, compared, peers, row, single, versions, write

import griddsl
from griddsl.backends.table.batch import TableBatch
from griddsl.backends.table.enumeration import Table, tabled
from griddsl.cli.learning.bench import sampled
from griddsl.envs.batch.vector_env import GridVectorEnv
from griddsl.envs.single.grid_env import GridEnv
from griddsl.registration.ids import spec_path

BATCH = 1024
TOY_TEXT = {"CliffWalking": "CliffWalking-v1", "FrozenLake": "FrozenLake-v1", "Taxi": "Taxi-v4"}
POOL = {"CliffWalking": "CliffWalking-v1", "FrozenLake": "FrozenLake-v1", "Taxi": "Taxi-v3"}
DOOR_KEY = "MiniGrid-DoorKey-8x8-v0"


class Comparison(NamedTuple):
    """A line of the table: what is measured, against what, the makers of both runs, and the clock."""

    work: str
    against: str
    ours: Callable[[], Run]
    theirs: Callable[[], Run]
    clock: Callable[[], float] = time.process_time


def our_batch(name: str, **settings: Any) -> Callable[[], Run]:
    """Return a maker of a run of one of our batches."""
    return lambda: batch(lambda: GridVectorEnv(spec_path(name), BATCH, **settings))


def without_numba(name: str) -> GridVectorEnv:
    """Return a batch whose tables are gathered by numpy."""
    envs = GridVectorEnv(spec_path(name), BATCH, backend="table")
    table = tabled(envs.program, 10**6)
    assert isinstance(table, Table)
    envs._batch = TableBatch(envs.program, table, BATCH, with_numba=False)
    return envs


def pool(peer_id: str) -> Callable[[], Run]:
    """Return a maker of a run of an EnvPool of one thread."""
    import envpool

    def make() -> Run:
        envs = envpool.make_gymnasium(peer_id, num_envs=BATCH, num_threads=1, seed=0)
        envs.reset()
        actions = sampled(gym.spaces.MultiDiscrete([envs.action_space.n] * BATCH), 8)
        return (lambda: [envs.step(row) for row in actions]), 8 * BATCH

    return make


def toy_text(name: str, peer_id: str) -> Iterator[Comparison]:
    """Yield the comparisons of one of Gymnasium's toy texts."""
    size = f"batch of {BATCH:,}"
    yield Comparison(
        f"{name}, `gym.make`",
        f"Gymnasium's {peer_id}",
        lambda: single(lambda: gym.make(f"griddsl/{name}-v0")),
        lambda: single(lambda: gym.make(peer_id)),
    )
    yield Comparison(
        f"{name}, no wrappers",
        f"Gymnasium's {peer_id}, no wrappers",
        lambda: single(lambda: GridEnv(spec_path(name))),
        lambda: single(lambda: gym.make(peer_id).unwrapped),
    )
    sync = lambda: batch(peers(peer_id, BATCH), 4)  # noqa: E731
    yield Comparison(f"{name}, {size}", "SyncVectorEnv", our_batch(name), sync)
    yield Comparison(f"{name}, {size}, `copy=False`", "SyncVectorEnv", our_batch(name, copy=False), sync)
    no_numba = lambda: batch(lambda: without_numba(name))  # noqa: E731
    yield Comparison(f"{name}, {size}, no numba", "SyncVectorEnv", no_numba, sync)
    if find_spec("envpool"):
        yield Comparison(f"{name}, {size}", "EnvPool, one thread", our_batch(name), pool(POOL[name]))


def by_hand_batch(step: Callable[[Any], Any]) -> Run:
    """Return a run of a loop by hand."""
    actions = sampled(gym.spaces.MultiDiscrete([4] * BATCH), 32)
    return (lambda: [step(row) for row in actions]), 32 * BATCH


def cliff_walking() -> Iterator[Comparison]:
    """Yield cliff walking against loops by hand, Gymnasium's processes, and its pictures."""
    for language, make in (("C", by_hand.c_loop), ("numba", by_hand.numba_loop)):
        if (step := make(BATCH)) is None:
            continue
        yield Comparison(
            f"CliffWalking, batch of {BATCH:,}, `copy=False`",
            f"a loop by hand in {language}",
            our_batch("CliffWalking", copy=False),
            partial(by_hand_batch, step),
        )
    yield Comparison(
        "CliffWalking, batch of 16",
        "AsyncVectorEnv",
        lambda: batch(lambda: GridVectorEnv(spec_path("CliffWalking"), 16)),
        lambda: batch(peers("CliffWalking-v1", 16, "async"), 4),
        time.perf_counter,  # its processes' time is none of this process
    )
    yield Comparison(
        "CliffWalking, a step and its `rgb_array`",
        "Gymnasium's CliffWalking-v1",
        lambda: rendering(GridEnv(spec_path("CliffWalking"), render_mode="rgb_array"), 400),
        lambda: rendering(gym.make("CliffWalking-v1", render_mode="rgb_array"), 20),
    )


def tutorial_world() -> Iterator[Comparison]:
    """Yield the world of Gymnasium's tutorial."""
    yield Comparison(
        "GridWorld, `gym.make`",
        "the tutorial's own code",
        lambda: single(lambda: gym.make("griddsl/GridWorld-v0")),
        lambda: single(lambda: gym.make(tutorial.TutorialGridWorld.ID)),
    )


def door_key() -> Iterator[Comparison]:
    """Yield MiniGrid's DoorKey-8x8."""
    import minigrid  # noqa: F401

    size = f"batch of {BATCH:,}"
    for backend in ("python", "native"):
        yield Comparison(
            f"DoorKey-8x8, {backend}, `gym.make`",
            "MiniGrid",
            partial(single, partial(gym.make, "griddsl/DoorKey-v0", backend=backend), 500),
            lambda: single(lambda: gym.make(DOOR_KEY), 500),
        )
    sync = lambda: batch(peers(DOOR_KEY, 64), 4)  # noqa: E731
    yield Comparison(f"DoorKey-8x8, {size}", "SyncVectorEnv of 64 MiniGrids", our_batch("DoorKey"), sync)
    if find_spec("envpool"):
        yield Comparison(f"DoorKey-8x8, {size}", "EnvPool, one thread", our_batch("DoorKey"), pool(DOOR_KEY))
    yield Comparison(
        f"reset of DoorKey-8x8, {size}",
        "MiniGrid's reset",
        lambda: resetting(GridVectorEnv(spec_path("DoorKey"), BATCH)),
        lambda: resetting(gym.make(DOOR_KEY)),
    )
    yield Comparison(
        "DoorKey-8x8, a step and its `rgb_array` at 32 px",
        "MiniGrid, without highlights",
        lambda: rendering(door_key_pictures(), 400),
        lambda: rendering(gym.make(DOOR_KEY, render_mode="rgb_array", highlight=False), 40),
    )


def door_key_pictures() -> GridEnv:
    """Return our DoorKey with cells as large as MiniGrid's."""
    env = GridEnv(spec_path("DoorKey"), render_mode="rgb_array", backend="native")
    env._rasterisers[64] = env.rasteriser(32)
    return env


def resetting(env: Any) -> Run:
    """Return a run of resets."""
    env.reset(seed=0)
    return lambda: [env.reset() for _ in range(20)], 20 * getattr(env, "num_envs", 1)


def rendering(env: Any, count: int) -> Run:
    """Return a run of steps with a picture after each."""
    actions = sampled(env.action_space, count)
    env.reset(seed=0)

    def run() -> None:
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
            env.render()

    return run, count


def comparisons() -> Iterator[Comparison]:
    """Yield all lines of the table."""
    for name, peer_id in TOY_TEXT.items():
        if peer_id in gym.registry:
            yield from toy_text(name, peer_id)
    yield from cliff_walking()
    yield from tutorial_world()
    if find_spec("minigrid"):
        yield from door_key()


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.2, help="of one timed run")
    parser.add_argument("--only", default="", help="measure what has this in its name, and write nothing")
    given = parser.parse_args()
    lines = []
    for work, against, ours, theirs, clock in comparisons():
        if given.only not in f"{work} {against}":
            continue
        lines.append(row(work, against, compared(ours(), theirs(), given.repeats, given.seconds, clock)))
        print(lines[-1], flush=True)
        gc.collect()
    states = GridVectorEnv(spec_path("DoorKey"), 65_536).state_bytes() / 2**20
    print(f"the states of 65,536 DoorKey-8x8: {states:.1f} MiB")
    if given.only:
        return
    turns = f"{given.repeats} interleaved turns of {given.seconds:g} s of the processor each"
    setting = f"{versions('minigrid', 'envpool')}; {turns}, random actions drawn before, resets included."
    size = f"The states of a batch of 65,536 DoorKey-8x8 take {states:.1f} MiB."
    write("measured", [*HEAD, *lines, "", setting, size])


if __name__ == "__main__":
    assert griddsl.__version__
    np.seterr(all="ignore")
    main()
