"""The program as JSON and back: plain data for whoever walks it in another language (`docs/program.md`).

Every node is an object whose ``is`` names its class; slots, tables and sources stand in lists of their own and are
meant by their numbers. Exact fractions are ``{"is": "Fraction", "over": 1, "under": 3}``.
"""

from __future__ import annotations

import dataclasses
import json
import math
import types
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np

from griddsl.diagnostics import Refused
from griddsl.program import ir, program, spaces
from griddsl.program.program import Program
from griddsl.source import Source, Span

FORM = 3  # grows when what is written could be misread by those who read the last one
_PLACED = {"slots": ir.Slot, "tables": ir.Table, "sources": Source}
_CLASSES: dict[str, Any] = {
    found.__name__: found
    for room in (ir, program, spaces)
    for found in vars(room).values()
    if isinstance(found, type)
    and dataclasses.is_dataclass(found)
    and found.__module__.startswith(room.__name__)
}


def to_json(compiled: Program) -> str:
    """Return a program as JSON text, one line."""
    numbers: dict[int, int] = {}
    for things in (compiled.slots, compiled.tables):
        numbers.update({id(thing): number for number, thing in enumerate(things)})
    sources: list[Source] = []

    def plain(value: Any) -> Any:
        match value:
            case ir.Slot() | ir.Table():
                return {"is": type(value).__name__, "number": numbers[id(value)]}
            case Span():
                if value.source not in sources:
                    sources.append(value.source)
                ends = {"start": value.start, "end": value.end}
                return {"is": "Span", "source": sources.index(value.source), "line": value.line, **ends}
            case Fraction():
                return {"is": "Fraction", "over": value.numerator, "under": value.denominator}
            case np.ndarray():
                return value.tolist()
            case str() | bool() | int() | None:
                return value
            case float():
                return value if math.isfinite(value) else {"is": "Real", "text": repr(value)}
            case Mapping():
                return {str(key): plain(part) for key, part in value.items()}
            case frozenset():
                return sorted(map(plain, value))
            case Sequence():
                return [plain(part) for part in value]
            case np.generic():
                return value.item()
        return {"is": type(value).__name__, **fields(value)}

    def fields(value: Any) -> dict[str, Any]:
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}

    whole = fields(compiled)
    whole["slots"] = [fields(slot) for slot in compiled.slots]
    whole["tables"] = [fields(table) for table in compiled.tables]
    whole["sources"] = [fields(source) for source in sources]
    return json.dumps({"form": FORM, **whole}, ensure_ascii=False, separators=(",", ":"))


def from_json(text: str) -> Program:
    """Return the program that `to_json` gave as text; raise `ValueError` for any other text."""
    try:
        whole = json.loads(text)
        if not isinstance(whole, dict) or whole.get("form") != FORM:
            raise Refused(f"this is no program of form {FORM}")
        placed: dict[str, list[Any]] = {}
        for name, made in _PLACED.items():
            placed[made.__name__] = [_made(made, part, placed) for part in whole[name]]
        whole["slots"], whole["tables"] = (tuple(placed[name]) for name in ("Slot", "Table"))
        return Program(
            **{
                field.name: whole[field.name]
                if field.name in _PLACED
                else _back(whole[field.name], _hints(Program)[field.name], placed)
                for field in dataclasses.fields(Program)
            }
        )
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise Refused(f"this is no program of form {FORM}: {error!r}") from error


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _made(kind: Any, given: Mapping[str, Any], placed: Mapping[str, list[Any]]) -> Any:
    hints = _hints(kind)
    return kind(**{name: _back(value, hints[name], placed) for name, value in given.items() if name != "is"})


def _back(value: Any, hint: Any, placed: Mapping[str, list[Any]]) -> Any:
    """Return a value as the hint of its field says it is kept."""
    if isinstance(value, dict) and "is" in value:
        match value["is"]:
            case "Slot" | "Table" as name:
                return placed[name][value["number"]]
            case "Span":
                return Span(placed["Source"][value["source"]], value["start"], value["end"])
            case "Fraction":
                return Fraction(value["over"], value["under"])
            case "Real":
                return float(value["text"])
        return _made(_CLASSES[value["is"]], value, placed)
    if isinstance(value, dict):
        inner = get_args(hint)[1] if get_args(hint) else Any
        return {key: _back(part, inner, placed) for key, part in value.items()}
    if isinstance(value, list):
        origin, inner = _container(hint)
        return origin(_back(part, inner, placed) for part in value)
    return value


def _container(hint: Any) -> tuple[type, Any]:
    """Return what a list was before, and the hint of what is in it."""
    if get_origin(hint) in {Union, types.UnionType}:
        found = [_container(part) for part in get_args(hint) if get_origin(part) in {tuple, list, frozenset}]
        return found[0] if found else (list, Any)
    arguments = get_args(hint)
    inner = arguments[0] if arguments else Any
    origin = get_origin(hint)
    if origin in {tuple, list, frozenset}:
        return origin, inner
    return (list if hint is Any or origin is not None else tuple), inner
