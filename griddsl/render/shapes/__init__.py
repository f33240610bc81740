"""Every shape, drawn once as a few parts in the unit square, for the rasteriser and the SVG writer alike."""

from griddsl.render.shapes.parts import (
    SHAPES,
    covers_cell,
    glyph_of,
    ground_color,
    parts_of,
    policy_parts,
    share_of_cell,
    sprite_parts,
)
from griddsl.render.shapes.shape import THIN_ARROWS, Shape

__all__ = [
    "SHAPES",
    "THIN_ARROWS",
    "Shape",
    "covers_cell",
    "glyph_of",
    "ground_color",
    "parts_of",
    "policy_parts",
    "share_of_cell",
    "sprite_parts",
]
