"""Text in a window: the fonts of the system, lines that fit a width, and what a font cannot draw."""

import textwrap
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING

from griddsl.render.window.display import load_pygame

if TYPE_CHECKING:
    from pygame.font import Font

_MONOSPACE = "dejavusansmono,menlo,consolas,liberationmono,ubuntumono,notosansmono,couriernew,freemono"
_SANS = "inter,segoeui,helveticaneue,ubuntu,notosans,dejavusans,liberationsans,arial,freesans"


@lru_cache(maxsize=32)
def font_of(size: int, *, bold: bool = False, mono: bool = False) -> "Font":
    """A font of the system, or pygame's own; kept for the next text of its size."""
    pygame = load_pygame()
    path = _font_path(_MONOSPACE if mono else _SANS, bold)
    font: Font = pygame.font.Font(path, size)
    if bold and path is None:
        font.set_bold(True)
    return font


@lru_cache(maxsize=8)
def _font_path(names: str, bold: bool) -> str | None:
    """A font of the system, None where there is none of these (pygame brings one of its own)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path: str | None = load_pygame().font.match_font(names, bold=bold)
    return path


def in_lines(text: str, font: "Font", width: int) -> list[str]:
    """The text in lines that are at most `width` pixels wide; a longer word is broken."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in printable(paragraph).split(" "):
            longer = f"{line} {word}" if line else word
            if font.size(longer)[0] <= width:
                line = longer
                continue
            if line:
                lines.append(line)
            pieces = _broken(word, font, width)
            lines += pieces[:-1]
            line = pieces[-1]
        lines.append(line)
    return lines


def _broken(word: str, font: "Font", width: int) -> list[str]:
    if font.size(word)[0] <= width:
        return [word]
    letters = max(1, width // max(1, font.size("W")[0]))
    return textwrap.wrap(word, letters) or [""]


def printable(text: str) -> str:
    """One line that a font can draw: tabs as blanks, no control characters, and not endless."""
    return "".join(letter if letter.isprintable() else " " for letter in text.expandtabs(4)[:2000])
