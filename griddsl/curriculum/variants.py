"""Variants: one spec with other parameters or in another of its named levels, and which of them is played next.

What differs between levels of one map is a `State`, and `LevelReplay` chooses among these. Another size or named
level is another game with arrays of its own, so here each variant has an environment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium as gym
import numpy as np

from griddsl.compiler import AnySpec
from griddsl.curriculum.arrays import Memory, chances
from griddsl.curriculum.replay import REMEMBERED, Score, by_successes, check_callable, check_preference
from griddsl.diagnostics import Refused
from griddsl.envs.making import make
from griddsl.refused import whole_number


class VariantReplay:
    """Which of some variants is played next, by what came out of those that were played.

    A variant is what `griddsl.make` takes beside the spec, such as ``{"size": 7}`` or ``{"level": "8x8"}``. Those of
    which no game has ended come first, in an order that the ``seed`` draws; then it goes by the rank of
    ``score(returns, successes)`` of a variant's last eight games, 0 or more, and a share ``staleness`` by how long ago
    it was played (see `chances`). By default the score is how far a variant is from being solved always and never.
    Raises `ValueError` for what is none of these.
    """

    def __init__(
        self,
        variants: Sequence[Mapping[str, Any]],
        *,
        score: Score = by_successes,
        sharpness: float = 0.3,
        staleness: float = 0.1,
        seed: int | None = 0,
    ) -> None:
        is_list = isinstance(variants, Sequence) and not isinstance(variants, str | bytes)
        wrong = [each for each in variants if not isinstance(each, Mapping)] if is_list else []
        if wrong or not is_list or not variants:
            raise Refused(
                f"variants are a list of one or more dicts of parameters, such as [{{'size': 5}}, {{'size': 9}}], "
                f"not {wrong[0] if wrong else variants!r:.60}"
            )
        check_preference(sharpness, staleness)
        check_callable("score", score, "score=lambda returns, successes: returns.std()")
        self.variants = [dict(each) for each in variants]
        self.score, self.sharpness, self.staleness = score, sharpness, staleness
        self.rng = np.random.default_rng(None if seed is None else whole_number("a seed", seed, 0))
        self.scores, self.ages = np.full(len(variants), -1.0), np.zeros(len(variants))
        self._past: list[list[tuple[float, bool]]] = [[] for _ in variants]

    def chances(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return how likely each variant is played next, ``(variants,)``."""
        new = self.scores < 0
        if new.any():
            return np.asarray(new / new.sum(), np.float64)
        memory = Memory(None, self.scores, self.ages)
        found: np.ndarray[Any, np.dtype[np.float64]] = chances(
            memory, sharpness=self.sharpness, staleness=self.staleness
        )
        return found

    def next_variant(self) -> int:
        """Return the number of the variant that is played next."""
        return int(self.rng.choice(len(self.variants), p=self.chances()))

    def judge(self, number: int, gained: float, success: bool) -> None:
        """Take note of what came out of a game. Raises `ValueError` for a score that is below 0 or no number."""
        past = [*self._past[number], (float(gained), bool(success))][-REMEMBERED:]
        gains, wins = zip(*past, strict=True)
        found = float(self.score(np.array(gains), np.array(wins)))
        if not 0 <= found < np.inf:
            raise Refused(f"the score of a variant is 0 or more, not {found}")
        self._past[number], self.scores[number] = past, found
        self.ages += 1
        self.ages[number] = 0


class VariantEnv(gym.Env[Any, Any]):
    """An environment whose episodes are in the variants that ``curriculum`` chooses, which learns from what comes out.

    ``settings`` are given to `griddsl.make` for all of them; all have to observe and to act alike, so that one policy
    plays them. ``info["variant"]`` is the number of the one that is played. Several environments in one process can
    share a curriculum. Raises `ValueError` where observations or actions differ, and for a variant without
    `end success` where the curriculum goes by successes.
    """

    def __init__(self, source: AnySpec, curriculum: VariantReplay, **settings: Any) -> None:
        if not isinstance(curriculum, VariantReplay):
            raise TypeError(f"variants are chosen by a VariantReplay, not {type(curriculum).__name__}")
        self.curriculum = curriculum
        self.envs = [make(source, **{**settings, **variant}) for variant in curriculum.variants]
        first = self.envs[0]
        for variant, env in zip(curriculum.variants, self.envs, strict=True):
            for what, one, other in (
                ("observations", first.observation_space, env.observation_space),
                ("actions", first.action_space, env.action_space),
            ):
                if one != other:
                    raise Refused(
                        f"one policy cannot play {curriculum.variants[0]} and {variant}: their {what} are {one} and "
                        f"{other}; a view of the same size or another form (`observation=`) makes them alike"
                    )
            if curriculum.score is by_successes and "success" not in env.program.outcomes:
                raise Refused(
                    f"{env.program.id} with {variant} has no `end success`, so how often it is solved says nothing: "
                    "VariantReplay(score=lambda returns, successes: returns.std()) goes by the returns"
                )
        self.observation_space, self.action_space = first.observation_space, first.action_space
        self.metadata, self.render_mode = first.metadata, first.render_mode
        self.number, self._gained, self._is_over = 0, 0.0, True

    @property
    def env(self) -> Any:
        """The environment that is played."""
        return self.envs[self.number]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode in the variant that the curriculum chooses; one that is broken off is not judged."""
        super().reset(seed=seed)
        self.number, self._gained, self._is_over = self.curriculum.next_variant(), 0.0, False
        seen, info = self.env.reset(seed=int(self.np_random.integers(2**31)), options=options)
        return seen, {**info, "variant": self.number}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play a step; as the episode ends, the curriculum is told what came out."""
        seen, reward, ended, cut, info = self.env.step(action)
        self._gained += float(reward)
        if (ended or cut) and not self._is_over:
            self._is_over = True
            self.curriculum.judge(self.number, self._gained, bool(info.get("is_success", False)))
        return seen, float(reward), ended, cut, {**info, "variant": self.number}

    def render(self) -> Any:
        """Draw the environment that is played."""
        return self.env.render()

    def action_masks(self) -> Any:
        """Return which actions are allowed, as `GridEnv.action_masks` does."""
        return self.env.action_masks()

    def close(self) -> None:
        """Close all environments."""
        for env in self.envs:
            env.close()
