"""Facts: what moves, comes, changes and can be left out in a world, derived once, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from griddsl.diagnostics import Report
from griddsl.lowering.facts.capacity import most_objects
from griddsl.lowering.facts.sent import can_be_an_agent, sent_again
from griddsl.lowering.plug_ins import plug_ins
from griddsl.lowering.traits import effects_in, of_rules, of_spec
from griddsl.lowering.world.constants import constant_number, is_constant
from griddsl.lowering.world.kinds import goes_ahead
from griddsl.lowering.world.maps.generators import is_random
from griddsl.lowering.world.naming import kinds_named
from griddsl.lowering.world.world import World
from griddsl.program.view import MOVERS_GROUP
from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text

ENTERING = frozenset({"enter", "leave"})
MOST_AWAY = 10_000  # steps for which an agent is away at the most, where episodes have no limit


def place_back(effect: n.Out) -> n.Destination:
    """Return where an agent that is away comes back: where it started, if nothing else is said."""
    return effect.back if effect.back is not None else n.Name("start", effect.span)


def is_start(place: n.Destination | None) -> bool:
    """Whether a place is where whoever comes there started."""
    return isinstance(place, n.Name) and place.name == "start"


@dataclass(frozen=True)
class Facts:
    """What follows from a world: each fact is worked out when it is first asked for, and never changes."""

    world: World

    @cached_property
    def can_leave(self) -> bool:
        """Whether an agent can leave the game before it ends: by ``out``, or by a limit of its own."""
        out = any(isinstance(effect, n.Out) for effect, _ in of_rules(self.world.spec))
        return self.world.several and (out or bool(self.world.spec.limits))

    @cached_property
    def comes_back(self) -> bool:
        """Whether an agent can be away for some steps, and comes back."""
        return self.world.several and bool(self._leaving)

    @cached_property
    def tells_away(self) -> bool:
        """Whether agents can be asked for how long they are away: they can be, and none declares an ``away``."""
        return self.comes_back and not self._agents_declare("away")

    @cached_property
    def places_back(self) -> Mapping[str, n.Destination]:
        """The places at which agents that were away come back, by how they are written."""
        return {to_text(place): place for effect in self._leaving for place in (place_back(effect),)}

    @cached_property
    def most_away(self) -> int:
        """The most steps that an agent is away: as is known before the first step, or as many as an episode has."""
        world, most = self.world, self.world.limit or MOST_AWAY
        known = [
            constant_number(effect.steps, world.params, Report())
            for effect in self._leaving
            if effect.steps is not None and is_constant(effect.steps, world.params.__contains__)
        ]
        if len(known) < len(self._leaving):
            return most
        return max((max(1, min(int(each), most)) for each in known if each is not None), default=most)

    @property
    def _leaving(self) -> list[n.Out]:
        """The effects by which agents go away for some steps."""
        return [
            effect
            for effect, _ in of_rules(self.world.spec)
            if isinstance(effect, n.Out) and effect.steps is not None
        ]

    @cached_property
    def can_end(self) -> bool:
        """Whether a rule or an illegal action can end the episode."""
        spec = self.world.spec
        return (spec.illegal == "end" and self.world.forbids) or any(
            isinstance(effect, n.End) or (isinstance(effect, n.Out) and not self.world.several)
            for effect, _ in of_rules(spec)
        )

    @cached_property
    def has_facing(self) -> bool:
        """Whether agents face a direction: an action, a property, a start or a ``place`` gives them one."""
        world = self.world
        return (
            any(action.relative is not None or action.turn for action in world.actions)
            or any(kind.faces for kind in world.kinds.values() if kind.category == "agent")
            or any(goes_ahead(kind) for kind in world.agents)
            or any("facing" in thing.attributes for level in world.levels for thing in level.starts)
            or any(self._gives_facing(node) for node in walk(world.spec.blocks))
        )

    def _gives_facing(self, node: n.Node) -> bool:
        if not isinstance(node, n.Place) or not isinstance(node.kind, n.Pattern):
            return False
        named = kinds_named(self.world.spec, self.world.kinds, node.kind, made=True) or ()
        is_agent = any(self.world.kinds[name].category == "agent" for name in named)
        return is_agent and "facing" in dict(node.kind.arguments)

    @cached_property
    def faces_diagonally(self) -> bool:
        """Whether an agent can face a diagonal: it moves so, or a clause speaks of such a direction."""
        return self.world.spec.names_diagonals or any(
            _goes_to_eight(kind.moves) for kind in self.world.agents
        )

    @cached_property
    def has_turns(self) -> bool:
        """Whether agents can be asked if it is their turn: each acts in its own, and none declares a ``turn``."""
        return self.world.several and self.world.turns == "alternate" and not self._agents_declare("turn")

    def _agents_declare(self, name: str) -> bool:
        """Whether agents have an attribute of a name, which then means nothing else."""
        kinds = self.world.kinds.values()
        return any(kind.category == "agent" and name in kind.attributes for kind in kinds)

    @cached_property
    def objects_return(self) -> bool:
        """Whether a rule with an object for its subject speaks of ``start``, or a rule moves a thing there."""
        world = self.world
        for rule in world.spec.rules:
            moved = (node for node in walk(rule.effects) if isinstance(node, n.Move))
            if any(getattr(node.destination, "name", None) == "start" for node in moved):
                return bool(world.object_kinds())
            subject = rule.trigger.object if rule.trigger.event == "each" else rule.trigger.subject
            kind = world.kinds.get(getattr(subject, "name", ""))
            says = (node for node in walk((rule.condition, rule.effects)) if isinstance(node, n.Name))
            if kind is not None and kind.category == "object" and any(node.name == "start" for node in says):
                return True
        return False

    @cached_property
    def agents_enter_again(self) -> bool:
        """Whether an agent can enter a cell twice in one act.

        It does where a rule on what happened sends it on, and where a loop of a rule after all moves does, whose every
        round is carried out by itself. Where nothing is sent on, only a move over edges that wrap comes back to a cell:
        on ice, or of enough cells.
        """
        return self._goes_round or any(map(self._leads_on, sent_again(self.world, of_things=False)))

    @cached_property
    def things_enter_again(self) -> bool:
        """Whether an object can enter a cell twice in one act, as agents can."""
        return self._goes_round or any(map(self._leads_on, sent_again(self.world, of_things=True)))

    @property
    def _goes_round(self) -> bool:
        world = self.world
        far = max((action.cells for action in world.actions), default=1)
        slides = any(kind.slide for kind in world.tile_kinds())
        return world.spec.edge == "wrap" and (slides or 1 < far >= min(world.width, world.height))

    def _leads_on(self, effect: n.Effect) -> bool:
        """Whether a destination can hold what rules on entering listen to: not for ``go to start`` on floor."""
        world, target = self.world, effect.destination if isinstance(effect, n.Go) else None
        if self.dynamic_tiles or not is_start(target):
            return True
        entering = [rule.trigger for rule in world.spec.rules if rule.trigger.event in ENTERING]
        listened = {trigger.named.name for trigger in entering}
        subjects = {trigger.subject.name for trigger in entering if trigger.subject is not None}
        tiles, agents = ({k.name for k in kinds} for kinds in (world.tile_kinds(), world.agents))
        if not listened <= tiles or not subjects <= {"agent", *agents} or self._moves_starts:
            return True
        starts = {thing.cell for level in world.levels for thing in level.starts}
        codes = {int(level.tiles[cell]) for level in world.levels for cell in starts}
        return any(kind.code in codes and kind.name in listened for kind in world.kind_list)

    @cached_property
    def _moves_starts(self) -> bool:
        """Whether setup can let an agent start elsewhere than where the map shows it."""
        return any(
            can.sends or (can.makes is not None and can_be_an_agent(self.world, can.makes(effect)))
            for effect, can in effects_in(self.world.spec.preparing)
        )

    @cached_property
    def dynamic_tiles(self) -> bool:
        """Whether setup, a rule or another level can change which tile a cell has."""
        spec, kinds = self.world.spec, self.world.kinds
        drawn = spec.generate is not None and is_random(spec.generate)
        return (
            len(self.world.levels) > 1
            or drawn
            or any(can.grounds(effect, spec, kinds) for effect, can in of_spec(spec))
        )

    @cached_property
    def _changing(self) -> frozenset[tuple[str, str]]:
        return frozenset(_changing_attributes(self.world.spec))

    def attribute_changes(self, name: str, category: str) -> bool:
        """Whether a rule or the setup can change an attribute of things of this category."""
        return (name, category) in self._changing

    @cached_property
    def capacity(self) -> int:
        """How many objects there can be at once: those drawn, and all that setup and rules can make."""
        return most_objects(self.world)[0]

    @cached_property
    def objects_vary(self) -> bool:
        """Whether there may be far fewer objects than there is room for: then where the last of them is, is kept."""
        return most_objects(self.world)[1]


def _goes_to_eight(mover: n.Mover | None) -> bool:
    """Whether an agent that plays by itself may go to eight neighbours, as with an installed package it may."""
    movers = [node for node in walk(mover) if isinstance(node, n.Mover)]
    return any(each.neighbours == 8 or each.policy in plug_ins(MOVERS_GROUP) for each in movers)


def _changing_attributes(spec: GridSpec) -> set[tuple[str, str]]:
    """Return the attributes of tiles that a rule or setup can change."""
    kinds = {declaration.name: declaration for declaration in spec.kinds}
    changing: set[tuple[str, str]] = set()
    for effect, can in of_spec(spec):
        target = can.sets(effect) if can.sets is not None else None
        if isinstance(target, n.Attribute):
            changing.add((target.name, "tile"))
        elif target is not None:
            named = kinds_named(spec, kinds, target)
            for declared in kinds.values() if named is None else [kinds[name] for name in named]:
                names = [item.name for item in declared.items if isinstance(item, n.AttributeItem)]
                changing.update((name, "tile") for name in names)
    return changing
