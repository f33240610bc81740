"""Steps a second of exported modules in Node: ``python benchmarks/in_node.py [SPEC ...]``, by itself cliff walking.

Random actions, drawn in JavaScript, and a reset after each end; the best of three runs, after one that warms up.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
from pathlib import Path

from griddsl.backends.javascript.emit import module
from griddsl.compiler import compiled

ROOT = Path(__file__).parents[1]
STEPS = 1_000_000
SCRIPT = """
import { make } from "./game.mjs";
const game = make(), [sizes] = game.program.players.map(({ actions }) => actions.map((group) => group.length));
let random = 12345;
const draw = (count) => (random = (Math.imul(random, 1103515245) + 12345) >>> 0, (random >>> 16) % count);
const play = (steps) => {
  const start = performance.now();
  for (let k = 0; k < steps; k++) {
    const told = game.step(sizes.length === 1 ? draw(sizes[0]) : sizes.map(draw));
    if (told.terminated || told.truncated) game.reset();
  }
  return steps / (performance.now() - start) * 1000;
};
game.reset({ seed: 1 });
play(STEPS / 5);
console.log(Math.max(play(STEPS), play(STEPS), play(STEPS)));
"""


def main() -> None:
    """Print a line for each spec."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("specs", nargs="*", type=Path, default=[ROOT / "specs" / "cliff_walking.grid"])
    node = shutil.which("node") or shutil.which("nodejs")
    if node is None:
        raise SystemExit("Node is not installed")
    for spec in parser.parse_args().specs:
        ready = compiled(spec)
        if len(ready.program.players) > 1:
            raise SystemExit(f"{spec}: the games of one agent are measured")
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "game.mjs").write_text(module(ready.program), encoding="utf-8")
            Path(folder, "play.mjs").write_text(SCRIPT.replace("STEPS", str(STEPS)), encoding="utf-8")
            done = subprocess.run([node, "play.mjs"], cwd=folder, capture_output=True, text=True, check=True)
        print(f"{spec.stem:28} {float(done.stdout) / 1e6:6.2f} million steps a second", flush=True)


if __name__ == "__main__":
    main()
