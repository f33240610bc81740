"""Levels drawn in Tiled and LDtk: what they hold becomes maps, and what does not fit is said with its place."""

from __future__ import annotations

import base64
import gzip
import json
import random
import re
import struct
import time
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import griddsl
from griddsl.diagnostics import Report, SpecError
from griddsl.envs.making import env_of
from griddsl.source import Source
from griddsl.spec.imports.drawn_levels import drawn_maps
from griddsl.syntax.document import Document
from griddsl.syntax.formatting.convert import to_toml
from griddsl.syntax.formatting.formatter import grid_text
from griddsl.syntax.layout import read_layout
from tests.reference.beside import assert_plays_as_defined

SPEC = """env: t/Drawn-v0
object key: portable, color in red | blue
object box: pushable
tile target:
maps: "FILES"
legend: r = key(color=red), b = key(color=blue), G = goal, "$" = box, T = target, "*" = box on target
actions: left, right, up, down, pickup
observe: grid
on enter goal: end success
limit: 20
"""
DRAWN = """#####
#@r.#
#$*G#
#b..#
#####"""
TILES = {
    "wall": 1,
    "floor": 2,
    "agent": 3,
    "key(color=red)": 4,
    "blue_key": 5,
    "goal": 6,
    "target": 7,
    "box": 8,
}
GLYPHS = {"#": "wall", ".": "floor", "@": "agent", "r": "key(color=red)", "b": "blue_key", "G": "goal"}
UPPER = {"$": "box", "*": "box"}


def numbers(below: bool) -> list[int]:
    """Return the tiles of a layer of the drawing: ground, or what stands on it."""
    found = []
    for sign in DRAWN.replace("\n", ""):
        if below:
            found.append(TILES["target"] if sign == "*" else 2 if sign in UPPER else TILES[GLYPHS[sign]])
        else:
            found.append(TILES["box"] | 0x80000000 if sign in UPPER else 0)
    return found


def data(tiles: list[int], form: str) -> str:
    """Return the tiles of a layer as Tiled writes them."""
    packed = struct.pack(f"<{len(tiles)}I", *tiles)
    match form:
        case "xml":
            return "<data>" + "".join(f'<tile gid="{tile}"/>' for tile in tiles) + "</data>"
        case "csv":
            return f'<data encoding="csv">\n{",".join(map(str, tiles))}\n</data>'
        case "zlib":
            packed = zlib.compress(packed)
        case "gzip":
            packed = gzip.compress(packed)
    packing = "" if form == "base64" else f' compression="{form}"'
    return f'<data encoding="base64"{packing}>{base64.b64encode(packed).decode()}</data>'


def tile_set(head: str = "<tileset") -> str:
    """Return a tile set: names by class, by property and by picture."""
    tiles = [f'<tile id="{number - 1}" class="{name}"/>' for name, number in TILES.items() if number < 6]
    tiles.append('<tile id="5"><properties><property name="kind" value="Goal"/></properties></tile>')
    tiles.append('<tile id="6"><image source="../art/target.png"/></tile><tile id="7" type="box"/>')
    return f"{head}>{''.join(tiles)}</tileset>"


def tiled(form: str = "csv", sets: str | None = None, more: str = "") -> str:
    """Return the drawing as a map of Tiled."""
    sets = sets or tile_set('<tileset firstgid="1"')
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<map version="1.10" orientation="orthogonal" width="5" height="5" '
        f'tilewidth="16" tileheight="16" infinite="0">\n{sets}\n'
        f'<layer id="1" name="ground" width="5" height="5">{data(numbers(True), form)}</layer>\n<group>\n'
        f'<layer id="2" name="things" width="5" height="5">{data(numbers(False), form)}</layer>\n'
        f'<layer id="3" visible="0">{data([6] * 25, form)}</layer></group>{more}</map>'
    )


def ldtk() -> dict[str, Any]:
    """Return the drawing as a project of LDtk with one level, twice."""
    names = {name: number for number, name in enumerate(("Wall", "Target", "Goal"), 1)}
    grid = [{"#": 1, "*": 2, "G": 3}.get(sign, 0) for sign in DRAWN.replace("\n", "")]
    things = {"@": "Agent", "r": "Red_key", "b": "Blue_key"}
    entities, tiles = [], []
    for place, sign in enumerate(DRAWN.replace("\n", "")):
        y, x = divmod(place, 5)
        if sign in things:
            entities.append({"__identifier": things[sign], "__grid": [x, y], "px": [x * 16, y * 16]})
        if sign in UPPER:
            tiles.append({"px": [x * 16, y * 16], "t": 9})
    common = {"__cWid": 5, "__cHei": 5, "__gridSize": 16, "visible": True}
    layers = [
        {**common, "__identifier": "Things", "entityInstances": entities},
        {**common, "__identifier": "Boxes", "__tilesetDefUid": 7, "gridTiles": tiles},
        {**common, "__identifier": "Ground", "layerDefUid": 3, "intGridCsv": grid},
    ]
    values = [{"value": number, "identifier": name} for name, number in names.items()]
    return {
        "defs": {
            "layers": [{"uid": 3, "intGridValues": values}],
            "tilesets": [{"uid": 7, "enumTags": [{"enumValueId": "Box", "tileIds": [9]}], "customData": []}],
        },
        "levels": [{"identifier": name, "layerInstances": layers} for name in ("First", "Second")],
    }


def document(text: str) -> Document:
    """Return the statements of a text."""
    return read_layout(Source("spec.grid", text), Report())


def made(folder: Path, files: str) -> Path:
    """Write the spec beside its levels."""
    path = folder / "spec.grid"
    path.write_text(SPEC.replace("FILES", files))
    return path


def wrong(folder: Path, files: str) -> Any:
    """Return what is said of the spec: one error, with a reason."""
    [found] = [each for each in griddsl.check(made(folder, files)) if each.is_error][:1]
    return found


@pytest.mark.parametrize("form", ["xml", "csv", "base64", "zlib", "gzip"])
def test_tiled__is_the_map_that_was_drawn(form: str, tmp_path: Path) -> None:
    """Each form of tiles, names by class, property and picture, two layers, tiles that are turned, hidden layers."""
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "one.tmx").write_text(tiled(form))
    spec = made(tmp_path, "levels/*.tmx")
    assert not [each for each in griddsl.check(spec) if each.is_error]
    assert env_of(spec, 0, level="one").text() == DRAWN


def test_tiled__tile_sets_of_their_own_and_objects(tmp_path: Path) -> None:
    """A tile set in a file beside it, and an object that lies in a cell."""
    thing = '<objectgroup><object id="1" class="key(color=blue)" x="50" y="50" width="8" height="8"/></objectgroup>'
    (tmp_path / "one.tmx").write_text(tiled("csv", '<tileset firstgid="1" source="tiles.tsx"/>', thing))
    (tmp_path / "tiles.tsx").write_text(tile_set())
    assert env_of(made(tmp_path, "one.tmx"), 0).text().splitlines()[3] == "#b.b#"


LAYERED = """env: t/Layered-v0
object key: portable, color in red | blue
object box: pushable, layer heavy
object mat: layer ground, worth in 1..9
tile grass:
tile target:
import: "one.tmx"
legend: r = key(color=red), b = key(color=HUE), G = goal, "$" = box, T = target, "," = grass, m = mat(worth=random)
actions: left, right, up, down, pickup
observe: grid as planes (agent, key, box, mat, grass, goal, target, wall, mat.worth)
on enter goal: reward count(box where box on target) + sum(mat.worth for mat), end success
on enter grass: reward -1
limit: 20
"""
LAYERS = ["wwwww", "w,,,w", "w,T,w", "w,,Gw", "wwwww"], [".....", ".m...", "..m..", ".....", "....."]
LAYERS_ABOVE = [".....", ".@rb.", "..$..", ".r...", "....."], [".....", ".....", "..b..", ".....", "....."]
CALLED = {",": "grass", "T": "target", "G": "goal", "w": "wall", "m": "mat", "@": "agent", "$": "box"}
CALLED |= {"r": "red_key", "b": "b"}


def layers_of_tiled(layers: Sequence[Sequence[str]]) -> str:
    """Return a map of Tiled with these tile layers, the lowest first."""
    signs = list(CALLED)
    tiles = "".join(f'<tile id="{at}" class="{name}"/>' for at, name in enumerate(CALLED.values()))
    drawn = [[0 if sign == "." else signs.index(sign) + 1 for row in rows for sign in row] for rows in layers]
    parts = "".join(f'<layer width="5" height="5">{data(numbers, "csv")}</layer>' for numbers in drawn)
    return (
        '<map orientation="orthogonal" width="5" height="5" tilewidth="16" tileheight="16">'
        f'<tileset firstgid="1">{tiles}</tileset>{parts}</map>'
    )


def test_tiled__layers_lie_on_each_other(tmp_path: Path) -> None:
    """Each layer is a layer of the map: ground covers ground, things lie together, no glyph stands for both."""
    (tmp_path / "one.tmx").write_text(layers_of_tiled([[",,,,,"] * 5, *LAYERS, *LAYERS_ABOVE]))
    spec = tmp_path / "spec.grid"
    spec.write_text(LAYERED.replace("HUE", "blue"))
    assert not [each for each in griddsl.check(spec) if each.is_error]
    observation, _ = griddsl.make(spec).reset(seed=1)
    for plane, sign in enumerate(("@", "rb", "$", "m", ",", "G", "T", "w")):
        expected = [
            [any(rows[y][x] in sign for rows in (*LAYERS, *LAYERS_ABOVE)) for x in range(5)] for y in range(5)
        ]
        assert observation[..., plane].astype(bool).tolist() == expected, sign
    assert_plays_as_defined(spec, steps=20)


def test_tiled__layers_draw_what_setup_chooses(tmp_path: Path) -> None:
    """A glyph of any layer gets an attribute that setup chooses."""
    (tmp_path / "one.tmx").write_text(layers_of_tiled([*LAYERS, *LAYERS_ABOVE]))
    spec = tmp_path / "spec.grid"
    text = (
        LAYERED.replace("HUE", "hue")
        + "setup: choose hue in red | blue\ninfo: blue = count(key(color=blue))\n"
    )
    spec.write_text(text)
    found = {griddsl.make(spec).reset(seed=seed)[1]["blue"] for seed in range(12)}
    assert found == {0, 2}
    assert_plays_as_defined(spec, steps=10)


def test_tiled__two_things_of_one_layer_do_not_fit(tmp_path: Path) -> None:
    """Where two objects of one layer lie in a cell, it is said where, and what to do."""
    twice = [
        *LAYERS,
        [".....", ".....", ".....", ".r...", "....."],
        [".....", ".....", ".....", ".b...", "....."],
    ]
    (tmp_path / "one.tmx").write_text(layers_of_tiled(twice))
    spec = tmp_path / "spec.grid"
    spec.write_text(LAYERED.replace("HUE", "blue") + "setup: place agent at (1, 1)\n")
    (found,) = [each for each in griddsl.check(spec) if each.is_error]
    assert "two `key` lie in one cell, at (1, 3) of `one`" in found.message
    assert "layer" in (found.help or "")


def test_ldtk__has_all_its_levels(tmp_path: Path) -> None:
    """Values, tiles by their tags and entities; levels are named by file and identifier."""
    (tmp_path / "world.ldtk").write_text(json.dumps(ldtk()))
    spec = made(tmp_path, "world.ldtk")
    assert griddsl.make(spec).program.levels == ("world First", "world Second")
    assert env_of(spec, 0, level="world Second").text() == DRAWN


@pytest.mark.parametrize(
    ("change", "reason", "help"),
    [
        (('infinite="0"', 'infinite="1"'), "infinite", "Infinite"),
        (("orthogonal", "hexagonal"), "no squares", "orthogonal"),
        (
            ('class="blue_key"', 'class="green_key"'),
            "no glyph of the legend stands for `green_key`",
            "legend: X = green_key",
        ),
        (('class="agent"', ""), "tile 2 has no name", "class"),
        (('width="5" height="5" tile', 'width="9999" height="9999" tile'), "9999 x 9999", None),
        (('width="5" height="5" tile', 'width="6" height="5" tile'), "25 tiles, and the map 30", None),
        (("</map>", ""), "no XML", "save it again"),
        (("<map ", '<!DOCTYPE m [<!ENTITY a "aaaa">]><map '), "document type", "DOCTYPE"),
    ],
)
def test_tiled__what_does_not_fit_is_said(
    change: tuple[str, str], reason: str, help: str | None, tmp_path: Path
) -> None:
    """One error with the file, its line, the reason and what to do."""
    (tmp_path / "one.tmx").write_text(tiled().replace(*change))
    found = wrong(tmp_path, "one.tmx")
    assert found.code == "unreadable" and reason in found.message
    assert found.span.source.name.endswith("one.tmx") and (help is None or help in str(found.help))


def test_tiled__reads_no_file_outside_of_its_folder(tmp_path: Path) -> None:
    """A tile set elsewhere is not there, nor is what an entity names."""
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "tiles.tsx").write_text(tile_set())
    (inner / "one.tmx").write_text(tiled("csv", '<tileset firstgid="1" source="../tiles.tsx"/>'))
    assert "no tile set" in wrong(inner, "one.tmx").message


def test_hostile_levels__are_refused_quickly(tmp_path: Path) -> None:
    """Entities that grow, packed tiles that grow, deep nesting and random damage: an error or a map, soon."""
    bomb = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 9}">' for n in range(1, 20))
    large = base64.b64encode(zlib.compress(bytes(40_000_000))).decode()
    texts = {
        "a.tmx": f'<!DOCTYPE m [<!ENTITY a0 "x">{bomb}]><map>&a19;</map>',
        "b.tmx": tiled().replace(
            data(numbers(True), "csv"), f'<data encoding="base64" compression="zlib">{large}</data>'
        ),
        "c.tmx": "<map>" * 50_000,
        "d.ldtk": "[" * 100_000,
        "e.ldtk": '{"levels": [{"identifier": 1, "layerInstances": [1e999]}], "defs": []}',
    }
    whole, project, draw = tiled(), json.dumps(ldtk()), random.Random(1)
    for number in range(25):
        for ending, text in (("tmx", whole), ("ldtk", project)):
            at = draw.randrange(len(text))
            texts[f"x{number}.{ending}"] = (
                text[:at] + draw.choice('<>"0-9e{}[],:\x01') + text[at + draw.randrange(3) :]
            )
    start = time.process_time()
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        try:
            griddsl.load(made(tmp_path, name))
        except SpecError as error:
            assert error.diagnostics[0].span.source.name
    assert time.process_time() - start < 30


@pytest.mark.parametrize(
    "said", ["UTF-5", "shift_jis", "big5", "utf-7", "hex", "rot13", "punycode", "utf-16"]
)
def test_tiled__in_another_encoding_is_refused(said: str, tmp_path: Path) -> None:
    """What a file says of its letters is no name of a codec to be run."""
    (tmp_path / "one.tmx").write_text(tiled().replace("UTF-8", said))
    found = wrong(tmp_path, "one.tmx")
    assert found.code == "unreadable" and f"written in `{said}`, not in UTF-8" in found.message


WRONG: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1.5,
    1e999,
    float("nan"),
    10**400,
    "",
    "x",
    "\ud800",
    [],
    [1],
    [[]],
    {},
    {"a": 1},
)


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to each value of plain data."""
    yield way
    parts = (
        value.items() if isinstance(value, dict) else enumerate(value[:2] if isinstance(value, list) else ())
    )
    for key, part in parts:
        yield from places(part, (*way, key))


def test_ldtk__values_of_any_type_are_read_or_refused() -> None:
    """At each place of a project each type of JSON: a map, or one diagnostic of the file."""
    said = set()
    for way in places(ldtk()):
        for value in WRONG:
            project: Any = {"": ldtk()}
            part = project
            for key in ("", *way)[:-1]:
                part = part[key]
            part[("", *way)[-1]] = value
            report = Report()
            file = Source("w.ldtk", json.dumps(project[""]))
            list(drawn_maps(file, (), file.whole().span(), "w", report, {}))
            said |= {each.code for each in report.diagnostics}
    assert said == {"unreadable"}


def test_tiled__values_of_any_kind_are_read_or_refused() -> None:
    """At each attribute of a map each kind of text: a map, or diagnostics of the file."""
    text, said = (
        tiled("zlib", more='<objectgroup><object id="1" class="key" x="50" y="50"/></objectgroup>'),
        set(),
    )
    for found in re.finditer('"[^"]*"', text):
        for value in ("", "x", "-1", "0", "1e999", "nan", "1.5", "9" * 400, "&#xD800;", "é"):
            file = Source("w.tmx", f'{text[: found.start()]}"{value}"{text[found.end() :]}')
            report = Report()
            list(drawn_maps(file, (), file.whole().span(), "w", report, {}))
            said |= {each.code for each in report.diagnostics}
    assert said == {"unreadable"}


@pytest.mark.parametrize(
    "said", ['import "one.tmx"', 'import: "one.tmx"', 'import: "one.tmx"\nimport "two.tmx"']
)
def test_import__reads_levels_as_maps_does(said: str, tmp_path: Path) -> None:
    """`import` stands for `maps`, once a file, with its colon or without; `fmt` writes the colon, TOML the same word."""
    (tmp_path / "one.tmx").write_text(tiled())
    (tmp_path / "two.tmx").write_text(tiled())
    text = SPEC.replace('maps: "FILES"', said)
    path = tmp_path / "spec.grid"
    path.write_text(text)
    assert env_of(path, 0).text() == DRAWN
    laid_out = grid_text(document(text), Report())
    assert said.replace('import "', 'import: "') in laid_out
    toml = tmp_path / "spec.toml"
    toml.write_text(to_toml(document(text)))
    assert env_of(toml, 0).text() == DRAWN
    assert len(griddsl.load(path).maps) == said.count("import")


@pytest.mark.parametrize(
    ("said", "help"),
    [
        ("import: minigrid", "write `use: minigrid`"),
        ('import "kinds.grid"', 'write `use: "kinds.grid"`'),
        ('use: "one.tmx"', 'levels are read by `import: "one.tmx"`'),
        ('use: "minigrid.grid"', "write `minigrid`: a bundled library is named without quotes and ending"),
        ('import: "ones.tmx"', "did you mean `one.tmx`?"),
        ('import: "other.ldtk"', "levels there: `one.tmx`"),
        ('import: "*.ldtk"', "`*` stands for any letters, as in `levels/*.txt`"),
        (
            'import: "one.tmx", "two.tmx"',
            'each has a line of its own: `import: "one.tmx"` and `import: "two.tmx"`',
        ),
    ],
)
def test_import__is_for_levels_and_use_for_statements(said: str, help: str, tmp_path: Path) -> None:
    """What the one reads is no business of the other, and the message says so; so it does of a file that is not there."""
    (tmp_path / "one.tmx").write_text(tiled())
    path = tmp_path / "spec.grid"
    path.write_text(SPEC.replace('maps: "FILES"', said))
    assert help in {str(each.help) for each in griddsl.check(path)}
