"""A spec written otherwise: laid out, as TOML, explained; it still says the same."""

from __future__ import annotations

import contextlib
import io
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import griddsl
from griddsl.diagnostics import Report
from griddsl.source import Source
from griddsl.spec.build import build
from griddsl.spec.models import GridSpec
from griddsl.syntax.document import Document
from griddsl.syntax.formatting.convert import to_grid, to_toml
from griddsl.syntax.formatting.formatter import format_document
from griddsl.syntax.reader import read_document
from tests.fuzz.specs.traces import Case

FILES = Path(__file__).parent / "files"


def check_formats(case: Case) -> None:
    """Laid out, and through TOML and back, a spec has the same model; laying out twice changes nothing more."""
    model = case.compiled.model
    laid_out = formatted(case.text)
    assert model_of(laid_out) == model, "laid out, the spec is another"
    assert formatted(laid_out) == laid_out, "laid out twice, the spec changes again"
    toml = to_toml(document_of(case.text))
    assert model_of(toml, "shared.toml") == model, "in TOML, the spec is another"
    back = to_grid(document_of(toml, "shared.toml"))
    assert model_of(back) == model, "back from TOML, the spec is another"


def model_of(text: str, name: str = "shared.grid") -> GridSpec:
    """Return the model of a text, in the folder of the files that specs read."""
    report = Report()
    model = build(document_of(text, name), report, FILES)
    report.raise_errors()
    assert model is not None
    return model


def formatted(text: str) -> str:
    """Return the canonical text of a spec."""
    report = Report()
    found = format_document(document_of(text), report)
    report.raise_errors()
    return found


def document_of(text: str, name: str = "shared.grid") -> Document:
    """Return a text as a document."""
    report = Report()
    document = read_document(Source(name, text), report)
    report.raise_errors()
    return document


def check_words(case: Case) -> None:
    """Every diagnostic has words, and the spec is explained."""
    from griddsl.cli.explaining.explain import command

    with TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as said:
        shutil.copytree(FILES, folder, dirs_exist_ok=True)
        path = Path(folder) / "case.grid"
        path.write_text(case.text, encoding="utf-8")
        for diagnostic in griddsl.check(path):
            assert diagnostic.message and "object at 0x" not in diagnostic.message, diagnostic
        command(str(path), None, None, False)
        command(str(path), None, None, True)
    assert case.compiled.program.id in said.getvalue()
