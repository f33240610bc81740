"""What the rounds of a loop hand on: what they set and write, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from griddsl.backends.jax.arrays import Mask, Value
from griddsl.backends.jax.loops.lanes import of_each_game
from griddsl.backends.jax.output import as_row
from griddsl.backends.jax.values import traced
from griddsl.backends.jax.walking import Locals, Walk
from griddsl.program import ir
from griddsl.program.passes.effects import EVERYTHING, NOTES, OUT, STREAM, of_block


def _put_back(walk: Walk, body: Sequence[ir.Stmt], given: Locals) -> set[str]:
    """Return the slots that a body puts back as they were kept before, where they are others by now."""
    names = {statement.name for statement in ir.statements(list(body)) if isinstance(statement, ir.Restore)}
    return {
        slot
        for name in names & given.keys()
        for slot, array in given[name].items()
        if walk.arrays.get(slot) is not array
    }


class Carried:
    """What the rounds of a loop hand on: the locals and slots that they set, and what else they touch."""

    def __init__(self, walk: Walk, body: Sequence[ir.Stmt], given: Locals) -> None:
        self.walk = walk
        found = {name for statement in ir.statements(list(body)) for name in ir.sets(statement)}
        self.names = sorted(name for name in found if name in given and not isinstance(given[name], dict))
        self.kinds = {name: kind_of(name, body, given[name]) for name in self.names}
        effects = of_block(list(body), walk.known)
        walk.put_in(effects.reads | effects.writes)
        self.before = dict(walk.arrays)
        writes = walk.written.by(body) | _put_back(walk, body, given)
        handed = walk.slots.keys() if EVERYTHING in writes else writes & walk.slots.keys()
        self.slots = sorted(handed - walk.passing)
        self.draws = bool({STREAM, EVERYTHING} & writes)
        self.fails = bool({NOTES, EVERYTHING} & writes)
        self.writes_out = OUT in writes

    def pack(self, own: Locals) -> Any:
        """Return the present values, of dtypes and shapes that stay."""
        walk = self.walk
        values = [
            jnp.broadcast_to(traced(own[name], self.kinds[name], walk.whole), walk.shape)
            for name in self.names
        ]
        arrays = [walk.whole_array(name) for name in self.slots]
        rest = [
            *([walk.counter] if self.draws else []),
            *([jnp.asarray(walk.failed, np.bool_)] if self.fails else []),
            *([as_row(walk.out)] if self.writes_out else []),
            *(jnp.asarray(flag, np.bool_) for flag in walk.waiting.values()),
        ]
        return values, arrays, rest

    def begun(self, active: Mask, own: Locals) -> tuple[Any, Any]:
        """Return whether there is a first round, and the values that it begins with.

        They are those of each game where that is, or the stream is: after a round they are in any case.
        """
        packed = self.pack(own)
        if self.draws:
            active = of_each_game(active, self.walk.counter)
        return active, of_each_game(packed, active)

    def unpack(self, kept: Any, given: Locals) -> Locals:
        """Put values into the walk; return the locals."""
        values, arrays, rest = kept
        walk, left = self.walk, list(rest)
        walk.arrays.clear()
        walk.arrays.update(self.before)
        walk.arrays.update(zip(self.slots, arrays, strict=True))
        if self.draws:
            walk.counter = left.pop(0)
        if self.fails:
            walk.failed = left.pop(0)
        if self.writes_out:
            walk.out = left.pop(0)
        walk.waiting = dict(zip(walk.waiting, left, strict=True))
        return {**given, **dict(zip(self.names, values, strict=True))}


def kind_of(name: str, body: Sequence[ir.Stmt], value: Value) -> str:
    """Return the type of a local."""
    for statement in ir.statements(list(body)):
        match statement:
            case ir.Let(set, found) if set == name:
                return found.type
            case ir.Bind(set, source) if set == name:
                return source.type
            case ir.Reduce(result=result) if result.name == name:
                return result.type
            case ir.For(set) if set == name:
                return "int"
    return "bool" if isinstance(value, bool) or getattr(value, "dtype", None) == np.bool_ else "int"
