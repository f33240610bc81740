"""Making environments without Gymnasium's registry."""

from __future__ import annotations

import os
from typing import Any

from griddsl.envs.grid_env import GridEnv
from griddsl.registration import spec_path
from griddsl.spec.models import GridSpec


def make(
    source: str | os.PathLike[str] | GridSpec,
    *,
    render_mode: str | None = None,
    backend: str = "auto",
    **params: Any,
) -> GridEnv:
    """Return the environment of a spec: a path, a text, a registered id, or a `GridSpec`.

    ``params`` are the spec's parameters, and ``level``. No wrapper is put around it.
    """
    if isinstance(source, str) and "\n" not in source and (known := spec_path(source)) is not None:
        source = known
    return GridEnv(source, render_mode=render_mode, backend=backend, **params)
