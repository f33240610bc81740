"""``python -m tests.fuzz.specs --minutes 60 --seed 1 [--native] [--jax]``: makes random specs and plays them, by the hour.

Each new kind of fault is shrunk, shown and written to a folder; exits with 1 where there was one. ``--case FILE``
plays one file again.
"""

from __future__ import annotations

import argparse
import itertools
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.fuzz.specs.fuzzing import CHECKS, Check, Fault, fuzz, tried
from tests.fuzz.specs.on_jax import check_jax
from tests.fuzz.specs.shrinking import shrunk
from tests.fuzz.specs.traces import STEPS

FOUND = Path("found_specs")


def main() -> int:
    """Fuzz for the time that the command line gives."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0, help="where the seeds begin")
    parser.add_argument("--native", action="store_true", help="native code too: some seconds a spec")
    parser.add_argument("--jax", action="store_true", help="on JAX, and in no other way: some seconds a spec")
    parser.add_argument("--steps", type=int, default=STEPS, help="how long each environment is played")
    parser.add_argument("--out", type=Path, default=FOUND, help="the folder that failing specs go to")
    parser.add_argument("--case", type=Path, help="play this file and nothing else")
    arguments = parser.parse_args()
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    checks: Sequence[Check] = (check_jax,) if arguments.jax else CHECKS
    if arguments.case is not None:
        return _replayed(arguments.case, arguments.native, arguments.steps, checks)
    seeds = itertools.count(arguments.seed * 1_000_000)
    show = _shown(arguments.out, arguments.native, arguments.steps)
    result = fuzz(seeds, arguments.minutes * 60, arguments.native, show, arguments.steps, checks)
    share = result.accepted / max(1, result.made)
    print(
        f"{result.made} specs, {result.accepted} accepted ({share:.0%}), {result.steps:,} steps of environments compared,"
        f" {len(result.faults)} kinds of fault"
    )
    return 1 if result.faults else 0


def _replayed(path: Path, native: bool, steps: int, checks: Sequence[Check]) -> int:
    text = path.read_text(encoding="utf-8")
    seed = re.search(r"^# .*, seed (\d+)$", text, re.MULTILINE)  # as it was written when the fault was found
    trial = tried(text, int(seed[1]) if seed else 0, native, checks, steps)
    if not trial.accepted:
        print("refused")
    elif trial.fault is not None:
        print(f"=== {trial.fault.signature}\n{trial.fault.trace}")
    return 1 if trial.fault is not None else 0


def _shown(folder: Path, native: bool, steps: int) -> Callable[[Fault, int], None]:
    def show(fault: Fault, seed: int) -> None:
        checks = [check for check in (*CHECKS, check_jax) if check.__name__ == fault.check]

        def fails(text: str) -> bool:
            found = tried(text, seed, native, checks, steps).fault
            return found is not None and found.signature == fault.signature

        small = shrunk(fault.text, fails)
        folder.mkdir(parents=True, exist_ok=True)
        name = "".join(sign if sign.isalnum() else "_" for sign in fault.signature)[:60].strip("_")
        (folder / f"{name}_{seed}.grid").write_text(
            f"# {fault.signature}, seed {seed}\n{small}", encoding="utf-8"
        )
        print(f"=== {fault.signature} (seed {seed})\n{small}\n--- trace\n{fault.trace}", flush=True)

    return show


if __name__ == "__main__":
    found = main()
    # A check that ran out of time may have left XLA compiling in a thread of its own, which an interpreter that ends
    # takes its devices from: nothing is cleared away, the process just ends.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(found)
