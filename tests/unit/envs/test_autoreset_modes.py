"""When a batch starts episodes anew: by Gymnasium's modes, and by no other word."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import pytest

import griddsl
from griddsl.diagnostics import Refused

MODES = "choose one of 'NextStep', 'SameStep', 'Disabled'"
WRONG: list[tuple[Any, str]] = [
    ("foo", f"there is no autoreset mode 'foo'; {MODES}$"),
    ("same_step", f"there is no autoreset mode 'same_step'; {MODES}; did you mean 'SameStep'\\?"),
    ("NEXT_STEP", "did you mean 'NextStep'"),
    ("SameStp", "did you mean 'SameStep'"),
    ("disable", "did you mean 'Disabled'"),
    (None, f"there is no autoreset mode None; {MODES}$"),
    (1, f"there is no autoreset mode 1; {MODES}$"),
]
SPEC, SEVERAL = "griddsl/FrozenLake-v0", "griddsl/CaptureTheFlag-v0"


@pytest.mark.parametrize(("given", "said"), WRONG)
def test_autoreset_mode__that_is_none_is_refused_with_those_that_are(given: Any, said: str) -> None:
    """A mode that Gymnasium does not have is answered with its three, and with the near one."""
    for make, spec in ((griddsl.make_vec, SPEC), (griddsl.make_parallel_vec, SEVERAL)):
        with pytest.raises(Refused, match=said):
            make(spec, 2, autoreset_mode=given)


@pytest.mark.parametrize("mode", list(gym.vector.AutoresetMode))
def test_autoreset_mode__is_given_as_it_is_or_by_its_value(mode: gym.vector.AutoresetMode) -> None:
    """A mode and its value are one."""
    for given in (mode, mode.value):
        assert griddsl.make_vec(SPEC, 2, autoreset_mode=given).autoreset_mode is mode
