"""The fenced blocks of a page, and what their info strings ask of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "docs/language.md",
    "docs/guide.md",
    "docs/api.md",
    "docs/frameworks.md",
    "docs/jax.md",
    "docs/training.md",
    "docs/text.md",
    "docs/exact.md",
    "docs/gallery.md",
    "docs/cheat_sheet.md",
    "docs/cookbook.md",
    "docs/faq.md",
    "docs/sharing.md",
    "docs/from_gymnasium.md",
    "docs/from_minigrid.md",
    "docs/versions.md",
)
_FENCE = re.compile(r"^```(\S*)[ ]*(.*)$")


@dataclass(frozen=True)
class Block:
    """One fenced block: its language, the words after it (``fragment``, ``file=NAME``), its text and its line."""

    page: str
    line: int
    language: str
    words: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"

    def value(self, name: str) -> str | None:
        """Return what stands after ``name=`` among the words."""
        return next((word.partition("=")[2] for word in self.words if word.startswith(f"{name}=")), None)


def blocks_of(page: str) -> list[Block]:
    """Return the blocks of a page, in order."""
    found: list[Block] = []
    rows: list[str] | None = None
    for number, row in enumerate((ROOT / page).read_text(encoding="utf-8").split("\n"), 1):
        fence = _FENCE.match(row)
        if rows is None and fence:
            language, words, rows, start = fence[1], tuple(fence[2].split()), [], number
        elif rows is not None and row == "```":
            found.append(Block(page, start, language, words, "".join(f"{line}\n" for line in rows)))
            rows = None
        elif rows is not None:
            rows.append(row)
    assert rows is None, f"{page}: a fence is not closed"
    return found


def all_blocks() -> list[Block]:
    """Return the blocks of all pages that exist."""
    return [block for page in PAGES if (ROOT / page).is_file() for block in blocks_of(page)]
