"""The ids are there in every process that has griddsl and Gymnasium, whichever of them comes first."""

from __future__ import annotations

import subprocess
import sys

import pytest

REGISTERED = (
    "assert 'griddsl/CliffWalking-v0' in gymnasium.registry and 'griddsl/Spec-v0' in gymnasium.registry"
)
WAYS = {
    "griddsl first": "import griddsl; import gymnasium",
    "griddsl last": "import gymnasium; import griddsl",
    "a module of griddsl that needs Gymnasium": "import griddsl.envs.single.grid_env; import gymnasium",
    "a function of griddsl that needs Gymnasium": "import griddsl; griddsl.make('griddsl/CliffWalking-v0'); import gymnasium",
    "the registration itself": "import griddsl.registration.ids; import gymnasium",
    "a part of Gymnasium": "import griddsl; from gymnasium.envs.registration import registry; import gymnasium",
    "a look for Gymnasium that does not load it": (
        "import griddsl, importlib.util; assert importlib.util.find_spec('gymnasium').origin; import gymnasium"
    ),
    "both again": "import griddsl, gymnasium, importlib; importlib.reload(griddsl); importlib.reload(gymnasium)",
    "threads": (
        "import griddsl, threading; load = lambda: __import__('gymnasium');"
        "many = [threading.Thread(target=load) for _ in range(8)];"
        "[one.start() for one in many]; [one.join() for one in many]; import gymnasium"
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_ids__are_there(way: str) -> None:
    """Every way to load the two registers the ids, once, and leaves Gymnasium with its own loader."""
    code = (
        f"{WAYS[way]}\n{REGISTERED}\nimport sys\n"
        "assert 'registration.lazy' not in type(gymnasium.__spec__.loader).__module__\n"
        "assert not any(getattr(finder, 'framework', '') == 'gymnasium' for finder in sys.meta_path)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_rooms__are_there_by_the_package() -> None:
    """`import griddsl` is enough for `griddsl.render` and the like, none of which it loads by itself."""
    code = (
        "import griddsl, sys\n"
        "assert not {'griddsl.render', 'griddsl.text'} & {*sys.modules}\n"
        "assert griddsl.render.to_svg and griddsl.text and griddsl.curriculum\n"
        "assert not hasattr(griddsl, 'nowhere')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
