"""What `griddsl new` writes: a commented spec, and the files of a package of specs."""

from __future__ import annotations

STARTER = """\
# Play it with `griddsl run {file}`, and edit it while you play: every save is followed.
env: {id}
    "Reach the goal, and mind the lava."

# One character a cell: `.` is floor, `#` a wall, `@` where the agent starts.
map:
    #########
    #@......#
    #..~~...#
    #..~~.#.#
    #.....#.#
    #...###.#
    #......G#
    #########
legend: "~" = lava, G = goal

# The order is the number of each action.
actions: up, right, down, left

# What the agent sees: here the number of its cell, y * width + x.
observe: cell

# Rules: a trigger, a colon, effects. `griddsl explain {file}` tells the order of a step.
each step: reward -0.1
on enter lava: reward -1, end failure
on enter goal: reward +1, end success

# An episode that has not ended by then is truncated.
limit: 100 steps
"""

PYPROJECT = """\
# A package of grid environments. Whoever has it installed has its ids: `import griddsl` finds them by the entry point.
[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = "{distribution}"
version = "0.1.0"
description = "Grid environments written in griddsl"
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["griddsl"]

[project.optional-dependencies]
test = ["pytest>=8"]

# The folder of the specs, with dots; `use: {short}.NAME` brings a file of it to other specs.
[project.entry-points."griddsl.specs"]
{short} = "{module}.specs"

# The specs lie inside of the package, so they are part of the wheel by themselves.
[tool.hatch.build.targets.wheel]
packages = ["{module}"]

[tool.pytest.ini_options]
testpaths = ["tests"]
"""

README = """\
# {distribution}

Grid environments written in [griddsl](https://github.com/griddsl/griddsl).

```sh
pip install {distribution}
griddsl run FirstRoom
```

```py
import gymnasium as gym
import griddsl  # registers the environments of all installed packages of specs

env = gym.make("{id}")
```

In processes that others start, name the module too: `gym.make("griddsl:{id}")`.

The specs lie in `{module}/specs`. To work on them:

```sh
pip install -e '.[test]'
griddsl run {module}/specs/first_room.grid    # follows the file while you edit it
griddsl check --strict {module}/specs
python -m pytest
```
"""

INIT = '''\
"""Grid environments: importing this registers them with Gymnasium, and so does importing griddsl alone."""

import griddsl  # noqa: F401
'''

TESTS = '''\
"""Every spec of the package is clean, is registered, keeps to its spaces and plays the same from the same seed."""

from pathlib import Path

import griddsl
import gymnasium as gym
import pytest
from gymnasium.utils.env_checker import check_env

SPECS = Path(__file__).parents[1] / "{module}" / "specs"
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
'''

WORKFLOW = """\
name: tests

on:
  push:
  pull_request:

permissions:
  contents: read

jobs:
  tests:
    runs-on: ubuntu-latest
    strategy:
      matrix:
        python-version: ["3.11", "3.13"]
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: ${{{{ matrix.python-version }}}}
      - run: pip install '.[test]'
      - run: griddsl check --strict --format github {module}/specs
      - run: griddsl fmt --check {module}/specs
      - run: python -m pytest
"""

IGNORED = "__pycache__/\n*.egg-info/\nbuild/\ndist/\n.venv/\n"
