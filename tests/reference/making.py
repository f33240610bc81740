"""Making: what is placed, the attributes it gets, and what turns into another kind (sections 4, 6 and 9)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from griddsl.syntax import nodes as n
from tests.reference.compass import COMPASS
from tests.reference.conditions import holds
from tests.reference.expressions import DIRECTIONS, evaluate, is_off_grid, number, place_of
from tests.reference.kinds import Kind
from tests.reference.maps import pattern_of
from tests.reference.moving import send
from tests.reference.named import named, there
from tests.reference.places import NoPlace, in_area, random_cell, takes_part, with_cell
from tests.reference.scope import NOTHING, Scope, is_being, resolve
from tests.reference.world import Agent, Being, Cell, Ground, Thing, World


def kind_meant(node: n.Expression, scope: Scope) -> Kind:
    """Return the kind that a name stands for: one that was chosen, a variable's or parameter's, or its own."""
    name = named(node).name
    found = scope.find(name)
    if found is NOTHING:
        found = {**scope.here.game.params, **scope.here.variables}.get(name)
    name = found if isinstance(found, str) else name
    kind: Kind = scope.here.game.kinds[name]
    return kind


# Attributes


def set_attribute(being: Being, name: str, value: Any) -> None:
    """Change an attribute; a number stays in its range."""
    being.attributes[name] = being.kind.attributes[name].domain.clamped(value)


@dataclass(frozen=True)
class Asked:
    """A value that a pattern gives, asked before anything changed."""

    value: Any


def asked_before(kind: Kind, given: dict[str, Any], scope: Scope) -> dict[str, Any]:
    """Return what a pattern gives with its values asked; what is drawn is drawn when its turn comes."""
    asked: dict[str, Any] = {}
    for name, node in given.items():
        if name == "carries" and isinstance(node, n.Pattern):
            inside = asked_before(kind_meant(node, scope), pattern_of(node), scope)
            asked[name] = replace(node, arguments=tuple(inside.items()))
        elif name in kind.attributes and not isinstance(node, n.Random):
            asked[name] = Asked(value_for(kind, name, node, scope))
        else:
            asked[name] = node
    return asked


def value_for(kind: Kind, name: str, node: Any, scope: Scope) -> Any:
    """Return a value that a pattern gives to an attribute; ``random`` draws it."""
    if isinstance(node, Asked):
        return node.value
    domain = kind.attributes[name].domain
    return evaluate(node, scope, domain, as_word=bool(domain.words))


def change_attributes(being: Being, given: dict[str, n.Expression], scope: Scope) -> None:
    """Give a being what a pattern says: what it carries first, then each attribute; the others start anew."""
    if "carries" in given:
        assert not isinstance(being, Ground)
        give(being, given["carries"], scope)
    being.attributes = {name: each.default for name, each in being.kind.attributes.items()}
    for name in being.kind.attributes:
        if name in given:
            set_attribute(being, name, value_for(being.kind, name, given[name], scope))


def give(holder: Agent | Thing, node: n.Expression, scope: Scope) -> Thing:
    """Put a new object into a holder; where that has no room, the new one is gone."""
    made = make(kind_meant(node, scope), None, pattern_of(node), scope)
    if None in holder.held:
        holder.held[holder.held.index(None)] = made
    else:
        scope.here.forget(made)
    return made


def make(kind: Kind, cell: Cell | None, given: dict[str, n.Expression], scope: Scope) -> Thing:
    """Let an object come to be."""
    given = asked_before(kind, given, scope)
    made = scope.here.add(Thing(kind, cell, start=cell, held=[None] * (kind.carries or 0)))
    change_attributes(made, given, scope)
    return made


# Becoming


def change_kind(being: Ground | Thing, kind: Kind, given: dict[str, n.Expression], scope: Scope) -> None:
    """Turn a thing into another kind: a tile into a tile, an object into an object; else it makes way."""
    world, given = scope.here, asked_before(kind, given, scope)
    if isinstance(being, Ground) and kind.category == "tile":
        being.kind = kind
        change_attributes(being, given, scope)
    elif isinstance(being, Ground):
        change_kind(being, world.game.kinds["floor"], {}, scope)
        put_new(kind, being.cell, given, scope)
    elif kind.category == "tile":
        cell = being.cell
        world.remove(being)
        if cell is not None and kind.name != "floor":
            change_kind(cell.ground, kind, given, scope)
    else:
        _change_object(being, kind, given, scope)


def _change_object(being: Thing, kind: Kind, given: dict[str, n.Expression], scope: Scope) -> None:
    """An object changes where its new layer is free; what it held and can no longer hold takes its place."""
    world, cell = scope.here, being.cell
    taken = None if cell is None else world.on_layer(cell, kind.layer)
    if taken not in {None, being}:
        return
    old_held = being.held
    being.kind = kind
    being.held = (old_held + [None] * (kind.carries or 0))[: max(kind.carries or 0, len(old_held))]
    change_attributes(being, given, scope)
    if not kind.carries and any(old_held):
        hand = world.release(being)
        being.cell = None
        world.spill(being, cell, hand)
        if cell is not None and world.on_layer(cell, kind.layer) is None:
            being.cell = cell
        else:
            world.forget(being)
    if not kind.carries:
        being.held = []


# place


def place(effect: n.Place, scope: Scope) -> None:
    """``place``: one, several, one in each cell of an area, or into a holder."""
    kind, holder = kind_meant(effect.kind, scope), _holder(effect, scope)
    if holder is NOTHING and effect.area is not None:
        for cell in scope.here.cells:
            inner = with_cell(scope, cell)
            if in_area(effect.area, cell, inner) and (effect.where is None or holds(effect.where, inner)):
                _put(effect, kind, cell, None, inner)
        return
    count = 1 if effect.count is None else number(effect.count, scope)
    for _ in range(count):
        _place_one(effect, kind, holder, scope)


def _holder(effect: n.Place, scope: Scope) -> Any:
    """Return what ``in`` names, where that is no area; `NOTHING` where there is none."""
    area = effect.area
    if area is None or area.form != "region" or not isinstance(area.value, n.Name):
        return NOTHING
    if area.value.name in scope.here.game.regions:
        return NOTHING
    return resolve(area.value, scope)


def _place_one(effect: n.Place, kind: Kind, holder: Any, scope: Scope) -> None:
    if holder is not NOTHING:
        if _must_succeed(effect, scope) and (holder is None or None not in holder.held):
            raise NoPlace("no-place", effect)
        if holder is not None:
            made = give(
                holder, n.Pattern(kind.name, tuple(pattern_of(effect.kind).items()), effect.span), scope
            )
            _name(effect, made, scope)
        return
    agent = _agent_placed(kind, scope) if kind.category == "agent" else None
    before = None if agent is None else agent.cell
    if agent is not None and scope.in_setup:
        agent.cell = None
    _place_at(effect, kind, agent, scope)
    if agent is not None and agent.cell is None and effect.if_free:
        agent.cell = before


def _must_succeed(effect: n.Place, scope: Scope) -> bool:
    return scope.in_setup and not effect.if_free


def _place_at(effect: n.Place, kind: Kind, agent: Agent | None, scope: Scope) -> None:
    world = scope.here
    if isinstance(effect.at, n.EveryCell):
        for cell in world.cells:
            if takes_part(effect.at, cell, scope, kind):
                _put(effect, kind, cell, agent, with_cell(scope, cell))
        return
    if isinstance(effect.at, n.RandomCell):
        spot = random_cell(effect.at, scope, kind, effect.if_free)
    else:
        at = there(effect.at)
        spot = None if is_off_grid(at, scope) else place_of(at, scope)
        if spot is None and _must_succeed(effect, scope):
            raise NoPlace("no-place", effect)
    if spot is not None:
        _put(effect, kind, spot, agent, scope)


def _agent_placed(kind: Kind, scope: Scope) -> Agent:
    """Return the agent that is placed: in setup the first of its kind that is on no cell yet, or the first of all."""
    agents = [each for each in scope.here.agents if kind.name == "agent" or each.kind is kind]
    if not scope.in_setup:
        return scope.me if scope.me in agents else agents[0]
    return next((each for each in agents if each.cell is None), agents[0])


def _put(effect: n.Place, kind: Kind, cell: Cell, agent: Agent | None, scope: Scope) -> None:
    given = pattern_of(effect.kind)
    if agent is not None:
        if not _is_taken(cell, scope):
            _put_agent(agent, cell, given, scope)
            _name(effect, agent, scope)
        elif _must_succeed(effect, scope):
            raise NoPlace("no-place", effect)
    elif kind.category == "tile":
        change_kind(cell.ground, kind, given, scope)
        _name(effect, cell, scope)
    else:
        made = put_new(kind, cell, given, scope)
        if made is None and _must_succeed(effect, scope):
            raise NoPlace("no-place", effect)
        _name(effect, made, scope)


def _is_taken(cell: Cell, scope: Scope) -> bool:
    """Whether an agent cannot be put there: what is solid, and in setup other agents where they share no cell."""
    world = scope.here
    others = scope.in_setup and world.game.agents_block and bool(world.agents_at(cell))
    return bool(world.blocks(cell)) or others


def _put_agent(agent: Agent, cell: Cell, given: dict[str, n.Expression], scope: Scope) -> None:
    if scope.in_setup:
        agent.cell = cell
    else:
        send(agent, cell, scope, marks=False)
    for name, node in asked_before(agent.kind, given, scope).items():
        if name == "facing":
            way = node.value if isinstance(node, Asked) else evaluate(node, scope, DIRECTIONS, as_word=True)
            agent.facing = COMPASS.index(way)
        elif name == "carries":
            give(agent, node, scope)
        else:
            set_attribute(agent, name, value_for(agent.kind, name, node, scope))


def put_new(kind: Kind, cell: Cell, given: dict[str, n.Expression], scope: Scope) -> Thing | None:
    """Make an object in a cell if it is free; one that does not get it is not made."""
    world: World = scope.here
    return make(kind, cell, given, scope) if world.is_free_for(cell, kind.layer) else None


def _name(effect: n.Place, made: Any, scope: Scope) -> None:
    """``as NAME``: name what was placed."""
    if effect.alias is not None:
        names = scope.here.chosen if scope.in_setup else scope.names
        names[effect.alias] = made if made is None or is_being(made) or isinstance(made, Cell) else None
