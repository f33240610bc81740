"""Versions: what else a spec can be made as, in which may happen, or be wrong, what is not in the spec as it stands.

These are its variants, its maps of another size, and the words that its parameters can be; maps of its own size are
compiled and visited together, as one environment can be reset to each of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from griddsl.compiler import lower_spec
from griddsl.diagnostics import Report
from griddsl.exact.check.trying import Tried, Wanted, tried
from griddsl.program.program import Program
from griddsl.source import Span
from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n

MOST_VERSIONS = 20


@dataclass(frozen=True, slots=True)
class Version:
    """A spec as it can be made too: as a variant, on another map or with a word for a parameter.

    ``called`` is the variant's id or the argument as it is given, ``span`` the place that says so.
    """

    form: Literal["variant", "map", "word"]
    spec: GridSpec
    called: str
    span: Span


def seen_in_versions(spec: GridSpec, program: Program, wanted: Wanted) -> list[tuple[Program, Tried]] | None:
    """Take away from what is ``wanted`` what some other version shows, and return what was visited for it.

    None where not all states of all versions could be visited: nothing is known of what is left then.
    """
    visited: list[tuple[Program, Tried]] = []
    for number, version in enumerate(_more(spec, program)):
        if number == MOST_VERSIONS:
            return None
        other = lower_spec(version.spec, Report())[1]
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


def _more(spec: GridSpec, program: Program) -> Iterator[Version]:
    """Yield the variants of a spec that set anything, and its maps of another size."""
    if any(variant.id == spec.id for variant in spec.variants):
        return  # it is one itself, whose maps and parameters were asked for
    set_apart = {variant.id for variant in spec.variants if variant.settings}
    yield from (version for version in variants_of(spec) if version.called in set_apart)
    yield from maps_of(spec, program)


def variants_of(spec: GridSpec) -> Iterator[Version]:
    """Yield the variants of a spec."""
    for variant in spec.variants:
        yield Version("variant", spec.as_variant(variant.id), variant.id, variant.span)


def maps_of(spec: GridSpec, program: Program) -> Iterator[Version]:
    """Yield a spec on a map of each size that its program has not."""
    if any(declared.name == "level" for declared in spec.params):
        return
    size_of = {drawing.name: (len(drawing.rows), len(drawing.rows[0])) for drawing in spec.maps}
    sizes = {size_of[name] for name in program.levels if name in size_of}
    for drawing in spec.maps:
        if drawing.name and drawing.name not in program.levels and size_of[drawing.name] not in sizes:
            sizes.add(size_of[drawing.name])
            yield Version(
                "map", spec.with_arguments({"level": drawing.name}), f"level={drawing.name}", drawing.span
            )


def words_of(spec: GridSpec) -> Iterator[Version]:
    """Yield a spec with each other word, or truth, that one of its parameters can be."""
    for declared in spec.params:
        values: list[tuple[str | bool, Span]] = []
        if isinstance(declared.domain, n.ChoiceDomain):
            values = [(each.name, each.span) for each in declared.domain.values if isinstance(each, n.Name)]
        elif declared.domain is None and isinstance(declared.default, n.Truth):
            values = [(not declared.default.value, declared.default.span)]
        usual = spec.arguments.get(
            declared.name, getattr(declared.default, "name", values[0][0] if values else None)
        )
        for value, span in values:
            if value != usual and declared.name != "level":
                word = str(value).lower() if isinstance(value, bool) else value
                yield Version(
                    "word", spec.with_arguments({declared.name: value}), f"{declared.name}={word}", span
                )
