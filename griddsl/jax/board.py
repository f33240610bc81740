"""The board as characters, by their numbers: what `observe: text` shows, found in arrays."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from griddsl.backends.jax.machine import Machine, Work
from griddsl.program import ir, keys
from griddsl.program.program import KindInfo
from griddsl.program.spaces import Leaf, Text
from griddsl.render.ansi import lines_of

_FIRST = 0xF0000  # stands for the first cell while text is laid out: no legend has characters of private use


class Board:
    """The text of a board as the numbers of its characters (Unicode), ``(length,)`` int32, zeros after its end."""

    def __init__(self, machine: Machine, leaf: Leaf) -> None:
        assert isinstance(leaf.space, Text)
        self.machine, self.program = machine, machine.program
        self.kinds = {kind.code: kind for kind in self.program.kinds}
        self.tables = {table.key: np.asarray(table.values) for table in self.program.tables}
        width, height = self.program.width, self.program.height
        # For each level where the characters of the cells stand; what is drawn between them is below 0.
        self.places = np.zeros((len(self.program.barriers), leaf.space.length), np.int32)
        for row, barriers in zip(self.places, self.program.barriers, strict=True):
            symbols = [chr(_FIRST + cell) for cell in range(width * height)]
            text = lines_of(symbols, width, height, barriers)
            row[:] = -1
            row[: len(text)] = [ord(c) - _FIRST if ord(c) >= _FIRST else -1 - ord(c) for c in text]

    def read(self, work: Work) -> Any:
        """Return the text of a state."""
        shown = self._cells(work)
        places = jnp.asarray(self.places[0])
        if len(self.places) > 1 and self.machine.has(keys.LEVEL):
            places = jnp.asarray(self.places)[self.machine.slot(work, keys.LEVEL)]
        return jnp.where(places >= 0, shown[jnp.maximum(places, 0)], -1 - places)

    def _cells(self, work: Work) -> Any:
        """Return the character of the topmost thing of each cell."""
        cells = np.arange(self.program.cells)
        tiles = (
            self._row(work, keys.TILE) if self.machine.has(keys.TILE) else np.asarray(self.program.ground[0])
        )
        shown = self._glyphs(work, "tile", tiles, cells, -1, tiles, cells)
        for layer in self.program.layers:
            if self.machine.has(layer):
                things = self._row(work, layer).astype(np.int32)
                kinds = self._row(work, keys.OBJECT_KIND)[jnp.maximum(things, 0)]
                glyphs = self._glyphs(work, "object", kinds, things, -1, tiles, cells)
                shown = jnp.where((things >= 0) & (kinds >= 0), glyphs, shown)
        codes = {kind.name: code for code, kind in self.kinds.items()}
        for agent, name in enumerate(self.program.agents if self.machine.has(keys.AGENT_CELL) else ()):
            cell = self.machine.slot(work, keys.AGENT_CELL, agent).astype(np.int32)
            facing = self.machine.slot(work, keys.FACING, agent) if self.machine.has(keys.FACING) else -1
            glyph = self._glyphs(work, "agent", np.int32(codes[name]), np.int32(agent), facing, tiles, cell)
            here = cells == cell
            if self.machine.has(keys.OUT):
                here = here & (self.machine.slot(work, keys.OUT, agent) == 0)
            shown = jnp.where(here, glyph, shown)
        return shown

    def _row(self, work: Work, key: ir.Key) -> Any:
        return jnp.reshape(work.walk.whole_array(self.machine.slots[key].name), -1)

    def _glyphs(
        self, work: Work, category: str, kinds: Any, things: Any, facing: Any, tiles: Any, cells: Any
    ) -> Any:
        """Return the glyph of the legend that fits each thing best, or its kind's."""
        shown: Any = np.int32(0)
        for kind in self.kinds.values():
            if kind.category != category:
                continue
            found: Any = np.int32(ord(kind.glyph))
            for listed in reversed(kind.glyphs):
                fits: Any = True
                for name, code in listed.attributes:
                    fits = fits & (self._attribute(work, kind, name, things, facing) == code)
                if listed.ground is not None:
                    fits = fits & (jnp.asarray(tiles)[cells] == listed.ground)
                    for name, code in listed.ground_attributes:
                        below = self._attribute(work, self.kinds[listed.ground], name, cells)
                        fits = fits & (below == code)
                found = jnp.where(fits, np.int32(ord(listed.glyph)), found)
            shown = jnp.where(kinds == kind.code, found, shown)
        return shown

    def _attribute(self, work: Work, kind: KindInfo, name: str, things: Any, facing: Any = -1) -> Any:
        attribute = next((each for each in kind.attributes if each.name == name), None)
        if attribute is None:
            return facing  # what all agents have
        if attribute.is_slot:
            return self._row(work, attribute.holder)[jnp.maximum(things, 0)]
        return jnp.asarray(self.tables[attribute.holder])[jnp.maximum(things, 0)]
