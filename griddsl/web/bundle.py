"""The player's files as one text: each stands once, after those that it imports, and imports nothing any more."""

from __future__ import annotations

import posixpath
import re
from functools import cache
from importlib.resources import files

_IMPORT = re.compile(r'^import \{[^}]*\} from "(\.\.?/[a-z/]+\.js)";$')


def player_file(name: str) -> str:
    """Return a file of the player, named from its folder, as it stands."""
    return files(__package__).joinpath("player", name).read_text(encoding="utf-8")


@cache
def bundle(name: str) -> str:
    """Return a file of the player with all that it imports, as one ES module with the exports of all of them.

    What is imported stands in lines of its own at the head of a file, one for each file; names are never changed, so no
    two files may use one name.
    """
    texts: dict[str, str] = {}
    _gather(name, texts)
    return "\n".join(texts.values())


def _gather(name: str, texts: dict[str, str]) -> None:
    lines = player_file(name).splitlines()
    folder = posixpath.dirname(name)
    imported = [
        posixpath.normpath(posixpath.join(folder, found[1]))
        for line in lines
        if (found := _IMPORT.match(line))
    ]
    for other in imported:
        if other not in texts:
            _gather(other, texts)
    texts[name] = "\n".join(line for line in lines if not _IMPORT.match(line))
