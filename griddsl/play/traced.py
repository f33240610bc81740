"""An environment that tells which rules fired."""

from __future__ import annotations

from griddsl.backends.python import Machine, build
from griddsl.envs.grid_env import GridEnv


class TracedEnv(GridEnv):
    """A `GridEnv` whose program notes the number of every rule that fires; a little slower."""

    def _build(self) -> Machine:
        return build(self.program, traced=True)

    def take_fired(self) -> list[int]:
        """Return the numbers of the rules that fired since the last call, in order, and forget them."""
        fired = self._machine.fired.copy()
        self._machine.fired.clear()
        return fired
