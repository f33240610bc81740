"""``griddsl lsp``: the language server, on standard input and output."""

from __future__ import annotations

from typing import Annotated

import typer

from griddsl.cli.failures import ERRORS, Refusal


def command(
    stdio: Annotated[
        bool, typer.Option("--stdio", help="Speak on standard input and output, as it always does.")
    ] = True,
) -> None:
    """Answer an editor until it leaves."""
    try:
        import pygls
    except ImportError:
        raise Refusal("pygls is not installed", "pip install 'griddsl[lsp]'", ERRORS) from None
    del pygls
    from griddsl.editor.features import serve

    serve()
