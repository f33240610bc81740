"""Kinds: what a spec declares of its tiles, objects and agents (sections 2 and 4 of the reference)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from tests.reference.compass import COMPASS, LISTS, QUARTERS
from tests.reference.named import alternatives
from tests.reference.numbers import plain, simplest

Constant = Callable[[n.Expression], Any]
ROW_EVENTS = {"step", "every", "when", "act", "do", "fail"}


@dataclass(frozen=True)
class Domain:
    """What a value can be: whole numbers from ``low`` to ``high``, words, or true and false."""

    words: tuple[str, ...] = ()
    low: int = 0
    high: int = 1
    is_truth: bool = False

    @property
    def first(self) -> Any:
        """The first value: the default where none is given."""
        return False if self.is_truth else self.words[0] if self.words else self.low

    @property
    def size(self) -> int:
        """How many values there are, from 0 on or from the lowest where that is below 0."""
        if self.is_truth or self.words:
            return len(self.words) or 2
        return self.high + 1 if self.low >= 0 else self.high - self.low + 1

    def code(self, value: Any) -> int:
        """Return the number of a value: the place of a word, 1 for true."""
        return self.words.index(value) if self.words else int(value)

    def clamped(self, value: Any) -> Any:
        """Return a number kept in the range; anything else as it is."""
        value = plain(value)
        if self.words or self.is_truth:
            return value
        return max(self.low, min(self.high, value))


TRUTHS = Domain(is_truth=True)


def domain_of(node: n.Domain | None, default: Any, constant: Constant) -> Domain:
    """Return the domain that a declaration gives."""
    if node is None:
        return TRUTHS
    if isinstance(node, n.RangeDomain):
        return Domain(low=int(constant(node.low)), high=int(constant(node.high)))
    if all(isinstance(value, n.Truth) for value in node.values):
        return TRUTHS
    if all(isinstance(value, n.Name) for value in node.values):
        words = [
            LISTS.get(getattr(value, "name", ""), (getattr(value, "name", ""),)) for value in node.values
        ]
        return Domain(words=tuple(word for each in words for word in each))
    numbers = [int(constant(value)) for value in node.values]
    return Domain(low=min(numbers), high=max(numbers))


@dataclass(frozen=True)
class AttributeOf:
    """An attribute of a kind: its name, its domain, and what it starts with."""

    name: str
    domain: Domain
    default: Any


@dataclass(eq=False)
class Kind:
    """One kind, and the properties that its declaration gives (the tables of section 4)."""

    name: str
    category: str  # tile, object or agent
    solid: n.Guarded | None = None
    opaque: n.Guarded | None = None
    slide: bool = False
    drift: tuple[int, tuple[n.Expression, ...]] | None = None
    carry: int | None = None
    one_way: int | None = None
    pushable: int = 0  # how many go in a row
    gives_way: n.Guarded | None = None  # what stands behind `pushable`: when it does
    portable: bool = False
    layer: str = ""  # the one that all share that name none
    edge: str | None = None
    carries: int | None = None
    facing: bool = False
    nowhere: bool = False
    moves: n.Mover | None = None
    attributes: dict[str, AttributeOf] = field(default_factory=dict)
    code: int = -1

    def __deepcopy__(self, memo: Any) -> Kind:
        return self


def collect_kinds(spec: GridSpec, constant: Constant) -> dict[str, Kind]:
    """Return all kinds by name, in the order of their codes."""
    always = n.Guarded("solid", "always", None, None, spec.place("env"))
    kinds = {name: Kind(name, "tile") for name in ("floor", "wall")}
    kinds["wall"].solid = kinds["wall"].opaque = always
    kinds["agent"] = Kind("agent", "agent")
    for item in spec.agents:
        kinds.setdefault(item.name, Kind(item.name, "agent"))
    for declared in spec.kinds:
        if declared.name in {"floor", "wall"}:
            kinds[declared.name] = Kind(declared.name, "tile")
        said = {item.name for item in declared.items if isinstance(item, n.Guarded)}
        if declared.name == "wall" and not said & {"solid", "opaque"}:
            kinds["wall"].solid = kinds["wall"].opaque = always
        kinds.setdefault(declared.name, Kind(declared.name, declared.category))
    _read_declarations(spec, kinds, constant)
    for name in _undeclared(spec, kinds):
        kinds.setdefault(name, Kind(name, "tile"))
    return _in_order(spec, kinds)


def _read_declarations(spec: GridSpec, kinds: dict[str, Kind], constant: Constant) -> None:
    """Read what declarations say; what ``agent:`` says holds for every kind of agent."""
    for declared in spec.kinds:
        if declared.name == "agent":
            for kind in kinds.values():
                if kind.category == "agent":
                    _read_items(kind, declared.items, constant)
    for declared in spec.kinds:
        if declared.name != "agent":
            _read_items(kinds[declared.name], declared.items, constant)
    for kind in kinds.values():
        if kind.category == "object" and (kind.facing or goes_ahead(kind)):
            kind.attributes.setdefault("facing", AttributeOf("facing", Domain(words=QUARTERS), "east"))


def goes_ahead(kind: Kind) -> bool:
    """Whether a kind moves where it faces, always or sometimes."""
    return any(
        isinstance(node, n.Mover) and node.policy in {"forward", "patrol"} for node in walk(kind.moves)
    )


def way_of(word: str, span: Any, constant: Constant) -> int:
    """Return the code of a direction: of a word of the compass, or of what a parameter is."""
    return COMPASS.index(word if word in COMPASS else constant(n.Name(word, span)))


def _read_items(kind: Kind, items: tuple[n.Item, ...], constant: Constant) -> None:
    for item in items:
        match item:
            case n.Guarded("pushable", most=most):
                kind.pushable = 1 if most is None else int(constant(most))
                kind.gives_way = item
            case n.Guarded(name):
                setattr(kind, name, item)
            case n.Mover():
                kind.moves = item
            case n.AttributeItem(name, default, domain):
                read = domain_of(domain, default, constant)
                first = read.first if default is None else plain(constant(default))
                kind.attributes[name] = AttributeOf(name, read, first)
                kind.facing = kind.facing or name == "facing"
            case n.Property("carry" | "one_way" as name, word, span=span):
                setattr(kind, name, way_of(str(word), span, constant))
            case n.Property("drift", word, values, span=span):
                kind.drift = way_of(str(word), span, constant), values
            case n.Property("edge", word):
                kind.edge = word
            case n.Property("layer", word):
                kind.layer = str(word)
            case n.Property("pushable" | "carries" as name, _, values):
                setattr(kind, name, int(constant(values[0])) if values else 1)
            case n.Property(name):
                setattr(kind, name, True)


# Which names are kinds without being declared, and which comes first


def _undeclared(spec: GridSpec, kinds: dict[str, Kind]) -> Iterator[str]:
    """Yield the names that stand where a kind does and name nothing else: they are plain ground."""
    others = {declared.name for declared in (*spec.params, *spec.variables)}
    others |= {region.name for region in spec.regions}
    others |= {"free", "self", "edge", "here", "start", "other", *kinds}
    others |= {"object", "portable", "pushable"}  # what stands for all kinds of that property
    for node in walk((spec.preparing, [rule.effects for rule in spec.rules])):
        if isinstance(node, n.Choose):
            others |= set(node.names)
        elif isinstance(node, n.Place) and node.alias:
            others.add(node.alias)
    for node in walk(_everything(spec)):
        if isinstance(node, n.Let | n.Ranging):
            others.add(node.name)
    words = {word for kind in kinds.values() for a in kind.attributes.values() for word in a.domain.words}
    yield from (item.kind.name for item in spec.legend if item.kind.name not in others)
    for node in _kind_places(spec):
        if isinstance(node, n.Quantified | n.Other):
            node = node.kind
        if isinstance(node, n.Name | n.Pattern) and node.name not in others | words:
            yield node.name


def _kind_places(spec: GridSpec) -> Iterator[Any]:
    """Yield what stands where a kind stands: in the legend, in triggers, places, relations and counts."""
    for node in walk(_everything(spec)):
        match node:
            case n.LegendItem(_, kind, tile):
                yield from (kind, tile)
            case n.Trigger(event, subject, target):
                yield subject
                if event not in ROW_EVENTS:
                    yield target
            case n.CellsFor(_, kind):
                yield kind
            case n.Place(_, kind) | n.RandomCell(kind) | n.EveryCell(kind) | n.Code(kind) | n.SeenAs(kind):
                yield kind
            case n.Handle(_, kind) | n.Quantified(_, kind) | n.Other(kind):
                yield kind
            case n.Relation("on" | "has" | "within" | "sees", _, right):
                yield right
            case n.Relation("ahead", left):
                yield left
            case n.Pattern():
                yield node
            case n.Call(name, arguments, each, _, avoiding):
                asked = (each, *(arguments if name == "count" else ()))
                yield from alternatives(avoiding)
                yield from (part for part in asked if getattr(part, "name", "") != "cell")
            case n.There(over):
                yield from alternatives(over)
            case n.Each(over) | n.Some(_, over) | n.Superlative(over):
                if not isinstance(over, n.Ranging) and getattr(over, "name", "") != "cell":
                    yield over
            case n.Primitive(_, _, through):
                yield through


def _everything(spec: GridSpec) -> list[Any]:
    return [
        spec.legend,
        spec.preparing,
        spec.generate,
        [(rule.trigger, rule.condition, rule.chance, rule.effects) for rule in spec.rules],
        [group.items for group in spec.actions],
        [allow.condition for allow in spec.allow],
        [observe.items for observe in spec.observe],
        spec.info,
        spec.tellings,
        [slip.condition for slip in spec.slip],
        [declared.items for declared in spec.kinds],
    ]


def _in_order(spec: GridSpec, kinds: dict[str, Kind]) -> dict[str, Kind]:
    """Number the kinds: floor, wall, the others as the file first names them (a library's before), then agents."""
    spans: dict[str, list[Any]] = {name: [] for name in kinds}
    for declared in spec.kinds:
        spans[declared.name].append(declared.span)
    for node in walk(_everything(spec)):
        if isinstance(node, n.Name | n.Pattern) and node.name in kinds:
            spans[node.name].append(node.span)
    for look in spec.looks:
        spans.setdefault(look.kind.name, []).append(look.span)

    def appearance(kind: Kind) -> tuple[int, int]:
        if kind.category == "agent":
            return 2, list(kinds).index(kind.name)
        if kind.name in {"floor", "wall"}:
            return -2, ("floor", "wall").index(kind.name)
        own = [span.start for span in spans[kind.name] if span.source is spec.source]
        return (1, min(own)) if own else (-1, min(span.start for span in spans[kind.name]))

    ordered = sorted(kinds.values(), key=appearance)
    for code, kind in enumerate(ordered):
        kind.code = code
    return {kind.name: kind for kind in ordered}


def parameters(spec: GridSpec, constant_with: Callable[[Any, dict[str, Any]], Any]) -> dict[str, Any]:
    """Return the values of the parameters: constants of the environment."""
    values: dict[str, Any] = {}
    for declared in spec.params:
        default = declared.default
        if default is None:
            domain = domain_of(declared.domain, None, lambda node: constant_with(node, values))
            values[declared.name] = domain.first
        else:
            values[declared.name] = constant_with(default, values)
        value = spec.arguments.get(declared.name, values[declared.name])
        values[declared.name] = value if isinstance(value, bool | str) else simplest(value)
    return values
