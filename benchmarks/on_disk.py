"""Measure what it takes to enumerate and to solve a process on disk: seconds, memory, and bytes on the disk.

`python benchmarks/on_disk.py --boxes 3 --width 7 --height 5` takes a Sokoban of 10^6 states; four boxes on 5 x 6 cells
have 3.4 million, three on 6 x 10 have 11.7 million. `--engine ray` takes Ray Data, and `--in-memory` compares with the
answer in memory.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path

import griddsl
from griddsl.exact.disk import enumerate_on_disk

DISCOUNT = 0.99
SPEC = """
env: bench/Store-v0
    "A store whose boxes go to their places; every box can be anywhere."
generate: empty({width}, {height})
setup:
    place agent at (0, 0)
{boxes}
tile spot:
object box: pushable
actions: up, right, down, left
observe: cell
when all box on spot: reward 1, end success
limit: 200 steps
"""


def store(boxes: int, width: int, height: int) -> str:
    """Return the spec of a store with so many boxes and spots, side by side."""
    lines = [
        f"    place box at ({1 + k}, 1)\n    place spot at ({1 + k}, {height - 2})" for k in range(boxes)
    ]
    return SPEC.format(width=width, height=height, boxes="\n".join(lines))


def main() -> None:
    """Measure one process, and print it."""
    options = _options()
    text = store(options.boxes, options.width, options.height)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        started, beside = time.perf_counter(), time.process_time()
        process = enumerate_on_disk(text, folder, engine=options.engine, memory=options.memory)
        seconds, spent = time.perf_counter() - started, time.process_time() - beside
        print(f"{process.n_states:,} states, {process.n_transitions:,} transitions, {process.levels} levels")
        print(f"enumerated in {seconds:.0f} s, {spent:.0f} s of processor time")
        print(
            f"on disk {sum(path.stat().st_size for path in Path(folder).rglob('*') if path.is_file()) / 1e9:.2f} GB"
        )
        started, beside = time.perf_counter(), time.process_time()
        solution = process.solve(discount=DISCOUNT)
        seconds, spent = time.perf_counter() - started, time.process_time() - beside
        print(
            f"optimal value {solution.optimal_return:.12g}, {solution.sweeps} sweeps in {seconds:.0f} s, {spent:.0f} s"
        )
        print(f"memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")
    if options.in_memory:
        mdp = griddsl.to_mdp(text, max_states=process.n_states)
        best = mdp.solve(discount=DISCOUNT).optimal_return
        assert mdp.n_states == process.n_states and mdp.n_transitions == process.n_transitions
        print(f"in memory {best:.12g}: differs by {abs(best - solution.optimal_return):.1e}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--boxes", type=int, default=3)
    parser.add_argument("--width", type=int, default=7)
    parser.add_argument("--height", type=int, default=5)
    parser.add_argument("--engine", default="duckdb")
    parser.add_argument("--memory", default="2GB")
    parser.add_argument("--folder", default=None)
    parser.add_argument("--in-memory", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
