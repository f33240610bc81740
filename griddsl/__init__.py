"""griddsl: a small language for grid environments.

Importing it registers the bundled specs, and those on ``GRIDDSL_PATH``, with Gymnasium; none is parsed yet.
"""

from __future__ import annotations

import sys
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from griddsl.compiler import check, load
    from griddsl.diagnostics import Diagnostic, SpecError
    from griddsl.envs.grid_env import GridEnv
    from griddsl.envs.making import make
    from griddsl.envs.vector_env import GridVectorEnv, make_vec
    from griddsl.evaluation import evaluate
    from griddsl.exact.mdp import to_mdp
    from griddsl.registration import register
    from griddsl.spec.models import GridSpec

__version__ = "0.1.0"
__all__ = [
    "Diagnostic",
    "GridEnv",
    "GridSpec",
    "GridVectorEnv",
    "SpecError",
    "check",
    "evaluate",
    "load",
    "make",
    "make_vec",
    "register",
    "to_mdp",
]

_HOMES = {
    "check": "griddsl.compiler",
    "evaluate": "griddsl.evaluation",
    "load": "griddsl.compiler",
    "make": "griddsl.envs.making",
    "make_vec": "griddsl.envs.vector_env",
    "register": "griddsl.registration",
    "to_mdp": "griddsl.exact.mdp",
    "Diagnostic": "griddsl.diagnostics",
    "SpecError": "griddsl.diagnostics",
    "GridEnv": "griddsl.envs.grid_env",
    "GridVectorEnv": "griddsl.envs.vector_env",
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


# The command `griddsl` registers when a verb asks for ids: most verbs need no Gymnasium, and start without it.
if PurePath(sys.argv[0] if sys.argv else "").stem != "griddsl":
    from griddsl.registration import register_all

    register_all()
