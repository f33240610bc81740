"""Names: kinds that are surely misspelt, and names that hide a word which the spec needs."""

from __future__ import annotations

from collections.abc import Iterator

from griddsl.diagnostics import Label, listing, near
from griddsl.lowering.checks.never import kinds_made
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.world import World
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk


def misspelt_kinds(world: World) -> None:
    """Report a kind that is never there and is spelt nearly as one that is, however often it is written so."""
    made = kinds_made(world)
    if made is None:
        return
    there = {name for name in made if name in world.kinds}
    for kind in world.kinds.values():
        if kind.name in made or not (kind.named or kind.declared) or kind.category == "agent":
            continue
        meant = [
            name for name in near(kind.name, there) if not (kind.declared and world.kinds[name].declared)
        ]
        span = _place(world, kind)
        if meant and span is not None:
            labels = [
                Label(other, "here too")
                for other in kind.named
                if other != span and other.source is span.source
            ]
            help = f"{listing(meant)} is there: correct the name, in each place"
            if kind.declared:
                help = (
                    f"{listing(meant)} is there, and nothing declares it: correct the one name or the other"
                )
            world.report.add(
                "never-placed", span, name=kind.name, near=meant[0], help=help, labels=labels[:3]
            )


def _place(world: World, kind: Kind) -> Span | None:
    """Return where a kind stands first in the spec itself; None for one that a library declares."""
    spans = [kind.span] if kind.declared else sorted(kind.named, key=lambda span: span.start)
    return next((span for span in spans if span.source is world.spec.source and span.end > span.start), None)


def hidden_words(world: World) -> None:
    """Report each name of a value that is also a word of a domain: where the word is meant, the value would be read."""
    words = dict(_words(world))
    for name, span in _names_of_values(world):
        of = [owner for owner in words.get(name, []) if owner != name]
        if of and span.source is world.spec.source:
            help = f"choose another name, such as `{name}_cell` or `my_{name}`"
            world.report.add("hidden-word", span, name=name, of=listing(of, "and"), help=help)


def _words(world: World) -> Iterator[tuple[str, list[str]]]:
    """Yield the words that the spec declares, each with the attributes and variables that can be it."""
    found: dict[str, list[str]] = {}
    for kind in world.kinds.values():
        for attribute in kind.attributes.values():
            if attribute.name != "facing" and attribute.domain.form == "words":
                for word in attribute.domain.words:
                    found.setdefault(word, []).append(f"{kind.name}.{attribute.name}")
    for variable in world.variables.values():
        if variable.domain is not None and variable.domain.form == "words":
            for word in variable.domain.words:
                found.setdefault(word, []).append(variable.name)
    yield from found.items()


def _names_of_values(world: World) -> Iterator[tuple[str, Span]]:
    """Yield what names a number, a word, a cell or a thing: parameters, variables, what is chosen, what `as` names."""
    for declaration in (*world.spec.params, *world.spec.variables):
        yield declaration.name, declaration.span
    for node in walk((world.spec.setup, [rule.effects for rule in world.spec.rules])):
        if isinstance(node, n.Choose):
            yield from ((name, node.span.word(name)) for name in node.names)
        elif isinstance(node, n.Place) and node.alias:
            yield node.alias, node.span.word(node.alias)
