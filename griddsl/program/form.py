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
from pathlib import PurePath
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

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


def to_json(compiled: Program, with_paths: bool = True) -> str:
    """Return a program as JSON text, one line; with the names of its files alone, where it goes to another machine."""
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
    named = [
        source if with_paths else dataclasses.replace(source, name=PurePath(source.name).name)
        for source in sources
    ]
    whole["sources"] = [fields(source) for source in named]
    return json.dumps({"form": FORM, **whole}, ensure_ascii=False, separators=(",", ":"))


def from_json(text: str) -> Program:
    """Return the program that `to_json` gave as text; raise `ValueError` for any other text."""
    try:
        whole = json.loads(text, parse_constant=_no_constant)
        if not isinstance(whole, dict) or whole.get("form") != FORM:
            raise Refused(f"this is no program of form {FORM}")
        placed: dict[str, list[Any]] = {}
        for name, made in _PLACED.items():
            placed[made.__name__] = [_made(made, part, placed) for part in whole[name]]
        whole["slots"], whole["tables"] = (tuple(placed[name]) for name in ("Slot", "Table"))
        parts = {
            field.name: whole[field.name]
            if field.name in _PLACED
            else _back(whole[field.name], _hints(Program)[field.name], placed)
            for field in dataclasses.fields(Program)
        }
        _refuse_unfit(Program, parts)
        return Program(**parts)
    except (KeyError, IndexError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise Refused(f"this is no program of form {FORM}: {error!r}") from error


def _no_constant(word: str) -> Any:
    raise Refused(f"this is no program of form {FORM}: {word} is no number of JSON")


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _made(kind: Any, given: Mapping[str, Any], placed: Mapping[str, list[Any]]) -> Any:
    hints = _hints(kind)
    parts = {name: _back(value, hints[name], placed) for name, value in given.items() if name != "is"}
    if parts.keys() != {field.name for field in dataclasses.fields(kind)}:
        raise Refused(
            f"this is no program of form {FORM}: a `{kind.__name__}` has the parts {', '.join(parts)}"
        )
    _refuse_unfit(kind, parts)
    return kind(**parts)


def _refuse_unfit(kind: Any, parts: Mapping[str, Any]) -> None:
    """Raise `Refused` where a part of a node is of another kind than the node says."""
    for name, value in parts.items():
        if not _fits(value, _hints(kind)[name]):
            given = type(value).__name__
            raise Refused(f"this is no program of form {FORM}: `{kind.__name__}.{name}` is no such {given}")


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value is what the hint of its field says; of a node only its class is asked, its parts were before."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in {Any, object}:
        return True
    if origin in {Union, types.UnionType}:
        return any(_fits(value, part) for part in arguments)
    if origin is Literal:
        return isinstance(value, str) and value in arguments
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and value == value
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if isinstance(value, dict):
        return origin is Mapping and all(_fits(part, arguments[1]) for part in value.values())
    if origin is tuple and arguments[-1] is not Ellipsis:
        pairs = zip(value, arguments, strict=False) if isinstance(value, tuple) else ()
        return len(value) == len(arguments) and all(_fits(part, each) for part, each in pairs)
    if isinstance(value, tuple | list | frozenset):
        return origin in {type(value), Sequence} and all(_fits(part, arguments[0]) for part in value)
    return isinstance(hint, type) and isinstance(value, hint)


def _back(value: Any, hint: Any, placed: Mapping[str, list[Any]]) -> Any:
    """Return a value as the hint of its field says it is kept."""
    if isinstance(value, dict) and "is" in value:
        match value["is"]:
            case "Slot" | "Table" as name:
                return _placed_at(placed[name], value["number"])
            case "Span":
                ends = value["start"], value["end"]
                if not all(_fits(end, int) for end in ends):
                    raise TypeError("a span without numbers")
                return Span(_placed_at(placed["Source"], value["source"]), *ends)
            case "Fraction":
                return Fraction(value["over"], value["under"])
            case "Real":
                return {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}[value["text"]]
        return _made(_CLASSES[value["is"]], value, placed)
    if isinstance(value, dict):
        inner = get_args(hint)[1] if get_args(hint) else Any
        return {key: _back(part, inner, placed) for key, part in value.items()}
    if isinstance(value, list):
        origin, inner = _container(hint)
        return origin(_back(part, inner, placed) for part in value)
    return value


def _placed_at(things: Sequence[Any], number: Any) -> Any:
    if not _fits(number, int) or number < 0:
        raise IndexError(f"there is no number {number}")
    return things[number]


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
