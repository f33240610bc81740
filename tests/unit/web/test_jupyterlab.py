"""The notebook's parts in a real JupyterLab, driven in Chromium: a cell registers a spec, the widget plays it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.web.chromium import browser, needs_chromium

TOKEN = "notebook"
START_SECONDS = 60
SPEC = """env: docs/Pond-v0
map:
    @..G
legend: G = goal
actions: left, right
observe: cell
each step: reward -1
on enter goal: end success
limit: 9 steps
"""
CELLS = (
    "%load_ext griddsl\nimport griddsl, gymnasium as gym",
    f"%%grid\n{SPEC}",
    f"%%grid\n{SPEC.replace('on enter goal', 'on enter gaol')}",
    "env = gym.make('docs/Pond-v0'); env.reset(seed=0)\nenv",
    "widget = griddsl.play('docs/Pond-v0', height=500)\nwidget",
    "[episode.outcome for episode in widget.recording.episodes]",
)


@pytest.fixture
def laboratory(tmp_path: Path) -> Iterator[str]:
    """The address of a notebook with `CELLS` in a JupyterLab of its own."""
    needs_chromium()
    for module in ("jupyterlab", "anywidget"):
        pytest.importorskip(module, reason=f"{module} is not installed")
    cells: list[dict[str, object]] = [
        {"cell_type": "code", "metadata": {}, "source": text, "outputs": [], "execution_count": None, "id": f"c{k}"}
        for k, text in enumerate(CELLS)
    ]  # fmt: skip
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": cells}
    (tmp_path / "pond.ipynb").write_text(json.dumps(notebook))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    own = {name: str(tmp_path / name.lower()) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR")}
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}"]
    options = [f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={tmp_path}"]
    with (tmp_path / "server.log").open("w") as log:
        server = subprocess.Popen(
            [*command, *options],
            env={**os.environ, **own},
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # so that its kernels end with it
        )
    try:
        end = time.monotonic() + START_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                assert server.poll() is None and time.monotonic() < end, (tmp_path / "server.log").read_text()
                time.sleep(0.2)
        yield f"http://127.0.0.1:{port}/lab/tree/pond.ipynb?token={TOKEN}"
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)


def test_notebook__is_played_in_jupyterlab(laboratory: str) -> None:
    """The cell registers, a mistake stands below its cell, an environment is drawn, and what is played comes back."""
    with browser() as opened:
        shown = opened.new_page(viewport={"width": 1300, "height": 1400})
        shown.set_default_timeout(60_000)
        errors: list[str] = []
        shown.on("pageerror", lambda error: errors.append(str(error)))
        shown.goto(laboratory)
        cells = shown.locator(".jp-Notebook .jp-Cell")
        shown.wait_for_selector("text=Python 3 (ipykernel) | Idle")
        cells.nth(0).click()
        for _ in CELLS[:-1]:
            shown.keyboard.press("Shift+Enter")
        game = shown.frame_locator('iframe[title="a game that can be played"]')
        game.locator(".gd-board").focus()
        for step in range(3):
            shown.keyboard.press("ArrowRight")
            game.locator(f"[data-fact=step]:has-text('{step + 1} / 9')").wait_for()
        game.locator(".gd-banner:has-text('Success after 3 steps')").wait_for()
        shown.wait_for_timeout(1500)  # what was played is given back a few times a second
        cells.nth(5).click()
        shown.keyboard.press("Shift+Enter")
        cells.nth(5).locator("text=['success']").wait_for()
        assert "did you mean `goal`?" in cells.nth(2).inner_text()
        for number in (1, 3):
            assert cells.nth(number).locator(".jp-OutputArea-output :is(svg, img)").count() >= 1
        assert errors == []
