"""``griddsl new --package``: a package of specs that pip installs, with tests and a workflow."""

from __future__ import annotations

import keyword
import re
import shutil
import sys
from pathlib import Path

from griddsl.cli.failures import ERRORS, Refusal, harmless
from griddsl.cli.texts import templates
from griddsl.files.writing import write_together

_NAME = re.compile(r"(?=[A-Za-z])[A-Za-z0-9]+([ _.-][A-Za-z0-9]+)*")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+[a-z]*")
SPEC_ID = "{short}/FirstRoom-v0"
STANDARD = sys.stdlib_module_names | {"test"}  # which is not listed
# What `pyproject.toml` asks for, as it is installed and as it is imported, and what tests and extras import.
_NEEDED = """anywidget duckdb gymnasium hypothesis ipython jax jsonschema lark lsprotocol minari mkdocs numba numpy
    pettingzoo pil pillow pyarrow pydantic pygame pygls pytest ray rich scipy starlette textarena torch typer uvicorn
    verifiers websockets"""
NEEDED = frozenset(_NEEDED.split())


def package_files(name: str) -> tuple[str, dict[str, str]]:
    """Return what pip calls a new package, and its files by their paths. Refuses a name that cannot name one."""
    found = _NAME.fullmatch(name.strip())
    words = [word.lower() for word in _WORD.findall(name)]
    if found is None or not words:
        raise Refusal(f"`{name}` cannot name a package", "a name is of letters and digits: frosty-lakes")
    module = "_".join(words)
    if not module.isidentifier() or keyword.iskeyword(module) or module == "griddsl":
        raise Refusal(f"`{module}` cannot be the name of a module", "take another one: frosty-lakes")
    whose = "Python's own" if module in STANDARD else "what griddsl needs" if module in NEEDED else None
    if whose is not None:
        raise Refusal(
            f"`{module}` cannot be the name of a package: `import {module}` brings {whose}",
            "take another one: frosty-lakes",
        )
    short = "_".join(words[1:] if words[0] == "griddsl" else words)
    names = {"distribution": "-".join(words), "module": module, "short": short}
    names["id"] = SPEC_ID.format(**names)
    spec = f"{module}/specs/first_room.grid"
    return names["distribution"], {
        "pyproject.toml": templates.PYPROJECT.format(**names),
        "README.md": templates.README.format(**names),
        ".gitignore": templates.IGNORED,
        ".github/workflows/tests.yml": templates.WORKFLOW.format(**names),
        f"{module}/__init__.py": templates.INIT,
        spec: templates.STARTER.format(id=names["id"], file=spec),
        "tests/test_specs.py": templates.TESTS.format(**names),
    }


def write_package(name: str, folder: Path) -> None:
    """Write a package into a new folder of its name, and say what can be done with it."""
    distribution, files = package_files(name)
    home = folder / distribution
    if home.exists():
        raise Refusal(f"`{home}` exists already", "choose another name, or remove it first", ERRORS)
    home.mkdir(parents=True)
    try:
        for path in files:
            (home / path).parent.mkdir(parents=True, exist_ok=True)
        write_together({home / path: text for path, text in files.items()})
    except BaseException:  # a disk that is full, the user's Ctrl+C: it is new, so all of it goes
        shutil.rmtree(home, ignore_errors=True)
        raise
    spec = next(path for path in files if path.endswith(".grid"))
    print(harmless(f"wrote {home}: {', '.join(files)}"))
    print(harmless(f"play it: griddsl run {home / spec}"))
    print(harmless(f"install it: pip install -e {home}"))
