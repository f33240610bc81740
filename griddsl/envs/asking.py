"""Asking: what a policy answers to what it observes, and to which actions are allowed where it wants to know that."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any


def asked(policy: Any, masks: Callable[[], Any]) -> Callable[[Any], Any]:
    """Return a function of an observation that gives the action of a policy.

    A policy is a function of the observation, or of it and of the mask, or an object with Stable-Baselines3's
    ``predict``, which is given ``action_masks`` where it takes them, as that of `MaskablePPO` does. ``masks`` gives
    which actions are allowed now, bool, groups one after the other.
    """
    if hasattr(policy, "predict"):
        if "action_masks" in _parameters(policy.predict):
            return lambda seen: policy.predict(seen, deterministic=True, action_masks=masks())[0]
        return lambda seen: policy.predict(seen, deterministic=True)[0]
    needed = [
        one
        for one in _parameters(policy).values()
        if one.kind in {one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD} and one.default is one.empty
    ]
    if len(needed) > 1:
        return lambda seen: policy(seen, masks())
    return lambda seen: policy(seen)


def _parameters(function: Any) -> Any:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):  # what is built in has no signature
        return {}
