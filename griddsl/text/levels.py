"""Levels of known difficulty: the seeds of a spec, by the least number of steps to success."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from griddsl.compiler import AnySpec, compiled
from griddsl.diagnostics import Refused, with_keywords
from griddsl.envs.single.grid_env import GridEnv
from griddsl.exact.shortest import searcher
from griddsl.loading import resolve
from griddsl.refused import whole_number

MOST_TRIED = 10_000


@dataclass(frozen=True)
class Level:
    """A seed, and the least number of steps to success from the start that it draws; -1 where none leads there."""

    seed: int
    optimal_length: int


def levels_of(source: AnySpec, seeds: Any, **params: Any) -> Iterator[Level]:
    """Yield the levels of seeds, measured by a breadth-first search; raises `ExactError` beyond 200,000 states."""
    env = GridEnv(compiled(resolve(source), **params), backend="python")
    shortest = searcher(env.program)
    for seed in seeds:
        env.reset(seed=int(seed))
        layout = env.program.layout
        yield Level(int(seed), shortest(env._s[: layout.size], env._f[: layout.reals]))


@with_keywords
def levels_between(
    source: AnySpec,
    least: int,
    most: int,
    number: int,
    *,
    first_seed: int = 0,
    **params: Any,
) -> list[Level]:
    """Return so many levels whose ``optimal_length`` lies between two ends, both included, from a seed on.

    Raises `ValueError` where 10,000 seeds hold too few of them. Other seeds hold other levels: ``first_seed`` of a
    million for what is held out.
    """
    least, most = (
        whole_number("a length", each, -1) for each in (least, most)
    )  # -1 where no way leads to success
    number = whole_number("the number of levels", number, 0)
    first_seed = whole_number("the first seed", first_seed, 0)
    if least > most:
        raise Refused(f"no length lies between {least} and {most}")
    seeds = range(first_seed, first_seed + MOST_TRIED)
    fitting = (level for level in levels_of(source, seeds, **params) if least <= level.optimal_length <= most)
    found = list(islice(fitting, number))
    if len(found) < number:
        raise Refused(
            f"{MOST_TRIED:,} seeds hold {len(found)} levels of {least} to {most} steps, and {number} are asked for"
        )
    return found
