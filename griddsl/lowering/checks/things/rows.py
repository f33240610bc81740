"""Rows: of things that stand side by side and are all moved one way, those behind find the others in their way."""

from __future__ import annotations

from collections.abc import Sequence

from griddsl.compass import STEP_OF
from griddsl.diagnostics import Label
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.maps.level import Thing
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import TIMED
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text

# Things go in the order in which they came to be, those of the map row by row.
LATER = {name: way for name, way in STEP_OF.items() if way[1] > 0 or way == (1, 0)}


LOOP = "a loop `each {over}{where} by {by}:` lets the one ahead go first"


def in_their_way(writer: Writer) -> None:
    """Warn of `each alien: move alien south` where the map has one alien below another: the upper one goes nowhere.

    A rule about each, and a loop in the rule of an event, finds all where they stood: there it is so whatever the way.
    Where a condition asks what lies there, a chance decides, or `by` says who goes first, that is thought of; in the
    rule of an event `by` changes nothing of who goes first, and says that the author thinks it does.
    """
    for rule in writer.world.spec.rules:
        if rule.span.source is not writer.world.spec.source:
            continue
        is_after = rule.trigger.event in TIMED
        if rule.trigger.event == "each" and rule.chance is None:
            over = rule.trigger.object
            help = f"in the block of `each step:`, {LOOP}"
            _row(writer, over, rule.condition, rule.effects, help, is_one_by_one=False)
        for loop in walk(rule.effects):
            if isinstance(loop, n.Each) and not (is_after and loop.by is not None):
                kept = "; a variable keeps what an action takes" if rule.trigger.event == "do" else ""
                help = LOOP if is_after else f"in the block of `each step:`, {LOOP}{kept}"
                _row(writer, loop.over, loop.where, loop.body, help, is_one_by_one=is_after, by=_order(loop))


def _order(loop: n.Each) -> str:
    """Return the order that a loop gives to what it does but move things one way or another, or nothing."""
    if loop.by is None or not all(isinstance(effect, n.Move) for effect in loop.body):
        return ""
    return f"{to_text(loop.by)}{' down' if loop.down else ''}"


def _row(
    writer: Writer,
    over: n.Expression | n.Ranging | None,
    where: n.Expression | None,
    body: Sequence[n.Effect],
    help: str,
    is_one_by_one: bool,
    by: str = "",
) -> None:
    kind = writer.world.kinds.get(getattr(over, "name", ""))
    if not isinstance(over, n.Name | n.Pattern) or kind is None or kind.category != "object":
        return
    if any(isinstance(part, n.Relation | n.Quantified | n.Some | n.ByChance) for part in walk(where)):
        return
    own_names = {kind.name, "self"}
    is_limited = where is not None or isinstance(over, n.Pattern)
    hindered = LATER if is_one_by_one else STEP_OF
    for effect in body:
        match effect:
            case n.Move(subject=n.Name(name), direction=way) if way is not None and name in own_names:
                known = STEP_OF.get(to_text(way))
            case _:
                continue
        own = way.name if isinstance(way, n.Attribute) and getattr(way.owner, "name", "") in own_names else ""
        if not (own or by) and any(isinstance(part, n.Name) and part.name in own_names for part in walk(way)):
            continue  # each goes a way of its own, which no glyph tells; who says an order thinks of rows
        words = [word for word in hindered if known is None or hindered[word] == known]
        if not any(_is_beside(writer, kind.name, word, is_limited, own) for word in words):
            continue
        axis = "y" if known is not None and known[1] else "x"
        is_down = known is not None and hindered[words[0]] in LATER.values()
        by = by or (f"{kind.name}.{axis}{' down' if is_down else ''}" if known else _ahead(kind.name, way))
        said = f" where {to_text(where)}" if where is not None else ""
        help = help.format(over=to_text(over), where=said, by=by)
        told = "these go in the order in which they came to be"
        if not is_one_by_one:
            told = "each of these finds the others where they stood before"
        writer.report.add(
            "in-its-way", effect.span, name=kind.name, labels=[Label(over.span, told)], help=help
        )
        return


def hemmed_in(writer: Writer) -> None:
    """Warn of `object ghost: moves ...` among pellets of its own layer: no map lets any of them go anywhere."""
    world = writer.world
    for kind in world.object_kinds():
        if kind.moves is None or kind.span.source is not world.spec.source:
            continue
        around: set[str] = set()
        free = drawn = 0
        for level in world.levels:
            there = {thing.cell: thing.kind for thing in level.objects if thing.kind.layer == kind.layer}
            for cell in (thing.cell for thing in level.objects if thing.kind is kind and thing.cell >= 0):
                drawn += 1
                for across, down in STEP_OF.values():
                    x, y = cell % level.width + across, cell // level.width + down
                    beside = y * level.width + x
                    if not (0 <= x < level.width and 0 <= y < level.height):
                        continue
                    ground = world.kind_list[int(level.tiles[beside])].solid
                    if beside not in there and (ground is None or ground.word != "always"):
                        free += 1
                    elif beside in there and _lets_pass(there[beside]):
                        around.add(there[beside].name)
        if drawn and not free and around:
            name = sorted(around)[0]
            help = f"add `layer {name}s` to `object {name}:`: things of different layers share a cell"
            writer.report.add("hemmed-in", kind.moves.span, name=kind.name, by=name, help=help)


def _lets_pass(kind: Kind) -> bool:
    """Whether nobody would think that a kind of object is in the way: it is neither solid nor moves."""
    return kind.solid is None and not kind.pushable and kind.moves is None


def _ahead(name: str, way: n.Expression) -> str:
    words = to_text(way)
    return f"{name}.x * dx({words}) + {name}.y * dy({words}) down"


def _is_beside(writer: Writer, name: str, word: str, is_limited: bool, own: str) -> bool:
    """Whether a map draws two of a kind side by side; where not all of the kind are moved, by one glyph.

    With an attribute ``own``, which is the way that each of them goes, by a glyph that gives it this way.
    """
    way = STEP_OF[word]
    for level in writer.world.levels:
        drawn = {each.cell: each for each in level.objects if each.kind.name == name and each.cell >= 0}
        for cell, thing in drawn.items():
            x, y = cell % level.width + way[0], cell // level.width + way[1]
            other = drawn.get(y * level.width + x) if 0 <= x < level.width else None
            if other is None or (own and _goes(thing, own) != word):
                continue
            if not (is_limited or own) or _looks(thing) == _looks(other):
                return True
    return False


def _goes(thing: Thing, own: str) -> str:
    """Return the word that an attribute of a thing on the map has, as its glyph or its kind says."""
    attribute = thing.kind.attributes.get(own)
    words = attribute.domain.words if attribute is not None else ()
    default = words[attribute.default] if attribute is not None and words else ""
    return dict(_looks(thing)).get(own, default)


def _looks(thing: Thing) -> list[tuple[str, str]]:
    return [(name, to_text(value)) for name, value in thing.attributes.items()]
