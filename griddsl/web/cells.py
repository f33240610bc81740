"""Cells of notebooks that are specs: `%load_ext griddsl`, then `%%grid`."""

from __future__ import annotations

import html
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from IPython.core.magic import Magics, cell_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring
from IPython.display import HTML, display

from griddsl.checking import check
from griddsl.diagnostics import to_text
from griddsl.files.writing import write
from griddsl.loading import load
from griddsl.registration.ids import register

_STYLE = "white-space:pre;font-family:monospace;border-left:3px solid {color};padding:.3em .8em;overflow:auto"


@magics_class
class GridMagics(Magics):
    """The magic of specs."""

    _folder: tempfile.TemporaryDirectory[str] | None = None

    @magic_arguments()
    @argument("name", nargs="?", help="the variable that is to hold the spec")
    @argument("--play", action="store_true", help="play it below the cell")
    @cell_magic
    def grid(self, line: str, cell: str) -> None:
        """Check the cell, show what is wrong with it below, and register the spec under its id.

        Where it has no errors, its first state is shown, or the game with ``--play``.
        """
        arguments = parse_argstring(self.grid, line)
        found = check(cell)
        if found:
            wrong = any(each.is_error for each in found)
            style = _STYLE.format(color="#b3261e" if wrong else "#c48a00")
            text = to_text(found).replace("<text>", "cell")
            display(HTML(f'<div style="{style}">{html.escape(text)}</div>'))
            if wrong:
                return
        spec = load(cell)
        register(self._file(spec.id, cell))
        if arguments.name:
            self.shell.user_ns[arguments.name] = spec
        if arguments.play:
            from griddsl.web.widget import play

            display(play(spec))
        else:
            display(spec)

    def _file(self, spec_id: str, text: str) -> Path:
        """Return a file with the cell's text: ids are registered by their files."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="griddsl-cells-")
        name = "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in spec_id)
        path = Path(self._folder.name) / f"{name}.grid"
        write(path, text)
        return path


# Wrappers of others pass no picture on: what stands in them is shown instead.
_WRAPPERS = (
    ("gymnasium.core", "Wrapper"),
    ("gymnasium.vector.vector_env", "VectorWrapper"),
    ("pettingzoo.utils.wrappers.base", "BaseWrapper"),
)
_PICTURES = {"image/svg+xml": "_repr_svg_", "image/png": "_repr_png_"}


def load_ipython_extension(shell: Any) -> None:
    """Give a notebook the magic ``%%grid``, and pictures of wrapped environments."""
    shell.register_magics(GridMagics)
    for form, method in _PICTURES.items():
        for module, name in _WRAPPERS:
            shell.display_formatter.formatters[form].for_type_by_name(
                module, name, partial(_shown_inside, method)
            )


def _shown_inside(method: str, wrapper: Any) -> Any:
    inside = wrapper.unwrapped
    ours = type(inside).__module__.startswith("griddsl.") and hasattr(inside, method)
    return getattr(inside, method)() if ours else None
