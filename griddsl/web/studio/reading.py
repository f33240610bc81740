"""What a text says, for who edits it: its colours, what is wrong with it, its maps and what can be painted on them."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pygments.lexers.configs import TOMLLexer
from pygments.token import Token, _TokenType

from griddsl.checking import checked
from griddsl.diagnostics import Diagnostic
from griddsl.editor.lexer import CLASS_OF_TOKEN, GridLexer
from griddsl.program import keys
from griddsl.program.program import KindInfo, Program
from griddsl.render import Scene, look_of, to_svg
from griddsl.render.apart import told_apart
from griddsl.render.painter import said_of
from griddsl.render.scene import Sprite
from griddsl.source import Contents, Source, unsaved
from griddsl.spec.models import GridSpec
from griddsl.syntax.printer import to_text
from griddsl.web.studio.painting import FLOOR, WALL, DrawnMap, maps_of
from griddsl.web.studio.units import units

BOARD_PIXELS = 640
AGENT = "@"
PALETTE_PIXELS = 28
MOST_PAINTED = 128 * 128  # cells of a map that is shown to be painted
FLOOR_KIND = "floor"
_WALL = look_of("wall", category="tile", properties=frozenset({"solid", "opaque"}))
_GIVEN = re.compile(r"(\w+)=(\w+)")
_CLASSES: Mapping[_TokenType, str] = {
    **CLASS_OF_TOKEN,
    Token.Literal.Number: "number",
    Token.Literal.String: "string",
}


def colours(name: str, text: str) -> list[tuple[str, int]]:
    """Return the pieces of a text in order, each with its class of colour and its length, in units of UTF-16."""
    lexer = (
        TOMLLexer(ensurenl=False, stripnl=False)
        if name.endswith(".toml")
        else GridLexer(ensurenl=False, stripnl=False)
    )
    found: list[tuple[str, int]] = []
    for token, piece in lexer.get_tokens(text):
        kind = next((_CLASSES[each] for each in reversed(token.split()) if each in _CLASSES), "other")
        if found and found[-1][0] == kind:
            found[-1] = kind, found[-1][1] + units(piece)
        else:
            found.append((kind, units(piece)))
    return found


def problems(path: Path, name: str, contents: Contents) -> list[dict[str, Any]]:
    """Return what is wrong with a spec, as it and others are while they are not saved, by its place in the text."""
    with unsaved(contents):
        return [_problem(each, path, name) for each in checked(path, {}, with_variants=False)]


def _problem(found: Diagnostic, path: Path, name: str) -> dict[str, Any]:
    span = found.span
    here = Path(span.source.name) == path
    line, column = span.source.position(span.start)

    def place(offset: int, text: str) -> int:
        return units(text[:offset])

    fixes = [
        {
            "start": place(fix.span.start, fix.span.source.text),
            "end": place(fix.span.end, fix.span.source.text),
            "text": fix.replacement,
        }
        for fix in found.fixes
        if Path(fix.span.source.name) == path
    ]
    text = span.source.text
    return {
        "code": found.code,
        "error": found.is_error,
        "message": found.message,
        "help": found.help or "",
        "place": f"{name if here else Path(span.source.name).name}:{line}:{column}",
        "start": place(span.start, text) if here else 0,
        "end": place(max(span.end, span.start + 1), text) if here else 0,
        "fixes": fixes,
    }


def drawn_maps(source: Source) -> list[dict[str, Any]]:
    """Return the maps of a text, each with its name and its rows of glyphs."""
    return [_drawn(each) for each in maps_of(source)]


def _drawn(drawn: DrawnMap) -> dict[str, Any]:
    cells = drawn.cells
    if sum(map(len, cells)) > MOST_PAINTED:
        return {"name": drawn.name, "rows": [], "walled": drawn.is_walled, "large": True}
    return {"name": drawn.name, "rows": cells, "walled": drawn.is_walled, "large": False}


def palette(spec: GridSpec, program: Program) -> list[dict[str, str]]:
    """Return what can be painted: each glyph, what it stands for, and its picture as the address of an SVG."""
    kinds = {kind.name: kind for kind in told_apart(program.kinds)}
    floor = _sprites(kinds, FLOOR_KIND)
    found: dict[str, tuple[str, tuple[Sprite, ...]]] = {
        FLOOR: ("floor", floor),
        WALL: ("wall", _sprites(kinds, "wall")),
    }
    if "agent" in kinds and keys.AGENT_CELL in program.layout.offsets:  # else it stands nowhere
        found[AGENT] = ("agent", (*floor, *_sprites(kinds, "agent", keys.FACING in program.layout.offsets)))
    for item in spec.legend:
        below = "" if item.tile is None else to_text(item.tile)
        what = to_text(item.kind)
        name = f"{what} on {below}" if below else what
        sprites = _sprites(kinds, what)
        is_ground = what.partition("(")[0] in kinds and kinds[what.partition("(")[0]].category == "tile"
        found[item.glyph] = name, (*(_sprites(kinds, below) if below or is_ground else floor), *sprites)
    return [
        {"glyph": glyph, "name": name, "picture": picture(Scene(1, 1, (stack,)), PALETTE_PIXELS)}
        for glyph, (name, stack) in found.items()
    ]


def _sprites(kinds: Mapping[str, KindInfo], text: str, faces: bool = False) -> tuple[Sprite, ...]:
    """Return how a thing looks that is written as in a legend: `key`, `door(color=red, state=open)`."""
    name, _, given = text.partition("(")
    kind = kinds.get(name)
    if kind is None:
        return (_WALL,) if name == "wall" else ()
    if name == FLOOR_KIND and (kind.shape, kind.color, kind.image) == (None, None, None):
        return ()  # scenes have it below all that does not cover it
    attributes = dict(_GIVEN.findall(given))
    codes = {
        attribute.name: attribute.words.index(said) if said in attribute.words else int(said)
        for attribute in kind.attributes
        if (said := attributes.get(attribute.name, "")) in attribute.words or said.lstrip("-").isdigit()
    }
    look = look_of(
        name,
        category=kind.category,  # type: ignore[arg-type]
        properties=kind.properties,
        attributes=attributes,
        direction=0 if kind.category == "agent" and faces else kind.direction,
        **said_of(kind, codes),
    )
    return (look,)


def picture(scene: Scene, pixels: int | None = None) -> str:
    """Return a scene as the address of a picture, which runs nothing and asks nothing."""
    return "data:image/svg+xml;base64," + base64.b64encode(to_svg(scene, pixels).encode()).decode()


def board_pixels(scene: Scene, side: int = BOARD_PIXELS) -> int:
    """Return how many pixels a cell has where the longer side of a board has about this many."""
    return max(4, min(96, side // max(scene.width, scene.height)))
