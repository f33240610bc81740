"""The exponential: right to a unit of the last place, and the same to the last bit on every backend."""

from __future__ import annotations

import importlib.util
import json
import math
import random
import subprocess
from decimal import Decimal, getcontext
from importlib.resources import files
from typing import Any

import pytest

from griddsl.program.exponential import between, exponential
from tests.agreement.in_node import NODE

RANDOM = random.Random(7)
NUMBERS = [0.0, -0.0, 1.0, -10.0, 699.9, -699.9, 1e9, -1e9, math.inf, -math.inf, 1e-300, -5e-324]
NUMBERS += [RANDOM.uniform(-720, 720) for _ in range(400)] + [RANDOM.uniform(-2, 2) for _ in range(600)]


def test_exponential__is_right_to_a_unit_of_the_last_place() -> None:
    """Beside the true value; 0 gives 1, and nothing above 0 less than that."""
    getcontext().prec = 60
    for number in NUMBERS:
        true = Decimal(min(max(number, -700.0), 700.0)).exp()
        found = exponential(number)
        assert abs(Decimal(found) - true) < Decimal(math.ulp(found)), number
        assert (found >= 1) == (number > -1e-16), number
    assert exponential(0.0) == 1.0
    assert math.isnan(exponential(math.nan))


def test_between__holds_all_that_lies_in_the_range() -> None:
    """What the compiler claims of a range is so for its ends and what is in it."""
    for low in NUMBERS[12:60]:
        ends = between(low, low + 1e-13)
        for step in range(50):
            assert ends[0] <= exponential(low + step * 2e-15) <= ends[1]
    assert between(-math.inf, 0)[1] == 1.0


@pytest.mark.skipif(NODE is None, reason="Node is not installed")
def test_exponential__is_the_same_in_javascript() -> None:
    """The module's function gives the same doubles."""
    assert NODE is not None
    runtime = files("griddsl.backends.javascript").joinpath("runtime.js").read_text(encoding="utf-8")
    numbers = [number for number in NUMBERS if math.isfinite(number)]
    script = (
        runtime.replace("export ", "") + f"\nconsole.log(JSON.stringify({json.dumps(numbers)}.map(exp)));"
    )
    done = subprocess.run([NODE, "--input-type=module", "-"], input=script, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert list(map(float, json.loads(done.stdout))) == [exponential(number) for number in numbers]


@pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="numba is not installed")
def test_exponential__is_the_same_in_machine_code() -> None:
    """What numba makes of it gives the same doubles."""
    import numba
    import numpy as np

    from griddsl.backends.native.runtime import exp

    @numba.njit  # type: ignore[untyped-decorator]
    def all_of(numbers: Any) -> Any:  # what the runtime has is a part of kernels, and no function by itself
        return [exp(number) for number in numbers]

    assert all_of(np.array(NUMBERS)) == [exponential(number) for number in NUMBERS]


@pytest.mark.skipif(importlib.util.find_spec("jax") is None, reason="jax is not installed")
def test_exponential__is_the_same_in_jax() -> None:
    """What JAX compiles gives the same doubles, whatever its compiler fuses."""
    import jax
    import numpy as np

    from griddsl.backends.jax.values import operated

    with jax.enable_x64(True):
        compiled = jax.jit(lambda values: operated("exp", [values], ["real"], [0.0], np.int64))
        found = np.asarray(compiled(np.array(NUMBERS))).tolist()
    assert found == [exponential(number) for number in NUMBERS]
