"""Curricula of JAX: a memory of levels as arrays, and what is played again of it.

Levels are data of `griddsl.jax.levels`, many at once, with an axis in front. All functions are pure, and go through
`jit`, `vmap` and `scan`. `chances`, `learnability` and `promise` take arrays of numpy too.
"""

from __future__ import annotations

from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from griddsl.diagnostics import Refused
from griddsl.refused import whole_number


class Memory(NamedTuple):
    """Levels with their scores, -1 where a place is empty, and how long ago each was played."""

    levels: Any
    scores: Any
    ages: Any


def emptied(level: Any, count: int) -> Memory:
    """Return a memory with room for so many levels like ``level``, a single one."""
    jax, count = _jax(), whole_number("the count of places of a memory", count, 1)
    jnp = jax.numpy
    levels = jax.tree.map(lambda array: jnp.broadcast_to(array, (count, *jnp.shape(array))), level)
    return Memory(levels, jnp.full(count, -1.0), jnp.zeros(count))


def promise(advantages: Any) -> Any:
    """Return the score of each level, ``(levels,)``: how much more than expected was gained, ``(steps, levels)``.

    It is the positive value loss. Where a level is played again and again in so many steps, short episodes weigh more.
    """
    return _arrays(advantages).maximum(advantages, 0.0).mean(0)


def learnability(successes: Any, episodes: Any) -> Any:
    """Return the score of each level by how often it was solved: most at one time in two, none at always and never.

    It is ``p (1 - p)`` (Rutherford et al. 2024, "No Regrets"). Levels that cannot be solved have none, however large
    the errors of the critic are there, and neither have those that are easy.
    """
    share = successes / _arrays(episodes).maximum(episodes, 1)
    return share * (1 - share)


def chances(memory: Memory, sharpness: float = 0.3, staleness: float = 0.1) -> Any:
    """Return how likely each level is played again: by the rank of its score, and by how long ago it was played.

    The lower ``sharpness``, the more the first ranks are preferred; ``staleness`` is the share that goes by age, for
    scores that are out of date.
    """
    _check_memory(memory)
    jnp = _arrays(memory.scores)
    full = memory.scores >= 0
    ranks = jnp.argsort(jnp.argsort(-memory.scores)) + 1.0
    by_score, by_age = jnp.where(full, ranks ** (-1 / sharpness), 0.0), jnp.where(full, memory.ages, 0.0)
    by_score = by_score / jnp.maximum(by_score.sum(), 1e-9)
    is_aged = by_age.sum() > 0
    share = jnp.where(is_aged, staleness, 0.0)
    return (1 - share) * by_score + share * by_age / jnp.maximum(by_age.sum(), 1e-9)


def drawn(memory: Memory, key: Any, count: int, **preference: float) -> tuple[Any, Any]:
    """Return the places of so many levels that are played again, none twice, and the levels.

    Raises `ValueError` where fewer are kept; under `jit`, where that is not known, places that are empty come too.
    """
    _check_memory(memory)
    jax = _jax()
    most = len(memory.scores)
    if _is_known(memory.scores):
        most = int((np.asarray(memory.scores) >= 0).sum())
        if not most:
            raise Refused("no level is kept yet, so none is played again: `kept` takes levels in")
    count = whole_number("the count of levels that are drawn", count, 1, most)
    places = jax.random.choice(
        key, len(memory.scores), (count,), replace=False, p=chances(memory, **preference)
    )
    return places, jax.tree.map(lambda array: array[places], memory.levels)


def scored(memory: Memory, places: Any, scores: Any) -> Memory:
    """Return the memory after the levels in these places were played again.

    Raises `ValueError` for places (where they are known) that there are not, and for more or fewer scores than places.
    """
    _check_memory(memory)
    jnp, room = _jax().numpy, len(memory.scores)
    _check_scores(np.shape(places), scores, "places")
    if _is_known(places):
        for place in np.ravel(np.asarray(places)).tolist():
            whole_number("a place of this memory", place, 0, room - 1)
    ages = (memory.ages + 1).at[jnp.asarray(places)].set(0)
    return Memory(memory.levels, memory.scores.at[jnp.asarray(places)].set(scores), ages)


def kept(memory: Memory, levels: Any, scores: Any) -> Memory:
    """Return the memory after others were played: those with higher scores take the place of those with the lowest.

    Raises `ValueError` where levels are others than those that are kept, or more or fewer than their scores.
    """
    _check_memory(memory)
    jax = _jax()
    jnp = jax.numpy
    mine, others = (
        jax.tree.map(lambda array: jnp.shape(array)[1:], each) for each in (memory.levels, levels)
    )
    if mine != others:
        raise Refused("these levels are of another environment or size than those that are kept")
    for array in jax.tree.leaves(levels):
        count = jnp.shape(array)[:1]
        _check_scores(count, scores, "levels")
        scores = jnp.broadcast_to(scores, count)
    found, places = jax.lax.top_k(jnp.concatenate([memory.scores, scores]), len(memory.scores))
    both = jax.tree.map(lambda a, b: jnp.concatenate([a, b])[places], memory.levels, levels)
    return Memory(both, found, jnp.concatenate([memory.ages + 1, jnp.zeros_like(scores)])[places])


def _check_memory(given: Any) -> None:
    if not isinstance(given, Memory):
        raise TypeError(f"a memory is what `curriculum.emptied(level, count)` gives, not {given!r:.60}")


def _check_scores(count: tuple[int, ...], scores: Any, what: str) -> None:
    if not hasattr(scores, "dtype") and not isinstance(scores, Real):
        raise TypeError(f"scores are an array of numbers, one for each of the {what}, not {scores!r:.60}")
    found = np.shape(scores)
    if found != count and found != ():
        raise Refused(f"there are {' x '.join(map(str, count)) or 1} {what}, and scores of the shape {found}")


def _is_known(array: Any) -> bool:
    """Whether the numbers of an array are there already, and not only its shape, as under `jit`."""
    return not isinstance(array, _jax().core.Tracer)


def _jax() -> Any:
    try:
        import jax
    except ImportError as error:
        raise ImportError("JAX is not installed: pip install 'griddsl[jax]'") from error
    return jax


def _arrays(like: Any) -> Any:
    """Return the module whose functions take arrays like this one: numpy, or that of JAX."""
    return np if isinstance(like, np.ndarray | np.generic | int | float) else _jax().numpy
