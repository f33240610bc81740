"""Unread: what kinds are said to have or to be, and nothing asks: attributes, `opaque` and `portable`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from griddsl.diagnostics import write
from griddsl.lowering.clauses.carrying import can_be_carried
from griddsl.lowering.plug_ins import plug_ins
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import effects_in
from griddsl.lowering.world.actions import added
from griddsl.lowering.world.kinds import AttributeOf, Kind
from griddsl.lowering.world.maps.patterns import values_given
from griddsl.lowering.world.missions import names_in
from griddsl.lowering.world.world import World
from griddsl.program.view import MOVERS_GROUP
from griddsl.source import Span
from griddsl.spec.clauses import clauses_of
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

MOST_VALUES = 24  # of a domain, whose looks are compared
ENCODED = frozenset({"color", "state"})  # by `as minigrid`
PROPERTIES = (n.Guarded, n.Property, n.Mover)


def unread_attributes(writer: Writer) -> None:
    """Attributes that no condition, reward, property, observation or look speaks of, whatever sets them."""
    world = writer.world
    if _moved_by_plug_ins(world):
        return
    given = list(_given(world))
    read = set(_read(world, given))
    is_set = {name for node in given for name in _names_given(node)}
    told = set[Span]()
    for kind in world.kind_list:
        for attribute in kind.attributes.values():
            span = attribute.span
            if span.source is not world.spec.source or span.through or span in told:
                continue
            if read & {attribute.name, *attribute.domain.words} or _is_shown(world, kind, attribute):
                continue
            help = "use it, or leave it out"
            if is_set & {attribute.name, *attribute.domain.words}:
                help = "it is set, and nothing reads it: no condition, reward or observation"
            told.add(span)  # what `agent:` declares is every agent's
            name = f"{_declaring(world, kind, attribute)}.{attribute.name}"
            place = span.word(attribute.name)
            writer.report.add("unused-name", place, what="the attribute", name=name, help=help)


def _declaring(world: World, kind: Kind, attribute: AttributeOf) -> str:
    """Return the kind that an attribute was declared for: of one that one kind of agent alone has, that kind."""
    agents = [each for each in world.agents if each is not kind]
    having = {each.name for each in agents if any(a.span == attribute.span for a in each.attributes.values())}
    return having.pop() if kind.category == "agent" and len(having) == 1 else kind.name


def _moved_by_plug_ins(world: World) -> bool:
    """Whether a function of an installed package, which may read all there is, says how something moves."""
    movers = (node for kind in world.kind_list for node in walk(kind.moves) if isinstance(node, n.Mover))
    return any(mover.policy in plug_ins(MOVERS_GROUP) for mover in movers)


def _given(world: World) -> Iterator[n.Expression | None]:
    """Yield the clauses that give attributes a value: entries of the legend, what effects make and what they set."""
    spec = world.spec
    for item in spec.legend:
        yield from (item.kind, item.tile)
    for effect, can in effects_in(spec.blocks):
        if can.makes is not None:
            yield can.makes(effect)
        if can.sets is not None:
            yield can.sets(effect)
        if can.gives is not None and isinstance(can.gives(effect), n.Name):
            yield can.gives(effect)  # a word; another's attribute is read


def _names_given(node: n.Expression | None) -> Iterator[str]:
    if isinstance(node, n.Attribute | n.Name):
        yield node.name
    elif isinstance(node, n.Pattern):
        yield from (name for name, _ in node.arguments)


def _read(world: World, given: list[n.Expression | None]) -> Iterator[str]:
    """Yield the names and words that clauses mention but where they give a thing its values."""
    spec = world.spec
    giving = {id(node) for node in given}
    in_given = {
        id(value) for node in given if isinstance(node, n.Pattern) for _, value in node.arguments
    } | giving
    properties = [
        item for declaration in spec.kinds for item in declaration.items if isinstance(item, PROPERTIES)
    ]
    for node in (*clauses_of(spec, without=("kinds",)), *walk(properties)):
        if isinstance(node, n.Attribute | n.Name) and id(node) not in in_given:
            yield node.name
        elif isinstance(node, n.Pattern) and id(node) not in giving:
            yield from (name for name, _ in node.arguments)
        elif isinstance(node, n.Text):
            yield from _told(node.value)
        elif isinstance(node, n.Form) and node.name == "minigrid":
            yield from ENCODED
    yield from _told(spec.mission or "")


def _told(text: str) -> Iterator[str]:
    """Yield the names that the braces of a text ask for, an attribute's without its owner's."""
    return (name.rpartition(".")[2] for name in names_in(text))


def _is_shown(world: World, kind: Kind, attribute: AttributeOf) -> bool:
    """Whether two of its values look different: as a colour, a state, a direction, a number, by `look`, in a text."""
    from griddsl.render.looks import look_of
    from griddsl.render.shapes import SHAPES

    names = {kind.name, "agent"} if kind.category == "agent" else {kind.name}
    looks = [look for look in world.spec.looks if look.kind.name in names]
    if any(attribute.name in values_given(look.kind) for look in looks):
        return True
    if _is_in_letters(world, kind, attribute.name):
        return True
    said = {item.name: item.value for look in looks for item in look.items if isinstance(look.kind, n.Name)}
    if "sprite" in said:
        return False
    shape = said.get("shape")
    domain = attribute.domain
    values: list[str | int] = list(domain.words[:MOST_VALUES])
    if not values:
        low = int(domain.low)
        values = list(range(low, min(int(domain.high), low + MOST_VALUES) + 1))
    seen = set()
    for value in values:
        look = look_of(
            kind.name,
            category=kind.category,
            properties=kind.properties(),
            shape=shape if shape in SHAPES else None,
            attributes={attribute.name: value},
        )
        state = look.state if look.state in SHAPES[look.shape].states else None
        seen.add((look.color, look.direction, state))
    return len(seen) > 1


def _is_in_letters(world: World, kind: Kind, name: str) -> bool:
    """Whether the agent observes the board as a text, in which the legend has a letter for some values alone."""
    letters = [item for item in world.spec.legend if item.kind.name == kind.name]
    if len(letters) < 2 or not any(name in values_given(item.kind) for item in letters):
        return False
    seen = (node for observe in world.spec.observe for item in observe.items for node in walk(item))
    return any(isinstance(node, n.Name) and node.name == "text" for node in seen)


def unseen_opaque(writer: Writer) -> None:
    """`opaque` where nothing asks what can be seen: no view is occluded, no ray is cast, nothing sees another."""
    world = writer.world
    looks = any(
        isinstance(node, n.Rays)
        or (isinstance(node, n.ViewShape) and node.occluded)
        or (isinstance(node, n.Relation) and node.name == "sees")
        for node in clauses_of(world.spec)
    )
    if looks:
        return
    help = "nobody looks: a view that is `occluded`, `rays` and `K sees K2` ask what is opaque"
    _unused_properties(writer, "opaque", help)


def untaken_portable(writer: Writer) -> None:
    """`portable` where nothing is ever taken: no action and no effect picks up, and no clause asks for the group."""
    world = writer.world
    if (
        world.spec.variants
        or can_be_carried(writer)
        or any(isinstance(node, n.KindName) and node.name == "portable" for node in clauses_of(world.spec))
    ):
        return
    why = "nothing picks it up: "
    help = added(world.actions, "pickup", world.spec.source, why) or f"{why}`pickup` among the actions does"
    _unused_properties(writer, "portable", help)


def _unused_properties(writer: Writer, name: str, help: str) -> None:
    """Warn of a property wherever the spec itself gives it to a kind."""
    spec = writer.world.spec
    for declaration in spec.kinds:
        for item in declaration.items:
            is_own = item.span.source is spec.source and not item.span.through
            if isinstance(item, n.Guarded | n.Property) and item.name == name and is_own:
                writer.report.add("unused-name", item.span, what="the property", name=name, help=help)


def told_letter_by_letter(writer: Writer) -> None:
    """Warn of `"get the [hue] coin"`, `"get the $hue coin"`: braces alone tell what a name means."""
    spec = writer.world.spec
    known = {*writer.variables, *writer.world.params} - {*writer.world.kinds}
    said = "|".join(sorted(map(re.escape, known), key=len, reverse=True))
    if spec.mission is None or not said:
        return
    place = spec.place("mission")
    for found in re.finditer(rf"\[({said})\]|<({said})>|\$({said})\b|%({said})%", spec.mission):
        at = place.text.find(found[0])
        if at < 0 or place.source is not spec.source:
            continue
        name = next(filter(None, found.groups()))
        where = Span(place.source, place.start + at, place.start + at + len(found[0]))
        help = write(f"{{{name}}}", ": braces tell its value", where)
        reason = f"`{found[0]}` is told as it stands here"
        writer.report.add("idle", where, reason=reason, help=help)
