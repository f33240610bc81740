"""What several shapes have: ground under them, a shadow, eyes."""

from griddsl.render.primitives import Parts, box, disc, ellipse, outline, stroke


def ground(fill: str = "base", seam: str = "seam") -> Parts:
    """A tile that fills its cell, with a seam around it."""
    return box(0, 0, 1, 1, fill=seam), box(0.012, 0.012, 0.976, 0.976, fill=fill)


def shadow(width: float = 0.3, y: float = 0.84) -> Parts:
    """The shadow below what stands in the middle of its cell."""
    return (ellipse(0.5, y, width, 0.07, "ink", 0.13),)


def eyes(y: float = 0.46, gap: float = 0.12, size: float = 0.085) -> Parts:
    """Two eyes that look ahead."""
    return (
        disc(0.5 - gap, y, size, "white"),
        disc(0.5 + gap, y, size, "white"),
        disc(0.5 - gap + 0.02, y + 0.01, size * 0.52, "ink"),
        disc(0.5 + gap + 0.02, y + 0.01, size * 0.52, "ink"),
    )


# Which way those face that are drawn upright: a small arrow at the border of the cell, for east.
POINTER: Parts = (
    outline((0.84, 0.36), (0.98, 0.5), (0.84, 0.64), radius=0.045, fill="white"),
    outline((0.85, 0.39), (0.96, 0.5), (0.85, 0.61), radius=0.01, fill="ink"),
)


def chevron(x: float, fill: str, width: float = 0.09, reach: float = 0.16, opacity: float = 1.0) -> Parts:
    """A hook that points east."""
    points = ((x - 0.08, 0.5 - reach), (x + 0.08, 0.5), (x - 0.08, 0.5 + reach))
    return (stroke(*points, width=width, fill=fill, opacity=opacity),)
