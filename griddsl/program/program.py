"""The program: all that a backend needs to run one environment, and all that an adapter needs to show it.

It knows nothing of specs, Gymnasium or pictures: state slots with ranges, constant tables, functions, and the
names behind the numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePath
from typing import Any

import numpy as np

from griddsl.program import ir, keys
from griddsl.program.passes.loops import in_loops
from griddsl.program.passes.outlined import outlined
from griddsl.program.passes.painted import painted, shown_together
from griddsl.program.passes.spared import spared
from griddsl.program.passes.structured import structured
from griddsl.program.printer import PLAIN, RESERVED, Dialect, print_function
from griddsl.program.spaces import Leaf, Observation
from griddsl.source import Span


@dataclass(frozen=True)
class InfoEntry:
    """An entry of info: a function gives it, or (for ``info NAME = E`` in a rule) a slot holds it when set."""

    name: str
    form: str  # "int", "real", "bool", "words" or "cell"
    words: tuple[str, ...]
    function: str
    slot: ir.Key = ""

    @property
    def flag(self) -> ir.Key:
        """The slot that says whether a rule has set the entry in this step."""
        return (keys.INFO_IS_SET, self.name)


@dataclass(frozen=True)
class ActionInfo:
    """An action: its name, what plays it, and the function that says whether it is allowed: none where it always is.

    ``given`` is what that function takes beside the agent. Of an action with arguments each number has an entry of its
    own: ``verb`` is the action's name, ``takes`` what its arguments are called, and ``values`` are those of this number
    as they are written, cells as ``(x, y)``. Where arguments are axes of their own, ``axes`` are their groups.
    """

    name: str
    keys: tuple[str, ...]
    allow: str = ""
    given: tuple[int, ...] = ()
    verb: str = ""
    takes: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    axes: tuple[int, ...] = ()


@dataclass(frozen=True)
class ActionGroup:
    """A group of actions, numbered in order; ``joystick`` is 4 or 8 where it is a ``Box``.

    ``axis`` says that its numbers are values of what the actions of the group before it take.
    """

    name: str | None
    actions: tuple[ActionInfo, ...]
    joystick: int = 0
    axis: bool = False


@dataclass(frozen=True)
class AttributeInfo:
    """An attribute of a kind: the slot or table that holds it, and its words (none for numbers)."""

    name: str
    words: tuple[str, ...]
    holder: ir.Key
    is_slot: bool


@dataclass(frozen=True)
class GlyphInfo:
    """A glyph that stands for some things of a kind: those with these codes of attributes, on this ground."""

    glyph: str
    attributes: tuple[tuple[str, int], ...]
    ground: int | None
    ground_attributes: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class LookInfo:
    """How things of a kind look that have these codes of attributes, as far as it is said."""

    attributes: tuple[tuple[str, int], ...]
    shape: str | None = None
    color: str | None = None
    image: str | None = None


@dataclass(frozen=True)
class KindInfo:
    """A kind, as pictures need it; ``glyph`` stands for what none of ``glyphs`` fits.

    ``looks`` are those of some of its things, over ``shape``, ``color`` and ``image``; the last that fits wins.
    """

    name: str
    category: str
    code: int
    glyph: str
    glyphs: tuple[GlyphInfo, ...]
    properties: frozenset[str]
    attributes: tuple[AttributeInfo, ...]
    shape: str | None = None
    color: str | None = None
    image: str | None = None
    direction: int | None = None
    looks: tuple[LookInfo, ...] = ()


@dataclass(frozen=True)
class RuleInfo:
    """A rule, as the panel and messages name it."""

    head: str
    span: Span


@dataclass(frozen=True)
class NameInfo:
    """A variable or a chosen name: its slot and its words, for missions, panels and state names.

    ``label`` is how it is shown: the name, and of one that a definition gives itself, `definition.name`.
    """

    name: str
    label: str
    slot: ir.Key
    form: str
    words: tuple[str, ...]

    @property
    def is_part(self) -> bool:
        """Whether it is a part of the mission that the game decides, and no name of the spec's own."""
        return isinstance(self.slot, tuple) and self.slot[0] == keys.TOLD


def is_counter(key: ir.Key) -> bool:
    """Whether a slot counts how often something came about, for info alone: no name of the spec's own."""
    return (
        isinstance(key, tuple)
        and key[0] == keys.VAR
        and re.fullmatch(r"count_\d+__", str(key[1])) is not None
    )


SEARCHES_GROUP = "griddsl.searches"
AGAIN = -2  # in the place of a level: another episode of what was drawn once


@dataclass(frozen=True)
class PlugIn:
    """A function that an installed package brings: its entry-point group, its name, what it does here, and who asks."""

    group: str
    name: str
    task: str  # "draws the map", "moves creatures" or "finds the shortest way"
    span: Span | None = field(default=None, compare=False)  # where the spec first names it

    def __str__(self) -> str:
        if self.group == SEARCHES_GROUP and self.name == "shortest":  # what griddsl brings itself
            return "the search for the shortest way (`solvable`, `optimal_length`)"
        return f"the plug-in `{self.name}` {self.task}"

    @property
    def asked(self) -> str:
        """Where the spec names it, in brackets behind a message; empty where that is not known."""
        if self.span is None:
            return ""
        name = PurePath(self.span.source.name).name
        return f" (asked for in {name}, line {self.span.line})"

    @property
    def draws(self) -> bool:
        """Whether it draws from the random stream, so that what it does cannot be enumerated."""
        return self.group != SEARCHES_GROUP


@dataclass(frozen=True)
class Player:
    """An agent that is given actions from outside: its name and number, its actions, and what it observes.

    ``arguments`` are given to the functions of its observations, infos and mask: its number, where several play.
    """

    name: str
    agent: int
    arguments: tuple[int, ...]
    groups: tuple[ActionGroup, ...]
    observation: Observation
    info: tuple[InfoEntry, ...]
    mask: str = ""


@dataclass(frozen=True)
class Program:
    """One environment, compiled: state layout, tables, functions, and what they mean."""

    id: str
    description: str
    width: int
    height: int
    slots: tuple[ir.Slot, ...]
    tables: tuple[ir.Table, ...]
    functions: Mapping[str, ir.Function]
    players: tuple[Player, ...]
    goal: Mapping[str, Leaf]
    outcomes: tuple[str, ...]
    kinds: tuple[KindInfo, ...]
    layers: tuple[ir.Key, ...]  # the slot of each layer: what stands in each cell
    agents: tuple[str, ...]
    agent_names: tuple[str, ...]
    levels: tuple[str | None, ...]
    ground: tuple[Sequence[int], ...]
    barriers: tuple[frozenset[tuple[int, int]], ...]
    rules: tuple[RuleInfo, ...]
    names: tuple[NameInfo, ...]
    mission: str | None
    limit: int | None
    plug_ins: Mapping[str, PlugIn]
    metadata: Mapping[str, object] = field(default_factory=dict)
    turns: str = ""
    rewards: str = "own"
    # Whether `reset` with `AGAIN` for a level keeps what was drawn once: who starts an episode without a seed gives it.
    keeps_draw: bool = False
    scores: tuple[str, ...] = ()  # the entries of info that are shown beside the board

    # What an environment for one speaks of: the only player, or the first.

    @property
    def groups(self) -> tuple[ActionGroup, ...]:
        """The groups of actions."""
        return self.players[0].groups

    @property
    def observation(self) -> Observation:
        """What is observed."""
        return self.players[0].observation

    @property
    def info(self) -> tuple[InfoEntry, ...]:
        """The entries of info."""
        return self.players[0].info

    @property
    def has_mask(self) -> bool:
        """Whether some action is not always allowed."""
        return bool(self.players[0].mask)

    @property
    def next_level(self) -> int:
        """What `reset` is given where an episode follows another one without a seed: the spec chooses the level."""
        return AGAIN if self.keeps_draw else -1

    @cached_property
    def layout(self) -> Layout:
        """Where each slot lies."""
        return Layout.of(self.slots)

    @cached_property
    def bounds(self) -> tuple[np.ndarray[Any, np.dtype[np.int64]], np.ndarray[Any, np.dtype[np.int64]]]:
        """The least and the greatest value of each whole number that a state keeps, int64 both."""
        slots = [slot for slot in self.slots if slot.saved and slot.type != "real"]
        lengths = [slot.length for slot in slots]
        low = np.array([slot.low for slot in slots], np.int64)
        high = np.array([self._most_of(slot) for slot in slots], np.int64)
        return np.repeat(low, lengths), np.repeat(high, lengths)

    @cached_property
    def grounds(self) -> slice:
        """Where a state keeps the ground of the cells; an empty slice where it never changes."""
        if not any(slot.key == keys.TILE and slot.saved for slot in self.slots):
            return slice(0, 0)
        at = self.layout.offsets[keys.TILE]
        return slice(at, at + self.cells)

    @cached_property
    def is_ground(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Whether each kind, by its code, is a kind of ground."""
        return np.array([kind.category == "tile" for kind in self.kinds], np.bool_)

    def _most_of(self, slot: ir.Slot) -> int:
        """Return the greatest value of a slot; nothing counts more steps than 31 bits hold."""
        if slot.key != keys.STEP:
            return slot.high
        return self.limit if len(self.players) > 1 and self.limit is not None else 2**31 - 2

    @cached_property
    def plain(self) -> Program:
        """The same program without `ForEach` and `Reduce`: all loops are written out, for who goes round by round.

        What is known already is neither found nor asked again.
        """
        return replace(self, functions=spared(in_loops(self.functions, self.width, self.height)))

    @cached_property
    def outlined(self) -> Program:
        """The plain program without long functions, for compilers that take very long over one.

        Planes are written as compilers write them fast.
        """
        return replace(self.plain, functions=outlined(shown_together(painted(self.plain.functions))))

    @cached_property
    def structured(self) -> Program:
        """The same program without `Break`, and with one `Return` a function, for who takes both branches.

        What is repeated is written once: players' turns, and what is done in a row for other names.
        """
        made = structured(shown_together(self.functions))
        slots, tables = (*self.slots, *made.slots), (*self.tables, *made.tables)
        return replace(self, functions=made.functions, slots=slots, tables=tables)

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.width * self.height

    def initial(self) -> tuple[list[int], list[float]]:
        """Return the values that the state starts from, before ``reset`` draws anything."""
        integers, reals = [0] * self.layout.size, [0.0] * self.layout.reals
        for slot in self.slots:
            if slot.initial is not None:
                at = self.layout.offsets[slot.key]
                target = reals if slot.type == "real" else integers
                target[at : at + slot.length] = slot.initial  # type: ignore[assignment]
        return integers, reals

    def source(
        self,
        dialect: Dialect = PLAIN,
        functions: Iterable[str] | None = None,
        written: Callable[[ir.Function, Set[str]], list[str] | None] = lambda _, __: None,
    ) -> str:
        """Return the generated source: constants, then functions, all or those of these names.

        ``written(function, taken)`` may give other lines for a function, whose locals have no ``taken`` name.
        """
        lines = [f"# {self.id}: generated by griddsl. State: s (integers), f (reals), r (random stream).", ""]
        lines.extend(f"{slot.name} = {self._place(slot, dialect)}" for slot in self.slots)
        taken = RESERVED | self.functions.keys() | self.plug_ins.keys()
        made = self.plain.functions
        for name in made if functions is None else functions:
            own = written(made[name], taken)
            lines.extend(["", "", *(print_function(made[name], taken, dialect) if own is None else own)])
        return "\n".join(lines) + "\n"

    def _place(self, slot: ir.Slot, dialect: Dialect) -> int:
        """Return where a slot lies in its vector."""
        is_apart = dialect.apart is not None and not slot.saved and slot.type != "real"
        return self.layout.offsets[slot.key] - (self.layout.saved if is_apart else 0)


@dataclass(frozen=True)
class Layout:
    """Where slots lie in the vectors: saved integers first, then scratch; reals in a vector of their own."""

    offsets: dict[ir.Key, int]
    saved: int
    size: int
    saved_reals: int
    reals: int

    @classmethod
    def of(cls, slots: tuple[ir.Slot, ...]) -> Layout:
        """Lay out slots in their order."""
        offsets: dict[ir.Key, int] = {}
        ends: list[int] = []
        for is_real in (False, True):
            at = 0
            for saved in (True, False):
                for slot in slots:
                    if (slot.type == "real") == is_real and slot.saved == saved:
                        assert slot.key not in offsets, slot.key
                        offsets[slot.key] = at
                        at += slot.length
                ends.append(at)
        return cls(offsets, ends[0], ends[1], ends[2], ends[3])
