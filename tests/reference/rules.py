"""Rules: which fire at an event, and in which order they and their relocations take effect (sections 8 and 11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from griddsl.spec.models import Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from tests.reference.conditions import holds
from tests.reference.effects import perform
from tests.reference.expressions import chance_of, number
from tests.reference.groups import heard, is_meant
from tests.reference.kinds import Kind
from tests.reference.maps import pattern_of
from tests.reference.named import named, there
from tests.reference.scope import Scope, find_in, matches
from tests.reference.world import Agent, Being, Cell, Ground, Thing, World

Target = Cell | Agent | Thing | str  # with what or where an event happens
ONCE_AN_ACT = {"enter", "leave"}


def happen(world: World, event: str, subject: Agent | Thing, target: Target) -> None:
    """Let an event happen: its rules run, then what they sent elsewhere goes there."""
    raise_event(world, event, subject, target)
    settle(world)


def meet(world: World, first: Agent | Thing, second: Agent | Thing) -> None:
    """Let two meet: the rules of both run, then what they sent elsewhere goes there."""
    _both_meet(world, first, second)
    settle(world)


def _both_meet(world: World, first: Agent | Thing, second: Agent | Thing) -> None:
    raise_event(world, "meet", first, second)
    raise_event(world, "meet", second, first)


def raise_event(world: World, event: str, subject: Agent | Thing, target: Target) -> None:
    """Run the rules of an event.

    All conditions and chances are decided before the first effect. ``target`` is the cell of an ``enter``, ``leave``,
    ``bump`` or ``toggle`` (or ``edge`` or ``wall``, where that stopped a move), the other one of a ``push``,
    ``pickup``, ``drop`` or ``meet``, and the name of an action that failed.
    """
    firing: list[tuple[Rule, Scope]] = []
    for number_, rule in enumerate(world.game.spec.rules):
        if rule.trigger.event != event:
            continue
        for turn, said in enumerate(heard(rule, Scope(world, {}, subject))):
            scope = _triggered(said.trigger, rule.trigger, subject, target, world)
            if scope is None or not _agrees(said, scope):
                continue
            if event in ONCE_AN_ACT:
                scope.rule = (number_, turn), world.told_apart(subject)
                if (*scope.rule, target) in world.fired:
                    continue
                world.fired.add((*scope.rule, target))
            firing.append((said, scope))
    for said, scope in firing:
        scope.meets = event == "meet"
        perform(said.effects, scope)


def _agrees(rule: Rule, scope: Scope) -> bool:
    """Whether a rule's condition holds; its chance is drawn only where all else holds."""
    if rule.condition is not None and not holds(rule.condition, scope, True):
        return False
    return rule.chance is None or scope.here.stream.happens(chance_of(rule.chance, scope))


def _triggered(
    trigger: n.Trigger, written: n.Trigger, subject: Agent | Thing, target: Target, world: World
) -> Scope | None:
    """Return the scope of a rule whose trigger an event is, the things involved bound; None where it is not.

    ``trigger`` names kinds where ``written`` may name a group, or a thing that setup placed.
    """
    scope = Scope(world, {}, subject)
    if any(isinstance(each, Thing) and each not in world.objects for each in (subject, target)):
        return None  # what is gone raises nothing more
    asked = trigger.subject
    kind = world.game.kinds["agent" if asked is None else named(asked).name]
    if not _is_of(subject, kind) or not matches(subject, pattern_of(asked), scope):
        return None
    if isinstance(subject, Thing):
        scope.names[kind.name] = subject
    if not is_meant(written.subject, subject, scope):
        return None
    other = named(trigger.object)
    if trigger.event == "fail":
        return scope if target == other.name else None
    if trigger.event == "bump" and other.name == "edge":
        return scope if target == "edge" else None
    if isinstance(target, str):
        return scope if target == "wall" and other.name == "wall" else None
    if isinstance(target, Cell):
        found = find_in(target, other, scope, subject)
        if found is None or (trigger.event == "bump" and not _can_stop(found, subject, world)):
            return None
    else:
        found = target
        if not _is_of(found, world.game.kinds[other.name]) or not matches(found, pattern_of(other), scope):
            return None
    scope.names[other.name] = found
    return scope if is_meant(written.object, found, scope) else None


def _can_stop(being: Being, subject: Agent | Thing, world: World) -> bool:
    """Whether a being was in the way of who bumps: what is neither solid nor any of these only lies there."""
    kind = being.kind
    if isinstance(being, Agent) or kind.one_way is not None or world.is_so(being, "solid"):
        return True
    if isinstance(being, Thing) and isinstance(subject, Thing) and kind.layer == subject.kind.layer:
        return True
    if isinstance(being, Thing) and isinstance(subject, Agent) and kind.pushable:
        return True
    return kind.name in _avoided_by(subject.kind.category, world)


def _avoided_by(category: str, world: World) -> set[str]:
    """Return the kinds that whatever moves by itself keeps off, agents or objects; of a group all that are in it."""
    avoiding = [
        alternative
        for kind in world.game.kinds.values()
        if kind.category == category and kind.moves is not None
        for mover in walk(kind.moves)
        if isinstance(mover, n.Mover)
        for alternative in walk(mover.avoiding)
        if isinstance(alternative, n.Name | n.Pattern)
    ]
    names = {each.name for each in avoiding}
    things = [kind for kind in world.game.kinds.values() if kind.category == "object"]
    groups = {
        "object": things,
        "portable": [kind for kind in things if kind.portable],
        "pushable": [kind for kind in things if kind.pushable],
    }
    return names | {kind.name for group in names & groups.keys() for kind in groups[group]}


def _is_of(being: Being, kind: Kind) -> bool:
    return being.kind is kind or (kind.name == "agent" and being.kind.category == "agent")


# Before the action, and after all moves


def rules_before(world: World, agent: Agent, actions: dict[str, dict[str, Any]]) -> None:
    """Run ``on act`` and ``on do`` rules: they are one event."""
    world.begin_act()
    firing = []
    for rule in world.game.spec.rules:
        event = rule.trigger.event
        if event == "act" or (event == "do" and named(rule.trigger.object).name in actions):
            given = {} if event == "act" else actions[named(rule.trigger.object).name]
            scope = Scope(world, dict(given), agent)
            if _agrees(rule, scope):
                firing.append((rule, scope))
    for rule, scope in firing:
        perform(rule.effects, scope)
    settle(world)


def rules_after(world: World) -> None:
    """Run ``each``, ``every`` and ``when`` rules in file order: each sees what those above it did."""
    for rule in world.game.spec.rules:
        for said in heard(rule, Scope(world, {})):
            world.begin_act()
            for scope in _occasions(said.trigger, rule.trigger, world):
                if _agrees(said, scope):
                    perform(said.effects, scope)
            settle(world)


def _occasions(trigger: n.Trigger, written: n.Trigger, world: World) -> Iterator[Scope]:
    """Yield the scopes in which a rule runs in this step; ``trigger`` names a kind where ``written`` names a group."""
    scope = Scope(world, {}, None, after_moves=True)
    match trigger.event:
        case "step":
            yield scope
        case "every":
            if world.step % number(there(trigger.object), scope) == 0:
                yield scope
        case "when":
            if holds(there(trigger.object), scope, True):
                yield scope
        case "each":
            target = named(trigger.object)
            kind = world.game.kinds[target.name]
            for being in world.of_kind(kind):
                inner = Scope(world, {kind.name: being}, being, after_moves=True)
                is_one = _is_there(being, kind, world) and matches(being, pattern_of(target), inner)
                if is_one and is_meant(written.object, being, inner):
                    yield inner


def _is_there(being: Being, kind: Kind, world: World) -> bool:
    """Whether a being is still one of its kind that is on the map, when its turn comes."""
    if isinstance(being, Agent):
        return not being.is_out
    if isinstance(being, Ground):
        return being.kind is kind
    return being in world.objects and being.kind is kind and being.cell is not None


# `go to` and `move` take effect after the rules of an event


def settle(world: World) -> None:
    """Put agents and things where rules sent them, with the events of that, until nothing is sent on."""
    while world.sent_agents or world.sent_things:
        for agent in world.agents:
            while agent in world.sent_agents:
                _settle_agent(world, agent)
        for thing in world.things(on_map=False):
            target = world.sent_things.pop(thing, None)
            if target is not None and world.is_free_for(target, thing.kind.layer):
                old = thing.cell
                world.put(thing, target)
                if old is not None:
                    raise_event(world, "leave", thing, old)
                raise_event(world, "enter", thing, target)
                _thing_meets(world, thing, target)
        gone = [thing for thing in world.sent_things if thing not in world.objects]
        for thing in gone:
            del world.sent_things[thing]


def _settle_agent(world: World, agent: Agent) -> None:
    target, old = world.sent_agents.pop(agent), agent.cell
    agent.cell = target
    if old is not None:
        raise_event(world, "leave", agent, old)
    if agent not in world.sent_agents and not agent.is_out:
        raise_event(world, "enter", agent, target)
    if agent not in world.sent_agents and not agent.is_out:
        _agent_meets(world, agent, target)


# Who is put somewhere meets what is there


def _agent_meets(world: World, agent: Agent, cell: Cell) -> None:
    if not _meets_for_the_first_time(world, agent):
        return
    for thing in world.things_at(cell):
        if thing in world.objects and thing.cell is cell and not agent.is_out:
            _both_meet(world, agent, thing)
    for other in world.agents:
        if other is not agent and other.cell is cell and not other.is_out and not agent.is_out:
            _both_meet(world, agent, other)


def _thing_meets(world: World, thing: Thing, cell: Cell) -> None:
    if thing not in world.objects or thing.cell is not cell or not _meets_for_the_first_time(world, thing):
        return
    for agent in world.agents:
        if agent.cell is cell and not agent.is_out:
            _both_meet(world, agent, thing)
    for other in world.things_at(cell):
        if other is not thing and other.cell is cell:
            _both_meet(world, thing, other)


def _meets_for_the_first_time(world: World, being: Agent | Thing) -> bool:
    """Once in an act, where a rule on a meeting sends anything on: so it comes to an end."""
    if not any(rule.trigger.event == "meet" and _sends(world, rule) for rule in world.game.spec.rules):
        return True
    if world.told_apart(being) in world.met:
        return False
    world.met.add(world.told_apart(being))
    return True


def _sends(world: World, rule: Rule) -> bool:
    for node in n.walk(rule.effects):
        if isinstance(node, n.Go | n.Move):
            return True
        kind = world.game.kinds.get(getattr(node.kind, "name", "")) if isinstance(node, n.Place) else None
        if kind is not None and kind.category == "agent":
            return True
    return False
