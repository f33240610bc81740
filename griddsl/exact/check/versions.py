"""Versions: what else a spec can be made as, in which may happen what never does in the spec as it stands.

These are its variants, and its maps of another size; those of its own size are visited together, as one environment
can be reset to each of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from griddsl.compiler import lower_spec
from griddsl.diagnostics import Report
from griddsl.exact.check.trying import Tried, Wanted, tried
from griddsl.program.program import Program
from griddsl.spec.models import GridSpec

MOST_VERSIONS = 20


def seen_in_versions(spec: GridSpec, program: Program, wanted: Wanted) -> list[tuple[Program, Tried]] | None:
    """Take away from what is ``wanted`` what some other version shows, and return what was visited for it.

    None where not all states of all versions could be visited: nothing is known of what is left then.
    """
    visited: list[tuple[Program, Tried]] = []
    for number, version in enumerate(_versions(spec, program)):
        if number == MOST_VERSIONS:
            return None
        other = lower_spec(version, Report())[1]
        if other is None:
            continue  # it has errors, which are told, or is no version: nobody can make it
        left = Wanted(wanted.outcomes, wanted.rules, any_end=wanted.any_end)
        if not left.is_any:
            break
        found = tried(other, left)
        if found.failure is not None or (left.is_any and not found.complete):
            return None
        visited.append((other, found))
    return visited


def _versions(spec: GridSpec, program: Program) -> Iterator[GridSpec]:
    """Yield the variants of a spec that set anything, and the spec on each map that the program has not."""
    if any(variant.id == spec.id for variant in spec.variants):
        return  # it is one itself, whose maps and parameters were asked for
    for variant in spec.variants:
        if variant.settings:
            yield spec.as_variant(variant.id)
    if all(declared.name != "level" for declared in spec.params):
        for drawing in spec.maps:
            if drawing.name and drawing.name not in program.levels:
                yield spec.with_arguments({"level": drawing.name})
