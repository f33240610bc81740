"""Sums of an episode, as section 13 of the reference defines them: a count is a variable that a last rule counts up."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from griddsl.spec.models import Declaration, GridSpec, Rule
from griddsl.syntax import nodes as n


def with_sums(spec: GridSpec) -> GridSpec:
    """Return a spec whose scores are entries of info, and whose counts are variables with rules behind all others."""
    told: list[Any] = []
    more_rules: list[Rule] = []
    more_variables: list[Declaration] = []
    for entry in (*spec.info, *spec.scores):
        if isinstance(entry.value, n.CountOf):
            trigger, span = entry.value.trigger, entry.value.span
            name = f"counted {len(more_rules)}"
            zero, one, most = (n.Number(Fraction(k), str(k), span) for k in (0, 1, 2**31 - 1))
            more_variables.append(Declaration(name, zero, n.RangeDomain(zero, most, span), span))
            up: Any = n.Assign(n.Name(name, span), "+=", one, span)
            more_rules.append(Rule(name, trigger, entry.value.condition, None, (up,), span))
            entry = replace(entry, value=n.Name(name, span))
        told.append(entry)
    changes = {
        "info": tuple(told),
        "rules": (*spec.rules, *more_rules),
        "variables": (*spec.variables, *more_variables),
    }
    return spec.model_copy(update=changes) if told else spec
