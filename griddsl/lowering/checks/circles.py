"""Circles: what is solid or opaque by a condition that asks in its turn what is solid or opaque."""

from __future__ import annotations

from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.kinds import Kind
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk


def circles(writer: Writer) -> None:
    """Report conditions of `solid` and `opaque` that depend on themselves: `opaque if guard sees agent`."""
    kinds = writer.world.kind_list
    asked = {which: {what for kind in kinds for what in _asked(kind, which)} for which in ("solid", "opaque")}
    for which, others in asked.items():
        other = "opaque" if which == "solid" else "solid"
        around = which in others or (other in others and which in asked[other])
        for kind in kinds if around else ():
            for what, node in _asked(kind, which).items():
                if what == which or which in asked[what]:
                    way = " -> ".join((which, node, *([] if what == which else [what]), which))
                    place = getattr(kind, which).span
                    help = (
                        "`within N of` and `distance(a, b)` ask how near something is, whatever lies between"
                    )
                    writer.report.add("circular-definition", place, name=which, way=way, help=help)


def _asked(kind: Kind, which: str) -> dict[str, str]:
    """Return what the condition of a property asks for of cells, each with the words that do."""
    found: dict[str, str] = {}
    for node in walk(getattr(getattr(kind, which), "condition", None)):
        if isinstance(node, n.Relation) and node.name == "sees":
            found["opaque"] = "sees"
        if isinstance(node, n.Can) or (isinstance(node, n.Call) and node.name == "path_distance"):
            found["solid"] = f"can {node.action}" if isinstance(node, n.Can) else "path_distance"
    return found
