"""How much of each pixel a part covers: signed distances to its outline, in numpy."""

import numpy as np
from numpy.typing import NDArray

from griddsl.render.colors import Rgb, tone
from griddsl.render.primitives import Circle, Line, Part, Parts, Point, Polygon, Rect

Plane = NDArray[np.float64]


class Canvas:
    """A square picture in the making: `color` (n, n, 3), 0..255, premultiplied by `alpha` (n, n), 0..1."""

    def __init__(self, pixels: int) -> None:
        middles = (np.arange(pixels) + 0.5) / pixels
        self._x, self._y = np.meshgrid(middles, middles)
        self._pixels = pixels
        self.color = np.zeros((pixels, pixels, 3))
        self.alpha = np.zeros((pixels, pixels))

    def paint(self, parts: Parts, base: Rgb) -> None:
        """Draw the parts on top, in tones of `base`."""
        for part in parts:
            inside = np.clip(0.5 - _distance(part, self._x, self._y) * self._pixels, 0.0, 1.0) * part.opacity
            self.blend(np.array(tone(part.fill, base), float), inside)

    def blend(self, color: Plane, inside: Plane) -> None:
        """Lay a colour over the picture, (3,) or (n, n, 3), as far as `inside` (n, n) says."""
        self.color += (color - self.color) * inside[..., None]
        self.alpha += (1 - self.alpha) * inside

    def shrunk(self, factor: int) -> tuple[Plane, Plane]:
        """Colour and alpha with every `factor` x `factor` pixels averaged into one."""
        side = self._pixels // factor
        color = self.color.reshape(side, factor, side, factor, 3).mean(axis=(1, 3))
        return color, self.alpha.reshape(side, factor, side, factor).mean(axis=(1, 3))


def _distance(part: Part, x: Plane, y: Plane) -> Plane:
    """The distance of every pixel's middle to the outline of the part, negative inside, in cells."""
    match part:
        case Circle():
            distance: Plane = np.hypot(x - part.at[0], y - part.at[1]) - part.radius
            return distance
        case Rect():
            return _distance_to_rect(part, x, y)
        case Polygon():
            return _distance_to_polygon(part.points, x, y) - part.radius
        case Line():
            segments = zip(part.points[:-1], part.points[1:], strict=True)
            nearest: Plane = np.minimum.reduce([_to_segment(a, b, x, y) for a, b in segments])
            return np.sqrt(nearest) - part.width / 2


def _distance_to_rect(part: Rect, x: Plane, y: Plane) -> Plane:
    half_width, half_height = part.size[0] / 2, part.size[1] / 2
    dx = np.abs(x - part.at[0] - half_width) - half_width + part.radius
    dy = np.abs(y - part.at[1] - half_height) - half_height + part.radius
    outside = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0))
    distance: Plane = outside + np.minimum(np.maximum(dx, dy), 0) - part.radius
    return distance


def _distance_to_polygon(points: tuple[Point, ...], x: Plane, y: Plane) -> Plane:
    """Nearest edge, with the sign by how often a ray to the left crosses the outline (even-odd)."""
    nearest = np.full(x.shape, np.inf)
    inside = np.zeros(x.shape, bool)
    for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1], strict=True):
        nearest = np.minimum(nearest, _to_segment((ax, ay), (bx, by), x, y))
        if ay != by:
            crossed = (ay > y) != (by > y)
            inside ^= crossed & (x < ax + (y - ay) * (bx - ax) / (by - ay))
    distance: Plane = np.sqrt(nearest) * np.where(inside, -1.0, 1.0)
    return distance


def _to_segment(a: Point, b: Point, x: Plane, y: Plane) -> Plane:
    """The squared distance to a segment."""
    px, py = x - a[0], y - a[1]
    ex, ey = b[0] - a[0], b[1] - a[1]
    length = ex * ex + ey * ey
    along = np.clip((px * ex + py * ey) / length, 0.0, 1.0) if length else 0.0
    squared: Plane = (px - ex * along) ** 2 + (py - ey * along) ** 2
    return squared
