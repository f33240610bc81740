"""Plug-ins: what installed packages bring that is truly a program, by the names that a spec calls them."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points

GENERATORS_GROUP = "griddsl.generators"


@cache
def plug_ins(group: str) -> tuple[str, ...]:
    """Return the names of the plug-ins of installed packages in an entry-point group; none is loaded yet."""
    return tuple(sorted({point.name for point in entry_points(group=group)}))
