"""Unproved: a program that may write beyond its slots never becomes machine code, which would do so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from griddsl.backends.choice import choose_batch, choose_game, choose_single
from griddsl.backends.native.library import is_installed
from griddsl.compiler import compiled
from griddsl.program import ir, keys
from griddsl.program.program import Program

pytestmark = pytest.mark.skipif(not is_installed(), reason="numba is not installed")

ALONE = """
env: test/Unproved-v0
map:
    @...G
legend: G = flag
tile flag:
actions: left, right
observe: grid as planes (agent, flag)
each step: reward -1
when any agent on flag: end success
limit: 30 steps
"""
TOGETHER = ALONE.replace("map:\n    @...G\n", "agents: ann, bob\nmap:\n    a...G\n    b....\n").replace(
    "legend:", "legend: a = ann, b = bob,"
)


def _unproved(text: str) -> Program:
    """Return a program that writes where the agents stand, and behind the last of them in its later steps."""
    program = compiled(text).program
    slots = {each.key: each for each in program.slots}
    cell, step = slots["AGENT_CELL"], program.functions["step"]
    index = ir.div(ir.load(slots[keys.STEP]), ir.const(8))
    body = [*step.body[:-1], ir.Store(cell, index, ir.load(cell, ir.const(0))), step.body[-1]]
    return replace(program, functions={**program.functions, "step": replace(step, body=body)})


def test_auto__lets_python_run_it_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    """A batch falls back to the backend that asks for each of its places."""
    assert choose_batch(_unproved(TOGETHER), 4, "auto", 1)[1] == "python"
    assert [message for message in caplog.messages if "Python runs it" in message]


@pytest.mark.parametrize(
    ("text", "choose"),
    [
        (ALONE, lambda program: choose_batch(program, 4, "native", 1)),
        (ALONE, lambda program: choose_single(program, "native")),
        (TOGETHER, lambda program: choose_game(program, "native")),
    ],
    ids=["batch", "single", "game"],
)
def test_native__is_refused_with_the_claim(text: str, choose: Callable[[Program], object]) -> None:
    """Who asks for machine code by its name is told what was not proved, and that it is no fault of the spec."""
    with pytest.raises(
        ValueError, match=r"could not be proved that it keeps to its bounds .*fault of griddsl"
    ):
        choose(_unproved(text))


def test_proved__is_compiled() -> None:
    """The same program without that line runs natively."""
    assert choose_batch(compiled(ALONE).program, 4, "native", 1)[1] == "native"
