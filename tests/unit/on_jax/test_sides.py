"""What one side of an `if` alone sets is as it was before where the other side is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.specs.fuzzing import compiled_text
from tests.fuzz.specs.on_jax import check_jax
from tests.fuzz.specs.traces import Case

jax = pytest.importorskip("jax")

# Whether one pushes or walks, what is said of leaving stands on one side of what the step asks first.
SENT = """
env: test/Sent-v0
tile pond: carry north
tile rug: one_way east
object box: pushable, layer air
map:
    @r.
    p..
    .q.
legend: p = pond, q = rug, r = box
actions: left, up, right, down
on leave floor:
    go to (1, 0)
    reward 1
when count(box) > 1: place agent at (1, 0)
observe: grid
limit: 20 steps
"""


@pytest.mark.parametrize("jitted", [True, False])
def test_if__leaves_what_the_other_side_sets(jitted: bool) -> None:
    """A number that a step sets first of all on a side that is not meant is not set: nobody goes anywhere."""
    import griddsl.jax

    env, game = griddsl.jax.make(SENT), griddsl.make(SENT, backend="python").unwrapped
    game.reset(seed=0)
    state = env.from_state(game.get_state())  # type: ignore[attr-defined]
    with jax.disable_jit(not jitted):
        for action in (1, 1, 0, 2, 3, 1, 3):
            _, state, reward, *_ = env.step(None, state, action)
            assert float(reward) == game.step(action)[1]
            assert env.to_state(jax.device_get(state)) == game.get_state()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "name", ["counted_in_a_condition", "counted_on_one_side", "out_meets_nobody_else", "sums_of_reals"]
)
def test_found__walk_as_the_reference_does(name: str) -> None:
    """What random specs found at fault on JAX stays mended."""
    text = (Path(__file__).parents[2] / "fuzz" / "found" / f"{name}.grid").read_text(encoding="utf-8")
    case = Case(text, compiled_text(text), 0, steps=40)
    check_jax(case)
    assert case.is_joint or sum(case.compared) > 20
