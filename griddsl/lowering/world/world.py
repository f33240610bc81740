"""The world: everything the clauses of a spec can speak of, resolved, and the state that is laid out for it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from griddsl.diagnostics import Label, Report, did_you_mean, write
from griddsl.lowering.world.compass import COMPASS, STEPS
from griddsl.lowering.world.domains import Domain, constant_number, read_domain
from griddsl.lowering.world.generators import generated_level, is_random
from griddsl.lowering.world.kinds import Kind, collect_kinds
from griddsl.lowering.world.levels import Level, attribute_code, read_levels
from griddsl.lowering.world.plug_ins import plug_ins
from griddsl.lowering.world.values import (
    NUMBER,
    TRUTH,
    Ref,
    Value,
    ValueType,
    Words,
)
from griddsl.program import ir
from griddsl.program.program import PlugIn
from griddsl.program.view import MOVERS_GROUP
from griddsl.source import Span
from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

THIN_WALL = -2
OF_ITS_KIND = "things of a kind have the attributes of that kind"  # what claims of ranges rest on
ON_MAP = "what moves stands on the map"
BUILT_IN_PARAMS = frozenset({"level"})
MOST_OBJECTS = 100_000
MOST_AGENTS = 200


@dataclass(slots=True)
class Variable:
    """A variable of the state, or a name chosen in setup: its slot, its type and its domain."""

    name: str
    slot: ir.Slot
    type: ValueType
    domain: Domain | None
    span: Span
    used: bool = False

    def value(self) -> Value:
        """Return its value now."""
        return Value(self.type, ir.load(self.slot))


@dataclass(slots=True)
class Role:
    """Agents that act and observe alike: their numbers, their actions, and what each does by itself (or nothing).

    ``kind`` is the kind of all of them, or ``agent`` where they are of several.
    """

    name: str
    kind: Kind
    members: list[int]
    groups: list[Any]
    moves: n.Mover | None = None

    @property
    def actions(self) -> list[Any]:
        """The actions of all its groups."""
        return [action for group in self.groups for action in group.actions]


@dataclass(slots=True)
class World:
    """What a spec speaks of: parameters, kinds, levels, variables, regions; and the slots and tables so far."""

    spec: GridSpec
    report: Report
    params: dict[str, Any]
    param_domains: dict[str, Domain]
    kinds: dict[str, Kind]
    width: int
    height: int
    levels: list[Level]
    agents: list[Kind]
    agent_names: list[str]
    variables: dict[str, Variable] = field(default_factory=dict)
    regions: dict[str, np.ndarray[Any, Any]] = field(default_factory=dict)
    slots: dict[ir.Key, ir.Slot] = field(default_factory=dict)
    tables: dict[ir.Key, ir.Table] = field(default_factory=dict)
    texts: ir.Texts = field(default_factory=ir.Texts)
    function_names: dict[ir.Key, str] = field(default_factory=dict)
    functions: dict[str, ir.Function] = field(default_factory=dict)
    actions: list[Any] = field(default_factory=list)
    groups: list[Any] = field(default_factory=list)
    outcomes: list[str] = field(default_factory=list)
    used_names: set[str] = field(default_factory=set)
    reported: set[str] = field(default_factory=set)
    deciding: set[str] = field(default_factory=set)
    never: list[Span] = field(default_factory=list)
    needs_guard: bool | None = None
    dynamic_tiles: bool = False
    settles: bool = False
    capacity: int = 0
    has_facing: bool = False
    limit: int | None = None
    own_limits: dict[str, int] = field(default_factory=dict)
    layers: list[str] = field(default_factory=list)
    memories: list[Any] = field(default_factory=list)
    named_things: dict[str, Any] = field(default_factory=dict)
    infos: dict[str, Any] = field(default_factory=dict)
    searches: dict[str, str] = field(default_factory=dict)
    copies: int = 0
    plug_ins: dict[str, PlugIn] = field(default_factory=dict)
    roles: list[Role] = field(default_factory=list)
    can_leave: bool = False
    begins: bool = False
    _changing: set[tuple[str, str]] = field(default_factory=set)
    _faces_diagonally: bool | None = None

    @property
    def several(self) -> bool:
        """Whether there are several agents, learning or not."""
        return len(self.agents) > 1

    @property
    def action_names(self) -> list[str]:
        """The names of all actions: agents of several kinds can have some of the same name."""
        return list(dict.fromkeys(action.name for action in self.actions))

    def group_of(self, action: Any) -> Any:
        """Return the group that an action is of."""
        return next(group for group in self.groups if action in group.actions)

    @property
    def action_slot(self) -> ir.Slot:
        """The action of each agent in this step, by its place among the names."""
        return self.scratch("ACTION", len(self.agents), -1, max(0, len(self.action_names) - 1))

    @property
    def agents_block(self) -> bool:
        """Whether no agent moves into a cell where another stays."""
        return self.several and self.spec.contested != "share"

    @property
    def acting(self) -> Ref:
        """The agent of a function that is called for each: its parameter ``agent``, where there are several."""
        if not self.several:
            return Ref(self.agents[0], ir.const(0))
        return Ref(self.kinds["agent"], ir.Local("agent", "int", 0, len(self.agents) - 1))

    def observing(self, role: Role) -> tuple[str, ...]:
        """Return the parameters of a function that observes for a role: the agent, where several learn."""
        return () if len(self.learners) == 1 else ("agent",)

    def observer(self, role: Role) -> Ref:
        """Return the agent that such a function observes for."""
        if len(role.members) == 1 or len(self.learners) == 1:
            return Ref(role.kind, ir.const(role.members[0]))
        low, high = min(role.members), max(role.members)
        return Ref(role.kind, ir.Local("agent", "int", low, high))

    @property
    def learners(self) -> list[int]:
        """The numbers of the agents that are given actions from outside."""
        return [index for index, kind in enumerate(self.agents) if kind.moves is None]

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.width * self.height

    @property
    def kind_list(self) -> list[Kind]:
        """The kinds by their code."""
        return sorted(self.kinds.values(), key=lambda kind: kind.code)

    def tile_kinds(self) -> list[Kind]:
        """The kinds of tile by their code."""
        return [kind for kind in self.kind_list if kind.category == "tile"]

    def object_kinds(self) -> list[Kind]:
        """The kinds of object by their code."""
        return [kind for kind in self.kind_list if kind.category == "object"]

    # Slots and tables, made when first asked for

    def slot(
        self, key: ir.Key, length: int = 1, low: int = 0, high: int = ir.UNBOUNDED, **more: Any
    ) -> ir.Slot:
        """Return the slot of this key, made with this length and range if it is new.

        Asked for again it has to be of the same sort, else two things have been given one key; scratch that was kept
        stays so.
        """
        known = self.slots.get(key)
        if known is None:
            known = ir.Slot(key, length, low, high, **more, name=self.texts.fresh(key))
            self.slots[key] = known
        type, saved = more.get("type", "int"), more.get("saved", True)
        assert known.type == type and known.saved >= saved, f"two slots have the key {key!r}"
        return known

    def keep(self, slot: ir.Slot) -> None:
        """Let a slot be part of the state that was scratch when it was made."""
        object.__setattr__(slot, "saved", True)  # what was emitted speaks of this very slot

    def scratch(self, key: ir.Key, length: int = 1, low: int = 0, high: int = 1) -> ir.Slot:
        """Return a slot that means nothing between two steps."""
        return self.slot(key, length, low, high, saved=False)

    def table(self, key: ir.Key, values: Sequence[int] | np.ndarray[Any, Any]) -> ir.Table:
        """Return the table of this key, made of the values if it is new; else the values have to be the same."""
        known = self.tables.get(key)
        if known is None:
            known = self.tables[key] = ir.table(key, values, self.texts.fresh(key))
        same = known.values is values or np.array_equal(known.values, values)
        assert same, f"two tables have the key {key!r}"
        return known

    def new_table(self, stem: str, values: Sequence[int] | np.ndarray[Any, Any]) -> ir.Table:
        """Return a table of its own for these values."""
        count = 1
        while (stem, count) in self.tables:
            count += 1
        return self.table((stem, count), values)

    def kind_table(self, key: ir.Key, values: Mapping[Kind, int], default: int = 0) -> ir.Table:
        """Return a table with a number a kind, by code."""
        return self.table(key, [values.get(kind, default) for kind in self.kind_list])

    def function_name(self, key: ir.Key) -> str:
        """Return the name of the function of this key, which is no other's."""
        if key not in self.function_names:
            name = self.texts.fresh(key)
            assert name == key or not isinstance(key, str), f"two functions have the name {key!r}"
            self.function_names[key] = name
        return self.function_names[key]

    # Parts of the state

    @property
    def agent_cell(self) -> ir.Slot:
        """The cell of each agent; one that is out keeps its last."""
        return self.slot("AGENT_CELL", len(self.agents), 0, self.cells - 1, unset=True)

    @property
    def out(self) -> ir.Slot:
        """Which agents are out, 1 each."""
        return self.slot("OUT", len(self.agents), 0, 1)

    def is_in(self, index: ir.Expr) -> ir.Expr:
        """Return whether an agent still takes part."""
        return ir.eq(ir.load(self.out, index), 0) if self.can_leave else ir.TRUE

    def goes_on(self) -> ir.Expr:
        """Return whether nothing has ended the episode yet in this step: no rule, and no illegal action."""
        rules = walk([rule.effects for rule in self.spec.rules])
        can_end = (self.spec.illegal == "end" and self.spec.allow) or any(
            isinstance(node, n.End) or (isinstance(node, n.Out) and not self.several) for node in rules
        )
        if not can_end and "ENDED" not in self.slots:
            return ir.TRUE
        return ir.eq(ir.load(self.scratch("ENDED")), 0)

    def agent_code(self, index: ir.Expr) -> ir.Expr:
        """Return the code of the kind of an agent."""
        return ir.lookup(self.table("AGENT_KIND", [kind.code for kind in self.agents]), index)

    @property
    def facing(self) -> ir.Slot:
        """The direction each agent looks."""
        return self.slot("FACING", len(self.agents), 0, 7 if self.faces_diagonally else 3)

    @property
    def faces_diagonally(self) -> bool:
        """Whether an agent can face a diagonal: it moves so, or a clause speaks of such a direction."""
        if self._faces_diagonally is None:
            self._faces_diagonally = _speaks_of_diagonals(self.spec) or any(
                _goes_to_eight(kind.moves) for kind in self.agents
            )
        return self._faces_diagonally

    def turned(self, facing: ir.Expr, quarters: ir.Expr) -> ir.Expr:
        """Return a direction turned clockwise by quarters; a diagonal stays one."""
        if not self.faces_diagonally:
            return ir.mod(ir.add(facing, quarters), ir.const(4))
        diagonal = ir.sub(facing, ir.mod(facing, ir.const(4)))
        return ir.add(diagonal, ir.mod(ir.add(facing, quarters), ir.const(4)))

    @property
    def step(self) -> ir.Slot:
        """The number of steps so far in this episode."""
        return self.slot("STEP", 1, 0, self.limit or ir.UNBOUNDED)

    def tile_at(self, cell: ir.Expr) -> ir.Expr:
        """Return the code of the tile of a cell."""
        if self.dynamic_tiles:
            return ir.load(self.tile_slot, cell)
        return ir.lookup(self.table("TILE", self.levels[0].tiles), cell)

    @property
    def tile_slot(self) -> ir.Slot:
        """The tile of each cell, where tiles can change."""
        return self.slot("TILE", self.cells, 0, len(self.kinds) - 1)

    def tile_attribute(self, name: str, kind: Kind, cell: ir.Expr) -> ir.Expr:
        """Return an attribute of the tile of a cell, as its code or number."""
        domain = kind.attributes[name].domain
        if self.dynamic_tiles or self.attribute_changes(name, "tile"):
            loaded = ir.load(self.tile_attribute_slot(name), cell)
            return ir.claim(loaded, *domain_range(domain), OF_ITS_KIND)
        return ir.lookup(self.table(("TILE", name), self.level_attribute(self.levels[0], name)), cell)

    def tile_attribute_slot(self, name: str) -> ir.Slot:
        """An attribute of the tile of each cell, where it can change."""
        low, high = self.attribute_range(name, "tile")
        return self.slot(("TILE", name), self.cells, low, high)

    def attribute_range(self, name: str, category: str) -> tuple[int, int]:
        """Return the range of the codes of an attribute over all kinds of a category; those without it hold 0."""
        found = [
            domain_range(kind.attributes[name].domain)
            for kind in self.kinds.values()
            if kind.category == category and name in kind.attributes
        ]
        return min([0, *(low for low, _ in found)]), max([0, *(high for _, high in found)])

    def level_attribute(self, level: Level, name: str) -> list[int]:
        """Return an attribute of the tiles of a level as drawn, a number a cell."""
        values = np.zeros(self.cells, dtype=np.int64)
        for kind in self.tile_kinds():
            if name in kind.attributes:
                values[level.tiles == kind.code] = int(kind.attributes[name].default)
        for cell, kind, attributes in level.tile_patterns:
            if name in attributes:
                values[cell] = attribute_code(attributes[name], kind, name, self.params, self.report)
        listed: list[int] = values.tolist()
        return listed

    def tile_attributes(self) -> list[str]:
        """The names of all attributes of tiles."""
        names = [name for kind in self.tile_kinds() for name in kind.attributes]
        return list(dict.fromkeys(names))

    def attribute_changes(self, name: str, category: str) -> bool:
        """Whether a rule or the setup can change an attribute of things of this category."""
        return (name, category) in self._changing

    def object_slot(self, name: str) -> ir.Slot:
        """A slot of the objects: ``KIND`` (-1: none), ``CELL`` (-1: not on the map), or an attribute."""
        if name == "KIND":
            return self.slot("OBJECT_KIND", self.capacity, -1, len(self.kinds) - 1)
        if name == "CELL":
            return self.slot("OBJECT_CELL", self.capacity, -1, self.cells - 1)
        low, high = self.attribute_range(name, "object")
        return self.slot(("OBJECT", name), self.capacity, low, high)

    @property
    def object_start(self) -> ir.Slot:
        """Where each object stood after setup, or was made; -1 where it was on no cell."""
        return self.slot("OBJECT_START", self.capacity, -1, self.cells - 1)

    @property
    def objects_return(self) -> bool:
        """Whether a rule with an object for its subject speaks of ``start``, or a rule moves a thing there."""
        for rule in self.spec.rules:
            moved = (node for node in walk(rule.effects) if isinstance(node, n.Move))
            if any(getattr(node.destination, "name", None) == "start" for node in moved):
                return bool(self.object_kinds())
            subject = rule.trigger.object if rule.trigger.event == "each" else rule.trigger.subject
            kind = self.kinds.get(getattr(subject, "name", ""))
            says = (node for node in walk((rule.condition, rule.effects)) if isinstance(node, n.Name))
            if kind is not None and kind.category == "object" and any(node.name == "start" for node in says):
                return True
        return False

    def layer_slot(self, layer: str) -> ir.Slot:
        """The object that stands in each cell on a layer; -1 for none."""
        key: ir.Key = "OBJECT_AT" if len(self.layers) == 1 else ("OBJECT_AT", layer)
        found = self.slot(key, self.cells, -1, self.capacity - 1)
        if not self.object_kinds() and found.initial is None:  # no level says that nothing lies there
            object.__setattr__(found, "initial", (-1,) * self.cells)
        return found

    def agent_attribute_slot(self, name: str) -> ir.Slot:
        """An attribute of each agent."""
        if name == "facing":
            return self.facing
        low, high = self.attribute_range(name, "agent")
        return self.slot(("AGENT", name), len(self.agents), low, high)

    def next_cell(self, cell: ir.Expr, direction: ir.Expr) -> ir.Expr:
        """Return the cell beside a cell in a direction by the rule of the border.

        Where a move is not possible it is negative: -1 at the border, -2 at a wall between two cells.
        """
        if isinstance(direction, ir.Const):
            name = f"NEXT_{COMPASS[int(direction.value)].upper()}"
            table = self._next_table(name, [int(direction.value)])
            return (
                ir.lookup(table, cell)
                if not self._walls_differ
                else ir.lookup(table, self._in_level(cell, self.cells))
            )
        count = 8 if direction.high > 3 else 4
        table = self._next_table(f"NEXT_{count}", list(range(count)))
        index = ir.add(ir.mul(direction, ir.const(self.cells)), cell)
        return ir.lookup(
            table, index if not self._walls_differ else self._in_level(index, count * self.cells)
        )

    @property
    def _walls_differ(self) -> bool:
        return len({level.barriers for level in self.levels}) > 1

    def _in_level(self, index: ir.Expr, size: int) -> ir.Expr:
        level = self.slot("LEVEL", 1, 0, len(self.levels) - 1)
        return ir.add(ir.mul(ir.load(level), ir.const(size)), index)

    def _next_table(self, name: str, directions: list[int]) -> ir.Table:
        if name not in self.tables:
            levels = self.levels if self._walls_differ else self.levels[:1]
            parts = [self._neighbours(level, direction) for level in levels for direction in directions]
            return self.table(name, np.concatenate(parts))
        return self.tables[name]

    def _neighbours(self, level: Level, direction: int) -> np.ndarray[Any, Any]:
        dx, dy = STEPS[direction]
        cell = np.arange(self.cells)
        x, y = cell % self.width + dx, cell // self.width + dy
        if self.spec.edge == "wrap":
            found = (y % self.height) * self.width + x % self.width
        elif self.spec.edge == "clip":
            found = np.clip(y, 0, self.height - 1) * self.width + np.clip(x, 0, self.width - 1)
            found = np.where(found == cell, -1, found)
        else:
            inside = (x >= 0) & (x < self.width) & (y >= 0) & (y < self.height)
            found = np.where(inside, y * self.width + x, -1)
        for place, side in level.barriers:
            here, there = (place, place + (1 if side == 0 else self.width))
            if direction == side:
                found[here] = THIN_WALL
            if direction == side + 2:
                found[there] = THIN_WALL
        if direction > 3 and level.barriers:
            self._stop_at_corners(level, found, dx, dy)
        return found

    def _stop_at_corners(self, level: Level, found: np.ndarray[Any, Any], dx: int, dy: int) -> None:
        """Stop diagonal moves whose both ways around the corner, across first and down first, are walled."""
        across = self._neighbours(level, 0 if dx > 0 else 2)
        down = self._neighbours(level, 1 if dy > 0 else 3)
        corners = {c for cell, _ in level.barriers for c in self._around(cell)}
        for cell in corners:
            beside, below = int(across[cell]), int(down[cell])
            target = int(found[cell])
            if target < 0:
                continue
            if cell // self.width == target // self.width or cell % self.width == target % self.width:
                # Clipped at the border: what is left of it is a straight move.
                straight = across if cell // self.width == target // self.width else down
                if straight[cell] < 0:
                    found[cell] = THIN_WALL
                continue
            across_first = beside >= 0 and down[beside] >= 0
            down_first = below >= 0 and across[below] >= 0
            if not across_first and not down_first:
                found[cell] = THIN_WALL

    def _around(self, cell: int) -> list[int]:
        """Return the cells from which a diagonal move can pass an edge of this cell."""
        x, y = cell % self.width, cell // self.width
        return [
            there_y * self.width + there_x
            for there_x in range(max(0, x - 1), min(self.width, x + 2))
            for there_y in range(max(0, y - 1), min(self.height, y + 2))
        ]


def _speaks_of_diagonals(spec: GridSpec) -> bool:
    """Whether an action goes diagonally, or anything that can turn an agent speaks of such a direction."""
    words = {*COMPASS[4:], "up_right", "up_left", "down_right", "down_left"}
    parts = (
        [group.items for group in spec.actions],
        [kind.items for kind in spec.kinds],
        [variable.domain for variable in spec.variables],
        spec.setup,
        [rule.effects for rule in spec.rules],
    )
    for node in walk(parts):
        if isinstance(node, n.Name | n.ActionItem | n.Primitive) and node.name in words:
            return True
        if isinstance(node, n.Joystick) and getattr(node.directions, "value", 8) == 8:
            return True
    return False


def _goes_to_eight(mover: n.Mover | None) -> bool:
    """Whether an agent that plays by itself may go to eight neighbours, as with an installed package it may."""
    movers = [node for node in walk(mover) if isinstance(node, n.Mover)]
    return any(each.neighbours == 8 or each.policy in plug_ins(MOVERS_GROUP) for each in movers)


def domain_range(domain: Domain) -> tuple[int, int]:
    """Return the range of the codes of a domain."""
    if domain.form == "words":
        return 0, len(domain.words) - 1
    if domain.form == "bool":
        return 0, 1
    return int(domain.low), int(domain.high)


def domain_type(domain: Domain) -> ValueType:
    """Return the type of the values of a domain."""
    if domain.form == "words":
        return Words(domain.words)
    return TRUTH if domain.form == "bool" else NUMBER


def make_world(spec: GridSpec, report: Report) -> World | None:
    """Resolve everything that clauses can speak of; None where errors keep them from being read."""
    params, domains = bind_params(spec, report)
    if report.is_stuck:
        return None
    kinds = collect_kinds(spec, params, report)
    if report.is_stuck:
        return None
    levels = read_levels(spec, kinds, params, report)
    if spec.generate is not None:
        level = generated_level(spec, kinds, params, report)
        levels = [level] if level is not None else []
    if not levels or report.is_stuck:
        if not report.is_stuck:
            report.add("missing-statement", spec.place("env"), keyword="map")
        return None
    agents, names = _agents(spec, kinds, params, report)
    size = levels[0].width, levels[0].height
    world = World(spec, report, params, domains, kinds, *size, levels, agents, names)
    world._changing = _changing_attributes(spec)
    world.dynamic_tiles = len(levels) > 1 or _tiles_change(spec, kinds)
    world.layers = list(dict.fromkeys(kind.layer for kind in world.object_kinds())) or ["things"]
    world.capacity = _capacity(world)
    _read_limit(world)
    world.can_leave = world.several and _leaves(spec)
    _read_variables(world)
    _read_regions(world)
    if world.dynamic_tiles:
        _ = world.tile_slot
    return world


def bind_params(spec: GridSpec, report: Report) -> tuple[dict[str, Any], dict[str, Domain]]:
    """Return the values of the parameters, the given ones checked, and their domains."""
    values: dict[str, Any] = {}
    domains: dict[str, Domain] = {}
    for declaration in spec.params:
        if declaration.name in domains:
            report.add("duplicate-name", declaration.span, name=declaration.name)
            continue
        domain, code = read_domain(
            declaration.default, declaration.domain, values, report, declaration.name, real=True
        )
        if domain is None:
            continue
        domains[declaration.name] = domain
        values[declaration.name] = _decoded(domain, code)
    for name, value in spec.arguments.items():
        if name in BUILT_IN_PARAMS:
            values[name] = value
            continue
        if name not in domains:
            known = [*domains, *BUILT_IN_PARAMS] if spec.maps else list(domains)
            help = did_you_mean(name, known) or (f"parameters: {', '.join(known)}" if known else None)
            report.add("unknown-param", spec.place("env"), name=name, help=help)
            report.unexpected = report.unexpected or (name, known)
            continue
        code = domains[name].code(_plain(value))
        if code is None:
            span = next(declaration.span for declaration in spec.params if declaration.name == name)
            help = (
                "true and false are given as Python's True and False"
                if domains[name].form == "bool"
                else None
            )
            report.add("param-value", span, name=name, value=_shown(value), domain=domains[name], help=help)
            continue
        values[name] = _decoded(domains[name], code)
    return values, domains


def _shown(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


def _plain(value: Any) -> Any:
    """Return a numpy scalar as Python's own; everything else as it is."""
    return value.item() if isinstance(value, np.generic) else value


def _decoded(domain: Domain, code: Any) -> Any:
    if domain.form == "words":
        return domain.words[code]
    return bool(code) if domain.form == "bool" else Fraction(code)


def _agents(
    spec: GridSpec, kinds: dict[str, Kind], params: dict[str, Any], report: Report
) -> tuple[list[Kind], list[str]]:
    """Return the kind of each agent and its name; those of ``hunter * 2`` are ``hunter_0`` and ``hunter_1``."""
    listed = [item.name for item in spec.agents]
    for declaration in spec.kinds:
        if declaration.category == "agent" and declaration.name not in {"agent", *listed}:
            help = (
                did_you_mean(declaration.name, listed)
                or f"list it: `agents: {', '.join([*listed, declaration.name])}`"
            )
            report.add("unknown-name", declaration.span, where="`agent`", name=declaration.name, help=help)
    if not spec.agents:
        return [kinds["agent"]], ["agent"]
    agents: list[Kind] = []
    names: list[str] = []
    for item in spec.agents:
        count = _count(item, params, report)
        agents.extend([kinds[item.name]] * count)
        names.extend([item.name] if item.count is None else [f"{item.name}_{i}" for i in range(count)])
    if len(agents) > MOST_AGENTS:
        reason = f"there are {len(agents):,} agents; at most {MOST_AGENTS} are allowed"
        report.add("bad-value", spec.agents[0].span, reason=reason)
    elif all(kind.moves is not None for kind in agents):
        help = "leave out `moves` of the one that learns"
        report.add(
            "bad-value",
            spec.agents[0].span,
            reason="every agent moves by itself, so none can learn",
            help=help,
        )
    return agents, names


def _count(item: n.AgentsItem, params: dict[str, Any], report: Report) -> int:
    if item.count is None:
        return 1
    value = constant_number(item.count, params, report, "the number of agents")
    if value is None:
        return 1
    if value.denominator != 1 or not 1 <= value <= MOST_AGENTS:
        reason = f"the number of agents is a whole number from 1 to {MOST_AGENTS}"
        report.add("bad-value", item.count.span, reason=reason)
        return 1
    return int(value)


def _leaves(spec: GridSpec) -> bool:
    """Whether an agent can leave the game before it ends: by ``out``, or by a limit of its own."""
    return bool(spec.limits) or any(
        isinstance(node, n.Out) for rule in spec.rules for node in walk(rule.effects)
    )


def _effect_roots(spec: GridSpec) -> list[Any]:
    return [spec.setup, [rule.effects for rule in spec.rules]]


def _tiles_change(spec: GridSpec, kinds: dict[str, Kind]) -> bool:
    """Whether setup or a rule can change which tile a cell has."""
    if spec.generate is not None and is_random(spec.generate):
        return True
    for node in walk(_effect_roots(spec)):
        if isinstance(node, n.Place) and isinstance(node.kind, n.Name | n.Pattern):
            kind = kinds.get(node.kind.name)
            if kind is None or kind.category == "tile":
                return True
        if isinstance(node, n.Becomes) and isinstance(node.target, n.Name | n.Pattern):
            kind = kinds.get(node.target.name)
            if kind is not None and kind.category == "tile" and not _is_word_of(node.value, kind):
                return True
            if (
                kind is not None
                and kind.category == "object"
                and _gives_a_tile(spec, kinds, node.value, kind)
            ):
                return True
        if isinstance(node, n.Handle) and node.verb == "remove" and isinstance(node.kind, n.Name):
            kind = kinds.get(node.kind.name)
            if kind is not None and kind.category == "tile":
                return True
    return False


def _gives_a_tile(spec: GridSpec, kinds: dict[str, Kind], value: Any, kind: Kind) -> bool:
    """Whether what an object becomes can be a tile: one that is named, or one that is chosen."""
    words = {word for attribute in kind.attributes.values() for word in attribute.domain.words}
    named = {node.name for node in walk(value) if isinstance(node, n.Name | n.Pattern)} - words
    for node in walk(_effect_roots(spec)):
        if isinstance(node, n.Choose) and named & set(node.names):
            named |= {part.name for part in walk(node.domain) if isinstance(part, n.Name)}
    return any(name in kinds and kinds[name].category == "tile" for name in named)


def _is_word_of(node: Any, kind: Kind) -> bool:
    words = {word for attribute in kind.attributes.values() for word in attribute.domain.words}
    return isinstance(node, n.Name) and node.name in words


def _changing_attributes(spec: GridSpec) -> set[tuple[str, str]]:
    """Return the attributes of tiles that a rule or setup can change."""
    kinds = {declaration.name: declaration for declaration in spec.kinds}
    changing: set[tuple[str, str]] = set()
    for node in walk(_effect_roots(spec)):
        if not isinstance(node, n.Becomes | n.Assign):
            continue
        target = node.target
        if isinstance(target, n.Attribute):
            changing.add((target.name, "tile"))
        elif isinstance(target, n.Name | n.Pattern) and target.name in kinds:
            names = [item.name for item in kinds[target.name].items if isinstance(item, n.AttributeItem)]
            changing.update((name, "tile") for name in names)
    return changing


def _capacity(world: World) -> int:
    """Return how many objects there can be at once: those drawn, and all that setup and rules can make."""
    drawn = max(len(level.objects) for level in world.levels)
    if not world.object_kinds():
        return 0
    room = world.cells * len(world.layers)
    held = max([1, *(kind.carries or 0 for kind in world.kinds.values())])
    starts = [thing for level in world.levels for thing in level.starts]
    extra = len(world.agents) * max((_held_by(thing.attributes) for thing in starts), default=0)
    object_names = {kind.name for kind in world.object_kinds()}
    variable = {kind.name for kind in world.kinds.values()}
    rounds = _rounds(world)
    for root, repeats in ((world.spec.setup, False), ([rule.effects for rule in world.spec.rules], True)):
        for node in walk(root):
            if isinstance(node, n.Pattern) and any(name == "carries" for name, _ in node.arguments):
                extra += room * held
            if not isinstance(node, n.Place) or not isinstance(node.kind, n.Name | n.Pattern):
                continue
            if node.kind.name not in object_names and node.kind.name in variable:
                continue
            if repeats or node.area is not None or isinstance(node.at, n.EveryCell):
                extra += world.cells * len(world.layers)
            else:
                count = (
                    None if node.count is None else constant_number(node.count, world.params, Report(), "")
                )
                placed = 1 if node.count is None else int(count) if count is not None else world.cells
                extra += placed * rounds.get(id(node), 1)
    return max(1, min(drawn + extra, room * (1 + held) + drawn, MOST_OBJECTS))


def _held_by(attributes: Mapping[str, Any]) -> int:
    """Return how many objects something has from the start: what it carries, and what that carries."""
    content = attributes.get("carries")
    return 0 if content is None else 1 + _held_by(dict(getattr(content, "arguments", ())))


def _rounds(world: World) -> dict[int, int]:
    """Return how often each ``place`` of setup that stands in a ``repeat`` can be carried out."""
    rounds: dict[int, int] = {}
    for node in walk(world.spec.setup):
        if isinstance(node, n.Repeat):
            count = constant_number(node.count, world.params, Report(), "")
            times = max(0, int(count)) if count is not None else world.cells
            for inner in walk(node.body):
                if isinstance(inner, n.Place):
                    rounds[id(inner)] = rounds.get(id(inner), 1) * times
    return rounds


def _read_limit(world: World) -> None:
    if world.spec.limit is not None:
        world.limit = _steps(world, world.spec.limit)
    agents = {kind.name for kind in world.agents} if world.several else set()
    for own in world.spec.limits:
        if own.agent not in agents:
            known = sorted(agents)
            help = did_you_mean(own.agent, known) or "`limit: N steps` is for the whole episode"
            world.report.add("unknown-name", own.span, where="`limit`", name=own.agent, help=help)
            continue
        steps = _steps(world, own.steps)
        if steps is not None:
            world.own_limits[own.agent] = steps
            _ = world.step


def _steps(world: World, node: Any) -> int | None:
    value = constant_number(node, {**world.params, **_dimensions(world)}, world.report, "the limit")
    if value is None:
        return None
    if value.denominator != 1 or value < 1 or value > 2**40:
        world.report.add("bad-value", node.span, reason="a limit is a whole number of steps, 1 or more")
        return None
    return int(value)


def _dimensions(world: World) -> dict[str, Any]:
    return {"width": Fraction(world.width), "height": Fraction(world.height)}


def _read_variables(world: World) -> None:
    for declaration in world.spec.variables:
        if (
            declaration.name in world.variables
            or declaration.name in world.params
            or declaration.name in world.kinds
        ):
            _report_twice(world, declaration.name, declaration.span)
            continue
        domain, default = read_domain(
            declaration.default, declaration.domain, world.params, world.report, declaration.name
        )
        if domain is None:
            world.reported.add(declaration.name)
            continue
        low, high = domain_range(domain)
        slot = world.slot(
            ("VAR", declaration.name),
            1,
            low,
            high,
            type="bool" if domain.form == "bool" else "int",
            initial=(int(default),),
        )
        world.variables[declaration.name] = Variable(
            declaration.name, slot, domain_type(domain), domain, declaration.span
        )


def _report_twice(world: World, name: str, span: Span) -> None:
    """Report a name that is declared a second time; what it names first is shown."""
    places = {
        declaration.name: declaration.span for declaration in (*world.spec.variables, *world.spec.params)
    }
    first = places.get(name) or (world.kinds[name].span if name in world.kinds else span)
    labels = [Label(first, "first here")] if first is not span and first.end > first.start else []
    built_in = name in world.kinds and world.kinds[name].span.end <= world.kinds[name].span.start
    help = f"`{name}` is a kind, and built in: choose another name, such as `my_{name}`" if built_in else None
    world.report.add("duplicate-name", span, name=name, labels=labels, help=help)


def _with_ranges(rectangle: n.Rectangle) -> str | None:
    """Return what a rectangle is whose ranges are written `0-4`; None for others."""
    text = rectangle.span.text
    return write(re.sub(r"(\d+)\s*-\s*(\d+)", r"\1..\2", text)) if re.search(r"\d\s*-\s*\d", text) else None


def _read_regions(world: World) -> None:
    for region in world.spec.regions:
        mask = np.zeros((world.height, world.width), dtype=bool)
        for rectangle in region.rectangles:
            sides = [
                constant_number(side, {**world.params, **_dimensions(world)}, world.report, "a region")
                for side in (rectangle.left, rectangle.right, rectangle.top, rectangle.bottom)
            ]
            if any(side is None for side in sides):
                continue
            if any(side is not None and side.denominator != 1 for side in sides):
                world.report.add(
                    "type", rectangle.span, found="a fraction", expected="a whole number of cells"
                )
                continue
            left, right, top, bottom = (int(side) for side in sides if side is not None)
            if not (0 <= left <= right < world.width and 0 <= top <= bottom < world.height):
                world.report.add(
                    "bad-offset",
                    rectangle.span,
                    reason=f"this rectangle does not lie on the {world.width} x {world.height} grid",
                    help=_with_ranges(rectangle)
                    or f"columns are 0..{world.width - 1}, rows 0..{world.height - 1}; a range grows",
                )
                continue
            mask[top : bottom + 1, left : right + 1] = True
        if region.name in world.regions or region.name in world.variables or region.name in world.params:
            _report_twice(world, region.name, region.span)
        world.regions[region.name] = mask.reshape(-1)
