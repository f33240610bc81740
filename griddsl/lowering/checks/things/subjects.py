"""Subjects: effects that are about the subject of the rule, in a loop that seems to be about somebody else."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from griddsl.diagnostics import Help, write
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.world import World
from griddsl.source import Span
from griddsl.spec.models import Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text


def loops_of_others(writer: Writer) -> None:
    """`each cat: go to (0, 1)` in a rule on the agent: the agent goes, as often as there are cats.

    Where the condition of the loop speaks of an agent, or the effect of what is gone through, it is surely meant so;
    but of one that leaves.
    """
    world = writer.world
    agents = {"self", "other", "agent", *(kind.name for kind in world.agents)}
    for rule in world.spec.rules:
        for loop in walk(rule.effects):
            if not isinstance(loop, n.Each) or loop.span.source is not world.spec.source:
                continue
            kind = world.kinds.get(getattr(loop.over, "name", ""))
            if kind is None:
                continue
            is_meant = _names(loop.where, agents - {kind.name})
            for effect in _own(loop.body):
                if is_meant and not isinstance(effect, n.Out):  # to leave once for each is never meant
                    continue
                told = None if _names(effect, {kind.name}) else _about_subject(world, effect, rule, kind)
                if told is not None:
                    what, help = told
                    writer.report.add("of-the-subject", effect.span, what=what, name=kind.name, help=help)


def taken_by_the_agent(writer: Writer) -> None:
    """`each ant if ant on crumb: pickup crumb` of an ant that carries: an agent takes it, wherever that is."""
    world = writer.world
    for rule in world.spec.rules:
        if rule.trigger.span.source is not world.spec.source:
            continue
        subject = rule.trigger.object if rule.trigger.event == "each" else rule.trigger.subject
        blocks: list[tuple[object, tuple[n.Effect, ...]]] = [(subject, rule.effects)]
        blocks += [(each.over, each.body) for each in walk(rule.effects) if isinstance(each, n.Each)]
        for over, body in blocks:
            kind = world.kinds.get(getattr(over, "name", ""))
            if kind is None or kind.category != "object" or kind.carries is None:
                continue
            for effect in _own(body):
                if isinstance(effect, n.Handle) and effect.verb != "remove":
                    _report_taken(writer, effect, kind)


def _report_taken(writer: Writer, effect: n.Handle, kind: Kind) -> None:
    """Report what an agent takes or puts down, and how the thing of a kind does."""
    thing, name = to_text(effect.kind), kind.name
    what = f"{'an' if writer.world.several else 'the'} agent {'takes' if effect.verb == 'pickup' else 'drops'} it"
    help: str = f"`place {thing} at CELL`, and `remove {thing}` of the one that the {name} carries"
    if effect.verb == "pickup":
        help = write(f"place {thing} in {name}, remove {thing}", place=effect.span)
    writer.report.add("of-the-subject", effect.span, what=what, name=name, help=help)


def _about_subject(world: World, effect: n.Effect, rule: Rule, kind: Kind) -> tuple[str, Help | str] | None:
    """Return what an effect does to the subject, and how it is done to what is gone through; None for others."""
    name, place = kind.name, effect.span
    among_agents = kind.category == "agent" and world.several
    has_subject = rule.trigger.event not in {"step", "every", "when"}
    who = "whoever the rule is about" if has_subject else "every agent" if world.several else "the agent"
    if isinstance(effect, n.Go) and (among_agents or kind.category == "object"):
        return f"{who} goes", write(f"move {name} to {_behind(place, 'to')}", place=place)
    if isinstance(effect, n.Turn) and kind.category == "object" and "facing" not in kind.attributes:
        return f"{who} turns", f"`object {name}: facing` lets each of them face somewhere"
    if isinstance(effect, n.Reward) and among_agents and effect.to is None and world.spec.rewards == "own":
        own = f"{to_text(effect)} to {name}"
        help = f"write `{own}`" + (", or `to self` where it is meant so" if has_subject else "")
        return f"{who} is paid", Help(help, (own,), place=place)
    if isinstance(effect, n.Out) and among_agents and has_subject:
        return f"{who} leaves", write(f"{name} {to_text(effect)}", place=place)
    return None


def _behind(place: Span, word: str) -> str:
    return place.text.partition(f"{word} ")[2].strip()


def _own(body: tuple[n.Effect, ...]) -> Iterator[n.Effect]:
    """Yield the effects of a loop that no loop over things within it goes through."""
    for effect in body:
        yield effect
        if isinstance(effect, n.If):
            for _, branch in effect.branches:
                yield from _own(branch)
        elif isinstance(effect, n.Repeat):
            yield from _own(effect.body)


def _names(node: object, names: Collection[str]) -> bool:
    return any(isinstance(part, n.Name | n.Pattern) and part.name in names for part in walk(node))
