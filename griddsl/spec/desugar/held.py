"""What holds things: ``count(coin in chest)`` goes through the coins that the chest holds, and not through values."""

from __future__ import annotations

from dataclasses import replace

from griddsl.compass import LISTS
from griddsl.spec.desugar.members import GROUPS
from griddsl.spec.models import Definition, GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import rewritten


def with_held(spec: GridSpec) -> GridSpec | None:
    """Return the same spec with what is held told apart from values; None where nothing held is gone through."""
    seeker = _Seeker(spec)
    found = {name: seeker.seen(getattr(spec, name)) for name in type(spec).model_fields}
    changes = {name: value for name, value in found.items() if value is not getattr(spec, name)}
    if not changes:
        return None
    plain = spec.model_copy(update=changes)
    plain._plain = None
    return plain


class _Seeker:
    """Looks for names that go through what is held: those of objects, and in a definition its parameters."""

    def __init__(self, spec: GridSpec, parameters: tuple[str, ...] = ()) -> None:
        self._spec = spec
        self._things = {each.name for each in spec.kinds if each.category == "object"}.union(parameters)
        declared = {kind.name for kind in spec.kinds} | {item.kind.name for item in spec.legend}
        declared |= {each.name for each in (*spec.params, *spec.variables)}
        self._groups = {*GROUPS} - declared - {region.name for region in spec.regions}
        self._areas = {*LISTS, "cells", *(each.name for each in spec.regions)}

    def seen(self, value: object) -> object:
        """Return a node, or a tuple of them, with what is held told apart; a loop of effects goes through values."""
        if isinstance(value, Definition):
            return rewritten(value, _Seeker(self._spec, value.parameters).seen)
        if isinstance(value, n.Some | n.Tally) and isinstance(value.over, n.Ranging):
            is_added_up = isinstance(value, n.Some) or value.how in {"count", "sum"}
            held = self._held(value.over, is_added_up)
            value = value if held is None else replace(value, over=held)
        return rewritten(value, self.seen)

    def _held(self, over: n.Ranging, is_added_up: bool) -> n.Held | None:
        is_meant = over.name in self._things or (is_added_up and over.name in self._groups)
        if not is_meant or not isinstance(over.domain, n.ChoiceDomain):
            return None
        (holder, *more) = over.domain.values
        if more or not isinstance(holder, n.Name) or holder.name in self._areas:
            return None
        return n.Held(n.Name(over.name, over.span.word(over.name)), holder, over.span)
