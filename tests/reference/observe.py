"""Observations: what an agent sees, item by item (section 12 of the reference)."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import numpy as np

from griddsl.spec.models import Observe
from griddsl.syntax import nodes as n
from griddsl.syntax.meanings import read_call
from griddsl.syntax.nodes import walk
from tests.reference.actions import mask
from tests.reference.compass import COMPASS
from tests.reference.conditions import holds
from tests.reference.expressions import cell_of, chance_of, evaluate, number
from tests.reference.game import Game
from tests.reference.kinds import Kind
from tests.reference.named import named, there
from tests.reference.numbers import plain
from tests.reference.picture import pixels
from tests.reference.rays import rays
from tests.reference.scope import NOTHING, Scope, resolve
from tests.reference.sight import see
from tests.reference.text import board
from tests.reference.types import Type, type_of
from tests.reference.world import Agent, World

WORDS = {"cell", "facing", "carrying", "text", "mission", "mask"}
TOKENS = 512


def observe(world: World, agent: Agent, whole: Any = int) -> Any:
    """Return what an agent observes; ``whole`` is the type of a number in a ``Discrete``."""
    statement = _statement(world, agent)
    seen = [item for item in statement.items if isinstance(item, n.SeenAs)]
    items = [item for item in statement.items if isinstance(item, n.ObserveItem)]
    scope = Scope(world, {}, agent)
    values = [_entry(item, seen, scope, whole) for item in items]
    seen_whole: Any
    if statement.name == "flat":
        parts = [np.asarray(value, dtype=np.float32).reshape(-1) for value in values]
        seen_whole = np.concatenate(parts)
    elif statement.name == "tuple":
        seen_whole = tuple(values)
    elif len(items) == 1 and items[0].name is None:
        seen_whole = values[0]
    else:
        seen_whole = {item.name: value for item, value in zip(items, values, strict=True)}
    if not world.game.goal:
        return seen_whole
    goal = {item.name: _entry(item, [], scope, whole) for item in world.game.goal}
    return {
        "observation": seen_whole,
        "achieved_goal": goal["achieved"],
        "desired_goal": goal["desired"],
    }


def _statement(world: World, agent: Agent) -> Observe:
    statements = {each.name: each for each in world.game.spec.observe}
    own = statements.get(agent.kind.name) if world.game.several else None
    return own or next(statements[name] for name in (None, "flat", "tuple") if name in statements)


def _entry(item: n.ObserveItem, seen: list[n.SeenAs], scope: Scope, whole: Any) -> Any:
    """Return the value of an item; with noise, one draw decides which of two is seen."""
    value = None
    if item.noise is not None:
        first, other = item, item.noise
        if not scope.here.stream.happens(chance_of(there(item.chance), scope)):
            item, other = other, item
        value = _told_beside(item, other, scope)
        if value is None and item is not first:
            value = _of_both(_value(item, seen, scope), first, item, scope)
    value = _value(item, seen, scope) if value is None else value
    return whole(value) if isinstance(value, int) else value


def _of_both(value: Any, item: n.ObserveItem, other: n.ObserveItem, scope: Scope) -> Any:
    """Return a word of the other item, counted in the domain of both: that of the first, then what else the second has."""
    words = _words_of(there(item.value), scope) if item.what == "value" and item.form is None else ()
    others = _words_of(there(other.value), scope) if words and other.what == "value" else ()
    alone = there(item.value) == n.Name("".join(words[:1]), item.span)  # it is told as one of the other's
    return [*dict.fromkeys((*words, *others))].index(others[value]) if others and not alone else value


def _words_of(node: n.Expression, scope: Scope) -> tuple[str, ...]:
    if isinstance(node, n.Name) and _is_word(node, scope):
        return tuple(COMPASS) if node.name == "facing" else ()
    return type_of(node, scope).words


def _told_beside(item: n.ObserveItem, other: n.ObserveItem, scope: Scope) -> int | None:
    """Return a word or a whole number by itself as the other item counts; None for any item that is none."""
    if (item.what, other.what) != ("value", "value") or item.form is not None:
        return None
    node, beside = there(item.value), there(other.value)
    is_facing = isinstance(beside, n.Name) and _is_word(beside, scope) and beside.name == "facing"
    type = Type("words", tuple(COMPASS)) if is_facing else type_of(beside, scope)
    mine = type_of(node, scope)
    if isinstance(node, n.Name) and mine == Type("words", (node.name,)) and node.name in type.words:
        return type.words.index(node.name)
    is_fixed = mine.form == "number" and mine.low == mine.high and not mine.is_real
    if not is_fixed or is_facing or not _is_counted(beside, type, scope):
        return None
    return int(number(node, scope))


def _value(item: n.ObserveItem, seen: list[n.SeenAs], scope: Scope) -> Any:
    match item.what:
        case "grid" | "view":
            return see(item, seen, scope)
        case "rays":
            assert item.rays is not None
            return rays(item.rays, scope)
        case "pixels":
            return pixels(scope.here, 8 if item.value is None else int(number(item.value, scope)))
        case "position":
            return _position(item, scope)
    node, form = there(item.value), item.form.name if item.form else None
    if isinstance(node, n.Name) and _is_word(node, scope):
        if form == "tokens":
            encoded = mission(scope.here).encode()[:TOKENS]
            return np.frombuffer(encoded.ljust(TOKENS, b"\0"), dtype=np.uint8).copy()
        return _shown(_word(node.name, scope), _size(node, scope), 0, form)
    if isinstance(node, n.Call) and node.name == "flags":
        return np.array([int(holds(each, scope.inner(), True)) for each in node.arguments], dtype=np.int8)
    if isinstance(node, n.Call) and node.name == "index":
        code, size = _index(node, scope)
        return _shown(code, size, 0, form)
    return _scalar(node, scope, form)


def _is_word(node: n.Name, scope: Scope) -> bool:
    """Whether a name is a word of observations: none that the spec itself gives to something."""
    if node.name not in WORDS or scope.find(node.name) is not NOTHING:
        return False
    return node.name not in scope.here.variables and node.name not in scope.here.game.params


def _shown(value: Any, size: int, start: int, form: str | None) -> Any:
    """Return a counted value, or ``as onehot``."""
    if form != "onehot":
        return value
    row = np.zeros(size, dtype=np.float32)
    row[value - start] = 1
    return row


# Words that stand for something of the agent


def _word(name: str, scope: Scope) -> Any:
    world, agent = scope.here, scope.agent
    match name:
        case "cell":
            return agent.cell.number if agent.cell is not None else -1
        case "facing":
            return agent.facing
        case "carrying":
            return _carrying(world, agent)
        case "text":
            return board(world)
        case "mission":
            return mission(world)
    return np.array(mask(world, agent), dtype=np.int8)


def _carrying(world: World, agent: Agent) -> int:
    """0 for nothing, else 1 + the place of the kind among those that an agent can come to carry: of its first thing."""
    kinds = _carried_kinds(world.game)
    held = next((each for each in agent.held if each is not None), None)
    return 0 if held is None or held.kind not in kinds else 1 + kinds.index(held.kind)


def _carried_kinds(game: Game) -> list[Kind]:
    """Return the portable kinds, those that a rule lets an agent pick up, and those that are put into its hands."""
    spec, given = game.spec, set()
    for node in walk((spec.legend, spec.preparing, [(rule.condition, rule.effects) for rule in spec.rules])):
        if isinstance(node, n.Handle) and node.verb == "pickup":
            given.add(getattr(node.kind, "name", None))
        if isinstance(node, n.Pattern) and _is_agent(node, game):
            given.add(getattr(dict(node.arguments).get("carries"), "name", None))
        if isinstance(node, n.Place) and node.area is not None and _is_agent(node.area.value, game):
            given.add(getattr(node.kind, "name", None))
    objects = [kind for kind in game.kinds.values() if kind.category == "object"]
    found = {kind.name for kind in objects if kind.portable or kind.name in _kinds_of_names(given, game)}
    while more := _kinds_after(found, game) - found:
        found |= more
    return [kind for kind in objects if kind.name in found]


def _kinds_of_names(names: set[Any], game: Game) -> set[str]:
    """Return the kinds that names can mean: their own, those placed `as` one, those chosen, and a value's words."""
    found, left = set[str](), {name for name in names if name is not None}
    everything = list(walk((game.spec.preparing, [rule.effects for rule in game.spec.rules])))
    values = {value.name: value.domain for value in (*game.spec.variables, *game.spec.params)}
    for _ in range(len(everything) + 1):
        found |= left & set(game.kinds)
        left -= found
        words = {word for name in left & set(values) for word in _names_in(values[name])}
        left = words | {
            name
            for node in everything
            for name in (
                [getattr(node.kind, "name", None)]
                if isinstance(node, n.Place) and node.alias in left
                else [part.name for part in walk(node.domain) if isinstance(part, n.Name)]
                if isinstance(node, n.Choose) and left & set(node.names)
                else _names_in(node.value)
                if isinstance(node, n.Let) and node.name in left
                else []
            )
            if name is not None
        }
        if not left:
            break
    return found


def _names_in(node: Any) -> set[str]:
    return {part.name for part in walk(node) if isinstance(part, n.Name | n.Pattern)}


def _kinds_after(held: set[str], game: Game) -> set[str]:
    """Return what things of these kinds become, and what they hold: that takes the place of a holder that goes.

    A name that is no kind's can mean any of them; one that is a kind's also a thing that has become another.
    """
    spec, found = game.spec, set[str]()
    if not held:
        return found
    becoming: dict[str, set[str]] = {}
    for node in walk((spec.legend, spec.preparing, [(rule.condition, rule.effects) for rule in spec.rules])):
        if isinstance(node, n.Becomes) and isinstance(node.target, n.Name | n.Pattern | n.Other):
            target = named(node.target.kind if isinstance(node.target, n.Other) else node.target)
            kinds = _kinds_of_names(_names_in(node.value), game)
            becoming[target.name] = becoming.get(target.name, set()) | kinds
        if isinstance(node, n.Pattern) and node.name in held and "carries" in dict(node.arguments):
            found |= _kinds_of_names(_names_in(dict(node.arguments)["carries"]), game)
        if isinstance(node, n.Place) and node.area is not None and node.area.form == "region":
            holder = getattr(node.area.value, "name", None)
            if holder in held or holder not in game.kinds:
                found |= _kinds_of_names({getattr(node.kind, "name", None)}, game)
    for name, kinds in becoming.items():
        if name not in game.kinds or held & ({name} | kinds):
            found |= kinds
    return found & {kind.name for kind in game.kinds.values() if kind.category == "object"}


def _is_agent(node: Any, game: Game) -> bool:
    kind = game.kinds.get(getattr(node, "name", ""))
    return kind is not None and kind.category == "agent"


def _size(node: n.Name, scope: Scope) -> int:
    game = scope.here.game
    match node.name:
        case "cell":
            return game.width * game.height
        case "facing":
            return 8 if game.has_diagonals else 4
        case "carrying":
            return 1 + len(_carried_kinds(game))
    return 0


def mission(world: World) -> str:
    """Return the task in words, its names replaced by their values."""
    return _filled(world.game.spec.mission or "", world)


def _filled(text: str, world: World) -> str:
    """Return a text with what the names in its braces are now."""
    return re.sub(r"\{([^{}]*)\}", lambda match: _said(match[1], world), text)


def _said(name: str, world: World) -> str:
    is_told = re.fullmatch(r"told_(\d+)__", name)
    if is_told is None and "." not in name:
        return _filled(_in_words(name, world), world)  # a text that was chosen may have names
    scope = Scope(world, {}, None if world.game.several else world.agents[0])
    node = read_call(name) if is_told is None else world.game.spec.tellings[int(is_told[1]) - 1]
    assert node is not None, "a mission's braces were read when it was"
    while isinstance(node, n.IfElse):
        node = node.then if holds(node.test, scope) else node.otherwise
    if isinstance(node, n.Text):
        return _filled(node.value, world)
    if isinstance(node, n.Attribute) and node.name == "kind" and not _has_a_kind(node.owner, scope):
        return _kind_told(node, scope)
    value = plain(evaluate(node, scope, as_word=True))
    return str(value).lower() if isinstance(value, bool) else str(getattr(value, "number", value))


def _kind_told(node: n.Attribute, scope: Scope) -> str:
    """Return the kind that a named thing is of now; a kind that stands by itself is that one."""
    objects = [kind.name for kind in scope.here.game.kinds.values() if kind.category == "object"]
    if named(node.owner).name in objects:
        return named(node.owner).name
    are = (
        name for name in objects if holds(n.Is(node.owner, n.Name(name, node.span), False, node.span), scope)
    )
    return next(are, "nothing")


def _has_a_kind(owner: n.Expression, scope: Scope) -> bool:
    """Whether what is named declares an attribute that is called `kind`: that comes first."""
    kind = scope.here.game.kinds.get(named(owner).name)
    if kind is None:
        kind = getattr(scope.find(named(owner).name), "kind", None)
    return kind is not None and "kind" in kind.attributes


def _in_words(name: str, world: World) -> str:
    value = {**world.game.params, **world.variables, **world.chosen}.get(name, name)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Fraction) and 10**12 % value.denominator == 0:
        return f"{float(value):.15g}"  # a fraction is said as the decimal that it is
    return str(value.number) if hasattr(value, "number") else str(value)


# Values


def _is_counted(node: n.Expression, type: Type, scope: Scope) -> bool:
    """Whether a value is `Discrete`: a word, a condition, a cell, or a number of a variable, attribute or choice."""
    if type.form != "number":
        return True
    if isinstance(node, n.Attribute):
        return node.name not in {"x", "y"} and not type.is_real
    world = scope.here
    return isinstance(node, n.Name) and (node.name in world.variables or node.name in world.chosen)


def coded(node: n.Expression, type: Type, scope: Scope) -> int:
    """Return the number that stands for a value."""
    worth = plain(evaluate(node, scope, as_word=type.form == "words"))
    if type.form == "cell":
        cell = cell_of(worth, scope)
        return -1 if cell is None else int(cell.number)
    return type.code(worth)


def _scalar(node: n.Expression, scope: Scope, form: str | None) -> Any:
    type = type_of(node, scope)
    if not _is_counted(node, type, scope):
        return np.array([number(node, scope)], dtype=np.float32)
    size = scope.here.game.width * scope.here.game.height if type.form == "cell" else 0
    return _shown(coded(node, type, scope), size or _count(node, type, scope), type.start, form)


def _count(node: n.Expression, type: Type, scope: Scope) -> int:
    """Return how many values a type has; a facing those that an agent of the game can face."""
    if isinstance(node, n.Attribute) and type == Type("words", COMPASS):
        return 8 if scope.here.game.has_diagonals else 4
    return type.size


def _index(node: n.Call, scope: Scope) -> tuple[int, int]:
    """Return the parts as one number, the last counting fastest, and how many there are."""
    total, size = 0, 1
    for part in node.arguments:
        if isinstance(part, n.Name) and _is_word(part, scope):
            digit, count = _word(part.name, scope), _size(part, scope)
        else:
            type = type_of(part, scope)
            cells = scope.here.game.width * scope.here.game.height
            count = cells if type.form == "cell" else _count(part, type, scope)
            digit = coded(part, type, scope) - type.start
        total, size = total * count + digit, size * count
    return total, size


# Positions


def _position(item: n.ObserveItem, scope: Scope) -> Any:
    game = scope.here.game
    cell = cell_of(resolve(there(item.value), scope), scope)
    x, y = (-1, -1) if cell is None else cell.place
    match item.form.name if item.form else "xy":
        case "xy":
            return np.array([x, y], dtype=np.int64)
        case "multidiscrete":
            return np.array([game.width, game.height] if cell is None else [x, y], dtype=np.int64)
        case "cell":
            return game.width * game.height if cell is None else cell.number
        case "onehot":
            row = np.zeros(game.width * game.height, dtype=np.float32)
            if cell is not None:
                row[cell.number] = 1
            return row
    shares = [-1, -1] if cell is None else [x / max(1, game.width - 1), y / max(1, game.height - 1)]
    return np.array(shares, dtype=np.float32)
