"""The stream makes its words ahead: whatever is read, put back or copied in between, it is the reference's stream."""

from __future__ import annotations

import pickle

from hypothesis import given
from hypothesis import strategies as st

from griddsl.program import runtime
from griddsl.program.stream import LARGEST_BLOCK, Stream
from tests.reference import randomness

COUNTERS = st.integers(0, 2**64 - 1)
SIZES = st.integers(1, 2**31)
DOINGS = st.one_of(
    st.tuples(st.just("draw"), SIZES),
    st.tuples(st.just("many"), st.integers(1, 3 * LARGEST_BLOCK)),
    st.tuples(st.just("put"), COUNTERS),
    st.tuples(st.sampled_from(["again", "copy", "pickle"]), st.just(0)),
)


@given(COUNTERS, st.lists(DOINGS, max_size=20))
def test_stream__is_the_reference_s(counter: int, doings: list[tuple[str, int]]) -> None:
    """Draws of any size, in small numbers and large, after its counter was put, and from copies."""
    ours, theirs = Stream(counter), randomness.Stream(counter)
    for what, number in doings:
        match what:
            case "draw":
                assert runtime.draw(ours, number) == theirs.below(number)
            case "many":
                assert [runtime.draw(ours, 3) for _ in range(number)] == [
                    theirs.below(3) for _ in range(number)
                ]
            case "put":
                ours[0] = theirs.state = number
            case "again":
                ours[0] = ours[0]
            case "copy":
                other = ours.copy()
                runtime.draw(ours, 7)
                ours = other
            case "pickle":
                ours = pickle.loads(pickle.dumps(ours))
        assert ours[0] == theirs.state


def test_draw__draws_again_where_the_product_is_low() -> None:
    """Of three quarters of 2**31 a quarter of the words is refused: as many are taken as the reference takes."""
    ours, theirs = Stream(1), randomness.Stream(1)
    size = 3 * 2**29
    assert [runtime.draw(ours, size) for _ in range(2000)] == [theirs.below(size) for _ in range(2000)]
    assert ours[0] == theirs.state
