"""Policy files: a zip of what a policy is (``policy.json``), its numbers (``arrays.npz``), and those with which it goes
on to be learned (``learning.npz``); nothing in it is code."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from griddsl.compiler import compiled
from griddsl.diagnostics import Refused
from griddsl.files.places import check_path, check_regular, is_empty
from griddsl.files.writing import write
from griddsl.loading import resolve
from griddsl.training.failures import TrainingError
from griddsl.training.identity import game_hash

FORM = 1
ENDING = ".policy"
MOST_BYTES = 2_000_000_000
Arrays = dict[str, np.ndarray[Any, Any]]


class Policy(Protocol):
    """What chooses actions by what it observes, as Stable-Baselines3's models do."""

    def predict(
        self, observation: Any, deterministic: bool = True, action_masks: Any = None
    ) -> tuple[Any, None]:
        """Return an action, one of those that a mask allows, and no state."""
        ...

    def arrays(self) -> Arrays:
        """Return the numbers that it is made of."""
        ...

    def learning(self) -> Arrays:
        """Return what a training needs besides, to go on; nothing for what was read from a file."""
        ...


@dataclass(frozen=True)
class About:
    """What a policy was trained on and how; all of it stands in its file.

    ``history`` holds rows (steps, mean return of the episodes that ended since the last row, how many ended).
    """

    learner: str
    spec: str
    game: str  # the hash of the game
    params: dict[str, Any]
    observation: str
    seed: int
    steps: int
    griddsl: str
    settings: dict[str, Any] = field(default_factory=dict)
    history: list[tuple[int, float, int]] = field(default_factory=list)


def save(path: str | os.PathLike[str], about: About, policy: Policy) -> None:
    """Write a policy file, whole or not at all; the same policy makes the same file, byte by byte."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr(_entry("policy.json"), json.dumps({"form": FORM, **asdict(about)}, indent=1))
        for name, arrays in (("arrays.npz", policy.arrays()), ("learning.npz", policy.learning())):
            content = io.BytesIO()
            np.savez_compressed(content, **arrays)  # type: ignore[arg-type]
            archive.writestr(_entry(name), content.getvalue())
    write(path, whole.getvalue())


def _entry(name: str) -> zipfile.ZipInfo:
    """Return an entry of an archive that does not tell when it was written."""
    entry = zipfile.ZipInfo(name)
    entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
    return entry


def is_policy_file(path: str | os.PathLike[str]) -> bool:
    """Whether a path leads to a policy file, by what is in it."""
    try:
        with zipfile.ZipFile(check_regular(path)) as archive:
            return {"policy.json", "arrays.npz"} <= set(archive.namelist())
    except (OSError, zipfile.BadZipFile, ValueError):
        return False


def check_output(path: str | os.PathLike[str]) -> None:
    """Raise where a policy file cannot be written, or would take the place of a file that is none."""
    ending = check_path(path).suffix
    if ending in {".grid", ".toml"}:
        name = f"name it otherwise, such as {Path(path).with_suffix(ENDING)}"
        raise TrainingError(f"cannot write {path}: that is the name of a spec, and a policy is none", name)
    if not is_empty(path) and not is_policy_file(path):
        raise TrainingError(
            f"cannot write {path}: a file is there that is no policy of griddsl",
            "name a new file, or the policy that is to be written anew",
        )


def read(path: str | os.PathLike[str], part: str = "arrays.npz") -> tuple[About, Arrays]:
    """Return what a policy file holds; raise `ValueError` for any other file, and `OSError` where there is none."""
    name = Path(path).name
    try:
        with zipfile.ZipFile(check_regular(path)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > MOST_BYTES:
                raise TrainingError(f"`{name}` holds more than a policy can")
            said = json.loads(archive.read("policy.json"))
            if part == "learning.npz" and part not in archive.namelist():
                raise TrainingError(
                    f"`{name}` was written by an older griddsl, which kept nothing to go on with"
                )
            with np.load(io.BytesIO(archive.read(part)), allow_pickle=False) as numbers:
                arrays = {key: numbers[key] for key in numbers.files}
        if said.pop("form") != FORM:
            raise TrainingError(f"`{name}` was written by another griddsl, {said.get('griddsl')}")
        if any(array.dtype.kind not in "biuf" for array in arrays.values()):
            raise TrainingError(f"`{name}` holds other things than numbers")
        if part == "arrays.npz" and not all(np.isfinite(array).all() for array in arrays.values()):
            raise TrainingError(
                f"`{name}` holds numbers that are not finite: its training ran away",
                "a smaller learning rate, as in `--set learning_rate=0.0003`, keeps it",
            )
        said["history"] = [(int(done), float(mean), int(ended)) for done, mean, ended in said["history"]]
        return About(**said), arrays
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError, EOFError, AttributeError) as error:
        if isinstance(error, Refused):
            raise
        raise TrainingError(f"`{name}` is no policy file of griddsl: `griddsl train` writes one") from None


def load(path: str | os.PathLike[str], source: Any, params: Mapping[str, Any], transfer: bool = False) -> Any:
    """Return the policy of a file and what it is about, for a spec; ``params`` as given there.

    Raises `ValueError` where it was trained in another game, unless ``transfer`` says that this is meant, and where
    its numbers do not fit the observations and actions of the spec.
    """
    from griddsl.training.learners import player_of

    about, arrays = read(path)
    here = game_hash(source, **params)
    if here != about.game and not transfer:
        raise TrainingError(
            f"`{Path(path).name}` was trained in another game: {_words(about.spec, about.params)}, hash {about.game}; "
            f"this one has the hash {here}",
            "`--transfer` plays it here nevertheless",
        )
    player = player_of(about.learner)
    try:
        spec = compiled(resolve(source), **{**params, "observation": about.observation})
        return about, player.restored(spec, about, arrays)
    except KeyError as error:
        raise TrainingError(f"`{Path(path).name}` does not fit this spec: {error} is not in it") from None
    except (ValueError, IndexError) as error:
        raise TrainingError(f"`{Path(path).name}` does not fit this spec: {error}") from None


def _words(spec: str, params: Mapping[str, Any]) -> str:
    given = ", ".join(f"{name}={value}" for name, value in params.items())
    return f"{spec} with {given}" if given else spec
