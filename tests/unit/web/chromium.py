"""Chromium, driven by Playwright: skipped with a word where either is missing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

LOCAL = ("file:", "data:", "blob:")


def needs_chromium() -> None:
    """Skip the test where there is no browser, or nothing to drive it with."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed: apt-get install chromium")
    pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: pip install playwright")


@contextmanager
def browser() -> Iterator[Any]:
    """Open a browser of its own, without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield opened
        finally:
            opened.close()


@contextmanager
def page_of(opened: Any, file: Path, fragment: str = "", **options: Any) -> Iterator[Any]:
    """Open a file; afterwards nothing was asked from anywhere, and nothing stood in the console."""
    context = opened.new_context(**{"viewport": {"width": 1200, "height": 800}, **options})
    page = context.new_page()
    told: list[str] = []
    page.on("console", lambda message: told.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: told.append(f"error: {error}"))
    page.on("request", lambda asked: told.extend([] if asked.url.startswith(LOCAL) else [asked.url]))
    page.told = told
    try:
        page.goto(f"{file.as_uri()}{fragment}")
        page.wait_for_function("globalThis.griddsl !== undefined")
        yield page
        assert told == [], told
    finally:
        context.close()
