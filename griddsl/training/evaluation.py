"""Evaluation: what a policy is worth, exactly and by playing, and how far it is from the optimum."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from griddsl.compiler import AnySpec, compiled
from griddsl.diagnostics import with_keywords
from griddsl.envs.asking import as_array, asked, chances, chosen, fitting
from griddsl.exact.draws import ExactError
from griddsl.exact.enumerate import MOST_STATES
from griddsl.exact.mdp import TabularMDP, mdp_of
from griddsl.exact.solve import Solution, policy_rows
from griddsl.loading import resolve
from griddsl.refused import Refused, whole_number

if TYPE_CHECKING:
    from griddsl.envs.single.grid_env import GridEnv

STEPS_WITHOUT_LIMIT = 10_000


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over simulated episodes and its standard error."""

    mean: float
    error: float

    def agrees(self, value: float, errors: float = 4.0) -> bool:
        """Return whether a value lies within so many standard errors."""
        return abs(self.mean - value) <= errors * self.error + 1e-9

    def __str__(self) -> str:
        return f"{self.mean:.4g} ± {self.error:.2g}"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a policy is worth: ``returns``, ``success`` and ``length`` exactly, the ``simulated_*`` by playing.

    The exact ones, ``optimum`` and ``regret`` (their difference) are for episodes of at most ``horizon`` steps, as
    the environment plays them. They are None where the states cannot be enumerated or the policy's choices are not
    known as chances; ``why_not_exact`` says why.
    """

    returns: float | None
    success: float | None
    length: float | None
    optimum: float | None
    regret: float | None
    horizon: int
    simulated_returns: Estimate
    simulated_success: Estimate
    simulated_length: Estimate
    episodes: int
    why_not_exact: str | None = None

    def __str__(self) -> str:
        lines = []
        if self.returns is not None and self.regret is not None:
            lines.append(
                f"return   {self.returns:.6g} exactly, {self.simulated_returns} in {self.episodes} episodes"
            )
            lines.append(f"success  {self.success:.6g} exactly, {self.simulated_success}")
            lines.append(f"length   {self.length:.6g} exactly, {self.simulated_length}")
            lines.append(f"optimum  {self.optimum:.6g}; regret {self.regret:.6g}")
        else:
            lines.append(f"return   {self.simulated_returns} in {self.episodes} episodes")
            lines.append(f"success  {self.simulated_success}")
            lines.append(f"length   {self.simulated_length}")
            lines.append(f"not exact: {self.why_not_exact}")
        return "\n".join(lines)


@with_keywords
def evaluate(
    policy: Any,
    source: AnySpec,
    /,
    *,
    episodes: int = 1000,
    seed: int = 0,
    horizon: int | None = None,
    max_states: int = MOST_STATES,
    **params: Any,
) -> Evaluation:
    """Return what a policy is worth in a spec, exactly where its states can be enumerated, and by simulation.

    ``policy`` is a function of an observation, or of it and the mask (an action, or the chances of the actions), an
    object with ``predict(observation, deterministic=True)`` as Stable-Baselines3 has it, which is given the mask as
    ``action_masks`` where it takes that, ``"random"``, ``"optimal"``, or an array over the states of `to_mdp`:
    ``(states,)`` actions or ``(states, actions)`` chances. A function has to give the same answer each time it sees the
    same; an answer that is no action is a `ValueError`. Episodes have ``horizon`` steps at most: by default the spec's
    ``limit``, or 10,000. What ``once:`` draws is drawn anew for each of them.
    """
    from griddsl.envs.making import make

    seed = whole_number("a seed", seed, 0)
    episodes = whole_number("the number of episodes", episodes, 1)
    if horizon is not None:
        horizon = whole_number("a horizon", horizon, 1)
    env = make(compiled(resolve(source), **params))
    steps = horizon or env.program.limit or STEPS_WITHOUT_LIMIT
    mdp, why = _mdp_of(env, max_states)
    optimum: float | None = None
    by_state: NDArray[Any] | None = None
    if mdp is not None:
        optimal = mdp.solve(horizon=steps)
        optimum = optimal.optimal_return
        by_state, why = _table_or_why(policy, optimal, mdp, env)
    elif not (_answers(policy) or (isinstance(policy, str) and policy == "random")):
        raise ExactError(f"this policy is one over states, which cannot be enumerated: {why}")
    returned, success_rate, steps_taken = (
        (None, None, None) if mdp is None or by_state is None else _exactly(mdp, by_state, steps)
    )
    act = _actor(policy, env, mdp, by_state, np.random.default_rng(seed))
    returns, success, lengths = _simulate(env, act, episodes, seed, steps)
    return Evaluation(
        returns=returned,
        success=success_rate,
        length=steps_taken,
        optimum=None if returned is None else optimum,
        regret=None if returned is None or optimum is None else optimum - returned,
        horizon=steps,
        simulated_returns=_estimate(returns),
        simulated_success=_estimate(success),
        simulated_length=_estimate(lengths),
        episodes=episodes,
        why_not_exact=why,
    )


def _mdp_of(env: GridEnv, max_states: int) -> tuple[TabularMDP | None, str | None]:
    try:
        return mdp_of(env.program, max_states=max_states, reward_of_step=True), None
    except ExactError as error:
        return None, str(error)


# Policies


def _table(policy: Any, mdp: TabularMDP, env: GridEnv) -> NDArray[Any]:
    """Return a policy as an array over states; raise `ExactError` where it has none."""
    if isinstance(policy, str):
        if policy != "random":
            raise ExactError(f"there is no policy `{policy}`", "policies by name: random, optimal")
        return np.full((mdp.n_states, mdp.n_actions), 1.0 / mdp.n_actions)
    if _answers(policy):
        return _asked_everywhere(asked(policy, env.action_masks), mdp, env)
    given = np.asarray(policy)
    if given.shape not in {(mdp.n_states,), (mdp.n_states, mdp.n_actions)}:
        raise ExactError(
            f"a policy has the shape ({mdp.n_states},) or ({mdp.n_states}, {mdp.n_actions}), not {given.shape}"
        )
    _check_table(given, ~mdp.terminal, mdp.n_actions)
    # What stands at an end is never asked.
    if given.ndim == 2:
        return np.where(mdp.terminal[:, None], 1.0 / mdp.n_actions, given).astype(np.float64)
    return np.where(mdp.terminal, 0, given).astype(np.int64)


def _check_table(given: NDArray[Any], going: NDArray[np.bool_], n_actions: int) -> None:
    """Raise `Refused` where a policy over states names no action, or chances that are none, in a state that goes on."""
    if given.dtype.kind not in "biuf":
        raise Refused(f"a policy over states holds numbers, not {given.dtype}")
    if given.ndim == 1:
        wrong = ~np.isin(given, np.arange(n_actions)) & going
        said = f"which is no action: they go from 0 to {n_actions - 1}"
    else:
        wrong = ~((given >= 0).all(axis=1) & np.isclose(given.sum(axis=1), 1.0, atol=1e-6)) & going
        said = "which are no chances: they sum to 1"
    if wrong.any():
        first = int(wrong.argmax())
        raise Refused(f"a policy gives {given[first]!s:.60} in state {first}, {said}")


def _answers(policy: Any) -> bool:
    """Whether a policy is asked for an action, and no array over states."""
    return callable(policy) or hasattr(policy, "predict")


def _table_or_why(
    policy: Any, optimal: Solution, mdp: TabularMDP, env: GridEnv
) -> tuple[NDArray[Any] | None, str | None]:
    """Return a policy over states; or, of a function whose observations cannot be enumerated, why there is none."""
    if isinstance(policy, str) and policy == "optimal":
        if optimal.policies is None:
            said = "the optimal policy of so many steps and states is too large to keep"
            raise ExactError(said, "a shorter horizon")
        return optimal.policies, None
    try:
        return _table(policy, mdp, env), None
    except ExactError as error:
        if _answers(policy):
            return None, str(error)
        raise


def _asked_everywhere(function: Callable[[Any], Any], mdp: TabularMDP, env: GridEnv) -> NDArray[Any]:
    """Return what a function of the observation does in each state, asked once for each; noise is averaged."""
    if env.program.groups[0].joystick:
        raise ExactError("what a policy does with a joystick is no action with a number")
    if mdp.observing.is_noisy:
        raise ExactError(
            "a policy that sees noise has no one action a state", "give it as an array over states"
        )
    found = np.zeros((mdp.n_states, mdp.n_actions))
    found[:, 0] = 1.0
    actions = mdp.enumeration.actions
    for number in np.flatnonzero(~mdp.terminal).tolist():
        env.set_state((*mdp.states[number], 0))
        found[number] = _chances(as_array(function(env._observe())), actions, env.action_space)
    return found


def _chances(
    given: NDArray[Any], actions: Sequence[tuple[int, ...]], space: gym.Space[Any]
) -> NDArray[np.float64]:
    """Return the chances of the actions that an answer gives: itself, or all for the one that it names.

    Raises `Refused` for an answer that is neither.
    """
    if given.dtype.kind == "f" and given.shape == (len(actions),):
        return chances(given)
    found = np.zeros(len(actions))
    found[actions.index(tuple(np.atleast_1d(fitting(given, space)).tolist()))] = 1.0
    return found


def _exactly(mdp: TabularMDP, policy: NDArray[Any], steps: int) -> tuple[float, float, float]:
    """Return return, success and length of episodes of at most so many steps."""
    running = (~mdp.terminal).astype(np.float64)
    success = mdp.success.astype(np.float64)
    changes = policy.ndim == 2 and policy.shape == (steps, mdp.n_states) and policy.dtype.kind == "i"
    rewards, slopes = mdp.rewards, mdp.rewards_of_step
    here = mdp.initial.copy()
    total, length = 0.0, 0.0
    matrix, paid = policy_rows(mdp, policy[0] if changes else policy, rewards)
    more = None if slopes is None else policy_rows(mdp, policy[0] if changes else policy, slopes)[1]
    transposed = matrix.T.tocsr()
    for step in range(1, steps + 1):
        if changes and step > 1:
            matrix, paid = policy_rows(mdp, policy[step - 1].astype(np.int64), rewards)
            more = None if slopes is None else policy_rows(mdp, policy[step - 1].astype(np.int64), slopes)[1]
            transposed = matrix.T.tocsr()
        alive = here * running
        mass = float(alive.sum())
        if mass < 1e-15:
            break
        length += mass
        total += float(alive @ paid) + (0.0 if more is None else step * float(alive @ more))
        here = transposed @ alive + here * (1 - running)
    return total, float(here @ success), length


# Playing


def actor(
    policy: Any, env: GridEnv, *, seed: int = 0, max_states: int = MOST_STATES
) -> Callable[[Any, int], Any]:
    """Return a function of the observation and the number of the step that plays a policy in an environment.

    ``policy`` is as `evaluate` takes it; ``"optimal"`` and arrays look at the state of ``env``, which has to be the one
    that is played. Raises `ExactError` where these cannot be had.
    """
    mdp, by_state = None, None
    if not (_answers(policy) or (isinstance(policy, str) and policy == "random")):
        mdp, why = _mdp_of(env, max_states)
        if mdp is None:
            raise ExactError(f"this policy is one over states, which cannot be enumerated: {why}")
        if isinstance(policy, str) and policy == "optimal":
            by_state = mdp.solve(horizon=env.program.limit or STEPS_WITHOUT_LIMIT).policies
            if by_state is None:
                raise ExactError("the optimal policy of so many steps and states is too large to keep")
        else:
            by_state = _table(policy, mdp, env)
    return _actor(policy, env, mdp, by_state, np.random.default_rng(seed))


def _actor(
    policy: Any, env: GridEnv, mdp: TabularMDP | None, by_state: NDArray[Any] | None, rng: np.random.Generator
) -> Callable[[Any, int], Any]:
    """Return a function of the observation and the step's number that plays the policy."""
    actions = list(itertools.product(*(range(len(group.actions)) for group in env.program.groups)))
    if isinstance(policy, str) and policy == "random":
        return lambda observation, step: _action(actions, int(rng.integers(len(actions))))
    if _answers(policy):
        function = asked(policy, env.action_masks)
        return lambda observation, step: chosen(function(observation), env.action_space, rng)
    assert mdp is not None and by_state is not None
    changes = by_state.dtype.kind == "i" and by_state.ndim == 2

    def looked_up(observation: Any, step: int) -> Any:
        state = mdp.index(env.get_state())
        if changes:
            return _action(actions, int(by_state[step, state]))
        if by_state.ndim == 1:
            return _action(actions, int(by_state[state]))
        return _action(actions, int(rng.choice(mdp.n_actions, p=by_state[state])))

    return looked_up


def _action(actions: list[tuple[int, ...]], number: int) -> Any:
    action = actions[number]
    return action[0] if len(action) == 1 else np.array(action)


def _simulate(
    env: GridEnv, act: Callable[[Any, int], Any], episodes: int, seed: int, steps: int
) -> tuple[list[float], list[float], list[float]]:
    returns, success, lengths = [], [], []
    for episode in range(episodes):
        # What is drawn once stays until a seed is given, and episodes of one draw are no sample of the game.
        observation, _ = env.reset(seed=seed + episode if episode == 0 or env.program.keeps_draw else None)
        total, won, step = 0.0, False, 0
        while step < steps:
            observation, reward, terminated, truncated, info = env.step(act(observation, step))
            total += float(reward)
            step += 1
            if terminated or truncated:
                won = bool(info.get("is_success", False))
                break
        returns.append(total)
        success.append(float(won))
        lengths.append(float(step))
    return returns, success, lengths


def _estimate(values: list[float]) -> Estimate:
    mean = math.fsum(values) / len(values)
    spread = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / max(1, len(values) - 1))
    return Estimate(mean, spread / math.sqrt(len(values)))
