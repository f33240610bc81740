"""Declared: the kinds of a spec, read from what their statements say of them and from where they are named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from griddsl.compass import ARROWS, CARDINALS, COMPASS
from griddsl.diagnostics import Help, Label, Report, did_you_mean, listing, near, write
from griddsl.lowering.world.constants import constant_number
from griddsl.lowering.world.domains import Domain, read_domain
from griddsl.lowering.world.kinds import (
    ARTICLES,
    DEFAULT_LAYER,
    FOR,
    PROPERTIES,
    PROPERTY_WORDS,
    AttributeOf,
    Kind,
    goes_ahead,
    report_twice,
)
from griddsl.lowering.world.mentions import check_mentions, plain_tiles
from griddsl.source import Span
from griddsl.spec.models import GridSpec, KindDeclaration
from griddsl.spec.reckoned import Scalar
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import RESERVED
from griddsl.syntax.printer import to_text as printed


def collect_kinds(spec: GridSpec, params: Mapping[str, Scalar], report: Report) -> dict[str, Kind]:
    """Return the kinds by name: built in, declared, and plain tiles that the spec names more than once."""
    kinds: dict[str, Kind] = {}
    start = spec.source.whole().span(0, 0)
    kinds["floor"] = Kind("floor", "tile", start, declared=True)
    kinds["wall"] = _walled(Kind("wall", "tile", start, declared=True))
    kinds["agent"] = Kind("agent", "agent", start, declared=True)
    for item in spec.agents:
        if item.name in RESERVED:
            help = f"choose another, such as `my_{item.name}`"
            report.add("reserved-name", item.span.word(item.name), name=item.name, help=help)
        if item.name != "agent":
            _new_kind(kinds, Kind(item.name, "agent", item.span, declared=True), report)
        elif len(spec.agents) > 1:
            help = "`agent` is each of them, whatever it is called: choose another name for this one"
            report.add("duplicate-name", item.span.word("agent"), name="agent", help=help)
    for declaration in spec.kinds:
        if declaration.category == "agent" and declaration.name in kinds:
            continue
        if declaration.name in {"floor", "wall"} and declaration.category == "tile":
            anew = Kind(declaration.name, "tile", declaration.span, declared=True)
            said = {item.name for item in declaration.items if isinstance(item, n.Guarded)}
            is_wall = declaration.name == "wall" and not said & {"solid", "opaque"}
            kinds[declaration.name] = _walled(anew) if is_wall else anew
            continue
        category = declaration.category
        _new_kind(kinds, Kind(declaration.name, category, declaration.span, declared=True), report)
    for declaration in sorted(spec.kinds, key=lambda each: each.name != "agent"):
        if declaration.name in kinds:
            _read_items(declaration, kinds, params, report)
            if declaration.name == "agent":
                _share(kinds["agent"], kinds)
    _share_alike(spec, kinds)
    for kind in kinds.values():
        if kind.category == "object" and (kind.faces or goes_ahead(kind)):
            compass = Domain("words", words=CARDINALS)
            kind.attributes.setdefault("facing", AttributeOf("facing", compass, 0, kind.span))
    plain_tiles(spec, kinds, params)
    check_mentions(spec, kinds, params, report)
    for code, kind in enumerate(_ordered(spec, kinds)):
        kind.code = code
    return kinds


def _walled(wall: Kind) -> Kind:
    """Return the wall as it is where its declaration says neither `solid` nor `opaque`."""
    wall.solid = wall.opaque = n.Guarded("solid", "always", None, None, wall.span)
    return wall


def _share_alike(spec: GridSpec, kinds: dict[str, Kind]) -> None:
    """Let `agent` have what each kind of agents declares alike: `self.side` can be asked of whoever acts."""
    several = [kinds[item.name] for item in spec.agents if item.name in kinds]
    for name, attribute in several[0].attributes.items() if several else ():
        others = [kind.attributes.get(name) for kind in several[1:]]
        if all(other is not None and other.domain == attribute.domain for other in others):
            kinds["agent"].attributes.setdefault(name, attribute)


def _share(common: Kind, kinds: dict[str, Kind]) -> None:
    """Let every kind of agent be what ``agent:`` says of all of them."""
    for kind in kinds.values():
        if kind.category == "agent" and kind is not common:
            kind.attributes.update(common.attributes)
            kind.carries, kind.faces, kind.moves = common.carries, common.faces, common.moves
            kind.nowhere = common.nowhere


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


def _read_items(
    declaration: KindDeclaration, kinds: dict[str, Kind], params: Mapping[str, Scalar], report: Report
) -> None:
    kind = kinds[declaration.name]
    report_twice(declaration.items, report)
    for item in declaration.items:
        name = "moves" if isinstance(item, n.Mover) else getattr(item, "name", "")
        fits = isinstance(item, n.AttributeItem) or kind.category in FOR.get(name, (kind.category,))
        if not fits and declaration.category == kind.category:
            _report_misplaced(item, name, kind, report)
            continue
        match item:
            case n.Guarded(name="pushable"):
                kind.pushable = _whole(item, params, report, 1)
                kind.gives_way = item
            case n.Guarded():
                setattr(kind, item.name, item)
            case n.Mover():
                kind.moves = item
            case n.AttributeItem():
                _read_attribute(item, kind, params, report)
            case n.Property() if (values := _values_behind(declaration, item)) is not None:
                domain, words = values
                joined = write(" | ".join(words), ": values are joined by `|`", domain.span.to(item.span))
                report.add("unknown-property", item.span, name=item.name, of=f"`{kind.name}`", help=joined)
            case n.Property(name=other) if other in kinds and other not in PROPERTIES:
                help = (
                    f"no kind takes over what `{other}` says: write its properties, as in `solid, pushable`"
                )
                report.add("unknown-property", item.span, name=other, of=f"`{kind.name}`", help=help)
            case n.Property():
                _read_property(item, kind, params, report)


def _values_behind(declaration: KindDeclaration, item: n.Property) -> tuple[n.ChoiceDomain, list[str]] | None:
    """`color in red, blue`: the domain that a word goes on, and all words up to it; None for other properties."""
    if item.name in PROPERTIES or item.values or item.name.lower() in PROPERTY_WORDS:
        return None
    words = [item.name]
    for before in reversed(declaration.items[: declaration.items.index(item)]):
        if isinstance(before, n.AttributeItem) and isinstance(before.domain, n.ChoiceDomain):
            given = [value.name for value in before.domain.values if isinstance(value, n.Name)]
            return before.domain, [*given, *words]
        if not isinstance(before, n.Property) or before.name in PROPERTIES or before.values:
            return None
        words.insert(0, before.name)
    return None


def _report_misplaced(item: n.Item, name: str, kind: Kind, report: Report) -> None:
    """Report a property that cannot apply to a kind of this category."""
    bearers = FOR[name]
    of = listing_of(bearers)
    before = item.span.source.text[: item.span.start]
    if isinstance(item, n.Mover) and before.rstrip().endswith(name):  # which a mover's own span leaves out
        place = replace(item.span, start=before.rindex(name))
    else:
        place = item.span
    meant = "object" if "object" in bearers else bearers[0]
    help = f"only {of} can be so: `{meant} {kind.name}: {printed(item)}`"
    way = printed(item).removeprefix("carries ").removeprefix("moves ")
    if kind.category == "tile" and (way in ARROWS or way in COMPASS):
        help = write(f"carry {ARROWS.get(way, way)}", ": a tile moves on what stands on it", place)
    elif kind.category == "agent":
        help = f"only {of} can be so"
    category = ARTICLES[kind.category]
    report.add("wrong-property", place, name=name, kind=kind.name, category=category, help=help)


def listing_of(categories: tuple[str, ...]) -> str:
    """Return categories in words: objects and agents."""
    return " and ".join(f"{category}s" for category in categories)


def _read_attribute(item: n.AttributeItem, kind: Kind, params: Mapping[str, Scalar], report: Report) -> None:
    if item.name in kind.attributes:
        report.add("duplicate-name", item.span, name=f"{kind.name}.{item.name}")
        return
    if item.name in {"x", "y", "cell", "action"}:
        help = f"`{kind.name}.{item.name}` has a meaning already; choose another name"
        report.add("reserved-name", item.span.word(item.name), name=item.name, help=help)
        return
    if item.name == "facing":
        kind.faces = True
    if item.name in _NOUNS and isinstance(item.default, n.Name) and item.default.name not in params:
        name, both = item.default.name, item.span.word(item.name).to(item.default.span)
        help = Help(f"what it is called stands by itself: leave `{item.name}` out", (name,), place=both)
        found, expected = f"`{item.name} {name}`", "the attribute's name"
        report.add("syntax", both, found=found, expected=expected, help=help)
        item = replace(item, name=name, default=None)
    domain, default = read_domain(item.default, item.domain, params, report, f"{kind.name}.{item.name}")
    if domain is not None:
        kind.attributes[item.name] = AttributeOf(item.name, domain, int(default), item.span)


# What some write before the name of an attribute.
_NOUNS = frozenset(("attribute", "attr", "property", "field", "var", "has", "with", "a", "an", "the"))
EDGES = ("stay", "clip", "wrap")


_SIMPLE = ("slide", "portable", "facing", "nowhere", "pushable", "carries")


def _read_property(item: n.Property, kind: Kind, params: Mapping[str, Scalar], report: Report) -> None:
    match item.name:
        case "slide" | "portable" | "nowhere":
            setattr(kind, item.name, True)
        case "facing":
            kind.faces = True
        case "carry" | "one_way":
            direction = read_direction(item.word or "", item.span, params, report)
            setattr(kind, item.name, direction)
        case "drift":
            direction = read_direction(item.word or "", item.span, params, report)
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


_COLORS = frozenset(
    (
        "red",
        "green",
        "blue",
        "yellow",
        "purple",
        "orange",
        "brown",
        "grey",
        "gray",
        "black",
        "white",
        "pink",
        "gold",
    )
)
_ENDING = frozenset(("terminal", "terminate", "terminates", "end", "ends", "win", "wins", "final"))
_DEADLY = frozenset(("deadly", "lethal", "kills"))
_SENDING = frozenset(("portal", "teleport", "teleporter", "warp", "teleports"))
_HOLDING = frozenset(("container", "holder", "storage", "inventory"))
_OPEN = frozenset(
    ("walkable", "passable", "traversable", "enterable", "open", "empty", "free", "safe", "nonsolid")
)

_MOVING = {
    **dict.fromkeys(("patrols", "patrolling"), "patrol"),
    **dict.fromkeys(("wanders", "wander", "wandering", "roams", "roaming", "moving"), "random"),
}
_FALLING = frozenset(("falls", "fall", "falling", "gravity"))


def _property_meant(name: str, kind: Kind) -> str:
    """Return which property was meant by a word, of those that the kind can have, or how an attribute reads."""
    fitting = [each for each in PROPERTIES if kind.category in FOR.get(each, (kind.category,))]
    meant = PROPERTY_WORDS.get(name.lower())
    if meant in fitting:
        return Help(f"did you mean `{meant}`?", (str(meant),), name)
    if name in {"patrol", "random", "forward", "still"} and "moves" in fitting:
        return write(f"moves {name}")
    if name.lower() in _MOVING and "moves" in fitting:
        return write(f"moves {_MOVING[name.lower()]}")
    if name.lower() in {"pullable", "pull", "pulled"}:
        return (
            f"no property pulls: a rule moves it after the agent, as in `on do pull: move {kind.name} east`"
        )
    if name.lower() in _FALLING:
        return f"a rule lets things fall, a cell a step: `each {kind.name}: move {kind.name} south`"
    if name.lower() in _COLORS:
        return f"an object's or a tile's colour is a look: `look {kind.name}: color {name.lower()}`"
    if name.lower() in _ENDING | _DEADLY:
        outcome = "failure" if name.lower() in _DEADLY else "success"
        return f"what happens there is a rule: `on enter {kind.name}: end {outcome}`"
    if name.lower() in _SENDING:
        return f"what happens there is a rule: `on enter {kind.name}: go to other {kind.name}`"
    if name.lower() in _HOLDING:
        return write("carries 1", ": how many things it can hold")
    if name.lower() in _OPEN:
        return Help("leave it out: what is not `solid` can be entered", ("",), name)
    known = did_you_mean(name, fitting)
    return known or f"an attribute reads `{name} in false | true`, `{name} in red | blue` or `{name} in 0..9`"


def _read_meant(item: n.Property, kind: Kind, params: Mapping[str, Scalar], report: Report) -> None:
    """Give a kind the property that a misspelt one is nearest to, so that the search for mistakes goes on."""
    meant = PROPERTY_WORDS.get(item.name.lower()) or next(iter(near(item.name, PROPERTIES)), None)
    if meant is None and not item.values:
        kind.attributes.setdefault(item.name, AttributeOf(item.name, Domain("bool"), 0, item.span))
    if meant in {"solid", "opaque"}:
        setattr(kind, meant, n.Guarded(meant, "always", None, None, item.span))
    elif meant in _SIMPLE:
        _read_property(replace(item, name=meant), kind, params, report)


_IN_A_ROW = "`pushable` is one at a time, `pushable 3` up to three in a row, `pushable if C` at times"


def _whole(item: n.Property | n.Guarded, params: Mapping[str, Scalar], report: Report, default: int) -> int:
    values = item.values if isinstance(item, n.Property) else [item.most]
    given = next(iter(values), None)
    if given is None:
        return default
    if isinstance(given, n.Truth) or (isinstance(given, n.Name) and given.name not in params):
        _report_word(item, given, report)
        return default
    if item.name == "pushable" and any(isinstance(part, n.Attribute) for part in n.walk(given)):
        asked = f"`pushable if {printed(given)} > 2`"
        help = f"it is a number of things in a row; what the game decides, a condition asks: {asked}"
        report.add("not-constant", given.span, what="`pushable`", help=help)
        return default
    value = constant_number(given, params, report)
    if value is None:
        return default
    if value.denominator != 1 or value < 1 or value > 1000:
        reason = f"`{item.name}` needs a whole number from 1 to 1000"
        report.add(
            "bad-value", given.span, reason=reason, help=_IN_A_ROW if item.name == "pushable" else None
        )
        return default
    return int(value)


def _report_word(item: n.Property | n.Guarded, given: n.Truth | n.Name, report: Report) -> None:
    """Report `pushable true`, `pushable solid`: a truth or another property where a number can stand."""
    word = printed(given)
    plain = printed(replace(item, most=None)) if isinstance(item, n.Guarded) else item.name
    help = Help(f"a property stands by itself: write `{plain}`", (plain,), place=item.span)
    if item.name == "carries":
        rest = ": how many things it can hold; which, is said by what puts them there"
        help = write("carries 1", rest, item.span)
    elif word == "not" and isinstance(item, n.Guarded):
        other = printed(replace(item, most=None, word="unless" if item.word == "if" else "if"))
        help = Help(f"write `{other}`", (other,), place=item.span)
    elif word in {"false", "no", "off"}:
        help = Help(f"a kind is not `{item.name}` unless it says so: leave it out", ("",), place=item.span)
    elif word in PROPERTIES:
        help = write(f"{item.name}, {word}", ": items are separated by commas", item.span)
    report.add("type", given.span, found=f"`{word}`", expected="a number", help=help)


def read_direction(word: str, span: Span, params: Mapping[str, Scalar], report: Report) -> int | None:
    """Return the code of a compass word, or of the one that a parameter is."""
    value = word if word in COMPASS else params.get(word)
    if isinstance(value, str) and value in COMPASS:
        return COMPASS.index(value)
    if word in params:
        reason = f"the parameter `{word}` is `{value}` here, and none of the directions"
        domain = f"let all values of its domain be directions: `param {word}: east in east | south`"
        report.add("bad-value", span.word(word), reason=reason, help=domain)
        return None
    meant = ARROWS.get(word)
    help = f"`{word}` is an action; the direction is `{meant}`" if meant else did_you_mean(word, COMPASS)
    others = "directions are `east`, `south`, `west`, `north` and the diagonals between, as `northeast`"
    report.add("unknown-word", span.word(word), word=word, of="the directions", help=help or others)
    return None
