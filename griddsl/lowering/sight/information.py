"""Information: the entries of ``info``, and the values that a rule puts there for one step."""

from __future__ import annotations

from griddsl.lowering.clauses.context import Context, define, new_function
from griddsl.lowering.clauses.meaning import evaluate, names_of
from griddsl.lowering.clauses.things import agent_ref
from griddsl.lowering.rules.performing import performs
from griddsl.lowering.world.values import NUMBER, TRUTH, ValueType, in_capitals
from griddsl.lowering.world.world import World
from griddsl.program import ir
from griddsl.program.program import InfoEntry
from griddsl.syntax import nodes as n


def _form(type: ValueType, expr: ir.Expr) -> str:
    if type == TRUTH:
        return "bool"
    if type == NUMBER:
        return "real" if expr.type == "real" else "int"
    return "words" if names_of(type) else "cell"


def read_info(world: World) -> list[InfoEntry]:
    """Return the entries of ``info:``, each with its function."""
    entries: list[InfoEntry] = []
    for index, item in enumerate(world.spec.info):
        if any(entry.name == item.name for entry in entries):
            world.report.add("duplicate-name", item.span, name=item.name)
            continue
        ctx = new_function(world, "observe", f"`info: {item.name}`")
        ctx.self_ref = agent_ref(ctx, ir.const(0))
        value = evaluate(ctx, item.value)
        if value is None:
            continue
        ctx.emit(ir.Return((value.expr,)))
        name = define(world, ctx, f"info_{index}", (), f"info[{item.name!r}]")
        entries.append(InfoEntry(item.name, _form(value.type, value.expr), names_of(value.type), name))
    return entries


@performs(n.Info)
def _info(ctx: Context, effect: n.Info) -> None:
    """Emit ``info NAME = value``: the entry is there in the step that set it."""
    value = evaluate(ctx, effect.value)
    if value is None:
        return
    world, name, span = ctx.world, effect.name, effect.span
    form = _form(value.type, value.expr)
    known = world.infos.get(name)
    if known is None:
        low, high = int(max(-ir.UNBOUNDED, value.expr.low)), int(min(ir.UNBOUNDED, value.expr.high))
        slot = world.slot(
            _slot_name(name), 1, low, high, type="real" if form == "real" else "int", saved=False
        )
        world.scratch(f"{_slot_name(name)}_IS_SET")
        known = InfoEntry(name, form, names_of(value.type), "", slot.name)
        world.infos[name] = known
    elif (known.form, known.words) != (form, names_of(value.type)):
        ctx.error("type", span, found=str(value.type), expected=f"what `info {name}` is elsewhere")
        return
    slot = world.slots[_slot_name(name)]
    ctx.emit(ir.Store(slot, ir.const(0), value.expr))
    ctx.emit(ir.Store(world.slots[f"{_slot_name(name)}_IS_SET"], ir.const(0), ir.const(1)))


def _slot_name(name: str) -> str:
    """Return the name of an entry's slot, so that no entry's is that of another's flag."""
    return f"INFO_{in_capitals(name)}" + ("_VALUE" if name.endswith("_is_set") else "")
