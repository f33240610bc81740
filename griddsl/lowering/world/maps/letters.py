"""Letters: what each sign of a map stands for, by the legend, by kinds of one letter, and built in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from griddsl.diagnostics import Help, Label, Report, did_you_mean
from griddsl.lowering.world.constants import constant
from griddsl.lowering.world.kinds import BUILT_IN, Kind
from griddsl.lowering.world.maps.patterns import pattern_meant
from griddsl.source import Span
from griddsl.spec.models import GridSpec
from griddsl.spec.reckoned import Scalar
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text

_WAYS = {"orientation", "direction", "dir", "heading", "rotation", "way", "angle"}


@dataclass(frozen=True, slots=True)
class Letter:
    """What a sign stands for: the ground, and what is on it."""

    tile: Kind
    tile_attributes: dict[str, n.Expression]
    thing: Kind | None
    attributes: dict[str, n.Expression]


def read_legend(spec: GridSpec, kinds: dict[str, Kind], report: Report) -> dict[str, Letter]:
    """Return what each sign stands for, by the sign."""
    floor = kinds["floor"]
    glyphs: dict[str, Letter] = {}
    for glyph, name in BUILT_IN.items():
        kind = kinds[name]
        if kind.category == "tile":
            glyphs[glyph] = Letter(kind, {}, None, {})
        else:
            glyphs[glyph] = Letter(floor, {}, kind, {})
    seen: dict[str, Span] = {}
    for item in spec.legend:
        if len(item.glyph) != 1:
            help = 'write one character, quoted if it is no letter or digit: `"$" = box`'
            help += "; what stands on what is drawn in two maps, `map ground:` and `map objects:`"
            span = Span(item.span.source, item.span.start, item.kind.span.start).word(item.glyph)
            report.add("bad-glyph", span, glyph=f"`{item.glyph[:20]}`", help=help)
            glyphs.update({char: Letter(floor, {}, None, {}) for char in item.glyph})
            continue
        if item.glyph in seen:
            report.add(
                "duplicate-glyph", item.span, glyph=item.glyph, labels=[Label(seen[item.glyph], "first here")]
            )
        seen[item.glyph] = item.span
        read = None if _is_no_kind(item, spec, kinds, report) else _glyph(item, kinds, floor, report)
        glyphs[item.glyph] = read or Letter(floor, {}, None, {})
    return glyphs


def _is_no_kind(item: n.LegendItem, spec: GridSpec, kinds: dict[str, Kind], report: Report) -> bool:
    """Whether a glyph stands for a region or a value, which is reported."""
    regions = {region.name for region in spec.regions}
    values = {
        **{each.name: "variable" for each in spec.variables},
        **{each.name: "parameter" for each in spec.params},
    }
    for node in (item.kind, item.tile):
        name = node.name if isinstance(node, n.KindName) else ""
        if node is None or name in kinds or name not in {*regions, *values}:
            continue
        what = "region" if name in regions else values[name]
        help = f"a map draws kinds: give the kind a name of its own, such as `{name}_tile`, and the {what} another"
        if what == "region":
            help = f"a region is cells, which no glyph draws; a kind of ground needs a name of its own: `{name}_tile`"
        report.add("type", node.span, found=f"the {what} `{name}`", expected="a kind", help=help)
        return True
    return False


def _glyph(item: n.LegendItem, kinds: dict[str, Kind], floor: Kind, report: Report) -> Letter | None:
    thing, attributes = kind_of(item.kind, kinds, report)
    if thing is None:
        return None
    if item.tile is None:
        if thing.category == "tile":
            return Letter(thing, attributes, None, {})
        return Letter(floor, {}, thing, attributes)
    tile, tile_attributes = kind_of(item.tile, kinds, report)
    if tile is None:
        return None
    if tile.category != "tile" or thing.category == "tile":
        report.add(
            "type",
            item.span,
            found=f"`{thing.name} on {tile.name}`",
            expected="an object or agent on a tile",
            help=f"declare `object {thing.name}:` if it can be moved or taken"
            if thing.category == "tile"
            else None,
        )
        return None
    return Letter(tile, tile_attributes, thing, attributes)


def kind_of(
    node: n.Expression, kinds: Mapping[str, Kind], report: Report, where: str = "this"
) -> tuple[Kind | None, dict[str, n.Expression]]:
    """Return the kind that a name or a pattern speaks of, and the attributes it gives."""
    if not isinstance(node, n.KindName):
        report.add("type", node.span, found="this", expected="a kind", help=pattern_meant(node, kinds))
        return None, {}
    kind = kinds.get(node.name)
    if kind is None:
        report.add(
            "unknown-name", node.span, where=where, name=node.name, help=did_you_mean(node.name, kinds)
        )
        return None, {}
    attributes = dict(node.arguments) if isinstance(node, n.Pattern) else {}
    for name in list(attributes):
        if not kind.takes(name):
            plain = {"carries": "carries 1", "facing": "facing"}
            declared = plain.get(name, f"{name} in ...")
            turned = name in _WAYS and kind.takes("facing")
            help = (
                (Help("did you mean `facing`?", ("facing",), name) if turned else None)
                or did_you_mean(name, kind.attributes)
                or f"declare it: `{kind.category} {kind.name}: {declared}`"
            )
            report.add("unknown-attribute", node.span.word(name), kind=kind.name, name=name, help=help)
            del attributes[name]
    content = attributes.get("carries")
    if content is not None:
        inner, given = kind_of(content, kinds, report)
        if inner is None or inner.category != "object":
            if inner is not None:
                report.add(
                    "type", content.span, found=f"`{inner.name}`, no object,", expected="an object to carry"
                )
            del attributes["carries"]
        elif isinstance(content, n.Pattern) and given != dict(content.arguments):
            attributes["carries"] = replace(content, arguments=tuple(given.items()))  # what was right of it
    return kind, attributes


def quoted_sign(char: str) -> str:
    """Return a sign as it is written in a legend."""
    return char if char.isascii() and char.isalnum() else f'"{char}"'


def attribute_code(
    node: n.Expression, kind: Kind, name: str, params: Mapping[str, Scalar], report: Report
) -> int:
    """Return the code of a constant attribute of a legend entry."""
    attribute = kind.attributes[name]
    if isinstance(node, n.Random):
        help = f"ground is drawn in setup: `place {kind.name}({name}={to_text(node)}) at every {kind.name}`"
        report.add("not-constant", node.span, what=f"`{kind.name}.{name}`", help=help)
        return 0
    value = constant(node, params, report, f"`{kind.name}.{name}`")
    if value is None:
        return 0
    code = attribute.domain.code(value)
    if code is None:
        help = did_you_mean(str(value), attribute.domain.words) or f"the domain is {attribute.domain}"
        report.add(
            "unknown-word", node.span, word=_word(value), of=f"the values of `{kind.name}.{name}`", help=help
        )
        return 0
    return int(code)


def _word(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
