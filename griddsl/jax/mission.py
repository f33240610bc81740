"""Missions as characters: the words of this episode, found from the numbers of the state."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np

from griddsl.backends.jax.machine import Machine, Work
from griddsl.backends.jax.suitable import Unsuitable
from griddsl.program import ir
from griddsl.program.program import Program
from griddsl.program.spaces import Leaf, Text
from griddsl.program.words import params_told

MOST_IN_TURN = 16  # pieces: to put more of them together one by one takes long to compile
MOST_NUMBERS = 4_096  # that a name in a mission may have


@dataclass(frozen=True)
class Piece:
    """A part of a text without names of its own: the words of a slot, of which the slot says the number.

    It stands in the text where each of these slots has its number: they say which texts are meant that it is a part of.
    """

    where: tuple[tuple[ir.Key, int], ...]
    key: ir.Key | None  # None: the only word, always
    words: tuple[bytes, ...]


class Mission:
    """The task of an episode as bytes of UTF-8, ``(length,)`` uint8, zeros after its end."""

    def __init__(self, machine: Machine, leaf: Leaf) -> None:
        self.machine = machine
        space: Any = leaf.space
        self.length = space.length if isinstance(space, Text) else space.shape[0]
        self.pieces = list(_pieces(machine.program, machine.program.mission or "", ()))

    def read(self, work: Work) -> Any:
        """Return the mission of a state."""
        return (self._in_turn if len(self.pieces) <= MOST_IN_TURN else self._at_once)(work)

    def _number(self, work: Work, key: ir.Key | None) -> Any:
        return np.int32(0) if key is None else self.machine.slot(work, key).astype(np.int32)

    def _in_turn(self, work: Work) -> Any:
        """Write a few pieces one behind the other."""
        shown, start, places = (
            jnp.zeros(self.length, np.uint8),
            np.int32(0),
            np.arange(self.length, dtype=np.int32),
        )
        for piece in self.pieces:
            number, table = self._number(work, piece.key), _as_table(piece.words)
            word, size = jnp.asarray(table)[number], jnp.asarray(_sizes(piece.words))[number]
            for key, wanted in piece.where:
                size = jnp.where(self._number(work, key) == wanted, size, 0)
            here = places - start
            inside = (here >= 0) & (here < size)
            shown = jnp.where(inside, word[jnp.clip(here, 0, table.shape[1] - 1)], shown)
            start = start + size
        return shown

    def _at_once(self, work: Work) -> Any:
        """Find for each byte in which piece it lies, and what stands there."""
        told = (key for each in self.pieces for key in (each.key, *dict(each.where)))
        keys = list(dict.fromkeys(key for key in told if key is not None))
        at: dict[ir.Key | None, int] = {key: place for place, key in enumerate(keys)}
        at[None] = len(keys)  # where 0 stands
        numbers = jnp.stack([self._number(work, key) for key in [*keys, None]])
        depth = max(len(each.where) for each in self.pieces)
        wanted = [[*each.where, *[(None, 0)] * (depth - len(each.where))] for each in self.pieces]
        slots = np.array([[at[key] for key, _ in each] for each in wanted], np.int32)
        values = np.array([[value for _, value in each] for each in wanted], np.int32)
        is_meant = (numbers[slots] == values).all(-1)
        words = [word for each in self.pieces for word in each.words]
        first = np.cumsum([0, *(len(each.words) for each in self.pieces)][:-1], dtype=np.int32)
        word = first + numbers[np.array([at[each.key] for each in self.pieces], np.int32)]
        size = jnp.where(is_meant, jnp.asarray(_sizes(words))[word], 0)
        ends = jnp.cumsum(size, dtype=np.int32)
        places = np.arange(self.length, dtype=np.int32)
        piece = _count_until(ends, places)
        begins = np.cumsum([0, *_sizes(words)][:-1], dtype=np.int32)
        start = jnp.asarray(begins)[word] - (ends - size)
        text = jnp.asarray(np.frombuffer(b"".join(words), np.uint8))
        return jnp.where(places < ends[-1], text[start[piece] + places], np.uint8(0))


def _count_until(ends: Any, places: Any) -> Any:
    """Return how many growing numbers are not above each place, the last but one at most, by halving."""
    found = jnp.zeros(places.shape, np.int32)
    for step in [2**power for power in reversed(range(int(ends.shape[0]).bit_length()))]:
        after = found + np.int32(step)
        is_past = (after < ends.shape[0]) & (ends[jnp.minimum(after, ends.shape[0]) - 1] <= places)
        found = jnp.where(is_past, after, found)
    return found


def _pieces(program: Program, text: str, where: tuple[tuple[ir.Key, int], ...]) -> Iterator[Piece]:
    """Yield the pieces of a text in order, of all texts that may stand in it."""
    for place, part in enumerate(re.split(r"\{([^{}]*)\}", text)):
        key, words = _words(program, part) if place % 2 else (None, [part])
        if key is not None and any("{" in word for word in words):
            for number, word in enumerate(words):
                yield from _pieces(program, word, (*where, (key, number)))
        elif any(words):
            yield Piece(where, key, tuple(word.encode() for word in words))


def _sizes(words: Sequence[bytes]) -> Any:
    return np.array([len(word) for word in words], np.int32)


def _as_table(words: Sequence[bytes]) -> Any:
    widest = max(map(len, words))
    return np.array([list(word.ljust(widest, b"\0")) for word in words], np.uint8)


def _words(program: Program, name: str) -> tuple[Any, list[str]]:
    """Return the slot of a name in a mission and the words for its numbers; no slot where it is always the same."""
    for info in program.names:
        if info.name == name:
            (slot,) = (slot for slot in program.slots if slot.key == info.slot)
            if info.form == "words":
                return slot.key, list(info.words)
            if info.form == "bool":
                return slot.key, ["false", "true"]
            if slot.low < 0 or slot.high >= MOST_NUMBERS:
                why = (
                    f"its mission shows `{name}`, from {slot.low} to {slot.high}; give it a range of "
                    f"0..{MOST_NUMBERS - 1} at most, or leave it out of the mission"
                )
                raise Unsuitable(program, why, "mission", name)
            return slot.key, [str(number) for number in range(slot.high + 1)]
    return None, [params_told(program).get(name, name)]
