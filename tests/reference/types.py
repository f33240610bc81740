"""Types: what an expression can be worth, which says how an observation or an info shows it (sections 10 and 12)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any

from griddsl.spec.models import Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from tests.reference.compass import COMPASS, QUARTERS
from tests.reference.conditions import names_being
from tests.reference.expressions import evaluate, is_constant
from tests.reference.kinds import Domain
from tests.reference.named import named
from tests.reference.numbers import plain
from tests.reference.ranging import held_kinds
from tests.reference.scope import (
    NOTHING,
    Scope,
    asks_away,
    asks_turn,
    domain_of_attribute,
    is_being,
    kind_drawn,
    kind_named,
    kind_when_named,
)
from tests.reference.world import Thing, World

FAR = float("inf")


@dataclass(frozen=True)
class Type:
    """``form`` is truth, words, cell, text or number; a number has a range, and is real or whole."""

    form: str
    words: tuple[str, ...] = ()
    low: Any = -FAR
    high: Any = FAR
    is_real: bool = False

    @property
    def size(self) -> int:
        """How many values there are."""
        if self.form == "truth":
            return 2
        if self.form == "words":
            return len(self.words)
        return int(self.high) + 1 if self.low >= 0 else int(self.high - self.low) + 1

    @property
    def first(self) -> Any:
        """The first value: false, the first word or text, the number nearest to 0; None for a cell."""
        if self.form == "cell":
            return None
        if self.form in {"words", "text"}:
            return self.words[0]
        return False if self.form == "truth" else min(max(self.low, 0), self.high)

    @property
    def start(self) -> int:
        """The first number: that of a range below 0, else 0."""
        return int(self.low) if self.form == "number" and self.low < 0 else 0

    def code(self, value: Any) -> int:
        """Return the number of a value."""
        return self.words.index(value) if self.form == "words" else int(value)


TRUTH = Type("truth")


def of_domain(domain: Domain) -> Type:
    """Return the type of the values of a domain."""
    if domain.is_truth:
        return TRUTH
    return Type("words", domain.words) if domain.words else Type("number", (), domain.low, domain.high)


def type_of(node: n.Destination, scope: Scope) -> Type:
    """Return the type of an expression; a number that constants alone decide has that of its value."""
    if isinstance(node, n.Negate | n.Arithmetic | n.IfElse | n.Call) and is_constant(node, scope):
        worth = plain(evaluate(node, scope, as_word=True))
        if isinstance(worth, int | float) and not isinstance(worth, bool):
            return Type("number", (), worth, worth, isinstance(worth, float))
    match node:
        case n.Name():
            return _of_name(node, scope)
        case n.Attribute():
            return _of_attribute(node, scope)
        case n.IfElse(_, then, otherwise):
            return _joined(type_of(then, scope), type_of(otherwise, scope))
        case n.Number(value):
            return Type("number", (), plain(value), plain(value), value.denominator != 1)
        case n.Negate(value):
            inner = type_of(value, scope)
            return Type("number", (), -inner.high, -inner.low, inner.is_real)
        case n.Arithmetic(sign, left, right):
            return _of_arithmetic(sign, type_of(left, scope), type_of(right, scope))
        case n.Call():
            return _of_call(node, scope)
        case n.Best(of):
            values = () if of.value is None else (of.value,)
            return _of_call(n.Call("sum", values, of.over, of.where, None, of.span), scope)
        case n.Tally(_, value, n.Ranging() as over):
            if value is None:
                return Type("number", (), 0)
            if held_kinds(over, scope):  # as of those that lie on the map
                kind = n.Name(over.name, over.span)
                return _of_call(n.Call("sum", (value,), kind, None, None, node.span), scope)
            if not isinstance(over.domain, n.RangeDomain):
                return Type(
                    "number", is_real=type_of(value, scope.inner(**{over.name: Type("cell")})).is_real
                )
            number_ = Type(
                "number", (), type_of(over.domain.low, scope).low, type_of(over.domain.high, scope).high
            )
            return Type("number", is_real=type_of(value, scope.inner(**{over.name: number_})).is_real)
        case n.Given(names, value):
            return type_of(value, scope.inner(**{name: type_of(each, scope) for name, each in names}))
        case n.TotalReward():
            return Type("number", is_real=True)
        case (
            n.Position()
            | n.Pattern()
            | n.Other()
            | n.RandomCell()
            | n.Superlative()
            | n.There()
            | n.Rectangle()
        ):
            return Type("cell")
    return TRUTH


def type_in(rule: Rule, node: n.Expression, world: World) -> Type:
    """Return the type of an expression in the effects of a rule, where its names mean something."""
    kinds = world.game.kinds
    subject = rule.trigger.subject or (rule.trigger.object if rule.trigger.event == "each" else None)
    kind = kinds.get(getattr(subject, "name", ""))
    me = None if kind is None else Thing(kind)
    scope = Scope(world, {"self": me} if me is not None else {}, me)
    if rule.trigger.event == "do":
        for item in walk([group.items for group in world.game.spec.actions]):
            if isinstance(item, n.Taken):
                scope.names[item.over.name] = of_choice(item.over.domain, scope)
    for effect in walk(rule.effects):
        if isinstance(effect, n.Choose) and (drawn := kind_drawn(effect.domain, scope)) is not None:
            scope.names |= {name: Thing(drawn) for name in effect.names}
        elif isinstance(effect, n.Choose):
            scope.names |= dict.fromkeys(effect.names, of_choice(effect.domain, scope))
        elif isinstance(effect, n.Let):
            if names_being(effect.value, scope):
                called = scope.find(getattr(effect.value, "name", ""))
                being = called if is_being(called) else None
                scope.kinds[effect.name] = kind_when_named(effect.value, being, scope)
            scope.names[effect.name] = type_of(effect.value, scope)
        elif isinstance(effect, n.Each) and isinstance(effect.over, n.Ranging):
            scope.names[effect.over.name] = of_choice(effect.over.domain, scope)
        elif (
            isinstance(effect, n.Each) and "cell" not in kinds and getattr(effect.over, "name", "") == "cell"
        ):
            whole = Type("number", (), 0)
            scope.names |= {"here": Type("cell"), "x": whole, "y": whole}
        elif isinstance(effect, n.Place) and effect.alias is not None:
            scope.names[effect.alias] = Thing(kinds[named(effect.kind).name])
    return type_of(node, scope)


def _joined(first: Type, second: Type) -> Type:
    words = tuple(dict.fromkeys((*first.words, *second.words)))
    low, high = min(first.low, second.low), max(first.high, second.high)
    return Type(first.form, words, low, high, first.is_real or second.is_real)


def _of_name(node: n.Name, scope: Scope) -> Type:
    game, name = scope.here.game, node.name
    chosen = _chosen_types(name, scope)
    found = scope.names.get(name, NOTHING)
    if isinstance(found, Type):
        return found
    if is_being(found) or hasattr(found, "ground"):
        return Type("cell")
    if isinstance(found, int | float) and not isinstance(found, bool):
        return Type("number", is_real=isinstance(found, float))
    if chosen is not None:
        return chosen
    if name in game.variables:
        return of_domain(game.variables[name][0])
    if name == "step":
        return Type("number", (), 0)
    if name in game.names:
        value = game.names[name]
        if isinstance(value, bool):
            return TRUTH
        if isinstance(value, str):
            return _of_param(name, scope)
        return Type("number", (), plain(value), plain(value), value.denominator != 1)
    if name in {"start", "self", "other"} or kind_named(node, scope) is not None:
        return Type("cell") if kind_named(node, scope) is None else Type("words", (name,))
    return Type("words", (name,))


def _of_param(name: str, scope: Scope) -> Type:
    return Type("words", (scope.here.game.params[name],))


def _chosen_types(name: str, scope: Scope) -> Type | None:
    """Return the type of a name that setup chooses."""
    found: Type | None = None
    for node in walk(scope.here.game.spec.preparing):
        if isinstance(node, n.Choose) and name in node.names:
            new = of_choice(node.domain, scope)
            found = new if found is None else _joined(found, new)
        elif isinstance(node, n.Place) and node.alias == name:
            found = Type("cell")
    return found


def of_choice(domain: n.Domain | n.RandomCell, scope: Scope) -> Type:
    """Return the type of what is chosen."""
    if isinstance(domain, n.RandomCell) or kind_drawn(domain, scope) is not None:
        return Type("cell")
    if isinstance(domain, n.RangeDomain):
        low, high = type_of(domain.low, scope), type_of(domain.high, scope)
        return Type("number", (), low.low, high.high)
    texts = [value.value for value in domain.values if isinstance(value, n.Text)]
    if len(texts) == len(domain.values):
        return Type("text", tuple(texts))
    from tests.reference.choosing import spelled_out

    types = [type_of(value, scope) for value in spelled_out(domain, scope)]
    if all(each.form == "words" for each in types):
        return Type("words", tuple(word for each in types for word in each.words))
    joined = types[0]
    for each in types[1:]:
        joined = _joined(joined, each)
    return joined


def _of_attribute(node: n.Attribute, scope: Scope) -> Type:
    from tests.reference.ranging import things_meant

    game = scope.here.game
    if node.name in {"x", "y"}:
        if isinstance(node.owner, n.Position):
            return type_of(node.owner.x if node.name == "x" else node.owner.y, scope)
        size = game.width if node.name == "x" else game.height
        return Type("number", (), 0, size - 1)
    if node.name == "cell":
        return Type("cell")
    owner = node.owner.kind if isinstance(node.owner, n.Other) else node.owner
    owner = owner.over if isinstance(owner, n.Superlative | n.There) else owner
    being = scope.find(owner.name) if isinstance(owner, n.Name) else NOTHING
    kind = being.kind if is_being(being) else kind_named(owner, scope)
    if kind is None and isinstance(node.owner, n.Superlative | n.There):
        kind = next(game.kinds[name] for name in things_meant(owner, scope) or ())
    if isinstance(owner, n.Name) and owner.name in scope.kinds:
        kind = scope.kinds[owner.name]
    elif being is None:
        kind = kind_when_named(owner, None, scope)
    if kind is None:
        kind = scope.me.kind if is_being(scope.me) else scope.agent.kind
    if kind.category == "agent" and node.name == "facing":
        return Type("words", COMPASS)
    if asks_turn(kind, node.name, scope):
        return Type("truth")
    if asks_away(kind, node.name, scope):
        return Type("number", low=0, high=game.longest_away)
    if kind.category == "agent" and node.name == "action":
        names = [action.name for group in game.groups for action in group.actions]
        return Type("words", tuple(dict.fromkeys(names)))
    return of_domain(domain_of_attribute(kind, node.name, scope))


def _of_arithmetic(sign: str, left: Type, right: Type) -> Type:
    is_real = sign == "/" or left.is_real or right.is_real
    corners = [(a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
    match sign:
        case "+":
            ends = [left.low + right.low, left.high + right.high]
        case "-":
            ends = [left.low - right.high, left.high - right.low]
        case "*":
            ends = [a * b for a, b in corners]
        case "mod":
            ends = [0, min(right.high - 1, left.high)]
        case _:
            ends = [a / b if sign == "/" else a // b for a, b in corners if b]
    return Type("number", (), min(ends), max(ends), is_real)


def _of_call(node: n.Call, scope: Scope) -> Type:
    from tests.reference.ranging import things_meant

    game = scope.here.game
    match node.name:
        case "min" | "max":
            parts = [type_of(each, scope) for each in node.arguments]
            pick = min if node.name == "min" else max
            is_real = any(part.is_real for part in parts)
            return Type("number", (), pick(p.low for p in parts), pick(p.high for p in parts), is_real)
        case "nth":
            _, *parts = (type_of(each, scope) for each in node.arguments)
            return reduce(_joined, parts)
        case "abs":
            part = type_of(node.arguments[0], scope)
            ends = abs(part.low), abs(part.high)
            return Type("number", (), 0 if part.low <= 0 <= part.high else min(ends), max(ends), part.is_real)
        case "inside":
            return TRUTH
        case "left_of" | "right_of" | "opposite":
            is_diagonal = game.has_diagonals and not set(type_of(node.arguments[0], scope).words) <= {
                *QUARTERS
            }
            return Type("words", COMPASS if is_diagonal else QUARTERS)
        case "dx" | "dy":
            return Type("number", (), -1, 1)
        case "exp" | "sqrt" | "euclid" | "noise":
            return Type("number", is_real=True)
        case "count":
            kind = kind_named(node.arguments[0], scope)
            is_of_agents = kind is not None and kind.category == "agent"
            return Type("number", (), 0, len(scope.here.agents) if is_of_agents else game.width * game.height)
        case "sum":
            kind = kind_named(node.each, scope)
            if several := things_meant(node.each, scope):
                inner = scope.inner()
                if isinstance(node.each, n.Name | n.Pattern):
                    inner.kinds[node.each.name] = game.kinds[next(iter(several))]
                return Type("number", is_real=type_of(node.arguments[0], inner).is_real)
            if kind is None:
                whole = Type("number", (), 0)
                cell = scope.inner(here=Type("cell"), x=whole, y=whole)
                return Type("number", is_real=type_of(node.arguments[0], cell).is_real)
            being = next(iter(scope.here.of_kind(kind)), None)
            inner = scope if being is None else scope.inner(**{kind.name: being})
            return Type("number", is_real=type_of(node.arguments[0], inner).is_real)
        case "distance":
            return Type("number", (), 0, game.width + game.height - 2)
        case "chebyshev":
            return Type("number", (), 0, max(game.width, game.height) - 1)
        case "path_distance":
            return Type("number", (), 0, game.width * game.height)
    return type_of(node.arguments[0], scope)
