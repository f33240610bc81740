"""Packages of specs: installed packages whose folders of specs are there by themselves.

A package names its folder under the entry-point group ``griddsl.specs``: ``my_grids = "my_grids.specs"``. Nothing of it
is imported, and no spec is read, to find that folder.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from griddsl.refused import Refused

GROUP = "griddsl.specs"
ENDINGS = (".grid", ".toml")
_INFO = (".dist-info", ".egg-info")
_MOST_BYTES = 1_000_000
_NAME = re.compile(r"[A-Za-z0-9_-]+")
_PLACE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z0-9_-]+)*", re.ASCII)
_SECTION = re.compile(r"\[\s*(.*?)\s*\]")


@dataclass(frozen=True, slots=True)
class SpecPackage:
    """A package of specs: its name, as ``use: NAME.FILE`` calls it, what pip calls it, and its folder."""

    name: str
    distribution: str
    folder: Path


@dataclass(frozen=True, slots=True)
class Found:
    """The packages of specs that are installed, and why others cannot be used, each with its name."""

    packages: tuple[SpecPackage, ...]
    problems: tuple[str, ...]


def installed() -> Found:
    """Return the packages of specs that are installed; the folders of `sys.path` are looked through once."""
    return _installed(tuple(sys.path))


def library_files(name: str) -> list[tuple[str, Path]]:
    """Return the files that a name in ``use`` can mean, each with its whole name.

    ``PACKAGE.FILE`` is one file of a package, ``FILE`` is that of every package that has one, and ``PACKAGE`` is the
    file that is called as its package.
    """
    package, dot, stem = name.rpartition(".")
    return [
        (f"{each.name}.{stem}", file)
        for each in installed().packages
        if not dot or each.name == package
        for ending in ENDINGS
        if _NAME.fullmatch(stem) and (file := each.folder / f"{stem}{ending}").is_file()
    ]


def library_names() -> list[str]:
    """Return the whole names of all files that ``use`` can bring from packages."""
    return sorted(
        f"{package.name}.{file.stem}"
        for package in installed().packages
        for file in package.folder.iterdir()
        if file.suffix in ENDINGS and _NAME.fullmatch(file.stem)
    )


@lru_cache(maxsize=8)
def _installed(path: tuple[str, ...]) -> Found:
    packages: dict[str, SpecPackage] = {}
    problems: list[str] = []
    for distribution, name, value in _entries(path):
        where = f"the package `{distribution}` of specs"
        if not _NAME.fullmatch(name):
            problems.append(f"{where} has a name with characters that `use` cannot read: {name[:60]!a}")
            continue
        if name in packages:
            other = packages[name].distribution
            problems.append(f"{where} is left out: `{other}` is installed, which calls itself `{name}` too")
            continue
        try:
            packages[name] = SpecPackage(name, distribution, _folder(value))
        except (
            Exception
        ) as error:  # whatever a finder of modules raises is the package's fault, not the user's
            problems.append(f"{where} cannot be used: {error}")
    return Found(tuple(packages.values()), tuple(problems))


def _entries(path: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """Yield distribution, name and value of each entry of the group.

    `importlib.metadata` would answer the same, and take longer for it than all the rest of importing griddsl.
    """
    seen: set[str] = set()
    for place in dict.fromkeys(path):
        try:
            with os.scandir(place or ".") as entries:
                names = sorted(entry.name for entry in entries if entry.name.endswith(_INFO))
        except (OSError, ValueError):
            continue
        for name in names:
            distribution = name.rpartition(".")[0].partition("-")[0]
            if distribution in seen:
                continue
            seen.add(distribution)
            text = _text(f"{place or '.'}/{name}/entry_points.txt")
            if GROUP in text:
                yield from ((distribution, *pair) for pair in _pairs(text))


def _text(path: str) -> str:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 (a hundred of these are opened, and `Path` takes as long again)
            return file.read(_MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    group = None
    for line in map(str.strip, text.splitlines()):
        if section := _SECTION.fullmatch(line):
            group = section[1]
        elif group == GROUP and line and line[0] not in "#;":
            name, _, value = line.partition("=")
            yield name.strip(), value.strip()


def _folder(value: str) -> Path:
    """Return the folder that a dotted name means. Raises `ValueError` where there is none."""
    if not _PLACE.fullmatch(value):
        raise Refused(f"`{value[:60]}` is no dotted name of a folder, as `my_grids.specs` is")
    top, *rest = value.split(".")
    found = find_spec(top)
    if found is None:
        raise Refused(f"there is no package `{top}`")
    if not found.submodule_search_locations:
        raise Refused(f"`{top}` is a module, which has no folder")
    folders = [Path(place, *rest) for place in found.submodule_search_locations]
    folder = next((each for each in folders if each.is_dir()), None)
    if folder is None:
        raise Refused(f"there is no folder {folders[0]}")
    return folder.absolute()
