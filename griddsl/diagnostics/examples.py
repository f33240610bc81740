"""Examples of diagnostics, written from the cases by `docs/make_diagnostics.py`: what is wrong, said and right."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parent / "examples.json"


def example_of(code: str) -> dict[str, str]:
    """Return the example of a code, by ``language``, ``wrong``, ``said`` and ``right``; empty where it has none."""
    found: dict[str, str] = _examples().get(code, {})
    return found


@cache
def _examples() -> Any:
    return json.loads(EXAMPLES.read_text(encoding="utf-8"))
