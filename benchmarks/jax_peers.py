"""Measure our DoorKey-8x8 beside those on JAX, XLand-MiniGrid's and NAVIX's, inside `lax.scan` on the processor.

They want an environment of their own: `pip install jax xminigrid navix`, and griddsl with numba. Run it with
`python benchmarks/jax_peers.py`, on one core (`taskset -c 0`), because JAX takes all that there are.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np
from timing import HEAD, Run, batch, compared, row, versions, write

from griddsl.envs.batch.vector_env import GridVectorEnv
from griddsl.registration import spec_path

BATCH, ROLL = 1024, 64


def xland() -> Run:
    """Return a run of XLand-MiniGrid, with automatic resets."""
    import jax
    import xminigrid
    from xminigrid.wrappers import GymAutoResetWrapper

    env, params = xminigrid.make("MiniGrid-DoorKey-8x8")
    env = GymAutoResetWrapper(env)
    reset = jax.vmap(lambda key: env.reset(params, key))
    step = jax.vmap(lambda timestep, action: env.step(params, timestep, action))
    return scanned(reset, step, env.num_actions(params), lambda timestep: timestep.observation)


def navix() -> Run:
    """Return a run of NAVIX, which resets by itself."""
    import jax
    import navix

    env = navix.make("Navix-DoorKey-8x8-v0")
    return scanned(jax.vmap(env.reset), jax.vmap(env.step), 7, lambda timestep: timestep.observation)


def scanned(reset: Any, step: Any, actions: int, shown: Callable[[Any], Any]) -> Run:
    """Return a run of many steps of a batch in one compiled call, which returns what was observed last."""
    import jax

    rows = jax.numpy.asarray(np.random.default_rng(0).integers(0, actions, (ROLL, BATCH)))
    state = jax.jit(reset)(jax.random.split(jax.random.key(0), BATCH))

    @jax.jit
    def roll(state: Any, rows: Any) -> Any:
        def once(state: Any, row: Any) -> tuple[Any, Any]:
            following = step(state, row)
            return following, (shown(following).sum(), following.reward.sum())

        return jax.lax.scan(once, state, rows)

    kept = [state]

    def run() -> None:
        kept[0], seen = roll(kept[0], rows)
        jax.block_until_ready(seen)

    return run, ROLL * BATCH


def comparisons() -> Iterator[tuple[str, Callable[[], Run]]]:
    """Yield the peers that are installed."""
    if find_spec("xminigrid"):
        yield "XLand-MiniGrid in `lax.scan`", xland
    if find_spec("navix"):
        yield "NAVIX in `lax.scan`", navix


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="of one timed run")
    given = parser.parse_args()
    lines = []
    for against, peer in comparisons():
        start = time.perf_counter()
        theirs = peer()
        theirs[0]()
        first = time.perf_counter() - start
        ours = batch(lambda: GridVectorEnv(spec_path("DoorKey"), BATCH))
        found = compared(ours, theirs, given.repeats, given.seconds)
        lines.append(row(f"DoorKey-8x8, batch of {BATCH:,}", f"{against} (compiles {first:.0f} s)", found))
        print(lines[-1], flush=True)
    write("jax", [*HEAD, *lines, "", f"{versions('jax', 'xminigrid', 'navix')}; time of the processor."])


if __name__ == "__main__":
    main()
