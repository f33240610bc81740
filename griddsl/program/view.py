"""What a creature's plug-in is given: the world at this moment, read from the state of one environment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from griddsl.compass import COMPASS
from griddsl.diagnostics import Refused
from griddsl.program import keys
from griddsl.program.program import KindInfo, PlugIn, Program
from griddsl.program.runtime import draw
from griddsl.program.stream import Stream
from griddsl.refused import whole_number

MOVERS_GROUP = "griddsl.movers"


@dataclass(frozen=True, slots=True)
class Thing:
    """An object or an agent: its kind, its cell, and its attributes as the spec writes them."""

    kind: str
    x: int
    y: int
    attributes: dict[str, int | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class View:
    """What a plug-in that moves a creature may look at; nothing of it changes the world.

    ``tiles[y][x]`` is the kind of ground; ``objects`` and ``agents`` are those on the map, in order of creation;
    ``me`` is the creature; ``free`` are the directions in which it could go now, of all eight.
    """

    width: int
    height: int
    tiles: tuple[tuple[str, ...], ...]
    objects: tuple[Thing, ...]
    agents: tuple[Thing, ...]
    me: Thing
    free: tuple[str, ...]
    stream: Stream = field(repr=False)

    def draw(self, n: int) -> int:
        """Return a number from 0 to ``n - 1`` from the environment's own stream, each with the same chance.

        ``n`` is a whole number from 1 to 2^32; anything else is a `ValueError`.
        """
        return draw(self.stream, whole_number("how many numbers to draw among", n, 1, 2**32))


def mover(program: Program, plug_in: PlugIn, choose: Callable[[View], str | None]) -> Callable[..., int]:
    """Return what the program calls for a plug-in: the code of the direction that it chooses, -1 for none."""

    def way(s: Sequence[int], f: Sequence[float], r: Stream, thing: int, free: int) -> int:
        chosen = choose(_view(program, s, r, thing, free))
        if chosen is None:
            return -1
        if chosen not in COMPASS:
            known = ", ".join(COMPASS)
            said = f"the plug-in {plug_in.name!r} returned {chosen!r:.60}; a direction is one of {known}, or None"
            raise Refused(f"{said}{plug_in.asked}")
        return COMPASS.index(chosen)

    return way


def _view(program: Program, s: Sequence[int], r: Stream, thing: int, free: int) -> View:
    offsets, width, cells = program.layout.offsets, program.width, program.cells
    kinds = {kind.code: kind for kind in program.kinds}
    ground = s[offsets[keys.TILE] : offsets[keys.TILE] + cells] if keys.TILE in offsets else program.ground[0]
    names = [kinds[int(code)].name for code in ground]
    (places,) = (slot for slot in program.slots if slot.key == keys.OBJECT_CELL)
    at, kind_at = offsets[keys.OBJECT_CELL], offsets[keys.OBJECT_KIND]
    objects = {
        index: _thing(program, kinds[s[kind_at + index]], s[at + index], index, s)
        for index in range(places.length)
        if s[at + index] >= 0 and s[kind_at + index] >= 0
    }
    by_name = {kind.name: kind for kind in program.kinds}
    first = offsets.get(keys.AGENT_CELL)  # None where they stand nowhere
    agents = [
        _thing(program, by_name[name], s[first + index], index, s)
        for index, name in enumerate(program.agents if first is not None else ())
        if first is not None and s[first + index] >= 0
    ]
    return View(
        width=width,
        height=program.height,
        tiles=tuple(tuple(names[row * width : (row + 1) * width]) for row in range(program.height)),
        objects=tuple(objects.values()),
        agents=tuple(agents),
        me=objects[thing],
        free=tuple(word for code, word in enumerate(COMPASS) if free >> code & 1),
        stream=r,
    )


def _thing(program: Program, kind: KindInfo, cell: int, index: int, s: Sequence[int]) -> Thing:
    attributes: dict[str, int | str] = {}
    for attribute in kind.attributes:
        if attribute.is_slot:
            value = s[program.layout.offsets[attribute.holder] + index]
            attributes[attribute.name] = attribute.words[value] if attribute.words else value
    return Thing(kind.name, cell % program.width, cell // program.width, attributes)
