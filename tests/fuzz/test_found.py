"""What the fuzzer found once stays mended: the specs, minimised, and why they broke."""

from __future__ import annotations

import pytest

import griddsl
from tests.fuzz.mutate import crash_of

END = "legend: G = goal\non enter goal: end\n"
FOUND = {
    "a world of one cell, where every way leads to it": (
        "env: test/Case-v0\nmap:\n    @\nactions: left\nobserve: cell\nedge: wrap\n" + END
    ),
    "a second slip of the only direction": (
        "env: test/Case-v0\nmap:\n    @G\nactions: right\nobserve: cell\nslip if true: 1 left\nslip: 1/3 left\n"
        + END
    ),
    "an observed number beyond what ranges are reckoned to": (
        "env: test/Case-v0\nmap:\n    @.G\nactions: right, left\nobserve: exp(50)\n" + END
    ),
    "the lowest of a fraction, whose bounds are no whole numbers": (
        "env: test/Case-v0\nmap:\n    @.G\nactions: right, left\nobserve: lowest(euclid(agent, (2, 0)) / 3)\n"
        + END
    ),
}
WRONG = {
    "the only agent moves by itself, so that nobody acts": (
        "env: test/Case-v0\nagent: moves random\nmap:\n    @.G\nactions: left, right\nobserve: cell\n" + END
    ),
    "a map with walls that is read in another size than it was taken for": (
        'env: test/Case-v0\nmap:\n    @.":\nmap walled third\n    +\n    \n    | | : |X|\n    +\n'
        "actions: left, right\nobserve: cell\n" + END
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_found__is_told_as_wrong(name: str) -> None:
    """A wrong spec on which the search for further mistakes once crashed is told to be wrong."""
    assert any(diagnostic.is_error for diagnostic in griddsl.check(WRONG[name]))


@pytest.mark.parametrize("name", FOUND)
def test_found__is_mended(name: str) -> None:
    """A spec that once crashed compiles, runs, and stays in its spaces."""
    assert not any(diagnostic.is_error for diagnostic in griddsl.check(FOUND[name]))
    crash = crash_of(FOUND[name])
    assert crash is None, crash.trace
