"""``griddsl new``: a commented spec to start from, or a package of specs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from griddsl.cli.failures import ERRORS, Refusal, harmless
from griddsl.cli.texts.templates import STARTER
from griddsl.files.writing import write_new

_NAME = re.compile(
    r"(?:(?P<namespace>[A-Za-z0-9_-]+)/)?(?P<name>[A-Za-z][A-Za-z0-9_ -]*?)(?P<version>-v[0-9]+)?"
)


def command(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A name such as CoinRoom, or mine/CoinRoom-v0.")
    ],
    folder: Annotated[Path, typer.Option("--in", help="The folder it is written to.")] = Path(),
    package: Annotated[
        bool, typer.Option("--package", help="Write a package of specs, with tests and a workflow.")
    ] = False,
) -> None:
    """Write ``NAME`` in snake case with the ending ``.grid``, or a package; what exists is never overwritten."""
    if not folder.is_dir():
        raise Refusal(f"there is no folder `{folder}`")
    if package:
        from griddsl.cli.texts.new_package import write_package

        write_package(name, folder)
        return
    file, spec_id = names_of(name)
    path = folder / file
    try:
        write_new(path, STARTER.format(id=spec_id, file=path))
    except FileExistsError:
        raise Refusal(f"`{path}` exists already", "choose another name, or remove it first", ERRORS) from None
    print(harmless(f"wrote {path}, with the id {spec_id}"))
    print(harmless(f"play it: griddsl run {path}"))


def names_of(name: str) -> tuple[str, str]:
    """Return the file and the id of a spec's name: ``coin_room.grid`` and ``mine/CoinRoom-v0`` of ``CoinRoom``."""
    found = _NAME.fullmatch(name.removesuffix(".grid").strip())
    if found is None:
        raise Refusal(
            f"`{name}` cannot name a spec", "a name is a letter, then letters, digits, `_` or `-`: CoinRoom"
        )
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+[a-z]*", found["name"])
    title = "".join(word[:1].upper() + word[1:] for word in words)
    spec_id = f"{found['namespace'] or 'mine'}/{title}{found['version'] or '-v0'}"
    return "_".join(word.lower() for word in words) + ".grid", spec_id
