"""Choosing: a condition behind `where` that does not speak of what is drawn there."""

from __future__ import annotations

from dataclasses import replace

from griddsl.diagnostics import listing, write
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import effects_in
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text


def conditions_of_others(writer: Writer) -> None:
    """Warn of `choose a in A, b in B where C` where C speaks of the first only: it limits the last alone."""
    spec = writer.world.spec
    for block in (spec.once, spec.setup, *(rule.effects for rule in spec.rules)):
        before: list[n.Choose] = []
        for effect, _ in effects_in(block):
            if not isinstance(effect, n.Choose):
                before = []
                continue
            if effect.where is not None and not _speaks_of(effect) and effect.span.source is spec.source:
                help = _moved(before, effect)
                names = listing(effect.names, "and")
                writer.report.add("where-of-another", effect.where.span, names=names, help=help)
            before.append(effect)


def _speaks_of(effect: n.Choose) -> bool:
    """Whether the condition asks for what is drawn: by its name, by a kind that it is, or by the candidate cell."""
    domain = effect.domain
    own = {*effect.names, "x", "y", "here"} if isinstance(domain, n.RandomCell) else set(effect.names)
    if isinstance(domain, n.ChoiceDomain) and len(domain.values) == 1:
        own |= {part.name for part in walk(domain) if isinstance(part, n.KindName)}
        own |= {part.called for part in walk(domain) if isinstance(part, n.OneOf)}
    return any(part.name in own for part in walk(effect.where) if isinstance(part, n.KindName))


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
