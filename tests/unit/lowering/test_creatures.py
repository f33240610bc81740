"""Creatures: objects that move by themselves, whom they meet, and what they bump into."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import griddsl
from tests.playing import NATIVE, Game, completed, drawing


def positions(game: Game, glyph: str, steps: int, action: str = "stay") -> list[int]:
    """Return the column of a glyph, step by step."""
    return [game.do(action).board.replace("\n", "").index(glyph) for _ in range(steps)]


ROW = """
map:
    .....g.
    @......
legend: g = ghost
object ghost: moves {policy}
actions: stay, right
"""


@pytest.mark.parametrize(
    ("policy", "columns"),
    [
        ("still", [5, 5, 5]),
        ("forward", [6, 6, 6]),
        ("patrol", [6, 5, 4]),
        ("forward every 3 steps", [5, 5, 6]),
        ("forward with chance 0", [5, 5, 5]),
        ("forward if step > 2 else still", [5, 5, 6]),
        ("still if step > 2 else patrol if step > 1 else forward", [6, 5, 5]),
    ],
)
def test_policy__moves_so(policy: str, columns: list[int]) -> None:
    """Policies one by one, their timing, and those that depend on a condition."""
    assert positions(Game(ROW.format(policy=policy)), "g", 3) == columns


def test_patrol__turns_back_where_it_is_blocked() -> None:
    """It goes back in the step in which it is blocked; between two walls it stays."""
    guards = Game("""
map:
    @.....
    #p..#.
    .#p#..
legend: p = guard
object guard: moves patrol
actions: stay
""")
    rows = [guards.do("stay").board.split("\n")[1] for _ in range(6)]
    assert [row.index("p") for row in rows] == [2, 3, 2, 1, 2, 3]
    assert guards.board.split("\n")[2] == ".#p#.."


def test_facing__is_where_a_patrol_goes() -> None:
    """The legend may say where it faces, rules may ask and turn it, and turning back turns it."""
    guard = Game("""
map:
    @..
    ..p
    ...
legend: p = guard(facing=south)
object guard: moves patrol
actions: stay, turn
when guard.facing is north: reward 1
on do turn: guard.facing becomes west
""")
    assert guard.rewards("stay stay stay stay stay") == [0, 1, 1, 0, 0]
    assert guard.do("turn").board == drawing("""
        @..
        ...
        .p.
    """)


def test_random__goes_to_each_free_neighbour_as_often() -> None:
    """Of eight neighbours one is a wall and one is the agent's, who is no obstacle for what is not solid."""
    for neighbours, expected in (("random", 3), ("random 8", 7)):
        ghost = Game(f"""
map:
    ....
    .g#.
    .@..
legend: g = ghost
object ghost: moves {neighbours}
actions: stay
""")
        found = Counter(ghost.reset().do("stay").slot("OBJECT_CELL")[0] for _ in range(1400))
        assert len(found) == expected
        assert all(abs(count - 1400 / expected) < 110 for count in found.values()), found


def test_toward__takes_the_neighbour_that_is_nearest() -> None:
    """Ties are drawn; a blocked way is not taken, and no way around is sought."""
    ghost = Game("""
map:
    ...#.
    .@.g.
    ...#.
    ..h..
legend: g = ghost, h = hound
object ghost: moves toward agent
object hound: moves toward agent
actions: stay
""")
    cells = Counter(tuple(ghost.reset().do("stay").slot("OBJECT_CELL")) for _ in range(200))
    assert set(cells) == {(7, 12), (7, 16)}
    assert min(cells.values()) > 60


def test_away_from__takes_the_neighbour_that_is_farthest() -> None:
    """In a corner it stays."""
    ghost = Game("""
map:
    @.g
    ...
legend: g = ghost
object ghost: moves away from agent
actions: stay
""")
    assert [ghost.do("stay").slot("OBJECT_CELL") for _ in range(3)] == [[5], [5], [5]]


def test_toward__what_is_not_there_stays() -> None:
    """Without its goal a creature does not move."""
    cat = Game("""
map:
    @.c..m
legend: c = cat, m = mouse
object cat: moves toward mouse
object mouse:
actions: stay, free
on do free: remove mouse
""")
    assert positions(cat, "c", 1) == [3]
    assert cat.do("free stay").board == "@..c.."


CHASE = """
map:
    @.g...
legend: g = ghost
object ghost: moves {policy}
actions: stay, right, left
order: {order}
on meet ghost: reward -10
on ghost meet agent: reward -1
"""


@pytest.mark.parametrize(
    ("policy", "order", "actions", "rewards"),
    [
        ("toward agent", "agents, objects", "stay stay stay", [0, -11, 0]),
        ("toward agent", "agents, objects", "right stay", [-11, 0]),
        ("toward agent", "objects, agents", "right right", [-11, 0]),
        ("still", "agents, objects", "right right right left", [0, -11, 0, -11]),
        ("forward", "objects, agents", "right right right right right", [0, 0, 0, 0, -11]),
    ],
)
def test_meet__fires_where_ways_cross(policy: str, order: str, actions: str, rewards: list[float]) -> None:
    """Meeting fires once, for whoever moves into the other, in either order; standing together is no meeting."""
    assert Game(CHASE.format(policy=policy, order=order)).rewards(actions) == rewards


def test_meet__of_two_creatures_names_both() -> None:
    """A cat on the ground catches the mouse there, not the agent whose number is the mouse's."""
    hunt = Game("""
map:
    @.c..m
legend: c = cat, m = mouse
object cat: layer ground, moves toward mouse, mood in bad | good
object mouse: layer small, moves still
actions: stay, right
on cat meet mouse: reward 100, remove mouse
on cat(mood=bad) meet agent: reward 10
""")
    assert hunt.rewards("stay stay stay") == [0, 0, 100]
    assert hunt.rewards("right right right right right") == [0, 0, 0, 0, 10]
    waiting = Game("""
map:
    @..c..m
legend: c = cat, m = mouse
object cat: layer ground, moves still
object mouse: layer small
actions: right
on cat meet mouse: reward 100
on cat meet agent: reward 1
""")
    assert waiting.rewards("right right right") == [0, 0, 1]


def test_solid_creature__does_not_enter_the_agents_cell() -> None:
    """What is solid waits beside the agent, and blocks it."""
    troll = Game("""
map:
    @.t
legend: t = troll
object troll: solid, moves toward agent
actions: stay, right
on bump troll: reward -1
when agent at troll: reward -10
""")
    assert troll.rewards("stay stay right") == [0, 0, -1]


def test_events__of_creatures() -> None:
    """A creature enters, leaves and bumps, and rules can send and turn it."""
    owl = Game("""
map:
    @.o.#
legend: o = owl
object owl: moves forward
actions: stay
on owl leave floor: reward 1
on owl enter floor: reward 10
on owl bump wall: reward 100, turn to west
""")
    assert owl.rewards("stay stay stay") == [11, 100, 11]


def test_order__of_creation_decides_who_goes_first() -> None:
    """The left ghost frees its cell before the right one moves; seen from the right it is the other way."""
    for facing, columns in (("west", [0, 1, 4]), ("east", [1, 3, 5])):
        ghosts = Game(f"""
map:
    .gg..g
    @.....
legend: g = ghost(facing={facing})
object ghost: moves forward
actions: stay
""")
        ghosts.do("stay")
        assert [i for i, glyph in enumerate(ghosts.board.split("\n")[0]) if glyph == "g"] == columns


BREEDING = """
object bird: facing, moves forward
object crow: facing, moves forward
object egg:
map:
    @.....
    {row}
legend: b = bird, c = crow, e = egg
actions: stay
on bird enter floor if step == 1: {effects}
info: sum = sum(bird.x for bird)
"""


@pytest.mark.parametrize("backend", ["python", NATIVE])
@pytest.mark.parametrize(
    ("row", "effects", "sums"),
    [
        ("b.....", "place bird at (0, 0)", [1 + 0, 2 + 1, 3 + 2]),
        ("b..c..", "remove crow, place bird at (3, 0)", [1 + 3, 2 + 4, 3 + 5]),
        ("b..e..", "egg becomes bird", [1 + 3, 2 + 4, 3 + 5]),
        ("b..c..", "crow becomes bird", [1 + 4, 2 + 5, 3 + 5]),
    ],
)
def test_creatures__that_come_to_be_while_others_move_wait(
    row: str, effects: str, sums: list[int], backend: str
) -> None:
    """What comes to be, or to move, by an event of another one's move waits, wherever it comes in the order."""
    text = BREEDING.format(row=row, effects=effects)
    text = "\n".join(line for line in text.split("\n") if "legend" not in line)
    legend = ", ".join(f"{name[0]} = {name}" for name in ("bird", "crow", "egg") if name[0] in row)
    env: Any = griddsl.make(completed(f"{text}legend: {legend}"), backend=backend)
    env.reset(seed=0)
    assert [env.step(0)[-1]["sum"] for _ in sums] == sums


@pytest.mark.parametrize("how", ["patrol", "forward"])
def test_ahead__of_the_border_is_no_ground(how: str) -> None:
    """What goes ahead on ground that changes looks for one-way tiles only where there are cells."""
    game = Game(f"""
map:
    v@.c
tile gate: one_way south
object cart: moves {how}, facing in east | south | west | north
legend: v = gate, c = cart
actions: stay, build
on do build: place gate at (2, 0)
""")
    boards = [game.do("stay").board for _ in range(5)]
    assert boards == (["v@c.", "v@..", "v@c.", "v@.c", "v@c."] if how == "patrol" else ["v@.c"] * 5)


@pytest.mark.parametrize("sent", ["go to start", "move agent to start", "place agent at (0, 0)"])
def test_meetings__that_send_the_agent_to_where_it_is_are_met_once(sent: str) -> None:
    """A guard who comes to the start costs once what the rule says, as elsewhere."""
    text = (
        f"object guard: moves patrol\nmap:\n    @g\nlegend: g = guard\nactions: right, stay\nobserve: cell\n"
        f"on meet guard: reward -3, {sent}\nlimit: 9 steps\n"
    )
    game = Game(text).do("stay")
    assert (game.board, game.reward) == ("@.", -3)
