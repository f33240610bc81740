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
    script = Path(griddsl.__file__).parent / "web" / "player" / "page" / "widget.js"
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


def test_wrapped__environments_have_pictures(shell: Any) -> None:
    """What `gym.make` and PettingZoo wrap is drawn as what stands in it; environments of others are left alone."""
    import gymnasium as gym

    _shown(shell, "pond", SPEC)
    env = gym.make("cells/Pond-v0")
    env.reset(seed=0)
    data, _ = shell.display_formatter.format(env)
    assert data["image/svg+xml"] == env.unwrapped._repr_svg_()  # type: ignore[attr-defined]
    vector = gym.wrappers.vector.RecordEpisodeStatistics(griddsl.make_vec(SPEC, num_envs=2))
    vector.reset(seed=0)
    assert shell.display_formatter.format(vector)[0]["image/png"]
    game = griddsl.make_aec("griddsl/Tag-v0")
    game.reset(seed=0)
    assert "image/svg+xml" in shell.display_formatter.format(game)[0]
    assert "image/svg+xml" not in shell.display_formatter.format(gym.make("CartPole-v1"))[0]


def test_batches__are_shown_side_by_side() -> None:
    """A batch is one picture of at most 64 boards, apart from each other, as they are now, before and after a reset."""
    import io

    from PIL import Image

    batch = griddsl.make_vec(SPEC, num_envs=70)
    assert batch._repr_png_().startswith(b"\x89PNG")
    batch.reset(seed=0)
    first = Image.open(io.BytesIO(batch._repr_png_()))
    assert first.size == (8 * 4 * 30 + 7 * 3, 8 * 30 + 7 * 3)  # 8 by 8 boards of 4 by 1 cells
    batch.step([1] * 70)
    assert Image.open(io.BytesIO(batch._repr_png_())).tobytes() != first.tobytes()
    assert griddsl.make_vec(SPEC, num_envs=3).scenes()[0]._repr_svg_().startswith("<svg")


def test_batches__of_several_agents_are_shown_too() -> None:
    """Games of several agents have a picture and scenes as well; the scenes are those of the single games."""
    batch = griddsl.make_parallel_vec("griddsl/Tag-v0", 3)
    batch.reset(seed=5)
    assert batch._repr_png_().startswith(b"\x89PNG")
    game = griddsl.make_parallel("griddsl/Tag-v0")
    game.reset(seed=6)
    assert batch.scenes()[1]._repr_svg_() == game._repr_svg_()


def test_solutions__are_a_table_and_a_map() -> None:
    """A solution shows its value and the best moves on the map; of several agents there is the table alone."""
    solution = griddsl.to_mdp(SPEC).solve()
    shown = solution._repr_html_()
    assert "<th" in shown and "optimal return" in shown and shown.count("<use") > 4
    assert griddsl.to_mdp(SPEC)._repr_html_().count("<svg") == 1
    several = griddsl.to_mdp(
        SPEC.replace("actions:", "agents: red, blue\nrewards: shared\nactions:").replace("@..G", "@.@G")
    )
    assert len(several.agents) > 1 and "<svg" not in several.solve()._repr_html_()


def test_solutions__show_texts_as_data() -> None:
    """A name that is markup stands in the table as a text."""
    from griddsl.exact.pictures import _table

    assert _table({"<b>": "<script>"}).count("&lt;") == 2


def _episode() -> griddsl.render.Animation:
    env = griddsl.make(SPEC)
    env.reset(seed=0)
    scenes, captions = [env.scene()], ["start"]
    for number in range(3):
        env.step(1)
        scenes.append(env.scene())
        captions.append(f"step {number + 1} </script><img src=x onerror=alert(1)>")
    return griddsl.animate(scenes, captions, title='"><script>alert(2)</script>')


def test_animations__refuse_what_cannot_be_shown() -> None:
    """No scenes, scenes of several sizes, too few captions and a speed that no screen has are refused."""
    scene = griddsl.make(SPEC).scene()
    other = griddsl.make("griddsl/CliffWalking-v0").scene()
    for scenes, captions, fps in [
        ([], [], 6),
        ([scene, other], [], 6),
        ([scene], ["a", "b"], 6),
        ([scene], [], 0),
    ]:
        with pytest.raises(ValueError, match=r"animation|captions"):
            griddsl.animate(scenes, captions, fps=fps)


def test_animations__of_recorded_episodes() -> None:
    """A replay has captions with actions, rewards and the outcome, and a recording of the page is played again."""
    from griddsl.training.replay import _played

    replay = _played(griddsl.make(SPEC), 0, [1, 0, 1, 1, 1])
    assert replay.captions[0] == "start" and replay.captions[2] == "step 2: left, reward 0"
    assert replay.captions[-1] == "step 5: right, reward 1, success" and "<iframe" in replay._repr_html_()


@pytest.mark.parametrize("form", ["cell", "page"])
def test_animations__move_in_a_browser(form: str, tmp_path: Path) -> None:
    """The slider and the button move the board, captions are texts, and nothing is asked or run."""
    from tests.unit.web.chromium import LOCAL, browser, needs_chromium

    needs_chromium()
    animation, file = _episode(), tmp_path / "shown.html"
    if form == "cell":
        file.write_text(f"<!doctype html><body>{animation._repr_html_()}</body>", encoding="utf-8")
    else:
        animation.save(file)
    told: list[str] = []
    with browser() as opened:
        shown = opened.new_page()
        shown.on("console", lambda message: told.append(message.text))
        shown.on("pageerror", lambda error: told.append(str(error)))
        shown.on("dialog", lambda dialog: told.append(dialog.message))
        shown.on("request", lambda asked: told.append(asked.url))
        shown.goto(file.as_uri())
        inside = shown.frame_locator("iframe") if form == "cell" else shown
        drawn = "uses => uses.map(use => use.getAttribute('href')).join()"
        start = inside.locator("#board > use").evaluate_all(drawn)
        assert inside.locator("#label").inner_text() == "0 / 3"
        inside.locator("#slider").focus()
        shown.keyboard.press("ArrowRight")
        assert inside.locator("#caption").inner_text() == "step 1 </script><img src=x onerror=alert(1)>"
        assert inside.locator("#board > use").evaluate_all(drawn) != start
        shown.keyboard.press("Home")
        assert inside.locator("#board > use").evaluate_all(drawn) == start
        inside.locator("#play").click()
        shown.wait_for_timeout(1500)
        assert (
            inside.locator("#label").inner_text() == "3 / 3" and inside.locator("#play").inner_text() == "▶"
        )
    assert [line for line in told if not line.startswith((*LOCAL, "about:"))] == []
