"""The studio's page in a real browser: typed, mended, painted, played, saved, and followed when others save."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from griddsl.web.studio.folder import Folder
from tests.unit.web.chromium import browser, needs_chromium

SPEC = """env: test/Pond-v0
    "<img src=x onerror=alert(1)>"
map:
    @..w
    ...G
legend: w = pond, G = goal
actions: up, down, left, right
each step: reward -1
on enter goal: reward 10, end success
on enter pond: end failure
observe: grid
limit: 20
"""


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[str]:
    """The address of a studio that serves a folder with one spec."""
    needs_chromium()
    uvicorn = pytest.importorskip("uvicorn", reason="the studio's server is not installed")
    from griddsl.web.studio.server import Studio

    (tmp_path / "pond.grid").write_text(SPEC)
    listening = socket.create_server(("127.0.0.1", 0))
    made = Studio(Folder(tmp_path), listening.getsockname()[1])
    server = uvicorn.Server(uvicorn.Config(made.app(), log_level="warning", ws="websockets-sansio"))
    serving = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    serving.start()
    yield made.address
    server.should_exit = True
    serving.join(10)
    listening.close()


@pytest.fixture
def shown(studio: str) -> Iterator[Any]:
    """The page, with the game on it; afterwards nothing stood in the console, and nobody else was asked."""
    with browser() as opened:
        page = opened.new_page(viewport={"width": 1300, "height": 900})
        told: list[str] = []
        page.on("console", lambda message: told.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: told.append(f"error: {error}"))
        own = studio.removeprefix("http://").partition("/")[0]
        page.on(
            "request",
            lambda asked: told.extend(
                [] if own in asked.url or asked.url.startswith("data:") else [asked.url]
            ),
        )
        page.goto(studio)
        page.wait_for_selector("#board[src^='data:']")
        yield page
        assert told == []


def test_page__is_written_painted_and_played(shown: Any, tmp_path: Path) -> None:
    """One sitting: keys play, a mistake is told and mended, a cell is painted, the file is saved."""
    file = tmp_path / "pond.grid"
    shown.focus("#stage")
    shown.keyboard.press("ArrowDown")
    shown.wait_for_selector("#when:text('step 1 of 1')")
    assert "each step" in shown.inner_text("#fired") and "last reward" in shown.inner_text("#facts")

    shown.click("#text")
    shown.keyboard.press("Control+End")
    shown.keyboard.type("on bmp wall: reward -1")
    shown.wait_for_selector("#problems b:text('syntax')")
    assert "pond.grid:13:4" in shown.inner_text("#problems")
    assert shown.locator("#shown .bad").inner_text() == "bmp"
    shown.click("#problems button:text('Apply')")
    shown.wait_for_selector("#problems:not(:has-text('bmp'))")
    assert shown.input_value("#text").endswith("on bump wall: reward -1")

    shown.click("#tab-paint")
    shown.click("#palette button:has-text('pond')")
    shown.click("#canvas [data-x='1'][data-y='0']")
    shown.wait_for_selector("#shown:has-text('@w.w')")
    assert "    @w.w\n    ...G\n" in shown.input_value("#text") and file.read_text() == SPEC
    shown.keyboard.press("Control+s")
    shown.wait_for_selector("#state:text-is('saved')")
    assert file.read_text() == SPEC.replace("@..w", "@w.w") + "on bump wall: reward -1"

    shown.click("#tab-values")
    shown.click("#solve")
    shown.wait_for_selector("#heat[src^='data:']")
    assert "optimal return 6," in shown.inner_text("#solved")
    shown.click("#tab-resets")
    shown.wait_for_selector("#thumbs button")
    assert shown.locator("#thumbs button").count() == 64


def test_page__follows_the_file_and_asks_before_it_overwrites(shown: Any, tmp_path: Path) -> None:
    """What another editor saves is shown; where both changed it, the page says so and the file stays."""
    file = tmp_path / "pond.grid"
    file.write_text(SPEC.replace("limit: 20", "limit: 33"))
    shown.wait_for_selector("#shown:has-text('limit: 33')")
    shown.click("#text")
    shown.keyboard.press("Control+End")
    shown.keyboard.type("# mine")
    shown.wait_for_selector("#state:text('not saved')")
    file.write_text(SPEC + "# theirs\n")
    shown.wait_for_selector("#contest:visible")
    shown.keyboard.press("Control+s")
    shown.wait_for_timeout(300)
    assert file.read_text().endswith("# theirs\n")
    shown.click("#take")
    shown.wait_for_selector("#shown:has-text('# theirs')")
    shown.click("#undo")
    shown.wait_for_selector("#shown:has-text('# mine')")


def test_page__keeps_what_is_typed_fast(shown: Any) -> None:
    """Two hundred keys as fast as a browser sends them are all there, in order."""
    line = "# " + "".join(chr(97 + k % 26) for k in range(200))
    shown.click("#text")
    shown.keyboard.press("Control+End")
    shown.keyboard.type(line)
    shown.wait_for_timeout(1500)
    assert shown.input_value("#text") == SPEC + line
    assert shown.inner_text("#shown").rstrip("\n").endswith(line)


def test_page__offers_words_and_takes_them_back(shown: Any) -> None:
    """A list below the caret says what may stand there; Enter writes it, Escape closes it, undo takes it back."""
    pytest.importorskip("lsprotocol", reason="pygls is not installed")
    shown.click("#text")
    shown.keyboard.press("Control+End")
    shown.keyboard.type("on enter po")
    shown.wait_for_selector("#offers [aria-selected=true]:has-text('pond')")
    assert shown.get_attribute("#text", "aria-activedescendant") == "offer-0"
    shown.keyboard.press("Enter")
    assert shown.input_value("#text") == SPEC + "on enter pond" and shown.is_hidden("#offers")
    shown.keyboard.type(": re")
    shown.wait_for_selector("#offers [role=option]:has-text('reward')")
    shown.keyboard.press("Escape")
    assert shown.is_hidden("#offers") and shown.input_value("#text") == SPEC + "on enter pond: re"
    shown.keyboard.press("Control+Space")
    shown.wait_for_selector("#offers [role=option]:has-text('reward')")
    shown.keyboard.press("ArrowDown")
    shown.keyboard.press("ArrowUp")
    shown.click("#offers [role=option]:has-text('reward')")
    assert shown.input_value("#text").startswith(SPEC + "on enter pond: reward")
    for _ in range(3):
        shown.keyboard.press("Control+z")
        shown.wait_for_timeout(120)
    assert "reward" not in shown.input_value("#text").removeprefix(SPEC)
