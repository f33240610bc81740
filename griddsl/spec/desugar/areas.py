"""Areas in place: ``agent on (1..6, 2)`` and ``each c in (0..3, 0)`` speak of cells as a region of a name would."""

from __future__ import annotations

import re
from dataclasses import replace

from griddsl.diagnostics import Report, write
from griddsl.source import Span
from griddsl.spec.models import GridSpec, Region
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import rewritten
from griddsl.syntax.printer import to_text


def with_areas(spec: GridSpec, report: Report) -> GridSpec | None:
    """Return the same spec with a region for each area in place; None where it has none."""
    return _Namer(spec, report).spec()


class _Namer:
    def __init__(self, spec: GridSpec, report: Report) -> None:
        self._spec, self._report = spec, report
        self._regions: dict[n.Rectangle, Region] = {}

    def spec(self) -> GridSpec | None:
        """Return the spec with its areas named."""
        spec = self._spec
        names = [name for name in type(spec).model_fields if name != "regions"]
        found = {name: self._named(getattr(spec, name)) for name in names}
        changes = {name: value for name, value in found.items() if value is not getattr(spec, name)}
        if not changes:
            return None
        plain = spec.model_copy(update={**changes, "regions": (*spec.regions, *self._regions.values())})
        plain._plain = None
        return plain

    def _named(self, value: object) -> object:
        """Return a node, or a tuple of them, with a name in the place of each area that can have one."""
        if isinstance(value, n.Area):
            return value
        if isinstance(value, n.Rectangle):
            area = to_text(value)
            help: str = f"an area stands behind `on` and `in`: `agent on {area}`, `random free in {area}`"
            before = value.span.source.text[: value.span.start].rpartition("\n")[2]
            if (at := re.search(r"\bplace\b[^:]*\b(at\s+)\Z", before)) is not None:
                place = Span(
                    value.span.source, value.span.start - len(at[1]), value.span.end, value.span.through
                )
                help = write(f"in {place.text.removeprefix(at[1])}", ": in each cell of it", place)
            self._report.add("type", value.span, found="an area", expected="a cell or a value", help=help)
            return value
        if isinstance(value, n.Choose) and isinstance(value.domain, n.ChoiceDomain):
            listed = [each for each in value.domain.values if isinstance(each, n.Rectangle)]
            for each in listed:
                help = write(f"random free in {to_text(each)}", ": a cell of an area is drawn")
                self._report.add("type", each.span, found="an area", expected="a domain", help=help)
            if listed:
                return value
        if isinstance(value, n.Relation) and value.name == "on" and isinstance(value.right, n.Rectangle):
            return self._named(replace(value, right=self._region(value.right)))
        if isinstance(value, n.Ranging) and isinstance(value.domain, n.ChoiceDomain):
            named = [
                self._region(each) if isinstance(each, n.Rectangle) else each for each in value.domain.values
            ]
            if len(named) == 1 and named[0] is not value.domain.values[0]:
                value = replace(value, domain=replace(value.domain, values=tuple(named)))
        return rewritten(value, self._named)

    def _region(self, area: n.Rectangle) -> n.Name:
        region = self._regions.get(area)
        if region is None:
            region = Region(f"area_{len(self._regions) + 1}__", (area,), area.span)
            self._regions[area] = region
        return n.Name(region.name, area.span)
