"""Forks: a process that takes a batch along steps it with one thread, and waits for none that it has not."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.agreement.comparing import HAS_NUMBA
from tests.agreement.test_laws import NOISY, NOISY_GAME

pytestmark = [
    pytest.mark.skipif(not HAS_NUMBA, reason="numba is not installed"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks"),
]
MADE = {
    "batch": f"griddsl.make_vec({NOISY!r}, 6, backend='native', num_threads=3)",
    "games": f"griddsl.make_parallel_vec({NOISY_GAME!r}, 6, backend='native', num_threads=3)",
}
ACTIONS = {"batch": "np.ones(6, np.int64)", "games": "np.ones((6, 2), np.int64)"}


@pytest.mark.parametrize("what", MADE)
def test_forked_batch__steps_with_one_thread(what: str) -> None:
    """The same results as in the process that it came from, said once, and no wait without an end."""
    code = f"""
import os, numpy as np, griddsl
batch = {MADE[what]}
def total():
    found = 0.0
    for _ in range(12):
        seen, reward, *_ = batch.step({ACTIONS[what]})
        found += float(reward.sum()) + sum(float(np.asarray(part).sum()) for part in seen.values())
    return found
batch.reset(seed=1)
total()
batch.reset(seed=2)
reads, writes = os.pipe()
child = os.fork()
found = total()
if child == 0:
    os.write(writes, repr(found).encode())
    os._exit(0)
os.close(writes)
print(os.waitpid(child, 0)[1], os.read(reads, 100).decode() == repr(found), found)
"""
    found = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=300
    )
    assert found.returncode == 0, found.stderr[-1000:]
    status, same, _ = found.stdout.split()
    assert (status, same) == ("0", "True")
    assert found.stderr.count("was taken along by a fork") == 1
