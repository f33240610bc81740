"""Colours: the names a spec may use, and the tones a shape mixes from one colour."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from griddsl.diagnostics import Refused

Rgb = tuple[int, int, int]

_HEX = re.compile(r"#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})\Z")


def _from_hex(text: str) -> Rgb:
    digits = text[1:]
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    return int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


COLORS: Mapping[str, Rgb] = MappingProxyType(
    {
        name: _from_hex(code)
        for name, code in {
            # The six of MiniGrid, softened so that they sit well beside each other on a pale floor, and so that eyes
            # that lack one kind of cones tell them and orange apart (tests/unit/render/test_color_vision.py).
            "red": "#de4946",
            "green": "#46b176",
            "blue": "#1e76fa",
            "purple": "#864db5",
            "yellow": "#ffcd32",
            "grey": "#8d959d",
            "gray": "#8d959d",
            "aqua": "#45c4cf",
            "amber": "#f4a62a",
            "azure": "#5fa8f0",
            "beige": "#e8dcc0",
            "black": "#2b2d33",
            "bronze": "#b9773b",
            "brown": "#8d6346",
            "charcoal": "#43474f",
            "coral": "#f27d62",
            "cream": "#f6eed8",
            "crimson": "#c72c48",
            "cyan": "#3dc1d3",
            "darkblue": "#26488f",
            "darkgreen": "#2c6e49",
            "darkred": "#97302f",
            "fuchsia": "#d94fb8",
            "gold": "#eab32f",
            "indigo": "#5650b8",
            "ivory": "#f7f3e6",
            "khaki": "#c9bb7c",
            "lavender": "#b7a7e6",
            "lightblue": "#9cc8f0",
            "lightgreen": "#a3d9a5",
            "lime": "#9ccc3c",
            "magenta": "#d24fa8",
            "maroon": "#85333f",
            "mint": "#8edbb7",
            "navy": "#2d3f76",
            "olive": "#8a8b3a",
            "orange": "#ef8a35",
            "orchid": "#c978d0",
            "peach": "#f7bd95",
            "pink": "#ef8fb1",
            "plum": "#95558f",
            "rose": "#e5628a",
            "salmon": "#f0907e",
            "sand": "#e2cf9f",
            "scarlet": "#d93a2f",
            "silver": "#bcc3cb",
            "skyblue": "#7cc0ee",
            "slate": "#5d6a7c",
            "tan": "#cfae84",
            "teal": "#2f9c95",
            "tomato": "#e8553f",
            "turquoise": "#41c9b4",
            "violet": "#a46bd6",
            "white": "#fafaf7",
        }.items()
    }
)

INK: Rgb = (44, 46, 56)
WHITE: Rgb = (255, 255, 255)
_BLACK: Rgb = (18, 18, 28)

# Tones of a thing's own colour: what it is mixed with, and how much of that.
_TONES: Mapping[str, tuple[Rgb, float]] = {
    "base": (WHITE, 0.0),
    "seam": (_BLACK, 0.075),
    "soft": (WHITE, 0.16),
    "light": (WHITE, 0.36),
    "bare": (WHITE, 0.64),
    "pale": (WHITE, 0.72),
    "shade": (_BLACK, 0.12),
    "dark": (_BLACK, 0.24),
    "deep": (_BLACK, 0.5),
}
_FIXED: Mapping[str, Rgb] = {"ink": INK, "white": WHITE}


def rgb_of(text: str) -> Rgb | None:
    """The colour that a name of `COLORS`, `#rgb` or `#rrggbb` stands for; None where it is none of them."""
    if _HEX.match(text):
        return _from_hex(text)
    return COLORS.get(text.lower())


def hex_of(color: Rgb) -> str:
    """The colour as `#rrggbb`."""
    return "#{:02x}{:02x}{:02x}".format(*color)


def mix(color: Rgb, other: Rgb, share: float) -> Rgb:
    """`color` with a share (0..1) of `other` in it."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(color, other, strict=True))
    return red, green, blue


def brightness(color: Rgb) -> float:
    """How bright the colour looks, 0 (black) to 1 (white), by the weights of ITU-R BT.601."""
    return (0.299 * color[0] + 0.587 * color[1] + 0.114 * color[2]) / 255


def tone(fill: str, base: Rgb) -> Rgb:
    """The colour of a part: a tone of `base`, `ink`, `white`, or a colour by name or `#rrggbb`."""
    if fill in _TONES:
        return mix(base, *_TONES[fill])
    if fill in _FIXED:
        return _FIXED[fill]
    color = rgb_of(fill)
    if color is None:
        raise Refused(f"`{fill}` is neither a tone nor a colour")
    return color


def readable_on(background: Rgb) -> Rgb:
    """Ink or white, whichever can be read on `background`."""
    return INK if brightness(background) > 0.55 else WHITE
