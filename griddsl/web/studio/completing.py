"""Completing: what may stand at a place of a text, as the language server knows it, for the page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from griddsl.source import Contents
from griddsl.web.studio.units import index_of, units

MOST_OFFERED = 60
_HOLE = re.compile(r"\$(?:\{\d+:([^}]*)\}|\{?\d+\}?)")


def completions(path: Path, text: str, at: int, contents: Contents) -> list[dict[str, Any]]:
    """Return what may stand at a place, ``at`` in units of UTF-16: each with what it puts where, where the caret goes.

    ``contents`` are the other texts that are not saved. Nothing is offered where ``lsprotocol`` is not installed.
    """
    try:
        from griddsl.editor.names import Scope
        from griddsl.editor.questions.completion import complete
        from griddsl.editor.text import Library, SpecText
    except ImportError:
        return []

    def held(place: Path, content: str) -> SpecText:
        return SpecText(place.as_uri(), str(place), content, None, "utf-32")

    spec = held(path, text)
    others = [held(Path(name), content.decode()) for name, content in contents.items() if Path(name) != path]
    library = Library({each.uri: each for each in [spec, *others]})
    offset = index_of(text, at)
    offered = []
    for item in complete(spec, Scope(spec, library), offset)[:MOST_OFFERED]:
        edit = item.text_edit
        assert edit is not None
        put = getattr(edit, "new_text", item.label)
        place = getattr(edit, "range", None)
        start = offset if place is None else spec.offset(place.start)
        plain, caret = _filled(put) if item.insert_text_format == 2 else (put, len(put))
        offered.append(
            {
                "label": item.label,
                "detail": item.detail or "",
                "start": units(text[:start]),
                "end": at,
                "text": plain,
                "caret": units(plain[:caret]),
            }
        )
    return offered


def _filled(snippet: str) -> tuple[str, int]:
    """Return a snippet with what stands in its holes, and where its first hole is."""
    hole = _HOLE.search(snippet)
    caret = len(snippet) if hole is None else hole.start()
    return _HOLE.sub(lambda found: found.group(1) or "", snippet).replace("\\$", "$"), caret
