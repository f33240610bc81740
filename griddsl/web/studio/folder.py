"""The folder of a studio: which specs lie in it, and their reading and writing, never outside of it."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

from griddsl.diagnostics import Refused
from griddsl.files.writing import write, write_new

ENDINGS = (".grid", ".toml")
MOST_SPECS = 1_000
MOST_FOLDERS = 2_000
LARGEST = 9_000_000  # bytes
_NOT_OURS = {"node_modules", "__pycache__", "build", "dist", "site-packages"}


class Changed(Refused):
    """A file holds something else than whoever wants to write it has read."""


def digest_of(content: bytes) -> str:
    """Return what tells two contents of a file apart."""
    return sha256(content).hexdigest()


class Folder:
    """A folder, or the folder of one spec, which alone is shown then.

    Raises `Refused` for a path that is neither.
    """

    def __init__(self, path: Path) -> None:
        if not path.exists():
            raise Refused(f"there is no file and no folder `{path}`")
        if path.is_file() and path.suffix not in ENDINGS:
            raise Refused(f"`{path}` is no spec: it ends in neither .grid nor .toml")
        self.only = path.name if path.is_file() else None
        self.root = (path.parent if path.is_file() else path).resolve()

    def specs(self) -> list[str]:
        """Return the specs as paths below the folder, with `/`, in order; at most so many."""
        if self.only is not None:
            return [self.only]
        found: list[str] = []
        for folders, (folder, inner, files) in enumerate(os.walk(self.root)):
            if folders > MOST_FOLDERS or len(found) >= MOST_SPECS:
                break
            inner[:] = sorted(each for each in inner if not each.startswith(".") and each not in _NOT_OURS)
            for file in sorted(files):
                path = Path(folder, file)
                if self._is_spec(path):
                    found.append(path.relative_to(self.root).as_posix())
        return found[:MOST_SPECS]

    def _is_spec(self, path: Path) -> bool:
        if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(self.root):
            return False
        return path.suffix == ".grid" or (path.suffix == ".toml" and _reads_as_spec(path))

    def path(self, name: str) -> Path:
        """Return the path of a spec by its name. Raises `Refused` for what is none, or lies elsewhere."""
        path = Path(os.path.realpath(self.root / name.replace("\0", "/../../")))
        if not path.is_relative_to(self.root):
            raise Refused(f"`{name}` lies outside of {self.root}")
        if path.suffix not in ENDINGS or any(
            part.startswith(".") for part in path.relative_to(self.root).parts
        ):
            raise Refused(f"`{name}` is no spec: it ends in neither .grid nor .toml")
        if self.only is not None and name != self.only:
            raise Refused(f"only `{self.only}` is open")
        return path

    def read(self, name: str) -> tuple[str, str]:
        """Return the text of a spec and its digest. Raises `Refused` where it cannot be read."""
        path = self.path(name)
        try:
            if path.stat().st_size > LARGEST:
                raise Refused(f"`{name}` is larger than {LARGEST:,} bytes")
            content = path.read_bytes()
            return content.decode("utf-8-sig").replace("\r\n", "\n"), digest_of(content)
        except UnicodeDecodeError:
            raise Refused(f"`{name}` is not UTF-8") from None
        except OSError as error:
            raise Refused(f"`{name}` cannot be read: {error.strerror}") from None

    def digest(self, name: str) -> str:
        """Return the digest of a spec as it lies on the disk; empty where there is none."""
        try:
            return digest_of(self.path(name).read_bytes())
        except OSError:
            return ""

    def write(self, name: str, text: str, expected: str | None) -> str:
        """Write a spec whole, and return its digest; `Changed` where it is not as ``expected``, if that is given."""
        path = self.path(name)
        if expected is not None and self.digest(name) != expected:
            raise Changed(f"`{name}` was changed by somebody else meanwhile")
        content = text.encode()
        try:
            write(path, content)
        except OSError as error:
            raise Refused(f"`{name}` cannot be written: {error.strerror}") from None
        return digest_of(content)

    def create(self, name: str, text: str) -> None:
        """Write a new spec. Raises `Refused` where there is one of that name."""
        path = self.path(name)
        try:
            write_new(path, text)
        except FileExistsError:
            raise Refused(f"there is a `{name}` already") from None
        except OSError as error:
            raise Refused(f"`{name}` cannot be written: {error.strerror}") from None


def _reads_as_spec(path: Path) -> bool:
    """Whether a TOML file has the key that every spec has: `pyproject.toml` has not."""
    try:
        with path.open("rb") as file:
            start = file.read(4_096)
    except OSError:
        return False
    return any(line.split(b"=")[0].strip() == b"env" for line in start.splitlines())
