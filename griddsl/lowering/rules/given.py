"""Given: what an action is given by who chooses it: whether it is the one that is chosen, and what its names mean."""

from __future__ import annotations

from collections.abc import Sequence

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.world.actions import Action
from griddsl.lowering.world.arguments import Argument
from griddsl.lowering.world.values import Truths, Value
from griddsl.program import ir


def is_chosen(action: Action, chosen: ir.Expr) -> ir.Expr:
    """Return whether a number of a group is one of an action's."""
    if action.count == 1:
        return ir.eq(chosen, action.number)
    last = action.number + action.count - 1
    return ir.both(ir.ge(chosen, action.number), ir.compare("<=", chosen, ir.const(last)))


def places_of(ctx: Context, action: Action, chosen: Sequence[ir.Expr]) -> list[ir.Expr]:
    """Return the place of the value of each argument in its domain, from what is chosen of each group.

    Where another action is chosen, it is a place all the same, and means nothing.
    """
    if action.axes:
        return [
            ctx.let("place", _limited(chosen[axis], argument.size))
            for axis, argument in zip(action.axes, action.arguments, strict=True)
        ]
    if not action.arguments:
        return []
    number = _limited(ir.sub(chosen[action.group], ir.const(action.number)), action.count)
    return split(ctx, action.arguments, ctx.let("number", number))


def split(ctx: Context, arguments: Sequence[Argument], number: ir.Expr) -> list[ir.Expr]:
    """Return the places that a number below the product of all sizes stands for, the last counting fastest."""
    places: list[ir.Expr] = []
    for argument in reversed(arguments):
        is_first = len(places) == len(arguments) - 1
        size = ir.const(argument.size)
        places.insert(0, number if is_first else ctx.let("place", ir.mod(number, size)))
        if not is_first:
            number = ctx.let("number", ir.div(number, size))
    return places


def bind_arguments(ctx: Context, action: Action, places: Sequence[ir.Expr]) -> None:
    """Let the names of what an action takes mean the values at these places."""
    for argument, place in zip(action.arguments, places, strict=True):
        ctx.bind(argument.name, Value(argument.type, _value_at(ctx, argument, place)))


def _value_at(ctx: Context, argument: Argument, place: ir.Expr) -> ir.Expr:
    if isinstance(argument.type, Truths):
        return ir.eq(place, 1)
    first = argument.values[0]
    if argument.values == tuple(range(first, first + argument.size)):
        return ctx.let(argument.name, ir.add(ir.const(first), place))
    same = [each for action in ctx.world.actions for each in action.arguments if each.name == argument.name]
    number = list(dict.fromkeys(each.values for each in same)).index(argument.values)
    listed = ctx.writer.table(("ARGUMENT", argument.name, number), argument.values)
    return ctx.let(argument.name, ir.lookup(listed, place))


def _limited(place: ir.Expr, size: int) -> ir.Expr:
    return ir.least((ir.greatest((place, ir.const(0))), ir.const(size - 1)))
