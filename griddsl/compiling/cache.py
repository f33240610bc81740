"""Compiled specs on disk: a spec that is as it was when it was compiled last is not compiled again.

What is kept is named by a hash of the text, its name, the parameters, this griddsl, Python and numpy; inside stands
what other files and folders held that the spec was made of, so that a change of any of them is seen.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from griddsl.diagnostics import Report
from griddsl.files import cache
from griddsl.files.packages import installed
from griddsl.source import Source, state_of
from griddsl.syntax.reader import TEXT_NAME

if TYPE_CHECKING:
    from griddsl.program.program import Program
    from griddsl.spec.models import GridSpec

MOST_KEPT = 1_000
_FOLDER = "specs/"
_SUFFIXES = (".py", ".lark", ".grid")


class Compiled:
    """A compiled spec: its program, and the model it was lowered from, which is read from disk when it is asked for.

    To read it takes longer than to start an environment, which does without.
    """

    def __init__(self, program: Program, model: GridSpec | bytes) -> None:
        self.program = program
        self._model = model

    @cached_property
    def model(self) -> GridSpec:
        """The validated model, with the parameters bound."""
        model: GridSpec = pickle.loads(self._model) if isinstance(self._model, bytes) else self._model
        return model

    def __getstate__(self) -> dict[str, Any]:
        return {"program": self.program, "_model": self._model}


def name_of(source: Source, arguments: Mapping[str, Any]) -> str | None:
    """Return the name under which a spec is kept; None for a text that no file holds, and for unusual arguments."""
    if source.name == TEXT_NAME:
        return None
    given = sorted((name, type(value).__name__, repr(value)) for name, value in arguments.items())
    if any(kind not in {"int", "float", "str", "bool"} for _, kind, _ in given):
        return None
    place = str(Path(source.name).absolute())
    brings = (
        repr(installed()) if "use" in source.text else ""
    )  # a new package may give a name in `use` a second file
    parts = [
        source.name,
        source.variant,
        place,
        source.text,
        repr(given),
        sys.version,
        np.__version__,
        _version(),
        brings,
    ]
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


@lru_cache(maxsize=1)
def _version() -> str:
    """Return what tells this griddsl from others: its files, by size and time."""
    home = Path(__file__).parents[1]
    return repr(sorted(_files(str(home), len(str(home)))))


def _files(home: str, prefix: int) -> Iterator[tuple[str, int, int]]:
    with os.scandir(home) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _files(entry.path, prefix)
            elif entry.name.endswith(_SUFFIXES):
                status = entry.stat()
                yield entry.path[prefix:], status.st_size, status.st_mtime_ns


def find(name: str) -> Compiled | None:
    """Return what is kept under a name, if all that it was made of is as it was."""
    content = cache.find(_FOLDER + name)
    if content is None:
        return None
    try:
        sought, program, model = pickle.loads(content)
        if any(state_of(*place) != state for place, state in sought.items()):
            return None
        return Compiled(pickle.loads(program), model)
    except Exception:  # what is of another version is made anew
        return None


def keep(name: str, spec: GridSpec, program: Program, report: Report) -> None:
    """Keep a compiled spec, where there is a place for it; plug-ins may change, so what asks them is not kept."""
    if program.plug_ins:
        return
    assert program.plain  # it is kept along with the program, for every start of an environment asks for it
    try:
        content = pickle.dumps((report.sought, pickle.dumps(program), pickle.dumps(spec)))
    except (pickle.PicklingError, TypeError, AttributeError, RecursionError):
        return
    cache.keep(_FOLDER + name, content, MOST_KEPT)
