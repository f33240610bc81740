"""Impossible: conditions that others rule out, that nothing ever makes true, or that are asked of what cannot be.

All of it follows from the text, in a game of any size: what else a condition stands behind, all that is ever put into
a variable or an attribute, and what can be carried at all.
"""

from __future__ import annotations

from collections.abc import Sequence

from griddsl.diagnostics import Help, Label
from griddsl.lowering.checks.never import kinds_made
from griddsl.lowering.checks.settled import touches
from griddsl.lowering.clauses.carrying import carried_kinds, kinds_in_objects
from griddsl.lowering.conditions.relations import ITSELF, nothing_is
from griddsl.lowering.state.writer import Asked, Holding, Writer
from griddsl.lowering.traits import of_spec
from griddsl.program import ir, keys
from griddsl.program.proof.held import Held
from griddsl.program.proof.tests import Deciding, Said
from griddsl.source import Span
from griddsl.spec.desugar.ranging import local_names
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import OF_KINDS
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text

SETTABLE = frozenset({keys.VAR, keys.OBJECT, keys.TILE, keys.AGENT})  # slots of variables and of attributes
SIZES = frozenset({"width", "height", "limit"})  # which parameters and other maps may change
GROUPS = frozenset({"object", "portable", "pushable", "self", "other"})


def impossible(writer: Writer) -> None:
    """Warn of each condition that is false wherever it is asked, whatever happens."""
    world = writer.world
    made = kinds_made(world)
    if made is None:
        return
    said = [each.span for each in writer.report.diagnostics]
    varies = bool(world.spec.params or world.spec.variants) or len(world.spec.maps) > len(world.levels)
    fixed = _never_set(writer) if varies else set()
    held = Held(writer.functions, lambda slot: isinstance(slot.key, tuple) and slot.key[0] in SETTABLE)
    holdable: dict[bool, set[str]] = {}
    for span, (node, all_asked) in writer.notes.asked.items():
        if span.source is not world.spec.source or span.through or touches(span, said):
            continue
        if {part.name for part in walk(node) if isinstance(part, n.KindName)} & world.kinds.keys() - made:
            continue  # what speaks of a kind that is nowhere is no condition's fault
        if isinstance(node, n.Relation):
            if not holdable and any(isinstance(each.because, Holding) for each in all_asked):
                holdable = _holdable(writer)
            _relation(writer, node, all_asked, holdable)
        elif not (varies and _may_vary(writer, node)):
            counts = not varies or getattr(getattr(node, "left", node), "name", "") in fixed
            _comparison(writer, node, all_asked, held if counts else None, varies)
    if not varies:
        _patterns(writer, held, made)


def _patterns(writer: Writer, held: Held, made: set[str]) -> None:
    """Warn of rules and relations that ask for a thing with a value that nothing ever gives to any."""
    spec = writer.world.spec
    local = set(local_names(spec.blocks))
    for rule in spec.rules:
        trigger = rule.trigger
        for node in walk((trigger.object, rule.condition, rule.effects)):
            sides = (node.left, node.right) if isinstance(node, n.Relation) else ()
            if any(isinstance(side, n.Quantified) and side.quantifier != "any" for side in sides):
                continue
            patterns = [side.kind if isinstance(side, n.Quantified) else side for side in sides]
            _nowhere(writer, held, made, local, "never-true", node.span, patterns)
        subjects = [trigger.subject, *([trigger.object] if trigger.event in OF_KINDS else [])]
        _nowhere(writer, held, made, local, "never-fires", rule.span, subjects)


def _nowhere(
    writer: Writer,
    held: Held,
    made: set[str],
    local: set[str],
    code: str,
    place: Span,
    patterns: Sequence[n.Expression | None],
) -> None:
    """Warn of a place that asks for one of these, if it asks for an object that no effect or map makes so."""
    world = writer.world
    if place.source is not world.spec.source or place.through:
        return
    named = {*local, *writer.variables, *world.params}
    for pattern in patterns:
        if not isinstance(pattern, n.Pattern):
            continue
        kind = world.kinds.get(pattern.name)
        if kind is None or kind.category != "object" or kind.name not in made:
            continue
        for name, value in pattern.arguments:
            slot, attribute = writer.slots.get((keys.OBJECT, name)), kind.attributes.get(name)
            if slot is None or attribute is None or not isinstance(value, n.Name) or value.name in named:
                continue
            words, values = attribute.domain.words, held.of(slot)
            if value.name in words and values is not None and words.index(value.name) not in values:
                if not touches(place, [each.span for each in writer.report.diagnostics]):
                    writer.report.add(code, place, help=_given_by(kind.name, name, value.name))
                return


def _relation(writer: Writer, node: n.Relation, asked: list[Asked], holdable: dict[bool, set[str]]) -> None:
    """Warn of `agent has K` of what nobody can carry, of `chest has K` likewise, and of `agent sees agent`."""
    sides = [side for side in (node.left, node.right) if isinstance(side, n.Quantified)]
    if any(side.quantifier != "any" for side in sides):
        return
    if all(each.because is ITSELF for each in asked):
        writer.report.add("never-true", node.span, help=nothing_is(node))
        return
    held = [each.because for each in asked if isinstance(each.because, Holding)]
    if len(held) < len(asked) or any(each.kind in holdable[each.holder is None] for each in held):
        return
    kind, holder = held[0].kind, held[0].holder
    help = f"no agent can come to carry a `{kind}`: `object {kind}: portable` lets it be picked up"
    if holder is not None:
        help = f"nothing puts a `{kind}` into a `{holder}`: `{holder}(carries={kind})` in the legend does, "
        help += f"or `place {kind} in {holder}`"
    writer.report.add("never-true", node.span, help=help)


def _holdable(writer: Writer) -> dict[bool, set[str]]:
    """Return the kinds that agents (True) and objects (False) can come to hold.

    They are any, where what holders are given has a name of another sort.
    """
    world = writer.world
    named = {
        part.name
        for effect, can in of_spec(world.spec)
        if isinstance(effect, n.Handle) or can.makes is not None
        for part in walk(effect)
        if isinstance(part, n.KindName)
    }
    through = {
        part.name for part in walk([rule.effects for rule in world.spec.rules]) if isinstance(part, n.Ranging)
    }
    if named & (GROUPS | through | world.params.keys()):
        return {by_agents: set(world.kinds) for by_agents in (True, False)}
    return {
        True: {kind.name for kind in carried_kinds(world)},
        False: {kind.name for kind in kinds_in_objects(world)},
    }


def _comparison(
    writer: Writer, node: n.Expression, asked: list[Asked], held: Held | None, varies: bool
) -> None:
    """Warn of a comparison that what was asked before rules out, or all that is ever set."""
    found: list[Deciding] = []
    for each in asked:
        known = [one for one in each.known if not (varies and _may_vary(writer, one.by))]
        deciding = Deciding(each.places, known, held, bounded=not varies)
        if deciding.can_be(each.test, True) or not (deciding.by or deciding.slots):
            return
        found.append(deciding)
    by = list({(one.by.span, one.holds): one for deciding in found for one in deciding.by}.values())
    if by:
        labels = [
            Label(one.by.span, "this holds" if one.holds else "this fails")
            for one in by
            if not one.by.span.through
        ]
        writer.report.add("never-true", node.span, labels=labels, help=_beside(writer, node, by))
    else:
        writer.report.add("never-true", node.span, help=_as_it_stays(writer, node, found[0].slots[0]))


def _may_vary(writer: Writer, node: object) -> bool:
    """Whether what a condition asks may be another thing with other parameters, or on another map."""
    own = SIZES | writer.world.params.keys()
    return any(
        isinstance(part, n.Call | n.Position | n.Relation) or getattr(part, "name", "") in own
        for part in walk(node)
    )


def _never_set(writer: Writer) -> set[str]:
    """Return the variables that no effect sets, and that start as what no parameter says."""
    spec = writer.world.spec
    sets = {getattr(can.sets(effect), "name", "") for effect, can in of_spec(spec) if can.sets is not None}
    return {each.name for each in spec.variables if not _may_vary(writer, (each.default, each.domain))} - sets


def _beside(writer: Writer, node: n.Expression, by: list[Said]) -> str:
    """Say what rules a condition out: what stands beside it, around it, or above it."""
    joined, first = writer.notes.joined.get(node.span), by[0].by
    if len(by) == 1 and joined is not None and writer.notes.joined.get(first.span) is joined:
        either = f"{to_text(first)} or {to_text(node)}"
        places = [value.span for value in joined.values]
        if places.index(node.span) - places.index(first.span) != 1:
            return f"both cannot hold at once: `{either}` asks whether one of them does"
        either = either if len(places) == 2 else f"({either})"
        rest = ", if one of them will do"
        return Help(
            f"both cannot hold at once: write `{either}`{rest}", (either,), place=first.span.to(node.span)
        )
    if len(by) == 1 and not by[0].holds and to_text(first) == to_text(node):
        return "it was asked above already, and what stands there was done then"
    conditions = " and ".join(f"`{to_text(one.by)}` {'holds' if one.holds else 'fails'}" for one in by)
    if not any(one.holds for one in by):
        return f"it is asked only where {conditions}: the narrower of the two goes first"
    return f"it is asked only where {conditions}, and nothing in between changes that"


def _as_it_stays(writer: Writer, node: n.Expression, slot: ir.Slot) -> str:
    """Say that nothing makes a variable, or an attribute, what a condition asks for."""
    name = str(slot.key[1])
    stored = writer.variables.get(name) if slot.key[0] == keys.VAR else None
    if stored is None or stored.domain is None:
        return f"no legend, setup or rule gives `{name}` such a value" + _by_legend(writer, node, name)
    values = writer.world.variables[name]
    words = stored.domain.words
    start = words[int(values.default)] if words else f"{values.default:g}"
    if slot.type == "bool":
        start, other = ("true", "false") if values.default else ("false", "true")
        return f"nothing sets `{name}`, which stays `{start}`: a rule does by `{name} = {other}`"
    if isinstance(node, n.Is) and node.negated:
        return f"nothing makes `{name}` anything but `{start}`"
    if not _is_alone(writer, slot):
        return f"nothing makes it so: neither what `{name}` starts as nor what a rule sets it to"
    asked = to_text(node.right) if isinstance(node, n.Is) else ""
    does = f"{name} becomes {asked}" if asked in words else f"{name} += 1"
    return f"nothing makes it so: `{name}` starts as `{start}`, and no rule sets it, as `{does}` would"


def _is_alone(writer: Writer, slot: ir.Slot) -> bool:
    """Whether no rule sets a variable, so that it stays what it starts as."""
    return all(
        slot is not getattr(statement, "slot", None)
        for function in writer.functions.values()
        for statement in ir.statements(function.body)
    )


def _by_legend(writer: Writer, node: n.Expression, name: str) -> str:
    """Say how the legend gives an attribute the word that a condition asks for."""
    if not isinstance(node, n.Is) or node.negated or not isinstance(node.right, n.Name):
        return ""
    thing = node.left.owner if isinstance(node.left, n.Attribute) else node.left
    kind = writer.world.kinds.get(getattr(thing, "name", ""))
    attribute = None if kind is None else kind.attributes.get(name)
    if kind is None or attribute is None or node.right.name not in attribute.domain.words:
        return ""
    return f": `{kind.name}({name}={node.right.name})` in the legend does"


def _given_by(kind: str, name: str, word: str) -> str:
    return f"no legend, setup or rule gives `{name}` such a value: `{kind}({name}={word})` in the legend does"
