"""Seeing: the grid, whole or as a view around the agent, in the forms kinds, codes and planes."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TypeAlias

from griddsl.diagnostics import Help, Label, did_you_mean, listing, write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.unknown.names import kind_called
from griddsl.lowering.sight.cells.planes import agent_meant, plane_entries, plane_value
from griddsl.lowering.sight.cells.sights import WIDEST_OCCLUDED, Sight
from griddsl.lowering.world.constants import constant_number
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.maps.patterns import values_given
from griddsl.program import ir
from griddsl.program.spaces import Box
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import GRID_FORMS
from griddsl.syntax.printer import to_text

Code: TypeAlias = tuple[Kind, dict[str, n.Expression], int]


LARGEST_VIEW = 255


def grid_sight(ctx: Context) -> Sight:
    """Return the sight of the whole grid."""
    return Sight(ctx.world.height, ctx.world.width)


def view_sight(ctx: Context, view: n.ViewShape) -> Sight | None:
    """Return the sight of a view: the agent looks up it, from its bottom row or from its middle."""
    sight = _shape(ctx, view)
    if sight is not None and view.cone is not None:
        if not ctx.writer.facts.has_facing:
            help = "`agent: facing` gives it one, as turning does; `view 5x5` shows what is around"
            ctx.error(
                "wrong-place", view.span, what="`cone`", where="where the agent has no facing", help=help
            )
            return None
        if not sight.turns:
            help = write(re.sub(r"\s+north\s+up", "", view.span.text), ": what lies ahead is up", view.span)
            ctx.error("wrong-place", view.span, what="`cone`", where="in a view with north up", help=help)
            return None
        if view.cone.value.denominator != 1 or not 1 <= view.cone.value <= LARGEST_VIEW:
            reason = (
                f"`cone N`: it is wider on each side by one cell for each N cells ahead, 1 to {LARGEST_VIEW}"
            )
            ctx.error("bad-value", view.cone.span, reason=reason)
            return None
        sight = replace(sight, cone=int(view.cone.value))
    if sight is not None and sight.occluded and sight.columns > WIDEST_OCCLUDED:
        ctx.error("bad-value", view.span, reason=f"an occluded view is at most {WIDEST_OCCLUDED} cells wide")
        return None
    return sight


def _shape(ctx: Context, view: n.ViewShape) -> Sight | None:
    if view.reach is not None:
        sizes = [
            constant_number(part, ctx.world.params, ctx.report, "the reach of a view") for part in view.reach
        ]
        if any(size is None for size in sizes):
            return None
        if any(size.denominator != 1 or not 0 <= size <= LARGEST_VIEW for size in sizes if size is not None):
            ctx.error("bad-value", view.span, reason=f"a view reaches 0 to {LARGEST_VIEW} cells")
            return None
        ahead, behind, aside = (int(size) for size in sizes if size is not None)
        turns = ctx.writer.facts.has_facing
        return Sight(ahead + behind + 1, 2 * aside + 1, True, ahead, aside, view.occluded, turns=turns)
    if not (1 <= view.width <= LARGEST_VIEW and 1 <= view.height <= LARGEST_VIEW):
        ctx.error("bad-value", view.span, reason=f"a view has 1 to {LARGEST_VIEW} cells a side")
        return None
    turns = ctx.writer.facts.has_facing and not view.keeps_north_up
    centered = view.anchor != "ahead" or not turns
    better = f"{view.width | 1}x{view.height | 1 if centered else view.height}"
    help = Help(f"write `view {better}`", (better,), f"{view.width}x{view.height}")
    if view.width % 2 == 0:
        ctx.error(
            "bad-value",
            view.span,
            reason="a view has an odd width: the agent stands in its middle",
            help=help,
        )
        return None
    if centered and view.height % 2 == 0:
        ctx.error(
            "bad-value",
            view.span,
            reason="a centered view has an odd height",
            help=help,
        )
        return None
    at = view.height // 2 if centered else view.height - 1
    return Sight(view.height, view.width, True, at, view.width // 2, view.occluded, turns=turns)


def sight_space(ctx: Context, sight: Sight, form: n.Form | None, seen: list[n.SeenAs]) -> Box | None:
    """Return the space of a sight in a form."""
    name = form.name if form else "kinds"
    world = ctx.world
    shape = (sight.rows, sight.columns)
    match name:
        case "kinds":
            return Box(0, len(world.kinds) - 1 + (1 if sight.hides else 0), shape, "uint8")
        case "codes":
            codes = codes_of(ctx, form)
            return (
                None
                if codes is None
                else Box(0, max([code for _, _, code in codes], default=0), shape, "uint8")
            )
        case "planes":
            return _planes_space(ctx, shape, form)
        case "minigrid":
            return Box(0, 255, (sight.columns, sight.rows, 3), "uint8")
    assert form is not None
    meant = _FORMS_MEANT.get(name)
    if meant == "pixels":
        help: str = (
            f"a picture is an item of its own, `pixels`; the forms of a grid: {listing(GRID_FORMS, 'and')}"
        )
    elif meant is not None:
        help = Help(f"did you mean `{meant}`?", (meant,), name)
    else:
        help = did_you_mean(name, GRID_FORMS) or f"forms: {listing(GRID_FORMS, 'and')}"
    ctx.error("unknown-word", form.span.word(name), word=name, of="the forms of a grid", help=help)
    return None


_FORMS_MEANT = {
    **dict.fromkeys(("onehot", "one_hot", "channels", "layers", "masks", "binary"), "planes"),
    **dict.fromkeys(("image", "rgb", "picture", "pixels", "rgb_array"), "pixels"),
    **dict.fromkeys(("numbers", "ids", "integers", "ints"), "kinds"),
}


def codes_of(ctx: Context, form: n.Form | None) -> list[Code] | None:
    """Return the entries of `as codes` by kind, attributes and number; None, with a diagnostic, where one is wrong."""
    found: list[Code] = []
    assert form is not None
    if not form.entries:
        known = ctx.world.kinds.values()
        shown = [
            "wall",
            "floor",
            *(kind.name for kind in known if kind.category in {"tile", "object"}),
            "agent",
        ]
        codes = ", ".join(f"{name} {code}" for code, name in enumerate(dict.fromkeys(shown)))
        ctx.error("missing-items", form.span, what="as codes", help=write(f"as codes ({codes})"))
        return None
    for entry in form.entries:
        if not isinstance(entry, n.Code):
            others = [each.span.text for each in form.entries if not isinstance(each, n.Code)]
            place = form.entries[0].span.to(form.entries[-1].span)
            numbered = ", ".join(f"{each} {code}" for code, each in enumerate(others, 1))
            help: str | None = write(numbered, place=place) if len(others) == len(form.entries) else None
            owned = re.fullmatch(r"(\w+)\.(\w+)", entry.span.text)
            if owned is not None and owned[1] in ctx.world.kinds:
                said = f"`{owned[1]} 1`, or `{owned[1]}({owned[2]}=...) 1` for a value"
                help = f"a code is of a kind, {said}; `grid as planes ({entry.span.text})` shows the number"
            wrong, expected = f"`{entry.span.text[:40]}`", "a kind and its code: `wall 0`"
            ctx.error("syntax", entry.span, found=wrong, expected=expected, help=help)
            return None
        node = agent_meant(ctx, entry.kind)
        kind = kind_called(ctx, node)
        if kind is None:
            return None
        code = constant_number(entry.number, ctx.world.params, ctx.report, "a code")
        if code is None:
            return None
        if code.denominator != 1 or not 0 <= code <= 255:
            ctx.error("bad-value", entry.span, reason="a code is a whole number from 0 to 255")
            return None
        found.append((kind, values_given(node), int(code)))
    _report_hidden(ctx, form, found)
    return found


def _report_hidden(ctx: Context, form: n.Form, codes: list[Code]) -> None:
    """Warn of an entry that no cell shows: one behind it fits all that it fits, and the last one counts."""
    for place, (kind, given, _) in enumerate(codes):
        behind = (
            number
            for number, (other, asked, _) in enumerate(codes[place + 1 :], place + 1)
            if other is kind and asked.items() <= given.items()
        )
        by = next(behind, None)
        if by is not None:
            entry, other = form.entries[place], form.entries[by]
            ctx.error(
                "hidden-code",
                entry.span,
                name=to_text(getattr(entry, "kind", entry)),
                by=to_text(getattr(other, "kind", other)),
                labels=[Label(other.span, "this one counts")],
            )


def _planes_space(ctx: Context, shape: tuple[int, int], form: n.Form | None) -> Box:
    entries = plane_entries(ctx, form)
    whole = (*shape, len(entries)) if len(entries) > 1 or form is None or not form.entries else shape
    low, high, counts = 0.0, 1.0, False
    for word, node in entries:
        if word == "value" and not isinstance(node, n.CellsFor):
            probe = ctx.inner()
            value, is_truth = plane_value(probe, node, ir.Local("cell", "int", 0, ctx.world.cells - 1))
            low, high = min(low, float(value.low)), max(high, float(value.high))
            counts = counts or not is_truth
    return Box(low, high, whole, "float32") if counts else Box(0, 1, whole, "uint8")
