"""Gone: what is asked of a thing after it was removed, or in setup before it was placed, where it says nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from griddsl.diagnostics import Label
from griddsl.lowering.checks.never import kinds_drawn
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import block_of, effects_in, traits
from griddsl.lowering.world.naming import drawn_kind, kinds_named, of_candidate
from griddsl.lowering.world.world import World
from griddsl.program.ir import COMPARED
from griddsl.spec.models import Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import METRICS
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text


def read_when_gone(writer: Writer) -> None:
    """Warn where a rule removes the thing of its trigger, or of a loop, and asks for an attribute of it afterwards."""
    world = writer.world
    for rule in world.spec.rules:
        if rule.span.source is world.spec.source:
            for name in _heard(rule):
                _in_list(writer, rule.effects, (name,))
            for loop in walk(rule.effects):
                if isinstance(loop, n.Each) and isinstance(loop.over, n.KindName):
                    _in_list(writer, loop.body, (loop.over.name,))


def asked_while_away(writer: Writer) -> None:
    """`count(kid where kid.away > 0)`, `each kid if self.away > 0`: both go through those that take part."""
    world = writer.world
    agents = {"agent", *(kind.name for kind in world.agents)} if writer.facts.tells_away else set()
    for rule in world.spec.rules if agents else ():
        if rule.span.source is not world.spec.source:
            continue
        asked: list[tuple[object, object]] = []
        if rule.trigger.event == "each":
            asked.append((rule.trigger.object, rule.condition))
        for node in walk((rule.trigger, rule.condition, rule.effects)):
            if isinstance(node, n.Call) and node.arguments:
                asked.append((node.arguments[0], node.where))
            elif isinstance(node, n.Each | n.Some | n.Superlative) and isinstance(node.over, n.Node):
                asked.append((node.over, node.where))
        for over, where in asked:
            name = getattr(over, "name", None)
            if name in agents:
                _never_away(writer, where, {name, "self"} if where is rule.condition else {name})


def _never_away(writer: Writer, where: object, names: set[str]) -> None:
    """Warn of what asks whether one of those that take part is away."""
    agents = writer.world.agents
    one = next((kind.name for kind in agents if agents.count(kind) == 1), None)
    by_name = f": `{one}.away` asks one by its name" if one else ": the rule by which it leaves can note it"
    for node in walk(where):
        match node:
            case n.Compare(operator, n.Attribute(n.Name(name), "away"), n.Number(value)) if name in names:
                if not COMPARED[operator](0, value):
                    help = f"who is away is in no loop and no count{by_name}"
                    writer.report.add("never-true", node.span, help=help)


def _heard(rule: Rule) -> list[str]:
    """Return the kinds that a trigger names."""
    things = (rule.trigger.subject, rule.trigger.object)
    return [node.name for node in things if isinstance(node, n.KindName)]


def _in_list(writer: Writer, effects: tuple[n.Effect, ...], names: tuple[str, ...]) -> None:
    """Warn of what is asked of a thing behind its removal; ``names`` are its kind, and others that `let` gives it."""
    removal: n.Handle | None = None
    for effect in effects:
        if removal is not None:
            if any(_asks_of_the_removed(writer, effect, name, removal) for name in names):
                return
        elif isinstance(effect, n.Handle) and effect.verb == "remove":
            if isinstance(effect.kind, n.Name) and effect.kind.name in names:
                removal = effect
        elif isinstance(effect, n.Let) and isinstance(effect.value, n.Name) and effect.value.name in names:
            names = (*names, effect.name)
        elif isinstance(effect, n.If):
            for _, branch in effect.branches:
                _in_list(writer, branch, names)


def _asks_of_the_removed(writer: Writer, effect: n.Effect, name: str, removal: n.Handle) -> bool:
    """Whether an effect asks something of what was removed, which is reported."""
    for node in _of_the_removed(effect, name):
        read = _read(node, name)
        if read is None:
            continue
        help = f"write it before `{to_text(removal)}`"
        labels = [Label(removal.span, "it is gone from here on")]
        is_place = not isinstance(read, n.Attribute) or read.name in {"x", "y", "cell"}
        if is_place and isinstance(effect, n.Place):
            help = f"`{name} becomes {to_text(effect.kind)}` puts one in its place"
        then = f"it {'is in no cell' if is_place else 'has the first value of its domain'} then"
        writer.report.add(
            "read-when-gone", read.span, name=to_text(read), then=then, labels=labels, help=help
        )
        return True
    return False


def _of_the_removed(node: object, name: str) -> Iterator[n.Node]:
    """Yield the nodes in which a name still means what was removed, and not another that is looked for there."""
    if isinstance(node, n.If):
        for test, block in node.branches:
            if not any(_seeks(part, name) for part in walk(test)):
                yield from _of_the_removed((test, block), name)
    elif isinstance(node, tuple):
        for part in node:
            yield from _of_the_removed(part, name)
    elif isinstance(node, n.Node) and not _goes_through(node, name):
        yield node
        for field in fields(node):
            yield from _of_the_removed(getattr(node, field.name), name)


def _goes_through(node: n.Node, name: str) -> bool:
    """Whether a clause is about each thing of a kind in turn, whatever it says of it."""
    over: object = getattr(node, "over", None) or getattr(node, "each", None)
    if isinstance(node, n.Call) and node.name == "count":
        over = node.arguments[0] if node.arguments else None
    named: tuple[object, ...] = over.values if isinstance(over, n.Logic) else (over,)
    return any(isinstance(kind, n.KindName) and kind.name == name for kind in named)


def _seeks(node: n.Node, name: str) -> bool:
    """Whether a condition asks where a thing of a kind is: behind it, its name is that of what was found."""
    asked = (node.left, node.right) if isinstance(node, n.Relation) else (getattr(node, "kind", None),)
    return any(isinstance(kind, n.KindName) and kind.name == name for kind in asked)


def _read(node: n.Node, name: str) -> n.Expression | None:
    """Return what a node asks of a thing, or the thing where its cell is meant; None where it asks nothing of it."""
    if isinstance(node, n.Attribute):
        return node if isinstance(node.owner, n.Name) and node.owner.name == name else None
    place: object = node.at if isinstance(node, n.Place) else getattr(node, "destination", None)
    return place if isinstance(place, n.Name) and place.name == name else None


def asked_too_early(writer: Writer) -> None:
    """Warn where setup asks where a thing is, or what it is like, and nothing has drawn or placed one so far."""
    world, spec = writer.world, writer.world.spec
    there = kinds_drawn(world)
    if there is None:
        return
    agents = {"agent", *(kind.name for kind in world.agents)}
    there |= agents if "agent" in there else {"agent"} if there & agents else set()
    said: set[str] = set()
    asked = list(_asked_in_order(world, spec.preparing, there))
    # What stands in a loop over words stands there once for each, and the first may make what the next asks for.
    met = {node.span for node, effect, is_there in asked if is_there and not traits(effect).holds}
    for node, asked_in, is_there in asked:
        name = node.name
        if (
            is_there
            or node.span in met
            or name not in world.kinds
            or world.kinds[name].nowhere
            or name in said
            or node.span.source is not spec.source
            or node.span.through
        ):
            continue
        said.add(name)
        own = isinstance(asked_in, n.Place) and getattr(asked_in.kind, "name", "") == name
        order = "setup goes from top to bottom: what it asks of is drawn, or placed above"
        help = of_candidate(node.span) if own else order
        writer.report.add("not-there-yet", node.span, name=name, help=help)


def _asked_in_order(
    world: World, effects: tuple[n.Effect, ...], there: set[str]
) -> Iterator[tuple[n.KindName, n.Effect, bool]]:
    """Yield what effects of setup ask of kinds, with the effect, and whether such are there when it is their turn."""
    for effect in effects:
        if isinstance(effect, n.If):
            made = set(there)
            for test, branch in effect.branches:
                yield from ((node, effect, node.name in there) for node in _asked(test))
                inner = set(there)
                yield from _asked_in_order(world, branch, inner)
                made |= inner
            there |= made
            continue
        if traits(effect).holds:
            if not isinstance(
                effect, n.Retry
            ):  # a block that goes round asks of what its last round has made
                there |= _made(world, effect)
            yield from _asked_in_order(world, block_of(effect), set(there))
            there |= _made(world, effect)
        yield from ((node, effect, node.name in there) for node in _asked(effect))
        there |= _made(world, effect)


def _made(world: World, effects: object) -> set[str]:
    """Return the kinds that effects draw, place or turn things into; all of them where that is not known."""
    made: set[str] = set()
    for effect, can in effects_in(effects):
        if can.makes is not None:
            named = kinds_named(world.spec, world.kinds, can.makes(effect), made=True)
            made |= set(world.kinds) if named is None else named
        if isinstance(effect, n.Choose) and drawn_kind(world.kinds, effect.domain) is None:
            made |= {part.name for part in walk(effect.domain) if isinstance(part, n.KindName)}
    return made | ({"agent"} if made & {kind.name for kind in world.agents} else set())


def _asked(clause: object) -> Iterator[n.KindName]:
    """Yield the names of things of which a clause asks where they are, or what they are like."""
    for node in walk(clause):
        if isinstance(node, n.Attribute):
            things: tuple[n.Expression | None, ...] = (node.owner,)
        elif isinstance(node, n.Relation):
            things = (node.left, node.right)
        elif isinstance(node, n.Call) and node.name in METRICS:
            things = node.arguments
        else:
            continue
        for thing in things:
            kind = thing.kind if isinstance(thing, n.Quantified) else thing
            if isinstance(kind, n.KindName):
                yield kind
