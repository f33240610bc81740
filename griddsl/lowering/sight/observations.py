"""Observations: the spaces, and a function of the program for each entry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from griddsl.diagnostics import Help, did_you_mean, listing, write
from griddsl.lowering.clauses.context import Context, define, new_function
from griddsl.lowering.sight.cells.glances import glance_of
from griddsl.lowering.sight.cells.seeing import grid_sight, sight_space, view_sight
from griddsl.lowering.sight.cells.showing import write_sight
from griddsl.lowering.sight.cells.sights import Sight
from griddsl.lowering.sight.entries import Entry, as_it_is
from griddsl.lowering.sight.noisy import noisy, shown_beside
from griddsl.lowering.sight.observed_as import (
    Wish,
    as_numbers,
    goal_numbers,
    in_a_row,
    item_for,
    names_for,
    pixels_entry,
    symbols_entry,
    wish_of,
)
from griddsl.lowering.sight.rays import bracketed_hits, rays_entry
from griddsl.lowering.sight.values import position_entry, value_entry
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.world import Role
from griddsl.program import ir
from griddsl.program.spaces import (
    Leaf,
    Observation,
    Text,
    ViewInfo,
)
from griddsl.spec.models import Observe
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text

OF_THE_BOARD = "observe the board, as in `grid as planes (K)`"


def read_observations(writer: Writer, role: Role) -> tuple[Observation, dict[str, Leaf]] | None:
    """Return what the agents of a role observe, and the entries of the goal (``achieved``, ``desired``) if any."""
    world = writer.world
    statements = {observe.name: observe for observe in world.spec.observe}
    own = statements.get(role.kind.name) if world.several else None
    main = own or statements.get(None) or statements.get("flat") or statements.get("tuple")
    is_known = _check_statements(writer, statements)
    if main is None:
        if is_known:  # a misspelt agent is mistake enough
            help = "such as `observe: cell` or `observe: grid`"
            if not world.several and "agent" in statements:
                help = write("observe", ": there is one agent", place=statements["agent"].span)
            writer.report.add("missing-statement", world.spec.place("observe"), keyword="observe", help=help)
        return None
    wish = wish_of(writer)
    if wish is None:
        return None
    observation = _wished(writer, role, main, statements.get("goal"), wish)
    goal: dict[str, Leaf] = {}
    if "goal" in statements and wish.form != "flat":
        if len(world.learners) > 1:
            help = "a goal of its own for each agent is not in the language"
            writer.report.add(
                "wrong-place",
                statements["goal"].span,
                what="`observe goal`",
                where="with several agents that learn",
                help=help,
            )
        else:
            goal = _goal(writer, role, statements["goal"], wish)
    return None if observation is None else (observation, goal)


def _check_statements(writer: Writer, statements: dict[str | None, Observe]) -> bool:
    """Report statements for nobody, and two where one is right; return whether all are for somebody."""
    world = writer.world
    agents = {kind.name for kind in world.agents} if world.several else {"agent"}
    known = ["flat", "tuple", "goal", *agents]
    unknown = {name: observe for name, observe in statements.items() if name not in {None, *known}}
    for name, observe in unknown.items():
        if name not in writer.notes.reported:
            help: str | None = did_you_mean(str(name), known)
            if name in {"dict", "named"}:
                help = write("observe", ": named entries make a Dict by themselves", place=observe.span)
            if help is None and not world.several and observe.span.source.is_toml:
                entry = f'observe = ["{name} = cell"]'
                help = f"a key is the name of an agent there, and entries with names are a list: `{entry}`"
            if help is None and world.several:
                help = f"what an agent observes: {listing(f'observe {each}' for each in sorted(agents))}"
            writer.notes.reported.add(str(name))
            writer.report.add(
                "unknown-name",
                observe.span,
                where="`observe`",
                name=name,
                help=help,
            )
    forms = [name for name in (None, "flat", "tuple") if name in statements]
    if len(forms) > 1:
        other = statements[forms[1]]
        writer.report.add(
            "duplicate-statement",
            other.span,
            what="observe",
            help="one of `observe`, `observe flat`, `observe tuple`",
        )
    return not unknown


def _shows_kinds(item: n.ObserveItem) -> bool:
    """Whether what `seen as` says can be seen in an item."""
    shows = item.what in {"grid", "view"} and (item.form is None or item.form.name != "minigrid")
    return shows or (item.noise is not None and _shows_kinds(item.noise))


def _statement(writer: Writer, role: Role, observe: Observe) -> Observation | None:
    items = [item for item in observe.items if isinstance(item, n.ObserveItem)]
    seen = [item for item in observe.items if isinstance(item, n.SeenAs)]
    leaves: list[Leaf] = []
    if seen and items and not any(_shows_kinds(item) for item in items):
        where = "here: no grid or view of this statement shows kinds, codes or planes"
        help = "`as minigrid`, `pixels` and `text` show what is there; `grid as kinds` and the like show what seems"
        writer.report.add("wrong-place", seen[0].span, what="`seen as`", where=where, help=help)
    if (
        bracketed := bracketed_hits(writer.world, items)
    ) is not None:  # the kinds that stand there are no entries
        found, expected = "several kinds behind `of`", "brackets around them"
        place = bracketed.place or observe.span
        writer.report.add("syntax", place, found=found, expected=expected, help=bracketed)
        return None
    for item in items:
        leaf = _leaf(writer, role, item, len(leaves), seen, "observe")
        if leaf is not None:
            leaves.append(leaf)
    if not items:
        writer.report.add("missing-items", observe.span, what="observe")
        return None
    if observe.name in {"flat", "tuple"}:
        if observe.name == "flat":
            for item, leaf in zip(items, leaves, strict=False):
                if isinstance(leaf.space, Text):
                    writer.report.add("wrong-place", item.span, what="a text", where="in `observe flat`")
        return Observation(observe.name, tuple(leaves))
    named = [item for item in items if item.name is not None]
    if not named and len(items) == 1:
        return Observation("bare", tuple(leaves))
    if len(named) < len(items):
        first = next(item for item in items if item.name is None)
        writer.report.add(
            "syntax",
            first.span,
            found="an entry without a name",
            expected="`name = item`, where there are several",
            help=_with_names(items),
        )
        return None
    names = [str(item.name) for item in items]
    for index, name in enumerate(names):
        if name in names[:index]:
            writer.report.add("duplicate-name", items[index].span, name=name)
    return Observation("dict", tuple(leaves))


def _with_names(items: Sequence[n.ObserveItem]) -> str:
    """Say how entries are named, all at once where they stand in one line."""
    names = [str(item.name) for item in items if item.name is not None]
    given: list[str] = []
    for item in items:
        if item.name is not None:
            given.append(to_text(item))
            continue
        stem = name = _suggested_name(item)
        while name in names:
            name = f"{stem}_{len(names)}"
        names.append(name)
        given.append(f"{name} = {to_text(item)}")
    place, whole = items[0].span.to(items[-1].span), ", ".join(given)
    line = f"name each: `{whole}`, or write `observe tuple:`"
    return line if "\n" in place.text or "#" in place.text else Help(line, (whole,), place=place)


def _wished(
    writer: Writer, role: Role, observe: Observe, goal: Observe | None, wish: Wish
) -> Observation | None:
    """Return what is observed in the form that is asked for: the statement as it is, in numbers, or a picture."""
    if wish.form == "spec" or (wish.form == "flat" and observe.name == "flat" and goal is None):
        return _statement(writer, role, observe)
    seen = [item for item in observe.items if isinstance(item, n.SeenAs)]
    if not wish.is_numeric:
        leaf = _leaf(writer, role, item_for(wish, observe), 0, seen, "observe")
        return None if leaf is None else Observation("bare", (leaf,))
    items = [item for item in observe.items if isinstance(item, n.ObserveItem)]
    if wish.form == "flat" and goal is not None:
        items += [item for item in goal.items if isinstance(item, n.ObserveItem)]
    if not items:
        writer.report.add("missing-items", observe.span, what="observe")
        return None
    return _in_numbers(writer, role, observe, items, seen, wish.form == "flat" or goal is not None)


def _in_numbers(
    writer: Writer,
    role: Role,
    observe: Observe,
    items: list[n.ObserveItem],
    seen: list[n.SeenAs],
    is_flat: bool,
) -> Observation | None:
    """Return items as a `Dict` of boxes, or as one row: written by one function, where functions write them all."""
    contexts = [_observing(writer, role)] * len(items) if is_flat else []
    entries = _numbers_of(writer, role, items, seen, contexts)
    if is_flat and entries and not all(entry.write is not None for _, _, entry in entries):
        entries = _numbers_of(writer, role, items, seen, [])  # pictures: each entry is made by itself
        contexts = []
    if entries is None:
        return None
    if not entries:
        reason = "only a text that never changes is observed, so no number is left for a network"
        writer.report.add("bad-value", observe.span, reason=reason)
        return None
    with entries[0][1].clause(observe.span, OF_THE_BOARD):
        if contexts:
            row = in_a_row([entry for _, _, entry in entries])
            leaf = _written(writer, role, contexts[0], "observation", row, ("observe", 0))
            return Observation("bare", (leaf,))
        leaves = [
            _written(writer, role, ctx, name, entry, ("observe", index))
            for index, (name, ctx, entry) in enumerate(entries)
        ]
    return Observation("flat" if is_flat else "dict", tuple(leaves))


def _numbers_of(
    writer: Writer, role: Role, items: list[n.ObserveItem], seen: list[n.SeenAs], contexts: list[Context]
) -> list[tuple[str, Context, Entry]] | None:
    """Return the entries of items in numbers, each in a context of its own where none is given."""
    found: list[tuple[str, Context, Entry]] = []
    contexts = contexts or [_observing(writer, role) for _ in items]
    for name, item, ctx in zip(names_for(items, _suggested_name), items, contexts, strict=True):
        with ctx.clause(item.span, OF_THE_BOARD):
            made = _whole_entry(ctx, item, seen)
            if made is None:
                return None
            entry = as_numbers(ctx, made)
        if entry is not None:  # a text that never changes tells nothing
            found.append((name, ctx, entry))
    return found


def _suggested_name(item: n.ObserveItem) -> str:
    return item.value.name if isinstance(item.value, n.Name) else item.what


def _goal(writer: Writer, role: Role, observe: Observe, wish: Wish) -> dict[str, Leaf]:
    found: dict[str, Leaf] = {}
    wanted = ("achieved", "desired")
    for item in observe.items:
        name = item.name if isinstance(item, n.ObserveItem) else None
        if name is None or isinstance(item, n.SeenAs) or name not in wanted:
            writer.notes.reported.update(wanted)  # what rules say of them, follows from this
            place = item.span if name is None else item.span.word(name)
            expected = "`achieved = ...` and `desired = ...`"
            help = None if name is None else did_you_mean(name, wanted)
            writer.report.add("syntax", place, found="this entry", expected=expected, help=help)
            continue
        index = 0 if name == "achieved" else 1
        leaf = _leaf(writer, role, item, index, [], "goal", goal_numbers if wish.is_numeric else as_it_is)
        if leaf is not None:
            found[name] = leaf
    if len(found) == 1 and writer.notes.reported.isdisjoint(wanted):
        writer.notes.reported.update(wanted)
        missing = "desired" if "achieved" in found else "achieved"
        writer.report.add(
            "missing-items", observe.span, what=f"observe goal: {missing}", help=f"add `{missing} = ...`"
        )
    return found if len(found) != 1 else {}


def _leaf(
    writer: Writer,
    role: Role,
    item: n.ObserveItem,
    index: int,
    seen: list[n.SeenAs],
    stem: str,
    shown: Callable[[Entry], Entry] = as_it_is,
) -> Leaf | None:
    ctx = _observing(writer, role)
    with ctx.clause(item.span, OF_THE_BOARD):
        entry = _whole_entry(ctx, item, seen)
        if entry is None:
            return None
        doc = f"Observe {to_text(item)}."
        return _written(writer, role, ctx, item.name or item.what, shown(entry), (stem, index), doc)


def _observing(writer: Writer, role: Role) -> Context:
    """Return a context for a function that observes for a role."""
    ctx = new_function(writer, "observe", "`observe`", *writer.observing(role))
    ctx.self_ref = writer.observer(role)
    return ctx


def _whole_entry(ctx: Context, item: n.ObserveItem, seen: list[n.SeenAs]) -> Entry | None:
    """Return the entry of an item, with its noise."""

    def made(each: n.ObserveItem) -> Entry | None:
        return _entry(ctx, each, seen)

    entry = made(item) if item.noise is None else shown_beside(ctx, item, item.noise, made)
    if entry is None:
        return None
    if entry.value is None and entry.write is None:
        if item.noise is not None:
            where = f"behind `{to_text(item).split(' with ')[0]}`"
            ctx.error("wrong-place", item.noise.span, what="noise", where=where)
    elif item.noise is not None and item.chance is not None:
        return noisy(ctx, item, entry, made)
    return entry


def _written(
    writer: Writer,
    role: Role,
    ctx: Context,
    name: str,
    entry: Entry,
    place: tuple[str, int],
    doc: str = "Observe numbers.",
) -> Leaf:
    """Return an entry as a leaf, whose function is defined here where it has one."""
    if entry.value is None and entry.write is None:
        return Leaf(name, entry.space, entry.form, "", entry.cell_pixels)
    parameters = writer.observing(role)
    stem, index = place
    key = (stem, role.name, index) if parameters else (stem, index)
    if entry.value is not None:
        ctx.emit(ir.Return((ir.as_number(entry.value(ctx)),)))
        define(writer, ctx, key, parameters, doc)
    elif entry.write is not None:
        entry.write(ctx)
        define(writer, ctx, key, parameters, doc, out=True)
    glance = entry.glance(ctx) if entry.glance is not None else None
    return Leaf(name, entry.space, entry.form, writer.function_name(key), view=entry.view, glance=glance)


def _entry(ctx: Context, item: n.ObserveItem, seen: list[n.SeenAs]) -> Entry | None:
    match item.what:
        case "grid":
            return _sight_entry(ctx, item, grid_sight(ctx), seen)
        case "view":
            assert item.view is not None
            sight = view_sight(ctx, item.view)
            return None if sight is None else _sight_entry(ctx, item, sight, seen)
        case "pixels":
            return pixels_entry(ctx, item)
        case "rays":
            assert item.rays is not None
            return rays_entry(ctx, item.rays)
        case "position":
            return position_entry(ctx, item)
        case "symbols":
            return symbols_entry(ctx)
    return value_entry(ctx, item)


def _sight_entry(ctx: Context, item: n.ObserveItem, sight: Sight, seen: list[n.SeenAs]) -> Entry | None:
    space = sight_space(ctx, sight, item.form, seen)
    if space is None:
        return None
    view = None
    if sight.is_view:
        form = item.form.name if item.form else "kinds"
        shape = sight.rows, sight.columns, sight.agent_row, sight.agent_column
        view = ViewInfo(*shape, form, sight.turns, sight.cone)
    write = partial(write_sight, sight=sight, form=item.form, seen=seen)
    glance = partial(glance_of, sight, item.form)
    return Entry(space, "array", None, write, view=view, glance=glance)
