"""Several devices: shards that are divided by hand, by `pmap` or by XLA itself play what one device plays."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytest.importorskip("jax")

SCRIPT = """
import sys
import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec
import griddsl.jax

name = sys.argv[1]
is_game = name == "griddsl/Tag-v0"
env = (griddsl.jax.make_parallel if is_game else griddsl.jax.make)(name)

def action(key):
    if is_game:
        return {agent: env.action_space(agent).sample(key) for agent in env.agents}
    return env.action_space().sample(key)

def played(keys):
    def episode(key):
        def step(carry, key):
            seen, state = carry
            seen, state, reward = env.step(key, state, action(key))[:3]
            return (seen, state), sum(jax.tree.leaves(reward))
        return jax.lax.scan(step, env.reset(key), jax.random.split(key, 8))[1]
    return jax.vmap(episode)(keys)

assert jax.device_count() == 2
keys = jax.random.split(jax.random.key(0), 16)
expected = jax.jit(played)(keys)
mesh, over = Mesh(np.array(jax.devices()), ("devices",)), PartitionSpec("devices")
sharded = jax.shard_map(played, mesh=mesh, in_specs=over, out_specs=over)
assert np.array_equal(jax.jit(sharded)(keys), expected), "shard_map"
assert np.array_equal(jax.pmap(played)(keys.reshape(2, 8)).reshape(expected.shape), expected), "pmap"
placed = jax.device_put(keys, NamedSharding(mesh, over))
assert np.array_equal(jax.jit(played)(placed), expected), "divided by XLA"
"""


@pytest.mark.parametrize(
    "name",
    [
        "griddsl/CliffWalking-v0",  # whose start is a constant
        "griddsl/MetaMaze-v0",  # which draws its setup, for a few games at a time
        "griddsl/MinAtar-SpaceInvaders-v1",  # whose loops ask all games how far they go
        "griddsl/Tag-v0",
    ],
)
def test_devices__play_what_one_plays(name: str) -> None:
    """The same rewards, in a process of its own that takes the processor for two devices."""
    environment = {
        **os.environ,
        "XLA_FLAGS": "--xla_force_host_platform_device_count=2",
        "JAX_PLATFORMS": "cpu",
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, name], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
