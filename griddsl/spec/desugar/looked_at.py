"""Looked at: what goes through a kind gives its name to the one that is looked at, and an argument means another.

`count(car where distance(car, c) < 3)` in a definition that is given `car` for `c` asks how near each car is to the
one that `car` means where the call stands, and not how near each is to itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import TypeVar, cast

from griddsl.spec.desugar.members import GROUPS
from griddsl.spec.models import Definition
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import METRICS
from griddsl.syntax.nodes import rewritten, walk, with_parts

_Said = TypeVar("_Said")
# Where an effect takes a thing or its place, and no kind.
THINGS = {
    (n.Attribute, "owner"),
    (n.Can, "left"),
    (n.Place, "at"),
    (n.Move, "subject"),
    (n.Move, "destination"),
    (n.Go, "destination"),
    (n.Becomes, "target"),
    (n.Handle, "kind"),
}


@dataclass(frozen=True)
class LookedAt:
    """What a call gives for the parameters of a definition, and how such a thing is kept from outside."""

    definitions: Mapping[str, Definition]
    given: Mapping[str, n.Expression]
    keep: Callable[[str], str]

    def kept(self, body: _Said) -> _Said:
        """Return what a definition says, with kept names where an argument would mean what is looked at."""
        sought = _sought(body)
        names = {
            parameter: argument.name
            for parameter, argument in self.given.items()
            if isinstance(argument, n.Name) and parameter not in sought
        }
        return cast(_Said, self._kept(body, names, frozenset())) if names else body

    def _kept(self, node: object, names: dict[str, str], through: frozenset[str]) -> object:
        if not isinstance(node, n.Node):
            return rewritten(node, lambda part: self._kept(part, names, through))
        over = gone_through(node)
        inner = through if over is None else through | {self._meant(over)}
        changes = {}
        for each in fields(node):
            old = getattr(node, each.name)
            if each.name == "span" or old is over:
                continue
            if isinstance(old, n.Name) and _is_hidden(names.get(old.name), inner):
                new: object = self._name(old) if self._is_thing(node, each.name, inner) else old
            elif inner and each.name == "arguments" and isinstance(node, n.Call | n.CarryOut):
                new = tuple(self._argument(node, at, names, inner) for at in range(len(old)))
            else:
                new = self._kept(old, names, inner)
            if new is not old and new != old:
                changes[each.name] = new
        return with_parts(node, changes)

    def _name(self, node: n.Name) -> n.Name:
        return n.Name(self.keep(node.name), node.span)

    def _argument(
        self, node: n.Call | n.CarryOut, at: int, names: dict[str, str], through: frozenset[str]
    ) -> object:
        """Return an argument of a call: one whose place is asked for, or that another definition takes as a thing."""
        old = node.arguments[at]
        if not isinstance(old, n.Name) or not _is_hidden(names.get(old.name), through):
            return self._kept(old, names, through)
        is_thing = node.name in METRICS or self._takes_thing(node.name, at, frozenset())
        return self._name(old) if is_thing else old

    def _takes_thing(self, name: str, at: int, seen: frozenset[str]) -> bool:
        """Whether a definition asks of a parameter what is asked of a thing, and looks for none of its kind."""
        definition = self.definitions.get(name)
        if definition is None or name in seen or at >= len(definition.parameters):
            return False
        parameter = definition.parameters[at]
        body = (definition.value, definition.effects)
        if parameter in _sought(body):
            return False
        for node in walk(body):
            if isinstance(node, n.Call | n.CarryOut):
                places = [at for at, argument in enumerate(node.arguments) if _is_name(argument, parameter)]
                if places and node.name in METRICS:
                    return True
                if any(self._takes_thing(node.name, place, seen | {name}) for place in places):
                    return True
            elif any(
                _is_name(getattr(node, each.name), parameter) and _is_place_of_thing(node, each.name)
                for each in fields(node)
            ):
                return True
        return False

    def _is_thing(self, node: n.Node, field: str, through: frozenset[str]) -> bool:
        """Whether a thing stands in a part of a node, beside what is looked at where a kind could stand as well."""
        if _is_place_of_thing(node, field):
            return True
        if isinstance(node, n.Is | n.Relation) and field in {"left", "right"}:
            other = node.right if field == "left" else node.left
            return isinstance(other, n.Name) and self._meant(other) in through
        return False

    def _meant(self, node: n.KindName) -> str:
        """Return the kind that a name means, by what a call gives for it."""
        given = self.given.get(node.name)
        return given.name if isinstance(given, n.Name | n.Pattern) else str(node.name)


def gone_through(node: n.Node) -> n.KindName | None:
    """Return the kind of which a node looks at one after the other, by its name; None where it is none."""
    over: n.Node | None = None
    if isinstance(node, n.Call) and node.name in {"count", "sum"}:
        over = node.each if node.each is not None else next(iter(node.arguments), None)
    elif isinstance(node, n.Some | n.Each | n.Superlative | n.CellsFor):
        over = node.over
    return over if isinstance(over, n.Name | n.Pattern) else None


def _is_hidden(name: str | None, through: frozenset[str]) -> bool:
    """Whether a name means what is looked at; a rule for ``portable`` has the name of a kind in its place."""
    return name in through or (name in GROUPS and bool(through))


def _is_name(node: object, name: str) -> bool:
    return isinstance(node, n.Name) and node.name == name


def _is_place_of_thing(node: n.Node, field: str) -> bool:
    is_near = isinstance(node, n.Relation) and node.name in {"within", "sees", "at"} and field == "right"
    return is_near or (type(node), field) in THINGS


def _sought(body: object) -> frozenset[str]:
    """Return the names of kinds that a body looks for, makes or goes through."""
    found = set()
    for node in walk(body):
        kind: n.Node | None = gone_through(node)
        if isinstance(node, n.Quantified | n.Place | n.RandomCell | n.EveryCell | n.Other):
            kind = node.kind
        if isinstance(node, n.Pattern):
            kind = node
        if isinstance(kind, n.Name | n.Pattern):
            found.add(kind.name)
    return frozenset(found)
