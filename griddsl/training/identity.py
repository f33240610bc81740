"""Identity: which game a policy is for, whatever its file, its comments and its observation are."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from griddsl.compiler import compiled
from griddsl.loading import resolve
from griddsl.program.form import to_json

_PLACES = {"Span", "Note"}  # where things stand in the text, and its comments
_LEFT_OUT = {"sources", "description", "doc", "metadata", "rules", "span", "message"}


def game_hash(source: Any, **params: Any) -> str:
    """Return 16 hex digits that two specs share where they compile to the same game.

    Layout, comments and descriptions do not count; parameters, maps and rules do. ``observation`` is left aside: it
    changes what is seen of a game. Raises `SpecError` where the spec has errors.
    """
    params.pop("observation", None)
    program = compiled(resolve(source), **params).program
    plain = _without_places(json.loads(to_json(program)))
    return sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:16]


def _without_places(value: Any) -> Any:
    if isinstance(value, dict):
        if value.get("is") in _PLACES:
            return None
        return {name: _without_places(part) for name, part in value.items() if name not in _LEFT_OUT}
    if isinstance(value, list):
        return [_without_places(part) for part in value]
    return value
