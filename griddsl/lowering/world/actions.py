"""Actions: what each one does, which keys play it, when it is legal."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from griddsl.compass import ARROWS, COMPASS, DIAGONAL_ARROWS
from griddsl.diagnostics import Help, Label, Report, did_you_mean, listing, write
from griddsl.lowering.world.arguments import Argument, ArgumentReader
from griddsl.lowering.world.constants import constant_number
from griddsl.lowering.world.declared import read_direction
from griddsl.lowering.world.kinds import Kind, who_stands
from griddsl.source import Source, Span
from griddsl.spec.models import ActionGroup, GridSpec
from griddsl.spec.reckoned import Scalar
from griddsl.syntax import nodes as n

MOVES = {**ARROWS, **DIAGONAL_ARROWS}
# How many quarters to the right of its facing an agent moves.
BY_FACING = {"forward": 0, "backward": 2, "strafe_left": 3, "strafe_right": 1}
RELATIVE = {**BY_FACING, "ahead": 0, "back": 2}
KNOWN = (*MOVES, "stay", "turn_left", "turn_right", *BY_FACING, "pickup", "drop", "toggle", "done")
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
    "strafe_left": ("q",),
    "strafe_right": ("e",),
    "pickup": ("page up", "tab", "p"),
    "drop": ("page down", "left shift", "o"),
    "toggle": ("space", "t"),
    "done": ("return",),
}
FARTHEST = 1000
MOST_ACTIONS = 20_000


@dataclass(frozen=True, slots=True)
class Action:
    """One action: ``verb`` is ``move``, ``turn``, ``pickup``, ``drop``, ``toggle``, ``stay`` or ``none``.

    ``reach`` is the number of cells where only the game knows it (`(self.speed)`); ``cells`` is then the most.
    An action that takes ``arguments`` has ``count`` numbers, from ``number`` on, one for each of their values together,
    the last counting fastest; where they are axes of their own it has one number, and ``axes`` are the groups that say
    the values.
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
    reach: n.Expression | None = None
    through: n.Expression | None = None
    chance: n.Expression | None = None
    keys: tuple[str, ...] = ()
    allow: n.Expression | None = None
    arguments: tuple[Argument, ...] = ()
    count: int = 1
    axes: tuple[int, ...] = ()

    @property
    def is_limited(self) -> bool:
        """Whether there may be states in which it, or some of its values, is not allowed."""
        return self.allow is not None or any(argument.where is not None for argument in self.arguments)

    def values(self) -> Iterator[tuple[str, ...]]:
        """Yield the values of its numbers, as they are written."""
        yield from product(*(argument.words for argument in self.arguments))

    def names(self) -> Iterator[str]:
        """Yield the names of its numbers: `mark(2, 1)`, `swap((0, 1), (2, 1))`, `throw(east)`."""
        if not self.arguments or self.axes:
            yield self.name
            return
        for values in self.values():
            (first, *more) = values
            inside = first[1:-1] if not more and first.startswith("(") else ", ".join(values)
            yield f"{self.name}({inside})"


@dataclass(frozen=True, slots=True)
class Group:
    """The actions of one ``actions`` statement; ``joystick`` is 4 or 8, or 0 for named actions.

    ``agent`` is the kind of agent whose actions they are, where not all have them; ``order`` is its place among the
    statements. A group with an ``axis`` has no actions: its numbers say what those of the group before it take.
    """

    name: str | None
    actions: tuple[Action, ...]
    joystick: int = 0
    agent: str | None = None
    order: int = 0
    axis: Argument | None = None

    @property
    def size(self) -> int:
        """How many numbers there are to choose among."""
        return self.axis.size if self.axis is not None else sum(action.count for action in self.actions)

    @property
    def numbered(self) -> list[Action]:
        """The action of each number."""
        return [action for action in self.actions for _ in range(action.count)]


def read_actions(
    spec: GridSpec,
    agents: Sequence[Kind],
    params: Mapping[str, Scalar],
    report: Report,
    arguments: ArgumentReader,
) -> tuple[Group, ...]:
    """Return the groups of actions, each action with the condition under which it is allowed."""
    reader = _Reader(spec, params, report, arguments, agents)
    kinds = {kind.name for kind in agents} if spec.agents else set()
    numbers: dict[str | None, int] = {}
    seen: dict[str | None, dict[str, Span]] = {}
    groups: list[Group] = []
    for order, group in enumerate(spec.actions):
        agent, name = group.owned(kinds)
        if name is not None and " " in name:
            _report_owner(group, kinds, report)
        index = numbers[agent] = numbers.get(agent, -1) + 1
        taken = {key for each in groups for action in each.actions for key in action.keys}
        actions, joystick = reader.actions(group, index, seen.setdefault(agent, {}), taken)
        if group.axes:
            actions, axes = _with_axes(actions, index)
            groups.append(Group(name, actions, joystick, agent, order))
            groups += [Group(axis.name, (), 0, agent, order, axis) for axis in axes]
            numbers[agent] = index + len(axes)
        else:
            groups.append(Group(name, actions, joystick, agent, order))
    return _allowed(spec, groups, report)


def _report_owner(group: ActionGroup, agents: Collection[str], report: Report) -> None:
    """Report `actions hand red: ...`, where no agent is called `hand`."""
    first, _, second = (group.name or "").partition(" ")
    place = group.span.word(first)
    help = did_you_mean(first, sorted(agents)) if agents else "there is one agent"
    if second in agents:
        help = Help(
            f"the agent comes first: write `{second} {first}`",
            (f"{second} {first}",),
            place=place.to(group.span.word(second)),
        )
    report.add("unknown-name", place, where=f"`actions {group.name}`", name=first, help=help)


def _with_axes(actions: tuple[Action, ...], index: int) -> tuple[tuple[Action, ...], list[Argument]]:
    """Return actions of which each has one number, and the axes of what they take: one for each name and domain."""
    axes: dict[tuple[str, str], Argument] = {}
    made: list[Action] = []
    for number, action in enumerate(actions):
        for argument in action.arguments:
            axes.setdefault((argument.name, argument.domain), argument)
        places = [list(axes).index((each.name, each.domain)) for each in action.arguments]
        own = tuple(index + 1 + place for place in places)
        made.append(replace(action, number=number, count=1, axes=own))
    return tuple(made), list(axes.values())


def _allowed(spec: GridSpec, groups: list[Group], report: Report) -> tuple[Group, ...]:
    """Give the actions the conditions of ``allow``; of several for one action the last counts."""
    names = dict.fromkeys(action.name for group in groups for action in group.actions)
    conditions: dict[str, n.Expression] = {}
    for allow in spec.allow:
        if allow.action not in names:
            base = allow.action.partition("(")[0].strip()
            help = did_you_mean(allow.action, names) or f"actions: {listing(names, 'and')}"
            several = re.split(r"\s*(?:,|\||\bor\b|\band\b)\s*", allow.action)
            if len(several) > 1 and set(several) <= set(names):
                help = f"one statement for each: {listing([f'allow {each}: ...' for each in several], 'and')}"
            elif base in names:
                help = write(base, ": what it takes has its names in the condition")
            report.add("unknown-action", allow.span, name=allow.action, help=help)
        conditions[allow.action] = allow.condition
    return tuple(
        replace(
            group, actions=tuple(replace(each, allow=conditions.get(each.name)) for each in group.actions)
        )
        for group in groups
    )


def _second_list(group: ActionGroup, spec: GridSpec) -> str | None:
    """Say that no agent is called as a list of actions: then all have what it holds, beside the others."""
    agents = [each.name for each in spec.agents]
    if group.name is None or group.name in {*agents, "agent"}:
        return None
    called = listing(agents, "and") if agents else "none is declared"
    return f"no agent is called `{group.name}` ({called}), so it is a second list, whose actions have other names"


@dataclass(frozen=True, slots=True)
class _Reader:
    """What actions are read with; those of agents that stand ``nowhere`` do what rules say, and no more."""

    spec: GridSpec
    params: Mapping[str, Scalar]
    report: Report
    arguments: ArgumentReader
    agents: Sequence[Kind]

    @property
    def nowhere(self) -> bool:
        """Whether agents stand in no cell."""
        return self.agents[0].nowhere

    def actions(
        self, group: ActionGroup, index: int, seen: dict[str, Span], taken: Iterable[str]
    ) -> tuple[tuple[Action, ...], int]:
        """Return the actions of a statement, and the directions of its joystick or 0."""
        made: list[Action] = []
        joystick = number = 0
        for item in group.items:
            if isinstance(item, n.Joystick):
                count = constant_number(item.directions, self.params, self.report)
                if count not in (4, 8) or made:
                    reason = "a joystick has 4 or 8 directions, and stands alone"
                    self.report.add("bad-value", item.span, reason=reason)
                else:
                    joystick = int(count)
                    made.extend(_of_joystick(joystick, index, item.span, self.nowhere))
            elif item.name in seen:
                labels = [Label(seen[item.name], "first here")]
                help = _second_list(group, self.spec)
                self.report.add("duplicate-action", item.span, name=item.name, labels=labels, help=help)
            else:
                seen[item.name] = item.span
                keys = item.keys or KEYS.get(item.name, ())
                action = Action(item.name, number, index, item.span, keys=keys)
                played = {*taken, *(key for other in made for key in other.keys)}
                made.append(self._with_primitive(self._with_arguments(action, item), item, played))
                number += made[-1].count
                if number - made[-1].count < MOST_ACTIONS <= number:
                    help = "`actions as multidiscrete:` gives what actions take axes of their own"
                    self.report.add(
                        "too-many", item.span, what="actions", count=number, most=MOST_ACTIONS, help=help
                    )
        return tuple(made), joystick

    def _with_arguments(self, action: Action, item: n.ActionItem) -> Action:
        if not item.arguments:
            return action
        known = item.name if item.name in KNOWN else None
        if known is not None or item.primitive is not None:
            does = f"`{known}` is a known action" if known else "what it does is said by its primitive"
            first = item.arguments[0].over.name
            help = (
                f"rules say what an action with arguments does: `on do {item.name}: ...` speaks of `{first}`"
            )
            if known:
                help = f"call it otherwise, such as `{known}_it`; {help}"
            self.report.add("bad-value", item.span, reason=f"`{item.name}` takes nothing: {does}", help=help)
            return action
        arguments = self.arguments.arguments(item)
        return replace(action, arguments=arguments, count=math.prod(argument.size for argument in arguments))

    def _with_primitive(self, action: Action, item: n.ActionItem, taken: Iterable[str]) -> Action:
        primitive = item.primitive
        if self.nowhere:
            self._report_moving(item)
            return replace(action, keys=item.keys or KEYS.get(item.name) or self._free_key(item.name, taken))
        if primitive is None:
            action = _known(action, item.name)
            if action.verb != "none" or item.name in KNOWN:
                return action
            return replace(action, keys=item.keys or self._free_key(item.name, taken))
        if primitive.cells is None:
            if primitive.name not in KNOWN:
                help = did_you_mean(primitive.name, KNOWN) or f"primitives: {listing(KNOWN, 'and', 20)}"
                if primitive.name in COMPASS:
                    help = write(f"move {primitive.name}", ": a direction is no action")
                self.report.add("unknown-action", primitive.span, name=primitive.name, help=help)
                return action
            keys = item.keys or KEYS.get(item.name) or KEYS.get(primitive.name, ())
            return replace(_known(action, primitive.name), keys=keys)
        return self._move(action, item, primitive, primitive.cells, taken)

    def _report_moving(self, item: n.ActionItem) -> None:
        """Report an action that is to move, turn or handle, of agents that stand nowhere."""
        if item.primitive is not None:
            who = who_stands(len(self.agents) > 1)
            what = f"`{item.name}` moves, or turns, who stands somewhere"
            help = f"rules say what it does, as in `on do {item.name}: ...`"
            self.report.add("nowhere", item.primitive.span, what=what, who=who, help=help)

    def _move(
        self,
        action: Action,
        item: n.ActionItem,
        primitive: n.Primitive,
        cells: n.Expression,
        taken: Iterable[str],
    ) -> Action:
        """Return an action that moves as its primitive says."""
        action = replace(action, verb="move", through=primitive.through, chance=primitive.chance)
        if primitive.name in RELATIVE:
            action = replace(action, relative=RELATIVE[primitive.name])
        elif primitive.name in MOVES:
            action = replace(action, direction=COMPASS.index(MOVES[primitive.name]))
        else:
            way = read_direction(primitive.name, primitive.span, self.params, self.report)
            action = replace(action, direction=way)
        if self._is_known_in_play(cells):
            action = replace(action, reach=cells, cells=FARTHEST)
        else:
            number = constant_number(cells, self.params, self.report, "the number of cells")
            if number is not None and (number.denominator != 1 or not 1 <= abs(number) <= FARTHEST):
                self.report.add("bad-value", cells.span, reason=f"a move goes 1 to {FARTHEST} cells")
            elif number is not None and number < 0:  # the other way
                action = replace(action, reach=cells, cells=FARTHEST)
            elif number is not None:
                action = replace(action, cells=int(number))
        if action.keys:
            return action
        wanted = next((name for name, compass in MOVES.items() if compass == primitive.name), None)
        return replace(action, keys=self._free_key(item.name, taken) or (KEYS[wanted] if wanted else ()))

    def _is_known_in_play(self, node: n.Expression) -> bool:
        """Whether a number depends on what changes in a game: an attribute, a variable, the step, what is counted."""
        variables = {*(declaration.name for declaration in self.spec.variables), "step"}
        return any(
            isinstance(part, n.Attribute | n.Call) or (isinstance(part, n.Name) and part.name in variables)
            for part in n.walk(node)
        )

    def _free_key(self, name: str, taken: Iterable[str]) -> tuple[str, ...]:
        """Return the first letter of a name that no other action plays."""
        items = [
            item for group in self.spec.actions for item in group.items if isinstance(item, n.ActionItem)
        ]
        used = {*taken, *(key for item in items for key in (*item.keys, *KEYS.get(item.name, ())))}
        return next(((letter,) for letter in name.lower() if letter.isalpha() and letter not in used), ())


def _of_joystick(count: int, index: int, span: Span, nowhere: bool) -> list[Action]:
    """Return the actions of a joystick: its directions, and to stay; they move nobody who stands ``nowhere``."""
    names = {direction: name for name, direction in MOVES.items()}
    called = [names[COMPASS[direction]] for direction in range(count)]
    verb = "none" if nowhere else "move"
    moves = [
        Action(name, way, index, span, verb, None if nowhere else way, keys=KEYS[name])
        for way, name in enumerate(called)
    ]
    return [*moves, Action("stay", count, index, span, "none" if nowhere else "stay", keys=KEYS["stay"])]


def _known(action: Action, name: str) -> Action:
    """Return an action that does what a known name says."""
    if name in MOVES:
        return replace(action, verb="move", direction=COMPASS.index(MOVES[name]))
    if name in BY_FACING:
        return replace(action, verb="move", relative=RELATIVE[name])
    if name in {"turn_left", "turn_right"}:
        return replace(action, verb="turn", turn=-1 if name == "turn_left" else 1)
    return replace(action, verb=name) if name in {"pickup", "drop", "toggle", "stay"} else action


def added(actions: Sequence[Action], name: str, source: Source, why: str = "") -> Help | None:
    """Return how an action that the language knows comes among those of a spec; None where it knows none."""
    if name not in KNOWN or not actions:
        return None
    last = actions[-1].span
    if last.source is not source or source.is_toml:
        return Help(f"it is none of this spec's actions: add `{name}` to them", ())
    return Help(
        f"{why}add `{name}` to the actions", (f", {name}",), place=Span(last.source, last.end, last.end)
    )
