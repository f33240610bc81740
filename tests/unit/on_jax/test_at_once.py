"""What JAX does at once: marks of planes, collections of several loops, and what nobody needs in between."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from griddsl.program import ir
from griddsl.program.passes.effects import Known

jax = pytest.importorskip("jax")

ROW = ir.Slot("ROW", 36, 0, 35, saved=False)
COUNT = ir.Local("n", "int", 0, 36)
SIX = ir.const(6)


def pair(*body: ir.Stmt) -> ir.For:
    """Return a loop over pairs of numbers that collects."""
    a, b = (ir.Local(name, "int", 0, 5) for name in "ab")
    hit = ir.Hit(ir.add(ir.mul(a, SIX), b))
    inner = ir.Reduce("collect", COUNT, "b", ir.const(0), SIX, [ir.If(ir.ne(a, b), [hit], [])], ROW)
    return ir.For("a", ir.const(0), SIX, [*body, inner])


@pytest.mark.parametrize("rounds", [1, 2, 3, 40])
@pytest.mark.parametrize("count", [1, 32, 100])
def test_marked__is_what_rounds_mark(rounds: int, count: int) -> None:
    """Marks of the same place, none, and those that do not count."""
    from griddsl.backends.jax.loops.marking import marked

    numbers = np.random.default_rng(rounds * count)
    places = numbers.integers(0, count, rounds).astype(np.int32)
    for counts in (numbers.random(rounds) < 0.5, np.zeros(rounds, np.bool_), np.ones(rounds, np.bool_)):
        expected = np.zeros(count, np.bool_)
        expected[places[counts]] = True
        found = jax.jit(lambda places, counts: marked(places, counts, rounds, count))(places, counts)
        assert found.tolist() == expected.tolist()
        assert marked(places, counts, rounds, count).tolist() == expected.tolist()


@pytest.mark.parametrize("length", [1, 9, 32, 33, 81, 1024])
def test_nth__finds_hits_by_their_numbers(length: int) -> None:
    """The first, the last and all between, asked for alone or together; of a hit that is not there anything."""
    from griddsl.backends.jax.arrays import nth, packed

    numbers = np.random.default_rng(length)
    for share in (0.02, 0.5, 1.0):
        hits = numbers.random(length) < share
        expected = np.flatnonzero(hits)
        asked = np.arange(length + 3, dtype=np.int32)
        found = np.asarray(jax.jit(lambda hits, number: nth(packed(hits), number))(hits, asked))
        assert found[: len(expected)].tolist() == expected.tolist()
        if len(expected):
            last = np.int32(len(expected) - 1)
            assert int(jax.jit(lambda hits, number: nth(packed(hits), number))(hits, last)) == expected[-1]


def test_marking_of__takes_loops_that_only_mark() -> None:
    """All rounds leave the same at their cell, in a plane of several; anything else goes round by round."""
    from griddsl.backends.jax.loops.marking import marking_of

    cells = ir.Slot("CELL", 8, 0, 9)
    number = ir.Local("i", "int", 0, 7)
    at = ir.add(ir.mul(ir.load(cells, number), ir.const(3)), ir.const(2))

    def loop(*body: ir.Stmt, rounds: int = 8) -> ir.For:
        return ir.For("i", ir.const(0), ir.const(rounds), [*body])

    known = Known({})
    many = loop(ir.Out(at, ir.const(1)), rounds=2_100)
    assert marking_of(many, 30, known) is None and marking_of(many, 30, known, is_mostly_few=True) is not None
    found = marking_of(loop(ir.Out(at, ir.const(1))), 30, known)
    assert found is not None and (found.planes, found.places) == (3, 10)
    assert found.body == [ir.Out(ir.load(cells, number), ir.const(2))]
    first = ir.mul(ir.load(cells, number), ir.const(3))
    both = marking_of(loop(ir.Out(first, ir.const(1)), ir.Out(at, ir.const(1))), 30, known)
    assert both is not None and [list(ir.values_of(each)) for each in both.body] == [
        [ir.load(cells, number), ir.const(0)],
        [ir.load(cells, number), ir.const(2)],
    ]
    other = ir.mul(ir.load(cells, number), ir.const(2))
    assert marking_of(loop(ir.Out(other, ir.const(1)), ir.Out(at, ir.const(1))), 30, known) is None
    assert marking_of(loop(ir.Out(at, ir.const(1))), 31, known) is None
    assert marking_of(loop(ir.Out(at, ir.load(cells, number))), 30, known) is None
    assert marking_of(loop(ir.Out(at, ir.const(1)), ir.Out(at, ir.const(2))), 30, known) is None
    assert marking_of(loop(ir.Store(cells, number, ir.const(0)), ir.Out(at, ir.const(1))), 30, known) is None


def test_nest_of__has_the_rounds_of_all_loops_in_order() -> None:
    """The rounds are those of the loops one in the other; one that looks at what is collected has to wait."""
    from griddsl.backends.jax.known.nests import nest_of

    nest = nest_of(pair())
    assert nest is not None and nest.count == 36
    assert nest.numbers["a"].tolist() == np.repeat(np.arange(6), 6).tolist()
    assert nest.numbers["b"].tolist() == np.tile(np.arange(6), 6).tolist()
    assert nest_of(pair(ir.Let("seen", COUNT))) is None
    assert nest_of(pair(ir.Store(ROW, ir.const(0), ir.const(1)))) is None


def test_passing__is_asked_for_only_behind_its_collection() -> None:
    """A slot that is asked for elsewhere, or filled otherwise, does not pass."""
    from griddsl.backends.jax.known.passing import passing

    fill: ir.Block = [ir.Let("n", ir.const(0)), pair()]
    ask = ir.Let("x", ir.load(ROW, 0))
    test = ir.eq(ir.Local("p", "int", 0, 1), 0)

    def passes(*body: ir.Stmt) -> bool:
        functions = {"f": ir.Function("f", (ir.Local("p"),), [*body])}
        return bool(passing(functions, [ROW], Known(functions)))

    assert passes(*fill, ask)
    assert passes(*fill, ir.If(test, [ask], []))
    assert passes(ir.If(test, [*fill, ask], [*fill, ask]))
    assert passes(ir.While(test, [*fill, ask]))
    assert not passes(ask, *fill)
    assert not passes(ir.If(test, fill, []), ask)
    assert not passes(*fill, ir.If(test, fill, []), ask)
    assert not passes(*fill, ir.While(test, [ask, *fill]))
    assert not passes(*fill, ir.Store(ROW, ir.const(0), ir.const(1)), ask)
    assert not passes(ir.Let("n", ir.const(1)), pair(), ask)


COUNTED = """env: t/Counted-v0
object gem: value in 0..1
tile door: opaque if step > 1
legend: g = gem, d = door
map:
    @.g.#g
    g.d.gg
actions: right, left
each gem: gem.value = 1 - gem.value
each gem if not agent sees gem: reward 1
observe:
    never = sum(gem.x for gem where gem.value > 3)
    seen = count(gem where agent sees gem)
    near = count(floor where floor sees agent)
limit: 9 steps
"""


def test_counted__is_what_python_counts() -> None:
    """A sum that nothing is part of, and rays, which are loops with ends of their own, in loops that run at once."""
    import griddsl
    import griddsl.jax

    env, played = griddsl.make(COUNTED), griddsl.jax.make(COUNTED)
    env.reset(seed=0)
    for action in (0, 1, 0, 0):
        state = played.from_state(env.get_state())
        expected, reward, *_ = env.step(action)
        found, _, paid = jax.jit(played.step)(None, state, action)[:3]
        assert {name: value.tolist() for name, value in found.items()} == {
            name: value.tolist() for name, value in expected.items()
        }
        assert float(paid) == reward


@pytest.mark.parametrize("how", ["any", "all"])
@pytest.mark.parametrize("low", [0, 1])
def test_stretch__is_what_the_rounds_before_an_end_come_to(how: Any, low: int) -> None:
    """A loop around says how many of the rounds count, none and all of them too; each is found once."""
    from griddsl.backends.jax.loops.stretches import stretch_of

    loop = ir.Reduce(how, ir.Local("r", "bool", 0, 1), "i", ir.const(low), SIX, [])
    ends = np.arange(low - 1, low + 6).reshape(7, 1)
    stretch = stretch_of(loop, low, ends)
    assert stretch is not None
    hits = np.random.default_rng(low).random((5, 1, 3)) < 0.3
    assert stretch.fits(hits, (5, 7, 3)) and not stretch.fits(np.ones((5, 7, 3)), (5, 7, 3))
    found = np.asarray(jax.jit(stretch.any_of)(hits))
    expected = [hits[: max(int(end) - low, 0), 0].any(0).tolist() for end in ends.ravel()]
    assert found.tolist() == expected


@pytest.mark.parametrize(
    ("how", "low", "high"),
    [
        ("sum", 0, np.array([1, 2])),
        ("any", 0, 3),
        ("any", np.array([0, 1]), np.array([1, 2])),
        ("any", 0, np.array([[1, 2], [2, 3]])),
        ("any", 0, np.array([1, 100])),
    ],
)
def test_stretch_of__takes_what_one_loop_around_ends(how: Any, low: Any, high: Any) -> None:
    """Not what adds up, what always ends alike, begins or ends as several loops say, or goes too far."""
    from griddsl.backends.jax.loops.stretches import stretch_of

    loop = ir.Reduce(how, ir.Local("r", "bool", 0, 1), "i", ir.const(0), SIX, [])
    assert stretch_of(loop, low, high) is None
