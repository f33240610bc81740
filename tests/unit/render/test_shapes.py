"""The table of shapes."""

import unicodedata

import pytest

from griddsl.render import COLORS, SHAPES, rgb_of
from griddsl.render.colors import tone
from griddsl.render.looks import look_of
from griddsl.render.primitives import Circle, Line, Polygon, Rect, turned
from griddsl.render.shapes import covers_cell, glyph_of, parts_of, policy_parts


@pytest.mark.parametrize("name", SHAPES)
def test_shape__is_drawn_in_known_tones_inside_its_cell(name: str) -> None:
    """Every part of every state and direction has a colour and lies in or near the unit square."""
    shape = SHAPES[name]
    looks = [(None, None), *((None, state) for state in shape.states), *((d, None) for d in range(8))]
    for direction, state in looks:
        parts = parts_of(name, direction, state)
        assert parts or name == "floor"
        for part in parts:
            tone(part.fill, (10, 20, 30))
            points = part.points if isinstance(part, Polygon | Line) else (part.at,)
            assert all(-0.25 <= x <= 1.25 and -0.25 <= y <= 1.25 for x, y in points)


@pytest.mark.parametrize("name", SHAPES)
def test_shape__glyphs_are_two_terminal_columns(name: str) -> None:
    """Each glyph is two characters that a terminal draws one column wide, each arrow table eight."""
    shape = SHAPES[name]
    for glyph in [shape.glyph, *(variant.glyph for variant in shape.states.values())]:
        assert len(glyph) == 2
        assert all(unicodedata.east_asian_width(letter) not in "WF" for letter in glyph)
    assert len(shape.arrows) in (0, 8)
    assert bool(shape.arrows) == (shape.directed is not None)


def test_parts_of__a_state_changes_the_drawing() -> None:
    """An open, a closed and a locked door are three drawings."""
    doors = {parts_of("door", None, state) for state in ("open", "closed", "locked")}
    assert len(doors) == 3


def test_parts_of__directions_turn_the_agent_and_not_the_ground() -> None:
    """The agent's nose points where it faces; a belt's ground stays put."""
    noses = [max(parts_of("agent", d, None)[0].points, key=lambda p: p[0]) for d in (0,)]  # type: ignore[union-attr]
    lowest = max(parts_of("agent", 1, None)[0].points, key=lambda p: p[1])  # type: ignore[union-attr]
    assert noses == [(0.83, 0.5)]
    assert lowest == (0.5, 0.83)
    assert parts_of("belt", 0, None)[:2] == parts_of("belt", 1, None)[:2]


def test_turned__a_rectangle_keeps_its_rounding() -> None:
    """A turned rectangle is a polygon grown by its corner radius, of the same extent."""
    part = turned(Rect(at=(0.1, 0.4), size=(0.8, 0.2), radius=0.05), 1)
    assert isinstance(part, Polygon)
    xs, ys = zip(*part.points, strict=True)
    assert (min(xs) - 0.05, max(xs) + 0.05) == pytest.approx((0.4, 0.6))
    assert (min(ys) - 0.05, max(ys) + 0.05) == pytest.approx((0.1, 0.9))


def test_covers_cell__holds_for_ground_alone() -> None:
    """A floor hides what is below it, a key does not."""
    assert covers_cell(parts_of("floor", None, None))
    assert not covers_cell(parts_of("key", None, None))


def test_policy_parts__draw_a_rim_and_an_arrow_for_each_direction() -> None:
    """Two directions are two shafts and two heads, twice; staying is a dot."""
    assert len(policy_parts((0, 1), 1.0, (0.5, 0.5))) == 8
    assert all(isinstance(part, Circle) for part in policy_parts((-1,), 1.0, (0.5, 0.5)))


def test_colors__are_found_by_name_and_code() -> None:
    """Names count in any case, codes in three or six digits, and nothing else is a colour."""
    assert rgb_of("Red") == COLORS["red"]
    assert rgb_of("#0f8") == (0, 255, 136)
    assert rgb_of("#00ff88\n") is None
    assert rgb_of("reddish") is None
    assert {"red", "green", "blue", "purple", "yellow", "grey"} <= set(COLORS)


def test_parts_of__who_stands_upright_points_where_it_faces() -> None:
    """A robot does not lie on its side: a small arrow at the border says which way it faces, in the terminal too."""
    plain, east, north = (parts_of("robot", direction, None) for direction in (None, 0, 3))
    assert east[: len(plain)] == north[: len(plain)] == plain
    assert len({east[len(plain) :], north[len(plain) :], ()}) == 3
    assert glyph_of(look_of("robot", category="agent", direction=3)) == "♜↑"


def test_look_of__a_truth_is_a_state_by_its_name() -> None:
    """A lamp whose `lit` is true is lit, whether it is told as a number or as a word."""
    for value in (1, "true"):
        assert look_of("lamp", category="tile", attributes={"lit": value}).state == "lit"
    assert look_of("lamp", category="tile", attributes={"lit": "false"}).state is None
    opened: dict[str, str | int] = {"opened": "true", "mined": "true", "around": 3}
    assert look_of("field", category="tile", shape="cover", attributes=opened).state == "opened 3"
    assert (
        look_of("coin", shape="number", category="object", attributes={"new": "true", "worth": 4}).state
        == "4"
    )
