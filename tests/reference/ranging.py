"""Ranging: what names go through, and what is said of all they stand for (sections 9 and 10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from griddsl.syntax import nodes as n
from tests.reference.compass import LISTS
from tests.reference.conditions import cell_asked, holds
from tests.reference.expressions import all_meant_by, cell_of, chance_of, number
from tests.reference.groups import GROUPS, kinds_meant, of_each_kind, outside, word_bound
from tests.reference.maps import pattern_of
from tests.reference.named import named
from tests.reference.places import with_cell
from tests.reference.scope import NOTHING, Scope, find_in, is_being, kind_named, matches, resolve


def rounds(over: Any, node: Any, scope: Scope) -> Iterator[tuple[Any, Scope]]:
    """Yield what a clause says in each round, and the scope in which it says it: of things, cells, numbers or words."""
    if isinstance(over, n.Ranging):
        yield from _of_domain(over, node, scope)
    elif isinstance(over, n.Name) and over.name == "cell" and kind_named(over, scope) is None:
        for cell in scope.here.cells:
            yield node, at_cell(cell, scope)
    elif (kinds := things_meant(over, scope)) is not None:
        for being in scope.here.things():
            if being.kind.name in kinds:
                yield node, scope.inner(**{named(over).name: being})
    else:
        kind = kind_named(over, scope)
        assert kind is not None
        for being in scope.here.of_kind(kind):
            yield node, scope.inner(**{kind.name: being})


def things_meant(over: Any, scope: Scope) -> dict[str, Any] | None:
    """Return the kinds of objects whose things a word means, each with what is asked of it; None for one kind."""
    kinds = None if isinstance(over, n.Ranging) else kinds_meant(over, scope)
    return None if kinds is None else {kind.name: pattern_of(kind) for kind in kinds}


def at_cell(cell: Any, scope: Scope) -> Scope:
    """Return the scope in which ``here``, ``x`` and ``y`` are a cell."""
    return scope.inner(here=cell, x=cell.x, y=cell.y)


def _of_domain(over: n.Ranging, node: Any, scope: Scope) -> Iterator[tuple[Any, Scope]]:
    game = scope.here.game
    if isinstance(over.domain, n.RangeDomain):
        low, high = number(over.domain.low, scope), number(over.domain.high, scope)
        for whole in range(low, high + 1):
            yield node, scope.inner(**{over.name: whole})
        return
    if kinds := held_kinds(over, scope):
        holder = resolve(over.domain.values[0], scope)
        for each in () if holder is None else holder.held:
            if each and each.kind.name in kinds:
                yield node, scope.inner(**{over.name: each})
        return
    for value in over.domain.values:
        name = value.name if isinstance(value, n.Name) and not _is_value(value, scope) else None
        if isinstance(value, n.Rectangle):
            for cell in scope.here.cells:
                if cell.place in game.area(value):
                    yield node, scope.inner(**{over.name: cell})
        elif name in game.regions:
            for cell in scope.here.cells:
                if cell.place in game.regions[name]:
                    yield node, scope.inner(**{over.name: cell})
        elif name in LISTS and name not in game.kinds:
            for word in LISTS[name]:
                yield _with(node, over.name, n.Name(word, value.span), scope), scope
        elif name is not None or isinstance(value, n.Number | n.Truth | n.Text | n.Pattern):
            yield _with(node, over.name, value, scope), scope
        else:
            yield node, scope.inner(**all_meant_by([(over.name, value)], scope))


def held_kinds(over: n.Ranging, scope: Scope) -> set[str]:
    """Return the kinds that are asked for in what holds them, as ``coin in chest``; none for other domains."""
    game, kind = scope.here.game, scope.here.game.kinds.get(over.name)
    if not isinstance(over.domain, n.ChoiceDomain) or len(over.domain.values) > 1:
        return set()
    (holder,) = over.domain.values
    if not isinstance(holder, n.Name) or holder.name in {*LISTS, *game.regions}:
        return set()
    if kind is not None:
        return {kind.name} if kind.category == "object" else set()
    is_group = over.name in GROUPS and over.name not in {*game.regions, *game.params, *scope.here.variables}
    return (
        {each.name for each in kinds_meant(n.Name(over.name, over.span), scope) or ()} if is_group else set()
    )


def _is_value(node: n.Name, scope: Scope) -> bool:
    """Whether a name in a list stands for what it means: not a kind, whatever thing of it a rule speaks of."""
    return _has_value(node, scope) and not (
        node.name in scope.here.game.kinds and is_being(scope.find(node.name))
    )


def _has_value(node: n.Name, scope: Scope) -> bool:
    world = scope.here
    return scope.find(node.name) is not NOTHING or node.name in {*world.variables, *world.game.params}


def _with(node: Any, name: str, value: Any, scope: Scope) -> Any:
    """Return what is said with a word or kind in the place of a name."""
    if isinstance(node, tuple):
        return tuple(_with(each, name, value, scope) for each in node)
    if not isinstance(node, n.Node):
        return node
    match node:
        case n.Name() if node.name == name:
            return value
        case n.Pattern() if node.name == name:
            given = getattr(value, "arguments", ())
            return n.Pattern(value.name, (*given, *_with(node.arguments, name, value, scope)), node.span)
        case n.Is(n.Name() as left, right, negated) if left.name == name and isinstance(value, n.Name):
            if isinstance(right, n.Name) and not _has_value(right, scope):
                return n.Truth((value.name == right.name) != negated, node.span)
            return n.Is(right, value, negated, node.span)
        case n.Text(text) if isinstance(value, n.Name):
            return n.Text(text.replace(f"{{{name}}}", value.name), node.span)
    changed = {each.name: _with(getattr(node, each.name), name, value, scope) for each in fields(node)}
    for field in ("to", "outcome", "action"):
        if changed.get(field) == name and isinstance(value, n.Name):
            changed[field] = value.name
    return replace(node, **changed)


def some(node: n.Some, scope: Scope) -> bool:
    """``any``, ``all`` and ``no``, of things that a pattern fits, of cells and of values."""
    kinds = None if isinstance(node.over, n.Ranging) else kinds_meant(node.over, outside(node.over, scope))
    if kinds is not None:
        if (word := word_bound(node.over, scope)) is not None:
            found = [holds(node.where, each, True) for each in of_each_kind(word, kinds, scope)]
            return all(found) if node.quantifier == "all" else any(found) == (node.quantifier == "any")
        of_each = [some(replace(node, over=kind), scope) for kind in kinds]
        return any(of_each) if node.quantifier == "any" else all(of_each)
    tests = [
        holds(where, inner.inner(), True)
        for where, inner in rounds(node.over, node.where, scope)
        if not _is_other(node.over, inner)
    ]
    return all(tests) if node.quantifier == "all" else any(tests) == (node.quantifier == "any")


def _is_other(over: Any, scope: Scope) -> bool:
    """Whether the thing of this round is none that the pattern fits."""
    if isinstance(over, n.Ranging):
        return False
    looked_at = scope.names.get(getattr(over, "name", ""))
    kinds = None if looked_at is None else things_meant(over, scope.without(named(over).name))
    if kinds is not None:
        return is_being(looked_at) and not matches(looked_at, kinds[looked_at.kind.name], scope)
    if kind_named(over, scope) is None:
        return False
    return not matches(scope.names[over.name], pattern_of(over), scope)


def superlative(node: n.Superlative, scope: Scope) -> Any:
    """``the K with least E where C``: the first of which the number is lowest (or highest); None where none qualifies.

    ``the K where C`` asks for no number: it is the first that qualifies.
    """
    is_cell = kind_named(node.over, scope) is None and things_meant(node.over, scope) is None
    called = "here" if is_cell else named(node.over).name
    best, found = None, None
    for (where, value), inner in rounds(node.over, (node.where, node.value), scope):
        known = inner.inner()
        if _is_other(node.over, inner) or (where is not None and not holds(where, known, True)):
            continue
        if value is None:
            return inner.names[called]
        worth = number(value, known)
        if found is None or (worth > best if node.most else worth < best):
            best, found = worth, inner.names[called]
    return found


def there(node: n.There, scope: Scope) -> Any:
    """``the K at CELL``: the thing of these kinds that is there, of several the first; None where none is."""
    cell = cell_asked(node.at, scope)
    if cell is None:
        return None
    kinds = kinds_meant(node.over, outside(node.over, scope))
    if kinds is None:
        return find_in(cell, named(node.over), scope)
    found = [find_in(cell, each, scope) for each in kinds]
    return next((each for each in scope.here.things() if any(each is being for being in found)), None)


def tally(node: n.Tally | n.Best, scope: Scope) -> Any:
    """``count(NAME in DOMAIN where C)``, ``sum(E for NAME in DOMAIN where C)``, and ``min`` and ``max``, of K as well."""
    if isinstance(node, n.Best):
        return extreme(node.of.most, node.of.over, node.of.where, node.of.value, scope)
    if node.how in {"min", "max"}:
        return extreme(node.how == "max", node.over, node.where, node.value, scope)
    total: Any = 0
    for (where, value), inner in rounds(node.over, (node.where, node.value), scope):
        known = inner.inner()
        if where is None or holds(where, known, True):
            total += 1 if value is None else number(value, known)
    return total


def extreme(most: bool, over: Any, where: Any, value: Any, scope: Scope) -> Any:
    """``min(E for K where C)``, ``max(E for NAME in DOMAIN where C)``: the number itself; 0 where there is none."""
    numbers = []
    for (asked, worth), inner in rounds(over, (where, value), scope):
        known = inner.inner()
        if not _is_other(over, inner) and (asked is None or holds(asked, known, True)):
            numbers.append(number(worth, known))
    return (max if most else min)(numbers, default=0)


def by_chance(node: n.ByChance, scope: Scope, binds: bool) -> bool:
    """``if C with chance P``: the chance is drawn only where the condition holds, and may speak of what it finds."""
    if node.test is not None and not holds(node.test, scope, binds):
        return False
    return scope.here.stream.happens(chance_of(node.chance, scope))


def _of_its_cell(over: Any, inner: Scope) -> Scope:
    """Return a scope in which ``x``, ``y`` and ``here`` are the place of the thing that is ordered."""
    looked_at = None if isinstance(over, n.Ranging) else inner.names.get(named(over).name)
    cell = cell_of(looked_at, inner) if is_being(looked_at) else None
    return inner if cell is None else with_cell(inner, cell)


def each(effect: n.Each, scope: Scope) -> None:
    """Carry out a block for all that were there when it began, in their order, each as things are by then."""
    from tests.reference.effects import perform, settle_round
    from tests.reference.rules import _is_there

    world, over = scope.here, effect.over
    kind = None if isinstance(over, n.Ranging) else kind_named(over, scope)
    several = things_meant(over, scope)
    is_listed = kind is not None or several is not None or effect.by
    turns = list(rounds(over, (effect.where, effect.body), scope)) if is_listed else None
    if turns is not None and effect.by is not None:
        keys = [float(number(effect.by, _of_its_cell(over, inner))) for _, inner in turns]
        sign = -1 if effect.down else 1
        order = sorted(range(len(turns)), key=lambda at: (sign * keys[at], at))
        turns = [turns[at] for at in order]
    for (where, body), inner in turns or rounds(over, (effect.where, effect.body), scope):
        if kind is not None and not isinstance(over, n.Ranging):
            being = inner.names[kind.name]
            if not _is_there(being, kind, world) or not matches(being, pattern_of(over), inner):
                continue
        if several is not None:
            being = inner.names[getattr(over, "name", "")]
            asked = several.get(being.kind.name)
            if asked is None or not _is_there(being, being.kind, world) or not matches(being, asked, inner):
                continue
        if where is None or holds(where, inner, True):
            if kind is not None or several is not None:
                inner.line = being
            perform(body, inner)
            settle_round(body, inner)
