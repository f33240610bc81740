"""How the benchmarks time: two runs in turns in one process, and the ratios of the same turns."""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import gymnasium as gym

from griddsl.cli.learning.bench import batch_run, sampled, single_run

Run = tuple[Callable[[], Any], int]
PAGE = Path(__file__).parent.parent / "docs" / "performance.md"


def timed(run: Run, seconds: float, clock: Callable[[], float]) -> float:
    """Return the nanoseconds of one environment step."""
    call, steps = run
    loops, start = 0, clock()
    while True:
        call()
        loops += 1
        spent = clock() - start
        if spent > seconds:
            return spent / (loops * steps) * 1e9


def compared(
    ours: Run, peer: Run, repeats: int, seconds: float, clock: Callable[[], float] = time.process_time
) -> tuple[float, float, list[float]]:
    """Return the medians of both, and the quartiles of the ratios of equal turns.

    By default the processor's time counts, of all threads, so that what else the machine does matters less.
    """
    ours[0]()
    peer[0]()
    pairs = [(timed(ours, seconds, clock), timed(peer, seconds, clock)) for _ in range(repeats)]
    ratios = [theirs / our for our, theirs in pairs]
    return (
        statistics.median(our for our, _ in pairs),
        statistics.median(theirs for _, theirs in pairs),
        statistics.quantiles(ratios, n=4, method="inclusive") if repeats > 1 else ratios * 3,
    )


def single(make: Callable[[], Any], count: int = 2000) -> Run:
    """Return a run of one environment."""
    env = make()
    return single_run(env, sampled(env.action_space, count))


def batch(make: Callable[[], Any], rows: int = 32) -> Run:
    """Return a run of a batch."""
    envs = make()
    return batch_run(envs, sampled(envs.action_space, rows))


def peers(peer_id: str, count: int, mode: str = "sync") -> Callable[[], Any]:
    """Return a maker of Gymnasium's own batch."""
    return lambda: gym.make_vec(peer_id, num_envs=count, vectorization_mode=mode)


def short(nanoseconds: float) -> str:
    """Return a time with a fitting unit."""
    if nanoseconds >= 1e6:
        return f"{nanoseconds / 1e6:,.2f} ms"
    return f"{nanoseconds / 1000:,.2f} us" if nanoseconds >= 1000 else f"{nanoseconds:.1f} ns"


def row(work: str, against: str, found: tuple[float, float, list[float]]) -> str:
    """Return a comparison as a line of a table."""
    our, theirs, (low, median, high) = found
    digits = 0 if median >= 100 else 1 if median >= 10 else 2
    spread = f"{low:,.{digits}f} to {high:,.{digits}f}"
    return f"| {work} | {short(our)} | {against} | {short(theirs)} | **{median:,.{digits}f}x** ({spread}) |"


HEAD = ["| work | time | against | its time | ratio (middle half) |", "|---|---|---|---|---|"]


def versions(*names: str) -> str:
    """Return what was measured with."""
    found = [f"Python {platform.python_version()}"]
    for name in ("griddsl", "gymnasium", "numpy", "numba", *names):
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)


def write(section: str, lines: list[str]) -> None:
    """Put lines into a section of the page on performance, which lies between two comments."""
    start, end = f"<!-- {section} -->", f"<!-- end {section} -->"
    page = PAGE.read_text(encoding="utf-8")
    before, found, rest = page.partition(start)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"{PAGE.name} has no section {section!r}")
    PAGE.write_text("\n".join([before + start, "", *lines, "", end + after]), encoding="utf-8")
