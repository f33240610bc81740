"""What a user names: files, folders, registered ids, and parameters as ``name=value``."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from griddsl.cli.failures import Refusal
from griddsl.diagnostics.suggest import listing, near
from griddsl.registration.variants import NoVariant, variant_file, where_it_is
from griddsl.source import is_file

ENDINGS = (".grid", ".toml")
DRAWN = {".tmx", ".ldtk"}
STANDARD = "-"  # standard input
MOST_BYTES = 8_000_000
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_REAL = re.compile(r"[+-]?([0-9]+\.[0-9]*|\.?[0-9]+)([eE][+-]?[0-9]{1,3})?")
_PERCENT = re.compile(r"[+-]?[0-9]{1,9}(\.[0-9]{1,9})?%")
_RATIO = re.compile(r"([0-9]{1,9})/([1-9][0-9]{0,8})")
_STATEMENT = re.compile(r"^(env|map|maps|generate)\b[^\n:=]*[:=]", re.MULTILINE)
_ENV = re.compile(r"^env\s*[:=]", re.MULTILINE)


def find_spec(name: str) -> Path:
    """Return the file that a user means: a file, or a registered id, whole or short. Refuses with near names."""
    path = Path(name)
    if not name.strip():
        raise Refusal("which spec? the name is empty", "name a file, or an id such as CliffWalking")
    _refuse_text(name)
    if path.is_file():
        if path.suffix.lower() in DRAWN:
            line = f'import: "{path.name}"'
            raise Refusal(
                f"`{name}` is a drawn level, and no spec", f"a spec in its folder reads it: `{line}`"
            )
        return path
    try:
        known = _registered(name) or variant_file(name)
    except NoVariant as refused:
        raise Refusal(refused.reason, refused.help) from None
    if known is not None:
        return known
    if path.is_dir():
        raise Refusal(f"`{name}` is a folder", _near_file(name, path) or "name one spec in it")
    if name.lower().endswith(ENDINGS):
        help = _near_file(path.name, path.parent)
        if re.search(r"[*?\[]", path.name):
            help = f"no file there is called so, and a folder brings all specs in it: `{path.parent}`"
        if path.is_symlink():
            help = f"it is a link to `{path.readlink()}`, which leads to no file"
        raise Refusal(f"there is no file `{name}`", help)
    from griddsl.registration.ids import near_spec

    help = where_it_is(name) or near_spec(name)
    raise Refusal(f"there is no spec `{name}`, neither a file nor a registered id", help)


def _refuse_text(name: str) -> None:
    """Refuse a spec's text where its name belongs, which the system would take for that of a file; and `-`."""
    help = f"write it to a file, and name that; `check {STANDARD}` and `fmt {STANDARD}` read standard input"
    if name == STANDARD and not Path(name).exists():
        raise Refusal(
            "standard input is read by `check` and `fmt` alone", "write it to a file, and name that"
        )
    if not (_STATEMENT.search(name) or len(name.splitlines()) > 1) or is_file(Path(name)):
        return
    line = next(line for line in name.splitlines() if line.strip()).strip()
    raise Refusal(f"`{line[:60]} ...` is the text of a spec, and a verb takes the name of one", help)


def _registered(name: str) -> Path | None:
    """Return the file behind a registered id, whole or short; None for what can be no id."""
    if name.lower().endswith(ENDINGS):
        return None
    from griddsl.registration.ids import spec_path

    return spec_path(name)


def spec_files(names: Sequence[str], endings: tuple[str, ...] = ENDINGS) -> Iterator[Path]:
    """Yield the files and registered specs that are named, and the specs in folders. Refuses what does not exist."""
    for name in names:
        if not name.strip():
            raise Refusal("which spec? the name is empty", "name a file or a folder")
        _refuse_text(name)
        path = Path(name)
        if path.is_dir():
            found = [file for file in sorted(path.rglob("*")) if file.suffix in endings and _is_spec(file)]
            if not found:
                raise Refusal(f"there is no spec in the folder `{name}`", _looked_for(path, endings))
            yield from found
        elif path.exists():
            yield path
        else:
            yield find_spec(name)


def _looked_for(folder: Path, endings: tuple[str, ...]) -> str:
    """Say what was looked for in a folder that has no spec: files by their ends, which are no libraries."""
    ends = " or ".join(endings)
    others = [file for file in sorted(folder.rglob("*")) if file.suffix in endings and file.is_file()]
    if not others:
        return f"no file in it, or in the folders in it, ends with {ends}; `griddsl new MyWorld` writes one"
    shown = others[0].relative_to(folder).as_posix()
    return f"`{shown}` has no `env:` statement, as a library has none; name the file to check it alone"


def standard_input() -> bytes:
    """Return what stands on standard input, up to what is more than any spec has."""
    return sys.stdin.buffer.read(MOST_BYTES + 1)


def alone(names: Sequence[str]) -> bool:
    """Whether standard input is named. Refuses it beside files."""
    if STANDARD in names and len(names) > 1:
        raise Refusal(f"`{STANDARD}` stands alone", "name files and standard input one after the other")
    return STANDARD in names


def parse_params(
    texts: Iterable[str], level: str | None = None, what: str = "parameter", example: str = "--param size=8"
) -> dict[str, Any]:
    """Return ``name=value`` texts as keywords; values are true, false, numbers or words.

    An error says ``what`` each is, and shows an ``example``: the option, and what may stand behind it.
    """
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip().isidentifier():
            option = example.partition(" ")[0]
            raise Refusal(f"`{text}` is no {what}", f"write `{option} name=value`, as in `{example}`")
        found[name.strip()] = value_of(value.strip())
    if level is not None:
        found["level"] = level
    return found


def value_of(text: str) -> bool | int | float | str:
    """Return what a value in a command says: a truth value, a number, or the word itself."""
    if text.lower() in {"true", "false"}:  # Python's words too
        return text.lower() == "true"
    if _WHOLE.fullmatch(text):
        return int(text)
    if _REAL.fullmatch(text):
        return float(text)
    if _PERCENT.fullmatch(text):
        return float(Fraction(text[:-1]) / 100)
    ratio = _RATIO.fullmatch(text)
    return int(ratio.group(1)) / int(ratio.group(2)) if ratio else text


def _is_spec(path: Path) -> bool:
    """Whether a file of a folder is a spec: not the library that others use, and no other TOML."""
    if not path.is_file():
        return False  # a folder, a pipe, a link to nothing
    try:
        if path.stat().st_size > MOST_BYTES:
            return path.suffix == ".grid"
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return True
    return bool((_ENV if path.suffix == ".toml" else _STATEMENT).search(text))


def _near_file(name: str, folder: Path) -> str | None:
    try:
        files = {path.stem: path.name for path in sorted(folder.iterdir()) if path.suffix in ENDINGS}
    except OSError:
        return f"there is no folder `{folder}`"
    found = [files[stem] for stem in near(Path(name).stem, files)]
    return f"did you mean {listing(found)}?" if found else None
