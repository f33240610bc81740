"""Identity: what two programs share that are the same game, wherever their texts stand and whatever they say of it."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from griddsl.program.form import to_json
from griddsl.program.program import Program

_PLACES = {"Span", "Note"}  # where things stand in the text, and its comments
_LEFT_OUT = {"sources", "description", "doc", "metadata", "rules", "span", "message", "glance"}


def digest_of(program: Program) -> str:
    """Return 16 hex digits of a program, of which places, comments and descriptions are no part."""
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
