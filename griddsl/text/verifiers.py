"""`verifiers` 0.4: specs as tasks for language models, the game playing the user.

    vf-eval griddsl_verifiers --env.taskset.spec griddsl/DoorKey-v0 --env.taskset.params '{"size": 5}'

Each task is a level: a seed, and where it is asked for, one whose shortest solution has a length between two bounds.
The reward is the return; success, turns, answers that were none, and how near to the shortest way it was are metrics.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import verifiers.v1 as vf
from pydantic import Field

from griddsl.text.game import TextGame
from griddsl.text.levels import levels_between

SYSTEM_PROMPT = (
    "You play a game on a grid. Think as long as you like, then answer with one action by its name, in "
    "<action></action>. An answer that names no action that is allowed costs a turn."
)


class GridConfig(vf.TasksetConfig):
    """A spec, and which of its levels are tasks."""

    spec: str = "griddsl/DoorKey-v0"
    params: dict[str, Any] = Field(default_factory=dict)
    shows: str = "board"
    max_turns: int | None = None
    first_seed: int = 0
    number: int | None = None  # of tasks; without one there is no end, unless bounds are given
    shortest: int | None = None  # bounds of the least steps to success
    longest: int | None = None


class GridData(vf.TaskData):
    """The level of a task."""

    info: dict[str, Any]


class GridTask(vf.Task[GridData, vf.State, vf.TaskConfig]):
    """A level that is played once."""


class GridEnvConfig(vf.EnvConfig):
    """One player."""

    player: vf.AgentConfig = vf.AgentConfig()


class GridEnv(vf.Env[GridEnvConfig]):
    """Plays a level with a model, turn by turn."""

    async def run(self, task: Any, agents: Any) -> None:
        """Give each text to the player and carry out what it answers, until the episode is over."""
        game = game_of(task.data.info)
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                turn = game.answer(segment.last_reply)
                if turn.over:
                    break
                segment = await interaction.turn(turn.text)
        trace = interaction.trace
        (name,) = game.players
        trace.record_reward("return", game.returns[name], 1.0)
        trace.record_metric("success", float(game.outcome == "success"))
        trace.record_metric("turns", float(game.turns))
        trace.record_metric("wrong_answers", float(game.wrong_answers[name]))
        best = task.data.info.get("optimal_length")
        if best:
            trace.record_metric("of_shortest", best / game.turns if game.outcome == "success" else 0.0)
        trace.info["outcome"] = game.outcome or "stopped"


class GridTaskset(vf.Taskset[GridTask, GridConfig]):
    """The levels of a spec, one after the other."""

    INFINITE = True

    def load(self) -> Iterator[GridTask]:
        """Yield the tasks: all seeds from the first on, or so many whose shortest solution lies between the bounds."""
        given = self.config
        about = {
            "spec": given.spec,
            "params": given.params,
            "shows": given.shows,
            "max_turns": given.max_turns,
        }
        for number, (seed, length) in enumerate(self._levels()):
            info = {**about, "seed": seed, "optimal_length": length}
            yield GridTask(
                GridData(
                    name=f"{given.spec}#{seed}",
                    prompt=game_of(info).text,
                    system_prompt=SYSTEM_PROMPT,
                    info=info,
                ),
                given.task,
            )
            if given.number is not None and number + 1 == given.number:
                return

    def _levels(self) -> Iterator[tuple[int, int | None]]:
        given = self.config
        if given.shortest is None and given.longest is None:
            yield from ((seed, None) for seed in count(given.first_seed))
            return
        found = levels_between(
            given.spec,
            given.shortest or 0,
            given.longest if given.longest is not None else 10**9,
            number=given.number or 100,
            first_seed=given.first_seed,
            **given.params,
        )
        yield from ((level.seed, level.optimal_length) for level in found)


def game_of(info: dict[str, Any]) -> TextGame:
    """Return the game of a task, at its start."""
    game = TextGame(
        info["spec"], seed=info["seed"], shows=info["shows"], max_turns=info["max_turns"], **info["params"]
    )
    if len(game.players) > 1:
        raise ValueError(f"{info['spec']} is played by several, and a task by one model")
    return game
