"""The shape of the project: what importing costs, and that its guards look at something."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "griddsl"


def loaded_after(code: str) -> set[str]:
    """Return the names of the modules that a fresh interpreter has loaded after some code."""
    script = f"{code}\nimport sys\nprint('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_import__loads_nothing_that_only_some_need() -> None:
    """Importing griddsl loads neither parser, models, pictures nor command line; alone, not even Gymnasium."""
    assert not loaded_after("import griddsl") & {"gymnasium", "numpy", "griddsl.registration.ids"}
    loaded = loaded_after("import gymnasium, griddsl")
    assert "griddsl.registration.ids" in loaded
    heavy = {"lark", "pydantic", "pygame", "PIL", "typer", "rich", "numba", "scipy", "torch", "matplotlib"}
    assert not loaded & heavy


def test_check__loads_no_framework() -> None:
    """Checking a spec from the command line needs neither Gymnasium nor a window."""
    spec = ROOT / "specs" / "cliff_walking.grid"
    loaded = loaded_after(f"from griddsl.checking import check\ncheck({str(spec)!r})")
    assert "lark" in loaded
    assert not loaded & {"gymnasium", "pygame", "PIL", "numba", "scipy"}


def test_layers__name_every_room() -> None:
    """The import contract lists every room there is, so that a new one cannot slip past it."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(contract for contract in contracts if contract["type"] == "layers")
    named = {name.strip() for layer in layers["layers"] for name in layer.replace("|", ":").split(":")}
    rooms = {
        path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    rooms -= {"__init__", "__main__"}
    assert len(rooms) > 10
    assert rooms <= named | set(layers["exhaustive_ignores"])


def test_lowering__has_no_function_of_what_nobody_knows() -> None:
    """No function between the spec and its program takes or returns `Any`: mypy follows each node that it is given."""
    rooms = [PACKAGE / "lowering", PACKAGE / "spec" / "desugar"]
    functions = [
        (path, each)
        for room in rooms
        for path in room.rglob("*.py")
        for each in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(each, ast.FunctionDef)
    ]
    unknown = [
        f"{path.relative_to(PACKAGE)}:{each.lineno} {each.name}"
        for path, each in functions
        for part in ast.walk(ast.Module([*filter(None, (each.args, each.returns))], []))  # type: ignore[list-item]
        if isinstance(part, ast.Name) and part.id == "Any"
    ]
    assert len(functions) > 1900
    assert unknown == []


def test_modules__say_what_they_are_for() -> None:
    """Every module starts with a docstring, and none has a name that says nothing."""
    modules = list(PACKAGE.rglob("*.py"))
    assert len(modules) > 80
    for module in modules:
        assert ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))), module
        assert module.stem not in {"utils", "helpers", "common", "core", "manager", "misc"}, module


def test_modules__are_short_and_rooms_small() -> None:
    """No file has more than 400 lines, and no room more than 15 modules beside its first."""
    rooms = Counter(module.parent for module in PACKAGE.rglob("*.py") if module.stem != "__init__")
    assert {room: count for room, count in rooms.items() if count > 15} == {}
    lines = {module: module.read_text(encoding="utf-8").count("\n") for module in PACKAGE.rglob("*.py")}
    assert {module: count for module, count in lines.items() if count > 400} == {}


def test_names__are_used() -> None:
    """Every function, class and constant of a module is named a second time: in the package, its tests or its pages."""
    folders = ("griddsl", "tests", "docs", "examples", "benchmarks", "editors")
    files = [
        path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in {".py", ".md"}
    ]
    files = [path for path in files if "node_modules" not in path.parts]
    texts = [path.read_text(encoding="utf-8") for path in (*files, ROOT / "pyproject.toml")]
    words = Counter(word for text in texts for word in re.findall(r"\w+", text))
    names = [(path, name) for path in PACKAGE.rglob("*.py") for name in _names_of(path)]
    assert len(names) > 1_500
    unused = [(path, name) for path, name in names if words[name] == 1 and not name.startswith("__")]
    assert unused == []


def _names_of(path: Path) -> Iterator[str]:
    """Yield what a module defines; what a decorator has put into a table needs no other mention."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.FunctionDef(name=name, decorator_list=[]) | ast.ClassDef(name=name):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name


def test_wheel__carries_what_is_read_at_run_time() -> None:
    """Grammars, libraries and specs lie where the package looks for them, and types where type checkers do."""
    assert (PACKAGE / "py.typed").is_file()
    assert list((PACKAGE / "syntax").glob("*.lark"))
    assert list((PACKAGE / "libraries").glob("*.grid"))
    included = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"][
        "targets"
    ]
    assert included["wheel"]["force-include"]["specs"] == "griddsl/specs"


def test_tests__have_names_of_their_own() -> None:
    """Files of tests are imported by their names alone: two of one name cannot be collected together."""
    counted = Counter(file.name for file in (ROOT / "tests").rglob("test_*.py"))
    assert [name for name, count in counted.items() if count > 1] == []
