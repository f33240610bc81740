"""A text that several tabs edit: its versions, what was undone, and how it stands to the file on the disk."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

MOST_UNDONE = 500
MOST_KEPT = 10_000_000  # characters of former texts
TYPED_TOGETHER = 0.8  # seconds: keys that follow each other faster are undone at once


def spliced(old: str, new: str) -> tuple[int, int, str]:
    """Return what to put where, as ``(start, end, text)`` of the old text, to make it the new one."""
    start, most = 0, min(len(old), len(new))
    while start < most and old[start] == new[start]:
        start += 1
    same = 0
    while same < most - start and old[len(old) - 1 - same] == new[len(new) - 1 - same]:
        same += 1
    return start, len(old) - same, new[start : len(new) - same]


def rebased(base: str, mine: str, current: str) -> str:
    """Return a text with what two have changed of the same base; where they changed one place, mine counts."""
    if base == current:
        return mine
    start, end, put = spliced(base, mine)
    other_start, other_end, other_put = spliced(base, current)
    if end <= other_start:
        return current[:start] + put + current[end:]
    if start >= other_end:
        shift = len(other_put) - (other_end - other_start)
        return current[: start + shift] + put + current[end + shift :]
    return mine


@dataclass
class Document:
    """A spec's text as it is edited. ``on_disk`` is the digest of the file that it was read from or written to.

    ``saved`` is the text of that file. ``is_contested`` says that the file has changed since, while the text has too.
    """

    name: str
    text: str
    on_disk: str
    saved: str = ""
    version: int = 0
    is_contested: bool = False
    texts: dict[int, str] = field(default_factory=dict)  # by version
    undone: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    _typed_at: float = 0.0

    def __post_init__(self) -> None:
        self.saved = self.text
        self.texts[0] = self.text

    @property
    def is_dirty(self) -> bool:
        """Whether the text is another than the file's."""
        return self.text != self.saved

    def edit(self, base: int, text: str, *, typed: bool = False) -> None:
        """Take in what somebody made of the version ``base``; what others changed since stays."""
        text = rebased(self.texts.get(base, self.text), text, self.text)
        if text == self.text:
            return
        now = time.monotonic()
        if not (typed and now - self._typed_at < TYPED_TOGETHER and self.done):
            self.done.append(self.text)
        self._typed_at = now if typed else 0.0
        self.undone.clear()
        self._become(text)

    def undo(self) -> bool:
        """Go back to the text before the last change; False where there is none."""
        if not self.done:
            return False
        self.undone.append(self.text)
        self._become(self.done.pop())
        self._typed_at = 0.0
        return True

    def redo(self) -> bool:
        """Take back what was undone; False where nothing was."""
        if not self.undone:
            return False
        self.done.append(self.text)
        self._become(self.undone.pop())
        return True

    def take_saved(self, digest: str) -> None:
        """Note that the text was written."""
        self.saved, self.on_disk, self.is_contested = self.text, digest, False

    def take_from_disk(self, text: str, digest: str) -> None:
        """Take the file's text, which can be undone."""
        self.on_disk, self.saved, self.is_contested = digest, text, False
        if text != self.text:
            self.done.append(self.text)
            self.undone.clear()
            self._become(text)

    def contest(self, on_disk: str) -> None:
        """Note that the text was made from a file with this digest, which another studio had read."""
        if on_disk != self.on_disk:
            self.on_disk, self.is_contested = on_disk, True

    def _become(self, text: str) -> None:
        self.text = text
        self.version += 1
        self.texts[self.version] = text
        kept = sum(map(len, self.texts.values()))
        for version in list(self.texts)[:-2]:
            if kept <= MOST_KEPT and len(self.texts) <= MOST_UNDONE:
                break
            kept -= len(self.texts.pop(version))
        del self.done[:-MOST_UNDONE]
