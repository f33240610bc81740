"""Planes of the ground show what they did, written without a branch, and few of them at once."""

from __future__ import annotations

import pytest

from griddsl.backends.interface import leaf_ports
from griddsl.backends.python import build
from griddsl.compiler import compiled
from griddsl.program import ir
from griddsl.program.passes.painted import painted
from griddsl.program.program import Program
from tests.playing import completed

GAME = """
tile grass: worn in 0..9
tile mud:
object stone: layer stones
generate: empty(9, 7)
setup:
    place agent at random floor
    repeat 9: place grass at random floor
    repeat 9: place mud at random floor
    repeat 3: place stone at random floor
actions: up, right, down, left
on enter grass: grass.worn += 1
on enter mud: place floor at mud
observe: grid as planes ({planes})
limit: 40 steps
"""


def pictures(program: Program) -> list[bytes]:
    """Return what is seen in an episode."""
    machine = build(program)
    s, f, r = machine.new_state()
    machine.functions["reset"](s, f, r, -1)
    found = []
    for step in range(40):
        picture = bytearray(b"\7" * leaf_ports(program)[0][1].size)
        machine.functions["observe__0"](s, f, r, picture)
        found.append(bytes(picture))
        machine.functions["step"](s, f, r, step * step % 7 % 4)
    return found


def shown(planes: str) -> tuple[Program, ir.Block]:
    """Return a game that observes some planes, and the body of what compilers are given of that."""
    program = compiled(completed(GAME.format(planes=planes))).program
    return program, program.outlined.functions["observe__0"].body


@pytest.mark.parametrize(
    ("planes", "at_once"),
    [
        ("mud", 1),
        ("agent, mud", 2),
        ("mud, agent, grass", 3),
        ("agent, stone, grass, mud", 4),
        ("mud, grass, grass(worn=1)", 3),
        ("agent, stone, grass, mud, grass(worn=2)", 0),
    ],
)
def test_painted__shows_the_same(planes: str, at_once: int) -> None:
    """Of each cell, all planes where they are few, and else those of the ground."""
    program, body = shown(planes)
    seen = pictures(program)
    assert len({*seen}) > 3
    assert pictures(program.outlined) == seen
    first = next(each for each in body if isinstance(each, ir.For))
    assert not any(isinstance(each, ir.If) for each in first.body)
    if at_once:
        assert sum(isinstance(each, ir.Out) for each in first.body) == at_once
        assert not any(isinstance(each, ir.Blank) for each in body)
    else:
        assert isinstance(body[0], ir.Blank)


def test_painted__leaves_what_was_written_as_it_was() -> None:
    """A plane that something else has written to before, and loops that do more than to show cells."""
    slot, table = ir.Slot("TILE", 8, 0, 3), ir.Slot("SEEN", 8, 0, 3)
    cell = ir.Local("cell", "int", 0, 7)

    def loop(plane: int, code: int, *more: ir.Stmt) -> ir.For:
        out = ir.Out(ir.add(ir.mul(cell, ir.const(2)), ir.const(plane)), ir.const(1))
        return ir.For(
            "cell", ir.const(0), ir.const(8), [ir.If(ir.eq(ir.load(slot, cell), code), [out, *more], [])]
        )

    def body(*block: ir.Stmt) -> ir.Block:
        function = ir.function("see", (), list(block), "", writes_out=True)
        return painted({"see": function})["see"].body

    blank, more = ir.Blank(ir.const(16), ir.const(0)), ir.Store(table, cell, ir.const(1))
    assert body(loop(0, 1)) == [loop(0, 1)]
    assert body(ir.Blank(ir.const(16), ir.const(2)), loop(0, 1))[1] == loop(0, 1)
    assert body(blank, loop(0, 1, more)) == [blank, loop(0, 1, more)]
    one, other, again = body(blank, loop(0, 1), loop(1, 2), loop(0, 3))
    assert isinstance(one, ir.For) and len(one.body) == 2
    assert isinstance(other, ir.For) and len(other.body) == 1
    assert again == loop(0, 3)
