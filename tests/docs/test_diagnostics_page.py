"""The index of diagnostics says what the table of codes and the cases say."""

from __future__ import annotations

import importlib.util
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "docs" / "make_diagnostics.py"


def test_diagnostics_page__is_up_to_date() -> None:
    """Writing the page again changes nothing; ``python docs/make_diagnostics.py`` writes it."""
    specification = importlib.util.spec_from_file_location("make_diagnostics", SCRIPT)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    assert module.PAGE.read_text(encoding="utf-8") == module.page()
