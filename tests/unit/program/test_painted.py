"""Planes show what they did: of the ground without a branch, few of them at once, of things in one loop."""

from __future__ import annotations

import pytest

from griddsl.backends.interface import leaf_ports
from griddsl.backends.python import build
from griddsl.compiler import compiled
from griddsl.program import ir
from griddsl.program.passes.painted import painted, shown_together
from griddsl.program.program import Program
from tests.playing import completed

TRUE = ir.const(1)
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


THINGS = """
object star: layer stars, way in west | east
object moon: layer moons
object sun: layer suns, heat 3 in 1..9
generate: empty(6, 5)
setup:
    place agent at random floor
    repeat 4: place star(way=random) at random floor
    repeat 3: place moon at random floor
    repeat 2: place sun(heat=random) at random floor
actions: up, right, down, left
each step:
    each moon: move moon south
on meet moon: remove moon
observe: grid as planes ({planes})
limit: 40 steps
"""


@pytest.mark.parametrize(
    "planes",
    [
        "star, moon",
        "star, moon, sun",
        "(star.x - 1, star.y) for star | (moon.x, moon.y + 1) for moon, star(way=west), sun",
        "star, sun.heat > 4, moon",
        "star, y == 1 and x < 3, moon, sun",
    ],
)
@pytest.mark.parametrize("form", ["outlined", "structured"])
def test_shown_together__shows_the_same(planes: str, form: str) -> None:
    """Things of several kinds are shown by one loop."""
    program = compiled(completed(THINGS.format(planes=planes))).program
    seen = pictures(program)
    assert len({*seen}) > 3
    made = getattr(program, form)
    assert pictures(made) == seen
    body = made.functions["observe__0"].body
    assert sum(isinstance(each, ir.For) and int(each.high.high) == 9 for each in body) == 1


def test_shown_together__leaves_what_may_be_seen() -> None:
    """Loops that write other values, that go through other things, or between which something is done."""
    slot, count = ir.Slot("CELL", 8, 0, 3), ir.Slot("THINGS", 1, 0, 8)
    kept = ir.Slot("KEPT", 1, 0, 8)

    def loop(name: str, plane: int, high: ir.Expr, value: ir.Expr = TRUE, *more: ir.Stmt) -> ir.For:
        place = ir.add(ir.mul(ir.load(slot, ir.Local(name, "int", 0, 7)), ir.const(3)), ir.const(plane))
        return ir.For(name, ir.const(0), high, [ir.Out(place, value), *more])

    def loops(*block: ir.Stmt) -> int:
        function = ir.function("see", (), list(block), "", writes_out=True)
        body = shown_together({"see": function})["see"].body
        return sum(isinstance(each, ir.For) for each in body)

    end, same, other = ir.load(count), ir.Let("n", ir.load(count)), ir.Let("m", ir.load(kept))
    n, m = ir.Local("n", "int", 0, 8), ir.Local("m", "int", 0, 8)
    store = ir.Store(kept, ir.const(0), ir.const(1))
    assert loops(loop("i", 0, end), loop("j", 1, end), ir.Note("x"), loop("k", 0, end)) == 1
    assert loops(loop("i", 0, end), same, loop("j", 1, n)) == 1
    assert loops(loop("i", 0, end), other, loop("j", 1, m)) == 2
    assert loops(loop("i", 0, end), loop("j", 0, end, ir.const(2))) == 2
    assert loops(loop("i", 0, end), loop("j", 0, ir.const(8))) == 2
    assert loops(loop("i", 0, end), store, loop("j", 1, end)) == 2
    assert loops(loop("i", 0, end), loop("j", 1, end, TRUE, store)) == 2
    assert loops(loop("i", 0, end), loop("j", 1, end, ir.load(kept)), loop("k", 2, end)) == 3
    asks = ir.If(ir.eq(m, 1), [ir.Out(ir.const(0), TRUE)], [])
    assert loops(loop("i", 0, end), other, loop("j", 1, end, TRUE, asks)) == 2
    assert loops(other, loop("i", 0, end), loop("j", 1, end, TRUE, asks)) == 1
    called = ir.Let("r", ir.call("asked", low=0, high=1))
    assert loops(loop("i", 0, end), loop("j", 1, end, TRUE, called)) == 2
    by_cell = ir.Out(ir.mul(ir.Local("c", "int", 0, 7), ir.const(3)), TRUE)
    cells = [ir.For("c", ir.const(0), ir.const(8), [by_cell])]
    assert loops(*cells, *cells) == 2
