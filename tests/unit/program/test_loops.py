"""Loops that are made shorter: the same episodes, draw by draw, in fewer rounds."""

from __future__ import annotations

from pathlib import Path

import pytest

import griddsl
from griddsl.backends.python import build
from griddsl.compiler import compile_spec, compiled
from griddsl.diagnostics import Report
from griddsl.lowering import lower
from griddsl.program.passes import loops
from griddsl.program.program import Program
from tests.playing import Game, completed

SPECS = sorted((Path(__file__).parents[3] / "specs").glob("*.grid"))
BOX = """
var left: 2 in 0..9
var high: 3 in 0..9
generate: empty(6, 4)
setup:
    choose c in 1..4
    place mud at every floor where x >= left and y < high with chance 0.4
    place stone at every floor where c == x and y > 0
    place agent at random floor where 0 < y and x < left + 1
    place flag at random floor in column 5 where path_distance(here, agent) < width * height
tile stone: solid
actions: left, right, stay
each step: reward count(mud where mud.x > left and mud.y == high - 1)
each step: reward 10 * count(stone where path_distance(stone, agent) == 24)
on enter flag: end success
on enter mud: left -= 1, high += 1
"""


def unshortened(source: Path | str, monkeypatch: pytest.MonkeyPatch) -> Program:
    """Return the program of a spec with all its loops as they were written."""
    with monkeypatch.context() as patch:
        patch.setattr(lower, "search_once", lambda *_: None)
        patch.setattr(lower, "list_places", lambda *_: None)
        patch.setattr(loops, "narrowed", lambda function, *_: function.body)
        program = compile_spec(source, {}, Report())[1]
        assert program is not None
        assert program.plain.functions  # found while loops are left as they are
    return program


def trail(program: Program, seed: int, steps: int = 30) -> list[object]:
    """Return the states of an episode, the random stream included."""
    machine = build(program)
    s, f, r = machine.new_state()
    r[0] = seed
    machine.functions["reset"](s, f, r, -1)
    saved, found = program.layout.saved, list[object]()
    for step in range(steps):
        found.append((s[:saved], f[: program.layout.saved_reals], r[0]))
        actions = [step % len(group.actions) for group in program.groups]
        if len(program.players) > 1:
            # Of several, what each chose is read from the state.
            choice, width = program.layout.offsets["CHOICE"], len(actions)
            for player in program.players:
                s[choice + player.agent * width] = (step + player.agent) % len(player.groups[0].actions)
            actions = []
        found.append(machine.functions["step"](s, f, r, *actions))
    return found


@pytest.mark.parametrize("source", [*SPECS, completed(BOX)], ids=lambda spec: getattr(spec, "stem", "box"))
def test_shorter_loops__leave_every_episode_as_it_was(
    source: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each bundled spec takes the same states and draws the same numbers with and without."""
    short, long = compiled(source).program, unshortened(source, monkeypatch)
    for seed in range(4):
        assert trail(short, seed) == trail(long, seed)


@pytest.mark.long
def test_shorter_loops__are_some(monkeypatch: pytest.MonkeyPatch) -> None:
    """The guard above has something to guard: programs do change."""
    changed = [
        path.stem
        for path in SPECS
        if compiled(path).program.source() != unshortened(path, monkeypatch).source()
    ]
    assert {"key_corridor", "multi_room", "door_key"} <= set(changed)


def test_box__is_all_that_is_looked_at() -> None:
    """Conditions on x and y bound the rows and columns; a chance after them is drawn for no other cell."""
    source = griddsl.make(completed(BOX)).program.source()
    assert "for cell_row in range(min(s[VAR__high], 4)):" in source
    assert "range(cell_row * 6 + max(s[VAR__left], 0), cell_row * 6 + 6):" in source
    assert "for cell_2_row in range(1, 4):" in source
    assert "range(cell_2_row * 6 + max(s[CHOSEN__c], 0), cell_2_row * 6 + min(s[CHOSEN__c] + 1, 6))" in source


LISTED = """
region corner: (0..1, 0..1)
tile pond:
map:
    ......
    .p....
    ....p.
    ......
legend: p = pond
setup:
    place agent at random floor in corner
    place gem at every floor where x > 3 and y != 1 with chance 0.5
    place gem at random floor where y + 1 >= x
object gem:
actions: left, right, stay
each step: reward count(gem)
"""


def test_cells_that_never_change__are_listed() -> None:
    """Where conditions of the map and of x and y leave few cells, the loop goes over a list of these, in their order."""
    program = griddsl.make(completed(LISTED)).program
    tables = {table.key: list(table.values) for table in program.tables}
    assert tables["PLACES", 1] == [0, 1, 6]
    assert tables["PLACES", 2] == [4, 5, 17, 22, 23]
    assert "for cell" in program.source()  # the last leaves more than half
    for seed in range(20):
        game = Game(LISTED, seed)
        assert game.board.replace("\n", "").count("@") == 1


@pytest.mark.parametrize(
    "condition",
    [
        "x * 0.1 == 0.3",
        "x / 3 == 1",
        "x * 900000000000000000 * 100 > 5 and x < 3",
        "7 mod (x + 1) == 0 and x > 2",
    ],
)
def test_listed_cells__are_those_that_the_program_finds(
    condition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reals are rounded as the program rounds them, and large numbers are not cut."""
    setup = f"setup:\n    place agent at (9, 0)\n    place gem at every floor where {condition}"
    text = completed(
        f"object gem:\nactions: stay\ngenerate: empty(10, 1)\n{setup}\neach step: reward count(gem)\n"
    )
    assert trail(compiled(text).program, 0) == trail(unshortened(text, monkeypatch), 0)


def test_search__is_made_once_a_loop() -> None:
    """A path distance from one place is searched once for all cells that it is asked of."""
    source = griddsl.make(completed(BOX)).program.source()
    assert source.count("if not known") == 2
    game = Game(BOX)
    assert game.rewards("stay stay") == [game.reward, game.reward]


DIGGING = """
generate: empty(5, 1)
setup:
    place agent at (0, 0)
    place wall at every floor where path_distance(here, agent) < 5 and x > 1
actions: stay
"""


def test_search__is_made_again_where_the_loop_changes_the_world() -> None:
    """A wall that is placed cuts off what lies behind it, in the same loop."""
    assert Game(DIGGING).board == "@.#.."
