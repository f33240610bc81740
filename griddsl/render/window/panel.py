"""The panel: what stands beside the board, and diagnostics across the window."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from griddsl.render.colors import Rgb
from griddsl.render.window.display import load_pygame
from griddsl.render.window.letters import font_of, printable
from griddsl.render.window.pen import FAINT, RULE, TEXT, Pen

if TYPE_CHECKING:
    from pygame import Rect, Surface

PANEL_WIDTH = 300
MARGIN = 18
_KEY_HEIGHT = 27
_PANEL: Rgb = (38, 41, 51)
_ERROR: Rgb = (255, 142, 136)
_ERROR_BACK: Rgb = (50, 28, 34)


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """What stands beside the board."""

    title: str = ""
    rows: Sequence[tuple[str, str]] = ()  # label and value
    keys: Sequence[tuple[str, str]] = ()  # a key and what it does
    message: str = ""  # such as the rule that fired
    error: str = ""  # diagnostics, shown across the window with their columns kept


def paint_panel(surface: "Surface", area: "Rect", panel: Panel) -> None:
    """Write a panel into an area, and nothing beyond it."""
    pygame = load_pygame()
    before = surface.get_clip()
    surface.set_clip(area)
    surface.fill(_PANEL, area)
    pen = Pen(surface, area.inflate(-2 * MARGIN, -2 * MARGIN))
    if panel.title:
        pen.paragraph(panel.title, font_of(21, bold=True), TEXT)
        pen.gap(8)
        pen.rule()
    for label, value in panel.rows:
        pen.row(label, value)
    if panel.message:
        pen.gap(10)
        pen.card(panel.message)
    if panel.keys:
        pen.gap(14)
        pen.rule()
        _paint_keys(pen, panel.keys)
    pygame.draw.line(surface, RULE, area.topleft, area.bottomleft)
    surface.set_clip(before)


def _paint_keys(pen: "Pen", keys: Sequence[tuple[str, str]]) -> None:
    """Write the keys below each other; in two columns, with a word on those left out, where they do not fit."""
    if len(keys) <= pen.room // _KEY_HEIGHT:
        for key, meaning in keys:
            pen.key(key, meaning)
        return
    rows = max(1, pen.room // _KEY_HEIGHT)
    shown = keys if len(keys) <= 2 * rows else keys[: 2 * rows - 1]
    rows = min(rows, (len(shown) + 1) // 2)
    for column, part in zip(pen.halves(), (shown[:rows], shown[rows:]), strict=True):
        for key, meaning in part:
            column.key(key, meaning, least=0)
        if part and part[-1] is shown[-1] and len(shown) < len(keys):
            column.paragraph(f"and {len(keys) - len(shown)} more", font_of(13), FAINT)


def natural_height(panel: Panel | None) -> int:
    """About how high a panel becomes, with rows and a message that come later."""
    if panel is None:
        return 0
    lines = 26 * len(panel.rows) + 28 * len(panel.keys)
    return 320 + lines + (80 if panel.error else 0)


def paint_error(surface: "Surface", whole: "Rect", text: str) -> int:
    """Draw diagnostics across the bottom, as large as fits, cutting what is too long; the height taken."""
    pygame = load_pygame()
    lines = [printable(line) for line in text.rstrip().split("\n")]
    most = whole.height // 2
    longest = max(map(len, lines))
    size = 15
    while size > 11 and font_of(size, mono=True).size("M")[0] * longest > whole.width - 2 * MARGIN:
        size -= 1
    font = font_of(size, mono=True)
    columns = max(1, (whole.width - 2 * MARGIN) // font.size("M")[0])
    shown = max(1, (most - 2 * MARGIN) // font.get_linesize())
    if len(lines) > shown:
        left_out = len(lines) - shown + 1
        lines = [*lines[: shown - 1], f"... {left_out} more lines"]
    height = len(lines) * font.get_linesize() + 2 * MARGIN
    area = pygame.Rect(0, whole.bottom - height, whole.width, height)
    surface.fill(_ERROR_BACK, area)
    pygame.draw.line(surface, _ERROR, area.topleft, area.topright, 2)
    for number, line in enumerate(lines):
        cut = line if len(line) <= columns else line[: columns - 1] + "…"
        drawn = font.render(cut, True, _ERROR)
        surface.blit(drawn, (MARGIN, area.top + MARGIN + number * font.get_linesize()))
    return int(height)
