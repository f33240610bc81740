"""The studio's page in a real browser: typed, mended, painted, played, saved, and followed when others save."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def served(folder: Path, port: int = 0, token: str | None = None) -> Iterator[Any]:
    """A studio of a folder, on a port that is free or was; afterwards its process has ended."""
    uvicorn = pytest.importorskip("uvicorn", reason="the studio's server is not installed")
    from griddsl.web.studio.server import Studio

    listening = socket.create_server(("127.0.0.1", port))
    made = Studio(Folder(folder), listening.getsockname()[1], token)
    server = uvicorn.Server(uvicorn.Config(made.app(), log_level="warning", ws="websockets-sansio"))
    serving = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    serving.start()
    yield made
    server.should_exit = True
    serving.join(10)
    listening.close()


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[str]:
    """The address of a studio that serves a folder with one spec."""
    needs_chromium()
    (tmp_path / "pond.grid").write_text(SPEC)
    with served(tmp_path) as made:
        yield made.address


@pytest.fixture
def shown(studio: str) -> Iterator[Any]:
    """The page, with the game on it; afterwards nothing stood in the console, and nobody else was asked."""
    with browser() as opened:
        page = opened.new_context(viewport={"width": 1300, "height": 900}).new_page()
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
        page.told = told
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
    asked_at = len(f"{SPEC}on enter po")  # a list that is older than the last letter would take no key
    shown.wait_for_selector(f"#offers[data-at='{asked_at}'] [aria-selected=true]:has-text('pond')")
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


LATE = """(press) => {
    document.execCommand("insertText", false, "d");
    const event = press
        ? new KeyboardEvent("keydown", { key: press, bubbles: true, cancelable: true })
        : new MouseEvent("mousedown", { bubbles: true, cancelable: true });
    return document.getElementById(press ? "text" : "offer-0").dispatchEvent(event);
}"""


@pytest.mark.parametrize("press", ["Enter", "Tab", ""], ids=["enter", "tab", "mouse"])
def test_page__keeps_a_word_that_is_faster_than_its_offers(shown: Any, press: str) -> None:
    """A list that is older than the last letter takes no key, and what is clicked in it stands for the whole word."""
    pytest.importorskip("lsprotocol", reason="pygls is not installed")
    shown.click("#text")
    shown.keyboard.press("Control+End")
    shown.keyboard.type("on enter pon")
    shown.wait_for_selector("#offers [aria-selected=true]:has-text('pond')")
    taken = not shown.evaluate(LATE, press)  # no answer can come between the letter and what is pressed
    assert taken == (press != "Enter") and shown.is_hidden("#offers")
    indented = SPEC + "on enter pond" + "    " * (press == "Tab")
    assert shown.input_value("#text") == indented


FAST = """([key, name]) => {
    const put = (letters) => document.execCommand("insertText", false, letters);
    const press = (key) => document.getElementById("text").dispatchEvent(
        new KeyboardEvent("keydown", { key, ctrlKey: true, bubbles: true, cancelable: true }));
    put("# fi");
    press("s"); // what stands there goes out, and no answer can come before the rest of the word
    put("rst");
    if (key) return press(key);
    const specs = document.getElementById("specs");
    specs.value = name;
    return specs.dispatchEvent(new Event("change"));
}"""


def test_page__saves_and_leaves_what_is_written_now(shown: Any, tmp_path: Path) -> None:
    """What is typed while a change is on its way is saved, undone and kept with the rest."""
    file = tmp_path / "pond.grid"
    (tmp_path / "other.grid").write_text(SPEC)
    shown.wait_for_selector("#specs option[value='other.grid']", state="attached")
    shown.click("#text")
    shown.keyboard.press("Control+End")
    shown.evaluate(FAST, ["s", ""])
    shown.wait_for_selector("#state:text-is('saved')")
    shown.wait_for_timeout(1500)  # what is typed together is undone together
    assert file.read_text() == SPEC + "# first" and shown.inner_text("#state") == "saved"
    shown.evaluate(FAST, ["z", ""])
    shown.wait_for_function("text => document.getElementById('text').value === text", arg=SPEC + "# first")
    shown.evaluate(FAST, ["", "other.grid"])
    shown.wait_for_function("text => document.getElementById('text').value === text", arg=SPEC)
    shown.select_option("#specs", "pond.grid")
    whole = SPEC + "# first# first"
    shown.wait_for_function("text => document.getElementById('text').value === text", arg=whole)


def open_spec(shown: Any, folder: Path, name: str, text: str) -> None:
    """Put a spec into the folder, and choose it."""
    (folder / name).write_text(text, encoding="utf-8")
    shown.wait_for_selector(f"#specs option[value='{name}']", state="attached")
    shown.select_option("#specs", name)
    shown.wait_for_function("name => document.title.includes(name)", arg=name)


def test_tabs__type_at_the_same_time(shown: Any) -> None:
    """Two tabs type at both ends of the text at once: both have both, and neither loses a key."""
    other = shown.context.new_page()
    other.goto(shown.url)
    other.wait_for_selector("#board[src^='data:']")
    for page, key in ((shown, "Control+Home"), (other, "Control+End")):
        page.focus("#text")
        page.keyboard.press(key)
    for k in range(30):
        shown.keyboard.type(f"#{k} ")
        other.keyboard.type(f"#{k} ")
    mine = "".join(f"#{k} " for k in range(30))
    for page in (shown, other):
        page.wait_for_function(
            "text => document.getElementById('text').value === text", arg=mine + SPEC + mine
        )
    other.close()


def test_page__outlives_its_studio(tmp_path: Path) -> None:
    """What is typed while the studio is away is there when it is back; where the file changed meanwhile, it asks."""
    needs_chromium()
    file = tmp_path / "pond.grid"
    file.write_text(SPEC)
    written = "() => document.getElementById('text').value"
    with browser() as opened:
        page = opened.new_page()
        with served(tmp_path) as first:
            page.goto(first.address)
            page.wait_for_selector("#board[src^='data:']")
            page.focus("#text")
            page.keyboard.press("Control+End")
            page.keyboard.type("# before\n")
            page.wait_for_selector("#state:text-is('not saved')")
        page.wait_for_selector("#lost:visible")
        page.keyboard.type("# away\n")
        with served(tmp_path, first.port, first.token):
            page.wait_for_selector("#shown .comment:has-text('# away')")
            page.keyboard.type("# back\n")
            page.wait_for_selector("#shown .comment:has-text('# back')")
            assert page.is_hidden("#contest")
            page.keyboard.press("Control+s")
            page.wait_for_selector("#state:text-is('saved')")
            mine = f"{SPEC}# before\n# away\n# back\n"
            assert file.read_text() == mine
        page.wait_for_selector("#lost:visible")
        page.keyboard.type("# again\n")
        file.write_text(f"# theirs\n{SPEC}")
        with served(tmp_path, first.port, first.token):
            page.wait_for_selector("#contest:visible")
            assert page.evaluate(written) == f"{mine}# again\n"
            page.keyboard.press("Control+s")
            page.wait_for_timeout(800)
            assert file.read_text().startswith("# theirs") and page.is_visible("#contest")
            page.click("#take")
            page.wait_for_selector("#contest", state="hidden")
            assert page.evaluate(written) == f"# theirs\n{SPEC}"
            page.click("#undo")
            page.wait_for_selector("#shown .comment:has-text('# again')")


CHANCES = SPEC.replace("map:", "param rate: 1/3 in 0..1\nparam wet: true\nmap:", 1).replace(
    "limit: 20", "slip if wet: rate left\nlimit: 20"
)


def test_settings__change_what_was_touched_and_tabs_agree(shown: Any, tmp_path: Path) -> None:
    """A third stays a third where something else is chosen, a slider of real numbers has steps, and other tabs follow."""
    open_spec(shown, tmp_path, "chances.grid", CHANCES)
    other = shown.context.new_page()
    other.goto(shown.url)
    other.wait_for_selector("[data-param=rate]")
    assert shown.inner_text("label:has([data-param=rate]) output") == "1/3"
    shown.select_option("[data-param=wet]", "false")
    other.wait_for_function("() => document.querySelector('[data-param=wet]').value === 'false'")
    assert other.inner_text("label:has([data-param=rate]) output") == "1/3"
    shown.focus("[data-param=rate]")
    shown.keyboard.press("ArrowRight")
    other.wait_for_selector("label:has([data-param=rate]) output:text-matches('^(34/100|17/50|0.34)$')")
    assert shown.evaluate("document.activeElement.dataset.param") == "rate"
    other.close()


def test_values__of_another_game_are_not_shown(shown: Any) -> None:
    """What was solved and drawn before the text changed is gone, and the resets that are looked at come anew."""
    shown.click("#tab-values")
    shown.click("#solve")
    shown.wait_for_selector("#heat[src^='data:']")
    shown.click("#text")
    shown.keyboard.press("Control+End")
    shown.keyboard.type("setup: place pond at random floor\n")
    shown.wait_for_selector("#heat:not([src])", state="attached")
    assert shown.inner_text("#solved") == ""
    shown.click("#tab-resets")
    shown.wait_for_selector("#thumbs img")
    before = shown.get_attribute("#thumbs img", "src")
    shown.keyboard.press("Escape")
    shown.click("#undo")
    shown.wait_for_function("before => document.querySelector('#thumbs img')?.src !== before", arg=before)


def test_paint__by_the_keyboard_alone(shown: Any) -> None:
    """The arrows go over the map, a glyph picks what is painted, Enter paints it, and the place stays."""
    shown.click("#tab-paint")
    shown.focus("#canvas [tabindex='0']")
    for key in ("ArrowDown", "ArrowRight", "w", "Enter"):
        shown.keyboard.press(key)
    shown.wait_for_selector("#shown:has-text('.w.G')")
    at = "(() => { const { x, y } = document.activeElement.dataset; return [x, y, document.activeElement.ariaLabel]; })()"
    assert shown.evaluate(at) == ["1", "1", "pond at (1, 1)"]
    shown.keyboard.press("ArrowUp")
    shown.keyboard.press("Enter")
    shown.wait_for_selector("#shown:has-text('@w.w')")


def test_paint__drags_and_resizes(shown: Any, tmp_path: Path) -> None:
    """A stroke is one change, Shift drags a thing, the right button draws floor, numbers resize, and undo takes each back."""
    shown.click("#tab-paint")
    shown.click("#palette button:has-text('pond')")

    def drag(start: tuple[int, int], end: tuple[int, int], **options: Any) -> None:
        for (x, y), button in ((start, shown.mouse.down), (end, shown.mouse.up)):
            box = shown.locator(f"#canvas [data-x='{x}'][data-y='{y}']").bounding_box()
            shown.mouse.move(box["x"] + 10, box["y"] + 10, steps=4)
            button(**options)

    drag((0, 1), (2, 1))
    shown.wait_for_selector("#shown:has-text('wwwG')")
    shown.keyboard.down("Shift")
    drag((0, 0), (2, 0))
    shown.keyboard.up("Shift")
    shown.wait_for_selector("#shown:has-text('..@w')")
    drag((3, 0), (3, 0), button="right")
    shown.wait_for_selector("#shown:has-text('..@.')")
    shown.fill("#width", "5")
    shown.fill("#height", "3")
    shown.click("#resize")
    shown.wait_for_selector("#shown:has-text('wwwG.')")
    assert "    ..@..\n    wwwG.\n    .....\n" in shown.input_value("#text")
    for expected in ("..@.\n", "..@w\n", "@..w\n    wwwG", "@..w\n    ...G"):
        shown.click("#undo")
        shown.wait_for_function(
            "row => document.getElementById('text').value.includes(`    ${row}`)", arg=expected
        )
    assert shown.input_value("#text") == SPEC


def test_export__gives_a_file_and_says_why_not(shown: Any, tmp_path: Path) -> None:
    """A name with signs of addresses in it is no other address; where there is nothing to export, the page stays."""
    open_spec(shown, tmp_path, "a #1 ?b.grid", SPEC)
    with shown.expect_download() as download:
        shown.select_option("#export", "html")
    assert download.value.suggested_filename == "a #1 ?b.html".replace("?", "_")
    shown.click("#text")
    shown.keyboard.press("Control+End")
    shown.keyboard.type("on bmp wall: reward -1")
    shown.wait_for_selector("#problems b:text('syntax')")
    shown.select_option("#export", "js")
    shown.wait_for_selector("#state:has-text('error[syntax]')")
    assert shown.is_visible("#text")
    shown.told.clear()  # the browser tells of the status


def test_game__of_many_actions_is_clicked(shown: Any, tmp_path: Path) -> None:
    """Of Reversi's actions those that are allowed can be pressed, and a click on the board plays the one of its cell."""
    open_spec(shown, tmp_path, "reversi.grid", Path("specs/reversi.grid").read_text(encoding="utf-8"))
    shown.wait_for_selector("#buttons button:text-is('put(3, 2)')")
    assert shown.locator("#buttons button:visible").count() == 4
    box = shown.locator("#board").bounding_box()
    shown.mouse.click(box["x"] + box["width"] * 3.5 / 8, box["y"] + box["height"] * 2.5 / 9)
    shown.wait_for_selector("#when:text('step 1 of 1')")
    assert "put(3, 2)" in shown.inner_text("#facts")
    assert shown.locator("#buttons button:visible").count() == 3
