"""What is known of registered specs, in values of JSON.

Of those that come with griddsl it stands in ``specs/index.json``, so that nothing is compiled to list them: the file
says by hash of which text it speaks, and a test over all of them writes it (``--update-cases``) and compares.
"""

from __future__ import annotations

import json
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from griddsl.files.packages import installed

INDEX = "index.json"
FIELDS = ("description", "width", "height", "levels", "agents", "actions", "observation", "params", "limit")


def record_of(spec_id: str, path: Path) -> dict[str, Any]:
    """Return what is known of a spec; of one with errors how many there are."""
    place = {"id": spec_id, "path": str(path), "package": _package(path)}
    return {**place, **(indexed(spec_id, path) or compiled_record(path))}


def indexed(spec_id: str, path: Path) -> dict[str, Any] | None:
    """Return what the index says of a spec; None where it says nothing, or speaks of another text."""
    from griddsl.registration.ids import bundled_folder

    entry = _index(bundled_folder()).get(path.name)
    if entry is None or spec_id not in entry["ids"] or path.parent != bundled_folder():
        return None
    if text_hash(path) != entry["sha256"]:
        return None
    found = {**entry["all"], **entry["ids"][spec_id]}
    return {field: found[field] for field in FIELDS}


def text_hash(path: Path) -> str:
    """Return the hash by which the index knows the text of a file, whatever ends its lines."""
    return sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()


@lru_cache(maxsize=1)
def _index(folder: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads((folder / INDEX).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found


def compiled_record(path: Path) -> dict[str, Any]:
    """Return what is known of a spec by compiling it."""
    from griddsl.compiler import compiled
    from griddsl.diagnostics import SpecError
    from griddsl.program.words import space_text

    try:
        ready = compiled(path)
        spec, program = ready.model, ready.program
    except SpecError as error:
        found = sum(diagnostic.is_error for diagnostic in error.diagnostics)
        return {"errors": found}
    return {
        "description": spec.description,
        "width": program.width,
        "height": program.height,
        "levels": [drawing.name for drawing in spec.maps if drawing.name],
        "agents": list(program.agent_names),
        "actions": [[action.name for action in group.actions] for group in program.groups],
        "observation": space_text(program),
        "params": _params(spec),
        "limit": program.limit,
    }


def _package(path: Path) -> str | None:
    """Return the name of the installed package of specs that a file comes from; None for others."""
    return next((each.name for each in installed().packages if path.is_relative_to(each.folder)), None)


def _params(spec: Any) -> dict[str, dict[str, Any]]:
    from griddsl.diagnostics import Report
    from griddsl.lowering.world.parameters import bind_params

    values, domains = bind_params(spec, Report())
    return {name: {"default": _plain(values[name]), "domain": str(domains[name])} for name in domains}


def _plain(value: Any) -> Any:
    """Return a fraction as a number of JSON."""
    if isinstance(value, bool | str):
        return value
    return int(value) if float(value).is_integer() else float(value)
