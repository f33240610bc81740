"""Draws of whole numbers: rejected words are drawn again, by games of a batch each for itself."""

from __future__ import annotations

import numpy as np
import pytest

from griddsl.program.stream import GAMMA, MASK, hashed

jax = pytest.importorskip("jax")

GAMES = 20_000


def in_words(counter: int, n: int) -> tuple[int, int, int]:
    """Return a number below ``n``, the counter after it, and how many words that took (Lemire 2019)."""
    words = 0
    while True:
        counter, words = (counter + GAMMA) & MASK, words + 1
        product = (hashed(counter) >> 32) * n
        if (product & 0xFFFFFFFF) >= (2**32 - n) % n:
            return product >> 32, counter, words


@pytest.mark.parametrize("many", [False, True], ids=["processor", "many cores"])
@pytest.mark.parametrize("known", [True, False], ids=["known", "found"])
@pytest.mark.parametrize(
    ("n", "most"), [(6, 6), (1_000_003, 1_000_003), (2**31 + 1, 2**20), (2**31 + 1, 2**32)]
)
def test_draw__takes_the_words_of_the_stream(
    n: int, most: int, known: bool, many: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numbers and counters are those of one draw after the other: with few tries as long as these suffice.

    The third is said to be smaller than it is: half of all words are rejected, so that all tries are needed.
    """
    from griddsl.backends.jax.stream import MOST_TRIES, draw

    monkeypatch.setattr("griddsl.backends.jax.stream.has_many_cores", lambda: many)
    counters = [hashed(number) for number in range(GAMES)]
    wanted = [in_words(counter, n) for counter in counters]
    with jax.enable_x64(True):
        found = jax.jit(jax.vmap(lambda counter, n: draw(counter, n, True, most), in_axes=(0, None)))
        if known:
            found = jax.jit(jax.vmap(lambda counter, _: draw(counter, n), in_axes=(0, None)))
        numbers, after = map(np.asarray, found(np.array(counters, np.uint64), np.int64(n)))
    counted = [place for place, (*_, words) in enumerate(wanted) if words <= MOST_TRIES]
    assert len(counted) > GAMES * 0.98
    assert max(words for *_, words in wanted) > 1 or n == 6
    assert numbers[counted].tolist() == [wanted[place][0] for place in counted]
    assert after[counted].tolist() == [wanted[place][1] for place in counted]
