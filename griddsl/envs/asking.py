"""Asking: what a policy answers to what it observes, and which action that is. All that plays policies asks here."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from griddsl.diagnostics import Refused

_PREDICT = (
    "is `predict(self, observation, deterministic=True)`, and returns an action and a state, `action, None`"
)


def asked(policy: Any, masks: Callable[[], Any]) -> Callable[[Any], Any]:
    """Return a function of an observation that gives what a policy answers.

    A policy is a function of the observation, or of it and of the mask, or an object with Stable-Baselines3's
    ``predict``, which is given ``action_masks`` where it takes them, as that of `MaskablePPO` does. ``masks`` gives
    which actions are allowed now, bool, groups one after the other. Raises `Refused` for another ``predict``.
    """
    if hasattr(policy, "predict"):
        known = _parameters(policy.predict)
        if (
            known
            and "deterministic" not in known
            and not any(p.kind is p.VAR_KEYWORD for p in known.values())
        ):
            raise Refused(f"the `predict` of a policy {_PREDICT}")
        if "action_masks" in known:
            return lambda seen: _first(policy.predict(seen, deterministic=True, action_masks=masks()))
        return lambda seen: _first(policy.predict(seen, deterministic=True))
    needed = [
        one
        for one in _parameters(policy).values()
        if one.kind in {one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD} and one.default is one.empty
    ]
    if len(needed) > 1:
        return lambda seen: policy(seen, masks())
    return lambda seen: policy(seen)


def chosen(answer: Any, space: gym.Space[Any], rng: np.random.Generator, who: str = "a policy") -> Any:
    """Return the action that a policy chooses by an answer: the one that it names, or one drawn by its chances.

    Raises `Refused` for an answer that is neither, and says ``who`` gave it.
    """
    given = as_array(answer)
    counts = _counts(space)
    if given.dtype.kind == "f" and counts and given.shape == (math.prod(counts),):
        number = int(rng.choice(len(given), p=chances(given, who)))
        parts = np.array(np.unravel_index(number, counts))
        return number if isinstance(space, gym.spaces.Discrete) else parts
    return fitting(given, space, who)


def as_array(answer: Any) -> NDArray[Any]:
    """Return what a policy answers as an array; of objects where it is nothing regular."""
    try:
        return np.asarray(answer)
    except ValueError:  # rows of several lengths
        return np.asarray(repr(answer))


def chances(given: NDArray[Any], who: str = "a policy") -> NDArray[np.float64]:
    """Return the chances of all actions; raise `Refused` where these numbers are none."""
    if (given >= 0).all() and math.isclose(given.sum(), 1.0, abs_tol=1e-6):
        return given.astype(np.float64)
    raise Refused(f"{who} gives chances of {len(given)} actions that are no chances: {given}")


def fitting(answer: NDArray[Any], space: gym.Space[Any], who: str = "a policy") -> Any:
    """Return an answer as an action; raise `Refused` where it is none."""
    is_number = isinstance(space, gym.spaces.Discrete) and answer.size == 1 and answer.dtype.kind in "iub"
    is_stick = isinstance(space, gym.spaces.Box) and answer.dtype.kind in "fiub"
    action = int(answer.item()) if is_number else answer
    if is_stick:  # what lies outside counts as the edge, as for the environment
        action = answer.astype(np.float32).clip(-1.0, 1.0)
    if not space.contains(action):
        shown = repr(answer.tolist())
        shown = shown if len(shown) < 60 else f"an array of shape {answer.shape}"
        raise Refused(f"{who} answers {shown}, and an action here is one of {space}")
    return action


def _counts(space: gym.Space[Any]) -> tuple[int, ...]:
    """Return how many actions each group has; nothing for a joystick."""
    if isinstance(space, gym.spaces.Discrete):
        return (int(space.n),)
    return tuple(space.nvec.tolist()) if isinstance(space, gym.spaces.MultiDiscrete) else ()


def _first(answer: Any) -> Any:
    """Return the action of what ``predict`` returns: an action, and the state of a policy that has one."""
    if not isinstance(answer, tuple) or len(answer) != 2:
        raise Refused(f"the `predict` of a policy {_PREDICT}; it returned {type(answer).__name__}")
    return answer[0]


def _parameters(function: Any) -> Any:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):  # what is built in has no signature
        return {}
