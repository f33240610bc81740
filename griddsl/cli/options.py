"""Options: what several verbs are given in the same words."""

from __future__ import annotations

from typing import Annotated

import typer

Spec = Annotated[str, typer.Argument(metavar="SPEC", help="A file, or a registered id.")]
Params = Annotated[list[str] | None, typer.Option(metavar="K=V", help="A parameter; may be repeated.")]
Level = Annotated[str | None, typer.Option(help="The name of a map, or random.", show_default=False)]
FirstSeed = Annotated[int, typer.Option(min=0, help="The seed of the first episode.")]
