"""Pillow's part of a cell: pictures from files, and numbers."""

import io
import warnings
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from griddsl.diagnostics import Refused
from griddsl.render.overlay import NUMBER_HEIGHT

MOST_PIXELS = 16_000_000
MOST_BYTES = 64_000_000
STARTS = {"PNG": b"\x89PNG\r\n\x1a\n", "JPEG": b"\xff\xd8\xff", "GIF": b"GIF8"}


@lru_cache(maxsize=256)
def picture(path: str, pixels: int) -> NDArray[np.uint8]:
    """The picture in a file, made to fit a cell without changing its proportions, RGBA (pixels, pixels, 4).

    Small pictures grow with sharp pixels, large ones shrink smoothly. Raises ValueError where it cannot be
    read.
    """
    from PIL import Image

    content = picture_bytes(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # Of all that Pillow can read some is programs: PostScript would be run.
            with Image.open(io.BytesIO(content), formats=[form_of(content)]) as opened:
                if opened.width * opened.height > MOST_PIXELS:
                    raise Refused(f"it has more than {MOST_PIXELS:,} pixels")
                source = opened.convert("RGBA")
    except Exception as error:  # a broken file makes Pillow raise almost anything
        raise Refused(f"cannot read the picture {path}: {error}") from error
    share = pixels / max(source.size)
    size = (max(1, round(source.width * share)), max(1, round(source.height * share)))
    fitted = source.resize(size, Image.Resampling.NEAREST if share > 1 else Image.Resampling.LANCZOS)
    cell = Image.new("RGBA", (pixels, pixels))
    cell.paste(fitted, ((pixels - size[0]) // 2, (pixels - size[1]) // 2))
    return np.asarray(cell)


def picture_bytes(path: str) -> bytes:
    """The file of a picture as it is. Raises ValueError where it cannot be read, is too large, or no picture."""
    try:
        if not Path(path).is_file():
            raise Refused("there is no such file")
        with Path(path).open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise Refused(f"it has more than {MOST_BYTES:,} bytes")
        form_of(content)
    except (OSError, ValueError) as error:
        raise Refused(f"cannot read the picture {path}: {error}") from error
    return content


def form_of(content: bytes) -> str:
    """The form of a picture, by its first bytes: "PNG", "JPEG", "GIF" or "WEBP". Raises ValueError for any other."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "WEBP"
    for form, start in STARTS.items():
        if content.startswith(start):
            return form
    raise Refused("it is no PNG, JPEG, GIF or WebP")


def text_alpha(text: str, pixels: int, down: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far a text, and the same grown by a rim, cover each pixel of a cell, 0..1.

    Its middle is at `down` (0..1) of the cell's height; a long text is made smaller.
    """
    from PIL import Image, ImageDraw, ImageFont

    size = max(8.0, NUMBER_HEIGHT * pixels)
    font = ImageFont.load_default(size)
    width = font.getlength(text)
    if width > 0.92 * pixels:
        font = ImageFont.load_default(max(6.0, size * 0.92 * pixels / width))
    layers = []
    for rim in (0, max(1, round(size / 8))):
        cell = Image.new("L", (pixels, pixels))
        place = (pixels / 2, pixels * down)
        ImageDraw.Draw(cell).text(place, text, fill=255, font=font, anchor="mm", stroke_width=rim)
        layers.append(np.asarray(cell, float) / 255)
    return layers[0], layers[1]
