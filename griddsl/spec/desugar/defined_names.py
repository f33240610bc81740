"""The names that matter to definitions: which a body gives and asks for, and which a spec has given already."""

from __future__ import annotations

import re
from collections.abc import Iterator

from griddsl.diagnostics import Report
from griddsl.source import Span
from griddsl.spec.desugar.ranging import WORDS, local_names
from griddsl.spec.models import Definition, GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

# A definition cannot be called as these are. The other functions, such as `dx`, a definition may hide: it is then what
# that spec means by the name.
BUILT_IN = frozenset(
    {
        *("min", "max", "abs", "exp", "sqrt", "count", "sum", "distance", "chebyshev", "euclid"),
        *("path_distance", "prev", "lowest", "index", "flags"),
    }
)
OF_A_CELL = ("x", "y", "here")
BRACES = re.compile(r"\{([^{}]*)\}")


def own_names(setup: object) -> Iterator[str]:
    """Yield the names that setup gives for the episode."""
    for node in walk(setup):
        if isinstance(node, n.Choose):
            yield from node.names
        elif isinstance(node, n.Place) and node.alias:
            yield node.alias


def loop_names(body: object) -> Iterator[str]:
    """Yield the names of loops, which mean something in them alone."""
    return (node.name for node in walk(body) if isinstance(node, n.Ranging))


def asked_names(definition: Definition) -> Iterator[str]:
    """Yield the words that a definition speaks of."""
    for node in walk((definition.value, definition.effects)):
        if isinstance(node, n.Name | n.Pattern):
            yield node.name
        elif isinstance(node, n.Text):
            for text in BRACES.findall(node.value):
                yield from re.findall(r"[A-Za-z_]\w*", text)
        elif (word := WORDS.get(type(node))) is not None:
            yield str(getattr(node, word))


def place_of_name(definition: Definition, name: str) -> Span:
    """Return where a definition gives a name."""
    for node in walk((definition.effects, definition.value)):
        if isinstance(node, n.Choose | n.Place | n.Let | n.Ranging) and name in local_names(node):
            return node.span.word(name)
    return definition.span


def place_of_parameter(definition: Definition, parameter: str) -> Span:
    """Return where the head of a definition names a parameter: in the brackets behind its own name."""
    source, start = definition.span.source, definition.span.end
    named = re.match(rf"\s*\([^()]*?\b({parameter})\b", source.text[start:])
    if named is None:
        return definition.span
    return Span(source, start + named.start(1), start + named.end(1), definition.span.through)


def found_names(body: object) -> Iterator[str]:
    """Yield the names that the conditions of a body give to what they find, and `x`, `y` and `here` where they ask."""
    for node in walk(body):
        if isinstance(node, n.RandomCell | n.EveryCell | n.Place):
            yield from OF_A_CELL
        if isinstance(node, n.Each | n.Some | n.Superlative) and getattr(node.over, "name", "") == "cell":
            yield from OF_A_CELL
        if isinstance(node, n.Call) and any(getattr(part, "name", "") == "cell" for part in _sought(node)):
            yield from OF_A_CELL
        for part in _sought(node):
            if isinstance(part, n.Quantified | n.Other):
                part = part.kind
            for kind in part.values if isinstance(part, n.Logic) else (part,):
                if isinstance(kind, n.Name | n.Pattern):
                    yield kind.name


def _sought(node: n.Node) -> tuple[n.Node | None, ...]:
    if isinstance(node, n.Relation):
        return (node.left, node.right)
    if isinstance(node, n.Quantified):
        return (node.kind,)
    if isinstance(node, n.Call) and node.name in {"count", "sum"}:
        return (node.each, *node.arguments[:1])
    if isinstance(node, n.Each | n.Some | n.Superlative | n.CellsFor):
        return (node.over,)
    return ()


def speaks_of(argument: n.Expression, names: frozenset[str]) -> bool:
    """Whether an argument, more than a name of a thing, speaks of what a definition gives another meaning to."""
    if isinstance(argument, n.Name) and argument.name in OF_A_CELL:
        return argument.name in names
    if isinstance(argument, n.Name | n.Pattern | n.Quantified | n.Other):
        return False
    return any(isinstance(node, n.Name | n.Pattern) and node.name in names for node in walk(argument))


def declared_names(spec: GridSpec) -> Iterator[tuple[str, str]]:
    """Yield the names that a spec declares, each with what it is."""
    for kind in spec.kinds:
        yield kind.name, f"{'an' if kind.category[0] in 'ao' else 'a'} {kind.category}"
    for variable in spec.variables:
        yield variable.name, "a variable"
    for param in spec.params:
        yield param.name, "a parameter"
    for region in spec.regions:
        yield region.name, "a region"
    for name in own_names(spec.preparing):
        yield name, "a name that setup gives"
    for item in spec.legend:
        yield item.kind.name, "a kind of the legend"


def domain_words(spec: GridSpec) -> Iterator[tuple[str, str]]:
    """Yield the words of domains, each with what can be it."""
    for owner, items in [
        *((kind.name, kind.items) for kind in spec.kinds),
        *((each.name, (each,)) for each in (*spec.variables, *spec.params)),
    ]:
        for item in items:
            domain = getattr(item, "domain", None)
            if isinstance(domain, n.ChoiceDomain) and not isinstance(item, n.Mover):
                of = owner if owner == item.name else f"{owner}.{item.name}"
                yield from ((value.name, of) for value in domain.values if isinstance(value, n.Name))


def all_names(spec: GridSpec) -> Iterator[str]:
    """Yield every word of a spec that could be a name."""
    texts = {spec.source.text, *(each.span.source.text for each in spec.definitions)}
    texts |= {each.span.source.text for each in spec.rules}
    texts |= {each.span.source.text for each in spec.kinds}
    texts |= {each.span.source.text for each in spec.variables}
    for text in texts:
        yield from re.findall(r"[A-Za-z_]\w*", text)


def report_taken_names(spec: GridSpec, report: Report) -> frozenset[str]:
    """Report definitions that are called as something else is; return their names."""
    declared = dict(declared_names(spec))
    words = dict(domain_words(spec))
    wrong = set()
    for definition in spec.definitions:
        name = definition.name
        if name in declared:
            help = f"`{name}` is {declared[name]}: choose another name, such as `is_{name}`"
            report.add("duplicate-name", definition.span, name=name, help=help)
        elif name in BUILT_IN:
            help = f"`{name}(...)` is a function of the language: choose another name, such as `my_{name}`"
            report.add("hidden-word", definition.span, name=name, of="the language", help=help)
        elif name in words:
            help = f"choose another name, such as `is_{name}`"
            report.add("hidden-word", definition.span, name=name, of=words[name], help=help)
        else:
            continue
        wrong.add(name)
    return frozenset(wrong)
