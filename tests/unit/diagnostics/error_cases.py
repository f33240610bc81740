"""Error cases: ``tests/cases/errors/<code>/<name>.grid`` (or ``.toml``) with ``<name>.txt``, all that is said of it.

Comment lines at the top of a case say how it is run: ``# params: size=3`` gives parameters, ``# reset`` makes the
environment and resets it, ``# exact`` visits all of its states, ``# encoding: latin-1`` saves the file so, and ``# expand`` puts ``<<TEXT*N>>`` as N times the text
and ``<<U+0000>>`` as the character, for what is too long or too ugly to be kept. Files that start with ``_`` are used by cases.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import griddsl
from griddsl.diagnostics import Diagnostic

FOLDER = Path(__file__).parents[2] / "cases" / "errors"
FILES = sorted(
    path
    for ending in ("*.grid", "*.toml")
    for path in FOLDER.glob(f"*/{ending}")
    if not path.name.startswith("_")
)
_DIRECTIVE = re.compile(r"# (params|reset|exact|encoding|expand)(?:: (.*))?")


def diagnostics_of(case: Path, scratch: Path) -> list[Diagnostic]:
    """Return everything that is said of a case, run in its own folder so that it is shown by its bare name."""
    directives = directives_of(case)
    folder = (
        _prepared(case, directives, scratch) if directives.keys() & {"expand", "encoding"} else case.parent
    )
    params = _params(directives.get("params", ""))
    with _inside(folder):
        if "exact" in directives:
            from griddsl.exact.check.analysis import check_exactly

            return check_exactly(case.name, params)[0]
        if "reset" not in directives:
            return griddsl.check(case.name, **params)
        found = griddsl.check(case.name, **params)
        try:
            env = griddsl.make(case.name, **params)
            env.reset(seed=1)
        except griddsl.SpecError as error:
            found = error.diagnostics
        return found


def directives_of(case: Path) -> dict[str, str]:
    """Return how a case is run, as its first lines say."""
    found: dict[str, str] = {}
    for line in case.read_text(encoding="utf-8").split("\n"):
        match = _DIRECTIVE.fullmatch(line)
        if match is None:
            break
        found[match[1]] = match[2] or ""
    return found


def _prepared(case: Path, directives: dict[str, str], scratch: Path) -> Path:
    text = case.read_text(encoding="utf-8")
    if "expand" in directives:
        text = re.sub(r"<<U\+([0-9A-F]{4})>>", lambda match: chr(int(match[1], 16)), text)
        text = re.sub(r"<<(.*?)\*(\d+)>>", lambda match: match[1].replace("\\n", "\n") * int(match[2]), text)
    for file in case.parent.glob("_*"):
        shutil.copy(file, scratch)
    (scratch / case.name).write_bytes(text.encode(directives.get("encoding", "utf-8")))
    return scratch


def _params(text: str) -> dict[str, Any]:
    params: dict[str, Any] = {}
    for part in text.split():
        name, _, value = part.partition("=")
        try:
            params[name] = json.loads(value)
        except ValueError:
            params[name] = value
    return params


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
