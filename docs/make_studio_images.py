"""Take the pictures of docs/studio.md: `python docs/make_studio_images.py`, with Chromium and Playwright."""

from __future__ import annotations

import shutil
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from PIL import Image
from playwright.sync_api import sync_playwright

from griddsl.web.studio.folder import Folder
from griddsl.web.studio.server import Studio

DOCS = Path(__file__).parent
SHOWN = ("door_key", "frozen_lake")
SIZE = {"width": 1360, "height": 900}


def main() -> None:
    """Write both pictures."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder)) as address,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_context(viewport=SIZE, reduced_motion="reduce").new_page()
        page.goto(f"{address}#door_key.grid")
        page.wait_for_selector("#board[src^='data:']")
        page.focus("#stage")
        for number, key in enumerate(("ArrowUp", "ArrowLeft", "ArrowUp"), 1):
            page.keyboard.press(key)
            page.wait_for_selector(f"#when:text('step {number} of {number}')")
        take(page, "studio_play")
        page.select_option("#specs", "frozen_lake.grid")
        page.wait_for_selector("[data-level]")
        page.select_option("[data-level]", "8x8")
        page.click("#tab-paint")
        page.select_option("#maps", "1")
        page.click("#palette button:has-text('hole')")
        page.click("#canvas [data-x='4'][data-y='0']")
        page.wait_for_selector("#shown:has-text('@...H...')")
        page.click("#text")
        page.keyboard.press("Control+End")
        page.keyboard.type("on enter hole: reward = -1")
        page.keyboard.press("Escape")
        page.wait_for_selector("#shown .rule:text-is('on') >> nth=2")
        take(page, "studio_paint")
        browser.close()


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a studio that shows `SHOWN`."""
    for name in SHOWN:
        shutil.copy(DOCS.parent / "specs" / f"{name}.grid", folder)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        studio = Studio(Folder(folder), listening.getsockname()[1])
        server = uvicorn.Server(uvicorn.Config(studio.app(), log_level="warning", ws="websockets-sansio"))
        serving = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        serving.start()
        yield studio.address
        server.should_exit = True
        serving.join(10)


def take(page: Any, name: str) -> None:
    """Write what the page shows, in 256 colours."""
    path = DOCS / "images" / f"{name}.png"
    path.write_bytes(page.screenshot())
    Image.open(path).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    main()
