"""Effects: what rules and setup do, as statements of the program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from griddsl.diagnostics import did_you_mean, write
from griddsl.lowering.clauses.carrying import (
    contents_slot,
    empty_hands,
    forgotten,
    leave_behind,
    released,
    spill,
)
from griddsl.lowering.clauses.cells import destination
from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.expressions import start_cell
from griddsl.lowering.clauses.meaning import (
    condition,
    converted,
    evaluate,
    evaluate_as,
    evaluate_number,
    names_of,
)
from griddsl.lowering.clauses.physics import blocks, free_for_object, one_way_allows
from griddsl.lowering.clauses.things import (
    attribute_expr,
    cell_of,
    is_still,
    resolve_thing,
    set_attribute,
    the_agent,
)
from griddsl.lowering.rules.assigned import declared_meant, set_meant
from griddsl.lowering.rules.making import creatures_come, put_object, set_attributes, waits_slot
from griddsl.lowering.rules.performing import perform, performs, subject_of, when_there
from griddsl.lowering.rules.relocation import mark_destination, remove_thing, request_agent, request_thing
from griddsl.lowering.state.writer import Stored, Writer
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import DIRECTION, NUMBER, Kinds, Ref, Truths, Value, Words
from griddsl.lowering.world.world import World, domain_range, domain_type
from griddsl.program import ir
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text


def _is_agent(ctx: Context, name: str) -> bool:
    return name in ctx.world.kinds and ctx.world.kinds[name].category == "agent"


@performs(n.Reward)
def _reward(ctx: Context, effect: n.Reward) -> None:
    match effect.value:
        case n.Arithmetic("+" | "-" as sign, n.Name(name), amount) if (
            _is_agent(ctx, name) and effect.to is None
        ):
            help = write(f"reward {sign}{to_text(amount)} to {name}", place=effect.span)
            found = f"`{name}`, who gets it,"
            ctx.error("type", effect.value.left.span, found=found, expected="a number", help=help)
            return
    value = evaluate_number(ctx, effect.value)
    if value is None:
        return
    world = ctx.world
    recipients = _recipients(ctx, effect)
    value = ctx.let("amount", value) if world.several else value
    if world.several and not effect.hidden and world.spec.rewards != "own":
        _give_and_take(ctx, effect, recipients, value)
        return
    for index in recipients:
        _give(ctx, effect, index, value)


def _give(ctx: Context, effect: n.Reward, index: ir.Expr, value: ir.Expr) -> None:
    """Emit that one agent gets a reward."""
    writer, agents = ctx.writer, len(ctx.world.agents)
    if effect.hidden:
        _add(ctx, writer.slot("HIDDEN_REWARD", agents, type="real", saved=False), index, value)
    elif effect.assigns:
        ctx.emit(
            ir.Store(writer.slot("REWARD_SET", agents, type="real", saved=False), index, ir.as_float(value))
        )
        ctx.emit(ir.Store(writer.scratch("REWARD_IS_SET", agents), index, ir.const(1)))
    else:
        _add(ctx, writer.slot("REWARD", agents, type="real", saved=False), index, value)


def _give_and_take(ctx: Context, effect: n.Reward, winners: list[ir.Expr], value: ir.Expr) -> None:
    """Emit a reward that means something for the others as well; who is out gets none and pays none."""
    world, writer = ctx.world, ctx.writer
    if world.spec.rewards == "zero_sum" and not ctx.pays_itself:
        _take_from_others(ctx, effect, winners, value)
        return
    for winner in winners:
        there, gone = ctx.inner(), ctx.inner()
        _give(there, effect, winner, value)
        if ctx.pays_itself and writer.facts.can_leave:
            _share_out(gone, effect, value)
        ctx.block.extend(ir.when(_takes_part(writer, winner), there.block, gone.block))


def _takes_part(writer: Writer, agent: ir.Expr) -> ir.Expr:
    """Return whether rewards of this step concern an agent: it is in, or went out in this very step."""
    if not writer.facts.can_leave:
        return ir.TRUE
    left = ir.load(writer.scratch("LEFT", len(writer.world.agents)), agent)
    return ir.either(writer.is_in(agent), ir.eq(left, 1))


def _count_taking_part(ctx: Context, agents: list[ir.Expr]) -> ir.Expr:
    """Return how many of some agents take part."""
    total: ir.Expr = ir.const(0)
    for agent in agents:
        total = ir.add(total, ir.as_number(_takes_part(ctx.writer, agent)))
    return ctx.let("getting", total)


def _all_taking_part(ctx: Context) -> ir.Expr:
    """Return how many agents take part."""
    writer, count = ctx.writer, len(ctx.world.agents)
    if not writer.facts.can_leave:
        return ir.const(count)
    if "taking_part" not in writer.functions:
        inner = new_function(writer, "rule", "taking_part")
        doc = "How many agents the rewards of this step concern."
        writer.functions["taking_part"] = ir.function("taking_part", (), inner.block, doc)
        found = inner.variable("found", ir.const(0), 0, count)
        one: ir.Block = [ir.Let(found.name, ir.Op("+", (found, ir.const(1)), "int", 0, count))]
        agent = ir.Local("agent", "int", 0, count - 1)
        counting = ir.when(_takes_part(writer, agent), one)
        inner.emit(ir.For(agent.name, ir.const(0), ir.const(count), counting), ir.Return((found,)))
    return ctx.let("all_in", ir.call("taking_part", low=0, high=count))


def _share_out(ctx: Context, effect: n.Reward, value: ir.Expr) -> None:
    """Emit that what an agent that is out would get, or pay, is dealt among all that take part."""
    writer = ctx.writer
    count = ir.greatest((_all_taking_part(ctx), ir.const(1)))
    share = ctx.let("share", ir.quotient(ir.real(value), count))
    _give_each(ctx, effect, share, lambda agent: _takes_part(writer, agent))


def _give_each(
    ctx: Context, effect: n.Reward, value: ir.Expr, concerns: Callable[[ir.Expr], ir.Expr]
) -> None:
    """Emit that all agents that a test holds for get a reward."""
    world = ctx.world
    agent = ir.Local(ctx.names.fresh("agent"), "int", 0, len(world.agents) - 1)
    inner = ctx.inner()
    _give(inner, effect, agent, value)
    body = ir.when(concerns(agent), inner.block)
    ctx.emit(ir.For(agent.name, ir.const(0), ir.const(len(world.agents)), body))


def _take_from_others(ctx: Context, effect: n.Reward, winners: list[ir.Expr], value: ir.Expr) -> None:
    """Emit that the others pay for a reward in equal shares; where no other takes part, nobody gets it."""
    world, writer = ctx.world, ctx.writer
    if not 0 < len(winners) < len(world.agents):
        return

    def pays(agent: ir.Expr) -> ir.Expr:
        return ir.both(_takes_part(writer, agent), *(ir.ne(agent, winner) for winner in winners))

    getting = _count_taking_part(ctx, winners)
    paying = ctx.let("paying", ir.sub(_all_taking_part(ctx), getting))
    inner = ctx.inner()
    for winner in winners:
        given = inner.inner()
        _give(given, effect, winner, value)
        inner.block.extend(ir.when(_takes_part(writer, winner), given.block))
    owed = ir.mul(ir.real(value), ir.sub(ir.const(0), getting))
    share = inner.let("share", ir.quotient(owed, ir.within(paying, 1, len(world.agents))))
    _give_each(inner, effect, share, pays)
    ctx.block.extend(ir.when(ir.compare(">", paying, ir.const(0)), inner.block))


def _add(ctx: Context, slot: ir.Slot, index: ir.Expr, value: ir.Expr) -> None:
    old = ir.load(slot, index)
    ctx.emit(ir.Store(slot, index, ir.Op("+", (old, ir.real(value)), "real", -ir.UNBOUNDED, ir.UNBOUNDED)))


def _recipients(ctx: Context, effect: n.Reward) -> list[ir.Expr]:
    agents = ctx.world.agents
    if effect.to == "other":
        other = resolve_thing(ctx, n.Name("other", effect.span))
        return [] if other is None else [other.index]
    if effect.to is not None:
        if effect.to == "self" and ctx.self_ref is not None:
            return [ctx.self_ref.index]
        bound = ctx.scope.get(effect.to)
        if isinstance(bound, Ref) and bound.category == "agent":
            return [bound.index]
        named = [ir.const(i) for i, kind in enumerate(agents) if effect.to in {kind.name, "agent"}]
        if not named:
            ctx.error(
                "unknown-name",
                effect.span,
                where=ctx.where,
                name=effect.to,
                help=did_you_mean(effect.to, [k.name for k in agents]),
            )
        return list(named)
    if ctx.self_ref is not None and ctx.self_ref.category == "agent":
        return [ctx.self_ref.index]
    return [ir.const(i) for i in range(len(agents))]


@performs(n.End)
def _end(ctx: Context, effect: n.End) -> None:
    world, writer = ctx.world, ctx.writer
    name = effect.outcome or "end"
    if name not in writer.outcomes:
        writer.outcomes.append(name)
    ended = writer.scratch("ENDED")
    outcome = writer.scratch("OUTCOME", 1, 0, 1000)
    code = writer.outcomes.index(name) + 1
    store = ir.Store(outcome, ir.const(0), ir.const(code))
    if len(_outcomes(world)) > 1:
        ctx.emit(ir.If(ir.eq(ir.load(ended), 0), [store], []))
    else:
        ctx.emit(store)
    ctx.emit(ir.Store(ended, ir.const(0), ir.const(1)))


def _outcomes(world: World) -> set[str]:
    """Return the outcomes that an episode can end with: those of rules, of `out`, and of an illegal action."""
    found = {"illegal"} if world.spec.illegal == "end" and world.spec.allow else set()
    for node in walk([rule.effects for rule in world.spec.rules]):
        if isinstance(node, n.End):
            found.add(node.outcome or "end")
        elif isinstance(node, n.Out) and not world.several:
            found.add("out")
    return found


@performs(n.Truncate)
def _truncate(ctx: Context, effect: n.Truncate) -> None:
    ctx.emit(ir.Store(ctx.writer.scratch("TRUNCATED"), ir.const(0), ir.const(1)))


@performs(n.Out)
def _out(ctx: Context, effect: n.Out) -> None:
    world, writer = ctx.world, ctx.writer
    if not world.several:
        _end(ctx, n.End("out", effect.span))
        return
    agent = the_agent(ctx, effect.span)
    gone = ctx.inner()
    gone.emit(
        ir.Store(writer.out, agent.index, ir.const(1)),
        ir.Store(writer.scratch("LEFT", len(world.agents)), agent.index, ir.const(1)),
    )
    leave_behind(gone, agent.index)
    ctx.emit(ir.If(writer.is_in(agent.index), gone.block, []))


@performs(n.Cancel)
def _cancel(ctx: Context, effect: n.Cancel) -> None:
    if ctx.stage != "act":
        ctx.error(
            "wrong-place",
            effect.span,
            what="`cancel`",
            where="here: it stops an action in `on act` and `on do` rules",
        )
        return
    ctx.emit(ir.Store(ctx.writer.scratch("CANCELLED"), ir.const(0), ir.const(1)))


@performs(n.Go)
def _go(ctx: Context, effect: n.Go) -> None:
    _relocate(ctx, subject_of(ctx, effect.span), effect.destination, effect.span)


@performs(n.Move)
def _move(ctx: Context, effect: n.Move) -> None:
    ref = resolve_thing(ctx, effect.subject)
    if ref is not None:
        when_there(ctx, ref, lambda inner, there: _move_thing(inner, there, effect))


def _move_thing(ctx: Context, ref: Ref, effect: n.Move) -> None:
    if ref.category == "tile":
        ctx.error(
            "type",
            effect.subject.span,
            found=f"the tile `{ref.kind.name}`",
            expected="an object or an agent",
            help=f"declare `object {ref.kind.name}:` to let it move",
        )
        return
    if effect.destination is not None:
        _relocate(ctx, ref, effect.destination, effect.span)
        return
    assert effect.direction is not None
    direction = _direction(ctx, effect.direction, ref)
    if direction is None:
        return
    here = ctx.let("here", cell_of(ctx, ref))
    if here.low < 0:
        # What is carried is on no cell, and goes nowhere.
        outside, ctx = ctx, ctx.inner()
        outside.block.append(ir.If(ir.ge(here, 0), ctx.block, []))
        here = ir.within(here, 0, here.high)
    target = ctx.let("target", ctx.writer.next_cell(here, direction))
    free = (
        ir.invert(blocks(ctx, target, "solid"))
        if ref.category == "agent"
        else free_for_object(ctx, target, ref.kind.layer)
    )
    free = ir.both(free, one_way_allows(ctx, target, direction))
    inner = ctx.inner()
    _request(inner, ref, target)
    ctx.block.extend(ir.when(ir.both(ir.ge(target, 0), free), inner.block))


def _direction(ctx: Context, node: Any, ref: Ref) -> ir.Expr | None:
    if isinstance(node, n.Name) and node.name in {"forward", "backward"} and ref.category == "agent":
        facing = ir.load(ctx.writer.facing, ref.index)
        turn = 0 if node.name == "forward" else 2
        return facing if turn == 0 else ctx.writer.turned(facing, ir.const(2))
    return evaluate_as(ctx, node, DIRECTION)


def _relocate(ctx: Context, ref: Ref, node: Any, span: Span) -> None:
    if isinstance(node, n.Name) and node.name == "start" and ctx.stage != "setup":
        cell: ir.Expr | None = start_cell(ctx, ref)  # its own, whatever the rule's subject is
    else:
        cell = destination(ctx, node, ref.kind, f"`{ref.kind.name}`")
    if cell is None:
        return
    cell = ctx.let("target", cell)
    inner = ctx.inner()
    _request(inner, ref, cell)
    if ref == ctx.self_ref:
        mark_destination(inner, ref, cell)
    test = ir.ge(cell, 0) if cell.low < 0 else ir.TRUE
    ctx.block.extend(ir.when(test, inner.block))


def _request(ctx: Context, ref: Ref, cell: ir.Expr) -> None:
    if ref.category == "agent":
        request_agent(ctx, ref.index, cell)
    else:
        request_thing(ctx, ref, cell)


@performs(n.Turn)
def _turn(ctx: Context, effect: n.Turn) -> None:
    subject = subject_of(ctx, effect.span)
    if subject.category == "object":
        facing = n.Attribute(n.Name("self", effect.span), "facing", effect.span)
        _assign_attribute(ctx, facing, "=", effect.direction, effect.span)
        return
    if not ctx.writer.facts.has_facing:
        ctx.error(
            "no-facing",
            effect.span,
            help="the actions `turn_left`, `turn_right` and `forward` bring one, or `agent: facing`",
        )
        return
    direction = evaluate_as(ctx, effect.direction, DIRECTION)
    if direction is not None:
        ctx.emit(ir.Store(ctx.writer.facing, subject_of(ctx, effect.span).index, direction))


# becomes, =, += and -=


@performs(n.Becomes)
def _becomes(ctx: Context, effect: n.Becomes) -> None:
    variable = _variable_of(ctx, effect.target)
    if variable is not None:
        _assign_variable(ctx, variable, "=", effect.value, effect.span)
        return
    if isinstance(effect.target, n.Attribute):
        _assign_attribute(ctx, effect.target, "=", effect.value, effect.span)
        return
    ref = resolve_thing(ctx, effect.target)
    if ref is not None:
        when_there(ctx, ref, lambda inner, there: _thing_becomes(inner, there, effect))


def _variable_of(ctx: Context, node: Any) -> Stored | None:
    if isinstance(node, n.Name) and not isinstance(ctx.scope.get(node.name), Ref):
        return ctx.writer.variables.get(node.name)
    return None


def _thing_becomes(ctx: Context, ref: Ref, effect: n.Becomes) -> None:
    value = effect.value
    kind = ref.kind
    if isinstance(value, n.Name) and value.name not in ctx.scope:
        holders = [name for name, a in kind.attributes.items() if value.name in a.domain.words]
        if len(holders) > 1:
            help = "say which: " + " or ".join(
                f"`{kind.name}.{name} becomes {value.name}`" for name in holders
            )
            ctx.error("ambiguous", value.span, name=value.name, count=len(holders), help=help)
            return
        if holders:
            words = kind.attributes[holders[0]].domain.words
            _set_if_still(ctx, ref, holders[0], ir.const(words.index(value.name)))
            return
        if value.name in kind.attributes and kind.attributes[value.name].domain.form == "bool":
            _set_if_still(ctx, ref, value.name, ir.const(1))
            return
    if isinstance(value, n.Name | n.Pattern) and value.name in ctx.world.kinds:
        _change_kind(ctx, ref, ctx.world.kinds[value.name], value)
        return
    if isinstance(value, n.Not) and isinstance(value.value, n.Name):
        undone = kind.attributes.get(value.value.name)
        if undone is not None and undone.domain.form == "bool":
            help = write(f"{kind.name}.{value.value.name} = false", place=effect.span)
            ctx.error(
                "type", value.span, found="`not`", expected=f"a word of `{kind.name}`, or a kind", help=help
            )
            return
    given = evaluate(ctx, value)
    if given is None:
        return
    if isinstance(given.type, Words):
        for name, attribute in kind.attributes.items():
            if set(given.type.words) <= set(attribute.domain.words):
                code = converted(ctx, given, domain_type(attribute.domain), value.span)
                if code is not None:
                    _set_if_still(ctx, ref, name, code)
                return
    if isinstance(given.type, Kinds):
        _become_one_of(ctx, ref, given)
        return
    own_words = [word for a in kind.attributes.values() for word in a.domain.words]
    ctx.error(
        "type",
        value.span,
        found=str(given.type),
        expected=f"a word of `{kind.name}`, or a kind",
        help=f"its words: {', '.join(own_words)}" if own_words else None,
    )


def _become_one_of(ctx: Context, ref: Ref, given: Value) -> None:
    for index, name in enumerate(names_of(given.type)):
        inner = ctx.inner()
        _change_kind(inner, ref, ctx.world.kinds[name], n.Name(name, ctx.world.kinds[name].span))
        ctx.block.extend(ir.when(ir.eq(given.expr, index), inner.block))


def _change_kind(ctx: Context, ref: Ref, kind: Kind, node: Any) -> None:
    """Let a tile become another tile, an object another object (or, if a tile's name, make way for it)."""
    world, writer = ctx.world, ctx.writer
    if ref.category == "agent" or kind.category == "agent":
        ctx.error("type", node.span, found=f"`{kind.name}`", expected=f"another kind of {ref.category}")
        return
    if ref.category == "tile":
        if kind.category != "tile":
            cell = ctx.let("cell", ref.index)
            ctx.emit(ir.Store(writer.tile_slot, cell, ir.const(world.kinds["floor"].code)))
            put_object(ctx, kind, cell, dict(node.arguments) if isinstance(node, n.Pattern) else {})
            return
        ctx.emit(ir.Store(writer.tile_slot, ref.index, ir.const(kind.code)))
        set_attributes(ctx, Ref(kind, ref.index), node)
        return
    if kind.category == "tile":
        cell = ctx.let("cell", cell_of(ctx, ref))
        remove_thing(ctx, ref)
        if kind.name != "floor":
            inner = ctx.inner()
            inner.emit(ir.Store(writer.tile_slot, cell, ir.const(kind.code)))
            set_attributes(inner, Ref(kind, cell), node)
            ctx.block.extend(ir.when(ir.ge(cell, 0), inner.block))
        return
    inner = ctx.inner()
    _become_object(inner, ref, kind, node)
    ctx.block.extend(ir.when(ir.ge(ref.index, 0), inner.block))


def _become_object(ctx: Context, ref: Ref, kind: Kind, node: Any) -> None:
    """Let an object become one of another kind, on that one's layer, where that is free."""
    world, writer = ctx.world, ctx.writer
    cell = ctx.let("cell", cell_of(ctx, ref))
    changed = ctx.inner()
    if kind.layer != ref.kind.layer:
        moved: ir.Block = [
            ir.Store(writer.layer_slot(ref.kind.layer), cell, ir.const(-1)),
            ir.Store(writer.layer_slot(kind.layer), cell, ref.index),
        ]
        changed.emit(ir.If(ir.ge(cell, 0), moved, []))
    changed.emit(ir.Store(writer.object_slot("KIND"), ref.index, ir.const(kind.code)))
    if kind.moves is not None and ref.kind.moves is None and creatures_come(world):
        changed.emit(ir.Store(waits_slot(writer), ref.index, ir.const(1)))
    if kind.carries and not ref.kind.carries:
        empty_hands(changed, Ref(kind, ref.index))
    set_attributes(changed, Ref(kind, ref.index), node)
    if ref.kind.carries and not kind.carries:
        _make_way(changed, Ref(kind, ref.index), ref)
    free: ir.Expr = ir.TRUE
    if kind.layer != ref.kind.layer:
        free = ir.either(ir.lt(cell, 0), ir.lt(ir.load(writer.layer_slot(kind.layer), cell), 0))
    ctx.block.extend(ir.when(free, changed.block))


def _make_way(ctx: Context, ref: Ref, holder: Ref) -> None:
    """Let what a holder carried take the place of what it became; that stays where both find room."""
    writer = ctx.writer
    slot, most = contents_slot(writer)
    first = holder.index if most == 1 else ir.mul(holder.index, ir.const(most))
    cell = ctx.let("cell", cell_of(ctx, ref))
    layer = writer.layer_slot(ref.kind.layer)
    full = ctx.inner()
    hand = full.variable("hand", ir.const(-1), -1, ir.UNBOUNDED)
    on_map: ir.Block = [ir.Store(layer, cell, ir.const(-1))]
    full.emit(ir.If(ir.ge(cell, 0), on_map, [ir.Let(hand.name, released(writer, ref.index))]))
    spill(full, holder, cell, hand)
    stays: ir.Block = [ir.Store(layer, cell, ref.index)]
    gone: ir.Block = [
        ir.Store(writer.object_slot("CELL"), ref.index, ir.const(-1)),
        *forgotten(writer, ref.index),
    ]
    room = ir.both(ir.ge(cell, 0), ir.lt(ir.load(layer, cell), 0))
    full.block.extend(ir.when(room, stays, gone))
    ctx.block.extend(ir.when(ir.ge(ir.load(slot, first), 0), full.block))


@performs(n.Assign)
def _assign(ctx: Context, effect: n.Assign) -> None:
    if isinstance(effect.target, n.Attribute):
        _assign_attribute(ctx, effect.target, effect.operator, effect.value, effect.span)
        return
    variable = _variable_of(ctx, effect.target)
    if variable is not None:
        _assign_variable(ctx, variable, effect.operator, effect.value, effect.span)
        return
    name = getattr(effect.target, "name", "this")
    if name in ctx.scope or name in ctx.world.params or name in ctx.world.kinds:
        what = (
            "a parameter"
            if name in ctx.world.params
            else "a kind"
            if name in ctx.world.kinds
            else "a chosen name"
        )
        ctx.error(
            "type",
            effect.target.span,
            found=f"`{name}`, {what},",
            expected="a variable",
            help=set_meant(ctx, effect),
        )
        return
    ctx.error(
        "unknown-name", effect.target.span, where=ctx.where, name=name, help=declared_meant(ctx, effect)
    )


def _assign_variable(ctx: Context, variable: Stored, operator: str, node: Any, span: Span) -> None:
    value = evaluate_as(ctx, node, variable.type)
    if value is None:
        return
    if variable.domain is None:
        ctx.error(
            "wrong-place",
            span,
            what=f"`{variable.name}`, a chosen name,",
            where="here: only variables change",
        )
        return
    low, high = domain_range(variable.domain)
    value = _new_value(
        ctx, value, ir.load(variable.slot), operator, variable.name, low, high, variable.type, node, span
    )
    if value is not None:
        ctx.emit(ir.Store(variable.slot, ir.const(0), value))


def _assign_attribute(ctx: Context, target: n.Attribute, operator: str, node: Any, span: Span) -> None:
    ref = resolve_thing(ctx, target.owner)
    if ref is None:
        return
    if ref.category == "agent" and target.name == "facing":
        _turn(ctx, n.Turn(node, span))
        return
    attribute = ref.kind.attributes.get(target.name)
    if attribute is None:
        help: str | None = did_you_mean(target.name, ref.kind.attributes)
        declared = ref.category if ref.kind.name == ref.category else f"{ref.category} {ref.kind.name}"
        domain = f"{node.name} | other" if isinstance(node, n.Name) else "0..9"
        help = help or f"declare it, as in `{declared}: {target.name} in {domain}`"
        if target.name in {"reward", "score", "points"} and ref.category == "agent":
            help = "a reward is given by `reward 1`"
        if target.name in ctx.writer.variables:
            help = write(target.name, ": it is a variable of the game", place=target.span)
        ctx.error(
            "unknown-attribute",
            target.span.word(target.name),
            kind=ref.kind.name,
            name=target.name,
            help=help,
        )
        return
    type = domain_type(attribute.domain)
    value = evaluate_as(ctx, node, type)
    if value is None:
        return
    low, high = domain_range(attribute.domain)
    name = f"{ref.kind.name}.{target.name}"
    old = attribute_expr(ctx, ref, target.name)
    value = _new_value(ctx, value, old, operator, name, low, high, type, node, span)
    if value is not None:
        when_there(ctx, ref, lambda inner, there: _set_if_still(inner, there, target.name, value))


def _set_if_still(ctx: Context, ref: Ref, name: str, value: ir.Expr) -> None:
    """Emit the assignment of an attribute, unless what was named is gone or of another kind by now."""
    inner = ctx.inner()
    set_attribute(inner, ref, name, value)
    ctx.block.extend(ir.when(is_still(ctx, ref), inner.block))


def _new_value(
    ctx: Context,
    value: ir.Expr,
    old: ir.Expr,
    operator: str,
    name: str,
    low: int,
    high: int,
    type: Any,
    node: Any,
    span: Span,
) -> ir.Expr | None:
    """Return what is stored: the operator applied, and numbers clamped into the domain."""
    if type != NUMBER:
        if operator != "=":
            ctx.error(
                "type", span, found=f"`{operator}`", expected="`=`, or `becomes`: only numbers are added"
            )
            return None
        return ir.as_number(value) if isinstance(type, Truths) else value
    if value.type == "real":
        ctx.error("fraction", node.span, name=name, help="use `div`, or whole numbers")
        return None
    if operator != "=":
        value = ir.add(old, value) if operator == "+=" else ir.sub(old, value)
    if value.low > high or value.high < low:
        shown = f"{value.low:g}" if value.low == value.high else f"{value.low:g}..{value.high:g}"
        help = f"numbers stop at the ends of their range: write one from {low} to {high}"
        ctx.error("never-in-range", node.span, name=name, domain=f"{low}..{high}", value=shown, help=help)
        return None
    return ir.clamp(value, low, high)


@performs(n.If)
def _if(ctx: Context, effect: n.If) -> None:
    """Emit the branches; each condition is decided only where those before it failed."""
    _branches(ctx, effect.branches)


def _branches(ctx: Context, branches: tuple[tuple[Any, tuple[n.Effect, ...]], ...]) -> None:
    if not branches:
        return
    test_node, effects = branches[0]
    taken = ctx.inner()
    if test_node is None:
        perform(taken, effects)
        ctx.block.extend(taken.block)
        return
    probe = ctx.inner()
    test = condition(probe, test_node, binds=True)
    ctx.block.extend(probe.block)
    taken = ctx.inner(scope=probe.scope)
    perform(taken, effects)
    otherwise = ctx.inner()
    _branches(otherwise, branches[1:])
    ctx.block.extend(ir.when(test, taken.block, otherwise.block))
