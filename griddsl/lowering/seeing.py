"""Seeing: the grid, whole or as a view around the agent, in the forms kinds, codes and planes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from griddsl.diagnostics import did_you_mean, listing
from griddsl.lowering.context import Context, new_function
from griddsl.lowering.domains import constant_number
from griddsl.lowering.expressions import evaluate_number
from griddsl.lowering.kinds import Kind
from griddsl.lowering.physics import agent_at, blocks
from griddsl.lowering.relations import condition, found_in_cell
from griddsl.lowering.things import agent_ref, cell_of, column, matches, report_unknown, row
from griddsl.lowering.values import Ref
from griddsl.lowering.world import World
from griddsl.program import ir
from griddsl.program.spaces import Box
from griddsl.syntax import nodes as n

FORMS = ("kinds", "codes", "planes", "minigrid")
LARGEST_VIEW = 255


@dataclass(frozen=True, slots=True)
class Sight:
    """What is looked at: ``rows`` x ``columns`` cells; for a view, where in them the agent stands."""

    rows: int
    columns: int
    is_view: bool = False
    agent_row: int = 0
    agent_column: int = 0
    occluded: bool = False


def grid_sight(ctx: Context) -> Sight:
    """Return the sight of the whole grid."""
    return Sight(ctx.world.height, ctx.world.width)


def view_sight(ctx: Context, view: n.ViewShape) -> Sight | None:
    """Return the sight of a view: the agent looks up it, from its bottom row or from its middle."""
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
    if view.width % 2 == 0:
        ctx.error(
            "bad-value",
            view.span,
            reason="a view has an odd width: the agent stands in its middle",
            help=f"write `view {view.width + 1}x{view.height}`",
        )
        return None
    centered = view.anchor == "centered" or not ctx.world.has_facing
    if centered and view.height % 2 == 0:
        ctx.error(
            "bad-value",
            view.span,
            reason="a centered view has an odd height",
            help=f"write `view {view.width}x{view.height + 1}`",
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
            return Box(0, len(world.kinds) - 1 + (1 if sight.occluded else 0), shape, "uint8")
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


def _codes(ctx: Context, form: n.Form | None) -> list[tuple[Kind, dict[str, Any], int]] | None:
    found: list[tuple[Kind, dict[str, Any], int]] = []
    assert form is not None
    if not form.entries:
        ctx.error(
            "missing-items", form.span, what="as codes", help="write `as codes (wall 0, floor 1, agent 2)`"
        )
        return None
    for entry in form.entries:
        if not isinstance(entry, n.Code):
            ctx.error("syntax", entry.span, found="this", expected="a kind and its code: `wall 0`")
            return None
        node = entry.kind
        kind = ctx.world.kinds.get(getattr(node, "name", ""))
        if kind is None:
            report_unknown(ctx, getattr(node, "name", "this"), node.span)
            return None
        ctx.world.used_names.add(kind.name)
        code = constant_number(entry.number, ctx.world.params, ctx.report, "a code")
        if code is None:
            return None
        if code.denominator != 1 or not 0 <= code <= 255:
            ctx.error("bad-value", entry.span, reason="a code is a whole number from 0 to 255")
            return None
        found.append((kind, dict(getattr(node, "arguments", ())), int(code)))
    return found


def _plane_entries(ctx: Context, form: n.Form | None) -> list[tuple[str, Any]]:
    """Return the planes: ``kind`` with its node, or ``value`` with an expression."""
    if form is None or not form.entries:
        return [("kind", n.Name(kind.name, kind.span)) for kind in ctx.world.kind_list]
    found: list[tuple[str, Any]] = []
    for entry in form.entries:
        is_kind = isinstance(entry, n.Name | n.Pattern) and entry.name in ctx.world.kinds
        found.append(("kind" if is_kind else "value", entry))
    return found


def _planes_space(ctx: Context, shape: tuple[int, int], form: n.Form | None) -> Box:
    entries = _plane_entries(ctx, form)
    whole = (*shape, len(entries)) if len(entries) > 1 or form is None or not form.entries else shape
    if all(word == "kind" for word, _ in entries):
        return Box(0, 1, whole, "uint8")
    low, high = 0.0, 1.0
    for word, node in entries:
        if word == "value":
            probe = ctx.inner()
            value = _plane_value(probe, node, ir.Local("cell", "int", 0, ctx.world.cells - 1))
            low, high = min(low, float(value.low)), max(high, float(value.high))
    return Box(low, high, whole, "float32")


# What is written


def write_sight(ctx: Context, sight: Sight, form: n.Form | None, seen: list[n.SeenAs]) -> None:
    """Emit the loops that write a sight into ``out``."""
    name = form.name if form else "kinds"
    if name == "minigrid":
        from griddsl.lowering.minigrid import write_minigrid

        write_minigrid(ctx, sight)
        return
    writers: dict[str, Callable[[Context, ir.Expr, ir.Expr], None]] = {
        "kinds": lambda inner, at, cell: _write_kind(inner, at, cell, sight, seen),
        "codes": lambda inner, at, cell: _write_code(inner, at, cell, form, seen),
        "planes": lambda inner, at, cell: _write_planes(inner, at, cell, form, seen),
    }
    for_each_seen(ctx, sight, writers[name], lambda inner, at: _write_unseen(inner, at, name, form))


def for_each_seen(
    ctx: Context,
    sight: Sight,
    write: Callable[[Context, ir.Expr, ir.Expr], None],
    unseen: Callable[[Context, ir.Expr], None],
) -> None:
    """Emit a loop over the places of a sight; ``write(context, place, cell)`` fills it, the cell -1 off the grid."""
    world = ctx.world
    if not sight.is_view:
        cell = ir.Local(ctx.names.fresh("cell"), "int", 0, world.cells - 1)
        inner = ctx.inner()
        write(inner, cell, cell)
        ctx.emit(ir.For(cell.name, ir.const(0), ir.const(world.cells), inner.block))
        return
    places = sight.rows * sight.columns
    cells = world.scratch(f"SEEN_CELL_{sight.rows}X{sight.columns}", places, -1, world.cells - 1)
    ctx.emit(ir.Do(ir.call(_define_view(world, sight, cells))))
    place = ir.Local(ctx.names.fresh("place"), "int", 0, places - 1)
    inner = ctx.inner()
    cell_ = inner.let("cell", ir.Load(cells, place, "int", -2 if sight.occluded else -1, world.cells - 1))
    body = inner.inner()
    write(body, place, cell_)
    if sight.occluded:
        hidden = inner.inner()
        unseen(hidden, place)
        inner.block.extend(ir.when(ir.eq(cell_, -2), hidden.block, body.block))
    else:
        inner.block.extend(body.block)
    ctx.emit(ir.For(place.name, ir.const(0), ir.const(places), inner.block))


def _define_view(world: World, sight: Sight, cells: ir.Slot) -> str:
    """Define the function that finds the cell of each place of a view: -1 off the grid, -2 hidden."""
    name = f"view_{sight.rows}x{sight.columns}_{sight.agent_row}" + ("_occluded" if sight.occluded else "")
    if name in world.functions:
        return name
    ctx = new_function(world, "observe", name)
    world.functions[name] = ir.Function(
        name, (), ctx.block, "Which cell is in each place of the view, row by row."
    )
    agent = agent_ref(ctx, ir.const(0))
    here = ctx.let("here", cell_of(ctx, agent))
    x0, y0 = ctx.let("x0", column(ctx, here)), ctx.let("y0", row(ctx, here))
    # Ahead is up: for each facing, the step on the grid of one row up and of one column right in the view.
    if world.has_facing:
        facing = ctx.let("facing", ir.load(world.facing, agent.index))
        turn = ir.mod(facing, ir.const(4)) if facing.high > 3 else facing
        up_x = ctx.let("up_x", ir.lookup(world.table("STEP_X4", [1, 0, -1, 0]), turn))
        up_y = ctx.let("up_y", ir.lookup(world.table("STEP_Y4", [0, 1, 0, -1]), turn))
    else:
        up_x, up_y = ir.const(0), ir.const(-1)
    i = ir.Local(ctx.names.fresh("i"), "int", 0, sight.rows - 1)
    j = ir.Local(ctx.names.fresh("j"), "int", 0, sight.columns - 1)
    size = max(world.width, world.height) + LARGEST_VIEW
    ahead, right = ir.sub(ir.const(sight.agent_row), i), ir.sub(j, ir.const(sight.agent_column))
    body = ctx.inner()
    x = body.let("x", ir.sub(ir.add(x0, ir.mul(ahead, up_x)), ir.mul(right, up_y)))
    y = body.let("y", ir.add(ir.add(y0, ir.mul(ahead, up_y)), ir.mul(right, up_x)))
    wide = [ir.Local(getattr(v, "name", ""), "int", -size, size) for v in (x, y)]
    inside = ir.both(
        ir.ge(wide[0], 0), ir.lt(wide[0], world.width), ir.ge(wide[1], 0), ir.lt(wide[1], world.height)
    )
    place = body.let("place", ir.add(ir.mul(i, ir.const(sight.columns)), j))
    cell = ir.Op("+", (ir.mul(wide[1], ir.const(world.width)), wide[0]), "int", 0, world.cells - 1)
    body.block.extend(ir.when(inside, [ir.Store(cells, place, cell)], [ir.Store(cells, place, ir.const(-1))]))
    inner_loop = ir.For(j.name, ir.const(0), ir.const(sight.columns), body.block)
    ctx.emit(ir.For(i.name, ir.const(0), ir.const(sight.rows), [inner_loop]))
    if sight.occluded:
        _occlude(ctx, sight, cells)
    return name


def _occlude(ctx: Context, sight: Sight, cells: ir.Slot) -> None:
    """Hide what cannot be seen: sight spreads from the agent row by row, sideways and ahead, through what is not opaque."""
    world = ctx.world
    places = sight.rows * sight.columns
    opaque = world.scratch(f"OPAQUE_{sight.rows}X{sight.columns}", places)
    lit = world.scratch(f"LIT_{sight.rows}X{sight.columns}", places)
    k = ir.Local(ctx.names.fresh("i"), "int", 0, places - 1)
    cell = ir.Load(cells, k, "int", -1, world.cells - 1)
    body = ctx.inner()
    seen_cell = body.let("cell", cell)
    known = ir.Local(getattr(seen_cell, "name", "cell"), "int", 0, world.cells - 1)
    blocked = ir.select(ir.ge(seen_cell, 0), ir.as_number(blocks(body, known, "opaque")), ir.const(1))
    body.emit(ir.Store(opaque, k, blocked), ir.Store(lit, k, ir.const(0)))
    ctx.emit(ir.For(k.name, ir.const(0), ir.const(places), body.block))
    call = ir.Call(
        "spread_light",
        (
            ir.Local("s"),
            ir.Local(lit.name),
            ir.Local(opaque.name),
            ir.const(sight.rows),
            ir.const(sight.columns),
            ir.const(sight.agent_row),
            ir.const(sight.agent_column),
        ),
        False,
        "int",
    )
    ctx.emit(ir.Do(call))
    m = ir.Local(ctx.names.fresh("i"), "int", 0, places - 1)
    hide = ir.when(ir.eq(ir.load(lit, m), 0), [ir.Store(cells, m, ir.const(-2))])
    ctx.emit(ir.For(m.name, ir.const(0), ir.const(places), hide))


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
    world = ctx.world
    shown = ctx.variable("shown", world.tile_at(cell), 0, len(world.kinds) - 1)
    for layer in world.layers if world.object_kinds() else []:
        thing = ctx.let("thing", ir.load(world.layer_slot(layer), cell))
        kind = ir.load(world.object_slot("KIND"), thing)
        ctx.block.extend(ir.when(ir.ge(thing, 0), [ir.Let(shown.name, kind)]))
    for index, agent in enumerate(world.agents):
        here = ir.eq(ir.load(world.agent_cell, index), cell)
        ctx.block.extend(ir.when(here, [ir.Let(shown.name, ir.const(agent.code))]))
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
            report_unknown(ctx, getattr(missing, "name", "this"), missing.span)
            continue
        world.used_names.update((kind.name, other.name))
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
        return agent_ref(ctx, ir.const(0))
    return Ref(kind, ctx.let("thing", ir.load(ctx.world.layer_slot(kind.layer), cell)))


def _write_code(ctx: Context, at: ir.Expr, cell: ir.Expr, form: n.Form | None, seen: list[n.SeenAs]) -> None:
    """Write the chosen code of the topmost kind that is listed; 0 where nothing listed is there."""
    codes = _codes(ctx, form) or []
    shown = ctx.variable("code", ir.const(0), 0, 255)
    here = ctx.inner()
    known = _on_grid(cell, ctx.world) if cell.low < 0 else cell
    order = {"tile": 0, "object": 1, "agent": 2}
    for kind, attributes, code in sorted(codes, key=lambda entry: order[entry[0].category]):
        inner = here.inner()
        test = _appears(inner, known, kind, attributes, seen)
        here.block.extend(inner.block)
        here.block.extend(ir.when(test, [ir.Let(shown.name, ir.const(code))]))
    off = [ir.Let(shown.name, ir.const(code)) for kind, _, code in codes if kind.name == "wall"][:1]
    ctx.block.extend(ir.when(ir.ge(cell, 0), here.block, list(off)) if cell.low < 0 else here.block)
    ctx.emit(ir.Out(at, shown))


def agent_at_kind(ctx: Context, cell: ir.Expr, kind: Kind) -> ir.Expr:
    """Return whether an agent of a kind stands in a cell."""
    world = ctx.world
    if kind.name == "agent":
        return agent_at(ctx, cell)
    return ir.either(
        *(ir.eq(ir.load(world.agent_cell, i), cell) for i, k in enumerate(world.agents) if k is kind)
    )


def _appears(
    ctx: Context, cell: ir.Expr, kind: Kind, attributes: dict[str, Any], seen: list[n.SeenAs]
) -> ir.Expr:
    """Return whether a kind is in a cell as it is seen: it is there and not seen as another, or another is seen as it."""
    world = ctx.world
    there = _is_there(ctx, cell, kind, attributes)
    for item in seen:
        hidden = world.kinds.get(getattr(item.kind, "name", ""))
        shown = world.kinds.get(getattr(item.appearance, "name", ""))
        if hidden is None or shown is None:
            missing = item.kind if hidden is None else item.appearance
            report_unknown(ctx, getattr(missing, "name", "this"), missing.span)
            continue
        world.used_names.update((hidden.name, shown.name))
        if kind not in (hidden, shown):
            continue
        inner = ctx.inner()
        inner.bind(hidden.name, _ref_in_cell(inner, hidden, cell))
        disguised = _is_there(inner, cell, hidden, dict(getattr(item.kind, "arguments", ())))
        if item.condition is not None:
            disguised = ir.both(disguised, condition(inner, item.condition))
        ctx.block.extend(inner.block)
        if kind is hidden:
            there = ir.both(there, ir.invert(disguised))
        else:
            asked = dict(getattr(item.appearance, "arguments", ()))
            there = ir.either(there, disguised) if attributes.items() <= asked.items() else there
    return there


def _is_there(ctx: Context, cell: ir.Expr, kind: Kind, attributes: dict[str, Any]) -> ir.Expr:
    if kind.category == "agent":
        return agent_at_kind(ctx, cell, kind)
    return found_in_cell(ctx, cell, kind, attributes, None)


def _write_planes(
    ctx: Context, at: ir.Expr, cell: ir.Expr, form: n.Form | None, seen: list[n.SeenAs]
) -> None:
    entries = _plane_entries(ctx, form)
    known = _on_grid(cell, ctx.world) if cell.low < 0 else cell
    for index, (word, node) in enumerate(entries):
        inner = ctx.inner()
        if word == "kind":
            kind = ctx.world.kinds[node.name]
            ctx.world.used_names.add(kind.name)
            attributes = dict(getattr(node, "arguments", ()))
            there = _appears(inner, known, kind, attributes, seen)
            value: ir.Expr = ir.as_number(there)
        else:
            value = _plane_value(inner, node, known)
        place = ir.add(ir.mul(at, ir.const(len(entries))), ir.const(index)) if len(entries) > 1 else at
        inner.emit(ir.Out(place, value))
        off = ir.const(1 if word == "kind" and node.name == "wall" else 0)
        if cell.low < 0:
            ctx.block.extend(ir.when(ir.ge(cell, 0), inner.block, [ir.Out(place, off)]))
        else:
            ctx.block.extend(inner.block)


def _plane_value(ctx: Context, node: Any, cell: ir.Expr) -> ir.Expr:
    """Return an expression for the things in a cell; 0 where a thing that it names is not there."""
    from griddsl.lowering.cells import bind_cell
    from griddsl.lowering.kinds import walk

    world = ctx.world
    bind_cell(ctx, cell)
    there: list[ir.Expr] = []
    for part in walk(node):
        if (
            isinstance(part, n.Attribute)
            and isinstance(part.owner, n.Name)
            and part.owner.name in world.kinds
        ):
            kind = world.kinds[part.owner.name]
            if isinstance(ctx.scope.get(kind.name), Ref) or kind.category == "agent":
                continue
            ref = _ref_in_cell(ctx, kind, cell)
            ctx.bind(kind.name, ref)
            there.append(found_in_cell(ctx, cell, kind, {}, None))
    inner = ctx.inner()
    if isinstance(node, n.Relation | n.Is | n.Compare | n.Logic | n.Not):
        value: ir.Expr | None = ir.as_number(condition(inner, node))
    else:
        value = evaluate_number(inner, node)
    if value is None:
        return ir.const(0)
    result = ctx.variable("value", ir.Const(0.0, "real"), min(0.0, value.low), max(0.0, value.high))
    inner.emit(ir.Let(result.name, value))
    ctx.block.extend(ir.when(ir.both(*there), inner.block))
    return result


def _write_unseen(ctx: Context, at: ir.Expr, name: str, form: n.Form | None) -> None:
    if name == "planes":
        count = len(_plane_entries(ctx, form))
        for index in range(count):
            ctx.emit(
                ir.Out(ir.add(ir.mul(at, ir.const(count)), ir.const(index)) if count > 1 else at, ir.const(0))
            )
    else:
        ctx.emit(ir.Out(at, ir.const(len(ctx.world.kinds) if name == "kinds" else 0)))
