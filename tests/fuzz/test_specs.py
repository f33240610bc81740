"""Random valid specs: made alike from the same seed, mostly accepted, with every form of the language, played in every way."""

from __future__ import annotations

import importlib.util
import time
from pathlib import Path

import pytest

from tests.fuzz.mutate import Hang, time_limit
from tests.fuzz.specs.coverage import Seen, watched
from tests.fuzz.specs.fuzzing import CHECKS, Trial, own_cache, tried
from tests.fuzz.specs.making import spec_of
from tests.fuzz.specs.playing import check_backends, check_base
from tests.fuzz.specs.shrinking import shrunk

FOUND = sorted((Path(__file__).parent / "found").glob("*.grid"))
HAS_NUMBA = importlib.util.find_spec("numba") is not None
COVERING = 400
PLAYED, CHUNK = 200, 5
LEAST_ACCEPTED = 0.8
# What so few of them have that another change of the generator loses it.
SELDOM = ("the form step", "the form tall_area", "part 3 of wide_area", "part 0 of place_in")


@pytest.mark.long
def test_specs__are_accepted_and_have_every_form_of_the_language() -> None:
    """Of some hundred specs most compile, and together they have each clause, word, function, policy and observation."""
    seen, accepted = Seen(), 0
    for seed in range(COVERING):
        text, own = spec_of(seed), Seen()
        with watched(own):
            is_accepted = tried(text, seed, checks=()).accepted
        if is_accepted:
            accepted += 1
            own.texts.append(text)
            seen.join(own)
    missing = [each for each in seen.missing if each not in SELDOM]
    assert missing == [], "tests/fuzz/specs writes no valid spec that has it"
    assert accepted / COVERING > LEAST_ACCEPTED


def test_coverage__tells_what_is_missing() -> None:
    """The list of what is not there names forms, parts, tokens and words: it does not fall silent."""
    seen = Seen()
    with watched(seen):
        assert tried(
            "env: a/B-v0\nmap:\n    @.\nactions: left\nobserve: cell\nlimit: 9 steps\n", 0, checks=()
        ).accepted
    missing = set(seen.missing)
    assert {"the form is_", "the token OTHER", "statement: var", "policy: patrol", "function: exp"} <= missing
    assert len(missing) > 100


def test_spec__follows_from_its_seed() -> None:
    """A failure can be found again by its seed."""
    assert [spec_of(seed) for seed in range(40)] == [spec_of(seed) for seed in range(40)]
    assert len({spec_of(seed).split("\n", 1)[1] for seed in range(40)}) == 40


@pytest.mark.parametrize("first", range(0, PLAYED, CHUNK))
def test_specs__play_alike_in_every_way(first: int) -> None:
    """Spaces, states, copies, batches, formats, models and chances: each spec in some of the ways, all in one of them."""
    for seed in range(first, first + CHUNK):
        checks = [
            check_base,
            CHECKS[1 + seed % (len(CHECKS) - 1)],
            CHECKS[1 + (seed * 7 + 3) % (len(CHECKS) - 1)],
        ]
        said(tried(spec_of(seed), seed, checks=checks), seed)


@pytest.mark.skipif(not HAS_NUMBA, reason="numba is not installed")
def test_specs__play_alike_natively(tmp_path: Path) -> None:
    """A few specs, whose machine code takes seconds to make."""
    with own_cache(str(tmp_path)):
        for seed in (1, 2):
            said(tried(spec_of(seed), seed, native=True, checks=(check_backends,)), seed)


def said(trial: Trial, seed: int | str) -> None:
    """Fail with the spec where one was found at fault."""
    fault = trial.fault
    assert fault is None, f"{fault.signature}, seed {seed}\n{fault.text}\n{fault.trace}"


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_found__is_mended(path: Path) -> None:
    """Every spec that was once played wrongly, or not at all, is played rightly now."""
    trial = tried(path.read_text(encoding="utf-8"), 0)
    assert trial.accepted
    assert trial.fault is None, f"{trial.fault.signature}\n{trial.fault.trace}"


def test_shrinking__keeps_what_fails_alone() -> None:
    """Of a long spec the statement that is at fault remains, and of its line the part that is."""
    text = spec_of(5)
    small = shrunk(
        f"{text}var guilty: 1 in 0..3\neach step if guilty > 2 and step < 9: reward 1, guilty = 3\n",
        lambda t: "guilty = 3" in t,
    )
    assert small.strip() in {"guilty = 3", "each step: guilty = 3"}


def test_time_limit__waits_for_what_cannot_be_left() -> None:
    """What is raised in a finaliser is lost; the limit is said in the code after it."""
    ends: list[float] = []

    class Slow:
        def __del__(self) -> None:
            end = time.process_time() + 0.2
            while time.process_time() < end:
                pass
            ends.append(end)

    with pytest.raises(Hang), time_limit(0.05):
        slow = Slow()
        del slow
        while True:
            pass
    assert len(ends) == 1
