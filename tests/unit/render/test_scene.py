"""The plain data of a picture."""

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

from griddsl.render import Scene, Sprite

KEY = Sprite("key", "key", (1, 2, 3), state="old")


def test_sprite__equal_sprites_have_equal_hashes() -> None:
    """Two sprites of the same fields are one key of a dict, and another state makes another."""
    assert {KEY: 1}[Sprite("key", "key", (1, 2, 3), state="old")] == 1
    assert Sprite("key", "key", (1, 2, 3), state="new") not in {KEY: 1}


def test_sprite__is_found_after_pickling_in_another_process() -> None:
    """A sprite pickled under one hash seed is equal to, and hashes as, one made under another."""
    program = (
        "import pickle, sys; from griddsl.render import Sprite;"
        "s = pickle.loads(sys.stdin.buffer.read());"
        "assert s in {Sprite('key', 'key', (1, 2, 3), state='old')}"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "12345"}
    subprocess.run([sys.executable, "-c", program], input=pickle.dumps(KEY), env=environment, check=True)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"cells": ((KEY,),)}, "a scene of 2 x 1 has 2 cells, not 1"),
        ({"values": np.zeros((2, 1))}, "values have the shape"),
        ({"dimmed": np.zeros((1, 3), bool)}, "dimmed has the shape"),
        ({"policy": ((0,),)}, "a policy over 2 cells has 2 entries, not 1"),
    ],
)
def test_scene__refuses_what_does_not_fit(wrong: dict[str, object], message: str) -> None:
    """A scene whose cells or overlays have another size than it says is refused."""
    with pytest.raises(ValueError, match=message):
        Scene(**{"width": 2, "height": 1, "cells": ((KEY,), (KEY,)), **wrong})  # type: ignore[arg-type]
