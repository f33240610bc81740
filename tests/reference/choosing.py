"""Choosing: how ``choose`` draws values for its names (section 6 of the reference)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from griddsl.syntax import nodes as n
from tests.reference.compass import LISTS
from tests.reference.conditions import holds
from tests.reference.expressions import evaluate, number
from tests.reference.kinds import Kind
from tests.reference.maps import pattern_of
from tests.reference.named import named
from tests.reference.numbers import plain
from tests.reference.places import NoPlace, random_cell
from tests.reference.scope import NOTHING, Scope, kind_drawn, matches, things_drawn


def choose(effect: n.Choose, scope: Scope, keep: Callable[[str, Any], None]) -> dict[str, Any]:
    """Return the values that are drawn; ``keep`` is told of each at once, where they are drawn one after the other."""
    found: dict[str, Any] = {}
    domain = effect.domain
    kind = kind_drawn(domain, scope)
    if kind is not None:
        return dict(zip(effect.names, _things(effect, kind, scope), strict=True))
    if isinstance(domain, n.RandomCell) or (effect.where is None and not effect.distinct):
        for name in effect.names:
            but = list(found.values()) if effect.distinct else []  # each draws among what is left
            found[name] = draw_value(domain, scope, name, but)
            keep(name, found[name])
        return found
    values, weights = listed(domain, scope)
    if effect.where is None and len(set(weights)) == 1:
        drawn = _without_replacement(effect, domain, values, scope)
    else:
        drawn = _of_those_that_qualify(effect, values, weights, scope)
    return dict(zip(effect.names, drawn, strict=True))


def _things(effect: n.Choose, kind: Kind, scope: Scope) -> list[Any]:
    """Draw things of a kind that are on the map, in their order; in a rule, where too few qualify, nothing is meant."""
    (asked,) = effect.domain.values  # type: ignore[union-attr]  # it names a kind
    several = things_drawn(effect.domain, scope)
    word = asked.kind if isinstance(asked, n.Quantified) else asked
    called = kind.name if several is None else getattr(word, "name", "one of several")
    wanted = {each.name: pattern_of(each) for each in several or [named(asked)]}
    things: list[Any] = []
    is_free = scope.find(called) is NOTHING  # else the word goes on meaning the thing that it was given to
    for being in scope.here.of_kind(kind) if several is None else scope.here.things():
        inner = scope.inner(**{called: being}) if is_free else scope
        if being.kind.name in wanted or several is None:
            things += [being] if matches(being, wanted.get(being.kind.name, pattern_of(word)), inner) else []
    if len(effect.names) > 1 and effect.where is not None:
        found = []
        for places in product(range(len(things)), repeat=len(effect.names)):
            if effect.distinct and len(set(places)) < len(places):
                continue
            drawn = [things[i] for i in places]
            if holds(effect.where, scope.inner(**dict(zip(effect.names, drawn, strict=True))), True):
                found.append(drawn)
        picked = found[scope.here.stream.below(len(found))] if found else [None] * len(effect.names)
    else:
        if effect.where is not None:
            (name,) = effect.names
            told = [
                (each, scope.inner(**{name: each, **({called: each} if is_free else {})})) for each in things
            ]
            things = [each for each, inner in told if holds(effect.where, inner, True)]
        picked = []
        for index in range(len(effect.names)):
            first = index if effect.distinct else 0
            if len(things) <= first:
                picked.append(None)
                continue
            place = first + scope.here.stream.below(len(things) - first)
            picked.append(things[place])
            if effect.distinct:
                things[place] = things[first]
    if scope.in_setup and None in picked:
        raise NoPlace("no-place", effect)
    return [each.cell if scope.in_setup and each and kind.category == "tile" else each for each in picked]


def is_fixed(domain: n.Domain, scope: Scope) -> bool:
    """Whether the ends of a range are constants."""
    return isinstance(domain, n.ChoiceDomain) or all(
        isinstance(evaluate(each, scope), Fraction) for each in (domain.low, domain.high)
    )


def draw_value(
    domain: n.Domain | n.RandomCell, scope: Scope, called: str | None = None, but: Sequence[Any] = ()
) -> Any:
    """Draw a value of a domain; a range of one value with constant ends, and a single alternative, draw nothing."""
    if isinstance(domain, n.RandomCell):
        return random_cell(domain, scope, called=called, but=but)
    if isinstance(domain, n.ChoiceDomain) and (shares := _shares(domain, scope)) is not None:
        drawn = scope.here.stream.below(max(1, sum(shares)))
        ends = [sum(shares[: place + 1]) for place in range(len(shares))]
        place = next((place for place, end in enumerate(ends) if drawn < end), 0)
        return plain(evaluate(domain.values[place], scope))
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
    nodes = spelled_out(domain, scope)
    values = [plain(evaluate(value, scope)) for value in nodes]
    if len(nodes) > len(domain.values):  # these have no weights
        return values, [Fraction(1, len(values))] * len(values)
    weights = [
        Fraction(1, len(values)) if each is None else Fraction(evaluate(each, scope))
        for each in domain.weights
    ]
    if all(weight.denominator == 1 for weight in weights) and sum(weights) > 0:
        weights = [weight / sum(weights) for weight in weights]  # whole numbers are shares
    return values, weights


def spelled_out(domain: n.ChoiceDomain, scope: Scope) -> list[n.Expression]:
    """Return the values of a domain, with the words that `directions` and `diagonals` stand for."""
    found: list[n.Expression] = []
    for value in domain.values:
        name = value.name if isinstance(value, n.Name) else ""
        is_list = name in LISTS and scope.find(name) is NOTHING and name not in scope.here.game.kinds
        found += [n.Name(word, value.span) for word in LISTS[name]] if is_list else [value]
    return found


def _shares(domain: n.ChoiceDomain, scope: Scope) -> list[int] | None:
    """Return the weights as whole numbers where the game decides one of them; None where all are constants."""
    worth = [None if each is None else evaluate(each, scope) for each in domain.weights]
    if None in worth or all(isinstance(each, Fraction) for each in worth):
        return None
    return [max(0, int(each)) for each in worth if each is not None]


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
