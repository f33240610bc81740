"""What is done alike for one name of several is done once, for the one that it is."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from griddsl.program import ir
from griddsl.program.passes import alternatives
from griddsl.program.passes.alternatives import join_alternatives
from griddsl.program.passes.effects import Known
from griddsl.source import Source, Span
from tests.unit.program.test_rolled import BODIES, NUMBER, OWN, A, X, outcome, said_for

WHICH = ir.Slot("WHICH", 1, 0, 3)
ELSE = ir.Slot("ELSE", 1, 0, 3)
UNSET = ir.Slot("UNSET", 1, 0, 3, unset=True)
ZERO = ir.const(0)
BODY: ir.Block = [
    ir.Let("a", ir.load(X, 1)),
    ir.If(ir.lt(A, 3), [ir.Store(X, ZERO, ir.const(NUMBER))], []),
    ir.Store(OWN[0], ZERO, A),
]


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alternatives, "LEAST", 2)


def is_number(number: int) -> ir.Expr:
    """Return what asks whether this is the one."""
    return ir.eq(ir.load(WHICH), number)


def in_ways(bodies: Sequence[ir.Block]) -> ir.Block:
    """Return what does one of several things."""
    return [ir.If(is_number(number), body, []) for number, body in enumerate(bodies)]


def joined(body: ir.Block) -> tuple[ir.Function, list[ir.Table]]:
    """Return a function with this body that was joined, and the tables that it looks up."""
    tables: list[ir.Table] = []

    def table(stem: str, values: Sequence[int]) -> ir.Table:
        tables.append(ir.table((stem, len(tables)), values))
        return tables[-1]

    functions = {"made": ir.Function("made", (), [*body])}
    join_alternatives(functions, Known(functions), table)
    return functions["made"], tables


@settings(max_examples=150)
@given(body=BODIES, count=st.integers(2, 4), which=st.integers(0, 3), seed=st.integers(0, 99))
def test_alternatives__do_the_same(body: ir.Block, count: int, which: int, seed: int) -> None:
    """One way is left, which draws and writes what that of the number did, and nothing where there is none."""
    first: ir.Block = [ir.Let("a", ir.const(NUMBER)), ir.Let("p", ir.FALSE), *body]
    ways = [said_for(first, way, [OWN[0]] * 4) for way in range(count)]
    start = ir.Store(WHICH, ZERO, ir.const(which))
    function = ir.Function("made", (), [start, *in_ways(ways)])
    made, tables = joined(function.body)
    asked = [
        each for each in ir.statements(made.body) if isinstance(each, ir.If) and "WHICH" in repr(each.test)
    ]
    assert len(asked) == (count < 4)
    assert outcome(made, [WHICH], tables, seed) == outcome(function, [WHICH], [], seed)


def test_alternatives__numbers_are_looked_up_and_words_asked_for() -> None:
    """What gives up tells of the name that it is."""
    fails = [ir.Fail("no-place", Span(Source("", "test"), 0, 0), word) for word in ("key", "ball", "box")]
    ways = [[*said_for(BODY, way, [OWN[0]] * 3), fails[way]] for way in range(3)]
    made, (table,) = joined(in_ways(ways))
    assert table.values == [5, 6, 7, 5]
    (one,) = made.body
    assert isinstance(one, ir.If)
    assert one.test == ir.either(*map(is_number, range(3)))
    told = ir.If(is_number(0), [fails[0]], [ir.If(is_number(1), [fails[1]], [fails[2]])])
    assert one.then[-1] == told


OTHER = said_for(BODY, 1, OWN[:1] * 2)
DECIDES = ir.Store(WHICH, ZERO, ir.const(1))


@pytest.mark.parametrize(
    "ways",
    [
        in_ways([[*BODY, DECIDES], [*OTHER, DECIDES]]),
        [*in_ways([BODY, OTHER]), ir.Store(X, ZERO, ir.Local("a_1", "int", 0, 9))],
        in_ways([BODY, said_for(BODY, 1)]),
        [ir.If(is_number(0), BODY, []), ir.If(is_number(0), OTHER, [])],
        [ir.If(is_number(0), BODY, []), ir.Store(X, ZERO, ZERO), ir.If(is_number(1), OTHER, [])],
        [ir.If(is_number(0), BODY, []), ir.If(ir.eq(ir.load(ELSE), 1), OTHER, [])],
        in_ways([BODY, [*reversed(OTHER)]]),
        [ir.If(ir.eq(ir.load(UNSET), number), body, []) for number, body in enumerate([BODY, OTHER])],
    ],
    ids=["decides", "read after", "other slots", "twice", "between", "two slots", "other order", "unset"],
)
def test_alternatives__leaves_what_is_not_one_of_several(ways: ir.Block) -> None:
    """What decides for another way, hands a local on, is of other slots, or comes twice, stays as it is."""
    assert joined(ways)[0].body == ways
    assert len(joined(in_ways([BODY, OTHER]))[0].body) == 1
