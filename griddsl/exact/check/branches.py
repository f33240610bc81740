"""Branches: the blocks of an ``if`` that no state takes, asked of a program that notes which branches it takes.

They have numbers of their own, behind those of the rules, and are noted as rules that fire are. Only who asks for all
states is told: a rule that is true of every map may well have branches that one map does not need.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from griddsl.diagnostics import Report
from griddsl.source import Span
from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk


@dataclass(slots=True)
class Branch:
    """A block that is run where a condition holds, or as ``else`` where none did: then ``span`` is that of the last.

    ``around`` are the rules and branches that it stands in; it stands in several where a rule speaks of several kinds.
    ``stop`` is where its text ends.
    """

    span: Span
    is_else: bool
    stop: int
    around: set[int] = field(default_factory=set)


def with_branches(spec: GridSpec) -> tuple[GridSpec, dict[int, Branch]]:
    """Return the plain spec, whose program notes the branches that the rules of its own text take, and these by number.

    What stands in a definition is left out: at another place it may be given something else.
    """
    plain = spec.plain
    defined = {node.span for each in spec.definitions for node in walk((each.value, each.effects))}
    numbers: dict[tuple[Span, bool], int] = {}
    branches: dict[int, Branch] = {}

    def visit(effects: tuple[n.Effect, ...], around: int) -> None:
        for effect in effects:
            if not isinstance(effect, n.If):
                visit(getattr(effect, "body", ()), around)
                continue
            for place, (test, block) in enumerate(effect.branches):
                asked = test if test is not None or place == 0 else effect.branches[place - 1][0]
                number = around
                if asked is not None and asked.span.source is plain.source and asked.span not in defined:
                    number = numbers.setdefault((asked.span, test is None), len(plain.rules) + len(numbers))
                    stop = max(part.span.end for part in (asked, *block) if part.span.source is plain.source)
                    branches.setdefault(number, Branch(asked.span, test is None, stop)).around.add(around)
                visit(block, number)

    for number, rule in enumerate(plain.rules):
        visit(rule.effects, number)
    return plain.noting(numbers), branches


def report_untaken(
    branches: dict[int, Branch], taken: Collection[int], untaken: Collection[int], proof: str, report: Report
) -> None:
    """Add each of these branches that is never taken though what it stands in is, with the proof."""
    said = [each.span for each in report.diagnostics]
    idle = [branches[number] for number in untaken if number in branches]
    for branch in sorted(idle, key=lambda each: each.span.start):
        span = branch.span
        if branch.around.isdisjoint(taken) or any(
            span.start <= each.start < branch.stop and each.source is span.source for each in said
        ):
            continue
        if branch.is_else:
            report.add("always-true", span, help=f"what stands under `else` never happens, {proof}")
        else:
            report.add("never-true", span, help=f"what stands under it never happens, {proof}")
