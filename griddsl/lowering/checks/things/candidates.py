"""Candidates: in the `where` of `random K` the bare name of K is no candidate, but the first K there is."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import fields

from griddsl.lowering.checks.things.misread import found_in, looked_at
from griddsl.lowering.clauses.unknown.several import in_its_cell
from griddsl.lowering.facts.abundance import may_be_several
from griddsl.lowering.state.writer import Writer
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk


def first_for_candidate(writer: Writer) -> None:
    """`random plot where not plot.mined`: `plot` is the first there is, the same for every cell that is asked about."""
    spec, said = writer.world.spec, set[int]()
    asking: list[tuple[object, frozenset[str]]] = [(spec.preparing, frozenset())]
    for rule in spec.rules:
        named = {part.name for part in walk(rule.trigger) if isinstance(part, n.KindName)}
        asking.append((rule.effects, frozenset(named | found_in(rule.condition))))
    for node, heard in asking:
        for name in _asked(node, heard):
            kind = writer.world.kinds.get(name.name)
            if kind is None or name.span.source is not spec.source or name.span.start in said:
                continue
            if kind.category != "agent" and may_be_several(writer.facts, kind):
                said.add(name.span.start)
                help = in_its_cell(kind, name.span)
                writer.report.add("no-candidate", name.span, name=name.name, help=help)


def lifted_and_asked(writer: Writer) -> None:
    """`place agent at (agent.x + 2, 0)` in setup: the agent is lifted before its place is sought, and has none."""
    world = writer.world
    kinds = [each for each in dict.fromkeys(world.agents) if world.agents.count(each) == 1]
    named = {kind.name for kind in kinds} | (set() if world.several else {"agent"})
    for effect in walk(world.spec.preparing):
        if not isinstance(effect, n.Place):
            continue
        placed = effect.kind.name if isinstance(effect.kind, n.Name | n.Pattern) else ""
        if placed not in named:
            continue
        for name in _whereabouts(tuple(getattr(effect, each.name) for each in fields(effect)), named):
            if name.name in {placed, "agent"} and name.span.source is world.spec.source:
                help = f"say on the line before `let home = {name.name}.cell`, and here `home`"
                writer.report.add("asked-while-lifted", name.span, name=name.name, help=help)
                break


def _whereabouts(value: object, named: Collection[str]) -> Iterator[n.Name]:
    """Yield where it is asked for the place of what is called by one of these names."""
    for part in walk(value):
        match part:
            case n.Attribute(n.Name(name) as owner, "x" | "y" | "cell") if name in named:
                yield owner
            case n.Call(_, arguments) if part.each is None:
                yield from (each for each in arguments if isinstance(each, n.Name) and each.name in named)


def _asked(value: object, heard: frozenset[str]) -> Iterator[n.Name]:
    """Yield where the cells of a kind are asked about it by its bare name, which nothing around gives a meaning."""
    if isinstance(value, tuple):
        for each in value:
            yield from _asked(each, heard)
    if not isinstance(value, n.Node):
        return
    if isinstance(value, n.If):
        for test, body in value.branches:
            yield from _asked(test, heard)
            yield from _asked(body, heard | found_in(test))
        return
    match value:
        case n.RandomCell(n.Name(name) | n.Pattern(name), _, where) if name not in heard:
            yield from _bare(where, name)
        case n.EveryCell(n.Name(name) | n.Pattern(name), where) if name not in heard:
            yield from _bare(where, name)
    over = looked_at(value)
    heard = heard if over is None else heard | {over}
    for each in fields(value):
        yield from _asked(getattr(value, each.name), heard)


def _bare(value: object, name: str) -> Iterator[n.Name]:
    """Yield where a condition speaks of a thing by the bare name of its kind; what finds one by it names that one."""
    if name in found_in(value):
        return
    for part in value if isinstance(value, tuple) else ():
        yield from _bare(part, name)
    if not isinstance(value, n.Node) or looked_at(value) == name:
        return
    match value:
        case n.Attribute(n.Name(called) as owner, _) if called == name:
            yield owner
        case n.Is(n.Name(called) as left, _) if called == name:
            yield left
        case n.Call(_, arguments) if value.where is None and value.each is None:
            yield from (each for each in arguments if isinstance(each, n.Name) and each.name == name)
    for each in fields(value):
        yield from _bare(getattr(value, each.name), name)
