"""How much is compiled: XLA works through a function once for each place that calls it, calls in calls multiplied."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")


def written_out(text: str) -> int:
    """Return the lines of a module in which each call is replaced by what it calls."""
    found = {
        match[1]: body
        for body in re.split(r"\n  func\.func ", text)[1:]
        if (match := re.match(r"\w+ @(\S+?)\(", body)) is not None
    }

    @cache
    def lines(name: str) -> int:
        called: list[str] = re.findall(r"call @(\w+)", found[name])
        return found[name].count("\n") + sum(map(lines, called))

    return lines("main")


def lowered(name: str) -> str:
    """Return what is handed to XLA for a step of a batch, with the resets."""
    import griddsl.jax
    from griddsl.compiler import compiled
    from griddsl.loading import resolve

    several = len(compiled(resolve(f"griddsl/{name}")).program.players) > 1
    make: Callable[..., Any] = griddsl.jax.make_parallel if several else griddsl.jax.make
    env = make(f"griddsl/{name}")
    actions: Any = (
        {agent: np.zeros(8, np.int32) for agent in env.agents} if several else np.zeros(8, np.int32)
    )
    states = jax.eval_shape(jax.vmap(env.reset), jax.random.split(jax.random.PRNGKey(0), 8))[1]
    step = jax.jit(lambda states, actions: jax.vmap(env.step, in_axes=(None, 0, 0))(None, states, actions))
    text: str = step.lower(states, actions).as_text()
    return text


@pytest.mark.parametrize(("name", "most"), [("CaptureTheFlag-v0", 40_000), ("MinAtar-Seaquest-v1", 90_000)])
def test_size__calls_in_calls_do_not_multiply(name: str, most: int) -> None:
    """The games with the most meetings of agents and things stay small enough to be compiled in seconds."""
    assert 1_000 < written_out(lowered(name)) < most


def test_size__combinations_are_no_rounds_of_loops() -> None:
    """Four colours and four sides, all different, are drawn among rows that are known: nothing of that is compiled."""
    assert 1_000 < written_out(lowered("BabyOpenDoors-v0")) < 20_000
