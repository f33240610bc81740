"""Mentions: where a spec names kinds, which of them are declared by that alone, and what others were meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from griddsl.diagnostics import Report, near
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.once_named import FREE_WORDS, STEP_WORDS, Once, meant_once, members_of
from griddsl.source import Span
from griddsl.spec.desugar.members import GROUPS
from griddsl.spec.models import GridSpec
from griddsl.spec.reckoned import Scalar
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import RESERVED
from griddsl.syntax.nodes import walk


def plain_tiles(spec: GridSpec, kinds: dict[str, Kind], params: Mapping[str, Scalar]) -> None:
    """Make plain tiles of the names that stand where only a kind can stand."""
    taken = {
        *params,
        *(variable.name for variable in spec.variables),
        *(region.name for region in spec.regions),
    }
    taken |= set(chosen_names(spec)) | {"free", "self", "edge", "here", "start"}
    taken |= {"other"} if spec.agents else set()
    effects = (spec.preparing, [rule.effects for rule in spec.rules], [each.items for each in spec.observe])
    taken |= {node.called for node in walk((effects, spec.info)) if isinstance(node, n.OneOf)}
    words = {word for kind in kinds.values() for a in kind.attributes.values() for word in a.domain.words}
    for node in kind_positions(spec):
        if node.name in taken:
            continue
        if node.name not in kinds and (node.name not in words or node.span in _legend_spans(spec)):
            kinds[node.name] = Kind(node.name, "tile", node.span)


def _legend_spans(spec: GridSpec) -> list[Span]:
    return [item.kind.span for item in spec.legend]


def chosen_names(spec: GridSpec) -> Iterator[str]:
    """Yield the names given by ``choose`` and ``as``, anywhere, and by what calls of definitions give."""
    for node in walk(_everything(spec)):
        if isinstance(node, n.Choose):
            yield from node.names
        elif isinstance(node, n.Place) and node.alias:
            yield node.alias
        elif isinstance(node, n.Let | n.Ranging):
            yield node.name
        elif isinstance(node, n.Given):
            yield from (name for name, _ in node.names)


CELL = "cell"  # stands where a kind could: `any cell where C`, `each cell where C`


def kind_positions(spec: GridSpec) -> Iterator[n.KindName]:
    """Yield the nodes that stand where a kind stands: legend, triggers, places, relations, counts."""
    for item in spec.legend:
        yield from _kind_nodes(item.kind, item.tile)
    for node in walk(_everything(spec)):
        match node:
            case n.Trigger(event, subject, target):
                if event not in {"step", "every", "when", "act", "do", "fail"}:
                    yield from _kind_nodes(target)
                yield from _kind_nodes(subject)
            case n.Place(kind=kind) | n.RandomCell(kind=kind) | n.EveryCell(kind=kind):
                yield from _kind_nodes(kind)
            case n.Held(kind=kind) | n.Handle(kind=kind) | n.Quantified(kind=kind) | n.Other(kind=kind):
                yield from _kind_nodes(kind)
            case n.Relation(name="on" | "has" | "within" | "sees", right=right):
                yield from _kind_nodes(right)
            case n.Relation(name="ahead", left=left):
                yield from _kind_nodes(left)
            case n.Pattern():
                yield node
            case n.Call(name="count", arguments=(n.Name() as kind, *_)):
                yield from _kind_nodes(kind) if kind.name != CELL else ()
            case n.Each(over=over) | n.Some(over=over) | n.Superlative(over=over) | n.There(over=over):
                yield from _kind_nodes(over) if getattr(over, "name", "") != CELL else ()
            case n.Call(each=each, avoiding=avoiding):
                yield from _kind_nodes(each if getattr(each, "name", "") != CELL else None, avoiding)
            case n.Primitive(through=through):
                yield from _kind_nodes(through)
            case n.Code(kind=kind) | n.SeenAs(kind=kind) | n.CellsFor(over=kind):
                yield from _kind_nodes(kind)


def _everything(spec: GridSpec) -> tuple[object, ...]:
    return (
        spec.preparing,
        [(rule.trigger, rule.condition, rule.effects) for rule in spec.rules],
        [group.items for group in spec.actions],
        [allow.condition for allow in spec.allow],
        [observe.items for observe in spec.observe],
        spec.info,
        spec.tellings,
        [declaration.items for declaration in spec.kinds],
    )


def _kind_nodes(*nodes: n.Node | None) -> Iterator[n.KindName]:
    for node in nodes:
        if isinstance(node, n.KindName):
            yield node
        elif isinstance(node, n.Quantified | n.Other):
            yield from _kind_nodes(node.kind)
        elif isinstance(node, n.Logic):  # several kinds, as `avoiding` may have
            yield from _kind_nodes(*node.values)


def check_mentions(
    spec: GridSpec, kinds: dict[str, Kind], params: Mapping[str, Scalar], report: Report
) -> None:
    """A kind that is not declared and named only once is taken for a typo."""
    for node in mentions(spec):
        if node.name in kinds:
            kinds[node.name].named.append(node.span)
    _check_reserved(kinds, report)
    lonely = {
        name: kind
        for name, kind in kinds.items()
        if not kind.declared and (len(kind.named) <= 1 or is_any_cell(kind) or is_of_none(kind, kinds, spec))
    }
    in_legend = set(_legend_spans(spec))
    for name, kind in lonely.items():
        if name in RESERVED - STEP_WORDS or name in spec.left_out:
            continue
        is_drawn = kind.span in in_legend
        if is_drawn and any(lonely[other].span not in in_legend for other in near(name, lonely)):
            continue  # The other one of the pair is taken for the typo.
        help = meant_once(Once(name, kind.span, is_drawn, spec, kinds))
        random = [span for span in kind.named if span.source.text[: span.start].endswith("random ")]
        for span in random if is_any_cell(kind) else [kind.span]:
            if len(kind.named) > 1:
                where = "`random`" if random else "the spec"
                report.add("unknown-name", span, where=where, name=name, help=help)
            else:
                report.add("once-named", span, name=name, help=help)


def _check_reserved(kinds: Mapping[str, Kind], report: Report) -> None:
    for name, kind in kinds.items():
        if name in RESERVED - STEP_WORDS and not kind.declared and kind.named:
            line = f"one kind is named here, and `{name}` is none: write a rule for each of them"
            if name not in {"all", "any", "no"}:
                line = f"`{name}` is no kind; call the kind otherwise, such as `my_{name}`"
            report.add("reserved-name", kind.named[0], name=name, help=line)


def is_of_none(kind: Kind, kinds: Mapping[str, Kind], spec: GridSpec) -> bool:
    """Whether a word means all kinds of objects with some property, and the spec has none."""
    is_group = kind.name in GROUPS and kind.span not in _legend_spans(spec)
    return is_group and not members_of(kind.name, kinds)


def is_any_cell(kind: Kind) -> bool:
    """Whether a word is no kind, but any free cell in `random cell`: nothing declares, draws or places it."""
    if kind.declared or kind.name not in FREE_WORDS:
        return False
    before = [span.source.text[: span.start][-20:] for span in kind.named]
    return any(text.endswith("random ") for text in before) and not any(map(_AS_A_KIND.search, before))


_AS_A_KIND = re.compile(r"(?:[=|]|\b(?:place|enter|leave|bump|meet|on|becomes|tile|object))\s*\Z")


def mentions(spec: GridSpec) -> Iterator[n.KindName]:
    """Yield every name and pattern of a spec: what may be a mention of a kind."""
    everything: list[object] = [
        spec.legend,
        spec.preparing,
        spec.generate,
        [(rule.trigger, rule.condition, rule.chance, rule.effects) for rule in spec.rules],
        [group.items for group in spec.actions],
        [allow.condition for allow in spec.allow],
        [observe.items for observe in spec.observe],
        spec.info,
        spec.tellings,
        [slip.condition for slip in spec.slip],
        [declaration.items for declaration in spec.kinds],
    ]
    for node in walk(everything):
        if isinstance(node, n.KindName):
            yield node
    yield from spec.told_kinds
    for look in spec.looks:
        yield look.kind
