"""Searches: a loop that is left where it first does something is looked through, and what it does is done once."""

from __future__ import annotations

import pytest

from griddsl.backends.python.emit import RUNTIME
from griddsl.program import ir
from griddsl.program.passes.loops import in_loops
from griddsl.program.passes.structured.flags import without_leaps
from griddsl.program.passes.structured.found import found_first
from griddsl.program.printer import PLAIN, print_function

X, Y = ir.Slot("X", 4, -1, 9), ir.Slot("Y", 1, -1, 9)
NUMBER = ir.Local("i", "int", 0, 3)
HERE = ir.load(X, NUMBER)
TAKE: ir.Block = [ir.Store(X, NUMBER, ir.const(7)), ir.Store(Y, ir.const(0), NUMBER)]


def loop(*body: ir.Stmt) -> ir.Function:
    """Return a function that goes through the entries of X."""
    return ir.Function("f", (), [ir.For("i", ir.const(0), ir.const(4), [*body])])


def free(*done: ir.Stmt) -> ir.If:
    """Return what does something at a free entry."""
    return ir.If(ir.lt(HERE, 0), [*done], [])


def outcome(functions: dict[str, ir.Function], row: list[int]) -> list[int]:
    """Return what a function leaves of X and Y."""
    space = {**RUNTIME, "X": 0, "Y": 4}
    lines = [line for f in in_loops(functions, 2, 2).values() for line in print_function(f, set(), PLAIN)]
    exec("\n".join(lines), space)
    state = [*row, -1]
    space["f"](state, [], None)
    return state


FOUND = [
    loop(free(*TAKE, ir.Break())),
    loop(free(ir.If(ir.eq(ir.load(Y, 0), -1), [*TAKE, ir.Break()], []))),
    loop(
        ir.Let("x", HERE),
        ir.If(ir.lt(ir.Local("x"), 0), [ir.Store(Y, ir.const(0), ir.Local("x")), ir.Return(())], []),
    ),
]
LEFT_ALONE = [
    loop(free(*TAKE)),
    loop(ir.Store(Y, ir.const(0), NUMBER), free(ir.Break())),
    loop(ir.If(ir.lt(HERE, 0), [*TAKE, ir.Break()], [ir.Store(X, NUMBER, ir.const(5))])),
]
ROWS = [[-1, 2, 3, 4], [1, 2, -1, -1], [1, 2, 3, -1], [1, 2, 3, 4]]


@pytest.mark.parametrize("row", ROWS, ids=str)
@pytest.mark.parametrize("function", [*FOUND, *LEFT_ALONE], ids=range(6))
def test_found_first__does_the_same(function: ir.Function, row: list[int]) -> None:
    """Whatever is free, first or nowhere, the same is left behind."""
    assert outcome(without_leaps(found_first({"f": function})), row) == outcome({"f": function}, row)


@pytest.mark.parametrize("function", FOUND, ids=range(3))
def test_found_first__leaves_no_loop_that_goes_round_by_round(function: ir.Function) -> None:
    """What is found first is found by a search."""
    made = [*ir.statements(found_first({"f": function})["f"].body)]
    assert [each.how for each in made if isinstance(each, ir.Reduce)] == ["first"]
    assert not any(isinstance(each, ir.For | ir.Break) for each in made)


def test_found_first__leaves_alone_what_rounds_hand_on() -> None:
    """Rounds that count, or locals that are read behind the loop, need the rounds."""
    count = ir.Local("n", "int", 0, 9)
    counted = ir.Let("n", ir.add(count, ir.const(1)))
    body: ir.Block = [counted, ir.If(ir.lt(HERE, 0), [*TAKE, ir.Break()], [])]
    around: ir.Block = [ir.Let("n", ir.const(0)), ir.For("i", ir.const(0), ir.const(4), body)]
    read: ir.Block = [
        ir.For("i", ir.const(0), ir.const(4), [ir.Let("x", HERE), *body[1:]]),
        ir.Store(Y, ir.const(0), ir.Local("x", "int", -1, 9)),
    ]
    for block in (around, read, *(function.body for function in LEFT_ALONE)):
        assert found_first({"f": ir.Function("f", (), block)})["f"].body == block
