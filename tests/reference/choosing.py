"""Choosing: how ``choose`` draws values for its names (section 6 of the reference)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from griddsl.syntax import nodes as n
from tests.reference.conditions import holds
from tests.reference.expressions import evaluate, number
from tests.reference.numbers import plain
from tests.reference.places import NoPlace, random_cell
from tests.reference.scope import Scope


def choose(effect: n.Choose, scope: Scope, keep: Callable[[str, Any], None]) -> dict[str, Any]:
    """Return the values that are drawn; ``keep`` is told of each at once, where they are drawn one after the other."""
    found: dict[str, Any] = {}
    domain = effect.domain
    if isinstance(domain, n.RandomCell) or (effect.where is None and not effect.distinct):
        for name in effect.names:
            found[name] = draw_value(domain, scope)
            keep(name, found[name])
        return found
    values, weights = listed(domain, scope)
    if effect.where is None and len(set(weights)) == 1:
        drawn = _without_replacement(effect, domain, values, scope)
    else:
        drawn = _of_those_that_qualify(effect, values, weights, scope)
    return dict(zip(effect.names, drawn, strict=True))


def is_fixed(domain: n.Domain, scope: Scope) -> bool:
    """Whether the ends of a range are constants."""
    return isinstance(domain, n.ChoiceDomain) or all(
        isinstance(evaluate(each, scope), Fraction) for each in (domain.low, domain.high)
    )


def draw_value(domain: n.Domain | n.RandomCell, scope: Scope) -> Any:
    """Draw a value of a domain; a range of one value with constant ends, and a single alternative, draw nothing."""
    if isinstance(domain, n.RandomCell):
        return random_cell(domain, scope)
    values, weights = listed(domain, scope)
    if isinstance(domain, n.RangeDomain):
        if len(values) == 1 and is_fixed(domain, scope):
            return values[0]
        return values[scope.here.stream.below(len(values))]
    return values[scope.here.stream.by_weight(weights)]


def listed(domain: n.Domain, scope: Scope) -> tuple[list[Any], list[Fraction]]:
    """Return the values of a domain with their weights."""
    if isinstance(domain, n.RangeDomain):
        low, high = number(domain.low, scope), number(domain.high, scope)
        values = list(range(low, max(low, high) + 1))
        return values, [Fraction(1, len(values))] * len(values)
    values = [plain(evaluate(value, scope)) for value in domain.values]
    weights = [
        Fraction(1, len(values)) if each is None else Fraction(evaluate(each, scope))
        for each in domain.weights
    ]
    return values, weights


def _without_replacement(effect: n.Choose, domain: n.Domain, values: list[Any], scope: Scope) -> list[Any]:
    """Draw one after the other: each takes its place in a row, and the first left takes the place it leaves."""
    row, drawn = list(values), []
    for index in range(len(effect.names)):
        left = max(len(row) - index, 1)
        place = index
        if left > 1 or not is_fixed(domain, scope):
            place += scope.here.stream.below(left)
        place = min(place, len(row) - 1)
        drawn.append(row[place])
        row[place] = row[min(index, len(row) - 1)]
    return drawn


def _of_those_that_qualify(
    effect: n.Choose, values: list[Any], weights: list[Fraction], scope: Scope
) -> list[Any]:
    """Draw among all combinations that qualify, in the order of their values, the last name counting fastest."""
    found: list[tuple[tuple[int, ...], Fraction]] = []
    for places in product(range(len(values)), repeat=len(effect.names)):
        if effect.distinct and len(set(places)) < len(places):
            continue
        inner = scope.inner(**{name: values[i] for name, i in zip(effect.names, places, strict=True)})
        weight = Fraction(1)
        for place in places:
            weight *= weights[place]
        if weight and (effect.where is None or holds(effect.where, inner)):
            found.append((places, weight))
    if not found:
        if scope.in_setup:
            raise NoPlace("no-place", effect)
        return [values[0]] * len(effect.names)
    return [values[place] for place in _drawn(found, weights, len(effect.names), scope)]


def _drawn(
    found: list[tuple[tuple[int, ...], Fraction]], weights: list[Fraction], names: int, scope: Scope
) -> tuple[int, ...]:
    from math import lcm

    scale = lcm(*(weight.denominator for weight in weights)) ** names if len(set(weights)) > 1 else 0
    whole = [int(weight * scale) if scale else 1 for _, weight in found]
    drawn = scope.here.stream.below(sum(whole))
    for (places, _), weight in zip(found, whole, strict=True):
        drawn -= weight
        if drawn < 0:
            return places
    raise AssertionError("the weights are those of all that qualify")
