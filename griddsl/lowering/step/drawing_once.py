"""Once: what `once:` draws is kept beside the state, and put back where the next episode begins without a seed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf
from typing import TypeAlias

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.rules.keeping import changes_kinds
from griddsl.lowering.rules.performing import perform
from griddsl.lowering.state.writer import Writer
from griddsl.program import ir, keys
from griddsl.program.program import AGAIN
from griddsl.program.proof.written import writes_of, written
from griddsl.syntax import nodes as n

Entry: TypeAlias = Callable[[ir.Expr], ir.Block]
KEPT = "KEPT"  # the first part of the key of a slot that holds what another one was after `once:`


def draw_once(ctx: Context) -> Context:
    """Emit the lines of ``once:`` behind what draws the map, and let all of it happen where a draw is asked for.

    Return the context in which ``setup:`` goes on.
    """
    lines = ctx.world.spec.once
    if not lines:
        return ctx
    perform(ctx, lines)
    for effect in lines:
        if isinstance(effect, n.Let):
            ctx.scope.pop(effect.name, None)
    drawn = ctx.writer.slot(keys.DRAWN, 1, 0, 1)
    drawing = [*ctx.block, ir.Store(drawn, ir.const(0), ir.const(1))]
    level = ir.Local("level", "int", AGAIN, len(ctx.world.levels) - 1)
    again = ir.both(ir.eq(level, AGAIN), ir.eq(ir.load(drawn), 1))
    # What is kept is known when all of the program is: see `keep_draw`.
    ctx.block[:] = [ir.If(again, [], drawing)]
    return ctx.inner(block=ctx.block, scope=ctx.scope, after_changes=changes_kinds(lines))


def next_of_trial(ctx: Context, reward: ir.Expr, terminated: ir.Expr, truncated: ir.Expr) -> ir.Return:
    """Emit that an episode which ends makes room for the next one of its trial; return what the step returns.

    A trial is so many episodes of one draw, as ``episodes=`` asks for: it ends with the last of them.
    """
    writer, count = ctx.writer, ctx.world.episodes
    episode = writer.episode
    gained, ends = ctx.let("gained", reward), ctx.variable("ends", terminated, 0, 1)
    cut = ctx.variable("cut", truncated, 0, 1)
    is_over = ir.both(ir.either(ends, cut), ir.lt(ir.load(episode), count - 1))
    number = ir.Local(ctx.names.fresh("episode"), "int", 1, count - 1)
    hidden = writer.slots.get(keys.HIDDEN_REWARD)
    told = ir.Local(ctx.names.fresh("hidden"), "real", -inf, inf)
    goes_on: ir.Block = [ir.Let(number.name, ir.add(ir.load(episode), ir.const(1)))]
    goes_on += [ir.Let(told.name, ir.load(hidden))] if hidden is not None else []
    goes_on.append(ir.Do(ir.call("reset", ir.const(AGAIN))))
    goes_on.append(ir.Store(episode, ir.const(0), number))
    goes_on += [ir.Store(hidden, ir.const(0), told)] if hidden is not None else []
    goes_on += [ir.Let(ends.name, ir.FALSE), ir.Let(cut.name, ir.FALSE)]
    ctx.emit(ir.If(is_over, goes_on, []))
    return ir.Return((gained, ends, cut))


def keep_draw(writer: Writer) -> None:
    """Complete ``reset``: after a draw the slots that it wrote are kept; without one they are put back.

    What nothing else ever writes to is kept where it is. All others start as they do after a draw.
    """
    if not writer.world.spec.once:
        return
    choice = writer.functions["reset"].body[0]
    assert isinstance(choice, ir.If)
    names = ir.names_in(writer.functions["reset"])
    changed = _written(writer, choice.otherwise)
    stays = changed - _written_elsewhere(writer)
    for slot in list(writer.slots.values()):
        if slot.key == keys.DRAWN or (id(slot) in stays and slot.saved):
            continue
        if id(slot) in changed and not slot.saved:
            continue  # scratch: who reads it has written it before
        if id(slot) in changed:
            kept = _kept(writer, slot)
            choice.otherwise.extend(_each(names, slot, partial(_moved, kept, slot)))
            choice.then.extend(_each(names, slot, partial(_put_back, names, slot, kept)))
        else:
            choice.then.extend(_as_at_first(writer, names, slot))


def _written(writer: Writer, block: ir.Block) -> frozenset[int]:
    """Return the slots, by identity, that hold something else after a draw than they start with."""
    writes, found = writes_of(writer.functions), set[int]()
    for statement in ir.statements(block):
        if not isinstance(statement, ir.Restart | ir.Restore):
            found |= written([statement], writes)
    return frozenset(found)


def _written_elsewhere(writer: Writer) -> frozenset[int]:
    """Return the slots, by identity, that anything but the draw writes to."""
    found = set[int]()
    for name, function in writer.functions.items():
        body = function.body[1:] if name == "reset" else function.body
        for statement in ir.statements(body):
            if not isinstance(statement, ir.Restore):  # puts back what was written before
                found |= written([statement], None)
    return frozenset(found)


def _kept(writer: Writer, slot: ir.Slot) -> ir.Slot:
    key = (KEPT, *(slot.key if isinstance(slot.key, tuple) else (slot.key,)))
    low = min(slot.low, -1) if slot.unset else slot.low
    return writer.slot(key, slot.length, low, slot.high, type=slot.type, initial=slot.initial)


def _moved(target: ir.Slot, source: ir.Slot, at: ir.Expr) -> ir.Block:
    return [ir.Store(target, at, ir.load(source, at))]


def _put_back(names: ir.Names, slot: ir.Slot, kept: ir.Slot, at: ir.Expr) -> ir.Block:
    """Return what puts back an entry; one that may be unset has a branch of its own, as its range has."""
    if not slot.unset:
        return _moved(slot, kept, at)
    value = ir.Local(names.fresh("kept"), "int", kept.low, kept.high)
    there = ir.Local(value.name, "int", slot.low, slot.high)
    missing: ir.Block = [ir.Store(slot, at, ir.const(-1))]
    return [
        ir.Let(value.name, ir.load(kept, at)),
        ir.If(ir.ge(value, slot.low), [ir.Store(slot, at, there)], missing),
    ]


def _as_at_first(writer: Writer, names: ir.Names, slot: ir.Slot) -> ir.Block:
    """Return what puts the initial values into a slot."""
    zero = 0.0 if slot.type == "real" else 0
    values = tuple(slot.initial or (zero,) * slot.length)
    if len(set(values)) > 1 and slot.type != "real":
        table = writer.table(("INITIAL", slot.name), [int(value) for value in values])
        return [ir.Copy(slot, table, ir.const(0))]
    if slot.type != "real":
        # What starts out of its range is written before it is read.
        return [ir.Fill(slot, ir.const(min(max(int(values[0]), slot.low), slot.high)))]
    value = ir.Const(float(values[0]), "real")
    return _each(names, slot, lambda at: [ir.Store(slot, at, value)])


def _each(names: ir.Names, slot: ir.Slot, entry: Entry) -> ir.Block:
    if slot.length == 1:
        return entry(ir.const(0))
    index = ir.Local(names.fresh("i"), "int", 0, slot.length - 1)
    return [ir.For(index.name, ir.const(0), ir.const(slot.length), entry(index))]
