"""The runtime under numba: bit for bit the functions of `griddsl.program.runtime`, on arrays.

A state is ``s`` (integers), ``f`` (float64) and ``r`` (uint64), each one-dimensional and contiguous. Whole numbers
are kept in 64 bits, signed outside the stream and unsigned inside it: numba makes a float of a mix of both.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit, types
from numba.core import compiler, compiler_machinery, typed_passes

from griddsl.program import drawing
from griddsl.program.exponential import exponential
from griddsl.program.runtime import SetupFailure

INFINITY = math.inf
__all__ = [
    "INFINITY",
    "SetupFailure",
    "blank",
    "chance",
    "draw",
    "draw_caves",
    "draw_maze",
    "draw_rooms",
    "exp",
    "native",
    "odds",
    "part",
    "restore",
    "snapshot",
    "sqrt",
    "weighted",
]


_compiler: Any = compiler  # numba's own classes carry no types
_passes: Any = typed_passes


@compiler_machinery.register_pass(mutates_CFG=True, analysis_only=False)
class _Unoptimised(_passes.NativeLowering):  # type: ignore[misc]
    """Lower a function to LLVM as numba does, and leave it so: what is optimised is the kernel around it."""

    _name = "griddsl_unoptimised"

    def run_pass(self, state: Any) -> Any:
        state.library = state.targetctx.codegen().create_library(state.func_id.func_qualname)
        state.library.enable_object_caching()
        state.library._optimize_final_module = lambda: None
        return super().run_pass(state)


class _Part(_compiler.CompilerBase):  # type: ignore[misc]
    """The compiler of what is only ever a part of kernels."""

    def define_pipelines(self) -> list[Any]:
        passes = _compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [
            (_Unoptimised if step is _passes.NativeLowering else step, what) for step, what in passes.passes
        ]
        passes.finalize()
        return [passes]


# Python must not call these functions: they have none of the two ways in that numba would compile for each.
_OPTIONS = {
    "pipeline_class": _Part,
    "error_model": "numpy",
    "forceinline": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


def native(function: Callable[..., Any]) -> Any:
    """Compile a function once for all signed integers: numba would do so for each size, and for each constant."""
    return _for_whole_numbers(njit(**_OPTIONS)(function))


def part(function: Callable[..., Any]) -> Any:
    """Compile a part of a long function, likewise; it is called, where others become part of what calls them."""
    return _for_whole_numbers(njit(**_OPTIONS | {"forceinline": False})(function))


def _for_whole_numbers(compiled: Any) -> Any:
    template = compiled.get_call_template
    compiled.get_call_template = lambda given, named: template([_widened(kind) for kind in given], named)
    return compiled


def _widened(kind: Any) -> Any:
    numba_types: Any = types
    kind = numba_types.unliteral(kind)
    return types.int64 if isinstance(kind, numba_types.Integer) and kind.signed else kind


GAMMA = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_LOW = np.uint64(0xFFFFFFFF)
_11, _27, _30, _31, _32 = (np.uint64(bits) for bits in (11, 27, 30, 31, 32))


@native
def next64(r: Any) -> Any:
    """Return the next 64 bits of the stream."""
    r[0] += GAMMA
    return mixed(r[0])


@native
def mixed(z: Any) -> Any:
    """Return the 64 bits that a stream gives where it has come to ``z``."""
    z = (z ^ (z >> _30)) * _FIRST
    z = (z ^ (z >> _27)) * _SECOND
    return z ^ (z >> _31)


@native
def draw(r: Any, n: Any) -> Any:
    """Return a whole number from 0 to ``n - 1``, each with the same chance; 0 < n <= 2**31."""
    size = np.uint64(n)
    m = (next64(r) >> _32) * size
    if m & _LOW < size:
        threshold = (_LOW + np.uint64(1) - size) % size
        while m & _LOW < threshold:
            m = (next64(r) >> _32) * size
    return np.int64(m >> _32)


@native
def odds(r: Any, wins: Any, of: Any) -> Any:
    """Return True with the chance ``wins / of``, exactly."""
    return draw(r, of) < wins


@native
def chance(r: Any, p: Any) -> Any:
    """Return True with the chance ``p``, to 53 bits."""
    return np.float64(next64(r) >> _11) * 1.1102230246251565e-16 < p


@native
def weighted(r: Any, totals: Any) -> Any:
    """Return an index with the chance of its weight; ``totals`` are the running sums of whole weights."""
    drawn = draw(r, totals[len(totals) - 1])
    index = 0
    while drawn >= totals[index]:
        index += 1
    return index


@native
def snapshot(s: Any, size: Any, k: Any) -> Any:
    """Return a copy of a state of this size; the ``k``-th one lies behind it, because new memory is numba's to give."""
    kept = s[np.uint64(size * (k + 1)) : np.uint64(size * (k + 2))]
    for at in range(size):
        kept[at] = s[at]
    return kept


@native
def restore(s: Any, kept: Any) -> None:
    """Put a copy back; by a loop, because numba compiles the message of a failed slice assignment for seconds."""
    for k in range(len(kept)):
        s[k] = kept[k]


_exponential = native(exponential)


@native
def exp(value: Any) -> Any:
    """Return the exponential, bit for bit that of all backends."""
    return _exponential(np.float64(value))


@native
def sqrt(value: Any) -> Any:
    """Return the square root."""
    return math.sqrt(value)


@native
def blank(out: Any, count: Any, value: Any) -> None:
    """Let an observation show one value everywhere."""
    for k in range(count):
        out[k] = value


_loops = drawing.with_draws(draw, native)
draw_maze, draw_rooms, draw_caves = (_loops[f"draw_{name}"] for name in ("maze", "rooms", "caves"))
