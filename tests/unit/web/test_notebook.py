"""Notebooks: cells that are specs, what is wrong with them below, pictures, and a widget that plays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import griddsl

SPEC = """env: cells/Pond-v0
map:
    @..G
legend: G = goal
actions: left, right
on enter goal: reward 1, end success
observe: cell
limit: 20
"""


@pytest.fixture
def shell() -> Any:
    """A shell as notebooks have it, with the extension loaded."""
    testing = pytest.importorskip("IPython.testing.globalipapp", reason="IPython is not installed")
    testing.start_ipython()
    shell = testing.get_ipython()
    shell.display_formatter.active_types = shell.display_formatter.format_types  # as notebooks do
    shell.run_line_magic("load_ext", "griddsl")
    return shell


def _shown(shell: Any, line: str, cell: str) -> list[dict[str, Any]]:
    from IPython.utils.capture import capture_output

    with capture_output() as captured:
        shell.run_cell_magic("grid", line, cell)
    return [output.data for output in captured.outputs]


def test_cell__is_registered_under_its_id(shell: Any) -> None:
    """A clean cell is an environment, shows its first state, and stands in the variable that was named."""
    import gymnasium as gym

    [picture] = _shown(shell, "pond", SPEC)
    assert "image/png" in picture
    env = gym.make("cells/Pond-v0")
    env.reset(seed=0)
    assert env.step(1)[0] == 1 and shell.user_ns["pond"].id == "cells/Pond-v0"
    _shown(shell, "", SPEC.replace("reward 1", "reward 7"))
    env = gym.make("cells/Pond-v0")
    env.reset(seed=0)
    assert [env.step(1)[1] for _ in range(3)] == [0.0, 0.0, 7.0]


def test_cell__with_a_mistake_says_so_below(shell: Any) -> None:
    """Errors stand under the cell with their places, as text that is shown and never run."""
    [said] = _shown(shell, "", SPEC.replace("enter goal", "entr <b>goal</b>"))
    text = said["text/html"]
    assert "&lt;b&gt;" in text and "<b>" not in text and "cell:6:4" in text and "enter" in text


def test_environments__have_pictures() -> None:
    """What a cell ends with is drawn: an environment as it is now, a spec at its start."""
    env = griddsl.make(SPEC)
    env.reset(seed=0)
    first = env._repr_svg_()
    env.step(1)
    assert first.startswith("<svg") and env._repr_svg_() != first
    assert griddsl.load(SPEC)._repr_png_().startswith(b"\x89PNG")


def test_widget__holds_a_page() -> None:
    """The widget is the page, and nothing was played yet; a height that no screen has is refused."""
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    widget = griddsl.play(SPEC)
    assert widget.recording is None and "griddsl-data" in widget.page
    with pytest.raises(ValueError):
        griddsl.play(SPEC, height=3)


def test_widget__plays_in_a_browser(tmp_path: Path) -> None:
    """The widget's own script, in a page that stands for the notebook: keys play, and Python gets what was played."""
    from tests.unit.web.chromium import browser, needs_chromium

    needs_chromium()
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    from griddsl.web.recordings import recording_of, replayed

    widget = griddsl.play(SPEC)
    script = Path(griddsl.__file__).parent / "web" / "player" / "widget.js"
    page = tmp_path / "notebook.html"
    page.write_text(
        "<!doctype html><div id=cell></div><script id=page type=text/plain></script><script type=module>"
        + script.read_text().replace("export default", "const widget =")
        + f"\nconst state = {{page: {json.dumps(widget.page).replace('</', '<' + chr(92) + '/')}, height: 500}};"
        "globalThis.state = state; const model = {get: (name) => state[name], set: (name, value) => (state[name] = value),"
        "save_changes() {}, on() {}}; widget.render({model, el: document.getElementById('cell')});</script>"
    )
    with browser() as opened:
        shown = opened.new_page()
        shown.goto(page.as_uri())
        frame = shown.frame_locator("iframe")
        frame.locator("canvas").first.click()
        for _ in range(3):
            shown.keyboard.press("ArrowRight")
            shown.wait_for_timeout(150)
        shown.wait_for_timeout(1200)
        widget.played = shown.evaluate("globalThis.state.played")
    recording = widget.recording
    assert recording is not None and recording == recording_of(widget.played)
    [episode] = recording.episodes
    assert len(episode.steps) == 3 and episode.terminated
    assert list(replayed(SPEC, episode))
