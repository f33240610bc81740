"""Making environments without Gymnasium's registry."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, overload

from griddsl.compiler import AnySpec, compiled
from griddsl.diagnostics import Refused, with_keywords
from griddsl.envs.base_env import BaseEnv
from griddsl.envs.joint.game import Game
from griddsl.envs.joint.solo import SoloEnv
from griddsl.envs.single.grid_env import GridEnv
from griddsl.loading import only_source, resolve


def env_of(source: AnySpec, seed: int, /, **params: Any) -> BaseEnv:
    """Return the first state of a spec, for one or for several, as a seed draws it."""
    spec = compiled(resolve(source), **params)
    if len(spec.program.players) > 1:
        game = Game(spec)
        game.begin(seed)
        return game
    env = GridEnv(spec)
    env.reset(seed=seed)
    return env


@overload
def make(
    source: AnySpec,
    *,
    render_mode: str | None = ...,
    backend: str = ...,
    policies: None = ...,
    **params: Any,
) -> GridEnv: ...


@overload
def make(
    source: AnySpec,
    *,
    render_mode: str | None = ...,
    backend: str = ...,
    policies: Mapping[str, Any],
    **params: Any,
) -> SoloEnv: ...


@with_keywords
def make(
    source: AnySpec,
    *,
    render_mode: str | None = None,
    backend: str = "auto",
    policies: Mapping[str, Any] | None = None,
    **params: Any,
) -> GridEnv | SoloEnv:
    """Return the environment of a spec: a path, a text, a registered id, or a `GridSpec`.

    ``params`` are the spec's parameters, and ``level``. No wrapper is put around it. ``policies`` play the other
    agents of a spec with several, so that one is left to learn: see `SoloEnv`.
    """
    if policies is None:
        return GridEnv(source, render_mode=render_mode, backend=backend, **params)
    if backend not in {"auto", "python"}:
        raise Refused(f"policies play on the python backend, not on {backend!r}")
    return SoloEnv(source, policies, render_mode=render_mode, **params)


def make_registered(
    source: AnySpec | None = None, *, spec: str | os.PathLike[str] | None = None, **settings: Any
) -> GridEnv | SoloEnv:
    """Return what ``gym.make`` makes of an id: as `make`, and ``griddsl/Spec-v0`` is given a ``spec``."""
    given = only_source(source, spec, "gym.make('griddsl/Spec-v0', spec='maze.grid')")
    made: GridEnv | SoloEnv = make(given, **settings)
    return made


# Gymnasium reads the render modes of what makes an environment before it does.
make_registered.metadata = GridEnv.metadata  # type: ignore[attr-defined]
