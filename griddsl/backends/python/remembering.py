"""Remembering: what loops over fixed cells show, in Python, is found once for each of the few values they follow."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from griddsl.backends.python.printing import Quick
from griddsl.program import ir
from griddsl.program.passes.normal import of_parts
from griddsl.program.printer import is_whole

LEAST = 4  # rounds: of fewer, a loop has found its places by the time that they are looked up
MOST_RANGE = (
    65_536  # what the values that a loop follows can be together: of more, the same seldom come again
)
MOST = 4_096  # of these are remembered, until all are forgotten


class Remembered(dict[Any, tuple[int, ...]]):
    """The places that a loop writes to, by the values that it follows, found when they are first asked for."""

    def __init__(self, find: Callable[..., Sequence[int]], several: bool) -> None:
        self._find, self._several = find, several

    def __missing__(self, key: Any) -> tuple[int, ...]:
        """Return the places for values that were not asked for yet."""
        if len(self) >= MOST:
            self.clear()
        made = self[key] = tuple(self._find(*key) if self._several else self._find(key))
        return made


@dataclass(frozen=True, slots=True)
class Shown:
    """A loop over fixed places that writes one ``value`` to what is observed; ``keys`` are the values it follows.

    ``lines`` are the body of a function of the keys, called ``parameters`` in it, that returns the places.
    """

    keys: Sequence[ir.Expr]
    parameters: Sequence[str]
    lines: Sequence[str]
    value: ir.Const


def shown(loop: ir.For, printer: Quick) -> Shown | None:
    """Return a loop as what is remembered of it; None where it does more, or follows more than a few values."""
    if not isinstance(loop.low, ir.Const) or not isinstance(loop.high, ir.Const):
        return None
    written = {each.value for each in ir.statements(loop.body) if isinstance(each, ir.Out)}
    if loop.high.value - loop.low.value < LEAST or len(written) != 1:
        return None
    (value,) = written
    plain = all(isinstance(each, ir.Let | ir.If | ir.Out | ir.Note) for each in ir.statements(loop.body))
    if not plain or not isinstance(value, ir.Const):
        return None
    own = {loop.name, *(name for each in ir.statements(loop.body) for name in ir.sets(each))}
    keys: dict[ir.Expr, ir.Local] = {}

    def followed(given: ir.Expr) -> ir.Expr:
        """Return a value of the round's own locals and of keys."""
        inner = ir.inner(given)
        if any(isinstance(part, ir.Load | ir.Call | ir.Local) for part in ir.parts(given)) and not any(
            isinstance(part, ir.Local) and part.name in own for part in ir.parts(given)
        ):
            if given not in keys:
                keys[given] = ir.Local(printer.names.fresh("key"), given.type, given.low, given.high)
            return keys[given]
        if isinstance(given, ir.Load | ir.Call):
            keys[given] = ir.Local(
                "", given.type, given.low, given.high
            )  # no key: it is another one each round
        return of_parts(given, tuple(map(followed, inner))) if inner else given

    def through(block: ir.Block) -> ir.Block:
        return [ir.with_values(ir.with_blocks(statement, through), followed) for statement in block]

    body = through(loop.body)
    if math.prod(key.high - key.low + 1 for key in keys) > MOST_RANGE:
        return None
    if not all(local.name and is_whole(key) for key, local in keys.items()):
        return None
    finding = _Finding(printer.locals, printer.dialect, printer.names, printer.names.fresh("found"))
    lines = [
        f"    {finding.found} = []",
        *finding.block([replace(loop, body=body)], 1),
        f"    return {finding.found}",
    ]
    return Shown(list(keys), [local.name for local in keys.values()], lines, value)


@dataclass(frozen=True, slots=True)
class _Finding(Quick):
    """Prints what finds the places that are written to, in the place of what writes to them."""

    found: str

    def _simple(self, statement: ir.Stmt) -> Iterator[str]:
        if isinstance(statement, ir.Out):
            yield f"{self.found}.append({self.expression(statement.index)})"
        else:
            yield from Quick._simple(self, statement)
