"""Goals: the reward as a function of what was achieved and what is desired, for goal-conditioned learning."""

from __future__ import annotations

from collections.abc import Mapping

from griddsl.lowering.clauses.context import Context, define, new_function
from griddsl.lowering.clauses.meaning import condition, evaluate_number
from griddsl.lowering.clauses.things import resolve_thing
from griddsl.lowering.clauses.whereabouts import agent_ref, cell_of
from griddsl.lowering.rules.settling import settled
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.values import CELL, NUMBER, Value
from griddsl.lowering.world.world import World
from griddsl.program import ir
from griddsl.program.spaces import Leaf
from griddsl.spec.models import Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

NAMES = ("achieved", "desired")


def goal_items(world: World) -> dict[str, n.ObserveItem]:
    """Return the items of ``observe goal`` by name."""
    for observe in world.spec.observe:
        if observe.name == "goal":
            items = [item for item in observe.items if isinstance(item, n.ObserveItem)]
            return {item.name: item for item in items if item.name in NAMES}
    return {}


def bind_goal(ctx: Context) -> None:
    """Let ``achieved`` and ``desired`` mean what the agent's goal entries observe."""
    for name, item in goal_items(ctx.world).items():
        if item.what == "position" and item.value is not None:
            ref = resolve_thing(ctx, item.value)
            if ref is not None:
                ctx.bind(name, Value(CELL, cell_of(ctx, ref)))
        elif item.value is not None:
            value = evaluate_number(ctx, item.value)
            if value is not None:
                ctx.bind(name, Value(NUMBER, value))


def speaks_of_goal(rule: Rule) -> bool:
    """Whether a rule names ``achieved`` or ``desired``."""
    return any(
        isinstance(node, n.Name) and node.name in NAMES
        for node in walk((rule.trigger, rule.condition, rule.chance, rule.effects))
    )


def define_goal_reward(writer: Writer, leaves: Mapping[str, Leaf]) -> Mapping[str, Leaf]:
    """Define ``goal_reward(achieved, desired)`` from the one reward rule that speaks of them."""
    world = writer.world
    if len(leaves) < 2:
        return leaves
    rules = [rule for rule in world.spec.rules if speaks_of_goal(rule)]
    place = world.spec.place("observe")
    if len(rules) != 1:
        help = "such as `each step: reward 0 if distance(achieved, desired) == 0 else -1`"
        reason = (
            f"`observe goal` needs one reward rule that speaks of `achieved` and `desired`; {len(rules)} do"
        )
        writer.report.add("bad-value", place, reason=reason, help=help)
        return leaves
    rule = rules[0]
    rewards = [effect for effect in rule.effects if isinstance(effect, n.Reward) and not effect.hidden]
    if rule.trigger.event not in {"step", "when"} or rule.chance is not None or len(rewards) != 1:
        reason = "the goal's reward rule is `each step` or `when`, without chance, with one `reward`"
        writer.report.add("bad-value", rule.span, reason=reason)
        return leaves
    ctx = new_function(writer, "observe", f"rule `{rule.head}`", *NAMES)
    ctx.self_ref = agent_ref(ctx, ir.const(0))
    for name, item in goal_items(world).items():
        is_cell = item.what == "position"
        low, high = (0, world.cells - 1) if is_cell else (-ir.UNBOUNDED, ir.UNBOUNDED)
        ctx.bind(name, Value(CELL if is_cell else NUMBER, ir.Local(name, "int", low, high)))
    tests = []
    if rule.trigger.event == "when" and rule.trigger.object is not None:
        tests.append(condition(ctx, rule.trigger.object))
    if rule.condition is not None:
        tests.append(condition(ctx, rule.condition))
    value = evaluate_number(ctx, rewards[0].value)
    if value is not None:
        ctx.emit(
            ir.Return((settled(ctx, ir.select(ir.both(*tests), ir.real(value), ir.Const(0.0, "real"))),))
        )
        define(writer, ctx, "goal_reward", NAMES, "The reward for what was achieved, given what is desired.")
    return leaves
