"""Policies from outside: what a user names on the command line to play an agent."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from griddsl.diagnostics import Refused
from griddsl.envs.asking import asked
from griddsl.playing.session import Policy


def load_policy(name: str) -> Policy:
    """Return the policy of ``module:name`` or ``file.py:name``.

    It is what `griddsl.envs.asking` takes; what it returns is an action. Raises `ValueError` where there is none.
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


def as_policy(given: Any) -> Policy:
    """Return a policy that gives one number a group, whatever form the given one has."""
    if not hasattr(given, "predict") and not callable(given):
        raise Refused(f"{given!r} is no policy: a function of an observation, or an object with `predict`")
    now: list[list[bool]] = []
    act = asked(given, lambda: np.array([fits for part in now for fits in part]))

    def policy(observation: Any, masks: list[list[bool]]) -> Sequence[int]:
        now[:] = masks
        return [int(number) for number in np.atleast_1d(act(observation)).tolist()]

    return policy
