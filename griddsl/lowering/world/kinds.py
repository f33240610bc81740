"""Kinds: every kind of tile, object and agent that a spec names, with its properties and attributes."""

from __future__ import annotations

from dataclasses import dataclass, field

from griddsl.lowering.world.domains import Domain
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

BUILT_IN = {".": "floor", " ": "floor", "#": "wall", "@": "agent"}


DEFAULT_LAYER = "things"


PROPERTIES = (
    "solid",
    "opaque",
    "slide",
    "drift",
    "carry",
    "one_way",
    "pushable",
    "portable",
    "layer",
    "edge",
    "carries",
    "facing",
    "moves",
)


# What each property is for, where it is not for all.
PROPERTY_WORDS = {
    **dict.fromkeys(
        ("carryable", "pickable", "pickup", "takeable", "collectible", "collectable", "item"), "portable"
    ),
    **dict.fromkeys(("movable", "moveable", "push", "shovable"), "pushable"),
    **dict.fromkeys(("blocking", "impassable", "obstacle", "blocks", "unwalkable", "hard"), "solid"),
    **dict.fromkeys(("slippery", "slides", "icy"), "slide"),
}


FOR: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("slide", "drift", "carry", "one_way"), ("tile",)),
    **dict.fromkeys(("pushable", "portable", "layer", "edge"), ("object",)),
    **dict.fromkeys(("solid", "opaque"), ("tile", "object")),
    **dict.fromkeys(("facing", "moves", "carries"), ("object", "agent")),
}


ARTICLES = {"tile": "a tile", "object": "an object", "agent": "an agent"}


@dataclass(frozen=True, slots=True)
class AttributeOf:
    """An attribute: its domain and the code or number it starts with."""

    name: str
    domain: Domain
    default: int
    span: Span


@dataclass(slots=True, eq=False)
class Kind:
    """One kind, and what its declaration says of it."""

    name: str
    category: str
    span: Span
    declared: bool = False
    code: int = -1
    solid: n.Guarded | None = None
    opaque: n.Guarded | None = None
    slide: bool = False
    drift: tuple[int, tuple[n.Expression, ...]] | None = None
    carry: int | None = None
    one_way: int | None = None
    pushable: int = 0
    portable: bool = False
    layer: str = DEFAULT_LAYER
    edge: str | None = None
    carries: int | None = None
    faces: bool = False
    moves: n.Mover | None = None
    attributes: dict[str, AttributeOf] = field(default_factory=dict)
    named: list[Span] = field(default_factory=list)

    def takes(self, name: str) -> bool:
        """Whether a pattern of this kind may give a value of this name."""
        if name == "carries":
            return self.category == "agent" or (self.category == "object" and self.carries is not None)
        return name in self.attributes or (name == "facing" and self.category == "agent")

    def properties(self) -> frozenset[str]:
        """The names of the properties it has, for its look."""
        found = {name for name in ("slide", "portable") if getattr(self, name)}
        found |= {
            name
            for name in ("solid", "opaque", "drift", "carry", "one_way")
            if getattr(self, name) is not None
        }
        found |= {"moves"} if self.moves is not None and self.category == "object" else set()
        return frozenset(found | ({"pushable"} if self.pushable else set()))


def goes_ahead(kind: Kind) -> bool:
    """Whether a kind moves where it faces: `forward` or `patrol`, always or sometimes."""
    return any(
        isinstance(node, n.Mover) and node.policy in {"forward", "patrol"} for node in walk(kind.moves)
    )
