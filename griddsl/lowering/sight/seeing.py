"""Seeing: the grid, whole or as a view around the agent, in the forms kinds, codes and planes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from griddsl.diagnostics import Help, did_you_mean, listing, write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import condition, converted, evaluate
from griddsl.lowering.clauses.physics import agent_at
from griddsl.lowering.clauses.things import IS_SELF, cell_of, for_each, matches
from griddsl.lowering.clauses.unknown import is_unknown, no_kind, report_unknown
from griddsl.lowering.conditions.cells import bind_cell
from griddsl.lowering.conditions.finding import found_in_cell
from griddsl.lowering.sight.minigrid import write_minigrid
from griddsl.lowering.sight.painting import Mark, Spots, is_worth_painting, paint
from griddsl.lowering.sight.sights import WIDEST_OCCLUDED, Sight, WriteCell, for_each_seen, write_ground
from griddsl.lowering.sight.spots import each_spot
from griddsl.lowering.traits import of_rules
from griddsl.lowering.world.domains import constant_number
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import NUMBER, Ref, Truths
from griddsl.lowering.world.world import World
from griddsl.program import ir
from griddsl.program.spaces import Box
from griddsl.syntax import nodes as n

Code: TypeAlias = tuple[Kind, dict[str, Any], int]
Plane: TypeAlias = tuple[str, Any, int, int]  # "kind", "cells" or "value", its node, its number, of how many
_CATEGORIES = ("tile", "object", "agent")
FORMS = ("kinds", "codes", "planes", "minigrid")
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
        return Sight(ahead + behind + 1, 2 * aside + 1, True, ahead, aside, view.occluded)
    if not (1 <= view.width <= LARGEST_VIEW and 1 <= view.height <= LARGEST_VIEW):
        ctx.error("bad-value", view.span, reason=f"a view has 1 to {LARGEST_VIEW} cells a side")
        return None
    centered = view.anchor == "centered" or not ctx.writer.facts.has_facing
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
    return Sight(view.height, view.width, True, at, view.width // 2, view.occluded)


# The space


def sight_space(ctx: Context, sight: Sight, form: n.Form | None, seen: list[n.SeenAs]) -> Box | None:
    """Return the space of a sight in a form."""
    name = form.name if form else "kinds"
    world = ctx.world
    shape = (sight.rows, sight.columns)
    match name:
        case "kinds":
            return Box(0, len(world.kinds) - 1 + (1 if sight.hides else 0), shape, "uint8")
        case "codes":
            codes = _codes(ctx, form)
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
    help = did_you_mean(name, FORMS) or f"forms: {listing(FORMS, 'and')}"
    ctx.error("unknown-word", form.span.word(name), word=name, of="the forms of a grid", help=help)
    return None


def _codes(ctx: Context, form: n.Form | None) -> list[Code] | None:
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
            ctx.error("syntax", entry.span, found="this", expected="a kind and its code: `wall 0`")
            return None
        node = agent_meant(ctx, entry.kind)
        if not isinstance(node, n.KindName):
            no_kind(ctx, node)
            return None
        kind = ctx.world.kinds.get(node.name)
        if kind is None:
            report_unknown(ctx, node.name, node.span, is_kind=True)
            return None
        code = constant_number(entry.number, ctx.world.params, ctx.report, "a code")
        if code is None:
            return None
        if code.denominator != 1 or not 0 <= code <= 255:
            ctx.error("bad-value", entry.span, reason="a code is a whole number from 0 to 255")
            return None
        found.append((kind, dict(getattr(node, "arguments", ())), int(code)))
    return found


def agent_meant(ctx: Context, node: Any) -> Any:
    """Return the kind of agents that `self`, `other` and `other K` stand for: who looks, and all the others."""
    name = node.name if isinstance(node, n.Name) else ""
    if name in ctx.world.kinds or (name not in {"self", "other"} and not isinstance(node, n.Other)):
        return node
    kind = getattr(node.kind, "name", "") if isinstance(node, n.Other) else "agent"
    found = ctx.world.kinds.get(kind)
    if found is None or found.category != "agent":
        return node
    if name != "self" and not ctx.world.several:
        ctx.error("no-other", node.span, name=name or f"other {kind}", count=0, help=None)
    return n.Pattern(kind, ((IS_SELF, n.Truth(name == "self", node.span)),), node.span)


def _plane_entries(ctx: Context, form: n.Form | None) -> list[tuple[str, Any]]:
    """Return the planes: ``kind`` with its node, ``cells`` that things speak of, or ``value`` with an expression."""
    if form is None or not form.entries:
        return [("kind", n.Name(kind.name, kind.span)) for kind in ctx.world.kind_list]
    found: list[tuple[str, Any]] = []
    for entry in form.entries:
        if isinstance(entry, n.Code):
            help = "planes have no numbers; `grid as codes (wall 0, floor 1)` has"
            ctx.error("syntax", entry.number.span, found="a number behind a kind", expected="`,`", help=help)
            continue
        if isinstance(entry, n.CellsFor):
            found.append(("cells", entry))
            continue
        entry = agent_meant(ctx, entry)
        is_kind = isinstance(entry, n.KindName) and entry.name in ctx.world.kinds
        found.append(("kind" if is_kind else "value", entry))
    return found


def _planes_space(ctx: Context, shape: tuple[int, int], form: n.Form | None) -> Box:
    entries = _plane_entries(ctx, form)
    whole = (*shape, len(entries)) if len(entries) > 1 or form is None or not form.entries else shape
    low, high, counts = 0.0, 1.0, False
    for word, node in entries:
        if word == "value":
            probe = ctx.inner()
            value, is_truth = _plane_value(probe, node, ir.Local("cell", "int", 0, ctx.world.cells - 1))
            low, high = min(low, float(value.low)), max(high, float(value.high))
            counts = counts or not is_truth
    return Box(low, high, whole, "float32") if counts else Box(0, 1, whole, "uint8")


# What is written


def write_sight(ctx: Context, sight: Sight, form: n.Form | None, seen: list[n.SeenAs]) -> None:
    """Emit the loops that write a sight into ``out``."""
    name = form.name if form else "kinds"
    if name == "minigrid":
        write_minigrid(ctx, sight)
        return
    paints = {"codes": _paint_codes, "planes": _paint_planes}
    if not seen and name in paints and paints[name](ctx, sight, form):
        return
    writers: dict[str, WriteCell] = {
        "kinds": lambda inner, place: _write_kind(inner, place.index, place.cell, sight, seen),
        "codes": lambda inner, place: _write_code(inner, place.index, place.cell, codes, seen),
        "planes": lambda inner, place: _write_planes(inner, place.index, place.cell, planes, seen),
    }
    codes = _sorted_codes(ctx, form) if name == "codes" else []
    planes = _planes(ctx, form) if name == "planes" else []
    depth = len(planes) if name == "planes" else 1
    unseen = len(ctx.world.kinds) if name == "kinds" else 0
    for_each_seen(ctx, sight, writers[name], sight.rows * sight.columns * depth, unseen)


def _paint_codes(ctx: Context, sight: Sight, form: n.Form | None) -> bool:
    """Write the codes of the ground, and over them those of things one by one; return whether that is worth it."""
    world, writer = ctx.world, ctx.writer
    codes = _sorted_codes(ctx, form)
    tiles = [entry for entry in codes if entry[0].category == "tile"]
    things = [Mark(kind, attributes, code) for kind, attributes, code in codes if kind.category != "tile"]
    if not is_worth_painting(writer, sight, [mark.kind for mark in things]) or _hide_each_other(world, codes):
        return False
    if writer.facts.dynamic_tiles or any(attributes for _, attributes, _ in tiles):
        size = sight.rows * sight.columns
        for_each_seen(
            ctx, sight, lambda inner, place: _write_code(inner, place.index, place.cell, tiles, []), size, 0
        )
    else:
        code_of = {kind.code: code for kind, _, code in tiles}
        ground = [code_of.get(tile, 0) for tile in np.asarray(world.levels[0].tiles).tolist()]
        write_ground(ctx, sight, ground, code_of.get(world.kinds["wall"].code, 0))
    paint(ctx, sight, things)
    return True


def _paint_planes(ctx: Context, sight: Sight, form: n.Form | None) -> bool:
    """Write planes of kinds as `_paint_codes` does codes."""
    world, planes = ctx.world, _planes(ctx, form)
    marks: list[Mark | Spots] = []
    others: list[Plane] = []
    for plane in planes:
        word, node, index, _ = plane
        if word == "cells":
            marks.append(Spots(node, index))
        elif word == "kind" and world.kinds[node.name].category != "tile":
            marks.append(Mark(world.kinds[node.name], dict(getattr(node, "arguments", ())), 1, index))
        else:
            others.append(plane)
    if not marks or not is_worth_painting(
        ctx.writer, sight, [mark.kind for mark in marks if isinstance(mark, Mark)]
    ):
        return False
    size = sight.rows * sight.columns * len(planes)
    ctx.emit(ir.Blank(ir.const(size), ir.const(0)))
    for plane in others:
        # One by one: the loop of a condition that few cells can fulfil goes through these alone.
        for_each_seen(ctx, sight, _writer_of(plane), size, 0)
    paint(ctx, sight, marks, len(planes))
    return True


def _writer_of(plane: Plane) -> WriteCell:
    return lambda inner, place: _write_planes(inner, place.index, place.cell, [plane], [], True)


def _write_kind(ctx: Context, at: ir.Expr, cell: ir.Expr, sight: Sight, seen: list[n.SeenAs]) -> None:
    wall = ir.const(ctx.world.kinds["wall"].code)
    if cell.low >= 0:
        ctx.emit(ir.Out(at, topmost(ctx, cell, seen)))
        return
    inner = ctx.inner()
    inner.emit(ir.Out(at, topmost(inner, _on_grid(cell, ctx.world), seen)))
    ctx.block.extend(ir.when(ir.ge(cell, 0), inner.block, [ir.Out(at, wall)]))


def _on_grid(cell: ir.Expr, world: World) -> ir.Expr:
    assert isinstance(cell, ir.Local)
    return ir.Local(cell.name, "int", 0, world.cells - 1)


def topmost(ctx: Context, cell: ir.Expr, seen: list[n.SeenAs]) -> ir.Expr:
    """Return the code of the topmost kind in a cell, as it appears: an agent, an object, or the tile."""
    world, writer = ctx.world, ctx.writer
    shown = ctx.variable("shown", writer.tile_at(cell), 0, len(world.kinds) - 1)
    for layer in world.layers if world.object_kinds() else []:
        thing = ctx.let("thing", ir.load(writer.layer_slot(layer), cell))
        code = ir.load(writer.object_slot("KIND"), ir.within(thing, 0, writer.facts.capacity - 1))
        kind = ir.claim(code, 0, len(world.kinds) - 1, "what stands in a cell has a kind")
        ctx.block.extend(ir.when(ir.ge(thing, 0), [ir.Let(shown.name, kind)]))
    if world.several:
        agent = ir.Local(ctx.names.fresh("agent"), "int", 0, len(world.agents) - 1)
        here = ir.both(ir.eq(ir.load(writer.agent_cell, agent), cell), writer.is_in(agent))
        body = ir.when(here, [ir.Hit(writer.agent_code(agent))])
        ctx.emit(ir.last_of(shown)(agent.name, ir.const(0), ir.const(len(world.agents)), body))
    else:
        here = ir.eq(ir.load(writer.agent_cell), cell)
        ctx.block.extend(ir.when(here, [ir.Let(shown.name, ir.const(world.agents[0].code))]))
    _appear(ctx, shown, cell, seen)
    return shown


def _appear(ctx: Context, shown: ir.Local, cell: ir.Expr, seen: list[n.SeenAs]) -> None:
    """Let kinds appear as others, where ``K seen as K2`` says so."""
    world = ctx.world
    for item in seen:
        kind = world.kinds.get(getattr(item.kind, "name", ""))
        other = world.kinds.get(getattr(item.appearance, "name", ""))
        if kind is None or other is None:
            missing = item.kind if kind is None else item.appearance
            report_unknown(ctx, getattr(missing, "name", "this"), missing.span, is_kind=True)
            continue
        inner = ctx.inner()
        ref = _ref_in_cell(inner, kind, cell)
        inner.bind(kind.name, ref)
        attributes = dict(getattr(item.kind, "arguments", ()))
        test = matches(inner, ref, attributes)
        if item.condition is not None:
            test = ir.both(test, condition(inner, item.condition))
        inner.block.extend(ir.when(test, [ir.Let(shown.name, ir.const(other.code))]))
        ctx.block.extend(ir.when(ir.eq(shown, kind.code), inner.block))


def _ref_in_cell(ctx: Context, kind: Kind, cell: ir.Expr) -> Ref:
    if kind.category == "tile":
        return Ref(kind, cell)
    if kind.category == "agent":
        members = [i for i, each in enumerate(ctx.world.agents) if kind.name in {"agent", each.name}]
        return Ref(kind, ir.const(members[0] if members else 0))
    return Ref(kind, ctx.let("thing", ir.load(ctx.writer.layer_slot(kind.layer), cell)))


def _sorted_codes(ctx: Context, form: n.Form | None) -> list[Code]:
    """Return the codes that are listed, those of what stands below first: a later one hides an earlier."""
    layers = ctx.world.layers

    def height(entry: Code) -> tuple[int, int]:
        kind = entry[0]
        return _CATEGORIES.index(kind.category), layers.index(kind.layer) if kind.layer in layers else -1

    return sorted(_codes(ctx, form) or [], key=height)


def _write_code(
    ctx: Context, at: ir.Expr, cell: ir.Expr, codes: Sequence[Code], seen: list[n.SeenAs]
) -> None:
    """Write the chosen code of the topmost kind that is listed; 0 where nothing listed is there."""
    shown = ctx.variable("code", ir.const(0), 0, 255)
    here = ctx.inner()
    known = _on_grid(cell, ctx.world) if cell.low < 0 else cell
    together = not seen and _hide_each_other(ctx.world, codes)
    for kind, attributes, code in codes:
        if together and kind.category == "agent":
            continue
        inner = here.inner()
        test = _appears(inner, known, kind, attributes, seen)
        here.block.extend(inner.block)
        here.block.extend(ir.when(test, [ir.Let(shown.name, ir.const(code))]))
    if together:
        _write_agents(here, known, [entry for entry in codes if entry[0].category == "agent"], shown)
    off = [ir.Let(shown.name, ir.const(code)) for kind, _, code in codes if kind.name == "wall"][:1]
    ctx.block.extend(ir.when(ir.ge(cell, 0), here.block, list(off)) if cell.low < 0 else here.block)
    ctx.emit(ir.Out(at, shown))


def agent_at_kind(ctx: Context, cell: ir.Expr, kind: Kind) -> ir.Expr:
    """Return whether an agent of a kind stands in a cell."""
    world, writer = ctx.world, ctx.writer
    if kind.name == "agent":
        return agent_at(ctx, cell)
    return ir.either(
        *(
            ir.both(ir.eq(ir.load(writer.agent_cell, i), cell), writer.is_in(ir.const(i)))
            for i, k in enumerate(world.agents)
            if k is kind
        )
    )


def _hide_each_other(world: World, codes: Sequence[Code]) -> bool:
    """Whether agents of several codes can share a cell: the one that is declared last is on top."""
    alone = world.agents_block and not any(can.moves for _, can in of_rules(world.spec))
    return not alone and sum(kind.category == "agent" for kind, _, _ in codes) > 1


def _write_agents(ctx: Context, cell: ir.Expr, codes: Sequence[Code], shown: ir.Local) -> None:
    """Write the code of the topmost agent in a cell; of several entries that fit it, the last."""

    def body(inner: Context, ref: Ref) -> None:
        here = inner.inner()
        for kind, attributes, code in codes:
            of_kind = (
                ir.TRUE if kind.name == "agent" else ir.eq(inner.writer.agent_code(ref.index), kind.code)
            )
            one = here.inner()
            fits = matches(one, Ref(kind, ref.index), attributes)
            one.block.extend(ir.when(fits, [ir.Let(shown.name, ir.const(code))]))
            here.block.extend(ir.when(of_kind, one.block))
        inner.block.extend(ir.when(ir.eq(cell_of(inner, ref), cell), here.block))

    for_each(ctx, ctx.world.kinds["agent"], body)


def _appears(
    ctx: Context, cell: ir.Expr, kind: Kind, attributes: dict[str, Any], seen: list[n.SeenAs]
) -> ir.Expr:
    """Return whether a kind is in a cell as it is seen: there and not seen as another, or another is seen as it."""
    world = ctx.world
    there = is_there(ctx, cell, kind, attributes)
    for item in seen:
        hidden = world.kinds.get(getattr(item.kind, "name", ""))
        shown = world.kinds.get(getattr(item.appearance, "name", ""))
        if hidden is None or shown is None:
            missing = item.kind if hidden is None else item.appearance
            report_unknown(ctx, getattr(missing, "name", "this"), missing.span, is_kind=True)
            continue
        if kind not in (hidden, shown):
            continue
        inner = ctx.inner()
        inner.bind(hidden.name, _ref_in_cell(inner, hidden, cell))
        disguised = is_there(inner, cell, hidden, dict(getattr(item.kind, "arguments", ())))
        if item.condition is not None:
            disguised = ir.both(disguised, condition(inner, item.condition))
        ctx.block.extend(inner.block)
        if kind is hidden:
            there = ir.both(there, ir.invert(disguised))
        if kind is shown:
            asked = dict(getattr(item.appearance, "arguments", ()))
            there = ir.either(there, disguised) if attributes.items() <= asked.items() else there
    return there


def is_there(ctx: Context, cell: ir.Expr, kind: Kind, attributes: dict[str, Any]) -> ir.Expr:
    """Return whether a thing of a kind, with these attributes, is in a cell."""
    if kind.category == "agent" and not attributes:
        return agent_at_kind(ctx, cell, kind)
    if kind.category == "agent":
        stands = ctx.variable("stands", ir.FALSE, 0, 1)

        def body(inner: Context, ref: Ref) -> None:
            test = ir.both(ir.eq(cell_of(inner, ref), cell), matches(inner, ref, attributes))
            inner.block.extend(ir.when(test, [ir.Hit()]))

        for_each(ctx, kind, body, loop=ir.any_of(stands))
        return ir.Local(stands.name, "bool", 0, 1)
    return found_in_cell(ctx, cell, kind, attributes, None)


def _planes(ctx: Context, form: n.Form | None) -> list[Plane]:
    """Return the planes, each with its number and how many there are."""
    entries = _plane_entries(ctx, form)
    return [(word, node, index, len(entries)) for index, (word, node) in enumerate(entries)]


def _write_planes(
    ctx: Context,
    at: ir.Expr,
    cell: ir.Expr,
    planes: Sequence[Plane],
    seen: list[n.SeenAs],
    is_blank: bool = False,
) -> None:
    """Write the planes of a cell; where all of them are blank already, what does not hold is not written."""
    known = _on_grid(cell, ctx.world) if cell.low < 0 else cell
    for word, node, index, count in planes:
        inner = ctx.inner()
        test: ir.Expr | None
        value: ir.Expr
        if word == "kind":
            kind = ctx.world.kinds[node.name]
            attributes = dict(getattr(node, "arguments", ()))
            there = _appears(inner, known, kind, attributes, seen)
            value, test = ir.as_number(there), there
        elif word == "cells":
            test = _is_spot(inner, node, known)
            value = ir.as_number(test)
        else:
            value, is_truth = _plane_value(inner, node, known)
            test = ir.eq(value, 1) if is_truth else None
        place = ir.add(ir.mul(at, ir.const(count)), ir.const(index)) if count > 1 else at
        if is_blank and test is not None:
            inner.block.extend(ir.when(test, [ir.Out(place, ir.const(1))]))
        else:
            inner.emit(ir.Out(place, value))
        off = ir.const(1 if word == "kind" and node.name == "wall" else 0)
        if cell.low < 0:
            ctx.block.extend(ir.when(ir.ge(cell, 0), inner.block, [ir.Out(place, off)]))
        else:
            ctx.block.extend(inner.block)


def _asked_of_cell(node: Any, named: frozenset[str] = frozenset()) -> Iterator[Any]:
    """Yield the parts of a plane that speak of what is in the cell: not those about what `any K where` looks at."""
    if isinstance(node, n.Some) and not isinstance(node.over, n.Ranging):
        named |= {getattr(node.over, "name", "")}
    if not isinstance(node, n.Attribute) or getattr(node.owner, "name", "") not in named:
        yield node
    for name in n.PARTS[type(node)] or ():
        part = getattr(node, name)
        for each in part if isinstance(part, tuple) else (part,):
            if isinstance(each, n.Node):
                yield from _asked_of_cell(each, named)


def _is_spot(ctx: Context, node: n.CellsFor, cell: ir.Expr) -> ir.Expr:
    """Return whether a thing speaks of this cell."""
    found = ctx.variable("is_spot", ir.FALSE, 0, 1)

    def use(inner: Context, spot: ir.Expr) -> None:
        inner.block.extend(ir.when(ir.eq(spot, cell), [ir.Hit()]))

    each_spot(ctx, node, use, ir.any_of(found))
    return ir.Local(found.name, "bool", 0, 1)


def _plane_value(ctx: Context, node: Any, cell: ir.Expr) -> tuple[ir.Expr, bool]:
    """Return what an expression is for a cell, 0 where a thing that it names is not, and whether it is a condition."""
    world = ctx.world
    bind_cell(ctx, cell)
    if isinstance(node, n.Name) and is_unknown(ctx, node.name):
        report_unknown(ctx, node.name, node.span, is_kind=True)
        return ir.const(0), True
    there: list[ir.Expr] = []
    for part in _asked_of_cell(node):
        if (
            isinstance(part, n.Attribute)
            and isinstance(part.owner, n.Name)
            and part.owner.name in world.kinds
        ):
            kind = world.kinds[part.owner.name]
            alone = kind.category == "agent" and not world.several
            if isinstance(ctx.scope.get(kind.name), Ref) or alone:
                continue
            if kind.category == "agent":
                # Of several it is the one in the cell; `self` is the one that looks.
                there.append(found_in_cell(ctx, cell, kind, {}, kind.name))
                continue
            ref = _ref_in_cell(ctx, kind, cell)
            ctx.bind(kind.name, ref)
            there.append(found_in_cell(ctx, cell, kind, {}, None))
    inner = ctx.inner()
    worth = evaluate(inner, node, NUMBER)
    if worth is None:
        return ir.const(0), True
    is_truth = isinstance(worth.type, Truths)
    value = ir.as_number(worth.expr) if is_truth else converted(inner, worth, NUMBER, node.span)
    if value is None:
        return ir.const(0), True
    if is_truth and not there:
        ctx.block.extend(inner.block)
        return value, True
    zero = ir.const(0) if is_truth else ir.Const(0.0, "real")
    result = ctx.variable("value", zero, min(0.0, value.low), max(0.0, value.high))
    inner.emit(ir.Let(result.name, value))
    ctx.block.extend(ir.when(ir.both(*there), inner.block))
    return result, is_truth
