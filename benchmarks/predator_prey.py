"""PredatorPrey with two predators: POSGGym's own joint steps beside ours, in turns in one process.

Random actions are drawn beforehand, resets included; processor time, so that a busy machine matters less.
Run with POSGGym 0.6 installed: ``python benchmarks/predator_prey.py``.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from predators_by_hand import by_hand

import griddsl

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
from tests.conformance.joint import import_posggym  # noqa: E402

SPEC = ROOT / "specs" / "predator_prey.grid"
ROUNDS, STEPS, GAMES = 9, 3_000, 1_024
NAMES = ("predator_0", "predator_1")


def theirs(actions: list[list[int]]) -> Callable[[], int]:
    """Return a run of POSGGym's environment, without its wrappers."""
    env: Any = import_posggym().make("PredatorPrey-v0", grid="10x10", num_predators=2, num_prey=3).unwrapped
    joints = [{"0": first, "1": second} for first, second in actions]

    def run() -> int:
        env.reset(seed=0)
        for number, joint in enumerate(joints, 1):
            *_, all_done, _ = env.step(joint)
            if all_done or number % 50 == 0:
                env.reset()
        return len(joints)

    return run


def ours(actions: list[list[int]]) -> Callable[[], int]:
    """Return a run of ours through PettingZoo's parallel interface."""
    env = griddsl.make_parallel(SPEC)
    joints = [dict(zip(NAMES, joint, strict=True)) for joint in actions]

    def run() -> int:
        env.reset(seed=0)
        for joint in joints:
            env.step(joint)
            if not env.agents:
                env.reset()
        return len(joints)

    return run


def batch() -> Callable[[], int]:
    """Return a run of many of our games at once, which start anew by themselves."""
    env = griddsl.make_parallel_vec(SPEC, GAMES)
    joints = np.random.default_rng(0).integers(0, 5, (102, GAMES, 2))
    env.reset(seed=0)

    def run() -> int:
        for joint in joints:
            env.step(joint)
        return len(joints) * GAMES

    return run


def measure() -> dict[str, list[float]]:
    """Return the seconds of a joint step, turn by turn."""
    actions = np.random.default_rng(0).integers(0, 5, (STEPS, 2)).tolist()
    runs = {"posggym": theirs(actions), "make_parallel": ours(actions), f"batch of {GAMES:,}": batch()}
    runs["by hand"] = by_hand(GAMES, np.random.default_rng(0).integers(0, 5, (102, GAMES, 2)))
    times: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(ROUNDS + 1):
        for name, run in runs.items():
            start = time.process_time()
            count = run()
            if turn:  # The first warms up.
                times[name].append((time.process_time() - start) / count)
    return times


if __name__ == "__main__":
    found = measure()
    peer = found["posggym"]
    for name, seconds in found.items():
        ratio = statistics.median(theirs / our for theirs, our in zip(peer, seconds, strict=True))
        print(f"{name:16} {statistics.median(seconds) * 1e6:8.2f} us a joint step   ratio {ratio:6.1f}")
