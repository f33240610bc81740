"""A trend: by what all values change in each round of a backward induction, once nothing more is decided.

With values ``v + j * c`` an action is worth ``q + j * e``, where ``e`` follows from ``c`` as ``q`` does from ``v``.
Where ``e`` equals ``c`` for all actions that are tied for the best, and no other catches up in the rounds that are
left, the best of the next round is ``v + (j + 1) * c``, and so on to the first step. A round never takes values further
apart than they were, so the error of each is added to those before, and does no more. The same goes for the steps to
the end, by which ties are broken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from griddsl.exact.solve.blocks import Block
from griddsl.exact.solve.solution import TIE, Floats

MOST_OFF = 1e-12  # what rounds that are not played may add to the error, of the largest value


@dataclass(frozen=True)
class Ahead:
    """What holds at the first step: of each state the value and the steps to the end; how far off a value can be."""

    values: Floats
    lengths: Floats
    error: float


def trend(
    blocks: list[Block],
    values: Floats,
    lengths: Floats,
    changes: tuple[Floats, Floats],
    discount: float,
    played: int,
    left: int,
) -> Ahead | None:
    """Return what holds when the rounds that are left are over, and what each action is worth then, in its block.

    ``changes`` are those of values and lengths in the last of the rounds that were played. None where something may
    still be decided.
    """
    gained = _steady(
        blocks, changes[0], played, lambda block, change: _paid(block, discount * block.next(change))
    )
    longer = _steady(blocks, changes[1], played, lambda block, change: block.next(change))
    ahead = Ahead(values + left * gained, lengths + left * longer, 0.0)
    sizes = [max(1.0, float(np.abs(each).max())) for each in (values, ahead.values)]
    drifts, gains = [0.0], []
    for block in blocks:
        gain = discount * block.after.mean(gained)
        if block.slopes is not None:
            gain -= block.slopes
        own = gained[block.states]
        if block.sign is not None:
            gain, own = gain * block.sign, own * block.sign
        drift = gain - own
        behind = block.best - block.q
        tied = behind <= TIE * min(sizes)
        if (~tied & (behind - left * np.maximum(drift, 0) <= 2 * TIE * max(sizes))).any():
            return None
        drifts.append(float(np.abs(drift[tied]).max()))
        if not _ends_alike(block, longer, ahead.lengths, left):
            return None
        gains.append(gain)
    error = left * float(np.abs(changes[0] - gained).max()) + left * (left + 1) / 2 * max(drifts)
    if error > MOST_OFF * max(sizes) or left * np.abs(changes[1] - longer).max() > MOST_OFF * lengths.max():
        return None
    for block, gain in zip(blocks, gains, strict=True):
        block.q = block.q + left * gain
    return Ahead(ahead.values, ahead.lengths, error)


def _steady(
    blocks: list[Block], change: Floats, rounds: int, followed: Callable[[Block, Floats], Floats]
) -> Floats:
    """Return a change that makes itself again in the next round: without the noise of values, which rounds add up."""
    for _ in range(rounds):
        found = np.zeros_like(change)
        for block in blocks:
            found[block.states] = followed(block, change)
        if np.array_equal(found, change):
            break
        change = found
    return change


def _paid(block: Block, change: Floats) -> Floats:
    """Return by what the values of the policy change, with what a reward changes from step to step."""
    return change if block.slopes is None else change - block.slopes.reshape(-1)[block.rows]


def _ends_alike(block: Block, longer: Floats, lengths: Floats, left: int) -> bool:
    """Whether the optimal actions that end soonest now are those that end soonest in all rounds that are left."""
    drift = block.after.mean(longer) - longer[block.states]
    close = 1e-9 * np.maximum(1.0, lengths[block.states])
    behind = block.lengths - block.lengths.min(axis=0)
    others = block.optimal & ~block.soonest
    apart: Floats = behind + left * np.minimum(drift, 0)
    return (
        not (others & (apart <= 2 * close)).any()
        and not (block.soonest & (left * np.abs(drift) > close / 2)).any()
    )
