"""Hearing: which events there are, and which rules hear of each."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from griddsl.lowering.facts.sent import settles
from griddsl.lowering.world.world import World
from griddsl.spec.models import Rule


@dataclass(slots=True)
class Event:
    """The rules that one event can raise, for agents or for things as its subject; ``whole`` where these are all."""

    name: str
    of_things: bool
    rules: list[tuple[int, Rule]]
    whole: bool = True

    @property
    def function(self) -> str:
        """The name of the function that runs them; of a part it has the number of the first, which is in no other."""
        part = "" if self.whole else f"_{self.rules[0][0] + 1}"
        return f"{'thing' if self.of_things else 'on'}_{self.name}{part}"


def event(world: World, name: str, of_things: bool = False) -> Event | None:
    """Return an event with its rules; None where no rule listens."""
    rules = [
        (index, rule) for index, rule in enumerate(world.spec.rules) if _listens(world, rule, name, of_things)
    ]
    return Event(name, of_things, rules) if rules else None


def _listens(world: World, rule: Rule, name: str, of_things: bool) -> bool:
    if rule.trigger.event != name:
        return False
    subject = rule.trigger.subject
    kind = world.kinds.get(subject.name) if subject is not None else world.kinds["agent"]
    return kind is not None and (kind.category != "agent") == of_things


def settles_after(world: World, events: Collection[str]) -> bool:
    """Whether a rule on one of these events can ask for a relocation."""
    return any(rule.trigger.event in events and settles(world, rule.effects) for rule in world.spec.rules)
