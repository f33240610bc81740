"""Identity: which game a policy is for, whatever its file, its comments and its observation are."""

from __future__ import annotations

from typing import Any

from griddsl.compiler import compiled
from griddsl.loading import resolve
from griddsl.program.identity import digest_of


def game_hash(source: Any, /, **params: Any) -> str:
    """Return 16 hex digits that two specs share where they compile to the same game.

    Layout, comments and descriptions do not count; parameters, maps and rules do. ``observation`` is left aside: it
    changes what is seen of a game. Raises `SpecError` where the spec has errors.
    """
    params.pop("observation", None)
    return digest_of(compiled(resolve(source), **params).program)
