"""Measure how the cost of a step grows with the batch, the map, the objects and the view; draw it.

`python benchmarks/growth.py` prints the curves, writes them into `docs/performance.md`, and draws
`docs/images/growth.svg` (with matplotlib).
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import gymnasium as gym
import numpy as np
from timing import short, timed, versions, write

from griddsl.cli.learning.bench import batch_run
from griddsl.envs.batch.vector_env import GridVectorEnv
from griddsl.registration.ids import spec_path

PICTURE = Path(__file__).parent.parent / "docs" / "images" / "growth.svg"

OPEN_WORLD = """
env: bench/Open-v0
    "A walk in a walled room, with boxes to push and a view around the agent."
{declared}generate: room({size}, {size})
setup:
    place agent at random free
{boxes}
actions: up, right, down, left
observe: {observe}
each step: reward -1
"""
VIEW = "image = view {view}x{view}"

Curve = tuple[str, str, list[tuple[int, Callable[[], GridVectorEnv]]]]


def world(size: int = 16, boxes: int = 0, view: int = 0) -> str:
    """Return the text of a world."""
    placed = f"    place {boxes} box at random free" if boxes else ""
    declared = "object box: pushable\n" if boxes else ""
    observe = VIEW.format(view=view) if view else "position of agent"
    return OPEN_WORLD.format(size=size, boxes=placed, declared=declared, observe=observe)


def curves() -> Iterator[Curve]:
    """Yield each curve: its title, what its points are numbers of, and the points."""
    sizes = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536]
    for name in ("CliffWalking", "DoorKey"):
        path = spec_path(name)
        yield (
            f"{name}, by batch size",
            "environments",
            [(size, partial(GridVectorEnv, path, size)) for size in sizes],
        )
    yield (
        "a walk, by width of the map",
        "cells wide",
        [(size, partial(native, world(size))) for size in (8, 16, 32, 64, 128, 256, 512)],
    )
    yield (
        "a walk among boxes, by their number",
        "objects",
        [(boxes, partial(native, world(32, boxes))) for boxes in (1, 10, 50, 100, 200)],
    )
    yield (
        "a view, by its width",
        "cells wide",
        [(view, partial(native, world(32, 0, view))) for view in (3, 5, 7, 9, 11, 13, 15)],
    )


def native(text: str) -> GridVectorEnv:
    """Return a batch of 256 on the native backend."""
    return GridVectorEnv(text, 256, backend="native")


def measured(make: Callable[[], GridVectorEnv], repeats: int, seconds: float) -> float:
    """Return the nanoseconds of an environment step."""
    envs = make()
    rng = np.random.default_rng(0)
    space = envs.single_action_space
    assert isinstance(space, gym.spaces.Discrete)
    actions = rng.integers(0, space.n, (8, envs.num_envs))
    run = batch_run(envs, list(actions))
    run[0]()
    return statistics.median(timed(run, seconds, time.process_time) for _ in range(repeats))


def main() -> None:
    """Measure, print, write and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.1, help="of one timed run")
    given = parser.parse_args()
    lines = ["| curve | time of an environment step |", "|---|---|"]
    drawn: list[tuple[str, str, list[tuple[int, float]]]] = []
    for title, unit, points in curves():
        found = [(number, measured(make, given.repeats, given.seconds)) for number, make in points]
        drawn.append((title, unit, found))
        lines.append(f"| {title} | {', '.join(f'{number:,}: {short(cost)}' for number, cost in found)} |")
        print(lines[-1], flush=True)
    draw(drawn)
    write("growth", [*lines, "", f"{versions()}; medians of {given.repeats} runs, one thread."])


def draw(curves: list[tuple[str, str, list[tuple[int, float]]]]) -> None:
    """Draw the curves, logarithmic in both directions."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "griddsl"
    from matplotlib import pyplot

    figure, panes = pyplot.subplots(1, len(curves), figsize=(3.2 * len(curves), 3), constrained_layout=True)
    for pane, (title, unit, points) in zip(panes, curves, strict=True):
        pane.loglog(
            [x for x, _ in points], [y for _, y in points], marker="o", color="#2a6f97", linewidth=1.5
        )
        pane.set_title(title, fontsize=9)
        pane.set_xlabel(unit, fontsize=8)
        pane.set_ylabel("ns a step", fontsize=8)
        pane.grid(True, which="major", alpha=0.3)
        pane.tick_params(labelsize=7)
    figure.savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    main()
