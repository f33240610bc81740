"""Functions that are compiled once and called: those that would stand too often in what a program is made of.

Most functions are written out where they are called, which lets the compiler join all that surrounds them. Where calls
lie in calls that would be too much: ten calls of ten calls of a function are a hundred of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax
from jax.experimental.xla_metadata import set_xla_metadata

from griddsl.program import ir

MOST_WRITTEN_OUT = 1_250  # statements of a function, with all that it calls
LEAST_SHARED = 15  # statements: a smaller function is always written out


class Shared:
    """Which functions of a program are compiled once, and the compiled ones."""

    def __init__(self, functions: Mapping[str, ir.Function]) -> None:
        self._functions = functions
        self._sizes: dict[str, int] = {}
        self._made: dict[str, Any] = {}
        self.names: set[str] = set()
        if max(map(self._size, functions)) > MOST_WRITTEN_OUT:
            calls: dict[str, int] = {}
            for function in functions.values():
                for name in _calls(function.body):
                    calls[name] = calls.get(name, 0) + 1
            self.names = {
                name for name, count in calls.items() if count > 1 and self._size(name) >= LEAST_SHARED
            }

    def _size(self, name: str) -> int:
        """Return the statements of a function with all that it calls, each as often as it is called."""
        if name not in self._sizes:
            self._sizes[name] = self.size_of(self._functions[name].body)
        return self._sizes[name]

    def size_of(self, block: ir.Block) -> int:
        """Return the statements of a block with all that it calls."""
        return sum(1 for _ in ir.statements(block)) + sum(map(self._size, _calls(block)))

    def is_called_in(self, block: ir.Block) -> bool:
        """Whether a block calls such a function, or one that does."""
        called = _calls(block)
        return any(name in self.names or self.is_called_in(self._functions[name].body) for name in called)

    def function(self, name: str, run: Callable[..., Any]) -> Callable[..., Any]:
        """Return the compiled function; ``run`` is traced when it is called first."""
        if name not in self._made:
            self._made[name] = jax.jit(run)
        made = self._made[name]

        def called(*given: Any) -> Any:
            with set_xla_metadata(inlineable="false"):
                return made(*given)

        return called


def _calls(block: ir.Block) -> list[str]:
    return [
        part.function
        for statement in ir.statements(block)
        for value in ir.values_of(statement)
        for part in ir.parts(value)
        if isinstance(part, ir.Call)
    ]
