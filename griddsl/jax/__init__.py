"""JAX: every spec as functions of arrays, through which `jit`, `vmap` and `scan` go.

`make` gives an environment with Gymnax's interface, `make_parallel` one of several agents with JaxMARL's; neither of
the two is needed. `griddsl.jax.levels` makes and changes levels as data.
"""

try:
    import jax as _jax  # noqa: F401
except ImportError as error:
    raise ImportError("JAX is not installed: pip install 'griddsl[jax]'") from error

from griddsl.jax import levels
from griddsl.jax.env import JaxEnv, make
from griddsl.jax.parallel import JaxParallelEnv, make_parallel
from griddsl.jax.state import Level, State

__all__ = ["JaxEnv", "JaxParallelEnv", "Level", "State", "levels", "make", "make_parallel"]
