"""What a spec under way has declared: kinds, attributes, variables, chosen names, and what a clause may speak of."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tests.fuzz.specs.dice import Dice
from tests.fuzz.specs.names import Names

COMPASS = ("east", "south", "west", "north")
COMPASS_8 = (*COMPASS, "southeast", "southwest", "northwest", "northeast")


@dataclass(frozen=True)
class Value:
    """Something that holds a number, a word, or true and false: an attribute, a variable, a parameter, a chosen name."""

    name: str
    form: str  # number, word, truth, fraction
    low: int = 0
    high: int = 0
    words: tuple[str, ...] = ()
    default: str = ""

    def literal(self, dice: Dice) -> str:
        """Return one of the values, as it is written."""
        if self.form == "number":
            return str(dice.between(self.low, self.high))
        return dice.pick(self.words) if self.form == "word" else dice.pick(("true", "false"))

    def domain(self) -> str:
        """Return the values, as a domain is written."""
        return f"{self.low}..{self.high}" if self.form == "number" else " | ".join(self.words)


@dataclass
class Kind:
    """A kind of ground, of object or of agent."""

    name: str
    category: str  # tile, object, agent
    values: list[Value] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    is_solid: bool = False
    is_portable: bool = False
    is_pushable: bool = False
    moves: bool = False
    learns: bool = True
    carries: int = 0
    is_unique: bool = False  # placed exactly once, and never again
    count: int = 0  # of agents

    def pattern(self, dice: Dice, percent: float = 30, random: bool = False) -> str:
        """Return the kind, sometimes narrowed by one of its attributes."""
        if not self.values or not dice.chance(percent):
            return self.name
        value = dice.pick(self.values)
        given = value.literal(dice)
        if random and value.form != "fraction" and dice.chance(40):
            some = "" if value.form == "truth" or dice.chance(60) else f" {value.domain()}"
            given = f"random{some}"
        return f"{self.name}({value.name}={given})"


@dataclass(frozen=True)
class Scope:
    """What a clause may speak of, beside what the whole spec knows."""

    agent: str | None = "agent"  # how the one agent that is meant is called
    bound: tuple[tuple[str, Kind], ...] = ()  # names that mean one thing here
    values: tuple[Value, ...] = ()  # names that were drawn here
    cells: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()  # names that were drawn here among kinds of objects
    here: bool = False  # whether x, y and here are the candidate cell
    in_setup: bool = False
    has_memory: bool = True  # whether prev and lowest may stand
    has_past: bool = True  # whether prev may stand, of what is bound alone
    acts: bool = True  # whether self.action, can and start may stand
    starts: bool = True  # whether start may stand
    subject: str = "agent"  # whom an event is about: agent, object, none

    def narrowed(self, **changes: object) -> Scope:
        """Return the same scope with changes."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def before(self) -> Scope:
        """Return the scope inside of prev and lowest: nothing that this moment alone knows."""
        return self.narrowed(
            has_memory=False, has_past=False, bound=(), values=(), cells=(), kinds=(), here=False
        )

    def with_bound(self, name: str, kind: Kind) -> Scope:
        """Return the scope in which a name means one thing as well."""
        return replace(self, bound=(*self.bound, (name, kind)))


@dataclass
class World:
    """A spec under way."""

    dice: Dice
    names: Names
    width: int = 5
    height: int = 4
    is_minigrid: bool = False
    several: bool = False
    is_busy: bool = False  # small, and full of rules that send things on
    alternates: bool = False
    shares: str = "own"  # rewards:
    tiles: list[Kind] = field(default_factory=list)
    objects: list[Kind] = field(default_factory=list)
    agents: list[Kind] = field(default_factory=list)
    variables: list[Value] = field(default_factory=list)
    params: list[Value] = field(default_factory=list)
    chosen: list[Value] = field(default_factory=list)
    chosen_cells: list[str] = field(default_factory=list)
    named_things: list[tuple[str, Kind]] = field(default_factory=list)
    regions: list[str] = field(default_factory=list)
    ways: list[str] = field(default_factory=list)  # parameters that are directions
    kind_values: list[str] = field(default_factory=list)  # parameters and variables that are kinds
    texts: list[str] = field(default_factory=list)  # names that stand for texts, in the mission
    actions: list[str] = field(default_factory=list)
    taken: dict[str, Scope] = field(
        default_factory=dict
    )  # what may be spoken of where an action takes something
    verbs: set[str] = field(default_factory=set)  # pickup, drop, toggle, turn, relative, diagonal, move
    has_facing: bool = False
    has_mask: bool = False
    has_mission: bool = False
    has_limit: bool = True
    is_generated: bool = False
    size_varies: bool = False
    statements: list[str] = field(default_factory=list)

    def say(self, statement: str) -> None:
        """Add a statement to the spec."""
        self.statements.append(statement)

    @property
    def kinds(self) -> list[Kind]:
        """All kinds of ground and of objects."""
        return [*self.tiles, *self.objects]

    @property
    def has_turns(self) -> bool:
        """Whether each of several that learn acts in a step of its own."""
        return self.alternates and sum(kind.count for kind in self.agents if kind.learns) > 1

    @property
    def may_keep_turns(self) -> bool:
        """Whether a rule may give an agent another turn: nobody plays by itself."""
        return self.has_turns and all(kind.learns for kind in self.agents)

    def numbers(self, scope: Scope) -> list[Value]:
        """Return what holds a whole number everywhere, and here."""
        return [value for value in self.known(scope) if value.form == "number"]

    def known(self, scope: Scope) -> list[Value]:
        """Return the variables, parameters and chosen names that a clause may read."""
        return [*self.variables, *self.params, *(() if scope.in_setup else self.chosen), *scope.values]

    def things(self, scope: Scope) -> list[tuple[str, Kind | None]]:
        """Return names that mean one thing here: an agent, what is bound, what is the only one of its kind."""
        found: list[tuple[str, Kind | None]] = list(scope.bound)
        if scope.agent:
            kind = self.agents[0] if not self.several else None
            found.append((scope.agent, kind))
        found.extend((kind.name, kind) for kind in self.kinds if kind.is_unique)
        if not scope.in_setup:
            found.extend(self.named_things)
        if self.several:
            found.extend((kind.name, kind) for kind in self.agents if kind.count == 1)
        return found

    @property
    def moving(self) -> list[Kind]:
        """The objects that go anywhere: pushed, moving by themselves, carried."""
        return [kind for kind in self.objects if kind.moves or kind.is_pushable or kind.is_portable]
