"""Units: places in a text as a page counts them, in units of UTF-16, and as Python does, in characters."""

from __future__ import annotations


def units(text: str) -> int:
    """Return how long a text is for a page."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def index_of(text: str, place: int) -> int:
    """Return the index of a place that a page counted; that of the end for one behind it."""
    if text.isascii():
        return max(0, min(place, len(text)))
    before = text.encode("utf-16-le", "surrogatepass")[: 2 * max(0, place)]
    return len(before.decode("utf-16-le", "ignore"))
