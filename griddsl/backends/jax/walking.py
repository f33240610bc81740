"""What loops need of the walk that they are a part of."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from griddsl.backends.jax.arrays import DType, Mask, Traced, Value
from griddsl.backends.jax.known.told import Written
from griddsl.backends.jax.sharing import Shared
from griddsl.program import ir
from griddsl.program.passes.effects import Known

Locals: TypeAlias = dict[str, Any]


class Walk(Protocol):
    """What a loop needs of the walk that it is a part of."""

    whole: DType
    known: Known
    written: Written
    passing: frozenset[str]
    shared: Shared
    slots: Mapping[str, ir.Slot]
    arrays: dict[str, Any]
    counter: Traced
    failed: Any
    out: Traced
    shape: tuple[int, ...]
    joins: bool
    drawing: tuple[ir.ForEach, list[Any]] | None
    waiting: dict[str, Any]
    owed: dict[str, Any]
    functions: Mapping[str, ir.Function]
    marks: list[tuple[Any, Any, Any]] | None

    def value(self, value: ir.Expr, given: Locals, mask: Mask) -> Any:
        """Return the value of an expression."""

    def block(self, block: Sequence[ir.Stmt], given: Locals, mask: Mask) -> tuple[Any, ...] | None:
        """Run statements."""

    def statement(self, statement: ir.Stmt, given: Locals, mask: Mask) -> None:
        """Run a statement."""

    def merge(self, test: Value, first: Locals, given: Locals) -> None:
        """Let each local be that of ``first`` where a test holds."""

    def settle_locals(self, body: Sequence[ir.Stmt], given: Locals) -> None:
        """Let the locals that the rounds of a loop read be found before the loop."""

    def singles(self) -> dict[str, Any]:
        """Return the slots of one entry as they are now."""

    def whole_array(self, name: str) -> Traced:
        """Return a slot as an array."""

    def count(self, names: Collection[str]) -> None:
        """Find the counts that are owed and are, or look at, one of these slots."""

    def put_in(self, names: Collection[str]) -> None:
        """Let what has been written to slots one by one be in their rows."""
