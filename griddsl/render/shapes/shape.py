"""What a shape is: its parts in the unit square, its glyph, and how both are in each state and direction."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from griddsl.render.primitives import Parts

SOLID_ARROWS = "►▼◄▲◢◣◤◥"
THIN_ARROWS = "→↓←↑↘↙↖↗"


@dataclass(frozen=True, slots=True)
class Variant:
    """How a shape looks in one state."""

    parts: Parts
    glyph: str


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape in parts. Parts of tone `base`, `light`, `dark`, ... take the colour of the thing drawn."""

    parts: Parts
    glyph: str  # two terminal columns; the first must say enough by itself
    under: Parts = ()  # drawn first and never turned: the ground of a tile
    directed: Parts | None = None  # in place of `parts` where there is a direction; drawn for east
    arrows: str = ""  # the glyph by direction
    pointer: Parts = ()  # drawn over `parts`, which stand upright, where there is a direction; for east
    states: Mapping[str, Variant] = field(default_factory=dict)
