"""Ground: what tiles do to a move, and what stands at the border."""

from __future__ import annotations

import pytest

from tests.playing import Game, drawing

MOVES = "actions: up, right, down, left, stay\n"
LINE = "map:\n    @iii.\n    .....\nlegend: i = ice\ntile ice: slide\n" + MOVES


def at(game: Game) -> tuple[int, int]:
    """Return the agent's position."""
    return game.observation % game.env.program.width, game.observation // game.env.program.width


def test_slide__goes_on_until_off_the_ice() -> None:
    """A move onto ice goes on to the first cell that is none."""
    assert at(Game(LINE).do("right")) == (4, 0)


def test_slide__stops_before_what_is_solid() -> None:
    """A wall in the way leaves the agent on the last ice."""
    game = Game("map:\n    @ii#\nlegend: i = ice\ntile ice: slide\n" + MOVES)
    assert at(game.do("right")) == (2, 0)


def test_slide__stops_at_the_border_and_bumps_it() -> None:
    """Sliding ends at the edge, which is bumped."""
    game = Game("map:\n    @iii\nlegend: i = ice\ntile ice: slide\non bump edge: reward -5\n" + MOVES)
    assert game.rewards("right") == [-5]
    assert at(game) == (3, 0)


def test_slide__enters_each_cell() -> None:
    """Every cell that is slid over is entered, once."""
    game = Game("map:\n    @iii.\nlegend: i = ice\ntile ice: slide\non enter ice: reward 1\n" + MOVES)
    assert game.rewards("right") == [3]


def test_slide__ends_with_the_episode() -> None:
    """An ``end`` stops the rest of a move."""
    game = Game(
        (
            "map:\n    @igi.\nlegend: i = ice, g = goal\ntile ice: slide\ntile goal: slide\n"
            "on enter goal: end success\n"
        )
        + MOVES
    )
    assert at(game.do("right")) == (2, 0)
    assert game.terminated


def test_drift__is_added_to_the_move() -> None:
    """Wind where the move starts shifts where it ends; only that cell is entered."""
    text = (
        "map:\n    ....\n    .CC.\n    .w..\n    @w..\nlegend: w = wind, C = coin\n"
        "tile wind: drift north 2\non enter coin: reward 1\n"
    ) + MOVES
    game = Game(text)
    assert at(game.do("right")) == (1, 3)
    assert game.rewards("right") == [1]
    assert at(game) == (2, 1)


def test_drift__blows_who_stays() -> None:
    """Staying on windy ground is a move of no cell, to which the wind is added."""
    game = Game("map:\n    ..\n    ..\n    @w\nlegend: w = wind\ntile wind: drift north 1\n" + MOVES)
    assert at(game.do("right stay")) == (1, 1)


@pytest.mark.parametrize(("edge", "end"), [("stay", (1, 2)), ("clip", (1, 0)), ("wrap", (1, 2))])
def test_drift__follows_the_border(edge: str, end: tuple[int, int]) -> None:
    """Blown off the grid, the agent stays, is clipped or comes in at the other side."""
    text = f"map:\n    ..\n    ..\n    @w\nlegend: w = wind\ntile wind: drift north 3\nedge: {edge}\n" + MOVES
    assert at(Game(text).do("right stay")) == end


def test_drift__draws_among_its_values() -> None:
    """Several values come with equal chances."""
    game = Game("map:\n    ..\n    ..\n    @w\nlegend: w = wind\ntile wind: drift north 0 | 1 | 2\n" + MOVES)
    ends = []
    for _ in range(300):
        game.reset()
        ends.append(at(game.do("right stay"))[1])
    assert all(70 < ends.count(y) < 130 for y in range(3))


def test_carry__moves_on_what_stands_there_after_moving() -> None:
    """A belt carries one cell, and who waits on it too."""
    game = Game("map:\n    @bbb.\nlegend: b = belt\ntile belt: carry east\n" + MOVES)
    assert at(game.do("right")) == (2, 0)
    assert at(game.do("stay")) == (3, 0)
    assert at(game.do("left")) == (3, 0)


def test_carry__is_stopped_by_what_is_solid() -> None:
    """A belt does not carry into a wall, nor off the grid."""
    game = Game(
        (
            "map:\n    @b#\n    .b.\n    .s.\nlegend: b = belt, s = down_belt\n"
            "tile belt: carry east\ntile down_belt: carry south\n"
        )
        + MOVES
    )
    assert at(game.do("right")) == (1, 0)


def test_one_way__is_entered_only_its_way() -> None:
    """A gate opens for moves in its direction, and is bumped by the others."""
    text = (
        "map:\n    @..\n    .g.\n    ...\nlegend: g = gate\ntile gate: one_way south\n"
        "on bump gate: reward -1\n"
    ) + MOVES
    game = Game(text)
    assert game.rewards("right down") == [0, 0]
    assert at(game) == (1, 1)
    assert game.rewards("down up") == [0, -1]
    assert at(game) == (1, 2)
    assert game.rewards("left up right") == [0, 0, -1]


def test_portals__do_not_loop() -> None:
    """Who goes in at one end stands at the other, and can come back."""
    text = """
map:
    @1..1
    .2..2
legend: 1 = portal(pair=1), 2 = portal(pair=2)
tile portal: pair in 1 | 2
actions: up, right, down, left
on enter portal: reward -1, go to other portal(pair=portal.pair)
"""
    game = Game(text)
    assert game.rewards("right") == [-1]
    assert at(game) == (4, 0)
    assert at(game.do("left right")) == (1, 0)
    assert at(game.do("left down right")) == (4, 1)


def test_tile_attributes__are_read_and_written() -> None:
    """A rule reads the attribute of the very tile, and changes it."""
    text = """
map:
    @ab
legend: a = plot(worth=3), b = plot(worth=5)
tile plot: worth in 0..9
actions: left, right
on enter plot:
    reward plot.worth
    plot.worth -= 2
"""
    assert Game(text).rewards("right right left right") == [3, 5, 1, 3]


def test_tiles__become_others() -> None:
    """A tile that becomes another behaves as that, until the reset."""
    text = (
        "map:\n    @i.\nlegend: i = ice\ntile ice: slide\nactions: left, right\n"
        "on leave ice: ice becomes wall\n"
    )
    game = Game(text)
    assert at(game.do("right left")) == (2, 0)
    assert game.board == drawing("""
        .#@
    """)
    assert game.reset().board == "@i."


def test_edge__wraps() -> None:
    """A wrapping border joins opposite sides, and is never bumped."""
    game = Game("map:\n    @..\n    ...\nedge: wrap\n" + MOVES)
    assert [at(game.do(way)) for way in ("left", "up", "right", "down")] == [(2, 0), (2, 1), (0, 1), (0, 0)]


def test_edge__is_bumped_where_it_stays() -> None:
    """A move off the grid stays and bumps the edge; one into a wall bumps the wall."""
    game = Game("map:\n    @#\nactions: left, right\non bump edge: reward -1\non bump wall: reward -2\n")
    assert game.rewards("left right") == [-1, -2]


DIAGONAL = (
    "map:\n    ...\n    ..@\nactions: up_right, down_right, down_left, up_left\non bump edge: reward -1\n"
)


def test_diagonal__moves_both_ways_at_once() -> None:
    """A diagonal move changes both coordinates, and stays whole where it would leave the grid."""
    game = Game(DIAGONAL)
    assert game.rewards("up_left up_right") == [0, -1]
    assert at(game) == (1, 0)


def test_diagonal__is_clipped_one_coordinate_at_a_time() -> None:
    """Under ``clip`` the coordinate that can change does, and the edge is bumped."""
    game = Game(DIAGONAL + "edge: clip\n")
    assert game.rewards("up_right up_right") == [-1, -1]
    assert at(game) == (2, 0)
    assert game.rewards("down_left") == [0]


def test_walled__stops_moves_between_cells() -> None:
    """Thin walls of a drawing with its border stop moves from both sides."""
    text = "map walled:\n    +---+\n    |@|.|\n    |. .|\n    +---+\n" + MOVES
    text = text.replace("|. .|", "|.:.|")
    game = Game(text)
    assert at(game.do("right")) == (0, 0)
    assert at(game.do("down right up")) == (1, 0)
    assert at(game.do("left")) == (1, 0)


CORNERS = """
map walled:
    +-----+
    |.|.|.|
    |.:@:.|
    + + +-+
    |.|.:.|
    +-----+
actions: up, left, right, up_right, down_right, down_left, up_left
on bump wall: reward -1
on bump edge: reward -5
"""


@pytest.mark.parametrize(
    ("moves", "end"),
    [
        ("up_right", (2, 0)),  # around the lower end of a wall
        ("up_left", (0, 0)),
        ("down_right", (2, 2)),  # down first, then right: the other way is walled
        ("left down_right", (1, 2)),
        ("right up_left", (1, 0)),
    ],
)
def test_diagonal__passes_a_corner_that_one_way_goes_around(moves: str, end: tuple[int, int]) -> None:
    """A diagonal move passes thin walls where across then down, or down then across, is open."""
    game = Game(CORNERS)
    assert sum(game.rewards(moves)) == 0
    assert at(game) == end


@pytest.mark.parametrize("edge", ["stay", "wrap"])
def test_diagonal__does_not_pass_a_wall_that_goes_on(edge: str) -> None:
    """Where both ways around a corner are walled the move bumps, as a straight one would."""
    game = Game(
        "map walled:\n    +---+\n    |@|.|\n    |.|.|\n    +---+\nactions: down_right, up_right, down\n"
        f"on bump wall: reward -1\nedge: {edge}\n"
    )
    assert game.rewards("down_right down up_right") == [-1, 0, -1]
    assert at(game) == (0, 1)


def test_diagonal__that_is_clipped_is_a_straight_move() -> None:
    """At the border ``clip`` leaves one coordinate of the move, and a wall on that way stops it."""
    text = "map walled:\n    +-----+\n    |.:@|.|\n    +-----+\nactions: up_right, up_left\nedge: clip\non bump wall: reward -1\n"
    game = Game(text)
    assert game.rewards("up_right") == [-1]
    assert at(game.do("up_left")) == (0, 0)


WINDY_GATE = """
tile wind: drift south {amount}
tile gate: one_way {way}
map:
    .....
    .@w..
    .....
    ..g..
legend: w = wind, g = gate
actions: right, down, stay
on bump gate: reward -1
on enter gate: reward 1
"""


@pytest.mark.parametrize(
    ("amount", "way", "move", "reward"),
    [(1, "south", "down", 1), (1, "east", "down", -1), (2, "south", "stay", 1), (2, "southeast", "stay", -1)],
)
def test_one_way__asks_a_drifting_move_where_it_leads(amount: int, way: str, move: str, reward: int) -> None:
    """Move and wind together are one move: a gate lets it in where its whole way is the gate's."""
    assert Game(WINDY_GATE.format(amount=amount, way=way)).rewards(f"right {move}") == [0, reward]


def test_one_way__stops_belts_and_rules_too() -> None:
    """What a belt carries and what a rule moves enters a gate only its way."""
    game = Game("""
tile belt: carry east
tile gate: one_way south
tile hatch: one_way east
object box:
object crate:
map:
    @bgbh
    .c...
    .gh..
legend: b = box on belt, g = gate, h = hatch, c = crate
actions: stay, push_down, push_right
on do push_down: move crate south
on do push_right: move crate east
when any box on hatch: reward 1
when any box on gate: reward 10
when crate on gate: reward 100
when crate on hatch: reward 1000
""")
    assert game.rewards("stay push_right push_down push_right") == [1, 1, 1, 1]
    game.reset()
    assert game.rewards("push_down push_right push_right") == [101, 1001, 1]


@pytest.mark.parametrize(("way", "row", "sums"), [("east", "@xyb.", [5, 7, 7]), ("west", ".byx@", [3, 1, 1])])
def test_belts__move_a_row_of_things_on_as_one(way: str, row: str, sums: list[int]) -> None:
    """What waits for the thing ahead goes once that has gone, whichever way the belt runs; each goes one cell."""
    game = Game(f"""
tile belt: carry {way}
object box: tag in a | b
map:
    {row}
legend: b = belt, x = box(tag=a) on belt, y = box(tag=b) on belt
actions: stay
info: a = sum(box.x for box where box is a)
each step: reward sum(box.x for box)
""")
    assert game.rewards("stay stay stay") == sums


def test_belts__carry_an_agent_behind_a_thing() -> None:
    """An agent behind a solid thing on the belt rides when that has made room, and a thing behind it as well."""
    game = Game("""
tile belt: carry east
object box: solid
map:
    BbBbbb...
legend: b = belt, B = box on belt
setup:
    place agent at (1, 0)
actions: stay
each step: reward 100 * agent.x + sum(box.x for box)
""")
    assert game.rewards("stay stay") == [200 + 1 + 3, 300 + 2 + 4]
