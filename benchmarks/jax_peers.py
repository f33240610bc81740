"""Measure environments of `griddsl.jax` beside those that others wrote for JAX, all inside `lax.scan`, in one process.

They want an environment of their own: `pip install 'griddsl[jax]' gymnax xminigrid navix`; what is not there is left
out. Run it with `python benchmarks/jax_peers.py`, on one core (`taskset -c 0`), because JAX takes all that there are;
`--platform gpu` measures on an accelerator, `--batches 64,1024,65536` with as many games at once, and `--native` puts
our batch without JAX beside XLand-MiniGrid and NAVIX. `--write` puts the table into the page on performance.

The observation is handed on from step to step, so that it is there; rewards are summed; actions are random and drawn
before. On a processor its time counts, of all threads; on an accelerator the time of the clock.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from timing import HEAD, Run, batch, compared, row, short, versions, write

BATCH, ROLL = 1024, 64
Play = Callable[[int], "Game"]


@dataclass(frozen=True)
class Game:
    """A batch of games: ``run`` plays some steps of it."""

    run: Run
    compiling: float  # seconds
    size: int  # bytes of one state


@dataclass(frozen=True)
class Work:
    """What is measured: how many games of ours and of another are played."""

    name: str
    ours: Play
    peer: str
    theirs: Play


def scanned(count: int, reset: Any, step: Any, actions: int) -> Game:
    """Return many steps of a batch in one compiled call: ``reset(key)`` and ``step(key, state, action)`` of one game.

    Both give an observation first and a state second; a step gives a reward third.
    """
    import jax

    keys = jax.random.split(jax.random.key(0), count)
    start = time.process_time()
    kept = [jax.jit(jax.vmap(reset))(keys)]
    rows = jax.numpy.asarray(np.random.default_rng(0).integers(0, actions, (ROLL, count)), np.int32)

    @jax.jit
    def roll(kept: Any, key: Any, rows: Any) -> Any:
        def once(kept: Any, given: Any) -> tuple[Any, Any]:
            key, row = given
            keys = jax.random.split(key, count)
            observation, state, reward = jax.vmap(step)(keys, kept[1], row)
            return (observation, state), reward.sum()

        return jax.lax.scan(once, kept, (jax.random.split(key, ROLL), rows))

    def run() -> None:
        kept[0], gained = roll(kept[0], keys[0], rows)
        jax.block_until_ready(gained)

    run()
    compiling = time.process_time() - start
    size = sum(leaf.nbytes for leaf in jax.tree.leaves(kept[0][1])) // count
    return Game((run, ROLL * count), compiling, size)


def ours(source: str, **params: Any) -> Play:
    """Return how an environment of ours is played; its chance comes from the stream that lives in the state."""

    def play(count: int) -> Game:
        import griddsl.jax

        env = griddsl.jax.make(source, **params)
        return scanned(count, env.reset, lambda _, *given: env.step(None, *given)[:3], env.num_actions)

    return play


def gymnax(name: str) -> Play:
    """Return how an environment of Gymnax is played."""

    def play(count: int) -> Game:
        env, params = import_module("gymnax").make(name)

        def step(key: Any, state: Any, action: Any) -> Any:
            return env.step(key, state, action, params)[:3]

        return scanned(count, lambda key: env.reset(key, params), step, env.num_actions)

    return play


def xland(count: int) -> Game:
    """Return games of XLand-MiniGrid, with automatic resets."""
    import xminigrid
    from xminigrid.wrappers import GymAutoResetWrapper

    env, params = xminigrid.make("MiniGrid-DoorKey-8x8")
    env = GymAutoResetWrapper(env)

    def begun(key: Any) -> Any:
        found = env.reset(params, key)
        return found.observation, found

    def step(_: Any, timestep: Any, action: Any) -> Any:
        found = env.step(params, timestep, action)
        return found.observation, found, found.reward

    return scanned(count, begun, step, env.num_actions(params))


def navix(count: int) -> Game:
    """Return games of NAVIX, which reset by themselves."""
    import navix

    env = navix.make("Navix-DoorKey-8x8-v0")

    def begun(key: Any) -> Any:
        found = env.reset(key)
        return found.observation, found

    def step(_: Any, timestep: Any, action: Any) -> Any:
        found = env.step(timestep, action)
        return found.observation, found, found.reward

    return scanned(count, begun, step, 7)


def works() -> Iterator[Work]:
    """Yield what can be measured with what is installed."""
    door = ours("griddsl/DoorKey-v0", size=8)
    if find_spec("xminigrid"):
        yield Work("DoorKey-8x8", door, "XLand-MiniGrid", xland)
    if find_spec("navix"):
        yield Work("DoorKey-8x8", door, "NAVIX", navix)
    if find_spec("gymnax"):
        yield Work("FrozenLake", ours("griddsl/FrozenLake-v0"), "Gymnax", gymnax("FrozenLake-misc"))
        yield Work("FourRooms", ours("griddsl/FourRooms-v0"), "Gymnax", gymnax("FourRooms-misc"))
        for name in ("Breakout", "Freeway", "SpaceInvaders", "Asterix"):
            spec = ours(f"griddsl/MinAtar-{name}-v1")
            yield Work(f"MinAtar {name}", spec, "Gymnax", gymnax(f"{name}-MinAtar"))


TABLE = [
    "| work | games | a step | compiles | a state | against | its step | compiles | a state | ratio (middle half) |",
    "|---|---|---|---|---|---|---|---|---|---|",
]


def line(work: Work, count: int, given: Any, clock: Callable[[], float]) -> str:
    """Measure, and return a line of the table."""
    mine, theirs = work.ours(count), work.theirs(count)
    our, their, (low, median, high) = compared(mine.run, theirs.run, given.repeats, given.seconds, clock)
    first = f"| {work.name} | {count:,} | {short(our)} | {mine.compiling:.1f} s | {mine.size} B "
    other = f"| {work.peer} | {short(their)} | {theirs.compiling:.1f} s | {theirs.size} B "
    return f"{first}{other}| **{median:.2f}x** ({low:.2f} to {high:.2f}) |"


def native(given: Any) -> None:
    """Measure our batch without JAX beside the others' DoorKey, and write."""
    from griddsl.envs.batch.vector_env import GridVectorEnv
    from griddsl.registration.ids import spec_path

    lines = []
    for name, peer in (("xminigrid", xland), ("navix", navix)):
        if find_spec(name):
            theirs = peer(BATCH)
            ours = batch(lambda: GridVectorEnv(spec_path("DoorKey"), BATCH))
            found = compared(ours, theirs.run, given.repeats, given.seconds)
            against = f"{name} in `lax.scan` (compiles {theirs.compiling:.0f} s)"
            lines.append(row(f"DoorKey-8x8, batch of {BATCH:,}", against, found))
            print(lines[-1], flush=True)
    if given.write:
        write("jax", [*HEAD, *lines, "", f"{versions('jax', 'xminigrid', 'navix')}; time of the processor."])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="of one timed run")
    parser.add_argument("--batches", default=str(BATCH), help="how many games at once, with commas")
    parser.add_argument("--platform", choices=["cpu", "gpu"], default="cpu")
    parser.add_argument("--only", default="", help="works whose name has this in it")
    parser.add_argument("--native", action="store_true", help="our batch without JAX")
    parser.add_argument("--write", action="store_true", help="into docs/performance.md")
    given = parser.parse_args()
    os.environ["JAX_PLATFORMS"] = {"cpu": "cpu", "gpu": "cuda,rocm"}[given.platform]
    if given.native:
        native(given)
        return
    clock = time.process_time if given.platform == "cpu" else time.perf_counter
    print("\n".join(TABLE), flush=True)
    lines = []
    for work in works():
        for count in map(int, given.batches.split(",")):
            if given.only.lower() in f"{work.name} {work.peer}".lower():
                lines.append(line(work, count, given, clock))
                print(lines[-1], flush=True)
    used = f"{versions('jax', 'gymnax', 'xminigrid', 'navix')}; {given.platform}."
    print(f"\n{used}")
    if given.write:
        write("jax in scan", [*TABLE, *lines, "", used])


if __name__ == "__main__":
    main()
