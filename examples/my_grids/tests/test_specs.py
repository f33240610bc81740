"""Every spec of the package is clean, is registered, keeps to its spaces and plays the same from the same seed."""

from pathlib import Path

import griddsl
import gymnasium as gym
import pytest
from gymnasium.utils.env_checker import check_env

SPECS = Path(__file__).parents[1] / "my_grids" / "specs"
# A file without `env:` is a library, which other specs use.
FILES = [file for file in sorted(SPECS.glob("*.grid")) if "env:" in file.read_text(encoding="utf-8")]
IDS = [griddsl.load(file).id for file in FILES]


def play(spec_id, seed):
    """Return the rewards and ends of forty random steps."""
    env = gym.make(spec_id)
    env.action_space.seed(seed)
    env.reset(seed=seed)
    told = []
    for _ in range(40):
        _, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        told.append((reward, terminated, truncated))
        if terminated or truncated:
            env.reset()
    return told


def test_the_package_has_specs():
    """A list that is empty would test nothing."""
    assert IDS


@pytest.mark.parametrize("spec_id", IDS)
def test_spec_is_clean(spec_id):
    """The checker has nothing to say, not even a warning."""
    assert griddsl.check(spec_id) == []


@pytest.mark.parametrize("spec_id", IDS)
def test_spec_keeps_the_contract_of_gymnasium(spec_id):
    """Spaces, seeds and types are what Gymnasium asks for."""
    check_env(gym.make(spec_id).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("spec_id", IDS)
def test_spec_plays_the_same_from_the_same_seed(spec_id):
    """Two environments of one seed take the same course."""
    assert play(spec_id, seed=3) == play(spec_id, seed=3)
