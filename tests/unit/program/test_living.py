"""Of a local nothing is known after the last statement that speaks of it, and all that is known before."""

from __future__ import annotations

from griddsl.program import ir
from griddsl.program.proof.living import ends_of

ONE = ir.const(1)


def local(name: str) -> ir.Local:
    """Return a local of the functions of these tests."""
    return ir.Local(name, "int", 0, 9)


def test_local__ends_in_the_innermost_block_that_has_all_of_it() -> None:
    """What only a branch speaks of ends there, what both do ends after them, and what a test asks after its branches."""
    then: ir.Block = [ir.Let("own", ONE), ir.Let("both", local("own"))]
    otherwise: ir.Block = [ir.Let("both", ONE)]
    choice = ir.If(ir.compare("==", local("asked"), ONE), then, otherwise)
    body: ir.Block = [ir.Let("asked", ONE), choice, ir.Return((local("both"),))]
    ends = ends_of(ir.Function("f", (), body))
    assert ends[id(then)] == {1: ("own",)} and ends[id(otherwise)] == {}
    assert ends[id(body)] == {1: ("asked",), 2: ("both",)}


def test_local__that_outlives_a_round_does_not_end_in_one() -> None:
    """A loop's own local ends in its round; what was set before it, and its number, where the loop is over."""
    inside: ir.Block = [ir.Let("own", local("i")), ir.Let("sum", ir.add(local("sum"), local("own")))]
    loop = ir.For("i", ir.const(0), ir.const(3), inside)
    body: ir.Block = [ir.Let("sum", ONE), loop]
    ends = ends_of(ir.Function("f", (), body))
    assert ends[id(inside)] == {1: ("own",)}
    assert {place: set(names) for place, names in ends[id(body)].items()} == {1: {"i", "sum"}}
