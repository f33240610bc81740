"""Timing: the rules that run before the action is carried out, and those that run after all moves."""

from __future__ import annotations

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.legality import action_named
from griddsl.lowering.clauses.meaning import condition, evaluate_number
from griddsl.lowering.clauses.things import for_each, matches
from griddsl.lowering.rules.events import begin_act, run_rules
from griddsl.lowering.rules.performing import settles
from griddsl.lowering.rules.relocation import settle
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import Ref
from griddsl.program import ir
from griddsl.spec.models import Rule
from griddsl.syntax import nodes as n


def rules_before(ctx: Context, actions: list[ir.Local], agent: Ref) -> None:
    """Emit ``on act`` and ``on do``: one event, rules in file order."""
    world = ctx.world
    rules = [(i, rule) for i, rule in enumerate(world.spec.rules) if rule.trigger.event in {"act", "do"}]
    if not rules:
        return

    def test_of(inner: Context, rule: Rule) -> ir.Expr:
        inner.self_ref = agent
        if rule.trigger.event == "act":
            return ir.TRUE
        action = action_named(inner, rule.trigger.object.name, rule.trigger.object.span)
        return ir.FALSE if action is None else ir.eq(actions[action.group], action.number)

    begin_act(ctx)
    inner = ctx.inner(stage="act", block=ctx.block)
    run_rules(world, inner, rules, test_of)
    if any(settles(rule.effects) for _, rule in rules):
        settle(ctx)


def rules_after(ctx: Context) -> None:
    """Emit ``each``, ``every`` and ``when`` rules, in file order, each seeing what those above did."""
    world = ctx.world
    for index, rule in enumerate(world.spec.rules):
        if rule.trigger.event not in {"step", "every", "each", "when"}:
            continue
        if settles(rule.effects):
            begin_act(ctx)
        if rule.trigger.event == "each":
            _each_kind(ctx, index, rule)
        else:
            run_rules(world, ctx, [(index, rule)], _test_after)
        if settles(rule.effects):
            settle(ctx)


def _test_after(ctx: Context, rule: Rule) -> ir.Expr:
    world = ctx.world
    match rule.trigger.event:
        case "every":
            count = evaluate_number(ctx, rule.trigger.object)
            if count is None:
                return ir.FALSE
            if count.low < 1 or count.type != "int":
                ctx.error(
                    "bad-value",
                    rule.trigger.object.span,
                    reason="`every N steps` needs a whole number, 1 or more",
                )
                return ir.FALSE
            return ir.eq(ir.mod(ir.load(world.step), count), 0)
        case "when":
            return condition(ctx, rule.trigger.object, binds=True)
    return ir.TRUE


def _each_kind(ctx: Context, index: int, rule: Rule) -> None:
    node = rule.trigger.object
    kind: Kind | None = ctx.world.kinds.get(node.name)
    if kind is None:
        return
    attributes = dict(node.arguments) if isinstance(node, n.Pattern) else {}

    def body(inner: Context, ref: Ref) -> None:
        def test_of(deeper: Context, _: Rule) -> ir.Expr:
            deeper.bind(kind.name, ref)
            deeper.self_ref = ref
            return matches(deeper, ref, attributes)

        run_rules(ctx.world, inner, [(index, rule)], test_of)

    for_each(ctx, kind, body, on_map=True)
