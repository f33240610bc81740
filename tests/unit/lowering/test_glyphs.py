"""Glyphs: by which character a thing is shown in texts, as the legend draws it."""

from __future__ import annotations

from tests.playing import Game, drawing

WAREHOUSE = """
object box: pushable
map:
    .@$x.
    ..*.x
legend: "$" = box, "*" = box on target, x = target, "+" = agent on target
actions: right, left, down
observe: text
"""


def test_ground__tells_glyphs_apart() -> None:
    """A box on a target, and an agent on one, have the glyphs that the legend gives to just that."""
    game = Game(WAREHOUSE)
    assert game.do("right").board == drawing("""
        ..@*.
        ..*.x
    """)
    assert game.do("right").board == drawing("""
        ...+$
        ..*.x
    """)
    assert game.observation == "...+$\n..*.x"
    assert game.do("down left").board == drawing("""
        ...x$
        .$+.x
    """)
    assert game.observation in game.env.observation_space


def test_attributes__tell_glyphs_apart() -> None:
    """The glyph is that of what the thing is now; the one that asks for most wins; a kind's plain one is for the rest."""
    game = Game("""
object door: state in closed | open, color in red | blue | green
map:
    @DdOb
legend: D = door, d = door(color=blue), O = door(state=open), b = door(state=open, color=blue)
actions: stay
each door if door is blue and step == 2: door becomes closed
""")
    assert game.board == "@DdOb"
    assert game.do("stay").board == "@DdOb"
    assert game.do("stay").board == "@DdOd"


def test_single_glyph__stays_with_its_kind() -> None:
    """A kind with one glyph keeps it, whatever becomes of its attributes."""
    game = Game("""
object door: state in closed | open
map:
    @D
legend: D = door(state=closed)
actions: stay
each step: door becomes open
""")
    assert game.do("stay").board == "@D"


def test_letters__stand_for_what_no_glyph_fits() -> None:
    """Of several patterns none fits: a free letter of the name, never a glyph that means something else."""
    game = Game("""
tile portal: pair in 1 | 2 | 3
map:
    @1p2
    ....
legend: 1 = portal(pair=1), 2 = portal(pair=2), p = puddle
setup:
    place portal(pair=3) at (0, 1)
    place puddle at (1, 1)
actions: right
""")
    assert game.board == "@1p2\nop.."


def test_facing__tells_agents_apart() -> None:
    """An agent can have a glyph for each way that it faces; where it has none it is `@`."""
    game = Game(
        """
map:
    >..
legend: ">" = agent(facing=east), v = agent(facing=south)
actions: turn_right, forward
""".replace("    >..", "    >..\n    ...")
    )
    boards = [game.do("turn_right").board.split("\n")[0] for _ in range(4)]
    assert [board[0] for board in boards] == ["v", "@", "@", ">"]


def test_layers__with_capitals_are_shown() -> None:
    """A layer's name may have any letters."""
    game = Game("""
object kite: layer Air
object cart:
map:
    @kc
legend: k = kite, c = cart
actions: right
""")
    assert game.board == "@kc"
