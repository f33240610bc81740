"""Events: the functions that run the rules of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from griddsl.diagnostics import did_you_mean
from griddsl.lowering.clauses.attributes import matches
from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.meaning import condition, drawn, evaluate_chance
from griddsl.lowering.clauses.unknown.names import report_unknown
from griddsl.lowering.clauses.whereabouts import agent_ref, kind_code_of
from griddsl.lowering.conditions.finding import found_in_cell
from griddsl.lowering.conditions.logic import nested_test
from griddsl.lowering.facts.sent import CELL_EVENTS, RAISED
from griddsl.lowering.rules.acts import once_an_act
from griddsl.lowering.rules.goals import bind_goal, speaks_of_goal
from griddsl.lowering.rules.hearing import Event, event
from griddsl.lowering.rules.keeping import (
    changes_kinds,
    may_replace,
    refresh,
    with_names_kept,
)
from griddsl.lowering.rules.legality import actions_named
from griddsl.lowering.rules.performing import perform
from griddsl.lowering.rules.stopping import can_stop
from griddsl.lowering.state.neighbours import THIN_WALL
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.kinds import Kind, who_stands
from griddsl.lowering.world.maps.patterns import values_given
from griddsl.lowering.world.values import Ref
from griddsl.program import ir
from griddsl.spec.models import Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text


def check_subjects(writer: Writer) -> None:
    """Report triggers whose kinds are not declared, or are of no use there."""
    world = writer.world
    for rule in world.spec.rules:
        trigger = rule.trigger
        if world.nowhere and trigger.event in _OF_PLACES:
            _check_nowhere(writer, trigger)
        for node in (trigger.subject, trigger.object):
            if trigger.event in {"step", "every", "when", "act", "do", "fail"} or not isinstance(
                node, n.KindName
            ):
                continue
            if node.name == "edge" and trigger.event == "bump":
                continue
            ctx = Context(writer, [], ir.Names(), "rule", _where(rule))
            if node.name in world.regions:
                help = f"a region is no kind; `when agent on {node.name}` fires in each step that ends there"
                ctx.error("type", node.span, found=f"the region `{node.name}`", expected="a kind", help=help)
            elif ctx.world.kinds.get(node.name) is None:
                report_unknown(ctx, node.name, node.span, is_kind=True)
            elif node is trigger.object:
                _check_category(writer, trigger, node)
            if trigger.event == "meet" and getattr(ctx.world.kinds.get(node.name), "category", "") == "tile":
                ground = ctx.world.kinds[node.name]
                who = "" if trigger.subject is None else f"{to_text(trigger.subject)} "
                is_barred = ground.solid is not None and ground.solid.word == "always"
                event, word = ("bump", "bumped into") if is_barred else ("enter", "entered")
                help = f"ground is {word}: `on {who}{event} {node.name}`; or declare `object {node.name}:`"
                ctx.error(
                    "type", node.span, found=f"the tile `{node.name}`", expected="who can meet", help=help
                )


# What happens to who stands in a cell, and goes to another.
_OF_PLACES = frozenset({"enter", "leave", "bump", "push", "pickup", "drop", "toggle", "meet"})


def _check_nowhere(writer: Writer, trigger: n.Trigger) -> None:
    """Report a trigger that waits for agents to move, or to be met, where they stand nowhere."""
    agents = {kind.name for kind in writer.world.kinds.values() if kind.category == "agent"}
    subject, met = (getattr(node, "name", None) for node in (trigger.subject, trigger.object))
    if subject is None or subject in agents or (trigger.event == "meet" and met in agents):
        who = who_stands(writer.world.several)
        help = "`on do ACTION: ...` says what an action does; without `nowhere` an agent stands in a cell and can move"
        what = f"`{to_text(trigger)}` waits for who stands somewhere"
        writer.report.add("nowhere", trigger.span, what=what, who=who, help=help)


def _check_category(writer: Writer, trigger: n.Trigger, node: n.KindName) -> None:
    category = writer.world.kinds[node.name].category
    needs_object = trigger.event in {"push", "pickup", "drop"}
    if needs_object and category != "object":
        declared = any(kind.name == node.name for kind in writer.world.spec.kinds)
        objects = [kind.name for kind in writer.world.kinds.values() if kind.category == "object"]
        meant = None if declared else did_you_mean(node.name, objects)
        writer.report.add(
            "type",
            node.span,
            found=f"a kind of {category}",
            expected="an object",
            help=meant
            or f"only objects raise `{trigger.event}`: declare "
            f"`object {node.name}: {'pushable' if trigger.event == 'push' else 'portable'}`",
        )


def _where(rule: Rule) -> str:
    return f"rule `{rule.head}`"


def raise_event(ctx: Context, name: str, subject: Ref, *values: ir.Expr) -> None:
    """Emit the call that runs the rules of an event, where there are any."""
    raise_found(ctx, event(ctx.world, name, subject.category == "object"), subject, *values)


def raise_found(ctx: Context, found: Event | None, subject: Ref, *values: ir.Expr) -> None:
    """Emit the call that runs these rules of an event."""
    if found is not None:
        if found.function not in ctx.writer.functions:
            _define_event(ctx.writer, found)
        ctx.emit(ir.Do(ir.call(found.function, subject.index, *values)))


def note_untold(writer: Writer) -> None:
    """Let it be known what rules say that nothing raises: entries of info are there all the same, mistakes are told."""
    world = writer.world
    for name in sorted(RAISED):
        for of_things in (False, True):
            found = event(world, name, of_things)
            rules = (
                [] if found is None else [each for each in found.rules if each[0] not in writer.notes.heard]
            )
            if name == "meet" or any(isinstance(e, n.Info) for _, rule in rules for e in walk(rule.effects)):
                untold = Event(name, of_things, rules, whole=False)
                if rules:
                    _define_event(writer, untold)
                    del writer.functions[untold.function]


def _define_event(writer: Writer, found: Event) -> None:
    """Define the function of an event: all conditions are decided before any effect."""
    world = writer.world
    writer.notes.heard.update(index for index, _ in found.rules)
    subject_name = "thing" if found.of_things else "agent"
    target = "cell" if found.name in CELL_EVENTS else "action" if found.name in {"fail"} else "other"
    parameters = (subject_name, target)
    ctx = new_function(writer, "rule", f"an event `{found.name}`", *parameters)
    writer.functions[found.function] = ir.function(
        found.function, parameters, ctx.block, f"Rules on {found.name}."
    )
    last = (len(world.actions) if found.name == "fail" else max(1, writer.facts.capacity)) - 1
    local = (
        ir.Local(target, "int", THIN_WALL if found.name == "bump" else -1, world.cells - 1)
        if found.name in CELL_EVENTS
        else ir.Local(target, "int", -len(world.agents) if found.of_things or world.several else 0, last)
    )
    again = False
    if found.name in {"enter", "leave"}:
        local = ir.Local(target, "int", 0, world.cells - 1)
        again = writer.facts.things_enter_again if found.of_things else writer.facts.agents_enter_again
    run_rules(
        writer,
        ctx,
        found.rules,
        lambda inner, rule: _event_test(inner, rule, found, subject_name, local),
        guard_at=local if again else None,
    )


def _event_test(ctx: Context, rule: Rule, found: Event, subject_name: str, target: ir.Local) -> ir.Expr:
    """Bind the subject and the instance of a rule's trigger; return whether they are those that it speaks of."""
    world, trigger, node = ctx.world, rule.trigger, rule.trigger.named
    subject, tests = _subject_of(ctx, trigger, found, subject_name)
    if found.name == "fail":
        failed = actions_named(ctx, node.name, node.span)
        return ir.both(*tests, ir.either(*(ir.eq(target, world.actions.index(action)) for action in failed)))
    if node.name == "edge" and found.name == "bump":
        return ir.both(*tests, ir.eq(target, -1))
    kind = world.kinds.get(node.name)
    if kind is None:
        return ir.FALSE
    if found.name in CELL_EVENTS:
        return ir.both(*tests, _is_in_cell(ctx, kind, node, found, subject, target))
    return ir.both(*tests, *_met_tests(ctx, kind, node, target, found.of_things or world.several))


def _subject_of(
    ctx: Context, trigger: n.Trigger, found: Event, subject_name: str
) -> tuple[Ref, list[ir.Expr]]:
    """Bind the subject of a trigger; return it, and what has to hold for it to be the one that is meant."""
    world, writer, named = ctx.world, ctx.writer, trigger.subject
    tests: list[ir.Expr] = []
    if found.of_things:
        assert named is not None
        kind = world.kinds[named.name]
        subject = Ref(kind, ir.Local(subject_name, "int", 0, max(0, writer.facts.capacity - 1)))
        tests.append(ir.eq(kind_code_of(ctx, subject), kind.code))
        ctx.bind(kind.name, subject)
    else:
        subject = writer.acting
        if named is not None and named.name != "agent":
            subject = Ref(world.kinds[named.name], subject.index)
            if world.several:
                tests.append(ir.eq(writer.agent_code(subject.index), subject.kind.code))
    ctx.self_ref = subject
    if isinstance(named, n.Pattern):
        tests.append(matches(ctx, subject, dict(named.arguments)))
    return subject, tests


def _is_in_cell(
    ctx: Context, kind: Kind, node: n.KindName, found: Event, subject: Ref, target: ir.Local
) -> ir.Expr:
    """Return whether one of the kind of a trigger is in the cell of its event, and name it."""
    there = found_in_cell(ctx, target, kind, values_given(node), node.name, but=subject)
    if found.name == "bump":
        met = ctx.scope[node.name]
        assert isinstance(met, Ref)
        there = guarded_condition(ctx, there, lambda inner: can_stop(inner, subject, met))
        if kind.name == "wall" and any(level.barriers for level in ctx.world.levels):
            return ir.either(ir.eq(target, THIN_WALL), there)
    return there


def _met_tests(
    ctx: Context, kind: Kind, node: n.KindName, target: ir.Local, among_agents: bool
) -> Iterator[ir.Expr]:
    """Yield what has to hold for what was met to be the one that is meant, and name it.

    ``among_agents``: an object is met as its index, and an agent as -1 - its number.
    """
    world, writer = ctx.world, ctx.writer
    number = ir.claim(ir.sub(ir.const(-1), target), 0, len(world.agents) - 1, "an agent was met")
    ref = Ref(kind, number if among_agents else target)
    if kind.category == "object":
        if among_agents:
            yield ir.ge(target, 0)
        ref = Ref(kind, ir.Local(target.name, "int", 0, max(0, writer.facts.capacity - 1)))
        yield ir.eq(kind_code_of(ctx, ref), kind.code)
        yield matches(ctx, ref, values_given(node))
    elif kind.category == "agent":
        if among_agents:
            yield ir.lt(target, 0)
        if not world.several:
            ref = agent_ref(ctx, ir.const(0))
        elif kind.name != "agent":
            yield ir.eq(writer.agent_code(ref.index), kind.code)
        yield matches(ctx, ref, values_given(node))
    ctx.bind(node.name, ref)


def run_rules(
    writer: Writer,
    ctx: Context,
    rules: list[tuple[int, Rule]],
    test_of: Callable[[Context, Rule], ir.Expr],
    guard_at: ir.Expr | None = None,
) -> None:
    """Emit rules that one event raises: first all conditions, then the effects of those that hold."""
    prepared: list[tuple[int, Rule, Context, ir.Expr]] = []
    for index, rule in rules:
        heard = (rule.trigger.subject, rule.trigger.object)
        inner = ctx.inner(block=ctx.block, scope=dict(writer.named_things), where=_where(rule), heard=heard)
        ctx.emit(ir.Note(_note(rule), rule.span))
        if speaks_of_goal(rule):
            bind_goal(inner)
        test = _conditions(inner, rule, test_of(inner, rule))
        if guard_at is not None:
            test = once_an_act(inner, index, guard_at, test)
        if len(rules) > 1 and test != ir.FALSE:
            test = inner.let(f"fires_{index + 1}", test)
        _note_never(writer, rule, test)
        prepared.append((index, rule, inner, test))
    after_changes = False
    makes = [may_replace(writer.world, rule.effects) for _, rule, _, _ in prepared]
    for place, (index, rule, inner, test) in enumerate(prepared):
        if any(makes[:place]):
            prepared[place] = index, rule, with_names_kept(inner, rule.effects, test), test
    for place, (index, rule, inner, test) in enumerate(prepared):
        effects = inner.inner(
            meets=rule.trigger.event == "meet",
            once=index if guard_at is not None else None,
            after_changes=after_changes,
            known=() if place else inner.known,  # the rules before it may have changed what it asked for
        )
        effects.emit(ir.Fired(index))
        perform(effects, rule.effects)
        after_changes = after_changes or changes_kinds(rule.effects)
        ctx.block.extend(ir.when(test, effects.block))
        for _, _, later, _ in prepared[place + 1 :] if makes[place] else ():
            refresh(later)


def _note(rule: Rule) -> str:
    effects = ", ".join(to_text(effect).split("\n")[0] for effect in rule.effects)
    return f"{rule.head}: {effects}"[:160]


def _conditions(ctx: Context, rule: Rule, test: ir.Expr) -> ir.Expr:
    """Join a rule's trigger, condition and chance; a chance is drawn only where all else holds."""
    asked, written = rule.condition, rule.chance
    if asked is not None:
        test = guarded_condition(ctx, test, lambda inner: condition(inner, asked, binds=True))
    if written is not None:
        chance: list[ir.Expr] = []

        def roll(inner: Context) -> ir.Expr:
            value = evaluate_chance(inner, written)
            chance.append(value if value is not None else ir.FALSE)
            return ir.FALSE if value is None else drawn(inner, value)

        test = guarded_condition(ctx, test, roll)
    return test


def guarded_condition(ctx: Context, held: ir.Expr, make: Callable[[Context], ir.Expr]) -> ir.Expr:
    """Return ``held and made``; statements that the second needs run only where the first holds."""
    inner = ctx.inner(scope=ctx.scope)
    made = make(inner)
    ctx.known = inner.known
    if inner.block and held != ir.TRUE:
        return nested_test(ctx, inner.block, held, made)
    ctx.block.extend(inner.block)
    return ir.both(held, made)


def _note_never(writer: Writer, rule: Rule, test: ir.Expr) -> None:
    world = writer.world
    if test != ir.FALSE:
        writer.notes.sometimes.add(rule.span)
        return
    if writer.report.has_errors or rule.span.source is not world.spec.source:
        return
    mentions_param = any(
        isinstance(node, n.Name) and node.name in world.params for node in walk((rule.condition, rule.chance))
    )
    if not mentions_param:
        writer.notes.never.add(rule.span)
