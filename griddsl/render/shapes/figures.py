"""Shapes that stand for anything: plain figures, signs, numbers and marks."""

from griddsl.render.digits import number_parts
from griddsl.render.primitives import Parts, arc_points, box, disc, ellipse, outline, star_points, stroke
from griddsl.render.shapes.features import POINTER, shadow
from griddsl.render.shapes.shape import SOLID_ARROWS, Shape, Variant

_PIECE: Parts = (
    box(0.04, 0.05, 0.92, 0.92, 0.12, "dark"),
    box(0.04, 0.03, 0.92, 0.9, 0.12),
    box(0.09, 0.08, 0.82, 0.8, 0.09, "soft"),
)

_CROSS: Parts = (
    stroke((0.25, 0.25), (0.75, 0.75), width=0.14),
    stroke((0.75, 0.25), (0.25, 0.75), width=0.14),
)

FIGURES: dict[str, Shape] = {
    "circle": Shape((*shadow(), disc(0.5, 0.5, 0.31, "dark"), disc(0.5, 0.5, 0.275)), "● ", pointer=POINTER),
    "square": Shape(
        (*shadow(), box(0.2, 0.2, 0.6, 0.6, 0.1, "dark"), box(0.235, 0.235, 0.53, 0.53, 0.07)),
        "■ ",
        pointer=POINTER,
    ),
    "diamond": Shape(
        (
            *shadow(0.2),
            outline((0.5, 0.18), (0.8, 0.5), (0.5, 0.82), (0.2, 0.5), radius=0.04, fill="dark"),
            outline((0.5, 0.22), (0.76, 0.5), (0.5, 0.78), (0.24, 0.5), radius=0.03),
        ),
        "◆ ",
        pointer=POINTER,
    ),
    "hexagon": Shape(
        (
            *shadow(),
            outline(*arc_points(0.5, 0.5, 0.31, 0.31, 0, 360, 6)[:-1], radius=0.04, fill="dark"),
            outline(*arc_points(0.5, 0.5, 0.275, 0.275, 0, 360, 6)[:-1], radius=0.03),
        ),
        "◈ ",
        pointer=POINTER,
    ),
    "triangle": Shape(
        (
            outline((0.5, 0.22), (0.8, 0.76), (0.2, 0.76), radius=0.06, fill="dark"),
            outline((0.5, 0.24), (0.78, 0.75), (0.22, 0.75), radius=0.035),
        ),
        "▲ ",
        directed=(
            outline((0.8, 0.5), (0.24, 0.2), (0.24, 0.8), radius=0.06, fill="dark"),
            outline((0.79, 0.5), (0.25, 0.21), (0.25, 0.79), radius=0.035),
        ),
        arrows=SOLID_ARROWS,
    ),
    "cross": Shape(
        (stroke((0.28, 0.28), (0.72, 0.72), width=0.17), stroke((0.72, 0.28), (0.28, 0.72), width=0.17)),
        "✕ ",
    ),
    "star": Shape(
        (
            outline(*star_points(0.5, 0.53, 0.36, 0.16, 5), radius=0.035, fill="dark"),
            outline(*star_points(0.5, 0.53, 0.345, 0.155, 5), radius=0.012),
        ),
        "★ ",
    ),
    "heart": Shape(
        (
            disc(0.37, 0.41, 0.17),
            disc(0.63, 0.41, 0.17),
            outline((0.24, 0.5), (0.5, 0.42), (0.76, 0.5), (0.5, 0.79), radius=0.02),
            disc(0.35, 0.37, 0.055, "light"),
        ),
        "♥ ",
    ),
    "flag": Shape(
        (
            ellipse(0.36, 0.85, 0.2, 0.05, "ink", 0.18),
            outline((0.37, 0.2), (0.8, 0.36), (0.37, 0.54), radius=0.025),
            stroke((0.34, 0.17), (0.34, 0.84), width=0.065, fill="ink"),
        ),
        "⚑ ",
    ),
    "pellet": Shape((disc(0.5, 0.5, 0.11, "dark"), disc(0.5, 0.5, 0.09)), "· "),
    "number": Shape(
        _PIECE, "■ ", states={str(n): Variant((*_PIECE, *number_parts(n)), f"{n:<2}") for n in range(100)}
    ),
    "mark": Shape(
        _CROSS,
        "x ",
        states={
            "1": Variant(_CROSS, "x "),
            "2": Variant((disc(0.5, 0.5, 0.32), disc(0.5, 0.5, 0.2, "white", 0.94)), "o "),
            "3": Variant((outline((0.5, 0.2), (0.82, 0.76), (0.18, 0.76), radius=0.03),), "▲ "),
            "4": Variant((box(0.22, 0.22, 0.56, 0.56, 0.06),), "■ "),
        },
    ),
}
