"""Held: what is asked for in a hand, or put down, where nobody has that very thing in hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from griddsl.diagnostics import write
from griddsl.lowering.checks.things.misread import looked_at
from griddsl.lowering.clauses.carrying import carried_kinds
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import effects_in, of_rules
from griddsl.spec.clauses import clauses_of
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import OF_KINDS
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text

# The events of things that lie on the map when their rules are asked.
LYING = OF_KINDS - {"pickup"}


def held_and_lying(writer: Writer) -> None:
    """`on enter food if not agent has food`: that very food lies there, so this holds with full hands too.

    What is asked behind the first effect that takes or puts something is not looked at: it may be held by then.
    """
    spec, said = writer.world.spec, set[tuple[int, int]]()
    asking: list[tuple[object, frozenset[str]]] = [
        (node, frozenset()) for node in clauses_of(spec) if node.span.source is spec.source
    ]
    for rule in spec.rules:
        if rule.span.source is spec.source and rule.trigger.event in LYING:
            named = frozenset(part.name for part in walk(rule.trigger) if isinstance(part, n.KindName))
            asking += [(rule.condition, named), (rule.effects, named)]
    for node, lying in asking:
        for asked, is_gone_through in _asked(node, lying):
            place, kind = asked.span, writer.world.kinds.get(asked.name)
            if kind is None or kind.category != "object" or (place.start, place.end) in said:
                continue
            said.add((place.start, place.end))
            help: str = f"`any {asked.name}` asks whether one is held"
            if place.text == asked.name:
                help = write(f"any {asked.name}", ", which asks whether one is held", place)
            if is_gone_through:
                help = f"what is held lies on no map, and no loop goes through it; `any {asked.name}` asks if one is"
            writer.report.add("lies-there", place, name=asked.name, help=help)


def dropped_in_vain(writer: Writer) -> None:
    """Warn of `drop K` where no agent can carry a K, and of `drop (the K with least E)`, which looks on the map."""
    world = writer.world
    for effect, _ in of_rules(world.spec):
        if (
            not isinstance(effect, n.Handle)
            or effect.verb != "drop"
            or effect.span.source is not world.spec.source
        ):
            continue
        if isinstance(effect.kind, n.Superlative | n.There):
            sought = to_text(effect.kind).removeprefix("(").removesuffix(")")
            reason = f"`{sought}` lies on the map, and what lies there is in no hand"
            help = "`drop K` puts down what the agent carries of a kind"
            writer.report.add("idle", effect.span, reason=reason, help=help)
        kind = world.kinds.get(effect.kind.name) if isinstance(effect.kind, n.KindName) else None
        if kind is not None and kind.category == "object" and kind not in carried_kinds(world):
            reason = f"no agent can come to carry a `{kind.name}`"
            help = f"`object {kind.name}: portable` lets it be picked up"
            writer.report.add("idle", effect.span, reason=reason, help=help)


def dropped_by_another(writer: Writer) -> None:
    """Warn of `if blue has flag: drop flag` in a rule about red: who drops is the subject, and has none."""
    world = writer.world
    agents = {kind.name for kind in world.agents}
    for rule in world.spec.rules:
        subject = getattr(rule.trigger.subject, "name", "agent")
        if rule.span.source is not world.spec.source or not world.several:
            continue
        for node in walk(rule.effects):
            for test, body in node.branches if isinstance(node, n.If) else ():
                holders = {
                    part.right.name: part.left.name
                    for part in walk(test)
                    if isinstance(part, n.Relation) and part.name == "has"
                    if isinstance(part.left, n.Name) and isinstance(part.right, n.Name | n.Pattern)
                }
                for effect in walk(body):
                    if (
                        isinstance(effect, n.Handle)
                        and effect.verb == "drop"
                        and isinstance(effect.kind, n.KindName)
                    ):
                        name = effect.kind.name
                        holder = holders.get(name)
                        if subject in agents and holder in agents - {subject, "agent"}:
                            reason = (
                                f"`{holder}` has the `{name}`, and `{subject}` drops, whom the rule is about"
                            )
                            help = write(f"move {name} to {holder}", ": it is put down there", effect.span)
                            writer.report.add("idle", effect.span, reason=reason, help=help)


def _asked(
    value: object, lying: frozenset[str], looped: frozenset[str] = frozenset()
) -> Iterator[tuple[n.Name, bool]]:
    """Yield the kinds behind `has` that name a thing which lies on the map, and whether a loop goes through them."""
    if isinstance(value, tuple):
        for each in value:
            yield from _asked(each, lying, looped)
            if any(
                can.moves or can.loses(effect) or isinstance(effect, n.Handle)
                for effect, can in effects_in(each)
            ):
                return
    if not isinstance(value, n.Node):
        return
    over = looked_at(value)
    if over is not None:
        lying, looped = lying | {over}, looped | {over}
    match value:
        case n.Relation(name="has", right=n.Name(name) as asked) if name in lying:
            yield asked, name in looped
        case n.Not():  # that nobody has one can be meant of each
            looped = frozenset()
    for each in fields(value):
        yield from _asked(getattr(value, each.name), lying, looped)
