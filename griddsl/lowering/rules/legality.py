"""Legality: which actions there are by name, when each is allowed, and the mask of those that are."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from griddsl.diagnostics import did_you_mean, listing
from griddsl.lowering.clauses.context import Context, define, new_function
from griddsl.lowering.clauses.meaning import condition
from griddsl.lowering.rules.given import bind_arguments, split
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.actions import Action, added
from griddsl.lowering.world.values import NUMBER, Ref, Value
from griddsl.lowering.world.world import Role, World
from griddsl.program import ir
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text

FEW = 16


def action_named(ctx: Context, name: str, span: Span) -> Action | None:
    """Return an action of the spec; where there is none, report it, but not to a library."""
    for action in ctx.world.actions:
        if action.name == name:
            found: Action = action
            return found
    if (
        span.source is ctx.world.spec.source
    ):  # A rule of a library waits for an action that the spec may leave out.
        names = [action.name for action in ctx.world.actions]
        help = (
            added(ctx.world.actions, name, span.source)
            or did_you_mean(name, names)
            or f"actions: {listing(names, 'and')}"
        )
        ctx.error("unknown-action", span, name=name, help=help)
        # What an action takes means something in its rules alone: that it means nothing here follows from this.
        taken = (argument.name for action in ctx.world.actions for argument in action.arguments)
        ctx.writer.notes.reported.update(taken)
    return None


def actions_named(ctx: Context, name: str, span: Span) -> list[Action]:
    """Return the actions of this name: agents of several kinds can each have one."""
    first = action_named(ctx, name, span)
    return [] if first is None else [action for action in ctx.world.actions if action.name == name]


def allows(world: World, action: Action) -> ir.Key:
    """Return the key of the function that says whether an action is allowed."""
    own = world.group_of(action).agent
    return ("allows", action.name) if own is None else ("allows", own, action.name)


def legal(ctx: Context, action: Action, agent: ir.Expr, places: Sequence[ir.Expr] = ()) -> ir.Expr:
    """Return whether an action is allowed now, with the values at these places of what it takes."""
    if not action.is_limited:
        return ir.TRUE
    writer = ctx.writer
    in_step = (ctx.stage != "observe" or ctx.in_step) and _reads_step(action)
    name = writer.function_name((*allows(ctx.world, action), *(("in_step",) if in_step else ())))
    if name not in writer.functions:
        _define_allows(writer, action, name, in_step)
    return ir.call(name, agent, *places, type="bool", low=0, high=1)


def _reads_step(action: Action) -> bool:
    """Whether it hangs on the number of the step what is allowed; a mask tells of the step that comes."""
    return any(
        isinstance(node, n.Name) and node.name == "step"
        for node in walk((action.allow, [argument.where for argument in action.arguments]))
    )


def _define_allows(writer: Writer, action: Action, name: str, in_step: bool) -> None:
    world = writer.world
    own = world.group_of(action).agent
    parameters = ("agent", *(f"given_{number + 1}" for number in range(len(action.arguments))))
    inner = new_function(writer, "observe", f"`allow {action.name}`", *parameters)
    writer.functions[name] = ir.function(
        name, parameters, inner.block, f"Whether `{action.name}` is allowed."
    )
    inner.self_ref = writer.acting if own is None else Ref(world.kinds[own], writer.acting.index)
    places = [
        ir.Local(parameter, "int", 0, argument.size - 1)
        for parameter, argument in zip(parameters[1:], action.arguments, strict=True)
    ]
    inner.in_step = in_step
    if _reads_step(action) and not in_step:
        inner.bind("step", Value(NUMBER, ir.add(ir.load(writer.step), ir.const(1))))
    bind_arguments(inner, action, places)
    if _asks_of_this_step(inner, action):
        return
    writer.deciding.add(action.name)
    tests: list[ir.Expr] = []
    for argument in action.arguments:
        if argument.where is not None:
            where = inner.inner(block=inner.block, where=f"`{argument.name}` of `{action.name}`")
            tests.append(condition(where, argument.where))
            _note_never(writer, action, argument.where, tests[-1])
    if action.allow is not None:
        tests.append(condition(inner, action.allow))
        _note_never(writer, action, action.allow, tests[-1])
    inner.emit(ir.Return((ir.both(*tests),)))
    writer.deciding.discard(action.name)


def some_legal(
    ctx: Context, action: Action, agent: ir.Expr, known: Mapping[int, ir.Expr] | None = None
) -> ir.Expr:
    """Return whether an action is allowed now with some values of what it takes; ``known`` are given places."""
    known = known or {}
    free = [number for number in range(len(action.arguments)) if number not in known]
    if not action.is_limited:
        return ir.TRUE
    if not free:
        return legal(ctx, action, agent, [known[number] for number in range(len(action.arguments))])
    arguments = [action.arguments[number] for number in free]
    count = math.prod(argument.size for argument in arguments)
    result = ctx.variable("some_allowed", ir.FALSE, 0, 1)
    at = ir.Local(ctx.names.fresh("i"), "int", 0, count - 1)
    inner = ctx.inner()
    found = {**known, **dict(zip(free, split(inner, arguments, at), strict=True))}
    test = legal(inner, action, agent, [found[number] for number in range(len(action.arguments))])
    inner.emit(ir.If(test, [ir.Hit()], []))
    ctx.emit(ir.any_of(result)(at.name, ir.const(0), ir.const(count), inner.block))
    return ir.Local(result.name, "bool", 0, 1)


def _asks_of_this_step(ctx: Context, action: Action) -> bool:
    """Report what asks for more than there is when it is decided what is allowed: before the step, for its mask."""
    asked = (action.allow, [argument.where for argument in action.arguments])
    for node in walk(asked):
        if isinstance(node, n.Attribute) and node.name == "action":
            what, help = (
                f"`{to_text(node)}`",
                "the action is chosen behind it: the one of the step before, a rule can keep in a variable; what two "
                "lists may not do together, a rule forbids: `on act if self.action is go: cancel`",
            )
        elif isinstance(node, n.Call) and node.name == "prev":
            what, help = (
                "`prev`",
                "no step has begun whose before it would tell; a rule can keep it in a variable",
            )
        else:
            continue
        ctx.error("wrong-place", node.span, what=what, where="where it is decided what is allowed", help=help)
        return True
    return False


def _note_never(writer: Writer, action: Action, node: n.Expression, test: ir.Expr) -> None:
    """Note an action that is never allowed."""
    if test == ir.FALSE:
        writer.notes.settle(node, test, f"`{action.name}` is never allowed: leave it out of the actions")


def define_mask(writer: Writer, role: Role) -> str | None:
    """Define the function that writes which actions of a role are allowed, one byte each; None where all always are."""
    if not any(action.is_limited for action in role.actions):
        return None
    key = "mask" if len(writer.world.learners) == 1 else ("mask", role.name)
    ctx = new_function(writer, "observe", "the mask", *writer.observing(role))
    write_mask(ctx, role, writer.observer(role))
    return define(
        writer, ctx, key, writer.observing(role), "Which actions are allowed, one entry an action.", out=True
    )


def write_mask(ctx: Context, role: Role, agent: Ref) -> None:
    """Emit the writing of a role's mask, one entry an action, groups one after the other.

    Of a group of which nothing is allowed the mask forbids nothing: who has to choose cannot be left without a choice,
    and `illegal` says what becomes of it. A value of an axis is allowed where some action takes it with some others.
    """
    first = 0
    for number, group in enumerate(role.groups):
        if group.axis is not None:
            takers = [action for action in role.actions if number in action.axes]
            _Entries(ctx, first, group.size).of_axis(takers, number, agent)
        else:
            _Entries(ctx, first, group.size).of_actions(group.actions, agent)
        first += group.size


@dataclass(slots=True)
class _Entries:
    """The entries of a mask that one group has, from ``first`` on."""

    ctx: Context
    first: int
    size: int

    def of_actions(self, actions: Sequence[Action], agent: Ref) -> None:
        """Emit which actions are allowed, and where none is, that all are."""
        free = any(not action.is_limited for action in actions)
        found = None if free else self.ctx.variable("any_allowed", ir.const(0), 0, 1)
        for action in actions:
            self._loop(action.number, action.count, partial(self._legal, action, agent), found)
        self._or_all(found)

    def of_axis(self, takers: Sequence[Action], axis: int, agent: Ref) -> None:
        """Emit which values of an axis are allowed: those that one of the actions may take."""
        free = any(not action.is_limited for action in takers)
        found = None if free else self.ctx.variable("any_allowed", ir.const(0), 0, 1)

        def taken(inner: Context, at: ir.Expr) -> ir.Expr:
            if free:
                return ir.TRUE
            return ir.either(
                *(some_legal(inner, action, agent.index, {action.axes.index(axis): at}) for action in takers)
            )

        self._loop(0, self.size, taken, found)
        self._or_all(found)

    def _legal(self, action: Action, agent: Ref, ctx: Context, at: ir.Expr) -> ir.Expr:
        if action.axes:
            return some_legal(ctx, action, agent.index)
        return legal(ctx, action, agent.index, split(ctx, action.arguments, at) if action.arguments else ())

    def _loop(
        self,
        start: int,
        count: int,
        test: Callable[[Context, ir.Expr], ir.Expr],
        found: ir.Local | None,
    ) -> None:
        """Emit the entries of some numbers, one after the other."""
        at: ir.Expr = ir.const(0)
        if count > 1:
            at = ir.Local(self.ctx.names.fresh("i"), "int", 0, count - 1)
        inner = self.ctx.inner()
        allowed = ir.as_number(test(inner, at))
        if found is not None:
            allowed = inner.let("allowed", allowed)
            inner.block.extend(ir.when(ir.eq(allowed, 1), [ir.Let(found.name, ir.const(1))]))
        inner.emit(ir.Out(ir.add(ir.const(self.first + start), at), allowed))
        if isinstance(at, ir.Local):
            self.ctx.emit(ir.For(at.name, ir.const(0), ir.const(count), inner.block))
        else:
            self.ctx.emit(*inner.block)

    def _or_all(self, found: ir.Local | None) -> None:
        if found is None:
            return
        if self.size <= FEW:
            all_of: ir.Block = [
                ir.Out(ir.const(self.first + number), ir.const(1)) for number in range(self.size)
            ]
        else:
            at = ir.Local(self.ctx.names.fresh("i"), "int", 0, self.size - 1)
            entry = ir.Out(ir.add(ir.const(self.first), at), ir.const(1))
            all_of = [ir.For(at.name, ir.const(0), ir.const(self.size), [entry])]
        self.ctx.emit(ir.If(ir.eq(found, 0), all_of, []))
