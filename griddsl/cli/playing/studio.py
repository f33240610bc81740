"""``griddsl studio``: a local page in which specs are written, painted and played."""

from __future__ import annotations

import socket
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from griddsl.cli.failures import ERRORS, Refusal, harmless, note
from griddsl.diagnostics import Refused

if TYPE_CHECKING:
    from griddsl.web.studio.server import Studio


def command(
    path: Annotated[
        Path, typer.Argument(metavar="[FOLDER|SPEC]", help="A folder of specs, or one of them.")
    ] = Path(),
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port; by default any that is free.")] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
) -> None:
    """Serve the studio on the loopback until it is interrupted."""
    try:
        import starlette
        import uvicorn
        import websockets
    except ImportError as error:
        raise Refusal(f"{error.name} is not installed", "pip install 'griddsl[studio]'", ERRORS) from None
    del starlette, websockets
    from griddsl.web.studio.folder import Folder
    from griddsl.web.studio.server import Studio

    folder = Folder(path)
    listening = _listening(port)
    studio = Studio(folder, listening.getsockname()[1])
    print(
        f"The studio of {harmless(str(folder.root))} is at\n    {studio.address}\nCtrl+C ends it.", flush=True
    )
    if browser:
        webbrowser.open(studio.address)
    config = uvicorn.Config(studio.app(), log_level="warning", ws="websockets-sansio", ws_max_size=8_000_000)
    uvicorn.Server(config).run(sockets=[listening])
    _keep_what_is_unsaved(studio)


def _listening(port: int) -> socket.socket:
    """Return a socket on the loopback."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", port))
    except OSError as error:
        raise Refused(f"port {port} cannot be had: {error.strerror}") from None
    return listening


def _keep_what_is_unsaved(studio: Studio) -> None:
    """Write texts that nobody saved beside their files, so that they are not lost."""
    from griddsl.files.writing import write

    for name in studio.rooms.unsaved():
        target = studio.rooms.folder.path(name)
        beside = target.with_name(f"{target.name}.unsaved")
        try:
            write(beside, studio.rooms.rooms[name].document.text)
            note(f"{name} was not saved: what was written is in {beside}")
        except OSError as error:
            note(f"{name} was not saved, and {beside} cannot be written: {error.strerror}")
