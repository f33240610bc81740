"""Scenes as text."""

import re
from dataclasses import replace

import numpy as np
import pytest

from griddsl.render import Scene, look_of, to_ansi, to_text

FLOOR = look_of("floor", category="tile")
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def with_glyphs(scene: Scene, glyphs: dict[str, str]) -> Scene:
    """Return a scene whose things have the glyphs of their kinds."""
    cells = tuple(tuple(replace(s, glyph=glyphs.get(s.kind)) for s in stack) for stack in scene.cells)
    return replace(scene, cells=cells)


def test_to_ansi__has_two_columns_a_cell_and_ends_each_line_plain(cliff: Scene) -> None:
    """Every line is twice as wide as the map and resets the colours at its end."""
    lines = to_ansi(cliff).split("\n")
    assert [len(ESCAPE.sub("", line)) for line in lines] == [24] * 4
    assert all(line.endswith("\x1b[0m") for line in lines)
    assert "38;2;" in lines[0]


def test_to_ansi__without_colour_has_no_escapes(cliff: Scene) -> None:
    """The plain form is glyphs alone."""
    plain = to_ansi(cliff, color=False)
    assert "\x1b" not in plain
    assert plain.split("\n")[3] == "☻ " + "▓▓" * 10 + "⚑"


def test_to_ansi__the_agent_points_where_it_faces() -> None:
    """Each direction has a glyph of its own."""
    agents = [look_of("agent", category="agent", direction=d) for d in range(8)]
    scene = Scene(8, 1, tuple((FLOOR, agent) for agent in agents))
    assert to_ansi(scene, color=False).split() == list("►▼◄▲◢◣◤◥")


def test_to_ansi__shows_barriers() -> None:
    """An east wall stands in the cell's second column, a south wall below it."""
    scene = Scene(
        2, 1, ((FLOOR,), (FLOOR, look_of("ball", category="object"))), barriers=frozenset({(0, 0), (1, 1)})
    )
    assert ESCAPE.sub("", to_ansi(scene)) == " ▕● "
    assert "\x1b[1;4;" in to_ansi(scene)
    assert to_ansi(scene, color=False) == "·|●_"


def test_to_ansi__shows_values_and_policy() -> None:
    """Arrows stand in their cells, two ways are one sign, and a line below gives the scale."""
    policy = ((0,), (0, 1), (0, 2), (-1,))
    values = np.array([[-3.0, -2.0, np.nan, 0.0]])
    scene = Scene(4, 1, ((FLOOR,),) * 4, values=values, policy=policy)
    board, scale = ESCAPE.sub("", to_ansi(scene)).split("\n")
    assert board == "→ →↓↔ • "
    assert scale.split() == ["-3", "0"]
    assert to_ansi(scene, color=False).split("\n")[1] == "-3..0"
    widest = Scene(2, 1, ((FLOOR,),) * 2, values=np.array([[-1e308, 1e308]]))
    assert ESCAPE.sub("", to_ansi(widest)).split("\n")[1].split() == ["-1e308", "1e308"]


def test_to_text__draws_the_topmost_thing_with_a_glyph(cliff: Scene) -> None:
    """A map's own glyphs give back the map; a thing without one lets the ground show."""
    glyphs = {"floor": ".", "cliff": "C", "goal": "G", "agent": "@"}
    drawing = "............\n" * 3 + "@CCCCCCCCCCG"
    assert to_text(with_glyphs(cliff, glyphs)) == drawing
    del glyphs["agent"]
    assert to_text(with_glyphs(cliff, glyphs)) == drawing.replace("@", ".")


def test_to_text__a_kind_without_any_glyph_is_its_first_letter() -> None:
    """A cell in which no kind has a glyph shows the topmost kind's first letter."""
    assert to_text(Scene(1, 1, ((look_of("tomato", category="object"),),))) == "t"


@pytest.mark.parametrize("cell", range(4))
def test_to_text__thin_walls_are_drawn_as_walled_maps_are_read(cell: int) -> None:
    """Cells stand in odd columns, east walls after them, south walls in a row of edges."""
    walls = frozenset({(cell, 0), (3 - cell, 1)})
    scene = Scene(2, 2, ((replace(FLOOR, glyph="."),),) * 4, barriers=walls)
    lines = to_text(scene).split("\n")
    assert lines[0] == lines[-1] == "+---+"
    rows = [line for line in lines if line.startswith("|")]
    y, x = divmod(cell, 2)
    assert rows[y][2 * x + 2] == "|"
    if (3 - cell) < 2:
        assert lines[2] == "+" + " ".join("-" if (x, 1) in walls else " " for x in (0, 1)) + "+"
