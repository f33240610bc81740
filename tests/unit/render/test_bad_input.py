"""What is no scene and no frame is told as such, and what to give in its place."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from griddsl.render import Rasteriser, Scene, animate, png_bytes, save_gif, save_png, to_ansi, to_svg, to_text


@pytest.mark.parametrize(
    "draw", [to_svg, to_ansi, to_text, Rasteriser(8).draw, lambda given: animate([given])]
)
@pytest.mark.parametrize("given", [None, 1, "map", np.zeros((4, 4, 3), np.uint8)], ids=str)
def test_scenes__what_is_none_is_told_where_one_comes_from(draw: Callable[[Any], Any], given: Any) -> None:
    """An environment's picture, or nothing, is no scene."""
    with pytest.raises(TypeError, match=r"a scene, as `env\.unwrapped\.scene\(\)` gives it, not"):
        draw(given)


def test_frames__what_env_render_gives_without_a_render_mode_is_no_picture(tmp_path: Path) -> None:
    """The frequent mistake: a list of None. Nothing is written."""
    for wrong in ([None], None, "frames"):
        with pytest.raises(TypeError, match=r'render_mode="rgb_array"|a list of pictures'):
            save_gif(tmp_path / "a.gif", wrong, 5)  # type: ignore[arg-type]
    for one in (None, [np.zeros((4, 4, 3), np.uint8)]):
        with pytest.raises(TypeError, match='render_mode="rgb_array"'):
            save_png(tmp_path / "a.png", one)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match='render_mode="rgb_array"'):
            png_bytes(one)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("pixels", [0, -1, 1_025, 10**9, 2.5, "8", True, None], ids=str)
def test_cells__have_a_size_that_can_be_drawn(pixels: Any) -> None:
    """A size beyond 1,024 pixels would take gigabytes."""
    with pytest.raises(ValueError, match="the width of a cell in pixels is a whole number from 1 to 1024"):
        Rasteriser(pixels)


@pytest.mark.parametrize("fps", [0, -1, 61, "6", None, float("nan")], ids=str)
def test_animations__have_a_speed(cliff: Scene, fps: Any) -> None:
    """From above 0 to 60 scenes a second."""
    with pytest.raises(ValueError, match="up to 60 scenes a second"):
        animate([cliff], fps=fps)
    with pytest.raises(TypeError, match="a list of scenes"):
        animate(cliff)  # type: ignore[arg-type]
