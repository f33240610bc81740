"""How environments that others wrote for JAX are played: each as functions of one game, which `jax_peers` repeats."""

from __future__ import annotations

import warnings
from contextlib import redirect_stdout
from importlib import import_module
from importlib.resources import files
from io import StringIO
from typing import Any, NamedTuple


class Functions(NamedTuple):
    """One game: ``reset(key)`` gives an observation and a state, ``step(key, state, action)`` those and a reward.

    An action is a number below ``actions`` for each of ``agents``. Where ``allowed`` is given, ``allowed(state)`` is a
    row of what may be done, and an action is drawn from that in each step.
    """

    reset: Any
    step: Any
    actions: int
    agents: int = 0  # 0: an action is a number, not a row
    allowed: Any = None


def gymnax(name: str) -> Functions:
    """Return an environment of Gymnax."""
    env, params = import_module("gymnax").make(name)

    def step(key: Any, state: Any, action: Any) -> Any:
        return env.step(key, state, action, params)[:3]

    return Functions(lambda key: env.reset(key, params), step, env.num_actions)


def xland() -> Functions:
    """Return DoorKey of XLand-MiniGrid, with automatic resets."""
    import xminigrid
    from xminigrid.wrappers import GymAutoResetWrapper

    env, params = xminigrid.make("MiniGrid-DoorKey-8x8")
    env = GymAutoResetWrapper(env)

    def begun(key: Any) -> Any:
        found = env.reset(params, key)
        return found.observation, found

    def step(_: Any, timestep: Any, action: Any) -> Any:
        found = env.step(params, timestep, action)
        return found.observation, found, found.reward

    return Functions(begun, step, env.num_actions(params))


def navix() -> Functions:
    """Return DoorKey of NAVIX, which resets by itself."""
    import navix

    env = navix.make("Navix-DoorKey-8x8-v0")

    def begun(key: Any) -> Any:
        found = env.reset(key)
        return found.observation, found

    def step(_: Any, timestep: Any, action: Any) -> Any:
        found = env.step(timestep, action)
        return found.observation, found, found.reward

    return Functions(begun, step, 7)


def overcooked() -> Functions:
    """Return JaxMARL's Overcooked in its first kitchen, which resets by itself."""
    with warnings.catch_warnings(), redirect_stdout(StringIO()):  # it says what of it is not there
        warnings.simplefilter("ignore", DeprecationWarning)  # it recommends its second version
        env = import_module("jaxmarl").make("overcooked")

    def step(key: Any, state: Any, row: Any) -> Any:
        actions = {name: row[k] for k, name in enumerate(env.agents)}
        seen, state, rewards, _, _ = env.step(key, state, actions)
        return seen, state, rewards[env.agents[0]]

    return Functions(env.reset, step, 6, agents=2)


def ludax(name: str) -> Functions:
    """Return a game of Ludax. It has no resets: one that is over makes room for its beginning, by a choice.

    What is seen is what the one whose turn it is sees; moves are allowed ones, because others end the game.
    """
    import jax
    from ludax import LudaxEnvironment

    env = LudaxEnvironment(game_path=str(files("ludax") / "games" / f"{name}.ldx"))

    def begun(key: Any) -> Any:
        state = env.init(key)
        return env.observe(state, state.current_player), state

    def step(key: Any, state: Any, action: Any) -> Any:
        after = env.step(state, action)
        over = after.terminated | after.truncated
        reward, first = after.mover_reward, env.init(key)
        after = jax.tree.map(lambda new, old: jax.numpy.where(over, new, old), first, after)
        return env.observe(after, after.current_player), after, reward

    return Functions(begun, step, env.num_actions, allowed=lambda state: state.legal_action_mask)
