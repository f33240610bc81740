"""Reals on JAX are rounded step by step, as IEEE 754 and Python do it, whatever XLA knows about them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from griddsl.compiler import compiled
from griddsl.loading import resolve

pytest.importorskip("jax")

STICK = """env: t/Stick-v0
map:
    @.
actions: joystick {}
observe: cell
"""
TERMS: dict[str, Callable[[Any], Any]] = {
    "sums of constants": lambda of: of("+", of("+", of.x, 0.1), 3.7),
    "differences of constants": lambda of: of("-", of("-", of.x, 0.1), 3.7),
    "a sum taken back": lambda of: of("-", of("+", of.x, 0.1), 0.1),
    "products of constants": lambda of: of("*", of("*", of.x, 0.1), 3.7),
    "products with constants": lambda of: of("*", of("*", 0.1, of.x), of("*", 3.7, of.y)),
    "a part of a constant": lambda of: of("/", of.x, 0.1),
    "a third of a whole number": lambda of: of("/", of.n, 3),
    "a part of a large constant": lambda of: of("/", of.n, 759169024),
    "a part of a part": lambda of: of("/", of("/", of.x, of.y), of.n),
    "a constant by a part": lambda of: of("/", 0.1, of("/", of.x, of.y)),
    "by a part": lambda of: of("/", of.x, of("/", of.y, 0.1)),
    "a product and a sum": lambda of: of("+", of("*", of.x, of.y), of.n),
    "a sum of products": lambda of: of("+", of("*", of.x, 0.1), of("*", of.y, 0.1)),
    "a difference of products": lambda of: of("-", of("*", of.x, of.y), of("*", of.x, of.n)),
    "by a root": lambda of: of("/", of.y, of("sqrt", of("abs", of.x))),
    "by a known root": lambda of: of("/", of.x, of("sqrt", 2.0)),
    "a rest": lambda of: of("%", of.x, 0.3),
    "how often": lambda of: of("//", of.x, 0.3),
}
NUMPY: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "sqrt": np.sqrt,
    "abs": np.abs,
}


class Plain:
    """What an operator makes of numbers, rounded each time."""

    def __init__(self, x: Any, y: Any, n: Any) -> None:
        self.x, self.y, self.n = x, y, n

    def __call__(self, sign: str, *values: Any) -> Any:
        """Return what numpy or Python gives."""
        return NUMPY[sign](*values)


class OnJax(Plain):
    """What the backend makes of the same."""

    def __call__(self, sign: str, *values: Any) -> Any:
        """Return what is traced."""
        from griddsl.backends.jax.values import operated

        return operated(sign, values, ["real"] * len(values), [float("-inf")] * len(values), np.int32)


@pytest.mark.parametrize("term", TERMS.values(), ids=TERMS)
@pytest.mark.parametrize("count", [1, 2000])
def test_reals__are_those_of_python_to_the_last_bit(term: Callable[[Any], Any], count: int) -> None:
    """One game, and many at once: a compiler has other ways for a single number."""
    import jax

    draw = np.random.default_rng(count)
    with jax.enable_x64(True):
        found = jax.jit(lambda *values: term(OnJax(*values)))
        for _ in range(200 if count == 1 else 1):
            x, y = draw.uniform(-50, 50, (2, count))
            n = draw.integers(1, 1000, count) * 1.0
            if count == 1:
                x, y, n = x[0], y[0], n[0]
            np.testing.assert_array_equal(found(x, y, n), term(Plain(x, y, n)))


@pytest.mark.parametrize("ways", [4, 8])
def test_joystick__points_where_it_does_elsewhere(ways: int) -> None:
    """Sticks exactly between two directions too, and those at the edge of the dead zone."""
    import jax

    from griddsl.envs.spaces import snapped
    from griddsl.jax.given import snapped as snapped_by_jax

    group = compiled(resolve(STICK.format(ways))).program.groups[0]
    draw = np.random.default_rng(ways)
    even = np.stack(np.meshgrid(np.linspace(-1, 1, 17), np.linspace(-1, 1, 17)), -1).reshape(-1, 2)
    near = np.stack((0.25 * np.cos(turns := draw.uniform(0, 7, 500)), 0.25 * np.sin(turns)), -1)
    sticks = np.concatenate((even, near, draw.uniform(-1, 1, (500, 2)))).astype(np.float32)
    found = jax.jit(jax.vmap(lambda stick: snapped_by_jax(group, stick)))(sticks)
    assert np.asarray(found).tolist() == [snapped(group, stick) for stick in sticks]
