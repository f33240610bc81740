"""`make_aec`: a game of several as a PettingZoo `AECEnv`, where agents act one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium as gym
import numpy as np

from griddsl.compiler import AnySpec
from griddsl.diagnostics import with_keywords
from griddsl.envs.joint.parallel import GridParallelEnv
from griddsl.envs.joint.told import Told
from griddsl.envs.joint.zoo import AECEnv, OrderEnforcingWrapper, parallel_to_aec_wrapper


class GridTurnsEnv(AECEnv[str, Any, Any]):  # type: ignore[misc]
    """A spec under ``turns: alternate`` as an ``AECEnv``: ``agent_selection`` is the agent whose turn it is."""

    def __init__(self, game: GridParallelEnv) -> None:
        super().__init__()
        self.game = game
        self.metadata = {**game.metadata, "is_parallelizable": False}
        self.render_mode = game.render_mode
        self.possible_agents = list(game.possible_agents)
        self.observation_spaces, self.action_spaces = game.observation_spaces, game.action_spaces
        self.agents: list[str] = []
        self._told = {name: Told(game, name) for name in self.possible_agents}

    def observation_space(self, agent: str) -> gym.Space[Any]:
        """Return the space of what an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gym.Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start an episode."""
        _, infos = self.game.reset(seed, options)
        self.agents = list(self.game.agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = infos
        for told in self._told.values():
            told.clear()
        self._skip_agent_selection = None
        self._select()

    def step(self, action: Any) -> None:
        """Carry out the action of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            if self.agents and not any(
                self.terminations[name] or self.truncations[name] for name in self.agents
            ):
                self._select()
            return
        self.game.numbers(agent, action)  # before anything is done
        self._cumulative_rewards[agent] = 0.0
        self._told[agent].clear()
        live = list(self.game.agents)
        chosen = dict.fromkeys(live)
        chosen[agent] = action
        _, rewards, terminations, truncations, infos = self.game.step(chosen)
        for name in live:
            self.rewards[name] = float(rewards[name])
            self.terminations[name], self.truncations[name] = terminations[name], truncations[name]
            self.infos[name] = self._told[name].gathered(infos[name])
        self._accumulate_rewards()
        self._select()
        self._deads_step_first()

    def _select(self) -> None:
        turn = self.game.turn
        self.agent_selection = turn if turn in self.agents else self.agents[0]

    @property
    def np_random(self) -> np.random.Generator:
        """The generator that the stream of the game is seeded from."""
        return self.game.np_random

    def observe(self, agent: str) -> Any:
        """Return what an agent observes now."""
        return self.game.observe(agent)

    def state(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Return the whole state as one row of whole numbers, int64."""
        return self.game.state()

    def render(self) -> Any:
        """Return what the render mode says."""
        return self.game.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self.game.close()


class GridRoundsEnv(parallel_to_aec_wrapper):  # type: ignore[misc]
    """A spec whose agents act at once as an ``AECEnv``: all choose one after the other, and then the game steps."""

    def step(self, action: Any) -> None:
        """Keep the action of the agent whose turn it is; raise `ValueError` where it is none of its actions.

        The game would refuse it only when all have chosen, and nobody could choose anew then.
        """
        agent = self.agent_selection
        if not (self.terminations[agent] or self.truncations[agent]):
            self.env.numbers(agent, action)
        elif action is not None:
            raise ValueError(f"the part of {agent!r} has ended: its step takes None, not {action!r}")
        super().step(action)


@with_keywords
def make_aec(
    source: AnySpec,
    *,
    render_mode: str | None = None,
    backend: str = "auto",
    **params: Any,
) -> AECEnv[str, Any, Any]:
    """Return a spec with several agents as a PettingZoo ``AECEnv``.

    Under ``turns: alternate`` an agent's step is a step of the game; else all choose one after the other, and the
    game steps when all have chosen, as PettingZoo's own conversion does.
    """
    game = GridParallelEnv(source, render_mode=render_mode, backend=backend, **params)
    if game.program.turns == "alternate":
        return OrderEnforcingWrapper(GridTurnsEnv(game))
    return OrderEnforcingWrapper(GridRoundsEnv(game))
