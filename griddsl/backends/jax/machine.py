"""A program as pure functions of a state: reset, step, what is seen and told. One agent is the case of one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from griddsl.backends.interface import Port
from griddsl.backends.jax import stream
from griddsl.backends.jax.arrays import DType, Traced, Value
from griddsl.backends.jax.kinds import dtype_of, whole_of
from griddsl.backends.jax.known.told import Told
from griddsl.backends.jax.output import as_row
from griddsl.backends.jax.suitable import check
from griddsl.backends.jax.values import as_type, traced
from griddsl.backends.jax.walk import Walk
from griddsl.program import ir, keys
from griddsl.program.program import AGAIN, Program


@dataclass(slots=True)
class Work:
    """A state that functions of the program work on, and what they are to leave behind."""

    walk: Walk

    @property
    def failed(self) -> Traced:
        """Whether setup has found no place for something."""
        return jnp.asarray(self.walk.failed, np.bool_)


class Machine:
    """The functions of a program on states: a row for each slot that is saved, and the stream as a pair of uint32.

    Whoever calls it allows 64 bits while it traces: reals are doubles, and counters 64 bits wide.
    """

    def __init__(self, program: Program) -> None:
        check(program)
        program = program.structured
        self.program = program
        self.functions = program.functions
        self.told = Told.by(self.functions, program.slots)
        self.whole = whole_of(program)
        self.saved = [slot for slot in program.slots if slot.saved]
        self.slots = {slot.key: slot for slot in program.slots}

    def dtype(self, slot: ir.Slot) -> Any:
        """Return the dtype that a slot is kept in between two steps."""
        return dtype_of(slot, self.whole)

    def like(self, slot: ir.Slot) -> jax.ShapeDtypeStruct:
        """Return shape and dtype of what `values` gives for a slot."""
        if slot.type == "real":
            return jax.ShapeDtypeStruct((slot.length, 2), np.uint32)
        return jax.ShapeDtypeStruct((slot.length,), self.dtype(slot))

    def work(self, values: Mapping[str, Traced] | None, counter: Traced) -> Work:
        """Return what works on a state; without values on a new one."""
        walk = Walk(self.program, self.told, self.whole)
        walk.counter = stream.joined(counter)
        if values is not None:
            for slot in self.saved:
                array = values[slot.name]
                if slot.type == "real":
                    array = lax.bitcast_convert_type(array, np.float64)
                walk.arrays[slot.name] = array[0] if slot.length == 1 else array
            walk.before = dict(walk.arrays)
        return Work(walk)

    def values(self, work: Work) -> dict[str, Traced]:
        """Return the saved slots, each in a row; reals as the bits of doubles, ``(length, 2)`` uint32."""
        found: dict[str, Traced] = {}
        for slot in self.saved:
            array = jnp.reshape(work.walk.whole_array(slot.name), (slot.length,))
            if slot.type == "real":
                array = lax.bitcast_convert_type(array, np.uint32)
            found[slot.name] = array
        return found

    def counter(self, work: Work) -> Traced:
        """Return the stream as a pair of uint32."""
        return stream.parted(work.walk.counter)

    # What a program does

    def reset(self, work: Work, level: Any) -> None:
        """Start an episode on a level, with -1 as the spec says, or with `AGAIN` on what was drawn before."""
        if level == AGAIN:
            # Known while it is traced: what would draw it is no part of what is compiled.
            work.walk.know(self.slots[keys.DRAWN].name, 1)
        work.walk.call("reset", [level])
        work.walk.settle()

    def step(self, work: Work, numbers: Sequence[Any]) -> tuple[Traced, Traced, Traced]:
        """Take a step of the only player; return its reward (a double), terminated and truncated."""
        given = [lax.convert_element_type(number, self.whole) for number in numbers]
        reward, terminated, truncated = work.walk.call("step", given)
        work.walk.settle()
        whole = self.whole
        return (
            traced(reward, "real", whole),
            traced(terminated, "bool", whole),
            traced(truncated, "bool", whole),
        )

    def joint_step(self, work: Work, choices: Traced) -> None:
        """Take a step of several: ``choices`` has a row of numbers for each agent, -1 for none."""
        name = self.slots[keys.CHOICE].name
        work.walk.arrays[name] = lax.convert_element_type(jnp.ravel(choices), work.walk.dtypes[name])
        if self.slots[keys.CHOICE].length == 1:
            work.walk.arrays[name] = work.walk.arrays[name][0]
        work.walk.call("step", [])
        work.walk.settle()

    def slot(self, work: Work, key: ir.Key, at: int = 0) -> Traced:
        """Return an entry of a slot."""
        slot = self.slots[key]
        return jnp.reshape(work.walk.whole_array(slot.name), -1)[at]

    def has(self, key: ir.Key) -> bool:
        """Whether there is a slot."""
        return key in self.slots

    def value(self, work: Work, name: str, arguments: Iterable[int]) -> Traced:
        """Return what a function gives."""
        (found,) = work.walk.call(name, list(arguments))
        return traced(found, self.functions[name].results[0].type, self.whole)

    def array(self, work: Work, port: Port, arguments: Iterable[int]) -> Traced:
        """Return what a function writes, of a port's dtype and shape."""
        kind = np.dtype(port.dtype)
        kept = np.dtype(np.int32) if kind == np.int64 else kind
        work.walk.out = jnp.zeros(port.size, kept)
        work.walk.call(port.function, list(arguments))
        found, work.walk.out = as_row(work.walk.out), None
        return jnp.reshape(found, port.shape)


def number(value: Value, whole: DType = np.int32) -> Traced:
    """Return a whole number as JAX keeps it."""
    return as_type(value, "int", whole)
