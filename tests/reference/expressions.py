"""Expressions: what each form is worth (section 10 of the reference)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from griddsl.syntax import nodes as n
from tests.reference.compass import COMPASS, QUARTERS, QUARTERS_TO, side_of, step_of
from tests.reference.groups import kinds_meant, of_each_kind, outside, word_bound
from tests.reference.kinds import Domain
from tests.reference.named import named
from tests.reference.numbers import calculate, compare, is_exact, noise, plain, power_of_e
from tests.reference.scope import (
    NOTHING,
    Scope,
    asks_away,
    asks_turn,
    domain_of_attribute,
    first_of_attribute,
    is_being,
    is_still,
    kind_named,
    kind_when_named,
    resolve,
)
from tests.reference.world import Agent, Thing


def evaluate(node: n.Destination, scope: Scope, domain: Domain | None = None, as_word: bool = False) -> Any:
    """Return what an expression is worth.

    Numbers are fractions where they are constants, else integers or floats; words, kinds and texts are texts; cells
    and beings are themselves. ``random`` draws from ``domain``; ``as_word`` lets a name that means no value be a word.
    """
    match node:
        case n.Name():  # what there is most of comes first
            return _name(node, scope, as_word)
        case n.Number(value) | n.Truth(value) | n.Text(value):
            return value
        case n.Arithmetic(sign, left, right):
            return calculate(sign, evaluate(left, scope), evaluate(right, scope))
        case n.Attribute(owner, name):
            return _attribute(owner, name, scope)
        case n.Random(part):
            if part is None:
                return draw_from(domain, scope)
            from tests.reference.choosing import draw_value

            return draw_value(part, scope)
        case n.Pattern() | n.Other() | n.Superlative() | n.There():
            return resolve(node, scope)
        case n.TotalReward():
            return scope.here.totals.get(0 if scope.me is None else getattr(scope.me, "index", 0), 0.0)
        case n.Negate(value):
            worth = evaluate(value, scope)
            return -worth if isinstance(worth, Fraction) else -plain(worth)
        case n.IfElse() | n.Call("nth"):
            return _one_of(node, scope, domain, as_word)
        case n.Position(x, y):
            return _position(evaluate(x, scope), evaluate(y, scope), scope)
        case n.RandomCell():
            from tests.reference.places import random_cell

            return random_cell(node, scope)
        case n.Call(name):
            return FUNCTIONS[name](node, scope)
        case n.Tally() | n.Best():
            from tests.reference.ranging import tally

            return tally(node, scope)
        case n.Given(names, value):
            return evaluate(value, scope.inner(**all_meant_by(names, scope)), domain, as_word)
    from tests.reference.conditions import holds

    return holds(node, scope.inner())


def meant_by(node: n.Expression, scope: Scope) -> Any:
    """Return what a name is given to by ``let``: the thing that an expression names, or its value now."""
    from tests.reference.conditions import names_being

    return resolve(node, scope) if names_being(node, scope) else plain(evaluate(node, scope))


OFF_GRID = "off the grid: "  # before a name: whether it was given to a pair that is no cell


def all_meant_by(names: Any, scope: Scope) -> dict[str, Any]:
    """Return what names are given to, each with whether it is a pair off the grid, where nothing is."""
    given = {name: meant_by(node, scope) for name, node in names}
    return {**given, **{f"{OFF_GRID}{name}": is_off_grid(node, scope) for name, node in names}}


def is_off_grid(node: n.Expression, scope: Scope) -> bool:
    """Whether a pair, or a name for one, is no cell of the grid."""
    if isinstance(node, n.Name):
        return bool(scope.names.get(f"{OFF_GRID}{node.name}", False))
    is_inside = scope.here.is_inside
    return isinstance(node, n.Position) and not is_inside(number(node.x, scope), number(node.y, scope))


def number(node: n.Expression, scope: Scope) -> Any:
    """Return an expression as the number that the game counts with."""
    return plain(evaluate(node, scope))


def _one_of(node: n.IfElse | n.Call, scope: Scope, domain: Domain | None, as_word: bool) -> Any:
    """``A if C else B``, and ``nth(i, A, B, ...)``: the first where i is below 0, the last where it is beyond."""
    from tests.reference.conditions import holds

    if isinstance(node, n.Call):
        by, *values = node.arguments
        taken = values[max(0, min(math.floor(number(by, scope)), len(values) - 1))]
    else:
        by, taken = node.test, node.then if holds(node.test, scope.inner()) else node.otherwise
    worth = evaluate(taken, scope, domain, as_word)
    return worth if is_constant(by, scope) else plain(worth)


def is_constant(node: n.Expression, scope: Scope) -> bool:
    """Whether a condition is decided by constants: by numbers, parameters, and the size of the grid."""
    from griddsl.syntax.nodes import walk

    known = {} if scope.world is None else scope.world.game.names
    return all(
        isinstance(part, PURE)
        or (isinstance(part, n.Name) and _is_constant_name(part, scope, known))
        or (isinstance(part, n.Call) and part.name in {"min", "max", "abs", "exp", "sqrt", "nth"})
        for part in walk(node)
    )


PURE = n.Number | n.Truth | n.Arithmetic | n.Compare | n.Is | n.Logic | n.Not | n.Negate | n.IfElse


def _is_constant_name(node: n.Name, scope: Scope, known: dict[str, Any]) -> bool:
    if scope.world is None:
        return True
    return scope.find(node.name) is NOTHING and (
        node.name in known or not (node.name in scope.world.variables or node.name == "step")
    )


def _name(node: n.Name, scope: Scope, as_word: bool = False) -> Any:
    name, found = node.name, scope.find(node.name)
    if found is not NOTHING:
        return name if as_word and is_being(found) else found
    if scope.world is None:
        return scope.names.get(name, name)
    world = scope.world
    if name in world.variables:
        return world.variables[name]
    if name in world.game.params:
        return world.game.params[name]
    if as_word:
        return name
    if name == "step":
        return world.step
    if name in world.game.names:
        return world.game.names[name]
    if name == "start":
        whose = None if scope.me is None and len(world.agents) > 1 else _with_a_start(scope)
        is_gone = isinstance(whose, Thing) and whose not in world.objects
        return None if is_gone else getattr(whose, "start", None)
    is_thing = name in {"self", "other"} and name not in world.game.kinds
    return resolve(node, scope) if is_thing else name


def _with_a_start(scope: Scope) -> Any:
    """Return whose start is meant: the subject's, or the agent's where that is ground or there is none."""
    return scope.agent if scope.me is None or not hasattr(scope.me, "start") else scope.me


def draw_from(domain: Domain | None, scope: Scope) -> Any:
    """Draw a value of a domain, all with equal chances."""
    assert domain is not None
    if domain.is_truth:
        return scope.here.stream.below(2) == 1
    if domain.words:
        return domain.words[scope.here.stream.below(len(domain.words))]
    return domain.low + scope.here.stream.below(domain.high - domain.low + 1)


DIRECTIONS = Domain(words=QUARTERS)


def _position(x: Any, y: Any, scope: Scope) -> Any:
    """Return the cell of a place; what lies outside of the grid is moved to its border."""
    game = scope.here.game
    return scope.here.cell(min(max(plain(x), 0), game.width - 1), min(max(plain(y), 0), game.height - 1))


# Places


def cell_of(value: Any, scope: Scope) -> Any:
    """Return the cell of a cell or a being; None for what is on no cell. Others do not see an agent that is out."""
    if not is_being(value):
        return value
    if getattr(value, "is_out", False) and value is not scope.me:
        return None
    return value.cell


def place_of(node: n.Destination, scope: Scope) -> Any:
    """Return the cell that an expression speaks of: a cell, or a thing's; None where it is on no cell."""
    if isinstance(node, n.Name):
        worth = _name(node, scope)
        if not isinstance(worth, str):
            return cell_of(worth, scope)
    if isinstance(node, n.Name | n.Pattern | n.Other):
        return cell_of(resolve(node, scope), scope)
    return cell_of(evaluate(node, scope), scope)


# Attributes


def _attribute(owner: n.Expression, name: str, scope: Scope) -> Any:
    if isinstance(owner, n.Position) and name in {"x", "y"}:
        return evaluate(owner.x if name == "x" else owner.y, scope)
    if isinstance(owner, n.Name | n.Superlative) and name in {"x", "y"}:
        worth = evaluate(owner, scope)
        if worth is not None and not isinstance(worth, str) and not is_being(worth):
            return getattr(worth, name)
    being = resolve(owner, scope)
    if being is None:
        return _of_nothing(owner, name, scope)
    if name not in {"x", "y", "cell"} and not is_still(owner, being, scope):
        return domain_of_attribute(kind_when_named(owner, being, scope), name, scope).first
    return attribute_of(being, name, scope)


def attribute_of(being: Any, name: str, scope: Scope) -> Any:
    """Return an attribute of a being: where it is, the way it faces, or a declared one."""
    cell = cell_of(being, scope)
    if name in {"x", "y"}:
        return -1 if cell is None else getattr(cell, name)
    if name == "cell":
        return cell
    if asks_turn(being.kind, name, scope):
        return being.index == scope.here.turn
    if asks_away(being.kind, name, scope):
        return being.away
    if being.kind.category == "agent" and name in {"facing", "action"}:
        return COMPASS[being.facing] if name == "facing" else being.action
    return being.attributes[name]


def _of_nothing(owner: n.Expression, name: str, scope: Scope) -> Any:
    """What is not there is at (-1, -1), and an attribute of it has the first value of its domain."""
    if name in {"x", "y", "cell"}:
        return None if name == "cell" else -1
    return first_of_attribute(kind_when_named(owner, None, scope), name, scope)


# Functions


def _extreme(node: n.Call, scope: Scope) -> Any:
    values = [evaluate(argument, scope) for argument in node.arguments]
    if not all(map(is_exact, values)):
        values = [plain(value) for value in values]
    return min(values) if node.name == "min" else max(values)


def _one_number(node: n.Call, scope: Scope) -> Any:
    worth = evaluate(node.arguments[0], scope)
    if node.name == "abs":
        return abs(worth)
    return power_of_e(float(plain(worth))) if node.name == "exp" else math.sqrt(plain(worth))


def _count(node: n.Call, scope: Scope) -> Any:
    """``count(K where C)`` and ``sum(E for K where C)``: over what is on the map, each bound to its kind's name."""
    from tests.reference.conditions import holds
    from tests.reference.ranging import at_cell

    counts = node.name == "count"
    asked = node.arguments[0] if counts else node.each
    kinds, word, kind = (
        kinds_meant(asked, outside(asked, scope)),
        word_bound(asked, scope),
        kind_named(asked, scope),
    )
    if kinds is not None and word is None:
        of_each = [replace(node, arguments=(k,)) if counts else replace(node, each=k) for k in kinds]
        return sum(_count(each, scope) for each in of_each)
    of_cells = kinds is None and kind is None
    if of_cells:
        found = [at_cell(cell, scope) for cell in scope.here.cells]
    else:
        found = list(of_each_kind(word or named(asked).name, kinds or [named(asked)], scope))
    known = [inner for inner in found if node.where is None or holds(node.where, inner, of_cells)]
    return sum(1 if counts else number(node.arguments[0], inner) for inner in known)


def _inside(node: n.Call, scope: Scope) -> bool:
    """``inside(x, y)``: whether a column and a row are those of a cell."""
    column, row = (number(argument, scope) for argument in node.arguments)
    return bool(0 <= column < scope.here.game.width and 0 <= row < scope.here.game.height)


def _distance(node: n.Call, scope: Scope) -> Any:
    first, second = (place_of(argument, scope) for argument in node.arguments)
    return distance(first, second, node.name)


def distance(first: Any, second: Any, metric: str) -> Any:
    """Return the distance of two cells; what is on no cell counts as at (-1, -1)."""
    (x, y), (u, v) = ((-1, -1) if cell is None else cell.place for cell in (first, second))
    across, down = abs(x - u), abs(y - v)
    match metric:
        case "distance":
            return across + down
        case "chebyshev":
            return max(across, down)
    return math.sqrt(across * across + down * down)


def _path_distance(node: n.Call, scope: Scope) -> int:
    from tests.reference.places import path_length

    first, second = (place_of(argument, scope) for argument in node.arguments)
    far: int = scope.here.game.width * scope.here.game.height
    if first is None or second is None:
        return far
    return path_length(second, node.avoiding, scope)(first)


def _previous(node: n.Call, scope: Scope) -> Any:
    """``prev(E)``: its value in the world before this step, of what names meant there; at the reset, its value then."""
    if (here := scope.here).before is None:
        return evaluate(node.arguments[0], Scope(here, scope.names, scope.me))
    was = {None: None, **here.was}
    me = here.before.agents[scope.me.index] if isinstance(scope.me, Agent) else was.get(scope.me)
    names = {name: was[meant] for name, meant in scope.names.items() if meant in was}
    if "here" in names:
        names |= {name: scope.names[name] for name in ("x", "y") if name in scope.names}
    return evaluate(node.arguments[0], Scope(here.before, names, me, kinds=scope.kinds))


def _lowest(node: n.Call, scope: Scope) -> Any:
    """``lowest(E)``: the lowest of what it was at the reset and after each step, and of what it is now."""
    me = scope.me
    index = me.index if isinstance(me, Agent) else None
    kept = scope.here.lowest[node.arguments[0], index]
    return min(kept, number(node.arguments[0], scope))


def _noise(node: n.Call, scope: Scope) -> float:
    """``noise(x, y, scale, seed)``."""
    return noise(*(number(argument, scope) for argument in node.arguments))


FUNCTIONS: dict[str, Callable[[n.Call, Scope], Any]] = {
    **dict.fromkeys(("min", "max"), _extreme),
    **dict.fromkeys(("abs", "exp", "sqrt"), _one_number),
    "count": _count,
    "sum": _count,
    "inside": _inside,
    **dict.fromkeys(("dx", "dy"), step_of),
    **dict.fromkeys(QUARTERS_TO, side_of),
    "noise": _noise,
    "distance": _distance,
    "chebyshev": _distance,
    "euclid": _distance,
    "path_distance": _path_distance,
    "prev": _previous,
    "lowest": _lowest,
}


def chance_of(node: n.Expression, scope: Scope) -> Any:
    """Return a chance: a fraction where it is constant, which is drawn exactly, else a number."""
    worth = evaluate(node, scope)
    if isinstance(worth, float) and is_constant(node, scope):
        return Fraction(worth).limit_denominator(10**9)
    return worth


def compared(node: n.Compare, scope: Scope) -> bool:
    """Return whether a comparison of numbers holds."""
    return compare(node.operator, evaluate(node.left, scope), evaluate(node.right, scope))
