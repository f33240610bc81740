"""Pages: one file, nothing outside of it, small, and the texts of a spec are data in it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from griddsl.cli import main
from griddsl.diagnostics import Refused
from griddsl.web.bundle import bundle, player_file
from griddsl.web.page import address, page
from griddsl.web.study import study_of
from tests.unit.web.in_node import NODE, SPECS, needs_node

MOST_BYTES = 400_000
# Markup and scripts wherever a spec has texts.
HOSTILE = """env: docs/Hostile-v0
    "</script><script>globalThis.hacked = 1</script><img src=x onerror='globalThis.hacked = 2'><!--"
var word: a in a | b
map:
    @<>&G
legend: G = goal, "<" = floor, ">" = floor, "&" = floor
actions: left, right
observe: cell
mission: "</script><script>globalThis.hacked = 3</script> <b onclick='x'>{word}</b>"
each step: reward -1  # </script><script>globalThis.hacked = 5</script><!--
on enter goal: reward 10, end success
limit: 9 steps
"""


class Scripts(HTMLParser):
    """Gathers the elements of a page, and what stands in its scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an element."""
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Keep a text with the element that it stands in."""
        self.texts.append((self.found[-1][0] if self.found else "", data))


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_page__is_one_small_file_that_asks_nobody(path: Path) -> None:
    """A page of a bundled spec is under 400 kB, names no address to load, and its policy allows but its own scripts."""
    text = page(path)
    assert len(text.encode()) < MOST_BYTES
    elements = Scripts(text)
    policy = next(own["content"] for tag, own in elements.found if "http-equiv" in own) or ""
    assert "default-src 'none'" in policy and "connect-src 'none'" in policy and "unsafe" not in policy
    for tag, own in elements.found:
        assert not {"src", "href", "action"} & own.keys() or own == {"rel": "icon", "href": "data:,"}, tag
        assert not any(name.startswith("on") for name in own)
    scripts = re.findall(r'<script type="module">(.*?)</script>', text, re.DOTALL)
    styles = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    for inside in scripts + styles:
        assert base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode() in policy
    assert not re.search(
        r"https?://|\bimport\b[^\n]*\bfrom\b", "\n".join(scripts).replace("http://www.w3.org", "")
    )


def test_page__holds_texts_as_data() -> None:
    """Markup in descriptions, missions, comments and legends makes no element."""
    elements = Scripts(page(HOSTILE))
    tags = [tag for tag, _ in elements.found]
    assert tags.count("script") == 3 and "img" not in tags and "b" not in tags
    data = json.loads("".join(text for tag, text in elements.texts if '"games"' in text and tag == "script"))
    assert "</script>" in data["description"]
    assert any("</script>" in run for line in data["source"] for _, run in line)


@needs_node
def test_page__of_hostile_texts_has_modules_that_parse(tmp_path: Path) -> None:
    """The modules of a spec with markup in its texts parse, and run nothing of it."""
    text = page(HOSTILE)
    for number, script in enumerate(re.findall(r'<script type="module">(.*?)</script>', text, re.DOTALL)):
        file = tmp_path / f"{number}.mjs"
        file.write_text(f"{script}\nif (globalThis.hacked) throw new Error('ran');\n", encoding="utf-8")
        assert NODE is not None
        arguments = [NODE, str(file)] if number == 0 else [NODE, "--check", str(file)]
        subprocess.run(arguments, check=True, capture_output=True)


def test_bundle__holds_each_file_once() -> None:
    """Files are put together after those that they import, and import nothing any more."""
    text = bundle("page/page.js")
    for name in ("board.js", "game/looks.js", "game/session.js", "player.js"):
        body = [line for line in player_file(name).splitlines() if not line.startswith("import ")]
        assert text.count("\n".join(body)) == 1
    assert "\nimport " not in text
    assert (
        text.index("export function spriteOf")
        < text.index("export class Board")
        < text.index("export class Player")
    )


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://example.org/recordings", "https://example.org/recordings"),
        ("http://localhost:8000/a b?x=1 2", "http://localhost:8000/a%20b?x=1%202"),
        ("https://example.org/a;script-src *", "https://example.org/a%3Bscript-src%20%2A"),
    ],
)
def test_address__fits_into_a_policy(url: str, kept: str) -> None:
    """An address is quoted, so that it adds nothing to the policy."""
    assert address(url) == kept


@pytest.mark.parametrize(
    "url", ["", "example.org", "javascript:alert(1)", "https://", "https://u@h/", "ftp://h/", "http://h:x/"]
)
def test_address__is_refused_where_a_page_cannot_post_to_it(url: str) -> None:
    """What is no address of the web is refused."""
    with pytest.raises(Refused, match="no address that a page can post to"):
        address(url)


def test_page__has_levels_and_parameters_to_choose_from() -> None:
    """Levels of another size come with the page, and so do the values of parameters that vary."""
    text = page("specs/frozen_lake.grid")
    data = json.loads(re.search(r'id="griddsl-data">(.*?)</script>', text, re.DOTALL)[1])  # type: ignore[index]
    assert [game["label"] for game in data["games"]] == ["as it is", "level 8x8"]
    varied = page("specs/frozen_lake.grid", vary={"slippery": [True, False], "level": ["4x4", "8x8"]})
    data = json.loads(re.search(r'id="griddsl-data">(.*?)</script>', varied, re.DOTALL)[1])  # type: ignore[index]
    assert [game["params"] for game in data["games"]][3] == {"slippery": False, "level": "8x8"}
    with pytest.raises(Refused, match="combinations are too many"):
        page("specs/frozen_lake.grid", vary={"success_rate": [number / 100 for number in range(40)]})


def test_exact__tells_what_is_optimal(tmp_path: Path) -> None:
    """The table gives each state its value, its best moves and the steps that are left."""
    pytest.importorskip("scipy")
    if NODE is None:
        pytest.skip("Node is not installed")
    from tests.unit.web.in_node import in_node

    script = """
const optimal = new Optimal(data.game.exact), session = new Session(make(), facts);
const seen = [];
for (let seed = 0; seed < 5; seed++) {
  session.start(seed);
  const first = optimal.of(session.game);
  while (!session.isOver) session.act([optimal.of(session.game).best[0]]);
  seen.push([first.value, first.steps, session.moment.scores[0], session.moment.step]);
}
console.log(JSON.stringify(seen));
"""
    for name in ("cliff_walking", "taxi", "t_maze"):
        for value, steps, score, took in in_node(f"specs/{name}.grid", tmp_path, script, exact=True):
            assert (score, took) == pytest.approx((value, steps), abs=1e-5), name
    assert in_node("specs/cliff_walking.grid", tmp_path, script, exact=True)[0] == [-13, 13, -13, 13]
    with pytest.raises(Refused, match="of one agent"):
        page("specs/tag.grid", exact=True)


def test_command__writes_pages_and_says_what_it_cannot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`griddsl export --to FILE.html` writes a page, and refuses in words what is none."""

    def run(*arguments: str) -> tuple[Any, str]:
        monkeypatch.setattr(sys, "argv", ["griddsl", "export", *arguments])
        with pytest.raises(SystemExit) as done:
            main()
        return done.value.code, capsys.readouterr().err

    target = tmp_path / "cliff.html"
    code, err = run("CliffWalking", "--to", str(target), "--vary", "slippery=true,false")
    assert code in {0, None} and "wrote" in err and " kB)" in err
    assert target.read_text(encoding="utf-8").startswith("<!doctype html>")
    for arguments, said in (
        (("--vary", "slippery"), "is no parameter"),
        (("--vary", "slipery=true"), "slipery"),
        (("--post", "nowhere"), "no address"),
        (("--study", str(tmp_path / "none.toml")), "none.toml"),
    ):
        code, err = run("CliffWalking", "--to", str(target), *arguments)
        assert code in {1, 2} and said in err and "Traceback" not in err
    code, err = run("CliffWalking", "--to", str(tmp_path / "cliff.js"), "--exact")
    assert code == 2 and "of pages" in err


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ({}, "a study needs `title`"),
        ({"title": "x"}, "a study needs `instructions`"),
        ({"title": "x", "instructions": "y", "epsiodes": 3}, "no `epsiodes`; did you mean `episodes`"),
        ({"title": "x", "instructions": "y", "episodes": "3"}, "`episodes` is a whole number from 1"),
        ({"title": "x", "instructions": "y", "seeds": [1, -2]}, "`seeds` is a list of whole numbers"),
        ({"title": "x", "instructions": "y", "show": "map"}, '`show` is one of "board", "view"'),
        ({"title": "x", "instructions": "y", "practice": 1}, "at least one has to count"),
        ({"title": "x", "instructions": "y", "questions": ["a"]}, r"`questions` are tables"),
        (
            {"title": "x", "instructions": "y", "questions": [{"text": "a", "answer": []}]},
            "a question has no `answer`",
        ),
        ({"title": 3, "instructions": "y"}, "`title` is a text in quotes"),
    ],
)
def test_study__is_refused_with_what_is_wrong(table: dict[str, Any], reason: str) -> None:
    """A mistake in a study is told by its entry, with what can stand there."""
    with pytest.raises(Refused, match=reason):
        study_of(table)
