"""Datasets of games that several agents play together, as Minari keeps them: a step is what all of them saw and did."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium as gym
import numpy as np

from griddsl.envs.joint.game import Game
from griddsl.training.failures import TrainingError
from griddsl.training.plays import Play


def record_joint_dataset(
    game: Game,
    name: str,
    plays: Sequence[Play],
    *,
    author: str | None,
    description: str | None,
    algorithm: str,
) -> Any:
    """Write a Minari dataset of plays of several agents, and return it (a `minari.MinariDataset`).

    Observations and actions are Dicts by agent, in spaces that the dataset holds; a step's reward is the sum over the
    agents. ``infos["rewards"][agent]`` is what each was given, 0 at the reset, and ``infos["taking_part"][agent]`` says
    who was still in the game and, where they take turns, whose turn it was: what the others are said to do is nothing.
    Actions of a play are Dicts by agent. Raises `ValueError` for plays that have others.
    """
    import minari
    from minari.data_collector import EpisodeBuffer

    buffers = [EpisodeBuffer(number, **_episode(game, play)) for number, play in enumerate(plays)]
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", UserWarning
        )  # what is only for publishing, and that no environment is inside
        return minari.create_dataset_from_buffers(
            dataset_id=name,
            buffer=buffers,
            observation_space=gym.spaces.Dict(game.observation_spaces),
            action_space=gym.spaces.Dict(game.action_spaces),
            algorithm_name=algorithm,
            author=author,
            description=description or f"{len(plays)} games of {game.program.id}, by several agents",
            requirements=["griddsl"],
            jpeg_encoding=False,
        )


def _episode(game: Game, play: Play) -> dict[str, Any]:
    """Play a game again; return what an `EpisodeBuffer` holds of it."""
    agents = list(game.players)
    game.begin(play.seed)
    game.await_turn()
    game.see(agents)
    seen, done = [_seen(game, agents)], []
    paid: list[dict[str, float]] = [dict.fromkeys(agents, 0.0)]
    inside, ended, cut = [_taking_part(game, agents)], [], []
    for number, action in enumerate(play.actions, 1):
        if not isinstance(action, Mapping) or set(action) != set(agents):
            said = f"step {number} of a play has no action for each of {', '.join(agents)}"
            raise TrainingError(said, "the page of the game saves recordings that have them")
        live = [agent for agent in agents if game.is_in(agent)]
        step = game.play_on({agent: _given(game, agent, action) for agent in live}, live)
        game.see(live)
        seen.append(_seen(game, agents))
        done.append({agent: _given(game, agent, action) for agent in agents})
        paid.append({agent: float(step.rewards.get(agent, 0.0)) for agent in agents})
        inside.append(_taking_part(game, agents))
        over = not step.agents
        ended.append(over and any(step.terminated.values()))
        cut.append(over and any(step.truncated.values()) and not ended[-1])
        if over:
            break
    if not (ended[-1] or cut[-1]):
        cut[-1] = True  # whoever played left
    return {
        "seed": play.seed,
        "observations": _columns(seen),
        "actions": _columns(done),
        "rewards": [sum(each.values()) for each in paid[1:]],
        "terminations": ended,
        "truncations": cut,
        "infos": {"rewards": _columns(paid), "taking_part": _columns(inside)},
    }


def _seen(game: Game, agents: Sequence[str]) -> dict[str, Any]:
    return {agent: copy.deepcopy(game.observe(agent)) for agent in agents}


def _taking_part(game: Game, agents: Sequence[str]) -> dict[str, bool]:
    return {agent: game.is_in(agent) and game.turn in {None, agent} for agent in agents}


def _given(game: Game, agent: str, actions: Mapping[str, Any]) -> Any:
    action = actions[agent]
    return np.asarray(action, game.action_spaces[agent].dtype) if isinstance(action, list) else action


def _columns(rows: Sequence[Any]) -> Any:
    """Return values of one shape as one value of lists: Dicts by their entries."""
    if isinstance(rows[0], Mapping):
        return {key: _columns([row[key] for row in rows]) for key in rows[0]}
    return list(rows)
