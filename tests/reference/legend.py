"""Legend: attributes that speak of what setup chooses are given when it has chosen (section 3, "map and legend")."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from tests.reference.maps import pattern_of

if TYPE_CHECKING:
    from tests.reference.scope import Scope
    from tests.reference.world import Cell, World


@dataclass
class Legend:
    """What the legend says at once, and by line of setup what it says behind that one (0: before the first)."""

    items: tuple[n.LegendItem, ...]
    later: dict[int, list[tuple[str, str, str, n.Expression]]] = field(default_factory=dict)

    @staticmethod
    def of(spec: GridSpec) -> Legend:
        """Return the legend of a spec: an attribute that names a chosen name or a variable is given later."""
        lines = {name: line for line, effect in enumerate(spec.preparing, 1) for name in _chosen(effect)}
        known = {*lines, *(each.name for each in spec.variables)} - {each.name for each in spec.params}
        found = Legend(())
        for item in spec.legend:
            sides: dict[str, Any] = {"kind": item.kind, "tile": item.tile}
            for side, node in sides.items():
                now = []
                for name, value in pattern_of(node).items():
                    names = {each.name for each in walk(value) if isinstance(each, n.Name)}
                    if name == "carries" or not names & known:
                        now.append((name, value))
                        continue
                    line = max((lines[each] for each in names if each in lines), default=0)
                    found.later.setdefault(line, []).append((item.glyph, node.name, name, value))
                if node is not None and len(now) < len(pattern_of(node)):
                    kept: Any = replace(node, arguments=tuple(now)) if now else n.Name(node.name, node.span)
                    sides[side] = kept
            found.items += (replace(item, **sides),)
        return found


def _chosen(effect: n.Effect) -> Iterator[str]:
    for node in walk(effect):
        if isinstance(node, n.Choose):
            yield from node.names


def give_chosen(world: World, line: int, scope: Scope) -> None:
    """Give what the legend says behind a line of setup to what its glyphs drew, where one of the kind is still there."""
    from tests.reference.making import set_attribute, value_for

    for glyph, kind, name, node in world.game.legend.later.get(line, ()):
        for cell in world.cells:
            if glyph not in world.level.glyphs.get((cell.x, cell.y), ""):
                continue
            being = _there(world, cell, kind)
            if being is not None:
                set_attribute(being, name, value_for(being.kind, name, node, scope))


def _there(world: World, cell: Cell, kind: str) -> Any:
    beings: list[Any] = [cell.ground, *world.things_at(cell), *world.agents_at(cell)]
    return next(
        (each for each in beings if each.kind.name == kind or kind == each.kind.category == "agent"), None
    )
