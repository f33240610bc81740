"""Measure how long the first environment of a process takes: with nothing compiled yet, and from the cache.

`python benchmarks/start.py` starts processes of its own, prints a table, and writes it into `docs/performance.md`.
The clock is the processor's time from the first `make` to the end of the first step; imports of griddsl, Gymnasium
and numpy come before.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile

from timing import versions, write

CODE = """
import time, numpy as np, gymnasium as gym, griddsl
start = time.process_time()
env = {make}
env.reset(seed=0)
env.step(env.action_space.sample())
print(time.process_time() - start)
"""
SINGLE = 'gym.make("griddsl/{name}-v0", backend="{backend}")'
BATCH = 'gym.make_vec("griddsl/{name}-v0", num_envs=64, backend="{backend}")'
NUMBA = """
import time, numpy as np
start = time.process_time()
import numba, griddsl.backends.native.kernels
{then}
print(time.process_time() - start)
"""


def seconds(code: str, cache: str) -> float:
    """Return what a process of its own prints."""
    given = {**os.environ, "GRIDDSL_CACHE": cache}
    given.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run([sys.executable, "-c", code], env=given, capture_output=True, text=True, check=True)
    return float(done.stdout)


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    lines = ["| first environment of a process | nothing compiled | from the cache |", "|---|---|---|"]
    works = [
        (f"{name}, {what}, {backend}", form.format(name=name, backend=backend))
        for name, backends in (("DoorKey", ("native", "python")), ("CliffWalking", ("native", "table")))
        for backend in backends
        for what, form in (("one environment", SINGLE), ("a batch", BATCH))
    ]
    for title, make in works:
        with tempfile.TemporaryDirectory() as cache:
            code = CODE.format(make=make)
            cold = seconds(code, cache)
            warm = statistics.median(seconds(code, cache) for _ in range(given.repeats))
        lines.append(f"| {title} | {cold:.2f} s | {warm:.2f} s |")
        print(lines[-1], flush=True)
    for title, then in (
        ("`import numba`", ""),
        ("`import numba, scipy.linalg`, which numba loads", "import scipy.linalg"),
    ):
        found = [seconds(NUMBA.format(then=then), "") for _ in range(given.repeats)]
        lines.append(f"| {title} | | {statistics.median(found):.2f} s |")
        print(lines[-1], flush=True)
    write("start", [*lines, "", f"{versions('scipy')}; seconds of the processor, medians."])


if __name__ == "__main__":
    main()
