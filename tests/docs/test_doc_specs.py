"""Every spec in the pages compiles without a word, and runs; every fragment can be read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import griddsl
from griddsl.compiler import compiled
from griddsl.diagnostics import CODES, Report
from griddsl.source import Source
from griddsl.syntax.formatting.formatter import grid_text
from griddsl.syntax.reader import read_document
from tests.docs.doc_blocks import Block, all_blocks

SPECS = [block for block in all_blocks() if block.language in {"grid", "toml"}]
WHOLE = [block for block in SPECS if "fragment" not in block.words and block.value("error") is None]
FRAGMENTS = [block for block in SPECS if "fragment" in block.words]
WRONG = [block for block in SPECS if block.value("error") is not None]
STEPS = 50


def _saved(block: Block, folder: Path) -> Path:
    """Write a block, and the files that its page shows, into a folder."""
    for other in SPECS:
        if other.page == block.page and (name := other.value("file")) is not None:
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(other.text, encoding="utf-8")
    path = folder / (block.value("file") or f"block.{block.language}")
    path.write_text(block.text, encoding="utf-8")
    return path


def test_pages__show_specs() -> None:
    """The lists are not empty: a guard that sees nothing guards nothing."""
    assert len(WHOLE) > 25 and FRAGMENTS and WRONG


@pytest.mark.parametrize("block", WHOLE, ids=str)
def test_spec__has_no_diagnostics_and_runs(block: Block, tmp_path: Path) -> None:
    """A whole spec has no diagnostic at all, and plays random steps within its spaces."""
    path = _saved(block, tmp_path)
    assert griddsl.check(path) == []
    if len(compiled(path).program.players) > 1:
        _play_together(path)
        return
    env = griddsl.make(path)
    observation, _ = env.reset(seed=1)
    assert observation in env.observation_space
    env.action_space.seed(1)
    for _ in range(STEPS):
        observation, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        assert observation in env.observation_space
        assert np.isfinite(reward)
        if terminated or truncated:
            env.reset()


def _play_together(path: Path) -> None:
    env = griddsl.make_parallel(path)
    env.reset(seed=1)
    for name in env.possible_agents:
        env.action_space(name).seed(1)
    for _ in range(STEPS):
        observations, rewards, *_ = env.step({name: env.action_space(name).sample() for name in env.agents})
        assert all(seen in env.observation_space(name) for name, seen in observations.items())
        assert np.isfinite(list(rewards.values())).all()
        if not env.agents:
            env.reset()


@pytest.mark.parametrize("block", FRAGMENTS, ids=str)
def test_fragment__can_be_read(block: Block) -> None:
    """A fragment has no error of layout or grammar."""
    report = Report()
    document = read_document(Source(f"<fragment>.{block.language}", block.text), report)
    grid_text(document, report)
    assert list(report) == []
    assert document.statements


@pytest.mark.parametrize("block", WRONG, ids=str)
def test_wrong_spec__has_the_diagnostic_it_shows(block: Block, tmp_path: Path) -> None:
    """A spec that shows a mistake has that diagnostic, and no other."""
    code = block.value("error")
    assert code in CODES
    assert [diagnostic.code for diagnostic in griddsl.check(_saved(block, tmp_path))] == [code]
