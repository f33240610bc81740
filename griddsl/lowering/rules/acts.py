"""Acts: what happens by one cause, in which a rule runs once for one subject and one cell."""

from __future__ import annotations

from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.rules.hearing import event, settles_after
from griddsl.lowering.rules.keeping import MOST_ACTS, act_slot, things_come, which_of
from griddsl.lowering.state.writer import Writer
from griddsl.program import ir

# Subjects of one rule in one cell in one act, beside the first: no act of a game comes near.
MOST_LATER = 1000


def mark(ctx: Context, index: int, cell: ir.Expr, subject: ir.Expr) -> None:
    """Emit that a rule counts as run for a subject and a cell in this act."""
    if _has_many_subjects(ctx.writer):
        ctx.emit(ir.Do(_runs(ctx.writer, index, cell, subject)))
        return
    fired, place, act = _fired_at(ctx.writer, index, cell)
    ctx.emit(ir.Store(fired, place, ir.load(act)))


def _fired_at(writer: Writer, index: int, cell: ir.Expr) -> tuple[ir.Slot, ir.Expr, ir.Slot]:
    """Return where it is kept in which act a rule ran last for what is in a cell, and the act's number."""
    world = writer.world
    act = act_slot(writer)
    fired = writer.scratch("FIRED_AT", len(world.spec.rules) * world.cells, 0, MOST_ACTS)
    return fired, ir.add(ir.const(index * world.cells), cell), act


def once_an_act(ctx: Context, index: int, cell: ir.Expr, test: ir.Expr) -> ir.Expr:
    """Let a rule run at most once for one subject and instance in one act, so that portals do not loop."""
    if _has_many_subjects(ctx.writer):
        assert ctx.self_ref is not None
        holds = ctx.variable("holds", ir.const(0), 0, 1)
        runs = ir.Let(
            holds.name, _runs(ctx.writer, index, cell, which_of(ctx, ctx.self_ref, ctx.writer.facts.capacity))
        )
        ctx.block.extend(ir.when(test, [runs]))
        return ir.eq(holds, 1)
    fired, place, act = _fired_at(ctx.writer, index, cell)
    again = ir.eq(ir.load(fired, place), ir.load(act))
    test = ctx.let("holds", ir.both(test, ir.invert(again)))
    ctx.block.extend(ir.when(test, [ir.Store(fired, place, ir.load(act))]))
    return test


def _run_again(writer: Writer, of_things: bool) -> bool:
    """Whether rules on entering and leaving could run twice in one act for an object, or for an agent."""
    again = writer.facts.things_enter_again if of_things else writer.facts.agents_enter_again
    return again and any(event(writer.world, name, of_things) is not None for name in ("enter", "leave"))


def _has_many_subjects(writer: Writer) -> bool:
    """Whether more than one agent or object can be the subject of such rules in one act."""
    world = writer.world
    if _run_again(writer, of_things=False) and world.several:
        return True
    return _run_again(writer, of_things=True) and (writer.facts.capacity > 1 or things_come(world))


def _runs(writer: Writer, index: int, cell: ir.Expr, subject: ir.Expr) -> ir.Call:
    """Return the call that says whether a rule runs for a subject and a cell, 1, or did so in this act already, 0."""
    if "runs_once" not in writer.functions:
        _define_runs_once(writer)
    return ir.call("runs_once", ir.add(ir.const(index * writer.world.cells), cell), subject, low=0, high=1)


def _define_runs_once(writer: Writer) -> None:
    """Define ``runs_once``: the first subject of a rule in a cell is kept there, those after it in a list."""
    world = writer.world
    ctx = new_function(writer, "rule", "runs_once", "place", "subject")
    doc = "Whether a rule runs for a subject in a cell, which it does once an act."
    writer.functions["runs_once"] = ir.function("runs_once", ("place", "subject"), ctx.block, doc)
    place = ir.Local("place", "int", 0, len(world.spec.rules) * world.cells - 1)
    most = max(len(world.agents), writer.facts.capacity)
    subject = ir.Local("subject", "int", 0, most)
    fired, _, act = _fired_at(writer, 0, place)
    first = writer.scratch("FIRED_FOR", fired.length, 0, most)
    later = writer.scratch("FIRED_LATER", MOST_LATER * 2, 0, max(fired.length - 1, most))
    count = writer.scratch("FIRED_LATER_COUNT", 1, 0, MOST_LATER)
    anew: ir.Block = [ir.Store(fired, place, ir.load(act)), ir.Store(first, place, subject)]
    ctx.emit(ir.If(ir.ne(ir.load(fired, place), ir.load(act)), [*anew, ir.Return((ir.const(1),))], []))
    ctx.emit(ir.If(ir.eq(ir.load(first, place), subject), [ir.Return((ir.const(0),))], []))
    entry = ir.Local(ctx.names.fresh("i"), "int", 0, MOST_LATER - 1)
    at = ir.mul(entry, ir.const(2))
    same = ir.both(ir.eq(ir.load(later, at), place), ir.eq(ir.load(later, ir.add(at, ir.const(1))), subject))
    ctx.emit(ir.For(entry.name, ir.const(0), ir.load(count), ir.when(same, [ir.Return((ir.const(0),))])))
    ctx.emit(ir.If(ir.ge(ir.load(count), MOST_LATER), [ir.Return((ir.const(0),))], []))
    end = ir.within(ctx.let("end", ir.load(count)), 0, MOST_LATER - 1)
    ctx.emit(
        ir.Store(later, ir.mul(end, ir.const(2)), place),
        ir.Store(later, ir.add(ir.mul(end, ir.const(2)), ir.const(1)), subject),
        ir.Store(count, ir.const(0), ir.add(end, ir.const(1))),
        ir.Return((ir.const(1),)),
    )


def begin_act(ctx: Context) -> None:
    """Emit the start of an act, where rules need to know."""
    again = any(_run_again(ctx.writer, of_things) for of_things in (False, True))
    if again or settles_after(ctx.world, ("meet",)):
        act = act_slot(ctx.writer)
        next_act = ir.add(ir.mod(ir.load(act), ir.const(MOST_ACTS)), ir.const(1))
        ctx.emit(ir.Store(act, ir.const(0), next_act))
        if again and _has_many_subjects(ctx.writer):
            ctx.emit(
                ir.Store(ctx.writer.scratch("FIRED_LATER_COUNT", 1, 0, MOST_LATER), ir.const(0), ir.const(0))
            )
