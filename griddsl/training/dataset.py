"""Datasets: episodes of random, scripted, optimal, trained and human play, as Minari keeps them."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np

from griddsl.compiler import compiled
from griddsl.compiling.cache import Compiled
from griddsl.diagnostics import with_keywords
from griddsl.envs.joint.game import Game
from griddsl.exact.draws import ExactError
from griddsl.loading import load as load_spec
from griddsl.loading import resolve
from griddsl.registration.ids import ANY_SPEC_ID, registered_specs
from griddsl.spec.taken_names import BY_MAKING
from griddsl.training.evaluation import STEPS_WITHOUT_LIMIT, actor
from griddsl.training.failures import TrainingError
from griddsl.training.joint_dataset import record_joint_dataset
from griddsl.training.plays import Play
from griddsl.training.replay import DATASET
from griddsl.training.scoring import optimum_of

MOST_STATES = 50_000  # in which the reference scores are computed


@with_keywords
def record_dataset(
    source: Any,
    name: str,
    *,
    policy: Any = "random",
    episodes: int | None = None,
    seed: int = 0,
    infos: bool = True,
    algorithm: str | None = None,
    author: str | None = None,
    description: str | None = None,
    max_states: int = MOST_STATES,
    **params: Any,
) -> Any:
    """Write a Minari dataset of a spec, and return it (a `minari.MinariDataset`).

    ``policy`` is as `griddsl.evaluate` takes it, or plays as `read_plays` gives them, of which each is an episode.
    Episode ``i`` is that of seed ``seed + i``, 100 by default. The environment inside is known by its id, or by its
    text, so that the dataset loads on any machine; pictures are kept without loss. Where the states can be enumerated,
    ``ref_max_score`` is the optimum. Of a game of several agents only plays make a dataset, in the form that
    `griddsl.training.joint_dataset` describes. Raises `ValueError` for a name that Minari does not take or has, and
    `ImportError` where ``minari[create]`` is not installed.
    """
    return recorded(
        source,
        name,
        params,
        policy=policy,
        episodes=episodes,
        seed=seed,
        infos=infos,
        algorithm=algorithm,
        author=author,
        description=description,
        max_states=max_states,
    )


def recorded(
    source: Any,
    name: str,
    params: dict[str, Any],
    *,
    policy: Any = "random",
    episodes: int | None = None,
    seed: int = 0,
    infos: bool = True,
    algorithm: str | None = None,
    author: str | None = None,
    description: str | None = None,
    max_states: int = MOST_STATES,
) -> Any:
    """Write what `record_dataset` writes; here parameters may be called as its arguments are."""
    try:
        import minari
        from minari import DataCollector
    except ImportError as error:
        raise ImportError("Minari is not installed: pip install 'griddsl[data]'") from error

    if not DATASET.fullmatch(name):
        raise TrainingError(f"`{name}` is no name of a dataset", "such as `mine/frozen-lake-random-v0`")
    if name in minari.list_local_datasets():
        raise TrainingError(f"the dataset `{name}` is there already", f"`minari delete {name}` removes it")
    plays = policy if isinstance(policy, list) and policy and isinstance(policy[0], Play) else None
    bound = compiled(resolve(source), **params)
    if len(bound.program.players) > 1:
        if plays is None:
            said = "a policy plays one agent, and several play this game"
            raise TrainingError(said, "name recordings of its page: `--recordings DIR`")
        game = Game(bound)
        who = algorithm or "people"
        return record_joint_dataset(
            game, name, plays[:episodes], author=author, description=description, algorithm=who
        )
    env = _made(source, params)
    wanted = len(plays) if plays is not None else _whole(100 if episodes is None else episodes)
    collector = DataCollector(env, record_infos=infos, jpeg_encoding=False)
    if plays is not None:
        for play in plays:
            _play(collector, play.seed, len(play.actions), partial(_as_played, play))
    else:
        act = actor(policy, env.unwrapped, seed=seed)  # type: ignore[arg-type]
        for number in range(wanted):
            _play(collector, seed + number, STEPS_WITHOUT_LIMIT, act)
    best, _ = optimum_of(bound, max_states)
    with warnings.catch_warnings():
        # What is only for publishing: a link, an author's address.
        warnings.simplefilter("ignore", UserWarning)
        made = collector.create_dataset(
            dataset_id=name,
            algorithm_name=algorithm or (policy if isinstance(policy, str) else "people" if plays else None),
            author=author,
            description=description or f"{wanted} episodes of {env.unwrapped.program.id}",  # type: ignore[attr-defined]
            ref_min_score=_random_return(bound, max_states),
            ref_max_score=best,
            requirements=["griddsl"],
        )
    collector.close()
    return made


def _whole(episodes: Any) -> int:
    """Return how many episodes a dataset is to have; raise `TrainingError` for what is no such number."""
    if isinstance(episodes, bool) or not hasattr(episodes, "__index__"):
        raise TrainingError(f"the episodes of a dataset are a whole number, not {episodes!r}")
    if episodes < 1:
        raise TrainingError(f"a dataset has 1 episode or more, not {episodes}")
    return int(episodes)


def _as_played(play: Play, _: Any, step: int) -> Any:
    return play.actions[step]


def _play(env: gym.Env[Any, Any], seed: int, most: int, act: Callable[[Any, int], Any]) -> None:
    """Play an episode of at most so many steps; ``act`` is a function of the observation and the number of the step."""
    observation, _ = env.reset(seed=seed)
    for step in range(most):
        action = act(observation, step)
        observation, _, ended, cut, _ = env.step(np.asarray(action) if isinstance(action, list) else action)
        if ended or cut:
            return


def _random_return(spec: Compiled, max_states: int) -> float:
    """Return what random play gets: exactly where that can be, else the mean of 100 episodes."""
    from griddsl.training.evaluation import evaluate

    try:
        found = evaluate("random", spec, episodes=100, max_states=max_states)
    except (ExactError, ImportError):
        found = evaluate("random", spec, episodes=100, max_states=1)
    return found.simulated_returns.mean if found.returns is None else found.returns


def _made(source: Any, params: dict[str, Any]) -> gym.Env[Any, Any]:
    """Return an environment that Gymnasium can make again from what it remembers: an id, or the text of a spec."""
    taken = next((name for name in params if name in BY_MAKING), None)
    if taken is not None:
        said = f"a dataset keeps its parameters for `gymnasium.make`, which has an argument `{taken}` itself"
        raise TrainingError(said, f"call the parameter otherwise, such as `game_{taken}`")
    ids = {str(file): spec_id for spec_id, file in registered_specs().items()}
    model = load_spec(source, **params)
    spec_id = ids.get(str(source)) or (
        model.id if str(source).rpartition(":")[2] in _names(model.id) else None
    )
    if spec_id in gym.registry:
        return gym.make(str(spec_id), **params)
    if not model.stands_alone:
        name = Path(str(source)).name
        help = "`griddsl.register` gives it an id; a package of specs carries it to other machines"
        raise TrainingError(f"`{name}` needs files beside it, which a dataset does not hold", help)
    return gym.make(ANY_SPEC_ID, spec=model.source.text, **params)


def _names(spec_id: str) -> set[str]:
    short = spec_id.rpartition("/")[2]
    return {spec_id, short, re.sub(r"-v[0-9]+$", "", short)}
