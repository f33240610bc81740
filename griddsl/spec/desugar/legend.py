"""Legend: attributes that speak of what setup chooses are given as soon as it has chosen.

``legend: D = door(color=wanted)`` draws the door with its first colour; behind the line of setup that chooses `wanted`
stands the assignment that gives it, to what the map drew with this letter and is still there.
"""

from __future__ import annotations

from dataclasses import replace

from griddsl.source import Span
from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk, with_parts

DRAWN_AS = "drawn as"  # asks for the cells that the map draws with a glyph; no clause can be written so
CELL = "drawn_cell__"  # no word of a clause, as likely as can be


def with_chosen_legend(spec: GridSpec) -> GridSpec | None:
    """Return the same spec, with what its legend leaves to setup said there; None where it leaves nothing."""
    variables = {each.name for each in spec.variables}
    chosen_at = {name: at for at, effect in enumerate(spec.preparing) for name in _chosen(effect)}
    known = (variables | chosen_at.keys()) - {each.name for each in spec.params}
    if not known:
        return None
    given: dict[int, list[n.Effect]] = {}
    items = []
    for item in spec.legend:
        changes: dict[str, n.KindName] = {}
        for side in ("kind", "tile"):
            node = getattr(item, side)
            late = _late(node, known)
            if late:
                names = {each.name for _, value in late for each in walk(value) if isinstance(each, n.Name)}
                line = max((chosen_at[name] + 1 for name in names & chosen_at.keys()), default=0)
                given.setdefault(line, []).append(_assignment(item.glyph, node, late))
                changes[side] = _without(node, late)
        items.append(with_parts(item, changes))
    if not given:
        return None
    lines: list[n.Effect] = list(given.get(0, ()))
    drawn_once = 0
    for at, effect in enumerate(spec.preparing, 1):
        lines += [effect, *given.get(at, ())]
        if at == len(spec.once):
            drawn_once = len(lines)
    prepared = {"once": tuple(lines[:drawn_once]), "setup": tuple(lines[drawn_once:])}
    plain = spec.model_copy(update={"legend": tuple(items), **prepared})
    plain._plain = None
    return plain


def _chosen(effect: n.Effect) -> list[str]:
    return [name for node in walk(effect) if isinstance(node, n.Choose) for name in node.names]


def _late(node: n.KindName | None, known: set[str]) -> list[tuple[str, n.Expression]]:
    if not isinstance(node, n.Pattern):
        return []
    return [
        (name, value)
        for name, value in node.arguments
        if name != "carries" and any(isinstance(each, n.Name) and each.name in known for each in walk(value))
    ]


def _without(node: n.Pattern, late: list[tuple[str, n.Expression]]) -> n.KindName:
    left = tuple(each for each in node.arguments if each not in late)
    return replace(node, arguments=left) if left else n.Name(node.name, node.span)


def _assignment(glyph: str, node: n.Pattern, late: list[tuple[str, n.Expression]]) -> n.Effect:
    """Return what gives attributes to the things of a kind in the cells that the map draws with a glyph."""
    span = node.span
    kind, cell = n.Name(node.name, Span(span.source, span.start, span.start)), n.Name(CELL, span)
    cells = n.Ranging(CELL, n.ChoiceDomain((n.Name("cells", span),), (None,), span), span)
    is_drawn = n.Call(DRAWN_AS, (n.Text(glyph, span), cell), None, None, None, span)
    sets = tuple(
        n.Assign(n.Attribute(kind, name, value.span), "=", value, value.span) for name, value in late
    )
    is_there = n.Relation("at", kind, cell, None, span)
    return n.Each(cells, is_drawn, None, False, (n.If(((is_there, sets),), span),), span)
