"""A setup that carries out a definition several times in a row: one loop on JAX, with the same worlds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from griddsl.compiler import compiled
from griddsl.program import ir
from griddsl.program.passes.structured import rolling
from tests.agreement.in_jax import Beside, pair, streams

jax = pytest.importorskip("jax")

SPEC = """
env: t/Roll-v0
object gem: portable, color in red | green | blue, asked in 0..7
object box: portable, color in red | green | blue, asked in 0..7
var spoiled: false
define one_if(c): 1 if c else 0
define has(tasks, task): tasks div task mod 2 == 1
define task(words, what, color, number):
    retry 20 until any object where has(object.asked, number):
        choose what in gem | box
        choose color in red | green | blue
        each k in gem | box:
            each k where what is k and k.color is color: k.asked += number
    if count(object where has(object.asked, number)) > 3: spoiled = true
    choose words in "one {color} {what}" one_if(count(object where has(object.asked, number)) == 1) | "any {color} {what}" one_if(count(object where has(object.asked, number)) > 1)
generate: empty(8, 8)
setup:
    retry 30 until not spoiled:
        choose order in few | many, spot in 0..1
        repeat 6:
            choose thing in gem | box, c in red | green | blue
            place thing(color=c) at random floor
        place agent at random floor
        task(first, what_1, color_1, 1)
        if order is many: task(second, what_2, color_2, 2)
        if order is many and spot == 1: task(third, what_3, color_3, 4)
actions: left, right, up, down, pickup
on pickup portable: reward portable.asked
observe: grid = grid, mission = mission as tokens
mission: "{first}, then {second}, then {third}"
limit: 12
"""


def test_turns__are_one_loop_that_sets_up_the_same_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """With tries that put back what was chosen, tasks that some worlds have, and missions that tell of all."""
    import griddsl.jax

    monkeypatch.setattr(rolling, "LEAST", 30)
    rounds = [
        each.high.value
        for each in ir.statements(compiled(SPEC).program.structured.functions["reset"].body)
        if isinstance(each, ir.For) and isinstance(each.high, ir.Const) and each.name.startswith("turn")
    ]
    assert rounds == [3]
    env = griddsl.jax.make(SPEC)
    counters = streams(40)
    step = jax.jit(jax.vmap(lambda state: env.step(None, state, 4)))
    first: Any = jax.device_get(jax.jit(jax.vmap(env.reset))(np.array([pair(each) for each in counters])))
    found = jax.device_get(step(first[1]))
    missions = set[bytes]()
    for place, counter in enumerate(counters):
        beside = Beside(SPEC, counter, env, wide=False)
        beside.begins(*jax.tree.map(lambda array, at=place: array[at], first))
        beside.steps(4, jax.tree.map(lambda array, at=place: array[at], found), str(place))
        missions.add(first[0]["mission"][place].tobytes())
    assert len(missions) > 20
