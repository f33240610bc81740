"""Actions: what each one does, which keys play it, when it is legal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from griddsl.diagnostics import Label, did_you_mean, listing
from griddsl.lowering.world.compass import COMPASS
from griddsl.lowering.world.domains import constant_number
from griddsl.lowering.world.kinds import Kind, goes_ahead, read_direction
from griddsl.lowering.world.world import Role, World
from griddsl.source import Span
from griddsl.syntax import nodes as n

MOVES = {
    "up": "north",
    "right": "east",
    "down": "south",
    "left": "west",
    "up_right": "northeast",
    "up_left": "northwest",
    "down_right": "southeast",
    "down_left": "southwest",
}
RELATIVE = {"forward": 0, "backward": 2, "ahead": 0, "back": 2}
KNOWN = (*MOVES, "stay", "turn_left", "turn_right", "forward", "backward", "pickup", "drop", "toggle", "done")
KEYS: dict[str, tuple[str, ...]] = {
    "up": ("up", "w"),
    "right": ("right", "d"),
    "down": ("down", "s"),
    "left": ("left", "a"),
    "up_right": ("e",),
    "up_left": ("q",),
    "down_right": ("c",),
    "down_left": ("z",),
    "stay": (".",),
    "turn_left": ("left",),
    "turn_right": ("right",),
    "forward": ("up",),
    "backward": ("down",),
    "pickup": ("page up", "tab", "p"),
    "drop": ("page down", "left shift", "o"),
    "toggle": ("space", "t"),
    "done": ("return",),
}
FARTHEST = 1000


@dataclass(slots=True)
class Action:
    """One action: ``verb`` is ``move``, ``turn``, ``pickup``, ``drop``, ``toggle``, ``stay`` or ``none``.

    ``reach`` is the number of cells where only the game knows it (`(self.speed)`); ``cells`` is then the most.
    """

    name: str
    number: int
    group: int
    span: Span
    verb: str = "none"
    direction: int | None = None
    relative: int | None = None
    turn: int = 0
    cells: int = 1
    reach: Any = None
    through: Any = None
    chance: Any = None
    keys: tuple[str, ...] = ()
    allow: Any = None


@dataclass(slots=True)
class Group:
    """The actions of one ``actions`` statement; ``joystick`` is 4 or 8, or 0 for named actions.

    ``agent`` is the kind of agent whose actions they are, where not all have them; ``suffix`` ends the names of its
    tables.
    """

    name: str | None
    actions: list[Action]
    joystick: int = 0
    agent: str | None = None
    order: int = 0


def read_actions(world: World) -> None:
    """Fill in the world's actions, groups and roles."""
    agents = {kind.name for kind in world.agents} if world.spec.agents else set()
    numbers: dict[str | None, int] = {}
    seen_by: dict[str | None, dict[str, Span]] = {}
    for order, group in enumerate(world.spec.actions):
        agent = group.name if group.name in agents else None
        index = numbers[agent] = numbers.get(agent, -1) + 1
        seen = seen_by.setdefault(agent, {})
        made = Group(None if agent else group.name, [], agent=agent, order=order)
        for item in group.items:
            if isinstance(item, n.Joystick):
                _read_joystick(world, made, item, index)
                continue
            if item.name in seen:
                world.report.add(
                    "duplicate-action",
                    item.span,
                    name=item.name,
                    labels=[Label(seen[item.name], "first here")],
                )
                continue
            seen[item.name] = item.span
            action = Action(
                item.name, len(made.actions), index, item.span, keys=item.keys or KEYS.get(item.name, ())
            )
            _read_primitive(world, action, item)
            made.actions.append(action)
        world.groups.append(made)
        world.actions.extend(made.actions)
    _read_allow(world)
    world.roles = _roles(world)
    world.has_facing = any(a.relative is not None or a.turn for a in world.actions) or any(
        kind.faces for kind in world.kinds.values() if kind.category == "agent"
    )
    world.has_facing = world.has_facing or any(goes_ahead(kind) for kind in world.agents)
    world.has_facing = world.has_facing or any(
        "facing" in thing.attributes for level in world.levels for thing in level.starts
    )


def _roles(world: World) -> list[Role]:
    """Return the roles of the agents: those of a kind with something of its own play one of their own."""
    common = [group for group in world.groups if group.agent is None]
    if not world.several:
        return [Role("agent", world.agents[0], [0], common)]
    shared = [kind for kind in dict.fromkeys(world.agents) if not _has_its_own(world, kind)]
    roles: dict[str, Role] = {}
    for index, kind in enumerate(world.agents):
        own = [group for group in world.groups if group.agent == kind.name]
        if kind in shared:
            role_kind = kind if len(shared) == 1 else world.kinds["agent"]
            role = roles.setdefault("", Role(role_kind.name, role_kind, [], common))
        else:
            groups = [] if kind.moves is not None else own or common
            role = roles.setdefault(kind.name, Role(kind.name, kind, [], groups, kind.moves))
        role.members.append(index)
    for role in roles.values():
        if not role.groups and role.moves is None:
            help = f"write `actions:` for all agents, or `actions {role.name}:`"
            world.report.add("missing-statement", world.spec.agents[0].span, keyword="actions", help=help)
    return list(roles.values())


def _has_its_own(world: World, kind: Kind) -> bool:
    """Whether a kind of agent has actions, observations or properties that other agents do not have."""
    common = world.kinds["agent"]
    return (
        any(group.agent == kind.name for group in world.groups)
        or any(observe.name == kind.name for observe in world.spec.observe)
        or kind.attributes.keys() != common.attributes.keys()
        or any(kind.attributes[name] is not common.attributes[name] for name in kind.attributes)
        or (kind.carries, kind.moves) != (common.carries, common.moves)
        or kind.moves is not None
    )


def _read_joystick(world: World, group: Group, item: n.Joystick, index: int) -> None:
    count = constant_number(item.directions, world.params, world.report)
    if count not in (4, 8) or group.actions:
        world.report.add("bad-value", item.span, reason="a joystick has 4 or 8 directions, and stands alone")
        return
    group.joystick = int(count)
    names = {direction: name for name, direction in MOVES.items()}
    for direction in range(int(count)):
        name = names[COMPASS[direction]]
        group.actions.append(Action(name, direction, index, item.span, "move", direction, keys=KEYS[name]))
    group.actions.append(Action("stay", int(count), index, item.span, "stay", keys=KEYS["stay"]))


def _read_primitive(world: World, action: Action, item: n.ActionItem) -> None:
    primitive = item.primitive
    if primitive is None:
        _known(action, item.name)
        if action.verb == "none" and item.name not in KNOWN:
            action.keys = item.keys or _free_key(world, item.name)
        return
    if primitive.cells is None:
        if primitive.name not in KNOWN:
            help = did_you_mean(primitive.name, KNOWN) or f"primitives: {listing(KNOWN, 'and', 20)}"
            world.report.add("unknown-action", primitive.span, name=primitive.name, help=help)
            return
        _known(action, primitive.name)
        action.keys = item.keys or KEYS.get(item.name) or KEYS.get(primitive.name, ())
        return
    action.verb = "move"
    if primitive.name in RELATIVE:
        action.relative = RELATIVE[primitive.name]
    elif primitive.name in MOVES:
        action.direction = COMPASS.index(MOVES[primitive.name])
    else:
        action.direction = read_direction(primitive.name, primitive.span, world.report)
    if _is_known_in_play(world, primitive.cells):
        action.reach, action.cells = primitive.cells, FARTHEST
        cells = None
    else:
        cells = constant_number(primitive.cells, world.params, world.report, "the number of cells")
    if cells is not None and (cells.denominator != 1 or not 1 <= cells <= FARTHEST):
        world.report.add("bad-value", primitive.cells.span, reason=f"a move goes 1 to {FARTHEST} cells")
    elif cells is not None:
        action.cells = int(cells)
    action.through, action.chance = primitive.through, primitive.chance
    if not action.keys:
        wanted = next((name for name, compass in MOVES.items() if compass == primitive.name), None)
        action.keys = _free_key(world, item.name) or (KEYS[wanted] if wanted else ())


def _is_known_in_play(world: World, node: Any) -> bool:
    """Whether a number depends on what changes in a game: an attribute, a variable."""
    variables = {declaration.name for declaration in world.spec.variables}
    return any(
        isinstance(part, n.Attribute) or (isinstance(part, n.Name) and part.name in variables)
        for part in n.walk(node)
    )


def _known(action: Action, name: str) -> None:
    if name in MOVES:
        action.verb, action.direction = "move", COMPASS.index(MOVES[name])
    elif name in {"forward", "backward"}:
        action.verb, action.relative = "move", RELATIVE[name]
    elif name in {"turn_left", "turn_right"}:
        action.verb, action.turn = "turn", -1 if name == "turn_left" else 1
    elif name in {"pickup", "drop", "toggle", "stay"}:
        action.verb = name


def _free_key(world: World, name: str) -> tuple[str, ...]:
    """Return the first letter of a name that no other action plays."""
    taken = {
        key
        for group in world.spec.actions
        for item in group.items
        if isinstance(item, n.ActionItem)
        for key in item.keys
    }
    taken |= {key for action in world.actions for key in action.keys}
    taken |= {
        key
        for group in world.spec.actions
        for item in group.items
        if isinstance(item, n.ActionItem)
        for key in KEYS.get(item.name, ())
    }
    return next(((letter,) for letter in name.lower() if letter.isalpha() and letter not in taken), ())


def _read_allow(world: World) -> None:
    by_name: dict[str, list[Action]] = {}
    for action in world.actions:
        by_name.setdefault(action.name, []).append(action)
    for allow in world.spec.allow:
        if allow.action not in by_name:
            help = did_you_mean(allow.action, by_name) or f"actions: {listing(by_name, 'and')}"
            world.report.add("unknown-action", allow.span, name=allow.action, help=help)
        for action in by_name.get(allow.action, ()):
            action.allow = allow.condition
