"""Reckoned: how far a cell is from where a thing is, by the way in which it is written."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from griddsl.lowering.facts.joined import Given
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text

# How many cells a number is off, and the steps in some direction that come to it, as they are written.
_Way: TypeAlias = tuple[Fraction, str | None]


def is_off(cell: n.Expression | None, name: str, given: Given) -> bool:
    """Whether a cell is so many columns or rows away from where a thing is, or some steps in a direction."""
    if isinstance(cell, n.Name) and cell.name in given:
        return is_off(given[cell.name], name, _without(given, cell.name))
    if not isinstance(cell, n.Position):
        return False
    across, down = _away(cell.x, name, "x", given), _away(cell.y, name, "y", given)
    return any(way is not None and way[0] != 0 and way[1] is None for way in (across, down)) or (
        across is not None and across == down and across[0] == 0 and across[1] is not None
    )


def _away(number: n.Expression, name: str, axis: str, given: Given) -> _Way | None:
    """Return how far a column or a row is from that of a thing; None where it is not reckoned from the thing's own."""
    match number:
        case n.Attribute(n.Name(owner), attribute) if attribute == axis and _is_called(owner, name, given):
            return Fraction(0), None
        case n.Name(called) if called in given:
            return _away(given[called], name, axis, _without(given, called))
        case n.Arithmetic("+" | "-" as sign, left, n.Number(value)):
            found = _away(left, name, axis, given)
            return None if found is None else (found[0] + (value if sign == "+" else -value), found[1])
        case n.Arithmetic("+" | "-" as sign, left, right) if (steps := _steps(right, axis)) is not None:
            found = _away(left, name, axis, given)
            return None if found is None or found[1] is not None else (found[0], f"{sign}{steps}")
    return None


def _steps(number: n.Expression, axis: str) -> str | None:
    """Return the way of `dx(way)`, and of `2 * dx(way)` how many steps too."""
    match number:
        case n.Call(function, (way,)) if function == f"d{axis}":
            return to_text(way)
        case n.Arithmetic("*", count, n.Call(function, (way,))) | n.Arithmetic(
            "*", n.Call(function, (way,)), count
        ):
            return f"{to_text(count)} * {to_text(way)}" if function == f"d{axis}" else None
    return None


def _is_called(called: str, name: str, given: Given) -> bool:
    """Whether a thing is called so: by its kind, or by a name that `let` gave it."""
    return called == name or (called in given and getattr(given[called], "name", None) == name)


def _without(given: Given, name: str) -> Given:
    return {each: given[each] for each in given if each != name}
