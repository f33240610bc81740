"""What is raised where something cannot be done as it was asked for."""

from __future__ import annotations

import operator
from typing import Any


class Refused(ValueError):
    """What cannot be done as it was asked for; the text says why, and is for whoever asked.

    Any other `ValueError` is a fault of the package, and nobody catches it.
    """


def whole_number(what: str, given: Any, least: int, most: int | None = None) -> int:
    """Return a whole number as one of Python, of whatever library it is; raise `Refused` for anything else.

    ``what`` is what it counts or names, as it begins a sentence: ``a horizon``.
    """
    try:
        number = -1 if isinstance(given, bool) else operator.index(given)
        fits = not isinstance(given, bool) and least <= number and (most is None or number <= most)
    except TypeError:
        fits = False
    if not fits:
        bounds = f"from {least} on" if most is None else f"from {least} to {most}"
        shown = repr(given)
        raise Refused(
            f"{what} is a whole number {bounds}, not {shown if len(shown) <= 60 else shown[:57] + '...'}"
        )
    return number
