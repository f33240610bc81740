"""Kinds: every kind of tile, object and agent that a spec names, with its properties and attributes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from griddsl.diagnostics import Help, Label, Report
from griddsl.lowering.world.domains import Domain
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text as printed

BUILT_IN = {".": "floor", " ": "floor", "#": "wall", "@": "agent"}


DEFAULT_LAYER = "0"  # the layer of all that names none: no name of a layer starts with a digit


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
    "nowhere",
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
    **dict.fromkeys(("rotates", "turns", "oriented", "orientation", "direction"), "facing"),
    **dict.fromkeys(
        ("none", "outside", "absent", "placeless", "unplaced", "bodiless", "disembodied", "off_board"),
        "nowhere",
    ),
}


FOR: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("slide", "drift", "carry", "one_way"), ("tile",)),
    **dict.fromkeys(("pushable", "portable", "layer", "edge"), ("object",)),
    **dict.fromkeys(("solid", "opaque"), ("tile", "object")),
    **dict.fromkeys(("facing", "moves", "carries"), ("object", "agent")),
    "nowhere": ("agent",),
}


ARTICLES = {"tile": "a tile", "object": "an object", "agent": "an agent"}


@dataclass(frozen=True, slots=True)
class AttributeOf:
    """An attribute: its domain and the code or number it starts with."""

    name: str
    domain: Domain
    default: int
    span: Span


Category: TypeAlias = Literal["tile", "object", "agent"]


@dataclass(slots=True, eq=False)
class Kind:
    """One kind, and what its declaration says of it."""

    name: str
    category: Category
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
    gives_way: n.Guarded | None = None
    portable: bool = False
    layer: str = DEFAULT_LAYER
    edge: str | None = None
    carries: int | None = None
    faces: bool = False
    nowhere: bool = False
    moves: n.Mover | None = None
    attributes: dict[str, AttributeOf] = field(default_factory=dict)
    named: list[Span] = field(default_factory=list)

    def condition_of(self, which: str) -> n.Guarded | None:
        """What its declaration says of when it is ``solid``, ``opaque`` or ``pushable``; None where it never is."""
        return {"solid": self.solid, "opaque": self.opaque, "pushable": self.gives_way}[which]

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


def who_stands(several: bool) -> str:
    """Return how it begins that who acts stands nowhere: ``the agent stands``."""
    return "agents stand" if several else "the agent stands"


def goes_ahead(kind: Kind) -> bool:
    """Whether a kind moves where it faces: `forward` or `patrol`, always or sometimes."""
    return any(
        isinstance(node, n.Mover) and node.policy in {"forward", "patrol"} for node in walk(kind.moves)
    )


# What is said twice


def property_of(item: n.Item) -> str:
    """Return the property that an item of a kind is, and an empty text for an attribute or a word that is none."""
    if isinstance(item, n.Mover):
        return "moves"
    name = item.name if isinstance(item, n.Guarded | n.Property) else ""
    return name if name in PROPERTIES else ""


def report_twice(items: Sequence[n.Item], report: Report) -> None:
    """Report each item that says again what the same declaration has said."""
    seen: dict[str, n.Item] = {}
    for before, item in zip([*items[:1], *items], items, strict=False):
        name = property_of(item)
        if not name:
            continue
        first = seen.setdefault(name, item)
        if first is not item:
            labels = [Label(first.span, "first here")]
            help = _one_of(name, first, item, before)
            report.add("duplicate-property", item.span, name=name, labels=labels, help=help)


def _one_of(name: str, first: n.Item, item: n.Item, before: n.Item) -> str | Help:
    """Return how both are said at once, or that one of them is left out."""
    one, other = (" ".join(each.span.text.split()) for each in (first, item))
    between = replace(item.span, start=before.span.end, end=item.span.start)
    if one == other and not isinstance(item, n.Mover) and re.fullmatch(r",[ \t]*", between.text):
        return Help("once is enough: leave it out", ("",), place=replace(between, end=item.span.end))
    if isinstance(item, n.Mover):
        if re.search(r"\b(if|every|with)\b", one):
            return "a condition chooses between two ways to move: `moves A if C else B`"
        return f"a condition chooses between the two: `moves {one} if C else {other}`"
    if isinstance(first, n.Guarded) and isinstance(item, n.Guarded):
        return _one_condition(name, first, item)
    if name == "pushable" and isinstance(item, n.Guarded) and isinstance(first, n.Property):
        joined = printed(replace(item, most=next(iter(first.values), item.most)))
        return f"one item says both: `{joined}`"
    return "a kind has one: leave the other out"


def _one_condition(name: str, first: n.Guarded, item: n.Guarded) -> str:
    if first.condition is None or item.condition is None:
        alone, said = (first, item) if first.condition is None else (item, first)
        return f"`{alone.span.text}` alone is always so: leave it out if `{said.span.text}` is meant"
    if first.word == item.word:
        joined = "or" if item.word == "if" else "and"
        asked = f"{first.condition.span.text} {joined} {item.condition.span.text}"
        return f"one condition says when: `{name} {item.word} {asked}`"
    return f"one condition says when: `{name} if C`"
