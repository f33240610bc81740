"""Every form of the grammar stands in a spec of the reference, which shows what it looks like."""

from __future__ import annotations

import re

import pytest

from griddsl.diagnostics import Report
from griddsl.source import Source
from griddsl.spec.build import build
from griddsl.syntax.reader import read_document
from tests.docs.doc_blocks import ROOT
from tests.fuzz.specs.coverage import REFUSED, Seen, watched


def _shown() -> Seen:
    page = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    seen = Seen()
    with watched(seen):
        for kind, text in re.findall(r"^```(grid|toml)[^\n]*\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
            report = Report()
            document = read_document(Source(f"block.{kind}", text), report)
            if not report.has_errors:
                build(document, report)
    return seen


def test_reference__shows_every_form_of_the_grammar() -> None:
    """No rule or alternative of the grammar is without an example in the blocks of `docs/language.md`."""
    forms = [each.removeprefix("the form ") for each in _shown().missing if each.startswith("the form ")]
    assert sorted(set(forms) - REFUSED) == [], "a `grid` block of docs/language.md shows each"


@pytest.mark.parametrize("form", ["wide_area", "logic_xor", "one_of"])
def test_reference__is_asked_for_forms(form: str) -> None:
    """The guard sees forms: without its examples a form would be missed."""
    seen = _shown()
    seen.forms.discard(form)
    assert f"the form {form}" in seen.missing
