"""Walled: goals that no way leads to, and creatures between walls, by what a few resets show.

What blocks is what surely does for ever: solid tiles and solid things that nothing moves or takes away. All else is
taken for passable, and where a rule builds, opens or sends anything nothing is said: what is found is so in each of
the resets, whatever is played from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from griddsl.compass import DIAGONAL_ARROWS, DIAGONALS
from griddsl.lowering.traits import of_rules
from griddsl.program import keys
from griddsl.program.program import Program
from griddsl.source import Span
from griddsl.spec.models import GridSpec, KindDeclaration
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

MOST_CELLS = 100_000  # of all resets together
STRAIGHT = ((1, 0), (0, 1), (-1, 0), (0, -1))
CORNERS = ((1, 1), (-1, 1), (-1, -1), (1, -1))


def walled_goals(
    spec: GridSpec, program: Program, starts: Sequence[Sequence[Any]]
) -> Iterator[tuple[Span, str]]:
    """Yield the kinds that end the episode when they are entered, and that nobody can get to: where each is named."""
    goals = dict(_goals(spec))
    if not goals or not starts or _changes_ways(spec):
        return
    boards = _boards(spec, program, starts)
    for name, span in goals.items():
        if all((cells := board.cells_of(name)) and not cells & board.reached for board in boards):
            yield span, name


def number_of_goals(spec: GridSpec) -> int:
    """Return how many kinds end the episode when they are entered."""
    return len(dict(_goals(spec)))


def stuck_creatures(
    spec: GridSpec, program: Program, starts: Sequence[Sequence[Any]]
) -> Iterator[tuple[Span, str, list[str]]]:
    """Yield the kinds of creatures of which every one stands between walls, or between walls and what it avoids.

    The names of what is avoided come along where it is that which keeps them in.
    """
    creatures = {
        each.name: each
        for each in spec.kinds
        if each.category == "object" and _movers(each) and not _is_moved_otherwise(each)
    }
    if not creatures or not starts or _changes_ways(spec):
        return
    boards = _boards(spec, program, starts)
    for name, kind in creatures.items():
        movers = _movers(kind)
        if any(mover.policy == "still" for mover in movers):
            continue
        avoided = [set(_always_avoided(mover.avoiding)) for mover in movers]
        never = set.intersection(*avoided)
        steps = STRAIGHT + (CORNERS if any(mover.neighbours > len(STRAIGHT) for mover in movers) else ())
        if all(
            (cells := board.cells_of(name)) and board.are_enclosed(cells, never, steps) for board in boards
        ):
            walls = all(board.are_enclosed(board.cells_of(name), set(), steps) for board in boards)
            yield kind.span, name, [] if walls else sorted(never)


def _boards(spec: GridSpec, program: Program, starts: Sequence[Sequence[Any]]) -> list[_Board]:
    return [_Board(spec, program, state) for state in starts[: max(1, MOST_CELLS // program.cells)]]


def _goals(spec: GridSpec) -> Iterator[tuple[str, Span]]:
    """Yield the kinds that the agent enters, or stands on, for an end."""
    for rule in spec.rules:
        if rule.span.source is not spec.source or not any(
            isinstance(node, n.End) for node in walk(rule.effects)
        ):
            continue
        target = rule.trigger.object
        if rule.trigger.event == "enter" and rule.trigger.subject is None and isinstance(target, n.KindName):
            yield target.name, target.span
        if rule.trigger.event == "when":
            yield from _stood_on(target)


def _stood_on(condition: n.Expression | None) -> Iterator[tuple[str, Span]]:
    """Yield the kinds that a condition asks the agent to be on, whatever else it asks."""
    match condition:
        case n.Logic("and", values):
            for value in values:
                yield from _stood_on(value)
        case n.Relation("on", left, n.Name() | n.Pattern() as right) if _name(left) in {"agent", "self"}:
            yield right.name, right.span


def _changes_ways(spec: GridSpec) -> bool:
    """Whether anything may get past what is solid, or change where it is."""
    kinds = {"floor", "wall", *(kind.name for kind in spec.kinds)}
    for effect, can in of_rules(spec):
        if can.moves:
            return True
        match effect:
            case n.Becomes(value=value) if _name(value) in kinds or not isinstance(value, n.Name):
                return True
            case n.Handle(verb="remove", kind=kind) if _name(kind) in _solid(spec):
                return True
    properties = [item.name for kind in spec.kinds for item in kind.items if isinstance(item, n.Property)]
    through = any(
        isinstance(node, n.Primitive) and node.through for node in walk([g.items for g in spec.actions])
    )
    return through or "drift" in properties


def _solid(spec: GridSpec) -> set[str]:
    """Return the kinds that are solid always, and that nothing pushes, carries or moves."""
    always = {
        kind.name
        for kind in spec.kinds
        if any(
            isinstance(item, n.Guarded) and item.name == "solid" and item.word == "always"
            for item in kind.items
        )
        and not _is_moved_otherwise(kind)
        and not _movers(kind)
    }
    return always | ({"wall"} - {kind.name for kind in spec.kinds})


def _is_moved_otherwise(kind: KindDeclaration) -> bool:
    return any(getattr(item, "name", "") in {"pushable", "portable"} for item in kind.items)


def _movers(kind: KindDeclaration) -> list[n.Mover]:
    """Return the ways in which a kind moves by itself."""
    return [node for node in walk(kind.items) if isinstance(node, n.Mover)]


def _always_avoided(node: n.Expression | None) -> Iterator[str]:
    """Yield the kinds that a creature never goes to, whatever was chosen."""
    if isinstance(node, n.KindName):
        yield node.name
    elif isinstance(node, n.Logic) and node.operator == "or":
        for each in node.values:
            yield from _always_avoided(each)


def _name(node: object) -> str:
    return node.name if isinstance(node, n.KindName) else ""


class _Board:
    """One reset: what blocks, and where everything is."""

    def __init__(self, spec: GridSpec, program: Program, state: Sequence[Any]) -> None:
        self.width, self.height = program.width, program.height
        self.wraps = spec.edge == "wrap"
        offsets, cells = program.layout.offsets, program.cells
        names = {kind.code: kind.name for kind in program.kinds}
        level = state[offsets[keys.LEVEL]] if keys.LEVEL in offsets else 0
        at = offsets.get(keys.TILE, -1)
        ground = program.ground[level] if at < 0 else state[at : at + cells]
        self.at: dict[str, set[int]] = {}
        for cell, code in enumerate(ground):
            self.at.setdefault(names[int(code)], set()).add(cell)
        if keys.OBJECT_CELL in offsets:
            (places,) = (slot for slot in program.slots if slot.key == keys.OBJECT_CELL)
            for index in range(places.length):
                cell, code = (
                    state[offsets[keys.OBJECT_CELL] + index],
                    state[offsets[keys.OBJECT_KIND] + index],
                )
                if cell >= 0 and code >= 0:
                    self.at.setdefault(names[code], set()).add(cell)
        at = offsets.get(keys.AGENT_CELL, -1)  # -1 where agents stand nowhere
        agents = [] if at < 0 else [state[at + index] for index in range(len(program.agents))]
        self.blocked = set().union(*(self.at.get(name, set()) for name in _solid(spec)))
        self.reached = self._reach({cell for cell in agents if cell >= 0}, _steps(spec))

    def cells_of(self, name: str) -> set[int]:
        """Return where the things of a kind are."""
        return self.at.get(name, set())

    def are_enclosed(self, cells: set[int], never: set[str], steps: Sequence[tuple[int, int]]) -> bool:
        """Whether from none of some cells a step leads anywhere, nor into what is avoided."""
        avoided = set().union(*(self.cells_of(name) for name in never))
        blocked = self.blocked | avoided
        return all(to in blocked for cell in cells for to in self._beside(cell, steps))

    def _reach(self, found: set[int], steps: Sequence[tuple[int, int]]) -> set[int]:
        pending = list(found)
        while pending:
            for cell in self._beside(pending.pop(), steps):
                if cell not in found and cell not in self.blocked:
                    found.add(cell)
                    pending.append(cell)
        return found

    def _beside(self, cell: int, steps: Sequence[tuple[int, int]]) -> Iterator[int]:
        for dx, dy in steps:
            x, y = cell % self.width + dx, cell // self.width + dy
            if self.wraps:
                x, y = x % self.width, y % self.height
            if 0 <= x < self.width and 0 <= y < self.height:
                yield y * self.width + x


def _steps(spec: GridSpec) -> tuple[tuple[int, int], ...]:
    """Return the ways that agents can go: the diagonals too where any action, or any agent's own way, is one."""
    items = [item for group in spec.actions for item in group.items]
    agents = [mover.neighbours for kind in spec.kinds if kind.category == "agent" for mover in _movers(kind)]
    words = {node.name for node in walk(items) if isinstance(node, n.ActionItem | n.Primitive)}
    words |= {node.name for node in walk(items) if isinstance(node, n.Name)}
    joystick = any(isinstance(node, n.Joystick) for node in walk(items))
    diagonal = (
        joystick
        or bool(words & {*DIAGONAL_ARROWS, *DIAGONALS})
        or any(count > len(STRAIGHT) for count in agents)
    )
    return STRAIGHT + CORNERS if diagonal else STRAIGHT
