"""Ray: sweeps and datasets that go on where they stopped, and states on disk."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import ray

import griddsl
from griddsl.distributed import sweep, write_steps

SPEC = "griddsl/WindyGridworld-v0"


@pytest.fixture(autouse=True, scope="module")
def cluster() -> Iterator[None]:
    """Ray, with two workers."""
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def test_a_sweep__goes_on_where_it_stopped(tmp_path: Path) -> None:
    """A worker that dies is replaced; what failed is named, and only that is done the next time."""

    def job(number: int, folder: str) -> dict[str, Any]:
        mark = Path(folder) / f"{number}.seen"
        seen = mark.exists()
        mark.write_text(mark.read_text() + "x" if seen else "x")
        if number == 1 and not seen:
            os.kill(os.getpid(), signal.SIGKILL)
        if number == 2 and not (Path(folder) / "mended").exists():
            raise ValueError("two is odd")
        return {"square": number**2}

    jobs = [{"number": number, "folder": str(tmp_path)} for number in range(4)]
    found = sweep(jobs, tmp_path / "results", job=job)
    assert [row.get("result", {}).get("square") for row in found] == [0, 1, None, 9]
    assert "two is odd" in found[2]["error"]
    (tmp_path / "mended").touch()
    again = sweep(jobs, tmp_path / "results", job=job)
    assert [row["result"]["square"] for row in again] == [0, 1, 4, 9]
    assert [len((tmp_path / f"{number}.seen").read_text()) for number in range(4)] == [1, 2, 2, 1]


def test_a_sweep__trains(tmp_path: Path) -> None:
    """Without a job of one's own, specs and seeds are trained and scored."""
    jobs = [{"spec": SPEC, "learner": "tabular", "steps": 5000, "seed": seed} for seed in range(2)]
    rows = sweep(jobs, tmp_path)
    assert all(row["result"]["optimum"] == -15 and row["result"]["regret"] >= 0 for row in rows)


def test_steps__are_those_of_the_game(tmp_path: Path) -> None:
    """Rows of a game are what the spec does: played again from a row's observation and action, the next one follows."""
    count = write_steps(SPEC, tmp_path, steps=2000, steps_per_part=1000, seed=3)
    assert count >= 2000 and len(list(tmp_path.glob("part-*"))) == 2
    before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("part-*/*")}
    assert write_steps(SPEC, tmp_path, steps=2000, steps_per_part=1000, seed=3) == count
    assert before == {path: path.stat().st_mtime_ns for path in tmp_path.glob("part-*/*")}
    table = pq.read_table(next(iter(tmp_path.glob("part-*"))))
    mdp = griddsl.to_mdp(SPEC)
    follows = {
        (int(mdp.agent_cells[source]), action, int(mdp.agent_cells[target]))
        for source, action, target in zip(
            mdp.row // mdp.n_actions, mdp.row % mdp.n_actions, mdp.target, strict=True
        )
    }
    flat = griddsl.make(SPEC, observation="flat").observation_space.shape
    for row in table.to_pylist()[:200]:
        one, two = (np.array(row[name]) for name in ("observation", "next_observation"))
        assert one.shape == two.shape == flat
        assert (int(one.argmax()), row["action"], int(two.argmax())) in follows


def test_steps_of_a_worker_that_dies__are_played_again(tmp_path: Path) -> None:
    """A worker is killed in the middle of its games: the rows are those of a run in which none was."""

    class Mortal:
        """Goes up, and once takes its process with it."""

        def __init__(self, mark: Path) -> None:
            self.mark, self.step = mark, 0

        def predict(self, observation: Any) -> tuple[Any, None]:
            self.step += 1
            if self.step == 5 and not self.mark.exists():
                self.mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return np.zeros(len(observation), np.int64), None

    (tmp_path / "spared").touch()
    rows = []
    for name in ("killed", "spared"):
        folder = tmp_path / f"steps-{name}"
        assert (
            write_steps(SPEC, folder, steps=2000, seed=3, steps_per_part=2000, policy=Mortal(tmp_path / name))
            >= 2000
        )
        assert (tmp_path / name).exists() and not list(folder.glob(".*draft"))
        found = pq.read_table(next(iter(folder.glob("part-*")))).to_pylist()
        found = [{key: np.asarray(value).tolist() for key, value in row.items()} for row in found]
        rows.append(sorted(found, key=lambda row: (row["game"], row["step"])))
    assert rows[0] == rows[1]
