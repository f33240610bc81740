"""The index of the bundled specs says of each what compiling it says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from griddsl.cli.explaining.records import INDEX, compiled_record, indexed, record_of, text_hash
from griddsl.registration.ids import bundled_folder, registered_specs

BUNDLED = {id: path for id, path in registered_specs().items() if path.parent == bundled_folder()}
FILES = sorted({path.name for path in BUNDLED.values()})


@pytest.mark.parametrize("name", FILES)
def test_index__says_what_compiling_says(name: str, request: pytest.FixtureRequest) -> None:
    """Each id of a file, with what all of them have in common said once."""
    found = {id: compiled_record(path) for id, path in BUNDLED.items() if path.name == name}
    first = next(iter(found.values()))
    common = {key: first[key] for key in first if all(each[key] == first[key] for each in found.values())}
    own = {id: {key: each[key] for key in each if key not in common} for id, each in found.items()}
    entry = {"sha256": text_hash(bundled_folder() / name), "all": common, "ids": own}
    place = bundled_folder() / INDEX
    index = json.loads(place.read_text(encoding="utf-8"))
    if request.config.getoption("--update-cases"):
        kept = {file: index[file] for file in FILES if file in index} | {name: entry}
        text = json.dumps({file: kept[file] for file in sorted(kept)}, indent=1, ensure_ascii=False)
        place.write_text(f"{text}\n", encoding="utf-8")
    else:
        assert index[name] == entry, (
            "`pytest tests/unit/cli/test_index.py -n 0 --update-cases` writes the index"
        )


def test_index__speaks_of_no_other_file() -> None:
    """What was removed is not listed."""
    assert sorted(json.loads((bundled_folder() / INDEX).read_text(encoding="utf-8"))) == FILES


def test_index__does_not_speak_of_a_text_that_was_changed(tmp_path: Path, in_folder: Path) -> None:
    """A bundled spec that somebody edited is compiled, as one of another folder is."""
    cliff = in_folder / "cliff_walking.grid"
    assert indexed("griddsl/CliffWalking-v0", cliff) is not None
    cliff.write_text(cliff.read_text().replace("limit: ", "limit: 1"))
    assert indexed("griddsl/CliffWalking-v0", cliff) is None
    elsewhere = tmp_path / "cliff_walking.grid"
    elsewhere.write_text((bundled_folder() / "cliff_walking.grid").read_text())
    assert indexed("griddsl/CliffWalking-v0", elsewhere) is None


def test_record__of_a_spec_with_errors(tmp_path: Path) -> None:
    """The number of errors stands in place of all else."""
    file = tmp_path / "broken.grid"
    file.write_text("env: a/B-v0\nmap:\n    @\nactions: up\nobserve: cel\nlimit: 5\n")
    assert record_of("a/B-v0", file) == {"id": "a/B-v0", "path": str(file), "package": None, "errors": 1}


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A copy of one bundled spec and of the index, taken for the folder that comes with griddsl."""
    from griddsl.cli.explaining import records

    folder = tmp_path / "specs"
    folder.mkdir()
    for name in ("cliff_walking.grid", INDEX):
        (folder / name).write_text((bundled_folder() / name).read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr("griddsl.registration.ids.bundled_folder", lambda: folder)
    records._index.cache_clear()
    yield folder
    records._index.cache_clear()
