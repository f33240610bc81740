"""Policies from outside: what a user names on the command line to play an agent."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np

from griddsl.diagnostics import Refused
from griddsl.envs.asking import asked, chosen
from griddsl.envs.spaces import snapped
from griddsl.playing.session import Policy, Session
from griddsl.program.program import ActionGroup


def load_policy(name: str) -> Policy:
    """Return the policy of ``module:name`` or ``file.py:name``.

    It is what `griddsl.envs.asking` takes, as `griddsl.evaluate` does. Raises `ValueError` where there is none.
    """
    return as_policy(load_policy_object(name))


def load_policy_object(name: str) -> Any:
    """Return what ``module:name`` or ``file.py:name`` names, as it is; a class is called. Raises as `load_policy`."""
    place, _, attribute = name.rpartition(":")
    if not place:
        form = "a file of `griddsl train`, `module:name` or `file.py:name`"
        if Path(name).suffix == ".py" and Path(name).is_file():
            raise Refused(f"`{name}` holds many names: write `{name}:NAME` for the one that is the policy")
        if Path(name).exists():
            raise Refused(f"`{name}` is no policy, which is {form}")
        if Path(name).suffix or "/" in name:
            raise Refused(f"there is no file `{name}`; a policy is {form}")
        raise Refused(f"`{name}` names no policy: write {form}")
    try:
        module = _module_of(place)
        found = getattr(module, attribute)
    except (ImportError, OSError, AttributeError) as error:
        raise Refused(f"there is no policy `{name}`: {error}") from None
    except SyntaxError as error:
        where = f"{error.filename}, line {error.lineno}"
        raise Refused(f"there is no policy `{name}`: {where} is no Python: {error.msg}") from None
    return found() if inspect.isclass(found) else found


def _module_of(place: str) -> Any:
    path = Path(place)
    if path.suffix != ".py":
        return importlib.import_module(place)
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {place}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def let_play(session: Session, policies: Mapping[str, Any]) -> None:
    """Let policies, of any form, choose for the agents of a session, which are named."""
    groups = {player.name: player.groups for player in session.program.players}
    session.policies |= {name: as_policy(given, groups[name]) for name, given in policies.items()}


def as_policy(given: Any, groups: Sequence[ActionGroup] = ()) -> Policy:
    """Return a policy that gives one number a group, whatever form the given one has.

    ``groups`` are those of its agent, for that may have a joystick: then a policy answers where that is moved to.
    Chances are drawn from the same stream each time, so that a game is the same for the same seed.
    """
    if not hasattr(given, "predict") and not callable(given):
        raise Refused(f"{given!r} is no policy: a function of an observation, or an object with `predict`")
    now: list[list[bool]] = []
    act = asked(given, lambda: np.array([fits for part in now for fits in part]))
    rng = np.random.default_rng(0)

    def policy(observation: Any, masks: list[list[bool]]) -> Sequence[int]:
        now[:] = masks
        if len(groups) == 1 and groups[0].joystick:
            stick = gym.spaces.Box(-1.0, 1.0, (2,), np.float32)
            return [snapped(groups[0], chosen(act(observation), stick, rng))]
        sizes = [len(mask) for mask in masks]
        space = gym.spaces.MultiDiscrete(sizes) if len(sizes) > 1 else gym.spaces.Discrete(sizes[0])
        return [int(number) for number in np.atleast_1d(chosen(act(observation), space, rng)).tolist()]

    return policy
