"""What constants rule out may have numbers that would be wrong there: with other parameters it is played."""

from __future__ import annotations

import pytest

import griddsl
from tests.playing import problems

GUARDED = {
    "if": "setup:\n    if extra > 0: place coin at (extra - 1, 0)\n",
    "else": "setup:\n    if extra == 0: place coin at (0, 0)\n    else: place coin at (extra - 1, 0)\n",
    "let": "setup:\n    if extra > 0:\n        let c = (extra - 1, 0)\n        place coin at c\n",
    "one of two": "setup: place coin at ((extra - 1, 0) if extra > 0 else (0, 0))\n",
    "a definition": "define put(p):\n    if p < 3: place coin at (p + 1, 0)\n    else: place coin at (0, 0)\nsetup: put(5)\n",
}
TEXT = """
env: test/Guarded-v0
param extra: 0 in 0..3
object coin:
map:
    @...
actions: left, right
SETUP
on enter coin: reward 1
observe: grid as planes (coin)
limit: 20 steps
"""


@pytest.mark.parametrize("name", GUARDED)
def test_guarded__is_no_error_where_a_parameter_rules_it_out(name: str) -> None:
    """And it is played where the parameter lets it be."""
    text = TEXT.replace("SETUP\n", GUARDED[name])
    if name == "a definition":
        text = text.replace("param extra: 0 in 0..3\n", "")
    assert [each.code for each in problems(text) if each.code != "unused-name"] == []
    griddsl.make(text).reset(seed=0)
    if name != "a definition":
        griddsl.make(text, extra=2).reset(seed=0)


def test_unguarded__is_one() -> None:
    """A cell off the map where nothing rules it out."""
    text = TEXT.replace("SETUP\n", "setup: place coin at (extra - 1, 0)\n")
    assert "bad-offset" in [each.code for each in problems(text)]
