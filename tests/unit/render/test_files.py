"""Frames to files."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence

from griddsl.files.places import check_path
from griddsl.render import Rasteriser, Scene, png_bytes, save_gif, save_png


def test_save_png__keeps_every_pixel(cliff: Scene, tmp_path: Path) -> None:
    """Reading the file gives the frame back, and the bytes are the same file."""
    frame = Rasteriser(16).draw(cliff)
    save_png(tmp_path / "a.png", frame)
    assert np.array_equal(np.asarray(Image.open(tmp_path / "a.png")), frame)
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(png_bytes(frame)))), frame)


def test_save_gif__keeps_flat_colours_and_the_frames_in_order(
    cliff: Scene, moved_cliff: Scene, tmp_path: Path
) -> None:
    """Two frames come back as two frames, of the asked duration, for ever, close to what was drawn."""
    frames = [Rasteriser(32).draw(scene) for scene in (cliff, moved_cliff)]
    save_gif(tmp_path / "a.gif", frames, fps=5)
    with Image.open(tmp_path / "a.gif") as gif:
        read = [np.asarray(frame.convert("RGB")).astype(int) for frame in ImageSequence.Iterator(gif)]
        assert (gif.info["duration"], gif.info["loop"]) == (200, 0)
    assert len(read) == 2
    for drawn, shown in zip(frames, read, strict=True):
        assert np.abs(drawn - shown).mean() < 1
        assert np.array_equal(drawn[10, 10], shown[10, 10])


def test_save_gif__few_colours_are_exact(tmp_path: Path) -> None:
    """Up to 256 colours in all frames together lose nothing."""
    frames = [np.full((8, 8, 3), shade, np.uint8) for shade in (3, 99, 250)]
    save_gif(tmp_path / "a.gif", iter(frames), fps=10)
    with Image.open(tmp_path / "a.gif") as gif:
        shades = [int(np.asarray(frame.convert("RGB"))[0, 0, 0]) for frame in ImageSequence.Iterator(gif)]
    assert shades == [3, 99, 250]


def test_save_gif__unchanged_parts_never_flicker(tmp_path: Path) -> None:
    """A pixel that stays the same in all frames stays the same in the file, in spite of many colours."""
    noise = np.random.default_rng(0).integers(0, 256, (32, 32, 3)).astype(np.uint8)
    frames = []
    for shift in range(3):
        frame = np.roll(noise, 7 * shift, axis=0)
        frame[:, :4] = noise[:, :4]
        frames.append(frame)
    save_gif(tmp_path / "a.gif", frames, fps=10)
    with Image.open(tmp_path / "a.gif") as gif:
        read = [np.asarray(frame.convert("RGB"))[:, :4].copy() for frame in ImageSequence.Iterator(gif)]
    assert all(np.array_equal(read[0], frame) for frame in read[1:])


@pytest.mark.parametrize(
    ("frames", "fps", "message"),
    [
        ([np.zeros((2, 2, 3), np.uint8)], float("nan"), "must be above 0, not nan"),
        ([np.zeros((2, 2, 3), np.uint8)], float("inf"), "must be above 0, not inf"),
        ([], 5, "there are no frames"),
        ([np.zeros((2, 2, 3), np.uint8), np.zeros((3, 2, 3), np.uint8)], 5, "several sizes"),
        ([np.zeros((2, 2, 3), np.uint8)], 0, "must be above 0"),
        ([np.zeros((2, 2), np.uint8)], 5, "a frame is uint8"),
    ],
)
def test_save_gif__refuses_what_is_no_film(
    frames: list[np.ndarray], fps: float, message: str, tmp_path: Path
) -> None:
    """No frames, frames of several sizes or forms, and no speed are errors, and leave no file."""
    with pytest.raises(ValueError, match=message):
        save_gif(tmp_path / "a.gif", frames, fps)
    assert not (tmp_path / "a.gif").exists()


@pytest.mark.parametrize("frame", [np.zeros((2, 2, 3)), np.zeros((0, 2, 3), np.uint8)])
def test_png_bytes__refuses_what_is_no_frame(frame: np.ndarray) -> None:
    """Floats and empty arrays are errors."""
    with pytest.raises(ValueError, match="a frame is uint8"):
        png_bytes(frame)


def test_check_path__says_what_is_wrong(tmp_path: Path) -> None:
    """Another suffix, a missing folder and a folder in the way are told apart."""
    assert check_path(tmp_path / "a.GIF", ".gif", ".png") == tmp_path / "a.GIF"
    with pytest.raises(ValueError, match=r"its name must end in \.gif or \.png"):
        check_path(tmp_path / "a.mp4", ".gif", ".png")
    with pytest.raises(FileNotFoundError, match=r"there is no folder .*nowhere"):
        check_path(tmp_path / "nowhere" / "a.gif", ".gif")
    (tmp_path / "b.gif").mkdir()
    with pytest.raises(IsADirectoryError, match="it is a folder"):
        check_path(tmp_path / "b.gif", ".gif")
