"""Assigning: what ``=``, ``+=`` and ``-=`` do to variables and attributes (section 8 of the reference)."""

from __future__ import annotations

from typing import Any

from griddsl.syntax import nodes as n
from tests.reference.compass import COMPASS
from tests.reference.expressions import DIRECTIONS, attribute_of, evaluate
from tests.reference.making import set_attribute
from tests.reference.named import named
from tests.reference.numbers import plain
from tests.reference.scope import Scope, domain_of_attribute, is_still, kind_when_named, resolve
from tests.reference.world import Agent


def assign(effect: n.Assign, scope: Scope) -> None:
    """Carry out an assignment; of what is not there, nothing is set."""
    world, target = scope.here, effect.target
    if isinstance(target, n.Attribute):
        being = resolve(target.owner, scope)
        kind = kind_when_named(target.owner, being, scope)
        if kind.category == "agent" and target.name == "facing":
            if isinstance(being, Agent):
                being.facing = COMPASS.index(evaluate(effect.value, scope, DIRECTIONS, as_word=True))
            return
        if being is not None and is_still(target.owner, being, scope):
            domain = domain_of_attribute(kind, target.name, scope)
            value = evaluate(effect.value, scope, domain, as_word=bool(domain.words))
            old = None if effect.operator == "=" else attribute_of(being, target.name, scope)
            set_attribute(being, target.name, _changed(old, effect.operator, value))
        return
    name = named(target).name
    domain, _ = world.game.variables[name]
    value = evaluate(effect.value, scope, domain, as_word=bool(domain.words))
    old = world.variables[name]
    world.variables[name] = domain.clamped(_changed(old, effect.operator, value))


def _changed(old: Any, operator: str, value: Any) -> Any:
    value = plain(value)
    return value if operator == "=" else old + value if operator == "+=" else old - value
