"""Fresh: what was placed just before has no name of its own kind: the bare name is the first of its kind there is."""

from __future__ import annotations

from collections.abc import Iterator

from griddsl.lowering.checks.things.misread import looked_at
from griddsl.lowering.facts.abundance import may_be_several
from griddsl.lowering.facts.joined import found_by
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import traits
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

_Found = tuple[n.Name, n.Place]


def named_by_no_place(writer: Writer) -> None:
    """`place mark at spot, mark.owner = red`: of several marks the second speaks of the first there is."""
    spec, said = writer.world.spec, set[int]()
    blocks: list[tuple[tuple[n.Effect, ...], frozenset[str]]] = [(spec.preparing, frozenset())]
    for rule in spec.rules:
        named = {part.name for part in walk(rule.trigger) if isinstance(part, n.KindName)}
        blocks.append((rule.effects, frozenset(named | found_by(rule.condition))))
    for block, heard in blocks:
        for name, placed in _spoken_of(block, heard, {}):
            kind = writer.world.kinds.get(name.name)
            if kind is None or kind.category != "object" or name.span.source is not spec.source:
                continue
            if name.span.start not in said and may_be_several(writer.facts, kind):
                said.add(name.span.start)
                known = {*writer.world.kinds, *writer.world.variables, *writer.named_things}
                new = "new" if "new" not in known else f"new_{kind.name}"
                line = placed.span.text.replace(" at ", f" as {new} at ", 1)
                help = f"`{line}` names it: `{new}` is that one then"
                writer.report.add("placed-names-none", name.span, name=name.name, help=help)


def _spoken_of(
    block: tuple[n.Effect, ...], heard: frozenset[str], before: dict[str, n.Place]
) -> Iterator[_Found]:
    """Yield where lines behind a `place` speak of its kind by the bare name, with that `place`."""
    placed = {name: place for name, place in before.items() if name not in heard}
    for effect in block:
        if isinstance(effect, n.If):
            for test, body in effect.branches:
                yield from _spoken_of(body, heard | found_by(test), placed)
        elif traits(effect).holds:
            over = looked_at(effect)
            yield from _spoken_of(
                getattr(effect, "body", ()), heard if over is None else heard | {over}, placed
            )
        elif isinstance(effect, n.Place):
            is_one = effect.count is None and effect.alias is None and effect.at is not None
            if is_one and isinstance(effect.kind, n.Name | n.Pattern) and effect.kind.name not in heard:
                placed[effect.kind.name] = effect
        else:
            named = _changed(effect)
            if named is not None and named.name in placed:
                yield named, placed[named.name]


def _changed(effect: n.Effect) -> n.Name | None:
    """Return the bare name of what an effect sets, moves or removes."""
    sets = traits(effect).sets
    said: object = sets(effect) if sets is not None else None
    for role in ("subject", "kind"):
        said = said if said is not None else getattr(effect, role, None)
    owner = said.owner if isinstance(said, n.Attribute) else said
    return owner if isinstance(owner, n.Name) else None
