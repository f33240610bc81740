"""Circles: what is solid, opaque, pushable or allowed by a condition that asks in its turn what is."""

from __future__ import annotations

from collections.abc import Sequence

from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.kinds import Kind
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk


def circles(writer: Writer) -> None:
    """Report conditions of `solid`, `opaque` and `pushable` that depend on themselves: `opaque if guard sees agent`."""
    kinds = writer.world.kind_list
    asked = {which: _asked(kinds, which) for which in ("solid", "opaque", "pushable")}
    for which, kind in ((which, kind) for which in asked for kind in kinds):
        for what, node in _asked([kind], which).items():
            back = _way_back(asked, what, which)
            if back is not None:
                way = " -> ".join((which, node, *back))
                declared = kind.condition_of(which)
                assert declared is not None
                help = "`within N of` and `distance(a, b)` ask how near something is, whatever lies between"
                writer.report.add("circular-definition", declared.span, name=which, way=way, help=help)


def circles_of_actions(writer: Writer) -> None:
    """Report actions that are allowed by what other actions can, which ask for them: `allow right: can left`, and back.

    Of itself an action asks only whether it would do something.
    """
    world, asked = writer.world, dict[str, dict[str, str]]()
    places = {allow.action: allow.span for allow in world.spec.allow}
    for action in (action for role in world.roles for action in role.actions):
        said = walk([action.allow, *(argument.where for argument in action.arguments)])
        others = {node.action for node in said if isinstance(node, n.Can)} - {action.name}
        asked.setdefault(action.name, {}).update((other, f"can {other}") for other in others)
        places.setdefault(action.name, action.span)
    told: set[str] = set()
    for name in asked:
        for other in asked[name]:
            back = _way_back(asked, other, name)
            if back is None or name in told:
                continue
            told |= {name, *back}
            way = " -> ".join((name, *(f"can {each}" for each in back)))
            help = "ask for what keeps it from being done, as in `wall ahead` or `agent.x == 0`"
            writer.report.add("circular-definition", places[name], name=f"allow {name}", way=way, help=help)


def _way_back(asked: dict[str, dict[str, str]], what: str, which: str) -> list[str] | None:
    """Return the shortest way by which one property asks for another, both of them included; None if it does not."""
    ways = [[what]]
    for way in ways:
        if way[-1] == which:
            return way
        ways.extend([*way, after] for after in asked[way[-1]] if after not in way)
    return None


def _asked(kinds: Sequence[Kind], which: str) -> dict[str, str]:
    """Return what the conditions of a property ask for of cells, each with the words that do."""
    found: dict[str, str] = {}
    for node in walk([getattr(kind.condition_of(which), "condition", None) for kind in kinds]):
        if isinstance(node, n.Relation) and node.name == "sees":
            found["opaque"] = "sees"
        elif isinstance(node, n.Call) and node.name == "path_distance":
            found["solid"] = "path_distance"
        elif isinstance(node, n.Can):
            found["solid"] = found["pushable"] = f"can {node.action}"
    return found
