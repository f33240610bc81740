"""Level replay: which level is played next, by what came out of those that were played."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from griddsl.curriculum.arrays import Memory, chances, learnability
from griddsl.diagnostics import Refused
from griddsl.envs.states import State
from griddsl.refused import whole_number

# Given the returns and the successes of the games that were played in a level, ``(games,)`` each: what it promises.
Score: TypeAlias = Callable[[NDArray[np.float64], NDArray[np.bool_]], float]
Change: TypeAlias = Callable[[np.random.Generator, State], State]


_NUMBERS = (int, float, np.integer, np.floating)
REMEMBERED = 8  # games of a level, the last ones: who learns is soon another


def by_successes(returns: NDArray[np.float64], successes: NDArray[np.bool_]) -> float:
    """Return the learnability of a level, ``p (1 - p)``, where ``p`` is what its games say of the chance of success.

    That is Laplace's ``(wins + 1) / (games + 2)``, so that a level of which little is known promises something.
    """
    return float(learnability(np.float64(successes.sum() + 1), len(successes) + 2))


def check_callable(name: str, given: Any, example: str) -> None:
    """Raise `TypeError` for what is neither None nor a function."""
    if given is not None and not callable(given):
        raise TypeError(f"`{name}` is a function, as in `{example}`, not {given!r}")


def check_preference(sharpness: Any, staleness: Any) -> None:
    """Raise `ValueError` for what says nothing of how levels are preferred to others, as `chances` takes it."""
    if not isinstance(sharpness, _NUMBERS) or not sharpness > 0 or not _is_share(staleness):
        raise Refused(
            f"`sharpness` is above 0 and `staleness` from 0 to 1, not {sharpness!r} and {staleness!r}"
        )


def _is_share(given: Any) -> bool:
    return isinstance(given, _NUMBERS) and bool(0 <= given <= 1)


class LevelReplay:
    """A memory of levels by what they promise; it says which level is played next.

    A level is what `get_state` gives as an episode begins. Of the levels that are chosen, a share ``replayed`` is of
    those that are kept, by the rank of their score and by how long ago they were played (see `chances`), a share
    ``changed`` comes of one of them by ``change(rng, level)``, and the others are new, as the spec's setup draws them;
    all are until half of the ``capacity`` is full. A level is played ``games`` times one after the other, and then
    ``score(returns, successes)``, 0 or more, of the last eight of all its games is what it promises: by default how
    far it is from being solved always and never. The same ``seed`` makes the same choices. Raises `ValueError` for
    what is none of these.
    """

    def __init__(
        self,
        *,
        replayed: float = 0.5,
        changed: float = 0.0,
        change: Change | None = None,
        capacity: int = 256,
        games: int = 1,
        score: Score = by_successes,
        sharpness: float = 0.3,
        staleness: float = 0.1,
        seed: int | None = 0,
    ) -> None:
        if not (_is_share(replayed) and _is_share(changed) and replayed + changed <= 1):
            raise Refused(f"shares are 0 or more and 1 together at most, not {replayed!r} and {changed!r}")
        if (changed > 0) != (change is not None):
            raise Refused(
                "levels that are changed have a share and a function: "
                "LevelReplay(changed=0.3, change=lambda rng, level: ...)"
            )
        check_callable("score", score, "score=lambda returns, successes: returns.std()")
        check_callable("change", change, "change=lambda rng, level: ...")
        capacity, games = whole_number("`capacity`", capacity, 1), whole_number("`games`", games, 1)
        check_preference(sharpness, staleness)
        self.replayed, self.changed, self.change = replayed, changed, change
        self.capacity, self.games, self.score = capacity, games, score
        self.sharpness, self.staleness = sharpness, staleness
        self.rng = np.random.default_rng(None if seed is None else whole_number("a seed", seed, 0))
        self.levels: list[State] = []
        self.scores, self.ages = np.full(capacity, -1.0), np.zeros(capacity)
        self._places: dict[Any, int] = {}
        self._past: list[list[tuple[float, bool]]] = []

    def next_level(self, playing: Iterable[State | None] = ()) -> State | None:
        """Return the level that is played next, none of those that others are ``playing``; None for a new one."""
        if 2 * len(self.levels) < self.capacity:
            return None
        way = self.rng.random()
        if way >= self.replayed + self.changed:
            return None
        scores = self.scores.copy()
        scores[[self._places[level[:2]] for level in playing if level and level[:2] in self._places]] = -1.0
        likely = chances(Memory(None, scores, self.ages), sharpness=self.sharpness, staleness=self.staleness)
        if not likely.any():
            return None
        level = self.levels[int(self.rng.choice(self.capacity, p=likely / likely.sum()))]
        if way < self.replayed:
            return level
        assert self.change is not None
        changed = self.change(self.rng, level)
        if changed is None:
            raise TypeError("`change` returns a level, and gave None")
        return changed

    def judge(self, level: State, returns: Any, successes: Any) -> None:
        """Take note of what came out of a level's games, ``(games,)`` each; keep it where it promises enough.

        Raises `ValueError` for a score that is below 0 or no number.
        """
        key = level[:2]  # not the random stream, from which a level is played on
        place = self._places.get(key)
        past = [] if place is None else self._past[place]
        past = [*past, *((float(gain), bool(won)) for gain, won in zip(returns, successes, strict=True))]
        past = past[-REMEMBERED:]
        gains, wins = zip(*past, strict=True)
        given: Any = self.score(np.array(gains), np.array(wins))
        try:
            found = float(given)
        except (TypeError, ValueError):
            found = -1.0
        if not 0 <= found < np.inf:
            raise Refused(f"the score of a level is 0 or more, not {given!r:.60}")
        self.ages[: len(self.levels)] += 1
        if place is None:
            place = len(self.levels)
            if place == self.capacity:
                place = int(self.scores.argmin())
                if self.scores[place] >= found:
                    return
                del self._places[self.levels[place][:2]]
            else:
                self.levels.append(level)
                self._past.append(past)
            self._places[key] = place
        self.levels[place], self._past[place] = level, past
        self.scores[place], self.ages[place] = found, 0
