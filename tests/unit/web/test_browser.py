"""Pages in a real browser: played by keys, by scripts and by touch; what they record verifies."""

from __future__ import annotations

import base64
import io
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import griddsl
from griddsl.render import to_svg
from griddsl.web.page import page
from griddsl.web.recordings import read_recording, recording_of, replayed
from griddsl.web.study import Study, study_of
from tests.unit.web.chromium import browser, needs_chromium, page_of
from tests.unit.web.in_node import SPECS
from tests.unit.web.test_pages import HOSTILE

# The button again and again, a frame for each: the mouse of a driver takes four times as long for a click.
PRESSED = """async () => {
    const button = document.querySelector("[data-command=auto]");
    for (let move = 1; move < 20; move++) {
        button.click();
        button.click();
        await new Promise(requestAnimationFrame);
    }
}"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """One browser for all tests of the file."""
    needs_chromium()
    with browser() as opened:
        yield opened


def written(folder: Path, source: Any, **options: Any) -> Path:
    """Write the page of a spec, and return its file."""
    file = folder / "game.html"
    file.write_text(page(source, **options), encoding="utf-8")
    return file


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_pages__of_all_specs_load_and_play(chromium: Any, tmp_path: Path, path: Path) -> None:
    """A bundled spec opens, plays twenty moves, and leaves the console empty; `benchmarks/pages.py` measures how fast."""
    with page_of(chromium, written(tmp_path, path)) as shown:
        shown.click("[data-command=auto]")
        shown.click("[data-command=auto]")
        shown.evaluate(PRESSED)
        recorded = recording_of(shown.evaluate("griddsl.transcript()"))
    moments = [len(list(replayed(path, episode))) for episode in recorded.episodes]
    assert sum(moments) >= 20, moments


def test_page__is_played_by_keys_to_its_end(chromium: Any, tmp_path: Path) -> None:
    """Arrow keys walk along the cliff; panel, rules and recording say what Python says."""
    with page_of(chromium, written(tmp_path, "specs/cliff_walking.grid", exact=True), "#seed=3") as shown:
        for key in ["ArrowUp", "ArrowUp", "ArrowDown", *["ArrowRight"] * 11]:
            shown.keyboard.press(key)
        assert shown.text_content(".gd-events code") == "each step"
        shown.keyboard.press("u")
        assert shown.text_content("[data-fact=step]") == "13"
        shown.keyboard.press("h")
        assert "Best: right. From here −2 in 2 steps." in shown.text_content(".gd-hint")
        shown.keyboard.press("ArrowRight")
        shown.keyboard.press("ArrowDown")
        assert shown.text_content("[data-fact=score]") == "−15"
        assert shown.text_content(".gd-banner") == "Success after 15 steps. Press R to play again."
        assert shown.text_content(".gd-hint") == "Optimal: −13 in 13 steps; you took 15 (score −15)."
        assert "Sutton" in shown.text_content("header p")
        assert "line 15" in shown.text_content(".gd-events")
        value = shown.evaluate("griddsl.transcript()")
        (episode,) = recording_of(value).episodes
        moments = list(replayed("specs/cliff_walking.grid", episode))
        assert (episode.seed, moments[-1].outcome) == (3, "success")
        with shown.expect_download() as download:
            shown.click("[data-command=save]")
        saved = tmp_path / "saved.json"
        download.value.save_as(saved)
        assert read_recording(saved) == recording_of(value)


def test_page__is_driven_by_scripts(chromium: Any, tmp_path: Path) -> None:
    """`window.griddsl` resets, steps by number and name, and tells states and observations as Python has them."""
    env = griddsl.make("specs/door_key.grid", backend="python")
    with page_of(chromium, written(tmp_path, "specs/door_key.grid")) as shown:
        told = shown.evaluate("griddsl.reset(7)")
        seen, _ = env.reset(seed=7)
        for action in (2, 1, 2, 0, 3):
            assert np.asarray(seen["image"]).reshape(-1).tolist() == told["observation"]["image"]
            integers, reals, stream = env.get_state()
            assert shown.evaluate("griddsl.state()") == {
                "integers": list(integers), "reals": list(reals), "stream": str(stream),
            }  # fmt: skip
            name = env.program.groups[0].actions[action].name
            told = shown.evaluate("action => griddsl.step(action)", name if action == 3 else action)
            seen, reward, *_ = env.step(action)
            assert told["reward"] == reward
        assert shown.evaluate("griddsl.text()") == env.text()
        assert shown.evaluate("griddsl.mask()") == [1] * 7


def test_page__is_played_by_several_on_one_keyboard(chromium: Any, tmp_path: Path) -> None:
    """A step is made when each has chosen; an agent that is given to chance is not waited for."""
    with page_of(chromium, written(tmp_path, "specs/overcooked.grid")) as shown:
        shown.keyboard.press("ArrowRight")
        assert "waiting forgreen" in shown.text_content(".gd-facts")
        assert shown.evaluate("griddsl.transcript().episodes[0].steps.length") == 0
        shown.keyboard.press("a")
        (step,) = shown.evaluate("griddsl.transcript().episodes[0].steps")
        assert step["action"] == {"blue": 2, "green": 3}
        shown.click(".gd-scores tbody tr:nth-child(2) button")
        shown.keyboard.press(".")
        assert shown.evaluate("griddsl.transcript().episodes[0].steps.length") == 2


def test_page__is_played_by_touch_and_mouse(chromium: Any, tmp_path: Path) -> None:
    """A click beside the agent walks there, a swipe is an arrow, buttons act and give the keys back to the board."""
    file = written(tmp_path, "specs/cliff_walking.grid")
    with page_of(chromium, file, viewport={"width": 390, "height": 844}, has_touch=True) as shown:
        box = shown.locator(".gd-board").bounding_box()
        cell = box["width"] / 12
        assert box["width"] <= 390 and shown.evaluate("document.documentElement.scrollWidth") <= 390
        shown.mouse.click(box["x"] + cell / 2, box["y"] + 2.5 * cell)
        shown.mouse.move(box["x"] + cell, box["y"] + cell)
        shown.mouse.down()
        shown.mouse.move(box["x"] + 5 * cell, box["y"] + cell)
        shown.mouse.up()
        shown.click("[data-action=up]")
        shown.keyboard.press("ArrowLeft")
        actions = shown.evaluate("griddsl.transcript().episodes[0].steps.map((step) => step.action)")
        assert actions == [0, 1, 0, 3]


def test_page__is_played_by_fingers(chromium: Any, tmp_path: Path) -> None:
    """Touches as a telephone sends them: swipes in four directions and a tap move, nothing scrolls, buttons are large."""
    file = written(tmp_path, "specs/cliff_walking.grid")
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    with page_of(chromium, file, "#seed=1", **phone) as shown:
        device = shown.context.new_cdp_session(shown)
        box = shown.locator(".gd-board").bounding_box()

        def touch(kind: str, *points: dict[str, float]) -> None:
            device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

        for across, down in ((0, -60), (90, 0), (0, 60), (-90, 0)):
            start = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
            touch("touchStart", start)
            for k in range(1, 7):
                touch("touchMove", {"x": start["x"] + across * k / 6, "y": start["y"] + down * k / 6})
            touch("touchEnd")
        shown.touchscreen.tap(
            box["x"] + box["width"] / 24, box["y"] + box["height"] / 8
        )  # right above the agent
        shown.tap("[data-action=up]")
        actions = shown.evaluate("griddsl.transcript().episodes[0].steps.map((step) => step.action)")
        assert actions == [0, 1, 2, 3, 0, 0] and shown.evaluate("scrollY") == 0
        heights = shown.locator("button:visible:not(.gd-place)").evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height))"
        )
        assert min(heights) >= 44  # CSS pixels, the least of WCAG 2.5.5
        assert shown.evaluate("document.documentElement.scrollWidth") <= 390


# Counts what would sound, where nothing can be heard.
SILENCE = """
globalThis.sounds = { contexts: 0, tones: [] };
const Real = globalThis.AudioContext;
globalThis.AudioContext = class extends Real { constructor() { super(); sounds.contexts++; } };
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) { sounds.tones.push(this.frequency.value); return start.call(this, at); };
"""


def test_page__is_silent_until_it_is_asked(chromium: Any, tmp_path: Path) -> None:
    """No sound is made, and none prepared, before the button; then steps, falls and the end sound, and off is off."""
    file = written(tmp_path, "specs/cliff_walking.grid")
    context = chromium.new_context()
    context.add_init_script(SILENCE)
    shown = context.new_page()
    shown.goto(file.as_uri())
    shown.wait_for_function("globalThis.griddsl !== undefined")
    for key in ("ArrowUp", "ArrowDown"):
        shown.keyboard.press(key)
    assert shown.evaluate("sounds") == {"contexts": 0, "tones": []}
    sound = shown.get_by_role("button", name="Sound")
    assert sound.get_attribute("aria-pressed") == "false"
    sound.click()
    heard = []
    for key in ("ArrowUp", "ArrowDown", "ArrowRight", "ArrowUp", *["ArrowRight"] * 11, "ArrowDown"):
        shown.keyboard.press(key)
        heard.append(shown.evaluate("sounds.tones.splice(0)"))
    assert heard[:3] == [[220], [220], [165]]  # two steps, and a fall
    assert heard[-1] == [523, 659, 784] and shown.evaluate("sounds.contexts") == 1
    sound.click()
    shown.keyboard.press("r")
    shown.keyboard.press("ArrowUp")
    assert shown.evaluate("sounds.tones") == []
    context.close()


def test_page__tells_a_screen_reader_what_changes(chromium: Any, tmp_path: Path) -> None:
    """The tree that a screen reader is given has the parts by their roles, and what a step moves or removes is told."""
    with page_of(chromium, written(tmp_path, "specs/sokoban.grid"), "#seed=1") as shown:
        tree = shown.locator("body").aria_snapshot()
        assert 'heading "Sokoban" [level=1]' in tree and 'complementary "The game"' in tree
        assert 'application "The board, ' in tree and 'spinbutton "Seed"' in tree
        shown.keyboard.press("ArrowRight")
        assert "agent at (" in shown.text_content("[aria-live=polite]")
    with page_of(chromium, written(tmp_path, GEM), "#seed=1") as shown:
        shown.keyboard.press("ArrowRight")
        assert "crate at (2, 0)" in shown.text_content("[aria-live=polite]")
        shown.keyboard.press("ArrowDown")
        assert "no more gem at (1, 1)" in shown.text_content("[aria-live=polite]")


GEM = """env: docs/Gem-v0
object crate: pushable
object gem:
map:
    @c..
    .g.G
legend: c = crate, g = gem, G = goal
actions: up, right, down, left
observe: cell
on enter gem: remove gem, reward 1
on enter goal: end success
limit: 9 steps
"""


def test_page__plays_actions_on_cells_by_clicks(chromium: Any, tmp_path: Path) -> None:
    """A click on a cell gives it to the action that takes one, of whoever is to move."""
    for spec, clicks, expected in (
        ("specs/lights_out.grid", [(0, 0), (3, 2)], [0, 13]),
        ("specs/tic_tac_toe.grid", [(1, 1), (2, 0)], [[4, 0], [4, 2]]),  # who waits says what it said last
    ):
        with page_of(chromium, written(tmp_path, spec)) as shown:
            box = shown.locator(".gd-board").bounding_box()
            cell = box["width"] / (5 if "lights" in spec else 3)
            for x, y in clicks:
                shown.mouse.click(box["x"] + (x + 0.5) * cell, box["y"] + (y + 0.5) * cell)
            steps = shown.evaluate("griddsl.transcript().episodes[0].steps.map((step) => step.action)")
            given = [number if isinstance(number, int) else list(number.values()) for number in steps]
            assert given == expected


def test_page__of_many_actions_offers_what_is_allowed(chromium: Any, tmp_path: Path) -> None:
    """Of Reversi's 65 actions there are buttons for those of who is to move, and Enter plays on from one to the next."""
    env = griddsl.make_parallel("specs/reversi.grid", backend="python")
    _, infos = env.reset(seed=0)
    names = [action.name for action in env.program.groups[0].actions]
    with page_of(chromium, written(tmp_path, "specs/reversi.grid"), "#seed=0") as shown:
        offered = shown.locator(".gd-action:visible")
        offered.first.focus()
        for number in range(6):
            mover = ("black", "white")[number % 2]
            allowed = np.flatnonzero(infos[mover]["action_mask"])
            labels = offered.evaluate_all("all => all.map((one) => one.ariaLabel)")
            assert labels == [f"{mover}: {names[action]}" for action in allowed]
            shown.keyboard.press("Enter")
            _, _, _, _, infos = env.step({"black": allowed[0], "white": allowed[0]})
        assert shown.text_content(".gd-scores caption") == "step 6"


def test_page__can_be_used_without_sight_or_mouse(chromium: Any, tmp_path: Path) -> None:
    """Every control has a name, Tab comes to all, and the board is told in words that change with it."""
    with page_of(chromium, written(tmp_path, "specs/door_key.grid"), "#seed=1") as shown:
        nameless = "[...document.querySelectorAll('button, input, select, canvas')].filter((one) => !(one.ariaLabel || one.textContent.trim() || one.closest('label'))).length"
        assert shown.evaluate(nameless) == 0
        before = shown.get_attribute(".gd-board", "aria-label")
        assert "agent facing" in before
        shown.keyboard.press("ArrowLeft")
        assert shown.get_attribute(".gd-board", "aria-label") != before
        assert "step 1: turn_left. reward 0" in shown.text_content("[aria-live]")
        seen = set()
        for _ in range(40):
            shown.keyboard.press("Tab")
            seen.add(shown.evaluate("document.activeElement.textContent || document.activeElement.ariaLabel"))
        assert {"Undo", "Restart", "Keys", "The board as text", "The spec"} <= seen


def test_page__shows_hostile_texts_and_runs_none(chromium: Any, tmp_path: Path) -> None:
    """Markup in a spec is shown as it stands."""
    with page_of(chromium, written(tmp_path, HOSTILE)) as shown:
        assert shown.evaluate("globalThis.hacked") is None
        assert "</script><script>" in shown.text_content("header p")
        assert "<b onclick='x'>a</b>" in shown.text_content(".gd-mission")
        assert shown.locator("img").count() == 0
        violation = "new Promise((told) => { addEventListener('securitypolicyviolation', () => told(true)); const made = document.createElement('script'); made.textContent = 'globalThis.hacked = 9'; document.body.append(made); setTimeout(() => told(false), 500); })"
        assert shown.evaluate(violation) is True
        assert shown.evaluate("globalThis.hacked") is None
        shown.told.clear()  # the browser tells of what was refused


FAILING = """env: docs/Tight-v0
object gem: portable
map:
    @..G
legend: G = goal
setup:
    choose n in 1..3
    repeat n: place gem at random free where distance(here, agent) < 2
actions: left, right
observe: cell
on enter goal: end success
limit: 30 steps
"""


def test_page__of_setups_that_fail_goes_on(chromium: Any, tmp_path: Path) -> None:
    """Another seed opens the page; a seed that fails later is told, and the episode before goes on."""
    env = griddsl.make(FAILING, backend="python")

    def fails(seed: int) -> bool:
        try:
            env.reset(seed=seed)
        except griddsl.SpecError:
            return True
        return False

    failed = next(seed for seed in range(50) if fails(seed))
    first = next(seed for seed in range(failed, 50) if not fails(seed))
    with page_of(chromium, written(tmp_path, FAILING), f"#seed={failed}") as shown:
        shown.keyboard.press("ArrowRight")
        told = shown.evaluate(
            f"(() => {{ try {{ griddsl.reset({failed}); }} catch (error) {{ return error.message; }} }})()"
        )
        assert told.startswith(f"seed {failed}: no-place")
        shown.keyboard.press("ArrowRight")
        (episode,) = recording_of(shown.evaluate("griddsl.transcript()")).episodes
        assert (episode.seed, len(episode.steps)) == (first, 2)
        list(replayed(FAILING, episode))


@pytest.mark.parametrize("name", ["door_key", "taxi", "pocman"])
def test_board__is_drawn_as_pictures_are(chromium: Any, tmp_path: Path, name: str) -> None:
    """The canvas is, but for the smoothing of edges, the picture that `render` gives."""
    with page_of(chromium, written(tmp_path, f"specs/{name}.grid"), "#seed=4") as shown:
        shown.locator(".gd-board").evaluate("canvas => canvas.blur()")
        pixels = shown.evaluate("document.querySelector('.gd-board').width")
        data = shown.evaluate("document.querySelector('.gd-board').toDataURL('image/png').split(',')[1]")
    env = griddsl.make(f"specs/{name}.grid", backend="python")
    env.reset(seed=4)
    cell = pixels // env.program.width
    ours = np.asarray(env.rasteriser(cell).draw(env.scene()), dtype=int)
    theirs = np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"), dtype=int)
    assert ours.shape == theirs.shape
    assert np.abs(ours - theirs).mean() < 1.5
    assert (np.abs(ours - theirs).max(axis=2) > 60).mean() < 0.01


def test_svg__has_no_seams_at_any_size(chromium: Any) -> None:
    """A drawing that is shown smaller than it is lets nothing of what lies behind it through between its cells."""
    env = griddsl.make("specs/door_key.grid", backend="python")
    env.reset(seed=4)
    drawing = base64.b64encode(to_svg(env.scene()).encode()).decode()
    shown = chromium.new_page(viewport={"width": 389, "height": 389})
    shown.set_content(
        f"<style>body {{ margin: 0; background: #f0f }} img {{ display: block }}</style>"
        f"<img width=389 src='data:image/svg+xml;base64,{drawing}'>"
    )
    shown.wait_for_function("document.images[0].complete")
    found = np.asarray(Image.open(io.BytesIO(shown.screenshot())).convert("RGB"), dtype=int)[2:-2, 2:-2]
    shown.close()
    assert (found[..., [0, 2]].min(axis=2) - found[..., 1]).max() < 30


# Time stands still until it is told to go on.
CLOCK = """
globalThis.time = 1000; performance.now = () => globalThis.time;
globalThis.requestAnimationFrame = (draw) => { globalThis.next = draw; return 1; };
globalThis.cancelAnimationFrame = () => {};
globalThis.go = (milliseconds) => { globalThis.time += milliseconds; globalThis.next?.(globalThis.time); };
"""


@pytest.mark.parametrize(("key", "degrees"), [("ArrowLeft", 90), ("ArrowRight", -90)])
def test_board__turns_smoothly(chromium: Any, tmp_path: Path, key: str, degrees: int) -> None:
    """Half through a turn the agent is drawn between how it stood and how it stands, on the shorter way around."""
    file = tmp_path / "game.html"
    spec = "env: docs/Turn-v0\nagent: facing\nmap:\n    ...\n    ...\n    ..G\nlegend: G = goal\n"
    spec += "setup: place agent(facing=east) at (1, 1)\nactions: turn_left, turn_right, forward\nobserve: cell\non enter goal: end success\nlimit: 9 steps\n"
    file.write_text(page(spec), encoding="utf-8")
    context = chromium.new_context(viewport={"width": 900, "height": 700})
    shown = context.new_page()
    shown.add_init_script(CLOCK)
    shown.goto(file.as_uri())
    shown.wait_for_function("globalThis.griddsl !== undefined")
    shown.evaluate("go(5000)")

    def agent() -> Any:
        data = shown.evaluate("document.querySelector('.gd-board').toDataURL('image/png').split(',')[1]")
        board = np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"), dtype=int)
        side = board.shape[0] // 3
        return board[side : 2 * side, side : 2 * side]

    def heavy(cell: Any) -> complex:
        """Return where the middle of the arrow's red lies, from the middle of the cell; up is i."""
        rows, columns = np.nonzero((cell[..., 0] > 180) & (cell[..., 1] < 130))
        middle = (cell.shape[0] - 1) / 2
        return complex(columns.mean() - middle, middle - rows.mean())

    east = agent()
    shown.keyboard.press(key)
    shown.evaluate("go(55)")  # three quarters of the way, as moves begin fast
    between = agent()
    shown.evaluate("go(500)")
    after = agent()
    context.close()
    assert abs(heavy(east)) > 1
    turned = [float(np.degrees(np.angle(heavy(cell) / heavy(east)))) for cell in (between, after)]
    assert turned == pytest.approx([0.75 * degrees, degrees], abs=6)


PIXELS = """env: docs/Pixels-v0
map:
    @..G
legend: G = goal
actions: left, right
observe: picture = pixels 4, here = cell
on enter goal: reward 1, end success
limit: 9 steps
"""


def test_page__of_observed_pixels_plays(chromium: Any, tmp_path: Path) -> None:
    """A spec whose agent sees pixels has a page: the board shows them, scripts get null, and what is played verifies."""
    with page_of(chromium, written(tmp_path, PIXELS)) as shown:
        assert shown.evaluate("griddsl.reset(1).observation") == {"picture": None, "here": 0}
        for _ in range(3):
            shown.keyboard.press("ArrowRight")
        assert "16 by 4 pixels" in shown.text_content(
            "details:has(summary:text('What the agent observes')) pre"
        )
        (*_, episode) = recording_of(shown.evaluate("griddsl.transcript()")).episodes
    assert list(replayed(PIXELS, episode))[-1].outcome == "success"


STUDY = {
    "title": "Do you fall?",
    "instructions": "Walk to the flag.\n<b>Mind the cliff.</b>",
    "consent": "What you do is recorded.",
    "episodes": 2,
    "practice": 1,
    "seeds": [11, 12],
    "participant": "ask",
    "questions": [{"text": "Was it hard?", "answers": ["yes", "no"]}, {"text": "Why?"}],
}


def take_part(shown: Any) -> None:
    """Go through a study as a participant does."""
    assert "<b>Mind" in shown.text_content(".gd-study")
    shown.click("text=Begin")
    assert shown.locator(".gd-board").count() == 0  # nothing starts without consent
    shown.check("[name=consent]")
    shown.fill("[name=participant]", "P17")
    shown.click("text=Begin")
    for number in range(2):
        assert ("Practice 1 of 1" if number == 0 else "Episode 1 of 1") in shown.text_content(".gd-bar")
        for key in ["ArrowUp", "u", *["ArrowRight"] * 11, "ArrowDown"]:
            shown.keyboard.press(key)
        assert shown.is_hidden(".gd-events")  # rules are for those who make the study
        assert "each step" not in shown.text_content("[aria-live=polite]")
        shown.click("text=Continue")
    shown.check("[value=no]")
    shown.fill("textarea", "I saw it.")
    shown.click("text=Finish")


def test_study__is_taken_part_in_and_verifies(chromium: Any, tmp_path: Path) -> None:
    """Consent, practice, episodes with their seeds, questions; the file verifies and holds the answers."""
    file = written(tmp_path, "specs/cliff_walking.grid", study=study_of(STUDY))
    with page_of(chromium, file) as shown:
        take_part(shown)
        with shown.expect_download() as download:
            shown.click("[data-command=save]")
        download.value.save_as(tmp_path / "study.json")
    recording = read_recording(tmp_path / "study.json")
    assert (recording.participant, recording.answers) == ("P17", {"Was it hard?": "no", "Why?": "I saw it."})
    assert [(episode.seed, episode.is_practice) for episode in recording.episodes] == [
        (11, True),
        (12, False),
    ]
    for episode in recording.episodes:
        assert list(replayed("specs/cliff_walking.grid", episode))[-1].outcome == "success"
        assert len(episode.steps) == 13  # nothing is taken back in a study


def test_study__is_posted_where_it_was_told(chromium: Any, tmp_path: Path) -> None:
    """The recording arrives by POST; where it does not, the participant is told and can save it."""
    arrived: list[Any] = []

    class Keeper(BaseHTTPRequestHandler):
        def answer(self, code: int) -> None:
            self.send_response(code)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.send_header("Access-Control-Allow-Headers", "Content-Type")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def do_OPTIONS(self) -> None:
            self.answer(204)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path == "/full":
                return self.answer(507)
            arrived.append(json.loads(body))
            return self.answer(204)

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Keeper)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        for path, said in (("/kept?study=1", "has been sent"), ("/full", "could not be sent (status 507)")):
            url = f"http://127.0.0.1:{server.server_port}{path}"
            study: Study = study_of({**STUDY, "show": "view"})
            file = written(tmp_path, "specs/cliff_walking.grid", study=study, post=url)
            with page_of(chromium, file) as shown:
                take_part(shown)
                shown.wait_for_function("said => document.body.textContent.includes(said)", arg=said)
                shown.told.clear()  # the address, which is what was asked for
    finally:
        server.shutdown()
        server.server_close()
    assert len(arrived) == 1 and len(recording_of(arrived[0]).episodes) == 2


def test_page__moves_at_the_rate_of_the_screen(chromium: Any, tmp_path: Path) -> None:
    """A frame of a large board takes less than a sixtieth of a second to draw."""
    with page_of(chromium, written(tmp_path, "specs/multi_room.grid")) as shown:
        measured = shown.evaluate(
            "(() => { const start = performance.now(); for (let k = 0; k < 40; k++) griddsl.step(k % 3); return (performance.now() - start) / 40; })()"
        )
    assert measured < 50  # milliseconds on a machine that does other things too; about 5 on one that is free
