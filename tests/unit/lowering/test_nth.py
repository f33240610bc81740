"""Lists: `nth(i, A, B, C)` is A where i is 0, the first where it is below that, and the last where it is beyond."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import griddsl
from griddsl.compiler import compiled

LISTS = """
env: test/Lists-v0
param size: 1 in 0..9
var n: -3 in -3..9
var said: cold in cold | warm | hot
map:
    @...
actions: wait
each step: n = n + 1
each step: said becomes nth(n, cold, warm, hot)
each step: reward {item}
observe: index(said, agent.x)
limit: nth(size, 3, 12, 20) steps
"""


def _rewards(item: str, steps: int = 8) -> list[float]:
    env: Any = griddsl.make(LISTS.format(item=item), backend="python")
    env.reset(seed=0)
    return [env.step(0)[1] for _ in range(steps)]


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("nth(n, 3, 5, 9)", [3, 3, 3, 5, 9, 9, 9, 9]),  # n goes from -2 to 5
        ("nth(n, 3, 1/2, n)", [3, 3, 3, 0.5, 2, 3, 4, 5]),
        ("nth(n / 2, 3, 5, 9)", [3, 3, 3, 3, 5, 5, 9, 9]),
        ("nth(size, 3, 5, 9)", [5] * 8),
        ("nth(n, 1/3, 1/3) * 3", [1] * 8),
        ("1 if nth(n, false, n == 1, true) else 0", [0, 0, 0, 1, 1, 1, 1, 1]),
        ("nth(nth(n, 2, 0, 1), 7, 8, 9)", [9, 9, 9, 7, 8, 8, 8, 8]),
        ("distance(agent, nth(n, (0, 0), (1, 0), (3, 0)))", [0, 0, 0, 1, 3, 3, 3, 3]),
    ],
)
def test_nth__is_the_item_of_a_number(item: str, expected: list[float]) -> None:
    """Whole numbers are looked up in a table, others are decided; below the first is the first, beyond the last the last."""
    assert _rewards(item) == pytest.approx(expected)


def test_nth__of_known_whole_numbers_is_a_table() -> None:
    """A list of constants costs one look-up, however long it is."""
    program = compiled(LISTS.format(item=f"nth(n, {', '.join(map(str, range(100)))})")).program
    assert any(len(table.values) == 100 for table in program.tables)


def test_nth__gives_words_and_sizes() -> None:
    """A variable becomes one of a list of words, and constants look up the limit."""
    env: Any = griddsl.make(LISTS.format(item="0"), backend="python")
    env.reset(seed=0)
    seen, done = [], False
    while not done:
        observation, _, _, done, _ = env.step(0)
        seen.append(int(observation) // 4)
    assert seen == [0, 0, 0, 1, *[2] * 8]


@pytest.mark.parametrize(
    ("item", "code"),
    [
        ("nth(n, 3)", "wrong-arguments"),
        ("nth(n)", "wrong-arguments"),
        ("nth(n, 3, cold)", "unknown-name"),
        ("nth(agent, 3, 4)", "type"),
    ],
)
def test_nth__says_what_it_takes(item: str, code: str) -> None:
    """A number, and two items or more, all of one type."""
    assert code in {found.code for found in griddsl.check(LISTS.format(item=item))}


def test_nth__of_a_batch_is_that_of_one() -> None:
    """Tables are shared by all games of a batch."""
    text = LISTS.format(item="nth(n, 3, 5, 9)")
    batch: Any = griddsl.make_vec(text, num_envs=3, backend="python")
    batch.reset(seed=0)
    rewards = [batch.step(np.zeros(3, dtype=np.int64))[1].tolist() for _ in range(6)]
    assert rewards == [[each] * 3 for each in (3, 3, 3, 5, 9, 9)]
