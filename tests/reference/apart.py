"""Apart: an argument and what a definition looks at have one name, and are not the same (section 8, definitions).

`count(car where distance(car, c) < 3)`, called with `car` for `c`, asks of the car that the name means at the call. An
argument is a kind, and no thing, where the definition looks for its parameter, makes one or asks it for attributes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from griddsl.spec.models import Definition
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

FAR = ("distance", "chebyshev", "euclid", "path_distance")
OF_THINGS = {
    n.Attribute: ("owner",),
    n.Place: ("at",),
    n.Move: ("subject", "destination"),
    n.Go: ("destination",),
    n.Becomes: ("target",),
    n.Handle: ("kind",),
}


def told_apart(
    body: Any, given: Mapping[str, Any], definitions: Mapping[str, Definition], fresh: Mapping[str, str]
) -> Any:
    """Return what a definition says, with fresh names for arguments where a thing of their name is looked at."""
    kinds = set(_as_kinds(body))
    things = {
        parameter: each.name
        for parameter, each in given.items()
        if isinstance(each, n.Name) and parameter not in kinds
    }

    def meant(name: str) -> str:
        each = given.get(name)
        return each.name if isinstance(each, n.Name | n.Pattern) else name

    def said(node: Any, looked_at: frozenset[str]) -> Any:
        if isinstance(node, tuple):
            return tuple(said(each, looked_at) for each in node)
        if not isinstance(node, n.Node):
            return node
        over = _looks_at(node)
        if over is not None:
            looked_at |= {meant(over.name)}
        places = dict(_places(node, definitions))
        if isinstance(node, n.Is | n.Relation):
            for side, other in (("left", node.right), ("right", node.left)):
                if isinstance(other, n.Name) and meant(other.name) in looked_at:
                    places[side] = {None}

        def part(name: str, value: Any, at: int | None) -> Any:
            is_there = at in places.get(name, ())
            thing = things.get(value.name) if isinstance(value, n.Name) else None
            # In a rule for `portable` a kind stands in the place of the word.
            if thing in looked_at or (looked_at and thing in ("object", "portable", "pushable")):
                return n.Name(fresh[value.name], value.span) if is_there else value
            return said(value, looked_at)

        changes = {}
        for each in fields(node):
            value = getattr(node, each.name)
            if each.name == "span" or value is over:
                continue
            if each.name == "arguments" and isinstance(node, n.Call | n.CarryOut):
                changes[each.name] = tuple(part(each.name, inner, at) for at, inner in enumerate(value))
            else:
                changes[each.name] = part(each.name, value, None)
        return replace(node, **changes)

    return said(body, frozenset())


def _looks_at(node: Any) -> Any:
    """Return the kind whose things a node goes through, one after the other."""
    over = None
    if isinstance(node, n.Some | n.Each | n.Superlative | n.CellsFor):
        over = node.over
    elif isinstance(node, n.Call) and node.name in ("count", "sum"):
        over = node.each or next(iter(node.arguments), None)
    return over if isinstance(over, n.Name | n.Pattern) else None


def _as_kinds(body: Any) -> Iterator[str]:
    for node in walk(body):
        kind = _looks_at(node)
        if isinstance(node, n.Pattern):
            kind = node
        elif isinstance(node, n.Quantified | n.Other | n.Place | n.RandomCell | n.EveryCell):
            kind = node.kind
        if kind is not None and hasattr(kind, "name"):
            yield kind.name


def _places(node: Any, definitions: Mapping[str, Definition]) -> Iterator[tuple[str, set[int | None]]]:
    """Yield where a thing stands in a node: in a field, or in those of its arguments that are counted."""
    for name in OF_THINGS.get(type(node), ()):
        yield name, {None}
    if isinstance(node, n.Relation) and node.name in ("within", "sees", "at"):
        yield "right", {None}
    if isinstance(node, n.Call | n.CarryOut):
        count = range(len(node.arguments))
        yield "arguments", {at for at in count if node.name in FAR or _is_thing(node.name, at, definitions)}


def _is_thing(
    name: str, at: int, definitions: Mapping[str, Definition], inside: tuple[str, ...] = ()
) -> bool:
    """Whether another definition, or one that it calls, speaks of an argument as of a thing."""
    definition = definitions.get(name)
    if definition is None or name in inside:
        return False
    body = (definition.value, definition.effects)
    parameter = definition.parameters[at]
    if parameter in set(_as_kinds(body)):
        return False

    def is_it(part: Any) -> bool:
        return isinstance(part, n.Name) and part.name == parameter

    for node in walk(body):
        if isinstance(node, n.Call | n.CarryOut):
            held = [number for number, each in enumerate(node.arguments) if is_it(each)]
            if any(
                node.name in FAR or _is_thing(node.name, each, definitions, (*inside, name)) for each in held
            ):
                return True
        elif any(is_it(getattr(node, field)) for field, _ in _places(node, definitions)):
            return True
    return False
