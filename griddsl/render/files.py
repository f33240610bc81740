"""Frames to files: PNG for one, GIF for many."""

import io
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from griddsl.diagnostics import Refused
from griddsl.files.places import check_path
from griddsl.files.writing import write

if TYPE_CHECKING:
    from PIL.Image import Image

Frame = NDArray[np.uint8]
Packed = NDArray[np.uint32]  # colours as 0xRRGGBB

_COLORS_IN_GIF = 256
_CHUNK = 4096  # colours compared with the palette at once
_EXACT_COLORS = 160  # the most frequent colours keep their exact value; the others share what is left


def png_bytes(frame: Frame) -> bytes:
    """The frame, uint8 (height, width, 3), as the bytes of a PNG file."""
    buffer = io.BytesIO()
    _image(frame).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def save_png(path: str | Path, frame: Frame) -> None:
    """Write the frame to a `.png` file. Raises what `check_path` raises."""
    write(check_path(path, ".png"), png_bytes(frame))


def save_gif(path: str | Path, frames: Iterable[Frame], fps: float) -> None:
    """Write the frames to a `.gif` file that repeats for ever.

    All frames share one palette, so nothing flickers; a GIF counts in hundredths of a second, so at most 50
    frames are shown in one. Raises what `check_path` raises, and ValueError for no frames or frames of
    several sizes, and TypeError for what are none.
    """
    target = check_path(path, ".gif")
    if not isinstance(fps, Real) or not 0 < fps < math.inf:
        raise Refused(f"frames per second must be above 0, not {fps}")
    if not isinstance(frames, Iterable):
        raise TypeError(f"frames are a list of pictures, not {type(frames).__name__}")
    kept = list(frames)
    if not kept:
        raise Refused(f"cannot write {target}: there are no frames")
    for frame in kept:
        _check_frame(frame)
    sizes = {frame.shape for frame in kept}
    if len(sizes) > 1:
        raise Refused(f"cannot write {target}: its frames have several sizes, {sorted(sizes)}")
    images = _with_one_palette(kept)
    duration = max(20, round(100 / fps) * 10)
    content = io.BytesIO()
    images[0].save(
        content, "GIF", save_all=True, append_images=images[1:], duration=duration, loop=0, optimize=False
    )
    write(target, content.getvalue())


def _image(frame: Frame) -> "Image":
    from PIL import Image

    _check_frame(frame)
    return Image.fromarray(np.ascontiguousarray(frame))


def _check_frame(frame: object) -> None:
    if not isinstance(frame, np.ndarray):
        raise TypeError(
            f"a frame is a picture as `env.render()` gives it where the environment was made with "
            f'render_mode="rgb_array", uint8 (height, width, 3), not {type(frame).__name__}'
        )
    if frame.dtype != np.uint8 or frame.ndim != 3 or frame.shape[2] != 3 or 0 in frame.shape:
        raise Refused(f"a frame is uint8 (height, width, 3), not {frame.dtype} {frame.shape}")


def _with_one_palette(frames: Sequence[Frame]) -> list["Image"]:
    """The frames in colours of one palette: exact where it is large enough."""
    from PIL import Image

    counted = [np.unique(_packed(frame), return_counts=True) for frame in frames]
    palette = _palette(counted)
    nearest = np.zeros(1 << 24, np.uint8)
    for colors, _ in counted:
        nearest[colors] = _nearest(_unpacked(colors), palette)
    images = []
    for frame in frames:
        image = Image.fromarray(nearest[_packed(frame)])
        image.putpalette(palette.tobytes())
        images.append(image)
    return images


def _palette(counted: Iterable[tuple[Packed, NDArray[np.intp]]]) -> Frame:
    """At most 256 colours, (n, 3): the most frequent as they are, the others by median cut."""
    from PIL import Image

    counts: Counter[int] = Counter()
    for colors, numbers in counted:
        counts.update(dict(zip(colors.tolist(), numbers.tolist(), strict=True)))
    ranked = np.array(sorted(counts, key=lambda color: (-counts[color], color)), np.uint32)
    if len(ranked) <= _COLORS_IN_GIF:
        return _unpacked(ranked)
    exact, others = _unpacked(ranked[:_EXACT_COLORS]), _unpacked(ranked[_EXACT_COLORS:])
    shared = _COLORS_IN_GIF - _EXACT_COLORS
    cut = Image.fromarray(others[None]).quantize(shared, Image.Quantize.MEDIANCUT)
    rest = np.array(cut.getpalette() or [], np.uint8).reshape(-1, 3)[:shared]
    return np.concatenate([exact, rest])


def _nearest(colors: Frame, palette: Frame) -> NDArray[np.uint8]:
    """The place in the palette nearest to each of the colours, (n,)."""
    found = np.empty(len(colors), np.uint8)
    for start in range(0, len(colors), _CHUNK):
        some = colors[start : start + _CHUNK, None].astype(np.int32)
        found[start : start + _CHUNK] = ((some - palette) ** 2).sum(axis=-1).argmin(axis=1)
    return found


def _packed(frame: Frame) -> Packed:
    """Each pixel as one number, (height, width)."""
    wide = frame.astype(np.uint32)
    return np.asarray(wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2], np.uint32)


def _unpacked(packed: Packed) -> Frame:
    return np.stack([packed >> 16, packed >> 8 & 255, packed & 255], axis=-1).astype(np.uint8)
