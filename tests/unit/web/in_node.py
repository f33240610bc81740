"""The player's files without a page: games played in Node as they are in a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from griddsl.backends.javascript.emit import module
from griddsl.compiler import compiled
from griddsl.web.bundle import bundle
from griddsl.web.page import described, game

NODE = shutil.which("node") or shutil.which("nodejs")
SPECS = sorted(Path(__file__).parents[3].joinpath("specs").glob("*.grid"))
needs_node = pytest.mark.skipif(NODE is None, reason="Node is not installed")


def in_node(source: Any, folder: Path, script: str, exact: bool = False) -> Any:
    """Run a script beside the module of a spec and the files of the player; return what it prints as JSON.

    It finds ``make`` and ``data``, and what `session.js`, `controls.js`, `scene.js` and `optimal.js` export.
    """
    ready = compiled(source)
    (folder / "game.mjs").write_text(module(ready.program, traced=True), encoding="utf-8")
    for name in ("game/session", "controls", "game/scene", "optimal"):
        (folder / f"{name.rpartition('/')[2]}.mjs").write_text(bundle(f"{name}.js"), encoding="utf-8")
    data = {**described(ready), "game": {**game(ready, exact), "params": {}}}
    (folder / "data.json").write_text(json.dumps(data), encoding="utf-8")
    head = """import { make } from "./game.mjs";
import { readFileSync } from "node:fs";
import { Session } from "./session.mjs";
import { Controls } from "./controls.mjs";
import { boardInWords, cellInWords, sceneOf, viewLeafOf, viewOf } from "./scene.mjs";
import { Optimal } from "./optimal.mjs";
const data = JSON.parse(readFileSync("data.json", "utf8"));
const facts = { ...data.facts, params: data.game.params, fingerprint: data.game.fingerprint };
let random = 12345;
const pick = (n) => (random = (Math.imul(random, 1103515245) + 12345) >>> 0) % 65536 % n;
Math.random = () => pick(65536) / 65536;
"""
    (folder / "script.mjs").write_text(head + script, encoding="utf-8")
    assert NODE is not None
    done = subprocess.run([NODE, "script.mjs"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)
