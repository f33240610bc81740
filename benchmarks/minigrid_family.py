"""MiniGrid's environments beside ours: how fast each steps, alone and in a batch of 1,024, and how long each is.

Run with minigrid installed: ``python benchmarks/minigrid_family.py`` measures one id of each spec, in turns in one
process, random actions, resets included; ``--write`` puts the table into docs/performance.md, ``--only`` takes some.
``--babyai`` measures an id of each spec that restates BabyAI, and all whose missions join several tasks.
"""

from __future__ import annotations

import argparse
import inspect
import re
import warnings
from typing import Any

import gymnasium as gym
import minigrid  # noqa: F401  # registers its ids
from minatar_games import lines_of_code, lines_of_spec, shown, step_time
from timing import PAGE, batch, single, write

from griddsl.registration.ids import spec_path

IDS = (
    "BlockedUnlockPickup-v0",
    "DistShift1-v0",
    "DoorKey-8x8-v0",
    "Dynamic-Obstacles-8x8-v0",
    "Empty-8x8-v0",
    "Fetch-8x8-N3-v0",
    "FourRooms-v0",
    "GoToDoor-8x8-v0",
    "GoToObject-8x8-N2-v0",
    "KeyCorridorS3R3-v0",
    "LavaCrossingS9N2-v0",
    "LavaGapS7-v0",
    "LockedRoom-v0",
    "MemoryS13-v0",
    "MultiRoom-N6-v0",
    "ObstructedMaze-1Dlhb-v0",
    "ObstructedMaze-Full-v1",
    "Playground-v0",
    "PutNear-8x8-N3-v0",
    "RedBlueDoors-8x8-v0",
    "SimpleCrossingS9N2-v0",
    "Unlock-v0",
    "UnlockPickup-v0",
)
BABYAI = (
    "ActionObjDoor-v0",
    "FindObjS5-v0",
    "GoToLocal-v0",
    "GoTo-v0",
    "GoToRedBall-v0",
    "GoToDoor-v0",
    "OneRoomS8-v0",
    "Open-v0",
    "OpenTwoDoors-v0",
    "OpenRedDoor-v0",
    "PickupDist-v0",
    "PickupLoc-v0",
    "Pickup-v0",
    "PutNextLocal-v0",
    "PutNextS7N4-v0",
    "Unlock-v0",
    "UnlockLocal-v0",
    "UnlockToUnlock-v0",
    "GoToSeq-v0",
    "GoToSeqS5R2-v0",
    "Synth-v0",
    "SynthS5R2-v0",
    "SynthLoc-v0",
    "SynthSeq-v0",
    "MiniBossLevel-v0",
    "BossLevel-v0",
    "BossLevelNoUnlock-v0",
)
HEAD = "| id | `gym.make`, Python | the original's |{} lines of the spec | of the original's code |"


def row(suite: str, name: str, repeats: int, seconds: float, with_batch: bool) -> str:
    """Measure an id; return its row. Lines of variants are not counted, nor is what several environments share."""
    original, ours = f"{suite}-{name}", f"griddsl/{suite}-{name}"
    theirs = single(lambda: gym.make(original, disable_env_checker=True))
    mine, peer, ratio = step_time(single(lambda: gym.make(ours, backend="python")), theirs, repeats, seconds)
    many = ""
    if with_batch:
        ns, _, times = step_time(batch(lambda: gym.make_vec(ours, num_envs=1024)), theirs, repeats, seconds)
        many = f" {shown(ns)}, {times:.3g}x |"
    maker: Any = gym.make(original, disable_env_checker=True).unwrapped
    code = lines_of_code(inspect.getsource(inspect.getmodule(type(maker))))  # type: ignore[arg-type]
    path = spec_path(ours)
    assert path is not None
    text = re.sub(r"^variant .*\n(?:    .*\n)*", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return f"| {name} | {shown(mine)}, {ratio:.3g}x | {shown(peer)} |{many} {lines_of_spec(text)} | {code} |"


def main() -> None:
    """Measure all, and print or write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--only", nargs="*", help="ids without `MiniGrid-` or `BabyAI-`")
    parser.add_argument("--babyai", action="store_true", help="BabyAI's ids")
    parser.add_argument("--no-batch", action="store_true", help="leave batches out")
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.name}")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    head = HEAD.format("" if given.no_batch else " batch of 1,024 |")
    lines = [head, re.sub(r"[^|]+", "---", head)]
    suite, ids = ("BabyAI", BABYAI) if given.babyai else ("MiniGrid", IDS)
    names = given.only or ids
    row(suite, names[0], 1, given.seconds, not given.no_batch)  # what comes first in a process is slower
    for name in names:
        lines.append(row(suite, name, given.repeats, given.seconds, not given.no_batch))
        print(lines[-1], flush=True)
    if given.write:
        write("babyai" if given.babyai else "minigrid", lines)


if __name__ == "__main__":
    main()
