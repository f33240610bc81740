"""Facts: what moves, comes, changes and can be left out in a world, derived once, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from griddsl.diagnostics import Report
from griddsl.lowering.facts.made import takes_a_place
from griddsl.lowering.facts.sent import can_be_an_agent, sent_again
from griddsl.lowering.traits import effects_in, of_rules, of_spec
from griddsl.lowering.world.domains import constant_number
from griddsl.lowering.world.kinds import goes_ahead
from griddsl.lowering.world.maps.generators import is_random
from griddsl.lowering.world.naming import kinds_named
from griddsl.lowering.world.plug_ins import plug_ins
from griddsl.lowering.world.world import World
from griddsl.program.view import MOVERS_GROUP
from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

MOST_OBJECTS = 100_000
ENTERING = frozenset({"enter", "leave"})


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
            or any(self._gives_facing(node) for node in walk(_effect_roots(world.spec)))
        )

    def _gives_facing(self, node: Any) -> bool:
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
    def enters_again(self) -> bool:
        """Whether a thing can enter a cell twice in one act.

        It does where a rule on what happened sends anything on, and where a loop of a rule after all moves does, whose
        every round is carried out by itself. Where nothing is sent on, only a move over edges that wrap comes back to
        a cell: on ice, or of enough cells.
        """
        return self._goes_round or any(self._leads_on(effect) for effect in sent_again(self.world))

    @property
    def _goes_round(self) -> bool:
        world = self.world
        far = max((action.cells for action in world.actions), default=1)
        slides = any(kind.slide for kind in world.tile_kinds())
        return world.spec.edge == "wrap" and (slides or 1 < far >= min(world.width, world.height))

    def _leads_on(self, effect: Any) -> bool:
        """Whether a destination can hold what rules on entering listen to: not for ``go to start`` on floor."""
        world, target = self.world, effect.destination if isinstance(effect, n.Go) else None
        if self.dynamic_tiles or not (isinstance(target, n.Name) and target.name == "start"):
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
        return _capacity(self.world)[0]

    @cached_property
    def objects_vary(self) -> bool:
        """Whether there may be far fewer objects than there is room for: then where the last of them is, is kept."""
        return _capacity(self.world)[1]


def _goes_to_eight(mover: n.Mover | None) -> bool:
    """Whether an agent that plays by itself may go to eight neighbours, as with an installed package it may."""
    movers = [node for node in walk(mover) if isinstance(node, n.Mover)]
    return any(each.neighbours == 8 or each.policy in plug_ins(MOVERS_GROUP) for each in movers)


def _effect_roots(spec: GridSpec) -> list[Any]:
    return [spec.preparing, [rule.effects for rule in spec.rules]]


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


def _capacity(world: World) -> tuple[int, bool]:
    """Return how many objects there can be at most, and whether there may well be far fewer."""
    drawn = max(len(level.objects) for level in world.levels)
    if not world.object_kinds():
        return 0, False
    varies = False
    room = world.cells * len(world.layers)
    held = max([1, *(kind.carries or 0 for kind in world.kinds.values())]) if _can_hold(world) else 0
    # On the map, in things that lie there, and in hands.
    anywhere = room * (1 + held) + len(world.agents) * held
    starts = [thing for level in world.levels for thing in level.starts]
    extra = len(world.agents) * max((_held_by(thing.attributes) for thing in starts), default=0)
    object_names = {kind.name for kind in world.object_kinds()}
    variable = {kind.name for kind in world.kinds.values()}
    rounds = _rounds(world)
    for root, repeats in ((world.spec.preparing, False), ([rule.effects for rule in world.spec.rules], True)):
        for node in walk(root):
            if isinstance(node, n.Pattern) and any(name == "carries" for name, _ in node.arguments):
                extra += room * held
            if isinstance(node, n.Becomes) and takes_a_place(world, node):
                extra += anywhere
                varies = True
            if not isinstance(node, n.Place) or not isinstance(node.kind, n.KindName):
                continue
            if node.kind.name not in object_names and node.kind.name in variable:
                continue
            if repeats or isinstance(node.at, n.EveryCell):
                extra += anywhere if repeats else room
                varies = True
            elif node.area is not None:
                cells, all_of_them = _cells_in(node.area, world)
                times, surely = rounds.get(id(node), (1, True))
                extra += cells * times
                varies |= not all_of_them or node.where is not None or not surely
            else:
                count = (
                    None if node.count is None else constant_number(node.count, world.params, Report(), "")
                )
                placed = 1 if node.count is None else int(count) if count is not None else world.cells
                times, surely = rounds.get(id(node), (1, True))
                extra += placed * times
                varies |= not surely
    most = anywhere + drawn if held else room
    return max(1, min(drawn + extra, most, MOST_OBJECTS)), varies


def _cells_in(area: n.Area, world: World) -> tuple[int, bool]:
    """Return how many cells an area has at most, and whether it always has so many."""
    match area.form, area.value:
        case "column", _:
            return world.height, True
        case "row", _:
            return world.width, True
        case "border", _:
            return world.cells - max(0, world.width - 2) * max(0, world.height - 2), True
        case "rectangle", n.Rectangle(left, right, top, bottom):
            ends = [constant_number(end, world.params, Report(), "") for end in (left, right, top, bottom)]
            if None not in ends:
                x0, x1, y0, y1 = (int(end) for end in ends if end is not None)
                across = min(x1, world.width - 1) - max(x0, 0) + 1
                down = min(y1, world.height - 1) - max(y0, 0) + 1
                return max(0, across) * max(0, down), True
        case "region", n.Name(name) if name in world.regions:
            return int(world.regions[name].sum()), True
    return world.cells, False


def _can_hold(world: World) -> bool:
    """Whether anything can be where no cell is: in a hand or in a thing."""
    return any(kind.portable or kind.carries for kind in world.kinds.values()) or any(
        (isinstance(node, n.Handle) and node.verb == "pickup")
        or (isinstance(node, n.Pattern) and any(name == "carries" for name, _ in node.arguments))
        or (
            isinstance(node, n.Place)
            and getattr(getattr(node.area, "value", None), "name", "") in world.kinds
        )
        for node in walk(
            (
                _effect_roots(world.spec),
                [thing.attributes for level in world.levels for thing in level.starts],
            )
        )
    )


def _held_by(attributes: Mapping[str, Any]) -> int:
    """Return how many objects something has from the start: what it carries, and what that carries."""
    content = attributes.get("carries")
    return 0 if content is None else 1 + _held_by(dict(getattr(content, "arguments", ())))


def _rounds(world: World) -> dict[int, tuple[int, bool]]:
    """Return how often each ``place`` of setup that stands in a loop is carried out at most, and whether just so often.

    A loop whose rounds no number bounds may well end soon, and so may one that something else ends.
    """
    rounds: dict[int, tuple[int, bool]] = {}
    for effect, can in effects_in(world.spec.preparing):
        if can.repeats:
            given = getattr(effect, "count", None)
            count = None if given is None else constant_number(given, world.params, Report(), "")
            times = max(0, int(count)) if count is not None else world.cells
            is_sure = count is not None and getattr(effect, "until", None) is None
            for inner in walk(effect.body):
                if isinstance(inner, n.Place):
                    before, surely = rounds.get(id(inner), (1, True))
                    rounds[id(inner)] = before * times, surely and is_sure
    return rounds
