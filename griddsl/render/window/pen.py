"""The pen: writes titles, rows, cards and keys downwards in a column of the window."""

from typing import TYPE_CHECKING

from griddsl.render.colors import Rgb
from griddsl.render.window.display import load_pygame
from griddsl.render.window.letters import font_of, in_lines, printable

if TYPE_CHECKING:
    from pygame import Rect, Surface
    from pygame.font import Font

TEXT: Rgb = (232, 233, 238)
FAINT: Rgb = (150, 155, 170)
RULE: Rgb = (58, 62, 76)
_NOTE: Rgb = (250, 205, 120)
_NOTE_BACK: Rgb = (56, 53, 50)
_KEYCAP: Rgb = (62, 66, 82)


class Pen:
    """Writes downwards in a column."""

    def __init__(self, surface: "Surface", area: "Rect") -> None:
        self._surface = surface
        self._area = area
        self._y = area.top

    @property
    def room(self) -> int:
        """How many pixels are left below."""
        return self._area.bottom - self._y

    def halves(self) -> tuple["Pen", "Pen"]:
        """Return pens for two columns, side by side below what is written."""
        width = self._area.width // 2
        left, right = (
            load_pygame().Rect(x, self._y, width - 6, self.room)
            for x in (self._area.left, self._area.left + width)
        )
        return Pen(self._surface, left), Pen(self._surface, right)

    def gap(self, pixels: int) -> None:
        """Leave pixels free."""
        self._y += pixels

    def rule(self) -> None:
        """Draw a line across the column."""
        load_pygame().draw.line(self._surface, RULE, (self._area.left, self._y), (self._area.right, self._y))
        self._y += 12

    def paragraph(self, text: str, font: "Font", color: Rgb, indent: int = 0) -> None:
        """Write a text in as many lines as it takes."""
        for line in in_lines(text, font, self._area.width - indent):
            self._surface.blit(font.render(line, True, color), (self._area.left + indent, self._y))
            self._y += font.get_linesize()

    def row(self, label: str, value: str) -> None:
        """A label at the left and its value at the right, or below where both are long."""
        faint, strong = font_of(15), font_of(15, bold=True)
        name = faint.render(printable(label), True, FAINT)
        room = self._area.width - name.get_width() - 12
        self._surface.blit(name, (self._area.left, self._y))
        if strong.size(printable(value))[0] <= room:
            drawn = strong.render(printable(value), True, TEXT)
            self._surface.blit(drawn, (self._area.right - drawn.get_width(), self._y))
            self._y += strong.get_linesize()
        else:
            self._y += faint.get_linesize()
            self.paragraph(value, strong, TEXT, indent=12)
        self._y += 4

    def card(self, text: str) -> None:
        """A paragraph on a ground of its own."""
        font = font_of(14)
        lines = in_lines(text, font, self._area.width - 24)
        height = len(lines) * font.get_linesize() + 16
        pygame = load_pygame()
        ground = pygame.Rect(self._area.left, self._y, self._area.width, height)
        pygame.draw.rect(self._surface, _NOTE_BACK, ground, border_radius=6)
        pygame.draw.rect(self._surface, _NOTE, (ground.left, ground.top + 6, 3, height - 12), border_radius=2)
        self._y += 8
        for line in lines:
            self._surface.blit(font.render(line, True, _NOTE), (self._area.left + 12, self._y))
            self._y += font.get_linesize()
        self._y += 8

    def key(self, key: str, meaning: str, least: int = 96) -> None:
        """A key cap and what the key does, ``least`` pixels to its right."""
        font = font_of(13)
        drawn = font.render(printable(key), True, TEXT)
        pygame = load_pygame()
        cap = pygame.Rect(self._area.left, self._y, drawn.get_width() + 14, font.get_linesize() + 6)
        pygame.draw.rect(self._surface, _KEYCAP, cap, border_radius=5)
        self._surface.blit(drawn, drawn.get_rect(center=cap.center))
        indent = max(least, cap.width + 10)
        self._y += 3
        self.paragraph(meaning, font, FAINT, indent)
        self._y += 7
