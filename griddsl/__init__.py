"""griddsl: a small language for grid environments.

Importing it registers the bundled specs, and those on ``GRIDDSL_PATH``, with Gymnasium; none is parsed yet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from griddsl.registration import register, register_all

if TYPE_CHECKING:
    from griddsl.compiler import check, load
    from griddsl.diagnostics import Diagnostic, SpecError
    from griddsl.envs.grid_env import GridEnv
    from griddsl.envs.making import make
    from griddsl.spec.models import GridSpec

__version__ = "0.1.0"
__all__ = ["Diagnostic", "GridEnv", "GridSpec", "SpecError", "check", "load", "make", "register"]

_HOMES = {
    "check": "griddsl.compiler",
    "load": "griddsl.compiler",
    "make": "griddsl.envs.making",
    "Diagnostic": "griddsl.diagnostics",
    "SpecError": "griddsl.diagnostics",
    "GridEnv": "griddsl.envs.grid_env",
    "GridSpec": "griddsl.spec.models",
}


def __getattr__(name: str) -> Any:
    """Import the rest when it is first asked for, so that importing griddsl costs next to nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'griddsl' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


register_all()
