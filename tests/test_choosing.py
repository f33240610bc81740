"""The short run is a sound part of the long one: nothing is in both, nothing in neither."""

from __future__ import annotations

import pytest

from tests.choosing import SPECS, chosen

NAMES = [f"tests/a.py::test_{test}[{spec}]" for test in "abcdef" for spec in sorted(SPECS)]
NAMES += [
    "tests/a.py::test_alone",
    "tests/b.py::test_one[cliff_walking-python-True]",
    "tests/b.py::test_none[x]",
]


@pytest.mark.parametrize("every", [2, 4, 40])
def test_chosen__meets_every_test_and_every_spec(every: int) -> None:
    """However few cases are asked for."""
    found = chosen(NAMES, every)
    assert {name.partition("[")[0] for name in found} == {name.partition("[")[0] for name in NAMES}
    assert len(SPECS) > 90
    assert {spec for spec in SPECS if any(f"[{spec}" in name for name in found)} == SPECS


def test_chosen__is_about_each_nth() -> None:
    """No test has far more than its share, and tests take different cases."""
    found = chosen(NAMES, 4)
    shares = [{name.partition("[")[2] for name in found if f"::test_{test}[" in name} for test in "abcdef"]
    assert all(len(SPECS) / 8 < len(share) < len(SPECS) / 2 for share in shares)
    assert len({frozenset(share) for share in shares}) > 1


def test_chosen__stays_when_others_come_and_go() -> None:
    """A new case changes nothing for those that a test chose before."""
    before = chosen(NAMES, 4)
    after = chosen([*NAMES, "tests/a.py::test_a[new]", "tests/c.py::test_new"], 4)
    assert before <= after
    assert chosen(list(reversed(NAMES)), 4) == before


PAIR = """
import pytest
@pytest.mark.parametrize("number", range(40))
def test_it(number): pass
def test_alone(): pass
@pytest.mark.long
def test_that_takes_long(): pass
"""


def test_runs__with_and_without_the_chosen_are_the_whole(pytester: pytest.Pytester) -> None:
    """`--every N` and `--but-every N` play each case once between them, and are not given together."""
    pytester.makeconftest(
        "from tests.conftest import pytest_addoption, pytest_collection_modifyitems\n"
        "__all__ = ['pytest_addoption', 'pytest_collection_modifyitems']\n"
    )
    pytester.makepyfile(PAIR)
    pytester.makeini("[pytest]\nmarkers = long")
    plain = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:asyncio")
    counts = [
        pytester.inline_run(*plain, option, "4").countoutcomes()[0] for option in ("--every", "--but-every")
    ]
    assert sum(counts) == 42 and min(counts) > 1
    assert pytester.inline_run(*plain, "--every", "4", "-k", "takes_long").countoutcomes() == [0, 0, 0]
    assert pytester.inline_run(*plain, "--every", "4", "--but-every", "4").ret == pytest.ExitCode.USAGE_ERROR


def test_runs__end_in_time(pytester: pytest.Pytester) -> None:
    """What is left when the time is up is skipped, and said to be; which files come last follows from `--order`."""
    pytester.makeconftest(
        "from tests.conftest import pytest_addoption, pytest_collection_modifyitems, pytest_runtest_setup\n"
        "__all__ = ['pytest_addoption', 'pytest_collection_modifyitems', 'pytest_runtest_setup']\n"
    )
    pytester.makepyfile(
        **{f"test_{letter}": "def test_1(): pass\ndef test_2(): pass" for letter in "abcdefgh"}
    )
    plain = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:asyncio")
    assert pytester.inline_run(*plain, "--minutes", "60").countoutcomes() == [16, 0, 0]
    assert pytester.inline_run(*plain, "--minutes", "0").countoutcomes() == [0, 16, 0]
    orders = []
    for order in ("one", "one", "another"):
        ran = pytester.inline_run(*plain, "--order", order).getcalls("pytest_runtest_logstart")
        orders.append([call.nodeid for call in ran])
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == sorted(orders[2])
    files = [name.partition("::")[0] for name in orders[0]]
    assert files[::2] == files[1::2]
