"""The cheat sheet fits into a prompt, and what was written from it alone is right.

Each file of ``tests/cases/tasks`` is a task in words, plays of it, and the spec that was written from the task with
nothing but the page at hand. A play names a seed, actions (``right*3`` is three times ``right``; ``a+b`` is what two
agents do), and what they come to: the return, and the outcome where the episode is over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import griddsl
from tests.docs.doc_blocks import ROOT

PAGE = (ROOT / "docs" / "cheat_sheet.md").read_text(encoding="utf-8")
TASKS = sorted((ROOT / "tests" / "cases" / "tasks").glob("*.grid"))
MOST_TOKENS = 4_000
LEAST_CHARACTERS = 3  # of a token, which in English and code has about four
PLAY = re.compile(r"^# Play: seed (\d+): (.*) -> (.*)$", re.MULTILINE)
PLAYS = [(task, *play) for task in TASKS for play in PLAY.findall(task.read_text(encoding="utf-8"))]


def test_cheat_sheet__fits_into_a_prompt() -> None:
    """It is shorter than four thousand tokens, by two bounds that no tokenizer is needed for."""
    assert len(PAGE) / LEAST_CHARACTERS < MOST_TOKENS
    assert len(re.findall(r"\w+|[^\w\s]", PAGE)) < MOST_TOKENS


def test_llms_txt__is_the_cheat_sheet() -> None:
    """``docs/llms.txt``, which the site serves at its root, holds the same words."""
    assert (ROOT / "docs" / "llms.txt").read_text(encoding="utf-8") == PAGE


def test_tasks__are_ten() -> None:
    """Every task says what is wanted and has a play."""
    assert len(TASKS) == 10 == len({task for task, *_ in PLAYS})
    assert all(task.read_text(encoding="utf-8").startswith("# Task: ") for task in TASKS)


@pytest.mark.parametrize("task", TASKS, ids=lambda path: path.stem)
def test_task__is_answered_by_a_clean_spec(task: Path) -> None:
    """The checker has nothing to say of it."""
    assert griddsl.check(task) == []


@pytest.mark.parametrize(
    ("task", "seed", "actions", "told"), PLAYS, ids=lambda value: getattr(value, "stem", None)
)
def test_play__comes_to_what_the_task_asks_for(task: Path, seed: str, actions: str, told: str) -> None:
    """The return and the outcome are those of the play."""
    names = list(_names(actions))
    alone = "+" not in actions
    assert (_played(task, int(seed), names) if alone else _played_together(task, int(seed), names)) == told


def _names(actions: str) -> Iterator[str]:
    for part in actions.split(", "):
        name, _, times = part.partition("*")
        yield from [name] * int(times or 1)


def _played(task: Path, seed: int, names: list[str]) -> str:
    env = griddsl.make(task, backend="python")
    numbers = {action.name: number for number, action in enumerate(env.program.groups[0].actions)}
    env.reset(seed=seed)
    total, info = 0.0, dict[str, Any]()
    for name in names:
        _, reward, terminated, truncated, info = env.step(numbers[name])
        total += float(reward)
        if terminated or truncated:
            break
    return " ".join(filter(None, [str(round(total, 6)), info["outcome"]]))


def _played_together(task: Path, seed: int, names: list[str]) -> str:
    game = griddsl.make_parallel(task, backend="python")
    game.reset(seed=seed)
    numbers = {action.name: number for number, action in enumerate(game.program.groups[0].actions)}
    totals, outcome = dict.fromkeys(game.possible_agents, 0.0), ""
    for name in names:
        each = zip(game.possible_agents, name.split("+"), strict=True)
        _, rewards, _, _, infos = game.step({agent: numbers[action] for agent, action in each})
        for agent, reward in rewards.items():
            totals[agent] += reward
            outcome = infos[agent]["outcome"]
        if not game.agents:
            break
    return ", ".join(f"{agent} {total}" for agent, total in totals.items()) + f" {outcome}".rstrip()
