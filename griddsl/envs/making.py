"""Making environments without Gymnasium's registry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, overload

from griddsl.compiler import AnySpec, compiled
from griddsl.envs.game import Game
from griddsl.envs.grid_env import GridEnv
from griddsl.envs.solo import SoloEnv
from griddsl.envs.stage import Stage
from griddsl.registration import known_source


def stage_of(source: AnySpec, seed: int, **params: Any) -> Stage:
    """Return the first state of a spec, for one or for several, as a seed draws it."""
    spec = compiled(known_source(source), **params)
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
    if policies is not None:
        return SoloEnv(known_source(source), policies, render_mode=render_mode, **params)
    return GridEnv(known_source(source), render_mode=render_mode, backend=backend, **params)
