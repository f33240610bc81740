"""How the Python backend writes what other backends leave to their compilers: what is quick in CPython."""

from __future__ import annotations

from dataclasses import dataclass

from griddsl.program import ir
from griddsl.program.printer import Printer

TIGHT = 9  # how strongly what a product is made of binds
SHORT = 8  # rounds: what Python goes through as a tuple, which it makes once, and not as a range


@dataclass(frozen=True, slots=True)
class Quick(Printer):
    """Prints the lesser and the greater of two as a condition, and few rounds as a tuple: both without a call."""

    names: ir.Names

    def rounds(self, low: ir.Expr, high: ir.Expr) -> str:
        """Return the text of what a loop goes through."""
        if isinstance(low, ir.Const) and isinstance(high, ir.Const) and 0 < high.value - low.value <= SHORT:
            return str(tuple(range(int(low.value), int(high.value))))
        return Printer.rounds(self, low, high)

    def _operator(self, operator: str, values: tuple[ir.Expr, ...]) -> tuple[str, int]:
        if operator in {"min", "max"} and len(values) == 2:
            # What is compared is found first, from the left, and kept; of equal ones Python's own give the first.
            (one, one_again), (other, other_again) = map(self._twice, values)
            return f"{other_again} if {other} {'<' if operator == 'min' else '>'} {one} else {one_again}", -1
        return Printer._operator(self, operator, values)

    def _twice(self, value: ir.Expr) -> tuple[str, str]:
        """Return the text of a value where it is found, and where it stands once more."""
        text, _ = self._expression(value)
        if isinstance(ir.bare(value), ir.Local | ir.Const):
            return text, text
        name = self.names.fresh("kept")
        return f"({name} := {text})", name
