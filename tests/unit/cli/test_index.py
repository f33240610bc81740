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


# Each of its ids takes as long to compile as all others of a short run do.
SENTENCES = [id for id, path in BUNDLED.items() if path.stem == "baby_sentences"]


def read() -> dict[str, Any]:
    """Return the index."""
    index: dict[str, Any] = json.loads((bundled_folder() / INDEX).read_text(encoding="utf-8"))
    return index


def entry_of(name: str, records: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return what the index says of a file: what all of its ids have in common is said once."""
    first = next(iter(records.values()))
    common = {
        key: first[key] for key in first if all(each.get(key) == first[key] for each in records.values())
    }
    own = {id: {key: each[key] for key in each if key not in common} for id, each in records.items()}
    return {"sha256": text_hash(bundled_folder() / name), "all": common, "ids": own}


def records_of(name: str) -> dict[str, dict[str, Any]]:
    """Return what the index says of each id of a file."""
    entry = read().get(name, {"all": {}, "ids": {}})
    own = {id: entry["ids"].get(id, {}) for id, path in BUNDLED.items() if path.name == name}
    return {id: {**entry["all"], **its} for id, its in own.items()}


@pytest.mark.parametrize(
    "id",
    [pytest.param(id, marks=pytest.mark.long if id in SENTENCES else ()) for id in BUNDLED],
    ids=lambda id: f"{BUNDLED[id].stem}-{id}",
)
def test_index__says_what_compiling_says(id: str, request: pytest.FixtureRequest) -> None:
    """What is known of each id is what its own parameters make of the file."""
    found, name = compiled_record(BUNDLED[id]), BUNDLED[id].name
    if request.config.getoption("--update-cases"):
        index = read()
        kept = {file: index[file] for file in FILES if file in index}
        kept[name] = entry_of(name, records_of(name) | {id: found})
        text = json.dumps({file: kept[file] for file in sorted(kept)}, indent=1, ensure_ascii=False)
        (bundled_folder() / INDEX).write_text(f"{text}\n", encoding="utf-8")
    else:
        assert records_of(name)[id] == found, (
            "`pytest tests/unit/cli/test_index.py -n 0 --update-cases` writes the index"
        )


@pytest.mark.parametrize("name", FILES)
def test_index__says_once_what_ids_have_in_common(name: str) -> None:
    """It speaks of the text that the file has, of each of its ids, and says nothing twice."""
    assert read()[name] == entry_of(name, records_of(name))


def test_index__speaks_of_no_other_file() -> None:
    """What was removed is not listed."""
    assert sorted(read()) == FILES


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
