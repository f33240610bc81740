"""The widget of notebooks: a page that plays a spec, in a frame of the cell, which gives back what was played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from griddsl.compiler import AnySpec, compiled
from griddsl.diagnostics import Refused
from griddsl.web.page import page
from griddsl.web.recordings import Recording, recording_of

MOST_PIXELS = 4_000


class PlayWidget(anywidget.AnyWidget):
    """A spec that is played in a notebook; `recording` is what has been played so far."""

    _esm = Path(__file__).parent / "player" / "page" / "widget.js"
    page = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int(620).tag(sync=True)
    played = traitlets.Dict().tag(sync=True)

    @property
    def recording(self) -> Recording | None:
        """The episodes that were played, as `griddsl replay` reads them; None before the page is there."""
        return recording_of(self.played) if self.played else None


def play(source: AnySpec, *, height: int = 620, **params: Any) -> PlayWidget:
    """Return a widget that plays a spec in a notebook, wherever anywidget is shown: with its keys, touch and mouse.

    ``source`` is an id, a path, a text or a `GridSpec`, ``params`` its parameters, ``height`` that of the
    frame in pixels. The widget's ``recording`` holds what was played. Raises `SpecError` where the spec has errors, and
    `ValueError` for a height that no screen has.
    """
    if not 100 <= height <= MOST_PIXELS:
        raise Refused(f"the frame is 100 to {MOST_PIXELS} pixels high, not {height}")
    from griddsl.loading import resolve

    return PlayWidget(page=page(compiled(resolve(source), **params)), height=height)
