"""Repeated: rules that stand in a spec twice, so that what they say happens twice."""

from __future__ import annotations

from griddsl.diagnostics import Label
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import effects_in
from griddsl.spec.models import Rule


def repeated_rules(writer: Writer) -> None:
    """Warn of a rule that says what an earlier one says. Those that draw are meant: they draw once more."""
    earlier: dict[Rule, Rule] = {}
    for rule in writer.world.spec.rules:
        if rule.span.source is not writer.world.spec.source or rule.span.through:
            continue
        first = earlier.setdefault(rule, rule)
        draws = rule.chance is not None or any(can.draws for _, can in effects_in(rule.effects))
        if first is not rule and first.span != rule.span and not draws:
            labels = [Label(first.span, "it stands here too")]
            help = "both are carried out, one after the other: leave one of them out"
            writer.report.add("repeated-rule", rule.span, labels=labels, help=help)
