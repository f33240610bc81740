"""Which games one page holds: the spec as it is asked for, its levels of other sizes, and parameters that vary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from griddsl.compiler import AnySpec, compiled
from griddsl.compiling.cache import Compiled
from griddsl.diagnostics import Refused

MOST_GAMES = 16
Params = dict[str, Any]


def games_of(
    source: AnySpec, params: Params, vary: Mapping[str, Sequence[Any]] | None = None
) -> list[tuple[str, Params, Compiled]]:
    """Return each game with its name and its parameters (and ``level``), the one that is asked for first.

    ``vary`` gives parameters the values that a player may choose from. Raises `SpecError` for a spec with errors, and
    `ValueError` where there are too many combinations.
    """
    first = compiled(source, **params)
    found = [("as it is", dict(params), first)]
    if vary:
        combined = [dict(zip(vary, values, strict=True)) for values in product(*vary.values())]
        if len(combined) > MOST_GAMES:
            raise Refused(
                f"{len(combined)} combinations are too many: a page holds {MOST_GAMES} games at most"
            )
        found = [
            (_label(each), each, compiled(source, **each)) for each in ({**params, **own} for own in combined)
        ]
    if "level" in params or (vary and "level" in vary):
        return found
    return found + _of_other_sizes(source, params, first, MOST_GAMES - len(found))


def _of_other_sizes(
    source: AnySpec, params: Params, first: Compiled, most: int
) -> list[tuple[str, Params, Compiled]]:
    """Return a game for each size of levels that the first one does not hold."""
    held = set(first.program.levels)
    found: list[tuple[str, Params, Compiled]] = []
    for drawing in first.model.maps:
        if drawing.name is not None and drawing.name not in held and len(found) < most:
            given = {**params, "level": drawing.name}
            other = compiled(source, **given)
            held.update(other.program.levels)
            found.append((f"level {drawing.name}", given, other))
    return found


def _label(params: Params) -> str:
    words = (
        f"{name} {str(value).lower() if isinstance(value, bool) else value}" for name, value in params.items()
    )
    return ", ".join(words)
