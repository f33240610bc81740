"""What rounds draw: what is the same in all of them is found before, and who stands in a cell is not fetched."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.unit.on_jax.test_lanes import operations

jax = pytest.importorskip("jax")

ROOM = """
env: test/Drawn-v0
agents: blue, green
agent: facing, holds in nothing | cup | plate
map:
    1....
    ..2..
    .....
legend: 1 = blue(facing=north), 2 = green(facing=west)
actions: left, right, forward, take
on do take:
    if self.holds is nothing: self.holds becomes cup
    else: self.holds becomes plate
observe:
    me = grid as planes (self.facing is north and self at here, self.facing is west and self at here)
    partner = grid as planes (other.facing is north and other at here, other.facing is west and other at here)
    hands = grid as planes (agent.holds is cup, agent.holds is plate)
limit: 40 steps
"""


def test_drawn__is_what_the_reference_draws() -> None:
    """Who faces where, and who has what in hand, is drawn at the cell of each as Python draws it."""
    import griddsl
    import griddsl.jax

    game, env = griddsl.make_parallel(ROOM), griddsl.jax.make_parallel(ROOM)
    game.reset(seed=0)
    _, state = env.reset(jax.random.key(0))
    step = jax.jit(lambda state, actions: env.step_env(None, state, actions)[:2])
    draw, pictures = np.random.default_rng(0), set()
    for _ in range(39):
        actions = {name: int(draw.integers(0, 4)) for name in env.agents}
        expected, *_ = game.step(actions)
        found, state = step(state, actions)
        for name in env.agents:
            for part, picture in expected[name].items():
                assert np.array_equal(np.asarray(found[name][part]), picture), (name, part)
                pictures.add((part, picture.tobytes()))
    assert len(pictures) > 20


def test_tests__of_all_rounds_are_found_before_they_draw() -> None:
    """Of each agent two planes ask which way it faces, and a function finds the test."""
    import griddsl.jax

    room = "\n".join(line for line in ROOM.splitlines() if not line.startswith(("    partner", "    hands")))
    env = griddsl.jax.make_parallel(room)
    _, state = env.reset(jax.random.key(0))
    made = jax.make_jaxpr(env.get_obs)(state)
    found = [
        value.aval.dtype
        for barrier in operations(made.jaxpr, "optimization_barrier")
        for value in barrier.invars
        if not value.aval.shape
    ]
    assert found == [np.bool_] * 4


@pytest.mark.parametrize(
    ("shape", "out", "marks", "held"),
    [((4,), 0, None, True), ((), 0, None, False), ((4,), None, None, False), ((4,), 0, [], False)],
)
def test_before_rounds__are_tests_of_what_draws(shape: Any, out: Any, marks: Any, held: bool) -> None:
    """Outside of rounds, where nothing is drawn and where rounds only mark, nothing is found before."""
    from griddsl.backends.jax.settling import before_rounds

    place = SimpleNamespace(shape=shape, out=out, marks=marks)
    for value, is_test in ((np.bool_(True), True), (np.int32(3), False), (np.ones(4, np.bool_), False)):
        made = jax.make_jaxpr(lambda value: before_rounds(place, value))(value)
        assert bool(list(operations(made.jaxpr, "optimization_barrier"))) is (held and is_test)


@pytest.mark.parametrize("name", ["and", "or"])
def test_choices__of_bits_are_said_in_bits(name: str) -> None:
    """What holds beside a test, or without it, is no choice between two values."""
    from griddsl.backends.jax.values import chosen

    def choose(test: Any, value: Any) -> Any:
        then, otherwise = (value, False) if name == "and" else (True, value)
        return chosen(test, then, otherwise, "bool", np.int32)

    test, value = np.array([True, True, False, False]), np.array([True, False, True, False])
    assert {each.primitive.name for each in jax.make_jaxpr(choose)(test, value).jaxpr.eqns} == {name}
    expected = test & value if name == "and" else test | value
    assert np.asarray(jax.jit(choose)(test, value)).tolist() == expected.tolist()


def test_picked__is_a_number_where_rounds_are_numbered() -> None:
    """The first agent in a cell is the round that found it; what rounds around have, or no number, is fetched."""
    from griddsl.backends.jax.loops import folding

    place = np.array([1, 0, 2], np.int32)

    def picked(value: Any, shape: tuple[int, ...], kind: str = "int") -> tuple[list[Any], bool]:
        def find(place: Any) -> Any:
            return folding.picked(np.int32, value, place, shape, kind)

        made = jax.make_jaxpr(find)(place)
        return np.asarray(find(place)).tolist(), bool(list(operations(made.jaxpr, "gather")))

    numbers = np.arange(3, 6)
    assert picked(numbers.reshape(3, 1), (3, 3)) == ([4, 3, 5], False)
    assert picked(numbers.reshape(1, 3), (3, 3)) == ([3, 4, 5], True)
    assert picked(numbers[::-1].reshape(3, 1), (3, 3)) == ([4, 5, 3], True)
