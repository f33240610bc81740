"""Measure how long JAX takes to compile a step of each bundled spec, with the reset that follows an episode.

A batch of 64 games is compiled, `step` under `jax.vmap`, in a process for each spec, in seconds of the processor: first
to trace and lower it, which JAX does on one core, then to compile it, which XLA does on all there are. Run it with
`python benchmarks/jax_compile.py [NAME ...]`; what takes longer than `--limit` is broken off.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from typing import Any

BATCH = 64


def measure(source: str) -> None:
    """Compile one spec and print a line of the table."""
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax
    import numpy as np

    import griddsl.jax
    from griddsl.compiler import compiled
    from griddsl.loading import resolve

    program = compiled(resolve(source)).program
    env: Any = (griddsl.jax.make if len(program.players) == 1 else griddsl.jax.make_parallel)(source)
    actions = jax.tree.map(
        lambda space: np.zeros((BATCH, *space.shape), space.dtype),
        env.action_space()
        if len(program.players) == 1
        else {name: env.action_space(name) for name in env.agents},
    )
    keys = jax.random.split(jax.random.PRNGKey(0), BATCH)
    _, states = jax.eval_shape(jax.vmap(env.reset), keys)
    step = jax.jit(lambda states, actions: jax.vmap(env.step, in_axes=(None, 0, 0))(None, states, actions))
    start = time.process_time()
    lowered = step.lower(states, actions)
    middle = time.process_time()
    lowered.compile()
    end = time.process_time()
    print(f"| {program.id} | {middle - start:.1f} s | {end - middle:.1f} s |", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="specs by their files' names; without any, all")
    parser.add_argument("--limit", type=int, default=300, help="seconds of the processor for one spec")
    parser.add_argument("--only", default="", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.only:
        resource.setrlimit(resource.RLIMIT_CPU, (given.limit, given.limit))
        measure(given.only)
        return
    from griddsl.registration.ids import bundled_folder

    known = {path.stem for path in bundled_folder().glob("*.grid")}
    if unknown := sorted(set(given.names) - known):
        parser.error(f"no bundled spec is called {', '.join(unknown)}")
    print("| spec | to lower | to compile |\n|---|---|---|", flush=True)
    for path in sorted(bundled_folder().glob("*.grid")):
        if given.names and path.stem not in given.names:
            continue
        done = subprocess.run(
            [sys.executable, __file__, "--only", str(path), "--limit", str(given.limit)], check=False
        )
        if done.returncode:
            print(f"| {path.stem} | | more than {given.limit} s |", flush=True)


if __name__ == "__main__":
    main()
