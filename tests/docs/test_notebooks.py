"""The notebooks of the documentation, executed as files: no cell fails, and each shows what its text says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "examples").glob("*.ipynb"))
SECONDS = 120


@pytest.fixture(scope="module", params=NOTEBOOKS, ids=lambda path: path.stem)
def executed(request: pytest.FixtureRequest) -> Any:
    """A notebook after a kernel of its own executed it."""
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    notebook = nbformat.read(request.param, as_version=4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=SECONDS, kernel_name="python3").execute()
    return notebook


def test_notebooks__are_there() -> None:
    """The folder holds notebooks, each without outputs of somebody's machine."""
    assert len(NOTEBOOKS) >= 2
    for path in NOTEBOOKS:
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            assert cell.get("outputs", []) == [] and cell.get("execution_count") is None, path.name


def test_notebooks__show_what_they_say(executed: Any) -> None:
    """Each cell of code that ends with something to see shows it, as a picture or as a page without addresses."""
    forms: list[str] = []
    for cell in executed.cells:
        if cell.cell_type != "code":
            continue
        data = [output["data"] for output in cell.outputs if "data" in output]
        assert not [output for output in cell.outputs if output.output_type in {"error", "stream"}], (
            cell.source
        )
        last = cell.source.splitlines()[-1]
        if last.startswith(("%load_ext", "import")):
            continue
        [shown] = data
        forms.append(_form(shown))
        if forms[-1] == "animation":
            assert "http://" not in shown["text/html"].replace("http://www.w3.org/2000/svg", "")
    assert forms == EXPECTED[len(forms)]


EXPECTED = {
    6: ["picture", "mistake", "drawing", "picture", "animation", "widget"],
    5: ["table", "table", "animation", "picture", "drawing"],
}


def _form(shown: dict[str, Any]) -> str:
    if "application/vnd.jupyter.widget-view+json" in shown:
        return "widget"
    page = shown.get("text/html", "")
    if "<iframe sandbox" in page:
        return "animation"
    if "<table>" in page:
        assert "<svg" in page
        return "table"
    if "cell:6:" in page:
        return "mistake"
    return "picture" if "image/png" in shown else "drawing" if "image/svg+xml" in shown else str(shown)
