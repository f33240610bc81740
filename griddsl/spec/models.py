"""The validated model of one environment: what a spec says, statement by statement, before it is compiled.

A `GridSpec` is frozen; two are equal where they say the same, wherever it stands and in either spelling. Clauses
are nodes of `griddsl.syntax.nodes`; they are serialised as their text.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass as dataclass_plain
from dataclasses import field
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, get_args, get_origin

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    InstanceOf,
    PrivateAttr,
)
from pydantic.dataclasses import dataclass
from pydantic_core import CoreSchema, core_schema

from griddsl.source import Source, Span
from griddsl.syntax import nodes as n


def _as_text(node: Any) -> Any:
    from griddsl.syntax.printer import to_text

    if node is None or isinstance(node, str):
        return node
    if isinstance(node, tuple):
        return [_as_text(part) for part in node]
    return to_text(node)


@dataclass_plain(frozen=True)
class _Written:
    """Marks a field that holds clauses: checked to be nodes of its type, serialised as their text."""

    json: type = str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        text = core_schema.plain_serializer_function_ser_schema(_as_text, when_used="always")
        return {**_schema_of(source), "serialization": text}

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        one = {"type": "string"}
        return one if self.json is str else {"type": "array", "items": one}


def _schema_of(source: Any) -> CoreSchema:
    """Return what checks that a value is a node, or a tuple of nodes, of a type, whatever those hold in turn."""
    if get_origin(source) is tuple:
        return core_schema.tuple_variable_schema(_schema_of(get_args(source)[0]))
    kinds = tuple(each for each in get_args(source) or (source,) if each is not type(None))
    schema = core_schema.is_instance_schema(kinds)
    return core_schema.nullable_schema(schema) if type(None) in get_args(source) else schema


_T = TypeVar("_T")
_Clause: TypeAlias = Annotated[_T, _Written()]
_Clauses: TypeAlias = Annotated[tuple[_T, ...], _Written(list)]
_Place: TypeAlias = Annotated[Span, InstanceOf[Span], Field(exclude=True, repr=False)]
Scalar: TypeAlias = bool | int | float | Fraction | str


def _place() -> Any:
    return field(compare=False, repr=False)


_CONFIG = ConfigDict(extra="forbid")


@dataclass(frozen=True, config=_CONFIG)
class Drawing:
    """A map as drawn: ``rows`` of glyphs, one character a cell (or edges and cells in turn, if ``walled``).

    ``over`` draws what lies on it, where ground and objects are drawn apart, or a level file has several layers.
    """

    name: str | None
    walled: bool
    rows: Annotated[tuple[str, ...], Field(min_length=1)]
    spans: Annotated[tuple[InstanceOf[Span], ...], Field(exclude=True, repr=False)] = _place()
    span: _Place = _place()
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
    items: _Clauses[n.Item]
    span: _Place = _place()


@dataclass(frozen=True, config=_CONFIG)
class Declaration:
    """``var NAME`` or ``param NAME``: a default, a domain, or both."""

    name: str
    default: _Clause[n.Expression | None]
    domain: _Clause[n.Domain | None]
    span: _Place = _place()


@dataclass(frozen=True, config=_CONFIG)
class Definition:
    """``define NAME(PARAMETERS)``: a name for an expression (``value``) or for a block of effects."""

    name: str
    parameters: tuple[str, ...]
    value: _Clause[n.Expression | None]
    effects: _Clauses[n.Effect]
    span: _Place = _place()


@dataclass(frozen=True, config=_CONFIG)
class Variant:
    """``variant ID``: another id of the spec, and what it sets: parameters, ``level`` and ``limit``."""

    id: str
    items: _Clauses[n.NamedValue]
    span: _Place = _place()

    @property
    def settings(self) -> dict[str, Any]:
        """What is set, by name; what is no constant is left out."""
        values = {item.name: self.value_of(item) for item in self.items}
        return {name: value for name, value in values.items() if value is not None}

    def value_of(self, item: n.NamedValue) -> Any:
        """Return a setting as a number, a truth value or a word; None where it is no constant."""
        value = _constant(item.value)
        return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


_RECKONED: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "div": lambda left, right: Fraction(left // right),
    "mod": operator.mod,
}


def _constant(node: Any) -> Any:
    match node:
        case n.Number(value) | n.Truth(value) | n.Text(value) | n.Name(value):
            return value
        case n.Random(None):
            return "random"
        case n.Negate(value):
            inner = _constant(value)
            return -inner if isinstance(inner, Fraction) else None
        case n.Arithmetic(sign, left, right):
            parts = _constant(left), _constant(right)
            if not all(isinstance(part, Fraction) for part in parts) or (sign not in "+-*" and not parts[1]):
                return None
            return _RECKONED[sign](*parts)
    return None


@dataclass(frozen=True, config=_CONFIG)
class Region:
    """``region NAME``: rectangles of cells."""

    name: str
    rectangles: _Clauses[n.Rectangle]
    span: _Place = _place()


@dataclass(frozen=True, config=_CONFIG)
class ActionGroup:
    """``actions`` (``name`` is None) or ``actions NAME``: actions in order.

    ``axes`` says that what its actions take are axes of their own: ``actions as multidiscrete``.
    """

    name: str | None
    items: _Clauses[n.ActionItem | n.Joystick]
    axes: bool
    span: _Place = _place()


@dataclass(frozen=True, config=_CONFIG)
class Slip:
    """``slip [if C]``: chances of directions relative to the intended one."""

    condition: _Clause[n.Expression | None]
    items: _Clauses[n.SlipItem]
    span: _Place = _place()


@dataclass(frozen=True, config=_CONFIG)
class Allow:
    """``allow ACTION: C``."""

    action: str
    condition: _Clause[n.Expression]
    span: _Place = _place()


@dataclass(frozen=True, config=_CONFIG)
class Rule:
    """A trigger, a condition, a chance and effects; ``head`` is the text before its colon, as it was written."""

    head: str = field(compare=False)
    trigger: _Clause[n.Trigger]
    condition: _Clause[n.Expression | None]
    chance: _Clause[n.Expression | None]
    effects: _Clauses[n.Effect]
    span: _Place = _place()


@dataclass(frozen=True, config=_CONFIG)
class Observe:
    """``observe [NAME]``: items, in order."""

    name: str | None
    items: _Clauses[n.ObserveItem | n.SeenAs]
    span: _Place = _place()


@dataclass(frozen=True, config=_CONFIG)
class Limit:
    """``limit AGENT``: the number of steps after which agents of a kind are out."""

    agent: str
    steps: _Clause[n.Expression]
    span: _Place = _place()


@dataclass(frozen=True, config=_CONFIG)
class Look:
    """``look KIND``: how a kind is drawn."""

    kind: str
    items: _Clauses[n.LookItem]
    span: _Place = _place()


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
    generate: _Clause[n.Call | n.Name | None] = None
    level: str | None = None
    legend: _Clauses[n.LegendItem] = ()
    kinds: tuple[KindDeclaration, ...] = ()
    agents: _Clauses[n.AgentsItem] = ()
    variables: tuple[Declaration, ...] = ()
    regions: tuple[Region, ...] = ()
    once: _Clauses[n.Effect] = ()
    setup: _Clauses[n.Effect] = ()
    actions: tuple[ActionGroup, ...] = ()
    slip: tuple[Slip, ...] = ()
    sticky: _Clause[n.Expression | None] = None
    edge: Literal["stay", "clip", "wrap"] = "stay"
    allow: tuple[Allow, ...] = ()
    illegal: Literal["stay", "end", "act"] = "stay"
    turns: Literal["simultaneous", "in_order", "random_order", "alternate"] = "simultaneous"
    contested: Literal["block", "first", "random", "freeze_all", "share"] = "block"
    swap: Literal["allow", "block"] = "block"
    order: Literal["agents, objects", "objects, agents"] = "agents, objects"
    rewards: Literal["own", "shared", "zero_sum"] = "own"
    reward_changes: _Clauses[n.RewardChange] = ()
    rules: tuple[Rule, ...] = ()
    observe: tuple[Observe, ...] = ()
    info: _Clauses[n.NamedValue] = ()
    scores: _Clauses[n.NamedValue] = ()
    mission: str | None = None
    tellings: _Clauses[n.Expression] = ()  # what `{told_1__}` and so on stand for in the mission
    limit: _Clause[n.Expression | None] = None
    endless: bool = False  # `limit: none`
    limits: tuple[Limit, ...] = ()
    looks: tuple[Look, ...] = ()
    arguments: dict[str, Scalar] = Field(default_factory=dict)

    _source: Source = PrivateAttr()
    _folder: Path | None = PrivateAttr(default=None)
    _stands_alone: bool = PrivateAttr(default=False)
    _places: dict[str, Span] = PrivateAttr(default_factory=dict)
    _left_out: frozenset[str] = PrivateAttr(default_factory=frozenset)
    _plain: GridSpec | None = PrivateAttr(default=None)
    _defined: tuple[str, ...] = PrivateAttr(default=())
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
    def left_out(self) -> frozenset[str]:
        """The words of statements that could not be read: what they name may be named again elsewhere."""
        return self._left_out

    @property
    def defined(self) -> tuple[str, ...]:
        """The names of definitions that stood in a spec which has none any more."""
        return self._defined

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
        changes: dict[str, Any] = {"id": variant.id}
        for name in {"level", "limit"} - declared:
            if name in settings:
                value = settings.pop(name)
                changes[name] = (
                    value if name == "level" else n.Number(Fraction(value), str(value), variant.span)
                )
        return self._with(**changes, arguments={**self.arguments, **settings})

    def _with(self, **changes: Any) -> GridSpec:
        """Return the same spec with other fields."""
        copy = self.model_copy(update=changes)
        copy._plain = None if self._plain is None else self._plain.model_copy(update=changes)
        return copy

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
        """Return as what it is noted that a branch is taken: that of a condition, or the ``else`` behind it; None for not."""
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
