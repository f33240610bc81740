"""Verification: programs that specs compile to are proved, and whatever is broken in one of them is found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import griddsl
import griddsl.lowering.lower as lowering
from griddsl.backends import python
from griddsl.compiler import compiled
from griddsl.program import ir
from griddsl.program.program import Program
from griddsl.program.verify import VerificationError, faults_of, verify
from tests.agreement.asking import asking

SPECS = sorted((Path(griddsl.__file__).parent.parent / "specs").glob("*.grid"))
DOOR_KEY = next(path for path in SPECS if path.stem == "door_key")

X = ir.Slot("X_OF_TEST", 4, 0, 9)
FLAG = ir.Slot("FLAG_OF_TEST", 1, 0, 1, "bool")
UNSET = ir.Slot("UNSET_OF_TEST", 1, 0, 9, unset=True)
TABLE = ir.table("TABLE_OF_TEST", [3, 1, 4])
ZERO, ONE, TRUE = ir.const(0), ir.const(1), ir.TRUE
LET: ir.Block = [ir.Let("a", ONE)]
DRAWN = ir.Bind("d", ir.drawn(ir.load(X), 8))


def local(name: str = "a", low: float = 0, high: float = 9, type: ir.Type = "int") -> ir.Local:
    """Return a local of the functions of these tests."""
    return ir.Local(name, type, low, high)


def stored(value: ir.Expr, index: ir.Expr = ZERO) -> ir.Store:
    """Return a store into a slot of four values from 0 to 9."""
    return ir.Store(X, index, value)


def with_body(body: ir.Block, results: Sequence[ir.Local] = (), more: Sequence[ir.Function] = ()) -> Program:
    """Return a compiled program with one function more, of one parameter, and what it works on."""
    program = compiled(DOOR_KEY).program
    function = ir.Function("broken", (GIVEN,), body, results=tuple(results))
    functions = {**program.functions, **{each.name: each for each in (function, *more)}}
    slots = (*program.slots, X, FLAG, UNSET)
    return replace(program, functions=functions, slots=slots, tables=(*program.tables, TABLE))


def kinds_of(program: Program) -> set[str]:
    """Return the kinds of faults that a program has."""
    return {fault.kind for fault in faults_of(program)}


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_specs__are_proved(path: Path) -> None:
    """Of every spec all that its program claims follows, with loops written out and in the structured form too."""
    program = compiled(path).program
    for form in (program, program.plain, program.structured):
        assert faults_of(form) == []


def test_compiling__is_proving_in_tests() -> None:
    """Each test compiles through a compiler that proves what it made."""
    assert lowering.lower.__name__ == "lower_and_prove"


GIVEN = local("given", 0, 99)
IN_ONE_BRANCH: ir.Block = [ir.If(ir.eq(ir.load(X), 0), LET, []), stored(local())]
TAKES_ONE = ir.Function("takes_one", (local("given", 0, 3),), [])
GIVES_ONE = ir.Function("gives_one", (), [ir.Return((ONE,))], results=(local("", 1, 1),))
EMPTIES = ir.Function("empties", (), [stored(ZERO)])
EMPTIES_ONE = ir.Function("empties_one", (), [stored(ZERO), ir.Return((ONE,))], results=(local("", 0, 1),))
HALF = ir.Const(0.5, "real")
INDEX, N, YES = local("i", 0, 3), local("n"), local("yes", 0, 1, "bool")
FOUND = [ir.Let("n", ZERO), ir.Let("yes", ir.FALSE)]


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("assignment", IN_ONE_BRANCH),
        ("assignment", [ir.For("i", ZERO, ir.load(X), LET), stored(local())]),
        ("assignment", [ir.Restore("kept")]),
        ("type", [ir.Let("a", TRUE), stored(local())]),
        ("type", [ir.Let("a", ONE), ir.Let("a", TRUE)]),
        ("type", [stored(HALF)]),
        ("type", [ir.If(ONE, [stored(ONE)], [])]),
        ("type", [ir.While(ir.load(X), [ir.Break()])]),
        ("type", [stored(ONE, HALF)]),
        ("type", [ir.Let("a", ir.add(ir.load(FLAG), ONE))]),
        ("type", [ir.Let("a", ir.Op("not", (ONE,), "bool", 0, 1))]),
        ("type", [ir.Let("a", ir.Op("==", (TRUE, ONE), "bool", 0, 1))]),
        ("type", [ir.Do(ir.call("takes_one", TRUE))]),
        ("type", [ir.Let("a", ir.call("gives_one", type="bool", low=0, high=1))]),
        ("type", [ir.For("i", ZERO, HALF, [])]),
        ("name", [ir.Do(ir.call("nobody"))]),
        ("name", [ir.Store(ir.Slot("OTHER"), ZERO, ONE)]),
        ("name", [ir.Let("a", ir.load(ir.Slot("OTHER", 1, 0, 9)))]),
        ("name", [ir.Let("a", ir.Lookup(ir.table("OTHER", [1, 2]), ZERO, "int", 1, 2))]),
        ("call", [ir.Do(ir.call("takes_one"))]),
        ("call", [ir.Do(ir.call("takes_one", ONE, ONE))]),
        ("fit", [ir.Do(ir.call("takes_one", ir.const(4)))]),
        ("fit", [stored(ir.const(10))]),
        ("fit", [stored(ir.add(ir.load(X), ONE))]),
        ("fit", [stored(ir.const(-1))]),
        ("fit", [ir.Store(UNSET, ZERO, ir.const(-2))]),
        ("fit", [ir.Fill(X, ir.const(10))]),
        ("fit", [ir.Blank(ONE, ir.const(256))]),
        ("store", [stored(ONE, ir.const(4))]),
        ("store", [ir.For("i", ZERO, ir.const(5), [stored(ONE, local("i", 0, 4))])]),
        ("load", [stored(ir.load(X, ir.const(-1)))]),
        ("lookup", [stored(ir.Lookup(TABLE, ir.load(X), "int", 1, 4))]),
        ("copy", [ir.Copy(X, TABLE, ZERO)]),
        ("range", [stored(ir.within(GIVEN, 0, 9))]),
        ("range", [stored(ir.Op("+", (ir.load(X), ir.load(X)), "int", 0, 9))]),
        ("range", [ir.Let("b", ZERO), ir.While(ir.eq(ir.load(X), 1), [ir.Let("b", ir.add(local("b", 0, 8), ONE))])]),
        ("claim", [stored(ir.Claim(ir.add(ir.load(X), ir.const(20)), "int", 0, 9, "it is said"))]),
        ("break", [ir.Break()]),
        ("return", [ir.Return((ONE,))]),
        ("out", [ir.Out(ZERO, ONE)]),
        ("division", [stored(ir.Op("//", (ONE, ir.load(X)), "int", 0, 9))]),
        ("division", [stored(ir.Op("%", (ONE, ir.load(X)), "int", 0, 9))]),
        ("draw", [DRAWN]),
        ("effect", [stored(ir.drawn(ir.const(4), 3))]),
        ("effect", [ir.If(ir.both(ir.load(FLAG), ir.Draw("odds", (ONE, ir.const(2)), "bool")), [], [])]),
        ("effect", [ir.If(ir.eq(ir.call("empties_one", low=0, high=1), 1), [], [])]),
        ("effect", [*FOUND, ir.any_of(YES)("i", ZERO, ir.const(4), [stored(ONE), ir.Hit()])]),
        ("effect", [*FOUND, ir.any_of(YES)("i", ZERO, ir.const(4), [ir.Bind("d", ir.drawn(ONE, 0)), ir.Hit()])]),
        ("hit", [ir.Hit()]),
        ("hit", [*FOUND, ir.count_of(N)("i", ZERO, ir.const(4), [ir.If(ir.load(FLAG), [ir.Hit()], []), ir.Hit()])]),
        ("hit", [*FOUND, ir.any_of(YES)("i", ZERO, ir.const(4), [ir.For("j", ZERO, ONE, [ir.Hit()])])]),
        ("hit", [*FOUND, ir.any_of(YES)("i", ZERO, ir.const(4), [ir.If(ir.load(FLAG), [ir.Return(())], [ir.Hit()])])]),
        ("assignment", [ir.any_of(YES)("i", ZERO, ir.const(4), [ir.Hit()])]),
        ("assignment", [*FOUND, ir.count_of(N)("i", ZERO, ir.const(4), [ir.If(ir.lt(N, 2), [ir.Hit()], [])])]),
        ("assignment", [*FOUND, ir.count_of(N)("i", ZERO, ir.const(4), [ir.Let("a", ONE), ir.Hit()]), stored(local())]),
        ("assignment", [*FOUND, *LET, ir.count_of(N)("i", ZERO, ir.const(4), [ir.Let("a", ONE), ir.Hit()]), stored(local())]),
        ("type", [*FOUND, ir.first_of(N)("i", ZERO, ir.const(4), [ir.Hit(TRUE)])]),
        ("type", [*FOUND, ir.sum_of(N)("i", ZERO, ir.const(4), [ir.Hit(HALF)])]),
        ("range", [*FOUND, ir.count_of(N)("i", ZERO, ir.const(4), [ir.Hit()]), stored(local("n", 0, 3))]),
        ("range", [*FOUND, ir.sum_of(N)("i", ZERO, ir.const(4), [ir.Hit(ir.load(X))]), stored(local("n", 0, 9))]),
        ("range", [*FOUND, ir.last_of(N)("i", ZERO, ir.const(4), [ir.Hit(ir.load(X))]), stored(local("n", 0, 8))]),
        ("range", [*FOUND, ir.For("i", ZERO, ir.const(2), [ir.count_of(N)("j", ZERO, ir.const(4), [ir.Hit()])]), stored(local("n", 0, 7))]),
        ("store", [*FOUND, ir.collected(X, N)("i", ZERO, ir.const(5), [ir.Hit(ONE)])]),
        ("fit", [*FOUND, ir.collected(X, N)("i", ZERO, ir.const(4), [ir.Hit(ir.const(10))])]),
        ("independence", [ir.ForEach("i", ZERO, ir.const(4), [stored(ONE)])]),
        ("independence", [ir.ForEach("i", ZERO, ir.const(3), [stored(ir.load(X, ir.add(INDEX, ONE)), INDEX)])]),
        ("independence", [ir.ForEach("i", ZERO, ir.const(4), [stored(ONE, ir.mod(INDEX, ir.const(2)))])]),
        ("independence", [ir.ForEach("i", ZERO, ir.const(4), [ir.Bind("d", ir.drawn(ONE, 0)), stored(ONE, INDEX)])]),
        ("independence", [*FOUND, ir.ForEach("i", ZERO, ir.const(4), [stored(ONE, INDEX), ir.Let("n", ONE)]), ir.If(ir.load(FLAG), [ir.Let("n", ONE)], [ir.Let("n", ONE)]), stored(N)]),
        ("independence", [ir.ForEach("i", ZERO, ir.const(4), [stored(ONE, INDEX), ir.If(ir.load(FLAG), [ir.Break()], [])])]),
        # What a test has found does not hold once it may be another thing.
        ("draw", [ir.If(ir.compare(">", ir.load(X), ZERO), [stored(ZERO), DRAWN], [])]),
        ("draw", [ir.If(ir.either(ir.compare(">", ir.load(X), ZERO), ir.load(FLAG)), [DRAWN], [])]),
        ("draw", [ir.If(ir.compare(">", ir.load(X), ZERO), [ir.Do(ir.call("empties")), DRAWN], [])]),
        ("fit", [ir.If(ir.ge(GIVEN, 3), [ir.Let("a", ir.add(GIVEN, ONE)), stored(local(high=100))], [])]),
    ],
)  # fmt: skip
def test_what_is_broken__is_found(kind: str, body: ir.Block) -> None:
    """Each way to break a function is found, as what it is, and nothing else is."""
    program = with_body(body, more=(TAKES_ONE, GIVES_ONE, EMPTIES, EMPTIES_ONE))
    assert kinds_of(program) == {kind}
    with pytest.raises(VerificationError, match="broken: "):
        verify(program)


@pytest.mark.parametrize(
    "body",
    [
        [ir.If(ir.eq(ir.load(X), 0), LET, [ir.Let("a", ZERO)]), stored(local())],
        [ir.If(ir.eq(ir.load(X), 0), LET, [ir.Return(())]), stored(local())],
        [ir.For("i", ZERO, ir.const(4), [stored(local("i", 0, 3), local("i", 0, 3))])],
        [ir.If(ir.lt(GIVEN, 10), [stored(ir.within(GIVEN, 0, 9))], [])],
        [ir.If(ir.compare(">", ir.load(X), ZERO), [DRAWN], [])],
        [ir.Let("b", ir.both(ir.load(FLAG), ir.lt(GIVEN, 10))), ir.If(local("b", 0, 1, "bool"), [stored(ir.within(GIVEN, 0, 9))], [])],
        [ir.Let("n", ZERO), ir.For("i", ZERO, ir.const(9), [ir.If(ir.load(FLAG), [ir.Let("n", ir.add(local("n", 0, 8), ONE))], [])]), stored(local("n"))],
        [ir.Let("n", ZERO), ir.While(ir.lt(local("n"), 9), [ir.Let("n", ir.add(local("n", 0, 8), ONE))]), stored(local("n"))],
        [stored(ir.sub(ir.load(X), ir.mod(ir.load(X), ir.const(4))))],
        [stored(ir.claim(GIVEN, 0, 9, "it is said"))],
        [ir.Store(UNSET, ZERO, ir.const(-1))],
        [stored(ir.Lookup(TABLE, ir.const(-1), "int", 1, 4))],
        [*FOUND, ir.count_of(N)("i", ZERO, ir.const(4), [ir.If(ir.load(FLAG), [ir.Hit()], [])]), stored(local("n", 0, 4))],
        [*FOUND, ir.first_of(N)("i", ZERO, ir.const(4), [ir.Hit(INDEX)]), stored(ONE, local("n", 0, 3))],
        [*FOUND, ir.collected(X, N)("i", ZERO, ir.const(4), [ir.Hit(INDEX)])],
        [ir.Bind("d", ir.call("empties_one", low=0, high=1)), stored(local("d", 0, 1))],
        [ir.ForEach("i", ZERO, ir.const(4), [ir.Let("a", ir.load(X, INDEX)), stored(local(), INDEX)])],
        [ir.ForEach("i", ZERO, ir.const(2), [stored(ONE, ir.mul(INDEX, ir.const(2))), stored(ONE, ir.add(ir.mul(INDEX, ir.const(2)), ONE))])],
        [ir.ForEach("i", ZERO, ir.const(2), [ir.For("j", ZERO, ir.const(2), [stored(ONE, ir.add(ir.mul(local("j", 0, 1), ir.const(2)), INDEX))])])],
    ],
)  # fmt: skip
def test_what_holds__is_proved(body: ir.Block) -> None:
    """What tests, loops that count and claims leave is known where it holds."""
    assert faults_of(with_body(body, more=(EMPTIES_ONE,))) == []


def test_results__have_to_be_returned() -> None:
    """A function that promises a result gives one on every way, in its range."""
    promised = [local("", 0, 3)]
    assert kinds_of(with_body([ir.If(ir.load(FLAG), [ir.Return((ONE,))], [])], results=promised)) == {
        "return"
    }
    assert kinds_of(with_body([ir.Return((ir.const(4),))], results=promised)) == {"fit"}
    assert kinds_of(with_body([ir.Return((ONE, ONE))], results=promised)) == {"return"}
    assert kinds_of(with_body([ir.Return((ONE,))], results=promised)) == set()


def _twice(program: Program) -> Program:
    slot = program.slots[0]
    return replace(program, slots=(*program.slots, replace(slot, name="another")))


def _named_alike(program: Program) -> Program:
    slot = program.slots[0]
    return replace(program, slots=(*program.slots, replace(slot, key="another")))


def _narrow_table(program: Program) -> Program:
    return replace(program, tables=(*program.tables, ir.Table("NARROW", [0, 7], "int", 0, 3)))


def _short_start(program: Program) -> Program:
    return replace(program, slots=(*program.slots, ir.Slot("SHORT", 3, initial=(0, 0))))


@pytest.mark.parametrize(
    ("kind", "broken"),
    [("name", _twice), ("name", _named_alike), ("fit", _narrow_table), ("fit", _short_start)],
)
def test_slots_and_tables__are_what_they_say(kind: str, broken: Callable[[Program], Program]) -> None:
    """No two have one key or one name, tables lie in their ranges, and slots start with as many values as they hold."""
    assert kinds_of(broken(compiled(DOOR_KEY).program)) == {kind}


def test_claims__that_do_not_hold_are_found_by_playing() -> None:
    """A claim that no interval refutes is asked about where programs are played so, and passed over elsewhere."""
    program = compiled(DOOR_KEY).program
    step_count = next(slot for slot in program.slots if slot.key == "STEP")
    wrong = ir.Claim(ir.load(step_count), "int", 0, 2, "no episode is longer")
    step = program.functions["step"]
    broken = replace(step, body=[ir.Let("claimed_of_test", wrong), *step.body])
    program = replace(program, functions={**program.functions, "step": broken})
    assert faults_of(program) == []
    _play(python.build(program))
    with asking():
        machine = python.build(program)
    with pytest.raises(AssertionError, match="3 is not from 0 to 2, though no episode is longer"):
        _play(machine)


def _play(machine: python.Machine) -> None:
    s, f, r = machine.new_state()
    machine.functions["reset"](s, f, r, -1)
    for _ in range(9):
        machine.functions["step"](s, f, r, 0)
