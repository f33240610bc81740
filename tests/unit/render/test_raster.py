"""Scenes to pixels."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from griddsl.render import SHAPES, Rasteriser, Scene, Sprite, default_cell_pixels, look_of
from griddsl.render.overlay import BARRIER_COLOR, heat_colors, number_texts
from griddsl.render.raster import draw_stack

FLOOR = look_of("floor", category="tile")


@pytest.mark.parametrize("pixels", [1, 2, 3, 4, 7, 8, 16, 33, 64, 96])
def test_draw__has_the_promised_shape_at_every_size(cliff: Scene, pixels: int) -> None:
    """A frame is uint8, as many pixels high and wide as the cells say, in more than one colour."""
    frame = Rasteriser(pixels).draw(cliff)
    assert frame.dtype == np.uint8
    assert frame.shape == (4 * pixels, 12 * pixels, 3)
    assert len(np.unique(frame.reshape(-1, 3), axis=0)) >= 4


def test_draw__is_fresh_each_time(cliff: Scene) -> None:
    """Writing into a frame changes no later frame."""
    rasteriser = Rasteriser(8)
    first = rasteriser.draw(cliff)
    kept = first.copy()
    first[:] = 0
    assert np.array_equal(rasteriser.draw(cliff), kept)


@pytest.mark.parametrize("pixels", [3, 16])
def test_draw__a_changed_board_equals_one_drawn_anew(cliff: Scene, moved_cliff: Scene, pixels: int) -> None:
    """Redrawing the cells that changed gives the frame that a new rasteriser draws, there and back."""
    rasteriser = Rasteriser(pixels)
    for scene in (cliff, moved_cliff, cliff):
        assert np.array_equal(rasteriser.draw(scene), Rasteriser(pixels).draw(scene))


def test_draw__many_changes_and_another_size_are_right(cliff: Scene) -> None:
    """One rasteriser draws boards of other contents and other sizes in turn."""
    rasteriser = Rasteriser(8)
    other = Scene(12, 4, cliff.cells[::-1])
    small = Scene(2, 2, cliff.cells[35:39])
    for scene in (cliff, other, small, cliff):
        assert np.array_equal(rasteriser.draw(scene), Rasteriser(8).draw(scene))


def test_draw__puts_each_cell_where_it_belongs(cliff: Scene) -> None:
    """Cell number y * width + x is drawn at column x and row y."""
    frame = Rasteriser(16).draw(cliff)
    for cell, stack in enumerate(cliff.cells):
        y, x = divmod(cell, 12)
        assert np.array_equal(frame[16 * y : 16 * y + 16, 16 * x : 16 * x + 16], draw_stack(stack, 16))


def test_draw__a_full_atlas_starts_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """More kinds of cells than the atlas keeps are drawn rightly, and it stays small."""
    monkeypatch.setattr("griddsl.render.raster._ATLAS_BYTES", 10 * 2 * 8 * 8 * 3)
    rasteriser = Rasteriser(8)
    for start in range(0, 60, 6):
        cells = tuple((Sprite("k", "ball", (4 * n, 0, 0)),) for n in range(start, start + 6))
        scene = Scene(3, 2, cells)
        assert np.array_equal(rasteriser.draw(scene), Rasteriser(8).draw(scene))
        assert len(rasteriser._code_of) <= 10


def test_draw__doors_in_three_states_differ() -> None:
    """Open, closed and locked doors are told apart even at 16 pixels."""
    states = [
        look_of("door", category="object", attributes={"state": s}) for s in ("open", "closed", "locked")
    ]
    pictures = {draw_stack((FLOOR, door), 16).tobytes() for door in states}
    assert len(pictures) == 3


def test_draw__directions_are_quarter_turns_of_each_other() -> None:
    """The agent that looks south is the one that looks east, turned clockwise."""
    east, south = (np.zeros((32, 32, 3), int), np.zeros((32, 32, 3), int))
    ground = Sprite("floor", "floor", (255, 255, 255))
    east += draw_stack((ground, Sprite("a", "triangle", (200, 0, 0), direction=0)), 32)
    south += draw_stack((ground, Sprite("a", "triangle", (200, 0, 0), direction=1)), 32)
    assert np.abs(np.rot90(east, -1) - south).max() <= 2


@pytest.mark.parametrize("name", SHAPES)
def test_draw__every_shape_shows_and_fills_no_corner_wrongly(name: str) -> None:
    """Every shape but the floor differs from bare floor."""
    bare = draw_stack((FLOOR,), 32)
    drawn = draw_stack((FLOOR, Sprite("k", name, (30, 120, 200))), 32)
    assert np.abs(bare.astype(int) - drawn).max() > 60


def test_draw__edges_are_anti_aliased() -> None:
    """A black disc on white has grey pixels at its rim and full ones inside."""
    ground = Sprite("floor", "floor", (255, 255, 255))
    tile = draw_stack((ground, Sprite("k", "pellet", (0, 0, 0))), 64)[..., 0]
    assert tile[32, 32] == 0
    assert ((tile > 20) & (tile < 200)).any()


def test_draw__tiny_cells_show_ground_and_topmost_colour(cliff: Scene) -> None:
    """At 4 pixels a thing is a spot of its colour on its ground's; at 1 it is the cell."""
    agent, floor = cliff.cells[36][1].color, cliff.cells[36][0].color
    frame = Rasteriser(4).draw(cliff)[12:16, 0:4]
    assert tuple(frame[1, 1].tolist()) == agent
    assert tuple(frame[0, 0].tolist()) == floor
    assert tuple(Rasteriser(1).draw(cliff)[3, 0].tolist()) == agent


def test_draw__a_thousand_by_a_thousand_is_drawn(cliff: Scene) -> None:
    """A million cells of 4 pixels make a frame, with the right cell in its last corner."""
    cells = (cliff.cells * 20834)[:1_000_000]
    frame = Rasteriser(4).draw(Scene(1000, 1000, cells))
    assert frame.shape == (4000, 4000, 3)
    assert np.array_equal(frame[-4:, -4:], draw_stack(cells[-1], 4))


def test_draw__barriers_run_along_their_edges() -> None:
    """An east wall of cell 0 colours the line between cells 0 and 1 and nothing far from it."""
    cells = ((FLOOR,),) * 4
    plain = Rasteriser(20).draw(Scene(2, 2, cells))
    walled = Rasteriser(20).draw(Scene(2, 2, cells, barriers=frozenset({(0, 0)})))
    changed = (plain != walled).any(axis=-1)
    assert tuple(walled[10, 20].tolist()) == BARRIER_COLOR
    assert changed[:, 18:22].any()
    assert not changed[:, :18].any()
    assert not changed[:, 22:].any()
    assert not changed[22:].any()


@pytest.mark.parametrize("pixels", [1, 3, 8])
def test_draw__barriers_show_at_every_size(pixels: int) -> None:
    """A thin wall colours at least one pixel however small the cells are, also at the border."""
    scene = Scene(2, 2, ((FLOOR,),) * 4, barriers=frozenset({(3, 0), (3, 1)}))
    frame = Rasteriser(pixels).draw(scene)
    assert (frame == BARRIER_COLOR).all(axis=-1).sum() >= 1


def test_draw__heat_tints_ground_and_leaves_unknown_cells(cliff: Scene) -> None:
    """Cells with a value change, cells with NaN do not, and low and high differ."""
    values = np.full((4, 12), np.nan)
    values[0, 0], values[0, 11] = -10.0, -1.0
    plain = Rasteriser(16).draw(cliff)
    hot = Rasteriser(16).draw(Scene(12, 4, cliff.cells, values=values))
    assert np.array_equal(plain[16:], hot[16:])
    assert np.abs(hot[4, 4].astype(int) - hot[4, 16 * 11 + 4]).max() > 50
    assert not np.array_equal(plain[4, 4], hot[4, 4])


def test_draw__the_largest_numbers_have_colours(cliff: Scene) -> None:
    """A difference that no float holds is no overflow: both ends have the colours of -1 and 1."""
    values = np.zeros((4, 12))
    values[0, 0], values[0, 11] = -1.0, 1.0
    plain = Rasteriser(8).draw(Scene(12, 4, cliff.cells, values=values))  # without numbers, which differ
    assert np.array_equal(plain, Rasteriser(8).draw(Scene(12, 4, cliff.cells, values=values * 1e308)))


def test_draw__things_stay_bright_under_heat(cliff: Scene) -> None:
    """The agent is drawn over the heat, so its body keeps its colour."""
    values = np.arange(48.0).reshape(4, 12)
    frame = Rasteriser(16).draw(Scene(12, 4, cliff.cells, values=values))
    assert np.abs(frame[3 * 16 + 12, 8].astype(int) - np.array(cliff.cells[36][1].color)).max() < 60


def test_draw__arrows_point_where_the_policy_goes() -> None:
    """Ink lies east of the middle for east, and on both sides for east and west."""
    cells = ((FLOOR,),)
    plain = Rasteriser(64).draw(Scene(1, 1, cells)).astype(int)

    def ink(directions: tuple[int, ...]) -> tuple[bool, bool]:
        drawn = Rasteriser(64).draw(Scene(1, 1, cells, policy=(directions,))).astype(int)
        changed = np.abs(drawn - plain).max(axis=-1) > 100
        return bool(changed[20:44, 53:].any()), bool(changed[20:44, :11].any())

    assert ink((0,)) == (True, False)
    assert ink((2,)) == (False, True)
    assert ink((0, 2)) == (True, True)
    assert ink(()) == (False, False)


def test_draw__numbers_appear_where_cells_are_large_enough() -> None:
    """A value is printed at 64 pixels and not at 16."""
    for pixels, printed in ((64, True), (16, False)):
        frames = [
            Rasteriser(pixels).draw(Scene(2, 1, ((FLOOR,),) * 2, values=np.array([[low, 9.0]])))[:, :pixels]
            for low in (1.0, 4.0)
        ]
        assert np.array_equal(frames[0], frames[1]) is not printed


def test_draw__dimmed_cells_are_darker(cliff: Scene) -> None:
    """A dimmed cell is darker than before, its neighbours are unchanged."""
    dimmed = np.zeros((4, 12), bool)
    dimmed[1, 1] = True
    plain = Rasteriser(8).draw(cliff)
    frame = Rasteriser(8).draw(Scene(12, 4, cliff.cells, dimmed=dimmed))
    assert frame[8:16, 8:16].mean() < 0.75 * plain[8:16, 8:16].mean()
    assert np.array_equal(frame[:, 16:], plain[:, 16:])


def test_draw__a_picture_replaces_the_shape(tmp_path: Path) -> None:
    """A sprite with an image is drawn from the file, sharp, over the floor where it is clear."""
    path = tmp_path / "box.png"
    image = Image.new("RGBA", (4, 4), (0, 0, 255, 255))
    image.putpixel((0, 0), (0, 0, 0, 0))
    image.save(path)
    tile = draw_stack((FLOOR, Sprite("box", "box", (1, 1, 1), image=str(path))), 32)
    assert tuple(tile[20, 20].tolist()) == (0, 0, 255)
    assert np.array_equal(tile[:8, :8], draw_stack((FLOOR,), 32)[:8, :8])


def test_draw__a_picture_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """A missing or broken picture gives an error that names the file."""
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"not a picture")
    for path in (broken, tmp_path / "missing.png"):
        with pytest.raises(ValueError, match=rf"cannot read the picture .*{path.name}"):
            draw_stack((Sprite("box", "box", (1, 1, 1), image=str(path)),), 16)


def test_rasteriser__refuses_cells_without_pixels() -> None:
    """Zero pixels are an error."""
    with pytest.raises(ValueError, match="whole number from 1"):
        Rasteriser(0)


@pytest.mark.parametrize(
    ("size", "pixels"), [((12, 4), 64), ((1, 1), 64), ((30, 10), 32), ((100, 100), 9), ((5000, 3), 4)]
)
def test_default_cell_pixels__shrinks_with_the_map(size: tuple[int, int], pixels: int) -> None:
    """Small maps have cells of 64 pixels, the largest of 4."""
    assert default_cell_pixels(*size) == pixels


def test_heat_colors__diverge_about_zero() -> None:
    """With both signs, zero is the pale middle and the ends are the reddest and the bluest."""
    colors = heat_colors(np.array([[-5.0, 0.0, 5.0, np.nan, np.inf]])).astype(int)[0]
    assert colors[1].min() > 225
    assert colors[0, 0] - colors[0, 2] > 80
    assert colors[2, 2] - colors[2, 0] > 80
    assert np.array_equal(colors[4], colors[2])


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([-13.0, 0.0], ["-13", "0"]),
        ([0.5, 0.123], ["0.50", "0.12"]),
        ([-12.34, -0.001], ["-12.3", "0.0"]),
        ([1234.5, 1.0], ["1234", "1"]),
        ([2_500_000.0, np.inf], ["2e6", "∞"]),
    ],
)
def test_number_texts__are_short_and_alike(values: list[float], texts: list[str]) -> None:
    """All numbers of a board have the same few decimals, and no minus before zero."""
    assert list(number_texts(np.array([values])).values()) == texts
