"""Groups: several kinds where one can be named, and names of setup that stand for a kind or a thing (section 10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from griddsl.spec.models import Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from tests.reference.kinds import ROW_EVENTS
from tests.reference.maps import pattern_of
from tests.reference.named import KindName, named
from tests.reference.scope import NOTHING, Scope, find_in, is_being, matches
from tests.reference.world import Cell

GROUPS = ("object", "portable", "pushable")


def kinds_meant(node: Any, scope: Scope) -> list[KindName] | None:
    """Return the kinds that a node in the place of one means now; None where it names a single kind or a thing."""
    if isinstance(node, n.Logic):
        if node.operator != "or" or not all(isinstance(each, KindName | n.Logic) for each in node.values):
            return None
        found_kinds: list[Any] = []
        for each in node.values:
            meant = kinds_meant(each, scope)
            if meant is None and (isinstance(each, n.Logic) or _says_yes_or_no(each, scope)):
                return None  # as in a plane, which may show a condition in the place of kinds
            found_kinds += meant or [each]
        return found_kinds
    if not isinstance(node, KindName) or scope.world is None or node.name in scope.here.game.kinds:
        return None
    found = _value(node.name, scope)
    if isinstance(found, str) and found in scope.here.game.kinds:
        return [_with(node, found)]
    if found is not NOTHING or node.name not in GROUPS or node.name in scope.here.game.regions:
        return None
    objects = [kind for kind in scope.here.game.kinds.values() if kind.category == "object"]
    wanted = set(pattern_of(node))
    return [
        _with(node, kind.name)
        for kind in objects
        if (node.name == "object" or getattr(kind, node.name))
        and wanted <= {*kind.attributes, *(["carries"] if kind.carries else [])}
    ] or None


def lies_there(cell: Cell, node: n.Expression, scope: Scope) -> bool:
    """Whether a thing of a kind, or of one of several, is in a cell."""
    kinds = kinds_meant(node, scope)
    return any(find_in(cell, each, scope) is not None for each in ([named(node)] if kinds is None else kinds))


def _value(name: str, scope: Scope) -> Any:
    found = scope.find(name)
    if found is NOTHING:
        found = scope.here.variables.get(name, scope.here.game.params.get(name, NOTHING))
    return found


def _says_yes_or_no(node: Any, scope: Scope) -> bool:
    return node.name not in scope.here.game.kinds and isinstance(_value(node.name, scope), bool)


def _with(node: KindName, name: str) -> KindName:
    return replace(node, name=name)


def said_of_each(node: n.Expression, scope: Scope) -> bool | None:
    """Whether a relation, or ``is``, holds of what a group means; None where there is no group in it."""
    match node:
        case n.Relation(left=n.Quantified(quantifier, kind)) | n.Is(left=n.Quantified(quantifier, kind)) if (
            kinds := kinds_meant(kind, outside(kind, scope))
        ) is not None:
            sides = [n.Quantified(quantifier, each, each.span) for each in kinds]
            tests = (_holds(replace(node, left=side), scope) for side in sides)
            return any(tests) if quantifier == "any" else all(tests)
        case n.Relation(name, left) if (kinds := kinds_meant(left, scope)) is not None:
            is_sought = name in {"ahead", "at"} or _value(getattr(left, "name", ""), scope) is not NOTHING
            one_of = [each if is_sought else n.Quantified("any", each, each.span) for each in kinds]
            return any(_holds(replace(node, left=side), scope) for side in one_of)
        case n.Relation(left=n.Quantified("no", kind) as left):
            some = said_of_each(replace(node, left=replace(left, quantifier="any")), scope)
            return None if some is None else not some
        case n.Relation(left=left) if (kinds := _kinds_asked_of(node, scope)) is not None:
            if not (isinstance(left, n.Quantified) and left.quantifier == "all"):
                return any(_holds(replace(node, right=each), scope) for each in kinds)
            of = named(left.kind)
            one, others = n.Name(of.name, of.span), [n.Quantified("any", each, each.span) for each in kinds]
            tests_of_one = [replace(node, left=one, right=other) for other in others]
            each_one = of_each_kind(of.name, [of], scope)
            return all(any(_holds(test, inner) for test in tests_of_one) for inner in each_one)
        case n.Is(_, n.Logic("or", values), negated):
            tests = (_holds(replace(node, right=each, negated=False), scope) for each in values)
            return any(tests) != negated
        case n.Is(_, n.Name(name) as right, negated) if name in GROUPS:
            kinds = kinds_meant(right, scope)
            if kinds is None:
                return None
            return any(_holds(replace(node, right=each, negated=False), scope) for each in kinds) != negated
    return None


def _kinds_asked_of(node: n.Relation, scope: Scope) -> list[KindName] | None:
    """Return the kinds that the right side of a relation means, any thing of which will do; None where it means one."""
    right = node.right
    if node.name == "at" or right is None:
        return None
    asked = right.kind if isinstance(right, n.Quantified) and right.quantifier == "any" else right
    return kinds_meant(asked, scope if asked is right else outside(asked, scope))


def outside(kind: Any, scope: Scope) -> Scope:
    """Return the scope in which a word behind `any`, `all` and `no` means its kinds, also where a loop goes through them."""
    return scope.without(kind.name) if getattr(kind, "name", None) in GROUPS else scope


def _holds(node: n.Expression, scope: Scope) -> bool:
    from tests.reference.conditions import holds

    return holds(node, scope.inner(), True)


def word_bound(asked: Any, scope: Scope) -> str | None:
    """Return the word that means, in a condition behind it, the thing that is gone through; a variable goes on meaning its value."""
    return asked.name if isinstance(asked, KindName) and asked.name not in scope.here.variables else None


def of_each_kind(word: str, kinds: list[KindName], scope: Scope) -> Iterator[Scope]:
    """Yield the scopes in which a word means each thing of kinds, kind by kind."""
    for asked in kinds:
        kind = scope.here.game.kinds[asked.name]
        for being in scope.here.of_kind(kind):
            inner = scope.inner(**{word: being})
            if matches(being, pattern_of(asked), inner):
                yield inner


def _called(asked: Any, kind: KindName, node: Any, scope: Scope) -> Any:
    """Return what is said with the name of a kind in the place of the group's."""
    if isinstance(node, tuple):
        return tuple(_called(asked, kind, each, scope) for each in node)
    if not isinstance(node, n.Node) or isinstance(asked, n.Logic):
        return node
    if asked.name in scope.here.variables:
        return node
    if isinstance(node, n.Name | n.Pattern) and node.name == asked.name:
        return replace(node, name=kind.name)
    names = [each.name for each in fields(node)]
    changes: Any = {each: _called(asked, kind, getattr(node, each), scope) for each in names}
    return replace(node, **changes)


def heard(rule: Rule, scope: Scope) -> Iterator[Rule]:
    """Yield a rule with each kind that the sides of its trigger can mean, in the place of the word for them."""
    for side in ("subject", "object"):
        node = getattr(rule.trigger, side)
        if (
            isinstance(node, KindName | n.Logic)
            and getattr(node, "name", "") not in scope.here.game.kinds
            and rule.trigger.event not in ROW_EVENTS
        ):
            placed = _kinds_placed(node, scope) if isinstance(node, KindName) else None
            kinds = placed or kinds_meant(node, scope)
            for kind in kinds or []:
                meant: Any = {side: kind}
                said = rule if placed or isinstance(node, n.Logic) else _said_with(node, kind, rule, scope)
                yield from heard(replace(said, trigger=replace(rule.trigger, **meant)), scope)
            if kinds is not None:
                return
    yield rule


def _said_with(node: KindName, kind: KindName, rule: Rule, scope: Scope) -> Rule:
    """Return a rule that says all that it says of a group of one kind of it."""
    said = rule.condition, rule.chance, rule.effects
    condition, chance, effects = _called(node, kind, said, scope)
    return replace(rule, condition=condition, chance=chance, effects=effects)


def _kinds_placed(node: KindName, scope: Scope) -> list[KindName] | None:
    """Return the kinds as which setup places what it gives a name to."""
    placed = [
        each.kind
        for each in walk(scope.here.game.spec.preparing)
        if isinstance(each, n.Place) and each.alias == node.name
    ]
    names = [kind.name for each in placed for kind in kinds_meant(each, scope) or [named(each)]]
    return [_with(node, name) for name in dict.fromkeys(names)] or None


def is_meant(node: Any, being: Any, scope: Scope) -> bool:
    """Whether a being is what a side of a trigger names, which it then means in the rule."""
    if not isinstance(node, KindName) or node.name in scope.here.game.kinds:
        return True
    chosen = scope.find(node.name)
    if isinstance(chosen, Cell):
        scope.names[node.name] = being
        return being is chosen.ground
    if is_being(chosen) or chosen is None:
        return being is chosen
    if node.name not in scope.here.variables:  # a variable goes on meaning its value
        scope.names[node.name] = being
    return True
