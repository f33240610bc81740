"""What is done several times in a row, for names and numbers of its own, is a loop that does the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from griddsl.backends.python.emit import RUNTIME
from griddsl.program import ir
from griddsl.program.passes.loops import in_loops
from griddsl.program.passes.structured import rolling
from griddsl.program.passes.structured.rolling import rolled
from griddsl.program.printer import PLAIN, print_function
from griddsl.program.stream import Stream

X = ir.Slot("X", 4, 0, 9)
OWN = [ir.Slot(("OWN", turn), 1, 0, 9) for turn in range(3)]
ZERO = ir.const(0)
NUMBER = 5  # in the first turn: each has the next one
A, P = ir.Local("a", "int", 0, 9), ir.Local("p", "bool", 0, 1)


def small(value: Any) -> ir.Expr:
    """Return a value that fits into a slot."""
    return ir.mod(value, ir.const(10))


NUMBERS = st.recursive(
    st.one_of(
        st.sampled_from([A, ir.const(NUMBER), ir.const(2), ir.load(OWN[0])]),
        st.integers(0, 3).map(lambda at: ir.load(X, at)),
    ),
    lambda inner: st.one_of(
        st.builds(ir.add, inner, inner),
        st.builds(lambda a, b, c: ir.select(ir.lt(a, b), b, c), inner, inner, inner),
    ),
    max_leaves=4,
).map(small)
TESTS = st.one_of(st.just(P), st.builds(ir.lt, NUMBERS, NUMBERS))
SIMPLE = st.one_of(
    st.builds(lambda value: ir.Let("a", value), NUMBERS),
    st.builds(lambda test: ir.Let("p", test), TESTS),
    st.integers(1, 4).map(
        lambda count: ir.Bind("a", ir.Draw("draw", (ir.const(count),), "int", 0, count - 1))
    ),
    st.builds(lambda value: ir.Store(OWN[0], ZERO, value), NUMBERS),
    st.builds(lambda at, value: ir.Store(X, ir.mod(at, ir.const(4)), value), NUMBERS, NUMBERS),
    st.builds(lambda test: ir.Reduce("any", P, "i", ZERO, ir.const(3), [ir.If(test, [ir.Hit()], [])]), TESTS),
)
STATEMENTS = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        st.builds(ir.If, TESTS, st.lists(inner, min_size=1, max_size=3), st.lists(inner, max_size=2)),
        st.lists(inner, min_size=1, max_size=3).map(lambda body: ir.For("n", ZERO, ir.const(2), body)),
    ),
    max_leaves=5,
)
BODIES = st.lists(STATEMENTS, min_size=1, max_size=4)
CONDITIONS = st.lists(st.sampled_from([None, 1, 6]), min_size=3, max_size=3)


def said_for(part: Any, turn: int, slots: Sequence[ir.Slot] = OWN) -> Any:
    """Return what is said in the first turn as it is said in another one, of its own slot."""
    if isinstance(part, list | tuple):
        return type(part)(said_for(each, turn, slots) for each in part)
    if part is OWN[0]:
        return slots[turn]
    if part == ir.const(NUMBER):
        return ir.const(NUMBER + turn)
    if isinstance(part, ir.Slot) or not is_dataclass(part) or isinstance(part, type):
        return part
    found = {each.name: said_for(getattr(part, each.name), turn, slots) for each in fields(part)}
    if turn and "name" in found:
        found["name"] = f"{found['name']}_{turn}"
    return replace(part, **found)


def in_turns(body: ir.Block, conditions: Sequence[int | None]) -> ir.Block:
    """Return what does something in as many turns as there are conditions: where an entry of X is small, or always."""
    made: ir.Block = []
    for turn, most in enumerate(conditions):
        own = said_for([ir.Let("a", ir.const(NUMBER)), ir.Let("p", ir.FALSE), *body], turn)
        made.extend(own if most is None else [ir.If(ir.lt(ir.load(X, turn), most), own, [])])
    return made


def outcome(function: ir.Function, slots: Sequence[ir.Slot], tables: Sequence[ir.Table], seed: int) -> Any:
    """Return what a function leaves in the slots of the test, and in the stream."""
    names: dict[str, Any] = {**RUNTIME, **{table.name: table.values for table in tables}, X.name: 0}
    s = [3, 1, 4, 1]
    for slot in [*OWN, *slots]:
        names[slot.name] = len(s)
        s.extend([7 if slot in OWN else 0] * slot.length)
    (plain,) = in_loops({"made": function}, 3, 3).values()
    exec("\n".join(print_function(plain, set(), PLAIN)), names)
    r = Stream()
    r[0] = seed
    names["made"](s, [], r)
    return s[: 4 + len(OWN)], r[0]


def made_of(
    body: ir.Block, others: dict[str, ir.Function] | None = None
) -> tuple[ir.Function, rolling.Rolled]:
    """Return a function as it is, and what rolling makes of it."""
    function = ir.Function("made", (), body)
    return function, rolled({"made": function, **(others or {})})


def loops_in(made: rolling.Rolled) -> int:
    """Return how many loops over turns a function has."""
    found = [each for each in ir.statements(made.functions["made"].body) if isinstance(each, ir.For)]
    return sum(each.name.startswith("turn") for each in found)


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rolling, "LEAST", 3)


@settings(max_examples=200)
@given(body=BODIES, conditions=CONDITIONS, seed=st.integers(0, 99))
@example(body=[ir.Let("a", A), ir.Let("a", small(ir.add(A, A)))], conditions=[None, None, None], seed=0)
def test_rolled__does_the_same(body: ir.Block, conditions: list[int | None], seed: int) -> None:
    """Turns with and without conditions are one loop, that draws and writes what they did."""
    function, made = made_of(in_turns(body, conditions))
    expected = outcome(function, [], [], seed)
    if loops_in(made) == 0:
        assert sum(1 for _ in ir.statements(body)) < 2  # with what each begins with
    assert outcome(made.functions["made"], made.slots, made.tables, seed) == expected


BODY: ir.Block = [
    ir.Let("a", ir.load(X, 1)),
    ir.Store(OWN[0], ZERO, small(ir.add(A, ir.load(OWN[0])))),
    ir.Store(X, ZERO, ir.load(OWN[0])),
]


def test_rolled__one_loop_and_rows_of_what_differs() -> None:
    """The slots of all turns lie in one row while the loop runs, and their numbers in one table."""
    _, made = made_of(in_turns(BODY, [None, 1, None]))
    assert loops_in(made) == 1
    (row,), (table,) = made.slots, made.tables
    assert (row.length, row.low, row.high, row.saved) == (3, 0, 9, False)
    assert table.values == (5, 6, 7)


def test_rolled__a_remainder_that_is_known_is_one_all_the_same() -> None:
    """``x // 4 % 2`` and ``x // 8``, where nothing is above 9, say the same of 4 and of 8."""

    def bit(of: int) -> ir.Block:
        value = ir.mod(ir.div(ir.load(X, 2), ir.const(of)), ir.const(2))
        return [
            ir.Let(f"b{of}", value),
            *(ir.Store(X, ir.const(at), ir.Local(f"b{of}", "int", 0, 1)) for at in (0, 1)),
        ]

    function, made = made_of([*bit(2), *bit(4), *bit(8)])
    assert made.tables[0].values == (2, 4, 8)
    assert outcome(made.functions["made"], made.slots, made.tables, 1) == outcome(function, [], [], 1)


SETS_TWO: ir.Block = [
    ir.Let("b", ir.load(X, 1)),
    ir.Let("c", ir.load(X, 2)),
    ir.Store(X, ZERO, ir.Local("b", "int", 0, 9)),
]
SETS_ONE_TWICE: ir.Block = [ir.Let("a", ir.load(X, 1)), ir.Let("a", ir.load(X, 2)), ir.Store(X, ZERO, A)]
READS_THE_FIRST = [*BODY, ir.Store(X, ZERO, ir.load(OWN[0]))]
TOUCHES = ir.Function("touches", (), [ir.Store(OWN[1], ZERO, ZERO)])


@pytest.mark.parametrize(
    "turns",
    [
        [*READS_THE_FIRST, *said_for(BODY, 1), ir.Store(X, ZERO, ir.load(OWN[0]))],
        [*in_turns(BODY, [None, None]), ir.Store(X, ZERO, ir.Local("a_1", "int", 0, 9))],
        [ir.Let("a_1", ZERO), *BODY, *said_for([*reversed(BODY)], 1)],
        [*BODY, ir.If(ir.lt(ir.load(OWN[0]), 3), said_for(BODY, 1), [])],
        [ir.Keep("k", 0), *(part for turn in (0, 1) for part in (*said_for(BODY, turn), ir.Restore("k")))],
        [part for turn in (0, 1) for part in (*said_for(BODY, turn), ir.Do(ir.call("touches")))],
        [*BODY, ir.Break(), *said_for(BODY, 1), ir.Break()],
        [*SETS_ONE_TWICE, *SETS_TWO],
        [*SETS_TWO, *SETS_ONE_TWICE],
    ],
    ids=[
        "first's",
        "read after",
        "read before",
        "test",
        "put back",
        "called",
        "left",
        "two names",
        "one name",
    ],
)
def test_rolled__leaves_what_would_see_the_others(turns: ir.Block) -> None:
    """What speaks of another turn's slot, hands a local on, or puts back what was kept outside stays as it is."""
    function, made = made_of(turns, {"touches": TOUCHES})
    assert made.functions["made"].body == function.body
    assert loops_in(made_of(in_turns(BODY, [None, None]))[1]) == 1
