"""Plug-ins: functions that installed packages bring, loaded by their names, and told of in words where they fail."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from griddsl.program.program import SEARCHES_GROUP, PlugIn, Program
from griddsl.program.runtime import SetupFailure
from griddsl.program.stream import Stream
from griddsl.program.view import MOVERS_GROUP, mover
from griddsl.refused import Refused

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class MissingPlugIn(Refused, LookupError):
    """A plug-in that no installed package brings."""


def loaded(program: Program, plug_in: PlugIn) -> Callable[..., Any]:
    """Return the function of a plug-in; a generator writes the map itself, a mover is asked for a direction.

    Raises `ValueError` where there is none, or where it cannot be loaded; so does the function, where its code does.
    """
    from importlib.metadata import entry_points  # which takes longer than to build what has no plug-in

    point = next(iter(entry_points(group=plug_in.group, name=plug_in.name)), None)
    if point is None:
        raise MissingPlugIn(
            f"{plug_in}, and no installed package brings it (entry points `{plug_in.group}`){plug_in.asked}"
        )
    function = _function(plug_in, point)
    if plug_in.group == SEARCHES_GROUP:
        return _search_when_asked(program, function)
    told = _told(plug_in, point, function)
    return mover(program, plug_in, told) if plug_in.group == MOVERS_GROUP else _generator(plug_in, told)


def _refused(plug_in: PlugIn, why: str) -> Refused:
    return Refused(f"{plug_in}, and {why}{plug_in.asked}")


def _function(plug_in: PlugIn, point: EntryPoint) -> Callable[..., Any]:
    try:
        found: Any = point.load()
    except Exception as error:
        raise _refused(plug_in, f"its `{point.value}` cannot be loaded: {_said(error)}") from error
    if not callable(found):
        raise _refused(plug_in, f"its `{point.value}` is {found!r:.60}, which is no function")
    function: Callable[..., Any] = found
    return function


def _told(plug_in: PlugIn, point: EntryPoint, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of a plug-in that says whose it is, and where it failed."""

    def called(*given: Any) -> Any:
        try:
            return function(*given)
        except (Refused, SetupFailure):
            raise
        except Exception as error:
            raise _refused(plug_in, f"its `{point.value}` failed: {_said(error)}") from error

    return called


def _said(error: Exception) -> str:
    """Return an error with the last place that it came through."""
    places = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(places[-1].filename).name}, line {places[-1].lineno})" if places else ""
    return f"{type(error).__name__}: {error}{place}"


def _generator(plug_in: PlugIn, draw: Callable[..., Any]) -> Callable[..., None]:
    """Return a generator that is looked at afterwards: it writes floor and walls into the cells, and nothing else."""

    def drawn(s: list[int], r: Stream, tile: int, width: int, height: int, floor: int, wall: int) -> None:
        before, end = s.copy(), tile + width * height
        draw(s, r, tile, width, height, floor, wall)
        if len(s) != len(before) or s[:tile] != before[:tile] or s[end:] != before[end:]:
            s[:] = before
            raise _refused(plug_in, f"wrote outside of its {width * height} cells, `s[tile + cell]`")
        for cell, code in enumerate(s[tile:end]):
            if code not in (floor, wall):
                s[:] = before
                x, y = cell % width, cell // width
                cells = f"a cell is `floor`, {floor}, or `wall`, {wall}"
                raise _refused(plug_in, f"wrote {code!r:.40} at ({x}, {y}): {cells}")

    return drawn


def _search_when_asked(program: Program, searcher: Callable[..., Any]) -> Callable[..., Any]:
    """Return a search that is made ready when it is first asked: it runs the program itself."""
    made: list[Callable[..., Any]] = []

    def search(s: list[int], f: list[float], r: Stream) -> Any:
        if not made:
            made.append(searcher(program))
        return made[0](s, f)

    return search
