"""Loops whose rounds only mark cells of a plane: which of the cells are marked is found for all rounds at once.

Things are drawn into planes one after the other, each at its cell. Two may mark the same cell, but all leave the same
there, so that their order does not matter. Each mark is a bit: those of all things are joined, and then taken apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from griddsl.backends.jax.arrays import Mask, Traced, is_known
from griddsl.backends.jax.output import in_planes
from griddsl.backends.jax.settling import settled
from griddsl.program import ir
from griddsl.program.passes.effects import OUT, Known, of_block
from griddsl.program.passes.independent import unset_reads

BITS = 32
FEW = 2  # marks that are compared with each cell
MOST_JOINED = 2_000  # words that are joined
MOST_SELDOM = 16_000  # the same, where mostly the first few rounds are enough


@dataclass(frozen=True)
class Marking:
    """A loop that writes ``value`` at ``place * planes + plane``; its body marks ``place``, and says in which plane."""

    body: ir.Block
    value: ir.Const
    planes: int
    places: int


def marking_of(loop: ir.For, length: int, known: Known, is_mostly_few: bool = False) -> Marking | None:
    """Return what a loop marks in a row of so many entries; None where it does anything else."""
    outs = [statement for statement in ir.statements(loop.body) if isinstance(statement, ir.Out)]
    value = outs[0].value if outs else None
    if not isinstance(value, ir.Const) or any(out.value != value for out in outs):
        return None
    if any(not isinstance(each, ir.Let | ir.If | ir.Note | ir.Out) for each in ir.statements(loop.body)):
        return None
    effects = of_block(loop.body, known)
    if effects.writes != {OUT} or unset_reads(loop.body, {loop.name}) & effects.sets:
        return None
    planes = in_planes(outs[0].index)[1]
    at = [in_planes(out.index) for out in outs]
    places = max(int(place.high) + 1 for place, _, _ in at)
    rounds = int(loop.high.high) - int(loop.low.low)
    most = MOST_SELDOM if is_mostly_few else MOST_JOINED
    if rounds * -(-places // BITS) > most or places * planes != length:
        return None
    if any(place.low < 0 or plane >= depth or depth != planes for place, depth, plane in at):
        return None
    return Marking(_marking(loop.body), value, planes, places)


def _marking(block: ir.Block) -> ir.Block:
    """Return a block that marks, in a plane, what it writes."""
    made: ir.Block = []
    for statement in block:
        match statement:
            case ir.Out(index):
                place, _, plane = in_planes(index)
                made.append(replace(statement, index=place, value=ir.Const(plane, "int")))
            case ir.If(test, then, otherwise):
                made.append(ir.If(test, _marking(then), _marking(otherwise)))
            case _:
                made.append(statement)
    return made


def marked(places: Any, mask: Mask, rounds: int, count: int) -> Traced:
    """Return which of ``count`` places are marked by rounds, ``(count,)`` bool; no place is outside."""
    if is_known(places) and is_known(mask):
        found = np.zeros(count, np.bool_)
        found[np.broadcast_to(places, rounds)[np.broadcast_to(mask, rounds)]] = True
        return jnp.asarray(found)
    here = lax.convert_element_type(jnp.broadcast_to(jnp.asarray(places), (rounds,)), np.int32)
    counts = jnp.broadcast_to(jnp.asarray(mask, np.bool_), (rounds,))
    if rounds <= FEW:
        at = np.arange(count, dtype=np.int32)
        alike = [(here[number] == at) & counts[number] for number in range(rounds)]
        return alike[0] if rounds == 1 else alike[0] | alike[1]
    words = -(-count // BITS)
    if words > 1:
        # What is marked is asked for each word.
        here, counts = settled((here, counts))
    bit = jnp.where(counts, jnp.uint32(1) << lax.convert_element_type(here & 31, np.uint32), jnp.uint32(0))
    there = (here >> 5)[:, None] == np.arange(words, dtype=np.int32)
    joined = lax.reduce(jnp.where(there, bit[:, None], jnp.uint32(0)), np.uint32(0), lax.bitwise_or, (0,))
    shifts = np.arange(BITS, dtype=np.uint32)
    return (((joined[:, None] >> shifts) & jnp.uint32(1)) != 0).reshape(-1)[:count]
