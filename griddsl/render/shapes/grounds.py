"""Shapes of what a cell is made of: floors, walls, water, belts, goals."""

from griddsl.render.digits import number_parts
from griddsl.render.primitives import Parts, arc, arc_points, box, disc, ellipse, outline, stroke, wave
from griddsl.render.shapes.features import chevron, ground
from griddsl.render.shapes.shape import THIN_ARROWS, Shape, Variant

_GRASS_BLADES = tuple(
    stroke((x - 0.03, y - 0.07), (x, y), (x + 0.04, y - 0.09), width=0.028, fill="dark", opacity=0.55)
    for x, y in ((0.24, 0.32), (0.68, 0.26), (0.46, 0.58), (0.2, 0.82), (0.78, 0.76))
)

_COVER: Parts = (
    *ground("shade", "dark"),
    box(0.05, 0.04, 0.9, 0.88, 0.07, "dark"),
    box(0.05, 0.04, 0.88, 0.84, 0.07, "light"),
    box(0.08, 0.08, 0.85, 0.8, 0.06),
)

_UNCOVERED = ground("bare", "light")

# What is told of how many, from 1 to 8: ever more of a warning.
_COUNT_COLORS = ("#2d62c4", "#2f7d4b", "#c8382f", "#33356e", "#8a2f2f", "#1e7f86", "#3a3d47", "#6d7480")

GROUNDS: dict[str, Shape] = {
    "floor": Shape(ground(), "  "),
    "ground": Shape(ground(), "  "),
    "wall": Shape(
        (
            box(0, 0, 1, 1, fill="dark"),
            box(0.012, 0.012, 0.976, 0.976, 0.05, "base"),
            box(0.012, 0.012, 0.976, 0.15, 0.05, "soft"),
            box(0.012, 0.86, 0.976, 0.128, 0.05, "shade"),
        ),
        "██",
    ),
    "bricks": Shape(
        (
            box(0, 0, 1, 1, fill="dark"),
            *(box(x, 0.025, 0.455, 0.285, 0.035, "base") for x in (0.02, 0.52)),
            *(box(x, 0.357, w, 0.285, 0.035, "soft") for x, w in ((-0.1, 0.335), (0.27, 0.455), (0.77, 0.4))),
            *(box(x, 0.69, 0.455, 0.285, 0.035, "base") for x in (0.02, 0.52)),
        ),
        "██",
    ),
    "cliff": Shape(
        (
            box(0, 0, 1, 1, fill="base"),
            outline(
                (0, 0.5),
                (0.14, 0.62),
                (0.3, 0.52),
                (0.52, 0.68),
                (0.7, 0.55),
                (0.86, 0.66),
                (1, 0.5),
                (1, 1),
                (0, 1),
                fill="dark",
            ),
            outline(
                (0, 0),
                (1, 0),
                (1, 0.3),
                (0.88, 0.43),
                (0.72, 0.3),
                (0.56, 0.46),
                (0.36, 0.3),
                (0.16, 0.44),
                (0, 0.3),
                fill="light",
            ),
            outline(
                (0, 0),
                (1, 0),
                (1, 0.16),
                (0.88, 0.28),
                (0.72, 0.16),
                (0.56, 0.3),
                (0.36, 0.15),
                (0.16, 0.28),
                (0, 0.16),
                fill="pale",
            ),
        ),
        "▓▓",
    ),
    "hole": Shape(
        (ellipse(0.5, 0.52, 0.38, 0.34, "dark"), ellipse(0.5, 0.56, 0.34, 0.28, "deep")),
        "● ",
        under=ground("pale", "light"),
    ),
    "pit": Shape(
        (
            box(0.1, 0.1, 0.8, 0.8, 0.08, "base"),
            box(0.1, 0.22, 0.8, 0.68, 0.08, "dark"),
            box(0.1, 0.36, 0.8, 0.54, 0.08, "deep"),
        ),
        "▣ ",
        under=ground("pale", "light"),
    ),
    "trap": Shape(
        tuple(
            outline((x - 0.11, y + 0.1), (x, y - 0.14), (x + 0.11, y + 0.1), radius=0.012, fill=fill)
            for x, y, fill in (
                (0.3, 0.34, "base"),
                (0.7, 0.34, "base"),
                (0.5, 0.56, "dark"),
                (0.3, 0.78, "base"),
                (0.7, 0.78, "base"),
            )
        ),
        "▲ ",
        under=ground("pale", "light"),
    ),
    "lava": Shape(
        (
            wave(0.26, 0.05, 0.11, "light"),
            wave(0.55, 0.05, 0.11, "dark"),
            wave(0.82, 0.05, 0.11, "light"),
            disc(0.3, 0.42, 0.045, "amber"),
            disc(0.74, 0.68, 0.06, "amber"),
        ),
        "≈≈",
        under=ground(),
    ),
    "fire": Shape(
        (
            outline(
                (0.5, 0.16),
                (0.68, 0.42),
                (0.74, 0.62),
                (0.64, 0.8),
                (0.5, 0.84),
                (0.36, 0.8),
                (0.26, 0.62),
                (0.36, 0.46),
                (0.42, 0.5),
                radius=0.03,
            ),
            outline(
                (0.52, 0.46),
                (0.62, 0.62),
                (0.6, 0.76),
                (0.5, 0.8),
                (0.4, 0.76),
                (0.4, 0.62),
                radius=0.02,
                fill="amber",
            ),
            ellipse(0.5, 0.73, 0.06, 0.08, "cream"),
        ),
        "▲ ",
    ),
    "water": Shape(
        (
            wave(0.3, 0.045, 0.055, "light"),
            wave(0.55, 0.045, 0.055, "pale", 0.1, 0.75),
            wave(0.8, 0.045, 0.055, "light"),
        ),
        "≈≈",
        under=ground(),
    ),
    "ice": Shape(
        (
            stroke((0.16, 0.42), (0.42, 0.16), width=0.055, fill="white", opacity=0.9),
            stroke((0.2, 0.62), (0.3, 0.52), width=0.055, fill="white", opacity=0.9),
            stroke((0.6, 0.84), (0.84, 0.6), width=0.055, fill="white", opacity=0.9),
            stroke((0.62, 0.56), (0.72, 0.46), width=0.04, fill="white", opacity=0.75),
        ),
        "╱ ",
        under=ground(seam="shade"),
    ),
    "mud": Shape(
        (
            ellipse(0.34, 0.34, 0.2, 0.13, "shade"),
            ellipse(0.66, 0.66, 0.24, 0.15, "shade"),
            disc(0.74, 0.3, 0.05, "shade"),
        ),
        "▒▒",
        under=ground(),
    ),
    "sand": Shape(
        tuple(
            disc(x, y, 0.026, "dark", 0.5)
            for x, y in (
                (0.2, 0.2),
                (0.5, 0.3),
                (0.8, 0.18),
                (0.32, 0.54),
                (0.68, 0.56),
                (0.18, 0.8),
                (0.52, 0.8),
                (0.84, 0.84),
            )
        ),
        "░░",
        under=ground(),
    ),
    "grass": Shape(_GRASS_BLADES, "\"'", under=ground()),
    "road": Shape(
        (box(0.42, 0.06, 0.16, 0.28, 0.03, "pale", 0.5), box(0.42, 0.62, 0.16, 0.28, 0.03, "pale", 0.5)),
        "▒▒",
        under=ground(),
        directed=(
            box(0.06, 0.46, 0.3, 0.08, 0.03, "pale", 0.5),
            box(0.62, 0.46, 0.3, 0.08, 0.03, "pale", 0.5),
        ),
        arrows=THIN_ARROWS,
    ),
    "cover": Shape(
        _COVER,
        "▒▒",
        states={
            "opened": Variant(_UNCOVERED, "  "),
            **{
                f"opened {n}": Variant((*_UNCOVERED, *number_parts(n, fill=color)), f"{n:<2}")
                for n, color in enumerate(_COUNT_COLORS, 1)
            },
        },
    ),
    "counter": Shape(
        (
            box(0.012, 0.012, 0.976, 0.976, 0.05, "light"),
            box(0.012, 0.8, 0.976, 0.188, 0.05, "dark"),
            stroke((0.1, 0.26), (0.62, 0.26), width=0.02, fill="base", opacity=0.6),
            stroke((0.4, 0.54), (0.9, 0.54), width=0.02, fill="base", opacity=0.6),
        ),
        "▒▒",
        under=ground("light", "dark"),
    ),
    "hatch": Shape(
        (
            box(0.1, 0.1, 0.8, 0.66, 0.06, "dark"),
            box(0.16, 0.16, 0.68, 0.54, 0.04, "pale"),
            outline((0.34, 0.52), (0.5, 0.24), (0.66, 0.52), radius=0.02, fill="base"),
            box(0.44, 0.48, 0.12, 0.16, fill="base"),
        ),
        "▲ ",
        under=ground("light", "dark"),
    ),
    "pad": Shape(
        (box(0.12, 0.12, 0.76, 0.76, 0.16, "light"), box(0.2, 0.2, 0.6, 0.6, 0.11, "base", 0.75)),
        "▢ ",
        under=ground("pale", "light"),
    ),
    "start": Shape(
        (arc(0.5, 0.5, 0.27, 0, 360, 0.06, "base"), disc(0.5, 0.5, 0.1, "base")),
        "◌ ",
        under=ground("pale", "light"),
    ),
    "goal": Shape(
        (
            ellipse(0.36, 0.85, 0.2, 0.05, "deep", 0.25),
            outline((0.37, 0.2), (0.8, 0.36), (0.37, 0.54), radius=0.025, fill="base"),
            outline((0.37, 0.38), (0.78, 0.38), (0.37, 0.54), radius=0.012, fill="shade"),
            stroke((0.34, 0.17), (0.34, 0.84), width=0.065, fill="deep"),
        ),
        "⚑ ",
        under=ground("pale", "light"),
    ),
    "target": Shape(
        (disc(0.5, 0.5, 0.33), disc(0.5, 0.5, 0.25, "pale"), disc(0.5, 0.5, 0.15)),
        "◎ ",
        under=ground("pale", "light"),
    ),
    "exit": Shape(
        (
            box(0.42, 0.16, 0.42, 0.68, 0.05, "dark"),
            box(0.5, 0.24, 0.26, 0.52, 0.02, "pale"),
            stroke((0.14, 0.5), (0.56, 0.5), width=0.085, fill="deep"),
            stroke((0.44, 0.36), (0.58, 0.5), (0.44, 0.64), width=0.085, fill="deep"),
        ),
        "⇥ ",
        under=ground("pale", "light"),
    ),
    "home": Shape(
        (
            box(0.25, 0.44, 0.5, 0.4, 0.03, "light"),
            outline((0.17, 0.48), (0.5, 0.2), (0.83, 0.48), radius=0.03, fill="dark"),
            box(0.43, 0.58, 0.14, 0.26, 0.02, "deep"),
        ),
        "⌂ ",
        under=ground("pale", "light"),
    ),
    "stairs": Shape(
        tuple(
            box(0.14 + 0.18 * i, 0.68 - 0.16 * i, 0.18, 0.18 + 0.16 * i, 0.01, fill)
            for i, fill in enumerate(("light", "base", "shade", "dark"))
        ),
        "▟ ",
        under=ground("pale", "light"),
    ),
    "plate": Shape(
        (
            box(0.16, 0.16, 0.68, 0.68, 0.1, "dark"),
            box(0.16, 0.13, 0.68, 0.66, 0.1, "base"),
            box(0.28, 0.25, 0.44, 0.42, 0.06, "light"),
        ),
        "▭ ",
        under=ground("pale", "light"),
    ),
    "belt": Shape(
        (box(0, 0.1, 1, 0.8, fill="base"), *chevron(0.28, "light"), *chevron(0.74, "light")),
        "» ",
        under=ground("dark", "dark"),
        directed=(
            box(0, 0.09, 1, 0.82, fill="base"),
            box(0, 0.09, 1, 0.05, fill="soft"),
            box(0, 0.86, 1, 0.05, fill="soft"),
            *chevron(0.26, "amber"),
            *chevron(0.74, "amber"),
        ),
        arrows=THIN_ARROWS,
    ),
    "wind": Shape(
        (
            wave(0.3, 0.06, 0.05, "base", 0.14, 0.86),
            wave(0.52, 0.06, 0.05, "base", 0.24, 0.92),
            wave(0.74, 0.06, 0.05, "base", 0.08, 0.76),
        ),
        "~ ",
        under=ground("pale", "light"),
        directed=(
            stroke((0.12, 0.38), (0.6, 0.38), *arc_points(0.6, 0.28, 0.1, 0.1, 90, -150), width=0.055),
            stroke((0.24, 0.53), (0.76, 0.53), width=0.055, fill="light"),
            stroke((0.12, 0.67), (0.68, 0.67), *arc_points(0.68, 0.76, 0.09, 0.09, -90, 150), width=0.055),
        ),
        arrows=THIN_ARROWS,
    ),
    "one_way": Shape(
        (disc(0.5, 0.5, 0.35), box(0.28, 0.44, 0.44, 0.12, 0.03, "white")),
        "⊖ ",
        under=ground("pale", "light"),
        directed=(
            box(0.1, 0.12, 0.8, 0.76, 0.12, "base"),
            stroke((0.26, 0.5), (0.68, 0.5), width=0.1, fill="white"),
            stroke((0.52, 0.31), (0.72, 0.5), (0.52, 0.69), width=0.1, fill="white"),
        ),
        arrows=THIN_ARROWS,
    ),
    "portal": Shape(
        (
            disc(0.5, 0.5, 0.4, "base"),
            disc(0.5, 0.5, 0.32, "dark"),
            arc(0.5, 0.5, 0.23, 150, 330, 0.075, "light"),
            arc(0.5, 0.5, 0.23, -10, 110, 0.075, "base"),
            disc(0.5, 0.5, 0.1, "pale"),
        ),
        "◍ ",
        under=ground("pale", "light"),
    ),
}
