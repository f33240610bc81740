"""Timing: the rules that run before the action is carried out, and those that run after all moves."""

from __future__ import annotations

from collections.abc import Callable

from griddsl.lowering.clauses.attributes import matches
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import condition, evaluate_number
from griddsl.lowering.clauses.things import for_each, objects_end
from griddsl.lowering.effects.relocation import settle
from griddsl.lowering.facts.sent import BEFORE_THE_ACTION, rounds_go_alone, settles
from griddsl.lowering.rules.acts import begin_act
from griddsl.lowering.rules.coming import may_come, with_what_hears
from griddsl.lowering.rules.events import run_rules
from griddsl.lowering.rules.given import bind_arguments, is_chosen, places_of
from griddsl.lowering.rules.keeping import most_turns, turn_of
from griddsl.lowering.rules.legality import action_named
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import Role
from griddsl.program import ir
from griddsl.spec.models import Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import TIMED


def rules_before(ctx: Context, role: Role, actions: list[ir.Local], agent: Ref) -> None:
    """Emit ``on act`` and ``on do``: one event, rules in file order."""
    world, writer = ctx.world, ctx.writer
    rules = [(i, rule) for i, rule in enumerate(world.spec.rules) if rule.trigger.event in BEFORE_THE_ACTION]
    if not rules:
        return

    def test_of(inner: Context, rule: Rule) -> ir.Expr:
        inner.self_ref = agent
        if rule.trigger.event == "act":
            return ir.TRUE
        wanted = rule.trigger.named
        action_named(inner, wanted.name, wanted.span)
        named = [action for action in role.actions if action.name == wanted.name]
        for action in named:
            bind_arguments(inner, action, places_of(inner, action, actions))
        if not named:
            _bind_nothing(inner, wanted.name)
        return ir.either(*(is_chosen(action, actions[action.group]) for action in named))

    begin_act(ctx)
    inner = ctx.inner(stage="act", block=ctx.block)
    run_rules(writer, inner, rules, test_of)
    if any(settles(world, rule.effects) for _, rule in rules):
        settle(ctx)


def _bind_nothing(ctx: Context, name: str) -> None:
    """Let what an action takes mean something where the rule is read for agents that have no such action."""
    action = next((each for each in ctx.world.actions if each.name == name), None)
    if action is not None:
        bind_arguments(ctx, action, [ir.const(0)] * len(action.arguments))


def rules_after(ctx: Context) -> None:
    """Emit ``each``, ``every`` and ``when`` rules, in file order, each seeing what those above did."""
    world, writer = ctx.world, ctx.writer
    ctx = ctx.inner(block=ctx.block, scope=ctx.scope, settles_rounds=True)
    for index, rule in enumerate(world.spec.rules):
        if rule.trigger.event not in TIMED:
            continue
        sends, alone = settles(world, rule.effects), rounds_go_alone(world, rule)
        if sends:
            begin_act(ctx)
        inner = ctx.inner(block=ctx.block, scope=ctx.scope, goes_alone=alone)
        if rule.trigger.event == "each":
            _each_kind(inner, index, rule)
        else:
            run_rules(writer, inner, [(index, rule)], _test_after)
        if sends and not alone:
            settle(ctx)


def _test_after(ctx: Context, rule: Rule) -> ir.Expr:
    writer = ctx.writer
    match rule.trigger.event:
        case "every":
            steps = rule.trigger.object
            count = None if steps is None else evaluate_number(ctx, steps)
            if steps is None or count is None:
                return ir.FALSE
            if count.low < 1 or count.type != "int":
                ctx.error(
                    "bad-value",
                    steps.span,
                    reason="`every N steps` needs a whole number, 1 or more",
                )
                return ir.FALSE
            return ir.eq(ir.mod(ir.load(writer.step), count), 0)
        case "when" if rule.trigger.object is not None:
            return condition(ctx, rule.trigger.object, binds=True)
    return ir.TRUE


def _each_kind(ctx: Context, index: int, rule: Rule) -> None:
    node = rule.trigger.named
    kind: Kind | None = ctx.world.kinds.get(node.name)
    if kind is None:
        return
    attributes = dict(node.arguments) if isinstance(node, n.Pattern) else {}

    def body(inner: Context, ref: Ref) -> None:
        def test_of(deeper: Context, _: Rule) -> ir.Expr:
            deeper.bind(kind.name, ref)
            deeper.self_ref = ref
            return matches(deeper, ref, attributes)

        run_rules(ctx.writer, inner, [(index, rule)], test_of)

    if may_come(ctx.world, with_what_hears(ctx.world, rule.effects), kind):
        _each_of_those_there(ctx, kind, body)
    else:
        for_each(ctx, kind, body, acts=True)


def _each_of_those_there(ctx: Context, kind: Kind, body: Callable[[Context, Ref], None]) -> None:
    """Emit a loop over the things of a kind that are there now; what the rule makes waits for the next step."""
    world, writer = ctx.world, ctx.writer
    size = world.cells if kind.category == "tile" else writer.facts.capacity
    there = writer.scratch("THERE", max(world.cells, writer.facts.capacity), 0, most_turns(world))

    def mark(inner: Context, ref: Ref) -> None:
        inner.emit(ir.Store(there, ref.index, turn_of(inner, ref)))

    def marked(inner: Context, ref: Ref) -> None:
        deeper = inner.inner()
        body(deeper, ref)
        is_due = ir.eq(ir.load(there, ref.index), turn_of(inner, ref))
        inner.block.extend(ir.when(is_due, deeper.block))

    index = ir.Local(ctx.names.fresh("i"), "int", 0, size - 1)
    end = ir.const(size) if kind.category == "tile" else objects_end(ctx)
    ctx.emit(ir.For(index.name, ir.const(0), end, [ir.Store(there, index, ir.const(0))]))
    for_each(ctx, kind, mark, acts=True)
    for_each(ctx, kind, marked, acts=True)
