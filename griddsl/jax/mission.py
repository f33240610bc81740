"""Missions as characters: the words of this episode, found from the numbers of the state."""

from __future__ import annotations

import re
from typing import Any

import jax.numpy as jnp
import numpy as np

from griddsl.backends.jax.machine import Machine, Work
from griddsl.backends.jax.suitable import Unsuitable
from griddsl.program.program import Program
from griddsl.program.spaces import Leaf, Text

MOST_NUMBERS = 4_096  # that a name in a mission may have


class Mission:
    """The task of an episode as bytes of UTF-8, ``(length,)`` uint8, zeros after its end."""

    def __init__(self, machine: Machine, leaf: Leaf) -> None:
        self.machine = machine
        space: Any = leaf.space
        self.length = space.length if isinstance(space, Text) else space.shape[0]
        self.parts = self._parts(machine.program.mission or "")

    def _parts(self, text: str) -> list[tuple[Any, ...]]:
        """Return the parts of a text: the slot that says which of its words each is now, and these as rows of bytes.

        Of texts with names of their own it is the parts of each that follow the slot, and no bytes.
        """
        found: list[tuple[Any, ...]] = []
        for place, part in enumerate(re.split(r"\{([^{}]*)\}", text)):
            key, words = _words(self.machine.program, part) if place % 2 else (None, [part])
            if key is not None and any("{" in word for word in words):
                found.append((key, [self._parts(word) for word in words], None))
                continue
            rows = [word.encode() for word in words]
            widest = max(map(len, rows))
            if widest:
                table = np.array([list(row.ljust(widest, b"\0")) for row in rows], np.uint8)
                found.append((key, table, np.array([len(row) for row in rows], np.int32)))
        return found

    def read(self, work: Work) -> Any:
        """Return the mission of a state."""
        return self._written(work, self.parts, jnp.zeros(self.length, np.uint8), np.int32(0))[0]

    def _written(self, work: Work, parts: list[tuple[Any, ...]], shown: Any, start: Any) -> tuple[Any, Any]:
        """Return the bytes with these parts written from a place on, and the place behind them."""
        places = jnp.arange(self.length, dtype=np.int32)
        for key, table, sizes in parts:
            number = 0 if key is None else self.machine.slot(work, key).astype(np.int32)
            if sizes is None:
                texts = [self._written(work, inner, shown, start) for inner in table]
                shown = jnp.stack([text for text, _ in texts])[number]
                start = jnp.stack([jnp.asarray(end) for _, end in texts])[number]
                continue
            word, size = jnp.asarray(table)[number], jnp.asarray(sizes)[number]
            here = places - start
            inside = (here >= 0) & (here < size)
            shown = jnp.where(inside, word[jnp.clip(here, 0, table.shape[1] - 1)], shown)
            start = start + size
        return shown, start


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
    value: Any = program.metadata.get("params", {}).get(name, name)  # type: ignore[attr-defined]
    return None, [str(value).lower() if isinstance(value, bool) else str(value)]
