"""Kinds: every kind of tile, object and agent that a spec names, with its properties and attributes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import Any

from griddsl.diagnostics import Help, Label, Report, add, did_you_mean, listing, near, write
from griddsl.lowering.traits import of_rules
from griddsl.lowering.world.compass import COMPASS, SAID
from griddsl.lowering.world.domains import Domain, constant_number, read_domain
from griddsl.source import Span
from griddsl.spec.models import GridSpec, KindDeclaration
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import RESERVED
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text as printed

BUILT_IN = {".": "floor", " ": "floor", "#": "wall", "@": "agent"}
DEFAULT_LAYER = "things"
PROPERTIES = (
    "solid",
    "opaque",
    "slide",
    "drift",
    "carry",
    "one_way",
    "pushable",
    "portable",
    "layer",
    "edge",
    "carries",
    "facing",
    "moves",
)


# What each property is for, where it is not for all.
PROPERTY_WORDS = {
    **dict.fromkeys(
        ("carryable", "pickable", "pickup", "takeable", "collectible", "collectable", "item"), "portable"
    ),
    **dict.fromkeys(("movable", "moveable", "push", "shovable"), "pushable"),
    **dict.fromkeys(("blocking", "impassable", "obstacle", "blocks", "unwalkable", "hard"), "solid"),
    **dict.fromkeys(("slippery", "slides", "icy"), "slide"),
}
FOR: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("slide", "drift", "carry", "one_way"), ("tile",)),
    **dict.fromkeys(("pushable", "portable", "layer", "edge"), ("object",)),
    **dict.fromkeys(("solid", "opaque"), ("tile", "object")),
    **dict.fromkeys(("facing", "moves", "carries"), ("object", "agent")),
}
ARTICLES = {"tile": "a tile", "object": "an object", "agent": "an agent"}


@dataclass(frozen=True, slots=True)
class AttributeOf:
    """An attribute: its domain and the code or number it starts with."""

    name: str
    domain: Domain
    default: int
    span: Span


@dataclass(slots=True, eq=False)
class Kind:
    """One kind, and what its declaration says of it."""

    name: str
    category: str
    span: Span
    declared: bool = False
    code: int = -1
    solid: n.Guarded | None = None
    opaque: n.Guarded | None = None
    slide: bool = False
    drift: tuple[int, tuple[n.Expression, ...]] | None = None
    carry: int | None = None
    one_way: int | None = None
    pushable: int = 0
    portable: bool = False
    layer: str = DEFAULT_LAYER
    edge: str | None = None
    carries: int | None = None
    faces: bool = False
    moves: n.Mover | None = None
    attributes: dict[str, AttributeOf] = field(default_factory=dict)
    named: list[Span] = field(default_factory=list)

    def takes(self, name: str) -> bool:
        """Whether a pattern of this kind may give a value of this name."""
        if name == "carries":
            return self.category == "agent" or (self.category == "object" and self.carries is not None)
        return name in self.attributes or (name == "facing" and self.category == "agent")

    def properties(self) -> frozenset[str]:
        """The names of the properties it has, for its look."""
        found = {name for name in ("slide", "portable") if getattr(self, name)}
        found |= {
            name
            for name in ("solid", "opaque", "drift", "carry", "one_way")
            if getattr(self, name) is not None
        }
        return frozenset(found | ({"pushable"} if self.pushable else set()))


def collect_kinds(spec: GridSpec, params: Mapping[str, Any], report: Report) -> dict[str, Kind]:
    """Return the kinds by name: built in, declared, and plain tiles that the spec names more than once."""
    kinds: dict[str, Kind] = {}
    start = spec.source.whole().span(0, 0)
    kinds["floor"] = Kind("floor", "tile", start, declared=True)
    wall = Kind("wall", "tile", start, declared=True)
    wall.solid = wall.opaque = n.Guarded("solid", "always", None, start)
    kinds["wall"] = wall
    kinds["agent"] = Kind("agent", "agent", start, declared=True)
    for item in spec.agents:
        if item.name != "agent":
            _new_kind(kinds, Kind(item.name, "agent", item.span, declared=True), report)
    for declaration in spec.kinds:
        if declaration.category == "agent" and declaration.name in kinds:
            continue
        if declaration.name in {"floor", "wall"} and declaration.category == "tile":
            kinds[declaration.name] = Kind(declaration.name, "tile", declaration.span, declared=True)
            continue
        category = declaration.category
        _new_kind(kinds, Kind(declaration.name, category, declaration.span, declared=True), report)
    for declaration in sorted(spec.kinds, key=lambda each: each.name != "agent"):
        if declaration.name in kinds:
            _read_items(declaration, kinds[declaration.name], params, report)
            if declaration.name == "agent":
                _share(kinds["agent"], kinds)
    for kind in kinds.values():
        if kind.category == "object" and (kind.faces or goes_ahead(kind)):
            compass = Domain("words", words=COMPASS[:4])
            kind.attributes.setdefault("facing", AttributeOf("facing", compass, 0, kind.span))
    _plain_tiles(spec, kinds, params)
    _check_mentions(spec, kinds, params, report)
    for code, kind in enumerate(_ordered(spec, kinds)):
        kind.code = code
    return kinds


def _share(common: Kind, kinds: dict[str, Kind]) -> None:
    """Let every kind of agent be what ``agent:`` says of all of them."""
    for kind in kinds.values():
        if kind.category == "agent" and kind is not common:
            kind.attributes.update(common.attributes)
            kind.carries, kind.faces, kind.moves = common.carries, common.faces, common.moves


def goes_ahead(kind: Kind) -> bool:
    """Whether a kind moves where it faces: `forward` or `patrol`, always or sometimes."""
    return any(
        isinstance(node, n.Mover) and node.policy in {"forward", "patrol"} for node in walk(kind.moves)
    )


def _new_kind(kinds: dict[str, Kind], kind: Kind, report: Report) -> None:
    if kind.name in kinds:
        first = kinds[kind.name].span
        labels = [Label(first, "first here")] if first.end > first.start else []
        help = None if labels else f"`{kind.name}` is built in"
        report.add("duplicate-name", kind.span, name=kind.name, labels=labels, help=help)
        return
    kinds[kind.name] = kind


def _ordered(spec: GridSpec, kinds: dict[str, Kind]) -> list[Kind]:
    """Kinds by their code: floor, wall, then in order of first appearance, then agents."""
    first = ["floor", "wall"]
    agents = [kind.name for kind in kinds.values() if kind.category == "agent"]
    others = [kind for name, kind in kinds.items() if name not in {*first, *agents}]

    def appearance(kind: Kind) -> tuple[int, int]:
        spans = [kind.span, *kind.named]
        inside = [span.start for span in spans if span.source is spec.source and span.end > span.start]
        return (0, min(inside)) if inside else (-1, kind.span.start)

    others.sort(key=appearance)
    return [kinds[name] for name in first] + others + [kinds[name] for name in agents]


def _read_items(declaration: KindDeclaration, kind: Kind, params: Mapping[str, Any], report: Report) -> None:
    for item in declaration.items:
        name = "moves" if isinstance(item, n.Mover) else getattr(item, "name", "")
        fits = isinstance(item, n.AttributeItem) or kind.category in FOR.get(name, (kind.category,))
        if not fits and declaration.category == kind.category:
            _report_misplaced(item, name, kind, report)
            continue
        match item:
            case n.Guarded():
                setattr(kind, item.name, item)
            case n.Mover():
                kind.moves = item
            case n.AttributeItem():
                _read_attribute(item, kind, params, report)
            case n.Property():
                _read_property(item, kind, params, report)


def _report_misplaced(item: Any, name: str, kind: Kind, report: Report) -> None:
    """Report a property that cannot apply to a kind of this category."""
    bearers = FOR[name]
    of = listing_of(bearers)
    meant = "object" if "object" in bearers else bearers[0]
    help = f"only {of} can be so: `{meant} {kind.name}: {printed(item)}`"
    if kind.category == "agent":
        help = f"only {of} can be so"
    category = ARTICLES[kind.category]
    report.add("wrong-property", item.span, name=name, kind=kind.name, category=category, help=help)


def listing_of(categories: tuple[str, ...]) -> str:
    """Return categories in words: objects and agents."""
    return " and ".join(f"{category}s" for category in categories)


def _read_attribute(item: n.AttributeItem, kind: Kind, params: Mapping[str, Any], report: Report) -> None:
    if item.name in kind.attributes:
        report.add("duplicate-name", item.span, name=f"{kind.name}.{item.name}")
        return
    if item.name in {"x", "y", "cell", "action"}:
        help = f"`{kind.name}.{item.name}` has a meaning already; choose another name"
        report.add("reserved-name", item.span.word(item.name), name=item.name, help=help)
        return
    if item.name == "facing":
        kind.faces = True
    domain, default = read_domain(item.default, item.domain, params, report, f"{kind.name}.{item.name}")
    if domain is not None:
        kind.attributes[item.name] = AttributeOf(item.name, domain, default, item.span)


EDGES = ("stay", "clip", "wrap")
_SIMPLE = ("slide", "portable", "facing", "pushable", "carries")


def _read_property(item: n.Property, kind: Kind, params: Mapping[str, Any], report: Report) -> None:
    match item.name:
        case "slide" | "portable":
            setattr(kind, item.name, True)
        case "facing":
            kind.faces = True
        case "carry" | "one_way":
            direction = read_direction(item.word or "", item.span, report)
            setattr(kind, item.name, direction)
        case "drift":
            direction = read_direction(item.word or "", item.span, report)
            if direction is not None:
                kind.drift = (direction, item.values)
        case "layer":
            kind.layer = item.word or DEFAULT_LAYER
        case "edge" if item.word:
            if item.word in EDGES:
                kind.edge = item.word
                return
            help = did_you_mean(item.word, EDGES)
            found, expected = f"`{item.word}`", listing(EDGES)
            report.add("syntax", item.span.word(item.word), found=found, expected=expected, help=help)
        case "pushable":
            kind.pushable = _whole(item, params, report, 1)
        case "carries":
            kind.carries = _whole(item, params, report, 1)
        case _:
            report.add(
                "unknown-property",
                item.span,
                name=item.name,
                of=f"`{kind.name}`",
                help=_property_meant(item.name, kind),
            )
            _read_meant(item, kind, params, report)


def _property_meant(name: str, kind: Kind) -> str:
    """Return which property was meant by a word, of those that the kind can have, or how an attribute reads."""
    fitting = [each for each in PROPERTIES if kind.category in FOR.get(each, (kind.category,))]
    meant = PROPERTY_WORDS.get(name.lower())
    if meant in fitting:
        return Help(f"did you mean `{meant}`?", (str(meant),), name)
    if name in {"patrol", "random", "forward", "still"} and "moves" in fitting:
        return write(f"moves {name}")
    known = did_you_mean(name, fitting)
    return known or f"an attribute reads `{name} in false | true`, `{name} in red | blue` or `{name} in 0..9`"


def _read_meant(item: n.Property, kind: Kind, params: Mapping[str, Any], report: Report) -> None:
    """Give a kind the property that a misspelt one is nearest to, so that the search for mistakes goes on."""
    meant = PROPERTY_WORDS.get(item.name.lower()) or next(iter(near(item.name, PROPERTIES)), None)
    if meant is None and not item.values:
        kind.attributes.setdefault(item.name, AttributeOf(item.name, Domain("bool"), 0, item.span))
    if meant in {"solid", "opaque"}:
        setattr(kind, meant, n.Guarded(meant, "always", None, item.span))
    elif meant in _SIMPLE:
        _read_property(replace(item, name=meant), kind, params, report)


def _whole(item: n.Property, params: Mapping[str, Any], report: Report, default: int) -> int:
    if not item.values:
        return default
    value = constant_number(item.values[0], params, report)
    if value is None:
        return default
    if value.denominator != 1 or value < 1 or value > 1000:
        report.add(
            "bad-value", item.values[0].span, reason=f"`{item.name}` needs a whole number from 1 to 1000"
        )
        return default
    return int(value)


def read_direction(word: str, span: Span, report: Report) -> int | None:
    """Return the code of a compass word."""
    if word in COMPASS:
        return COMPASS.index(word)
    meant = SAID.get(word)
    help = f"`{word}` is an action; the direction is `{meant}`" if meant else did_you_mean(word, COMPASS)
    others = "directions are `east`, `south`, `west`, `north` and the diagonals between, as `northeast`"
    report.add("unknown-word", span.word(word), word=word, of="the directions", help=help or others)
    return None


# Which names are kinds without being declared


def _plain_tiles(spec: GridSpec, kinds: dict[str, Kind], params: Mapping[str, Any]) -> None:
    """Make plain tiles of the names that stand where only a kind can stand."""
    taken = {
        *params,
        *(variable.name for variable in spec.variables),
        *(region.name for region in spec.regions),
    }
    taken |= set(chosen_names(spec)) | {"free", "self", "edge", "here", "start"}
    taken |= {"other"} if spec.agents else set()
    words = {word for kind in kinds.values() for a in kind.attributes.values() for word in a.domain.words}
    for node in kind_positions(spec):
        if node.name in taken:
            continue
        if node.name not in kinds and (node.name not in words or node.span in _legend_spans(spec)):
            kinds[node.name] = Kind(node.name, "tile", node.span)


def _legend_spans(spec: GridSpec) -> list[Span]:
    return [item.kind.span for item in spec.legend]


def chosen_names(spec: GridSpec) -> Iterator[str]:
    """Yield the names given by ``choose`` and ``as``, anywhere."""
    for node in walk(
        (spec.preparing, [group.items for group in spec.actions], [rule.effects for rule in spec.rules])
    ):
        if isinstance(node, n.Choose):
            yield from node.names
        elif isinstance(node, n.Place) and node.alias:
            yield node.alias
        elif isinstance(node, n.Let | n.Ranging):
            yield node.name


CELL = "cell"  # stands where a kind could: `any cell where C`, `each cell where C`


def kind_positions(spec: GridSpec) -> Iterator[n.KindName]:
    """Yield the nodes that stand where a kind stands: legend, triggers, places, relations, counts."""
    for item in spec.legend:
        yield from _kind_nodes(item.kind, item.tile)
    everything = (
        spec.preparing,
        [(rule.trigger, rule.condition, rule.effects) for rule in spec.rules],
        [group.items for group in spec.actions],
        [allow.condition for allow in spec.allow],
        [observe.items for observe in spec.observe],
        spec.info,
        spec.tellings,
        [declaration.items for declaration in spec.kinds],
    )
    for node in walk(everything):
        match node:
            case n.Trigger(event, subject, target):
                if event not in {"step", "every", "when", "act", "do", "fail"}:
                    yield from _kind_nodes(target)
                yield from _kind_nodes(subject)
            case n.Place(kind=kind) | n.RandomCell(kind=kind) | n.EveryCell(kind=kind):
                yield from _kind_nodes(kind)
            case n.Handle(kind=kind) | n.Quantified(kind=kind) | n.Other(kind=kind):
                yield from _kind_nodes(kind)
            case n.Relation(name="on" | "has" | "within" | "sees", right=right):
                yield from _kind_nodes(right)
            case n.Relation(name="ahead", left=left):
                yield from _kind_nodes(left)
            case n.Pattern():
                yield node
            case n.Call(name="count", arguments=(n.Name() as kind, *_)):
                yield from _kind_nodes(kind) if kind.name != CELL else ()
            case n.Each(over=over) | n.Some(over=over) | n.Superlative(over=over):
                yield from _kind_nodes(over) if getattr(over, "name", "") != CELL else ()
            case n.Call(each=each, avoiding=avoiding):
                yield from _kind_nodes(each if getattr(each, "name", "") != CELL else None, avoiding)
            case n.Primitive(through=through):
                yield from _kind_nodes(through)
            case n.Code(kind=kind) | n.SeenAs(kind=kind) | n.CellsFor(over=kind):
                yield from _kind_nodes(kind)


def _kind_nodes(*nodes: Any) -> Iterator[n.KindName]:
    for node in nodes:
        if isinstance(node, n.KindName):
            yield node
        elif isinstance(node, n.Quantified | n.Other):
            yield from _kind_nodes(node.kind)


def _check_mentions(
    spec: GridSpec, kinds: dict[str, Kind], params: Mapping[str, Any], report: Report
) -> None:
    """A kind that is not declared and named only once is taken for a typo."""
    for node in mentions(spec):
        if node.name in kinds:
            kinds[node.name].named.append(node.span)
    lonely = {name: kind for name, kind in kinds.items() if not kind.declared and len(kind.named) <= 1}
    in_legend = {item.kind.span for item in spec.legend}
    for name, kind in kinds.items():
        if name in RESERVED - STEP_WORDS and not kind.declared and kind.named:
            line = f"one kind is named here, and `{name}` is none: write a rule for each of them"
            if name not in {"all", "any", "no"}:
                line = f"`{name}` is no kind; call the kind otherwise, such as `my_{name}`"
            report.add("reserved-name", kind.named[0], name=name, help=line)
    for name, kind in lonely.items():
        if name in RESERVED - STEP_WORDS:
            continue
        if name in spec.left_out:
            continue
        if kind.span in in_legend and any(
            lonely[other].span not in in_legend for other in near(name, lonely)
        ):
            continue  # The other one of the pair is taken for the typo.
        drawn = kind.span in in_legend
        others = [
            *(
                each
                for each in kinds
                if each not in SURE or (_is_surely(each, name) and not (drawn and each != "agent"))
            ),
            *(region.name for region in spec.regions),
            "edge",
            "free",
        ]
        help: str | None = did_you_mean(name, others)
        if name in STEP_WORDS and spec.source.text[: kind.span.start].endswith("each "):
            help = Help("write `each step`", ("step",))
        if name in FREE_WORDS and spec.source.text[: kind.span.start].endswith("random "):
            help = Help("did you mean `free`?", ("free",))
        plural = next((f"{name}" for name in kinds if kind.name in {f"{name}s", f"{name}es"}), None)
        if plural is not None and kind.span not in in_legend:
            help = Help(f"did you mean `{plural}`? kinds are named in the singular", (plural,), name)
        if (
            name in AGENT_WORDS
            and kind.span in in_legend
            and not any("@" in row for each in spec.maps for row in each.all_rows)
        ):
            help = Help("did you mean `agent`? nothing else places it", ("agent",), name)
        if help is None and kind.span in in_legend:
            help = _rule_forgotten(spec, name)
        help = help or _glyph_forgotten(spec, name)
        help = help or f"declare it with `tile {name}:` or `object {name}:`, or correct the name"
        report.add("once-named", kind.span, name=name, help=help)


AGENT_WORDS = {"player", "hero", "me", "robot", "character", "Player", "Agent", "you"}
LEAST_SURE = 0.77
FREE_WORDS = {"empty", "cell", "tile", "ground", "space", "blank", "spot", "place", "position", "location"}
STEP_WORDS = {"steps", "turn", "turns", "tick", "time", "timestep", "frame", "round", "move", "update"}


SURE = ("agent", "floor", "wall")  # every spec has them: a name that is only near may well be another


def _is_surely(kind: str, name: str) -> bool:
    return SequenceMatcher(None, kind, name).ratio() > LEAST_SURE


def _glyph_forgotten(spec: GridSpec, name: str) -> str | None:
    """Say which letter of a map was probably meant to be drawn for a kind; None where none surely was."""
    drawn = {
        glyph for drawing in spec.maps for row in drawing.all_rows for glyph in row if not drawing.walled
    }
    unknown = sorted(drawn - set(BUILT_IN) - {item.glyph for item in spec.legend})
    meant = [glyph for glyph in unknown if glyph.lower() == name[0].lower()]
    if len(meant) != 1:
        return None
    line = f"legend: {meant[0]} = {name}"
    if not spec.legend:
        return add(line, spec.source, f": the map shows `{meant[0]}`, and no legend says what it is")
    return f"add `{meant[0]} = {name}` to the legend: the map shows `{meant[0]}`, and the legend does not"


def _rule_forgotten(spec: GridSpec, name: str) -> str:
    """Say that what is drawn means nothing yet; where nothing ends an episode, it is taken for the goal."""
    if any(can.ends for _, can in of_rules(spec)):
        return f"no rule speaks of it, as `on enter {name}: reward 1` does; or declare it with `tile {name}:`"
    rule = f"on enter {name}: end success"
    source = spec.source
    end = Span(source, len(source.text), len(source.text))
    if source.is_toml:
        return f"no rule speaks of it, and nothing ends an episode: `{rule}` does both"
    before = "" if source.text.endswith("\n") else "\n"
    return Help(
        f"no rule speaks of it, and nothing ends an episode: add `{rule}`", (f"{before}{rule}\n",), place=end
    )


def mentions(spec: GridSpec) -> Iterator[n.KindName]:
    """Yield every name and pattern of a spec: what may be a mention of a kind."""
    everything: list[Any] = [
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
        [declaration.items for declaration in spec.kinds],
    ]
    for node in walk(everything):
        if isinstance(node, n.KindName):
            yield node
    for look in spec.looks:
        yield n.Name(look.kind, look.span)
