"""Sent: which effects put a thing elsewhere after the rules of their event, and whether one act can bring it back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from griddsl.lowering.traits import effects_in, traits
from griddsl.lowering.world.naming import kinds_named
from griddsl.lowering.world.world import World
from griddsl.spec.models import Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import TIMED
from griddsl.syntax.nodes import walk

BEFORE_THE_ACTION = frozenset({"act", "do"})
CELL_EVENTS = ("enter", "leave", "bump", "toggle")
RAISED = frozenset({*CELL_EVENTS, "meet", "push", "pickup", "drop", "fail"})


def settles(world: World, effects: object) -> bool:
    """Whether effects can ask for a relocation that is carried out after the rule: ``place agent`` is one too."""
    return any(_settles(world, effect) for effect, _ in effects_in(effects))


def _settles(world: World, effect: n.Effect) -> bool:
    can = traits(effect)
    return can.sends or (can.puts and can.makes is not None and can_be_an_agent(world, can.makes(effect)))


def can_be_an_agent(world: World, node: n.Expression) -> bool:
    """Whether what an effect makes can be an agent."""
    named = kinds_named(world.spec, world.kinds, node, made=True)
    return named is None or any(world.kinds[name].category == "agent" for name in named)


def sent_again(world: World, of_things: bool) -> Iterator[n.Effect]:
    """Yield the effects that can send an agent, or an object, where it went, or was sent to, in the same act.

    Rules on what happened in an act send on what the act moved; loops in rules after all moves have each of their
    rounds carried out by itself. The rules before the action send a thing once, as do other rules after all moves.
    """
    for rule in world.spec.rules:
        for effect, _ in effects_in(_rounds(rule)):
            if _settles(world, effect) and _may_be_sent(world, rule, effect, of_things):
                yield effect


def _may_be_sent(world: World, rule: Rule, effect: n.Effect, of_things: bool) -> bool:
    """Whether what an effect sends can be an object, or else an agent."""
    can = traits(effect)
    if can.makes is not None:
        return not of_things  # what is placed and goes there later is an agent
    subject = getattr(effect, "subject", None)
    if subject is None or getattr(subject, "name", "") == "self":
        about = rule.trigger.object if rule.trigger.event == "each" else rule.trigger.subject
        kind = world.kinds.get(getattr(about, "name", "agent"))
        return kind is None or (kind.category != "agent") == of_things
    named = kinds_named(world.spec, world.kinds, subject)
    return named is None or any((world.kinds[name].category != "agent") == of_things for name in named)


def _rounds(rule: Rule) -> Sequence[n.Effect]:
    """Return those of a rule's effects that can follow in an act after others that send something."""
    if rule.trigger.event in TIMED:
        return [effect for effect, can in effects_in(rule.effects) if can.repeats]
    return () if rule.trigger.event in BEFORE_THE_ACTION else rule.effects


def rounds_go_alone(world: World, rule: Rule) -> bool:
    """Whether all that a rule after all moves sends is the thing of a loop's round, which goes when the round is over.

    Then nothing else is under way: a loop around that sends something has no other in it that does, and of the events
    that this raises no rule sends anything.
    """
    if any(other.trigger.event in RAISED and settles(world, other.effects) for other in world.spec.rules):
        return False
    loops = [effect for effect, can in effects_in(rule.effects) if can.repeats]
    sent = [effect for effect, _ in effects_in(rule.effects) if _settles(world, effect)]
    held = [(loop, {id(node) for node in walk(loop) if node is not loop}) for loop in loops]
    around = [[loop for loop, nodes in held if id(effect) in nodes] for effect in sent]
    senders = {id(within[-1]) for within in around if within}
    return all(
        _is_of_its_round(effect, within) and not any(id(loop) in senders for loop in within[:-1])
        for effect, within in zip(sent, around, strict=True)
    )


def _is_of_its_round(effect: n.Effect, loops: Sequence[n.Effect]) -> bool:
    """Whether an effect moves what the innermost of the loops around it, the last one, goes through."""
    match effect, loops[-1:]:
        case (
            n.Move(subject=n.Name(subject)),
            [n.Each(over=n.Name(name) | n.Pattern(name) | n.OneOf(called=name), body=body)],
        ):
            return subject == name and not any(
                isinstance(node, n.Let) and node.name == name for node in walk(body)
            )
    return False
