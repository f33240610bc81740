"""The index of diagnostics says what the table of codes and the cases say, and what it shows as right is right."""

from __future__ import annotations

import json

import pytest

from docs import make_diagnostics
from griddsl.diagnostics import CODES

SHOWN = json.loads(make_diagnostics.DATA.read_text(encoding="utf-8"))


def test_diagnostics_page__is_up_to_date() -> None:
    """Writing the page again changes nothing; ``python docs/make_diagnostics.py`` writes it."""
    assert set(SHOWN) == set(CODES), "run python docs/make_diagnostics.py"
    assert make_diagnostics.PAGE.read_text(encoding="utf-8") == make_diagnostics.page(), (
        "it is older than the table or the cases"
    )


@pytest.mark.parametrize("code", CODES)
def test_example__is_up_to_date_and_mended(code: str) -> None:
    """Every code has a case that shows it, the same mended, of which nothing is said, and both as they are shown."""
    case = make_diagnostics.case_of(code)
    assert case is not None, f"tests/cases/errors/{code} has no case that shows it"
    right = make_diagnostics.right(code, case)
    left = make_diagnostics.found_in(right, case)
    assert left == [], "its help does not mend it all: tests/cases/mended.toml says what does"
    assert SHOWN.get(code) == make_diagnostics.example_of(code), "run python docs/make_diagnostics.py"
    assert f"[{code}]" in SHOWN[code]["said"]


def test_mended__names_codes_that_exist() -> None:
    """The table of mended cases has no row that nothing reads."""
    assert set(make_diagnostics.recipes()) <= set(CODES)
