"""What is spared: the same is not found twice, not asked twice, not gone through twice, and not found for nobody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from griddsl.program import ir
from griddsl.program.passes.effects import Known
from griddsl.program.passes.spared.again import asked_once
from griddsl.program.passes.spared.joined import joined_loops
from griddsl.program.passes.spared.unread import straightened, without_unread

__all__ = ["spared"]


def spared(functions: Mapping[str, ir.Function]) -> dict[str, ir.Function]:
    """Return functions of plain loops that do the same with less."""
    known = Known(functions)
    return {name: _spared(function, known) for name, function in functions.items()}


def _spared(function: ir.Function, known: Known) -> ir.Function:
    function = _once(replace(function, body=straightened(function.body)), known)
    joined = joined_loops(function, known)
    return function if joined is None else _once(replace(function, body=joined), known)


def _once(function: ir.Function, known: Known) -> ir.Function:
    return replace(function, body=without_unread(asked_once(function, known)))
