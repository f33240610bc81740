"""A call of a definition, and how a node looks that stands in its place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from griddsl.diagnostics import Label, Report, listing, write
from griddsl.source import Span, Through
from griddsl.spec.models import Definition
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import each_part, rewritten
from griddsl.syntax.printer import to_text


@dataclass(slots=True)
class DefinitionCall:
    """A definition that is put in the place of a call: what its parameters mean, and what its names are called."""

    definition: Definition
    span: Span
    arguments: dict[str, n.Expression]
    renamed: dict[str, str]
    outside: DefinitionCall | None
    given: dict[str, tuple[str, n.Expression]] = field(default_factory=dict)
    bound: frozenset[str] = frozenset()
    value: n.Expression | None = None
    effects: tuple[n.Effect, ...] = ()

    def circle(self, name: str) -> list[str]:
        """Return the definitions from the one of this name to this one; none where it is not being put anywhere."""
        if self.definition.name == name:
            return [name]
        found = [] if self.outside is None else self.outside.circle(name)
        return [*found, self.definition.name] if found else []

    def called(self, name: str) -> str:
        """Return what a name of the definition is called here: one of its own, or one that the caller gives it."""
        given = self.arguments.get(name)
        return given.name if isinstance(given, n.Name) else self.renamed.get(name, name)


def parsed_call(text: str, place: Span, report: Report) -> n.Expression | None:
    """Parse a call that stands in the braces of a mission."""
    from griddsl.source import Fragment
    from griddsl.syntax.clauses import parse_clause

    origin: int | list[int] = [place.start] * (len(text) + 1)
    if text in place.text:
        origin = place.start + place.text.index(text)
    return parse_clause("expression", Fragment(place.source, text, origin), report)


def seen_from(span: Span, call: DefinitionCall | None) -> Span:
    """Return a place of a definition as it is seen from a call; the place itself outside of definitions."""
    if call is None:
        return span
    used = Through(call.span, f"`{call.definition.name}` is used here")
    return Span(span.source, span.start, span.end, (*span.through, used, *call.span.through))


def seen_through(node: n.Expression, place: Through) -> n.Expression:
    """Return a node, and all in it, as seen through a place of a definition where it stands."""

    def seen(part: object) -> object:
        if isinstance(part, Span):
            return Span(part.source, part.start, part.end, (*part.through, place))
        return rewritten(part, seen)

    return each_part(node, seen)


_TYPES = frozenset(
    {"int", "integer", "bool", "boolean", "float", "real", "number", "str", "string", "text", "word", "cell"}
)


def meant_comparison(definition: Definition) -> str | None:
    """`define wins: agent.x = 3`, used as a condition: what was meant to compare sets a value."""
    effect = definition.effects[0] if len(definition.effects) == 1 else None
    if not isinstance(effect, n.Assign) or effect.operator != "=" or isinstance(effect.value, n.Random):
        return None
    if isinstance(effect.target, n.Name) and effect.target.name in _TYPES:
        return write(to_text(effect.value), ": a definition has no type, what it gives has one", effect.span)
    sign = "is" if isinstance(effect.value, n.Name | n.Truth) else "=="
    compared = f"{to_text(effect.target)} {sign} {to_text(effect.value)}"
    return write(compared, ": one `=` sets a value", place=effect.span)


def report_arguments(definition: Definition, place: Span, report: Report) -> None:
    """Report a call with more or fewer arguments than its definition takes."""
    count = len(definition.parameters)
    expected = {0: "nothing", 1: f"one argument, {listing(definition.parameters)}"}.get(
        count, f"{count} arguments, {listing(definition.parameters, 'and')}"
    )
    form = f"{definition.name}({', '.join(definition.parameters)})"
    help: str = f"it is defined as `{form}`, and takes what it is given by its place"
    pair = re.fullmatch(r"\w+\((-?[\w.]+),\s*(-?[\w.]+)\)", place.text)
    said = "".join(map(to_text, (*filter(None, [definition.value]), *definition.effects)))
    if count == 1 and pair is not None and re.search(rf"\b(?:at|to)\s+{definition.parameters[0]}\b", said):
        help = f"{help}; a cell has brackets of its own, `{definition.name}(({pair[1]}, {pair[2]}))`"
    if not count:
        help = write(definition.name, ": it takes nothing", place)
    through = (*place.through, Through(definition.span, "defined here"))
    where = Span(place.source, place.start, place.end, through)
    report.add("wrong-arguments", where, name=definition.name, expected=expected, help=help)


def report_no_name(name: str, given: n.Expression, span: Span, report: Report) -> None:
    """Report an argument that stands where only a name can."""
    place = given.span
    through = (*place.through, Through(span, f"`{name}` stands here"))
    where = Span(place.source, place.start, place.end, through)
    report.add("type", where, found="this", expected="a name", help=None)


# The fields in which a name stands for a kind or a region, and a value is none.
_KINDS_ALONE = {
    n.Trigger: ("subject", "object"),
    n.LegendItem: ("kind", "tile"),
    n.RandomCell: ("kind",),
    n.EveryCell: ("kind",),
    n.Area: ("value",),
}


def kept_kind(node: n.Node, field: str, old: object, new: object, report: Report) -> object:
    """Return what a definition says in the place of a kind or a region; its name, reported, if that is a value."""
    is_alone = field in _KINDS_ALONE.get(type(node), ()) and getattr(node, "event", "") not in {
        "when",
        "every",
    }
    if not is_alone or not isinstance(old, n.KindName) or _says_kinds(new, isinstance(node, n.Trigger)):
        return new
    is_region = isinstance(node, n.Area)
    if is_region and isinstance(new, n.Rectangle):
        return new
    asks = isinstance(node, n.Trigger) and isinstance(
        new, n.Can | n.Compare | n.Is | n.Not | n.Logic | n.Relation | n.Some
    )
    help = f"`{old.name}` says `{to_text(new)[:40]}`{f': `when {old.name}: ...` asks it in each step' if asks else ''}"
    report.add("type", old.span, found="a value", expected="a region" if is_region else "a kind", help=help)
    return old


def _says_kinds(node: object, several: bool) -> bool:
    """Whether a definition says a kind, or several that are joined by `or` where those can stand."""
    if several and isinstance(node, n.Logic):
        return node.operator == "or" and all(_says_kinds(each, several) for each in node.values)
    return node is None or isinstance(node, n.KindName | n.OneOf)


def report_circle(
    name: str, circle: list[str], defined: Mapping[str, Definition], span: Span, report: Report
) -> None:
    """Report a definition that speaks of itself, through others or at once."""
    way = " -> ".join(f"`{each}`" for each in (*circle, name))
    labels = [Label(defined[each].span, f"`{each}` is defined here") for each in circle]
    help = "what a definition says stands in the place of its name: leave one of them out of the other"
    if len(circle) == 1:
        help = "what a definition says stands in the place of its name: it cannot speak of itself"
    report.add("circular-definition", span, name=name, way=way, labels=labels, help=help)
