"""``griddsl export``: a spec as a program for other languages, a JavaScript module or JSON."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from griddsl.cli.failures import Refusal
from griddsl.cli.sources import find_spec, parse_params
from griddsl.writing import write

ENDINGS = (".js", ".mjs", ".json")


def command(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="A file, or a registered id.")],
    to: Annotated[
        Path, typer.Option("--to", metavar="FILE", help="What to write: a .js (or .mjs) or a .json file.")
    ],
    param: Annotated[
        list[str] | None, typer.Option(metavar="K=V", help="A parameter; may be repeated.")
    ] = None,
    level: Annotated[
        str | None, typer.Option(help="The name of a map, or random.", show_default=False)
    ] = None,
) -> None:
    """Write what a spec compiles to for another language."""
    from griddsl.backends.javascript.emit import Unsuitable, module
    from griddsl.compiler import compiled
    from griddsl.program.form import to_json

    if to.suffix not in ENDINGS:
        raise Refusal(f"`{to}` ends in none of .js, .mjs and .json", "`--to game.js` writes a module")
    if not to.parent.is_dir():
        raise Refusal(f"there is no folder `{to.parent}`")
    program = compiled(find_spec(spec), **parse_params(param or (), level)).program
    try:
        text = to_json(program) + "\n" if to.suffix == ".json" else module(program)
    except Unsuitable as reason:
        raise Refusal(f"{program.id} is not one for JavaScript: {reason}") from None
    write(to, text)
    print(f"wrote {to}", file=sys.stderr)
