"""How long each family of specs is, and how long the original's code for the same rules.

Run with minigrid and lbforaging installed: ``python benchmarks/sizes.py``; ``--write`` puts the table into
docs/performance.md. A line counts where it says something: no blanks, comments and documentation, and on the side of
the originals no function that draws.
"""

from __future__ import annotations

import argparse
import ast
import re
from importlib.util import find_spec
from pathlib import Path

from minatar_games import lines_of_code, lines_of_spec
from timing import PAGE, write

ROOT = Path(__file__).parents[1]
SPECS, LIBRARIES = ROOT / "specs", ROOT / "griddsl" / "libraries"
# A family: the ids of its specs, the library that they share; the original's modules, and those that these share.
FAMILIES = {
    "MiniGrid": ("MiniGrid-", "minigrid", "minigrid.envs", ("minigrid.minigrid_env", "minigrid.core")),
    "BabyAI": ("BabyAI-", "babyai", "minigrid.envs.babyai", ("minigrid.envs.babyai.core",)),
    "Gymnasium's toy text": (r"(Taxi|FrozenLake|CliffWalking)-v", None, "gymnasium.envs.toy_text", ()),
    "Level-Based Foraging": ("LevelBasedForaging-v", None, "lbforaging.foraging.environment", ()),
}
NOT_RESTATED = {"wfc.py", "blackjack.py", "utils.py"}  # Wave Function Collapse, cards, and what draws numbers
HEAD = "| family | specs | lines | of what they share | the original's modules | lines | of what they share |"


def files_of(module: str) -> list[Path]:
    """Return the file of a module, or those of a package's own folder."""
    found = find_spec(module)
    assert found is not None and found.origin is not None, f"{module} is not installed"
    path = Path(found.origin)
    files = sorted(path.parent.glob("*.py")) if path.name == "__init__.py" else [path]
    return [file for file in files if file.name != "__init__.py" and file.name not in NOT_RESTATED]


def lines_of_rules(file: Path) -> int:
    """Return how many lines of a module say something, those of functions that draw left out."""
    text = file.read_text(encoding="utf-8")
    lines = text.split("\n")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and "render" in node.name and node.end_lineno is not None:
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            drawing = range(first - 1, node.end_lineno)
            for place in drawing:
                lines[place] = " " * node.col_offset + "pass" if place == drawing[0] else ""
    return lines_of_code("\n".join(lines))  # a drawing function counts as one line


def row(family: str) -> str:
    """Measure a family; return its row. Variants, which say no rules, are not counted."""
    ids, library, package, shared = FAMILIES[family]
    texts = [path.read_text(encoding="utf-8") for path in sorted(SPECS.glob("*.grid"))]
    texts = [text for text in texts if re.search(rf"^(env|variant):? \S*/{ids}", text, flags=re.MULTILINE)]
    specs = sum(lines_of_spec(re.sub(r"^variant .*\n(?:    .*\n)*", "", text, flags=re.M)) for text in texts)
    common = (
        "-" if library is None else str(lines_of_spec((LIBRARIES / f"{library}.grid").read_text("utf-8")))
    )
    modules = files_of(package)
    code = sum(map(lines_of_rules, modules))
    base = sum(lines_of_rules(file) for each in shared for file in files_of(each))
    return f"| {family} | {len(texts)} | {specs} | {common} | {len(modules)} | {code} | {base or '-'} |"


def main() -> None:
    """Count all, and print or write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.name}")
    lines = [HEAD, re.sub(r"[^|]+", "---", HEAD), *map(row, FAMILIES)]
    print("\n".join(lines))
    if parser.parse_args().write:
        write("sizes", lines)


if __name__ == "__main__":
    main()
