"""What is laid over a board: colours of state values, how their numbers read, where arrows and walls go."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from griddsl.render.colors import Rgb, mix, readable_on
from griddsl.render.scene import Scene

HEAT_OPACITY = 0.62
DIM_OPACITY = 0.42
BARRIER_COLOR: Rgb = (84, 94, 116)
BARRIER_WIDTH = 0.11  # of a cell
NUMBER_HEIGHT = 0.21  # of a cell
DIM_COLOR: Rgb = (40, 42, 58)

# From low to high: violet, blue, green, yellow, ever lighter, so it reads in grey and to the colour-blind.
_SEQUENTIAL: tuple[Rgb, ...] = (
    (92, 70, 148),
    (66, 116, 176),
    (60, 162, 158),
    (134, 201, 122),
    (248, 226, 120),
)
_DIVERGING: tuple[Rgb, ...] = (
    (190, 74, 62),
    (236, 158, 128),
    (246, 243, 234),
    (122, 178, 204),
    (44, 104, 156),
)


def heat_colors(values: NDArray[np.floating]) -> NDArray[np.uint8]:
    """A colour for every value, (height, width, 3).

    Red to blue about zero where both signs occur, else dark to bright.
    What is not finite takes the colour of the nearest end; NaN takes any.
    """
    values = values / 4  # the largest floats have a difference
    known = values[np.isfinite(values)]
    if known.size == 0:
        return np.zeros((*values.shape, 3), np.uint8)
    low, high = float(known.min()), float(known.max())
    diverging = low < 0 < high and min(-low, high) > 0.02 * (high - low)
    if diverging:
        high = max(-low, high)
        low = -high
    share = np.full(values.shape, 0.5) if low == high else (np.clip(values, low, high) - low) / (high - low)
    stops = np.array(_DIVERGING if diverging else _SEQUENTIAL, float)
    places = np.linspace(0, 1, len(stops))
    share = np.nan_to_num(share, nan=0.5)
    channels = [np.interp(share, places, stops[:, channel]) for channel in range(3)]
    colors: NDArray[np.uint8] = np.rint(np.stack(channels, axis=-1)).astype(np.uint8)
    return colors


def number_texts(values: NDArray[np.floating]) -> dict[tuple[int, int], str]:
    """The number of each cell (row, column) that has one, all with as many decimals as leaves them short."""
    known = values[np.isfinite(values)]
    largest = float(np.abs(known).max()) if known.size else 0.0
    whole = largest >= 1000 or bool(np.all(known == np.rint(known)))
    decimals = 0 if whole else 1 if largest >= 10 else 2
    rows, columns = np.nonzero(~np.isnan(values))
    return {
        (int(row), int(column)): _number_text(float(values[row, column]), decimals)
        for row, column in zip(rows, columns, strict=True)
    }


def _number_text(value: float, decimals: int) -> str:
    if np.isinf(value):
        return "∞" if value > 0 else "-∞"
    if abs(value) >= 100_000:
        return f"{value:.0e}".replace("e+0", "e").replace("e+", "e")
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if not any(digit in text for digit in "123456789") else text


def barrier_boxes(
    barriers: frozenset[tuple[int, int]], width: int, height: int
) -> Iterator[tuple[float, float, float, float]]:
    """Each thin wall as left, top, right and bottom in cells, cut off at the border of the board."""
    half = BARRIER_WIDTH / 2
    for cell, direction in sorted(barriers):
        row, column = divmod(cell, width)
        if direction == 0:
            box = (column + 1 - half, row - half, column + 1 + half, row + 1 + half)
        else:
            box = (column - half, row + 1 - half, column + 1 + half, row + 1 + half)
        left, top, right, bottom = box
        yield max(left, 0.0), max(top, 0.0), min(right, float(width)), min(bottom, float(height))


def policy_place(has_number: bool) -> tuple[float, tuple[float, float]]:
    """The size and the middle of a cell's arrows: they make room for a number below."""
    return (0.8, (0.5, 0.4)) if has_number else (0.95, (0.5, 0.5))


def number_middle(scene: Scene, cell: int) -> float:
    """How far down its cell a number stands, 0..1: in the middle, or at the bottom where things are."""
    return 0.5 if scene.policy is None and len(scene.cells[cell]) < 2 else 0.86


def ink_on_heat(ground: Rgb, heat: Rgb) -> Rgb:
    """The colour of a number on a cell of this ground with this heat over it."""
    return readable_on(mix(ground, heat, HEAT_OPACITY))
