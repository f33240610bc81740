"""The painter: from a state to a `Scene`, the plain data that every picture is drawn from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from griddsl.compass import CARDINALS
from griddsl.program import keys
from griddsl.program.ir import Key
from griddsl.program.program import AttributeInfo, KindInfo, Program
from griddsl.render.apart import told_apart
from griddsl.render.laid import laid_policy, laid_values
from griddsl.render.looks import ground_of, look_of
from griddsl.render.scene import Scene, Sprite


class Painter:
    """Draws the states of one program; sprites are made once for each distinct look."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._offsets = program.layout.offsets
        self._lengths = {slot.key: slot.length for slot in program.slots}
        self._tables = {table.key: table.values for table in program.tables}
        self._sprites: dict[tuple[int, tuple[int, ...], int, str], Sprite] = {}
        kinds = told_apart(program.kinds)
        self._kinds = {kind.code: kind for kind in kinds}
        # Tiles that look the same everywhere, which most are, need no closer look.
        self._plain: dict[int, tuple[Sprite, ...]] = {
            kind.code: _with_ground(_make_sprite(kind, (), -1, kind.glyph))
            for kind in kinds
            if kind.category == "tile" and not kind.attributes and not kind.glyphs
        }
        self._agents = [next(kind for kind in kinds if kind.name == name) for name in program.agents]

    def scene(self, s: Sequence[int], values: Any = None, policy: Any = None) -> Scene:
        """Return the scene of a state.

        ``values`` is a ``(height, width)`` array, or one number a cell; ``policy`` gives each cell an action, none, or
        several: see `laid_policy`.
        """
        program = self._program
        plain = self._plain
        stacks: list[tuple[Sprite, ...]] = [
            plain[code] if code in plain else _with_ground(self._sprite(code, cell, s, -1, cell))
            for cell, code in enumerate(self._tiles(s))
        ]
        for slot in program.layers:
            self._put_objects(stacks, slot, s)
        self._put_agents(stacks, s)
        level = s[self._offsets[keys.LEVEL]] if keys.LEVEL in self._offsets else 0
        return Scene(
            program.width,
            program.height,
            tuple(stacks),
            program.barriers[level],
            laid_values(program, values),
            laid_policy(program, policy),
        )

    def _put_agents(self, stacks: list[tuple[Sprite, ...]], s: Sequence[int]) -> None:
        """Put the agents on top; where several stand in one cell, they stand side by side."""
        there: dict[int, list[Sprite]] = {}
        for index, kind in enumerate(self._agents):
            cell = s[self._offsets[keys.AGENT_CELL] + index] if keys.AGENT_CELL in self._offsets else -1
            is_out = keys.OUT in self._offsets and s[self._offsets[keys.OUT] + index] != 0
            if cell >= 0 and not is_out:
                facing = s[self._offsets[keys.FACING] + index] if keys.FACING in self._offsets else -1
                there.setdefault(cell, []).append(self._sprite(kind.code, index, s, facing, cell))
        for cell, sprites in there.items():
            count = len(sprites)
            stacks[cell] += tuple(
                sprite if count == 1 else sprite.sharing(number, count)
                for number, sprite in enumerate(sprites)
            )

    def _tiles(self, s: Sequence[int]) -> Sequence[int]:
        if keys.TILE in self._lengths:
            at = self._offsets[keys.TILE]
            return s[at : at + self._program.cells]
        return self._program.ground[0]

    def _put_objects(self, stacks: list[tuple[Sprite, ...]], layer: Key, s: Sequence[int]) -> None:
        if layer not in self._offsets:
            return
        at, kinds = self._offsets[layer], self._offsets[keys.OBJECT_KIND]
        for cell, thing in enumerate(s[at : at + self._program.cells]):
            if thing >= 0 and s[kinds + thing] >= 0:  # a state that is set may speak of things that it lacks
                stacks[cell] += (self._sprite(s[kinds + thing], thing, s, -1, cell),)

    def _sprite(self, code: int, index: int, s: Sequence[int], facing: int, cell: int) -> Sprite:
        kind = self._kinds[code]
        attributes = tuple(self._attribute(attribute, index, s) for attribute in kind.attributes)
        glyph = self._glyph(kind, attributes, facing, s, cell) if kind.glyphs else kind.glyph
        key = (code, attributes, facing, glyph)
        found = self._sprites.get(key)
        if found is None:
            found = self._sprites[key] = _make_sprite(kind, attributes, facing, glyph)
        return found

    def _glyph(
        self, kind: KindInfo, attributes: tuple[int, ...], facing: int, s: Sequence[int], cell: int
    ) -> str:
        """Return the glyph of the legend that fits a thing best, or its kind's."""
        own = {"facing": facing, **_by_name(kind, attributes)}
        ground = self._kinds[int(self._tiles(s)[cell])]
        below = _by_name(ground, [self._attribute(attribute, cell, s) for attribute in ground.attributes])
        for listed in kind.glyphs:
            fits = listed.ground in {None, ground.code} and all(
                own[name] == code for name, code in listed.attributes
            )
            if fits and all(below[name] == code for name, code in listed.ground_attributes):
                return listed.glyph
        return kind.glyph

    def _attribute(self, attribute: AttributeInfo, index: int, s: Sequence[int]) -> int:
        if attribute.is_slot:
            return s[self._offsets[attribute.holder] + index]
        return int(self._tables[attribute.holder][index])


def _by_name(kind: KindInfo, values: Sequence[int]) -> dict[str, int]:
    return {attribute.name: value for attribute, value in zip(kind.attributes, values, strict=True)}


def _with_ground(sprite: Sprite) -> tuple[Sprite, ...]:
    return (*ground_of(sprite), sprite)


def _make_sprite(kind: KindInfo, attributes: tuple[int, ...], facing: int, glyph: str) -> Sprite:
    shown: dict[str, str | int] = {}
    for attribute, value in zip(kind.attributes, attributes, strict=True):
        shown[attribute.name] = (
            attribute.words[value] if attribute.words and value < len(attribute.words) else value
        )
    if facing < 0 and shown.get("facing") in CARDINALS:
        facing = CARDINALS.index(str(shown["facing"]))
    direction = facing if facing >= 0 else kind.direction
    return look_of(
        kind.name,
        category=kind.category,  # type: ignore[arg-type]
        properties=kind.properties,
        attributes=shown,
        direction=direction,
        glyph=glyph,
        **said_of(kind, {"facing": facing, **_by_name(kind, attributes)}),
    )


def said_of(kind: KindInfo, own: Mapping[str, int]) -> dict[str, str | None]:
    """Return the shape, the colour and the picture that the spec gives a thing with these codes of attributes."""
    said = {"shape": kind.shape, "color": kind.color, "image": kind.image}
    for look in kind.looks:
        if all(own.get(name) == code for name, code in look.attributes):
            given = {"shape": look.shape, "color": look.color, "image": look.image}
            if look.shape is not None:
                said["image"] = None  # a shape takes the place of a picture
            said |= {name: value for name, value in given.items() if value is not None}
    return said
