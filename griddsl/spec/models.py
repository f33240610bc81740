"""The validated model of one environment: what a spec says, statement by statement, before it is compiled.

A `GridSpec` is frozen; two are equal where they say the same, wherever it stands and in either spelling. Clauses
are nodes of `griddsl.syntax.nodes`; they are serialised as their text.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import field
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    InstanceOf,
    PrivateAttr,
)
from pydantic.dataclasses import dataclass

from griddsl.source import Source, Span
from griddsl.spec.reckoned import Scalar, value_of
from griddsl.spec.written import Clause, Clauses, Place, place
from griddsl.syntax import nodes as n

_CONFIG = ConfigDict(extra="forbid")


@dataclass(frozen=True, config=_CONFIG)
class Drawing:
    """A map as drawn: ``rows`` of glyphs, one character a cell (or edges and cells in turn, if ``walled``).

    ``over`` draws what lies on it, where ground and objects are drawn apart, or a level file has several layers.
    """

    name: str | None
    walled: bool
    rows: Annotated[tuple[str, ...], Field(min_length=1)]
    spans: Annotated[tuple[InstanceOf[Span], ...], Field(exclude=True, repr=False)] = place()
    span: Place = place()
    over: Drawing | None = None

    @property
    def all_rows(self) -> tuple[str, ...]:
        """The rows of all layers."""
        return self.rows if self.over is None else self.rows + self.over.all_rows


@dataclass(frozen=True, config=_CONFIG)
class KindDeclaration:
    """``tile NAME``, ``object NAME`` or ``agent [NAME]`` with properties and attributes."""

    name: str
    category: Literal["tile", "object", "agent"]
    items: Clauses[n.Item]
    span: Place = place()


@dataclass(frozen=True, config=_CONFIG)
class Declaration:
    """``var NAME`` or ``param NAME``: a default, a domain, or both."""

    name: str
    default: Clause[n.Expression | None]
    domain: Clause[n.Domain | None]
    span: Place = place()


@dataclass(frozen=True, config=_CONFIG)
class Definition:
    """``define NAME(PARAMETERS)``: a name for an expression (``value``) or for a block of effects."""

    name: str
    parameters: tuple[str, ...]
    value: Clause[n.Expression | None]
    effects: Clauses[n.Effect]
    span: Place = place()


@dataclass(frozen=True, config=_CONFIG)
class Variant:
    """``variant ID``: another id of the spec, and what it sets: parameters, ``level`` and ``limit``."""

    id: str
    items: Clauses[n.NamedValue]
    span: Place = place()

    @property
    def settings(self) -> dict[str, Scalar]:
        """What is set, by name; what is no constant is left out."""
        values = {item.name: self.value_of(item) for item in self.items}
        return {name: value for name, value in values.items() if value is not None}

    def value_of(self, item: n.NamedValue) -> Scalar | None:
        """Return a setting as a number, a truth value or a word; None where it is no constant."""
        value = value_of(item.value)
        return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


@dataclass(frozen=True, config=_CONFIG)
class Region:
    """``region NAME``: rectangles of cells."""

    name: str
    rectangles: Clauses[n.Rectangle]
    span: Place = place()


@dataclass(frozen=True, config=_CONFIG)
class ActionGroup:
    """``actions`` (``name`` is None), ``actions NAME`` or ``actions AGENT NAME``: actions in order.

    ``axes`` says that what its actions take are axes of their own: ``actions as multidiscrete``.
    """

    name: str | None
    items: Clauses[n.ActionItem | n.Joystick]
    axes: bool
    span: Place = place()

    def owned(self, agents: Container[str]) -> tuple[str | None, str | None]:
        """Return the agent whose list it is, None for one of all, and the name of the list, None for the first."""
        first, _, second = (self.name or "").partition(" ")
        return (first, second or None) if first in agents else (None, self.name)


@dataclass(frozen=True, config=_CONFIG)
class Slip:
    """``slip [if C]``: chances of directions relative to the intended one."""

    condition: Clause[n.Expression | None]
    items: Clauses[n.SlipItem]
    span: Place = place()


@dataclass(frozen=True, config=_CONFIG)
class Allow:
    """``allow ACTION: C``."""

    action: str
    condition: Clause[n.Expression]
    span: Place = place()


@dataclass(frozen=True, config=_CONFIG)
class Rule:
    """A trigger, a condition, a chance and effects; ``head`` is the text before its colon, as it was written."""

    head: str = field(compare=False)
    trigger: Clause[n.Trigger]
    condition: Clause[n.Expression | None]
    chance: Clause[n.Expression | None]
    effects: Clauses[n.Effect]
    span: Place = place()


@dataclass(frozen=True, config=_CONFIG)
class Observe:
    """``observe [NAME]``: items, in order."""

    name: str | None
    items: Clauses[n.ObserveItem | n.SeenAs]
    span: Place = place()


@dataclass(frozen=True, config=_CONFIG)
class Limit:
    """``limit AGENT``: the number of steps after which agents of a kind are out."""

    agent: str
    steps: Clause[n.Expression]
    span: Place = place()


@dataclass(frozen=True, config=_CONFIG)
class Look:
    """``look KIND`` or ``look KIND(NAME=VALUE)``: how a kind is drawn, or those of it that have these attributes."""

    kind: Clause[n.Name | n.Pattern]
    items: Clauses[n.LookItem]
    span: Place = place()


class GridSpec(BaseModel):
    """The validated model of one environment, with its parameters bound.

    ``arguments`` holds the values of the parameters; `with_arguments` gives the same spec with others.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    id: Annotated[str, Field(pattern=r"^([A-Za-z0-9_-]+/)?[A-Za-z0-9_-]+-v[0-9]+$")]
    description: str = ""
    params: tuple[Declaration, ...] = ()
    variants: tuple[Variant, ...] = ()
    definitions: tuple[Definition, ...] = ()
    maps: tuple[Drawing, ...] = ()
    generate: Clause[n.Call | n.Name | None] = None
    level: str | None = None
    legend: Clauses[n.LegendItem] = ()
    kinds: tuple[KindDeclaration, ...] = ()
    agents: Clauses[n.AgentsItem] = ()
    variables: tuple[Declaration, ...] = ()
    regions: tuple[Region, ...] = ()
    once: Clauses[n.Effect] = ()
    setup: Clauses[n.Effect] = ()
    actions: tuple[ActionGroup, ...] = ()
    slip: tuple[Slip, ...] = ()
    sticky: Clause[n.Expression | None] = None
    edge: Literal["stay", "clip", "wrap"] = "stay"
    allow: tuple[Allow, ...] = ()
    illegal: Literal["stay", "end", "act"] = "stay"
    turns: Literal["simultaneous", "in_order", "random_order", "alternate"] = "simultaneous"
    contested: Literal["block", "first", "random", "freeze_all", "share"] = "block"
    swap: Literal["allow", "block"] = "block"
    order: Literal["agents, objects", "objects, agents"] = "agents, objects"
    rewards: Literal["own", "shared", "zero_sum"] = "own"
    reward_changes: Clauses[n.RewardChange] = ()
    rules: tuple[Rule, ...] = ()
    observe: tuple[Observe, ...] = ()
    info: Clauses[n.NamedValue] = ()
    scores: Clauses[n.NamedValue] = ()
    mission: str | None = None
    tellings: Clauses[n.Expression] = ()  # what `{told_1__}` and so on stand for in the mission
    limit: Clause[n.Expression | None] = None
    endless: bool = False  # `limit: none`
    limits: tuple[Limit, ...] = ()
    looks: tuple[Look, ...] = ()
    arguments: dict[str, Scalar] = Field(default_factory=dict)

    _source: Source = PrivateAttr()
    _folder: Path | None = PrivateAttr(default=None)
    _stands_alone: bool = PrivateAttr(default=False)
    _places: dict[str, Span] = PrivateAttr(default_factory=dict)
    _left_out: frozenset[str] = PrivateAttr(default_factory=frozenset)
    _told_kinds: tuple[n.Name, ...] = PrivateAttr(default=())
    _plain: GridSpec | None = PrivateAttr(default=None)
    _defined: tuple[str, ...] = PrivateAttr(default=())
    _given: dict[str, str] = PrivateAttr(default_factory=dict)
    _called: dict[str, str] = PrivateAttr(default_factory=dict)
    _unused: tuple[tuple[str, str, Span], ...] = PrivateAttr(default=())
    _names_diagonals: bool = PrivateAttr(default=False)
    _noted: dict[tuple[Span, bool], int] = PrivateAttr(default_factory=dict)

    @property
    def source(self) -> Source:
        """The text the spec was read from."""
        return self._source

    @property
    def folder(self) -> Path | None:
        """The folder of the spec's file, or None for a text."""
        return self._folder

    @property
    def preparing(self) -> tuple[n.Effect, ...]:
        """What happens before an episode, in order: the lines of ``once``, then those of ``setup``."""
        return (*self.once, *self.setup)

    @property
    def blocks(self) -> list[tuple[n.Effect, ...]]:
        """All effects, in the order in which they are written: of what prepares an episode, and of each rule."""
        return [self.preparing, *(rule.effects for rule in self.rules)]

    @property
    def left_out(self) -> frozenset[str]:
        """The words of statements that could not be read: what they name may be named again elsewhere."""
        return self._left_out

    @property
    def told_kinds(self) -> tuple[n.Name, ...]:
        """Where a mission named kinds that are the words of them now: ``{prize.kind}`` of an object ``prize``."""
        return self._told_kinds

    @property
    def defined(self) -> tuple[str, ...]:
        """The names of definitions that stood in a spec which has none any more."""
        return self._defined

    @property
    def given(self) -> dict[str, str]:
        """The names that calls of definitions gave, each with that of the definition and the one which stands there."""
        return self._given

    @property
    def called(self) -> dict[str, str]:
        """The names that calls of definitions made up, each with the one that stands in the definition for it."""
        return self._called

    @property
    def unused(self) -> tuple[tuple[str, str, Span], ...]:
        """What, name and place of the definitions that nothing used, and of parameters that they do not ask for."""
        return self._unused

    @property
    def names_diagonals(self) -> bool:
        """Whether an action goes diagonally, or the text of what can turn an agent names such a direction."""
        return self._names_diagonals

    @property
    def stands_alone(self) -> bool:
        """Whether the text says it all: no library, level or picture is read from a file beside it."""
        return self._stands_alone

    @property
    def limit_in_steps(self) -> int | None:
        """The limit that Gymnasium is told: a plain number, of a spec whose episodes make no trials."""
        if self.once or not isinstance(self.limit, n.Number) or self.limit.value.denominator != 1:
            return None
        return int(self.limit.value)

    def place(self, keyword: str) -> Span:
        """Return the span of a statement by its keyword; that of the spec's start where it has none."""
        return self._places.get(keyword) or self._places.get("env") or Span(self._source, 0, 0)

    def with_arguments(self, arguments: Mapping[str, Scalar]) -> GridSpec:
        """Return the same spec with other values of its parameters."""
        return self._with(arguments={**self.arguments, **arguments})

    def as_variant(self, variant_id: str) -> GridSpec:
        """Return the spec as one of its variants says it; itself where it has none of that id."""
        variant = next((each for each in self.variants if each.id == variant_id), None)
        if variant is None:
            return self
        settings = variant.settings
        declared = {declaration.name for declaration in self.params}
        changes: dict[str, object] = {"id": variant.id}
        for name in {"level", "limit"} - declared:
            if name in settings:
                value = settings.pop(name)
                changes[name] = (
                    value if name == "level" else n.Number(Fraction(value), str(value), variant.span)
                )
        return self._with(**changes, arguments={**self.arguments, **settings})

    def _with(self, **changes: object) -> GridSpec:
        """Return the same spec with other fields."""
        copy = self.model_copy(update=changes)
        copy._plain = None if self._plain is None else self._plain.model_copy(update=changes)
        return copy

    @property
    def draws_level(self) -> bool:
        """Whether each episode draws among all maps."""
        return self.arguments.get("level", self.level) == "random"

    @property
    def plain(self) -> GridSpec:
        """The same spec without definitions: what they say stands where they are used."""
        return self if self._plain is None else self._plain

    def noting(self, branches: dict[tuple[Span, bool], int]) -> GridSpec:
        """Return the same spec, of which a program notes these branches of its rules: see `branch_number`."""
        copy = self.model_copy()
        copy._noted = branches
        return copy

    def branch_number(self, condition: Span, is_else: bool) -> int | None:
        """Return the number of a branch that is noted: that of a condition, or the ``else`` behind it; else None."""
        return self._noted.get((condition, is_else))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GridSpec):
            return NotImplemented
        return self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((self.id, self.description, len(self.rules)))

    def _repr_png_(self) -> bytes:
        from griddsl.envs.notebook import spec_png

        return spec_png(self)
