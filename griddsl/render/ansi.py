"""Scenes as text: in colour for a terminal, two columns a cell, and plain as a map is drawn."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from griddsl.render.colors import INK, Rgb, brightness, mix, tone
from griddsl.render.looks import look_of
from griddsl.render.overlay import (
    BARRIER_COLOR,
    DIM_COLOR,
    DIM_OPACITY,
    HEAT_OPACITY,
    heat_colors,
    number_texts,
)
from griddsl.render.scene import Scene, Stack, check_scene
from griddsl.render.shapes import THIN_ARROWS, glyph_of, ground_color

_RESET = "\x1b[0m"
_FLOOR = look_of("floor", category="tile")
_BOTH_WAYS: Mapping[frozenset[int], str] = {frozenset({0, 2}): "↔", frozenset({1, 3}): "↕"}
_SCALE_STEPS = 16
_CHEQUER = 0.03
_TEXTURES = "█▓▒░≈"  # glyphs that fill their cell and need not stand out from its ground


def to_ansi(scene: Scene, color: bool = True) -> str:
    """The scene for a terminal, one line a row and two columns a cell, without a last newline.

    With `color`, 24-bit colours show the ground, a heat map and what is dimmed; without, the glyphs stand
    alone. Under a heat map stands a line with its scale.
    """
    check_scene(scene)
    if color:
        cells = [_color_cell(scene, cell, ground) for cell, ground in enumerate(_grounds(scene))]
    else:
        cells = [_plain_cell(scene, cell) for cell in range(len(scene.cells))]
    lines = ["".join(cells[row * scene.width : (row + 1) * scene.width]) for row in range(scene.height)]
    if scene.values is not None:
        lines.append(_scale(scene.values, color))
    return "\n".join(line + _RESET if color else line.rstrip() for line in lines)


def to_text(scene: Scene) -> str:
    """The scene as a map is drawn: for each cell the glyph of the topmost thing that has one.

    A thing without a glyph is passed over where one below has one, else shown by its kind's first letter. With
    thin walls the drawing has its border and edges, as `map walled:` reads it.
    """
    check_scene(scene)
    symbols = [_symbol(stack) for stack in scene.cells]
    return lines_of(symbols, scene.width, scene.height, scene.barriers)


def lines_of(symbols: Sequence[str], width: int, height: int, barriers: Collection[tuple[int, int]]) -> str:
    """The characters of cells as a map is drawn, with its border and edges where there are thin walls."""
    rows = [symbols[row * width : (row + 1) * width] for row in range(height)]
    if not barriers:
        return "\n".join("".join(row) for row in rows)
    border = "+" + "-" * (2 * width - 1) + "+"
    lines = [border]
    for y, row in enumerate(rows):
        cells = range(y * width, (y + 1) * width)
        edges = ["|" if (cell, 0) in barriers else ":" for cell in cells]
        edges[-1] = "|"
        lines.append("|" + "".join(symbol + edge for symbol, edge in zip(row, edges, strict=True)))
        if y + 1 < height and any((cell, 1) in barriers for cell in cells):
            lines.append("+" + " ".join("-" if (cell, 1) in barriers else " " for cell in cells) + "+")
    return "\n".join([*lines, border])


def _symbol(stack: Stack) -> str:
    for sprite in reversed(stack):
        if sprite.glyph is not None:
            return sprite.glyph
    return stack[-1].kind[:1] if stack else " "


def _glyphs(scene: Scene, cell: int) -> tuple[str, bool]:
    """The two columns of a cell, and whether they are arrows alone."""
    stack = scene.cells[cell] or (_FLOOR,)
    text = glyph_of(stack[-1])
    if stack[-1].place[1] > 1:  # two columns show two of those that share the cell
        text = glyph_of(stack[-2])[0] + text[0]
    arrows = _arrows(scene.policy[cell]) if scene.policy is not None else ""
    if not arrows:
        return text, False
    return (f"{arrows:<2}", True) if len(stack) == 1 else (text[0] + arrows[0], False)


def _color_cell(scene: Scene, cell: int, ground: Rgb) -> str:
    text, only_arrows = _glyphs(scene, cell)
    top = (scene.cells[cell] or (_FLOOR,))[-1]
    plain_ground = len(scene.cells[cell]) < 2 and ground_color((top,)) == top.color
    if plain_ground and text[0] in _TEXTURES:
        ink = tone("dark", top.color)
    else:
        ink = _visible(INK if only_arrows else tone("dark", top.color) if plain_ground else top.color, ground)
    style = "1"
    if (cell, 1) in scene.barriers:
        if text.isspace():
            text, ink = "▁▁", BARRIER_COLOR
        else:
            style = "1;4"
    start = f"{_RESET}\x1b[{style};38;2;{_code(ink)};48;2;{_code(ground)}m"
    if (cell, 0) in scene.barriers:
        return f"{start}{text[0]}\x1b[22;24;38;2;{_code(BARRIER_COLOR)}m▕"
    return start + text


def _plain_cell(scene: Scene, cell: int) -> str:
    text, _ = _glyphs(scene, cell)
    first, second = (text[0], text[1]) if not text.isspace() else ("·", " ")
    if (cell, 1) in scene.barriers:
        first = "_" if first == "·" else first
        second = "_" if second == " " else second
    return first + ("|" if (cell, 0) in scene.barriers else second)


def _grounds(scene: Scene) -> list[Rgb]:
    """The background of every cell: its ground, the heat over it, dimmed or not."""
    grounds = [ground_color(stack or (_FLOOR,)) for stack in scene.cells]
    for cell, ground in enumerate(grounds):
        # Without lines between cells, a faint chequer lets the eye count them.
        if sum(divmod(cell, scene.width)) % 2:
            grounds[cell] = mix(ground, (0, 0, 0), _CHEQUER)
    if scene.values is not None:
        heats = heat_colors(scene.values).reshape(-1, 3).tolist()
        for cell in np.flatnonzero(~np.isnan(scene.values)).tolist():
            red, green, blue = heats[cell]
            grounds[cell] = mix(grounds[cell], (red, green, blue), HEAT_OPACITY)
    if scene.dimmed is not None:
        for cell in np.flatnonzero(scene.dimmed).tolist():
            grounds[cell] = mix(grounds[cell], DIM_COLOR, DIM_OPACITY)
    return grounds


def _visible(ink: Rgb, ground: Rgb) -> Rgb:
    """The ink, made darker or lighter where it is as bright as the ground."""
    if abs(brightness(ink) - brightness(ground)) > 0.3:
        return ink
    return mix(ink, (0, 0, 0), 0.4) if brightness(ground) > 0.5 else mix(ink, (255, 255, 255), 0.5)


def _arrows(directions: tuple[int, ...]) -> str:
    """At most two characters for the best directions of a cell."""
    found = frozenset(directions)
    text = ""
    for pair, both in _BOTH_WAYS.items():
        if pair <= found:
            text, found = text + both, found - pair
    text += "".join(THIN_ARROWS[direction] for direction in sorted(found) if direction >= 0)
    if -1 in found:
        text += "•"
    return text if len(text) <= 2 else "✳"


def _scale(values: np.ndarray, color: bool) -> str:
    known = values[np.isfinite(values)]
    if known.size == 0:
        return "no values"
    low, high = float(known.min()), float(known.max())
    texts = number_texts(np.array([[low, high]]))
    bar = ".." if not color else ""
    if color:
        for red, green, blue in heat_colors(np.linspace(low / 4, high / 4, _SCALE_STEPS)[None])[0].tolist():
            bar += f"\x1b[48;2;{_code((red, green, blue))}m "
        bar = f" {bar}{_RESET} "
    return f"{_RESET if color else ''}{texts[0, 0]}{bar}{texts[0, 1]}"


def _code(color: Rgb) -> str:
    return ";".join(map(str, color))
