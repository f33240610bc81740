"""The files of Tiled (``.tmx`` with ``.tsx``) and LDtk (``.ldtk``): data of strangers, read within bounds."""

from __future__ import annotations

import base64
import binascii
import json
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any
from xml.parsers import expat

from griddsl.source import Source

ENDINGS = (".tmx", ".ldtk")
MOST_CELLS = 1_000_000
MOST_LEVELS = 1_000
MOST_ELEMENTS = 400_000
MOST_DEPTH = 40
MOST_LAYERS = 64
# Alike for plain letters.
_ENCODINGS = {"utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "latin-1", "windows-1252"}
_NUMBER_OF_TILE = 0x0FFFFFFF  # the upper four bits of a tile's number say how it is turned


class BadLevelFile(Exception):
    """What is wrong with a level file: the reason, in which line (0 where none is known), and what to do."""

    def __init__(self, reason: str, line: int = 0, help: str | None = None) -> None:
        super().__init__(reason)
        self.reason, self.line, self.help = reason, line, help


@dataclass(frozen=True, slots=True)
class DrawnLevel:
    """A level: for each cell, row after row, the names of what stands in it, lowest first."""

    title: str
    width: int
    height: int
    cells: list[list[str]]
    line: int = 0


def drawn_in(file: Source, others: Mapping[str, Source]) -> list[DrawnLevel]:
    """Return the levels of a file. Raises `BadLevelFile`; ``others`` are the files that it may name, by their paths."""
    if file.name.lower().endswith(".tmx"):
        return [_tiled(file, others)]
    return _ldtk(file)


def _sized(title: str, width: int, height: int, line: int = 0) -> DrawnLevel:
    if min(width, height) < 1 or width * height > MOST_CELLS:
        raise BadLevelFile(f"a level of {width} x {height} cells; a map has 1 to {MOST_CELLS:,}", line)
    return DrawnLevel(title, width, height, [[] for _ in range(width * height)], line)


# Tiled


@dataclass(slots=True)
class _Element:
    """An element of XML: no more than what a map needs."""

    name: str
    attributes: dict[str, str]
    line: int
    parts: list[_Element] = field(default_factory=list)
    text: str = ""

    def number(self, name: str, default: float | None = None) -> float:
        try:
            value = float(self.attributes[name])
            if not abs(value) <= 2**32:
                raise ValueError
        except (KeyError, ValueError):
            if default is not None and name not in self.attributes:
                return default
            given = self.attributes.get(name, "")[:40]
            raise BadLevelFile(f"<{self.name[:40]}> has no number {name}: `{given}`", self.line) from None
        return value

    def whole(self, name: str, default: int | None = None) -> int:
        return int(self.number(name, default))

    def each(self, *names: str) -> Iterator[_Element]:
        return (part for part in self.parts if part.name in names)


def _elements(file: Source) -> _Element:
    """Read XML without declarations of types and entities, which no map has and which could blow up."""
    root = _Element("", {}, 0)
    open_ones = [root]
    count = 0
    parser = expat.ParserCreate("utf-8")  # as which the text was read, whatever it says of itself

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > MOST_ELEMENTS or len(open_ones) > MOST_DEPTH:
            raise BadLevelFile("it has too many parts for a map", parser.CurrentLineNumber)
        element = _Element(name, attributes, parser.CurrentLineNumber)
        open_ones[-1].parts.append(element)
        open_ones.append(element)

    def end(_: str) -> None:
        open_ones.pop()

    def text(data: str) -> None:
        if open_ones[-1].name in {"data", "chunk", "property"}:
            pieces.setdefault(id(open_ones[-1]), (open_ones[-1], []))[1].append(data)

    def declares(*_: Any) -> None:
        raise BadLevelFile(
            "it declares a document type, which could make it grow without bound", parser.CurrentLineNumber,
            "take the line with `<!DOCTYPE` out: Tiled writes none",
        )  # fmt: skip

    def says(_: str, encoding: str | None, __: int) -> None:
        if encoding is not None and encoding.lower() not in _ENCODINGS:
            raise BadLevelFile(
                f"it says that it is written in `{encoding[:40]}`, not in UTF-8", 1, "save it again in Tiled"
            )

    pieces: dict[int, tuple[_Element, list[str]]] = {}
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = text
    parser.XmlDeclHandler = says
    parser.StartDoctypeDeclHandler = declares
    parser.EntityDeclHandler = declares
    try:
        parser.Parse(file.text.encode(), True)
    except expat.ExpatError as error:
        reason = f"it is no XML: {expat.errors.messages.get(error.code, 'broken')}"
        raise BadLevelFile(reason, error.lineno, "save it again in Tiled") from None
    for element, found in pieces.values():
        element.text = "".join(found)
    return root.parts[0] if root.parts else root


def _tiled(file: Source, others: Mapping[str, Source]) -> DrawnLevel:
    board = _elements(file)
    if board.name != "map":
        raise BadLevelFile(f"it begins with <{board.name[:40]}>, and a map of Tiled with <map>", board.line)
    if board.attributes.get("orientation", "orthogonal") != "orthogonal":
        raise BadLevelFile("its cells are no squares", board.line, "make the map orthogonal in Tiled")
    if board.attributes.get("infinite", "0") != "0":
        raise BadLevelFile(
            "the map is infinite", board.line, "take `Infinite` out of the map's properties in Tiled"
        )
    title = PurePosixPath(file.name.replace("\\", "/")).stem
    level = _sized(title, board.whole("width"), board.whole("height"), board.line)
    names = _tile_names(board, others)
    cell_size = (board.number("tilewidth", 1), board.number("tileheight", 1))
    if min(cell_size) <= 0:
        raise BadLevelFile("its tiles have no size", board.line)
    layers = list(_visible_layers(board))
    if len(layers) > MOST_LAYERS:
        raise BadLevelFile(f"it has {len(layers)} layers; at most {MOST_LAYERS}", layers[MOST_LAYERS].line)
    for layer in layers:
        if layer.name == "layer":
            for cell, number in enumerate(_tile_numbers(layer, level)):
                if number:
                    level.cells[cell].append(_named(names, number, layer.line))
        else:
            for thing in layer.each("object"):
                _put_object(level, thing, names, cell_size)
    return level


def _visible_layers(part: _Element) -> Iterator[_Element]:
    for layer in part.each("layer", "objectgroup", "group"):
        if layer.attributes.get("visible", "1") == "0":
            continue
        if layer.name == "group":
            yield from _visible_layers(layer)
        else:
            yield layer


def _put_object(
    level: DrawnLevel,
    thing: _Element,
    names: list[tuple[int, dict[int, str]]],
    cell_size: tuple[float, float],
) -> None:
    """Put an object into its cell: pixels from its upper left corner, from the lower left one where it is a tile."""
    number = thing.whole("gid", 0) & _NUMBER_OF_TILE
    name = _kind_of(thing) or thing.attributes.get("name", "")
    if not name:
        if not number:
            raise BadLevelFile(
                "an object has no name", thing.line, "give it a class, such as `key`, in Tiled"
            )
        name = _named(names, number, thing.line)
    x, y = thing.number("x") / cell_size[0], thing.number("y") / cell_size[1]
    x, y = (
        x + thing.number("width", 0) / cell_size[0] / 2,
        y + (-0.5 if number else thing.number("height", 0) / cell_size[1] / 2),
    )
    if not (0 <= x < level.width and 0 <= y < level.height):
        raise BadLevelFile(f"`{name[:40]}` lies outside of the map", thing.line)
    level.cells[int(y) * level.width + int(x)].append(name)


def _tile_names(board: _Element, others: Mapping[str, Source]) -> list[tuple[int, dict[int, str]]]:
    """Return each tile set: the number of its first tile, and the names of its tiles by their own numbers."""
    found = []
    for part in board.each("tileset"):
        first, tiles = part.whole("firstgid"), part
        source = part.attributes.get("source")
        if source is not None:
            if source not in others:
                help = "save the tile set beside the map, or embed it: `Embed Tileset` in Tiled"
                raise BadLevelFile(
                    f"there is no tile set `{source[:100]}` in the spec's folder", part.line, help
                )
            try:
                tiles = _elements(others[source])
            except BadLevelFile as error:
                raise BadLevelFile(f"`{source[:100]}`: {error.reason}", part.line, error.help) from None
        found.append((first, {tile.whole("id"): _name_of_tile(tile) for tile in tiles.each("tile")}))
    return sorted(found, key=lambda each: each[0])


def _kind_of(part: _Element) -> str:
    for properties in part.each("properties"):
        for one in properties.each("property"):
            if one.attributes.get("name", "").casefold() in {"kind", "glyph"}:
                return one.attributes.get("value", one.text).strip()
    return part.attributes.get("class") or part.attributes.get("type") or ""


def _name_of_tile(tile: _Element) -> str:
    """Return the name of a tile: its property `kind`, its class, or the name of its picture."""
    image = next(tile.each("image"), None)
    picture = (
        "" if image is None else PurePosixPath(image.attributes.get("source", "").replace("\\", "/")).stem
    )
    return _kind_of(tile) or picture


def _named(names: list[tuple[int, dict[int, str]]], number: int, line: int) -> str:
    tiles = next(((first, tiles) for first, tiles in reversed(names) if first <= number), None)
    name = "" if tiles is None else tiles[1].get(number - tiles[0], "")
    if not name:
        own = number if tiles is None else number - tiles[0]
        raise BadLevelFile(
            f"tile {own} has no name", line, "give it a class in Tiled, such as `wall`, or a property `kind`"
        )
    return name


def _tile_numbers(layer: _Element, level: DrawnLevel) -> list[int]:
    data = next(layer.each("data"), None)
    cells = level.width * level.height
    if data is None:
        return []
    encoding, packing = data.attributes.get("encoding"), data.attributes.get("compression", "")
    try:
        if encoding is None:
            numbers = [part.whole("gid", 0) for part in data.each("tile")]
        elif encoding == "csv":
            numbers = [int(text) for text in data.text.split(",", cells) if text.strip()]
        elif encoding == "base64" and packing in {"", "zlib", "gzip"}:
            content = base64.b64decode(data.text.strip(), validate=True)
            if packing:
                unpacking = zlib.decompressobj(47)  # zlib's form or gzip's
                content = unpacking.decompress(content, 4 * cells + 1)
            numbers = list(struct.unpack(f"<{cells}I", content))
        else:
            raise BadLevelFile(
                f"tiles in the form {encoding[:20]} {packing[:20]} cannot be read", data.line,
                "choose CSV as `Tile Layer Format` in the map's properties in Tiled",
            )  # fmt: skip
    except (ValueError, binascii.Error, zlib.error, struct.error):
        raise BadLevelFile(
            "the tiles of a layer cannot be read", data.line, "save it again in Tiled"
        ) from None
    if len(numbers) != cells:
        raise BadLevelFile(f"a layer has {len(numbers)} tiles, and the map {cells} cells", data.line)
    return [number & _NUMBER_OF_TILE for number in numbers]


# LDtk


def _ldtk(file: Source) -> list[DrawnLevel]:
    try:
        project = json.loads(file.text)
        levels = [_ldtk_level(found, project) for found in _levels_of(project)]
    except json.JSONDecodeError as error:
        raise BadLevelFile(
            f"it is no JSON: {error.msg.lower()}", error.lineno, "save it again in LDtk"
        ) from None
    except RecursionError:
        raise BadLevelFile("it has too many parts in one another for a project of LDtk") from None
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
        raise BadLevelFile("it does not have the form of LDtk 1", 0, "save it again in LDtk 1") from None
    if not levels:
        raise BadLevelFile("it has no level")
    return levels


def _levels_of(project: Any) -> list[Any]:
    if not isinstance(project, dict) or "levels" not in project or "defs" not in project:
        raise BadLevelFile("it does not have the form of LDtk 1", 0, "save it again in LDtk 1")
    found = list(project["levels"])
    for world in project.get("worlds") or ():
        found.extend(world["levels"])
    if len(found) > MOST_LEVELS:
        raise BadLevelFile(f"it has {len(found)} levels; at most {MOST_LEVELS:,}")
    return found


def _ldtk_level(found: Any, project: Any) -> DrawnLevel:
    title = _text(found["identifier"])
    layers = found.get("layerInstances")
    if layers is None:
        help = "take `Save levels to separate files` out of the project's settings in LDtk"
        raise BadLevelFile(f"the level `{title[:60]}` lies in a file of its own", 0, help)
    if not layers:
        raise BadLevelFile(f"the level `{title[:60]}` has no layers")
    if len(layers) > MOST_LAYERS:
        raise BadLevelFile(f"it has {len(layers)} layers; at most {MOST_LAYERS}")
    sizes = {(int(layer["__cWid"]), int(layer["__cHei"])) for layer in layers}
    if len(sizes) > 1:
        raise BadLevelFile(
            f"the layers of `{title[:60]}` have cells of several sizes", 0, "give all layers one grid size"
        )
    level = _sized(title, *sizes.pop())
    values = {
        (layer["uid"], value["value"]): _text(value.get("identifier"))
        for layer in project["defs"]["layers"]
        for value in layer.get("intGridValues") or ()
    }
    tiles = _ldtk_tiles(project)
    for layer in reversed(layers):  # the first is on top
        if not layer.get("visible", True):
            continue
        _ldtk_layer(level, layer, values, tiles)
    return level


def _text(value: Any) -> str:
    """Return a name; empty where there is none, as LDtk writes it. Raises `TypeError` for anything else."""
    if value is not None and not isinstance(value, str):
        raise TypeError
    return value or ""


def _ldtk_tiles(project: Any) -> dict[tuple[int, int], str]:
    """Return the names of tiles, by tile set and number: their enum tag, or their own data."""
    found: dict[tuple[int, int], str] = {}
    for tiles in project["defs"].get("tilesets") or ():
        for data in tiles.get("customData") or ():
            found[tiles["uid"], data["tileId"]] = _text(data["data"]).strip()
        for tag in tiles.get("enumTags") or ():
            found.update({(tiles["uid"], number): _text(tag["enumValueId"]) for number in tag["tileIds"]})
    return found


def _ldtk_layer(
    level: DrawnLevel, layer: Any, values: Mapping[tuple[int, int], str], tiles: Mapping[tuple[int, int], str]
) -> None:
    for cell, value in enumerate(layer.get("intGridCsv") or ()):
        if value:
            name = values.get((layer["layerDefUid"], value), "")
            if not name:
                help = "give the value a name, such as `wall`, in the layer's settings in LDtk"
                raise BadLevelFile(
                    f"the value {value} of `{str(layer['__identifier'])[:40]}` has no name", 0, help
                )
            level.cells[cell].append(name)
    size = layer["__gridSize"]
    for tile in layer.get("gridTiles") or ():
        name = tiles.get((layer["__tilesetDefUid"], tile["t"]), "")
        if not name:
            help = "give it an enum tag, such as `wall`, in the tile set in LDtk"
            raise BadLevelFile(
                f"tile {int(tile['t'])} of `{str(layer['__identifier'])[:40]}` has no name", 0, help
            )
        x, y = tile["px"][0] // size, tile["px"][1] // size
        _ldtk_put(level, name, x, y)
    for thing in layer.get("entityInstances") or ():
        _ldtk_put(level, _text(thing["__identifier"]), *thing["__grid"])


def _ldtk_put(level: DrawnLevel, name: str, x: int, y: int) -> None:
    if not (0 <= x < level.width and 0 <= y < level.height):
        raise BadLevelFile(f"`{name[:40]}` lies outside of the level `{level.title[:60]}`")
    level.cells[int(y) * level.width + int(x)].append(name)
