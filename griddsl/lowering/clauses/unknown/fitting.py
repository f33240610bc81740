"""Fitting: which of the names that are known could stand in a place, by what it holds."""

from __future__ import annotations

import re
from collections.abc import Iterable

from griddsl.diagnostics import write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.values import (
    CELL,
    NUMBER,
    TRUTH,
    Kinds,
    Numbers,
    Ref,
    Truths,
    Value,
    ValueType,
)

NUMBERS_OF_THE_GAME = ("step", "limit", "width", "height")
_OF_A_CELL = re.compile(r"rule `on (?:enter|leave) (\w+)\b")


def cell_meant(ctx: Context, name: str) -> str:
    """Return what `here`, `ahead` and `cell` are called where they mean nothing."""
    me = "self" if ctx.world.several else "agent"
    if name == "cell" or "here" in ctx.scope:
        if name == "here":
            return "`here` is a cell, and no kind: `K at here`"
        return write("here") if "here" in ctx.scope else "where a cell is looked at, it is called `here`"
    if name == "ahead":
        ahead = f"({me}.x + dx({me}.facing), {me}.y + dy({me}.facing))"
        faces = "" if ctx.writer.facts.has_facing else ", of one with a facing: `agent: facing`"
        return f"`K ahead` asks what is there; the cell ahead is `{ahead}`{faces}"
    heard = _OF_A_CELL.match(ctx.where)
    if heard is not None and heard[1] in ctx.world.kinds:
        return write(heard[1], ": the event names the thing, and so its cell")
    gone_through = [
        each for each, value in ctx.scope.items() if isinstance(value, Ref) and each in ctx.world.kinds
    ]
    if gone_through:
        name = gone_through[-1]
        note = ": the name of a thing stands for its cell, too"
        if name == ctx.looped:  # what goes through the kind once more means another one by the name
            note += f"; beside another `{name}` that is looked at, `let this = {name}` before is that of the block"
        return write(name, note)
    asked = "behind `each K where`, `any K where` the name stands for its cell: `K.x`, `coin at K`"
    return f"`here` is the cell that a place's `where` or `each cell` looks at; {asked}; the agent's own is `{me}`"


def known_names(writer: Writer, ctx: Context) -> Iterable[str]:
    """Return what a name may have been meant to be: what is declared, words of attributes, numbers of the game."""
    world = writer.world
    words = {
        word for kind in world.kinds.values() for a in kind.attributes.values() for word in a.domain.words
    }
    words |= {word for v in writer.variables.values() if v.domain for word in v.domain.words}
    names = (*world.kinds, *writer.variables, *world.params, *world.regions, *ctx.scope)
    return {*names, *words, *NUMBERS_OF_THE_GAME, "start", "true", "false"}


def fits(ctx: Context, name: str, expected: ValueType | None) -> bool:
    """Whether a name can stand where a value of a type is needed."""
    world, writer = ctx.world, ctx.writer
    if name == "limit" and world.limit is None:
        return "limit" in world.spec.left_out
    if expected is None:
        return name not in world.regions
    bound = ctx.scope.get(name)
    if isinstance(bound, Value):
        return type(bound.type) is type(expected)
    if name in writer.variables:
        return type(writer.variables[name].type) is type(expected)
    if name in world.params:
        value = world.params[name]
        type_ = Truths if isinstance(value, bool) else None if isinstance(value, str) else Numbers
        return type_ is not None and isinstance(expected, type_)
    if name in {"true", "false"}:
        return expected == TRUTH
    if name in NUMBERS_OF_THE_GAME:
        return expected == NUMBER
    if name == "start" or name in world.kinds or bound is not None:
        return expected == CELL or (name != "start" and isinstance(expected, Kinds))
    return False
