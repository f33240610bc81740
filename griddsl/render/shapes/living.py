"""Shapes of what lives or seems to: people, robots, beasts, plants."""

from griddsl.render.primitives import Parts, arc, arc_points, box, disc, ellipse, outline, stroke
from griddsl.render.shapes.features import POINTER, eyes, shadow
from griddsl.render.shapes.shape import SOLID_ARROWS, Shape

_LEAF: Parts = (
    outline(
        (0.5, 0.8),
        (0.34, 0.66),
        (0.24, 0.44),
        (0.3, 0.22),
        (0.5, 0.3),
        (0.7, 0.22),
        (0.76, 0.44),
        (0.66, 0.66),
        radius=0.04,
    ),
    stroke((0.5, 0.86), (0.5, 0.42), width=0.035, fill="dark"),
)

LIVING: dict[str, Shape] = {
    "mushroom": Shape(
        (
            *shadow(0.2),
            box(0.4, 0.5, 0.2, 0.33, 0.08, "cream"),
            outline(*arc_points(0.5, 0.54, 0.32, 0.32, 180, 360), radius=0.02),
            disc(0.38, 0.4, 0.055, "white"),
            disc(0.58, 0.33, 0.06, "white"),
            disc(0.68, 0.47, 0.045, "white"),
        ),
        "♠ ",
    ),
    "ghost": Shape(
        (
            *shadow(0.28, 0.86),
            outline(
                *arc_points(0.5, 0.46, 0.3, 0.3, 180, 360),
                (0.8, 0.82),
                (0.7, 0.74),
                (0.6, 0.82),
                (0.5, 0.74),
                (0.4, 0.82),
                (0.3, 0.74),
                (0.2, 0.82),
                radius=0.015,
            ),
            *eyes(0.45, 0.125, 0.09),
        ),
        "Ω ",
        pointer=POINTER,
    ),
    "creature": Shape(
        (
            *shadow(0.28, 0.83),
            outline((0.28, 0.3), (0.24, 0.14), (0.42, 0.24), radius=0.02, fill="dark"),
            outline((0.72, 0.3), (0.76, 0.14), (0.58, 0.24), radius=0.02, fill="dark"),
            disc(0.5, 0.51, 0.31, "dark"),
            disc(0.5, 0.51, 0.275),
            *eyes(0.46),
            arc(0.5, 0.55, 0.1, 25, 155, 0.04, "deep"),
        ),
        "& ",
        pointer=POINTER,
    ),
    "robot": Shape(
        (
            *shadow(0.3, 0.86),
            stroke((0.5, 0.3), (0.5, 0.15), width=0.045, fill="dark"),
            disc(0.5, 0.14, 0.06, "amber"),
            box(0.14, 0.44, 0.72, 0.2, 0.08, "dark"),
            box(0.2, 0.27, 0.6, 0.56, 0.12, "base"),
            box(0.27, 0.36, 0.46, 0.22, 0.1, "ink"),
            disc(0.39, 0.47, 0.055, "#8fe6ff"),
            disc(0.61, 0.47, 0.055, "#8fe6ff"),
            stroke((0.4, 0.7), (0.6, 0.7), width=0.04, fill="deep"),
        ),
        "♜ ",
        pointer=POINTER,
    ),
    "person": Shape(
        (
            *shadow(0.26, 0.85),
            outline((0.28, 0.8), *arc_points(0.5, 0.72, 0.22, 0.2, 180, 360), (0.72, 0.8), radius=0.035),
            disc(0.5, 0.33, 0.165, "#f1c9a5"),
            outline(*arc_points(0.5, 0.31, 0.165, 0.165, 180, 360), radius=0.012, fill="dark"),
        ),
        "☺ ",
        pointer=POINTER,
    ),
    "agent": Shape(
        (
            *shadow(0.28, 0.84),
            disc(0.5, 0.5, 0.33, "dark"),
            disc(0.5, 0.49, 0.295),
            disc(0.39, 0.43, 0.075, "white"),
            disc(0.61, 0.43, 0.075, "white"),
            disc(0.4, 0.44, 0.042, "ink"),
            disc(0.62, 0.44, 0.042, "ink"),
            arc(0.5, 0.53, 0.12, 20, 160, 0.045, "white"),
        ),
        "☻ ",
        directed=(
            outline((0.83, 0.5), (0.22, 0.79), (0.36, 0.5), (0.22, 0.21), radius=0.075, fill="dark"),
            outline((0.83, 0.5), (0.22, 0.79), (0.36, 0.5), (0.22, 0.21), radius=0.04),
            outline((0.83, 0.5), (0.22, 0.21), (0.36, 0.5), radius=0.012, fill="light", opacity=0.55),
        ),
        arrows=SOLID_ARROWS,
    ),
    "tree": Shape(
        (
            *shadow(0.3, 0.88),
            box(0.44, 0.6, 0.12, 0.28, 0.03, "brown"),
            disc(0.33, 0.52, 0.19, "dark"),
            disc(0.67, 0.52, 0.19, "dark"),
            disc(0.5, 0.52, 0.2, "dark"),
            disc(0.5, 0.34, 0.22),
            disc(0.37, 0.47, 0.17),
            disc(0.63, 0.47, 0.17),
            disc(0.43, 0.3, 0.08, "light"),
        ),
        "♣ ",
    ),
    "plant": Shape((*shadow(0.16, 0.87), *_LEAF), "♣ "),
    "flower": Shape(
        (
            stroke((0.5, 0.5), (0.5, 0.86), width=0.05, fill="green"),
            ellipse(0.6, 0.74, 0.1, 0.045, "green"),
            *(
                disc(x, y, 0.115)
                for x, y in ((0.5, 0.23), (0.64, 0.34), (0.59, 0.51), (0.41, 0.51), (0.36, 0.34))
            ),
            disc(0.5, 0.39, 0.1, "amber"),
        ),
        "✿ ",
    ),
    "body": Shape(
        (
            box(0.1, 0.1, 0.8, 0.8, 0.24, "dark"),
            box(0.15, 0.15, 0.7, 0.7, 0.2),
            disc(0.5, 0.5, 0.12, "light"),
        ),
        "■ ",
    ),
    "snake": Shape(
        (box(0.08, 0.08, 0.84, 0.84, 0.28, "dark"), box(0.13, 0.13, 0.74, 0.74, 0.24), *eyes(0.4, 0.16)),
        "■ ",
        directed=(
            box(0.06, 0.1, 0.84, 0.8, 0.28, "dark"),
            box(0.11, 0.15, 0.74, 0.7, 0.24),
            disc(0.64, 0.32, 0.1, "white"),
            disc(0.64, 0.68, 0.1, "white"),
            disc(0.67, 0.32, 0.055, "ink"),
            disc(0.67, 0.68, 0.055, "ink"),
        ),
        arrows=SOLID_ARROWS,
    ),
    "skull": Shape(
        (
            *shadow(0.24, 0.86),
            disc(0.5, 0.44, 0.28),
            box(0.36, 0.56, 0.28, 0.24, 0.05),
            disc(0.39, 0.46, 0.08, "ink"),
            disc(0.61, 0.46, 0.08, "ink"),
            *(stroke((x, 0.7), (x, 0.78), width=0.03, fill="dark") for x in (0.44, 0.5, 0.56)),
        ),
        "☠ ",
    ),
    "fish": Shape(
        (
            outline((0.3, 0.5), (0.08, 0.28), (0.14, 0.5), (0.08, 0.72), radius=0.02, fill="dark"),
            ellipse(0.54, 0.5, 0.33, 0.2),
            outline((0.46, 0.32), (0.58, 0.18), (0.64, 0.33), radius=0.02, fill="dark"),
            disc(0.72, 0.45, 0.055, "white"),
            disc(0.735, 0.455, 0.03, "ink"),
            arc(0.56, 0.5, 0.14, -60, 60, 0.025, "dark"),
        ),
        "► ",
        directed=(
            outline((0.3, 0.5), (0.08, 0.28), (0.14, 0.5), (0.08, 0.72), radius=0.02, fill="dark"),
            ellipse(0.54, 0.5, 0.33, 0.2),
            disc(0.74, 0.44, 0.05, "white"),
            disc(0.755, 0.445, 0.028, "ink"),
            arc(0.56, 0.5, 0.14, -60, 60, 0.025, "dark"),
        ),
        arrows=SOLID_ARROWS,
    ),
    "chicken": Shape(
        (
            *shadow(0.24, 0.88),
            *(stroke((x, 0.74), (x, 0.86), width=0.04, fill="amber") for x in (0.44, 0.56)),
            disc(0.5, 0.16, 0.06, "red"),
            disc(0.56, 0.18, 0.05, "red"),
            ellipse(0.5, 0.58, 0.26, 0.22),
            disc(0.52, 0.32, 0.15),
            outline((0.64, 0.3), (0.78, 0.35), (0.64, 0.4), radius=0.01, fill="amber"),
            disc(0.56, 0.29, 0.03, "ink"),
            ellipse(0.44, 0.6, 0.12, 0.09, "shade"),
        ),
        "¤ ",
        pointer=POINTER,
    ),
}
