"""The world: cells, ground, things and agents as plain objects, and what physics says of them (sections 3 and 4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from griddsl.syntax import nodes as n
from tests.reference.compass import STEPS
from tests.reference.game import Game
from tests.reference.kinds import Kind
from tests.reference.maps import Level, Place
from tests.reference.randomness import Stream


@dataclass(eq=False)
class Cell:
    """A cell of the grid: its place, its number, and the ground on it."""

    x: int
    y: int
    number: int
    ground: Ground = field(repr=False, default=None)  # type: ignore[assignment]  # set when the grid is made

    @property
    def place(self) -> Place:
        """Its column and row."""
        return self.x, self.y


@dataclass(eq=False)
class Ground:
    """The tile of a cell: one thing that may turn into another kind."""

    kind: Kind
    cell: Cell
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass(eq=False)
class Thing:
    """An object: in a cell, or held (``holder``), or, before it is put anywhere, in neither."""

    kind: Kind
    cell: Cell | None = None
    attributes: dict[str, Any] = field(default_factory=dict)
    held: list[Thing | None] = field(default_factory=list)
    start: Cell | None = None
    made_as: Any = None  # the kind that it came to be as

    def __post_init__(self) -> None:
        self.made_as = self.kind


@dataclass(eq=False)
class Agent:
    """An agent: where it is, the way it faces, what it carries, and whether it is out."""

    kind: Kind
    name: str
    index: int
    cell: Cell | None = None
    facing: int = 0
    attributes: dict[str, Any] = field(default_factory=dict)
    held: list[Thing | None] = field(default_factory=list)
    start: Cell | None = None
    is_out: bool = False  # away as well
    away: int = 0  # the steps until it comes back
    back: Any = None  # where it comes back, but for its start
    previous: list[int | None] | None = None  # the actions of the last step, for `sticky`
    action: str | None = None
    moving: Any = None  # the action by which it moves; one that plays by itself moves by none


Being = Agent | Thing | Ground


class World:
    """The state of one episode. ``objects`` keeps the places of things that are gone: a new one takes the first."""

    def __init__(self, game: Game, stream: Stream) -> None:
        self.game, self.stream = game, stream
        self.level: Level = game.levels[0]
        self.cells: list[Cell] = []
        self.objects: list[Thing | None] = []
        self.agents: list[Agent] = []
        self.variables: dict[str, Any] = {}
        self.chosen: dict[str, Any] = {}
        self.step = 0
        self.in_step = False  # between steps, what is allowed is asked of the step that comes
        self.turn = 0
        self.lowest: dict[tuple[Any, int | None], Any] = {}
        self.totals: dict[int, float] = {}  # the rewards of each agent so far
        self.drawn: list[Any] | None = None  # all as `once` left it
        self.before: World | None = None  # the world before this step, for `prev`
        self.was: dict[Any, Any] = {}  # what each cell and thing is there
        self.begin_step()

    def begin_step(self) -> None:
        """Forget what lasts one step."""
        count = len(self.agents)
        self.rewards, self.hidden = [0.0] * count, [0.0] * count
        self.set_rewards: list[float | None] = [None] * count
        self.told: list[dict[str, Any]] = [{} for _ in range(count)]
        self.ended, self.truncated = False, False
        self.outcome: str | None = None
        self.left: set[int] = set()  # who went out in this step, by a rule
        self.went_away: set[int] = set()  # who was sent away in this step
        self.timed_out: set[int] = set()  # who is out for reaching a limit of its own
        self.given: list[float] = []  # the rewards, once they are settled
        self.cancelled = False
        self.again = False
        self.sent_agents: dict[Agent, Cell] = {}
        self.sent_things: dict[Thing, Cell] = {}
        self.fired: set[Any] = set()
        self.newcomers: set[Any] = set()  # what came to be in this act
        self.met: set[Any] = set()  # who was put somewhere in this act, and met what is there

    def begin_act(self) -> None:
        """Begin an act: rules may run once more for each subject and cell."""
        self.fired = set()
        self.met = set()
        self.newcomers = set()

    def told_apart(self, being: Any) -> Any:
        """Return what a being counts as in an act: all that came to be in it count as one, so that it ends."""
        return "newcomer" if being in self.newcomers else being

    # The grid

    def cell(self, x: int, y: int) -> Cell:
        """Return the cell of a place on the grid."""
        return self.cells[y * self.game.width + x]

    def is_inside(self, x: int, y: int) -> bool:
        """Whether a place is on the grid."""
        return 0 <= x < self.game.width and 0 <= y < self.game.height

    def beside(self, cell: Cell, direction: int, own_edge: str | None = None) -> Cell | str:
        """Return the cell that a move of one cell leads to; ``edge`` or ``wall`` where border or wall stops it.

        ``own_edge`` is the rule of the border that a kind has of its own.
        """
        edge = own_edge or self.game.spec.edge
        dx, dy = STEPS[direction]
        x, y = cell.x + dx, cell.y + dy
        if edge == "wrap":
            x, y = x % self.game.width, y % self.game.height
        elif edge == "clip":
            x, y = min(max(x, 0), self.game.width - 1), min(max(y, 0), self.game.height - 1)
        if not self.is_inside(x, y) or ((x, y) == cell.place and edge == "clip"):
            return "edge"
        target = self.cell(x, y)
        return "wall" if self._is_walled(cell, target, direction) else target

    def _is_walled(self, cell: Cell, target: Cell, direction: int) -> bool:
        """Whether walls between cells stop a move: a diagonal one passes where a way around its corner is open."""
        if not self.level.walls:
            return False
        if direction < 4:
            inside = self.is_inside(cell.x + STEPS[direction][0], cell.y + STEPS[direction][1])
            return inside and frozenset({cell.place, target.place}) in self.level.walls
        across, down = (0 if STEPS[direction][0] > 0 else 2), (1 if STEPS[direction][1] > 0 else 3)
        if target.x == cell.x or target.y == cell.y:  # clipped at the border: what is left is a straight move
            return not isinstance(self.beside(cell, across if target.y == cell.y else down), Cell)
        return not any(self._leads(cell, first, second) for first, second in ((across, down), (down, across)))

    def _leads(self, cell: Cell, first: int, second: int) -> bool:
        corner = self.beside(cell, first)
        return isinstance(corner, Cell) and isinstance(self.beside(corner, second), Cell)

    # Who and what is where

    def things(self, kind: Kind | None = None, on_map: bool = True) -> list[Thing]:
        """Return the objects on the map (or also those that are held), in their order."""
        return [
            thing
            for thing in self.objects
            if thing and kind in {None, thing.kind} and (thing.cell is not None or not on_map)
        ]

    def things_at(self, cell: Cell) -> list[Thing]:
        """Return the objects in a cell, those of the lowest layer first."""
        found = [thing for thing in self.things() if thing.cell is cell]
        return sorted(found, key=lambda thing: self.game.layers.index(thing.kind.layer))

    def on_layer(self, cell: Cell, layer: str) -> Thing | None:
        """Return the object on a layer of a cell."""
        return next((thing for thing in self.things_at(cell) if thing.kind.layer == layer), None)

    def playing(self) -> list[Agent]:
        """Return the agents that take part, in order of declaration."""
        return [agent for agent in self.agents if not agent.is_out]

    def agents_at(self, cell: Cell) -> list[Agent]:
        """Return the agents in a cell."""
        return [agent for agent in self.playing() if agent.cell is cell]

    def of_kind(self, kind: Kind) -> list[Any]:
        """Return the beings of a kind that are on the map: tiles by cell, objects and agents in their order."""
        if kind.category == "tile":
            return [cell.ground for cell in self.cells if cell.ground.kind is kind]
        if kind.category == "object":
            return self.things(kind)
        return [agent for agent in self.playing() if kind.name == "agent" or agent.kind is kind]

    def holder_of(self, thing: Thing) -> Agent | Thing | None:
        """Return what holds an object."""
        holders: list[Agent | Thing] = [*self.agents, *self.things(on_map=False)]
        return next((holder for holder in holders if any(each is thing for each in holder.held)), None)

    # Physics

    def is_so(self, being: Being, which: str) -> bool:
        """Whether a being is ``solid`` or ``opaque`` now."""
        from tests.reference.conditions import guard_holds
        from tests.reference.scope import Scope

        guard: n.Guarded | None = getattr(being.kind, which)
        if guard is None or guard.condition is None:
            return guard is not None
        scope = Scope(self, {being.kind.name: being, "self": being})
        return guard_holds(guard.condition, being, scope) == (guard.word == "if")

    def blocks(self, cell: Cell, which: str = "solid") -> bool:
        """Whether something in a cell, its tile or an object, is solid (or opaque)."""
        beings: list[Being] = [cell.ground, *self.things_at(cell)]
        return any(self.is_so(being, which) for being in beings)

    def in_sight(self, first: Cell, second: Cell) -> bool:
        """Whether nothing opaque is in a cell whose inside the line between the middles of two cells passes through."""
        (x, y), (u, v) = first.place, second.place
        for cell in self.cells:
            i, j = cell.place
            if cell in (first, second) or not (min(x, u) <= i <= max(x, u) and min(y, v) <= j <= max(y, v)):
                continue
            off = abs((i - x) * (v - y) - (j - y) * (u - x))
            if 2 * off < abs(u - x) + abs(v - y) and self.blocks(cell, "opaque"):
                return False
        return True

    def is_free_for(self, cell: Cell, layer: str) -> bool:
        """Whether an object of a layer can be put into a cell."""
        return self.on_layer(cell, layer) is None and not self.blocks(cell)

    def lets_in(self, cell: Cell, direction: int) -> bool:
        """Whether the ground of a cell may be entered by moving this way."""
        return cell.ground.kind.one_way in {None, direction}

    # Making and moving things

    def add(self, thing: Thing) -> Thing:
        """Let an object come to be: it takes the first place in the order of objects that is free."""
        self.newcomers.add(thing)
        if None in self.objects:
            self.objects[self.objects.index(None)] = thing
        else:
            self.objects.append(thing)
        return thing

    def release(self, thing: Thing) -> tuple[Agent | Thing, int] | None:
        """Take an object out of what holds it; return whose hand it was, and which."""
        holder = self.holder_of(thing)
        if holder is None:
            return None
        place = next(i for i, each in enumerate(holder.held) if each is thing)
        holder.held[place] = None
        return holder, place

    def put(self, thing: Thing, cell: Cell) -> None:
        """Put an object into a cell, out of what held it."""
        self.release(thing)
        thing.cell = cell

    def lift(self, thing: Thing) -> None:
        """Take an object off the map, or out of what holds it."""
        self.release(thing)
        thing.cell = None

    def forget(self, thing: Thing) -> None:
        """Let an object be gone."""
        self.objects = [None if each is thing else each for each in self.objects]

    def remove(self, thing: Thing) -> None:
        """Take an object out of the world; what it held takes its place, and what finds no room is gone."""
        cell, hand = thing.cell, self.release(thing)
        thing.cell = None
        self.spill(thing, cell, hand)
        self.forget(thing)

    def spill(self, holder: Thing, cell: Cell | None, hand: tuple[Agent | Thing, int] | None) -> None:
        """Let what an object held take its place: in its cell, or (the first of it) in the hand it was in."""
        for content in [each for each in holder.held if each]:
            if cell is not None and self.on_layer(cell, content.kind.layer) is None:
                content.cell = cell
            elif hand is not None:
                hand[0].held[hand[1]] = content
                hand = None
            else:
                self.forget(content)
        holder.held = [None] * len(holder.held)

    # Copies

    def beings(self) -> Iterator[Any]:
        """Yield all objects whose state is the state of the world."""
        yield from (*self.cells, *(cell.ground for cell in self.cells))
        yield from (*self.agents, *self.things(on_map=False))

    def snapshot(self) -> list[tuple[Any, dict[str, Any]]]:
        """Return the state, to be restored: every being with a copy of what it is."""
        return [(being, _copy(vars(being))) for being in (self, *self.beings())]

    def restore(self, kept: list[tuple[Any, dict[str, Any]]]) -> None:
        """Go back to a state. The stream goes on: what is drawn next is new."""
        for being, values in kept:
            vars(being).clear()
            vars(being).update(_copy(values))


def _copy(values: dict[str, Any]) -> dict[str, Any]:
    """Copy what changes in place; beings themselves stay who they are."""
    return {
        name: value.copy() if isinstance(value, list | dict | set) else value
        for name, value in values.items()
    }
