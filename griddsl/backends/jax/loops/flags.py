"""Loops whose rounds hand on nothing but flags: all rounds are run at once, and a flag is up where any round raised it.

Whether an action is allowed is found for each of them, and on the way whether any is. No round asks for that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import jax.numpy as jnp
import numpy as np

from griddsl.backends.jax.arrays import Mask, Value, is_known
from griddsl.backends.jax.loops.folding import any_of
from griddsl.backends.jax.walking import Locals, Walk
from griddsl.program import ir
from griddsl.program.passes.effects import Known
from griddsl.program.passes.independent import between_rounds

LEAST = 4  # rounds: fewer are written out


def flags_of(loop: ir.For, given: Iterable[str], known: Known) -> Mapping[str, ir.Const] | None:
    """Return the locals that rounds raise, with what they raise them to; None where rounds hand on anything else.

    The given locals are set before the loop: only they may be read after it.
    """
    handed = {name for statement in ir.statements(loop.body) for name in ir.sets(statement)} & set(given)
    flags: dict[str, ir.Const] = {}
    for statement in ir.statements(loop.body):
        match statement:
            case ir.Let(name, ir.Const() as value) if name in handed and flags.get(name, value) == value:
                flags[name] = value
            case _ if handed & set(ir.sets(statement)):
                return None
    body = _without(loop.body, flags)
    if (
        not flags
        or flags.keys() & ir.locals_read(body)
        or any(between_rounds(replace(loop, body=body), known))
    ):
        return None
    return flags


def _without(block: Sequence[ir.Stmt], flags: Mapping[str, ir.Const]) -> ir.Block:
    """Return a block in which no flag is raised."""
    return [
        ir.with_blocks(statement, lambda inner: _without(inner, flags))
        for statement in block
        if not (isinstance(statement, ir.Let) and statement.name in flags)
    ]


def run_raising(
    walk: Walk, loop: ir.For, flags: Mapping[str, ir.Const], numbers: Value, given: Locals, mask: Mask
) -> None:
    """Run the rounds of a loop at once, and raise the flags that any of them raises."""
    around = walk.shape
    walk.settle_locals(loop.body, given)
    walk.shape = (len(numbers), *around)
    own = {**given, loop.name: numbers.reshape((len(numbers),) + (1,) * len(around))}
    walk.block(loop.body, own, mask)
    walk.shape = around
    for name, value in flags.items():
        found = own[name]
        if np.ndim(found) <= len(around):
            given[name] = found  # the same in all rounds
            continue
        raised = found == value.value
        raised = raised.any(0) if is_known(raised) else any_of(raised)
        before = given[name]
        is_flag = isinstance(before, bool) or getattr(before, "dtype", None) == np.bool_
        if is_known(raised) and not np.ndim(raised):
            given[name] = type(value.value)(value.value) if raised else before
        elif is_flag:
            given[name] = jnp.logical_or(raised, before) if value.value else jnp.logical_and(~raised, before)
        else:
            given[name] = jnp.where(raised, jnp.asarray(value.value, walk.whole), before)
