"""griddsl: a small language for grid environments.

Importing it registers the bundled specs, those of installed packages and those on ``GRIDDSL_PATH``, with Gymnasium;
none is parsed yet. Where Gymnasium is not loaded, it is not loaded for that either: the ids are there as soon as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from griddsl.registration.lazy import register_when_imported

if TYPE_CHECKING:
    from griddsl.checking import check
    from griddsl.diagnostics import Diagnostic, SpecError
    from griddsl.envs.batch.parallel_vec import make_parallel_vec
    from griddsl.envs.batch.vector_env import GridVectorEnv, make_vec
    from griddsl.envs.joint.aec import make_aec
    from griddsl.envs.joint.parallel import make_parallel
    from griddsl.envs.making import make
    from griddsl.envs.model.grid_model import GridModel, JointTimestep, make_model
    from griddsl.envs.single.grid_env import GridEnv
    from griddsl.exact.draws import ExactError, TooManyStatesError
    from griddsl.exact.mdp import to_mdp
    from griddsl.loading import load
    from griddsl.registration.ids import register
    from griddsl.render.pages.animation import animate
    from griddsl.spec.models import GridSpec
    from griddsl.training.evaluation import evaluate
    from griddsl.training.replay import replay
    from griddsl.web.widget import play

__version__ = "0.1.0"
__all__ = [
    "Diagnostic",
    "ExactError",
    "GridEnv",
    "GridModel",
    "GridSpec",
    "GridVectorEnv",
    "JointTimestep",
    "SpecError",
    "TooManyStatesError",
    "animate",
    "check",
    "evaluate",
    "load",
    "make",
    "make_aec",
    "make_model",
    "make_parallel",
    "make_parallel_vec",
    "make_vec",
    "play",
    "register",
    "replay",
    "to_mdp",
]

_HOMES = {
    "animate": "griddsl.render.pages.animation",
    "check": "griddsl.checking",
    "evaluate": "griddsl.training.evaluation",
    "load": "griddsl.loading",
    "make": "griddsl.envs.making",
    "make_aec": "griddsl.envs.joint.aec",
    "make_model": "griddsl.envs.model.grid_model",
    "make_parallel": "griddsl.envs.joint.parallel",
    "make_parallel_vec": "griddsl.envs.batch.parallel_vec",
    "make_vec": "griddsl.envs.batch.vector_env",
    "play": "griddsl.web.widget",
    "register": "griddsl.registration.ids",
    "replay": "griddsl.training.replay",
    "to_mdp": "griddsl.exact.mdp",
    "Diagnostic": "griddsl.diagnostics",
    "SpecError": "griddsl.diagnostics",
    "ExactError": "griddsl.exact.draws",
    "TooManyStatesError": "griddsl.exact.draws",
    "GridEnv": "griddsl.envs.single.grid_env",
    "GridModel": "griddsl.envs.model.grid_model",
    "GridVectorEnv": "griddsl.envs.batch.vector_env",
    "JointTimestep": "griddsl.envs.model.grid_model",
    "GridSpec": "griddsl.spec.models",
}

# What `import griddsl` alone is enough for: `griddsl.jax.make`, `griddsl.render.to_svg`.
_ROOMS = frozenset({"curriculum", "distributed", "jax", "render", "sb3", "text", "torch", "wrappers"})

if (
    not TYPE_CHECKING
):  # Type checkers read the imports above; by this, any misspelt name would be an `Any` to them.

    def __getattr__(name: str) -> Any:
        """Import the rest when it is first asked for, so that importing griddsl costs next to nothing."""
        from importlib import import_module

        if name in _ROOMS:
            return import_module(f"griddsl.{name}")
        if name not in _HOMES:
            raise AttributeError(f"module 'griddsl' has no attribute {name!r}")
        return getattr(import_module(_HOMES[name]), name)


def load_ipython_extension(shell: Any) -> None:
    """Give a notebook the magic ``%%grid``: a cell that is a spec (``%load_ext griddsl``)."""
    from griddsl.web.cells import load_ipython_extension as load

    load(shell)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


register_when_imported()
