"""Build: from the statements of a document to a validated `GridSpec`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pydantic import ValidationError

from griddsl.diagnostics import Report
from griddsl.spec.diagonals import names_diagonals
from griddsl.spec.models import GridSpec
from griddsl.spec.statements.builder import Builder
from griddsl.spec.statements.choices import CHOICES, read_choice, read_order, read_rewards
from griddsl.spec.statements.declarations import (
    read_define,
    read_kind,
    read_region,
    read_variable,
    read_variant,
)
from griddsl.spec.statements.headings import read_env, read_mission
from griddsl.spec.statements.maps import read_generate, read_legend, read_level, read_map
from griddsl.spec.statements.playing import (
    clause,
    list_of,
    read_actions,
    read_allow,
    read_limit,
    read_look,
    read_observe,
    read_score,
    read_slip,
)
from griddsl.spec.statements.rules import read_once, read_rule, read_setup
from griddsl.spec.statements.whole import check_head, check_ids, check_needed, check_once, is_of_a_size
from griddsl.syntax.document import Document, Statement
from griddsl.syntax.keywords import RULE_WORDS


def build(document: Document, report: Report, folder: Path | None = None) -> GridSpec | None:
    """Return the model of a document with its libraries merged in; None where errors were reported."""
    from griddsl.spec.desugar.areas import with_areas
    from griddsl.spec.desugar.definitions import expanded
    from griddsl.spec.desugar.groups import ungrouped
    from griddsl.spec.desugar.held import with_held
    from griddsl.spec.desugar.legend import with_chosen_legend
    from griddsl.spec.desugar.sums import with_sums
    from griddsl.spec.desugar.told_kinds import with_told_kinds
    from griddsl.spec.imports.libraries import merge_libraries
    from griddsl.spec.layered import layered

    builder = Builder(report, folder)
    statements = merge_libraries(document, folder, report)
    if not is_of_a_size(statements, report):
        return None
    defined = [statement.head.text for statement in statements if statement.keyword == "define"]
    report.defined = {head.partition("(")[0].strip(): head for head in defined}
    for statement in statements:
        check_once(statement, builder)
        check_head(statement, builder)
        _READERS.get(statement.keyword, _ignore)(statement, builder)
        builder.places.setdefault(statement.keyword, statement.keyword_span)
    builder.lists["maps"] = list(layered(builder.lists.get("maps", ()), report))
    check_needed(document, builder)
    check_ids(builder)
    if report.has_errors:
        return None
    try:
        spec = GridSpec(**builder.fields, **{name: tuple(items) for name, items in builder.lists.items()})
    except ValidationError as error:
        for problem in error.errors():
            keyword = str(problem["loc"][0])
            place = builder.places.get(keyword, document.source.whole().span(0, 0))
            report.add("bad-value", place, reason=problem["msg"])
        return None
    spec._source = document.source
    spec._folder = folder
    spec._stands_alone = _stands_alone(spec, report)
    spec._names_diagonals = names_diagonals(spec)
    spec._places = builder.places
    summed = with_sums(spec, report)
    named = with_areas(summed or spec, report) or summed
    named = with_held(named or spec) or named
    spec._plain = expanded(named or spec, report) or named
    if not report.has_errors:
        spec._plain = with_told_kinds(spec.plain) or spec._plain
        spec._plain = ungrouped(spec.plain, report) or spec._plain
        spec._plain = with_chosen_legend(spec.plain) or spec._plain
    return None if report.has_errors else spec


def _stands_alone(spec: GridSpec, report: Report) -> bool:
    """Whether no file beside the spec was read for it, nor will be for its looks; bundled libraries are everywhere."""
    from griddsl.spec.imports.libraries import BUNDLED

    beside = [place for place, _ in report.sought if place != spec.source.name]
    sprites = [item for look in spec.looks for item in look.items if item.name == "sprite"]
    return not sprites and all(Path(place).parent == BUNDLED for place in beside)


def _ignore(statement: Statement, builder: Builder) -> None:
    """Pass over a statement that another stage reads."""


_READERS: dict[str, Callable[[Statement, Builder], None]] = {
    "env": read_env,
    "param": read_variable,
    "define": read_define,
    "variant": read_variant,
    "map": read_map,
    "generate": read_generate,
    "level": read_level,
    "legend": read_legend,
    "tile": read_kind,
    "object": read_kind,
    "agent": read_kind,
    "agents": list_of("agents", "agents"),
    "var": read_variable,
    "region": read_region,
    "once": read_once,
    "setup": read_setup,
    "actions": read_actions,
    "slip": read_slip,
    "sticky": clause("sticky", "expression"),
    "allow": read_allow,
    **dict.fromkeys(CHOICES, read_choice),
    "rewards": read_rewards,
    "order": read_order,
    **dict.fromkeys(RULE_WORDS, read_rule),
    "observe": read_observe,
    "info": list_of("info", "infos"),
    "score": read_score,
    "mission": read_mission,
    "limit": read_limit,
    "look": read_look,
}
