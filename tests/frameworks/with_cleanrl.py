"""CleanRL's scripts as they are, with nothing changed but the id.

`CLEANRL=FOLDER` names a checkout of it; without one, the loop that griddsl trains with, which is in its manner, is run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = os.environ.get("CLEANRL")


@pytest.mark.parametrize("spec", ["FrozenLake", "DoorKey", "Fetch"])
def test_ppo__takes_ids(spec: str, tmp_path: Path) -> None:
    """PPO trains on the flat form of a spec, which an id names.

    `dqn.py` reads `final_observation`, a key of Gymnasium before 1.0, and so stops at the first end of any environment.
    """
    if CHECKOUT is None:
        pytest.skip("CLEANRL names no checkout")
    command = [
        sys.executable,
        str(Path(CHECKOUT) / "cleanrl/ppo.py"),
        "--env-id",
        f"griddsl.flat:griddsl-flat/{spec}-v0",
    ]
    command += ["--total-timesteps", "2048", "--no-cuda"]
    paths = os.pathsep.join([CHECKOUT, os.environ.get("PYTHONPATH", "")])  # where its own modules are
    environment = {**os.environ, "PYTHONPATH": paths}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]


def test_the_loop__trains() -> None:
    """`griddsl train --with cleanrl`, in the manner of its PPO, learns a lake without slipping."""
    from griddsl.training import score, train

    trained = train("griddsl/FrozenLake-v0", learner="cleanrl", steps=20_000, seed=1, slippery=False)
    found = score(trained.policy, "griddsl/FrozenLake-v0", episodes=5, observation="flat", slippery=False)
    assert found.regret == 0
