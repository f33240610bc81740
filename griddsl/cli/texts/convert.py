"""``griddsl convert``: from ``.grid`` to TOML and back."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from griddsl.cli.failures import ERRORS, Refusal, note
from griddsl.cli.sources import find_spec
from griddsl.diagnostics import Report
from griddsl.files.writing import write


class Form(StrEnum):
    """The two spellings of a spec."""

    grid = "grid"
    toml = "toml"


class Origin(StrEnum):
    """Whose environments are drawn as specs."""

    minigrid = "minigrid"


def command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file, or a registered id.")],
    to: Annotated[
        Form | None, typer.Option(help="The format; by default the other one.", show_default=False)
    ] = None,
    origin: Annotated[
        Origin | None,
        typer.Option(
            "--from", help="Draw the grid of an environment of this library, by its id.", show_default=False
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the grid, with `--from`.")] = 0,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where to write it; by default it is printed.")
    ] = None,
) -> None:
    """Convert a spec; one with syntax errors is refused. With `--from` a live environment becomes one."""
    source = None if origin is not None else find_spec(file)
    wanted = (
        to or _form_of(output) or (Form.grid if source is None or source.suffix == ".toml" else Form.toml)
    )
    if output is not None and _form_of(output) is not wanted and (to is None or _form_of(output) is not None):
        raise Refusal(f"`{output}` does not end in .{wanted.value}")
    text = _drawn(file, seed, wanted) if source is None else _converted(source, wanted)
    if output is None:
        sys.stdout.write(text)
        return
    if not output.parent.is_dir():
        raise Refusal(f"there is no folder `{output.parent}`", code=ERRORS)
    write(output, text)
    note(f"wrote {output}")


def _form_of(path: Path | None) -> Form | None:
    return None if path is None else next((form for form in Form if path.suffix == f".{form.value}"), None)


def _drawn(name: str, seed: int, wanted: Form) -> str:
    from griddsl.cli.texts.from_minigrid import spec_of

    return _converted(spec_of(name, seed), wanted)


def _converted(path: Path | str, wanted: Form) -> str:
    from griddsl.syntax.formatting.convert import to_grid, to_toml
    from griddsl.syntax.formatting.formatter import grid_text
    from griddsl.syntax.reader import read_document, read_source

    report = Report()
    source = read_source(path, report)
    report.raise_errors()
    assert source is not None
    document = read_document(source, report)
    report.raise_errors()
    grid_text(document, report)  # for the errors in its clauses
    report.raise_errors()
    return to_toml(document) if wanted is Form.toml else to_grid(document)
