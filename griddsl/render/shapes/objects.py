"""Shapes of objects: what is carried, opened, pushed, driven, eaten."""

from griddsl.render.primitives import Parts, arc, arc_points, box, disc, ellipse, outline, star_points, stroke
from griddsl.render.shapes.features import shadow
from griddsl.render.shapes.shape import SOLID_ARROWS, THIN_ARROWS, Shape, Variant

_DOOR_PANEL: Parts = (
    box(0.04, 0.02, 0.92, 0.96, 0.08, "deep"),
    box(0.1, 0.08, 0.8, 0.84, 0.05, "base"),
    box(0.2, 0.17, 0.6, 0.28, 0.04, "shade"),
    box(0.2, 0.55, 0.6, 0.28, 0.04, "shade"),
)

_TOMATO_TOP: Parts = (
    outline(*star_points(0.5, 0.33, 0.17, 0.06, 5), radius=0.012, fill="darkgreen"),
    stroke((0.5, 0.33), (0.53, 0.2), width=0.05, fill="darkgreen"),
)

_LEVER_FOOT: Parts = (box(0.22, 0.6, 0.56, 0.24, 0.07, "slate"),)

OBJECTS: dict[str, Shape] = {
    "key": Shape(
        (
            stroke((0.44, 0.5), (0.84, 0.5), width=0.115, fill="dark"),
            stroke((0.66, 0.5), (0.66, 0.66), width=0.1, fill="dark"),
            stroke((0.81, 0.5), (0.81, 0.69), width=0.1, fill="dark"),
            arc(0.31, 0.5, 0.145, 0, 360, 0.135, "dark"),
            stroke((0.44, 0.5), (0.84, 0.5), width=0.07),
            stroke((0.66, 0.5), (0.66, 0.66), width=0.055),
            stroke((0.81, 0.5), (0.81, 0.69), width=0.055),
            arc(0.31, 0.5, 0.145, 0, 360, 0.09),
        ),
        "o¬",
    ),
    "door": Shape(
        (*_DOOR_PANEL, disc(0.8, 0.5, 0.06, "pale")),
        "▐▌",
        states={
            "open": Variant(
                (
                    box(0.04, 0.02, 0.92, 0.96, 0.08, "deep"),
                    box(0.1, 0.08, 0.8, 0.84, 0.05, "#e9e4d8"),
                    outline((0.1, 0.08), (0.34, 0.2), (0.34, 0.98), (0.1, 0.9), radius=0.012),
                    disc(0.28, 0.58, 0.035, "pale"),
                ),
                "▕ ",
            ),
            "locked": Variant(
                (
                    *_DOOR_PANEL,
                    box(0.34, 0.44, 0.32, 0.28, 0.06, "deep"),
                    arc(0.5, 0.44, 0.1, 180, 360, 0.06, "deep"),
                    disc(0.5, 0.55, 0.045, "pale"),
                    stroke((0.5, 0.56), (0.5, 0.64), width=0.04, fill="pale"),
                ),
                "▐#",
            ),
        },
    ),
    "ball": Shape(
        (*shadow(), disc(0.5, 0.5, 0.32, "dark"), disc(0.5, 0.5, 0.285), disc(0.4, 0.39, 0.085, "light")),
        "● ",
    ),
    "box": Shape(
        (
            *shadow(0.36, 0.87),
            box(0.13, 0.13, 0.74, 0.74, 0.08, "dark"),
            box(0.18, 0.18, 0.64, 0.64, 0.045, "base"),
            stroke((0.24, 0.76), (0.76, 0.24), width=0.11, fill="light"),
            box(0.18, 0.18, 0.64, 0.12, 0.03, "soft"),
            box(0.18, 0.7, 0.64, 0.12, 0.03, "shade"),
        ),
        "▣ ",
    ),
    "chest": Shape(
        (
            *shadow(0.36, 0.84),
            box(0.14, 0.24, 0.72, 0.58, 0.1, "dark"),
            box(0.18, 0.28, 0.64, 0.2, 0.07, "light"),
            box(0.18, 0.5, 0.64, 0.28, 0.05, "base"),
            box(0.43, 0.42, 0.14, 0.18, 0.03, "gold"),
        ),
        "▤ ",
        states={
            "open": Variant(
                (
                    *shadow(0.36, 0.84),
                    box(0.14, 0.14, 0.72, 0.26, 0.08, "dark"),
                    box(0.18, 0.34, 0.64, 0.2, 0.02, "deep"),
                    box(0.14, 0.48, 0.72, 0.34, 0.06, "dark"),
                    box(0.18, 0.52, 0.64, 0.26, 0.04, "base"),
                ),
                "▽ ",
            )
        },
    ),
    "coin": Shape(
        (
            *shadow(0.24),
            disc(0.5, 0.5, 0.27, "dark"),
            disc(0.5, 0.5, 0.235),
            arc(0.5, 0.5, 0.15, 0, 360, 0.045, "light"),
            stroke((0.5, 0.44), (0.5, 0.56), width=0.06, fill="dark"),
        ),
        "¢ ",
    ),
    "gem": Shape(
        (
            *shadow(0.18),
            outline(
                (0.3, 0.26), (0.7, 0.26), (0.84, 0.44), (0.5, 0.82), (0.16, 0.44), radius=0.02, fill="base"
            ),
            outline((0.3, 0.26), (0.16, 0.44), (0.36, 0.44), radius=0.012, fill="soft"),
            outline((0.3, 0.26), (0.7, 0.26), (0.64, 0.44), (0.36, 0.44), radius=0.012, fill="light"),
            outline((0.64, 0.44), (0.84, 0.44), (0.5, 0.82), radius=0.012, fill="dark"),
        ),
        "◆ ",
    ),
    "apple": Shape(
        (
            *shadow(0.22),
            disc(0.4, 0.55, 0.21),
            disc(0.6, 0.55, 0.21),
            ellipse(0.5, 0.64, 0.22, 0.2),
            stroke((0.5, 0.38), (0.54, 0.22), width=0.05, fill="brown"),
            ellipse(0.65, 0.26, 0.11, 0.055, "green"),
            disc(0.33, 0.49, 0.055, "light"),
        ),
        "● ",
    ),
    "fruit": Shape(
        (
            *shadow(0.26),
            stroke((0.34, 0.6), (0.46, 0.34), (0.62, 0.2), width=0.045, fill="darkgreen"),
            stroke((0.66, 0.64), (0.62, 0.2), width=0.045, fill="darkgreen"),
            disc(0.33, 0.65, 0.17),
            disc(0.66, 0.7, 0.17, "shade"),
            disc(0.28, 0.6, 0.045, "light"),
            disc(0.61, 0.65, 0.045, "light"),
        ),
        "● ",
    ),
    "pill": Shape((disc(0.5, 0.5, 0.24, "dark"), disc(0.5, 0.5, 0.2), disc(0.44, 0.43, 0.055, "pale")), "o "),
    "taxi": Shape(
        (
            *shadow(0.4, 0.8),
            outline((0.28, 0.46), (0.38, 0.28), (0.64, 0.28), (0.74, 0.46), radius=0.03, fill="base"),
            box(0.1, 0.44, 0.8, 0.28, 0.09, "base"),
            outline((0.36, 0.44), (0.42, 0.33), (0.49, 0.33), (0.49, 0.44), radius=0.012, fill="#cfe8f3"),
            outline((0.54, 0.44), (0.54, 0.33), (0.61, 0.33), (0.67, 0.44), radius=0.012, fill="#cfe8f3"),
            box(0.43, 0.18, 0.16, 0.09, 0.025, "ink"),
            *(box(0.14 + 0.09 * i, 0.53 + 0.045 * (i % 2), 0.09, 0.045, fill="ink") for i in range(8)),
            disc(0.29, 0.73, 0.095, "ink"),
            disc(0.71, 0.73, 0.095, "ink"),
            disc(0.29, 0.73, 0.04, "silver"),
            disc(0.71, 0.73, 0.04, "silver"),
        ),
        "▰ ",
        directed=(
            *(box(x, y, 0.16, 0.07, 0.02, "ink") for x in (0.2, 0.64) for y in (0.2, 0.73)),
            box(0.1, 0.24, 0.8, 0.52, 0.15, "dark"),
            box(0.125, 0.265, 0.75, 0.47, 0.125, "base"),
            outline((0.58, 0.34), (0.68, 0.3), (0.68, 0.7), (0.58, 0.66), radius=0.02, fill="#3d4f63"),
            outline((0.28, 0.35), (0.22, 0.32), (0.22, 0.68), (0.28, 0.65), radius=0.02, fill="#3d4f63"),
            box(0.4, 0.4, 0.09, 0.2, 0.02, "ink"),
            disc(0.85, 0.34, 0.035, "cream"),
            disc(0.85, 0.66, 0.035, "cream"),
        ),
        arrows=SOLID_ARROWS,
    ),
    "hurdle": Shape(
        (
            ellipse(0.5, 0.85, 0.38, 0.05, "ink", 0.13),
            stroke((0.22, 0.4), (0.22, 0.84), width=0.07, fill="slate"),
            stroke((0.78, 0.4), (0.78, 0.84), width=0.07, fill="slate"),
            box(0.1, 0.28, 0.8, 0.2, 0.04, "white"),
            *(
                outline((x, 0.48), (x + 0.1, 0.28), (x + 0.22, 0.28), (x + 0.12, 0.48))
                for x in (0.12, 0.4, 0.67)
            ),
        ),
        "╫ ",
    ),
    "rock": Shape(
        (
            *shadow(0.36, 0.82),
            outline(
                (0.22, 0.76),
                (0.16, 0.56),
                (0.32, 0.3),
                (0.56, 0.24),
                (0.8, 0.46),
                (0.84, 0.7),
                (0.74, 0.78),
                radius=0.03,
                fill="base",
            ),
            outline(
                (0.32, 0.32), (0.56, 0.26), (0.62, 0.42), (0.42, 0.5), (0.24, 0.48), radius=0.02, fill="light"
            ),
            outline(
                (0.8, 0.48), (0.84, 0.7), (0.74, 0.78), (0.5, 0.78), (0.66, 0.6), radius=0.02, fill="dark"
            ),
        ),
        "▲ ",
    ),
    "tomato": Shape(
        (*shadow(0.28, 0.83), ellipse(0.5, 0.56, 0.31, 0.27), disc(0.37, 0.5, 0.06, "light"), *_TOMATO_TOP),
        "● ",
        states={
            "dry": Variant(
                (
                    *shadow(0.26, 0.83),
                    ellipse(0.5, 0.6, 0.28, 0.22, "tan"),
                    stroke((0.34, 0.52), (0.38, 0.7), width=0.03, fill="brown"),
                    stroke((0.52, 0.5), (0.52, 0.74), width=0.03, fill="brown"),
                    stroke((0.67, 0.53), (0.63, 0.7), width=0.03, fill="brown"),
                    outline(*star_points(0.5, 0.39, 0.14, 0.05, 5), radius=0.012, fill="olive"),
                ),
                "○ ",
            )
        },
    ),
    "button": Shape(
        (
            box(0.2, 0.5, 0.6, 0.32, 0.1, "slate"),
            ellipse(0.5, 0.5, 0.24, 0.15, "dark"),
            ellipse(0.5, 0.43, 0.24, 0.15),
        ),
        "⊙ ",
        states={
            state: Variant(
                (box(0.2, 0.5, 0.6, 0.32, 0.1, "slate"), ellipse(0.5, 0.53, 0.24, 0.13, "dark")), "• "
            )
            for state in ("pressed", "down", "on")
        },
    ),
    "lever": Shape(
        (
            stroke((0.5, 0.64), (0.28, 0.26), width=0.075, fill="charcoal"),
            disc(0.28, 0.25, 0.095),
            *_LEVER_FOOT,
        ),
        "╲ ",
        states={
            state: Variant(
                (
                    stroke((0.5, 0.64), (0.72, 0.26), width=0.075, fill="charcoal"),
                    disc(0.72, 0.25, 0.095, "lime"),
                    *_LEVER_FOOT,
                ),
                "╱ ",
            )
            for state in ("on", "pulled", "active")
        },
    ),
    "lamp": Shape(
        (disc(0.5, 0.42, 0.24, "shade"), box(0.4, 0.64, 0.2, 0.18, 0.04, "slate")),
        "○ ",
        states={
            state: Variant(
                (
                    disc(0.5, 0.42, 0.36, "amber", 0.3),
                    disc(0.5, 0.42, 0.24, "amber"),
                    disc(0.44, 0.36, 0.07, "cream"),
                    box(0.4, 0.64, 0.2, 0.18, 0.04, "slate"),
                ),
                "☼ ",
            )
            for state in ("on", "lit", "bright")
        },
    ),
    "bomb": Shape(
        (
            *shadow(0.28),
            stroke((0.6, 0.34), (0.68, 0.22), (0.78, 0.22), width=0.045, fill="brown"),
            disc(0.8, 0.21, 0.06, "amber"),
            disc(0.48, 0.56, 0.28),
            disc(0.39, 0.47, 0.065, "light"),
        ),
        "✹ ",
    ),
    "sword": Shape(
        (
            stroke((0.32, 0.68), (0.78, 0.22), width=0.1, fill="silver"),
            stroke((0.24, 0.54), (0.46, 0.76), width=0.09),
            stroke((0.34, 0.66), (0.2, 0.8), width=0.08, fill="brown"),
        ),
        "† ",
    ),
    "potion": Shape(
        (
            *shadow(0.24, 0.86),
            box(0.42, 0.16, 0.16, 0.26, 0.03, "silver"),
            disc(0.5, 0.58, 0.26, "silver"),
            outline(*arc_points(0.5, 0.58, 0.2, 0.2, -10, 190), radius=0.01),
            disc(0.43, 0.68, 0.035, "light"),
            box(0.4, 0.12, 0.2, 0.1, 0.03, "brown"),
        ),
        "δ ",
    ),
    "bucket": Shape(
        (
            *shadow(0.28, 0.86),
            arc(0.5, 0.38, 0.25, 180, 360, 0.045, "dark"),
            outline((0.24, 0.38), (0.76, 0.38), (0.68, 0.82), (0.32, 0.82), radius=0.025),
            ellipse(0.5, 0.38, 0.27, 0.085, "dark"),
            ellipse(0.5, 0.39, 0.21, 0.055, "skyblue"),
        ),
        "∪ ",
    ),
    "onion": Shape(
        (
            *shadow(0.24),
            stroke((0.46, 0.34), (0.4, 0.14), width=0.05, fill="green"),
            stroke((0.5, 0.34), (0.52, 0.1), width=0.05, fill="green"),
            stroke((0.54, 0.34), (0.64, 0.16), width=0.05, fill="green"),
            ellipse(0.5, 0.58, 0.28, 0.25),
            arc(0.6, 0.58, 0.22, 120, 240, 0.025, "dark"),
            arc(0.4, 0.58, 0.22, -60, 60, 0.025, "dark"),
            disc(0.4, 0.48, 0.05, "light"),
        ),
        "● ",
    ),
    "pot": Shape(
        (
            *shadow(0.32, 0.86),
            stroke((0.1, 0.48), (0.9, 0.48), width=0.08, fill="dark"),
            box(0.2, 0.4, 0.6, 0.44, 0.12, "base"),
            ellipse(0.5, 0.4, 0.3, 0.11, "dark"),
            ellipse(0.5, 0.41, 0.24, 0.07, "deep"),
            box(0.27, 0.52, 0.07, 0.22, 0.03, "light"),
        ),
        "∪ ",
    ),
    "dish": Shape(
        (
            *shadow(0.32, 0.8),
            ellipse(0.5, 0.6, 0.36, 0.2, "shade"),
            ellipse(0.5, 0.54, 0.36, 0.2, "light"),
            ellipse(0.5, 0.53, 0.24, 0.12, "base"),
            ellipse(0.5, 0.52, 0.2, 0.09, "white"),
        ),
        "○ ",
    ),
    "submarine": Shape(
        (
            box(0.44, 0.2, 0.18, 0.2, 0.05, "dark"),
            ellipse(0.52, 0.54, 0.4, 0.21),
            box(0.06, 0.4, 0.08, 0.28, 0.03, "dark"),
            *(disc(x, 0.52, 0.055, "pale") for x in (0.38, 0.55, 0.72)),
        ),
        "◗ ",
        directed=(
            box(0.4, 0.24, 0.2, 0.16, 0.05, "dark"),
            ellipse(0.52, 0.54, 0.4, 0.21),
            box(0.06, 0.4, 0.08, 0.28, 0.03, "dark"),
            *(disc(x, 0.52, 0.055, "pale") for x in (0.38, 0.55, 0.72)),
        ),
        arrows=SOLID_ARROWS,
    ),
    "cannon": Shape(
        (
            box(0.43, 0.14, 0.14, 0.4, 0.03, "dark"),
            outline((0.2, 0.62), (0.32, 0.46), (0.68, 0.46), (0.8, 0.62), radius=0.03, fill="base"),
            box(0.1, 0.6, 0.8, 0.24, 0.06, "base"),
            box(0.1, 0.78, 0.8, 0.08, 0.03, "dark"),
        ),
        "▲ ",
    ),
    "bullet": Shape(
        (box(0.43, 0.26, 0.14, 0.48, 0.07),),
        "• ",
        directed=(box(0.26, 0.43, 0.48, 0.14, 0.07),),
        arrows=THIN_ARROWS,
    ),
    "paddle": Shape((box(0.04, 0.36, 0.92, 0.28, 0.14, "dark"), box(0.06, 0.37, 0.88, 0.2, 0.1)), "▬▬"),
    "battery": Shape(
        (
            *shadow(0.22, 0.87),
            box(0.42, 0.13, 0.16, 0.12, 0.03, "charcoal"),
            box(0.28, 0.2, 0.44, 0.64, 0.08, "charcoal"),
            box(0.33, 0.38, 0.34, 0.41, 0.04),
            outline(
                (0.54, 0.42), (0.42, 0.6), (0.5, 0.6), (0.46, 0.74), (0.58, 0.56), (0.5, 0.56), fill="cream"
            ),
        ),
        "▮ ",
    ),
    "tool": Shape(
        (
            stroke((0.28, 0.76), (0.58, 0.44), width=0.11, fill="brown"),
            outline((0.44, 0.34), (0.58, 0.2), (0.8, 0.42), (0.66, 0.56), radius=0.03),
        ),
        "⚒ ",
    ),
}
