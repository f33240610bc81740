"""Numbers as strokes, for shapes that bear one."""

from griddsl.render.primitives import Parts, Point, arc_points, stroke

# Each digit in a box of width 0.6 and height 1, its upper left corner at the origin.
_STROKES: tuple[tuple[tuple[Point, ...], ...], ...] = (
    (arc_points(0.3, 0.5, 0.3, 0.5, 0, 360, 24),),
    (((0.08, 0.22), (0.34, 0.0), (0.34, 1.0)),),
    ((*arc_points(0.3, 0.29, 0.29, 0.29, 190, 395, 12), (0.02, 1.0), (0.6, 1.0)),),
    ((*arc_points(0.29, 0.26, 0.27, 0.26, 205, 450, 12),), (*arc_points(0.29, 0.74, 0.31, 0.26, -90, 155, 12),)),
    (((0.46, 1.0), (0.46, 0.0), (0.0, 0.7), (0.6, 0.7)),),
    (((0.54, 0.0), (0.1, 0.0), (0.06, 0.46), *arc_points(0.28, 0.68, 0.32, 0.32, -120, 150, 14)),),
    (arc_points(0.3, 0.68, 0.3, 0.32, 0, 360, 20), ((0.02, 0.6), (0.12, 0.3), (0.42, 0.0))),
    (((0.0, 0.0), (0.6, 0.0), (0.2, 1.0)),),
    (arc_points(0.3, 0.25, 0.25, 0.25, 0, 360, 20), arc_points(0.3, 0.74, 0.3, 0.26, 0, 360, 20)),
    (arc_points(0.3, 0.32, 0.3, 0.32, 0, 360, 20), ((0.58, 0.4), (0.48, 0.7), (0.18, 1.0))),
)  # fmt: skip


def number_parts(
    number: int,
    x: float = 0.5,
    y: float = 0.5,
    height: float = 0.44,
    width: float = 0.075,
    fill: str = "deep",
) -> Parts:
    """The digits of a number of at least 0 in a row about (x, y), strokes of a ``width``."""
    digits = [int(digit) for digit in str(number)]
    step = 0.86 * height
    left = x - (step * (len(digits) - 1) + 0.6 * height) / 2
    top = y - height / 2
    return tuple(
        stroke(
            *(
                (round(left + place * step + px * height, 4), round(top + py * height, 4))
                for px, py in points
            ),
            width=width,
            fill=fill,
        )
        for place, digit in enumerate(digits)
        for points in _STROKES[digit]
    )
