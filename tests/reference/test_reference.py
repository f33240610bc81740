"""The product does what the executable semantics says: the bundled specs (those of the pages in `tests/docs`)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.contract.every_spec import FILES
from tests.reference.beside import assert_plays_as_defined

HERE = Path(__file__).parent
OF_THE_TESTS = {"beside.py", "test_reference.py"}
# What takes the interpreter more than a tenth of a second a step, by its rules or by its setups.
SLOW = {
    "baby_act",
    "baby_find_object",
    "baby_pickup",
    "baby_put_next",
    "baby_sentences",
    "baby_unlock",
    "connect_four",
    "driving",
    "hex",
    "minesweeper",
    "multi_room",
    "obstructed_maze",
    "reversi",
    "sliding_tiles",
}
PARTS = [path for path in sorted(HERE.glob("*.py")) if path.name not in OF_THE_TESTS]


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.stem not in SLOW], ids=lambda path: path.stem
)
def test_bundled_spec__plays_as_defined(path: Path) -> None:
    """Observations, rewards, flags, infos and the random stream are those of the interpreter, in every step."""
    assert_plays_as_defined(path, steps=80, seeds=(0, 1))


@pytest.mark.long
@pytest.mark.parametrize("path", [path for path in FILES if path.stem in SLOW], ids=lambda path: path.stem)
def test_slow_spec__plays_as_defined(path: Path) -> None:
    """So are those of what the interpreter is slow at, in fewer steps."""
    assert_plays_as_defined(path, steps=20, seeds=(0,))


@pytest.mark.parametrize("path", PARTS, ids=lambda path: path.name)
def test_interpreter__shares_no_code_with_the_compiler(path: Path) -> None:
    """What reads the model knows clauses and the renderer, and nothing of lowering, programs and backends."""
    text = path.read_text(encoding="utf-8")
    imported = re.findall(r"^\s*(?:from|import) (griddsl[\w.]*)", text, re.MULTILINE)
    allowed = ("griddsl.spec.models", "griddsl.syntax", "griddsl.render")
    assert [name for name in imported if not name.startswith(allowed)] == []
    assert len(text.split("\n")) < 400


def test_interpreter__has_parts() -> None:
    """A guard that sees nothing guards nothing."""
    assert len(PARTS) > 20
