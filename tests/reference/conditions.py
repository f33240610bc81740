"""Conditions: logic, ``is`` and the relations of things, and what a condition finds and names (sections 8 and 10)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from griddsl.syntax import nodes as n
from tests.reference.expressions import (
    all_meant_by,
    attribute_of,
    cell_of,
    compared,
    distance,
    evaluate,
    is_off_grid,
    number,
    place_of,
)
from tests.reference.groups import said_of_each
from tests.reference.maps import pattern_of
from tests.reference.named import KindName, asked_for, named, there
from tests.reference.scope import (
    NOTHING,
    Scope,
    asks_for_any,
    cell_ahead,
    find_in,
    is_being,
    is_still,
    kind_named,
    kind_when_named,
    matches,
    resolve,
)
from tests.reference.world import Cell, Ground


def holds(node: n.Expression, scope: Scope, binds: bool = False) -> bool:
    """Whether a condition holds; with ``binds``, the names of what it finds are bound in the scope."""
    if isinstance(node, n.Relation | n.Is) and (said := said_of_each(node, scope)) is not None:
        return said
    match node:
        case n.Logic("or", values):
            return any(_apart(value, scope) for value in values)
        case n.Logic("xor", values):
            return sum(_apart(value, scope) for value in values) % 2 == 1
        case n.Logic(_, values):
            inner = scope if binds else scope.inner()
            return all(holds(value, inner, True) for value in values)
        case n.Given(names, value) if binds:
            given = all_meant_by(names, scope)
            inner = scope.inner(**given)
            is_so = holds(value, inner, binds)
            scope.names.update({name: each for name, each in inner.names.items() if name not in given})
            return is_so
        case n.Not(value):
            return not _apart(value, scope)
        case n.Compare():
            return compared(node, scope)
        case n.Is():
            return _is(node, scope)
        case n.Can(left, action):
            from tests.reference.ability import can

            if isinstance(left, n.Quantified):
                return _quantified(left, scope, lambda being, _: can(action, being, scope))
            return can(action, scope.agent if left is None else resolve(left, scope), scope)
        case n.Some() | n.ByChance():
            from tests.reference.ranging import by_chance, some

            return some(node, scope) if isinstance(node, n.Some) else by_chance(node, scope, binds)
        case n.Relation(left=n.Quantified() as side, name="within" | "sees"):
            return _any_within(node, side, scope)
        case n.Relation(left=n.Quantified() as side):
            return _quantified(side, scope, lambda being, inner: _related(node, being, inner, False))
        case n.Relation():
            return _relation(node, scope, binds)
    return bool(evaluate(node, scope))


def _apart(node: n.Expression, scope: Scope) -> bool:
    """Decide a condition whose finds are not named outside of it."""
    return holds(node, scope.inner(), True)


def _quantified(side: n.Quantified, scope: Scope, test: Callable[[Any, Scope], bool]) -> bool:
    """``all K``, ``any K``, ``no K``: whether something holds for all, one or none of them that are on the map."""
    asked = named(side.kind)
    kind = kind_named(asked, scope)
    assert kind is not None
    inner = scope.inner()
    found = (inner.inner(**{kind.name: each}) for each in scope.here.of_kind(kind))
    tests = [
        test(each.names[kind.name], each)
        for each in found
        if matches(each.names[kind.name], pattern_of(asked), each)
    ]
    match side.quantifier:
        case "all":
            return all(tests)
        case "any":
            return any(tests)
    return not any(tests)


# is


def _is(node: n.Is, scope: Scope) -> bool:
    if isinstance(node.left, n.Quantified):
        return _quantified(
            node.left, scope, lambda being, inner: being_is(being, node.right, inner) != node.negated
        )
    if names_being(node.left, scope):
        being = resolve(node.left, scope)
        if being is not None and not is_still(node.left, being, scope):
            return _is_of_kind(node, being, scope) != node.negated
        return (being is not None and being_is(being, node.right, scope)) != node.negated
    left = evaluate(node.left, scope, as_word=True)
    if isinstance(left, Cell) and names_being(node.right, scope) and _is_one(node.right, scope):
        return (left is cell_of(resolve(node.right, scope), scope)) != node.negated
    right = evaluate(node.right, scope, as_word=True)
    kind = scope.here.game.kinds.get(right) if isinstance(left, Cell) and isinstance(right, str) else None
    if kind is not None and kind.category == "tile":  # of a tile that `as` named
        left = left.ground.kind.name
    elif kind is not None:
        right = cell_of(resolve(node.right, scope), scope)
    return bool(left == right) != node.negated


def _is_one(node: n.Expression, scope: Scope) -> bool:
    """Whether it is a thing that has a name here, or the one of several, and no kind of which any will do."""
    return not isinstance(node, n.Name | n.Pattern) or is_being(scope.find(node.name))


def _is_of_kind(node: n.Is, being: Any, scope: Scope) -> bool:
    """Of what is gone, or of another kind by now, no word holds: it is what it is now, and no more."""
    attributes = kind_when_named(node.left, being, scope).attributes.values()
    words = {word for each in attributes for word in each.domain.words}
    word, asked = evaluate(node.right, scope, as_word=True), getattr(node.right, "name", "")
    is_there = (isinstance(being, Ground) or being in scope.here.objects) and not is_being(scope.find(asked))
    return is_there and word not in words and bool(being.kind.name == word)


def names_being(node: n.Expression, scope: Scope) -> bool:
    """Whether an expression names a being, and not a value that is compared."""
    if isinstance(node, n.There):
        return True
    if isinstance(node, n.Superlative):
        return kind_named(node.over, scope) is not None
    if not isinstance(node, n.Name):
        return isinstance(node, n.Pattern | n.Other)
    found = scope.find(node.name)
    if found is not NOTHING:
        return is_being(found) or found is None
    world = scope.here
    if node.name in world.variables or node.name in world.game.params:
        return False
    return node.name in world.game.kinds or node.name in {"self", "other"}


def being_is(being: Any, right: n.Expression, scope: Scope) -> bool:
    """``K is WORD``, ``K is K2``: an attribute has the word, the thing is of that kind now, or is that very thing."""
    own_name = right.name if isinstance(right, n.Name) else None
    found = NOTHING if own_name is None else scope.find(own_name)
    found = resolve(right, scope) if own_name == "self" else found
    if is_being(found):
        return being is found and (own_name not in scope.here.game.kinds or is_still(right, found, scope))
    word = evaluate(right, scope, as_word=True)
    bare = own_name if found is NOTHING else None
    for name, attribute in being.kind.attributes.items():
        if word in attribute.domain.words:
            return bool(attribute_of(being, name, scope) == word)
        if attribute.domain.is_truth and bare == name:
            return bool(attribute_of(being, name, scope))
    return bool(being.kind.name == word or (word == "agent" and being.kind.category == "agent"))


def guard_holds(node: n.Expression, being: Any, scope: Scope) -> bool:
    """``solid if C``: a bare word of the kind's own attributes means that the thing is that."""
    match node:
        case n.Name(name):
            for attribute in being.kind.attributes.values():
                if name in attribute.domain.words:
                    return bool(being.attributes[attribute.name] == name)
                if name == attribute.name and attribute.domain.is_truth:
                    return bool(being.attributes[name])
        case n.Logic("and", values):
            return all(guard_holds(value, being, scope) for value in values)
        case n.Logic("xor", values):
            return sum(guard_holds(value, being, scope) for value in values) % 2 == 1
        case n.Logic(_, values):
            return any(guard_holds(value, being, scope) for value in values)
        case n.Not(value):
            return not guard_holds(value, being, scope)
    game, own = scope.here.game, {}
    for name, value in being.attributes.items():  # by its name alone an attribute is the thing's own
        taken = {*game.kinds, *game.params, *scope.here.variables}
        if name not in taken and scope.find(name) is NOTHING:
            own[name] = value
    return holds(node, scope.inner(**own))


# Relations


def _relation(node: n.Relation, scope: Scope, binds: bool) -> bool:
    if node.name == "ahead":
        return _ahead(node, scope, binds)
    if node.name == "at" and (_is_sought(node.left, scope) or _is_one_of_several(node.left, scope)):
        return _found_at(cell_asked(there(node.right), scope), node.left, scope, binds)
    if node.name in {"within", "sees"} and _is_sought(node.left, scope) and _is_known(node.right, scope):
        right = there(node.right)
        center = resolve(right, scope) if _names_one(right, scope) else None
        return _found_within(node, named(node.left), place_of(right, scope), center, scope, binds)
    return _related(node, _left_of(node.left, scope), scope, binds)


def _is_free(node: n.Expression | None, scope: Scope) -> bool:
    """Whether one of a kind may be looked for: its bare name means none, or it asks for attributes."""
    return asks_for_any(node, scope) or scope.find(named(node).name) is NOTHING


def _is_sought(node: n.Expression, scope: Scope) -> bool:
    """Whether a name is a kind of which one is looked for: no being that is bound, and no agent."""
    kind = kind_named(node, scope)
    return kind is not None and kind.category != "agent" and _is_free(node, scope)


def _is_one_of_several(node: n.Expression, scope: Scope) -> bool:
    """Whether a name is a kind of agents of several: in a cell one is looked for, whoever the clause is about."""
    kind = kind_named(node, scope)
    is_agent = kind is not None and kind.category == "agent" and scope.here.game.several
    return is_agent and _is_free(node, scope)


def _is_known(node: n.Expression | None, scope: Scope) -> bool:
    """Whether the right side of ``within`` is a place that is known: no kind of which one would have to be found."""
    kind = kind_named(node, scope)
    return kind is None or kind.category == "agent" or not _is_free(node, scope)


def _left_of(node: n.Expression, scope: Scope) -> Any:
    """Return the being or cell on the left of a relation."""
    if isinstance(node, n.Name) and not is_being(found := scope.find(node.name)) and found is not NOTHING:
        return None if is_off_grid(node, scope) else found
    if isinstance(node, n.Name | n.Pattern | n.Other) and names_being(node, scope):
        return resolve(node, scope)
    return cell_asked(node, scope) if isinstance(node, n.Position | n.Given) else evaluate(node, scope)


def cell_asked(node: n.Expression, scope: Scope) -> Any:
    """Return the cell that a condition asks about; a pair off the grid is none, and nothing is there."""
    while isinstance(node, n.Given):
        scope = scope.inner(**all_meant_by(node.names, scope))
        node = node.value
    return None if is_off_grid(node, scope) else place_of(node, scope)


def _related(node: n.Relation, left: Any, scope: Scope, binds: bool) -> bool:
    """Whether a relation holds for a being (or cell) on its left; behind it `any K` asks, and names nothing."""
    binds = binds and not isinstance(node.right, n.Quantified)
    here = cell_of(left, scope)
    match node.name:
        case "on":
            return _found_at(here, there(node.right), scope, binds)
        case "at":
            return here is not None and here is cell_asked(there(node.right), scope)
        case "ahead":
            return here is not None and here is cell_ahead(scope)
        case "has":
            return _has(left, node, scope, binds)
        case "within" | "sees":
            return _within(left, node, scope, binds)
    return True  # `left`: it is there


def _found_at(cell: Any, node: n.Expression, scope: Scope, binds: bool) -> bool:
    """Whether a thing of a kind is in a cell: a bound one itself, a region's cell, or any, which is then bound."""
    if isinstance(node, n.Name) and (is_being(bound := scope.find(node.name)) or bound is None):
        return cell is not None and cell_of(bound, scope) is cell
    if cell is None or isinstance(cell, str):
        return False
    if isinstance(node, n.Rectangle):
        return cell.place in scope.here.game.area(node)
    if isinstance(node, n.Name) and node.name in scope.here.game.regions:
        return cell.place in scope.here.game.regions[node.name]
    asked = asked_for(node)
    found = find_in(cell, asked, scope)
    if found is not None and binds:
        scope.names[asked.name] = found
    return found is not None


def _ahead(node: n.Relation, scope: Scope, binds: bool) -> bool:
    cell = cell_ahead(scope)
    if isinstance(node.left, n.Name) and node.left.name == "edge":
        return cell == "edge"
    if cell == "wall":
        return isinstance(node.left, n.Name) and node.left.name == "wall"
    return _found_at(cell, node.left, scope, binds)


def _has(holder: Any, node: n.Relation, scope: Scope, binds: bool) -> bool:
    if isinstance(node.right, n.Name) and (is_being(bound := scope.find(node.right.name)) or bound is None):
        return None not in (holder, bound) and any(each is bound for each in holder.held)
    asked = asked_for(node.right)
    found = held_by(holder, asked, scope)
    if found is not None and binds:
        scope.names[asked.name] = found
    return found is not None


def held_by(holder: Any, node: KindName, scope: Scope) -> Any:
    """Return the first thing of a kind (with the attributes asked for) that something holds."""
    if holder is None:
        return None
    kind = kind_named(node, scope)
    return next(
        (
            each
            for each in holder.held
            if each and each.kind is kind and matches(each, pattern_of(node), scope)
        ),
        None,
    )


def _any_within(node: n.Relation, side: n.Quantified, scope: Scope) -> bool:
    """``any K within N of K2``, ``all`` and ``no``: nothing is near itself; of ``all`` it is left out."""
    around = getattr(node.right, "name", None)
    outer = scope.find(around) if around is not None else NOTHING

    def near(being: Any, inner: Scope) -> bool:
        if around == named(side.kind).name:  # what the name means outside of the clause, or else another one
            inner.names.pop(around)
            if outer is not NOTHING:
                inner.names[around] = outer
        if side.quantifier == "all" and _stands_for(there(node.right), being, inner):
            return True
        return _within(being, node, inner, False)

    return _quantified(side, scope, near)


def _stands_for(node: n.Expression, being: Any, scope: Scope) -> bool:
    """Whether a name stands for this very thing."""
    return is_being(being) and _names_one(node, scope) and resolve(node, scope) is being


def _names_one(node: n.Expression, scope: Scope) -> bool:
    """Whether a name or ``other K`` stands for a thing, and for no cell that is chosen."""
    if not isinstance(node, n.Name):
        return isinstance(node, n.Other)
    return node.name == "self" or is_being(scope.find(node.name))


def _within(left: Any, node: n.Relation, scope: Scope, binds: bool) -> bool:
    """``K within N of K2``: a thing (other than K itself) in a square of N cells around; it is bound."""
    here = cell_of(left, scope)
    asked = node.right.kind if isinstance(node.right, n.Quantified) else there(node.right)
    is_kind = kind_named(asked, scope) is not None
    if not is_kind or (
        node.right is asked and isinstance(asked, n.Name) and scope.find(asked.name) is not NOTHING
    ):
        place = place_of(asked, scope)
        if _stands_for(asked, left, scope) or here is None or place is None:
            return False
        return _is_near(node, here, place, scope)
    return _found_within(node, named(asked), here, left, scope, binds)


def _is_near(node: n.Relation, here: Any, place: Any, scope: Scope) -> bool:
    """Whether a cell is as near as a condition says, and in sight where it asks for that."""
    if node.distance is not None and distance(here, place, "chebyshev") > number(node.distance, scope):
        return False
    return node.name == "within" or (place is not None and scope.here.in_sight(here, place))


def _found_within(
    node: n.Relation, asked: KindName, here: Any, center: Any, scope: Scope, binds: bool
) -> bool:
    kind = kind_named(asked, scope)
    assert kind is not None
    if here is None:
        return False
    for each in scope.here.of_kind(kind):
        is_near = each is not center and _is_near(node, here, cell_of(each, scope), scope)
        if is_near and matches(each, pattern_of(asked), scope):
            if binds:
                scope.names[asked.name] = each
            return True
    return False
