"""The game: what a spec says once and for all, read into plain Python objects."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from tests.reference.compass import COMPASS, MOVES
from tests.reference.kinds import Domain, Kind, collect_kinds, domain_of, goes_ahead, parameters, way_of
from tests.reference.legend import Legend
from tests.reference.maps import Level, Place, generated, read_levels
from tests.reference.numbers import plain


@dataclass(eq=False)
class Action:
    """An action: what its primitive is (section 7). ``cells`` is a number, or an expression that the game decides."""

    name: str
    number: int
    verb: str = "none"  # move, turn, pickup, drop, toggle, stay or none
    direction: int | None = None
    relative: int | None = None  # quarters from where the agent faces
    cells: Any = 1
    through: Any = None
    chance: Any = None
    allow: Any = None
    given: dict[str, Any] = field(default_factory=dict)  # what it takes, by name; a cell as its place
    wheres: tuple[Any, ...] = ()
    axes: dict[str, int] = field(
        default_factory=dict
    )  # the groups that say what it takes, where they are axes


@dataclass
class Group:
    """The actions of one ``actions`` statement, or the values of an axis; ``joystick`` is 4, 8 or 0."""

    actions: list[Action]
    joystick: int = 0
    agent: str | None = None
    axis: list[Any] | None = None


def _written(domain: Any) -> str:
    """Return a domain as it is written, blanks apart: axes of one name and one domain are one."""
    return "".join(domain.span.text.split())


class Game:
    """What a spec declares. Nothing here changes while it is played."""

    def __init__(self, spec: GridSpec, written: GridSpec) -> None:
        self.written = written  # before definitions are put where they are used
        self.legend = Legend.of(spec)
        self.spec = spec = spec.model_copy(update={"legend": self.legend.items})
        self.params = parameters(spec, self._constant_with)
        self.names: dict[str, Any] = dict(self.params)
        self.kinds = collect_kinds(spec, self.constant)
        self.levels = self._levels()
        self.width, self.height = self.levels[0].width, self.levels[0].height
        self.names |= {"width": Fraction(self.width), "height": Fraction(self.height)}
        self.limit = None if spec.limit is None else int(self.constant(spec.limit))
        if self.limit is not None:
            self.names["limit"] = Fraction(self.limit)
        self.own_limits = {own.agent: int(self.constant(own.steps)) for own in spec.limits}
        self.variables = self._variables()
        self.regions = {region.name: self._region(region.rectangles) for region in spec.regions}
        if "cells" not in {*self.kinds, *self.names, *self.variables, *self.regions}:
            self.regions["cells"] = {(x, y) for x in range(self.width) for y in range(self.height)}
        self.groups_so_far: list[Group] = []
        self.agents, self.agent_names = self._agents()
        self.several = len(self.agents) > 1
        layers = [kind.layer for kind in self.kinds.values() if kind.category == "object"]
        self.layers = list(dict.fromkeys(layers))
        self.groups = [made for group in spec.actions for made in self._groups(group)]
        self.has_facing = self._has_facing()
        goals = (item for each in spec.observe if each.name == "goal" for item in each.items)
        self.goal = [item for item in goals if isinstance(item, n.ObserveItem)]

    def __deepcopy__(self, memo: Any) -> Game:
        return self

    # Constants

    def constant(self, node: Any) -> Any:
        """Return what an expression of numbers, words and parameters is worth."""
        return self._constant_with(node, self.names)

    @staticmethod
    def _constant_with(node: Any, names: dict[str, Any]) -> Any:
        from tests.reference.expressions import evaluate
        from tests.reference.scope import Scope

        return evaluate(node, Scope(None, dict(names)))

    # Declarations

    def _levels(self) -> list[Level]:
        if self.spec.generate is not None:
            return [generated(self.spec, self.kinds, self.constant)]
        return read_levels(self.spec, self.kinds)

    def _variables(self) -> dict[str, tuple[Domain, Any]]:
        found = {}
        for declared in self.spec.variables:
            domain = domain_of(declared.domain, declared.default, self.constant)
            default = domain.first if declared.default is None else plain(self.constant(declared.default))
            found[declared.name] = domain, default
        return found

    def area(self, area: n.Rectangle) -> set[Place]:
        """Return the cells of an area that stands in place."""
        return self._region((area,))

    def _region(self, rectangles: tuple[Any, ...]) -> set[Place]:
        found: set[Place] = set()
        for each in rectangles:
            sides = (each.left, each.right, each.top, each.bottom)
            left, right, top, bottom = (int(self.constant(side)) for side in sides)
            found |= {(x, y) for x in range(left, right + 1) for y in range(top, bottom + 1)}
        return found

    def _agents(self) -> tuple[list[Kind], list[str]]:
        kinds, names = [], []
        for item in self.spec.agents:
            count = None if item.count is None else int(self.constant(item.count))
            kinds += [self.kinds[item.name]] * (1 if count is None else count)
            names += [item.name] if count is None else [f"{item.name}_{i}" for i in range(count)]
        return (kinds, names) if kinds else ([self.kinds["agent"]], ["agent"])

    def _has_facing(self) -> bool:
        actions = [action for group in self.groups for action in group.actions]
        agents = {kind for kind in self.kinds.values() if kind.category == "agent"}
        given = [start.attributes for level in self.levels for start in level.starts]
        said = {
            value.name: {part.name for part in walk(value.domain) if isinstance(part, n.Name)}
            for value in (*self.spec.variables, *self.spec.params)
        }
        given += [
            dict(node.kind.arguments)
            for node in walk((self.spec.preparing, [rule.effects for rule in self.spec.rules]))
            if isinstance(node, n.Place) and isinstance(node.kind, n.Pattern)
            if any(self.kinds.get(name) in agents for name in {node.kind.name, *said.get(node.kind.name, ())})
        ]
        return (
            any(action.relative is not None for action in actions)
            or any(kind.facing or goes_ahead(kind) for kind in agents)
            or any("facing" in attributes for attributes in given)
        )

    # Actions

    def _groups(self, group: Any) -> list[Group]:
        made = self._group(group)
        if not group.axes:
            self.groups_so_far.append(made)
            return [made]
        before = sum(other.agent == made.agent for other in self.groups_so_far)
        found: dict[tuple[str, Any], Group] = {}
        for action, item in zip(made.actions, group.items, strict=True):
            for taken in item.arguments:
                key = taken.over.name, _written(taken.over.domain)
                if key not in found:
                    values = self._domain(taken.over.domain)
                    nothing = [Action("", number) for number in range(len(values))]
                    found[key] = Group(nothing, 0, made.agent, values)
                action.axes[taken.over.name] = before + 1 + list(found).index(key)
        self.groups_so_far += [made, *found.values()]
        return [made, *found.values()]

    def _domain(self, domain: Any) -> list[Any]:
        """Return the values of a domain, in order; cells as their places."""
        if isinstance(domain, n.RangeDomain):
            return list(range(int(self.constant(domain.low)), int(self.constant(domain.high)) + 1))
        found: list[Any] = []
        for value in domain.values:
            name = value.name if isinstance(value, n.Name) else ""
            places = [(x, y) for y in range(self.height) for x in range(self.width)]
            if name in self.regions or isinstance(value, n.Rectangle):
                area = self.area(value) if isinstance(value, n.Rectangle) else self.regions[name]
                found += [place for place in places if place in area]
            elif name in {"directions", "diagonals"}:
                found += COMPASS[:4] if name == "directions" else COMPASS[4:]
            elif name and name not in self.params:
                found.append(name)
            else:
                found.append(plain(self.constant(value)))
        return [False, True] if all(isinstance(value, bool) for value in found) else found

    def _taking(self, group: Any) -> list[Action]:
        """Return the actions of a statement: of one with arguments, one for all of their values together."""
        found: list[Action] = []
        for item in group.items:
            wheres = tuple(taken.where for taken in item.arguments if taken.where is not None)
            values = [] if group.axes else [self._domain(taken.over.domain) for taken in item.arguments]
            for together in product(*values):
                action = self._action(len(found), item)
                if item.arguments:
                    action.verb, action.direction, action.relative = "none", None, None
                names = [taken.over.name for taken in item.arguments]
                action.given = dict(zip(names, together, strict=False))
                action.wheres = wheres
                found.append(action)
        return found

    def _group(self, group: Any) -> Group:
        first = (group.name or "").split(" ")[0]  # `actions red:`, `actions red hand:`
        own = first if any(kind.name == first for kind in self.agents) else None
        if isinstance(group.items[0], n.Joystick):
            count = int(self.constant(group.items[0].directions))
            names = {direction: name for name, direction in MOVES.items()}
            moves = [Action(names[COMPASS[i]], i, "move", direction=i) for i in range(count)]
            actions, joystick = [*moves, Action("stay", count, "stay")], count
        else:
            actions, joystick = self._taking(group), 0
        for action in actions:
            if self.agents[
                0
            ].nowhere:  # who stands nowhere neither moves nor handles: its actions are what rules say
                action.verb, action.direction, action.relative = "none", None, None
            action.allow = next((a.condition for a in self.spec.allow if a.action == action.name), None)
        return Group(actions, joystick, own)

    def _action(self, number: int, item: n.ActionItem) -> Action:
        made = Action(item.name, number)
        primitive = item.primitive
        known = item.name if primitive is None else primitive.name
        if primitive is not None and primitive.cells is not None:
            made.verb, made.cells = "move", primitive.cells
            made.through, made.chance = primitive.through, primitive.chance
            if known in (*COMPASS, *self.params):
                made.direction = way_of(known, primitive.span, self.constant)
                return made
        if known in MOVES:
            made.verb, made.direction = "move", COMPASS.index(MOVES[known])
        elif known in {"strafe_left", "strafe_right"}:
            made.verb, made.relative = "move", 3 if known == "strafe_left" else 1
        elif known in {"forward", "backward"} or (primitive is not None and known in {"ahead", "back"}):
            made.verb, made.relative = "move", 0 if known in {"forward", "ahead"} else 2
        elif known in {"turn_left", "turn_right"}:
            made.verb, made.relative = "turn", -1 if known == "turn_left" else 1
        elif known in {"pickup", "drop", "toggle", "stay"}:
            made.verb = known
        return made

    def groups_of(self, kind: Kind) -> list[Group]:
        """Return the groups of actions of an agent: those of its kind, or else the common ones, or none (it has ``moves``)."""
        if self.moves_by_itself(kind):
            return []
        own = [group for group in self.groups if group.agent == kind.name]
        return own or [group for group in self.groups if group.agent is None]

    @property
    def can_be_away(self) -> bool:
        """Whether a rule sends agents away for some steps."""
        effects = walk([rule.effects for rule in self.spec.rules])
        return self.several and any(isinstance(each, n.Out) and each.steps is not None for each in effects)

    @property
    def longest_away(self) -> int:
        """The most steps for which an agent is away: as rules say, where all name constants, within an episode."""
        most = self.limit or 10_000
        said = [node.steps for node in walk([r.effects for r in self.spec.rules]) if isinstance(node, n.Out)]
        steps = [each for each in said if each is not None]
        parts = [part for each in steps for part in walk(each)]
        if any(not isinstance(part, n.Number | n.Name | n.Arithmetic | n.Negate) for part in parts):
            return most
        if any(isinstance(part, n.Name) and part.name not in self.params for part in parts):
            return most
        return max(min(max(int(self.constant(each)), 1), most) for each in steps)

    def moves_by_itself(self, kind: Kind) -> bool:
        """Whether an agent of a kind plays by itself."""
        return self.several and kind.moves is not None

    @property
    def learners(self) -> list[int]:
        """The agents that are given actions."""
        return [i for i, kind in enumerate(self.agents) if not self.moves_by_itself(kind)]

    @property
    def turns(self) -> str:
        """Who acts when; where only one learns, a step lets each have its turn."""
        if self.spec.turns == "alternate" and len(self.learners) == 1:
            return "in_order"
        return self.spec.turns

    @property
    def agents_block(self) -> bool:
        """Whether an agent does not move into the cell where another stays."""
        return self.several and self.spec.contested != "share"

    @property
    def has_diagonals(self) -> bool:
        """Whether an agent can move diagonally, by an action or by itself, or what could turn one names a diagonal."""
        from tests.reference.creatures import reach

        spec = self.written
        declared = [(each.default, each.domain) for each in (*spec.variables, *spec.params)]
        said: list[Any] = [declared, spec.legend, [kind.items for kind in spec.kinds]]
        words = {*COMPASS[4:], "diagonals", "up_right", "up_left", "down_right", "down_left"}
        said.append([(each.value, each.effects) for each in spec.definitions])
        said += [group.items for group in spec.actions], spec.preparing, [rule.effects for rule in spec.rules]
        for node in walk(said):
            if isinstance(node, n.Name | n.ActionItem | n.Primitive) and node.name in words:
                return True
        actions = [action for group in self.groups for action in group.actions]
        return any((action.direction or 0) > 3 for action in actions) or any(
            reach(kind.moves) > 4 for kind in self.agents if self.moves_by_itself(kind)
        )


@dataclass
class Memory:
    """What a spec asks to be remembered: the expressions in ``prev`` and in ``lowest``."""

    previous: list[Any] = field(default_factory=list)
    lowest: list[Any] = field(default_factory=list)

    @staticmethod
    def of(spec: GridSpec) -> Memory:
        """Collect the expressions that a spec remembers."""
        memory = Memory()
        parts = [getattr(spec, name) for name in type(spec).model_fields]
        for node in walk([_nodes(part) for part in parts]):
            if isinstance(node, n.Call) and node.name in {"prev", "lowest"}:
                listed = memory.previous if node.name == "prev" else memory.lowest
                if node.arguments[0] not in listed:
                    listed.append(node.arguments[0])
        return memory


def _nodes(part: Any) -> Any:
    """Return the clauses of a part of a spec: those of its statements, where it is a list of them."""
    if isinstance(part, tuple):
        return [_nodes(each) for each in part]
    if hasattr(part, "__dataclass_fields__") and not isinstance(part, n.Node):
        return [_nodes(value) for name, value in vars(part).items() if name != "span" and name != "spans"]
    return part
