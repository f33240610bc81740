"""Every spec has a functional model, which does as its environment does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import griddsl
from griddsl.envs.model.grid_model import GridModel
from griddsl.envs.seeding import new_stream
from griddsl.exact.draws import ExactError
from tests.contract.every_spec import every_spec

EPISODES, STEPS, EXACT_STEPS = 2, 40, 2


@every_spec
def test_model__follows_the_environment(path: Path) -> None:
    """With the same 64 bits before each step, both give the same; exact chances hold what is sampled."""
    model = griddsl.make_model(path)
    env: Any = _Single(path, model) if len(model.possible_agents) == 1 else griddsl.make_parallel(path)
    rng, stream, chosen = (np.random.default_rng(seed) for seed in (0, 0, 1))
    for seed in range(EPISODES):
        state = model.sample_initial_state(seed)
        env.reset(seed=seed)
        for number in range(STEPS):
            if not state.agents:
                break
            assert model.state_space.contains(model.vector(state))
            actions = {name: _sample(model, name, chosen) for name in state.agents}
            if isinstance(env, _Single):
                env.put(state, new_stream(stream))
            else:
                env.seed(new_stream(stream))
            found, expected = model.step(state, actions, rng), env.step(actions)
            assert model.key(found.observations) == model.key(expected[0])
            assert (found.rewards, found.terminated, found.truncated) == expected[1:4]
            assert model.key(found.infos) == model.key(expected[4])
            if number < EXACT_STEPS:
                _check_chances(model, state, actions, found)
            state = found.state


def _check_chances(model: GridModel, state: Any, actions: dict[str, Any], found: Any) -> None:
    try:
        after = model.transition(state, actions)
        seen = model.observation(found.state)
    except ExactError:
        return  # too many draws at once, or an observation of the step itself
    assert sum(after.values()) == 1 and found.state in after
    for name, observation in found.observations.items():
        assert sum(seen[name].values()) == 1 and model.key(observation) in seen[name]


def _sample(model: GridModel, name: str, rng: np.random.Generator) -> Any:
    space = model.action_spaces[name]
    space.seed(int(rng.integers(1 << 30)))
    action = space.sample()
    return int(action) if np.ndim(action) == 0 else action


class _Single:
    """An environment for one, seen as one for several."""

    def __init__(self, path: Path, model: GridModel) -> None:
        self.env = griddsl.make(path, backend="python")
        (self.name,) = model.possible_agents

    def reset(self, seed: int) -> None:
        self.env.reset(seed=seed)

    def put(self, state: Any, stream: int) -> None:
        self.env.set_state((state.integers, state.reals, stream))

    def step(self, actions: dict[str, Any]) -> tuple[Any, ...]:
        return tuple({self.name: part} for part in self.env.step(actions[self.name]))
