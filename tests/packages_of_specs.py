"""Packages of specs as pip leaves them in a folder: the files, and the metadata that names the entry point."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SPEC = (
    "env: {id}\nmap:\n    @.G\nlegend: G = goal\nactions: left, right\nobserve: cell\n"
    "on enter goal: end success\nlimit: 9 steps\n"
)


def install(
    site: Path, name: str, files: dict[str, str], value: str | None = None, point: str | None = None
) -> None:
    """Write the files of a package ``name`` and its metadata, with an entry point called ``point``."""
    for path, text in files.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(text, encoding="utf-8")
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    entry = f"[console_scripts]\nx = y:z\n\n[griddsl.specs]\n# a remark\n{point or name} = {value or f'{name}.specs'}\n"
    (info / "entry_points.txt").write_text(entry, encoding="utf-8")


def run(site: Path, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run Python with the folder on its path, warnings shown."""
    paths = os.pathsep.join([str(ROOT), str(site)])
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd or site,
        env={**os.environ, "PYTHONPATH": paths, "SDL_VIDEODRIVER": "dummy"},
        capture_output=True,
        text=True,
        timeout=120,
    )
