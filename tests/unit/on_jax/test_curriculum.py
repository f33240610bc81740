"""Curricula: which levels are kept and played again, and how likely."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")
jnp = jax.numpy

from griddsl import curriculum  # noqa: E402


def _memory(scores: Any, ages: Any = None) -> curriculum.Memory:
    count = len(scores)
    level = {"walls": jnp.zeros((2, 2), jnp.int8), "start": jnp.int32(0)}
    levels = {"walls": jnp.zeros((count, 2, 2), jnp.int8), "start": jnp.arange(count)}
    empty = curriculum.emptied(level, count)
    assert jax.tree.map(jnp.shape, empty.levels) == jax.tree.map(jnp.shape, levels)
    assert (np.asarray(empty.scores) == -1).all()
    return curriculum.Memory(levels, jnp.array(scores), jnp.zeros(count) if ages is None else jnp.array(ages))


def test_chances__go_by_rank_and_by_age() -> None:
    """Ranks to the power of -1 / sharpness, places that are empty never, and a share by age."""
    found = np.asarray(curriculum.chances(_memory([0.1, 0.3, -1.0, 0.2]), sharpness=0.5))
    weights = np.array([1 / 9, 1.0, 0.0, 1 / 4])
    assert found == pytest.approx(weights / weights.sum(), abs=1e-6)
    aged = np.asarray(
        curriculum.chances(_memory([0.1, 0.3, -1.0, 0.2], [6.0, 0.0, 9.0, 2.0]), sharpness=0.5, staleness=0.4)
    )
    assert aged == pytest.approx(0.6 * weights / weights.sum() + 0.4 * np.array([6, 0, 0, 2]) / 8, abs=1e-6)


def test_what_is_drawn__is_drawn_once_and_by_its_chance() -> None:
    """Under `jit`, no place comes twice in a draw; over many draws the first rank comes as often as it should."""
    memory = _memory([0.1, 0.3, -1.0, 0.2])
    draw = jax.jit(jax.vmap(lambda key: curriculum.drawn(memory, key, 2, staleness=0.0, sharpness=1.0)))
    places, levels = draw(jax.random.split(jax.random.key(0), 2000))
    assert (places[:, 0] != places[:, 1]).all() and (places != 2).all()
    assert (levels["start"] == places).all() and levels["walls"].shape == (2000, 2, 2, 2)
    assert float((places[:, 0] == 1).mean()) == pytest.approx(6 / 11, abs=0.04)


def test_a_memory__keeps_those_that_promise_most() -> None:
    """Others come in where they score higher, with their data; what is played again has its new score, and age 0."""
    memory = _memory([0.1, 0.3, -1.0, 0.2])
    others = {"walls": jnp.ones((2, 2, 2), jnp.int8), "start": jnp.array([70, 80])}
    later = curriculum.kept(memory, others, jnp.array([0.25, 0.05]))
    assert np.asarray(later.levels["start"]).tolist() == [1, 70, 3, 0]
    assert np.asarray(later.levels["walls"]).sum((1, 2)).tolist() == [0, 4, 0, 0]
    assert np.asarray(later.scores) == pytest.approx([0.3, 0.25, 0.2, 0.1])
    assert np.asarray(later.ages).tolist() == [1, 0, 1, 1]
    again = curriculum.scored(later, jnp.array([1, 3]), jnp.array([0.0, 0.9]))
    assert np.asarray(again.scores) == pytest.approx([0.3, 0.0, 0.2, 0.9])
    assert np.asarray(again.ages).tolist() == [2, 0, 2, 0]


def test_scores__are_of_what_is_neither_known_nor_beyond_reach() -> None:
    """Learnability is highest at one success in two; promise counts what went better than expected only."""
    found = curriculum.learnability(jnp.array([0, 1, 2, 4, 0]), jnp.array([4, 4, 4, 4, 0]))
    assert np.asarray(found) == pytest.approx([0, 3 / 16, 1 / 4, 0, 0])
    advantages = jnp.array([[1.0, -1.0], [-3.0, -2.0]])
    assert np.asarray(curriculum.promise(advantages)) == pytest.approx([0.5, 0.0])


def test_what_a_memory_cannot_do__is_told() -> None:
    """Levels without scores, places that there are not and more levels than are kept are refused, and not passed over."""
    memory, key = _memory([0.1, 0.3, -1.0, 0.2]), jax.random.key(0)
    others = {"walls": jnp.ones((3, 2, 2), jnp.int8), "start": jnp.array([70, 80, 90])}
    large = {**others, "walls": jnp.ones((3, 4, 4), jnp.int8)}
    for wrong, said in (
        (
            lambda: curriculum.kept(memory, others, jnp.ones(5)),
            r"there are 3 levels, and scores of the shape \(5,\)",
        ),
        (lambda: curriculum.kept(memory, large, jnp.ones(3)), "of another environment or size"),
        (lambda: curriculum.drawn(memory, key, 4), "drawn is a whole number from 1 to 3, not 4"),
        (lambda: curriculum.drawn(_memory([-1.0, -1.0]), key, 1), "no level is kept yet"),
        (
            lambda: curriculum.scored(memory, [99, -1], jnp.ones(2)),
            "a place of this memory is a whole number from 0 to 3, not 99",
        ),
        (lambda: curriculum.scored(memory, jnp.array([0, 1]), jnp.ones(3)), "there are 2 places"),
        (lambda: curriculum.emptied(memory.levels, 0), "places of a memory is a whole number from 1 on"),
    ):
        with pytest.raises(ValueError, match=said):
            wrong()
    nothing: Any = None
    for unfit, said in (
        (lambda: curriculum.kept(nothing, others, jnp.ones(3)), r"a memory is what `curriculum\.emptied"),
        (lambda: curriculum.drawn(nothing, key, 1), "a memory is what"),
        (lambda: curriculum.scored(nothing, 0, 0.5), "a memory is what"),
        (lambda: curriculum.chances(nothing), "a memory is what"),
        (lambda: curriculum.kept(memory, others, None), "one for each of the levels, not None"),
        (lambda: curriculum.scored(memory, 0, "1"), "one for each of the places, not '1'"),
    ):
        with pytest.raises(TypeError, match=said):
            unfit()


def test_one_score__is_that_of_all_levels() -> None:
    """A number in place of an array, as `scored` takes it too."""
    memory = _memory([0.1, 0.3, -1.0, 0.2])
    others = {"walls": jnp.ones((2, 2, 2), jnp.int8), "start": jnp.array([70, 80])}
    found = curriculum.kept(memory, others, 0.25)
    assert sorted(np.asarray(found.scores).tolist()) == pytest.approx([0.2, 0.25, 0.25, 0.3])
