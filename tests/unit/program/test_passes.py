"""Passes: random functions do the same in every form, draw by draw and write by write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import griddsl
from griddsl.backends.python.emit import RUNTIME
from griddsl.compiler import compiled
from griddsl.program import ir
from griddsl.program.passes import outlined as outlining
from griddsl.program.passes.effects import Known, acts
from griddsl.program.passes.loops import in_loops
from griddsl.program.passes.normal import normalize
from griddsl.program.passes.spared import spared
from griddsl.program.passes.structured.flags import without_leaps
from griddsl.program.passes.structured.once import run_once
from griddsl.program.passes.structured.turns import take_turns
from griddsl.program.printer import PLAIN, print_function
from griddsl.program.stream import Stream
from tests.unit.program.test_loops import trail

SPECS = sorted((Path(griddsl.__file__).parent.parent / "specs").glob("*.grid"))
X = ir.Slot("X", 4, 0, 9)
ZERO, ONE = ir.const(0), ir.const(1)
NUMBERS, TRUTHS = ("a", "b"), ("p", "q")
# A function that draws and writes, and tells of both.
BUMP = ir.Function(
    "bump",
    (ir.Local("by"),),
    [
        ir.Let("at", ir.drawn(ir.const(4), 3)),
        ir.Store(X, ir.Local("at", "int", 0, 3), ir.Local("by")),
        ir.Return((ir.load(X, ir.Local("at", "int", 0, 3)),)),
    ],
    results=(ir.Local(""),),
)
LOOK = ir.Function("look", (), [ir.Return((ir.load(X, 1),))], results=(ir.Local(""),))


def numbers(truths: st.SearchStrategy[Any], inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return whole numbers made of others and of conditions."""
    return st.one_of(
        st.builds(ir.add, inner, inner),
        st.builds(ir.select, truths, inner, inner),
        st.builds(lambda value: ir.call("bump", value), inner),
        st.builds(lambda value: ir.load(X, ir.mod(value, ir.const(4))), inner),
    )


SMALL = st.one_of(
    st.integers(0, 5).map(ir.const),
    st.sampled_from(NUMBERS).map(ir.Local),
    st.integers(0, 3).map(lambda at: ir.load(X, at)),
    st.integers(1, 4).map(lambda count: ir.drawn(ir.const(count), count - 1)),
    st.just(ir.call("look")),
)
COINS = st.one_of(
    st.sampled_from(TRUTHS).map(lambda name: ir.Local(name, "bool", 0, 1)),
    st.just(ir.Draw("odds", (ONE, ir.const(2)), "bool")),
    st.builds(ir.eq, SMALL, SMALL),
)
CONDITIONS = st.recursive(
    COINS,
    lambda inner: st.one_of(
        st.builds(ir.both, inner, inner, inner), st.builds(ir.either, inner, inner), inner.map(ir.invert)
    ),
    max_leaves=6,
)
VALUES = st.recursive(SMALL, lambda inner: numbers(CONDITIONS, inner), max_leaves=6)
SIMPLE = st.one_of(
    st.builds(ir.Let, st.sampled_from(NUMBERS), VALUES),
    st.builds(ir.Let, st.sampled_from(TRUTHS), CONDITIONS),
    st.builds(lambda at, value: ir.Store(X, ir.mod(at, ir.const(4)), value), VALUES, VALUES),
)
LEAPS = st.sampled_from([ir.Break(), ir.Return((ir.Local("a"),)), ir.Return((ONE,))])
HOWS = st.sampled_from([ir.any_of, ir.all_of, ir.first_of, ir.last_of, ir.count_of, ir.sum_of])


def reduced(how: Callable[[ir.Local], Callable[..., ir.Stmt]], test: ir.Expr, value: ir.Expr) -> ir.Stmt:
    """Return a reduction of four rounds, which may draw: then it is none."""
    is_truth = how in (ir.any_of, ir.all_of)
    result = ir.Local("p", "bool", 0, 1) if is_truth else ir.Local("a")
    test = ir.both(ir.lt(ir.load(X, ir.Local("i", "int", 0, 3)), 7), test)
    return how(result)("i", ZERO, ir.const(4), ir.when(test, [ir.Hit(ir.TRUE if is_truth else value)]))


def compound(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return conditionals and loops of other statements."""
    block = st.lists(inner, min_size=1, max_size=4)
    return st.one_of(
        st.builds(ir.If, CONDITIONS, block, st.one_of(st.just([]), block)),
        st.builds(lambda body: ir.For("n", ZERO, ir.const(3), body), block),
        st.builds(lambda body: ir.While(ir.Draw("odds", (ONE, ir.const(2)), "bool"), body), block),
    )


STATEMENTS = st.recursive(st.one_of(SIMPLE, LEAPS, st.builds(reduced, HOWS, CONDITIONS, VALUES)), compound, max_leaves=8)  # fmt: skip
BODIES = st.lists(STATEMENTS, min_size=1, max_size=6)


def without_lost_breaks(block: ir.Block, in_loop: bool = False) -> ir.Block:
    """Return statements without a `Break` that no loop is around."""
    made: ir.Block = []
    for statement in block:
        match statement:
            case ir.Break() if not in_loop:
                continue
            case ir.If(test, then, otherwise):
                ways = [without_lost_breaks(part, in_loop) for part in (then, otherwise)]
                made.append(ir.If(test, *ways))
            case ir.For() | ir.While():
                made.append(replace(statement, body=without_lost_breaks(statement.body, in_loop=True)))
            case _:
                made.append(statement)
    return made


def functions_of(body: ir.Block) -> dict[str, ir.Function]:
    """Return functions of which one has this body and returns a number."""
    start: ir.Block = [
        *(ir.Let(name, ZERO) for name in NUMBERS),
        *(ir.Let(name, ir.FALSE) for name in TRUTHS),
    ]
    whole = [*start, *without_lost_breaks(body), ir.Return((ir.Local("b"),))]
    made = ir.Function("made", (), whole, results=(ir.Local(""),))
    return {each.name: replace(each, body=list(each.body)) for each in (made, BUMP, LOOK)}


def outcome(functions: dict[str, ir.Function], seed: int) -> Any:
    """Return what running a function gives and leaves; None where it runs too long."""
    text = "\n".join(line for each in functions.values() for line in print_function(each, set(), PLAIN))
    names: dict[str, Any] = {**RUNTIME, "X": 0}
    exec(text, names)
    s, r = [3, 1, 4, 1], Stream()
    r[0] = seed
    return names["made"](s, [], r), s, r[0]


@pytest.mark.long
@settings(max_examples=250)
@given(body=BODIES, seed=st.integers(0, 99))
def test_forms__do_the_same(body: ir.Block, seed: int) -> None:
    """With draws of their own, and without leaps, a function draws, writes and returns what it did."""
    written = functions_of(body)
    expected = outcome(in_loops(written, 3, 3), seed)
    normal = functions_of(body)
    normalize(normal, Known(normal))
    known = Known(normal)
    for function in normal.values():
        for statement in ir.statements(function.body):
            for value in ir.values_of(statement):
                inner = ir.inner(value) if isinstance(statement, ir.Bind) else (value,)
                assert not any(acts(part, known) for part in inner)
    assert outcome(in_loops(normal, 3, 3), seed) == expected
    plain = without_leaps(normal)
    for function in plain.values():
        *before, last = ir.statements(function.body)
        assert isinstance(last, ir.Return)
        assert not any(isinstance(statement, ir.Break | ir.Return) for statement in before)
    assert outcome(in_loops(plain, 3, 3), seed) == expected
    assert outcome(without_leaps(in_loops(normal, 3, 3)), seed) == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outlining, "MOST", 3)
        patch.setattr(outlining, "LEAST", 2)
        assert outcome(outlining.outlined(in_loops(written, 3, 3)), seed) == expected


def with_names(block: ir.Block, names: ir.Names) -> ir.Block:
    """Return statements that give each value that they set a name of its own, as lowering does."""
    made: ir.Block = []
    for statement in block:
        match statement:
            case ir.Let(name, value):
                kept = names.fresh("kept")
                made.append(ir.Let(kept, value))
                made.append(ir.Let(name, ir.Local(kept, value.type, value.low, value.high)))
            case _:
                made.append(ir.with_blocks(statement, lambda inner: with_names(inner, names)))
    return made


@pytest.mark.long
@settings(max_examples=400)
@given(body=BODIES, seed=st.integers(0, 99))
def test_spared__does_the_same_with_less(body: ir.Block, seed: int) -> None:
    """What is found, asked or gone through once less draws, writes and returns what it did."""
    normal = functions_of(with_names(body, ir.Names()))
    normalize(normal, Known(normal))
    plain = in_loops(normal, 3, 3)
    assert outcome(spared(plain), seed) == outcome(plain, seed)


def test_spared__asks_once() -> None:
    """A value is found once until it is written to, a condition is asked once, and what nobody reads is left out."""
    at, asked = ir.Local("at", "int", 0, 9), ir.ge(ir.Local("at", "int", 0, 9), 5)

    def body(write: ir.Block) -> ir.Block:
        value = ir.Call("look", (), "int", 0, 9)
        again = ir.Local("again", "int", 0, 9)
        return [
            ir.Bind("at", value),
            *write,
            ir.Bind("again", value),
            ir.If(asked, [ir.If(ir.ge(again, 5), [ir.Store(X, ZERO, again)], [])], []),
            ir.Let("unread", ir.load(X, 2)),
        ]

    def formed(write: ir.Block) -> ir.Block:
        return spared({"f": ir.Function("f", (), body(write)), "look": LOOK})["f"].body

    assert formed([])[1:] == [ir.If(asked, [ir.Store(X, ZERO, at)], [])]
    assert len(formed([ir.Store(X, ONE, ZERO)])) == 4


def test_spared__joins_loops_that_show() -> None:
    """Loops that write one number to what is observed are one, which asks what all ask first, and one of the rest."""
    kinds = ir.Slot("KIND", 4, 0, 9)

    def shows(name: str, kind: int) -> ir.Stmt:
        number = ir.Local(name, "int", 0, 3)
        place = ir.load(X, number)
        tests = ir.both(ir.eq(ir.load(kinds, number), kind), ir.compare(">", place, ZERO))
        return ir.For(name, ZERO, ir.const(4), [ir.If(tests, [ir.Out(place, ONE)], [])])

    function = ir.Function("f", (), [shows("i", 2), shows("j", 3)], writes_out=True)
    (loop,) = spared({"f": function})["f"].body
    assert isinstance(loop, ir.For)
    match loop.body:
        case [
            ir.Let(),
            ir.If(ir.Op(">"), [ir.Let(), ir.If(_, [ir.Out()], [ir.If(_, [ir.Out()], [])])], []),
        ]:
            pass
        case _:
            raise AssertionError(loop.body)


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_structured__plays_the_same(path: Path) -> None:
    """A spec's program in the structured form has the same episodes, with its reductions kept and written out."""
    program = compiled(path).program
    expected = trail(program, 5, 25)
    assert trail(program.structured, 5, 25) == expected
    assert trail(program.plain.structured, 5, 25) == expected
    for form in (program.structured, program.plain.structured):
        for function in form.functions.values():
            leaps = [each for each in ir.statements(function.body) if isinstance(each, ir.Break | ir.Return)]
            assert leaps == [function.body[-1]] if function.results else leaps == []


def test_run_once__a_loop_that_ends_itself_is_a_condition() -> None:
    """Only where nothing in the round lets it begin again, by itself or by what it calls."""
    going, at = ir.Slot("GO", 1, 0, 9), ir.load(X, 0)
    test = ir.both(ir.compare(">", ir.load(going), ZERO), ir.ne(at, 3))
    stops, work = ir.Store(going, ZERO, ZERO), ir.Store(X, ZERO, ir.add(at, ONE))
    goes_on = ir.Function("again", (), [ir.Store(going, ZERO, ONE)])

    def formed(*body: ir.Stmt) -> ir.Stmt:
        function = ir.Function("f", (), [ir.While(test, [*body])])
        return run_once({"f": function, "again": goes_on})["f"].body[0]

    assert formed(stops, work) == formed(ir.While(test, [stops, work])) == ir.If(test, [stops, work], [])
    bodies: list[ir.Block] = [
        [work],
        [ir.If(ir.eq(at, 1), [stops], [])],
        [ir.Store(going, ZERO, ONE), work],
        [stops, ir.Do(ir.call("again"))],
        [stops, ir.Store(going, ZERO, at)],
    ]
    for body in bodies:
        assert formed(*body) == ir.While(test, body)


def test_take_turns__players_who_do_the_same_do_it_by_one_function() -> None:
    """With ranges that hold for all of them; one who does anything else, or passes the turn on, goes by itself."""
    turn, turns = ir.Slot("TURN", 1, 0, 2), ir.load(ir.Slot("TURN", 1, 0, 2))

    def player(name: str, number: int, *more: ir.Stmt) -> ir.Function:
        own = ir.Local("agent", "int", number, number)
        return ir.Function(name, (own,), [ir.Store(X, own, ir.add(own, ONE)), *more])

    def step(players: list[ir.Function]) -> tuple[ir.Block, dict[str, ir.Function]]:
        body: ir.Block = [
            ir.If(ir.eq(turns, number), [ir.Do(ir.call(each.name, ir.const(number)))], [])
            for number, each in enumerate(players)
        ]
        caller = {"step": ir.Function("step", (), body)}
        callees = {each.name: each for each in players}
        made, other_way_round = take_turns(caller | callees), take_turns(callees | caller)
        for name, function in made.items():  # repr, as what differs in its ranges alone is equal
            assert repr(function) == repr(other_way_round[name])
        return made["step"].body, made

    names = ["red", "green", "blue"]
    body, made = step([player(name, number) for number, name in enumerate(names)])
    assert body == [ir.Do(ir.call("red", turns))]
    assert repr(made["red"].parameters) == repr((ir.Local("agent", "int", 0, 2),))
    acting = made["red"].parameters[0]
    assert repr(made["red"].body) == repr([ir.Store(X, acting, ir.Op("+", (acting, ONE), "int", 1, 3))])
    other = ir.Store(X, ONE, ONE)
    body, _ = step([player("red", 0), player("green", 1), player("blue", 2, other)])
    two = ir.If(ir.either(ir.eq(turns, 0), ir.eq(turns, 1)), [ir.Do(ir.call("red", turns))], [])
    assert body[0] == two and body[1:] == [ir.If(ir.eq(turns, 2), [ir.Do(ir.call("blue", ir.const(2)))], [])]
    passes = ir.Store(turn, ZERO, ONE)
    body, _ = step([player(name, number, passes) for number, name in enumerate(names)])
    assert len(body) == 3


@pytest.mark.parametrize("kind", get_args(ir.Stmt), ids=lambda kind: kind.__name__)
def test_values_of__misses_no_expression_of_a_statement(kind: type) -> None:
    """What a statement holds as an expression, by the types of its fields, is among its values; so passes see it."""
    hints = get_type_hints(kind)
    marks: dict[str, ir.Expr] = {
        name: ir.Local(f"of_{name}") for name, hint in hints.items() if _holds_values(hint)
    }
    parts: dict[str, Any] = dict.fromkeys(hints, ()) | marks
    parts |= {name: (mark,) for name, mark in marks.items() if get_origin(hints[name]) is tuple}
    marks.pop("result", None)  # what a `Reduce` binds
    assert set(ir.values_of(kind(**parts))) == set(marks.values())


def _holds_values(hint: object) -> bool:
    """Whether a field holds an expression, or several."""
    parts = {part for each in (hint, *get_args(hint)) for part in (each, *get_args(each))}
    return any(getattr(part, "__module__", "") == ir.Const.__module__ for part in parts)
