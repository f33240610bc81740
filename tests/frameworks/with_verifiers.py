"""verifiers: the taskset and the environment as its loaders find them, and an episode that a script plays."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import verifiers.v1 as vf
from verifiers.v1.utils.loaders import env_config_type, load_environment, load_taskset, taskset_config_type

ID = "griddsl_verifiers"
WALK = """
env: tests/Walk-v0
generate: empty(5, 1)
setup: place agent at (0, 0), place goal at random floor
tile goal:
actions: left, right
observe: cell
on enter goal: reward 1, end success
limit: 9 steps
"""


def _taskset(**given: Any) -> Any:
    return load_taskset(taskset_config_type(ID).model_validate({"id": ID, **given}))


class _Scripted:
    """A player whose answers a function of the text gives, in the place of an agent with a model."""

    def __init__(self, task: Any, say: Callable[[str], str]) -> None:
        self.say, self.rewards, self.metrics = say, dict[str, float](), dict[str, float]()
        self.trace, self.info = self, dict[str, Any]()
        self.text, self.terminated, self.last_reply = task.data.prompt, False, ""

    def interaction(self, task: Any) -> Any:
        return self

    async def __aenter__(self) -> Any:
        return self

    async def __aexit__(self, *given: Any) -> None:
        pass

    async def turn(self, text: str | None = None) -> Any:
        self.last_reply = self.say(text or self.text)
        return self

    def record_reward(self, name: str, value: float, weight: float) -> None:
        self.rewards[name] = value

    def record_metric(self, name: str, value: float) -> None:
        self.metrics[name] = value


def _played(task: Any, say: Callable[[str], str]) -> _Scripted:
    config = env_config_type(ID).model_validate({"taskset": {"id": ID, "spec": WALK}})
    env = load_environment(config)
    player = _Scripted(task, say)
    agents: Any = type("Agents", (), {"player": player})()
    asyncio.run(env.run(task, agents))
    return player


def test_tasks__are_levels_of_known_difficulty() -> None:
    """Tasks are seeds in order; with bounds, those whose shortest solution lies between."""
    first, second = _taskset(spec="griddsl/FrozenLake-v0").take(2)
    assert (first.data.name, second.data.info["seed"]) == ("griddsl/FrozenLake-v0#0", 1)
    assert "Actions: left, down, right, up" in first.data.prompt and isinstance(first, vf.Task)
    hard = list(_taskset(spec=WALK, shortest=3, longest=4, number=3))
    assert [task.data.info["optimal_length"] in (3, 4) for task in hard] == [True] * 3


def test_an_episode__is_rewarded_by_the_game() -> None:
    """Who walks right succeeds by the shortest way; who says nothing runs out of turns."""
    (task,) = _taskset(spec=WALK, shortest=3, longest=4, number=1)
    right = _played(task, lambda text: "I go <action>right</action>")
    assert right.rewards == {"return": 1.0} and right.metrics["of_shortest"] == 1.0
    assert right.info["outcome"] == "success" and right.metrics["turns"] == task.data.info["optimal_length"]
    silent = _played(task, lambda text: "well")
    assert silent.rewards == {"return": 0.0} and silent.metrics["wrong_answers"] == 9.0
