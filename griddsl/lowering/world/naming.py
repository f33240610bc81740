"""Naming: of which kinds the things can be that a clause speaks of by a name of its own."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from griddsl.diagnostics import Help, write
from griddsl.source import Span
from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

_TO_A_THING = re.compile(r"\b(?:remove|pickup|drop|move|has)\s+\Z")


def kinds_named(spec: GridSpec, kinds: Collection[str], node: Any, made: bool = False) -> set[str] | None:
    """Return the kinds that a thing can be of which a clause speaks; None where it can be any, as `self` can.

    A variable is no thing, but a thing can be ``made`` of the kind that one says. Names are those of kinds, and those
    that ``let``, ``choose`` and ``as`` give anywhere: one name may mean several.
    """
    found: set[str] = set()
    seen: set[str] = set()
    pending = [node]
    while pending:
        node = pending.pop()
        if isinstance(node, n.Superlative):
            node = node.over
        elif isinstance(node, n.Other):
            node = node.kind
        if isinstance(node, n.OneOf):
            pending += node.kinds
            continue
        name = getattr(node, "name", None)
        if not isinstance(node, n.KindName) or name is None:
            continue
        if name in kinds:
            found.add(name)
            continue
        values = [each for each in (*spec.variables, *spec.params) if each.name == name]
        if name in seen or (values and not made):
            continue
        seen.add(name)
        given = [part for each in values for part in walk(each.domain)] or _given_to(spec, name)
        if not given:
            return None
        pending += given
    return found


def _given_to(spec: GridSpec, name: str) -> list[Any]:
    """Return what a name is given to, wherever that is said."""
    given: list[Any] = []
    for node in walk((spec.preparing, [rule.effects for rule in spec.rules])):
        match node:
            case n.Let() if node.name == name:
                given.append(node.value)
            case n.Place(alias=str(alias)) if alias == name:
                given.append(node.kind)
            case n.Choose(names=names, domain=n.ChoiceDomain(values=values)) if name in names:
                given += values
            case n.Choose(names=names) if name in names:
                given.append(node.domain)
    return given


def drawn_kind(
    kinds: Collection[str], domain: Any, known: Collection[str] = ()
) -> n.KindName | n.OneOf | None:
    """Return the kind whose things are drawn from: ``choose t in alien``, ``in alien(color=red)``; else None."""
    if not isinstance(domain, n.ChoiceDomain) or len(domain.values) > 1 or domain.weights[0] is not None:
        return None
    (value,) = domain.values
    if isinstance(value, n.OneOf):
        return value
    if not isinstance(value, n.KindName) or value.name in known:
        return None
    return value if value.name in kinds else None


def asks_a_thing(place: Span) -> bool:
    """Whether a name stands where a thing is asked for something, or something is done to it."""
    before, behind = place.source.text[: place.start], place.source.text[place.end : place.end + 1]
    return behind == "." or _TO_A_THING.search(before[-20:]) is not None


def drawn_cell(spec: GridSpec, objects: Collection[str], name: str) -> tuple[n.RandomCell, Help | str] | None:
    """Return the cell that setup draws for a name, `choose wanted in random apple`, and how the thing is chosen."""
    for node in walk(spec.preparing):
        if not isinstance(node, n.Choose) or name not in node.names:
            continue
        cell = node.domain
        kind = getattr(cell.kind, "name", "") if isinstance(cell, n.RandomCell) else ""
        if isinstance(cell, n.RandomCell) and kind in objects:
            return cell, _thing_meant(name, kind, cell)
    return None


def _thing_meant(name: str, kind: str, cell: n.RandomCell) -> Help | str:
    cells = f"`random {kind}` draws a cell; `choose {name} in {kind}` draws a thing"
    if cell.area is not None or cell.reachable_from is not None or not cell.span.text.startswith("random "):
        return cells
    return write(cell.span.text.removeprefix("random ").strip(), f": {cells}", cell.span)
