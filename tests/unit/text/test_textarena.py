"""TextArena's own loop, wrapper and agents play our specs."""

from __future__ import annotations

from typing import Any

import pytest

import griddsl

textarena: Any = pytest.importorskip("textarena")

from griddsl.text.textarena import GridTextEnv  # noqa: E402


class Scripted(textarena.Agent):  # type: ignore[misc]
    """An agent that says the same each time, and keeps what it was told."""

    def __init__(self, word: str) -> None:
        self.word, self.told = word, list[str]()

    def __call__(self, observation: str) -> str:
        """Say the word."""
        self.told.append(observation)
        return f"I go [{self.word}]"


def _played(env: Any, agents: list[Scripted], seed: int) -> Any:
    env = textarena.wrappers.LLMObservationWrapper(env)
    env.reset(num_players=len(agents), seed=seed)
    done = False
    while not done:
        number, observation = env.get_observation()
        done, _ = env.step(action=agents[number](observation))
    return env.close()


def test_one_player__gets_the_return_of_the_environment() -> None:
    """The loop of TextArena's guide plays an episode; rewards are the returns, and the info has the outcome."""
    agent = Scripted("down")
    rewards, info = _played(GridTextEnv("griddsl/FrozenLake-v0", slippery=False), [agent], 0)
    assert rewards == {0: 0.0} and info[0]["wrong_answers"] == 0
    env = griddsl.make("griddsl/FrozenLake-v0", slippery=False)
    env.reset(seed=0)
    steps, is_over, about = 0, False, dict[str, Any]()
    while not is_over:
        _, _, ended, cut, about = env.step(1)
        steps, is_over = steps + 1, ended or cut
    assert info[0]["turn_count"] == steps and info[0]["outcome"] == about["outcome"]
    assert "Cross the ice" in agent.told[0] and all("@" in text for text in agent.told)


def test_two_players__answer_in_turn() -> None:
    """Each is told its own part; the returns are by number."""
    agents = [Scripted("jump"), Scripted("run")]
    rewards, info = _played(GridTextEnv("griddsl/HurdleRace-v0"), agents, 3)
    assert set(rewards) == {0, 1} and info[0]["role"] == "red" and info[1]["role"] == "blue"
    assert "You are red" in agents[0].told[0] and "You are blue" in agents[1].told[0]


def test_another_number_of_players__is_refused() -> None:
    """A race of two is not played by one."""
    with pytest.raises(ValueError, match="is played by 2, not by 1"):
        GridTextEnv("griddsl/HurdleRace-v0").reset(num_players=1)
