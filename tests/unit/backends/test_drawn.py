"""What the table backend finds ahead is what the stream gives, word for word."""

from __future__ import annotations

import random

import numpy as np
import pytest

from griddsl.backends.table.drawn import Drawn, below
from griddsl.program.runtime import draw
from griddsl.program.stream import Stream

# Below such a size a word is drawn again in one of six cases, which small sizes do once in a thousand million.
LARGE = 2**31 - 2**30 // 3


@pytest.mark.parametrize("counter", [0, 7, 2**64 - 3])
def test_drawn__is_what_the_stream_gives(counter: int) -> None:
    """Sizes in any order, some of which draw again: the same numbers, and the same counter after each."""
    sizes = random.Random(counter)
    drawn, stream = Drawn(), Stream(counter)
    drawn.go_on_from(counter)
    for _ in range(3000):
        size = sizes.choice((2, 3, 3, 3, 10, 1000, LARGE))
        assert drawn.draw(size) == draw(stream, size)
        assert drawn.counter == stream[0]


def test_drawn__goes_on_from_anywhere() -> None:
    """Who goes back, or ahead, draws what stands there; who stays keeps what was found ahead."""
    drawn = Drawn()
    drawn.go_on_from(5)
    first = [drawn.draw(6) for _ in range(40)]
    kept = drawn.below[6]
    drawn.go_on_from(drawn.counter)
    assert drawn.below[6] is kept
    drawn.go_on_from(5)
    assert [drawn.draw(6) for _ in range(40)] == first


def test_below__leaves_open_what_is_drawn_again() -> None:
    """Where the lower half of the product is too low: word 0 below three, and about a sixth of words below a large size."""
    assert below(np.array([0, 1, 2**32 - 1], np.uint64), 3) == [None, 0, 2]
    words = np.random.default_rng(0).integers(0, 2**32, 10_000, dtype=np.uint64)
    again = sum(found is None for found in below(words, LARGE))
    assert again / len(words) == pytest.approx(((2**32 - LARGE) % LARGE) / 2**32, abs=0.02)
