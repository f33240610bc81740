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
from typing import TYPE_CHECKING, Any

import gymnasium as gym

from griddsl.compiling.cache import Compiled
from griddsl.diagnostics import Refused, Report, SpecError, listing, near
from griddsl.files.packages import GROUP, SpecPackage, installed
from griddsl.registration.naming import ENDINGS, Named, ids_of, spec_files, told_apart
from griddsl.registration.variants import NoVariant, variant_file
from griddsl.source import Source
from griddsl.syntax.reader import is_name, near_file

if TYPE_CHECKING:
    from griddsl.compiler import AnySpec
    from griddsl.spec.models import GridSpec

ENTRY_POINT = "griddsl.envs.making:make_registered"
VECTOR_ENTRY_POINT = "griddsl.envs.batch.vector_env:GridVectorEnv"
ANY_SPEC_ID = "griddsl/Spec-v0"
PATH_VARIABLE = "GRIDDSL_PATH"
MOST_SHOWN = 3  # ids that one name is a part of
_TEXT = re.compile(r"[\r\n]|:\s|:$")  # what the name of a file is not taken for, as where a spec is loaded
_listeners: list[Callable[[str, Path | GridSpec], None]] = []
# Where the specs of the ids are. An `EnvSpec` holds the id alone: what is recorded with it is read on other machines,
# where the file lies elsewhere. Models are known to this process alone.
_files: dict[str, Path] = {}
_models: dict[str, GridSpec] = {}


def register(source: AnySpec) -> list[str]:
    """Register a spec, or all specs of a folder and the folders in it; return their ids.

    ``source`` is a ``.grid`` or ``.toml`` file, a folder of them, a spec's text or a `GridSpec`, of which this process
    alone knows the id; an id that is registered already stays as it is. Any other that has the id is replaced. Raises
    `FileNotFoundError` where there is no such file, `SpecError` for a text with errors and for a name that is no id,
    and `ValueError` for a file that names no id, for a folder without a spec and for two files of a folder that have
    the same id.
    """
    if isinstance(source, str):
        if not source.strip():
            raise Refused("which spec? the name is empty: give a file, a folder, a text, a GridSpec or an id")
        if _TEXT.search(source):
            return _register_model(source)
        if is_name(source) and not Path(source).exists():
            return _known_ids(source)
    elif not isinstance(source, os.PathLike):
        if not isinstance(source, Compiled) and not hasattr(source, "with_arguments"):
            sort = type(source).__name__
            raise TypeError(f"a spec is a path, a text, an id, a GridSpec or a folder of specs, not {sort}")
        return _register_model(source)
    kept, twice = told_apart(_named_at(Path(os.fsdecode(source)).absolute()))
    if twice:
        raise Refused(f"{twice[0]}; give one of them another id, or register one file alone")
    return [_register(named) for named in kept]


def _named_at(target: Path) -> list[Named]:
    """Return what the specs at a path are called; raise where there is none."""
    if target.is_dir():
        return _named_in(target)
    if not target.is_file():
        near = near_file(target)
        if near is None and re.search(r"[*?\[]", target.name):
            near = f"no pattern is looked for; a folder brings all specs in it, as `{target.parent}`"
        raise FileNotFoundError(f"there is no spec at {target}" + (f": {near}" if near else ""))
    if target.suffix.lower() not in ENDINGS:
        raise Refused(f"{target} is no spec: the name of one ends with {' or '.join(ENDINGS)}")
    found = ids_of(target)
    if not found:
        raise Refused(f"{target} names no id: its `env:` statement is missing or has another form")
    return found


def _named_in(folder: Path) -> list[Named]:
    """Return what the specs of a folder, and of the folders in it, are called; raise where there is none."""
    files = spec_files(folder)
    found = [named for file in files for named in ids_of(file)]
    if not files:
        ends = f"no file in it, or in the folders in it, ends with {' or '.join(ENDINGS)}"
        raise Refused(f"there is no spec in the folder {folder}: {ends}")
    if not found:
        shown = ", ".join(file.relative_to(folder).as_posix() for file in files[:3])
        more = f" and {len(files) - 3} more" if len(files) > 3 else ""
        raise Refused(f"there is no spec in the folder {folder}: no line `env: NAME-v0` is in {shown}{more}")
    return found


def _known_ids(name: str) -> list[str]:
    """Return the ids of what is registered under a name: all of a spec, or that of a variant. Raises for others."""
    known_source(name)
    spec_id = _id_called(name.rpartition(":")[2])
    assert spec_id is not None
    if spec_id in _models:
        return _ids_of_model(_models[spec_id])
    ids = [named.id for named in ids_of(_files[spec_id])]
    return ids if spec_id in ids[:1] else [spec_id]


def _register_model(source: AnySpec) -> list[str]:
    """Register a spec that no file is known of, and its variants."""
    from griddsl.compiler import compiled

    model = compiled(source).model
    for spec_id in (ids := _ids_of_model(model)):
        own = model if spec_id == model.id else model.as_variant(spec_id)
        _files.pop(spec_id, None)
        _models[spec_id] = own
        _tell_gymnasium(spec_id, own.limit_in_steps, _kept_of(own), own)
    return ids


def _ids_of_model(model: GridSpec) -> list[str]:
    """Return the id of a spec and those of its variants; of a variant, its own."""
    variants = [variant.id for variant in model.variants]
    return [model.id] if model.id in variants else [model.id, *variants]


def _kept_of(model: GridSpec) -> dict[str, Any]:
    """Return what an `EnvSpec` keeps of a spec: the text, which other processes read, where that says the same."""
    from griddsl.compiler import compiled

    if model.stands_alone:
        text = model.source.text
        try:
            if compiled(text, **model.arguments).model == model:
                return {"source": text, **model.arguments}
        except (SpecError, TypeError):  # the model was changed after it was read
            pass
    return {"source": model.id}


def _register(named: Named) -> str:
    _models.pop(named.id, None)
    _files[named.id] = named.file
    _tell_gymnasium(named.id, named.limit, {"source": named.id}, named.file)
    return named.id


def _tell_gymnasium(spec_id: str, limit: int | None, kept: dict[str, Any], source: Path | GridSpec) -> None:
    gym.registry.pop(spec_id, None)
    gym.register(
        id=spec_id,
        entry_point=ENTRY_POINT,
        vector_entry_point=VECTOR_ENTRY_POINT,
        max_episode_steps=limit,
        # Both would ask in every step what ours answers itself, and what the tests of every spec have asked already.
        order_enforce=False,
        disable_env_checker=True,
        kwargs=kept,
    )
    for listener in _listeners:
        listener(spec_id, source)


def on_registration(listener: Callable[[str, Path | GridSpec], None]) -> None:
    """Let a function be called with the id, and the file or model, of every spec that is registered from now on."""
    _listeners.append(listener)


def bundled_folder() -> Path:
    """Return the folder of the specs that come with griddsl: in the wheel, or beside the package in a checkout."""
    package = Path(__file__).parents[1]
    inside = package / "specs"
    return inside if inside.is_dir() else package.parent / "specs"


def spec_path(name: str) -> Path | None:
    """Return the file behind a registered id, given whole or without its namespace; None for others."""
    spec_id = _id_called(name)
    return None if spec_id is None else _files.get(spec_id)


def _id_called(name: str) -> str | None:
    """Return the registered id that a name is, whole or without its namespace and version; None where it is none."""
    ids = registered()
    if name in ids:
        return name
    for spec_id in ids:
        short = spec_id.rpartition("/")[2]
        if name in {short, re.sub(r"-v[0-9]+$", "", short)}:
            return spec_id
    return None


def known_source(source: Any) -> Any:
    """Return the file, or the model, of a registered id, whole or short; anything else as it is.

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
    spec_id = _id_called(name)
    if spec_id is not None:
        return _models[spec_id] if spec_id in _models else _files[spec_id]
    if Path(source).exists():
        return source
    reason = f"there is no spec `{source}`: no file and no registered id is called so"
    if name == ANY_SPEC_ID:
        raise _unknown(
            source, f"`{name}` makes any spec, and is none itself", "name the spec: its file, or its text"
        )
    raise _unknown(source, reason, near_spec(name))


def known_variant(source: str) -> Any:
    """Return the file of ``FILE:ID`` as that variant. Raises `SpecError` where there is no such file or variant."""
    try:
        found = variant_file(source)
    except NoVariant as refused:
        raise _unknown(source, refused.reason, refused.help) from None
    if found is None and not Path(source).exists():
        file = source.rpartition(":")[0]
        raise _unknown(source, f"there is no file `{file}`", near_file(Path(file)))
    return found or source


def _unknown(source: str, reason: str, help: str | None) -> SpecError:
    report = Report()
    report.add("unreadable", Source(source, "").whole().span(), reason=reason, help=help)
    return SpecError(list(report))


def near_spec(name: str) -> str | None:
    """Return a help line with the ids or files that a name nearly is; only what follows the namespace is compared."""
    file = next((f"{name}{ending}" for ending in ENDINGS if Path(f"{name}{ending}").is_file()), None)
    if file is not None:
        return f"did you mean `{file}`?"
    short = {_short(spec_id): spec_id for spec_id in sorted(registered())}  # of its versions the last one
    asked = _letters(_short(name))
    holders = [each for each in short if len(asked) > 2 and asked in each.lower()]
    same = [each for each in short if _letters(each) == asked]
    if len(holders) > MOST_SHOWN and not same:
        return f"`griddsl list {asked}` shows the ids with that in them"
    if close := same or near(_short(name), short) or holders:
        return f"did you mean {listing(short[each] if '/' in name else each for each in close)}?"
    return near_file(Path(name)) or "`griddsl list` shows the ids"


def _letters(name: str) -> str:
    """Return what tells names apart however they are spelt: `FrozenLake` is `frozen_lake`."""
    return "".join(sign for sign in name.lower() if sign.isalnum())


def _short(spec_id: str) -> str:
    return re.sub(r"-v[0-9]+$", "", spec_id.rpartition("/")[2])


def registered() -> dict[str, Path | GridSpec]:
    """Return the files of all registered specs by id; the models of those that have none."""
    registry = gym.registry
    sources: dict[str, Path | GridSpec] = {**_files, **_models}
    return {
        spec_id: source
        for spec_id, source in sources.items()
        if spec_id in registry and registry[spec_id].entry_point == ENTRY_POINT
    }


def registered_specs() -> dict[str, Path]:
    """Return the files of all specs that were registered by a file, by id."""
    return {spec_id: source for spec_id, source in registered().items() if isinstance(source, Path)}


def _register_all() -> None:
    """Register ``griddsl/Spec-v0``, the bundled specs, those of packages and those on ``GRIDDSL_PATH``."""
    gym.register(id=ANY_SPEC_ID, entry_point=ENTRY_POINT, vector_entry_point=VECTOR_ENTRY_POINT)
    if bundled_folder().is_dir():
        register(bundled_folder())
    _register_packages()
    for path in os.environ.get(PATH_VARIABLE, "").split(os.pathsep):
        if path and Path(path).exists() and not _is_empty(Path(path)):
            try:
                kept, twice = told_apart(_named_at(Path(path).absolute()))
                for named in kept:
                    _register(named)
            except (OSError, ValueError) as error:
                warnings.warn(f"{PATH_VARIABLE}: {error}", stacklevel=2)
                continue
            for clash in twice:
                warnings.warn(f"{PATH_VARIABLE}: {clash}, which is left out", stacklevel=2)


def _is_empty(place: Path) -> bool:
    """Whether a place on the path is a folder that waits for specs."""
    return place.is_dir() and not spec_files(place)


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
    files, problems = spec_files(package.folder), []
    for file in files:
        for named in ids_of(file):  # none for a library, or a TOML file of other matters
            if named.id in gym.registry:
                where = f", from {_files[named.id]}" if named.id in _files else ""
                problems.append(f"`{named.id}` of {file} is left out, for the id is taken{where}")
            else:
                _register(named)
    if not files:
        problems.append(f"no spec is in {package.folder}")
    return problems


_register_all()
