"""The four parts that every shape is made of, in the unit square: x rightwards, y downwards."""

import math
from dataclasses import dataclass, replace

Point = tuple[float, float]

# Degrees clockwise from east, by direction code.
TURNS: tuple[int, ...] = (0, 90, 180, 270, 45, 135, 225, 315)


@dataclass(frozen=True, slots=True, kw_only=True)
class Circle:
    """A disc."""

    at: Point
    radius: float
    fill: str = "base"
    opacity: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rect:
    """An upright rectangle, its corners rounded by `radius`."""

    at: Point  # the top left corner
    size: Point  # width and height
    radius: float = 0.0
    fill: str = "base"
    opacity: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Polygon:
    """A closed outline, grown outwards by `radius`, which rounds its corners."""

    points: tuple[Point, ...]
    radius: float = 0.0
    fill: str = "base"
    opacity: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A stroke through points, with round ends."""

    points: tuple[Point, ...]
    width: float
    fill: str = "base"
    opacity: float = 1.0


Part = Circle | Rect | Polygon | Line
Parts = tuple[Part, ...]


def disc(x: float, y: float, radius: float, fill: str = "base", opacity: float = 1.0) -> Circle:
    """A disc about (x, y)."""
    return Circle(at=(x, y), radius=radius, fill=fill, opacity=opacity)


def box(
    x: float,
    y: float,
    width: float,
    height: float,
    radius: float = 0.0,
    fill: str = "base",
    opacity: float = 1.0,
) -> Rect:
    """A rectangle by its top left corner and size."""
    return Rect(at=(x, y), size=(width, height), radius=radius, fill=fill, opacity=opacity)


def outline(*points: Point, radius: float = 0.0, fill: str = "base", opacity: float = 1.0) -> Polygon:
    """A polygon through the points."""
    return Polygon(points=points, radius=radius, fill=fill, opacity=opacity)


def stroke(*points: Point, width: float = 0.06, fill: str = "base", opacity: float = 1.0) -> Line:
    """A line through the points."""
    return Line(points=points, width=width, fill=fill, opacity=opacity)


def arc_points(
    x: float, y: float, rx: float, ry: float, start: float, end: float, steps: int = 16
) -> tuple[Point, ...]:
    """Points on an ellipse, from `start` to `end` degrees clockwise from east."""
    angles = (math.radians(start + (end - start) * step / steps) for step in range(steps + 1))
    return tuple((round(x + rx * math.cos(a), 4), round(y + ry * math.sin(a), 4)) for a in angles)


def arc(
    x: float, y: float, radius: float, start: float, end: float, width: float, fill: str = "base"
) -> Line:
    """A part of a ring, from `start` to `end` degrees clockwise from east."""
    return Line(points=arc_points(x, y, radius, radius, start, end), width=width, fill=fill)


def ellipse(x: float, y: float, rx: float, ry: float, fill: str = "base", opacity: float = 1.0) -> Polygon:
    """An ellipse about (x, y)."""
    return Polygon(points=arc_points(x, y, rx, ry, 0, 360, 32)[:-1], fill=fill, opacity=opacity)


def star_points(x: float, y: float, outer: float, inner: float, tips: int) -> tuple[Point, ...]:
    """The corners of a star, its first tip upwards."""
    corners = ((outer if i % 2 == 0 else inner, math.pi * i / tips - math.pi / 2) for i in range(2 * tips))
    return tuple((round(x + r * math.cos(a), 4), round(y + r * math.sin(a), 4)) for r, a in corners)


def wave(y: float, height: float, width: float, fill: str, start: float = 0.0, end: float = 1.0) -> Line:
    """A wavy stroke across the cell that continues in the next cell."""
    steps = 24
    xs = (start + (end - start) * step / steps for step in range(steps + 1))
    return Line(
        points=tuple((round(x, 4), round(y + height * math.sin(2 * math.pi * x), 4)) for x in xs),
        width=width,
        fill=fill,
    )


def turned(part: Part, direction: int) -> Part:
    """The part, drawn for east, turned about the middle of the cell to `direction`."""
    if TURNS[direction] == 0:
        return part
    if isinstance(part, Circle):
        return replace(part, at=_turn(part.at, direction))
    if isinstance(part, Rect):
        (x, y), (width, height), r = part.at, part.size, part.radius
        corners = (
            (x + r, y + r),
            (x + width - r, y + r),
            (x + width - r, y + height - r),
            (x + r, y + height - r),
        )
        part = Polygon(points=corners, radius=r, fill=part.fill, opacity=part.opacity)
    return replace(part, points=tuple(_turn(point, direction) for point in part.points))


def scaled(part: Part, factor: float, center: Point) -> Part:
    """The part, made `factor` as large, its middle moved to `center`."""

    def moved(point: Point) -> Point:
        return round(center[0] + (point[0] - 0.5) * factor, 4), round(
            center[1] + (point[1] - 0.5) * factor, 4
        )

    if isinstance(part, Circle):
        return replace(part, at=moved(part.at), radius=part.radius * factor)
    if isinstance(part, Rect):
        size = (part.size[0] * factor, part.size[1] * factor)
        return replace(part, at=moved(part.at), size=size, radius=part.radius * factor)
    points = tuple(moved(point) for point in part.points)
    if isinstance(part, Line):
        return replace(part, points=points, width=part.width * factor)
    return replace(part, points=points, radius=part.radius * factor)


def _turn(point: Point, direction: int) -> Point:
    angle = math.radians(TURNS[direction])
    x, y = point[0] - 0.5, point[1] - 0.5
    return (
        round(0.5 + x * math.cos(angle) - y * math.sin(angle), 4),
        round(0.5 + x * math.sin(angle) + y * math.cos(angle), 4),
    )
