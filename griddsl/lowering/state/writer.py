"""The writer: what functions of a program are written with: the world, its facts, and where its state is held."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from griddsl.compass import COMPASS
from griddsl.diagnostics import Report
from griddsl.lowering.facts.facts import Facts
from griddsl.lowering.facts.sent import BEFORE_THE_ACTION
from griddsl.lowering.state.draft import Draft
from griddsl.lowering.state.memories import Memory
from griddsl.lowering.state.neighbours import after, entered, longest, neighbours
from griddsl.lowering.world.domains import Domain
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.maps.letters import attribute_code
from griddsl.lowering.world.maps.level import Level
from griddsl.lowering.world.values import Ref, Value, ValueType
from griddsl.lowering.world.world import Role, World, domain_range, domain_type
from griddsl.program import ir, keys
from griddsl.program.program import InfoEntry, PlugIn
from griddsl.program.proof.known import Places
from griddsl.program.proof.tests import Said
from griddsl.source import Span
from griddsl.syntax import nodes as n

OF_ITS_KIND = "things of a kind have the attributes of that kind"  # what claims of ranges rest on
ON_MAP = "what moves stands on the map"


TELL = "tell"  # the function that writes what a mission says, where the game decides it


@dataclass(frozen=True, slots=True)
class Stored:
    """A variable of the state, or a name chosen in setup: its slot, its type, and a variable's domain."""

    name: str
    slot: ir.Slot
    type: ValueType
    domain: Domain | None
    span: Span

    def value(self) -> Value:
        """Return its value now."""
        return Value(self.type, ir.load(self.slot))


@dataclass(slots=True)
class Settled:
    """A condition, and what it was found to be each time it was written: true or false whatever happens, or neither."""

    node: n.Expression
    values: set[bool | None] = field(default_factory=set)
    help: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A condition as it was written in one place: its test, and what was known by then of these places.

    ``because`` says why it never holds, whatever its test is: that it asks who is itself, what may be held by nobody,
    or nothing.
    """

    test: ir.Expr
    known: tuple[Said, ...]
    places: Places
    because: object = None


@dataclass(frozen=True, slots=True)
class Holding:
    """What a condition asks for: whether a kind is held, by an agent (None) or by objects of a kind."""

    kind: str
    holder: str | None


@dataclass(slots=True)
class Notes:
    """What writing finds out about the spec, for the checks that come after.

    ``reported`` are the names that were reported already, ``never`` the rules that cannot fire for somebody, and
    ``sometimes`` those that can for somebody, ``settled`` what conditions are, by their place. ``asked`` has the
    comparisons and relations as they were written, ``joined`` the `and` that a condition stands in. ``heard`` are the
    numbers of the rules that functions of events run. ``asks_where`` says that something just written needs the cell of
    agents that stand nowhere: the innermost clause that sees it reports it.
    """

    reported: set[str] = field(default_factory=set)
    never: set[Span] = field(default_factory=set)
    sometimes: set[Span] = field(default_factory=set)
    settled: dict[Span, Settled] = field(default_factory=dict)
    asked: dict[Span, tuple[n.Expression, list[Asked]]] = field(default_factory=dict)
    joined: dict[Span, n.Logic] = field(default_factory=dict)
    heard: set[int] = field(default_factory=set)
    asks_where: bool = False

    def settle(self, node: n.Expression, test: ir.Expr, help: str | None = None) -> None:
        """Note what a condition is; ``help`` says why, where it can be only one."""
        found = self.settled.setdefault(node.span, Settled(node))
        found.values.add(True if test == ir.TRUE else False if test == ir.FALSE else None)
        found.help = found.help or help

    def ask(self, node: n.Expression, asked: Asked) -> None:
        """Note what a comparison or a relation was written as."""
        self.asked.setdefault(node.span, (node, []))[1].append(asked)


class Writer(Draft):
    """A draft with the world that it is of."""

    def __init__(self, facts: Facts, report: Report) -> None:
        super().__init__()
        self.world: World = facts.world
        self.facts = facts
        self.report = report
        self.notes = Notes(reported=set(self.world.unread))
        self.outcomes: list[str] = []
        self.infos: dict[str, InfoEntry] = {}
        self.named_things: dict[str, Ref] = {}
        self.memories: list[Memory] = []
        self.searches: dict[tuple[str, bool], str] = {}
        self.deciding: set[str] = set()
        self.plug_ins: dict[str, PlugIn] = {}
        self.mission: str | None = None  # with a name in braces for all that depends on the game
        self.copies = 0
        self.loops = 0
        self.settles = False
        if self.world.own_limits:
            _ = self.step
        self.variables = {name: self._stored(name) for name in self.world.variables}
        if facts.dynamic_tiles:
            _ = self.tile_slot

    def _stored(self, name: str) -> Stored:
        declared = self.world.variables[name]
        low, high = domain_range(declared.domain)
        type: ir.Type = "bool" if declared.domain.form == "bool" else "int"
        slot = self.slot((keys.VAR, name), 1, low, high, type=type, initial=(declared.default,))
        return Stored(name, slot, domain_type(declared.domain), declared.domain, declared.span)

    def kind_table(self, key: ir.Key, values: Mapping[Kind, int], default: int = 0) -> ir.Table:
        """Return a table with a number a kind, by code."""
        return self.table(key, [values.get(kind, default) for kind in self.world.kind_list])

    # Parts of the state

    @property
    def action_slot(self) -> ir.Slot:
        """The action of each agent in this step, by its place among the names; before it has acted, the one before.

        It is kept where that can be asked for: in turns, and where a rule hears of an action before all are settled.
        """
        world, most = self.world, max(0, len(self.world.action_names) - 1)
        spec = world.spec
        early = [rule for rule in spec.rules if rule.trigger.event in BEFORE_THE_ACTION]
        heard = [(rule.trigger, rule.condition, rule.effects) for rule in early]
        asked = n.walk((heard, [(slip.condition, slip.items) for slip in spec.slip], spec.sticky))
        kept = len(world.agents) > 1 and (
            spec.turns != "simultaneous"
            or any(isinstance(node, n.Attribute) and node.name == "action" for node in asked)
        )
        return self.slot(keys.ACTION, len(world.agents), -1, most, saved=kept)

    @property
    def turn(self) -> ir.Slot:
        """The agent whose turn it is, under ``turns: alternate``."""
        return self.slot(keys.TURN, 1, 0, len(self.world.agents) - 1)

    @property
    def acting(self) -> Ref:
        """The agent of a function that is called for each: its parameter ``agent``, where there are several."""
        if not self.world.several:
            return Ref(self.world.agents[0], ir.const(0))
        return Ref(self.world.kinds["agent"], ir.Local("agent", "int", 0, len(self.world.agents) - 1))

    def observing(self, role: Role) -> tuple[str, ...]:
        """Return the parameters of a function that observes for a role: the agent, where several learn."""
        return () if len(self.world.learners) == 1 else ("agent",)

    def observer(self, role: Role) -> Ref:
        """Return the agent that such a function observes for."""
        if len(role.members) == 1 or len(self.world.learners) == 1:
            return Ref(role.kind, ir.const(role.members[0]))
        low, high = min(role.members), max(role.members)
        return Ref(role.kind, ir.Local("agent", "int", low, high))

    @property
    def agent_cell(self) -> ir.Slot:
        """The cell of each agent; one that is out keeps its last."""
        self.notes.asks_where |= self.world.nowhere
        return self.slot(keys.AGENT_CELL, len(self.world.agents), 0, self.world.cells - 1, unset=True)

    @property
    def out(self) -> ir.Slot:
        """Which agents are out, 1 each; of one that comes back, 1 and the number of steps until then."""
        most = self.facts.most_away if self.facts.comes_back else 0
        return self.slot(keys.OUT, len(self.world.agents), 0, 1 + most)

    @property
    def left(self) -> ir.Slot:
        """Which agents a rule took out in this step, 1 each, and which it sent away, 2 each."""
        return self.scratch(keys.LEFT, len(self.world.agents), 0, 2 if self.facts.comes_back else 1)

    @property
    def back(self) -> ir.Slot:
        """At which of several places each agent that is away comes back."""
        return self.slot(keys.BACK, len(self.world.agents), 0, len(self.facts.places_back) - 1)

    def is_in(self, index: ir.Expr) -> ir.Expr:
        """Return whether an agent still takes part."""
        return ir.eq(ir.load(self.out, index), 0) if self.facts.can_leave else ir.TRUE

    def goes_on(self) -> ir.Expr:
        """Return whether nothing has ended the episode yet in this step: no rule, and no illegal action."""
        if not self.facts.can_end and keys.ENDED not in self.slots:
            return ir.TRUE
        return ir.eq(ir.load(self.scratch(keys.ENDED)), 0)

    def agent_code(self, index: ir.Expr) -> ir.Expr:
        """Return the code of the kind of an agent."""
        return ir.lookup(self.table("AGENT_KIND", [kind.code for kind in self.world.agents]), index)

    @property
    def facing(self) -> ir.Slot:
        """The direction each agent looks."""
        return self.slot(keys.FACING, len(self.world.agents), 0, 7 if self.facts.faces_diagonally else 3)

    def turned(self, facing: ir.Expr, quarters: ir.Expr) -> ir.Expr:
        """Return a direction turned clockwise by quarters; a diagonal stays one."""
        if facing.high < 4:
            return ir.mod(ir.add(facing, quarters), ir.const(4))
        diagonal = ir.sub(facing, ir.mod(facing, ir.const(4)))
        return ir.add(diagonal, ir.mod(ir.add(facing, quarters), ir.const(4)))

    @property
    def step(self) -> ir.Slot:
        """The number of steps so far in this episode."""
        return self.slot(keys.STEP, 1, 0, self.world.limit or ir.UNBOUNDED)

    def tell(self) -> ir.Block:
        """Return what lets the state say the mission as it is now; nothing where that is always the same."""
        return [ir.Do(ir.call(TELL))] if TELL in self.functions else []

    @property
    def episode(self) -> ir.Slot:
        """The number of the episode in its trial, from 0."""
        return self.slot(keys.EPISODE, 1, 0, self.world.episodes - 1)

    def tile_at(self, cell: ir.Expr) -> ir.Expr:
        """Return the code of the tile of a cell."""
        if self.facts.dynamic_tiles:
            return ir.load(self.tile_slot, cell)
        return ir.lookup(self.table("TILE", self.world.levels[0].tiles), cell)

    @property
    def tile_slot(self) -> ir.Slot:
        """The tile of each cell, where tiles can change."""
        return self.slot(keys.TILE, self.world.cells, 0, len(self.world.kinds) - 1)

    def tile_attribute(self, name: str, kind: Kind, cell: ir.Expr) -> ir.Expr:
        """Return an attribute of the tile of a cell, as its code or number."""
        domain = kind.attributes[name].domain
        if self.facts.dynamic_tiles or self.facts.attribute_changes(name, "tile"):
            loaded = ir.load(self.tile_attribute_slot(name), cell)
            return ir.claim(loaded, *domain_range(domain), OF_ITS_KIND)
        return ir.lookup(self.table(("TILE", name), self.level_attribute(self.world.levels[0], name)), cell)

    def tile_attribute_slot(self, name: str) -> ir.Slot:
        """An attribute of the tile of each cell, where it can change."""
        low, high = self.world.attribute_range(name, "tile")
        return self.slot((keys.TILE, name), self.world.cells, low, high)

    def level_attribute(self, level: Level, name: str) -> list[int]:
        """Return an attribute of the tiles of a level as drawn, a number a cell."""
        values = np.zeros(self.world.cells, dtype=np.int64)
        for kind in self.world.tile_kinds():
            if name in kind.attributes:
                values[level.tiles == kind.code] = int(kind.attributes[name].default)
        for cell, kind, attributes in level.tile_patterns:
            if name in attributes:
                values[cell] = attribute_code(attributes[name], kind, name, self.world.params, self.report)
        listed: list[int] = values.tolist()
        return listed

    @property
    def object_kind(self) -> ir.Slot:
        """The code of each object's kind; -1 where there is none."""
        return self.slot(keys.OBJECT_KIND, self.facts.capacity, -1, len(self.world.kinds) - 1)

    @property
    def object_cell(self) -> ir.Slot:
        """The cell of each object; -1 where it is not on the map."""
        return self.slot(keys.OBJECT_CELL, self.facts.capacity, -1, self.world.cells - 1)

    def object_slot(self, name: str) -> ir.Slot:
        """An attribute of the objects."""
        low, high = self.world.attribute_range(name, "object")
        return self.slot((keys.OBJECT, name), self.facts.capacity, low, high)

    @property
    def objects(self) -> ir.Slot:
        """One more than the number of the last object that there is: no loop over objects need go further."""
        return self.slot(keys.OBJECTS, 1, 0, self.facts.capacity)

    @property
    def object_start(self) -> ir.Slot:
        """Where each object stood after setup, or was made; -1 where it was on no cell."""
        return self.slot(keys.OBJECT_START, self.facts.capacity, -1, self.world.cells - 1)

    def layer_slot(self, layer: str) -> ir.Slot:
        """The object that stands in each cell on a layer; -1 for none."""
        key: ir.Key = keys.OBJECT_AT if len(self.world.layers) == 1 else (keys.OBJECT_AT, layer)
        found = self.slot(key, self.world.cells, -1, self.facts.capacity - 1)
        if not self.world.object_kinds() and found.initial is None:  # no level says that nothing lies there
            self.revise(found, initial=(-1,) * self.world.cells)
        return found

    def agent_attribute_slot(self, name: str) -> ir.Slot:
        """An attribute of each agent."""
        if name == "facing":
            return self.facing
        low, high = self.world.attribute_range(name, "agent")
        return self.slot((keys.AGENT, name), len(self.world.agents), low, high)

    def next_cell(
        self, cell: ir.Expr, direction: ir.Expr, edge: str | None = None, steps: int = 1
    ) -> ir.Expr:
        """Return the cell beside a cell in a direction by the rule of the border, of the spec or of a kind's own.

        Where a move is not possible it is negative: -1 at the border, -2 at a wall between two cells. Of more steps
        than one each has to be possible.
        """
        table = self._next_table(_directions(direction), self._own(edge), steps)
        return self._beside(table, cell, direction)

    def entered_from(self, cell: ir.Expr, direction: ir.Expr, edge: str | None = None) -> ir.Expr | None:
        """Return the cell from which a step in a direction comes into a cell, -1 for none; None where several may."""
        directions, own = _directions(direction), self._own(edge)
        name = f"BEFORE_{_called(directions)}{own and f'_{own.upper()}'}"
        if name not in self.tables:
            found = [entered(ways) for ways in self._ways(directions, own)]
            parts = [part for part in found if part is not None]
            if len(parts) < len(found):
                return None
            self.table(name, np.concatenate(parts))
        return self._beside(self.tables[name], cell, direction)

    def longest_way(self, direction: ir.Expr, edge: str | None = None) -> int:
        """Return how many cells lie one behind the other at most in a direction."""
        return max(map(longest, self._ways(_directions(direction), self._own(edge))))

    def _own(self, edge: str | None) -> str:
        """Return the rule of the border that a kind has of its own; an empty text where it has that of the spec."""
        return edge if edge is not None and edge != self.world.spec.edge else ""

    @property
    def _walls_differ(self) -> bool:
        return len({level.barriers for level in self.world.levels}) > 1

    def _beside(self, table: ir.Table, cell: ir.Expr, direction: ir.Expr) -> ir.Expr:
        """Return what a table has of a cell: a row of all cells for each direction, and of those one for each level."""
        cells, count = self.world.cells, len(_directions(direction))
        index = cell if count == 1 else ir.add(ir.mul(direction, ir.const(cells)), cell)
        if self._walls_differ:
            level = ir.load(self.slot(keys.LEVEL, 1, 0, len(self.world.levels) - 1))
            index = ir.add(ir.mul(level, ir.const(count * cells)), index)
        return ir.lookup(table, index)

    def _next_table(self, directions: list[int], edge: str, steps: int) -> ir.Table:
        name = f"NEXT_{_called(directions)}{edge and f'_{edge.upper()}'}{f'_BY_{steps}' if steps > 1 else ''}"
        if name not in self.tables:
            ways = [after(way, steps) for way in self._ways(directions, edge)]
            return self.table(name, np.concatenate(ways))
        return self.tables[name]

    def _ways(self, directions: list[int], edge: str) -> list[NDArray[np.int64]]:
        """Return the neighbours of all cells, in each direction, of each level whose walls are its own."""
        levels = self.world.levels if self._walls_differ else self.world.levels[:1]
        return [
            neighbours(self.world, level, direction, edge) for level in levels for direction in directions
        ]


def _directions(direction: ir.Expr) -> list[int]:
    """Return the directions that one may be: itself where it is known, else those that it is drawn or reckoned from."""
    if isinstance(direction, ir.Const):
        return [int(str(direction.value))]
    return list(range(8 if direction.high > 3 else 4))


def _called(directions: list[int]) -> str:
    """Return what the table of some directions is called by: the name of the one, or how many there are."""
    return COMPASS[directions[0]].upper() if len(directions) == 1 else str(len(directions))
