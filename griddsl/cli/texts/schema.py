"""``griddsl schema``: the JSON schema of the TOML form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from griddsl.cli.failures import Refusal, note
from griddsl.files.writing import write


def command(
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="OUT", help="A file; by default it is printed.")
    ] = None,
) -> None:
    """Print the JSON schema of the TOML form of specs."""
    from griddsl.cli.texts.toml_schema import toml_schema

    text = json.dumps(toml_schema(), indent=2, ensure_ascii=False)
    if output is None:
        print(text)
        return
    if not output.parent.is_dir():
        raise Refusal(f"there is no folder `{output.parent}`")
    write(output, text + "\n")
    note(f"wrote {output}")
