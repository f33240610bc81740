"""Sizes: parameters with which the map cannot be made, and ranges that go beyond the last column or row."""

from __future__ import annotations

from griddsl.diagnostics import Report, write
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.domains import Domain
from griddsl.lowering.world.maps.generators import generated_level
from griddsl.spec.clauses import clauses_of
from griddsl.spec.models import Declaration
from griddsl.spec.reckoned import Scalar
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk


def sizes_that_fail(writer: Writer) -> None:
    """Warn of `param size: 8 in 2..20` beside `generate: room(size, size)`: with 2 there is no room to make."""
    world, spec = writer.world, writer.world.spec
    if spec.generate is None or spec.generate.span.source is not spec.source:
        return
    asked = {node.name for node in walk(spec.generate) if isinstance(node, n.Name)}
    for declared in spec.params:
        domain = world.param_domains.get(declared.name)
        if declared.name not in asked or domain is None or domain.form != "int":
            continue
        if declared.span.source is spec.source and isinstance(declared.domain, n.RangeDomain):
            _ends(writer, declared, declared.domain, domain)


def beyond_the_grid(writer: Writer) -> None:
    """Warn of `mark(x in 0..width, y in 0..height)`, of columns and rows: both ends of a range count."""
    spec = writer.world.spec
    clauses = list(clauses_of(spec))
    placed = {
        (size, side.name)
        for node in clauses
        if isinstance(node, n.Position)
        for size, side in (("width", node.x), ("height", node.y))
        if isinstance(side, n.Name)
    }
    for node in clauses:
        if not isinstance(node, n.Ranging | n.Choose) or not isinstance(node.domain, n.RangeDomain):
            continue
        names = (node.name,) if isinstance(node, n.Ranging) else node.names
        high = node.domain.high
        if not isinstance(high, n.Name) or high.span.source is not spec.source or high.span.through:
            continue
        name = next((name for name in names if (high.name, name) in placed), None)
        if name is not None:
            line = "column" if high.name == "width" else "row"
            help = write(f"{high.name} - 1", place=high.span)
            writer.report.add("both-ends", high.span, name=name, size=high.name, line=line, help=help)


def _ends(writer: Writer, declared: Declaration, written: n.RangeDomain, domain: Domain) -> None:
    """Warn of each end of a parameter's range with which the map cannot be made, and say which one can."""
    name, world = declared.name, writer.world
    value = int(world.params[name])  # its domain holds whole numbers
    for end, node in ((int(domain.low), written.low), (int(domain.high), written.high)):
        reason = _reason(writer, name, end)
        if reason is None or _reason(writer, name, value) is not None:
            continue
        fits, fails = value, end
        while abs(fits - fails) > 1:
            middle = (fits + fails) // 2
            if _reason(writer, name, middle) is None:
                fits = middle
            else:
                fails = middle
        if _reason(writer, name, fits) is None:
            help = write(str(fits), ": so it can be made with every value", node.span)
            writer.report.add("fails-with", node.span, name=name, value=end, reason=reason, help=help)


def _reason(writer: Writer, name: str, value: Scalar) -> str | None:
    """Return why the map cannot be made with a value of a parameter; None where it can."""
    world, report = writer.world, Report()
    assert world.spec.generate is not None
    if generated_level(world.spec.generate, world.kinds, {**world.params, name: value}, report) is not None:
        return None
    return next((found.message for found in report), "it cannot be made")
