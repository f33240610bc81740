"""Exported pages in Chromium: size, time to open, and the frames of an episode that is played with its motion.

``python benchmarks/pages.py [SPEC ...]``, with Chromium installed and ``pip install playwright``: a line for each spec,
the bundled ones where none is named. Frames are counted while eight random moves a second slide over the board; what a
frame costs is the time of its drawing, which has 16.7 ms at 60 frames a second.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

from griddsl.web.page import page

ROOT = Path(__file__).parents[1]
SECONDS = 2.0
COUNTING = """
globalThis.frames = [];
const ask = globalThis.requestAnimationFrame;
globalThis.requestAnimationFrame = (draw) => ask((now) => {
  const start = performance.now();
  draw(now);
  globalThis.frames.push([start, performance.now() - start]);
});
"""


def measured(browser: Any, spec: Path, file: Path) -> tuple[float, float, float, float, float]:
    """Return kB, milliseconds until it is there, frames a second, and milliseconds of a frame: median and 99 of 100."""
    file.write_text(page(spec), encoding="utf-8")
    shown = browser.new_page(viewport={"width": 1200, "height": 800})
    shown.add_init_script(COUNTING)
    shown.goto(file.as_uri())
    shown.wait_for_function("globalThis.griddsl !== undefined")
    opened = shown.evaluate("performance.getEntriesByType('navigation')[0].domComplete")
    shown.click("[data-command=auto]")
    shown.wait_for_timeout(500)
    shown.evaluate("frames.length = 0")
    shown.wait_for_timeout(SECONDS * 1000)
    frames = shown.evaluate("frames")
    shown.close()
    # Nothing is drawn while nothing moves: what counts are frames that follow each other in one motion.
    gaps = [later[0] - earlier[0] for earlier, later in pairwise(frames)]
    moving = [gap for gap in gaps if gap < 100]
    costs = sorted(cost for _, cost in frames)
    rate = 1000 / statistics.median(moving) if moving else 0.0
    late = costs[int(0.99 * (len(costs) - 1))] if costs else 0.0
    return file.stat().st_size / 1000, opened, rate, statistics.median(costs or [0.0]), late


def main() -> None:
    """Print the table."""
    from playwright.sync_api import sync_playwright

    from tests.unit.web.chromium import CHROMIUM

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("specs", nargs="*", type=Path)
    specs = parser.parse_args().specs or sorted(ROOT.joinpath("specs").glob("*.grid"))
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        print(f"{'spec':28} {'kB':>5} {'opens, ms':>10} {'frames/s':>9} {'drawing, ms':>12} {'99 %':>6}")
        for spec in specs:
            size, opened, rate, cost, late = measured(browser, spec, Path(folder) / "game.html")
            print(
                f"{spec.stem:28} {size:5.0f} {opened:10.0f} {rate:9.1f} {cost:12.2f} {late:6.1f}", flush=True
            )
        browser.close()


if __name__ == "__main__":
    main()
