"""Variants of files: `FILE:ID` is one, whether its ids are registered or not."""

from __future__ import annotations

import re
from pathlib import Path

from griddsl.diagnostics.suggest import did_you_mean, listing
from griddsl.files.variants import IS_VARIANT
from griddsl.registration.naming import ENDINGS, ids_of

MOST_SEARCHED = 200  # files of the folder, whose texts are looked through


class NoVariant(Exception):
    """A file has no variant that is called so: the reason, and what to write instead."""

    def __init__(self, reason: str, help: str) -> None:
        super().__init__(reason)
        self.reason, self.help = reason, help


def variant_file(name: str) -> Path | None:
    """Return the file of ``mines.grid:mine/Mines-Hard-v0``, as that variant; None for what is not written so.

    The id may stand without its namespace and its version, and without what the file's own id begins with: `Hard`.
    Raises `NoVariant` for an id that the file does not have.
    """
    said = IS_VARIANT.fullmatch(name)
    if said is None or Path(name).exists() or not Path(said[1]).is_file():
        return None
    named = ids_of(Path(said[1]))
    found = [each for each in named if said[2] in _names(each.id)]
    if not found and named:
        own = _names(named[0].id)[-1]
        found = [each for each in named if _names(each.id)[-1] == f"{own}-{said[2]}"]
    if len(found) == 1:
        return found[0].file
    ids = [each.id for each in named]
    if len(ids) < 2:
        raise NoVariant(f"`{said[1]}` has no variants", f"name the file alone: `{said[1]}`")
    help = did_you_mean(said[2], [word for each in ids for word in _names(each)])
    raise NoVariant(f"`{said[1]}` has no id `{said[2]}`", help or f"its ids are {listing(ids, 'and')}")


def where_it_is(name: str) -> str | None:
    """Say how a spec of this folder is named that is asked for by an id which nothing registered; None for others."""
    try:
        files = sorted(Path().iterdir())[:MOST_SEARCHED]
    except OSError:
        return None
    for file in files:
        if file.suffix in ENDINGS:
            named = ids_of(file)
            for number, each in enumerate(named):
                if name in _names(each.id):
                    said = f"{file}:{each.id}" if number else str(file)
                    return f"it stands in a file that is not registered: write `{said}`"
    return None


def _names(spec_id: str) -> tuple[str, ...]:
    """Return the ways to write an id: whole, without its namespace, and without its version too."""
    short = spec_id.rpartition("/")[2]
    return (spec_id, short, re.sub(r"-v[0-9]+\Z", "", short))
