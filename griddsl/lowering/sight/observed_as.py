"""Observed as: what is observed where another form is asked for than the spec's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from griddsl.diagnostics import did_you_mean
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.sight.cells.minigrid import OBJECTS, object_code
from griddsl.lowering.sight.cells.seeing import grid_sight, sight_space
from griddsl.lowering.sight.cells.showing import topmost, write_sight
from griddsl.lowering.sight.cells.sights import Place, for_each_seen
from griddsl.lowering.sight.entries import Entry, Worth, onehot
from griddsl.lowering.sight.values import scalar
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.constants import constant_number
from griddsl.lowering.world.missions import chosen_texts, names_in
from griddsl.lowering.world.values import Texts
from griddsl.program import ir
from griddsl.program.spaces import Box, Discrete, MultiBinary, MultiDiscrete, Space, Text
from griddsl.spec.models import Observe
from griddsl.syntax import nodes as n

FORMS = ("spec", "network", "flat", "image", "pixels", "symbols")
MOST_ONEHOT = 4096  # values that are shown as one 1 in a row of zeros; of more, the number is shown
MOST_PIXELS = 64_000_000
MOST_CELL_PIXELS = 256
SMALLEST_PICTURE = 36  # pixels a side, which the usual convolutions need
_WISH = re.compile(r"(?P<form>[a-z]+)(?: (?P<pixels>-?[0-9]{1,4000}))?")


@dataclass(frozen=True)
class Wish:
    """The form that is asked for; ``pixels`` a cell, None where none are said."""

    form: str = "spec"
    pixels: int | None = None

    @property
    def is_numeric(self) -> bool:
        """Whether the entries of the spec are shown as numbers."""
        return self.form in {"network", "flat"}


def wish_of(writer: Writer) -> Wish | None:
    """Return the form that the argument ``observation`` asks for; None, with a diagnostic, for no such form."""
    spec = writer.world.spec
    given = spec.arguments.get("observation")
    if given is None or any(declaration.name == "observation" for declaration in spec.params):
        return Wish()
    found = _WISH.fullmatch(given) if isinstance(given, str) else None
    if (
        found is not None
        and found["form"] in FORMS
        and (found["pixels"] is None or found["form"] == "pixels")
    ):
        return Wish(found["form"], None if found["pixels"] is None else int(found["pixels"]))
    if "observation" not in writer.notes.reported:
        writer.notes.reported.add("observation")
        domain = " | ".join("pixels N" if form == "pixels" else form for form in FORMS)
        help: str | None = did_you_mean(found["form"], FORMS) if found is not None else None
        if isinstance(given, str) and given.startswith("pixels "):
            help = f"N is a whole number from 1 to {MOST_CELL_PIXELS}, as in `pixels 8`"
        writer.report.add(
            "param-value", spec.place("observe"), name="observation", value=given, domain=domain, help=help
        )
    return None


def item_for(wish: Wish, observe: Observe) -> n.ObserveItem:
    """Return the item that takes the place of a statement: the array of MiniGrid, the picture, or the symbols.

    The array is that of the spec, where it observes one; else its first grid or view in that form, else the grid.
    """
    span = observe.span
    plain = n.ObserveItem(None, wish.form, None, None, None, None, None, None, span)
    if wish.form == "pixels":
        size = n.Number(Fraction(wish.pixels), str(wish.pixels), span) if wish.pixels is not None else None
        return replace(plain, value=size)
    if wish.form == "symbols":
        return plain
    sights = [i for i in observe.items if isinstance(i, n.ObserveItem) and i.what in {"grid", "view"}]
    encoded = next((item for item in sights if item.form is not None and item.form.name == "minigrid"), None)
    if encoded is not None:
        return replace(encoded, name=None)
    first = sights[0] if sights else replace(plain, what="grid")
    return replace(first, name=None, form=n.Form("minigrid", (), span), chance=None, noise=None)


def names_for(items: Sequence[n.ObserveItem], word_of: Callable[[n.ObserveItem], str]) -> list[str]:
    """Return a name for each entry: its own, or the word that it is written with, with a number where that is taken."""
    taken = ir.Names()
    return [item.name if item.name is not None else taken.fresh(word_of(item)) for item in items]


# Symbols


def symbols_entry(ctx: Context) -> Entry:
    """Return the grid as MiniGrid's symbols: x, y and the number of the topmost thing of each cell, columns first."""
    world, sight = ctx.world, grid_sight(ctx)
    codes = {kind: object_code(world, kind) for kind in world.kind_list}
    most = max(*OBJECTS.values(), *codes.values(), world.width - 1, world.height - 1)

    def write(inner: Context) -> None:
        objects = ctx.writer.kind_table("MINIGRID_OBJECT", codes)

        def cell(at: Context, place: Place) -> None:
            first = ir.add(ir.mul(place.column, ir.const(3 * world.height)), ir.mul(place.row, ir.const(3)))
            symbol = at.let("symbol", first)
            thing = ir.lookup(objects, topmost(at, place.cell, []))
            for channel, value in enumerate((place.column, place.row, thing)):
                at.emit(ir.Out(ir.add(symbol, ir.const(channel)), value))

        for_each_seen(inner, sight, cell, 3 * world.cells, 0)

    dtype = "uint8" if most <= 255 else "int64"
    return Entry(Box(0, most, (world.width, world.height, 3), dtype), "array", None, write)


# Numbers


def as_numbers(ctx: Context, entry: Entry) -> Entry | None:
    """Return an entry as numbers in a row, or as a picture of 36 pixels a side or more; None where it tells nothing.

    What is counted becomes one 1 in a row of zeros, as Gymnasium's ``flatten`` has it; a mission, the names in it; a
    board in characters, a plane a kind. What has one byte a number keeps it, all else is float32.
    """
    if entry.form == "text":
        entry = _planes(ctx)
    elif entry.form == "mission" and isinstance(entry.space, Text):
        return _mission_names(ctx)
    match entry.space:
        case Discrete() as space:
            assert entry.value is not None
            return counted(space, entry.value)
        case MultiDiscrete(sizes):
            return _onehots(sizes, entry)
        case MultiBinary(size):
            return replace(entry, space=Box(0.0, 1.0, (size,), "float32"))
        case Box(low, high, shape, dtype):
            kept = "uint8" if dtype == "uint8" else "float32"
            is_picture = entry.form == "pixels" and min(shape[:2]) >= SMALLEST_PICTURE
            row = shape if is_picture else (_count(shape),)
            return replace(entry, space=Box(low, high, row, kept), view=None)
    raise AssertionError(entry.space)


def counted(space: Discrete, value: Worth) -> Entry:
    """Return a counted value as one 1 in a row of zeros; as the number itself where it has very many values."""
    if space.size <= MOST_ONEHOT:
        return onehot(space, value)

    def write(inner: Context) -> None:
        inner.emit(ir.Out(ir.const(0), ir.as_number(value(inner))))

    first, last = float(space.start), float(space.start + space.size - 1)
    return Entry(Box(first, last, (1,), "float32"), "array", None, write)


def goal_numbers(entry: Entry) -> Entry:
    """Return an entry of a goal as a ``Box``; what `compute_reward` takes stays the number that it was."""
    value = entry.value
    if value is None or not isinstance(entry.space, Discrete):
        return entry

    def write(inner: Context) -> None:
        inner.emit(ir.Out(ir.const(0), ir.as_number(value(inner))))

    space = entry.space
    low, high = float(space.start), float(space.start + space.size - 1)
    return Entry(Box(low, high, (1,), "float32"), "array", None, write)


def _planes(ctx: Context) -> Entry:
    sight, form = grid_sight(ctx), n.Form("planes", (), ctx.world.spec.place("observe"))
    space = sight_space(ctx, sight, form, [])
    assert space is not None
    return Entry(space, "array", None, lambda inner: write_sight(inner, sight, form, []))


def _mission_names(ctx: Context) -> Entry | None:
    """Return what the names in a mission are in this episode, one after the other; None where none can change."""
    writer = ctx.writer
    names = dict.fromkeys(names_in(ctx.writer.mission or ""))
    for texts in chosen_texts(ctx.world.spec).values():
        names |= dict.fromkeys(name for text in texts for name in names_in(text.value))
    parts: list[Entry] = []
    for name in names:
        variable = writer.variables.get(name)
        if variable is None:  # a parameter, which is the same in every episode
            continue
        if isinstance(variable.type, Texts):
            chosen = ir.load(variable.slot)
            parts.append(counted(Discrete(len(variable.type.texts)), _constantly(chosen)))
            continue
        found = scalar(ctx, n.Name(name, ctx.world.spec.place("mission")))
        if found is not None and isinstance(found[1], Discrete):
            parts.append(counted(found[1], found[0]))
    return in_a_row(parts) if parts else None


def _constantly(expr: ir.Expr) -> Worth:
    return lambda _: expr


def _onehots(sizes: tuple[int, ...], entry: Entry) -> Entry:
    """Return a row of counted numbers as one row of zeros with a 1 for each."""
    write = entry.write
    assert write is not None
    starts = [sum(sizes[:index]) for index in range(len(sizes))]

    def write_all(inner: Context) -> None:
        digits = inner.inner()
        write(digits)
        _blank(inner, sum(sizes))

        def one(out: ir.Out) -> ir.Block:
            assert isinstance(out.index, ir.Const)
            first = ir.const(starts[int(out.index.value)])
            return [ir.Out(ir.add(first, out.value), ir.Const(1.0, "real"))]

        inner.block.extend(_rewritten(digits.block, one))

    return Entry(Box(0.0, 1.0, (sum(sizes),), "float32"), "array", None, write_all)


def _blank(ctx: Context, size: int) -> None:
    k = ir.Local(ctx.names.fresh("k"), "int", 0, size - 1)
    ctx.emit(ir.For(k.name, ir.const(0), ir.const(size), [ir.Out(k, ir.Const(0.0, "real"))]))


# One row of all


def in_a_row(entries: Sequence[Entry]) -> Entry:
    """Return one float32 entry that shows the numbers of several, one after the other."""
    boxes = [entry.space for entry in entries]
    starts = [sum(_size(box) for box in boxes[:index]) for index in range(len(boxes))]
    size = sum(map(_size, boxes))

    def write(inner: Context) -> None:
        for entry, start in zip(entries, starts, strict=True):
            assert entry.write is not None
            part = inner.inner()
            entry.write(part)
            inner.block.extend(_shifted(part, start) if len(entries) > 1 else part.block)

    low = tuple(end for box in boxes for end in _ends(box)[0])
    high = tuple(end for box in boxes for end in _ends(box)[1])
    if len(set(low)) == len(set(high)) == 1:
        return Entry(Box(low[0], high[0], (size,), "float32"), "array", None, write)
    return Entry(Box(low, high, (size,), "float32"), "array", None, write)


def _ends(space: Space) -> tuple[tuple[float, ...], tuple[float, ...]]:
    assert isinstance(space, Box)
    count = _count(space.shape)
    low, high = (end if isinstance(end, tuple) else (float(end),) * count for end in (space.low, space.high))
    return tuple(map(float, low)), tuple(map(float, high))


def _size(space: Space) -> int:
    assert isinstance(space, Box)
    return _count(space.shape)


def _count(shape: tuple[int, ...]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count


def _shifted(part: Context, start: int) -> ir.Block:
    """Return the statements of an entry that write its numbers from a place on, and nothing before or behind them."""

    def shift(out: ir.Out) -> ir.Block:
        return [ir.Out(ir.add(out.index, ir.const(start)) if start else out.index, out.value)]

    def blank(statement: ir.Blank) -> ir.Block:
        k = ir.Local(part.names.fresh("k"), "int", 0, statement.count.high - 1)
        body = shift(ir.Out(k, statement.value))
        return [ir.For(k.name, ir.const(0), statement.count, body)]

    return _rewritten(part.block, shift, blank)


def _rewritten(
    block: ir.Block,
    out: Callable[[ir.Out], ir.Block],
    blank: Callable[[ir.Blank], ir.Block] | None = None,
) -> ir.Block:
    """Return a block in which other statements stand for what writes to the observation."""
    found: ir.Block = []
    for statement in block:
        match statement:
            case ir.Out():
                found.extend(out(statement))
            case ir.Blank() if blank is not None:
                found.extend(blank(statement))
            case _:
                found.append(ir.with_blocks(statement, lambda inner: _rewritten(inner, out, blank)))
    return found


def pixels_entry(ctx: Context, item: n.ObserveItem) -> Entry | None:
    """Return the entry that shows the board as a picture, with so many pixels a cell."""
    world = ctx.world
    given = (
        Fraction(8)
        if item.value is None
        else constant_number(item.value, world.params, ctx.report, "the size")
    )
    if given is None:
        return None
    size = int(given)
    if given != size or not 1 <= size <= MOST_CELL_PIXELS or world.cells * size * size > MOST_PIXELS:
        ctx.error(
            "bad-value",
            item.span,
            reason=f"a cell has 1 to {MOST_CELL_PIXELS} pixels a side, and a picture at most 64 million",
        )
        return None
    shape = (world.height * size, world.width * size, 3)
    return Entry(Box(0, 255, shape, "uint8"), "pixels", cell_pixels=size)
