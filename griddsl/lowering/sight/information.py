"""Information: the entries of ``info``, and the values that a rule puts there for one step."""

from __future__ import annotations

from griddsl.diagnostics import Label
from griddsl.lowering.clauses.context import Context, define, new_function
from griddsl.lowering.clauses.meaning import evaluate, names_of
from griddsl.lowering.effects.rewards import warn_of_nobody
from griddsl.lowering.rules.performing import performs
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import Traits
from griddsl.lowering.world.values import NUMBER, TRUTH, ValueType
from griddsl.lowering.world.world import Role
from griddsl.program import ir
from griddsl.program.program import InfoEntry
from griddsl.syntax import nodes as n


def _form(type: ValueType, expr: ir.Expr) -> str:
    if type == TRUTH:
        return "bool"
    if type == NUMBER:
        return "real" if expr.type == "real" else "int"
    return "words" if names_of(type) else "cell"


def read_info(writer: Writer, role: Role) -> list[InfoEntry]:
    """Return the entries of ``info:`` for the agents of a role, each with its function."""
    entries: list[InfoEntry] = []
    for index, item in enumerate(writer.world.spec.info):
        if any(entry.name == item.name for entry in entries):
            writer.report.add("duplicate-name", item.span, name=item.name)
            continue
        parameters = writer.observing(role)
        ctx = new_function(writer, "observe", f"`info: {item.name}`", *parameters)
        ctx.self_ref = writer.observer(role)
        value = evaluate(ctx, item.value)
        if value is None:
            continue
        ctx.emit(ir.Return((value.expr,)))
        key = ("info", role.name, index) if parameters else ("info", index)
        name = define(writer, ctx, key, parameters, f"info[{item.name!r}]")
        entries.append(InfoEntry(item.name, _form(value.type, value.expr), names_of(value.type), name))
    if writer.world.episodes > 1:
        ctx = new_function(writer, "observe", "the episode of the trial")
        ctx.emit(ir.Return((ir.load(writer.episode),)))
        name = define(writer, ctx, ("info", "episode"), (), "info['episode']")
        entries.append(InfoEntry("episode", "int", (), name))
    return entries


@performs(n.Info, Traits(asks_first=True))
def _info(ctx: Context, effect: n.Info) -> None:
    """Emit ``info NAME = value``: the entry is there in the step that set it."""
    value = evaluate(ctx, effect.value)
    if value is None:
        return
    world, writer, name, span = ctx.world, ctx.writer, effect.name, effect.span
    form = _form(value.type, value.expr)
    always = next((item for item in world.spec.info if item.name == name), None)
    if always is not None:
        help = f"`info: {name} = ...` tells it in every step: call one of them otherwise"
        ctx.error(
            "duplicate-name", span.word(name), name=name, labels=[Label(always.span, "first here")], help=help
        )
        return
    help = "a rule about no agent, such as one on `each step`, tells it to all"
    warn_of_nobody(ctx, span, f"`info {name}`", "told", help)
    known = writer.infos.get(name)
    if known is None:
        low, high = int(max(-ir.UNBOUNDED, value.expr.low)), int(min(ir.UNBOUNDED, value.expr.high))
        slot = writer.slot(
            ("INFO", name),
            len(world.agents),
            low,
            high,
            type="real" if form == "real" else "int",
            saved=False,
        )
        known = InfoEntry(name, form, names_of(value.type), "", slot.key)
        writer.scratch(known.flag, len(world.agents))
        writer.infos[name] = known
    elif (known.form, known.words) != (form, names_of(value.type)):
        are_numbers = {known.form, form} == {"int", "real"}
        way = "one of them is a whole number and the other a fraction: `E div 2` is whole, `E / 1` is not"
        expected = f"what `info {name}` is elsewhere"
        ctx.error("type", span, found=str(value.type), expected=expected, help=way if are_numbers else None)
        return
    slot = writer.slots[known.slot]
    if slot.type != "real":
        writer.widen(slot, value.expr)
    subject = ctx.self_ref
    if subject is not None and subject.category == "agent":
        told: list[ir.Expr] = [subject.index]
    else:
        told = [ir.const(index) for index in range(len(world.agents))]
    kept = ctx.let("told", value.expr) if len(told) > 1 else value.expr
    for agent in told:
        ctx.emit(ir.Store(slot, agent, kept))
        ctx.emit(ir.Store(writer.slots[known.flag], agent, ir.const(1)))
