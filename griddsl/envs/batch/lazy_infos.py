"""Infos that are made when somebody looks at them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class LazyInfos(dict[str, Any]):
    """A dict whose entries are made, by ``make()``, when it is first read or written; most infos never are.

    An array of a thousand words costs as much as the thousand steps that it tells the end of. Only C code that goes
    around a dict's methods, such as that of ``json``, which takes no arrays anyway, finds it empty before that.
    """

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[], dict[str, Any]]) -> None:
        self._make: Callable[[], dict[str, Any]] | None = make

    def _fill(self) -> None:
        make, self._make = self._make, None
        if make is not None:
            dict.update(self, make())

    def __reduce__(self) -> tuple[type[dict[str, Any]], tuple[dict[str, Any]]]:
        return dict, (dict(self.items()),)


def _filled_first(name: str) -> Callable[..., Any]:
    method = getattr(dict, name)

    def filled(self: LazyInfos, *given: Any, **named: Any) -> Any:
        self._fill()
        return method(self, *given, **named)

    filled.__name__, filled.__doc__ = name, method.__doc__
    return filled


READ = "getitem contains iter len reversed eq ne repr or ror"
WRITTEN = "setitem delitem ior"
NAMED = "get keys values items copy pop popitem setdefault update clear"
for _name in [f"__{name}__" for name in f"{READ} {WRITTEN}".split()] + NAMED.split():
    setattr(LazyInfos, _name, _filled_first(_name))
