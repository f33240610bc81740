"""Variants: what each sets is there to be set, and has a value that it can have."""

from __future__ import annotations

from collections.abc import Mapping

from griddsl.diagnostics import Label, Report, did_you_mean, listing, write
from griddsl.lowering.world.domains import Domain
from griddsl.spec.models import GridSpec, Variant
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import EFFECT_WORDS, STATEMENTS, VARIANT_SETS


def check_variants(spec: GridSpec, domains: Mapping[str, Domain], report: Report) -> None:
    """Report variants that set what there is not, or to what it cannot be."""
    for variant in spec.variants:
        seen: dict[str, n.NamedValue] = {}
        for item in variant.items:
            if item.name in seen:
                labels = [Label(seen[item.name].span, "first here")]
                report.add(
                    "duplicate-name",
                    item.span,
                    name=item.name,
                    labels=labels,
                    help="leave one of the two out",
                )
            seen[item.name] = item
            _check(spec, variant, item, domains, report)


def _check(
    spec: GridSpec, variant: Variant, item: n.NamedValue, domains: Mapping[str, Domain], report: Report
) -> None:
    place = item.span.word(item.name)
    value = variant.value_of(item)
    if item.name == "level" and "level" not in domains:
        _check_level(spec, item, value, report)
    elif item.name == "limit" and "limit" not in domains:
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            reason = "a variant sets `limit` to a number of steps, as in `limit = 100`"
            report.add("bad-value", item.value.span, reason=reason)
    elif item.name not in domains and any(each.name == item.name for each in spec.params):
        return  # its declaration is at fault, of which it is said
    elif item.name not in domains:
        known = [*domains, *(["level"] if spec.maps else []), "limit"]
        help: str | None = did_you_mean(item.name, known)
        if help is None and any(each.name == item.name for each in spec.variables):
            help = f"`{item.name}` is a variable: a parameter, `param {item.name}: ...`, differs by variant"
        if help is None and domains:
            help = f"a variant sets parameters: {listing(domains, 'and')}"
        if item.name in {"map", "maps", "board", "layout", "grid"} and isinstance(value, str) and spec.maps:
            help = write("level", ": which of the maps it plays", place=place)
        elif item.name in {*STATEMENTS, *EFFECT_WORDS}:
            help = VARIANT_SETS
        help = help or f"declare it, as in `param {item.name}: ... in ...`"
        report.add("unknown-param", place, name=item.name, help=help)
    elif value is None:
        help = f"a variant sets constants, as in `{item.name} = 5`; what follows from a parameter stands in its place"
        report.add("not-constant", item.value.span, what=f"what a variant sets `{item.name}` to", help=help)
    elif domains[item.name].code(value) is None:
        domain = domains[item.name]
        help = did_you_mean(value, domain.words) if isinstance(value, str) and domain.words else None
        if isinstance(value, str) and domain.form in {"int", "real"}:
            help = "a number is needed"
        labels = [Label(each.span, "declared here") for each in spec.params if each.name == item.name]
        report.add(
            "param-value",
            item.value.span,
            name=item.name,
            value=item.value.span.text or value,
            domain=domain,
            help=help,
            labels=labels,
        )


def _check_level(spec: GridSpec, item: n.NamedValue, value: object, report: Report) -> None:
    names = [drawing.name for drawing in spec.maps if drawing.name]
    if value in names or value == "random":
        return
    help: str | None = did_you_mean(str(value), names) or (
        f"maps: {listing(names, 'and')}" if names else None
    )
    report.add("unknown-level", item.value.span, name=item.value.span.text, help=help)
