"""Registration: specs on disk become Gymnasium ids, without being parsed.

Loading this module registers the bundled specs, those of installed packages and those on ``GRIDDSL_PATH``, once.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import gymnasium as gym

from griddsl.diagnostics import Refused, Report, SpecError, listing, near
from griddsl.files.packages import GROUP, SpecPackage, installed
from griddsl.files.variants import VariantFile, variants_in
from griddsl.source import Source
from griddsl.syntax.reader import is_name, near_file

ENTRY_POINT = "griddsl.envs.making:make_registered"
VECTOR_ENTRY_POINT = "griddsl.envs.batch.vector_env:GridVectorEnv"
ANY_SPEC_ID = "griddsl/Spec-v0"
ENDINGS = (".grid", ".toml")
PATH_VARIABLE = "GRIDDSL_PATH"
_ID = re.compile(
    r"""^env\s*[:=]\s*["']?((?:[A-Za-z0-9_-]+/)?[A-Za-z0-9_-]+-v[0-9]+)["']?\s*(?:#.*)?$""", re.MULTILINE
)
_LIMIT = re.compile(r"""^limit\s*[:=]\s*["']?([0-9]{1,12})(?:\s+steps?)?["']?\s*(?:#.*)?$""", re.MULTILINE)
# What is drawn once makes trials of several episodes, which only the program knows to cut: Gymnasium is told no limit.
_ONCE = re.compile(r"^once\s*[:=]", re.MULTILINE)
_MOST_BYTES = 8_000_000
_listeners: list[Callable[[str, Path], None]] = []
# Where the specs of the ids are. An `EnvSpec` holds the id alone: what is recorded with it is read on other machines,
# where the file lies elsewhere.
_files: dict[str, Path] = {}


def register(path: str | os.PathLike[str]) -> list[str]:
    """Register a spec, or all specs of a folder and the folders in it; return their ids.

    An id that is registered already is replaced. Raises `FileNotFoundError` where there is nothing, and
    `ValueError` for a file that names no id.
    """
    target = Path(path).absolute()
    if target.is_dir():
        return [spec_id for file in _spec_files(target) for spec_id in _register_file(file)]
    if not target.is_file():
        raise FileNotFoundError(f"there is no spec at {target}")
    ids = _register_file(target)
    if not ids:
        raise Refused(f"{target} names no id: its `env:` statement is missing or has another form")
    return ids


def _spec_files(folder: Path) -> list[Path]:
    return sorted(file for ending in ENDINGS for file in folder.rglob(f"*{ending}"))


def _text_of(file: Path) -> str | None:
    """Return what a file holds; None where it cannot be read, or is longer than any spec."""
    try:
        if not file.is_file() or file.stat().st_size > _MOST_BYTES:
            return None
        return file.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return None


def _id_of(text: str) -> str | None:
    found = _ID.search(text)
    return None if found is None else found.group(1)


def _ids_of(file: Path) -> list[tuple[str, Path, int | None]]:
    """Return the ids that a file has, that of the spec before those of its variants, each with its limit in steps."""
    text = _text_of(file)
    spec_id = None if text is None else _id_of(text)
    if text is None or spec_id is None:
        return []
    found = _LIMIT.search(text)
    limit = int(found.group(1)) if found and not _ONCE.search(text) else None
    ids: list[tuple[str, Path, int | None]] = [(spec_id, file, limit)]
    for variant, own_limit in variants_in(text, file.suffix == ".toml"):
        ids.append(
            (variant, VariantFile.of(file, variant), (None if _ONCE.search(text) else own_limit or limit))
        )
    return ids


def _register_file(file: Path) -> list[str]:
    return [_register(*each) for each in _ids_of(file)]


def _register(spec_id: str, file: Path, limit: int | None) -> str:
    gym.registry.pop(spec_id, None)
    _files[spec_id] = file
    gym.register(
        id=spec_id,
        entry_point=ENTRY_POINT,
        vector_entry_point=VECTOR_ENTRY_POINT,
        max_episode_steps=limit,
        kwargs={"source": spec_id},
    )
    for listener in _listeners:
        listener(spec_id, file)
    return spec_id


def on_registration(listener: Callable[[str, Path], None]) -> None:
    """Let a function be called with the id and the file of every spec that is registered from now on."""
    _listeners.append(listener)


def bundled_folder() -> Path:
    """Return the folder of the specs that come with griddsl: in the wheel, or beside the package in a checkout."""
    package = Path(__file__).parents[1]
    inside = package / "specs"
    return inside if inside.is_dir() else package.parent / "specs"


def spec_path(name: str) -> Path | None:
    """Return the file behind a registered id, given whole or without its namespace; None for others."""
    files = registered_specs()
    if name in files:
        return files[name]
    for spec_id, file in files.items():
        short = spec_id.rpartition("/")[2]
        if name in {short, re.sub(r"-v[0-9]+$", "", short)}:
            return file
    return None


def known_source(source: Any) -> Any:
    """Return the file of a registered id, whole or short; anything else as it is: a path, a text, or a spec.

    ``module:id`` imports the module first, as ``gym.make`` does. Raises `SpecError` for a name that is neither a file
    nor an id.
    """
    if not is_name(source):
        return source
    module, colon, name = source.rpartition(":")
    try:
        if colon:
            import_module(module)
    except ImportError as error:
        raise _unknown(source, f"`{module}` cannot be imported: {error}", None) from error
    known = spec_path(name)
    if known is not None or Path(source).exists():
        return known or source
    reason = f"there is no spec `{source}`: no file and no registered id is called so"
    raise _unknown(source, reason, near_spec(name))


def _unknown(source: str, reason: str, help: str | None) -> SpecError:
    report = Report()
    report.add("unreadable", Source(source, "").whole().span(), reason=reason, help=help)
    return SpecError(list(report))


def near_spec(name: str) -> str | None:
    """Return a help line with the ids or files that a name nearly is; only what follows the namespace is compared."""
    file = next((f"{name}{ending}" for ending in ENDINGS if Path(f"{name}{ending}").is_file()), None)
    if file is not None:
        return f"did you mean `{file}`?"
    short = {_short(spec_id): spec_id for spec_id in registered_specs()}
    close = near(_short(name), short) if _short(name) not in short else [_short(name)]
    if close:
        return f"did you mean {listing(short[each] if '/' in name else each for each in close)}?"
    return near_file(Path(name)) or "`griddsl list` shows the ids"


def _short(spec_id: str) -> str:
    return re.sub(r"-v[0-9]+$", "", spec_id.rpartition("/")[2])


def registered_specs() -> dict[str, Path]:
    """Return the files of all registered specs by id."""
    registry = gym.registry
    return {
        spec_id: file
        for spec_id, file in _files.items()
        if spec_id in registry and registry[spec_id].entry_point == ENTRY_POINT
    }


def _register_all() -> None:
    """Register ``griddsl/Spec-v0``, the bundled specs, those of packages and those on ``GRIDDSL_PATH``."""
    gym.register(id=ANY_SPEC_ID, entry_point=ENTRY_POINT, vector_entry_point=VECTOR_ENTRY_POINT)
    if bundled_folder().is_dir():
        register(bundled_folder())
    _register_packages()
    for path in os.environ.get(PATH_VARIABLE, "").split(os.pathsep):
        if path and Path(path).exists():
            try:
                register(path)
            except (OSError, ValueError) as error:
                warnings.warn(f"{PATH_VARIABLE}: {error}", stacklevel=2)


def _register_packages() -> None:
    """Register the specs of installed packages; what is wrong with one is a warning, and hinders nothing else."""
    found = installed()
    for package in found.packages:
        try:
            problems = _register_package(package)
        except Exception as error:  # a folder that cannot be read, an id that Gymnasium refuses
            problems = [str(error)]
        for problem in problems:
            warnings.warn(f"{GROUP}: the package `{package.distribution}`: {problem}", stacklevel=2)
    for problem in found.problems:
        warnings.warn(f"{GROUP}: {problem}", stacklevel=2)


def _register_package(package: SpecPackage) -> list[str]:
    """Register the specs of a package under ids that nothing else has; return what is wrong with it."""
    files, problems = _spec_files(package.folder), []
    for file in files:
        for spec_id, place, limit in _ids_of(file):  # none for a library, or a TOML file of other matters
            if spec_id in gym.registry:
                where = f", from {_files[spec_id]}" if spec_id in _files else ""
                problems.append(f"`{spec_id}` of {file} is left out, for the id is taken{where}")
            else:
                _register(spec_id, place, limit)
    if not files:
        problems.append(f"no spec is in {package.folder}")
    return problems


_register_all()
