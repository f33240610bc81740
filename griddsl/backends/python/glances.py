"""Glances: views in Python, which look at all cells of the ground at once, and remember what they saw.

From where the agent stands, one call takes the tiles of all cells in sight. What they look like, and where light goes
among them, is reckoned once for each pattern of tiles and of things that stop light; the same patterns come again and
again. Things are painted over it, one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

from griddsl.compass import STEPS
from griddsl.program import ir
from griddsl.program.printer import Printer, printer_of
from griddsl.program.program import Program

MOST_POSES = 4_096
MOST_PICTURES = 8_192

Numbers = tuple[int, ...]
Taken = Callable[[Sequence[int]], Numbers]


class Pose(NamedTuple):
    """What is seen from a cell, looking in a direction.

    ``things`` has the place of each cell that is seen, or takes what the layer has for these cells, where things are
    many; ``tiles`` takes their tiles. ``window`` are their places.
    """

    things: dict[int, int] | Taken
    tiles: Taken
    window: Numbers


class Poses(dict[int, Pose]):
    """The poses of a glance, by direction and cell, made when they are first taken."""

    def __init__(self, program: Program, glance: ir.Glance) -> None:
        self._program, self._glance = program, glance

    def __missing__(self, key: int) -> Pose:
        if len(self) >= MOST_POSES:
            self.clear()
        made = self[key] = self._made(*divmod(key, self._program.cells))
        return made

    def _made(self, turn: int, here: int) -> Pose:
        program, glance = self._program, self._glance
        x, y, (dx, dy) = here % program.width, here // program.width, STEPS[turn]
        places: dict[int, int] = {}
        for place in range(glance.rows * glance.columns):
            row, column = _row_and_column(glance, place)
            ahead, right = glance.agent_row - row, column - glance.agent_column
            to_x, to_y = x + ahead * dx - right * dy, y + ahead * dy + right * dx
            if 0 <= to_x < program.width and 0 <= to_y < program.height:
                places[to_y * program.width + to_x] = place
        seen = list(places)
        fixed = tuple(glance.fixed[cell] for cell in seen) if glance.tiles is None else ()
        return Pose(
            self._taken(glance.layer, seen) if glance.layer is not None and goes_by_cells(glance) else places,
            (lambda _: fixed) if glance.tiles is None else self._taken(glance.tiles, seen),
            tuple(places.values()),
        )

    def _taken(self, slot: ir.Slot, cells: list[int]) -> Taken:
        """Return what takes the numbers of cells from a state."""
        start = self._program.layout.offsets[slot.key]
        if len(cells) == 1:
            return lambda s: (s[start + cells[0]],)
        taken: Taken = itemgetter(*(start + cell for cell in cells))
        return taken


def goes_by_cells(glance: ir.Glance) -> bool:
    """Whether things may be more than the cells in sight, so that these are gone through, and not all things."""
    return isinstance(glance.count, ir.Const) and glance.count.high > glance.rows * glance.columns


class Pictures(dict[tuple[Numbers, Numbers, int], tuple[bytes, int]]):
    """What the ground looks like, and a bit for each place that is lit, by tiles, window and what stops light there."""

    def __init__(self, glance: ir.Glance) -> None:
        self._glance = glance
        self._size = glance.rows * glance.columns
        # Bytes for places: 0 for what is not seen, the codes of kinds from 1 on, and then what lies off the grid.
        shown = ((glance.unseen,) * len(glance.off), *glance.ground, glance.off)
        self._channels = [bytes(channel).ljust(256, b"\0") for channel in zip(*shown, strict=True)]
        self._seen = bytes(range(1, 256)) + b"\0"
        self._off = len(glance.ground)
        self._clear = bytes(b"10"[stops] for stops in (*glance.opaque, 1)).ljust(256, b"0")
        self._cone = _places(glance, partial(_is_in_cone, glance))
        self._rows = [_places(glance, partial(_is_in_row, number)) for number in range(glance.rows)]

    def __missing__(self, key: tuple[Numbers, Numbers, int]) -> tuple[bytes, int]:
        if len(self) >= MOST_PICTURES:
            self.clear()
        made = self[key] = self._made(*key)
        return made

    def _made(self, tiles: Numbers, window: Numbers, stops: int) -> tuple[bytes, int]:
        codes = bytes(tiles)
        if len(tiles) < self._size:
            whole = bytearray((self._off,)) * self._size
            for place, code in zip(window, codes, strict=True):
                whole[place] = code
            codes = bytes(whole)
        lit = self._cone
        if self._glance.occluded:
            lit &= self._lit(int(codes.translate(self._clear)[::-1], 2) & ~stops)
        # A byte of ones for each place that is lit lets its code through.
        mask = int.from_bytes(f"{lit:0{self._size}b}".encode().translate(_ONES), "big")
        seen = (int.from_bytes(codes.translate(self._seen), "little") & mask).to_bytes(self._size, "little")
        picture = bytearray(self._size * len(self._channels))
        for channel, numbers in enumerate(self._channels):
            picture[channel :: len(self._channels)] = seen.translate(numbers)
        return bytes(picture), lit

    def _lit(self, clear: int) -> int:
        """Return a bit for each place that light comes to, of those that it passes through.

        The rule is MiniGrid's: from a lit cell that is not opaque, light spreads to its neighbours in the row and to
        the three cells next to it in the row beyond, ahead of the agent and behind.
        """
        glance, found = self._glance, 0
        aside, down = (glance.rows, 1) if glance.by_columns else (1, glance.columns)
        agent = 1 << glance.agent_column * aside + glance.agent_row * down
        ahead, behind = range(glance.agent_row, -1, -1), range(glance.agent_row, glance.rows)
        for rows in (ahead, behind) if len(behind) > 1 else (ahead,):
            lit = agent
            for row in rows:
                places = self._rows[row]
                through = clear & places
                bright = lit & through
                while True:
                    sides = bright | bright << aside | bright >> aside
                    if sides & through == bright:
                        break
                    bright = sides & through
                beyond = sides & places
                found |= lit | beyond
                lit = beyond >> down if rows is ahead else beyond << down
                if not lit:
                    break
        return found


_ONES = bytes(255 * (byte == ord("1")) for byte in range(256))


def _row_and_column(glance: ir.Glance, place: int) -> tuple[int, int]:
    if glance.by_columns:
        column, row = divmod(place, glance.rows)
        return row, column
    return divmod(place, glance.columns)


def _places(glance: ir.Glance, test: Callable[[int, int], bool]) -> int:
    """Return a bit for each place whose row and column pass a test."""
    size = glance.rows * glance.columns
    return sum(1 << place for place in range(size) if test(*_row_and_column(glance, place)))


def _is_in_row(number: int, row: int, _: int) -> bool:
    return row == number


def _is_in_cone(glance: ir.Glance, row: int, column: int) -> bool:
    aside = abs(column - glance.agent_column)
    return not glance.cone or aside * glance.cone <= glance.agent_row - row


@dataclass(frozen=True, slots=True)
class Glances:
    """The glances of a program by the functions that have them: their texts, and what these call."""

    program: Program
    glances: Mapping[str, ir.Glance]

    @classmethod
    def of(cls, program: Program) -> Glances:
        """Return all glances of a program."""
        leaves = [leaf for player in program.players for leaf in player.observation.leaves]
        return cls(program, {leaf.function: leaf.glance for leaf in leaves if leaf.glance is not None})

    def names(self) -> dict[str, Any]:
        """Return what the texts call."""
        found: dict[str, Any] = {}
        for name, glance in self.glances.items():
            found |= {f"POSES__{name}": Poses(self.program, glance), f"PICTURES__{name}": Pictures(glance)}
        return found

    def lines(self, function: ir.Function, taken: Set[str]) -> list[str] | None:
        """Return the lines of a function that has a glance; None for others. No local has a ``taken`` name."""
        glance = self.glances.get(function.name)
        if glance is None:
            return None
        own = [ir.Let(local.name, ir.const(0)) for local in (glance.thing, glance.pixel)]
        blocks = [*own, *glance.before, *glance.asks, *glance.shown, *glance.after]
        whole = replace(function, body=blocks)
        names = ir.names_in(whole)
        names.taken.update(taken)
        body = _body(glance, f"__{function.name}", printer_of(whole, taken), names, self.program.cells)
        return [f"def {function.name}(s, f, r, out):", f'    """{function.doc}"""', *body]


def _body(glance: ir.Glance, suffix: str, printer: Printer, names: ir.Names, cells: int) -> Iterator[str]:
    said, block = printer.expression, printer.block
    things, tiles, window, near = (names.fresh(stem) for stem in ("things", "tiles", "window", "near"))
    stops, cell, place, lit = (names.fresh(stem) for stem in ("stops", "cell", "place", "lit"))
    thing, pixel = said(glance.thing), said(glance.pixel)
    pose = ir.add(ir.mul(glance.turn, ir.const(cells)), glance.here)
    yield from block(glance.before, 1)
    yield f"    {things}, {tiles}, {window} = POSES{suffix}[{said(pose)}]"
    if glance.cells is None:
        yield f"    out[:], {lit} = PICTURES{suffix}[{tiles}(s), {window}, 0]"
        yield from block(glance.after, 1)
        return
    yield f"    {near} = []"
    yield f"    {stops} = 0"
    if goes_by_cells(glance):
        yield f"    for {place}, {thing} in zip({window}, {things}(s)):"
        yield f"        if {thing} >= 0:"
    else:
        slot = glance.cells.name
        yield f"    for {thing}, {cell} in enumerate(s[{slot} : {slot} + {said(glance.count)}]):"
        yield f"        if {cell} in {things}:"
        yield f"            {place} = {things}[{cell}]"
    yield f"            {near}.append(({thing}, {place}))"
    if glance.stops != ir.FALSE:
        yield from block(glance.asks, 3)
        yield f"            if {said(glance.stops)}:"
        yield f"                {stops} |= 1 << {place}"
    yield f"    out[:], {lit} = PICTURES{suffix}[{tiles}(s), {window}, {stops}]"
    yield f"    for {thing}, {place} in {near}:"
    yield f"        if {lit} >> {place} & 1:"
    yield f"            {pixel} = {len(glance.off)} * {place}"
    yield from block(glance.shown, 3)
    yield from block(glance.after, 1)
