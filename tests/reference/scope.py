"""Scope: what names mean where a clause stands, and which one is meant (section 8, "Which one is meant")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeGuard

from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from tests.reference.compass import COMPASS
from tests.reference.kinds import Domain, Kind
from tests.reference.maps import pattern_of
from tests.reference.named import KindName, named, there

if TYPE_CHECKING:
    from tests.reference.world import Agent, Being, Cell, World

NOTHING = object()
IS_SELF = "is self"  # asked of agents where `self` and `other` stand for a kind


@dataclass
class Scope:
    """Where a clause stands: the world (None before there is one), the names that are bound, and the subject."""

    world: World | None
    names: dict[str, Any] = field(default_factory=dict)
    me: Being | None = None
    in_setup: bool = False
    rule: Any = None  # the rule that runs, by its number and subject, where it runs once an act
    deciding: str | None = None  # the action whose `allow` is being decided
    pays_itself: bool = False  # whether the effects around say what every agent gets
    after_moves: bool = False  # whether a rule of those after all moves runs: rounds of its loops settle
    kinds: dict[str, Kind] = field(
        default_factory=dict
    )  # of the things that effects before name: there may be none
    meets: bool = False  # whether a rule on a meeting runs
    line: Any = None  # the thing that the loop around goes through

    def inner(self, **names: Any) -> Scope:
        """Return a scope within this one, with more names."""
        return Scope(
            self.world,
            {**self.names, **names},
            self.me,
            self.in_setup,
            self.rule,
            self.deciding,
            self.pays_itself,
            self.after_moves,
            dict(self.kinds),
            self.meets,
            self.line,
        )

    def beside(self, effects: tuple[n.Effect, ...]) -> Scope:
        """Return the scope of effects: it knows whether they say what every agent gets."""
        if self.world is None or self.world.game.spec.rewards != "zero_sum":
            return self
        from tests.reference.effects import recipients

        rewards = [each for each in effects if isinstance(each, n.Reward) and not each.hidden]
        told = {agent.index for each in rewards for agent in recipients(each, self)}
        paid = Scope(
            self.world,
            self.names,
            self.me,
            self.in_setup,
            self.rule,
            self.deciding,
            False,
            self.after_moves,
            self.kinds,
            self.meets,
            self.line,
        )
        is_one_form = len({each.assigns for each in rewards}) == 1
        paid.pays_itself = is_one_form and len(told) == len(self.world.agents)
        return paid

    def without(self, name: str) -> Scope:
        """Return the same scope, in which a name means what it means outside."""
        found = self.inner()
        found.names.pop(name, None)
        return found

    def find(self, name: str) -> Any:
        """Return what a name is bound to: by a trigger or condition, by ``choose`` or ``as``; else `NOTHING`."""
        if name in self.names:
            return self.names[name]
        if self.world is None:
            return NOTHING
        if name in self.world.chosen:
            return self.world.chosen[name]
        return next((self._goal(item) for item in self.world.game.goal if item.name == name), NOTHING)

    def _goal(self, item: n.ObserveItem) -> Any:
        """Return what ``achieved`` or ``desired`` is in a rule: what the agent's goal observes."""
        from tests.reference.expressions import cell_of, evaluate

        if item.what == "position":
            return cell_of(resolve(there(item.value), self), self)
        return evaluate(there(item.value), self)

    @property
    def here(self) -> World:
        """The world, where there is one."""
        assert self.world is not None
        return self.world

    @property
    def agent(self) -> Agent:
        """The agent that a clause speaks of without a name: its subject, or the only one there is."""
        from tests.reference.world import Agent

        return self.me if isinstance(self.me, Agent) else self.here.agents[0]


def kind_named(node: n.Expression | None, scope: Scope) -> Kind | None:
    """Return the kind that a name or a pattern names."""
    return scope.here.game.kinds.get(node.name) if isinstance(node, n.Name | n.Pattern) else None


def is_being(value: Any) -> TypeGuard[Being]:
    """Whether a value is an agent, an object or a tile."""
    return hasattr(value, "kind")


def resolve(node: n.Expression, scope: Scope) -> Any:
    """Return the being that a name stands for; None where it is not there."""
    if isinstance(node, n.Other):
        return _other(named(node.kind), scope)
    if isinstance(node, n.Superlative | n.There):
        from tests.reference.ranging import superlative, there

        return superlative(node, scope) if isinstance(node, n.Superlative) else there(node, scope)
    node = named(node)
    found = scope.find(node.name)
    if (is_being(found) or found is None) and not asks_for_any(node, scope):
        return found
    if node.name == "self":
        return scope.me if scope.me is not None else scope.agent
    kind = kind_named(node, scope)
    if kind is None and node.name == "other":
        return _other(n.Name("agent", node.span), scope)
    assert kind is not None, f"`{node.name}` is no kind"
    return only_one(kind, pattern_of(node), scope)


def asks_for_any(node: n.Expression | None, scope: Scope) -> bool:
    """Whether a kind has attributes: it asks for one that fits, whatever the bare name of the kind means there."""
    return isinstance(node, n.Pattern) and kind_named(node, scope) is not None


def domain_of_attribute(kind: Kind, name: str, scope: Scope) -> Domain:
    """Return what an attribute can be: of an ``agent`` where there are several kinds, as those that have it declare."""
    kinds = [kind, *(each for each in scope.here.game.kinds.values() if each.category == kind.category)]
    return next(each.attributes[name].domain for each in kinds if name in each.attributes)


def asks_turn(kind: Kind, name: str, scope: Scope) -> bool:
    """Whether an attribute of a kind is whether it is its turn: no agent has one called so, and each acts in its own."""
    game = scope.here.game
    declared = any(name in each.attributes for each in game.kinds.values() if each.category == "agent")
    return name == "turn" and kind.category == "agent" and game.turns == "alternate" and not declared


def asks_away(kind: Kind, name: str, scope: Scope) -> bool:
    """Whether an attribute of a kind is for how long an agent is away: no agent has one called so, and some can be."""
    game = scope.here.game
    declared = any(name in each.attributes for each in game.kinds.values() if each.category == "agent")
    return name == "away" and kind.category == "agent" and game.can_be_away and not declared


def first_of_attribute(kind: Kind, name: str, scope: Scope) -> Any:
    """Return the value that an attribute has of what is not there: the first that it can be."""
    if asks_turn(kind, name, scope):
        return False
    if asks_away(kind, name, scope):
        return 0
    if kind.category == "agent" and name in {"facing", "action"}:
        return COMPASS[0] if name == "facing" else scope.here.game.groups[0].actions[0].name
    return domain_of_attribute(kind, name, scope).first


def kind_when_named(node: n.Expression, being: Any, scope: Scope) -> Kind:
    """Return the kind that a thing had when it got the name by which a clause speaks of it."""
    if isinstance(node, n.Superlative | n.There):
        from tests.reference.ranging import things_meant

        node = node.over
        if (several := things_meant(node, scope)) is not None:
            gone: Kind = scope.here.game.kinds[next(iter(several))]
            return gone if being is None else being.kind
    name = named(node.kind if isinstance(node, n.Other) else node).name
    if name == "self":
        name = next((each for each, value in scope.names.items() if value is being), name)
    kinds = scope.here.game.kinds
    if name in scope.kinds:  # by `let` or `choose`, where there may be none
        return scope.kinds[name]
    if name not in kinds and being is None:  # a name that setup could have given
        name = next(_kinds_given(name, scope))
    kind: Kind = kinds.get(name) or (being.made_as if hasattr(being, "made_as") else being.kind)
    return kind


def _kinds_given(name: str, scope: Scope) -> Iterator[str]:
    """Yield the kinds of the things that setup gives a name to."""
    for each in walk(scope.here.game.spec.preparing):
        if isinstance(each, n.Place) and each.alias == name:
            yield named(each.kind).name
        elif isinstance(each, n.Choose) and name in each.names:
            kind = kind_drawn(each.domain, scope)
            if kind is not None:
                yield kind.name


def kind_drawn(domain: n.Domain | n.RandomCell, scope: Scope) -> Kind | None:
    """Return the kind of which ``choose`` draws a thing: ``choose t in alien``; None where it draws a value."""
    if not isinstance(domain, n.ChoiceDomain) or len(domain.values) > 1:
        return None
    (value,) = domain.values
    if scope.world is None:
        return None
    several = things_drawn(domain, scope)
    kind = scope.here.game.kinds[several[0].name] if several else kind_named(value, scope)
    if kind is None:
        return None
    known = {*scope.here.variables, *scope.here.game.params}
    return kind if kind.name not in known else None


def things_drawn(domain: n.Domain | n.RandomCell, scope: Scope) -> list[KindName] | None:
    """Return the kinds of objects of which ``choose t in portable`` draws one thing; None where it names one kind."""
    from tests.reference.groups import GROUPS, kinds_meant

    (value,) = domain.values  # type: ignore[union-attr]  # a list of one
    asked = value.kind if isinstance(value, n.Quantified) else value
    if not isinstance(asked, n.Logic) and getattr(asked, "name", None) not in GROUPS:
        return None
    kinds = kinds_meant(asked, scope)
    objects = scope.here.game.kinds
    return kinds if kinds and all(objects[kind.name].category == "object" for kind in kinds) else None


def is_still(node: n.Expression, being: Any, scope: Scope) -> bool:
    """Whether what a name was given to is still there, and of the kind that it was; an agent always is."""
    if being.kind.category == "agent":
        return True
    is_there = being.kind.category == "tile" or being in scope.here.objects
    return is_there and being.kind is kind_when_named(node, being, scope)


def only_one(kind: Kind, attributes: dict[str, n.Expression], scope: Scope) -> Any:
    """Return the only one of a kind (with these attributes), on the map or, failing that, held; None if there is none."""
    world = scope.here
    if kind.category == "agent" and attributes:
        return next((each for each in world.of_kind(kind) if matches(each, attributes, scope)), None)
    if kind.category == "agent":
        me = scope.me
        if is_being(me) and me.kind.category == "agent" and kind.name in {"agent", me.kind.name}:
            return me
        return next(each for each in world.agents if kind.name == "agent" or each.kind is kind)
    held = world.things(kind, on_map=False) if kind.category == "object" else []
    return next((each for each in (*world.of_kind(kind), *held) if matches(each, attributes, scope)), None)


def _other(node: KindName, scope: Scope) -> Any:
    """Return the only other of a kind than the one that is bound, or than the subject."""
    kind = kind_named(node, scope)
    assert kind is not None
    this = scope.find(kind.name)
    if kind.category == "agent":
        if f"other {kind.name}" in scope.names:
            return scope.names[f"other {kind.name}"]
        candidates = [each for each in scope.here.agents if kind.name == "agent" or each.kind is kind]
        return next(each for each in candidates if each is not scope.agent)
    this = this if is_being(this) else scope.me
    return next(
        (
            each
            for each in scope.here.of_kind(kind)
            if each is not this and matches(each, pattern_of(node), scope)
        ),
        None,
    )


def matches(being: Any, attributes: dict[str, n.Expression], scope: Scope) -> bool:
    """Whether a being has the attributes that a pattern asks for."""
    from tests.reference.conditions import held_by
    from tests.reference.expressions import attribute_of, evaluate
    from tests.reference.numbers import plain

    for name, node in attributes.items():
        if name == IS_SELF:
            if (being is scope.agent) != evaluate(node, scope):
                return False
        elif name == "carries":
            if held_by(being, named(node), scope) is None:
                return False
        elif plain(evaluate(node, scope, as_word=True)) != plain(attribute_of(being, name, scope)):
            return False
    return True


def find_in(cell: Cell, node: KindName, scope: Scope, but: Any = None) -> Any:
    """Return the being of a kind, with the attributes that a pattern asks for, in a cell; None if there is none.

    One does not count: nobody comes to itself.
    """
    world, kind = scope.here, kind_named(node, scope)
    assert kind is not None
    candidates: Sequence[Being]
    if kind.category == "tile":
        candidates = [cell.ground]
    elif kind.category == "object":
        candidates = world.things_at(cell)
    else:
        candidates = world.agents_at(cell)
    return next(
        (
            each
            for each in candidates
            if each is not but
            and (each.kind is kind or (kind.name == "agent" and kind.category == "agent"))
            and matches(each, pattern_of(node), scope)
        ),
        None,
    )


def cell_ahead(scope: Scope) -> Cell | str:
    """Return what is ahead of the agent: the next cell, ``edge`` or ``wall``.

    Without a facing, where all its moves go one way, it is the next cell that way.
    """
    world, agent = scope.here, scope.agent
    assert agent.cell is not None
    direction = agent.facing
    if not world.game.has_facing:
        direction = next(
            action.direction
            for group in world.game.groups
            for action in group.actions
            if action.verb == "move" and action.direction is not None
        )
    return world.beside(agent.cell, direction)
