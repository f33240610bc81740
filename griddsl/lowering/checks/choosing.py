"""Choosing: a condition behind `where` that does not speak of what is drawn there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from griddsl.diagnostics import listing, write
from griddsl.lowering.facts.joined import found_by
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import block_of, effects_in
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text


def conditions_of_others(writer: Writer) -> None:
    """Warn of `choose a in A, b in B where C` where C speaks of the first only: it limits the last alone.

    And of `choose next in crate where crate.full` in a rule or a loop about a crate: it asks that one.
    """
    spec = writer.world.spec
    blocks: list[tuple[tuple[n.Effect, ...], set[str]]] = [(spec.once, set()), (spec.setup, set())]
    blocks += [(rule.effects, _spoken_of(rule.trigger) | found_by(rule.condition)) for rule in spec.rules]
    for block, named in blocks:
        of_one = {id(effect): kinds for effect, kinds in _draws_below(block, frozenset(named))}
        before: list[n.Choose] = []
        for effect, _ in effects_in(block):
            if not isinstance(effect, n.Choose):
                before = []
                continue
            bound = of_one.get(id(effect), frozenset())
            if effect.where is None or effect.span.source is not spec.source:
                before.append(effect)
                continue
            if not _speaks_of(effect, bound):
                help = _renamed(effect, bound) or _moved(before, effect)
                names = listing(effect.names, "and")
                writer.report.add("where-of-another", effect.where.span, names=names, help=help)
            before.append(effect)


def _spoken_of(trigger: n.Trigger) -> set[str]:
    """Return the kinds that a trigger names: in its rule each is the one that it is about."""
    named = (trigger.subject, trigger.object)
    return {each.name for each in named if isinstance(each, n.KindName)}


def _draws_below(
    effects: Sequence[n.Effect], named: frozenset[str]
) -> Iterator[tuple[n.Choose, frozenset[str]]]:
    """Yield what is drawn in a block, and of which kinds a loop or a rule around it is about one."""
    for effect in effects:
        if isinstance(effect, n.Choose):
            yield effect, named
        elif isinstance(effect, n.If):
            for test, branch in effect.branches:
                yield from _draws_below(branch, named | found_by(test))
        else:
            over = effect.over if isinstance(effect, n.Each) else None
            inner = named | {over.name} if isinstance(over, n.KindName) else named
            yield from _draws_below(block_of(effect), inner)


def _renamed(effect: n.Choose, bound: frozenset[str]) -> str | None:
    """Return the condition of what is drawn, where it asks the one of its kind that the rule is about."""
    kinds = _kinds_drawn(effect) & bound
    if len(effect.names) != 1 or not kinds or effect.where is None:
        return None
    kind = min(kinds)
    asked = re.sub(rf"\b{kind}\b(?!\()", effect.names[0], effect.where.span.text)
    rest = f": `{kind}` is the one that the rule or the loop is about"
    return write(asked, rest, effect.where.span) if asked != effect.where.span.text else None


def _kinds_drawn(effect: n.Choose) -> set[str]:
    domain = effect.domain
    if not isinstance(domain, n.ChoiceDomain) or len(domain.values) != 1:
        return set()
    return {part.name for part in walk(domain) if isinstance(part, n.KindName)}


def _speaks_of(effect: n.Choose, bound: frozenset[str]) -> bool:
    """Whether the condition asks for what is drawn: by its name, by a kind that it is, or by the candidate cell."""
    domain = effect.domain
    own = {*effect.names, "x", "y", "here"} if isinstance(domain, n.RandomCell) else set(effect.names)
    if isinstance(domain, n.ChoiceDomain) and len(domain.values) == 1:
        own |= {part.name for part in walk(domain) if isinstance(part, n.KindName)}
        own |= {part.called for part in walk(domain) if isinstance(part, n.OneOf)}
    return any(
        part.name in own and not (isinstance(part, n.Name) and part.name in bound - {*effect.names})
        for part in walk(effect.where)
        if isinstance(part, n.KindName)
    )


def _moved(before: list[n.Choose], effect: n.Choose) -> str:
    """Return where the condition belongs: behind the names that it speaks of, where these are drawn just before."""
    said = {part.name for part in walk(effect.where) if isinstance(part, n.Name)}
    other = next((each for each in before if said & set(each.names)), None)
    if other is None:
        return "leave it out, or say it of what is drawn"
    if (
        other is not before[-1]
        or other.where is not None
        or any(said & set(each.names) for each in before[:-1])
    ):
        return "it belongs behind the last of the names that it speaks of"
    lines = f"{to_text(replace(other, where=effect.where))}, {to_text(replace(effect, where=None))[len('choose ') :]}"
    return write(lines, place=other.span.to(effect.span))
