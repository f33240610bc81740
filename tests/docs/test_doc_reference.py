"""Every spec in the pages does what the executable semantics (`tests/reference`) says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.doc_blocks import Block
from tests.docs.test_doc_specs import WHOLE, _saved
from tests.reference.beside import assert_plays_as_defined


@pytest.mark.parametrize("block", WHOLE, ids=str)
def test_spec_of_a_page__plays_as_defined(block: Block, tmp_path: Path) -> None:
    """The specs that explain the language do what the interpreter of the language does."""
    assert_plays_as_defined(_saved(block, tmp_path), steps=60, seeds=(0, 1))
